// Moreau-Jean's scheme, its variant, and the same with Fremond's law: theta-methods with implicit impulses.
//
//     M (v_{k+1} - v_k) = h [ load_theta + F(t_theta, q_theta, v_theta) ] + H p,     x_theta = (1-theta) x_k + theta x_{k+1}
//     q_{k+1} = q_k + h v_mean,     v_mean = v_theta, or v_{1/2} in the variant,     q_theta = q_k + theta h v_mean
//
// (Acary 2016, eq. 21 and 29; Acary and Collins-Craft 2024, eq. 52 and 63). F holds -K q - C v of matrices. One
// iteration is exact on a linear system; Newton's loop runs on the others, H updated in it on request.

#include "step/activation.h"
#include "step/derivative.h"
#include "step/registry.h"
#include "step/theta_step.h"

// Weight of v_{k+1} in the mean velocity that moves q.
static double mean_weight(const rico_simulation *sim)
{
    return sim->scheme->mean ? 0.5 : rico_scheme_option(sim, RICO_THETA);
}


static int order(const rico_simulation *sim)
{
    return rico_scheme_option(sim, RICO_THETA) == 0.5 ? 2 : 1;
}


static rico_status check(rico_simulation *sim)
{
    return rico_theta_check(sim, mean_weight(sim));
}


static rico_theta_step step_of(const rico_simulation *sim, double h)
{
    rico_theta_step step = {.h = h,
                            .theta = rico_scheme_option(sim, RICO_THETA),
                            .weight = mean_weight(sim),
                            .load = sim->vector.load};
    return step;
}


static rico_status activate(rico_simulation *sim, const rico_theta_step *step, const double *v_free)
{
    return rico_step_activate(sim, step->h, step->theta, v_free);
}


static bool settled(const rico_simulation *sim, int n, const double *old, const double *new)
{
    (void)n;
    return rico_theta_settled(sim, old, new);
}


static rico_status advance(rico_simulation *sim, double h)
{
    static const rico_theta_ways WAYS = {.activate = activate, .settled = settled};
    const rico_theta_step step = step_of(sim, h);
    double t = *sim->now.t, *moved = sim->vector.displacement;
    rico_status status = rico_step_load(sim, t, h, step.theta, sim->vector.load, sim->vector.mean);
    if (status == RICO_OK) status = rico_step_frames(sim, h, sim->now.q);
    if (status == RICO_OK) status = rico_theta_newton(sim, &step, &WAYS);
    if (status != RICO_OK) return status;
    rico_step_end_velocity(sim, sim->next.v, sim->u_after);
    rico_theta_displacement(sim, &step, sim->next.v, moved);
    return rico_assembly_retract(sim->assembly, t, sim->now.q, 1.0, moved, sim->next.q);
}


static rico_status book(rico_simulation *sim, double h)
{
    const rico_theta_step step = step_of(sim, h);
    return rico_theta_book(sim, &step);
}


const rico_scheme rico_theta_schemes[] = {
    {.info = {.name = "moreau-jean",
              .summary = "theta-method with implicit impulses, Newton's law at the velocity level",
              .reference = "Jean and Moreau 1987; Acary 2016, eq. 21",
              .identity =
                  "dE = h v_theta'(F_theta - C v_theta) + (1/2-theta)(|dv|_M^2 + |dq|_K^2) + u_theta'p",
              .numerical = {"(1/2-theta)|dv|_M^2", "(1/2-theta)|dq|_K^2"},
              .option_count = 1,
              .options = rico_theta_options,
              .order = 2},
     .impacts = true,
     .massless = RICO_MASSLESS_VELOCITY,
     .middle = true,
     .boxes = true,
     .relations = true,
     .laws = true,
     .shares = true,
     .order = order,
     .check = check,
     .advance = advance,
     .equations = &rico_theta_equations,
     .book = book},
    {.info =
         {.name = "moreau-jean-variant",
          .summary =
              "the same, but positions move with the mean velocity whatever theta: dissipates for every e",
          .reference = "Acary 2016, eq. 29",
          .identity = "dE = dq'(F_theta - C v_theta) + (1/2-theta)|dq|_K^2 + u_half'p",
          .numerical = {NULL, "(1/2-theta)|dq|_K^2"},
          .option_count = 1,
          .options = rico_theta_options,
          .order = 2},
     .mean = true,
     .impacts = true,
     .middle = true,
     .boxes = true,
     .relations = true,
     .laws = true,
     .shares = true,
     .order = order,
     .check = check,
     .advance = advance,
     .equations = &rico_theta_equations,
     .book = book},
    {.info = {.name = "moreau-jean-fremond",
              .summary =
                  "Moreau-Jean with Fremond's law: friction on the mean velocity, no energy from friction",
              .reference = "Acary and Collins-Craft 2024, eq. 63",
              .identity =
                  "dE = h v_theta'(F_theta - C v_theta) + (1/2-theta)(|dv|_M^2 + |dq|_K^2) + u_theta'p",
              .numerical = {"(1/2-theta)|dv|_M^2", "(1/2-theta)|dq|_K^2"},
              .option_count = 1,
              .options = rico_theta_options,
              .order = 2},
     .impacts = true,
     .massless = RICO_MASSLESS_VELOCITY,
     .middle = true,
     .boxes = true,
     .relations = true,
     .laws = true,
     .shares = true,
     .order = order,
     .default_law = 1,
     .check = check,
     .advance = advance,
     .equations = &rico_theta_equations,
     .book = book},
};
const int rico_theta_scheme_count = sizeof rico_theta_schemes / sizeof *rico_theta_schemes;
