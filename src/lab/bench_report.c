// Summaries of a benchmark for the terminal and for programs.

#include "lab/bench_report.h"

#include "base/json.h"
#include "base/table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static const double SECONDS_MIN = 1e-9; // one tick: keeps a zero out of the logarithm

rico_bench_sum rico_bench_summarize(const rico_bench_table *table, const char *set, int64_t solver)
{
    rico_bench_sum sum = {0};
    double logs = 0.0, share = 0.0;
    int64_t shares = 0;
    for (int64_t p = 0; p < table->problems->count; p++) {
        const rico_bench_cell *cell = rico_bench_at(table, p, solver);
        if (cell->outcome == RICO_OUTCOME_NONE) continue;
        if (set != NULL && strcmp(set, table->problems->item[p].set) != 0) continue;
        bool solved = cell->outcome == RICO_OUTCOME_SOLVED;
        double seconds = solved ? rico_bench_seconds(table, cell) : table->time_limit;
        logs += log(fmax(seconds, SECONDS_MIN));
        sum.outcomes[cell->outcome]++;
        if (solved && cell->contacts > 0 && !isnan(cell->flops)) {
            share += cell->flops / (double)cell->contacts;
            shares++;
        }
        sum.cells++;
    }
    sum.mean = sum.cells > 0 ? exp(logs / (double)sum.cells) : NAN;
    sum.flops_by_contact = shares > 0 ? share / (double)shares : NAN;
    return sum;
}


rico_status rico_bench_sets(rico_context *ctx, const rico_bench_table *table, int64_t *count,
                            const char ***sets)
{
    const char **found = rico_alloc(ctx, table->problems->count, sizeof *found);
    if (found == NULL) return RICO_NO_MEMORY;
    int64_t used = 0;
    for (int64_t p = 0; p < table->problems->count; p++) {
        const char *set = table->problems->item[p].set;
        int64_t at = 0;
        while (at < used && strcmp(found[at], set) != 0) at++;
        if (at == used) found[used++] = set;
    }
    *count = used;
    *sets = found;
    return RICO_OK;
}


// ---- the terminal ----

enum { COLUMNS = 9, NO_FLOPS = COLUMNS - 1 };

static void print_sum(FILE *out, const rico_print_column *columns, int count, const char *set,
                      const char *solver, const rico_bench_sum *sum)
{
    char solved[32], of[32], timeout[32], gave_up[32], refused[32], mean[32] = "-", flops[32] = "-";
    snprintf(solved, sizeof solved, "%" PRId64, sum->outcomes[RICO_OUTCOME_SOLVED]);
    snprintf(of, sizeof of, "%" PRId64, sum->cells);
    snprintf(timeout, sizeof timeout, "%" PRId64, sum->outcomes[RICO_OUTCOME_TIMEOUT]);
    snprintf(gave_up, sizeof gave_up, "%" PRId64,
             sum->outcomes[RICO_OUTCOME_UNSOLVED] + sum->outcomes[RICO_OUTCOME_UNSUPPORTED]);
    snprintf(refused, sizeof refused, "%" PRId64,
             sum->outcomes[RICO_OUTCOME_FAILED] + sum->outcomes[RICO_OUTCOME_NO_MEMORY] +
                 sum->outcomes[RICO_OUTCOME_CRASHED]);
    if (sum->cells > 0) snprintf(mean, sizeof mean, "%.3g", sum->mean);
    if (!isnan(sum->flops_by_contact)) snprintf(flops, sizeof flops, "%.3g", sum->flops_by_contact);
    const char *cells[COLUMNS] = {set, solver, solved, of, timeout, gave_up, refused, mean, flops};
    rico_table_row(out, columns, count, cells);
}


rico_status rico_bench_print(rico_context *ctx, const rico_bench_table *table, FILE *out)
{
    rico_print_column columns[COLUMNS] = {
        {"set", 3, false},   {"solver", 0, false},      {"solved", 0, true},
        {"of", 3, true},     {"timeout", 0, true},      {"gave up", 0, true},
        {"broken", 0, true}, {"mean seconds", 0, true}, {"flops per contact", 0, true},
    };
    const int shown = table->flops ? COLUMNS : NO_FLOPS;
    int64_t count;
    const char **sets;
    rico_status status = rico_bench_sets(ctx, table, &count, &sets);
    if (status != RICO_OK) return status;

    for (int64_t i = 0; i < count; i++) rico_table_widen(&columns[0], sets[i]);
    for (int64_t s = 0; s < table->solvers; s++) rico_table_widen(&columns[1], table->labels[s]);
    rico_table_head(out, columns, shown);
    // one set needs no second table that says the same
    for (int64_t i = 0; i <= count; i++) {
        const char *set = i < count ? sets[i] : NULL;
        if (set == NULL && count == 1) break;
        for (int64_t s = 0; s < table->solvers; s++) {
            rico_bench_sum sum = rico_bench_summarize(table, set, s);
            print_sum(out, columns, shown, s > 0 ? "" : set != NULL ? set : "all", table->labels[s], &sum);
        }
    }
    fprintf(out, "mean seconds: geometric, a cell not solved counting as the time limit, %g s\n",
            table->time_limit);
    if (table->flops) fprintf(out, "flops per contact: the mean over what was solved\n");
    rico_free(ctx, sets);
    return RICO_OK;
}


// ---- JSON ----

static void write_machine(rico_json *json)
{
    struct utsname name;
    rico_json_key(json, "machine");
    rico_json_open_object(json);
    if (uname(&name) == 0) {
        rico_json_set_text(json, "system", name.sysname);
        rico_json_set_text(json, "release", name.release);
        rico_json_set_text(json, "architecture", name.machine);
    }
    rico_json_set_integer(json, "processors", sysconf(_SC_NPROCESSORS_ONLN));
    rico_json_close(json);
}


static void write_sum(rico_json *json, const rico_bench_table *table, const char *set, int64_t solver)
{
    rico_bench_sum sum = rico_bench_summarize(table, set, solver);
    rico_json_open_object(json);
    rico_json_set_text(json, "set", set);
    rico_json_set_text(json, "solver", table->labels[solver]);
    rico_json_set_integer(json, "cells", sum.cells);
    for (int i = RICO_OUTCOME_SOLVED; i < RICO_OUTCOMES; i++) {
        rico_json_key(json, rico_outcome_name((rico_outcome)i));
        rico_json_integer(json, sum.outcomes[i]);
    }
    rico_json_set_number(json, "mean_seconds", sum.mean);
    if (table->flops) rico_json_set_number(json, "flops_per_contact", sum.flops_by_contact);
    rico_json_close(json);
}


static void write_cell(rico_json *json, const rico_bench_table *table, int64_t problem, int64_t solver)
{
    const rico_bench_cell *cell = rico_bench_at(table, problem, solver);
    rico_json_open_object(json);
    rico_json_set_text(json, "file", table->problems->item[problem].file);
    rico_json_set_text(json, "set", table->problems->item[problem].set);
    rico_json_set_integer(json, "contacts", cell->contacts);
    rico_json_set_integer(json, "rows", cell->rows);
    rico_json_set_text(json, "solver", table->labels[solver]);
    rico_json_set_text(json, "outcome", rico_outcome_name(cell->outcome));
    rico_json_set_text(json, "stop", cell->stop[0] != '\0' ? cell->stop : NULL);
    rico_json_key(json, "iterations");
    if (cell->iterations >= 0)
        rico_json_integer(json, cell->iterations);
    else
        rico_json_null(json);
    rico_json_set_number(json, "residual", cell->residual);
    rico_json_set_number(json, "relative_q", cell->relative_q);
    rico_json_set_number(json, "wall_seconds", cell->wall);
    rico_json_set_number(json, "cpu_seconds", cell->cpu);
    rico_json_set_integer(json, "runs", cell->runs);
    if (table->flops) rico_json_set_number(json, "flops", cell->flops);
    rico_json_set_text(json, "note", cell->note);
    rico_json_close(json);
}


rico_status rico_bench_write_json(rico_context *ctx, const rico_bench_table *table, bool interrupted,
                                  FILE *out)
{
    static const char *const clocks[] = {"wall", "cpu", "least"};
    int64_t set_count;
    const char **sets;
    rico_status status = rico_bench_sets(ctx, table, &set_count, &sets);
    if (status != RICO_OK) return status;

    rico_json json = rico_json_start(out);
    rico_json_open_object(&json);
    rico_json_set_text(&json, "version", rico_version());
    write_machine(&json);
    rico_json_set_number(&json, "tol", table->tol);
    rico_json_set_number(&json, "time_limit", table->time_limit);
    rico_json_set_text(&json, "options", table->options);
    rico_json_set_text(&json, "clock", clocks[table->clock]);

    int64_t missing = 0;
    rico_json_key(&json, "cells");
    rico_json_open_array(&json);
    for (int64_t p = 0; p < table->problems->count; p++) {
        for (int64_t s = 0; s < table->solvers; s++) {
            if (rico_bench_at(table, p, s)->outcome != RICO_OUTCOME_NONE)
                write_cell(&json, table, p, s);
            else
                missing++;
        }
    }
    rico_json_close(&json);
    rico_json_key(&json, "summary");
    rico_json_open_array(&json);
    for (int64_t i = 0; i <= set_count; i++) {
        for (int64_t s = 0; s < table->solvers; s++)
            write_sum(&json, table, i < set_count ? sets[i] : NULL, s);
    }
    rico_json_close(&json);
    rico_json_set_integer(&json, "not_run", missing);
    rico_json_set_bool(&json, "interrupted", interrupted);
    rico_json_close(&json);
    rico_free(ctx, sets);
    return RICO_OK;
}
