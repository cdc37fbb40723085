// Are two archives the same, bit for bit?

#include "store/results.h"

#include <stdio.h>
#include <string.h>

// Numbers compared at a time.
enum { PIECE = 1 << 16 };


// Compares one column, or `start` (column -1), in pieces that fit `left` and `right`.
static rico_status compare_column(rico_results *a, rico_results *b, int64_t ta, int64_t tb, int64_t ca,
                                  int64_t cb, int64_t *left, int64_t *right, char difference[RICO_DIFFERENCE])
{
    const rico_table *table = rico_results_table(a, ta);
    bool start = ca < 0;
    int64_t width = start || table->columns[ca].width == 0 ? 1 : table->columns[ca].width;
    int64_t rows = start ? rico_results_rows(a, ta) + 1 : rico_results_items(a, ta);
    int64_t most = width < PIECE ? PIECE / width : 1;
    for (int64_t first = 0; first < rows; first += most) {
        int64_t count = rows - first < most ? rows - first : most;
        rico_status status = start ? rico_results_starts(a, ta, first, count - 1, left)
                                   : rico_results_read(a, ta, ca, first, count, left);
        if (status == RICO_OK) {
            status = start ? rico_results_starts(b, tb, first, count - 1, right)
                           : rico_results_read(b, tb, cb, first, count, right);
        }
        if (status != RICO_OK) return status;
        if (!memcmp(left, right, (size_t)(count * width) * 8)) continue;
        int64_t k = 0;
        while (left[k] == right[k]) k++;
        int64_t row = first + k / width;
        snprintf(difference, RICO_DIFFERENCE, "table %s differs first in column %s, row %lld", table->name,
                 start ? "start" : table->columns[ca].name, (long long)row);
        return RICO_OK;
    }
    return RICO_OK;
}


// The widest column, in numbers.
static int64_t widest(const rico_results *results)
{
    int64_t most = 1;
    for (int64_t t = 0; t < rico_results_table_count(results); t++) {
        const rico_table *table = rico_results_table(results, t);
        for (int64_t c = 0; c < table->column_count; c++) {
            if (table->columns[c].width > most) most = table->columns[c].width;
        }
    }
    return most;
}


static rico_status compare_table(rico_results *a, rico_results *b, int64_t ta, int64_t *left, int64_t *right,
                                 char difference[RICO_DIFFERENCE])
{
    const rico_table *table = rico_results_table(a, ta);
    int64_t tb = rico_results_find_table(b, table->name);
    const rico_table *other = rico_results_table(b, tb);
    if (!other || other->column_count != table->column_count || other->ragged != table->ragged) {
        snprintf(difference, RICO_DIFFERENCE, "table %s is %s", table->name,
                 other ? "of another kind" : "missing");
        return RICO_OK;
    }
    if (rico_results_rows(a, ta) != rico_results_rows(b, tb) ||
        rico_results_items(a, ta) != rico_results_items(b, tb)) {
        snprintf(difference, RICO_DIFFERENCE, "table %s has %lld rows here, %lld there", table->name,
                 (long long)rico_results_rows(a, ta), (long long)rico_results_rows(b, tb));
        return RICO_OK;
    }
    rico_status status = RICO_OK;
    if (table->ragged) status = compare_column(a, b, ta, tb, -1, -1, left, right, difference);
    for (int64_t c = 0; status == RICO_OK && !*difference && c < table->column_count; c++) {
        int64_t twin = rico_results_find_column(b, tb, table->columns[c].name);
        if (twin < 0 || other->columns[twin].number != table->columns[c].number ||
            other->columns[twin].width != table->columns[c].width) {
            snprintf(difference, RICO_DIFFERENCE, "column %s of table %s is %s", table->columns[c].name,
                     table->name, twin < 0 ? "missing" : "of another kind");
            return RICO_OK;
        }
        status = compare_column(a, b, ta, tb, c, twin, left, right, difference);
    }
    return status;
}


rico_status rico_results_compare(rico_results *a, rico_results *b, char difference[RICO_DIFFERENCE])
{
    difference[0] = '\0';
    if (rico_results_table_count(a) != rico_results_table_count(b)) {
        snprintf(difference, RICO_DIFFERENCE, "there are %lld tables here, %lld there",
                 (long long)rico_results_table_count(a), (long long)rico_results_table_count(b));
        return RICO_OK;
    }
    int64_t room = widest(a) > PIECE ? widest(a) : PIECE;
    int64_t *left = rico_alloc(a->ctx, room, sizeof *left),
            *right = left ? rico_alloc(a->ctx, room, sizeof *right) : NULL;
    rico_status status = right ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t t = 0; status == RICO_OK && !*difference && t < rico_results_table_count(a); t++) {
        status = compare_table(a, b, t, left, right, difference);
    }
    rico_free(a->ctx, left);
    rico_free(a->ctx, right);
    return status;
}
