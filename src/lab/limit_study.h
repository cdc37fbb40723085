// The statics of a scene: its structure, with a live load that a parameter scales or gravity in another direction.

#ifndef RICO_LAB_LIMIT_STUDY_H
#define RICO_LAB_LIMIT_STUDY_H

#include "ricochet/limit.h"
#include "ricochet/scene.h"

typedef struct rico_limit_order {
    const char *scene;
    int64_t set_count;
    const char *const *set;
    const char *load;    // a parameter that forces are linear in, or NULL
    const char *gravity; // "x", "-y", "1,0,1": weights in this direction as the live load, or NULL
    double touching;     // 0: as usual
    rico_limit_view view;
    char *excerpt;
    size_t excerpt_size;
} rico_limit_order;

typedef struct rico_limit_study {
    rico_context *ctx;
    rico_scene *scene;
    rico_limit *limit;
    double lambda; // where the scene itself stands: the value of the parameter, 0 otherwise
    bool loaded;   // it has a live load
} rico_limit_study;

// Reads the scene as often as the load asks for. Refused: loads that are not linear in the parameter or move the contacts, that
// do nothing, bodies that hang on nothing, scenes in which nothing touches.
rico_status rico_limit_study_open(rico_context *ctx, const rico_limit_order *order, rico_limit_study *out);
void rico_limit_study_close(rico_limit_study *study);

#endif
