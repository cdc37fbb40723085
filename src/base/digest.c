// A number that tells files apart.

#include "base/digest.h"

#include "base/system.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

uint64_t rico_digest_bytes(uint64_t sum, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++) sum = (sum ^ at[i]) * UINT64_C(1099511628211);
    return sum;
}


rico_status rico_digest_file(rico_context *ctx, const char *path, uint64_t *digest, int64_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file) return rico_fail(ctx, RICO_IO_ERROR, "%s: cannot be read: %s", path, rico_system_words(errno));
    unsigned char bytes[1 << 14];
    uint64_t sum = RICO_DIGEST_START;
    int64_t count = 0;
    size_t got;
    errno = 0;
    while ((got = fread(bytes, 1, sizeof bytes, file)) > 0) {
        sum = rico_digest_bytes(sum, bytes, got);
        count += (int64_t)got;
    }
    int error = ferror(file) ? errno : 0;
    fclose(file);
    if (error != 0)
        return rico_fail(ctx, RICO_IO_ERROR, "%s: cannot be read: %s", path, rico_system_words(error));
    *digest = sum;
    *size = count;
    return RICO_OK;
}
