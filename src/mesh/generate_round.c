// Generators of what is round: disc and parts of it, cylinder. A core, bulged towards the circle, and rings around it.

#include "mesh/generate.h"

#include "base/context.h"

#include <math.h>
#include <string.h>

enum { RIM = 1, TOP = 2, AXIS = 4 };

static const double CORE_2D = 0.52; // half the side of the core, over the radius
static const double BULGE = 0.25;
static const double EIGHTH = 0.78539816339744830962; // of a turn

static const char *const PLANE_NAMES[] = {"Q4", "Q8", "T3", "T6", NULL};
static const rico_cell_kind PLANE_KINDS[] = {RICO_CELL_Q4, RICO_CELL_Q8, RICO_CELL_T3, RICO_CELL_T6};
static const char *const SOLID_NAMES[] = {"H8", "Tet4", "Tet10", NULL};
static const rico_cell_kind SOLID_KINDS[] = {RICO_CELL_H8, RICO_CELL_TET4, RICO_CELL_TET10};
static const char *const PORTION_NAMES[] = {"whole", "half", "quarter", NULL};

#define KIND(names)                                                                                          \
    {                                                                                                        \
        "kind", "kind of the elements", RICO_CHOICE, 0, 0, 0, names                                          \
    }
#define REAL(name, help, range, standard)                                                                    \
    {                                                                                                        \
        name, help, RICO_REAL, range, standard, NULL                                                         \
    }
#define COUNT(name, help, standard)                                                                          \
    {                                                                                                        \
        name, help, RICO_INTEGER, RICO_MESH_COUNT, standard, NULL                                            \
    }


// --- disc ----------------------------------------------------------------------------------------------------------

// The core's lattice in [-1, 1]^2 and the way around it, counterclockwise: where each node of that stands, and the side it is on, 0 below, 1 right,
// 2 above, 3 left, with its place from -1 to 1 along that.
typedef struct core {
    int64_t nx, ny, around;
    double *x, *y;
    int64_t *way; // node of the lattice
    int *side;
    double *along;
    bool closed;
} core;


static void release_core(rico_context *ctx, core *c)
{
    void *all[] = {c->x, c->y, c->way, c->side, c->along};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
}


static void walk(core *c, int side, int64_t i, int64_t j)
{
    double at[4] = {c->x[i], c->y[j], -c->x[i], -c->y[j]};
    c->way[c->around] = j * (c->nx + 1) + i;
    c->side[c->around] = side;
    c->along[c->around++] = at[side];
}


static void walk_around(core *c, rico_mesh_portion portion)
{
    if (portion == RICO_DISC_HALF)
        for (int64_t j = c->ny; j > 0; j--) walk(c, 3, 0, j);
    for (int64_t i = 0; i < c->nx; i++) walk(c, 0, i, 0);
    for (int64_t j = 0; j < c->ny; j++) walk(c, 1, c->nx, j);
    c->closed = portion == RICO_DISC_WHOLE;
    if (!c->closed) walk(c, 1, c->nx, c->ny);
    for (int64_t i = c->nx; c->closed && i > 0; i--) walk(c, 2, i, c->ny);
    for (int64_t j = c->ny; c->closed && j > 0; j--) walk(c, 3, 0, j);
}


static bool start_core(rico_context *ctx, const rico_mesh_disc *o, core *c)
{
    static const double FIRST[] = {-1, -1, 0}, LAST_Y[] = {1, 0, 0};
    rico_mesh_portion p = o->portion;
    c->nx = p == RICO_DISC_QUARTER ? o->core / 2 : o->core;
    c->ny = p == RICO_DISC_WHOLE ? o->core : o->core / 2;
    double grading = p == RICO_DISC_WHOLE ? 1.0 : o->grading;
    c->x = rico_graded(ctx, c->nx, grading, p == RICO_DISC_HALF ? RICO_TOWARD_MIDDLE : RICO_TOWARD_START);
    c->y = rico_graded(ctx, c->ny, 1.0, RICO_TOWARD_START);
    int64_t most = 2 * (c->nx + c->ny) + 1;
    c->way = rico_alloc(ctx, most, sizeof *c->way);
    c->side = rico_alloc(ctx, most, sizeof *c->side);
    c->along = rico_alloc(ctx, most, sizeof *c->along);
    if (!c->x || !c->y || !c->way || !c->side || !c->along) return false;
    for (int64_t i = 0; i <= c->nx; i++) c->x[i] = FIRST[p] + (1.0 - FIRST[p]) * c->x[i];
    for (int64_t j = 0; j <= c->ny; j++) c->y[j] = -1.0 + (LAST_Y[p] + 1.0) * c->y[j];
    walk_around(c, p);
    return true;
}


// Node (x, y) of [-1, 1]^2 in the disc of radius 1.
static void bulge(double x, double y, double out[2])
{
    out[0] = CORE_2D * x * (1.0 + BULGE * (1.0 - y * y) * fabs(x));
    out[1] = CORE_2D * y * (1.0 + BULGE * (1.0 - x * x) * fabs(y));
}


// The point of the circle at a place along a side of the core, by equal angles; turned so that the axes are exact.
static void on_circle(int side, double along, double out[2])
{
    double c = cos(along * EIGHTH), s = sin(along * EIGHTH);
    const double turned[4][2] = {{s, -c}, {c, s}, {-s, c}, {-c, -s}};
    memcpy(out, turned[side], 2 * sizeof *out);
}


static void add_node(rico_draft *plan, const rico_mesh_disc *o, const double p[2], unsigned mask)
{
    double x[3] = {o->centre[0] + o->radius * p[0], o->centre[1] + o->radius * p[1]};
    if (mask & AXIS) x[0] = o->centre[0];
    if (mask & TOP) x[1] = o->centre[1];
    rico_draft_node(plan, x, mask, plan->nodes);
}


static void place_core(rico_draft *plan, const rico_mesh_disc *o, const core *c)
{
    for (int64_t j = 0; j <= c->ny; j++)
        for (int64_t i = 0; i <= c->nx; i++) {
            double p[2];
            unsigned mask = (o->portion != RICO_DISC_WHOLE && j == c->ny ? TOP : 0) |
                            (o->portion == RICO_DISC_QUARTER && i == 0 ? AXIS : 0);
            bulge(c->x[i], c->y[j], p);
            add_node(plan, o, p, mask);
        }
    for (int64_t j = 0; !plan->failed && j < c->ny; j++)
        for (int64_t i = 0; i < c->nx; i++) {
            int64_t a = j * (c->nx + 1) + i, b = a + c->nx + 1;
            rico_draft_quad(plan, false, (int64_t[]){a, a + 1, b + 1, b}, false);
        }
}


// Ring by ring; node m of ring r has the number first + r around + m.
static void place_rings(rico_draft *plan, const rico_mesh_disc *o, const core *c, const double *s)
{
    int64_t first = plan->nodes, cells = c->closed ? c->around : c->around - 1;
    for (int64_t r = 1; !plan->failed && r <= o->rings; r++)
        for (int64_t m = 0; m < c->around; m++) {
            double inner[2], outer[2], p[2];
            bulge(c->x[c->way[m] % (c->nx + 1)], c->y[c->way[m] / (c->nx + 1)], inner);
            on_circle(c->side[m], c->along[m], outer);
            for (int k = 0; k < 2; k++)
                p[k] = r == o->rings ? outer[k] : inner[k] + s[r] * (outer[k] - inner[k]);
            bool start = !c->closed && m == 0, end = !c->closed && m == c->around - 1;
            unsigned mask = (r == o->rings ? RIM : 0) | (end ? TOP : 0) |
                            (start ? (o->portion == RICO_DISC_HALF ? TOP : AXIS) : 0);
            add_node(plan, o, p, mask);
        }
    for (int64_t r = 0; !plan->failed && r < o->rings; r++)
        for (int64_t m = 0; m < cells; m++) {
            int64_t next = (m + 1) % c->around, out = first + r * c->around;
            int64_t a = r ? out - c->around + m : c->way[m], b = r ? out - c->around + next : c->way[next];
            rico_draft_quad(plan, false, (int64_t[]){a, out + m, out + next, b}, false);
        }
}


rico_status rico_plan_disc(rico_context *ctx, const rico_mesh_disc *o, rico_draft *plan)
{
    core c = {0};
    double *s = rico_graded(ctx, o->rings, o->grading, RICO_TOWARD_END);
    bool made = s && start_core(ctx, o, &c);
    if (made) {
        place_core(plan, o, &c);
        place_rings(plan, o, &c, s);
    }
    release_core(ctx, &c);
    rico_free(ctx, s);
    return made && !plan->failed ? RICO_OK : RICO_NO_MEMORY;
}


static bool second_diagonal_shorter(const rico_draft *plan, const int64_t *node)
{
    const double *x[4];
    for (int i = 0; i < 4; i++) x[i] = plan->position + 3 * node[i];
    double first = hypot(x[2][0] - x[0][0], x[2][1] - x[0][1]);
    double second = hypot(x[3][0] - x[1][0], x[3][1] - x[1][1]);
    return second < first * (1.0 - 1e-9); // equal ones by the first, whatever the round-off
}


static rico_status make_disc(rico_context *ctx, const void *options, rico_mesh **out)
{
    static const char *const SIDES[] = {"rim", "top", "axis"};
    const rico_mesh_disc *o = options;
    if (o->portion != RICO_DISC_WHOLE && o->core % 2)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "disc: core = %lld; a half or a quarter needs an even number", (long long)o->core);
    rico_status status = rico_recipe_room(ctx, &rico_recipe_disc,
                                          (double)o->core * ((double)o->core + 4.0 * (double)o->rings));
    if (status != RICO_OK) return status;
    rico_draft plan = {.ctx = ctx}, d = {.ctx = ctx};
    d.failed = rico_plan_disc(ctx, o, &plan) != RICO_OK;
    for (int64_t i = 0; !d.failed && i < plan.nodes; i++)
        rico_draft_node(&d, plan.position + 3 * i, plan.mask[i], i);
    bool triangles = o->kind == RICO_CELL_T3 || o->kind == RICO_CELL_T6;
    for (int64_t q = 0; !d.failed && q < plan.cells; q++)
        rico_draft_quad(&d, triangles, plan.node + 4 * q, second_diagonal_shorter(&plan, plan.node + 4 * q));
    rico_draft_release(&plan);
    rico_draft_round round = {RIM, 2, {o->centre[0], o->centre[1]}, o->radius};
    if (o->kind == RICO_CELL_T6 || o->kind == RICO_CELL_Q8) rico_draft_elevate(&d, &round);
    rico_draft_sides(&d, 1 + (int)o->portion, SIDES);
    return rico_draft_finish(&d, out);
}


static const rico_option_info DISC_OPTIONS[] = {
    KIND(PLANE_NAMES),
    REAL("x", "of its centre", RICO_MESH_PLACE, 0),
    REAL("y", "of its centre", RICO_MESH_PLACE, 0),
    REAL("radius", "of the circle", RICO_MESH_SIZE, 1),
    COUNT("core", "number of cells along a side of the core", 8),
    COUNT("rings", "number of rings around the core", 3),
    {"portion", "all of it, the lower half, or the right half of that", RICO_CHOICE, 0, 0, 0, PORTION_NAMES},
    {"grading",
     "largest over smallest cell towards the rim, and towards the lowest point of a half or a quarter",
     RICO_REAL, RICO_MESH_GRADING, 1, NULL},
};
static const size_t DISC_OFFSETS[] = {
    offsetof(rico_mesh_disc, kind),      offsetof(rico_mesh_disc, centre[0]),
    offsetof(rico_mesh_disc, centre[1]), offsetof(rico_mesh_disc, radius),
    offsetof(rico_mesh_disc, core),      offsetof(rico_mesh_disc, rings),
    offsetof(rico_mesh_disc, portion),   offsetof(rico_mesh_disc, grading)};
const rico_mesh_recipe rico_recipe_disc = {{"disc", "a disc, its lower half or a quarter",
                                            "rim, top (of a half or a quarter), axis (of a quarter), all",
                                            sizeof DISC_OPTIONS / sizeof *DISC_OPTIONS, DISC_OPTIONS},
                                           DISC_OFFSETS,
                                           PLANE_KINDS,
                                           sizeof(rico_mesh_disc),
                                           make_disc};


rico_mesh_disc rico_mesh_disc_default(void)
{
    rico_mesh_disc o;
    rico_recipe_standard(&rico_recipe_disc, &o);
    return o;
}


rico_status rico_mesh_make_disc(rico_context *ctx, const rico_mesh_disc *options, rico_mesh **out)
{
    return rico_recipe_make(ctx, &rico_recipe_disc, options, out);
}


// --- cylinder ------------------------------------------------------------------------------------------------------

// Layers of the plan, from the bottom up.
static void extrude(rico_draft *d, const rico_draft *plan, const rico_mesh_cylinder *o, const double *s)
{
    for (int64_t k = 0; !d->failed && k <= o->layers; k++)
        for (int64_t i = 0; i < plan->nodes; i++) {
            double x[3] = {plan->position[3 * i], plan->position[3 * i + 1], o->centre[2] + o->height * s[k]};
            unsigned mask = (k == 0 ? 1 : 0) | (k == o->layers ? 2 : 0) | (plan->mask[i] & RIM ? 4 : 0);
            rico_draft_node(d, x, mask, d->nodes);
        }
    for (int64_t k = 0; !d->failed && k < o->layers; k++)
        for (int64_t q = 0; q < plan->cells; q++) {
            int64_t node[8];
            for (int i = 0; i < 4; i++) {
                node[i] = plan->node[4 * q + i] + k * plan->nodes;
                node[4 + i] = node[i] + plan->nodes;
            }
            rico_draft_brick(d, o->kind != RICO_CELL_H8, node);
        }
}


static rico_status make_cylinder(rico_context *ctx, const void *options, rico_mesh **out)
{
    static const char *const SIDES[] = {"bottom", "top", "side"};
    const rico_mesh_cylinder *o = options;
    rico_status status =
        rico_recipe_room(ctx, &rico_recipe_cylinder,
                         (double)o->layers * (double)o->core * ((double)o->core + 4.0 * (double)o->rings));
    if (status != RICO_OK) return status;
    rico_mesh_disc disc = {.centre = {o->centre[0], o->centre[1]},
                           .radius = o->radius,
                           .core = o->core,
                           .rings = o->rings,
                           .grading = 1.0};
    rico_draft plan = {.ctx = ctx}, d = {.ctx = ctx};
    double *s = rico_graded(ctx, o->layers, o->grading, o->toward);
    d.failed = s == NULL || rico_plan_disc(ctx, &disc, &plan) != RICO_OK;
    if (!d.failed) extrude(&d, &plan, o, s);
    rico_draft_release(&plan);
    rico_free(ctx, s);
    rico_draft_round round = {4, 2, {o->centre[0], o->centre[1]}, o->radius};
    if (o->kind == RICO_CELL_TET10) rico_draft_elevate(&d, &round);
    rico_draft_sides(&d, 3, SIDES);
    return rico_draft_finish(&d, out);
}


static const rico_option_info CYLINDER_OPTIONS[] = {
    KIND(SOLID_NAMES),
    REAL("x", "of its axis", RICO_MESH_PLACE, 0),
    REAL("y", "of its axis", RICO_MESH_PLACE, 0),
    REAL("z", "of its bottom", RICO_MESH_PLACE, 0),
    REAL("radius", "of its section", RICO_MESH_SIZE, 1),
    REAL("height", "along z", RICO_MESH_SIZE, 1),
    COUNT("core", "number of cells along a side of the core", 4),
    COUNT("rings", "number of rings around the core", 2),
    COUNT("layers", "number of cells along z", 4),
    {"grading", "largest over smallest cell along z", RICO_REAL, RICO_MESH_GRADING, 1, NULL},
    {"toward", "where cells are smallest along z", RICO_CHOICE, 0, 0, 0, rico_toward_names},
};
static const size_t CYLINDER_OFFSETS[] = {
    offsetof(rico_mesh_cylinder, kind),      offsetof(rico_mesh_cylinder, centre[0]),
    offsetof(rico_mesh_cylinder, centre[1]), offsetof(rico_mesh_cylinder, centre[2]),
    offsetof(rico_mesh_cylinder, radius),    offsetof(rico_mesh_cylinder, height),
    offsetof(rico_mesh_cylinder, core),      offsetof(rico_mesh_cylinder, rings),
    offsetof(rico_mesh_cylinder, layers),    offsetof(rico_mesh_cylinder, grading),
    offsetof(rico_mesh_cylinder, toward)};
const rico_mesh_recipe rico_recipe_cylinder = {{"cylinder", "a cylinder along z", "bottom, top, side, all",
                                                sizeof CYLINDER_OPTIONS / sizeof *CYLINDER_OPTIONS,
                                                CYLINDER_OPTIONS},
                                               CYLINDER_OFFSETS,
                                               SOLID_KINDS,
                                               sizeof(rico_mesh_cylinder),
                                               make_cylinder};


rico_mesh_cylinder rico_mesh_cylinder_default(void)
{
    rico_mesh_cylinder o;
    rico_recipe_standard(&rico_recipe_cylinder, &o);
    return o;
}


rico_status rico_mesh_make_cylinder(rico_context *ctx, const rico_mesh_cylinder *options, rico_mesh **out)
{
    return rico_recipe_make(ctx, &rico_recipe_cylinder, options, out);
}
