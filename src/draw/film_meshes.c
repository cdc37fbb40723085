// A run as one block of bytes: elastic parts, as what is seen of them, with displacements and fields on its nodes.
//
// Of a mesh in space that is the boundary, of one in the plane all elements, of a rod its lines; nodes inside a body are left
// out. Faces are cut into triangles, through the middles of their edges where they have some. Stresses are recovered by the
// library from the displacements of each row (rico_elastic_stress), not stored.

#include "draw/film_private.h"

#include "store/elastic_view.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBER = 4, RING = 8, Q_FIRST = 10 };

// What is seen of a mesh; nodes count from its first.
typedef struct surface {
    int64_t nodes, *node; // in the mesh
    int64_t *place;       // of a node of the mesh among those seen; -1: inside
    int64_t triangles, edges;
    int64_t triangle_room, edge_room;
    uint32_t (*triangle)[3], (*edge)[2];
} surface;

struct rico_film_surfaces {
    int64_t count, nodes, triangles, edges;
    surface *of;
};

// How a face is cut, by its kind: corners around it, and triangles of its nodes. Of second order: the middle behind corner k is
// node k + corners.
static const struct {
    int corners, nodes, count;
    int triangle[6][3];
} CUT[RICO_CELL_KINDS] = {
    [RICO_CELL_T3] = {3, 3, 1, {{0, 1, 2}}},
    [RICO_CELL_T6] = {3, 6, 4, {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}}},
    [RICO_CELL_Q4] = {4, 4, 2, {{0, 1, 2}, {0, 2, 3}}},
    [RICO_CELL_Q8] = {4, 8, 6, {{0, 4, 7}, {4, 1, 5}, {5, 2, 6}, {7, 6, 3}, {4, 5, 6}, {4, 6, 7}}},
};


// --- surfaces ----------------------------------------------------------------------------------------------------

static uint32_t see(surface *own, int64_t node)
{
    if (own->place[node] < 0) {
        own->place[node] = own->nodes;
        own->node[own->nodes++] = node;
    }
    return (uint32_t)own->place[node];
}


static bool reserve(rico_context *ctx, surface *own, int triangles, int edges)
{
    if (own->triangles + triangles > own->triangle_room) {
        int64_t room = 2 * own->triangle_room + 256;
        void *larger = rico_grow(ctx, own->triangle, own->triangles, room, sizeof *own->triangle);
        if (!larger) return false;
        own->triangle = larger, own->triangle_room = room;
    }
    if (own->edges + edges > own->edge_room) {
        int64_t room = 2 * own->edge_room + 256;
        void *larger = rico_grow(ctx, own->edge, own->edges, room, sizeof *own->edge);
        if (!larger) return false;
        own->edge = larger, own->edge_room = room;
    }
    return true;
}


static void add_edge(surface *own, uint32_t a, uint32_t b)
{
    own->edge[own->edges][0] = a < b ? a : b;
    own->edge[own->edges++][1] = a < b ? b : a;
}


static rico_status add_face(rico_context *ctx, surface *own, rico_cell_kind kind, const int64_t *node)
{
    uint32_t at[RING] = {0};
    if (!reserve(ctx, own, 6, RING)) return RICO_NO_MEMORY;
    if (kind == RICO_CELL_LINE2 || kind == RICO_CELL_LINE3) {
        // the third node of a line stands in its middle
        int ends = kind == RICO_CELL_LINE3 ? 3 : 2;
        for (int i = 0; i < ends; i++) at[i] = see(own, node[i]);
        if (ends == 3) add_edge(own, at[0], at[2]);
        add_edge(own, ends == 3 ? at[2] : at[0], at[1]);
        return RICO_OK;
    }
    int corners = CUT[kind].corners, nodes = CUT[kind].nodes;
    for (int i = 0; i < nodes; i++) at[i] = see(own, node[i]);
    for (int i = 0; i < CUT[kind].count; i++, own->triangles++)
        for (int k = 0; k < 3; k++) own->triangle[own->triangles][k] = at[CUT[kind].triangle[i][k]];
    for (int k = 0; k < corners; k++) {
        uint32_t next = at[(k + 1) % corners];
        if (nodes > corners) add_edge(own, at[k], at[corners + k]);
        add_edge(own, nodes > corners ? at[corners + k] : at[k], next);
    }
    return RICO_OK;
}


static int by_ends(const void *a, const void *b)
{
    const uint32_t *one = a, *other = b;
    if (one[0] != other[0]) return one[0] < other[0] ? -1 : 1;
    return (one[1] > other[1]) - (one[1] < other[1]);
}


// Edges that faces share are drawn once.
static void drop_doubles(surface *own)
{
    int64_t kept = 0;
    if (own->edges > 0) qsort(own->edge, (size_t)own->edges, sizeof *own->edge, by_ends);
    for (int64_t i = 0; i < own->edges; i++)
        if (kept == 0 || by_ends(own->edge[i], own->edge[kept - 1]) != 0)
            memmove(own->edge[kept++], own->edge[i], sizeof *own->edge);
    own->edges = kept;
}


static rico_status find_surface(rico_context *ctx, const rico_viewed_mesh *mesh, surface *own)
{
    rico_mesh_view look = rico_mesh_look(mesh->mesh);
    own->node = rico_alloc(ctx, mesh->nodes, sizeof *own->node);
    own->place = rico_alloc(ctx, mesh->nodes, sizeof *own->place);
    if (!own->node || !own->place) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < mesh->nodes; i++) own->place[i] = -1;
    rico_mesh_face *face = NULL;
    int64_t count = 0;
    rico_status status = RICO_OK;
    if (look.dimension == 3) status = rico_mesh_boundary(ctx, mesh->mesh, &count, &face);
    for (int64_t f = 0; status == RICO_OK && f < count; f++)
        status = add_face(ctx, own, face[f].kind, face[f].node);
    rico_mesh_faces_free(ctx, face);
    for (int64_t c = 0; status == RICO_OK && look.dimension < 3 && c < look.cells; c++) {
        rico_cell_kind kind = (rico_cell_kind)look.kind[c];
        bool plane = kind >= RICO_CELL_T3 && kind <= RICO_CELL_Q8;
        if (look.dimension == 2 ? plane : kind == RICO_CELL_LINE2 || kind == RICO_CELL_LINE3)
            status = add_face(ctx, own, kind, look.node + look.start[c]);
    }
    drop_doubles(own);
    return status;
}


void rico_film_surfaces_release(rico_film_writer *w)
{
    rico_film_surfaces *all = w->surfaces;
    for (int64_t m = 0; all && all->of && m < all->count; m++) {
        void *list[] = {all->of[m].node, all->of[m].place, all->of[m].triangle, all->of[m].edge};
        for (size_t i = 0; i < sizeof list / sizeof *list; i++) rico_free(w->ctx, list[i]);
    }
    if (all) rico_free(w->ctx, all->of);
    rico_free(w->ctx, all);
    w->surfaces = NULL;
    rico_elastic_view_destroy(w->elastic);
    w->elastic = NULL;
}


void rico_film_surfaces_find(rico_film_writer *w)
{
    if (w->status != RICO_OK || !rico_elastic_view_there(w->results)) return;
    w->status = rico_elastic_view_open(w->ctx, w->results, &w->elastic);
    if (w->status != RICO_OK) return;
    rico_film_surfaces *all = w->surfaces = rico_alloc(w->ctx, 1, sizeof *all);
    if (all) all->of = rico_alloc(w->ctx, w->elastic->count, sizeof *all->of);
    if (!all || !all->of) {
        w->status = RICO_NO_MEMORY;
        return;
    }
    all->count = w->elastic->count;
    for (int64_t m = 0; w->status == RICO_OK && m < all->count; m++) {
        w->status = find_surface(w->ctx, &w->elastic->mesh[m], &all->of[m]);
        all->nodes += all->of[m].nodes;
        all->triangles += all->of[m].triangles;
        all->edges += all->of[m].edges;
    }
}


int rico_film_mesh_dimension(const rico_film_writer *w)
{
    int most = 0;
    for (int64_t m = 0; w->elastic && m < w->elastic->count; m++) {
        int own = rico_mesh_look(w->elastic->mesh[m].mesh).dimension;
        most = own > most ? own : most;
    }
    // rods lie along x: the plane shows them
    return most == 1 ? 2 : most;
}


// --- what they take ----------------------------------------------------------------------------------------------

static int64_t numbers_of_node(const rico_film_writer *w)
{
    return w->elastic->touch_count > 0 ? 5 : 4; // displacement, von Mises, pressure
}


int64_t rico_film_mesh_bytes(const rico_film_writer *w)
{
    return w->surfaces ? w->surfaces->nodes * numbers_of_node(w) * NUMBER : 0;
}


int64_t rico_film_mesh_bytes_once(const rico_film_writer *w)
{
    const rico_film_surfaces *all = w->surfaces;
    return all ? NUMBER * (3 * all->nodes + 3 * all->triangles + 2 * all->edges) : 0;
}


void rico_film_surfaces_drop(rico_film_writer *w, int64_t most_bytes)
{
    rico_text_add(&w->left_out, "meshes: %lld nodes of their surfaces in two frames exceed %lld MB\n",
                  (long long)w->surfaces->nodes, (long long)(most_bytes >> 20));
    rico_film_surfaces_release(w);
}


void rico_film_mesh_positions(const rico_film_writer *w, char *taken, int64_t width)
{
    for (int64_t m = 0; w->elastic && m < w->elastic->count; m++) {
        const rico_viewed_mesh *own = &w->elastic->mesh[m];
        int64_t first = own->number[Q_FIRST], count = own->place.q_size;
        if (first + count <= width) memset(taken + first, 1, (size_t)count);
    }
}


// --- arrays ------------------------------------------------------------------------------------------------------

static void add_lists(rico_film_writer *w)
{
    const rico_film_surfaces *all = w->surfaces;
    int32_t *mesh = rico_film_add(w, "mesh", "i32", all->count, 6);
    int64_t node = 0, triangle = 0, edge = 0;
    for (int64_t m = 0; mesh && m < all->count; m++) {
        const surface *own = &all->of[m];
        const int64_t row[6] = {node, own->nodes, triangle, own->triangles, edge, own->edges};
        for (int k = 0; k < 6; k++) mesh[6 * m + k] = (int32_t)row[k];
        node += own->nodes, triangle += own->triangles, edge += own->edges;
    }
    float *rest = rico_film_add(w, "mesh_node", "f32", all->nodes, 3);
    for (int64_t m = 0; rest && m < all->count; m++)
        for (int64_t i = 0; i < 3 * all->of[m].nodes; i++)
            *rest++ = (float)w->elastic->mesh[m].X[3 * all->of[m].node[i / 3] + i % 3];
    uint32_t *corner = rico_film_add(w, "mesh_triangle", "u32", all->triangles, 3);
    node = 0;
    for (int64_t m = 0; corner && m < all->count; node += all->of[m++].nodes)
        for (int64_t i = 0; i < 3 * all->of[m].triangles; i++)
            *corner++ = (uint32_t)node + all->of[m].triangle[i / 3][i % 3];
    uint32_t *end = rico_film_add(w, "mesh_edge", "u32", all->edges, 2);
    node = 0;
    for (int64_t m = 0; end && m < all->count; node += all->of[m++].nodes)
        for (int64_t i = 0; i < 2 * all->of[m].edges; i++)
            *end++ = (uint32_t)node + all->of[m].edge[i / 2][i % 2];
}


// The place of an array that was added `back` before the last; nothing is added while it is filled.
static float *array_at(const rico_film_writer *w, int back)
{
    return (float *)(void *)(w->data + w->array[w->array_count - 1 - back].offset);
}


static void fill_frame(rico_film_writer *w, int64_t frame, bool touch)
{
    const rico_film_surfaces *all = w->surfaces;
    float *u = array_at(w, touch ? 2 : 1) + frame * 3 * all->nodes,
          *mises = array_at(w, touch ? 1 : 0) + frame * all->nodes,
          *pressure = touch ? array_at(w, 0) + frame * all->nodes : NULL;
    for (int64_t m = 0; m < all->count; m++)
        for (int64_t i = 0; i < all->of[m].nodes; i++) {
            const rico_viewed_mesh *own = &w->elastic->mesh[m];
            int64_t node = all->of[m].node[i];
            for (int k = 0; k < 3; k++) *u++ = (float)own->displacement[3 * node + k];
            *mises++ = (float)own->von_mises[node];
            if (pressure) *pressure++ = (float)own->pressure[node];
        }
}


void rico_film_meshes(rico_film_writer *w)
{
    if (w->status != RICO_OK || !w->surfaces) return;
    bool touch = w->elastic->touch_count > 0;
    int64_t nodes = w->surfaces->nodes;
    add_lists(w);
    rico_film_add(w, "mesh_displacement", "f32", w->frames, 3 * nodes);
    rico_film_add(w, "mesh_von_mises", "f32", w->frames, nodes);
    if (touch) rico_film_add(w, "mesh_pressure", "f32", w->frames, nodes);
    for (int64_t f = 0; w->status == RICO_OK && f < w->frames; f++) {
        if (rico_context_interrupted(w->ctx)) w->status = rico_fail(w->ctx, RICO_INTERRUPTED, "stopped");
        if (w->status == RICO_OK) w->status = rico_elastic_view_read(w->elastic, rico_film_row(w, f));
        if (w->status == RICO_OK) fill_frame(w, f, touch);
    }
}
