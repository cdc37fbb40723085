// Vaults of blocks in space: barrel vaults, cross vaults, domes.

#include "scene/scene_structures.h"

#include <math.h>
#include <stdio.h>

// --- barrel vaults -------------------------------------------------------------------------------------------------

typedef struct vault {
    double radius, thickness, angle, length;
    int64_t count, rows;
    bool running, sectors, abutments;
} vault;


static rico_status read_vault(const rico_structure *s, vault *v)
{
    static const char *const KEYS[] = {"radius", "thickness", "angle", "length"};
    double value[4];
    rico_status status = rico_structure_reals(s, 4, KEYS, value);
    if (status == RICO_OK) status = rico_structure_integer(s, "count", &v->count);
    if (status == RICO_OK) status = rico_structure_integer(s, "rows", &v->rows);
    if (status == RICO_OK) status = rico_structure_flag(s, "abutments", &v->abutments);
    if (status != RICO_OK) return status;
    v->radius = value[0], v->thickness = value[1], v->angle = value[2], v->length = value[3];
    v->running = rico_structure_chosen(s, "bond", "running");
    v->sectors = rico_structure_chosen(s, "weights", "sector");
    if (v->angle / (double)v->count >= 180.0)
        return rico_document_fail(s->scene->document, rico_node_at(s->node, "count"),
                                  "%lld courses over %g degrees are not convex; make more of them",
                                  (long long)v->count, v->angle);
    return rico_structure_check_ring(s, v->radius, v->thickness);
}


// A course between two angles: blocks along y, in every other course of a running bond shifted by half of one.
static rico_status add_course(rico_structure *s, const vault *v, int64_t course)
{
    double step = v->angle / (double)v->count, at = -0.5 * v->angle + (double)course * step;
    const rico_joint_line from = rico_ring_joint(v->radius, v->thickness, at),
                          to = rico_ring_joint(v->radius, v->thickness,
                                               ((double)(course + 1) / (double)v->count - 0.5) * v->angle);
    int64_t odd = v->running ? course % 2 : 0, rows = v->rows;
    rico_status status = RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i < rows + odd; i++) {
        double shift = 0.5 * (double)odd, pitch = v->length / (double)rows;
        double front = fmax((double)i - shift, 0.0) * pitch - 0.5 * v->length,
               back = fmin((double)i + 1.0 - shift, (double)rows) * pitch - 0.5 * v->length;
        rico_stone block = {.given = v->sectors};
        if (v->sectors)
            block.solid = rico_ring_sector(v->radius, v->thickness, at, at + step, s->up, front, back);
        status = rico_structure_voussoir(s, &from, &to, front, back, block);
    }
    return status;
}


static rico_status make_vault(rico_structure *s)
{
    vault v = {0};
    rico_status status = read_vault(s, &v);
    if (status == RICO_OK) status = rico_structure_reserve(s, (double)v.count * ((double)v.rows + 1.0) + 2.0);
    for (int64_t k = 0; status == RICO_OK && k < v.count; k++) status = add_course(s, &v, k);
    if (status != RICO_OK || !v.abutments) return status;
    double half = 0.5 * v.angle, step = fmin(v.angle / (double)v.count, 20.0);
    const double at[4] = {-half - step, -half, half, half + step};
    rico_joint_line ends[4];
    for (int i = 0; i < 4; i++) ends[i] = rico_ring_joint(v.radius, v.thickness, at[i]);
    return rico_structure_abutments(s, ends, -0.5 * v.length, 0.5 * v.length);
}


// --- cross vaults ----------------------------------------------------------------------------------------------------

// A corner of a half web of the vault along x, where x > y > 0: the joint of the ring at an angle from the springing, at a share of the way
// from the groin, x = y, to the edge.
static void web_corner(double radius, double half_side, double share, int64_t k, int64_t count, double out[3])
{
    double angle = 0.5 * M_PI * (double)k / (double)count;
    double y = k == count ? 0.0 : radius * cos(angle);
    out[0] = y + share * (half_side - y);
    out[1] = y;
    out[2] = k == 0 ? 0.0 : radius * sin(angle);
}


// One of eight: mirrored at the planes of the axes and of the groin.
static void mirror(int web, double x[3])
{
    if (web & 1) {
        double swap = x[0];
        x[0] = x[1], x[1] = swap;
    }
    if (web & 2) x[0] = -x[0];
    if (web & 4) x[1] = -x[1];
}


static rico_status add_web(rico_structure *s, int web, const double ring[2], double half_side, int64_t count,
                           int64_t rows)
{
    rico_status status = RICO_OK;
    for (int64_t k = 0; k < count; k++)
        for (int64_t i = 0; status == RICO_OK && i < rows; i++) {
            double corner[24];
            for (int c = 0; c < 8; c++) {
                double share = (double)(i + (c & 1)) / (double)rows;
                web_corner(ring[(c >> 1) & 1], half_side, share, k + (c >> 2), count, corner + 3 * c);
                mirror(web, corner + 3 * c);
            }
            status = rico_structure_hull(s, 8, corner, (rico_stone){0});
        }
    return status;
}


static rico_status make_cross_vault(rico_structure *s)
{
    static const char *const KEYS[] = {"radius", "thickness", "side"};
    double v[3];
    int64_t count = 0, rows = 0;
    bool abutments = false;
    rico_status status = rico_structure_reals(s, 3, KEYS, v);
    if (status == RICO_OK) status = rico_structure_integer(s, "count", &count);
    if (status == RICO_OK) status = rico_structure_integer(s, "rows", &rows);
    if (status == RICO_OK) status = rico_structure_flag(s, "abutments", &abutments);
    if (status == RICO_OK) status = rico_structure_check_ring(s, v[0], v[1]);
    if (status != RICO_OK) return status;
    const double ring[2] = {v[0] - 0.5 * v[1], v[0] + 0.5 * v[1]};
    double half = 0.5 * v[2];
    if (half <= ring[1])
        return rico_document_fail(s->scene->document, rico_node_at(s->node, "side"),
                                  "'side' is %g, and must exceed twice the outer radius, %g", v[2],
                                  2.0 * ring[1]);
    status = rico_structure_reserve(s, 8.0 * (double)count * (double)rows + 1.0);
    for (int web = 0; status == RICO_OK && web < 8; web++) status = add_web(s, web, ring, half, count, rows);
    s->depth = v[2];
    if (status == RICO_OK && abutments)
        status = rico_structure_rectangle(s, -half, half, -v[1], 0.0,
                                          (rico_stone){.called = "ground", .fixed = true});
    return status;
}


// --- domes -----------------------------------------------------------------------------------------------------------

typedef struct dome {
    double ring[2], angle, opening;
    int64_t courses, count;
} dome;

// k = 0 at the springing; -1 is a course below it.
static double colatitude(const dome *d, int64_t k)
{
    return d->angle - (d->angle - d->opening) * (double)k / (double)d->courses;
}


static void dome_corner(const dome *d, int rim, int64_t course, int64_t meridian, double x[3])
{
    double from_top = colatitude(d, course) * M_PI / 180.0,
           around = 2.0 * M_PI * (double)(meridian % d->count) / (double)d->count;
    double out = d->ring[rim] * sin(from_top);
    x[0] = out * cos(around), x[1] = out * sin(around);
    x[2] = colatitude(d, course) == 90.0 ? 0.0 : d->ring[rim] * cos(from_top);
}


static rico_status add_dome_block(rico_structure *s, const dome *d, int64_t course, int64_t meridian,
                                  rico_stone block)
{
    double corner[24];
    for (int c = 0; c < 8; c++)
        dome_corner(d, (c >> 1) & 1, course + (c >> 2), meridian + (c & 1), corner + 3 * c);
    return rico_structure_hull(s, 8, corner, block);
}


static rico_status add_keystone(rico_structure *s, const dome *d)
{
    double *corner = rico_alloc(s->scene->ctx, 2 * d->count, 3 * sizeof *corner);
    if (!corner) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < 2 * d->count; i++)
        dome_corner(d, (int)(i / d->count), d->courses, i % d->count, corner + 3 * i);
    rico_status status = rico_structure_hull(s, 2 * d->count, corner, (rico_stone){.called = "keystone"});
    rico_free(s->scene->ctx, corner);
    return status;
}


static rico_status read_dome(const rico_structure *s, dome *d)
{
    static const char *const KEYS[] = {"radius", "thickness", "angle", "opening"};
    double v[4];
    rico_status status = rico_structure_reals(s, 4, KEYS, v);
    if (status == RICO_OK) status = rico_structure_integer(s, "courses", &d->courses);
    if (status == RICO_OK) status = rico_structure_integer(s, "count", &d->count);
    if (status == RICO_OK) status = rico_structure_check_ring(s, v[0], v[1]);
    if (status != RICO_OK) return status;
    d->ring[0] = v[0] - 0.5 * v[1], d->ring[1] = v[0] + 0.5 * v[1];
    d->angle = v[2], d->opening = v[3];
    if (d->opening < d->angle) return RICO_OK;
    return rico_document_fail(s->scene->document, rico_node_at(s->node, "opening"),
                              "'opening' is %g degrees, and must be below 'angle', %g", d->opening, d->angle);
}


static rico_status make_dome(rico_structure *s)
{
    dome d = {.count = 0};
    bool abutments = false, keystone = false;
    rico_status status = read_dome(s, &d);
    if (status == RICO_OK) status = rico_structure_flag(s, "abutments", &abutments);
    if (status == RICO_OK) status = rico_structure_flag(s, "keystone", &keystone);
    if (status == RICO_OK)
        status = rico_structure_reserve(s, (double)(d.courses + 1) * (double)d.count + 1.0);
    for (int64_t k = 0; status == RICO_OK && k < d.courses; k++)
        for (int64_t i = 0; status == RICO_OK && i < d.count; i++)
            status = add_dome_block(s, &d, k, i, (rico_stone){0});
    if (status == RICO_OK && keystone) status = add_keystone(s, &d);
    for (int64_t i = 0; status == RICO_OK && abutments && i < d.count; i++)
        status = add_dome_block(s, &d, -1, i, (rico_stone){.called = "base", .number = i + 1, .fixed = true});
    return status;
}


const rico_structure_kind rico_vault_structures[] = {
    {"vault", true, make_vault}, {"cross-vault", true, make_cross_vault}, {"dome", true, make_dome}, {NULL}};
