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
// A step in which a contact is closed, or would close, is done as moreau-jean-projected does it, again and again with the correction that
// its projection asks for.

#include "la/dense.h"
#include "model/body_joints.h"
#include "model/turning.h"
#include "step/joint_newton.h"
#include "step/joint_response.h"
#include "step/projection.h"
#include "step/registry.h"

#include <math.h>
#include <string.h>

enum { ENERGY = RICO_THETA_OPTIONS, OPTIONS, MOST_ROUNDS = 12, RESTLESS = 6, QUICK = 20, SHARES = 3 };
static const double SLOW = 0.5;        // contraction of Newton's loop that is not worth going on with
static const double ROUND_OFF = 2e-15; // of gaps and velocities, over their terms
static const double LOOSE = 1e-4;      // of velocities that no row determines
static const double MOST_ENERGY =
    0.1; // of what a mechanism has, to be put right in one step: beyond, the step is too long anyway

struct rico_jointed {
    int64_t mechanisms;
    int64_t *mechanism;      // of each velocity; -1: no joint reaches it, or it hangs on nothing
    double *wrong, *kinetic; // of each mechanism: energy of joints and corrections; v'M v half way
    double *impulse;         // z, velocities
    double *force;           // loads and forces half way
    double *law;             // joints' rows: G v + w without impulses, or g
    rico_joint_response response;
    rico_joint_newton newton; // made when the first step needs it, as what follows
    rico_turning_space turning;
    double *turn; // D on the pattern of the joints' H, and work space behind it
    int64_t turns;
};


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


static rico_theta_step step_of(const rico_simulation *sim, double h)
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


// z from velocities, impulses and correction of an iterate; f: the forces half way, or NULL where corrections are contacts' too.
static void keep_energy(rico_simulation *sim, const double *f)
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


// --- a step without contacts ---------------------------------------------------------------------------------------

// vector.ahead and the gaps there, for the velocity v and the correction as it stands; d: the displacement.
static rico_status look(rico_simulation *sim, double h, const double *v, double *d)
{
    rico_projection *own = sim->own;
    const rico_theta_step step = step_of(sim, h);
    rico_theta_displacement(sim, &step, v, d);
    rico_status status =
        rico_assembly_retract(sim->assembly, *sim->now.t, sim->now.q, 1.0, d, sim->vector.ahead);
    if (status == RICO_OK)
        status = rico_assembly_gaps(sim->assembly, *sim->next.t, sim->vector.ahead, own->gap);
    return status;
}


// Rows of the laws at vector.ahead into own->frame, rows of impulses half way into the assembly.
static rico_status rows_of_iterate(rico_simulation *sim, double h, const double *d)
{
    double t = *sim->now.t, *half = sim->vector.half;
    rico_projection_swap_frames(sim);
    rico_status status = rico_assembly_frames(sim->assembly, *sim->next.t, sim->vector.ahead);
    if (status == RICO_OK) status = rico_assembly_rates(sim->assembly, *sim->next.t, sim->vector.ahead);
    if (status == RICO_OK) memcpy(sim->w_after, sim->assembly->w, (size_t)sim->rows * sizeof *sim->w_after);
    rico_projection_swap_frames(sim);
    if (status == RICO_OK) status = rico_assembly_retract(sim->assembly, t, sim->now.q, 0.5, d, half);
    if (status == RICO_OK) status = rico_assembly_frames(sim->assembly, t + 0.5 * h, half);
    return status;
}


// law = G x + add over the joints' rows, and the largest of its terms.
static double law_of(rico_simulation *sim, const double *x, const double *add)
{
    rico_projection *own = sim->own;
    const rico_csc *H = &sim->assembly->H;
    double largest = 0.0;
    for (int64_t i = 0; i < sim->contacts.joint_rows; i++) {
        int64_t row = sim->contacts.row[i];
        double sum = add[row], terms = fabs(sum);
        for (int64_t k = H->start[row]; k < H->start[row + 1]; k++) {
            sum += own->frame[k] * x[H->row[k]];
            terms += fabs(own->frame[k] * x[H->row[k]]);
        }
        own->jointed->law[i] = sum;
        largest = fmax(largest, terms);
    }
    return largest;
}


// The largest of the joints' gaps over their reach, and whose it is.
static double violation(const rico_simulation *sim, int64_t *whose)
{
    const rico_projection *own = sim->own;
    double largest = 0.0;
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *joint = rico_step_constraint(sim, c);
        for (int64_t i = joint->row; joint->joint && i < joint->row + joint->size; i++) {
            if (fabs(own->gap[i]) <= largest * rico_step_reach(sim, i)) continue;
            largest = fabs(own->gap[i]) / rico_step_reach(sim, i);
            *whose = c;
        }
    }
    return largest;
}


// Rows and right-hand side of an iteration at the iterate in next.v, next.p and own->correction.
static rico_status linearize(rico_simulation *sim, double h)
{
    rico_projection *own = sim->own;
    struct rico_jointed *jointed = own->jointed;
    const rico_theta_step step = step_of(sim, h);
    double *right = sim->vector.right, *work = sim->vector.change;
    bool changed;
    rico_status status = rico_theta_residual(sim, &step, sim->next.v, right, sim->vector.mean, work);
    if (status != RICO_OK) return status;
    for (int64_t i = 0; i < sim->nv; i++) {
        work[i] = sim->next.v[i] - sim->now.v[i];
        jointed->force[i] = (right[i] - jointed->impulse[i]) / h;
    }
    rico_assembly_multiply(sim->assembly, sim->assembly->M, 1.0 / h, work, jointed->force);
    status = rico_theta_matrix(sim, &step, &changed);
    if (status == RICO_OK) status = look(sim, h, sim->next.v, sim->vector.displacement);
    if (status == RICO_OK) status = rows_of_iterate(sim, h, sim->vector.displacement);
    if (status == RICO_OK) rico_csc_times(&sim->assembly->H, 1.0, sim->next.p, 1.0, right);
    if (status == RICO_OK) *sim->next.scale = law_of(sim, sim->next.v, sim->w_after);
    return status;
}


// Velocities, impulses and correction from those of the iterate, which they replace: velocities first, then positions that they lead
// to, with the rows half way in the place of those at the end.
static rico_status improve(rico_simulation *sim, double h)
{
    rico_projection *own = sim->own;
    struct rico_jointed *jointed = own->jointed;
    int64_t rows = sim->contacts.joint_rows, *row = sim->contacts.row;
    double *right = sim->vector.right, *x = sim->vector.change;
    rico_status status = linearize(sim, h);
    if (status == RICO_OK)
        status =
            rico_joint_response_prepare(&jointed->response, &sim->iteration, &sim->assembly->H, rows, row);
    if (status == RICO_OK)
        status = rico_joint_response_solve(&jointed->response, right, jointed->law, x, own->tau);
    if (status != RICO_OK) return status;
    rico_axpy(sim->nv, 1.0, x, sim->next.v);
    for (int64_t i = 0; i < rows; i++) sim->next.p[row[i]] += own->tau[i];

    status = look(sim, h, sim->next.v, sim->vector.displacement);
    if (status != RICO_OK) return status;
    for (int64_t i = 0; i < rows; i++) jointed->law[i] = own->gap[row[i]];
    memset(right, 0, (size_t)sim->nv * sizeof *right);
    status = rico_joint_response_solve(&jointed->response, right, jointed->law, x, NULL);
    if (status == RICO_OK) rico_axpy(sim->nv, 1.0, x, own->correction);
    return status;
}


// D = d(G v + w)/dq at vector.ahead, on the pattern of H.
static rico_status turn_rows(rico_simulation *sim, double h)
{
    rico_projection *own = sim->own;
    struct rico_jointed *jointed = own->jointed;
    const rico_csc *H = &sim->assembly->H;
    rico_status status = RICO_OK;
    if (!jointed->turn) {
        int64_t entries = 1, longest = 1;
        for (int64_t c = 0; c < sim->system->constraint_count; c++) {
            const rico_constraint *joint = sim->system->constraint[c];
            entries += joint->dof_count * joint->size;
            if (joint->dof_count > longest) longest = joint->dof_count;
        }
        jointed->turn = rico_alloc(sim->ctx, 3 * entries + 2 * longest + H->cols, sizeof *jointed->turn);
        jointed->turns = entries;
        status = jointed->turn ? rico_turning_create(sim->assembly, &jointed->turning) : RICO_NO_MEMORY;
    }
    if (status == RICO_OK) status = rico_turning_reserve(sim->assembly, &jointed->turning);
    double *spare = jointed->turn + jointed->turns;
    for (int64_t c = 0; status == RICO_OK && c < sim->constraints; c++) {
        const rico_constraint *joint = rico_step_constraint(sim, c);
        if (!joint->joint) continue;
        double *v = spare + 2 * jointed->turns, *a = v + joint->dof_count;
        for (int64_t i = 0; i < joint->dof_count; i++) {
            v[i] = sim->next.v[joint->dof[i]];
            a[i] = 0.0;
        }
        rico_turning x = {.v = v,
                          .a = a,
                          .gamma = own->tau,
                          .Dv = jointed->turn + H->start[joint->row],
                          .Da = spare,
                          .Cv = spare + jointed->turns};
        status =
            rico_assembly_turn(sim->assembly, &jointed->turning, c, *sim->next.t, sim->vector.ahead, h, &x);
    }
    return status;
}


// Whether an iterate leaves no more of its equations than round-off. Where rows determine less than velocities and positions, it need not be
// the last that Newton's loop would stay at, and the first one is nearest to the branch that the step began on.
static bool solved(const rico_simulation *sim, double h)
{
    const rico_projection *own = sim->own;
    const struct rico_jointed *jointed = own->jointed;
    int64_t whose;
    double tol = 0.1 * rico_step_option(sim, RICO_STEP_NEWTON_TOL);
    double force = h * rico_norm_inf(sim->nv, jointed->force);
    for (int64_t i = 0; i < sim->nv; i++)
        force = fmax(force, fabs(h * jointed->force[i] - sim->vector.right[i]));
    return rico_norm_inf(sim->contacts.joint_rows, jointed->law) <= tol * *sim->next.scale &&
           rico_norm_inf(sim->nv, sim->vector.right) <= tol * force && violation(sim, &whose) <= tol;
}


// The same at once, with the rows as they are and as they turn. *done: there was nothing left to improve.
static rico_status improve_at_once(rico_simulation *sim, double h, double stand_in, bool *done)
{
    rico_projection *own = sim->own;
    struct rico_jointed *jointed = own->jointed;
    int64_t rows = sim->contacts.joint_rows, *row = sim->contacts.row;
    double *x = sim->vector.change, *dc = sim->vector.column;
    rico_status status = linearize(sim, h);
    *done = status == RICO_OK && solved(sim, h);
    if (*done) return RICO_OK;
    if (status == RICO_OK) status = turn_rows(sim, h);
    if (status == RICO_OK)
        status = rico_joint_newton_prepare(&jointed->newton, &sim->iteration, &sim->assembly->H, own->frame,
                                           jointed->turn, h, stand_in, rows, row);
    if (status != RICO_OK) return status;
    // what is round-off is nothing: near such positions rows make much of it
    for (int64_t i = 0; i < rows; i++) {
        double gap = own->gap[row[i]];
        own->offset[i] = fabs(gap) <= ROUND_OFF * rico_step_reach(sim, row[i]) ? 0.0 : gap;
        if (fabs(jointed->law[i]) <= ROUND_OFF * *sim->next.scale) jointed->law[i] = 0.0;
    }
    status = rico_joint_newton_solve(&jointed->newton, h, sim->vector.right, jointed->law, own->offset, x, dc,
                                     own->tau);
    if (status != RICO_OK) return status;
    rico_axpy(sim->nv, 1.0, x, sim->next.v);
    rico_axpy(sim->nv, 1.0, dc, own->correction);
    for (int64_t i = 0; i < rows; i++) sim->next.p[row[i]] += own->tau[i];
    return RICO_OK;
}


// Of impulses that do the same, the least. Rows at the end of a step do not follow from each other as those half way do, before an iteration has
// settled, and what they ask beyond goes into impulses that do nothing.
static rico_status share(rico_simulation *sim, bool prepared)
{
    rico_projection *own = sim->own;
    struct rico_jointed *jointed = own->jointed;
    int64_t rows = sim->contacts.joint_rows, *row = sim->contacts.row;
    double *right = sim->vector.right, *x = sim->vector.change, *least = own->offset;
    rico_status status = RICO_OK;
    if (jointed->response.redundant <= 0) return RICO_OK;
    if (!prepared)
        status =
            rico_joint_response_prepare(&jointed->response, &sim->iteration, &sim->assembly->H, rows, row);
    memset(least, 0, (size_t)sim->rows * sizeof *least);
    for (int n = 0; status == RICO_OK && n < SHARES; n++) {
        rico_csc_times(&sim->assembly->H, -1.0, sim->next.p, 0.0, right);
        rico_csc_times(&sim->assembly->H, 1.0, least, 1.0, right);
        status = rico_joint_response_solve(&jointed->response, right, NULL, x, own->tau);
        for (int64_t i = 0; status == RICO_OK && i < rows; i++) least[row[i]] += own->tau[i];
    }
    if (status == RICO_OK) memcpy(sim->next.p, least, (size_t)sim->rows * sizeof *least);
    return status;
}


static rico_status give_up(rico_simulation *sim)
{
    int64_t whose = 0;
    double left = violation(sim, &whose);
    if (left <= rico_scheme_option(sim, RICO_THETA_VIOLATION))
        return rico_theta_unsettled(sim, QUICK, sim->vector.iterate, sim->next.v, "take a smaller step");
    return rico_fail(
        sim->ctx, RICO_SINGULAR,
        "positions cannot be brought onto the joints in %d iterations: %s is left open by %.3g of "
        "the size of its terms; joints that contradict each other, a mechanism that is locked, or "
        "a step that is too long do that",
        QUICK, rico_step_constraint(sim, whose)->name, left);
}


// What relative velocities at the end have beyond those of the rows half way: contact works and events read it.
static void tell_end_velocity(rico_simulation *sim)
{
    const rico_projection *own = sim->own;
    const rico_csc *H = &sim->assembly->H;
    for (int64_t i = 0; i < sim->rows; i++) {
        sim->shift[i] = 0.0;
        for (int64_t k = H->start[i]; k < H->start[i + 1]; k++)
            sim->shift[i] += (own->frame[k] - H->value[k]) * sim->next.v[H->row[k]];
    }
    sim->shifted = true;
}


// Largest change of the last iteration; the first one tells the velocities that it is measured by, for later ones may run away.
static double change_of(const rico_simulation *sim, double h, const double *old, const double *was,
                        bool first, double *size)
{
    const rico_projection *own = sim->own;
    double change = 0.0;
    for (int64_t i = 0; i < sim->nv; i++) {
        change = fmax(change, fabs(sim->next.v[i] - old[i]) + fabs(own->correction[i] - was[i]) / h);
        if (first) *size = fmax(*size, fmax(fabs(sim->next.v[i]), fabs(sim->now.v[i])));
    }
    return isfinite(change) ? change : INFINITY;
}


// The velocity that rows at the start of the step lead to: where those at the end determine less, it tells the branch.
static rico_status predict(rico_simulation *sim, double h)
{
    rico_projection *own = sim->own;
    struct rico_jointed *jointed = own->jointed;
    const rico_theta_step step = step_of(sim, h);
    double *x = sim->vector.change;
    bool changed;
    rico_status status = rico_step_frames(sim, h, sim->now.q);
    if (status == RICO_OK)
        status = rico_theta_residual(sim, &step, sim->next.v, sim->vector.right, sim->vector.mean, x);
    if (status == RICO_OK) status = rico_theta_matrix(sim, &step, &changed);
    if (status == RICO_OK)
        status = rico_joint_response_prepare(&jointed->response, &sim->iteration, &sim->assembly->H,
                                             sim->contacts.joint_rows, sim->contacts.row);
    if (status != RICO_OK) return status;
    rico_projection_swap_frames(sim);
    memcpy(sim->assembly->H.value, own->frame,
           (size_t)rico_csc_count(&sim->assembly->H) * sizeof *own->frame);
    rico_projection_swap_frames(sim);
    law_of(sim, sim->next.v, sim->assembly->w);
    status = rico_joint_response_solve(&jointed->response, sim->vector.right, jointed->law, x, own->tau);
    if (status != RICO_OK) return status;
    rico_axpy(sim->nv, 1.0, x, sim->next.v);
    for (int64_t i = 0; i < sim->contacts.joint_rows; i++) sim->next.p[sim->contacts.row[i]] = own->tau[i];
    return RICO_OK;
}


// Newton's loop over joints alone; stand_in: velocities and positions at once (joint_newton.h), 0: one after the other. *settled: it has; a
// loop that approaches nothing is given up early.
static rico_status iterate(rico_simulation *sim, double h, double stand_in, bool *settled)
{
    rico_projection *own = sim->own;
    double *old = sim->vector.iterate, *was = own->trial, *d = sim->vector.displacement;
    double tol = rico_step_option(sim, RICO_STEP_NEWTON_TOL), last = INFINITY, size = 0.0;
    int most = (int)rico_step_option(sim, RICO_STEP_NEWTON_MAX), n = 0;
    bool at_once = stand_in > 0.0;
    memcpy(sim->next.v, sim->now.v, (size_t)sim->nv * sizeof *sim->next.v);
    memset(sim->next.p, 0, (size_t)sim->rows * sizeof *sim->next.p);
    memset(own->correction, 0, (size_t)sim->nv * sizeof *own->correction);
    memset(own->jointed->impulse, 0, (size_t)sim->nv * sizeof *own->jointed->impulse);
    *settled = true;
    if (at_once) {
        rico_status status = predict(sim, h);
        if (status != RICO_OK) return status;
    }
    for (bool done = false; !done;) {
        memcpy(old, sim->next.v, (size_t)sim->nv * sizeof *old);
        memcpy(was, own->correction, (size_t)sim->nv * sizeof *was);
        if (n > 0) keep_energy(sim, own->jointed->force);
        rico_status status = at_once ? improve_at_once(sim, h, stand_in, &done) : improve(sim, h);
        if (done) break;
        if (status == RICO_OK) status = share(sim, !at_once);
        if (status == RICO_OK) status = look(sim, h, sim->next.v, d);
        if (status != RICO_OK) return status;
        n++;
        int64_t whose;
        double change = change_of(sim, h, old, was, n == 1, &size);
        bool same = change <= fmax(tol * size, rico_theta_floor(sim)), slow = n > 2 && change > SLOW * last;
        // no nearer any more, and near: the round-off of velocities that rows hardly determine
        bool stalled = slow && n > RESTLESS && change <= (at_once ? LOOSE : sqrt(tol)) * size &&
                       rico_norm_inf(sim->contacts.joint_rows, own->jointed->law) <= tol * *sim->next.scale;
        last = change;
        done = n > 1 && (same || stalled) &&
               violation(sim, &whose) <= rico_scheme_option(sim, RICO_THETA_VIOLATION);
        *settled = done || !(n >= most || n >= QUICK || (at_once ? n > 1 && change > size : slow));
        if (!*settled) break;
    }
    sim->stats.newton_last += n;
    sim->stats.newton_iterations += n;
    return RICO_OK;
}


static rico_status swing(rico_simulation *sim, double h)
{
    static const double STAND_IN[] = {0.0, 1e-12, 1e-10, 1e-8, 1e-6};
    bool settled = false;
    rico_status status = RICO_OK;
    for (size_t k = 0; status == RICO_OK && !settled && k < sizeof STAND_IN / sizeof *STAND_IN; k++)
        status = iterate(sim, h, STAND_IN[k], &settled);
    if (status != RICO_OK) return status;
    if (!settled) return give_up(sim);
    tell_end_velocity(sim);
    return RICO_OK;
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
    bool joints = sim->contacts.joint_rows > 0;
    double tol = rico_step_option(sim, RICO_STEP_NEWTON_TOL), *was = sim->vector.column,
           *d = sim->vector.displacement;
    memset(own->correction, 0, (size_t)sim->nv * sizeof *own->correction);
    memset(own->jointed->impulse, 0, (size_t)sim->nv * sizeof *own->jointed->impulse);
    rico_status status = RICO_OK;
    for (int n = 0; status == RICO_OK; n++) {
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
        if (change <= fmax(tol * size, rico_theta_floor(sim)) || n + 1 == MOST_ROUNDS) break;
    }
    if (status == RICO_OK && joints)
        status = rico_step_frames_again(sim, h, sim->vector.ahead, d, sim->next.v);
    return status;
}


static rico_status advance(rico_simulation *sim, double h)
{
    rico_projection *own = sim->own;
    double t = *sim->now.t, theta = rico_scheme_option(sim, RICO_THETA);
    sim->stats.newton_last = 0;
    rico_status status = rico_step_load(sim, t, h, theta, sim->vector.load, sim->vector.mean);
    if (status == RICO_OK) status = rico_step_frames(sim, h, sim->now.q);
    if (status == RICO_OK) status = rico_assembly_gaps(sim->assembly, t, sim->now.q, own->gap);
    if (status != RICO_OK) return status;
    for (int64_t c = 0; c < sim->constraints; c++) sim->active[c] = rico_step_constraint(sim, c)->joint;
    rico_contacts_activate(&sim->contacts, sim->active);
    bool contact = sim->contacts.joint_rows == 0 || touches(sim);
    if (!contact) {
        status = swing(sim, h);
        contact = status == RICO_OK && touches(sim);
    }
    if (contact) status = strike(sim, h);
    if (status != RICO_OK) return status;
    rico_step_end_velocity(sim, sim->next.v, sim->u_after);
    memcpy(sim->next.q, sim->vector.ahead, (size_t)sim->nq * sizeof *sim->next.q);
    return RICO_OK;
}


static rico_status book(rico_simulation *sim, double h)
{
    const rico_projection *own = sim->own;
    const rico_theta_step step = step_of(sim, h);
    if (sim->contacts.joint_rows == 0) return rico_projected_book(sim, h);
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
     .create = create,
     .resize = rico_projection_resize,
     .destroy = rico_projection_destroy,
     .check = rico_projection_check,
     .advance = advance,
     .book = book},
};
const int rico_jointed_scheme_count = sizeof rico_jointed_schemes / sizeof *rico_jointed_schemes;
