// Accelerations and multipliers of a state: where the scheme starts, and where it is put back.

#include "step/alpha.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

static const double CLOSED = 1e-10; // gaps and velocities, over their terms, of a contact that is closed


// Contacts that may press at a state: closed, and not leaving.
static void choose_closed(rico_simulation *sim)
{
    rico_alpha *own = sim->own;
    char *mode = own->mode[RICO_ALPHA_SMOOTH];
    bool contacts = own->levels->row == RICO_ROW_ACCELERATION &&
                    rico_scheme_option(sim, RICO_ALPHA_STRATEGY) >= RICO_STRATEGY_3,
         joints = rico_scheme_option(sim, RICO_ALPHA_STRATEGY) != RICO_STRATEGY_1 ||
                  own->levels->row != RICO_ROW_ACCELERATION || own->levels->stages < RICO_ALPHA_STAGES;
    double still = CLOSED * rico_norm_inf(sim->nv, own->v);
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        int64_t row = constraint->row;
        bool on = constraint->joint
                      ? joints
                      : contacts && own->g[row] <= CLOSED * rico_step_reach(sim, row) && own->u[row] <= still;
        memset(mode + row, RICO_MODE_OFF, (size_t)constraint->size);
        if (!on) continue;
        memset(mode + row, RICO_MODE_ON, constraint->joint ? (size_t)constraint->size : 1);
        double speed =
            hypot(constraint->size > 1 ? own->u[row + 1] : 0.0, constraint->size > 2 ? own->u[row + 2] : 0.0);
        for (int64_t i = 1; rico_alpha_rough(constraint) && i < constraint->size; i++) {
            mode[row + i] = speed > still ? RICO_MODE_SLIP : RICO_MODE_ON;
            own->direction[row + i] = speed > still ? own->u[row + i] / speed : 0.0;
        }
    }
}


// Contacts that would pull let go; true where there were any.
static bool release(rico_simulation *sim)
{
    rico_alpha *own = sim->own;
    char *mode = own->mode[RICO_ALPHA_SMOOTH];
    bool any = false;
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        int64_t row = constraint->row;
        if (constraint->joint || mode[row] != RICO_MODE_ON || !(own->m[RICO_ALPHA_SMOOTH][row] < 0.0))
            continue;
        memset(mode + row, RICO_MODE_OFF, (size_t)constraint->size);
        any = true;
    }
    return any;
}


// M vd - G'lam = f, G vd + gamma = 0 on what holds: linear, solved once and its remainder once more.
static rico_status solve(rico_simulation *sim)
{
    rico_alpha *own = sim->own;
    double *vd = own->x[RICO_ALPHA_SMOOTH], *lam = own->m[RICO_ALPHA_SMOOTH];
    memset(vd, 0, (size_t)sim->nv * sizeof *vd);
    memset(lam, 0, (size_t)sim->rows * sizeof *lam);
    rico_status status = RICO_OK;
    for (int n = 0; status == RICO_OK && n < 2; n++) {
        rico_alpha_residual(sim, RICO_ALPHA_SMOOTH);
        status = rico_alpha_solve_stage(sim, RICO_ALPHA_SMOOTH);
        if (status != RICO_OK) break;
        rico_axpy(sim->nv, 1.0, own->R[RICO_ALPHA_SMOOTH], vd);
        rico_axpy(sim->rows, 1.0, own->C[RICO_ALPHA_SMOOTH], lam);
    }
    return status;
}


// vd and lam of (t, q, v) (eq. 38), into the unknowns of the smooth stage.
rico_status rico_alpha_accelerations(rico_simulation *sim, double t, const double *q, const double *v)
{
    rico_alpha *own = sim->own;
    const double bq = own->bq, bv = own->bv;
    const rico_alpha_row row = own->smooth;
    bool changed;
    if (q != own->q) memcpy(own->q, q, (size_t)sim->nq * sizeof *q);
    if (v != own->v) memcpy(own->v, v, (size_t)sim->nv * sizeof *v);
    rico_status status = rico_alpha_kinematics(sim, t);
    if (status == RICO_OK) status = rico_iteration_set(&sim->iteration, 1.0, 0.0, 0.0, &changed);
    if (status == RICO_OK) status = rico_alpha_weigh(sim);
    if (status != RICO_OK) return status;
    // nothing moves with the unknowns here, and rows are those of accelerations
    own->bq = own->bv = 0.0;
    own->smooth = RICO_ROW_ACCELERATION;
    choose_closed(sim);
    status = rico_alpha_dynamics(sim, t, false);
    for (bool again = true; status == RICO_OK && again;) {
        status = solve(sim);
        again = status == RICO_OK && release(sim);
    }
    own->bq = bq;
    own->bv = bv;
    own->smooth = row;
    return status;
}


// What joints lack at the start is said once: the first step would take it for a blow.
static void look_at_start(rico_simulation *sim)
{
    const rico_alpha *own = sim->own;
    double still = 1e-8 * rico_norm_inf(sim->nv, own->v);
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        for (int64_t i = constraint->row; constraint->joint && i < constraint->row + constraint->size; i++) {
            bool open = fabs(own->g[i]) > 1e-8 * rico_step_reach(sim, i);
            if (!open && !(fabs(own->u[i]) > still)) continue;
            rico_log(sim->ctx, RICO_LOG_WARNING,
                     "%s: joint %s does not hold at the start (%g in positions, %g in velocities): the first "
                     "step will close it with a jump",
                     sim->scheme->info.name, constraint->name, own->g[i], own->u[i]);
            return;
        }
    }
}


rico_status rico_alpha_start(rico_simulation *sim)
{
    rico_alpha *own = sim->own;
    rico_alpha_state now = rico_alpha_own(sim, &sim->now);
    size_t velocities = (size_t)sim->nv * sizeof(double), rows = (size_t)sim->rows * sizeof(double);
    own->levels = &rico_alpha_level_table[(int)rico_scheme_option(sim, RICO_ALPHA_LEVELS)];
    own->smooth = own->levels->row;
    own->pace = 1e-3;
    rico_status status = rico_alpha_accelerations(sim, *sim->now.t, sim->now.q, sim->now.v);
    if (status != RICO_OK) return status;
    look_at_start(sim);
    status = rico_alpha_shares(sim, own->m[RICO_ALPHA_SMOOTH], now.by_forces, now.by_rows);
    if (status != RICO_OK) return status;
    if (rico_scheme_option(sim, RICO_ALPHA_START) == RICO_START_ZERO) {
        // a disturbance on purpose, as an impact leaves behind: no accelerations at all (section 4.4)
        for (int64_t i = 0; i < sim->nv; i++) now.by_rows[i] = -now.by_forces[i];
    } else {
        memcpy(now.vd, own->x[RICO_ALPHA_SMOOTH], velocities);
        memcpy(now.lam, own->m[RICO_ALPHA_SMOOTH], rows);
    }
    memcpy(now.a, now.vd, velocities);
    memcpy(now.eta, now.lam, rows);
    memcpy(now.phi, now.by_forces, velocities);
    memcpy(now.psi, now.by_rows, velocities);
    return RICO_OK;
}


// a_n and eta_n of a step: those of the state; before the first one, on request, at the time (alpha_m - alpha_f) h for which
// a stands (section 3.4).
rico_status rico_alpha_shift(rico_simulation *sim, double h)
{
    rico_alpha *own = sim->own;
    rico_alpha_state now = rico_alpha_own(sim, &sim->now);
    size_t velocities = (size_t)sim->nv * sizeof(double), rows = (size_t)sim->rows * sizeof(double);
    memcpy(own->a_n, now.a, velocities);
    memcpy(own->eta_n, now.eta, rows);
    memcpy(own->phi_n, now.phi, velocities);
    memcpy(own->psi_n, now.psi, velocities);
    memcpy(own->rows_n, now.by_rows, velocities);
    memcpy(own->vd_n, now.vd, velocities);
    memcpy(own->lam_n, now.lam, rows);
    if (*now.h > 0.0 || rico_scheme_option(sim, RICO_ALPHA_START) != RICO_START_SHIFTED) return RICO_OK;
    double s = (own->is.alpha_m - own->is.alpha_f) * h;
    for (int64_t i = 0; i < sim->nv; i++) {
        own->step[i] = s * sim->now.v[i] + 0.5 * s * s * now.vd[i];
        own->v[i] = sim->now.v[i] + s * now.vd[i];
    }
    rico_status status =
        rico_assembly_retract(sim->assembly, *sim->now.t, sim->now.q, 1.0, own->step, own->q);
    if (status == RICO_OK) status = rico_alpha_accelerations(sim, *sim->now.t + s, own->q, own->v);
    if (status != RICO_OK) return status;
    memcpy(own->a_n, own->x[RICO_ALPHA_SMOOTH], velocities);
    memcpy(own->eta_n, own->m[RICO_ALPHA_SMOOTH], rows);
    for (int64_t i = 0; i < sim->nv; i++) own->phi_n[i] = own->a_n[i] - now.psi[i];
    return RICO_OK;
}


// Positions and velocities back onto the joints: M d = G's, g(q + d) = 0, then M w = G's, G (v + w) = 0. The corrections
// are what U and W are in other variants.
rico_status rico_alpha_project(rico_simulation *sim)
{
    enum { MOST = 20 };
    rico_alpha *own = sim->own;
    double *R = own->R[RICO_ALPHA_VELOCITY], *C = own->C[RICO_ALPHA_VELOCITY], t = *sim->next.t;
    size_t velocities = (size_t)sim->nv * sizeof *R, rows = (size_t)sim->rows * sizeof *C;
    memset(own->mode[RICO_ALPHA_VELOCITY], RICO_MODE_ON, (size_t)sim->rows);
    rico_status status = RICO_OK;
    double before = INFINITY;
    for (int n = 0; status == RICO_OK && n < MOST; n++) {
        double left = rico_norm_inf(sim->rows, own->g);
        if (left == 0.0 || !(left < before)) break;
        before = left;
        memset(R, 0, velocities);
        memcpy(C, own->g, rows);
        status = rico_alpha_solve_stage(sim, RICO_ALPHA_VELOCITY);
        if (status != RICO_OK) break;
        rico_axpy(sim->nv, 1.0, R, own->step);
        rico_axpy(sim->nv, 1.0 / own->bq, R, own->x[RICO_ALPHA_POSITION]);
        status = rico_assembly_retract(sim->assembly, t, sim->now.q, 1.0, own->step, own->q);
        if (status == RICO_OK) status = rico_alpha_kinematics(sim, t);
    }
    if (status != RICO_OK) return status;
    memset(R, 0, velocities);
    memcpy(C, own->u, rows);
    status = rico_alpha_solve_stage(sim, RICO_ALPHA_VELOCITY);
    if (status != RICO_OK) return status;
    rico_axpy(sim->nv, 1.0, R, own->v);
    rico_axpy(sim->nv, 1.0 / own->bv, R, own->x[RICO_ALPHA_VELOCITY]);
    rico_axpy(sim->rows, 1.0 / own->bv, C, own->m[RICO_ALPHA_VELOCITY]);
    return RICO_OK;
}
