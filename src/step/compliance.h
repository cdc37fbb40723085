// What impulses at the velocities that contacts touch do to each other: A^-1, with the joints holding, restricted to them.
//
// Where A is constant but contacts slide, the columns of H change from step to step and those of A^-1 H with them; the velocities that they are
// made of hardly do. So the rows and columns of A^-1 at those velocities are kept as a dense symmetric matrix S, and W = H'S H costs no solve with
// A. A contact that touches what none has touched before costs one solve for each new velocity.
//
// The bits of S depend on the order in which velocities came and on which were solved for together; both are part of a saved state, so
// that a run that is resumed makes the same S again.

#ifndef RICO_STEP_COMPLIANCE_H
#define RICO_STEP_COMPLIANCE_H

#include "step/iteration.h"

typedef struct rico_compliance {
    rico_context *ctx;
    int64_t nv;
    int64_t stamp;       // names the factor that it was made with
    double weight[3];    // of M, C and K in it
    int64_t count, room; // velocities in it
    int64_t *dof;        // they
    int64_t *place;      // of all velocities: 1 + where it stands in dof, 0: it is not there
    double *S;           // room x room, of which count x count are there
    int64_t listed, list_room;
    int64_t *
        list; // those that are there and those of a loaded state that are to come, in order; ~dof begins a batch
    int64_t joint_entries, joint_room;
    double *joint; // entries of the joints' columns of H that it holds for
    bool said;     // the log has been told
} rico_compliance;

struct rico_contacts;

void rico_compliance_destroy(rico_compliance *compliance);

// Whether W is better made from it: A constant, symmetric and one piece, contacts that are not constant.
bool rico_compliance_serves(const struct rico_contacts *contacts, const rico_iteration *iteration);

// Whether what is there holds for A and the joints as they are now; begins anew, empty, otherwise.
rico_status rico_compliance_begin(rico_compliance *compliance, const struct rico_contacts *contacts,
                                  const rico_iteration *iteration, bool *same);

// The next velocities to solve for together, at most `most`: those of a loaded state, then those of the active contacts that are not there yet.
int64_t rico_compliance_missing(rico_compliance *compliance, const struct rico_contacts *contacts,
                                int64_t most, int64_t *missing);

// Whether with all velocities of the active contacts it takes no more memory than the factor.
bool rico_compliance_fits(const rico_compliance *compliance, const struct rico_contacts *contacts,
                          const rico_iteration *iteration);

// Takes in `count` velocities with their columns x of A^-1, nv numbers each.
rico_status rico_compliance_take(rico_compliance *compliance, int64_t count, const int64_t *dof,
                                 const double *x);

// The list of a loaded state in the place of that which is there; what both begin with is kept. Refuses velocities that there are not.
rico_status rico_compliance_recall(rico_compliance *compliance, rico_context *ctx, int64_t nv,
                                   const double weight[3], int64_t count, const int64_t *list);

// A^-1 h for `count` columns of H on the same velocities, at most 3, from `row` on: x has nv numbers for each, and the velocities that are not
// there are left alone.
void rico_compliance_columns(const rico_compliance *compliance, const rico_csc *H, int64_t row, int count,
                             double *x);

#endif
