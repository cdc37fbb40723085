// Schemes of the position level: their identities, tangents against finite differences, joints, both solves.

#include "moving_schemes.h"
#include "step/theta_step.h"
#include "systems.h"

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


static double scale_of(const rico_ledger *ledger)
{
    return fabs(ledger->kinetic) + fabs(ledger->potential) + fabs(ledger->algorithmic) +
           fabs(ledger->external) + fabs(ledger->normal) + fabs(ledger->tangential) + fabs(ledger->damping) +
           fabs(ledger->projection) + fabs(ledger->numerical[0]) + fabs(ledger->numerical[1]) +
           fabs(ledger->numerical[2]);
}


// One way to run a scheme: name and options.
typedef struct way {
    const char *scheme, *solve, *metric, *activation, *law;
} way;

static rico_simulation *make(rico_context *ctx, rico_system *system, const way *how)
{
    rico_simulation *sim;
    assert_ok(ctx, rico_simulation_create(system, how->scheme, &sim));
    if (how->solve) assert_ok(ctx, rico_simulation_set(sim, "solve", how->solve));
    if (how->metric) assert_ok(ctx, rico_simulation_set(sim, "metric", how->metric));
    if (how->activation) assert_ok(ctx, rico_simulation_set(sim, "activation", how->activation));
    if (how->law) assert_ok(ctx, rico_simulation_set(sim, "law", how->law));
    return sim;
}


static const way WAYS[] = {
    {"schatzman-paoli", NULL, NULL, NULL, NULL},
    {"trapezoidal-position", NULL, NULL, NULL, NULL},
    {"contact-stabilized", NULL, NULL, NULL, NULL},
    {"direct-projection", "decoupled", "identity", "explicit", NULL},
    {"direct-projection", "decoupled", "mass", "free", "fremond"},
    {"direct-projection", "coupled", "identity", "closing", NULL},
    {"direct-projection", "coupled", "mass", "explicit", "fremond"},
    {"combined-projection", "decoupled", "identity", NULL, NULL},
    {"combined-projection", "decoupled", "mass", NULL, "fremond"},
    {"combined-projection", "coupled", "identity", NULL, "fremond"},
    {"combined-projection", "coupled", "mass", NULL, NULL},
};
enum { WAY_COUNT = sizeof WAYS / sizeof *WAYS };


// The identity closes to round-off at every step of random linear systems in every dimension; the projecting schemes
// leave no gap below the tolerance.
static void identity(void **state)
{
    rico_context *ctx = *state;
    rico_random random;
    rico_random_seed(&random, 2);
    for (int w = 0; w < WAY_COUNT; w++) {
        double works = 0.0, projected = 0.0;
        for (int dimension = 1; dimension <= 3; dimension++)
            for (int trial = 0; trial < 5; trial++) {
                static const int64_t CONTACTS[] = {1, 2, 3, 5, 8};
                int64_t n = 8 + rico_random_below(&random, 20);
                random_system system;
                random_system_create(ctx, &random, n, CONTACTS[trial], dimension, 0.9, 0.8, trial % 2,
                                     &system);
                rico_simulation *sim = make(ctx, system.system, &WAYS[w]);
                assert_ok(ctx,
                          rico_simulation_set_number(sim, "theta", rico_random_range(&random, 0.3, 1.0)));
                assert_ok(ctx, rico_simulation_start(sim, 0.0, system.q, system.v));
                for (int k = 0; k < 20; k++) {
                    const double *gap;
                    assert_ok(ctx, rico_simulation_step(sim, k % 5 < 4 ? 0.01 : 0.015));
                    const rico_ledger *ledger = rico_simulation_ledger(sim);
                    assert_at_most(fabs(ledger->residual), 1e-12 * scale_of(ledger));
                    works += fabs(ledger->normal);
                    projected += fabs(ledger->projection);
                    assert_ok(ctx, rico_simulation_gap(sim, &gap));
                    for (int64_t c = 0; WAYS[w].solve && c < CONTACTS[trial]; c++)
                        assert_at_most(-gap[c * dimension], 1e-10);
                }
                rico_simulation_destroy(sim);
                random_system_destroy(&system);
            }
        assert_true(works > 0.1);
        assert_true(!WAYS[w].solve || projected > 1e-3);
    }
}


// A point in the plane by polar coordinates q = (r, phi): M = diag(m, m r^2), gyroscopic forces, and a force of our
// own that makes every tangent different from zero.
typedef struct polar {
    double mass, spring, drag;
} polar;

static bool polar_mass(void *user, const double *q, double *M)
{
    const polar *self = user;
    M[0] = self->mass;
    M[1] = M[2] = 0.0;
    M[3] = self->mass * q[0] * q[0];
    return true;
}


static bool polar_force(void *user, double t, const double *q, const double *v, double *f)
{
    (void)t;
    const polar *self = user;
    f[0] =
        self->mass * q[0] * v[1] * v[1] - self->spring * q[0] * q[0] * q[0] - self->drag * v[0] * fabs(v[0]);
    f[1] = -2.0 * self->mass * q[0] * v[0] * v[1] - self->spring * sin(q[1]) * q[0];
    return true;
}


static bool unit_mass(void *user, const double *q, double *M)
{
    (void)user, (void)q;
    M[0] = M[3] = 1.5;
    M[1] = M[2] = 0.25;
    return true;
}


// Residual of the equation of motion against its tangents by central differences (eq. 43-48): by the velocity, the
// iteration matrix; by the correction of the displacement, h theta K.
static void tangents(void **state)
{
    rico_context *ctx = *state;
    polar given = {1.0, 3.0, 0.5};
    rico_system *system;
    rico_simulation *sim;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_callback_part part = {
        .size = 2, .constant_mass = true, .mass = unit_mass, .force = polar_force, .user = &given};
    assert_ok(ctx, rico_system_add_callbacks(system, "point", &part, NULL));
    assert_ok(ctx, rico_simulation_create(system, "direct-projection", &sim));
    const double q[] = {0.8, 0.4}, v[] = {0.7, -1.1};
    assert_ok(ctx, rico_simulation_start(sim, 0.0, q, v));

    const double load[] = {0.0, 0.0}, h = 0.3, at[] = {0.5, 0.9}, epsilon = 1e-5;
    double correction[] = {0.02, -0.03}, mean[2], work[2], middle[2], right[2][2];
    rico_theta_step step = {.h = h, .theta = 0.7, .weight = 0.7, .load = load, .correction = correction};
    bool changed;
    assert_ok(ctx, rico_theta_residual(sim, &step, at, middle, mean, work));
    assert_ok(ctx, rico_theta_matrix(sim, &step, &changed));
    double A[4], K[4];
    for (int j = 0; j < 2; j++) {
        double unit[2] = {j == 0, j == 1};
        A[2 * j] = A[2 * j + 1] = K[2 * j] = K[2 * j + 1] = 0.0;
        rico_assembly_multiply(sim->assembly, sim->iteration.value, 1.0, unit, A + 2 * j);
        rico_assembly_multiply(sim->assembly, sim->assembly->K, h * step.theta, unit, K + 2 * j);
    }
    for (int j = 0; j < 2; j++) {
        for (int side = 0; side < 2; side++) {
            double moved[] = {at[0], at[1]};
            moved[j] += side ? epsilon : -epsilon;
            assert_ok(ctx, rico_theta_residual(sim, &step, moved, right[side], mean, work));
        }
        for (int i = 0; i < 2; i++)
            assert_near(-(right[1][i] - right[0][i]) / (2.0 * epsilon), A[2 * j + i], 1e-8);
        double kept = correction[j];
        for (int side = 0; side < 2; side++) {
            correction[j] = kept + (side ? epsilon : -epsilon);
            assert_ok(ctx, rico_theta_residual(sim, &step, at, right[side], mean, work));
        }
        correction[j] = kept;
        for (int i = 0; i < 2; i++)
            assert_near(-(right[1][i] - right[0][i]) / (2.0 * epsilon), K[2 * j + i], 1e-8);
    }
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
}


// A free point that flies along y = 1/2 from (0, 1/2) at unit speed inside the unit circle, in polar coordinates:
// elastic reflection at x = sqrt(3)/2, then along the reflected chord. Distance from the exact place at t = 1.2.
static double ring_error(rico_context *ctx, const char *scheme, double h, double until)
{
    polar given = {2.0, 0.0, 0.0};
    rico_system *system;
    rico_simulation *sim;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_callback_part part = {.size = 2, .mass = polar_mass, .force = polar_force, .user = &given};
    assert_ok(ctx, rico_system_add_callbacks(system, "point", &part, NULL));
    const int64_t dof[] = {0};
    const double inward[] = {-1.0};
    rico_contact wall = {
        .dimension = 1, .restitution = 1.0, .reach = {1, dof}, .gradient = inward, .offset = 1.0};
    assert_ok(ctx, rico_system_add_contact(system, "ring", &wall, NULL));
    assert_ok(ctx, rico_simulation_create(system, scheme, &sim));
    const double q[] = {0.5, M_PI / 2}, v[] = {0.0, -2.0}; // r v_phi = -1: towards +x
    assert_ok(ctx, rico_simulation_start(sim, 0.0, q, v));
    while (rico_simulation_time(sim) < until - 0.5 * h) assert_ok(ctx, rico_simulation_step(sim, h));
    const double *at = rico_simulation_position(sim);
    double x = at[0] * cos(at[1]), y = at[0] * sin(at[1]);
    double hit = sqrt(3.0) / 2.0, t = rico_simulation_time(sim), rest = fmax(t - hit, 0.0);
    // the velocity (1, 0) has the normal part hit along (hit, 1/2); it turns around
    double exact_x = fmin(t, hit) + rest * (1.0 - 2.0 * hit * hit);
    double exact_y = 0.5 + rest * (-2.0 * hit * 0.5);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
    return hypot(x - exact_x, y - exact_y);
}


// M(q) and gyroscopic forces: second order before the impact for the theta-methods at theta = 1/2, first order for
// schatzman-paoli, whose forces are taken half a step late; first order after it for all.
static void ring(void **state)
{
    static const char *const SCHEMES[] = {"schatzman-paoli", "direct-projection", "combined-projection"};
    for (int s = 0; s < 3; s++) {
        double coarse = ring_error(*state, SCHEMES[s], 0.02, 0.6);
        double fine = ring_error(*state, SCHEMES[s], 0.01, 0.6);
        assert_at_most(fine, coarse / (s == 0 ? 1.7 : 3.6));
        double h = 1.0 / 512;
        assert_at_most(ring_error(*state, SCHEMES[s], h, 1.2), 6.0 * h);
        assert_at_most(ring_error(*state, SCHEMES[s], h / 8, 1.2), 6.0 * h / 8);
    }
}


// A pendulum of length 1 as a point in Cartesian coordinates with a joint, against a wall at x = -0.3 with friction.
static bool rod_value(void *user, double t, const double *q, double *g)
{
    (void)user, (void)t;
    *g = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0);
    return true;
}


static bool rod_frame(void *user, double t, const double *q, double *H)
{
    (void)user, (void)t;
    H[0] = q[0];
    H[1] = q[1];
    return true;
}


static rico_system *pendulum(rico_context *ctx)
{
    const int64_t start[] = {0, 1, 2}, row[] = {0, 1}, dof[] = {0, 1};
    const double mass[] = {2.0, 2.0}, force[] = {0.0, -20.0}, frame[] = {1.0, 0.0, 0.0, 1.0};
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part part = {.size = 2, .M = {2, 2, start, row, mass}, .force = force};
    assert_ok(ctx, rico_system_add_matrices(system, "bob", &part, NULL));
    rico_joint rod = {.size = 1, .reach = {2, dof}, .value = rod_value, .frame = rod_frame};
    assert_ok(ctx, rico_system_add_joint(system, "rod", &rod, NULL));
    rico_contact wall = {.dimension = 2,
                         .restitution = 0.5,
                         .friction = 0.3,
                         .reach = {2, dof},
                         .gradient = frame,
                         .offset = 0.3};
    assert_ok(ctx, rico_system_add_contact(system, "wall", &wall, NULL));
    return system;
}


// Moreau-Jean drifts off the joint; the others stay on it, whichever the solve, and do not enter the wall. Both solves
// have one solution.
static void joint(void **state)
{
    rico_context *ctx = *state;
    const way ways[] = {{"moreau-jean", NULL, NULL, NULL, NULL},
                        {"schatzman-paoli", NULL, NULL, NULL, NULL},
                        {"direct-projection", "decoupled", "identity", NULL, NULL},
                        {"direct-projection", "coupled", "identity", NULL, NULL},
                        {"combined-projection", "decoupled", "mass", NULL, NULL},
                        {"combined-projection", "coupled", "mass", NULL, NULL}};
    const double q[] = {0.6, -0.8}, v[] = {0.0, 0.0};
    double end[6][2];
    for (int w = 0; w < 6; w++) {
        rico_system *system = pendulum(ctx);
        rico_simulation *sim = make(ctx, system, &ways[w]);
        assert_ok(ctx, rico_simulation_start(sim, 0.0, q, v));
        double drift = 0.0, inside = 0.0, impulse = 0.0;
        for (int k = 0; k < 400; k++) {
            const double *gap;
            assert_ok(ctx, rico_simulation_step(sim, 5e-3));
            assert_ok(ctx, rico_simulation_gap(sim, &gap));
            drift = fmax(drift, fabs(gap[0]));
            inside = fmax(inside, -gap[1]);
            impulse += rico_simulation_impulse(sim)[1];
        }
        assert_true(impulse > 1.0);
        memcpy(end[w], rico_simulation_position(sim), sizeof end[w]);
        if (w == 0) {
            assert_true(drift > 1e-3);
        } else {
            assert_at_most(drift, 1e-10);
            if (w > 1) assert_at_most(inside, 1e-10);
        }
        rico_simulation_destroy(sim);
        rico_system_destroy(system);
    }
    for (int w = 2; w < 6; w += 2)
        for (int i = 0; i < 2; i++) assert_near(end[w][i], end[w + 1][i], 1e-7);
}


// A floor that moves as 0.1 sin(3 t) under a falling ball, and a mass driven along the same curve by a joint.
static bool floor_place(void *user, double t, double *x)
{
    (void)user;
    *x = 0.1 * sin(3.0 * t);
    return true;
}


static bool floor_speed(void *user, double t, double *x)
{
    (void)user;
    *x = 0.3 * cos(3.0 * t);
    return true;
}


static bool floor_gap(void *user, double t, const double *q, double *gap)
{
    double x;
    if (!floor_place(user, t, &x)) return false;
    *gap = q[0] - x;
    return true;
}


static bool floor_frame(void *user, double t, const double *q, double *H)
{
    (void)user, (void)t, (void)q;
    H[0] = 1.0;
    return true;
}


static bool floor_rate(void *user, double t, const double *q, double *w)
{
    (void)q;
    double x;
    if (!floor_speed(user, t, &x)) return false;
    *w = -x;
    return true;
}


// Both follow the curve: the joint always, the ball once its bounces are over, carried by the floor.
static void moving_floor(void **state)
{
    rico_context *ctx = *state;
    const int64_t start[] = {0, 1, 2}, row[] = {0, 1}, dof[] = {0};
    const double mass[] = {1.0, 3.0}, force[] = {-10.0, 0.0}, q[] = {0.3, 0.0}, v[] = {0.0, 0.3}, h = 2e-3;
    for (int w = 2; w < WAY_COUNT; w++) {
        rico_system *system;
        assert_ok(ctx, rico_system_create(ctx, &system));
        rico_matrix_part part = {.size = 2, .M = {2, 2, start, row, mass}, .force = force};
        assert_ok(ctx, rico_system_add_matrices(system, "ball and driven mass", &part, NULL));
        rico_contact contact = {.dimension = 1,
                                .restitution = 0.2,
                                .reach = {1, dof},
                                .gap = floor_gap,
                                .frame = floor_frame,
                                .rate = floor_rate};
        assert_ok(ctx, rico_system_add_contact(system, "floor", &contact, NULL));
        rico_motion motion = {
            .position_index = 1, .velocity_index = 1, .position = floor_place, .velocity = floor_speed};
        assert_ok(ctx, rico_system_prescribe(system, "drive", &motion, NULL));
        rico_simulation *sim = make(ctx, system, &WAYS[w]);
        assert_ok(ctx, rico_simulation_start(sim, 0.0, q, v));
        for (int k = 0; k < 1000; k++) {
            double x;
            assert_ok(ctx, rico_simulation_step(sim, h));
            floor_place(NULL, rico_simulation_time(sim), &x);
            assert_near(rico_simulation_position(sim)[1], x, 1e-10);
            assert_true(rico_simulation_position(sim)[0] >= x - 1e-10);
            if (rico_simulation_time(sim) > 1.0) assert_near(rico_simulation_position(sim)[0], x, 2.0 * h);
        }
        rico_simulation_destroy(sim);
        rico_system_destroy(system);
    }
}


// A physical pendulum by its angle, and by the cosine and the sine of it with a rotation for a retraction: the same
// motion, against a wall at sin >= -1/2.
static bool rotate(void *user, const double *q, const double *dq, double *out)
{
    (void)user;
    double c = cos(dq[0]), s = sin(dq[0]);
    out[0] = c * q[0] - s * q[1];
    out[1] = s * q[0] + c * q[1];
    return true;
}


static bool wheel_mass(void *user, const double *q, double *M)
{
    (void)user, (void)q;
    M[0] = 2.0;
    return true;
}


static bool angle_force(void *user, double t, const double *q, const double *v, double *f)
{
    (void)user, (void)t, (void)v;
    f[0] = -10.0 * cos(q[0]);
    return true;
}


static bool pair_force(void *user, double t, const double *q, const double *v, double *f)
{
    (void)user, (void)t, (void)v;
    f[0] = -10.0 * q[0];
    return true;
}


static bool angle_gap(void *user, double t, const double *q, double *gap)
{
    (void)user, (void)t;
    *gap = sin(q[0]) + 0.5;
    return true;
}


static bool angle_frame(void *user, double t, const double *q, double *H)
{
    (void)user, (void)t;
    H[0] = cos(q[0]);
    return true;
}


static bool pair_gap(void *user, double t, const double *q, double *gap)
{
    (void)user, (void)t;
    *gap = q[1] + 0.5;
    return true;
}


static bool pair_frame(void *user, double t, const double *q, double *H)
{
    (void)user, (void)t;
    H[0] = q[0];
    return true;
}


static void rotation(void **state)
{
    rico_context *ctx = *state;
    const int64_t dof[] = {0};
    const double phi[] = {0.3}, pair[] = {cos(0.3), sin(0.3)}, v[] = {0.1};
    for (int w = 0; w < WAY_COUNT; w++) {
        rico_simulation *sim[2];
        rico_system *system[2];
        double lowest = 0.0;
        for (int i = 0; i < 2; i++) {
            rico_callback_part part = {.size = 1,
                                       .q_size = i + 1,
                                       .constant_mass = true,
                                       .mass = wheel_mass,
                                       .force = i == 0 ? angle_force : pair_force,
                                       .retract = i == 0 ? NULL : rotate};
            rico_contact wall = {.dimension = 1,
                                 .restitution = 0.4,
                                 .reach = {1, dof},
                                 .gap = i == 0 ? angle_gap : pair_gap,
                                 .frame = i == 0 ? angle_frame : pair_frame};
            assert_ok(ctx, rico_system_create(ctx, &system[i]));
            assert_ok(ctx, rico_system_add_callbacks(system[i], "wheel", &part, NULL));
            assert_ok(ctx, rico_system_add_contact(system[i], "wall", &wall, NULL));
            sim[i] = make(ctx, system[i], &WAYS[w]);
            assert_ok(ctx, rico_simulation_start(sim[i], 0.0, i == 0 ? phi : pair, v));
        }
        for (int k = 0; k < 300; k++) {
            for (int i = 0; i < 2; i++) assert_ok(ctx, rico_simulation_step(sim[i], 5e-3));
            const double *angle = rico_simulation_position(sim[0]), *both = rico_simulation_position(sim[1]);
            assert_near(both[0], cos(angle[0]), 1e-8);
            assert_near(both[1], sin(angle[0]), 1e-8);
            lowest = fmin(lowest, both[1]);
        }
        assert_near(lowest, -0.5, WAYS[w].solve ? 1e-10 : 0.02);
        for (int i = 0; i < 2; i++) {
            rico_simulation_destroy(sim[i]);
            rico_system_destroy(system[i]);
        }
    }
}


// A beam with three feet on a ground that two of them can touch at once, the middle one 1e-3 too short: where all three
// press, the combined scheme must not insist on holding them.
static void three_feet(void **state)
{
    rico_context *ctx = *state;
    const int64_t start[] = {0, 1, 2}, row[] = {0, 1}, dof[] = {0, 1};
    const double mass[] = {1.0, 0.5}, force[] = {-10.0, 0.0}, place[] = {-1.0, 0.0, 1.0};
    for (int w = 2; w < WAY_COUNT; w++) {
        rico_system *system;
        assert_ok(ctx, rico_system_create(ctx, &system));
        rico_matrix_part part = {.size = 2, .M = {2, 2, start, row, mass}, .force = force};
        assert_ok(ctx, rico_system_add_matrices(system, "beam", &part, NULL));
        for (int i = 0; i < 3; i++) {
            const double gradient[] = {1.0, place[i]};
            rico_contact foot = {
                .dimension = 1, .reach = {2, dof}, .gradient = gradient, .offset = i == 1 ? 1e-3 : 0.0};
            assert_ok(ctx, rico_system_add_contact(system, "foot", &foot, NULL));
        }
        rico_simulation *sim = make(ctx, system, &WAYS[w]);
        const double q[] = {0.1, 0.0}, v[] = {-2.0, 0.0};
        assert_ok(ctx, rico_simulation_start(sim, 0.0, q, v));
        for (int k = 0; k < 40; k++) {
            const double *gap;
            assert_ok(ctx, rico_simulation_step(sim, 1e-2));
            assert_ok(ctx, rico_simulation_gap(sim, &gap));
            for (int i = 0; i < 3; i++) assert_at_most(-gap[i], 1e-10);
        }
        double weight = 0.0;
        for (int i = 0; i < 3; i++) weight += rico_simulation_impulse(sim)[i];
        if (w >= 6) assert_near(weight, 10.0 * 1e-2, 1e-9);
        rico_simulation_destroy(sim);
        rico_system_destroy(system);
    }
}


// A saved state continues bit for bit: two-step memory, projections.
static void resume(void **state)
{
    rico_context *ctx = *state;
    const double q[] = {0.6, -0.8}, v[] = {0.0, 0.0};
    for (int w = 0; w < WAY_COUNT; w++) {
        rico_system *one = pendulum(ctx), *two = pendulum(ctx);
        rico_simulation *a = make(ctx, one, &WAYS[w]), *b = make(ctx, two, &WAYS[w]);
        assert_ok(ctx, rico_simulation_start(a, 0.0, q, v));
        for (int k = 0; k < 70; k++) assert_ok(ctx, rico_simulation_step(a, 5e-3));
        int64_t size = rico_simulation_state_size(a);
        void *bytes = malloc((size_t)size);
        rico_simulation_save(a, bytes);
        assert_ok(ctx, rico_simulation_load(b, bytes, size));
        for (int k = 0; k < 50; k++) {
            assert_ok(ctx, rico_simulation_step(a, 5e-3));
            assert_ok(ctx, rico_simulation_step(b, 5e-3));
        }
        assert_memory_equal(rico_simulation_position(a), rico_simulation_position(b), 2 * sizeof(double));
        assert_memory_equal(rico_simulation_velocity(a), rico_simulation_velocity(b), 2 * sizeof(double));
        free(bytes);
        rico_simulation_destroy(a);
        rico_simulation_destroy(b);
        rico_system_destroy(one);
        rico_system_destroy(two);
    }
}


// What is refused, in words: theta = 0 where impulses must move the end of the step.
static void refusals(void **state)
{
    rico_context *ctx = *state;
    const double q = 1.0, v = 0.0;
    rico_system *system = bouncing_ball(ctx, -2.0, 0.0);
    rico_simulation *sim;
    assert_ok(ctx, rico_simulation_create(system, "trapezoidal-position", &sim));
    assert_ok(ctx, rico_simulation_set_number(sim, "theta", 0.0));
    assert_int_equal(rico_simulation_start(sim, 0.0, &q, &v), RICO_BAD_ARGUMENT);
    assert_non_null(strstr(rico_message(ctx), "theta > 0"));
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
}


// Defaults that the table tells are those that a simulation has.
static void defaults(void **state)
{
    rico_context *ctx = *state;
    rico_system *system = bouncing_ball(ctx, -2.0, 0.0);
    const rico_scheme_info *scheme;
    int count, other = 0;
    const rico_option_info *common = rico_scheme_common_options(&count);
    for (int s = 0; (scheme = moving_scheme_at(s)); s++) {
        rico_simulation *sim;
        assert_ok(ctx, rico_simulation_create(system, scheme->name, &sim));
        for (int i = 0; i < count; i++) {
            double value;
            if (!rico_scheme_takes(scheme, i)) {
                assert_int_equal(rico_simulation_get_number(sim, common[i].name, &value), RICO_BAD_ARGUMENT);
                continue;
            }
            assert_ok(ctx, rico_simulation_get_number(sim, common[i].name, &value));
            assert_true(value == rico_scheme_common_default(scheme, i));
            other += value != common[i].standard;
        }
        rico_simulation_destroy(sim);
    }
    assert_true(other > 0);
    rico_system_destroy(system);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(identity, setup, teardown),
        cmocka_unit_test_setup_teardown(tangents, setup, teardown),
        cmocka_unit_test_setup_teardown(ring, setup, teardown),
        cmocka_unit_test_setup_teardown(joint, setup, teardown),
        cmocka_unit_test_setup_teardown(moving_floor, setup, teardown),
        cmocka_unit_test_setup_teardown(rotation, setup, teardown),
        cmocka_unit_test_setup_teardown(three_feet, setup, teardown),
        cmocka_unit_test_setup_teardown(resume, setup, teardown),
        cmocka_unit_test_setup_teardown(refusals, setup, teardown),
        cmocka_unit_test_setup_teardown(defaults, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
