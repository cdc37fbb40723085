// Derivatives of a step from inside: the equations of a scheme at fixed modes, and what they are linearized into.
//
// Unknown are z (velocities or accelerations at the end of the step, n of them) and the impulses p of the m rows that hold:
//
//     R(z, p, x) = 0,    law(z, p, x) = 0,    x' = x'(z, p, x)
//
// x being the state before and x' the one after. Their differentials,
//
//     A dz - G dp = X dx,    L'dz + D dp = Y dx,
//
// are solved through W = L'A^-1 G + D (implicit functions). Where coordinates add (flat systems), every position and velocity that a scheme
// looks at is a mix of dq, dv, dm and dz with plain numbers.

#ifndef RICO_STEP_DERIVATIVE_H
#define RICO_STEP_DERIVATIVE_H

#include "ricochet/derivatives.h"
#include "step/simulation.h"

typedef struct rico_mix {
    double q, v, m, z;
} rico_mix;

// What of a contact is at a threshold.
typedef enum rico_threshold {
    RICO_THRESHOLD_SPEED,    // u_N before the step
    RICO_THRESHOLD_GAP,      // g(t + h, q + h v)
    RICO_THRESHOLD_FORECAST, // g(t, q) + gamma h u_N
    RICO_THRESHOLD_IMPULSE,  // p_N
    RICO_THRESHOLD_FRICTION, // mu p_N - |p_T|
    RICO_THRESHOLD_OTHER     // its slope is not known
} rico_threshold;

// A parameter: simulations of systems built beside its value, with weights of their differences.
typedef struct rico_twins {
    int count;
    rico_simulation *sim[RICO_MOST_TWINS];
    double weight[RICO_MOST_TWINS]; // and of the value itself
    double own;
    double *derivative; // of the state after, size
    double *dp;         // of impulses, rows
} rico_twins;

// What the equations give at one system: residuals at fixed z, p and x.
typedef struct rico_step_values {
    double *motion; // n
    double *y;      // the law's velocities, all rows
    double *after;  // x'
} rico_step_values;

struct rico_derivatives {
    rico_context *ctx;
    rico_simulation *sim;
    const struct rico_step_equations *equations; // NULL: by differences
    int64_t n, memory, size;                     // velocities, those remembered, entries of the state
    double *block;                               // of all that has a fixed size and is always there
    double *square; // of what goes with the square of it, in equations or in a chart of rotations
    double *matrix; // made when it is first asked for
    bool done;

    // the step: where it began and what it found
    double t, h;
    const double *q, *v, *m;
    double *z;

    // what holds: rows of the equations for each constraint
    int64_t room, constraint_room; // rows and constraints
    int64_t rows;                  // m
    int64_t *first, *count;        // of each constraint: its first row among them and how many; 0: none
    int64_t *row;                  // and the row of the simulation for each
    char *mode;
    double *y;                                       // law's velocities, all rows of the simulation
    double *normal;                                  // directions y_T/|y_T| of sliding, at the rows of y_T
    double *local, *twin_y, *law, *y_sum, *friction; // work space, rows

    // Directions that are differentiated along: all of the state, or of plain systems (linear, rows constant) a few columns of it.
    const double *input; // size x width; NULL: the unit vectors
    int64_t width;

    double *A, *X; // n x n (not of plain systems), n x width
    int64_t X_room;
    double *G, *L; // n x m
    double *D, *W; // m x m
    double *Y;     // width x m: the covector of a row stands together
    double *dp;    // m x width
    double *
        kick; // M^-1 G of schemes whose velocity jumps apart, n x m; their positions and velocities take shares of it
    double *kick_q; // M^-1 dG p/dq, n x n
    double *fold;   // where m is no state yet: d(m)/d(q, v), n x 2n
    bool folds;
    double share_q, share_v;
    bool kicks;
    rico_mix after[3]; // x' = (q, v, m) as mixes
    int32_t *pivot, *row_pivot;
    bool factored; // A by dense LU; otherwise the simulation's own factor serves
    bool determined;

    // of one constraint: its rows and their slopes
    double *rows_at, *slopes, *drifts, *stencil, *place;
    double stride; // of their differences
    struct {
        int64_t constraint; // -1: none
        double t, *q;
    } turned;     // where the slopes are those of
    double *mass; // values of one part's mass, and of its differences
    int64_t row_room, slope_room;

    int64_t doubts, doubt_room;
    rico_doubt *doubt;
    rico_threshold *threshold; // of each: what is near its limit
    double *slope;             // size for each
    double *extent;            // what its terms come to: round-off goes by it

    int64_t parameters, parameter_room;
    rico_twins *parameter;
    double *values[2]; // motion and x' of a twin, and sums of them

    // of differences: the states before and after the step, values of the stencil, d(positions)/d(increments)
    rico_snapshot before, after_step;
    double *probe, *chart, *nominal, *direction;
    struct rico_pressing *seen; // contacts that press in the step itself
    int64_t seen_count, seen_room;
};

// A scheme's equations; rows of the table of schemes point here.
typedef struct rico_step_equations {
    bool (*applies)(const rico_simulation *sim); // to this system with these options; NULL: to every flat one
    // z from the state after the step
    void (*unknown)(rico_derivatives *self);
    // y alone, or NULL: the residuals below have it
    rico_status (*law)(rico_derivatives *self, rico_simulation *at, double *y);
    // residuals of the step in the simulation `at`: this one or a twin
    rico_status (*values)(rico_derivatives *self, rico_simulation *at, const rico_step_values *out);
    // A, X, G, L, D, Y and the mixes, at the modes found
    rico_status (*linearize)(rico_derivatives *self);
    // d(m)/d(q, v) at the start, n x 2n; NULL: nothing is remembered
    rico_status (*start)(rico_derivatives *self, double *matrix);
    bool columns;   // of a plain system, a few columns can be had without the others
    bool activates; // contacts act by a forecast: activation.c; otherwise all may
} rico_step_equations;

extern const rico_step_equations rico_theta_equations, rico_newmark_equations, rico_schatzman_paoli_equations;

// Whether the equations are linear but for the modes: the factor is the step's, and nothing turns.
static inline bool rico_derivative_plain(const rico_derivatives *self)
{
    const rico_system *system = self->sim->system;
    return self->equations && self->equations->columns && system->linear && system->constant_frames;
}


// --- rows of constraints, derivative_rows.c

// The block of H of constraint c at (t, q), dof_count x size; and its rate w.
rico_status rico_derivative_rows(rico_derivatives *self, rico_simulation *at, int64_t c, double t,
                                 const double *q, double *rows);
rico_status rico_derivative_rate(rico_derivatives *self, rico_simulation *at, int64_t c, double t,
                                 const double *q, double *w);
// Their derivatives by each velocity i of the constraint, into slopes[i * dof_count * size + ...] and drifts[i * size + ...]; false in *any
// where all vanish.
rico_status rico_derivative_row_slopes(rico_derivatives *self, int64_t c, double t, const double *q,
                                       bool *any);
rico_status rico_derivative_rate_slopes(rico_derivatives *self, int64_t c, double t, const double *q,
                                        bool *any);
double rico_derivative_stride(const rico_derivatives *self); // of both, and of masses
rico_status rico_derivative_gap(rico_derivatives *self, rico_simulation *at, int64_t c, double t,
                                const double *q, double *gap);

// --- pieces of the linearized equations, derivative_system.c

// Room for the rows that hold; everything zero.
rico_status rico_derivative_reserve(rico_derivatives *self);
// R += scale T (mix), T by values on the system's pattern; or a block on the velocities dof.
void rico_derivative_add_values(rico_derivatives *self, double scale, const double *values, rico_mix mix);
void rico_derivative_add_block(rico_derivatives *self, double scale, int64_t count, const int64_t *dof,
                               const double *T, rico_mix mix);
// row i of the law += scale c'(mix) on the velocities dof
void rico_derivative_add_row(rico_derivatives *self, int64_t i, double scale, int64_t count,
                             const int64_t *dof, const double *c, rico_mix mix);
// N = d(M(q) x)/dq at q: R += N (mix)
rico_status rico_derivative_add_mass_slopes(rico_derivatives *self, const double *q, const double *x,
                                            rico_mix mix);
// Rows of sliding contacts: from those of y to p_T + mu p_N y_T/|y_T|.
void rico_derivative_apply_modes(rico_derivatives *self);
rico_status rico_derivative_solve(rico_derivatives *self);
// dz (n) and dp (m) of one more right-hand side; motion becomes dz, law dp.
rico_status rico_derivative_respond(rico_derivatives *self, double *motion, double *law);
// x' from dz and dp at the same state before.
void rico_derivative_after(const rico_derivatives *self, const double *dz, const double *dp, double *after);

// --- modes and thresholds, derivative_modes.c

rico_status rico_derivative_find_modes(rico_derivatives *self);
rico_status rico_derivative_find_doubts(rico_derivatives *self);
rico_status rico_derivative_push_doubt(rico_derivatives *self, rico_doubt_kind kind, rico_threshold threshold,
                                       int64_t constraint, double extent, double **slope);
// How the rows of the law change at the modes found, with y and the friction of each contact.
void rico_derivative_law_change(const rico_derivatives *self, const double *dy, const double *dmu,
                                double *law);
// What a contact has at a threshold of its activation.
rico_status rico_derivative_threshold(rico_derivatives *self, rico_simulation *at, rico_threshold which,
                                      int64_t c, double *value);

// --- the step itself by differences, derivative_differences.c

// The whole matrix; or columns, size x count, to what the step makes of them.
rico_status rico_derivative_by_differences(rico_derivatives *self, int64_t count, double *columns);
rico_status rico_derivative_twin_differences(rico_derivatives *self, rico_twins *twins);
rico_status rico_derivative_start_by_differences(rico_derivatives *self, double *matrix);

// --- parameters, derivative_parameters.c

rico_status rico_derivative_by_parameters(rico_derivatives *self);

// Where the step began.
static inline const double *rico_derivative_extra(const rico_derivatives *self)
{
    return self->v + self->n;
}

#endif
