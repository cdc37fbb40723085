// Schatzman and Paoli's scheme: contacts and restitution at the position level, over two steps.
//
//     M(q_{k+1}) (q_{k+1} - 2 q_k + q_{k-1}) = h^2 [ load_theta + F(t_theta, q_theta, v_theta) ] + h H p,
//     v_{k+1} = (q_{k+1} - q_{k-1}) / 2h,     0 <= g( (q_{k+1} + e q_{k-1}) / (1+e) ), p_N >= 0, orthogonal
//
// (Acary 2012, eq. 20-22). It is written here in the velocities of the steps, w+ = (q_{k+1} - q_k)/h and w- =
// (q_k - q_{k-1})/h, for which nothing but a retraction is needed:
//
//     M (w+ - w-) = h_m [ load_theta + F_theta ] + H p,     v_{k+1} = (w+ + w-)/2,     q_theta = q_k + theta h w+,
//
// with h_m the mean of this step and the last, and h the length of this one: the same where steps are equal. Each
// contact sees the point q_k + h (w+ - e w-)/(1+e) at the time t_k + h (1-e)/(1+e). Joints have e = 0. The scheme has no
// friction of its own in the literature; here Coulomb's law is written on the displacement of the step, H_T'w+: written
// on v_{k+1}, whose work it would make dissipative, a contact that sticks would have w+ = -w- and never rest. The first
// step takes w- = v_0 - (h/2) a_0 with the acceleration a_0 without contacts, so that q_1 = q_0 + h v_0 + (h^2/2) a_0 to
// second order.

#include "la/dense.h"
#include "step/derivative.h"
#include "step/registry.h"
#include "step/theta_step.h"

#include <math.h>
#include <string.h>

enum { THETA };

static const rico_option_info OPTIONS[] = {
    [THETA] = {.name = "theta",
               .help = "where forces are taken: 0 is explicit and conserves up to a bound on h, larger damps",
               .type = RICO_REAL,
               .low = 0.0,
               .high = 1.0,
               .standard = 0.5},
};


// The state keeps the length of the last step, 0 before the first, and w-.
static int64_t extra_size(const rico_simulation *sim)
{
    return 1 + sim->nv;
}


// Length of the step before, and h_m.
static double last_step(const rico_simulation *sim, double h)
{
    double last = sim->now.extra[0];
    return last != 0.0 ? last : h;
}


static double mean_step(const rico_simulation *sim, double h)
{
    return 0.5 * (h + last_step(sim, h));
}


static rico_status check(rico_simulation *sim)
{
    sim->contacts.joint_offset = true;
    return RICO_OK;
}


// w- into vector.before: from the state, or before the first step from its velocity; then q_{k-1} into vector.half as well.
static rico_status past(rico_simulation *sim, double h)
{
    double *w = sim->vector.before, *a = sim->vector.acceleration, t = *sim->now.t;
    if (sim->now.extra[0] != 0.0) {
        memcpy(w, sim->now.extra + 1, (size_t)sim->nv * sizeof *w);
        return RICO_OK;
    }
    bool changed;
    rico_status status = rico_assembly_mass(sim->assembly, t, sim->now.q);
    if (status == RICO_OK) status = rico_assembly_load(sim->assembly, t, w);
    if (status == RICO_OK)
        status = rico_assembly_forces(sim->assembly, t, sim->now.q, sim->now.v, a, NULL, NULL);
    if (status == RICO_OK) status = rico_iteration_set(&sim->iteration, 1.0, 0.0, 0.0, &changed);
    if (status != RICO_OK) return status;
    rico_axpy(sim->nv, 1.0, w, a);
    status = rico_iteration_solve(&sim->iteration, 1, a, a);
    if (status != RICO_OK) return status;
    for (int64_t i = 0; i < sim->nv; i++) w[i] = sim->now.v[i] - 0.5 * h * a[i];
    return rico_assembly_retract(sim->assembly, t, sim->now.q, -h, w, sim->vector.half);
}


// right = h_m (load + F) - M (w - w-) at the iterate w, with M at q_{k+1}, C and K at q_theta.
static rico_status residual(rico_simulation *sim, double h, const double *w, double *right)
{
    double theta = rico_scheme_option(sim, THETA), t = *sim->now.t + theta * h;
    const double *load = sim->vector.load, *before = sim->vector.before;
    double *mean = sim->vector.mean, *q = sim->vector.weighted;
    for (int64_t i = 0; i < sim->nv; i++)
        mean[i] = (1.0 - theta) * sim->now.v[i] + 0.5 * theta * (w[i] + before[i]);
    rico_status status = rico_assembly_retract(sim->assembly, t, sim->now.q, h, w, q);
    if (status == RICO_OK) status = rico_assembly_mass(sim->assembly, t, q);
    if (status == RICO_OK) status = rico_assembly_retract(sim->assembly, t, sim->now.q, theta * h, w, q);
    if (status == RICO_OK) status = rico_assembly_forces(sim->assembly, t, q, mean, right, NULL, NULL);
    if (status == RICO_OK) status = rico_assembly_tangents(sim->assembly, t, q, mean);
    if (status != RICO_OK) return status;
    for (int64_t i = 0; i < sim->nv; i++) {
        right[i] = mean_step(sim, h) * (right[i] + load[i]);
        mean[i] = w[i] - before[i];
    }
    rico_assembly_multiply(sim->assembly, sim->assembly->M, -1.0, mean, right);
    return RICO_OK;
}


// y_N = (1+e)/h g(...) linearized at the iterate w, y_T = H_T'w+ with the motion of an obstacle in it: the offsets of
// u = H'w + rate. Frames at the same points, or left as they are at q_k.
static rico_status offset(rico_simulation *sim, double h, const double *w, bool late, double *c)
{
    const double *before = sim->vector.before;
    double *step = sim->vector.displacement, *q = sim->vector.weighted, held = NAN;
    for (int64_t k = 0; k < sim->constraints; k++) {
        const rico_constraint *constraint = rico_step_constraint(sim, k);
        double e = constraint->joint ? 0.0 : constraint->restitution;
        double t = *sim->now.t + h * (1.0 - e) / (1.0 + e);
        rico_status status = RICO_OK;
        if (e != held) {
            for (int64_t i = 0; i < sim->nv; i++) step[i] = (w[i] - e * before[i]) / (1.0 + e);
            status = rico_assembly_retract(sim->assembly, t, sim->now.q, h, step, q);
            held = e;
        }
        if (status == RICO_OK) status = rico_assembly_gap_of(sim->assembly, k, t, q, c);
        if (status == RICO_OK && late) status = rico_assembly_frame_of(sim->assembly, k, t, q);
        if (status != RICO_OK) return status;
    }
    rico_step_local_velocity(sim, w, sim->u_after);
    for (int64_t k = 0; k < sim->constraints; k++) {
        const rico_constraint *constraint = rico_step_constraint(sim, k);
        double e = constraint->joint ? 0.0 : constraint->restitution;
        for (int64_t i = 0; i < constraint->size; i++) {
            int64_t row = constraint->row + i;
            c[row] = i == 0 || constraint->joint ? (1.0 + e) * c[row] / h - sim->u_after[row] : 0.0;
        }
    }
    return RICO_OK;
}


static rico_status advance(rico_simulation *sim, double h)
{
    const rico_system *system = sim->system;
    double theta = rico_scheme_option(sim, THETA), t = *sim->now.t;
    double *right = sim->vector.right, *at = sim->vector.iterate, *work = sim->vector.change,
           *before = sim->vector.before, *next = sim->vector.after;
    bool moving = !system->constant_frames;
    bool late = rico_step_option(sim, RICO_STEP_FRAMES) != 0.0 && moving;
    bool once = system->linear && !moving;
    int most = (int)rico_step_option(sim, RICO_STEP_NEWTON_MAX), n = 0;

    rico_status status = past(sim, h);
    if (status == RICO_OK) status = rico_step_load(sim, t, h, theta, sim->vector.load, right);
    if (status == RICO_OK) status = rico_assembly_frames(sim->assembly, t, sim->now.q);
    if (status == RICO_OK) status = rico_assembly_rates(sim->assembly, t + 0.5 * h, sim->now.q);
    if (status != RICO_OK) return status;
    memcpy(next, before, (size_t)sim->nv * sizeof *next);
    // what laws of friction take for the sliding so far; w- of the first step has accelerations without contacts in it
    rico_step_local_velocity(sim, sim->now.extra[0] != 0.0 ? before : sim->now.v, sim->u_before);
    for (int64_t c = 0; c < sim->constraints; c++) sim->active[c] = rico_step_constraint(sim, c)->joint;
    for (bool done = false; status == RICO_OK && !done;) {
        bool changed;
        memcpy(at, next, (size_t)sim->nv * sizeof *at);
        status = offset(sim, h, at, late, sim->offset);
        if (status == RICO_OK) status = residual(sim, h, at, right);
        if (status == RICO_OK)
            status = rico_iteration_set(&sim->iteration, 1.0, 0.5 * theta * mean_step(sim, h),
                                        theta * mean_step(sim, h) * h, &changed);
        if (status == RICO_OK) status = rico_iteration_solve(&sim->iteration, 1, right, next);
        if (status != RICO_OK) return status;
        rico_axpy(sim->nv, 1.0, at, next);
        bool same = !once && rico_step_same_problem(sim, n == 0, next, sim->offset);
        status = rico_contacts_solve_all(&sim->contacts, &sim->iteration, changed || moving, 1.0, sim->offset,
                                         next, sim->next.p, sim->next.scale, sim->active, work);
        n++;
        done = once || (n > 1 && (same || rico_theta_settled(sim, at, next)));
        if (status == RICO_OK && !done && n >= most)
            return rico_theta_unsettled(sim, n, at, next, "take a smaller step");
    }
    if (status != RICO_OK) return status;
    sim->stats.newton_last = n;
    sim->stats.newton_iterations += n;

    rico_step_local_velocity(sim, before, sim->u_before);
    rico_step_local_velocity(sim, next, sim->u_after);
    double *kept = sim->next.extra;
    kept[0] = h;
    memcpy(kept + 1, next, (size_t)sim->nv * sizeof *next);
    for (int64_t i = 0; i < sim->nv; i++) sim->next.v[i] = 0.5 * (next[i] + before[i]);
    return rico_assembly_retract(sim->assembly, t, sim->now.q, h, next, sim->next.q);
}


// H - E of a state: H = |w|_M^2/2 + (V(q) + V(q_past))/2 - |h w|_K^2/4, which is |w|_M^2/2 + q'K q_past/2 where V is
// quadratic.
static rico_status excess(rico_simulation *sim, double h, const double *q, const double *v, const double *w,
                          const double *q_past, double *out)
{
    const rico_system *system = sim->system;
    double now, then;
    rico_status status = rico_assembly_mass(sim->assembly, *sim->now.t, q);
    if (status == RICO_OK) status = rico_assembly_potential(sim->assembly, *sim->now.t, q, &now);
    if (status == RICO_OK) status = rico_assembly_potential(sim->assembly, *sim->now.t, q_past, &then);
    if (status != RICO_OK) return status;
    *out = 0.5 * (rico_assembly_square(sim->assembly, sim->assembly->M, w) -
                  rico_assembly_square(sim->assembly, sim->assembly->M, v)) +
           0.5 * (then - now);
    if (system->stiff) *out -= 0.25 * h * h * rico_assembly_square(sim->assembly, sim->assembly->K, w);
    return RICO_OK;
}


// The equation of motion times v_{k+1}: dH = h_m v_{k+1}'(F_theta - C v_theta) + v_{k+1}'H p - theta h h_m v_{k+1}'K w+
// + (h - last)/4 (w+ - w-)'K q_k. The last term is there where steps change: h_m v_{k+1} is then not half of
// q_{k+1} - q_{k-1}.
static rico_status book(rico_simulation *sim, double h)
{
    const rico_system *system = sim->system;
    rico_ledger *ledger = &sim->ledger;
    double theta = rico_scheme_option(sim, THETA), t = *sim->now.t + theta * h, h_m = mean_step(sim, h);
    double growth = h - last_step(sim, h);
    const double *load = sim->vector.load, *before = sim->vector.before, *after = sim->vector.after,
                 *v = sim->next.v;
    double *mean = sim->vector.mean, *applied = sim->vector.applied, *damping = sim->vector.damping,
           *spring = sim->vector.spring;
    rico_status status = RICO_OK;
    memset(ledger, 0, sizeof *ledger);

    ledger->external = h_m * rico_dot(sim->nv, v, load);
    if (system->damped || !system->linear) {
        for (int64_t i = 0; i < sim->nv; i++) mean[i] = (1.0 - theta) * sim->now.v[i] + theta * v[i];
        status = rico_assembly_retract(sim->assembly, t, sim->now.q, theta * h, after, sim->vector.weighted);
        if (status == RICO_OK)
            status =
                rico_assembly_forces(sim->assembly, t, sim->vector.weighted, mean, applied, damping, spring);
        ledger->external += h_m * rico_dot(sim->nv, v, applied);
        ledger->damping = h_m * rico_dot(sim->nv, v, damping);
    }
    if (system->stiff && theta != 0.0) {
        memset(mean, 0, (size_t)sim->nv * sizeof *mean);
        rico_assembly_multiply(sim->assembly, sim->assembly->K, -theta * h * h_m, after, mean);
        ledger->numerical[0] = rico_dot(sim->nv, v, mean);
    }
    if (status == RICO_OK && system->stiff && growth != 0.0) {
        status = rico_assembly_forces(sim->assembly, *sim->now.t, sim->now.q, sim->now.v, applied, damping,
                                      spring);
        for (int64_t i = 0; i < sim->nv; i++) mean[i] = after[i] - before[i];
        ledger->numerical[2] = -0.25 * growth * rico_dot(sim->nv, mean, spring);
    }
    rico_step_contact_works(sim, 1.0, v);
    if (status == RICO_OK && sim->now.extra[0] == 0.0) // the scheme's energy begins with this step
        status = excess(sim, h, sim->now.q, sim->now.v, before, sim->vector.half, &ledger->numerical[1]);
    if (status == RICO_OK) status = excess(sim, h, sim->next.q, v, after, sim->now.q, &ledger->algorithmic);
    return status;
}


const rico_scheme rico_schatzman_paoli_schemes[] = {
    {.info = {.name = "schatzman-paoli",
              .equal_steps = true, // it takes others, but has no error estimate where they change
              .summary = "contacts and restitution at the position level over two steps",
              .reference = "Schatzman 1978; Paoli and Schatzman 2002; Acary 2012, eq. 20-22",
              .identity = "dH = h_m v_{k+1}'(F_theta - C v_theta) + v_{k+1}'H p - theta h h_m v_{k+1}'K w+ + "
                          "(dh/4)(w+ - w-)'K q_k, H = |w+|_M^2/2 + q_{k+1}'K q_k/2",
              .numerical = {"-theta h h_m v_{k+1}'K w+", "H - E at the start", "(dh/4)(w+ - w-)'K q_k"},
              .option_count = sizeof OPTIONS / sizeof *OPTIONS,
              .options = OPTIONS,
              .order = 1},
     .default_frames = 1,
     .extra_size = extra_size,
     .check = check,
     .laws = true,
     .advance = advance,
     .memory = 1,
     .memory_at = 1,
     .equations = &rico_schatzman_paoli_equations,
     .book = book},
};
const int rico_schatzman_paoli_scheme_count =
    sizeof rico_schatzman_paoli_schemes / sizeof *rico_schatzman_paoli_schemes;
