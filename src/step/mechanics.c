// What the schemes share beside the contact problem: local velocities, loads, energies and works.

#include "la/dense.h"
#include "step/relations.h"

#include <math.h>
#include <string.h>

void rico_step_largest(const rico_simulation *sim, int count, double *x)
{
    if (sim->share) sim->share->largest(sim->share->user, count, x);
}


bool rico_step_anywhere(const rico_simulation *sim, bool here)
{
    double most = here;
    rico_step_largest(sim, 1, &most);
    return most > 0.0;
}


double rico_step_dot(const rico_simulation *sim, const double *x, const double *y)
{
    return sim->share ? sim->share->dot(sim->share->user, x, y) : rico_dot(sim->nv, x, y);
}


double rico_step_square(const rico_simulation *sim, const double *values, const double *x)
{
    return sim->share ? sim->share->square(sim->share->user, values, x)
                      : rico_assembly_square(sim->assembly, values, x);
}


void rico_step_local_velocity(const rico_simulation *sim, const double *v, double *u)
{
    const rico_csc *H = &sim->assembly->H;
    for (int64_t i = 0; i < sim->rows; i++) {
        double sum = sim->assembly->w[i];
        const double *value = rico_assembly_output(sim->assembly, i);
        for (int64_t k = H->start[i]; k < H->start[i + 1]; k++) sum += value[k] * v[H->row[k]];
        u[i] = sum;
    }
}


rico_status rico_step_frames(rico_simulation *sim, double h, const double *q)
{
    rico_status status = rico_assembly_frames(sim->assembly, *sim->now.t, q);
    if (status == RICO_OK) status = rico_assembly_rates(sim->assembly, *sim->now.t, q);
    if (status != RICO_OK) return status;
    sim->shifted = false;
    bool related = sim->system->relation_count > 0;
    if (related) status = rico_step_relations(sim, 0.0);
    rico_step_local_velocity(sim, sim->now.v, sim->u_before);
    if (status != RICO_OK || !sim->system->moving) return status; // w stays 0
    memcpy(sim->w_before, sim->assembly->w, (size_t)sim->rows * sizeof *sim->w_before);
    status = rico_assembly_rates(sim->assembly, *sim->now.t + h, q);
    return status == RICO_OK && related ? rico_step_relations(sim, h) : status;
}


rico_status rico_step_frames_again(rico_simulation *sim, double h, const double *q, const double *d,
                                   const double *v)
{
    double t = *sim->now.t, *half = sim->vector.half;
    if (rico_step_option(sim, RICO_STEP_FRAMES) != RICO_FRAMES_MIDDLE) return rico_step_frames(sim, h, q);
    rico_status status = rico_assembly_frames(sim->assembly, t + h, q);
    if (status == RICO_OK) status = rico_assembly_rates(sim->assembly, t + h, q);
    if (status != RICO_OK) return status;
    rico_step_local_velocity(sim, v, sim->shift);
    memcpy(sim->w_after, sim->assembly->w, (size_t)sim->rows * sizeof *sim->w_after);
    status = rico_assembly_retract(sim->assembly, t, sim->now.q, 0.5, d, half);
    if (status == RICO_OK) status = rico_assembly_frames(sim->assembly, t + 0.5 * h, half);
    if (status == RICO_OK) status = rico_assembly_rates(sim->assembly, t + 0.5 * h, half);
    if (status != RICO_OK) return status;
    rico_step_local_velocity(sim, v, sim->u_after);
    for (int64_t i = 0; i < sim->rows; i++) sim->shift[i] -= sim->u_after[i];
    sim->shifted = true;
    return RICO_OK;
}


void rico_step_end_velocity(const rico_simulation *sim, const double *v, double *u)
{
    rico_step_local_velocity(sim, v, u);
    if (sim->system->relation_count > 0) rico_relations_add_fed(sim, sim->next.p, u);
    for (int64_t i = 0; sim->shifted && i < sim->rows; i++) u[i] += sim->shift[i];
}


// What the row's gradient makes of the positions, of what they move by in the step, and of what contacts hold up in it.
// Coordinates that are not velocities integrated (rotations) count with the largest of them.
double rico_step_reach(const rico_simulation *sim, int64_t row)
{
    const rico_csc *H = &sim->assembly->H;
    bool paired = sim->nq == sim->nv;
    double sum = 0.0;
    for (int64_t k = H->start[row]; k < H->start[row + 1]; k++) {
        int64_t i = H->row[k];
        double place = (paired ? fabs(sim->now.q[i]) : sim->span) + sim->system->extent;
        sum += fabs(H->value[k]) * (place + sim->h * fabs(sim->now.v[i]));
    }
    return sum + sim->h * *sim->next.scale;
}


// |w| + |H|'|v| of a row.
static double terms_of(const rico_simulation *sim, int64_t row, const double *v)
{
    const rico_csc *H = &sim->assembly->H;
    const double *value = rico_assembly_output(sim->assembly, row);
    double sum = fabs(sim->assembly->w[row]);
    for (int64_t k = H->start[row]; k < H->start[row + 1]; k++) sum += fabs(value[k] * v[H->row[k]]);
    return sum;
}


bool rico_step_same_problem(rico_simulation *sim, bool first, const double *v_free, const double *c)
{
    double *velocity = sim->posed, *local = sim->posed + sim->nv;
    double moved[2] = {0.0, 0.0},
           turned[2] = {0.0, 0.0}; // changes of free velocities, of relative ones; sizes
    double tol = rico_step_option(sim, RICO_STEP_NEWTON_TOL);
    for (int64_t i = 0; i < sim->nv; i++) {
        moved[0] = fmax(moved[0], fabs(v_free[i] - velocity[i]));
        moved[1] = fmax(moved[1], fmax(fabs(v_free[i]), fabs(sim->now.v[i])));
        velocity[i] = v_free[i];
    }
    rico_step_largest(sim, 2, moved);
    bool same = !first && moved[0] <= tol * moved[1];
    rico_step_local_velocity(sim, v_free, sim->u_after);
    // rows of joints have units of their own
    bool joints = true;
    for (int64_t k = 0; same && k < sim->constraints; k++) {
        const rico_constraint *joint = rico_step_constraint(sim, k);
        for (int64_t i = joint->row; joint->joint && i < joint->row + joint->size; i++)
            joints &= fabs(sim->u_after[i] + c[i] - local[i]) <= tol * terms_of(sim, i, v_free);
    }
    for (int64_t i = 0; i < sim->rows; i++) {
        double posed = sim->u_after[i] + c[i];
        turned[0] = fmax(turned[0], fabs(posed - local[i]));
        turned[1] = fmax(turned[1], fmax(fabs(sim->u_after[i]), fabs(c[i])));
        local[i] = posed;
    }
    rico_step_largest(sim, 2, turned);
    return same && turned[0] <= tol * turned[1] && joints;
}


// Restitution of one contact in this step. With a law of multiple impacts it is that law's business. Schemes that ask
// so give none to a contact that leaves: the law would send it back in.
static double restitution(const rico_simulation *sim, const rico_constraint *constraint)
{
    if (sim->impacts || (sim->scheme->approach && sim->u_before[constraint->row] > 0.0)) return 0.0;
    return constraint->restitution;
}


void rico_step_law_offset(rico_simulation *sim, double weight, double *c)
{
    const rico_contact_rule *law = rico_step_law(sim);
    double omega = law->omega(weight);
    sim->contacts.joint_offset = true;
    sim->contacts.h = sim->h;
    for (int64_t k = 0; k < sim->constraints; k++) {
        const rico_constraint *constraint = rico_step_constraint(sim, k);
        for (int64_t i = constraint->row; i < constraint->row + constraint->size; i++)
            c[i] = (constraint->joint ? 0.0 : (1.0 - omega) * sim->u_before[i]) +
                   (sim->shifted ? omega * sim->shift[i] : 0.0);
        if (constraint->joint) continue;
        c[constraint->row] +=
            law->bias(weight, restitution(sim, constraint)) * sim->u_before[constraint->row];
    }
}


rico_status rico_step_load(rico_simulation *sim, double t, double h, double weight, double *load,
                           double *work)
{
    if (sim->system->constant_load) return rico_assembly_load(sim->assembly, t, load);
    rico_status status = rico_assembly_load(sim->assembly, t, work);
    if (status == RICO_OK) status = rico_assembly_load(sim->assembly, t + h, load);
    if (status != RICO_OK) return status;
    for (int64_t i = 0; i < sim->nv; i++) load[i] = (1.0 - weight) * work[i] + weight * load[i];
    return RICO_OK;
}


rico_status rico_step_energies(rico_simulation *sim, const rico_state *state, double *kinetic,
                               double *potential)
{
    rico_status status = rico_assembly_mass(sim->assembly, *state->t, state->q);
    if (status == RICO_OK) status = rico_assembly_potential(sim->assembly, *state->t, state->q, potential);
    if (status == RICO_OK) *kinetic = 0.5 * rico_step_square(sim, sim->assembly->M, state->v);
    return status;
}


// Work of one row's impulse on the system, v_mean'H p, in two shares: u_mean'p along the relative velocity, returned,
// and -w_mean'p, which the obstacle's own motion brings.
static double row_work(const rico_simulation *sim, int64_t row, double weight, const double *v_mean,
                       bool related, double *obstacle)
{
    const rico_csc *H = &sim->assembly->H;
    double p = sim->next.p[row], mean = 0.0;
    if (p == 0.0) return 0.0;
    for (int64_t k = H->start[row]; k < H->start[row + 1]; k++) mean += H->value[k] * v_mean[H->row[k]];
    if (related) return mean * p; // all of it is the relation's: w is part of its output, not a velocity
    double w = (1.0 - weight) * sim->w_before[row] +
               weight * (sim->shifted ? sim->w_after[row] : sim->assembly->w[row]);
    *obstacle -= w * p;
    return (mean + w) * p;
}


void rico_step_contact_works(rico_simulation *sim, double weight, const double *v_mean)
{
    rico_ledger *ledger = &sim->ledger;
    ledger->normal = ledger->tangential = ledger->joint = ledger->obstacle = 0.0;
    if (sim->contacts.rows == 0 && !sim->share) {
        memset(sim->next.normal_work, 0, (size_t)(2 * sim->constraints) * sizeof *sim->next.normal_work);
        return;
    }
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        double normal = 0.0, tangential = 0.0;
        // of a share: by contacts, for some are on two of them
        double *obstacle = sim->share ? &sim->gap[constraint->row] : &ledger->obstacle;
        if (sim->share) *obstacle = 0.0;
        for (int64_t i = 0; i < constraint->size; i++) {
            double work =
                row_work(sim, constraint->row + i, weight, v_mean, constraint->relation != NULL, obstacle);
            if (i == 0 || constraint->joint)
                normal += work;
            else
                tangential += work;
        }
        sim->next.normal_work[c] = normal;
        sim->next.tangential_work[c] = tangential;
        if (constraint->joint) {
            bool rubs = constraint->box.acts && !constraint->relation;
            *(rubs ? &ledger->tangential : &ledger->joint) += normal;
        } else {
            ledger->normal += normal;
            ledger->tangential += tangential;
        }
    }
}
