// rico info --sets: table 5 of Acary, Bremond and Huber 2018 for collections of one's own.

#include "app/info_sets.h"

#include "base/table.h"
#include "lab/collection.h"
#include "ricochet/fclib.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { COLUMNS = 10, CELL = 40 };

typedef struct span {
    double low, high;
} span;

// Of one set. Spans begin as NaN, which fmin and fmax pass over.
typedef struct set_figures {
    const char *name;
    int64_t problems;
    span friction, dofs, contacts, density, rank_ratio, condition, lsmr;
    double asymmetry; // sum
} set_figures;


static void widen(span *s, double value)
{
    s->low = fmin(s->low, value);
    s->high = fmax(s->high, value);
}


static set_figures start_set(const char *name)
{
    const span none = {NAN, NAN};
    return (set_figures){name, 0, none, none, none, none, none, none, none, 0.0};
}


static void take(set_figures *set, const rico_problem_stats *stats)
{
    int64_t contacts = 0;
    for (int kind = 0; kind < RICO_BLOCK_KINDS; kind++)
        if (kind != RICO_EQUALITY) contacts += stats->blocks[kind];
    set->problems++;
    widen(&set->friction, stats->friction_min);
    widen(&set->friction, stats->friction_max);
    widen(&set->dofs, stats->dofs > 0 ? (double)stats->dofs : NAN);
    widen(&set->contacts, (double)contacts);
    widen(&set->density, stats->contact_density);
    widen(&set->rank_ratio, stats->rank > 0 ? (double)stats->rows / (double)stats->rank : NAN);
    widen(&set->condition, stats->condition);
    widen(&set->lsmr, stats->condition_lsmr);
    set->asymmetry += stats->asymmetry;
}


static void write_span(char text[CELL], span s)
{
    if (isnan(s.low))
        snprintf(text, CELL, "-");
    else if (s.low == s.high)
        snprintf(text, CELL, "%.3g", s.low);
    else
        snprintf(text, CELL, "%.3g : %.3g", s.low, s.high);
}


static void print_set(FILE *out, const rico_print_column *columns, const set_figures *set)
{
    char text[COLUMNS][CELL];
    const char *cells[COLUMNS] = {set->name};
    const span spans[] = {set->friction,  {0},      set->dofs, set->contacts, set->density, set->rank_ratio,
                          set->condition, set->lsmr};
    for (int i = 1; i < COLUMNS; i++) cells[i] = text[i];
    for (int i = 0; i < 8; i++) write_span(text[1 + i], spans[i]);
    snprintf(text[2], CELL, "%" PRId64, set->problems);
    snprintf(text[9], CELL, "%.2g", set->problems > 0 ? set->asymmetry / (double)set->problems : NAN);
    rico_table_row(out, columns, COLUMNS, cells);
}


// Figures of one file into its set; a file that cannot be read is complained about.
static int look(rico_app *app, const char *file, set_figures *set)
{
    rico_fclib *data = NULL;
    rico_problem_stats stats;
    rico_status status = rico_fclib_read(app->ctx, file, &data);
    if (status == RICO_OK) status = rico_problem_describe(data->problem, &stats);
    if (status == RICO_OK)
        take(set, &stats);
    else
        rico_app_complain(app, &rico_command_info, rico_fail_in(app->ctx, status, file));
    rico_fclib_destroy(app->ctx, data);
    return rico_exit_of(status);
}


int rico_info_print_sets(rico_app *app, const rico_cli_words *paths, bool json)
{
    rico_print_column columns[COLUMNS] = {
        {"set", 3, false},       {"friction", 9, true},    {"problems", 0, true}, {"dofs", 13, true},
        {"contacts", 11, true},  {"m/n", 13, true},        {"m/rank", 11, true},  {"cond(W)", 17, true},
        {"cond LSMR", 17, true}, {"mean |W-W'|", 0, true},
    };
    rico_collection problems = {0};
    if (json)
        return rico_app_complain(
            app, &rico_command_info,
            rico_fail(app->ctx, RICO_BAD_ARGUMENT, "'--sets' prints a table, not JSON: leave out '--json'"));
    rico_status status =
        rico_collection_gather(app->ctx, paths->count, (const char *const *)paths->item, &problems);
    if (status != RICO_OK) return rico_app_complain(app, &rico_command_info, status);
    set_figures *sets = rico_alloc(app->ctx, problems.count, sizeof *sets);
    int code = sets ? RICO_EXIT_DONE : rico_app_complain(app, &rico_command_info, RICO_NO_MEMORY);
    int64_t count = 0;
    for (int64_t i = 0; sets && i < problems.count; i++) {
        int64_t at = 0;
        while (at < count && strcmp(sets[at].name, problems.item[i].set) != 0) at++;
        if (at == count) sets[count++] = start_set(problems.item[i].set);
        code = rico_exit_worst(code, look(app, problems.item[i].file, &sets[at]));
        if (rico_context_interrupted(app->ctx)) break;
    }
    for (int64_t i = 0; i < count; i++) rico_table_widen(&columns[0], sets[i].name);
    if (sets) rico_table_head(app->out, columns, COLUMNS);
    for (int64_t i = 0; i < count; i++) print_set(app->out, columns, &sets[i]);
    if (sets)
        fprintf(app->out,
                "m/n: rows of W over velocities; m/rank and cond(W): from singular values up to 1500 "
                "rows; spans over the problems of a set\n");
    rico_free(app->ctx, sets);
    rico_collection_release(app->ctx, &problems);
    return code;
}
