// Sums over contacts that come and go: one number for each row of the state, from the list of contacts that the row has.
//
// A single contact has no column of its own, since no row need have it; what a curve can show is what they do together.

#include "store/columns_private.h"

#include <math.h>
#include <string.h>

#define TABLE "emitted"

static double one(double sum, double value)
{
    (void)value;
    return sum + 1.0;
}


static double one_if_closed(double sum, double state)
{
    return sum + (state > 0.0);
}


static double add(double sum, double value)
{
    return sum + value;
}


// Without a contact there is no gap: the curve has a hole there.
static double smaller(double least, double value)
{
    return value < least || isnan(least) ? value : least;
}


static double larger(double most, double value)
{
    return value > most || isnan(most) ? value : most;
}


struct rico_column_sum {
    const char *name, *column; // of vectors the first entry: the normal one
    double start;
    double (*take)(double sum, double value);
};

static const rico_column_sum SUMS[] = {
    {"count", "state", 0.0, one},
    {"closed", "state", 0.0, one_if_closed},
    {"impulse", "impulse", 0.0, add},
    {"gap", "gap", NAN, smaller},
    {"normal_work", "normal_work", 0.0, add},
    {"tangential_work", "tangential_work", 0.0, add},
    {"tangential_work_most", "tangential_work", NAN, larger},
};


const char *rico_columns_sum_name(int64_t index)
{
    return index >= 0 && index < (int64_t)(sizeof SUMS / sizeof *SUMS) ? SUMS[index].name : NULL;
}


const char *rico_columns_source(const rico_columns *columns, int64_t index)
{
    if (rico_results_find_table(columns->results, TABLE) < 0) return NULL;
    if (index == columns->sources.count) return TABLE;
    return index >= 0 && index < columns->sources.count ? columns->sources.line[index] : NULL;
}


// "ball", or "ball:floor": the contacts of one body, or of two.
static bool find_bodies(const rico_columns *columns, const char *name, int64_t body[2])
{
    const char *colon = strchr(name, ':');
    size_t length = colon ? (size_t)(colon - name) : strlen(name);
    body[0] = rico_columns_find_body(columns, name, length);
    body[1] = colon ? rico_columns_find_body(columns, colon + 1, strlen(colon + 1)) : -1;
    return body[0] >= 0 && (!colon || body[1] >= 0);
}


bool rico_columns_find_sum(const rico_columns *columns, const char *what, const char *source,
                           rico_column_source *out)
{
    const rico_results *results = columns->results;
    const char *known;
    int64_t own = 0;
    while ((known = rico_columns_source(columns, own)) && strcmp(known, source) != 0) own++;
    out->table = rico_results_find_table(results, TABLE);
    int64_t body[2] = {-1, -1};
    if (!known && !find_bodies(columns, source, body)) return false;
    if (out->table < 0 || !rico_results_table(results, out->table)->ragged) return false;
    for (size_t i = 0; i < sizeof SUMS / sizeof *SUMS; i++) {
        if (strcmp(SUMS[i].name, what) != 0) continue;
        out->column = rico_results_find_column(results, out->table, SUMS[i].column);
        out->entry = 0;
        out->sum = &SUMS[i];
        out->of = known && own < columns->sources.count ? own : -1;
        memcpy(out->body, body, sizeof body);
        return out->column >= 0;
    }
    return false;
}


// Is a contact of bodies a and b one of those that are asked for?
static bool between(const rico_column_source *from, int64_t a, int64_t b)
{
    const int64_t *body = from->body;
    if (body[1] < 0) return a == body[0] || b == body[0];
    return (a == body[0] && b == body[1]) || (a == body[1] && b == body[0]);
}


static rico_status read_pair(rico_columns *columns, const rico_column_source *from, int64_t first,
                             int64_t count, int64_t *a, int64_t *b)
{
    int64_t one = rico_results_find_column(columns->results, from->table, "body_a"),
            other = rico_results_find_column(columns->results, from->table, "body_b");
    if (one < 0 || other < 0)
        return rico_fail(columns->ctx, RICO_BAD_INPUT, "the table " TABLE " does not say which bodies touch");
    rico_status status = rico_results_read(columns->results, from->table, one, first, count, a);
    return status == RICO_OK ? rico_results_read(columns->results, from->table, other, first, count, b)
                             : status;
}


// Where the items of every row begin, and the numbers of a sum so far.
static rico_status add_items(rico_columns *columns, const rico_column_source *from, int64_t rows,
                             const int64_t *start, double *out)
{
    enum { ITEMS = 1 << 14 };
    rico_results *results = columns->results;
    const rico_column *column = &rico_results_table(results, from->table)->columns[from->column];
    int64_t source = rico_results_find_column(results, from->table, "source");
    int64_t width = column->width > 0 ? column->width : 1, row = 0;
    double *values = rico_alloc(columns->ctx, ITEMS * width, sizeof *values);
    int64_t *who = rico_alloc(columns->ctx, 3 * ITEMS, sizeof *who);
    rico_status status = values && who ? RICO_OK : RICO_NO_MEMORY;
    int64_t *a = who ? who + ITEMS : NULL, *b = who ? a + ITEMS : NULL;
    if (status == RICO_OK &&
        (source < 0 || rico_results_table(results, from->table)->columns[source].width > 0))
        status = rico_fail(columns->ctx, RICO_BAD_INPUT, "the table " TABLE " does not say who emitted what");
    for (int64_t first = 0; status == RICO_OK && first < start[rows]; first += ITEMS) {
        int64_t count = start[rows] - first < ITEMS ? start[rows] - first : ITEMS;
        status = rico_results_read(results, from->table, from->column, first, count, values);
        if (status == RICO_OK) status = rico_results_read(results, from->table, source, first, count, who);
        if (status == RICO_OK && from->body[0] >= 0) status = read_pair(columns, from, first, count, a, b);
        for (int64_t i = 0; status == RICO_OK && i < count; i++) {
            while (first + i >= start[row + 1]) row++;
            if (from->of >= 0 && who[i] != from->of) continue;
            if (from->body[0] >= 0 && !between(from, a[i], b[i])) continue;
            out[row] = from->sum->take(out[row], rico_columns_number(column->number, &values[i * width]));
        }
    }
    rico_free(columns->ctx, values);
    rico_free(columns->ctx, who);
    return status;
}


rico_status rico_columns_fetch_sum(rico_columns *columns, const rico_column_source *from, int64_t *count,
                                   double **values)
{
    int64_t rows = rico_results_rows(columns->results, from->table);
    int64_t *start = rico_alloc(columns->ctx, rows + 1, sizeof *start);
    double *out = rico_alloc(columns->ctx, rows, sizeof *out);
    rico_status status = start && out ? RICO_OK : RICO_NO_MEMORY;
    if (status == RICO_OK) status = rico_results_starts(columns->results, from->table, 0, rows, start);
    for (int64_t i = 0; status == RICO_OK && i < rows; i++) out[i] = from->sum->start;
    if (status == RICO_OK) status = add_items(columns, from, rows, start, out);
    rico_free(columns->ctx, start);
    if (status != RICO_OK) {
        rico_free(columns->ctx, out);
        return status;
    }
    *count = rows;
    *values = out;
    return RICO_OK;
}
