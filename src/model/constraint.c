// Joints and contacts that are always there: how they enter a system, and the kinds given by a caller.

#include "la/dense.h"
#include "model/add.h"
#include "model/friction.h"

#include <math.h>
#include <string.h>

static void destroy(rico_context *ctx, rico_constraint *constraint)
{
    if (!constraint) return;
    rico_free(ctx, (char *)constraint->name);
    rico_free(ctx, constraint->dof);
    rico_free(ctx, constraint->gradient);
    rico_free(ctx, constraint->owned);
    rico_free(ctx, constraint);
}


void rico_constraints_destroy(rico_system *system)
{
    for (int64_t i = 0; i < system->constraint_count; i++) destroy(system->ctx, system->constraint[i]);
    rico_free(system->ctx, system->constraint);
}


// --- kinds ---------------------------------------------------------------------------------------------------------

static bool linear_value(const rico_constraint *constraint, rico_assembly *assembly, double *scratch,
                         double t, const double *q, double *g)
{
    (void)assembly, (void)scratch, (void)t;
    double gap = constraint->offset;
    for (int64_t i = 0; i < constraint->dof_count; i++)
        gap += constraint->gradient[i] * q[constraint->dof[i]];
    *g = gap;
    return true;
}


static bool given_value(const rico_constraint *constraint, rico_assembly *assembly, double *scratch, double t,
                        const double *q, double *g)
{
    (void)assembly, (void)scratch;
    return constraint->given.value(constraint->given.user, t, q, g);
}


static bool given_frame(const rico_constraint *constraint, rico_assembly *assembly, double *scratch, double t,
                        const double *q, double *H)
{
    (void)assembly, (void)scratch;
    return constraint->given.frame(constraint->given.user, t, q, H);
}


static bool given_rate(const rico_constraint *constraint, rico_assembly *assembly, double *scratch, double t,
                       const double *q, double *w)
{
    (void)assembly, (void)scratch;
    return constraint->given.rate(constraint->given.user, t, q, w);
}


static bool motion_value(const rico_constraint *constraint, rico_assembly *assembly, double *scratch,
                         double t, const double *q, double *g)
{
    (void)assembly, (void)scratch;
    const rico_motion *motion = &constraint->motion;
    double x;
    if (!motion->position(motion->user, t, &x)) return false;
    *g = q[motion->position_index] - x;
    return true;
}


static bool motion_rate(const rico_constraint *constraint, rico_assembly *assembly, double *scratch, double t,
                        const double *q, double *w)
{
    (void)assembly, (void)scratch, (void)q;
    const rico_motion *motion = &constraint->motion;
    double x;
    if (!motion->velocity(motion->user, t, &x)) return false;
    *w = -x;
    return true;
}


static const rico_constraint_kind LINEAR = {.value = linear_value, .rate = given_rate},
                                  GIVEN = {.value = given_value, .frame = given_frame, .rate = given_rate},
                                  MOTION = {.value = motion_value, .rate = motion_rate};


// --- adding --------------------------------------------------------------------------------------------------------

rico_status rico_contact_check_reach(const rico_system *system, const char *name, const rico_reach *reach)
{
    if (reach->dof_count < 1)
        return rico_fail(system->ctx, RICO_BAD_ARGUMENT, "constraint %s touches no velocity", name);
    for (int64_t i = 0; i < reach->dof_count; i++) {
        if (reach->dof[i] < 0 || reach->dof[i] >= system->nv)
            return rico_fail(system->ctx, RICO_BAD_ARGUMENT,
                             "constraint %s touches velocity %lld, but there are %lld", name,
                             (long long)reach->dof[i], (long long)system->nv);
        for (int64_t j = 0; j < i; j++)
            if (reach->dof[i] == reach->dof[j])
                return rico_fail(system->ctx, RICO_BAD_ARGUMENT, "constraint %s names velocity %lld twice",
                                 name, (long long)reach->dof[i]);
    }
    return RICO_OK;
}


rico_status rico_system_add_constraint(rico_system *system, const char *name, const rico_constraint *made,
                                       const int64_t *dof, const double *gradient, int64_t *index)
{
    rico_context *ctx = system->ctx;
    int64_t count = system->constraint_count;
    rico_constraint **list =
        rico_model_room(ctx, system->constraint, count, &system->constraint_room, sizeof(rico_constraint *));
    if (!list) return RICO_NO_MEMORY;
    system->constraint = list;

    rico_constraint *constraint = rico_alloc(ctx, 1, sizeof *constraint);
    if (!constraint) return RICO_NO_MEMORY;
    *constraint = *made;
    constraint->source = -1;
    constraint->key = (rico_contact_key)count;
    constraint->row = system->rows;
    constraint->name = rico_model_copy_text(ctx, name);
    constraint->dof = rico_alloc(ctx, made->dof_count, sizeof *constraint->dof);
    int64_t entries = made->dof_count * made->size;
    if (gradient) constraint->gradient = rico_alloc(ctx, entries, sizeof *constraint->gradient);
    if (!constraint->name || !constraint->dof || (gradient && !constraint->gradient)) {
        constraint->owned = NULL; // stays the caller's
        destroy(ctx, constraint);
        return RICO_NO_MEMORY;
    }
    memcpy(constraint->dof, dof, (size_t)made->dof_count * sizeof *dof);
    if (gradient) memcpy(constraint->gradient, gradient, (size_t)entries * sizeof *gradient);
    list[system->constraint_count++] = constraint;
    system->rows += made->size;
    if (index) *index = count;
    return RICO_OK;
}


rico_status rico_contact_check(rico_context *ctx, const char *name, const rico_contact *contact)
{
    bool own = contact->friction_law != 0;
    if (contact->dimension < 1 || contact->dimension > 3)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "contact %s has dimension %d, expected 1, 2 or 3", name,
                         contact->dimension);
    if (!(contact->restitution >= 0.0 && isfinite(contact->restitution)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "contact %s: restitution = %g must be at least 0", name,
                         contact->restitution);
    if (!(contact->friction >= 0.0 && isfinite(contact->friction)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "contact %s: friction = %g must be at least 0", name,
                         contact->friction);
    if (!(contact->stiffness >= 0.0 && isfinite(contact->stiffness)) ||
        !(contact->exponent >= 0.0 && isfinite(contact->exponent)))
        return rico_fail(
            ctx, RICO_BAD_ARGUMENT,
            "contact %s: stiffness = %g and exponent = %g must be positive, or 0 for the default", name,
            contact->stiffness, contact->exponent);
    if (contact->dimension == 1 && contact->friction > 0.0 && !own)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "contact %s: friction = %g needs dimension 2 or 3", name,
                         contact->friction);
    return RICO_OK;
}


rico_status rico_system_add_contact(rico_system *system, const char *name, const rico_contact *contact,
                                    int64_t *index)
{
    rico_context *ctx = system->ctx;
    rico_status status = rico_system_open(system, name);
    if (status == RICO_OK) status = rico_contact_check_reach(system, name, &contact->reach);
    const rico_bound_friction *law = NULL;
    if (status == RICO_OK) status = rico_contact_check(ctx, name, contact);
    if (status == RICO_OK) status = rico_friction_find(system, ctx, name, contact->friction_law, &law);
    if (status == RICO_OK) status = rico_friction_check_listed(ctx, name, law, contact->dimension);
    if (status != RICO_OK) return status;
    int moments = rico_friction_moments(law, contact->dimension);
    if (contact->moments != moments)
        return rico_fail(
            ctx, RICO_BAD_ARGUMENT,
            "contact %s has %d rows of moments, and its friction %d: rolling needs two (one in the "
            "plane), spinning one",
            name, contact->moments, moments);
    if (!contact->gradient && (!contact->gap || !contact->frame))
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "contact %s needs a constant gradient, or functions for its gap and its frame",
                         name);
    int64_t rows = contact->dimension + moments;
    for (int64_t i = 0; contact->gradient && i < rows * contact->reach.dof_count; i++)
        if (!isfinite(contact->gradient[i]))
            return rico_fail(ctx, RICO_BAD_INPUT, "gradient[%lld] of contact %s is %g", (long long)i, name,
                             contact->gradient[i]);
    if (!isfinite(contact->offset))
        return rico_fail(ctx, RICO_BAD_INPUT, "the offset of contact %s is %g", name, contact->offset);
    if (contact->gradient && system->nq != system->nv)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "contact %s: a constant gradient needs positions and velocities of equal number",
                         name);

    rico_constraint made = {.kind = contact->gap || !contact->gradient ? &GIVEN : &LINEAR,
                            .size = rows,
                            .moves = contact->rate != NULL,
                            .restitution = contact->restitution,
                            .friction = law ? law->nominal : contact->friction,
                            .rubs = law,
                            .moments = moments,
                            .arm = 1.0,
                            .stiffness = contact->stiffness > 0.0 ? contact->stiffness : 1.0,
                            .exponent = contact->exponent > 0.0 ? contact->exponent : 1.5,
                            .dof_count = contact->reach.dof_count,
                            .offset = contact->offset,
                            .given = {contact->gap, contact->frame, contact->rate, contact->user}};
    return rico_system_add_constraint(system, name, &made, contact->reach.dof, contact->gradient, index);
}


rico_status rico_system_add_joint(rico_system *system, const char *name, const rico_joint *joint,
                                  int64_t *index)
{
    rico_status status = rico_system_open(system, name);
    if (status == RICO_OK) status = rico_contact_check_reach(system, name, &joint->reach);
    if (status != RICO_OK) return status;
    if (joint->size < 1)
        return rico_fail(system->ctx, RICO_BAD_ARGUMENT, "joint %s has %lld rows", name,
                         (long long)joint->size);
    if (!joint->value || !joint->frame)
        return rico_fail(system->ctx, RICO_BAD_ARGUMENT, "joint %s needs functions for value and frame",
                         name);
    rico_constraint made = {.kind = &GIVEN,
                            .joint = true,
                            .moves = joint->rate != NULL,
                            .size = joint->size,
                            .dof_count = joint->reach.dof_count,
                            .given = {joint->value, joint->frame, joint->rate, joint->user}};
    return rico_system_add_constraint(system, name, &made, joint->reach.dof, NULL, index);
}


rico_status rico_system_prescribe(rico_system *system, const char *name, const rico_motion *motion,
                                  int64_t *index)
{
    rico_context *ctx = system->ctx;
    rico_reach reach = {1, &motion->velocity_index};
    rico_status status = rico_system_open(system, name);
    if (status == RICO_OK) status = rico_contact_check_reach(system, name, &reach);
    if (status != RICO_OK) return status;
    if (motion->position_index < 0 || motion->position_index >= system->nq)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "motion %s moves position %lld, but there are %lld", name,
                         (long long)motion->position_index, (long long)system->nq);
    if (!motion->position || !motion->velocity)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "motion %s needs functions for position and velocity", name);

    const double one = 1.0;
    rico_constraint made = {
        .kind = &MOTION, .joint = true, .moves = true, .size = 1, .dof_count = 1, .motion = *motion};
    return rico_system_add_constraint(system, name, &made, reach.dof, &one, index);
}


rico_constraint_info rico_constraint_describe(const rico_constraint *constraint)
{
    return (rico_constraint_info){constraint->name,      constraint->joint,       constraint->row,
                                  constraint->size,      constraint->restitution, constraint->friction,
                                  constraint->stiffness, constraint->exponent,    constraint->source,
                                  constraint->key,       constraint->moments,     constraint->arm};
}


rico_constraint_info rico_system_constraint(const rico_system *system, int64_t index)
{
    return rico_constraint_describe(system->constraint[index]);
}
