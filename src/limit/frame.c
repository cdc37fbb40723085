// Plane frames: their life, what one can ask of them, and states of collapse by the associated rule.

#include "limit/frame.h"

#include "base/context.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Dense elimination of so many nodes and bars takes seconds.
static const int64_t MOST_PIECES = 2000;


const char *rico_support_name(int support)
{
    static const char *const NAMES[] = {"none", "clamped", "pinned", "roller", "contact"};
    return support >= 0 && support < (int)(sizeof NAMES / sizeof *NAMES) ? NAMES[support] : NULL;
}


void rico_frame_destroy(rico_frame *frame)
{
    if (!frame) return;
    rico_limit_destroy(frame->limit);
    rico_limit_destroy(frame->twin);
    void *all[] = {frame->node,   frame->bar,    frame->node_name, frame->bar_name, frame->stress_name,
                   frame->stress, frame->motion, frame->C,         frame->dead,     frame->mechanism_name,
                   frame->live,   frame->Q,      frame->w,         frame->q,        frame->force,
                   frame->weight, frame->slip};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(frame->ctx, all[i]);
    rico_free(frame->ctx, frame);
}


// --- what is given -----------------------------------------------------------------------------------------------------

static rico_status check_node(rico_frame *frame, int64_t i)
{
    const rico_frame_node *node = &frame->node[i];
    const char *name = frame->node_name[i];
    const double all[] = {node->x,       node->y,       node->friction, node->normal,  node->dead[0],
                          node->dead[1], node->dead[2], node->live[0],  node->live[1], node->live[2]};
    bool met = false, turned = false;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (!isfinite(all[k]))
            return rico_fail(frame->ctx, RICO_BAD_INPUT, "node %s has a number that is not finite", name);
    for (int64_t b = 0; b < frame->bar_count; b++) {
        const rico_frame_bar *bar = &frame->bar[b];
        met |= bar->from == i || bar->to == i;
        turned |= (bar->from == i && !bar->pinned_from) || (bar->to == i && !bar->pinned_to);
    }
    if (!met) return rico_fail(frame->ctx, RICO_BAD_INPUT, "node %s has no bar", name);
    if (!turned && (node->dead[2] != 0.0 || node->live[2] != 0.0))
        return rico_fail(frame->ctx, RICO_BAD_INPUT,
                         "a moment acts on node %s, where all bars are pinned and none can bear it", name);
    if (node->friction < 0.0)
        return rico_fail(frame->ctx, RICO_BAD_INPUT, "node %s has the friction %g, below 0", name,
                         node->friction);
    if (node->friction > 0.0 && node->support != RICO_SUPPORT_CONTACT)
        return rico_fail(frame->ctx, RICO_BAD_INPUT,
                         "node %s has friction, which belongs to the support 'contact'", name);
    if (!rico_support_name((int)node->support))
        return rico_fail(frame->ctx, RICO_BAD_INPUT, "node %s has the support %d, and there is none", name,
                         (int)node->support);
    return RICO_OK;
}


static rico_status check_bar(rico_frame *frame, int64_t b)
{
    const rico_frame_bar *bar = &frame->bar[b];
    const char *name = frame->bar_name[b];
    if (bar->from < 0 || bar->from >= frame->node_count || bar->to < 0 || bar->to >= frame->node_count)
        return rico_fail(frame->ctx, RICO_BAD_INPUT, "bar %s goes from node %lld to %lld, and there are %lld",
                         name, (long long)bar->from, (long long)bar->to, (long long)frame->node_count);
    double length = hypot(frame->node[bar->to].x - frame->node[bar->from].x,
                          frame->node[bar->to].y - frame->node[bar->from].y);
    if (!(length > 0.0)) return rico_fail(frame->ctx, RICO_BAD_INPUT, "bar %s has no length", name);
    if (!(bar->capacity > 0.0))
        return rico_fail(frame->ctx, RICO_BAD_INPUT, "bar %s has the capacity %g, and must have one above 0",
                         name, bar->capacity);
    return RICO_OK;
}


static rico_status copy(rico_frame *frame, const rico_frame_given *given)
{
    rico_context *ctx = frame->ctx;
    int64_t nodes = given->node_count, bars = given->bar_count;
    if (nodes < 2 || bars < 1 || nodes + bars > MOST_PIECES)
        return rico_fail(ctx, RICO_BAD_INPUT,
                         "a frame has 2 nodes, 1 bar, and at most %lld of both; this one has %lld and %lld",
                         (long long)MOST_PIECES, (long long)nodes, (long long)bars);
    frame->node_count = nodes, frame->bar_count = bars;
    frame->node = rico_alloc(ctx, nodes, sizeof *frame->node);
    frame->bar = rico_alloc(ctx, bars, sizeof *frame->bar);
    frame->node_name = rico_alloc(ctx, nodes, sizeof *frame->node_name);
    frame->bar_name = rico_alloc(ctx, bars, sizeof *frame->bar_name);
    if (!frame->node || !frame->bar || !frame->node_name || !frame->bar_name) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < nodes; i++) {
        frame->node[i] = given->nodes[i];
        if (given->nodes[i].name)
            snprintf(frame->node_name[i], RICO_FRAME_NAME, "%.60s", given->nodes[i].name);
        else
            snprintf(frame->node_name[i], RICO_FRAME_NAME, "node-%lld", (long long)i + 1);
        frame->node[i].name = frame->node_name[i];
    }
    for (int64_t b = 0; b < bars; b++) {
        frame->bar[b] = given->bars[b];
        if (given->bars[b].name)
            snprintf(frame->bar_name[b], RICO_FRAME_NAME, "%.60s", given->bars[b].name);
        else
            snprintf(frame->bar_name[b], RICO_FRAME_NAME, "bar-%lld", (long long)b + 1);
        frame->bar[b].name = frame->bar_name[b];
    }
    rico_status status = RICO_OK;
    for (int64_t b = 0; status == RICO_OK && b < bars; b++) status = check_bar(frame, b);
    for (int64_t i = 0; status == RICO_OK && i < nodes; i++) status = check_node(frame, i);
    return status;
}


// --- the cone programs -----------------------------------------------------------------------------------------------

// H = -C, with the live load as one more force for the twin.
static rico_status make_limit(rico_frame *frame, bool twin, rico_limit **out)
{
    rico_context *ctx = frame->ctx;
    int64_t e = frame->mechanisms, m = frame->stresses, columns = m + twin, blocks = 0, at = 0;
    int64_t *start = rico_alloc(ctx, columns + 1, sizeof *start),
            *row = rico_alloc(ctx, e * columns, sizeof *row);
    double *value = rico_alloc(ctx, e * columns, sizeof *value);
    rico_block *block = rico_alloc(ctx, columns, sizeof *block);
    const char **name = rico_alloc(ctx, columns, sizeof *name);
    rico_status status = start && row && value && block && name ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t j = 0; status == RICO_OK && j < columns; j++) {
        for (int64_t k = 0; k < e; k++) {
            double entry = j < m ? -frame->C[k * m + j] : frame->live[k];
            if (entry != 0.0) row[at] = k, value[at++] = entry;
        }
        start[j + 1] = at;
        if (j < m && frame->stress[j].symbol == 'T') continue;
        name[blocks] = j < m ? frame->stress_name[j] : "load factor";
        if (j == m)
            block[blocks++] = (rico_block){.kind = RICO_EQUALITY, .size = 1};
        else if (frame->stress[j].symbol == 'M')
            block[blocks++] = (rico_block){.kind = RICO_BOX,
                                           .size = 1,
                                           .low = -frame->stress[j].capacity,
                                           .high = frame->stress[j].capacity};
        else
            block[blocks++] = (rico_block){
                .kind = RICO_COULOMB_2D, .size = 2, .friction = frame->node[frame->stress[j].node].friction};
    }
    if (status == RICO_OK) {
        const rico_limit_given given = {.H = {e, columns, start, row, value},
                                        .block_count = blocks,
                                        .blocks = block,
                                        .dead = frame->dead,
                                        .live = twin ? NULL : frame->live,
                                        .block_name = name};
        status = rico_limit_create(ctx, &given, out);
    }
    void *all[] = {start, row, value, block, (void *)name};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
    return status;
}


static rico_status complete(rico_frame *frame)
{
    rico_context *ctx = frame->ctx;
    int64_t e = frame->mechanisms, m = frame->stresses;
    bool loaded = false;
    for (int64_t k = 0; k < e; k++) loaded |= frame->live[k] != 0.0;
    if (!loaded)
        return rico_fail(ctx, RICO_BAD_INPUT,
                         "no load that varies does work in any mechanism; give some node a live load");
    double **all[] = {&frame->Q, &frame->q, &frame->force, &frame->weight, &frame->slip};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!(*all[i] = rico_alloc(ctx, m + 1, sizeof(double)))) return RICO_NO_MEMORY;
    if (!(frame->w = rico_alloc(ctx, e, sizeof *frame->w))) return RICO_NO_MEMORY;
    rico_status status = make_limit(frame, false, &frame->limit);
    return status == RICO_OK ? make_limit(frame, true, &frame->twin) : status;
}


rico_status rico_frame_create(rico_context *ctx, const rico_frame_given *given, rico_frame **out)
{
    rico_frame *frame = rico_alloc(ctx, 1, sizeof *frame);
    if (!frame) return RICO_NO_MEMORY;
    frame->ctx = ctx;
    rico_status status = copy(frame, given);
    if (status == RICO_OK) status = rico_frame_resolve(frame);
    if (status == RICO_OK) status = complete(frame);
    if (status != RICO_OK) {
        rico_frame_destroy(frame);
        return status;
    }
    *out = frame;
    return RICO_OK;
}


// --- what one can ask ------------------------------------------------------------------------------------------------

const char *rico_frame_title(const rico_frame *frame)
{
    return frame->title;
}


void rico_frame_set_title(rico_frame *frame, const char *title)
{
    snprintf(frame->title, sizeof frame->title, "%s", title);
}


int64_t rico_frame_node_count(const rico_frame *frame)
{
    return frame->node_count;
}


int64_t rico_frame_bar_count(const rico_frame *frame)
{
    return frame->bar_count;
}


const rico_frame_node *rico_frame_node_at(const rico_frame *frame, int64_t node)
{
    return &frame->node[node];
}


const rico_frame_bar *rico_frame_bar_at(const rico_frame *frame, int64_t bar)
{
    return &frame->bar[bar];
}


int64_t rico_frame_contacts(const rico_frame *frame)
{
    return frame->contacts;
}


int64_t rico_frame_hinges(const rico_frame *frame)
{
    return frame->hinges;
}


int64_t rico_frame_redundancy(const rico_frame *frame)
{
    return frame->stresses - frame->mechanisms;
}


int64_t rico_frame_mechanisms(const rico_frame *frame)
{
    return frame->mechanisms;
}


int64_t rico_frame_stresses(const rico_frame *frame)
{
    return frame->stresses;
}


rico_frame_stress rico_frame_stress_at(const rico_frame *frame, int64_t stress)
{
    return frame->stress[stress];
}


const char *rico_frame_mechanism_name(const rico_frame *frame, int64_t mechanism)
{
    return frame->mechanism_name[mechanism];
}


const double *rico_frame_matrix(const rico_frame *frame)
{
    return frame->C;
}


const double *rico_frame_dead(const rico_frame *frame)
{
    return frame->dead;
}


const double *rico_frame_live(const rico_frame *frame)
{
    return frame->live;
}


rico_limit *rico_frame_limit(const rico_frame *frame)
{
    return frame->limit;
}


void rico_frame_motion(const rico_frame *frame, const double *w, double *velocity)
{
    int64_t size = 2 * frame->node_count;
    memset(velocity, 0, (size_t)size * sizeof *velocity);
    for (int64_t k = 0; k < frame->mechanisms; k++)
        for (int64_t i = 0; i < size; i++) velocity[i] += w[k] * frame->motion[k * size + i];
}
