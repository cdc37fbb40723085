// Reads films, for tests: the head, arrays by name; columns of the results that they were made of.

#ifndef RICO_TESTS_APP_FILM_READER_H
#define RICO_TESTS_APP_FILM_READER_H

#include "draw/film.h"
#include "view.h"

static inline int64_t head_length(const rico_film *film)
{
    const unsigned char *at = film->bytes + 12;
    return (int64_t)at[0] | (int64_t)at[1] << 8 | (int64_t)at[2] << 16 | (int64_t)at[3] << 24;
}


// The head as text of its own.
static inline char *head_of(const rico_film *film)
{
    assert_memory_equal(film->bytes, "RICOFILM\1\0\0\0", 12);
    int64_t length = head_length(film);
    assert_true(length % 8 == 0 && RICO_FILM_PREFIX + length <= film->size);
    char *head = calloc((size_t)length + 1, 1);
    memcpy(head, film->bytes + RICO_FILM_PREFIX, (size_t)length);
    return head;
}


// The number behind a key, from there on.
static inline int64_t number_after(const char *text, const char *key)
{
    const char *at = text ? strstr(text, key) : NULL;
    if (at) return strtoll(at + strlen(key), NULL, 10);
    fail_msg("no %s", key);
    return 0;
}


// An array of the film: where it begins; how many numbers it has.
static inline const void *array(const rico_film *film, const char *name, int64_t *count)
{
    char *head = head_of(film), quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\": {", name);
    const char *arrays = strstr(head, "\"arrays\""), *at = arrays ? strstr(arrays, quoted) : NULL;
    if (!at) fail_msg("no array %s", name);
    *count = number_after(at, "\"width\": ") * number_after(at, "\"count\": ");
    int64_t offset = number_after(at, "\"offset\": ");
    free(head);
    assert_int_equal(offset % 8, 0);
    return film->bytes + RICO_FILM_PREFIX + head_length(film) + offset;
}


static inline void make(const char *name, int64_t most, rico_results **results, rico_film *film)
{
    rico_film_options options = rico_film_defaults();
    options.name = name;
    options.most_frames = most;
    assert_ok(ctx, rico_results_open(ctx, in_folder(name), results));
    assert_ok(ctx, rico_film_make(ctx, *results, &options, film));
}


static inline double *column(rico_results *results, const char *table, const char *name, int64_t *rows)
{
    int64_t t = rico_results_find_table(results, table), c = rico_results_find_column(results, t, name);
    int64_t width = rico_results_table(results, t)->columns[c].width;
    *rows = rico_results_items(results, t);
    double *all = calloc((size_t)(*rows * (width > 0 ? width : 1) + 1), sizeof *all);
    assert_ok(ctx, rico_results_read(results, t, c, 0, *rows, all));
    return all;
}

#endif
