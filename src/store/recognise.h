// What kind of HDF5 file a file is, asked before it is replaced.

#ifndef RICO_STORE_RECOGNISE_H
#define RICO_STORE_RECOGNISE_H

#include "base/context.h"

// An archive of ours, of whatever version, finished or not.
bool rico_is_archive(rico_context *ctx, const char *path);

// A contact problem as FCLIB stores it.
bool rico_is_problem(rico_context *ctx, const char *path);

#endif
