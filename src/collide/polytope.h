// Convex polytopes: box, hull, and one triangle of a surface (two faces, back to back).

#ifndef RICO_COLLIDE_POLYTOPE_H
#define RICO_COLLIDE_POLYTOPE_H

#include "collide/narrow.h"

enum { RICO_FACE_MOST = 120 }; // vertices of one face; larger ones are cut into pieces of the same plane

// Features count vertices first, then edges, then faces.
typedef struct rico_polytope {
    int32_t vertices, edges, faces;
    double *vertex; // 3 numbers each
    int32_t *edge;  // 4 each: from, to, the face on its left seen from outside, the face on its right
    double *plane;  // 4 each: outer unit normal n and offset, n.x = offset on the face
    int32_t *loop;  // faces + 1: where the loop of each begins in the next two
    int32_t *loop_vertex,
        *loop_edge;     // vertices against the clock seen from outside, and the edge from each to the next
    int32_t *star;      // vertices + 1: where the neighbours of each begin
    int32_t *neighbour; // vertices that share an edge with it
    int32_t *star_edge; // those edges
    double size;        // largest distance of a vertex from the origin
    double half[3];     // of a box: half its sizes; 0 for all others
} rico_polytope;

// A side of a face on its way to becoming half an edge, and an order that brings halves together, those that run forward first.
typedef struct rico_polytope_side {
    int32_t low, high, face, place;
    bool forward; // runs from low to high
} rico_polytope_side;

int rico_polytope_compare_sides(const void *a, const void *b);

static inline const rico_polytope *rico_polytope_of(const rico_shape *shape)
{
    return shape->data;
}

// A polytope from its vertices and the loops of its faces (vertices against the clock seen from outside, faces + 1 beginnings); edges, planes
// and stars are found here. False in *closed: some edge has not two faces.
rico_status rico_polytope_build(rico_context *ctx, const double *vertex, int32_t vertices,
                                const int32_t *loop, const int32_t *loop_vertex, int32_t faces, bool *closed,
                                rico_polytope **out);
void rico_polytope_destroy(rico_context *ctx, rico_polytope *polytope);

// The steps of that, for surfaces: room (planes beyond those of the faces serve open edges), the plane of a face by its loop, the stars by
// the edges.
rico_polytope *rico_polytope_room(rico_context *ctx, int32_t vertices, int32_t edges, int32_t faces,
                                  int32_t planes);
void rico_polytope_set_plane(rico_polytope *polytope, int32_t face);
void rico_polytope_set_stars(rico_polytope *polytope);

// Of kinds whose data is a polytope.
void rico_polytope_shape_support(const rico_shape *shape, const double n[3], double x[3]);
void rico_polytope_shape_bounds(const rico_shape *shape, const rico_pose *pose, double lower[3],
                                double upper[3]);

// Puts a polytope into a shape: features, reach, mass. The shape owns it from then on.
void rico_polytope_install(rico_shape *shape, rico_polytope *polytope);

// The vertex farthest along n; `start` is any vertex, the nearer to the answer the better.
int32_t rico_polytope_support(const rico_polytope *polytope, const double n[3], int32_t start);

// Sums over the tetrahedra between `origin` and the triangles of a closed surface (divergence theorem): volume, first and second moments.
typedef struct rico_volume_sum {
    double origin[3], volume, first[3], second[9];
} rico_volume_sum;

void rico_volume_add(rico_volume_sum *sum, const double a[3], const double b[3], const double c[3]);
rico_mass_properties rico_volume_mass(const rico_volume_sum *sum);

// Two polytopes, seen from the axes of the first.
typedef struct rico_polytope_pair {
    const rico_polytope *a, *b;
    double R[9], t[3]; // of the axes of b
    double scale;      // what round-off is relative to
} rico_polytope_pair;

void rico_polytope_pair_set(rico_polytope_pair *pair, const rico_polytope *a, const rico_pose *A,
                            const rico_polytope *b, const rico_pose *B);

// The direction in which two polytopes are farthest apart, and the features that say so: a face and a vertex (or the reverse), two edges,
// or, where they are apart, two vertices or a vertex and an edge.
typedef struct rico_axis {
    double gap, normal[3]; // in the axes of a, from a to b
    uint32_t feature_a, feature_b;
} rico_axis;

// False: apart by more than `margin` (the axis is then one that shows it, not the best).
bool rico_polytope_axis(const rico_polytope_pair *pair, double margin, rico_axis *out);

// The same by trying all faces and pairs of edges, whatever it costs, without the directions between vertices.
bool rico_polytope_axis_among_all(const rico_polytope_pair *pair, double margin, rico_axis *out);

// The direction of two edges alone; false: their arcs of normals do not cross.
bool rico_polytope_arcs(const rico_polytope_pair *pair, int32_t e, int32_t g, rico_axis *out);

// Improves `best` among the faces and edges around the vertices i of a and j of b, as long as that helps.
void rico_polytope_axis_climb(const rico_polytope_pair *pair, int32_t i, int32_t j, rico_axis *best);

// s(n), climbing from the vertices i of a and j of b.
double rico_polytope_gap_along(const rico_polytope_pair *pair, const double n[3], int32_t i, int32_t j);

// Where the convex hulls of points are nearest: the vector from a to b, and the vertices between which it stands.
typedef struct rico_simplex {
    bool apart;           // false: they overlap, or touch within round-off
    int count;            // 1 ... 4
    int32_t a[4], b[4];   // vertices
    double y[4][3], v[3]; // b - a of each, and the point of the simplex nearest to 0
} rico_simplex;

// False: apart by more than margin, which a direction showed before the nearest points were found.
bool rico_polytope_gjk(const rico_polytope_pair *pair, double margin, rico_simplex *out);

// Of polytopes in each other, from the four vertices that GJK ended on: three of the facet of their difference nearest to the origin, and its direction. No
// way out past anything else is shorter than `depth`. False: none is known for sure.
bool rico_polytope_epa(const rico_polytope_pair *pair, const rico_simplex *simplex, rico_simplex *facet,
                       double *depth);

// Of polytopes apart, from the simplex that GJK ended on: improves `best`, what faces and edges say so far, to what is proven to be the best.
void rico_polytope_apart(const rico_polytope_pair *pair, const rico_simplex *simplex, rico_axis *best);

// Whether the two vertices or the vertex and the edge that GJK ended on are the best, and the only features that say so.
bool rico_polytope_apart_by_points(const rico_polytope_pair *pair, const rico_simplex *simplex,
                                   rico_axis *best);

// Whether no other features have the direction n as theirs: the edges around both lead off it clearly.
bool rico_polytope_lone(const rico_polytope_pair *pair, const rico_axis *axis);

// The nearest from one contact: all but how the normal turns. And its derivatives alone.
void rico_nearest_of_meeting(const rico_meeting *m, const rico_pose *A, const rico_pose *B,
                             rico_nearest *out);
void rico_nearest_slopes(const rico_pose *A, const rico_pose *B, rico_nearest *out);

// Where vertex j of b is, in the axes of a.
static inline void rico_pair_point(const rico_polytope_pair *pair, int32_t j, double out[3])
{
    const double *y = &pair->b->vertex[3 * j], *R = pair->R;
    for (int i = 0; i < 3; i++)
        out[i] = pair->t[i] + (R[3 * i] * y[0] + R[3 * i + 1] * y[1] + R[3 * i + 2] * y[2]);
}


// A direction of b's axes in those of a.
static inline void rico_pair_turn(const rico_polytope_pair *pair, const double n[3], double out[3])
{
    const double *R = pair->R;
    double x = n[0], y = n[1], z = n[2];
    for (int i = 0; i < 3; i++) out[i] = R[3 * i] * x + R[3 * i + 1] * y + R[3 * i + 2] * z;
}


// And back, the other way round: -R' n, along which b is nearest to a.
static inline void rico_pair_turn_back(const rico_polytope_pair *pair, const double n[3], double out[3])
{
    const double *R = pair->R;
    double x = n[0], y = n[1], z = n[2];
    for (int i = 0; i < 3; i++) out[i] = -(R[i] * x + R[3 + i] * y + R[6 + i] * z);
}


static inline uint32_t rico_edge_feature(const rico_polytope *p, int32_t edge)
{
    return (uint32_t)(p->vertices + edge);
}


static inline uint32_t rico_face_feature(const rico_polytope *p, int32_t face)
{
    return (uint32_t)(p->vertices + p->edges + face);
}


// What a feature is: 0 a vertex, 1 an edge, 2 a face; *index among its like.
static inline int rico_feature_rank(const rico_polytope *p, uint32_t feature, int32_t *index)
{
    *index = (int32_t)feature;
    if (*index < p->vertices) return 0;
    *index -= p->vertices;
    if (*index < p->edges) return 1;
    *index -= p->edges;
    return 2;
}

#endif
