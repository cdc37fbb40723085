// Reading HDF5 without trust: every claim of a file is checked before memory is spent on it.
//
// Objects are named by their path from the root ("fclib_local/W/i"), and messages call them so; whoever called
// rico_hdf5_open() puts the file's own path in front. Links out of the file, data kept in other files and
// virtual datasets are refused: a problem is one file, and a stranger's file must not make us read another.
//
// Known flaw below us: HDF5 1.10.8 loses a block of 424 bytes when the header of an object claims to be longer than
// its file (it fails with "actual len exceeds EOA"; the read is refused like any other). When the program ends,
// HDF5 then says "infinite loop closing library" on stderr unless its printing is off. A program that wants quiet
// calls H5Eset_auto2(H5E_DEFAULT, NULL, NULL) at its start; a library must not do that for it.

#ifndef RICO_BASE_HDF5_IO_H
#define RICO_BASE_HDF5_IO_H

#include "base/context.h"

#include <hdf5.h>

// HDF5 prints its errors unless told otherwise; what it was told before is kept here. Most builds of HDF5 serve one thread at
// a time and share one error stack: from begin to end the calling thread has HDF5 for itself. Stretches nest, and none lasts
// beyond the call of the library in which it began.
typedef struct rico_hdf5_silence {
    unsigned modern; // the handler is of HDF5's second interface
    H5E_auto2_t handler;
    H5E_auto1_t old_handler;
    void *data;
} rico_hdf5_silence;

void rico_hdf5_silence_begin(rico_hdf5_silence *silence);
void rico_hdf5_silence_end(const rico_hdf5_silence *silence);

// The innermost sentence on HDF5's error stack, for our own message. Call it before any other HDF5 function.
enum { RICO_HDF5_REASON = 200 };
const char *rico_hdf5_reason(char text[RICO_HDF5_REASON]);

typedef struct rico_hdf5_file {
    rico_context *ctx;
    hid_t id;
    hid_t group_access, dataset_access; // refuse links that lead to other files
    int64_t size;                       // bytes on disk
    int64_t plain_budget;               // bytes that data stored as they are may still claim
    int64_t packed_budget;              // the same of compressed data
    rico_hdf5_silence silence;
} rico_hdf5_file;

// Opens for reading. RICO_IO_ERROR when the system refuses, RICO_BAD_INPUT when what it opens is not HDF5. HDF5
// stays silent until rico_hdf5_close(), which may be called after a failure too.
rico_status rico_hdf5_open(rico_context *ctx, const char *path, rico_hdf5_file *out);
void rico_hdf5_close(rico_hdf5_file *file);

// The same, of a file that may be growing under another process.
rico_status rico_hdf5_open_live(rico_context *ctx, const char *path, rico_hdf5_file *out);

// Looks an object up; its parent must be a group already found. *found is false when there is no such link;
// anything there that is not of the expected type (H5I_GROUP, H5I_DATASET) is refused.
rico_status rico_hdf5_find(rico_hdf5_file *file, const char *name, H5I_type_t expected, bool *found);

// The same for what must be there.
rico_status rico_hdf5_require(rico_hdf5_file *file, const char *name, H5I_type_t expected);

// What a dataset must hold. Integers pass for reals.
typedef enum rico_hdf5_content { RICO_HDF5_INTEGERS, RICO_HDF5_REALS, RICO_HDF5_TEXT } rico_hdf5_content;

// Entries of a one-dimensional dataset.
rico_status rico_hdf5_count(rico_hdf5_file *file, const char *name, rico_hdf5_content expected,
                            int64_t *count);

// One integer: a scalar, or a vector of one entry.
rico_status rico_hdf5_integer(rico_hdf5_file *file, const char *name, int64_t *value);

// The first `count` entries of a vector that has at least as many, in memory that the caller frees; *out stays
// untouched on failure. Reals must be finite.
rico_status rico_hdf5_integers(rico_hdf5_file *file, const char *name, int64_t count, int64_t **out);
rico_status rico_hdf5_reals(rico_hdf5_file *file, const char *name, int64_t count, double **out);

// The same from entry `first` on, for whoever takes a part.
rico_status rico_hdf5_integers_from(rico_hdf5_file *file, const char *name, int64_t first, int64_t count,
                                    int64_t **out);
rico_status rico_hdf5_reals_from(rico_hdf5_file *file, const char *name, int64_t first, int64_t count,
                                 double **out);

// All of a dataset of one or two dimensions, by rows; of a vector cols is 1. The rest as above.
rico_status rico_hdf5_table(rico_hdf5_file *file, const char *name, int64_t *rows, int64_t *cols,
                            double **out);

// One string, of fixed or variable length.
rico_status rico_hdf5_text(rico_hdf5_file *file, const char *name, char **out);

#endif
