// Siconos' solvers as contenders of a benchmark: which there are, and one cell of the table with one of them.

#ifndef RICO_BENCH_PEERS_SICONOS_SOLVE_H
#define RICO_BENCH_PEERS_SICONOS_SOLVE_H

#include "lab/measure.h"

// The form of a problem that a contender is given.
typedef enum peer_form {
    PEER_LOCAL,     // W and q, of a problem that came with them
    PEER_CONDENSED, // W and q of a global problem, formed beforehand
    PEER_GLOBAL     // M, H, f, w
} peer_form;

// What decides who takes a problem.
typedef struct peer_kind {
    int dimension; // of its contacts: 2 or 3; 0 for problems that Siconos cannot express
    bool global;
    int64_t contacts;
} peer_kind;

peer_kind peer_kind_of(const rico_problem *problem);

typedef struct peer_solver {
    const char *name;
    int dimension;
    peer_form form;
    int id;          // SICONOS_FRICTION_...
    int inner;       // id of the solver inside, 0 for the default
    int storage;     // NM_DENSE, NM_SPARSE_BLOCK or NM_SPARSE
    int line_search; // of the Newton method: PEER_LINE_SEARCH_DEFAULT, or as Siconos numbers them
} peer_solver;

enum { PEER_LINE_SEARCH_DEFAULT = -99 };

// The table; NULL past its end.
const peer_solver *peer_solver_at(int index);
bool peer_solver_takes(const peer_solver *solver, const peer_kind *kind);

typedef struct peer_task {
    rico_context *ctx;
    const peer_solver *solver;
    rico_problem *problem; // read, and not touched since; reduced already for a condensed one
    double tol, time_limit;
    int64_t most_runs;
} peer_task;

// Measures one solver, in a process of its own, which ends by SIGPROF at the time limit. The answer is laid out
// as that of rico_measure_solver().
void peer_measure(const peer_task *task, void *answer);

#endif
