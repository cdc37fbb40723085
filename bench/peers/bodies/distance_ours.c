// The pairs by rico_distance().

#include "pairs_text.h"

#include <ricochet/ricochet.h>
#include <ricochet/shape.h>
#include <string.h>

static rico_context *ctx;

static void *create(const pair_shape *shape)
{
    rico_shape *out;
    for (int i = 0; rico_shape_kind_at(i); i++) {
        const rico_shape_info *info = rico_shape_kind_at(i);
        if (strcmp(info->name, shape->kind) != 0) continue;
        int count = 1;
        for (const char *s = info->sizes; *s; s++) count += *s == ' ';
        return rico_shape_create(ctx, shape->kind, shape->size, count, &out) == RICO_OK ? out : NULL;
    }
    return NULL;
}

static rico_stand stand_of(const pair_shape *shape)
{
    rico_stand at;
    memcpy(at.position, shape->position, sizeof at.position);
    memcpy(at.orientation, shape->turn, sizeof at.orientation);
    return at;
}

static void distance(const known_pair *pair, pair_answer *answer)
{
    rico_stand a = stand_of(&pair->side[0]), b = stand_of(&pair->side[1]);
    rico_nearest near;
    if (rico_distance(ctx, pair->own[0], &a, pair->own[1], &b, &near) != RICO_OK) {
        answer->end = PAIR_NONE;
        return;
    }
    answer->gap = near.gap;
    memcpy(answer->normal, near.normal, sizeof near.normal);
}

int main(int argc, char **argv)
{
    ctx = rico_context_create(NULL);
    return ctx ? pairs_main(argc, argv, &(pair_library){create, distance}) : 1;
}
