// The equations of Schatzman and Paoli's scheme at fixed modes, and their differentials: docs/theory/derivatives.md.
//
//     R = M(q + h z)(z - m) - h_m [ load_theta + F(t_theta, q + theta h z, v_theta) ] - H p,    z = w+,  m = w-,
//     y_N = (1+e)/h g(t_e, q_e),    y_T = H_T'z + w_T,    q_e = q + h (z - e m)/(1+e),    t_e = t + h (1-e)/(1+e),
//     q' = q + h z,    v' = (z + m)/2,    m' = z,    v_theta = (1-theta) v + theta (z + m)/2.
//
// Before the first step m is none of the state: it is v - (h/2) M^-1 (load + F).

#include "la/dense.h"
#include "step/derivative.h"

#include <string.h>

enum { THETA }; // of its own options

static bool first_step(const rico_derivatives *self)
{
    return rico_derivative_extra(self)[0] == 0.0;
}


static double mean_step(const rico_derivatives *self)
{
    double last = rico_derivative_extra(self)[0];
    return 0.5 * (self->h + (last != 0.0 ? last : self->h));
}


static bool late(const rico_simulation *sim)
{
    return rico_step_option(sim, RICO_STEP_FRAMES) != 0.0 && !sim->system->constant_frames;
}


static double bounce(const rico_constraint *constraint)
{
    return constraint->joint ? 0.0 : constraint->restitution;
}


static void unknown(rico_derivatives *self)
{
    const double *w = self->sim->now.extra + self->sim->scheme->memory_at;
    memcpy(self->z, w, (size_t)self->n * sizeof *self->z);
}


// w- in the system of `at`.
static rico_status past(rico_derivatives *self, rico_simulation *at, double *m)
{
    int64_t n = self->n;
    double *load = at->vector.load, *dense = self->kick_q;
    const rico_csc *pattern = &at->system->pattern;
    memcpy(m, self->m, (size_t)n * sizeof *m);
    if (!first_step(self)) return RICO_OK;
    rico_status status = rico_assembly_mass(at->assembly, self->t, self->q);
    if (status == RICO_OK) status = rico_assembly_load(at->assembly, self->t, load);
    if (status == RICO_OK)
        status = rico_assembly_forces(at->assembly, self->t, self->q, self->v, m, NULL, NULL);
    if (status != RICO_OK) return status;
    memset(dense, 0, (size_t)(n * n) * sizeof *dense);
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++)
            dense[pattern->row[k] + j * n] = at->assembly->M[k];
    status = rico_dense_cholesky(self->ctx, n, dense);
    if (status != RICO_OK) return status;
    rico_axpy(n, 1.0, load, m);
    rico_dense_cholesky_solve(n, dense, 1, m);
    for (int64_t i = 0; i < n; i++) m[i] = self->v[i] - 0.5 * self->h * m[i];
    return RICO_OK;
}


static void place_of(const rico_derivatives *self, const double *m, double e, double *q)
{
    for (int64_t i = 0; i < self->n; i++) q[i] = self->q[i] + self->h * (self->z[i] - e * m[i]) / (1.0 + e);
}


// y and H p of one constraint.
static rico_status add_values(rico_derivatives *self, rico_simulation *at, int64_t c, const double *m,
                              const rico_step_values *out)
{
    const rico_constraint *constraint = rico_step_constraint(at, c);
    int64_t n = constraint->dof_count, row = constraint->row;
    double e = bounce(constraint), t = self->t + self->h * (1.0 - e) / (1.0 + e), *q = at->vector.ahead;
    double *rows = self->rows_at;
    const double *p = self->sim->now.p + row;
    place_of(self, m, e, q);
    rico_status status = rico_derivative_gap(self, at, c, t, q, self->local);
    if (status == RICO_OK)
        status = late(at) ? rico_derivative_rows(self, at, c, t, q, rows)
                          : rico_derivative_rows(self, at, c, self->t, self->q, rows);
    if (status == RICO_OK)
        status = rico_derivative_rate(self, at, c, self->t + 0.5 * self->h, self->q, out->y + row);
    for (int64_t j = 0; status == RICO_OK && j < constraint->size; j++) {
        for (int64_t i = 0; i < n; i++) {
            out->y[row + j] += rows[i + j * n] * self->z[constraint->dof[i]];
            out->motion[constraint->dof[i]] -= rows[i + j * n] * p[j];
        }
        if (j == 0 || constraint->joint) out->y[row + j] = (1.0 + e) * self->local[j] / self->h;
    }
    return status;
}


static rico_status values(rico_derivatives *self, rico_simulation *at, const rico_step_values *out)
{
    int64_t n = self->n;
    double h = self->h, theta = rico_scheme_option(at, THETA), t = self->t + theta * h;
    double *m = at->vector.before, *mean = at->vector.mean, *q = at->vector.weighted, *load = at->vector.load;
    rico_status status = past(self, at, m);
    if (status == RICO_OK) status = rico_step_load(at, self->t, h, theta, load, mean);
    for (int64_t i = 0; i < n; i++) {
        mean[i] = (1.0 - theta) * self->v[i] + 0.5 * theta * (self->z[i] + m[i]);
        q[i] = self->q[i] + theta * h * self->z[i];
        out->after[i] = self->q[i] + h * self->z[i];
        out->after[n + i] = 0.5 * (self->z[i] + m[i]);
        out->after[2 * n + i] = self->z[i];
    }
    if (status == RICO_OK) status = rico_assembly_forces(at->assembly, t, q, mean, out->motion, NULL, NULL);
    if (status == RICO_OK) status = rico_assembly_mass(at->assembly, t, out->after);
    if (status != RICO_OK) return status;
    for (int64_t i = 0; i < n; i++) {
        out->motion[i] = -mean_step(self) * (out->motion[i] + load[i]);
        mean[i] = self->z[i] - m[i];
    }
    rico_assembly_multiply(at->assembly, at->assembly->M, 1.0, mean, out->motion);
    for (int64_t c = 0; status == RICO_OK && c < at->constraints; c++)
        status = add_values(self, at, c, m, out);
    return status;
}


// Rows of one constraint, its columns of G and -d(H p)/dq.
static rico_status add_constraint(rico_derivatives *self, int64_t c, const double *m)
{
    rico_simulation *sim = self->sim;
    const rico_constraint *constraint = rico_step_constraint(sim, c);
    int64_t n = constraint->dof_count, size = constraint->size, first = self->first[c];
    double h = self->h, e = bounce(constraint), t = self->t + h * (1.0 - e) / (1.0 + e),
           *q = sim->vector.ahead, *rows = self->rows_at, *turned = rows + n * size;
    const double *p = sim->now.p + constraint->row;
    const rico_mix seen = {.q = 1.0, .m = -h * e / (1.0 + e), .z = h / (1.0 + e)}, start = {.q = 1.0};
    const rico_mix place = late(sim) ? seen : start;
    bool turns = false, drifts = false;
    place_of(self, m, e, q);
    // the gradient of the gap where the contact sees it
    rico_status status = rico_derivative_rows(self, sim, c, t, q, rows);
    for (int64_t j = 0; status == RICO_OK && j < self->count[c]; j++)
        if (j == 0 || constraint->joint)
            rico_derivative_add_row(self, first + j, (1.0 + e) / h, n, constraint->dof, rows + j * n, seen);
    if (status == RICO_OK && !late(sim)) status = rico_derivative_rows(self, sim, c, self->t, self->q, rows);
    if (status == RICO_OK)
        status = late(sim) ? rico_derivative_row_slopes(self, c, t, q, &turns)
                           : rico_derivative_row_slopes(self, c, self->t, self->q, &turns);
    for (int64_t j = 0; status == RICO_OK && j < self->count[c]; j++) {
        for (int64_t i = 0; i < n; i++) self->G[constraint->dof[i] + (first + j) * self->n] = rows[i + j * n];
        if (j == 0 || constraint->joint) continue;
        rico_derivative_add_row(self, first + j, 1.0, n, constraint->dof, rows + j * n, (rico_mix){.z = 1.0});
        for (int64_t i = 0; turns && i < n; i++) {
            turned[i] = 0.0;
            for (int64_t k = 0; k < n; k++)
                turned[i] += self->slopes[(i * size + j) * n + k] * self->z[constraint->dof[k]];
        }
        if (turns) rico_derivative_add_row(self, first + j, 1.0, n, constraint->dof, turned, place);
    }
    if (status != RICO_OK) return status;
    if (turns) {
        double *bent = rows;
        memset(bent, 0, (size_t)(n * n) * sizeof *bent);
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < size; j++)
                for (int64_t k = 0; k < n; k++)
                    bent[k + i * n] += self->slopes[(i * size + j) * n + k] * p[j];
        rico_derivative_add_block(self, -1.0, n, constraint->dof, bent, place);
    }
    status = rico_derivative_rate_slopes(self, c, self->t + 0.5 * h, self->q, &drifts);
    for (int64_t j = 1; status == RICO_OK && drifts && !constraint->joint && j < self->count[c]; j++) {
        for (int64_t i = 0; i < n; i++) turned[i] = self->drifts[i * size + j];
        rico_derivative_add_row(self, first + j, 1.0, n, constraint->dof, turned, start);
    }
    return status;
}


// d(m)/d(q, v) = (0, 1) + (h/2) M^-1 (K + N a, C), N a = d(M a)/dq, before the first step; into fold, n x 2n.
static rico_status fold_past(rico_derivatives *self, const double *m)
{
    rico_simulation *sim = self->sim;
    rico_assembly *assembly = sim->assembly;
    int64_t n = self->n;
    double h = self->h, *a = sim->vector.acceleration, *fold = self->fold;
    for (int64_t i = 0; i < n; i++) a[i] = (self->v[i] - m[i]) * 2.0 / h;
    rico_status status = rico_assembly_tangents(assembly, self->t, self->q, self->v);
    // -(K dq + C dv + N a dq) stands in the columns of X for a moment
    if (status == RICO_OK) rico_derivative_add_values(self, 1.0, assembly->K, (rico_mix){.q = 1.0});
    if (status == RICO_OK) rico_derivative_add_values(self, 1.0, assembly->C, (rico_mix){.v = 1.0});
    if (status == RICO_OK) status = rico_derivative_add_mass_slopes(self, self->q, a, (rico_mix){.q = 1.0});
    if (status != RICO_OK) return status;
    rico_dense_cholesky_solve(n, self->kick_q, 2 * n, self->X);
    for (int64_t k = 0; k < 2 * n * n; k++) fold[k] = -0.5 * h * self->X[k];
    for (int64_t i = 0; i < n; i++) fold[(n + i) * n + i] += 1.0;
    memset(self->X, 0, (size_t)(n * self->size) * sizeof *self->X);
    return RICO_OK;
}


static rico_status linearize(rico_derivatives *self)
{
    rico_simulation *sim = self->sim;
    rico_assembly *assembly = sim->assembly;
    int64_t n = self->n;
    double h = self->h, h_m = mean_step(self), theta = rico_scheme_option(sim, THETA),
           t = self->t + theta * h;
    double *m = sim->vector.before, *mean = sim->vector.mean, *q = sim->vector.weighted;
    bool changed;
    rico_status status = past(self, sim, m);
    self->folds = first_step(self);
    if (status == RICO_OK && self->folds) status = fold_past(self, m);
    const rico_mix end = {.q = 1.0, .z = h}, weighted = {.q = 1.0, .z = theta * h},
                   velocity = {.v = 1.0 - theta, .m = 0.5 * theta, .z = 0.5 * theta};
    if (status == RICO_OK) status = rico_assembly_mass(assembly, t, sim->now.q);
    for (int64_t i = 0; i < n; i++) {
        mean[i] = (1.0 - theta) * self->v[i] + 0.5 * theta * (self->z[i] + m[i]);
        q[i] = self->q[i] + theta * h * self->z[i];
    }
    if (status == RICO_OK) status = rico_assembly_tangents(assembly, t, q, mean);
    if (status != RICO_OK) return status;
    rico_derivative_add_values(self, 1.0, assembly->M, (rico_mix){.m = -1.0, .z = 1.0});
    rico_derivative_add_values(self, h_m, assembly->C, velocity);
    rico_derivative_add_values(self, h_m, assembly->K, weighted);
    for (int64_t i = 0; i < n; i++) mean[i] = self->z[i] - m[i];
    status = rico_derivative_add_mass_slopes(self, sim->now.q, mean, end);
    for (int64_t c = 0; status == RICO_OK && c < sim->constraints; c++)
        if (self->count[c] > 0) status = add_constraint(self, c, m);
    self->after[0] = end;
    self->after[1] = (rico_mix){.m = 0.5, .z = 0.5};
    self->after[2] = (rico_mix){.z = 1.0};
    self->factored = !(sim->system->linear && sim->system->constant_frames);
    if (status == RICO_OK && !self->factored)
        status = rico_iteration_set(&sim->iteration, 1.0, 0.5 * theta * h_m, theta * h_m * h, &changed);
    return status;
}


// m enters with the first step.
static rico_status start(rico_derivatives *self, double *matrix)
{
    (void)self, (void)matrix;
    return RICO_OK;
}


const rico_step_equations rico_schatzman_paoli_equations = {
    .unknown = unknown, .values = values, .linearize = linearize, .start = start};
