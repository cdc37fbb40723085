// One step of the nonsmooth generalized-alpha scheme with constraints: Newton's loop over its stages.
//
// One after the other (Algorithm 1 of Bruls, Acary and Cardona 2018) or all at once. Sets of active constraints are chosen
// once for each iteration. With friction, impulses come from the contact solver: the stage of velocities is a friction
// problem, u = G v + ..., v = v~ + M^-1 G'(P - known), for the total impulses P of joints and of the contacts in A.

#include "step/alpha.h"

#include "la/dense.h"

#include <math.h>
#include <stdio.h>
#include <string.h>


static const double ROUND_OFF = 10.0; // newton-tol over what levels are asked for


static void parameters(rico_simulation *sim, double h)
{
    rico_alpha *own = sim->own;
    own->is = rico_alpha_parameters(sim);
    own->kap = (1.0 - own->is.alpha_f) / (1.0 - own->is.alpha_m);
    own->bq = h * h * own->is.beta * own->kap;
    own->bv = h * own->is.gamma * own->kap;
    own->pace = h;
}


// The state that the loop starts from: accelerations and multipliers go on, corrections are none, or those of the step
// before on request.
static void predict(rico_simulation *sim)
{
    rico_alpha *own = sim->own;
    rico_alpha_state now = rico_alpha_own(sim, &sim->now);
    bool warm = rico_scheme_option(sim, RICO_ALPHA_WARM) != 0.0;
    const double *x[] = {own->vd_n, now.U, now.W}, *m[] = {own->lam_n, now.nu, now.Lam};
    for (int s = 0; s < RICO_ALPHA_STAGES; s++) {
        bool go_on = s == RICO_ALPHA_SMOOTH || (warm && s < own->levels->stages);
        for (int64_t i = 0; i < sim->nv; i++) own->x[s][i] = go_on ? x[s][i] : 0.0;
        for (int64_t i = 0; i < sim->rows; i++) own->m[s][i] = go_on ? m[s][i] : 0.0;
        for (int64_t i = 0; i < sim->rows; i++) own->mode[s][i] = RICO_MODE_OFF;
    }
}


// x - M^-1 G_c'm over contacts, whose multipliers m become 0: those that do not act on velocities, or all.
static rico_status take_out(rico_simulation *sim, bool all, double *m, double *x, double *share)
{
    const rico_alpha *own = sim->own;
    const rico_csc *H = &sim->assembly->H;
    const double *sets = rico_alpha_own(sim, &sim->next).sets;
    double *push = sim->vector.column;
    memset(push, 0, (size_t)sim->nv * sizeof *push);
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        if (constraint->joint || (!all && ((int)sets[c] & RICO_SET_B) != 0)) continue;
        for (int64_t i = constraint->row; i < constraint->row + constraint->size; i++) {
            for (int64_t k = H->start[i]; k < H->start[i + 1]; k++) push[H->row[k]] += m[i] * own->old[k];
            m[i] = 0.0;
        }
    }
    rico_status status = rico_iteration_solve(&sim->iteration, 1, push, push);
    if (status != RICO_OK) return status;
    rico_axpy(sim->nv, -1.0, push, x);
    rico_axpy(sim->nv, -1.0, push, share);
    return RICO_OK;
}


// The motion so far as if contacts had never been in C: where M and G are constant, strategies differ by just that and give
// one motion.
static rico_status fold(rico_simulation *sim, bool all)
{
    rico_alpha *own = sim->own;
    rico_status status = take_out(sim, all, own->eta_n, own->a_n, own->psi_n);
    return status == RICO_OK ? take_out(sim, all, own->lam_n, own->vd_n, own->rows_n) : status;
}


// Whether some contact remembers a force and does not act: under strategy 3s it is to forget it.
static bool remembers(const rico_simulation *sim)
{
    const rico_alpha *own = sim->own;
    const double *sets = rico_alpha_own(sim, &sim->next).sets;
    if (rico_scheme_option(sim, RICO_ALPHA_STRATEGY) != RICO_STRATEGY_3S) return false;
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        if (constraint->joint || ((int)sets[c] & RICO_SET_B) != 0) continue;
        for (int64_t i = constraint->row; i < constraint->row + constraint->size; i++)
            if (own->eta_n[i] != 0.0 || own->lam_n[i] != 0.0) return true;
    }
    return false;
}


static rico_status begin(rico_simulation *sim, double h, bool folded)
{
    rico_alpha *own = sim->own;
    bool changed;
    parameters(sim, h);
    rico_status status = rico_alpha_shift(sim, h);
    if (status == RICO_OK) status = rico_step_frames(sim, h, sim->now.q);
    if (status == RICO_OK) status = rico_assembly_mass(sim->assembly, *sim->now.t, sim->now.q);
    if (status == RICO_OK) status = rico_iteration_set(&sim->iteration, 1.0, 0.0, 0.0, &changed);
    if (status == RICO_OK) status = rico_alpha_weigh(sim);
    if (status != RICO_OK) return status;
    const rico_csc *H = &sim->assembly->H;
    memcpy(own->old, H->value, (size_t)rico_csc_count(H) * sizeof *own->old);
    own->folded = folded;
    if (folded) status = fold(sim, true);
    if (status == RICO_OK) predict(sim);
    return status;
}


// The corrections of a stage, which stand where its residuals did.
static void correct(rico_simulation *sim, int stage)
{
    rico_alpha *own = sim->own;
    rico_axpy(sim->nv, 1.0, own->R[stage], own->x[stage]);
    rico_axpy(sim->rows, 1.0, own->C[stage], own->m[stage]);
}


// --- impulses with friction ----------------------------------------------------------------------------------------

// W' and Lam' from the friction problem of the velocities at the iterate.
static rico_status solve_friction(rico_simulation *sim, double h)
{
    rico_alpha *own = sim->own;
    const rico_csc *H = &sim->assembly->H;
    double *v = sim->next.v, *push = sim->vector.column, *W = own->x[RICO_ALPHA_VELOCITY],
           *Lam = own->m[RICO_ALPHA_VELOCITY];
    bool changed;
    rico_status status = rico_iteration_set(&sim->iteration, 1.0, 0.0, 0.0, &changed);
    if (status != RICO_OK) return status;
    // without any impulse of what acts: the smooth multipliers' share is taken back
    memset(push, 0, (size_t)sim->nv * sizeof *push);
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        for (int64_t i = constraint->row; sim->active[c] && i < constraint->row + constraint->size; i++) {
            double known = rico_alpha_known_impulse(sim, h, i);
            for (int64_t k = H->start[i]; k < H->start[i + 1]; k++) push[H->row[k]] -= known * H->value[k];
        }
    }
    status = rico_iteration_solve(&sim->iteration, 1, push, push);
    if (status != RICO_OK) return status;
    for (int64_t i = 0; i < sim->nv; i++) v[i] = own->v[i] - own->bv * W[i] + push[i];
    rico_contacts_activate(&sim->contacts, sim->active);
    rico_step_law_offset(sim, 0.5, sim->offset);
    status = rico_contacts_solve(&sim->contacts, &sim->iteration, true, rico_step_law(sim)->omega(0.5),
                                 sim->offset, v, sim->next.p, sim->next.scale);
    if (status != RICO_OK) return status;

    // M W = G'Lam once more from the impulses, so that nothing is left of it
    memset(W, 0, (size_t)sim->nv * sizeof *W);
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        for (int64_t i = constraint->row; i < constraint->row + constraint->size; i++) {
            Lam[i] = sim->active[c] ? (sim->next.p[i] - rico_alpha_known_impulse(sim, h, i)) / own->bv : 0.0;
            for (int64_t k = H->start[i]; k < H->start[i + 1]; k++) W[H->row[k]] += Lam[i] * H->value[k];
        }
    }
    return rico_iteration_solve(&sim->iteration, 1, W, W);
}


// --- the loop --------------------------------------------------------------------------------------------------------

// Contacts with friction that are new among those that act: how their impulses lean before positions are moved along.
static rico_status look_ahead(rico_simulation *sim, double h)
{
    if (!sim->frictional || !rico_alpha_upright(sim)) return RICO_OK;
    rico_status status = solve_friction(sim, h);
    if (status != RICO_OK) return status;
    rico_alpha_lean(sim, h);
    rico_alpha_residual(sim, RICO_ALPHA_POSITION);
    rico_alpha_residual(sim, RICO_ALPHA_VELOCITY);
    return RICO_OK;
}


static rico_status solve_one_by_one(rico_simulation *sim, double h, double t)
{
    rico_alpha *own = sim->own;
    rico_status status = own->levels->stages == RICO_ALPHA_STAGES ? look_ahead(sim, h) : RICO_OK;
    if (status == RICO_OK) status = rico_alpha_solve_stage(sim, RICO_ALPHA_SMOOTH);
    if (status == RICO_OK) correct(sim, RICO_ALPHA_SMOOTH);
    for (int s = RICO_ALPHA_POSITION; status == RICO_OK && s < own->levels->stages; s++) {
        status = rico_alpha_place(sim, h);
        if (status == RICO_OK) status = rico_alpha_kinematics(sim, t);
        if (status != RICO_OK) break;
        if (s == RICO_ALPHA_VELOCITY && sim->frictional) return solve_friction(sim, h);
        rico_alpha_residual(sim, s);
        status = rico_alpha_solve_stage(sim, s);
        if (status == RICO_OK) correct(sim, s);
    }
    return status;
}


static rico_status solve_at_once(rico_simulation *sim, double h, double t)
{
    rico_alpha *own = sim->own;
    rico_status status = own->levels->stages == RICO_ALPHA_STAGES ? look_ahead(sim, h) : RICO_OK;
    if (status == RICO_OK) status = rico_alpha_solve_all(sim);
    for (int s = 0; status == RICO_OK && s < own->levels->stages; s++) correct(sim, s);
    if (status != RICO_OK || !sim->frictional || own->levels->stages < RICO_ALPHA_STAGES) return status;
    status = rico_alpha_place(sim, h);
    if (status == RICO_OK) status = rico_alpha_kinematics(sim, t);
    return status == RICO_OK ? solve_friction(sim, h) : status;
}


static rico_status give_up(rico_simulation *sim, int n, double worst, const char *where)
{
    return rico_fail(sim->ctx, RICO_SINGULAR,
                     "Newton's loop did not settle in %d iterations: %s is off by %.3g times what newton-tol "
                     "allows; take a smaller step",
                     n, where, worst);
}


// Where a loop runs away, something is asked at a state that nobody meant.
static rico_status run_away(rico_simulation *sim, rico_status status, int n)
{
    char sentence[512];
    if (status != RICO_BAD_INPUT || n == 0) return status;
    snprintf(sentence, sizeof sentence, "%s", rico_message(sim->ctx));
    return rico_fail(sim->ctx, RICO_SINGULAR,
                     "Newton's loop ran away in %d iterations, to where %s; take a smaller step", n,
                     sentence);
}


static rico_status iterate(rico_simulation *sim, double h, bool full)
{
    rico_alpha *own = sim->own;
    bool friction = sim->frictional && own->levels->stages == RICO_ALPHA_STAGES;
    int most = (int)rico_step_option(sim, RICO_STEP_NEWTON_MAX), n = 0;
    double t = *sim->next.t, worst = INFINITY;
    const char *where;
    for (;; n++) {
        double before = worst;
        rico_status status = rico_alpha_place(sim, h);
        if (status == RICO_OK) status = rico_alpha_kinematics(sim, t);
        if (status == RICO_OK) status = rico_alpha_dynamics(sim, t, true);
        if (status != RICO_OK) return run_away(sim, status, n);
        rico_alpha_choose(sim, h, n);
        for (int s = 0; s < own->levels->stages; s++) rico_alpha_residual(sim, s);
        bool settled = rico_alpha_settled(sim, &worst, &where);
        // levels are asked for more than newton-tol: where round-off ends the way there, newton-tol will do
        settled |= n > 2 && worst <= ROUND_OFF && worst >= before;
        if (settled && (n > 0 || !friction)) {
            if (!remembers(sim)) break;
            status = fold(sim, false);
            if (status != RICO_OK) return status;
            n--; // nothing was solved
            continue;
        }
        if (n >= most) return give_up(sim, n, worst, where);
        status = full ? solve_at_once(sim, h, t) : solve_one_by_one(sim, h, t);
        if (status != RICO_OK) return run_away(sim, status, n + 1);
    }
    sim->stats.newton_last = n;
    sim->stats.newton_iterations += n;
    return RICO_OK;
}


// --- what the step leaves --------------------------------------------------------------------------------------------

// The rows at the level of accelerations.
static void note_level(rico_simulation *sim, double *level)
{
    const rico_alpha *own = sim->own;
    for (int64_t i = 0; i < sim->rows; i++)
        level[i] =
            rico_alpha_row_times(sim, i, sim->assembly->H.value, own->x[RICO_ALPHA_SMOOTH]) + own->gamma[i];
}


// Fresh accelerations after an impact, as if the motion began there; or after a projection, which keeps a.
static rico_status begin_anew(rico_simulation *sim, bool all)
{
    rico_alpha *own = sim->own;
    rico_alpha_state next = rico_alpha_own(sim, &sim->next);
    size_t velocities = (size_t)sim->nv * sizeof(double), rows = (size_t)sim->rows * sizeof(double);
    rico_status status = rico_alpha_accelerations(sim, *sim->next.t, own->q, own->v);
    if (status == RICO_OK)
        status = rico_alpha_shares(sim, own->m[RICO_ALPHA_SMOOTH], next.by_forces, next.by_rows);
    if (status != RICO_OK) return status;
    memcpy(next.vd, own->x[RICO_ALPHA_SMOOTH], velocities);
    memcpy(next.lam, own->m[RICO_ALPHA_SMOOTH], rows);
    note_level(sim, next.level);
    if (!all) return RICO_OK;
    memcpy(next.a, next.vd, velocities);
    memcpy(next.eta, next.lam, rows);
    memcpy(next.phi, next.by_forces, velocities);
    memcpy(next.psi, next.by_rows, velocities);
    return RICO_OK;
}


// Whether some contact joined or left those that act on velocities.
static bool struck(const rico_simulation *sim)
{
    const double *before = rico_alpha_own(sim, &sim->now).sets, *after = rico_alpha_own(sim, &sim->next).sets;
    for (int64_t c = 0; c < sim->constraints; c++)
        if ((((int)before[c] ^ (int)after[c]) & RICO_SET_B) != 0) return true;
    return false;
}


// phi and psi, the shares of a, by the recursion that a itself obeys.
static rico_status weigh_shares(rico_simulation *sim)
{
    rico_alpha *own = sim->own;
    const rico_newmark *is = &own->is;
    rico_alpha_state now = rico_alpha_own(sim, &sim->now), next = rico_alpha_own(sim, &sim->next);
    if (rico_step_option(sim, RICO_STEP_LEDGER) == 0.0) return RICO_OK;
    rico_status status = rico_alpha_shares(sim, own->m[RICO_ALPHA_SMOOTH], next.by_forces, next.by_rows);
    double over = 1.0 / (1.0 - is->alpha_m);
    for (int64_t i = 0; i < sim->nv; i++) {
        own->phi[i] = next.phi[i] = over * ((1.0 - is->alpha_f) * next.by_forces[i] +
                                            is->alpha_f * now.by_forces[i] - is->alpha_m * own->phi_n[i]);
        own->psi[i] = next.psi[i] = over * ((1.0 - is->alpha_f) * next.by_rows[i] +
                                            is->alpha_f * own->rows_n[i] - is->alpha_m * own->psi_n[i]);
    }
    return status;
}


static void keep(rico_simulation *sim, double h)
{
    rico_alpha *own = sim->own;
    rico_alpha_state next = rico_alpha_own(sim, &sim->next);
    size_t velocities = (size_t)sim->nv * sizeof(double), rows = (size_t)sim->rows * sizeof(double);
    *next.h = h;
    memcpy(next.vd, own->x[RICO_ALPHA_SMOOTH], velocities);
    memcpy(next.lam, own->m[RICO_ALPHA_SMOOTH], rows);
    memcpy(next.a, own->a, velocities);
    memcpy(next.eta, own->eta, rows);
    note_level(sim, next.level);
}


static void keep_corrections(rico_simulation *sim)
{
    rico_alpha *own = sim->own;
    rico_alpha_state next = rico_alpha_own(sim, &sim->next);
    memcpy(next.U, own->x[RICO_ALPHA_POSITION], (size_t)sim->nv * sizeof *next.U);
    memcpy(next.W, own->x[RICO_ALPHA_VELOCITY], (size_t)sim->nv * sizeof *next.W);
    memcpy(next.nu, own->m[RICO_ALPHA_POSITION], (size_t)sim->rows * sizeof *next.nu);
    memcpy(next.Lam, own->m[RICO_ALPHA_VELOCITY], (size_t)sim->rows * sizeof *next.Lam);
}


// The step as it is asked for. One stage after the other contracts slowly where a contact is stiff, and what holds stages together
// may throw the loop off: what did not settle so is solved for all stages at once. That step keeps nothing from others and leaves
// nothing to them.
static rico_status attempt(rico_simulation *sim, double h, bool folded)
{
    rico_alpha *own = sim->own;
    bool stages = own->levels->stages > 1, full = stages && rico_scheme_option(sim, RICO_ALPHA_NEWTON) != 0.0;
    rico_status status = begin(sim, h, folded);
    if (status == RICO_OK) status = iterate(sim, h, full);
    if (status != RICO_SINGULAR || !stages || full) return status;
    memcpy(sim->next.p, sim->now.p, (size_t)sim->rows * sizeof *sim->next.p);
    rico_alpha_forget_whole(sim);
    status = begin(sim, h, folded);
    if (status == RICO_OK) status = iterate(sim, h, true);
    rico_alpha_forget_whole(sim);
    return status;
}


rico_status rico_alpha_advance(rico_simulation *sim, double h)
{
    rico_alpha *own = sim->own;
    rico_status status = attempt(sim, h, false);
    if (status == RICO_SINGULAR && own->levels->contacts && own->smooth == RICO_ROW_ACCELERATION) {
        memcpy(sim->next.p, sim->now.p, (size_t)sim->rows * sizeof *sim->next.p);
        status = attempt(sim, h, true);
    }
    if (status == RICO_OK) status = weigh_shares(sim);
    if (status != RICO_OK) return status;
    keep(sim, h);
    for (int64_t i = 0; i < sim->rows; i++)
        sim->next.p[i] = own->bv * own->m[RICO_ALPHA_VELOCITY][i] + rico_alpha_known_impulse(sim, h, i);
    if (own->levels->project) status = rico_alpha_project(sim);
    if (status != RICO_OK) return status;
    keep_corrections(sim);
    memcpy(sim->next.q, own->q, (size_t)sim->nq * sizeof *own->q);
    memcpy(sim->next.v, own->v, (size_t)sim->nv * sizeof *own->v);
    rico_step_local_velocity(sim, own->v, sim->u_after);
    if (!sim->frictional)
        *sim->next.scale =
            fmax(rico_norm_inf(sim->rows, sim->u_before), rico_norm_inf(sim->rows, sim->u_after));
    if (own->levels->project) return begin_anew(sim, false);
    bool restart = rico_scheme_option(sim, RICO_ALPHA_RESTART) != 0.0 && struck(sim);
    return restart ? begin_anew(sim, true) : RICO_OK;
}
