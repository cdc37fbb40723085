// The assembled system: parts behind one another, their matrices on one pattern.

#include "la/dense.h"
#include "model/add.h"

#include <math.h>
#include <string.h>

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
    rico_constraints_destroy(system);
    rico_interactions_destroy(system);
    rico_csc_destroy(&system->pattern);
    rico_csc_destroy(&system->H);
    rico_free(ctx, system->M);
    rico_free(ctx, system->K);
    rico_free(ctx, system->C);
    rico_free(ctx, system->w);
    rico_free(ctx, system);
}


char *rico_model_copy_text(rico_context *ctx, const char *text)
{
    size_t length = strlen(text) + 1;
    char *copy = rico_alloc(ctx, (int64_t)length, 1);
    if (copy) memcpy(copy, text, length);
    return copy;
}


rico_status rico_system_open(const rico_system *system, const char *name)
{
    if (!system->frozen) return RICO_OK;
    return rico_fail(system->ctx, RICO_BAD_ARGUMENT,
                     "%s cannot be added: the system is being simulated already", name);
}


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
    int64_t count = system->part_count;
    rico_part **list = rico_grow(system->ctx, system->part, count, count + 1, sizeof(rico_part *));
    if (!list) return RICO_NO_MEMORY;
    system->part = list;
    list[system->part_count++] = part;
    part->place = (rico_place){system->nq, q_size, system->nv, v_size};
    system->nq += q_size;
    system->nv += v_size;
    if (place) *place = part->place;
    return RICO_OK;
}


// Parts do not share velocities, so their pattern is theirs one after the other along the diagonal.
static rico_status layout_parts(rico_system *system)
{
    rico_context *ctx = system->ctx;
    int64_t count = 0;
    for (int64_t p = 0; p < system->part_count; p++) count += rico_csc_count(&system->part[p]->pattern);
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


static rico_status layout_matrices(rico_system *system)
{
    rico_context *ctx = system->ctx;
    rico_status status = layout_parts(system);
    if (status == RICO_OK) status = rico_interactions_layout(system);
    if (status != RICO_OK) return status;
    int64_t count = rico_csc_count(&system->pattern);
    system->M = rico_alloc(ctx, count, sizeof *system->M);
    system->K = rico_alloc(ctx, count, sizeof *system->K);
    system->C = rico_alloc(ctx, count, sizeof *system->C);
    return system->M && system->K && system->C ? RICO_OK : RICO_NO_MEMORY;
}


rico_status rico_system_freeze(rico_system *system)
{
    if (system->frozen) return RICO_OK;
    if (system->nv == 0) return rico_fail(system->ctx, RICO_BAD_ARGUMENT, "the system has no part");

    rico_csc_destroy(&system->pattern); // what an earlier attempt without memory left
    rico_csc_destroy(&system->H);
    rico_free(system->ctx, system->M);
    rico_free(system->ctx, system->K);
    rico_free(system->ctx, system->C);
    rico_free(system->ctx, system->w);
    system->M = system->K = system->C = system->w = NULL;
    rico_status status = layout_matrices(system);
    if (status == RICO_OK) status = rico_constraints_layout(system);
    if (status != RICO_OK) return status;

    system->constant_mass = system->constant_tangents = system->symmetric = true;
    system->constant_frames = true;
    system->damped = system->stiff = system->loaded = false;
    system->constant_load = true;
    for (int64_t p = 0; p < system->part_count; p++) {
        const rico_part *part = system->part[p];
        system->constant_mass &= part->constant_mass;
        system->constant_tangents &= part->constant_tangents;
        system->symmetric &= part->symmetric;
        system->damped |= part->damped;
        system->stiff |= part->stiff;
        system->loaded |= part->loaded;
        system->constant_load &= part->constant_load;
    }
    rico_interactions_describe(system);
    for (int64_t c = 0; c < system->constraint_count; c++) {
        const rico_constraint *constraint = system->constraint[c];
        system->constant_frames &= constraint->gradient != NULL;
    }
    system->linear = system->constant_mass && system->constant_tangents;
    system->frozen = true;
    return RICO_OK;
}


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
    return true;
}


// The answer of a part, checked: refused, or not a number somewhere.
static rico_status check(const rico_system *system, const rico_part *part, const char *what, bool answered,
                         double t, int64_t count, const double *value)
{
    if (!answered)
        return rico_fail(system->ctx, RICO_BAD_INPUT, "the %s of part %s was refused at t = %.17g", what,
                         part->name, t);
    if (rico_all_finite(count, value)) return RICO_OK;
    int64_t bad = 0;
    while (isfinite(value[bad])) bad++;
    return rico_fail(system->ctx, RICO_BAD_INPUT, "the %s of part %s is %g in entry %lld at t = %.17g", what,
                     part->name, value[bad], (long long)bad, t);
}


// Moves the values of a part, whose entries begin at `first` among those of all parts, to where they stand.
static void spread(const rico_system *system, int64_t first, int64_t count, const double *from, double *to)
{
    for (int64_t k = 0; k < count; k++) to[system->spread[first + k]] = from[k];
}


rico_status rico_system_mass(rico_system *system, double t, const double *q)
{
    if (system->constant_mass && system->mass_done) return RICO_OK;
    int64_t at = 0;
    for (int64_t p = 0; p < system->part_count; p++) {
        const rico_part *part = system->part[p];
        int64_t count = rico_csc_count(&part->pattern);
        double *value = system->spread ? system->local : system->M + at;
        bool answered = part->kind->mass(part, q + part->place.q, value);
        rico_status status = check(system, part, "mass", answered, t, count, value);
        if (status != RICO_OK) return status;
        if (system->spread) spread(system, at, count, value, system->M);
        at += count;
    }
    system->mass_done = true;
    return RICO_OK;
}


rico_status rico_system_tangents(rico_system *system, double t, const double *q, const double *v)
{
    if (system->constant_tangents && system->tangents_done) return RICO_OK;
    if (system->spread) {
        size_t bytes = (size_t)rico_csc_count(&system->pattern) * sizeof *system->K;
        memset(system->K, 0, bytes);
        memset(system->C, 0, bytes);
    }
    int64_t at = 0;
    for (int64_t p = 0; p < system->part_count; p++) {
        const rico_part *part = system->part[p];
        int64_t count = rico_csc_count(&part->pattern);
        double *K = system->spread ? system->local : system->K + at;
        double *C = system->spread ? system->local + count : system->C + at;
        bool answered = part->kind->tangents(part, t, q + part->place.q, v + part->place.v, K, C);
        rico_status status = check(system, part, "stiffness", answered, t, count, K);
        if (status == RICO_OK) status = check(system, part, "damping", true, t, count, C);
        if (status != RICO_OK) return status;
        if (system->spread) {
            spread(system, at, count, K, system->K);
            spread(system, at, count, C, system->C);
        }
        at += count;
    }
    rico_status status = rico_interactions_tangents(system, t, q, v);
    system->tangents_done = status == RICO_OK;
    return status;
}


rico_status rico_system_load(rico_system *system, double t, double *f)
{
    memset(f, 0, (size_t)system->nv * sizeof *f);
    for (int64_t p = 0; p < system->part_count; p++) {
        const rico_part *part = system->part[p];
        if (!part->loaded) continue;
        double *own = f + part->place.v;
        bool answered = part->kind->load(part, t, own);
        if (part->constant_load) continue;
        rico_status status = check(system, part, "load", answered, t, part->place.v_size, own);
        if (status != RICO_OK) return status;
    }
    return RICO_OK;
}


rico_status rico_system_forces(rico_system *system, double t, const double *q, const double *v,
                               double *applied, double *damping, double *conservative)
{
    size_t bytes = (size_t)system->nv * sizeof *applied;
    memset(applied, 0, bytes);
    if (damping) memset(damping, 0, bytes);
    if (conservative) memset(conservative, 0, bytes);
    for (int64_t p = 0; p < system->part_count; p++) {
        const rico_part *part = system->part[p];
        int64_t at = part->place.v, n = part->place.v_size;
        bool answered = part->kind->forces(part, t, q + part->place.q, v + at, applied + at,
                                           (damping ? damping : applied) + at,
                                           (conservative ? conservative : applied) + at);
        if (part->trusted) continue;
        rico_status status = check(system, part, "force", answered, t, n, applied + at);
        if (status == RICO_OK && damping) status = check(system, part, "damping", true, t, n, damping + at);
        if (status == RICO_OK && conservative)
            status = check(system, part, "gradient", true, t, n, conservative + at);
        if (status != RICO_OK) return status;
    }
    return rico_interactions_forces(system, t, q, v, applied, damping, conservative);
}


rico_status rico_system_potential(rico_system *system, double t, const double *q, double *V)
{
    double sum = 0.0;
    for (int64_t p = 0; p < system->part_count; p++) {
        const rico_part *part = system->part[p];
        double own = 0.0;
        bool answered = part->kind->potential(part, q + part->place.q, &own);
        rico_status status = check(system, part, "potential", answered, t, 1, &own);
        if (status != RICO_OK) return status;
        sum += own;
    }
    *V = sum;
    return rico_interactions_potential(system, t, q, V);
}


rico_status rico_system_retract(rico_system *system, double t, const double *q, double h, const double *v,
                                double *out)
{
    for (int64_t p = 0; p < system->part_count; p++) {
        const rico_part *part = system->part[p];
        double *own = out + part->place.q;
        bool answered = part->kind->retract(part, q + part->place.q, h, v + part->place.v, own);
        if (part->trusted) continue;
        rico_status status = check(system, part, "position", answered, t, part->place.q_size, own);
        if (status != RICO_OK) return status;
    }
    return RICO_OK;
}


void rico_system_multiply(const rico_system *system, const double *values, double alpha, const double *x,
                          double *y)
{
    const rico_csc *pattern = &system->pattern;
    if (system->symmetric || values == system->M) {
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


rico_status rico_system_energies(rico_system *system, const double *q, const double *v, double *kinetic,
                                 double *potential)
{
    rico_status status = rico_system_freeze(system);
    if (status == RICO_OK) status = rico_system_mass(system, 0.0, q);
    if (status == RICO_OK) status = rico_system_potential(system, 0.0, q, potential);
    if (status != RICO_OK) return status;
    const rico_csc *pattern = &system->pattern;
    double sum = 0.0;
    for (int64_t j = 0; j < pattern->cols; j++) {
        double column = 0.0;
        for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++)
            column += system->M[k] * v[pattern->row[k]];
        sum += column * v[j];
    }
    *kinetic = 0.5 * sum;
    return RICO_OK;
}
