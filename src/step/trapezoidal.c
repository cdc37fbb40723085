// Theta-methods with contacts at the position level: what structural codes do that know no impact law, and its cure.
//
//     M (v_{k+1} - v_k) = h [ load_theta + F_theta ] + H p,     q_{k+1} = q_k + h v_theta,     0 <= g(q_{k+1}), p_N >= 0,
//
// orthogonal (Acary 2012, section 6.2; theta = 1/2 there). Once closed, a contact has g_{k+1} = g_k = 0, so that
// u_{N,k+1} = -(1-theta)/theta u_{N,k}: at theta = 1/2 the velocity changes its sign at every step for ever. The scheme
// is here for this to be seen. Friction is written on u_theta, as in Fremond's law; there is no restitution.
//
// contact-stabilized takes what the inertia of the boundary does against the obstacle out of the displacement, by projecting the
// predictor onto the admissible set in the metric of the mass (Deuflhard, Krause and Ertel 2008; theta = 1/2 there):
//
//     s = M^-1 G mu,    0 <= g(q_k + h v_k + s), mu >= 0, orthogonal,    q_{k+1} = q_k + h v_theta + s,
//
// so that q_{k+1} - (q_k + h v_k + s) = h theta (v_{k+1} - v_k), and the rest as above, with friction and damping on the displacement over h (Klapproth, Schiela and Deuflhard 2010). The work of
// the correction against inertia is -s'M dv/h = -mu'g_{k+1}/(h^2 theta) <= 0, that of the contacts -g_k p_N/h <= 0.

#include "la/dense.h"
#include "step/projection.h"
#include "step/registry.h"

#include <string.h>

static rico_status check(rico_simulation *sim)
{
    sim->contacts.joint_offset = true;
    if (rico_scheme_option(sim, RICO_THETA) == 0.0)
        return rico_fail(sim->ctx, RICO_BAD_ARGUMENT,
                         "%s needs theta > 0: impulses must move the end of the step",
                         sim->scheme->info.name);
    if (rico_step_max_restitution(sim) > 0.0)
        rico_log(sim->ctx, RICO_LOG_WARNING, "%s has no impact law: restitutions are not used",
                 sim->scheme->info.name);
    return RICO_OK;
}


static rico_status check_stabilized(rico_simulation *sim)
{
    rico_projection *own = sim->own;
    double theta = rico_scheme_option(sim, RICO_THETA);
    own->contacts.tol = rico_step_option(sim, RICO_STEP_TOL);
    own->metric.valid = own->contacts.prepared = false;
    if (theta < 0.5)
        rico_log(sim->ctx, RICO_LOG_WARNING,
                 "%s: theta = %g is outside [1/2, 1]: the scheme may create energy", sim->scheme->info.name,
                 theta);
    return check(sim);
}


static rico_theta_step step_of(const rico_simulation *sim, double h)
{
    double theta = rico_scheme_option(sim, RICO_THETA);
    const rico_projection *own = sim->own;
    rico_theta_step step = {.h = h,
                            .theta = theta,
                            .weight = theta,
                            .load = sim->vector.load,
                            .correction = own ? own->correction : NULL,
                            .along = own != NULL};
    return step;
}


// The correction s of the displacement: of h v_k the part that leads into obstacles or off joints.
static rico_status predict(rico_simulation *sim, double h)
{
    rico_projection *own = sim->own;
    bool changed, moving = !sim->system->constant_frames;
    double scale, *ahead = sim->vector.ahead;
    memset(own->correction, 0, (size_t)sim->nv * sizeof *own->correction);
    memset(own->tau, 0, (size_t)sim->rows * sizeof *own->tau);
    for (int64_t c = 0; c < sim->constraints; c++) own->set[c] = rico_step_constraint(sim, c)->joint;
    if (sim->rows == 0) return RICO_OK;
    rico_status status = rico_assembly_retract(sim->assembly, *sim->now.t, sim->now.q, h, sim->now.v, ahead);
    if (status == RICO_OK) status = rico_assembly_gaps(sim->assembly, *sim->next.t, ahead, own->gap);
    if (status == RICO_OK) status = rico_assembly_mass(sim->assembly, *sim->now.t, sim->now.q);
    if (status == RICO_OK) status = rico_iteration_set(&own->metric, 1.0, 0.0, 0.0, &changed);
    if (status != RICO_OK) return status;

    // y = g + G's; the motion w of obstacles is in the gap already
    for (int64_t i = 0; i < sim->rows; i++) own->offset[i] = own->gap[i] - sim->assembly->w[i];
    status = rico_contacts_solve_all(&own->contacts, &own->metric, changed || moving, 1.0, own->offset,
                                     own->correction, own->tau, &scale, own->set, own->trial);
    if (status != RICO_OK) rico_fail_in(sim->ctx, status, "stabilization of the predictor");
    return status;
}


// What the correction adds to a relative velocity.
static double slip(const rico_simulation *sim, const rico_theta_step *step, int64_t row)
{
    const rico_csc *H = &sim->assembly->H;
    double sum = 0.0;
    for (int64_t k = H->start[row]; step->correction && k < H->start[row + 1]; k++)
        sum += H->value[k] * step->correction[H->row[k]];
    return sum / step->h;
}


// y = u_theta along the tangents, and what a correction adds; along the normal g(q_{k+1}) / h, from the gap of the iterate v at vector.ahead.
static rico_status offset(rico_simulation *sim, const rico_theta_step *step, const double *v, double *c)
{
    rico_status status = rico_assembly_gaps(sim->assembly, *sim->next.t, sim->vector.ahead, c);
    if (status != RICO_OK) return status;
    rico_step_local_velocity(sim, v, sim->u_after);
    for (int64_t k = 0; k < sim->constraints; k++) {
        const rico_constraint *constraint = rico_step_constraint(sim, k);
        for (int64_t i = 0; i < constraint->size; i++) {
            int64_t row = constraint->row + i;
            c[row] = i == 0 || constraint->joint
                         ? c[row] / step->h - step->theta * sim->u_after[row]
                         : (1.0 - step->theta) * sim->u_before[row] + slip(sim, step, row);
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
    if (status == RICO_OK && sim->own) status = predict(sim, h);
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
     .massless = RICO_MASSLESS_POSITION,
     .check = check,
     .laws = true,
     .advance = advance,
     .book = book},
    {.info = {.name = "contact-stabilized",
              .summary =
                  "the same with its predictor projected onto the admissible set by the mass: forces do not "
                  "oscillate, no energy is gained",
              .reference = "Deuflhard, Krause and Ertel 2008",
              .identity = "dE = dq'F_theta - dq'C dq/h + (1/2-theta)(|dv|_M^2 + |dq|_K^2) + dq'H p/h - "
                          "s'M dv/h",
              .numerical = {"(1/2-theta)|dv|_M^2", "(1/2-theta)|dq|_K^2"},
              .option_count = 1,
              .options = rico_theta_options,
              .order = 2},
     .default_frames = 1,
     .create = rico_projection_create,
     .resize = rico_projection_resize,
     .destroy = rico_projection_destroy,
     .check = check_stabilized,
     .laws = true,
     .advance = advance,
     .book = book},
};
const int rico_trapezoidal_scheme_count = sizeof rico_trapezoidal_schemes / sizeof *rico_trapezoidal_schemes;
