// A system: parts behind one another, constraints, interactions and sources, and the pattern that they share.

#include "la/alike.h"
#include "model/add.h"
#include "model/relation.h"
#include "model/sampler.h"

#include <string.h>

enum { LARGE = 200 }; // velocities

rico_status rico_system_create(rico_context *ctx, rico_system **out)
{
    rico_system *system = rico_alloc(ctx, 1, sizeof *system);
    if (!system) return RICO_NO_MEMORY;
    system->ctx = ctx;
    *out = system;
    return RICO_OK;
}


void rico_system_destroy(rico_system *system)
{
    if (!system) return;
    rico_context *ctx = system->ctx;
    for (int64_t i = 0; i < system->part_count; i++) rico_part_destroy(system->part[i]);
    rico_free(ctx, system->part);
    rico_system_release_relations(system);
    rico_system_release_samplers(system);
    rico_constraints_destroy(system);
    rico_interactions_destroy(system);
    rico_point_loads_destroy(system);
    rico_forces_destroy(system);
    rico_joint_elements_destroy(system);
    rico_touches_destroy(system);
    rico_system_release_friction(system);
    for (int64_t i = 0; i < system->source_count; i++) rico_free(ctx, system->source[i].name);
    rico_free(ctx, system->source);
    rico_csc_destroy(&system->pattern);
    rico_free(ctx, system->spread);
    rico_free(ctx, system->part_scratch);
    rico_free(ctx, system->alike);
    rico_free(ctx, system);
}


char *rico_model_copy_text(rico_context *ctx, const char *text)
{
    size_t length = strlen(text) + 1;
    char *copy = rico_alloc(ctx, (int64_t)length, 1);
    if (copy) memcpy(copy, text, length);
    return copy;
}


void *rico_model_room(rico_context *ctx, void *list, int64_t count, int64_t *room, size_t size)
{
    if (count < *room) return list;
    int64_t wanted = 2 * count + 8;
    void *grown = rico_grow(ctx, list, count, wanted, size);
    if (grown) *room = wanted;
    return grown;
}


rico_status rico_system_open(const rico_system *system, const char *name)
{
    if (!system->complete) return RICO_OK;
    return rico_fail(system->ctx, RICO_BAD_ARGUMENT,
                     "%s cannot be added: the system is being simulated already", name);
}


// --- parts ---------------------------------------------------------------------------------------------------------

rico_status rico_part_create(rico_system *system, const char *name, const rico_part_kind *kind,
                             rico_part **out)
{
    rico_status status = rico_system_open(system, name);
    if (status != RICO_OK) return status;
    rico_part *part = rico_alloc(system->ctx, 1, sizeof *part);
    if (!part) return RICO_NO_MEMORY;
    part->ctx = system->ctx;
    part->kind = kind;
    part->name = rico_model_copy_text(system->ctx, name);
    if (!part->name) {
        rico_part_destroy(part);
        return RICO_NO_MEMORY;
    }
    *out = part;
    return RICO_OK;
}


void rico_part_destroy(rico_part *part)
{
    if (!part) return;
    part->kind->release(part);
    rico_csc_destroy(&part->pattern);
    rico_free(part->ctx, part->name);
    rico_free(part->ctx, part);
}


rico_status rico_part_add(rico_system *system, rico_part *part, int64_t q_size, int64_t v_size,
                          rico_place *place)
{
    rico_part **list = rico_model_room(system->ctx, system->part, system->part_count, &system->part_room,
                                       sizeof(rico_part *));
    if (!list) return RICO_NO_MEMORY;
    system->part = list;
    list[system->part_count++] = part;
    part->place = (rico_place){system->nq, q_size, system->nv, v_size};
    system->nq += q_size;
    system->nv += v_size;
    if (place) *place = part->place;
    return RICO_OK;
}


// --- sources -------------------------------------------------------------------------------------------------------

rico_status rico_system_add_source(rico_system *system, const char *name, const rico_contact_source *source)
{
    rico_context *ctx = system->ctx;
    rico_status status = rico_system_open(system, name);
    if (status != RICO_OK) return status;
    if (!source->emit) return rico_fail(ctx, RICO_BAD_ARGUMENT, "source %s has no function emit", name);
    bool any = source->create || source->destroy || source->state_size || source->save || source->load;
    bool all = source->create && source->destroy && source->state_size && source->save && source->load;
    if (any && !all)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "source %s remembers: create, destroy, state_size, save and load go together", name);
    rico_bound_source *list =
        rico_model_room(ctx, system->source, system->source_count, &system->source_room, sizeof *list);
    if (!list) return RICO_NO_MEMORY;
    system->source = list;
    char *copy = rico_model_copy_text(ctx, name);
    if (!copy) return RICO_NO_MEMORY;
    list[system->source_count++] = (rico_bound_source){copy, *source};
    return RICO_OK;
}


int64_t rico_system_sources(const rico_system *system)
{
    return system->source_count;
}


const char *rico_system_source_name(const rico_system *system, int64_t source)
{
    return system->source[source].name;
}


// --- completion ----------------------------------------------------------------------------------------------------

// Parts do not share velocities, so their pattern is theirs one after the other along the diagonal.
static rico_status layout_parts(rico_system *system)
{
    rico_context *ctx = system->ctx;
    int64_t count = 0;
    for (int64_t p = 0; p < system->part_count; p++) {
        int64_t own = rico_csc_count(&system->part[p]->pattern);
        if (own > system->largest_part) system->largest_part = own;
        count += own;
    }
    rico_csc *pattern = &system->pattern;
    pattern->ctx = ctx;
    pattern->rows = pattern->cols = system->nv;
    pattern->start = rico_alloc(ctx, system->nv + 1, sizeof *pattern->start);
    pattern->row = rico_alloc(ctx, count, sizeof *pattern->row);
    pattern->value = rico_alloc(ctx, count, sizeof *pattern->value);
    if (!pattern->start || !pattern->row || !pattern->value) return RICO_NO_MEMORY;

    int64_t at = 0;
    for (int64_t p = 0; p < system->part_count; p++) {
        const rico_part *part = system->part[p];
        for (int64_t j = 0; j < part->place.v_size; j++) {
            pattern->start[part->place.v + j] = at;
            for (int64_t k = part->pattern.start[j]; k < part->pattern.start[j + 1]; k++)
                pattern->row[at++] = part->place.v + part->pattern.row[k];
        }
    }
    pattern->start[system->nv] = at;
    return RICO_OK;
}


// Where the work space of each lies in that of an assembly.
static rico_status layout_scratch(rico_system *system)
{
    int64_t at = 0, values = 0;
    system->part_scratch = rico_alloc(system->ctx, system->part_count, sizeof *system->part_scratch);
    if (!system->part_scratch) return RICO_NO_MEMORY;
    for (int64_t p = 0; p < system->part_count; p++) {
        system->part_scratch[p] = at;
        at += system->part[p]->scratch;
    }
    for (int64_t c = 0; c < system->constraint_count; c++) {
        system->constraint[c]->scratch_at = at;
        at += system->constraint[c]->scratch;
    }
    for (int64_t i = 0; i < system->interaction_count; i++) {
        rico_bound_interaction *own = &system->interaction[i];
        own->scratch_at = at;
        own->value_at = values;
        at += own->given.scratch;
        values += own->given.K.count + own->given.C.count;
    }
    for (int64_t i = 0; i < system->sampler_count; i++) {
        system->sampler[i].scratch_at = at;
        at += system->sampler[i].given.scratch;
    }
    system->scratch = at;
    system->interaction_values = values;
    return RICO_OK;
}


static void describe(rico_system *system)
{
    system->constant_mass = system->constant_tangents = system->symmetric = true;
    system->constant_frames = system->source_count == 0;
    system->damped = system->stiff = system->loaded = false;
    system->constant_load = system->flat = true;
    system->idle = system->interaction_count == 0;
    system->moving = false;
    for (int64_t p = 0; p < system->part_count; p++) {
        const rico_part *part = system->part[p];
        system->constant_mass &= part->constant_mass;
        system->constant_tangents &= part->constant_tangents;
        system->symmetric &= part->symmetric;
        system->damped |= part->damped;
        system->stiff |= part->stiff;
        if (part->extent > system->extent) system->extent = part->extent;
        system->loaded |= part->loaded;
        system->constant_load &= part->constant_load;
        system->flat &= !part->curved && part->place.q_size == part->place.v_size;
        system->idle &= part->idle;
    }
    rico_interactions_describe(system);
    for (int64_t c = 0; c < system->constraint_count; c++) {
        system->constant_frames &= system->constraint[c]->gradient != NULL;
        system->moving |= system->constraint[c]->moves;
    }
    for (int64_t s = 0; s < system->source_count; s++) system->moving |= system->source[s].given.rate != NULL;
    system->linear = system->constant_mass && system->constant_tangents;
}


rico_status rico_system_complete(rico_system *system)
{
    if (system->complete) return RICO_OK;
    if (system->nv == 0) return rico_fail(system->ctx, RICO_BAD_ARGUMENT, "the system has no part");

    rico_csc_destroy(&system->pattern); // what an earlier attempt without memory left
    rico_free(system->ctx, system->spread);
    rico_free(system->ctx, system->part_scratch);
    rico_free(system->ctx, system->alike);
    system->spread = system->part_scratch = NULL;
    system->alike = NULL;
    rico_status status = layout_parts(system);
    if (status == RICO_OK) status = rico_interactions_layout(system);
    if (status == RICO_OK) status = layout_scratch(system);
    if (status == RICO_OK && system->nv >= LARGE) {
        system->alike = rico_alike_find(&system->pattern);
        if (!system->alike) status = RICO_NO_MEMORY;
    }
    if (status != RICO_OK) return status;
    describe(system);
    system->complete = true;
    return RICO_OK;
}


// --- sizes ---------------------------------------------------------------------------------------------------------

int64_t rico_system_positions(const rico_system *system)
{
    return system->nq;
}


int64_t rico_system_velocities(const rico_system *system)
{
    return system->nv;
}


int64_t rico_system_constraints(const rico_system *system)
{
    return system->constraint_count;
}


int64_t rico_system_rows(const rico_system *system)
{
    return system->rows;
}


bool rico_system_is_linear(const rico_system *system)
{
    for (int64_t p = 0; p < system->part_count; p++)
        if (!system->part[p]->constant_mass || !system->part[p]->constant_tangents) return false;
    for (int64_t i = 0; i < system->interaction_count; i++)
        if (!system->interaction[i].given.constant_tangents) return false;
    for (int64_t c = 0; c < system->constraint_count; c++)
        if (!system->constraint[c]->gradient) return false;
    return system->source_count == 0;
}
