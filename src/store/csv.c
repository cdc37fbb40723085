// Tables as comma-separated values.

#include "store/results.h"

#include "base/replace_file.h"
#include "base/system.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Bytes of numbers read at a time, of text handed on at a time, and of one field at most.
enum { READ_BYTES = 1 << 20, TEXT = 1 << 16, FIELD = 160 };

// An export under way.
typedef struct export
{
    rico_results *results;
    const rico_table *table;
    int64_t at; // the table's number
    int64_t column_count;
    int64_t *columns; // those asked for
    void **numbers;   // room for `rows` rows of each
    int64_t *starts;  // room for one row number and its neighbours, of a ragged table
    int64_t rows;
    rico_text_sink sink;
    void *user;
    char *text;
    size_t length;
}
export;


static rico_status hand_on(export *e)
{
    int error = e->length > 0 ? e->sink(e->user, e->text, e->length) : 0;
    e->length = 0;
    if (error == 0) return RICO_OK;
    return rico_fail(e->results->ctx, RICO_IO_ERROR, "table %s cannot be exported: %s", e->table->name,
                     rico_system_words(error));
}


// Fields are short: names are, as rico_results_open() has made sure.
static rico_status put(export *e, const char *field, char after)
{
    size_t length = strlen(field);
    if (e->length + length + 1 > TEXT) {
        rico_status status = hand_on(e);
        if (status != RICO_OK) return status;
    }
    memcpy(e->text + e->length, field, length);
    e->length += length;
    e->text[e->length++] = after;
    return RICO_OK;
}


// The shorter of 15 and 17 digits that reads back as the same number: 0.1 rather than 0.10000000000000001.
static void print_real(char field[FIELD], double x)
{
    if (!isfinite(x)) {
        snprintf(field, FIELD, "%s", isnan(x) ? "nan" : x > 0.0 ? "inf" : "-inf");
        return;
    }
    snprintf(field, FIELD, "%.15g", x);
    if (strtod(field, NULL) != x) snprintf(field, FIELD, "%.17g", x);
}


static int64_t width_of(const export *e, int64_t k)
{
    int64_t width = e->table->columns[e->columns[k]].width;
    return width > 0 ? width : 1;
}


static rico_status put_header(export *e)
{
    rico_status status = e->table->ragged ? put(e, "row", ',') : RICO_OK;
    for (int64_t k = 0; k < e->column_count; k++) {
        const rico_column *column = &e->table->columns[e->columns[k]];
        for (int64_t i = 0; status == RICO_OK && i < width_of(e, k); i++) {
            char field[FIELD];
            bool last = k == e->column_count - 1 && i == width_of(e, k) - 1;
            if (column->width > 0) {
                snprintf(field, sizeof field, "%s[%" PRId64 "]", column->name, i);
            } else {
                snprintf(field, sizeof field, "%s", column->name);
            }
            status = put(e, field, last ? '\n' : ',');
        }
    }
    return status;
}


static rico_status put_row(export *e, int64_t at)
{
    rico_status status = RICO_OK;
    for (int64_t k = 0; k < e->column_count; k++) {
        bool integers = e->table->columns[e->columns[k]].number == RICO_NUMBER_INTEGER;
        int64_t width = width_of(e, k);
        for (int64_t i = 0; status == RICO_OK && i < width; i++) {
            char field[FIELD];
            bool last = k == e->column_count - 1 && i == width - 1;
            if (integers) {
                snprintf(field, sizeof field, "%" PRId64, ((const int64_t *)e->numbers[k])[at * width + i]);
            } else {
                print_real(field, ((const double *)e->numbers[k])[at * width + i]);
            }
            status = put(e, field, last ? '\n' : ',');
        }
    }
    return status;
}


// The row that an item belongs to, given that of the item before: rows may be empty.
static rico_status find_row(export *e, int64_t item, int64_t *row)
{
    while (item >= e->starts[1]) {
        ++*row;
        rico_status status = rico_results_starts(e->results, e->at, *row, 1, e->starts);
        if (status != RICO_OK) return status;
    }
    return RICO_OK;
}


static rico_status put_rows(export *e)
{
    // items of rows that are not complete yet are left out
    int64_t rows = rico_results_rows(e->results, e->at), items = rows, row = -1;
    rico_status status = RICO_OK;
    if (e->table->ragged) {
        status = rico_results_starts(e->results, e->at, rows, 0, &items);
        e->starts[0] = e->starts[1] = 0;
    }
    for (int64_t first = 0; status == RICO_OK && first < items; first += e->rows) {
        int64_t count = items - first < e->rows ? items - first : e->rows;
        for (int64_t k = 0; status == RICO_OK && k < e->column_count; k++) {
            status = rico_results_read(e->results, e->at, e->columns[k], first, count, e->numbers[k]);
        }
        for (int64_t i = 0; status == RICO_OK && i < count; i++) {
            if (e->table->ragged) {
                char field[FIELD];
                status = find_row(e, first + i, &row);
                snprintf(field, sizeof field, "%" PRId64, row);
                if (status == RICO_OK) status = put(e, field, ',');
            }
            if (status == RICO_OK) status = put_row(e, i);
        }
    }
    return status;
}


// Finds the columns asked for.
static rico_status choose(export *e, int64_t count, const char *const *names)
{
    e->column_count = names ? count : e->table->column_count;
    if (e->column_count < 1) {
        return rico_fail(e->results->ctx, RICO_BAD_ARGUMENT, "%s: no column of table %s was asked for",
                         e->results->path, e->table->name);
    }
    e->columns = rico_alloc(e->results->ctx, e->column_count, sizeof *e->columns);
    if (!e->columns) return RICO_NO_MEMORY;
    for (int64_t k = 0; k < e->column_count; k++) {
        e->columns[k] = names ? rico_results_find_column(e->results, e->at, names[k]) : k;
        if (e->columns[k] >= 0) continue;
        return rico_fail(e->results->ctx, RICO_BAD_ARGUMENT, "%s: table %s has no column %s",
                         e->results->path, e->table->name, names[k]);
    }
    return RICO_OK;
}


static rico_status allocate(export *e)
{
    rico_context *ctx = e->results->ctx;
    int64_t numbers = 1; // the number of the row
    for (int64_t k = 0; k < e->column_count; k++) numbers += width_of(e, k);
    e->rows = numbers < READ_BYTES / 8 ? READ_BYTES / 8 / numbers : 1;
    e->numbers = rico_alloc(ctx, e->column_count, sizeof *e->numbers);
    e->starts = rico_alloc(ctx, 2, sizeof *e->starts);
    e->text = rico_alloc(ctx, TEXT, 1);
    if (!e->numbers || !e->starts || !e->text) return RICO_NO_MEMORY;
    for (int64_t k = 0; k < e->column_count; k++) {
        e->numbers[k] = rico_alloc(ctx, e->rows * width_of(e, k), 8);
        if (!e->numbers[k]) return RICO_NO_MEMORY;
    }
    return RICO_OK;
}


rico_status rico_results_csv(rico_results *results, int64_t table, int64_t column_count,
                             const char *const *columns, rico_text_sink sink, void *user)
{
    rico_context *ctx = results->ctx;
    export e = {.results = results,
                .table = rico_results_table(results, table),
                .at = table,
                .sink = sink,
                .user = user};
    if (!e.table) {
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s: there is no table %lld", results->path,
                         (long long)table);
    }
    rico_status status = choose(&e, column_count, columns);
    if (status == RICO_OK) status = allocate(&e);
    if (status == RICO_OK) status = put_header(&e);
    if (status == RICO_OK) status = put_rows(&e);
    if (status == RICO_OK) status = hand_on(&e);

    for (int64_t k = 0; e.numbers && k < e.column_count; k++) rico_free(ctx, e.numbers[k]);
    rico_free(ctx, e.numbers);
    rico_free(ctx, e.columns);
    rico_free(ctx, e.starts);
    rico_free(ctx, e.text);
    return status;
}


static int write_piece(void *user, const char *text, size_t length)
{
    rico_replacement *file = user;
    return rico_replacement_write(file, text, (int64_t)length) == RICO_OK ? 0 : file->error;
}


rico_status rico_results_csv_file(rico_results *results, int64_t table, int64_t column_count,
                                  const char *const *columns, const char *path)
{
    rico_replacement file;
    rico_status status = rico_replacement_begin(results->ctx, path, &file);
    if (status != RICO_OK) return status;
    status = rico_results_csv(results, table, column_count, columns, write_piece, &file);
    rico_status ended = rico_replacement_end(&file, status == RICO_OK || file.error != 0);
    return status == RICO_OK || ended != RICO_OK ? ended : status;
}
