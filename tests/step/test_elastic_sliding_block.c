// The sliding PMMA block of Acary and Collins-Craft (2024, section 5.2; spec/10, 3): pressed down, then pushed on its side by a traction that
// changes sign. Energies and works at three times for the classical law and Fremond's, which alone never makes positive tangential work.

#include "elastic_bodies.h"

enum { ACROSS = 40, UP = 25 };
static const double PRESSED = -0.005, STEP = 1e-4;

// The traction of the step that is under way: evaluated in its middle, where its sign is never 0.
static bool traction_now(void *user, double t, double *factor)
{
    (void)t;
    *factor = *(const double *)user;
    return true;
}


typedef struct block {
    rico_context *ctx;
    rico_mesh *mesh;
    rico_system *system;
    rico_simulation *sim;
    rico_hypothesis hypothesis;
    double sign;
    // contacts and steps of positive tangential work: how many, how much, the largest
    int64_t active, positive, first;
    double sum, most, least;
    double bottom, top; // mean horizontal displacements
} block;


static rico_mesh *block_mesh(rico_context *ctx)
{
    rico_mesh_rectangle options = rico_mesh_rectangle_default();
    rico_mesh *mesh;
    options.kind = RICO_CELL_T3;
    options.size[0] = ACROSS, options.size[1] = UP;
    options.cells[0] = ACROSS, options.cells[1] = UP;
    options.diagonal = RICO_DIAGONAL_ALTERNATING;
    good(rico_mesh_make_rectangle(ctx, &options, &mesh));
    return mesh;
}


static rico_elastic_material pmma(void)
{
    rico_elastic_material material = stuff(5750.0, 0.358);
    material.density = 1.17e-3;
    material.thickness = 15.0;
    return material;
}


// The state at the beginning: the top moved down while the bottom sticks. Displacements of all nodes, the energy and the force below.
static double *pressed(block *b, double *energy, double *force, double *worst)
{
    rico_elastic_material material = pmma();
    rico_elastic_support held = {"bottom", RICO_HOLD_X | RICO_HOLD_Y};
    rico_elastic_part part = rico_elastic_default(b->mesh, b->hypothesis);
    rico_mesh_view view = rico_mesh_look(b->mesh);
    ramp down = {PRESSED};
    rico_place place;
    rico_system *system;
    part.materials = 1, part.material = &material;
    part.supports = 1, part.support = &held;
    good(rico_system_create(b->ctx, &system));
    good(rico_system_add_elastic(system, "block", &part, &place));
    move_group(system, "top", 0, b->mesh, "top", 1, by_ramp(&down));
    rico_simulation *sim = statics(system);
    step(b->ctx, sim, 1.0);
    double *u = calloc((size_t)(2 * view.nodes), sizeof *u),
           *reaction = calloc((size_t)(3 * view.nodes), sizeof *reaction), kinetic;
    const double *q = rico_simulation_position(sim);
    for (int64_t n = 0; n < view.nodes; n++)
        for (int d = 0; d < 2; d++) {
            int64_t at = rico_elastic_velocity(system, 0, n, d);
            if (at >= 0) u[2 * n + d] = q[at];
        }
    good(rico_elastic_energies(system, b->ctx, 0, q, rico_simulation_velocity(sim), &kinetic, energy));
    good(rico_elastic_reactions(system, b->ctx, 0, 1.0, q, NULL, NULL, reaction));
    *force = *worst = 0.0;
    for (int64_t n = 0; n < view.nodes; n++)
        if (view.position[3 * n + 1] == 0.0) {
            *force += reaction[3 * n + 1];
            *worst = fmax(*worst, fabs(reaction[3 * n] / reaction[3 * n + 1]));
        }
    free(reaction);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
    return u;
}


static void add_floor(block *b)
{
    rico_mesh_view view = rico_mesh_look(b->mesh);
    static const double GRADIENT[] = {0.0, 1.0, 1.0, 0.0};
    for (int64_t n = 0; n < view.nodes; n++) {
        if (view.position[3 * n + 1] != 0.0) continue;
        int64_t dof[2] = {rico_elastic_velocity(b->system, 0, n, 0),
                          rico_elastic_velocity(b->system, 0, n, 1)};
        rico_contact floor = {.dimension = 2, .friction = 0.5, .reach = {2, dof}, .gradient = GRADIENT};
        char name[32];
        snprintf(name, sizeof name, "floor-%lld", (long long)n);
        good(rico_system_add_contact(b->system, name, &floor, NULL));
    }
}


static void block_start(block *b, const char *scheme, const double *u)
{
    rico_elastic_material material = pmma();
    rico_elastic_load loads[] = {
        {.kind = RICO_LOAD_BODY, .value = {0.0, -1e-3 * 1.17e-3, 0.0}, .steady = true},
        {.kind = RICO_LOAD_TRACTION,
         .group = "left",
         .value = {2.0, 0.0, 0.0},
         .steady = true,
         .history = traction_now,
         .user = &b->sign}};
    rico_elastic_part part = rico_elastic_default(b->mesh, b->hypothesis);
    static const double HELD[][2] = {{0.0, PRESSED}, {1.0, PRESSED}};
    static course still = {2, HELD};
    rico_place place;
    part.materials = 1, part.material = &material;
    part.loads = 2, part.load = loads;
    good(rico_system_create(b->ctx, &b->system));
    good(rico_system_add_elastic(b->system, "block", &part, &place));
    move_group(b->system, "top", 0, b->mesh, "top", 1, by_course(&still));
    add_floor(b);
    good(rico_simulation_create(b->system, scheme, &b->sim));
    good(rico_simulation_set_number(b->sim, "theta", 0.5));
    good(rico_simulation_set(b->sim, "activation", "explicit"));
    good(rico_simulation_set_number(b->sim, "activation-gamma", 1.0));
    good(rico_simulation_set_number(b->sim, "activation-gap", 1e-8));
    double *q = calloc((size_t)place.q_size, sizeof *q), *v = calloc((size_t)place.v_size, sizeof *v);
    rico_mesh_view view = rico_mesh_look(b->mesh);
    for (int64_t n = 0; n < view.nodes; n++)
        for (int d = 0; d < 2; d++) q[rico_elastic_velocity(b->system, 0, n, d)] = u[2 * n + d];
    good(rico_simulation_start(b->sim, 0.0, q, v));
    free(q);
    free(v);
}


static void block_run(block *b, int64_t until)
{
    for (int64_t k = rico_simulation_steps(b->sim); k < until; k++) {
        b->sign = sin(4.0 * M_PI * ((double)k + 0.5) * STEP) > 0.0 ? 1.0 : -1.0;
        step(b->ctx, b->sim, STEP);
        const double *w = rico_simulation_tangential_work(b->sim);
        for (int64_t c = 0; c < rico_simulation_constraints(b->sim); c++) {
            if (rico_simulation_constraint(b->sim, c).joint) continue;
            b->active += rico_simulation_active(b->sim)[c];
            if (w[c] > 1e-12) {
                if (b->positive++ == 0) b->first = k + 1;
                b->sum += w[c];
            }
            b->most = fmax(b->most, w[c]);
            b->least = fmin(b->least, w[c]);
        }
    }
    const double *q = rico_simulation_position(b->sim);
    rico_mesh_view view = rico_mesh_look(b->mesh);
    b->bottom = b->top = 0.0;
    for (int64_t n = 0; n < view.nodes; n++) {
        double u = q[rico_elastic_velocity(b->system, 0, n, 0)] / (ACROSS + 1);
        if (view.position[3 * n + 1] == 0.0) b->bottom += u;
        if (view.position[3 * n + 1] == UP) b->top += u;
    }
}


// The energies and works after so many steps, and the digits that hold there.
typedef struct row {
    int64_t steps;
    double energy, external, normal, tangential, bottom, top;
    double digits;
} row;


static void compare(const block *b, const row *expected)
{
    const rico_ledger *now = rico_simulation_ledger(b->sim), *all = rico_simulation_ledger_total(b->sim);
    double near = expected->digits;
    assert_near(now->kinetic + now->potential, expected->energy, near * expected->energy);
    assert_near(all->external, expected->external, near * expected->external);
    assert_near(all->normal, expected->normal, near * fmax(fabs(expected->normal), 1e-3));
    assert_near(all->tangential, expected->tangential, near * fabs(expected->tangential));
    assert_near(b->bottom, expected->bottom, fmax(6e-9, near * fabs(expected->bottom)));
    assert_near(b->top, expected->top, fmax(6e-9, near * fabs(expected->top)));
    assert_at_most(fabs(all->joint) + fabs(all->residual), 5e-10);
}


// To 0.1 ms; to 1 ms where the environment has RICO_LONG.
static block run(rico_context *ctx, const char *scheme, const row *expected)
{
    block b = {.ctx = ctx, .mesh = block_mesh(ctx), .hypothesis = RICO_PLANE_STRAIN};
    double energy, force, worst, *u = pressed(&b, &energy, &force, &worst);
    block_start(&b, scheme, u);
    for (int k = 0; k < (getenv("RICO_LONG") ? 4 : 3); k++) {
        block_run(&b, expected[k].steps);
        compare(&b, &expected[k]);
    }
    free(u);
    return b;
}


static void block_end(block *b)
{
    rico_simulation_destroy(b->sim);
    rico_system_destroy(b->system);
    rico_mesh_destroy(b->mesh);
}


static void at_rest(void **state)
{
    static const struct {
        rico_hypothesis hypothesis;
        double energy, force, worst;
    } ROWS[] = {{RICO_PLANE_STRAIN, 2.116369809, 846.54792, 0.5066},
                {RICO_PLANE_STRESS, 1.775090402, 710.03616, 0.3734}};
    for (int k = 0; k < 2; k++) {
        block b = {.ctx = *state, .mesh = block_mesh(*state), .hypothesis = ROWS[k].hypothesis};
        double energy, force, worst, *u = pressed(&b, &energy, &force, &worst);
        assert_near(energy, ROWS[k].energy, 6e-10);
        assert_near(force, ROWS[k].force, 6e-6);
        assert_near(worst, ROWS[k].worst, 6e-5);
        free(u);
        block_end(&b);
    }
}


static void classical(void **state)
{
    static const row ROWS[] = {
        {200, 8.2953633, 6.4371256, 0.0, -.25813206, .00053301, .00872845, 2e-8},
        {500, 10.649272, 20.186870, -.089024, -11.564943, .0230729, .0252334, 2e-6},
        {1000, 28.029824, 65.990582, -1.9613015, -38.115826, .0817220, .0852584, 6e-7},
        {10000, 333.67510, 1144.60323, -92.132476, -720.91203, -.393545, -.395952, 2e-6}};
    block b = run(*state, "moreau-jean", ROWS);
    assert_int_equal(b.first, 385); // steps count from 1
    if (getenv("RICO_LONG")) {
        assert_int_equal(b.positive, 2715);
        assert_int_equal(b.active, 216277);
        assert_near(b.sum, 0.546613, 6e-7);
        assert_near(b.most, 0.00304000, 6e-9);
        assert_near(b.least, -0.0892797, 6e-8);
    } else
        assert_int_equal(b.positive, 422);
    block_end(&b);
}


static void fremond(void **state)
{
    static const row ROWS[] = {
        {200, 8.2953248, 6.4370735, 0.0, -.25811851, .00053294, .00872843, 2e-8},
        {500, 10.544876, 20.137689, -.067758, -11.641425, .0229148, .0252319, 6e-6},
        {1000, 28.016484, 65.493867, -1.7543394, -37.839414, .0812828, .0843538, 6e-7},
        {10000, 324.41102, 1146.98475, -93.803135, -730.88697, -.360066, -.365019, 2e-6}};
    block b = run(*state, "moreau-jean-fremond", ROWS);
    assert_int_equal(b.positive, 0);
    assert_at_most(b.most, 1e-16);
    if (getenv("RICO_LONG")) {
        assert_int_equal(b.active, 217285);
        assert_near(b.least, -0.107858, 6e-7);
    }
    block_end(&b);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        with_context(at_rest),
        with_context(classical),
        with_context(fremond),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
