// Which bodies may meet in a step: boxes that hold their motion, pairs of boxes, contacts of pairs.
//
// The set that is found is a function of (t, h, q, v): the tree only makes the search short. Pairs are looked at by several
// threads, each with a list of its own, and read in the order of the pairs.

#include "model/bodies_search.h"

#include "base/context.h"
#include "la/quaternion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

enum {
    PARALLEL = 300, // pairs from which threads pay
    CHUNK = 32,     // pairs that a thread takes at once
    ADVANCES = 40,  // of a fast pair, until it is taken as one that meets
    STRIKES = 3,    // one body striking another, which strikes a third, and so on, in one step
    ENOUGH = 3,     // contacts of a pair that hold a face
    SORTED_BY_HAND = 24
};

// Part of its size to which a body is watched beyond its motion.
static const double SLACK = 0.02;
// Motion in a step, in sizes, from which the way is followed.
static const double FAST = 0.5;
// Motion in a step, in sizes, from which bodies are taken to turn.
static const double TURNS = 1e-5;
// Speed that a body may get from another that hits it, at most: twice its own, from a heavy one that bounces.
static const double STRIKE = 2.0;


// --- memory --------------------------------------------------------------------------------------------------------

// A half-space or half-plane, for which a box needs no exact look.
static bool is_plane(const rico_shape *shape)
{
    return !isfinite(shape->reach) &&
           (shape->kind->class == RICO_HALFSPACE || shape->kind->class == RICO_PLANAR);
}


rico_bodies_memory *rico_bodies_memory_create(const rico_bodies *bodies)
{
    // simulations on several threads share the bodies: each allocates through a context of its own
    rico_context *ctx = rico_context_sibling(bodies->ctx);
    rico_bodies_memory *memory = ctx ? rico_alloc(ctx, 1, sizeof *memory) : NULL;
    if (!memory) {
        rico_context_destroy(ctx);
        return NULL;
    }
    memory->ctx = ctx;
    rico_tree_create(ctx, &memory->tree);
    for (int64_t b = 0; b < bodies->count; b++) memory->count += bodies->body[b].given.shape != NULL;
    memory->sweep = rico_alloc(ctx, memory->count, sizeof *memory->sweep);
    memory->box = rico_alloc(ctx, memory->count, sizeof *memory->box);
    memory->filter = rico_alloc(ctx, memory->count, sizeof *memory->filter);
    memory->after = rico_alloc(ctx, memory->count, sizeof *memory->after);
    bool whole = memory->sweep && memory->box && memory->filter && memory->after;
    if (!whole || rico_bodies_center_shape(bodies, ctx, &memory->point) != RICO_OK) {
        rico_bodies_memory_destroy(memory);
        return NULL;
    }
    for (int64_t b = 0, s = 0; b < bodies->count; b++) {
        const rico_body *given = &bodies->body[b].given;
        if (!given->shape) continue;
        memory->sweep[s].body = &bodies->body[b];
        memory->filter[s++] = (rico_body_filter){.group = given->group,
                                                 .meets = given->meets,
                                                 .free = bodies->body[b].item >= 0,
                                                 .fixed = given->type == RICO_BODY_FIXED,
                                                 .sensor = given->sensor,
                                                 .plane = is_plane(given->shape)};
    }
    return memory;
}


void rico_bodies_memory_destroy(rico_bodies_memory *memory)
{
    if (!memory) return;
    rico_context *ctx = memory->ctx;
    rico_tree_destroy(&memory->tree);
    rico_shape_destroy(memory->point);
    for (int t = 0; t < memory->lists; t++) {
        rico_context *own = memory->list[t].ctx;
        if (!own) continue;
        rico_meeting_list_destroy(&memory->list[t]);
        rico_context_destroy(own);
    }
    void *all[] = {memory->sweep, memory->box,    memory->filter, memory->list, memory->pair,
                   memory->found, memory->sensed, memory->after,  memory};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
    rico_context_destroy(ctx);
}


int64_t rico_bodies_sensed(const rico_bodies_memory *memory, const int64_t **pairs)
{
    *pairs = memory->sensed;
    return memory->sensed_count;
}


// --- motion --------------------------------------------------------------------------------------------------------

// The velocities of a body that is moved by a function; the way to where it is after the step counts too.
static bool moved(rico_body_sweep *own, double t, double h)
{
    const rico_body *given = &own->body->given;
    rico_stand stand, after;
    double velocity[3], spin[3];
    if (!given->motion(given->user, t, &stand, own->velocity, own->spin) ||
        !given->motion(given->user, t + h, &after, velocity, spin))
        return false;
    double way[3];
    rico_vec3_subtract(after.position, stand.position, way);
    own->shift = fmax(rico_vec3_norm(way), h * fmax(rico_vec3_norm(own->velocity), rico_vec3_norm(velocity)));
    own->turn = h * fmax(rico_vec3_norm(own->spin), rico_vec3_norm(spin));
    return isfinite(own->shift) && isfinite(own->turn);
}


static void moves_freely(const rico_bodies *bodies, rico_body_sweep *own, double h, const double *v)
{
    const double *u = v + own->body->v;
    rico_vec3_copy(own->body->center, own->arm);
    if (bodies->dimension == 3) {
        rico_vec3_copy(u, own->velocity);
        rico_mat3_times(own->pose.R, u + 3, own->spin);
    } else {
        rico_vec3_set(u[0], u[1], 0.0, own->velocity);
        rico_vec3_set(0.0, 0.0, u[2], own->spin);
    }
    own->shift = h * rico_vec3_norm(own->velocity);
    own->turn = h * rico_vec3_norm(own->spin);
    own->fall = h * h * rico_vec3_norm(bodies->gravity);
}


// Everything but the pose, which stands already. False: not finite, or a motion that refused.
static bool sweep_body(const rico_bodies *bodies, rico_body_sweep *own, rico_box *box, double t, double h,
                       const double *v)
{
    const rico_shape *shape = own->body->given.shape;
    bool whole = true;
    own->shift = own->turn = own->fall = 0.0;
    own->struck = false;
    own->drive = 0.0;
    own->first = INFINITY;
    for (int i = 0; i < 3; i++) own->arm[i] = own->velocity[i] = own->spin[i] = 0.0;
    if (own->body->given.type == RICO_BODY_MOVED) whole = moved(own, t, h);
    if (own->body->given.type == RICO_BODY_FREE) moves_freely(bodies, own, h, v);
    rico_pose_point(&own->pose, own->arm, own->center);
    own->reach = shape->reach + rico_vec3_norm(own->arm);

    if (is_plane(shape)) {
        int axis = shape->kind->class == RICO_HALFSPACE ? 2 : 1;
        for (int i = 0; i < 3; i++) own->normal[i] = own->pose.R[3 * i + axis];
        own->offset = rico_vec3_dot(own->normal, own->pose.x);
    }

    shape->kind->bounds(shape, &own->pose, box->lower, box->upper);
    double growth = own->shift + own->fall;
    if (isfinite(own->reach)) growth += own->turn * own->reach;
    if (isfinite(own->reach) && own->body->item >= 0) growth += SLACK * own->reach;
    for (int i = 0; i < 3; i++) {
        box->lower[i] -= growth;
        box->upper[i] += growth;
        whole &= box->lower[i] <= box->upper[i];
    }
    return whole && isfinite(growth);
}


bool rico_bodies_step_box(const rico_bodies *bodies, int64_t body, double t, double h, const double *q,
                          const double *v, rico_box *box, double *reach)
{
    rico_body_sweep own = {.body = &bodies->body[body]};
    bool whole =
        rico_bodies_pose(bodies, own.body, t, q, &own.pose) && sweep_body(bodies, &own, box, t, h, v);
    *reach = own.reach;
    return whole;
}


static rico_status sweep_all(const rico_bodies *bodies, rico_bodies_memory *memory, rico_context *ctx,
                             double t, double h, const double *q, const double *v)
{
    int64_t bad = memory->count;
#pragma omp parallel for schedule(static) if (memory->count > 4 * PARALLEL) reduction(min : bad)
    for (int64_t s = 0; s < memory->count; s++) {
        rico_body_sweep *own = &memory->sweep[s];
        if (own->body->given.type == RICO_BODY_MOVED) continue;
        bool whole = rico_bodies_pose(bodies, own->body, t, q, &own->pose) &&
                     sweep_body(bodies, own, &memory->box[s], t, h, v);
        if (!whole && s < bad) bad = s;
    }
    // functions of a caller, one after the other
    for (int64_t s = 0; s < memory->count; s++) {
        rico_body_sweep *own = &memory->sweep[s];
        if (own->body->given.type != RICO_BODY_MOVED) continue;
        bool whole = rico_bodies_pose(bodies, own->body, t, q, &own->pose) &&
                     sweep_body(bodies, own, &memory->box[s], t, h, v);
        if (!whole && s < bad) bad = s;
    }
    if (bad == memory->count) return RICO_OK;
    return rico_fail(ctx, RICO_BAD_INPUT,
                     "body %s has no place or no velocity at t = %.17g: its motion refused, or is not finite",
                     memory->sweep[bad].body->name, t);
}


// How far points of a body move in the step, where they could meet the other.
static double motion(const rico_body_sweep *own, const rico_body_sweep *other)
{
    double reach = own->reach;
    if (own->turn > 0.0 && !isfinite(reach)) { // a plane: what lies below the other
        double way[3];
        rico_vec3_subtract(other->center, own->center, way);
        reach = rico_vec3_norm(way) + other->reach;
    }
    return own->shift + own->fall + (own->turn > 0.0 ? own->turn * reach : 0.0);
}


// Gaps that are watched although the motion of the step does not close them.
static double slack_of(const rico_body_sweep *a, const rico_body_sweep *b)
{
    double reach = fmin(a->reach, b->reach);
    return a->fall + b->fall + (isfinite(reach) ? SLACK * reach : 0.0);
}


static double margin_of(const rico_body_sweep *a, const rico_body_sweep *b)
{
    double reach = fmin(a->reach, b->reach);
    return motion(a, b) + motion(b, a) + (isfinite(reach) ? SLACK * reach : 0.0);
}


// What turning adds to the motion of the two.
static double rolling(const rico_body_sweep *a, const rico_body_sweep *b)
{
    return motion(a, b) - a->shift - a->fall + (motion(b, a) - b->shift - b->fall);
}


// Fast pairs are followed: their gap at the start says little of where they are later. Not those that a function moves, at velocities
// that are not constant.
static bool is_fast(const rico_body_sweep *a, const rico_body_sweep *b, double h)
{
    double relative[3];
    if (a->body->given.type == RICO_BODY_MOVED || b->body->given.type == RICO_BODY_MOVED) return false;
    rico_vec3_subtract(b->velocity, a->velocity, relative);
    return h * rico_vec3_norm(relative) + rolling(a, b) > FAST * fmin(a->reach, b->reach);
}


// --- pairs ---------------------------------------------------------------------------------------------------------

typedef struct searched {
    const rico_bodies *bodies;
    const rico_bodies_memory *memory;
} searched;


static int order_pairs(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    if (x[0] != y[0]) return x[0] < y[0] ? -1 : 1;
    return x[1] < y[1] ? -1 : x[1] > y[1];
}


static bool excluded(const rico_bodies *bodies, int64_t a, int64_t b)
{
    int64_t pair[2] = {a, b};
    return bodies->exclusion_count > 0 &&
           bsearch(pair, bodies->exclusion, (size_t)bodies->exclusion_count, sizeof pair, order_pairs);
}


static bool is_sensor(const rico_body_sweep *a, const rico_body_sweep *b)
{
    return a->body->given.sensor || b->body->given.sensor;
}


// Whether a box with its motion, of `two`, comes near the plane `one` with its own.
static bool near_plane(const rico_body_sweep *one, const rico_body_sweep *two, const rico_box *box)
{
    return rico_box_above_plane(box, one->normal, one->offset) <= motion(one, two);
}


static bool filters_agree(const rico_body_filter *one, const rico_body_filter *two)
{
    return (one->group & two->meets) && (two->group & one->meets);
}


bool rico_bodies_touch(const rico_bodies *bodies, const rico_bodies_memory *memory, int64_t a, int64_t b)
{
    const rico_body_filter *one = &memory->filter[a], *two = &memory->filter[b];
    int64_t first = memory->sweep[a < b ? a : b].body - bodies->body;
    int64_t second = memory->sweep[a < b ? b : a].body - bodies->body;
    return filters_agree(one, two) && !one->sensor && !two->sensor && !excluded(bodies, first, second);
}


static bool wants(const void *user, int64_t a, int64_t b)
{
    const searched *own = user;
    const rico_bodies_memory *memory = own->memory;
    const rico_body_filter *one = &memory->filter[a], *two = &memory->filter[b];
    if (!filters_agree(one, two)) return false;
    // what nobody moves freely meets for a sensor alone
    if (!one->free && !two->free && (!(one->sensor || two->sensor) || (one->fixed && two->fixed)))
        return false;
    const rico_body_sweep *first = &memory->sweep[a], *second = &memory->sweep[b];
    if (one->plane && !near_plane(first, second, &memory->box[b])) return false;
    if (two->plane && !near_plane(second, first, &memory->box[a])) return false;
    const rico_bound_body *all = own->bodies->body;
    return !excluded(own->bodies, first->body - all, second->body - all);
}


// --- contacts of pairs ---------------------------------------------------------------------------------------------

// Corners and edges that meet away from all faces make one contact, about which the bodies can turn into each other elsewhere.
static bool turns(const rico_body_sweep *a, const rico_body_sweep *b)
{
    rico_shape_class one = a->body->given.shape->kind->class, two = b->body->given.shape->kind->class;
    return one == RICO_POLYTOPE && two == RICO_POLYTOPE &&
           motion(a, b) + motion(b, a) > TURNS * fmin(a->reach, b->reach);
}


static bool look_at(const rico_bodies_memory *memory, double h, rico_pair pair, rico_meeting_list *list,
                    rico_pair_found *out)
{
    const rico_body_sweep *a = &memory->sweep[pair.a], *b = &memory->sweep[pair.b];
    bool sensor = is_sensor(a, b), whole = true;
    double margin = sensor ? 0.0 : margin_of(a, b);
    out->first = list->count;
    out->way = RICO_WAY_SLOW;
    out->moment = INFINITY;
    if (!rico_meet(a->body->given.shape, &a->pose, b->body->given.shape, &b->pose, margin, list))
        return false;
    if (!sensor && list->count > out->first) {
        bool fast = is_fast(a, b, h);
        const rico_body_way way = {
            a, b, h, margin, slack_of(a, b), rolling(a, b), a->struck || b->struck, fmin(a->first, b->first)};
        if (fast) out->way = RICO_WAY_TURN;
        if (fast) whole = rico_bodies_follow_way(&way, list, out);
        if (list->count == out->first + 1 && out->way != RICO_WAY_HELD && turns(a, b))
            out->way = RICO_WAY_LONE;
    }
    out->count = list->count - out->first;
    return whole;
}


static int threads_for(int64_t work)
{
#ifdef _OPENMP
    return work >= PARALLEL ? omp_get_max_threads() : 1;
#else
    (void)work;
    return 1;
#endif
}


static bool reserve_lists(rico_bodies_memory *memory, int threads)
{
    if (threads > memory->lists) {
        rico_meeting_list *grown =
            rico_grow(memory->ctx, memory->list, memory->lists, threads, sizeof *grown);
        if (!grown) return false;
        memory->list = grown;
        memory->lists = threads;
    }
    for (int t = 0; t < threads; t++) {
        if (!memory->list[t].ctx) memory->list[t].ctx = rico_context_sibling(memory->ctx);
        if (!memory->list[t].ctx) return false;
        memory->list[t].count = 0;
    }
    return true;
}


static bool reserve(rico_context *ctx, void *at, int64_t *room, int64_t count, size_t size)
{
    if (count <= *room) return true;
    if (!rico_renew(ctx, at, count + count / 2, size)) return false;
    *room = count + count / 2;
    return true;
}


static bool look_at_all(rico_bodies_memory *memory, double h)
{
    int64_t count = memory->tree.pair_count;
    int threads = threads_for(count), failed = 0;
    if (!reserve_lists(memory, threads) ||
        !reserve(memory->ctx, &memory->pair, &memory->pair_room, count, sizeof *memory->pair))
        return false;
#pragma omp parallel num_threads(threads) if (threads > 1) reduction(| : failed)
    {
        int me = 0;
#ifdef _OPENMP
        me = threads > 1 ? omp_get_thread_num() : 0;
#endif
#pragma omp for schedule(static, CHUNK)
        for (int64_t k = 0; k < count; k++) {
            memory->pair[k].list = me;
            if (!failed)
                failed |= !look_at(memory, h, memory->tree.pair[k], &memory->list[me], &memory->pair[k]);
        }
    }
    return !failed;
}


// --- by key --------------------------------------------------------------------------------------------------------

static int order_found(const void *a, const void *b)
{
    const rico_found *x = a, *y = b;
    return x->key < y->key ? -1 : x->key > y->key;
}


// The contacts of one first body by their keys: those of all first bodies are in order then.
static void sort_found(rico_found *found, int64_t count)
{
    if (count > SORTED_BY_HAND) {
        bool sorted = true;
        for (int64_t i = 1; sorted && i < count; i++) sorted = found[i - 1].key <= found[i].key;
        if (!sorted) qsort(found, (size_t)count, sizeof *found, order_found);
        return;
    }
    for (int64_t i = 1; i < count; i++) {
        rico_found own = found[i];
        int64_t j = i;
        for (; j > 0 && found[j - 1].key > own.key; j--) found[j] = found[j - 1];
        found[j] = own;
    }
}


static void add_found(const rico_bodies_memory *memory, rico_pair pair, const rico_pair_found *of,
                      rico_found *out)
{
    const rico_meeting *m = memory->list[of->list].item + of->first;
    uint64_t first_a = memory->sweep[pair.a].body->first_feature;
    uint64_t first_b = memory->sweep[pair.b].body->first_feature;
    for (int64_t k = 0; k < of->count; k++)
        out[k] = (rico_found){.key = (first_a + m[k].feature_a) << 32 | (first_b + m[k].feature_b),
                              .a = pair.a,
                              .b = pair.b,
                              .list = of->list,
                              .way = of->way,
                              .at = of->first + k};
}


static bool collect(const rico_bodies *bodies, rico_bodies_memory *memory)
{
    int64_t count = 0, sensed = 0, group = 0;
    for (int64_t k = 0; k < memory->tree.pair_count; k++) {
        rico_pair pair = memory->tree.pair[k];
        bool sensor = is_sensor(&memory->sweep[pair.a], &memory->sweep[pair.b]);
        count += sensor ? 0 : memory->pair[k].count;
        sensed += sensor && memory->pair[k].count > 0;
    }
    memory->found_count = memory->sensed_count = 0;
    if (!reserve(memory->ctx, &memory->found, &memory->found_room, count, sizeof *memory->found) ||
        !reserve(memory->ctx, &memory->sensed, &memory->sensed_room, 2 * sensed, sizeof *memory->sensed))
        return false;
    for (int64_t k = 0; k < memory->tree.pair_count; k++) {
        rico_pair pair = memory->tree.pair[k];
        const rico_body_sweep *a = &memory->sweep[pair.a], *b = &memory->sweep[pair.b];
        if (k > 0 && memory->tree.pair[k - 1].a != pair.a) {
            sort_found(memory->found + group, memory->found_count - group);
            group = memory->found_count;
        }
        if (memory->pair[k].count == 0) continue;
        if (is_sensor(a, b)) {
            memory->sensed[2 * memory->sensed_count] = a->body - bodies->body;
            memory->sensed[2 * memory->sensed_count++ + 1] = b->body - bodies->body;
            continue;
        }
        add_found(memory, pair, &memory->pair[k], memory->found + memory->found_count);
        memory->found_count += memory->pair[k].count;
    }
    sort_found(memory->found + group, memory->found_count - group);
    return true;
}


// --- bodies that are struck ----------------------------------------------------------------------------------------

// The way that `own` may be driven by `other`, if it is longer than its own and its size: by less it does not get past anything.
static double driven(const rico_body_sweep *own, const rico_body_sweep *other)
{
    double way = other->drive > 0.0 ? other->drive : STRIKE * (motion(other, own) - other->fall);
    return own->body->item >= 0 && way > own->shift + own->reach ? way : 0.0;
}


// A body that meets something flies on elsewhere in the same step, and one at rest that something fast may hit flies off: it is watched as
// far as that may be. True: there are such, and their pairs are to be looked at again.
static bool strike(rico_bodies_memory *memory)
{
    bool any = false;
    for (int64_t k = 0; k < memory->tree.pair_count; k++) {
        rico_pair pair = memory->tree.pair[k];
        const int64_t both[2] = {pair.a, pair.b};
        if (memory->pair[k].count == 0 || is_sensor(&memory->sweep[pair.a], &memory->sweep[pair.b])) continue;
        for (int i = 0; i < 2; i++) {
            rico_body_sweep *own = &memory->sweep[both[i]];
            if (own->body->item >= 0 && memory->pair[k].moment < own->first) {
                // deflected on its way: who it would have passed by, it may meet
                own->first = memory->pair[k].moment;
                any |= !own->struck;
                own->struck = true;
            }
            double way = driven(own, &memory->sweep[both[1 - i]]);
            if (way == 0.0) continue;
            for (int j = 0; j < 3; j++) {
                memory->box[both[i]].lower[j] -= way - own->shift;
                memory->box[both[i]].upper[j] += way - own->shift;
            }
            own->shift = own->drive = way; // what is driven drives others no faster
            any = own->struck = true;
        }
    }
    return any;
}


// All pairs of bodies that are near each other, and their contacts.
static rico_status search_once(const rico_bodies *bodies, rico_bodies_memory *memory, rico_context *ctx,
                               double t, double h)
{
    const searched own = {bodies, memory};
    // a heap has some ten pairs for a body; what goes far beyond is bodies in one place, and ends in all pairs of them
    int64_t limit = (INT64_C(1) << 21) + 32 * memory->count;
    bool whole = true;
    rico_status status = rico_tree_update(&memory->tree, memory->count, memory->box);
    if (status == RICO_OK) status = rico_tree_pairs(&memory->tree, wants, &own, limit, &whole);
    if (status != RICO_OK) return rico_fail(ctx, status, "%s", rico_message(memory->ctx));
    if (!whole)
        return rico_fail(
            ctx, RICO_UNSUPPORTED,
            "more than %lld pairs of %lld bodies are within reach of each other at t = %.17g: too "
            "many stand in one place, or the step of %g is too long for their speed",
            (long long)limit, (long long)memory->count, t, h);
    if (!look_at_all(memory, h))
        return rico_fail(ctx, RICO_NO_MEMORY, "out of memory for the contacts of bodies");
    return RICO_OK;
}


rico_status rico_bodies_search(const rico_bodies *bodies, rico_bodies_memory *memory, rico_context *ctx,
                               double t, double h, const double *q, const double *v)
{
    rico_status status = sweep_all(bodies, memory, ctx, t, h, q, v);
    if (status == RICO_OK) status = search_once(bodies, memory, ctx, t, h);
    memory->struck = false;
    for (int k = 0; status == RICO_OK && k < STRIKES && strike(memory); k++) {
        memory->struck = true;
        status = search_once(bodies, memory, ctx, t, h);
    }
    if (status == RICO_OK && !collect(bodies, memory))
        status = rico_fail(ctx, RICO_NO_MEMORY, "out of memory for the contacts of bodies");
    return status;
}
