// Results as they are read: what each table and column is, and how far it has come.

#ifndef RICO_STORE_RESULTS_H
#define RICO_STORE_RESULTS_H

#include "base/context.h"
#include "base/hdf5_io.h"
#include "ricochet/store.h"

// An open dataset.
typedef struct rico_source {
    hid_t set;
    int rank;      // 1, or 2 for vectors
    int64_t width; // numbers in a row, at least 1
    int64_t rows;  // it has now
    bool packed;   // goes through filters
    char *memory;  // its numbers, of results without a file, whose set is -1
} rico_source;

typedef struct rico_results_part {
    rico_source *columns; // one for each column of the table
    rico_source start;    // of a ragged table
    int64_t rows, items;
} rico_results_part;

struct rico_results {
    rico_context *ctx;
    char *path;
    rico_hdf5_file file;
    bool opened, finished;
    int64_t table_count;
    rico_table *tables; // names and texts are ours
    rico_results_part *parts;
    int64_t note_count;
    rico_note *notes;
    int64_t parameter_count;
    rico_note *parameters;
    double end; // NaN unless it was set
};

// Opens the dataset `name` and checks that it could be a column.
rico_status rico_source_open(rico_results *results, const char *name, rico_source *out, rico_number *number);

// Asks the file again how many rows there are; `live` when it may be growing.
rico_status rico_source_refresh(rico_results *results, const char *name, rico_source *source, bool live);

// Numbers of rows [first, first + count), which must be there.
rico_status rico_source_read(rico_results *results, const char *name, const rico_source *source,
                             rico_number number, int64_t first, int64_t count, void *out);

// A text attribute of an open object, "" when it has none, in memory that the caller frees.
rico_status rico_source_text(rico_results *results, hid_t object, const char *attribute, char **out);

#endif
