// Matrices and vectors from files, told apart by their names.
//
//     K.mtx               MatrixMarket: coordinate or array, real or integer, general, symmetric or skew-symmetric
//     K.csv               rows of numbers, separated by commas, semicolons, tabs or blanks; lines that begin with #
//                         are comments
//     model.h5:/beam/K    HDF5 (.h5, .hdf5): a dataset of two dimensions, or of one for a vector, or a group m, n,
//                         nzmax, nz, p, i, x as FCLIB stores a sparse matrix (triplets, compressed columns or rows)
//
// A vector is a matrix of one row or one column. Every number must be finite. Messages name file and line, or file and
// dataset.

#ifndef RICO_SCENE_MATRIX_FILE_H
#define RICO_SCENE_MATRIX_FILE_H

#include "la/csc.h"

// On failure *out stays untouched. The vector is the caller's, who releases it with rico_free().
rico_status rico_matrix_file_read(rico_context *ctx, const char *path, rico_csc *out);
rico_status rico_vector_file_read(rico_context *ctx, const char *path, int64_t *count, double **out);

// The text formats from memory; `name` is what messages call it. The text, NUL at text[length], is changed.
rico_status rico_matrix_market_read(rico_context *ctx, const char *name, char *text, int64_t length,
                                    rico_csc *out);
rico_status rico_matrix_csv_read(rico_context *ctx, const char *name, char *text, int64_t length,
                                 rico_csc *out);

// The dataset or group `object` of an HDF5 file.
rico_status rico_matrix_hdf5_read(rico_context *ctx, const char *path, const char *object, rico_csc *out);

#endif
