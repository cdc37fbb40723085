// An iterate of Newton's loop: where it stands, what its equations leave, and whether that is little.

#include "step/alpha.h"

#include "la/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double NOISE = 32.0 * DBL_EPSILON; // round-off of a sum, over its terms


// x_{n+1} of (1-alpha_m) x_{n+1} + alpha_m x_n = (1-alpha_f) y_{n+1} + alpha_f y_n (eq. 65l and 65o).
static void shift(const rico_newmark *is, int64_t n, const double *x_n, const double *y_n, const double *y,
                  double *x)
{
    for (int64_t i = 0; i < n; i++)
        x[i] =
            ((1.0 - is->alpha_f) * y[i] + is->alpha_f * y_n[i] - is->alpha_m * x_n[i]) / (1.0 - is->alpha_m);
}


rico_status rico_alpha_place(rico_simulation *sim, double h)
{
    rico_alpha *own = sim->own;
    const rico_newmark *is = &own->is;
    const double *U = own->x[RICO_ALPHA_POSITION], *W = own->x[RICO_ALPHA_VELOCITY];
    shift(is, sim->nv, own->a_n, own->vd_n, own->x[RICO_ALPHA_SMOOTH], own->a);
    shift(is, sim->rows, own->eta_n, own->lam_n, own->m[RICO_ALPHA_SMOOTH], own->eta);
    for (int64_t i = 0; i < sim->nv; i++) {
        double a_n = own->a_n[i], a = own->a[i];
        own->step[i] = h * sim->now.v[i] + h * h * ((0.5 - is->beta) * a_n + is->beta * a) + own->bq * U[i];
        own->v[i] = sim->now.v[i] + h * ((1.0 - is->gamma) * a_n + is->gamma * a) + own->bv * W[i];
    }
    return rico_assembly_retract(sim->assembly, *sim->next.t, sim->now.q, 1.0, own->step, own->q);
}


double rico_alpha_row_times(const rico_simulation *sim, int64_t row, const double *values, const double *v)
{
    const rico_csc *H = &sim->assembly->H;
    double sum = 0.0;
    for (int64_t k = H->start[row]; k < H->start[row + 1]; k++) sum += values[k] * v[H->row[k]];
    return sum;
}


static double row_size(const rico_simulation *sim, int64_t row, const double *values, const double *v)
{
    const rico_csc *H = &sim->assembly->H;
    double sum = 0.0;
    for (int64_t k = H->start[row]; k < H->start[row + 1]; k++) sum += fabs(values[k] * v[H->row[k]]);
    return sum;
}


// The same of what positions make of a row: where its terms vanish, the round-off of positions does not.
static double turning_size(const rico_simulation *sim, int64_t row, const double *values)
{
    const rico_alpha *own = sim->own;
    const rico_csc *H = &sim->assembly->H;
    bool paired = sim->nq == sim->nv;
    double sum = 0.0;
    for (int64_t k = H->start[row]; k < H->start[row + 1]; k++)
        sum += fabs(values[k]) * (paired ? fabs(own->q[H->row[k]]) : sim->span);
    return sum;
}


rico_status rico_alpha_kinematics(rico_simulation *sim, double t)
{
    rico_alpha *own = sim->own;
    rico_status status = rico_assembly_mass(sim->assembly, t, own->q);
    if (status == RICO_OK) status = rico_assembly_frames(sim->assembly, t, own->q);
    if (status == RICO_OK) status = rico_assembly_rates(sim->assembly, t, own->q);
    if (status == RICO_OK) status = rico_assembly_gaps(sim->assembly, t, own->q, own->g);
    if (status == RICO_OK) rico_step_local_velocity(sim, own->v, own->u);
    return status;
}


// gamma and the tangents of the rows of constraint c. A row of smooth velocities needs one of them at v - W as well.
static rico_status turn(rico_simulation *sim, int64_t c, double t, bool tangents)
{
    rico_alpha *own = sim->own;
    const rico_constraint *constraint = rico_step_constraint(sim, c);
    int64_t n = constraint->dof_count, first = sim->assembly->H.start[constraint->row];
    const double *vd = own->x[RICO_ALPHA_SMOOTH], *W = own->x[RICO_ALPHA_VELOCITY];
    double *v = own->gather, *a = own->gather + n;
    for (int64_t i = 0; i < n; i++) {
        v[i] = own->v[constraint->dof[i]];
        a[i] = vd[constraint->dof[i]];
    }
    rico_turning x = {.v = v, .a = a, .gamma = own->gamma + constraint->row};
    if (tangents) {
        x.Dv = own->Dv + first;
        x.Da = own->Da + first;
        x.Cv = own->Cv + first;
    }
    if (tangents && own->smooth == RICO_ROW_SMOOTH) {
        rico_turning smooth = x;
        for (int64_t i = 0; i < n; i++) v[i] -= own->bv * W[constraint->dof[i]];
        smooth.Dv = own->Ds + first;
        rico_status status =
            rico_assembly_turn(sim->assembly, &own->turning, c, t, own->q, own->pace, &smooth);
        if (status != RICO_OK) return status;
        for (int64_t i = 0; i < n; i++) v[i] = own->v[constraint->dof[i]];
    }
    return rico_assembly_turn(sim->assembly, &own->turning, c, t, own->q, own->pace, &x);
}


rico_status rico_alpha_dynamics(rico_simulation *sim, double t, bool tangents)
{
    rico_alpha *own = sim->own;
    rico_status status = rico_assembly_load(sim->assembly, t, sim->vector.load);
    if (status == RICO_OK)
        status = rico_assembly_forces(sim->assembly, t, own->q, own->v, own->f, NULL, NULL);
    if (status == RICO_OK) rico_axpy(sim->nv, 1.0, sim->vector.load, own->f);
    if (status == RICO_OK && tangents) status = rico_assembly_tangents(sim->assembly, t, own->q, own->v);
    for (int64_t c = 0; status == RICO_OK && c < sim->constraints; c++) status = turn(sim, c, t, tangents);
    return status;
}


double rico_alpha_known_impulse(const rico_simulation *sim, double h, int64_t row)
{
    const rico_alpha *own = sim->own;
    return h * ((1.0 - own->is.gamma) * own->eta_n[row] + own->is.gamma * own->eta[row]);
}


double rico_alpha_known_double(const rico_simulation *sim, double h, int64_t row)
{
    const rico_alpha *own = sim->own;
    return h * h * ((0.5 - own->is.beta) * own->eta_n[row] + own->is.beta * own->eta[row]);
}


// --- residuals -----------------------------------------------------------------------------------------------------

// What a row that holds leaves.
static double row_residual(const rico_simulation *sim, rico_alpha_row kind, int64_t i, double restored)
{
    const rico_alpha *own = sim->own;
    const double *G = sim->assembly->H.value, *vd = own->x[RICO_ALPHA_SMOOTH];
    double u = own->u[i] + restored;
    if (kind == RICO_ROW_POSITION) return own->g[i] / own->bq;
    if (kind == RICO_ROW_VELOCITY) return u / own->bv;
    if (kind == RICO_ROW_SMOOTH)
        return u / own->bv - rico_alpha_row_times(sim, i, G, own->x[RICO_ALPHA_VELOCITY]);
    double rest = rico_alpha_row_times(sim, i, G, vd) + own->gamma[i];
    if (kind == RICO_ROW_ACCELERATION) return rest;
    double damping = rico_scheme_option(sim, RICO_ALPHA_DAMPING),
           stiffness = rico_scheme_option(sim, RICO_ALPHA_STIFFNESS);
    return rest + 2.0 * damping * u + stiffness * stiffness * own->g[i];
}


// The acceleration that the multipliers of an iterate give the row: at rest all its other terms may vanish.
static double pushed(const rico_simulation *sim, double multiplier, int64_t i)
{
    const rico_alpha *own = sim->own;
    return multiplier * rico_scheme_option(sim, RICO_ALPHA_SET_SCALE) / own->r[i];
}


// The size of its terms, and what round-off may leave of it where these vanish.
static double residual_size(const rico_simulation *sim, rico_alpha_row kind, int64_t i, double *noise)
{
    const rico_alpha *own = sim->own;
    const double *G = sim->assembly->H.value, *vd = own->x[RICO_ALPHA_SMOOTH];
    double push = pushed(sim, own->size_multiplier, i);
    *noise = NOISE * push;
    if (kind == RICO_ROW_POSITION) return rico_step_reach(sim, i) / own->bq;
    double velocity =
        row_size(sim, i, G, own->v) + row_size(sim, i, G, sim->now.v) + own->bv * row_size(sim, i, G, vd);
    *noise += NOISE * turning_size(sim, i, own->Dv) / own->bv;
    if (kind == RICO_ROW_VELOCITY || kind == RICO_ROW_SMOOTH) return velocity / own->bv;
    double acceleration = row_size(sim, i, G, vd) + fabs(own->gamma[i]) + row_size(sim, i, own->Cv, own->v);
    // positions that are known to a bit may turn the row by that, and vd follows them
    *noise = NOISE * pushed(sim, own->size_smooth, i) + 0.5 * DBL_EPSILON * turning_size(sim, i, own->Da);
    if (kind == RICO_ROW_ACCELERATION) return acceleration;
    double damping = rico_scheme_option(sim, RICO_ALPHA_DAMPING),
           stiffness = rico_scheme_option(sim, RICO_ALPHA_STIFFNESS);
    return acceleration + 2.0 * damping * velocity + stiffness * stiffness * rico_step_reach(sim, i);
}


// e (G v + w)_n of a contact's normal; 0 elsewhere.
static double restored(const rico_simulation *sim, const rico_constraint *constraint, int stage, int64_t i)
{
    bool normal = stage == RICO_ALPHA_VELOCITY && !constraint->joint && i == constraint->row;
    return normal ? constraint->restitution * sim->u_before[i] : 0.0;
}


static rico_alpha_row kind_of(const rico_alpha *own, int stage)
{
    if (stage == RICO_ALPHA_SMOOTH) return own->smooth;
    return stage == RICO_ALPHA_POSITION ? RICO_ROW_POSITION : RICO_ROW_VELOCITY;
}


// Friction moves positions as the normal impulse does: nu*_T P_N = nu*_N P_T. In lasting contact that is half a step of
// friction, without which positions would be of first order; at an impact it is what remains of the step after it.
static double leaning(const rico_simulation *sim, const rico_constraint *constraint, int64_t i)
{
    const rico_alpha *own = sim->own;
    const double *m = own->m[RICO_ALPHA_POSITION];
    double normal = m[constraint->row] + rico_alpha_known_double(sim, sim->h, constraint->row) / own->bq;
    return m[i] + rico_alpha_known_double(sim, sim->h, i) / own->bq - own->lean[i] * normal;
}


static void residual_rows(rico_simulation *sim, int stage)
{
    rico_alpha *own = sim->own;
    const double *m = own->m[stage];
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        for (int64_t i = constraint->row; i < constraint->row + constraint->size; i++) {
            double *C = &own->C[stage][i];
            switch (own->mode[stage][i]) {
            case RICO_MODE_ON:
                *C = row_residual(sim, kind_of(own, stage), i, restored(sim, constraint, stage, i));
                break;
            case RICO_MODE_SLIP:
                *C = m[i] + constraint->friction * own->direction[i] * m[constraint->row];
                break;
            case RICO_MODE_HELD:
                *C = 0.0;
                break;
            case RICO_MODE_LEAN:
                *C = leaning(sim, constraint, i);
                break;
            default:
                *C = m[i];
            }
        }
    }
}


void rico_alpha_residual(rico_simulation *sim, int stage)
{
    rico_alpha *own = sim->own;
    const rico_csc *H = &sim->assembly->H;
    double *R = own->R[stage];
    bool old = own->levels->old && stage == RICO_ALPHA_POSITION;
    const double *G = old ? own->old : H->value;
    memset(R, 0, (size_t)sim->nv * sizeof *R);
    if (old)
        memcpy(R, own->x[stage], (size_t)sim->nv * sizeof *R);
    else
        rico_assembly_multiply(sim->assembly, sim->assembly->M, 1.0, own->x[stage], R);
    if (stage == RICO_ALPHA_SMOOTH) {
        double inertia = rico_norm_inf(sim->nv, R), forces = rico_norm_inf(sim->nv, own->f);
        own->size_force = fmax(inertia, forces);
        rico_axpy(sim->nv, -1.0, own->f, R);
    }
    for (int64_t i = 0; i < sim->rows; i++)
        for (int64_t k = H->start[i]; k < H->start[i + 1]; k++) {
            double share = G[k] * own->m[stage][i];
            R[H->row[k]] -= share;
            own->size_force = fmax(own->size_force, fabs(share));
        }
    residual_rows(sim, stage);
}


// --- whether they are little -----------------------------------------------------------------------------------------

// What round-off leaves of the forces on velocity i: K q is what they are made of, C v too.
static void force_noise(const rico_simulation *sim, double *noise)
{
    const rico_alpha *own = sim->own;
    const rico_csc *pattern = &sim->system->pattern;
    bool paired = sim->nq == sim->nv;
    memset(noise, 0, (size_t)sim->nv * sizeof *noise);
    for (int64_t j = 0; j < sim->nv; j++) {
        double place = paired ? fabs(own->q[j]) : sim->span, speed = fabs(own->v[j]);
        for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++)
            noise[pattern->row[k]] +=
                16.0 * DBL_EPSILON * (fabs(sim->assembly->K[k]) * place + fabs(sim->assembly->C[k]) * speed);
    }
}


// The size of the terms of all rows of a joint: where those of one row vanish on the way, its others tell what is little.
static double joint_size(const rico_simulation *sim, rico_alpha_row kind, const rico_constraint *constraint)
{
    double largest = 0.0, noise;
    for (int64_t i = constraint->row; constraint->joint && i < constraint->row + constraint->size; i++)
        largest = fmax(largest, residual_size(sim, kind, i, &noise));
    return largest;
}


static void note(double left, double allowed, const char *what, double *worst, const char **where)
{
    double share = left == 0.0 ? 0.0 : left / allowed;
    if (!(share > *worst)) return;
    *worst = share;
    *where = what;
}


static void look_at_rows(const rico_simulation *sim, int stage, double tol, double *worst, const char **where)
{
    static const char *const LEVEL[] = {"a row of accelerations", "a position", "a velocity"};
    const rico_alpha *own = sim->own;
    double largest = own->size_multiplier;
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        double common = joint_size(sim, kind_of(own, stage), constraint);
        for (int64_t i = constraint->row; i < constraint->row + constraint->size; i++) {
            double share = tol, noise = 0.0, size = largest;
            if (own->mode[stage][i] == RICO_MODE_ON) {
                size = fmax(common, residual_size(sim, kind_of(own, stage), i, &noise));
                // the levels are to be held closer than the motion between them is known
                share = own->smooth == RICO_ROW_SMOOTH && stage == RICO_ALPHA_SMOOTH ? tol : 0.1 * tol;
            }
            note(fabs(own->C[stage][i]), share * size + noise, LEVEL[stage], worst, where);
        }
    }
}


bool rico_alpha_settled(rico_simulation *sim, double *worst, const char **where)
{
    rico_alpha *own = sim->own;
    double tol = rico_step_option(sim, RICO_STEP_NEWTON_TOL),
           forces = rico_scheme_option(sim, RICO_ALPHA_FORCE_TOL);
    double *noise = own->work;
    *worst = 0.0;
    *where = "";
    force_noise(sim, noise);
    own->size_multiplier = own->size_smooth = rico_norm_inf(sim->rows, own->m[RICO_ALPHA_SMOOTH]);
    for (int s = 0; s < own->levels->stages; s++)
        own->size_multiplier = fmax(own->size_multiplier, rico_norm_inf(sim->rows, own->m[s]));
    for (int s = 0; s < own->levels->stages; s++) {
        for (int64_t i = 0; i < sim->nv; i++) {
            double allowed = fmax(tol * own->size_force, forces) + (s == RICO_ALPHA_SMOOTH ? noise[i] : 0.0);
            note(fabs(own->R[s][i]), allowed, "the equation of motion", worst, where);
        }
        look_at_rows(sim, s, tol, worst, where);
    }
    return *worst <= 1.0;
}
