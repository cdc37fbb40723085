// The contact problem of one step: y = W p + c over the active joints and contacts, W = H' A^-1 H, A^-1 being how impulses
// enter the velocities: rico_iteration_respond().
//
// Few rows are solved on a dense W (solve/dense.h), warm from the last step. What does not settle there, or is too large
// for it, goes to a solver by name. Whatever the way, impulses are accepted when the one residual is within `tol`, and by
// nothing else.

#ifndef RICO_STEP_CONTACTS_H
#define RICO_STEP_CONTACTS_H

#include "ricochet/solver.h"
#include "solve/dense.h"
#include "step/body_sweeps.h"
#include "step/iteration.h"
#include "step/sparse_contacts.h"

// What laws of friction look at: the end of the step, positions and relative velocities at its start.
typedef struct rico_rubbing_view {
    double t;
    const double *q, *before;
    double
        still; // slower than this is at rest: by what the free velocity is, for at rest everything is round-off
} rico_rubbing_view;

typedef struct rico_contacts {
    rico_context *ctx;
    rico_assembly *assembly;
    int64_t nv;
    int64_t constraint_room, row_room; // of the arrays below

    int64_t count;      // active constraints, joints first
    int64_t *index;     // their places in the system
    rico_block *block;  // and their cones
    int64_t *offset;    // first active row of each
    int64_t joint_rows; // rows of the joints among them
    int64_t rows;
    int64_t *row;      // row of the system for each active row
    char *set, *kept;  // active flags of this and of the prepared set
    bool normals;      // contacts have their normal row alone, without friction: a problem of positions
    bool joint_offset; // c counts on joints as well
    bool rough;        // contacts with friction do not slip
    double h;          // length of the step, for bounds of forces: boxes.c
    double end;        // and its last instant, for relations
    bool boxes;        // some active row is a box
    bool related;      // the system has relations: outputs that are not those of H, and what feeds through
    int64_t box_room;
    double *box_v, *box_p; // what a problem with boxes began from

    bool laws;                 // active contacts have laws of friction
    rico_rubbing_view rubbing; // for them
    double
        *factor; // on the coefficients of active constraints; behind them two numbers of each, of its turns
    double *tension;  // largest tension of each constraint of the system, a force; NULL: none has cohesion
    double *pull;     // work space of velocities, with it
    int64_t stubborn; // whose coefficient did not settle

    bool small, prepared; // on a dense W; which is that of the set
    rico_dense dense;
    int64_t capacity;  // rows that X holds
    double *X;         // A^-1 H: columns of velocities, one per row of the system or per active row
    char *column;      // X has this row of the system; used where columns are kept
    bool keep;         // A and H constant and X small enough to hold every row
    double *c, *p, *y; // rows; y three times as many

    bool constant; // A and H are
    rico_sparse_contacts sparse;
    rico_body_sweeps bodies;

    rico_solver *solver;
    rico_problem *problem; // that the solver was last set up on
    bool always;           // the caller chose the solver: every problem with contacts goes to it
    double tol;
    bool hit;            // bodies move faster than loads have set them moving: what was before tells little
    bool swept;          // sweeps over bodies have had their turn at this problem
    bool undecided;      // faces begin whose corners share what they bear in more than one way: spread.c
    double accept;       // residual that they may leave on request; 0: none beyond tol
    int64_t most_sweeps; // that they may take; 0: as many as pay
    double loose;        // residual that sweeps over bodies may leave where they get no further; 0: tol
    double resort;       // residual of many rows that is accepted where everything else has failed; 0: none
    int rounds;          // of the solver by name; 0: as many as it has
    int64_t found_room;
    double *found;                       // impulses and velocities that a stage has found
    double noise;                        // velocities below this are round-off of the free velocity
    rico_residual residual;              // of the last problem solved
    const struct rico_step_share *share; // NULL: none
    int64_t share_rows;                  // of the problem of all shares
    int64_t problems, solver_calls;
} rico_contacts;

rico_status rico_contacts_create(rico_assembly *assembly, rico_contacts *out);

// Rows of the problem, wherever they are.
static inline int64_t rico_contacts_all_rows(const rico_contacts *contacts)
{
    return contacts->share ? contacts->share_rows : contacts->rows;
}

// After the set of constraints changed: room for it, nothing prepared.
rico_status rico_contacts_resize(rico_contacts *contacts);
void rico_contacts_destroy(rico_contacts *contacts);

// Sets the active constraints (one flag each). Joints are always active. With `normals`, the flag
// RICO_CONTACT_HELD makes a contact an equality.
enum { RICO_CONTACT_OFF, RICO_CONTACT_ACTS, RICO_CONTACT_HELD };
void rico_contacts_activate(rico_contacts *contacts, const char *active);

// Solves y = omega (H' v + w) + c with v = v_free + A^-1 H p and hat(y) in K*, orthogonal to p in K, row by row of the
// active set. changed: A or H is another than at the last call. c is read and p read (a guess) and written over
// all rows of the system; p is 0 on the rows that are not active. v holds v_free on entry. *scale receives the largest
// of the velocities that were compared. On joints c is read with `joint_offset` alone.
rico_status rico_contacts_solve(rico_contacts *contacts, rico_iteration *iteration, bool changed,
                                double omega, const double *c, double *v, double *p, double *scale);

// The same over all contacts: those in `active` first, then again with whatever contact its solution leaves with
// y_N < 0, until there is none; `active` grows. v_free has room for the velocities on entry.
rico_status rico_contacts_solve_all(rico_contacts *contacts, rico_iteration *iteration, bool changed,
                                    double omega, const double *c, double *v, double *p, double *scale,
                                    char *active, double *v_free);

// What a unit normal impulse of constraint c alone does to its own rows, where a sparse W of the last problem tells; false
// where it does not.
bool rico_contacts_own_response(const rico_contacts *contacts, int64_t c, double response[3]);

// The active problem, whose c and p are filled in, with W as a matrix or by the solver on the global form; v receives what impulses add.
rico_status rico_contacts_solve_on_matrix(rico_contacts *contacts, rico_iteration *iteration, double scale,
                                          double *v);

// The same where sweeps over many bodies have had their turn, in stages: staged_contacts.c.
rico_status rico_contacts_solve_staged(rico_contacts *contacts, rico_iteration *iteration, double scale,
                                       double *v);

// Whether contacts begin that share a load in ways that rigid bodies leave open, c and p being filled in; and on the dense W, begun, p as
// stiff bodies would share it, for sweeps to start from.
bool rico_contacts_undecided(const rico_contacts *contacts);
rico_status rico_contacts_spread(rico_contacts *contacts);

// The solver by name on a problem, from p. *ready: it was set up on that problem, and only vectors changed since.
rico_status rico_contacts_call_solver(rico_contacts *contacts, rico_problem *problem, bool *ready, double *p,
                                      rico_report *report);

#endif
