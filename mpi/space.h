// A scene of rigid bodies split in space over the ranks.
//
// Bodies belong to parts of space, parts to ranks. Each rank has a simulation of its own bodies and of copies of those of
// others within reach of them (step/share.h); it finds their contacts, poses its share of the contact problem, and moves its
// bodies. A body that crosses a border goes to its new rank with what its contacts remember. What depends on all is summed
// exactly or is a largest number: nothing that is computed for a body depends on who else is on its rank.
//
// The first rank also has the whole simulation, which writes results: it is brought up to date for every row, and what contacts did is
// told after every step.

#ifndef RICO_MPI_SPACE_H
#define RICO_MPI_SPACE_H

#include "collide/tree.h"
#include "crew.h"
#include "model/bodies.h"
#include "ricochet/scene.h"
#include "split.h"
#include "step/helper.h"
#include "step/simulation.h"
#include "store/contact_watch.h"

// A free body on its way; numbers count free bodies, in the order of the scene.
typedef struct rico_space_body {
    int32_t item, is_copy;
    double q[7], v[6], low[7], high[7];
} rico_space_body;

// A contact with all that the next step may ask of it. Bodies have the numbers of the scene.
typedef struct rico_space_contact {
    rico_contact_record record;
    double p[3], u[3], deep[3], u_before[3];
    double doing, normal_work, tangential_work, bond;
    int64_t active;
    rico_contact_memory memory;
} rico_space_contact;

// What a simulation has beside its bodies and contacts: the same on every rank.
typedef struct rico_space_head {
    double t, late, scale, worst[4], matrix[3];
    int64_t steps;
    rico_ledger ledger, total;
    rico_step_stats stats;
} rico_space_head;

// Everything of a state, or a share of it: bodies by number, contacts by key.
typedef struct rico_space_records {
    int64_t bodies, contacts;
    rico_space_body *body;
    rico_space_contact *contact;
} rico_space_records;

// A rank's simulation.
typedef struct rico_space_local {
    rico_bodies *set;
    rico_system *system;
    rico_simulation *sim;
    rico_contact_watch *watch;
    int64_t count; // free bodies in it, own ones and copies
    int32_t *item; // their numbers, ascending
    bool *own;
    int64_t bodies;
    int64_t *origin; // the number in the scene of every body in it
    uint8_t *told;   // for each free body and each rank: whether that has a copy of ours
    int *counts;     // copies that each rank has of ours, then copies of its bodies that we have
    int64_t sends, hears;
    int32_t *send, *hear; // their places here, rank by rank, in the order of their numbers
} rico_space_local;

typedef struct rico_space {
    rico_context *ctx; // the program's
    rico_context
        *own; // of the rank's simulation and of the crew: what warnings there are, the whole has given
    rico_crew *crew;
    rico_scene *scene;         // of ranks that have no whole
    const rico_bodies *all;    // as the scene describes them, on every rank
    rico_simulation *whole;    // of the first rank
    rico_contact_watch *watch; // of the whole
    bool every_step;           // the whole is asked for after every step
    bool ahead;                // it is behind the ranks
    int64_t happenings, happening_room;
    rico_contact_happening *happening; // of the last step: here, on the first rank everywhere
    char scheme[64];
    int options;
    double *option;

    rico_mpi_split split; // parts of space; of bodies that are not here nothing holds
    double cell;          // parts end at multiples of this length
    double margin;        // copies are kept from as far away
    rico_box *reach;      // of each part: where its bodies may get in a step
    rico_space_head head;
    rico_space_local local;
    rico_step_share share;
    bool failed;    // somebody has, in the step under way: nobody waits for anybody any more
    bool struck;    // bodies may have been flung beyond what is copied
    bool silent;    // the step has failed everywhere, and others can name more of it
    int everything; // steps for which every rank has copies of all bodies
    int64_t moved, made,
        whole_steps;  // bodies that changed ranks; simulations that were made; steps with copies of all
    int64_t gathered; // problems that the first rank solved
    double work;
} rico_space;

// Why a run cannot be split: a few words, or NULL where it can.
const char *rico_space_obstacle(const rico_helped_run *run);

// On the first rank from its run, which tells the others how to make the scene; they pass NULL.
rico_status rico_space_create(rico_context *ctx, MPI_Comm comm, const rico_helped_run *run, rico_space **out);
void rico_space_destroy(rico_space *space);

// One step, on all ranks.
rico_status rico_space_step(rico_space *space, double h);

// The whole up to date, on all ranks.
rico_status rico_space_catch_up(rico_space *space);

// How it went, on all ranks.
typedef struct rico_space_facts {
    int64_t moved, made; // bodies that changed ranks; simulations that a rank made, at most
    int64_t everywhere;  // steps for which every rank had copies of all bodies
    int64_t gathered;    // contact problems that the first rank solved
    double work;         // processor seconds of the busiest rank, without those in messages
    double memory;       // bytes of the rank that needed most
} rico_space_facts;
rico_space_facts rico_space_tell(rico_space *space);

// --- meeting, space_share.c -----------------------------------------------------------------------------------

// The largest of up to three numbers over all ranks, and whether one has failed.
enum { RICO_SPACE_MOST = 3 };
void rico_space_meet(rico_space *space, int count, double *x, bool failed);
void rico_space_make_share(rico_space *space);

// Whether a contact of the rank's simulation is counted here: one of two ranks that have it does.
bool rico_space_counts(const rico_space_local *local, const rico_constraint *constraint);

// --- parts of space, space_cut.c --------------------------------------------------------------------------------

// The parts of all bodies at the state of now, in space->split.
rico_status rico_space_cut(rico_space *space);
rico_status rico_space_create_split(rico_space *space);

// --- a rank's simulation, space_local.c -------------------------------------------------------------------------

// From records; nothing of it is left on failure.
rico_status rico_space_make_local(rico_space *space, const rico_space_records *from);
void rico_space_destroy_local(rico_space *space);

// --- states and records, space_record.c -------------------------------------------------------------------------

// Own bodies and counted contacts of the rank's simulation, or everything of the whole.
rico_status rico_space_read(rico_space *space, rico_space_records *out);
// Everything of the records into a simulation whose bodies they are; origin as above, NULL where numbers are those of the scene.
rico_status rico_space_put(rico_space *space, rico_simulation *sim, const rico_space_records *from,
                           const rico_space_local *local);
void rico_space_sort(rico_space_records *records);
void rico_space_release(rico_context *ctx, rico_space_records *records);
rico_space_head rico_space_head_of(const rico_simulation *sim);
void rico_space_put_head(const rico_space *space, rico_simulation *sim);

// --- who has what, space_move.c ---------------------------------------------------------------------------------

// Bodies to their ranks, copies to whom they are near; the rank's simulation is made anew where that has changed.
rico_status rico_space_arrange(rico_space *space, double h);
// Whether bodies have gone farther in the step than copies of others were kept from.
bool rico_space_flung(const rico_space *space, double h);
// The velocities v of copies become those that their owners have.
rico_status rico_space_hear(rico_space *space, double *v);
// Everything to the first rank, into the whole.
rico_status rico_space_gather(rico_space *space);

// --- what contacts do, space_watch.c ----------------------------------------------------------------------------

// A watch for the rank's simulation that remembers what the records do, each contact's in its place.
rico_status rico_space_make_watch(rico_space *space, const rico_space_records *from);
void rico_space_destroy_watch(rico_space *space);
// After a step, on all ranks.
rico_status rico_space_watch(rico_space *space);

// --- the contact problem, space_solve.c and space_fallback.c ------------------------------------------------------

rico_status rico_space_solve(void *user, rico_contacts *contacts, rico_iteration *iteration, double omega,
                             const double *c, double *v, double *p, double *scale);

#endif
