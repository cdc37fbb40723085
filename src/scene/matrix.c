// Matrices and vectors written in a scene.

#include "scene/matrix.h"

#include "scene/document_build.h"
#include "scene/matrix_file.h"
#include "scene/schema.h"

#include <math.h>

// What an inline size may claim: beyond it a file is the better place, and memory is not spent on a slip of the pen.
enum { MOST_ROWS = 1 << 20 };

static const rico_schema_key matrix_keys[] = {
    {"file", RICO_WANT_PATH, RICO_KEY_REQUIRED, .group = "form", .help = "a .mtx, .csv or .h5 file"},
    {"identity", RICO_WANT_INTEGER, .group = "form", .low = 1, .high = MOST_ROWS,
     .help = "number of rows, ones on the diagonal"},
    {"diagonal", RICO_WANT_ANY, .group = "form",
     .help = "the diagonal of a square matrix: a list, or a formula of the index i with size"},
    {"band", RICO_WANT_FORMULAS, .group = "form", .least = 1,
     .help = "diagonals, lowest to highest, an odd number of formulas of the row i, with size"},
    {"size", RICO_WANT_INTEGER, .low = 1, .high = MOST_ROWS,
     .help = "number of rows, with band or a formula for diagonal"},
    {"entries", RICO_WANT_ANY, .group = "form", .help = "list of [row, column, value], from 0"},
    {"rows", RICO_WANT_INTEGER, .high = MOST_ROWS, .help = "number of rows, with entries"},
    {"cols", RICO_WANT_INTEGER, .high = MOST_ROWS, .help = "number of columns, with entries"},
    {NULL},
};
static const rico_schema matrix_schema = {.title = "matrix", .keys = matrix_keys};

static const rico_schema_key vector_keys[] = {
    {"file", RICO_WANT_PATH, RICO_KEY_REQUIRED, .help = "a .mtx, .csv or .h5 file"},
    {NULL},
};
static const rico_schema vector_schema = {.title = "vector", .keys = vector_keys};


// Sizes go with the forms that need them, and with nothing else.
static rico_status check_sizes(rico_document *document, const rico_node *node)
{
    const rico_node *diagonal = rico_node_at(node, "diagonal"), *band = rico_node_at(node, "band");
    bool sparse = rico_node_at(node, "entries") != NULL;
    bool sized = band || (diagonal && diagonal->kind == RICO_NODE_SCALAR);
    const struct {
        const char *key, *with;
        bool goes;
    } SIZES[] = {{"rows", "'entries'", sparse},
                 {"cols", "'entries'", sparse},
                 {"size", "'band' or a formula for 'diagonal'", sized}};
    for (int i = 0; i < 3; i++) {
        const rico_node *size = rico_node_at(node, SIZES[i].key);
        if (size && !SIZES[i].goes)
            return rico_document_fail_key(document, size, "'%s' goes with %s; remove it", SIZES[i].key,
                                          SIZES[i].with);
        if (!size && SIZES[i].goes)
            return rico_document_fail(document, node, "the key '%s' is missing beside %s; add '%s: ...'",
                                      SIZES[i].key, SIZES[i].with, SIZES[i].key);
    }
    if (band && band->count % 2 == 0)
        return rico_document_fail(
            document, band,
            "'band' has %lld diagonals, expected an odd number with the main one in the middle",
            (long long)band->count);
    return RICO_OK;
}


rico_status rico_matrix_check(rico_document *document, rico_node *node)
{
    double value;
    char name[RICO_NODE_NAME];
    if (node->kind == RICO_NODE_SCALAR) return rico_document_real(document, node, &value);
    if (node->kind == RICO_NODE_LIST) {
        for (const rico_node *row = node->first; row; row = row->next) {
            if (row->kind == RICO_NODE_LIST) continue;
            return rico_document_fail(document, row,
                                      "%s needs a list of numbers, got %s; write a matrix by rows, "
                                      "[[1, 0], [0, 1]]",
                                      rico_node_name(row, name), rico_node_kind_name(row));
        }
        return RICO_OK;
    }
    rico_status status = rico_schema_apply(document, node, &matrix_schema);
    if (status != RICO_OK) return status;

    return check_sizes(document, node);
}


rico_status rico_vector_check(rico_document *document, rico_node *node)
{
    if (node->kind == RICO_NODE_MAPPING) return rico_schema_apply(document, node, &vector_schema);
    if (node->kind == RICO_NODE_LIST) return RICO_OK;
    char name[RICO_NODE_NAME];
    return rico_document_fail(document, node,
                              "%s needs a list of numbers, got %s; write [1, 2, 3] or {file: ...}",
                              rico_node_name(node, name), rico_node_kind_name(node));
}


// Triplets on their way into a matrix.
typedef struct triplets {
    int64_t rows, cols, count;
    int64_t *row, *col;
    double *value;
} triplets;


static rico_status reserve(rico_context *ctx, int64_t room, triplets *t)
{
    t->row = rico_alloc(ctx, room, sizeof *t->row);
    t->col = rico_alloc(ctx, room, sizeof *t->col);
    t->value = rico_alloc(ctx, room, sizeof *t->value);
    return t->row && t->col && t->value ? RICO_OK : RICO_NO_MEMORY;
}


static void keep(triplets *t, int64_t row, int64_t col, double value)
{
    t->row[t->count] = row;
    t->col[t->count] = col;
    t->value[t->count++] = value;
}


static rico_status read_scalar(rico_document *document, const rico_node *node, triplets *t)
{
    double value;
    rico_status status = rico_document_real(document, node, &value);
    if (status == RICO_OK) status = reserve(rico_document_context(document), 1, t);
    if (status != RICO_OK) return status;
    t->rows = t->cols = 1;
    keep(t, 0, 0, value);
    return RICO_OK;
}


static rico_status read_rows(rico_document *document, const rico_node *node, triplets *t)
{
    char name[RICO_NODE_NAME];
    t->rows = node->count;
    t->cols = node->first ? node->first->count : 0;
    int64_t total = 0;
    for (const rico_node *row = node->first; row; row = row->next) {
        if (row->count != t->cols) {
            return rico_document_fail(document, row,
                                      "%s has %lld entries, but the first row has %lld; rows of a "
                                      "matrix are of one length",
                                      rico_node_name(row, name), (long long)row->count, (long long)t->cols);
        }
        total += row->count;
    }
    rico_status status = reserve(rico_document_context(document), total, t);
    for (const rico_node *row = node->first; row && status == RICO_OK; row = row->next) {
        for (const rico_node *entry = row->first; entry && status == RICO_OK; entry = entry->next) {
            double value;
            status = rico_document_real(document, entry, &value);
            if (status == RICO_OK && value != 0.0) keep(t, row->index, entry->index, value);
        }
    }
    return status;
}


static rico_status read_identity(rico_document *document, const rico_node *node, triplets *t)
{
    rico_status status = rico_document_integer(document, node, &t->rows);
    if (status == RICO_OK) status = reserve(rico_document_context(document), t->rows, t);
    t->cols = t->rows;
    for (int64_t i = 0; status == RICO_OK && i < t->rows; i++) keep(t, i, i, 1.0);
    return status;
}


// One diagonal, `above` the main one, by a formula of its row i.
static rico_status read_band(rico_document *document, const rico_node *node, int64_t above, triplets *t)
{
    const rico_symbol index = {.name = "i", .kind = RICO_SYMBOL_VARIABLE, .slot = 0};
    const rico_scope scope = {1, &index, document->scope};
    rico_context *ctx = rico_document_context(document);
    rico_formula *formula = NULL;
    rico_status status = rico_document_formula(document, node, &scope, &formula);
    if (status != RICO_OK) return status;
    double *work = rico_alloc(ctx, rico_formula_work(formula, 0, 0), sizeof *work);
    if (!work) status = RICO_NO_MEMORY;
    for (int64_t i = 0; status == RICO_OK && i < t->rows; i++) {
        if (i + above < 0 || i + above >= t->cols) continue;
        double row = (double)i, value = rico_formula_value(formula, &row, work);
        if (!isfinite(value))
            status =
                rico_document_fail(document, node, "the diagonal is %g in row i = %lld", value, (long long)i);
        else if (value != 0.0 || above == 0)
            keep(t, i, i + above, value);
    }
    rico_free(ctx, work);
    rico_formula_destroy(formula);
    return status;
}


static rico_status read_bands(rico_document *document, const rico_node *node, const rico_node *bands,
                              triplets *t)
{
    int64_t count = bands->kind == RICO_NODE_LIST ? bands->count : 1;
    rico_status status = rico_document_integer(document, rico_node_at(node, "size"), &t->rows);
    if (status != RICO_OK) return status;
    t->cols = t->rows;
    if (count > 2 * t->rows - 1)
        return rico_document_fail(document, bands, "'band' has %lld diagonals, more than %lld rows have",
                                  (long long)count, (long long)t->rows);
    status = reserve(rico_document_context(document), count * t->rows, t);
    if (status == RICO_OK && bands->kind == RICO_NODE_SCALAR) return read_band(document, bands, 0, t);
    for (const rico_node *child = bands->first; status == RICO_OK && child; child = child->next)
        status = read_band(document, child, child->index - count / 2, t);
    return status;
}


static rico_status read_diagonal(rico_document *document, const rico_node *node, triplets *t)
{
    if (node->kind != RICO_NODE_LIST)
        return rico_document_fail(document, node,
                                  "'diagonal' needs a list, or a formula of i with 'size'; write [1, 2, 3]");
    rico_status status = reserve(rico_document_context(document), node->count, t);
    t->rows = t->cols = node->count;
    for (const rico_node *entry = node->first; entry && status == RICO_OK; entry = entry->next) {
        double value;
        status = rico_document_real(document, entry, &value);
        if (status == RICO_OK) keep(t, entry->index, entry->index, value);
    }
    return status;
}


// One of the two places of an entry [row, column, value].
static rico_status read_place(rico_document *document, const rico_node *node, const char *what, int64_t bound,
                              int64_t *place)
{
    rico_status status = rico_document_integer(document, node, place);
    if (status != RICO_OK) return status;
    if (*place < 0 || *place >= bound) {
        return rico_document_fail(document, node, "%s %lld does not exist; there are %lld, counted from 0",
                                  what, (long long)*place, (long long)bound);
    }
    return RICO_OK;
}


static rico_status read_entries(rico_document *document, const rico_node *node, triplets *t)
{
    char name[RICO_NODE_NAME];
    const rico_node *entries = rico_node_at(node, "entries");
    rico_status status = rico_document_integer(document, rico_node_at(node, "rows"), &t->rows);
    if (status == RICO_OK) status = rico_document_integer(document, rico_node_at(node, "cols"), &t->cols);
    if (status != RICO_OK) return status;
    if (entries->kind != RICO_NODE_LIST) {
        return rico_document_fail(document, entries,
                                  "'entries' needs a list, got %s; write [[row, column, value]]",
                                  rico_node_kind_name(entries));
    }
    status = reserve(rico_document_context(document), entries->count, t);
    for (const rico_node *entry = entries->first; entry && status == RICO_OK; entry = entry->next) {
        if (entry->kind != RICO_NODE_LIST || entry->count != 3) {
            return rico_document_fail(document, entry, "%s is not an entry; write [row, column, value]",
                                      rico_node_name(entry, name));
        }
        int64_t row = 0, col = 0;
        double value = 0.0;
        status = read_place(document, entry->first, "row", t->rows, &row);
        if (status == RICO_OK) status = read_place(document, entry->first->next, "column", t->cols, &col);
        if (status == RICO_OK) status = rico_document_real(document, entry->last, &value);
        if (status == RICO_OK) keep(t, row, col, value);
    }
    return status;
}


rico_status rico_matrix_read(rico_document *document, rico_node *node, rico_csc *out)
{
    rico_context *ctx = rico_document_context(document);
    rico_status status = rico_matrix_check(document, node);
    if (status != RICO_OK) return status;

    const rico_node *file = rico_node_at(node, "file"), *diagonal = rico_node_at(node, "diagonal");
    const rico_node *identity = rico_node_at(node, "identity"), *band = rico_node_at(node, "band");
    if (file) {
        const char *path;
        status = rico_document_path(document, file, &path);
        if (status != RICO_OK) return status;
        return rico_document_fail_in(document, file, rico_matrix_file_read(ctx, path, out));
    }
    triplets t = {0};
    if (node->kind == RICO_NODE_SCALAR)
        status = read_scalar(document, node, &t);
    else if (node->kind == RICO_NODE_LIST)
        status = read_rows(document, node, &t);
    else if (identity)
        status = read_identity(document, identity, &t);
    else if (band || (diagonal && diagonal->kind == RICO_NODE_SCALAR))
        status = read_bands(document, node, band ? band : diagonal, &t);
    else if (diagonal)
        status = read_diagonal(document, diagonal, &t);
    else
        status = read_entries(document, node, &t);

    char name[RICO_NODE_NAME];
    if (status == RICO_OK) {
        status = rico_csc_from_triplets(ctx, rico_node_name(node, name), t.rows, t.cols, t.count, t.row,
                                        t.col, t.value, out);
        status = rico_document_fail_in(document, node, status);
    }
    rico_free(ctx, t.row);
    rico_free(ctx, t.col);
    rico_free(ctx, t.value);
    return status;
}


rico_status rico_vector_read(rico_document *document, rico_node *node, int64_t *count, double **out)
{
    rico_status status = rico_vector_check(document, node);
    if (status != RICO_OK) return status;
    if (node->kind == RICO_NODE_LIST) return rico_document_reals(document, node, count, out);

    const rico_node *file = rico_node_at(node, "file");
    const char *path;
    status = rico_document_path(document, file, &path);
    if (status != RICO_OK) return status;
    return rico_document_fail_in(document, file,
                                 rico_vector_file_read(rico_document_context(document), path, count, out));
}
