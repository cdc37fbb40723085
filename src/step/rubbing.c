// Laws of friction in a contact problem: see rubbing.h.

#include "step/rubbing.h"

#include "la/dense.h"
#include "model/friction.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    ENOUGH = 12, // turns, after which the tolerance of the solver is enough
};

static const double STILL = 1e-9; // of the fastest velocity: slower is at rest


static const rico_constraint *constraint_of(const rico_contacts *contacts, int64_t a)
{
    return contacts->assembly->set.constraint[contacts->index[a]];
}


static double slip_of(const rico_constraint *constraint, const double *u)
{
    int64_t tangents = constraint->size - constraint->moments - 1;
    return tangents == 2 ? hypot(u[1], u[2]) : tangents == 1 ? fabs(u[1]) : 0.0;
}


// The law's factor at a sliding speed.
static rico_status factor_at(const rico_contacts *contacts, const rico_constraint *constraint, double slip,
                             double *factor)
{
    const rico_bound_friction *law = constraint->rubs;
    const rico_rubbing_view *view = &contacts->rubbing;
    double a[3], b[3];
    *factor = 1.0;
    if (!law->given.factor) return RICO_OK;
    bool placed = constraint->source >= 0 &&
                  rico_emitted_places(contacts->assembly->system, view->q, &constraint->between, a, b);
    rico_friction_state state = {view->t, slip, view->q, placed ? b : NULL};
    if (!law->given.factor(law->given.user, &state, factor) || !isfinite(*factor) || *factor < 0.0)
        return rico_fail(
            contacts->ctx, RICO_BAD_INPUT,
            "contact %s: the factor of friction %s is %g at t = %.17g, sliding speed %.17g; it must be "
            "finite and not negative",
            constraint->name, law->name, *factor, view->t, slip);
    return RICO_OK;
}


static void set_factor(rico_contacts *contacts, int64_t a, double factor)
{
    contacts->factor[a] = factor;
    contacts->block[a] = rico_constraint_block(constraint_of(contacts, a), factor, contacts->h);
}


rico_status rico_rubbing_begin(rico_contacts *contacts, const double *v, bool *follow)
{
    double still = contacts->rubbing.still = STILL * rico_norm_inf(contacts->nv, v);
    *follow = false;
    for (int64_t a = 0; a < contacts->count; a++) {
        const rico_constraint *constraint = constraint_of(contacts, a);
        const rico_bound_friction *law = constraint->rubs;
        contacts->factor[a] = 1.0;
        contacts->factor[contacts->constraint_room + 2 * a + 1] = 0.0;
        if (!law || contacts->rough) continue;
        const double *before = contacts->rubbing.before + constraint->row;
        double slip = slip_of(constraint, before), factor = 1.0;
        rico_status status = factor_at(contacts, constraint, slip, &factor);
        if (status != RICO_OK) return status;
        if (law->given.kinetic < 1.0 && slip > still) factor *= law->given.kinetic;
        set_factor(contacts, a, factor);
        *follow = *follow || law->follows;
    }
    return RICO_OK;
}


// |r_T| over what the cone with a factor on its coefficients allows: 1 at the rim.
static double filled(const rico_constraint *constraint, double factor, double normal, const double *p)
{
    rico_block block = rico_constraint_block(constraint, factor, 1.0);
    double second = block.kind == RICO_ELLIPTIC ? block.friction_2 : block.friction;
    bool space = constraint->size - constraint->moments == 3;
    double one = p[1] == 0.0 ? 0.0 : p[1] / (block.friction * normal),
           two = !space || p[2] == 0.0 ? 0.0 : p[2] / (second * normal);
    return hypot(one, two);
}


// The root of f(x) - x by secants, as each contact has them for itself: plain turns creep where friction falls nearly as steeply as the
// contact gives way. Beyond ten times the plain step nothing is known.
static double next_factor(rico_contacts *contacts, int64_t a, double was, double is)
{
    double *last = contacts->factor + contacts->constraint_room + 2 * a; // x and f(x) - x of the turn before
    double gap = is - was, move = gap, bend = gap - last[1];
    if (last[1] != 0.0 && bend != 0.0) move = -gap * (was - last[0]) / bend;
    if (!(move * gap > 0.0) || !(fabs(move) <= 10.0 * fabs(gap)))
        move = copysign(fmin(fabs(move), 10.0 * fabs(gap)), gap);
    if (!isfinite(move)) move = gap;
    last[0] = was;
    last[1] = gap;
    return fmax(was + move, 0.0);
}


rico_status rico_rubbing_again(rico_contacts *contacts, int turn, double omega, const double *c,
                               const double *v, const double *p, bool *settled)
{
    const rico_csc *H = &contacts->assembly->H;
    double still = fmax(contacts->rubbing.still, STILL * rico_norm_inf(contacts->nv, v));
    *settled = true;
    for (int64_t a = 0; a < contacts->count; a++) {
        const rico_constraint *constraint = constraint_of(contacts, a);
        const rico_bound_friction *law = constraint->rubs;
        if (!law || !law->follows || contacts->rough) continue;
        double u[3] = {0.0}, was = contacts->factor[a], is = 1.0;
        int64_t row = constraint->row, rows = constraint->size - constraint->moments;
        for (int64_t i = 1; i < rows; i++) {
            double speed = contacts->assembly->w[row + i];
            for (int64_t k = H->start[row + i]; k < H->start[row + i + 1]; k++)
                speed += H->value[k] * v[H->row[k]];
            u[i] = omega * speed + c[row + i];
        }
        double slip = slip_of(constraint, u), normal = p[row];
        rico_status status = factor_at(contacts, constraint, law->given.of_slip ? slip : 0.0, &is);
        if (status != RICO_OK) return status;
        if (law->given.kinetic < 1.0) {
            double kinetic = is * law->given.kinetic;
            if (was > kinetic && slip > still && normal > 0.0) {
                set_factor(contacts, a, kinetic);
                *settled = false;
            }
            continue;
        }
        // inside of both cones, or without force, the coefficient does not matter
        if (!(normal > 0.0) || filled(constraint, fmin(is, was), normal, p + row) < 1.0 - 1e-9) continue;
        // velocities are known to the residual of their problem, and no coefficient better than that
        double known =
            turn < ENOUGH ? 64.0 * DBL_EPSILON : 10.0 * fmax(contacts->tol, contacts->residual.relative);
        double off = known * fmax(is, was);
        if (fabs(is - was) <= off) continue;
        contacts->stubborn = contacts->index[a];
        set_factor(contacts, a, next_factor(contacts, a, was, is));
        *settled = false;
    }
    return RICO_OK;
}


rico_status rico_rubbing_refuse(const rico_contacts *contacts)
{
    const rico_constraint *constraint = contacts->assembly->set.constraint[contacts->stubborn];
    return rico_fail(
        contacts->ctx, RICO_SINGULAR,
        "contact %s: friction %s does not settle with its sliding speed in %d turns: it falls too "
        "steeply for the step; take a smaller one",
        constraint->name, constraint->rubs->name, RICO_RUBBING_TURNS);
}


rico_status rico_rubbing_pull(rico_contacts *contacts, rico_iteration *iteration, double *v, double *p)
{
    const rico_csc *H = &contacts->assembly->H;
    double *x = contacts->pull;
    bool any = false;
    if (!contacts->tension) return RICO_OK;
    memset(x, 0, (size_t)contacts->nv * sizeof *x);
    for (int64_t a = 0; a < contacts->count; a++) {
        double tension = contacts->h * contacts->tension[contacts->index[a]];
        if (tension == 0.0) continue;
        int64_t row = constraint_of(contacts, a)->row;
        any = true;
        p[row] += tension;
        for (int64_t k = H->start[row]; k < H->start[row + 1]; k++) x[H->row[k]] -= tension * H->value[k];
    }
    if (!any) return RICO_OK;
    rico_status status = rico_iteration_respond(iteration, 1, x, x);
    if (status == RICO_OK) rico_axpy(contacts->nv, 1.0, x, v);
    return status;
}


void rico_rubbing_release(const rico_contacts *contacts, double *p)
{
    for (int64_t a = 0; contacts->tension && a < contacts->count; a++)
        p[constraint_of(contacts, a)->row] -= contacts->h * contacts->tension[contacts->index[a]];
}
