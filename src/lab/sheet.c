// Columns of numbers by name, in memory.

#include "lab/sheet.h"

#include "base/replace_file.h"
#include "base/suggest.h"
#include "base/text.h"
#include "store/target.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void rico_sheet_release(rico_sheet *sheet)
{
    for (int64_t i = 0; i < sheet->count; i++) rico_free(sheet->ctx, sheet->column[i].value);
    rico_free(sheet->ctx, sheet->column);
    sheet->column = NULL;
    sheet->count = 0;
}


rico_status rico_sheet_add(rico_sheet *sheet, const char *name, int64_t count, const double *value,
                           double **out)
{
    rico_sheet_column *more =
        rico_grow(sheet->ctx, sheet->column, sheet->count, sheet->count + 1, sizeof *more);
    if (!more) return RICO_NO_MEMORY;
    sheet->column = more;
    rico_sheet_column *column = &sheet->column[sheet->count];
    column->value = rico_alloc(sheet->ctx, count, sizeof *column->value);
    if (!column->value) return RICO_NO_MEMORY;
    snprintf(column->name, sizeof column->name, "%s", name);
    column->count = count;
    for (int64_t i = 0; i < count; i++) column->value[i] = value ? value[i] : NAN;
    sheet->count++;
    if (out) *out = column->value;
    return RICO_OK;
}


rico_status rico_sheet_find(const rico_sheet *sheet, const char *name, const rico_sheet_column **out)
{
    rico_suggestion near;
    char hint[RICO_SUGGEST_SENTENCE];
    rico_suggest_start(&near, name);
    for (int64_t i = 0; i < sheet->count; i++) {
        if (strcmp(sheet->column[i].name, name) == 0) {
            *out = &sheet->column[i];
            return RICO_OK;
        }
        rico_suggest_offer(&near, sheet->column[i].name);
    }
    return rico_fail(sheet->ctx, RICO_BAD_ARGUMENT, "there is no column '%s'%s", name,
                     rico_suggest_sentence(&near, "", hint));
}


rico_status rico_sheet_write_csv(const rico_sheet *sheet, const char *path)
{
    rico_text text = {.ctx = sheet->ctx};
    int64_t rows = 0;
    for (int64_t i = 0; i < sheet->count; i++) {
        rico_text_add(&text, "%s%s", i ? "," : "", sheet->column[i].name);
        if (sheet->column[i].count > rows) rows = sheet->column[i].count;
    }
    rico_text_add(&text, "\r\n");
    for (int64_t k = 0; k < rows; k++) {
        for (int64_t i = 0; i < sheet->count; i++) {
            const rico_sheet_column *column = &sheet->column[i];
            if (i) rico_text_add(&text, ",");
            if (k < column->count && isfinite(column->value[k]))
                rico_text_add(&text, "%.17g", column->value[k]);
        }
        rico_text_add(&text, "\r\n");
    }
    rico_status status = text.status;
    if (status == RICO_OK) status = rico_target_check(sheet->ctx, path, RICO_TARGET_TABLE, NULL, NULL);
    if (status == RICO_OK) status = rico_replace_file(sheet->ctx, path, text.data, text.length);
    rico_free(sheet->ctx, text.data);
    return status;
}
