// Generators on a lattice: bar, rectangle, box.

#include "mesh/generate.h"

#include "base/context.h"

static const char *const LINE_NAMES[] = {"line2", "line3", NULL};
static const rico_cell_kind LINE_KINDS[] = {RICO_CELL_LINE2, RICO_CELL_LINE3};
static const char *const PLANE_NAMES[] = {"Q4", "Q8", "T3", "T6", NULL};
static const rico_cell_kind PLANE_KINDS[] = {RICO_CELL_Q4, RICO_CELL_Q8, RICO_CELL_T3, RICO_CELL_T6};
static const char *const SOLID_NAMES[] = {"H8", "Tet4", "Tet10", NULL};
static const rico_cell_kind SOLID_KINDS[] = {RICO_CELL_H8, RICO_CELL_TET4, RICO_CELL_TET10};
static const char *const DIAGONAL_NAMES[] = {"up", "down", "alternating", NULL};
static const rico_draft_round STRAIGHT = {0};

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
#define GRADING(name, side)                                                                                  \
    {                                                                                                        \
        name, "largest over smallest cell along " side, RICO_REAL, RICO_MESH_GRADING, 1, NULL                \
    }
#define TOWARD(name, side)                                                                                   \
    {                                                                                                        \
        name, "where cells are smallest along " side, RICO_CHOICE, 0, 0, 0, rico_toward_names                \
    }


// Sides of a node at place i of n + 1: the bits `first` and `last` at the ends.
static unsigned ends(int64_t i, int64_t n, unsigned first, unsigned last)
{
    return (i == 0 ? first : 0) | (i == n ? last : 0);
}


// The ends of cells along each of `axes` sides.
static bool grade(rico_context *ctx, int axes, const int64_t *cells, const double *grading,
                  const rico_mesh_toward *toward, double *s[3])
{
    bool made = true;
    for (int k = 0; k < axes; k++) {
        s[k] = rico_graded(ctx, cells[k], grading[k], toward[k]);
        made = made && s[k];
    }
    return made;
}


static rico_status end_of(rico_draft *d, bool second, int sides, const char *const *names, double *s[3],
                          rico_mesh **out)
{
    for (int k = 0; k < 3; k++) rico_free(d->ctx, s[k]);
    if (second) rico_draft_elevate(d, &STRAIGHT);
    rico_draft_sides(d, sides, names);
    return rico_draft_finish(d, out);
}


// --- bar -----------------------------------------------------------------------------------------------------------

static rico_status make_bar(rico_context *ctx, const void *options, rico_mesh **out)
{
    static const char *const SIDES[] = {"start", "end"};
    const rico_mesh_bar *o = options;
    rico_draft d = {.ctx = ctx};
    double *s[3] = {NULL};
    d.failed = !grade(ctx, 1, &o->cells, &o->grading, &o->toward, s);
    for (int64_t i = 0; !d.failed && i <= o->cells; i++) {
        double x[3] = {o->origin + o->length * s[0][i]};
        rico_draft_node(&d, x, ends(i, o->cells, 1, 2), i);
    }
    for (int64_t i = 0; i < o->cells; i++) rico_draft_cell(&d, RICO_CELL_LINE2, (int64_t[]){i, i + 1}, i);
    return end_of(&d, o->kind == RICO_CELL_LINE3, 2, SIDES, s, out);
}


static const rico_option_info BAR_OPTIONS[] = {
    KIND(LINE_NAMES),
    REAL("x", "where it starts", RICO_MESH_PLACE, 0),
    REAL("length", "along x", RICO_MESH_SIZE, 1),
    COUNT("cells", "number of elements", 10),
    GRADING("grading", "it"),
    TOWARD("toward", "it"),
};
static const size_t BAR_OFFSETS[] = {offsetof(rico_mesh_bar, kind),    offsetof(rico_mesh_bar, origin),
                                     offsetof(rico_mesh_bar, length),  offsetof(rico_mesh_bar, cells),
                                     offsetof(rico_mesh_bar, grading), offsetof(rico_mesh_bar, toward)};
const rico_mesh_recipe rico_recipe_bar = {
    {"bar", "a line along x", "start, end, all", sizeof BAR_OPTIONS / sizeof *BAR_OPTIONS, BAR_OPTIONS},
    BAR_OFFSETS,
    LINE_KINDS,
    sizeof(rico_mesh_bar),
    make_bar};


rico_mesh_bar rico_mesh_bar_default(void)
{
    rico_mesh_bar o;
    rico_recipe_standard(&rico_recipe_bar, &o);
    return o;
}


rico_status rico_mesh_make_bar(rico_context *ctx, const rico_mesh_bar *options, rico_mesh **out)
{
    return rico_recipe_make(ctx, &rico_recipe_bar, options, out);
}


// --- rectangle -----------------------------------------------------------------------------------------------------

static rico_status make_rectangle(rico_context *ctx, const void *options, rico_mesh **out)
{
    static const char *const SIDES[] = {"left", "right", "bottom", "top"};
    const rico_mesh_rectangle *o = options;
    const int64_t nx = o->cells[0], ny = o->cells[1], row = nx + 1;
    rico_status status = rico_recipe_room(ctx, &rico_recipe_rectangle, (double)nx * (double)ny);
    if (status != RICO_OK) return status;
    rico_draft d = {.ctx = ctx};
    double *s[3] = {NULL};
    d.failed = !grade(ctx, 2, o->cells, o->grading, o->toward, s);
    for (int64_t j = 0; !d.failed && j <= ny; j++)
        for (int64_t i = 0; i <= nx; i++) {
            double x[3] = {o->origin[0] + o->size[0] * s[0][i], o->origin[1] + o->size[1] * s[1][j]};
            rico_draft_node(&d, x, ends(i, nx, 1, 2) | ends(j, ny, 4, 8), d.nodes);
        }
    bool triangles = o->kind == RICO_CELL_T3 || o->kind == RICO_CELL_T6;
    for (int64_t j = 0; !d.failed && j < ny; j++)
        for (int64_t i = 0; i < nx; i++) {
            int64_t a = j * row + i;
            bool down = o->diagonal == RICO_DIAGONAL_DOWN ||
                        (o->diagonal == RICO_DIAGONAL_ALTERNATING && (i + j) % 2 == 1);
            rico_draft_quad(&d, triangles, (int64_t[]){a, a + 1, a + row + 1, a + row}, down);
        }
    return end_of(&d, o->kind == RICO_CELL_T6 || o->kind == RICO_CELL_Q8, 4, SIDES, s, out);
}


static const rico_option_info RECTANGLE_OPTIONS[] = {
    KIND(PLANE_NAMES),
    REAL("x", "of its lower left corner", RICO_MESH_PLACE, 0),
    REAL("y", "of its lower left corner", RICO_MESH_PLACE, 0),
    REAL("width", "along x", RICO_MESH_SIZE, 1),
    REAL("height", "along y", RICO_MESH_SIZE, 1),
    COUNT("cells-x", "number of cells along x", 8),
    COUNT("cells-y", "number of cells along y", 8),
    {"diagonal", "of triangles: from lower left to upper right, or not", RICO_CHOICE, 0, 0, 0,
     DIAGONAL_NAMES},
    GRADING("grading-x", "x"),
    TOWARD("toward-x", "x"),
    GRADING("grading-y", "y"),
    TOWARD("toward-y", "y"),
};
static const size_t RECTANGLE_OFFSETS[] = {
    offsetof(rico_mesh_rectangle, kind),       offsetof(rico_mesh_rectangle, origin[0]),
    offsetof(rico_mesh_rectangle, origin[1]),  offsetof(rico_mesh_rectangle, size[0]),
    offsetof(rico_mesh_rectangle, size[1]),    offsetof(rico_mesh_rectangle, cells[0]),
    offsetof(rico_mesh_rectangle, cells[1]),   offsetof(rico_mesh_rectangle, diagonal),
    offsetof(rico_mesh_rectangle, grading[0]), offsetof(rico_mesh_rectangle, toward[0]),
    offsetof(rico_mesh_rectangle, grading[1]), offsetof(rico_mesh_rectangle, toward[1])};
const rico_mesh_recipe rico_recipe_rectangle = {
    {"rectangle", "a rectangle along x and y", "left, right, bottom, top, all",
     sizeof RECTANGLE_OPTIONS / sizeof *RECTANGLE_OPTIONS, RECTANGLE_OPTIONS},
    RECTANGLE_OFFSETS,
    PLANE_KINDS,
    sizeof(rico_mesh_rectangle),
    make_rectangle};


rico_mesh_rectangle rico_mesh_rectangle_default(void)
{
    rico_mesh_rectangle o;
    rico_recipe_standard(&rico_recipe_rectangle, &o);
    return o;
}


rico_status rico_mesh_make_rectangle(rico_context *ctx, const rico_mesh_rectangle *options, rico_mesh **out)
{
    return rico_recipe_make(ctx, &rico_recipe_rectangle, options, out);
}


// --- box -----------------------------------------------------------------------------------------------------------

static void place_box(rico_draft *d, const rico_mesh_box *o, double *const s[3])
{
    for (int64_t k = 0; !d->failed && k <= o->cells[2]; k++)
        for (int64_t j = 0; j <= o->cells[1]; j++)
            for (int64_t i = 0; i <= o->cells[0]; i++) {
                double x[3] = {o->origin[0] + o->size[0] * s[0][i], o->origin[1] + o->size[1] * s[1][j],
                               o->origin[2] + o->size[2] * s[2][k]};
                rico_draft_node(d, x,
                                ends(i, o->cells[0], 1, 2) | ends(j, o->cells[1], 4, 8) |
                                    ends(k, o->cells[2], 16, 32),
                                d->nodes);
            }
}


static rico_status make_box(rico_context *ctx, const void *options, rico_mesh **out)
{
    static const char *const SIDES[] = {"left", "right", "front", "back", "bottom", "top"};
    const rico_mesh_box *o = options;
    const int64_t row = o->cells[0] + 1, layer = row * (o->cells[1] + 1);
    rico_status status = rico_recipe_room(ctx, &rico_recipe_box,
                                          (double)o->cells[0] * (double)o->cells[1] * (double)o->cells[2]);
    if (status != RICO_OK) return status;
    rico_draft d = {.ctx = ctx};
    double *s[3] = {NULL};
    d.failed = !grade(ctx, 3, o->cells, o->grading, o->toward, s);
    place_box(&d, o, s);
    for (int64_t k = 0; !d.failed && k < o->cells[2]; k++)
        for (int64_t j = 0; j < o->cells[1]; j++)
            for (int64_t i = 0; i < o->cells[0]; i++) {
                int64_t a = k * layer + j * row + i, b = a + layer;
                rico_draft_brick(&d, o->kind != RICO_CELL_H8,
                                 (int64_t[]){a, a + 1, a + row + 1, a + row, b, b + 1, b + row + 1, b + row});
            }
    return end_of(&d, o->kind == RICO_CELL_TET10, 6, SIDES, s, out);
}


static const rico_option_info BOX_OPTIONS[] = {
    KIND(SOLID_NAMES),
    REAL("x", "of its lowest corner", RICO_MESH_PLACE, 0),
    REAL("y", "of its lowest corner", RICO_MESH_PLACE, 0),
    REAL("z", "of its lowest corner", RICO_MESH_PLACE, 0),
    REAL("width", "along x", RICO_MESH_SIZE, 1),
    REAL("depth", "along y", RICO_MESH_SIZE, 1),
    REAL("height", "along z", RICO_MESH_SIZE, 1),
    COUNT("cells-x", "number of cells along x", 4),
    COUNT("cells-y", "number of cells along y", 4),
    COUNT("cells-z", "number of cells along z", 4),
    GRADING("grading-x", "x"),
    TOWARD("toward-x", "x"),
    GRADING("grading-y", "y"),
    TOWARD("toward-y", "y"),
    GRADING("grading-z", "z"),
    TOWARD("toward-z", "z"),
};
static const size_t BOX_OFFSETS[] = {offsetof(rico_mesh_box, kind),       offsetof(rico_mesh_box, origin[0]),
                                     offsetof(rico_mesh_box, origin[1]),  offsetof(rico_mesh_box, origin[2]),
                                     offsetof(rico_mesh_box, size[0]),    offsetof(rico_mesh_box, size[1]),
                                     offsetof(rico_mesh_box, size[2]),    offsetof(rico_mesh_box, cells[0]),
                                     offsetof(rico_mesh_box, cells[1]),   offsetof(rico_mesh_box, cells[2]),
                                     offsetof(rico_mesh_box, grading[0]), offsetof(rico_mesh_box, toward[0]),
                                     offsetof(rico_mesh_box, grading[1]), offsetof(rico_mesh_box, toward[1]),
                                     offsetof(rico_mesh_box, grading[2]), offsetof(rico_mesh_box, toward[2])};
const rico_mesh_recipe rico_recipe_box = {{"box", "a box along x, y and z",
                                           "left, right, front, back, bottom, top, all",
                                           sizeof BOX_OPTIONS / sizeof *BOX_OPTIONS, BOX_OPTIONS},
                                          BOX_OFFSETS,
                                          SOLID_KINDS,
                                          sizeof(rico_mesh_box),
                                          make_box};


rico_mesh_box rico_mesh_box_default(void)
{
    rico_mesh_box o;
    rico_recipe_standard(&rico_recipe_box, &o);
    return o;
}


rico_status rico_mesh_make_box(rico_context *ctx, const rico_mesh_box *options, rico_mesh **out)
{
    return rico_recipe_make(ctx, &rico_recipe_box, options, out);
}
