// Columns of numbers by name, in memory: what comes out of impacts, for tables, CSV and figures.

#ifndef RICO_LAB_SHEET_H
#define RICO_LAB_SHEET_H

#include "base/context.h"

enum { RICO_SHEET_NAME = 96 };

typedef struct rico_sheet_column {
    char name[RICO_SHEET_NAME];
    int64_t count;
    double *value;
} rico_sheet_column;

// Start it with {.ctx = ctx}.
typedef struct rico_sheet {
    rico_context *ctx;
    int64_t count;
    rico_sheet_column *column;
} rico_sheet;

void rico_sheet_release(rico_sheet *sheet);

// Adds a column of `count` numbers, copied from `value` or, where that is NULL, not numbers yet; *out (unless NULL) are
// the sheet's own.
rico_status rico_sheet_add(rico_sheet *sheet, const char *name, int64_t count, const double *value,
                           double **out);

// By name; an unknown one is refused with the nearest known.
rico_status rico_sheet_find(const rico_sheet *sheet, const char *name, const rico_sheet_column **out);

// Columns of unequal length are filled up with empty fields. Numbers read back to the same double.
rico_status rico_sheet_write_csv(const rico_sheet *sheet, const char *path);

#endif
