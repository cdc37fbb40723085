// The table of cones: what every row of it promises, on random blocks of every kind.
//
// A projection is checked by what defines it: p in K, written here from the inequalities of each kind, and
// (x - p)'(y - p) <= 0 for every y of K, drawn from the same inequalities. Where K is a cone that means x - p in the polar
// cone and orthogonal to p; and by Moreau the dual projection is x + P_K(-x).

#include "support.h"

#include "base/random.h"
#include "cone/cone.h"

enum { TRIALS = 4000 };


static rico_block random_block(rico_random *random, rico_block_kind kind)
{
    static const double slopes[] = {0.0, 1e-3, 0.3, 1.0, 20.0};
    rico_block b = {.kind = kind, .size = rico_block_describe(kind)->size};
    if (b.size == 0) b.size = 1 + rico_random_below(random, 5);
    b.friction = slopes[rico_random_below(random, 5)];
    b.friction_2 = slopes[rico_random_below(random, 5)];
    b.rolling = slopes[rico_random_below(random, 5)];
    b.spinning = slopes[rico_random_below(random, 5)];
    b.low = rico_random_below(random, 4) ? rico_random_range(random, -1.0, 0.5) : -INFINITY;
    b.high = rico_random_below(random, 4) ? 0.5 + rico_random_unit(random) : INFINITY;
    bool tresca = kind == RICO_TRESCA_2D || kind == RICO_TRESCA_3D;
    if (tresca) b.high = slopes[rico_random_below(random, 5)];
    if (rico_random_below(random, 2) && b.friction > 0.0 && b.friction_2 > 0.0) {
        b.slip_1 = 0.1 + rico_random_unit(random);
        b.slip_2 = 0.1 + rico_random_unit(random);
    }
    return b;
}


static void random_point(rico_random *random, int64_t size, double *x)
{
    for (int64_t i = 0; i < size; i++) {
        double scale = pow(10.0, rico_random_range(random, -2.0, 2.0));
        x[i] = rico_random_below(random, 8) ? scale * rico_random_range(random, -1.0, 1.0) : 0.0;
    }
}


// The coefficient of each tangential row, from the description of the kinds.
static double axis_of(const rico_block *b, int64_t row)
{
    switch (b->kind) {
    case RICO_ELLIPTIC:
        return row == 1 ? b->friction : b->friction_2;
    case RICO_SPINNING:
        return row < 3 ? b->friction : b->spinning;
    case RICO_ROLLING:
        return row < 3 ? b->friction : b->rolling;
    case RICO_ROLLING_SPINNING:
        return row < 3 ? b->friction : row < 5 ? b->rolling : b->spinning;
    case RICO_ROLLING_2D:
        return row < 2 ? b->friction : b->rolling;
    default:
        return b->friction;
    }
}


// Where the group of a tangential row ends.
static int64_t group_end(const rico_block *b, int64_t row)
{
    if (b->kind == RICO_ROLLING_2D) return row + 1;
    if (row < 3) return b->size < 3 ? b->size : 3;
    return b->kind == RICO_SPINNING ? 4 : row < 5 ? 5 : 6;
}


static bool is_tresca(const rico_block *b)
{
    return b->kind == RICO_TRESCA_2D || b->kind == RICO_TRESCA_3D;
}


// How far r is outside K: 0 inside.
static double outside(const rico_block *b, const double *r)
{
    if (b->kind == RICO_EQUALITY) return 0.0;
    if (b->kind == RICO_BOX) return fmax(0.0, fmax(b->low - r[0], r[0] - b->high));
    double worst = fmax(0.0, -r[0]);
    if (is_tresca(b)) return fmax(worst, hypot(r[1], b->size > 2 ? r[2] : 0.0) - b->high);
    for (int64_t row = 1; row < b->size;) {
        int64_t end = group_end(b, row);
        double filled = 0.0, slope = 0.0, beyond = 0.0;
        for (int64_t i = row; i < end; i++) {
            double axis = axis_of(b, i);
            slope = fmax(slope, axis);
            filled = axis > 0.0 ? hypot(filled, r[i] / axis) : filled;
            if (axis == 0.0) beyond = hypot(beyond, r[i]);
        }
        worst = fmax(worst, fmax(beyond, slope * (filled - r[0])));
        row = end;
    }
    return worst;
}


// A point of K.
static void draw_inside(rico_random *random, const rico_block *b, double *y)
{
    random_point(random, b->size, y);
    if (b->kind == RICO_EQUALITY) return;
    if (b->kind == RICO_BOX) {
        y[0] = fmin(fmax(y[0], b->low), b->high);
        return;
    }
    y[0] = fabs(y[0]);
    if (is_tresca(b)) {
        double length = hypot(y[1], b->size > 2 ? y[2] : 0.0);
        for (int64_t i = 1; i < b->size && length > 0.0; i++)
            y[i] *= b->high * rico_random_unit(random) / length;
        return;
    }
    for (int64_t row = 1; row < b->size;) {
        int64_t end = group_end(b, row);
        double unit[2] = {0.0}, length = 0.0;
        double share = rico_random_below(random, 2) ? 1.0 : rico_random_unit(random);
        for (int64_t i = row; i < end; i++) {
            unit[i - row] = rico_random_range(random, -1.0, 1.0);
            length = hypot(length, unit[i - row]);
        }
        for (int64_t i = row; i < end; i++) y[i] = share * y[0] * axis_of(b, i) * unit[i - row] / length;
        row = end;
    }
}


static double norm_of(int64_t n, const double *x)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}


static void test_projections(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 3);
    for (int kind = 0; kind < RICO_BLOCK_KINDS; kind++) {
        for (int trial = 0; trial < TRIALS; trial++) {
            rico_block b = random_block(&random, (rico_block_kind)kind);
            double x[6], p[6], again[6], dual[6];
            random_point(&random, b.size, x);
            memcpy(p, x, sizeof p);
            rico_cone_project(&b, p);
            double size = norm_of(b.size, x) + 1.0;
            assert_true(outside(&b, p) <= 1e-12 * size * (1.0 + b.friction + b.friction_2));

            // nearest: no point of K lies on the far side
            for (int k = 0; k < 8; k++) {
                double y[6], inner = 0.0;
                draw_inside(&random, &b, y);
                for (int64_t i = 0; i < b.size; i++) inner += (x[i] - p[i]) * (y[i] - p[i]);
                assert_true(inner <= 1e-11 * size * (size + norm_of(b.size, y)));
            }
            memcpy(again, p, sizeof again);
            rico_cone_project(&b, again);
            for (int64_t i = 0; i < b.size; i++) assert_true(fabs(again[i] - p[i]) <= 1e-12 * size);

            // x = P_K(x) - P_K*(-x)
            if (!rico_cone_kinds[kind].project_dual) continue;
            for (int64_t i = 0; i < b.size; i++) dual[i] = -x[i];
            rico_cone_kinds[kind].project_dual(&b, dual);
            for (int64_t i = 0; i < b.size; i++) assert_true(fabs(p[i] - dual[i] - x[i]) <= 1e-12 * size);
        }
    }
}


// The difference quotient of the projection at x along the unit vector d, with step h.
static void quotient(const rico_block *b, const double *x, const double *d, double h, double *out)
{
    double plus[6], minus[6];
    for (int64_t i = 0; i < b->size; i++) {
        plus[i] = x[i] + h * d[i];
        minus[i] = x[i] - h * d[i];
    }
    rico_cone_project(b, plus);
    rico_cone_project(b, minus);
    for (int64_t i = 0; i < b->size; i++) out[i] = (plus[i] - minus[i]) / (2.0 * h);
}


// Away from kinks the Jacobian of the projection is the limit of differences; everywhere it is symmetric, between 0 and
// the identity. A kink shows by quotients that depend on the step, or by one-sided ones that differ.
static void test_jacobians(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 5);
    int compared = 0;
    for (int kind = 0; kind < RICO_BLOCK_KINDS; kind++) {
        for (int trial = 0; trial < TRIALS; trial++) {
            rico_block b = random_block(&random, (rico_block_kind)kind);
            double x[6], p[6], d[6], near[6], coarse[6], fine[6], J[36], h = 1e-6;
            random_point(&random, b.size, x);
            random_point(&random, b.size, d);
            double length = norm_of(b.size, d), inner = 0.0, error = 0.0, bend = 0.0;
            if (length == 0.0) continue;
            for (int64_t i = 0; i < b.size; i++) d[i] /= length;
            memcpy(p, x, sizeof p);
            rico_cone_kinds[kind].jacobian(&b, p, J);
            quotient(&b, x, d, h, coarse);
            quotient(&b, x, d, h / 16.0, fine);
            for (int64_t i = 0; i < b.size; i++) near[i] = x[i] + h * d[i];
            rico_cone_project(&b, near);
            for (int64_t i = 0; i < b.size; i++) {
                double Jd = 0.0;
                for (int64_t j = 0; j < b.size; j++) {
                    Jd += J[i * b.size + j] * d[j];
                    assert_near(J[i * b.size + j], J[j * b.size + i], 1e-12);
                }
                inner += d[i] * Jd;
                error = fmax(error, fabs(coarse[i] - Jd));
                bend = fmax(bend, fmax(fabs(coarse[i] - fine[i]), fabs((near[i] - p[i]) / h - coarse[i])));
            }
            assert_true(inner >= -1e-12 && inner <= 1.0 + 1e-12);
            if (bend > 1e-4) continue;
            compared++;
            assert_true(error <= 1e-6 * (1.0 + norm_of(b.size, x)) + 2.0 * bend);
        }
    }
    assert_true(compared > RICO_BLOCK_KINDS * TRIALS / 2);
}


// g(u) is the largest of -r_T'u_T over the section r_N = 1, so hat(u) is in K* exactly when u_N >= 0; its gradient is that
// of the function.
static void test_shifts(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 8);
    for (int kind = 0; kind < RICO_BLOCK_KINDS; kind++) {
        const rico_cone_kind *row = &rico_cone_kinds[kind];
        for (int trial = 0; row->shift && trial < TRIALS; trial++) {
            rico_block b = random_block(&random, (rico_block_kind)kind);
            double u[6], y[6], gradient[5], best = 0.0;
            random_point(&random, b.size, u);
            double g = row->shift(&b, u, gradient), slip = norm_of(b.size - 1, u + 1);
            for (int k = 0; k < 8; k++) {
                draw_inside(&random, &b, y);
                double work = 0.0;
                for (int64_t i = 1; i < b.size; i++) work -= y[i] * u[i];
                if (y[0] > 0.0) best = fmax(best, work / y[0]);
            }
            assert_true(best <= g * (1.0 + 1e-12) + 1e-300);

            // the gradient, by homogeneity of degree 1, and the support point that it is, up to its sign
            double along = 0.0, point[6] = {1.0};
            for (int64_t i = 1; i < b.size; i++) {
                along += gradient[i - 1] * u[i];
                point[i] = -gradient[i - 1];
            }
            assert_true(fabs(along - g) <= 1e-12 * (g + slip));
            assert_true(outside(&b, point) <= 1e-12 * (1.0 + b.friction + b.friction_2));
        }
    }
}


// Pairs made lawful by construction, u = hat^-1 of x - P_K(x) and the like, are zeros of the natural map and of the judge.
static void test_lawful_pairs(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 9);
    for (int kind = 0; kind < RICO_BLOCK_KINDS; kind++) {
        const rico_cone_kind *row = &rico_cone_kinds[kind];
        for (int trial = 0; trial < TRIALS; trial++) {
            rico_block b = random_block(&random, (rico_block_kind)kind);
            double x[6], r[6], u[6], norm = pow(10.0, rico_random_range(&random, -2.0, 2.0));
            random_point(&random, b.size, x);
            memcpy(r, x, sizeof r);
            rico_cone_project(&b, r);
            for (int64_t i = 0; i < b.size; i++) u[i] = r[i] - x[i];
            if (row->shift) u[0] -= row->shift(&b, u, NULL);
            // slip by the gradient of the potential: -u_i ~ r_i / p_i^2 where the ellipse's own is r_i / mu_i^2
            if (b.kind == RICO_ELLIPTIC && b.slip_1 > 0.0) {
                u[1] *= b.friction / b.slip_1 * (b.friction / b.slip_1);
                u[2] *= b.friction_2 / b.slip_2 * (b.friction_2 / b.slip_2);
            }
            double size =
                (1.0 + norm_of(b.size, x)) * (1.0 + b.friction + b.friction_2 + b.rolling + b.spinning);
            if (b.kind == RICO_ELLIPTIC) size += norm_of(b.size, u) * (b.friction + b.friction_2);
            assert_true(sqrt(rico_cone_natural_map(&b, 0.7, u, r, NULL)) <= 1e-11 * size);
            assert_true(sqrt(row->judge(&b, norm, u, r)) <= 1e-11 * size * (1.0 + norm));

            // and no more once the normal impulse, or the only one, is wrong
            double wrong[6];
            memcpy(wrong, r, sizeof wrong);
            wrong[0] = b.kind == RICO_BOX ? fmin(b.high, 1e3) + 1.0 : -1.0;
            if (row->joint || (b.kind == RICO_BOX && isinf(b.high))) continue;
            assert_true(rico_cone_natural_map(&b, 1.0, u, wrong, NULL) > 1e-6);
            assert_true(row->judge(&b, 1.0, u, wrong) > 1e-6);
        }
    }
}


static void test_names_and_faults(void **state)
{
    (void)state;
    for (int kind = 0; kind < RICO_BLOCK_KINDS; kind++) {
        const rico_block_info *info = rico_block_describe((rico_block_kind)kind);
        assert_non_null(info);
        assert_true(info->name[0] && info->key[0] && info->label[0]);
        int64_t rows = 1;
        for (int g = 0; g < RICO_CONE_GROUPS; g++) rows += rico_cone_kinds[kind].group[g];
        if (rico_cone_kinds[kind].contact) assert_int_equal(rows, info->size);
        for (int other = 0; other < kind; other++)
            assert_string_not_equal(info->key, rico_block_describe((rico_block_kind)other)->key);
    }
    assert_null(rico_block_describe(RICO_BLOCK_KINDS));
    assert_null(rico_block_describe((rico_block_kind)-1));

    rico_context *ctx = rico_context_create(NULL);
    static const struct {
        rico_block block;
        const char *words;
    } wrong[] = {
        {{RICO_BOX, 1, .low = 1.0, .high = 0.5},
         "block 0 has the lower bound 1; it must be at most the upper one"},
        {{RICO_BOX, 1, .low = NAN, .high = 1.0}, "the lower bound nan; it must be below infinity"},
        {{RICO_BOX, 1, .low = -1.0, .high = NAN}, "the upper bound nan; it must be above minus infinity"},
        {{RICO_ELLIPTIC, 3, 0.5, .friction_2 = -1.0},
         "the second friction coefficient -1; it must be finite"},
        {{RICO_ELLIPTIC, 3, 0.5, .friction_2 = 0.1, .slip_1 = 1.0},
         "the half axis of the slip potential 0; it must be finite, > 0"},
        {{RICO_ELLIPTIC, 3, 0.5, .friction_2 = 0.0, .slip_1 = 1.0, .slip_2 = 1.0},
         "the friction coefficient 0; it must be > 0 with a slip potential of its own"},
        {{RICO_TRESCA_3D, 3, .high = -1.0}, "the bound of Tresca's friction -1"},
        {{RICO_TRESCA_2D, 2, .high = INFINITY}, "the bound of Tresca's friction inf"},
        {{RICO_ROLLING_2D, 3, 0.5, .rolling = -2.0}, "the rolling or spinning coefficient -2"},
        {{RICO_ELLIPTIC, 2, 0.5, .friction_2 = 1.0}, "block 0 (elliptic) has 2 rows instead of 3"},
        {{RICO_ROLLING, 5, 0.5, .rolling = INFINITY}, "the rolling or spinning coefficient inf"},
        {{RICO_SPINNING, 4, -0.5}, "the friction coefficient -0.5"},
    };
    double q[6] = {0.0};
    int64_t start[7] = {0};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        rico_sparse_view W = {wrong[i].block.size, wrong[i].block.size, start, NULL, NULL};
        rico_problem *p = NULL;
        assert_int_equal(rico_problem_create_reduced(ctx, 1, &wrong[i].block, &W, q, &p), RICO_BAD_INPUT);
        assert_non_null(strstr(rico_message(ctx), wrong[i].words));
    }
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_projections),      cmocka_unit_test(test_jacobians),
        cmocka_unit_test(test_shifts),           cmocka_unit_test(test_lawful_pairs),
        cmocka_unit_test(test_names_and_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
