// The equations of one block for Newton's method, and elements of their generalized Jacobians.
//
// Coulomb contacts take a map of cone.h, unilateral rows min(rho u, r), equalities rho u. Hueber, Stadler and Wohlmuth's
// equations have three more Jacobians, for iterates that are far from the solution.

#ifndef RICO_SOLVE_NEWTON_MAP_H
#define RICO_SOLVE_NEWTON_MAP_H

#include "problem/problem.h"
#include "ricochet/cone.h"
#include "solve/rho.h"

typedef enum rico_newton_jacobian {
    RICO_JACOBIAN_ELEMENT,  // of the generalized Jacobian of the map as it stands
    RICO_JACOBIAN_MODIFIED, // Hueber, Stadler, Wohlmuth 2008, eq. 3.11: kept regular far from the solution
    RICO_JACOBIAN_HYBRID,   // that, and the friction bound is mu (r_N)+ instead of the predicted one
    RICO_JACOBIAN_FROZEN    // that, and steps do not see the bound change: a sequence of Tresca's problems
} rico_newton_jacobian;

typedef struct rico_newton_map {
    rico_map_kind kind;
    rico_newton_jacobian jacobian; // anything but the element for Hueber, Stadler and Wohlmuth's alone
} rico_newton_map;

// The equations of block a at (u, r) and, unless du is NULL, their Jacobian blocks as newton_system.h wants them.
void rico_newton_map_block(const rico_problem *problem, const rico_newton_map *map, int64_t a, rico_rho rho,
                           const double *u, const double *r, double *G, double *du, double *dr);

// What Alart and Curnier's prediction says about block a: open, sticking (equalities too), or sliding.
rico_contact_state rico_newton_map_state(const rico_problem *problem, int64_t a, rico_rho rho,
                                         const double *u, const double *r);

#endif
