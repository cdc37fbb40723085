// Orders of convergence on a smooth solution: energy h^(2p), displacements h^(p+1) (spec/10, 1.3).

#include "elastic_bench.h"

typedef struct problem {
    int dimension;
    double lambda, mu;
} problem;

static double wave(const problem *p, const double *x)
{
    return sin(M_PI * x[0]) * sin(M_PI * x[1]) * (p->dimension == 3 ? sin(M_PI * x[2]) : 1.0);
}


// u = (s, 0, 0) with s = sin(pi x) sin(pi y) (sin(pi z)), zero on the boundary: f = -(lambda + mu) grad ds/dx - mu (div grad s, 0, 0).
static bool body_force(void *user, double t, const double *x, double *f)
{
    (void)t;
    const problem *p = user;
    double both = (p->lambda + p->mu) * M_PI * M_PI, z = p->dimension == 3 ? sin(M_PI * x[2]) : 1.0;
    f[0] = (both + p->dimension * p->mu * M_PI * M_PI) * wave(p, x);
    f[1] = -both * cos(M_PI * x[0]) * cos(M_PI * x[1]) * z;
    f[2] = p->dimension == 3 ? -both * cos(M_PI * x[0]) * sin(M_PI * x[1]) * cos(M_PI * x[2]) : 0.0;
    return true;
}


typedef struct errors {
    double energy, displacement; // the first is what f'u lacks, the second squared
} errors;


static double square_error(const elastic_bench *b, const problem *p)
{
    const rico_mesh *mesh = b->own->mesh;
    double sum = 0.0, X[3 * RICO_CELL_NODES];
    for (int64_t c = 0; c < mesh->cells; c++) {
        if (b->own->law_of[c] < 0) continue;
        const int64_t *node;
        int64_t nodes = rico_elastic_nodes(b->own, c, &node);
        const rico_quadrature *rule = rico_elements[mesh->kind[c]].load;
        rico_elastic_places(b->own, c, X);
        for (int k = 0; k < rule->count; k++) {
            rico_element_point at;
            double xi[3], u[3] = {0.0}, weight = rico_quadrature_point(rule, k, xi);
            assert_true(rico_element_at(mesh->kind[c], X, xi, &at));
            for (int64_t a = 0; a < nodes; a++)
                for (int i = 0; i < p->dimension; i++) u[i] += at.N[a] * bench_at(b, node[a], i);
            u[0] -= wave(p, at.x);
            sum += weight * at.j * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
        }
    }
    return sum;
}


static errors measure(rico_cell_kind kind, rico_remedy remedy, int n)
{
    static const char *const SIDES[] = {"left", "right", "bottom", "top", "back", "front"};
    hand_mesh mesh;
    elastic_bench b;
    const double E = 10.0, nu = 0.3;
    int dimension = rico_cells[kind].dimension;
    problem p = {dimension, E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), E / (2.0 * (1.0 + nu))};
    rico_elastic_material steel = stuff(E, nu);
    rico_elastic_load push = {RICO_LOAD_BODY, NULL, .function = body_force, .steady = true, .user = &p};
    rico_elastic_support hold[6];
    for (int s = 0; s < 6; s++) hold[s] = (rico_elastic_support){SIDES[s], dimension == 3 ? 7 : 3};
    if (dimension == 3)
        hand_box(&mesh, kind, n, n, n, NULL, NULL);
    else
        hand_rectangle(&mesh, kind, n, n, false, NULL, NULL);
    rico_elastic_part part =
        rico_elastic_default(&mesh.mesh, dimension == 3 ? RICO_SOLID : RICO_PLANE_STRAIN);
    part.materials = 1, part.material = &steel, part.loads = 1, part.load = &push, part.remedy = remedy;
    part.supports = 2 * dimension, part.support = hold;
    bench_open(&b, &part);
    bench_solve(&b);
    double exact = (p.lambda + p.mu + dimension * p.mu) * M_PI * M_PI * pow(0.5, dimension);
    errors out = {exact - bench_work(&b), square_error(&b, &p)};
    bench_close(&b);
    hand_end(&mesh);
    return out;
}


static void errors_fall_as_they_should(void **state)
{
    (void)state;
    static const struct {
        rico_cell_kind kind;
        rico_remedy remedy;
        int n;
    } ROWS[] = {{RICO_CELL_T3, RICO_REMEDY_NONE, 12},  {RICO_CELL_T6, RICO_REMEDY_NONE, 8},
                {RICO_CELL_Q4, RICO_REMEDY_NONE, 12},  {RICO_CELL_Q4, RICO_REMEDY_BAR, 12},
                {RICO_CELL_Q4, RICO_REMEDY_MODES, 12}, {RICO_CELL_Q8, RICO_REMEDY_NONE, 8},
                {RICO_CELL_TET4, RICO_REMEDY_NONE, 5}, {RICO_CELL_TET10, RICO_REMEDY_NONE, 3},
                {RICO_CELL_H8, RICO_REMEDY_NONE, 5},   {RICO_CELL_H8, RICO_REMEDY_MODES, 5}};
    for (size_t r = 0; r < sizeof ROWS / sizeof *ROWS; r++) {
        int p = rico_elements[ROWS[r].kind].order;
        errors coarse = measure(ROWS[r].kind, ROWS[r].remedy, ROWS[r].n),
               fine = measure(ROWS[r].kind, ROWS[r].remedy, 2 * ROWS[r].n);
        double energy = log2(fabs(coarse.energy / fine.energy)),
               displacement = 0.5 * log2(coarse.displacement / fine.displacement);
        if (ROWS[r].remedy == RICO_REMEDY_NONE) assert_true(fine.energy > 0.0); // too stiff
        double near = rico_cells[ROWS[r].kind].dimension == 3 ? 0.35 : 0.1;     // in space meshes are coarse
        assert_near(energy, 2.0 * p, near);
        assert_near(displacement, p + 1.0, near);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(errors_fall_as_they_should)};
    return cmocka_run_group_tests(tests, context_start, context_end);
}
