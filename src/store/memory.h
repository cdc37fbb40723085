// Archives that live in memory: the same tables without a file, for runs of which only a few numbers are kept.

#ifndef RICO_STORE_MEMORY_H
#define RICO_STORE_MEMORY_H

#include "store/archive.h"
#include "store/results.h"

// Doubles the blocks of a stream whose rows have filled them; nothing is written away.
rico_status rico_memory_grow(rico_archive *archive, rico_stream *stream);

// From now on rows are counted but not kept: those that come later take the place of earlier ones.
void rico_memory_discard(rico_archive *archive);

#endif
