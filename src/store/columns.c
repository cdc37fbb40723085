// Columns of a result file by the names that a user has for them.

#include "store/columns_private.h"

#include "base/context.h"
#include "base/suggest.h"
#include "base/text.h"
#include "store/results.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Tables in the order in which a bare name is sought.
static const char *const ORDER[] = {"state",    "ledger",      "contacts", "total",
                                    "counters", "derivatives", "events"};
static const char *const OF_CONTACTS[] = {"impulse", "gap", "before", "after", "force"};


const char *rico_columns_note(const rico_columns *columns, const char *name)
{
    const rico_results *results = columns->results;
    for (int64_t i = 0; i < rico_results_note_count(results); i++) {
        const rico_note *note = rico_results_note(results, i);
        if (strcmp(note->name, name) == 0) return note->text ? note->text : "";
    }
    return "";
}


// "block[0..4223]" stands for block[0], block[1] and so on: how many, 1 for any other line.
static int64_t names_of_line(const char *line, size_t length)
{
    const char *bracket = memchr(line, '[', length);
    long long last;
    if (!bracket || sscanf(bracket, "[0..%lld]", &last) != 1 || last < 1 || last > INT64_MAX / 32) return 1;
    return last + 1;
}


// Writes the names of the lines one by one.
static char *expand(rico_context *ctx, const char *text, int64_t *count)
{
    rico_text out = {.ctx = ctx};
    *count = 0;
    for (const char *from = text, *end; (end = strchr(from, '\n')); from = end + 1) {
        int64_t names = names_of_line(from, (size_t)(end - from));
        int length =
            (int)(names > 1 ? (const char *)memchr(from, '[', (size_t)(end - from)) - from : end - from);
        for (int64_t i = 0; i < names && names > 1; i++)
            rico_text_add(&out, "%.*s[%lld]\n", length, from, (long long)i);
        if (names == 1) rico_text_add(&out, "%.*s\n", length, from);
        *count += names;
    }
    rico_text_add(&out, "%s", "");
    if (out.status == RICO_OK) return out.data;
    rico_free(ctx, out.data);
    return NULL;
}


static rico_status split(rico_context *ctx, const char *text, rico_note_lines *out)
{
    int64_t count = 0;
    out->text = expand(ctx, text, &count);
    out->line = rico_alloc(ctx, count, sizeof *out->line);
    if (!out->text || !out->line) return RICO_NO_MEMORY;
    char *from = out->text;
    for (char *end; (end = strchr(from, '\n')); from = end + 1) {
        *end = '\0';
        out->line[out->count++] = from;
    }
    return RICO_OK;
}


// "contact 0 2 end": kind, first row, rows, name.
static rico_status read_constraints(rico_columns *columns)
{
    rico_context *ctx = columns->ctx;
    int64_t count = columns->constraints.count;
    columns->constraint = rico_alloc(ctx, count, sizeof *columns->constraint);
    columns->contact = rico_alloc(ctx, count, sizeof *columns->contact);
    columns->contact_rows = rico_alloc(ctx, count, sizeof *columns->contact_rows);
    if (!columns->constraint || !columns->contact || !columns->contact_rows) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < count; i++) {
        rico_note_constraint *own = &columns->constraint[i];
        const char *line = columns->constraints.line[i];
        long long row = 0, rows = 0;
        int used = 0;
        char kind[16];
        if (sscanf(line, "%15s %lld %lld %n", kind, &row, &rows, &used) < 3 || used == 0)
            return rico_fail(ctx, RICO_BAD_INPUT, "notes/constraints: '%s' names no constraint", line);
        own->joint = strcmp(kind, "joint") == 0;
        own->row = row;
        own->rows = rows;
        own->name = line + used;
        if (own->joint) continue;
        columns->contact_rows[columns->contact_count] = rows;
        columns->contact[columns->contact_count++] = own->name;
    }
    return RICO_OK;
}


rico_status rico_columns_open(rico_context *ctx, const char *path, rico_columns **out)
{
    rico_results *results = NULL;
    rico_status status = rico_results_open(ctx, path, &results);
    return status == RICO_OK ? rico_columns_take(ctx, results, out) : status;
}


void rico_columns_move(rico_columns *columns, rico_context *ctx)
{
    columns->ctx = columns->results->ctx = columns->results->file.ctx = ctx;
}


const rico_results *rico_columns_results(const rico_columns *columns)
{
    return columns->results;
}


rico_status rico_columns_take(rico_context *ctx, rico_results *results, rico_columns **out)
{
    rico_columns *columns = rico_alloc(ctx, 1, sizeof *columns);
    if (!columns) {
        rico_results_destroy(results);
        return RICO_NO_MEMORY;
    }
    columns->ctx = ctx;
    columns->results = results;
    rico_status status = split(ctx, rico_columns_note(columns, "positions"), &columns->positions);
    if (status == RICO_OK)
        status = split(ctx, rico_columns_note(columns, "velocities"), &columns->velocities);
    if (status == RICO_OK)
        status = split(ctx, rico_columns_note(columns, "constraints"), &columns->constraints);
    if (status == RICO_OK) status = split(ctx, rico_columns_note(columns, "numerical"), &columns->terms);
    if (status == RICO_OK) status = split(ctx, rico_columns_note(columns, "sources"), &columns->sources);
    if (status == RICO_OK) status = split(ctx, rico_columns_note(columns, "bodies"), &columns->bodies);
    if (status == RICO_OK) status = split(ctx, rico_columns_note(columns, "joints"), &columns->joints);
    if (status == RICO_OK) status = split(ctx, rico_columns_note(columns, "sensors"), &columns->sensors);
    if (status == RICO_OK) status = split(ctx, rico_columns_note(columns, "probes"), &columns->probes);
    for (int64_t i = 0; status == RICO_OK && i < columns->joints.count; i++)
        if (strlen(columns->joints.line[i]) < 5 || columns->joints.line[i][3] != ' ')
            status =
                rico_fail(ctx, RICO_BAD_INPUT, "notes/joints: '%s' names no joint", columns->joints.line[i]);
    if (status == RICO_OK) status = read_constraints(columns);
    if (status != RICO_OK) {
        rico_columns_destroy(columns);
        return status;
    }
    *out = columns;
    return RICO_OK;
}


void rico_columns_destroy(rico_columns *columns)
{
    if (!columns) return;
    rico_context *ctx = columns->ctx;
    enum { NOTES = 9 };
    rico_note_lines *all[NOTES] = {&columns->positions, &columns->velocities, &columns->constraints,
                                   &columns->terms,     &columns->sources,    &columns->bodies,
                                   &columns->joints,    &columns->sensors,    &columns->probes};
    for (int i = 0; i < NOTES; i++) {
        rico_free(ctx, all[i]->text);
        rico_free(ctx, all[i]->line);
    }
    rico_free(ctx, columns->constraint);
    rico_free(ctx, columns->contact);
    rico_free(ctx, columns->contact_rows);
    rico_free(ctx, columns->parameter);
    rico_free(ctx, columns->jump);
    rico_free(ctx, columns->time);
    rico_results_destroy(columns->results);
    rico_free(ctx, columns);
}


const char *rico_columns_title(const rico_columns *columns)
{
    return rico_columns_note(columns, "title");
}


const char *rico_columns_position(const rico_columns *columns, int64_t index)
{
    return index >= 0 && index < columns->positions.count ? columns->positions.line[index] : NULL;
}


const char *rico_columns_velocity(const rico_columns *columns, int64_t index)
{
    return index >= 0 && index < columns->velocities.count ? columns->velocities.line[index] : NULL;
}


const char *rico_columns_contact(const rico_columns *columns, int64_t index)
{
    return index >= 0 && index < columns->contact_count ? columns->contact[index] : NULL;
}


int64_t rico_columns_contact_rows(const rico_columns *columns, int64_t index)
{
    return index >= 0 && index < columns->contact_count ? columns->contact_rows[index] : 0;
}


const char *rico_columns_numerical(const rico_columns *columns, int64_t index)
{
    return index >= 0 && index < columns->terms.count ? columns->terms.line[index] : "";
}


// --- finding -------------------------------------------------------------------------------------------------

static int64_t find_line(const rico_note_lines *list, const char *name)
{
    for (int64_t i = 0; i < list->count; i++)
        if (strcmp(list->line[i], name) == 0) return i;
    return -1;
}


static bool in_table(const rico_columns *columns, const char *table, const char *column, int64_t entry,
                     rico_column_source *out)
{
    out->table = rico_results_find_table(columns->results, table);
    if (out->table < 0) return false;
    out->column = rico_results_find_column(columns->results, out->table, column);
    if (out->column < 0) return false;
    const rico_column *found = &rico_results_table(columns->results, out->table)->columns[out->column];
    out->entry = entry;
    out->sum = NULL;
    return found->width == 0 ? entry == 0 : entry < found->width;
}


// "impulse:end.t1", or "impulse:discs" of a source
static bool of_contact(const rico_columns *columns, const char *name, rico_column_source *out)
{
    char what[32], contact[160];
    if (sscanf(name, "%31[a-z_]:%159[^\n]", what, contact) != 2) return false;
    int64_t entry = 0;
    char *dot = strrchr(contact, '.');
    if (dot && dot[1] == 't' && dot[2] >= '1' && dot[2] <= '5' && dot[3] == '\0') {
        entry = dot[2] - '0';
        *dot = '\0';
    }
    for (int64_t i = 0; i < columns->constraints.count; i++) {
        const rico_note_constraint *own = &columns->constraint[i];
        if (strcmp(own->name, contact) == 0 && entry < own->rows)
            return in_table(columns, "contacts", what, own->row + entry, out);
    }
    return entry == 0 && rico_columns_find_sum(columns, what, contact, out);
}


// "gate.inside"
static bool of_sensor(const rico_columns *columns, const char *name, rico_column_source *out)
{
    static const char ENDING[] = ".inside";
    size_t length = strlen(name), end = sizeof ENDING - 1;
    if (length <= end || strcmp(name + length - end, ENDING) != 0) return false;
    for (int64_t i = 0; i < columns->sensors.count; i++)
        if (strlen(columns->sensors.line[i]) == length - end &&
            strncmp(columns->sensors.line[i], name, length - end) == 0)
            return in_table(columns, "sensors", "inside", i, out);
    return false;
}


size_t rico_columns_probe_length(const rico_columns *columns, const char *at)
{
    size_t longest = 0;
    for (int64_t i = 0; i < columns->probes.count; i++) {
        size_t length = strlen(columns->probes.line[i]);
        bool ends = strncmp(at, columns->probes.line[i], length) == 0 &&
                    !isalnum((unsigned char)at[length]) && at[length] != '_';
        if (length > longest && ends) longest = length;
    }
    return longest;
}


bool rico_columns_find(const rico_columns *columns, const char *name, rico_column_source *out)
{
    int64_t place = find_line(&columns->positions, name);
    if (place >= 0) return in_table(columns, "state", "q", place, out);
    place = find_line(&columns->velocities, name);
    if (place >= 0) return in_table(columns, "state", "v", place, out);
    place = find_line(&columns->probes, name);
    if (place >= 0) return in_table(columns, "probes", "value", place, out);
    if (strchr(name, ':')) return of_contact(columns, name, out);
    if (rico_columns_find_joint(columns, name, out)) return true;
    if (of_sensor(columns, name, out)) return true;

    // table.column[entry], the outer two left out or not
    char text[160];
    snprintf(text, sizeof text, "%s", name);
    int64_t entry = 0;
    char *bracket = strchr(text, '['), *end = NULL;
    if (bracket) {
        if (!isdigit((unsigned char)bracket[1])) return false;
        entry = strtoll(bracket + 1, &end, 10);
        if (strcmp(end, "]") != 0) return false;
        *bracket = '\0';
    }
    char *dot = strchr(text, '.');
    if (dot) {
        *dot = '\0';
        return in_table(columns, text, dot + 1, entry, out);
    }
    for (size_t i = 0; i < sizeof ORDER / sizeof *ORDER; i++)
        if (in_table(columns, ORDER[i], text, entry, out)) return true;
    return false;
}


bool rico_columns_has(const rico_columns *columns, const char *name)
{
    rico_column_source from;
    return rico_columns_find(columns, name, &from) || strcmp(name, "energy") == 0 ||
           rico_columns_is_body_energy(columns, name);
}


const char *rico_columns_time_of(const rico_columns *columns, const char *name)
{
    // tables whose rows come when they will, and where their times stand
    static const char *const OWN[][2] = {
        {"events", "events.t"}, {"sliding", "sliding.t"}, {"samples", "samples.t"}, {"emitted", "emitted.t"}};
    rico_column_source from;
    bool plain = rico_columns_find(columns, name, &from);
    if (plain && from.sum) return "t";
    for (size_t i = 0; i < sizeof OWN / sizeof *OWN; i++) {
        const char *table = OWN[i][0], *in = strstr(name, table); // of a formula, any column that it names
        if (plain ? strcmp(rico_results_table(columns->results, from.table)->name, table) == 0
                  : in && in[strlen(table)] == '.')
            return OWN[i][1];
    }
    return "t";
}


// Offers a text that does not outlive the call: of the nearest, a copy is kept.
static void offer(rico_suggestion *near, char kept[RICO_SUGGEST_LENGTH + 1], const char *first,
                  const char *between, const char *second)
{
    char text[RICO_SUGGEST_LENGTH + 1];
    int length = snprintf(text, sizeof text, "%s%s%s", first, between, second);
    if (length < 0 || length > RICO_SUGGEST_LENGTH) return;
    rico_suggest_offer(near, text);
    if (near->best != text) return;
    memcpy(kept, text, RICO_SUGGEST_LENGTH + 1);
    near->best = kept;
}


rico_status rico_columns_unknown(rico_columns *columns, const char *name)
{
    rico_suggestion near;
    char hint[RICO_SUGGEST_SENTENCE], kept[RICO_SUGGEST_LENGTH + 1] = "";
    rico_suggest_start(&near, name);
    rico_suggest_offer(&near, "energy");
    for (int64_t i = 0; i < columns->positions.count; i++)
        rico_suggest_offer(&near, columns->positions.line[i]);
    for (int64_t i = 0; i < columns->velocities.count; i++)
        rico_suggest_offer(&near, columns->velocities.line[i]);
    for (int64_t i = 0; i < columns->probes.count; i++) rico_suggest_offer(&near, columns->probes.line[i]);
    for (int64_t t = 0; t < rico_results_table_count(columns->results); t++) {
        const rico_table *table = rico_results_table(columns->results, t);
        for (int64_t c = 0; c < table->column_count; c++) {
            rico_suggest_offer(&near, table->columns[c].name);
            if (strchr(name, '.')) offer(&near, kept, table->name, ".", table->columns[c].name);
        }
    }
    for (int64_t i = 0; i < columns->contact_count; i++)
        for (int k = 0; k < 5; k++) offer(&near, kept, OF_CONTACTS[k], ":", columns->contact[i]);
    for (int64_t i = 0; i < columns->sensors.count; i++)
        offer(&near, kept, columns->sensors.line[i], ".", "inside");
    const char *source, *sum, *joint, *field;
    for (int64_t i = 0; (joint = rico_columns_joint(columns, i)); i++)
        for (int64_t k = 0; (field = rico_columns_joint_field(k)); k++) offer(&near, kept, joint, ".", field);
    for (int64_t i = 0; (source = rico_columns_source(columns, i)); i++)
        for (int64_t k = 0; (sum = rico_columns_sum_name(k)); k++) offer(&near, kept, sum, ":", source);
    return rico_fail(columns->ctx, RICO_BAD_ARGUMENT, "there is no column '%s'%s", name,
                     rico_suggest_sentence(&near, "", hint));
}


double rico_columns_number(rico_number number, const double *at)
{
    int64_t integer;
    uint64_t whole;
    memcpy(&integer, at, sizeof integer);
    memcpy(&whole, at, sizeof whole);
    if (number == RICO_NUMBER_REAL) return *at;
    return number == RICO_NUMBER_INTEGER ? (double)integer : (double)whole;
}


// One entry of a column over all rows.
rico_status rico_columns_fetch(rico_columns *columns, const rico_column_source *from, int64_t *count,
                               double **values)
{
    enum { CHUNK = 1 << 16 };
    rico_context *ctx = columns->ctx;
    if (from->sum) return rico_columns_fetch_sum(columns, from, count, values);
    const rico_column *column = &rico_results_table(columns->results, from->table)->columns[from->column];
    int64_t rows = rico_results_items(columns->results, from->table),
            width = column->width > 0 ? column->width : 1;
    int64_t step = CHUNK / width > 0 ? CHUNK / width : 1;
    double *out = rico_alloc(ctx, rows, sizeof *out);
    double *chunk = rico_alloc(ctx, step * width, sizeof *chunk); // int64_t have the same size
    rico_status status = out && chunk ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t first = 0; status == RICO_OK && first < rows; first += step) {
        int64_t some = first + step < rows ? step : rows - first;
        status = rico_results_read(columns->results, from->table, from->column, first, some, chunk);
        for (int64_t i = 0; status == RICO_OK && i < some; i++) {
            out[first + i] = rico_columns_number(column->number, &chunk[i * width + from->entry]);
        }
    }
    rico_free(ctx, chunk);
    if (status != RICO_OK) {
        rico_free(ctx, out);
        return status;
    }
    *count = rows;
    *values = out;
    return RICO_OK;
}


static rico_status read_energy(rico_columns *columns, int64_t *count, double **values)
{
    double *potential = NULL;
    rico_status status = rico_columns_read(columns, "ledger.kinetic", count, values);
    if (status != RICO_OK) return status;
    int64_t same;
    status = rico_columns_read(columns, "ledger.potential", &same, &potential);
    for (int64_t i = 0; status == RICO_OK && i < same && i < *count; i++) (*values)[i] += potential[i];
    rico_free(columns->ctx, potential);
    if (status != RICO_OK) rico_free(columns->ctx, *values);
    return status;
}


rico_status rico_columns_read(rico_columns *columns, const char *name, int64_t *count, double **values)
{
    rico_column_source from;
    if (strcmp(name, "energy") == 0) return read_energy(columns, count, values);
    if (rico_columns_is_body_energy(columns, name))
        return rico_columns_read_body_energy(columns, name, count, values);
    if (!rico_columns_find(columns, name, &from)) return rico_columns_evaluate(columns, name, count, values);
    rico_status status = rico_columns_fetch(columns, &from, count, values);
    if (status == RICO_OK && columns->broken) status = rico_columns_break(columns, &from, count, values);
    return status;
}


void rico_columns_show_jumps(rico_columns *columns, bool show)
{
    // where many bodies meet, an impact of two says nothing about the others: their curves stay as they are
    columns->broken = show && columns->bodies.count == 0;
}
