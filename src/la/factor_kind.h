// What one kind of factorization does, and what a factor holds: private to the files factor*.c.

#ifndef RICO_LA_FACTOR_KIND_H
#define RICO_LA_FACTOR_KIND_H

#include "la/factor.h"

#include <SuiteSparseQR_C.h>
#include <cholmod.h>
#include <umfpack.h>

_Static_assert(sizeof(SuiteSparse_long) == sizeof(int64_t), "the 64-bit interfaces of SuiteSparse are used");

// None of these is called on a matrix without rows or columns.
typedef struct rico_factor_method {
    rico_status (*analyse)(rico_factor *factor, const rico_csc *a); // NULL: comes with every factorization
    rico_status (*factorize)(rico_factor *factor, const rico_csc *a);
    rico_status (*solve)(rico_factor *factor, bool transpose, int64_t count, const double *b, double *x);
    void (*release)(rico_factor *factor);
    bool sparse; // goes through SuiteSparse
} rico_factor_method;

struct rico_factor {
    rico_context *ctx;
    const rico_factor_method *method;
    rico_factor_kind kind;
    rico_ordering ordering;
    int64_t rows, cols;
    int64_t *start, *row; // pattern of the matrix
    double *value;        // its values, for the refinement of LU; NULL for the other kinds
    bool ready;           // the numbers are valid
    int refinement;       // steps that an LU solve may take
    rico_factor_stats stats;

    // small and diagonal matrices
    double *dense;  // n x n, column-major: unit L below D, or L and U; n pivots where the matrix is diagonal
    double *scale;  // LU: what its rows were divided by
    double *side;   // LU: three vectors
    int64_t *pivot; // LU: the row that was exchanged with each

    cholmod_common common; // CHOLMOD and SPQR
    cholmod_factor *cholesky;
    cholmod_dense *x, *y, *e; // work space of cholmod_l_solve2, kept between solves

    void *symbolic, *numeric;     // UMFPACK
    SuiteSparse_long *index_work; // cols
    double *work;                 // 5 cols with refinement
    double *right_side;           // cols: a copy of b, which may be x
    double control[UMFPACK_CONTROL];

    SuiteSparseQR_C_factorization *qr;
};

extern const rico_factor_method rico_cholmod_method, rico_umfpack_method, rico_spqr_method;
extern const rico_factor_method rico_diagonal_method, rico_small_cholesky_method, rico_small_lu_method;

// Whether the pattern is better served by the small methods; diagonal tells one without a single other entry.
bool rico_factor_is_small(const rico_csc *a);
bool rico_factor_is_diagonal(const rico_csc *a);

// The sentences that all methods share.
rico_status rico_factor_not_definite(const rico_factor *factor, int64_t column);
rico_status rico_factor_no_pivot(const rico_factor *factor, int64_t column); // below 0: not known which

// What CHOLMOD and SPQR share.
void rico_cholmod_begin(cholmod_common *common);
rico_status rico_cholmod_fail(rico_factor *factor, const char *what);
cholmod_sparse rico_cholmod_view(const rico_csc *a, int stype);
cholmod_factor *rico_cholmod_dissect(cholmod_sparse *lower,
                                     cholmod_common *common); // analysed by METIS; NULL where it is missing
cholmod_dense rico_cholmod_dense(int64_t rows, int64_t cols, const double *x);

// x = Q R'^-1 E' b on a QR factorization of the transpose.
rico_status rico_spqr_minimum_norm(rico_factor *factor, const double *b, double *x);

#endif
