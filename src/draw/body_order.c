// In which order patches are painted, so that what is nearer hides what is farther.
//
// Depths of middles are not enough where large faces meet small ones. Of two patches that overlap on the page, one lies
// wholly on one side of the plane of the other, as convex bodies that do not enter one another always do (Newell, Newell
// and Sancha 1972); that says which is painted first. The order keeps all these sentences; where they form a circle, the
// one whose middle is farther goes first.

#include "draw/body_paint.h"

#include "base/context.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PAIRS = 8000000 };

// A patch and what it is sorted by.
typedef struct ranked {
    double value;
    int64_t patch;
} ranked;

typedef struct sorter {
    rico_painting *painting;
    double slack; // lengths below it are none
    ranked *by_left, *by_depth;
    int64_t pair_count, pair_room;
    int64_t *pair;           // first, second: the second is painted after the first
    int64_t *start, *before; // of each patch, those that are painted before it
    char *state;             // 0: not met, 1: on the stack, 2: painted
    int64_t *stack, *next;
} sorter;


static double depth_of(const rico_patch *patch)
{
    return patch->disc ? patch->center[2] : 0.5 * (patch->low[2] + patch->high[2]);
}


// On which side of the plane of `of` a patch lies: 1 towards the eye, -1 behind, 0 on both or in it.
static int side(const sorter *s, const rico_patch *patch, const rico_patch *of)
{
    const double *n = of->normal;
    if (of->flat || of->disc) return 0;
    if (patch->disc) {
        double at = n[0] * patch->center[0] + n[1] * patch->center[1] + n[2] * patch->center[2] - of->offset;
        double reach = patch->radius - s->slack;
        return at >= reach ? 1 : at <= -reach ? -1 : 0;
    }
    bool front = false, behind = false;
    for (int64_t k = patch->first; k < patch->first + patch->count; k++) {
        const double *x = s->painting->point + 3 * k;
        double at = n[0] * x[0] + n[1] * x[1] + n[2] * x[2] - of->offset;
        front |= at > s->slack;
        behind |= at < -s->slack;
    }
    return front == behind ? 0 : front ? 1 : -1;
}


// 1: b is painted after a; -1: before; 0: no matter.
static int compare(const sorter *s, const rico_patch *a, const rico_patch *b)
{
    if (a->disc && b->disc) return b->center[2] > a->center[2] ? 1 : -1;
    int first = side(s, b, a);
    if (first != 0) return first;
    int second = -side(s, a, b);
    if (second != 0) return second;
    if (a->body == b->body && !a->disc && !b->disc) return 0;
    return depth_of(b) > depth_of(a) ? 1 : depth_of(b) < depth_of(a) ? -1 : 0;
}


// How far a patch reaches along a direction of the page.
static void extent(const rico_painting *p, const rico_patch *patch, double nx, double ny, double *low,
                   double *high)
{
    if (patch->disc) {
        double at = nx * patch->center[0] + ny * patch->center[1], r = patch->radius * hypot(nx, ny);
        *low = at - r, *high = at + r;
        return;
    }
    *low = INFINITY, *high = -INFINITY;
    for (int64_t k = patch->first; k < patch->first + patch->count; k++) {
        double at = nx * p->point[3 * k] + ny * p->point[3 * k + 1];
        *low = fmin(*low, at), *high = fmax(*high, at);
    }
}


static bool apart_along(const rico_painting *p, const rico_patch *a, const rico_patch *b, double nx,
                        double ny, double slack)
{
    double low_a, high_a, low_b, high_b;
    extent(p, a, nx, ny, &low_a, &high_a);
    extent(p, b, nx, ny, &low_b, &high_b);
    double close = slack * hypot(nx, ny);
    return high_a <= low_b + close || high_b <= low_a + close;
}


// Does a line along an edge of the first keep the two apart on the page?
static bool edge_between(const rico_painting *p, const rico_patch *a, const rico_patch *b, double slack)
{
    for (int64_t k = 0; !a->disc && k < a->count; k++) {
        const double *x = p->point + 3 * (a->first + k), *y = p->point + 3 * (a->first + (k + 1) % a->count);
        if (apart_along(p, a, b, x[1] - y[1], y[0] - x[0], slack)) return true;
        // and the way from a corner to the middle of a disc
        if (b->disc && apart_along(p, a, b, b->center[0] - x[0], b->center[1] - x[1], slack)) return true;
    }
    return false;
}


// Do two convex patches share more than an edge on the page?
static bool overlap(const rico_painting *p, const rico_patch *a, const rico_patch *b, double slack)
{
    if (a->high[1] <= b->low[1] + slack || b->high[1] <= a->low[1] + slack ||
        a->high[0] <= b->low[0] + slack || b->high[0] <= a->low[0] + slack)
        return false;
    if (a->disc && b->disc)
        return hypot(a->center[0] - b->center[0], a->center[1] - b->center[1]) <
               a->radius + b->radius - slack;
    return !edge_between(p, a, b, slack) && !edge_between(p, b, a, slack);
}


static int by_value(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->value != y->value) return x->value < y->value ? -1 : 1;
    return (x->patch > y->patch) - (x->patch < y->patch);
}


static bool add_pair(sorter *s, int64_t first, int64_t second)
{
    if (s->pair_count == s->pair_room) {
        int64_t *more =
            rico_grow(s->painting->ctx, s->pair, 2 * s->pair_count, 4 * s->pair_room + 1024, sizeof *more);
        if (!more) return false;
        s->pair = more;
        s->pair_room = 2 * s->pair_room + 512;
    }
    s->pair[2 * s->pair_count] = first;
    s->pair[2 * s->pair_count++ + 1] = second;
    return true;
}


// All pairs that overlap on the page, swept from left to right.
static bool find_pairs(sorter *s)
{
    const rico_painting *p = s->painting;
    for (int64_t i = 0; i < p->patch_count; i++)
        for (int64_t j = i + 1; j < p->patch_count && s->pair_count < MOST_PAIRS; j++) {
            int64_t a = s->by_left[i].patch, b = s->by_left[j].patch;
            if (p->patch[b].low[0] >= p->patch[a].high[0]) break;
            if (!overlap(p, &p->patch[a], &p->patch[b], s->slack)) continue;
            int after = compare(s, &p->patch[a], &p->patch[b]);
            if (after != 0 && !add_pair(s, after > 0 ? a : b, after > 0 ? b : a)) return false;
        }
    return true;
}


// For each patch, the list of those that come before it.
static void list_before(sorter *s)
{
    int64_t count = s->painting->patch_count;
    for (int64_t k = 0; k < s->pair_count; k++) s->start[s->pair[2 * k + 1] + 1]++;
    for (int64_t i = 0; i < count; i++) s->start[i + 1] += s->start[i];
    memcpy(s->next, s->start, (size_t)count * sizeof *s->next);
    for (int64_t k = 0; k < s->pair_count; k++) s->before[s->next[s->pair[2 * k + 1]]++] = s->pair[2 * k];
}


// Paints a patch after all that come before it, those first; a circle is cut where it closes.
static void paint(sorter *s, int64_t root, int64_t *painted)
{
    int64_t depth = 0;
    if (s->state[root] != 0) return;
    s->stack[depth++] = root;
    s->state[root] = 1;
    s->next[root] = s->start[root];
    while (depth > 0) {
        int64_t top = s->stack[depth - 1];
        if (s->next[top] < s->start[top + 1]) {
            int64_t other = s->before[s->next[top]++];
            if (s->state[other] != 0) continue;
            s->state[other] = 1;
            s->next[other] = s->start[other];
            s->stack[depth++] = other;
            continue;
        }
        s->state[top] = 2;
        s->painting->order[(*painted)++] = top;
        depth--;
    }
}


rico_status rico_painting_sort(rico_painting *p)
{
    rico_context *ctx = p->ctx;
    int64_t n = p->patch_count, painted = 0;
    sorter s = {.painting = p, .slack = 1e-7 * fmax(p->high[0] - p->low[0], p->high[1] - p->low[1])};
    int64_t *lists = rico_alloc(ctx, 3 * n + 1, sizeof *lists);
    ranked *ranks = rico_alloc(ctx, 2 * n, sizeof *ranks);
    s.state = rico_alloc(ctx, n, 1);
    p->order = rico_alloc(ctx, n, sizeof *p->order);
    rico_status status = lists && ranks && s.state && p->order ? RICO_OK : RICO_NO_MEMORY;
    if (status == RICO_OK) {
        s.by_left = ranks, s.by_depth = ranks + n;
        s.stack = lists, s.next = lists + n, s.start = lists + 2 * n;
        for (int64_t i = 0; i < n; i++) {
            s.by_left[i] = (ranked){p->patch[i].low[0], i};
            s.by_depth[i] = (ranked){depth_of(&p->patch[i]), i};
        }
        qsort(s.by_left, (size_t)n, sizeof *s.by_left, by_value);
        qsort(s.by_depth, (size_t)n, sizeof *s.by_depth, by_value);
        if (!find_pairs(&s)) status = RICO_NO_MEMORY;
    }
    if (status == RICO_OK) {
        s.before = rico_alloc(ctx, s.pair_count, sizeof *s.before);
        if (!s.before) status = RICO_NO_MEMORY;
    }
    if (status == RICO_OK) {
        list_before(&s);
        for (int64_t i = 0; i < n; i++) paint(&s, s.by_depth[i].patch, &painted);
    }
    rico_free(ctx, lists);
    rico_free(ctx, ranks);
    rico_free(ctx, s.state);
    rico_free(ctx, s.pair);
    rico_free(ctx, s.before);
    return status;
}
