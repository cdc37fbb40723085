// An elastic part from inside.

#ifndef RICO_MODEL_ELASTIC_H
#define RICO_MODEL_ELASTIC_H

#include "mesh/element.h"
#include "mesh/mesh.h"
#include "model/part.h"

// A load with its group found: nodes for one on nodes, and its vector where only a factor of time remains.
typedef struct rico_bound_elastic_load {
    rico_elastic_load given;
    const rico_mesh_set *group; // NULL: all elements
    int64_t nodes, *node;
    double *shape; // one a velocity, or NULL
} rico_bound_elastic_load;

// What a reduced part was before: u = [kept; T (kept, modes)], kept unknowns and inner ones.
typedef struct rico_elastic_full {
    int64_t n, kept, inner, modes;
    rico_csc pattern;
    double *M, *K, *C; // on it; C NULL: undamped
    unsigned char *alike;
    int64_t *at;      // of each unknown: its place among the kept ones, or -1 - that among the inner ones
    int64_t *unknown; // of each node and direction: its place in the part's; -1: held, -2: inner
    double *T;        // inner x (kept + modes)
    double *omega;    // of the modes
    double next;      // first frequency left out
} rico_elastic_full;

typedef struct rico_elastic {
    const rico_mesh *mesh;
    const rico_hypothesis_info *hypothesis;
    int directions;
    bool lumped, turning;
    double axis[9];      // along which displacements go, row by row
    double *X;           // where the nodes stand in the world, three a node
    const double *place; // where elements are integrated: X, for rods the mesh's own places
    int64_t laws;
    rico_element_law *law;
    double *alpha, *beta;   // damping of each
    int32_t *law_of;        // of each cell; -1: no element
    int64_t *dof;           // of each node and direction, before a reduction; -1: none
    const int64_t *unknown; // the same in the part's slices: dof, or those of the reduction
    int64_t used;           // nodes of elements
    int64_t *used_node;

    // elements at each node
    int64_t *at_start, *at_element;

    // values on the part's pattern; C NULL: undamped. Of a part that turns C is alpha M alone, and D beta K.
    double *M, *K, *C, *D;
    unsigned char *alike; // runs of columns on the same rows, la/alike.h

    // of faces, where there are loads on some: the element behind, and 1 where the face is listed outwards, -1 inwards
    int64_t *owner;
    signed char *side;
    int64_t loads;
    rico_bound_elastic_load *load;
    double *force; // constant load, or NULL

    rico_elastic_full
        *full; // of a part that is reduced; M, K, C, force and shapes of loads above are then reduced

    // of a part that turns: weight of each used node, places about the centre
    double *weight, *arm, total;
} rico_elastic;

extern const rico_part_kind rico_elastic_kind, rico_elastic_turning_kind;

// NULL where the part is of another kind or there is none.
const rico_part *rico_elastic_find(const rico_system *system, int64_t part);

static inline int64_t rico_elastic_nodes(const rico_elastic *own, int64_t cell, const int64_t **node)
{
    *node = own->mesh->node + own->mesh->start[cell];
    return own->mesh->start[cell + 1] - own->mesh->start[cell];
}

// Places (own->place) of a cell's nodes.
void rico_elastic_places(const rico_elastic *own, int64_t cell, double *X);

// elastic_assemble.c: elements at nodes, pattern, M, K, C.
rico_status rico_elastic_adjacency(rico_part *part);
rico_status rico_elastic_assemble(rico_part *part);

// elastic_massless.c: the mass of some nodes handed on to others.
rico_status rico_elastic_redistribute(rico_part *part, const rico_elastic_part *given);

// elastic_load.c: groups found and what does not change integrated; all loads at t added to f, at the places of `map` (one a node and
// direction; NULL: all of them). False: a function refused.
rico_status rico_elastic_bind_loads(rico_part *part, const rico_elastic_part *given);
bool rico_elastic_integrate(const rico_elastic *own, const rico_bound_elastic_load *load, double t,
                            double factor, const int64_t *map, double *f);
void rico_elastic_release_loads(rico_context *ctx, rico_elastic *own);

// A group by its name; NULL: none.
const rico_mesh_set *rico_elastic_group(const rico_elastic *own, const char *name);
// Nodes of its cells, each once.
rico_status rico_elastic_group_nodes(rico_context *ctx, const rico_elastic *own, const rico_mesh_set *group,
                                     int64_t *count, int64_t **node);

// elastic_reduce.c
rico_status rico_elastic_reduce(rico_part *part, const rico_elastic_reduction *given);
void rico_elastic_release_full(rico_context *ctx, rico_elastic_full *full);

// Stiffness (mass: NULL, or on the same pattern) between inner unknowns; the caller destroys both.
rico_status rico_elastic_inner(rico_context *ctx, const rico_elastic_full *full, rico_csc *K, double **mass);

// elastic_recover.c: all unknowns from the part's, and forces on all as forces on the part's, added. `inner` has room for as many numbers.
void rico_elastic_expand(const rico_elastic_full *full, const double *q, double *u);
void rico_elastic_condense(const rico_elastic_full *full, const double *f, double *inner, double *out);

// A vector of the part over nodes and directions, zeros where nodes are held.
rico_status rico_elastic_spread(rico_context *ctx, const rico_elastic *own, const double *q, double *out);

// What a vector of the part says of a node along a direction.
double rico_elastic_component(const rico_elastic *own, int64_t node, int direction, const double *q);

// elastic_modes.c: about the square of the frequency at which the part stretches along its axes; u: work, one an unknown.
double rico_elastic_stretching(const rico_part *part, double *u);

// --- the floating frame, elastic_frame.c -----------------------------------------------------------------------------

typedef struct rico_floating_frame {
    double centre[3], R[9];
    double inverse[9]; // of tr(S) - S
} rico_floating_frame;

// Weights and places about the centre.
rico_status rico_frame_prepare(rico_part *part);

// The frame of positions q, and the deformation d in it. False where the body is turned inside out.
bool rico_frame_find(const rico_elastic *own, const double *q, rico_floating_frame *frame, double *d);

// rate = (dd/dx) v, and f -= (dd/dx)' g.
void rico_frame_push(const rico_elastic *own, const rico_floating_frame *frame, const double *d,
                     const double *v, double *rate);
void rico_frame_pull(const rico_elastic *own, const rico_floating_frame *frame, const double *d,
                     const double *g, double *f);

#endif
