// Files that appear whole or not at all: written beside, synced, renamed.

#include "base/replace_file.h"

#include "base/system.h"

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
    return rico_fail(ctx, RICO_IO_ERROR, "%s: %s: %s", path, what, rico_system_words(error));
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


// Writes everything. Returns 0 or errno.
static int write_all(int descriptor, const char *bytes, int64_t size)
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
    return 0;
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


rico_status rico_replacement_begin(rico_context *ctx, const char *path, rico_replacement *out)
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
    rico_replacement file = {.ctx = ctx, .path = path, .descriptor = -1};
    file.target = rico_alloc(ctx, (int64_t)length, 1);
    file.temporary = file.target ? rico_alloc(ctx, (int64_t)room, 1) : NULL;
    rico_status status = file.temporary ? RICO_OK : rico_fail_in(ctx, RICO_NO_MEMORY, path);
    if (file.target) memcpy(file.target, given, length);
    free(resolved);

    if (status == RICO_OK) {
        file.descriptor = create_beside(file.target, file.temporary, room);
        if (file.descriptor < 0) status = fail_system(ctx, path, "no file can be created beside it", errno);
    }
    if (status != RICO_OK) {
        rico_free(ctx, file.temporary);
        rico_free(ctx, file.target);
        return status;
    }
    if (exists && fchmod(file.descriptor, old.st_mode & 07777) != 0) file.error = errno;
    *out = file;
    return RICO_OK;
}


rico_status rico_replacement_write(rico_replacement *file, const void *bytes, int64_t size)
{
    if (file->error == 0) file->error = write_all(file->descriptor, bytes, size);
    if (file->error == 0) return RICO_OK;
    return fail_system(file->ctx, file->path, "cannot be written", file->error);
}


rico_status rico_replacement_end(rico_replacement *file, bool keep)
{
    int error = file->error;
    if (keep && error == 0 && fsync(file->descriptor) != 0) error = errno;
    if (close(file->descriptor) != 0 && error == 0) error = errno;
    if (keep && error == 0 && rename(file->temporary, file->target) != 0) error = errno;
    if (!keep || error != 0) {
        unlink(file->temporary);
    } else {
        sync_folder(file->target);
    }
    rico_free(file->ctx, file->temporary);
    rico_free(file->ctx, file->target);
    file->descriptor = -1;
    file->target = file->temporary = NULL;
    return keep && error != 0 ? fail_system(file->ctx, file->path, "cannot be written", error) : RICO_OK;
}


rico_status rico_replace_file(rico_context *ctx, const char *path, const void *bytes, int64_t size)
{
    rico_replacement file;
    rico_status status = rico_replacement_begin(ctx, path, &file);
    if (status != RICO_OK) return status;
    (void)rico_replacement_write(&file, bytes, size); // ending says what went wrong
    return rico_replacement_end(&file, true);
}
