// Three explicit schemes: the two of Paoli's chapter, at the level of positions and of velocities, and the sweeping process.
//
// Each is a kick and a drift, with mass, loads and forces at one place (t_e, q_e) and at the velocity that the step begins with:
//
//     M(q_e) (v_{k+1} - v_k) = h [ load(t_e) + F(t_e, q_e, v_k) ] + H p
//
//     scheme           q_e, t_e              contacts that act    their law                                       drift
//     paoli-position   q_k, t_k              all                  0 <= g((q_{k+1} + e q_{k-1})/(1+e)) _|_ p >= 0  q_k + h v_{k+1}
//     sweeping         q_k, t_k              g(q_k) <= 0          0 <= u_N,k+1 + e u_N,k _|_ p >= 0               q_k + h v_{k+1}
//     paoli-velocity   q_k + h v_k, t_{k+1}  g(q_{k+1}) <= 0      the same                                        q_k + h v_k
//
// (Paoli 2018, eq. 12, 16-17 and 18-19; Brogliato, Zhang and Liu 2018, eq. 27-31). With one restitution e and no friction the
// last two laws are v_{k+1} = -e v_k + (1+e) Proj(T_K(q_e), v_k + h/(1+e) M^-1 F) in the metric of M(q_e), and the first
// is q_{k+1} = -e q_{k-1} + (1+e) z with z the point of K nearest to W = (2 q_k - (1-e) q_{k-1} + h^2 M^-1 F)/(1+e) in that of
// M(q_k); q_{k-1} = q_k - h v_k, for v_k is the difference of positions. The first step of paoli-position is (12): the nearest
// point of K to q_0 + h v_0, without force or restitution.

#include "step/explicit_step.h"

#include "la/dense.h"
#include "step/registry.h"
#include "step/theta_step.h"

#include <float.h>
#include <math.h>
#include <string.h>

// What tells the three apart.
typedef struct explicit_way {
    bool drift_first; // positions move before velocities
    bool positions;   // contacts at the level of positions
} explicit_way;

static const explicit_way POSITION = {.positions = true}, SWEEPING = {0}, VELOCITY = {.drift_first = true};

// What the position scheme keeps: the length of the last step, 0 before the first, and whether it has spoken of its set.
enum { LAST, SPOKEN, POSITION_EXTRA };


// What is known of the fastest oscillation and of the strongest damper: explicit forces want h^2 omega^2 <= 4 and 2 h c <= 4.
typedef struct explicit_own {
    bool known, spoken;
    double stiffest, damped; // largest eigenvalues of M^-1 K and M^-1 C, from below
} explicit_own;


static rico_status create(rico_simulation *sim)
{
    sim->own = rico_alloc(sim->ctx, 1, sizeof(explicit_own));
    return sim->own ? RICO_OK : RICO_NO_MEMORY;
}


static void destroy(rico_simulation *sim)
{
    rico_free(sim->ctx, sim->own);
}


static rico_status start(rico_simulation *sim)
{
    memset(sim->own, 0, sizeof(explicit_own));
    return RICO_OK;
}


// The largest x'A x / x'M x that the power method meets: a bound from below, which is all that a refusal needs.
static rico_status largest(rico_simulation *sim, const double *A, double *found)
{
    enum { TURNS = 40 };
    double *x = sim->vector.applied, *y = sim->vector.damping;
    *found = 0.0;
    // no direction that a symmetric mesh could be orthogonal to
    for (int64_t i = 0; i < sim->nv; i++) x[i] = 1.0 + 0.7 * sin(1.0 + 12.9898 * (double)i);
    for (int k = 0; k < TURNS; k++) {
        double inertia = rico_assembly_square(sim->assembly, sim->assembly->M, x);
        if (!(inertia > 0.0) || !isfinite(inertia)) return RICO_OK;
        *found = fmax(*found, rico_assembly_square(sim->assembly, A, x) / inertia);
        memset(y, 0, (size_t)sim->nv * sizeof *y);
        rico_assembly_multiply(sim->assembly, A, 1.0 / sqrt(inertia), x, y);
        rico_status status = rico_iteration_solve(&sim->iteration, 1, y, x);
        if (status != RICO_OK) return status;
    }
    return RICO_OK;
}


// Refuses a step that a linear system makes explode, and warns of one where the system is nonlinear and may go elsewhere. M is factored.
static rico_status check_bound(rico_simulation *sim, double h, double t, const double *q)
{
    explicit_own *own = sim->own;
    const rico_system *system = sim->system;
    if (!system->symmetric || (!system->stiff && !system->damped)) return RICO_OK;
    if (!own->known) {
        rico_status status = rico_assembly_tangents(sim->assembly, t, q, sim->now.v);
        if (status == RICO_OK && system->stiff) status = largest(sim, sim->assembly->K, &own->stiffest);
        if (status == RICO_OK && system->damped) status = largest(sim, sim->assembly->C, &own->damped);
        if (status != RICO_OK) return status;
        own->known = true;
    }
    double bound = fmin(own->stiffest > 0.0 ? 2.0 / sqrt(own->stiffest) : INFINITY,
                        own->damped > 0.0 ? 2.0 / own->damped : INFINITY);
    if (h <= bound * (1.0 + 1e-9) || own->spoken) return RICO_OK;
    if (system->linear)
        return rico_fail(
            sim->ctx, RICO_UNSUPPORTED,
            "%s takes forces where they are known, and the stiffest oscillation or damper bounds its "
            "steps by %.4g; take smaller ones, or an implicit scheme such as moreau-jean",
            sim->scheme->info.name, bound);
    own->spoken = true;
    rico_log(sim->ctx, RICO_LOG_WARNING,
             "%s: steps of %.4g are beyond %.4g, the bound of explicit forces at the start: the motion may "
             "grow without "
             "limit",
             sim->scheme->info.name, h, bound);
    return RICO_OK;
}


static int64_t position_extra(const rico_simulation *sim)
{
    (void)sim;
    return POSITION_EXTRA;
}


static rico_status position_check(rico_simulation *sim)
{
    sim->contacts.joint_offset = true;
    return RICO_OK;
}


// The iteration's factor of M(q_e), the load and the velocity without impulses into next.v; no force at all with `still`.
static rico_status kick(rico_simulation *sim, double h, double t, const double *q, bool still, bool *changed)
{
    double *force = sim->vector.right, *load = sim->vector.load, *next = sim->next.v;
    rico_status status = rico_assembly_mass(sim->assembly, t, q);
    if (status == RICO_OK) status = rico_iteration_set(&sim->iteration, 1.0, 0.0, 0.0, changed);
    memcpy(next, sim->now.v, (size_t)sim->nv * sizeof *next);
    if (status == RICO_OK) status = check_bound(sim, h, t, q);
    if (status != RICO_OK || still) return status;
    status = rico_assembly_load(sim->assembly, t, load);
    if (status == RICO_OK) status = rico_assembly_forces(sim->assembly, t, q, sim->now.v, force, NULL, NULL);
    if (status != RICO_OK) return status;
    rico_axpy(sim->nv, 1.0, load, force);
    status = rico_iteration_solve(&sim->iteration, 1, force, force);
    if (status == RICO_OK) rico_axpy(sim->nv, h, force, next);
    return status;
}


// Obstacles move with the velocity that w has now, over the whole step.
static void hold_obstacles(rico_simulation *sim)
{
    sim->shifted = false;
    if (sim->system->moving)
        memcpy(sim->w_before, sim->assembly->w, (size_t)sim->rows * sizeof *sim->w_before);
}


// ---- at the level of velocities ---------------------------------------------------------------------------

// What the row's gradient makes of the largest positions so far: a position is the sum of many steps, and its round-off theirs.
static double span_of(const rico_simulation *sim, int64_t row)
{
    const rico_csc *H = &sim->assembly->H;
    double sum = rico_step_reach(sim, row);
    for (int64_t k = H->start[row]; sim->nq == sim->nv && k < H->start[row + 1]; k++)
        sum += fabs(H->value[k]) * fmax(fabs(sim->now.low[H->row[k]]), fabs(sim->now.high[H->row[k]]));
    return sum;
}


// J(q_e): who is closed there, up to round-off, which would otherwise decide on which side of an impact a step ends.
static rico_status activate(rico_simulation *sim, double t, const double *q)
{
    rico_status status = rico_assembly_gaps(sim->assembly, t, q, sim->gap);
    sim->gap_current = false;
    for (int64_t c = 0; status == RICO_OK && c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        double closed =
            fmax(4096.0 * DBL_EPSILON * span_of(sim, constraint->row), rico_step_option(sim, RICO_STEP_GAP));
        sim->active[c] = constraint->joint || sim->gap[constraint->row] <= closed;
    }
    return status;
}


static rico_status velocity_level(rico_simulation *sim, double h, const explicit_way *way)
{
    const double weight = 0.5; // of v_{k+1} in the mean velocity of the balance
    double t = way->drift_first ? *sim->next.t : *sim->now.t;
    double *q = sim->vector.weighted;
    bool changed;
    rico_status status = rico_assembly_retract(sim->assembly, *sim->now.t, sim->now.q,
                                               way->drift_first ? h : 0.0, sim->now.v, q);
    if (status == RICO_OK) status = kick(sim, h, t, q, false, &changed);
    if (status == RICO_OK) status = rico_assembly_frames(sim->assembly, t, q);
    if (status == RICO_OK) status = rico_assembly_rates(sim->assembly, t, q);
    if (status != RICO_OK) return status;
    hold_obstacles(sim);
    rico_step_local_velocity(sim, sim->now.v, sim->u_before);
    status = activate(sim, t, q);
    if (status != RICO_OK) return status;
    rico_contacts_activate(&sim->contacts, sim->active);
    rico_step_law_offset(sim, weight, sim->offset);
    status = rico_contacts_solve(&sim->contacts, &sim->iteration, changed || !sim->system->constant_frames,
                                 rico_step_law(sim)->omega(weight), sim->offset, sim->next.v, sim->next.p,
                                 sim->next.scale);
    if (status != RICO_OK) return status;
    rico_step_local_velocity(sim, sim->next.v, sim->u_after);
    return rico_assembly_retract(sim->assembly, *sim->now.t, sim->now.q, h,
                                 way->drift_first ? sim->now.v : sim->next.v, sim->next.q);
}


// ---- at the level of positions ----------------------------------------------------------------------------

// The tangential part of the mean velocity at contact c into `tangent`, in the metric of M; false where there is none.
static bool tangent_at(rico_simulation *sim, int64_t c, double *tangent)
{
    const rico_csc *H = &sim->assembly->H;
    int64_t row = rico_step_constraint(sim, c)->row;
    double *column = sim->vector.column, speed = 0.0, own = 0.0;
    memset(column, 0, (size_t)sim->nv * sizeof *column);
    for (int64_t k = H->start[row]; k < H->start[row + 1]; k++) column[H->row[k]] = H->value[k];
    for (int64_t i = 0; i < sim->nv; i++) tangent[i] = 0.5 * (sim->now.v[i] + sim->next.v[i]);
    speed = rico_dot(sim->nv, column, tangent);
    if (rico_iteration_solve(&sim->iteration, 1, column, column) != RICO_OK) return false;
    for (int64_t k = H->start[row]; k < H->start[row + 1]; k++) own += H->value[k] * column[H->row[k]];
    if (!(own > 0.0)) return false;
    rico_axpy(sim->nv, -speed / own, column, tangent);
    return rico_norm_inf(sim->nv, tangent) > 1e-6 * rico_norm_inf(sim->nv, sim->next.v);
}


// How the gap of contact c bends along the tangent at its point z: its second difference over h^2, 0 within round-off.
static rico_status bend_of(rico_simulation *sim, double h, int64_t c, bool plastic, const double *tangent,
                           double *bend)
{
    const rico_constraint *constraint = rico_step_constraint(sim, c);
    double e = plastic ? 0.0 : constraint->restitution, t = *sim->now.t + h * (1.0 - e) / (1.0 + e),
           sum = 0.0;
    double *way = sim->vector.displacement, *q = sim->vector.ahead;
    static const double SIDE[] = {0.0, 1.0, -1.0}, WEIGHT[] = {-2.0, 1.0, 1.0};
    for (int k = 0; k < 3; k++) {
        for (int64_t i = 0; i < sim->nv; i++)
            way[i] = (sim->next.v[i] - e * sim->now.v[i]) / (1.0 + e) + SIDE[k] * tangent[i];
        rico_status status = rico_assembly_retract(sim->assembly, *sim->now.t, sim->now.q, h, way, q);
        if (status == RICO_OK) status = rico_assembly_gap_of(sim->assembly, c, t, q, sim->gap);
        if (status != RICO_OK) return status;
        sum += WEIGHT[k] * sim->gap[constraint->row];
    }
    sim->gap_current = false;
    double noise = 64.0 * DBL_EPSILON * rico_step_reach(sim, constraint->row);
    *bend = fabs(sum) > noise ? sum / (h * h) : 0.0;
    return RICO_OK;
}


// K bends inwards where a contact presses: then its projection may have several answers, and what Newton's loop found is
// nearest among its neighbours at best. Along the way of the motion, at least that is made sure: |t|_M^2 >= lambda g''(t, t)
// with M (z - W) = lambda grad g, lambda = h p/(1+e).
static rico_status look_at_set(rico_simulation *sim, double h, bool plastic)
{
    double *tangent = sim->vector.mean;
    if (sim->system->constant_frames) return RICO_OK;
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        double p = sim->next.p[constraint->row], bend = 0.0, e = plastic ? 0.0 : constraint->restitution;
        if (constraint->joint || !(p > 0.0) || !tangent_at(sim, c, tangent)) continue;
        rico_status status = bend_of(sim, h, c, plastic, tangent, &bend);
        if (status != RICO_OK) return status;
        if (bend <= 0.0) continue;
        double inertia = rico_assembly_square(sim->assembly, sim->assembly->M, tangent);
        if (h * p / (1.0 + e) * bend > inertia)
            return rico_fail(
                sim->ctx, RICO_UNSUPPORTED,
                "contact %s: the set of positions without penetration bends inwards there, and the "
                "point found is not its nearest; take a smaller step, or a scheme of velocities "
                "such as paoli-velocity",
                constraint->name);
        if (sim->now.extra[SPOKEN] == 0.0 && sim->next.extra[SPOKEN] == 0.0)
            rico_log(sim->ctx, RICO_LOG_WARNING,
                     "%s: the set of positions without penetration is not convex at contact %s: the nearest "
                     "point may not be unique, and the one that the motion leads to is taken; paoli-velocity "
                     "asks for no convexity",
                     sim->scheme->info.name, constraint->name);
        sim->next.extra[SPOKEN] = 1.0;
    }
    return RICO_OK;
}


// The nearest point by Newton's loop: gaps and their gradients at the iterate, M(q_k) as the metric throughout.
static rico_status nearest(rico_simulation *sim, double h, bool plastic, bool changed)
{
    bool moving = !sim->system->constant_frames;
    int most = (int)rico_step_option(sim, RICO_STEP_NEWTON_MAX), n = 0;
    double *v = sim->next.v, *at = sim->vector.iterate, *free = sim->vector.past, *work = sim->vector.change;
    memcpy(free, v, (size_t)sim->nv * sizeof *v);
    for (int64_t c = 0; c < sim->constraints; c++) sim->active[c] = rico_step_constraint(sim, c)->joint;
    for (bool done = false; !done;) {
        memcpy(at, v, (size_t)sim->nv * sizeof *at);
        memcpy(v, free, (size_t)sim->nv * sizeof *v);
        rico_status status = rico_position_offset(sim, h, at, moving, plastic, sim->offset);
        if (status != RICO_OK) return status;
        bool same = moving && rico_step_same_problem(sim, n == 0, v, sim->offset);
        status = rico_contacts_solve_all(&sim->contacts, &sim->iteration, changed || moving, 1.0, sim->offset,
                                         v, sim->next.p, sim->next.scale, sim->active, work);
        if (status != RICO_OK) return status;
        n++;
        done = !moving || (n > 1 && (same || rico_theta_settled(sim, at, v)));
        if (!done && n >= most) return rico_theta_unsettled(sim, n, at, v, "take a smaller step");
    }
    sim->stats.newton_last = n;
    sim->stats.newton_iterations += n;
    return RICO_OK;
}


static rico_status position_advance(rico_simulation *sim, double h)
{
    double t = *sim->now.t;
    bool first = sim->now.extra[LAST] == 0.0, changed;
    memcpy(sim->vector.before, sim->now.v, (size_t)sim->nv * sizeof(double));
    rico_status status = kick(sim, h, t, sim->now.q, first, &changed);
    if (status == RICO_OK) status = rico_assembly_frames(sim->assembly, t, sim->now.q);
    if (status == RICO_OK) status = rico_assembly_rates(sim->assembly, t + 0.5 * h, sim->now.q);
    if (status != RICO_OK) return status;
    hold_obstacles(sim);
    status = nearest(sim, h, first, changed);
    if (status == RICO_OK) status = look_at_set(sim, h, first);
    if (status != RICO_OK) return status;
    rico_step_local_velocity(sim, sim->now.v, sim->u_before);
    rico_step_local_velocity(sim, sim->next.v, sim->u_after);
    sim->next.extra[LAST] = h;
    return rico_assembly_retract(sim->assembly, t, sim->now.q, h, sim->next.v, sim->next.q);
}


static rico_status sweeping_advance(rico_simulation *sim, double h)
{
    return velocity_level(sim, h, &SWEEPING);
}


static rico_status velocity_advance(rico_simulation *sim, double h)
{
    return velocity_level(sim, h, &VELOCITY);
}


// ---- books ------------------------------------------------------------------------------------------------

// The kick times v_half: with the kinetic energies of M(q_e),
//
//     dE = h v_half'(load + F_applied - C v_k) + v_half'H p + [ dV - h v_half'grad V(q_e) ]
//          + [ |v_{k+1}|^2 of M(q_{k+1}) - M(q_e), less |v_k|^2 of M(q_k) - M(q_e) ] / 2,
//
// where the brackets are what the scheme does: the first is (h/2) dv'K q_k + (h^2/2)|v_{k+1}|_K^2 or the like, the second, with the
// forces of inertia among F_applied, is of second order in h.
static rico_status book(rico_simulation *sim, double h, const explicit_way *way)
{
    rico_ledger *ledger = &sim->ledger;
    bool still = way->positions && sim->now.extra[LAST] == 0.0;
    double t = way->drift_first ? *sim->next.t : *sim->now.t, then, now, T[2][2];
    const double *q = way->drift_first ? sim->next.q : sim->now.q;
    double *mean = sim->vector.mean, *applied = sim->vector.applied, *damping = sim->vector.damping,
           *spring = sim->vector.spring;
    memset(ledger, 0, sizeof *ledger);
    for (int64_t i = 0; i < sim->nv; i++) mean[i] = 0.5 * (sim->now.v[i] + sim->next.v[i]);
    rico_step_contact_works(sim, 0.5, mean);
    rico_status status = RICO_OK;
    if (!still) {
        status = rico_assembly_forces(sim->assembly, t, q, sim->now.v, applied, damping, spring);
        if (status != RICO_OK) return status;
        ledger->external = h * (rico_dot(sim->nv, mean, sim->vector.load) + rico_dot(sim->nv, mean, applied));
        ledger->damping = h * rico_dot(sim->nv, mean, damping);
        ledger->numerical[0] = h * rico_dot(sim->nv, mean, spring);
    }
    status = rico_assembly_potential(sim->assembly, *sim->now.t, sim->now.q, &then);
    if (status == RICO_OK) status = rico_assembly_potential(sim->assembly, *sim->next.t, sim->next.q, &now);
    if (status == RICO_OK) ledger->numerical[0] += now - then;
    if (status != RICO_OK || sim->system->linear) return status;

    // energies with M at both ends; one of them is q_e, and the matrix of the kick lies at its end
    for (int end = 0; end < 2; end++) {
        status = rico_assembly_mass(sim->assembly, end ? *sim->next.t : *sim->now.t,
                                    end ? sim->next.q : sim->now.q);
        if (status != RICO_OK) return status;
        rico_assembly_squares(sim->assembly, sim->assembly->M, sim->now.v, sim->next.v, &T[end][0],
                              &T[end][1]);
    }
    int at = way->drift_first;
    ledger->numerical[1] = 0.5 * ((T[1][1] - T[at][1]) - (T[0][0] - T[at][0]));
    return RICO_OK;
}


static rico_status position_book(rico_simulation *sim, double h)
{
    return book(sim, h, &POSITION);
}


static rico_status sweeping_book(rico_simulation *sim, double h)
{
    return book(sim, h, &SWEEPING);
}


static rico_status velocity_book(rico_simulation *sim, double h)
{
    return book(sim, h, &VELOCITY);
}


static const char IDENTITY[] =
    "dE = h v_half'(F_e - C v_k) + u_half'p + [dV - h v_half'grad V_e] + [changes of M in T]";
#define NUMERICAL                                                                                            \
    {                                                                                                        \
        "dV - h v_half'grad V_e", "changes of M in T"                                                        \
    }
enum {
    VELOCITY_COMMON = 1u << RICO_STEP_LAW | 1u << RICO_STEP_GAP | 1u << RICO_STEP_TOL |
                      1u << RICO_STEP_ACCEPT | 1u << RICO_STEP_SWEEPS | 1u << RICO_STEP_LEDGER |
                      1u << RICO_STEP_ORDERING,
    POSITION_COMMON = 1u << RICO_STEP_TOL | 1u << RICO_STEP_ACCEPT | 1u << RICO_STEP_SWEEPS |
                      1u << RICO_STEP_NEWTON_TOL | 1u << RICO_STEP_NEWTON_MAX | 1u << RICO_STEP_LEDGER |
                      1u << RICO_STEP_ORDERING
};

const rico_scheme rico_explicit_schemes[] = {
    {.info = {.name = "paoli-position",
              .equal_steps = true,
              .summary = "explicit; the nearest admissible position over two steps, with restitution",
              .reference = "Paoli and Schatzman 2002; Paoli 2018, eq. 12, 16 and 17",
              .identity = IDENTITY,
              .numerical = NUMERICAL,
              .order = 1,
              .explicit_forces = true},
     .common = POSITION_COMMON,
     .extra_size = position_extra,
     .check = position_check,
     .create = create,
     .destroy = destroy,
     .start = start,
     .advance = position_advance,
     .book = position_book},
    {.info = {.name = "paoli-velocity",
              .summary = "explicit; positions first, then Newton's law for contacts that are closed there",
              .reference = "Moreau 1985; Paoli 2018, eq. 18 and 19",
              .identity = IDENTITY,
              .numerical = NUMERICAL,
              .order = 1,
              .explicit_forces = true},
     .common = VELOCITY_COMMON,
     .create = create,
     .destroy = destroy,
     .start = start,
     .advance = velocity_advance,
     .book = velocity_book},
    {.info = {.name = "sweeping",
              .summary = "explicit; Newton's law for contacts that are closed at the start, then positions",
              .reference = "Moreau 1985; Brogliato, Zhang and Liu 2018, eq. 27 to 31",
              .identity = IDENTITY,
              .numerical = NUMERICAL,
              .order = 1,
              .explicit_forces = true},
     .common = VELOCITY_COMMON,
     .create = create,
     .destroy = destroy,
     .start = start,
     .advance = sweeping_advance,
     .book = sweeping_book},
};
const int rico_explicit_scheme_count = sizeof rico_explicit_schemes / sizeof *rico_explicit_schemes;
