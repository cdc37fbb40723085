// Reduced elastic parts: exact statics at kept nodes, frequencies from above, the error of loads inside, what is refused.

#include "failing_memory.h"

#include "elastic_bench.h"

static const char *const RIGHT[] = {"right"}, *const ENDS[] = {"left", "right"},
                         *const NOWHERE[] = {"nowhere"};


// A plate held at its left side, with loads; reduction NULL: all nodes.
typedef struct plate {
    hand_mesh mesh;
    rico_elastic_material material;
    rico_elastic_support wall;
    rico_elastic_load load;
    rico_elastic_reduction reduction;
    rico_elastic_part part;
    elastic_bench b;
} plate;

static void plate_make(plate *p, int nx, int ny, int64_t modes)
{
    *p = (plate){.material = stuff(100.0, 0.3), .wall = {"left", RICO_HOLD_X | RICO_HOLD_Y}};
    hand_rectangle(&p->mesh, RICO_CELL_Q4, nx, ny, false, NULL, NULL);
    p->reduction = (rico_elastic_reduction){.modes = modes, .groups = 1, .keep = RIGHT};
    p->part = rico_elastic_default(&p->mesh.mesh, RICO_PLANE_STRAIN);
    p->part.materials = 1, p->part.material = &p->material;
    p->part.supports = 1, p->part.support = &p->wall;
    p->part.load = &p->load;
    if (modes >= 0) p->part.reduction = &p->reduction;
}


static void plate_end(plate *p)
{
    bench_close(&p->b);
    hand_end(&p->mesh);
}


static double *field_of(const plate *p)
{
    double *u = calloc((size_t)(3 * p->mesh.mesh.nodes), sizeof *u);
    assert_ok(ctx, rico_elastic_recover(p->b.system, ctx, 0, p->b.u, u));
    return u;
}


// --- statics ---------------------------------------------------------------------------------------------------------

// Forces on kept nodes alone: the whole field is that of all nodes, whatever the modes; and so are stresses and reactions.
static void forces_on_kept_nodes_are_exact(void **state)
{
    (void)state;
    plate all, less;
    for (int64_t modes = 0; modes < 8; modes += 7) {
        plate *both[] = {&all, &less};
        double *u[2], *stress[2], *force[2];
        for (int k = 0; k < 2; k++) {
            plate *p = both[k];
            plate_make(p, 6, 4, k ? modes : -1);
            p->load =
                (rico_elastic_load){.kind = RICO_LOAD_NODAL, .group = "right", .value = {0.3, -0.2, 0.0}};
            p->part.loads = 1;
            bench_open(&p->b, &p->part);
            bench_solve(&p->b);
            int64_t nodes = p->mesh.mesh.nodes;
            u[k] = field_of(p);
            stress[k] = calloc((size_t)(6 * nodes), sizeof(double));
            force[k] = calloc((size_t)(3 * nodes), sizeof(double));
            assert_ok(ctx, rico_elastic_stress(p->b.system, ctx, 0, p->b.u, stress[k], NULL));
            assert_ok(ctx, rico_elastic_reactions(p->b.system, ctx, 0, 0.0, p->b.u, NULL, NULL, force[k]));
        }
        int64_t nodes = all.mesh.mesh.nodes;
        assert_int_equal(less.b.n, 10 + modes);
        for (int64_t i = 0; i < 3 * nodes; i++) {
            assert_near(u[1][i], u[0][i], 1e-10 * 0.1);
            assert_near(force[1][i], force[0][i], 1e-10);
        }
        for (int64_t i = 0; i < 6 * nodes; i++) assert_near(stress[1][i], stress[0][i], 1e-10 * 10.0);
        for (int k = 0; k < 2; k++) {
            free(u[k]), free(stress[k]), free(force[k]);
            plate_end(both[k]);
        }
    }
}


// A body force has no exact answer: at rest the estimate is the error, by Galerkin's orthogonality |e|^2 = |u|^2 - |u_r|^2, and falls with modes.
static void the_error_of_a_body_force_is_known(void **state)
{
    (void)state;
    double whole = 0.0, last = INFINITY;
    for (int64_t modes = -1; modes < 17; modes += modes < 0 ? 1 : 4) {
        plate p;
        rico_elastic_error_norms at;
        rico_elastic_error *watch = NULL;
        plate_make(&p, 6, 4, modes);
        p.load = (rico_elastic_load){.kind = RICO_LOAD_BODY, .value = {0.5, -1.0, 0.0}};
        p.part.loads = 1;
        bench_open(&p.b, &p.part);
        bench_solve(&p.b);
        double energy = bench_work(&p.b); // f'u = u'K u
        if (modes < 0) whole = energy;
        if (modes >= 0) {
            assert_ok(ctx, rico_elastic_error_create(p.b.system, ctx, 0, &watch));
            double *still = calloc((size_t)p.b.n, sizeof *still);
            for (int k = 0; k < 3; k++) rico_elastic_error_follow(watch, 0.1 * k, still);
            assert_ok(ctx, rico_elastic_error_look(watch, p.b.u, still, &at));
            assert_near(at.state, sqrt(energy), 1e-10 * at.state);
            assert_near(at.speed + at.fast, 0.0, 0.0);
            assert_near(at.error * at.error, whole - energy, 1e-10 * whole);
            assert_true(at.error < last && at.error > 0.0);
            last = at.error;
            free(still);
            rico_elastic_error_destroy(watch);
        }
        plate_end(&p);
    }
}


// Velocities behind a filter of first order: under v = sin(w t) what is above next = n has the share w/sqrt(w^2 + n^2), after a while.
static void fast_motion_is_told_from_slow(void **state)
{
    (void)state;
    plate p;
    rico_elastic_reduced info;
    rico_elastic_error *watch = NULL;
    plate_make(&p, 4, 3, 2);
    bench_open(&p.b, &p.part);
    assert_true(rico_elastic_reduction_of(p.b.system, 0, &info));
    for (int k = -1; k < 2; k++) {
        double w = info.next * pow(10.0, k), most = 0.0, speed = 0.0, v[16] = {0.0}, q[16] = {0.0};
        assert_ok(ctx, rico_elastic_error_create(p.b.system, ctx, 0, &watch));
        for (int i = 0; i < 4000; i++) {
            double t = i * 20.0 * M_PI / w / 4000;
            rico_elastic_error_norms now;
            v[0] = sin(w * t);
            rico_elastic_error_follow(watch, t, v);
            assert_ok(ctx, rico_elastic_error_look(watch, q, v, &now));
            if (i > 3600) most = fmax(most, now.fast), speed = fmax(speed, now.speed);
        }
        assert_near(most / speed, w / hypot(w, info.next), 3e-2);
        rico_elastic_error_destroy(watch);
    }
    plate_end(&p);
}


// --- modes -----------------------------------------------------------------------------------------------------------

// The rod of spec/10 S6, its free end kept: frequencies by the closed form of the discrete rod, met from above and with all modes exactly.
static void frequencies_come_from_above(void **state)
{
    (void)state;
    const int n = 10;
    double last[3] = {INFINITY, INFINITY, INFINITY};
    for (int64_t modes = 2; modes <= n - 1; modes++) {
        hand_mesh mesh;
        elastic_bench b;
        double omega[3];
        rico_elastic_material steel = stuff(1.0, 0.0);
        rico_elastic_support wall = {"left", RICO_HOLD_X};
        const rico_elastic_reduction reduction = {.modes = modes, .groups = 1, .keep = RIGHT};
        hand_bar(&mesh, RICO_CELL_LINE2, n, NULL, NULL);
        rico_elastic_part part = rico_elastic_default(&mesh.mesh, RICO_ROD);
        part.materials = 1, part.material = &steel, part.supports = 1, part.support = &wall;
        part.reduction = &reduction;
        bench_open(&b, &part);
        assert_int_equal(b.n, modes + 1);
        assert_ok(ctx, rico_elastic_modes(b.system, ctx, 0, 3, omega, NULL));
        for (int k = 0; k < 3; k++) {
            double kappa = (2 * k + 1) * M_PI / (2 * n),
                   exact = n * sqrt(6.0 * (1.0 - cos(kappa)) / (2.0 + cos(kappa)));
            assert_true(omega[k] >= exact * (1.0 - 1e-12));
            assert_true(omega[k] <= last[k] * (1.0 + 1e-12));
            if (modes == n - 1) assert_near(omega[k], exact, 1e-11 * exact);
            last[k] = omega[k];
        }
        // with both ends held: kappa = k pi/n
        rico_elastic_reduced info;
        assert_true(rico_elastic_reduction_of(b.system, 0, &info));
        assert_int_equal(info.full, n);
        assert_int_equal(info.kept, 1);
        for (int64_t k = 1; k <= modes; k++) {
            double kappa = (double)k * M_PI / n,
                   exact = n * sqrt(6.0 * (1.0 - cos(kappa)) / (2.0 + cos(kappa)));
            assert_near(info.omega[k - 1], exact, 1e-11 * exact);
            if (k == modes && modes < n - 1) assert_true(info.next > exact);
        }
        if (modes == n - 1) assert_true(isinf(info.next));
        bench_close(&b);
        hand_end(&mesh);
    }
}


// By a frequency: those below it, and none above.
static void modes_below_a_frequency(void **state)
{
    (void)state;
    plate p;
    rico_elastic_reduced info;
    plate_make(&p, 6, 4, 0);
    p.reduction.below = 40.0;
    bench_open(&p.b, &p.part);
    assert_true(rico_elastic_reduction_of(p.b.system, 0, &info));
    assert_true(info.modes > 0 && info.omega[info.modes - 1] < 40.0 && info.next >= 40.0);
    int64_t modes = info.modes;
    plate_end(&p);
    plate_make(&p, 6, 4, modes);
    bench_open(&p.b, &p.part);
    assert_true(rico_elastic_reduction_of(p.b.system, 0, &info));
    assert_true(info.omega[modes - 1] < 40.0 && info.next >= 40.0);
    plate_end(&p);
}


// --- fields ----------------------------------------------------------------------------------------------------------

// A free body moves as a whole without straining; all modes together hold any field; known modes make the same part.
static void fields_there_and_back(void **state)
{
    (void)state;
    for (int pass = 0; pass < 2; pass++) {
        plate p, again;
        plate_make(&p, 4, 3, pass ? 20 : 3);
        p.part.supports = 0;
        p.reduction.groups = 2, p.reduction.keep = ENDS;
        if (pass) p.reduction.modes = 2 * 3 * 4;
        bench_open(&p.b, &p.part);
        int64_t nodes = p.mesh.mesh.nodes;
        double *u = calloc((size_t)(3 * nodes), sizeof *u), kinetic, potential;
        for (int64_t i = 0; i < nodes; i++)
            for (int k = 0; k < 2; k++) u[3 * i + k] = pass ? sin((double)(7 * i + k)) : 2.0 - 3.0 * k;
        assert_ok(ctx, rico_elastic_fit(p.b.system, ctx, 0, u, p.b.u));
        double *back = field_of(&p);
        for (int64_t i = 0; i < 3 * nodes; i++) assert_near(back[i], u[i], 1e-9);
        assert_ok(ctx, rico_elastic_energies(p.b.system, ctx, 0, p.b.u, p.b.u, &kinetic, &potential));
        if (!pass) assert_near(kinetic, 0.5 * (4.0 + 1.0), 1e-12);
        if (!pass) assert_near(potential, 0.0, 1e-12);

        rico_elastic_reduced info;
        assert_true(rico_elastic_reduction_of(p.b.system, 0, &info));
        plate_make(&again, 4, 3, info.modes);
        again.part.supports = 0;
        again.reduction = p.reduction;
        again.reduction.shape = info.shape, again.reduction.shape_size = info.full - info.kept;
        bench_open(&again.b, &again.part);
        for (int64_t k = 0; k < rico_csc_count(&p.b.part->pattern); k++) {
            assert_near(again.b.own->M[k], p.b.own->M[k], 1e-12);
            assert_near(again.b.own->K[k], p.b.own->K[k], 1e-8);
        }
        free(u), free(back);
        plate_end(&again);
        plate_end(&p);
    }
}


// Damping that differs between materials couples modes: T'C T all the same, with all modes the spectrum of M^-1 C.
static void damping_is_reduced_too(void **state)
{
    (void)state;
    plate p;
    plate_make(&p, 4, 3, 5);
    p.material.alpha = 0.3, p.material.beta = 0.01;
    bench_open(&p.b, &p.part);
    assert_non_null(p.b.own->C);
    for (int64_t k = 0; k < rico_csc_count(&p.b.part->pattern); k++)
        assert_near(p.b.own->C[k], 0.3 * p.b.own->M[k] + 0.01 * p.b.own->K[k], 1e-10);
    plate_end(&p);
}


// --- refused ---------------------------------------------------------------------------------------------------------

static void refuse(const plate *p, const char *words)
{
    rico_system *system = NULL;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_status status = rico_system_add_elastic(system, "body", &p->part, NULL);
    assert_true(status == RICO_BAD_INPUT || status == RICO_UNSUPPORTED);
    if (!strstr(rico_message(ctx), words)) fail_msg("'%s' instead of '%s'", rico_message(ctx), words);
    rico_system_destroy(system);
}


static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    plate p;
    plate_make(&p, 4, 3, 2);
    const rico_elastic_reduction good = p.reduction;
    p.reduction.keep = NOWHERE;
    refuse(&p, "keeps group nowhere, which the mesh does not have");
    p.reduction = (rico_elastic_reduction){0};
    refuse(&p, "keeps neither nodes nor modes");
    p.reduction = good;
    p.reduction.modes = 1000;
    refuse(&p, "asks for 1000 modes, expected 0 to 24");
    p.reduction.modes = -1;
    refuse(&p, "asks for -1 modes");
    p.reduction.modes = 0, p.reduction.below = 1e-3;
    refuse(&p, "no mode lies below 0.001 rad/s");
    p.reduction.modes = 3;
    refuse(&p, "give one of both");
    p.reduction = good;
    p.reduction.below = NAN;
    refuse(&p, "expected a positive one");
    p.reduction = good;
    p.reduction.keep = (const char *const[]){"body"};
    refuse(&p, "nothing is left to reduce");
    p.reduction = good;
    p.reduction.shape = &p.material.young, p.reduction.shape_size = 1;
    refuse(&p, "have 1 numbers");
    p.reduction = good;
    p.reduction.groups = 0;
    p.part.supports = 0;
    refuse(&p, "do not hold it");
    p.reduction = good;
    p.part.turning = true;
    refuse(&p, "a reduction needs small rotations");
    hand_end(&p.mesh);
}


// What holds on to nodes that are not kept.
static void inner_nodes_cannot_be_held(void **state)
{
    (void)state;
    plate p;
    double x[3], zero[16] = {0.0};
    plate_make(&p, 4, 3, 2);
    bench_open(&p.b, &p.part);
    int64_t inner = hand_node(&p.mesh, 2, 1, 0), kept = hand_node(&p.mesh, 4, 1, 0);
    assert_int_equal(rico_elastic_velocity(p.b.system, 0, inner, 0), -1);
    assert_true(rico_elastic_velocity(p.b.system, 0, kept, 0) >= 0);
    rico_point point = {.part = 0, .item = inner};
    assert_int_equal(rico_system_point(p.b.system, ctx, zero, point, x), RICO_BAD_INPUT);
    assert_non_null(strstr(rico_message(ctx), "its reduction does not keep"));
    rico_elastic_error *watch = NULL;
    assert_int_equal(rico_elastic_error_create(p.b.system, ctx, 3, &watch), RICO_BAD_ARGUMENT);
    plate_end(&p);
}


// --- memory ----------------------------------------------------------------------------------------------------------

static rico_status reduce_in(rico_context *of, void *user)
{
    plate *p = user;
    rico_system *system = NULL;
    rico_elastic_error *watch = NULL;
    double u[3 * 9] = {0.0}, v[32] = {0.0};
    rico_elastic_error_norms at;
    rico_status status = rico_system_create(of, &system);
    if (status == RICO_OK) status = rico_system_add_elastic(system, "body", &p->part, NULL);
    if (status == RICO_OK) status = rico_elastic_fit(system, of, 0, u, v);
    if (status == RICO_OK) status = rico_elastic_recover(system, of, 0, v, u);
    if (status == RICO_OK) status = rico_elastic_error_create(system, of, 0, &watch);
    if (status == RICO_OK) status = rico_elastic_error_look(watch, v, v, &at);
    rico_elastic_error_destroy(watch);
    rico_system_destroy(system);
    return status;
}


static void every_allocation_may_fail(void **state)
{
    (void)state;
    plate p;
    plate_make(&p, 2, 2, 1);
    p.material.alpha = 0.1;
    p.load = (rico_elastic_load){.kind = RICO_LOAD_BODY, .value = {1.0}};
    p.part.loads = 1;
    assert_true(every_allocation_fails(reduce_in, &p) > 40);
    p.reduction.modes = 0, p.reduction.below = 1e3;
    assert_true(every_allocation_fails(reduce_in, &p) > 40);
    hand_end(&p.mesh);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_on_kept_nodes_are_exact),
        cmocka_unit_test(the_error_of_a_body_force_is_known),
        cmocka_unit_test(fast_motion_is_told_from_slow),
        cmocka_unit_test(frequencies_come_from_above),
        cmocka_unit_test(modes_below_a_frequency),
        cmocka_unit_test(fields_there_and_back),
        cmocka_unit_test(damping_is_reduced_too),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(inner_nodes_cannot_be_held),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
