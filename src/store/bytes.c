// All bytes at a place of an open file, however the system cuts them.

#include "store/bytes.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>


int rico_bytes_write(int file, const char *bytes, int64_t size, int64_t offset)
{
    while (size > 0) {
        ssize_t written = pwrite(file, bytes, (size_t)size, (off_t)offset);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        bytes += written, size -= written, offset += written;
    }
    return 0;
}


int rico_bytes_read(int file, char *bytes, int64_t size, int64_t offset)
{
    while (size > 0) {
        ssize_t got = pread(file, bytes, (size_t)size, (off_t)offset);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return errno;
        if (got == 0) break;
        bytes += got, size -= got, offset += got;
    }
    memset(bytes, 0, (size_t)size);
    return 0;
}
