// Statics of a plane frame by its virtual velocities: which hinges there are, the independent mechanisms, and the matrix C of their equilibrium.
//
// Unknown are velocities and rotations of the nodes and rotations of the bars. Bars keep their lengths, supports hold, and ends that neither yield nor are
// pinned turn with their nodes: K x = 0. The null space of K, in reduced form, has one vector for each unknown that stays free, which gives the mechanism its name:
// velocities of loaded nodes and of feet where that is possible, because they are eliminated last. C follows by duality.

#include "limit/frame.h"

#include "base/context.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double TINY = 1e-10; // a pivot below this, where entries are of order 1, is none

// How an end of a bar meets its node.
typedef enum end_kind { PINNED_END, RIGID_END, HINGED_END } end_kind;

// K by rows, and which unknown each row was solved for.
typedef struct system {
    const rico_frame *frame;
    int64_t rows, columns;
    double *K, length;
    end_kind *end;      // of bar b: 2 b where it begins, 2 b + 1 where it ends
    int64_t *hinge_end; // of every stress that is a moment
    double *sense;      // 1: its rotation is that of the bar against the node
    int64_t *order, *pivot_row;
} system;


static int64_t velocity_column(int64_t node, int axis)
{
    return 2 * node + axis;
}


static int64_t node_column(const system *s, int64_t node)
{
    return 2 * s->frame->node_count + node;
}


static int64_t bar_column(const system *s, int64_t bar)
{
    return 3 * s->frame->node_count + bar;
}


static int64_t node_of(const rico_frame *frame, int64_t end)
{
    const rico_frame_bar *bar = &frame->bar[end / 2];
    return end % 2 ? bar->to : bar->from;
}


static bool is_pinned(const rico_frame *frame, int64_t end)
{
    const rico_frame_bar *bar = &frame->bar[end / 2];
    return end % 2 ? bar->pinned_to : bar->pinned_from;
}


// The unit normal of a support, and the tangent on its right.
static void normal_of(const rico_frame_node *node, double n[2], double t[2])
{
    double angle = node->normal * M_PI / 180.0;
    n[0] = node->normal == 0.0 ? 0.0 : -sin(angle);
    n[1] = node->normal == 0.0 ? 1.0 : cos(angle);
    t[0] = n[1], t[1] = -n[0];
}


// --- hinges ----------------------------------------------------------------------------------------------------------

static int64_t add_stress(rico_frame *frame, int64_t node, int64_t bar, char symbol, double capacity,
                          bool says_bar)
{
    int64_t s = frame->stresses++;
    if (says_bar)
        snprintf(frame->stress_name[s], RICO_FRAME_NAME, "%c of %.60s at %.60s", symbol, frame->bar_name[bar],
                 frame->node_name[node]);
    else
        snprintf(frame->stress_name[s], RICO_FRAME_NAME, "%c at %.60s", symbol, frame->node_name[node]);
    frame->stress[s] = (rico_frame_stress){node, bar, symbol, capacity, frame->stress_name[s]};
    return s;
}


// A joint of two bars that nothing turns from outside has one moment, and yields in the weaker bar: the earlier bar turns with the node, and the hinge is
// that of the later one. A lone end that nothing turns has none.
static void join_ends(system *s, rico_frame *frame, int64_t node)
{
    const rico_frame_node *at = &frame->node[node];
    int64_t first = -1, second = -1, ends = 0;
    bool turned = at->dead[2] != 0.0 || at->live[2] != 0.0 || at->support == RICO_SUPPORT_CLAMPED;
    for (int64_t e = 0; e < 2 * frame->bar_count; e++) {
        if (node_of(frame, e) != node || is_pinned(frame, e)) continue;
        if (ends == 0) first = e;
        if (ends == 1) second = e;
        ends++;
    }
    for (int64_t e = 0; e < 2 * frame->bar_count; e++) {
        if (node_of(frame, e) != node) continue;
        double capacity = frame->bar[e / 2].capacity;
        s->end[e] = is_pinned(frame, e) ? PINNED_END : RIGID_END;
        if (s->end[e] == PINNED_END) continue;
        if (!turned && ends <= 2) {
            if (e != second) continue;
            capacity = fmin(capacity, frame->bar[first / 2].capacity);
        }
        if (!isfinite(capacity)) continue;
        s->end[e] = HINGED_END;
        frame->hinges++;
        bool several = turned || ends > 2;
        int64_t at_end = add_stress(frame, node, e / 2, 'M', capacity, ends > 1 && several);
        s->hinge_end[at_end] = e;
        s->sense[at_end] = several && e % 2 ? -1.0 : 1.0;
    }
}


// Contacts first, hinges by node.
static void find_stresses(system *s, rico_frame *frame)
{
    for (int64_t i = 0; i < frame->node_count; i++) {
        if (frame->node[i].support != RICO_SUPPORT_CONTACT) continue;
        frame->contacts++;
        add_stress(frame, i, -1, 'N', 0.0, false);
        add_stress(frame, i, -1, 'T', 0.0, false);
    }
    for (int64_t i = 0; i < frame->node_count; i++) join_ends(s, frame, i);
}


// --- velocities --------------------------------------------------------------------------------------------------------

static double *new_row(system *s)
{
    return &s->K[s->rows++ * s->columns];
}


// Bars keep their lengths and turn: v_to - v_from = omega x d, with omega times a length as the unknown.
static void hold_bars(system *s)
{
    const rico_frame *frame = s->frame;
    for (int64_t b = 0; b < frame->bar_count; b++) {
        const rico_frame_bar *bar = &frame->bar[b];
        const double d[2] = {frame->node[bar->to].x - frame->node[bar->from].x,
                             frame->node[bar->to].y - frame->node[bar->from].y};
        for (int axis = 0; axis < 2; axis++) {
            double *row = new_row(s);
            row[velocity_column(bar->to, axis)] = 1.0;
            row[velocity_column(bar->from, axis)] = -1.0;
            row[bar_column(s, b)] = (axis ? -d[0] : d[1]) / s->length;
        }
    }
}


static void hold_ends(system *s)
{
    const rico_frame *frame = s->frame;
    for (int64_t e = 0; e < 2 * frame->bar_count; e++) {
        if (s->end[e] != RIGID_END) continue;
        double *row = new_row(s);
        row[bar_column(s, e / 2)] = 1.0;
        row[node_column(s, node_of(frame, e))] = -1.0;
    }
}


// A node that no bar turns with stands still.
static void hold_nodes(system *s)
{
    const rico_frame *frame = s->frame;
    for (int64_t i = 0; i < frame->node_count; i++) {
        const rico_frame_node *node = &frame->node[i];
        double n[2], t[2];
        bool turns = false;
        for (int64_t e = 0; e < 2 * frame->bar_count; e++)
            turns |= node_of(frame, e) == i && s->end[e] != PINNED_END;
        if (!turns || node->support == RICO_SUPPORT_CLAMPED) new_row(s)[node_column(s, i)] = 1.0;
        normal_of(node, n, t);
        if (node->support == RICO_SUPPORT_ROLLER) {
            double *row = new_row(s);
            for (int axis = 0; axis < 2; axis++) row[velocity_column(i, axis)] = n[axis];
        }
        if (node->support == RICO_SUPPORT_CLAMPED || node->support == RICO_SUPPORT_PINNED)
            for (int axis = 0; axis < 2; axis++) new_row(s)[velocity_column(i, axis)] = 1.0;
    }
}


// What is eliminated first: rotations, then velocities, the ones without a load before those with one, those of feet last.
static void set_order(system *s)
{
    const rico_frame *frame = s->frame;
    int64_t at = 0, moving = 2 * frame->node_count;
    for (int64_t c = s->columns - 1; c >= moving; c--) s->order[at++] = c;
    for (int rank = 0; rank < 3; rank++)
        for (int64_t c = moving - 1; c >= 0; c--) {
            const rico_frame_node *node = &frame->node[c / 2];
            bool loaded = node->dead[c % 2] != 0.0 || node->live[c % 2] != 0.0;
            int own = node->support == RICO_SUPPORT_CONTACT ? 2 : loaded ? 1 : 0;
            if (own == rank) s->order[at++] = c;
        }
}


// Gauss and Jordan with row pivots, column by column in the order of the unknowns; pivot_row[c] = -1: c stays free.
static int64_t reduce(int64_t rows, int64_t columns, double *K, const int64_t *order, int64_t *pivot_row)
{
    int64_t rank = 0;
    for (int64_t k = 0; k < columns; k++) {
        int64_t c = order ? order[k] : k, best = rank;
        pivot_row[c] = -1;
        for (int64_t r = rank; r < rows; r++)
            if (fabs(K[r * columns + c]) > fabs(K[best * columns + c])) best = r;
        if (rank == rows || !(fabs(K[best * columns + c]) > TINY)) continue;
        for (int64_t j = 0; j < columns; j++) {
            double keep = K[rank * columns + j];
            K[rank * columns + j] = K[best * columns + j];
            K[best * columns + j] = keep;
        }
        double pivot = K[rank * columns + c];
        for (int64_t j = 0; j < columns; j++) K[rank * columns + j] /= pivot;
        for (int64_t r = 0; r < rows; r++) {
            double factor = K[r * columns + c];
            if (r == rank || factor == 0.0) continue;
            for (int64_t j = 0; j < columns; j++) {
                double value = K[r * columns + j] - factor * K[rank * columns + j];
                K[r * columns + j] = fabs(value) < 1e-14 ? 0.0 : value;
            }
        }
        pivot_row[c] = rank++;
    }
    return rank;
}


// --- mechanisms ----------------------------------------------------------------------------------------------------------

static void name_mechanism(const system *s, int64_t column, char name[RICO_FRAME_NAME])
{
    const rico_frame *frame = s->frame;
    int64_t nodes = frame->node_count;
    if (column < 2 * nodes)
        snprintf(name, RICO_FRAME_NAME, "%c of %.120s", column % 2 ? 'y' : 'x', frame->node_name[column / 2]);
    else
        snprintf(name, RICO_FRAME_NAME, "rotation of %.120s",
                 column < 3 * nodes ? frame->node_name[column - 2 * nodes]
                                    : frame->bar_name[column - 3 * nodes]);
}


// The unknown in the mechanism whose free unknown is given.
static double moves(const system *s, int64_t column, int64_t free)
{
    if (column == free) return 1.0;
    return s->pivot_row[column] < 0 ? 0.0 : -s->K[s->pivot_row[column] * s->columns + free];
}


// The rate that a stress does work on.
static double rate_of(const system *s, int64_t index, int64_t free)
{
    const rico_frame *frame = s->frame;
    const rico_frame_stress *stress = &frame->stress[index];
    if (stress->bar < 0) {
        double n[2], t[2], rate = 0.0;
        normal_of(&frame->node[stress->node], n, t);
        for (int axis = 0; axis < 2; axis++)
            rate -=
                (stress->symbol == 'N' ? n : t)[axis] * moves(s, velocity_column(stress->node, axis), free);
        return rate;
    }
    double bar = moves(s, bar_column(s, s->hinge_end[index] / 2), free);
    return s->sense[index] * (bar - moves(s, node_column(s, stress->node), free)) / s->length;
}


static rico_status write_mechanisms(const system *s, rico_frame *frame)
{
    rico_context *ctx = frame->ctx;
    int64_t e = frame->mechanisms, m = frame->stresses, k = 0;
    frame->motion = rico_alloc(ctx, 2 * frame->node_count * e, sizeof(double));
    frame->C = rico_alloc(ctx, e * m, sizeof(double));
    frame->dead = rico_alloc(ctx, e, sizeof(double));
    frame->live = rico_alloc(ctx, e, sizeof(double));
    frame->mechanism_name = rico_alloc(ctx, e, sizeof *frame->mechanism_name);
    if (!frame->motion || !frame->C || !frame->dead || !frame->live || !frame->mechanism_name)
        return RICO_NO_MEMORY;
    for (int64_t c = 0; c < s->columns; c++) {
        if (s->pivot_row[c] >= 0) continue;
        name_mechanism(s, c, frame->mechanism_name[k]);
        for (int64_t j = 0; j < m; j++) frame->C[k * m + j] = rate_of(s, j, c);
        for (int64_t i = 0; i < frame->node_count; i++) {
            const rico_frame_node *node = &frame->node[i];
            for (int axis = 0; axis < 3; axis++) {
                double turn = axis == 2 ? moves(s, node_column(s, i), c) / s->length : 0.0;
                double v = axis < 2 ? moves(s, velocity_column(i, axis), c) : turn;
                if (axis < 2) frame->motion[k * 2 * frame->node_count + 2 * i + axis] = v;
                frame->dead[k] += node->dead[axis] * v;
                frame->live[k] += node->live[axis] * v;
            }
        }
        k++;
    }
    return RICO_OK;
}


// A motion that no stress resists, C'w = 0, is refused with the mechanism that it has most of.
static rico_status refuse_loose(rico_frame *frame)
{
    rico_context *ctx = frame->ctx;
    int64_t e = frame->mechanisms, m = frame->stresses;
    double *rows = rico_alloc(ctx, m * e, sizeof *rows);
    int64_t *pivot = rico_alloc(ctx, e, sizeof *pivot), loose = -1;
    rico_status status = rows && pivot ? RICO_OK : RICO_NO_MEMORY;
    if (status == RICO_OK) {
        for (int64_t j = 0; j < m; j++) {
            double largest = 0.0;
            for (int64_t k = 0; k < e; k++) largest = fmax(largest, fabs(frame->C[k * m + j]));
            for (int64_t k = 0; k < e; k++)
                rows[j * e + k] = largest > 0.0 ? frame->C[k * m + j] / largest : 0.0;
        }
        if (reduce(m, e, rows, NULL, pivot) < e)
            for (int64_t k = 0; k < e; k++)
                if (pivot[k] < 0) loose = k;
    }
    rico_free(ctx, rows);
    rico_free(ctx, pivot);
    if (status != RICO_OK || loose < 0) return status;
    return rico_fail(ctx, RICO_BAD_INPUT,
                     "the frame moves without any hinge, by %s; support it or join its bars",
                     frame->mechanism_name[loose]);
}


static rico_status solve(system *s, rico_frame *frame)
{
    find_stresses(s, frame);
    hold_bars(s);
    hold_ends(s);
    hold_nodes(s);
    set_order(s);
    frame->mechanisms = s->columns - reduce(s->rows, s->columns, s->K, s->order, s->pivot_row);
    if (frame->mechanisms == 0)
        return rico_fail(frame->ctx, RICO_BAD_INPUT,
                         "the frame has no mechanism: no section yields and no support can slide");
    rico_status status = write_mechanisms(s, frame);
    return status == RICO_OK ? refuse_loose(frame) : status;
}


rico_status rico_frame_resolve(rico_frame *frame)
{
    rico_context *ctx = frame->ctx;
    int64_t ends = 2 * frame->bar_count, most = 2 * frame->node_count + ends;
    system s = {.frame = frame, .columns = 3 * frame->node_count + frame->bar_count};
    double total = 0.0;
    for (int64_t b = 0; b < frame->bar_count; b++)
        total += hypot(frame->node[frame->bar[b].to].x - frame->node[frame->bar[b].from].x,
                       frame->node[frame->bar[b].to].y - frame->node[frame->bar[b].from].y);
    s.length = total / (double)frame->bar_count;
    frame->stress = rico_alloc(ctx, most, sizeof *frame->stress);
    frame->stress_name = rico_alloc(ctx, most, sizeof *frame->stress_name);
    s.K = rico_alloc(ctx, (2 * ends + 3 * frame->node_count) * s.columns, sizeof *s.K);
    s.end = rico_alloc(ctx, ends, sizeof *s.end);
    s.hinge_end = rico_alloc(ctx, most, sizeof *s.hinge_end);
    s.sense = rico_alloc(ctx, most, sizeof *s.sense);
    s.order = rico_alloc(ctx, s.columns, sizeof *s.order);
    s.pivot_row = rico_alloc(ctx, s.columns, sizeof *s.pivot_row);
    bool whole = frame->stress && frame->stress_name && s.K && s.end && s.hinge_end && s.sense && s.order &&
                 s.pivot_row;
    rico_status status = whole ? solve(&s, frame) : RICO_NO_MEMORY;
    void *all[] = {s.K, s.end, s.hinge_end, s.sense, s.order, s.pivot_row};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
    return status;
}
