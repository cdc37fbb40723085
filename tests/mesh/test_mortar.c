// Dual mortar between skins that do not match: weights that add up to 1, linear fields carried over, areas, turned meshes, edges that are
// half covered.

#include "grids.h"

#include "failing_memory.h"
#include "la/vec3.h"
#include "mesh/mortar.h"

typedef struct pair {
    rico_mesh *slave_mesh, *master_mesh;
    rico_skin slave, master;
    double *xs, *xm;
    rico_mortar mortar;
} pair;

static const rico_skin_options SLAVE = {.linear = true, .split = true}, MASTER = {.linear = true};


static double *places(const rico_mesh *mesh, const rico_skin *skin)
{
    double *x = calloc((size_t)(3 * skin->nodes + 1), sizeof *x);
    assert_non_null(x);
    for (int64_t n = 0; n < skin->nodes; n++) rico_vec3_copy(mesh->position + 3 * skin->node[n], x + 3 * n);
    return x;
}


static void open_pair(rico_context *ctx, rico_mesh *slave, const char *on_slave, rico_mesh *master,
                      const char *on_master, double reach, pair *p)
{
    p->slave_mesh = slave;
    p->master_mesh = master;
    assert_ok(ctx, rico_skin_create(ctx, slave, on_slave, SLAVE, &p->slave));
    assert_ok(ctx, rico_skin_create(ctx, master, on_master, MASTER, &p->master));
    p->xs = places(slave, &p->slave);
    p->xm = places(master, &p->master);
    assert_ok(ctx, rico_mortar_create(ctx, &p->slave, &p->master, false, &p->mortar));
    assert_ok(ctx, rico_mortar_update(&p->mortar, p->xs, p->xm, reach));
}


static void close_pair(pair *p)
{
    rico_mortar_destroy(&p->mortar);
    rico_skin_destroy(&p->slave);
    rico_skin_destroy(&p->master);
    free(p->xs);
    free(p->xm);
    grid_destroy(p->slave_mesh);
    grid_destroy(p->master_mesh);
}


static double field(const double x[3])
{
    return 0.7 - 1.3 * x[0] + 2.1 * x[1] + 0.4 * x[2];
}


// Weights add up to 1 and carry linear fields over; returns the sum of the areas of covered nodes.
static double assert_exact(const pair *p, double bound)
{
    double area = 0.0;
    for (int64_t j = 0; j < p->slave.nodes; j++) {
        double sum = 0.0, value = 0.0;
        if (p->mortar.start[j] == p->mortar.start[j + 1]) continue;
        for (int64_t k = p->mortar.start[j]; k < p->mortar.start[j + 1]; k++) {
            const rico_mortar_share *share = &p->mortar.share[k];
            sum += share->weight;
            value += share->weight * field(p->xm + 3 * share->node);
            assert_true(k == p->mortar.start[j] || share->node > share[-1].node);
        }
        area += p->mortar.area[j];
        assert_near(sum, 1.0, bound);
        assert_near(value, field(p->xs + 3 * j), bound);
    }
    return area;
}


// A constant pressure on the slave's nodes gives the master's the consistent forces of it.
static void assert_consistent(const pair *p, double bound)
{
    double *force = calloc((size_t)p->master.nodes, sizeof *force),
           *expected = calloc((size_t)p->master.nodes, sizeof *force);
    assert_true(force && expected);
    for (int64_t j = 0; j < p->slave.nodes; j++)
        for (int64_t k = p->mortar.start[j]; k < p->mortar.start[j + 1]; k++)
            force[p->mortar.share[k].node] += p->mortar.area[j] * p->mortar.share[k].weight;
    for (int64_t f = 0; f < p->master.faces; f++) {
        double x[3 * RICO_FACE_NODES], own[RICO_FACE_NODES];
        rico_skin_gather(&p->master, p->xm, f, x);
        rico_mortar_whole(p->master.kind[f], x, false, own);
        for (int64_t k = p->master.start[f]; k < p->master.start[f + 1]; k++)
            expected[p->master.local[k]] += own[k - p->master.start[f]];
    }
    for (int64_t l = 0; l < p->master.nodes; l++) assert_near(force[l], expected[l], bound);
    free(force);
    free(expected);
}


static void turn(rico_mesh *mesh, const double axis[3], double angle)
{
    double c = cos(angle), s = sin(angle), size = rico_vec3_norm(axis), n[3], cross[3];
    rico_vec3_scale(1.0 / size, axis, n);
    for (int64_t k = 0; k < mesh->nodes; k++) {
        double *x = mesh->position + 3 * k, along = (1.0 - c) * rico_vec3_dot(n, x);
        rico_vec3_cross(n, x, cross);
        for (int i = 0; i < 3; i++) x[i] = c * x[i] + s * cross[i] + along * n[i];
    }
}


static void in_the_plane(void **state)
{
    rico_context *ctx = *state;
    for (int turned = 0; turned < 5; turned++) {
        rico_mesh *below = grid_rectangle(4, 2, (double[]){0, 0}, (double[]){2, 1}),
                  *above = grid_rectangle(3, 2, (double[]){0, 1}, (double[]){2, 2});
        turn(below, (double[]){0, 0, 1}, 0.8 * turned);
        turn(above, (double[]){0, 0, 1}, 0.8 * turned);
        pair p = {0};
        if (turned % 2)
            open_pair(ctx, below, "top", above, "bottom", 0.1, &p);
        else
            open_pair(ctx, above, "bottom", below, "top", 0.1, &p);
        assert_near(assert_exact(&p, 1e-14), 2.0, 1e-14);
        assert_consistent(&p, 1e-14);
        // outwards is towards the other
        double n[3] = {-sin(0.8 * turned), cos(0.8 * turned), 0.0};
        for (int64_t j = 0; j < p.slave.nodes; j++)
            assert_near(rico_vec3_dot(p.mortar.normal + 3 * j, n), turned % 2 ? 1.0 : -1.0, 1e-14);
        close_pair(&p);
    }
}


static void in_space(void **state)
{
    rico_context *ctx = *state;
    for (int turned = 0; turned < 4; turned++) {
        const double axis[3] = {1.0, -2.0, 0.5};
        rico_mesh *below = grid_box((int64_t[]){3, 4, 1}, (double[]){0, 0, 0}, (double[]){2, 1, 1}),
                  *above = grid_box((int64_t[]){5, 2, 1}, (double[]){0, 0, 1}, (double[]){2, 1, 2});
        turn(below, axis, 1.1 * turned);
        turn(above, axis, 1.1 * turned);
        pair p = {0};
        open_pair(ctx, below, "top", above, "bottom", 0.1, &p);
        assert_near(assert_exact(&p, 1e-13), 2.0, 1e-13);
        assert_consistent(&p, 1e-13);
        close_pair(&p);
    }
}


// The upper box turned about the vertical on the lower one: its corners hang over, and those that are covered in part still carry over
// linear fields. The area of both is that of the octagon of two unit squares at 45 degrees, 2 (sqrt 2 - 1).
static void half_covered(void **state)
{
    rico_context *ctx = *state;
    rico_mesh *below = grid_box((int64_t[]){5, 5, 1}, (double[]){-0.5, -0.5, 0}, (double[]){0.5, 0.5, 1}),
              *above = grid_box((int64_t[]){4, 4, 1}, (double[]){-0.5, -0.5, 1}, (double[]){0.5, 0.5, 2});
    turn(above, (double[]){0, 0, 1}, 0.78539816339744831);
    pair p = {0};
    open_pair(ctx, above, "bottom", below, "top", 0.1, &p);
    assert_exact(&p, 1e-10);
    double area = 0.0, whole = 0.0;
    for (int64_t j = 0; j < p.slave.nodes; j++) {
        area += p.mortar.area[j];
        whole += p.mortar.whole[j];
        assert_true(p.mortar.area[j] <= p.mortar.whole[j] * (1.0 + 1e-14));
        assert_true(p.mortar.start[j] < p.mortar.start[j + 1]);
    }
    assert_near(area, 2.0 * (sqrt(2.0) - 1.0), 1e-13);
    assert_near(whole, 1.0, 1e-14);
    for (int64_t k = 0; k < p.mortar.shares; k++) assert_at_most(fabs(p.mortar.share[k].weight), 20.0);
    close_pair(&p);

    // in the plane the last of two edges is covered by half
    rico_mesh *lower = grid_rectangle(3, 1, (double[]){0, 0}, (double[]){1.5, 1}),
              *upper = grid_rectangle(2, 1, (double[]){0, 1}, (double[]){2, 2});
    open_pair(ctx, upper, "bottom", lower, "top", 0.1, &p);
    assert_near(assert_exact(&p, 1e-13), 1.5, 1e-14);
    close_pair(&p);

    // by a twentieth: the node at its end, of whose area (1/20)^2 is covered, does not count
    lower = grid_rectangle(3, 1, (double[]){0, 0}, (double[]){1.05, 1});
    upper = grid_rectangle(2, 1, (double[]){0, 1}, (double[]){2, 2});
    open_pair(ctx, upper, "bottom", lower, "top", 0.1, &p);
    assert_near(assert_exact(&p, 1e-13), 1.05 - 0.5 * 0.05 * 0.05, 1e-14);
    close_pair(&p);
}


// Faces that are no parallelograms, in a plane: shape functions are no polynomials there, and the rule is nearly exact.
static void bent_grids(void **state)
{
    rico_context *ctx = *state;
    rico_mesh *below = grid_box((int64_t[]){3, 4, 1}, (double[]){0, 0, 0}, (double[]){1, 1, 1}),
              *above = grid_box((int64_t[]){4, 2, 1}, (double[]){0, 0, 1}, (double[]){1, 1, 2});
    rico_mesh *both[2] = {below, above};
    for (int k = 0; k < 2; k++)
        for (int64_t n = 0; n < both[k]->nodes; n++) {
            double *x = both[k]->position + 3 * n,
                   bump = (k ? 0.2 : -0.15) * x[0] * (1.0 - x[0]) * x[1] * (1.0 - x[1]);
            x[0] += bump, x[1] -= 2.0 * bump;
        }
    pair p = {0};
    open_pair(ctx, above, "bottom", below, "top", 0.1, &p);
    assert_near(assert_exact(&p, 1e-12), 1.0, 1e-13);
    assert_consistent(&p, 1e-9);
    close_pair(&p);
}


// Bodies of revolution: areas are weighted with the radius.
static void revolution(void **state)
{
    rico_context *ctx = *state;
    pair p = {0};
    open_pair(ctx, grid_rectangle(3, 1, (double[]){0, 1}, (double[]){2, 2}), "bottom",
              grid_rectangle(4, 1, (double[]){0, 0}, (double[]){2, 1}), "top", 0.1, &p);
    p.mortar.radial = true;
    assert_ok(ctx, rico_mortar_update(&p.mortar, p.xs, p.xm, 0.1));
    assert_near(assert_exact(&p, 1e-13), 2.0, 1e-14); // int r dr
    double moment = 0.0;
    for (int64_t j = 0; j < p.slave.nodes; j++) moment += p.mortar.area[j] * p.xs[3 * j];
    assert_near(moment, 8.0 / 3.0, 1e-14);
    close_pair(&p);
}


// Triangles, and quadratic faces as several linear ones.
static void other_faces(void **state)
{
    rico_context *ctx = *state;
    // one tetrahedron over another, its face z = 0 (T6) on the other's (T3)
    rico_mesh *above = grid_room(3, 10, 2, 1), *below = grid_room(3, 4, 2, 1);
    static const double AT[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const int EDGE[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {2, 3}, {1, 3}};
    for (int k = 0; k < 10; k++)
        for (int i = 0; i < 3; i++)
            above->position[3 * k + i] =
                k < 4 ? AT[k][i] : 0.5 * (AT[EDGE[k - 4][0]][i] + AT[EDGE[k - 4][1]][i]);
    for (int k = 0; k < 4; k++)
        rico_vec3_set(2.0 * AT[k][0] - 0.3, 2.0 * AT[k][1] - 0.3, -AT[k][2], below->position + 3 * k);
    grid_cell(above, RICO_CELL_TET10, (int64_t[]){0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    grid_cell(below, RICO_CELL_TET4, (int64_t[]){0, 2, 1, 3});
    grid_group(above, 0, "face", 1);
    grid_group(below, 0, "face", 1);
    grid_member(above, 0, grid_cell(above, RICO_CELL_T6, (int64_t[]){0, 1, 2, 4, 5, 6}));
    grid_member(below, 0, grid_cell(below, RICO_CELL_T3, (int64_t[]){0, 1, 2}));
    pair p = {0};
    open_pair(ctx, above, "face", below, "face", 0.1, &p);
    assert_int_equal(p.slave.faces, 4);
    assert_near(assert_exact(&p, 1e-13), 0.5, 1e-14);
    for (int64_t j = 0; j < p.slave.nodes; j++) assert_near(p.mortar.normal[3 * j + 2], -1.0, 1e-15);
    close_pair(&p);
}


// Faces that are farther apart than the reach, or turned away, do not meet.
static void apart(void **state)
{
    rico_context *ctx = *state;
    rico_mesh *below = grid_rectangle(4, 2, (double[]){0, 0}, (double[]){2, 1}),
              *above = grid_rectangle(3, 2, (double[]){0, 1.2}, (double[]){2, 2});
    pair p = {0};
    open_pair(ctx, above, "bottom", below, "top", 0.1, &p);
    assert_int_equal(p.mortar.shares, 0);
    assert_ok(ctx, rico_mortar_update(&p.mortar, p.xs, p.xm, 0.3));
    assert_true(p.mortar.shares > 0);
    close_pair(&p);
    below = grid_rectangle(4, 2, (double[]){0, 0}, (double[]){2, 1});
    above = grid_rectangle(3, 2, (double[]){0, 1.2}, (double[]){2, 2});
    open_pair(ctx, above, "bottom", below, "bottom", 3.0, &p);
    assert_int_equal(p.mortar.shares, 0);
    close_pair(&p);
}


static rico_status act(rico_context *ctx, void *user)
{
    rico_mesh *const *mesh = user;
    rico_skin slave = {0}, master = {0};
    rico_mortar mortar = {0};
    rico_status status = rico_skin_create(ctx, mesh[0], "bottom", SLAVE, &slave);
    if (status == RICO_OK) status = rico_skin_create(ctx, mesh[1], "top", MASTER, &master);
    if (status == RICO_OK) status = rico_mortar_create(ctx, &slave, &master, false, &mortar);
    double *xs = places(mesh[0], &slave), *xm = places(mesh[1], &master);
    if (status == RICO_OK) status = rico_mortar_update(&mortar, xs, xm, 0.1);
    rico_mortar_destroy(&mortar);
    rico_skin_destroy(&slave);
    rico_skin_destroy(&master);
    free(xs);
    free(xm);
    return status;
}


static void memory(void **state)
{
    (void)state;
    rico_mesh *both[2] = {grid_box((int64_t[]){2, 2, 1}, (double[]){0, 0, 1}, (double[]){1, 1, 2}),
                          grid_box((int64_t[]){3, 3, 1}, (double[]){0, 0, 0}, (double[]){1, 1, 1})};
    assert_true(every_allocation_fails(act, both) > 20);
    grid_destroy(both[0]);
    grid_destroy(both[1]);
}


static int start(void **state)
{
    *state = rico_context_create(NULL);
    return *state == NULL;
}


static int end(void **state)
{
    rico_context_destroy(*state);
    return 0;
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(in_the_plane), cmocka_unit_test(in_space),
                                       cmocka_unit_test(half_covered), cmocka_unit_test(other_faces),
                                       cmocka_unit_test(bent_grids),   cmocka_unit_test(revolution),
                                       cmocka_unit_test(apart),        cmocka_unit_test(memory)};
    return cmocka_run_group_tests(tests, start, end);
}
