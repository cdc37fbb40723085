// Convergence of a scene: the audit's study, with its runs made from the scene and exact solutions from formulas.

#ifndef RICO_LAB_STUDY_H
#define RICO_LAB_STUDY_H

#include "ricochet/audit.h"

typedef struct rico_scene_study rico_scene_study;

// Reads the scene once, to check it. `scheme` replaces that of the scene unless it is "".
rico_status rico_scene_study_create(rico_context *ctx, const char *scene, const char *scheme,
                                    int64_t override_count, const char *const *overrides,
                                    rico_scene_study **out);
void rico_scene_study_destroy(rico_scene_study *study);

const char *rico_scene_study_title(const rico_scene_study *study);
const char *rico_scene_study_scheme(const rico_scene_study *study);
double rico_scene_study_step(const rico_scene_study *study); // that of the scene

// "x=FORMULA" or "v_x=FORMULA", of t and the scene's parameters. The velocity that belongs to a position follows by
// differentiation unless it is given too. Coordinates that no formula names are not compared.
rico_status rico_scene_study_exact(rico_scene_study *study, const char *text);

// Runs with these steps, on so many threads, and compares with the exact solution or, without one, with the run of the
// smallest step. Texts of exact solutions must still be there.
rico_status rico_scene_study_run(rico_scene_study *study, int count, const double *steps, int threads,
                                 rico_study_row *rows, rico_orders *orders);

#endif
