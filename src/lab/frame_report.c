// All that is asked of a plane frame: see frame_report.h.

#include "lab/frame_report.h"

#include "base/context.h"
#include "draw/figure.h"
#include "lab/sheet.h"

#include <math.h>
#include <stdio.h>
#include <string.h>


static bool note(void *user, int64_t turn, const rico_frame_state *state)
{
    rico_frame_history *h = user;
    if (turn > RICO_FRAME_TURNS) return false;
    h->factor[turn - 1] = state->factor;
    h->N[turn - 1] = state->stress[0], h->T[turn - 1] = fabs(state->stress[1]);
    h->slip[turn - 1] = fabs(state->rate[1]), h->opening[turn - 1] = -state->rate[0];
    h->count = turn;
    return true;
}


static void keep(rico_frame_report *report, const rico_frame_state *state)
{
    int64_t m = rico_frame_stresses(report->frame), e = rico_frame_mechanisms(report->frame);
    report->collapse = *state;
    memcpy(report->stress, state->stress, (size_t)m * sizeof(double));
    memcpy(report->rate, state->rate, (size_t)m * sizeof(double));
    memcpy(report->velocity, state->velocity, (size_t)e * sizeof(double));
    report->collapse.stress = report->stress;
    report->collapse.rate = report->rate;
    report->collapse.velocity = report->velocity;
}


static rico_status ask(rico_frame_report *report, int64_t turns, double tolerance, int64_t nodes)
{
    rico_frame *frame = report->frame;
    rico_status status = rico_frame_load(frame, &report->associated);
    if (status != RICO_OK) return status;
    bool found = report->associated.finding == RICO_LIMIT_FOUND;
    if (found) keep(report, &report->associated);
    if (!found || rico_frame_contacts(frame) == 0) return RICO_OK;
    if (turns > RICO_FRAME_TURNS) turns = RICO_FRAME_TURNS;
    status = rico_frame_static(frame, turns, tolerance, note, &report->twin_turns, &report->statical);
    if (status == RICO_OK)
        status = rico_frame_kinematic(frame, turns, tolerance, note, &report->turns, &report->kinematic);
    if (status == RICO_OK && report->kinematic.finding == RICO_LIMIT_FOUND) keep(report, &report->kinematic);
    if (status != RICO_OK || nodes == 0) return status;
    report->searched = true;
    return rico_limit_collapse(rico_frame_limit(frame), nodes, &report->search, &report->least);
}


rico_status rico_frame_report_open(rico_frame_report *report, rico_frame *frame, int64_t turns,
                                   double tolerance, int64_t nodes)
{
    rico_context *ctx = report->ctx;
    int64_t m = rico_frame_stresses(frame), e = rico_frame_mechanisms(frame);
    *report = (rico_frame_report){.ctx = ctx, .frame = frame};
    report->stress = rico_alloc(ctx, m, sizeof(double));
    report->rate = rico_alloc(ctx, m, sizeof(double));
    report->velocity = rico_alloc(ctx, e, sizeof(double));
    if (!report->stress || !report->rate || !report->velocity) return RICO_NO_MEMORY;
    return ask(report, turns, tolerance, nodes);
}


void rico_frame_report_close(rico_frame_report *report)
{
    rico_free(report->ctx, report->stress);
    rico_free(report->ctx, report->rate);
    rico_free(report->ctx, report->velocity);
    rico_frame_destroy(report->frame);
    *report = (rico_frame_report){.ctx = report->ctx};
}


// --- shapes ------------------------------------------------------------------------------------------------------------

void rico_frame_outline(const rico_frame *frame, const double *v, double scale, double *x, double *y)
{
    for (int64_t b = 0; b < rico_frame_bar_count(frame); b++) {
        const rico_frame_bar *bar = rico_frame_bar_at(frame, b);
        for (int end = 0; end < 2; end++) {
            int64_t node = end ? bar->to : bar->from;
            const rico_frame_node *at = rico_frame_node_at(frame, node);
            x[3 * b + end] = at->x + scale * v[2 * node];
            y[3 * b + end] = at->y + scale * v[2 * node + 1];
        }
        x[3 * b + 2] = y[3 * b + 2] = NAN;
    }
}


double rico_frame_scale(const rico_frame *frame, const double *v)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, fastest = 0.0;
    for (int64_t i = 0; i < rico_frame_node_count(frame); i++) {
        const rico_frame_node *node = rico_frame_node_at(frame, i);
        fastest = fmax(fastest, hypot(v[2 * i], v[2 * i + 1]));
        low[0] = fmin(low[0], node->x), high[0] = fmax(high[0], node->x);
        low[1] = fmin(low[1], node->y), high[1] = fmax(high[1], node->y);
    }
    return fastest > 0.0 ? 0.125 * fmax(high[0] - low[0], high[1] - low[1]) / fastest : 0.0;
}


int64_t rico_frame_hinge_places(const rico_frame *frame, const double *rate, const double *v, double scale,
                                double *x, double *y)
{
    double largest = 0.0;
    int64_t count = 0;
    for (int64_t j = 0; j < rico_frame_stresses(frame); j++) largest = fmax(largest, fabs(rate[j]));
    for (int64_t j = 0; j < rico_frame_stresses(frame); j++) {
        rico_frame_stress stress = rico_frame_stress_at(frame, j);
        if (stress.bar < 0 || !(fabs(rate[j]) > 1e-5 * largest)) continue;
        const rico_frame_bar *bar = rico_frame_bar_at(frame, stress.bar);
        int64_t other = bar->from == stress.node ? bar->to : bar->from;
        const rico_frame_node *at = rico_frame_node_at(frame, stress.node),
                              *far = rico_frame_node_at(frame, other);
        const double inside = 0.04, *near = &v[2 * stress.node], *away = &v[2 * other];
        x[count] = (1.0 - inside) * (at->x + scale * near[0]) + inside * (far->x + scale * away[0]);
        y[count++] = (1.0 - inside) * (at->y + scale * near[1]) + inside * (far->y + scale * away[1]);
    }
    return count;
}


// --- files -------------------------------------------------------------------------------------------------------------

rico_status rico_frame_report_csv(const rico_frame_report *report, const char *path)
{
    const rico_frame *frame = report->frame;
    FILE *file = fopen(path, "w");
    if (!file) return rico_fail(report->ctx, RICO_IO_ERROR, "%s could not be written", path);
    fprintf(file, "stress,value,capacity,rate\n");
    for (int64_t j = 0; j < rico_frame_stresses(frame); j++) {
        rico_frame_stress s = rico_frame_stress_at(frame, j);
        fprintf(file, "%s,%.17g,", s.name, report->stress[j]);
        if (s.symbol == 'M') fprintf(file, "%.17g", s.capacity);
        fprintf(file, ",%.17g\n", report->rate[j]);
    }
    bool bad = ferror(file) != 0;
    bad |= fclose(file) != 0;
    return bad ? rico_fail(report->ctx, RICO_IO_ERROR, "%s could not be written", path) : RICO_OK;
}


static rico_status draw(const rico_frame_report *report, double *room, const char *path)
{
    const rico_frame *frame = report->frame;
    int64_t size = 3 * rico_frame_bar_count(frame), hinges;
    double *x = room, *y = x + size, *mx = y + size, *my = mx + size, *hx = my + size,
           *hy = hx + rico_frame_stresses(frame), *turn = hy + rico_frame_stresses(frame);
    double *v = turn + RICO_FRAME_TURNS, scale;
    char words[400];
    rico_frame_motion(frame, report->velocity, v);
    scale = rico_frame_scale(frame, v);
    rico_frame_outline(frame, v, 0.0, x, y);
    rico_frame_outline(frame, v, scale, mx, my);
    hinges = rico_frame_hinge_places(frame, report->rate, v, scale, hx, hy);
    for (int64_t i = 0; i < RICO_FRAME_TURNS; i++) turn[i] = (double)(i + 1);
    const rico_figure_series shape[] = {
        {.count = size, .x = x, .y = y, .colour = -1},
        {.count = size, .x = mx, .y = my, .label = "mechanism", .words = true},
        {.count = hinges,
         .x = hx,
         .y = hy,
         .style = RICO_SERIES_POINTS,
         .label = hinges ? "hinges" : NULL,
         .words = true}};
    const rico_figure_series turns[] = {{.count = report->turns.count,
                                         .x = turn,
                                         .y = report->turns.factor,
                                         .style = RICO_SERIES_BOTH,
                                         .label = "mechanisms, friction of the turn before",
                                         .words = true},
                                        {.count = report->twin_turns.count,
                                         .x = turn,
                                         .y = report->twin_turns.factor,
                                         .style = RICO_SERIES_BOTH,
                                         .label = "stresses, slip of the turn before",
                                         .words = true}};
    const rico_figure_panel panels[] = {
        {.title = rico_frame_describe(frame, &report->collapse, words, sizeof words),
         .equal = true,
         .series_count = hinges > 0 ? 3 : 2,
         .series = shape},
        {.x_label = "turn", .y_label = "load factor", .series_count = 2, .series = turns}};
    const rico_figure figure = {
        .title = rico_frame_title(frame), .panel_count = report->turns.count > 1 ? 2 : 1, .panels = panels};
    return rico_figure_write(report->ctx, &figure, path);
}


rico_status rico_frame_report_draw(const rico_frame_report *report, const char *path)
{
    const rico_frame *frame = report->frame;
    int64_t size = 12 * rico_frame_bar_count(frame) + 2 * rico_frame_stresses(frame) + RICO_FRAME_TURNS +
                   2 * rico_frame_node_count(frame);
    double *room = rico_alloc(report->ctx, size, sizeof *room);
    if (!room) return RICO_NO_MEMORY;
    rico_status status = draw(report, room, path);
    rico_free(report->ctx, room);
    return status;
}
