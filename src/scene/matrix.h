// Matrices and vectors of a scene: written out, or kept in a file.
//
//     mass: 2                                                    # 1 x 1
//     mass: [[2, 0], [0, m]]                                     # by rows
//     mass: {diagonal: [2, 2, m]}                                # or {diagonal: 1 + i, size: 3}
//     mass: {identity: 3}
//     mass: {band: [-k, 2*k, -k], size: 3}                       # lowest diagonal first; formulas of the row i
//     mass: {rows: 3, cols: 3, entries: [[0, 0, 2], [2, 1, k]]}  # row, column, value; from 0; repeated ones add up
//     mass: {file: mass.mtx}                                     # see matrix_file.h
//
// A vector is a list of numbers or {file: ...}.

#ifndef RICO_SCENE_MATRIX_H
#define RICO_SCENE_MATRIX_H

#include "la/csc.h"
#include "scene/document.h"

// Is the node of one of these forms? What is inside is checked when it is read.
rico_status rico_matrix_check(rico_document *document, rico_node *node);
rico_status rico_vector_check(rico_document *document, rico_node *node);

// Reads it. On failure *out stays untouched. The vector is the caller's, who releases it with rico_free().
rico_status rico_matrix_read(rico_document *document, rico_node *node, rico_csc *out);
rico_status rico_vector_read(rico_document *document, rico_node *node, int64_t *count, double **out);

#endif
