// The skin of a mesh: turned outwards, parted at sharp edges, and where points meet it.

#include "grids.h"

#include "la/vec3.h"
#include "mesh/skin_search.h"

// Three unit squares around a notch: [0, 2]^2 without its upper right quarter. Groups: notch, its floor and wall; outside, all the rest.
static rico_mesh *corner(void)
{
    rico_mesh *mesh = grid_room(2, 9, 3 + 8 + 2, 3);
    for (int64_t n = 0; n < 9; n++) {
        const int64_t row = n / 3;
        rico_vec3_set((double)(n % 3), (double)row, 0.0, mesh->position + 3 * n);
    }
    for (int64_t c = 0; c < 3; c++) {
        int64_t n = c == 2 ? 3 : c;
        grid_cell(mesh, RICO_CELL_Q4, (int64_t[]){n, n + 1, n + 4, n + 3});
    }
    grid_group(mesh, 0, "notch", 2);
    grid_group(mesh, 1, "outside", 6);
    grid_group(mesh, 2, "inner", 2);
    static const int64_t EDGE[10][3] = {{4, 5, 0}, {4, 7, 0}, {0, 1, 1}, {2, 1, 1}, {2, 5, 1},
                                        {0, 3, 1}, {6, 3, 1}, {6, 7, 1}, {1, 4, 2}, {0, 4, 2}};
    for (int k = 0; k < 10; k++) grid_member(mesh, EDGE[k][2], grid_cell(mesh, RICO_CELL_LINE2, EDGE[k]));
    return mesh;
}


typedef struct looked {
    rico_mesh *mesh;
    rico_skin skin;
    rico_skin_search search;
    double *x;
} looked;


static void look_at(rico_context *ctx, rico_mesh *mesh, const char *group, looked *own)
{
    *own = (looked){.mesh = mesh};
    assert_ok(ctx, rico_skin_create(ctx, mesh, group, (rico_skin_options){0}, &own->skin));
    assert_ok(ctx, rico_skin_search_create(ctx, &own->skin, &own->search));
    own->x = calloc((size_t)(3 * own->skin.nodes), sizeof *own->x);
    assert_non_null(own->x);
    for (int64_t n = 0; n < own->skin.nodes; n++)
        rico_vec3_copy(mesh->position + 3 * own->skin.node[n], own->x + 3 * n);
}


static void leave(looked *own)
{
    rico_skin_search_destroy(&own->search);
    rico_skin_destroy(&own->skin);
    free(own->x);
    grid_destroy(own->mesh);
}


static void outwards(void **state)
{
    rico_context *ctx = *state;
    looked own;
    look_at(ctx, corner(), "outside", &own);
    assert_int_equal(own.skin.patches, 4); // bottom, right, left, top
    for (int64_t f = 0; f < own.skin.faces; f++) {
        double n[3], x[6], middle[3];
        rico_skin_gather(&own.skin, own.x, f, x);
        rico_skin_normal(&own.skin, own.x, f, n);
        for (int i = 0; i < 3; i++) middle[i] = 0.5 * (x[i] + x[3 + i]) - (i < 2 ? 0.9 : 0.0);
        assert_true(rico_vec3_dot(n, middle) > 0.5);
    }
    leave(&own);

    // all faces of a box, in any direction
    rico_mesh *box = grid_box((int64_t[]){2, 2, 1}, (double[]){0, 0, 0}, (double[]){1, 1, 1});
    look_at(ctx, box, "bottom", &own);
    assert_int_equal(own.skin.patches, 1);
    for (int64_t f = 0; f < own.skin.faces; f++) {
        double n[3];
        rico_skin_normal(&own.skin, own.x, f, n);
        assert_near(n[2], -1.0, 1e-15);
    }
    leave(&own);
}


static void refused(void **state)
{
    rico_context *ctx = *state;
    rico_mesh *mesh = corner();
    rico_skin skin;
    const rico_skin_options plain = {0};
    assert_int_equal(rico_skin_create(ctx, mesh, "roof", plain, &skin), RICO_BAD_ARGUMENT);
    assert_non_null(strstr(rico_message(ctx), "'roof'"));
    assert_int_equal(rico_skin_create(ctx, mesh, "inner", plain, &skin), RICO_BAD_INPUT);
    assert_non_null(strstr(rico_message(ctx), "group 'inner'"));
    mesh->group[2].count = 1;
    assert_int_equal(rico_skin_create(ctx, mesh, "inner", plain, &skin), RICO_BAD_INPUT);
    assert_non_null(strstr(rico_message(ctx), "within the mesh"));
    mesh->group[2].cell[0] = 0;
    assert_int_equal(rico_skin_create(ctx, mesh, "inner", plain, &skin), RICO_UNSUPPORTED);
    assert_non_null(strstr(rico_message(ctx), "Q4"));
    mesh->group[0].cell[1] = mesh->group[0].cell[0];
    assert_int_equal(rico_skin_create(ctx, mesh, "notch", plain, &skin), RICO_BAD_INPUT);
    assert_non_null(strstr(rico_message(ctx), "same face"));
    mesh->group[0].count = 0;
    assert_int_equal(rico_skin_create(ctx, mesh, "notch", plain, &skin), RICO_BAD_ARGUMENT);
    grid_destroy(mesh);
}


// A notch holds a point from both sides, a corner that sticks out from one.
static void corners(void **state)
{
    rico_context *ctx = *state;
    rico_skin_hit hit[RICO_SKIN_HITS];
    looked own;
    look_at(ctx, corner(), "notch", &own);
    assert_ok(ctx, rico_skin_search_update(&own.search, own.x));
    assert_int_equal(own.skin.patches, 2);
    assert_int_equal(rico_skin_look(&own.search, (double[]){1.05, 1.02, 0}, 0.2, 0.5, hit), 2);
    assert_near(hit[0].gap, 0.02, 1e-15);
    assert_near(hit[0].normal[1], 1.0, 1e-15);
    assert_near(hit[1].gap, 0.05, 1e-15);
    assert_near(hit[1].normal[0], 1.0, 1e-15);
    // in its corner, behind both by a little; behind one of them
    assert_int_equal(rico_skin_look(&own.search, (double[]){0.999, 0.998, 0}, 0.2, 0.5, hit), 2);
    assert_near(hit[0].gap + hit[1].gap, -0.003, 1e-14);
    assert_int_equal(rico_skin_look(&own.search, (double[]){0.98, 1.01, 0}, 0.2, 0.5, hit), 2);
    assert_near(hit[0].gap, -0.02, 1e-14);
    assert_near(hit[1].gap, 0.01, 1e-14);
    assert_near(hit[1].normal[1], 1.0, 1e-15);
    assert_int_equal(rico_skin_look(&own.search, (double[]){1.5, 1.1, 0}, 0.2, 0.5, hit), 1);
    // beyond the open border
    assert_int_equal(rico_skin_look(&own.search, (double[]){2.04, 1.01, 0}, 0.2, 0.5, hit), 1);
    assert_near(hit[0].gap, 0.01, 1e-15);
    assert_int_equal(rico_skin_look(&own.search, (double[]){2.06, 1.01, 0}, 0.2, 0.5, hit), 0);
    leave(&own);

    look_at(ctx, corner(), "outside", &own);
    assert_ok(ctx, rico_skin_search_update(&own.search, own.x));
    assert_int_equal(rico_skin_look(&own.search, (double[]){2.03, -0.04, 0}, 0.2, 0.5, hit), 1);
    assert_near(hit[0].gap, 0.05, 1e-15);
    assert_near(hit[0].normal[0], 0.6, 1e-13);
    assert_near(hit[0].normal[1], -0.8, 1e-13);
    assert_int_equal(rico_skin_look(&own.search, (double[]){1.99, 0.02, 0}, 0.2, 0.5, hit), 1);
    assert_near(hit[0].gap, -0.01, 1e-14);
    assert_near(hit[0].normal[0], 1.0, 1e-15);
    // in the very corner there is one normal, between those of the sides
    assert_int_equal(rico_skin_look(&own.search, (double[]){2.0, 0.0, 0}, 0.2, 0.5, hit), 1);
    assert_near(hit[0].gap, 0.0, 1e-15);
    assert_near(hit[0].normal[0], sqrt(0.5), 1e-13);
    // too deep, too far
    assert_int_equal(rico_skin_look(&own.search, (double[]){1.5, 0.4, 0}, 0.2, 0.3, hit), 0);
    assert_int_equal(rico_skin_look(&own.search, (double[]){1.5, -0.3, 0}, 0.2, 0.5, hit), 0);
    leave(&own);
}


// Over a bent row of faces the gap and the normal change continuously, from face to face and over the edges between them.
static void sliding(void **state)
{
    rico_context *ctx = *state;
    enum { N = 12 };
    rico_mesh *mesh = grid_rectangle(N, 1, (double[]){-1, -1}, (double[]){1, 0});
    for (int64_t n = 0; n < mesh->nodes; n++) {
        double *x = mesh->position + 3 * n, r = 2.0 + x[1], phi = 0.5 * x[0];
        rico_vec3_set(r * sin(phi), r * cos(phi), 0.0, x);
    }
    looked own;
    look_at(ctx, mesh, "top", &own);
    assert_ok(ctx, rico_skin_search_update(&own.search, own.x));
    assert_int_equal(own.skin.patches, 1);
    double before = 0.0, normal[3] = {0.0};
    int64_t face = -1, changes = 0;
    for (int k = 0; k <= 4000; k++) {
        double phi = -0.45 + 0.9 * k / 4000.0, r = 2.01;
        rico_skin_hit hit[RICO_SKIN_HITS];
        assert_int_equal(
            rico_skin_look(&own.search, (double[]){r * sin(phi), r * cos(phi), 0}, 0.1, 0.1, hit), 1);
        // between the circle and its chords
        assert_true(hit[0].gap >= 0.01 - 1e-14 && hit[0].gap <= 0.01 + 2.0 * (1.0 - cos(0.5 / N)) + 1e-14);
        if (k > 0) {
            assert_at_most(fabs(hit[0].gap - before), 1e-4);
            assert_true(rico_vec3_dot(normal, hit[0].normal) > cos(0.05)); // 4.5e-4 at a distance of 0.01
        }
        changes += k > 0 && hit[0].face != face;
        face = hit[0].face;
        before = hit[0].gap;
        rico_vec3_copy(hit[0].normal, normal);
    }
    assert_true(changes >= N - 2);
    leave(&own);
}


// In space: the same answers whatever was asked before, and the nearest of all faces by force.
static void space(void **state)
{
    rico_context *ctx = *state;
    rico_random random;
    rico_random_seed(&random, 3);
    looked own;
    look_at(ctx, grid_box((int64_t[]){5, 4, 1}, (double[]){0, 0, 0}, (double[]){1, 1, 1}), "top", &own);
    for (int64_t n = 0; n < own.skin.nodes; n++)
        own.x[3 * n + 2] += 0.05 * sin(9.0 * own.x[3 * n]) * cos(7.0 * own.x[3 * n + 1]);
    assert_ok(ctx, rico_skin_search_update(&own.search, own.x));
    for (int k = 0; k < 300; k++) {
        double p[3], best = INFINITY;
        for (int i = 0; i < 2; i++) p[i] = rico_random_range(&random, 0.05, 0.95);
        p[2] = rico_random_range(&random, 0.9, 1.15);
        rico_skin_hit hit[RICO_SKIN_HITS], again[RICO_SKIN_HITS];
        int count = rico_skin_look(&own.search, p, 0.5, 0.5, hit);
        assert_int_equal(count, 1);
        for (int64_t f = 0; f < own.skin.faces; f++) {
            double x[12];
            rico_nearby near;
            rico_skin_gather(&own.skin, own.x, f, x);
            rico_face_nearest(RICO_CELL_Q4, x, p, &near);
            best = fmin(best, near.distance);
        }
        assert_near(fabs(hit[0].gap), best, 1e-12);
        rico_tree_forget(&own.search.tree);
        assert_ok(ctx, rico_skin_search_update(&own.search, own.x));
        assert_int_equal(rico_skin_look(&own.search, p, 0.5, 0.5, again), 1);
        assert_true(again[0].gap == hit[0].gap && again[0].face == hit[0].face);
    }
    leave(&own);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(outwards), cmocka_unit_test(refused),
                                       cmocka_unit_test(corners), cmocka_unit_test(sliding),
                                       cmocka_unit_test(space)};
    return cmocka_run_group_tests(tests, start, stop);
}
