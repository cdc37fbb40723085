// Which columns of a sparse matrix depend linearly on the others.

#ifndef RICO_LA_DEPENDENT_H
#define RICO_LA_DEPENDENT_H

#include "la/csc.h"

// Fills list (room for a->cols) with columns, increasing, that the others span up to tol in the 2-norm; the rest are
// independent. Of few columns, those are named that follow from the ones before them; of many, the ordering chooses.
rico_status rico_dependent_columns(const rico_csc *a, double tol, int64_t *list, int64_t *count);

// The same of the columns row[0 .. rows) of H, each scaled to 1: rows of joints. list counts within them.
rico_status rico_dependent_rows(const rico_csc *H, int64_t rows, const int64_t *row, double tol,
                                int64_t *list, int64_t *count);

#endif
