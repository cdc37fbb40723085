// A cone program from inside: scaled data, the interior point, and the normal equations.

#ifndef RICO_LIMIT_CONE_PROGRAM_PRIVATE_H
#define RICO_LIMIT_CONE_PROGRAM_PRIVATE_H

#include "cone/nesterov_todd.h"
#include "la/factor.h"
#include "limit/cone_program.h"

// A part of x: its point and that of s, and their Nesterov-Todd scaling S x = S^-1 s = lambda. Of a half line the depths are the numbers and entry 0 of
// all arrays is in use; of a cone, arrays are coordinates in its frame, where S is diagonal. A free part has no point, and s = 0.
typedef struct rico_cone_program_part {
    rico_cone_program_kind kind;
    int64_t column;
    int size;
    rico_lorentz_point x, s;
    rico_nt_frame frame; // s[] of it is S
    double lambda[3], target[3];
    double dx[3], ds[3]; // the direction
} rico_cone_program_part;

// What the parts give to the normal equations A S^-2 A': the rows that a part touches, its entries there, and where they go in M.
typedef struct rico_cone_program_outer {
    int64_t row, rows; // first of its rows in the list, and how many
    int64_t entry;     // its entries, rows x size; row by row
    int64_t place; // its places in M, rows (rows + 1)/2, columns of the lower triangle one after the other
} rico_cone_program_outer;

typedef struct rico_cone_program_small rico_cone_program_small;
typedef struct rico_cone_program_lu rico_cone_program_lu;

typedef struct rico_cone_program_system {
    rico_cone_program_small
        *small;        // of a small program: its orthogonal factors, in the place of M's and of the borders
    rico_csc M;        // lower triangle
    int64_t *diagonal; // places of its diagonal
    double *padding;   // added to it
    rico_factor *factor;
    rico_cone_program_outer *outer; // of every part; rows = 0: it is dense
    int64_t *row, *place;
    double *entry;
    int64_t dense; // columns that would fill M: they are borders
    int64_t *dense_part;
    double *F, *Z, *border;   // rows x dense, M^-1 F, dense x dense
    double *weight;           // of free parts, and of half lines that are dense: the S^-2 that M has
    rico_cone_program_lu *lu; // of a large one, or NULL
    bool allowed;             // lu may be used: it is slow, and mostly not needed
    bool lost;                // the normal equations have not enough digits any more: lu is in use
    double left;              // of the last system, after refinement
    bool shifted;             // M is that of a search for contradictions
    double shift;             // relative, on the diagonal
    double *work[4];          // rows, cols, rows, dense
} rico_cone_program_system;

struct rico_cone_program {
    rico_context *ctx;
    int64_t rows, cols, part_count, degree; // degree: of the cones, without tau
    rico_csc A;                             // scaled
    double *row_scale, *col_scale;
    double *b, *c, b_scale, c_scale;
    rico_cone_program_part *part;
    rico_cone_program_system system;

    // the point, scaled
    double *x, *y, *s, tau, kappa;
    double *rp, *rd, rg; // residuals
    double mu;
    // directions: of the constant right-hand side, and of the step; x in coordinates
    double *x1, *y1, *x2, *y2, *r1, *r2, *flat, *dy, dtau, dkappa, pre_dtau, pre_dkappa;
    double *best; // x, y, s of the best point so far: what the answer has
    double *memory;
    bool contradiction; // A x = b has no solution at all; y of it below
    double *proof;
};

// A small program; cone_program_small.c.
rico_status rico_cone_program_small_create(rico_cone_program *program);
void rico_cone_program_small_destroy(rico_cone_program *program);
rico_status rico_cone_program_small_thin(rico_cone_program *program); // with S = 1
rico_status rico_cone_program_small_factor(rico_cone_program *program);
rico_status rico_cone_program_small_solve(rico_cone_program *program, const double *r1, const double *r2,
                                          double *X, double *Y);

// A large one whose normal equations have lost their digits; cone_program_lu.c. The first factorization lays it out.
rico_status rico_cone_program_lu_factor(rico_cone_program *program);
rico_status rico_cone_program_lu_solve(rico_cone_program *program, const double *r1, const double *r2,
                                       double *X, double *Y);
void rico_cone_program_lu_destroy(rico_cone_program *program);

// S at the present point, and M with its factors. RICO_SINGULAR: no shift of the diagonal was enough.
rico_status rico_cone_program_factor(rico_cone_program *program);

// S^2 X - A'Y = r1, A X = r2; X and r1 in coordinates of the parts.
rico_status rico_cone_program_kkt(rico_cone_program *program, const double *r1, const double *r2, double *X,
                                  double *Y);

// Do the equations contradict each other, whatever the cones? y with A'y = 0 and b'y > 0 then.
rico_status rico_cone_program_contradiction(rico_cone_program *program, double *y, bool *found);

// Lays out M for the pattern of A, once.
rico_status rico_cone_program_lay_out(rico_cone_program *program);
void rico_cone_program_release_system(rico_cone_program *program);

// Between coordinates of the parts and plain vectors.
void rico_cone_program_to_frames(const rico_cone_program *program, const double *plain, double *coordinates);
void rico_cone_program_from_frames(const rico_cone_program *program, const double *coordinates,
                                   double *plain);

#endif
