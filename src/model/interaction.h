// Forces between parts: springs, dampers, whatever depends on the state of several of them.
//
// Parts own slices of q and v and know nothing of one another; an interaction sees the whole state and adds to forces and
// tangents where it acts.

#ifndef RICO_MODEL_INTERACTION_H
#define RICO_MODEL_INTERACTION_H

#include "ricochet/model.h"

// Where an interaction fills a matrix: `count` entries, (row, col) by velocities of the system; repeated ones add up.
typedef struct rico_interaction_entries {
    int64_t count;
    const int64_t *row, *col;
} rico_interaction_entries;

typedef struct rico_interaction {
    rico_interaction_entries K, C; // of -d(forces)/dq and -d(forces)/dv
    bool constant_tangents;        // both, with nothing in `applied`
    bool symmetric, damped, stiff;
    int64_t scratch;                              // numbers that the functions may write, of one assembly
    void (*prepare)(void *user, double *scratch); // fills them; or NULL
    // Each adds to vectors of the whole system; false: refused, or not a number.
    bool (*forces)(void *user, double *scratch, double t, const double *q, const double *v, double *applied,
                   double *damping, double *conservative);
    bool (*tangents)(void *user, double *scratch, double t, const double *q, const double *v, double *K,
                     double *C);                                                // fills
    bool (*potential)(void *user, double *scratch, const double *q, double *V); // or NULL
    const char *limit; // why they refuse, beside numbers that are not finite; or NULL
    void *user;
} rico_interaction;

// Arrays are copied.
rico_status rico_system_add_interaction(rico_system *system, const char *name, const rico_interaction *given);

#endif
