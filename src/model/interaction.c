// Interactions: how they enter a system, and what they add to it.

#include "la/dense.h"
#include "model/add.h"

#include <string.h>

void rico_interactions_destroy(rico_system *system)
{
    rico_context *ctx = system->ctx;
    for (int64_t i = 0; i < system->interaction_count; i++) {
        rico_bound_interaction *own = &system->interaction[i];
        void *all[] = {own->name, own->row, own->col, own->place, own->value};
        for (size_t k = 0; k < sizeof all / sizeof *all; k++) rico_free(ctx, all[k]);
    }
    rico_free(ctx, system->interaction);
    rico_free(ctx, system->spread);
    rico_free(ctx, system->local);
}


static rico_status copy(rico_system *system, const char *name, rico_bound_interaction *own)
{
    rico_context *ctx = system->ctx;
    rico_interaction *given = &own->given;
    int64_t count = given->K.count + given->C.count;
    own->name = rico_model_copy_text(ctx, name);
    own->row = rico_alloc(ctx, count, sizeof *own->row);
    own->col = rico_alloc(ctx, count, sizeof *own->col);
    own->place = rico_alloc(ctx, count, sizeof *own->place);
    own->value = rico_alloc(ctx, count, sizeof *own->value);
    if (!own->name || !own->row || !own->col || !own->place || !own->value) return RICO_NO_MEMORY;
    for (int64_t k = 0; k < count; k++) {
        bool first = k < given->K.count;
        own->row[k] = first ? given->K.row[k] : given->C.row[k - given->K.count];
        own->col[k] = first ? given->K.col[k] : given->C.col[k - given->K.count];
        if (own->row[k] < 0 || own->row[k] >= system->nv || own->col[k] < 0 || own->col[k] >= system->nv)
            return rico_fail(ctx, RICO_BAD_ARGUMENT,
                             "%s acts on entry (%lld, %lld), but there are %lld velocities", name,
                             (long long)own->row[k], (long long)own->col[k], (long long)system->nv);
    }
    given->K.row = given->K.col = given->C.row = given->C.col = NULL;
    return RICO_OK;
}


rico_status rico_system_add_interaction(rico_system *system, const char *name, const rico_interaction *given)
{
    rico_status status = rico_system_open(system, name);
    if (status != RICO_OK) return status;
    int64_t count = system->interaction_count;
    rico_bound_interaction *list =
        rico_grow(system->ctx, system->interaction, count, count + 1, sizeof *system->interaction);
    if (!list) return RICO_NO_MEMORY;
    system->interaction = list;
    list[count].given = *given;
    system->interaction_count++; // released with the others, whatever happens now
    return copy(system, name, &list[count]);
}


// --- the pattern -------------------------------------------------------------------------------------------------

static int64_t find(const rico_csc *pattern, int64_t row, int64_t col)
{
    int64_t low = pattern->start[col], high = pattern->start[col + 1];
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (pattern->row[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}


static rico_status unite(rico_system *system, int64_t room, rico_csc *out)
{
    rico_context *ctx = system->ctx;
    int64_t *row = rico_alloc(ctx, room, sizeof *row), *col = rico_alloc(ctx, room, sizeof *col), count = 0;
    double *ones = rico_alloc(ctx, room, sizeof *ones);
    rico_status status = row && col && ones ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t j = 0; status == RICO_OK && j < system->nv; j++)
        for (int64_t k = system->pattern.start[j]; k < system->pattern.start[j + 1]; k++) {
            row[count] = system->pattern.row[k];
            col[count++] = j;
        }
    for (int64_t i = 0; status == RICO_OK && i < system->interaction_count; i++) {
        const rico_bound_interaction *own = &system->interaction[i];
        // symmetric, so that transposes have a place, too
        for (int64_t k = 0; k < own->given.K.count + own->given.C.count; k++) {
            row[count] = col[count + 1] = own->row[k];
            col[count] = row[count + 1] = own->col[k];
            count += 2;
        }
    }
    for (int64_t k = 0; status == RICO_OK && k < count; k++) ones[k] = 1.0;
    if (status == RICO_OK)
        status = rico_csc_from_triplets(ctx, "pattern", system->nv, system->nv, count, row, col, ones, out);
    rico_free(ctx, row);
    rico_free(ctx, col);
    rico_free(ctx, ones);
    return status;
}


rico_status rico_interactions_layout(rico_system *system)
{
    rico_context *ctx = system->ctx;
    if (system->interaction_count == 0) return RICO_OK;
    int64_t parts = rico_csc_count(&system->pattern), room = parts, largest = 0, at = 0;
    for (int64_t i = 0; i < system->interaction_count; i++)
        room += 2 * (system->interaction[i].given.K.count + system->interaction[i].given.C.count);
    for (int64_t p = 0; p < system->part_count; p++) {
        int64_t own = rico_csc_count(&system->part[p]->pattern);
        if (own > largest) largest = own;
    }
    rico_free(ctx, system->spread);
    rico_free(ctx, system->local);
    system->spread = rico_alloc(ctx, parts, sizeof *system->spread);
    system->local = rico_alloc(ctx, 2 * largest, sizeof *system->local);
    rico_csc whole = {0};
    rico_status status = system->spread && system->local ? unite(system, room, &whole) : RICO_NO_MEMORY;
    if (status != RICO_OK) return status;
    for (int64_t j = 0; j < system->nv; j++)
        for (int64_t k = system->pattern.start[j]; k < system->pattern.start[j + 1]; k++)
            system->spread[at++] = find(&whole, system->pattern.row[k], j);
    for (int64_t i = 0; i < system->interaction_count; i++) {
        rico_bound_interaction *own = &system->interaction[i];
        for (int64_t k = 0; k < own->given.K.count + own->given.C.count; k++)
            own->place[k] = find(&whole, own->row[k], own->col[k]);
    }
    rico_csc_destroy(&system->pattern);
    system->pattern = whole;
    return RICO_OK;
}


void rico_interactions_describe(rico_system *system)
{
    for (int64_t i = 0; i < system->interaction_count; i++) {
        const rico_interaction *given = &system->interaction[i].given;
        system->constant_tangents &= given->constant_tangents;
        system->symmetric &= given->symmetric;
        system->damped |= given->damped;
        system->stiff |= given->stiff;
    }
}


// --- what they add -------------------------------------------------------------------------------------------------

static rico_status refuse(const rico_system *system, const rico_bound_interaction *own, const char *what,
                          double t)
{
    return rico_fail(system->ctx, RICO_BAD_INPUT, "the %s of %s is not a finite number at t = %.17g", what,
                     own->name, t);
}


rico_status rico_interactions_forces(rico_system *system, double t, const double *q, const double *v,
                                     double *applied, double *damping, double *conservative)
{
    for (int64_t i = 0; i < system->interaction_count; i++) {
        const rico_bound_interaction *own = &system->interaction[i];
        if (!own->given.forces(own->given.user, t, q, v, applied, damping ? damping : applied,
                               conservative ? conservative : applied))
            return refuse(system, own, "force", t);
    }
    return RICO_OK;
}


rico_status rico_interactions_tangents(rico_system *system, double t, const double *q, const double *v)
{
    for (int64_t i = 0; i < system->interaction_count; i++) {
        const rico_bound_interaction *own = &system->interaction[i];
        int64_t first = own->given.K.count, count = first + own->given.C.count;
        if (!own->given.tangents(own->given.user, t, q, v, own->value, own->value + first) ||
            !rico_all_finite(count, own->value))
            return refuse(system, own, "stiffness", t);
        for (int64_t k = 0; k < count; k++)
            (k < first ? system->K : system->C)[own->place[k]] += own->value[k];
    }
    return RICO_OK;
}


rico_status rico_interactions_potential(rico_system *system, double t, const double *q, double *V)
{
    for (int64_t i = 0; i < system->interaction_count; i++) {
        const rico_bound_interaction *own = &system->interaction[i];
        double energy = 0.0;
        if (!own->given.potential) continue;
        if (!own->given.potential(own->given.user, q, &energy)) return refuse(system, own, "potential", t);
        *V += energy;
    }
    return RICO_OK;
}
