// Capsules laid crosswise, and spheres that flow down a chute: two more sets of table 5 of Acary, Bremond and Huber 2018.
//
// Capsules: layers of three, along x and along y in turn, each crossing the three below at one point; the lowest lies on the
// ground by both ends of its straight part. Loads go straight down. Chute: layers of spheres on hollows, between two walls, on a floor that is
// inclined by 20 degrees and rough: the layers move faster the higher they lie, so that most contacts slide. Friction holds it
// where mu exceeds tan 20 degrees, and nothing does below: w = 0 leaves a solution in either case.

#include "problem/generate_scene.h"

#include <math.h>

enum { ABREAST = 3 };
static const double radius = 0.5;
static const double spacing = 1.5; // of capsules in a layer, between axes
static const double inclination = 20.0;
static const double shear =
    0.5; // of the speed of a layer, over what gravity adds in a step, for each layer of height


// Mass and moments of a cylinder of this length with half spheres at its ends, along axis 0 or 1.
static double weigh(double length, int along, double inertia[9])
{
    const double pi = acos(-1.0), square = radius * radius;
    double shaft = pi * square * length, caps = 4.0 / 3.0 * pi * square * radius;
    double axial = 0.5 * shaft * square + 0.4 * caps * square;
    double across = shaft * (length * length / 12.0 + square / 4.0) +
                    caps * (0.4 * square + 0.25 * length * length + 0.375 * length * radius);
    for (int i = 0; i < 9; i++) inertia[i] = 0.0;
    for (int k = 0; k < 3; k++) inertia[4 * k] = k == along ? axial : across;
    return shaft + caps;
}


void rico_scene_capsules(rico_stage *stage)
{
    const double length = (ABREAST - 1) * spacing + 1.0, up[3] = {0.0, 0.0, 1.0};
    for (int64_t layer = 0; !rico_stage_full(stage); layer++) {
        int along = (int)(layer % 2), across = 1 - along;
        int64_t below = stage->assembly.body_count - ABREAST;
        for (int i = 0; i < ABREAST && !rico_stage_full(stage); i++) {
            double inertia[9], centre[3], point[3];
            double mass = weigh(length, along, inertia);
            centre[along] = 0.0;
            centre[across] = (i - 1) * spacing;
            centre[2] = radius * (double)(2 * layer + 1);
            int64_t capsule = rico_stage_body(stage, centre, mass, inertia);
            if (stage->assembly.status) return;
            point[across] = centre[across];
            point[2] = centre[2] - radius;
            for (int k = 0; layer == 0 && k < 2; k++) {
                point[along] = (k - 0.5) * length;
                rico_stage_touch(stage, RICO_GROUND, capsule, point, up);
            }
            for (int k = 0; layer > 0 && k < ABREAST; k++) {
                point[along] = (k - 1) * spacing;
                rico_stage_touch(stage, below + k, capsule, point, up);
            }
        }
    }
}


static void touch_wall(rico_stage *stage, int64_t sphere, int axis, double inwards)
{
    const double *centre = stage->assembly.bodies[sphere].centre;
    double normal[3] = {0.0, 0.0, 0.0}, point[3] = {centre[0], centre[1], centre[2]};
    normal[axis] = inwards;
    point[axis] -= inwards * radius;
    rico_stage_touch(stage, RICO_GROUND, sphere, point, normal);
}


static void touch_sphere(rico_stage *stage, int64_t a, int64_t b)
{
    const double *from = stage->assembly.bodies[a].centre, *to = stage->assembly.bodies[b].centre;
    double normal[3], point[3], distance = 0.0;
    for (int k = 0; k < 3; k++) {
        normal[k] = to[k] - from[k];
        point[k] = 0.5 * (from[k] + to[k]);
        distance += normal[k] * normal[k];
    }
    for (int k = 0; k < 3; k++) normal[k] /= sqrt(distance);
    rico_stage_touch(stage, a, b, point, normal);
}


// Layers of n x 4 and (n - 1) x 3 in turn, as high as wide: about five contacts for each sphere.
void rico_scene_chute(rico_stage *stage)
{
    const double mass = 4.0 / 3.0 * acos(-1.0) * radius * radius * radius,
                 moment = 0.4 * mass * radius * radius;
    const double inertia[9] = {moment, 0, 0, 0, moment, 0, 0, 0, moment}, rise = radius * sqrt(2.0);
    const int64_t width = 4, layers = 4;
    int64_t n = (int64_t)ceil((double)stage->target / (5.0 * 3.5 * (double)layers)), below = 0;
    if (n < 2) n = 2;
    stage->inclination = inclination;
    stage->shear = shear;
    for (int64_t layer = 0; !rico_stage_full(stage); layer++) {
        int64_t odd = layer % 2, long_side = n - odd, side = width - odd, side_below = width - 1 + odd;
        int64_t first = stage->assembly.body_count;
        for (int64_t place = 0; place < long_side * side && !rico_stage_full(stage); place++) {
            int64_t i = place / side, j = place % side;
            double centre[3] = {(double)i + 0.5 * (double)odd, radius + (double)j + 0.5 * (double)odd,
                                radius + rise * (double)layer};
            int64_t sphere = rico_stage_body(stage, centre, mass, inertia);
            if (stage->assembly.status) return;
            if (layer == 0) touch_wall(stage, sphere, 2, 1.0);
            if (!odd && j == 0) touch_wall(stage, sphere, 1, 1.0);
            if (!odd && j == width - 1) touch_wall(stage, sphere, 1, -1.0);
            for (int corner = 0; layer > 0 && corner < 4; corner++) {
                int64_t k = i + corner / 2 - (odd ? 0 : 1), l = j + corner % 2 - (odd ? 0 : 1);
                bool inside = k >= 0 && l >= 0 && k < n - 1 + odd && l < side_below;
                if (inside) touch_sphere(stage, below + k * side_below + l, sphere);
            }
            if (j > 0) touch_sphere(stage, sphere - 1, sphere);
            if (i > 0) touch_sphere(stage, sphere - side, sphere);
        }
        below = first;
    }
}
