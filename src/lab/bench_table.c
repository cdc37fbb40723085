// Cells of a benchmark, and the CSV file that keeps them.
//
// A line is written when its cell is done and never changed, so whatever ends the program, the file holds all
// cells but those that were running.

#include "lab/bench_table.h"

#include "base/csv.h"
#include "base/number.h"
#include "base/paths.h"
#include "base/system.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The processor's clock comes in microseconds, too coarse for less than a thousand of them.
static const double CPU_GRAIN = 1e-3;

static const char *const OUTCOMES[RICO_OUTCOMES] = {"none",        "solved", "unsolved",  "timeout",
                                                    "unsupported", "failed", "no-memory", "crashed"};

enum {
    FILE_NAME,
    SET,
    CONTACTS,
    ROWS,
    SOLVER,
    TOL,
    TIME_LIMIT,
    OPTIONS,
    OUTCOME,
    STOP,
    ITERATIONS,
    RESIDUAL,
    RELATIVE_Q,
    WALL,
    CPU,
    RUNS,
    FLOPS,
    NOTE,
    FIELDS
};
static const char *const HEAD[FIELDS] = {
    "file",       "set",          "contacts",    "rows", "solver",     "tol",
    "time_limit", "options",      "outcome",     "stop", "iterations", "residual",
    "relative_q", "wall_seconds", "cpu_seconds", "runs", "flops",      "note"};


const char *rico_outcome_name(rico_outcome outcome)
{
    return OUTCOMES[outcome];
}


rico_bench_cell *rico_bench_at(const rico_bench_table *table, int64_t problem, int64_t solver)
{
    return &table->cell[problem * table->solvers + solver];
}


double rico_bench_seconds(const rico_bench_table *table, const rico_bench_cell *cell)
{
    switch (table->clock) {
    case RICO_CLOCK_WALL:
        return cell->wall;
    case RICO_CLOCK_CPU:
        return cell->cpu;
    case RICO_CLOCK_LEAST:
        return cell->wall < CPU_GRAIN ? cell->wall : fmin(cell->wall, cell->cpu);
    }
    return NAN;
}


void rico_bench_judge(const rico_bench_table *table, rico_bench_cell *cell)
{
    bool late = rico_bench_seconds(table, cell) > table->time_limit;
    bool accurate = cell->residual <= table->tol;
    if (late || (!accurate && strcmp(cell->stop, rico_stop_name(RICO_TIME_LIMIT)) == 0))
        cell->outcome = RICO_OUTCOME_TIMEOUT;
    else
        cell->outcome = accurate ? RICO_OUTCOME_SOLVED : RICO_OUTCOME_UNSOLVED;
}


// ---- writing ----

static rico_status cannot_write(rico_context *ctx, const char *path, int reason)
{
    return rico_fail(ctx, RICO_IO_ERROR, "cannot write '%s': %s", path,
                     reason != 0 ? rico_system_words(reason) : "the system gave no reason");
}


static rico_status write_head(rico_context *ctx, rico_bench_file *file)
{
    errno = 0;
    for (int i = 0; i < FIELDS; i++) fprintf(file->out, "%s%s", i > 0 ? "," : "", HEAD[i]);
    fprintf(file->out, "\n");
    return fflush(file->out) == 0 ? RICO_OK : cannot_write(ctx, file->path, errno);
}


rico_status rico_bench_file_create(rico_context *ctx, const char *dir, rico_bench_file *file)
{
    *file = (rico_bench_file){0};
    rico_status status = rico_path_join(ctx, dir, "results.csv", &file->path);
    if (status != RICO_OK) return status;
    file->out = fopen(file->path, "wx");
    if (file->out == NULL) {
        int reason = errno;
        status = reason == EEXIST
                     ? rico_fail(ctx, RICO_BAD_ARGUMENT,
                                 "'%s' holds results already: add '--resume', or choose another '--output'",
                                 file->path)
                     : cannot_write(ctx, file->path, reason);
    } else {
        status = write_head(ctx, file);
    }
    if (status != RICO_OK) rico_bench_file_close(ctx, file);
    return status;
}


// Numbers that are not there are empty fields.
static void write_number(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, ",%.17g", value);
    else
        fprintf(out, ",%s", isinf(value) ? "inf" : "");
}


static void write_text(FILE *out, const char *text)
{
    fputc(',', out);
    rico_csv_field(out, text);
}


rico_status rico_bench_file_add(rico_context *ctx, rico_bench_file *file, const rico_bench_table *table,
                                int64_t problem, int64_t solver)
{
    if (file->out == NULL) return RICO_OK;
    const rico_collection_item *item = &table->problems->item[problem];
    const rico_bench_cell *cell = rico_bench_at(table, problem, solver);
    FILE *out = file->out;
    errno = 0;
    rico_csv_field(out, item->file);
    write_text(out, item->set);
    fprintf(out, ",%" PRId64 ",%" PRId64, cell->contacts, cell->rows);
    write_text(out, table->labels[solver]);
    write_number(out, table->tol);
    write_number(out, table->time_limit);
    write_text(out, table->options);
    write_text(out, rico_outcome_name(cell->outcome));
    write_text(out, cell->stop);
    fprintf(out, ",%" PRId64, cell->iterations);
    write_number(out, cell->residual);
    write_number(out, cell->relative_q);
    write_number(out, cell->wall);
    write_number(out, cell->cpu);
    fprintf(out, ",%" PRId64, cell->runs);
    write_number(out, cell->flops);
    write_text(out, cell->note);
    fputc('\n', out);
    return fflush(out) == 0 && !ferror(out) ? RICO_OK : cannot_write(ctx, file->path, errno);
}


rico_status rico_bench_file_close(rico_context *ctx, rico_bench_file *file)
{
    errno = 0;
    bool failed = file->out != NULL && fclose(file->out) != 0;
    rico_status status = failed ? cannot_write(ctx, file->path, errno) : RICO_OK;
    rico_free(ctx, file->path);
    *file = (rico_bench_file){0};
    return status;
}


// ---- reading ----

static bool read_number(const char *text, double *value)
{
    *value = text[0] == '\0' ? NAN : INFINITY;
    return text[0] == '\0' || strcmp(text, "inf") == 0 || rico_text_to_real(text, value);
}


static bool read_outcome(const char *text, rico_outcome *outcome)
{
    for (int i = RICO_OUTCOME_SOLVED; i < RICO_OUTCOMES; i++) {
        if (strcmp(text, OUTCOMES[i]) != 0) continue;
        *outcome = (rico_outcome)i;
        return true;
    }
    return false;
}


static bool read_cell(char *const *field, rico_bench_cell *cell)
{
    *cell = (rico_bench_cell){0};
    snprintf(cell->stop, sizeof cell->stop, "%s", field[STOP]);
    snprintf(cell->note, sizeof cell->note, "%s", field[NOTE]);
    return rico_text_to_integer(field[CONTACTS], &cell->contacts) &&
           rico_text_to_integer(field[ROWS], &cell->rows) && read_outcome(field[OUTCOME], &cell->outcome) &&
           rico_text_to_integer(field[ITERATIONS], &cell->iterations) &&
           read_number(field[RESIDUAL], &cell->residual) &&
           read_number(field[RELATIVE_Q], &cell->relative_q) && read_number(field[WALL], &cell->wall) &&
           read_number(field[CPU], &cell->cpu) && rico_text_to_integer(field[RUNS], &cell->runs) &&
           read_number(field[FLOPS], &cell->flops);
}


static int compare_file(const void *name, const void *item)
{
    return strcmp(name, ((const rico_collection_item *)item)->file);
}


// The cell that a line speaks of, NULL when it belongs to another run: other files, solvers or settings.
static rico_bench_cell *find_cell(const rico_bench_table *table, char *const *field)
{
    double tol, limit;
    if (!read_number(field[TOL], &tol) || !read_number(field[TIME_LIMIT], &limit)) return NULL;
    if (tol != table->tol || limit != table->time_limit || strcmp(field[OPTIONS], table->options) != 0)
        return NULL;
    const rico_collection *problems = table->problems;
    const rico_collection_item *item =
        bsearch(field[FILE_NAME], problems->item, (size_t)problems->count, sizeof *item, compare_file);
    if (item == NULL) return NULL;
    for (int64_t s = 0; s < table->solvers; s++) {
        if (strcmp(field[SOLVER], table->labels[s]) == 0)
            return rico_bench_at(table, item - problems->item, s);
    }
    return NULL;
}


static bool is_head(char *const *field, int count)
{
    for (int i = 0; i < FIELDS; i++) {
        if (count != FIELDS || strcmp(field[i], HEAD[i]) != 0) return false;
    }
    return true;
}


// Takes the cells of the table out of the text; csv->at ends behind the last whole line.
static rico_status read_cells(rico_context *ctx, const char *path, rico_csv *csv, rico_bench_table *table,
                              int64_t *found)
{
    char *field[RICO_CSV_FIELDS];
    int count = rico_csv_next(csv, field);
    if (count > 0 && !is_head(field, count))
        return rico_fail(ctx, RICO_BAD_INPUT, "'%s' is no table of results of this version", path);
    while (count > 0 && (count = rico_csv_next(csv, field)) > 0) {
        rico_bench_cell cell;
        if (count != FIELDS || !read_cell(field, &cell))
            return rico_fail(ctx, RICO_BAD_INPUT, "'%s', line %lld, is no line of results", path,
                             (long long)csv->line);
        rico_bench_cell *place = find_cell(table, field);
        // one that ran when nothing was counted has to run again
        bool uncounted = table->flops && !isnan(cell.residual) && isnan(cell.flops);
        if (place == NULL || uncounted) continue;
        if (place->outcome == RICO_OUTCOME_NONE) ++*found;
        *place = cell;
        // the clock may be another one this time
        if (!isnan(cell.residual)) rico_bench_judge(table, place);
    }
    return RICO_OK;
}


rico_status rico_bench_file_resume(rico_context *ctx, const char *dir, rico_bench_table *table,
                                   int64_t *found, rico_bench_file *file)
{
    *found = 0;
    *file = (rico_bench_file){0};
    rico_status status = rico_path_join(ctx, dir, "results.csv", &file->path);
    if (status != RICO_OK) return status;
    if (access(file->path, F_OK) != 0) {
        rico_bench_file_close(ctx, file);
        return rico_bench_file_create(ctx, dir, file);
    }

    rico_csv csv;
    status = rico_csv_load(ctx, file->path, &csv);
    size_t whole = 0;
    if (status == RICO_OK) {
        status = read_cells(ctx, file->path, &csv, table, found);
        whole = csv.at;
        rico_free(ctx, csv.text);
    }
    // what was torn off goes, so that the next line starts a line
    if (status == RICO_OK && truncate(file->path, (off_t)whole) != 0)
        status = cannot_write(ctx, file->path, errno);
    if (status == RICO_OK) {
        file->out = fopen(file->path, "a");
        if (file->out == NULL) status = cannot_write(ctx, file->path, errno);
    }
    if (status == RICO_OK && whole == 0) status = write_head(ctx, file);
    if (status != RICO_OK) rico_bench_file_close(ctx, file);
    return status;
}
