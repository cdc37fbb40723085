// Cones of blocks as columns: one row of a table for each kind. See force_set.h.

#include "limit/force_set.h"

#include <math.h>
#include <string.h>

rico_status rico_force_columns_begin(rico_context *ctx, int64_t rows, rico_force_columns *out)
{
    *out = (rico_force_columns){.ctx = ctx, .rows = rows};
    out->offset = rico_alloc(ctx, rows, sizeof *out->offset);
    return out->offset ? RICO_OK : RICO_NO_MEMORY;
}


void rico_force_columns_release(rico_force_columns *c)
{
    if (!c->ctx) return;
    void *all[] = {c->offset, c->kind, c->row, c->col, c->value, c->right};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(c->ctx, all[i]);
    memset(c, 0, sizeof *c);
}


// Room for one more behind *block.
static bool grow(rico_force_columns *c, void *block, int64_t count, int64_t room, int64_t more, size_t size)
{
    void **at = block;
    if (count < room) return true;
    void *grown = c->status == RICO_OK ? rico_grow(c->ctx, *at, room, more, size) : NULL;
    if (!grown) c->status = RICO_NO_MEMORY;
    if (grown) *at = grown;
    return grown != NULL;
}


int64_t rico_force_columns_part(rico_force_columns *c, rico_cone_program_kind kind)
{
    int64_t more = 2 * c->part_room + 64, first = c->cols;
    if (!grow(c, &c->kind, c->part_count, c->part_room, more, sizeof *c->kind)) return 0;
    if (c->part_count == c->part_room) c->part_room = more;
    c->kind[c->part_count++] = kind;
    c->cols += kind == RICO_PROGRAM_CONE ? 3 : 1;
    return first;
}


void rico_force_columns_entry(rico_force_columns *c, int64_t row, int64_t col, double value)
{
    int64_t more = 2 * c->entry_room + 256;
    if (!grow(c, &c->row, c->entries, c->entry_room, more, sizeof *c->row) ||
        !grow(c, &c->col, c->entries, c->entry_room, more, sizeof *c->col) ||
        !grow(c, &c->value, c->entries, c->entry_room, more, sizeof *c->value))
        return;
    if (c->entries == c->entry_room) c->entry_room = more;
    c->row[c->entries] = row;
    c->col[c->entries] = col;
    c->value[c->entries++] = value;
}


// An equation of x alone; returns its row.
int64_t rico_force_columns_equation(rico_force_columns *c, double right)
{
    int64_t more = 2 * c->equation_room + 64;
    if (!grow(c, &c->right, c->equations, c->equation_room, more, sizeof *c->right)) return c->rows;
    if (c->equations == c->equation_room) c->equation_room = more;
    c->right[c->equations] = right;
    return c->rows + c->equations++;
}


// A part of one column with one entry.
static int64_t single(rico_force_columns *c, rico_cone_program_kind kind, int64_t row, double value)
{
    int64_t column = rico_force_columns_part(c, kind);
    rico_force_columns_entry(c, row, column, value);
    return column;
}


// low <= r <= high in one row.
static void interval(rico_force_columns *c, int64_t row, double low, double high)
{
    if (isinf(low) && isinf(high)) {
        single(c, RICO_PROGRAM_FREE, row, 1.0);
    } else if (isinf(low)) {
        c->offset[row] = high;
        single(c, RICO_PROGRAM_RAY, row, -1.0);
    } else {
        c->offset[row] = low;
        if (low == high) return;
        int64_t above = single(c, RICO_PROGRAM_RAY, row, 1.0);
        if (isinf(high)) return;
        int64_t below = rico_force_columns_part(c, RICO_PROGRAM_RAY),
                sum = rico_force_columns_equation(c, high - low);
        rico_force_columns_entry(c, sum, above, 1.0);
        rico_force_columns_entry(c, sum, below, 1.0);
    }
}


// --- friction ------------------------------------------------------------------------------------------------------

// What limits a group of a contact's rows by its normal force: |r_i / share_i| <= N, a disk, an interval, or nothing left.
typedef struct limited {
    int64_t row[2];
    double share[2];
    int count;
} limited;


// Groups of a block: friction first, then moments. Rows without a share are no forces. Returns how many groups there are.
static int groups_of(const rico_block *block, int64_t row, limited group[3])
{
    const double mu = block->friction;
    int count = 0;
    const struct {
        int rows, first;
        double share[2];
    } all[3] = {
        {block->kind == RICO_COULOMB_2D ? 1 : 2,
         1,
         {mu, block->kind == RICO_ELLIPTIC ? block->friction_2 : mu}},
        {block->kind == RICO_ROLLING || block->kind == RICO_ROLLING_SPINNING ? 2 : 0,
         3,
         {block->rolling, block->rolling}},
        {block->kind == RICO_SPINNING || block->kind == RICO_ROLLING_SPINNING ? 1 : 0,
         block->kind == RICO_SPINNING ? 3 : 5,
         {block->spinning, 0.0}},
    };
    for (int k = 0; k < 3; k++) {
        limited *to = &group[count];
        to->count = 0;
        for (int i = 0; i < all[k].rows; i++) {
            if (!(all[k].share[i] > 0.0)) continue;
            to->row[to->count] = row + all[k].first + i;
            to->share[to->count++] = all[k].share[i];
        }
        count += to->count > 0;
    }
    return count;
}


// The group on columns of its own, limited by N: the disk or interval times the normal force, of which `normal` (or a constant) is the column.
static void limit_group(rico_force_columns *c, const limited *g, int64_t normal_count, const int64_t *normal,
                        double constant)
{
    if (g->count == 2) {
        int64_t cone = rico_force_columns_part(c, RICO_PROGRAM_CONE),
                same = rico_force_columns_equation(c, constant);
        for (int i = 0; i < 2; i++) rico_force_columns_entry(c, g->row[i], cone + 1 + i, g->share[i]);
        rico_force_columns_entry(c, same, cone, 1.0);
        for (int64_t k = 0; k < normal_count; k++) rico_force_columns_entry(c, same, normal[k], -1.0);
        return;
    }
    int64_t up = single(c, RICO_PROGRAM_RAY, g->row[0], g->share[0]),
            down = single(c, RICO_PROGRAM_RAY, g->row[0], -g->share[0]),
            sum = rico_force_columns_equation(c, constant);
    rico_force_columns_entry(c, sum, up, 1.0);
    rico_force_columns_entry(c, sum, down, 1.0);
    for (int64_t k = 0; k < normal_count; k++) rico_force_columns_entry(c, sum, normal[k], -1.0);
}


// The rays of a pyramid: its corners, at unit normal force.
static int64_t pyramid(rico_force_columns *c, int64_t row, const limited *g, const rico_limit_view *view,
                       int64_t *column)
{
    const double turn = 2.0 * acos(-1.0) / view->facets;
    double out = view->outer ? 1.0 / cos(0.5 * turn) : 1.0;
    for (int i = 0; i < view->facets; i++) {
        double angle = (i + (view->outer ? 0.5 : 0.0)) * turn;
        int64_t at = single(c, RICO_PROGRAM_RAY, row, 1.0);
        column[i] = at;
        rico_force_columns_entry(c, g->row[0], at, out * g->share[0] * cos(angle));
        rico_force_columns_entry(c, g->row[1], at, out * g->share[1] * sin(angle));
    }
    return view->facets;
}


// The cone of a contact: its friction together with N, moments tied to the same N by equations.
static void add_cone(rico_force_columns *c, const rico_block *block, int64_t row, const rico_limit_view *view)
{
    limited group[3];
    int64_t normal[RICO_LIMIT_FACETS], normals = 1;
    int count = groups_of(block, row, group), first = 1;
    if (count == 0 || group[0].row[0] > row + 2) { // nothing tangential
        normal[0] = single(c, RICO_PROGRAM_RAY, row, 1.0);
        first = 0;
    } else if (group[0].count == 1) {
        for (int k = 0; k < 2; k++) {
            normal[k] = single(c, RICO_PROGRAM_RAY, row, 1.0);
            rico_force_columns_entry(c, group[0].row[0], normal[k],
                                     k ? -group[0].share[0] : group[0].share[0]);
        }
        normals = 2;
    } else if (view->facets > 0) {
        normals = pyramid(c, row, &group[0], view, normal);
    } else {
        normal[0] = rico_force_columns_part(c, RICO_PROGRAM_CONE);
        rico_force_columns_entry(c, row, normal[0], 1.0);
        for (int i = 0; i < 2; i++)
            rico_force_columns_entry(c, group[0].row[i], normal[0] + 1 + i, group[0].share[i]);
    }
    for (int k = first; k < count; k++) limit_group(c, &group[k], normals, normal, 0.0);
}


// N >= 0 or free, and what friction and moments may be with it frozen at `bound`.
static void add_frozen(rico_force_columns *c, const rico_block *block, int64_t row, rico_force_rule rule,
                       double bound)
{
    limited group[3];
    int count = groups_of(block, row, group);
    bool closed =
        rule == RICO_FORCES_FREE || rule == RICO_FORCES_BOUNDED_UP || rule == RICO_FORCES_BOUNDED_DOWN;
    single(c, closed ? RICO_PROGRAM_FREE : RICO_PROGRAM_RAY, row, 1.0);
    for (int k = 0; k < count; k++) {
        const limited *g = &group[k];
        double most = g->share[0] * bound;
        if (rule == RICO_FORCES_BOUNDED_UP) {
            interval(c, g->row[0], -most, INFINITY);
        } else if (rule == RICO_FORCES_BOUNDED_DOWN) {
            interval(c, g->row[0], -INFINITY, most);
        } else if (rule == RICO_FORCES_FREE || rule == RICO_FORCES_UNBOUNDED) {
            for (int i = 0; i < g->count; i++) single(c, RICO_PROGRAM_FREE, g->row[i], 1.0);
        } else if (bound > 0.0 && g->count == 1) {
            interval(c, g->row[0], -most, most);
        } else if (bound > 0.0) {
            limit_group(c, g, 0, NULL, bound);
        }
    }
}


// Friction that opposes the slip of a motion with all that N allows; groups that do not slip stay in their limits.
static void add_along(rico_force_columns *c, const rico_block *block, int64_t row, const double *slip)
{
    limited group[3];
    int count = groups_of(block, row, group);
    int64_t normal = single(c, RICO_PROGRAM_RAY, row, 1.0);
    for (int k = 0; k < count; k++) {
        const limited *g = &group[k];
        double w[2] = {0.0, 0.0};
        for (int i = 0; i < g->count; i++) w[i] = g->share[i] * slip[g->row[i] - row];
        double size = hypot(w[0], w[1]);
        for (int i = 0; size > 0.0 && i < g->count; i++)
            rico_force_columns_entry(c, g->row[i], normal, -g->share[i] * (w[i] / size));
        if (size == 0.0) limit_group(c, g, 1, &normal, 0.0);
    }
}


// A box: at one of its ends where it slides, without the other end where a motion can only go one way, or any force.
static void add_box(rico_force_columns *c, const rico_block *block, int64_t row, rico_force_rule rule)
{
    double low = block->low, high = block->high;
    if (rule == RICO_FORCES_FREE || rule == RICO_FORCES_BOUNDED_DOWN) low = -INFINITY;
    if (rule == RICO_FORCES_FREE || rule == RICO_FORCES_BOUNDED_UP) high = INFINITY;
    if (rule == RICO_FORCES_SLIDE_UP) high = low;
    if (rule == RICO_FORCES_SLIDE_DOWN) low = high;
    interval(c, row, low, high);
}


void rico_force_columns_add(rico_force_columns *c, const rico_block *block, int64_t row,
                            const rico_limit_view *view, rico_force_rule rule, double bound,
                            const double *slip)
{
    const double way[2] = {0.0, rule == RICO_FORCES_SLIDE_UP ? 1.0 : -1.0};
    if (rule == RICO_FORCES_NONE) return;
    if (block->kind == RICO_EQUALITY) {
        for (int64_t i = 0; i < block->size; i++) single(c, RICO_PROGRAM_FREE, row + i, 1.0);
    } else if (block->kind == RICO_BOX) {
        add_box(c, block, row, rule);
    } else if (block->kind == RICO_UNILATERAL) {
        single(c, rule == RICO_FORCES_FREE ? RICO_PROGRAM_FREE : RICO_PROGRAM_RAY, row, 1.0);
    } else if (rule == RICO_FORCES_CONE) {
        add_cone(c, block, row, view);
    } else if (rule == RICO_FORCES_SLIDE_UP || rule == RICO_FORCES_SLIDE_DOWN) {
        add_along(c, block, row, way);
    } else if (rule == RICO_FORCES_ALONG) {
        add_along(c, block, row, slip);
    } else {
        add_frozen(c, block, row, rule, bound);
    }
}


// --- products ------------------------------------------------------------------------------------------------------

void rico_force_columns_forces(const rico_force_columns *c, const double *x, bool ray, double *r)
{
    for (int64_t i = 0; i < c->rows; i++) r[i] = ray ? 0.0 : c->offset[i];
    for (int64_t k = 0; k < c->entries; k++)
        if (c->row[k] < c->rows) r[c->row[k]] += c->value[k] * x[c->col[k]];
}


void rico_force_columns_cost(const rico_force_columns *c, const double *w, double *cost)
{
    memset(cost, 0, (size_t)c->cols * sizeof *cost);
    for (int64_t k = 0; k < c->entries; k++)
        if (c->row[k] < c->rows) cost[c->col[k]] += c->value[k] * w[c->row[k]];
}
