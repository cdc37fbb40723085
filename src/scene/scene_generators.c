// Patterns in which copies of a body stand: grid, stack, wall, pyramid, tower, heap, pour. Arches, vaults and other structures of blocks are
// in scene_structures.c.
//
// Stands are in the axes of the body that is copied. The way up is the last axis: z in space, y in the plane.

#include "base/random.h"
#include "collide/look.h"
#include "scene/scene_bodies.h"

#include <math.h>
#include <string.h>

static const int64_t MOST_COPIES = 10000000;

// What a pattern reads, and where it puts its stands.
typedef struct pattern {
    rico_scene_bodies *bodies;
    rico_scene *scene;
    rico_node *node;
    int up;
    const rico_shape *shape;
    double lower[3], upper[3], size[3]; // of the shape as it stands
    rico_copies *out;
} pattern;


static rico_status reserve(pattern *p, int64_t count)
{
    if (count > MOST_COPIES)
        return rico_document_fail_key(p->scene->document, p->node, "%lld copies are too many, at most %lld",
                                      (long long)count, (long long)MOST_COPIES);
    p->out->stand = rico_alloc(p->scene->ctx, count, sizeof *p->out->stand);
    return p->out->stand ? RICO_OK : RICO_NO_MEMORY;
}


static rico_stand *add(pattern *p, double x, double y, double z)
{
    rico_stand *stand = &p->out->stand[p->out->count++];
    *stand = (rico_stand){{x, y, z}, {1.0}};
    return stand;
}


static rico_status integer(pattern *p, const char *key, int64_t *value)
{
    return rico_document_integer(p->scene->document, rico_node_at(p->node, key), value);
}


static rico_status real(pattern *p, const char *key, double *value)
{
    return rico_document_real(p->scene->document, rico_node_at(p->node, key), value);
}


// Up to three numbers, the last of them or `rest` standing for those that are left out.
static rico_status axes(pattern *p, const char *key, bool repeat, double rest, double x[3])
{
    int64_t count;
    double *value = NULL;
    const rico_node *node = rico_node_at(p->node, key);
    rico_status status = rico_document_reals(p->scene->document, node, &count, &value);
    if (status == RICO_OK && count > p->up + 1)
        status = rico_document_fail(p->scene->document, node, "'%s' has %lld numbers; the plane has two axes",
                                    key, (long long)count);
    for (int64_t i = 0; status == RICO_OK && i < 3; i++)
        x[i] = i < count ? value[i] : repeat ? value[count - 1] : rest;
    rico_free(p->scene->ctx, value);
    return status;
}


static rico_status counts(pattern *p, int64_t n[3])
{
    double x[3];
    const rico_node *node = rico_node_at(p->node, "count");
    rico_status status = axes(p, "count", false, 1.0, x);
    for (int i = 0; status == RICO_OK && i < 3; i++) {
        n[i] = (int64_t)x[i];
        if ((double)n[i] != x[i])
            status = rico_document_fail(p->scene->document, node, "'count' has %g, which is no whole number",
                                        x[i]);
    }
    return status;
}


// A coordinate along x and a height, whichever axis that is; `foot` stands on 0.
static rico_stand *put(pattern *p, double along, double height)
{
    double x[3] = {along, 0.0, 0.0};
    x[p->up] = height;
    return add(p, x[0], x[1], x[2]);
}


// A uniform rotation (Shoemake 1992), or an angle in the plane.
static void turn_at_random(const pattern *p, rico_random *random, double q[4])
{
    if (p->up == 1) {
        const double z[3] = {0.0, 0.0, 1.0};
        rico_scene_turn(z, rico_random_range(random, 0.0, 360.0), q);
        return;
    }
    double u = rico_random_unit(random), a = 2.0 * M_PI * rico_random_unit(random),
           b = 2.0 * M_PI * rico_random_unit(random);
    q[0] = sqrt(1.0 - u) * sin(a), q[1] = sqrt(1.0 - u) * cos(a);
    q[2] = sqrt(u) * sin(b), q[3] = sqrt(u) * cos(b);
}


// --- regular patterns ----------------------------------------------------------------------------------------------

static rico_status make_grid(pattern *p)
{
    int64_t n[3];
    double d[3];
    rico_status status = counts(p, n);
    if (status == RICO_OK) status = axes(p, "spacing", false, 0.0, d);
    if (status == RICO_OK)
        status =
            reserve(p, (double)n[0] * (double)n[1] * (double)n[2] > 9e15 ? INT64_MAX : n[0] * n[1] * n[2]);
    if (status != RICO_OK) return status;
    for (int64_t k = 0; k < n[2]; k++)
        for (int64_t j = 0; j < n[1]; j++)
            for (int64_t i = 0; i < n[0]; i++) add(p, (double)i * d[0], (double)j * d[1], (double)k * d[2]);
    return RICO_OK;
}


static rico_status make_stack(pattern *p)
{
    int64_t count;
    double gap = 0.0;
    rico_status status = integer(p, "count", &count);
    if (status == RICO_OK) status = real(p, "gap", &gap);
    if (status == RICO_OK) status = reserve(p, count);
    for (int64_t i = 0; status == RICO_OK && i < count; i++)
        put(p, 0.0, (double)i * (p->size[p->up] + gap) - p->lower[p->up]);
    return status;
}


static rico_status make_wall(pattern *p)
{
    int64_t length, courses;
    double gap;
    rico_status status = integer(p, "length", &length);
    if (status == RICO_OK) status = integer(p, "courses", &courses);
    if (status == RICO_OK) status = real(p, "gap", &gap);
    if (status == RICO_OK) status = reserve(p, length * courses);
    if (status != RICO_OK) return status;
    double pitch = p->size[0] + gap;
    for (int64_t k = 0; k < courses; k++)
        for (int64_t i = 0; i < length; i++)
            put(p, ((double)i - 0.5 * (double)(length - 1) + (k % 2 ? 0.25 : -0.25)) * pitch,
                (double)k * (p->size[p->up] + gap) - p->lower[p->up]);
    return RICO_OK;
}


static rico_status make_pyramid(pattern *p)
{
    int64_t base;
    double gap;
    rico_status status = integer(p, "base", &base);
    if (status == RICO_OK) status = real(p, "gap", &gap);
    if (status == RICO_OK) status = reserve(p, base * (base + 1) / 2);
    if (status != RICO_OK) return status;
    for (int64_t k = 0; k < base; k++)
        for (int64_t i = 0; i < base - k; i++)
            put(p, ((double)i - 0.5 * (double)(base - k - 1)) * (p->size[0] + gap),
                (double)k * p->size[p->up] - p->lower[p->up]);
    return RICO_OK;
}


// --- tower ---------------------------------------------------------------------------------------------------------

static rico_status make_tower(pattern *p)
{
    int64_t layers = 0, planks = 0;
    rico_status status = integer(p, "layers", &layers);
    if (status == RICO_OK) status = integer(p, "planks", &planks);
    if (status == RICO_OK && p->up != 2)
        status =
            rico_document_fail_key(p->scene->document, p->node, "planks are laid crosswise in space alone");
    if (status == RICO_OK && (double)planks * p->size[1] > p->size[0] * (1.0 + 1e-12))
        status = rico_document_fail(p->scene->document, rico_node_at(p->node, "planks"),
                                    "%lld planks of width %g do not fit on the length %g of one",
                                    (long long)planks, p->size[1], p->size[0]);
    if (status == RICO_OK) status = reserve(p, layers * planks);
    if (status != RICO_OK) return status;
    const double z[3] = {0.0, 0.0, 1.0};
    double room = p->size[0] - p->size[1]; // from the middle of the first plank to that of the last
    for (int64_t k = 0; k < layers; k++)
        for (int64_t i = 0; i < planks; i++) {
            double side = planks > 1 ? room * ((double)i / (double)(planks - 1) - 0.5) : 0.0;
            double height = (double)k * p->size[2] - p->lower[2];
            rico_stand *stand = k % 2 ? add(p, side, 0.0, height) : add(p, 0.0, side, height);
            if (k % 2) rico_scene_turn(z, 90.0, stand->orientation);
        }
    return RICO_OK;
}


// --- random patterns -------------------------------------------------------------------------------------------------

// Balls that hold the copies, in cells so small that none has the middles of two.
typedef struct ball_cells {
    int64_t n[3];
    double cell, room[3];
    int32_t *ball; // 1 + its index; 0: none
} ball_cells;


static int64_t cell_of(const ball_cells *cells, const double x[3], int64_t at[3])
{
    for (int i = 0; i < 3; i++) {
        at[i] = (int64_t)(x[i] / cells->cell);
        if (at[i] >= cells->n[i]) at[i] = cells->n[i] - 1;
    }
    return at[0] + cells->n[0] * (at[1] + cells->n[1] * at[2]);
}


static bool is_free(const ball_cells *cells, const rico_stand *stand, const double x[3], double reach)
{
    int64_t at[3];
    cell_of(cells, x, at);
    for (int64_t k = at[2] - 2; k <= at[2] + 2; k++)
        for (int64_t j = at[1] - 2; j <= at[1] + 2; j++)
            for (int64_t i = at[0] - 2; i <= at[0] + 2; i++) {
                if (i < 0 || j < 0 || k < 0 || i >= cells->n[0] || j >= cells->n[1] || k >= cells->n[2])
                    continue;
                int32_t ball = cells->ball[i + cells->n[0] * (j + cells->n[1] * k)];
                if (ball == 0) continue;
                const double *y = stand[ball - 1].position;
                double dx = x[0] - y[0], dy = x[1] - y[1], dz = x[2] - y[2];
                if (dx * dx + dy * dy + dz * dz <= 4.0 * reach * reach) return false;
            }
    return true;
}


// Throws balls into the room until `count` have found a place.
static rico_status throw_balls(pattern *p, rico_random *random, ball_cells *cells, double reach,
                               int64_t count)
{
    int64_t at[3], tries = 0, most = 1000 * count;
    while (p->out->count < count && tries++ < most) {
        double x[3] = {0.0};
        for (int i = 0; i <= p->up; i++) x[i] = rico_random_range(random, 0.0, cells->room[i]);
        if (!is_free(cells, p->out->stand, x, reach)) continue;
        cells->ball[cell_of(cells, x, at)] = (int32_t)p->out->count + 1;
        turn_at_random(p, random, add(p, x[0], x[1], x[2])->orientation);
    }
    if (p->out->count == count) return RICO_OK;
    return rico_document_fail_key(
        p->scene->document, p->node,
        "only %lld of %lld copies found a place without overlap; make 'size' larger",
        (long long)p->out->count, (long long)count);
}


static rico_status make_heap(pattern *p)
{
    int64_t count, seed;
    double size[3], reach = rico_shape_reach(p->shape), cells_in_all = 1.0;
    rico_status status = integer(p, "count", &count);
    if (status == RICO_OK) status = integer(p, "seed", &seed);
    if (status == RICO_OK)
        status = rico_scene_read_vector(p->scene, rico_node_at(p->node, "size"), p->up + 1, size);
    if (status != RICO_OK) return status;
    ball_cells cells = {.n = {1, 1, 1}, .cell = 2.0 * reach / sqrt(3.0)};
    for (int i = 0; i <= p->up; i++) {
        cells.room[i] = size[i] - 2.0 * reach;
        if (cells.room[i] < 0.0)
            return rico_document_fail(p->scene->document, rico_node_at(p->node, "size"),
                                      "a copy needs %g to turn in, and there is %g", 2.0 * reach, size[i]);
        cells_in_all *= floor(cells.room[i] / cells.cell) + 1.0;
        cells.n[i] = cells_in_all < 5e8 ? (int64_t)(cells.room[i] / cells.cell) + 1 : 1;
    }
    if (cells_in_all >= 5e8)
        return rico_document_fail(p->scene->document, rico_node_at(p->node, "size"),
                                  "the space is too large for so small a shape");
    status = reserve(p, count);
    cells.ball = rico_alloc(p->scene->ctx, cells.n[0] * cells.n[1] * cells.n[2], sizeof *cells.ball);
    if (!cells.ball) status = RICO_NO_MEMORY;
    rico_random random;
    rico_random_seed(&random, (uint64_t)seed);
    if (status == RICO_OK) status = throw_balls(p, &random, &cells, reach, count);
    for (int64_t k = 0; status == RICO_OK && k < count; k++)
        for (int i = 0; i <= p->up; i++)
            p->out->stand[k].position[i] += i == p->up ? reach : -0.5 * cells.room[i];
    rico_free(p->scene->ctx, cells.ball);
    return status;
}


static rico_status make_pour(pattern *p)
{
    int64_t n[3], seed;
    double d[3], jitter;
    bool turned;
    rico_status status = counts(p, n);
    if (status == RICO_OK) status = axes(p, "spacing", true, 0.0, d);
    if (status == RICO_OK) status = real(p, "jitter", &jitter);
    if (status == RICO_OK) status = integer(p, "seed", &seed);
    if (status == RICO_OK)
        status = rico_document_flag(p->scene->document, rico_node_at(p->node, "turned"), &turned);
    if (status == RICO_OK)
        status =
            reserve(p, (double)n[0] * (double)n[1] * (double)n[2] > 9e15 ? INT64_MAX : n[0] * n[1] * n[2]);
    if (status != RICO_OK) return status;
    rico_random random;
    rico_random_seed(&random, (uint64_t)seed);
    for (int64_t k = 0; k < n[0] * n[1] * n[2]; k++) {
        const int64_t at[3] = {k % n[0], k / n[0] % n[1], k / n[0] / n[1]};
        double x[3] = {0.0};
        for (int i = 0; i <= p->up; i++) {
            x[i] = ((double)at[i] - (i == p->up ? 0.0 : 0.5 * (double)(n[i] - 1))) * d[i];
            if (jitter > 0.0) x[i] += rico_random_range(&random, -jitter, jitter);
        }
        rico_stand *stand = add(p, x[0], x[1], x[2]);
        if (turned) turn_at_random(p, &random, stand->orientation);
    }
    return RICO_OK;
}


// --- all of them -----------------------------------------------------------------------------------------------------

typedef struct pattern_row {
    const char *key;
    bool bounded; // needs a shape that ends somewhere
    rico_status (*make)(pattern *p);
} pattern_row;

static const pattern_row ROWS[] = {
    {"grid", false, make_grid},      {"stack", true, make_stack}, {"wall", true, make_wall},
    {"pyramid", true, make_pyramid}, {"tower", true, make_tower}, {"heap", true, make_heap},
    {"pour", false, make_pour},
};


static rico_status measure(pattern *p, const pattern_row *row)
{
    const rico_stand own = {.orientation = {1.0}};
    if (!row->bounded) return RICO_OK;
    if (!p->shape)
        return rico_document_fail_key(p->scene->document, p->node, "'%s' needs a 'shape' to be made of",
                                      row->key);
    rico_shape_bounds(p->shape, &own, p->lower, p->upper);
    for (int i = 0; i <= p->up; i++) {
        p->size[i] = p->upper[i] - p->lower[i];
        if (!isfinite(p->size[i]))
            return rico_document_fail_key(p->scene->document, p->node,
                                          "'%s' needs a shape that ends somewhere", row->key);
    }
    return RICO_OK;
}


rico_status rico_scene_generate(rico_scene_bodies *bodies, rico_node *node, const rico_shape *shape,
                                rico_copies *out)
{
    *out = (rico_copies){.shape = shape};
    pattern p = {.bodies = bodies,
                 .scene = bodies->scene,
                 .node = node->first,
                 .up = bodies->dimension - 1,
                 .shape = shape,
                 .out = out};
    const rico_structure_kind *structure = rico_structure_find(p.node->key);
    rico_status status = RICO_OK;
    if (structure && shape)
        status = rico_document_fail_key(p.scene->document, p.node,
                                        "'%s' makes its shapes itself; remove 'shape'", p.node->key);
    else if (structure)
        status = rico_structure_build(structure, bodies, p.node, out);
    for (size_t i = 0; !structure && i < sizeof ROWS / sizeof *ROWS; i++) {
        if (strcmp(ROWS[i].key, p.node->key) != 0) continue;
        status = measure(&p, &ROWS[i]);
        if (status == RICO_OK) status = ROWS[i].make(&p);
    }
    return rico_scene_place(bodies->scene, node, status);
}


void rico_copies_release(rico_context *ctx, rico_copies *copies)
{
    rico_free(ctx, copies->stand);
    rico_free(ctx, copies->block);
    rico_free(ctx, (void *)copies->apart);
}
