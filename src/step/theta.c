// Moreau-Jean's scheme, its variant, and the same with Fremond's law: theta-methods with implicit impulses.
//
//     M (v_{k+1} - v_k) = h [ load_theta + F(t_theta, q_theta, v_theta) ] + H p,     x_theta = (1-theta) x_k + theta x_{k+1}
//     q_{k+1} = q_k + h v_mean,     v_mean = v_theta, or v_{1/2} in the variant,     q_theta = q_k + theta h v_mean
//
// (Acary 2016, eq. 21 and 29; Acary and Collins-Craft 2024, eq. 52 and 63). F holds -K q - C v of matrices. One
// iteration is exact on a linear system; Newton's loop runs on the others, H updated in it on request.

#include "la/dense.h"
#include "step/activation.h"
#include "step/registry.h"

#include <math.h>
#include <string.h>

enum { THETA };

static const rico_option_info OPTIONS[] = {
    [THETA] = {.name = "theta",
               .help = "weight of the end of the step; 1/2 conserves, 1 damps",
               .type = RICO_REAL,
               .low = 0.0,
               .high = 1.0,
               .standard = 0.5},
};


// Weight of v_{k+1} in the mean velocity that moves q.
static double mean_weight(const rico_simulation *sim)
{
    return strcmp(sim->scheme->info.name, "moreau-jean-variant") == 0 ? 0.5 : rico_scheme_option(sim, THETA);
}


static rico_status check(rico_simulation *sim)
{
    double theta = rico_scheme_option(sim, THETA), e = rico_step_max_restitution(sim);
    if (rico_step_law(sim)->omega(mean_weight(sim)) == 0.0)
        return rico_fail(sim->ctx, RICO_BAD_ARGUMENT, "Fremond's law needs theta > 0, got 0");
    bool variant = mean_weight(sim) != theta;
    double high = variant ? 1.0 : 1.0 / (1.0 + e);
    if (theta < 0.5 || theta > high + 1e-15)
        rico_log(sim->ctx, RICO_LOG_WARNING,
                 "%s: theta = %g is outside [1/2, %g]%s: the scheme may create energy",
                 sim->scheme->info.name, theta, high, variant ? "" : " = [1/2, 1/(1 + max e)]");
    return RICO_OK;
}


// mean = (1 - weight) v_k + weight v
static void blend(const rico_simulation *sim, double weight, const double *v, double *mean)
{
    const double *from = sim->now.v;
    for (int64_t i = 0; i < sim->nv; i++) mean[i] = (1.0 - weight) * from[i] + weight * v[i];
}


// right = h (load + F) - M (v - v_k) at the velocity v.
static rico_status residual(rico_simulation *sim, double h, const double *load, const double *v,
                            double *right, double *mean, double *step)
{
    rico_system *system = sim->system;
    double theta = rico_scheme_option(sim, THETA), t = *sim->now.t + theta * h;
    double *q = sim->place[1];
    blend(sim, mean_weight(sim), v, mean); // v_k itself when v is
    rico_status status = rico_system_retract(system, t, sim->now.q, theta * h, mean, q);
    blend(sim, theta, v, mean);
    if (status == RICO_OK) status = rico_system_mass(system, t, q);
    if (status == RICO_OK) status = rico_system_forces(system, t, q, mean, right, NULL, NULL);
    if (status == RICO_OK) status = rico_system_tangents(system, t, q, mean);
    if (status != RICO_OK) return status;
    for (int64_t i = 0; i < sim->nv; i++) right[i] = h * (right[i] + load[i]);
    if (v == sim->now.v) return RICO_OK;
    for (int64_t i = 0; i < sim->nv; i++) step[i] = v[i] - sim->now.v[i];
    rico_system_multiply(system, system->M, -1.0, step, right);
    return RICO_OK;
}


// The constant part of the law's velocity y = omega u_{k+1} + c.
static void law_offset(const rico_simulation *sim, double omega, double *c)
{
    const rico_contact_law *law = rico_step_law(sim);
    double weight = mean_weight(sim);
    for (int64_t i = 0; i < sim->rows; i++) c[i] = (1.0 - omega) * sim->u_before[i];
    for (int64_t k = 0; k < sim->constraints; k++) {
        const rico_constraint *constraint = sim->system->constraint[k];
        if (!constraint->joint)
            c[constraint->row] += law->bias(weight, constraint->restitution) * sim->u_before[constraint->row];
    }
}


static bool settled(const rico_simulation *sim, const double *old, const double *new)
{
    double change = 0.0, size = 0.0;
    for (int64_t i = 0; i < sim->nv; i++) {
        change = fmax(change, fabs(new[i] - old[i]));
        size = fmax(size, fmax(fabs(new[i]), fabs(sim->now.v[i])));
    }
    return change <= rico_step_option(sim, RICO_STEP_NEWTON_TOL) * size;
}


static rico_status advance(rico_simulation *sim, double h)
{
    rico_system *system = sim->system;
    double theta = rico_scheme_option(sim, THETA), weight = mean_weight(sim), t = *sim->now.t;
    double omega = rico_step_law(sim)->omega(weight);
    double *load = sim->work[0], *right = sim->work[1], *mean = sim->work[2], *v = sim->work[3],
           *step = sim->work[4], *next = sim->next.v;
    bool late = rico_step_option(sim, RICO_STEP_FRAMES) != 0.0 && !system->constant_frames;
    bool once = system->linear && !late;
    int most = (int)rico_step_option(sim, RICO_STEP_NEWTON_MAX), n = 0;

    rico_status status = rico_step_load(sim, t, h, theta, load, mean);
    if (status == RICO_OK) status = rico_step_frames(sim, h, sim->now.q);
    if (status != RICO_OK) return status;

    const double *at = sim->now.v;
    for (bool done = false; !done;) {
        bool changed;
        status = residual(sim, h, load, at, right, mean, step);
        if (status == RICO_OK)
            status = rico_iteration_set(&sim->iteration, 1.0, h * theta, h * h * theta * weight, &changed);
        if (status == RICO_OK) status = rico_iteration_solve(&sim->iteration, 1, right, next);
        if (status != RICO_OK) return status;
        rico_axpy(sim->nv, 1.0, at, next);

        if (n == 0) {
            status = rico_step_activate(sim, h, theta, next);
            rico_contacts_activate(&sim->contacts, sim->active);
        } else if (late) {
            blend(sim, weight, v, mean);
            status = rico_system_retract(system, t, sim->now.q, h, mean, sim->place[0]);
            if (status == RICO_OK) status = rico_step_frames(sim, h, sim->place[0]);
        }
        if (status != RICO_OK) return status;
        law_offset(sim, omega, sim->gap);
        status = rico_contacts_solve(&sim->contacts, &sim->iteration, changed || !system->constant_frames,
                                     omega, sim->gap, next, sim->next.p, sim->next.scale);
        if (status != RICO_OK) return status;

        n++;
        done = once || (n > 1 && settled(sim, at, next));
        if (!done && n >= most)
            return rico_fail(sim->ctx, RICO_SINGULAR,
                             "Newton's loop did not settle in %d iterations; take a smaller step", n);
        memcpy(v, next, (size_t)sim->nv * sizeof *v);
        at = v;
    }
    sim->stats.newton_last = n;
    sim->stats.newton_iterations += n;

    rico_step_local_velocity(sim, next, sim->u_after);
    blend(sim, weight, next, mean);
    return rico_system_retract(system, t, sim->now.q, h, mean, sim->next.q);
}


// dE = h v_theta'(F_theta - C v_theta) + (1/2 - theta)(|dv|_M^2 + |dq|_K^2) + u_theta' p; in the variant
// dE = dq'(F_theta - C v_theta) + (1/2 - theta)|dq|_K^2 + u_{1/2}' p  (Acary 2016, eq. 33 and 91).
static rico_status book(rico_simulation *sim, double h)
{
    rico_system *system = sim->system;
    rico_ledger *ledger = &sim->ledger;
    double theta = rico_scheme_option(sim, THETA), weight = mean_weight(sim), t = *sim->now.t + theta * h;
    double *load = sim->work[0], *mean = sim->work[1], *applied = sim->work[2], *damping = sim->work[3],
           *spring = sim->work[4], *moved = sim->work[5], *q = sim->place[1];
    memset(ledger, 0, sizeof *ledger);

    blend(sim, weight, sim->next.v, moved);
    blend(sim, theta, sim->next.v, mean);
    ledger->external = h * rico_dot(sim->nv, moved, load);
    if (system->damped || !system->linear) {
        rico_status status = rico_system_retract(system, t, sim->now.q, theta * h, moved, q);
        if (status == RICO_OK) status = rico_system_forces(system, t, q, mean, applied, damping, spring);
        if (status != RICO_OK) return status;
        ledger->external += h * rico_dot(sim->nv, moved, applied);
        ledger->damping = h * rico_dot(sim->nv, moved, damping);
    }
    if (theta != 0.5) {
        double *dv = applied, *dq = damping;
        for (int64_t i = 0; i < sim->nv; i++) {
            dv[i] = sim->next.v[i] - sim->now.v[i];
            dq[i] = h * moved[i];
        }
        if (weight == theta) ledger->numerical[0] = (0.5 - theta) * rico_step_energy(system, system->M, dv);
        if (system->stiff) ledger->numerical[1] = (0.5 - theta) * rico_step_energy(system, system->K, dq);
    }
    rico_step_contact_works(sim, moved);
    return RICO_OK;
}


const rico_scheme rico_theta_schemes[] = {
    {.info = {.name = "moreau-jean",
              .summary = "theta-method with implicit impulses, Newton's law at the velocity level",
              .reference = "Jean and Moreau 1987; Acary 2016, eq. 21",
              .identity =
                  "dE = h v_theta'(F_theta - C v_theta) + (1/2-theta)(|dv|_M^2 + |dq|_K^2) + u_theta'p",
              .numerical = {"(1/2-theta)|dv|_M^2", "(1/2-theta)|dq|_K^2"},
              .option_count = 1,
              .options = OPTIONS},
     .check = check,
     .advance = advance,
     .book = book},
    {.info =
         {.name = "moreau-jean-variant",
          .summary =
              "the same, but positions move with the mean velocity whatever theta: dissipates for every e",
          .reference = "Acary 2016, eq. 29",
          .identity = "dE = dq'(F_theta - C v_theta) + (1/2-theta)|dq|_K^2 + u_half'p",
          .numerical = {NULL, "(1/2-theta)|dq|_K^2"},
          .option_count = 1,
          .options = OPTIONS},
     .check = check,
     .advance = advance,
     .book = book},
    {.info = {.name = "moreau-jean-fremond",
              .summary =
                  "Moreau-Jean with Fremond's law: friction on the mean velocity, no energy from friction",
              .reference = "Acary and Collins-Craft 2024, eq. 63",
              .identity =
                  "dE = h v_theta'(F_theta - C v_theta) + (1/2-theta)(|dv|_M^2 + |dq|_K^2) + u_theta'p",
              .numerical = {"(1/2-theta)|dv|_M^2", "(1/2-theta)|dq|_K^2"},
              .option_count = 1,
              .options = OPTIONS},
     .default_law = 1,
     .check = check,
     .advance = advance,
     .book = book},
};
const int rico_theta_scheme_count = sizeof rico_theta_schemes / sizeof *rico_theta_schemes;
