// Interactions: how they enter a system and its pattern.

#include "model/add.h"

#include <string.h>

void rico_interactions_destroy(rico_system *system)
{
    rico_context *ctx = system->ctx;
    for (int64_t i = 0; i < system->interaction_count; i++) {
        rico_bound_interaction *own = &system->interaction[i];
        void *all[] = {own->name, own->row, own->col, own->place};
        for (size_t k = 0; k < sizeof all / sizeof *all; k++) rico_free(ctx, all[k]);
    }
    rico_free(ctx, system->interaction);
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
    if (!own->name || !own->row || !own->col || !own->place) return RICO_NO_MEMORY;
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
        rico_model_room(system->ctx, system->interaction, count, &system->interaction_room, sizeof *list);
    if (!list) return RICO_NO_MEMORY;
    system->interaction = list;
    list[count].given = *given;
    system->interaction_count++; // released with the others, whatever happens now
    return copy(system, name, &list[count]);
}


// --- the pattern -------------------------------------------------------------------------------------------------

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
    int64_t parts = rico_csc_count(&system->pattern), room = parts, at = 0;
    for (int64_t i = 0; i < system->interaction_count; i++)
        room += 2 * (system->interaction[i].given.K.count + system->interaction[i].given.C.count);
    system->spread = rico_alloc(ctx, parts, sizeof *system->spread);
    rico_csc whole = {0};
    rico_status status = system->spread ? unite(system, room, &whole) : RICO_NO_MEMORY;
    if (status != RICO_OK) return status;
    for (int64_t j = 0; j < system->nv; j++)
        for (int64_t k = system->pattern.start[j]; k < system->pattern.start[j + 1]; k++)
            system->spread[at++] = rico_csc_find(&whole, system->pattern.row[k], j);
    for (int64_t i = 0; i < system->interaction_count; i++) {
        rico_bound_interaction *own = &system->interaction[i];
        for (int64_t k = 0; k < own->given.K.count + own->given.C.count; k++)
            own->place[k] = rico_csc_find(&whole, own->row[k], own->col[k]);
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
