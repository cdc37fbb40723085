// Writes a problem as an FCLIB file, with its texts, solution and guesses.
//
// The rows are contacts, then equalities, and the matrices are cut where the two meet (fclib_read.c joins them).
// The file is made in memory first and then put in place at once: HDF5 is never near a disk that may be full, and
// nobody ever sees half a file. No times are recorded, so the same problem gives the same bytes.

#include "base/replace_file.h"
#include "problem/fclib.h"
#include "problem/problem.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Rows and columns of a file: how many are contacts, how many equalities.
typedef struct layout {
    bool global;
    int spacedim;
    int64_t contacts, contact_rows, equalities, dofs;
} layout;


// The open file and what is needed to add to it.
typedef struct writer {
    rico_context *ctx;
    hid_t file, group_plan, dataset_plan;
    rico_fclib_storage storage;
} writer;


// Finds the cut between contacts and equalities, or says why FCLIB has no place for these blocks.
static rico_status lay_out(const rico_problem *problem, layout *out)
{
    rico_context *ctx = problem->ctx;
    layout sizes = {.global = problem->global, .spacedim = 3, .dofs = problem->dofs};
    for (int64_t a = 0; a < problem->block_count; a++) {
        rico_block block = rico_problem_block(problem, a);
        if (block.kind == RICO_EQUALITY) {
            sizes.equalities += block.size;
            continue;
        }
        if (block.kind != RICO_COULOMB_2D && block.kind != RICO_COULOMB_3D) {
            return rico_fail(ctx, RICO_UNSUPPORTED,
                             "FCLIB has no place for block %" PRId64
                             ", which is %s: it holds Coulomb contacts and equalities",
                             a, rico_block_describe(block.kind)->name);
        }
        if (sizes.equalities > 0) {
            return rico_fail(ctx, RICO_UNSUPPORTED,
                             "FCLIB has no place for contacts after equalities: block %" PRId64
                             " is %s and follows an equality",
                             a, rico_block_describe(block.kind)->name);
        }
        if (sizes.contacts > 0 && block.size != sizes.spacedim) {
            return rico_fail(ctx, RICO_UNSUPPORTED,
                             "FCLIB holds contacts of one dimension: block %" PRId64
                             " is %s, those before it have %d rows",
                             a, rico_block_describe(block.kind)->name, sizes.spacedim);
        }
        sizes.spacedim = (int)block.size;
        sizes.contacts++;
        sizes.contact_rows += block.size;
    }
    *out = sizes;
    return RICO_OK;
}


static rico_status check_finite(rico_context *ctx, const char *what, const char *item, int64_t count,
                                const double *x)
{
    for (int64_t k = 0; x && k < count; k++) {
        if (isfinite(x[k])) continue;
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s/%s[%" PRId64 "] is not a finite number", what, item, k);
    }
    return RICO_OK;
}


// What a solution or guess must have: r, u, and no number that a reader would refuse.
static rico_status check_state(const rico_problem *problem, const char *what, const rico_fclib_state *state)
{
    rico_context *ctx = problem->ctx;
    if (problem->rows > 0 && (!state->r || !state->u)) {
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s/%s was not given", what, state->r ? "u" : "r");
    }
    rico_status status = check_finite(ctx, what, "r", problem->rows, state->r);
    if (status == RICO_OK) status = check_finite(ctx, what, "u", problem->rows, state->u);
    if (status == RICO_OK) status = check_finite(ctx, what, "v", problem->dofs, state->v);
    return status;
}


static rico_status check_extras(const rico_problem *problem, const rico_fclib_extras *extras)
{
    rico_context *ctx = problem->ctx;
    if ((int)extras->storage < RICO_FCLIB_CSC || extras->storage > RICO_FCLIB_TRIPLETS) {
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "%d is no storage of FCLIB", (int)extras->storage);
    }
    if (extras->guess_count < 0 || (extras->guess_count > 0 && !extras->guesses)) {
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "%" PRId64 " guesses were announced, none given",
                         extras->guess_count);
    }
    rico_status status = RICO_OK;
    if (extras->solution) status = check_state(problem, "solution", extras->solution);
    for (int64_t k = 0; status == RICO_OK && k < extras->guess_count; k++) {
        char name[RICO_FCLIB_NAME];
        snprintf(name, sizeof name, "guesses/%" PRId64, k + 1);
        status = check_state(problem, name, &extras->guesses[k]);
    }
    return status;
}


static rico_status fail_hdf5(const writer *w, const char *name)
{
    char reason[RICO_HDF5_REASON];
    return rico_fail(w->ctx, RICO_INTERNAL, "HDF5 cannot make %s: %s", name, rico_hdf5_reason(reason));
}


static rico_status add_group(const writer *w, const char *name)
{
    hid_t group = H5Gcreate2(w->file, name, H5P_DEFAULT, w->group_plan, H5P_DEFAULT);
    if (group < 0) return fail_hdf5(w, name);
    H5Gclose(group);
    return RICO_OK;
}


// Adds a dataset in the given space (which it closes): `stored` is its type on disk, `held` that of `data`.
static rico_status add_dataset(const writer *w, const char *name, hid_t space, hid_t stored, hid_t held,
                               const void *data)
{
    if (space < 0) return fail_hdf5(w, name);
    rico_status status = RICO_OK;
    hid_t set = H5Dcreate2(w->file, name, stored, space, H5P_DEFAULT, w->dataset_plan, H5P_DEFAULT);
    bool empty = H5Sget_simple_extent_npoints(space) == 0;
    if (set < 0 || (!empty && H5Dwrite(set, held, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)) {
        status = fail_hdf5(w, name);
    }
    if (set >= 0) H5Dclose(set);
    H5Sclose(space);
    return status;
}


static rico_status add_reals(const writer *w, const char *group, const char *item, int64_t count,
                             const double *x)
{
    char name[RICO_FCLIB_NAME];
    hsize_t extent = (hsize_t)count;
    hid_t space = H5Screate_simple(1, &extent, NULL);
    return add_dataset(w, rico_fclib_name(name, group, item), space, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, x);
}


// FCLIB knows int alone: 32 bits. What does not fit was refused by check_indices_fit().
static rico_status add_integers(const writer *w, const char *group, const char *item, int64_t count,
                                const int64_t *x)
{
    char name[RICO_FCLIB_NAME];
    hsize_t extent = (hsize_t)count;
    hid_t space = H5Screate_simple(1, &extent, NULL);
    return add_dataset(w, rico_fclib_name(name, group, item), space, H5T_STD_I32LE, H5T_NATIVE_INT64, x);
}


static rico_status add_text(const writer *w, const char *group, const char *item, const char *text)
{
    if (!text) return RICO_OK;
    char name[RICO_FCLIB_NAME];
    hid_t type = H5Tcopy(H5T_C_S1);
    rico_status status;
    if (type < 0 || H5Tset_size(type, strlen(text) + 1) < 0) {
        status = fail_hdf5(w, rico_fclib_name(name, group, item));
    } else {
        status = add_dataset(w, rico_fclib_name(name, group, item), H5Screate(H5S_SCALAR), type, type, text);
    }
    if (type >= 0) H5Tclose(type);
    return status;
}


static rico_status check_indices_fit(rico_context *ctx, const char *name, const rico_csc *a)
{
    int64_t count = rico_csc_count(a);
    if (a->rows < INT32_MAX && a->cols < INT32_MAX && count <= INT32_MAX) return RICO_OK;
    return rico_fail(ctx, RICO_UNSUPPORTED,
                     "FCLIB has 32-bit integers: %s, %" PRId64 " x %" PRId64 " with %" PRId64
                     " entries, is too large",
                     name, a->rows, a->cols, count);
}


// Adds a matrix in the storage asked for.
static rico_status add_matrix(const writer *w, const char *name, const rico_csc *a)
{
    rico_status status = check_indices_fit(w->ctx, name, a);
    if (status != RICO_OK) return status;

    // compressed rows are the compressed columns of the transpose
    rico_csc turned = {0};
    int64_t *cols = NULL;
    int64_t count = rico_csc_count(a), nz = RICO_FCLIB_NZ_CSC, p_count = a->cols + 1;
    const int64_t *p = a->start, *i = a->row;
    const double *x = a->value;
    if (w->storage == RICO_FCLIB_CSR) {
        status = rico_csc_transpose(a, &turned);
        nz = RICO_FCLIB_NZ_CSR;
        p_count = a->rows + 1;
        p = turned.start;
        i = turned.row;
        x = turned.value;
    } else if (w->storage == RICO_FCLIB_TRIPLETS) {
        cols = rico_alloc(w->ctx, count, sizeof *cols);
        if (!cols) status = RICO_NO_MEMORY;
        for (int64_t j = 0; cols && j < a->cols; j++) {
            for (int64_t k = a->start[j]; k < a->start[j + 1]; k++) cols[k] = j;
        }
        nz = p_count = count;
        p = cols;
    }

    if (status == RICO_OK) status = add_group(w, name);
    if (status == RICO_OK) status = add_integers(w, name, "m", 1, &a->rows);
    if (status == RICO_OK) status = add_integers(w, name, "n", 1, &a->cols);
    if (status == RICO_OK) status = add_integers(w, name, "nzmax", 1, &count);
    if (status == RICO_OK) status = add_integers(w, name, "nz", 1, &nz);
    if (status == RICO_OK) status = add_integers(w, name, "p", p_count, p);
    if (status == RICO_OK) status = add_integers(w, name, "i", count, i);
    if (status == RICO_OK) status = add_reals(w, name, "x", count, x);
    rico_csc_destroy(&turned);
    rico_free(w->ctx, cols);
    return status;
}


// The rows r0 .. r1-1 of the columns c0 .. c1-1, as a matrix of its own.
static rico_status cut(rico_context *ctx, const rico_sparse_view *a, int64_t r0, int64_t r1, int64_t c0,
                       int64_t c1, rico_csc *out)
{
    int64_t count = 0;
    for (int64_t k = a->start[c0]; k < a->start[c1]; k++) count += a->row[k] >= r0 && a->row[k] < r1;

    rico_csc made = {.ctx = ctx, .rows = r1 - r0, .cols = c1 - c0};
    made.start = rico_alloc(ctx, made.cols + 1, sizeof *made.start);
    made.row = rico_alloc(ctx, count, sizeof *made.row);
    made.value = rico_alloc(ctx, count, sizeof *made.value);
    if (!made.start || !made.row || !made.value) {
        rico_csc_destroy(&made);
        return RICO_NO_MEMORY;
    }

    int64_t at = 0;
    for (int64_t j = c0; j < c1; j++) {
        for (int64_t k = a->start[j]; k < a->start[j + 1]; k++) {
            if (a->row[k] < r0 || a->row[k] >= r1) continue;
            made.row[at] = a->row[k] - r0;
            made.value[at++] = a->value[k];
        }
        made.start[j - c0 + 1] = at;
    }
    *out = made;
    return RICO_OK;
}


// Cuts the rows and columns and adds what is left under `name`.
static rico_status add_cut(const writer *w, const char *name, const rico_sparse_view *a, int64_t r0,
                           int64_t r1, int64_t c0, int64_t c1)
{
    rico_csc piece = {0};
    rico_status status = cut(w->ctx, a, r0, r1, c0, c1, &piece);
    if (status == RICO_OK) status = add_matrix(w, name, &piece);
    rico_csc_destroy(&piece);
    return status;
}


static double largest_entry(const rico_csc *a)
{
    double largest = 0.0;
    for (int64_t k = 0; k < rico_csc_count(a); k++) largest = fmax(largest, fabs(a->value[k]));
    return largest;
}


// FCLIB keeps V for both corners of W. The lower one may differ from V' by the round-off of whoever made W, taken
// as 1e-12 of the largest entry of the two; more is another problem than the file would hold.
static rico_status check_corners(rico_context *ctx, const rico_sparse_view *W, int64_t m)
{
    rico_csc upper = {0}, lower = {0}, turned = {0};
    rico_status status = cut(ctx, W, 0, m, m, W->cols, &upper);
    if (status == RICO_OK) status = cut(ctx, W, m, W->rows, 0, m, &lower);
    if (status == RICO_OK) status = rico_csc_transpose(&lower, &turned);

    double allowed = status == RICO_OK ? 1e-12 * fmax(largest_entry(&upper), largest_entry(&lower)) : 0.0;
    for (int64_t j = 0; status == RICO_OK && j < upper.cols; j++) {
        // both columns are sorted: walk them together, an entry that only one has faces a zero
        int64_t a = upper.start[j], b = turned.start[j];
        int64_t a_end = upper.start[j + 1], b_end = turned.start[j + 1];
        while (status == RICO_OK && (a < a_end || b < b_end)) {
            int64_t row_a = a < a_end ? upper.row[a] : INT64_MAX,
                    row_b = b < b_end ? turned.row[b] : INT64_MAX;
            double x = row_a <= row_b ? upper.value[a++] : 0.0, y = row_b <= row_a ? turned.value[b++] : 0.0;
            if (fabs(x - y) <= allowed) continue;
            int64_t row = row_a < row_b ? row_a : row_b;
            status = rico_fail(ctx, RICO_UNSUPPORTED,
                               "FCLIB has one V for contacts and equalities, but W(%" PRId64 ", %" PRId64
                               ") = %.17g and W(%" PRId64 ", %" PRId64 ") = %.17g",
                               row, m + j, x, m + j, row, y);
        }
    }
    rico_csc_destroy(&upper);
    rico_csc_destroy(&lower);
    rico_csc_destroy(&turned);
    return status;
}


static rico_status add_local(const writer *w, rico_problem *problem, const layout *sizes)
{
    int64_t m = sizes->contact_rows, e = sizes->equalities, rows = m + e;
    rico_sparse_view W = {0};
    rico_status status = rico_problem_delassus(problem, &W);
    if (status != RICO_OK) return status;

    status = add_cut(w, "fclib_local/W", &W, 0, m, 0, m);
    if (status == RICO_OK && e > 0) {
        status = check_corners(w->ctx, &W, m);
        if (status == RICO_OK) status = add_cut(w, "fclib_local/V", &W, 0, m, m, rows);
        if (status == RICO_OK) status = add_cut(w, "fclib_local/R", &W, m, rows, m, rows);
    }
    rico_sparse_release(w->ctx, &W);

    const char *vectors = "fclib_local/vectors";
    const double *q = rico_problem_free_velocity(problem);
    if (status == RICO_OK) status = add_group(w, vectors);
    if (status == RICO_OK) status = add_reals(w, vectors, "q", m, q);
    if (status == RICO_OK && e > 0) status = add_reals(w, vectors, "s", e, q + m);
    if (status == RICO_OK) status = add_reals(w, vectors, "mu", sizes->contacts, problem->friction);
    return status;
}


static rico_status add_global(const writer *w, const rico_problem *problem, const layout *sizes)
{
    int64_t n = sizes->dofs, m = sizes->contact_rows, e = sizes->equalities;
    rico_sparse_view H = rico_problem_jacobian(problem);
    rico_status status = add_matrix(w, "fclib_global/M", &problem->M);
    if (status == RICO_OK) status = add_cut(w, "fclib_global/H", &H, 0, n, 0, m);
    if (status == RICO_OK && e > 0) status = add_cut(w, "fclib_global/G", &H, 0, n, m, m + e);

    const char *vectors = "fclib_global/vectors";
    if (status == RICO_OK) status = add_group(w, vectors);
    if (status == RICO_OK) status = add_reals(w, vectors, "f", n, problem->f);
    if (status == RICO_OK) status = add_reals(w, vectors, "w", m, problem->w);
    if (status == RICO_OK && e > 0) status = add_reals(w, vectors, "b", e, problem->w + m);
    if (status == RICO_OK) status = add_reals(w, vectors, "mu", sizes->contacts, problem->friction);
    return status;
}


static rico_status add_state(const writer *w, const char *group, const layout *sizes,
                             const rico_fclib_state *state)
{
    int64_t m = sizes->contact_rows, e = sizes->equalities;
    rico_status status = add_group(w, group);
    if (status == RICO_OK && sizes->global && state->v) {
        status = add_reals(w, group, "v", sizes->dofs, state->v);
    }
    if (status == RICO_OK) status = add_reals(w, group, "u", m, state->u);
    if (status == RICO_OK) status = add_reals(w, group, "r", m, state->r);
    if (status == RICO_OK && e > 0) status = add_reals(w, group, "l", e, state->r + m);
    return status;
}


static rico_status add_guesses(const writer *w, const layout *sizes, const rico_fclib_extras *extras)
{
    rico_status status = add_group(w, "guesses");
    if (status == RICO_OK) status = add_integers(w, "guesses", "number_of_guesses", 1, &extras->guess_count);
    for (int64_t k = 0; status == RICO_OK && k < extras->guess_count; k++) {
        char name[RICO_FCLIB_NAME];
        snprintf(name, sizeof name, "guesses/%" PRId64, k + 1);
        status = add_state(w, name, sizes, &extras->guesses[k]);
    }
    return status;
}


static rico_status add_everything(const writer *w, rico_problem *problem, const layout *sizes,
                                  const rico_fclib_extras *extras)
{
    const char *root = sizes->global ? "fclib_global" : "fclib_local";
    int64_t spacedim = sizes->spacedim;
    rico_status status = add_group(w, root);
    if (status == RICO_OK) status = add_integers(w, root, "spacedim", 1, &spacedim);
    if (status == RICO_OK) {
        status = sizes->global ? add_global(w, problem, sizes) : add_local(w, problem, sizes);
    }

    char info[RICO_FCLIB_NAME];
    if (status == RICO_OK && (extras->title || extras->description || extras->math_info)) {
        status = add_group(w, rico_fclib_name(info, root, "info"));
        if (status == RICO_OK) status = add_text(w, info, "title", extras->title);
        if (status == RICO_OK) status = add_text(w, info, "description", extras->description);
        if (status == RICO_OK) status = add_text(w, info, "math_info", extras->math_info);
    }
    if (status == RICO_OK && extras->solution) status = add_state(w, "solution", sizes, extras->solution);
    if (status == RICO_OK && extras->guess_count > 0) status = add_guesses(w, sizes, extras);
    return status;
}


// Opens a file that lives in memory alone; `path` is but a name to it.
static rico_status open_in_memory(writer *w, const char *path)
{
    enum { GROWTH = 1 << 20 };
    rico_status status = RICO_OK;
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_FILE_CREATE);
    w->group_plan = H5Pcreate(H5P_GROUP_CREATE);
    w->dataset_plan = H5Pcreate(H5P_DATASET_CREATE);
    if (access < 0 || creation < 0 || w->group_plan < 0 || w->dataset_plan < 0 ||
        H5Pset_fapl_core(access, GROWTH, 0) < 0 || H5Pset_obj_track_times(creation, 0) < 0 ||
        H5Pset_obj_track_times(w->group_plan, 0) < 0 || H5Pset_obj_track_times(w->dataset_plan, 0) < 0) {
        status = fail_hdf5(w, "a file in memory");
    } else {
        w->file = H5Fcreate(path, H5F_ACC_TRUNC, creation, access);
        if (w->file < 0) status = fail_hdf5(w, "a file in memory");
    }
    if (access >= 0) H5Pclose(access);
    if (creation >= 0) H5Pclose(creation);
    return status;
}


static void close_in_memory(writer *w)
{
    if (w->group_plan >= 0) H5Pclose(w->group_plan);
    if (w->dataset_plan >= 0) H5Pclose(w->dataset_plan);
    if (w->file >= 0) H5Fclose(w->file);
}


// Copies the bytes of the file in memory.
static rico_status take_image(const writer *w, char **bytes, int64_t *size)
{
    ssize_t length = H5Fflush(w->file, H5F_SCOPE_LOCAL) < 0 ? -1 : H5Fget_file_image(w->file, NULL, 0);
    if (length < 0) return fail_hdf5(w, "the image of the file");
    *bytes = rico_alloc(w->ctx, (int64_t)length, 1);
    if (!*bytes) return RICO_NO_MEMORY;
    if (H5Fget_file_image(w->file, *bytes, (size_t)length) != length) {
        return fail_hdf5(w, "the image of the file");
    }
    *size = (int64_t)length;
    return RICO_OK;
}


rico_status rico_fclib_write(rico_problem *problem, const rico_fclib_extras *extras, const char *path)
{
    static const rico_fclib_extras nothing = {0};
    if (!extras) extras = &nothing;

    rico_context *ctx = problem->ctx;
    layout sizes = {0};
    rico_status status = check_extras(problem, extras);
    if (status == RICO_OK) status = lay_out(problem, &sizes);
    if (status != RICO_OK) return rico_fail_in(ctx, status, path);

    rico_hdf5_silence silence;
    rico_hdf5_silence_begin(&silence);
    writer w = {.ctx = ctx, .file = -1, .group_plan = -1, .dataset_plan = -1, .storage = extras->storage};
    char *bytes = NULL;
    int64_t size = 0;
    status = open_in_memory(&w, path);
    if (status == RICO_OK) status = add_everything(&w, problem, &sizes, extras);
    if (status == RICO_OK) status = take_image(&w, &bytes, &size);
    close_in_memory(&w);
    rico_hdf5_silence_end(&silence);

    status = status == RICO_OK ? rico_replace_file(ctx, path, bytes, size) : rico_fail_in(ctx, status, path);
    rico_free(ctx, bytes);
    return status;
}
