// A number that tells files apart: whether one is still what it was.

#ifndef RICO_BASE_DIGEST_H
#define RICO_BASE_DIGEST_H

#include "base/context.h"

// FNV-1a of Fowler, Noll and Vo, going on from a sum that began as RICO_DIGEST_START.
#define RICO_DIGEST_START UINT64_C(14695981039346656037)
uint64_t rico_digest_bytes(uint64_t sum, const void *bytes, size_t size);

// The same over all bytes of a file, and how many there are: it notices changes, not malice. The
// sentence names the path.
rico_status rico_digest_file(rico_context *ctx, const char *path, uint64_t *digest, int64_t *size);

#endif
