// Quasi-static motion: equilibrium with contact and friction at the end of every step, inertia left out.
//
//     0 = h [ load(t_{k+1}) + F(t_{k+1}, q_{k+1}, w) ] + H p,      q_{k+1} = q_k + h w
//     0 <= g(t_{k+1}, q_{k+1}), p_N >= 0, orthogonal;      |p_T| <= mu p_N against the slip h (H_T'w + rate) of the step
//
// Time is what loads and motions are functions of, nothing else: with steady friction and no dashpots the states do not depend on
// how fast it passes, only on the path and on where its steps end. A step is one of Newton's loops in w with the matrix h C + h^2 K,
// a single iteration where everything is linear. Where K is singular (a body that only joints or contacts hold) a share of the mass stands in
// the matrix, which changes the way to the solution and not the solution: the loop ends at w = w + A^-1 (right side + H p) alone. A large
// share makes the way long, a small one loses digits to the rigid motion that joints and contacts take back; the state keeps the one that served.
//
// Motions prescribed to coordinates hold bodies as supports do: their diagonal entries get a stiffness D of their own, whose force D (x - x(t)) vanishes
// where the motion is what it is told to be.
//
// The equation times h w is the balance: dV = dq'(load + F - C w) + w'H p - [V_k - V_{k+1} + dq'grad V_{k+1}]; for a quadratic V the
// last term is |dq|_K^2/2, what backward Euler takes. Velocities are reported as 0: kinetic energy has no place in it.

#include "la/dense.h"
#include "step/registry.h"
#include "step/theta_step.h"

#include <math.h>
#include <string.h>

enum { SHARE, SLIP };

// Mass over the stiffest stiffness where it is needed: to begin with, and what may become of it.
static const double STAND_IN = 1e-6, LEAST = 1e-12, MOST = 1e-1;
static const double SINGULAR =
    1e-12; // reciprocal condition below which a stiffness holds a body by round-off alone
// iterations after which a share is too large, shares that a step may try, how often contacts may be looked for
enum { PATIENCE = 12, TRIES = 8, LOOKS = 5 };

static const char *const SLIPS[] = {"coulomb", "never", NULL};

static const rico_option_info OPTIONS[] = {
    [SHARE] = {.name = "mass",
               .help =
                   "share of the mass in the iteration matrix, over the stiffest stiffness; 0: none unless "
                   "stiffness alone is singular",
               .type = RICO_REAL,
               .low = 0.0,
               .high = 1.0,
               .standard = 0.0},
    [SLIP] = {.name = "slip",
              .help = "contacts with friction slip by Coulomb's law, or never while they press",
              .type = RICO_CHOICE,
              .choices = SLIPS},
};

// The state keeps the share of mass that its last step needed, 0: none.
static int64_t extra_size(const rico_simulation *sim)
{
    (void)sim;
    return 1;
}


static rico_status check(rico_simulation *sim)
{
    sim->contacts.joint_offset = true;
    sim->contacts.rough = rico_scheme_option(sim, SLIP) != 0.0;
    return RICO_OK;
}


static rico_status start(rico_simulation *sim)
{
    for (int64_t i = 0; i < sim->nv; i++)
        if (sim->now.v[i] != 0.0)
            return rico_fail(sim->ctx, RICO_BAD_INPUT,
                             "quasi-static motion starts from rest: velocity %lld is %g, expected 0",
                             (long long)i, sim->now.v[i]);
    sim->now.extra[0] = rico_scheme_option(sim, SHARE);
    return RICO_OK;
}


// The weight of M in the iteration matrix: a share of h^2 times the largest K_ii / M_ii; 1 where there is no stiffness.
static double weight_of_mass(const rico_simulation *sim, double h, double share)
{
    const rico_csc *pattern = &sim->system->pattern;
    const double *M = sim->assembly->M, *K = sim->assembly->K;
    double stiffest = 0.0;
    if (share == 0.0) return 0.0;
    for (int64_t j = 0; j < pattern->cols; j++)
        for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++)
            if (pattern->row[k] == j && M[k] > 0.0) stiffest = fmax(stiffest, fabs(K[k]) / M[k]);
    return stiffest > 0.0 ? share * h * h * stiffest : 1.0;
}


static double condition_of(const rico_iteration *iteration)
{
    return rico_factor_statistics(iteration->use_lu ? iteration->lu : iteration->factor).reciprocal_condition;
}


// The one velocity that a prescribed motion fixes; -1: a joint of another kind.
static int64_t prescribed(const rico_simulation *sim, const rico_constraint *joint)
{
    const rico_csc *H = &sim->assembly->H;
    if (!joint->joint || joint->box.acts || joint->size != 1) return -1;
    int64_t at = H->start[joint->row];
    return H->start[joint->row + 1] == at + 1 && H->value[at] != 0.0 ? H->row[at] : -1;
}


// Stiffness for what motions hold: as much as the body's own there. Nothing where there are no such motions.
static rico_status stiffen(rico_simulation *sim, double h)
{
    const rico_csc *pattern = &sim->system->pattern;
    const double *K = sim->assembly->K;
    for (int64_t k = 0; k < sim->system->constraint_count; k++) {
        int64_t j = prescribed(sim, rico_step_constraint(sim, k));
        if (j < 0) continue;
        if (!sim->iteration.extra)
            sim->iteration.extra = rico_alloc(sim->ctx, sim->nv, sizeof *sim->iteration.extra);
        if (!sim->iteration.extra) return RICO_NO_MEMORY;
        for (int64_t i = pattern->start[j]; i < pattern->start[j + 1]; i++)
            if (pattern->row[i] == j) sim->iteration.extra[j] = h * h * fabs(K[i]);
    }
    return RICO_OK;
}


// The right side of that: D (x' - w) with x' the velocity that the motion asks for, for which u + c = 0.
static void draw_to_motions(const rico_simulation *sim, const double *w, double *right)
{
    const rico_csc *H = &sim->assembly->H;
    for (int64_t k = 0; sim->iteration.extra && k < sim->system->constraint_count; k++) {
        const rico_constraint *joint = rico_step_constraint(sim, k);
        int64_t j = prescribed(sim, joint), row = joint->row;
        if (j < 0) continue;
        double asked = -(sim->offset[row] + sim->assembly->w[row]) / H->value[H->start[row]];
        right[j] += sim->iteration.extra[j] * (asked - w[j]);
    }
}


// The iteration matrix. *share: 0 becomes the stand-in where the stiffness holds by round-off alone.
static rico_status matrix(rico_simulation *sim, double h, double *share, bool *changed)
{
    rico_iteration *iteration = &sim->iteration;
    rico_status status = rico_iteration_set(iteration, weight_of_mass(sim, h, *share), h, h * h, changed);
    if (*share > 0.0 || (status != RICO_OK && status != RICO_SINGULAR)) return status;
    if (status == RICO_OK && (!*changed || condition_of(iteration) > SINGULAR)) return status;
    *share = STAND_IN;
    return rico_iteration_set(iteration, weight_of_mass(sim, h, *share), h, h * h, changed);
}


// right = h (load + F) at w; q_{k+1} into vector.ahead, M, C and K evaluated there on the way.
static rico_status residual(rico_simulation *sim, double h, const double *w, double *right)
{
    double t = *sim->now.t + h, *q = sim->vector.ahead;
    rico_status status = rico_assembly_retract(sim->assembly, t, sim->now.q, h, w, q);
    if (status == RICO_OK) status = rico_assembly_mass(sim->assembly, t, q);
    if (status == RICO_OK) status = rico_assembly_forces(sim->assembly, t, q, w, right, NULL, NULL);
    if (status == RICO_OK) status = rico_assembly_tangents(sim->assembly, t, q, w);
    for (int64_t i = 0; status == RICO_OK && i < sim->nv; i++)
        right[i] = h * (right[i] + sim->vector.load[i]);
    return status;
}


// Frames at the iterate on request, and the offsets of the law on u = H'w + rate: gap and values of joints at the end of the step,
// linearized at the iterate; slip as it is.
static rico_status pose(rico_simulation *sim, double h, const double *w, bool late)
{
    double t = *sim->now.t + h, *c = sim->offset;
    const double *q = late ? sim->vector.ahead : sim->now.q;
    rico_status status = rico_assembly_frames(sim->assembly, t, q);
    if (status == RICO_OK) status = rico_assembly_rates(sim->assembly, *sim->now.t + 0.5 * h, q);
    if (status == RICO_OK) status = rico_assembly_gaps(sim->assembly, t, sim->vector.ahead, c);
    if (status != RICO_OK) return status;
    rico_step_local_velocity(sim, w, sim->u_after);
    for (int64_t k = 0; k < sim->constraints; k++) {
        const rico_constraint *constraint = rico_step_constraint(sim, k);
        for (int64_t i = 0; i < constraint->size; i++) {
            int64_t row = constraint->row + i;
            c[row] = i == 0 || constraint->joint ? c[row] / h - sim->u_after[row] : 0.0;
        }
    }
    return RICO_OK;
}


// Contacts that pressed at the end of the last step, and those that are closed now, are the first to act.
static rico_status guess_active(rico_simulation *sim)
{
    rico_status status = rico_assembly_gaps(sim->assembly, *sim->now.t, sim->now.q, sim->gap);
    if (status != RICO_OK) return status;
    sim->gap_current = false;
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        int64_t row = constraint->row;
        sim->active[c] = constraint->joint || sim->now.p[row] > 0.0 || sim->gap[row] <= 0.0;
    }
    return RICO_OK;
}


// Newton's loop with a given share of mass. *slow: it was given up, because the share is too large.
static rico_status loop(rico_simulation *sim, double h, double *share, bool *slow)
{
    const rico_system *system = sim->system;
    double *right = sim->vector.right, *at = sim->vector.iterate, *work = sim->vector.change,
           *w = sim->vector.after;
    bool moving = !system->constant_frames;
    bool late = rico_step_option(sim, RICO_STEP_FRAMES) != 0.0 && moving;
    int most = (int)rico_step_option(sim, RICO_STEP_NEWTON_MAX), n = 0;
    size_t bytes = (size_t)sim->nv * sizeof *w;
    rico_status status = guess_active(sim);
    *slow = false;
    memset(w, 0, bytes);
    for (bool done = false; status == RICO_OK && !done;) {
        bool changed;
        memcpy(at, w, bytes);
        status = residual(sim, h, at, right);
        if (status == RICO_OK) status = pose(sim, h, at, late);
        if (status == RICO_OK) status = stiffen(sim, h);
        if (status == RICO_OK) status = matrix(sim, h, share, &changed);
        if (status == RICO_OK) draw_to_motions(sim, at, right);
        if (status == RICO_OK) status = rico_iteration_solve(&sim->iteration, 1, right, w);
        if (status != RICO_OK) return status;
        rico_axpy(sim->nv, 1.0, at, w);
        bool once = system->linear && !moving && *share == 0.0;
        bool same = !once && rico_step_same_problem(sim, n == 0, w, sim->offset);
        status = rico_contacts_solve_all(&sim->contacts, &sim->iteration, changed || moving, 1.0, sim->offset,
                                         w, sim->next.p, sim->next.scale, sim->active, work);
        n++;
        done = once || (n > 1 && (same || rico_theta_settled(sim, at, w)));
        *slow = !done && *share > 0.0 && n >= PATIENCE;
        if (*slow) return status;
        if (status == RICO_OK && !done && n >= most)
            return rico_theta_unsettled(sim, n, at, w, "there may be no equilibrium; take a smaller step");
    }
    sim->stats.newton_last = n;
    sim->stats.newton_iterations += n;
    return status;
}


// The share of mass that a step settles with: a smaller one where the way is long, a larger one where impulses are lost in it.
static rico_status settle(rico_simulation *sim, double h, double *share)
{
    double low = LEAST, high = MOST;
    bool slow = false, given = rico_scheme_option(sim, SHARE) > 0.0;
    rico_status status = RICO_OK;
    for (int n = 0; status == RICO_OK && n < TRIES; n++) {
        status = loop(sim, h, share, &slow);
        bool lost = status == RICO_SINGULAR && *share > 0.0;
        if (given || (status != RICO_OK && !lost) || (!slow && !lost)) break;
        if (slow) high = fmin(high, *share);
        if (lost) low = fmax(low, *share);
        *share = slow ? fmax(*share / 30.0, sqrt(*share * low)) : fmin(*share * 30.0, sqrt(*share * high));
        if (n + 1 < TRIES && high > 2.0 * low) status = RICO_OK;
    }
    if (status == RICO_OK && slow)
        return rico_fail(sim->ctx, RICO_SINGULAR,
                         "no equilibrium was found: the motion of the step grows without end, or by more "
                         "than the share of mass %.3g lets it settle; hold the body, or set 'mass'",
                         *share);
    return status;
}


// Contacts were looked for around bodies at rest. Where the step has brought others together, they are looked for once more as far as it went, and
// *again says that it has to be done anew.
static rico_status look_again(rico_simulation *sim, double h, bool *again)
{
    const double *w = sim->vector.after;
    double t = *sim->now.t + h, *q = sim->vector.ahead;
    size_t bytes = (size_t)sim->nv * sizeof *w;
    int64_t unseen = 0;
    *again = false;
    rico_status status = rico_assembly_retract(sim->assembly, t, sim->now.q, h, w, q);
    double size = rico_norm_inf(sim->nq, q) + sim->system->extent;
    if (status == RICO_OK)
        status = rico_assembly_unseen(sim->assembly, t, q, sim->now.v, -1e-10 * size, &unseen);
    if (status != RICO_OK || unseen == 0) return status;
    double end = *sim->next.t, late = *sim->next.late, scale = *sim->next.scale;
    memcpy(sim->now.v, w, bytes);
    status = rico_step_collect(sim, h);
    memset(sim->now.v, 0, bytes);
    rico_state_level(sim);
    *sim->next.t = end;
    *sim->next.late = late;
    *sim->next.scale = scale;
    *again = true;
    return status;
}


static rico_status advance(rico_simulation *sim, double h)
{
    double share = sim->now.extra[0];
    bool again = true;
    sim->shifted = false;
    sim->contacts.h = h;
    rico_status status = rico_assembly_load(sim->assembly, *sim->now.t + h, sim->vector.load);
    for (int n = 0; status == RICO_OK && again; n++) {
        if (n == LOOKS)
            return rico_fail(sim->ctx, RICO_SINGULAR,
                             "bodies come together in the step that were too far apart at its start; take "
                             "smaller steps, or a larger margin of contact");
        status = settle(sim, h, &share);
        if (status == RICO_OK) status = look_again(sim, h, &again);
    }
    if (status != RICO_OK) return status;
    sim->next.extra[0] = share;
    memset(sim->u_before, 0, (size_t)sim->rows * sizeof *sim->u_before);
    rico_step_local_velocity(sim, sim->vector.after, sim->u_after);
    memset(sim->next.v, 0, (size_t)sim->nv * sizeof *sim->next.v);
    return rico_assembly_retract(sim->assembly, *sim->now.t + h, sim->now.q, h, sim->vector.after,
                                 sim->next.q);
}


static rico_status book(rico_simulation *sim, double h)
{
    rico_ledger *ledger = &sim->ledger;
    const double *w = sim->vector.after;
    double *applied = sim->vector.applied, *damping = sim->vector.damping, *spring = sim->vector.spring;
    double t = *sim->now.t + h, before = 0.0, after = 0.0;
    memset(ledger, 0, sizeof *ledger);
    rico_status status = rico_assembly_forces(sim->assembly, t, sim->next.q, w, applied, damping, spring);
    if (status == RICO_OK) status = rico_assembly_potential(sim->assembly, *sim->now.t, sim->now.q, &before);
    if (status == RICO_OK) status = rico_assembly_potential(sim->assembly, t, sim->next.q, &after);
    if (status != RICO_OK) return status;
    ledger->external = h * (rico_dot(sim->nv, w, sim->vector.load) + rico_dot(sim->nv, w, applied));
    ledger->damping = h * rico_dot(sim->nv, w, damping);
    ledger->numerical[0] = after - before + h * rico_dot(sim->nv, w, spring);
    rico_step_contact_works(sim, 1.0, w);
    return RICO_OK;
}


const rico_scheme rico_quasi_static_schemes[] = {
    {.info = {.name = "quasi-static",
              .summary = "equilibrium with contact and friction at the end of every step, without inertia",
              .reference = "Kikuchi and Oden 1988; Wriggers 2006",
              .identity = "dV = dq'(F - C w) + w'H p - [V_k - V_{k+1} + dq'grad V_{k+1}]",
              .numerical = {"-|dq|_K^2/2"},
              .option_count = sizeof OPTIONS / sizeof *OPTIONS,
              .options = OPTIONS,
              .order = 1,
              .statics = true,
              .equal_steps = true},
     .default_frames = 1,
     .massless = RICO_MASSLESS_POSITION,
     .extra_size = extra_size,
     .check = check,
     .start = start,
     .laws = true,
     .advance = advance,
     .book = book},
};
const int rico_quasi_static_scheme_count =
    sizeof rico_quasi_static_schemes / sizeof *rico_quasi_static_schemes;
