// What the theta-methods share: residual, end of Newton's loop, books.

#include "step/theta_step.h"

#include "la/dense.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const SOLVES[] = {"decoupled", "coupled", NULL};
static const char *const METRICS[] = {"identity", "mass", NULL};
static const char *const ENERGIES[] = {"kept", "left", NULL};

// The options with a metric for who does not choose one.
#define OPTIONS(own_metric)                                                                                  \
    [RICO_THETA] = {.name = "theta",                                                                         \
                    .help = "weight of the end of the step; 1/2 conserves, 1 damps",                         \
                    .type = RICO_REAL,                                                                       \
                    .low = 0.0,                                                                              \
                    .high = 1.0,                                                                             \
                    .standard = 0.5},                                                                        \
    [RICO_THETA_SOLVE] = {.name = "solve",                                                                   \
                          .help = "velocities and positions of an iteration one after the other, or "        \
                                  "at once",                                                                 \
                          .type = RICO_CHOICE,                                                               \
                          .choices = SOLVES},                                                                \
    [RICO_THETA_METRIC] = {.name = "metric",                                                                 \
                           .help = "in which positions are nearest to the constraints: N = I, or "           \
                                   "N = M^-1",                                                               \
                           .type = RICO_CHOICE,                                                              \
                           .choices = METRICS,                                                               \
                           .standard = (own_metric)},                                                        \
    [RICO_THETA_VIOLATION] = {.name = "violation-tol",                                                       \
                              .help = "penetration that a step may leave, over the size of the gap's "       \
                                      "terms",                                                               \
                              .type = RICO_REAL,                                                             \
                              .low = 0.0,                                                                    \
                              .high = 1.0,                                                                   \
                              .standard = 1e-10},

const rico_option_info rico_theta_options[] = {OPTIONS(0)};
// the scheme that nobody chose: in the metric that does not depend on units
const rico_option_info rico_midpoint_options[] = {OPTIONS(1)};
const rico_option_info rico_jointed_options[] = {
    OPTIONS(1)[RICO_THETA_OPTIONS] = {
        .name = "energy",
        .help = "whether what joints gain or lose in a step is given back to their mechanism (theta = 1/2)",
        .type = RICO_CHOICE,
        .choices = ENERGIES}};


rico_status rico_theta_check(rico_simulation *sim, double weight)
{
    double theta = rico_scheme_option(sim, RICO_THETA), e = rico_step_max_restitution(sim);
    if (rico_step_law(sim)->omega(weight) == 0.0)
        return rico_fail(sim->ctx, RICO_BAD_ARGUMENT, "Fremond's law needs theta > 0, got 0");
    bool variant = weight != theta;
    double high = variant ? 1.0 : 1.0 / (1.0 + e);
    if (theta < 0.5 || theta > high + 1e-15)
        rico_log(sim->ctx, RICO_LOG_WARNING,
                 "%s: theta = %g is outside [1/2, %g]%s: the scheme may create energy",
                 sim->scheme->info.name, theta, high, variant ? "" : " = [1/2, 1/(1 + max e)]");
    return RICO_OK;
}


void rico_theta_blend(const rico_simulation *sim, double weight, const double *v, double *mean)
{
    const double *from = sim->now.v;
    for (int64_t i = 0; i < sim->nv; i++) mean[i] = (1.0 - weight) * from[i] + weight * v[i];
}


void rico_theta_displacement(const rico_simulation *sim, const rico_theta_step *step, const double *v,
                             double *d)
{
    rico_theta_blend(sim, step->weight, v, d);
    for (int64_t i = 0; i < sim->nv; i++) d[i] *= step->h;
    if (step->correction) rico_axpy(sim->nv, 1.0, step->correction, d);
}


// The velocity that forces see: v_theta, or that of the whole displacement.
static void force_velocity(const rico_simulation *sim, const rico_theta_step *step, const double *v,
                           double *mean)
{
    rico_theta_blend(sim, step->theta, v, mean);
    if (step->along && step->correction) rico_axpy(sim->nv, 1.0 / step->h, step->correction, mean);
}


rico_status rico_theta_residual(rico_simulation *sim, const rico_theta_step *step, const double *v,
                                double *right, double *mean, double *work)
{
    double theta = step->theta, t = *sim->now.t + theta * step->h;
    double *q = sim->vector.weighted;
    // nothing that depends on the state: the load is all
    if (sim->system->idle && sim->system->linear && v == sim->now.v && sim->assembly->tangents_done) {
        for (int64_t i = 0; i < sim->nv; i++) right[i] = step->h * step->load[i];
        if (step->impulse) rico_axpy(sim->nv, 1.0, step->impulse, right);
        return RICO_OK;
    }
    rico_theta_displacement(sim, step, v, mean);
    rico_status status = rico_assembly_retract(sim->assembly, t, sim->now.q, theta, mean, q);
    force_velocity(sim, step, v, mean);
    if (status == RICO_OK) status = rico_assembly_mass(sim->assembly, t, q);
    if (status == RICO_OK) status = rico_assembly_forces(sim->assembly, t, q, mean, right, NULL, NULL);
    if (status == RICO_OK) status = rico_assembly_tangents(sim->assembly, t, q, mean);
    if (status != RICO_OK) return status;
    for (int64_t i = 0; i < sim->nv; i++) right[i] = step->h * (right[i] + step->load[i]);
    if (step->impulse) rico_axpy(sim->nv, 1.0, step->impulse, right);
    if (v == sim->now.v) return RICO_OK;
    for (int64_t i = 0; i < sim->nv; i++) work[i] = v[i] - sim->now.v[i];
    rico_assembly_multiply(sim->assembly, sim->assembly->M, -1.0, work, right);
    return RICO_OK;
}


rico_status rico_theta_matrix(rico_simulation *sim, const rico_theta_step *step, bool *changed)
{
    double h = step->h, theta = step->theta;
    return rico_iteration_set(&sim->iteration, 1.0, h * theta, h * h * theta * step->weight, changed);
}


double rico_theta_floor(const rico_simulation *sim)
{
    return 16.0 * DBL_EPSILON *
           ((sim->share ? sim->span : rico_norm_inf(sim->nq, sim->now.q)) + sim->system->extent) / sim->h;
}


// What round-off in the terms K q of its force makes of velocity j; positions count with the largest of them, whose round-off comes
// along stiff ways. A column of K is as large as its row.
static double noise_of(const rico_simulation *sim, int64_t j, double span)
{
    const rico_csc *pattern = &sim->system->pattern;
    const double *M = sim->assembly->M, *K = sim->assembly->K;
    double h = sim->h, force = 0.0, own = 0.0;
    for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++) {
        force += fabs(K[k]) * span;
        if (pattern->row[k] == j) own = fabs(M[k]) + 0.25 * h * h * fabs(K[k]);
    }
    return own > 0.0 ? 64.0 * DBL_EPSILON * h * force / own : 0.0;
}


bool rico_theta_within_noise(const rico_simulation *sim, double enough, const double *change)
{
    double span = rico_norm_inf(sim->nq, sim->now.q), loose = 0.0, noisiest = 0.0;
    for (int64_t j = 0; j < sim->nv; j++) {
        double noise = noise_of(sim, j, span);
        noisiest = fmax(noisiest, noise);
        if (change[j] <= enough || change[j] <= noise) continue;
        if (noise > 0.0 || !(change[j] < INFINITY)) return false;
        loose = fmax(loose, change[j]);
    }
    return loose <= noisiest; // what has no stiffness of its own follows those that joints tie it to
}


bool rico_theta_settled(const rico_simulation *sim, const double *old, const double *new)
{
    double most[2] = {0.0, 0.0}, *change = sim->vector.change; // of changes, of velocities
    for (int64_t i = 0; i < sim->nv; i++) {
        change[i] = fabs(new[i] - old[i]);
        most[0] = fmax(most[0], change[i]);
        // what contacts and joints bring to rest would have moved without them
        most[1] = fmax(fmax(most[1], fabs(sim->posed[i])), fmax(fabs(new[i]), fabs(sim->now.v[i])));
    }
    rico_step_largest(sim, 2, most);
    double enough = fmax(rico_step_option(sim, RICO_STEP_NEWTON_TOL) * most[1], rico_theta_floor(sim));
    if (most[0] <= enough) return true;
    return sim->system->stiff && !sim->share && rico_theta_within_noise(sim, enough, change);
}


// "velocity 2 of part rod"
static void label(const rico_system *system, int64_t i, char *text, size_t size)
{
    const rico_part *part = NULL;
    for (int64_t k = 0; k < system->part_count && system->part[k]->place.v <= i; k++) part = system->part[k];
    snprintf(text, size, "velocity %lld of part %s", (long long)(part ? i - part->place.v : i),
             part ? part->name : "?");
}


// Whether the force on velocity i jumps where that velocity changes sign, as F = -c sign(v) does: between its two values no
// step of any length finds a third. force: on the two sides.
static bool jumps(rico_simulation *sim, int64_t i, const double *old, const double *new, double force[2])
{
    double *applied = sim->vector.applied, *v = sim->vector.change, wide[2];
    double all = fabs(new[i] - old[i]), little = 1e-6 * all;
    if (old[i] * new[i] > 0.0) return false;
    memcpy(v, new, (size_t)sim->nv * sizeof *v);
    for (int k = 0; k < 4; k++) {
        v[i] = (k % 2 ? 1.0 : -1.0) * (k < 2 ? little : all);
        if (rico_assembly_forces(sim->assembly, *sim->next.t, sim->now.q, v, applied, NULL, NULL) != RICO_OK)
            return false;
        *(k < 2 ? &force[k] : &wide[k - 2]) = applied[i];
    }
    double jump = fabs(force[1] - force[0]);
    return jump > 0.5 * fabs(wide[1] - wide[0]) && jump > 1e-6 * (fabs(force[0]) + fabs(force[1]));
}


rico_status rico_theta_unsettled(rico_simulation *sim, int iterations, const double *old, const double *new,
                                 const char *advice)
{
    int64_t worst = 0;
    double force[2];
    for (int64_t i = 1; i < sim->nv; i++)
        if (fabs(new[i] - old[i]) > fabs(new[worst] - old[worst])) worst = i;
    char who[160];
    label(sim->system, worst, who, sizeof who);
    if (jumps(sim, worst, old, new, force))
        return rico_fail(
            sim->ctx, RICO_SINGULAR,
            "Newton's loop did not settle in %d iterations: the force on %s jumps from %.4g to %.4g "
            "as its velocity changes sign, and no step is short enough for that; dry friction is a "
            "contact with 'friction', not a force",
            iterations, who, force[0], force[1]);
    return rico_fail(
        sim->ctx, RICO_SINGULAR,
        "Newton's loop did not settle in %d iterations (%s is %.17g in one, %.17g in the next); %s",
        iterations, who, old[worst], new[worst], advice);
}


// dE = d'F_theta - h v_mean'C v_theta + (1/2 - theta)(|dv|_M^2 + |d|_K^2) + v_mean'H p + correction'(K q_theta - F_theta)
// (Acary 2016, eq. 33, with d = h v_mean + correction for dq). Loads work along the displacement that happens; what the
// correction does against them and against the springs stands on its own. In the variant, weight differs from theta
// and the term in dv vanishes (eq. 91).
rico_status rico_theta_book(rico_simulation *sim, const rico_theta_step *step)
{
    const rico_system *system = sim->system;
    rico_ledger *ledger = &sim->ledger;
    const double *correction = step->correction;
    int64_t n = sim->nv;
    double h = step->h, theta = step->theta, t = *sim->now.t + theta * h;
    double *mean = sim->vector.mean, *applied = sim->vector.applied, *damping = sim->vector.damping,
           *spring = sim->vector.spring, *moved = sim->vector.displacement, *q = sim->vector.weighted;
    memset(ledger, 0, sizeof *ledger);

    ledger->external = rico_step_dot(sim, moved, step->load);
    if (correction) ledger->projection = -rico_dot(n, correction, step->load);
    if (system->linear && system->symmetric && !correction) {
        // nothing but C v: its product alone, for a large mesh is mostly matrices
        rico_theta_blend(sim, theta, sim->next.v, mean);
        memset(damping, 0, (size_t)n * sizeof *damping);
        if (system->damped) rico_assembly_multiply(sim->assembly, sim->assembly->C, -1.0, mean, damping);
        ledger->damping = system->damped ? rico_dot(n, moved, damping) : 0.0;
    } else if (system->damped || !system->linear || (correction && system->stiff)) {
        rico_status status = rico_assembly_retract(sim->assembly, t, sim->now.q, theta, moved, q);
        force_velocity(sim, step, sim->next.v, mean);
        if (status == RICO_OK)
            status = rico_assembly_forces(sim->assembly, t, q, mean, applied, damping, spring);
        if (status != RICO_OK) return status;
        ledger->external += rico_step_dot(sim, moved, applied);
        ledger->damping = rico_step_dot(sim, moved, damping);
        if (correction) {
            *(step->along ? &ledger->projection : &ledger->damping) -= rico_dot(n, correction, damping);
            ledger->projection -= rico_dot(n, correction, applied) + rico_dot(n, correction, spring);
        }
    }
    if (theta != 0.5) {
        double *dv = applied;
        for (int64_t i = 0; i < n; i++) dv[i] = sim->next.v[i] - sim->now.v[i];
        if (step->weight == theta)
            ledger->numerical[0] = (0.5 - theta) * rico_step_square(sim, sim->assembly->M, dv);
        if (system->stiff)
            ledger->numerical[1] = (0.5 - theta) * rico_step_square(sim, sim->assembly->K, moved);
    }
    if (step->along && correction) {
        // what impulses do along the correction is theirs, and no more the correction's
        rico_csc_times(&sim->assembly->H, 1.0, sim->next.p, 0.0, applied);
        ledger->projection -= rico_dot(n, correction, applied) / h;
        for (int64_t i = 0; i < n; i++) moved[i] /= h;
    } else {
        rico_theta_blend(sim, step->weight, sim->next.v, moved);
    }
    rico_step_contact_works(sim, step->weight, moved);
    return RICO_OK;
}
