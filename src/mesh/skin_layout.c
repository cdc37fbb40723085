// How a skin is laid out: room, neighbours, numbers of its own for its nodes.

#include "mesh/skin_layout.h"

#include "base/context.h"

#include <stdlib.h>

bool rico_skin_room(rico_skin *skin, int64_t faces, int64_t entries)
{
    rico_context *ctx = skin->ctx;
    skin->faces = faces;
    skin->kind = rico_alloc(ctx, faces, sizeof *skin->kind);
    skin->cell = rico_alloc(ctx, faces, sizeof *skin->cell);
    skin->patch = rico_alloc(ctx, faces, sizeof *skin->patch);
    skin->start = rico_alloc(ctx, faces + 1, sizeof *skin->start);
    skin->local = rico_alloc(ctx, entries, sizeof *skin->local);
    skin->beside = rico_alloc(ctx, entries, sizeof *skin->beside);
    return skin->kind && skin->cell && skin->patch && skin->start && skin->local && skin->beside;
}


// --- neighbours ----------------------------------------------------------------------------------------------------

// A side of a face: its two corners, ascending (of a line one end, twice).
typedef struct side {
    int64_t low, high, face, at;
} side;


static int compare_sides(const void *a, const void *b)
{
    const side *one = a, *two = b;
    if (one->low != two->low) return one->low < two->low ? -1 : 1;
    if (one->high != two->high) return one->high < two->high ? -1 : 1;
    return one->at < two->at ? -1 : one->at > two->at;
}


rico_status rico_skin_join(rico_skin *skin)
{
    int64_t count = 0, entries = skin->start[skin->faces];
    side *list = rico_alloc(skin->ctx, entries, sizeof *list);
    if (!list) return RICO_NO_MEMORY;
    for (int64_t f = 0; f < skin->faces; f++) {
        int corners = rico_cells[skin->kind[f]].corners;
        const int64_t *node = skin->local + skin->start[f];
        for (int k = 0; k < corners; k++) {
            int64_t one = node[k], two = corners == 2 ? one : node[(k + 1) % corners];
            list[count++] = (side){one < two ? one : two, one < two ? two : one, f, skin->start[f] + k};
        }
    }
    for (int64_t k = 0; k < entries; k++) skin->beside[k] = -1;
    qsort(list, (size_t)count, sizeof *list, compare_sides);
    for (int64_t k = 0; k < count;) {
        int64_t end = k + 1;
        while (end < count && list[end].low == list[k].low && list[end].high == list[k].high) end++;
        if (end - k == 2) { // three faces at one edge follow on none
            skin->beside[list[k].at] = list[k + 1].face;
            skin->beside[list[k + 1].at] = list[k].face;
        }
        k = end;
    }
    rico_free(skin->ctx, list);
    return RICO_OK;
}


// --- nodes ---------------------------------------------------------------------------------------------------------

// A node of the mesh in a face.
typedef struct use {
    int64_t node, at;
    int32_t patch;
} use;


static int compare_uses(const void *a, const void *b)
{
    const use *one = a, *two = b;
    if (one->node != two->node) return one->node < two->node ? -1 : 1;
    if (one->patch != two->patch) return one->patch < two->patch ? -1 : 1;
    return one->at < two->at ? -1 : one->at > two->at;
}


static void list_around(rico_skin *skin)
{
    for (int64_t k = 0; k < skin->start[skin->faces]; k++) skin->around_start[skin->local[k] + 1]++;
    for (int64_t n = 0; n < skin->nodes; n++) skin->around_start[n + 1] += skin->around_start[n];
    // filled from the back, which leaves the faces in order and the starts where they belong
    for (int64_t f = skin->faces - 1; f >= 0; f--)
        for (int64_t k = skin->start[f + 1] - 1; k >= skin->start[f]; k--)
            skin->around[--skin->around_start[skin->local[k] + 1]] = f;
    for (int64_t n = 0; n < skin->nodes; n++) skin->around_start[n] = skin->around_start[n + 1];
    skin->around_start[skin->nodes] = skin->start[skin->faces];
}


rico_status rico_skin_number(rico_skin *skin, bool split)
{
    rico_context *ctx = skin->ctx;
    int64_t entries = skin->start[skin->faces];
    use *list = rico_alloc(ctx, entries, sizeof *list);
    skin->node = rico_alloc(ctx, entries, sizeof *skin->node);
    skin->node_patch = rico_alloc(ctx, entries, sizeof *skin->node_patch);
    skin->around_start = rico_alloc(ctx, entries + 1, sizeof *skin->around_start);
    skin->around = rico_alloc(ctx, entries, sizeof *skin->around);
    if (!list || !skin->node || !skin->node_patch || !skin->around_start || !skin->around) {
        rico_free(ctx, list);
        return RICO_NO_MEMORY;
    }
    for (int64_t f = 0; f < skin->faces; f++)
        for (int64_t k = skin->start[f]; k < skin->start[f + 1]; k++)
            list[k] = (use){skin->local[k], k, split ? skin->patch[f] : 0};
    qsort(list, (size_t)entries, sizeof *list, compare_uses);
    for (int64_t k = 0; k < entries; k++) {
        bool fresh = k == 0 || list[k].node != list[k - 1].node || list[k].patch != list[k - 1].patch;
        if (fresh) {
            skin->node[skin->nodes] = list[k].node;
            skin->node_patch[skin->nodes++] = list[k].patch;
        }
        skin->local[list[k].at] = skin->nodes - 1;
    }
    list_around(skin);
    rico_free(ctx, list);
    return RICO_OK;
}
