// The rigid bodies of a result file: where they stand at a row, their surfaces, and the contacts between them.

#ifndef RICO_STORE_BODY_VIEW_H
#define RICO_STORE_BODY_VIEW_H

#include "collide/stand.h"
#include "ricochet/bodies.h"
#include "ricochet/store.h"

typedef struct rico_viewed_body {
    const char *name;
    int64_t type, q, v, shape, shapes, sensor; // as in the table `bodies`
    int64_t moved;                             // its place among the moved ones; -1
    double mass, center[3];
    rico_stand stand; // at the start
} rico_viewed_body;

typedef struct rico_viewed_shape {
    const rico_shape_info *kind;
    double size[3];
    rico_stand stand;
    int64_t vertex, vertices, face, faces;
} rico_viewed_shape;

typedef struct rico_viewed_beam {
    int64_t first, nodes; // among the bodies
    double width;
} rico_viewed_beam;

typedef struct rico_viewed_contact {
    int64_t source, body_a, body_b, state;
    uint64_t key;
    double gap, impulse[3], frame[9], a[3], b[3];
} rico_viewed_contact;

typedef struct rico_body_view {
    rico_context *ctx;
    rico_results *results; // not its own
    int dimension;
    int64_t body_count, shape_count, vertex_count, face_count, moved_count, beam_count;
    rico_viewed_beam *beam;
    rico_viewed_body *body;
    rico_viewed_shape *shape;
    double *vertex;      // 3 numbers each
    int64_t *face_start; // face_count + 1
    int64_t *corner;
    double *q, *v, *moved; // of one row
    int64_t nq, nv;
    char *names;
} rico_body_view;

// Refused with a sentence where the file holds no bodies.
rico_status rico_body_view_open(rico_context *ctx, rico_results *results, rico_body_view **out);
void rico_body_view_destroy(rico_body_view *view);

// The row of the state that is nearest to a time; NaN: the last.
rico_status rico_body_view_find(rico_body_view *view, double t, int64_t *row, double *time);

// Where all bodies stand, their own axes, at a row; velocity, unless NULL, gets six numbers for each: that of the center and
// the spin, in the axes of the world, 0 for those that are not free.
rico_status rico_body_view_stands(rico_body_view *view, int64_t row, rico_stand *stand, double *velocity);

// The contacts between bodies of that row: a new list that rico_free() releases.
rico_status rico_body_view_contacts(rico_body_view *view, int64_t row, int64_t *count,
                                    rico_viewed_contact **out);

// All contacts of a row that come and go, between bodies or not: body_a and body_b are as the file has them.
rico_status rico_emitted_contacts(rico_context *ctx, rico_results *results, int64_t row, int64_t *count,
                                  rico_viewed_contact **out);

#endif
