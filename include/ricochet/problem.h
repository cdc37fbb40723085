// The discrete contact problem: rows in blocks, each block with its own cone.
//
// Reduced form   u = W r + q,
// global form    M v = H r + f,  u = H' v + w     (H is n x m; W = H' M^-1 H, q = H' M^-1 f + w),
//
// with, block by block, hat = u + g(u) in K*, orthogonal to r in K:
//
//     equality      d rows   K = R^d            u = 0
//     unilateral    1 row    K = R+             0 <= u, r >= 0, u r = 0
//     Coulomb 2D    2 rows   |r_T| <= mu r_N    friction in a plane
//     Coulomb 3D    3 rows   |r_T| <= mu r_N    friction on a surface
//     box           1 row    low <= r <= high   u >= 0 at low, u <= 0 at high, u = 0 between
//     elliptic      3 rows   (r_1/mu_1)^2 + (r_2/mu_2)^2 <= r_N^2, with a slip potential of its own if given
//     with moments  3-6 rows Coulomb, and |m| <= rolling r_N, |m_N| <= spinning r_N
//     Tresca        2-3 rows r_N >= 0, |r_T| <= high, whatever r_N
//
// where g(u) is the largest of -r_T'u_T over the r in K with r_N = 1 (mu |u_T| for Coulomb), added to the normal row.
// A solver need not take all of them (RICO_TAKES_*); moments are best given over a length of the contact, so that all
// rows of a block are forces. docs/theory/cone.md has the laws.
//
// Normal first in every contact; a positive normal velocity separates; impulses act along +H r. W need be
// neither symmetric nor of full rank.

#ifndef RICOCHET_PROBLEM_H
#define RICOCHET_PROBLEM_H

#include "ricochet/context.h"
#include "ricochet/sparse.h"

RICO_API_BEGIN

typedef enum rico_block_kind {
    RICO_EQUALITY,
    RICO_UNILATERAL,
    RICO_COULOMB_2D,
    RICO_COULOMB_3D,
    RICO_BOX,              // relay, friction of a joint, limit of a motor
    RICO_ELLIPTIC,         // a coefficient of friction for each tangent
    RICO_SPINNING,         // normal, two tangents, spinning moment
    RICO_ROLLING,          // normal, two tangents, two rolling moments
    RICO_ROLLING_SPINNING, // normal, two tangents, two rolling moments, spinning moment
    RICO_ROLLING_2D,       // in the plane: normal, tangent, rolling moment
    RICO_TRESCA_2D,        // friction with a bound that does not depend on the normal impulse
    RICO_TRESCA_3D,
    RICO_BLOCK_KINDS
} rico_block_kind;

typedef struct rico_block {
    rico_block_kind kind;
    int64_t size;    // rows: any number >= 1 for an equality, else as the kind says
    double friction; // mu >= 0 for all with friction, along tangent 1 if elliptic; not read for the others
    double low,
        high; // box: low <= high, either of them possibly infinite; Tresca: largest tangential impulse
    double friction_2; // elliptic: along tangent 2
    double slip_1,
        slip_2; // elliptic: half axes of the slip potential, their ratio counts; 0, 0: those of friction
    double rolling, spinning; // largest moments over the normal impulse, >= 0
} rico_block;

// What a kind is called, and its rows (0: any number >= 1); NULL beyond the table.
typedef struct rico_block_info {
    const char *name;  // "Coulomb 3D", in sentences
    const char *key;   // "coulomb_3d", in files
    const char *label; // "friction in 3D", in listings
    int size;
} rico_block_info;
const rico_block_info *rico_block_describe(rico_block_kind kind);

typedef struct rico_problem rico_problem;

// Copies and checks everything; NaN, wrong sizes and mu < 0 are refused with the place in the message. A
// singular M is refused when it is first needed. No block at all is a valid problem.
rico_status rico_problem_create_reduced(rico_context *ctx, int64_t block_count, const rico_block *blocks,
                                        const rico_sparse_view *W, const double *q, rico_problem **out);
rico_status rico_problem_create_global(rico_context *ctx, int64_t block_count, const rico_block *blocks,
                                       const rico_sparse_view *M, const rico_sparse_view *H, const double *f,
                                       const double *w, rico_problem **out);
void rico_problem_destroy(rico_problem *problem);

int64_t rico_problem_block_count(const rico_problem *problem);
int64_t rico_problem_rows(const rico_problem *problem); // m: sum of the block sizes
int64_t rico_problem_dofs(const rico_problem *problem); // n of the global form, 0 without one
bool rico_problem_is_global(const rico_problem *problem);
rico_block rico_problem_block(const rico_problem *problem, int64_t index);
int64_t rico_problem_block_offset(const rico_problem *problem, int64_t index); // first row of the block

// The data, readable without a copy. Those of a form that the problem does not have are empty.
rico_sparse_view rico_problem_mass(const rico_problem *problem);       // M
rico_sparse_view rico_problem_jacobian(const rico_problem *problem);   // H
const double *rico_problem_force(const rico_problem *problem);         // f
const double *rico_problem_offset(const rico_problem *problem);        // w
const double *rico_problem_free_velocity(const rico_problem *problem); // q, NULL until reduced

// Forms W and q from the global form, once; nothing to do on a reduced problem.
rico_status rico_problem_reduce(rico_problem *problem);

// W in compressed columns, as a new matrix that rico_sparse_release() frees. Reduces first if need be.
rico_status rico_problem_delassus(rico_problem *problem, rico_sparse_view *W);
void rico_sparse_release(rico_context *ctx, rico_sparse_view *matrix);

// New vectors on the same matrices (the next time step): q of a reduced, f and w of a global problem. NULL keeps.
rico_status rico_problem_set_free_velocity(rico_problem *problem, const double *q);
rico_status rico_problem_set_force(rico_problem *problem, const double *f, const double *w);

// u = W r + q, through whichever form the problem has; v (n entries, or NULL) as well on a global one.
rico_status rico_problem_velocity(rico_problem *problem, const double *r, double *u, double *v);

// How far r is from a solution. What judges is `relative`: how far the velocities u and the impulses, each turned into
// the velocity |W_aa| r_a that it gives its own block, are from the law, over max(|q|, |u|)
// (docs/theory/residual.md). It depends neither on the units of mass, length and time nor on impulses that run away in
// the kernel of W. The natural map with unit step, F = r - P_K(r - hat(u)), is there for comparison with the literature.
typedef struct rico_residual {
    double relative;     // the judge's: what tolerances are compared with; never below `rounding`
    double rounding;     // eps |W| |r| over max(|q|, |u|): what round-off of W r alone may hide
    double velocity;     // the judge's, as a velocity
    double scale;        // max(|q|, |u|)
    double absolute;     // |F|
    double relative_q;   // |F| / |q|, as printed in the literature (eq. 131)
    double relative_max; // |F| / max(|q|, |r|, |u|)
} rico_residual;

// Computes the residual of r (m entries). u receives W r + q unless NULL. A NaN in r gives NaN residuals.
rico_status rico_problem_residual(rico_problem *problem, const double *r, double *u, rico_residual *out);

// Does a residual count as solved: relative <= tol?
bool rico_residual_within(const rico_residual *residual, double tol);

// Has the problem a solution? With M positive definite (W = H' M^-1 H), one exists whenever some velocity v puts
// u = H' v + w into K*, equality rows at 0 (docs/theory/existence.md; eq. 35 asks for the interior). None exists when
// no v even has u_N >= 0. Between the two, and beyond 5000 rows, the question is left open. On a reduced problem
// u = W x + q stands for H' v + w: both run through the same vectors.
typedef struct rico_existence {
    bool guaranteed; // a velocity in K* was found: a solution exists
    bool boundary;   // guaranteed, but only on the boundary of K* or to rounding: any change of q may undo it
    bool impossible; // a certificate was found: see rico_problem_infeasibility()
    double margin;   // largest t <= 1 found with u - t e_N in K* at every contact; unit: largest |q_i|
    int iterations;
    const char *sentence; // the finding in words
} rico_existence;
rico_status rico_problem_existence(rico_problem *problem, rico_existence *out);

// Has it no more than one? With W positive definite and little friction the problem is a strictly monotone variational
// inequality (eq. 41; docs/theory/existence.md). The bound is on all coefficients together, in the proportions that they
// have, and is not sharp: beyond it nothing is known. Up to 1000 rows; Coulomb's friction.
typedef struct rico_uniqueness {
    bool unique; // proved: there is one solution
    double
        factor; // times this, coefficients are at the bound: unique where above 1; 0 when no bound was found
    double friction; // the largest coefficient then; NaN without a bound or without friction
    const char *sentence;
} rico_uniqueness;
rico_status rico_problem_uniqueness(rico_problem *problem, rico_uniqueness *out);

// A proof that there is no solution: c with c_N >= 0, c_T = 0 (any sign on equality rows), W'c = 0 and q'c < 0, so
// that c'u = q'c < 0 for every r, while every solution has c'u >= 0. In floating point W'c is only nearly 0; what c
// then proves is that a solution would need an impulse of norm impulse_bound at least. `found` asks for more than 10^9 |q|
// in the velocities |W_aa| |r_a| that impulses give their own contacts. certificate (m entries, may be NULL) receives c with
// largest entry 1, or zeros.
typedef struct rico_infeasibility {
    bool found;
    double work;          // q'c
    double impulse_bound; // |q'c| / |W'c|; INFINITY when W'c = 0 exactly, 0 when nothing was found
} rico_infeasibility;
rico_status rico_problem_infeasibility(rico_problem *problem, double *certificate, rico_infeasibility *out);

// Figures about a problem, for people.
typedef struct rico_problem_stats {
    int64_t blocks[RICO_BLOCK_KINDS];
    int64_t rows, dofs;
    int64_t delassus_blocks;               // blocks of W that are not zero
    double contact_density;                // rows / dofs; NaN without dofs
    double friction_min, friction_max;     // NaN without Coulomb blocks
    double symmetry_defect;                // |W - W'| / |W|
    double diagonal_min, diagonal_max;     // of W
    double eigenvalue_min, eigenvalue_max; // of (W + W')/2, estimates or exact
    int64_t rank;                          // numerical rank of W, -1 when not computed (too large)
    double condition;                      // largest / smallest nonzero singular value; NaN when not computed
    double q_norm;
    double asymmetry;      // |W - W'|, Frobenius
    double condition_lsmr; // by LSMR on W x = -q: of what q excites, whatever the rank; NaN when q is 0 there
} rico_problem_stats;
rico_status rico_problem_describe(rico_problem *problem, rico_problem_stats *out);

RICO_API_END

#endif
