// What `rico limit` does beside scenes as they are: frames, and the value of a parameter at which a scene begins to stand.

#ifndef RICO_APP_LIMIT_MORE_H
#define RICO_APP_LIMIT_MORE_H

#include "app/app.h"
#include "lab/limit_study.h"

// The words that a frame takes.
typedef struct rico_limit_frame_order {
    const char *path, *output, *csv;
    const char *ranges; // "all", or parts of names of stresses with commas; NULL: none
    double at;          // load factor of the ranges, NaN: 0
    int64_t set_count, nodes;
    const char *const *set;
    bool associated;
    char *excerpt;
    size_t excerpt_size;
} rico_limit_frame_order;

// Prints all there is to say of a frame; *undecided: some load was not found.
rico_status rico_limit_frame(rico_app *app, const rico_limit_frame_order *order, bool *undecided);

// Prints the value of the parameter; `between` is "LOW,HIGH", at: the load factor, NaN for 0.
rico_status rico_limit_boundary_of(rico_app *app, const rico_limit_order *order, const char *parameter,
                                   const char *between, double at);

#endif
