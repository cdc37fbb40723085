// The nonsmooth generalized-alpha scheme with constraints at several levels, from inside.
//
//     M vd - G'lam - f(q, v, t) = 0        G vd + gamma = 0          the smooth motion, or another row of its own
//     M U  - G'nu  = 0                     g(q) = 0                  what puts positions on the constraints
//     M W  - G'Lam = 0                     G v + w + e (G v + w)_n = 0    and velocities: impacts
//
//     q_{n+1} = q_n (+) [ h v_n + h^2 (1/2-beta) a_n + h^2 beta a_{n+1} + U ]
//     v_{n+1} = v_n + h (1-gamma) a_n + h gamma a_{n+1} + W
//     (1-alpha_m) a_{n+1} + alpha_m a_n = (1-alpha_f) vd_{n+1} + alpha_f vd_n,     eta from lam in the same way
//
// (Bruls, Acary and Cardona 2018, eq. 65), everything at the end of the step. Each of the three pairs of equations is a
// stage: unknowns x (vd, U, W) and m (lam, nu, Lam). U = bq U', W = bv W' with their multipliers, bq and bv what vd moves q
// and v by, so that all stages have accelerations for unknowns, forces for residuals and nearly one matrix, [M -G'; G 0].

#ifndef RICO_STEP_ALPHA_H
#define RICO_STEP_ALPHA_H

#include "model/turning.h"
#include "step/newmark.h"

enum { RICO_ALPHA_SMOOTH, RICO_ALPHA_POSITION, RICO_ALPHA_VELOCITY, RICO_ALPHA_STAGES };

// What a row of a stage asks; those of the stages of positions and velocities ask for themselves.
typedef enum rico_alpha_row {
    RICO_ROW_POSITION,     // g = 0
    RICO_ROW_VELOCITY,     // G v + w = 0
    RICO_ROW_SMOOTH,       // the same of the smooth velocity v - W
    RICO_ROW_ACCELERATION, // G vd + gamma = 0
    RICO_ROW_BAUMGARTE     // the last with multiples of the first two
} rico_alpha_row;

// How a row stands in a stage.
typedef enum rico_alpha_mode {
    RICO_MODE_OFF,  // its multiplier has a given value, 0 as a rule
    RICO_MODE_ON,   // the row holds
    RICO_MODE_SLIP, // friction: lam_T = -mu d lam_N
    RICO_MODE_LEAN, // positions: its double impulse leans as the impulse does, nu*_T = (P_T/P_N) nu*_N
    RICO_MODE_HELD  // its multiplier stays as it is: the contact solver has set it
} rico_alpha_mode;

// A way to ask for constraints: a row of the table of levels.
typedef struct rico_alpha_levels {
    const char *name;
    int stages; // 1: the smooth motion alone, 2: positions as well, 3: velocities too
    rico_alpha_row row;
    bool contacts; // takes them
    bool old;      // U = G_n'nu, without the mass and at the old point (eq. 73)
    bool project;  // positions and velocities are put back after the step
} rico_alpha_levels;

extern const rico_alpha_levels rico_alpha_level_table[];

enum {
    RICO_ALPHA_LEVELS,
    RICO_ALPHA_STRATEGY,
    RICO_ALPHA_NEWTON,
    RICO_ALPHA_RHO,
    RICO_ALPHA_M,
    RICO_ALPHA_F,
    RICO_ALPHA_BETA,
    RICO_ALPHA_GAMMA,
    RICO_ALPHA_START,
    RICO_ALPHA_RESTART,
    RICO_ALPHA_WARM,
    RICO_ALPHA_FORCE_TOL,
    RICO_ALPHA_SET_SCALE,
    RICO_ALPHA_LEAVING,
    RICO_ALPHA_DAMPING,
    RICO_ALPHA_STIFFNESS,
    RICO_ALPHA_OPTIONS
};
enum { RICO_STRATEGY_1, RICO_STRATEGY_2, RICO_STRATEGY_3, RICO_STRATEGY_3S };
enum { RICO_START_SAME, RICO_START_SHIFTED, RICO_START_ZERO };

// The scheme's own numbers in a state.
typedef struct rico_alpha_state {
    double *h;                    // of the last step, 0 before the first
    double *vd, *a;               // of velocities
    double *U, *W;                // of the last step, over bq and bv
    double *by_forces, *by_rows;  // M^-1 f and M^-1 G'lam, whose sum vd is
    double *phi, *psi;            // and the shares that they have in a
    double *lam, *eta, *nu, *Lam; // of rows; the last two over bq and bv
    double *level;                // G vd + gamma, the rows at the level of accelerations
    double *sets;                 // of constraints: 1 for A, 2 for B, 4 for C
} rico_alpha_state;
enum { RICO_ALPHA_VECTORS = 8, RICO_ALPHA_ROW_VECTORS = 5 };
enum { RICO_SET_A = 1, RICO_SET_B = 2, RICO_SET_C = 4 };

typedef struct rico_alpha {
    const rico_alpha_levels *levels;
    rico_newmark is;
    rico_turning_space turning;
    double kap, bq, bv; // a, q and v by vd
    double pace;
    rico_alpha_row smooth; // row of the smooth stage: that of the levels, or of accelerations at a start

    // the matrix of one stage, on one pattern for all: velocities, then rows
    int64_t size;                     // of it
    rico_csc pattern;                 // its values are those in the making
    int64_t *at_system;               // where the entries of the system's pattern stand in it
    int64_t *at_H, *at_Ht;            // those of H: as rows below M, as columns beside it
    int64_t *at_own;                  // of each row its own multiplier, and that of its contact's normal
    int64_t *at_bend, *bend_start;    // of each constraint its velocities against one another
    double *known[RICO_ALPHA_STAGES]; // values that the factors have
    rico_factor *factor[RICO_ALPHA_STAGES];
    bool factored[RICO_ALPHA_STAGES];
    rico_csc whole; // all stages at once
    double *whole_right;
    rico_factor *whole_factor;

    // the iterate
    double *x[RICO_ALPHA_STAGES], *m[RICO_ALPHA_STAGES]; // unknowns
    double *R[RICO_ALPHA_STAGES], *C[RICO_ALPHA_STAGES]; // residuals: forces, rows
    double *right;                                       // of one stage, solved in place
    char *mode[RICO_ALPHA_STAGES];
    double *a, *eta, *a_n, *eta_n;  // shifted accelerations and multipliers, and those at the start
    double *vd_n, *lam_n;           // and the unshifted ones there
    double *phi_n, *psi_n, *rows_n; // shares of forces and rows in a_n, of rows in vd_n
    double *phi, *psi;              // and in a
    bool folded;                    // contacts have none of it: their share is taken out of the motion so far
    double *q, *v, *step, *f, *work; // positions, velocities, displacement, forces
    double *g, *u, *gamma;           // rows
    double *turned;                  // of entries of H: Dv, Ds, Da, Cv, one after the other
    double *Dv, *Ds, *Da, *Cv;
    double *old;                         // entries of H at the start of the step
    double *gather;                      // of one constraint: two times its velocities
    double *L;                           // and their square
    double *r;                           // rows: weight of a gap against a multiplier
    double *lean;                        // rows: P_T/P_N
    double *direction;                   // rows: of slip
    int turns;                           // iterations of the step
    bool changed;                        // a contact has joined or left a set in this one
    double size_force;                   // largest term of the equations of motion
    double size_smooth, size_multiplier; // largest multiplier of the smooth stage, and of all

} rico_alpha;

rico_alpha_state rico_alpha_own(const rico_simulation *sim, const rico_state *state);

// --- options and memory: alpha_scheme.c

rico_newmark rico_alpha_parameters(const rico_simulation *sim);
rico_status rico_alpha_resize(rico_simulation *sim);

// --- the matrix: alpha_matrix.c

rico_status rico_alpha_matrix_resize(rico_simulation *sim);
void rico_alpha_matrix_destroy(rico_simulation *sim);
// Solves stage s for the residuals in R and C: the corrections replace them. Or all stages at once.
rico_status rico_alpha_solve_stage(rico_simulation *sim, int stage);
rico_status rico_alpha_solve_all(rico_simulation *sim);
// Forgets what the latter keeps from step to step.
void rico_alpha_forget_whole(rico_simulation *sim);

// --- the iterate: alpha_iterate.c

// Positions, velocities and shifted quantities from the unknowns.
rico_status rico_alpha_place(rico_simulation *sim, double h);
// Frames, rates, gaps and mass there; and forces, tangents and how rows turn.
rico_status rico_alpha_kinematics(rico_simulation *sim, double t);
rico_status rico_alpha_dynamics(rico_simulation *sim, double t, bool tangents);
// Residuals of a stage.
void rico_alpha_residual(rico_simulation *sim, int stage);
// Whether all of them are small; *worst: the largest, over what it may be, and where.
bool rico_alpha_settled(rico_simulation *sim, double *worst, const char **where);
// Impulses and double impulses of a row that the smooth multipliers bring by themselves.
double rico_alpha_known_impulse(const rico_simulation *sim, double h, int64_t row);
double rico_alpha_known_double(const rico_simulation *sim, double h, int64_t row);
double rico_alpha_row_times(const rico_simulation *sim, int64_t row, const double *values, const double *v);

// --- sets of constraints that act: alpha_sets.c

rico_status rico_alpha_weigh(rico_simulation *sim); // r
void rico_alpha_choose(rico_simulation *sim, double h, int iteration);
// Double impulses lean as the impulses of the iterate do; whether some contact with friction acts whose impulse is not known yet.
void rico_alpha_lean(rico_simulation *sim, double h);
bool rico_alpha_upright(const rico_simulation *sim);
bool rico_alpha_rough(const rico_constraint *constraint); // has friction

// --- starts: alpha_start.c

rico_status rico_alpha_start(rico_simulation *sim);
// vd and lam of (t, q, v), into the unknowns of the smooth stage.
rico_status rico_alpha_accelerations(rico_simulation *sim, double t, const double *q, const double *v);
rico_status rico_alpha_shift(rico_simulation *sim, double h); // a_n, eta_n of a step
rico_status rico_alpha_project(rico_simulation *sim);

// --- the step and its books: alpha_step.c, alpha_book.c

rico_status rico_alpha_advance(rico_simulation *sim, double h);
rico_status rico_alpha_book(rico_simulation *sim, double h);
// M^-1 f and M^-1 G'lam of the iterate, for the multipliers given.
rico_status rico_alpha_shares(rico_simulation *sim, const double *lam, double *by_forces, double *by_rows);

#endif
