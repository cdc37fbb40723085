// Schemes that satisfy the constraints of velocities and of positions at once.
//
// Moreau-Jean's scheme with a second multiplier, as Gear, Gupta and Leimkuhler's for joints:
//
//     M (v_{k+1} - v_k) = h [ load_theta + F_theta ] + H p,     q_{k+1} = q_k + h v_theta + N G tau,
//
// contact law on u_{k+1} for the contacts that are active, and for the positions
//
//     direct-projection      0 <= g_{k+1}, tau >= 0, orthogonal, for every contact    (Acary 2012, eq. 28, algorithm 1)
//     combined-projection    g_{k+1} = 0 where p_N > 0, the above for the other active ones; contacts that the result
//                            violates become active and the step is done again        (eq. 65-70, algorithm 2)
//
// Joints act in both problems. G is the normal part of H at the end of the step; N = I or M^-1 (remark 3).

#include "step/projection.h"

#include "la/dense.h"
#include "step/activation.h"
#include "step/registry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Iterations after which contacts that press are no longer held at gap 0 but only kept from entering: more of them
// may press than a body can touch at once, and which ones do may change from one iteration to the next.
enum { HOLD_ITERATIONS = 15 };

// What the formulas of gaps may leave at most beyond their tolerance, over their reach: terms that cancel do.
static const double ROUND_OFF = 1e-7;

void rico_projection_destroy(rico_simulation *sim)
{
    rico_projection *own = sim->own;
    if (!own) return;
    rico_context *ctx = sim->ctx;
    rico_contacts_destroy(&own->contacts);
    rico_iteration_destroy(&own->metric);
    rico_coupled_destroy(ctx, own->coupled);
    rico_jointed_destroy(ctx, own->jointed);
    void *all[] = {own->tau,   own->offset, own->gap, own->correction,
                   own->trial, own->frame,  own->set, own->violated};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
    rico_free(ctx, own);
}


rico_status rico_projection_resize(rico_simulation *sim)
{
    rico_context *ctx = sim->ctx;
    rico_projection *own = sim->own;
    int64_t rows = sim->row_room, entries = sim->assembly->entry_room;
    bool whole = rico_renew(ctx, &own->tau, rows, sizeof *own->tau) &&
                 rico_renew(ctx, &own->offset, rows, sizeof *own->offset) &&
                 rico_renew(ctx, &own->gap, rows, sizeof *own->gap) &&
                 rico_renew(ctx, &own->set, sim->constraint_room, 1) &&
                 rico_renew(ctx, &own->violated, sim->constraint_room, 1) &&
                 rico_renew(ctx, &own->frame, entries, sizeof *own->frame);
    if (!whole) return RICO_NO_MEMORY;
    // constant gradients stand in both
    const rico_csc *H = &sim->assembly->H;
    memcpy(own->frame, H->value, (size_t)rico_csc_count(H) * sizeof *own->frame);
    return own->contacts.ctx ? rico_contacts_resize(&own->contacts) : RICO_OK;
}


rico_status rico_projection_create(rico_simulation *sim)
{
    rico_context *ctx = sim->ctx;
    rico_projection *own = sim->own = rico_alloc(ctx, 1, sizeof *own);
    if (!own) return RICO_NO_MEMORY;
    own->correction = rico_alloc(ctx, sim->nv, sizeof *own->correction);
    own->trial = rico_alloc(ctx, sim->nv, sizeof *own->trial);
    if (!own->correction || !own->trial) return RICO_NO_MEMORY;
    rico_status status = rico_projection_resize(sim);
    if (status == RICO_OK) status = rico_contacts_create(sim->assembly, &own->contacts);
    if (status == RICO_OK) status = rico_iteration_create(sim->assembly, &own->metric);
    own->contacts.normals = own->contacts.joint_offset = true;
    return status;
}


rico_status rico_projection_check(rico_simulation *sim)
{
    rico_projection *own = sim->own;
    own->contacts.tol = rico_step_option(sim, RICO_STEP_TOL);
    sim->closed = rico_scheme_option(sim, RICO_THETA_VIOLATION);
    own->metric.valid = own->contacts.prepared = false; // the metric may be another one
    return rico_theta_check(sim, rico_scheme_option(sim, RICO_THETA));
}


static rico_theta_step step_of(const rico_simulation *sim, double h)
{
    const rico_projection *own = sim->own;
    double theta = rico_scheme_option(sim, RICO_THETA);
    rico_theta_step step = {
        .h = h, .theta = theta, .weight = theta, .load = sim->vector.load, .correction = own->correction};
    return step;
}


void rico_projection_swap_frames(rico_simulation *sim)
{
    rico_projection *own = sim->own;
    double *kept = sim->assembly->H.value;
    sim->assembly->H.value = own->frame;
    own->frame = kept;
}


rico_status rico_projection_set_metric(rico_simulation *sim, bool *changed)
{
    rico_projection *own = sim->own;
    if (rico_scheme_option(sim, RICO_THETA_METRIC) == 0.0)
        return rico_iteration_set_identity(&own->metric, changed);
    return rico_iteration_set(&own->metric, 1.0, 0.0, 0.0, changed);
}


// vector.ahead = q_k moved by h v_theta + correction, and the gaps there.
static rico_status look(rico_simulation *sim, double h, const double *correction, const double *v, double *d)
{
    rico_projection *own = sim->own;
    rico_theta_step step = step_of(sim, h);
    step.correction = correction;
    rico_theta_displacement(sim, &step, v, d);
    rico_status status =
        rico_assembly_retract(sim->assembly, *sim->next.t, sim->now.q, 1.0, d, sim->vector.ahead);
    if (status == RICO_OK)
        status = rico_assembly_gaps(sim->assembly, *sim->next.t, sim->vector.ahead, own->gap);
    return status;
}


// A contact that comes in and will be sent back is where it is: held at gap 0 until the step ends, it would lose the
// height that it has not fallen yet. Only schemes that look at the approach alone know which these are.
static bool bounces(const rico_simulation *sim, const rico_constraint *constraint)
{
    if (!sim->scheme->approach) return false;
    double still = 1e-9 * fmax(*sim->next.scale, sim->fastest);
    return sim->impacts || (constraint->restitution > 0.0 && sim->u_before[constraint->row] < -still);
}


// What the impulses decide of the positions (eq. 69-70): a contact that presses is held at gap 0. Returns whether that
// is another choice than before.
static bool choose_held(rico_simulation *sim, bool hold)
{
    rico_projection *own = sim->own;
    const double *p = sim->next.p;
    double largest = 0.0;
    bool other = false;
    for (int64_t c = 0; c < sim->constraints; c++)
        if (!rico_step_constraint(sim, c)->joint)
            largest = fmax(largest, p[rico_step_constraint(sim, c)->row]);
    for (int64_t c = 0; c < sim->constraints; c++) {
        if (rico_step_constraint(sim, c)->joint) continue;
        bool presses = hold && p[rico_step_constraint(sim, c)->row] > 1e-9 * largest &&
                       !bounces(sim, rico_step_constraint(sim, c));
        char how = !sim->active[c] ? RICO_CONTACT_OFF : presses ? RICO_CONTACT_HELD : RICO_CONTACT_ACTS;
        other |= how != own->set[c];
        own->set[c] = how;
    }
    return other;
}


// Direct projection acts on whatever contact it has seen violated in this step.
static void add_violated(rico_simulation *sim)
{
    rico_projection *own = sim->own;
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        if (!constraint->joint && own->gap[constraint->row] < 0.0) own->set[c] = RICO_CONTACT_ACTS;
    }
}


// Decoupled: impulses first with the correction of the last iterate (eq. 56a-57), then the projection (eq. 58, 60).
static rico_status solve_decoupled(rico_simulation *sim, double h, bool combined, bool hold, bool changed,
                                   double omega, double *next, double *d)
{
    rico_projection *own = sim->own;
    const rico_system *system = sim->system;
    bool moving = !system->constant_frames, metric_changed;
    double scale;
    rico_status status = rico_contacts_solve(&sim->contacts, &sim->iteration, changed || moving, omega,
                                             sim->offset, next, sim->next.p, sim->next.scale);
    if (status == RICO_OK) status = look(sim, h, own->correction, next, d);
    if (status == RICO_OK) status = rico_projection_set_metric(sim, &metric_changed);
    if (status != RICO_OK) return status;

    rico_projection_swap_frames(sim);
    if (moving) status = rico_assembly_frames(sim->assembly, *sim->next.t, sim->vector.ahead);
    if (status == RICO_OK) {
        // y = gap + G'(N G tau - correction); the motion w of obstacles is in the gap already
        rico_csc_transpose_times(&sim->assembly->H, -1.0, own->correction, 0.0, own->offset);
        for (int64_t i = 0; i < sim->rows; i++) own->offset[i] += own->gap[i] - sim->assembly->w[i];
        memset(own->trial, 0, (size_t)sim->nv * sizeof *own->trial);
        if (combined) {
            choose_held(sim, hold);
            rico_contacts_activate(&own->contacts, own->set);
            status = rico_contacts_solve(&own->contacts, &own->metric, metric_changed || moving, 1.0,
                                         own->offset, own->trial, own->tau, &scale);
        } else {
            status = rico_contacts_solve_all(&own->contacts, &own->metric, metric_changed || moving, 1.0,
                                             own->offset, own->trial, own->tau, &scale, own->set, d);
        }
        if (status != RICO_OK) rico_fail_in(sim->ctx, status, "projection of positions");
    }
    rico_projection_swap_frames(sim);
    return status;
}


// Coupled: both at once (eq. 52-55). Contacts to project are those that the iterate violates, and those from before.
static rico_status solve_coupled(rico_simulation *sim, double h, bool combined, bool hold, double omega,
                                 const double *at, double *next, double *d)
{
    rico_projection *own = sim->own;
    rico_theta_step step = step_of(sim, h);
    bool metric_changed;
    rico_status status = look(sim, h, own->correction, next, d);
    if (combined)
        choose_held(sim, hold);
    else
        add_violated(sim);
    if (status == RICO_OK) status = look(sim, h, own->correction, at, d);
    if (status == RICO_OK) status = rico_projection_set_metric(sim, &metric_changed);
    if (status != RICO_OK) return status;

    rico_projection_swap_frames(sim);
    if (!sim->system->constant_frames)
        status = rico_assembly_frames(sim->assembly, *sim->next.t, sim->vector.ahead);
    rico_projection_swap_frames(sim);
    rico_contacts_activate(&own->contacts, own->set);
    if (status == RICO_OK) status = rico_coupled_solve(sim, own, &step, omega, at, next);
    // more contacts may press than can be held at once: then none is
    if (status == RICO_SINGULAR && combined && hold && choose_held(sim, false)) {
        rico_contacts_activate(&own->contacts, own->set);
        status = rico_coupled_solve(sim, own, &step, omega, at, next);
    }
    return status;
}


// Largest penetration and joint's gap that the iterate leaves, over their reach, and whose it is; contacts held on both
// sides. Contacts that the combined scheme has not activated are the business of its outer loop.
static double violation(const rico_simulation *sim, bool combined, int64_t *whose)
{
    const rico_projection *own = sim->own;
    double largest = 0.0;
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        bool both = constraint->joint || own->set[c] == RICO_CONTACT_HELD;
        if (!both && combined && !own->set[c]) continue;
        for (int64_t i = 0; i < (constraint->joint ? constraint->size : 1); i++) {
            int64_t row = constraint->row + i;
            double depth = both ? fabs(own->gap[row]) : -own->gap[row];
            if (depth <= 0.0 || depth <= largest * rico_step_reach(sim, row)) continue;
            largest = depth / rico_step_reach(sim, row);
            *whose = c;
        }
    }
    return largest;
}


// Whether what the iterate leaves is good enough: within the tolerance, or no better than the iterate before although
// everything else has settled, which is the round-off of the gaps themselves.
static bool on_constraints(const rico_simulation *sim, bool combined, bool settled, double *last)
{
    int64_t whose;
    double left = violation(sim, combined, &whose);
    bool stalled = settled && left >= 0.5 * *last && left <= ROUND_OFF;
    *last = left;
    return left <= rico_scheme_option(sim, RICO_THETA_VIOLATION) || stalled;
}


// Whether the correction has come to rest on the round-off of the gaps. It is known no better than these are, and what they leave open
// at two iterates tells how well that is. Their reach does not: lengths that stand beside small angles are not in it. An iteration
// that only converges slowly closes the gaps better than that.
static bool at_rest(rico_simulation *sim, bool combined, double last, double *change)
{
    const rico_projection *own = sim->own;
    rico_csc G = sim->assembly->H;
    G.value = own->frame;
    int64_t whose;
    double left = fmax(last, violation(sim, combined, &whose));
    if (left > rico_scheme_option(sim, RICO_THETA_VIOLATION)) return false;
    for (int64_t i = 0; i < sim->nv; i++) change[i] = own->trial[i] - own->correction[i];
    rico_csc_transpose_times(&G, 1.0, change, 0.0, own->offset);
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        if (!constraint->joint && combined && !own->set[c]) continue;
        for (int64_t i = 0; i < (constraint->joint ? constraint->size : 1); i++) {
            int64_t row = constraint->row + i;
            if (fabs(own->offset[row]) > 4.0 * left * rico_step_reach(sim, row)) return false;
        }
    }
    return true;
}


// The loop ended without an answer: velocities that do not agree, or constraints that no position satisfies together.
static rico_status give_up(rico_simulation *sim, int n, bool combined, bool settled, const double *at)
{
    bool coupled = ((const rico_projection *)sim->own)->at_once;
    int64_t whose = 0;
    double left = violation(sim, combined, &whose);
    if (!settled || left <= rico_scheme_option(sim, RICO_THETA_VIOLATION))
        return rico_theta_unsettled(sim, n, at, sim->next.v,
                                    coupled ? "take a smaller step"
                                            : "take solve = coupled or a smaller step");
    const rico_constraint *constraint = rico_step_constraint(sim, whose);
    return rico_fail(
        sim->ctx, RICO_SINGULAR,
        "positions cannot be brought onto the constraints in %d iterations: %s %s is left open by "
        "%.3g of the size of its terms; constraints that contradict each other, or a step that is "
        "too long, do that",
        n, constraint->joint ? "joint" : "contact", constraint->name, left);
}


// Newton's loop from the velocity in next.v. Leaves next.v, next.p, the correction, and the gaps at vector.ahead.
static rico_status iterate(rico_simulation *sim, double h, bool combined, bool first)
{
    rico_projection *own = sim->own;
    const rico_system *system = sim->system;
    const rico_theta_step step = step_of(sim, h);
    double omega = rico_step_law(sim)->omega(step.weight), tol = rico_step_option(sim, RICO_STEP_NEWTON_TOL);
    double *right = sim->vector.right, *mean = sim->vector.mean, *at = sim->vector.iterate,
           *work = sim->vector.change, *d = sim->vector.displacement, *next = sim->next.v;
    bool late = rico_step_option(sim, RICO_STEP_FRAMES) != 0.0 && !system->constant_frames;
    bool coupled = own->at_once;
    int most = (int)rico_step_option(sim, RICO_STEP_NEWTON_MAX), n = 0;
    double left = INFINITY;

    for (bool done = false; !done;) {
        bool changed, hold = n < HOLD_ITERATIONS;
        memcpy(at, next, (size_t)sim->nv * sizeof *at);
        rico_status status = rico_theta_residual(sim, &step, at, right, mean, work);
        if (status == RICO_OK) status = rico_theta_matrix(sim, &step, &changed);
        if (status == RICO_OK) status = rico_iteration_solve(&sim->iteration, 1, right, next);
        if (status == RICO_OK && late && !(first && n == 0))
            status = rico_step_frames_again(sim, h, sim->vector.ahead, d, at);
        if (status != RICO_OK) return status;
        rico_axpy(sim->nv, 1.0, at, next);

        if (n == 0) {
            if (!combined) status = rico_step_activate(sim, h, step.theta, next);
            rico_contacts_activate(&sim->contacts, sim->active);
        }
        if (status != RICO_OK) return status;
        rico_step_law_offset(sim, step.weight, sim->offset);
        bool same = rico_step_same_problem(sim, n == 0, next, sim->offset);
        status = coupled ? solve_coupled(sim, h, combined, hold, omega, at, next, d)
                         : solve_decoupled(sim, h, combined, hold, changed, omega, next, d);
        if (status == RICO_OK) status = look(sim, h, own->trial, next, d);
        if (status != RICO_OK) return status;
        sim->stats.projections += own->contacts.rows > 0;
        if (!combined) add_violated(sim);
        n++;

        double change = 0.0, size = 0.0;
        for (int64_t i = 0; i < sim->nv; i++) {
            change = fmax(change, fabs(own->trial[i] - own->correction[i]));
            size = fmax(fmax(size, h * fabs(sim->posed[i])), fmax(fabs(own->trial[i]), fabs(d[i])));
        }
        // the velocities are exact where neither they nor the frames depend on what is still moving
        bool exact = system->linear && !late && (coupled || change == 0.0 || !system->stiff);
        bool settled =
            n > 1 && (same || rico_theta_settled(sim, at, next)) &&
            (change <= fmax(tol * size, h * rico_theta_floor(sim)) || at_rest(sim, combined, left, work));
        bool on = on_constraints(sim, combined, settled, &left);
        done = (exact || settled) && !(coupled && combined && choose_held(sim, hold)) && on;
        memcpy(own->correction, own->trial, (size_t)sim->nv * sizeof *own->correction);
        if (!done && n >= most) return give_up(sim, n, combined, exact || settled, at);
    }
    sim->stats.newton_last += n;
    sim->stats.newton_iterations += n;
    return RICO_OK;
}


// Contacts that the step would violate become active (eq. 66); true when there were any.
static bool grow(rico_simulation *sim)
{
    const rico_projection *own = sim->own;
    bool grown = false;
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        if (constraint->joint || sim->active[c] || own->gap[constraint->row] > 0.0) continue;
        sim->active[c] = 1;
        grown = true;
    }
    return grown;
}


static rico_status advance_once(rico_simulation *sim, double h, bool combined)
{
    rico_projection *own = sim->own;
    double t = *sim->now.t, theta = rico_scheme_option(sim, RICO_THETA);
    memset(own->tau, 0, (size_t)sim->rows * sizeof *own->tau);
    memset(own->correction, 0, (size_t)sim->nv * sizeof *own->correction);
    memset(own->set, 0, (size_t)sim->constraints);
    memcpy(sim->next.v, sim->now.v, (size_t)sim->nv * sizeof *sim->next.v);
    sim->stats.newton_last = 0;

    rico_status status = rico_step_load(sim, t, h, theta, sim->vector.load, sim->vector.change);
    if (status == RICO_OK) status = rico_step_frames(sim, h, sim->now.q);
    for (int64_t c = 0; combined && c < sim->constraints; c++)
        sim->active[c] = rico_step_constraint(sim, c)->joint || (sim->impacts && sim->hit[c]);

    bool first = true;
    for (bool again = true; status == RICO_OK && again; first = false) {
        // the free step of the empty set has cleared the impulses to start from
        memcpy(sim->next.p, sim->now.p, (size_t)sim->rows * sizeof *sim->next.p);
        status = iterate(sim, h, combined, first);
        sim->stats.index_sets += combined;
        again = status == RICO_OK && combined && grow(sim);
    }
    if (status != RICO_OK) return status;
    rico_step_end_velocity(sim, sim->next.v, sim->u_after);
    memcpy(sim->next.q, sim->vector.ahead, (size_t)sim->nq * sizeof *sim->next.q);
    return RICO_OK;
}


// The default scheme may have met springs or contacts that it cannot take one after the other: then both at once, before
// it gives up. Who chose how to solve is taken at his word.
static rico_status advance(rico_simulation *sim, double h, bool combined)
{
    rico_projection *own = sim->own;
    own->at_once = rico_scheme_option(sim, RICO_THETA_SOLVE) != 0.0;
    rico_status status = advance_once(sim, h, combined);
    if (status != RICO_SINGULAR || own->at_once || !sim->scheme->approach) return status;
    char reason[512];
    snprintf(reason, sizeof reason, "%s", rico_message(sim->ctx));
    own->at_once = true;
    status = advance_once(sim, h, combined);
    // the first failure is the one to tell
    return status == RICO_SINGULAR ? rico_fail(sim->ctx, status, "%s", reason) : status;
}


static rico_status advance_direct(rico_simulation *sim, double h)
{
    return advance(sim, h, false);
}


static rico_status advance_combined(rico_simulation *sim, double h)
{
    return advance(sim, h, true);
}


static rico_status book(rico_simulation *sim, double h)
{
    const rico_theta_step step = step_of(sim, h);
    return rico_theta_book(sim, &step);
}


// What the three have in common: the balance that they close, and all functions but the one that advances.
#define BALANCE                                                                                              \
    .identity = "dE = dq'F_theta - h v_theta'C v_theta + (1/2-theta)(|dv|_M^2 + |dq|_K^2) + u_theta'p + "    \
                "tau'G'N(K q_theta - F_theta)",                                                              \
    .numerical = {"(1/2-theta)|dv|_M^2", "(1/2-theta)|dq|_K^2"}, .option_count = RICO_THETA_OPTIONS,         \
    .order = 2
#define FUNCTIONS                                                                                            \
    .default_activation = RICO_ACTIVATE_FREE, .middle = true, .boxes = true, .laws = true,                   \
    .massless = RICO_MASSLESS_PROJECTED, .create = rico_projection_create, .resize = rico_projection_resize, \
    .destroy = rico_projection_destroy, .check = rico_projection_check, .book = book

const rico_scheme rico_projection_schemes[] = {
    {.info = {.name = "direct-projection",
              .summary = "Moreau-Jean with positions projected onto the constraints; may chatter at rest",
              .reference = "Acary 2012, algorithm 1",
              .options = rico_theta_options,
              BALANCE},
     .default_frames = RICO_FRAMES_END,
     .advance = advance_direct,
     FUNCTIONS},
    {.info = {.name = "combined-projection",
              .summary =
                  "the same, but only contacts that press are projected: no penetration, no chattering",
              .reference = "Acary 2012, algorithm 2",
              .options = rico_theta_options,
              BALANCE},
     .default_frames = RICO_FRAMES_END,
     .advance = advance_combined,
     FUNCTIONS},
    {.info = {.name = "midpoint-projection",
              .summary =
                  "the same with impulses half way and bounces left alone: holds constraints and energy; "
                  "the default of scenes",
              .reference = "Acary 2012, algorithm 2; docs/theory/projection.md",
              .options = rico_midpoint_options,
              BALANCE},
     .default_frames = RICO_FRAMES_MIDDLE,
     .approach = true,
     .impacts = true,
     .advance = advance_combined,
     FUNCTIONS},
};
const int rico_projection_scheme_count = sizeof rico_projection_schemes / sizeof *rico_projection_schemes;
