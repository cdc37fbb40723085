// Paths and folders, as the commands that write files need them.

#ifndef RICO_BASE_PATHS_H
#define RICO_BASE_PATHS_H

#include "base/context.h"

// The last part of a path: "b.hdf5" of "a/b.hdf5". Points into `path`.
const char *rico_path_base(const char *path);

// "dir/name" as a new string that rico_free() releases.
rico_status rico_path_join(rico_context *ctx, const char *dir, const char *name, char **out);

// "stick.svg" for "out/stick.h5" and ".svg": the last part of the path with another ending; a new string.
rico_status rico_path_with_ending(rico_context *ctx, const char *path, const char *ending, char **out);

bool rico_path_is_folder(const char *path);

// Are these two names of one existing file, through links or otherwise?
bool rico_path_same(const char *a, const char *b);

// Makes a folder and those above it where they are missing, and checks that files can be made in it.
rico_status rico_path_make_folder(rico_context *ctx, const char *path);

#endif
