// Contacts that come and go: collected from the sources, sorted by key, laid out as rows and columns of H.
//
// Arrays only grow. While the same contacts are emitted, whatever their order, nothing is laid out anew.

#include "la/vec3.h"
#include "model/add.h"
#include "model/assembly.h"
#include "model/friction.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAME_ROWS = 6 }; // of a point at most


static void destroy_batch(rico_context *ctx, rico_contact_batch *batch)
{
    rico_free(ctx, batch->contact);
    rico_free(ctx, batch->dof);
    rico_free(ctx, batch->share);
    rico_free(ctx, batch->sorted);
}


void rico_contact_set_destroy(rico_context *ctx, rico_contact_set *set)
{
    destroy_batch(ctx, &set->now);
    destroy_batch(ctx, &set->next);
    rico_free(ctx, set->constraint);
    rico_free(ctx, set->from);
    rico_free(ctx, set->memory);
}


// --- layout --------------------------------------------------------------------------------------------------------

// Room for `wanted` entries behind *block, grown by half at least so that a changing set soon allocates nothing any more.
static bool reserve(rico_context *ctx, void *block, int64_t *room, int64_t wanted, size_t size)
{
    void **at = block;
    if (wanted <= *room && *at) return true;
    int64_t more = wanted + wanted / 2 + 8;
    void *grown = rico_grow(ctx, *at, *at ? *room : 0, more, size);
    if (!grown) return false;
    *at = grown;
    *room = more;
    return true;
}


static rico_status reserve_columns(rico_assembly *assembly, int64_t rows, int64_t entries)
{
    rico_context *ctx = assembly->ctx;
    rico_csc *H = &assembly->H;
    int64_t columns[2] = {assembly->column_room, assembly->column_room};
    int64_t room[2] = {assembly->entry_room, assembly->entry_room};
    bool whole = reserve(ctx, &H->start, &columns[0], rows + 1, sizeof *H->start) &&
                 reserve(ctx, &assembly->w, &columns[1], rows + 1, sizeof *assembly->w) &&
                 reserve(ctx, &H->row, &room[0], entries, sizeof *H->row) &&
                 reserve(ctx, &H->value, &room[1], entries, sizeof *H->value);
    // what one of them has got beyond the others' room it simply has
    if (!whole) return RICO_NO_MEMORY;
    assembly->column_room = columns[0] < columns[1] ? columns[0] : columns[1];
    assembly->entry_room = room[0] < room[1] ? room[0] : room[1];
    return RICO_OK;
}


static uint64_t mix(uint64_t hash, uint64_t word)
{
    for (int byte = 0; byte < 8; byte++)
        hash = (hash ^ (word >> (8 * byte) & 0xff)) * UINT64_C(1099511628211);
    return hash;
}


// Columns of H for constraints first ... count - 1, in the order of their reach: the layout that frame functions fill.
static void lay_out(rico_assembly *assembly, int64_t first)
{
    rico_contact_set *set = &assembly->set;
    rico_csc *H = &assembly->H;
    int64_t row = first > 0 ? set->constraint[first - 1]->row + set->constraint[first - 1]->size : 0;
    int64_t at = H->start[row];
    for (int64_t c = first; c < set->count; c++) {
        const rico_constraint *constraint = set->constraint[c];
        for (int64_t j = 0; j < constraint->size; j++) {
            H->start[constraint->row + j] = at;
            assembly->w[constraint->row + j] = 0.0;
            for (int64_t i = 0; i < constraint->dof_count; i++) {
                H->row[at] = constraint->dof[i];
                H->value[at++] =
                    constraint->gradient ? constraint->gradient[i + j * constraint->dof_count] : 0.0;
            }
        }
    }
    H->cols = set->rows;
    H->start[set->rows] = at;
}


rico_status rico_assembly_begin_set(rico_assembly *assembly)
{
    rico_context *ctx = assembly->ctx;
    const rico_system *system = assembly->system;
    rico_contact_set *set = &assembly->set;
    int64_t count = system->constraint_count, entries = 0, reach = 0, list[2] = {0, 0};
    assembly->H.ctx = ctx;
    assembly->H.rows = system->nv;
    for (int64_t c = 0; c < count; c++)
        entries += system->constraint[c]->dof_count * system->constraint[c]->size;
    for (int64_t p = 0; p < system->part_count; p++)
        if (system->part[p]->point_reach > reach) reach = system->part[p]->point_reach;
    assembly->points = rico_alloc(ctx, FRAME_ROWS * reach, sizeof *assembly->points);
    assembly->point_dof = rico_alloc(ctx, reach, sizeof *assembly->point_dof);
    bool whole = assembly->points && assembly->point_dof &&
                 reserve(ctx, &set->constraint, &list[0], count, sizeof(rico_constraint *)) &&
                 reserve(ctx, &set->from, &list[1], count, sizeof *set->from);
    if (!whole || reserve_columns(assembly, system->rows, entries) != RICO_OK) return RICO_NO_MEMORY;
    if (system->relation_count > 0) {
        assembly->out = rico_alloc(ctx, entries, sizeof *assembly->out);
        assembly->out_work = rico_alloc(ctx, entries, sizeof *assembly->out_work);
        if (!assembly->out || !assembly->out_work) return RICO_NO_MEMORY;
    }
    set->room = list[0];
    set->count = count;
    set->rows = system->rows;
    for (int64_t c = 0; c < count; c++) {
        set->constraint[c] = system->constraint[c];
        set->from[c] = c;
    }
    lay_out(assembly, 0);
    set->pattern = UINT64_C(14695981039346656037);
    return RICO_OK;
}


// --- emission ------------------------------------------------------------------------------------------------------

static rico_status check_emitted(rico_context *ctx, const char *name, const rico_emitted *given)
{
    const rico_contact same = {.dimension = given->dimension,
                               .friction_law = given->friction_law,
                               .restitution = given->restitution,
                               .friction = given->friction,
                               .stiffness = given->stiffness,
                               .exponent = given->exponent};
    rico_status status = rico_contact_check(ctx, name, &same);
    if (status != RICO_OK) return status;
    if (!isfinite(given->gap))
        return rico_fail(ctx, RICO_BAD_INPUT, "the gap of contact %s is %g", name, given->gap);
    for (int i = 0; i < 3 * given->dimension; i++)
        if (!isfinite(given->frame[i]))
            return rico_fail(ctx, RICO_BAD_INPUT, "frame[%d] of contact %s is %g", i, name, given->frame[i]);
    // axes of another length or at another angle would scale friction and gap without a word
    for (int i = 0; i < given->dimension; i++)
        for (int j = 0; j <= i; j++) {
            const double *a = given->frame + 3 * i, *b = given->frame + 3 * j;
            double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
            if (fabs(dot - (i == j)) > 1e-6)
                return rico_fail(
                    ctx, RICO_BAD_INPUT,
                    "the frame of contact %s is not orthonormal: axes %d and %d have the product %g", name, j,
                    i, dot);
        }
    return RICO_OK;
}


// Weights that do not add up to 1 would let a gap change while both sides move as one.
static rico_status check_spread(rico_context *ctx, const char *name, const rico_emitted *given)
{
    double sum = 0.0, size = 0.0;
    if (given->spread == 0) return RICO_OK;
    if (given->spread < 0 || !given->share)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "contact %s is spread over %d items", name, given->spread);
    for (int k = 0; k < given->spread; k++) {
        sum += given->share[k].weight;
        size += fabs(given->share[k].weight);
    }
    if (!(fabs(sum - 1.0) <= 1e-9 * (1.0 + size)))
        return rico_fail(ctx, RICO_BAD_INPUT, "the %d weights of contact %s add up to %.17g, expected 1",
                         given->spread, name, sum);
    return RICO_OK;
}


// Whether a contact is one, and the velocities that it touches; `name` for the message.
static rico_status examine(rico_assembly *assembly, const char *name, const rico_emitted *given,
                           int64_t *count, int64_t *dof)
{
    rico_context *ctx = assembly->ctx;
    rico_status status = check_emitted(ctx, name, given);
    if (status == RICO_OK) status = check_spread(ctx, name, given);
    if (status == RICO_OK) status = rico_emitted_dofs(assembly->system, ctx, name, given, count, dof);
    if (status == RICO_OK && *count == 0)
        status = rico_fail(ctx, RICO_BAD_ARGUMENT, "contact %s lies between two points of the world", name);
    return status;
}


// The law of friction of a contact, if it can have it: both sides must turn where it has moments, and the direction of an ellipse
// must lie along the surface.
static rico_status take_law(rico_assembly *assembly, int64_t source, const rico_emitted *given,
                            const rico_bound_friction **law)
{
    rico_context *ctx = assembly->ctx;
    const rico_system *system = assembly->system;
    char name[2 * RICO_LABEL];
    snprintf(name, sizeof name, "%.39s %llx", system->source[source].name, (unsigned long long)given->key);
    rico_status status = rico_friction_find(system, ctx, name, given->friction_law, law);
    if (status == RICO_OK) status = rico_friction_check(ctx, name, *law, given->dimension);
    if (status != RICO_OK) return status;
    const rico_point *both[2] = {&given->a, &given->b};
    for (int k = 0; k < 2 && rico_friction_moments(*law, given->dimension) > 0; k++)
        if (both[k]->part >= 0 && !system->part[both[k]->part]->kind->turn_rows)
            return rico_fail(ctx, RICO_UNSUPPORTED,
                             "contact %s: friction %s has moments, and part %s has points that do not turn",
                             name, (*law)->name, system->part[both[k]->part]->name);
    const double *d = (*law)->given.direction, *n = given->frame;
    double size = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]),
           along = d[0] * n[0] + d[1] * n[1] + d[2] * n[2];
    if ((*law)->elliptic && size == 0.0)
        return rico_fail(
            ctx, RICO_BAD_INPUT,
            "contact %s: friction %s differs with the direction, and none is given: direction = [1, "
            "0, 0], say",
            name, (*law)->name);
    if ((*law)->elliptic && size - fabs(along) <= 1e-6 * size)
        return rico_fail(
            ctx, RICO_BAD_INPUT,
            "contact %s: the direction (%g, %g, %g) of friction %s stands across the surface, whose "
            "normal is (%g, %g, %g)",
            name, d[0], d[1], d[2], (*law)->name, n[0], n[1], n[2]);
    return RICO_OK;
}


// Turns the tangents about the normal until the first points along the direction of the law.
static void lay_along(const rico_bound_friction *law, double *frame)
{
    const double *n = frame, *d = law->given.direction;
    double *t = frame + 3, along = rico_vec3_dot(n, d);
    for (int i = 0; i < 3; i++) t[i] = d[i] - along * n[i];
    rico_vec3_normalise(t);
    rico_vec3_cross(n, t, frame + 6);
}


// Appends a contact to the batch that is being collected.
static rico_status append(rico_assembly *assembly, int64_t source, const rico_emitted *given, double base)
{
    rico_context *ctx = assembly->ctx;
    const rico_system *system = assembly->system;
    rico_contact_batch *batch = &assembly->set.next;
    int64_t reach = rico_emitted_reach(system, given), count = 0, shares = batch->shares + given->spread;
    if (!reserve(ctx, &batch->contact, &batch->room, batch->count + 1, sizeof *batch->contact) ||
        !reserve(ctx, &batch->dof, &batch->pool_room, batch->pool + reach, sizeof *batch->dof) ||
        (given->spread > 0 && !reserve(ctx, &batch->share, &batch->share_room, shares, sizeof *batch->share)))
        return RICO_NO_MEMORY;
    if (examine(assembly, "", given, &count, batch->dof + batch->pool) != RICO_OK) {
        // once more for the message: a name for each of many contacts costs more than they do
        char name[2 * RICO_LABEL];
        snprintf(name, sizeof name, "%.39s %llx", system->source[source].name,
                 (unsigned long long)given->key);
        return examine(assembly, name, given, &count, batch->dof + batch->pool);
    }
    const rico_bound_friction *law = NULL;
    if (given->friction_law != 0) {
        rico_status status = take_law(assembly, source, given, &law);
        if (status != RICO_OK) return status;
    }
    int moments = rico_friction_moments(law, given->dimension);
    rico_constraint *made = &batch->contact[batch->count++];
    *made = (rico_constraint){.kind = &rico_points_kind,
                              .key = given->key,
                              .source = source,
                              .moves = system->source[source].given.rate != NULL,
                              .size = given->dimension + moments,
                              .restitution = given->restitution,
                              .friction = law ? law->nominal : given->friction,
                              .rubs = law,
                              .moments = moments,
                              .arm = law ? law->length : 1.0,
                              .stiffness = given->stiffness > 0.0 ? given->stiffness : 1.0,
                              .exponent = given->exponent > 0.0 ? given->exponent : 1.5,
                              .dof_count = count,
                              .dof_at = batch->pool,
                              .share_at = batch->shares,
                              .between = *given,
                              .base = base};
    if (law && given->dimension == 2)
        made->friction = rico_friction_along(law, made->between.frame, made->between.frame + 3);
    if (law && law->elliptic && given->dimension == 3) lay_along(law, made->between.frame);
    batch->pool += count;
    for (int k = 0; k < given->spread; k++) batch->share[batch->shares++] = given->share[k];
    return RICO_OK;
}


bool rico_emit(rico_emission *to, const rico_emitted *contact)
{
    double base = 0.0;
    rico_assembly *assembly = to->assembly;
    const char *name = assembly->system->source[to->source].name;
    if (to->status != RICO_OK) return false;
    to->status = append(assembly, to->source, contact, 0.0);
    if (to->status != RICO_OK) return false;
    if (assembly->system->source[to->source].given.gap) return true;
    rico_contact_batch *batch = &assembly->set.next;
    if (!rico_points_base(assembly->system, to->q, contact, &base) || !isfinite(base)) {
        to->status =
            rico_fail(assembly->ctx, RICO_BAD_INPUT, "a point of contact %llx of source %s has no place",
                      (unsigned long long)contact->key, name);
        return false;
    }
    batch->contact[batch->count - 1].base = base;
    return true;
}


static int order(const rico_constraint *a, const rico_constraint *b)
{
    if (a->source != b->source) return a->source < b->source ? -1 : 1;
    return a->key < b->key ? -1 : a->key > b->key;
}


static int compare(const void *a, const void *b)
{
    return order(*(rico_constraint *const *)a, *(rico_constraint *const *)b);
}


// The batch in the order of its keys, each once.
static rico_status sort(rico_assembly *assembly)
{
    rico_context *ctx = assembly->ctx;
    rico_contact_batch *batch = &assembly->set.next;
    if (!reserve(ctx, &batch->sorted, &batch->sorted_room, batch->count, sizeof(rico_constraint *)))
        return RICO_NO_MEMORY;
    bool sorted = true;
    for (int64_t i = 0; i < batch->count; i++) {
        rico_emitted *between = &batch->contact[i].between;
        batch->contact[i].dof = batch->dof + batch->contact[i].dof_at;
        between->share = between->spread > 0 ? batch->share + batch->contact[i].share_at : NULL;
        batch->sorted[i] = &batch->contact[i];
        sorted &= i == 0 || order(batch->sorted[i - 1], batch->sorted[i]) < 0;
    }
    if (!sorted) qsort(batch->sorted, (size_t)batch->count, sizeof(rico_constraint *), compare);
    for (int64_t i = 1; i < batch->count; i++)
        if (order(batch->sorted[i - 1], batch->sorted[i]) == 0)
            return rico_fail(ctx, RICO_BAD_INPUT, "source %s has emitted contact %llx twice",
                             assembly->system->source[batch->sorted[i]->source].name,
                             (unsigned long long)batch->sorted[i]->key);
    return RICO_OK;
}


// What tells one set of contacts from another, whatever their numbers are.
static uint64_t pattern_of(const rico_contact_batch *batch)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (int64_t i = 0; i < batch->count; i++) {
        const rico_constraint *contact = batch->sorted[i];
        hash = mix(mix(mix(hash, (uint64_t)contact->source), contact->key), (uint64_t)contact->size);
        for (int64_t k = 0; k < contact->dof_count; k++) hash = mix(hash, (uint64_t)contact->dof[k]);
    }
    return hash;
}


// Where each new contact stood before; rows, names; whether anything but numbers changed.
static bool match(rico_assembly *assembly)
{
    rico_contact_set *set = &assembly->set;
    const rico_system *system = assembly->system;
    rico_contact_batch *next = &set->next;
    const rico_contact_batch *now = &set->now;
    int64_t row = system->rows, fixed = system->constraint_count;
    bool same = next->count == now->count;
    for (int64_t i = 0, j = 0; i < next->count; i++) {
        rico_constraint *contact = next->sorted[i];
        while (j < now->count && order(now->sorted[j], contact) < 0) j++;
        const rico_constraint *old =
            j < now->count && order(now->sorted[j], contact) == 0 ? now->sorted[j] : NULL;
        set->from[fixed + i] = old ? fixed + j : -1;
        if (old)
            memcpy(contact->label, old->label, sizeof contact->label);
        else
            snprintf(contact->label, sizeof contact->label, "%.20s %llx",
                     system->source[contact->source].name, (unsigned long long)contact->key);
        contact->name = contact->label;
        contact->row = row;
        row += contact->size;
        size_t bytes = (size_t)contact->dof_count * sizeof *contact->dof;
        same = same && old && i == j && old->size == contact->size && old->dof_count == contact->dof_count &&
               memcmp(old->dof, contact->dof, bytes) == 0;
    }
    if (!same) set->pattern = pattern_of(next);
    return same;
}


// The batch that was collected in the place of the one before.
static rico_status adopt(rico_assembly *assembly, bool *changed)
{
    rico_context *ctx = assembly->ctx;
    const rico_system *system = assembly->system;
    rico_contact_set *set = &assembly->set;
    rico_status status = sort(assembly);
    if (status != RICO_OK) return status;
    int64_t fixed = system->constraint_count, count = fixed + set->next.count, rows = system->rows;
    int64_t entries = assembly->H.start[system->rows], list[2] = {set->room, set->room};
    for (int64_t i = 0; i < set->next.count; i++) {
        rows += set->next.contact[i].size;
        entries += set->next.contact[i].size * set->next.contact[i].dof_count;
    }
    if (!reserve(ctx, &set->constraint, &list[0], count, sizeof(rico_constraint *)) ||
        !reserve(ctx, &set->from, &list[1], count, sizeof *set->from) ||
        reserve_columns(assembly, rows, entries) != RICO_OK)
        return RICO_NO_MEMORY;
    set->room = list[0] < list[1] ? list[0] : list[1];
    *changed = !match(assembly);
    for (int64_t i = 0; i < set->next.count; i++) set->constraint[fixed + i] = set->next.sorted[i];
    rico_contact_batch swap = set->now;
    set->now = set->next;
    set->next = swap;
    set->count = count;
    set->rows = rows;
    if (*changed) lay_out(assembly, fixed);
    return RICO_OK;
}


// The contacts of all sources into `next`.
static rico_status ask_all(rico_assembly *assembly, double t, double h, const double *q, const double *v)
{
    const rico_system *system = assembly->system;
    rico_contact_set *set = &assembly->set;
    set->next.count = set->next.pool = set->next.shares = 0;
    for (int64_t s = 0; s < system->source_count; s++) {
        const rico_bound_source *source = &system->source[s];
        rico_emission to = {assembly, s, q, RICO_OK};
        bool answered = source->given.emit(source->given.user, set->memory[s], t, h, q, v, &to);
        if (to.status != RICO_OK) return to.status;
        if (!answered)
            return rico_fail(assembly->ctx, RICO_BAD_INPUT,
                             "the contacts of source %s were refused at t = %.17g", source->name, t);
    }
    return RICO_OK;
}


rico_status rico_assembly_collect(rico_assembly *assembly, double t, double h, const double *q,
                                  const double *v, bool *changed)
{
    rico_contact_set *set = &assembly->set;
    *changed = false;
    if (assembly->system->source_count == 0) return RICO_OK;
    rico_status status = ask_all(assembly, t, h, q, v);
    if (status == RICO_OK) status = adopt(assembly, changed);
    set->t = t;
    set->q = status == RICO_OK ? q : NULL;
    return status;
}


// Whether a contact is among those of the step.
static bool is_there(const rico_contact_batch *now, const rico_constraint *contact)
{
    int64_t low = 0, high = now->count;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        const rico_constraint *other = now->sorted[middle];
        if (other->source == contact->source && other->key == contact->key) return true;
        bool before = other->source < contact->source ||
                      (other->source == contact->source && other->key < contact->key);
        if (before)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}


rico_status rico_assembly_unseen(rico_assembly *assembly, double t, const double *q, const double *v,
                                 double bound, int64_t *count)
{
    const rico_contact_set *set = &assembly->set;
    *count = 0;
    if (assembly->system->source_count == 0) return RICO_OK;
    rico_status status = ask_all(assembly, t, 0.0, q, v);
    for (int64_t i = 0; status == RICO_OK && i < set->next.count; i++) {
        const rico_constraint *contact = &set->next.contact[i];
        *count += contact->between.gap < bound && !is_there(&set->now, contact);
    }
    return status;
}


rico_status rico_assembly_passed(rico_assembly *assembly, double t, double h, const double *next)
{
    const rico_system *system = assembly->system;
    rico_status status = RICO_OK;
    for (int64_t s = 0; status == RICO_OK && s < system->source_count; s++) {
        const rico_contact_source *source = &system->source[s].given;
        if (source->passed)
            status = source->passed(source->user, assembly->set.memory[s], assembly->ctx, t, h, next);
    }
    return status;
}


void rico_assembly_record(const rico_assembly *assembly, rico_contact_record *record)
{
    const rico_contact_batch *now = &assembly->set.now;
    for (int64_t i = 0; i < now->count; i++) {
        record[i] =
            (rico_contact_record){now->sorted[i]->source, now->sorted[i]->between, now->sorted[i]->base};
        record[i].emitted.share = NULL; // a place in memory is none in a file
    }
}


void rico_assembly_shares(const rico_assembly *assembly, rico_contact_share *share)
{
    const rico_contact_batch *now = &assembly->set.now;
    for (int64_t i = 0; i < now->count; i++) {
        const rico_emitted *between = &now->sorted[i]->between;
        for (int k = 0; k < between->spread; k++) *share++ = between->share[k];
    }
}


// A saved contact with its shares, of which `left` are left.
static rico_status append_saved(rico_assembly *assembly, const rico_contact_record *record,
                                const rico_contact_share *share, int64_t left)
{
    rico_emitted emitted = record->emitted;
    if (record->source < 0 || record->source >= assembly->system->source_count)
        return rico_fail(assembly->ctx, RICO_BAD_INPUT, "a saved contact of source %lld, but there are %lld",
                         (long long)record->source, (long long)assembly->system->source_count);
    if (emitted.spread < 0 || emitted.spread > left)
        return rico_fail(assembly->ctx, RICO_BAD_INPUT, "a saved contact is spread over %d of %lld items",
                         emitted.spread, (long long)left);
    emitted.share = share;
    return append(assembly, record->source, &emitted, record->base);
}


rico_status rico_assembly_restore(rico_assembly *assembly, int64_t count, const rico_contact_record *record,
                                  int64_t shares, const rico_contact_share *share, bool *changed)
{
    rico_contact_batch *next = &assembly->set.next;
    rico_status status = RICO_OK;
    *changed = false;
    assembly->set.q = NULL;
    if (assembly->system->source_count == 0 && count == 0) return RICO_OK;
    next->count = next->pool = next->shares = 0;
    for (int64_t i = 0; status == RICO_OK && i < count; i++)
        status = append_saved(assembly, &record[i], share + next->shares, shares - next->shares);
    return status == RICO_OK ? adopt(assembly, changed) : status;
}
