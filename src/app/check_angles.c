// rico check --angles: the angles between contacts, from the initial position of a scene.

#include "app/check_angles.h"

#include "ricochet/vibro.h"

#include <math.h>

enum { SHOWN_PAIRS = 40 };
static const double CLOSED = 1e-9; // gaps up to here touch, over the largest coordinate

static const char *const WHERE[RICO_CORNER_KINDS] = {
    [RICO_CORNER_TOUCHING] = "both touch at the start",
    [RICO_CORNER_FOUND] = "both touch",
    [RICO_CORNER_OUTSIDE] = "both touch where another contact is penetrated, and no motion comes:"};


// "at x = 1, y = 2", of a few coordinates.
static void print_position(FILE *out, const rico_scene *scene, int64_t count, const double *q)
{
    enum { SHOWN = 6 };
    char name[RICO_SCENE_NAME];
    for (int64_t i = 0; i < count && i < SHOWN; i++) {
        rico_scene_position_name(scene, i, name);
        fprintf(out, "%s%s = %.6g", i ? ", " : " at ", name, q[i]);
    }
    if (count > SHOWN) fprintf(out, ", ...");
}


static void print_angle(FILE *out, const rico_scene *scene, int64_t count, const rico_angle *angle,
                        const double *position)
{
    fprintf(out, "    %s, %s: %s", angle->name[0], angle->name[1], WHERE[angle->kind]);
    if (angle->place >= 0) print_position(out, scene, count, position + angle->place * count);
    fprintf(out, "\n      c = %.10g, %.6g degrees inside, e = %.6g", angle->cosine,
            angle->angle * 180.0 / M_PI, angle->restitution);
    if (angle->kind != RICO_CORNER_OUTSIDE)
        fprintf(out, ": %s", angle->continuous ? "continuous" : "not continuous");
    fprintf(out, "\n");
}


rico_status rico_check_angles(FILE *out, rico_context *ctx, rico_scene *scene)
{
    rico_system *system = rico_scene_system(scene);
    int64_t count = rico_system_positions(system), contacts = 0, bad = 0;
    const double *q = rico_scene_position(scene);
    double size = 1.0;
    bool friction = false;
    for (int64_t i = 0; i < count; i++) size = fmax(size, fabs(q[i]));
    for (int64_t c = 0; c < rico_system_constraints(system); c++)
        contacts += !rico_system_constraint(system, c).joint;
    rico_angles *angles = NULL;
    rico_status status = rico_angles_find(system, rico_scene_times(scene).start, q, CLOSED * size, &angles);
    if (status != RICO_OK) return status;
    fprintf(
        out,
        "  angles between contacts; continuity on data asks for c <= 0 with e = 0 and c = 0 with e > 0\n");
    for (int64_t i = 0; i < angles->count; i++) {
        friction |= angles->angle[i].friction > 0.0;
        if (i < SHOWN_PAIRS) print_angle(out, scene, count, &angles->angle[i], angles->position);
        bad += i >= SHOWN_PAIRS && !angles->angle[i].continuous;
    }
    if (angles->count > SHOWN_PAIRS)
        fprintf(out, "    and %lld pairs more, %lld of them not continuous\n",
                (long long)(angles->count - SHOWN_PAIRS), (long long)bad);
    if (angles->apart > 0)
        fprintf(out, "    %lld pair%s without a position found where both touch\n", (long long)angles->apart,
                angles->apart == 1 ? "" : "s");
    if (angles->left > 0)
        fprintf(out, "    %lld pairs not looked at, they are too many\n", (long long)angles->left);
    if (friction) fprintf(out, "    some contacts have friction, about which the condition says nothing\n");
    if (angles->continuous && angles->left == 0)
        fprintf(out, "  motions depend continuously on their data%s\n",
                angles->count  ? " where these pairs touch"
                : contacts > 1 ? ", as far as pairs were found"
                               : "");
    else if (!angles->continuous)
        fprintf(
            out,
            "  motions need not depend continuously on their data: near such a corner, look at several\n");
    rico_angles_destroy(ctx, angles);
    return RICO_OK;
}
