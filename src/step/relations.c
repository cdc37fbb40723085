// Relations in a step of a theta-method: outputs at its end as rows beside H, and what feeds through.
//
// Positions at the end are q(v) = q_k + h ((1 - weight) v_k + weight v), so that about a velocity v_0, at first v_k,
//
//     y = Y(t + h, q(v_0), v_0) + (Y_v + h weight Y_q)(v - v_0) + D p / h,     p = h lambda:
//
// exact where Y is affine. Where it is not, Newton's loop of the step comes back with what it found. Controllers that measure positions are so
// implicit in them.

#include "step/relations.h"

#include "la/dense.h"
#include "model/relation.h"
#include "step/theta_step.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double *scratch_of(const rico_assembly *assembly, const rico_constraint *constraint)
{
    return assembly->scratch + constraint->scratch_at;
}


// Weight of the velocity at the end in the mean velocity that moves positions.
static double weight_of(const rico_simulation *sim)
{
    return sim->scheme->mean ? 0.5 : rico_scheme_option(sim, RICO_THETA);
}


static rico_status refuse(const rico_simulation *sim, const rico_constraint *constraint, double t)
{
    return rico_fail(sim->ctx, RICO_BAD_INPUT,
                     "the output of relation %s was refused, or is no finite number, at t = %.17g",
                     constraint->name, t);
}


// How far a relay that remembers looks away from 0: +hysteresis at high, -hysteresis at low. It went over where y has come to the end of its
// way; in between it still does what its impulse of the step before tells.
static double threshold(const rico_simulation *sim, const rico_constraint *constraint)
{
    const rico_relation *given = &constraint->relation->given;
    double width = given->hysteresis, y = sim->u_before[constraint->row], near = width * (1.0 - 1e-9),
           middle = 0.5 * (given->low + given->high) * sim->h;
    bool low = y >= near         ? true
               : y <= -near      ? false
               : sim->steps == 0 ? given->starts_low
                                 : sim->now.p[constraint->row] < middle;
    return low ? -width : width;
}


static rico_status fill(rico_simulation *sim, const rico_constraint *constraint, double h, const double *v,
                        const double *ahead)
{
    rico_assembly *assembly = sim->assembly;
    const rico_relation *given = &constraint->relation->given;
    double t = *sim->now.t + h, y = 0.0, *by_v = assembly->out + assembly->H.start[constraint->row],
           *by_q = assembly->out_work, *scratch = scratch_of(assembly, constraint);
    if (!given->output(given->user, scratch, t, ahead, v, &y, by_q, by_v)) return refuse(sim, constraint, t);
    for (int64_t i = 0; i < constraint->dof_count; i++) {
        by_v[i] += h * weight_of(sim) * by_q[i];
        y -= by_v[i] * v[constraint->dof[i]];
    }
    if (h > 0.0 && given->hysteresis > 0.0) y -= threshold(sim, constraint);
    assembly->w[constraint->row] = y;
    if (!isfinite(y)) return refuse(sim, constraint, t);
    double *B = assembly->H.value + assembly->H.start[constraint->row];
    bool finite =
        given->action(given->user, scratch, t, ahead, B) && rico_all_finite(constraint->dof_count, B);
    return finite ? RICO_OK
                  : rico_fail(sim->ctx, RICO_BAD_INPUT,
                              "the direction of relation %s was refused, or is not finite, at t = %.17g",
                              constraint->name, t);
}


rico_status rico_step_relations_about(rico_simulation *sim, double h, const double *v)
{
    const rico_system *system = sim->system;
    double weight = weight_of(sim), *ahead = sim->vector.ahead;
    rico_status status = RICO_OK;
    sim->contacts.end = *sim->now.t + h;
    for (int64_t i = 0; i < sim->nq; i++)
        ahead[i] = sim->now.q[i] + h * ((1.0 - weight) * sim->now.v[i] + weight * v[i]);
    for (int64_t c = 0; status == RICO_OK && c < system->constraint_count; c++)
        if (system->constraint[c]->relation) status = fill(sim, system->constraint[c], h, v, ahead);
    return status;
}


rico_status rico_step_relations(rico_simulation *sim, double h)
{
    rico_assembly *assembly = sim->assembly;
    memcpy(assembly->out, assembly->H.value,
           (size_t)assembly->H.start[sim->system->rows] * sizeof *assembly->out);
    return rico_step_relations_about(sim, h, sim->now.v);
}


static double fed_at(const rico_assembly *assembly, const rico_constraint *constraint, int64_t k, double t)
{
    const rico_bound_relation *relation = constraint->relation;
    const rico_relation *given = &relation->given;
    return given->feed ? given->feed(given->user, scratch_of(assembly, constraint), t, k)
                       : relation->feed[k].value;
}


void rico_relations_feed(const rico_contacts *contacts, double *W)
{
    const rico_contact_set *set = &contacts->assembly->set;
    int64_t m = contacts->rows;
    for (int64_t a = 0; a < contacts->count; a++) {
        const rico_constraint *constraint = set->constraint[contacts->index[a]];
        const rico_bound_relation *relation = constraint->relation;
        for (int64_t k = 0; relation && k < relation->fed; k++)
            for (int64_t b = 0; b < contacts->count; b++)
                if (contacts->index[b] == relation->feed[k].from)
                    W[contacts->offset[a] * m + contacts->offset[b]] +=
                        fed_at(contacts->assembly, constraint, k, contacts->end) / contacts->h;
    }
}


void rico_relations_add_fed(const rico_simulation *sim, const double *p, double *u)
{
    const rico_system *system = sim->system;
    double end = sim->contacts.end, h = sim->h;
    for (int64_t c = 0; h > 0.0 && c < system->constraint_count; c++) {
        const rico_bound_relation *relation = system->constraint[c]->relation;
        for (int64_t k = 0; relation && k < relation->fed; k++)
            u[system->constraint[c]->row] += fed_at(sim->assembly, system->constraint[c], k, end) *
                                             p[system->constraint[relation->feed[k].from]->row] / h;
    }
}


static double output_of(const rico_contacts *contacts, int64_t a)
{
    int64_t at = contacts->offset[a];
    double y = contacts->c[at];
    for (int64_t j = 0; contacts->prepared && j < contacts->rows; j++)
        y += contacts->dense.W[at * contacts->rows + j] * contacts->p[j];
    return y;
}


// What is no factor counts as 0 here, and is refused after the turn.
static double factor_at(const rico_contacts *contacts, const rico_constraint *constraint, double size,
                        double *slope)
{
    const rico_relation *given = &constraint->relation->given;
    double factor;
    *slope = 0.0;
    bool good = given->factor(given->user, scratch_of(contacts->assembly, constraint), contacts->end, size,
                              &factor, slope);
    return good && factor >= 0.0 && isfinite(factor) ? factor : 0.0;
}


// |y| that this relation alone would leave: the root of |y| + reach f(|y|) = size, 0 where the bound at rest holds it. Newton from above,
// kept between what is known to be below and above.
static double settle_alone(const rico_contacts *contacts, const rico_constraint *constraint, double reach,
                           double size)
{
    enum { STEPS = 60 };
    double low = 0.0, high = size, y = size, slope;
    if (!(reach > 0.0)) return size;
    if (size <= reach * factor_at(contacts, constraint, 0.0, &slope)) return 0.0;
    for (int n = 0; n < STEPS && high - low > DBL_EPSILON * size; n++) {
        double off = y + reach * factor_at(contacts, constraint, y, &slope) - size;
        if (fabs(off) <= DBL_EPSILON * size) break;
        *(off > 0.0 ? &high : &low) = y;
        double next = y - off / (1.0 + reach * slope);
        y = next > low && next < high ? next : 0.5 * (low + high);
    }
    return y;
}


// Falling bounds follow the output that the others leave to this relation, by which one of them alone is exact at once.
void rico_relations_bounds(const rico_contacts *contacts, int64_t a, double *low, double *high)
{
    const rico_constraint *constraint = contacts->assembly->set.constraint[contacts->index[a]];
    const rico_relation *given = &constraint->relation->given;
    double factor = 1.0, slope;
    if (given->factor) {
        int64_t at = contacts->offset[a];
        double W = contacts->prepared ? contacts->dense.W[at * (contacts->rows + 1)] : 0.0,
               left = output_of(contacts, a) - W * contacts->p[at],
               amplitude = contacts->h * (left > 0.0 ? -given->low : given->high);
        factor = factor_at(contacts, constraint,
                           settle_alone(contacts, constraint, W * amplitude, fabs(left)), &slope);
    }
    *low = contacts->h * factor * given->low;
    *high = contacts->h * factor * given->high;
}


static rico_status check_factor(const rico_contacts *contacts, const rico_constraint *constraint, double size,
                                double *slope)
{
    const rico_relation *given = &constraint->relation->given;
    double factor = NAN;
    if (given->factor(given->user, scratch_of(contacts->assembly, constraint), contacts->end, size, &factor,
                      slope) &&
        factor >= 0.0 && isfinite(factor))
        return RICO_OK;
    return rico_fail(contacts->ctx, RICO_BAD_INPUT,
                     "the factor on the bounds of relation %s is %g at |y| = %g; it must be at least 0",
                     constraint->name, factor, size);
}


// A relation that no other answers to, y = W p + rest with W < 0: what it does drives its output on.
static bool drives_itself(const rico_contacts *contacts, int64_t a, const rico_relation *given)
{
    int64_t at = contacts->offset[a], rows = contacts->rows;
    const double *W = contacts->dense.W;
    if (!(W[at * rows + at] < 0.0) || given->law == RICO_RELATION_EQUALITY || given->hysteresis > 0.0)
        return false;
    for (int64_t j = 0; j < rows; j++)
        if (j != at && W[at * rows + j] * W[j * rows + at] != 0.0) return false;
    return true;
}


// Its graph and that line then meet in several points, or in one, or (complementarity) in none, as the rest has it.
static rico_status check_sign(const rico_contacts *contacts, int64_t a, const rico_constraint *constraint)
{
    const rico_relation *given = &constraint->relation->given;
    int64_t at = contacts->offset[a];
    if (!drives_itself(contacts, a, given)) return RICO_OK;
    double own = contacts->dense.W[at * contacts->rows + at], low, high,
           rest = output_of(contacts, a) - own * contacts->p[at];
    bool several = rest > 0.0;
    if (given->law == RICO_RELATION_RELAY) {
        rico_relations_bounds(contacts, a, &low, &high);
        several = -own * low < rest && rest < -own * high;
    }
    if (!several) return RICO_OK;
    return rico_fail(contacts->ctx, RICO_SINGULAR,
                     "relation %s drives its own output on (by %g for each of lambda), so that the step has "
                     "more than one solution; it may act the wrong way round",
                     constraint->name, contacts->h * own);
}


// Solvers may break down where a relay drives itself, though one solution is left: what to look at is said then.
rico_status rico_relations_blame(const rico_contacts *contacts, rico_status status)
{
    for (int64_t a = 0; status == RICO_SINGULAR && contacts->prepared && a < contacts->count; a++) {
        const rico_constraint *constraint = contacts->assembly->set.constraint[contacts->index[a]];
        const rico_relation *given = constraint->relation ? &constraint->relation->given : NULL;
        if (!given || given->law != RICO_RELATION_RELAY || !drives_itself(contacts, a, given)) continue;
        int64_t at = contacts->offset[a];
        return rico_fail(contacts->ctx, status,
                         "relation %s drives its own output on (by %g for each of lambda), and the step was "
                         "not solved; it may act the wrong way round",
                         constraint->name, contacts->h * contacts->dense.W[at * contacts->rows + at]);
    }
    return status;
}


// With bounds b(|y|) falling at most as steeply as s, y + h W_aa b(|y|) Sign(y) is increasing while h W_aa s < 1; the fall is looked at where it
// begins, which is the steepest place of the laws in use, and where the output stands.
rico_status rico_relations_unique(const rico_contacts *contacts)
{
    for (int64_t a = 0; contacts->prepared && a < contacts->count; a++) {
        const rico_constraint *constraint = contacts->assembly->set.constraint[contacts->index[a]];
        const rico_relation *given = constraint->relation ? &constraint->relation->given : NULL;
        double first, here;
        if (!given) continue;
        rico_status status = check_sign(contacts, a, constraint);
        if (status == RICO_OK && !given->factor) continue;
        if (status == RICO_OK) status = check_factor(contacts, constraint, 0.0, &first);
        if (status == RICO_OK)
            status = check_factor(contacts, constraint, fabs(output_of(contacts, a)), &here);
        if (status != RICO_OK) return status;
        int64_t at = contacts->offset[a];
        double fall = -fmin(first, here) * fmax(-given->low, given->high),
               W = contacts->dense.W[at * contacts->rows + at];
        if (!(contacts->h * W * fall >= 1.0)) continue;
        return rico_fail(contacts->ctx, RICO_SINGULAR,
                         "relation %s: its bounds fall so fast with the output that a step of %g has more "
                         "than one solution; steps below %.4g have one",
                         constraint->name, contacts->h, 1.0 / (W * fall));
    }
    return RICO_OK;
}
