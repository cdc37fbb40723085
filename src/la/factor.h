// Factorizations behind one small interface: analyse once, factor again when values change, solve.
//
// Three kinds: Cholesky for symmetric positive definite matrices, LU for square ones, and rank-revealing QR for least
// squares, minimum-norm solutions and ranks. Small and diagonal matrices are factored by loops of our own (Cholesky,
// LU), others by CHOLMOD, UMFPACK and SPQR. A factor remembers its matrix's pattern: rico_factor_refactor() takes new
// values on that pattern and reuses the symbolic analysis (Cholesky, LU).

#ifndef RICO_LA_FACTOR_H
#define RICO_LA_FACTOR_H

#include "la/csc.h"

typedef enum rico_factor_kind { RICO_CHOLESKY, RICO_LU, RICO_QR } rico_factor_kind;

typedef struct rico_factor rico_factor;

// How a sparse Cholesky orders its columns: by minimum degree (AMD), or by nested dissection (METIS), which leaves fewer entries on large meshes.
typedef enum rico_ordering { RICO_MINIMUM_DEGREE, RICO_NESTED_DISSECTION } rico_ordering;

typedef struct rico_factor_stats {
    int64_t rank;    // of QR; the order for the others
    int64_t entries; // nonzeros in the factors (an upper bound for QR)
    int64_t
        bytes; // that a sparse Cholesky factor takes, padding of its supernodes and indices included; else 0
    double reciprocal_condition; // rough estimate (LU: of the matrix with scaled rows); 0 when singular
    int64_t analyses, factorizations, solves; // how often each was done
} rico_factor_stats;

// Analyses and factors. Cholesky reads the lower triangle alone. A matrix that is not positive definite
// (Cholesky) or exactly singular (LU) gives RICO_SINGULAR, with the column in the message where it is known.
// On failure *out stays untouched.
rico_status rico_factor_create(rico_factor_kind kind, const rico_csc *a, rico_factor **out);
rico_status rico_factor_create_ordered(rico_factor_kind kind, rico_ordering ordering, const rico_csc *a,
                                       rico_factor **out);

// Analyses alone: the factor solves nothing before rico_factor_refactor(), which then allocates nothing of ours. The
// values are read for the choice of an ordering only.
rico_status rico_factor_analyse(rico_factor_kind kind, const rico_csc *a, rico_factor **out);

// Factors new values on the pattern of the first matrix; another pattern or a value that is not finite is refused
// and changes nothing. When it fails otherwise (singular, out of memory), the factor solves nothing until a later
// call succeeds.
rico_status rico_factor_refactor(rico_factor *factor, const rico_csc *a);
void rico_factor_destroy(rico_factor *factor);

// Solves A x = b for `count` right-hand sides stored one after the other; b and x may be the same array when A is
// square. For QR: the least-squares solution (basic, zero in the columns beyond the rank). Once it has solved for
// 16 right-hand sides (or as many as it will be given), Cholesky allocates nothing any more; LU never does.
rico_status rico_factor_solve(rico_factor *factor, int64_t count, const double *b, double *x);
rico_status rico_factor_solve_transpose(rico_factor *factor, int64_t count, const double *b,
                                        double *x); // not QR

// How many steps of iterative refinement an LU solve may take, 2 unless told otherwise. None is right for callers that
// refine for themselves.
void rico_factor_set_refinement(rico_factor *factor, int steps);

// The solution of A x = b of minimum 2-norm, from the QR factorization A' E = Q R of the transpose: x = Q R'^-1 E' b.
// b has the rows of A, x its columns. Below full rank b must be consistent.
rico_status rico_factor_solve_minimum_norm(rico_factor *factor_of_transpose, const double *b, double *x);

rico_factor_stats rico_factor_statistics(const rico_factor *factor);

#endif
