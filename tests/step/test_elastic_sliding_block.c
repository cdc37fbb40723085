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
    double nodes_bottom, bottom, top; // mean horizontal displacements
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
        int64_t dof[2] = {rico_elastic_velocity(b->system, 0, n, 0), rico_elastic_velocity(b->system, 0, n, 1)};
        rico_contact floor = {
            .dimension = 2, .friction = 0.5, .reach = {2, dof}, .gradient = GRADIENT};
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
        {.kind = RICO_LOAD_TRACTION, .group = "left", .value = {2.0, 0.0, 0.0}, .steady = true,
         .history = traction_now, .user = &b->sign}};
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
    if (getenv("RICO_TOL")) good(rico_simulation_set(b->sim, "tol", getenv("RICO_TOL")));
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


static void show(void **state)
{
    static const char *const SCHEME[] = {"moreau-jean", "moreau-jean-fremond"};
    for (int s = 0; s < 2; s++) {
        block b = {.ctx = *state, .mesh = block_mesh(*state), .hypothesis = RICO_PLANE_STRAIN};
        double energy, force, worst, *u = pressed(&b, &energy, &force, &worst);
        print_message("E0 %.10g F %.8g worst %.4g\n", energy, force, worst);
        block_start(&b, SCHEME[s], u);
        static const int64_t AT[] = {200, 500, 1000, 10000};
        int count = getenv("RICO_FULL") ? 4 : 3;
        for (int k = 0; k < count; k++) {
            block_run(&b, AT[k]);
            const rico_ledger *l = rico_simulation_ledger(b.sim), *all = rico_simulation_ledger_total(b.sim);
            print_message("%s t %.2f: E %.9g W_ext %.9g W_N %.9g W_T %.9g u %.7g %.7g | joint %.3g res %.3g active %lld pos %lld sum %.6g first %lld most %.6g least %.6g\n", SCHEME[s], rico_simulation_time(b.sim), l->kinetic + l->potential, all->external, all->normal, all->tangential, b.bottom, b.top, all->joint, all->residual, (long long)b.active, (long long)b.positive, b.sum, (long long)b.first, b.most, b.least);
        }
        free(u);
        rico_simulation_destroy(b.sim);
        rico_system_destroy(b.system);
        rico_mesh_destroy(b.mesh);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        with_context(show),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
