// Arches of voussoirs: round, of a segment, pointed, on piers or between abutments; and flat ones.

#include "scene/scene_structures.h"

#include <math.h>
#include <string.h>

rico_joint_line rico_ring_joint(double radius, double thickness, double degrees)
{
    double angle = degrees * M_PI / 180.0, in = radius - 0.5 * thickness, out = radius + 0.5 * thickness;
    double along = sin(angle), height = fabs(degrees) == 90.0 ? 0.0 : cos(angle);
    return (rico_joint_line){{in * along, in * height}, {out * along, out * height}};
}


// The joint of a pointed arch, k = 0 ... count: arcs about -offset on the right and about offset on the left, and an upright joint at the top.
static rico_joint_line pointed_joint(double radius, double thickness, double offset, int64_t k, int64_t count)
{
    double in = radius - 0.5 * thickness, out = radius + 0.5 * thickness, half = 0.5 * (double)count;
    double side = 2 * k < count ? -1.0 : 1.0;
    if (2 * k == count)
        return (rico_joint_line){{0.0, sqrt(in * in - offset * offset)},
                                 {0.0, sqrt(out * out - offset * offset)}};
    double steps = half - fabs((double)k - half); // from the springing
    double angle = steps * acos(offset / radius) / half, x = cos(angle), y = sin(angle);
    return (rico_joint_line){{side * (in * x - offset), in * y}, {side * (out * x - offset), out * y}};
}


rico_mass_properties rico_ring_sector(double radius, double thickness, double from, double to, int up,
                                      double front, double back)
{
    double in = radius - 0.5 * thickness, out = radius + 0.5 * thickness,
           depth = up == 2 ? back - front : 1.0;
    double half = 0.5 * (to - from) * M_PI / 180.0, middle = 0.5 * (to + from) * M_PI / 180.0;
    double area = (out * out - in * in) * half;
    double at = 2.0 / 3.0 * (pow(out, 3.0) - pow(in, 3.0)) / (out * out - in * in) * sin(half) / half;
    double fourth = 0.25 * (pow(out, 4.0) - pow(in, 4.0));
    // second moments along the radius and across it, about the center
    double along = fourth * (half + sin(half) * cos(half)) - area * at * at,
           across = fourth * (half - sin(half) * cos(half));
    double s = sin(middle), c = cos(middle);
    double xx = along * s * s + across * c * c, zz = along * c * c + across * s * s,
           xz = (along - across) * s * c, yy = area * depth * depth / 12.0;
    rico_mass_properties solid = {.mass = area * depth};
    solid.center[0] = at * s, solid.center[up] = at * c;
    if (up == 1) {
        solid.inertia[8] = xx + zz;
        return solid;
    }
    solid.center[1] = 0.5 * (front + back);
    solid.inertia[0] = depth * (yy + zz), solid.inertia[4] = depth * (xx + zz);
    solid.inertia[8] = depth * (xx + yy), solid.inertia[2] = solid.inertia[6] = -depth * xz;
    return solid;
}


// The blocks behind the springings: what would be the next voussoirs.
rico_status rico_structure_abutments(rico_structure *s, const rico_joint_line ends[4], double front,
                                     double back)
{
    rico_status status = rico_structure_voussoir(s, &ends[0], &ends[1], front, back,
                                                 (rico_stone){.called = "left", .fixed = true});
    if (status == RICO_OK)
        status = rico_structure_voussoir(s, &ends[2], &ends[3], front, back,
                                         (rico_stone){.called = "right", .fixed = true});
    return status;
}


typedef struct arch {
    double radius, thickness, angle, offset, pier[2];
    int64_t count;
    bool sectors, abutments, piers;
} arch;


static rico_joint_line arch_joint(const arch *a, int64_t k)
{
    if (a->offset > 0.0) return pointed_joint(a->radius, a->thickness, a->offset, k, a->count);
    return rico_ring_joint(a->radius, a->thickness, ((double)k / (double)a->count - 0.5) * a->angle);
}


static rico_status check_arch(const rico_structure *s, const arch *a)
{
    rico_document *document = s->scene->document;
    const rico_node *node = s->node;
    double inner = a->radius - 0.5 * a->thickness;
    rico_status status = rico_structure_check_ring(s, a->radius, a->thickness);
    if (status != RICO_OK) return status;
    if (a->angle / (double)a->count >= 180.0)
        return rico_document_fail(document, rico_node_at(node, "count"),
                                  "%lld voussoirs over %g degrees are not convex; make more of them",
                                  (long long)a->count, a->angle);
    if (a->offset > 0.0 && a->angle != 180.0)
        return rico_document_fail(document, rico_node_at(node, "offset"),
                                  "a pointed arch springs level; remove 'angle'");
    if (a->offset >= inner)
        return rico_document_fail(document, rico_node_at(node, "offset"),
                                  "'offset' is %g, and must be below the inner radius %g", a->offset, inner);
    if (a->offset > 0.0 && a->count % 2)
        return rico_document_fail(document, rico_node_at(node, "count"),
                                  "a pointed arch has a joint at the top: 'count' must be even, got %lld",
                                  (long long)a->count);
    double last = (1.0 - 2.0 / (double)a->count) * acos(fmin(1.0, a->offset / a->radius));
    if (a->offset > 0.0 && inner * cos(last) <= a->offset)
        return rico_document_fail(
            document, rico_node_at(node, "thickness"),
            "the joints beside the point of the arch cross in its middle; make it thinner "
            "than %g, or of fewer voussoirs",
            a->thickness);
    if (a->offset > 0.0 && a->sectors)
        return rico_document_fail(document, rico_node_at(node, "weights"),
                                  "the voussoirs at the point are no sectors; 'weights: sector' belongs to "
                                  "round arches");
    if (a->piers && (a->angle != 180.0 || a->abutments))
        return rico_document_fail_key(document, rico_node_at(node, "piers"),
                                      a->abutments
                                          ? "an arch has 'piers' or 'abutments', not both"
                                          : "'piers' bear an arch that springs level; remove 'angle'");
    if (a->abutments && a->angle * (1.0 + 2.0 / (double)a->count) > 360.0)
        return rico_document_fail_key(document, rico_node_at(node, "abutments"),
                                      "there is no room for abutments in what %g degrees leave open",
                                      a->angle);
    return RICO_OK;
}


static rico_status read_arch(const rico_structure *s, arch *a)
{
    static const char *const KEYS[] = {"radius", "thickness", "angle", "offset"};
    const rico_node *piers = rico_node_at(s->node, "piers");
    double value[4], *pier = NULL;
    int64_t two;
    rico_status status = rico_structure_reals(s, 4, KEYS, value);
    if (status == RICO_OK) status = rico_structure_integer(s, "count", &a->count);
    if (status == RICO_OK) status = rico_structure_flag(s, "abutments", &a->abutments);
    if (status == RICO_OK && piers) status = rico_document_reals(s->scene->document, piers, &two, &pier);
    if (status != RICO_OK) return status;
    a->radius = value[0], a->thickness = value[1], a->angle = value[2], a->offset = value[3];
    a->sectors = rico_structure_chosen(s, "weights", "sector");
    a->piers = pier != NULL;
    if (pier) memcpy(a->pier, pier, sizeof a->pier);
    rico_free(s->scene->ctx, pier);
    return check_arch(s, a);
}


static rico_status add_piers(rico_structure *s, const arch *a)
{
    double inner = a->radius - 0.5 * a->thickness - a->offset;
    rico_status status = rico_structure_rectangle(s, -inner - a->pier[0], -inner, -a->pier[1], 0.0,
                                                  (rico_stone){.called = "pier-left"});
    if (status == RICO_OK)
        status = rico_structure_rectangle(s, inner, inner + a->pier[0], -a->pier[1], 0.0,
                                          (rico_stone){.called = "pier-right"});
    return status;
}


// Its ends as abutments: a step further along the ring; below what springs level.
static void arch_ends(const arch *a, rico_joint_line ends[4])
{
    double step = a->angle / (double)a->count;
    ends[1] = arch_joint(a, 0), ends[2] = arch_joint(a, a->count);
    ends[0] = ends[1], ends[3] = ends[2];
    if (a->offset > 0.0) {
        ends[0].in[1] = ends[0].out[1] = ends[3].in[1] = ends[3].out[1] = -a->thickness;
        return;
    }
    ends[0] = rico_ring_joint(a->radius, a->thickness, -0.5 * a->angle - step);
    ends[3] = rico_ring_joint(a->radius, a->thickness, 0.5 * a->angle + step);
}


static rico_status make_arch(rico_structure *s)
{
    arch a = {0};
    rico_status status = rico_structure_real(s, "depth", &s->depth);
    double front = -0.5 * s->depth, back = 0.5 * s->depth;
    if (status == RICO_OK) status = read_arch(s, &a);
    if (status == RICO_OK) status = rico_structure_reserve(s, (double)a.count + 4.0);
    for (int64_t k = 0; status == RICO_OK && k < a.count; k++) {
        const rico_joint_line from = arch_joint(&a, k), to = arch_joint(&a, k + 1);
        rico_stone block = {.given = a.sectors};
        double step = a.angle / (double)a.count, at = -0.5 * a.angle + (double)k * step;
        if (a.sectors)
            block.solid = rico_ring_sector(a.radius, a.thickness, at, at + step, s->up, front, back);
        status = rico_structure_voussoir(s, &from, &to, front, back, block);
    }
    if (status == RICO_OK && a.piers) status = add_piers(s, &a);
    if (status == RICO_OK && a.abutments) {
        rico_joint_line ends[4];
        arch_ends(&a, ends);
        status = rico_structure_abutments(s, ends, front, back);
    }
    return status;
}


static rico_status make_flat_arch(rico_structure *s)
{
    static const char *const KEYS[] = {"span", "height", "center", "depth"};
    double v[4];
    int64_t count = 0;
    bool abutments = false;
    rico_status status = rico_structure_reals(s, 4, KEYS, v);
    if (status == RICO_OK) status = rico_structure_integer(s, "count", &count);
    if (status == RICO_OK) status = rico_structure_flag(s, "abutments", &abutments);
    if (status == RICO_OK) status = rico_structure_reserve(s, (double)count + 2.0);
    if (status != RICO_OK) return status;
    s->depth = v[3];
    double width = v[0] / (double)count, spread = (v[2] + v[1]) / v[2];
    rico_joint_line last, ends[4];
    for (int64_t k = -1; status == RICO_OK && k <= count + 1; k++) {
        double x = (double)k * width - 0.5 * v[0];
        const rico_joint_line here = {{x, 0.0}, {x * spread, v[1]}};
        if (k >= 1 && k <= count)
            status =
                rico_structure_voussoir(s, &last, &here, -0.5 * s->depth, 0.5 * s->depth, (rico_stone){0});
        if (k <= 0) ends[k + 1] = here;
        if (k >= count) ends[k - count + 2] = here;
        last = here;
    }
    if (status == RICO_OK && abutments)
        status = rico_structure_abutments(s, ends, -0.5 * s->depth, 0.5 * s->depth);
    return status;
}


const rico_structure_kind rico_arch_structures[] = {
    {"arch", false, make_arch}, {"flat-arch", false, make_flat_arch}, {NULL}};
