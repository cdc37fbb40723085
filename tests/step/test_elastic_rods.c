// Two rods that meet end to end (spec/10, D2): the longer one goes off at half of the speed, the shorter one rests, and the apparent restitution
// is the ratio of lengths although e = 0.

#include "elastic_bodies.h"

static rico_mesh *rod(rico_context *ctx, double origin, double length, int64_t cells)
{
    rico_mesh_bar options = rico_mesh_bar_default();
    rico_mesh *mesh;
    options.kind = RICO_CELL_LINE2;
    options.origin = origin, options.length = length, options.cells = cells;
    good(rico_mesh_make_bar(ctx, &options, &mesh));
    return mesh;
}


// The mean velocity of a rod: its momentum over its mass.
static double mean_velocity(const couple *c, int part, double length, int64_t cells)
{
    const double *v = rico_simulation_velocity(c->sim);
    double sum = 0.0, le = length / (double)cells;
    for (int64_t n = 0; n <= cells; n++)
        sum += v[rico_elastic_velocity(c->system, part, n, 0)] * le * (n == 0 || n == cells ? 0.5 : 1.0);
    return sum / length;
}


static void rods(void **state)
{
    static const struct {
        int64_t cells;
        double h, v1, v2, loss;
    } ROWS[] = {{50, 0.01, -0.00741, 0.50371, 0.004396}, {200, 0.0025, -0.00251, 0.50126, 0.001162}};
    for (int r = 0; r < 2; r++) {
        int64_t cells = ROWS[r].cells;
        couple c = {.ctx = *state, .mesh = {rod(*state, -1.0, 1.0, cells), rod(*state, 0.0, 2.0, 2 * cells)}};
        rico_elastic_material material = stuff(1.0, 0.0);
        good(rico_system_create(c.ctx, &c.system));
        for (int k = 0; k < 2; k++) {
            rico_elastic_part part = rico_elastic_default(c.mesh[k], RICO_ROD);
            part.materials = 1, part.material = &material;
            good(rico_system_add_elastic(c.system, k ? "long" : "short", &part, &c.place[k]));
        }
        int64_t dof[2] = {rico_elastic_velocity(c.system, 0, cells, 0),
                          rico_elastic_velocity(c.system, 1, 0, 0)};
        rico_contact ends = {.dimension = 1, .reach = {2, dof}, .gradient = (double[]){-1.0, 1.0}};
        good(rico_system_add_contact(c.system, "ends", &ends, NULL));
        int64_t n = rico_system_velocities(c.system);
        double *q = calloc((size_t)n, sizeof *q), *v = calloc((size_t)n, sizeof *v), last = 0.0;
        for (int64_t k = 0; k <= cells; k++) v[rico_elastic_velocity(c.system, 0, k, 0)] = 1.0;
        good(rico_simulation_create(c.system, "moreau-jean", &c.sim));
        good(rico_simulation_set(c.sim, "activation", "closing"));
        good(rico_simulation_start(c.sim, 0.0, q, v));
        while (rico_simulation_time(c.sim) < 6.0) {
            step(c.ctx, c.sim, ROWS[r].h);
            if (rico_simulation_impulse(c.sim)[0] > 0.25 * ROWS[r].h) last = rico_simulation_time(c.sim);
        }
        const rico_ledger *end = rico_simulation_ledger(c.sim);
        double v1 = mean_velocity(&c, 0, 1.0, cells), v2 = mean_velocity(&c, 1, 2.0, 2 * cells);
        double loss = 1.0 - (end->kinetic + end->potential) / 0.5;
        assert_near(v1, ROWS[r].v1, 6e-6);
        assert_near(v2, ROWS[r].v2, 6e-6);
        assert_near(loss, ROWS[r].loss, 6e-7);
        assert_near(v1 + 2.0 * v2, 1.0, 1e-11); // momentum
        assert_near(last, 2.0, 0.05);           // the force, half of that of a wall, for the time of two ways
        free(q);
        free(v);
        couple_end(&c);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        with_context(rods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
