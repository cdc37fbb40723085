// Dampings from restitutions: a single contact of mass, stiffness and approach velocity 1 is integrated until
// it gives the restitution wanted. Any contact is this one in its own units, so that nothing else has to be
// known of a kind.

#include "law/compliant_damping.h"

#include <math.h>

enum { MOST_STEPS = 200000, BRACKETS = 200, REFINEMENTS = 60 };

static const double TOLERANCE = 1e-12; // of the integration
static const double FOUND = 1e-10;     // of the restitution
static const double SPENT = 1e-9; // a force and a velocity below which a contact that never parts is at rest

// a(e) of F = K d^eta (1 + a d'/v). Simon, Hunt and Crossley's own is for e near 1; the others are its
// rivals, collected by Alves, Peixinho, da Silva, Flores and Lankarani 2015.
static double hunt_crossley(double e)
{
    return 1.5 * (1.0 - e);
}


static double lee_wang(double e)
{
    return 0.75 * (1.0 - e);
}


static double lankarani_nikravesh(double e)
{
    return 0.75 * (1.0 - e * e);
}


static double herbert_mcwhannell(double e)
{
    return 6.0 * (1.0 - e) / ((2.0 * e - 1.0) * (2.0 * e - 1.0) + 3.0);
}


static double gonthier(double e)
{
    return (1.0 - e * e) / e;
}


static double flores(double e)
{
    return 8.0 * (1.0 - e) / (5.0 * e);
}


const char *const rico_hunt_formula_names[] = {
    "exact",    "hunt-crossley", "lee-wang", "lankarani-nikravesh", "herbert-mcwhannell",
    "gonthier", "flores",        NULL};
static double (*const FORMULAS[])(double) = {
    NULL, hunt_crossley, lee_wang, lankarani_nikravesh, herbert_mcwhannell, gonthier, flores};


rico_bond rico_bond_of(const rico_rheology *kind, double K, double eta, double share)
{
    rico_bond bond = {.K = K, .eta = eta};
    if (kind->yields) {
        bond = (rico_bond){.branch = K, .eta = eta, .share = share};
    } else if (kind->series) {
        bond.K = share * K;
        bond.branch = (1.0 - share) * K;
    }
    if (kind->power) bond.power = kind->power(eta);
    return bond;
}


double rico_damping_restitution(const rico_damping_wanted *wanted, double damping)
{
    enum { ROOM = 9 + RICO_COMPLIANT_FIELDS * (3 + RICO_COMPLIANT_STAGES) };
    double room[ROOM] = {0.0};
    int64_t start[] = {0, 1}, row[] = {0};
    double one[] = {1.0};
    const rico_csc G = {.rows = 1, .cols = 1, .start = start, .row = row, .value = one};
    rico_bond bond = rico_bond_of(wanted->kind, 1.0, wanted->eta, wanted->share);
    unsigned char press = RICO_PRESSED;
    rico_compliant flow = {.G = &G, .bond = &bond, .press = &press, .pull = wanted->pull};
    if (wanted->kind->yields)
        bond.yield = pow(1.0 / damping, 1.0 / bond.eta);
    else if (wanted->kind->series)
        bond.flow = damping;
    else
        bond.C = damping;
    rico_compliant_place(&flow, 1, room);
    flow.length[0] = flow.impulse[0] = flow.energy[0] = flow.force[0] = flow.before[0] = 1.0;
    flow.tol = TOLERANCE;
    flow.step = 1e-3;
    flow.most_step = 0.2;
    rico_compliant_start(&flow);
    for (int k = 0; k < MOST_STEPS && press == RICO_PRESSED; k++) {
        if (!rico_compliant_advance(&flow)) break;
        double force = rico_bond_force(&bond, flow.y[RICO_OVERLAP], flow.y[RICO_STRETCH], flow.rate[0]);
        if (fabs(flow.rate[0]) < SPENT && fabs(force) < SPENT) break;
    }
    return -flow.rate[0];
}


// Halves or interpolates between dampings whose restitutions lie on both sides of the one wanted.
static double refine(const rico_damping_wanted *wanted, double low, double at_low, double high,
                     double at_high)
{
    double e = wanted->restitution, middle = low;
    int side = 0;
    at_low -= e;
    at_high -= e;
    for (int k = 0; k < REFINEMENTS; k++) {
        middle = k % 4 == 3 ? 0.5 * (low + high) : low + (high - low) * at_low / (at_low - at_high);
        double here = rico_damping_restitution(wanted, middle) - e;
        if (fabs(here) < FOUND) break;
        if (here > 0.0) {
            low = middle;
            at_low = here;
            if (side > 0) at_high *= 0.5;
            side = 1;
        } else {
            high = middle;
            at_high = here;
            if (side < 0) at_low *= 0.5;
            side = -1;
        }
    }
    return middle;
}


rico_status rico_damping_for(rico_context *ctx, const char *law, const rico_damping_wanted *wanted,
                             double *out)
{
    double e = wanted->restitution;
    *out = 0.0;
    if (e == 1.0) return RICO_OK;
    if (FORMULAS[wanted->formula]) {
        *out = FORMULAS[wanted->formula](e);
        if (isfinite(*out)) return RICO_OK;
    }

    // from no damping upwards: the restitution falls, and for some kinds rises again
    double low = 0.0, at_low = 1.0, least = 1.0;
    double high = fmax(1e-6, 0.5 * (1.0 - e));
    for (int k = 0; k < BRACKETS && high <= wanted->kind->most_damping; k++) {
        double at_high = rico_damping_restitution(wanted, high);
        least = fmin(least, at_high);
        if (at_high <= e) {
            *out = refine(wanted, low, at_low, high, at_high);
            return RICO_OK;
        }
        if (at_high > at_low + 1e-9) break;
        low = high;
        at_low = at_high;
        high *= 1.2;
    }
    return rico_fail(ctx, RICO_BAD_ARGUMENT,
                     "no damping of the law %s gives a restitution of %g: the least it comes to is %.3g; "
                     "take more, or another law",
                     law, e, least);
}
