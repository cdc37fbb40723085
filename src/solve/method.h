// What a solver looks like from inside: a row in the registry's table, a run with its limits and best iterate.
//
// Adding a family of solvers: one file that defines an array of `rico_method`, one row in registry.c. Members of a
// family share their functions and differ by what `variant` points to.

#ifndef RICO_SOLVE_METHOD_H
#define RICO_SOLVE_METHOD_H

#include "problem/problem.h"
#include "ricochet/solver.h"

typedef struct rico_run rico_run;

typedef struct rico_method {
    rico_solver_info info;

    // Allocates solver->work for solver->problem. Called again after a new setup, cleanup coming first.
    rico_status (*setup)(rico_solver *solver);

    // The vectors of the problem changed; with `matrix`, so did the values of W (reduced form, same pattern). NULL
    // when nothing in work depends on either.
    rico_status (*update)(rico_solver *solver, bool matrix);

    // Iterates from run->r until rico_run_check() says stop. Allocates nothing.
    rico_status (*solve)(rico_solver *solver, rico_run *run);

    // Frees solver->work; must cope with a setup that failed half way.
    void (*cleanup)(rico_solver *solver);

    // NULL, or: may a glance at a problem of a few contacts (solve/glance.h) stand in for the setup and the first sweeps?
    bool (*glances)(const rico_solver *solver);

    const void *variant; // what sets this member of its family apart; the family knows its type
    bool apart;          // works on M and H throughout: W is not formed for anything
} rico_method;

// A row of the registry.
typedef struct rico_family {
    const rico_method *methods;
    const int *count;
} rico_family;

enum { RICO_COMMON_OPTIONS = 4 };
typedef enum rico_common_option {
    RICO_OPT_TOL,
    RICO_OPT_MAX_ITER,
    RICO_OPT_TIME_LIMIT,
    RICO_OPT_HISTORY
} rico_common_option;

struct rico_solver {
    rico_context *ctx;
    const rico_method *method;
    rico_problem
        *problem; // what the method works on: a copy in units of its own, or `original`; NULL before setup
    rico_problem
        *original;    // what the caller handed in; without `problem`, setup waits for a solve that needs it
    rico_units units; // of the copy
    void *work;       // the method's own
    double *option;   // common options first, then the method's own, in the order of their tables
    double *best, *trial, *velocity; // m entries each: best iterate, current iterate, its velocity
    rico_history_entry *history;
    int64_t history_count, history_capacity;
    rico_progress_function progress;
    void *progress_user;
};

// The value of the method's own option by its index in its table.
double rico_option(const rico_solver *solver, int index);

// For methods that use another solver on a problem that is theirs, in units of order one already: setup without a copy,
// and update after its W and vectors changed.
rico_status rico_solver_setup_inner(rico_solver *solver, rico_problem *problem);
rico_status rico_solver_update_matrix(rico_solver *solver);

// One solve in progress.
struct rico_run {
    rico_solver *solver;
    double *r; // the iterate, m entries; the method writes it
    double *u; // W r + q of the last check
    double tol;
    int64_t max_iterations;
    double began, deadline;                // on rico_clock()
    int64_t iterations;                    // set by the method through the checks
    rico_residual residual, best_residual; // of the last check, of the best iterate
    bool has_best;
    bool settled; // the last check was that of the best iterate: u is its velocity if the run ended with it
    rico_status failure; // of the residual's computation, RICO_OK almost always
    bool done;           // a check or a limit said stop; `stop` says why
    rico_stop stop;
    char note[256];
};

// Computes the residual of run->r, keeps it if it is the best so far, records it, and looks at every limit.
// Returns true when the method must return (run->stop says why).
bool rico_run_check(rico_run *run, int64_t iteration);

// The first check, before the method iterates: r = 0, then the starting point. True when nothing is left to do.
bool rico_run_start(rico_run *run);

// Looks at the iteration limit, the clock and the interrupt flag alone; cheap enough for every iteration.
bool rico_run_limits(rico_run *run, int64_t iteration);

// For a method that gives up: sets stop and note.
void rico_run_stop(rico_run *run, rico_stop stop, const char *format, ...) RICO_PRINTF(3, 4);

// A run that ended because its iterates ran away may go on from its best one, with another method. True when it does.
bool rico_run_forgive(rico_run *run);

#endif
