// Solvers by name: create, set options, set up on a problem, solve (again and again), destroy.
//
//     rico_solver *solver;
//     rico_solver_create(ctx, "nsgs", &solver);
//     rico_solver_set(solver, "tol", "1e-10");
//     rico_solver_setup(solver, problem);
//     rico_solver_solve(solver, r, u, &report);   // r: starting point in, best iterate out
//
// Whether a run converged is judged by rico_problem_residual(), never by the method itself.

#ifndef RICOCHET_SOLVER_H
#define RICOCHET_SOLVER_H

#include "ricochet/option.h"
#include "ricochet/problem.h"

RICO_API_BEGIN

// What a solver can take, as a mask.
enum {
    RICO_TAKES_REDUCED = 1 << 0,
    RICO_TAKES_GLOBAL = 1 << 1, // works on M and H without forming W, at least for some M
    RICO_TAKES_EQUALITY = 1 << 2,
    RICO_TAKES_UNILATERAL = 1 << 3,
    RICO_TAKES_COULOMB_2D = 1 << 4,
    RICO_TAKES_COULOMB_3D = 1 << 5,
    RICO_TAKES_UNSYMMETRIC = 1 << 6,
    RICO_TAKES_FRICTIONLESS = 1 << 7, // Coulomb blocks with mu = 0, where it does not take all of that kind
    RICO_TAKES_BOX = 1 << 8,
    RICO_TAKES_ELLIPTIC = 1 << 9,
    RICO_TAKES_ROLLING = 1 << 10, // with moments: rolling, spinning, or both
    RICO_TAKES_TRESCA = 1 << 11,
    RICO_TAKES_ALL_BLOCKS = RICO_TAKES_EQUALITY | RICO_TAKES_UNILATERAL | RICO_TAKES_COULOMB_2D |
                            RICO_TAKES_COULOMB_3D | RICO_TAKES_BOX | RICO_TAKES_ELLIPTIC |
                            RICO_TAKES_ROLLING | RICO_TAKES_TRESCA
};

typedef struct rico_solver_info {
    const char *name;
    const char *family;    // "splitting", "newton", ...
    const char *summary;   // one line
    const char *reference; // where the method is described
    unsigned takes;        // mask of RICO_TAKES_*
    int option_count;      // its own options, beside the common ones
    const rico_option_info *options;
} rico_solver_info;

// The table of solvers; NULL past its end or for an unknown name.
const rico_solver_info *rico_solver_at(int index);
const rico_solver_info *rico_solver_find(const char *name);
// The options that every solver has: tol, max-iter, time-limit, history.
const rico_option_info *rico_solver_common_options(int *count);

typedef struct rico_solver rico_solver;

rico_status rico_solver_create(rico_context *ctx, const char *name, rico_solver **out);
void rico_solver_destroy(rico_solver *solver);

// Sets an option from text ("1e-8", "true", "shuffled") or a number; before or after setup.
rico_status rico_solver_set(rico_solver *solver, const char *name, const char *value);
rico_status rico_solver_set_number(rico_solver *solver, const char *name, double value);
rico_status rico_solver_get_number(const rico_solver *solver, const char *name, double *value);

// Binds the solver to a problem, checks that it can take it, prepares matrices and work space; of a few contacts it may leave that to the
// first solve that needs it. The problem must outlive the solver or its next setup.
rico_status rico_solver_setup(rico_solver *solver, rico_problem *problem);

// Tells the solver that the vectors of its problem changed (q, or f and w).
rico_status rico_solver_update(rico_solver *solver);

typedef enum rico_stop {
    RICO_CONVERGED, // the residual is at most tol
    RICO_MAX_ITERATIONS,
    RICO_TIME_LIMIT,
    RICO_STOPPED,     // interrupted
    RICO_STALLED,     // no progress any more
    RICO_DIVERGED,    // not a number, or out of bounds
    RICO_BREAKDOWN,   // the method met something it cannot handle
    RICO_NO_SOLUTION, // a certificate says that there is none
    RICO_STOPS
} rico_stop;

const char *rico_stop_name(rico_stop stop);     // "converged", "max-iterations", ...
const char *rico_stop_sentence(rico_stop stop); // the same in words

typedef struct rico_report {
    rico_stop stop;
    int64_t iterations;     // of the outermost loop
    rico_residual residual; // of the r that was returned
    double seconds;         // inside rico_solver_solve()
    char note[256];         // why, in words, when the stop alone does not say; may be ""
} rico_report;

// Solves from r as it stands. r receives the best iterate found, u its velocity (may be NULL), whatever the
// stop; both are finite. RICO_OK means that the report is valid, not that it converged.
rico_status rico_solver_solve(rico_solver *solver, double *r, double *u, rico_report *report);

// One line per check of the residual, kept when the option history is on; valid until the next solve.
typedef struct rico_history_entry {
    int64_t iteration;
    double seconds;
    double residual; // relative
} rico_history_entry;
const rico_history_entry *rico_solver_history(const rico_solver *solver, int64_t *count);

// Called at each check of the residual; for progress bars. NULL removes it.
typedef void (*rico_progress_function)(void *user, const rico_history_entry *entry);
void rico_solver_set_progress(rico_solver *solver, rico_progress_function function, void *user);

RICO_API_END

#endif
