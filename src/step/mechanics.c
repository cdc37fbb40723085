// What the schemes share beside the contact problem: local velocities, loads, energies and works.

#include "la/dense.h"
#include "step/simulation.h"

#include <math.h>

double rico_step_energy(const rico_system *system, const double *values, const double *x)
{
    const rico_csc *pattern = &system->pattern;
    double sum = 0.0;
    for (int64_t j = 0; j < pattern->cols; j++) {
        double column = 0.0;
        for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++)
            column += values[k] * x[pattern->row[k]];
        sum += column * x[j];
    }
    return sum;
}


void rico_step_energy_pair(const rico_system *system, const double *values, const double *x, const double *y,
                           double *xx, double *yy)
{
    const rico_csc *pattern = &system->pattern;
    *xx = *yy = 0.0;
    for (int64_t j = 0; j < pattern->cols; j++) {
        double of_x = 0.0, of_y = 0.0;
        for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++) {
            of_x += values[k] * x[pattern->row[k]];
            of_y += values[k] * y[pattern->row[k]];
        }
        *xx += of_x * x[j];
        *yy += of_y * y[j];
    }
}


void rico_step_local_velocity(const rico_simulation *sim, const double *v, double *u)
{
    const rico_csc *H = &sim->system->H;
    for (int64_t i = 0; i < sim->rows; i++) {
        double sum = sim->system->w[i];
        for (int64_t k = H->start[i]; k < H->start[i + 1]; k++) sum += H->value[k] * v[H->row[k]];
        u[i] = sum;
    }
}


rico_status rico_step_frames(rico_simulation *sim, double h, const double *q)
{
    rico_system *system = sim->system;
    rico_status status = rico_system_frames(system, *sim->now.t, q);
    if (status == RICO_OK) status = rico_system_rates(system, *sim->now.t, q);
    if (status != RICO_OK) return status;
    rico_step_local_velocity(sim, sim->now.v, sim->u_before);
    return rico_system_rates(system, *sim->now.t + h, q);
}


void rico_step_law_offset(const rico_simulation *sim, double weight, double *c)
{
    const rico_contact_law *law = rico_step_law(sim);
    double omega = law->omega(weight);
    for (int64_t i = 0; i < sim->rows; i++) c[i] = (1.0 - omega) * sim->u_before[i];
    for (int64_t k = 0; k < sim->constraints; k++) {
        const rico_constraint *constraint = sim->system->constraint[k];
        // with a law of multiple impacts, restitution is its business
        double e = sim->impacts ? 0.0 : constraint->restitution;
        if (!constraint->joint) c[constraint->row] += law->bias(weight, e) * sim->u_before[constraint->row];
    }
}


rico_status rico_step_load(rico_simulation *sim, double t, double h, double weight, double *load,
                           double *work)
{
    if (sim->system->constant_load) return rico_system_load(sim->system, t, load);
    rico_status status = rico_system_load(sim->system, t, work);
    if (status == RICO_OK) status = rico_system_load(sim->system, t + h, load);
    if (status != RICO_OK) return status;
    for (int64_t i = 0; i < sim->nv; i++) load[i] = (1.0 - weight) * work[i] + weight * load[i];
    return RICO_OK;
}


rico_status rico_step_energies(rico_simulation *sim, const rico_state *state, double *kinetic,
                               double *potential)
{
    rico_status status = rico_system_mass(sim->system, *state->t, state->q);
    if (status == RICO_OK) status = rico_system_potential(sim->system, *state->t, state->q, potential);
    if (status == RICO_OK) *kinetic = 0.5 * rico_step_energy(sim->system, sim->system->M, state->v);
    return status;
}


void rico_step_contact_works(rico_simulation *sim, const double *v_mean)
{
    const rico_csc *H = &sim->system->H;
    const double *p = sim->next.p;
    rico_ledger *ledger = &sim->ledger;
    ledger->normal = ledger->tangential = ledger->joint = 0.0;
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = sim->system->constraint[c];
        double normal = 0.0, tangential = 0.0;
        for (int64_t i = 0; i < constraint->size; i++) {
            int64_t row = constraint->row + i;
            if (p[row] == 0.0) continue;
            double mean = 0.0;
            for (int64_t k = H->start[row]; k < H->start[row + 1]; k++)
                mean += H->value[k] * v_mean[H->row[k]];
            if (i == 0 || constraint->joint)
                normal += mean * p[row];
            else
                tangential += mean * p[row];
        }
        sim->normal_work[c] = normal;
        sim->tangential_work[c] = tangential;
        if (constraint->joint) {
            ledger->joint += normal;
        } else {
            ledger->normal += normal;
            ledger->tangential += tangential;
        }
    }
}
