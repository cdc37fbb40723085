// What contacts do from step to step, for whoever writes it down: those that close, open, begin to slip or to stick.
//
// After each step a watch looks at all contacts of a simulation and compares with what it remembers of each. It hands on what has
// changed: those that are not emitted any more in the order of their keys, then those that closed or opened, then those that slip or stick.

#ifndef RICO_STORE_CONTACT_WATCH_H
#define RICO_STORE_CONTACT_WATCH_H

#include "ricochet/simulation.h"
#include "ricochet/source.h"

// What a constraint had in the last step. Contacts that come and go take it along by source and key, and leave it behind when
// they are not emitted any more.
typedef struct rico_contact_memory {
    int64_t source; // -1: always there
    uint64_t key;
    int64_t pressed; // it had an impulse
    int64_t slips;   // it slipped
    double fastest;  // its largest relative velocity so far
    double leaving;  // its normal velocity at the end
} rico_contact_memory;

typedef enum rico_happening_kind {
    RICO_CONTACT_LEFT,
    RICO_CONTACT_TURNED,
    RICO_CONTACT_RUBBED
} rico_happening_kind;

// A change of a contact: closed or not, or slipping or not.
typedef struct rico_contact_happening {
    rico_happening_kind kind;
    double t, speed, impulse;
    int64_t step, place, flag, source; // place: -1 for one that was emitted
    uint64_t key;
} rico_contact_happening;

typedef struct rico_contact_watch {
    rico_context *ctx;
    rico_simulation *sim;
    int64_t constraints; // those that are always there
    bool emits;          // others come and go
    bool finds_events;   // the scheme has events of its own
    int64_t memory_count, memory_room, spare_room;
    rico_contact_memory *memory,
        *spare; // of the constraints of the last step; and a place for those of the next
    rico_status (*write)(void *user, const rico_contact_happening *what);
    void *user;
} rico_contact_watch;

// After everything but the memory is filled in: nothing is known of the constraints that are always there.
rico_status rico_contact_watch_begin(rico_contact_watch *watch);
void rico_contact_watch_release(rico_contact_watch *watch);
rico_status rico_contact_watch_reserve(rico_contact_watch *watch, int64_t count);

// Memories for the constraints that the simulation has now, each from the one of its source and key where there was one.
rico_status rico_contact_watch_follow(rico_contact_watch *watch);

// After a step. *impact: a contact closed.
rico_status rico_contact_watch_step(rico_contact_watch *watch, bool *impact);

// Contacts that stick from the start, where the scheme knows.
rico_status rico_contact_watch_resting(rico_contact_watch *watch);

#endif
