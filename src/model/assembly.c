// The assembly: what parts and interactions answer for a state, put together.

#include "model/assembly.h"

#include "la/alike.h"
#include "la/dense.h"
#include "model/sampler.h"

#include <math.h>
#include <string.h>

void rico_assembly_destroy(rico_assembly *assembly)
{
    if (!assembly) return;
    rico_context *ctx = assembly->ctx;
    const rico_system *system = assembly->system;
    for (int64_t s = 0; assembly->set.memory && s < system->source_count; s++)
        if (assembly->set.memory[s])
            system->source[s].given.destroy(system->source[s].given.user, assembly->set.memory[s]);
    rico_contact_set_destroy(ctx, &assembly->set);
    rico_csc_destroy(&assembly->H);
    void *all[] = {assembly->M,         assembly->K,      assembly->C,   assembly->scratch,
                   assembly->local,     assembly->values, assembly->w,   assembly->points,
                   assembly->point_dof, assembly->load,   assembly->out, assembly->out_work};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
    rico_free(ctx, assembly);
}


static rico_status create_memories(rico_assembly *assembly)
{
    const rico_system *system = assembly->system;
    assembly->set.memory = rico_alloc(assembly->ctx, system->source_count, sizeof *assembly->set.memory);
    if (!assembly->set.memory) return RICO_NO_MEMORY;
    for (int64_t s = 0; s < system->source_count; s++) {
        const rico_bound_source *source = &system->source[s];
        if (!source->given.create) continue;
        assembly->set.memory[s] = source->given.create(source->given.user);
        if (!assembly->set.memory[s])
            return rico_fail(assembly->ctx, RICO_NO_MEMORY, "the memory of source %s was refused",
                             source->name);
    }
    return RICO_OK;
}


static void prepare(rico_assembly *assembly)
{
    const rico_system *system = assembly->system;
    for (int64_t p = 0; p < system->part_count; p++)
        if (system->part[p]->kind->prepare)
            system->part[p]->kind->prepare(system->part[p], assembly->scratch + system->part_scratch[p]);
    for (int64_t c = 0; c < system->constraint_count; c++) {
        const rico_constraint *constraint = system->constraint[c];
        if (constraint->kind->prepare)
            constraint->kind->prepare(constraint, assembly->scratch + constraint->scratch_at);
    }
    for (int64_t i = 0; i < system->interaction_count; i++) {
        const rico_bound_interaction *own = &system->interaction[i];
        if (own->given.prepare) own->given.prepare(own->given.user, assembly->scratch + own->scratch_at);
    }
    for (int64_t i = 0; i < system->sampler_count; i++) {
        const rico_bound_sampler *own = &system->sampler[i];
        if (own->given.prepare) own->given.prepare(own->given.user, assembly->scratch + own->scratch_at);
    }
}


rico_status rico_assembly_create(rico_context *ctx, const rico_system *system, rico_assembly **out)
{
    if (!system->complete)
        return rico_fail(ctx, RICO_INTERNAL, "a system is assembled before it is complete");
    rico_assembly *assembly = rico_alloc(ctx, 1, sizeof *assembly);
    if (!assembly) return RICO_NO_MEMORY;
    int64_t count = rico_csc_count(&system->pattern);
    assembly->ctx = ctx;
    assembly->system = system;
    assembly->nq = system->nq;
    assembly->nv = system->nv;
    assembly->M = rico_alloc(ctx, count, sizeof *assembly->M);
    assembly->K = rico_alloc(ctx, count, sizeof *assembly->K);
    assembly->C = rico_alloc(ctx, count, sizeof *assembly->C);
    assembly->scratch = rico_alloc(ctx, system->scratch, sizeof *assembly->scratch);
    assembly->load = rico_alloc(ctx, system->nv, sizeof *assembly->load);
    assembly->local = rico_alloc(ctx, 2 * system->largest_part, sizeof *assembly->local);
    assembly->values = rico_alloc(ctx, system->interaction_values, sizeof *assembly->values);
    bool whole = assembly->M && assembly->K && assembly->C && assembly->scratch && assembly->local &&
                 assembly->load && assembly->values;
    rico_status status = whole ? create_memories(assembly) : RICO_NO_MEMORY;
    if (status == RICO_OK) status = rico_assembly_begin_set(assembly);
    if (status != RICO_OK) {
        rico_assembly_destroy(assembly);
        return status;
    }
    prepare(assembly);
    *out = assembly;
    return RICO_OK;
}


// The answer of a part, checked: refused, or not a number somewhere.
static rico_status check(const rico_assembly *assembly, const rico_part *part, const char *what,
                         bool answered, double t, int64_t count, const double *value)
{
    if (!answered)
        return rico_fail(assembly->ctx, RICO_BAD_INPUT, "the %s of part %s was refused at t = %.17g", what,
                         part->name, t);
    if (rico_all_finite(count, value)) return RICO_OK;
    int64_t bad = 0;
    while (isfinite(value[bad])) bad++;
    return rico_fail(assembly->ctx, RICO_BAD_INPUT, "the %s of part %s is %g in entry %lld at t = %.17g",
                     what, part->name, value[bad], (long long)bad, t);
}


static rico_status refuse(const rico_assembly *assembly, const rico_bound_interaction *own, const char *what,
                          double t)
{
    return rico_fail(assembly->ctx, RICO_BAD_INPUT, "the %s of %s is not a finite number%s%s at t = %.17g",
                     what, own->name, own->given.limit ? ", or " : "",
                     own->given.limit ? own->given.limit : "", t);
}


// Moves the values of a part, whose entries begin at `first` among those of all parts, to where they stand.
static void spread(const rico_system *system, int64_t first, int64_t count, const double *from, double *to)
{
    for (int64_t k = 0; k < count; k++) to[system->spread[first + k]] = from[k];
}


void rico_assembly_pace(rico_assembly *assembly, double h)
{
    const rico_system *system = assembly->system;
    for (int64_t p = 0; p < system->part_count; p++)
        if (system->part[p]->kind->pace)
            system->part[p]->kind->pace(system->part[p], assembly->scratch + system->part_scratch[p], h);
}


rico_status rico_assembly_mass(rico_assembly *assembly, double t, const double *q)
{
    const rico_system *system = assembly->system;
    if (system->constant_mass && assembly->mass_done) return RICO_OK;
    int64_t at = 0;
    for (int64_t p = 0; p < system->part_count; p++) {
        const rico_part *part = system->part[p];
        int64_t count = rico_csc_count(&part->pattern);
        double *value = system->spread ? assembly->local : assembly->M + at;
        bool answered =
            part->kind->mass(part, assembly->scratch + system->part_scratch[p], q + part->place.q, value);
        rico_status status = check(assembly, part, "mass", answered, t, count, value);
        if (status != RICO_OK) return status;
        if (system->spread) spread(system, at, count, value, assembly->M);
        at += count;
    }
    assembly->mass_done = true;
    return RICO_OK;
}


static rico_status add_interaction_tangents(rico_assembly *assembly, double t, const double *q,
                                            const double *v)
{
    const rico_system *system = assembly->system;
    for (int64_t i = 0; i < system->interaction_count; i++) {
        const rico_bound_interaction *own = &system->interaction[i];
        int64_t first = own->given.K.count, count = first + own->given.C.count;
        double *value = assembly->values + own->value_at, *scratch = assembly->scratch + own->scratch_at;
        if (count == 0) continue;
        if (!own->given.tangents(own->given.user, scratch, t, q, v, value, value + first) ||
            !rico_all_finite(count, value))
            return refuse(assembly, own, "stiffness", t);
        for (int64_t k = 0; k < count; k++)
            (k < first ? assembly->K : assembly->C)[own->place[k]] += value[k];
    }
    return RICO_OK;
}


rico_status rico_assembly_tangents(rico_assembly *assembly, double t, const double *q, const double *v)
{
    const rico_system *system = assembly->system;
    if (system->constant_tangents && assembly->tangents_done) return RICO_OK;
    if (system->spread) {
        size_t bytes = (size_t)rico_csc_count(&system->pattern) * sizeof *assembly->K;
        memset(assembly->K, 0, bytes);
        memset(assembly->C, 0, bytes);
    }
    int64_t at = 0;
    for (int64_t p = 0; p < system->part_count; p++) {
        const rico_part *part = system->part[p];
        int64_t count = rico_csc_count(&part->pattern);
        double *K = system->spread ? assembly->local : assembly->K + at;
        double *C = system->spread ? assembly->local + count : assembly->C + at;
        bool answered = part->kind->tangents(part, assembly->scratch + system->part_scratch[p], t,
                                             q + part->place.q, v + part->place.v, K, C);
        rico_status status = check(assembly, part, "stiffness", answered, t, count, K);
        if (status == RICO_OK) status = check(assembly, part, "damping", true, t, count, C);
        if (status != RICO_OK) return status;
        if (system->spread) {
            spread(system, at, count, K, assembly->K);
            spread(system, at, count, C, assembly->C);
        }
        at += count;
    }
    rico_status status = add_interaction_tangents(assembly, t, q, v);
    assembly->tangents_done = status == RICO_OK;
    return status;
}


rico_status rico_assembly_load(rico_assembly *assembly, double t, double *f)
{
    const rico_system *system = assembly->system;
    size_t bytes = (size_t)system->nv * sizeof *f;
    if (assembly->load_done) {
        memcpy(f, assembly->load, bytes);
        return RICO_OK;
    }
    memset(f, 0, bytes);
    for (int64_t p = 0; p < system->part_count; p++) {
        const rico_part *part = system->part[p];
        if (!part->loaded) continue;
        double *own = f + part->place.v;
        bool answered = part->kind->load(part, assembly->scratch + system->part_scratch[p], t, own);
        rico_status status = check(assembly, part, "load", answered, t, part->place.v_size, own);
        if (status != RICO_OK) return status;
    }
    if (system->constant_load) {
        memcpy(assembly->load, f, bytes);
        assembly->load_done = true;
    }
    return RICO_OK;
}


rico_status rico_assembly_forces(rico_assembly *assembly, double t, const double *q, const double *v,
                                 double *applied, double *damping, double *conservative)
{
    const rico_system *system = assembly->system;
    size_t bytes = (size_t)system->nv * sizeof *applied;
    memset(applied, 0, bytes);
    if (damping) memset(damping, 0, bytes);
    if (conservative) memset(conservative, 0, bytes);
    if (system->idle) return RICO_OK;
    for (int64_t p = 0; p < system->part_count; p++) {
        const rico_part *part = system->part[p];
        int64_t at = part->place.v, n = part->place.v_size;
        bool answered = part->kind->forces(
            part, assembly->scratch + system->part_scratch[p], t, q + part->place.q, v + at, applied + at,
            (damping ? damping : applied) + at, (conservative ? conservative : applied) + at);
        if (part->trusted) continue;
        rico_status status = check(assembly, part, "force", answered, t, n, applied + at);
        if (status == RICO_OK && damping) status = check(assembly, part, "damping", true, t, n, damping + at);
        if (status == RICO_OK && conservative)
            status = check(assembly, part, "gradient", true, t, n, conservative + at);
        if (status != RICO_OK) return status;
    }
    for (int64_t i = 0; i < system->interaction_count; i++) {
        const rico_bound_interaction *own = &system->interaction[i];
        if (!own->given.forces(own->given.user, assembly->scratch + own->scratch_at, t, q, v, applied,
                               damping ? damping : applied, conservative ? conservative : applied))
            return refuse(assembly, own, "force", t);
    }
    return RICO_OK;
}


rico_status rico_assembly_potential(rico_assembly *assembly, double t, const double *q, double *V)
{
    const rico_system *system = assembly->system;
    double sum = 0.0;
    *V = 0.0;
    if (system->idle) return RICO_OK;
    for (int64_t p = 0; p < system->part_count; p++) {
        const rico_part *part = system->part[p];
        double own = 0.0;
        bool answered =
            part->kind->potential(part, assembly->scratch + system->part_scratch[p], q + part->place.q, &own);
        rico_status status = check(assembly, part, "potential", answered, t, 1, &own);
        if (status != RICO_OK) return status;
        sum += own;
    }
    for (int64_t i = 0; i < system->interaction_count; i++) {
        const rico_bound_interaction *own = &system->interaction[i];
        double energy = 0.0;
        if (!own->given.potential) continue;
        if (!own->given.potential(own->given.user, assembly->scratch + own->scratch_at, q, &energy))
            return refuse(assembly, own, "potential", t);
        sum += energy;
    }
    *V = sum;
    return RICO_OK;
}


rico_status rico_assembly_retract(rico_assembly *assembly, double t, const double *q, double h,
                                  const double *v, double *out)
{
    const rico_system *system = assembly->system;
    if (system->flat) {
        for (int64_t i = 0; i < system->nq; i++) out[i] = q[i] + h * v[i];
        if (rico_all_finite(system->nq, out)) return RICO_OK;
    }
    for (int64_t p = 0; p < system->part_count; p++) {
        const rico_part *part = system->part[p];
        double *own = out + part->place.q;
        bool answered = part->kind->retract(part, assembly->scratch + system->part_scratch[p],
                                            q + part->place.q, h, v + part->place.v, own);
        if (part->trusted) continue;
        rico_status status = check(assembly, part, "position", answered, t, part->place.q_size, own);
        if (status != RICO_OK) return status;
    }
    return RICO_OK;
}


void rico_assembly_multiply(const rico_assembly *assembly, const double *values, double alpha,
                            const double *x, double *y)
{
    const rico_csc *pattern = &assembly->system->pattern;
    if (assembly->system->symmetric || values == assembly->M) {
        if (assembly->system->alike) {
            rico_alike_add(pattern, assembly->system->alike, values, alpha, x, y);
            return;
        }
        for (int64_t j = 0; j < pattern->cols; j++) {
            double sum = 0.0;
            for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++)
                sum += values[k] * x[pattern->row[k]];
            y[j] += alpha * sum;
        }
        return;
    }
    for (int64_t j = 0; j < pattern->cols; j++) {
        double xj = alpha * x[j];
        for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++)
            y[pattern->row[k]] += values[k] * xj;
    }
}


double rico_assembly_square(const rico_assembly *assembly, const double *values, const double *x)
{
    const rico_csc *pattern = &assembly->system->pattern;
    double sum = 0.0;
    if (assembly->system->alike) return rico_alike_square(pattern, assembly->system->alike, values, x);
    for (int64_t j = 0; j < pattern->cols; j++) {
        double column = 0.0;
        for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++)
            column += values[k] * x[pattern->row[k]];
        sum += column * x[j];
    }
    return sum;
}


void rico_assembly_squares(const rico_assembly *assembly, const double *values, const double *x,
                           const double *y, double *xx, double *yy)
{
    const rico_csc *pattern = &assembly->system->pattern;
    *xx = *yy = 0.0;
    for (int64_t j = 0; j < pattern->cols; j++) {
        double of_x = 0.0, of_y = 0.0;
        for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++) {
            of_x += values[k] * x[pattern->row[k]];
            of_y += values[k] * y[pattern->row[k]];
        }
        *xx += of_x * x[j];
        *yy += of_y * y[j];
    }
}


rico_status rico_system_energies(rico_system *system, const double *q, const double *v, double *kinetic,
                                 double *potential)
{
    rico_assembly *assembly = NULL;
    rico_status status = rico_system_complete(system);
    if (status == RICO_OK) status = rico_assembly_create(system->ctx, system, &assembly);
    if (status == RICO_OK) status = rico_assembly_mass(assembly, 0.0, q);
    if (status == RICO_OK) status = rico_assembly_potential(assembly, 0.0, q, potential);
    if (status == RICO_OK) *kinetic = 0.5 * rico_assembly_square(assembly, assembly->M, v);
    rico_assembly_destroy(assembly);
    return status;
}
