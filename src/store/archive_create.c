// Making an archive: the empty tables and the notes, under another name first.

#include "store/archive.h"

#include "base/clock.h"
#include "base/random.h"
#include "base/system.h"
#include "store/checkpoint.h"
#include "store/recognise.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>


// A string attribute; an absent text is no attribute.
static herr_t add_attribute(hid_t object, const char *name, const char *text)
{
    if (!text || !*text) return 0;
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR), attribute = -1;
    herr_t done = -1;
    if (type >= 0 && space >= 0 && H5Tset_size(type, strlen(text) + 1) >= 0 &&
        H5Tset_cset(type, H5T_CSET_UTF8) >= 0) {
        attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
        if (attribute >= 0) done = H5Awrite(attribute, type, text);
    }
    if (attribute >= 0) H5Aclose(attribute);
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    return done;
}


// A scalar dataset. It is written in place for good, so its room is taken at once.
static hid_t add_scalar(hid_t file, const char *name, hid_t type, const void *value)
{
    hid_t plan = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate(H5S_SCALAR), set = -1;
    if (plan >= 0 && space >= 0 && H5Pset_alloc_time(plan, H5D_ALLOC_TIME_EARLY) >= 0 &&
        H5Pset_obj_track_times(plan, false) >= 0) {
        set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    }
    if (set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) < 0) {
        H5Dclose(set);
        set = -1;
    }
    if (space >= 0) H5Sclose(space);
    if (plan >= 0) H5Pclose(plan);
    return set;
}


static herr_t add_note(hid_t file, const char *group, const rico_note *note)
{
    char name[128];
    snprintf(name, sizeof name, "%s/%s", group, note->name);
    hid_t set = -1;
    if (note->text) {
        hid_t type = H5Tcopy(H5T_C_S1);
        if (type >= 0 && H5Tset_size(type, strlen(note->text) + 1) >= 0 &&
            H5Tset_cset(type, H5T_CSET_UTF8) >= 0) {
            set = add_scalar(file, name, type, note->text);
        }
        if (type >= 0) H5Tclose(type);
    } else if (note->number == RICO_NUMBER_INTEGER) {
        set = add_scalar(file, name, H5T_NATIVE_INT64, &note->integer);
    } else {
        set = add_scalar(file, name, H5T_NATIVE_DOUBLE, &note->real);
    }
    return set < 0 ? -1 : H5Dclose(set);
}


static herr_t add_group(hid_t file, const char *name, const char *help)
{
    // columns keep their order
    hid_t plan = H5Pcreate(H5P_GROUP_CREATE), group = -1;
    if (plan >= 0 && H5Pset_link_creation_order(plan, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED) >= 0) {
        group = H5Gcreate2(file, name, H5P_DEFAULT, plan, H5P_DEFAULT);
    }
    if (plan >= 0) H5Pclose(plan);
    if (group < 0) return -1;
    herr_t done = add_attribute(group, "help", help);
    return H5Gclose(group) < 0 ? -1 : done;
}


// How a column is stored. Nothing is ever read before it is written, so nothing need be filled in.
static hid_t plan_storage(const rico_stream_column *column, const rico_table *table, int rank)
{
    const hsize_t chunk[2] = {(hsize_t)column->block_rows, (hsize_t)column->width};
    hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    if (create < 0) return -1;
    herr_t done = H5Pset_chunk(create, rank, chunk);
    if (done >= 0) done = H5Pset_obj_track_times(create, false);
    if (done >= 0) done = H5Pset_fill_time(create, H5D_FILL_TIME_NEVER);
    if (done >= 0 && table->compression > 0) done = H5Pset_shuffle(create);
    if (done >= 0 && table->compression > 0) done = H5Pset_deflate(create, (unsigned)table->compression);
    if (done >= 0) return create;
    H5Pclose(create);
    return -1;
}


static rico_status add_column(rico_archive *archive, const char *name, const rico_table *table,
                              const rico_column *column, rico_stream_column *into, void *user)
{
    (void)user;
    int rank = column && column->width > 0 ? 2 : 1;
    const hsize_t none[2] = {0, (hsize_t)into->width}, most[2] = {H5S_UNLIMITED, (hsize_t)into->width};
    hid_t space = H5Screate_simple(rank, none, most);
    hid_t create = plan_storage(into, table, rank), access = rico_store_access(into);
    if (space >= 0 && create >= 0 && access >= 0) {
        into->set = H5Dcreate2(archive->file, name, rico_store_type(into->number), space, H5P_DEFAULT, create,
                               access);
    }
    rico_status status = RICO_OK;
    if (into->set < 0 || add_attribute(into->set, "unit", column ? column->unit : NULL) < 0 ||
        add_attribute(into->set, "help",
                      column ? column->help : "items of row k are those from start[k] to start[k + 1] - 1") <
            0) {
        status = rico_archive_fail_hdf5(archive, "make a table");
    }
    if (access >= 0) H5Pclose(access);
    if (create >= 0) H5Pclose(create);
    if (space >= 0) H5Sclose(space);
    return status;
}


// A number that no other run has: the time, the process, and what they become when stirred.
static int64_t draw_number(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    rico_random random;
    rico_random_seed(&random, (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec);
    return (int64_t)((rico_random_bits(&random) ^ (uint64_t)getpid()) >> 1);
}


// Empty until the run finishes; in the mode for readers a dataset can grow, but none can be made.
static hid_t add_last(hid_t file)
{
    const hsize_t none = 0, most = H5S_UNLIMITED, chunk = 1 << 12;
    hid_t plan = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &none, &most), set = -1;
    if (plan >= 0 && space >= 0 && H5Pset_chunk(plan, 1, &chunk) >= 0 &&
        H5Pset_obj_track_times(plan, false) >= 0)
        set = H5Dcreate2(file, RICO_STORE_LAST, H5T_NATIVE_INT64, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    if (space >= 0) H5Sclose(space);
    if (plan >= 0) H5Pclose(plan);
    return set;
}


static herr_t add_run(rico_archive *archive)
{
    const int64_t version = RICO_STORE_VERSION, no = 0;
    const double unset = NAN;
    archive->end = add_scalar(archive->file, RICO_STORE_END, H5T_NATIVE_DOUBLE, &unset);
    archive->last = add_last(archive->file);
    hid_t format = add_scalar(archive->file, RICO_STORE_FORMAT, H5T_NATIVE_INT64, &version);
    hid_t number = add_scalar(archive->file, RICO_STORE_NUMBER, H5T_NATIVE_INT64, &archive->number);
    archive->finished = add_scalar(archive->file, RICO_STORE_FINISHED, H5T_NATIVE_INT64, &no);
    bool good =
        format >= 0 && number >= 0 && archive->finished >= 0 && archive->end >= 0 && archive->last >= 0;
    if (format >= 0) H5Dclose(format);
    if (number >= 0) H5Dclose(number);
    return good ? 0 : -1;
}


// Everything that the file will ever have but rows: in the mode for readers nothing can be added later.
static rico_status fill_file(rico_archive *archive, const rico_archive_plan *plan)
{
    archive->number = draw_number();
    hid_t file = archive->file;
    bool good = add_group(file, RICO_STORE_RUN, "the archive itself") >= 0 &&
                add_group(file, RICO_STORE_NOTES, "what was run") >= 0 && add_run(archive) >= 0 &&
                add_group(file, RICO_STORE_PARAMETERS, "numbers that the run was given") >= 0;
    for (int64_t k = 0; good && k < plan->note_count; k++)
        good = add_note(file, RICO_STORE_NOTES, &plan->notes[k]) >= 0;
    for (int64_t k = 0; good && k < plan->parameter_count; k++)
        good = add_note(file, RICO_STORE_PARAMETERS, &plan->parameters[k]) >= 0;
    for (int64_t t = 0; good && t < plan->table_count; t++) {
        good = add_group(file, plan->tables[t].name, plan->tables[t].help) >= 0;
    }
    if (!good) return rico_archive_fail_hdf5(archive, "make the file");
    rico_status status = rico_archive_visit(archive, plan, add_column, NULL);
    if (status != RICO_OK) return status;
    // what follows reads the file again: it must be there
    if (H5Fflush(file, H5F_SCOPE_LOCAL) < 0) return rico_archive_fail_hdf5(archive, "write the file");
    if (rico_drive_drain(archive->drive) != 0) return RICO_IO_ERROR; // create_file() says why
    if (H5Fstart_swmr_write(file) < 0) return rico_archive_fail_hdf5(archive, "let others read the file");
    rico_archive_begin_ragged(archive);
    return rico_archive_flush(archive);
}


static rico_status create_file(rico_archive *archive, const char *temporary, const rico_archive_plan *plan)
{
    rico_status status = rico_drive_create(archive->ctx, temporary, true, &archive->drive);
    if (status != RICO_OK) return status;
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), create = H5Pcreate(H5P_FILE_CREATE);
    if (access >= 0 && create >= 0 && rico_drive_attach(archive->drive, access) >= 0 &&
        H5Pset_link_creation_order(create, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED) >= 0 &&
        H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST) >= 0) {
        archive->file = H5Fcreate(temporary, H5F_ACC_TRUNC, create, access);
    }
    status = archive->file < 0 ? rico_archive_fail_hdf5(archive, "make the file") : fill_file(archive, plan);
    if (access >= 0) H5Pclose(access);
    if (create >= 0) H5Pclose(create);
    int error = rico_drive_drain(archive->drive);
    if (error == 0) return status;
    return rico_fail(archive->ctx, RICO_IO_ERROR, "%s: cannot be written: %s", archive->path,
                     rico_system_words(error));
}


// Says why what is at `path` may not be replaced.
static rico_status check_target(rico_context *ctx, const char *path, bool overwrite)
{
    struct stat about;
    if (stat(path, &about) != 0) return RICO_OK;
    if (S_ISDIR(about.st_mode)) {
        return rico_fail(ctx, RICO_IO_ERROR, "%s: cannot be written: %s", path, rico_system_words(EISDIR));
    }
    if (!S_ISREG(about.st_mode)) {
        return rico_fail(ctx, RICO_IO_ERROR, "%s: cannot be written: not a regular file", path);
    }
    if (!overwrite) {
        return rico_fail(ctx, RICO_IO_ERROR, "%s: exists already and is not overwritten unless asked for",
                         path);
    }
    if (rico_drive_busy(path))
        return rico_fail(ctx, RICO_IO_ERROR, "%s: another run is writing this file", path);
    if (about.st_size > 0 && !rico_is_archive(ctx, path))
        return rico_fail(
            ctx, RICO_IO_ERROR,
            "%s: is not a result file of rico and is left alone; remove it, or choose another name", path);
    return RICO_OK;
}


// Moves the finished skeleton to its place. A checkpoint that lies there belongs to the file that goes.
static rico_status put_in_place(rico_archive *archive, const char *temporary)
{
    rico_status status = rico_checkpoint_remove(archive->ctx, archive->checkpoint_path);
    if (status != RICO_OK) return status;
    rico_drive_mend(archive->ctx, archive->path); // a journal that lies there goes the same way
    if (rename(temporary, archive->path) == 0) return RICO_OK;
    return rico_fail(archive->ctx, RICO_IO_ERROR, "%s: cannot be written: %s", archive->path,
                     rico_system_words(errno));
}


rico_status rico_archive_create(rico_context *ctx, const char *path, const rico_archive_plan *plan,
                                rico_archive **out)
{
    rico_status status = rico_archive_check_plan(ctx, plan);
    if (status == RICO_OK) status = check_target(ctx, path, plan->overwrite);
    if (status != RICO_OK) return status;
    rico_archive *archive = NULL;
    status = rico_archive_allocate(ctx, path, plan, &archive);
    if (status != RICO_OK) return status;

    size_t room = strlen(path) + 64;
    char *temporary = rico_alloc(ctx, (int64_t)room, 1);
    archive->checkpoint_path = rico_checkpoint_path(ctx, path);
    if (!temporary || !archive->checkpoint_path) {
        rico_free(ctx, temporary);
        rico_archive_destroy(archive);
        return RICO_NO_MEMORY;
    }
    // one that a killed run left here is of no use to anybody; one that is being made has its lock
    snprintf(temporary, room, "%s.new", path);
    if (!rico_drive_busy(temporary)) unlink(temporary);

    rico_hdf5_silence silence;
    rico_hdf5_silence_begin(&silence);
    status = create_file(archive, temporary, plan);
    rico_hdf5_silence_end(&silence);
    if (status == RICO_OK) status = put_in_place(archive, temporary);
    if (status == RICO_OK) status = rico_drive_keep_journal(archive->drive, path);
    if (status != RICO_OK) {
        // destroying may fail in its turn; this is the sentence to keep
        char sentence[300];
        snprintf(sentence, sizeof sentence, "%s", rico_message(ctx));
        unlink(temporary);
        rico_archive_destroy(archive);
        rico_fail(ctx, status, "%s", sentence);
    } else {
        archive->last_flush = rico_clock();
        *out = archive;
    }
    rico_free(ctx, temporary);
    return status;
}
