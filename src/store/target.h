// Files that a command may replace: its own kind of output, recognised by what is in it, and nothing else.
//
// A mistyped --output must never cost a scene, a source or a foreign file. Every command that writes asks here first,
// before it computes anything.

#ifndef RICO_STORE_TARGET_H
#define RICO_STORE_TARGET_H

#include "base/context.h"

#include <stdio.h>

typedef enum rico_target_kind {
    RICO_TARGET_PICTURE, // SVG, PNG or PDF, as the name ends
    RICO_TARGET_TABLE,   // comma-separated values below a line of names
    RICO_TARGET_PROBLEM, // HDF5 with an FCLIB problem
    RICO_TARGET_RESULT,  // HDF5 with a run
    RICO_TARGET_JSON,    // one object
    RICO_TARGET_VTK,     // XML of VTK's
    RICO_TARGET_PAGE     // HTML with a viewer of ours
} rico_target_kind;

// Is `field` one of the names that stand above our own columns?
typedef bool (*rico_target_field)(void *user, const char *field);

// Refuses a path that may not be written: a folder, a device, an input under another name, a file that is not of that
// kind. What is not there or empty may be; a table only under names that `ours` knows, unless it is NULL.
rico_status rico_target_check(rico_context *ctx, const char *path, rico_target_kind kind,
                              rico_target_field ours, void *user);

// The same against a file that the command reads: one must not become the other.
rico_status rico_target_check_input(rico_context *ctx, const char *path, const char *input);

// A text on its way to a file that appears whole or not at all: print to `out`, then close. Opening checks as above;
// closing with another status than RICO_OK leaves everything as it was, and gives it back.
typedef struct rico_target {
    rico_context *ctx;
    const char *path; // the caller's
    FILE *out;
    char *text;
    size_t size;
} rico_target;

rico_status rico_target_open(rico_context *ctx, const char *path, rico_target_kind kind, rico_target *out);
rico_status rico_target_close(rico_target *target, rico_status status);

// Does the file begin as HDF5 files do?
bool rico_target_is_hdf5(const char *path);

#endif
