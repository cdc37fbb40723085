// A surface and what meets it, as the files about that share it.

#ifndef RICO_COLLIDE_SURFACE_MEET_H
#define RICO_COLLIDE_SURFACE_MEET_H

#include "collide/surface_triangle.h"

// A surface and what meets it: a polytope, or another surface by one triangle at a time.
typedef struct rico_encounter {
    const rico_shape *a, *b;
    const rico_surface *s, *other; // other: b is a surface too
    const rico_pose *A, *B;
    rico_pose seen; // b from the axes of a
    rico_polytope_pair pair;
    const rico_axis *axis; // the best direction, once it is known
    double margin;
    int64_t first;
    rico_meeting_list *out;
    rico_triangle tile; // of b, where that is a surface
    int32_t tile_face;
    bool crossed; // some triangle is in b
} rico_encounter;

// Whether a feature has contacts of its own: triangles, ridges, corners.
bool rico_surface_stands_out(const rico_surface *s, uint32_t feature);

// Whether n, in the surface's axes, is a normal of the feature.
bool rico_surface_is_normal(const rico_surface *s, uint32_t feature, const double n[3]);

// Whether a point of a face's plane lies in the face.
bool rico_surface_in_face(const rico_polytope *p, int32_t face, const double x[3], double slack);

// Adds the contacts of one triangle with a round shape; `user` is a rico_encounter. False: out of memory.
bool rico_surface_meet_round(void *user, int32_t triangle);

// Adds a contact of what is in the surface although no triangle has one with it, surface_inside.c. False: out of memory.
bool rico_surface_push_out(rico_encounter *it);

#endif
