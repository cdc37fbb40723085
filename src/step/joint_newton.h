// Newton's step for joints at velocities and positions at once, where they do not come apart.
//
// With A the iteration matrix, J the joints' rows half way through a step, G those at its end and D = d(G v + w)/dq there, a change dv of the
// velocity and (h/2) e of the correction of positions, both by impulses along J, obey
//
//     [     A            0        -J    0 ] [ dv ]   [ b ]
//     [     0            A         0   -J ] [ e  ]   [ 0 ]          r: G v + w at the end
//     [ -(G + h/2 D)'  -h/2 D'     0    0 ] [ p  ] = [ r ]          g: the gaps there
//     [    -G'          -G'        0    0 ] [ s  ]   [ 2 g/h ]
//
// One problem after the other forgets D, which costs iterations while the rows of G are independent. Where a step ends in a position in
// which they are not, positions that leave the branch are seen by D alone, and velocities that do by nothing else: the motion
// is then along the branch with s = 0. Stand-ins for 0 on the diagonal, shares of each joint's own compliance, decide what counts as independent;
// refinement takes them out as in joint_response.h.

#ifndef RICO_STEP_JOINT_NEWTON_H
#define RICO_STEP_JOINT_NEWTON_H

#include "step/iteration.h"

typedef struct rico_joint_newton {
    rico_context *ctx;
    int64_t n, rows, entries; // velocities, rows of joints, room
    rico_csc matrix;
    double *stand_in; // rows, twice
    double *right, *found, *kept, *left;
    rico_factor *factor;
} rico_joint_newton;

void rico_joint_newton_destroy(rico_joint_newton *newton);

// J = columns row[0 .. rows) of H; G and D have their values on the pattern of H.
rico_status rico_joint_newton_prepare(rico_joint_newton *newton, const rico_iteration *iteration,
                                      const rico_csc *H, const double *G, const double *D, double h,
                                      double stand_in, int64_t rows, const int64_t *row);

// dv, the change of the correction and p, for b (n entries), r and g (rows).
rico_status rico_joint_newton_solve(rico_joint_newton *newton, double h, const double *b, const double *r,
                                    const double *g, double *dv, double *dc, double *p);

#endif
