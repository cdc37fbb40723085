// Laws of friction: friction.h.

#include "model/friction.h"

#include "la/vec3.h"
#include "model/add.h"

#include <math.h>
#include <string.h>

rico_friction rico_friction_default(void)
{
    return (rico_friction){.kinetic = 1.0, .tresca = -1.0};
}


// --- what a law must be ----------------------------------------------------------------------------------------------

static rico_status check_numbers(rico_context *ctx, const char *name, const rico_friction *law)
{
    const struct {
        const char *what;
        double value;
    } all[] = {{"along[0]", law->along[0]}, {"along[1]", law->along[1]}, {"slip[0]", law->slip[0]},
               {"slip[1]", law->slip[1]},   {"rolling", law->rolling},   {"spinning", law->spinning},
               {"kinetic", law->kinetic},   {"cohesion", law->cohesion}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!(all[i].value >= 0.0 && isfinite(all[i].value)))
            return rico_fail(ctx, RICO_BAD_INPUT, "friction %s: %s = %g must be finite and not negative",
                             name, all[i].what, all[i].value);
    for (int i = 0; i < 3; i++)
        if (!isfinite(law->direction[i]))
            return rico_fail(ctx, RICO_BAD_INPUT, "friction %s: direction[%d] = %g is not finite", name, i,
                             law->direction[i]);
    if (isnan(law->tresca) || isinf(law->tresca))
        return rico_fail(ctx, RICO_BAD_INPUT, "friction %s: tresca = %g is not finite", name, law->tresca);
    if (!(law->kinetic > 0.0 && law->kinetic <= 1.0))
        return rico_fail(
            ctx, RICO_BAD_INPUT,
            "friction %s: the kinetic share %g must be above 0 and at most 1: friction at rest is "
            "the larger one",
            name, law->kinetic);
    return RICO_OK;
}


static bool has_slip(const rico_friction *law)
{
    return law->slip[0] != 0.0 || law->slip[1] != 0.0;
}


static bool is_elliptic(const rico_friction *law)
{
    return law->along[0] != law->along[1] ||
           (has_slip(law) && law->slip[0] * law->along[1] != law->slip[1] * law->along[0]);
}


static rico_status contradict(rico_context *ctx, const char *name, const char *one, const char *two)
{
    return rico_fail(ctx, RICO_BAD_INPUT, "friction %s has %s and %s: they contradict each other; give one",
                     name, one, two);
}


static rico_status check_together(rico_context *ctx, const char *name, const rico_friction *law)
{
    bool moments = law->rolling > 0.0 || law->spinning > 0.0;
    bool coulomb = law->along[0] > 0.0 || law->along[1] > 0.0;
    if (law->tresca >= 0.0 && coulomb) return contradict(ctx, name, "coefficients", "a bound of Tresca");
    if (law->tresca >= 0.0 && (moments || has_slip(law) || law->kinetic < 1.0 || law->factor))
        return contradict(ctx, name, "a bound of Tresca", "what goes with coefficients");
    if (is_elliptic(law) && moments)
        return contradict(ctx, name, "different coefficients along its tangents", "rolling or spinning");
    if (has_slip(law) && !(law->slip[0] > 0.0 && law->slip[1] > 0.0))
        return rico_fail(ctx, RICO_BAD_INPUT, "friction %s: slip = (%g, %g) must be positive both", name,
                         law->slip[0], law->slip[1]);
    if (has_slip(law) && !(law->along[0] > 0.0 && law->along[1] > 0.0))
        return rico_fail(
            ctx, RICO_BAD_INPUT,
            "friction %s: with a slip potential both coefficients must be positive, not (%g, %g)", name,
            law->along[0], law->along[1]);
    if (law->bond && !(law->cohesion > 0.0))
        return rico_fail(ctx, RICO_BAD_INPUT, "friction %s: a bond needs a cohesion above 0, not %g", name,
                         law->cohesion);
    if (law->of_slip && !law->factor)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "friction %s: of_slip without a factor", name);
    if (law->kinetic < 1.0 && law->of_slip)
        return contradict(ctx, name, "a kinetic coefficient", "one that depends on the sliding speed");
    return RICO_OK;
}


rico_status rico_system_add_friction(rico_system *system, const char *name, const rico_friction *law,
                                     int *index)
{
    rico_context *ctx = system->ctx;
    rico_status status = rico_system_open(system, name);
    if (status == RICO_OK) status = check_numbers(ctx, name, law);
    if (status == RICO_OK) status = check_together(ctx, name, law);
    if (status != RICO_OK) return status;
    rico_bound_friction **list = rico_grow(ctx, system->friction, system->friction_count,
                                           system->friction_count + 1, sizeof(rico_bound_friction *));
    if (!list) return RICO_NO_MEMORY;
    system->friction = list;
    rico_bound_friction *made = rico_alloc(ctx, 1, sizeof *made);
    if (!made) return RICO_NO_MEMORY;
    made->given = *law;
    made->length = fmax(law->rolling, law->spinning);
    made->nominal = fmax(law->along[0], law->along[1]);
    made->elliptic = is_elliptic(law);
    made->follows = law->of_slip || law->kinetic < 1.0;
    made->name = rico_model_copy_text(ctx, name);
    if (!made->name) {
        rico_free(ctx, made);
        return RICO_NO_MEMORY;
    }
    list[system->friction_count++] = made;
    *index = system->friction_count;
    return RICO_OK;
}


void rico_system_release_friction(rico_system *system)
{
    for (int i = 0; i < system->friction_count; i++) {
        rico_free(system->ctx, system->friction[i]->name);
        rico_free(system->ctx, system->friction[i]);
    }
    rico_free(system->ctx, system->friction);
}


// --- what a contact has of it ----------------------------------------------------------------------------------------

rico_status rico_friction_find(const rico_system *system, rico_context *ctx, const char *name, int index,
                               const rico_bound_friction **out)
{
    *out = NULL;
    if (index == 0) return RICO_OK;
    if (index < 0 || index > system->friction_count)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "%s has law of friction %d, but the system has %d: rico_system_add_friction() first",
                         name, index, system->friction_count);
    *out = system->friction[index - 1];
    return RICO_OK;
}


int rico_friction_moments(const rico_bound_friction *law, int dimension)
{
    if (!law || !(law->length > 0.0) || dimension < 2) return 0;
    if (dimension == 2) return law->given.rolling > 0.0 ? 1 : 0;
    return (law->given.rolling > 0.0 ? 2 : 0) + (law->given.spinning > 0.0 ? 1 : 0);
}


rico_status rico_friction_check(rico_context *ctx, const char *name, const rico_bound_friction *law,
                                int dimension)
{
    if (!law) return RICO_OK;
    if (dimension == 2 && law->given.spinning > 0.0)
        return rico_fail(ctx, RICO_BAD_INPUT,
                         "contact %s lies in a plane, where nothing spins about a normal; friction %s has "
                         "spinning = %g",
                         name, law->name, law->given.spinning);
    return RICO_OK;
}


rico_status rico_friction_check_listed(rico_context *ctx, const char *name, const rico_bound_friction *law,
                                       int dimension)
{
    if (!law) return RICO_OK;
    if (dimension == 2 && law->elliptic)
        return rico_fail(ctx, RICO_BAD_INPUT,
                         "contact %s lies in a plane and has one tangent, and friction %s has two directions",
                         name, law->name);
    bool along = law->nominal > 0.0 || law->given.tresca > 0.0 || law->length > 0.0;
    if (dimension == 1 && along)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "contact %s: friction %s needs dimension 2 or 3", name,
                         law->name);
    return rico_friction_check(ctx, name, law, dimension);
}


// Slip along d alone, r_T = -k P^2 d on the rim of the ellipse |F^-1 r_T| = r_N: r_T'd = r_N d'P^2 d / |F^-1 P^2 d|, which is
// |F d| where P = F.
double rico_friction_along(const rico_bound_friction *law, const double n[3], const double d[3])
{
    const rico_friction *given = &law->given;
    double e[3], f[3], along = rico_vec3_dot(n, given->direction);
    if (!law->elliptic) return given->along[0];
    for (int i = 0; i < 3; i++) e[i] = given->direction[i] - along * n[i];
    if (!rico_vec3_normalise(e)) return law->nominal;
    rico_vec3_cross(n, e, f);
    double part[2] = {rico_vec3_dot(d, e), rico_vec3_dot(d, f)}, work = 0.0, rim = 0.0;
    for (int i = 0; i < 2; i++) {
        double mu = given->along[i], p = given->slip[0] > 0.0 ? given->slip[i] : mu;
        work += p * p * part[i] * part[i];
        if (mu > 0.0) rim = hypot(rim, p * p * part[i] / mu);
    }
    return rim > 0.0 ? work / rim : 0.0;
}


static rico_block moments_block(const rico_constraint *constraint, int dimension, double mu)
{
    const rico_bound_friction *law = constraint->rubs;
    const rico_friction *given = &law->given;
    bool rolls = given->rolling > 0.0, spins = given->spinning > 0.0;
    int64_t size = dimension + rico_friction_moments(law, dimension);
    rico_block block = {.size = size,
                        .friction = mu,
                        .rolling = given->rolling / constraint->arm,
                        .spinning = given->spinning / constraint->arm};
    if (dimension == 2)
        block.kind = RICO_ROLLING_2D;
    else
        block.kind = rolls && spins ? RICO_ROLLING_SPINNING : rolls ? RICO_ROLLING : RICO_SPINNING;
    return block;
}


rico_block rico_constraint_block(const rico_constraint *constraint, double factor, double h)
{
    static const rico_block_kind KINDS[] = {RICO_UNILATERAL, RICO_COULOMB_2D, RICO_COULOMB_3D};
    const rico_bound_friction *law = constraint->rubs;
    int dimension = (int)constraint->size - constraint->moments;
    double mu = factor * (law && dimension == 3 ? law->given.along[0] : constraint->friction);
    if (law && dimension > 1 && constraint->moments > 0) return moments_block(constraint, dimension, mu);
    if (law && dimension > 1 && law->given.tresca >= 0.0)
        return (rico_block){.kind = dimension == 2 ? RICO_TRESCA_2D : RICO_TRESCA_3D,
                            .size = dimension,
                            .high = h * law->given.tresca};
    if (law && dimension == 3 && law->elliptic)
        return (rico_block){.kind = RICO_ELLIPTIC,
                            .size = 3,
                            .friction = mu,
                            .friction_2 = factor * law->given.along[1],
                            .slip_1 = law->given.slip[0],
                            .slip_2 = law->given.slip[1]};
    return (rico_block){KINDS[dimension - 1], dimension, mu};
}
