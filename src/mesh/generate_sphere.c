// The generator of balls: a cube of bricks, bulged, and rings of bricks around it.

#include "mesh/generate.h"

#include "base/context.h"

#include <math.h>
#include <string.h>

static const double CORE = 0.45; // half the side of the core, over the radius
static const double BULGE = 0.25;
static const double EIGHTH = 0.78539816339744830962; // of a turn

static const char *const SOLID_NAMES[] = {"H8", "Tet4", "Tet10", NULL};
static const rico_cell_kind SOLID_KINDS[] = {RICO_CELL_H8, RICO_CELL_TET4, RICO_CELL_TET10};

typedef struct ball {
    const rico_mesh_sphere *o;
    rico_draft d;
    int64_t n;      // cells along a side of the core
    int64_t *shell; // for each node of the core's surface its number there, -1 inside
    int64_t around; // nodes of the surface
    double *s;
} ball;


static int64_t lattice(const ball *b, const int64_t at[3])
{
    return (at[2] * (b->n + 1) + at[1]) * (b->n + 1) + at[0];
}


// Places of [-1, 1]^3 for a node of the lattice.
static void place(const ball *b, const int64_t at[3], double u[3])
{
    for (int k = 0; k < 3; k++) u[k] = (double)(2 * at[k] - b->n) / (double)b->n;
}


// Edges of the core bulge half as much as the middles of its faces, its corners not at all.
static void bulge(const double u[3], double p[3])
{
    for (int k = 0; k < 3; k++) {
        double v = u[(k + 1) % 3], w = u[(k + 2) % 3];
        p[k] = CORE * u[k] * (1.0 + BULGE * fabs(u[k]) * (1.0 - 0.5 * (v * v + w * w)));
    }
}


// The point of the unit sphere over a point of the cube's surface, by equal angles along the axes.
static void on_sphere(const double u[3], double p[3])
{
    double length = 0.0;
    for (int k = 0; k < 3; k++) {
        p[k] = fabs(u[k]) == 1.0 ? u[k] : tan(u[k] * EIGHTH);
        length = hypot(length, p[k]);
    }
    for (int k = 0; k < 3; k++) p[k] /= length;
}


static void add_node(ball *b, const double p[3], unsigned mask)
{
    double x[3];
    for (int k = 0; k < 3; k++) x[k] = b->o->centre[k] + b->o->radius * p[k];
    rico_draft_node(&b->d, x, mask, b->d.nodes);
}


// Does something with every node of the core, in the order of their numbers.
static void each_node(ball *b, int64_t ring, void (*act)(ball *b, const int64_t at[3], int64_t ring))
{
    int64_t at[3];
    for (at[2] = 0; !b->d.failed && at[2] <= b->n; at[2]++)
        for (at[1] = 0; at[1] <= b->n; at[1]++)
            for (at[0] = 0; at[0] <= b->n; at[0]++) act(b, at, ring);
}


static void add_core_node(ball *b, const int64_t at[3], int64_t ring)
{
    (void)ring;
    double u[3], p[3];
    bool outside = false;
    for (int k = 0; k < 3; k++) outside = outside || at[k] == 0 || at[k] == b->n;
    b->shell[lattice(b, at)] = outside ? b->around++ : -1;
    place(b, at, u);
    bulge(u, p);
    add_node(b, p, 0);
}


static void add_ring_node(ball *b, const int64_t at[3], int64_t ring)
{
    if (b->shell[lattice(b, at)] < 0) return;
    double u[3], inner[3], p[3];
    place(b, at, u);
    bulge(u, inner);
    on_sphere(u, p);
    for (int k = 0; ring < b->o->rings && k < 3; k++) p[k] = inner[k] + b->s[ring] * (p[k] - inner[k]);
    add_node(b, p, ring == b->o->rings);
}


static void add_core(ball *b)
{
    const int64_t n = b->n, row = n + 1, layer = row * row;
    for (int64_t k = 0; !b->d.failed && k < n; k++)
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < n; i++) {
                int64_t a = k * layer + j * row + i, t = a + layer;
                rico_draft_brick(&b->d, b->o->kind != RICO_CELL_H8,
                                 (int64_t[]){a, a + 1, a + row + 1, a + row, t, t + 1, t + row + 1, t + row});
            }
}


// Bricks over one face of the core: axis and end of it. Corners of a quadrilateral stand so that its normal points outwards.
static void add_over_face(ball *b, int axis, bool high, int64_t ring)
{
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    int64_t core = (b->n + 1) * (b->n + 1) * (b->n + 1);
    for (int64_t j = 0; !b->d.failed && j < b->n; j++)
        for (int64_t i = 0; i < b->n; i++) {
            static const int STEP[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
            int64_t node[8];
            for (int corner = 0; corner < 4; corner++) {
                const int *step = STEP[high ? corner : 3 - corner];
                int64_t at[3];
                at[axis] = high ? b->n : 0;
                at[u] = i + step[0];
                at[v] = j + step[1];
                int64_t place_in_shell = b->shell[lattice(b, at)];
                node[corner] = ring ? core + (ring - 1) * b->around + place_in_shell : lattice(b, at);
                node[4 + corner] = core + ring * b->around + place_in_shell;
            }
            rico_draft_brick(&b->d, b->o->kind != RICO_CELL_H8, node);
        }
}


static rico_status make_sphere(rico_context *ctx, const void *options, rico_mesh **out)
{
    static const char *const SIDES[] = {"surface"};
    const rico_mesh_sphere *o = options;
    ball b = {.o = o, .d = {.ctx = ctx}, .n = o->core};
    double n = (double)o->core;
    rico_status status = rico_recipe_room(ctx, &rico_recipe_sphere, n * n * (n + 6.0 * (double)o->rings));
    if (status != RICO_OK) return status;
    b.shell = rico_alloc(ctx, (b.n + 1) * (b.n + 1) * (b.n + 1), sizeof *b.shell);
    b.s = b.shell ? rico_graded(ctx, o->rings, o->grading, RICO_TOWARD_END) : NULL;
    b.d.failed = b.s == NULL;
    if (!b.d.failed) {
        each_node(&b, 0, add_core_node);
        for (int64_t r = 1; r <= o->rings; r++) each_node(&b, r, add_ring_node);
        add_core(&b);
        for (int64_t r = 0; r < o->rings; r++)
            for (int face = 0; face < 6; face++) add_over_face(&b, face / 2, face % 2, r);
    }
    rico_free(ctx, b.shell);
    rico_free(ctx, b.s);
    rico_draft_round round = {1, 3, {o->centre[0], o->centre[1], o->centre[2]}, o->radius};
    if (o->kind == RICO_CELL_TET10) rico_draft_elevate(&b.d, &round);
    rico_draft_sides(&b.d, 1, SIDES);
    return rico_draft_finish(&b.d, out);
}


static const rico_option_info SPHERE_OPTIONS[] = {
    {"kind", "kind of the elements", RICO_CHOICE, 0, 0, 0, SOLID_NAMES},
    {"x", "of its centre", RICO_REAL, RICO_MESH_PLACE, 0, NULL},
    {"y", "of its centre", RICO_REAL, RICO_MESH_PLACE, 0, NULL},
    {"z", "of its centre", RICO_REAL, RICO_MESH_PLACE, 0, NULL},
    {"radius", "of the sphere", RICO_REAL, RICO_MESH_SIZE, 1, NULL},
    {"core", "number of cells along a side of the core", RICO_INTEGER, RICO_MESH_COUNT, 4, NULL},
    {"rings", "number of rings around the core", RICO_INTEGER, RICO_MESH_COUNT, 2, NULL},
    {"grading", "largest over smallest cell towards the surface", RICO_REAL, RICO_MESH_GRADING, 1, NULL},
};
static const size_t SPHERE_OFFSETS[] = {
    offsetof(rico_mesh_sphere, kind),      offsetof(rico_mesh_sphere, centre[0]),
    offsetof(rico_mesh_sphere, centre[1]), offsetof(rico_mesh_sphere, centre[2]),
    offsetof(rico_mesh_sphere, radius),    offsetof(rico_mesh_sphere, core),
    offsetof(rico_mesh_sphere, rings),     offsetof(rico_mesh_sphere, grading)};
const rico_mesh_recipe rico_recipe_sphere = {
    {"sphere", "a ball", "surface, all", sizeof SPHERE_OPTIONS / sizeof *SPHERE_OPTIONS, SPHERE_OPTIONS},
    SPHERE_OFFSETS,
    SOLID_KINDS,
    sizeof(rico_mesh_sphere),
    make_sphere};


rico_mesh_sphere rico_mesh_sphere_default(void)
{
    rico_mesh_sphere o;
    rico_recipe_standard(&rico_recipe_sphere, &o);
    return o;
}


rico_status rico_mesh_make_sphere(rico_context *ctx, const rico_mesh_sphere *options, rico_mesh **out)
{
    return rico_recipe_make(ctx, &rico_recipe_sphere, options, out);
}
