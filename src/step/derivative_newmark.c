// The equations of Newmark's family at fixed modes, and their differentials: docs/theory/derivatives.md.
//
//     R = (1-alpha_m) M z + alpha_m M a - s f' - s_c g' - (1-s) f - (1-s_c) g,    z = a',    M w = H p,
//     v' = v + h (1-gamma) a + h gamma z + w,    q' = q + h (v + v')/2 + h^2 kappa (z - a),
//
// with H and M where the step begins: a mass that varies, and frames at the end, are left to differences. In Krenk and Hogsberg's
// scheme forces that depend on positions and those of a potential have different weights, which a tangent does not tell apart: linear
// systems alone, whose only such forces are the potential's.

#include "la/dense.h"
#include "step/derivative.h"
#include "step/newmark.h"

#include <string.h>

static bool applies(const rico_simulation *sim)
{
    const rico_system *system = sim->system;
    bool late = rico_step_option(sim, RICO_STEP_FRAMES) != RICO_FRAMES_START && !system->constant_frames;
    bool apart = rico_newmark_kind(sim) == RICO_KRENK_HOGSBERG && !system->linear;
    return system->constant_mass && !late && !apart;
}


static void unknown(rico_derivatives *self)
{
    const double *a = self->sim->now.extra + self->sim->scheme->memory_at;
    memcpy(self->z, a, (size_t)self->n * sizeof *self->z);
}


// v' and q' without what impulses do to them.
static rico_mix velocity_mix(const rico_newmark *is, double h)
{
    return (rico_mix){.v = 1.0, .m = h * (1.0 - is->gamma), .z = h * is->gamma};
}


static rico_mix position_mix(const rico_newmark *is, double h)
{
    return (rico_mix){
        .q = 1.0, .v = h, .m = h * h * (0.5 * (1.0 - is->gamma) - is->kappa), .z = h * h * is->beta};
}


static double mixed(const rico_derivatives *self, rico_mix mix, int64_t i)
{
    return mix.q * self->q[i] + mix.v * self->v[i] + mix.m * self->m[i] + mix.z * self->z[i];
}


// H p at the start of the step into `sum`.
static rico_status impulse(rico_derivatives *self, rico_simulation *at, double *sum)
{
    rico_status status = RICO_OK;
    memset(sum, 0, (size_t)self->n * sizeof *sum);
    for (int64_t c = 0; status == RICO_OK && c < at->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(at, c);
        int64_t n = constraint->dof_count;
        const double *p = self->sim->now.p + constraint->row;
        if (self->mode[c] == RICO_MODE_INACTIVE) continue;
        status = rico_derivative_rows(self, at, c, self->t, self->q, self->rows_at);
        for (int64_t j = 0; status == RICO_OK && j < constraint->size; j++)
            for (int64_t i = 0; i < n; i++) sum[constraint->dof[i]] += self->rows_at[i + j * n] * p[j];
    }
    return status;
}


// -weight f - weight_c g at a state, added to motion.
static rico_status subtract_forces(rico_simulation *at, double t, const double *q, const double *v,
                                   double weight, double weight_c, double *motion)
{
    double *f = at->vector.applied, *g = at->vector.spring, *load = at->vector.load;
    if (weight == 0.0 && weight_c == 0.0) return RICO_OK;
    rico_status status = rico_assembly_load(at->assembly, t, load);
    if (status == RICO_OK) status = rico_assembly_forces(at->assembly, t, q, v, f, NULL, g);
    for (int64_t i = 0; status == RICO_OK && i < at->nv; i++)
        motion[i] -= weight * (f[i] + load[i]) + weight_c * g[i];
    return status;
}


// y = omega (H'v' + w') + (past weight)(H'v + w).
static rico_status law(rico_derivatives *self, rico_simulation *at, const double *v, double *y)
{
    const rico_contact_rule *rule = rico_step_law(at);
    double omega = rule->omega(0.5);
    for (int64_t c = 0; c < at->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(at, c);
        int64_t n = constraint->dof_count, row = constraint->row;
        if (self->mode[c] == RICO_MODE_INACTIVE) continue;
        rico_status status = rico_derivative_rows(self, at, c, self->t, self->q, self->rows_at);
        if (status == RICO_OK) status = rico_derivative_rate(self, at, c, self->t, self->q, self->local);
        if (status == RICO_OK)
            status = rico_derivative_rate(self, at, c, self->t + self->h, self->q, y + row);
        if (status != RICO_OK) return status;
        for (int64_t j = 0; j < constraint->size; j++) {
            double bias = j == 0 ? rule->bias(0.5, constraint->restitution) : 0.0;
            double past = constraint->joint ? 0.0 : 1.0 - omega + bias;
            for (int64_t i = 0; i < n; i++) {
                y[row + j] += self->rows_at[i + j * n] * v[constraint->dof[i]];
                self->local[j] += self->rows_at[i + j * n] * self->v[constraint->dof[i]];
            }
            y[row + j] = omega * y[row + j] + past * self->local[j];
        }
    }
    return RICO_OK;
}


static rico_status values(rico_derivatives *self, rico_simulation *at, const rico_step_values *out)
{
    const rico_newmark is = rico_newmark_parameters(at);
    int64_t n = self->n;
    double h = self->h, *w = at->vector.change, *weighted = at->vector.mean;
    double *q = out->after, *v = out->after + n;
    bool changed;
    rico_status status = rico_assembly_mass(at->assembly, self->t, self->q);
    if (status == RICO_OK) status = rico_iteration_set(&at->mass, 1.0, 0.0, 0.0, &changed);
    if (status == RICO_OK) status = impulse(self, at, w);
    if (status == RICO_OK) status = rico_iteration_solve(&at->mass, 1, w, w);
    if (status != RICO_OK) return status;
    for (int64_t i = 0; i < n; i++) {
        q[i] = mixed(self, position_mix(&is, h), i) + 0.5 * h * w[i];
        v[i] = mixed(self, velocity_mix(&is, h), i) + w[i];
        weighted[i] = (1.0 - is.alpha_m) * self->z[i] + is.alpha_m * self->m[i];
    }
    memcpy(out->after + 2 * n, self->z, (size_t)n * sizeof *v);
    memset(out->motion, 0, (size_t)n * sizeof *out->motion);
    rico_assembly_multiply(at->assembly, at->assembly->M, 1.0, weighted, out->motion);
    status = subtract_forces(at, self->t + h, q, v, is.s, is.s_c, out->motion);
    if (status == RICO_OK)
        status = subtract_forces(at, self->t, self->q, self->v, 1.0 - is.s, 1.0 - is.s_c, out->motion);
    return status == RICO_OK ? law(self, at, v, out->y) : status;
}


// Rows of one constraint: H into G, dy but for what impulses do, and d(H p)/dq into kick_q.
static rico_status add_constraint(rico_derivatives *self, int64_t c, const rico_newmark *is,
                                  const double *v_after)
{
    const rico_simulation *sim = self->sim;
    const rico_contact_rule *rule = rico_step_law(sim);
    const rico_constraint *constraint = rico_step_constraint(sim, c);
    int64_t n = constraint->dof_count, size = constraint->size, first = self->first[c];
    const double *p = sim->now.p + constraint->row;
    double omega = rule->omega(0.5), *rows = self->rows_at, *turned = rows + n * size;
    const rico_mix still = {.q = 1.0};
    bool turns = false, drifts = false;
    rico_status status = rico_derivative_rows(self, self->sim, c, self->t, self->q, rows);
    if (status == RICO_OK) status = rico_derivative_row_slopes(self, c, self->t, self->q, &turns);
    for (int64_t j = 0; status == RICO_OK && j < self->count[c]; j++) {
        double bias = j == 0 ? rule->bias(0.5, constraint->restitution) : 0.0;
        double past = constraint->joint ? 0.0 : 1.0 - omega + bias;
        for (int64_t i = 0; i < n; i++) self->G[constraint->dof[i] + (first + j) * self->n] = rows[i + j * n];
        rico_derivative_add_row(self, first + j, omega, n, constraint->dof, rows + j * n,
                                velocity_mix(is, self->h));
        rico_derivative_add_row(self, first + j, past, n, constraint->dof, rows + j * n,
                                (rico_mix){.v = 1.0});
        if (!turns) continue;
        for (int64_t i = 0; i < n; i++) {
            turned[i] = 0.0;
            for (int64_t k = 0; k < n; k++) {
                int64_t dof = constraint->dof[k];
                double slope = self->slopes[(i * size + j) * n + k];
                turned[i] += slope * (omega * v_after[dof] + past * self->v[dof]);
                self->kick_q[dof + constraint->dof[i] * self->n] += slope * p[j];
            }
        }
        rico_derivative_add_row(self, first + j, 1.0, n, constraint->dof, turned, still);
    }
    for (int end = 0; status == RICO_OK && constraint->moves && end < 2; end++) {
        status = rico_derivative_rate_slopes(self, c, self->t + end * self->h, self->q, &drifts);
        for (int64_t j = 0; status == RICO_OK && j < self->count[c]; j++) {
            double bias = j == 0 ? rule->bias(0.5, constraint->restitution) : 0.0;
            double past = constraint->joint ? 0.0 : 1.0 - omega + bias;
            for (int64_t i = 0; i < n; i++) turned[i] = self->drifts[i * size + j];
            rico_derivative_add_row(self, first + j, end ? omega : past, n, constraint->dof, turned, still);
        }
    }
    return status;
}


// What impulses do to v' and q' at once: kick = M^-1 H in forces at the end and in the law.
static rico_status add_kicks(rico_derivatives *self, const rico_newmark *is)
{
    rico_simulation *sim = self->sim;
    rico_assembly *assembly = sim->assembly;
    int64_t n = self->n, m = self->rows;
    double omega = rico_step_law(sim)->omega(0.5), *image = sim->vector.right;
    bool changed;
    self->kicks = m > 0;
    self->share_v = 1.0;
    self->share_q = 0.5 * self->h;
    if (m == 0) return RICO_OK;
    rico_status status = rico_iteration_set(&sim->mass, 1.0, 0.0, 0.0, &changed);
    if (status == RICO_OK) status = rico_iteration_solve(&sim->mass, m, self->G, self->kick);
    if (status == RICO_OK && !sim->system->constant_frames)
        status = rico_iteration_solve(&sim->mass, n, self->kick_q, self->kick_q);
    if (status != RICO_OK) return status;
    for (int64_t j = 0; j < m; j++)
        for (int64_t i = 0; i < m; i++)
            self->D[i + j * m] = omega * rico_dot(n, self->G + i * n, self->kick + j * n);
    for (int64_t j = 0; !sim->system->constant_frames && j < n; j++) {
        const double *column = self->kick_q + j * n;
        for (int64_t i = 0; i < m; i++)
            self->Y[j + i * self->size] -= omega * rico_dot(n, self->G + i * n, column);
        memset(image, 0, (size_t)n * sizeof *image);
        rico_assembly_multiply(assembly, assembly->C, is->s, column, image);
        rico_assembly_multiply(assembly, assembly->K, 0.5 * self->h * is->s_c, column, image);
        rico_axpy(n, -1.0, image, self->X + j * n);
    }
    memset(self->G, 0, (size_t)(n * m) * sizeof *self->G);
    for (int64_t j = 0; j < m; j++) {
        rico_assembly_multiply(assembly, assembly->C, -is->s, self->kick + j * n, self->G + j * n);
        rico_assembly_multiply(assembly, assembly->K, -0.5 * self->h * is->s_c, self->kick + j * n,
                               self->G + j * n);
    }
    return RICO_OK;
}


static rico_status linearize(rico_derivatives *self)
{
    rico_simulation *sim = self->sim;
    rico_assembly *assembly = sim->assembly;
    const rico_newmark is = rico_newmark_parameters(sim);
    double h = self->h;
    rico_status status = RICO_OK;
    bool changed;
    self->after[0] = position_mix(&is, h);
    self->after[1] = velocity_mix(&is, h);
    self->after[2] = (rico_mix){.z = 1.0};
    if (is.s != 1.0 || is.s_c != 1.0) {
        status = rico_assembly_tangents(assembly, self->t, self->q, self->v);
        if (status != RICO_OK) return status;
        rico_derivative_add_values(self, 1.0 - is.s, assembly->C, (rico_mix){.v = 1.0});
        rico_derivative_add_values(self, 1.0 - is.s_c, assembly->K, (rico_mix){.q = 1.0});
    }
    status = rico_assembly_mass(assembly, self->t, self->q);
    if (status == RICO_OK) status = rico_assembly_tangents(assembly, self->t + h, sim->now.q, sim->now.v);
    if (status != RICO_OK) return status;
    rico_derivative_add_values(self, 1.0, assembly->M, (rico_mix){.m = is.alpha_m, .z = 1.0 - is.alpha_m});
    rico_derivative_add_values(self, is.s, assembly->C, self->after[1]);
    rico_derivative_add_values(self, is.s_c, assembly->K, self->after[0]);
    if (self->kick_q) memset(self->kick_q, 0, (size_t)(self->n * self->n) * sizeof *self->kick_q);
    for (int64_t c = 0; status == RICO_OK && c < sim->constraints; c++)
        if (self->count[c] > 0) status = add_constraint(self, c, &is, sim->now.v);
    if (status == RICO_OK) status = add_kicks(self, &is);
    self->factored = !sim->system->linear;
    if (status == RICO_OK && !self->factored)
        status = rico_iteration_set(&sim->iteration, 1.0 - is.alpha_m, is.s * h * is.gamma,
                                    is.s_c * h * h * is.beta, &changed);
    return status;
}


// M da = -K dq - C dv.
static rico_status start(rico_derivatives *self, double *matrix)
{
    rico_simulation *sim = self->sim;
    rico_assembly *assembly = sim->assembly;
    int64_t n = self->n;
    double *unit = sim->vector.iterate, *image = sim->vector.right;
    rico_status status = rico_assembly_tangents(assembly, self->t, self->q, self->v);
    for (int64_t j = 0; status == RICO_OK && j < 2 * n; j++) {
        memset(unit, 0, (size_t)n * sizeof *unit);
        memset(image, 0, (size_t)n * sizeof *image);
        unit[j % n] = 1.0;
        rico_assembly_multiply(assembly, j < n ? assembly->K : assembly->C, -1.0, unit, image);
        status = rico_iteration_solve(&sim->mass, 1, image, matrix + j * self->size + 2 * n);
    }
    return status;
}


const rico_step_equations rico_newmark_equations = {.applies = applies,
                                                    .unknown = unknown,
                                                    .values = values,
                                                    .linearize = linearize,
                                                    .start = start,
                                                    .columns = true,
                                                    .activates = true};
