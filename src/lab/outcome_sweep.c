// Impacts over a range of a parameter: the scene built anew for each value, the measures as columns.

#include "base/number.h"
#include "lab/outcome.h"
#include "lab/range.h"

#include <stdio.h>
#include <string.h>

static rico_status refuse(rico_context *ctx, const char *text)
{
    return rico_fail(ctx, RICO_BAD_ARGUMENT,
                     "the range '%s' must read NAME=FROM:TO:COUNT, NAME=log:FROM:TO:COUNT or NAME=A,B,...",
                     text);
}


static bool fill_list(const rico_range *range, double *x)
{
    const char *at = range->list, *word;
    for (int64_t i = 0; at; i++) {
        char text[64];
        size_t length = rico_range_word(&at, &word);
        snprintf(text, sizeof text, "%.*s", (int)length, word);
        if (length == 0 || length >= sizeof text || !rico_text_to_real(text, &x[i])) return false;
    }
    return true;
}


// Numbers only: a column of the sheet is made of them.
rico_status rico_range_read(rico_context *ctx, const char *text, char name[RICO_SHEET_NAME], int64_t *count,
                            double **value)
{
    rico_range range;
    if (!rico_range_parse(text, &range) || range.name_length >= RICO_SHEET_NAME) return refuse(ctx, text);
    if (range.log && !(range.from > 0.0 && range.to > 0.0))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the range '%s' is logarithmic and not positive", text);
    if (!(range.count >= 1.0 && range.count <= RICO_RANGE_MOST))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the range '%s' has %g values, expected 1 to %d", text,
                         range.count, RICO_RANGE_MOST);
    int64_t n = (int64_t)range.count;
    double *x = rico_alloc(ctx, n, sizeof *x);
    if (!x) return RICO_NO_MEMORY;
    if (range.list && !fill_list(&range, x)) {
        rico_free(ctx, x);
        return refuse(ctx, text);
    }
    for (int64_t i = 0; !range.list && i < n; i++) x[i] = rico_range_value(&range, i);
    snprintf(name, RICO_SHEET_NAME, "%.*s", range.name_length, range.name);
    *count = n;
    *value = x;
    return RICO_OK;
}


// The columns, once the first impact says which laws there are.
static rico_status add_columns(rico_sheet *sheet, const rico_outcomes *outcomes, int64_t rows)
{
    rico_status status = RICO_OK;
    for (int i = 0; i < outcomes->count; i++)
        for (int k = 0; status == RICO_OK && k < rico_outcome_measure_count(); k++) {
            char name[RICO_SHEET_NAME];
            snprintf(name, sizeof name, "%s.%s", outcomes->outcome[i].law, rico_outcome_measure_at(k)->name);
            status = rico_sheet_add(sheet, name, rows, NULL, NULL);
        }
    return status;
}


static void fill_row(rico_sheet *sheet, const rico_outcomes *outcomes, int64_t row)
{
    int64_t column = 1;
    for (int i = 0; i < outcomes->count; i++)
        for (int k = 0; k < rico_outcome_measure_count(); k++)
            sheet->column[column++].value[row] = outcomes->outcome[i].measure[k];
}


static rico_status run_row(rico_context *ctx, rico_outcome_sweep *sweep, const char **words, int64_t row,
                           int64_t rows, rico_sheet *sheet)
{
    rico_scene *scene = NULL;
    rico_outcomes outcomes = {0};
    rico_outcome_options options = *sweep->options;
    options.waves = 0;
    rico_status status = rico_scene_load(ctx, sweep->scene, sweep->override_count + 1, words, sweep->excerpt,
                                         sizeof sweep->excerpt, &scene);
    if (status == RICO_OK) status = rico_outcomes_make(ctx, scene, &options, &outcomes);
    if (status == RICO_OK && row == 0) status = add_columns(sheet, &outcomes, rows);
    if (status == RICO_OK) fill_row(sheet, &outcomes, row);
    rico_outcomes_release(&outcomes);
    rico_scene_destroy(scene);
    return status;
}


rico_status rico_outcome_sweep_run(rico_context *ctx, rico_outcome_sweep *sweep, rico_sheet *sheet)
{
    char name[RICO_SHEET_NAME], word[RICO_SHEET_NAME + 64];
    int64_t rows;
    double *x = NULL;
    sweep->excerpt[0] = '\0';
    rico_status status = rico_range_read(ctx, sweep->over, name, &rows, &x);
    if (status != RICO_OK) return status;
    const char **words = rico_alloc(ctx, sweep->override_count + 1, sizeof *words);
    if (!words) status = RICO_NO_MEMORY;
    if (status == RICO_OK) status = rico_sheet_add(sheet, name, rows, x, NULL);
    for (int64_t i = 0; words && i < sweep->override_count; i++) words[i] = sweep->overrides[i];
    if (words) words[sweep->override_count] = word;
    for (int64_t row = 0; status == RICO_OK && row < rows; row++) {
        if (sweep->progress) sweep->progress(sweep->user, row, rows);
        snprintf(word, sizeof word, "%s=%.17g", name, x[row]);
        status = run_row(ctx, sweep, words, row, rows, sheet);
        if (status != RICO_OK && status != RICO_NO_MEMORY) rico_fail_in(ctx, status, word);
    }
    rico_free(ctx, words);
    rico_free(ctx, x);
    return status;
}
