// Boxes that stand on one another, faces along the axes: a bed, a wall, a tower.
//
// Two faces that meet touch at the four corners of what they share. Every box stands with its centre above the inside
// of what carries it, so that normal impulses alone hold it up: each of these stands without friction.

#include "problem/generate_scene.h"

#include "base/context.h"

#include <math.h>

typedef struct box {
    int64_t body;
    double centre[3], half[3]; // half: half of each edge
} box;

static const box ground = {RICO_GROUND, {0.0, 0.0, -1.0}, {INFINITY, INFINITY, 1.0}};


// A box of density 1.
static box add_box(rico_stage *stage, double x, double y, double z, const double half[3])
{
    box made = {.centre = {x, y, z}, .half = {half[0], half[1], half[2]}};
    double mass = 8.0 * half[0] * half[1] * half[2], inertia[9] = {0};
    for (int k = 0; k < 3; k++) {
        double b = half[(k + 1) % 3], c = half[(k + 2) % 3];
        inertia[4 * k] = mass * (b * b + c * c) / 3.0;
    }
    made.body = rico_stage_body(stage, made.centre, mass, inertia);
    return made;
}


// The box of a body already there.
static box box_at(const rico_stage *stage, int64_t body, const double half[3])
{
    const double *centre = stage->assembly.bodies[body].centre;
    return (box){body, {centre[0], centre[1], centre[2]}, {half[0], half[1], half[2]}};
}


// Four contacts where the face of a that looks along the axis meets b.
static void touch_faces(rico_stage *stage, const box *a, const box *b, int axis)
{
    int k = (axis + 1) % 3, l = (axis + 2) % 3;
    double k_low = fmax(a->centre[k] - a->half[k], b->centre[k] - b->half[k]);
    double k_high = fmin(a->centre[k] + a->half[k], b->centre[k] + b->half[k]);
    double l_low = fmax(a->centre[l] - a->half[l], b->centre[l] - b->half[l]);
    double l_high = fmin(a->centre[l] + a->half[l], b->centre[l] + b->half[l]);
    double normal[3] = {0}, point[3];
    normal[axis] = 1.0;
    point[axis] = a->centre[axis] + a->half[axis];
    for (int corner = 0; corner < 4; corner++) {
        point[k] = corner == 0 || corner == 3 ? k_low : k_high;
        point[l] = corner < 2 ? l_low : l_high;
        rico_stage_touch(stage, a->body, b->body, point, normal);
    }
}


// --- bed ----------------------------------------------------------------------------------------------------

// Boxes stand on a square grid of pitch 1, with gaps between. In offset stacking a box stands on four, and each layer
// is one box narrower than the one below, so that none hangs over; aligned, it stands on one.
//
// The bed is laid as it is widened: one row of the floor at a time, then on each layer the row that can stand by now.
// Neighbours then have near numbers however wide the bed, and it may end after any box.
static const double bed_half[3] = {0.475, 0.475, 0.25};

// First bodies of the last two rows of a layer.
typedef struct bed_rows {
    int64_t last, before;
} bed_rows;


static void lay_row(rico_stage *stage, int64_t layer, int64_t row, int64_t width, const bed_rows *below)
{
    double shift = stage->aligned ? 0.5 : 0.5 + 0.5 * (double)layer;
    for (int64_t i = 0; i < width && !rico_stage_full(stage); i++) {
        box made = add_box(stage, (double)i + shift, (double)row + shift,
                           bed_half[2] * (double)(2 * layer + 1), bed_half);
        if (stage->assembly.status) return;
        if (layer == 0) touch_faces(stage, &ground, &made, 2);
        for (int k = 0; layer > 0 && k < (stage->aligned ? 1 : 4); k++) {
            int64_t start = stage->aligned || k >= 2 ? below->last : below->before;
            box under = box_at(stage, start + i + k % 2, bed_half);
            touch_faces(stage, &under, &made, 2);
        }
    }
}


void rico_scene_bed(rico_stage *stage)
{
    const int64_t layers = stage->layers;
    bed_rows *rows = rico_alloc(stage->assembly.ctx, layers, sizeof *rows);
    if (!rows) {
        stage->assembly.status = RICO_NO_MEMORY;
        return;
    }

    // about as many rows as boxes in a row; wide enough for the topmost layer
    int64_t column = 4 + (layers - 1) * (stage->aligned ? 4 : 16);
    int64_t width = (int64_t)round(sqrt((double)stage->target / (double)column));
    if (width < layers) width = layers;

    for (int64_t row = 0; !rico_stage_full(stage); row++) {
        for (int64_t layer = 0; layer < layers; layer++) {
            int64_t behind = stage->aligned ? 0 : layer; // rows
            if (row < behind) break;
            int64_t first = stage->assembly.body_count;
            lay_row(stage, layer, row - behind, width - behind, layer > 0 ? &rows[layer - 1] : NULL);
            rows[layer] = (bed_rows){.last = first, .before = rows[layer].last};
        }
    }
    rico_free(stage->assembly.ctx, rows);
}


// --- wall ---------------------------------------------------------------------------------------------------

// Bricks of 2 x 1 x 1 in running bond: every second course begins and ends with half a brick. Bricks of a course touch.
static const double brick_half[3] = {1.0, 0.5, 0.5}, half_brick_half[3] = {0.5, 0.5, 0.5};


// Half of the edges of the brick at a place of its course, which holds m bricks, or m + 1 of which two are halves.
static const double *brick_edges(bool shifted, int64_t m, int64_t place)
{
    return shifted && (place == 0 || place == m) ? half_brick_half : brick_half;
}


static double brick_x(bool shifted, int64_t m, int64_t place)
{
    if (!shifted) return 2.0 * (double)place + 1.0;
    if (place == 0) return 0.5;
    return place == m ? 2.0 * (double)m - 0.5 : 2.0 * (double)place;
}


void rico_scene_wall(rico_stage *stage)
{
    // eight contacts below a brick and four beside it; as many courses as bricks in a course
    int64_t m = (int64_t)round(sqrt((double)stage->target / 12.0)), below = 0;
    if (m < 2) m = 2;

    for (int64_t course = 0; !rico_stage_full(stage); course++) {
        bool shifted = course % 2 == 1;
        int64_t count = shifted ? m + 1 : m, count_below = shifted ? m : m + 1;
        int64_t first = stage->assembly.body_count;
        for (int64_t place = 0; place < count && !rico_stage_full(stage); place++) {
            box made = add_box(stage, brick_x(shifted, m, place), 0.0, (double)course + 0.5,
                               brick_edges(shifted, m, place));
            if (stage->assembly.status) break;
            if (course == 0) touch_faces(stage, &ground, &made, 2);

            // the two bricks underneath; half a brick has one
            for (int64_t k = shifted ? place - 1 : place, last = k + 1; course > 0 && k <= last; k++) {
                if (k < 0 || k >= count_below) continue;
                box under = box_at(stage, below + k, brick_edges(!shifted, m, k));
                touch_faces(stage, &under, &made, 2);
            }
            if (place == 0) continue;
            box beside = box_at(stage, made.body - 1, brick_edges(shifted, m, place - 1));
            touch_faces(stage, &beside, &made, 0);
        }
        below = first;
    }
}


// --- tower --------------------------------------------------------------------------------------------------

// Three planks side by side, a gap between them, on three that lie across.
static const double plank_half[2][3] = {{1.45, 0.45, 0.3}, {0.45, 1.45, 0.3}};


void rico_scene_tower(rico_stage *stage)
{
    for (int64_t plank = 0; !rico_stage_full(stage); plank++) {
        int64_t layer = plank / 3;
        int way = (int)(layer % 2);
        double aside = (double)(plank % 3 - 1);
        box made = add_box(stage, way == 0 ? 0.0 : aside, way == 0 ? aside : 0.0,
                           plank_half[0][2] * (double)(2 * layer + 1), plank_half[way]);
        if (stage->assembly.status) return;
        if (layer == 0) touch_faces(stage, &ground, &made, 2);
        for (int64_t k = 0; layer > 0 && k < 3; k++) {
            box under = box_at(stage, 3 * (layer - 1) + k, plank_half[1 - way]);
            touch_faces(stage, &under, &made, 2);
        }
    }
}
