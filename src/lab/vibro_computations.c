// Computations of vibro-impact problems: blows on penalties, rounded corners, and a force under which rest is not the only motion.

#include "audit/grazing.h"
#include "lab/computation.h"
#include "ricochet/vibro.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- a blow on a penalized floor ------------------------------------------------------------------------------

static const rico_schema_key BLOW[] = {
    {"stiffness", RICO_WANT_REAL, .flags = RICO_KEY_REQUIRED, .low = 1e-300, .high = 1e300,
     .help = "over mass"},
    {"restitution", RICO_WANT_REAL, .standard = "1", .low = 0, .high = 1,
     .help = "that its damping stands for"},
    {"approach", RICO_WANT_REAL, .standard = "-1", .low = -1e300, .high = 0, .help = "velocity, below 0"},
    {"force", RICO_WANT_REAL, .standard = "0", .low = -1e300, .high = 1e300, .help = "constant, over mass"},
    {NULL},
};


static rico_status compute_blow(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    double e = rico_given_real(document, given, "restitution");
    rico_penalty_blow blow;
    rico_status status = rico_penalty_blow_of(sheet->ctx, rico_given_real(document, given, "stiffness"), e,
                                              rico_given_real(document, given, "approach"),
                                              rico_given_real(document, given, "force"), &blow);
    if (status != RICO_OK) return status;
    const struct {
        const char *name;
        double value;
    } COLUMNS[] = {{"leaves", blow.leaves}, {"exit", blow.exit},     {"duration", blow.duration},
                   {"depth", blow.depth},   {"lowest", blow.lowest}, {"damping", rico_penalty_damping(e)}};
    for (size_t i = 0; status == RICO_OK && i < sizeof COLUMNS / sizeof *COLUMNS; i++)
        status = rico_sheet_add_number(sheet, COLUMNS[i].name, COLUMNS[i].value);
    return status;
}


// ---- rounded corners ------------------------------------------------------------------------------------------

static const rico_schema_key CORNER[] = {
    {"p", RICO_WANT_REAL, .standard = "2", .low = 1, .high = 1e6,
     .help = "of the ball that rounds it, above 1"},
    {"angle", RICO_WANT_REAL, .standard = "90", .low = 0.01, .high = 179.99,
     .help = "of the corner, in degrees: from the negative x-axis, clockwise"},
    {"direction", RICO_WANT_REAL, .flags = RICO_KEY_REQUIRED, .low = -360, .high = 360,
     .help = "of the velocity, in degrees from the x-axis"},
    {"miss", RICO_WANT_REAL, .standard = "0", .low = -1e3, .high = 1e3,
     .help = "distance of its line beside the corner, in radii of the ball"},
    {"samples", RICO_WANT_INTEGER, .standard = "200", .low = 2, .high = 1e5, .help = "of the outline"},
    {NULL},
};

enum { CORNER_ROOM = 10000 };


// The outline of K + B_p: points where its outward normal turns from that of one side to that of the other, and the sides.
static rico_status add_outline(const rico_round_corner *corner, int64_t samples, rico_sheet *sheet)
{
    double *x, *y, dual = 1.0 / (corner->p - 1.0), reach = 3.0;
    rico_status status = rico_sheet_add(sheet, "outline_x", samples + 2, NULL, &x);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "outline_y", samples + 2, NULL, &y);
    if (status != RICO_OK) return status;
    double first = atan2(-corner->normal[0][1], -corner->normal[0][0]),
           turn = remainder(atan2(-corner->normal[1][1], -corner->normal[1][0]) - first, 2.0 * M_PI);
    for (int64_t i = 0; i < samples; i++) {
        double a = first + turn * (double)i / (double)(samples - 1), n[2] = {cos(a), sin(a)}, z[2];
        // the point of the unit ball that is farthest along n
        for (int k = 0; k < 2; k++) z[k] = copysign(pow(fabs(n[k]), dual), n[k]);
        double size = pow(pow(fabs(z[0]), corner->p) + pow(fabs(z[1]), corner->p), 1.0 / corner->p);
        x[i + 1] = z[0] / size, y[i + 1] = z[1] / size;
    }
    // sides leave at both ends, along the directions of K
    for (int a = 0; a < 2; a++) {
        const double *n = corner->normal[a], *other = corner->normal[1 - a];
        double along[2] = {-n[1], n[0]};
        double sign = along[0] * other[0] + along[1] * other[1] >= 0.0 ? reach : -reach;
        int64_t end = a ? samples + 1 : 0, from = a ? samples : 1;
        x[end] = x[from] + sign * along[0], y[end] = y[from] + sign * along[1];
    }
    return RICO_OK;
}


static rico_status compute_corner(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    double open = rico_given_real(document, given, "angle") * M_PI / 180.0,
           way = rico_given_real(document, given, "direction") * M_PI / 180.0,
           miss = rico_given_real(document, given, "miss");
    // K lies between the negative x-axis and what it becomes when turned clockwise: the quadrant x <= 0 <= y for 90 degrees
    rico_round_corner corner = {.normal = {{0.0, 1.0}, {-sin(open), cos(M_PI - open)}},
                                .p = rico_given_real(document, given, "p")};
    double v[2] = {cos(way), sin(way)}, after[2],
           *path = rico_alloc(sheet->ctx, 2 * CORNER_ROOM, sizeof *path);
    int64_t bounces = 0;
    if (!path) return RICO_NO_MEMORY;
    rico_status status =
        rico_round_corner_reflect(sheet->ctx, &corner, v, miss, after, &bounces, CORNER_ROOM, path);
    double *x = NULL, *y = NULL;
    if (status == RICO_OK) status = rico_sheet_add(sheet, "x", bounces + 2, NULL, &x);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "y", bounces + 2, NULL, &y);
    if (status == RICO_OK) {
        x[0] = -miss * v[1] - 2.5 * v[0], y[0] = miss * v[0] - 2.5 * v[1];
        for (int64_t i = 0; i < bounces && i < CORNER_ROOM; i++)
            x[i + 1] = path[2 * i], y[i + 1] = path[2 * i + 1];
        x[bounces + 1] = (bounces ? x[bounces] : x[0]) + 3.5 * after[0];
        y[bounces + 1] = (bounces ? y[bounces] : y[0]) + 3.5 * after[1];
        status = add_outline(&corner, rico_given_integer(document, given, "samples"), sheet);
    }
    rico_free(sheet->ctx, path);
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "after_x", after[0]);
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "after_y", after[1]);
    if (status == RICO_OK) status = rico_sheet_add_number(sheet, "bounces", (double)bounces);
    // against p = 2 and Newton's law in the normal cone, where it is -v
    if (status == RICO_OK)
        status = rico_sheet_add_number(sheet, "turned", hypot(after[0] + v[0], after[1] + v[1]));
    if (status == RICO_OK)
        status = rico_sheet_add_number(sheet, "after", atan2(after[1], after[0]) * 180.0 / M_PI);
    return status;
}


// ---- two motions under one force ------------------------------------------------------------------------------

static const rico_schema_key GRAZING[] = {
    {"arches", RICO_WANT_INTEGER, .standard = "8", .low = 1, .high = 100,
     .help = "that are followed, the last first; those before are smaller"},
    {"samples", RICO_WANT_INTEGER, .standard = "400", .low = 4, .high = 1e5, .help = "of each"},
    {"end", RICO_WANT_REAL, .standard = "1.2", .low = 0.77, .high = 1.8,
     .help = "of the motion, before alpha_0"},
    {"closed", RICO_WANT_REAL, .standard = "1e-16", .low = 0, .high = 1, .help = "gap that counts as closed"},
    {NULL},
};


static bool grazing_load(void *user, double t, double *f)
{
    (void)user;
    f[0] = rico_grazing_force(t);
    return true;
}


static rico_status grazing_system(rico_context *ctx, rico_system **out)
{
    const int64_t column[] = {0, 1}, dof[] = {0};
    const double one = 1.0;
    const rico_matrix_part part = {.size = 1, .M = {1, 1, column, dof, &one}, .load = grazing_load};
    const rico_contact ground = {.dimension = 1, .restitution = 1.0, .reach = {1, dof}, .gradient = &one};
    rico_status status = rico_system_create(ctx, out);
    if (status == RICO_OK) status = rico_system_add_matrices(*out, "ball", &part, NULL);
    if (status == RICO_OK) status = rico_system_add_contact(*out, "ground", &ground, NULL);
    return status;
}


static rico_status add_findings(rico_sheet *sheet, const char *who, const rico_bv_findings *found)
{
    const struct {
        const char *name;
        double value;
    } NUMBERS[] = {
        {"penetration", found->penetration}, {"reaction", found->reaction}, {"law", found->law},
        {"imbalance", found->imbalance},     {"gain", found->gain},         {"variation", found->variation},
        {"jumps", (double)found->jumps}};
    rico_status status = RICO_OK;
    for (size_t i = 0; status == RICO_OK && i < sizeof NUMBERS / sizeof *NUMBERS; i++) {
        char name[RICO_SHEET_NAME];
        snprintf(name, sizeof name, "%s_%s", who, NUMBERS[i].name);
        status = rico_sheet_add_number(sheet, name, NUMBERS[i].value);
    }
    return status;
}


// Both motions against the system, u at rest being all 0.
static rico_status judge_both(rico_system *system, double closed, int64_t rows, double *t, double *q,
                              double *before, double *after, double *zero, rico_sheet *sheet)
{
    const rico_bv_motion bounces = {rows, 1, 1, t, q, before, after},
                         rests = {rows, 1, 1, t, zero, zero, zero};
    rico_bv_findings found;
    rico_status status = rico_bv_check(system, &bounces, 1.0, closed, &found);
    if (status == RICO_OK) status = add_findings(sheet, "bounce", &found);
    if (status == RICO_OK) status = rico_bv_check(system, &rests, 1.0, closed, &found);
    if (status == RICO_OK) status = add_findings(sheet, "rest", &found);
    return status;
}


static rico_status compute_grazing(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    int64_t arches = rico_given_integer(document, given, "arches"),
            each = rico_given_integer(document, given, "samples"), rows = 1 + arches * each;
    double end = rico_given_real(document, given, "end"), closed = rico_given_real(document, given, "closed");
    double *t, *q, *u, *f, *before, *zero, *alpha, *impulse;
    const struct {
        const char *name;
        double **values;
        int64_t count;
    } COLUMNS[] = {{"time", &t, rows},
                   {"q", &q, rows},
                   {"u", &u, rows},
                   {"force", &f, rows},
                   {"u_before", &before, rows},
                   {"rest", &zero, rows},
                   {"alpha", &alpha, arches - (arches > 1)},
                   {"impulse", &impulse, arches - (arches > 1)}};
    for (size_t i = 0; i < sizeof COLUMNS / sizeof *COLUMNS; i++) {
        rico_status status =
            rico_sheet_add(sheet, COLUMNS[i].name, COLUMNS[i].count, NULL, COLUMNS[i].values);
        if (status != RICO_OK) return status;
    }
    memset(zero, 0, (size_t)rows * sizeof *zero);
    for (int64_t row = 0; row < rows; row++) {
        int n = (int)(arches - 1 - (row - (row > 0)) / each); // arch, the earliest first
        double from = rico_grazing_alpha(n + 1), to = n ? rico_grazing_alpha(n) : end;
        int64_t k = (row - (row > 0)) % each;
        t[row] = row == 0 ? 0.0 : k == 0 ? from : from + (to - from) * (double)k / (double)each;
        rico_grazing_motion(t[row], &q[row], &before[row], &u[row]);
        f[row] = rico_grazing_force(t[row]);
    }
    for (int64_t i = 0; i < COLUMNS[6].count; i++) {
        alpha[i] = rico_grazing_alpha((int)i + 1);
        impulse[i] = 2.0 / tgamma((double)i + 5.0);
    }
    rico_system *system = NULL;
    rico_status status = grazing_system(sheet->ctx, &system);
    if (status == RICO_OK) status = judge_both(system, closed, rows, t, q, before, u, zero, sheet);
    rico_system_destroy(system);
    return status;
}


const rico_computation rico_vibro_computations[] = {
    {"penalty-blow", "a blow on a penalized floor under a constant force, in closed form", BLOW,
     compute_blow},
    {"round-corner", "an elastic motion into a corner of the plane rounded by a ball of the p-norm", CORNER,
     compute_corner},
    {"grazing", "a smooth force under which a ball at rest may stay or bounce, both motions checked", GRAZING,
     compute_grazing},
    {NULL},
};
