// What `rico limit` does beside scenes as they are: see limit_more.h.

#include "app/limit_more.h"

#include "base/number.h"
#include "base/table.h"
#include "lab/frame_report.h"
#include "lab/limit_least.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const int64_t NODES = 200000; // of the search for the least load


// --- frames ------------------------------------------------------------------------------------------------------------

static void print_head(rico_app *app, const rico_frame *frame)
{
    if (rico_frame_title(frame)[0]) {
        rico_print_plain(app->out, rico_frame_title(frame));
        fprintf(app->out, "\n");
    }
    fprintf(
        app->out,
        "%-13s %lld nodes, %lld bars; hinges n = %lld, supports with friction l = %lld, redundancy h = %lld, "
        "mechanisms e = %lld\n",
        "frame", (long long)rico_frame_node_count(frame), (long long)rico_frame_bar_count(frame),
        (long long)rico_frame_hinges(frame), (long long)rico_frame_contacts(frame),
        (long long)rico_frame_redundancy(frame), (long long)rico_frame_mechanisms(frame));
    fprintf(app->out, "%-13s ", "independent");
    for (int64_t k = 0; k < rico_frame_mechanisms(frame); k++)
        fprintf(app->out, "%s%s", k ? ", " : "", rico_frame_mechanism_name(frame, k));
    fprintf(app->out, "\n");
}


static void print_iteration(rico_app *app, const char *name, const rico_frame_state *state, const char *what)
{
    if (state->finding == RICO_LIMIT_FOUND)
        fprintf(app->out, "%-13s %.10g   %s, turns: %lld\n", name, state->factor, what,
                (long long)state->turns);
    else
        fprintf(app->out, "%-13s not settled after %lld turns, about %.8g   %s\n", name,
                (long long)state->turns, state->factor, what);
}


static void print_stresses(rico_app *app, const rico_frame_report *report)
{
    const rico_frame *frame = report->frame;
    rico_print_column columns[] = {
        {"stress", 20, false}, {"value", 13, true}, {"bound", 13, true}, {"rate", 13, true}};
    fprintf(app->out, "\n");
    rico_table_head(app->out, columns, 4);
    for (int64_t j = 0; j < rico_frame_stresses(frame); j++) {
        rico_frame_stress s = rico_frame_stress_at(frame, j);
        char text[3][32];
        const char *cells[] = {s.name, text[0], text[1], text[2]};
        double friction = rico_frame_node_at(frame, s.node)->friction;
        double bound = s.symbol == 'M'   ? s.capacity
                       : s.symbol == 'T' ? friction * report->stress[j - 1]
                                         : NAN;
        double value[3] = {report->stress[j], bound, report->rate[j]};
        for (int k = 0; k < 3; k++)
            snprintf(text[k], sizeof text[k], "%.8g", fabs(value[k]) < 1e-9 ? 0.0 : value[k]);
        if (isnan(bound)) text[1][0] = '\0';
        rico_table_row(app->out, columns, 4, cells);
    }
}


static void print_frame(rico_app *app, const rico_frame_report *report, bool associated)
{
    char words[400];
    const char *const nothing[] = {"", "unbounded: no hinge or support limits it",
                                   "none: the dead load alone is too much", "not decided"};
    print_head(app, report->frame);
    if (report->associated.finding != RICO_LIMIT_FOUND) {
        fprintf(app->out, "%-13s %s\n", "collapse", nothing[report->associated.finding]);
        return;
    }
    fprintf(app->out, "%-13s %.10g   associated bound\n", "collapse", report->associated.factor);
    if (!associated && rico_frame_contacts(report->frame) > 0) {
        print_iteration(app, "kinematic", &report->kinematic,
                        "mechanisms with the friction of the turn before");
        print_iteration(app, "static", &report->statical, "stresses with the slip of the turn before");
        if (report->searched && report->least.finding == RICO_LIMIT_FOUND)
            fprintf(app->out, "%-13s %.10g   least load of collapse by Coulomb's law, %s after %lld nodes\n",
                    "Coulomb", report->least.value, report->search.proved ? "proved" : "found, not proved,",
                    (long long)report->search.nodes);
    }
    fprintf(app->out, "%-13s %s\n", "mechanism",
            rico_frame_describe(report->frame, &report->collapse, words, sizeof words));
    print_stresses(app, report);
}


// Whether a list with commas has a word that the name contains.
static bool wanted(const char *list, const char *name)
{
    char word[96];
    if (strcmp(list, "all") == 0) return true;
    for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',') {
        snprintf(word, sizeof word, "%.*s", (int)strcspn(at, ","), at);
        if (word[0] && strstr(name, word)) return true;
    }
    return false;
}


// Least and largest values that equilibrium and the capacities allow the stresses at a load factor.
static rico_status print_ranges(rico_app *app, const rico_frame *frame, const char *names, double at)
{
    rico_print_column columns[] = {{"stress", 20, false}, {"least", 13, true}, {"largest", 13, true}};
    rico_limit *limit = rico_frame_limit(frame);
    rico_limit_answer answer;
    int64_t shown = 0;
    for (int64_t j = 0; j < rico_frame_stresses(frame); j++)
        shown += wanted(names, rico_frame_stress_at(frame, j).name);
    if (shown == 0)
        return rico_fail(app->ctx, RICO_BAD_ARGUMENT, "no stress of the frame has '%s' in its name", names);
    rico_status status = rico_limit_equilibrium(limit, at, &answer);
    if (status != RICO_OK) return status;
    if (answer.finding == RICO_LIMIT_NONE) {
        fprintf(app->out, "\n%-13s no equilibrium at load factor %.10g\n", "ranges", at);
        return RICO_OK;
    }
    fprintf(app->out, "\n%-13s what equilibrium at load factor %.10g allows\n\n", "ranges", at);
    rico_table_head(app->out, columns, 3);
    for (int64_t j = 0; status == RICO_OK && j < rico_frame_stresses(frame); j++) {
        char text[2][32];
        const char *cells[] = {rico_frame_stress_at(frame, j).name, text[0], text[1]};
        if (!wanted(names, cells[0])) continue;
        for (int end = 0; status == RICO_OK && end < 2; end++) {
            status = rico_limit_row_extreme(limit, at, j, end ? 1 : -1, &answer);
            bool none = status == RICO_OK && answer.finding == RICO_LIMIT_UNBOUNDED;
            snprintf(text[end], sizeof text[end], none ? "unbounded" : "%.8g",
                     fabs(answer.value) < 1e-9 ? 0.0 : answer.value);
        }
        if (status == RICO_OK) rico_table_row(app->out, columns, 3, cells);
    }
    return status;
}


rico_status rico_limit_frame(rico_app *app, const rico_limit_frame_order *order, bool *undecided)
{
    const rico_frame_source source = {.path = order->path,
                                      .override_count = order->set_count,
                                      .overrides = order->set,
                                      .excerpt = order->excerpt,
                                      .excerpt_size = order->excerpt_size};
    rico_frame_report report = {.ctx = app->ctx};
    rico_frame *frame = NULL;
    rico_status status = rico_frame_read(app->ctx, &source, &frame);
    if (status != RICO_OK) return status;
    int64_t nodes = order->associated ? 0 : order->nodes > 0 ? order->nodes : NODES;
    status = rico_frame_report_open(&report, frame, RICO_FRAME_TURNS, 1e-10, nodes);
    if (status == RICO_OK) {
        print_frame(app, &report, order->associated);
        *undecided = report.associated.finding == RICO_LIMIT_UNSURE;
        if (order->ranges)
            status = print_ranges(app, report.frame, order->ranges, isnan(order->at) ? 0.0 : order->at);
        if (status == RICO_OK && order->csv) status = rico_frame_report_csv(&report, order->csv);
        if (status == RICO_OK && order->output && report.associated.finding == RICO_LIMIT_FOUND)
            status = rico_frame_report_draw(&report, order->output);
    }
    rico_frame_report_close(&report);
    return status;
}


// --- a parameter -------------------------------------------------------------------------------------------------------

static rico_status read_between(rico_context *ctx, const char *text, double between[2])
{
    char copy[96];
    const char *comma = text ? strchr(text, ',') : NULL;
    if (text) snprintf(copy, sizeof copy, "%s", text);
    if (comma && strlen(text) < sizeof copy) {
        copy[comma - text] = '\0';
        if (rico_text_to_real(copy, &between[0]) && rico_text_to_real(copy + (comma - text) + 1, &between[1]))
            return RICO_OK;
    }
    if (!text)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "--least needs --between LOW,HIGH: it stands at one of them alone");
    return rico_fail(ctx, RICO_BAD_ARGUMENT, "--between %s: expected two numbers, LOW,HIGH", text);
}


rico_status rico_limit_boundary_of(rico_app *app, const rico_limit_order *order, const char *parameter,
                                   const char *between, double at)
{
    double ends[2];
    rico_limit_boundary found;
    rico_status status = read_between(app->ctx, between, ends);
    if (status == RICO_OK)
        status =
            rico_limit_find_boundary(app->ctx, order, parameter, ends, isnan(at) ? 0.0 : at, 1e-11, &found);
    if (status != RICO_OK) return status;
    fprintf(app->out, "%-13s %s = %.10g   the structure stands %s, and not %s; %lld equilibria\n",
            found.rising ? "least" : "largest", parameter, found.value,
            found.rising ? "from there on" : "up to there", found.rising ? "below" : "above",
            (long long)found.solved);
    return RICO_OK;
}
