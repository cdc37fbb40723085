// A structure given by its matrices: checks, copies, what it is asked about itself.

#include "limit/limit.h"

#include "cone/cone.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool rico_limit_is_contact(const rico_block *block)
{
    return block->kind != RICO_EQUALITY && block->kind != RICO_BOX;
}


static char *copy_text(rico_context *ctx, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = rico_alloc(ctx, (int64_t)size, 1);
    if (copy) memcpy(copy, text, size);
    return copy;
}


// --- checks --------------------------------------------------------------------------------------------------------

static rico_status check_loads(rico_context *ctx, const char *what, int64_t count, const double *load)
{
    for (int64_t i = 0; load && i < count; i++)
        if (!isfinite(load[i]))
            return rico_fail(ctx, RICO_BAD_INPUT, "the %s load has %g at degree of freedom %lld", what,
                             load[i], (long long)i);
    return RICO_OK;
}


static rico_status check_block(rico_context *ctx, const rico_block *block, int64_t index)
{
    const rico_block_info *info = rico_block_describe(block->kind);
    if (!info)
        return rico_fail(ctx, RICO_BAD_INPUT, "block %lld has no kind that is known", (long long)index);
    if (block->size < 1 || (info->size > 0 && block->size != info->size))
        return rico_fail(ctx, RICO_BAD_INPUT, "block %lld, %s, has %lld rows", (long long)index, info->name,
                         (long long)block->size);
    const double share[] = {block->friction, block->friction_2, block->rolling, block->spinning};
    for (int i = 0; i < 4; i++)
        if (rico_limit_is_contact(block) && block->kind != RICO_UNILATERAL &&
            !(share[i] >= 0.0 && isfinite(share[i])))
            return rico_fail(ctx, RICO_BAD_INPUT,
                             "block %lld has a coefficient of friction of %g, expected at least 0",
                             (long long)index, share[i]);
    bool box = block->kind == RICO_BOX;
    if (box && (!(block->low <= block->high) || block->low == INFINITY || block->high == -INFINITY))
        return rico_fail(ctx, RICO_BAD_INPUT, "block %lld is a box from %g to %g", (long long)index,
                         block->low, block->high);
    return RICO_OK;
}


static rico_status check_view(rico_context *ctx, const rico_limit_view *view)
{
    if (view->facets != 0 && (view->facets < 3 || view->facets > RICO_LIMIT_FACETS))
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "a pyramid of %d facets, expected 3 to %d, or 0 for the cone", view->facets,
                         RICO_LIMIT_FACETS);
    if (!(view->friction >= 0.0 && isfinite(view->friction)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a coefficient of friction of %g, expected at least 0",
                         view->friction);
    if (view->smooth && view->friction > 0.0)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "contacts without friction and with a coefficient of %g at once", view->friction);
    return RICO_OK;
}


static rico_status check(rico_context *ctx, const rico_limit_given *given)
{
    int64_t rows = 0;
    rico_status status = check_view(ctx, &given->view);
    for (int64_t k = 0; status == RICO_OK && k < given->block_count; k++) {
        status = check_block(ctx, &given->blocks[k], k);
        rows += given->blocks[k].size;
    }
    if (status == RICO_OK && rows != given->H.cols)
        status = rico_fail(ctx, RICO_BAD_INPUT, "the blocks have %lld rows, and H %lld columns",
                           (long long)rows, (long long)given->H.cols);
    if (status == RICO_OK) status = check_loads(ctx, "dead", given->H.rows, given->dead);
    if (status == RICO_OK) status = check_loads(ctx, "live", given->H.rows, given->live);
    for (int64_t i = 0; status == RICO_OK && given->body_of && i < given->H.rows; i++)
        if (given->body_of[i] < -1 || given->body_of[i] >= given->body_count)
            status = rico_fail(ctx, RICO_BAD_INPUT, "degree of freedom %lld is of body %lld, of %lld",
                               (long long)i, (long long)given->body_of[i], (long long)given->body_count);
    return status;
}


// --- making --------------------------------------------------------------------------------------------------------

static void look(const rico_limit_view *view, rico_block *block)
{
    if (view->smooth) block->friction = block->friction_2 = block->rolling = block->spinning = 0.0;
    if (view->friction > 0.0 && block->friction > 0.0) block->friction = view->friction;
    if (view->friction > 0.0 && block->friction_2 > 0.0) block->friction_2 = view->friction;
}


static rico_status copy_names(rico_limit *limit, const rico_limit_given *given)
{
    char own[32];
    for (int64_t k = 0; k < limit->block_count; k++) {
        snprintf(own, sizeof own, "block-%lld", (long long)k + 1);
        limit->block_name[k] = copy_text(limit->ctx, given->block_name ? given->block_name[k] : own);
        if (!limit->block_name[k]) return RICO_NO_MEMORY;
    }
    for (int64_t k = 0; k < limit->body_count; k++) {
        snprintf(own, sizeof own, "body-%lld", (long long)k + 1);
        limit->body_name[k] = copy_text(limit->ctx, given->body_name ? given->body_name[k] : own);
        if (!limit->body_name[k]) return RICO_NO_MEMORY;
    }
    return RICO_OK;
}


static rico_status allocate(rico_limit *limit)
{
    rico_context *ctx = limit->ctx;
    int64_t n = limit->dofs, m = limit->rows, blocks = limit->block_count;
    limit->block = rico_alloc(ctx, blocks, sizeof *limit->block);
    limit->block_row = rico_alloc(ctx, blocks + 1, sizeof *limit->block_row);
    limit->block_constraint = rico_alloc(ctx, blocks, sizeof *limit->block_constraint);
    limit->block_name = rico_alloc(ctx, blocks, sizeof *limit->block_name);
    limit->body_name = rico_alloc(ctx, limit->body_count, sizeof *limit->body_name);
    limit->body_of = rico_alloc(ctx, n, sizeof *limit->body_of);
    limit->dead = rico_alloc(ctx, 4 * n + 2 * m, sizeof *limit->dead);
    if (!limit->block || !limit->block_row || !limit->block_constraint || !limit->block_name ||
        !limit->body_name || !limit->body_of || !limit->dead)
        return RICO_NO_MEMORY;
    limit->live = limit->dead + n;
    limit->velocity = limit->live + n;
    limit->force = limit->velocity + n;
    limit->work = limit->force + m;
    return RICO_OK;
}


rico_status rico_limit_create(rico_context *ctx, const rico_limit_given *given, rico_limit **out)
{
    rico_status status = check(ctx, given);
    if (status != RICO_OK) return status;
    rico_limit *limit = rico_alloc(ctx, 1, sizeof *limit);
    if (!limit) return RICO_NO_MEMORY;
    *limit = (rico_limit){.ctx = ctx,
                          .view = given->view,
                          .dofs = given->H.rows,
                          .rows = given->H.cols,
                          .block_count = given->block_count,
                          .body_count = given->body_count};
    status = rico_csc_from_view(ctx, "H", &given->H, &limit->H);
    if (status == RICO_OK) status = allocate(limit);
    if (status == RICO_OK) status = copy_names(limit, given);
    if (status != RICO_OK) {
        rico_limit_destroy(limit);
        return status;
    }
    for (int64_t k = 0; k < limit->block_count; k++) {
        limit->block[k] = given->blocks[k];
        look(&limit->view, &limit->block[k]);
        limit->block_row[k + 1] = limit->block_row[k] + given->blocks[k].size;
        limit->block_constraint[k] = -1;
    }
    for (int64_t i = 0; i < limit->dofs; i++) {
        limit->body_of[i] = given->body_of ? given->body_of[i] : -1;
        limit->dead[i] = given->dead ? given->dead[i] : 0.0;
        limit->live[i] = given->live ? given->live[i] : 0.0;
    }
    *out = limit;
    return RICO_OK;
}


void rico_limit_forget(rico_limit *limit)
{
    rico_limit_program_release(limit->ctx, &limit->held);
}


void rico_limit_destroy(rico_limit *limit)
{
    if (!limit) return;
    rico_context *ctx = limit->ctx;
    rico_limit_forget(limit);
    for (int64_t k = 0; limit->block_name && k < limit->block_count; k++)
        rico_free(ctx, limit->block_name[k]);
    for (int64_t k = 0; limit->body_name && k < limit->body_count; k++) rico_free(ctx, limit->body_name[k]);
    rico_csc_destroy(&limit->H);
    void *all[] = {limit->block,
                   limit->block_row,
                   limit->block_constraint,
                   limit->block_name,
                   limit->body_name,
                   limit->body_of,
                   limit->dead,
                   limit};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
}


// --- looking -------------------------------------------------------------------------------------------------------

int64_t rico_limit_dofs(const rico_limit *limit)
{
    return limit->dofs;
}


int64_t rico_limit_rows(const rico_limit *limit)
{
    return limit->rows;
}


int64_t rico_limit_block_count(const rico_limit *limit)
{
    return limit->block_count;
}


rico_block rico_limit_block(const rico_limit *limit, int64_t block)
{
    return limit->block[block];
}


int64_t rico_limit_block_row(const rico_limit *limit, int64_t block)
{
    return limit->block_row[block];
}


const char *rico_limit_block_name(const rico_limit *limit, int64_t block)
{
    return limit->block_name[block];
}


int64_t rico_limit_block_constraint(const rico_limit *limit, int64_t block)
{
    return limit->block_constraint[block];
}


int64_t rico_limit_body_count(const rico_limit *limit)
{
    return limit->body_count;
}


const char *rico_limit_body_name(const rico_limit *limit, int64_t body)
{
    return limit->body_name[body];
}


int64_t rico_limit_body_of(const rico_limit *limit, int64_t dof)
{
    return limit->body_of[dof];
}


rico_sparse_view rico_limit_matrix(const rico_limit *limit)
{
    return rico_csc_view(&limit->H);
}


const double *rico_limit_dead(const rico_limit *limit)
{
    return limit->dead;
}


const double *rico_limit_live(const rico_limit *limit)
{
    return limit->live;
}


rico_status rico_limit_set_dead(rico_limit *limit, const double *dead)
{
    rico_status status = check_loads(limit->ctx, "dead", limit->dofs, dead);
    if (status != RICO_OK) return status;
    memcpy(limit->dead, dead, (size_t)limit->dofs * sizeof *dead);
    rico_limit_forget(limit);
    return RICO_OK;
}


rico_status rico_limit_set_live(rico_limit *limit, const double *live)
{
    rico_status status = check_loads(limit->ctx, "live", limit->dofs, live);
    if (status != RICO_OK) return status;
    memcpy(limit->live, live, (size_t)limit->dofs * sizeof *live);
    rico_limit_forget(limit);
    return RICO_OK;
}


// Bodies that a block touches, in the order of its entries: the first, and whether there are others.
static int64_t first_body(const rico_limit *limit, int64_t block, int64_t from, bool *more)
{
    int64_t first = -1;
    *more = false;
    for (int64_t at = limit->H.start[limit->block_row[block]];
         at < limit->H.start[limit->block_row[block + 1]]; at++) {
        int64_t body = limit->body_of[limit->H.row[at]];
        if (body < 0 || body == from) continue;
        if (first >= 0 && body != first) *more = true;
        if (first < 0) first = body;
    }
    return first;
}


static int64_t root_of(int64_t *parent, int64_t body)
{
    while (parent[body] != body) body = parent[body] = parent[parent[body]];
    return body;
}


// Bodies that blocks hold together are one; a block of one body alone holds it to what stands.
int64_t rico_limit_floating(const rico_limit *limit)
{
    int64_t count = limit->body_count, found = -1;
    int64_t *parent = rico_alloc(limit->ctx, count + 1, sizeof *parent);
    if (!parent) return -1;
    for (int64_t b = 0; b <= count; b++) parent[b] = b;
    for (int64_t k = 0; k < limit->block_count; k++) {
        bool more;
        int64_t a = first_body(limit, k, -1, &more);
        if (a < 0) continue;
        int64_t b = more ? first_body(limit, k, a, &more) : count;
        parent[root_of(parent, a)] = root_of(parent, b);
    }
    for (int64_t b = 0; b < count && found < 0; b++)
        if (root_of(parent, b) != root_of(parent, count)) found = b;
    rico_free(limit->ctx, parent);
    return found;
}


double rico_limit_force_size(const rico_limit *limit, double lambda)
{
    double *largest = limit->work, size = 0.0;
    memset(largest, 0, (size_t)limit->dofs * sizeof *largest);
    for (int64_t k = 0; k < rico_csc_count(&limit->H); k++)
        largest[limit->H.row[k]] = fmax(largest[limit->H.row[k]], fabs(limit->H.value[k]));
    for (int64_t i = 0; i < limit->dofs; i++)
        if (largest[i] > 0.0) size = fmax(size, fabs(limit->dead[i] + lambda * limit->live[i]) / largest[i]);
    return size;
}
