// What others read of a set of bodies, without its inside: for scenes, results and listings.

#ifndef RICO_MODEL_BODIES_LOOK_H
#define RICO_MODEL_BODIES_LOOK_H

#include "ricochet/bodies.h"

typedef struct rico_body_look {
    rico_stand stand; // at the start
    int material;
    uint32_t group, meets;
    bool sensor;
    double mass, center[3], inertia[9]; // of a free body, in its own axes
} rico_body_look;

rico_body_look rico_bodies_look(const rico_bodies *bodies, int64_t body);

void rico_bodies_gravity(const rico_bodies *bodies, double g[3]);
int rico_bodies_dimension(const rico_bodies *bodies);
int64_t rico_bodies_free_count(const rico_bodies *bodies);
void rico_bodies_sizes(const rico_bodies *bodies, int *q_size, int *v_size); // of one free body

// How thick a beam looks: the height of a rectangle with its area and second moment.
double rico_bodies_beam_width(const rico_bodies *bodies, int64_t beam);

const char *rico_bodies_material(const rico_bodies *bodies, int material); // NULL past the last
rico_contact_law rico_bodies_pair(const rico_bodies *bodies, int material_a, int material_b);

#endif
