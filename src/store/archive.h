// The archive while it is written: streams of rows, each column with a block in memory.
//
// A stream is what grows together: the columns of a table, or the `start` of a ragged one. The numbers of a column
// gather in a block; a full block goes to the dataset, a part of it does when someone asks for a flush. Blocks begin
// at multiples of their length and are the chunks of the file, so that HDF5 never has to put a chunk together.

#ifndef RICO_STORE_ARCHIVE_H
#define RICO_STORE_ARCHIVE_H

#include "base/context.h"
#include "base/hdf5_io.h"
#include "ricochet/store.h"
#include "store/drive.h"

// Names in the file that no table or column may take.
#define RICO_STORE_NOTES "notes"
#define RICO_STORE_RUN "run"
#define RICO_STORE_START "start"
#define RICO_STORE_PARAMETERS "parameters"

// What /run says about the archive itself. `finished` is a dataset, since attributes cannot change under a reader.
#define RICO_STORE_FORMAT "run/format"     // RICO_STORE_VERSION
#define RICO_STORE_NUMBER "run/number"     // drawn at creation; checkpoints carry it
#define RICO_STORE_FINISHED "run/finished" // 0 or 1
#define RICO_STORE_END "run/end"           // until when, after an extension; NaN: as the notes say
#define RICO_STORE_LAST "run/last"         // a checkpoint in words, of a run that has finished
enum { RICO_STORE_VERSION = 1 };

typedef struct rico_stream_column {
    hid_t set;
    rico_number number;
    int64_t width; // numbers in a row, at least 1
    bool compressed;
    int64_t block_rows; // a power of two
    int64_t written;    // rows of the stream that are in the dataset
    int64_t extent;     // rows of the dataset: those of before a kill may be more than the stream has
    char *block;        // the one being filled: row r is at r modulo block_rows
    char *other;        // the one before, which may still be on its way to the file
    int64_t ticket;     // when it has arrived
} rico_stream_column;

typedef struct rico_stream {
    int64_t rows;
    int64_t column_count;
    rico_stream_column *columns;
    int64_t shortest; // block of them, in rows, of which the others are multiples
} rico_stream;

typedef struct rico_archive_table {
    bool ragged;
    rico_stream body;  // rows, or items of a ragged table
    rico_stream index; // `start`, of a ragged table; one row ahead
} rico_archive_table;

struct rico_archive {
    rico_context *ctx;
    char *path, *checkpoint_path;
    rico_drive *drive;
    hid_t file, finished, end, last;
    uint64_t *kept; // what goes to `last` when the run finishes
    int64_t kept_words;
    int64_t table_count;
    rico_archive_table *tables;
    int64_t number, sequence;
    double flush_seconds, last_flush;
    rico_results *shape; // of an archive in memory: what its results will be; NULL of one with a file
    bool discard;        // rows in memory are not kept
    rico_status failure; // the first one, which every later call repeats
    char sentence[300];
};

// All numbers take 8 bytes.
enum { RICO_NUMBER_BYTES = 8 };

hid_t rico_store_type(rico_number number); // HDF5's name for it, in memory and in the file

// How a dataset is opened: chunks that are not compressed bypass HDF5's cache, so that a block goes straight to its
// place in the file; of compressed ones the last stays in memory.
hid_t rico_store_access(const rico_stream_column *column);

// An archive with streams for the tables of the plan, no file yet. Its datasets are -1. Without a path its blocks are those
// of one in memory.
rico_status rico_archive_allocate(rico_context *ctx, const char *path, const rico_archive_plan *plan,
                                  rico_archive **out);

// The first row of every ragged table begins at item 0.
void rico_archive_begin_ragged(rico_archive *archive);

// Refuses names, widths and levels that no file could hold.
rico_status rico_archive_check_plan(rico_context *ctx, const rico_archive_plan *plan);

// Calls back for every column of every stream, in the order of the plan, `start` after the items of its table.
// `name` is its path in the file, `column` NULL for `start`.
typedef rico_status (*rico_column_visit)(rico_archive *archive, const char *name, const rico_table *table,
                                         const rico_column *column, rico_stream_column *into, void *user);
rico_status rico_archive_visit(rico_archive *archive, const rico_archive_plan *plan, rico_column_visit visit,
                               void *user);

// Opens the HDF5 file behind the drive although its writer was killed. SWMR writing, unless `plain`.
hid_t rico_archive_reopen(rico_drive *drive, const char *path, bool plain);

// Moves the end of HDF5's allocations behind `end` and behind the end of the file. A killed writer may not have noted
// it, and new data would then be put on top of old.
herr_t rico_archive_guard_end(hid_t file, const rico_drive *drive, int64_t end);

// End of the last chunk of a column: allocated, but perhaps not written to its end.
herr_t rico_archive_chunk_end(const rico_stream_column *column, int64_t *end);

// HDF5's own words for a failure that was not the system's.
rico_status rico_archive_fail_hdf5(rico_archive *archive, const char *what);

#endif
