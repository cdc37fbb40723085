// The equations of the theta-methods at fixed modes, and their differentials: docs/theory/derivatives.md.
//
//     R = M(q_theta)(z - v) - h [ load_theta + F(t_theta, q_theta, v_theta) ] - H p,    z = v',
//     y = omega u' + (1 - omega) u + bias u_N,    u' = H'z + w,    u = H'v + w,
//
// with H where the option `frames` takes it: at the start, at the end, or in the middle for impulses and at both ends for u and u'.

#include "la/dense.h"
#include "step/derivative.h"
#include "step/theta_step.h"

#include <string.h>

// Where rows are taken: the share of the step that positions have gone, and that of time, for H and for w.
typedef struct site {
    double way, frame, rate;
} site;
typedef struct sites {
    site impulse, before, after;
} sites;

static const sites SITES[] = {
    [RICO_FRAMES_START] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 1.0}},
    [RICO_FRAMES_END] = {{1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {1.0, 0.0, 1.0}},
    [RICO_FRAMES_MIDDLE] = {{0.5, 0.5, 0.5}, {0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}},
};

typedef struct weights {
    double theta, weight, omega;
    sites at;
} weights;


static weights weights_of(const rico_simulation *sim)
{
    double theta = rico_scheme_option(sim, RICO_THETA), weight = sim->scheme->mean ? 0.5 : theta;
    return (weights){.theta = theta,
                     .weight = weight,
                     .omega = rico_step_law(sim)->omega(weight),
                     .at = SITES[(int)rico_step_option(sim, RICO_STEP_FRAMES)]};
}


// q moved by a share of d = h v_mean; and how it follows from the state and z.
static rico_mix position(const rico_derivatives *self, const weights *is, double way)
{
    double all = way * self->h;
    return (rico_mix){.q = 1.0, .v = all * (1.0 - is->weight), .z = all * is->weight};
}


static void place_at(const rico_derivatives *self, const weights *is, double way, double *q)
{
    const rico_mix mix = position(self, is, way);
    for (int64_t i = 0; i < self->n; i++) q[i] = self->q[i] + mix.v * self->v[i] + mix.z * self->z[i];
}


static void unknown(rico_derivatives *self)
{
    memcpy(self->z, self->sim->now.v, (size_t)self->n * sizeof *self->z);
}


// h (load + F) and M at q_theta, v_theta; leaves both in vector.weighted and vector.mean of `at`.
static rico_status forces(rico_derivatives *self, rico_simulation *at, const weights *is, double *force)
{
    double t = self->t + is->theta * self->h, *q = at->vector.weighted, *mean = at->vector.mean,
           *load = at->vector.load;
    rico_status status = rico_step_load(at, self->t, self->h, is->theta, load, mean);
    place_at(self, is, is->theta, q);
    for (int64_t i = 0; i < self->n; i++) mean[i] = (1.0 - is->theta) * self->v[i] + is->theta * self->z[i];
    if (status == RICO_OK) status = rico_assembly_mass(at->assembly, t, q);
    if (status == RICO_OK && force)
        status = rico_assembly_forces(at->assembly, t, q, mean, force, NULL, NULL);
    for (int64_t i = 0; status == RICO_OK && force && i < self->n; i++)
        force[i] = self->h * (force[i] + load[i]);
    return status;
}


// u = H'v + w of one constraint at a site.
static rico_status local(rico_derivatives *self, rico_simulation *at, int64_t c, const site *s,
                         const double *q, const double *v, double *u)
{
    const rico_constraint *constraint = rico_step_constraint(at, c);
    int64_t n = constraint->dof_count;
    double *rows = self->rows_at;
    rico_status status = rico_derivative_rows(self, at, c, self->t + s->frame * self->h, q, rows);
    if (status == RICO_OK) status = rico_derivative_rate(self, at, c, self->t + s->rate * self->h, q, u);
    for (int64_t j = 0; status == RICO_OK && j < constraint->size; j++)
        for (int64_t i = 0; i < n; i++) u[j] += rows[i + j * n] * v[constraint->dof[i]];
    return status;
}


// weight of u_i before the step in y
static double past_weight(const rico_simulation *sim, const weights *is, const rico_constraint *constraint,
                          int64_t i)
{
    if (constraint->joint) return 0.0;
    double bias = rico_step_law(sim)->bias(is->weight, constraint->restitution);
    return 1.0 - is->omega + (i == 0 ? bias : 0.0);
}


// y of all contacts that may act.
static rico_status law(rico_derivatives *self, rico_simulation *at, double *y)
{
    const weights is = weights_of(at);
    double *q = at->vector.ahead, *u = self->local;
    rico_status status = RICO_OK;
    for (int64_t c = 0; status == RICO_OK && c < at->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(at, c);
        int64_t row = constraint->row;
        if (self->mode[c] == RICO_MODE_INACTIVE) continue;
        place_at(self, &is, is.at.after.way, q);
        status = local(self, at, c, &is.at.after, q, self->z, y + row);
        place_at(self, &is, is.at.before.way, q);
        if (status == RICO_OK) status = local(self, at, c, &is.at.before, q, self->v, u);
        for (int64_t i = 0; i < constraint->size; i++)
            y[row + i] = is.omega * y[row + i] + past_weight(at, &is, constraint, i) * u[i];
    }
    return status;
}


static rico_status values(rico_derivatives *self, rico_simulation *at, const rico_step_values *out)
{
    const weights is = weights_of(at);
    int64_t n = self->n;
    double *q = at->vector.ahead, *change = at->vector.change;
    rico_status status = forces(self, at, &is, out->motion);
    for (int64_t i = 0; i < n; i++) {
        out->motion[i] = -out->motion[i];
        change[i] = self->z[i] - self->v[i];
    }
    rico_assembly_multiply(at->assembly, at->assembly->M, 1.0, change, out->motion);
    place_at(self, &is, is.at.impulse.way, q);
    for (int64_t c = 0; status == RICO_OK && c < at->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(at, c);
        const double *p = self->sim->now.p + constraint->row;
        if (self->mode[c] == RICO_MODE_INACTIVE) continue;
        status = rico_derivative_rows(self, at, c, self->t + is.at.impulse.frame * self->h, q, self->rows_at);
        for (int64_t i = 0; status == RICO_OK && i < constraint->size; i++)
            for (int64_t k = 0; k < constraint->dof_count; k++)
                out->motion[constraint->dof[k]] -= self->rows_at[k + i * constraint->dof_count] * p[i];
    }
    place_at(self, &is, 1.0, out->after);
    memcpy(out->after + n, self->z, (size_t)n * sizeof *self->z);
    return status == RICO_OK ? law(self, at, out->y) : status;
}


// dy of one constraint += scale d(H'v + w) at a site: H'(dv) + d(H'v + w)/dq (dq there), dv a mix of its own.
static rico_status add_velocity(rico_derivatives *self, int64_t c, const weights *is, const site *s,
                                const double *v, rico_mix dv, double normal, double tangential)
{
    const rico_constraint *constraint = rico_step_constraint(self->sim, c);
    int64_t n = constraint->dof_count, size = constraint->size, first = self->first[c];
    double *rows = self->rows_at, *turned = self->rows_at + n * size, *q = self->sim->vector.ahead;
    double frame = self->t + s->frame * self->h, rate = self->t + s->rate * self->h;
    const rico_mix place = position(self, is, s->way);
    bool turns = false, drifts = false;
    place_at(self, is, s->way, q);
    rico_status status = rico_derivative_rows(self, self->sim, c, frame, q, rows);
    if (status == RICO_OK) status = rico_derivative_row_slopes(self, c, frame, q, &turns);
    if (status != RICO_OK) return status;
    memset(turned, 0, (size_t)(n * size) * sizeof *turned);
    for (int64_t j = 0; turns && j < size; j++)
        for (int64_t i = 0; i < n; i++)
            for (int64_t k = 0; k < n; k++)
                turned[i + j * n] += self->slopes[(i * size + j) * n + k] * v[constraint->dof[k]];
    status = rico_derivative_rate_slopes(self, c, rate, q, &drifts);
    for (int64_t j = 0; drifts && j < size; j++)
        for (int64_t i = 0; i < n; i++) turned[i + j * n] += self->drifts[i * size + j];
    for (int64_t j = 0; status == RICO_OK && j < self->count[c]; j++) {
        double scale = j == 0 ? normal : tangential;
        rico_derivative_add_row(self, first + j, scale, n, constraint->dof, rows + j * n, dv);
        if (turns || drifts)
            rico_derivative_add_row(self, first + j, scale, n, constraint->dof, turned + j * n, place);
    }
    return status;
}


// Columns of G, and -d(H p)/dq.
static rico_status add_impulses(rico_derivatives *self, int64_t c, const weights *is)
{
    const rico_constraint *constraint = rico_step_constraint(self->sim, c);
    int64_t n = constraint->dof_count, size = constraint->size;
    double t = self->t + is->at.impulse.frame * self->h, *q = self->sim->vector.ahead;
    double *rows = self->rows_at, *bent = rows;
    const double *p = self->sim->now.p + constraint->row;
    bool turns = false;
    place_at(self, is, is->at.impulse.way, q);
    rico_status status = rico_derivative_rows(self, self->sim, c, t, q, rows);
    for (int64_t j = 0; status == RICO_OK && j < self->count[c]; j++)
        for (int64_t i = 0; i < n; i++)
            self->G[constraint->dof[i] + (self->first[c] + j) * self->n] = rows[i + j * n];
    if (status == RICO_OK) status = rico_derivative_row_slopes(self, c, t, q, &turns);
    if (status != RICO_OK || !turns) return status;
    memset(bent, 0, (size_t)(n * n) * sizeof *bent);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < size; j++)
            for (int64_t k = 0; k < n; k++) bent[k + i * n] += self->slopes[(i * size + j) * n + k] * p[j];
    rico_derivative_add_block(self, -1.0, n, constraint->dof, bent, position(self, is, is->at.impulse.way));
    return RICO_OK;
}


static rico_status linearize(rico_derivatives *self)
{
    rico_simulation *sim = self->sim;
    rico_assembly *assembly = sim->assembly;
    const weights is = weights_of(sim);
    double h = self->h, t = self->t + is.theta * h, *change = sim->vector.change;
    rico_status status = forces(self, sim, &is, NULL);
    if (status == RICO_OK)
        status = rico_assembly_tangents(assembly, t, sim->vector.weighted, sim->vector.mean);
    if (status != RICO_OK) return status;
    const rico_mix place = position(self, &is, is.theta);
    rico_derivative_add_values(self, 1.0, assembly->M, (rico_mix){.v = -1.0, .z = 1.0});
    if (sim->system->damped || !sim->system->linear)
        rico_derivative_add_values(self, h, assembly->C, (rico_mix){.v = 1.0 - is.theta, .z = is.theta});
    if (sim->system->stiff || !sim->system->linear) rico_derivative_add_values(self, h, assembly->K, place);
    for (int64_t i = 0; i < self->n; i++) change[i] = self->z[i] - self->v[i];
    status = rico_derivative_add_mass_slopes(self, sim->vector.weighted, change, place);
    for (int64_t c = 0; status == RICO_OK && c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        if (self->count[c] == 0) continue;
        status = add_velocity(self, c, &is, &is.at.after, self->z, (rico_mix){.z = 1.0}, is.omega, is.omega);
        if (status == RICO_OK && !constraint->joint)
            status = add_velocity(self, c, &is, &is.at.before, self->v, (rico_mix){.v = 1.0},
                                  past_weight(sim, &is, constraint, 0), past_weight(sim, &is, constraint, 1));
        if (status == RICO_OK) status = add_impulses(self, c, &is);
    }
    self->after[0] = position(self, &is, 1.0);
    self->after[1] = (rico_mix){.z = 1.0};
    // the matrix of a linear system is the one that the step has factored
    bool own = sim->system->linear && sim->system->constant_frames, changed;
    self->factored = !own;
    if (status == RICO_OK && own)
        status =
            rico_iteration_set(&sim->iteration, 1.0, h * is.theta, h * h * is.theta * is.weight, &changed);
    return status;
}


const rico_step_equations rico_theta_equations = {.unknown = unknown,
                                                  .law = law,
                                                  .values = values,
                                                  .linearize = linearize,
                                                  .columns = true,
                                                  .activates = true};
