// Gathering problem files.

#include "lab/collection.h"

#include "base/paths.h"
#include "base/system.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// Folders deeper than this are a loop of links rather than a collection.
enum { DEPTH_MAX = 16 };

static char *copy_text(rico_context *ctx, const char *text, size_t length)
{
    char *copy = rico_alloc(ctx, (int64_t)length + 1, 1);
    if (copy != NULL) memcpy(copy, text, length);
    return copy;
}


// The last folder of a path; of a bare name, the one we stand in.
static char *folder_name(rico_context *ctx, const char *file)
{
    const char *end = rico_path_base(file);
    while (end > file && end[-1] == '/') end--;
    const char *begin = end;
    while (begin > file && begin[-1] != '/') begin--;
    return end > begin ? copy_text(ctx, begin, (size_t)(end - begin)) : copy_text(ctx, ".", 1);
}


static rico_status add_file(rico_context *ctx, const char *file, rico_collection *collection)
{
    // room for a power of two, doubled when it is full
    int64_t count = collection->count;
    if ((count & (count - 1)) == 0) {
        int64_t room = count > 0 ? 2 * count : 1;
        rico_collection_item *grown = rico_grow(ctx, collection->item, count, room, sizeof *collection->item);
        if (grown == NULL) return RICO_NO_MEMORY;
        collection->item = grown;
    }
    rico_collection_item item = {.file = copy_text(ctx, file, strlen(file)), .set = folder_name(ctx, file)};
    if (item.file == NULL || item.set == NULL) {
        rico_free(ctx, item.file);
        rico_free(ctx, item.set);
        return RICO_NO_MEMORY;
    }
    collection->item[collection->count++] = item;
    return RICO_OK;
}


static bool is_problem_name(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot != NULL && dot != name && (strcmp(dot, ".hdf5") == 0 || strcmp(dot, ".h5") == 0);
}


static rico_status search_folder(rico_context *ctx, const char *folder, int depth,
                                 rico_collection *collection)
{
    DIR *stream = opendir(folder);
    if (stream == NULL)
        return rico_fail(ctx, RICO_IO_ERROR, "cannot read the folder '%s': %s", folder,
                         rico_system_words(errno));

    rico_status status = RICO_OK;
    const struct dirent *entry;
    while (status == RICO_OK && (entry = readdir(stream)) != NULL) {
        if (entry->d_name[0] == '.') continue;
        char *path = NULL;
        status = rico_path_join(ctx, folder, entry->d_name, &path);
        if (status != RICO_OK) break;
        if (rico_path_is_folder(path)) {
            if (depth < DEPTH_MAX) status = search_folder(ctx, path, depth + 1, collection);
        } else if (is_problem_name(entry->d_name)) {
            status = add_file(ctx, path, collection);
        }
        rico_free(ctx, path);
    }
    closedir(stream);
    return status;
}


static int compare_items(const void *a, const void *b)
{
    return strcmp(((const rico_collection_item *)a)->file, ((const rico_collection_item *)b)->file);
}


// Sorts by name and drops what was named twice.
static void sort_items(rico_context *ctx, rico_collection *collection)
{
    if (collection->count == 0) return;
    qsort(collection->item, (size_t)collection->count, sizeof *collection->item, compare_items);
    int64_t kept = 1;
    for (int64_t i = 1; i < collection->count; i++) {
        if (compare_items(&collection->item[i], &collection->item[kept - 1]) != 0) {
            collection->item[kept++] = collection->item[i];
        } else {
            rico_free(ctx, collection->item[i].file);
            rico_free(ctx, collection->item[i].set);
        }
    }
    collection->count = kept;
}


rico_status rico_collection_gather(rico_context *ctx, int64_t count, const char *const *paths,
                                   rico_collection *out)
{
    rico_status status = RICO_OK;
    *out = (rico_collection){0};
    for (int64_t i = 0; status == RICO_OK && i < count; i++) {
        struct stat about;
        if (stat(paths[i], &about) != 0)
            status =
                rico_fail(ctx, RICO_IO_ERROR, "cannot open '%s': %s", paths[i], rico_system_words(errno));
        else if (S_ISDIR(about.st_mode))
            status = search_folder(ctx, paths[i], 0, out);
        else
            status = add_file(ctx, paths[i], out);
    }
    sort_items(ctx, out);
    if (status == RICO_OK && out->count == 0)
        status = rico_fail(ctx, RICO_BAD_ARGUMENT, "no problem file (*.hdf5, *.h5) was found%s%s",
                           count > 0 ? " in " : "", count > 0 ? paths[0] : "");
    if (status != RICO_OK) rico_collection_release(ctx, out);
    return status;
}


void rico_collection_release(rico_context *ctx, rico_collection *collection)
{
    for (int64_t i = 0; i < collection->count; i++) {
        rico_free(ctx, collection->item[i].file);
        rico_free(ctx, collection->item[i].set);
    }
    rico_free(ctx, collection->item);
    *collection = (rico_collection){0};
}
