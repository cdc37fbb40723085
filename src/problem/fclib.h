// What the reader and the writer of FCLIB files share: names of a file's objects, matrices as they are stored.

#ifndef RICO_PROBLEM_FCLIB_H
#define RICO_PROBLEM_FCLIB_H

#include "base/hdf5_io.h"
#include "ricochet/fclib.h"

// `nz` of a stored matrix: the number of triplets, or one of these.
enum { RICO_FCLIB_NZ_CSC = -1, RICO_FCLIB_NZ_CSR = -2 };

// Room for the path of any object of a file ("guesses/9223372036854775807/r").
enum { RICO_FCLIB_NAME = 64 };

// Writes "group/item" and returns it.
const char *rico_fclib_name(char out[RICO_FCLIB_NAME], const char *group, const char *item);

// A matrix of a file, whatever its storage: value[k] stands in row[k], col[k]; repeated entries add up.
typedef struct rico_fclib_matrix {
    int64_t rows, cols, count;
    int64_t *row, *col;
    double *value;
} rico_fclib_matrix;

// Reads the matrix in the group `name` and checks it whole. On failure *out stays untouched.
rico_status rico_fclib_read_matrix(rico_hdf5_file *file, const char *name, rico_fclib_matrix *out);
void rico_fclib_matrix_destroy(rico_context *ctx, rico_fclib_matrix *matrix);

#endif
