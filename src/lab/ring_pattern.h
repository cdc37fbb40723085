// Who strikes in a ring of impact oscillators, in words: "50", "3,5", "45:55", "0:98:2".

#ifndef RICO_LAB_RING_PATTERN_H
#define RICO_LAB_RING_PATTERN_H

#include "ricochet/ring.h"

// Sets the entries that `text` lists; NULL lists none. Messages call it `name`.
rico_status rico_ring_pattern_read(rico_context *ctx, const char *name, const char *text, int64_t particles,
                                   rico_ring_impact impact, rico_ring_impact *pattern);

#endif
