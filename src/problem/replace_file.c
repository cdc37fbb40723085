// Files that appear whole or not at all: written beside, synced, renamed.

#include "problem/replace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Names tried for the temporary file before giving up: others may write beside us, or have died there.
enum { ATTEMPTS = 100 };


static rico_status fail_system(rico_context *ctx, const char *path, const char *what, int error)
{
    return rico_fail(ctx, RICO_IO_ERROR, "%s: %s: %s", path, what, strerror(error));
}


// Creates a file beside the target that nobody has; its name goes to `name`, which has room for it.
static int create_beside(const char *target, char *name, size_t room)
{
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        snprintf(name, room, "%s.%ld-%d.tmp", target, (long)getpid(), attempt);
        int descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0 || errno != EEXIST) return descriptor;
    }
    return -1;
}


// Writes everything and makes sure that it arrived. Returns 0 or errno.
static int write_through(int descriptor, const char *bytes, int64_t size)
{
    while (size > 0) {
        // no system takes more than about 2 GiB at once
        size_t piece = size < (1 << 30) ? (size_t)size : (size_t)1 << 30;
        ssize_t written = write(descriptor, bytes, piece);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        bytes += written;
        size -= written;
    }
    return fsync(descriptor) == 0 ? 0 : errno;
}


// Makes the renaming itself last. A folder that cannot be synced has the new file all the same: not a failure.
static void sync_folder(char *target)
{
    char *slash = strrchr(target, '/');
    if (slash) slash[slash == target] = '\0';
    int folder = open(slash ? target : ".", O_RDONLY | O_CLOEXEC);
    if (folder < 0) return;
    (void)fsync(folder);
    close(folder);
}


rico_status rico_replace_file(rico_context *ctx, const char *path, const void *bytes, int64_t size)
{
    struct stat old;
    bool exists = stat(path, &old) == 0;
    if (exists && S_ISDIR(old.st_mode)) return fail_system(ctx, path, "cannot be written", EISDIR);
    if (exists && !S_ISREG(old.st_mode)) {
        return rico_fail(ctx, RICO_IO_ERROR, "%s: cannot be written: not a regular file", path);
    }

    // through a link to the file itself, so that the link stays one
    char *resolved = exists ? realpath(path, NULL) : NULL;
    const char *given = resolved ? resolved : path;
    size_t length = strlen(given) + 1, room = length + 64;
    char *target = rico_alloc(ctx, (int64_t)length, 1);
    char *temporary = target ? rico_alloc(ctx, (int64_t)room, 1) : NULL;
    rico_status status = temporary ? RICO_OK : rico_fail_in(ctx, RICO_NO_MEMORY, path);
    if (target) memcpy(target, given, length);
    free(resolved);

    int descriptor = -1;
    if (temporary) {
        descriptor = create_beside(target, temporary, room);
        if (descriptor < 0) {
            status = fail_system(ctx, path, "no file can be created beside it", errno);
        }
    }
    if (descriptor >= 0) {
        int error = exists && fchmod(descriptor, old.st_mode & 07777) != 0 ? errno : 0;
        if (error == 0) error = write_through(descriptor, bytes, size);
        if (close(descriptor) != 0 && error == 0) error = errno;
        if (error == 0 && rename(temporary, target) != 0) error = errno;
        if (error != 0) {
            unlink(temporary);
            status = fail_system(ctx, path, "cannot be written", error);
        } else {
            sync_folder(target);
        }
    }
    rico_free(ctx, temporary);
    rico_free(ctx, target);
    return status;
}
