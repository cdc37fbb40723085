// The theta-method with contacts at the position level: what a structural code does that knows no impact law.
//
//     M (v_{k+1} - v_k) = h [ load_theta + F_theta ] + H p,     q_{k+1} = q_k + h v_theta,     0 <= g(q_{k+1}), p_N >= 0,
//
// orthogonal (Acary 2012, section 6.2; theta = 1/2 there). Once closed, a contact has g_{k+1} = g_k = 0, so that
// u_{N,k+1} = -(1-theta)/theta u_{N,k}: at theta = 1/2 the velocity changes its sign at every step for ever. The scheme
// is here for this to be seen. Friction is written on u_theta, as in Fremond's law; there is no restitution.

#include "la/dense.h"
#include "step/registry.h"
#include "step/theta_step.h"

#include <string.h>

static rico_status check(rico_simulation *sim)
{
    sim->contacts.joint_offset = true;
    if (rico_scheme_option(sim, RICO_THETA) == 0.0)
        return rico_fail(sim->ctx, RICO_BAD_ARGUMENT,
                         "trapezoidal-position needs theta > 0: impulses must move the end of the step");
    if (rico_step_max_restitution(sim) > 0.0)
        rico_log(sim->ctx, RICO_LOG_WARNING,
                 "trapezoidal-position has no impact law: restitutions are not used");
    return RICO_OK;
}


static rico_theta_step step_of(const rico_simulation *sim, double h)
{
    double theta = rico_scheme_option(sim, RICO_THETA);
    rico_theta_step step = {.h = h, .theta = theta, .weight = theta, .load = sim->vector.load};
    return step;
}


// y = u_theta along the tangents; along the normal g(q_{k+1}) / h, from the gap of the iterate v at vector.ahead.
static rico_status offset(rico_simulation *sim, const rico_theta_step *step, const double *v, double *c)
{
    rico_status status = rico_assembly_gaps(sim->assembly, *sim->next.t, sim->vector.ahead, c);
    if (status != RICO_OK) return status;
    rico_step_local_velocity(sim, v, sim->u_after);
    for (int64_t k = 0; k < sim->constraints; k++) {
        const rico_constraint *constraint = rico_step_constraint(sim, k);
        for (int64_t i = 0; i < constraint->size; i++) {
            int64_t row = constraint->row + i;
            c[row] = i == 0 || constraint->joint ? c[row] / step->h - step->theta * sim->u_after[row]
                                                 : (1.0 - step->theta) * sim->u_before[row];
        }
    }
    return RICO_OK;
}


static rico_status advance(rico_simulation *sim, double h)
{
    const rico_system *system = sim->system;
    const rico_theta_step step = step_of(sim, h);
    double *right = sim->vector.right, *mean = sim->vector.mean, *at = sim->vector.iterate,
           *work = sim->vector.change, *next = sim->next.v, t = *sim->now.t;
    bool late = rico_step_option(sim, RICO_STEP_FRAMES) != 0.0, moving = !system->constant_frames;
    bool once = system->linear && !moving;
    int most = (int)rico_step_option(sim, RICO_STEP_NEWTON_MAX), n = 0;

    memcpy(next, sim->now.v, (size_t)sim->nv * sizeof *next);
    for (int64_t c = 0; c < sim->constraints; c++) sim->active[c] = rico_step_constraint(sim, c)->joint;
    rico_status status = rico_step_load(sim, t, h, step.theta, sim->vector.load, mean);
    if (status == RICO_OK) status = rico_step_frames(sim, h, sim->now.q);
    for (bool done = false; status == RICO_OK && !done;) {
        bool changed;
        memcpy(at, next, (size_t)sim->nv * sizeof *at);
        rico_theta_displacement(sim, &step, at, mean);
        status = rico_assembly_retract(sim->assembly, t, sim->now.q, 1.0, mean, sim->vector.ahead);
        if (status == RICO_OK && late && moving && n > 0)
            status = rico_step_frames(sim, h, sim->vector.ahead);
        if (status == RICO_OK) status = offset(sim, &step, at, sim->offset);
        if (status == RICO_OK) status = rico_theta_residual(sim, &step, at, right, mean, work);
        if (status == RICO_OK) status = rico_theta_matrix(sim, &step, &changed);
        if (status == RICO_OK) status = rico_iteration_solve(&sim->iteration, 1, right, next);
        if (status != RICO_OK) return status;
        rico_axpy(sim->nv, 1.0, at, next);
        bool same = !once && rico_step_same_problem(sim, n == 0, next, sim->offset);
        status = rico_contacts_solve_all(&sim->contacts, &sim->iteration, changed || moving, step.theta,
                                         sim->offset, next, sim->next.p, sim->next.scale, sim->active, work);
        n++;
        done = once || (n > 1 && (same || rico_theta_settled(sim, at, next)));
        if (status == RICO_OK && !done && n >= most)
            return rico_theta_unsettled(sim, n, at, next, "take a smaller step");
    }
    if (status != RICO_OK) return status;
    sim->stats.newton_last = n;
    sim->stats.newton_iterations += n;
    rico_step_local_velocity(sim, next, sim->u_after);
    rico_theta_displacement(sim, &step, next, sim->vector.displacement);
    return rico_assembly_retract(sim->assembly, t, sim->now.q, 1.0, sim->vector.displacement, sim->next.q);
}


static rico_status book(rico_simulation *sim, double h)
{
    const rico_theta_step step = step_of(sim, h);
    return rico_theta_book(sim, &step);
}


const rico_scheme rico_trapezoidal_schemes[] = {
    {.info = {.name = "trapezoidal-position",
              .summary =
                  "theta-method with contacts at the position level and no impact law: velocities oscillate",
              .reference = "Acary 2012, section 6.2",
              .identity =
                  "dE = h v_theta'(F_theta - C v_theta) + (1/2-theta)(|dv|_M^2 + |dq|_K^2) + u_theta'p",
              .numerical = {"(1/2-theta)|dv|_M^2", "(1/2-theta)|dq|_K^2"},
              .option_count = 1,
              .options = rico_theta_options,
              .order = 2},
     .default_frames = 1,
     .check = check,
     .advance = advance,
     .book = book},
};
const int rico_trapezoidal_scheme_count = sizeof rico_trapezoidal_schemes / sizeof *rico_trapezoidal_schemes;
