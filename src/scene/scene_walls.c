// Walls in running bond, and buttresses.

#include "scene/scene_structures.h"

#include <math.h>

static rico_status make_bond(rico_structure *s)
{
    int64_t length = 0, courses = 0, two;
    double *brick = NULL;
    rico_status status = rico_structure_integer(s, "length", &length);
    if (status == RICO_OK) status = rico_structure_integer(s, "courses", &courses);
    if (status == RICO_OK) status = rico_structure_real(s, "depth", &s->depth);
    if (status == RICO_OK) status = rico_structure_reserve(s, (double)courses * ((double)length + 1.0));
    if (status == RICO_OK)
        status = rico_document_reals(s->scene->document, rico_node_at(s->node, "brick"), &two, &brick);
    for (int64_t k = 0; status == RICO_OK && k < courses; k++) {
        int64_t odd = k % 2; // its joints are half a brick further to the left, but for the ends
        for (int64_t i = 0; status == RICO_OK && i < length + odd; i++) {
            double half = 0.5 * (double)length, shift = 0.5 * (double)odd;
            double left = fmax((double)i - shift, 0.0) - half,
                   right = fmin((double)i + 1.0 - shift, (double)length) - half;
            status = rico_structure_rectangle(s, left * brick[0], right * brick[0], (double)k * brick[1],
                                              (double)(k + 1) * brick[1], (rico_stone){0});
        }
    }
    rico_free(s->scene->ctx, brick);
    return status;
}


static rico_status make_buttress(rico_structure *s)
{
    static const char *const KEYS[] = {"height", "base", "top", "depth"};
    double v[4];
    int64_t courses = 0;
    bool upright = false;
    rico_status status = rico_structure_reals(s, 4, KEYS, v);
    if (status == RICO_OK) status = rico_structure_integer(s, "courses", &courses);
    if (status == RICO_OK) status = rico_structure_flag(s, "upright", &upright);
    if (status == RICO_OK) status = rico_structure_reserve(s, (double)courses);
    if (status != RICO_OK) return status;
    s->depth = v[3];
    rico_joint_line below = {{-0.5 * v[1], 0.0}, {0.5 * v[1], 0.0}};
    for (int64_t k = 1; status == RICO_OK && k <= courses; k++) {
        double share = (double)k / (double)courses, width = v[1] + share * (v[2] - v[1]),
               left = upright ? -0.5 * v[1] : -0.5 * width;
        const rico_joint_line above = {{left, share * v[0]}, {left + width, share * v[0]}};
        status = rico_structure_voussoir(s, &below, &above, -0.5 * s->depth, 0.5 * s->depth, (rico_stone){0});
        below = above;
    }
    return status;
}


const rico_structure_kind rico_wall_structures[] = {
    {"bond", false, make_bond}, {"buttress", false, make_buttress}, {NULL}};
