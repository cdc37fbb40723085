// States as records, which travel between ranks and make simulations of other bodies.

#include "space.h"

#include "la/dense.h"

#include <stdlib.h>
#include <string.h>


void rico_space_release(rico_context *ctx, rico_space_records *records)
{
    rico_free(ctx, records->body);
    rico_free(ctx, records->contact);
    *records = (rico_space_records){0};
}


static int by_item(const void *a, const void *b)
{
    const rico_space_body *x = a, *y = b;
    return (x->item > y->item) - (x->item < y->item);
}


static int by_key(const void *a, const void *b)
{
    const rico_space_contact *x = a, *y = b;
    rico_contact_key one = x->record.emitted.key, two = y->record.emitted.key;
    return (one > two) - (one < two);
}


void rico_space_sort(rico_space_records *records)
{
    qsort(records->body, (size_t)records->bodies, sizeof *records->body, by_item);
    qsort(records->contact, (size_t)records->contacts, sizeof *records->contact, by_key);
}


rico_space_head rico_space_head_of(const rico_simulation *sim)
{
    rico_space_head head = {.t = *sim->now.t,
                            .late = *sim->now.late,
                            .scale = *sim->now.scale,
                            .steps = sim->steps,
                            .ledger = sim->ledger,
                            .total = sim->total,
                            .stats = sim->stats};
    memcpy(head.worst, sim->now.worst, sizeof head.worst);
    memcpy(head.matrix, sim->matrix, sizeof head.matrix);
    return head;
}


// --- numbers of bodies in contacts ---------------------------------------------------------------------------------

// The first two numbers of a contact's own are its bodies: model/bodies_source.c.
static void number_sides(rico_emitted *emitted, const int32_t *item, const int64_t *origin)
{
    rico_point *both[2] = {&emitted->a, &emitted->b};
    for (int k = 0; k < 2; k++) {
        if (item && both[k]->part >= 0) both[k]->item = item[both[k]->item];
        if (origin) emitted->data[k] = (double)origin[(int64_t)emitted->data[k]];
    }
}


static int64_t place_of_item(const rico_space_local *local, int64_t item)
{
    int64_t low = 0, high = local->count;
    while (high - low > 1) {
        int64_t middle = (low + high) / 2;
        *(local->item[middle] <= item ? &low : &high) = middle;
    }
    return low;
}


static int64_t place_of_body(const rico_space_local *local, int64_t body)
{
    int64_t low = 0, high = local->bodies;
    while (high - low > 1) {
        int64_t middle = (low + high) / 2;
        *(local->origin[middle] <= body ? &low : &high) = middle;
    }
    return low;
}


static void number_sides_here(rico_emitted *emitted, const rico_space_local *local)
{
    rico_point *both[2] = {&emitted->a, &emitted->b};
    for (int k = 0; k < 2; k++) {
        if (both[k]->part >= 0) both[k]->item = place_of_item(local, both[k]->item);
        emitted->data[k] = (double)place_of_body(local, (int64_t)emitted->data[k]);
    }
}


// --- reading -----------------------------------------------------------------------------------------------------

static void read_body(const rico_space *space, int64_t b, rico_space_body *out)
{
    const rico_simulation *sim = space->local.sim;
    size_t q = (size_t)space->all->q_size, v = (size_t)space->all->v_size;
    *out = (rico_space_body){.item = space->local.item[b]};
    memcpy(out->q, sim->now.q + (size_t)b * q, q * sizeof *out->q);
    memcpy(out->v, sim->now.v + (size_t)b * v, v * sizeof *out->v);
    memcpy(out->low, sim->now.low + (size_t)b * q, q * sizeof *out->low);
    memcpy(out->high, sim->now.high + (size_t)b * q, q * sizeof *out->high);
}


static void read_contact(const rico_space *space, int64_t c, rico_space_contact *out)
{
    const rico_simulation *sim = space->local.sim;
    const rico_constraint *constraint = rico_step_constraint(sim, c);
    const rico_state *now = &sim->now;
    size_t size = (size_t)constraint->size * sizeof(double);
    *out = (rico_space_contact){.record = {.emitted = constraint->between, .base = constraint->base},
                                .doing = now->doing[c],
                                .normal_work = now->normal_work[c],
                                .tangential_work = now->tangential_work[c],
                                .bond = now->bond[c],
                                .active = now->active[c]};
    if (!space->every_step) out->memory = space->local.watch->memory[c];
    out->record.emitted.share = NULL;
    number_sides(&out->record.emitted, space->local.item, space->local.origin);
    memcpy(out->p, now->p + constraint->row, size);
    memcpy(out->u, now->u + constraint->row, size);
    memcpy(out->deep, now->deep + constraint->row, size);
    memcpy(out->u_before, now->u_before + constraint->row, size);
}


rico_status rico_space_read(rico_space *space, rico_space_records *out)
{
    const rico_space_local *local = &space->local;
    const rico_simulation *sim = local->sim;
    int64_t constraints = sim ? sim->constraints : 0;
    *out = (rico_space_records){0};
    out->body = rico_alloc(space->own, local->count, sizeof *out->body);
    out->contact = rico_alloc(space->own, constraints, sizeof *out->contact);
    if (!out->body || !out->contact) return RICO_NO_MEMORY;
    for (int64_t b = 0; b < local->count; b++)
        if (local->own[b]) read_body(space, b, &out->body[out->bodies++]);
    for (int64_t c = 0; c < constraints; c++)
        if (rico_space_counts(local, rico_step_constraint(sim, c)))
            read_contact(space, c, &out->contact[out->contacts++]);
    return RICO_OK;
}


// --- writing -----------------------------------------------------------------------------------------------------

static rico_status put_contacts(rico_space *space, rico_simulation *sim, const rico_space_records *from,
                                const rico_space_local *local)
{
    rico_contact_record *list = rico_alloc(space->own, from->contacts, sizeof *list);
    bool changed;
    if (!list) return RICO_NO_MEMORY;
    for (int64_t c = 0; c < from->contacts; c++) {
        list[c] = from->contact[c].record;
        if (local) number_sides_here(&list[c].emitted, local);
    }
    rico_status status = rico_assembly_restore(sim->assembly, from->contacts, list, 0, NULL, &changed);
    if (!status && changed) status = rico_state_adopt(sim, false);
    rico_free(space->own, list);
    if (status) return status;
    rico_state *now = &sim->now;
    for (int64_t c = 0; c < from->contacts; c++) {
        const rico_space_contact *own = &from->contact[c];
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        size_t size = (size_t)constraint->size * sizeof(double);
        memcpy(now->p + constraint->row, own->p, size);
        memcpy(now->u + constraint->row, own->u, size);
        memcpy(now->deep + constraint->row, own->deep, size);
        memcpy(now->u_before + constraint->row, own->u_before, size);
        now->doing[c] = own->doing;
        now->normal_work[c] = own->normal_work;
        now->tangential_work[c] = own->tangential_work;
        now->bond[c] = own->bond;
        now->active[c] = (char)own->active;
    }
    return RICO_OK;
}


void rico_space_put_head(const rico_space *space, rico_simulation *sim)
{
    const rico_space_head *head = &space->head;
    *sim->now.t = head->t;
    *sim->now.late = head->late;
    *sim->now.scale = head->scale;
    memcpy(sim->now.worst, head->worst, sizeof head->worst);
    memcpy(sim->matrix, head->matrix, sizeof head->matrix);
    sim->steps = head->steps;
    sim->ledger = head->ledger;
    sim->total = head->total;
    sim->stats = head->stats;
    sim->contacts.problems = head->stats.contact_problems;
    sim->contacts.solver_calls = head->stats.solver_calls;
    sim->contacts.dense.sweeps = head->stats.sweeps;
    sim->iteration.factorizations = head->stats.factorizations;
    sim->mass.factorizations = 0;
    sim->events.count = 0;
    sim->gap_current = sim->level = false;
}


rico_status rico_space_put(rico_space *space, rico_simulation *sim, const rico_space_records *from,
                           const rico_space_local *local)
{
    size_t q = (size_t)space->all->q_size, v = (size_t)space->all->v_size;
    rico_status status = put_contacts(space, sim, from, local);
    if (status) return status;
    for (int64_t b = 0; b < from->bodies; b++) {
        const rico_space_body *own = &from->body[b];
        size_t at = local ? (size_t)b : (size_t)own->item;
        memcpy(sim->now.q + at * q, own->q, q * sizeof(double));
        memcpy(sim->now.v + at * v, own->v, v * sizeof(double));
        memcpy(sim->now.low + at * q, own->low, q * sizeof(double));
        memcpy(sim->now.high + at * q, own->high, q * sizeof(double));
    }
    rico_space_put_head(space, sim);
    sim->span = rico_norm_inf(sim->nq, sim->now.q);
    return RICO_OK;
}
