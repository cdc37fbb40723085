// Convex subproblems: picking rows out of the friction problem, freezing the others, projecting on the sets.

#include "solve/convex.h"

#include "la/dense.h"
#include "ricochet/cone.h"

#include <math.h>
#include <string.h>

// Rows [first, last) of a block that are picked.
typedef struct range {
    int64_t first, last;
} range;


static range picked_rows(const rico_problem *p, rico_pick pick, int64_t a)
{
    int64_t size = p->offset[a + 1] - p->offset[a];
    bool contact = rico_cone_kinds[p->kind[a]].frictional;
    if (pick == RICO_PICK_ALL || (pick == RICO_PICK_NORMAL && !contact)) return (range){0, size};
    if (pick == RICO_PICK_NORMAL) return (range){0, 1};
    return contact ? (range){1, size} : (range){0, 0};
}


// The pattern of the picked matrix: the blocks of W between picked blocks, cut down to the picked rows.
static rico_status pick_pattern(rico_convex *c, rico_pick pick, int64_t blocks)
{
    rico_context *ctx = c->ctx;
    const rico_problem *p = c->problem;
    const rico_block_matrix *W = &p->W;
    rico_block_matrix *A = &c->picked;
    int64_t *sub = rico_alloc(ctx, W->blocks, sizeof *sub); // block of W -> block of A, plus 1
    *A = (rico_block_matrix){.ctx = ctx, .blocks = blocks};
    A->offset = rico_alloc(ctx, blocks + 1, sizeof *A->offset);
    A->start = rico_alloc(ctx, blocks + 1, sizeof *A->start);
    A->diagonal = rico_alloc(ctx, blocks, sizeof *A->diagonal);
    A->col = rico_alloc(ctx, rico_block_count(W), sizeof *A->col);
    A->place = rico_alloc(ctx, rico_block_count(W) + 1, sizeof *A->place);
    bool room = sub && A->offset && A->start && A->diagonal && A->col && A->place;

    if (room) {
        A->uniform = -1;
        for (int64_t i = 0; i < blocks; i++) {
            range rows = picked_rows(p, pick, c->block[i]);
            int64_t size = rows.last - rows.first;
            sub[c->block[i]] = i + 1;
            A->offset[i + 1] = A->offset[i] + size;
            if (A->uniform < 0 && size <= 3) A->uniform = (int)size;
            if (A->uniform != size) A->uniform = 0;
        }
        if (A->uniform < 0) A->uniform = 0;
        A->rows = A->offset[blocks];

        int64_t count = 0;
        for (int64_t i = 0; i < blocks; i++) {
            int64_t a = c->block[i];
            for (int64_t k = W->start[a]; k < W->start[a + 1]; k++) {
                int64_t j = sub[W->col[k]] - 1;
                if (j < 0) continue;
                if (j == i) A->diagonal[i] = count;
                A->col[count] = (int32_t)j;
                A->place[count + 1] =
                    A->place[count] + (A->offset[i + 1] - A->offset[i]) * (A->offset[j + 1] - A->offset[j]);
                count++;
            }
            A->start[i + 1] = count;
        }
        A->value = rico_alloc(ctx, A->place[count], sizeof *A->value);
    }
    rico_free(ctx, sub);
    return room && A->value ? RICO_OK : RICO_NO_MEMORY;
}


// Copies the values of W into the picked matrix, block by block, in the order in which the pattern was made.
static void pick_values(rico_convex *c)
{
    const rico_block_matrix *W = &c->problem->W;
    rico_block_matrix *A = &c->picked;
    for (int64_t i = 0; i < A->blocks; i++) {
        int64_t from = W->start[c->block[i]], height = A->offset[i + 1] - A->offset[i];
        int64_t top = c->row[A->offset[i]] - W->offset[c->block[i]];
        for (int64_t k = A->start[i]; k < A->start[i + 1]; k++) {
            int64_t j = A->col[k], column = c->block[j];
            while (W->col[from] < column) from++;
            int64_t width = A->offset[j + 1] - A->offset[j], left = c->row[A->offset[j]] - W->offset[column];
            int64_t whole = W->offset[column + 1] - W->offset[column];
            for (int64_t s = 0; s < height; s++)
                memcpy(&A->value[A->place[k] + s * width],
                       &W->value[W->place[from] + (top + s) * whole + left], (size_t)width * sizeof(double));
        }
    }
}


// Which blocks and rows are picked, and the sets of those blocks.
static rico_status choose(rico_convex *c, rico_pick pick, rico_set_kind contact, int64_t *blocks)
{
    const rico_problem *p = c->problem;
    c->block = rico_alloc(c->ctx, p->block_count, sizeof *c->block);
    c->row = rico_alloc(c->ctx, p->rows, sizeof *c->row);
    c->set = rico_alloc(c->ctx, p->block_count, sizeof *c->set);
    c->bound = rico_alloc(c->ctx, p->block_count, sizeof *c->bound);
    if (!c->block || !c->row || !c->set || !c->bound) return RICO_NO_MEMORY;

    int64_t count = 0, largest = 0;
    for (int64_t a = 0; a < p->block_count; a++) {
        range rows = picked_rows(p, pick, a);
        int64_t size = rows.last - rows.first;
        if (size == 0) continue;
        if (size > largest) largest = size;
        bool frictional = rico_cone_kinds[p->kind[a]].frictional;
        c->set[count] = (uint8_t)(rico_problem_is_joint(p, a) ? RICO_SET_SPACE
                                  : frictional                ? contact
                                                              : RICO_SET_HALF_LINE);
        if (c->set[count] == RICO_SET_CONE) c->bound[count] = p->friction[a];
        c->block[count++] = a;
        for (int64_t i = rows.first; i < rows.last; i++) c->row[c->size++] = p->offset[a] + i;
    }
    *blocks = count;
    c->u_block = rico_alloc(c->ctx, largest, sizeof *c->u_block);
    return c->u_block ? RICO_OK : RICO_NO_MEMORY;
}


static rico_status make_room(rico_convex *c)
{
    rico_context *ctx = c->ctx;
    c->b = rico_alloc(ctx, c->size, sizeof *c->b);
    c->y = rico_alloc(ctx, c->size, sizeof *c->y);
    c->F_y = rico_alloc(ctx, c->size, sizeof *c->F_y);
    c->contact_step = rico_alloc(ctx, c->A->blocks, sizeof *c->contact_step);
    c->contact_first = rico_alloc(ctx, c->A->blocks, sizeof *c->contact_first);
    for (int i = 0; i < 2; i++) c->all[i] = rico_alloc(ctx, c->problem->rows, sizeof *c->all[i]);
    bool steps = c->contact_step && c->contact_first;
    bool room = c->b && c->y && c->F_y && c->all[0] && c->all[1];
    rico_status status = steps && room ? rico_vi_state_create(ctx, c->size, &c->state) : RICO_NO_MEMORY;
    return status ? status : rico_vi_state_create(ctx, 3, &c->contact);
}


rico_status rico_convex_create(rico_problem *problem, rico_pick pick, rico_set_kind contact,
                               rico_convex **out)
{
    rico_convex *c = rico_alloc(problem->ctx, 1, sizeof *c);
    if (!c) return RICO_NO_MEMORY;
    c->ctx = problem->ctx;
    c->problem = problem;
    c->reach = INFINITY;
    int64_t blocks = 0;
    rico_status status = choose(c, pick, contact, &blocks);
    if (!status && pick != RICO_PICK_ALL) status = pick_pattern(c, pick, blocks);
    c->A = pick == RICO_PICK_ALL ? &problem->W : &c->picked;
    if (!status) status = make_room(c);
    if (status) {
        rico_convex_destroy(c);
        return status;
    }
    rico_convex_update(c);
    *out = c;
    return RICO_OK;
}


void rico_convex_destroy(rico_convex *c)
{
    if (!c) return;
    rico_context *ctx = c->ctx;
    rico_block_destroy(&c->picked);
    rico_vi_state_destroy(&c->state);
    rico_vi_state_destroy(&c->contact);
    rico_free(ctx, c->block);
    rico_free(ctx, c->row);
    rico_free(ctx, c->set);
    rico_free(ctx, c->bound);
    rico_free(ctx, c->b);
    rico_free(ctx, c->all[0]);
    rico_free(ctx, c->all[1]);
    rico_free(ctx, c->u_block);
    rico_free(ctx, c->y);
    rico_free(ctx, c->F_y);
    rico_free(ctx, c->contact_step);
    rico_free(ctx, c->contact_first);
    rico_free(ctx, c);
}


void rico_convex_update(rico_convex *c)
{
    const rico_block_matrix *A = c->A;
    if (A == &c->picked) pick_values(c);
    double largest = 0.0;
    for (int64_t i = 0; i < A->blocks; i++) {
        int64_t k = A->diagonal[i];
        double norm = rico_norm(A->place[k + 1] - A->place[k], &A->value[A->place[k]]);
        c->contact_first[i] = c->contact_step[i] = norm > 0.0 ? 1.0 / norm : 0.0;
        largest = fmax(largest, norm);
    }
    c->first_step = largest > 0.0 ? 1.0 / largest : 1.0;
    c->state.rho = c->first_step;
}


void rico_convex_freeze(rico_convex *c, const double *r)
{
    rico_problem *p = c->problem;
    for (int64_t i = 0; i < c->size; i++) c->state.z[i] = r[c->row[i]];
    c->state.has_map = false;
    if (c->A != &c->picked) {
        memcpy(c->b, p->q, (size_t)c->size * sizeof *c->b);
        return;
    }

    // rows outside the pick act through W, those inside are set to zero: no difference of large numbers
    double *others = c->all[0], *velocity = c->all[1];
    memcpy(others, r, (size_t)p->rows * sizeof *r);
    for (int64_t i = 0; i < c->size; i++) others[c->row[i]] = 0.0;
    rico_block_times(&p->W, others, p->q, velocity);
    for (int64_t i = 0; i < c->size; i++) c->b[i] = velocity[c->row[i]];
}


void rico_convex_set_radii(rico_convex *c, const double *r)
{
    const rico_problem *p = c->problem;
    for (int64_t i = 0; i < c->A->blocks; i++) {
        int64_t a = c->block[i];
        if (c->set[i] == RICO_SET_DISK || c->set[i] == RICO_SET_CYLINDER)
            c->bound[i] = p->friction[a] * fmax(r[p->offset[a]], 0.0);
    }
}


void rico_convex_scatter(const rico_convex *c, double *r)
{
    for (int64_t i = 0; i < c->size; i++) r[c->row[i]] = c->state.z[i];
}


static void project_disk(int64_t rows, double radius, double *t)
{
    if (rows == 1)
        t[0] = fmax(-radius, fmin(radius, t[0]));
    else
        rico_disk_project(radius, t);
}


void rico_convex_project_block(rico_set_kind set, int64_t rows, double bound, double *x)
{
    switch (set) {
    case RICO_SET_SPACE:
        break;
    case RICO_SET_HALF_LINE:
        x[0] = fmax(x[0], 0.0);
        break;
    case RICO_SET_DISK:
        project_disk(rows, bound, x);
        break;
    case RICO_SET_CYLINDER:
        x[0] = fmax(x[0], 0.0);
        project_disk(rows - 1, bound, x + 1);
        break;
    case RICO_SET_CONE: {
        rico_block cone = {rows == 2 ? RICO_COULOMB_2D : RICO_COULOMB_3D, rows, .friction = bound};
        rico_cone_project(&cone, x);
        break;
    }
    }
}


void rico_convex_project(const rico_convex *c, double *x)
{
    const int64_t *offset = c->A->offset;
    for (int64_t i = 0; i < c->A->blocks; i++)
        rico_convex_project_block((rico_set_kind)c->set[i], offset[i + 1] - offset[i], c->bound[i],
                                  &x[offset[i]]);
}


double rico_convex_error(rico_convex *c)
{
    rico_vi_state *s = &c->state;
    if (!s->has_map) rico_block_times(c->A, s->z, c->b, s->F);
    s->has_map = true;
    for (int64_t i = 0; i < c->size; i++) s->bar[i] = s->z[i] - s->F[i];
    rico_convex_project(c, s->bar);
    for (int64_t i = 0; i < c->size; i++) s->bar[i] -= s->z[i];
    return rico_norm(c->size, s->bar);
}
