// Whether a scheme takes what a system has.

#include "model/friction.h"
#include "step/simulation.h"

// Motors with a bound and friction of joints are boxes, which not every scheme has.
static rico_status check_boxes(rico_context *ctx, const rico_system *system, const rico_scheme *scheme)
{
    for (int64_t c = 0; c < system->constraint_count && !scheme->boxes; c++)
        if (system->constraint[c]->box.acts)
            return rico_fail(
                ctx, RICO_UNSUPPORTED,
                "%s holds joints with any force, and that of %s is bounded; choose midpoint-projection or "
                "moreau-jean-projected",
                scheme->info.name, system->constraint[c]->name);
    return RICO_OK;
}


// Laws of friction beyond Coulomb's are the contact solver's; schemes that sort contacts by themselves know Coulomb's alone.
static rico_status check_laws(rico_context *ctx, const rico_system *system, const rico_scheme *scheme)
{
    if (scheme->laws || system->friction_count == 0) return RICO_OK;
    return rico_fail(ctx, RICO_UNSUPPORTED,
                     "%s has Coulomb's friction with one coefficient, and contacts have friction %s; choose "
                     "midpoint-projection or moreau-jean",
                     scheme->info.name, system->friction[0]->name);
}


// Outputs beside H are known to the theta-methods alone.
static rico_status check_relations(rico_context *ctx, const rico_system *system, const rico_scheme *scheme)
{
    for (int64_t c = 0; c < system->constraint_count && !scheme->relations; c++)
        if (system->constraint[c]->relation)
            return rico_fail(ctx, RICO_UNSUPPORTED,
                             "%s knows no relations, and there is %s; choose moreau-jean", scheme->info.name,
                             system->constraint[c]->name);
    if (system->relation_count > 0 && !system->flat)
        return rico_fail(ctx, RICO_UNSUPPORTED,
                         "relations are of parts whose positions move by addition, and some turn");
    return RICO_OK;
}


rico_status rico_scheme_suits(rico_context *ctx, const rico_system *system, const rico_scheme *scheme)
{
    rico_status status = check_relations(ctx, system, scheme);
    if (status == RICO_OK) status = check_boxes(ctx, system, scheme);
    return status == RICO_OK ? check_laws(ctx, system, scheme) : status;
}
