// Kane's double pendulum: two equal rods hang from a pivot, the free end strikes the ground and slides. Newton's
// restitution with Coulomb's friction on the velocity after the impact creates energy; Fremond's law does not
// (Kane and Levinson 1985; Acary and Collins-Craft 2024).
//
// m = l = 1, q = angles from the vertical: M = (4/3, cos(q1-q2)/2; ., 1/3), the end at (sin q1 + sin q2, cos q1 + cos q2)
// below the pivot.

#include "systems.h"

typedef struct pendulum {
    double gravity, depth; // of the ground below the pivot
} pendulum;

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


static bool mass(void *user, const double *q, double *M)
{
    (void)user;
    M[0] = 4.0 / 3.0;
    M[1] = M[2] = 0.5 * cos(q[0] - q[1]);
    M[3] = 1.0 / 3.0;
    return true;
}


// d/dt dT/dv - dT/dq = M v' - this
static bool gyroscopic(void *user, double t, const double *q, const double *v, double *f)
{
    (void)user, (void)t;
    double s = 0.5 * sin(q[0] - q[1]);
    f[0] = -s * v[1] * v[1];
    f[1] = s * v[0] * v[0];
    return true;
}


static bool potential(void *user, const double *q, double *V)
{
    const pendulum *self = user;
    *V = -self->gravity * (1.5 * cos(q[0]) + 0.5 * cos(q[1]));
    return true;
}


static bool gradient(void *user, const double *q, double *g)
{
    const pendulum *self = user;
    g[0] = self->gravity * 1.5 * sin(q[0]);
    g[1] = self->gravity * 0.5 * sin(q[1]);
    return true;
}


static bool gap(void *user, double t, const double *q, double *g)
{
    (void)t;
    const pendulum *self = user;
    *g = self->depth - cos(q[0]) - cos(q[1]);
    return true;
}


static bool frame(void *user, double t, const double *q, double *H)
{
    (void)user, (void)t;
    H[0] = sin(q[0]);
    H[1] = sin(q[1]);
    H[2] = cos(q[0]);
    H[3] = cos(q[1]);
    return true;
}


static rico_system *double_pendulum(rico_context *ctx, pendulum *self, double e, double mu)
{
    const int64_t dof[] = {0, 1};
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_callback_part part = {.size = 2,
                               .mass = mass,
                               .force = gyroscopic,
                               .potential = potential,
                               .gradient = gradient,
                               .user = self};
    assert_ok(ctx, rico_system_add_callbacks(system, "pendulum", &part, NULL));
    rico_contact contact = {.dimension = 2,
                            .restitution = e,
                            .friction = mu,
                            .reach = {2, dof},
                            .gap = gap,
                            .frame = frame,
                            .user = self};
    assert_ok(ctx, rico_system_add_contact(system, "end", &contact, NULL));
    return system;
}


// The impact by itself, from its equations and a list of cases: u+ = u- + W p, u_N+ = -e u_N-, and friction on
// y_T = u_T+ (Newton) or u_T+ + u_T- (Fremond): y_T = 0 within the cone, or p_T = -mu p_N sign(y_T). Returns the change of
// kinetic energy by the formula of Thomson and Tait, (u+ + u-)' p / 2.
static double impact(const double *q, const double *v, double e, double mu, bool fremond, double p[2])
{
    double M[4], H[4], u[2], W[3], X[2][2];
    mass(NULL, q, M);
    frame(NULL, 0.0, q, H);
    double det = M[0] * M[3] - M[1] * M[1];
    for (int i = 0; i < 2; i++) {
        const double *column = H + 2 * i;
        X[i][0] = (M[3] * column[0] - M[1] * column[1]) / det;
        X[i][1] = (M[0] * column[1] - M[1] * column[0]) / det;
        u[i] = column[0] * v[0] + column[1] * v[1];
    }
    W[0] = H[0] * X[0][0] + H[1] * X[0][1];
    W[1] = H[2] * X[0][0] + H[3] * X[0][1];
    W[2] = H[2] * X[1][0] + H[3] * X[1][1];

    int found = 0;
    double normal = -(1.0 + e) * u[0], tangent = fremond ? -2.0 * u[1] : -u[1],
           area = W[0] * W[2] - W[1] * W[1];
    double stick[2] = {(W[2] * normal - W[1] * tangent) / area, (W[0] * tangent - W[1] * normal) / area};
    if (stick[0] >= 0.0 && fabs(stick[1]) <= mu * stick[0]) {
        memcpy(p, stick, sizeof stick);
        found++;
    }
    for (double side = -1.0; side <= 1.0; side += 2.0) {
        double push = normal / (W[0] + side * mu * W[1]),
               after = u[1] + W[1] * push + W[2] * side * mu * push;
        if (push > 0.0 && side * (fremond ? after + u[1] : after) < 0.0) {
            p[0] = push;
            p[1] = side * mu * push;
            found++;
        }
    }
    assert_int_equal(found, 1);
    double after = u[1] + W[1] * p[0] + W[2] * p[1];
    return 0.5 * ((1.0 - e) * u[0] * p[0] + (after + u[1]) * p[1]);
}


// Kane and Levinson's angles and rates: 20 and 30 degrees, -0.1 and -0.2, e = mu = 1/2.
static const double ANGLES[] = {M_PI / 9.0, M_PI / 6.0}, RATES[] = {-0.1, -0.2};
static const char *const SCHEMES[] = {"moreau-jean", "moreau-jean-variant", "newmark",
                                      "hht",         "generalized-alpha",   "kh-generalized-alpha"};
enum { SCHEME_COUNT = sizeof SCHEMES / sizeof *SCHEMES };


// One short step through the impact: impulses and energy are those of the impact's own equations, up to O(h).
static void one_impact(void **state)
{
    rico_context *ctx = *state;
    const double e = 0.5, mu = 0.5, h = 1e-7;
    pendulum self = {9.81, cos(ANGLES[0]) + cos(ANGLES[1])};
    for (int s = 0; s < SCHEME_COUNT; s++)
        for (int fremond = 0; fremond < 2; fremond++) {
            double p[2], change = impact(ANGLES, RATES, e, mu, fremond, p);
            rico_system *system = double_pendulum(ctx, &self, e, mu);
            rico_simulation *sim;
            assert_ok(ctx, rico_simulation_create(system, SCHEMES[s], &sim));
            assert_ok(ctx, rico_simulation_set(sim, "law", fremond ? "fremond" : "newton"));
            assert_ok(ctx, rico_simulation_start(sim, 0.0, ANGLES, RATES));
            double before = rico_simulation_ledger(sim)->kinetic;
            assert_ok(ctx, rico_simulation_step(sim, h));
            const rico_ledger *ledger = rico_simulation_ledger(sim);
            assert_near(rico_simulation_impulse(sim)[0], p[0], 1e-5);
            assert_near(rico_simulation_impulse(sim)[1], p[1], 1e-5);
            assert_near(ledger->kinetic - before, change, 1e-5);
            assert_near(ledger->normal + ledger->tangential, change, 1e-5);
            assert_true(ledger->normal < 0.0);
            if (fremond) {
                assert_true(ledger->tangential < -1e-3 && change < -5e-3);
            } else {
                // more than half of the kinetic energy there was, out of nothing
                assert_true(ledger->tangential > 1e-2 && change > 0.5 * before);
            }
            rico_simulation_destroy(sim);
            rico_system_destroy(system);
        }
}


// A swing onto the ground and along it: friction brings energy in at some step under Newton's law, at none under
// Fremond's, whatever the scheme.
static void swing(void **state)
{
    rico_context *ctx = *state;
    pendulum self = {9.81, cos(ANGLES[0]) + cos(ANGLES[1])};
    const double q[] = {ANGLES[0] + 0.2, ANGLES[1] + 0.5}, v[] = {0.0, 0.0}, h = 5e-4;
    for (int s = 0; s < SCHEME_COUNT; s++)
        for (int fremond = 0; fremond < 2; fremond++) {
            rico_system *system = double_pendulum(ctx, &self, 0.5, 0.5);
            rico_simulation *sim;
            assert_ok(ctx, rico_simulation_create(system, SCHEMES[s], &sim));
            assert_ok(ctx, rico_simulation_set(sim, "law", fremond ? "fremond" : "newton"));
            assert_ok(ctx, rico_simulation_start(sim, 0.0, q, v));
            double largest = -INFINITY, sum = 0.0;
            for (int k = 0; k < 2000; k++) {
                assert_ok(ctx, rico_simulation_step(sim, h));
                const rico_ledger *ledger = rico_simulation_ledger(sim);
                largest = fmax(largest, ledger->tangential);
                sum += fabs(ledger->tangential);
                assert_at_most(ledger->normal, 1e-13);
            }
            assert_true(sum > 1e-2);
            if (fremond)
                assert_at_most(largest, 1e-13);
            else
                assert_true(largest > 1e-4);
            rico_simulation_destroy(sim);
            rico_system_destroy(system);
        }
}


// The free swing, no ground in reach: energy drifts by O(h^2), which a wrong M(q) or gyroscopic force would not let it;
// by O(h) in Krenk and Hogsberg's scheme, which weighs forces of the velocity at another time than the acceleration.
static void free_swing(void **state)
{
    rico_context *ctx = *state;
    pendulum self = {9.81, 10.0};
    const double q[] = {1.2, -0.4}, v[] = {0.5, 2.0};
    for (int s = 0; s < SCHEME_COUNT; s++) {
        double drift[2], range = 0.0;
        for (int fine = 0; fine < 2; fine++) {
            double h = fine ? 1e-3 : 2e-3;
            rico_system *system = double_pendulum(ctx, &self, 0.0, 0.0);
            rico_simulation *sim;
            assert_ok(ctx, rico_simulation_create(system, SCHEMES[s], &sim));
            assert_ok(ctx, rico_simulation_start(sim, 0.0, q, v));
            double first = rico_simulation_ledger(sim)->kinetic + rico_simulation_ledger(sim)->potential;
            drift[fine] = 0.0;
            for (int k = 0; k < (fine ? 1000 : 500); k++) {
                assert_ok(ctx, rico_simulation_step(sim, h));
                const rico_ledger *ledger = rico_simulation_ledger(sim);
                drift[fine] = fmax(drift[fine], fabs(ledger->kinetic + ledger->potential - first));
                range = fmax(range, ledger->kinetic);
            }
            rico_simulation_destroy(sim);
            rico_system_destroy(system);
        }
        assert_true(range > 5.0);
        bool first_order = strcmp(SCHEMES[s], "kh-generalized-alpha") == 0;
        assert_at_most(drift[1], 2e-3 * range);
        assert_near(drift[0] / drift[1], first_order ? 2.0 : 4.0, first_order ? 0.3 : 0.6);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_impact, setup, teardown),
        cmocka_unit_test_setup_teardown(swing, setup, teardown),
        cmocka_unit_test_setup_teardown(free_swing, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
