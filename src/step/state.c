// The state of a simulation: laid out for the contacts of the step, saved and restored as bytes.
//
// One kind of saved state serves checkpoints, runs that try steps again, and a step that fails: the block of numbers that
// later steps depend on, what can be read of the last step, and the contacts that the sources had emitted, with what the
// sources remember.

#include "la/dense.h"
#include "step/simulation.h"

#include <math.h>
#include <string.h>

enum { HEADER = 7 }; // t, late, scale and the worst of contacts that come and go, in front of a state


static int64_t head_size(const rico_simulation *sim)
{
    return HEADER + 3 * sim->nq + sim->nv + sim->extra_size;
}


// Numbers of the tail; the flags come after them.
static int64_t tail_numbers(const rico_simulation *sim, int64_t rows, int64_t constraints)
{
    return (4 + sim->scheme->row_own) * rows + (4 + sim->scheme->constraint_own) * constraints;
}


static int64_t tail_size(const rico_simulation *sim, int64_t rows, int64_t constraints)
{
    return tail_numbers(sim, rows, constraints) + (constraints + 7) / 8;
}


static void point_head(const rico_simulation *sim, rico_state *state)
{
    state->t = state->head;
    state->late = state->head + 1;
    state->scale = state->head + 2;
    state->worst = state->head + 3;
    state->q = state->head + HEADER;
    state->v = state->q + sim->nq;
    state->extra = state->v + sim->nv;
    state->low = state->extra + sim->extra_size;
    state->high = state->low + sim->nq;
}


static void point_tail(const rico_simulation *sim, rico_state *state)
{
    state->p = state->tail;
    state->u = state->p + sim->rows;
    state->deep = state->u + sim->rows;
    state->u_before = state->deep + sim->rows;
    state->doing = state->u_before + sim->rows;
    state->normal_work = state->doing + sim->constraints;
    state->tangential_work = state->normal_work + sim->constraints;
    state->bond = state->tangential_work + sim->constraints;
    state->row_own = state->bond + sim->constraints;
    state->constraint_own = state->row_own + sim->scheme->row_own * sim->rows;
    state->active = (char *)(state->constraint_own + sim->scheme->constraint_own * sim->constraints);
}


rico_status rico_state_create(rico_simulation *sim)
{
    sim->now.head = rico_alloc(sim->ctx, head_size(sim), sizeof(double));
    sim->next.head = rico_alloc(sim->ctx, head_size(sim), sizeof(double));
    if (!sim->now.head || !sim->next.head) return RICO_NO_MEMORY;
    point_head(sim, &sim->now);
    point_head(sim, &sim->next);
    return rico_state_adopt(sim, false);
}


void rico_state_destroy(rico_simulation *sim)
{
    void *all[] = {sim->now.head, sim->now.tail, sim->next.head, sim->next.tail, sim->u_after,
                   sim->gap,      sim->w_before, sim->w_after,   sim->shift,     sim->offset,
                   sim->blow,     sim->u_last,   sim->posed,     sim->hit};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(sim->ctx, all[i]);
}


static void copy_state(const rico_simulation *sim, const rico_state *from, rico_state *to)
{
    memcpy(to->head, from->head, (size_t)head_size(sim) * sizeof *to->head);
    memcpy(to->tail, from->tail, (size_t)tail_size(sim, sim->rows, sim->constraints) * sizeof *to->tail);
}


void rico_state_clear(rico_simulation *sim)
{
    memset(sim->next.head, 0, (size_t)head_size(sim) * sizeof *sim->next.head);
    memset(sim->next.tail, 0, (size_t)tail_size(sim, sim->rows, sim->constraints) * sizeof *sim->next.tail);
    copy_state(sim, &sim->next, &sim->now);
    sim->level = false;
}


void rico_state_accept(rico_simulation *sim)
{
    copy_state(sim, &sim->next, &sim->now);
    sim->level = true;
}


void rico_state_level(rico_simulation *sim)
{
    if (!sim->level) copy_state(sim, &sim->now, &sim->next);
    sim->level = false;
}


// Room for what has an entry for each row or constraint of a step; nothing in it survives.
static rico_status reserve(rico_simulation *sim)
{
    rico_context *ctx = sim->ctx;
    int64_t rows = sim->assembly->set.rows, count = sim->assembly->set.count;
    double **by_row[] = {&sim->u_after, &sim->gap,    &sim->w_before, &sim->w_after,
                         &sim->shift,   &sim->offset, &sim->blow,     &sim->u_last};
    bool whole = true;
    if (rows > sim->row_room || !sim->posed) {
        int64_t room = sim->posed ? rows + rows / 2 : rows;
        for (size_t i = 0; whole && i < sizeof by_row / sizeof *by_row; i++)
            whole = rico_renew(ctx, by_row[i], room, sizeof(double));
        whole = whole && rico_renew(ctx, &sim->posed, sim->nv + room, sizeof(double));
        if (whole) sim->row_room = room;
    }
    if (whole && (count > sim->constraint_room || !sim->hit)) {
        int64_t room = sim->hit ? count + count / 2 : count;
        whole = rico_renew(ctx, &sim->hit, room, 1);
        if (whole) sim->constraint_room = room;
    }
    return whole ? RICO_OK : RICO_NO_MEMORY;
}


// The row at which a constraint of the set before began.
static int64_t old_row(const rico_simulation *sim, int64_t from)
{
    int64_t fixed = sim->system->constraint_count;
    const rico_contact_set *set = &sim->assembly->set;
    return from < fixed ? sim->system->constraint[from]->row : set->next.sorted[from - fixed]->row;
}


// What each contact has from the step before follows it by its key.
static void carry(const rico_simulation *sim, int64_t old_rows, const rico_state *old, rico_state *state)
{
    const rico_contact_set *set = &sim->assembly->set;
    const int64_t own = sim->scheme->constraint_own;
    memset(state->tail, 0, (size_t)tail_size(sim, set->rows, set->count) * sizeof *state->tail);
    for (int64_t c = 0; c < set->count; c++) {
        const rico_constraint *constraint = set->constraint[c];
        int64_t from = set->from[c], row = constraint->row;
        state->doing[c] = RICO_OPEN;
        if (from < 0) continue;
        int64_t before = old_row(sim, from);
        state->doing[c] = old->doing[from];
        state->bond[c] = old->bond[from];
        for (int64_t k = 0; k < own; k++)
            state->constraint_own[c * own + k] = old->constraint_own[from * own + k];
        for (int64_t i = 0; i < constraint->size; i++) {
            state->p[row + i] = old->p[before + i];
            state->u[row + i] = old->u[before + i];
            state->deep[row + i] = old->deep[before + i];
            for (int64_t k = 0; k < sim->scheme->row_own; k++)
                state->row_own[k * sim->rows + row + i] = old->row_own[k * old_rows + before + i];
        }
    }
}


rico_status rico_state_adopt(rico_simulation *sim, bool keep)
{
    rico_context *ctx = sim->ctx;
    rico_status status = reserve(sim);
    if (status != RICO_OK) return status;
    int64_t rows = sim->assembly->set.rows, count = sim->assembly->set.count,
            size = tail_size(sim, rows, count);
    if (size > sim->next_room || !sim->next.tail) {
        int64_t room = sim->next.tail ? size + size / 2 : size;
        if (!rico_renew(ctx, &sim->next.tail, room, sizeof(double))) return RICO_NO_MEMORY;
        sim->next_room = room;
    }
    // what contacts have is laid out anew in next; then the blocks change places
    const rico_state old = sim->now;
    const int64_t old_rows = sim->rows;
    sim->rows = rows;
    sim->constraints = count;
    point_tail(sim, &sim->next);
    if (keep) carry(sim, old_rows, &old, &sim->next);
    int64_t old_room = sim->now_room;
    sim->now.tail = sim->next.tail;
    sim->now_room = sim->next_room;
    sim->next.tail = old.tail;
    sim->next_room = old_room;
    if (size > sim->next_room || !sim->next.tail) {
        if (!rico_renew(ctx, &sim->next.tail, sim->now_room, sizeof(double))) return RICO_NO_MEMORY;
        sim->next_room = sim->now_room;
    }
    point_tail(sim, &sim->now);
    point_tail(sim, &sim->next);
    sim->level = false;
    sim->u_before = sim->next.u_before;
    sim->active = sim->next.active;
    if (sim->contacts.ctx) status = rico_contacts_resize(&sim->contacts);
    if (status == RICO_OK && sim->scheme->resize && sim->created) status = sim->scheme->resize(sim);
    return status;
}


rico_status rico_step_collect(rico_simulation *sim, double h)
{
    bool changed;
    if (sim->system->source_count == 0) return RICO_OK;
    rico_status status =
        rico_assembly_collect(sim->assembly, *sim->now.t, h, sim->now.q, sim->now.v, &changed);
    if (status == RICO_OK && changed) status = rico_state_adopt(sim, true);
    if (status == RICO_OK) {
        sim->frictional = false;
        for (int64_t c = 0; c < sim->constraints; c++)
            sim->frictional |= sim->assembly->set.constraint[c]->friction > 0.0;
    }
    return status;
}


// --- as bytes ------------------------------------------------------------------------------------------------------

// What a saved state holds in front of its numbers.
typedef struct saved {
    int64_t head, rows, constraints, emitted, shares,
        memory; // numbers, rows, constraints, contacts, items that these are spread over, bytes of the sources
    int64_t steps;
    int64_t rest; // of sweeps on many contacts: steps for which they are not tried
    int64_t kept; // velocities at which the inverse of the matrix is kept: compliance.h
    double weight[3];
    rico_ledger ledger, total;
    rico_step_stats stats;
    double matrix[3];
} saved;


static int64_t padded(int64_t bytes)
{
    return (bytes + 7) / 8 * 8;
}


static int64_t memory_size(const rico_simulation *sim)
{
    int64_t sum = 0;
    for (int64_t s = 0; s < sim->system->source_count; s++) {
        const rico_contact_source *source = &sim->system->source[s].given;
        sum += (int64_t)sizeof(int64_t);
        if (source->create) sum += padded(source->state_size(source->user, sim->assembly->set.memory[s]));
    }
    return sum;
}


static int64_t numbers(const rico_simulation *sim, const saved *head)
{
    return head->head + tail_size(sim, head->rows, head->constraints);
}


static int64_t contacts_size(const saved *head)
{
    return head->emitted * (int64_t)sizeof(rico_contact_record) +
           head->shares * (int64_t)sizeof(rico_contact_share);
}


static int64_t total_size(const rico_simulation *sim, const saved *head)
{
    return (int64_t)sizeof *head + numbers(sim, head) * (int64_t)sizeof(double) + contacts_size(head) +
           head->memory + head->kept * (int64_t)sizeof(int64_t);
}


static saved describe(const rico_simulation *sim)
{
    saved head;
    memset(&head, 0, sizeof head);
    head.head = head_size(sim);
    head.rows = sim->rows;
    head.constraints = sim->constraints;
    head.emitted = sim->assembly->set.now.count;
    head.shares = sim->assembly->set.now.shares;
    head.memory = memory_size(sim);
    head.steps = sim->steps;
    head.rest = sim->contacts.sparse.rest;
    head.kept = sim->contacts.sparse.compliance.listed;
    memcpy(head.weight, sim->contacts.sparse.compliance.weight, sizeof head.weight);
    head.ledger = sim->ledger;
    head.total = sim->total;
    head.stats = sim->stats;
    memcpy(head.matrix, sim->matrix, sizeof head.matrix);
    return head;
}


int64_t rico_simulation_state_size(const rico_simulation *sim)
{
    saved head = describe(sim);
    return total_size(sim, &head);
}


// Writes a piece and moves on; reads one likewise.
static char *put(char *at, const void *from, int64_t bytes)
{
    if (bytes > 0) memcpy(at, from, (size_t)bytes);
    return at + bytes;
}


static const char *get(const char *at, void *to, int64_t bytes)
{
    if (bytes > 0) memcpy(to, at, (size_t)bytes);
    return at + bytes;
}


void rico_simulation_save(const rico_simulation *sim, void *bytes)
{
    const saved head = describe(sim);
    const int64_t real = (int64_t)sizeof(double);
    memset(bytes, 0, (size_t)total_size(sim, &head));
    char *at = put(bytes, &head, (int64_t)sizeof head);
    at = put(at, sim->now.head, head.head * real);
    at = put(at, sim->now.tail, tail_size(sim, head.rows, head.constraints) * real);
    if (head.emitted > 0) rico_assembly_record(sim->assembly, (rico_contact_record *)(void *)at);
    char *shares = at + head.emitted * (int64_t)sizeof(rico_contact_record);
    if (head.shares > 0) rico_assembly_shares(sim->assembly, (rico_contact_share *)(void *)shares);
    at += contacts_size(&head);
    for (int64_t s = 0; s < sim->system->source_count; s++) {
        const rico_contact_source *source = &sim->system->source[s].given;
        void *memory = sim->assembly->set.memory[s];
        int64_t size = source->create ? source->state_size(source->user, memory) : 0;
        at = put(at, &size, (int64_t)sizeof size);
        if (source->create) source->save(source->user, memory, at);
        at += padded(size);
    }
    put(at, sim->contacts.sparse.compliance.list, head.kept * (int64_t)sizeof(int64_t));
}


static rico_status load_memories(rico_simulation *sim, const char *at, const char *end)
{
    for (int64_t s = 0; s < sim->system->source_count; s++) {
        const rico_bound_source *source = &sim->system->source[s];
        int64_t size = 0;
        if (end - at < (int64_t)sizeof size)
            return rico_fail(sim->ctx, RICO_BAD_INPUT, "a saved state ends within the memory of source %s",
                             source->name);
        at = get(at, &size, (int64_t)sizeof size);
        if (size < 0 || size > end - at)
            return rico_fail(sim->ctx, RICO_BAD_INPUT, "a saved state has %lld bytes for source %s",
                             (long long)size, source->name);
        if (source->given.create &&
            !source->given.load(source->given.user, sim->assembly->set.memory[s], at, size))
            return rico_fail(sim->ctx, RICO_BAD_INPUT, "the saved memory of source %s was refused",
                             source->name);
        at += padded(size);
    }
    return RICO_OK;
}


// Contacts and numbers from bytes that were checked.
static rico_status unpack(rico_simulation *sim, const saved *head, const char *bytes)
{
    const int64_t real = (int64_t)sizeof(double);
    const char *at = bytes + sizeof *head, *end = bytes + total_size(sim, head);
    const char *records = at + numbers(sim, head) * real;
    const char *shares = records + head->emitted * (int64_t)sizeof(rico_contact_record);
    bool changed;
    rico_status status = rico_assembly_restore(
        sim->assembly, head->emitted, (const rico_contact_record *)(const void *)records, head->shares,
        (const rico_contact_share *)(const void *)shares, &changed);
    if (status == RICO_OK && changed) status = rico_state_adopt(sim, false);
    end -= head->kept * (int64_t)sizeof(int64_t);
    if (status == RICO_OK) status = load_memories(sim, records + contacts_size(head), end);
    if (status == RICO_OK)
        status = rico_compliance_recall(&sim->contacts.sparse.compliance, sim->ctx, sim->nv, head->weight,
                                        head->kept, (const int64_t *)(const void *)end);
    if (status == RICO_OK && head->rows != sim->rows)
        status = rico_fail(sim->ctx, RICO_BAD_INPUT, "a saved state of %lld rows, expected %lld",
                           (long long)head->rows, (long long)sim->rows);
    if (status != RICO_OK) return status;
    sim->level = false;
    at = get(at, sim->now.head, head->head * real);
    get(at, sim->now.tail, tail_size(sim, head->rows, head->constraints) * real);
    sim->steps = head->steps;
    sim->contacts.sparse.rest = (int)head->rest;
    sim->ledger = head->ledger;
    sim->total = head->total;
    sim->stats = head->stats;
    memcpy(sim->matrix, head->matrix, sizeof sim->matrix);
    sim->contacts.problems = head->stats.contact_problems;
    sim->contacts.solver_calls = head->stats.solver_calls;
    sim->contacts.dense.sweeps = head->stats.sweeps;
    sim->iteration.factorizations = head->stats.factorizations;
    sim->mass.factorizations = 0;
    if (sim->nq != sim->nv) sim->span = rico_norm_inf(sim->nq, sim->now.q);
    sim->gap_current = false;
    return RICO_OK;
}


rico_status rico_step_remember(rico_simulation *sim, rico_snapshot *to)
{
    int64_t size = rico_simulation_state_size(sim);
    if (size > to->room) {
        rico_free(sim->ctx, to->bytes);
        to->bytes = rico_alloc(sim->ctx, size + size / 2, 1);
        to->room = to->bytes ? size + size / 2 : 0;
        if (!to->bytes) return RICO_NO_MEMORY;
    }
    rico_simulation_save(sim, to->bytes);
    return RICO_OK;
}


rico_status rico_step_restore(rico_simulation *sim, const rico_snapshot *from)
{
    saved head;
    memcpy(&head, from->bytes, sizeof head);
    return unpack(sim, &head, from->bytes);
}


double rico_snapshot_time(const rico_snapshot *snapshot)
{
    return *(const double *)(const void *)(snapshot->bytes + sizeof(saved));
}


const double *rico_snapshot_position(const rico_snapshot *snapshot)
{
    return (const double *)(const void *)(snapshot->bytes + sizeof(saved)) + HEADER;
}


// Sizes that fit the bytes and the system, numbers that are some.
static rico_status check(const rico_simulation *sim, const saved *head, const char *bytes, int64_t size)
{
    rico_context *ctx = sim->ctx;
    int64_t fixed = sim->system->constraint_count;
    bool sound = head->rows >= sim->system->rows && head->constraints >= fixed && head->emitted >= 0 &&
                 head->memory >= 0 && head->emitted == head->constraints - fixed && head->rows <= size / 8 &&
                 head->constraints <= size / 8 && head->memory <= size && head->head == head_size(sim) &&
                 head->shares >= 0 && head->shares <= size / (int64_t)sizeof(rico_contact_share) &&
                 head->rest >= 0 && head->rest <= INT32_MAX && head->kept >= 0 && head->kept <= sim->nv;
    if (!sound || total_size(sim, head) != size)
        return rico_fail(ctx, RICO_BAD_INPUT, "a saved state of %lld bytes, expected %lld", (long long)size,
                         (long long)rico_simulation_state_size(sim));
    // the flags at the end and the key of a contact are none
    const double *number = (const double *)(const void *)(bytes + sizeof *head);
    for (int64_t i = 0; i < head->head + tail_numbers(sim, head->rows, head->constraints); i++)
        if (i != HEADER - 1 && !isfinite(number[i]))
            return rico_fail(ctx, RICO_BAD_INPUT, "saved state[%lld] = %g is not a finite number",
                             (long long)i, number[i]);
    return RICO_OK;
}


rico_status rico_simulation_load(rico_simulation *sim, const void *bytes, int64_t size)
{
    saved head;
    if (size < (int64_t)sizeof head)
        return rico_fail(sim->ctx, RICO_BAD_INPUT, "a saved state of %lld bytes, expected %lld",
                         (long long)size, (long long)rico_simulation_state_size(sim));
    memcpy(&head, bytes, sizeof head);
    rico_status status = check(sim, &head, bytes, size);
    if (status != RICO_OK) return status;
    // start() evaluates constants and checks options; the numbers follow
    const double *block = (const double *)(const void *)((const char *)bytes + sizeof head);
    const double *q = block + HEADER, *v = q + sim->nq;
    sim->loading = true;
    status = rico_simulation_start(sim, block[0], q, v);
    sim->loading = false;
    if (status == RICO_OK) status = unpack(sim, &head, bytes);
    if (status != RICO_OK) {
        sim->started = false;
        return status;
    }
    sim->iteration.a = head.matrix[0];
    sim->iteration.b = head.matrix[1];
    sim->iteration.c = head.matrix[2];
    sim->iteration.again = true;
    return RICO_OK;
}
