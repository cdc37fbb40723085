// The archive: one HDF5 file per run, written row by row, readable while the run goes on, resumable after a kill.
//
// An archive holds tables. A table has named columns of reals or integers, each entry one number or a vector of fixed
// width, and grows row by row. A ragged table has rows of varying length (the contacts of a step): its columns hold
// items, and `start` says where each row's items begin. Beside the tables stand notes: the scene's text, versions,
// whatever names the run. In the file, table T with column C is the dataset /T/C, note N the dataset /notes/N.
//
// At any moment the file on disk is a prefix of what was written, in an order that HDF5 keeps consistent for readers
// (its SWMR mode). A kill or a full disk therefore leaves a file that opens, up to its last flush. docs/guide/results.md
// tells more.

#ifndef RICOCHET_STORE_H
#define RICOCHET_STORE_H

#include "ricochet/context.h"

RICO_API_BEGIN

typedef enum rico_number { RICO_NUMBER_REAL, RICO_NUMBER_INTEGER } rico_number; // double, int64_t

typedef struct rico_column {
    const char *name;
    rico_number number;
    int64_t width;           // entries of a vector; 0: a single number
    const char *unit, *help; // may be NULL
} rico_column;

typedef struct rico_table {
    const char *name, *help; // help may be NULL
    bool ragged;             // rows are lists of items; the columns hold items
    int compression;         // 0: none, 1 to 9: shuffle and deflate at that level
    int64_t column_count;
    const rico_column *columns;
} rico_table;

// Text when `text` is given, else a number of the kind named.
typedef struct rico_note {
    const char *name, *text;
    rico_number number;
    double real;
    int64_t integer;
} rico_note;

typedef struct rico_archive_plan {
    int64_t table_count;
    const rico_table *tables;
    int64_t note_count;
    const rico_note *notes;
    int64_t parameter_count;
    const rico_note *parameters; // numbers that the run was given, by name: /parameters/NAME in the file
    bool overwrite;              // replace an archive that is there; other files are never replaced
    double
        flush_seconds; // rows become visible to readers at least this often, if rows come at all; 0: on demand
} rico_archive_plan;

rico_archive_plan rico_archive_plan_default(void); // empty, no overwriting, flushed every second

// --- writing ------------------------------------------------------------------------------------------------

typedef struct rico_archive rico_archive;

// Makes a new file that appears at `path` complete with its (empty) tables and notes, or not at all. A file that is
// there is refused unless plan->overwrite, and always while another run writes it.
rico_status rico_archive_create(rico_context *ctx, const char *path, const rico_archive_plan *plan,
                                rico_archive **out);

// The same tables in memory, without a file: nothing becomes visible, checkpoints are refused, everything else is as above.
rico_status rico_archive_create_memory(rico_context *ctx, const rico_archive_plan *plan, rico_archive **out);

// What a checkpoint gives back: the caller's own bytes.
typedef struct rico_checkpoint {
    void *state; // free with rico_checkpoint_release()
    int64_t size;
    int64_t sequence; // how many checkpoints the run had made
} rico_checkpoint;

// Opens a run that was killed or stopped at its last checkpoint: every table goes on from the row count it had then.
// Rows that the file holds beyond are written again by the run, which is the same, and cut when it finishes earlier.
// The tables must be those of the plan; notes stay as they are. *out is NULL, with RICO_OK, when there is no
// checkpoint: the run had not made one yet, or has finished.
rico_status rico_archive_resume(rico_context *ctx, const char *path, const rico_archive_plan *plan,
                                rico_archive **out, rico_checkpoint *checkpoint);
void rico_checkpoint_release(rico_context *ctx, rico_checkpoint *checkpoint);

// Appends one row to a table that is not ragged: values[c] points at the numbers of column c. The pointers may be set
// up once and used for every step. Costs a copy; blocks of rows go to the file now and then. After a failure of the
// file every call gives the same failure, and nothing more is written.
rico_status rico_archive_append(rico_archive *archive, int64_t table, const void *const *values);

// Appends one row of `count` items to a ragged table: values[c] points at count * width numbers.
rico_status rico_archive_append_items(rico_archive *archive, int64_t table, int64_t count,
                                      const void *const *values);

// Rows appended so far, those of before a resume included.
int64_t rico_archive_rows(const rico_archive *archive, int64_t table);

// Makes all rows visible to readers.
rico_status rico_archive_flush(rico_archive *archive);

// Flushes, then keeps `size` bytes of the caller (all that it needs to go on) beside the file, in PATH.checkpoint,
// where they replace those of the checkpoint before at once.
rico_status rico_archive_checkpoint(rico_archive *archive, const void *state, int64_t size);

// Remembers `size` bytes of the caller together with the rows of now. When the run finishes they stay in the file, and
// rico_archive_extend() goes on from there; rows that came later are then written anew. The last call counts.
rico_status rico_archive_keep(rico_archive *archive, const void *state, int64_t size);

// Opens a finished run where rico_archive_keep() was called last; for the rest as rico_archive_resume(), which goes on
// with it when it is killed on its way. *out is NULL, with RICO_OK, when nothing was kept.
rico_status rico_archive_extend(rico_context *ctx, const char *path, const rico_archive_plan *plan,
                                rico_archive **out, rico_checkpoint *checkpoint);

// Until when the run goes, where that is not what its notes say: an extension changes it.
rico_status rico_archive_set_end(rico_archive *archive, double end);

// Writes what is left and closes the file, which is an ordinary HDF5 file from then on. A finished run loses its
// checkpoint; one that is not can be resumed. Destroy the archive afterwards in any case.
rico_status rico_archive_close(rico_archive *archive, bool finished);

// Frees the archive; one that is still open is closed as not finished. Takes NULL.
void rico_archive_destroy(rico_archive *archive);

// --- reading ------------------------------------------------------------------------------------------------

typedef struct rico_results rico_results;

// Opens for reading, also while a run writes the file. Every message starts with the path. RICO_IO_ERROR when the
// system refuses, RICO_BAD_INPUT for all that is wrong inside. Files that link to other files are refused.
rico_status rico_results_open(rico_context *ctx, const char *path, rico_results **out);
void rico_results_destroy(rico_results *results);

// The results of an archive in memory, which hands its rows over and is closed by that. They live on their own: destroy both.
rico_status rico_archive_results(rico_archive *archive, rico_results **out);

// The tables in the order of the plan, with names, units and help as written.
int64_t rico_results_table_count(const rico_results *results);
const rico_table *rico_results_table(const rico_results *results, int64_t table);

// Index of a table or column by its name, -1 when there is none.
int64_t rico_results_find_table(const rico_results *results, const char *name);
int64_t rico_results_find_column(const rico_results *results, int64_t table, const char *name);

// Looks at the file again: rows and items that have come since, and whether the run has finished. Rows are those that
// all columns have.
rico_status rico_results_refresh(rico_results *results);
int64_t rico_results_rows(const rico_results *results, int64_t table);
int64_t rico_results_items(const rico_results *results, int64_t table); // ragged tables; else the rows
bool rico_results_finished(const rico_results *results);

// Numbers of a column for `count` rows (of a ragged table: items) from `first`; `out` has room for count * width
// doubles, or int64_t for an integer column.
rico_status rico_results_read(rico_results *results, int64_t table, int64_t column, int64_t first,
                              int64_t count, void *out);

// Where the items of rows first, ..., first + count of a ragged table begin: count + 1 numbers, the last one being
// where those of the last row end. They never decrease and stay within the items.
rico_status rico_results_starts(rico_results *results, int64_t table, int64_t first, int64_t count,
                                int64_t *out);

// The notes in the order of the plan. Texts belong to the results.
int64_t rico_results_note_count(const rico_results *results);
const rico_note *rico_results_note(const rico_results *results, int64_t note);

// The parameters, which are numbers, in the order of the plan; NULL past the last.
int64_t rico_results_parameter_count(const rico_results *results);
const rico_note *rico_results_parameter(const rico_results *results, int64_t parameter);

// What rico_archive_set_end() has set; NaN before.
double rico_results_end(const rico_results *results);

// --- exporting and comparing --------------------------------------------------------------------------------

// Takes a piece of text; anything but 0 stops the export with RICO_IO_ERROR and strerror of the number returned.
typedef int (*rico_text_sink)(void *user, const char *text, size_t length);

// Comma-separated values: a line of names (vectors: name[0], name[1], ...), then one line per row, numbers in digits
// that read back as the same double. `columns` names a selection in its order; NULL for all. A ragged table has a
// line per item, and `row` as its first field.
rico_status rico_results_csv(rico_results *results, int64_t table, int64_t column_count,
                             const char *const *columns, rico_text_sink sink, void *user);

// The same into a file that appears whole or not at all.
rico_status rico_results_csv_file(rico_results *results, int64_t table, int64_t column_count,
                                  const char *const *columns, const char *path);

// Are the tables of two files the same, bit for bit, NaN included? `difference` receives a sentence, "" when they are.
enum { RICO_DIFFERENCE = 300 };
rico_status rico_results_compare(rico_results *a, rico_results *b, char difference[RICO_DIFFERENCE]);

RICO_API_END

#endif
