// The nonsmooth generalized-alpha scheme with constraints in the table of schemes: options, levels, memory.

#include "step/alpha.h"
#include "step/registry.h"

#include <string.h>

// In the order of the choices of the option.
const rico_alpha_levels rico_alpha_level_table[] = {
    {.name = "PVA", .stages = 3, .row = RICO_ROW_ACCELERATION, .contacts = true},
    {.name = "PVV", .stages = 3, .row = RICO_ROW_SMOOTH, .contacts = true},
    {.name = "PV", .stages = 2, .row = RICO_ROW_VELOCITY},
    {.name = "PV-ggl", .stages = 2, .row = RICO_ROW_VELOCITY, .old = true},
    {.name = "P", .stages = 1, .row = RICO_ROW_POSITION},
    {.name = "V", .stages = 1, .row = RICO_ROW_VELOCITY},
    {.name = "A", .stages = 1, .row = RICO_ROW_ACCELERATION},
    {.name = "A-projected", .stages = 1, .row = RICO_ROW_ACCELERATION, .project = true},
    {.name = "baumgarte", .stages = 1, .row = RICO_ROW_BAUMGARTE},
};

static const char *const LEVELS[] = {"PVA", "PVV", "PV",          "PV-ggl",    "P",
                                     "V",   "A",   "A-projected", "baumgarte", NULL};
static const char *const STRATEGIES[] = {"1", "2", "3", "3s", NULL};
static const char *const NEWTONS[] = {"decoupled", "full", NULL};
static const char *const STARTS[] = {"same", "shifted", "zero", NULL};

// What an option holds that was not given: no value that the scheme could use.
static const double NO_ALPHA = 1.0, NO_WEIGHT = 0.0;

static const rico_option_info OPTIONS[] = {
    [RICO_ALPHA_LEVELS] = {.name = "levels",
                           .help = "levels at which constraints hold: positions, velocities, accelerations; "
                                   "those of the smooth motion last",
                           .type = RICO_CHOICE,
                           .choices = LEVELS},
    [RICO_ALPHA_STRATEGY] = {.name = "strategy",
                             .help = "of PVA, what the smooth motion obeys: 1 nothing, 2 joints, 3 contacts "
                                     "that stay closed too, 3s not while they leave",
                             .type = RICO_CHOICE,
                             .choices = STRATEGIES,
                             .standard = RICO_STRATEGY_3S},
    [RICO_ALPHA_NEWTON] = {.name = "newton",
                           .help = "motion, positions and velocities of an iteration one after the other, or "
                                   "at once",
                           .type = RICO_CHOICE,
                           .choices = NEWTONS},
    [RICO_ALPHA_RHO] = {.name = "rho-inf",
                        .help = "spectral radius at infinity: 1 conserves, 0 annihilates high frequencies in "
                                "one step",
                        .type = RICO_REAL,
                        .low = 0.0,
                        .high = 1.0,
                        .standard = 0.8},
    [RICO_ALPHA_M] = {.name = "alpha-m",
                      .help = "weight of the acceleration at the start of the step; 1: from rho-inf",
                      .type = RICO_REAL,
                      .low = -2.0,
                      .high = 1.0,
                      .standard = 1.0},
    [RICO_ALPHA_F] = {.name = "alpha-f",
                      .help = "weight of the forces at the start of the step; 1: from rho-inf",
                      .type = RICO_REAL,
                      .low = -2.0,
                      .high = 1.0,
                      .standard = 1.0},
    [RICO_ALPHA_BETA] = {.name = "beta",
                         .help = "as in newmark; 0: from rho-inf",
                         .type = RICO_REAL,
                         .low = 0.0,
                         .high = 2.0,
                         .standard = 0.0},
    [RICO_ALPHA_GAMMA] = {.name = "gamma",
                          .help = "as in newmark; 0: from rho-inf",
                          .type = RICO_REAL,
                          .low = 0.0,
                          .high = 2.0,
                          .standard = 0.0},
    [RICO_ALPHA_START] = {.name = "start",
                          .help =
                              "the first acceleration of the recursion: that of the start, or at the time "
                              "for which it stands; zero disturbs the start on purpose",
                          .type = RICO_CHOICE,
                          .choices = STARTS},
    [RICO_ALPHA_RESTART] = {.name = "restart",
                            .help =
                                "begin accelerations anew after a step in which a contact closes or opens",
                            .type = RICO_FLAG},
    [RICO_ALPHA_WARM] = {.name = "warm",
                         .help = "start Newton's loop from the corrections of the step before",
                         .type = RICO_FLAG},
    [RICO_ALPHA_FORCE_TOL] = {.name = "force-tol",
                              .help =
                                  "force that the equation of motion may leave, where newton-tol asks for "
                                  "less",
                              .type = RICO_REAL,
                              .low = 0.0,
                              .high = 1e300,
                              .standard = 0.0},
    [RICO_ALPHA_SET_SCALE] = {.name = "set-scale",
                              .help =
                                  "weight of gaps against multipliers in the choice of contacts that act, "
                                  "over their mass",
                              .type = RICO_REAL,
                              .low = 1e-6,
                              .high = 1e6,
                              .standard = 1.0},
    [RICO_ALPHA_LEAVING] = {.name = "leaving",
                            .help = "of strategy 3s: normal velocity beyond which a contact leaves",
                            .type = RICO_REAL,
                            .low = 0.0,
                            .high = 1e300,
                            .standard = 1e-3},
    [RICO_ALPHA_DAMPING] = {.name = "baumgarte-alpha",
                            .help = "of baumgarte: half the weight of velocities, 1/s",
                            .type = RICO_REAL,
                            .low = 0.0,
                            .high = 1e300,
                            .standard = 50.0},
    [RICO_ALPHA_STIFFNESS] = {.name = "baumgarte-beta",
                              .help = "of baumgarte: root of the weight of positions, 1/s",
                              .type = RICO_REAL,
                              .low = 0.0,
                              .high = 1e300,
                              .standard = 50.0},
};


rico_newmark rico_alpha_parameters(const rico_simulation *sim)
{
    rico_newmark is = {0};
    double rho = rico_scheme_option(sim, RICO_ALPHA_RHO);
    if (rico_scheme_option(sim, RICO_ALPHA_M) != NO_ALPHA) {
        is.alpha_m = rico_scheme_option(sim, RICO_ALPHA_M);
        is.alpha_f = rico_scheme_option(sim, RICO_ALPHA_F);
        is.beta = rico_scheme_option(sim, RICO_ALPHA_BETA);
        is.gamma = rico_scheme_option(sim, RICO_ALPHA_GAMMA);
    } else { // Chung and Hulbert's for rho-inf (eq. 61)
        is.alpha_m = (2.0 * rho - 1.0) / (rho + 1.0);
        is.alpha_f = rho / (rho + 1.0);
        is.gamma = 0.5 + is.alpha_f - is.alpha_m;
        is.beta = 0.25 * (is.gamma + 0.5) * (is.gamma + 0.5);
    }
    is.kappa = is.beta - 0.5 * is.gamma;
    return is;
}


// --- memory --------------------------------------------------------------------------------------------------------

rico_alpha_state rico_alpha_own(const rico_simulation *sim, const rico_state *state)
{
    double *v = state->extra + 1, *row = state->row_own;
    int64_t n = sim->nv, rows = sim->rows;
    return (rico_alpha_state){.h = state->extra,
                              .vd = v,
                              .a = v + n,
                              .U = v + 2 * n,
                              .W = v + 3 * n,
                              .by_forces = v + 4 * n,
                              .by_rows = v + 5 * n,
                              .phi = v + 6 * n,
                              .psi = v + 7 * n,
                              .lam = row,
                              .eta = row + rows,
                              .nu = row + 2 * rows,
                              .Lam = row + 3 * rows,
                              .level = row + 4 * rows,
                              .sets = state->constraint_own};
}


static int64_t extra_size(const rico_simulation *sim)
{
    return 1 + RICO_ALPHA_VECTORS * sim->nv;
}


// What has an entry for each velocity, and for each row.
static int by_velocity(rico_alpha *own, double **all[])
{
    double **list[] = {&own->x[0], &own->x[1], &own->x[2], &own->R[0],  &own->R[1],  &own->R[2],
                       &own->a,    &own->a_n,  &own->v,    &own->phi_n, &own->step,  &own->f,
                       &own->work, &own->phi,  &own->psi,  &own->vd_n,  &own->psi_n, &own->rows_n};
    memcpy(all, list, sizeof list);
    return (int)(sizeof list / sizeof *list);
}


static int by_row(rico_alpha *own, double **all[])
{
    double **list[] = {&own->m[0],  &own->m[1], &own->m[2],      &own->C[0], &own->C[1],
                       &own->C[2],  &own->eta,  &own->eta_n,     &own->g,    &own->u,
                       &own->gamma, &own->r,    &own->direction, &own->lean, &own->lam_n};
    memcpy(all, list, sizeof list);
    return (int)(sizeof list / sizeof *list);
}
enum { MOST_VECTORS = 24 };


rico_status rico_alpha_resize(rico_simulation *sim)
{
    rico_alpha *own = sim->own;
    rico_context *ctx = sim->ctx;
    double **all[MOST_VECTORS];
    int64_t rows = sim->rows, entries = rico_csc_count(&sim->assembly->H), most = 1;
    for (int64_t c = 0; c < sim->constraints; c++)
        if (rico_step_constraint(sim, c)->dof_count > most) most = rico_step_constraint(sim, c)->dof_count;
    int count = by_row(own, all);
    bool whole = rico_renew(ctx, &own->turned, 4 * entries, sizeof(double)) &&
                 rico_renew(ctx, &own->old, entries, sizeof(double)) &&
                 rico_renew(ctx, &own->gather, 2 * most, sizeof(double)) &&
                 rico_renew(ctx, &own->L, most * most, sizeof(double)) &&
                 rico_renew(ctx, &own->right, sim->nv + rows, sizeof(double));
    for (int i = 0; whole && i < count; i++) whole = rico_renew(ctx, all[i], rows, sizeof(double));
    for (int s = 0; whole && s < RICO_ALPHA_STAGES; s++) whole = rico_renew(ctx, &own->mode[s], rows, 1);
    if (!whole) return RICO_NO_MEMORY;
    own->Dv = own->turned;
    own->Ds = own->Dv + entries;
    own->Da = own->Ds + entries;
    own->Cv = own->Da + entries;
    rico_status status = rico_turning_reserve(sim->assembly, &own->turning);
    return status == RICO_OK ? rico_alpha_matrix_resize(sim) : status;
}


static rico_status create(rico_simulation *sim)
{
    rico_alpha *own = sim->own = rico_alloc(sim->ctx, 1, sizeof *own);
    if (!own) return RICO_NO_MEMORY;
    double **all[MOST_VECTORS];
    int count = by_velocity(own, all);
    own->levels = rico_alpha_level_table;
    own->q = rico_alloc(sim->ctx, sim->nq, sizeof(double));
    bool whole = own->q != NULL;
    for (int i = 0; i < count; i++)
        whole &= (*all[i] = rico_alloc(sim->ctx, sim->nv, sizeof(double))) != NULL;
    rico_status status = whole ? rico_turning_create(sim->assembly, &own->turning) : RICO_NO_MEMORY;
    return status == RICO_OK ? rico_alpha_resize(sim) : status;
}


static void destroy(rico_simulation *sim)
{
    rico_alpha *own = sim->own;
    if (!own) return;
    double **all[MOST_VECTORS];
    int count = by_velocity(own, all);
    for (int i = 0; i < count; i++) rico_free(sim->ctx, *all[i]);
    count = by_row(own, all);
    for (int i = 0; i < count; i++) rico_free(sim->ctx, *all[i]);
    for (int s = 0; s < RICO_ALPHA_STAGES; s++) rico_free(sim->ctx, own->mode[s]);
    double *rest[] = {own->q, own->turned, own->old, own->gather, own->L, own->right};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) rico_free(sim->ctx, rest[i]);
    rico_alpha_matrix_destroy(sim);
    rico_turning_destroy(&own->turning);
    rico_free(sim->ctx, own);
}


// --- checks --------------------------------------------------------------------------------------------------------

static rico_status check(rico_simulation *sim)
{
    const char *name = sim->scheme->info.name;
    const rico_alpha_levels *levels =
        &rico_alpha_level_table[(int)rico_scheme_option(sim, RICO_ALPHA_LEVELS)];
    int given = (rico_scheme_option(sim, RICO_ALPHA_M) != NO_ALPHA) +
                (rico_scheme_option(sim, RICO_ALPHA_F) != NO_ALPHA) +
                (rico_scheme_option(sim, RICO_ALPHA_BETA) != NO_WEIGHT) +
                (rico_scheme_option(sim, RICO_ALPHA_GAMMA) != NO_WEIGHT);
    if (given != 0 && given != 4)
        return rico_fail(sim->ctx, RICO_BAD_ARGUMENT,
                         "%s takes rho-inf, or all four of alpha-m, alpha-f, beta and gamma: got %d of them",
                         name, given);
    bool contacts = sim->system->source_count > 0;
    for (int64_t c = 0; c < sim->system->constraint_count; c++)
        contacts |= !sim->system->constraint[c]->joint;
    if (contacts && !levels->contacts)
        return rico_fail(sim->ctx, RICO_UNSUPPORTED,
                         "%s with levels %s takes joints alone, and there are contacts: choose PVA or PVV",
                         name, levels->name);
    rico_newmark is = rico_alpha_parameters(sim);
    if (2.0 * is.beta < is.gamma - 1e-14 || is.gamma < 0.5 - 1e-14)
        rico_log(sim->ctx, RICO_LOG_WARNING,
                 "%s: beta = %g, gamma = %g are outside 2 beta >= gamma >= 1/2: the scheme may create energy",
                 name, is.beta, is.gamma);
    if (is.beta == 0.0 || is.gamma == 0.0)
        return rico_fail(sim->ctx, RICO_BAD_ARGUMENT, "%s needs beta and gamma above 0", name);
    if (rico_step_max_restitution(sim) > 1.0)
        rico_log(sim->ctx, RICO_LOG_WARNING, "%s: a restitution of %g exceeds 1: impacts create energy", name,
                 rico_step_max_restitution(sim));
    return RICO_OK;
}


const rico_scheme rico_alpha_schemes[] = {
    {.info = {.name = "generalized-alpha-constrained",
              .summary = "generalized-alpha with joints and contacts at positions, velocities and "
                         "accelerations at once: no drift",
              .reference =
                  "Bruls, Acary and Cardona 2018, eq. 65; docs/theory/generalized-alpha-constraints.md",
              .identity = "dH = d'(F - C v)_gamma + u_half'P - (U - h W/2)'M a_gamma "
                          "- (h^2/2)(gamma-1/2)(2 beta-gamma)|da|_M^2 + what weighting and turning rows add",
              .numerical = {"-(h^2/2)(gamma-1/2)(2 beta-gamma)|da|_M^2",
                            "d'(M phi - f)_gamma + dV + d'grad V", "d'M psi_gamma + v_half'M W - u_half'P",
                            "d(h^2)/4 (2 beta-gamma)|a|_M^2 + v'dM v/2"},
              .option_count = RICO_ALPHA_OPTIONS,
              .options = OPTIONS,
              .levels = true,
              .rates = true,
              .order = 2},
     .common = 1u << RICO_STEP_LAW | 1u << RICO_STEP_TOL | 1u << RICO_STEP_NEWTON_TOL |
               1u << RICO_STEP_NEWTON_MAX | 1u << RICO_STEP_LEDGER,
     .row_own = RICO_ALPHA_ROW_VECTORS,
     .constraint_own = 1,
     .force = 1,
     .velocity_rate = 1 + 1,
     .acceleration = RICO_ALPHA_ROW_VECTORS,
     .memory = -1, // shares of accelerations, and multipliers of rows that come and go
     .extra_size = extra_size,
     .create = create,
     .resize = rico_alpha_resize,
     .destroy = destroy,
     .check = check,
     .start = rico_alpha_start,
     .advance = rico_alpha_advance,
     .book = rico_alpha_book},
};
const int rico_alpha_scheme_count = sizeof rico_alpha_schemes / sizeof *rico_alpha_schemes;
