// Table 6 of Acary, Bremond and Huber 2018 for a benchmark, and the other measures that the chapter names beside profiles (section 8.2).

#include "lab/bench_report.h"

#include "base/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CAMPAIGN = 9, MEASURES = 6, CELL = 32 };

// Mean and standard deviation of what was added.
typedef struct moments {
    int64_t count;
    double sum, squares;
} moments;


static void add(moments *m, double value)
{
    m->count++;
    m->sum += value;
    m->squares += value * value;
}


static double mean_of(const moments *m)
{
    return m->count > 0 ? m->sum / (double)m->count : NAN;
}


static double deviation_of(const moments *m)
{
    double mean = mean_of(m);
    return m->count > 0 ? sqrt(fmax(m->squares / (double)m->count - mean * mean, 0.0)) : NAN;
}


static void write_number(char text[CELL], double value)
{
    if (isnan(value))
        snprintf(text, CELL, "-");
    else
        snprintf(text, CELL, "%.3g", value);
}


rico_bench_campaign rico_bench_campaign_of(const rico_bench_table *table, const char *set)
{
    moments seconds = {0}, share = {0};
    rico_bench_campaign out = {0};
    for (int64_t p = 0; p < table->problems->count; p++) {
        if (set != NULL && strcmp(set, table->problems->item[p].set) != 0) continue;
        double fastest = INFINITY;
        int64_t contacts = 0;
        bool run = false;
        for (int64_t s = 0; s < table->solvers; s++) {
            const rico_bench_cell *cell = rico_bench_at(table, p, s);
            run |= cell->outcome != RICO_OUTCOME_NONE;
            if (cell->outcome != RICO_OUTCOME_SOLVED) continue;
            contacts = cell->contacts;
            fastest = fmin(fastest, rico_bench_seconds(table, cell));
        }
        if (!run) continue;
        out.problems++;
        if (isinf(fastest)) {
            out.unsolved++;
            continue;
        }
        add(&seconds, fastest);
        if (contacts > 0) add(&share, fastest / (double)contacts);
    }
    out.seconds = mean_of(&seconds);
    out.seconds_deviation = deviation_of(&seconds);
    out.by_contact = mean_of(&share);
    out.by_contact_deviation = deviation_of(&share);
    return out;
}


static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}


rico_bench_measures rico_bench_measure(const rico_bench_table *table, const char *set, int64_t solver,
                                       double *room)
{
    moments share = {0}, rate = {0};
    int64_t residuals = 0, cells = 0;
    for (int64_t p = 0; p < table->problems->count; p++) {
        const rico_bench_cell *cell = rico_bench_at(table, p, solver);
        if (set != NULL && strcmp(set, table->problems->item[p].set) != 0) continue;
        if (cell->outcome == RICO_OUTCOME_NONE) continue;
        cells++;
        if (!isnan(cell->residual)) room[residuals++] = cell->residual;
        if (cell->outcome != RICO_OUTCOME_SOLVED || cell->contacts == 0) continue;
        add(&share, rico_bench_seconds(table, cell) / (double)cell->contacts);
        if (cell->iterations > 0)
            add(&rate, rico_bench_seconds(table, cell) / (double)cell->iterations / (double)cell->contacts);
    }
    if (residuals > 0) qsort(room, (size_t)residuals, sizeof *room, by_size);
    return (rico_bench_measures){.cells = cells,
                                 .residual = residuals > 0 ? room[residuals / 2] : NAN,
                                 .worst = residuals > 0 ? room[residuals - 1] : NAN,
                                 .by_contact = mean_of(&share),
                                 .by_iteration = mean_of(&rate)};
}


static void print_campaign(FILE *out, const rico_print_column *columns, const rico_bench_table *table,
                           const char *set)
{
    rico_bench_campaign c = rico_bench_campaign_of(table, set);
    char text[CAMPAIGN][CELL];
    const char *cells[CAMPAIGN] = {set != NULL ? set : "all"};
    const double numbers[] = {table->tol,          table->time_limit, c.seconds,
                              c.seconds_deviation, c.by_contact,      c.by_contact_deviation};
    for (int i = 0; i < 6; i++) write_number(text[1 + i], numbers[i]);
    snprintf(text[7], CELL, "%" PRId64, c.unsolved);
    snprintf(text[8], CELL, "%" PRId64, c.problems);
    for (int i = 1; i < CAMPAIGN; i++) cells[i] = text[i];
    rico_table_row(out, columns, CAMPAIGN, cells);
}


static void print_measures(FILE *out, const rico_print_column *columns, const rico_bench_table *table,
                           const char *set, int64_t solver, double *room)
{
    rico_bench_measures m = rico_bench_measure(table, set, solver, room);
    char text[MEASURES][CELL];
    const char *cells[MEASURES] = {solver > 0 ? "" : set != NULL ? set : "all", table->labels[solver]};
    const double numbers[] = {m.residual, m.worst, m.by_contact, m.by_iteration};
    for (int i = 0; i < 4; i++) {
        write_number(text[2 + i], numbers[i]);
        cells[2 + i] = text[2 + i];
    }
    rico_table_row(out, columns, MEASURES, cells);
}


rico_status rico_bench_print_campaign(rico_context *ctx, const rico_bench_table *table, FILE *out)
{
    rico_print_column columns[CAMPAIGN] = {
        {"set", 3, false},      {"precision", 0, true}, {"limit", 6, true},
        {"fastest", 8, true},   {"deviation", 0, true}, {"per contact", 0, true},
        {"deviation", 0, true}, {"unsolved", 0, true},  {"of", 3, true},
    };
    rico_print_column others[MEASURES] = {
        {"set", 3, false},  {"solver", 0, false},       {"residual", 9, true},
        {"worst", 9, true}, {"s per contact", 0, true}, {"s per contact and iteration", 0, true}};
    int64_t count;
    const char **sets;
    double *room = rico_alloc(ctx, table->problems->count, sizeof *room);
    if (!room) return RICO_NO_MEMORY;
    rico_status status = rico_bench_sets(ctx, table, &count, &sets);
    if (status != RICO_OK) {
        rico_free(ctx, room);
        return status;
    }
    for (int64_t i = 0; i < count; i++) {
        rico_table_widen(&columns[0], sets[i]);
        rico_table_widen(&others[0], sets[i]);
    }
    for (int64_t s = 0; s < table->solvers; s++) rico_table_widen(&others[1], table->labels[s]);
    fprintf(out,
            "\nThe campaign: seconds of the fastest solver of each problem, mean and standard deviation\n");
    rico_table_head(out, columns, CAMPAIGN);
    for (int64_t i = 0; i <= count; i++)
        if (i < count || count > 1) print_campaign(out, columns, table, i < count ? sets[i] : NULL);
    fprintf(out,
            "\nOther measures: median and worst residual within the limit; seconds of what was solved\n");
    rico_table_head(out, others, MEASURES);
    for (int64_t i = 0; i <= count; i++)
        for (int64_t s = 0; (i < count || count > 1) && s < table->solvers; s++)
            print_measures(out, others, table, i < count ? sets[i] : NULL, s, room);
    rico_free(ctx, sets);
    rico_free(ctx, room);
    return RICO_OK;
}
