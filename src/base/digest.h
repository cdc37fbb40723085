// A number that tells files apart: whether one is still what it was.

#ifndef RICO_BASE_DIGEST_H
#define RICO_BASE_DIGEST_H

#include "base/context.h"

// FNV-1a of Fowler, Noll and Vo over all bytes of a file, and how many there are: it notices changes, not malice. The
// sentence names the path.
rico_status rico_digest_file(rico_context *ctx, const char *path, uint64_t *digest, int64_t *size);

#endif
