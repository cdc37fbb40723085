// Going on after a kill: the last checkpoint, and a file whose writer did not close it.

#include "store/archive.h"

#include "base/clock.h"
#include "store/checkpoint.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>


// HDF5's own tool for this, h5clear, sets the same properties: take the mark of the dead writer away, and do not mind
// a file that is shorter than what was allocated.
static herr_t forgive(hid_t access)
{
    // nobody else changes the file: what is wrong at first stays wrong
    if (H5Pset_metadata_read_attempts(access, 1) < 0) return -1;
    static const char *const properties[] = {"clear_status_flags", "skip_eof_check"};
    const hbool_t yes = true;
    for (int k = 0; k < 2; k++) {
        if (H5Pexist(access, properties[k]) <= 0 || H5Pset(access, properties[k], &yes) < 0) return -1;
    }
    return 0;
}


hid_t rico_archive_reopen(rico_drive *drive, const char *path, bool plain)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), file = -1;
    if (access >= 0 && rico_drive_attach(drive, access) >= 0 &&
        H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST) >= 0 && forgive(access) >= 0) {
        file = H5Fopen(path, plain ? H5F_ACC_RDWR : H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE, access);
    }
    if (access >= 0) H5Pclose(access);
    return file;
}


herr_t rico_archive_guard_end(hid_t file, const rico_drive *drive, int64_t end)
{
    int64_t size = rico_drive_size(drive);
    return H5Fincrement_filesize(file, end > size ? (hsize_t)(end - size) : 0);
}


herr_t rico_archive_chunk_end(const rico_stream_column *column, int64_t *end)
{
    *end = 0;
    if (column->extent == 0) return 0;
    const hsize_t last[2] = {(hsize_t)(column->extent - 1), 0};
    hid_t plan = H5Dget_create_plist(column->set);
    hsize_t chunk[2] = {0, 0}, size = 0;
    haddr_t place = HADDR_UNDEF;
    unsigned skipped = 0;
    int rank = plan >= 0 ? H5Pget_chunk(plan, 2, chunk) : -1;
    if (plan >= 0) H5Pclose(plan);
    if (rank < 1 || chunk[0] == 0) return -1;
    const hsize_t corner[2] = {last[0] / chunk[0] * chunk[0], 0};
    if (H5Dget_chunk_info_by_coord(column->set, corner, &skipped, &place, &size) < 0) return -1;
    if (place != HADDR_UNDEF) *end = (int64_t)(place + size);
    return 0;
}


// Opens a column and checks that it is the one of the plan.
static rico_status open_column(rico_archive *archive, const char *name, const rico_table *table,
                               const rico_column *column, rico_stream_column *into, void *user)
{
    (void)table;
    int64_t *end = user;
    int rank = column && column->width > 0 ? 2 : 1;
    hid_t access = rico_store_access(into);
    if (access >= 0 && H5Lexists(archive->file, name, H5P_DEFAULT) > 0) {
        into->set = H5Dopen2(archive->file, name, access);
    }
    if (access >= 0) H5Pclose(access);
    hid_t space = into->set < 0 ? -1 : H5Dget_space(into->set);
    hid_t type = into->set < 0 ? -1 : H5Dget_type(into->set);

    hsize_t extent[2] = {0, 1};
    bool same = space >= 0 && type >= 0 && H5Sget_simple_extent_ndims(space) == rank &&
                H5Sget_simple_extent_dims(space, extent, NULL) == rank &&
                H5Tequal(type, rico_store_type(into->number)) > 0 &&
                (rank == 1 || extent[1] == (hsize_t)into->width);
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    if (!same) {
        return rico_fail(archive->ctx, RICO_BAD_INPUT, "%s: column %s is not as this run would write it",
                         archive->path, name);
    }
    into->extent = extent[0] > (hsize_t)INT64_MAX ? INT64_MAX : (int64_t)extent[0];
    int64_t chunk_end;
    if (rico_archive_chunk_end(into, &chunk_end) < 0) {
        return rico_fail(archive->ctx, RICO_BAD_INPUT, "%s: column %s is damaged", archive->path, name);
    }
    if (chunk_end > *end) *end = chunk_end;
    return RICO_OK;
}


// Puts a stream where its checkpoint left it. A block that had begun need not be read back: what is written of it
// is not written again.
static rico_status place_stream(rico_archive *archive, const char *table, rico_stream *stream, int64_t rows)
{
    for (int64_t c = 0; c < stream->column_count; c++) {
        rico_stream_column *column = &stream->columns[c];
        column->written = rows;
        if (rows >= 0 && column->extent >= rows) continue;
        return rico_fail(archive->ctx, RICO_BAD_INPUT,
                         "%s: table %s holds %lld rows, but its checkpoint was made with %lld", archive->path,
                         table, (long long)column->extent, (long long)rows);
    }
    stream->rows = rows;
    return RICO_OK;
}


static rico_status read_integer(rico_archive *archive, const char *name, int64_t *out)
{
    hid_t set = H5Dopen2(archive->file, name, H5P_DEFAULT);
    herr_t done = set < 0 ? -1 : H5Dread(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, out);
    if (set >= 0) H5Dclose(set);
    if (done >= 0) return RICO_OK;
    return rico_fail(archive->ctx, RICO_BAD_INPUT, "%s: %s is missing: not an archive of Ricochet",
                     archive->path, name);
}


// /run must name the checkpoint's run; it is no longer finished.
static rico_status check_run(rico_archive *archive, const rico_saved *saved)
{
    int64_t format = 0;
    const int64_t no = 0;
    rico_status status = read_integer(archive, RICO_STORE_FORMAT, &format);
    if (status == RICO_OK) status = read_integer(archive, RICO_STORE_NUMBER, &archive->number);
    if (status != RICO_OK) return status;
    if (format != RICO_STORE_VERSION) {
        return rico_fail(archive->ctx, RICO_BAD_INPUT, "%s: format %lld is not %d, which this version writes",
                         archive->path, (long long)format, RICO_STORE_VERSION);
    }
    if (archive->number != saved->run) {
        return rico_fail(archive->ctx, RICO_BAD_INPUT, "%s: its checkpoint is of another run", archive->path);
    }
    // files of before there were extensions have no place for them
    if (H5Lexists(archive->file, RICO_STORE_END, H5P_DEFAULT) > 0)
        archive->end = H5Dopen2(archive->file, RICO_STORE_END, H5P_DEFAULT);
    if (H5Lexists(archive->file, RICO_STORE_LAST, H5P_DEFAULT) > 0)
        archive->last = H5Dopen2(archive->file, RICO_STORE_LAST, H5P_DEFAULT);
    archive->finished = H5Dopen2(archive->file, RICO_STORE_FINISHED, H5P_DEFAULT);
    if (archive->finished < 0 ||
        H5Dwrite(archive->finished, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &no) < 0) {
        return rico_archive_fail_hdf5(archive, "mark the run as going on");
    }
    return RICO_OK;
}


static rico_status open_archive(rico_archive *archive, const rico_archive_plan *plan, const rico_saved *saved)
{
    rico_status status = rico_drive_create(archive->ctx, archive->path, false, &archive->drive);
    if (status == RICO_OK) status = rico_drive_keep_journal(archive->drive, archive->path);
    if (status != RICO_OK) return status;
    archive->file = rico_archive_reopen(archive->drive, archive->path, false);
    if (archive->file < 0) {
        char reason[RICO_HDF5_REASON];
        return rico_fail(archive->ctx, RICO_BAD_INPUT, "%s: is damaged and cannot be resumed: %s",
                         archive->path, rico_hdf5_reason(reason));
    }
    int64_t end = 0;
    status = rico_archive_visit(archive, plan, open_column, &end);
    if (status != RICO_OK) return status;
    if (rico_archive_guard_end(archive->file, archive->drive, end) < 0) {
        return rico_archive_fail_hdf5(archive, "find the end of the file");
    }
    status = check_run(archive, saved);
    if (status == RICO_OK && saved->count_count != 2 * plan->table_count) {
        status =
            rico_fail(archive->ctx, RICO_BAD_INPUT, "%s: its checkpoint is of other tables", archive->path);
    }
    for (int64_t t = 0; status == RICO_OK && t < plan->table_count; t++) {
        const char *name = plan->tables[t].name;
        status = place_stream(archive, name, &archive->tables[t].body, saved->counts[2 * t]);
        if (status == RICO_OK && plan->tables[t].ragged) {
            status = place_stream(archive, name, &archive->tables[t].index, saved->counts[2 * t + 1]);
        }
    }
    archive->sequence = saved->sequence;
    archive->last_flush = rico_clock();
    return status;
}


rico_status rico_archive_resume(rico_context *ctx, const char *path, const rico_archive_plan *plan,
                                rico_archive **out, rico_checkpoint *checkpoint)
{
    *out = NULL;
    rico_status status = rico_archive_check_plan(ctx, plan);
    if (status != RICO_OK) return status;
    rico_archive *archive = NULL;
    status = rico_archive_allocate(ctx, path, plan, &archive);
    if (status != RICO_OK) return status;

    bool found = false;
    rico_saved saved = {0};
    archive->checkpoint_path = rico_checkpoint_path(ctx, path);
    status = archive->checkpoint_path ? rico_checkpoint_read(ctx, archive->checkpoint_path, &found, &saved)
                                      : RICO_NO_MEMORY;
    if (found) {
        rico_hdf5_silence silence;
        rico_hdf5_silence_begin(&silence);
        status = open_archive(archive, plan, &saved);
        rico_hdf5_silence_end(&silence);
    }
    if (!found || status != RICO_OK) {
        char sentence[300];
        snprintf(sentence, sizeof sentence, "%s", rico_message(ctx));
        rico_archive_destroy(archive);
        rico_saved_release(ctx, &saved);
        return status == RICO_OK ? RICO_OK : rico_fail(ctx, status, "%s", sentence);
    }
    *checkpoint = (rico_checkpoint){saved.state, saved.state_size, saved.sequence};
    saved.state = NULL;
    rico_saved_release(ctx, &saved);
    *out = archive;
    return RICO_OK;
}


// What rico_archive_keep() left in a finished file; *words stays NULL when it left nothing.
static rico_status read_kept(rico_context *ctx, const char *path, int64_t **words, int64_t *count)
{
    rico_hdf5_file file;
    bool found = false;
    int64_t finished = 0;
    rico_status status = rico_hdf5_open(ctx, path, &file);
    if (status == RICO_OK) status = rico_hdf5_find(&file, RICO_STORE_RUN, H5I_GROUP, &found);
    if (status == RICO_OK && found) status = rico_hdf5_find(&file, RICO_STORE_FINISHED, H5I_DATASET, &found);
    if (status == RICO_OK && found) status = rico_hdf5_integer(&file, RICO_STORE_FINISHED, &finished);
    if (status == RICO_OK && finished) status = rico_hdf5_find(&file, RICO_STORE_LAST, H5I_DATASET, &found);
    if (status == RICO_OK && finished && found)
        status = rico_hdf5_count(&file, RICO_STORE_LAST, RICO_HDF5_INTEGERS, count);
    if (status == RICO_OK && finished && found && *count > 0)
        status = rico_hdf5_integers(&file, RICO_STORE_LAST, *count, words);
    if (status != RICO_OK) rico_fail_in(ctx, status, path);
    rico_hdf5_close(&file);
    return status;
}


// The kept words become the checkpoint: from then on this is a run that was stopped, and resumed like any.
rico_status rico_archive_extend(rico_context *ctx, const char *path, const rico_archive_plan *plan,
                                rico_archive **out, rico_checkpoint *checkpoint)
{
    *out = NULL;
    int64_t *words = NULL, count = 0;
    if (rico_drive_busy(path))
        return rico_fail(ctx, RICO_IO_ERROR, "%s: another run is writing this file", path);
    rico_status status = read_kept(ctx, path, &words, &count);
    char *place = status == RICO_OK && words ? rico_checkpoint_path(ctx, path) : NULL;
    if (status == RICO_OK && words && !place) status = RICO_NO_MEMORY;
    if (place) status = rico_checkpoint_put(ctx, place, (const uint64_t *)words, count);
    bool kept = words != NULL;
    rico_free(ctx, place);
    rico_free(ctx, words);
    return status == RICO_OK && kept ? rico_archive_resume(ctx, path, plan, out, checkpoint) : status;
}


void rico_checkpoint_release(rico_context *ctx, rico_checkpoint *checkpoint)
{
    rico_free(ctx, checkpoint->state);
    *checkpoint = (rico_checkpoint){0};
}
