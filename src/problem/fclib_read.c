// Reads an FCLIB file into a problem, its texts, its solution and its guesses.
//
// The equalities of the file (V, R, s or G, b) join the contacts as one equality block at the end:
//
//     W <- [ W  V ]   q <- [ q ]          H <- [ H  G ]   w <- [ w ]      r <- [ r ]   u <- [ u ]
//          [ V' R ]        [ s ]                               [ b ]           [ l ]        [ 0 ]
//
// Sizes are compared with the extents of the datasets before anything of that size is allocated, and every
// number is checked here, where its place in the file is still known.

#include "problem/fclib.h"

#include "la/csc.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// A reduced problem keeps its equalities in one dense block. A file of a few bytes can announce any number of them,
// so there is an end: 2 GiB.
enum { MOST_REDUCED_EQUALITIES = 16384 };

// Which kind of file, and its sizes once known.
typedef struct layout {
    bool global;
    const char *root;                       // "fclib_local" or "fclib_global"
    int64_t spacedim, contacts;             // contact rows = spacedim * contacts
    int64_t contact_rows, equalities, dofs; // dofs: global files only
} layout;


// Finds which of the two kinds of problem the file holds.
static rico_status find_root(rico_hdf5_file *file, layout *sizes)
{
    bool local = false, global = false;
    rico_status status = rico_hdf5_find(file, "fclib_local", H5I_GROUP, &local);
    if (status == RICO_OK) status = rico_hdf5_find(file, "fclib_global", H5I_GROUP, &global);
    if (status != RICO_OK) return status;
    if (local && global) {
        return rico_fail(file->ctx, RICO_BAD_INPUT, "has both fclib_local and fclib_global: one is allowed");
    }
    if (!local && !global) {
        return rico_fail(file->ctx, RICO_BAD_INPUT,
                         "has neither fclib_local nor fclib_global: it is not an FCLIB file");
    }
    sizes->global = global;
    sizes->root = global ? "fclib_global" : "fclib_local";

    char name[RICO_FCLIB_NAME];
    status = rico_hdf5_integer(file, rico_fclib_name(name, sizes->root, "spacedim"), &sizes->spacedim);
    if (status == RICO_OK && sizes->spacedim != 2 && sizes->spacedim != 3) {
        status = rico_fail(file->ctx, RICO_BAD_INPUT, "%s = %" PRId64 " is neither 2 nor 3", name,
                           sizes->spacedim);
    }
    if (status == RICO_OK) {
        status = rico_hdf5_require(file, rico_fclib_name(name, sizes->root, "vectors"), H5I_GROUP);
    }
    return status;
}


// Refuses a vector whose length is not that of what it goes with.
static rico_status check_count(rico_hdf5_file *file, const char *name, int64_t expected, const char *why)
{
    int64_t count;
    rico_status status = rico_hdf5_count(file, name, RICO_HDF5_REALS, &count);
    if (status == RICO_OK && count != expected) {
        status = rico_fail(file->ctx, RICO_BAD_INPUT, "%s has %" PRId64 " entries, but %s is %" PRId64, name,
                           count, why, expected);
    }
    return status;
}


// Refuses a matrix of another size than its neighbours want; `why` names them.
static rico_status check_size(rico_context *ctx, const char *name, const rico_fclib_matrix *a, int64_t rows,
                              int64_t cols, const char *why)
{
    if (a->rows == rows && a->cols == cols) return RICO_OK;
    return rico_fail(ctx, RICO_BAD_INPUT,
                     "%s is %" PRId64 " x %" PRId64 ", but %s wants %" PRId64 " x %" PRId64, name, a->rows,
                     a->cols, why, rows, cols);
}


// A vector of exactly `count` entries, which the caller frees.
static rico_status read_vector(rico_hdf5_file *file, const char *name, int64_t count, const char *why,
                               double **out)
{
    rico_status status = check_count(file, name, count, why);
    if (status == RICO_OK) status = rico_hdf5_reals(file, name, count, out);
    return status;
}


// Two vectors, one after the other: contacts, then equalities. The second may be NULL: its part stays zero.
static rico_status join(rico_context *ctx, const double *first, int64_t first_count, const double *second,
                        int64_t second_count, double **out)
{
    double *whole = rico_alloc(ctx, first_count + second_count, sizeof *whole);
    if (!whole) return RICO_NO_MEMORY;
    memcpy(whole, first, (size_t)first_count * sizeof *whole);
    if (second) memcpy(whole + first_count, second, (size_t)second_count * sizeof *whole);
    *out = whole;
    return RICO_OK;
}


// The right-hand side of the rows: `first` of the contacts (q or w), then `second` of the equalities (s or b).
static rico_status read_row_vector(rico_hdf5_file *file, const layout *sizes, const char *first,
                                   const char *second, double **out)
{
    char name[RICO_FCLIB_NAME];
    double *contacts = NULL, *equalities = NULL;
    rico_fclib_name(name, sizes->root, first);
    rico_status status =
        read_vector(file, name, sizes->contact_rows, "the number of contact rows", &contacts);
    if (status == RICO_OK && sizes->equalities > 0) {
        rico_fclib_name(name, sizes->root, second);
        status = read_vector(file, name, sizes->equalities, "the number of equalities", &equalities);
    }
    if (status == RICO_OK) {
        status = join(file->ctx, contacts, sizes->contact_rows, equalities, sizes->equalities, out);
    }
    rico_free(file->ctx, contacts);
    rico_free(file->ctx, equalities);
    return status;
}


// Refuses `vector` of equalities that have no matrix: dropping them in silence would change the problem.
static rico_status refuse_orphan(rico_hdf5_file *file, const char *vector, const char *matrix)
{
    bool found;
    int64_t count = 0;
    rico_status status = rico_hdf5_find(file, vector, H5I_DATASET, &found);
    if (status == RICO_OK && found) status = rico_hdf5_count(file, vector, RICO_HDF5_REALS, &count);
    if (status == RICO_OK && count > 0) {
        status = rico_fail(file->ctx, RICO_BAD_INPUT, "%s has %" PRId64 " entries, but %s is missing", vector,
                           count, matrix);
    }
    return status;
}


// Friction coefficients into blocks: the contacts, and one block for the equalities if there are any.
static rico_status read_blocks(rico_hdf5_file *file, layout *sizes, const char *rows_name,
                               int64_t *block_count, rico_block **out)
{
    char name[RICO_FCLIB_NAME];
    if (sizes->contact_rows % sizes->spacedim != 0) {
        return rico_fail(file->ctx, RICO_BAD_INPUT,
                         "%s = %" PRId64 " is not a multiple of %s/spacedim = %" PRId64, rows_name,
                         sizes->contact_rows, sizes->root, sizes->spacedim);
    }
    sizes->contacts = sizes->contact_rows / sizes->spacedim;

    double *friction = NULL;
    rico_fclib_name(name, sizes->root, "vectors/mu");
    rico_status status = read_vector(file, name, sizes->contacts, "the number of contacts", &friction);
    for (int64_t a = 0; status == RICO_OK && a < sizes->contacts; a++) {
        if (friction[a] < 0.0) {
            status = rico_fail(file->ctx, RICO_BAD_INPUT, "%s[%" PRId64 "] = %g is negative", name, a,
                               friction[a]);
        }
    }

    rico_block *blocks = NULL;
    if (status == RICO_OK) {
        blocks = rico_alloc(file->ctx, sizes->contacts + 1, sizeof *blocks);
        if (!blocks) status = RICO_NO_MEMORY;
    }
    if (status == RICO_OK) {
        rico_block_kind kind = sizes->spacedim == 2 ? RICO_COULOMB_2D : RICO_COULOMB_3D;
        for (int64_t a = 0; a < sizes->contacts; a++) {
            blocks[a] = (rico_block){kind, sizes->spacedim, friction[a]};
        }
        *block_count = sizes->contacts;
        if (sizes->equalities > 0) {
            blocks[(*block_count)++] = (rico_block){RICO_EQUALITY, sizes->equalities, 0.0};
        }
        *out = blocks;
    }
    rico_free(file->ctx, friction);
    return status;
}


// Where the entries of a part of a larger matrix go.
typedef struct part {
    const rico_fclib_matrix *matrix;
    int64_t row, col; // of the part's first entry
    bool transposed;
} part;


// Compresses a matrix made of parts.
static rico_status assemble(rico_context *ctx, const char *name, int64_t rows, int64_t cols, int part_count,
                            const part *parts, rico_csc *out)
{
    rico_fclib_matrix whole = {.rows = rows, .cols = cols};
    for (int p = 0; p < part_count; p++) whole.count += parts[p].matrix->count;
    whole.row = rico_alloc(ctx, whole.count, sizeof *whole.row);
    if (whole.row) whole.col = rico_alloc(ctx, whole.count, sizeof *whole.col);
    if (whole.col) whole.value = rico_alloc(ctx, whole.count, sizeof *whole.value);

    rico_status status = whole.value ? RICO_OK : RICO_NO_MEMORY;
    if (status == RICO_OK) {
        int64_t at = 0;
        for (int p = 0; p < part_count; p++) {
            const rico_fclib_matrix *a = parts[p].matrix;
            const int64_t *row = parts[p].transposed ? a->col : a->row;
            const int64_t *col = parts[p].transposed ? a->row : a->col;
            for (int64_t k = 0; k < a->count; k++, at++) {
                whole.row[at] = parts[p].row + row[k];
                whole.col[at] = parts[p].col + col[k];
                whole.value[at] = a->value[k];
            }
        }
        status = rico_csc_from_triplets(ctx, name, rows, cols, whole.count, whole.row, whole.col, whole.value,
                                        out);
    }
    rico_fclib_matrix_destroy(ctx, &whole);
    return status;
}


// V and R come together or not at all; without them they stay empty.
static rico_status read_local_equalities(rico_hdf5_file *file, layout *sizes, rico_fclib_matrix *V,
                                         rico_fclib_matrix *R)
{
    bool has_V, has_R = false;
    rico_status status = rico_hdf5_find(file, "fclib_local/V", H5I_GROUP, &has_V);
    if (status == RICO_OK) status = rico_hdf5_find(file, "fclib_local/R", H5I_GROUP, &has_R);
    if (status != RICO_OK) return status;
    if (has_V != has_R) {
        return rico_fail(file->ctx, RICO_BAD_INPUT, "fclib_local/%s is missing, but fclib_local/%s is there",
                         has_V ? "R" : "V", has_V ? "V" : "R");
    }
    if (!has_V) return refuse_orphan(file, "fclib_local/vectors/s", "fclib_local/V");

    status = rico_fclib_read_matrix(file, "fclib_local/V", V);
    if (status == RICO_OK) {
        sizes->equalities = V->cols;
        status = check_size(file->ctx, "fclib_local/V", V, sizes->contact_rows, V->cols, "fclib_local/W");
    }
    if (status == RICO_OK) status = rico_fclib_read_matrix(file, "fclib_local/R", R);
    if (status == RICO_OK) {
        status = check_size(file->ctx, "fclib_local/R", R, V->cols, V->cols, "fclib_local/V");
    }
    if (status == RICO_OK && V->cols > MOST_REDUCED_EQUALITIES) {
        status =
            rico_fail(file->ctx, RICO_BAD_INPUT,
                      "fclib_local/V has %" PRId64 " columns: more than %d equalities need the global form",
                      V->cols, MOST_REDUCED_EQUALITIES);
    }
    return status;
}


static rico_status read_local(rico_hdf5_file *file, layout *sizes, rico_problem **out)
{
    rico_context *ctx = file->ctx;
    rico_fclib_matrix W = {0}, V = {0}, R = {0};
    rico_csc whole = {0};
    rico_block *blocks = NULL;
    double *q = NULL;
    int64_t block_count = 0;

    rico_status status = rico_fclib_read_matrix(file, "fclib_local/W", &W);
    if (status == RICO_OK && W.rows != W.cols) {
        status = rico_fail(ctx, RICO_BAD_INPUT,
                           "fclib_local/W is %" PRId64 " x %" PRId64 ", which is not square", W.rows, W.cols);
    }
    sizes->contact_rows = W.rows;
    if (status == RICO_OK) status = read_local_equalities(file, sizes, &V, &R);
    if (status == RICO_OK) status = read_blocks(file, sizes, "fclib_local/W/m", &block_count, &blocks);
    if (status == RICO_OK) status = read_row_vector(file, sizes, "vectors/q", "vectors/s", &q);

    if (status == RICO_OK) {
        int64_t m = sizes->contact_rows, rows = m + sizes->equalities;
        const part parts[] = {{&W, 0, 0, false}, {&V, 0, m, false}, {&V, m, 0, true}, {&R, m, m, false}};
        status = assemble(ctx, "fclib_local/W", rows, rows, 4, parts, &whole);
    }
    if (status == RICO_OK) {
        rico_sparse_view view = rico_csc_view(&whole);
        status = rico_problem_create_reduced(ctx, block_count, blocks, &view, q, out);
    }

    rico_fclib_matrix_destroy(ctx, &W);
    rico_fclib_matrix_destroy(ctx, &V);
    rico_fclib_matrix_destroy(ctx, &R);
    rico_csc_destroy(&whole);
    rico_free(ctx, blocks);
    rico_free(ctx, q);
    return status;
}


// The matrices of a global file, with sizes that agree. G stays empty where there is none.
static rico_status read_global_matrices(rico_hdf5_file *file, layout *sizes, rico_fclib_matrix *M,
                                        rico_fclib_matrix *H, rico_fclib_matrix *G)
{
    rico_status status = rico_fclib_read_matrix(file, "fclib_global/M", M);
    if (status == RICO_OK && M->rows != M->cols) {
        status =
            rico_fail(file->ctx, RICO_BAD_INPUT,
                      "fclib_global/M is %" PRId64 " x %" PRId64 ", which is not square", M->rows, M->cols);
    }
    if (status == RICO_OK) status = rico_fclib_read_matrix(file, "fclib_global/H", H);
    if (status == RICO_OK) {
        status = check_size(file->ctx, "fclib_global/H", H, M->rows, H->cols, "fclib_global/M");
    }

    bool has_G = false;
    if (status == RICO_OK) status = rico_hdf5_find(file, "fclib_global/G", H5I_GROUP, &has_G);
    if (status == RICO_OK && has_G) {
        status = rico_fclib_read_matrix(file, "fclib_global/G", G);
        if (status == RICO_OK) {
            status = check_size(file->ctx, "fclib_global/G", G, M->rows, G->cols, "fclib_global/M");
        }
    } else if (status == RICO_OK) {
        status = refuse_orphan(file, "fclib_global/vectors/b", "fclib_global/G");
    }
    sizes->dofs = M->rows;
    sizes->contact_rows = H->cols;
    sizes->equalities = G->cols;
    return status;
}


static rico_status read_global(rico_hdf5_file *file, layout *sizes, rico_problem **out)
{
    rico_context *ctx = file->ctx;
    rico_fclib_matrix M = {0}, H = {0}, G = {0};
    rico_csc mass = {0}, jacobian = {0};
    rico_block *blocks = NULL;
    double *f = NULL, *w = NULL;
    int64_t block_count = 0;

    rico_status status = read_global_matrices(file, sizes, &M, &H, &G);
    if (status == RICO_OK) status = read_blocks(file, sizes, "fclib_global/H/n", &block_count, &blocks);
    if (status == RICO_OK) {
        status = read_vector(file, "fclib_global/vectors/f", sizes->dofs, "the number of rows of M", &f);
    }
    if (status == RICO_OK) status = read_row_vector(file, sizes, "vectors/w", "vectors/b", &w);

    if (status == RICO_OK) {
        const part parts[] = {{&M, 0, 0, false}};
        status = assemble(ctx, "fclib_global/M", sizes->dofs, sizes->dofs, 1, parts, &mass);
    }
    if (status == RICO_OK) {
        const part parts[] = {{&H, 0, 0, false}, {&G, 0, sizes->contact_rows, false}};
        status = assemble(ctx, "fclib_global/H", sizes->dofs, sizes->contact_rows + sizes->equalities, 2,
                          parts, &jacobian);
    }
    if (status == RICO_OK) {
        rico_sparse_view mass_view = rico_csc_view(&mass), jacobian_view = rico_csc_view(&jacobian);
        status = rico_problem_create_global(ctx, block_count, blocks, &mass_view, &jacobian_view, f, w, out);
    }

    rico_fclib_matrix_destroy(ctx, &M);
    rico_fclib_matrix_destroy(ctx, &H);
    rico_fclib_matrix_destroy(ctx, &G);
    rico_csc_destroy(&mass);
    rico_csc_destroy(&jacobian);
    rico_free(ctx, blocks);
    rico_free(ctx, f);
    rico_free(ctx, w);
    return status;
}


// A vector of a state. FCLIB writes none of length zero, so only a vector with entries can be missing.
static rico_status read_state_vector(rico_hdf5_file *file, const char *group, const char *item, int64_t count,
                                     const char *why, bool required, double **out)
{
    char name[RICO_FCLIB_NAME];
    bool found;
    rico_fclib_name(name, group, item);
    rico_status status = rico_hdf5_find(file, name, H5I_DATASET, &found);
    if (status != RICO_OK) return status;
    if (found) return read_vector(file, name, count, why, out);
    if (!required) return RICO_OK;
    if (count > 0) return rico_fail(file->ctx, RICO_BAD_INPUT, "%s is missing", name);
    *out = rico_alloc(file->ctx, 0, sizeof **out);
    return *out ? RICO_OK : RICO_NO_MEMORY;
}


static void destroy_state(rico_context *ctx, rico_fclib_state *state)
{
    rico_free(ctx, state->u);
    rico_free(ctx, state->r);
    rico_free(ctx, state->v);
    *state = (rico_fclib_state){0};
}


// r must be there, and l when there are equalities; u and v need not.
static rico_status read_state(rico_hdf5_file *file, const char *group, const layout *sizes,
                              rico_fclib_state *out)
{
    int64_t m = sizes->contact_rows, e = sizes->equalities;
    const char *of_rows = "the number of contact rows";
    double *r = NULL, *l = NULL, *u = NULL;
    rico_fclib_state state = {0};

    rico_status status = rico_hdf5_require(file, group, H5I_GROUP);
    if (status == RICO_OK) status = read_state_vector(file, group, "r", m, of_rows, true, &r);
    if (status == RICO_OK) status = read_state_vector(file, group, "u", m, of_rows, false, &u);
    if (status == RICO_OK) {
        status = read_state_vector(file, group, "l", e, "the number of equalities", true, &l);
    }
    if (status == RICO_OK && sizes->global) {
        status = read_state_vector(file, group, "v", sizes->dofs, "the number of rows of M", false, &state.v);
    }

    if (status == RICO_OK) status = join(file->ctx, r, m, l, e, &state.r);
    if (status == RICO_OK && u) status = join(file->ctx, u, m, NULL, e, &state.u);
    rico_free(file->ctx, r);
    rico_free(file->ctx, l);
    rico_free(file->ctx, u);
    if (status != RICO_OK) {
        destroy_state(file->ctx, &state);
        return status;
    }
    *out = state;
    return RICO_OK;
}


static rico_status read_solution(rico_hdf5_file *file, const layout *sizes, rico_fclib *out)
{
    rico_status status = rico_hdf5_find(file, "solution", H5I_GROUP, &out->has_solution);
    if (status == RICO_OK && out->has_solution) status = read_state(file, "solution", sizes, &out->solution);
    return status;
}


static rico_status read_guesses(rico_hdf5_file *file, const layout *sizes, rico_fclib *out)
{
    bool found = false;
    int64_t count = 0;
    rico_status status = rico_hdf5_find(file, "guesses", H5I_GROUP, &found);
    if (status != RICO_OK || !found) return status;
    status = rico_hdf5_integer(file, "guesses/number_of_guesses", &count);
    if (status != RICO_OK) return status;
    if (count < 0) {
        return rico_fail(file->ctx, RICO_BAD_INPUT, "guesses/number_of_guesses = %" PRId64 " is negative",
                         count);
    }

    // as many groups as were counted, none more; found before room is made for them, for the count may be absurd
    char name[RICO_FCLIB_NAME];
    for (int64_t k = 0; k <= count; k++) {
        snprintf(name, sizeof name, "guesses/%" PRIu64, (uint64_t)k + 1);
        status = rico_hdf5_find(file, name, H5I_GROUP, &found);
        if (status == RICO_OK && found != (k < count)) {
            status =
                rico_fail(file->ctx, RICO_BAD_INPUT, "%s is %s, but guesses/number_of_guesses = %" PRId64,
                          name, found ? "there" : "missing", count);
        }
        if (status != RICO_OK) return status;
    }

    out->guesses = rico_alloc(file->ctx, count, sizeof *out->guesses);
    if (!out->guesses) return RICO_NO_MEMORY;
    out->guess_count = count;
    for (int64_t k = 0; status == RICO_OK && k < count; k++) {
        snprintf(name, sizeof name, "guesses/%" PRId64, k + 1);
        status = read_state(file, name, sizes, &out->guesses[k]);
    }
    return status;
}


// One text of the file's info, "" when absent.
static rico_status read_info(rico_hdf5_file *file, const layout *sizes, bool has_info, const char *item,
                             char **out)
{
    char name[RICO_FCLIB_NAME];
    bool found = false;
    rico_fclib_name(name, sizes->root, item);
    rico_status status = has_info ? rico_hdf5_find(file, name, H5I_DATASET, &found) : RICO_OK;
    if (status != RICO_OK) return status;
    if (found) return rico_hdf5_text(file, name, out);
    *out = rico_alloc(file->ctx, 1, 1);
    return *out ? RICO_OK : RICO_NO_MEMORY;
}


static rico_status read_file(rico_hdf5_file *file, rico_fclib *out)
{
    layout sizes = {0};
    rico_status status = find_root(file, &sizes);
    if (status == RICO_OK) {
        status =
            sizes.global ? read_global(file, &sizes, &out->problem) : read_local(file, &sizes, &out->problem);
    }
    if (status == RICO_OK) status = read_solution(file, &sizes, out);
    if (status == RICO_OK) status = read_guesses(file, &sizes, out);
    if (status != RICO_OK) return status;

    char name[RICO_FCLIB_NAME];
    bool has_info;
    rico_fclib_name(name, sizes.root, "info");
    status = rico_hdf5_find(file, name, H5I_GROUP, &has_info);
    if (status == RICO_OK) status = read_info(file, &sizes, has_info, "info/title", &out->title);
    if (status == RICO_OK) status = read_info(file, &sizes, has_info, "info/description", &out->description);
    if (status == RICO_OK) status = read_info(file, &sizes, has_info, "info/math_info", &out->math_info);
    return status;
}


rico_status rico_fclib_read(rico_context *ctx, const char *path, rico_fclib **out)
{
    *out = NULL;
    rico_fclib *read = rico_alloc(ctx, 1, sizeof *read);
    if (!read) return rico_fail_in(ctx, RICO_NO_MEMORY, path);

    rico_hdf5_file file;
    rico_status status = rico_hdf5_open(ctx, path, &file);
    if (status == RICO_OK) status = read_file(&file, read);
    rico_hdf5_close(&file);
    if (status != RICO_OK) {
        rico_fclib_destroy(ctx, read);
        return rico_fail_in(ctx, status, path);
    }
    *out = read;
    return RICO_OK;
}


void rico_fclib_destroy(rico_context *ctx, rico_fclib *file)
{
    if (!file) return;
    rico_problem_destroy(file->problem);
    rico_free(ctx, file->title);
    rico_free(ctx, file->description);
    rico_free(ctx, file->math_info);
    destroy_state(ctx, &file->solution);
    for (int64_t k = 0; k < file->guess_count; k++) destroy_state(ctx, &file->guesses[k]);
    rico_free(ctx, file->guesses);
    rico_free(ctx, file);
}
