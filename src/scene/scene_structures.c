// Structures of blocks that touch face to face: arches, flat arches, walls in bond, buttresses, barrel and cross vaults, domes.
//
// Every block is the convex hull of corners that its neighbours share to the last bit, in the axes of the structure, so that the collision of
// bodies finds their joints: the ends of an edge in the plane, the corners of a face in space. Blocks that have no more than a corner or an
// edge in common never touch: such a contact has a normal by chance and would carry what no joint does. Heights are along the last
// axis: z in space, y in the plane.

#include "scene/scene_structures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t MOST_BLOCKS = 1000000;
enum { MOST_CORNERS = 16, MOST_MEETINGS = 64 };

rico_status rico_structure_integer(const rico_structure *s, const char *key, int64_t *value)
{
    return rico_document_integer(s->scene->document, rico_node_at(s->node, key), value);
}


rico_status rico_structure_real(const rico_structure *s, const char *key, double *value)
{
    return rico_document_real(s->scene->document, rico_node_at(s->node, key), value);
}


rico_status rico_structure_flag(const rico_structure *s, const char *key, bool *value)
{
    return rico_document_flag(s->scene->document, rico_node_at(s->node, key), value);
}


// Numbers by their keys, as many as there are names.
rico_status rico_structure_reals(const rico_structure *s, int count, const char *const *key, double *value)
{
    rico_status status = RICO_OK;
    for (int i = 0; status == RICO_OK && i < count; i++) status = rico_structure_real(s, key[i], &value[i]);
    return status;
}


bool rico_structure_chosen(const rico_structure *s, const char *key, const char *name)
{
    const rico_node *node = rico_node_at(s->node, key);
    return node && strcmp(node->text, name) == 0;
}


rico_status rico_structure_reserve(rico_structure *s, double count)
{
    if (count > (double)MOST_BLOCKS)
        return rico_document_fail_key(s->scene->document, s->node, "%.0f blocks are too many, at most %lld",
                                      count, (long long)MOST_BLOCKS);
    s->out->stand = rico_alloc(s->scene->ctx, (int64_t)count, sizeof *s->out->stand);
    s->out->block = rico_alloc(s->scene->ctx, (int64_t)count, sizeof *s->out->block);
    return s->out->stand && s->out->block ? RICO_OK : RICO_NO_MEMORY;
}


rico_status rico_structure_check_ring(const rico_structure *s, double radius, double thickness)
{
    if (thickness < 2.0 * radius) return RICO_OK;
    return rico_document_fail(s->scene->document, rico_node_at(s->node, "thickness"),
                              "the ring is %g thick and has the radius %g: there is no room in it", thickness,
                              radius);
}


// --- blocks --------------------------------------------------------------------------------------------------------

// The hull of corners, `up` + 1 numbers each; about their middle, so that round-off is that of the block and not of where it stands.
rico_status rico_structure_hull(rico_structure *s, int64_t count, const double *corner, rico_stone block)
{
    int size = s->up + 1;
    rico_shape *shape = NULL;
    rico_stand *stand = &s->out->stand[s->out->count];
    double own[3 * MOST_CORNERS], *point = own;
    if (count > MOST_CORNERS) point = rico_alloc(s->scene->ctx, count, 3 * sizeof *point);
    if (!point) return RICO_NO_MEMORY;
    *stand = (rico_stand){{0.0}, {1.0}};
    for (int64_t i = 0; i < count; i++)
        for (int k = 0; k < size; k++) stand->position[k] += corner[size * i + k] / (double)count;
    for (int64_t i = 0; i < count; i++)
        for (int k = 0; k < size; k++) point[size * i + k] = corner[size * i + k] - stand->position[k];
    rico_status status =
        (s->up == 1 ? rico_shape_polygon : rico_shape_hull)(s->scene->ctx, point, count, &shape);
    if (point != own) rico_free(s->scene->ctx, point);
    if (status == RICO_OK) status = rico_scene_keep_shape(s->bodies, shape);
    if (status != RICO_OK) return status;
    block.shape = shape;
    if (block.given)
        for (int k = 0; k < size; k++) block.solid.center[k] -= stand->position[k];
    s->out->block[s->out->count++] = block;
    return RICO_OK;
}


// A block between two curves of the plane of x and the way up: its corners in order, in space between two depths.
static rico_status add_slab(rico_structure *s, const double corner[8], double front, double back,
                            rico_stone block)
{
    double all[24];
    if (s->up == 1) return rico_structure_hull(s, 4, corner, block);
    for (int i = 0; i < 8; i++) {
        all[3 * i] = corner[2 * (i % 4)];
        all[3 * i + 1] = i < 4 ? front : back;
        all[3 * i + 2] = corner[2 * (i % 4) + 1];
    }
    return rico_structure_hull(s, 8, all, block);
}


rico_status rico_structure_rectangle(rico_structure *s, double left, double right, double foot, double top,
                                     rico_stone block)
{
    const double corner[8] = {left, foot, right, foot, right, top, left, top};
    return add_slab(s, corner, -0.5 * s->depth, 0.5 * s->depth, block);
}


rico_status rico_structure_voussoir(rico_structure *s, const rico_joint_line *from, const rico_joint_line *to,
                                    double front, double back, rico_stone block)
{
    const double corner[8] = {from->in[0], from->in[1], from->out[0], from->out[1],
                              to->out[0],  to->out[1],  to->in[0],    to->in[1]};
    return add_slab(s, corner, front, back, block);
}


// --- those that touch without a joint ------------------------------------------------------------------------------

typedef struct box_row {
    double lower[3], upper[3];
    int64_t block;
} box_row;


static int by_left(const void *a, const void *b)
{
    double x = ((const box_row *)a)->lower[0], y = ((const box_row *)b)->lower[0];
    return (x > y) - (x < y);
}


// Whether meetings span a length in the plane, an area in space.
static bool is_joint(int64_t count, const rico_meeting *m, bool space, double size)
{
    for (int64_t i = 1; i < count; i++) {
        double a[3] = {0.0}, far = 0.0;
        for (int k = 0; k < 3; k++) a[k] = m[i].on_a[k] - m[0].on_a[k], far += a[k] * a[k];
        if (!space && far > 1e-16 * size * size) return true;
        for (int64_t j = i + 1; space && j < count; j++) {
            double b[3], x[3];
            for (int k = 0; k < 3; k++) b[k] = m[j].on_a[k] - m[0].on_a[k];
            for (int k = 0; k < 3; k++)
                x[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
            if (x[0] * x[0] + x[1] * x[1] + x[2] * x[2] > 1e-16 * pow(size, 4.0)) return true;
        }
    }
    return false;
}


static rico_status keep_apart(rico_structure *s, const box_row *a, const box_row *b, double size,
                              int64_t *room)
{
    rico_copies *out = s->out;
    rico_meeting meeting[MOST_MEETINGS];
    int64_t count = 0;
    rico_status status = rico_meetings(s->scene->ctx, out->block[a->block].shape, &out->stand[a->block],
                                       out->block[b->block].shape, &out->stand[b->block], 1e-9 * size,
                                       MOST_MEETINGS, meeting, &count);
    if (status != RICO_OK || count == 0) return status;
    if (is_joint(count < MOST_MEETINGS ? count : MOST_MEETINGS, meeting, s->up == 2, size)) return RICO_OK;
    if (out->apart_count == *room) {
        void *grown = rico_grow(s->scene->ctx, (void *)out->apart, *room, 2 * *room + 16, sizeof *out->apart);
        if (!grown) return RICO_NO_MEMORY;
        out->apart = grown;
        *room = 2 * *room + 16;
    }
    out->apart[out->apart_count][0] = a->block;
    out->apart[out->apart_count++][1] = b->block;
    return RICO_OK;
}


// Sweeps along x over the boxes of the blocks.
static rico_status find_apart(rico_structure *s)
{
    int64_t n = s->out->count, room = 0;
    box_row *row = rico_alloc(s->scene->ctx, n, sizeof *row);
    if (!row) return RICO_NO_MEMORY;
    double smallest = INFINITY;
    for (int64_t i = 0; i < n; i++) {
        double size = 0.0;
        row[i].block = i;
        rico_shape_bounds(s->out->block[i].shape, &s->out->stand[i], row[i].lower, row[i].upper);
        for (int k = 0; k <= s->up; k++) size = fmax(size, row[i].upper[k] - row[i].lower[k]);
        smallest = fmin(smallest, size);
    }
    qsort(row, (size_t)n, sizeof *row, by_left);
    rico_status status = RICO_OK;
    double slack = 1e-9 * smallest;
    for (int64_t i = 0; status == RICO_OK && i < n; i++)
        for (int64_t j = i + 1; status == RICO_OK && j < n && row[j].lower[0] <= row[i].upper[0] + slack;
             j++) {
            bool near = !(s->out->block[row[i].block].fixed && s->out->block[row[j].block].fixed);
            for (int k = 1; near && k <= s->up; k++)
                near =
                    row[j].lower[k] <= row[i].upper[k] + slack && row[i].lower[k] <= row[j].upper[k] + slack;
            if (near) status = keep_apart(s, &row[i], &row[j], smallest, &room);
        }
    rico_free(s->scene->ctx, row);
    return status;
}


// --- all of them -----------------------------------------------------------------------------------------------------

const rico_structure_kind *rico_structure_find(const char *key)
{
    static const rico_structure_kind *const FAMILIES[] = {rico_arch_structures, rico_wall_structures,
                                                          rico_vault_structures, NULL};
    for (const rico_structure_kind *const *family = FAMILIES; *family; family++)
        for (const rico_structure_kind *kind = *family; kind->key; kind++)
            if (strcmp(kind->key, key) == 0) return kind;
    return NULL;
}


rico_status rico_structure_build(const rico_structure_kind *kind, rico_scene_bodies *bodies,
                                 const rico_node *node, rico_copies *out)
{
    rico_structure s = {
        .bodies = bodies, .scene = bodies->scene, .node = node, .up = bodies->dimension - 1, .out = out};
    if (kind->space && s.up != 2)
        return rico_document_fail_key(s.scene->document, node,
                                      "a '%s' stands in space, and the scene lies in the plane", kind->key);
    rico_status status = kind->make(&s);
    return status == RICO_OK ? find_apart(&s) : status;
}
