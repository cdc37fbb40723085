// Strips in units of the masses against the matrices that they stand for: W_aa, velocities, what follows r.

#include "support.h"

#include "la/csc.h"
#include "solve/strips.h"

enum { BODIES = 12, CONTACTS = 20, DOFS_MOST = 6 * BODIES, ENTRIES_MOST = 4096 };

// How a mass is made: what symmetric positive ones share, and others do not.
typedef enum mass_kind { POSITIVE, INDEFINITE, UNSYMMETRIC, MASS_KINDS } mass_kind;

typedef struct triplets {
    int64_t count, row[ENTRIES_MOST], col[ENTRIES_MOST];
    double value[ENTRIES_MOST];
} triplets;


static void put(triplets *t, int64_t row, int64_t col, double value)
{
    assert_true(t->count < ENTRIES_MOST);
    t->row[t->count] = row, t->col[t->count] = col;
    t->value[t->count++] = value;
}


// Masses of one to six degrees of freedom, full blocks or diagonal ones, far from zero whatever their kind.
static int64_t random_masses(rico_random *random, mass_kind kind, int64_t *start, triplets *M)
{
    for (int64_t b = 0; b < BODIES; b++) {
        int64_t size = 1 + rico_random_below(random, 6), first = start[b];
        bool diagonal = rico_random_below(random, 2) == 0;
        start[b + 1] = first + size;
        for (int64_t i = 0; i < size; i++) {
            double sign = kind == INDEFINITE && b == 3 && i == size - 1 ? -1.0 : 1.0;
            put(M, first + i, first + i, sign * rico_random_range(random, 2.0, 4.0));
            for (int64_t j = 0; j < i && !diagonal; j++) {
                double value = rico_random_range(random, -0.3, 0.3);
                put(M, first + i, first + j, value);
                put(M, first + j, first + i, kind == UNSYMMETRIC ? -0.5 * value : value);
            }
        }
    }
    return start[BODIES];
}


// Contacts of one or two bodies that touch some of their degrees of freedom.
static void random_directions(rico_random *random, const int64_t *start, triplets *H)
{
    for (int64_t a = 0; a < CONTACTS; a++) {
        int64_t one = rico_random_below(random, BODIES), other = rico_random_below(random, BODIES);
        for (int64_t b = 0; b < BODIES; b++) {
            if (b != one && b != other) continue;
            for (int64_t d = start[b]; d < start[b + 1]; d++)
                for (int64_t i = 0; i < 3; i++)
                    if (rico_random_below(random, 4) > 0)
                        put(H, d, 3 * a + i, rico_random_range(random, -1.0, 1.0));
        }
    }
}


static void check_strips(rico_context *ctx, rico_problem *p, bool rooted)
{
    rico_strips *s = NULL;
    assert_ok(ctx, rico_problem_factor_mass(p));
    assert_ok(ctx, rico_strips_create(p, &s));
    assert_true((s->root != NULL) == rooted);
    assert_true((s->B == s->G) == rooted);

    double r[3 * CONTACTS], u[3 * CONTACTS], block[9], mine[3];
    for (int i = 0; i < 3 * CONTACTS; i++) r[i] = sin(1.0 + i);
    rico_strips_refresh(p, s, r);
    for (int change = 0; change < 2; change++) {
        assert_ok(ctx, rico_problem_velocity(p, r, u, NULL));
        for (int64_t a = 0; a < CONTACTS; a++) {
            rico_strip_read(s, a, 3, &p->w[3 * a], mine);
            for (int i = 0; i < 3; i++) assert_near(mine[i], u[3 * a + i], 1e-11);
        }
        // one contact after the other, as a sweep does
        for (int64_t a = 0; a < CONTACTS; a += 3) {
            double step[3] = {0.3, -0.2, 0.1};
            for (int i = 0; i < 3; i++) r[3 * a + i] += step[i];
            rico_strip_write(s, a, 3, step);
        }
    }
    assert_ok(ctx, rico_problem_reduce(p));
    for (int64_t a = 0; a < CONTACTS; a++) {
        const double *W = &p->W.value[p->W.place[p->W.diagonal[a]]];
        rico_strips_diagonal(p, s, a, block);
        for (int i = 0; i < 9; i++) assert_near(block[i], W[i], 1e-12);
    }
    rico_strips_destroy(s);
}


static void test_against_the_problem(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random random;
    rico_random_seed(&random, 3);
    triplets *M = malloc(sizeof *M), *H = malloc(sizeof *H);
    for (int round = 0; round < 30; round++) {
        mass_kind kind = round % MASS_KINDS;
        int64_t start[BODIES + 1] = {0};
        M->count = H->count = 0;
        int64_t dofs = random_masses(&random, kind, start, M);
        random_directions(&random, start, H);
        rico_csc mass = {0}, directions = {0};
        assert_ok(ctx,
                  rico_csc_from_triplets(ctx, "M", dofs, dofs, M->count, M->row, M->col, M->value, &mass));
        assert_ok(ctx, rico_csc_from_triplets(ctx, "H", dofs, 3 * CONTACTS, H->count, H->row, H->col,
                                              H->value, &directions));
        rico_block blocks[CONTACTS];
        double f[DOFS_MOST], w[3 * CONTACTS];
        for (int i = 0; i < CONTACTS; i++)
            blocks[i] = (rico_block){.kind = RICO_COULOMB_3D, .size = 3, .friction = 0.5};
        for (int i = 0; i < DOFS_MOST; i++) f[i] = cos(2.0 * i);
        for (int i = 0; i < 3 * CONTACTS; i++) w[i] = cos(3.0 * i);
        rico_sparse_view Mv = {dofs, dofs, mass.start, mass.row, mass.value};
        rico_sparse_view Hv = {dofs, 3 * CONTACTS, directions.start, directions.row, directions.value};
        rico_problem *p = NULL;
        assert_ok(ctx, rico_problem_create_global(ctx, CONTACTS, blocks, &Mv, &Hv, f, w, &p));
        bool coupled = false; // some body has more than a diagonal
        for (int64_t k = 0; k < M->count; k++) coupled = coupled || M->row[k] != M->col[k];
        check_strips(ctx, p, kind == POSITIVE || (kind == UNSYMMETRIC && !coupled));
        rico_problem_destroy(p);
        rico_csc_destroy(&mass);
        rico_csc_destroy(&directions);
    }
    free(M);
    free(H);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_the_problem),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
