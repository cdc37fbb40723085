// Importing: which format a file is of, and the way from it to the text of a scene.

#include "ricochet/import.h"

#include "import/model.h"
#include "import/words.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

rico_import_options rico_import_defaults(void)
{
    return (rico_import_options){.end = 1.0, .friction = 0.5};
}


bool rico_import_takes(const char *path)
{
    static const char *const ENDING[] = {".xml", ".mjcf", ".urdf"};
    const char *dot = path ? strrchr(path, '.') : NULL;
    for (int i = 0; dot && i < 3; i++)
        if (strcasecmp(dot, ENDING[i]) == 0) return true;
    return false;
}


static void tell(const rico_import *import)
{
    for (const rico_warning *w = import->first_warning; w; w = w->next) {
        char more[40] = "";
        if (w->count > 1) snprintf(more, sizeof more, " (%lld times)", (long long)w->count);
        rico_log(import->ctx, RICO_LOG_WARNING, "%s:%lld: <%s> %s%s", w->from->file, (long long)w->from->line,
                 w->from->name, w->text, more);
    }
}


static rico_status convert(rico_import *import, rico_element *root, char **out)
{
    rico_status status;
    import->root = root;
    if (rico_element_is(root, "robot"))
        status = rico_import_urdf(import, root);
    else if (rico_element_is(root, "mujoco"))
        status = rico_import_mjcf(import, root);
    else
        return rico_element_fail(
            import->ctx, root,
            "opens neither an MJCF file, which <mujoco> does, nor URDF, which <robot> does");
    char *text = NULL;
    if (status == RICO_OK) status = rico_import_masses(import);
    if (status == RICO_OK) status = rico_import_write(import, &text);
    if (status != RICO_OK) return status;
    tell(import);
    *out = text;
    return RICO_OK;
}


static rico_status begin(rico_context *ctx, const char *path, const rico_import_options *options,
                         rico_import *import)
{
    *import = (rico_import){.ctx = ctx, .options = options, .arena = {ctx, NULL}, .path = path};
    if (!(options->end > 0.0) || options->step < 0.0 || options->friction < 0.0)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "an import to t = %g in steps of %g with a friction of %g",
                         options->end, options->step, options->friction);
    return RICO_OK;
}


rico_status rico_import_file(rico_context *ctx, const char *path, const rico_import_options *options,
                             char **out)
{
    rico_import import;
    rico_element *root = NULL;
    rico_status status = begin(ctx, path, options, &import);
    if (status == RICO_OK) status = rico_tree_read(&import.arena, path, &import.elements, &root);
    if (status == RICO_OK) status = convert(&import, root, out);
    rico_arena_release(&import.arena);
    return status;
}


rico_status rico_import_text(rico_context *ctx, const char *path, const char *text, int64_t length,
                             const rico_import_options *options, char **out)
{
    rico_import import;
    rico_element *root = NULL;
    rico_status status = begin(ctx, path, options, &import);
    if (status == RICO_OK)
        status = rico_tree_parse(&import.arena, path, text, length, &import.elements, &root);
    if (status == RICO_OK) status = convert(&import, root, out);
    rico_arena_release(&import.arena);
    return status;
}


void rico_import_free(rico_context *ctx, char *text)
{
    rico_free(ctx, text);
}


rico_status rico_import_table(rico_context *ctx, const char *format, char **out)
{
    const rico_words *words = strcmp(format, "URDF") == 0 ? &rico_urdf_words : &rico_mjcf_words;
    if (strcmp(format, words->format) != 0)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "there is no format '%.40s'; MJCF and URDF are there",
                         format);
    rico_text text = {.ctx = ctx};
    rico_words_print(words, &text);
    if (text.status == RICO_OK)
        *out = text.data;
    else
        rico_free(ctx, text.data);
    return text.status;
}
