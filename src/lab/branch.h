// Branches of orbits of a scene over a parameter: followed both ways, with those of twice the period that begin on them, into a file
// that can be gone on with; beside them what simulations settle to.

#ifndef RICO_LAB_BRANCH_H
#define RICO_LAB_BRANCH_H

#include "lab/orbit_search.h"
#include "lab/sheet.h"

enum { RICO_BRANCH_MARKS = 64 };

typedef struct rico_branch_point rico_branch_point;

typedef struct rico_branch_order {
    rico_orbit_order where;
    double low, high, resolution;
    int64_t points, doublings;
    bool keep_sequence, up_only, down_only;
    const char *measure; // a position or a velocity; NULL: the first position
    const char *output;  // the file
    bool resume, overwrite;
    // what is being done, for whoever watches; returns false to stop
    bool (*watch)(void *user, const rico_branch_point *point, const char *note);
    void *user;
} rico_branch_order;

// A point as tables and pictures need it.
struct rico_branch_point {
    int64_t branch, kind; // kind: rico_orbit_point
    double value, period, growth;
    bool stable;
    int64_t events, marks;
    double mark
        [RICO_BRANCH_MARKS]; // of a driven scene the measure once in each period of the driving, else its maxima; smallest first
};

typedef struct rico_branches {
    rico_context *ctx;
    rico_orbit_search search;
    int64_t measure; // index of (q, v)
    int64_t count, room;
    rico_branch_point *point;
    int64_t branches;
    char (*ending)[RICO_BRANCH_ENDING]; // of each branch
    bool stopped;
} rico_branches;

// Everything that the order asks for. Points found before a failure are in the file and here.
rico_status rico_branches_follow(rico_context *ctx, const rico_branch_order *order, rico_branches *out);
void rico_branches_release(rico_branches *branches);

// One row for each point: branch, kind, value, period, growth, marks.
rico_status rico_branches_sheet(const rico_branches *branches, rico_sheet *sheet);

// --- branch_brute.c: what simulations settle to

typedef struct rico_brute {
    rico_context *ctx;
    int64_t count, room;
    double *value, *mark;
    int64_t failed; // values at which a run was not possible
    char note[240]; // what one of them said
} rico_brute;

// Runs at `values` values of the range, on so many threads, from the scene's initial state.
rico_status rico_brute_run(rico_context *ctx, const rico_branches *branches, const rico_branch_order *order,
                           int64_t values, int threads, rico_brute *out);
void rico_brute_release(rico_brute *brute);

// The maxima of a series, by parabolas through three values; as many as there is room for. Returns how many.
int64_t rico_branch_maxima(int64_t count, const double *y, int64_t stride, int64_t room, double *out);

// --- branch_figure.c

// The measure over the parameter: branches, unstable ones dashed, special points, and what simulations settle to (or NULL) behind them;
// below, the largest multiplier.
rico_status rico_branches_draw(const rico_branches *branches, const rico_brute *brute,
                               const rico_branch_order *order, const char *path);

#endif
