// Archives that live in memory: blocks that grow instead of being written, and results that take them over.

#include "store/memory.h"

#include <math.h>
#include <string.h>


void rico_memory_discard(rico_archive *archive)
{
    archive->discard = true;
}


rico_status rico_memory_grow(rico_archive *archive, rico_stream *stream)
{
    if (archive->discard) return RICO_OK; // a row is put at its number modulo the length of the blocks
    for (int64_t c = 0; c < stream->column_count; c++) {
        rico_stream_column *column = &stream->columns[c];
        int64_t numbers = column->block_rows * column->width;
        char *larger = rico_grow(archive->ctx, column->block, numbers, 2 * numbers, RICO_NUMBER_BYTES);
        if (!larger) return RICO_NO_MEMORY;
        column->block = larger;
        column->block_rows *= 2;
    }
    stream->shortest *= 2; // one length for all columns
    return RICO_OK;
}


// A copy of a text, "" of none; what fails stays NULL.
static const char *copy(rico_context *ctx, const char *text, rico_status *status)
{
    size_t size = text ? strlen(text) + 1 : 1;
    char *made = rico_alloc(ctx, (int64_t)size, 1);
    if (made && text) memcpy(made, text, size);
    if (!made) *status = RICO_NO_MEMORY;
    return made;
}


static rico_status copy_table(rico_context *ctx, const rico_table *from, rico_table *table,
                              rico_results_part *part)
{
    rico_status status = RICO_OK;
    rico_column *columns = rico_alloc(ctx, from->column_count, sizeof *columns);
    table->name = copy(ctx, from->name, &status);
    table->help = copy(ctx, from->help, &status);
    table->columns = columns;
    table->ragged = from->ragged;
    part->start.set = -1;
    part->columns = rico_alloc(ctx, from->column_count, sizeof *part->columns);
    if (!columns || !part->columns) return RICO_NO_MEMORY;
    for (int64_t c = 0; c < from->column_count; c++) {
        const rico_column *column = &from->columns[c];
        columns[c] = (rico_column){.name = copy(ctx, column->name, &status),
                                   .number = column->number,
                                   .width = column->width,
                                   .unit = copy(ctx, column->unit, &status),
                                   .help = copy(ctx, column->help, &status)};
        part->columns[c] = (rico_source){
            .set = -1, .rank = column->width > 0 ? 2 : 1, .width = column->width > 0 ? column->width : 1};
        table->column_count++;
    }
    return status;
}


static rico_status copy_notes(rico_context *ctx, int64_t count, const rico_note *from, int64_t *copied,
                              rico_note **out)
{
    rico_status status = RICO_OK;
    *out = rico_alloc(ctx, count, sizeof **out);
    if (!*out) return RICO_NO_MEMORY;
    for (int64_t k = 0; k < count; k++) {
        rico_note *note = &(*out)[k];
        *note = from[k];
        note->name = copy(ctx, from[k].name, &status);
        note->text = from[k].text ? copy(ctx, from[k].text, &status) : NULL;
        ++*copied;
    }
    return status;
}


// What the results will be, but for their rows: names and notes do not change any more.
static rico_status make_shape(rico_context *ctx, const rico_archive_plan *plan, rico_results *shape)
{
    rico_status status = RICO_OK;
    shape->ctx = ctx;
    shape->end = NAN;
    shape->path = (char *)copy(ctx, "a run in memory", &status);
    shape->tables = rico_alloc(ctx, plan->table_count, sizeof *shape->tables);
    shape->parts = rico_alloc(ctx, plan->table_count, sizeof *shape->parts);
    if (!shape->tables || !shape->parts) return RICO_NO_MEMORY;
    for (int64_t t = 0; status == RICO_OK && t < plan->table_count; t++) {
        shape->table_count++;
        status = copy_table(ctx, &plan->tables[t], &shape->tables[t], &shape->parts[t]);
    }
    if (status == RICO_OK)
        status = copy_notes(ctx, plan->note_count, plan->notes, &shape->note_count, &shape->notes);
    if (status == RICO_OK)
        status = copy_notes(ctx, plan->parameter_count, plan->parameters, &shape->parameter_count,
                            &shape->parameters);
    return status;
}


rico_status rico_archive_create_memory(rico_context *ctx, const rico_archive_plan *plan, rico_archive **out)
{
    rico_archive *archive = NULL;
    rico_status status = rico_archive_check_plan(ctx, plan);
    if (status == RICO_OK) status = rico_archive_allocate(ctx, NULL, plan, &archive);
    if (status != RICO_OK) return status;
    archive->shape = rico_alloc(ctx, 1, sizeof *archive->shape);
    status = archive->shape ? make_shape(ctx, plan, archive->shape) : RICO_NO_MEMORY;
    if (status != RICO_OK) {
        rico_archive_destroy(archive);
        return status;
    }
    rico_archive_begin_ragged(archive);
    *out = archive;
    return RICO_OK;
}


// The block of a column, which the source owns from here on.
static void take_block(rico_stream *stream, int64_t column, rico_source *into)
{
    into->memory = stream->columns[column].block;
    into->rows = stream->rows;
    stream->columns[column].block = NULL;
}


rico_status rico_archive_results(rico_archive *archive, rico_results **out)
{
    rico_results *results = archive->shape;
    if (!results || archive->discard)
        return rico_fail(
            archive->ctx, RICO_BAD_ARGUMENT,
            "%s: only an archive in memory that keeps its rows turns into results, and only once",
            archive->path);
    for (int64_t t = 0; t < archive->table_count; t++) {
        rico_archive_table *table = &archive->tables[t];
        rico_results_part *part = &results->parts[t];
        for (int64_t c = 0; c < table->body.column_count; c++) take_block(&table->body, c, &part->columns[c]);
        part->rows = part->items = table->body.rows;
        if (!table->ragged) continue;
        part->start = (rico_source){.set = -1, .rank = 1, .width = 1};
        take_block(&table->index, 0, &part->start);
        part->rows = table->index.rows - 1;
    }
    archive->shape = NULL;
    *out = results;
    return RICO_OK;
}
