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
// was entered, nothing is done: a bounce with e = 1 at theta = 1/2 leaves the gap as it was. Where the linear problem has no solution, or
// one under which bodies turn or go far, they are shifted alone.

#include "la/dense.h"
#include "step/projection.h"
#include "step/registry.h"

#include <math.h>
#include <string.h>

enum { MOST_SOLVES = 4, MOST_PASSES = 20, MOST_VAIN = 4, ENOUGH_ITERATIONS = 6, PATIENT = 20 };
// Sweeps over many bodies that do not reach the tolerance are good for this many times of it, and at most the second: the impulses
// of walls and heaps are not determined, and solvers that go on from there take a thousand times as long.
static const double LOOSE = 1e3, LOOSEST = 1e-7;
static const double FEW_STEPS = 3.0;
static const double STRIKE = 2.0;        // way that others may drive a body, in that of the fastest
static const double DISAGREE = 1e-2;     // of velocities that several iterations do not agree on
static const double ENOUGH_HELP = 0.999; // of a depth: what a pass must get below to be worth going on
static const double ROUND_OFF = 4e-16;   // of a gap's reach: where joints are asked to hold
static const double NEARLY = 1e-3;       // of the depth that a step made, left to the next one

static rico_theta_step step_of(const rico_simulation *sim, double h)
{
    const rico_projection *own = sim->own;
    double theta = rico_scheme_option(sim, RICO_THETA);
    return (rico_theta_step){.h = h,
                             .theta = theta,
                             .weight = theta,
                             .load = sim->vector.load,
                             .correction = own->correction,
                             .impulse = own->jointed ? rico_jointed_impulse(own->jointed) : NULL};
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
            acts = hit || own->violated[c] != RICO_CONTACT_OFF ||
                   (!let_go && (ahead <= 0.0 || (gap <= 0.0 && sim->now.p[row] > 0.0)));
            // HELD: stands for a bounce here
            own->set[c] = sent_back || let_go ? RICO_CONTACT_HELD : RICO_CONTACT_ACTS;
            if (acts) fastest = fmax(fastest, fmax(fabs(after), gap / h));
        }
        sim->active[c] = acts;
    }
    rico_step_largest(sim, 1, &fastest);
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
    rico_step_largest(sim, 1, &gained);
    bool hit = sim->fastest > FEW_STEPS * gained;
    own->contacts.accept = sim->contacts.accept;
    own->contacts.most_sweeps = sim->contacts.most_sweeps;
    sim->contacts.hit = hit;
    double loose = fmax(asked, fmin(LOOSE * asked, LOOSEST));
    sim->contacts.loose = own->contacts.loose = hit ? loose : asked;
    sim->contacts.resort = own->contacts.resort = loose;
}


// Adds max(g_k, 0)/h to the offset of the contacts that do not bounce, and e u_k to that of those that leave and act all the same: the
// law gives them no restitution.
static void add_gaps(rico_simulation *sim, const rico_theta_step *step, double omega)
{
    const rico_projection *own = sim->own;
    const rico_contact_rule *law = rico_step_law(sim);
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *contact = rico_step_constraint(sim, c);
        int64_t row = contact->row;
        if (contact->joint) continue;
        bool bouncing = own->set[c] == RICO_CONTACT_HELD;
        if (bouncing && own->violated[c] != RICO_CONTACT_OFF && sim->u_before[row] > 0.0)
            sim->offset[row] +=
                (law->bias(step->weight, contact->restitution) - law->bias(step->weight, 0.0)) *
                sim->u_before[row];
        if (!bouncing && own->gap[row] > 0.0) sim->offset[row] += omega * own->gap[row] / step->h;
    }
}


// Two iterates agree to newton-tol. Where contacts act, it is enough that its square does: velocities and impulses satisfy the
// equations linearized at the iterate before, which are wrong by the square of the difference; and impulses that are
// not determined may lead elsewhere each time. What is left shows in the residual of the balance. Mechanisms have few contacts, and time for
// more.
static bool settled(const rico_simulation *sim, int n, const double *old, const double *new)
{
    if (rico_theta_settled(sim, old, new)) return true;
    const rico_projection *own = sim->own;
    if (rico_contacts_all_rows(&sim->contacts) == 0 || (own->jointed && n < PATIENT)) return false;
    double most[2] = {0.0, *sim->next.scale}; // of changes, of velocities
    for (int64_t i = 0; i < sim->nv; i++) {
        most[0] = fmax(most[0], fabs(new[i] - old[i]));
        most[1] = fmax(most[1], fmax(fabs(new[i]), fabs(sim->now.v[i])));
    }
    rico_step_largest(sim, 2, most);
    double enough = n < ENOUGH_ITERATIONS ? sqrt(rico_step_option(sim, RICO_STEP_NEWTON_TOL)) : DISAGREE;
    return most[0] <= enough * most[1];
}


// How far bodies may go in the step: contacts are looked for as far as the fastest may strike others. A light one that heavy ones squeeze
// out between them gets any speed, and goes no farther in the step that gives it: the next one looks along its way.
static double longest_way(const rico_simulation *sim, double h, const double *v_free)
{
    double way = 0.0;
    bool any = false;
    for (int64_t k = 0; k < sim->system->part_count; k++) {
        const rico_part *part = sim->system->part[k];
        if (!part->kind->longest) continue;
        way = fmax(way, h * part->kind->longest(part, sim->now.v + part->place.v));
        way = fmax(way, h * part->kind->longest(part, v_free + part->place.v));
        any = true;
    }
    rico_step_largest(sim, 1, &way);
    return any && sim->contacts.joint_rows == 0 ? STRIKE * way : INFINITY;
}


// No body goes farther than `longest` under d; what is lacking is added to `lack`.
static void cut_ways(const rico_simulation *sim, double longest, double *d, double *lack)
{
    for (int64_t k = 0; isfinite(longest) && k < sim->system->part_count; k++) {
        const rico_part *part = sim->system->part[k];
        if (part->kind->cut) part->kind->cut(part, longest, d + part->place.v, lack + part->place.v);
    }
}


static rico_status begin(rico_simulation *sim, const rico_theta_step *step, const double *v_free)
{
    rico_projection *own = sim->own;
    own->contacts.share = sim->share;
    own->metric.group = sim->iteration.group;
    own->way = longest_way(sim, step->h, v_free);
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
    double most[2] = {0.0, 0.0}; // over their reach; depths of contacts and joints
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        set[c] = RICO_CONTACT_OFF;
        if (elastic(sim, c)) continue;
        for (int64_t i = 0; i < (constraint->joint ? constraint->size : 1); i++) {
            int64_t row = constraint->row + i;
            double depth = constraint->joint ? fabs(own->gap[row]) : -own->gap[row];
            if (depth <= 0.0) continue;
            most[0] = fmax(most[0], depth / rico_step_reach(sim, row));
            most[1] = fmax(most[1], depth);
        }
    }
    rico_step_largest(sim, 2, most);
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *contact = rico_step_constraint(sim, c);
        if (!contact->joint && !elastic(sim, c) && own->gap[contact->row] <= most[1])
            set[c] = RICO_CONTACT_ACTS;
    }
    return most[0];
}


// How a pass pushes: bodies turn and shift; they shift alone, out of all contacts; of those that are entered; of those of these that
// cannot give way.
typedef enum push { PUSH_TURNS, PUSH_SHIFTS, PUSH_ENTERED, PUSH_OBSTACLES, PUSHES } push;

static bool ignored(const rico_simulation *sim, int64_t c, push how)
{
    const rico_projection *own = sim->own;
    const rico_constraint *contact = rico_step_constraint(sim, c);
    if (contact->joint) return false;
    if (elastic(sim, c)) return true;
    bool entered = own->gap[contact->row] < 0.0;
    bool obstacle = contact->source < 0 || contact->between.a.part < 0 || contact->between.b.part < 0;
    return (how >= PUSH_ENTERED && !entered) || (how >= PUSH_OBSTACLES && !obstacle);
}


// The rows of a pass at the positions ahead. Those that shift are along no normal against the one of the start of the step, which
// tells the side that a body came from, however deep it is.
static rico_status push_rows(rico_simulation *sim, push how)
{
    rico_assembly *assembly = sim->assembly;
    rico_status status = rico_assembly_frames(assembly, *sim->next.t, sim->vector.ahead);
    for (int64_t c = 0; status == RICO_OK && how != PUSH_TURNS && c < sim->constraints; c++) {
        const rico_constraint *contact = rico_step_constraint(sim, c);
        if (contact->joint || contact->source < 0) continue;
        double *rows = assembly->H.value + assembly->H.start[contact->row];
        if (!rico_points_shift(contact, assembly, *sim->next.t, sim->vector.ahead, how >= PUSH_ENTERED, rows))
            return RICO_SINGULAR;
    }
    return status;
}


static double deepest_of(const rico_simulation *sim, push how)
{
    const rico_projection *own = sim->own;
    double depth = 0.0;
    for (int64_t c = 0; c < sim->constraints; c++)
        if (!ignored(sim, c, how)) depth = fmax(depth, -own->gap[rico_step_constraint(sim, c)->row]);
    rico_step_largest(sim, 1, &depth);
    return depth;
}


static bool flung(const rico_simulation *sim, const double *d)
{
    bool any = false;
    for (int64_t k = 0; !any && k < sim->system->part_count; k++) {
        const rico_part *part = sim->system->part[k];
        any = part->kind->flung && part->kind->flung(part, d + part->place.v);
    }
    return rico_step_anywhere(sim, any);
}


// One pass: the smallest move in the metric that takes every contact out, linearized at the positions ahead. Shifts are measured by their
// lengths: by mass, a light body would be flung out between two heavy ones that approach. RICO_SINGULAR: there is none, or none that
// is worth its equations.
static rico_status pass(rico_simulation *sim, char *set, push how)
{
    rico_projection *own = sim->own;
    bool metric_changed, moving = !sim->system->constant_frames;
    double scale;
    rico_status status = how == PUSH_TURNS ? rico_projection_set_metric(sim, &metric_changed)
                                           : rico_iteration_set_identity(&own->metric, &metric_changed);
    rico_projection_swap_frames(sim);
    if (status == RICO_OK && moving) status = push_rows(sim, how);
    // what has no answer in one share has none
    if (rico_step_anywhere(sim, status == RICO_SINGULAR) && status == RICO_OK) status = RICO_SINGULAR;
    if (status == RICO_OK) {
        for (int64_t i = 0; i < sim->rows; i++) own->offset[i] = own->gap[i] - sim->assembly->w[i];
        for (int64_t c = 0; c < sim->constraints; c++) {
            if (!ignored(sim, c, how)) continue;
            own->offset[rico_step_constraint(sim, c)->row] = INFINITY;
            set[c] = RICO_CONTACT_OFF;
        }
        memset(own->trial, 0, (size_t)sim->nv * sizeof *own->trial);
        memset(own->tau, 0, (size_t)sim->rows * sizeof *own->tau);
        status = rico_contacts_solve_all(&own->contacts, &own->metric, metric_changed || moving, 1.0,
                                         own->offset, own->trial, own->tau, &scale, set, sim->vector.change);
    }
    rico_projection_swap_frames(sim);
    sim->stats.projections++;
    bool joints = sim->contacts.joint_rows > 0;
    if (status == RICO_OK && how == PUSH_TURNS && moving && !joints && flung(sim, own->trial))
        status = RICO_SINGULAR;
    // a shift by more than the depth squeezes a body out to where nobody looked for contacts
    if (status == RICO_OK && how != PUSH_TURNS)
        cut_ways(sim, deepest_of(sim, how), own->trial, sim->vector.change);
    if (status == RICO_OK) rico_axpy(sim->nv, 1.0, own->trial, own->correction);
    return status;
}


// A pass; where no place is outside of all contacts, as they are linearized, one that asks for less: bodies rather enter each other than
// leave their room.
static rico_status pass_somehow(rico_simulation *sim, char *set, push *how)
{
    bool joints = sim->contacts.joint_rows > 0, fixed = sim->system->constant_frames;
    rico_status status = pass(sim, set, *how);
    for (push next = *how + 1; status == RICO_SINGULAR && !joints && !fixed && next < PUSHES; next++) {
        violation(sim, set);
        status = pass(sim, set, next);
        *how = PUSH_SHIFTS;
    }
    return status;
}


// Whether a contact with what cannot give way is entered by more than the tolerance.
static bool in_obstacles(const rico_simulation *sim, double tol)
{
    const rico_projection *own = sim->own;
    bool any = false;
    for (int64_t c = 0; !any && c < sim->constraints; c++) {
        int64_t row = rico_step_constraint(sim, c)->row;
        any = !rico_step_constraint(sim, c)->joint && !ignored(sim, c, PUSH_OBSTACLES) &&
              -own->gap[row] > tol * rico_step_reach(sim, row);
    }
    return rico_step_anywhere(sim, any);
}


// Bodies that are wedged deeper than they can come out of rather enter each other than leave their room.
static rico_status keep_inside(rico_simulation *sim, double h, double tol)
{
    rico_projection *own = sim->own;
    rico_status status = RICO_OK;
    for (int n = 0; status == RICO_OK && n < MOST_VAIN && in_obstacles(sim, tol); n++) {
        violation(sim, own->violated);
        status = pass(sim, own->violated, PUSH_OBSTACLES);
        if (status == RICO_SINGULAR) return RICO_OK; // the breach will be told
        if (status == RICO_OK) status = look(sim, h);
    }
    return status;
}


// Takes away what the step has entered, by passes as long as they help. A body that turns far may come in elsewhere: from there on, all are
// shifted alone. A pass may also show a corner that no contact had seen, and the next one take it out: the best of all is kept.
static rico_status project(rico_simulation *sim, double h)
{
    rico_projection *own = sim->own;
    char *set = own->violated;
    bool joints = sim->contacts.joint_rows > 0;
    double tol = own->jointed ? ROUND_OFF : rico_scheme_option(sim, RICO_THETA_VIOLATION), best = INFINITY,
           first = 0.0;
    double *kept = sim->vector.iterate;
    rico_status status = RICO_OK;
    push how = PUSH_TURNS;
    int vain = 0;
    for (int n = 0; status == RICO_OK; n++) {
        double deepest = violation(sim, set);
        if (n == 0) first = deepest;
        vain = deepest > ENOUGH_HELP * best ? vain + 1 : 0;
        if (deepest < best) {
            best = deepest;
            memcpy(kept, own->correction, (size_t)sim->nv * sizeof *kept);
        }
        // within the tolerance, or all but: the next step sees to the rest; or as near as it gets, for bodies may be wedged
        // deeper than they can come out of
        if (deepest <= fmax(tol, joints ? 0.0 : NEARLY * first) || n == MOST_PASSES ||
            vain == (joints ? 1 : MOST_VAIN))
            break;
        if (vain > 0 && how == PUSH_TURNS) {
            how = PUSH_SHIFTS;
            memcpy(own->correction, kept, (size_t)sim->nv * sizeof *kept);
            status = look(sim, h);
            violation(sim, set);
        }
        if (status == RICO_OK) status = pass_somehow(sim, set, &how);
        if (status == RICO_SINGULAR && !joints) {
            status = RICO_OK; // no place is outside of all of them: the breach will be told
            break;
        }
        if (status == RICO_OK) status = look(sim, h);
    }
    if (status == RICO_OK && vain > 0) {
        memcpy(own->correction, kept, (size_t)sim->nv * sizeof *kept);
        status = look(sim, h);
    }
    double enough = fmax(tol, NEARLY * first);
    return status == RICO_OK && best > enough && !joints ? keep_inside(sim, h, enough) : status;
}


// Marks the contacts that were left out and that others have driven bodies into: they come in faster than the law would let them, and are
// entered at the positions ahead. True: there are such.
static bool driven_in(rico_simulation *sim, char *entered)
{
    const rico_projection *own = sim->own;
    bool any = false;
    if (sim->impacts) return false; // that law's business
    rico_step_end_velocity(sim, sim->next.v, sim->u_after);
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *contact = rico_step_constraint(sim, c);
        int64_t row = contact->row;
        if (contact->joint || sim->active[c] || entered[c] || !(own->gap[row] < 0.0)) continue;
        bool law = own->set[c] == RICO_CONTACT_HELD;
        double least = law ? -contact->restitution * sim->u_before[row] : 0.0;
        if (!(sim->u_after[row] < fmin(least, 0.0))) continue;
        entered[c] = RICO_CONTACT_ACTS;
        any = true;
    }
    return rico_step_anywhere(sim, any);
}


// Velocities and impulses. What a contact that was left out is driven into by others acts in another solve, by its own law: one that leaves
// at u_k and may come back at e u_k works by (u_k + u_{k+1}) p / 2 <= 0 and, at theta = 1/2, does not close.
rico_status rico_projected_move(rico_simulation *sim, double h)
{
    static const rico_theta_ways WAYS = {.activate = begin, .offset = add_gaps, .settled = settled};
    const rico_theta_step step = step_of(sim, h);
    rico_projection *own = sim->own;
    rico_status status = RICO_OK;
    memset(own->violated, RICO_CONTACT_OFF, (size_t)sim->constraints * sizeof *own->violated);
    for (int n = 0; n < MOST_SOLVES; n++) {
        if (n > 0) status = rico_step_frames(sim, h, sim->now.q);
        if (status == RICO_OK) status = rico_assembly_gaps(sim->assembly, *sim->now.t, sim->now.q, own->gap);
        if (!own->jointed) memset(own->correction, 0, (size_t)sim->nv * sizeof *own->correction);
        if (status == RICO_OK) status = rico_theta_newton(sim, &step, &WAYS);
        if (status == RICO_OK && isfinite(own->way)) {
            rico_theta_displacement(sim, &step, sim->next.v, sim->vector.displacement);
            cut_ways(sim, own->way, sim->vector.displacement, own->correction);
        }
        if (status == RICO_OK) status = look(sim, h);
        if (status != RICO_OK || !driven_in(sim, own->violated)) break;
    }
    return status;
}


rico_status rico_projected_project(rico_simulation *sim, double h)
{
    rico_projection *own = sim->own;
    memset(own->correction, 0, (size_t)sim->nv * sizeof *own->correction);
    rico_status status = look(sim, h);
    return status == RICO_OK ? project(sim, h) : status;
}


static rico_status advance(rico_simulation *sim, double h)
{
    double t = *sim->now.t, theta = rico_scheme_option(sim, RICO_THETA);
    rico_status status = rico_step_load(sim, t, h, theta, sim->vector.load, sim->vector.mean);
    if (status == RICO_OK) status = rico_step_frames(sim, h, sim->now.q);
    if (status == RICO_OK) status = rico_projected_move(sim, h);

    if (status == RICO_OK) status = project(sim, h);
    if (status != RICO_OK) return status;
    rico_step_end_velocity(sim, sim->next.v, sim->u_after);
    memcpy(sim->next.q, sim->vector.ahead, (size_t)sim->nq * sizeof *sim->next.q);
    return RICO_OK;
}


// The step first, along h v_theta and as Moreau and Jean's; then the projection: what it changes of the potential, and what it
// takes from the loads, whose work is booked along the displacement that happens.
rico_status rico_projected_book(rico_simulation *sim, double h)
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
    double lifted = rico_step_dot(sim, own->correction, step.load);
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
     .boxes = true,
     .laws = true,
     .shares = true,
     .create = rico_projection_create,
     .resize = rico_projection_resize,
     .destroy = rico_projection_destroy,
     .check = rico_projection_check,
     .advance = advance,
     .book = rico_projected_book},
};
const int rico_projected_scheme_count = sizeof rico_projected_schemes / sizeof *rico_projected_schemes;
