// The structure that a mechanical system is in a state of rest: which contacts touch, what acts, and who is who.

#include "limit/limit.h"
#include "model/assembly.h"
#include "model/bodies.h"
#include "model/elastic.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double TOUCHING =
    1e-6; // gap of a contact that touches, over the size of the bodies, unless told otherwise
enum { NAME = 112 };

typedef struct draft {
    rico_context *ctx;
    rico_assembly *assembly;
    const rico_bodies *bodies; // whose contacts have keys, or NULL
    int64_t bodies_source;
    int64_t count; // blocks
    int64_t *constraint;
    rico_block *block;
    char (*name)[NAME];
    const char **block_name;
    int64_t body_count;
    char (*body)[NAME];
    const char **body_name;
    int64_t *body_of;
    double *dead, *gap, *still;
    int64_t pair_room; // contacts between two bodies
    struct {
        int64_t a, b, count;
    } * pair;
} draft;


// --- refusals ------------------------------------------------------------------------------------------------------

static rico_status check_system(const rico_system *system)
{
    for (int64_t p = 0; p < system->part_count; p++) {
        const rico_part *part = system->part[p];
        const rico_bodies *bodies = rico_part_bodies(part);
        if (part->kind == &rico_elastic_kind || part->kind == &rico_elastic_turning_kind)
            return rico_fail(system->ctx, RICO_UNSUPPORTED,
                             "%s is elastic: statics of rigid bodies knows no stiffness; 'scheme: "
                             "quasi-static' follows a load",
                             part->name);
        if (bodies && bodies->beam_count > 0)
            return rico_fail(system->ctx, RICO_UNSUPPORTED,
                             "the bodies have beams: statics of rigid bodies knows no stiffness; 'scheme: "
                             "quasi-static' follows a load");
    }
    return RICO_OK;
}


static rico_status check_constraint(const rico_constraint *c, rico_context *ctx)
{
    if (c->box.acts && c->box.groups > 0)
        return rico_fail(ctx, RICO_UNSUPPORTED,
                         "%s: friction of a joint grows with its reaction either way, which no cone says; "
                         "leave it out or use contacts",
                         c->name);
    return RICO_OK;
}


// --- blocks --------------------------------------------------------------------------------------------------------

// The cone of a joint or contact: here alone a constraint becomes a block.
static rico_block block_of(const rico_constraint *c)
{
    static const rico_block_kind KINDS[] = {RICO_UNILATERAL, RICO_COULOMB_2D, RICO_COULOMB_3D};
    if (c->box.acts)
        return (rico_block){.kind = RICO_BOX, .size = 1, .low = -c->box.force, .high = c->box.force};
    if (c->joint) return (rico_block){.kind = RICO_EQUALITY, .size = c->size};
    return (rico_block){.kind = KINDS[c->size - 1], .size = c->size, .friction = c->friction};
}


// The size that gaps are small against: of the bodies, else of the positions.
static double size_of(const rico_system *system, const double *q)
{
    double size = 0.0;
    for (int64_t p = 0; p < system->part_count; p++) {
        const rico_bodies *bodies = rico_part_bodies(system->part[p]);
        for (int64_t b = 0; bodies && b < bodies->count; b++) {
            const rico_shape *shape = bodies->body[b].given.shape;
            if (shape && isfinite(shape->reach)) size = fmax(size, shape->reach);
        }
    }
    for (int64_t i = 0; size == 0.0 && i < system->nq; i++) size = fmax(size, fabs(q[i]));
    return size > 0.0 ? size : 1.0;
}


// How many contacts of a pair of bodies were named before: an open table of twice as many places as there are constraints.
static int64_t count_pair(draft *d, int64_t a, int64_t b)
{
    uint64_t word = (uint64_t)a * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)b * UINT64_C(0xc2b2ae3d27d4eb4f);
    int64_t at = (int64_t)((word >> 20) % (uint64_t)d->pair_room);
    while (d->pair[at].count > 0 && (d->pair[at].a != a || d->pair[at].b != b)) at = (at + 1) % d->pair_room;
    d->pair[at].a = a;
    d->pair[at].b = b;
    return ++d->pair[at].count;
}


// "a/b.2": the second contact between two bodies, in the order of their keys.
static void name_block(draft *d, const rico_constraint *c, int64_t k)
{
    int64_t a, b;
    uint32_t feature[2];
    snprintf(d->name[k], NAME, "%s", c->name);
    if (!d->bodies || c->source != d->bodies_source) return;
    rico_bodies_contact(d->bodies, c->key, &a, &b, &feature[0], &feature[1]);
    snprintf(d->name[k], NAME, "%.40s/%.40s.%lld", rico_bodies_name(d->bodies, a),
             rico_bodies_name(d->bodies, b), (long long)count_pair(d, a, b));
}


static rico_status take_blocks(draft *d, double touching)
{
    const rico_contact_set *set = &d->assembly->set;
    for (int64_t c = 0; c < set->count; c++) {
        const rico_constraint *own = set->constraint[c];
        rico_status status = check_constraint(own, d->ctx);
        if (status != RICO_OK) return status;
        if (!own->joint && !(d->gap[own->row] <= touching)) continue;
        d->constraint[d->count] = c;
        d->block[d->count] = block_of(own);
        name_block(d, own, d->count);
        d->block_name[d->count] = d->name[d->count];
        d->count++;
    }
    return RICO_OK;
}


// --- bodies --------------------------------------------------------------------------------------------------------

static void take_bodies(draft *d)
{
    const rico_system *system = d->assembly->system;
    for (int64_t p = 0; p < system->part_count; p++) {
        const rico_part *part = system->part[p];
        const rico_bodies *bodies = rico_part_bodies(part);
        int64_t first = d->body_count;
        if (!bodies) snprintf(d->body[d->body_count++], NAME, "%s", part->name);
        for (int64_t i = 0; !bodies && i < part->place.v_size; i++) d->body_of[part->place.v + i] = first;
        for (int64_t b = 0; bodies && b < bodies->count; b++) {
            if (bodies->body[b].item < 0) continue;
            for (int i = 0; i < bodies->v_size; i++)
                d->body_of[part->place.v + bodies->body[b].v + i] = d->body_count;
            snprintf(d->body[d->body_count++], NAME, "%s", bodies->body[b].name);
        }
        if (bodies) d->bodies = bodies;
    }
    for (int64_t b = 0; b < d->body_count; b++) d->body_name[b] = d->body[b];
    // the source of their contacts: its user is the set
    d->bodies_source = -1;
    for (int64_t s = 0; d->bodies && s < system->source_count; s++)
        if (system->source[s].given.user == (const void *)d->bodies) d->bodies_source = s;
}


// --- making --------------------------------------------------------------------------------------------------------

static rico_status begin(draft *d, rico_system *system, double t, const double *q)
{
    rico_context *ctx = d->ctx;
    bool changed;
    rico_status status = rico_assembly_create(ctx, system, &d->assembly);
    if (status != RICO_OK) return status;
    d->still = rico_alloc(ctx, system->nv, sizeof *d->still);
    if (!d->still) return RICO_NO_MEMORY;
    status = rico_assembly_collect(d->assembly, t, 0.0, q, d->still, &changed);
    if (status != RICO_OK) return status;
    int64_t count = d->assembly->set.count, bodies = system->part_count;
    for (int64_t p = 0; p < system->part_count; p++) {
        const rico_bodies *set = rico_part_bodies(system->part[p]);
        bodies += set ? set->free : 0;
    }
    d->constraint = rico_alloc(ctx, count, sizeof *d->constraint);
    d->block = rico_alloc(ctx, count, sizeof *d->block);
    d->name = rico_alloc(ctx, count, sizeof *d->name);
    d->block_name = rico_alloc(ctx, count, sizeof *d->block_name);
    d->body = rico_alloc(ctx, bodies, sizeof *d->body);
    d->body_name = rico_alloc(ctx, bodies, sizeof *d->body_name);
    d->body_of = rico_alloc(ctx, system->nv, sizeof *d->body_of);
    d->dead = rico_alloc(ctx, 2 * system->nv, sizeof *d->dead);
    d->gap = rico_alloc(ctx, d->assembly->set.rows, sizeof *d->gap);
    d->pair_room = 2 * count + 1;
    d->pair = rico_alloc(ctx, d->pair_room, sizeof *d->pair);
    return d->constraint && d->block && d->name && d->block_name && d->body && d->body_name && d->body_of &&
                   d->dead && d->gap && d->pair
               ? RICO_OK
               : RICO_NO_MEMORY;
}


static void release(draft *d)
{
    void *all[] = {d->constraint, d->block, d->name, d->block_name, d->body, d->body_name,
                   d->body_of,    d->dead,  d->gap,  d->still,      d->pair};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(d->ctx, all[i]);
    rico_assembly_destroy(d->assembly);
}


static rico_status take_loads(draft *d, double t, const double *q)
{
    double *load = d->dead + d->assembly->nv;
    rico_status status = rico_assembly_forces(d->assembly, t, q, d->still, d->dead, NULL, NULL);
    if (status == RICO_OK) status = rico_assembly_load(d->assembly, t, load);
    for (int64_t i = 0; status == RICO_OK && i < d->assembly->nv; i++) d->dead[i] += load[i];
    return status;
}


// The columns of H that belong to the blocks.
static rico_status take_columns(const draft *d, rico_csc *H)
{
    const rico_csc *whole = &d->assembly->H;
    int64_t cols = 0, entries = 0;
    for (int64_t k = 0; k < d->count; k++) {
        int64_t row = d->assembly->set.constraint[d->constraint[k]]->row;
        cols += d->block[k].size;
        entries += whole->start[row + d->block[k].size] - whole->start[row];
    }
    *H = (rico_csc){.ctx = d->ctx, .rows = d->assembly->nv, .cols = cols};
    H->start = rico_alloc(d->ctx, cols + 1, sizeof *H->start);
    H->row = rico_alloc(d->ctx, entries, sizeof *H->row);
    H->value = rico_alloc(d->ctx, entries, sizeof *H->value);
    if (!H->start || !H->row || !H->value) return RICO_NO_MEMORY;
    int64_t col = 0, to = 0;
    for (int64_t k = 0; k < d->count; k++) {
        int64_t row = d->assembly->set.constraint[d->constraint[k]]->row;
        for (int64_t j = row; j < row + d->block[k].size; j++) {
            for (int64_t at = whole->start[j]; at < whole->start[j + 1]; at++, to++) {
                H->row[to] = whole->row[at];
                H->value[to] = whole->value[at];
            }
            H->start[++col] = to;
        }
    }
    return RICO_OK;
}


static rico_status make(draft *d, const rico_limit_view *view, rico_limit **out)
{
    rico_csc H = {0};
    rico_status status = take_columns(d, &H);
    if (status == RICO_OK) {
        rico_limit_given given = {.H = rico_csc_view(&H),
                                  .block_count = d->count,
                                  .blocks = d->block,
                                  .dead = d->dead,
                                  .block_name = d->block_name,
                                  .body_count = d->body_count,
                                  .body_name = d->body_name,
                                  .body_of = d->body_of};
        if (view) given.view = *view;
        status = rico_limit_create(d->ctx, &given, out);
    }
    for (int64_t k = 0; status == RICO_OK && k < d->count; k++)
        (*out)->block_constraint[k] = d->constraint[k];
    rico_csc_destroy(&H);
    return status;
}


rico_status rico_limit_create_at(rico_system *system, double t, const double *q, double touching,
                                 const rico_limit_view *view, rico_limit **out)
{
    if (!(touching >= 0.0))
        return rico_fail(system->ctx, RICO_BAD_ARGUMENT,
                         "gaps of contacts that touch up to %g, expected at least 0", touching);
    draft d = {.ctx = system->ctx};
    rico_status status = rico_system_complete(system);
    if (status == RICO_OK) status = check_system(system);
    if (status == RICO_OK) status = begin(&d, system, t, q);
    if (status == RICO_OK) status = rico_assembly_frames(d.assembly, t, q);
    if (status == RICO_OK) status = rico_assembly_gaps(d.assembly, t, q, d.gap);
    if (status == RICO_OK) {
        take_bodies(&d);
        status = take_blocks(&d, touching > 0.0 ? touching : TOUCHING * size_of(system, q));
    }
    if (status == RICO_OK) status = take_loads(&d, t, q);
    if (status == RICO_OK) status = make(&d, view, out);
    release(&d);
    return status;
}
