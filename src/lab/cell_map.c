// Simple cell mapping: every cell is followed once.

#include "lab/cell_map.h"

#include <string.h>

enum { UNSEEN = -3, UNDER_WAY = -2 };


// The group that begins to go round at `cell`: its size, and its cell of least number.
static void close_ring(const int64_t *image, int64_t cell, rico_cell_map *map)
{
    int64_t least = cell, size = 0, at = cell;
    do {
        if (at < least) least = at;
        map->group[at] = map->groups;
        map->steps[at] = 0;
        size++;
        at = image[at];
    } while (at != cell);
    map->first[map->groups] = least;
    map->size[map->groups++] = size;
}


rico_status rico_cell_map_make(rico_context *ctx, int64_t count, const int64_t *image, rico_cell_map *out)
{
    int64_t *way = rico_alloc(ctx, count, sizeof *way);
    *out = (rico_cell_map){.group = rico_alloc(ctx, count, sizeof *out->group),
                           .steps = rico_alloc(ctx, count, sizeof *out->steps),
                           .first = rico_alloc(ctx, count, sizeof *out->first),
                           .size = rico_alloc(ctx, count, sizeof *out->size)};
    if (!way || !out->group || !out->steps || !out->first || !out->size) {
        rico_free(ctx, way);
        rico_cell_map_release(ctx, out);
        return RICO_NO_MEMORY;
    }
    for (int64_t i = 0; i < count; i++) out->group[i] = UNSEEN;
    for (int64_t i = 0; i < count; i++) {
        int64_t length = 0, at = i;
        while (at >= 0 && at < count && out->group[at] == UNSEEN) {
            out->group[at] = UNDER_WAY;
            way[length++] = at;
            at = image[at];
        }
        bool outside = at < 0 || at >= count;
        if (!outside && out->group[at] == UNDER_WAY) close_ring(image, at, out);
        // those before it end where it does
        while (length-- > 0) {
            int64_t cell = way[length];
            if (out->group[cell] != UNDER_WAY) continue;
            int64_t next = image[cell];
            bool leaves = next < 0 || next >= count;
            out->group[cell] = leaves ? RICO_CELL_SINK : out->group[next];
            out->steps[cell] = leaves ? 1 : out->steps[next] + 1;
        }
    }
    rico_free(ctx, way);
    return RICO_OK;
}


void rico_cell_map_release(rico_context *ctx, rico_cell_map *map)
{
    rico_free(ctx, map->group);
    rico_free(ctx, map->steps);
    rico_free(ctx, map->first);
    rico_free(ctx, map->size);
    memset(map, 0, sizeof *map);
}
