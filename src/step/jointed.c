// The midpoint rule for mechanisms: joints hold at positions and at velocities, and the energy is kept.
//
//     M (v_{k+1} - v_k) = h [ load_{1/2} + F_{1/2} ] + H_m p + z,     q_{k+1} = q_k + h v_{1/2} + c,     c = A^-1 H_m tau,
//     G_{k+1} v_{k+1} + w_{k+1} = 0,     g(q_{k+1}) = 0,
//
// with the rows H_m half way and A the iteration matrix. A step without contacts is Newton's loop on these equations: with H_m in both
// places, by one sparse Cholesky factor, as long as that is quick. It is not where a mechanism passes a position in which rows depend on
// each other: of H_m and G one may be near such a position and the other not. Then velocities and positions are found at once, with both rows as
// they are and as they turn (joint_newton.h), first with all that rows say, and then with less and less of what they hardly determine.
// Rows that depend on others everywhere share impulses of least norm.
//
// z keeps the energy: joints at rest should not work, but rows that turn within a step do, (G v)_{1/2}'p, and so do corrections of
// positions against the forces, -c'f. Both are of third order in h; z = -M v_{1/2} eps / |v_{1/2}|_M^2 takes the sum eps back from the
// mechanism that made it. Mechanisms are what joints connect; one that hangs on nothing is left alone, for z would change its momentum, and
// so is one that is driven.
//
// A step in which a contact is closed, or would close, or joints have friction or bounded motors, is done as moreau-jean-projected does it, again and again with the correction that
// its projection asks for.

#include "step/jointed.h"

#include "la/dense.h"
#include "model/body_joints.h"
#include "step/registry.h"

#include <math.h>
#include <string.h>

enum { ENERGY = RICO_THETA_OPTIONS, OPTIONS, MOST_ROUNDS = 12 };
// Of the energy that a mechanism has, to be put right in one step: beyond, the step is too long anyway.
static const double MOST_ENERGY = 0.1;


void rico_jointed_destroy(rico_context *ctx, struct rico_jointed *jointed)
{
    if (!jointed) return;
    rico_joint_response_destroy(&jointed->response);
    rico_joint_newton_destroy(&jointed->newton);
    rico_turning_destroy(&jointed->turning);
    void *all[] = {jointed->mechanism, jointed->wrong, jointed->kinetic, jointed->impulse,
                   jointed->force,     jointed->law,   jointed->turn,    jointed};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
}


const double *rico_jointed_impulse(const struct rico_jointed *jointed)
{
    return jointed->impulse;
}


// --- mechanisms ----------------------------------------------------------------------------------------------------

static int64_t root_of(int64_t *parent, int64_t i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}


static void join(int64_t *parent, int64_t i, int64_t j)
{
    i = root_of(parent, i), j = root_of(parent, j);
    if (i != j) parent[i > j ? i : j] = i > j ? j : i;
}


// A joint with the world, or with a body that does not move freely. Of formulas nobody knows what they are relative to: they count as such.
static bool hangs(const rico_system *system, int64_t constraint)
{
    const rico_bound_joint *joint = rico_bound_joint_of(system, constraint);
    for (int k = 0; joint && k < joint->pairs; k++)
        if (joint->pair[k].column[0] < 0 || joint->pair[k].column[1] < 0) return true;
    return joint == NULL;
}


// Numbers the mechanisms that hang on something. Velocities that a joint, the mass or a spring connects are of one.
static rico_status find_mechanisms(rico_simulation *sim, struct rico_jointed *jointed)
{
    const rico_system *system = sim->system;
    const rico_csc *A = &system->pattern;
    int64_t n = sim->nv, *parent = rico_alloc(sim->ctx, n, sizeof *parent), *number = jointed->mechanism;
    if (!parent) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < n; i++) {
        parent[i] = i;
        number[i] = -1;
    }
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) join(parent, j, A->row[k]);
    for (int64_t c = 0; c < system->constraint_count; c++) {
        const rico_constraint *joint = system->constraint[c];
        for (int64_t i = 1; joint->joint && i < joint->dof_count; i++)
            join(parent, joint->dof[0], joint->dof[i]);
    }
    for (int64_t c = 0; c < system->constraint_count; c++) {
        const rico_constraint *joint = system->constraint[c];
        if (!joint->joint || joint->dof_count == 0 || !hangs(system, c)) continue;
        int64_t root = root_of(parent, joint->dof[0]);
        if (number[root] < 0) number[root] = jointed->mechanisms++;
    }
    // what is driven takes work from its drive, by corrections too
    for (int64_t c = 0; c < system->constraint_count; c++) {
        const rico_constraint *joint = system->constraint[c];
        if (joint->joint && joint->moves && joint->dof_count > 0) number[root_of(parent, joint->dof[0])] = -1;
    }
    for (int64_t i = 0; i < n; i++) number[i] = number[root_of(parent, i)];
    rico_free(sim->ctx, parent);
    return RICO_OK;
}


static rico_status create(rico_simulation *sim)
{
    rico_context *ctx = sim->ctx;
    rico_status status = rico_projection_create(sim);
    if (status != RICO_OK) return status;
    rico_projection *own = sim->own;
    struct rico_jointed *jointed = own->jointed = rico_alloc(ctx, 1, sizeof *jointed);
    if (!jointed) return RICO_NO_MEMORY;
    int64_t rows = 0;
    for (int64_t c = 0; c < sim->system->constraint_count; c++)
        if (sim->system->constraint[c]->joint) rows += sim->system->constraint[c]->size;
    bool whole = (jointed->mechanism = rico_alloc(ctx, sim->nv, sizeof *jointed->mechanism)) &&
                 (jointed->impulse = rico_alloc(ctx, sim->nv, sizeof *jointed->impulse)) &&
                 (jointed->force = rico_alloc(ctx, sim->nv, sizeof *jointed->force)) &&
                 (jointed->law = rico_alloc(ctx, rows, sizeof *jointed->law));
    if (!whole) return RICO_NO_MEMORY;
    status = find_mechanisms(sim, jointed);
    if (status != RICO_OK) return status;
    jointed->wrong = rico_alloc(ctx, jointed->mechanisms, sizeof *jointed->wrong);
    jointed->kinetic = rico_alloc(ctx, jointed->mechanisms, sizeof *jointed->kinetic);
    return jointed->wrong && jointed->kinetic ? RICO_OK : RICO_NO_MEMORY;
}


rico_theta_step rico_jointed_step_of(const rico_simulation *sim, double h)
{
    const rico_projection *own = sim->own;
    double theta = rico_scheme_option(sim, RICO_THETA);
    return (rico_theta_step){.h = h,
                             .theta = theta,
                             .weight = theta,
                             .load = sim->vector.load,
                             .correction = own->correction,
                             .impulse = own->jointed->impulse};
}


// --- energy --------------------------------------------------------------------------------------------------------

// What joints work of each mechanism in the step, with the rows half way in place.
static void add_joint_works(const rico_simulation *sim, const double *v_mean)
{
    const rico_projection *own = sim->own;
    struct rico_jointed *jointed = own->jointed;
    const rico_csc *H = &sim->assembly->H;
    for (int64_t i = 0; i < sim->contacts.joint_rows; i++) {
        int64_t row = sim->contacts.row[i], first = H->start[row];
        if (first == H->start[row + 1] || jointed->mechanism[H->row[first]] < 0) continue;
        double speed = 0.5 * (sim->w_before[row] + sim->w_after[row]);
        for (int64_t k = first; k < H->start[row + 1]; k++) speed += H->value[k] * v_mean[H->row[k]];
        jointed->wrong[jointed->mechanism[H->row[first]]] += speed * sim->next.p[row];
    }
}


void rico_jointed_keep_energy(rico_simulation *sim, const double *f)
{
    rico_projection *own = sim->own;
    struct rico_jointed *jointed = own->jointed;
    double *mean = sim->vector.mean, *momentum = sim->vector.change;
    if (rico_scheme_option(sim, ENERGY) != 0.0 || rico_scheme_option(sim, RICO_THETA) != 0.5) return;
    memset(jointed->wrong, 0, (size_t)jointed->mechanisms * sizeof *jointed->wrong);
    memset(jointed->kinetic, 0, (size_t)jointed->mechanisms * sizeof *jointed->kinetic);
    memset(momentum, 0, (size_t)sim->nv * sizeof *momentum);
    rico_theta_blend(sim, 0.5, sim->next.v, mean);
    rico_assembly_multiply(sim->assembly, sim->assembly->M, 1.0, mean, momentum);
    add_joint_works(sim, mean);
    for (int64_t i = 0; i < sim->nv; i++) {
        int64_t a = jointed->mechanism[i];
        if (a < 0) continue;
        jointed->kinetic[a] += mean[i] * momentum[i];
        if (f) jointed->wrong[a] -= own->correction[i] * f[i];
    }
    for (int64_t i = 0; i < sim->nv; i++) {
        int64_t a = jointed->mechanism[i];
        bool little = a >= 0 && fabs(jointed->wrong[a]) <= MOST_ENERGY * jointed->kinetic[a];
        jointed->impulse[i] =
            little && jointed->wrong[a] != 0.0 ? -jointed->wrong[a] / jointed->kinetic[a] * momentum[i] : 0.0;
    }
}


// --- contacts ------------------------------------------------------------------------------------------------------

// Whether a contact is closed at the gaps in own->gap, or an impact is due.
static bool touches(const rico_simulation *sim)
{
    const rico_projection *own = sim->own;
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *contact = rico_step_constraint(sim, c);
        if (contact->joint) continue;
        if (own->gap[contact->row] <= 0.0 || (sim->impacts && sim->hit[c])) return true;
    }
    return false;
}


// The step of moreau-jean-projected, until the correction that it is done with is the one that it asks for.
static rico_status strike(rico_simulation *sim, double h)
{
    rico_projection *own = sim->own;
    bool joints = sim->contacts.joint_rows > 0 && !own->jointed->eased;
    double tol = rico_step_option(sim, RICO_STEP_NEWTON_TOL), *was = sim->vector.column,
           *d = sim->vector.displacement;
    memset(own->correction, 0, (size_t)sim->nv * sizeof *own->correction);
    memset(own->jointed->impulse, 0, (size_t)sim->nv * sizeof *own->jointed->impulse);
    rico_status status = RICO_OK;
    bool settled = !joints;
    for (int n = 0; status == RICO_OK && n < MOST_ROUNDS; n++) {
        status = rico_step_frames(sim, h, sim->now.q);
        if (status == RICO_OK) status = rico_projected_move(sim, h);
        memcpy(was, own->correction, (size_t)sim->nv * sizeof *was);
        if (status == RICO_OK) status = rico_projected_project(sim, h);
        if (status != RICO_OK || !joints) break;
        double change = 0.0, size = 0.0;
        for (int64_t i = 0; i < sim->nv; i++) {
            change = fmax(change, fabs(own->correction[i] - was[i]) / h);
            size = fmax(size, fmax(fabs(sim->next.v[i]), fabs(sim->now.v[i])));
        }
        settled = change <= fmax(tol * size, rico_theta_floor(sim));
        if (settled) break;
    }
    if (status == RICO_OK && !settled)
        status = rico_fail(sim->ctx, RICO_SINGULAR,
                           "the correction of positions does not settle; take a smaller step");
    if (status != RICO_OK || !joints) return status;
    return rico_step_frames_again(sim, h, sim->vector.ahead, d, sim->next.v);
}


// A pin in a hole that is small beside its way in the step has a normal that turns as fast as Newton's loop does, half way of the step: then
// the step is that of moreau-jean-projected, with the one of the start, and booked as that.
static rico_status strike_any_way(rico_simulation *sim, double h)
{
    const rico_projection *own = sim->own;
    double *frames = &sim->option[RICO_STEP_FRAMES];
    rico_status status = strike(sim, h);
    if (status != RICO_SINGULAR || *frames != RICO_FRAMES_MIDDLE) return status;
    *frames = RICO_FRAMES_START;
    own->jointed->eased = true;
    return strike(sim, h);
}


static void back_to_middle(rico_simulation *sim)
{
    const rico_projection *own = sim->own;
    if (own->jointed->eased) sim->option[RICO_STEP_FRAMES] = RICO_FRAMES_MIDDLE;
    own->jointed->eased = false;
}


static rico_status advance(rico_simulation *sim, double h)
{
    rico_projection *own = sim->own;
    double t = *sim->now.t, theta = rico_scheme_option(sim, RICO_THETA);
    sim->stats.newton_last = 0;
    back_to_middle(sim);
    rico_status status = rico_step_load(sim, t, h, theta, sim->vector.load, sim->vector.mean);
    if (status == RICO_OK) status = rico_step_frames(sim, h, sim->now.q);
    if (status == RICO_OK) status = rico_assembly_gaps(sim->assembly, t, sim->now.q, own->gap);
    if (status != RICO_OK) return status;
    for (int64_t c = 0; c < sim->constraints; c++) sim->active[c] = rico_step_constraint(sim, c)->joint;
    rico_contacts_activate(&sim->contacts, sim->active);
    bool contact = sim->contacts.joint_rows == 0 || sim->contacts.boxes || touches(sim);
    if (!contact) {
        status = rico_jointed_swing(sim, h);
        contact = status == RICO_OK && touches(sim);
    }
    if (contact) status = strike_any_way(sim, h);
    if (status != RICO_OK) return status;
    rico_step_end_velocity(sim, sim->next.v, sim->u_after);
    memcpy(sim->next.q, sim->vector.ahead, (size_t)sim->nq * sizeof *sim->next.q);
    return RICO_OK;
}


static rico_status book(rico_simulation *sim, double h)
{
    const rico_projection *own = sim->own;
    const rico_theta_step step = rico_jointed_step_of(sim, h);
    if (sim->contacts.joint_rows == 0 || own->jointed->eased) {
        rico_status status = rico_projected_book(sim, h);
        back_to_middle(sim);
        return status;
    }
    rico_theta_displacement(sim, &step, sim->next.v, sim->vector.displacement);
    rico_status status = rico_theta_book(sim, &step);
    rico_theta_blend(sim, step.weight, sim->next.v, sim->vector.mean);
    sim->ledger.numerical[2] = rico_dot(sim->nv, sim->vector.mean, own->jointed->impulse);
    return status;
}


const rico_scheme rico_jointed_schemes[] = {
    {.info = {.name = "midpoint-joints",
              .summary =
                  "the midpoint rule with joints held at positions and velocities and the energy kept; "
                  "the default of scenes with joints",
              .reference = "docs/theory/mechanisms.md; Acary 2012; Gonzalez 1999",
              .identity =
                  "dE = dq'F_theta - h v_theta'C v_theta + (1/2-theta)(|dv|_M^2 + |dq|_K^2) + u_theta'p "
                  "+ c'(K q_theta - F_theta) + v_theta'z",
              .numerical = {"(1/2-theta)|dv|_M^2", "(1/2-theta)|dq|_K^2", "v_theta'z of joints"},
              .option_count = OPTIONS,
              .options = rico_jointed_options,
              .order = 2},
     .default_frames = RICO_FRAMES_MIDDLE,
     .approach = true,
     .impacts = true,
     .middle = true,
     .boxes = true,
     .laws = true,
     .create = create,
     .resize = rico_projection_resize,
     .destroy = rico_projection_destroy,
     .check = rico_projection_check,
     .advance = advance,
     .book = book},
};
const int rico_jointed_scheme_count = sizeof rico_jointed_schemes / sizeof *rico_jointed_schemes;
