// What a recording holds of rigid bodies, so that a viewer needs nothing else.
//
//     bodies     one row each: type, where its coordinates are in q and v, its shapes, material, mass, center, inertia, stand
//     shapes     one row for each piece of a shape: kind, sizes, where it stands in the body's axes, its vertices and faces
//     vertices   corners of shapes that have some
//     faces      ragged: the corners of each face, counted from the first of its shape
//     materials  one row for each pair of materials
//     moved      a row for each of `state`: where the bodies stand that are moved by functions of time
//     sensors    likewise: how many bodies each sensor touches
//
// All but the last two are written once, at the start. Notes hold the names of bodies, kinds of shapes, materials and sensors, and gravity.

#ifndef RICO_STORE_RECORDING_BODIES_H
#define RICO_STORE_RECORDING_BODIES_H

#include "base/text.h"
#include "ricochet/bodies.h"
#include "ricochet/store.h"

enum { RICO_BODY_TABLES = 7, RICO_BODY_NOTES = 5 };

// Columns of the tables, and the texts of the notes.
typedef struct rico_body_plan {
    rico_column moved[1], inside[1];
    rico_table table[RICO_BODY_TABLES];
    int64_t table_count; // without `moved` where nothing is, and without `sensors` where there are none
    rico_text names, kinds, materials, gravity, sensors;
    rico_note note[RICO_BODY_NOTES];
} rico_body_plan;

rico_status rico_body_plan_make(rico_context *ctx, const rico_bodies *bodies, rico_body_plan *out);
void rico_body_plan_release(rico_context *ctx, rico_body_plan *plan);

// The rows that never change, into the tables from `first` on; coordinates count from `place`.
rico_status rico_bodies_append(rico_context *ctx, const rico_bodies *bodies, const rico_place *place,
                               rico_archive *archive, int64_t first);

// Rotations part of the way from one state to another, in the bodies' slice of q: unit quaternions, the shorter way round.
void rico_bodies_interpolate(const rico_bodies *bodies, const double *from, const double *to, double part,
                             double *q);

// Where the moved bodies stand at t: seven numbers each, position and quaternion. How many there are.
int64_t rico_bodies_moved_count(const rico_bodies *bodies);
rico_status rico_bodies_moved(rico_context *ctx, const rico_bodies *bodies, double t, double *stand);

// How many sensors there are, and how many bodies each of them touches at a state.
int64_t rico_bodies_sensor_count(const rico_bodies *bodies);
rico_status rico_bodies_inside(rico_context *ctx, const rico_bodies *bodies, double t, const double *q,
                               int64_t *inside);

#endif
