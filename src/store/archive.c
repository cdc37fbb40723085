// Writing rows: blocks, flushes, checkpoints, the end of a run.

#include "store/archive.h"

#include "base/clock.h"
#include "base/system.h"
#include "store/checkpoint.h"
#include "store/memory.h"

#include <stdio.h>
#include <string.h>


// Keeps the sentence now in the context as the archive's end: nothing is written after it.
static rico_status keep_failure(rico_archive *archive, rico_status status)
{
    if (archive->failure != RICO_OK) return archive->failure;
    archive->failure = status;
    snprintf(archive->sentence, sizeof archive->sentence, "%s", rico_message(archive->ctx));
    return status;
}


static rico_status repeat_failure(const rico_archive *archive)
{
    return rico_fail(archive->ctx, archive->failure, "%s", archive->sentence);
}


rico_status rico_archive_fail_hdf5(rico_archive *archive, const char *what)
{
    char reason[RICO_HDF5_REASON];
    rico_hdf5_reason(reason);
    return rico_fail(archive->ctx, RICO_INTERNAL, "%s: HDF5 cannot %s: %s", archive->path, what, reason);
}


// The system's refusal, if there was one: it comes before anything that HDF5 may say.
static rico_status check_drive(rico_archive *archive, int error)
{
    if (error == 0) return RICO_OK;
    return keep_failure(archive, rico_fail(archive->ctx, RICO_IO_ERROR,
                                           "%s: cannot be written: %s; what was flushed before can be read",
                                           archive->path, rico_system_words(error)));
}


// Puts the rows of a column that its dataset does not have yet, up to row `end`, from the block into the dataset.
static herr_t write_block(rico_stream_column *column, int64_t end)
{
    int64_t from = column->written;
    hsize_t start[2] = {(hsize_t)from, 0};
    hsize_t count[2] = {(hsize_t)(end - from), (hsize_t)column->width};
    if (end > column->extent) {
        hsize_t extent[2] = {(hsize_t)end, (hsize_t)column->width};
        if (H5Dset_extent(column->set, extent) < 0) return -1;
        column->extent = end;
    }

    // a whole chunk as it is: past all that HDF5 does for selections, which costs more than the writing
    if (!column->compressed && end - from == column->block_rows) {
        size_t bytes = (size_t)(column->block_rows * column->width * RICO_NUMBER_BYTES);
        herr_t written = H5Dwrite_chunk(column->set, H5P_DEFAULT, 0, start, bytes, column->block);
        if (written >= 0) column->written = end;
        return written;
    }

    hid_t in_file = H5Dget_space(column->set);
    if (in_file < 0) return -1;
    hid_t in_memory = H5Screate_simple(H5Sget_simple_extent_ndims(in_file), count, NULL);
    herr_t done = -1;
    if (in_memory >= 0 && H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start, NULL, count, NULL) >= 0) {
        const char *bytes = column->block + from % column->block_rows * column->width * RICO_NUMBER_BYTES;
        done = H5Dwrite(column->set, rico_store_type(column->number), in_memory, in_file, H5P_DEFAULT, bytes);
    }
    if (in_memory >= 0) H5Sclose(in_memory);
    H5Sclose(in_file);
    if (done >= 0) column->written = end;
    return done;
}


// Sends a full block on its way, and goes on with the other one once that has arrived.
static void turn_over(rico_archive *archive, rico_stream_column *column)
{
    char *full = column->block;
    rico_drive_wait(archive->drive, column->ticket);
    column->block = column->other;
    column->other = full;
    column->ticket = rico_drive_ticket(archive->drive);
}


// Writes what the datasets do not have yet: of all columns, or only of those whose block is full.
static rico_status write_stream(rico_archive *archive, rico_stream *stream, bool only_full)
{
    if (archive->shape) return only_full ? rico_memory_grow(archive, stream) : RICO_OK;
    rico_hdf5_silence silence;
    rico_hdf5_silence_begin(&silence);
    rico_status status = RICO_OK;
    for (int64_t c = 0; status == RICO_OK && c < stream->column_count; c++) {
        rico_stream_column *column = &stream->columns[c];
        bool full = (stream->rows & (column->block_rows - 1)) == 0;
        if (column->written == stream->rows || (only_full && !full)) continue;
        rico_drive_lend(archive->drive, column->block,
                        column->block_rows * column->width * RICO_NUMBER_BYTES);
        if (write_block(column, stream->rows) < 0) {
            status = keep_failure(archive, rico_archive_fail_hdf5(archive, "write rows"));
        }
        rico_drive_lend(archive->drive, NULL, 0);
        if (full) turn_over(archive, column);
    }
    rico_hdf5_silence_end(&silence);
    return status == RICO_OK ? check_drive(archive, rico_drive_error(archive->drive)) : status;
}


// Appends `count` rows, in pieces that end where the shortest blocks do.
static rico_status append_rows(rico_archive *archive, rico_stream *stream, int64_t count,
                               const void *const *values)
{
    for (int64_t done = 0; done < count;) {
        int64_t room = stream->shortest - (stream->rows & (stream->shortest - 1));
        int64_t rows = count - done < room ? count - done : room;
        for (int64_t c = 0; c < stream->column_count; c++) {
            const rico_stream_column *column = &stream->columns[c];
            int64_t bytes = column->width * RICO_NUMBER_BYTES;
            int64_t at = stream->rows & (column->block_rows - 1);
            memcpy(column->block + at * bytes, (const char *)values[c] + done * bytes,
                   (size_t)(rows * bytes));
        }
        stream->rows += rows;
        done += rows;
        if (rows < room) continue;
        rico_status status = write_stream(archive, stream, true);
        if (status != RICO_OK) return status;
    }
    return RICO_OK;
}


static rico_status flush_when_due(rico_archive *archive)
{
    if (archive->flush_seconds <= 0.0) return RICO_OK;
    if (rico_clock() - archive->last_flush < archive->flush_seconds) return RICO_OK;
    return rico_archive_flush(archive);
}


// What every call checks first.
static rico_status check_open(const rico_archive *archive)
{
    if (archive->failure != RICO_OK) return repeat_failure(archive);
    if (archive->file < 0 && !archive->shape) {
        return rico_fail(archive->ctx, RICO_BAD_ARGUMENT, "%s: the archive is closed", archive->path);
    }
    return RICO_OK;
}


static rico_status check_table(const rico_archive *archive, int64_t table, bool ragged)
{
    rico_status status = check_open(archive);
    if (status != RICO_OK) return status;
    if (table < 0 || table >= archive->table_count) {
        return rico_fail(archive->ctx, RICO_BAD_ARGUMENT, "%s: there is no table %lld", archive->path,
                         (long long)table);
    }
    if (archive->tables[table].ragged != ragged) {
        return rico_fail(archive->ctx, RICO_BAD_ARGUMENT, "%s: table %lld is %sragged", archive->path,
                         (long long)table, ragged ? "not " : "");
    }
    return RICO_OK;
}


rico_status rico_archive_append(rico_archive *archive, int64_t table, const void *const *values)
{
    rico_status status = check_table(archive, table, false);
    if (status == RICO_OK) status = append_rows(archive, &archive->tables[table].body, 1, values);
    return status == RICO_OK ? flush_when_due(archive) : status;
}


rico_status rico_archive_append_items(rico_archive *archive, int64_t table, int64_t count,
                                      const void *const *values)
{
    rico_status status = check_table(archive, table, true);
    if (status == RICO_OK && count < 0) {
        status = rico_fail(archive->ctx, RICO_BAD_ARGUMENT, "%s: a row cannot have %lld items", archive->path,
                           (long long)count);
    }
    if (status != RICO_OK) return status;
    rico_archive_table *ragged = &archive->tables[table];
    status = append_rows(archive, &ragged->body, count, values);
    if (status != RICO_OK) return status;
    int64_t end = ragged->body.rows;
    const void *ends[] = {&end};
    status = append_rows(archive, &ragged->index, 1, ends);
    return status == RICO_OK ? flush_when_due(archive) : status;
}


int64_t rico_archive_rows(const rico_archive *archive, int64_t table)
{
    if (table < 0 || table >= archive->table_count) return 0;
    const rico_archive_table *t = &archive->tables[table];
    return t->ragged ? t->index.rows - 1 : t->body.rows;
}


// Items before the rows that point at them, in case a reader looks between the two.
static rico_status write_streams(rico_archive *archive)
{
    rico_status status = RICO_OK;
    for (int64_t t = 0; status == RICO_OK && t < archive->table_count; t++) {
        status = write_stream(archive, &archive->tables[t].body, false);
        if (status == RICO_OK) status = write_stream(archive, &archive->tables[t].index, false);
    }
    return status;
}


rico_status rico_archive_flush(rico_archive *archive)
{
    rico_status status = check_open(archive);
    if (status == RICO_OK) status = write_streams(archive);
    if (status != RICO_OK || archive->shape) return status;

    rico_hdf5_silence silence;
    rico_hdf5_silence_begin(&silence);
    if (H5Fflush(archive->file, H5F_SCOPE_LOCAL) < 0) {
        status = keep_failure(archive, rico_archive_fail_hdf5(archive, "flush"));
    }
    rico_hdf5_silence_end(&silence);
    archive->last_flush = rico_clock();
    return status == RICO_OK ? check_drive(archive, rico_drive_error(archive->drive)) : status;
}


// The caller's bytes and the rows of now, as the words of a checkpoint.
static rico_status pack(rico_archive *archive, const void *state, int64_t size, uint64_t **words,
                        int64_t *count)
{
    int64_t *counts = rico_alloc(archive->ctx, 2 * archive->table_count, sizeof *counts);
    if (!counts) return RICO_NO_MEMORY;
    for (int64_t t = 0; t < archive->table_count; t++) {
        counts[2 * t] = archive->tables[t].body.rows;
        counts[2 * t + 1] = archive->tables[t].index.rows;
    }
    const rico_saved saved = {.run = archive->number,
                              .sequence = archive->sequence + 1,
                              .count_count = 2 * archive->table_count,
                              .counts = counts,
                              .state_size = size,
                              .state = (void *)state};
    rico_status status = rico_checkpoint_pack(archive->ctx, &saved, words, count);
    rico_free(archive->ctx, counts);
    return status;
}


rico_status rico_archive_checkpoint(rico_archive *archive, const void *state, int64_t size)
{
    if (size < 0) {
        return rico_fail(archive->ctx, RICO_BAD_ARGUMENT, "%s: a checkpoint cannot have %lld bytes",
                         archive->path, (long long)size);
    }
    if (archive->shape)
        return rico_fail(archive->ctx, RICO_UNSUPPORTED, "%s has no checkpoints", archive->path);
    // rows first: a checkpoint must never promise what the file does not hold
    rico_status status = rico_archive_flush(archive);
    if (status == RICO_OK) status = check_drive(archive, rico_drive_drain(archive->drive));
    if (status != RICO_OK) return status;

    uint64_t *words = NULL;
    int64_t count = 0;
    status = pack(archive, state, size, &words, &count);
    if (status == RICO_OK) status = rico_checkpoint_put(archive->ctx, archive->checkpoint_path, words, count);
    if (status == RICO_OK) archive->sequence++;
    rico_free(archive->ctx, words);
    return status;
}


rico_status rico_archive_keep(rico_archive *archive, const void *state, int64_t size)
{
    rico_status status = check_open(archive);
    if (status == RICO_OK && size < 0)
        status = rico_fail(archive->ctx, RICO_BAD_ARGUMENT, "%s: a checkpoint cannot have %lld bytes",
                           archive->path, (long long)size);
    uint64_t *words = NULL;
    if (status != RICO_OK || archive->shape) return status; // nothing could extend what has no file
    status = pack(archive, state, size, &words, &archive->kept_words);
    if (status != RICO_OK) return status;
    rico_free(archive->ctx, archive->kept);
    archive->kept = words;
    return RICO_OK;
}


rico_status rico_archive_set_end(rico_archive *archive, double end)
{
    rico_status status = check_open(archive);
    if (status != RICO_OK) return status;
    if (archive->shape) {
        archive->shape->end = end;
        return RICO_OK;
    }
    rico_hdf5_silence silence;
    rico_hdf5_silence_begin(&silence);
    if (archive->end < 0 ||
        H5Dwrite(archive->end, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &end) < 0)
        status = rico_archive_fail_hdf5(archive, "change the end of the run");
    rico_hdf5_silence_end(&silence);
    return status;
}


// --- the end ------------------------------------------------------------------------------------------------

// Cuts rows that an earlier, longer run had left behind the last one.
static herr_t cut_stream(rico_stream *stream)
{
    for (int64_t c = 0; c < stream->column_count; c++) {
        rico_stream_column *column = &stream->columns[c];
        if (column->extent == stream->rows) continue;
        hsize_t extent[2] = {(hsize_t)stream->rows, (hsize_t)column->width};
        if (H5Dset_extent(column->set, extent) < 0) return -1;
        column->extent = stream->rows;
    }
    return 0;
}


// What an extension begins with. An archive of before there were any has no place for it.
static herr_t write_kept(rico_archive *archive)
{
    if (!archive->kept || archive->last < 0) return 0;
    const hsize_t words = (hsize_t)archive->kept_words;
    if (H5Dset_extent(archive->last, &words) < 0) return -1;
    return H5Dwrite(archive->last, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, archive->kept);
}


static herr_t cut_and_mark(rico_archive *archive)
{
    for (int64_t t = 0; t < archive->table_count; t++) {
        if (cut_stream(&archive->tables[t].body) < 0 || cut_stream(&archive->tables[t].index) < 0) return -1;
    }
    const int64_t yes = 1;
    if (write_kept(archive) < 0) return -1;
    if (H5Fflush(archive->file, H5F_SCOPE_LOCAL) < 0) return -1;
    return H5Dwrite(archive->finished, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &yes);
}


static void close_set(hid_t *set)
{
    if (*set >= 0) H5Dclose(*set);
    *set = -1;
}


static herr_t close_file(rico_archive *archive)
{
    for (int64_t t = 0; t < archive->table_count; t++) {
        rico_archive_table *table = &archive->tables[t];
        for (int64_t c = 0; c < table->body.column_count; c++) close_set(&table->body.columns[c].set);
        for (int64_t c = 0; c < table->index.column_count; c++) close_set(&table->index.columns[c].set);
    }
    close_set(&archive->finished);
    close_set(&archive->end);
    close_set(&archive->last);
    herr_t closed = archive->file >= 0 ? H5Fclose(archive->file) : 0;
    archive->file = -1;
    return closed;
}


// After a refused write the file is as a kill leaves it, marked as being written. Opening and closing it once more
// takes the mark away, for programs that mind; it changes bytes that are there already, which a full disk allows.
static void take_mark_away(rico_archive *archive)
{
    rico_drive *drive = NULL;
    if (rico_drive_create(archive->ctx, archive->path, false, &drive) != RICO_OK) return;
    hid_t file = rico_archive_reopen(drive, archive->path, true);
    if (file >= 0) {
        rico_archive_guard_end(file, drive, 0);
        H5Fclose(file);
    }
    rico_drive_destroy(drive);
}


rico_status rico_archive_close(rico_archive *archive, bool finished)
{
    rico_status status = check_open(archive);
    if (archive->shape) archive->shape->finished = finished;
    if (archive->file < 0) return status;
    if (status == RICO_OK) status = write_streams(archive);

    rico_hdf5_silence silence;
    rico_hdf5_silence_begin(&silence);
    if (status == RICO_OK && finished && cut_and_mark(archive) < 0) {
        status = keep_failure(archive, rico_archive_fail_hdf5(archive, "finish the file"));
    }
    bool closed = close_file(archive) >= 0;
    if (!closed && status == RICO_OK) {
        status = keep_failure(archive, rico_archive_fail_hdf5(archive, "close the file"));
    }
    int error = rico_drive_drain(archive->drive);
    if (status == RICO_OK) status = check_drive(archive, error);
    // HDF5 tries again to close what it could not when the program ends: the drive must then still be there
    if (closed) rico_drive_destroy(archive->drive);
    archive->drive = NULL;
    if (closed && error != 0) take_mark_away(archive);
    rico_hdf5_silence_end(&silence);

    // whatever the context says by now, the first failure is the one to tell
    if (status != RICO_OK) return repeat_failure(archive);
    return finished ? rico_checkpoint_remove(archive->ctx, archive->checkpoint_path) : RICO_OK;
}


static void free_stream(rico_context *ctx, rico_stream *stream)
{
    for (int64_t c = 0; stream->columns && c < stream->column_count; c++) {
        rico_free(ctx, stream->columns[c].block);
        rico_free(ctx, stream->columns[c].other);
    }
    rico_free(ctx, stream->columns);
}


void rico_archive_destroy(rico_archive *archive)
{
    if (!archive) return;
    rico_context *ctx = archive->ctx;
    if (archive->file >= 0) (void)rico_archive_close(archive, false);
    rico_drive_destroy(archive->drive);
    rico_results_destroy(archive->shape);
    for (int64_t t = 0; archive->tables && t < archive->table_count; t++) {
        free_stream(ctx, &archive->tables[t].body);
        free_stream(ctx, &archive->tables[t].index);
    }
    rico_free(ctx, archive->tables);
    rico_free(ctx, archive->kept);
    rico_free(ctx, archive->path);
    rico_free(ctx, archive->checkpoint_path);
    rico_free(ctx, archive);
}
