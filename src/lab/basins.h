// Basins of attraction of a scene: where motions from a grid of initial states end.
//
// The state after one period of the driving (or a time that is given) is a map. Where the grid covers all coordinates of the state, cells are
// first followed by simple cell mapping (lab/cell_map.h); what its groups are, and every cell near a boundary, is then simulated itself,
// since the centre of a cell is not where the cell before led to. Other grids are slices: all their cells are simulated.

#ifndef RICO_LAB_BASINS_H
#define RICO_LAB_BASINS_H

#include "lab/sheet.h"
#include "ricochet/family.h"

enum { RICO_ATTRACTORS = 32, RICO_ATTRACTOR_MULTIPLIERS = 4, RICO_BASIN_NOTE = 200 };

// What became of a cell that ends at no attractor.
enum {
    RICO_BASIN_UNDECIDED = -1,  // the periods that were asked for did not suffice
    RICO_BASIN_AWAY = -2,       // farther away than a hundred times the grid
    RICO_BASIN_FAILED = -3,     // the run ended with a complaint
    RICO_BASIN_IMPOSSIBLE = -4, // no motion begins there
    RICO_BASIN_ENDS = 4
};

typedef struct rico_basins_order {
    const char *scene;
    int64_t set_count;
    const char *const *set;
    const char *period;  // of the driving: a formula of the scene's parameters; NULL: nothing drives it
    double time;         // then: the map is over this time
    const char *name[2]; // of the axes; the second NULL: a line of cells
    double low[2], high[2];
    int64_t cells[2];
    int64_t periods; // of a simulation, at most
    int64_t
        checks; // cells far from boundaries that are simulated too, again and again until all agree with the map
    int threads;
    char *excerpt; // of a scene that is refused, or NULL
    size_t excerpt_size;
    // what is being done, for whoever watches, from the calling thread; or NULL
    void (*watch)(void *user, const char *stage, int64_t done, int64_t count);
    void *user;
} rico_basins_order;

typedef enum rico_attractor_kind {
    RICO_ATTRACTOR_ORBIT, // by Newton's method, with multipliers
    RICO_ATTRACTOR_CYCLE, // it comes back, Newton's method did not converge
    RICO_ATTRACTOR_REST,
    RICO_ATTRACTOR_OTHER, // it moves on, comes near where it was, and no stable orbit was found
    RICO_ATTRACTOR_KINDS
} rico_attractor_kind;
const char *rico_attractor_kind_name(rico_attractor_kind kind);

typedef struct rico_attractor {
    rico_attractor_kind kind;
    int64_t points; // states at the phase of the cells, one for each period of the driving
    double *x;      // points * (nq + nv)
    bool cloud;     // or some of the states that it passes, in no order
    double period;  // of an orbit
    int64_t events; // of an orbit or a cycle
    int64_t multipliers;
    double real[RICO_ATTRACTOR_MULTIPLIERS], imag[RICO_ATTRACTOR_MULTIPLIERS]; // the largest ones
    int64_t cells;                                                             // that end there
} rico_attractor;

typedef struct rico_basins {
    rico_context *ctx;
    const rico_basins_order *order;
    rico_scene_family *family;
    int64_t nq, nv, index[2];
    double *start, t, period; // the scene's initial state (q, v) and time; of the map
    double *scale;            // nq + nv: sizes of coordinates
    bool plane;               // the grid covers all coordinates
    int64_t count;            // cells
    int *basin;               // count: an attractor, or RICO_BASIN_...
    char *simulated;          // count
    int64_t attractors;
    rico_attractor attractor[RICO_ATTRACTORS];
    double radius; // motions that stay so near to an attractor, over the scales, end there
    bool more;     // attractors than there is room for
    int64_t groups, mapped,
        corrected; // of the cell mapping: groups; cells that it decided; those that simulations corrected
    int64_t checked, agreed;       // cells far from boundaries, taken at random
    int64_t ends[RICO_BASIN_ENDS]; // cells that end at no attractor
    char note[RICO_BASIN_NOTE];    // what a run that failed said
} rico_basins;

rico_status rico_basins_find(rico_context *ctx, const rico_basins_order *order, rico_basins *out);
void rico_basins_release(rico_basins *basins);

// The centre of a cell: its values on both axes.
void rico_basins_centre(const rico_basins *basins, int64_t cell, double at[2]);
// The name of a coordinate of (q, v).
void rico_basins_name(const rico_basins *basins, int64_t index, char name[RICO_SCENE_NAME]);

// --- basins_trace.c: simulations of cells, on threads

typedef struct rico_basin_traces {
    const rico_basins *basins;
    int64_t count, periods;
    double *x; // count * (nq + nv): where they begin, then where they are
    int *end;  // count: an attractor, or RICO_BASIN_...
    const char *stage;
    char note[RICO_BASIN_NOTE];
    int64_t done;
} rico_basin_traces;

rico_status rico_basin_trace(rico_basin_traces *traces);
// A simulation started at the phase of the cells, and its state after a step.
rico_status rico_basin_start(const rico_basins *basins, rico_simulation *sim, const double *x);
rico_status rico_basin_step(const rico_basins *basins, rico_simulation *sim, double h, double *x);

// --- basins_attractor.c

// What a motion from x ends at, as another attractor; *found: its number, or RICO_BASIN_UNDECIDED.
rico_status rico_basin_attract(rico_basins *basins, const double *x, int *found);

// Which attractor a motion stays at, asked once in each period; start with {0}. RICO_BASIN_UNDECIDED: none yet. One that is not periodic is
// told at the last period alone: a transient may look like it.
typedef struct rico_basin_capture {
    int64_t hits, point;
    int attractor;
} rico_basin_capture;
int rico_basin_captured(const rico_basins *basins, const double *x, bool last, rico_basin_capture *capture);

// --- basins_report.c

// One row for each cell: the axes, its attractor (from 1) or 0 and below, whether it was simulated itself.
rico_status rico_basins_sheet(const rico_basins *basins, rico_sheet *sheet);
rico_status rico_basins_draw(const rico_basins *basins, const char *path);

#endif
