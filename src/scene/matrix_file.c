// Matrices and vectors from files: the choice of the format, and HDF5.

#include "scene/matrix_file.h"

#include "base/file.h"
#include "problem/fclib.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

// A size beyond this, and beyond the bytes of its file, is a mistake: memory is not spent on it.
static const int64_t MOST_ROWS = INT64_C(1) << 24;


// Triplets of what is not zero among rows of numbers.
static rico_status from_dense(rico_context *ctx, const char *name, int64_t rows, int64_t cols,
                              const double *value, rico_csc *out)
{
    int64_t total = rows * cols, count = 0;
    if (total == 0) {
        return rico_fail(ctx, RICO_BAD_INPUT, "%s is empty (%lld x %lld)", name, (long long)rows,
                         (long long)cols);
    }
    for (int64_t k = 0; k < total; k++) count += value[k] != 0.0;
    int64_t *row = rico_alloc(ctx, count, sizeof *row), *col = rico_alloc(ctx, count, sizeof *col);
    double *kept = rico_alloc(ctx, count, sizeof *kept);
    rico_status status = row && col && kept ? RICO_OK : RICO_NO_MEMORY;
    if (status == RICO_OK) {
        int64_t next = 0;
        for (int64_t k = 0; k < total; k++) {
            if (value[k] == 0.0) continue;
            row[next] = k / cols;
            col[next] = k % cols;
            kept[next++] = value[k];
        }
        status = rico_csc_from_triplets(ctx, name, rows, cols, count, row, col, kept, out);
    }
    rico_free(ctx, row);
    rico_free(ctx, col);
    rico_free(ctx, kept);
    return status;
}


// Walks to the group that holds the object: HDF5 looks a link up only below groups that exist.
static rico_status require_groups(rico_hdf5_file *file, const char *object)
{
    char prefix[RICO_FCLIB_NAME];
    for (const char *slash = strchr(object, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(prefix, sizeof prefix, "%.*s", (int)(slash - object), object);
        rico_status status = rico_hdf5_require(file, prefix, H5I_GROUP);
        if (status != RICO_OK) return status;
    }
    return RICO_OK;
}


static rico_status read_object(rico_hdf5_file *file, const char *object, rico_csc *out)
{
    rico_status status = require_groups(file, object);
    if (status != RICO_OK) return status;

    bool group = false;
    status = rico_hdf5_find(file, object, H5I_GROUP, &group);
    if (status == RICO_OK && !group) return rico_fail(file->ctx, RICO_BAD_INPUT, "%s is missing", object);
    if (group) {
        rico_fclib_matrix matrix;
        status = rico_fclib_read_matrix(file, object, &matrix);
        if (status != RICO_OK) return status;
        if (matrix.rows > MOST_ROWS + file->size || matrix.cols > MOST_ROWS + file->size) {
            status = rico_fail(file->ctx, RICO_BAD_INPUT,
                               "%s is said to be %lld x %lld, more than a file of %lld bytes fills", object,
                               (long long)matrix.rows, (long long)matrix.cols, (long long)file->size);
        } else {
            status = rico_csc_from_triplets(file->ctx, object, matrix.rows, matrix.cols, matrix.count,
                                            matrix.row, matrix.col, matrix.value, out);
        }
        rico_fclib_matrix_destroy(file->ctx, &matrix);
        return status;
    }
    // not a group: a dataset, or whatever reading one says of it
    int64_t rows, cols;
    double *value = NULL;
    status = rico_hdf5_table(file, object, &rows, &cols, &value);
    if (status != RICO_OK) return status;
    status = from_dense(file->ctx, object, rows, cols, value, out);
    rico_free(file->ctx, value);
    return status;
}


rico_status rico_matrix_hdf5_read(rico_context *ctx, const char *path, const char *object, rico_csc *out)
{
    while (*object == '/') object++;
    // the group's own items ("/nzmax") need room behind it
    if (*object == '\0' || strlen(object) + 8 > RICO_FCLIB_NAME) {
        return rico_fail(ctx, RICO_BAD_INPUT, "%.200s: '%.60s' is no name of a dataset; write file.h5:/name",
                         path, object);
    }
    rico_hdf5_file file;
    rico_status status = rico_hdf5_open(ctx, path, &file);
    if (status == RICO_OK) status = read_object(&file, object, out);
    rico_hdf5_close(&file);
    return status == RICO_OK || status == RICO_NO_MEMORY ? status : rico_fail_in(ctx, status, path);
}


// --- formats -------------------------------------------------------------------------------------------------

static bool ends_with(const char *text, size_t length, const char *ending)
{
    size_t tail = strlen(ending);
    return length > tail && strncasecmp(text + length - tail, ending, tail) == 0;
}


// Splits "model.h5:/beam/K" where its file ends; false when it is no HDF5 file.
static bool split_hdf5(const char *path, size_t *file_length)
{
    for (const char *colon = strchr(path, ':');; colon = strchr(colon + 1, ':')) {
        size_t length = colon ? (size_t)(colon - path) : strlen(path);
        if (ends_with(path, length, ".h5") || ends_with(path, length, ".hdf5")) {
            *file_length = length;
            return true;
        }
        if (!colon) return false;
    }
}


static rico_status read_hdf5(rico_context *ctx, const char *path, size_t file_length, rico_csc *out)
{
    if (path[file_length] == '\0') {
        return rico_fail(ctx, RICO_BAD_INPUT, "'%.200s' names no dataset; write %.200s:/name", path, path);
    }
    char *file = rico_alloc(ctx, (int64_t)file_length + 1, 1);
    if (!file) return RICO_NO_MEMORY;
    memcpy(file, path, file_length);
    rico_status status = rico_matrix_hdf5_read(ctx, file, path + file_length + 1, out);
    rico_free(ctx, file);
    return status;
}


rico_status rico_matrix_file_read(rico_context *ctx, const char *path, rico_csc *out)
{
    size_t path_length = strlen(path), file_length;
    if (split_hdf5(path, &file_length)) return read_hdf5(ctx, path, file_length, out);

    bool market = ends_with(path, path_length, ".mtx"), csv = ends_with(path, path_length, ".csv");
    if (!market && !csv) {
        return rico_fail(ctx, RICO_BAD_INPUT,
                         "'%.200s' is of no known format; its name must end in .mtx, .csv or .h5:/dataset",
                         path);
    }
    char *text = NULL;
    size_t length = 0;
    rico_status status = rico_file_load(ctx, path, &text, &length);
    if (status != RICO_OK) return status;
    status = market ? rico_matrix_market_read(ctx, path, text, (int64_t)length, out)
                    : rico_matrix_csv_read(ctx, path, text, (int64_t)length, out);
    rico_free(ctx, text);
    return status;
}


rico_status rico_vector_file_read(rico_context *ctx, const char *path, int64_t *count, double **out)
{
    rico_csc a = {0};
    rico_status status = rico_matrix_file_read(ctx, path, &a);
    if (status != RICO_OK) return status;

    double *value = NULL;
    if (a.rows != 1 && a.cols != 1) {
        status =
            rico_fail(ctx, RICO_BAD_INPUT, "%.200s: a vector has one row or one column, this is %lld x %lld",
                      path, (long long)a.rows, (long long)a.cols);
    } else {
        value = rico_alloc(ctx, a.rows * a.cols, sizeof *value);
        if (!value) status = RICO_NO_MEMORY;
    }
    if (status == RICO_OK) {
        for (int64_t j = 0; j < a.cols; j++) {
            for (int64_t k = a.start[j]; k < a.start[j + 1]; k++)
                value[a.cols == 1 ? a.row[k] : j] = a.value[k];
        }
        *count = a.rows * a.cols;
        *out = value;
    }
    rico_csc_destroy(&a);
    return status;
}
