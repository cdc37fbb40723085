// Gmsh files: every flavour gives the same mesh, and every trap its sentence.

#include "failing_memory.h"
#include "mesh/msh_bytes.h"
#include "one_context.h"

static rico_mesh *mesh;
static file_bytes file;
static char warnings[2000];


static void listen(void *user, rico_log_level level, const char *text)
{
    (void)user;
    (void)level;
    size_t used = strlen(warnings);
    snprintf(warnings + used, sizeof warnings - used, "%s\n", text);
}


static void expect_group(const char *name, int dimension, int64_t count, const int64_t *cell)
{
    int64_t index = rico_mesh_group_find(mesh, name);
    if (index < 0) fail_msg("no group '%s'", name);
    rico_mesh_group group = rico_mesh_group_at(mesh, index);
    assert_int_equal(group.dimension, dimension);
    assert_int_equal(group.count, count);
    for (int64_t i = 0; i < count; i++) assert_int_equal(group.cell[i], cell[i]);
}


static void flavours(void **state)
{
    (void)state;
    for (int flavour = 0; flavour < SAMPLE_FLAVOURS; flavour++) {
        put_flavour(&file, flavour);
        warnings[0] = '\0';
        rico_context_set_log(ctx, listen, NULL, RICO_LOG_WARNING);
        assert_ok(ctx, rico_mesh_parse(ctx, "sample.msh", file.data, file.size, &mesh));
        rico_context_set_log(ctx, NULL, NULL, RICO_LOG_WARNING);
        assert_string_equal(warnings,
                            "1 of 7 nodes belong to no element and are left out, node 9 the first\n");
        rico_mesh_view v = rico_mesh_look(mesh);
        assert_int_equal(v.dimension, 2);
        assert_int_equal(v.nodes, 6);
        assert_int_equal(v.cells, 7);
        assert_int_equal(v.groups, 5);
        assert_memory_equal(v.position, SAMPLE_X, 18 * sizeof(double));
        static const unsigned char KINDS[] = {RICO_CELL_POINT, RICO_CELL_LINE2, RICO_CELL_LINE2,
                                              RICO_CELL_LINE2, RICO_CELL_Q4,    RICO_CELL_T3,
                                              RICO_CELL_T3};
        static const int64_t NODES[] = {0, 0, 1, 1, 2, 5, 4, 0, 1, 4, 3, 1, 2, 5, 1, 5, 4};
        assert_memory_equal(v.kind, KINDS, 7);
        assert_memory_equal(v.node, NODES, sizeof NODES);
        expect_group("corner", 0, 1, (int64_t[]){0});
        expect_group("foot", 1, 2, (int64_t[]){1, 2});
        expect_group("group-8", 1, 1, (int64_t[]){3});
        expect_group("left part", 2, 1, (int64_t[]){4});
        expect_group("right part", 2, 2, (int64_t[]){5, 6});
        double least;
        assert_near(measure_mesh(mesh, &least), 2.0, 1e-15);
        assert_near(measure_group(mesh, "foot").size, 2.0, 1e-15);
        rico_mesh_destroy(mesh);
    }
}


// Lines end by carriage return and line feed as well.
static void other_line_ends(void **state)
{
    (void)state;
    static const char TEXT[] =
        "$MeshFormat\r\n2.2 0 8\r\n$EndMeshFormat\r\n$Nodes\r\n3\r\n1 0 0 0\r\n2 1 0 0\r\n3 0 1 0\r\n"
        "$EndNodes\r\n$Elements\r\n1\r\n1 2 0 1 2 3\r\n$EndElements\r\n";
    assert_ok(ctx, rico_mesh_parse(ctx, "t", TEXT, sizeof TEXT - 1, &mesh));
    assert_int_equal(rico_mesh_look(mesh).groups, 0);
    rico_mesh_destroy(mesh);
}


#define HEAD "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define HEAD4 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define NODES "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n"
#define NODES4 "$Nodes\n1 3 1 3\n2 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n$EndNodes\n"


// In 2.2 a cell of two groups stands twice; a number that points and faces have in common is told apart.
static void twins(void **state)
{
    (void)state;
    static const char TEXT[] =
        HEAD NODES "$Elements\n5\n1 15 2 5 1 1\n2 3 2 5 1 1 2 3 4\n3 3 2 6 1 1 2 3 4\n4 1 2 7 1 1 2\n"
                   "5 1 2 -5 1 2 1\n$EndElements\n";
    assert_ok(ctx, rico_mesh_parse(ctx, "t", TEXT, sizeof TEXT - 1, &mesh));
    assert_int_equal(rico_mesh_look(mesh).cells, 3);
    expect_group("group-5-points", 0, 1, (int64_t[]){0});
    expect_group("group-5-lines", 1, 1, (int64_t[]){2});
    expect_group("group-7", 1, 1, (int64_t[]){2});
    expect_group("group-5", 2, 1, (int64_t[]){1});
    expect_group("group-6", 2, 1, (int64_t[]){1});
    rico_mesh_destroy(mesh);
}


// Parameters of nodes in 2.2: one on curves, two on surfaces, none on points and in volumes.
static void parametric(void **state)
{
    (void)state;
    static const char TEXT[] =
        HEAD "$ParametricNodes\n4\n1 0 0 0 0 1\n2 1 0 0 1 4 .5\n3 1 1 0 2 1 .1 .2\n4 0 1 0 3 "
             "1\n$EndParametricNodes\n"
             "$Elements\n1\n1 3 2 5 1 1 2 3 4\n$EndElements\n$NodeData\n1\n\"x\"\n$EndNodeData\n";
    double least;
    assert_ok(ctx, rico_mesh_parse(ctx, "t", TEXT, sizeof TEXT - 1, &mesh));
    assert_near(measure_mesh(mesh, &least), 1.0, 1e-15);
    rico_mesh_destroy(mesh);
}


// Second order: every kind with its nodes in Gmsh's order, so that volumes are right.
static void second_order(void **state)
{
    (void)state;
    static const char TET[] = HEAD
        "$Nodes\n10\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 .5 0 0\n6 .5 .5 0\n7 0 .5 0\n8 0 0 .5\n9 0 .5 "
        ".5\n10 .5 0 .5\n"
        "$EndNodes\n$Elements\n2\n1 11 2 1 1 1 2 3 4 5 6 7 8 9 10\n2 9 2 2 1 1 3 2 7 6 5\n$EndElements\n";
    static const char PLANE[] =
        HEAD "$Nodes\n11\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 .5 0 0\n6 1 .5 0\n7 .5 1 0\n8 0 .5 0\n9 2 0 "
             "0\n10 1.5 0 0\n"
             "11 1.5 .5 0\n$EndNodes\n$Elements\n3\n1 16 2 1 1 1 2 3 4 5 6 7 8\n2 9 2 1 1 2 9 3 10 11 6\n"
             "3 8 2 2 1 1 2 5\n$EndElements\n";
    double least;
    assert_ok(ctx, rico_mesh_parse(ctx, "t", TET, sizeof TET - 1, &mesh));
    assert_near(measure_mesh(mesh, &least), 1.0 / 6.0, 1e-15);
    rico_mesh_destroy(mesh);
    assert_ok(ctx, rico_mesh_parse(ctx, "t", PLANE, sizeof PLANE - 1, &mesh));
    assert_near(measure_mesh(mesh, &least), 1.5, 1e-15);
    assert_near(measure_group(mesh, "group-2").size, 1.0, 1e-15);
    rico_mesh_destroy(mesh);
}


typedef struct trap {
    const char *text, *sentence;
} trap;

static const trap TRAPS[] = {
    {"", "t: neither a mesh of Gmsh, which begins with $MeshFormat, nor a VTU file"},
    {"hello", "t: neither a mesh of Gmsh, which begins with $MeshFormat, nor a VTU file"},
    {"$NOD\n3\n",
     "t: the format is MSH 1; 2.2 and 4.1 are read, which Gmsh writes by -format msh22 or msh41"},
    {"# vtk DataFile Version 3.0\n", "t: this is VTK's old format; save it as .vtu"},
    {"$MeshFormat\n", "t: line 2: the file ends where the version of the format is expected"},
    {"$MeshFormat\n4 0 8\n",
     "t: line 2: the format is MSH 4; 2.2 and 4.1 are read, which Gmsh writes by -format msh22 or msh41"},
    {"$MeshFormat\n2.2 5 8\n", "t: line 2: the type of the file is 5; text is 0, binary 1"},
    {"$MeshFormat\n2.2 0 4\n", "t: line 2: the size of numbers is 4 bytes; 8 are read"},
    {"$MeshFormat\n4.1 1 8\nabcd\n", "t: byte 24: 1684234849 stands where 1 tells the order of bytes"},
    {"$MeshFormat\n2.2 0 8\n$Nodes\n", "t: line 3: '$Nodes' stands where $EndMeshFormat is expected"},
    {HEAD, "t: the file has no section $Nodes"},
    {HEAD NODES, "t: the file has no section $Elements"},
    {HEAD "Nodes\n", "t: line 4: a section is expected here, which begins with $"},
    {HEAD "$Nodes\n1\n1 0 0 nan\n", "t: line 6: 'nan' stands where the z of a node is expected"},
    {HEAD "$Nodes\n2\n1 0 0 0\n$EndNodes\n",
     "t: line 7: '$EndNodes' stands where the number of a node is expected"},
    {HEAD "$Nodes\n1\n1 0 0 0\n2 0 0 0\n$EndNodes\n",
     "t: line 7: '2 0 0 0' stands where $EndNodes is expected"},
    {HEAD "$Nodes\n4000000000000\n1 0 0 0\n$EndNodes\n",
     "t: line 6: the number of nodes is 4000000000000, more than the rest of the file can hold"},
    {HEAD "$Nodes\n-4\n$EndNodes\n", "t: line 5: the number of nodes is -4"},
    {HEAD "$Nodes\n2\n1 0 0 0\n1 1 0 0\n$EndNodes\n$Elements\n0\n$EndElements\n",
     "t: there are two nodes with the number 1"},
    {HEAD NODES "$Elements\n1\n1 6 2 1 1 1 2 3 4 1 2\n$EndElements\n",
     "t: line 13: element 1 is of Gmsh's type 6, a prism of 6 nodes; mesh with tetrahedra or hexahedra only"},
    {HEAD NODES "$Elements\n1\n8 10 2 1 1 1 2 3 4\n$EndElements\n",
     "t: line 13: element 8 is of Gmsh's type 10, a quadrilateral of 9 nodes; Mesh.SecondOrderIncomplete = 1 "
     "gives those of 8"},
    {HEAD NODES "$Elements\n1\n8 99 2 1 1 1 2 3 4\n$EndElements\n",
     "t: line 13: element 8 is of Gmsh's type 99, which is not known here"},
    {HEAD NODES "$Elements\n1\n1 3 2 1 1 1 2 3 9\n$EndElements\n",
     "t: element 1 has a node 9, which is not there"},
    {HEAD NODES "$Elements\n1\n1 3 2 1 1 1 2 3 3\n$EndElements\n", "t: cell 1 (Q4) has the node 3 twice"},
    {HEAD NODES "$Elements\n1\n7 3 2 1 1 4 3 2 1\n$EndElements\n",
     "t: element 7 (Q4) is inverted: its Jacobian is -0.25 in its middle (1 of 1 elements); all are: the "
     "mesh is seen from "
     "behind. List the nodes of each the other way around, in Gmsh by 'ReverseMesh Surface{:};'"},
    {HEAD NODES "$Elements\n2\n7 2 2 1 1 1 2 3\n8 2 2 1 1 1 4 3\n$EndElements\n",
     "t: element 8 (T3) is inverted: its Jacobian is -1 in its middle (1 of 2 elements); check its corners, "
     "and the middles of "
     "its edges if it has them"},
    {HEAD "$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 2 0 0\n$EndNodes\n$Elements\n1\n4 2 2 1 1 1 2 3\n$EndElements\n",
     "t: element 4 (T3) has no volume: its Jacobian is 0 in its middle (1 of 1 elements)"},
    {HEAD "$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 .5\n$EndNodes\n$Elements\n1\n4 2 2 1 1 1 2 3\n$EndElements\n",
     "t: node 3 of the element 4 (T3) has z = 0.5; the mesh has elements of dimension 2 only and must lie in "
     "the plane, with z = 0"},
    {HEAD NODES "$Elements\n1\n1 15 2 1 1 1\n$EndElements\n",
     "t: the mesh has no elements: none of its 1 cells is a line, a face or a solid"},
    {HEAD NODES "$Elements\n1\n1 3 -2 1 1 1 2 3 4\n$EndElements\n", "t: line 13: element 1 has -2 tags"},
    {HEAD NODES "$Elements\n1\n1 3 2 1 1 1 2",
     "t: line 13: the file ends where a node of an element is expected"},
    {HEAD NODES "$Elements\n1\n1 3 2 1 1 1 2 3 4\n", "t: line 14: the section $Elements has no end"},
    {HEAD "$Comments\nfor ever", "t: line 5: the section $Comments has no end"},
    {HEAD NODES NODES, "t: line 13: there is a second section of nodes"},
    {HEAD "$PhysicalNames\n2\n1 1 \"a\"\n1 1 \"b\"\n$EndPhysicalNames\n",
     "t: line 8: the physical group 1 of dimension 1 has two names, 'a' and 'b'"},
    {HEAD "$PhysicalNames\n1\n1 1 \"a\n$EndPhysicalNames\n",
     "t: line 6: the name of the physical group 1 has no end"},
    {HEAD "$PhysicalNames\n1\n1 1 \"\"\n$EndPhysicalNames\n", "t: line 6: the physical group 1 has no name"},
    {HEAD "$PhysicalNames\n2\n1 1 \"a\"\n2 1 \"a\"\n$EndPhysicalNames\n" NODES
          "$Elements\n2\n1 1 1 1 1 2\n2 3 1 1 1 2 3 4\n$EndElements\n",
     "t: two groups are named 'a'; give each a name of its own, also where their cells are of different "
     "dimensions"},
    {HEAD4 "$Nodes\n1 9 1 3\n2 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
     "t: line 12: 9 nodes are announced and 3 are there"},
    {HEAD4 "$Nodes\n1 1 1 3\n2 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n$EndNodes\n",
     "t: line 6: a block has 3 nodes where 1 are left"},
    {HEAD4 NODES4 "$Elements\n1 1 1 1\n2 1 7 1\n1 1 2 3 4 5\n$EndElements\n",
     "t: line 17: element 1 is of Gmsh's type 7, a pyramid of 5 nodes; mesh with tetrahedra or hexahedra "
     "only"},
    {HEAD4 NODES4 "$Elements\n1 1 1 1\n1 1 2 1\n1 1 2 3\n$EndElements\n",
     "t: line 17: a block of dimension 1 has elements of the kind T3"},
    {HEAD4 "$Entities\n1 0 0 99999999\n",
     "t: line 5: the number of volumes is 99999999, more than the rest of the file can hold"},
};


static void traps(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < sizeof TRAPS / sizeof *TRAPS; i++) {
        rico_status status = rico_mesh_parse(ctx, "t", TRAPS[i].text, (int64_t)strlen(TRAPS[i].text), &mesh);
        if (status != RICO_BAD_INPUT || strcmp(rico_message(ctx), TRAPS[i].sentence) != 0)
            print_error("trap %d: %s\n   said: %s\n   not:  %s\n", (int)i, rico_status_name(status),
                        rico_message(ctx), TRAPS[i].sentence);
        wrong += status != RICO_BAD_INPUT || strcmp(rico_message(ctx), TRAPS[i].sentence) != 0;
    }
    assert_int_equal(wrong, 0);
}


// Names without cells are told, not refused.
static void missing_group(void **state)
{
    (void)state;
    static const char TEXT[] = HEAD "$PhysicalNames\n1\n1 7 \"wall\"\n$EndPhysicalNames\n" NODES
                                    "$Elements\n1\n1 3 2 5 1 1 2 3 4\n$EndElements\n";
    warnings[0] = '\0';
    rico_context_set_log(ctx, listen, NULL, RICO_LOG_WARNING);
    assert_ok(ctx, rico_mesh_parse(ctx, "t", TEXT, sizeof TEXT - 1, &mesh));
    rico_context_set_log(ctx, NULL, NULL, RICO_LOG_WARNING);
    assert_string_equal(warnings, "t: the physical group 'wall' has no cells\n");
    assert_int_equal(rico_mesh_group_find(mesh, "wall"), -1);
    rico_mesh_destroy(mesh);
}


static void from_disk(void **state)
{
    (void)state;
    char path[] = "/tmp/rico-msh-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *out = fdopen(descriptor, "w");
    put_flavour(&file, 4);
    assert_int_equal(fwrite(file.data, 1, (size_t)file.size, out), file.size);
    fclose(out);
    assert_ok(ctx, rico_mesh_read(ctx, path, &mesh));
    assert_int_equal(rico_mesh_look(mesh).cells, 7);
    rico_mesh_destroy(mesh);
    remove(path);
    assert_int_equal(rico_mesh_read(ctx, path, &mesh), RICO_IO_ERROR);
}


static rico_status parse(rico_context *failing, void *user)
{
    rico_mesh *made = NULL;
    put_flavour(&file, *(int *)user);
    rico_status status = rico_mesh_parse(failing, "t", file.data, file.size, &made);
    rico_mesh_destroy(made);
    return status;
}


static void memory(void **state)
{
    (void)state;
    for (int flavour = 0; flavour < SAMPLE_FLAVOURS; flavour++)
        assert_true(every_allocation_fails(parse, &flavour) > 20);
}


// Whatever the bytes, there is an answer, and nothing is left behind.
static void try_bytes(const unsigned char *bytes, int64_t size)
{
    rico_mesh *made = NULL;
    // a copy of exactly that size, so that reading beyond it is seen
    unsigned char *copy = malloc(size > 0 ? (size_t)size : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, (size_t)size);
    rico_status status = rico_mesh_parse(ctx, "t", copy, size, &made);
    if (status == RICO_OK)
        rico_mesh_destroy(made);
    else
        assert_true(status == RICO_BAD_INPUT && made == NULL);
    free(copy);
}


static void every_truncation(void **state)
{
    (void)state;
    for (int flavour = 0; flavour < SAMPLE_FLAVOURS; flavour++) {
        put_flavour(&file, flavour);
        for (int64_t size = 0; size < file.size; size++) try_bytes(file.data, size);
    }
}


// A binary file that breaks off says where, and what was to come.
static void truncated_binary(void **state)
{
    (void)state;
    char expected[100];
    put_flavour(&file, 1);
    int64_t at = 0;
    while (memcmp(file.data + at, "$Nodes\n7\n", 9) != 0) at++;
    at += 9; // the first node takes 4 + 24 bytes
    assert_int_equal(rico_mesh_parse(ctx, "t", file.data, at + 28 * 4 + 4 + 8 + 3, &mesh), RICO_BAD_INPUT);
    // the count is held against what is left before that
    assert_non_null(
        strstr(rico_message(ctx), "the number of nodes is 7, more than the rest of the file can hold"));
    put_flavour(&file, 4);
    at = file.size - (int64_t)strlen("\n$EndElements\n") - 5;
    assert_int_equal(rico_mesh_parse(ctx, "t", file.data, at, &mesh), RICO_BAD_INPUT);
    snprintf(expected, sizeof expected, "t: byte %lld: the file ends where a node of an element is expected",
             (long long)(at - 3));
    assert_string_equal(rico_message(ctx), expected);
}


// RICO_DRAWS asks for more.
static void mutations(void **state)
{
    (void)state;
    const char *asked = getenv("RICO_DRAWS");
    int64_t draws = asked ? atoll(asked) : 4000;
    rico_random random;
    rico_random_seed(&random, 14);
    for (int64_t draw = 0; draw < draws; draw++) {
        put_flavour(&file, (int)(draw % SAMPLE_FLAVOURS));
        int64_t changes = 1 + rico_random_below(&random, 4);
        for (int64_t i = 0; i < changes; i++) {
            int64_t at = rico_random_below(&random, file.size), other = rico_random_below(&random, file.size);
            switch (rico_random_below(&random, 5)) {
            case 0:
                file.data[at] = (unsigned char)rico_random_bits(&random);
                break;
            case 1:
                file.data[at] ^= (unsigned char)(1U << rico_random_below(&random, 8));
                break;
            case 2:
                file.data[at] = (unsigned char)('0' + rico_random_below(&random, 10));
                break;
            case 3:
                file.data[at] = file.data[other];
                break;
            default: // a piece is lost
                other = at + 1 + rico_random_below(&random, 9);
                if (other > file.size) other = file.size;
                memmove(file.data + at, file.data + other, (size_t)(file.size - other));
                file.size -= other - at;
                if (file.size == 0) file.size = 1;
                break;
            }
        }
        try_bytes(file.data, file.size);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flavours),         cmocka_unit_test(other_line_ends),  cmocka_unit_test(twins),
        cmocka_unit_test(parametric),       cmocka_unit_test(second_order),     cmocka_unit_test(traps),
        cmocka_unit_test(missing_group),    cmocka_unit_test(from_disk),        cmocka_unit_test(memory),
        cmocka_unit_test(every_truncation), cmocka_unit_test(truncated_binary), cmocka_unit_test(mutations)};
    return cmocka_run_group_tests(tests, context_start, context_end);
}
