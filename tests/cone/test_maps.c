// Every map: zero exactly on Coulomb's law, Jacobian right where smooth and a limit of Jacobians where not.
//
// "Exactly" is made quantitative by an error bound. With d the distance of (u, r) to the law, found by search over
// its three cases (law.h), there are constants c, C > 0 with c d <= |F| <= C d, or c min(d, d^2) <= |F| for the maps
// made of products; docs/theory/cone.md gives them. A zero outside the law, or a lawful pair that is no zero,
// breaks one side or the other.

#include "support.h"

#include "law.h"

#include "ricochet/cone.h"

typedef struct setting {
    rico_map_kind kind;
    double mu, rho_n, rho_t;
} setting;


static bool has_products(rico_map_kind kind)
{
    return kind == RICO_MAP_XUEWEN_SOH_WANJI || kind == RICO_MAP_HUEBER_STADLER_WOHLMUTH;
}


// d <= reach |F| for the maps made of projections, min(d', d'^2) <= |F| with d' = d / reach for those of products.
static double reach(const setting *s)
{
    double slow = 1.0 + 1.0 / fmin(s->rho_n, s->rho_t), mu = s->mu;
    switch (s->kind) {
    case RICO_MAP_NATURAL:
        return 1.0 + (2.0 + mu) / s->rho_n;
    case RICO_MAP_ALART_CURNIER:
        return slow;
    case RICO_MAP_JEAN_MOREAU:
        return 1.5 * (1.0 + mu) * slow;
    case RICO_MAP_FISCHER_BURMEISTER:
        return mu > 0.0 ? 6.0 * (1.0 + 1.0 / mu) : 4.0;
    case RICO_MAP_XUEWEN_SOH_WANJI:
        return 4.0 * (1.0 + mu);
    case RICO_MAP_HUEBER_STADLER_WOHLMUTH:
        return 4.0 * slow;
    default:
        return NAN;
    }
}


// |F| <= slope d, for pairs of size up to `size`.
static double slope(const setting *s, double size)
{
    double fast = 1.0 + fmax(s->rho_n, s->rho_t), mu = s->mu;
    double disk = 2.0 * (2.0 + mu) * fast;
    switch (s->kind) {
    case RICO_MAP_NATURAL:
        return 2.0 + (2.0 + mu) * s->rho_n;
    case RICO_MAP_ALART_CURNIER:
    case RICO_MAP_JEAN_MOREAU:
        return disk;
    case RICO_MAP_FISCHER_BURMEISTER:
        return 8.0 * (1.0 + mu);
    case RICO_MAP_XUEWEN_SOH_WANJI:
        return 2.0 * (2.0 + mu) * (1.0 + size);
    case RICO_MAP_HUEBER_STADLER_WOHLMUTH:
        return disk * (1.0 + (1.0 + mu) * fast * size);
    default:
        return NAN;
    }
}


static void complain(const char *what, const setting *s, const double u[3], const double r[3])
{
    fail_msg("%s: %s, mu %g, rho %g %g, u (%.17g %.17g %.17g), r (%.17g %.17g %.17g)",
             rico_map_describe(s->kind)->name, what, s->mu, s->rho_n, s->rho_t, u[0], u[1], u[2], r[0], r[1],
             r[2]);
}


static double evaluate(const setting *s, const double u[3], const double r[3], double F[3])
{
    rico_map_evaluate(s->kind, s->mu, s->rho_n, s->rho_t, u, r, F, NULL, NULL);
    return norm3(F);
}


// Both sides of the equivalence at one point, d its distance to the law. Returns whether the lower bound stood
// clear of round-off, so that it said something.
static bool check_equivalence(const setting *s, const double u[3], const double r[3], double d)
{
    double F[3], size = norm3(u) + norm3(r);
    double value = evaluate(s, u, r, F);
    double round_off = 2e-16 * slope(s, size) * size;

    if (!(value <= slope(s, size) * d + round_off)) complain("not zero on the law", s, u, r);

    double away = d / reach(s);
    double least = has_products(s->kind) ? fmin(away, away * away) : away;
    if (!(value >= 0.9 * least - round_off)) complain("zero outside the law", s, u, r);
    return least > 10.0 * round_off;
}


static setting random_setting(rico_random *random)
{
    return (setting){.mu = FRICTIONS[rico_random_below(random, FRICTION_COUNT)],
                     .rho_n = pow(10.0, rico_random_range(random, -2.0, 2.0)),
                     .rho_t = pow(10.0, rico_random_range(random, -2.0, 2.0))};
}


static void test_table(void **state)
{
    (void)state;
    for (int k = 0; k < RICO_MAP_COUNT; k++) {
        const rico_map_info *info = rico_map_describe((rico_map_kind)k);
        assert_non_null(info);
        assert_true(strlen(info->name) > 0 && strlen(info->summary) > 0 && strlen(info->reference) > 0);
        for (int j = 0; j < k; j++)
            assert_string_not_equal(info->name, rico_map_describe((rico_map_kind)j)->name);
    }
    assert_null(rico_map_describe(RICO_MAP_COUNT));
    double F[3], du[9], dr[9], zero[3] = {0.0};
    rico_map_evaluate(RICO_MAP_COUNT, 1.0, 1.0, 1.0, zero, zero, F, du, dr);
    assert_true(isnan(F[0]) && isnan(du[8]) && isnan(dr[8]));
}


static void test_lawful_pairs_are_zeros(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 1);
    for (int n = 0; n < 100000; n++) {
        setting s = random_setting(&random);
        double u[3], r[3], F[3];
        lawful_pair(&random, s.mu, n % LAW_KINDS, u, r);
        double size = norm3(u) + norm3(r);
        for (int k = 0; k < RICO_MAP_COUNT; k++) {
            s.kind = (rico_map_kind)k;
            if (!(evaluate(&s, u, r, F) <= 4e-16 * slope(&s, size) * size))
                complain("not zero on the law", &s, u, r);
        }
    }
}


// A lawful pair broken in one way, by an amount between 1e-3 and 1e3.
enum {
    APPROACHES,        // open, u_N < 0
    PULLS,             // open, r_N < 0
    PUSHES,            // open with u_N > 0, r_N > 0
    HELD_WHILE_OPEN,   // open, r_T not 0
    MIRRORS_SLIP,      // r_N = 0 and r_T = rho_t u_T
    BEYOND_CONE,       // sticking, r_T too long
    LIFTS,             // sticking, u_N > 0
    SINKS,             // sticking, u_N < 0
    CREEPS,            // r inside the cone, u_T not 0
    HELD_TOO_WEAKLY,   // sliding, r_T too short
    HELD_TOO_STRONGLY, // sliding, r_T too long
    PUSHED_ALONG,      // sliding, r_T of the right length along +u_T
    TURNED,            // sliding, r_T turned
    SLIDES_AND_LIFTS,  // sliding, u_N > 0
    OPPOSITE_CONE,     // r in -K
    VIOLATIONS
};

static void unlawful_pair(rico_random *random, const setting *s, int violation, double u[3], double r[3])
{
    double amount = pow(10.0, rico_random_range(random, -3.0, 3.0)), mu = s->mu, unit[2];
    int kind = violation <= MIRRORS_SLIP ? (rico_random_below(random, 2) ? LAW_OPEN : LAW_GRAZING)
               : violation <= CREEPS     ? (rico_random_below(random, 2) ? LAW_STICKING : LAW_ON_RIM)
                                         : LAW_SLIDING;
    lawful_pair(random, mu, kind, u, r);
    random_unit(random, unit);
    double c = cos(amount), w = sin(amount), turned[2] = {c * r[1] - w * r[2], w * r[1] + c * r[2]};
    double friction = hypot(r[1], r[2]);

    switch (violation) {
    case APPROACHES:
        u[0] = -amount;
        break;
    case PULLS:
        r[0] = -amount;
        break;
    case PUSHES:
        u[0] += amount;
        r[0] = amount;
        break;
    case HELD_WHILE_OPEN:
        for (int i = 0; i < 2; i++) r[1 + i] = amount * unit[i];
        break;
    case MIRRORS_SLIP:
        for (int i = 0; i < 2; i++) r[1 + i] = s->rho_t * u[1 + i];
        break;
    case BEYOND_CONE:
        for (int i = 0; i < 2; i++) r[1 + i] = (mu * r[0] + amount) * unit[i];
        break;
    case LIFTS:
        u[0] = amount;
        break;
    case SINKS:
        u[0] = -amount;
        break;
    case CREEPS:
        for (int i = 0; i < 2; i++) u[1 + i] = amount * unit[i];
        break;
    case HELD_TOO_WEAKLY:
        for (int i = 0; i < 2; i++) r[1 + i] *= rico_random_unit(random);
        break;
    case HELD_TOO_STRONGLY:
        for (int i = 0; i < 2; i++) r[1 + i] *= 1.0 + (friction > 0.0 ? amount / friction : 0.0);
        break;
    case PUSHED_ALONG:
        for (int i = 0; i < 2; i++) r[1 + i] = -r[1 + i];
        break;
    case TURNED:
        for (int i = 0; i < 2; i++) r[1 + i] = turned[i];
        break;
    case SLIDES_AND_LIFTS:
        u[0] = amount;
        break;
    case OPPOSITE_CONE:
        r[0] = -r[0];
        break;
    default:
        fail();
    }
}


static void test_unlawful_pairs_are_not(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 2);
    int64_t told[RICO_MAP_COUNT][VIOLATIONS] = {{0}};
    for (int n = 0; n < 100000; n++) {
        setting s = random_setting(&random);
        double u[3], r[3];
        unlawful_pair(&random, &s, n % VIOLATIONS, u, r);
        double d = law_distance(s.mu, u, r);
        for (int k = 0; k < RICO_MAP_COUNT; k++) {
            s.kind = (rico_map_kind)k;
            told[k][n % VIOLATIONS] += check_equivalence(&s, u, r, d);
        }
    }
    for (int k = 0; k < RICO_MAP_COUNT; k++)
        for (int v = 0; v < VIOLATIONS; v++)
            if (told[k][v] < 2000) fail_msg("map %d, violation %d: only %d tests", k, v, (int)told[k][v]);
}


static void test_random_pairs(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 3);
    for (int n = 0; n < 100000; n++) {
        setting s = random_setting(&random);
        double u[3], r[3];
        random_vector(&random, -2.0, 2.0, 3, u);
        random_vector(&random, -2.0, 2.0, 3, r);
        double d = law_distance(s.mu, u, r);
        for (int k = 0; k < RICO_MAP_COUNT; k++) {
            s.kind = (rico_map_kind)k;
            check_equivalence(&s, u, r, d);
        }
    }
}


// The points where something coincides: all combinations of zero and opposite components, impulses on the surface
// of the cone and of its opposite, at the edge of the disks, along and across the slip, equal to rho times the
// velocity. Calls visit(s, u, r) on each, with s->kind open.
typedef void (*visitor)(setting *s, const double u[3], const double r[3], void *user);

static void visit_degenerate(visitor visit, void *user)
{
    static const double slips[][2] = {{0, 0}, {1, 0}, {0, -1}, {0.6, 0.8}};
    static const double rhos[][2] = {{1, 1}, {0.125, 8}, {4, 0.03125}};
    static const double fractions[] = {-2, -1, -0.5, 0.5, 1, 2};
    for (int m = 0; m < FRICTION_COUNT; m++)
        for (size_t p = 0; p < sizeof rhos / sizeof *rhos; p++) {
            setting s = {.mu = FRICTIONS[m], .rho_n = rhos[p][0], .rho_t = rhos[p][1]};
            for (int n = 0; n < 3 * 4 * 5; n++) {
                double u[3] = {n % 3 - 1, slips[n / 3 % 4][0], slips[n / 3 % 4][1]};
                double normals[] = {-1.0, 0.0, 1.0, s.rho_n * u[0], u[0]};
                double r[3] = {normals[n / 12], 0.0, 0.0};
                visit(&s, u, r, user);

                // equal and opposite to the slip, scaled; the rim of Alart-Curnier's disk around rho_t u_T
                double rim = s.mu * fmax(0.0, r[0] - s.rho_n * u[0]);
                double scales[] = {s.rho_t, 1.0, -1.0, s.rho_t - rim, s.rho_t + rim};
                for (int k = 0; k < 5; k++) {
                    r[1] = scales[k] * u[1];
                    r[2] = scales[k] * u[2];
                    visit(&s, u, r, user);
                }
                // on the surface, inside and outside, in several directions
                for (int k = 0; k < 18; k++) {
                    double length = fractions[k % 6] * s.mu * r[0];
                    r[1] = length * slips[1 + k / 6][0];
                    r[2] = length * slips[1 + k / 6][1];
                    visit(&s, u, r, user);
                }
            }
        }
}


static void check_degenerate(setting *s, const double u[3], const double r[3], void *user)
{
    int64_t *counts = user;
    double d = law_distance(s->mu, u, r);
    counts[d < 1e-12]++;
    for (int k = 0; k < RICO_MAP_COUNT; k++) {
        s->kind = (rico_map_kind)k;
        check_equivalence(s, u, r, d);
    }
}


static void test_degenerate_pairs(void **state)
{
    (void)state;
    int64_t counts[2] = {0};
    visit_degenerate(check_degenerate, counts);
    assert_true(counts[0] > 5000 && counts[1] > 1000);
}


// What eq. 65 and 66 as printed let through.
static void test_zeros_of_the_printed_formulas(void **state)
{
    (void)state;
    double F[3];

    // friction along the slip, both on the second tangent: |cross| + max(0, u_T1 r_T1) = 0
    setting xsw = {RICO_MAP_XUEWEN_SOH_WANJI, 0.5, 1.0, 1.0};
    evaluate(&xsw, (double[3]){0, 0, 1}, (double[3]){2, 0, 1}, F);
    assert_near(F[2], 1.0, 0.0);

    // open contact with r_T = rho_t u_T, and the same without friction
    setting hsw = {RICO_MAP_HUEBER_STADLER_WOHLMUTH, 0.5, 1.0, 2.0};
    evaluate(&hsw, (double[3]){1, 3, 4}, (double[3]){0, 6, 8}, F);
    assert_near(hypot(F[1], F[2]), 100.0, 1e-13);
    hsw.mu = 0.0;
    evaluate(&hsw, (double[3]){0, 3, 4}, (double[3]){1, 6, 8}, F);
    assert_near(hypot(F[1], F[2]), 100.0, 1e-13);
}


// A NaN comes out as a NaN: no branch swallows it. u_T of an open or frictionless contact is the exception, since
// the law itself does not look at it; u_N and r never are.
static void test_nan_is_seen(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 4);
    static const int looked_at[4] = {0, 3, 4, 5};
    for (int n = 0; n < 10000; n++) {
        setting s = random_setting(&random);
        double z[6], F[3];
        random_vector(&random, -1.0, 1.0, 6, z);
        z[looked_at[n % 4]] = NAN;
        for (int k = 0; k < RICO_MAP_COUNT; k++) {
            s.kind = (rico_map_kind)k;
            if (!isnan(evaluate(&s, z, z + 3, F))) complain("NaN swallowed", &s, z, z + 3);
        }
    }
}


static void jacobian_at(const setting *s, const double z[6], double J[18])
{
    double F[3], du[9], dr[9];
    rico_map_evaluate(s->kind, s->mu, s->rho_n, s->rho_t, z, z + 3, F, du, dr);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            J[6 * i + j] = du[3 * i + j];
            J[6 * i + 3 + j] = dr[3 * i + j];
        }
}


// Central differences with the steps h; returns the largest disagreement of the one-sided ones, entry by entry over the
// size of the row, which tells a kink.
static double differences(const setting *s, const double z[6], const double h[6], double D[18])
{
    double F[3], bend[18], worst = 0.0;
    evaluate(s, z, z + 3, F);
    for (int j = 0; j < 6; j++) {
        double moved[6], plus[3], minus[3];
        memcpy(moved, z, sizeof moved);
        moved[j] = z[j] + h[j];
        evaluate(s, moved, moved + 3, plus);
        moved[j] = z[j] - h[j];
        evaluate(s, moved, moved + 3, minus);
        for (int i = 0; i < 3; i++) {
            D[6 * i + j] = (plus[i] - minus[i]) / (2.0 * h[j]);
            bend[6 * i + j] = fabs(plus[i] + minus[i] - 2.0 * F[i]) / h[j];
        }
    }
    for (int i = 0; i < 3; i++) {
        double row = 1.0;
        for (int j = 0; j < 6; j++) row = fmax(row, fabs(D[6 * i + j]));
        for (int j = 0; j < 6; j++) worst = fmax(worst, bend[6 * i + j] / row);
    }
    return worst;
}


// Largest difference of entries, over the size of the row.
static double mismatch(const double J[18], const double G[18])
{
    double worst = 0.0;
    for (int i = 0; i < 3; i++) {
        double row = 1.0, gap = 0.0;
        for (int j = 0; j < 6; j++) {
            row = fmax(row, fabs(J[6 * i + j]));
            gap = fmax(gap, fabs(J[6 * i + j] - G[6 * i + j]));
        }
        worst = fmax(worst, gap / row);
    }
    return worst;
}


static void test_jacobians_where_smooth(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 5);
    enum { POINTS = 100000 };
    int64_t smooth[RICO_MAP_COUNT] = {0};
    for (int n = 0; n < POINTS; n++) {
        setting s = random_setting(&random);
        double z[6], h3[6], J[18], D[18], D3[18], F[3], again[3], du[9], dr[9];
        for (int i = 0; i < 6; i++) z[i] = rico_random_normal(&random);
        // sizes that bring all cases up, whatever mu
        double slip = rico_random_below(&random, 2) ? 1.0 : 1.0 / (1.0 + s.mu);
        double friction = rico_random_below(&random, 2) || s.mu == 0.0 ? 1.0 : s.mu;
        for (int i = 0; i < 2; i++) {
            z[1 + i] *= slip;
            z[4 + i] *= friction;
        }
        double h[6] = {1e-5, 1e-5 * slip, 1e-5 * slip, 1e-5, 1e-5 * friction, 1e-5 * friction};
        for (int i = 0; i < 6; i++) h3[i] = 3.0 * h[i];

        for (int k = 0; k < RICO_MAP_COUNT; k++) {
            s.kind = (rico_map_kind)k;
            jacobian_at(&s, z, J);
            double bend = differences(&s, z, h, D);
            for (int i = 0; i < 18; i++) assert_true(isfinite(J[i]));

            // asking for the Jacobian does not change the value
            rico_map_evaluate(s.kind, s.mu, s.rho_n, s.rho_t, z, z + 3, F, du, dr);
            evaluate(&s, z, z + 3, again);
            assert_memory_equal(F, again, sizeof F);

            // differences that depend on their step are lost to curvature or round-off
            if (bend > 1e-4 || differences(&s, z, h3, D3) > 3e-4 || mismatch(D, D3) > 2e-5) continue;
            smooth[k]++;
            for (int i = 0; i < 3; i++) {
                double row = 1.0;
                for (int j = 0; j < 6; j++) row = fmax(row, fabs(D[6 * i + j]));
                for (int j = 0; j < 6; j++)
                    if (!(fabs(J[6 * i + j] - D[6 * i + j]) <= 1e-4 * row)) {
                        print_error("entry %d %d: %.9g, differences %.9g\n", i, j, J[6 * i + j],
                                    D[6 * i + j]);
                        complain("wrong Jacobian", &s, z, z + 3);
                    }
            }
        }
    }
    for (int k = 0; k < RICO_MAP_COUNT; k++)
        if (smooth[k] < 0.9 * POINTS) fail_msg("map %d: only %d smooth points", k, (int)smooth[k]);
}


// A point next to z: each component moved by one of several orders of magnitude or not at all, tangential parts along
// and slightly across the directions that matter; then everything by a much smaller generic amount, so that the
// point is on no kink itself. `flipped` is the same but for the sign of a generic slip.
static void neighbour(rico_random *random, double mu, const double z[6], double near[6], double flipped[6])
{
    static const double steps[] = {0, 0, 0, 1e-5, -1e-5, 1e-4, -1e-4, 1e-7, -1e-7, 1e-9, -1e-9};
    double along[2] = {1.0, 0.0};
    for (int k = 0; k < 6; k += 3) {
        double length = hypot(z[k + 1], z[k + 2]);
        if (length > 0.0) along[0] = z[k + 1] / length, along[1] = z[k + 2] / length;
    }
    memcpy(near, z, 6 * sizeof *near);
    for (int k = 0; k < 6; k += 3) {
        double step = steps[rico_random_below(random, 11)];
        double tilt = 1e-3 * step * (double)(rico_random_below(random, 3) - 1);
        // now and then mu r_N as much as u_N: where Fischer-Burmeister's two arguments are equal
        double normal = near[0] - z[0];
        bool equal = k == 3 && mu > 0.0 && rico_random_below(random, 4) == 0;
        near[k] += equal ? normal / mu : steps[rico_random_below(random, 11)];
        near[k + 1] += step * along[0] - tilt * along[1];
        near[k + 2] += step * along[1] + tilt * along[0];
    }
    memcpy(flipped, near, 6 * sizeof *near);
    for (int i = 0; i < 6; i++) {
        double generic = 1e-12 * rico_random_normal(random);
        near[i] += generic;
        flipped[i] += i == 1 || i == 2 ? -generic : generic;
    }
}


typedef struct kink_search {
    rico_random random;
    int64_t points, kinks;
} kink_search;

// At a degenerate point the Jacobian must be that of some smooth point nearby, or the mean of two that differ in the
// sign of a vanishing slip.
static void check_kink(setting *s, const double u[3], const double r[3], void *user)
{
    kink_search *search = user;
    double z[6] = {u[0], u[1], u[2], r[0], r[1], r[2]};
    for (int k = 0; k < RICO_MAP_COUNT; k++) {
        s->kind = (rico_map_kind)k;
        double J[18], G[18], H[18], near[6], flipped[6], best = INFINITY;
        jacobian_at(s, z, J);
        for (int i = 0; i < 18; i++)
            if (!isfinite(J[i])) complain("Jacobian not finite", s, u, r);

        int tries = 0;
        while (best > 2e-3 && tries++ < 20000) {
            neighbour(&search->random, s->mu, z, near, flipped);
            jacobian_at(s, near, G);
            best = fmin(best, mismatch(J, G));
            if (u[1] != 0.0 || u[2] != 0.0) continue;
            jacobian_at(s, flipped, H);
            for (int i = 0; i < 18; i++) G[i] = 0.5 * (G[i] + H[i]);
            best = fmin(best, mismatch(J, G));
        }
        search->points++;
        search->kinks += tries > 1;
        if (best > 2e-3) {
            print_error("nearest Jacobian differs by %g\n", best);
            complain("Jacobian is no limit", s, u, r);
        }
    }
}


static void test_jacobians_at_kinks(void **state)
{
    (void)state;
    kink_search search = {.points = 0};
    rico_random_seed(&search.random, 6);
    visit_degenerate(check_kink, &search);
    assert_true(search.kinks > 10000);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_lawful_pairs_are_zeros),
        cmocka_unit_test(test_unlawful_pairs_are_not),
        cmocka_unit_test(test_random_pairs),
        cmocka_unit_test(test_degenerate_pairs),
        cmocka_unit_test(test_zeros_of_the_printed_formulas),
        cmocka_unit_test(test_nan_is_seen),
        cmocka_unit_test(test_jacobians_where_smooth),
        cmocka_unit_test(test_jacobians_at_kinks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
