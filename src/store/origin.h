// Where a result file comes from: the scene, its settings and files, as the file holds them. What --resume goes on with,
// and what it compares with what it is given now.

#ifndef RICO_STORE_ORIGIN_H
#define RICO_STORE_ORIGIN_H

#include "base/text.h"
#include "ricochet/simulation.h"
#include "scene/scene.h"

typedef struct rico_origin {
    rico_context *ctx;
    char *path; // of the result file
    bool finished;
    char *scene, *scene_path, *version, *files; // text of the scene, and so on; of one run
    char *overrides;
    int64_t override_count;
    const char **override; // lines of it
    int64_t parameter_count;
    char **parameter;
    double *value;
    double end;        // of an extended run; NaN: the scene's
    rico_ledger first; // energies of the first row
} rico_origin;

rico_status rico_origin_read(rico_context *ctx, const char *path, rico_origin *out);
void rico_origin_release(rico_origin *origin);

// Refuses a run that would not be the one in the file, by naming the first difference: another version of the program,
// a line of the scene (`scene_path` NULL: not looked at), a setting.
rico_status rico_origin_check(const rico_origin *origin, const char *scene_path, int64_t override_count,
                              const char *const *overrides);

// The same for the files that the scene was read from, once it is.
rico_status rico_origin_check_files(const rico_origin *origin, const rico_scene *scene);

// The files of a scene, one a line: what they hold as a number, bytes, path.
void rico_origin_list_files(const rico_scene *scene, rico_text *out);

// The first line in which two texts differ, numbered from 1, trailing blanks apart; 0 when there is none. The lines are
// printed into `held` and `now`, cut to fit; "" where a text has none so far down.
enum { RICO_ORIGIN_LINE = 120 };
int64_t rico_origin_compare(const char *held_text, const char *now_text, char held[RICO_ORIGIN_LINE],
                            char now[RICO_ORIGIN_LINE]);

#endif
