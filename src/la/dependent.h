// Which columns of a sparse matrix depend linearly on the others.

#ifndef RICO_LA_DEPENDENT_H
#define RICO_LA_DEPENDENT_H

#include "la/csc.h"

// Fills list (room for a->cols) with columns, increasing, that the others span up to tol in the 2-norm; the rest are
// independent. Which of several equal ones is named is the ordering's choice.
rico_status rico_dependent_columns(const rico_csc *a, double tol, int64_t *list, int64_t *count);

#endif
