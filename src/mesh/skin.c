// The skin of a mesh: faces of a group, turned outwards by the cells that they belong to.

#include "mesh/skin.h"

#include "base/context.h"
#include "la/vec3.h"
#include "mesh/skin_layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Cosine of the angle between two faces from which on the edge between them is sharp: 45 degrees.
static const double SHARP = 0.70710678118654752;


void rico_skin_destroy(rico_skin *skin)
{
    rico_context *ctx = skin->ctx;
    if (!ctx) return;
    void *all[] = {skin->kind,   skin->cell, skin->patch,      skin->start,        skin->local,
                   skin->beside, skin->node, skin->node_patch, skin->around_start, skin->around};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
    *skin = (rico_skin){0};
}


void rico_skin_gather(const rico_skin *skin, const double *x, int64_t face, double *out)
{
    for (int64_t k = skin->start[face]; k < skin->start[face + 1]; k++, out += 3)
        rico_vec3_copy(x + 3 * skin->local[k], out);
}


void rico_skin_normal(const rico_skin *skin, const double *x, int64_t face, double normal[3])
{
    double own[3 * RICO_FACE_NODES];
    bool triangle = rico_cells[skin->kind[face]].corners == 3;
    const double middle[2] = {triangle ? 1.0 / 3.0 : 0.0, triangle ? 1.0 / 3.0 : 0.0};
    rico_skin_gather(skin, x, face, own);
    rico_face_normal(skin->kind[face], own, middle, normal);
}


// --- groups --------------------------------------------------------------------------------------------------------

rico_status rico_skin_group(rico_context *ctx, const rico_mesh *mesh, const char *group,
                            const rico_mesh_set **out)
{
    for (int64_t g = 0; group && g < mesh->groups; g++)
        if (strcmp(mesh->group[g].name, group) == 0) {
            *out = &mesh->group[g];
            return RICO_OK;
        }
    return rico_fail(ctx, RICO_BAD_ARGUMENT, "the mesh has no group '%s'", group ? group : "");
}


// The mean distance of neighbours among all nodes, about.
static double spacing(const rico_mesh *mesh)
{
    double low[3], high[3], way[3];
    for (int i = 0; i < 3; i++) low[i] = high[i] = mesh->nodes > 0 ? mesh->position[i] : 0.0;
    for (int64_t k = 0; k < 3 * mesh->nodes; k++) {
        low[k % 3] = fmin(low[k % 3], mesh->position[k]);
        high[k % 3] = fmax(high[k % 3], mesh->position[k]);
    }
    rico_vec3_subtract(high, low, way);
    return rico_vec3_norm(way) / fmax(1.0, pow((double)mesh->nodes, 1.0 / mesh->dimension) - 1.0);
}


rico_status rico_skin_nodes(rico_context *ctx, const rico_mesh *mesh, const char *group, int64_t *count,
                            int64_t **node, double *size)
{
    const rico_mesh_set *set = NULL;
    rico_status status = rico_skin_group(ctx, mesh, group, &set);
    if (status != RICO_OK) return status;
    char *there = rico_alloc(ctx, mesh->nodes, 1);
    *count = 0;
    *size = 0.0;
    for (int64_t k = 0; there && k < set->count; k++) {
        int64_t cell = set->cell[k], first = mesh->start[cell];
        double corner[3 * RICO_CELL_NODES];
        for (int64_t i = first; i < mesh->start[cell + 1]; i++) {
            *count += !there[mesh->node[i]];
            there[mesh->node[i]] = 1;
            rico_vec3_copy(mesh->position + 3 * mesh->node[i], corner + 3 * (i - first));
        }
        *size += rico_face_size(mesh->kind[cell], corner) / (double)set->count;
    }
    if (*size == 0.0) *size = spacing(mesh);
    *node = there ? rico_alloc(ctx, *count, sizeof **node) : NULL;
    for (int64_t n = 0, at = 0; *node && n < mesh->nodes; n++)
        if (there[n]) (*node)[at++] = n;
    rico_free(ctx, there);
    return *node ? RICO_OK : RICO_NO_MEMORY;
}


// --- outwards ------------------------------------------------------------------------------------------------------

// A face of the group by its corners, ascending.
typedef struct corners {
    int64_t node[RICO_FACE_SIDES], index;
    int owners; // cells that have it as a face
} corners;


static void sort_nodes(int64_t *node, int count)
{
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && node[j - 1] > node[j]; j--) {
            int64_t swap = node[j];
            node[j] = node[j - 1];
            node[j - 1] = swap;
        }
}


static int compare_corners(const void *a, const void *b)
{
    const corners *one = a, *two = b;
    for (int i = 0; i < RICO_FACE_SIDES; i++)
        if (one->node[i] != two->node[i]) return one->node[i] < two->node[i] ? -1 : 1;
    return 0;
}


static corners corners_of(const int64_t *node, int count)
{
    corners own = {.node = {-1, -1, -1, -1}};
    memcpy(own.node, node, (size_t)count * sizeof *node);
    sort_nodes(own.node, count);
    return own;
}


// Whether a list of corners runs round as the other does.
static bool same_way(const int64_t *face, const int64_t *outward, int count)
{
    int at = 0;
    while (at < count && outward[at] != face[0]) at++;
    if (count == 2) return at == 0;
    return outward[(at + 1) % count] == face[1];
}


static void turn_round(rico_cell_kind kind, int64_t *node)
{
    static const int BACK[RICO_CELL_KINDS][RICO_FACE_NODES] = {[RICO_CELL_LINE2] = {1, 0},
                                                               [RICO_CELL_LINE3] = {1, 0, 2},
                                                               [RICO_CELL_T3] = {0, 2, 1},
                                                               [RICO_CELL_T6] = {0, 2, 1, 5, 4, 3},
                                                               [RICO_CELL_Q4] = {0, 3, 2, 1}};
    int64_t old[RICO_FACE_NODES];
    int count = rico_cells[kind].nodes;
    memcpy(old, node, (size_t)count * sizeof *node);
    for (int i = 0; i < count; i++) node[i] = old[BACK[kind][i]];
}


// Looks at all cells that fill the mesh, and turns the faces of the group that are theirs.
static void turn_outwards(const rico_mesh *mesh, rico_skin *skin, corners *list)
{
    for (int64_t c = 0; c < mesh->cells; c++) {
        const rico_cell_info *info = &rico_cells[mesh->kind[c]];
        if (info->dimension != mesh->dimension) continue;
        int count = rico_cells[info->face].corners;
        for (int f = 0; f < info->faces; f++) {
            int64_t node[RICO_FACE_SIDES];
            for (int i = 0; i < count; i++) node[i] = mesh->node[mesh->start[c] + info->face_node[f][i]];
            corners own = corners_of(node, count);
            corners *found = bsearch(&own, list, (size_t)skin->faces, sizeof *list, compare_corners);
            if (!found) continue;
            int64_t *face = skin->local + skin->start[found->index];
            if (found->owners++ == 0 && !same_way(face, node, count))
                turn_round(skin->kind[found->index], face);
        }
    }
}


static rico_status orient(rico_context *ctx, const rico_mesh *mesh, const char *group, rico_skin *skin)
{
    corners *list = rico_alloc(ctx, skin->faces, sizeof *list);
    rico_status status = list ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t f = 0; list && f < skin->faces; f++) {
        list[f] = corners_of(skin->local + skin->start[f], rico_cells[skin->kind[f]].corners);
        list[f].index = f;
    }
    if (list) qsort(list, (size_t)skin->faces, sizeof *list, compare_corners);
    for (int64_t f = 1; status == RICO_OK && f < skin->faces; f++)
        if (compare_corners(&list[f - 1], &list[f]) == 0)
            status = rico_fail(ctx, RICO_BAD_INPUT, "cells %lld and %lld of group '%s' are the same face",
                               (long long)skin->cell[list[f - 1].index], (long long)skin->cell[list[f].index],
                               group);
    if (status == RICO_OK) turn_outwards(mesh, skin, list);
    for (int64_t f = 0; status == RICO_OK && f < skin->faces; f++)
        if (list[f].owners != 1)
            status = rico_fail(ctx, RICO_BAD_INPUT,
                               list[f].owners == 0
                                   ? "cell %lld of group '%s' is no face of a cell of the mesh"
                                   : "cell %lld of group '%s' lies within the mesh, not on its surface",
                               (long long)skin->cell[list[f].index], group);
    rico_free(ctx, list);
    return status;
}


// --- faces ---------------------------------------------------------------------------------------------------------

// The faces of the group as the mesh has them, with numbers of its nodes.
static rico_status take_faces(rico_context *ctx, const rico_mesh *mesh, const char *group, rico_skin *skin)
{
    const rico_mesh_set *set = NULL;
    rico_status status = rico_skin_group(ctx, mesh, group, &set);
    if (status != RICO_OK) return status;
    if (set->count == 0) return rico_fail(ctx, RICO_BAD_ARGUMENT, "group '%s' is empty", group);
    int64_t entries = 0;
    for (int64_t k = 0; k < set->count; k++) {
        rico_cell_kind kind = mesh->kind[set->cell[k]];
        if (rico_cells[kind].dimension != mesh->dimension - 1 || !rico_face_is_one(kind))
            return rico_fail(ctx, RICO_UNSUPPORTED,
                             "cell %lld of group '%s' is a %s: contact in %d dimensions needs faces of %s",
                             (long long)set->cell[k], group, rico_cells[kind].name, mesh->dimension,
                             mesh->dimension == 2 ? "line2 or line3" : "T3, T6 or Q4");
        entries += rico_cells[kind].nodes;
    }
    if (!rico_skin_room(skin, set->count, entries)) return RICO_NO_MEMORY;
    for (int64_t k = 0; k < set->count; k++) {
        int64_t cell = set->cell[k], count = mesh->start[cell + 1] - mesh->start[cell];
        skin->kind[k] = mesh->kind[cell];
        skin->cell[k] = cell;
        skin->start[k + 1] = skin->start[k] + count;
        for (int64_t i = 0; i < count; i++)
            skin->local[skin->start[k] + i] = mesh->node[mesh->start[cell] + i];
    }
    return orient(ctx, mesh, group, skin);
}


// How many linear faces a face becomes.
static int pieces_of(rico_cell_kind kind)
{
    return kind == RICO_CELL_LINE3 ? 2 : kind == RICO_CELL_T6 ? 4 : 1;
}


static void put_piece(rico_skin *fine, int64_t to, rico_cell_kind kind, const int64_t *node, int piece)
{
    static const int LINE[2][2] = {{0, 2}, {2, 1}};
    static const int TRIANGLE[4][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};
    int count = rico_cells[kind].corners;
    fine->start[to + 1] = fine->start[to] + count;
    for (int i = 0; i < count; i++) {
        int which = i;
        if (kind == RICO_CELL_LINE3) which = LINE[piece][i];
        if (kind == RICO_CELL_T6) which = TRIANGLE[piece][i];
        fine->local[fine->start[to] + i] = node[which];
    }
    fine->kind[to] = kind == RICO_CELL_LINE3 ? RICO_CELL_LINE2 : kind == RICO_CELL_T6 ? RICO_CELL_T3 : kind;
}


// Quadratic faces as linear ones over the same nodes.
static rico_status make_linear(rico_skin *skin)
{
    rico_skin fine = {.ctx = skin->ctx, .dimension = skin->dimension};
    int64_t count = 0, entries = 0, to = 0;
    for (int64_t f = 0; f < skin->faces; f++) {
        count += pieces_of(skin->kind[f]);
        entries += pieces_of(skin->kind[f]) * rico_cells[skin->kind[f]].corners;
    }
    bool whole = rico_skin_room(&fine, count, entries);
    for (int64_t f = 0; whole && f < skin->faces; f++)
        for (int p = 0; p < pieces_of(skin->kind[f]); p++, to++) {
            fine.cell[to] = skin->cell[f];
            put_piece(&fine, to, skin->kind[f], skin->local + skin->start[f], p);
        }
    rico_skin old = *skin;
    *skin = fine;
    rico_skin_destroy(&old);
    return whole ? RICO_OK : RICO_NO_MEMORY;
}


// --- patches -------------------------------------------------------------------------------------------------------

// Faces that follow on each other without a sharp edge, one number for all of them.
static rico_status find_patches(rico_skin *skin, const double *position)
{
    int64_t *queue = rico_alloc(skin->ctx, skin->faces, sizeof *queue);
    if (!queue) return RICO_NO_MEMORY;
    for (int64_t f = 0; f < skin->faces; f++) skin->patch[f] = -1;
    for (int64_t first = 0; first < skin->faces; first++) {
        if (skin->patch[first] >= 0) continue;
        int64_t count = 0;
        queue[count++] = first;
        skin->patch[first] = (int32_t)skin->patches;
        for (int64_t at = 0; at < count; at++) {
            int64_t face = queue[at];
            double own[3], other[3];
            rico_skin_normal(skin, position, face, own);
            for (int64_t k = skin->start[face]; k < skin->start[face + 1]; k++) {
                int64_t next = skin->beside[k];
                if (next < 0 || skin->patch[next] >= 0) continue;
                rico_skin_normal(skin, position, next, other);
                if (rico_vec3_dot(own, other) < SHARP) continue;
                skin->patch[next] = (int32_t)skin->patches;
                queue[count++] = next;
            }
        }
        skin->patches++;
    }
    rico_free(skin->ctx, queue);
    return RICO_OK;
}


rico_status rico_skin_create(rico_context *ctx, const rico_mesh *mesh, const char *group,
                             rico_skin_options options, rico_skin *out)
{
    *out = (rico_skin){.ctx = ctx, .dimension = mesh->dimension};
    if (mesh->dimension < 2)
        return rico_fail(ctx, RICO_UNSUPPORTED, "a mesh of a line has no faces for contact, only nodes");
    rico_status status = take_faces(ctx, mesh, group, out);
    if (status == RICO_OK && options.linear) status = make_linear(out);
    if (status == RICO_OK) status = rico_skin_join(out);
    // for now the faces hold numbers of the mesh's nodes
    if (status == RICO_OK) status = find_patches(out, mesh->position);
    for (int64_t f = 0; status == RICO_OK && f < out->faces; f++) {
        double own[3 * RICO_FACE_NODES];
        rico_skin_gather(out, mesh->position, f, own);
        out->size += rico_face_size(out->kind[f], own) / (double)out->faces;
    }
    if (status == RICO_OK) status = rico_skin_number(out, options.split);
    if (status != RICO_OK) rico_skin_destroy(out);
    return status;
}
