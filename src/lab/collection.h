// The problem files that a benchmark runs over: files as named, folders searched to the bottom.

#ifndef RICO_LAB_COLLECTION_H
#define RICO_LAB_COLLECTION_H

#include "base/context.h"

typedef struct rico_collection_item {
    char *file;
    char *set; // name of the folder it lies in: problems of one kind are kept together
} rico_collection_item;

typedef struct rico_collection {
    int64_t count;
    rico_collection_item *item; // sorted by file, each file once
} rico_collection;

// Gathers files, and every *.hdf5 and *.h5 below folders. RICO_BAD_ARGUMENT when there is none at all; a path
// that does not exist is RICO_IO_ERROR.
rico_status rico_collection_gather(rico_context *ctx, int64_t count, const char *const *paths,
                                   rico_collection *out);
void rico_collection_release(rico_context *ctx, rico_collection *collection);

#endif
