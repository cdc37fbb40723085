// A run as one block of bytes: coordinates without bodies, constraints, the ledger, events.

#include "draw/film_private.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_COORDINATES = 256, MOST_CONSTRAINTS = 512, MOST_EVENTS = 100000, BLOCK = 4096 };


// --- coordinates -------------------------------------------------------------------------------------------------

// Marks the positions that bodies have.
static void mark_bodies(const rico_film_writer *w, char *taken)
{
    size_t width = w->view && w->view->dimension == 2 ? 3 : 7;
    for (int64_t i = 0; w->view && i < w->view->body_count; i++)
        if (w->view->body[i].type == RICO_BODY_FREE) memset(taken + w->view->body[i].q, 1, width);
}


// The next name of a note: a line, or an entry of one that stands for many, "block[0..4223]", of which *entry is the next.
static void next_name(const char **line, int64_t *entry, rico_text *names)
{
    size_t length = strcspn(*line, "\n");
    const char *bracket = memchr(*line, '[', length);
    long long first = 0, last = -1;
    bool many = bracket && sscanf(bracket, "[%lld..%lld]", &first, &last) == 2 && last >= first;
    if (length == 0)
        rico_text_add(names, "q\n");
    else if (many)
        rico_text_add(names, "%.*s[%lld]\n", (int)(bracket - *line), *line, first + *entry);
    else
        rico_text_add(names, "%.*s\n", (int)length, *line);
    if (many && first + ++*entry <= last) return;
    *entry = 0;
    *line += length + ((*line)[length] == '\n');
}


// Which positions are shown: those of no body and no mesh, the first of them where they are many.
static int64_t choose_coordinates(rico_film_writer *w, int64_t width, int64_t *chosen, rico_text *names)
{
    const char *line = rico_film_note(w->results, "positions");
    int64_t count = 0, others = 0, entry = 0;
    rico_text unused = {.ctx = w->ctx};
    char *taken = rico_alloc(w->ctx, width, 1);
    if (!taken) w->status = RICO_NO_MEMORY;
    if (taken) {
        mark_bodies(w, taken);
        rico_film_mesh_positions(w, taken, width);
    }
    for (int64_t i = 0; taken && i < width; i++) {
        bool shown = !taken[i] && ++others <= MOST_COORDINATES;
        if (shown) chosen[count++] = i;
        unused.length = 0;
        next_name(&line, &entry, shown ? names : &unused);
    }
    if (unused.status != RICO_OK) w->status = unused.status;
    rico_free(w->ctx, taken);
    rico_free(w->ctx, unused.data);
    if (others > count)
        rico_text_add(&w->left_out, "%lld of %lld coordinates\n", (long long)(others - count),
                      (long long)others);
    return count;
}


void rico_film_coordinates(rico_film_writer *w, rico_text *names)
{
    if (w->status != RICO_OK) return;
    int64_t table, column = rico_film_column(w, "state", "q", &table), chosen[MOST_COORDINATES];
    int64_t width = rico_results_table(w->results, table)->columns[column].width;
    int64_t count = choose_coordinates(w, width, chosen, names);
    double *row = rico_alloc(w->ctx, width, sizeof *row);
    float *q = row ? rico_film_add(w, "q", "f32", w->frames, count) : NULL;
    if (!row) w->status = RICO_NO_MEMORY;
    for (int64_t f = 0; q && count > 0 && w->status == RICO_OK && f < w->frames; f++) {
        w->status = rico_results_read(w->results, table, column, rico_film_row(w, f), 1, row);
        for (int64_t i = 0; i < count; i++) q[f * count + i] = (float)row[chosen[i]];
    }
    rico_free(w->ctx, row);
}


// --- constraints -------------------------------------------------------------------------------------------------

// How many numbers the constraints of the note have together; -1 where it makes no sense.
static int64_t constraint_width(const char *note)
{
    int64_t width = 0;
    for (const char *line = note; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        long long first, size;
        if (sscanf(line, "%*s %lld %lld", &first, &size) != 2 || first != width || size < 1) return -1;
        width += size;
    }
    return width;
}


// Values of the rows since the frame before: the last of them, or their sum, so that no impact falls between two frames.
static void constraint_array(rico_film_writer *w, const char *column, const char *name, int64_t width,
                             bool sum)
{
    int64_t table, c = rico_film_column(w, "contacts", column, &table);
    if (c < 0 || rico_results_table(w->results, table)->columns[c].width < width) return;
    double *rows = rico_alloc(w->ctx, width * BLOCK, sizeof *rows);
    float *out = rows ? rico_film_add(w, name, "f32", w->frames, width) : NULL;
    if (!rows) w->status = RICO_NO_MEMORY;
    int64_t own = rico_results_rows(w->results, table);
    for (int64_t f = 0; out && f < w->frames; f++) {
        int64_t last = rico_film_row(w, f), first = sum && f > 0 ? rico_film_row(w, f - 1) + 1 : last;
        for (int64_t at = first; at <= last && last < own; at += BLOCK) {
            int64_t count = last - at + 1 < BLOCK ? last - at + 1 : BLOCK;
            w->status = rico_results_read(w->results, table, c, at, count, rows);
            if (w->status != RICO_OK) break;
            for (int64_t i = 0; i < count * width; i++) out[f * width + i % width] += (float)rows[i];
        }
    }
    rico_free(w->ctx, rows);
}


void rico_film_constraints(rico_film_writer *w)
{
    if (w->status != RICO_OK) return;
    const char *note = rico_film_note(w->results, "constraints");
    int64_t width = constraint_width(note);
    if (width > MOST_CONSTRAINTS)
        rico_text_add(&w->left_out, "constraints: they have %lld components, more than %d\n",
                      (long long)width, MOST_CONSTRAINTS);
    if (width <= 0 || width > MOST_CONSTRAINTS) return;
    int64_t table, gap = rico_film_column(w, "contacts", "gap", &table);
    if (gap < 0 || rico_results_table(w->results, table)->columns[gap].width != width) return;
    constraint_array(w, "gap", "constraint_gap", width, false);
    constraint_array(w, "impulse", "constraint_impulse", width, true);
    constraint_array(w, "after", "constraint_after", width, false);
}


// --- the ledger --------------------------------------------------------------------------------------------------

void rico_film_ledger(rico_film_writer *w)
{
    int64_t table = rico_results_find_table(w->results, "total");
    if (w->status != RICO_OK || table < 0 || rico_results_rows(w->results, table) < w->rows) return;
    const rico_table *total = rico_results_table(w->results, table);
    for (int64_t c = 0; w->status == RICO_OK && c < total->column_count; c++) {
        const rico_column *column = &total->columns[c];
        if (column->width != 0 || column->number != RICO_NUMBER_REAL) continue;
        char name[RICO_FILM_NAME];
        snprintf(name, sizeof name, "total_%s", column->name);
        float *out = rico_film_add(w, name, "f32", w->frames, 1);
        for (int64_t f = 0; out && w->status == RICO_OK && f < w->frames; f++) {
            double value;
            w->status = rico_results_read(w->results, table, c, rico_film_row(w, f), 1, &value);
            out[f] = (float)value;
        }
    }
}


// --- events ------------------------------------------------------------------------------------------------------

static void event_column(rico_film_writer *w, const char *table, const char *column, const char *name,
                         int64_t count, double *numbers)
{
    int64_t in, c = rico_film_column(w, table, column, &in);
    if (c < 0 || w->status != RICO_OK) return;
    rico_number kind = rico_results_table(w->results, in)->columns[c].number;
    w->status = rico_results_read(w->results, in, c, 0, count, numbers);
    double *out = rico_film_add(w, name, "f64", count, 1);
    for (int64_t i = 0; out && i < count; i++) {
        int64_t whole;
        memcpy(&whole, &numbers[i], sizeof whole);
        out[i] = kind == RICO_NUMBER_REAL ? numbers[i] : (double)whole;
    }
}


void rico_film_events(rico_film_writer *w)
{
    int64_t table = rico_results_find_table(w->results, "events");
    if (w->status != RICO_OK || table < 0) return;
    int64_t count = rico_results_rows(w->results, table);
    if (count > MOST_EVENTS) {
        rico_text_add(&w->left_out, "%lld of %lld events, the last ones\n", (long long)(count - MOST_EVENTS),
                      (long long)count);
        count = MOST_EVENTS;
    }
    double *numbers = rico_alloc(w->ctx, count, sizeof *numbers);
    if (!numbers) w->status = RICO_NO_MEMORY;
    event_column(w, "events", "t", "event_t", count, numbers);
    event_column(w, "events", "closes", "event_closes", count, numbers);
    event_column(w, "events", "constraint", "event_constraint", count, numbers);
    event_column(w, "events", "speed", "event_speed", count, numbers);
    rico_free(w->ctx, numbers);
}
