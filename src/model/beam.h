// Beams of a set of bodies from inside.

#ifndef RICO_MODEL_BEAM_H
#define RICO_MODEL_BEAM_H

#include "model/beam_element.h"
#include "model/bodies.h"
#include "ricochet/beams.h"

// Between the nodes e and e + 1 of a beam.
typedef struct rico_bound_element {
    double length, rest[RICO_BEAM_STRAINS]; // strains at the start, where it is free of stress
} rico_bound_element;

struct rico_bound_beam {
    char *name;
    const rico_bodies *bodies;
    const rico_beam_kind *kind;
    int64_t first, elements; // the first node among the bodies
    rico_bound_element *element;
    double stiffness[RICO_BEAM_STRAINS]; // s = stiffness (e - rest + damping de/dt)
    double damping;
};

#endif
