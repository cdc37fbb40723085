// The contact problem of a step with many rows: W as a sparse matrix, swept, its solution judged on the true response.
//
// Column j of W is H' A^-1 h_j. Where A is one large matrix (a mesh, a grid of springs) the column is full but falls off
// with the distance; what is below 1e-12 of its diagonal is left out. Sweeps run on that sparse W~; then one solve with A
// gives the velocity that the impulses truly lead to, which is what is judged, and the difference (W - W~) p goes back
// into the right-hand side where it matters. Columns are kept where A and H are constant, so that a step with the contacts
// of others before it makes none; where A alone is, what they are made of is (compliance.h). Where A falls apart into small bodies, W is sparse by itself.
//
// Sweeps to round-off leave resting contacts at rest. Where they would take too long (heaps), a solver by name goes on,
// set up once for a set of contacts and updated from then on.
//
// Joints never enter W: A^-1 is then the response of the system with its joints (joint_response.h).

#ifndef RICO_STEP_SPARSE_CONTACTS_H
#define RICO_STEP_SPARSE_CONTACTS_H

#include "solve/sweep.h"
#include "step/compliance.h"
#include "step/joint_response.h"

typedef struct rico_sparse_contacts {
    rico_context *ctx;
    int64_t row_room;
    int64_t *first, *length; // rows of the set: where the column's entries stand below; length -1: not made
    int64_t *place;          // row of the set -> row of the problem, -1: none
    int64_t used, room;
    int64_t *entry; // rows of the set, one column after the other
    double *value;
    double *batch; // velocities times the columns made at once

    int64_t start_room, active_room; // of W~ as it is put together
    int64_t *start, *row;
    double *number;
    rico_joint_response joints;
    rico_compliance compliance; // where contacts slide over bodies whose A is constant
    bool parted;                // A falls apart into bodies
    rico_problem *problem;      // of the contacts that act
    rico_sweeper *sweeper;
    double *held;  // velocities that the joints add before any contact acts
    double *total; // velocities: what impulses add
    bool stale;    // A or H changed since the columns were made
    bool whole;    // A does not fall apart into bodies
    bool ready;    // the solver was set up on the problem
    int rest;      // steps for which sweeps that did not settle are not tried again
} rico_sparse_contacts;

struct rico_contacts;

void rico_sparse_contacts_destroy(rico_sparse_contacts *sparse);

// Solves for the active set of `contacts`, whose c and p are filled in; v holds the free velocity and receives the one
// with impulses.
rico_status rico_sparse_contacts_solve(struct rico_contacts *contacts, rico_iteration *iteration, double *v);

#endif
