// A sparse matrix of an FCLIB file: triplets, compressed columns or compressed rows, read into triplets.
//
// A group with m, n (the size), nzmax (room for entries), nz (-1 CSC, -2 CSR, else the number of triplets) and the
// arrays p, i, x of CSparse: in triplets i holds rows and p columns; compressed, p holds the n + 1 (m + 1) starts
// and i the rows (columns). i and x may have any length from the number of entries to nzmax: programs differ.

#include "problem/fclib.h"

#include <stdio.h>

// What a matrix says about itself, before its arrays are read.
typedef struct header {
    int64_t m, n, nzmax, nz;
    int64_t p_count, i_count, x_count;
} header;


const char *rico_fclib_name(char out[RICO_FCLIB_NAME], const char *group, const char *item)
{
    snprintf(out, RICO_FCLIB_NAME, "%s/%s", group, item);
    return out;
}


void rico_fclib_matrix_destroy(rico_context *ctx, rico_fclib_matrix *matrix)
{
    rico_free(ctx, matrix->row);
    rico_free(ctx, matrix->col);
    rico_free(ctx, matrix->value);
    *matrix = (rico_fclib_matrix){0};
}


// Refuses an array that is shorter than the entries it must hold, or longer than the room it was given.
static rico_status check_length(rico_context *ctx, const char *name, const char *array, int64_t length,
                                int64_t least, int64_t nzmax)
{
    if (length < least) {
        return rico_fail(ctx, RICO_BAD_INPUT, "%s/%s has %lld entries, but the matrix has %lld", name, array,
                         (long long)length, (long long)least);
    }
    if (length > nzmax) {
        return rico_fail(ctx, RICO_BAD_INPUT, "%s/%s has %lld entries, but %s/nzmax = %lld", name, array,
                         (long long)length, name, (long long)nzmax);
    }
    return RICO_OK;
}


static rico_status read_header(rico_hdf5_file *file, const char *name, header *h)
{
    char item[RICO_FCLIB_NAME];
    rico_status status = rico_hdf5_require(file, name, H5I_GROUP);
    if (status == RICO_OK) status = rico_hdf5_integer(file, rico_fclib_name(item, name, "m"), &h->m);
    if (status == RICO_OK) status = rico_hdf5_integer(file, rico_fclib_name(item, name, "n"), &h->n);
    if (status == RICO_OK) status = rico_hdf5_integer(file, rico_fclib_name(item, name, "nzmax"), &h->nzmax);
    if (status == RICO_OK) status = rico_hdf5_integer(file, rico_fclib_name(item, name, "nz"), &h->nz);
    if (status == RICO_OK)
        status = rico_hdf5_count(file, rico_fclib_name(item, name, "p"), RICO_HDF5_INTEGERS, &h->p_count);
    if (status == RICO_OK)
        status = rico_hdf5_count(file, rico_fclib_name(item, name, "i"), RICO_HDF5_INTEGERS, &h->i_count);
    if (status == RICO_OK)
        status = rico_hdf5_count(file, rico_fclib_name(item, name, "x"), RICO_HDF5_REALS, &h->x_count);
    if (status != RICO_OK) return status;

    rico_context *ctx = file->ctx;
    if (h->m < 0 || h->n < 0) {
        return rico_fail(ctx, RICO_BAD_INPUT, "%s is said to be of size %lld x %lld", name, (long long)h->m,
                         (long long)h->n);
    }
    if (h->nzmax < 0) {
        return rico_fail(ctx, RICO_BAD_INPUT, "%s/nzmax = %lld is negative", name, (long long)h->nzmax);
    }
    if (h->nz < RICO_FCLIB_NZ_CSR) {
        return rico_fail(ctx, RICO_BAD_INPUT,
                         "%s/nz = %lld is no storage: -1 is compressed columns, -2 rows, 0 or more triplets",
                         name, (long long)h->nz);
    }
    if (h->nz > h->nzmax) {
        return rico_fail(ctx, RICO_BAD_INPUT, "%s/nz = %lld exceeds %s/nzmax = %lld", name, (long long)h->nz,
                         name, (long long)h->nzmax);
    }

    // the arrays against what was said, before any is read
    int64_t least = h->nz > 0 ? h->nz : 0;
    status = check_length(ctx, name, "i", h->i_count, least, h->nzmax);
    if (status == RICO_OK) status = check_length(ctx, name, "x", h->x_count, least, h->nzmax);
    if (status == RICO_OK && h->nz >= 0) {
        status = check_length(ctx, name, "p", h->p_count, least, h->nzmax);
    } else if (status == RICO_OK) {
        bool columns = h->nz == RICO_FCLIB_NZ_CSC;
        int64_t majors = columns ? h->n : h->m;
        if (h->p_count - 1 != majors) {
            status = rico_fail(ctx, RICO_BAD_INPUT,
                               "%s/p has %lld entries, but a matrix of %lld %s has one more than that", name,
                               (long long)h->p_count, (long long)majors, columns ? "columns" : "rows");
        }
    }
    return status;
}


// Refuses the first index that is not a row (column) of the matrix.
static rico_status check_indices(rico_context *ctx, const char *name, const char *array, const header *h,
                                 bool rows, int64_t count, const int64_t *index)
{
    int64_t bound = rows ? h->m : h->n;
    for (int64_t k = 0; k < count; k++) {
        if (index[k] >= 0 && index[k] < bound) continue;
        return rico_fail(ctx, RICO_BAD_INPUT, "%s/%s[%lld] = %lld is not a %s of a %lld x %lld matrix", name,
                         array, (long long)k, (long long)index[k], rows ? "row" : "column", (long long)h->m,
                         (long long)h->n);
    }
    return RICO_OK;
}


// Refuses starts that do not begin at 0, decrease, or run past the arrays they point into.
static rico_status check_starts(rico_context *ctx, const char *name, const header *h, const int64_t *start)
{
    int64_t last = h->p_count - 1;
    if (start[0] != 0) {
        return rico_fail(ctx, RICO_BAD_INPUT, "%s/p[0] = %lld is not 0", name, (long long)start[0]);
    }
    for (int64_t k = 0; k < last; k++) {
        if (start[k + 1] >= start[k]) continue;
        return rico_fail(ctx, RICO_BAD_INPUT, "%s/p[%lld] = %lld is less than the entry before it, %lld",
                         name, (long long)(k + 1), (long long)start[k + 1], (long long)start[k]);
    }
    int64_t room = h->i_count < h->x_count ? h->i_count : h->x_count;
    if (start[last] > room) {
        return rico_fail(ctx, RICO_BAD_INPUT, "%s/p[%lld] = %lld runs past the %lld entries of %s/%s", name,
                         (long long)last, (long long)start[last], (long long)room, name,
                         h->i_count < h->x_count ? "i" : "x");
    }
    return RICO_OK;
}


// Reads p of a compressed matrix and unrolls it: one column (row) for each of the entries.
static rico_status read_starts(rico_hdf5_file *file, const char *name, const header *h, int64_t *count,
                               int64_t **major)
{
    char item[RICO_FCLIB_NAME];
    int64_t *start = NULL;
    rico_status status = rico_hdf5_integers(file, rico_fclib_name(item, name, "p"), h->p_count, &start);
    if (status == RICO_OK) status = check_starts(file->ctx, name, h, start);
    if (status == RICO_OK) {
        *count = start[h->p_count - 1];
        *major = rico_alloc(file->ctx, *count, sizeof **major);
        if (!*major) status = RICO_NO_MEMORY;
    }
    if (status == RICO_OK) {
        for (int64_t j = 0; j + 1 < h->p_count; j++) {
            for (int64_t k = start[j]; k < start[j + 1]; k++) (*major)[k] = j;
        }
    }
    rico_free(file->ctx, start);
    return status;
}


rico_status rico_fclib_read_matrix(rico_hdf5_file *file, const char *name, rico_fclib_matrix *out)
{
    header h = {0};
    rico_status status = read_header(file, name, &h);
    if (status != RICO_OK) return status;

    // p, as one index per entry: columns, but rows when rows are compressed
    char item[RICO_FCLIB_NAME];
    bool by_rows = h.nz == RICO_FCLIB_NZ_CSR;
    rico_fclib_matrix a = {.rows = h.m, .cols = h.n, .count = h.nz};
    int64_t **from_p = by_rows ? &a.row : &a.col;
    int64_t **from_i = by_rows ? &a.col : &a.row;
    if (h.nz >= 0) {
        status = rico_hdf5_integers(file, rico_fclib_name(item, name, "p"), a.count, from_p);
        if (status == RICO_OK) status = check_indices(file->ctx, name, "p", &h, false, a.count, *from_p);
    } else {
        status = read_starts(file, name, &h, &a.count, from_p);
    }

    if (status == RICO_OK) {
        status = rico_hdf5_integers(file, rico_fclib_name(item, name, "i"), a.count, from_i);
    }
    if (status == RICO_OK) status = check_indices(file->ctx, name, "i", &h, !by_rows, a.count, *from_i);
    if (status == RICO_OK) {
        status = rico_hdf5_reals(file, rico_fclib_name(item, name, "x"), a.count, &a.value);
    }

    if (status != RICO_OK) {
        rico_fclib_matrix_destroy(file->ctx, &a);
        return status;
    }
    *out = a;
    return RICO_OK;
}
