// Matrices from files: every format gives the matrix it stands for, and every mistake its line or dataset.

#include "support.h"

#include "scene/matrix.h"
#include "scene/matrix_file.h"

#include <hdf5.h>
#include <unistd.h>

static rico_context *ctx;
static char folder[] = "/tmp/rico-matrix-XXXXXX";

static const char *write_file(const char *name, const char *text, size_t length)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fwrite(text, 1, length, out);
    fclose(out);
    return path;
}


static void expect_equal(const rico_csc *a, int64_t rows, int64_t cols, const double *dense)
{
    assert_true(a->rows == rows && a->cols == cols);
    double *found = rico_alloc(ctx, rows * cols, sizeof *found);
    for (int64_t j = 0; j < cols; j++) {
        for (int64_t k = a->start[j]; k < a->start[j + 1]; k++) found[a->row[k] * cols + j] += a->value[k];
    }
    for (int64_t k = 0; k < rows * cols; k++) assert_true(found[k] == dense[k]);
    rico_free(ctx, found);
}


static void expect_file(const char *name, const char *text, int64_t rows, int64_t cols, const double *dense)
{
    rico_csc a = {0};
    assert_ok(ctx, rico_matrix_file_read(ctx, write_file(name, text, strlen(text)), &a));
    expect_equal(&a, rows, cols, dense);
    rico_csc_destroy(&a);
}


static void test_matrix_market(void **state)
{
    (void)state;
    expect_file("a.mtx",
                "%%MatrixMarket matrix coordinate real general\n% comment\n\n2 3 3\n1 1 1.5\n2 3 -2\n1 1 1\n",
                2, 3, (double[]){2.5, 0, 0, 0, 0, -2});
    expect_file("a.mtx", "%%matrixmarket MATRIX Coordinate Integer Symmetric\r\n2 2 2\r\n1 1 4\r\n2 1 7\r\n",
                2, 2, (double[]){4, 7, 7, 0});
    expect_file("A.MTX", "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 3\n", 2, 2,
                (double[]){0, -3, 3, 0});
    expect_file("a.mtx", "%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6", 2, 3,
                (double[]){1, 3, 5, 2, 4, 6});
    expect_file("a.mtx", "%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n", 2, 2,
                (double[]){1, 2, 2, 3});
    expect_file("a.mtx", "%%MatrixMarket matrix array real skew-symmetric\n2 2\n5\n", 2, 2,
                (double[]){0, -5, 5, 0});
    expect_file("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 0\n", 2, 2,
                (double[]){0, 0, 0, 0});
}


static void test_csv(void **state)
{
    (void)state;
    const double dense[] = {1, 2.5, 0, -4};
    expect_file("a.csv", "1,2.5\n0,-4\n", 2, 2, dense);
    expect_file("a.csv", "# x;y\n1; 2.5\r\n\n 0 ;-4e0", 2, 2, dense);
    expect_file("a.csv", "1 2.5\n0\t-4  \n", 2, 2, dense);
    expect_file("a.csv", "7\n", 1, 1, (double[]){7});
}


// What is wrong, and the line that says so.
static void test_bad_text(void **state)
{
    (void)state;
    static const char head[] = "%%MatrixMarket matrix coordinate real general\n";
    const struct {
        const char *name, *head, *text, *part;
    } cases[] = {
        {"a.mtx", "", "", ":1: begin the file with '%%MatrixMarket"},
        {"a.mtx", "", "1 2 3\n", ":1: begin the file with"},
        {"a.mtx", "", "%%MatrixMarket matrix list real general\n1 1\n",
         ":1: a matrix is stored as 'coordinate' or 'array', not 'list'"},
        {"a.mtx", "", "%%MatrixMarket matrix array complex general\n1 1\n",
         ":1: the entries must be 'real' or 'integer', not 'complex'"},
        {"a.mtx", "", "%%MatrixMarket matrix array real hermitian\n1 1\n",
         ":1: the matrix must be 'general'"},
        {"a.mtx", head, "", ":1: the sizes are missing; write 'rows columns entries'"},
        {"a.mtx", head, "1 1\n", ":2: the sizes are missing"},
        {"a.mtx", head, "1 1 x\n", ":2: a size must be a whole number, not 'x'"},
        {"a.mtx", head, "1 1 1 1\n", ":2: the line of sizes has one too many: '1'"},
        {"a.mtx", head, "1 1 1000000\n", ":2: the sizes are more than a file of this length can hold"},
        {"a.mtx", head, "1000000000000 1 1\n", ":2: the sizes are more"},
        {"a.mtx", "", "%%MatrixMarket matrix array real general\n99999 99999\n", ":2: the sizes are more"},
        {"a.mtx", "", "%%MatrixMarket matrix array real symmetric\n1 2\n",
         ":2: a symmetric matrix is square"},
        {"a.mtx", head, "2 2 2\n1 1 1\n", ":3: the file ends before the last of its entries"},
        {"a.mtx", head, "2 2 1\n1 1 1\n2 2 2\n",
         ":4: the matrix is complete, but the file goes on with '2 2 2'"},
        {"a.mtx", head, "2 2 1\n0 1 1\n", ":3: a row is a number from 1 to the rows of the matrix, not '0'"},
        {"a.mtx", head, "2 2 1\n1 3 1\n",
         ":3: a column is a number from 1 to the columns of the matrix, not '3'"},
        {"a.mtx", head, "2 2 1\n1 1\n", ":3: the value is missing"},
        {"a.mtx", head, "2 2 1\n1\n", ":3: an entry is 'row column value'"},
        {"a.mtx", head, "2 2 1\n1 1 nan\n", ":3: a value must be a finite number, not 'nan'"},
        {"a.mtx", head, "2 2 1\n1 1 1 1\n", ":3: the line goes on after its value; remove '1'"},
        {"a.mtx", "", "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n",
         ":3: an entry of a symmetric matrix stands above"},
        {"a.mtx", "", "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 1\n",
         ":3: a skew-symmetric matrix has no diagonal"},
        {"a.csv", "", "", ":1: there are no numbers in it"},
        {"a.csv", "", "# only a heading\n", ":1: there are no numbers"},
        {"a.csv", "", "x,y\n1,2\n", ":1: a field must be a finite number (begin headings with #), not 'x'"},
        {"a.csv", "", "1,2\n3,inf\n", ":2: a field must be a finite number, not 'inf'"},
        {"a.csv", "", "1,2\n3\n", ":2: this row has 1 fields, those above 2"},
        {"a.csv", "", "1,,2\n", ":1: a field is empty"},
        {"a.csv", "", "1,2,\n", ":1: the last field of the row is empty"},
        {"a.csv", "", "1,5;2,5\n", ":1: the row mixes ',' and ';'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        snprintf(text, sizeof text, "%s%s", cases[i].head, cases[i].text);
        rico_csc a = {0};
        const char *path = write_file(cases[i].name, text, strlen(text));
        assert_int_equal(rico_matrix_file_read(ctx, path, &a), RICO_BAD_INPUT);
        if (strncmp(rico_message(ctx), path, strlen(path)) != 0 || !strstr(rico_message(ctx), cases[i].part))
            fail_msg("%s\n  expected %s\n  got %s", text, cases[i].part, rico_message(ctx));
        assert_null(a.start);
    }
    // a NUL hides nothing
    rico_csc a = {0};
    assert_int_equal(rico_matrix_file_read(ctx, write_file("a.csv", "1,2\0,3\n", 7), &a), RICO_BAD_INPUT);
    assert_non_null(strstr(rico_message(ctx), "not '2?'"));
    assert_int_equal(rico_matrix_file_read(ctx, "/no/such.csv", &a), RICO_IO_ERROR);
    assert_int_equal(rico_matrix_file_read(ctx, "matrix.txt", &a), RICO_BAD_INPUT);
}


static void write_dataset(hid_t where, const char *name, hid_t type, int rank, const hsize_t *extent,
                          const void *data)
{
    hid_t space = H5Screate_simple(rank, extent, NULL);
    hid_t set = H5Dcreate2(where, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    H5Dclose(set);
    H5Sclose(space);
}


static void write_sparse(hid_t file, const char *name, int nz, int p_count, const int *p, const int *i,
                         const double *x)
{
    hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const int m = 2, n = 3, nzmax = 3;
    const hsize_t one = 1, three = 3, starts = (hsize_t)p_count;
    write_dataset(group, "m", H5T_NATIVE_INT, 1, &one, &m);
    write_dataset(group, "n", H5T_NATIVE_INT, 1, &one, &n);
    write_dataset(group, "nzmax", H5T_NATIVE_INT, 1, &one, &nzmax);
    write_dataset(group, "nz", H5T_NATIVE_INT, 1, &one, &nz);
    write_dataset(group, "p", H5T_NATIVE_INT, 1, &starts, p);
    write_dataset(group, "i", H5T_NATIVE_INT, 1, &three, i);
    write_dataset(group, "x", H5T_NATIVE_DOUBLE, 1, &three, x);
    H5Gclose(group);
}


static void test_hdf5(void **state)
{
    (void)state;
    char path[128], object[160];
    snprintf(path, sizeof path, "%s/model.h5", folder);
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const double dense[6] = {1, 0, 2, 0, 3, 0}, bad[2] = {1.0, NAN};
    const hsize_t table[2] = {2, 3}, six = 6, two = 2, cube[3] = {1, 2, 3}, none[2] = {0, 5};
    H5Gclose(H5Gcreate2(file, "beam", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    write_dataset(file, "beam/K", H5T_NATIVE_DOUBLE, 2, table, dense);
    write_dataset(file, "f", H5T_NATIVE_DOUBLE, 1, &six, dense);
    write_dataset(file, "bad", H5T_NATIVE_DOUBLE, 1, &two, bad);
    write_dataset(file, "cube", H5T_NATIVE_DOUBLE, 3, cube, dense);
    write_dataset(file, "none", H5T_NATIVE_DOUBLE, 2, none, dense);
    const double x[3] = {1, 3, 2};
    write_sparse(file, "triplets", 3, 3, (const int[]){0, 1, 2}, (const int[]){0, 1, 0}, x);
    write_sparse(file, "columns", -1, 4, (const int[]){0, 1, 2, 3}, (const int[]){0, 1, 0}, x);
    H5Fclose(file);

    static const char *const good[] = {":/beam/K", ":beam/K", ":/triplets", ":/columns"};
    for (int i = 0; i < 4; i++) {
        rico_csc a = {0};
        snprintf(object, sizeof object, "%s%s", path, good[i]);
        assert_ok(ctx, rico_matrix_file_read(ctx, object, &a));
        expect_equal(&a, 2, 3, dense);
        rico_csc_destroy(&a);
    }
    const struct {
        const char *object, *part;
    } cases[] = {{"", "names no dataset; write"},
                 {":", "'' is no name of a dataset"},
                 {":/nothing", "/model.h5: nothing is missing"},
                 {":/f/K", "/model.h5: f is a dataset, not a group"},
                 {":/bad", "bad[1] = nan is not a finite number"},
                 {":/cube", "cube has 3 dimensions, not 1 or 2"},
                 {":/none", "none is empty (0 x 5)"},
                 {":/beam", "beam/m is missing"},
                 {":/0123456789012345678901234567890123456789012345678901234567890123456789",
                  "is no name of a dataset"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rico_csc a = {0};
        snprintf(object, sizeof object, "%s%s", path, cases[i].object);
        assert_int_equal(rico_matrix_file_read(ctx, object, &a), RICO_BAD_INPUT);
        if (!strstr(rico_message(ctx), cases[i].part)) fail_msg("%s: %s", object, rico_message(ctx));
    }
    double *vector = NULL;
    int64_t count = 0;
    snprintf(object, sizeof object, "%s:/f", path);
    assert_ok(ctx, rico_vector_file_read(ctx, object, &count, &vector));
    assert_int_equal(count, 6);
    assert_memory_equal(vector, dense, sizeof dense);
    rico_free(ctx, vector);
}


static void test_vectors(void **state)
{
    (void)state;
    double *vector = NULL;
    int64_t count = 0;
    static const char *const texts[] = {"1,0,3\n", "1\n0\n3\n"};
    for (int i = 0; i < 2; i++) {
        const char *path = write_file("v.csv", texts[i], strlen(texts[i]));
        assert_ok(ctx, rico_vector_file_read(ctx, path, &count, &vector));
        assert_true(count == 3 && vector[0] == 1.0 && vector[1] == 0.0 && vector[2] == 3.0);
        rico_free(ctx, vector);
    }
    const char *path = write_file("v.csv", "1,2\n3,4\n", 8);
    assert_int_equal(rico_vector_file_read(ctx, path, &count, &vector), RICO_BAD_INPUT);
    assert_non_null(strstr(rico_message(ctx), "a vector has one row or one column, this is 2 x 2"));
}


// A scene names a file beside itself; what is wrong with it is told with both places.
static void test_from_a_scene(void **state)
{
    (void)state;
    write_file("K.csv", "2,-1\n-1,2\n", 10);
    write_file("bad.csv", "2,-1\n-1,two\n", 12);
    static const char text[] = "stiffness: {file: K.csv}\nmass: {file: bad.csv}\n";
    char path[128];
    snprintf(path, sizeof path, "%s", write_file("scene.yaml", text, strlen(text)));
    rico_document *document = NULL;
    assert_ok(ctx, rico_document_create(ctx, &document));
    assert_ok(ctx, rico_document_load(document, path));
    rico_node *root = rico_document_root(document);
    rico_csc a = {0};
    assert_ok(ctx, rico_matrix_read(document, rico_node_at(root, "stiffness"), &a));
    expect_equal(&a, 2, 2, (double[]){2, -1, -1, 2});
    rico_csc_destroy(&a);
    assert_int_equal(rico_matrix_read(document, rico_node_at(root, "mass"), &a), RICO_BAD_INPUT);
    assert_non_null(strstr(rico_message(ctx), "scene.yaml:2:14: /tmp/"));
    assert_non_null(strstr(rico_message(ctx), "bad.csv:2: a field must be a finite number, not 'two'"));
    rico_document_destroy(document);
}


static int start(void **state)
{
    (void)state;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    ctx = rico_context_create(NULL);
    return ctx == NULL || mkdtemp(folder) == NULL;
}


static int end(void **state)
{
    (void)state;
    static const char *const names[] = {"a.mtx",    "A.MTX", "a.csv",   "v.csv",
                                        "model.h5", "K.csv", "bad.csv", "scene.yaml"};
    char path[128];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rico_context_destroy(ctx);
    return rmdir(folder);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrix_market), cmocka_unit_test(test_csv),
        cmocka_unit_test(test_bad_text),      cmocka_unit_test(test_hdf5),
        cmocka_unit_test(test_vectors),       cmocka_unit_test(test_from_a_scene),
    };
    return cmocka_run_group_tests(tests, start, end);
}
