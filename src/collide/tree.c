// The bounding-volume tree: built by halves, fitted from the leaves up, walked without a stack.

#include "collide/tree.h"

#include "base/context.h"

#include <float.h>
#include <math.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

enum {
    LEAF = 4,        // items of a leaf at most
    OLD = 100,       // updates after which the tree is built anew in any case
    PARALLEL = 2000, // items from which threads pay
    CHUNK = 256,     // items that a thread takes at once
    MOST = INT32_MAX / 2
};

static const double LOOSE = 1.25; // growth of the cost from which it is

// An item by the middle of its box.
typedef struct middle {
    double x[3];
    int32_t item;
} middle;


void rico_tree_create(rico_context *ctx, rico_tree *tree)
{
    *tree = (rico_tree){.ctx = ctx, .age = -1};
}


void rico_tree_destroy(rico_tree *tree)
{
    rico_context *ctx = tree->ctx;
    for (int t = 0; t < tree->lists; t++) {
        if (!tree->list[t].ctx) continue;
        rico_free(tree->list[t].ctx, tree->list[t].pair);
        rico_context_destroy(tree->list[t].ctx);
    }
    void *all[] = {tree->item, tree->sorted, tree->node,  tree->key,
                   tree->list, tree->pair,   tree->other, tree->bucket};
    for (size_t i = 0; ctx && i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
    *tree = (rico_tree){.age = -1};
}


void rico_tree_forget(rico_tree *tree)
{
    tree->age = -1;
}


double rico_box_above_plane(const rico_box *box, const double normal[3], double offset)
{
    double lowest = -offset;
    for (int i = 0; i < 3; i++) {
        double corner = normal[i] > 0.0 ? box->lower[i] : box->upper[i];
        if (normal[i] != 0.0) lowest += normal[i] * corner;
    }
    return lowest;
}


// --- building ------------------------------------------------------------------------------------------------------

static bool before(const middle *a, const middle *b, int axis)
{
    return a->x[axis] < b->x[axis] || (a->x[axis] == b->x[axis] && a->item < b->item);
}


static void swap(middle *a, middle *b)
{
    middle kept = *a;
    *a = *b;
    *b = kept;
}


// The smaller half in front of `half`: Hoare's selection with the median of three as pivot. The order is strict, so that a million
// boxes in one place split like any others.
static void halve(middle *key, int64_t count, int64_t half, int axis)
{
    int64_t low = 0, high = count - 1;
    while (low < high) {
        int64_t mid = low + (high - low) / 2;
        if (before(&key[mid], &key[low], axis)) swap(&key[mid], &key[low]);
        if (before(&key[high], &key[low], axis)) swap(&key[high], &key[low]);
        if (before(&key[high], &key[mid], axis)) swap(&key[high], &key[mid]);
        middle pivot = key[mid];
        int64_t i = low, j = high;
        while (i <= j) {
            while (before(&key[i], &pivot, axis)) i++;
            while (before(&pivot, &key[j], axis)) j--;
            if (i > j) break;
            swap(&key[i++], &key[j--]);
        }
        if (half <= j)
            high = j;
        else if (half >= i)
            low = i;
        else
            break;
    }
}


static int longest_axis(const middle *key, int64_t count)
{
    double lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int64_t k = 0; k < count; k++)
        for (int i = 0; i < 3; i++) {
            lower[i] = key[k].x[i] < lower[i] ? key[k].x[i] : lower[i];
            upper[i] = key[k].x[i] > upper[i] ? key[k].x[i] : upper[i];
        }
    int best = 0;
    for (int i = 1; i < 3; i++)
        if (upper[i] - lower[i] > upper[best] - lower[best]) best = i;
    return best;
}


// The nodes of items first to last, from tree->nodes on.
static void build(rico_tree *tree, int64_t first, int64_t last)
{
    middle *key = tree->key;
    rico_tree_node *node = &tree->node[tree->nodes++];
    node->first = (int32_t)first;
    if (last - first > LEAF) {
        int64_t half = first + (last - first) / 2;
        halve(key + first, last - first, half - first, longest_axis(key + first, last - first));
        build(tree, first, half);
        build(tree, half, last);
    }
    node->next = (int32_t)tree->nodes;
}


static void build_all(rico_tree *tree)
{
    middle *key = tree->key;
    for (int64_t k = 0; k < tree->bounded; k++) {
        const rico_box *box = &tree->box[tree->item[k]];
        key[k].item = tree->item[k];
        // halves first: boxes at the end of the range of numbers have a middle too
        for (int i = 0; i < 3; i++) key[k].x[i] = 0.5 * box->lower[i] + 0.5 * box->upper[i];
    }
    tree->nodes = 0;
    if (tree->bounded > 0) build(tree, 0, tree->bounded);
    for (int64_t k = 0; k < tree->bounded; k++) tree->item[k] = key[k].item;
    tree->node[tree->nodes] = (rico_tree_node){.next = (int32_t)tree->nodes, .first = (int32_t)tree->bounded};
}


// --- fitting -------------------------------------------------------------------------------------------------------

// A number in single precision, not above x; 1.2e-7 is two units in its last place.
static float not_above(double x)
{
    double low = x - 1.2e-7 * fabs(x) - 1e-44;
    return low >= -FLT_MAX ? (low <= FLT_MAX ? (float)low : FLT_MAX) : -INFINITY;
}


static float not_below(double x)
{
    return -not_above(-x);
}


static void fit_leaf(const rico_tree *tree, rico_tree_node *node, int64_t last)
{
    rico_box hull = tree->sorted[node->first];
    for (int64_t k = node->first + 1; k < last; k++)
        for (int i = 0; i < 3; i++) {
            const rico_box *box = &tree->sorted[k];
            hull.lower[i] = box->lower[i] < hull.lower[i] ? box->lower[i] : hull.lower[i];
            hull.upper[i] = box->upper[i] > hull.upper[i] ? box->upper[i] : hull.upper[i];
        }
    for (int i = 0; i < 3; i++) {
        node->lower[i] = not_above(hull.lower[i]);
        node->upper[i] = not_below(hull.upper[i]);
    }
}


// Boxes in the order of the leaves, then all nodes from the last to the first; returns the cost.
static double fit(rico_tree *tree)
{
    double cost = 0.0;
    for (int64_t k = 0; k < tree->count; k++) tree->sorted[k] = tree->box[tree->item[k]];
    for (int64_t n = tree->nodes - 1; n >= 0; n--) {
        rico_tree_node *node = &tree->node[n];
        if (node->next == n + 1) {
            fit_leaf(tree, node, tree->node[n + 1].first);
        } else {
            const rico_tree_node *one = node + 1, *two = &tree->node[one->next];
            for (int i = 0; i < 3; i++) {
                node->lower[i] = one->lower[i] < two->lower[i] ? one->lower[i] : two->lower[i];
                node->upper[i] = one->upper[i] > two->upper[i] ? one->upper[i] : two->upper[i];
            }
        }
        for (int i = 0; i < 3; i++) cost += (double)node->upper[i] - (double)node->lower[i];
    }
    return cost;
}


static bool has_end(const rico_box *box)
{
    bool whole = true;
    for (int i = 0; i < 3; i++) whole &= isfinite(box->lower[i]) && isfinite(box->upper[i]);
    return whole;
}


static rico_status check(rico_context *ctx, int64_t count, const rico_box *box)
{
    if (count > MOST)
        return rico_fail(ctx, RICO_UNSUPPORTED, "%lld boxes are more than the %d that a tree holds",
                         (long long)count, MOST);
    for (int64_t k = 0; k < count; k++)
        for (int i = 0; i < 3; i++)
            if (!(box[k].lower[i] <= box[k].upper[i]))
                return rico_fail(ctx, RICO_BAD_INPUT, "box %lld reaches from %g to %g along axis %d",
                                 (long long)k, box[k].lower[i], box[k].upper[i], i);
    return RICO_OK;
}


static bool reserve(rico_tree *tree, int64_t count)
{
    rico_context *ctx = tree->ctx;
    if (count <= tree->room && tree->node) return true;
    bool whole = rico_renew(ctx, &tree->item, count, sizeof *tree->item) &&
                 rico_renew(ctx, &tree->sorted, count, sizeof *tree->sorted) &&
                 rico_renew(ctx, &tree->node, count + 2, sizeof *tree->node) &&
                 rico_renew(ctx, &tree->key, count, sizeof(middle)) &&
                 rico_renew(ctx, &tree->bucket, count + 1, sizeof *tree->bucket);
    tree->age = -1;
    if (whole) tree->room = count;
    return whole;
}


// Bounded items in front; true when they are the ones that the tree was built of.
static bool sort_out(rico_tree *tree, int64_t count)
{
    int64_t bounded = 0;
    bool same = tree->age >= 0 && count == tree->count;
    for (int64_t k = 0; same && k < count; k++)
        same = has_end(&tree->box[tree->item[k]]) == (k < tree->bounded);
    if (same) return true;
    for (int64_t k = 0; k < count; k++)
        if (has_end(&tree->box[k])) tree->item[bounded++] = (int32_t)k;
    tree->bounded = bounded;
    for (int64_t k = 0; k < count; k++)
        if (!has_end(&tree->box[k])) tree->item[bounded++] = (int32_t)k;
    return false;
}


rico_status rico_tree_update(rico_tree *tree, int64_t count, const rico_box *box)
{
    rico_status status = check(tree->ctx, count, box);
    if (status != RICO_OK) return status;
    if (!reserve(tree, count)) {
        tree->room = tree->count = 0;
        return RICO_NO_MEMORY;
    }
    tree->box = box;
    bool same = sort_out(tree, count);
    tree->count = count;
    if (same && tree->age < OLD && fit(tree) <= LOOSE * tree->cost) {
        tree->age++;
        return RICO_OK;
    }
    build_all(tree);
    tree->cost = fit(tree);
    tree->age = 0;
    return RICO_OK;
}


// --- searching -----------------------------------------------------------------------------------------------------

// A box as the nodes have theirs.
static void round_box(const rico_box *box, rico_tree_node *out)
{
    for (int i = 0; i < 3; i++) {
        out->lower[i] = not_above(box->lower[i]);
        out->upper[i] = not_below(box->upper[i]);
    }
}


static bool touches(const rico_tree_node *a, const rico_tree_node *b)
{
    return (a->lower[0] <= b->upper[0]) & (b->lower[0] <= a->upper[0]) & (a->lower[1] <= b->upper[1]) &
           (b->lower[1] <= a->upper[1]) & (a->lower[2] <= b->upper[2]) & (b->lower[2] <= a->upper[2]);
}


bool rico_tree_query(const rico_tree *tree, const rico_box *box, bool (*visit)(void *user, int64_t item),
                     void *user)
{
    rico_tree_node near;
    round_box(box, &near);
    for (int64_t n = 0; n < tree->nodes;) {
        const rico_tree_node *node = &tree->node[n];
        if (!touches(node, &near)) {
            n = node->next;
            continue;
        }
        n++;
        if (node->next != n) continue;
        for (int64_t k = node->first; k < tree->node[n].first; k++)
            if (rico_box_overlap(&tree->sorted[k], box) && !visit(user, tree->item[k])) return false;
    }
    for (int64_t k = tree->bounded; k < tree->count; k++)
        if (rico_box_overlap(&tree->sorted[k], box) && !visit(user, tree->item[k])) return false;
    return true;
}


// What a search for pairs needs to know.
typedef struct hunt {
    const rico_tree *tree;
    rico_pair_filter wants;
    const void *user;
    int64_t limit;
} hunt;


static bool add_pair(const hunt *own, rico_pair_list *list, int64_t one, int64_t two)
{
    int32_t x = own->tree->item[one], y = own->tree->item[two];
    rico_pair pair = {x < y ? x : y, x < y ? y : x};
    if (own->wants && !own->wants(own->user, pair.a, pair.b)) return true;
    if (list->count > own->limit) return true; // one too many is enough to know
    if (list->count == list->room) {
        int64_t room = list->room ? 2 * list->room : 1024;
        rico_pair *grown = rico_grow(list->ctx, list->pair, list->room, room, sizeof *grown);
        if (!grown) return false;
        list->pair = grown;
        list->room = room;
    }
    list->pair[list->count++] = pair;
    return true;
}


// Pairs of the items of leaf n among themselves and with all that come later in the order of the leaves: what stands behind a leaf in
// the walk are just the nodes of those.
static bool pairs_of_leaf(const hunt *own, rico_pair_list *list, int64_t leaf)
{
    const rico_tree *tree = own->tree;
    int64_t last = tree->node[leaf + 1].first;
    for (int64_t one = tree->node[leaf].first; one < last; one++) {
        const rico_box *box = &tree->sorted[one];
        rico_tree_node near;
        round_box(box, &near);
        for (int64_t two = one + 1; two < last; two++)
            if (rico_box_overlap(box, &tree->sorted[two]) && !add_pair(own, list, one, two)) return false;
        for (int64_t n = leaf + 1; n < tree->nodes && list->count <= own->limit;) {
            const rico_tree_node *node = &tree->node[n];
            if (!touches(node, &near)) {
                n = node->next;
                continue;
            }
            n++;
            if (node->next != n) continue;
            for (int64_t two = node->first; two < tree->node[n].first; two++)
                if (rico_box_overlap(box, &tree->sorted[two]) && !add_pair(own, list, one, two)) return false;
        }
    }
    return true;
}


// Pairs of an item with what has no end.
static bool pairs_without_end(const hunt *own, rico_pair_list *list, int64_t one)
{
    const rico_tree *tree = own->tree;
    int64_t from = one < tree->bounded ? tree->bounded : one + 1;
    for (int64_t two = from; two < tree->count && list->count <= own->limit; two++)
        if (rico_box_overlap(&tree->sorted[one], &tree->sorted[two]) && !add_pair(own, list, one, two))
            return false;
    return true;
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


static bool reserve_lists(rico_tree *tree, int threads)
{
    if (threads > tree->lists) {
        rico_pair_list *grown = rico_grow(tree->ctx, tree->list, tree->lists, threads, sizeof *grown);
        if (!grown) return false;
        tree->list = grown;
        tree->lists = threads;
    }
    // each with a context of its own: threads run out of memory one by one
    for (int t = 0; t < threads; t++) {
        if (!tree->list[t].ctx) tree->list[t].ctx = rico_context_sibling(tree->ctx);
        if (!tree->list[t].ctx) return false;
        tree->list[t].count = 0;
    }
    return true;
}


// The pairs by b into *to, then by a: two passes of counting, each in the order of the pass before.
static void sort_pass(const rico_tree *tree, const rico_pair *from, rico_pair *to, bool by_a)
{
    int64_t *bucket = tree->bucket, sum = 0;
    memset(bucket, 0, (size_t)(tree->count + 1) * sizeof *bucket);
    for (int64_t k = 0; k < tree->pair_count; k++) bucket[by_a ? from[k].a : from[k].b]++;
    for (int64_t k = 0; k <= tree->count; k++) {
        int64_t own = bucket[k];
        bucket[k] = sum;
        sum += own;
    }
    for (int64_t k = 0; k < tree->pair_count; k++) to[bucket[by_a ? from[k].a : from[k].b]++] = from[k];
}


static rico_status join(rico_tree *tree, int threads)
{
    int64_t sum = 0;
    for (int t = 0; t < threads; t++) sum += tree->list[t].count;
    if (sum > tree->pair_room) {
        int64_t room = sum + sum / 2;
        if (!rico_renew(tree->ctx, &tree->pair, room, sizeof *tree->pair) ||
            !rico_renew(tree->ctx, &tree->other, room, sizeof *tree->other)) {
            tree->pair_room = 0;
            return RICO_NO_MEMORY;
        }
        tree->pair_room = room;
    }
    tree->pair_count = 0;
    for (int t = 0; t < threads; t++) {
        if (tree->list[t].count == 0) continue;
        memcpy(tree->pair + tree->pair_count, tree->list[t].pair,
               (size_t)tree->list[t].count * sizeof *tree->pair);
        tree->pair_count += tree->list[t].count;
    }
    if (tree->pair_count == 0) return RICO_OK;
    sort_pass(tree, tree->pair, tree->other, false);
    sort_pass(tree, tree->other, tree->pair, true);
    return RICO_OK;
}


rico_status rico_tree_pairs(rico_tree *tree, rico_pair_filter wants, const void *user, int64_t limit,
                            bool *whole)
{
    hunt own = {tree, wants, user, limit};
    int threads = threads_for(tree->count), failed = 0;
    tree->pair_count = 0;
    *whole = true;
    if (!reserve_lists(tree, threads)) return rico_fail(tree->ctx, RICO_NO_MEMORY, "out of memory");
#pragma omp parallel num_threads(threads) if (threads > 1) reduction(| : failed)
    {
        int me = 0;
#ifdef _OPENMP
        me = threads > 1 ? omp_get_thread_num() : 0;
#endif
        rico_pair_list *list = &tree->list[me];
#pragma omp for schedule(static, CHUNK) nowait
        for (int64_t n = 0; n < tree->nodes; n++)
            if (tree->node[n].next == n + 1 && !failed) failed |= !pairs_of_leaf(&own, list, n);
#pragma omp for schedule(static, CHUNK)
        for (int64_t k = 0; k < tree->count; k++)
            if (!failed) failed |= !pairs_without_end(&own, list, k);
    }
    if (failed) return rico_fail(tree->ctx, RICO_NO_MEMORY, "out of memory for pairs of boxes");
    int64_t sum = 0;
    for (int t = 0; t < threads; t++) sum += tree->list[t].count;
    *whole = sum <= limit;
    return *whole ? join(tree, threads) : RICO_OK;
}
