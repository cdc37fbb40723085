// The iteration matrix a M + b C + c K of a scheme and its factor, kept while nothing in it changes.

#ifndef RICO_STEP_ITERATION_H
#define RICO_STEP_ITERATION_H

#include "la/factor.h"
#include "model/assembly.h"

typedef struct rico_iteration {
    rico_context *ctx;
    rico_assembly *assembly;
    const rico_system *system;
    double *value;       // on the system's pattern
    rico_factor *factor; // Cholesky where the matrix is symmetric positive definite, LU otherwise
    rico_factor *lu;     // made when the first Cholesky fails, kept beside it
    rico_ordering ordering;
    bool valid, use_lu;
    double a, b, c; // all 0: the identity
    int64_t factorizations;
    int64_t made; // factors so far, whatever states were loaded: names the one that is there
    bool again;   // a loaded state had this factor: making it once more is not counted

    // How impulses enter: v = v_free + S^-1 (lead + mix K M^-1) H p with S the matrix above. 1 and no mass unless a
    // scheme says otherwise; mass is another iteration that holds M, borrowed.
    double lead, mix;
    struct rico_iteration *mass;
    double *work; // velocities
    int64_t
        group; // velocities of one of the blocks that the matrix falls apart into, each with factors of its own; 0: one factor
    double *blocks;  // their factors, and
    int32_t *pivots; // their rows
    double *
        extra; // added to the diagonal, velocities; NULL: nothing. A scheme's, made before the first rico_iteration_set()
} rico_iteration;

rico_status rico_iteration_create(rico_assembly *assembly, rico_iteration *out);
void rico_iteration_destroy(rico_iteration *iteration);

// The matrix for the values that M, C and K have now. Nothing to do when they are constant and a, b, c the same.
// *changed tells whether the factor is another one.
rico_status rico_iteration_set(rico_iteration *iteration, double a, double b, double c, bool *changed);

// The identity in its place: the metric of a plain projection.
rico_status rico_iteration_set_identity(rico_iteration *iteration, bool *changed);

// x = A^-1 b for count right-hand sides; may be in place.
rico_status rico_iteration_solve(rico_iteration *iteration, int64_t count, const double *b, double *x);

// What impulses add to the velocities: x = S^-1 (lead + mix K M^-1) b for count columns b of H; may be in place.
rico_status rico_iteration_respond(rico_iteration *iteration, int64_t count, const double *b, double *x);

// The same as a sparse system for a solver: G x = (H p, 0) + f, whose first entries are v, and v_free where p = 0. G is
// S / lead, or of twice the size where the mass enters apart. Both are new, the caller's to free.
rico_status rico_iteration_global(const rico_iteration *iteration, const double *v_free, rico_csc *G,
                                  double **f);

#endif
