// Patch tests of contact: two blocks pressed on each other by a prescribed displacement, all contacts closed, no friction.
//
// Exact: a constant pressure. Node-to-face misses it on meshes that do not match (spec: El-Abbasi and Bathe 2001), and meets it where nodes stand on nodes;
// the mortar meets it always.

#include "blocks.h"

#include "dense_reference.h"

enum { NODES_TO_FACES, BOTH_WAYS, MORTAR };

typedef struct press {
    rico_context *ctx;
    elastic_block lower, upper;
    rico_system *system;
    rico_assembly *assembly;
    int64_t nv, contacts;
    double *u; // solution
} press;


// Puts the blocks together and collects the contacts of the first state.
static void begin(press *p, int way, bool slave_above)
{
    rico_context *ctx = p->ctx;
    bool changed;
    assert_ok(ctx, rico_system_create(ctx, &p->system));
    assert_ok(ctx, block_add(p->system, "lower", &p->lower, 1.0, 1.0, NULL));
    assert_ok(ctx, block_add(p->system, "upper", &p->upper, 1.0, 1.0, NULL));
    const rico_touch_side below = {0, p->lower.mesh, "top"}, above = {1, p->upper.mesh, "bottom"};
    const rico_touch_side *slave = slave_above ? &above : &below, *master = slave_above ? &below : &above;
    const rico_touch how = {0};
    if (way == MORTAR)
        assert_ok(ctx, rico_system_touch_mortar(p->system, "joint", slave, master, false, &how));
    else
        assert_ok(ctx, rico_system_touch_faces(p->system, "joint", slave, master, way == BOTH_WAYS, &how));
    assert_ok(ctx, rico_system_complete(p->system));
    assert_ok(ctx, rico_assembly_create(ctx, p->system, &p->assembly));
    p->nv = rico_system_velocities(p->system);
    p->u = calloc((size_t)(2 * p->nv), sizeof *p->u);
    assert_non_null(p->u);
    assert_ok(ctx, rico_assembly_collect(p->assembly, 0.0, 0.0, p->u, p->u + p->nv, &changed));
    assert_ok(ctx, rico_assembly_frames(p->assembly, 0.0, p->u));
    p->contacts = p->assembly->set.count;
}


static void end(press *p)
{
    rico_assembly_destroy(p->assembly);
    rico_system_destroy(p->system);
    block_destroy(&p->lower);
    block_destroy(&p->upper);
    free(p->u);
}


// Velocity `dof` has the value `u` in the solution: one more row.
static void hold(double *A, double *b, int64_t n, int64_t *row, int64_t dof, double u)
{
    A[*row * n + dof] = A[dof * n + *row] = 1.0;
    b[(*row)++] = u;
}


// Equilibrium with the bottom held and the top moved by -.1 along the last axis, the sides free.
static void solve(press *p)
{
    int d = p->lower.dimension;
    int64_t most = p->nv + p->contacts + p->nv, row = p->nv + p->contacts, n = row,
            size[2] = {p->lower.size, p->upper.size};
    const elastic_block *both[2] = {&p->lower, &p->upper};
    // those at the bottom and top, and one node of each block against sliding (two in space, against turning)
    for (int k = 0; k < 2; k++) {
        const rico_mesh *mesh = both[k]->mesh;
        for (int64_t i = 0; i < mesh->nodes; i++) n += mesh->position[3 * i + d - 1] == (k ? 2.0 : 0.0);
        n += d == 2 ? 1 : 3;
    }
    assert_true(n <= most);
    double *A = calloc((size_t)(n * n), sizeof *A), *b = calloc((size_t)n, sizeof *b);
    assert_true(A && b);
    for (int k = 0; k < 2; k++) {
        const rico_mesh *mesh = both[k]->mesh;
        int64_t at = k ? size[0] : 0, corner = k ? size[1] - d : 0;
        for (int64_t i = 0; i < size[k]; i++)
            for (int64_t j = 0; j < size[k]; j++) A[(at + i) * n + at + j] = both[k]->K[i * size[k] + j];
        for (int64_t i = 0; i < mesh->nodes; i++)
            if (mesh->position[3 * i + d - 1] == (k ? 2.0 : 0.0))
                hold(A, b, n, &row, at + d * i + d - 1, k ? -0.1 : 0.0);
        for (int i = 0; i < d - 1; i++) hold(A, b, n, &row, at + corner + i, 0.0);
        // a neighbour along x against turning about the vertical
        if (d == 3) hold(A, b, n, &row, at + corner + (k ? -d : d) + 1, 0.0);
    }
    const rico_csc *H = &p->assembly->H;
    for (int64_t c = 0; c < p->contacts; c++)
        for (int64_t e = H->start[c]; e < H->start[c + 1]; e++)
            A[(p->nv + c) * n + H->row[e]] = A[H->row[e] * n + p->nv + c] = H->value[e];
    assert_int_equal(row, n);
    dense_solve(n, A, b);
    memcpy(p->u, b, (size_t)p->nv * sizeof *b);
    free(A);
    free(b);
}


// The range of the vertical displacement of nodes at height 1, and of the vertical stress over the exact one.
static void ranges(const press *p, double u[2], double stress[2])
{
    int d = p->lower.dimension;
    const elastic_block *both[2] = {&p->lower, &p->upper};
    u[0] = stress[0] = INFINITY, u[1] = stress[1] = -INFINITY;
    for (int k = 0; k < 2; k++) {
        const double *own = p->u + (k ? p->lower.size : 0);
        for (int64_t i = 0; i < both[k]->mesh->nodes; i++)
            if (both[k]->mesh->position[3 * i + d - 1] == 1.0) {
                u[0] = fmin(u[0], own[d * i + d - 1]);
                u[1] = fmax(u[1], own[d * i + d - 1]);
            }
        block_stress(both[k], own, d - 1, stress);
    }
    double low = stress[0], nu = p->lower.nu, exact = -0.05 / (d == 2 ? 1.0 - nu * nu : 1.0);
    stress[0] = stress[1] / exact, stress[1] = low / exact;
}


static void press_plane(rico_context *ctx, const int64_t n[3], double nu, int way, bool slave_above,
                        double u[2], double stress[2])
{
    press p = {.ctx = ctx};
    p.lower = block_make(grid_rectangle(n[0], n[2], (double[]){0, 0}, (double[]){2, 1}), nu);
    p.upper = block_make(grid_rectangle(n[1], n[2], (double[]){0, 1}, (double[]){2, 2}), nu);
    begin(&p, way, slave_above);
    solve(&p);
    ranges(&p, u, stress);
    end(&p);
}


// The digits of the specification, section 2.2 P1.
static void node_to_segment(void **state)
{
    static const int64_t CELLS[3] = {4, 3, 2}, SAME[3] = {4, 4, 2}, FINE[3] = {8, 6, 4},
                         FINER[3] = {16, 12, 8};
    rico_context *ctx = *state;
    double u[2], s[2];
    press_plane(ctx, CELLS, 0.0, NODES_TO_FACES, true, u, s);
    assert_near(u[0], -0.05713609, 5e-9);
    assert_near(u[1], -0.04620874, 5e-9);
    assert_near(s[0], 0.92684, 5e-6);
    assert_near(s[1], 1.07529, 5e-6);
    press_plane(ctx, CELLS, 0.0, NODES_TO_FACES, false, u, s);
    assert_near(u[0], -0.05209359, 5e-9);
    assert_near(u[1], -0.04618227, 5e-9);
    assert_near(s[0], 0.94843, 5e-6);
    assert_near(s[1], 1.03311, 5e-6);
    press_plane(ctx, CELLS, 0.3, NODES_TO_FACES, true, u, s);
    assert_near(s[0], 0.92675, 5e-6);
    assert_near(s[1], 1.07720, 5e-6);
    press_plane(ctx, CELLS, 0.3, NODES_TO_FACES, false, u, s);
    assert_near(s[0], 0.94760, 5e-6);
    assert_near(s[1], 1.03363, 5e-6);
    // finer meshes do not help
    press_plane(ctx, FINE, 0.0, NODES_TO_FACES, true, u, s);
    assert_near(s[0], 0.9350, 5e-5);
    assert_near(s[1], 1.0723, 5e-5);
    press_plane(ctx, FINER, 0.0, NODES_TO_FACES, true, u, s);
    assert_near(s[0], 0.9368, 5e-5);
    assert_near(s[1], 1.0741, 5e-5);
    // nodes on nodes: exact
    for (int above = 0; above < 2; above++) {
        press_plane(ctx, SAME, 0.3, NODES_TO_FACES, above, u, s);
        assert_near(u[0], -0.05, 1e-12);
        assert_near(u[1], -0.05, 1e-12);
        assert_near(s[0], 1.0, 1e-11);
        assert_near(s[1], 1.0, 1e-11);
    }
}


static void mortar_plane(void **state)
{
    static const int64_t CELLS[3][3] = {{4, 3, 2}, {7, 5, 2}, {2, 9, 1}};
    rico_context *ctx = *state;
    double u[2], s[2];
    for (int k = 0; k < 3; k++)
        for (int above = 0; above < 2; above++)
            for (int poisson = 0; poisson < 2; poisson++) {
                press_plane(ctx, CELLS[k], 0.3 * poisson, MORTAR, above, u, s);
                assert_near(u[0], -0.05, 1e-12);
                assert_near(u[1], -0.05, 1e-12);
                assert_near(s[0], 1.0, 1e-11);
                assert_near(s[1], 1.0, 1e-11);
            }
}


// Both ways round: 9 conditions, of which 7 are independent.
static void both_ways(void **state)
{
    press p = {.ctx = *state};
    p.lower = block_make(grid_rectangle(4, 2, (double[]){0, 0}, (double[]){2, 1}), 0.0);
    p.upper = block_make(grid_rectangle(3, 2, (double[]){0, 1}, (double[]){2, 2}), 0.0);
    begin(&p, BOTH_WAYS, true);
    assert_int_equal(p.contacts, 9);
    int seconds = 0;
    for (int64_t c = 0; c < p.contacts; c++) {
        bool second;
        rico_touch_node(p.assembly->set.constraint[c]->key, &second);
        seconds += second;
    }
    assert_int_equal(seconds, 5); // nodes of the lower block
    // rank of H by Gram and Schmidt
    const rico_csc *H = &p.assembly->H;
    double *column = calloc((size_t)(p.nv * p.contacts), sizeof *column);
    int rank = 0;
    for (int64_t c = 0; c < p.contacts; c++) {
        double *own = column + rank * p.nv, size = 0.0;
        memset(own, 0, (size_t)p.nv * sizeof *own);
        for (int64_t e = H->start[c]; e < H->start[c + 1]; e++) own[H->row[e]] = H->value[e];
        for (int twice = 0; twice < 2; twice++)
            for (int k = 0; k < rank; k++) {
                double dot = 0.0;
                for (int64_t i = 0; i < p.nv; i++) dot += own[i] * column[k * p.nv + i];
                for (int64_t i = 0; i < p.nv; i++) own[i] -= dot * column[k * p.nv + i];
            }
        for (int64_t i = 0; i < p.nv; i++) size += own[i] * own[i];
        if (size < 1e-20) continue;
        for (int64_t i = 0; i < p.nv; i++) own[i] /= sqrt(size);
        rank++;
    }
    free(column);
    assert_int_equal(rank, 7);
    end(&p);
}


static void space(void **state)
{
    rico_context *ctx = *state;
    double u[2], s[2];
    for (int way = NODES_TO_FACES; way <= MORTAR; way += 2)
        for (int above = 0; above < 2; above++) {
            press p = {.ctx = ctx};
            p.lower =
                block_make(grid_box((int64_t[]){3, 2, 1}, (double[]){0, 0, 0}, (double[]){1, 1, 1}), 0.3);
            p.upper =
                block_make(grid_box((int64_t[]){2, 3, 1}, (double[]){0, 0, 1}, (double[]){1, 1, 2}), 0.3);
            begin(&p, way, above);
            assert_int_equal(p.contacts, 12);
            solve(&p);
            ranges(&p, u, s);
            end(&p);
            if (way == MORTAR) {
                assert_near(u[0], -0.05, 1e-10);
                assert_near(u[1], -0.05, 1e-10);
                assert_near(s[0], 1.0, 1e-10);
                assert_near(s[1], 1.0, 1e-10);
            } else {
                assert_true(s[1] - s[0] > 0.02);
            }
        }
}


static int start(void **state)
{
    *state = rico_context_create(NULL);
    return *state == NULL;
}


static int stop(void **state)
{
    rico_context_destroy(*state);
    return 0;
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(node_to_segment), cmocka_unit_test(mortar_plane),
                                       cmocka_unit_test(both_ways), cmocka_unit_test(space)};
    return cmocka_run_group_tests(tests, start, stop);
}
