// What Newton-like stages share: the compressed system dr = c - C W dr (compressed.h), its scaling C, work vectors.
//
// A stage takes an iterate r in a run (method.h), improves it, and returns; whether it did is read from the run's
// residual. Stages are the building bricks of `auto` and solvers in their own right.

#ifndef RICO_SOLVE_STAGE_H
#define RICO_SOLVE_STAGE_H

#include "solve/body_system.h"
#include "solve/compressed.h"
#include "solve/method.h"
#include "solve/one_contact.h"

typedef struct rico_stage {
    rico_context *ctx;
    rico_problem *problem;
    rico_compressed *system;  // on W
    rico_body_system *bodies; // without W, in its place
    rico_problem *hidden;     // the bodies behind W, where `bodies` are on these (hidden_bodies.h)
    bool looked;              // for them, whatever was found
    double *diagonal;         // W_aa, 9 entries per block of a contact, row-major with the stride of its size
    double *C;                // of each block, 3x3: what its impulse answers to a velocity
    double *c;                // m: right-hand side
    int32_t *dimension;       // rows of each block that its cone leaves free: 1 for a frictionless contact
    double *cone;             // mu of each block, 1 where the cone is a half line
    double *normal;           // W_NN of each block, > 0
    double *tangent;          // largest eigenvalue of the symmetric part of W_TT; W_NN without tangents
    double *vectors, *squares; // what rico_stage_lend() lends
    double *kept;              // m: an impulse to come back to, for whoever runs stages
    double *step_length;       // one entry per block, for the stage that runs: its own alpha or h
    int32_t *state;            // one per block
    rico_one_contact *local;   // one per block
    int64_t contacts;          // blocks that are not equalities
    int64_t factorizations;
} rico_stage;

// Is the problem large, of bodies, and W not there: are Newton systems made body by body? Ask once M is factored.
bool rico_stage_by_bodies(const rico_problem *problem);

// Reduces the problem and compresses W; a large problem of bodies is taken as it is, W not being formed.
// graph: NULL, or where that of the bodies is, which is taken from there if it has been made.
rico_status rico_stage_create(rico_problem *problem, rico_body_graph **graph, rico_stage **out);
void rico_stage_destroy(rico_stage *stage);

// Work space for the stage that runs, by name: the `rows` to be lent m entries each, the `squares` 9 entries per block;
// both lists end with NULL, and squares may be NULL. Whatever ran before has written into them.
void rico_stage_lend(const rico_stage *stage, double **const *rows, double **const *squares);

// W changed.
rico_status rico_stage_update(rico_stage *stage);

// Looks for the bodies behind a large W, and makes Newton's systems of them from now on where these are found and the systems the smaller
// ones: worth it where many are to come. Once for each W.
rico_status rico_stage_look_behind(rico_stage *stage);

// Factors for the present C, counting it. RICO_SINGULAR when it cannot.
rico_status rico_stage_factor(rico_stage *stage);

// dr for the present C and c, refined when asked to.
void rico_stage_solve(rico_stage *stage, double *dr, bool refine);

// The sign of det(I + C W) for the C of the last factorization; with joints, of the bordered matrix.
int rico_stage_sign(const rico_stage *stage);

// Seconds that one factorization takes, roughly: to be compared with the cost of sweeps.
double rico_stage_seconds(const rico_stage *stage);

// W dr for the dr of the last solve.
void rico_stage_product(const rico_stage *stage, double *W_dr);

// The same before there is a stage: where systems are made body by body, from *graph, which is made if it is not there; and a
// bound, without anything.
rico_status rico_stage_foretell(rico_problem *problem, rico_body_graph **graph, double *seconds);
double rico_stage_seconds_at_least(const rico_problem *problem);

// u = W r + q
void rico_stage_velocity(const rico_stage *stage, const double *r, double *u);


// W r
void rico_stage_multiply(const rico_stage *stage, const double *r, double *W_r);

// The impulses of contacts that stick as small as their cones allow, the velocities being what they are but for round-off (shrink.c).
rico_status rico_stage_shrink(rico_stage *stage, rico_run *run);

// Extrapolated proximal point method with a reduced Newton method inside (proximal_newton.c).
typedef struct rico_proximal_options {
    double alpha;        // first regularization, times W_NN
    double shrink, grow; // of alpha after an easy, after a failed inner solve
    double accuracy;     // inner residual to reach, relative to its first
    double tolerance;    // growth of the residual that an extrapolation may cause
    double jump;         // largest extrapolation, relative to |r|
    bool exact;          // Newton on the exact local solutions instead of Alart-Curnier's map
    int inner;           // Newton steps per proximal step
    int stall;           // proximal steps without halving the residual before giving up
    int steps;           // proximal steps
} rico_proximal_options;
rico_proximal_options rico_proximal_default(void);
rico_status rico_stage_proximal(rico_stage *stage, const rico_proximal_options *options, rico_run *run);

// Primal-dual interior point with the non-associated term inside Newton's system (interior.c).
typedef struct rico_interior_options {
    int steps;       // Newton systems
    double centre;   // how far from the boundary the start is, relative to the mean impulse
    bool near;       // and as well centred as r lets it be, for an r that is nearly right
    double fraction; // of the way to the boundary that a step may go
    int stall;       // steps without a gain of three tenths before giving up
} rico_interior_options;
rico_interior_options rico_interior_default(void);
rico_status rico_stage_interior(rico_stage *stage, const rico_interior_options *options, rico_run *run);

// The convex problem with u_N + shift in place of u_N, associated friction, by the same method from the middle of the cones: few steps
// whatever the masses. r is its solution.
rico_status rico_stage_convex(rico_stage *stage, const double *shift, int steps, rico_run *run);

// Coulomb friction as a fixed point of convex problems (associated.c).
typedef struct rico_associated_options {
    int rounds; // convex problems
    int steps;  // Newton systems for each
} rico_associated_options;
rico_associated_options rico_associated_default(void);
rico_status rico_stage_associated(rico_stage *stage, const rico_associated_options *options, rico_run *run);

// Smoothing Newton method on the natural map (smoothing.c).
typedef struct rico_smoothing_options {
    double warm;  // first smoothing, relative to the present residual
    double alpha; // proximal regularization, times W_NN
    int steps;    // Newton systems
    int stall;    // smoothing levels without halving the residual before giving up
} rico_smoothing_options;
rico_smoothing_options rico_smoothing_default(void);
rico_status rico_stage_smoothing(rico_stage *stage, const rico_smoothing_options *options, rico_run *run);

// The central path by arc length (path.c).
typedef struct rico_path_options {
    double warm; // first smoothing, relative to the present residual
    int steps;   // Newton systems
} rico_path_options;
rico_path_options rico_path_default(void);
rico_status rico_stage_path(rico_stage *stage, const rico_path_options *options, rico_run *run);

// The curve of proximal points around its folds (proximal_path.c).
typedef struct rico_proximal_path_options {
    double alpha; // first regularization, times W_NN
    double goal;  // residual to reach, relative to the present one
    double noise; // on the centre, relative to the mean impulse
    int steps;    // Newton systems
    int seed;     // of the noise
} rico_proximal_path_options;
rico_proximal_path_options rico_proximal_path_default(void);
rico_status rico_stage_proximal_path(rico_stage *stage, const rico_proximal_path_options *options,
                                     rico_run *run);

#endif
