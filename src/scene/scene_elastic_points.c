// Points of an elastic part: groups of one node each, the nearest to a place, for what holds, moves or loads a single node.

#include "scene/scene_elastic.h"

#include <math.h>
#include <string.h>

int64_t rico_scene_nearest_node(int64_t nodes, const double *X, const double at[3], double *distance,
                                double *extent)
{
    int64_t best = 0;
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    *distance = INFINITY;
    for (int64_t i = 0; i < nodes; i++) {
        double away = 0.0;
        for (int k = 0; k < 3; k++) {
            away = hypot(away, X[3 * i + k] - at[k]);
            low[k] = fmin(low[k], X[3 * i + k]);
            high[k] = fmax(high[k], X[3 * i + k]);
        }
        if (!(away < *distance)) continue;
        *distance = away;
        best = i;
    }
    *extent = fmax(high[0] - low[0], fmax(high[1] - low[1], high[2] - low[2]));
    return best;
}


static rico_status read_place(rico_scene *scene, const rico_scene_elastic *own, const rico_node *child,
                              int64_t *node)
{
    rico_mesh_view look = rico_mesh_look(own->mesh);
    double at[3] = {0.0}, distance, extent;
    rico_status status = rico_scene_check_label(scene, child);
    if (status == RICO_OK && rico_mesh_group_find(own->mesh, child->key) >= 0)
        return rico_document_fail_key(scene->document, child,
                                      "the mesh of part '%s' has a group '%.60s' already", own->node->key,
                                      child->key);
    if (status == RICO_OK) status = rico_scene_read_vector(scene, child, look.dimension, at);
    if (status != RICO_OK) return status;
    *node = rico_scene_nearest_node(look.nodes, look.position, at, &distance, &extent);
    const double *X = look.position + 3 * *node;
    if (distance <= RICO_SCENE_NEAR * extent) return RICO_OK;
    return rico_document_fail(
        scene->document, child,
        "the mesh of part '%s' is not there: its nearest node, %lld at (%g, %g, %g), is %g away",
        own->node->key, (long long)*node, X[0], X[1], X[2], distance);
}


// What the mesh is made of, with room for the points behind; freed by the caller.
typedef struct copy {
    unsigned char *kind;
    int64_t *node, *cell;
    rico_mesh_group *group;
} copy;


static rico_status remake(rico_scene *scene, rico_scene_elastic *own, const rico_node *points,
                          const int64_t *at, copy *c)
{
    rico_mesh_view look = rico_mesh_look(own->mesh);
    int64_t count = points->count, entries = look.start[look.cells];
    c->kind = rico_alloc(scene->ctx, look.cells + count, sizeof *c->kind);
    c->node = rico_alloc(scene->ctx, entries + count, sizeof *c->node);
    c->cell = rico_alloc(scene->ctx, count, sizeof *c->cell);
    c->group = rico_alloc(scene->ctx, look.groups + count, sizeof *c->group);
    if (!c->kind || !c->node || !c->cell || !c->group) return RICO_NO_MEMORY;
    memcpy(c->kind, look.kind, (size_t)look.cells * sizeof *c->kind);
    memcpy(c->node, look.node, (size_t)entries * sizeof *c->node);
    for (int64_t g = 0; g < look.groups; g++) c->group[g] = rico_mesh_group_at(own->mesh, g);
    int64_t i = 0;
    for (const rico_node *child = points->first; child && i < count; child = child->next, i++) {
        c->kind[look.cells + i] = RICO_CELL_POINT;
        c->node[entries + i] = at[i];
        c->cell[i] = look.cells + i;
        c->group[look.groups + i] = (rico_mesh_group){.name = child->key, .count = 1, .cell = &c->cell[i]};
    }
    rico_mesh_arrays arrays = {.dimension = look.dimension,
                               .nodes = look.nodes,
                               .position = look.position,
                               .cells = look.cells + count,
                               .kind = c->kind,
                               .node = c->node,
                               .groups = look.groups + count,
                               .group = c->group};
    rico_mesh *made = NULL;
    rico_status status = rico_mesh_create(scene->ctx, &arrays, &made);
    if (status != RICO_OK) return rico_scene_place(scene, points, status);
    rico_mesh_destroy(own->mesh);
    own->mesh = made;
    return RICO_OK;
}


rico_status rico_scene_read_points(rico_scene *scene, rico_scene_elastic *own)
{
    const rico_node *points = rico_node_at(own->node, "points");
    if (!points) return RICO_OK;
    if (points->kind != RICO_NODE_MAPPING)
        return rico_document_fail(
            scene->document, points,
            "'points' needs a mapping from names to places; write 'points: {tip: [1, 0]}'");
    copy c = {0};
    int64_t *at = rico_alloc(scene->ctx, points->count, sizeof *at), i = 0;
    rico_status status = at ? RICO_OK : RICO_NO_MEMORY;
    for (const rico_node *child = points->first; status == RICO_OK && child; child = child->next)
        status = read_place(scene, own, child, &at[i++]);
    if (status == RICO_OK) status = remake(scene, own, points, at, &c);
    void *all[] = {at, c.kind, c.node, c.cell, c.group};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) rico_free(scene->ctx, all[k]);
    return status;
}
