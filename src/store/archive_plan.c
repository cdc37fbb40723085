// From a plan to streams: what a plan may say, how long blocks are, which columns there are.

#include "store/archive.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

// A block is what goes to the file at once: long enough to make the cost of a call small (a millionth of a second per
// row at most), short enough for a cache and for tables of few rows.
enum { BLOCK_BYTES = 1 << 19, BLOCK_ROWS = 1024 };

// In memory a block is all that a column has, and grows: no longer at first than a short run needs.
enum { MEMORY_ROWS = 64 };

// Slots of the table that finds a chunk in HDF5's cache: a prime, as HDF5 advises.
enum { CACHE_SLOTS = 101 };

// HDF5 keeps chunks below 4 GiB.
static const int64_t MOST_WIDTH = (INT64_C(1) << 31) / RICO_NUMBER_BYTES;


rico_archive_plan rico_archive_plan_default(void)
{
    return (rico_archive_plan){.flush_seconds = 1.0};
}


hid_t rico_store_type(rico_number number)
{
    return number == RICO_NUMBER_INTEGER ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE;
}


static int64_t block_rows(int64_t width)
{
    int64_t rows = BLOCK_ROWS;
    while (rows > 1 && rows * width * RICO_NUMBER_BYTES > BLOCK_BYTES) rows /= 2;
    return rows;
}


hid_t rico_store_access(const rico_stream_column *column)
{
    hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    if (access < 0) return -1;
    int64_t chunk = column->block_rows * column->width * RICO_NUMBER_BYTES;
    size_t bytes = column->compressed ? 2 * (size_t)chunk : 0;
    if (H5Pset_chunk_cache(access, CACHE_SLOTS, bytes, 1.0) >= 0) return access;
    H5Pclose(access);
    return -1;
}


// Letters, digits, _ and -: names that every program and every language can use.
static bool good_name(const char *name)
{
    size_t length = name ? strlen(name) : 0;
    if (length == 0 || length > 100) return false;
    for (size_t k = 0; k < length; k++) {
        if (!isalnum((unsigned char)name[k]) && name[k] != '_' && name[k] != '-') return false;
    }
    return true;
}


static rico_status check_name(rico_context *ctx, const char *what, const char *name)
{
    if (good_name(name)) return RICO_OK;
    return rico_fail(ctx, RICO_BAD_ARGUMENT,
                     "'%.100s' is no name for a %s: 1 to 100 letters, digits, _ and - are", name ? name : "",
                     what);
}


static bool can_compress(void)
{
    rico_hdf5_silence silence;
    rico_hdf5_silence_begin(&silence);
    bool can = H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0;
    rico_hdf5_silence_end(&silence);
    return can;
}


static rico_status check_table(rico_context *ctx, const rico_table *table)
{
    rico_status status = check_name(ctx, "table", table->name);
    if (status != RICO_OK) return status;
    if (!strcmp(table->name, RICO_STORE_NOTES) || !strcmp(table->name, RICO_STORE_RUN) ||
        !strcmp(table->name, RICO_STORE_PARAMETERS)) {
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "'%s' is no name for a table: the archive uses it itself",
                         table->name);
    }
    if (table->compression < 0 || table->compression > 9) {
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "table %s: compression %d is not between 0 and 9",
                         table->name, table->compression);
    }
    if (table->compression > 0 && !can_compress()) {
        return rico_fail(ctx, RICO_UNSUPPORTED, "table %s: this HDF5 cannot compress", table->name);
    }
    if (table->column_count < 1) {
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "table %s has no columns", table->name);
    }

    int64_t numbers = 0;
    for (int64_t c = 0; c < table->column_count; c++) {
        const rico_column *column = &table->columns[c];
        status = check_name(ctx, "column", column->name);
        if (status != RICO_OK) return rico_fail_in(ctx, status, table->name);
        if (table->ragged && !strcmp(column->name, RICO_STORE_START)) {
            return rico_fail(ctx, RICO_BAD_ARGUMENT,
                             "table %s: no column may be called '%s' in a ragged table", table->name,
                             column->name);
        }
        if (column->width < 0 || column->width > MOST_WIDTH || numbers > MOST_WIDTH) {
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "table %s: column %s cannot be %lld wide", table->name,
                             column->name, (long long)column->width);
        }
        numbers += column->width;
        for (int64_t other = 0; other < c; other++) {
            if (strcmp(column->name, table->columns[other].name) != 0) continue;
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "table %s has two columns %s", table->name,
                             column->name);
        }
    }
    return RICO_OK;
}


static rico_status check_notes(rico_context *ctx, const char *what, int64_t count, const rico_note *notes)
{
    for (int64_t k = 0; k < count; k++) {
        rico_status status = check_name(ctx, what, notes[k].name);
        if (status != RICO_OK) return status;
        for (int64_t other = 0; other < k; other++) {
            if (strcmp(notes[k].name, notes[other].name) != 0) continue;
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "there are two %ss %s", what, notes[k].name);
        }
    }
    return RICO_OK;
}


rico_status rico_archive_check_plan(rico_context *ctx, const rico_archive_plan *plan)
{
    for (int64_t t = 0; t < plan->table_count; t++) {
        rico_status status = check_table(ctx, &plan->tables[t]);
        if (status != RICO_OK) return status;
        for (int64_t other = 0; other < t; other++) {
            if (strcmp(plan->tables[t].name, plan->tables[other].name) != 0) continue;
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "there are two tables %s", plan->tables[t].name);
        }
    }
    rico_status status = check_notes(ctx, "note", plan->note_count, plan->notes);
    return status == RICO_OK ? check_notes(ctx, "parameter", plan->parameter_count, plan->parameters)
                             : status;
}


// A stream with blocks for `count` columns; NULL stands for `start`, one integer.
static rico_status allocate_stream(rico_context *ctx, int64_t count, const rico_column *columns,
                                   bool compressed, bool memory, rico_stream *out)
{
    static const rico_column start = {.name = RICO_STORE_START, .number = RICO_NUMBER_INTEGER};
    const rico_column *column = columns ? columns : &start;
    out->columns = rico_alloc(ctx, count, sizeof *out->columns);
    if (!out->columns) return RICO_NO_MEMORY;
    out->column_count = count;
    out->shortest = memory ? MEMORY_ROWS : BLOCK_ROWS;
    for (int64_t c = 0; c < count; c++) {
        int64_t width = column[c].width > 0 ? column[c].width : 1;
        int64_t rows = memory ? MEMORY_ROWS : block_rows(width);
        out->columns[c] = (rico_stream_column){.set = -1,
                                               .compressed = compressed,
                                               .number = column[c].number,
                                               .width = width,
                                               .block_rows = rows};
        if (rows < out->shortest) out->shortest = rows;
        out->columns[c].block = rico_alloc(ctx, rows * width, RICO_NUMBER_BYTES);
        if (!memory) out->columns[c].other = rico_alloc(ctx, rows * width, RICO_NUMBER_BYTES);
        if (!out->columns[c].block || (!memory && !out->columns[c].other)) return RICO_NO_MEMORY;
    }
    return RICO_OK;
}


static char *copy_text(rico_context *ctx, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = rico_alloc(ctx, (int64_t)size, 1);
    if (copy) memcpy(copy, text, size);
    return copy;
}


rico_status rico_archive_allocate(rico_context *ctx, const char *path, const rico_archive_plan *plan,
                                  rico_archive **out)
{
    rico_archive *archive = rico_alloc(ctx, 1, sizeof *archive);
    if (!archive) return RICO_NO_MEMORY;
    archive->ctx = ctx;
    archive->file = archive->finished = archive->end = archive->last = -1;
    archive->flush_seconds = plan->flush_seconds;
    archive->table_count = plan->table_count;
    archive->path = copy_text(ctx, path ? path : "a run in memory");
    archive->tables = rico_alloc(ctx, plan->table_count, sizeof *archive->tables);

    rico_status status = archive->path && archive->tables ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t t = 0; status == RICO_OK && t < plan->table_count; t++) {
        const rico_table *table = &plan->tables[t];
        archive->tables[t].ragged = table->ragged;
        status = allocate_stream(ctx, table->column_count, table->columns, table->compression > 0, !path,
                                 &archive->tables[t].body);
        if (status == RICO_OK && table->ragged) {
            status = allocate_stream(ctx, 1, NULL, table->compression > 0, !path, &archive->tables[t].index);
        }
    }
    if (status != RICO_OK) {
        rico_archive_destroy(archive);
        return status;
    }
    *out = archive;
    return RICO_OK;
}


void rico_archive_begin_ragged(rico_archive *archive)
{
    const int64_t zero = 0;
    for (int64_t t = 0; t < archive->table_count; t++) {
        if (!archive->tables[t].ragged) continue;
        memcpy(archive->tables[t].index.columns[0].block, &zero, sizeof zero);
        archive->tables[t].index.rows = 1;
    }
}


rico_status rico_archive_visit(rico_archive *archive, const rico_archive_plan *plan, rico_column_visit visit,
                               void *user)
{
    char name[256];
    rico_status status = RICO_OK;
    for (int64_t t = 0; status == RICO_OK && t < plan->table_count; t++) {
        const rico_table *table = &plan->tables[t];
        rico_archive_table *into = &archive->tables[t];
        for (int64_t c = 0; status == RICO_OK && c < table->column_count; c++) {
            const rico_column *column = &table->columns[c];
            snprintf(name, sizeof name, "%s/%s", table->name, column->name);
            status = visit(archive, name, table, column, &into->body.columns[c], user);
        }
        if (status == RICO_OK && table->ragged) {
            snprintf(name, sizeof name, "%s/" RICO_STORE_START, table->name);
            status = visit(archive, name, table, NULL, &into->index.columns[0], user);
        }
    }
    return status;
}
