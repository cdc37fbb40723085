// Impacts between the rows of a run: where a curve of a velocity jumps instead of slanting over a step.
//
// A contact that closes does so at a time that the table of events has. Just before it, velocities go on as they did over
// the step before, just after it they come as they go over the step that follows; positions are on their straight line.

#include "store/columns_private.h"

#include <math.h>
#include <string.h>

// Columns that jump with the velocities, by table. The potential energy does not, but its rows do around an impact that a
// step passes over: carried on like the kinetic energy, the sum of both stays what it is.
static const struct {
    const char *table, *column;
} JUMPING[] = {
    {"state", "v"},          {"ledger", "kinetic"},  {"total", "kinetic"},     {"total", "normal"},
    {"ledger", "potential"}, {"total", "potential"}, {"total", "tangential"},  {"total", "joint"},
    {"total", "projection"}, {"joints", "reaction"}, {"joints", "coordinate"}, {"joints", "effort"},
    {"accelerations", "a"},
};


static bool jumps(const char *table, const char *column)
{
    for (size_t i = 0; i < sizeof JUMPING / sizeof *JUMPING; i++)
        if (strcmp(JUMPING[i].table, table) == 0 && strcmp(JUMPING[i].column, column) == 0) return true;
    return false;
}


// Tables with a row wherever the state has one.
static bool has_rows_of_state(const char *table)
{
    static const char *const TABLES[] = {"state",    "ledger", "contacts",     "total",
                                         "counters", "joints", "accelerations"};
    for (size_t i = 0; i < sizeof TABLES / sizeof *TABLES; i++)
        if (strcmp(TABLES[i], table) == 0) return true;
    return false;
}


// The impacts of the events, each in the interval of rows in which it falls alone.
static void place_jumps(rico_columns *columns, int64_t events, const double *when, const double *closes)
{
    const double *t = columns->time;
    int64_t row = 1;
    for (int64_t e = 0; e < events; e++) {
        if (!(closes[e] > 0.0)) continue;
        double slack = 1e-9 * fmax(fabs(when[e]), 1e-300);
        while (row < columns->time_rows && t[row] < when[e] - slack) row++;
        if (row >= columns->time_rows) return;
        if (row + 1 < columns->time_rows && t[row + 1] == t[row]) continue; // the file has both sides itself
        rico_column_jump *last = columns->jump_count > 0 ? &columns->jump[columns->jump_count - 1] : NULL;
        if (last && last->row == row) {
            if (fabs(last->t - when[e]) > slack) last->t = NAN; // several: nothing is known between
            continue;
        }
        columns->jump[columns->jump_count++] = (rico_column_jump){row, fmin(when[e], t[row])};
    }
}


static void drop_unknown(rico_columns *columns)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < columns->jump_count; i++)
        if (!isnan(columns->jump[i].t)) columns->jump[kept++] = columns->jump[i];
    columns->jump_count = kept;
}


static rico_status find_jumps(rico_columns *columns)
{
    static const char *const NEEDED[] = {"state.t", "events.t", "events.closes"};
    rico_context *ctx = columns->ctx;
    rico_column_source from;
    double *column[3] = {NULL};
    int64_t rows[3] = {0};
    rico_status status = RICO_OK;
    columns->has_jumps = true;
    for (int i = 0; i < 3; i++)
        if (!rico_columns_find(columns, NEEDED[i], &from)) return RICO_OK;
    for (int i = 0; status == RICO_OK && i < 3; i++) {
        (void)rico_columns_find(columns, NEEDED[i], &from);
        status = rico_columns_fetch(columns, &from, &rows[i], &column[i]);
    }
    int64_t events = rows[1] < rows[2] ? rows[1] : rows[2];
    if (status == RICO_OK) {
        columns->time = column[0];
        columns->time_rows = rows[0];
        columns->jump = rico_alloc(ctx, events, sizeof *columns->jump);
        status = columns->jump ? RICO_OK : RICO_NO_MEMORY;
    } else {
        rico_free(ctx, column[0]);
    }
    if (status == RICO_OK) {
        place_jumps(columns, events, column[1], column[2]);
        drop_unknown(columns);
    }
    rico_free(ctx, column[1]);
    rico_free(ctx, column[2]);
    return status;
}


// The slope of a column over the interval that ends at a row; 0 where there is none or where it jumps itself.
static double slope(const rico_columns *columns, int64_t rows, const double *values, int64_t row,
                    int64_t neighbour)
{
    const double *t = columns->time;
    bool busy = neighbour >= 0 && neighbour < columns->jump_count && columns->jump[neighbour].row == row;
    if (row < 1 || row >= rows || busy || !(t[row] > t[row - 1])) return 0.0;
    return (values[row] - values[row - 1]) / (t[row] - t[row - 1]);
}


// Values just before and just after an impact.
static void sides(const rico_columns *columns, int64_t index, int64_t rows, const double *values,
                  bool jumping, double side[2])
{
    const rico_column_jump *jump = &columns->jump[index];
    const double *t = columns->time;
    int64_t row = jump->row;
    double since = jump->t - t[row - 1], until = t[row] - jump->t, part = since / (since + until);
    side[0] = side[1] = values[row - 1] + part * (values[row] - values[row - 1]);
    if (!jumping) return;
    side[0] = values[row - 1] + since * slope(columns, rows, values, row - 1, index - 1);
    side[1] = values[row] - until * slope(columns, rows, values, row + 1, index + 1);
}


rico_status rico_columns_break(rico_columns *columns, const rico_column_source *from, int64_t *count,
                               double **values)
{
    const rico_table *table = rico_results_table(columns->results, from->table);
    const char *column = table->columns[from->column].name;
    if (!columns->has_jumps) {
        rico_status status = find_jumps(columns);
        if (status != RICO_OK) {
            rico_free(columns->ctx, *values);
            return status;
        }
    }
    if (columns->jump_count == 0 || !(from->sum || has_rows_of_state(table->name))) return RICO_OK;
    // of a run that goes on, one column may have come further than another
    if (*count > columns->time_rows) *count = columns->time_rows;
    double *out = rico_alloc(columns->ctx, *count + 2 * columns->jump_count, sizeof *out);
    if (!out) {
        rico_free(columns->ctx, *values);
        return RICO_NO_MEMORY;
    }
    bool jumping = jumps(table->name, column);
    int64_t next = 0, kept = 0;
    for (int64_t i = 0; i < *count; i++) {
        if (next < columns->jump_count && columns->jump[next].row == i) {
            sides(columns, next++, *count, *values, jumping, &out[kept]);
            kept += 2;
        }
        out[kept++] = (*values)[i];
    }
    rico_free(columns->ctx, *values);
    *values = out;
    *count = kept;
    return RICO_OK;
}
