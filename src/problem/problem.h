// The discrete problem as the library sees it. Public view: ricochet/problem.h.

#ifndef RICO_PROBLEM_PROBLEM_H
#define RICO_PROBLEM_PROBLEM_H

#include "cone/cone.h"
#include "la/block.h"
#include "la/csc.h"
#include "la/factor.h"
#include "ricochet/problem.h"

struct rico_problem {
    rico_context *ctx;

    int64_t block_count, rows, dofs;
    uint8_t *kind;     // rico_block_kind of each block
    int64_t *offset;   // block_count + 1: first row of each block
    double *friction;  // mu of each block, 0 where there is none
    rico_block *block; // the blocks whole, for the table of cones; bounds are in the units of the problem
    bool shaped;       // some kind reads more than its friction: neither joint nor Coulomb contact

    // global form; `global` says that it is there
    bool global;
    rico_csc M, H;
    double *f, *w;
    struct rico_mass_blocks *bodies; // M when it falls apart into small blocks; made when first needed
    rico_factor *mass_factor;        // of any other M
    double *dof_work;                // n entries: right-hand side of M v = H r + f

    // reduced form; `reduced` says that it is there
    bool reduced;
    rico_block_matrix W;
    double *q;

    double *row_work;    // m entries: u, when the caller of the residual does not want it
    double *block_norm;  // |W_aa|_F of each block for the residual; made with W or when first needed
    double largest_norm; // of these, or 1 where all are 0: stands in for the norm of a block that is 0
    double noise;        // velocities below this are round-off of what the vectors were computed from
};

// Block a as the table of cones wants it (cone/cone.h).
static inline const rico_block *rico_problem_cone(const rico_problem *p, int64_t a)
{
    return &p->block[a];
}


static inline void rico_problem_project_block(const rico_problem *p, int64_t a, double *r_a)
{
    rico_cone_project(rico_problem_cone(p, a), r_a);
}


// Is block a one whose impulse is free, u = 0?
static inline bool rico_problem_is_joint(const rico_problem *p, int64_t a)
{
    return rico_cone_kinds[p->kind[a]].joint;
}


// A problem with the blocks of another, and nothing else.
rico_status rico_problem_copy_blocks(const rico_problem *from, rico_problem **out);

// A reduced problem from a dense W whose entry (i, j) is W[i * down + j * right].
rico_status rico_problem_create_dense(rico_context *ctx, int64_t block_count, const rico_block *blocks,
                                      int64_t rows, const double *W, int64_t down, int64_t right,
                                      const double *q, rico_problem **out);

// The residual of any blocks, summed up block by block; whoever has u and r can be judged, with or without a problem.
typedef struct rico_tally {
    double ratio; // impulse per velocity of the units: 1 unless a copy in its own units is judged
    double natural, judged, drive, r, u; // squares: |F| with unit step, the judge, |W_aa| |r_a|, |r|, |u|
    bool broken;                         // something was not finite
} rico_tally;
void rico_tally_block(rico_tally *tally, const rico_block *block, double norm, const double *u,
                      const double *r);
rico_residual rico_tally_close(const rico_tally *tally, double q_size, double noise);

// Units of a copy of a problem (problem/units.h), and the residual of the copy as the original would have it.
// Velocities |W_aa| |r_a| over |q| beyond which impulses are no solution: those of a body on one 10^7 times lighter are within, and round-off
// of W r is some 1e-7 of |q| then.
static const double RICO_CERTAINTY = 1e9;

typedef struct rico_units {
    double velocity; // u = velocity u', likewise q, w and v
    double ratio;    // impulse per velocity: r = ratio velocity r', W' = ratio W, M' = M / ratio
} rico_units;
rico_status rico_problem_residual_in(rico_problem *problem, const rico_units *units, const double *r,
                                     double *u, rico_residual *out);

// Of a problem in its own units: the residual at zero, where u is q, which is known; and the residual as the original would have it, from
// the one of the copy.
rico_residual rico_problem_residual_of_zero(const rico_problem *problem, const double *zero, double *u);
void rico_problem_residual_convert(const rico_problem *problem, const rico_units *units, const double *r,
                                   const double *u, rico_residual *residual);

// |W_aa|, or what stands in for it where it is 0.
double rico_problem_block_scale(const rico_problem *problem, int64_t block);
void rico_problem_find_largest_norm(rico_problem *problem); // after block_norm changed

// Is the first row of block a a normal, with u_N >= 0?
static inline bool rico_problem_is_contact(const rico_problem *p, int64_t a)
{
    return rico_cone_kinds[p->kind[a]].contact;
}


// Factors M, once: body by body, or as one sparse matrix. RICO_SINGULAR says which row when it cannot.
rico_status rico_problem_factor_mass(rico_problem *problem);

// Where M falls apart into small bodies: makes W and q, W times `factor`, and forgets M, H, f and w. *apart tells whether
// it did; otherwise the problem is as before.
rico_status rico_problem_keep_reduced(rico_problem *problem, double factor, bool *apart);

// x <- M^-1 x for `count` vectors of n entries; M was factored before.
rico_status rico_problem_solve_mass(rico_problem *problem, int64_t count, double *x);

// q = H' M^-1 f + w of a global problem: computed if it is not there, or anew after f or w changed.
rico_status rico_problem_need_free_velocity(rico_problem *problem);
rico_status rico_problem_free_velocity_update(rico_problem *problem);

// The norm of the diagonal block of W for each block; W itself is formed only where M does not fall apart into small
// bodies, and by the second not even there.
rico_status rico_problem_block_norms(rico_problem *problem);
rico_status rico_problem_block_norms_apart(rico_problem *problem);

// Their entries, row-major with the block's own width, 9 numbers for each block of at most 3 rows; nothing is formed.
rico_status rico_problem_diagonal_blocks(rico_problem *problem, double *blocks);

#endif
