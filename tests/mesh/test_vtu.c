// VTU files: what is written is read back, files of others too, and every trap has its sentence.

#include "base/file.h"
#include "failing_memory.h"
#include "mesh/measure.h"
#include "one_context.h"

#include <unistd.h>

static char path[64];


static int start(void **state)
{
    snprintf(path, sizeof path, "/tmp/rico-vtu-XXXXXX");
    int descriptor = mkstemp(path);
    if (descriptor < 0) return 1;
    close(descriptor);
    return context_start(state);
}


static int end(void **state)
{
    remove(path);
    return context_end(state);
}


static void same(const rico_mesh *a, const rico_mesh *b)
{
    rico_mesh_view v = rico_mesh_look(a), w = rico_mesh_look(b);
    assert_int_equal(v.dimension, w.dimension);
    assert_int_equal(v.nodes, w.nodes);
    assert_int_equal(v.cells, w.cells);
    assert_int_equal(v.groups, w.groups);
    assert_memory_equal(v.position, w.position, (size_t)(3 * v.nodes) * sizeof(double));
    assert_memory_equal(v.kind, w.kind, (size_t)v.cells);
    assert_memory_equal(v.start, w.start, (size_t)(v.cells + 1) * sizeof(int64_t));
    assert_memory_equal(v.node, w.node, (size_t)v.start[v.cells] * sizeof(int64_t));
    for (int64_t i = 0; i < v.groups; i++) {
        rico_mesh_group g = rico_mesh_group_at(a, i), h = rico_mesh_group_at(b, i);
        assert_string_equal(g.name, h.name);
        assert_int_equal(g.count, h.count);
        assert_memory_equal(g.cell, h.cell, (size_t)g.count * sizeof(int64_t));
    }
}


// Every generator and kind, in every format: bit for bit.
static void there_and_back(void **state)
{
    (void)state;
    for (int g = 0; rico_mesh_generator_at(g); g++) {
        const rico_mesh_generator *about = rico_mesh_generator_at(g);
        for (int k = 0; about->options[0].choices[k]; k++)
            for (int format = 0; format < 3; format++) {
                rico_mesh *mesh, *back;
                double values[16], time = 0.1;
                for (int i = 0; i < about->option_count; i++)
                    values[i] = about->options[i].type == RICO_INTEGER ? 2 : about->options[i].standard / 3.0;
                values[0] = k;
                for (int i = 1; i < about->option_count; i++)
                    if (about->options[i].type != RICO_INTEGER)
                        values[i] = fmax(about->options[i].low, about->options[i].standard);
                assert_ok(ctx, rico_mesh_generate(ctx, about->name, values, &mesh));
                rico_mesh_view v = rico_mesh_look(mesh);
                rico_mesh_field node = {"u <&\">", 3, v.position, NULL}, cell = {"n", 1, NULL, v.start};
                rico_mesh_output o = {.groups = true,
                                      .time = &time,
                                      .node_fields = 1,
                                      .node_field = &node,
                                      .cell_fields = 1,
                                      .cell_field = &cell,
                                      .format = (rico_vtu_format)format};
                assert_ok(ctx, rico_mesh_write_vtu(ctx, mesh, &o, path));
                assert_ok(ctx, rico_mesh_read(ctx, path, &back));
                same(mesh, back);
                rico_mesh_destroy(back);
                rico_mesh_destroy(mesh);
            }
    }
}


// The text of a small file, to the letter: one Tet10, whose last two nodes VTK has the other way around, moved, without its face.
static void letters(void **state)
{
    (void)state;
    static const double X[] = {0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2, 1, 0, 0,
                               1, 1, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 1, 0, 1};
    static const unsigned char KIND[] = {RICO_CELL_T6, RICO_CELL_TET10};
    static const int64_t NODE[] = {0, 2, 1, 6, 5, 4, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, CELL[] = {1};
    static const rico_mesh_group GROUP = {"a<b", 0, 1, CELL};
    static const double STRESS[] = {1, 2, 3, 4, 5, 0.1};
    rico_mesh_field field = {"stress", 6, STRESS, NULL};
    rico_mesh_arrays a = {
        .nodes = 10, .position = X, .cells = 2, .kind = KIND, .node = NODE, .groups = 1, .group = &GROUP};
    rico_mesh_output o = {.elements_only = true,
                          .groups = true,
                          .cell_fields = 1,
                          .cell_field = &field,
                          .format = RICO_VTU_TEXT};
    rico_mesh *mesh;
    assert_ok(ctx, rico_mesh_create(ctx, &a, &mesh));
    assert_ok(ctx, rico_mesh_write_vtu(ctx, mesh, &o, path));
    char *text;
    size_t length;
    assert_ok(ctx, rico_file_load(ctx, path, &text, &length));
    static const char *const PARTS[] = {"<Piece NumberOfPoints=\"10\" NumberOfCells=\"1\">\n",
                                        "<CellData>\n<DataArray type=\"Float64\" Name=\"stress\" "
                                        "NumberOfComponents=\"6\" format=\"ascii\">\n1 2 3 4 5 "
                                        "0.10000000000000001\n</DataArray>\n",
                                        "<DataArray type=\"UInt8\" Name=\"group:a&lt;b\" "
                                        "NumberOfComponents=\"1\" format=\"ascii\">\n1\n</DataArray>\n",
                                        "\n0 1 1\n1 0 1\n</DataArray>\n</Points>\n",
                                        "format=\"ascii\">\n0\n1\n2\n3\n4\n5\n6\n7\n9\n8\n</DataArray>\n",
                                        "\n10\n</DataArray>\n",
                                        "\n24\n</DataArray>\n"};
    const char *at = text;
    for (size_t i = 0; at && i < sizeof PARTS / sizeof *PARTS; i++) {
        at = strstr(at, PARTS[i]);
        if (at == NULL) fail_msg("part %d is not there:\n%s", (int)i, text);
    }
    rico_free(ctx, text);
    field.integer = CELL;
    assert_int_equal(rico_mesh_write_vtu(ctx, mesh, &o, path), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_mesh_write_vtu(ctx, mesh, NULL, "/nowhere/at/all.vtu"), RICO_IO_ERROR);
    rico_mesh_destroy(mesh);
}


#define OPEN(attributes)                                                                                     \
    "<?xml version=\"1.0\"?>\n<!-- > --><VTKFile type=\"UnstructuredGrid\" " attributes                      \
    ">\n<UnstructuredGrid>\n"
#define PIECE "<Piece NumberOfPoints=\"3\" NumberOfCells=\"1\">\n"
#define POINTS                                                                                               \
    "<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1 0 0 0 1 "         \
    "0</DataArray></Points>\n"
#define ARRAY(type, name, more) "<DataArray type=\"" type "\" Name=\"" name "\" " more
#define CONNECTIVITY ARRAY("Int32", "connectivity", ">0 1 2</DataArray>\n")
#define OFFSETS ARRAY("Int32", "offsets", ">3</DataArray>\n")
#define TYPES ARRAY("UInt8", "types", ">5</DataArray>\n")
#define CELLS "<Cells>" CONNECTIVITY OFFSETS TYPES "</Cells>\n"
#define CLOSE "</Piece></UnstructuredGrid></VTKFile>\n"


static void by_hand(void **state)
{
    (void)state;
    static const char *const TEXTS[] = {
        OPEN("byte_order=\"LittleEndian\"") PIECE POINTS CELLS CLOSE,
        OPEN("") PIECE CELLS
        "<PointData><DataArray type=\"String\" Name=\"s\">x</DataArray></PointData>" POINTS CLOSE,
        // 3 bytes of types behind a length of four: 01 00 00 00 05, of the other order of bytes 00 00 00 01 05
        OPEN("byte_order=\"LittleEndian\"") PIECE POINTS "<Cells>" CONNECTIVITY OFFSETS ARRAY(
            "UInt8", "types", "format=\"binary\">\n AQAAAAU=\n</DataArray>") "</Cells>" CLOSE,
        OPEN("byte_order=\"BigEndian\"") PIECE POINTS "<Cells>" CONNECTIVITY OFFSETS ARRAY(
            "UInt8", "types", "format=\"binary\">\n AAAAAQU=\n</DataArray>") "</Cells>" CLOSE,
        OPEN("byte_order=\"LittleEndian\" header_type=\"UInt64\"") PIECE POINTS
        "<Cells>" CONNECTIVITY OFFSETS ARRAY(
            "UInt8", "types",
            "format=\"appended\" offset=\"2\"/>") "</Cells></Piece></UnstructuredGrid>"
                                                  "<AppendedData encoding=\"base64\">\n "
                                                  "_##AQAAAAAAAAAF</AppendedData></VTKFile>"};
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
        rico_mesh *mesh;
        double least;
        assert_ok(ctx, rico_mesh_parse(ctx, "t", TEXTS[i], (int64_t)strlen(TEXTS[i]), &mesh));
        assert_near(measure_mesh(mesh, &least), 0.5, 1e-15);
        rico_mesh_destroy(mesh);
    }
}


static void numbered_groups(void **state)
{
    (void)state;
    static const char TEXT[] =
        OPEN("") PIECE POINTS CELLS "<CellData>" ARRAY("Float64", "group", ">3</DataArray>")
            ARRAY("Int64", "gmsh:physical", ">7</DataArray>") "</CellData>" CLOSE;
    rico_mesh *mesh;
    assert_ok(ctx, rico_mesh_parse(ctx, "t", TEXT, sizeof TEXT - 1, &mesh));
    assert_int_equal(rico_mesh_look(mesh).groups, 1);
    assert_string_equal(rico_mesh_group_at(mesh, 0).name, "group-7");
    rico_mesh_destroy(mesh);
}


static void traps(void **state)
{
    (void)state;
    static const struct {
        const char *text, *sentence;
    } TRAPS[] = {
        {"<VTKFile type=\"PolyData\">", "t: line 1: the file holds 'PolyData'; an UnstructuredGrid is read"},
        {"<VTKFile", "t: line 1: a tag has no end"},
        {"<x/><VTKFile>", "t: line 1: <x> stands before <VTKFile>"},
        {OPEN("compressor=\"vtkZLibDataCompressor\""),
         "t: line 2: the file is compressed by 'vtkZLibDataCompressor'; save it without compression"},
        {OPEN(""), "t: the file has no <Piece>"},
        {OPEN("") PIECE PIECE, "t: line 5: the grid has several pieces; merge them into one"},
        {OPEN("") "<Piece NumberOfPoints=\"9999999999\" NumberOfCells=\"1\">",
         "t: line 4: the number of points is missing or more than the file can hold"},
        {OPEN("") "<Piece NumberOfPoints=\"9\">",
         "t: line 4: the number of cells is missing or more than the file can hold"},
        {OPEN("") PIECE CELLS CLOSE, "t: the array 'points' is missing"},
        {OPEN("") PIECE POINTS CLOSE, "t: the array 'offsets' is missing"},
        {OPEN("") PIECE "<Points><DataArray type=\"Float64\" NumberOfComponents=\"2\"/></Points>" CLOSE,
         "t: points have 2 coordinates; three are read"},
        {OPEN("") PIECE "<Points><DataArray/></Points>" CLOSE, "t: line 5: an array has no type"},
        {OPEN("") PIECE "<Points>" ARRAY("Float64", "p", "NumberOfComponents=\"3\" format=\"odd\"/>"),
         "t: line 5: the array 'p' has the format 'odd'; ascii, binary and appended are read"},
        {OPEN("") PIECE "<Points>" ARRAY("Float64", "p", "NumberOfComponents=\"3\" format=\"appended\"/>"),
         "t: line 5: the array 'p' has no offset"},
        {OPEN("") PIECE POINTS "<Cells>" ARRAY("Int32", "offsets", "format=\"appended\" offset=\"9\"/>"),
         "t: line 6: the numbers of the array 'offsets' lie behind the end of the file"},
        {OPEN("") PIECE POINTS
         "<Cells>" CONNECTIVITY OFFSETS ARRAY("UInt8", "types", "format=\"binary\">AQAAAA==</DataArray>"),
         "t: line 8: the file ends within the array 'types'"},
        {OPEN("") PIECE POINTS
         "<Cells>" CONNECTIVITY OFFSETS ARRAY("UInt8", "types", "format=\"binary\">AgAAAAU=</DataArray>"),
         "t: line 8: the array 'types' has 2 bytes where 1 are expected"},
        {OPEN("") PIECE POINTS "<Cells>" CONNECTIVITY OFFSETS ARRAY("Float32", "types", ">5</DataArray>"),
         "t: line 8: the array 'types' is not of whole numbers"},
        {OPEN("") PIECE POINTS "<Cells>" CONNECTIVITY OFFSETS ARRAY("UInt8", "types", ">13</DataArray>"),
         "t: cell 0 is of VTK's type 13, a wedge"},
        {OPEN("") PIECE POINTS "<Cells>" CONNECTIVITY OFFSETS ARRAY("UInt8", "types", ">9</DataArray>"),
         "t: cell 0 (Q4) has 3 nodes"},
        {OPEN("") PIECE POINTS "<Cells>" CONNECTIVITY ARRAY("Int32", "offsets", ">-3</DataArray>") TYPES,
         "t: cell 0 has the offset -3 behind 0"},
        {OPEN("") PIECE POINTS "<Cells>" ARRAY("Int32", "connectivity", ">0 1</DataArray>") OFFSETS TYPES,
         "t: line 6: the file ends where a whole number of an array is expected"},
        {OPEN("") PIECE POINTS "<Cells>" ARRAY("Int32", "connectivity", ">0 1 3</DataArray>")
             OFFSETS TYPES CLOSE,
         "t: cell 0 (T3) has a node 3; the mesh has 3 nodes, from 0"},
        {OPEN("") "<AppendedData encoding=\"raw\">x", "t: line 4: the appended data do not begin with _"},
    };
    int wrong = 0;
    for (size_t i = 0; i < sizeof TRAPS / sizeof *TRAPS; i++) {
        rico_mesh *mesh;
        rico_status status = rico_mesh_parse(ctx, "t", TRAPS[i].text, (int64_t)strlen(TRAPS[i].text), &mesh);
        bool right = status == RICO_BAD_INPUT && strcmp(rico_message(ctx), TRAPS[i].sentence) == 0;
        if (!right)
            print_error("trap %d: %s\n   said: %s\n   not:  %s\n", (int)i, rico_status_name(status),
                        rico_message(ctx), TRAPS[i].sentence);
        wrong += !right;
    }
    assert_int_equal(wrong, 0);
}


// --- whatever the bytes --------------------------------------------------------------------------------------------

// A small file of each format, with groups.
static char *sample(int format, size_t *length)
{
    rico_mesh *mesh;
    rico_mesh_rectangle o = rico_mesh_rectangle_default();
    char *text;
    o.cells[0] = 2;
    o.cells[1] = 1;
    o.kind = RICO_CELL_T3;
    assert_ok(ctx, rico_mesh_make_rectangle(ctx, &o, &mesh));
    assert_ok(ctx, rico_mesh_write_vtu(ctx, mesh,
                                       &(rico_mesh_output){.groups = true, .format = (rico_vtu_format)format},
                                       path));
    rico_mesh_destroy(mesh);
    assert_ok(ctx, rico_file_load(ctx, path, &text, length));
    return text;
}


static void try_bytes(const char *bytes, int64_t size)
{
    rico_mesh *made = NULL;
    char *copy = malloc(size > 0 ? (size_t)size : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, (size_t)size);
    rico_status status = rico_mesh_parse(ctx, "t", copy, size, &made);
    if (status == RICO_OK)
        rico_mesh_destroy(made);
    else
        assert_true(status == RICO_BAD_INPUT && made == NULL);
    free(copy);
}


static void any_bytes(void **state)
{
    (void)state;
    const char *asked = getenv("RICO_DRAWS");
    int64_t draws = asked ? atoll(asked) : 1000;
    rico_random random;
    rico_random_seed(&random, 14);
    for (int format = 0; format < 3; format++) {
        size_t length;
        char *text = sample(format, &length);
        char *changed = malloc(length);
        assert_non_null(changed);
        for (size_t size = 0; size < length; size++) try_bytes(text, (int64_t)size);
        for (int64_t draw = 0; draw < draws; draw++) {
            memcpy(changed, text, length);
            for (int64_t i = 1 + rico_random_below(&random, 4); i > 0; i--) {
                int64_t at = rico_random_below(&random, (int64_t)length);
                int64_t other = rico_random_below(&random, (int64_t)length);
                switch (rico_random_below(&random, 4)) {
                case 0:
                    changed[at] = (char)rico_random_bits(&random);
                    break;
                case 1:
                    changed[at] = (char)(changed[at] ^ 1 << rico_random_below(&random, 7));
                    break;
                case 2:
                    changed[at] = (char)('0' + rico_random_below(&random, 10));
                    break;
                default:
                    changed[at] = changed[other];
                    break;
                }
            }
            try_bytes(changed, (int64_t)length);
        }
        free(changed);
        rico_free(ctx, text);
    }
}


typedef struct bytes_of {
    char *text;
    size_t length;
} bytes_of;


static rico_status parse_and_write(rico_context *failing, void *user)
{
    const bytes_of *b = user;
    rico_mesh *made = NULL;
    rico_status status = rico_mesh_parse(failing, "t", b->text, (int64_t)b->length, &made);
    if (status == RICO_OK) status = rico_mesh_write_vtu(failing, made, NULL, path);
    rico_mesh_destroy(made);
    return status;
}


static void memory(void **state)
{
    (void)state;
    for (int format = 0; format < 3; format++) {
        bytes_of b;
        b.text = sample(format, &b.length);
        assert_true(every_allocation_fails(parse_and_write, &b) > 20);
        rico_free(ctx, b.text);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(there_and_back), cmocka_unit_test(letters),
                                       cmocka_unit_test(by_hand),        cmocka_unit_test(numbered_groups),
                                       cmocka_unit_test(traps),          cmocka_unit_test(any_bytes),
                                       cmocka_unit_test(memory)};
    return cmocka_run_group_tests(tests, start, end);
}
