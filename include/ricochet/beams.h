// Beams that bend, shear, stretch and twist as far as they like: chains of elements between nodes that are bodies.
//
//     rico_beam rod = rico_beam_default();
//     rod.name = "rod", rod.nodes = 5, rod.stand = stands;    // where its sections stand, free of stress
//     rod.section = rico_section_rectangle(0.01, 0.01), rod.young = 2.1e11, rod.poisson = 0.3, rod.density = 7800.0;
//     rico_bodies_add_beam(bodies, &rod, &first);             // bodies rod-0, rod-1, ..., the first one's index in `first`
//     rico_system_add_bodies(system, "bodies", bodies, &place);
//
// A node is a body: joints, springs, loads and contacts hold on to it as to any other, in the plane and in space. Its first axis is
// normal to the section, along the beam; the second and third lie in the section. In the plane the third one is z.
//
// An element has two nodes and one Gauss point (docs/theory/beams.md): no locking, and no strain in a rigid motion, however far.
// Masses are consistent; in space those of the turning sections are lumped at the nodes.

#ifndef RICOCHET_BEAMS_H
#define RICOCHET_BEAMS_H

#include "ricochet/bodies.h"

RICO_API_BEGIN

// Of a section: its area, the areas that bear shear along axes 2 and 3, the torsion constant about axis 1 and second moments of
// area about axes 2 and 3. In the plane shear[0] and bending[1] count.
typedef struct rico_section {
    double area, shear[2], torsion, bending[2];
} rico_section;

// Full lengths along axes 2 and 3; 5/6 of the area bear shear. Torsion is Saint-Venant's, by his series.
rico_section rico_section_rectangle(double along_2, double along_3);
// 9/10 of the area bear shear. A tube with an inner radius > 0: 1/2 of it.
rico_section rico_section_circle(double radius, double inner);

// A force and a torque on a node, as a body has them.
typedef struct rico_beam_load {
    int64_t node;
    rico_body_force force;
    void *user;
} rico_beam_load;

typedef struct rico_beam {
    const char *name;
    int64_t nodes;           // at least 2
    const rico_stand *stand; // of each, where the beam is free of stress and starts
    rico_section section;
    double young, poisson, density;
    double damping;  // s: stresses are those of strain + damping d(strain)/dt
    bool clamped[2]; // the first node and the last are fixed where they stand
    rico_body node;  // of all nodes: shape, material, group, meets and sensor; nothing else of it is read
    double velocity[3], spin[3],
        about[3]; // at the start, of a rigid motion: of the point `about`, and angular
    int64_t load_count;
    const rico_beam_load *load;
} rico_beam;

rico_beam rico_beam_default(void);

// Adds nodes and elements. Nodes whose shapes are within two diameters along the beam do not meet.
rico_status rico_bodies_add_beam(rico_bodies *bodies, const rico_beam *beam, int64_t *first);

// Beams of a set: how many, and the nodes of one.
int64_t rico_bodies_beams(const rico_bodies *bodies);
const char *rico_bodies_beam(const rico_bodies *bodies, int64_t beam, int64_t *first, int64_t *nodes);

// Strains and the section's forces of an element, from the part's slice of q: stretch, shear along axes 2 and 3, twist and curvatures about 2
// and 3, each against the start; in the plane stretch, shear and curvature. Returns how many they are.
int rico_bodies_beam_section(const rico_bodies *bodies, int64_t beam, int64_t element, const double *q,
                             double strain[6], double force[6]);

RICO_API_END

#endif
