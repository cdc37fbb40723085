// The problem of positions that projecting schemes solve beside the one of velocities.

#ifndef RICO_STEP_PROJECTION_H
#define RICO_STEP_PROJECTION_H

#include "step/theta_step.h"

typedef struct rico_projection {
    rico_contacts contacts;     // of the positions: joints, and contacts by their normals
    rico_iteration metric;      // N^-1
    double *tau, *offset, *gap; // rows
    double *correction, *trial; // N G tau of the iterate and of the next, velocities
    double *frame;              // values of H where positions are projected; changes places with the system's
    char *set;                  // constraints: how each is projected, RICO_CONTACT_*
    char *violated;             // work space of as many
    double way;                 // the longest that a body may go in the step
    bool at_once;               // velocities and positions: the coupled solve
    struct rico_coupled *coupled; // work space of the coupled solve, NULL until it is needed
    struct rico_jointed *jointed; // what the scheme for joints keeps beside, NULL in others
} rico_projection;

// Functions of a scheme whose own memory is a rico_projection; options are rico_theta_options.
rico_status rico_projection_create(rico_simulation *sim);
rico_status rico_projection_resize(rico_simulation *sim); // room for the constraints of the step
rico_status rico_projection_check(rico_simulation *sim);
void rico_projection_destroy(rico_simulation *sim);

// N = I, or M^-1 at q_theta.
rico_status rico_projection_set_metric(rico_simulation *sim, bool *changed);

// H of the positions in the place of H of the velocities, and back.
void rico_projection_swap_frames(rico_simulation *sim);

// Coupled solve of one iteration: eq. 53-55 of Acary 2012 in the increments of an iterate (v, c) that satisfies the
// displacement exactly,
//
//     v' = v_free + A^-1 [ H p - h theta K (N G tau - c) ],    0 = gap + G'( h theta (v' - v) + N G tau - c )  or >= 0,
//
// with A the iteration matrix, v_free = v + A^-1 right, and the contact law on u = H'v' + w. On entry next holds v_free,
// sim->offset the law's offset, projection->gap the gaps of the iterate, projection->set the contacts to project; on return
// next, sim->next.p, projection->tau and projection->trial hold the solution.
rico_status rico_coupled_solve(rico_simulation *sim, rico_projection *projection, const rico_theta_step *step,
                               double omega, const double *v, double *next);
void rico_coupled_destroy(rico_context *ctx, struct rico_coupled *coupled);

// Moreau-Jean's scheme for many bodies in its two halves, projected.c: velocities and impulses with the correction of the displacement as it
// stands, and the projection of where that leads, which makes the correction anew. Both leave the gaps at vector.ahead.
rico_status rico_projected_move(rico_simulation *sim, double h);
rico_status rico_projected_project(rico_simulation *sim, double h);
rico_status rico_projected_book(rico_simulation *sim, double h);

void rico_jointed_destroy(rico_context *ctx, struct rico_jointed *jointed); // jointed.c
const double *rico_jointed_impulse(const struct rico_jointed *jointed);     // of joints that keep the energy

#endif
