// Motions whose velocities jump: solutions and what only looks like one, variation and measure.

#include "audit/grazing.h"
#include "failing_memory.h"
#include "ricochet/ricochet.h"
#include "support.h"

static int setup(void **state)
{
    *state = rico_context_create(NULL);
    return *state ? 0 : 1;
}


static int teardown(void **state)
{
    rico_context_destroy(*state);
    return 0;
}


enum { ROOM = 20000 };

// Samples of a motion of up to two coordinates.
typedef struct samples {
    int64_t count, n;
    double t[ROOM], q[2 * ROOM], before[2 * ROOM], after[2 * ROOM];
} samples;


static rico_bv_motion motion_of(const samples *s)
{
    return (rico_bv_motion){s->count, s->n, s->n, s->t, s->q, s->before, s->after};
}


static void push(samples *s, double t, const double *q, const double *before, const double *after)
{
    assert_true(s->count < ROOM);
    s->t[s->count] = t;
    for (int64_t i = 0; i < s->n; i++) {
        s->q[s->count * s->n + i] = q[i];
        s->before[s->count * s->n + i] = before[i];
        s->after[s->count * s->n + i] = after[i];
    }
    s->count++;
}


// ---- the corner with two motions ----------------------------------------------------------------------------

// K = R- x R+, m = 1, no force: from (-1, 0) with (1, 0) into the corner at t = 1, and out of it with v.
static void corner_motion(const double v[2], samples *s)
{
    const double in[] = {1.0, 0.0};
    s->count = 0, s->n = 2;
    for (int k = 0; k <= 20; k++) {
        double t = 0.1 * k, since = t - 1.0, q[2] = {since, 0.0};
        if (k > 10) q[0] = v[0] * since, q[1] = v[1] * since;
        if (k == 10) q[0] = 0.0;
        push(s, t, q, k <= 10 ? in : v, k < 10 ? in : v);
    }
}


static rico_system *corner(rico_context *ctx)
{
    const int64_t column[] = {0, 1, 2}, dof[] = {0, 1};
    const double one[] = {1.0, 1.0}, left[] = {-1.0, 0.0}, up[] = {0.0, 1.0};
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part part = {.size = 2, .M = {2, 2, column, dof, one}};
    assert_ok(ctx, rico_system_add_matrices(system, "point", &part, NULL));
    for (int c = 0; c < 2; c++) {
        rico_contact side = {
            .dimension = 1, .restitution = 1.0, .reach = {2, dof}, .gradient = c ? up : left};
        assert_ok(ctx, rico_system_add_contact(system, c ? "floor" : "wall", &side, NULL));
    }
    return system;
}


// Both (-1, 0) and (0, 1) solve the inclusion and conserve energy; the first alone obeys Newton's law. (-1/2, 0) obeys it with e = 1/2 and
// dissipates; (-2, 0) gains; (1, 0) leaves K.
static void two_motions(void **state)
{
    rico_context *ctx = *state;
    rico_system *system = corner(ctx);
    static samples s;
    static const struct {
        double v[2], e;
        bool inside, inclusion, law, conserves, dissipates;
    } CASES[] = {
        {{-1, 0}, 1, true, true, true, true, true},    {{0, 1}, 1, true, true, false, true, true},
        {{-.5, 0}, .5, true, true, true, false, true}, {{-.5, 0}, 1, true, true, false, false, true},
        {{-2, 0}, 1, true, true, false, false, false}, {{1, 0}, 1, false, true, false, true, true},
        {{-.6, .8}, 1, true, true, false, true, true}, {{0, 0}, 0, true, true, true, false, true},
        {{0, -1}, 1, false, false, false, true, true},
    };
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        corner_motion(CASES[k].v, &s);
        const rico_bv_motion motion = motion_of(&s);
        rico_bv_findings found;
        assert_ok(ctx, rico_bv_check(system, &motion, CASES[k].e, 1e-12, &found));
        assert_true((found.penetration < 1e-12) == CASES[k].inside);
        assert_true((found.reaction < 1e-12) == CASES[k].inclusion);
        assert_true((found.law < 1e-12) == CASES[k].law);
        assert_true((found.imbalance < 1e-12) == CASES[k].conserves);
        assert_true((found.gain < 1e-12) == CASES[k].dissipates);
        assert_at_most(found.drift, 1e-14);
        assert_near(found.variation, hypot(CASES[k].v[0] - 1.0, CASES[k].v[1]), 1e-14);
        if (!CASES[k].law && CASES[k].inside) assert_int_equal(found.law_at, 10);
    }
    rico_system_destroy(system);
}


// ---- two solutions under one force --------------------------------------------------------------------------

static bool grazing_load(void *user, double t, double *f)
{
    (void)user;
    f[0] = rico_grazing_force(t);
    return true;
}


static rico_system *grazing_ball(rico_context *ctx)
{
    const int64_t column[] = {0, 1}, dof[] = {0};
    const double one = 1.0;
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part part = {.size = 1, .M = {1, 1, column, dof, &one}, .load = grazing_load};
    assert_ok(ctx, rico_system_add_matrices(system, "ball", &part, NULL));
    rico_contact ground = {.dimension = 1, .restitution = 1.0, .reach = {1, dof}, .gradient = &one};
    assert_ok(ctx, rico_system_add_contact(system, "ground", &ground, NULL));
    return system;
}


// The series, the arches and the bump, against the book's own expressions.
static void grazing_numbers(void **state)
{
    (void)state;
    static const double ALPHA[] = {65.0 / 36.0, 55.0 / 72.0, 167.0 / 360.0, 59.0 / 180.0, 317.0 / 1260.0},
                        DELTA[] = {5.0 / 8.0, 1.0 / 5.0, 7.0 / 72.0, 2.0 / 35.0, 3.0 / 80.0};
    double factorial = 1.0;
    for (int n = 0; n < 5; n++) {
        assert_near(rico_grazing_alpha(n), ALPHA[n], 1e-15);
        assert_near(rico_grazing_delta(n), DELTA[n], 1e-16);
    }
    for (int n = 0; n < 12; n++, factorial *= n) {
        double sum = 0.0;
        for (double i = 2e6; i >= n; i--) sum += (i + 5) * (i + 5) / ((i + 1) * (i + 2) * (i + 3) * (i + 4));
        assert_near(rico_grazing_alpha(n), sum + 5e-7, 1e-11); // the tail is 1/i
        double q, before, after, blow = 1.0 / tgamma(n + 4.0),
                                 length = 2.0 * (n + 5.0) / ((n + 1.0) * (n + 2.0) * (n + 3.0) * (n + 4.0));
        assert_near(rico_grazing_alpha(n) - rico_grazing_alpha(n + 1) - rico_grazing_delta(n), length, 1e-15);
        if (n == 0) continue;
        rico_grazing_motion(rico_grazing_alpha(n), &q, &before, &after);
        assert_near(q, 0.0, 1e-14 * blow);
        assert_near(before, -blow, 1e-12 * blow); // and +1/(n+3)! after: the reaction is 2/(n+3)! there
        assert_near(after, blow, 1e-12 * blow);
        // the end of the arch, from inside: it arrives on the ground with -1/(n+3)!
        rico_grazing_motion(rico_grazing_alpha(n) - 1e-9 * length, &q, &before, &after);
        assert_near(before, -blow, 1e-6 * blow);
        assert_at_most(-q, 0.0);
    }
    // the bump: its integral before normalization is 0.00702985840661, by the trapezoidal rule, exact for what is flat at both ends
    double area = 0.0;
    for (int i = 1; i < 4000; i++) area += exp(1.0 / (i / 4000.0 * (i / 4000.0 - 1.0))) / 4000.0;
    assert_near(area, 0.00702985840661, 1e-14);
    assert_near(rico_grazing_bump(0.5), exp(-4.0) / area, 1e-11);
}


// Rest solves (P); so does the motion that bounces, with e = 1 and no other; their sum does not.
static void not_unique(void **state)
{
    rico_context *ctx = *state;
    rico_system *system = grazing_ball(ctx);
    static samples s;
    rico_bv_findings found;
    const double end = 1.2;
    for (int kind = 0; kind < 3; kind++) {
        s.count = 0, s.n = 1;
        push(&s, 0.0, (const double[]){0.0}, (const double[]){0.0}, (const double[]){0.0});
        for (int n = 9; n >= 0;
             n--) { // arch by arch, samples at its ends; the first arches are smaller than round-off
            double from = rico_grazing_alpha(n + 1), to = n ? rico_grazing_alpha(n) : end;
            for (int k = 0; k < 1500; k++) {
                double t = k ? from + (to - from) * k / 1500.0 : from, q, before, after;
                rico_grazing_motion(t, &q, &before, &after);
                double share = kind == 0 ? 0.0 : kind == 1 ? 1.0 : 0.5;
                push(&s, t, (const double[]){share * q}, (const double[]){share * before},
                     (const double[]){share * after});
            }
        }
        const rico_bv_motion motion = motion_of(&s);
        assert_ok(ctx, rico_bv_check(system, &motion, 1.0, 1e-16, &found));
        bool solves = kind < 2;
        assert_at_most(found.penetration, 1e-16);
        assert_true((found.reaction < 2e-6) == solves);
        assert_at_most(found.law, 1e-12); // of the half sum too: it bounces by the law
        assert_true((found.imbalance < 1e-6) == solves);
        if (kind == 1) {
            double sum = 0.0, last;
            for (int n = 1; n <= 9; n++) sum += 2.0 / tgamma(n + 4.0);
            assert_int_equal(found.jumps, 10);                    // at alpha_10 to alpha_1
            assert_near(sum, 2.0 * (exp(1.0) - 8.0 / 3.0), 1e-8); // sum over n >= 1 of 2/(n+3)!
            // Var(u) is at most |u(alpha_1) - u(end)| + sum (1/(n+4)! + 3/(n+3)!)
            double bound = 0.0, q, before, after;
            for (int n = 1; n < 40; n++) bound += 1.0 / tgamma(n + 5.0) + 3.0 / tgamma(n + 4.0);
            rico_grazing_motion(end, &q, &before, &last);
            rico_grazing_motion(rico_grazing_alpha(1), &q, &before, &after);
            assert_at_most(found.variation, fabs(after - last) + bound + 1e-12);
            assert_true(found.variation > fabs(after - last));
            // with another restitution the law is broken by (1 - e) of each blow
            assert_ok(ctx, rico_bv_check(system, &motion, 0.5, 1e-16, &found));
            assert_near(found.law, 0.5 / 24.0, 1e-9);
        }
    }
    rico_system_destroy(system);
}


// ---- variation and measure ----------------------------------------------------------------------------------

// The bouncing ball with e = 1/2 and g = 2, from 1: blows at 1, 2, 5/2, ... with velocities 2, 1, 1/2, ...
static void bounce(int blows, int each, samples *s)
{
    double at = 0.0, length = 1.0, v = 0.0, down = 0.0;
    s->count = 0, s->n = 1;
    for (int b = 0; b <= blows; b++) {
        for (int k = 0; k < each; k++) {
            double since = length * k / each, q = (b ? 0.0 : 1.0) + v * since - since * since,
                   u = v - 2.0 * since;
            push(s, at + since, &q, k || !b ? &u : &down, &u);
        }
        down = v - 2.0 * length;
        at += length;
        v = -0.5 * down;
        length = v;
    }
}


static void measures(void **state)
{
    rico_context *ctx = *state;
    static samples s;
    bounce(6, 100, &s);
    const rico_bv_motion motion = motion_of(&s);
    double du;
    // falls by 2 per second, and jumps by 3 + 3/2 + ... at the blows
    double jumps = 3.0 * (1.0 + 0.5 + 0.25 + 0.125 + 0.0625 + 0.03125), end = s.t[s.count - 1];
    assert_near(rico_bv_variation(&motion), 2.0 * end + jumps, 1e-12);
    // du of the five kinds of interval between the blows 1 and 2 (samples 100 and 200)
    assert_ok(ctx, rico_bv_measure(ctx, &motion, 100, true, 100, true, &du));
    assert_near(du, 3.0, 1e-14);
    assert_ok(ctx, rico_bv_measure(ctx, &motion, 100, true, 200, true, &du));
    assert_near(du, 0.5 + 2.0, 1e-14);
    assert_ok(ctx, rico_bv_measure(ctx, &motion, 100, true, 200, false, &du));
    assert_near(du, -1.0 + 2.0, 1e-14);
    assert_ok(ctx, rico_bv_measure(ctx, &motion, 100, false, 200, true, &du));
    assert_near(du, 0.5 - 1.0, 1e-14);
    assert_ok(ctx, rico_bv_measure(ctx, &motion, 100, false, 200, false, &du));
    assert_near(du, -1.0 - 1.0, 1e-14);
    assert_int_equal(rico_bv_measure(ctx, &motion, 100, false, 100, true, &du), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_bv_measure(ctx, &motion, 5, true, 4, true, &du), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_bv_measure(ctx, &motion, 0, true, 1 << 20, true, &du), RICO_BAD_ARGUMENT);
}


// A solution with its e, and what is found where a number of it is wrong: viability, the law, energy, positions.
static void findings(void **state)
{
    rico_context *ctx = *state;
    static samples s;
    const int64_t column[] = {0, 1}, dof[] = {0};
    const double one = 1.0, force = -2.0;
    rico_system *system;
    rico_bv_findings found;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part part = {.size = 1, .M = {1, 1, column, dof, &one}, .force = &force};
    assert_ok(ctx, rico_system_add_matrices(system, "ball", &part, NULL));
    rico_contact ground = {.dimension = 1, .restitution = 0.5, .reach = {1, dof}, .gradient = &one};
    assert_ok(ctx, rico_system_add_contact(system, "ground", &ground, NULL));
    bounce(6, 100, &s);
    rico_bv_motion motion = motion_of(&s);
    assert_ok(ctx, rico_bv_check(system, &motion, 0.5, 1e-12, &found));
    assert_int_equal(found.jumps, 6);
    assert_at_most(found.penetration, 1e-14);
    assert_at_most(found.drift, 1e-13);
    assert_at_most(found.reaction, 1e-12);
    assert_at_most(found.law, 1e-13);
    assert_at_most(found.viability, 1e-14);
    assert_at_most(found.gain, 1e-14);
    double lost = 0.0;
    for (double v = 2.0; v > 0.05; v *= 0.5) lost += 0.5 * 0.75 * v * v;
    assert_near(found.dissipated, lost, 1e-12);
    assert_near(found.imbalance, lost, 1e-9);
    // law broken, sample and size known
    s.after[100] = 1.25;
    assert_ok(ctx, rico_bv_check(system, &motion, 0.5, 1e-12, &found));
    assert_near(found.law, 0.25, 1e-12);
    assert_int_equal(found.law_at, 100);
    s.after[100] = -0.5;
    assert_ok(ctx, rico_bv_check(system, &motion, 0.5, 1e-12, &found));
    assert_near(found.viability, 0.5, 1e-12);
    s.after[100] = 1.0;
    s.before[150] += 1e-3, s.after[150] += 1e-3; // a push in flight
    assert_ok(ctx, rico_bv_check(system, &motion, 0.5, 1e-12, &found));
    assert_near(found.reaction, 1e-3, 1e-9);
    s.before[150] -= 1e-3, s.after[150] -= 1e-3;
    s.before[100] += 1e-3; // one before it touches, which the ground cannot give either
    assert_ok(ctx, rico_bv_check(system, &motion, 0.5, 1e-12, &found));
    assert_near(found.reaction, 1e-3, 1e-9);
    s.before[100] -= 1e-3;
    s.q[120] += 1e-4;
    assert_ok(ctx, rico_bv_check(system, &motion, 0.5, 1e-12, &found));
    assert_near(found.drift, 1e-4, 1e-9);
    // refused
    s.t[7] = s.t[6];
    assert_int_equal(rico_bv_check(system, &motion, 0.5, 1e-12, &found), RICO_BAD_INPUT);
    s.t[7] = NAN;
    assert_int_equal(rico_bv_check(system, &motion, 0.5, 1e-12, &found), RICO_BAD_INPUT);
    motion.velocities = 2;
    assert_int_equal(rico_bv_check(system, &motion, 0.5, 1e-12, &found), RICO_BAD_ARGUMENT);
    motion.velocities = 1;
    assert_int_equal(rico_bv_check(system, &motion, 1.5, 1e-12, &found), RICO_BAD_INPUT);
    rico_system_destroy(system);
}


// Lemma 6 on random motions in the quadrant: velocities in T_K(q) keep q in K, and one that is not takes it out; whatever forces they
// would need, and whatever law they obey.
static void viability(void **state)
{
    rico_context *ctx = *state;
    rico_system *system = corner(ctx);
    static samples s;
    rico_random random;
    rico_random_seed(&random, 31);
    for (int trial = 0; trial < 50; trial++) {
        double q[2] = {-rico_random_unit(&random), rico_random_unit(&random)}, u[2] = {0.0, 0.0}, t = 0.0;
        bool leaves = trial % 2;
        rico_bv_findings found;
        s.count = 0, s.n = 2;
        for (int k = 0; k < 200; k++) {
            double v[2], h = rico_random_range(&random, 0.01, 0.3);
            for (int i = 0; i < 2; i++) {
                double out = i ? -1.0 : 1.0; // the direction that leaves K
                v[i] = rico_random_normal(&random);
                if (q[i] == 0.0 && out * v[i] > 0.0 && !(leaves && k > 150)) v[i] = 0.0;
                if (out * v[i] > 0.0 && q[i] != 0.0) h = fmin(h, -q[i] / v[i]); // no farther than the side
            }
            push(&s, t, q, u, v);
            for (int i = 0; i < 2; i++) {
                double next = q[i] + h * v[i];
                u[i] = v[i];
                q[i] = fabs(next) < 1e-14 ? 0.0 : next;
            }
            t += h;
            if (leaves && (q[0] > 0.0 || q[1] < 0.0)) break;
        }
        push(&s, t, q, u, u);
        const rico_bv_motion motion = motion_of(&s);
        assert_ok(ctx, rico_bv_check(system, &motion, 1.0, 1e-13, &found));
        bool out = q[0] > 0.0 || q[1] < 0.0;
        assert_true(leaves || !out);
        assert_true(out == (found.viability > 1e-12));
        assert_true(out == (found.penetration > 1e-12));
        assert_at_most(found.drift, 1e-13);
    }
    rico_system_destroy(system);
}


static rico_status judge(rico_context *ctx, void *user)
{
    (void)user;
    static samples s;
    const int64_t column[] = {0, 1}, dof[] = {0};
    const double one = 1.0, force = -2.0;
    rico_system *system = NULL;
    rico_bv_findings found;
    bounce(2, 3, &s);
    const rico_bv_motion motion = motion_of(&s);
    rico_matrix_part part = {.size = 1, .M = {1, 1, column, dof, &one}, .force = &force};
    rico_contact ground = {.dimension = 1, .restitution = 0.5, .reach = {1, dof}, .gradient = &one};
    rico_status status = rico_system_create(ctx, &system);
    if (status == RICO_OK) status = rico_system_add_matrices(system, "ball", &part, NULL);
    if (status == RICO_OK) status = rico_system_add_contact(system, "ground", &ground, NULL);
    if (status == RICO_OK) status = rico_bv_check(system, &motion, 0.5, 1e-12, &found);
    rico_system_destroy(system);
    return status;
}


static void out_of_memory(void **state)
{
    (void)state;
    assert_true(allocations_fail(judge, NULL, 0) > 20);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_motions),   cmocka_unit_test(grazing_numbers), cmocka_unit_test(not_unique),
        cmocka_unit_test(measures),      cmocka_unit_test(findings),        cmocka_unit_test(viability),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
