// Spheres close-packed in an open box with a square floor.
//
// Layers are square lattices of touching spheres, n x n and (n - 1) x (n - 1) in turn, each sphere in a hollow of the
// layer below: face-centred cubic packing, twelve neighbours inside. The wide layers touch the walls. A sphere in a
// hollow cannot sink, and the walls keep the hollows from opening: the pile stands without friction. It is filled
// sphere by sphere from the floor up, so that the last layer may be incomplete.

#include "problem/generate_scene.h"

#include <math.h>

static const double radius = 0.5;
static const double layer_height = 0.70710678118654752; // of touching spheres of diameter 1


// The side of the box for about as many contacts in a pile as high as wide: six for each sphere, and sqrt(2) n
// layers in a height of n.
static int64_t side_of_box(int64_t contacts)
{
    int64_t n = (int64_t)round(cbrt((double)contacts / (6.0 * sqrt(2.0))));
    return n < 2 ? 2 : n;
}


static void touch_plane(rico_stage *stage, int64_t sphere, int axis, double inwards)
{
    const double *centre = stage->assembly.bodies[sphere].centre;
    double normal[3] = {0}, point[3] = {centre[0], centre[1], centre[2]};
    normal[axis] = inwards;
    point[axis] -= inwards * radius;
    rico_stage_touch(stage, RICO_GROUND, sphere, point, normal);
}


static void touch_sphere(rico_stage *stage, int64_t a, int64_t b)
{
    const double *from = stage->assembly.bodies[a].centre, *to = stage->assembly.bodies[b].centre;
    double normal[3], point[3];
    for (int k = 0; k < 3; k++) {
        normal[k] = to[k] - from[k];
        point[k] = 0.5 * (from[k] + to[k]);
    }
    double distance = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    for (int k = 0; k < 3; k++) normal[k] /= distance;
    rico_stage_touch(stage, a, b, point, normal);
}


void rico_scene_spheres(rico_stage *stage)
{
    const double mass = 4.0 / 3.0 * acos(-1.0) * radius * radius * radius;
    const double moment = 0.4 * mass * radius * radius;
    const double inertia[9] = {moment, 0, 0, 0, moment, 0, 0, 0, moment};
    int64_t n = side_of_box(stage->target), below = 0; // below: first sphere of the layer underneath

    for (int64_t layer = 0; !rico_stage_full(stage); layer++) {
        bool wide = layer % 2 == 0;
        int64_t side = wide ? n : n - 1, side_below = wide ? n - 1 : n;
        double shift = wide ? radius : 2.0 * radius;
        for (int64_t place = 0; place < side * side && !rico_stage_full(stage); place++) {
            int64_t i = place % side, j = place / side;
            double centre[3] = {(double)i + shift, (double)j + shift, radius + layer_height * (double)layer};
            int64_t sphere = rico_stage_body(stage, centre, mass, inertia);
            if (stage->assembly.status) return;

            if (layer == 0) touch_plane(stage, sphere, 2, 1.0);
            if (wide && i == 0) touch_plane(stage, sphere, 0, 1.0);
            if (wide && i == n - 1) touch_plane(stage, sphere, 0, -1.0);
            if (wide && j == 0) touch_plane(stage, sphere, 1, 1.0);
            if (wide && j == n - 1) touch_plane(stage, sphere, 1, -1.0);

            // the four around the hollow; at the walls some of them are missing
            for (int corner = 0; layer > 0 && corner < 4; corner++) {
                int64_t k = i + corner % 2 - wide, l = j + corner / 2 - wide;
                bool inside = k >= 0 && k < side_below && l >= 0 && l < side_below;
                if (inside) touch_sphere(stage, below + side_below * l + k, sphere);
            }
            if (j > 0) touch_sphere(stage, sphere - side, sphere);
            if (i > 0) touch_sphere(stage, sphere - 1, sphere);
        }
        below = stage->assembly.body_count - side * side; // read only when this layer is complete
    }
}
