// Which family of shapes brings a pair together, and the public face of it.

#include "collide/narrow.h"

#include "base/context.h"

#include <string.h>

rico_meeting *rico_meeting_add(rico_meeting_list *list)
{
    if (list->count == list->room) {
        int64_t room = list->room ? 2 * list->room : 16;
        rico_meeting *item = rico_grow(list->ctx, list->item, list->room, room, sizeof *item);
        if (!item) return NULL;
        list->item = item;
        list->room = room;
    }
    return &list->item[list->count++];
}


void rico_meeting_list_destroy(rico_meeting_list *list)
{
    rico_free(list->ctx, list->item);
    list->item = NULL;
    list->count = list->room = 0;
}


// Who looks at a pair; *swap: with the second shape first. NULL: shapes that never meet.
static const rico_meeting_kind *matchmaker(const rico_shape *a, const rico_shape *b, bool *swap)
{
    // in the order of classes: round, polytope, half-space, surface, compound, planar
    static const rico_meeting_kind *const TABLE[][6] = {
        {&rico_round_meeting, &rico_round_meeting, &rico_round_meeting, NULL, NULL, NULL},
        {NULL, &rico_polytope_meeting, &rico_polytope_meeting, NULL, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL, NULL},
        {&rico_surface_meeting, &rico_surface_meeting, &rico_surface_meeting, &rico_surface_meeting, NULL,
         NULL},
        {&rico_compound_meeting, &rico_compound_meeting, &rico_compound_meeting, &rico_compound_meeting,
         &rico_compound_meeting, NULL},
        {NULL, NULL, NULL, NULL, NULL, &rico_planar_meeting},
    };
    int first = a->kind->class, second = b->kind->class;
    *swap = !TABLE[first][second] && TABLE[second][first];
    return *swap ? TABLE[second][first] : TABLE[first][second];
}


void rico_meeting_turn_round(rico_meeting *m)
{
    uint32_t feature = m->feature_a;
    m->feature_a = m->feature_b;
    m->feature_b = feature;
    for (int i = 0; i < 3; i++) {
        double x = m->on_a[i];
        m->on_a[i] = m->on_b[i];
        m->on_b[i] = x;
        m->normal[i] = -m->normal[i];
    }
}


// Two ways may lead to the same two features, at the border between pieces: the nearer one stays, for a name stands once.
static void drop_repeated(rico_meeting_list *list, int64_t first)
{
    int64_t kept = first;
    for (int64_t i = first; i < list->count; i++) {
        const rico_meeting *m = &list->item[i];
        int64_t k = first;
        while (k < kept &&
               (list->item[k].feature_a != m->feature_a || list->item[k].feature_b != m->feature_b))
            k++;
        if (k == kept)
            list->item[kept++] = *m;
        else if (m->gap < list->item[k].gap)
            list->item[k] = *m;
    }
    list->count = kept;
}


bool rico_meet(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
               double margin, rico_meeting_list *out)
{
    bool swap;
    const rico_meeting_kind *kind = matchmaker(a, b, &swap);
    if (!kind) return true;
    int64_t before = out->count;
    if (!swap) {
        bool whole = kind->meet(a, A, b, B, margin, out);
        drop_repeated(out, before);
        return whole;
    }
    bool whole = kind->meet(b, B, a, A, margin, out);
    for (int64_t i = before; i < out->count; i++) rico_meeting_turn_round(&out->item[i]);
    drop_repeated(out, before);
    return whole;
}


bool rico_meet_again(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                     rico_meeting *m)
{
    bool swap;
    const rico_meeting_kind *kind = matchmaker(a, b, &swap);
    if (!kind) return false;
    if (!swap) return kind->again(a, A, b, B, m);
    rico_meeting_turn_round(m);
    bool there = kind->again(b, B, a, A, m);
    rico_meeting_turn_round(m);
    return there;
}


// --- the public face -----------------------------------------------------------------------------------------------

static rico_status poses(rico_context *ctx, const rico_stand *at_a, const rico_stand *at_b, rico_pose *A,
                         rico_pose *B)
{
    if (rico_pose_of(at_a, A) && rico_pose_of(at_b, B)) return RICO_OK;
    return rico_fail(ctx, RICO_BAD_ARGUMENT, "a stand is not finite, or its quaternion is zero");
}


// The nearest seen from the other shape.
static void exchange(rico_nearest *n)
{
    rico_nearest seen = *n;
    seen.feature_a = n->feature_b;
    seen.feature_b = n->feature_a;
    for (int i = 0; i < 3; i++) {
        seen.normal[i] = -n->normal[i];
        seen.along[i] = -n->along[i];
        seen.on_a[i] = n->on_b[i];
        seen.on_b[i] = n->on_a[i];
        seen.about_a[i] = -n->about_b[i];
        seen.about_b[i] = -n->about_a[i];
        for (int j = 0; j < 12; j++) seen.turn[12 * i + j] = -n->turn[12 * i + (j + 6) % 12];
    }
    *n = seen;
}


bool rico_meet_nearest(const rico_shape *a, const rico_pose *A, const rico_shape *b, const rico_pose *B,
                       rico_nearest *out)
{
    bool swap;
    const rico_meeting_kind *kind = matchmaker(a, b, &swap);
    if (!kind) return false;
    memset(out, 0, sizeof *out);
    bool there = swap ? kind->nearest(b, B, a, A, out) : kind->nearest(a, A, b, B, out);
    if (there && swap) exchange(out);
    return there;
}


rico_status rico_distance(rico_context *ctx, const rico_shape *a, const rico_stand *at_a, const rico_shape *b,
                          const rico_stand *at_b, rico_nearest *out)
{
    rico_pose A, B;
    bool swap;
    rico_status status = poses(ctx, at_a, at_b, &A, &B);
    if (status == RICO_OK && !matchmaker(a, b, &swap))
        status = rico_fail(ctx, RICO_BAD_ARGUMENT, "a %s and a %s never meet", a->kind->info.name,
                           b->kind->info.name);
    if (status != RICO_OK) return status;
    if (rico_meet_nearest(a, &A, b, &B, out)) return RICO_OK;
    return rico_fail(ctx, RICO_NO_MEMORY, "the distance of a %s and a %s was not found", a->kind->info.name,
                     b->kind->info.name);
}


rico_status rico_meetings(rico_context *ctx, const rico_shape *a, const rico_stand *at_a, const rico_shape *b,
                          const rico_stand *at_b, double margin, int64_t room, rico_meeting *out,
                          int64_t *count)
{
    rico_pose A, B;
    rico_meeting_list list = {.ctx = ctx};
    *count = 0;
    rico_status status = poses(ctx, at_a, at_b, &A, &B);
    if (status != RICO_OK) return status;
    if (rico_meet(a, &A, b, &B, margin, &list)) {
        *count = list.count;
        int64_t written = list.count < room ? list.count : room;
        if (written > 0) memcpy(out, list.item, (size_t)written * sizeof *out);
    } else {
        status = RICO_NO_MEMORY;
    }
    rico_meeting_list_destroy(&list);
    return status;
}
