// Reading an archive, finished or still growing.

#include "store/results.h"

#include "store/archive.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// No run of ours has so many tables, columns or notes.
enum { MOST_LINKS = 10000, NAME = 256 };


// --- names --------------------------------------------------------------------------------------------------

// Does a group keep the order in which its links were made?
static bool keeps_order(hid_t group)
{
    unsigned flags = 0;
    hid_t plan = H5Gget_create_plist(group);
    if (plan < 0) return false;
    bool known = H5Pget_link_creation_order(plan, &flags) >= 0 && (flags & H5P_CRT_ORDER_INDEXED) != 0;
    H5Pclose(plan);
    return known;
}


// Names of all links of the group at `where`, in order; *out and the names are the caller's.
static rico_status list_links(rico_results *results, const char *where, int64_t *count, char ***out)
{
    rico_context *ctx = results->ctx;
    hid_t group = H5Gopen2(results->file.id, where, results->file.group_access);
    H5G_info_t info = {0};
    if (group < 0 || H5Gget_info(group, &info) < 0 || info.nlinks > MOST_LINKS) {
        if (group >= 0) H5Gclose(group);
        return rico_fail(ctx, RICO_BAD_INPUT, "the group %s cannot be listed", where);
    }
    *count = (int64_t)info.nlinks;
    *out = rico_alloc(ctx, *count, sizeof **out);
    rico_status status = *out ? RICO_OK : RICO_NO_MEMORY;
    H5_index_t order = keeps_order(group) ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
    for (int64_t k = 0; status == RICO_OK && k < *count; k++) {
        char name[NAME] = "";
        ssize_t length =
            H5Lget_name_by_idx(group, ".", order, H5_ITER_INC, (hsize_t)k, name, sizeof name, H5P_DEFAULT);
        if (length <= 0 || length >= 100) {
            status = rico_fail(ctx, RICO_BAD_INPUT, "the group %s holds names that cannot be read", where);
        } else {
            (*out)[k] = rico_alloc(ctx, length + 1, 1);
            if (!(*out)[k]) status = RICO_NO_MEMORY;
            if ((*out)[k]) memcpy((*out)[k], name, (size_t)length);
        }
    }
    H5Gclose(group);
    return status;
}


static void free_names(rico_context *ctx, int64_t count, char **names)
{
    for (int64_t k = 0; names && k < count; k++) rico_free(ctx, names[k]);
    rico_free(ctx, names);
}


// --- opening ------------------------------------------------------------------------------------------------

// One column of a table, or its `start`. Takes the name over.
static rico_status open_column(rico_results *results, rico_table *table, rico_results_part *part, char **name)
{
    char path[2 * NAME];
    snprintf(path, sizeof path, "%s/%s", table->name, *name);
    rico_source source;
    rico_number number;
    rico_status status = rico_source_open(results, path, &source, &number);
    if (status != RICO_OK) return status;
    if (!strcmp(*name, RICO_STORE_START)) {
        if (number == RICO_NUMBER_INTEGER && source.rank == 1) {
            part->start = source;
            table->ragged = true;
            return RICO_OK;
        }
        H5Dclose(source.set);
        return rico_fail(results->ctx, RICO_BAD_INPUT, "%s is not a vector of integers", path);
    }

    rico_column *column = (rico_column *)&table->columns[table->column_count];
    part->columns[table->column_count++] = source;
    if (source.packed) table->compression = 1; // the level is not kept
    char *unit = NULL, *help = NULL;
    status = rico_source_text(results, source.set, "unit", &unit);
    if (status == RICO_OK) status = rico_source_text(results, source.set, "help", &help);
    *column = (rico_column){*name, number, source.rank == 2 ? source.width : 0, unit, help};
    *name = NULL;
    return status;
}


static rico_status open_table(rico_results *results, rico_table *table, rico_results_part *part)
{
    rico_context *ctx = results->ctx;
    hid_t group = H5Gopen2(results->file.id, table->name, results->file.group_access);
    char *help = NULL;
    rico_status status = group < 0
                             ? rico_fail(ctx, RICO_BAD_INPUT, "the group %s cannot be opened", table->name)
                             : rico_source_text(results, group, "help", &help);
    table->help = help;
    if (group >= 0) H5Gclose(group);
    if (status != RICO_OK) return status;

    int64_t count = 0;
    char **names = NULL;
    status = list_links(results, table->name, &count, &names);
    if (status == RICO_OK) {
        table->columns = rico_alloc(ctx, count, sizeof *table->columns);
        part->columns = rico_alloc(ctx, count, sizeof *part->columns);
        if (!table->columns || !part->columns) status = RICO_NO_MEMORY;
    }
    for (int64_t k = 0; status == RICO_OK && k < count; k++)
        status = open_column(results, table, part, &names[k]);
    free_names(ctx, count, names);
    if (status == RICO_OK && table->column_count == 0) {
        status = rico_fail(ctx, RICO_BAD_INPUT, "table %s has no columns", table->name);
    }
    return status;
}


// Every group at the top that is not the archive's own is a table.
static rico_status open_tables(rico_results *results)
{
    rico_context *ctx = results->ctx;
    int64_t count = 0;
    char **names = NULL;
    rico_status status = list_links(results, "/", &count, &names);
    if (status == RICO_OK) {
        results->tables = rico_alloc(ctx, count, sizeof *results->tables);
        results->parts = rico_alloc(ctx, count, sizeof *results->parts);
        if (!results->tables || !results->parts) status = RICO_NO_MEMORY;
    }
    for (int64_t k = 0; status == RICO_OK && k < count; k++) {
        if (!strcmp(names[k], RICO_STORE_NOTES) || !strcmp(names[k], RICO_STORE_RUN) ||
            !strcmp(names[k], RICO_STORE_PARAMETERS))
            continue;
        status = rico_hdf5_require(&results->file, names[k], H5I_GROUP);
        if (status != RICO_OK) break;
        int64_t t = results->table_count++;
        results->parts[t].start.set = -1;
        results->tables[t].name = names[k];
        names[k] = NULL;
        status = open_table(results, &results->tables[t], &results->parts[t]);
    }
    free_names(ctx, count, names);
    return status;
}


static rico_status read_note(rico_results *results, const char *group, rico_note *note)
{
    char path[NAME];
    snprintf(path, sizeof path, "%s/%s", group, note->name);
    rico_status status = rico_hdf5_require(&results->file, path, H5I_DATASET);
    if (status != RICO_OK) return status;
    hid_t set = H5Dopen2(results->file.id, path, results->file.dataset_access);
    hid_t type = set >= 0 ? H5Dget_type(set) : -1, space = set >= 0 ? H5Dget_space(set) : -1;
    H5T_class_t class = type >= 0 ? H5Tget_class(type) : H5T_NO_CLASS;
    bool single = space >= 0 && H5Sget_simple_extent_npoints(space) == 1;
    bool read = false;
    if (class == H5T_FLOAT && single && H5Tget_size(type) <= 16) {
        note->number = RICO_NUMBER_REAL;
        read = H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &note->real) >= 0;
    }
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    if (set >= 0) H5Dclose(set);

    if (class == H5T_FLOAT && !read) {
        return rico_fail(results->ctx, RICO_BAD_INPUT, "%s is not one number that can be read", path);
    }
    if (read) return RICO_OK;
    if (class == H5T_INTEGER) {
        note->number = RICO_NUMBER_INTEGER;
        return rico_hdf5_integer(&results->file, path, &note->integer);
    }
    char *text = NULL;
    status = rico_hdf5_text(&results->file, path, &text);
    note->text = text;
    return status;
}


// All notes of a group; *out and what is in it are the results' from the first on.
static rico_status read_group(rico_results *results, const char *group, int64_t *note_count, rico_note **out)
{
    int64_t count = 0;
    char **names = NULL;
    rico_status status = rico_hdf5_require(&results->file, group, H5I_GROUP);
    if (status == RICO_OK) status = list_links(results, group, &count, &names);
    if (status == RICO_OK) {
        *out = rico_alloc(results->ctx, count, sizeof **out);
        if (!*out) status = RICO_NO_MEMORY;
    }
    for (int64_t k = 0; status == RICO_OK && k < count; k++) {
        rico_note *note = &(*out)[(*note_count)++];
        note->name = names[k];
        names[k] = NULL;
        status = read_note(results, group, note);
    }
    free_names(results->ctx, count, names);
    return status;
}


static rico_status read_notes(rico_results *results)
{
    bool found = false;
    rico_status status = read_group(results, RICO_STORE_NOTES, &results->note_count, &results->notes);
    if (status == RICO_OK) status = rico_hdf5_find(&results->file, RICO_STORE_PARAMETERS, H5I_GROUP, &found);
    if (status == RICO_OK && found)
        status = read_group(results, RICO_STORE_PARAMETERS, &results->parameter_count, &results->parameters);
    return status;
}


// Until when the run goes; files of before there were extensions do not say.
static rico_status read_end(rico_results *results)
{
    bool found = false;
    rico_note end = {.name = "end", .real = NAN};
    rico_status status = rico_hdf5_find(&results->file, RICO_STORE_END, H5I_DATASET, &found);
    if (status == RICO_OK && found) status = read_note(results, RICO_STORE_RUN, &end);
    results->end = end.text ? NAN : end.real;
    rico_free(results->ctx, (void *)end.text);
    return status;
}


static rico_status check_format(rico_results *results)
{
    bool found = false;
    int64_t format = 0;
    rico_status status = rico_hdf5_find(&results->file, RICO_STORE_RUN, H5I_GROUP, &found);
    if (status == RICO_OK && found)
        status = rico_hdf5_find(&results->file, RICO_STORE_FORMAT, H5I_DATASET, &found);
    if (status != RICO_OK) return status;
    if (!found)
        return rico_fail(results->ctx, RICO_BAD_INPUT,
                         "is not an archive of Ricochet: no " RICO_STORE_FORMAT);
    status = rico_hdf5_integer(&results->file, RICO_STORE_FORMAT, &format);
    if (status == RICO_OK && format != RICO_STORE_VERSION) {
        status =
            rico_fail(results->ctx, RICO_BAD_INPUT, "is an archive of format %lld; this version reads %d",
                      (long long)format, RICO_STORE_VERSION);
    }
    return status;
}


// --- how far it has come ------------------------------------------------------------------------------------

// Rows of a ragged table whose items are all there. A reader may see `start` grow before the items do.
static rico_status count_rows(rico_results *results, const char *name, const rico_results_part *part,
                              int64_t *rows)
{
    int64_t low = 0, high = part->start.rows > 0 ? part->start.rows - 1 : 0;
    int64_t next = high; // nearly always the last is good
    while (low < high) {
        int64_t end = 0;
        rico_status status =
            rico_source_read(results, name, &part->start, RICO_NUMBER_INTEGER, next, 1, &end);
        if (status != RICO_OK) return status;
        if (end <= part->items) {
            low = next;
        } else {
            high = next - 1;
        }
        next = high - (high - low) / 2;
    }
    *rows = low;
    return RICO_OK;
}


static rico_status refresh_table(rico_results *results, int64_t t, bool live)
{
    const rico_table *table = &results->tables[t];
    rico_results_part *part = &results->parts[t];
    char path[2 * NAME];
    rico_status status = RICO_OK;

    // the index first: items that come between the two looks do no harm
    snprintf(path, sizeof path, "%s/" RICO_STORE_START, table->name);
    if (table->ragged) status = rico_source_refresh(results, path, &part->start, live);
    int64_t least = INT64_MAX;
    for (int64_t c = 0; status == RICO_OK && c < table->column_count; c++) {
        snprintf(path, sizeof path, "%s/%s", table->name, table->columns[c].name);
        status = rico_source_refresh(results, path, &part->columns[c], live);
        if (part->columns[c].rows < least) least = part->columns[c].rows;
    }
    if (status != RICO_OK) return status;
    part->items = part->rows = least;
    snprintf(path, sizeof path, "%s/" RICO_STORE_START, table->name);
    return table->ragged ? count_rows(results, path, part, &part->rows) : RICO_OK;
}


static rico_status refresh(rico_results *results, bool live)
{
    struct stat about;
    if (stat(results->path, &about) == 0) results->file.size = (int64_t)about.st_size;
    // asked before the rows: a run that had finished by then has all of them
    int64_t finished = 0;
    rico_status status = rico_hdf5_integer(&results->file, RICO_STORE_FINISHED, &finished);
    for (int64_t t = 0; status == RICO_OK && t < results->table_count; t++)
        status = refresh_table(results, t, live);
    results->finished = finished != 0;
    return status;
}


rico_status rico_results_refresh(rico_results *results)
{
    if (results->finished || !results->opened) return RICO_OK;
    rico_hdf5_silence_begin(&results->file.silence);
    rico_status status = refresh(results, true);
    rico_hdf5_silence_end(&results->file.silence);
    return status == RICO_OK ? RICO_OK : rico_fail_in(results->ctx, status, results->path);
}


rico_status rico_results_open(rico_context *ctx, const char *path, rico_results **out)
{
    rico_results *results = rico_alloc(ctx, 1, sizeof *results);
    size_t length = strlen(path) + 1;
    char *copy = results ? rico_alloc(ctx, (int64_t)length, 1) : NULL;
    if (!copy) {
        rico_free(ctx, results);
        return RICO_NO_MEMORY;
    }
    memcpy(copy, path, length);
    results->ctx = ctx;
    results->path = copy;

    rico_drive_mend(ctx, path); // its writer may have been killed in the middle of a write
    rico_status status = rico_hdf5_open_live(ctx, path, &results->file);
    results->opened = true;
    if (status == RICO_OK) status = check_format(results);
    if (status == RICO_OK) status = read_end(results);
    if (status == RICO_OK) status = read_notes(results);
    if (status == RICO_OK) status = open_tables(results);
    if (status == RICO_OK) status = refresh(results, false);
    if (status != RICO_OK) rico_fail_in(ctx, status, path);
    rico_hdf5_silence_end(&results->file.silence);
    if (status != RICO_OK) {
        rico_results_destroy(results);
        return status;
    }
    *out = results;
    return RICO_OK;
}


static void free_table(rico_context *ctx, const rico_table *table, const rico_results_part *part)
{
    for (int64_t c = 0; c < table->column_count; c++) {
        if (part->columns[c].set >= 0) H5Dclose(part->columns[c].set);
        rico_free(ctx, part->columns[c].memory);
        rico_free(ctx, (void *)table->columns[c].name);
        rico_free(ctx, (void *)table->columns[c].unit);
        rico_free(ctx, (void *)table->columns[c].help);
    }
    if (part->start.set >= 0) H5Dclose(part->start.set);
    rico_free(ctx, part->start.memory);
    rico_free(ctx, (void *)table->columns);
    rico_free(ctx, part->columns);
    rico_free(ctx, (void *)table->name);
    rico_free(ctx, (void *)table->help);
}


static void free_notes(rico_context *ctx, int64_t count, rico_note *notes)
{
    for (int64_t k = 0; k < count; k++) {
        rico_free(ctx, (void *)notes[k].name);
        rico_free(ctx, (void *)notes[k].text);
    }
    rico_free(ctx, notes);
}


void rico_results_destroy(rico_results *results)
{
    if (!results) return;
    rico_context *ctx = results->ctx;
    if (results->opened) rico_hdf5_silence_begin(&results->file.silence);
    for (int64_t t = 0; t < results->table_count; t++)
        free_table(ctx, &results->tables[t], &results->parts[t]);
    free_notes(ctx, results->note_count, results->notes);
    free_notes(ctx, results->parameter_count, results->parameters);
    if (results->opened) rico_hdf5_close(&results->file);
    rico_free(ctx, results->tables);
    rico_free(ctx, results->parts);
    rico_free(ctx, results->path);
    rico_free(ctx, results);
}


// --- what it holds ------------------------------------------------------------------------------------------

int64_t rico_results_table_count(const rico_results *results)
{
    return results->table_count;
}


const rico_table *rico_results_table(const rico_results *results, int64_t table)
{
    return table >= 0 && table < results->table_count ? &results->tables[table] : NULL;
}


int64_t rico_results_find_table(const rico_results *results, const char *name)
{
    for (int64_t t = 0; t < results->table_count; t++) {
        if (!strcmp(results->tables[t].name, name)) return t;
    }
    return -1;
}


int64_t rico_results_find_column(const rico_results *results, int64_t table, const char *name)
{
    const rico_table *t = rico_results_table(results, table);
    for (int64_t c = 0; t && c < t->column_count; c++) {
        if (!strcmp(t->columns[c].name, name)) return c;
    }
    return -1;
}


int64_t rico_results_rows(const rico_results *results, int64_t table)
{
    return table >= 0 && table < results->table_count ? results->parts[table].rows : 0;
}


int64_t rico_results_items(const rico_results *results, int64_t table)
{
    return table >= 0 && table < results->table_count ? results->parts[table].items : 0;
}


bool rico_results_finished(const rico_results *results)
{
    return results->finished;
}


int64_t rico_results_note_count(const rico_results *results)
{
    return results->note_count;
}


const rico_note *rico_results_note(const rico_results *results, int64_t note)
{
    return note >= 0 && note < results->note_count ? &results->notes[note] : NULL;
}


// Refuses a range that is not inside [0, have).
static rico_status check_range(rico_results *results, const rico_table *table, int64_t first, int64_t count,
                               int64_t have)
{
    if (first >= 0 && count >= 0 && first <= have && count <= have - first) return RICO_OK;
    return rico_fail(results->ctx, RICO_BAD_ARGUMENT, "%s: table %s has %lld rows, not %lld from %lld on",
                     results->path, table->name, (long long)have, (long long)count, (long long)first);
}


static rico_status read_silently(rico_results *results, const rico_table *table, const char *column,
                                 const rico_source *source, rico_number number, int64_t first, int64_t count,
                                 void *out)
{
    char path[2 * NAME];
    snprintf(path, sizeof path, "%s/%s", table->name, column);
    if (!results->opened) return rico_source_read(results, path, source, number, first, count, out);
    rico_hdf5_silence_begin(&results->file.silence);
    rico_status status = rico_source_read(results, path, source, number, first, count, out);
    rico_hdf5_silence_end(&results->file.silence);
    return status == RICO_OK ? RICO_OK : rico_fail_in(results->ctx, status, results->path);
}


rico_status rico_results_read(rico_results *results, int64_t table, int64_t column, int64_t first,
                              int64_t count, void *out)
{
    const rico_table *t = rico_results_table(results, table);
    if (!t || column < 0 || column >= t->column_count) {
        return rico_fail(results->ctx, RICO_BAD_ARGUMENT, "%s: there is no column %lld of table %lld",
                         results->path, (long long)column, (long long)table);
    }
    const rico_results_part *part = &results->parts[table];
    rico_status status = check_range(results, t, first, count, part->items);
    if (status != RICO_OK) return status;
    return read_silently(results, t, t->columns[column].name, &part->columns[column],
                         t->columns[column].number, first, count, out);
}


rico_status rico_results_starts(rico_results *results, int64_t table, int64_t first, int64_t count,
                                int64_t *out)
{
    const rico_table *t = rico_results_table(results, table);
    if (!t || !t->ragged) {
        return rico_fail(results->ctx, RICO_BAD_ARGUMENT, "%s: table %lld is not ragged", results->path,
                         (long long)table);
    }
    const rico_results_part *part = &results->parts[table];
    rico_status status = check_range(results, t, first, count, part->rows);
    if (status != RICO_OK) return status;
    out[0] = 0;
    if (part->start.rows == 0) return RICO_OK; // killed before the first flush
    status =
        read_silently(results, t, RICO_STORE_START, &part->start, RICO_NUMBER_INTEGER, first, count + 1, out);
    for (int64_t k = 0; status == RICO_OK && k <= count; k++) {
        if (out[k] >= (k > 0 ? out[k - 1] : 0) && out[k] <= part->items) continue;
        status = rico_fail(results->ctx, RICO_BAD_INPUT,
                           "%s: row %lld of table %s begins at item %lld, out of order", results->path,
                           (long long)(first + k), t->name, (long long)out[k]);
    }
    return status;
}


int64_t rico_results_parameter_count(const rico_results *results)
{
    return results->parameter_count;
}


const rico_note *rico_results_parameter(const rico_results *results, int64_t parameter)
{
    return parameter >= 0 && parameter < results->parameter_count ? &results->parameters[parameter] : NULL;
}


double rico_results_end(const rico_results *results)
{
    return results->end;
}
