// Rigid bodies without contacts: rotation, tangents, springs, forces, and what is refused.

#include "support.h"

#include "la/quaternion.h"
#include "model/assembly.h"
#include "ricochet/bodies.h"
#include "ricochet/simulation.h"

typedef struct world {
    rico_context *ctx;
    rico_bodies *bodies;
    rico_system *system;
    double q[64], v[64];
} world;


static void open_world(world *w, int dimension)
{
    memset(w, 0, sizeof *w);
    w->ctx = rico_context_create(NULL);
    assert_ok(w->ctx, rico_bodies_create(w->ctx, dimension, &w->bodies));
    assert_ok(w->ctx, rico_system_create(w->ctx, &w->system));
}


static void begin_world(world *w)
{
    assert_ok(w->ctx, rico_system_add_bodies(w->system, "bodies", w->bodies, NULL));
    rico_bodies_start(w->bodies, w->q, w->v);
}


static void close_world(world *w)
{
    rico_system_destroy(w->system);
    rico_bodies_destroy(w->bodies);
    rico_context_destroy(w->ctx);
}


static rico_body block(double mass, double ix, double iy, double iz)
{
    rico_body body = rico_body_default();
    body.mass = mass;
    body.has_inertia = true;
    body.inertia[0] = ix;
    body.inertia[4] = iy;
    body.inertia[8] = iz;
    return body;
}


static rico_simulation *run(world *w, const char *scheme, double h, int64_t steps)
{
    rico_simulation *sim;
    assert_ok(w->ctx, rico_simulation_create(w->system, scheme, &sim));
    assert_ok(w->ctx, rico_simulation_start(sim, 0.0, w->q, w->v));
    for (int64_t i = 0; i < steps; i++) assert_ok(w->ctx, rico_simulation_step(sim, h));
    return sim;
}


// Dzhanibekov's body (spec F11): I = (1, 2, 3), w(0) = (1, 0, sqrt(0.34)).
static void spin_up(world *w)
{
    open_world(w, 3);
    rico_body body = block(1.0, 1.0, 2.0, 3.0);
    body.spin[0] = 1.0;
    body.spin[2] = sqrt(0.34);
    assert_ok(w->ctx, rico_bodies_add(w->bodies, &body, NULL));
    begin_world(w);
}


// Energy and the three components of angular momentum in space, relative.
static double lost(const rico_simulation *sim)
{
    const double *q = rico_simulation_position(sim), *w = rico_simulation_velocity(sim) + 3;
    double momentum[3] = {w[0], 2.0 * w[1], 3.0 * w[2]}, H[3], size = sqrt(1.0 + 9.0 * 0.34);
    double energy = 0.5 * (w[0] * w[0] + 2.0 * w[1] * w[1] + 3.0 * w[2] * w[2]);
    rico_quaternion_rotate(q + 3, momentum, H);
    double worst = fabs(energy / 1.01 - 1.0);
    worst = fmax(worst, fabs(H[0] - 1.0) / size);
    worst = fmax(worst, fabs(H[1]) / size);
    return fmax(worst, fabs(H[2] - 3.0 * sqrt(0.34)) / size);
}


static void test_free_rotation_keeps_energy_and_momentum(void **state)
{
    (void)state;
    static const char *const SCHEMES[] = {"moreau-jean", "midpoint-projection", "moreau-jean-projected",
                                          "moreau-jean-variant", "combined-projection"};
    for (size_t k = 0; k < sizeof SCHEMES / sizeof *SCHEMES; k++)
        for (int long_step = 0; long_step < 2; long_step++) {
            world w;
            spin_up(&w);
            rico_simulation *sim = run(&w, SCHEMES[k], long_step ? 0.3 : 0.01, 2000);
            assert_at_most(lost(sim), 1e-12);
            rico_simulation_destroy(sim);
            close_world(&w);
        }
}


// Jacobi's elliptic functions, from the spec's page 09: to O(h^2) by the midpoint rule, to the tolerance from event to event.
static void test_free_rotation_is_the_known_one(void **state)
{
    (void)state;
    const double exact[3] = {-0.698028161009127, 0.716070308306535, 0.411194728225685};
    const double turn[4] = {0.02240349, -0.08068246, -0.42090724, -0.9032306};
    double error[3];
    for (int k = 0; k < 3; k++) {
        world w;
        spin_up(&w);
        double h = k == 1 ? 0.005 : 0.01;
        rico_simulation *sim = run(&w, k == 2 ? "event-driven" : "moreau-jean", h, (int64_t)(10.0 / h + 0.5));
        error[k] = 0.0;
        for (int i = 0; i < 3; i++)
            error[k] = fmax(error[k], fabs(rico_simulation_velocity(sim)[3 + i] - exact[i]));
        for (int i = 0; k == 2 && i < 4; i++)
            assert_near(rico_simulation_position(sim)[3 + i], turn[i], 1e-8);
        rico_simulation_destroy(sim);
        close_world(&w);
    }
    assert_at_most(error[0], 5e-5);
    assert_near(error[0] / error[1], 4.0, 0.1);
    assert_at_most(error[2], 1e-9);
}


static void test_quaternions_stay_units(void **state)
{
    (void)state;
    world w;
    spin_up(&w);
    rico_simulation *sim = run(&w, "moreau-jean", 0.05, 1000000);
    const double *q = rico_simulation_position(sim) + 3;
    assert_near(sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), 1.0, 1e-14);
    assert_at_most(lost(sim), 1e-10);
    rico_simulation_destroy(sim);
    close_world(&w);
}


// --- tangents against differences ----------------------------------------------------------------------------------

static bool drag(void *user, double t, const rico_stand *stand, const double velocity[3],
                 const double spin[3], double force[3], double torque[3])
{
    (void)user;
    for (int i = 0; i < 3; i++) {
        force[i] = -velocity[i] * fabs(velocity[i]) + sin(t + stand->position[(i + 1) % 3]);
        torque[i] = -0.3 * spin[i] + stand->orientation[1 + i] * stand->position[i];
    }
    return true;
}


static void all_forces(const world *w, rico_assembly *assembly, const double *q, const double *v, double *f)
{
    assert_ok(w->ctx, rico_assembly_forces(assembly, 0.3, q, v, f, NULL, NULL));
}


// K and C of a system at a state, against central differences along every velocity.
static void check_tangents(world *w, double h, double bound)
{
    rico_assembly *assembly;
    int64_t n = rico_system_velocities(w->system), nq = rico_system_positions(w->system);
    assert_ok(w->ctx, rico_system_complete(w->system));
    assert_ok(w->ctx, rico_assembly_create(w->ctx, w->system, &assembly));
    rico_assembly_pace(assembly, h);
    rico_random random;
    rico_random_seed(&random, 7);
    for (int64_t i = 0; i < n; i++) w->v[i] = rico_random_range(&random, -2.0, 2.0);
    double moved[64], push[64], dir[64], f[2][64], K[64], C[64];
    assert_ok(w->ctx, rico_assembly_tangents(assembly, 0.3, w->q, w->v));
    for (int64_t j = 0; j < n; j++) {
        const double step = 1e-6;
        memset(dir, 0, sizeof dir);
        dir[j] = 1.0;
        memset(K, 0, sizeof K);
        memset(C, 0, sizeof C);
        rico_assembly_multiply(assembly, assembly->K, 1.0, dir, K);
        rico_assembly_multiply(assembly, assembly->C, 1.0, dir, C);
        for (int side = 0; side < 2; side++) {
            assert_ok(w->ctx, rico_assembly_retract(assembly, 0.3, w->q, side ? -step : step, dir, moved));
            all_forces(w, assembly, moved, w->v, f[side]);
        }
        for (int64_t i = 0; i < n; i++) assert_near(K[i], -(f[0][i] - f[1][i]) / (2.0 * step), bound);
        for (int side = 0; side < 2; side++) {
            memcpy(push, w->v, sizeof push);
            push[j] += side ? -step : step;
            all_forces(w, assembly, w->q, push, f[side]);
        }
        for (int64_t i = 0; i < n; i++) assert_near(C[i], -(f[0][i] - f[1][i]) / (2.0 * step), bound);
    }
    assert_true(nq >= n);
    rico_assembly_destroy(assembly);
}


static void test_tangents_are_derivatives(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int with = 0; with < 2; with++) {
            world w;
            open_world(&w, dimension);
            rico_body one = block(2.0, 1.0, 2.0, 2.5), two = block(1.0, 0.5, 0.4, 0.3);
            one.inertia[1] = one.inertia[3] = 0.2;
            one.stand = (rico_stand){{0.3, -0.2, dimension == 3 ? 0.5 : 0.0}, {0.9, 0.0, 0.0, 0.3}};
            if (dimension == 3) one.stand.orientation[1] = -0.4;
            two.stand = rico_stand_at(1.4, 0.7, 0.0);
            rico_vec3_set(0.1, 0.2, 0.0, two.center);
            if (with) one.force = drag;
            if (with && dimension == 2) one.force = NULL;
            assert_ok(w.ctx, rico_bodies_add(w.bodies, &one, NULL));
            assert_ok(w.ctx, rico_bodies_add(w.bodies, &two, NULL));
            rico_body_spring spring = {.a = 0,
                                       .b = 1,
                                       .on_a = {0.2, 0.1, 0.0},
                                       .on_b = {-0.3, 0.4, 0.0},
                                       .stiffness = 7.0,
                                       .damping = 1.3,
                                       .rest = 0.6};
            assert_ok(w.ctx, rico_bodies_add_spring(w.bodies, &spring));
            spring =
                (rico_body_spring){.a = -1, .b = 0, .on_b = {0.1, 0.3, 0.0}, .stiffness = 3.0, .rest = 0.2};
            assert_ok(w.ctx, rico_bodies_add_spring(w.bodies, &spring));
            begin_world(&w);
            check_tangents(&w, 0.4, with ? 2e-6 : 1e-7);
            close_world(&w);
        }
}


// --- springs and forces --------------------------------------------------------------------------------------------

// A mass on a spring of no length swings harmonically about where gravity stretches it to.
static void test_a_spring_swings(void **state)
{
    (void)state;
    world w;
    open_world(&w, 3);
    const double g[3] = {0.0, 0.0, -9.81};
    assert_ok(w.ctx, rico_bodies_set_gravity(w.bodies, g));
    rico_body ball = block(1.0, 0.1, 0.1, 0.1);
    assert_ok(w.ctx, rico_bodies_add(w.bodies, &ball, NULL));
    rico_body_spring spring = {.a = -1, .b = 0, .stiffness = 10.0};
    assert_ok(w.ctx, rico_bodies_add_spring(w.bodies, &spring));
    begin_world(&w);
    rico_simulation *sim = run(&w, "event-driven", 0.01, 100);
    assert_near(rico_simulation_position(sim)[2], 0.981 * (cos(sqrt(10.0)) - 1.0), 1e-9);
    rico_simulation_destroy(sim);
    sim = run(&w, "midpoint-projection", 0.001, 1000);
    assert_near(rico_simulation_position(sim)[2], 0.981 * (cos(sqrt(10.0)) - 1.0), 1e-5);
    const rico_ledger *ledger = rico_simulation_ledger_total(sim);
    assert_at_most(fabs(ledger->residual), 1e-10);
    rico_simulation_destroy(sim);
    close_world(&w);
}


// TranSpringCB of ADAMS' histories, page 09 A3: a body hung by a damped spring at a point off its center. The end by the
// event-driven integrator, whose forces are the same functions but whose time is not the schemes'.
static void test_a_damped_spring_converges_to_the_event_driven_end(void **state)
{
    (void)state;
    world w;
    open_world(&w, 3);
    const double g[3] = {0.0, 0.0, -9.80665};
    assert_ok(w.ctx, rico_bodies_set_gravity(w.bodies, g));
    rico_body body = block(1.0, 0.04, 0.1, 0.1);
    body.stand = rico_stand_at(-1.0, 4.0, 3.0);
    assert_ok(w.ctx, rico_bodies_add(w.bodies, &body, NULL));
    rico_body_spring spring = {.a = -1,
                               .b = 0,
                               .on_a = {1.0, 2.0, 3.0},
                               .on_b = {2.0, 0.0, 0.0},
                               .stiffness = 50.0,
                               .damping = 5.0,
                               .rest = 2.0};
    assert_ok(w.ctx, rico_bodies_add_spring(w.bodies, &spring));
    begin_world(&w);
    double end[3][7];
    for (int k = 0; k < 3; k++) {
        rico_simulation *sim = k ? run(&w, "moreau-jean", k == 1 ? 2e-3 : 1e-3, k == 1 ? 500 : 1000)
                                 : run(&w, "event-driven", 0.01, 100);
        memcpy(end[k], rico_simulation_position(sim), sizeof end[k]);
        rico_simulation_destroy(sim);
    }
    double coarse = 0.0, fine = 0.0;
    for (int i = 0; i < 7; i++) {
        coarse = fmax(coarse, fabs(end[1][i] - end[0][i]));
        fine = fmax(fine, fabs(end[2][i] - end[0][i]));
    }
    assert_at_most(fine, 1e-4);
    assert_near(coarse / fine, 4.0, 0.3);
    close_world(&w);
}


// --- what is refused -----------------------------------------------------------------------------------------------

static void refused(rico_bodies *bodies, rico_context *ctx, const rico_body *body, const char *words)
{
    int64_t before = rico_bodies_count(bodies);
    assert_int_not_equal(rico_bodies_add(bodies, body, NULL), RICO_OK);
    if (!strstr(rico_message(ctx), words)) fail_msg("'%s' does not say '%s'", rico_message(ctx), words);
    assert_int_equal(rico_bodies_count(bodies), before);
}


static void test_bodies_that_cannot_be(void **state)
{
    (void)state;
    world w;
    open_world(&w, 3);
    rico_body body = block(0.0, 1.0, 1.0, 1.0);
    refused(w.bodies, w.ctx, &body, "needs a mass or a density");
    body = block(-1.0, 1.0, 1.0, 1.0);
    refused(w.bodies, w.ctx, &body, "got -1");
    body = block(1.0, 1.0, 1.0, 3.0);
    refused(w.bodies, w.ctx, &body, "exceeds the sum");
    body = block(1.0, -1.0, 1.0, 1.0);
    refused(w.bodies, w.ctx, &body, "not positive");
    body = block(1.0, 1.0, 1.0, 1.0);
    body.inertia[1] = 0.1;
    refused(w.bodies, w.ctx, &body, "must be the same");
    body = block(1.0, NAN, 1.0, 1.0);
    refused(w.bodies, w.ctx, &body, "not finite");
    body = block(1.0, 1.0, 1.0, 1.0);
    body.stand.position[1] = INFINITY;
    refused(w.bodies, w.ctx, &body, "not finite");
    body = block(1.0, 1.0, 1.0, 1.0);
    memset(body.stand.orientation, 0, sizeof body.stand.orientation);
    refused(w.bodies, w.ctx, &body, "no quaternion");
    body = rico_body_default();
    body.density = 1.0;
    refused(w.bodies, w.ctx, &body, "no shape");
    body.type = RICO_BODY_MOVED;
    refused(w.bodies, w.ctx, &body, "no motion");
    body = block(1.0, 1.0, 1.0, 1.0);
    body.material = 3;
    refused(w.bodies, w.ctx, &body, "no material 3");
    assert_int_not_equal(
        rico_bodies_set_material(w.bodies, "ice", (rico_contact_law){.friction = -0.1}, NULL), RICO_OK);
    assert_non_null(strstr(rico_message(w.ctx), "friction = -0.1"));
    assert_int_not_equal(rico_system_add_bodies(w.system, "none", w.bodies, NULL), RICO_OK);
    assert_non_null(strstr(rico_message(w.ctx), "no body is free"));
    close_world(&w);
}


static void test_pairs_of_materials(void **state)
{
    (void)state;
    world w;
    int ice, steel;
    open_world(&w, 3);
    assert_ok(w.ctx, rico_bodies_set_material(w.bodies, "ice", (rico_contact_law){.friction = 0.04}, &ice));
    assert_ok(w.ctx,
              rico_bodies_set_material(w.bodies, "steel",
                                       (rico_contact_law){.friction = 0.25, .restitution = 0.6}, &steel));
    assert_ok(w.ctx, rico_bodies_set_pair(w.bodies, steel, 0, (rico_contact_law){.friction = 0.7}));
    assert_int_equal(ice, 1);
    assert_int_equal(steel, 2);
    close_world(&w);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_rotation_keeps_energy_and_momentum),
        cmocka_unit_test(test_free_rotation_is_the_known_one),
        cmocka_unit_test(test_quaternions_stay_units),
        cmocka_unit_test(test_tangents_are_derivatives),
        cmocka_unit_test(test_a_spring_swings),
        cmocka_unit_test(test_a_damped_spring_converges_to_the_event_driven_end),
        cmocka_unit_test(test_bodies_that_cannot_be),
        cmocka_unit_test(test_pairs_of_materials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
