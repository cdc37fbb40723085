// A number that tells files apart.

#include "base/digest.h"

#include "base/system.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

rico_status rico_digest_file(rico_context *ctx, const char *path, uint64_t *digest, int64_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file) return rico_fail(ctx, RICO_IO_ERROR, "%s: cannot be read: %s", path, rico_system_words(errno));
    unsigned char bytes[1 << 14];
    uint64_t sum = UINT64_C(14695981039346656037);
    int64_t count = 0;
    size_t got;
    errno = 0;
    while ((got = fread(bytes, 1, sizeof bytes, file)) > 0) {
        for (size_t i = 0; i < got; i++) sum = (sum ^ bytes[i]) * UINT64_C(1099511628211);
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
