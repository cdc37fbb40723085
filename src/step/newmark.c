// Nonsmooth Newmark, HHT and generalized-alpha schemes, and Krenk and Hogsberg's weighting of the last.
//
//     (1-alpha_m) a_{k+1} + alpha_m a_k = M^-1 [ s f + s_c g ]_{k+1} + M^-1 [ (1-s) f + (1-s_c) g ]_k
//     v_{k+1} = v_k + h (1-gamma) a_k + h gamma a_{k+1} + w,                        M w = H p
//     q_{k+1} = q_k + h v_k + h^2 (1/2-beta) a_k + h^2 beta a_{k+1} + (h/2) w
//
// (Acary 2016, eq. 25 and 30). f holds loads, callback forces and -C v, g = -grad V; s = s_c = 1-alpha_f, but
// s = 1-alpha_m in Krenk and Hogsberg's scheme. With w eliminated, and kappa = beta - gamma/2,
//
//     q_{k+1} = q_k + h [ (v_k + v_{k+1})/2 + h kappa (a_{k+1} - a_k) ],
//
// a free step (p = 0) is one solve for a_{k+1} with S = (1-alpha_m) M + s h gamma C + s_c h^2 beta K, and impulses add
//
//     S^-1 [ (1-alpha_m) + s_c h^2 kappa K M^-1 ] H p        to v_{k+1}: the mass is needed apart from S unless kappa = 0.

#include "step/newmark.h"

#include "la/dense.h"
#include "step/activation.h"
#include "step/theta_step.h"

#include <math.h>
#include <string.h>

// The scheme's own numbers: the last h, |a|_M^2, a, and the filters of the ledger, those of the paper over nu so that
// nu = 0 is no exception: (1/2+nu) z_{k+1} + (1/2-nu) z_k = dq; x follows -C v and y the other forces in the same way.
typedef struct own_state {
    double *h, *aMa, *a, *z, *x, *y;
} own_state;


int64_t rico_newmark_extra_size(const rico_simulation *sim)
{
    static const int64_t VECTORS[] = {
        [RICO_NEWMARK] = 1, [RICO_HHT] = 4, [RICO_GENERALIZED_ALPHA] = 4, [RICO_KRENK_HOGSBERG] = 2};
    return 2 + VECTORS[rico_newmark_kind(sim)] * sim->nv;
}


static own_state own(const rico_simulation *sim, const rico_state *state)
{
    double *at = state->extra + 2;
    return (own_state){state->extra, state->extra + 1, at, at + sim->nv, at + 2 * sim->nv, at + 3 * sim->nv};
}


// M a_0 = f + g: reactions belong to the impulses, so none is in it.
rico_status rico_newmark_start(rico_simulation *sim)
{
    own_state now = own(sim, &sim->now);
    double *load = sim->vector.load, *force = sim->vector.applied, t = *sim->now.t;
    rico_status status = RICO_OK;
    bool changed;
    if (!sim->mass.ctx) status = rico_iteration_create(sim->assembly, &sim->mass);
    if (status == RICO_OK) status = rico_iteration_set(&sim->mass, 1.0, 0.0, 0.0, &changed);
    if (status == RICO_OK) status = rico_assembly_load(sim->assembly, t, load);
    if (status == RICO_OK)
        status = rico_assembly_forces(sim->assembly, t, sim->now.q, sim->now.v, force, NULL, NULL);
    if (status != RICO_OK) return status;
    rico_axpy(sim->nv, 1.0, load, force);
    status = rico_iteration_solve(&sim->mass, 1, force, now.a);
    if (status == RICO_OK) *now.aMa = rico_assembly_square(sim->assembly, sim->assembly->M, now.a);
    return status;
}


// f and g at a state; f includes the load.
static rico_status forces(rico_simulation *sim, double t, const double *q, const double *v, double *f,
                          double *g)
{
    rico_status status = rico_assembly_load(sim->assembly, t, sim->vector.load);
    if (status == RICO_OK) status = rico_assembly_forces(sim->assembly, t, q, v, f, NULL, g);
    if (status == RICO_OK) rico_axpy(sim->nv, 1.0, sim->vector.load, f);
    return status;
}


// past = (1-s) f_k + (1-s_c) g_k - alpha_m M a_k; divided by M(q_k) where the mass varies, so that accelerations are
// averaged and not forces at different masses (eq. 25e).
static rico_status weigh_past(rico_simulation *sim, const rico_newmark *is, double *past, double *g)
{
    const rico_system *system = sim->system;
    const double *a = own(sim, &sim->now).a;
    rico_status status = forces(sim, *sim->now.t, sim->now.q, sim->now.v, past, g);
    if (status != RICO_OK) return status;
    for (int64_t i = 0; i < sim->nv; i++) past[i] = (1.0 - is->s) * past[i] + (1.0 - is->s_c) * g[i];
    if (system->constant_mass) {
        rico_assembly_multiply(sim->assembly, sim->assembly->M, -is->alpha_m, a, past);
        return RICO_OK;
    }
    bool changed;
    status = rico_assembly_mass(sim->assembly, *sim->now.t, sim->now.q);
    if (status == RICO_OK) status = rico_iteration_set(&sim->mass, 1.0, 0.0, 0.0, &changed);
    if (status == RICO_OK) status = rico_iteration_solve(&sim->mass, 1, past, past);
    if (status == RICO_OK) rico_axpy(sim->nv, -is->alpha_m, a, past);
    return status;
}


// The velocity that moves q: (v_k + v)/2 + h kappa (a - a_k).
static void moving_velocity(const rico_simulation *sim, const rico_newmark *is, double h, const double *v,
                            const double *a, double *out)
{
    const double *v0 = sim->now.v, *a0 = own(sim, &sim->now).a;
    double push = h * is->kappa;
    for (int64_t i = 0; i < sim->nv; i++) out[i] = 0.5 * (v0[i] + v[i]) + push * (a[i] - a0[i]);
}


// v_k + h (1-gamma) a_k + h gamma a
static double smooth_velocity(const rico_simulation *sim, const rico_newmark *is, double h, const double *a0,
                              const double *a, int64_t i)
{
    return sim->now.v[i] + h * ((1.0 - is->gamma) * a0[i] + is->gamma * a[i]);
}


// right = s f + s_c g + past - (1-alpha_m) M a at the iterate (v, a), and what its velocity has beyond the smooth one
// taken back: + (s C + s_c (h/2) K)(v - smooth), which is what is left of the last impulses (0 at the first iterate).
static rico_status residual(rico_simulation *sim, const rico_newmark *is, double h, const double *past,
                            const double *v, const double *a, bool first, double *right)
{
    const rico_system *system = sim->system;
    double *g = sim->vector.spring, *step = sim->vector.displacement, *q = sim->vector.weighted,
           t = *sim->now.t + h;
    const double *a0 = own(sim, &sim->now).a;
    moving_velocity(sim, is, h, v, a, step);
    rico_status status = rico_assembly_retract(sim->assembly, t, sim->now.q, h, step, q);
    if (status == RICO_OK) status = rico_assembly_mass(sim->assembly, t, q);
    if (status == RICO_OK) status = forces(sim, t, q, v, right, g);
    if (status == RICO_OK) status = rico_assembly_tangents(sim->assembly, t, q, v);
    if (status != RICO_OK) return status;

    for (int64_t i = 0; i < sim->nv; i++) {
        right[i] = is->s * right[i] + is->s_c * g[i];
        step[i] = (1.0 - is->alpha_m) * a[i];
        if (past && system->constant_mass) right[i] += past[i];
        if (past && !system->constant_mass) step[i] -= past[i];
    }
    rico_assembly_multiply(sim->assembly, sim->assembly->M, -1.0, step, right);
    if (first) return RICO_OK;
    for (int64_t i = 0; i < sim->nv; i++) step[i] = v[i] - smooth_velocity(sim, is, h, a0, a, i);
    rico_assembly_multiply(sim->assembly, sim->assembly->C, is->s, step, right);
    rico_assembly_multiply(sim->assembly, sim->assembly->K, 0.5 * h * is->s_c, step, right);
    return RICO_OK;
}


// On a linear system S a_{k+1} = right, exactly: the weighted forces at the state that a_{k+1} = 0 would lead to, in one
// evaluation at the weighted state.
static rico_status linear_right_side(rico_simulation *sim, const rico_newmark *is, double h, double *right)
{
    const rico_system *system = sim->system;
    const double *v0 = sim->now.v, *a0 = own(sim, &sim->now).a;
    double *load = sim->vector.load, *v = sim->vector.displacement, *q = sim->vector.weighted,
           t = *sim->now.t;
    double push = h * (1.0 - is->gamma), drift = 0.5 * push - h * is->kappa;
    for (int64_t i = 0; i < sim->nv; i++) v[i] = v0[i] + drift * a0[i];
    rico_status status = rico_assembly_retract(sim->assembly, t, sim->now.q, is->s_c * h, v, q);
    for (int64_t i = 0; i < sim->nv; i++) v[i] = v0[i] + is->s * push * a0[i];
    if (status == RICO_OK) status = rico_step_load(sim, t, h, is->s, load, right);
    if (status == RICO_OK) status = rico_assembly_forces(sim->assembly, t, q, v, right, NULL, NULL);
    if (status != RICO_OK) return status;
    if (system->loaded) rico_axpy(sim->nv, 1.0, load, right);
    if (is->alpha_m != 0.0) rico_assembly_multiply(sim->assembly, sim->assembly->M, -is->alpha_m, a0, right);
    return RICO_OK;
}


// The matrices of one iteration: S, and M where impulses need it.
static rico_status set_matrices(rico_simulation *sim, const rico_newmark *is, double h, bool *changed)
{
    rico_iteration *S = &sim->iteration;
    rico_status status =
        rico_iteration_set(S, 1.0 - is->alpha_m, is->s * h * is->gamma, is->s_c * h * h * is->beta, changed);
    S->lead = 1.0 - is->alpha_m;
    S->mix = is->s_c * h * h * is->kappa;
    S->mass = S->mix != 0.0 && sim->system->stiff ? &sim->mass : NULL;
    bool other;
    if (status == RICO_OK && sim->rows > 0) status = rico_iteration_set(&sim->mass, 1.0, 0.0, 0.0, &other);
    return status;
}


// The step once more with its impulses: M w = H p, S (a_new - base) = right - (s C + s_c (h/2) K) w, v = smooth + w. The
// contact problem has v too, as a sum over impulses, which is as good unless opposed impulses are large; this one
// leaves no error in the equation of motion whatever they are.
static rico_status apply_impulses(rico_simulation *sim, const rico_newmark *is, double h, const double *base,
                                  double *right)
{
    const rico_system *system = sim->system;
    double *w = sim->vector.change, *new_a = own(sim, &sim->next).a;
    const double *a0 = own(sim, &sim->now).a;
    rico_csc_times(&sim->assembly->H, 1.0, sim->next.p, 0.0, w);
    rico_status status = rico_iteration_solve(&sim->mass, 1, w, w);
    if (status != RICO_OK) return status;
    if (system->damped || !system->linear)
        rico_assembly_multiply(sim->assembly, sim->assembly->C, -is->s, w, right);
    if (system->stiff) rico_assembly_multiply(sim->assembly, sim->assembly->K, -0.5 * h * is->s_c, w, right);
    status = rico_iteration_solve(&sim->iteration, 1, right, new_a);
    if (status != RICO_OK) return status;
    if (base) rico_axpy(sim->nv, 1.0, base, new_a);
    for (int64_t i = 0; i < sim->nv; i++) sim->next.v[i] = smooth_velocity(sim, is, h, a0, new_a, i) + w[i];
    return RICO_OK;
}


static bool settled(const rico_simulation *sim, double h, const double *v, const double *a)
{
    const double *new_v = sim->next.v, *new_a = own(sim, &sim->next).a;
    double most = 0.0, size = 0.0, *change = sim->vector.change;
    for (int64_t i = 0; i < sim->nv; i++) {
        change[i] = fmax(fabs(new_v[i] - v[i]), h * fabs(new_a[i] - a[i]));
        most = fmax(most, change[i]);
        size = fmax(fmax(size, fabs(sim->posed[i])), fmax(fabs(new_v[i]), fabs(sim->now.v[i])));
    }
    double enough = rico_step_option(sim, RICO_STEP_NEWTON_TOL) * size;
    return most <= enough || (sim->system->stiff && rico_theta_within_noise(sim, enough, change));
}


rico_status rico_newmark_advance(rico_simulation *sim, double h)
{
    const rico_system *system = sim->system;
    const rico_newmark is = rico_newmark_parameters(sim);
    own_state now = own(sim, &sim->now), next = own(sim, &sim->next);
    double omega = rico_step_law(sim)->omega(0.5), t = *sim->now.t;
    double *right = sim->vector.right, *v = sim->vector.iterate, *a = sim->vector.acceleration,
           *past = sim->vector.past;
    bool late = rico_step_option(sim, RICO_STEP_FRAMES) != 0.0 && !system->constant_frames;
    bool once = system->linear && !late;
    int most = (int)rico_step_option(sim, RICO_STEP_NEWTON_MAX), n = 0;

    memcpy(sim->next.extra, sim->now.extra, (size_t)sim->extra_size * sizeof *sim->next.extra);
    *next.h = h;
    rico_status status = rico_step_frames(sim, h, sim->now.q);
    if (status != RICO_OK) return status;
    bool weighted = !system->linear && (is.alpha_m != 0.0 || is.alpha_f != 0.0);
    if (weighted) status = weigh_past(sim, &is, past, right);
    if (status != RICO_OK) return status;

    const double *base = system->linear ? NULL : a; // where the equations are linearized; zero
    for (int64_t i = 0; !once && i < sim->nv; i++) {
        a[i] = now.a[i];
        v[i] = smooth_velocity(sim, &is, h, now.a, a, i);
    }
    for (bool done = false; !done;) {
        bool changed;
        status = system->linear ? linear_right_side(sim, &is, h, right)
                                : residual(sim, &is, h, weighted ? past : NULL, v, a, n == 0, right);
        if (status == RICO_OK) status = set_matrices(sim, &is, h, &changed);
        if (status == RICO_OK) status = rico_iteration_solve(&sim->iteration, 1, right, next.a);
        if (status != RICO_OK) return status;
        if (!system->linear) rico_axpy(sim->nv, 1.0, a, next.a);
        for (int64_t i = 0; i < sim->nv; i++) sim->next.v[i] = smooth_velocity(sim, &is, h, now.a, next.a, i);

        if (n == 0) {
            status = rico_step_activate(sim, h, 0.5, sim->next.v);
            rico_contacts_activate(&sim->contacts, sim->active);
        } else if (late) {
            moving_velocity(sim, &is, h, v, a, sim->vector.displacement);
            status = rico_assembly_retract(sim->assembly, t, sim->now.q, h, sim->vector.displacement,
                                           sim->vector.ahead);
            if (status == RICO_OK) status = rico_step_frames(sim, h, sim->vector.ahead);
        }
        if (status != RICO_OK) return status;
        rico_step_law_offset(sim, 0.5, sim->offset);
        bool same = !once && rico_step_same_problem(sim, n == 0, sim->next.v, sim->offset);
        status = rico_contacts_solve(&sim->contacts, &sim->iteration, changed || !system->constant_frames,
                                     omega, sim->offset, sim->next.v, sim->next.p, sim->next.scale);
        if (status == RICO_OK && sim->contacts.rows > 0) status = apply_impulses(sim, &is, h, base, right);
        if (status != RICO_OK) return status;

        n++;
        done = once || (n > 1 && (same || settled(sim, h, v, a)));
        if (!done && n >= most) return rico_theta_unsettled(sim, n, v, sim->next.v, "take a smaller step");
        for (int64_t i = 0; !done && i < sim->nv; i++) {
            v[i] = sim->next.v[i];
            a[i] = next.a[i];
        }
    }
    sim->stats.newton_last = n;
    sim->stats.newton_iterations += n;

    rico_step_local_velocity(sim, sim->next.v, sim->u_after);
    moving_velocity(sim, &is, h, sim->next.v, next.a, sim->vector.displacement);
    return rico_assembly_retract(sim->assembly, t, sim->now.q, h, sim->vector.displacement, sim->next.q);
}


// One step of a filter, (1/2+nu) new + (1/2-nu) old = change; `change` becomes eta times the filter's mean of weight
// gamma, which is what the filter takes from the force.
static void filter(const rico_newmark *is, int64_t n, const double *old, double *new, double *change)
{
    for (int64_t i = 0; i < n; i++) {
        new[i] = (change[i] - (0.5 - is->nu) * old[i]) / (0.5 + is->nu);
        change[i] = is->eta * (is->gamma * new[i] + (1.0 - is->gamma) * old[i]);
    }
}


// Work dq' [ gamma F_{k+1} + (1-gamma) F_k - eta filter ]; F_k is destroyed.
static double weighted_work(const rico_newmark *is, int64_t n, const double *dq, double *before,
                            const double *after, const double *old, double *new)
{
    double work = 0.0;
    for (int64_t i = 0; i < n; i++) work += dq[i] * (is->gamma * after[i] + (1.0 - is->gamma) * before[i]);
    if (!old) return work;
    for (int64_t i = 0; i < n; i++) before[i] = after[i] - before[i];
    filter(is, n, old, new, before);
    return work - rico_dot(n, dq, before);
}


// Works of loads, callback forces and damping over the step, with the filters x and y where forces are weighted.
static rico_status book_forces(rico_simulation *sim, const rico_newmark *is, const double *dq)
{
    const rico_system *system = sim->system;
    own_state now = own(sim, &sim->now), next = own(sim, &sim->next);
    bool filtered = rico_newmark_kind(sim) == RICO_HHT || rico_newmark_kind(sim) == RICO_GENERALIZED_ALPHA;
    if (!system->loaded && !system->damped && system->linear) return RICO_OK;
    double *applied[2] = {sim->vector.applied_before, sim->vector.applied};
    double *damping[2] = {sim->vector.damping_before, sim->vector.damping};
    for (int end = 0; end < 2; end++) {
        const rico_state *state = end ? &sim->next : &sim->now;
        rico_status status = rico_assembly_load(sim->assembly, *state->t, sim->vector.load);
        if (status == RICO_OK)
            status = rico_assembly_forces(sim->assembly, *state->t, state->q, state->v, applied[end],
                                          damping[end], sim->vector.spring);
        if (status != RICO_OK) return status;
        rico_axpy(sim->nv, 1.0, sim->vector.load, applied[end]);
    }
    sim->ledger.external = weighted_work(is, sim->nv, dq, applied[0], applied[1], filtered ? now.y : NULL,
                                         filtered ? next.y : NULL);
    if (system->damped)
        sim->ledger.damping = weighted_work(is, sim->nv, dq, damping[0], damping[1], filtered ? now.x : NULL,
                                            filtered ? next.x : NULL);
    return RICO_OK;
}


// dH = works + u_half' p - (h^2/2)(gamma-1/2)(2 beta-gamma)|da|_M^2 - (gamma-1/2-eta)|dq|_K^2
//      - eta nu (nu-gamma+1/2)|dz|_K^2,   H = E + (h^2/4)(2 beta-gamma)|a|_M^2 + (eta/2)(nu-gamma+1/2)|z|_K^2
// (Acary 2016, eq. 58 and 73, with z here for z/nu there). H depends on h: what a new h adds is a term of its own.
rico_status rico_newmark_book(rico_simulation *sim, double h)
{
    const rico_system *system = sim->system;
    rico_ledger *ledger = &sim->ledger;
    const rico_newmark is = rico_newmark_parameters(sim);
    own_state now = own(sim, &sim->now), next = own(sim, &sim->next);
    double *dq = sim->vector.displacement, *change = sim->vector.change, *mean = sim->vector.mean;
    double inertia = 0.5 * is.kappa, damp = is.gamma - 0.5;
    memset(ledger, 0, sizeof *ledger);

    moving_velocity(sim, &is, h, sim->next.v, next.a, dq);
    for (int64_t i = 0; i < sim->nv; i++) {
        dq[i] *= h;
        mean[i] = 0.5 * (sim->now.v[i] + sim->next.v[i]);
    }
    rico_step_contact_works(sim, 0.5, mean);
    rico_status status = book_forces(sim, &is, dq);
    if (status == RICO_OK) status = rico_assembly_mass(sim->assembly, *sim->next.t, sim->next.q);
    if (status != RICO_OK) return status;

    double size, jump; // |.|^2 of a vector and of its change
    if (is.kappa != 0.0) {
        for (int64_t i = 0; i < sim->nv; i++) change[i] = next.a[i] - now.a[i];
        rico_assembly_squares(sim->assembly, sim->assembly->M, next.a, change, next.aMa, &jump);
        ledger->algorithmic = inertia * h * h * *next.aMa;
        ledger->numerical[0] = -damp * is.kappa * h * h * jump;
        ledger->numerical[3] = inertia * (h * h - *now.h * *now.h) * *now.aMa;
    }
    if (!system->stiff) return RICO_OK;
    // equal in schemes of second order, up to round-off
    if (fabs(damp - is.eta) > 1e-15)
        ledger->numerical[1] = -(damp - is.eta) * rico_assembly_square(sim->assembly, sim->assembly->K, dq);
    if (rico_newmark_kind(sim) == RICO_NEWMARK) return RICO_OK;

    double room = is.nu - damp;
    filter(&is, sim->nv, now.z, next.z, dq);
    for (int64_t i = 0; i < sim->nv; i++) change[i] = next.z[i] - now.z[i];
    rico_assembly_squares(sim->assembly, sim->assembly->K, next.z, change, &size, &jump);
    ledger->numerical[2] = -is.eta * is.nu * room * jump;
    ledger->algorithmic += 0.5 * is.eta * room * size;
    return RICO_OK;
}
