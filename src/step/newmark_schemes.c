// The Newmark family's rows in the table of schemes: options, parameters from them, the ranges that are proved.

#include "step/newmark.h"

#include "step/derivative.h"
#include "step/registry.h"

enum { NEWMARK_BETA, NEWMARK_GAMMA, NEWMARK_OPTIONS };
enum { HHT_ALPHA, HHT_BETA, HHT_GAMMA, HHT_OPTIONS };
enum { ALPHA_RHO, ALPHA_M, ALPHA_F, ALPHA_BETA, ALPHA_GAMMA, ALPHA_OPTIONS };

// What an option holds that was not given: no value that a scheme could use.
static const double NO_ALPHA = 1.0, NO_WEIGHT = 0.0;

static const rico_option_info NEWMARK_TABLE[] = {
    [NEWMARK_BETA] = {.name = "beta",
                      .help = "weight of the new acceleration in the position",
                      .type = RICO_REAL,
                      .low = 0.0,
                      .high = 2.0,
                      .standard = 0.25},
    [NEWMARK_GAMMA] = {.name = "gamma",
                       .help = "weight of the new acceleration in the velocity; 1/2 conserves, more damps",
                       .type = RICO_REAL,
                       .low = 0.0,
                       .high = 2.0,
                       .standard = 0.5},
};

static const rico_option_info HHT_TABLE[] = {
    [HHT_ALPHA] = {.name = "alpha",
                   .help = "weight of the forces at the start of the step: damping of high frequencies",
                   .type = RICO_REAL,
                   .low = -0.5,
                   .high = 0.9,
                   .standard = 0.05},
    [HHT_BETA] = {.name = "beta",
                  .help = "as in newmark; 0: (gamma + 1/2)^2 / 4",
                  .type = RICO_REAL,
                  .low = 0.0,
                  .high = 2.0,
                  .standard = 0.0},
    [HHT_GAMMA] = {.name = "gamma",
                   .help = "as in newmark; 0: 1/2 + alpha, of second order",
                   .type = RICO_REAL,
                   .low = 0.0,
                   .high = 2.0,
                   .standard = 0.0},
};

static const rico_option_info ALPHA_TABLE[] = {
    [ALPHA_RHO] = {.name = "rho-inf",
                   .help =
                       "spectral radius at infinity: 1 conserves, 0 annihilates high frequencies in one step",
                   .type = RICO_REAL,
                   .low = 0.0,
                   .high = 1.0,
                   .standard = 0.8},
    [ALPHA_M] = {.name = "alpha-m",
                 .help = "weight of the inertia at the start of the step; 1: from rho-inf",
                 .type = RICO_REAL,
                 .low = -2.0,
                 .high = 1.0,
                 .standard = 1.0},
    [ALPHA_F] = {.name = "alpha-f",
                 .help = "weight of the forces at the start of the step; 1: from rho-inf",
                 .type = RICO_REAL,
                 .low = -2.0,
                 .high = 1.0,
                 .standard = 1.0},
    [ALPHA_BETA] = {.name = "beta",
                    .help = "as in newmark; 0: from rho-inf",
                    .type = RICO_REAL,
                    .low = 0.0,
                    .high = 2.0,
                    .standard = 0.0},
    [ALPHA_GAMMA] = {.name = "gamma",
                     .help = "as in newmark; 0: from rho-inf",
                     .type = RICO_REAL,
                     .low = 0.0,
                     .high = 2.0,
                     .standard = 0.0},
};


int rico_newmark_kind(const rico_simulation *sim)
{
    return (int)(sim->scheme - rico_newmark_schemes);
}


// The optimal ones for rho-inf (eq. 27), or all four as given; check() has refused anything between.
static void alpha_parameters(const rico_simulation *sim, rico_newmark *out)
{
    double rho = rico_scheme_option(sim, ALPHA_RHO);
    if (rico_scheme_option(sim, ALPHA_M) != NO_ALPHA) {
        out->alpha_m = rico_scheme_option(sim, ALPHA_M);
        out->alpha_f = rico_scheme_option(sim, ALPHA_F);
        out->beta = rico_scheme_option(sim, ALPHA_BETA);
        out->gamma = rico_scheme_option(sim, ALPHA_GAMMA);
        return;
    }
    out->alpha_m = (2.0 * rho - 1.0) / (rho + 1.0);
    out->alpha_f = rho / (rho + 1.0);
    out->gamma = 0.5 + out->alpha_f - out->alpha_m;
    out->beta = 0.25 * (out->gamma + 0.5) * (out->gamma + 0.5);
}


rico_newmark rico_newmark_parameters(const rico_simulation *sim)
{
    rico_newmark is = {0};
    switch (rico_newmark_kind(sim)) {
    case RICO_NEWMARK:
        is.beta = rico_scheme_option(sim, NEWMARK_BETA);
        is.gamma = rico_scheme_option(sim, NEWMARK_GAMMA);
        break;
    case RICO_HHT:
        is.alpha_f = rico_scheme_option(sim, HHT_ALPHA);
        is.gamma = rico_scheme_option(sim, HHT_GAMMA);
        is.beta = rico_scheme_option(sim, HHT_BETA);
        if (is.gamma == NO_WEIGHT) is.gamma = 0.5 + is.alpha_f;
        if (is.beta == NO_WEIGHT) is.beta = 0.25 * (is.gamma + 0.5) * (is.gamma + 0.5);
        break;
    default:
        alpha_parameters(sim, &is);
    }
    is.s_c = 1.0 - is.alpha_f;
    is.s = rico_newmark_kind(sim) == RICO_KRENK_HOGSBERG ? 1.0 - is.alpha_m : is.s_c;
    is.nu = 0.5 - is.alpha_m;
    is.eta = is.alpha_f - is.alpha_m;
    is.kappa = is.beta - 0.5 * is.gamma;
    return is;
}


static rico_status check_given(const rico_simulation *sim)
{
    int given = (rico_scheme_option(sim, ALPHA_M) != NO_ALPHA) +
                (rico_scheme_option(sim, ALPHA_F) != NO_ALPHA) +
                (rico_scheme_option(sim, ALPHA_BETA) != NO_WEIGHT) +
                (rico_scheme_option(sim, ALPHA_GAMMA) != NO_WEIGHT);
    if (given == 0 || given == 4) return RICO_OK;
    return rico_fail(sim->ctx, RICO_BAD_ARGUMENT,
                     "%s takes rho-inf, or all four of alpha-m, alpha-f, beta and gamma: got %d of them",
                     sim->scheme->info.name, given);
}


static rico_status check(rico_simulation *sim)
{
    const char *name = sim->scheme->info.name;
    const double slack = 1e-14; // bounds that hold with equality in theory
    if (rico_newmark_kind(sim) >= RICO_GENERALIZED_ALPHA) {
        rico_status status = check_given(sim);
        if (status != RICO_OK) return status;
    }
    rico_newmark is = rico_newmark_parameters(sim);
    if (2.0 * is.beta < is.gamma - slack || is.gamma < 0.5 - slack)
        rico_log(sim->ctx, RICO_LOG_WARNING,
                 "%s: beta = %g, gamma = %g are outside 2 beta >= gamma >= 1/2: the scheme may create energy",
                 name, is.beta, is.gamma);
    if (rico_newmark_kind(sim) != RICO_NEWMARK &&
        (is.eta < -slack || is.eta > is.gamma - 0.5 + slack || is.gamma - 0.5 > is.nu + slack))
        rico_log(
            sim->ctx, RICO_LOG_WARNING,
            "%s: alpha_m = %g, alpha_f = %g, gamma = %g are outside 0 <= alpha_f - alpha_m <= gamma - 1/2 <= "
            "1/2 - alpha_m: the scheme may create energy",
            name, is.alpha_m, is.alpha_f, is.gamma);
    if (rico_step_max_restitution(sim) > 1.0)
        rico_log(sim->ctx, RICO_LOG_WARNING, "%s: a restitution of %g exceeds 1: impacts create energy", name,
                 rico_step_max_restitution(sim));
    return RICO_OK;
}


static const char DA_TERM[] = "-(h^2/2)(gamma-1/2)(2 beta-gamma)|da|_M^2";
static const char NEW_H_TERM[] = "d(h^2)/4 (2 beta-gamma)|a|_M^2";

const rico_scheme rico_newmark_schemes[] = {
    [RICO_NEWMARK] = {.info = {.name = "newmark",
                               .summary =
                                   "Newmark's method on the smooth motion, implicit impulses beside it",
                               .reference = "Chen et al. 2013; Acary 2016, eq. 25",
                               .identity =
                                   "d(E + (h^2/4)(2 beta-gamma)|a|_M^2) = dq'(F_gamma - C v_gamma) "
                                   "- (gamma-1/2)(|dq|_K^2 + (h^2/2)(2 beta-gamma)|da|_M^2) + u_half'p",
                               .numerical = {DA_TERM, "-(gamma-1/2)|dq|_K^2", NULL, NEW_H_TERM},
                               .option_count = NEWMARK_OPTIONS,
                               .options = NEWMARK_TABLE,
                               .order = 2},
                      .extra_size = rico_newmark_extra_size,
                      .check = check,
                      .start = rico_newmark_start,
                      .laws = true,
                      .advance = rico_newmark_advance,
                      .memory = 1,
                      .memory_at = 2,
                      .equations = &rico_newmark_equations,
                      .book = rico_newmark_book},
    [RICO_HHT] = {.info = {.name = "hht",
                           .summary =
                               "Hilber, Hughes and Taylor's weighting of forces: damps high frequencies at "
                               "second order",
                           .reference = "Hughes 1987; Acary 2016, eq. 25 and 78",
                           .identity =
                               "dH = dq'[(1-alpha)(F - C v)_{k,gamma} + alpha (F - C v)_{k-1,gamma}] "
                               "- (h^2/2)(gamma-1/2)(2 beta-gamma)|da|_M^2 - (gamma-1/2-alpha)|dq|_K^2 "
                               "- (alpha/2)(1-gamma)|dz|_K^2 + u_half'p",
                           .numerical = {DA_TERM, "-(gamma-1/2-alpha)|dq|_K^2", "-(alpha/2)(1-gamma)|dz|_K^2",
                                         NEW_H_TERM},
                           .option_count = HHT_OPTIONS,
                           .options = HHT_TABLE,
                           .order = 2},
                  .extra_size = rico_newmark_extra_size,
                  .check = check,
                  .start = rico_newmark_start,
                  .laws = true,
                  .advance = rico_newmark_advance,
                  .memory = 1,
                  .memory_at = 2,
                  .equations = &rico_newmark_equations,
                  .book = rico_newmark_book},
    [RICO_GENERALIZED_ALPHA] =
        {.info = {.name = "generalized-alpha",
                  .summary = "Chung and Hulbert's weighting of inertia and forces, by its spectral radius at "
                             "infinity",
                  .reference = "Chung and Hulbert 1993; Acary 2016, eq. 25-27",
                  .identity = "dH = dq'[F - C v + eta (C x - y)]_gamma "
                              "- (h^2/2)(gamma-1/2)(2 beta-gamma)|da|_M^2 - (gamma-1/2-eta)|dq|_K^2 "
                              "- eta nu (nu-gamma+1/2)|dz|_K^2 + u_half'p",
                  .numerical = {DA_TERM, "-(gamma-1/2-eta)|dq|_K^2", "-eta nu (nu-gamma+1/2)|dz|_K^2",
                                NEW_H_TERM},
                  .option_count = ALPHA_OPTIONS,
                  .options = ALPHA_TABLE,
                  .order = 2},
         .extra_size = rico_newmark_extra_size,
         .check = check,
         .start = rico_newmark_start,
         .laws = true,
         .advance = rico_newmark_advance,
         .memory = 1,
         .memory_at = 2,
         .equations = &rico_newmark_equations,
         .book = rico_newmark_book},
    [RICO_KRENK_HOGSBERG] =
        {.info = {.name = "kh-generalized-alpha",
                  .summary = "generalized-alpha with loads and damping weighted as the inertia: dissipates "
                             "whatever they are",
                  .reference = "Krenk and Hogsberg 2005; Acary 2016, eq. 30",
                  .identity = "dH = dq'(F_gamma - C v_gamma) - (h^2/2)(gamma-1/2)(2 beta-gamma)|da|_M^2 "
                              "- (gamma-1/2-eta)|dq|_K^2 - eta nu (nu-gamma+1/2)|dz|_K^2 + u_half'p",
                  .numerical = {DA_TERM, "-(gamma-1/2-eta)|dq|_K^2", "-eta nu (nu-gamma+1/2)|dz|_K^2",
                                NEW_H_TERM},
                  .option_count = ALPHA_OPTIONS,
                  .options = ALPHA_TABLE,
                  .order = 2},
         .extra_size = rico_newmark_extra_size,
         .check = check,
         .start = rico_newmark_start,
         .laws = true,
         .advance = rico_newmark_advance,
         .memory = 1,
         .memory_at = 2,
         .equations = &rico_newmark_equations,
         .book = rico_newmark_book},
};
const int rico_newmark_scheme_count = sizeof rico_newmark_schemes / sizeof *rico_newmark_schemes;
