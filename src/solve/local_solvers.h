// The solvers of one Coulomb contact in space, by name: what a sweep does with each of them.
//
// Every one solves, well or badly, u = W r + q under Coulomb's law for one 3x3 block W (Acary et al. 2018, eq. 118).
// Blocks of other kinds have closed forms and take those whatever the local solver (local.h).

#ifndef RICO_SOLVE_LOCAL_SOLVERS_H
#define RICO_SOLVE_LOCAL_SOLVERS_H

#include "solve/one_contact.h"
#include "solve/rho.h"

// What iterative local solvers keep beside each contact.
typedef struct rico_local_tuning {
    rico_rho rho; // by the rule in force
    double step;  // of the adaptive projection, carried from sweep to sweep
} rico_local_tuning;

// When a local iteration ends: |F| <= tol max(|r|, |rho q|) with F the map that it zeroes, in units of impulses.
typedef struct rico_local_limits {
    double tol;
    int max_iterations;
} rico_local_limits;

// Replaces r, on entry the impulse of the last sweep.
typedef void rico_local_function(const rico_one_contact *contact, rico_local_tuning *tuning,
                                 const rico_local_limits *limits, const double q[3], double r[3]);

typedef struct rico_local_solver {
    const char *name;
    const char *summary;
    rico_local_function *solve;
    rico_rho_rule rule; // the rule for rho that the chapter advises for it
    bool iterates;      // reads tuning and limits
} rico_local_solver;

typedef enum rico_local_kind {
    RICO_LOCAL_EXACT,
    RICO_LOCAL_ALART_CURNIER,
    RICO_LOCAL_JEAN_MOREAU,
    RICO_LOCAL_ALART_CURNIER_GP,
    RICO_LOCAL_JEAN_MOREAU_GP,
    RICO_LOCAL_ONE_PROJECTION,
    RICO_LOCAL_PROJECTIONS,
    RICO_LOCAL_KINDS
} rico_local_kind;

// Names: exact, ac, jm, ac-gp, jm-gp, fp-ds-one, fp-vi-upk. NULL past the end.
const rico_local_solver *rico_local_solver_at(rico_local_kind kind);

#endif
