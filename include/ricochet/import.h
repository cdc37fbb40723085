// Models of other programs, MJCF (MuJoCo) and URDF (ROS), as scenes.
//
//     rico_import_options options = rico_import_defaults();
//     char *text = NULL;
//     status = rico_import_file(ctx, "humanoid.xml", &options, &text);
//     status = rico_scene_parse(ctx, "humanoid.xml", text, (int64_t)strlen(text), 0, NULL, NULL, 0, &scene);
//     rico_import_free(ctx, text);
//
// What of a file has no counterpart is refused, or left out with a warning, by its name and line: docs/guide/import.md.

#ifndef RICOCHET_IMPORT_H
#define RICOCHET_IMPORT_H

#include "ricochet/context.h"

RICO_API_BEGIN

typedef struct rico_import_options {
    const char *key; // keyframe of an MJCF file to start from, by its name or number; NULL: none
    const char
        *folder; // where the scene will stand: files are named as seen from there; NULL: beside the model
    int64_t ignore_count;      // of what would be refused, names of elements and attributes to leave out
    const char *const *ignore; // with a warning instead
    double end, step;          // of the scene's time; step 0: the file's, or 1e-3
    double friction;           // of what a URDF file leaves open
    bool fixed_base;           // the first link of a URDF file stands still, whatever its mass
} rico_import_options;

rico_import_options rico_import_defaults(void);

// Is this the name of such a file: *.xml, *.mjcf, *.urdf?
bool rico_import_takes(const char *path);

// The scene as text, which rico_import_free() releases. Warnings go to the context's log, and open the text as comments. On failure *out stays as it was, and the sentence begins with file and line.
rico_status rico_import_file(rico_context *ctx, const char *path, const rico_import_options *options,
                             char **out);

// The same of text in memory, which messages call `path`; files that it names are sought beside that.
rico_status rico_import_text(rico_context *ctx, const char *path, const char *text, int64_t length,
                             const rico_import_options *options, char **out);
void rico_import_free(rico_context *ctx, char *text);

// The table of what is taken, ignored and refused, in Markdown: format "MJCF" or "URDF". The caller releases it as above.
rico_status rico_import_table(rico_context *ctx, const char *format, char **out);

RICO_API_END

#endif
