// Convex subproblems of the friction problem, and the engines that solve them.
//
//     min 1/2 x'A x + b'x   over a product of simple sets (Acary et al. 2018, eq. 126-130),
//
// where x is the whole impulse or a part of it (normals, tangents), A the rows and columns of W that belong to it, and
// b carries q and what is frozen. With A unsymmetric there is nothing to minimize; every engine but the accelerated
// one then still solves the variational inequality of A x + b over the same sets, as far as A is monotone.

#ifndef RICO_SOLVE_CONVEX_H
#define RICO_SOLVE_CONVEX_H

#include "solve/method.h"
#include "solve/vi.h"

typedef enum rico_set_kind {
    RICO_SET_SPACE,     // R^d
    RICO_SET_HALF_LINE, // x >= 0
    RICO_SET_DISK,      // |x| <= bound, in one row (an interval) or two
    RICO_SET_CYLINDER,  // x_N >= 0 and |x_T| <= bound
    RICO_SET_CONE       // |x_T| <= bound x_N
} rico_set_kind;

// Which rows of the problem x is made of. Equality and unilateral rows count as normal.
typedef enum rico_pick { RICO_PICK_ALL, RICO_PICK_NORMAL, RICO_PICK_TANGENT } rico_pick;

typedef enum rico_engine_kind {
    RICO_ENGINE_GS,    // block Gauss-Seidel; the scalar projected one on sets of one row
    RICO_ENGINE_FP,    // fixed point with the step rule of eq. 101
    RICO_ENGINE_EG,    // extragradient, same rule
    RICO_ENGINE_PG,    // projected gradient with Armijo's rule (Algorithm 9)
    RICO_ENGINE_APGD,  // accelerated projected gradient with restarts
    RICO_ENGINE_MPRGP, // conjugate gradients inside the sets, projected gradients to change the face
    RICO_ENGINE_QP, // of half lines alone: x'(A x + b) over x >= 0, A x + b >= 0, for an unsymmetric A too (eq. 90)
    RICO_ENGINES
} rico_engine_kind;

typedef struct rico_convex {
    rico_context *ctx;
    rico_problem *problem;
    const rico_block_matrix *A; // W itself, or `picked`
    rico_block_matrix picked;
    int64_t size;    // rows of x
    int64_t *block;  // for each block of A: the block of the problem that it comes from
    int64_t *row;    // for each row of x: its row in the problem
    uint8_t *set;    // rico_set_kind of each block of A
    double *bound;   // of each block of A: radius of a disk or cylinder, slope of a cone
    double *b;       // size entries
    double *all[2];  // work space, one entry per row of the problem
    double *u_block; // work space, rows of the largest block

    rico_vi_state state; // x is state.z, A x + b is state.F where state.has_map says so
    double first_step;   // 1 / largest norm of a diagonal block
    double reach;        // an x longer than this is running away; INFINITY at first
    double *y,
        *F_y; // accelerated gradient: extrapolated point and its gradient; mprgp: direction, A times it
    double momentum;       // its t_k of Nesterov, or whether there is a direction; 0 before the first step
    rico_vi_state contact; // local fixed point of block Gauss-Seidel
    double *contact_step;  // the step that each block ended with
    double *contact_first; // and the one that it began with, 1 / |A_ii|, or 0 where A_ii = 0
} rico_convex;

// A subproblem of the (reduced) problem on the picked rows; `contact` is the set of what is picked of a Coulomb block.
// The slopes of cones are the problem's mu, radii are zero until they are set.
rico_status rico_convex_create(rico_problem *problem, rico_pick pick, rico_set_kind contact,
                               rico_convex **out);
void rico_convex_destroy(rico_convex *convex);

// New values of W on the same pattern.
void rico_convex_update(rico_convex *convex);

// Takes x from r and b = q + W r over the rows that were not picked.
void rico_convex_freeze(rico_convex *convex, const double *r);

// Gives disks and cylinders their radius mu (r_N)+ by the normal impulses of r.
void rico_convex_set_radii(rico_convex *convex, const double *r);

// Puts x back into r.
void rico_convex_scatter(const rico_convex *convex, double *r);

// Puts x (size entries), or the rows of one block, onto their sets, in place.
void rico_convex_project(const rico_convex *convex, double *x);
void rico_convex_project_block(rico_set_kind set, int64_t rows, double bound, double *x);

// |x - P(x - (A x + b))|: zero exactly at the solutions.
double rico_convex_error(rico_convex *convex);

typedef struct rico_convex_result {
    int64_t iterations;
    double error; // rico_convex_error() of the x that is left, NaN when limits cut it short
    bool cut;     // a limit of the run was met
    bool lost;    // x went beyond reach: there is no minimum, or none near
} rico_convex_result;

// Iterates from x as it stands until the error is at most tol, or x moves no more, or for max_iterations; once at
// least. `run` has its clock and interrupt looked at, with `outer` as its iteration; NULL for none.
rico_convex_result rico_convex_solve(rico_convex *convex, rico_engine_kind engine, double tol,
                                     int64_t max_iterations, rico_run *run, int64_t outer);

// "gs", "fp", ...; NULL beyond the table.
const char *rico_engine_name(rico_engine_kind kind);

#endif
