// Gauss-Seidel sweeps over the contacts of a step body by body, where A falls apart into small blocks: W is never formed.
//
// A contact reads u = c + H_a' v_a + H_b' v_b from the velocities that the impulses have given its two bodies so far, solves its own
// block exactly, and gives its change to both, v += A^-1 H dp. Anderson's acceleration mixes sweeps that go slowly, with the
// safeguards of solve/accelerate.h. Nothing is allocated once the sizes are stable.

#ifndef RICO_STEP_BODY_SWEEPS_H
#define RICO_STEP_BODY_SWEEPS_H

#include "solve/anderson.h"
#include "solve/one_contact.h"
#include "step/iteration.h"

enum {
    RICO_BODY_DOFS = 6,
    RICO_MANY_ROWS = 150, // beyond, the looser tolerance is good enough
};

// One of the two sides of a contact.
typedef struct rico_body_side {
    int64_t first;                // velocity of its body; -1: none
    int64_t size;                 // velocities of the body
    double H[3 * RICO_BODY_DOFS]; // by velocity: `rows` numbers each
} rico_body_side;

// Sweeps over many contacts go at the speed of memory, so there is no number in it that a sweep does not read.
typedef struct rico_body_contact {
    int rows;
    double norm; // of its own block of W
    union {
        rico_one_contact space;    // of three rows
        rico_one_contact_2d plane; // of two
        double W[9];               // its own block, in any case
    };
    rico_body_side side[2];
} rico_body_contact;

enum { RICO_BODY_RESPONSE = 6 * RICO_BODY_DOFS }; // numbers of A^-1 H of both sides

typedef struct rico_body_sweeps {
    rico_context *ctx;
    bool looked,
        apart; // the pattern of A was looked at; it falls apart into blocks of few velocities, one after the other
    int64_t *body_first; // per velocity: first of its block, and the block's size
    int64_t *body_size;
    double *inverse; // of A: RICO_BODY_DOFS numbers per velocity, its row of the block
    double *pivot;   // its diagonal, and whether that is all of it
    bool diagonal;
    int64_t room, count;
    rico_body_contact *contact;
    int64_t response_room;
    double *response; // B = A^-1 H of contacts, RICO_BODY_RESPONSE numbers each, where A^-1 is not diagonal
    double *v;        // velocities that impulses add
    rico_anderson mixer;
    int64_t mixer_room;
    double *x; // impulses before a sweep
} rico_body_sweeps;

struct rico_contacts;

void rico_body_sweeps_destroy(rico_body_sweeps *sweeps);

// The residual that sweeps may leave, and solvers after them.
double rico_body_sweeps_enough(const struct rico_contacts *contacts);

// Tries to solve the active set of `contacts`, whose c and p are filled in, to its tolerance; v receives what impulses add.
// *solved: it did, and contacts->residual says so. Not solved: p holds where the sweeps got to, if they began.
rico_status rico_body_sweeps_solve(struct rico_contacts *contacts, rico_iteration *iteration, double *v,
                                   bool *solved);

#endif
