// Where to look for an orbit of a scene: its motion after a while, and how long it takes to come back.

#ifndef RICO_LAB_ORBIT_SEARCH_H
#define RICO_LAB_ORBIT_SEARCH_H

#include "base/context.h"
#include "ricochet/family.h"

typedef struct rico_orbit_order {
    const char *scene;
    int64_t set_count;
    const char *const *set;
    const char *parameter; // NULL: none
    const char *period; // of the driving, or of a conservative scene: a formula of its parameters; NULL: none
    int64_t multiple;   // 0: found
    double settle;      // time to wait before; NaN: chosen
    double guess;       // of the period; 0: found
    int64_t pieces;
    bool conservative, over_period;
    int64_t free_count, shift_count;
    const char *const *free;  // names of positions
    const char *const *shift; // "theta=2*pi"
    char *excerpt;            // of a scene that is refused, or NULL
    size_t excerpt_size;
} rico_orbit_order;

typedef struct rico_orbit_search {
    rico_context *ctx;
    const rico_orbit_order *order;
    rico_scene_family *family;
    rico_orbit_options options;
    rico_orbits *orbits;
    int64_t nq, nv;
    char *free;
    double *shift;
    double *q, *v, t; // where the search starts
    double guess;     // of the period
} rico_orbit_search;

// Reads the scene, waits, and finds out how long the motion takes to come back.
rico_status rico_orbit_search_start(rico_context *ctx, const rico_orbit_order *order,
                                    rico_orbit_search *search);
void rico_orbit_search_release(rico_orbit_search *search);

// The orbit from there.
rico_status rico_orbit_search_find(rico_orbit_search *search, rico_orbit **out);

// The place of a position or a velocity by its name, as a result file has it: an index of (q, v). Refuses an unknown one with the nearest.
rico_status rico_orbit_search_name(rico_orbit_search *search, const char *name, int64_t *out);
void rico_orbit_search_name_of(rico_orbit_search *search, int64_t index, char name[RICO_SCENE_NAME]);

#endif
