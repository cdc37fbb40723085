// The solution, in a copy of the file that the problem was read from.
//
// The first rank copies the file byte by byte and adds the group that rico_fclib_write() would; the others send what it
// writes, a stretch at a time, so that no rank ever holds the whole.

#include "base/replace_file.h"
#include "base/system.h"
#include "problem.h"
#include "problem/fclib.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STRETCH = 1 << 18 }; // entries gathered at a time

// What a dataset of the solution holds, and of which contacts or bodies this rank knows it.
typedef enum field { FIELD_V, FIELD_U, FIELD_R, FIELDS } field;
static const char *const NAMES[] = {[FIELD_V] = "v", [FIELD_U] = "u", [FIELD_R] = "r"};


// Entries first .. first + count - 1 of a field, as far as this rank owns them; zeros elsewhere.
static void fill(const rico_mpi_problem *p, field which, int64_t first, int64_t count, double *out)
{
    const rico_mpi_share *share = p->share;
    memset(out, 0, (size_t)count * sizeof *out);
    if (which == FIELD_V) {
        for (int64_t b = 0; b < share->own; b++)
            for (int k = 0; k < share->dofs[b]; k++) {
                int64_t at = share->dof[b] + k - first;
                if (at >= 0 && at < count) out[at] = share->v[6 * b + k];
            }
        return;
    }
    const double *from = which == FIELD_U ? p->u : p->r;
    int n = share->dimension;
    for (int64_t u = 0; u < share->unit_count; u++)
        for (int64_t c = share->unit[u].first; share->unit[u].counts && c < share->unit[u].last; c++)
            for (int i = 0; i < n; i++) {
                int64_t at = n * share->id[c] + i - first;
                if (at >= 0 && at < count) out[at] = from[3 * c + i];
            }
}


// The dataset, on the first rank; -1 where it could not be made.
static hid_t make_dataset(hid_t file, const char *name, int64_t count)
{
    char path[RICO_FCLIB_NAME];
    hsize_t extent = (hsize_t)count;
    hid_t plan = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &extent, NULL), set = -1;
    if (plan >= 0 && space >= 0 && H5Pset_obj_track_times(plan, 0) >= 0)
        set = H5Dcreate2(file, rico_fclib_name(path, "solution", name), H5T_IEEE_F64LE, space, H5P_DEFAULT,
                         plan, H5P_DEFAULT);
    if (plan >= 0) H5Pclose(plan);
    if (space >= 0) H5Sclose(space);
    return set;
}


static bool write_stretch(hid_t set, int64_t first, int64_t count, const double *x)
{
    hsize_t start = (hsize_t)first, extent = (hsize_t)count;
    hid_t memory = H5Screate_simple(1, &extent, NULL), space = H5Dget_space(set);
    bool done = memory >= 0 && space >= 0 &&
                H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &extent, NULL) >= 0 &&
                H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, x) >= 0;
    if (memory >= 0) H5Sclose(memory);
    if (space >= 0) H5Sclose(space);
    return done;
}


// One field: gathered by everybody, written by the first.
static rico_status add_field(rico_mpi_problem *p, hid_t file, field which, double *mine, double *all)
{
    rico_crew *crew = p->crew;
    int64_t total = which == FIELD_V ? p->share->all_dofs : p->share->dimension * p->share->all_contacts;
    hid_t set = crew->rank == 0 ? make_dataset(file, NAMES[which], total) : -1;
    rico_status status = RICO_OK;
    if (crew->rank == 0 && set < 0)
        status = rico_fail(p->ctx, RICO_IO_ERROR, "solution/%s cannot be made", NAMES[which]);
    for (int64_t first = 0; first < total; first += STRETCH) {
        int64_t count = total - first < STRETCH ? total - first : STRETCH;
        fill(p, which, first, count, mine);
        MPI_Reduce(mine, all, (int)count, MPI_DOUBLE, MPI_SUM, 0, crew->comm);
        if (crew->rank == 0 && !status && !write_stretch(set, first, count, all))
            status = rico_fail(p->ctx, RICO_IO_ERROR, "solution/%s cannot be written", NAMES[which]);
    }
    if (set >= 0) H5Dclose(set);
    return status;
}


static rico_status copy_file(rico_context *ctx, const char *from, const char *to)
{
    enum { PIECE = 1 << 20 };
    FILE *in = fopen(from, "rb"), *out = in ? fopen(to, "wb") : NULL;
    char *piece = rico_alloc(ctx, PIECE, 1);
    rico_status status = piece ? RICO_OK : RICO_NO_MEMORY;
    if (!in || !out)
        status = rico_fail(ctx, RICO_IO_ERROR, "%s: %s", in ? to : from, rico_system_words(errno));
    for (size_t got = 1; !status && got > 0;) {
        got = fread(piece, 1, PIECE, in);
        if (fwrite(piece, 1, got, out) != got || ferror(in))
            status = rico_fail(ctx, RICO_IO_ERROR, "%s: %s", to, rico_system_words(errno));
    }
    if (in) fclose(in);
    if (out && fclose(out) != 0 && !status)
        status = rico_fail(ctx, RICO_IO_ERROR, "%s: %s", to, rico_system_words(errno));
    rico_free(ctx, piece);
    return status;
}


// Texts that the file may lack are written empty, as rico_fclib_write() does.
static bool complete_texts(hid_t file)
{
    static const char *const texts[] = {"fclib_global/info/title", "fclib_global/info/description",
                                        "fclib_global/info/math_info"};
    bool done = true;
    hid_t group_plan = H5Pcreate(H5P_GROUP_CREATE), set_plan = H5Pcreate(H5P_DATASET_CREATE);
    hid_t space = H5Screate(H5S_SCALAR), type = H5Tcopy(H5T_C_S1);
    done = group_plan >= 0 && set_plan >= 0 && space >= 0 && type >= 0 && H5Tset_size(type, 1) >= 0 &&
           H5Pset_obj_track_times(group_plan, 0) >= 0 && H5Pset_obj_track_times(set_plan, 0) >= 0;
    if (done && H5Lexists(file, "fclib_global/info", H5P_DEFAULT) <= 0) {
        hid_t group = H5Gcreate2(file, "fclib_global/info", H5P_DEFAULT, group_plan, H5P_DEFAULT);
        done = group >= 0 && H5Gclose(group) >= 0;
    }
    for (size_t i = 0; done && i < sizeof texts / sizeof texts[0]; i++) {
        if (H5Lexists(file, texts[i], H5P_DEFAULT) > 0) continue;
        hid_t set = H5Dcreate2(file, texts[i], type, space, H5P_DEFAULT, set_plan, H5P_DEFAULT);
        done = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, "") >= 0;
        if (set >= 0) H5Dclose(set);
    }
    if (group_plan >= 0) H5Pclose(group_plan);
    if (set_plan >= 0) H5Pclose(set_plan);
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    return done;
}


// The copy, open for writing and without a solution; first rank only.
static rico_status open_copy(rico_mpi_problem *p, const char *path, hid_t *file)
{
    rico_status status = copy_file(p->ctx, p->path, path);
    if (status) return status;
    *file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t plan = H5Pcreate(H5P_GROUP_CREATE), group = -1;
    if (*file >= 0 && plan >= 0) {
        if (H5Lexists(*file, "solution", H5P_DEFAULT) > 0) H5Ldelete(*file, "solution", H5P_DEFAULT);
        if (H5Pset_obj_track_times(plan, 0) >= 0)
            group = H5Gcreate2(*file, "solution", H5P_DEFAULT, plan, H5P_DEFAULT);
    }
    if (group < 0 || !complete_texts(*file))
        status = rico_fail(p->ctx, RICO_IO_ERROR, "%s: the group of the solution cannot be made", path);
    if (group >= 0) H5Gclose(group);
    if (plan >= 0) H5Pclose(plan);
    return status;
}


rico_status rico_mpi_write(rico_mpi_problem *p, const char *path)
{
    rico_context *ctx = p->ctx;
    rico_crew *crew = p->crew;
    if (!p->path)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s: the problem was not read from a file to copy", path);
    rico_hdf5_silence silence;
    rico_hdf5_silence_begin(&silence);
    hid_t file = -1;
    int64_t length = (int64_t)strlen(path) + 8;
    char *beside = rico_alloc(ctx, length, 1);
    double *mine = rico_alloc(ctx, STRETCH, sizeof *mine), *all = rico_alloc(ctx, STRETCH, sizeof *all);
    rico_status status = rico_crew_agree(crew, beside && mine && all ? RICO_OK : RICO_NO_MEMORY);
    if (!status) {
        snprintf(beside, (size_t)length, "%s.part", path);
        status = rico_crew_agree(crew, crew->rank == 0 ? open_copy(p, beside, &file) : RICO_OK);
    }
    // in the order in which the serial program writes them
    for (field which = 0; !status && which < FIELDS; which++)
        status = rico_crew_agree(crew, add_field(p, file, which, mine, all));
    if (file >= 0 && H5Fclose(file) < 0 && !status)
        status = rico_fail(ctx, RICO_IO_ERROR, "%s cannot be closed", beside);
    if (crew->rank == 0 && !status && rename(beside, path) != 0)
        status = rico_fail(ctx, RICO_IO_ERROR, "%s: %s", path, rico_system_words(errno));
    if (crew->rank == 0 && status && beside) unlink(beside);
    rico_hdf5_silence_end(&silence);
    rico_free(ctx, beside);
    rico_free(ctx, mine);
    rico_free(ctx, all);
    return rico_crew_agree(crew, status);
}
