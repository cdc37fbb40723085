// An aqueduct: semicircular arches of three rings of voussoirs, three deep, on piers that stand in a valley.
//
// Voussoirs are bonded: those of a ring end half way along those of the rings beside it, and so do those of the rows behind. Two faces that meet touch at
// the four corners of what they share, along the arc with the radial normal there. An arch has 157 voussoirs and 2296 contacts, a pier two or four blocks: two
// arches on three piers are 322 bodies with 4624 contacts, as many as in the set Aqueduct_PR of Acary, Bremond and Huber 2018, table 5.

#include "problem/generate_scene.h"

#include "base/context.h"

#include <math.h>
#include <string.h>

enum { RINGS = 3, ROWS = 3, VOUSSOIRS = 17, MOST = RINGS * ROWS * (VOUSSOIRS + 1) };
static const double PI = 3.14159265358979323846;
static const double INNER = 0.85, THICK = 0.15, DEEP = 0.4, SPAN = 2.7; // radius, ring, row, pier to pier
static const double COURSE = 0.5, HALF_PIER = 0.55;                     // of piers

typedef struct voussoir {
    int64_t body;
    int ring, row;
    double from, to; // angles
} voussoir;

typedef struct arch {
    double centre;
    int64_t right, left; // piers
    int count;
    voussoir laid[MOST];
} arch;


static void place(const arch *own, double radius, double angle, double y, double x[3])
{
    x[0] = own->centre + radius * cos(angle);
    x[1] = y;
    x[2] = radius * sin(angle);
}


// A box of density 1 with these edges, the first along the direction at `angle` in the plane of the arch, the last across it.
static int64_t add_block(rico_stage *stage, const double centre[3], const double edge[3], double angle)
{
    double mass = edge[0] * edge[1] * edge[2], c = cos(angle), s = sin(angle);
    double own[3];
    for (int k = 0; k < 3; k++)
        own[k] =
            mass * (edge[(k + 1) % 3] * edge[(k + 1) % 3] + edge[(k + 2) % 3] * edge[(k + 2) % 3]) / 12.0;
    double inertia[9] = {
        c * c * own[0] + s * s * own[1], 0.0, c * s * (own[0] - own[1]),      0.0, own[2], 0.0,
        c * s * (own[0] - own[1]),       0.0, s * s * own[0] + c * c * own[1]};
    return rico_stage_body(stage, centre, mass, inertia);
}


// Four contacts with a face across the ring at `angle`; sign: along the way of the angles, or against it.
static void touch_end(rico_stage *stage, const arch *own, int64_t a, const voussoir *b, double angle,
                      double sign)
{
    const double normal[3] = {-sign * sin(angle), 0.0, sign * cos(angle)};
    for (int corner = 0; corner < 4; corner++) {
        int far = corner / 2;
        double x[3];
        place(own, INNER + THICK * (b->ring + corner % 2), angle, DEEP * (b->row + far), x);
        rico_stage_touch(stage, a, b->body, x, normal);
    }
}


// Four contacts over the angles that both share: with the ring below where b is above a, else with the row before.
static void touch_side(rico_stage *stage, const arch *own, const voussoir *a, const voussoir *b)
{
    double shared[2] = {fmax(a->from, b->from), fmin(a->to, b->to)};
    bool above = b->ring > a->ring;
    if (shared[1] - shared[0] < 1e-9) return;
    for (int corner = 0; corner < 4; corner++) {
        int far = corner / 2;
        double angle = shared[corner % 2], x[3];
        double normal[3] = {above ? cos(angle) : 0.0, above ? 0.0 : 1.0, above ? sin(angle) : 0.0};
        if (above)
            place(own, INNER + THICK * b->ring, angle, DEEP * (b->row + far), x);
        else
            place(own, INNER + THICK * (b->ring + far), angle, DEEP * b->row, x);
        rico_stage_touch(stage, a->body, b->body, x, normal);
    }
}


static void lay_voussoir(rico_stage *stage, arch *own, voussoir next)
{
    double middle = 0.5 * (next.from + next.to), radius = INNER + THICK * (next.ring + 0.5), centre[3];
    const double edge[3] = {THICK, radius * (next.to - next.from), DEEP};
    place(own, radius, middle, DEEP * (next.row + 0.5), centre);
    next.body = add_block(stage, centre, edge, middle);
    if (next.from == 0.0) touch_end(stage, own, own->right, &next, 0.0, 1.0);
    if (next.to == PI) touch_end(stage, own, own->left, &next, PI, -1.0);
    for (int k = 0; k < own->count; k++) {
        const voussoir *a = &own->laid[k];
        int rings = next.ring - a->ring, rows = next.row - a->row;
        if (rings == 0 && rows == 0 && fabs(a->to - next.from) < 1e-9)
            touch_end(stage, own, a->body, &next, next.from, 1.0);
        if ((rings == 1 && rows == 0) || (rings == 0 && rows == 1)) touch_side(stage, own, a, &next);
    }
    own->laid[own->count++] = next;
}


static void lay_arch(rico_stage *stage, arch *own)
{
    for (int row = 0; row < ROWS; row++)
        for (int ring = 0; ring < RINGS; ring++) {
            int odd = (row + ring) % 2, count = VOUSSOIRS + odd;
            double each = PI / VOUSSOIRS;
            for (int k = 0; k < count && !rico_stage_full(stage); k++) {
                double from = odd ? fmax(0.0, (k - 0.5) * each) : k * each;
                double to = k == count - 1 ? PI : odd ? (k + 0.5) * each : (k + 1) * each;
                lay_voussoir(stage, own, (voussoir){.ring = ring, .row = row, .from = from, .to = to});
            }
        }
}


// Blocks on one another up to z = 0; returns the highest.
static int64_t lay_pier(rico_stage *stage, double x, int courses)
{
    const double edge[3] = {2.0 * HALF_PIER, COURSE, ROWS * DEEP}, up[3] = {0.0, 0.0, 1.0};
    int64_t below = RICO_GROUND;
    for (int k = courses; k > 0 && !rico_stage_full(stage); k--) {
        const double centre[3] = {x, 0.5 * edge[2], -COURSE * (k - 0.5)};
        int64_t body = add_block(stage, centre, edge, 0.0);
        for (int corner = 0; corner < 4; corner++) {
            const double point[3] = {x + (corner % 2 ? HALF_PIER : -HALF_PIER), corner / 2 ? edge[2] : 0.0,
                                     -COURSE * k};
            rico_stage_touch(stage, below, body, point, up);
        }
        below = body;
    }
    return below;
}


void rico_scene_aqueduct(rico_stage *stage)
{
    static const int COURSES[] = {2, 4};
    arch *own = rico_alloc(stage->assembly.ctx, 1, sizeof *own);
    if (!own) {
        stage->assembly.status = RICO_NO_MEMORY;
        return;
    }
    int64_t left = lay_pier(stage, -0.5 * SPAN, COURSES[0]);
    for (int k = 0; !rico_stage_full(stage); k++) {
        own->centre = SPAN * k;
        own->count = 0;
        own->left = left;
        own->right = left = lay_pier(stage, SPAN * (k + 0.5), COURSES[(k + 1) % 2]);
        if (!rico_stage_full(stage)) lay_arch(stage, own);
    }
    rico_free(stage->assembly.ctx, own);
}
