// Files that a command may replace.

#include "store/target.h"

#include "base/paths.h"
#include "base/replace_file.h"
#include "base/system.h"
#include "store/recognise.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// As much of a file as it takes to recognise it.
enum { HEAD = 4096, FIELD = 200 };

typedef struct head {
    char bytes[HEAD + 1]; // NUL behind them
    size_t size;
} head;

static const char HDF5_SIGNATURE[8] = {(char)0x89, 'H', 'D', 'F', '\r', '\n', (char)0x1a, '\n'};


static bool begins(const head *file, const char *with, size_t length)
{
    return file->size >= length && memcmp(file->bytes, with, length) == 0;
}


static bool ends_in(const char *path, const char *ending)
{
    size_t length = strlen(path), own = strlen(ending);
    return length >= own && strcmp(path + length - own, ending) == 0;
}


static bool is_picture(const char *path, const head *file)
{
    if (ends_in(path, ".png")) return begins(file, "\x89PNG\r\n", 6);
    if (ends_in(path, ".pdf")) return begins(file, "%PDF-", 5);
    return ends_in(path, ".svg") && strstr(file->bytes, "<svg") != NULL;
}


// Names of columns have no blanks; those of scenes and sources nearly always have.
static bool is_name(const char *field)
{
    if (*field == '\0') return false;
    for (const char *c = field; *c; c++)
        if ((unsigned char)*c <= ' ' || strchr("#{}\"'\\/", *c)) return false;
    return true;
}


static bool is_table(const head *file, rico_target_field ours, void *user)
{
    char field[FIELD];
    if (memchr(file->bytes, '\0', file->size)) return false;
    for (const char *at = file->bytes;;) {
        size_t length = strcspn(at, ",\r\n");
        if (length >= sizeof field) return false;
        snprintf(field, sizeof field, "%.*s", (int)length, at);
        // behind the first, measures of formulas may stand, with blanks and all: "x - V*t:last"
        bool first = at == file->bytes;
        if (((first || ours) && !is_name(field)) || (ours && !ours(user, field))) return false;
        // a line longer than what was read is judged by what was
        if (at[length] == '\0') return file->size == HEAD;
        if (at[length] != ',') return true;
        at += length + 1;
        if (*at == '\0') return file->size == HEAD;
    }
}


static bool is_object(const head *file)
{
    return file->bytes[strspn(file->bytes, " \t\r\n")] == '{' && strstr(file->bytes, "\"machine\"") != NULL;
}


static bool is_hdf5(const head *file)
{
    return begins(file, HDF5_SIGNATURE, sizeof HDF5_SIGNATURE);
}


static bool read_head(const char *path, head *out)
{
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    out->size = fread(out->bytes, 1, HEAD, file);
    out->bytes[out->size] = '\0';
    fclose(file);
    return true;
}


bool rico_target_is_hdf5(const char *path)
{
    struct stat about;
    head file;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode) && read_head(path, &file) && is_hdf5(&file);
}


static bool recognised(rico_context *ctx, const char *path, const head *file, rico_target_kind kind,
                       rico_target_field ours, void *user)
{
    switch (kind) {
    case RICO_TARGET_PICTURE:
        return is_picture(path, file);
    case RICO_TARGET_TABLE:
        return is_table(file, ours, user);
    case RICO_TARGET_PROBLEM:
        return is_hdf5(file) && rico_is_problem(ctx, path);
    case RICO_TARGET_RESULT:
        return is_hdf5(file) && rico_is_archive(ctx, path);
    case RICO_TARGET_JSON:
        return is_object(file);
    case RICO_TARGET_VTK:
        return strstr(file->bytes, "<VTKFile") != NULL;
    case RICO_TARGET_PAGE:
        return strstr(file->bytes, "<meta name=\"generator\" content=\"ricochet") != NULL;
    }
    return false;
}


rico_status rico_target_check(rico_context *ctx, const char *path, rico_target_kind kind,
                              rico_target_field ours, void *user)
{
    static const char *const KINDS[] = {
        [RICO_TARGET_PICTURE] = "a picture of that format",
        [RICO_TARGET_TABLE] = "such a table",
        [RICO_TARGET_PROBLEM] = "a contact problem",
        [RICO_TARGET_RESULT] = "a result file of rico",
        [RICO_TARGET_JSON] = "a report of rico",
        [RICO_TARGET_VTK] = "a file of VTK's",
        [RICO_TARGET_PAGE] = "a page of rico's viewer",
    };
    struct stat about;
    head file;
    if (stat(path, &about) != 0) return RICO_OK; // whoever makes it says what is wrong with its folder
    if (S_ISDIR(about.st_mode))
        return rico_fail(ctx, RICO_IO_ERROR, "'%s' cannot be written: %s", path, rico_system_words(EISDIR));
    if (!S_ISREG(about.st_mode))
        return rico_fail(ctx, RICO_IO_ERROR, "'%s' cannot be written: not a regular file", path);
    if (about.st_size == 0) return RICO_OK;
    if (!read_head(path, &file))
        return rico_fail(ctx, RICO_IO_ERROR, "'%s' cannot be replaced: %s", path, rico_system_words(errno));
    if (recognised(ctx, path, &file, kind, ours, user)) return RICO_OK;
    return rico_fail(ctx, RICO_IO_ERROR,
                     "'%s' exists and is not %s: it is left alone; remove it, or choose another name", path,
                     KINDS[kind]);
}


rico_status rico_target_check_input(rico_context *ctx, const char *path, const char *input)
{
    if (!rico_path_same(path, input)) return RICO_OK;
    return rico_fail(ctx, RICO_BAD_ARGUMENT, "'%s' is the input '%s' itself; choose another name", path,
                     input);
}


rico_status rico_target_open(rico_context *ctx, const char *path, rico_target_kind kind, rico_target *out)
{
    *out = (rico_target){.ctx = ctx, .path = path};
    rico_status status = rico_target_check(ctx, path, kind, NULL, NULL);
    if (status != RICO_OK) return status;
    out->out = open_memstream(&out->text, &out->size);
    return out->out ? RICO_OK : rico_fail(ctx, RICO_NO_MEMORY, "'%s': out of memory", path);
}


rico_status rico_target_close(rico_target *target, rico_status status)
{
    if (!target->out) return status;
    bool whole = !ferror(target->out);
    whole &= fclose(target->out) == 0;
    if (status == RICO_OK && !whole)
        status = rico_fail(target->ctx, RICO_NO_MEMORY, "'%s': out of memory", target->path);
    if (status == RICO_OK)
        status = rico_replace_file(target->ctx, target->path, target->text, (int64_t)target->size);
    free(target->text);
    *target = (rico_target){0};
    return status;
}
