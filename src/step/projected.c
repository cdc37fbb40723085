// Moreau-Jean's scheme for many bodies: contacts act before they close, and positions are projected once, at the end.
//
//     M (v_{k+1} - v_k) = h [ load_theta + F_theta ] + H p,     q_{k+1} = q_k + h v_theta + N G tau,
//     0 <= u_{N,k+1} + max(g_k, 0) / h,  p_N >= 0, orthogonal, with friction on u_T             for contacts at rest or open,
//     0 <= u_{N,k+1} + e u_{N,k},        p_N >= 0, orthogonal, with friction on u_T             for those that come in and bounce,
//
// where a bouncing one acts once its gap would close in the step. A contact with a positive gap gives way until it is closed, no more
// (Stewart and Trinkle 1996, linearized as in Anitescu and Potra 1997), so that what was not in touch at the start of
// the step needs no search for index sets: all candidates are in one problem. Nothing is given back of what comes in with
// e = 0, and no gap fakes a restitution.
//
// What curvature and theta leave of penetration is taken away in the metric of the mass, 0 <= g + G'N G tau, tau >= 0. Where nothing
// was entered, nothing is done: a bounce with e = 1 at theta = 1/2 leaves the gap as it was.

#include "la/dense.h"
#include "step/projection.h"
#include "step/registry.h"

#include <math.h>
#include <string.h>

enum { MOST_PASSES = 20, ENOUGH_ITERATIONS = 6 };
// Sweeps over many bodies that do not reach the tolerance are good for this many times of it, and at most the second: the impulses
// of walls and heaps are not determined, and solvers that go on from there take a thousand times as long.
static const double LOOSE = 1e3, LOOSEST = 1e-7;
static const double FEW_STEPS = 3.0;
static const double DISAGREE = 1e-2; // of velocities that several iterations do not agree on
static const double NEARLY = 1e-3;   // of the depth that a step made, left to the next one

static rico_theta_step step_of(const rico_simulation *sim, double h)
{
    const rico_projection *own = sim->own;
    double theta = rico_scheme_option(sim, RICO_THETA);
    return (rico_theta_step){
        .h = h, .theta = theta, .weight = theta, .load = sim->vector.load, .correction = own->correction};
}


// A contact that comes in and will be sent back.
static bool bounces(const rico_simulation *sim, const rico_constraint *contact)
{
    double still = 1e-9 * fmax(*sim->next.scale, sim->fastest);
    return contact->restitution > 0.0 && sim->u_before[contact->row] < -still;
}


// A contact that leaves, does not come back in this step by itself, and would be sent back if it did. What other contacts do to it
// is the next step's business: stopped at its gap, it would work by (u_k - g_k/h) p / 2, a gain or a loss from nowhere.
static bool leaves(const rico_simulation *sim, const rico_constraint *contact, double u_free, double ahead)
{
    double still = 1e-9 * fmax(*sim->next.scale, sim->fastest);
    return contact->restitution > 0.0 && sim->u_before[contact->row] > still && (u_free > 0.0 || ahead > 0.0);
}


// Who may act, from the gaps at q_k and the velocity without impulses. A contact that would stay open by more than the
// fastest of those that act move in a step is left out: it would only make the problem larger, and its scale.
static void activate(rico_simulation *sim, double h, double theta, const double *v_free)
{
    rico_projection *own = sim->own;
    double fastest = 0.0;
    rico_step_local_velocity(sim, v_free, sim->u_after);
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *contact = rico_step_constraint(sim, c);
        int64_t row = contact->row;
        double gap = own->gap[row], before = sim->u_before[row], after = sim->u_after[row];
        bool acts = true;
        own->set[c] = RICO_CONTACT_OFF;
        if (!contact->joint) {
            bool sent_back = bounces(sim, contact), hit = sim->impacts && sim->hit[c];
            double ahead = gap + h * (sent_back ? theta * after + (1.0 - theta) * before : after);
            bool let_go = !hit && leaves(sim, contact, after, ahead);
            acts = hit || (!let_go && (ahead <= 0.0 || (gap <= 0.0 && sim->now.p[row] > 0.0)));
            // HELD: stands for a bounce here
            own->set[c] = sent_back || let_go ? RICO_CONTACT_HELD : RICO_CONTACT_ACTS;
            if (acts) fastest = fmax(fastest, fmax(fabs(after), gap / h));
        }
        sim->active[c] = acts;
    }
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *contact = rico_step_constraint(sim, c);
        if (sim->active[c] || own->set[c] == RICO_CONTACT_HELD) continue;
        sim->active[c] = own->gap[contact->row] <= h * fastest;
    }
}


// How far sweeps must go. What rests, or begins to move, is solved as asked; what moves faster than loads have set it moving in
// a few steps has been hit, and will not be where it is for long.
static void loosen(rico_simulation *sim, const double *v_free)
{
    rico_projection *own = sim->own;
    double asked = sim->contacts.tol, gained = 0.0;
    for (int64_t i = 0; i < sim->nv; i++) gained = fmax(gained, fabs(v_free[i] - sim->now.v[i]));
    bool hit = sim->fastest > FEW_STEPS * gained;
    own->contacts.accept = sim->contacts.accept;
    own->contacts.most_sweeps = sim->contacts.most_sweeps;
    sim->contacts.hit = hit;
    sim->contacts.loose = own->contacts.loose = hit ? fmax(asked, fmin(LOOSE * asked, LOOSEST)) : asked;
}


// Adds max(g_k, 0)/h to the offset of the contacts that do not bounce.
static void add_gaps(rico_simulation *sim, const rico_theta_step *step, double omega)
{
    const rico_projection *own = sim->own;
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *contact = rico_step_constraint(sim, c);
        if (contact->joint || own->set[c] == RICO_CONTACT_HELD || !(own->gap[contact->row] > 0.0)) continue;
        sim->offset[contact->row] += omega * own->gap[contact->row] / step->h;
    }
}


// Two iterates agree to newton-tol. Where contacts act, it is enough that its square does: velocities and impulses satisfy the
// equations linearized at the iterate before, which are wrong by the square of the difference; and impulses that are
// not determined may lead elsewhere each time. What is left shows in the residual of the balance.
static bool settled(const rico_simulation *sim, int n, const double *old, const double *new)
{
    if (rico_theta_settled(sim, old, new)) return true;
    if (sim->contacts.rows == 0) return false;
    double change = 0.0, size = *sim->next.scale;
    for (int64_t i = 0; i < sim->nv; i++) {
        change = fmax(change, fabs(new[i] - old[i]));
        size = fmax(size, fmax(fabs(new[i]), fabs(sim->now.v[i])));
    }
    double enough = n < ENOUGH_ITERATIONS ? sqrt(rico_step_option(sim, RICO_STEP_NEWTON_TOL)) : DISAGREE;
    return change <= enough * size;
}


static rico_status begin(rico_simulation *sim, const rico_theta_step *step, const double *v_free)
{
    loosen(sim, v_free);
    activate(sim, step->h, step->theta, v_free);
    return RICO_OK;
}


// vector.ahead = q_k moved by h v_theta + correction, and the gaps there.
static rico_status look(rico_simulation *sim, double h)
{
    rico_projection *own = sim->own;
    const rico_theta_step step = step_of(sim, h);
    rico_theta_displacement(sim, &step, sim->next.v, sim->vector.displacement);
    rico_status status = rico_assembly_retract(sim->assembly, *sim->now.t, sim->now.q, 1.0,
                                               sim->vector.displacement, sim->vector.ahead);
    if (status == RICO_OK)
        status = rico_assembly_gaps(sim->assembly, *sim->next.t, sim->vector.ahead, own->gap);
    return status;
}


// A contact that bounces or was let go, without loss: what a projection works against the loads would be gained or lost for ever.
// It leaves by itself.
static bool elastic(const rico_simulation *sim, int64_t c)
{
    const rico_projection *own = sim->own;
    const rico_constraint *contact = rico_step_constraint(sim, c);
    return !contact->joint && own->set[c] == RICO_CONTACT_HELD && contact->restitution >= 1.0;
}


// The deepest of contacts and joints over their reach; marks those that are entered, and those so near that the way out of
// the deepest may lead into them.
static double violation(rico_simulation *sim, char *set)
{
    const rico_projection *own = sim->own;
    double deepest = 0.0, depth_of_all = 0.0;
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        set[c] = RICO_CONTACT_OFF;
        if (elastic(sim, c)) continue;
        for (int64_t i = 0; i < (constraint->joint ? constraint->size : 1); i++) {
            int64_t row = constraint->row + i;
            double depth = constraint->joint ? fabs(own->gap[row]) : -own->gap[row];
            if (depth <= 0.0) continue;
            depth_of_all = fmax(depth_of_all, depth);
            double reach = rico_step_reach(sim, row);
            if (depth > deepest * reach) deepest = depth / reach;
        }
    }
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *contact = rico_step_constraint(sim, c);
        if (!contact->joint && !elastic(sim, c) && own->gap[contact->row] <= depth_of_all)
            set[c] = RICO_CONTACT_ACTS;
    }
    return deepest;
}


// One pass: the smallest move in the metric that takes every contact out, linearized at the positions ahead.
static rico_status pass(rico_simulation *sim, char *set)
{
    rico_projection *own = sim->own;
    bool metric_changed, moving = !sim->system->constant_frames;
    double scale;
    rico_status status = rico_projection_set_metric(sim, &metric_changed);
    if (status != RICO_OK) return status;
    rico_projection_swap_frames(sim);
    if (moving) status = rico_assembly_frames(sim->assembly, *sim->next.t, sim->vector.ahead);
    if (status == RICO_OK) {
        for (int64_t i = 0; i < sim->rows; i++) own->offset[i] = own->gap[i] - sim->assembly->w[i];
        for (int64_t c = 0; c < sim->constraints; c++)
            if (elastic(sim, c)) own->offset[rico_step_constraint(sim, c)->row] = INFINITY;
        memset(own->trial, 0, (size_t)sim->nv * sizeof *own->trial);
        memset(own->tau, 0, (size_t)sim->rows * sizeof *own->tau);
        status = rico_contacts_solve_all(&own->contacts, &own->metric, metric_changed || moving, 1.0,
                                         own->offset, own->trial, own->tau, &scale, set, sim->vector.change);
    }
    rico_projection_swap_frames(sim);
    sim->stats.projections++;
    if (status == RICO_OK) rico_axpy(sim->nv, 1.0, own->trial, own->correction);
    return status;
}


static rico_status advance(rico_simulation *sim, double h)
{
    static const rico_theta_ways WAYS = {.activate = begin, .offset = add_gaps, .settled = settled};
    const rico_theta_step step = step_of(sim, h);
    rico_projection *own = sim->own;
    double t = *sim->now.t, theta = rico_scheme_option(sim, RICO_THETA),
           tol = rico_scheme_option(sim, RICO_THETA_VIOLATION), left = INFINITY, first = 0.0;
    memset(own->correction, 0, (size_t)sim->nv * sizeof *own->correction);
    rico_status status = rico_step_load(sim, t, h, theta, sim->vector.load, sim->vector.mean);
    if (status == RICO_OK) status = rico_step_frames(sim, h, sim->now.q);
    if (status == RICO_OK) status = rico_assembly_gaps(sim->assembly, t, sim->now.q, own->gap);
    if (status == RICO_OK) status = rico_theta_newton(sim, &step, &WAYS);
    if (status == RICO_OK) status = look(sim, h);

    char *set = own->violated;
    bool joints = sim->contacts.joint_rows > 0;
    for (int n = 0; status == RICO_OK && n < MOST_PASSES; n++) {
        double deepest = violation(sim, set);
        if (n == 0) first = deepest;
        // within the tolerance, or all but: the next step sees to the rest; or as near as it gets, for bodies may be wedged
        // deeper than they can come out of
        if (deepest <= fmax(tol, joints ? 0.0 : NEARLY * first) || deepest > 0.999 * left) break;
        left = deepest;
        status = pass(sim, set);
        if (status == RICO_SINGULAR && !joints) {
            status = RICO_OK; // no place is outside of all of them: the breach will be told
            break;
        }
        if (status == RICO_OK) status = look(sim, h);
    }
    if (status != RICO_OK) return status;
    rico_step_end_velocity(sim, sim->next.v, sim->u_after);
    memcpy(sim->next.q, sim->vector.ahead, (size_t)sim->nq * sizeof *sim->next.q);
    return RICO_OK;
}


// The step first, along h v_theta and as Moreau and Jean's; then the projection: what it changes of the potential, and what it
// takes from the loads, whose work is booked along the displacement that happens.
static rico_status book(rico_simulation *sim, double h)
{
    const rico_projection *own = sim->own;
    rico_theta_step step = step_of(sim, h);
    double *moved = sim->vector.displacement, between = 0.0, after = 0.0;
    step.correction = NULL;
    rico_theta_displacement(sim, &step, sim->next.v, moved);
    rico_status status = RICO_OK;
    if (!sim->system->idle) {
        double t = *sim->next.t;
        status = rico_assembly_retract(sim->assembly, t, sim->now.q, 1.0, moved, sim->vector.ahead);
        if (status == RICO_OK)
            status = rico_assembly_potential(sim->assembly, t, sim->vector.ahead, &between);
        if (status == RICO_OK) status = rico_assembly_potential(sim->assembly, t, sim->next.q, &after);
    }
    if (status == RICO_OK) status = rico_theta_book(sim, &step);
    double lifted = rico_dot(sim->nv, own->correction, step.load);
    sim->ledger.external += lifted;
    sim->ledger.projection = after - between - lifted;
    return status;
}


const rico_scheme rico_projected_schemes[] = {
    {.info = {.name = "moreau-jean-projected",
              .summary =
                  "Moreau-Jean with contacts that act before they close and one projection at the end: "
                  "for many bodies",
              .reference = "Jean and Moreau 1987; Anitescu and Potra 1997; docs/theory/projection.md",
              .identity =
                  "dE = h v_theta'(F_theta - C v_theta) + (1/2-theta)(|dv|_M^2 + |dq|_K^2) + u_theta'p + "
                  "V(q_k + h v_theta + N G tau) - V(q_k + h v_theta)",
              .numerical = {"(1/2-theta)|dv|_M^2", "(1/2-theta)|dq|_K^2"},
              .option_count = RICO_THETA_OPTIONS,
              .options = rico_midpoint_options,
              .order = 2},
     .approach = true,
     .impacts = true,
     .middle = true,
     .create = rico_projection_create,
     .resize = rico_projection_resize,
     .destroy = rico_projection_destroy,
     .check = rico_projection_check,
     .advance = advance,
     .book = book},
};
const int rico_projected_scheme_count = sizeof rico_projected_schemes / sizeof *rico_projected_schemes;
