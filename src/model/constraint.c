// Joints and contacts: how they enter a system, their gaps and their columns of H.

#include "la/dense.h"
#include "model/add.h"

#include <math.h>
#include <string.h>

static void destroy(rico_context *ctx, rico_constraint *constraint)
{
    if (!constraint) return;
    rico_free(ctx, constraint->name);
    rico_free(ctx, constraint->dof);
    rico_free(ctx, constraint->gradient);
    rico_free(ctx, constraint);
}


void rico_constraints_destroy(rico_system *system)
{
    for (int64_t i = 0; i < system->constraint_count; i++) destroy(system->ctx, system->constraint[i]);
    rico_free(system->ctx, system->constraint);
}


static rico_status check_reach(const rico_system *system, const char *name, const rico_reach *reach)
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


// Takes `made` by value, copies what it points to, puts it at the end of the list.
static rico_status add(rico_system *system, const char *name, rico_constraint made, const int64_t *dof,
                       const double *gradient, int64_t *index)
{
    rico_context *ctx = system->ctx;
    int64_t count = system->constraint_count;
    rico_constraint **list = rico_grow(ctx, system->constraint, count, count + 1, sizeof(rico_constraint *));
    if (!list) return RICO_NO_MEMORY;
    system->constraint = list;

    rico_constraint *constraint = rico_alloc(ctx, 1, sizeof *constraint);
    if (!constraint) return RICO_NO_MEMORY;
    *constraint = made;
    constraint->row = system->rows;
    constraint->name = rico_model_copy_text(ctx, name);
    constraint->dof = rico_alloc(ctx, made.dof_count, sizeof *constraint->dof);
    int64_t entries = made.dof_count * made.size;
    if (gradient) constraint->gradient = rico_alloc(ctx, entries, sizeof *constraint->gradient);
    if (!constraint->name || !constraint->dof || (gradient && !constraint->gradient)) {
        destroy(ctx, constraint);
        return RICO_NO_MEMORY;
    }
    memcpy(constraint->dof, dof, (size_t)made.dof_count * sizeof *dof);
    if (gradient) memcpy(constraint->gradient, gradient, (size_t)entries * sizeof *gradient);
    system->constraint[system->constraint_count++] = constraint;
    system->rows += made.size;
    if (index) *index = count;
    return RICO_OK;
}


rico_status rico_system_add_contact(rico_system *system, const char *name, const rico_contact *contact,
                                    int64_t *index)
{
    rico_context *ctx = system->ctx;
    rico_status status = rico_system_open(system, name);
    if (status == RICO_OK) status = check_reach(system, name, &contact->reach);
    if (status != RICO_OK) return status;
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
    if (contact->dimension == 1 && contact->friction > 0.0)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "contact %s: friction = %g needs dimension 2 or 3", name,
                         contact->friction);
    if (!contact->gradient && (!contact->gap || !contact->frame))
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "contact %s needs a constant gradient, or functions for its gap and its frame",
                         name);
    for (int64_t i = 0; contact->gradient && i < contact->dimension * contact->reach.dof_count; i++)
        if (!isfinite(contact->gradient[i]))
            return rico_fail(ctx, RICO_BAD_INPUT, "gradient[%lld] of contact %s is %g", (long long)i, name,
                             contact->gradient[i]);
    if (!isfinite(contact->offset))
        return rico_fail(ctx, RICO_BAD_INPUT, "the offset of contact %s is %g", name, contact->offset);
    if (contact->gradient && system->nq != system->nv)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "contact %s: a constant gradient needs positions and velocities of equal number",
                         name);

    rico_constraint made = {.size = contact->dimension,
                            .restitution = contact->restitution,
                            .friction = contact->friction,
                            .stiffness = contact->stiffness > 0.0 ? contact->stiffness : 1.0,
                            .exponent = contact->exponent > 0.0 ? contact->exponent : 1.5,
                            .dof_count = contact->reach.dof_count,
                            .offset = contact->offset,
                            .value = contact->gap,
                            .frame = contact->frame,
                            .rate = contact->rate,
                            .user = contact->user};
    return add(system, name, made, contact->reach.dof, contact->gradient, index);
}


rico_status rico_system_add_joint(rico_system *system, const char *name, const rico_joint *joint,
                                  int64_t *index)
{
    rico_status status = rico_system_open(system, name);
    if (status == RICO_OK) status = check_reach(system, name, &joint->reach);
    if (status != RICO_OK) return status;
    if (joint->size < 1)
        return rico_fail(system->ctx, RICO_BAD_ARGUMENT, "joint %s has %lld rows", name,
                         (long long)joint->size);
    if (!joint->value || !joint->frame)
        return rico_fail(system->ctx, RICO_BAD_ARGUMENT, "joint %s needs functions for value and frame",
                         name);
    rico_constraint made = {.joint = true,
                            .size = joint->size,
                            .dof_count = joint->reach.dof_count,
                            .value = joint->value,
                            .frame = joint->frame,
                            .rate = joint->rate,
                            .user = joint->user};
    return add(system, name, made, joint->reach.dof, NULL, index);
}


static bool motion_value(void *user, double t, const double *q, double *g)
{
    const rico_motion *motion = user;
    double x;
    if (!motion->position(motion->user, t, &x)) return false;
    *g = q[motion->position_index] - x;
    return true;
}


static bool motion_rate(void *user, double t, const double *q, double *w)
{
    (void)q;
    const rico_motion *motion = user;
    double x;
    if (!motion->velocity(motion->user, t, &x)) return false;
    *w = -x;
    return true;
}


rico_status rico_system_prescribe(rico_system *system, const char *name, const rico_motion *motion,
                                  int64_t *index)
{
    rico_context *ctx = system->ctx;
    rico_reach reach = {1, &motion->velocity_index};
    rico_status status = rico_system_open(system, name);
    if (status == RICO_OK) status = check_reach(system, name, &reach);
    if (status != RICO_OK) return status;
    if (motion->position_index < 0 || motion->position_index >= system->nq)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "motion %s moves position %lld, but there are %lld", name,
                         (long long)motion->position_index, (long long)system->nq);
    if (!motion->position || !motion->velocity)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "motion %s needs functions for position and velocity", name);

    const double one = 1.0;
    rico_constraint made = {.joint = true,
                            .size = 1,
                            .dof_count = 1,
                            .value = motion_value,
                            .rate = motion_rate,
                            .motion = *motion};
    status = add(system, name, made, reach.dof, &one, index);
    if (status != RICO_OK) return status;
    rico_constraint *added = system->constraint[system->constraint_count - 1];
    added->user = &added->motion;
    return RICO_OK;
}


rico_constraint_info rico_system_constraint(const rico_system *system, int64_t index)
{
    const rico_constraint *constraint = system->constraint[index];
    rico_constraint_info info = {constraint->name,      constraint->joint,       constraint->row,
                                 constraint->size,      constraint->restitution, constraint->friction,
                                 constraint->stiffness, constraint->exponent};
    return info;
}


// A function of the caller that refused or returned something that is no number.
static rico_status refuse(const rico_system *system, const rico_constraint *constraint, const char *what,
                          double t, int64_t count, const double *value)
{
    const char *kind = constraint->joint ? "joint" : "contact";
    for (int64_t i = 0; value && i < count; i++)
        if (!isfinite(value[i]))
            return rico_fail(system->ctx, RICO_BAD_INPUT, "the %s of %s %s is %g in entry %lld at t = %.17g",
                             what, kind, constraint->name, value[i], (long long)i, t);
    return rico_fail(system->ctx, RICO_BAD_INPUT, "the %s of %s %s was refused at t = %.17g", what, kind,
                     constraint->name, t);
}


rico_status rico_system_gap_of(rico_system *system, int64_t c, double t, const double *q, double *g)
{
    const rico_constraint *constraint = system->constraint[c];
    double *own = g + constraint->row;
    int64_t values = constraint->joint ? constraint->size : 1;
    for (int64_t i = values; i < constraint->size; i++) own[i] = 0.0;
    if (constraint->value) {
        if (!constraint->value(constraint->user, t, q, own))
            return refuse(system, constraint, "gap", t, 0, NULL);
    } else {
        double gap = constraint->offset;
        for (int64_t i = 0; i < constraint->dof_count; i++)
            gap += constraint->gradient[i] * q[constraint->dof[i]];
        own[0] = gap;
    }
    return rico_all_finite(values, own) ? RICO_OK : refuse(system, constraint, "gap", t, values, own);
}


rico_status rico_system_gaps(rico_system *system, double t, const double *q, double *g)
{
    rico_status status = RICO_OK;
    for (int64_t c = 0; status == RICO_OK && c < system->constraint_count; c++)
        status = rico_system_gap_of(system, c, t, q, g);
    return status;
}


rico_status rico_system_frame_of(rico_system *system, int64_t c, double t, const double *q)
{
    const rico_constraint *constraint = system->constraint[c];
    int64_t entries = constraint->dof_count * constraint->size;
    double *block = system->H.value + system->H.start[constraint->row];
    if (constraint->gradient) return RICO_OK;
    if (!constraint->frame(constraint->user, t, q, block))
        return refuse(system, constraint, "frame", t, 0, NULL);
    return rico_all_finite(entries, block) ? RICO_OK : refuse(system, constraint, "frame", t, entries, block);
}


rico_status rico_system_frames(rico_system *system, double t, const double *q)
{
    rico_status status = RICO_OK;
    for (int64_t c = 0; status == RICO_OK && c < system->constraint_count; c++)
        status = rico_system_frame_of(system, c, t, q);
    return status;
}


rico_status rico_system_rates(rico_system *system, double t, const double *q)
{
    for (int64_t c = 0; c < system->constraint_count; c++) {
        const rico_constraint *constraint = system->constraint[c];
        if (!constraint->rate) continue;
        double *w = system->w + constraint->row;
        if (!constraint->rate(constraint->user, t, q, w))
            return refuse(system, constraint, "rate", t, 0, NULL);
        if (!rico_all_finite(constraint->size, w))
            return refuse(system, constraint, "rate", t, constraint->size, w);
    }
    return RICO_OK;
}


// H with one column per row of a constraint, entries in the order of its reach: the layout that frame functions fill.
rico_status rico_constraints_layout(rico_system *system)
{
    rico_context *ctx = system->ctx;
    int64_t entries = 0;
    for (int64_t c = 0; c < system->constraint_count; c++)
        entries += system->constraint[c]->dof_count * system->constraint[c]->size;
    rico_csc *H = &system->H;
    H->ctx = ctx;
    H->rows = system->nv;
    H->cols = system->rows;
    H->start = rico_alloc(ctx, system->rows + 1, sizeof *H->start);
    H->row = rico_alloc(ctx, entries, sizeof *H->row);
    H->value = rico_alloc(ctx, entries, sizeof *H->value);
    system->w = rico_alloc(ctx, system->rows, sizeof *system->w);
    if (!H->start || !H->row || !H->value || !system->w) return RICO_NO_MEMORY;

    int64_t at = 0;
    for (int64_t c = 0; c < system->constraint_count; c++) {
        const rico_constraint *constraint = system->constraint[c];
        for (int64_t j = 0; j < constraint->size; j++) {
            H->start[constraint->row + j] = at;
            for (int64_t i = 0; i < constraint->dof_count; i++) {
                H->row[at] = constraint->dof[i];
                H->value[at++] =
                    constraint->gradient ? constraint->gradient[i + j * constraint->dof_count] : 0.0;
            }
        }
    }
    H->start[system->rows] = at;
    return RICO_OK;
}
