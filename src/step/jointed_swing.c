// A step of a mechanism without contacts: Newton's loop of the midpoint rule (jointed.c), first velocities and then positions in each
// iteration, and at once where that does not converge.

#include "step/jointed.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

enum { RESTLESS = 6, QUICK = 20, SHARES = 3, LARGE = 1000 };
static const double SLOW = 0.5;        // contraction of Newton's loop that is not worth going on with
static const double ROUND_OFF = 2e-15; // of gaps and velocities, over their terms
static const double LOOSE = 1e-4;      // of velocities that no row determines

// vector.ahead and the gaps there, for the velocity v and the correction as it stands; d: the displacement.
static rico_status look(rico_simulation *sim, double h, const double *v, double *d)
{
    rico_projection *own = sim->own;
    const rico_theta_step step = rico_jointed_step_of(sim, h);
    rico_theta_displacement(sim, &step, v, d);
    rico_status status =
        rico_assembly_retract(sim->assembly, *sim->now.t, sim->now.q, 1.0, d, sim->vector.ahead);
    if (status == RICO_OK)
        status = rico_assembly_gaps(sim->assembly, *sim->next.t, sim->vector.ahead, own->gap);
    return status;
}


// Rows of the laws at vector.ahead into own->frame, rows of impulses half way into the assembly.
static rico_status rows_of_iterate(rico_simulation *sim, double h, const double *d)
{
    double t = *sim->now.t, *half = sim->vector.half;
    rico_projection_swap_frames(sim);
    rico_status status = rico_assembly_frames(sim->assembly, *sim->next.t, sim->vector.ahead);
    if (status == RICO_OK) status = rico_assembly_rates(sim->assembly, *sim->next.t, sim->vector.ahead);
    if (status == RICO_OK) memcpy(sim->w_after, sim->assembly->w, (size_t)sim->rows * sizeof *sim->w_after);
    rico_projection_swap_frames(sim);
    if (status == RICO_OK) status = rico_assembly_retract(sim->assembly, t, sim->now.q, 0.5, d, half);
    if (status == RICO_OK) status = rico_assembly_frames(sim->assembly, t + 0.5 * h, half);
    return status;
}


// law = G x + add over the joints' rows, and the largest of its terms.
static double law_of(rico_simulation *sim, const double *x, const double *add)
{
    rico_projection *own = sim->own;
    const rico_csc *H = &sim->assembly->H;
    double largest = 0.0;
    for (int64_t i = 0; i < sim->contacts.joint_rows; i++) {
        int64_t row = sim->contacts.row[i];
        double sum = add[row], terms = fabs(sum);
        for (int64_t k = H->start[row]; k < H->start[row + 1]; k++) {
            sum += own->frame[k] * x[H->row[k]];
            terms += fabs(own->frame[k] * x[H->row[k]]);
        }
        own->jointed->law[i] = sum;
        largest = fmax(largest, terms);
    }
    return largest;
}


// The largest of the joints' gaps over their reach, and whose it is.
static double violation(const rico_simulation *sim, int64_t *whose)
{
    const rico_projection *own = sim->own;
    double largest = 0.0;
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *joint = rico_step_constraint(sim, c);
        for (int64_t i = joint->row; joint->joint && i < joint->row + joint->size; i++) {
            if (fabs(own->gap[i]) <= largest * rico_step_reach(sim, i)) continue;
            largest = fabs(own->gap[i]) / rico_step_reach(sim, i);
            *whose = c;
        }
    }
    return largest;
}


// Rows and right-hand side of an iteration at the iterate in next.v, next.p and own->correction.
static rico_status linearize(rico_simulation *sim, double h)
{
    rico_projection *own = sim->own;
    struct rico_jointed *jointed = own->jointed;
    const rico_theta_step step = rico_jointed_step_of(sim, h);
    double *right = sim->vector.right, *work = sim->vector.change;
    bool changed;
    rico_status status = rico_theta_residual(sim, &step, sim->next.v, right, sim->vector.mean, work);
    if (status != RICO_OK) return status;
    for (int64_t i = 0; i < sim->nv; i++) {
        work[i] = sim->next.v[i] - sim->now.v[i];
        jointed->force[i] = (right[i] - jointed->impulse[i]) / h;
    }
    rico_assembly_multiply(sim->assembly, sim->assembly->M, 1.0 / h, work, jointed->force);
    status = rico_theta_matrix(sim, &step, &changed);
    if (status == RICO_OK) status = look(sim, h, sim->next.v, sim->vector.displacement);
    if (status == RICO_OK) status = rows_of_iterate(sim, h, sim->vector.displacement);
    if (status == RICO_OK) rico_csc_times(&sim->assembly->H, 1.0, sim->next.p, 1.0, right);
    if (status == RICO_OK) *sim->next.scale = law_of(sim, sim->next.v, sim->w_after);
    return status;
}


// Velocities, impulses and correction from those of the iterate, which they replace: velocities first, then positions that they lead
// to, with the rows half way in the place of those at the end.
static rico_status improve(rico_simulation *sim, double h)
{
    rico_projection *own = sim->own;
    struct rico_jointed *jointed = own->jointed;
    int64_t rows = sim->contacts.joint_rows, *row = sim->contacts.row;
    double *right = sim->vector.right, *x = sim->vector.change;
    rico_status status = linearize(sim, h);
    if (status == RICO_OK)
        status =
            rico_joint_response_prepare(&jointed->response, &sim->iteration, &sim->assembly->H, rows, row);
    if (status == RICO_OK)
        status = rico_joint_response_solve(&jointed->response, right, jointed->law, x, own->tau);
    if (status != RICO_OK) return status;
    rico_axpy(sim->nv, 1.0, x, sim->next.v);
    for (int64_t i = 0; i < rows; i++) sim->next.p[row[i]] += own->tau[i];

    status = look(sim, h, sim->next.v, sim->vector.displacement);
    if (status != RICO_OK) return status;
    for (int64_t i = 0; i < rows; i++) jointed->law[i] = own->gap[row[i]];
    memset(right, 0, (size_t)sim->nv * sizeof *right);
    status = rico_joint_response_solve(&jointed->response, right, jointed->law, x, NULL);
    if (status == RICO_OK) rico_axpy(sim->nv, 1.0, x, own->correction);
    return status;
}


// D = d(G v + w)/dq at vector.ahead, on the pattern of H.
static rico_status turn_rows(rico_simulation *sim, double h)
{
    rico_projection *own = sim->own;
    struct rico_jointed *jointed = own->jointed;
    const rico_csc *H = &sim->assembly->H;
    rico_status status = RICO_OK;
    if (!jointed->turn) {
        int64_t entries = 1, longest = 1;
        for (int64_t c = 0; c < sim->system->constraint_count; c++) {
            const rico_constraint *joint = sim->system->constraint[c];
            entries += joint->dof_count * joint->size;
            if (joint->dof_count > longest) longest = joint->dof_count;
        }
        jointed->turn = rico_alloc(sim->ctx, 3 * entries + 2 * longest + H->cols, sizeof *jointed->turn);
        jointed->turns = entries;
        status = jointed->turn ? rico_turning_create(sim->assembly, &jointed->turning) : RICO_NO_MEMORY;
    }
    if (status == RICO_OK) status = rico_turning_reserve(sim->assembly, &jointed->turning);
    double *spare = jointed->turn + jointed->turns;
    for (int64_t c = 0; status == RICO_OK && c < sim->constraints; c++) {
        const rico_constraint *joint = rico_step_constraint(sim, c);
        if (!joint->joint) continue;
        double *v = spare + 2 * jointed->turns, *a = v + joint->dof_count;
        for (int64_t i = 0; i < joint->dof_count; i++) {
            v[i] = sim->next.v[joint->dof[i]];
            a[i] = 0.0;
        }
        rico_turning x = {.v = v,
                          .a = a,
                          .gamma = own->tau,
                          .Dv = jointed->turn + H->start[joint->row],
                          .Da = spare,
                          .Cv = spare + jointed->turns};
        status =
            rico_assembly_turn(sim->assembly, &jointed->turning, c, *sim->next.t, sim->vector.ahead, h, &x);
    }
    return status;
}


// Whether an iterate leaves no more of its equations than round-off. Where rows determine less than velocities and positions, it need not be
// the last that Newton's loop would stay at, and the first one is nearest to the branch that the step began on.
static bool solved(const rico_simulation *sim, double h)
{
    const rico_projection *own = sim->own;
    const struct rico_jointed *jointed = own->jointed;
    int64_t whose;
    double tol = 0.1 * rico_step_option(sim, RICO_STEP_NEWTON_TOL);
    double force = h * rico_norm_inf(sim->nv, jointed->force);
    for (int64_t i = 0; i < sim->nv; i++)
        force = fmax(force, fabs(h * jointed->force[i] - sim->vector.right[i]));
    return rico_norm_inf(sim->contacts.joint_rows, jointed->law) <= tol * *sim->next.scale &&
           rico_norm_inf(sim->nv, sim->vector.right) <= tol * force && violation(sim, &whose) <= tol;
}


// The same at once, with the rows as they are and as they turn. *done: there was nothing left to improve.
static rico_status improve_at_once(rico_simulation *sim, double h, double stand_in, bool *done)
{
    rico_projection *own = sim->own;
    struct rico_jointed *jointed = own->jointed;
    int64_t rows = sim->contacts.joint_rows, *row = sim->contacts.row;
    double *x = sim->vector.change, *dc = sim->vector.column;
    rico_status status = linearize(sim, h);
    *done = status == RICO_OK && solved(sim, h);
    if (*done) return RICO_OK;
    if (status == RICO_OK) status = turn_rows(sim, h);
    if (status == RICO_OK)
        status = rico_joint_newton_prepare(&jointed->newton, &sim->iteration, &sim->assembly->H, own->frame,
                                           jointed->turn, h, stand_in, rows, row);
    if (status != RICO_OK) return status;
    // what is round-off is nothing: near such positions rows make much of it
    for (int64_t i = 0; i < rows; i++) {
        double gap = own->gap[row[i]];
        own->offset[i] = fabs(gap) <= ROUND_OFF * rico_step_reach(sim, row[i]) ? 0.0 : gap;
        if (fabs(jointed->law[i]) <= ROUND_OFF * *sim->next.scale) jointed->law[i] = 0.0;
    }
    status = rico_joint_newton_solve(&jointed->newton, h, sim->vector.right, jointed->law, own->offset, x, dc,
                                     own->tau);
    if (status != RICO_OK) return status;
    rico_axpy(sim->nv, 1.0, x, sim->next.v);
    rico_axpy(sim->nv, 1.0, dc, own->correction);
    for (int64_t i = 0; i < rows; i++) sim->next.p[row[i]] += own->tau[i];
    return RICO_OK;
}


// Of impulses that do the same, the least. Rows at the end of a step do not follow from each other as those half way do, before an iteration has
// settled, and what they ask beyond goes into impulses that do nothing.
static rico_status share(rico_simulation *sim, bool prepared)
{
    rico_projection *own = sim->own;
    struct rico_jointed *jointed = own->jointed;
    int64_t rows = sim->contacts.joint_rows, *row = sim->contacts.row;
    double *right = sim->vector.right, *x = sim->vector.change, *least = own->offset;
    rico_status status = RICO_OK;
    if (jointed->response.redundant <= 0) return RICO_OK;
    if (!prepared)
        status =
            rico_joint_response_prepare(&jointed->response, &sim->iteration, &sim->assembly->H, rows, row);
    memset(least, 0, (size_t)sim->rows * sizeof *least);
    for (int n = 0; status == RICO_OK && n < SHARES; n++) {
        rico_csc_times(&sim->assembly->H, -1.0, sim->next.p, 0.0, right);
        rico_csc_times(&sim->assembly->H, 1.0, least, 1.0, right);
        status = rico_joint_response_solve(&jointed->response, right, NULL, x, own->tau);
        for (int64_t i = 0; status == RICO_OK && i < rows; i++) least[row[i]] += own->tau[i];
    }
    if (status == RICO_OK) memcpy(sim->next.p, least, (size_t)sim->rows * sizeof *least);
    return status;
}


static rico_status give_up(rico_simulation *sim)
{
    int64_t whose = 0;
    double left = violation(sim, &whose);
    if (left <= rico_scheme_option(sim, RICO_THETA_VIOLATION))
        return rico_theta_unsettled(sim, QUICK, sim->vector.iterate, sim->next.v, "take a smaller step");
    // joints that say things twice agree to the digits that their places are given to
    const rico_projection *own = sim->own;
    bool twice = own->jointed->response.redundant > 0;
    return rico_fail(
        sim->ctx, RICO_SINGULAR,
        "positions cannot be brought onto the joints in %d iterations: %s is left open by %.3g of "
        "the size of its terms; joints that contradict each other, a mechanism that is locked, or "
        "a step that is too long do that%s",
        QUICK, rico_step_constraint(sim, whose)->name, left,
        twice ? ", or joints that say things twice and are placed to few digits, which a larger "
                "'violation-tol' allows"
              : "");
}


// What relative velocities at the end have beyond those of the rows half way: contact works and events read it.
static void tell_end_velocity(rico_simulation *sim)
{
    const rico_projection *own = sim->own;
    const rico_csc *H = &sim->assembly->H;
    for (int64_t i = 0; i < sim->rows; i++) {
        sim->shift[i] = 0.0;
        for (int64_t k = H->start[i]; k < H->start[i + 1]; k++)
            sim->shift[i] += (own->frame[k] - H->value[k]) * sim->next.v[H->row[k]];
    }
    sim->shifted = true;
}


// Largest change of the last iteration; the first one tells the velocities that it is measured by, for later ones may run away.
static double change_of(const rico_simulation *sim, double h, const double *old, const double *was,
                        bool first, double *size)
{
    const rico_projection *own = sim->own;
    double change = 0.0;
    for (int64_t i = 0; i < sim->nv; i++) {
        change = fmax(change, fabs(sim->next.v[i] - old[i]) + fabs(own->correction[i] - was[i]) / h);
        if (first) *size = fmax(*size, fmax(fabs(sim->next.v[i]), fabs(sim->now.v[i])));
    }
    return isfinite(change) ? change : INFINITY;
}


// The velocity that rows at the start of the step lead to: where those at the end determine less, it tells the branch.
static rico_status predict(rico_simulation *sim, double h)
{
    rico_projection *own = sim->own;
    struct rico_jointed *jointed = own->jointed;
    const rico_theta_step step = rico_jointed_step_of(sim, h);
    double *x = sim->vector.change;
    bool changed;
    rico_status status = rico_step_frames(sim, h, sim->now.q);
    if (status == RICO_OK)
        status = rico_theta_residual(sim, &step, sim->next.v, sim->vector.right, sim->vector.mean, x);
    if (status == RICO_OK) status = rico_theta_matrix(sim, &step, &changed);
    if (status == RICO_OK)
        status = rico_joint_response_prepare(&jointed->response, &sim->iteration, &sim->assembly->H,
                                             sim->contacts.joint_rows, sim->contacts.row);
    if (status != RICO_OK) return status;
    rico_projection_swap_frames(sim);
    memcpy(sim->assembly->H.value, own->frame,
           (size_t)rico_csc_count(&sim->assembly->H) * sizeof *own->frame);
    rico_projection_swap_frames(sim);
    law_of(sim, sim->next.v, sim->assembly->w);
    status = rico_joint_response_solve(&jointed->response, sim->vector.right, jointed->law, x, own->tau);
    if (status != RICO_OK) return status;
    rico_axpy(sim->nv, 1.0, x, sim->next.v);
    for (int64_t i = 0; i < sim->contacts.joint_rows; i++) sim->next.p[sim->contacts.row[i]] = own->tau[i];
    return RICO_OK;
}


// Newton's loop over joints alone; stand_in: velocities and positions at once (joint_newton.h), 0: one after the other. *settled: it has; a
// loop that approaches nothing is given up early.
static rico_status iterate(rico_simulation *sim, double h, double stand_in, bool *settled)
{
    rico_projection *own = sim->own;
    double *old = sim->vector.iterate, *was = own->trial, *d = sim->vector.displacement;
    double tol = rico_step_option(sim, RICO_STEP_NEWTON_TOL), last = INFINITY, size = 0.0;
    int most = (int)rico_step_option(sim, RICO_STEP_NEWTON_MAX), n = 0;
    bool at_once = stand_in > 0.0;
    memcpy(sim->next.v, sim->now.v, (size_t)sim->nv * sizeof *sim->next.v);
    memset(sim->next.p, 0, (size_t)sim->rows * sizeof *sim->next.p);
    memset(own->correction, 0, (size_t)sim->nv * sizeof *own->correction);
    memset(own->jointed->impulse, 0, (size_t)sim->nv * sizeof *own->jointed->impulse);
    *settled = true;
    if (at_once) {
        rico_status status = predict(sim, h);
        if (status != RICO_OK) return status;
    }
    for (bool done = false; !done;) {
        memcpy(old, sim->next.v, (size_t)sim->nv * sizeof *old);
        memcpy(was, own->correction, (size_t)sim->nv * sizeof *was);
        if (n > 0) rico_jointed_keep_energy(sim, own->jointed->force);
        rico_status status = at_once ? improve_at_once(sim, h, stand_in, &done) : improve(sim, h);
        if (done) break;
        if (status == RICO_OK) status = share(sim, !at_once);
        if (status == RICO_OK) status = look(sim, h, sim->next.v, d);
        if (status != RICO_OK) return status;
        n++;
        int64_t whose;
        double change = change_of(sim, h, old, was, n == 1, &size);
        bool same = change <= fmax(tol * size, rico_theta_floor(sim)), slow = n > 2 && change > SLOW * last;
        // no nearer any more, and near: the round-off of velocities that rows hardly determine
        bool stalled = slow && n > RESTLESS && change <= (at_once ? LOOSE : sqrt(tol)) * size &&
                       rico_norm_inf(sim->contacts.joint_rows, own->jointed->law) <= tol * *sim->next.scale;
        last = change;
        done = n > 1 && (same || stalled) &&
               violation(sim, &whose) <= rico_scheme_option(sim, RICO_THETA_VIOLATION);
        *settled = done || !(n >= most || n >= QUICK || (at_once ? n > 1 && change > size : slow));
        if (!*settled) break;
    }
    sim->stats.newton_last += n;
    sim->stats.newton_iterations += n;
    return RICO_OK;
}


rico_status rico_jointed_swing(rico_simulation *sim, double h)
{
    static const double STAND_IN[] = {0.0, 1e-12, 1e-10, 1e-8, 1e-6};
    bool settled = false;
    rico_status status = RICO_OK;
    // the way rows turn costs a look at everything for each of them
    size_t ways = sim->nv <= LARGE ? sizeof STAND_IN / sizeof *STAND_IN : 1;
    for (size_t k = 0; status == RICO_OK && !settled && k < ways; k++)
        status = iterate(sim, h, STAND_IN[k], &settled);
    if (status != RICO_OK) return status;
    if (!settled) return give_up(sim);
    tell_end_velocity(sim);
    return RICO_OK;
}
