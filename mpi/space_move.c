// Who has which bodies: owners by parts of space, copies for everybody who may meet them in the step.
//
// What is here decides who computes, never what: pairs whose boxes are apart make no contact. Copies are looked for in each step and
// kept from a little farther away, so that a rank's simulation is not made anew for each of them.

#include "model/bodies_search.h"
#include "space.h"

#include <math.h>
#include <string.h>

// Motion in a step, in sizes, from which a body is asked whether it went through another: model/bodies_passed.c.
static const double MUCH = 0.2;


// --- where bodies may get ------------------------------------------------------------------------------------------

// Boxes of the rank's own bodies with their motion in the step; those without a shape have none and meet nobody.
typedef struct moving {
    rico_box box;
    bool shaped;
} moving;


static rico_status find_boxes(rico_space *space, double h, moving *out)
{
    const rico_space_local *local = &space->local;
    const rico_bodies *set = local->set ? local->set : space->all;
    const rico_simulation *sim = local->sim;
    for (int64_t b = 0; sim && b < set->count; b++) {
        const rico_bound_body *body = &set->body[b];
        double reach;
        if (body->item < 0 || !local->own[body->item] || !body->given.shape) continue;
        out[body->item].shaped = true;
        if (!rico_bodies_step_box(set, b, *sim->now.t, h, sim->now.q, sim->now.v, &out[body->item].box,
                                  &reach))
            return rico_fail(space->own, RICO_BAD_INPUT, "body %s has no place or no velocity at t = %.17g",
                             body->name, *sim->now.t);
    }
    return RICO_OK;
}


static void find_reach(rico_space *space, const moving *own)
{
    const rico_space_local *local = &space->local;
    int parts = space->split.parts;
    double *sides = (double *)(void *)space->reach;
    // -lower and upper, so that both are largest numbers
    for (int k = 0; k < 6 * parts; k++) sides[k] = -INFINITY;
    for (int64_t b = 0; b < local->count; b++) {
        if (!own[b].shaped) continue;
        rico_box *of = &space->reach[space->split.part[local->item[b]]];
        for (int i = 0; i < 3; i++) {
            of->lower[i] = fmax(of->lower[i], -own[b].box.lower[i]);
            of->upper[i] = fmax(of->upper[i], own[b].box.upper[i]);
        }
    }
    rico_crew_reduce(space->crew, sides, 6 * parts, MPI_DOUBLE, MPI_MAX);
    for (int k = 0; k < parts; k++)
        for (int i = 0; i < 3; i++) space->reach[k].lower[i] *= -1.0;
}


// Whether a rank needs a copy of own body b: it may meet one of its bodies, all being larger by so much. One that owns nothing has the first
// body for company, as a system of no body is none.
static bool is_near(const rico_space *space, const moving *boxes, int64_t b, int rank, double margin)
{
    const rico_mpi_split *split = &space->split;
    const moving *own = &boxes[b];
    bool idle = split->part_start[split->rank_first[rank]] == split->part_start[split->rank_first[rank + 1]];
    if (idle && space->local.item[b] == 0) return true;
    if (!own->shaped) return false;
    if (space->everything > 0) return true;
    rico_box box = own->box;
    for (int i = 0; i < 3; i++) {
        box.lower[i] -= margin;
        box.upper[i] += margin;
    }
    for (int k = space->split.rank_first[rank]; k < space->split.rank_first[rank + 1]; k++)
        if (rico_box_overlap(&box, &space->reach[k])) return true;
    return false;
}


static int owner_of(const rico_space *space, int32_t item)
{
    return space->split.rank_of[space->split.part[item]];
}


// Is everybody where it belongs, and copied to whom it may meet?
static bool is_settled(rico_space *space, const moving *own)
{
    const rico_space_local *local = &space->local;
    int size = space->crew->size, rank = space->crew->rank;
    bool settled = local->set != NULL;
    for (int64_t b = 0; settled && b < local->count; b++) {
        if (!local->own[b]) continue;
        settled = owner_of(space, local->item[b]) == rank;
        for (int to = 0; settled && to < size; to++)
            settled =
                to == rank || local->told[b * size + to] || !is_near(space, own, b, to, 0.5 * space->margin);
    }
    int everywhere = settled;
    rico_crew_reduce(space->crew, &everywhere, 1, MPI_INT, MPI_MIN);
    return everywhere;
}


// --- sending -----------------------------------------------------------------------------------------------------

// Records on their way, sorted by the rank that they go to.
typedef struct parcel {
    size_t bytes;
    int *counts; // for each rank; behind them where the next one goes, then what arrives
    char *data;
} parcel;


static rico_status begin_parcel(rico_space *space, size_t bytes, parcel *out)
{
    *out = (parcel){.bytes = bytes,
                    .counts = rico_alloc(space->own, 3 * (int64_t)space->crew->size, sizeof *out->counts)};
    return out->counts ? RICO_OK : RICO_NO_MEMORY;
}


// After counting: room.
static rico_status open_parcel(rico_space *space, parcel *p)
{
    int size = space->crew->size, *at = p->counts + size;
    int64_t total = p->counts[0];
    for (int k = 1; k < size; k++) {
        at[k] = at[k - 1] + p->counts[k - 1];
        total += p->counts[k];
    }
    p->data = rico_alloc(space->own, total, p->bytes);
    return p->data ? RICO_OK : RICO_NO_MEMORY;
}


static void pack(rico_space *space, parcel *p, int to, const void *record)
{
    int *at = p->counts + space->crew->size;
    memcpy(p->data + (size_t)at[to]++ * p->bytes, record, p->bytes);
}


static rico_status send(rico_space *space, parcel *p, rico_status mine, int64_t *count, void *out)
{
    rico_status status = rico_crew_agree(space->crew, mine);
    void *arrived = NULL;
    if (!status)
        status = rico_crew_exchange_counted(space->crew, p->counts, p->data, p->bytes,
                                            p->counts + 2 * space->crew->size, count, &arrived);
    *(void **)out = arrived;
    return status;
}


static void close_parcel(rico_space *space, parcel *p)
{
    rico_free(space->own, p->counts);
    rico_free(space->own, p->data);
    *p = (parcel){0};
}


// For each body of the rank's simulation, the ranks that own what it was in contact with: what a contact remembers goes where both are.
static void mark_touched(const rico_space *space, uint8_t *mark)
{
    const rico_space_local *local = &space->local;
    const rico_simulation *sim = local->sim;
    int size = space->crew->size;
    for (int64_t c = 0; sim && c < sim->constraints; c++) {
        const rico_emitted *between = &rico_step_constraint(sim, c)->between;
        if (between->a.part < 0 || between->b.part < 0) continue;
        int64_t a = between->a.item, b = between->b.item;
        mark[a * size + owner_of(space, local->item[b])] = 1;
        mark[b * size + owner_of(space, local->item[a])] = 1;
    }
}


static rico_status send_bodies(rico_space *space, const moving *own, const rico_space_records *from,
                               rico_space_records *to)
{
    const rico_space_local *local = &space->local;
    int size = space->crew->size, rank = space->crew->rank;
    uint8_t *mark = rico_alloc(space->own, local->count * size, 1);
    parcel p;
    rico_status status = begin_parcel(space, sizeof *from->body, &p);
    if (!mark) status = RICO_NO_MEMORY;
    if (!status) mark_touched(space, mark);
    for (int pass = 0; !status && pass < 2; pass++) {
        if (pass == 1) status = open_parcel(space, &p);
        int64_t next = 0;
        for (int64_t b = 0; !status && b < local->count; b++) {
            if (!local->own[b]) continue;
            rico_space_body *body = &from->body[next++];
            int owner = owner_of(space, body->item);
            space->moved += pass == 0 && owner != rank && local->set;
            for (int r = 0; r < size; r++) {
                body->is_copy = r != owner;
                if (r != owner && !mark[b * size + r] && !is_near(space, own, b, r, space->margin)) continue;
                if (pass == 0)
                    p.counts[r]++;
                else
                    pack(space, &p, r, body);
            }
        }
    }
    status = send(space, &p, status, &to->bodies, &to->body);
    close_parcel(space, &p);
    rico_free(space->own, mark);
    return status;
}


// Contacts go to the owners of both of their bodies.
static rico_status send_contacts(rico_space *space, const rico_space_records *from, rico_space_records *to)
{
    parcel p;
    rico_status status = begin_parcel(space, sizeof *from->contact, &p);
    for (int pass = 0; !status && pass < 2; pass++) {
        if (pass == 1) status = open_parcel(space, &p);
        for (int64_t c = 0; !status && c < from->contacts; c++) {
            const rico_emitted *between = &from->contact[c].record.emitted;
            int a = between->a.part >= 0 ? owner_of(space, (int32_t)between->a.item) : -1;
            int b = between->b.part >= 0 ? owner_of(space, (int32_t)between->b.item) : -1;
            const int ranks[2] = {a, b != a ? b : -1};
            for (int k = 0; k < 2; k++) {
                if (ranks[k] < 0) continue;
                if (pass == 0)
                    p.counts[ranks[k]]++;
                else
                    pack(space, &p, ranks[k], &from->contact[c]);
            }
        }
    }
    status = send(space, &p, status, &to->contacts, &to->contact);
    close_parcel(space, &p);
    return status;
}


// Owners hear who has copies of their bodies.
static rico_status tell_owners(rico_space *space)
{
    rico_space_local *local = &space->local;
    int size = space->crew->size;
    parcel p;
    int32_t *asked = NULL;
    rico_status status = begin_parcel(space, sizeof *local->item, &p);
    local->counts = rico_alloc(space->own, 2 * (int64_t)size, sizeof *local->counts);
    local->hear = rico_alloc(space->own, local->count, sizeof *local->hear);
    if (!local->counts || !local->hear) status = RICO_NO_MEMORY;
    for (int64_t b = 0; !status && b < local->count; b++)
        if (!local->own[b]) p.counts[owner_of(space, local->item[b])]++;
    if (!status) status = open_parcel(space, &p);
    for (int64_t b = 0; !status && b < local->count; b++) {
        if (local->own[b]) continue;
        int owner = owner_of(space, local->item[b]);
        local->hear[p.counts[size + owner]] = (int32_t)b;
        pack(space, &p, owner, &local->item[b]);
        local->hears++;
    }
    status = send(space, &p, status, &local->sends, &asked);
    local->send = asked;
    int64_t at = 0, b = 0;
    for (int r = 0; !status && r < size; r++) {
        local->counts[r] = p.counts[2 * size + r];
        local->counts[size + r] = p.counts[r];
        b = 0;
        for (int k = 0; k < local->counts[r]; k++, at++) {
            while (local->item[b] != asked[at]) b++; // both in the order of their numbers
            local->told[b * size + r] = 1;
            asked[at] = (int32_t)b;
        }
    }
    close_parcel(space, &p);
    return status;
}


// --- arranging -----------------------------------------------------------------------------------------------------

static rico_status exchange(rico_space *space, const moving *own)
{
    rico_space_records mine = {0}, ours = {0};
    rico_status status = rico_crew_agree(space->crew, rico_space_read(space, &mine));
    if (!status) status = send_bodies(space, own, &mine, &ours);
    if (!status) status = send_contacts(space, &mine, &ours);
    rico_space_release(space->own, &mine);
    if (!status) {
        rico_space_sort(&ours);
        status = rico_crew_agree(space->crew, rico_space_make_local(space, &ours));
    }
    rico_space_release(space->own, &ours);
    return status ? status : tell_owners(space);
}


rico_status rico_space_arrange(rico_space *space, double h)
{
    rico_status status = rico_space_cut(space);
    if (status) return status;
    moving *own = rico_alloc(space->own, space->local.count, sizeof *own);
    status = rico_crew_agree(space->crew, own ? find_boxes(space, h, own) : RICO_NO_MEMORY);
    if (!status) find_reach(space, own);
    if (!status && !is_settled(space, own)) status = exchange(space, own);
    rico_free(space->own, own);
    return status;
}


bool rico_space_flung(const rico_space *space, double h)
{
    const rico_space_local *local = &space->local;
    const rico_bodies *set = local->set;
    const rico_simulation *sim = local->sim;
    (void)h;
    if (space->everything > 0) return false;
    const double *before = rico_snapshot_position(sim->before);
    double more = 0.5 * space->margin;
    for (int64_t b = 0; b < set->count; b++) {
        const rico_bound_body *body = &set->body[b];
        if (body->item < 0 || body->ghost || !body->given.shape) continue;
        double reach = body->given.shape->reach, way = 0.0;
        reach += sqrt(body->center[0] * body->center[0] + body->center[1] * body->center[1] +
                      body->center[2] * body->center[2]);
        const rico_box *of = &space->reach[space->split.part[local->item[body->item]]];
        bool inside = true;
        for (int i = 0; i < set->dimension; i++) {
            double from = before[body->q + i], to = sim->now.q[body->q + i];
            way += (to - from) * (to - from);
            inside &= fmin(from, to) - reach >= of->lower[i] - more &&
                      fmax(from, to) + reach <= of->upper[i] + more;
        }
        if (sqrt(way) > MUCH * reach && !inside) return true;
    }
    return false;
}


rico_status rico_space_hear(rico_space *space, double *v)
{
    rico_space_local *local = &space->local;
    int size = space->crew->size, n = space->all->v_size;
    if (size == 1) return RICO_OK;
    double *out = rico_alloc(space->own, n * local->sends, sizeof *out);
    double *in = rico_alloc(space->own, n * local->hears, sizeof *in);
    int *places = rico_alloc(space->own, 2 * (int64_t)size, sizeof *places);
    rico_status status = rico_crew_agree(space->crew, out && in && places ? RICO_OK : RICO_NO_MEMORY);
    if (!status) {
        size_t bytes = (size_t)n * sizeof *v;
        for (int64_t k = 0; k < local->sends; k++)
            memcpy(out + k * n, v + (int64_t)local->send[k] * n, bytes);
        for (int r = 1; r < size; r++) {
            places[r] = places[r - 1] + local->counts[r - 1];
            places[size + r] = places[size + r - 1] + local->counts[size + r - 1];
        }
        MPI_Datatype velocities;
        MPI_Type_contiguous(n, MPI_DOUBLE, &velocities);
        MPI_Type_commit(&velocities);
        double began = rico_crew_clock();
        MPI_Alltoallv(out, local->counts, places, velocities, in, local->counts + size, places + size,
                      velocities, space->crew->comm);
        space->crew->traffic.waiting += rico_crew_clock() - began;
        MPI_Type_free(&velocities);
        for (int64_t k = 0; k < local->hears; k++) memcpy(v + (int64_t)local->hear[k] * n, in + k * n, bytes);
    }
    rico_free(space->own, out);
    rico_free(space->own, in);
    rico_free(space->own, places);
    return status;
}


// What is remembered of all contacts.
static rico_status remember(rico_space *space, const rico_space_records *from)
{
    rico_contact_watch *watch = space->watch;
    rico_status status = rico_contact_watch_reserve(watch, from->contacts);
    for (int64_t c = 0; !status && c < from->contacts; c++) watch->memory[c] = from->contact[c].memory;
    if (!status) watch->memory_count = from->contacts;
    return status;
}


rico_status rico_space_gather(rico_space *space)
{
    rico_crew *crew = space->crew;
    rico_space_records mine = {0}, all = {0};
    rico_status status = rico_crew_agree(crew, rico_space_read(space, &mine));
    int *to = status ? NULL : rico_alloc(space->own, mine.bodies + mine.contacts, sizeof *to);
    if (!status) status = rico_crew_agree(crew, to ? RICO_OK : RICO_NO_MEMORY);
    void *bodies = NULL, *contacts = NULL;
    if (!status)
        status =
            rico_crew_exchange(crew, mine.bodies, to, mine.body, sizeof *mine.body, &all.bodies, &bodies);
    if (!status)
        status = rico_crew_exchange(crew, mine.contacts, to, mine.contact, sizeof *mine.contact,
                                    &all.contacts, &contacts);
    all.body = bodies;
    all.contact = contacts;
    rico_free(space->own, to);
    rico_space_release(space->own, &mine);
    rico_status put = RICO_OK;
    if (!status && crew->rank == 0) {
        rico_space_sort(&all);
        put = rico_space_put(space, space->whole, &all, NULL);
        if (!put && !space->every_step) put = remember(space, &all);
        if (put) rico_fail(space->own, put, "%s", rico_message(space->ctx)); // the whole speaks there
    }
    rico_space_release(space->own, &all);
    return status ? status : rico_crew_agree(crew, put);
}
