// Meshes from arrays: what is kept, what is refused, faces, copies.

#include "failing_memory.h"
#include "mesh/measure.h"
#include "one_context.h"

static rico_mesh *mesh;
static char warnings[2000];

// Two squares beside each other, and a node of no cell between their numbers.
static const double X[] = {0, 0, 0, 1, 0, 0, 9, 9, 9, 2, 0, 0, 0, 1, 0, 1, 1, 0, 2, 1, 1e-13};
static const unsigned char KIND[] = {RICO_CELL_LINE2, RICO_CELL_Q4, RICO_CELL_Q4, RICO_CELL_LINE2,
                                     RICO_CELL_LINE2};
static const int64_t NODE[] = {1, 0, 0, 1, 5, 4, 1, 3, 6, 5, 1, 5, 0, 2};
static const int64_t BOTTOM[] = {0}, BOTH[] = {2, 1, 2}, MIDDLE[] = {3}, LOST[] = {4};
static const rico_mesh_group GROUPS[] = {
    {"bottom", 0, 1, BOTTOM}, {"both", 0, 3, BOTH}, {"middle", 0, 1, MIDDLE}, {"lost", 0, 1, LOST}};
static const rico_mesh_arrays SQUARES = {
    .nodes = 7, .position = X, .cells = 5, .kind = KIND, .node = NODE, .groups = 4, .group = GROUPS};


static void listen(void *user, rico_log_level level, const char *text)
{
    (void)user;
    (void)level;
    size_t used = strlen(warnings);
    snprintf(warnings + used, sizeof warnings - used, "%s\n", text);
}


static void what_is_kept(void **state)
{
    (void)state;
    warnings[0] = '\0';
    rico_context_set_log(ctx, listen, NULL, RICO_LOG_WARNING);
    assert_ok(ctx, rico_mesh_create(ctx, &SQUARES, &mesh));
    rico_context_set_log(ctx, NULL, NULL, RICO_LOG_WARNING);
    assert_string_equal(warnings, "1 of 7 nodes belong to no element and are left out, node 2 the first\n"
                                  "1 cells lie on nodes that belong to no element and are left out\n"
                                  "the group 'lost' has no cells and is left out\n");
    for (int copy = 0; copy < 2; copy++) {
        static const int64_t KEPT[] = {1, 0, 0, 1, 4, 3, 1, 2, 5, 4, 1, 4};
        rico_mesh_view v = rico_mesh_look(mesh);
        assert_int_equal(v.dimension, 2);
        assert_int_equal(v.nodes, 6);
        assert_int_equal(v.cells, 4);
        assert_memory_equal(v.node, KEPT, sizeof KEPT);
        assert_int_equal(v.start[4], 12);
        assert_true(v.position[17] == 0.0);
        assert_int_equal(v.groups, 3);
        assert_int_equal(rico_mesh_group_find(mesh, "both"), 1);
        assert_int_equal(rico_mesh_group_find(mesh, "lost"), -1);
        rico_mesh_group both = rico_mesh_group_at(mesh, 1);
        assert_int_equal(both.dimension, 2);
        assert_int_equal(both.count, 2);
        assert_true(both.cell[0] == 1 && both.cell[1] == 2);
        rico_mesh *other;
        assert_ok(ctx, rico_mesh_copy(ctx, mesh, &other));
        rico_mesh_destroy(mesh);
        mesh = other;
    }
    rico_mesh_destroy(mesh);
    rico_mesh_destroy(NULL);
}


// Outside faces by element and face, the lower side of the first square first; each to the right of the way around.
static void boundary(void **state)
{
    (void)state;
    static const int64_t EXPECTED[6][4] = {{1, 0, 0, 1}, {1, 2, 4, 3}, {1, 3, 3, 0},
                                           {2, 0, 1, 2}, {2, 1, 2, 5}, {2, 2, 5, 4}};
    assert_ok(ctx, rico_mesh_create(ctx, &SQUARES, &mesh));
    int64_t count;
    rico_mesh_face *face;
    assert_ok(ctx, rico_mesh_boundary(ctx, mesh, &count, &face));
    assert_int_equal(count, 6);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(face[i].element, EXPECTED[i][0]);
        assert_int_equal(face[i].face, EXPECTED[i][1]);
        assert_int_equal(face[i].kind, RICO_CELL_LINE2);
        assert_int_equal(face[i].node[0], EXPECTED[i][2]);
        assert_int_equal(face[i].node[1], EXPECTED[i][3]);
    }
    rico_mesh_faces_free(ctx, face);

    // the cell of the bottom runs the wrong way, its face does not
    assert_ok(ctx, rico_mesh_group_faces(ctx, mesh, 0, &count, &face));
    assert_int_equal(count, 1);
    assert_true(face[0].element == 1 && face[0].node[0] == 0 && face[0].node[1] == 1);
    rico_mesh_faces_free(ctx, face);
    assert_int_equal(rico_mesh_group_faces(ctx, mesh, 1, &count, &face), RICO_BAD_ARGUMENT);
    assert_string_equal(
        rico_message(ctx),
        "the group 'both' has cells of dimension 2; faces of these elements have dimension 1");
    assert_int_equal(rico_mesh_group_faces(ctx, mesh, 2, &count, &face), RICO_BAD_INPUT);
    assert_string_equal(rico_message(ctx),
                        "cell 3 (line2) of the group 'middle' lies between the elements 1 and 2 and has "
                        "no outside");
    assert_int_equal(rico_mesh_group_faces(ctx, mesh, 3, &count, &face), RICO_BAD_ARGUMENT);
    rico_mesh_destroy(mesh);
}


// A line across a square is no face; three tetrahedra on one face are one too many.
static void false_faces(void **state)
{
    (void)state;
    int64_t count;
    rico_mesh_face *face;
    rico_mesh_arrays a = SQUARES;
    const unsigned char kind[] = {RICO_CELL_Q4, RICO_CELL_LINE2};
    const int64_t node[] = {0, 1, 5, 4, 0, 5}, across[] = {1};
    const rico_mesh_group group = {"across", 0, 1, across};
    a.cells = 2;
    a.kind = kind;
    a.node = node;
    a.groups = 1;
    a.group = &group;
    assert_ok(ctx, rico_mesh_create(ctx, &a, &mesh));
    assert_int_equal(rico_mesh_group_faces(ctx, mesh, 0, &count, &face), RICO_BAD_INPUT);
    assert_string_equal(rico_message(ctx),
                        "cell 1 (line2) of the group 'across' is not a face of an element");
    rico_mesh_destroy(mesh);

    const double x[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1, .5, .5, 1};
    const unsigned char tets[] = {RICO_CELL_TET4, RICO_CELL_TET4, RICO_CELL_TET4};
    const int64_t corner[] = {0, 1, 2, 3, 0, 2, 1, 4, 0, 1, 2, 5};
    a = (rico_mesh_arrays){.nodes = 6, .position = x, .cells = 3, .kind = tets, .node = corner};
    assert_ok(ctx, rico_mesh_create(ctx, &a, &mesh));
    assert_int_equal(rico_mesh_boundary(ctx, mesh, &count, &face), RICO_BAD_INPUT);
    assert_string_equal(rico_message(ctx), "the elements 0, 1 and 2 share one face; a face has two sides");
    rico_mesh_destroy(mesh);
}


static void refuse(const rico_mesh_arrays *a, rico_status expected, const char *sentence)
{
    assert_int_equal(rico_mesh_create(ctx, a, &mesh), expected);
    assert_string_equal(rico_message(ctx), sentence);
}


static void refusals(void **state)
{
    (void)state;
    rico_mesh_arrays a = SQUARES;
    double x[21];
    unsigned char kind[5];
    int64_t node[14], cell[3] = {0, 1, 7};
    rico_mesh_group group[2] = {{"one", 0, 2, cell}, {"one", 0, 1, cell}};
    memcpy(x, X, sizeof x);
    memcpy(kind, KIND, sizeof kind);
    memcpy(node, NODE, sizeof node);
    a.position = x;
    a.kind = kind;
    a.node = node;
    a.group = group;
    a.groups = 0;

    a.nodes = -1;
    refuse(&a, RICO_BAD_ARGUMENT, "a mesh cannot have -1 nodes, 5 cells and 0 groups");
    a.nodes = 7;
    a.dimension = 3;
    refuse(&a, RICO_BAD_ARGUMENT, "a mesh of dimension 3 has cells of dimension 2");
    a.dimension = 2;
    kind[4] = 77;
    refuse(&a, RICO_BAD_INPUT, "cell 4 is of a kind 77, which does not exist");
    kind[4] = KIND[4];
    x[4] = INFINITY;
    refuse(&a, RICO_BAD_INPUT, "node 1 has y = inf");
    x[4] = 0.0;
    node[3] = 7;
    refuse(&a, RICO_BAD_INPUT, "cell 1 (Q4) has a node 7; the mesh has 7 nodes, from 0");
    node[3] = -1;
    refuse(&a, RICO_BAD_INPUT, "cell 1 (Q4) has a node -1; the mesh has 7 nodes, from 0");
    node[3] = 5;
    refuse(&a, RICO_BAD_INPUT, "cell 1 (Q4) has the node 5 twice");
    node[3] = 1;
    a.groups = 1;
    refuse(&a, RICO_BAD_INPUT, "the group 'one' has cells of several dimensions: cell 0 of 1, cell 1 of 2");
    group[0].count = 3;
    cell[1] = 3;
    refuse(&a, RICO_BAD_INPUT, "the group 'one' names a cell 7; the mesh has 5 cells, from 0");
    group[0].count = 1;
    a.groups = 2;
    refuse(&a, RICO_BAD_INPUT,
           "two groups are named 'one'; give each a name of its own, also where their cells are of different "
           "dimensions");
    group[1].name = "";
    refuse(&a, RICO_BAD_INPUT, "group 1 has no name");
    a.groups = 0;
    memcpy(node + 6, (int64_t[]){1, 5, 4, 0}, 4 * sizeof *node);
    refuse(&a, RICO_BAD_INPUT, "the elements 1 and 2 (Q4) have the same corners");
    memcpy(node + 6, NODE + 6, 4 * sizeof *node);

    // a quadrilateral that folds over is inverted at one corner only: the Jacobian there is the
    // cross product of its edges over 4, ((0.25, 0.75) x (1.25, -0.25)) / 4
    x[15] = -0.25;
    x[16] = 0.25;
    refuse(&a, RICO_BAD_INPUT,
           "element 1 (Q4) is inverted: its Jacobian is -0.25 at its node 5 (1 of 2 elements); check its "
           "corners, and the middles of its edges if it has them");
}


// Each kind is told to be inverted when two of its corners are exchanged, and sound before.
static void every_kind(void **state)
{
    (void)state;
    for (int g = 0; g < 3; g++) {
        static const char *const NAMES[] = {"bar", "rectangle", "box"};
        const rico_mesh_generator *about = rico_mesh_generator_at(rico_mesh_generator_find(NAMES[g]));
        for (int k = 0; about->options[0].choices[k]; k++) {
            double values[16];
            for (int i = 0; i < about->option_count; i++)
                values[i] = about->options[i].type == RICO_INTEGER ? 1 : about->options[i].standard;
            values[0] = k;
            assert_ok(ctx, rico_mesh_generate(ctx, NAMES[g], values, &mesh));
            rico_mesh_view v = rico_mesh_look(mesh);
            int64_t node[RICO_CELL_NODES], first = v.node[0];
            memcpy(node, v.node, (size_t)v.start[1] * sizeof *node);
            node[0] = node[1];
            node[1] = first;
            rico_mesh *other;
            rico_mesh_arrays a = {
                .nodes = v.nodes, .position = v.position, .cells = 1, .kind = v.kind, .node = node};
            assert_int_equal(rico_mesh_create(ctx, &a, &other), RICO_BAD_INPUT);
            assert_non_null(strstr(rico_message(ctx), "is inverted: its Jacobian is -"));
            rico_mesh_destroy(mesh);
        }
    }
    assert_string_equal(rico_cell_kind_name(RICO_CELL_TET10), "Tet10");
    assert_null(rico_cell_kind_name(RICO_CELL_KINDS));
}


static rico_status create(rico_context *failing, void *user)
{
    (void)user;
    rico_mesh *made = NULL, *copy = NULL;
    int64_t count;
    rico_mesh_face *face = NULL;
    rico_status status = rico_mesh_create(failing, &SQUARES, &made);
    if (status == RICO_OK) status = rico_mesh_copy(failing, made, &copy);
    if (status == RICO_OK) status = rico_mesh_boundary(failing, made, &count, &face);
    rico_mesh_faces_free(failing, face);
    face = NULL;
    if (status == RICO_OK) status = rico_mesh_group_faces(failing, made, 0, &count, &face);
    rico_mesh_faces_free(failing, face);
    rico_mesh_destroy(made);
    rico_mesh_destroy(copy);
    return status;
}


static void memory(void **state)
{
    (void)state;
    assert_true(every_allocation_fails(create, NULL) > 30);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_kept), cmocka_unit_test(boundary),
                                       cmocka_unit_test(false_faces),  cmocka_unit_test(refusals),
                                       cmocka_unit_test(every_kind),   cmocka_unit_test(memory)};
    return cmocka_run_group_tests(tests, context_start, context_end);
}
