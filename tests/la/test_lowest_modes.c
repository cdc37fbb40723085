// Lowest modes of sparse pencils against known spectra.

#include "failing_memory.h"
#include "la/dense.h"
#include "la/lowest_modes.h"
#include "one_context.h"

// A chain of n unit masses between walls: 2 - 2 cos(k pi/(n + 1)); masses scaled by m.
typedef struct chain {
    rico_csc pattern;
    double *K, *M;
    int64_t n;
} chain;

static void chain_make(rico_context *own, chain *self, int64_t n, int64_t copies, double m)
{
    int64_t all = n * copies, entries = 0, *row = malloc((size_t)(3 * all) * sizeof *row),
            *col = malloc((size_t)(3 * all) * sizeof *col);
    double *value = malloc((size_t)(3 * all) * sizeof *value);
    for (int64_t i = 0; i < all; i++)
        for (int64_t j = i - 1; j <= i + 1; j++) {
            if (j < 0 || j >= all || j / n != i / n) continue;
            row[entries] = i, col[entries] = j, value[entries++] = i == j ? 2.0 : -1.0;
        }
    self->pattern = (rico_csc){0};
    assert_ok(own, rico_csc_from_triplets(own, "K", all, all, entries, row, col, value, &self->pattern));
    self->n = all;
    self->K = malloc((size_t)entries * sizeof *self->K);
    self->M = calloc((size_t)entries, sizeof *self->M);
    memcpy(self->K, self->pattern.value, (size_t)entries * sizeof *self->K);
    for (int64_t j = 0; j < all; j++) self->M[rico_csc_find(&self->pattern, j, j)] = m;
    free(row), free(col), free(value);
}


static void chain_end(chain *self)
{
    rico_csc_destroy(&self->pattern);
    free(self->K);
    free(self->M);
}


// Several equal chains side by side: every eigenvalue as often as there are chains.
static void chains_have_their_modes(void **state)
{
    (void)state;
    static const struct {
        int64_t n, copies, count;
        double m, shift;
    } CASES[] = {{400, 1, 8, 3.0, 0.0}, {300, 3, 12, 1e-6, 0.0}, {200, 5, 20, 1.0, -1e-3},
                 {4, 1, 4, 1.0, 0.0},   {7, 2, 9, 2.0, -1.0},    {1, 1, 1, 1.0, 0.0}};
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        chain self;
        double value[20];
        int64_t n = CASES[k].n, count = CASES[k].count;
        chain_make(ctx, &self, n, CASES[k].copies, CASES[k].m);
        double *vector = malloc((size_t)(self.n * count) * sizeof *vector);
        assert_ok(
            ctx, rico_lowest_modes(ctx, &self.pattern, self.K, self.M, CASES[k].shift, count, value, vector));
        for (int64_t i = 0; i < count; i++) {
            int64_t order = i / CASES[k].copies + 1;
            double sine = sin((double)order * M_PI / (double)(2 * n + 2)),
                   exact = 4.0 * sine * sine / CASES[k].m;
            assert_near(value[i], exact, 1e-11 * exact + 1e-14 * fabs(CASES[k].shift));
            double *x = vector + self.n * i, largest = 0.0;
            for (int64_t j = 0; j < self.n; j++) {
                double rest = 0.0;
                for (int64_t e = self.pattern.start[j]; e < self.pattern.start[j + 1]; e++)
                    rest += (self.K[e] - value[i] * self.M[e]) * x[self.pattern.row[e]];
                largest = fmax(largest, fabs(rest));
            }
            assert_at_most(largest, 1e-6 * value[i] * CASES[k].m * rico_norm(self.n, x));
            assert_near(CASES[k].m * rico_dot(self.n, x, x), 1.0, 1e-10);
        }
        free(vector);
        chain_end(&self);
    }
}


static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    chain self;
    double value[3];
    chain_make(ctx, &self, 20, 1, 1.0);
    assert_int_equal(rico_lowest_modes(ctx, &self.pattern, self.K, self.M, 0.0, 0, value, NULL),
                     RICO_BAD_ARGUMENT);
    assert_int_equal(rico_lowest_modes(ctx, &self.pattern, self.K, self.M, 0.0, 21, value, NULL),
                     RICO_BAD_ARGUMENT);
    assert_int_equal(rico_lowest_modes(ctx, &self.pattern, self.K, self.M, 1.0, 3, value, NULL),
                     RICO_SINGULAR);
    chain_end(&self);
}


static rico_status act(rico_context *own, void *user)
{
    double value[2];
    const chain *self = user;
    return rico_lowest_modes(own, &self->pattern, self->K, self->M, 0.0, 2, value, NULL);
}


static void memory_may_fail(void **state)
{
    (void)state;
    chain self;
    chain_make(ctx, &self, 300, 1, 1.0);
    assert_true(every_allocation_fails(act, &self) > 8);
    chain_end(&self);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_have_their_modes),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(memory_may_fail),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
