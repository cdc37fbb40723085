// Comma-separated values (RFC 4180): fields written with the quotes they need, records read back whole.

#ifndef RICO_BASE_CSV_H
#define RICO_BASE_CSV_H

#include "base/context.h"

#include <stdio.h>

// Writes one field; a comma, a quote or a line end in it makes it quoted.
void rico_csv_field(FILE *out, const char *text);

// A table in memory, taken apart record by record. The fields point into `text`, which is changed in place.
typedef struct rico_csv {
    char *text; // rico_free() releases it
    size_t length;
    size_t at;    // where the next record begins
    int64_t line; // of the file, where the record last read ends; from 1
} rico_csv;

enum { RICO_CSV_FIELDS = 32 };

rico_status rico_csv_load(rico_context *ctx, const char *path, rico_csv *csv);

// Reads the next record into `field` (RICO_CSV_FIELDS long); returns how many fields it has, RICO_CSV_FIELDS + 1
// when they are more than that, and 0 at the end. A last record without its line end was never finished: it is
// not given out, and csv->at stays where it begins.
int rico_csv_next(rico_csv *csv, char **field);

#endif
