// Relations in a system: how they are added. What they mean in a step is in step/relations.c.

#include "model/relation.h"

#include "model/add.h"

#include <math.h>

// --- a constraint of one row, a box that has no position to keep ---------------------------------------------------

static bool value(const rico_constraint *constraint, rico_assembly *assembly, double *scratch, double t,
                  const double *q, double *g)
{
    (void)constraint, (void)assembly, (void)scratch, (void)t, (void)q;
    *g = 0.0;
    return true;
}


static bool frame(const rico_constraint *constraint, rico_assembly *assembly, double *scratch, double t,
                  const double *q, double *H)
{
    (void)assembly;
    const rico_relation *given = &rico_relation_of(constraint)->given;
    return given->action(given->user, scratch, t, q, H);
}


// What the output has beyond its derivative times v is the step's to fill in: it knows how positions move.
static bool rate(const rico_constraint *constraint, rico_assembly *assembly, double *scratch, double t,
                 const double *q, double *w)
{
    (void)constraint, (void)assembly, (void)scratch, (void)t, (void)q;
    *w = 0.0;
    return true;
}


static void prepare(const rico_constraint *constraint, double *scratch)
{
    const rico_relation *given = &rico_relation_of(constraint)->given;
    if (given->prepare) given->prepare(given->user, scratch);
}


static const rico_constraint_kind RELATION = {
    .prepare = prepare, .value = value, .frame = frame, .rate = rate};


// --- adding --------------------------------------------------------------------------------------------------------

static rico_status check(const rico_system *system, const char *name, const rico_relation *relation)
{
    rico_context *ctx = system->ctx;
    if (!relation->action || !relation->output)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "relation %s needs functions for its action and its output",
                         name);
    if (relation->law < RICO_RELATION_RELAY || relation->law > RICO_RELATION_EQUALITY)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "relation %s: there is no law %d", name, (int)relation->law);
    bool relay = relation->law == RICO_RELATION_RELAY;
    if (relay && !(isfinite(relation->low) && isfinite(relation->high) && relation->low <= relation->high))
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "relation %s: bounds from %g to %g, expected finite ones in this order", name,
                         relation->low, relation->high);
    if (!relay && (relation->factor || relation->hysteresis != 0.0))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "relation %s: only relays have %s", name,
                         relation->factor ? "bounds with a factor" : "a hysteresis");
    if (!(relation->hysteresis >= 0.0 && isfinite(relation->hysteresis)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "relation %s: a hysteresis of %g, expected at least 0", name,
                         relation->hysteresis);
    if (system->nq != system->nv)
        return rico_fail(ctx, RICO_UNSUPPORTED,
                         "relation %s: relations are of parts whose positions and velocities are paired, and "
                         "there are %lld and %lld",
                         name, (long long)system->nq, (long long)system->nv);
    return RICO_OK;
}


rico_status rico_system_add_relation(rico_system *system, const char *name, const rico_relation *relation,
                                     int64_t *index)
{
    rico_context *ctx = system->ctx;
    rico_status status = rico_system_open(system, name);
    if (status == RICO_OK) status = rico_contact_check_reach(system, name, &relation->reach);
    if (status == RICO_OK) status = check(system, name, relation);
    if (status != RICO_OK) return status;
    rico_bound_relation *bound = rico_alloc(ctx, 1, sizeof *bound);
    if (!bound) return RICO_NO_MEMORY;
    bound->given = *relation;
    rico_constraint made = {.kind = &RELATION,
                            .joint = true,
                            .moves = true,
                            .size = 1,
                            .dof_count = relation->reach.dof_count,
                            .scratch = relation->scratch,
                            .relation = bound,
                            .box = {.acts = relation->law != RICO_RELATION_EQUALITY}};
    int64_t at;
    status = rico_system_add_constraint(system, name, &made, relation->reach.dof, NULL, &at);
    if (status != RICO_OK) {
        rico_free(ctx, bound);
        return status;
    }
    bound->given.reach.dof = system->constraint[at]->dof;
    system->relation_count++;
    system->bent |= !relation->affine;
    if (index) *index = at;
    return RICO_OK;
}


rico_status rico_system_feed_through(rico_system *system, int64_t to, int64_t from, double value)
{
    rico_context *ctx = system->ctx;
    rico_status status = rico_system_open(system, "a relation");
    if (status != RICO_OK) return status;
    for (int k = 0; k < 2; k++) {
        int64_t c = k ? from : to;
        if (c < 0 || c >= system->constraint_count || !system->constraint[c]->relation)
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "constraint %lld is no relation", (long long)c);
    }
    if (!isfinite(value))
        return rico_fail(ctx, RICO_BAD_INPUT, "relation %s is fed %g of %s", system->constraint[to]->name,
                         value, system->constraint[from]->name);
    rico_bound_relation *bound = system->constraint[to]->relation;
    rico_feed *more = rico_grow(ctx, bound->feed, bound->fed, bound->fed + 1, sizeof *more);
    if (!more) return RICO_NO_MEMORY;
    bound->feed = more;
    bound->feed[bound->fed++] = (rico_feed){from, value};
    return RICO_OK;
}


void rico_system_release_relations(rico_system *system)
{
    for (int64_t c = 0; c < system->constraint_count; c++) {
        rico_bound_relation *bound = system->constraint[c]->relation;
        if (bound) rico_free(system->ctx, bound->feed);
        rico_free(system->ctx, bound);
    }
}
