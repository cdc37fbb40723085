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


rico_status rico_scheme_suits(rico_context *ctx, const rico_system *system, const rico_scheme *scheme)
{
    rico_status status = check_boxes(ctx, system, scheme);
    return status == RICO_OK ? check_laws(ctx, system, scheme) : status;
}
