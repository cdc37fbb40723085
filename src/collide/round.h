// Round shapes from inside: their features, and how a pair of them, or one and a polytope or half-space, is looked at.

#ifndef RICO_COLLIDE_ROUND_H
#define RICO_COLLIDE_ROUND_H

#include "collide/narrow.h"
#include "la/mat3.h"

// Numbered points of a rim, fixed in the body: what a flat cap rests on.
enum { RICO_MARKS = 8 };

// Features by kind. An ellipsoid and a sphere have one only, 0; so has a half-space.
enum { RICO_CAPSULE_BOTTOM, RICO_CAPSULE_TOP, RICO_CAPSULE_SIDE, RICO_CAPSULE_FEATURES };

// Of cylinders and cones. A cone has no top cap; its top rim is the apex. Marks belong to the rim at the bottom first. Crossings are points of
// a cap's plane above or below which the rim crosses an edge or a rim of the other shape.
enum {
    RICO_BOTTOM_CAP,
    RICO_TOP_CAP,
    RICO_BOTTOM_RIM,
    RICO_TOP_RIM,
    RICO_SIDE,
    RICO_BOTTOM_MARK,
    RICO_TOP_MARK = RICO_BOTTOM_MARK + RICO_MARKS,
    RICO_BOTTOM_CROSSING = RICO_TOP_MARK + RICO_MARKS,
    RICO_TOP_CROSSING = RICO_BOTTOM_CROSSING + 2,
    RICO_ROUND_FEATURES = RICO_TOP_CROSSING + 2
};

// What a kind of round shape is, in the order of their table.
typedef enum rico_form {
    RICO_FORM_SPHERE,
    RICO_FORM_CAPSULE,
    RICO_FORM_CYLINDER,
    RICO_FORM_CONE,
    RICO_FORM_ELLIPSOID,
    RICO_FORM_PLANE,
    RICO_FORM_POLYTOPE
} rico_form;

rico_form rico_form_of(const rico_shape *shape);

// How the surface of one shape bends at a contact, in the axes of the world: the Hessian of its support function at the normal, and along
// which directions that is infinite: 0 none, 1 `hard` (an edge, a side), 2 all (a face).
typedef struct rico_bend {
    double H[9];
    int held;
    double hard[3];
} rico_bend;

// Two unit vectors across the unit vector n and each other.
void rico_across(const double n[3], double e[3], double f[3]);

// Fills along, about_a, about_b, turn and smooth from gap, normal, points and how both surfaces bend.
void rico_nearest_turn(const rico_pose *A, const rico_pose *B, const rico_bend *a, const rico_bend *b,
                       rico_nearest *out);

// Two shapes that are points or segments with a radius: spheres and capsules.
extern const rico_meeting_kind rico_line_meeting;

// A round shape over a half-space.
extern const rico_meeting_kind rico_over_plane_meeting;

// The point of a feature that is farthest along n, both in the shape's own axes: of a mark, an apex or an end itself, of a rim the point of its
// circle. False: the feature has no such point of its own (caps, sides, crossings), or it is a rim seen along its axis.
bool rico_feature_point(const rico_shape *shape, uint32_t feature, const double n[3], double x[3]);

// One more contact in the list; false: out of memory.
bool rico_meeting_put(rico_meeting_list *list, const rico_meeting *m);

static inline void rico_bend_ball(double radius, const double n[3], rico_bend *out)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out->H[3 * i + j] += radius * ((i == j) - n[i] * n[j]);
}

#endif
