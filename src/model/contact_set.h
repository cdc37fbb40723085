// The contacts of a step: those that are always there, then what the sources emitted, sorted by source and key.

#ifndef RICO_MODEL_CONTACT_SET_H
#define RICO_MODEL_CONTACT_SET_H

#include "model/constraint.h"
#include "model/part.h"

// Contacts as the sources hand them over, in the order of emission.
typedef struct rico_contact_batch {
    int64_t count, room;
    rico_constraint *contact;
    int64_t pool, pool_room; // velocities that they touch
    int64_t *dof;
    int64_t shares, share_room; // of those that are spread
    rico_contact_share *share;
    int64_t sorted_room;
    rico_constraint **sorted; // by source and key
} rico_contact_batch;

typedef struct rico_contact_set {
    int64_t count, rows;                // constraints, and their rows
    const rico_constraint **constraint; // those that are always there first
    int64_t *from;                      // per constraint: its place in the set before, -1 for none
    int64_t room;                       // of the two lists
    uint64_t pattern; // hash of keys, sizes and reaches: unchanged means that matrices keep their pattern
    rico_contact_batch now, next; // the emitted ones, and those being collected
    void **memory;                // of the sources
    double t;        // the state that they were collected at: contacts are there as they were emitted
    const double *q; // NULL: no state of now
} rico_contact_set;

// An emitted contact without pointers: what a saved state holds of it. Its shares stand behind all records, in the same order.
typedef struct rico_contact_record {
    int64_t source;
    rico_emitted emitted;
    double base;
} rico_contact_record;

struct rico_emission {
    rico_assembly *assembly;
    int64_t source;
    const double *q;
    rico_status status;
};

void rico_contact_set_destroy(rico_context *ctx, rico_contact_set *set);

#endif
