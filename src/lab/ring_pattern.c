// Who strikes in a ring of impact oscillators, read from words.

#include "lab/ring_pattern.h"

#include "base/context.h"

#include <stdlib.h>

rico_status rico_ring_pattern_read(rico_context *ctx, const char *name, const char *text, int64_t particles,
                                   rico_ring_impact impact, rico_ring_impact *pattern)
{
    for (const char *at = text; at;) {
        char *end;
        long long range[3] = {0, 0, 1};
        int given = 0;
        do {
            range[given] = strtoll(at, &end, 10);
            if (end == at)
                return rico_fail(ctx, RICO_BAD_ARGUMENT,
                                 "%s '%s': a list of particles is needed, as 3,5 or 45:55", name, text);
            at = end + 1;
            given++;
        } while (*end == ':' && given < 3);
        if (given == 1) range[1] = range[0];
        if (*end != ',' && *end != '\0')
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s '%s': '%s' is no list of particles", name, text,
                             end);
        if (range[0] < 0 || range[1] >= particles || range[1] < range[0] || range[2] < 1 ||
            range[2] > particles)
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "%s '%s': particles are 0 to %lld, by rising ranges",
                             name, text, (long long)particles - 1);
        for (long long n = range[0]; n <= range[1]; n += range[2]) {
            if (pattern[n] != RICO_RING_NEVER && pattern[n] != impact)
                return rico_fail(ctx, RICO_BAD_ARGUMENT, "particle %lld cannot strike both at 0 and at T/2",
                                 n);
            pattern[n] = impact;
        }
        if (*end == '\0') break;
    }
    return RICO_OK;
}
