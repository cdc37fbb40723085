// Shapes from files: what is read, what is refused, and bytes that are neither.

#include "failing_memory.h"
#include "one_context.h"

#include "collide/shape.h"

static const char *const PATHS[] = {"shape_read_test.obj", "shape_read_test.stl"};


static const char *write_file(bool stl, const void *bytes, size_t length)
{
    FILE *file = fopen(PATHS[stl], "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    fclose(file);
    return PATHS[stl];
}


static const char OBJ[] =
    "# a cube\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nvn 0 0 1\n"
    "f 4 3 2 1\nf 5/1 6/2 7/3 8/4\nf 1//1 2//1 6//1 5//1\nf 2 3 7 6\nf -6 -5 -1 -2\nf 4 1 5 8\n";


static void check_cube(const char *path, bool hull)
{
    rico_shape *shape;
    rico_mass_properties unit;
    assert_ok(ctx, rico_shape_read(ctx, path, 2.0, hull, &shape));
    assert_ok(ctx, rico_shape_mass(ctx, shape, &unit));
    assert_near(unit.mass, 8.0, 1e-14);
    for (int i = 0; i < 3; i++) assert_near(unit.center[i], 1.0, 1e-15);
    assert_near(unit.inertia[0], 8.0 * 8.0 / 12.0, 1e-14);
    rico_shape_destroy(shape);
}


// The triangles of the cube as binary STL.
static size_t binary_cube(char bytes[84 + 12 * 50])
{
    static const float X[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                  {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    static const int QUAD[6][4] = {{3, 2, 1, 0}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                   {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
    memset(bytes, 0, 84 + 12 * 50);
    bytes[80] = 12;
    for (int k = 0; k < 12; k++) {
        const int *q = QUAD[k / 2], corner[3] = {q[0], q[k % 2 ? 2 : 1], q[k % 2 ? 3 : 2]};
        for (int c = 0; c < 3; c++) memcpy(&bytes[84 + 50 * k + 12 + 12 * c], X[corner[c]], sizeof X[0]);
    }
    return 84 + 12 * 50;
}


// Each axis by itself, some of them mirrored: the surface stays closed and its outside outside.
static void stretched(void **state)
{
    (void)state;
    const char *path = write_file(false, OBJ, strlen(OBJ));
    static const double SCALE[][3] = {{1, 2, 3}, {-1, 2, 3}, {-1, 2, -3}, {-1, -2, -3}};
    rico_shape *shape;
    for (int i = 0; i < 4; i++)
        for (int hull = 0; hull < 2; hull++) {
            const double *s = SCALE[i];
            rico_mass_properties unit;
            assert_ok(ctx, rico_shape_read_scaled(ctx, path, s, hull, &shape));
            assert_ok(ctx, rico_shape_mass(ctx, shape, &unit));
            assert_near(unit.mass, 6.0, 1e-14);
            for (int k = 0; k < 3; k++) assert_near(unit.center[k], 0.5 * s[k], 1e-15);
            assert_near(unit.inertia[0], 6.0 * (4.0 + 9.0) / 12.0, 1e-14);
            rico_shape_destroy(shape);
        }
    const double flat[3] = {1.0, 0.0, 1.0};
    assert_int_equal(rico_shape_read_scaled(ctx, path, flat, true, &shape), RICO_BAD_ARGUMENT);
    assert_non_null(strstr(rico_message(ctx), "1 0 1"));
}


static void cubes(void **state)
{
    (void)state;
    char bytes[84 + 12 * 50] = {0};
    check_cube(write_file(false, OBJ, strlen(OBJ)), false);
    check_cube(PATHS[0], true);
    check_cube(write_file(true, bytes, binary_cube(bytes)), false);
    check_cube(PATHS[1], true);
    // the same as text
    char text[8192];
    int at = snprintf(text, sizeof text, "solid cube\n");
    for (int k = 0; k < 12; k++) {
        at += snprintf(text + at, sizeof text - (size_t)at, " facet normal 0 0 0\n  outer loop\r\n");
        for (int c = 0; c < 3; c++) {
            float x[3];
            memcpy(x, &bytes[84 + 50 * k + 12 + 12 * c], sizeof x);
            at += snprintf(text + at, sizeof text - (size_t)at, "   vertex %g %g %ge0\n", x[0], x[1], x[2]);
        }
        at += snprintf(text + at, sizeof text - (size_t)at, "  endloop\n endfacet\n");
    }
    at += snprintf(text + at, sizeof text - (size_t)at, "endsolid cube\n");
    check_cube(write_file(true, text, (size_t)at), false);
}


static void refused(bool stl, const char *text, size_t length, const char *words)
{
    rico_shape *shape = NULL;
    const char *path = write_file(stl, text, length);
    rico_status status = rico_shape_read(ctx, path, 1.0, false, &shape);
    assert_true(status != RICO_OK);
    assert_null(shape);
    if (!strstr(rico_message(ctx), words) || !strstr(rico_message(ctx), path))
        fail_msg("'%s' does not say '%s'", rico_message(ctx), words);
}


static void wrong_files(void **state)
{
    (void)state;
    rico_shape *shape;
    char bytes[84 + 12 * 50];
    size_t length = binary_cube(bytes);
    refused(true, bytes, length - 1, "byte 683");
    refused(true, bytes, 20, "byte 20");
    memset(bytes + 80, 0xff, 4);
    refused(true, bytes, length, "4294967295 triangles");
    binary_cube(bytes);
    memset(bytes + 84 + 50 + 12, 0xff, 4);
    refused(true, bytes, length, "byte 146: triangle 2");
    refused(false, "v 0 0\n", 6, "line 1: a vertex has three numbers");
    refused(false, "v 0 0 0\nv 1 0 nan\n", 18, "line 2: this is no finite number: 'nan'");
    refused(false, "v 0 0 0\nf 1 2 3\n", 16, "line 2: there is no vertex so far of the number '2'");
    refused(false, "v 0 0 0\nf -2 1 1\n", 17, "number '-2'");
    refused(false, "v 0 0 0\nf 1 1\n", 14, "line 2: a face has at least three corners");
    refused(false, "v 0 0 0\nf 1 1 x\n", 16, "no corner of a face: 'x'");
    refused(false, "hello\n", 6, "begin with 'hello'");
    refused(false, "", 0, "is none");
    refused(true, "solid\nvertex 0 0 0\nendloop\n", 27, "line 3: a facet of STL has three vertices");
    refused(true, "solid\nvertex 0 0 0\n", 19, "ends inside a facet");
    assert_int_equal(rico_shape_read(ctx, "no/such/file.obj", 1.0, false, &shape), RICO_IO_ERROR);
    assert_int_equal(rico_shape_read(ctx, PATHS[0], 0.0, false, &shape), RICO_BAD_ARGUMENT);
}


// Files with some of their bytes changed, and cut off: a shape or a sentence, nothing else.
static void mutated_files(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 7);
    const char *given = getenv("RICO_FILES");
    int64_t count = given ? atoll(given) : 3000;
    char binary[84 + 12 * 50], held[2048];
    size_t lengths[2] = {strlen(OBJ), binary_cube(binary)};
    for (int64_t k = 0; k < count; k++) {
        bool stl = k % 2;
        size_t length = lengths[stl];
        memcpy(held, stl ? binary : OBJ, length);
        for (int64_t m = rico_random_below(&random, 6); m >= 0; m--) {
            size_t place = (size_t)rico_random_below(&random, (int64_t)length);
            static const char LIKELY[] = "-/ \n.e9v#f0";
            held[place] = rico_random_below(&random, 2) ? (char)rico_random_below(&random, 256)
                                                        : LIKELY[rico_random_below(&random, 11)];
        }
        if (rico_random_below(&random, 3) == 0) length = (size_t)rico_random_below(&random, (int64_t)length);
        rico_shape *shape = NULL;
        rico_status status = rico_shape_read(ctx, write_file(stl, held, length), 1.0, k % 4 < 2, &shape);
        assert_true((status == RICO_OK) == (shape != NULL));
        rico_shape_destroy(shape);
    }
}


static rico_status read_cube(rico_context *own, void *user)
{
    (void)user;
    rico_shape *shape;
    rico_status status = rico_shape_read(own, PATHS[0], 1.0, false, &shape);
    if (status == RICO_OK) rico_shape_destroy(shape);
    return status;
}


static void memory_runs_out(void **state)
{
    (void)state;
    write_file(false, OBJ, strlen(OBJ));
    assert_true(every_allocation_fails(read_cube, NULL) > 5);
    remove(PATHS[0]);
    remove(PATHS[1]);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stretched),     cmocka_unit_test(cubes),           cmocka_unit_test(wrong_files),
        cmocka_unit_test(mutated_files), cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
