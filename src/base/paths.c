// Paths and folders.

#include "base/paths.h"

#include "base/system.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *rico_path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}


rico_status rico_path_join(rico_context *ctx, const char *dir, const char *name, char **out)
{
    size_t length = strlen(dir);
    const char *between = length > 0 && dir[length - 1] == '/' ? "" : "/";
    size_t size = length + strlen(between) + strlen(name) + 1;
    *out = rico_alloc(ctx, (int64_t)size, 1);
    if (*out == NULL) return RICO_NO_MEMORY;
    snprintf(*out, size, "%s%s%s", dir, between, name);
    return RICO_OK;
}


rico_status rico_path_with_ending(rico_context *ctx, const char *path, const char *ending, char **out)
{
    const char *base = rico_path_base(path);
    size_t length = strlen(base);
    const char *dot = strrchr(base, '.');
    if (dot != NULL && dot != base) length = (size_t)(dot - base);
    size_t size = length + strlen(ending) + 1;
    *out = rico_alloc(ctx, (int64_t)size, 1);
    if (*out == NULL) return RICO_NO_MEMORY;
    snprintf(*out, size, "%.*s%s", (int)length, base, ending);
    return RICO_OK;
}


bool rico_path_is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}


bool rico_path_same(const char *a, const char *b)
{
    struct stat of_a, of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}


rico_status rico_path_make_folder(rico_context *ctx, const char *path)
{
    char *part = rico_alloc(ctx, (int64_t)strlen(path) + 1, 1);
    if (part == NULL) return RICO_NO_MEMORY;
    memcpy(part, path, strlen(path) + 1);

    // each leading part in turn; one that exists already is fine, whatever mkdir says about it
    rico_status status = RICO_OK;
    for (char *at = part + (*part == '/');; at++) {
        if (*at != '/' && *at != '\0') continue;
        char kept = *at;
        *at = '\0';
        if (mkdir(part, 0777) != 0) {
            int reason = errno;
            if (!rico_path_is_folder(part)) {
                status = rico_fail(ctx, RICO_IO_ERROR, "cannot make the folder '%s': %s", part,
                                   rico_system_words(reason == EEXIST ? ENOTDIR : reason));
                break;
            }
        }
        *at = kept;
        if (kept == '\0') break;
    }
    if (status == RICO_OK && access(path, W_OK | X_OK) != 0)
        status = rico_fail(ctx, RICO_IO_ERROR, "cannot write into the folder '%s': %s", path,
                           rico_system_words(errno));
    rico_free(ctx, part);
    return status;
}
