// A run as one block of bytes: joints between bodies, where they are and what they do.
//
// Reactions are those of the row that a frame shows, as the file has them: forces where the scheme has some, means over the step
// elsewhere. Nothing is summed between frames, since a mean over many steps is no reaction of any of them.

#include "draw/film_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FILED = 12, SHOWN = 6, PLACE = 9 };


int64_t rico_film_joint_count(const rico_film_writer *w)
{
    int64_t table, column = rico_film_column(w, "joints", "reaction", &table), lines = 0;
    for (const char *at = rico_film_note(w->results, "joints"); *at; at++) lines += *at == '\n';
    if (!w->view || column < 0) return 0;
    return rico_results_table(w->results, table)->columns[column].width == FILED * lines ? lines : 0;
}


int64_t rico_film_joint_bytes(const rico_film_writer *w)
{
    return rico_film_joint_count(w) * SHOWN * (int64_t)sizeof(float);
}


static void broken(rico_film_writer *w, int64_t line)
{
    w->status =
        rico_fail(w->ctx, RICO_BAD_INPUT, "the joints in it are broken: line %lld of notes/joint_places",
                  (long long)line + 1);
}


// A line of the note: kind, two bodies, nine numbers.
static bool read_place(const char *line, int64_t bodies, int32_t body[2], float place[PLACE])
{
    size_t word = strcspn(line, " \n");
    const char *from = line + word;
    char *end = NULL;
    if (word == 0 || *from != ' ') return false;
    for (int s = 0; s < 2; s++, from = end) {
        long long index = strtoll(from, &end, 10);
        if (end == from || index < -1 || index >= bodies) return false;
        body[s] = (int32_t)index;
    }
    for (int k = 0; k < PLACE; k++, from = end) {
        if (*from != ' ') return false;
        double value = strtod(from, &end);
        if (end == from || !isfinite(value)) return false;
        place[k] = (float)value;
    }
    return *from == '\n' || *from == '\0';
}


static void add_places(rico_film_writer *w, int64_t count)
{
    const char *note = rico_film_note(w->results, "joint_places");
    if (!*note) {
        rico_text_add(&w->left_out, "places of %lld joints, which the file does not hold\n",
                      (long long)count);
        return;
    }
    int32_t *bodies = rico_alloc(w->ctx, 2 * count, sizeof *bodies);
    float *place = rico_film_add(w, "joint_place", "f32", count, PLACE);
    if (!bodies) w->status = RICO_NO_MEMORY;
    for (int64_t i = 0; bodies && place && w->status == RICO_OK && i < count; i++) {
        if (!read_place(note, w->view->body_count, bodies + 2 * i, place + PLACE * i)) broken(w, i);
        note += strcspn(note, "\n");
        note += *note == '\n';
    }
    int32_t *out = rico_film_add(w, "joint_bodies", "i32", count, 2);
    if (out && bodies) memcpy(out, bodies, (size_t)(2 * count) * sizeof *out);
    rico_free(w->ctx, bodies);
}


void rico_film_joints(rico_film_writer *w)
{
    int64_t count = rico_film_joint_count(w), table, column;
    if (w->status != RICO_OK || count == 0) return;
    add_places(w, count);
    column = rico_film_column(w, "joints", "reaction", &table);
    double *row = rico_alloc(w->ctx, FILED * count, sizeof *row);
    float *out = row ? rico_film_add(w, "joint_reaction", "f32", w->frames, SHOWN * count) : NULL;
    if (!row) w->status = RICO_NO_MEMORY;
    for (int64_t f = 0; out && w->status == RICO_OK && f < w->frames; f++) {
        w->status = rico_results_read(w->results, table, column, rico_film_row(w, f), 1, row);
        for (int64_t i = 0; i < SHOWN * count; i++)
            out[f * SHOWN * count + i] = (float)row[i / SHOWN * FILED + i % SHOWN];
    }
    rico_free(w->ctx, row);
}
