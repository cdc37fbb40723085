// Columns of an experiment: formulas, row by row, of the columns of a result.

#include "lab/experiment_private.h"
#include "lab/measure_column.h"
#include "store/columns.h"

#include <string.h>

// Where the numbers of a symbol come from.
typedef struct origin {
    const char *column; // name of a column; "dt" is the time since the row before
    const rico_node *node;
    bool before; // from the row before
} origin;

// The names that a formula may use.
typedef struct vocabulary {
    int64_t count, room;
    rico_symbol *symbol;
    origin *origin;
} vocabulary;

static const char *const BOOKS[] = {"t",           "dt",          "energy",     "kinetic",  "potential",
                                    "algorithmic", "external",    "damping",    "normal",   "tangential",
                                    "joint",       "obstacle",    "projection", "residual", "numerical_0",
                                    "numerical_1", "numerical_2", "numerical_3"};
enum { BOOK_COUNT = sizeof BOOKS / sizeof *BOOKS };


static void teach(vocabulary *words, const char *name, const char *column, const rico_node *node, bool before)
{
    if (strchr(name, '[')) return; // entries of a vector have no plain name: an alias gives them one
    for (int64_t i = 0; i < words->count; i++)
        if (strcmp(words->symbol[i].name, name) == 0) return;
    words->symbol[words->count] =
        (rico_symbol){.name = name, .kind = RICO_SYMBOL_VARIABLE, .slot = words->count};
    words->origin[words->count++] = (origin){column, node, before};
}


static rico_status teach_aliases(rico_experiment *experiment, vocabulary *words, const rico_node *aliases,
                                 bool before)
{
    for (const rico_node *alias = aliases ? aliases->first : NULL; alias; alias = alias->next) {
        if (aliases->kind != RICO_NODE_MAPPING || alias->kind != RICO_NODE_SCALAR)
            return rico_document_fail(experiment->document, aliases,
                                      "'%s' must be a mapping {name: column, ...}", aliases->key);
        rico_status status = rico_formula_check_name(experiment->ctx, alias->key);
        if (status != RICO_OK) return rico_document_fail_in(experiment->document, alias, status);
        teach(words, alias->key, alias->text, alias, before);
    }
    return RICO_OK;
}


static void forget(rico_context *ctx, vocabulary *words)
{
    rico_free(ctx, words->symbol);
    rico_free(ctx, words->origin);
}


// The columns of a run, by the path that it has or would have.
static rico_columns *columns_of(const rico_experiment *experiment, const char *path)
{
    for (int64_t i = 0; i < experiment->family_count; i++)
        for (int64_t k = 0; k < experiment->family[i].count; k++)
            if (experiment->family[i].result[k] == path) return experiment->family[i].columns[k];
    return NULL;
}


// The columns of a run that is an impact or a computation; NULL for one that has a file.
static const rico_sheet *sheet_of(const rico_experiment *experiment, const char *path)
{
    for (int64_t i = 0; i < experiment->family_count; i++)
        for (int64_t k = 0; k < experiment->family[i].count; k++)
            if (experiment->family[i].result[k] == path && experiment->family[i].sheet[k].ctx)
                return &experiment->family[i].sheet[k];
    return NULL;
}


// The columns of a result that a formula may name: coordinates and velocities of a file, all of a sheet. Without a vocabulary they
// are counted only.
static int64_t teach_columns(const rico_experiment *experiment, const char *path, const rico_node *own,
                             vocabulary *words)
{
    const rico_columns *columns = columns_of(experiment, path);
    const rico_sheet *sheet = sheet_of(experiment, path);
    const char *name;
    int64_t count = 0;
    for (int64_t i = 0; sheet && i < sheet->count; i++, count++)
        if (words) teach(words, sheet->column[i].name, sheet->column[i].name, own, false);
    for (int64_t i = 0; columns && (name = rico_columns_position(columns, i)); i++, count++)
        if (words) teach(words, name, name, own, false);
    for (int64_t i = 0; columns && (name = rico_columns_velocity(columns, i)); i++, count++)
        if (words) teach(words, name, name, own, false);
    return count;
}


// Aliases first, then the experiment's columns above this one, then those of the file.
static rico_status learn(rico_experiment *experiment, const char *path, const rico_node *own,
                         vocabulary *words)
{
    rico_context *ctx = experiment->ctx;
    const rico_node *with = rico_node_at(own, "with"), *before = rico_node_at(own, "before");
    words->room = BOOK_COUNT + teach_columns(experiment, path, own, NULL) + own->parent->count +
                  (with ? with->count : 0) + (before ? before->count : 0);
    words->symbol = rico_alloc(ctx, words->room, sizeof *words->symbol);
    words->origin = rico_alloc(ctx, words->room, sizeof *words->origin);
    if (!words->symbol || !words->origin) return RICO_NO_MEMORY;

    rico_status status = teach_aliases(experiment, words, with, false);
    if (status == RICO_OK) status = teach_aliases(experiment, words, before, true);
    if (status != RICO_OK) return status;
    for (const rico_node *other = own->parent->first; other != own; other = other->next)
        teach(words, other->key, other->key, own, false);
    teach_columns(experiment, path, own, words);
    for (int i = 0; i < BOOK_COUNT; i++) teach(words, BOOKS[i], BOOKS[i], own, false);
    return RICO_OK;
}


// The time since the row before; the first row takes that of the second.
static void to_differences(int64_t count, double *t)
{
    for (int64_t i = count - 1; i > 0; i--) t[i] -= t[i - 1];
    if (count > 0) t[0] = count > 1 ? t[1] : 0.0;
}


static void shift(int64_t count, double *values)
{
    if (count > 1) memmove(values + 1, values, (size_t)(count - 1) * sizeof *values);
}


static rico_status column_above(rico_experiment *experiment, const char *path, const rico_node *limit,
                                const rico_node *node, const char *name, int64_t *count, double **values);


static rico_status fetch(rico_experiment *experiment, const char *path, const rico_node *own,
                         const origin *from, int64_t *count, double **values)
{
    bool difference = strcmp(from->column, "dt") == 0;
    rico_status status =
        column_above(experiment, path, own, from->node, difference ? "t" : from->column, count, values);
    if (status != RICO_OK) return status;
    if (difference) to_differences(*count, *values);
    if (from->before) shift(*count, *values);
    return RICO_OK;
}


// Columns of one formula are of one table: those of another have other rows.
static rico_status same_rows(rico_experiment *experiment, const rico_node *own, const char *name,
                             int64_t length, int64_t *rows)
{
    if (*rows < 0) *rows = length;
    if (*rows == length) return RICO_OK;
    return rico_document_fail(experiment->document, rico_node_at(own, "formula"),
                              "'%s' has %lld rows and other columns of the formula have %lld: they are of "
                              "different tables",
                              name, (long long)length, (long long)*rows);
}


static rico_status evaluate(rico_experiment *experiment, const char *path, const rico_node *own,
                            const rico_formula *formula, const vocabulary *words, int64_t *count,
                            double **values)
{
    rico_context *ctx = experiment->ctx;
    int64_t used, rows = -1;
    const int64_t *slot = rico_formula_slots(formula, &used);
    double *out = NULL; // time where nothing else is used, then overwritten
    double **column = rico_alloc(ctx, used, sizeof *column);
    double *variable = rico_alloc(ctx, words->count, sizeof *variable);
    double *work = rico_alloc(ctx, rico_formula_work(formula, 0, 0), sizeof *work);
    rico_status status = column && variable && work ? RICO_OK : RICO_NO_MEMORY;
    const origin time = {"t", own, false};
    for (int64_t j = 0; status == RICO_OK && j < used; j++) {
        int64_t length = 0;
        const origin *from = &words->origin[slot[j]];
        status = fetch(experiment, path, own, from, &length, &column[j]);
        if (status == RICO_OK) status = same_rows(experiment, own, from->column, length, &rows);
    }
    if (status == RICO_OK && rows < 0) status = fetch(experiment, path, own, &time, &rows, &out);
    if (status == RICO_OK && !out) out = rico_alloc(ctx, rows, sizeof *out);
    if (status == RICO_OK && !out) status = RICO_NO_MEMORY;
    for (int64_t i = 0; status == RICO_OK && i < rows; i++) {
        for (int64_t j = 0; j < used; j++) variable[slot[j]] = column[j][i];
        out[i] = rico_formula_value(formula, variable, work);
    }
    for (int64_t j = 0; column && j < used; j++) rico_free(ctx, column[j]);
    rico_free(ctx, column);
    rico_free(ctx, variable);
    rico_free(ctx, work);
    if (status != RICO_OK) {
        rico_free(ctx, out);
        return status;
    }
    *count = rows;
    *values = out;
    return RICO_OK;
}


void rico_experiment_forget_columns(rico_experiment *experiment)
{
    for (int64_t i = 0; i < experiment->kept_count; i++) {
        rico_free(experiment->ctx, experiment->kept[i].name);
        rico_free(experiment->ctx, experiment->kept[i].values);
    }
    rico_free(experiment->ctx, experiment->kept);
    experiment->kept = NULL;
    experiment->kept_count = experiment->kept_room = 0;
}


// Keeps the values, which become ours; on failure they are released.
static rico_status keep(rico_experiment *experiment, const char *path, const char *name, int64_t count,
                        double *values)
{
    rico_context *ctx = experiment->ctx;
    char *copy = rico_alloc(ctx, (int64_t)strlen(name) + 1, 1);
    if (copy && experiment->kept_count == experiment->kept_room) {
        int64_t room = 2 * experiment->kept_room + 32;
        rico_kept_column *more =
            rico_grow(ctx, experiment->kept, experiment->kept_room, room, sizeof *experiment->kept);
        if (more) {
            experiment->kept = more;
            experiment->kept_room = room;
        }
    }
    if (!copy || experiment->kept_count == experiment->kept_room) {
        rico_free(ctx, copy);
        rico_free(ctx, values);
        return RICO_NO_MEMORY;
    }
    memcpy(copy, name, strlen(name) + 1);
    experiment->kept[experiment->kept_count++] = (rico_kept_column){path, copy, count, values};
    return RICO_OK;
}


static const rico_kept_column *find_kept(const rico_experiment *experiment, const char *path,
                                         const char *name)
{
    for (int64_t i = 0; i < experiment->kept_count; i++)
        if (experiment->kept[i].path == path && strcmp(experiment->kept[i].name, name) == 0)
            return &experiment->kept[i];
    return NULL;
}


static rico_status derive(rico_experiment *experiment, const char *path, const rico_node *own, int64_t *count,
                          double **values)
{
    rico_context *ctx = experiment->ctx;
    rico_formula *formula = NULL;
    vocabulary words = {0};
    rico_status status = learn(experiment, path, own, &words);
    rico_scope scope = {words.count, words.symbol, &experiment->scope};
    if (status == RICO_OK)
        status = rico_document_formula(experiment->document, rico_node_at(own, "formula"), &scope, &formula);
    if (status == RICO_OK) status = evaluate(experiment, path, own, formula, &words, count, values);
    rico_formula_destroy(formula);
    forget(ctx, &words);
    return status;
}


// The experiment's columns are sought above the one that asks, so that none can ask for itself.
static const rico_node *derived_column(const rico_experiment *experiment, const rico_node *limit,
                                       const char *name)
{
    const rico_node *own = rico_experiment_at(experiment, "columns");
    for (own = own ? own->first : NULL; own && own != limit; own = own->next)
        if (strcmp(own->key, name) == 0) return own;
    return NULL;
}


static bool has_column(const rico_sheet *sheet, const char *name)
{
    for (int64_t i = 0; i < sheet->count; i++)
        if (strcmp(sheet->column[i].name, name) == 0) return true;
    return false;
}


// A column of a sheet. Measures are taken over t, which of *count rows is the first column of as many: the parameter of
// a range, the index of balls or contacts, the time of waves.
static rico_status copy_column(const rico_sheet *sheet, const char *name, int64_t *count, double **values)
{
    const rico_sheet_column *column = &sheet->column[0];
    if (strcmp(name, "t") != 0) {
        rico_status status = rico_sheet_find(sheet, name, &column);
        if (status != RICO_OK) return status;
    } else {
        for (int64_t i = sheet->count - 1; i >= 0; i--)
            if (sheet->column[i].count == *count) column = &sheet->column[i];
    }
    *values = rico_alloc(sheet->ctx, column->count, sizeof **values);
    if (!*values) return RICO_NO_MEMORY;
    if (column->count > 0) memcpy(*values, column->value, (size_t)column->count * sizeof **values);
    *count = column->count;
    return RICO_OK;
}


static rico_status column_above(rico_experiment *experiment, const char *path, const rico_node *limit,
                                const rico_node *node, const char *name, int64_t *count, double **values)
{
    const rico_sheet *sheet = sheet_of(experiment, path);
    const rico_node *own = derived_column(experiment, limit, name);
    if (sheet && (!own || has_column(sheet, name)))
        return rico_document_fail_in(experiment->document, node, copy_column(sheet, name, count, values));
    // a column of the file that one of ours hides from the rest is not kept: the name would say both
    bool hidden = !own && derived_column(experiment, NULL, name);
    const rico_kept_column *known = hidden ? NULL : find_kept(experiment, path, name);
    if (!known) {
        rico_status status =
            own ? derive(experiment, path, own, count, values)
                : rico_document_fail_in(experiment->document, node,
                                        rico_columns_read(columns_of(experiment, path), name, count, values));
        if (status == RICO_OK && !hidden) status = keep(experiment, path, name, *count, *values);
        if (status != RICO_OK || hidden) return status;
        known = &experiment->kept[experiment->kept_count - 1];
    }
    double *copy = rico_alloc(experiment->ctx, known->count, sizeof *copy);
    if (!copy) return RICO_NO_MEMORY;
    if (known->count > 0) memcpy(copy, known->values, (size_t)known->count * sizeof *copy);
    *count = known->count;
    *values = copy;
    return RICO_OK;
}


rico_status rico_experiment_column(rico_experiment *experiment, const char *path, const rico_node *node,
                                   const char *name, int64_t *count, double **values)
{
    return column_above(experiment, path, NULL, node, name, count, values);
}


// The times of the rows of a column: those of its table; of a column of the experiment's, those of the table that has as many rows.
static rico_status times_of(rico_experiment *experiment, const char *path, const rico_node *column,
                            int64_t rows, int64_t *count, double **t)
{
    static const char *const TIMES[] = {"t", "events.t", "sliding.t", "samples.t", "emitted.t"};
    rico_columns *columns = sheet_of(experiment, path) ? NULL : columns_of(experiment, path);
    bool own = derived_column(experiment, NULL, column->text) != NULL;
    const char *name = columns && !own ? rico_columns_time_of(columns, column->text) : "t";
    *count = rows; // an impact looks for an axis of that length
    rico_status status = rico_experiment_column(experiment, path, column, name, count, t);
    for (size_t k = 1; columns && own && k < sizeof TIMES / sizeof *TIMES; k++) {
        if (status != RICO_OK || *count == rows) break;
        int64_t others = 0;
        double *other = NULL;
        if (rico_columns_read(columns, TIMES[k], &others, &other) != RICO_OK || others != rows) {
            rico_free(experiment->ctx, other);
            continue;
        }
        rico_free(experiment->ctx, *t);
        *t = other;
        *count = others;
    }
    return status;
}


rico_status rico_experiment_measure(rico_experiment *experiment, const char *path, const rico_node *column,
                                    int measure, double from, double to, double *value)
{
    double *t = NULL, *y = NULL;
    int64_t count = 0, same = 0;
    rico_status status = rico_experiment_column(experiment, path, column, column->text, &count, &y);
    if (status == RICO_OK) status = times_of(experiment, path, column, count, &same, &t);
    if (status == RICO_OK) *value = rico_measure_take(measure, count < same ? count : same, t, y, from, to);
    rico_free(experiment->ctx, t);
    rico_free(experiment->ctx, y);
    return status;
}
