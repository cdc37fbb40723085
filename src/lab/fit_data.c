// Measured data: a table of comma-separated values with times and named columns.

#include "base/csv.h"
#include "lab/fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIME = -1 };

// What a field of the first line stands for.
typedef struct field_role {
    int64_t column; // or TIME
    bool sigma;
} field_role;


void rico_fit_data_release(rico_context *ctx, rico_fit_data *data)
{
    rico_free(ctx, data->t);
    rico_free(ctx, data->value);
    rico_free(ctx, data->sigma);
    memset(data, 0, sizeof *data);
}


static int64_t find_column(const rico_fit_data *data, const char *name)
{
    for (int64_t i = 0; i < data->columns; i++)
        if (strcmp(data->name[i], name) == 0) return i;
    return -1;
}


// The first line: t, names, and sigma_NAME behind the names they belong to.
static rico_status read_names(rico_context *ctx, const char *path, int count, char *const *field,
                              field_role *role, rico_fit_data *data)
{
    bool timed = false;
    for (int i = 0; i < count; i++) {
        if (strcmp(field[i], "t") == 0) {
            role[i] = (field_role){TIME, false};
            timed = true;
            continue;
        }
        if (strncmp(field[i], "sigma_", 6) == 0) {
            int64_t of = find_column(data, field[i] + 6);
            if (of < 0)
                return rico_fail(ctx, RICO_BAD_INPUT, "%s:1: '%.60s' has no column '%.60s' before it", path,
                                 field[i], field[i] + 6);
            role[i] = (field_role){of, true};
            data->weighted = true;
            continue;
        }
        if (data->columns == RICO_FIT_COLUMNS || strlen(field[i]) >= RICO_SCENE_NAME)
            return rico_fail(ctx, RICO_BAD_INPUT,
                             "%s:1: at most %d columns with names of %d letters, at '%.60s'", path,
                             RICO_FIT_COLUMNS, RICO_SCENE_NAME - 1, field[i]);
        snprintf(data->name[data->columns], RICO_SCENE_NAME, "%s", field[i]);
        role[i] = (field_role){data->columns++, false};
    }
    if (!timed || data->columns == 0)
        return rico_fail(ctx, RICO_BAD_INPUT, "%s:1: data need a column 't' and at least one more", path);
    return RICO_OK;
}


static bool read_number(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    while (*end == ' ') end++;
    return end != text && *end == '\0' && isfinite(*value);
}


static rico_status read_row(rico_context *ctx, const char *path, int64_t line, int count, char *const *field,
                            const field_role *role, int64_t room, rico_fit_data *data)
{
    int64_t row = data->rows;
    for (int64_t c = 0; c < data->columns; c++) {
        data->value[c * room + row] = NAN;
        data->sigma[c * room + row] = 1.0;
    }
    data->t[row] = NAN;
    for (int i = 0; i < count; i++) {
        double value;
        if (field[i][0] == '\0') continue;
        if (!read_number(field[i], &value) || (role[i].sigma && !(value > 0.0)))
            return rico_fail(ctx, RICO_BAD_INPUT, "%s:%lld: '%.40s' is no %s", path, (long long)line,
                             field[i], role[i].sigma ? "standard deviation" : "number");
        if (role[i].column == TIME)
            data->t[row] = value;
        else
            (role[i].sigma ? data->sigma : data->value)[role[i].column * room + row] = value;
    }
    if (!isfinite(data->t[row]) || (row > 0 && data->t[row] < data->t[row - 1]))
        return rico_fail(ctx, RICO_BAD_INPUT, "%s:%lld: times must be given and ascend", path,
                         (long long)line);
    for (int64_t c = 0; c < data->columns; c++) data->measured += isfinite(data->value[c * room + row]);
    data->rows++;
    return RICO_OK;
}


// A last line without its end counts too.
static rico_status end_last_line(rico_context *ctx, rico_csv *csv)
{
    if (csv->length == 0 || csv->text[csv->length - 1] == '\n') return RICO_OK;
    char *longer = rico_grow(ctx, csv->text, (int64_t)csv->length, (int64_t)csv->length + 2, 1);
    if (!longer) return RICO_NO_MEMORY;
    longer[csv->length++] = '\n';
    longer[csv->length] = '\0';
    csv->text = longer;
    return RICO_OK;
}


rico_status rico_fit_data_read(rico_context *ctx, const char *path, rico_fit_data *out)
{
    rico_csv csv = {0};
    char *field[RICO_CSV_FIELDS];
    field_role role[RICO_CSV_FIELDS];
    memset(out, 0, sizeof *out);
    rico_status status = rico_csv_load(ctx, path, &csv);
    if (status == RICO_OK) status = end_last_line(ctx, &csv);
    int64_t room = 1;
    for (size_t i = 0; status == RICO_OK && i < csv.length; i++) room += csv.text[i] == '\n';
    int count = status == RICO_OK ? rico_csv_next(&csv, field) : 0;
    if (status == RICO_OK && (count == 0 || count > RICO_CSV_FIELDS))
        status = rico_fail(ctx, RICO_BAD_INPUT, "%s:1: 1 to %d names between commas are expected", path,
                           RICO_CSV_FIELDS);
    if (status == RICO_OK) status = read_names(ctx, path, count, field, role, out);
    if (status == RICO_OK) {
        out->t = rico_alloc(ctx, room, sizeof *out->t);
        out->value = rico_alloc(ctx, room * out->columns, sizeof *out->value);
        out->sigma = rico_alloc(ctx, room * out->columns, sizeof *out->sigma);
        if (!out->t || !out->value || !out->sigma) status = RICO_NO_MEMORY;
    }
    for (int given; status == RICO_OK && (given = rico_csv_next(&csv, field)) > 0;) {
        if (given == 1 && field[0][0] == '\0') continue;
        if (given != count)
            status = rico_fail(ctx, RICO_BAD_INPUT, "%s:%lld: %d fields, expected %d", path,
                               (long long)csv.line, given, count);
        else
            status = read_row(ctx, path, csv.line, count, field, role, room, out);
    }
    // close the ranks: rows of a column stand together
    for (int64_t c = 1; status == RICO_OK && c < out->columns; c++) {
        memmove(out->value + c * out->rows, out->value + c * room, (size_t)out->rows * sizeof(double));
        memmove(out->sigma + c * out->rows, out->sigma + c * room, (size_t)out->rows * sizeof(double));
    }
    if (status == RICO_OK && out->measured == 0)
        status = rico_fail(ctx, RICO_BAD_INPUT, "%s: there are no data behind the first line", path);
    rico_free(ctx, csv.text);
    if (status != RICO_OK) rico_fit_data_release(ctx, out);
    return status;
}
