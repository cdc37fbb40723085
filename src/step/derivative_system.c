// The linearized equations of a step: put together from pieces, solved for all columns of the state.

#include "la/dense.h"
#include "la/small_lu.h"
#include "step/derivative.h"

#include <math.h>
#include <string.h>

static const double RCOND = 1e-12;     // of W: below, impulses are not determined
enum { FEW = 256 };                    // entries of a matrix whose product needs no BLAS
static const double CONSISTENT = 1e-7; // of what dp leaves of its equations then


// Products of a few numbers, which a call of BLAS would cost more than. C = A'B with A n x m, B n x count.
static void transpose_product(int64_t n, int64_t m, int64_t count, const double *A, const double *B,
                              double *C)
{
    if (n * m > FEW) {
        rico_dense_transpose_product(n, m, count, A, B, C);
        return;
    }
    for (int64_t j = 0; j < count; j++)
        for (int64_t i = 0; i < m; i++) {
            double sum = 0.0;
            for (int64_t k = 0; k < n; k++) sum += A[k + i * n] * B[k + j * n];
            C[i + j * m] = sum;
        }
}


// y += A x with A n x m.
static void add_product(int64_t n, int64_t m, const double *A, const double *x, double *y)
{
    if (n * m > FEW) {
        rico_dense_times(n, m, 1.0, A, x, 1.0, y);
        return;
    }
    for (int64_t j = 0; j < m; j++) rico_axpy(n, x[j], A + j * n, y);
}


static rico_status factorize(rico_context *ctx, int64_t n, double *a, int32_t *pivot)
{
    if (n > RICO_SMALL_LU) return rico_dense_lu(ctx, n, a, pivot);
    return rico_small_lu(n, a, pivot) ? RICO_OK : RICO_SINGULAR;
}


static void solve_factored(int64_t n, const double *a, const int32_t *pivot, int64_t count, double *b)
{
    if (n > RICO_SMALL_LU)
        rico_dense_lu_solve(n, a, pivot, count, b);
    else
        rico_small_lu_solve(n, a, pivot, count, b);
}


rico_status rico_derivative_reserve(rico_derivatives *self)
{
    rico_context *ctx = self->ctx;
    int64_t n = self->n, m = self->rows, width = self->width;
    if (n * width > self->X_room) {
        if (!rico_renew(ctx, &self->X, n * width, sizeof *self->X)) return RICO_NO_MEMORY;
        self->X_room = n * width;
    }
    if (m > self->room) {
        int64_t room = m + m / 2;
        double **wide[] = {&self->G, &self->L, &self->kick};
        double **tall[] = {&self->Y, &self->dp};
        bool whole = true;
        for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
            whole = whole && rico_renew(ctx, wide[i], n * room, sizeof(double));
        for (size_t i = 0; i < sizeof tall / sizeof *tall; i++)
            whole = whole && rico_renew(ctx, tall[i], self->size * room, sizeof(double));
        whole = whole && rico_renew(ctx, &self->D, room * room, sizeof(double));
        whole = whole && rico_renew(ctx, &self->W, room * room, sizeof(double));
        whole = whole && rico_renew(ctx, &self->row_pivot, room, sizeof *self->row_pivot);
        if (!whole) return RICO_NO_MEMORY;
        self->room = room;
    }
    if (self->A) memset(self->A, 0, (size_t)(n * n) * sizeof(double));
    memset(self->X, 0, (size_t)(n * width) * sizeof(double));
    if (m > 0) {
        memset(self->G, 0, (size_t)(n * m) * sizeof(double));
        memset(self->L, 0, (size_t)(n * m) * sizeof(double));
        memset(self->Y, 0, (size_t)(width * m) * sizeof(double));
        memset(self->D, 0, (size_t)(m * m) * sizeof(double));
    }
    self->kicks = self->folds = false;
    return RICO_OK;
}


// A mix of entry i of the state along a direction, but for z.
static double mixed(const rico_derivatives *self, const double *along, rico_mix mix, int64_t i)
{
    double sum = mix.q * along[i] + mix.v * along[self->n + i];
    return self->memory ? sum + mix.m * along[2 * self->n + i] : sum;
}


// X has the columns of q, v and m one block after the other; what is on the right changes its sign.
void rico_derivative_add_values(rico_derivatives *self, double scale, const double *values, rico_mix mix)
{
    for (int64_t w = 0; self->input && w < self->width; w++) {
        for (int64_t i = 0; i < self->n; i++)
            self->place[i] = mixed(self, self->input + w * self->size, mix, i);
        rico_assembly_multiply(self->sim->assembly, values, -scale, self->place, self->X + w * self->n);
    }
    if (self->input) return;
    const rico_csc *pattern = &self->sim->system->pattern;
    int64_t n = self->n;
    double *Xq = self->X, *Xv = Xq + n * n, *Xm = Xv + n * n;
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++) {
            int64_t at = pattern->row[k] + j * n;
            double value = scale * values[k];
            if (self->A) self->A[at] += mix.z * value;
            Xq[at] -= mix.q * value;
            Xv[at] -= mix.v * value;
            if (self->memory) Xm[at] -= mix.m * value;
        }
}


void rico_derivative_add_block(rico_derivatives *self, double scale, int64_t count, const int64_t *dof,
                               const double *T, rico_mix mix)
{
    int64_t n = self->n;
    double *Xq = self->X, *Xv = Xq + n * n, *Xm = Xv + n * n;
    for (int64_t j = 0; j < count; j++)
        for (int64_t i = 0; i < count; i++) {
            int64_t at = dof[i] + dof[j] * n;
            double value = scale * T[i + j * count];
            self->A[at] += mix.z * value;
            Xq[at] -= mix.q * value;
            Xv[at] -= mix.v * value;
            if (self->memory) Xm[at] -= mix.m * value;
        }
}


void rico_derivative_add_row(rico_derivatives *self, int64_t i, double scale, int64_t count,
                             const int64_t *dof, const double *c, rico_mix mix)
{
    int64_t n = self->n;
    double *L = self->L + i * n, *Y = self->Y + i * self->width;
    for (int64_t w = 0; self->input && w < self->width; w++)
        for (int64_t k = 0; k < count; k++)
            Y[w] -= scale * c[k] * mixed(self, self->input + w * self->size, mix, dof[k]);
    for (int64_t k = 0; k < count; k++) {
        double value = scale * c[k];
        L[dof[k]] += mix.z * value;
        if (self->input) continue;
        Y[dof[k]] -= mix.q * value;
        Y[n + dof[k]] -= mix.v * value;
        if (self->memory) Y[2 * n + dof[k]] -= mix.m * value;
    }
}


// One part: the differences of its mass along each of its velocities, times x.
static bool part_mass_slopes(rico_derivatives *self, const rico_part *part, double *scratch, const double *q,
                             const double *x, rico_mix mix)
{
    const rico_csc *pattern = &part->pattern;
    int64_t n = self->n, size = part->place.v_size, at = part->place.v;
    double *place = self->place;
    double *Xq = self->X, *Xv = Xq + n * n, *Xm = Xv + n * n;
    memcpy(place, q, (size_t)n * sizeof *place);
    for (int64_t j = at; j < at + size; j++) {
        double *column = self->stencil;
        memset(column, 0, (size_t)size * sizeof *column);
        for (int side = -1; side <= 1; side += 2) {
            place[j] = q[j] + side * self->stride;
            double weight = 0.5 * side / self->stride;
            if (!part->kind->mass(part, scratch, place + at, self->mass)) return false;
            for (int64_t c = 0; c < size; c++)
                for (int64_t e = pattern->start[c]; e < pattern->start[c + 1]; e++)
                    column[pattern->row[e]] += weight * self->mass[e] * x[at + c];
        }
        place[j] = q[j];
        for (int64_t i = 0; i < size; i++) {
            int64_t entry = at + i + j * n;
            self->A[entry] += mix.z * column[i];
            Xq[entry] -= mix.q * column[i];
            Xv[entry] -= mix.v * column[i];
            if (self->memory) Xm[entry] -= mix.m * column[i];
        }
    }
    return true;
}


rico_status rico_derivative_add_mass_slopes(rico_derivatives *self, const double *q, const double *x,
                                            rico_mix mix)
{
    const rico_system *system = self->sim->system;
    for (int64_t k = 0; !system->constant_mass && k < system->part_count; k++) {
        const rico_part *part = system->part[k];
        double *scratch = self->sim->assembly->scratch + system->part_scratch[k];
        if (part->constant_mass) continue;
        if (!part_mass_slopes(self, part, scratch, q, x, mix))
            return rico_fail(self->ctx, RICO_BAD_INPUT,
                             "the mass of part %s was refused beside t = %.17g, where it is differentiated",
                             part->name, self->t);
    }
    return RICO_OK;
}


// (s/|y_T|) (1 - d d') of two rows that stand `step` entries apart from each other, for `count` entries.
static void across(double s, const double d[2], int64_t count, double *first, double *second, int64_t stride)
{
    for (int64_t i = 0; i < count; i++) {
        double a = first[i * stride], b = second[i * stride], along = d[0] * a + d[1] * b;
        first[i * stride] = s * (a - d[0] * along);
        second[i * stride] = s * (b - d[1] * along);
    }
}


void rico_derivative_apply_modes(rico_derivatives *self)
{
    const rico_simulation *sim = self->sim;
    int64_t n = self->n, m = self->rows, width = self->width;
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *contact = rico_step_constraint(sim, c);
        if (self->mode[c] != RICO_MODE_SLIDING || self->count[c] < 2) continue;
        int64_t i = self->first[c];
        const double *y = self->y + contact->row + 1, *d = self->normal + contact->row + 1;
        double speed = contact->size > 2 ? hypot(y[0], y[1]) : fabs(y[0]);
        double mu = contact->friction, p = sim->now.p[contact->row];
        if (contact->size > 2) {
            double s = mu * p / speed;
            across(s, d, n, self->L + (i + 1) * n, self->L + (i + 2) * n, 1);
            across(s, d, width, self->Y + (i + 1) * width, self->Y + (i + 2) * width, 1);
            across(s, d, m, self->D + i + 1, self->D + i + 2, m);
        } else {
            memset(self->L + (i + 1) * n, 0, (size_t)n * sizeof(double));
            memset(self->Y + (i + 1) * width, 0, (size_t)width * sizeof(double));
            for (int64_t j = 0; j < m; j++) self->D[i + 1 + j * m] = 0.0;
        }
        for (int64_t k = 0; k + 1 < contact->size; k++) {
            self->D[i + 1 + k + i * m] += mu * d[k];
            self->D[i + 1 + k + (i + 1 + k) * m] += 1.0;
        }
    }
}


static rico_status solve_motion(rico_derivatives *self, int64_t count, double *b)
{
    if (!self->factored) return rico_iteration_solve(&self->sim->iteration, count, b, b);
    solve_factored(self->n, self->A, self->pivot, count, b);
    return RICO_OK;
}


// What dp leaves of the equations of some rows, column by column (left, m x count): a change of the state that contacts which act in the same
// directions cannot all follow. The derivative holds for the others.
static rico_status report_clashes(rico_derivatives *self, int64_t count, double asked, const double *left)
{
    int64_t m = self->rows, c = 0;
    for (int64_t i = 0; i < m; i++) {
        double most = 0.0, *slope;
        for (int64_t j = 0; j < count; j++) most = fmax(most, fabs(left[i + j * m]));
        if (most <= CONSISTENT * asked) continue;
        while (self->first[c] + self->count[c] <= i) c++;
        bool states = count == self->size && !self->input;
        rico_status status = rico_derivative_push_doubt(self, RICO_DOUBT_CLASHES, RICO_THRESHOLD_OTHER, c,
                                                        0.0, states ? &slope : NULL);
        if (status != RICO_OK) return status;
        for (int64_t j = 0; states && j < count; j++)
            slope[j] = fabs(left[i + j * m]) > CONSISTENT * asked ? left[i + j * m] : 0.0;
    }
    return RICO_OK;
}


// W dp = b of minimum norm, column by column; D is work space.
static rico_status solve_undetermined(rico_derivatives *self, int64_t count, double *b)
{
    rico_context *ctx = self->ctx;
    int64_t m = self->rows, rank;
    double asked = rico_norm_inf(m * count, b);
    double *x = rico_alloc(ctx, rico_dense_minimum_norm_work(m) + m * count, sizeof *x);
    if (!x) return RICO_NO_MEMORY;
    double *work = x + m * count;
    rico_status status = RICO_OK;
    memcpy(x, b, (size_t)(m * count) * sizeof *x);
    for (int64_t j = 0; status == RICO_OK && j < count; j++) {
        memcpy(self->D, self->W, (size_t)(m * m) * sizeof *self->D);
        status = rico_dense_minimum_norm(ctx, m, self->D, x + j * m, RCOND, work, self->row_pivot, &rank);
        if (status == RICO_OK) rico_dense_times(m, m, -1.0, self->W, x + j * m, 1.0, b + j * m);
    }
    if (status == RICO_OK) status = report_clashes(self, count, asked, b);
    memcpy(b, x, (size_t)(m * count) * sizeof *x);
    rico_free(ctx, x);
    return status;
}


// W dp = b, m x count in place, W = L U in D. Where joints or contacts say the same thing twice W is singular: any of its solutions
// moves the system alike as long as there is one.
static rico_status solve_rows(rico_derivatives *self, int64_t count, double *b)
{
    int64_t m = self->rows;
    double small = INFINITY, large = 0.0;
    memcpy(self->D, self->W, (size_t)(m * m) * sizeof *self->D);
    rico_status status = factorize(self->ctx, m, self->D, self->row_pivot);
    if (status != RICO_OK && status != RICO_SINGULAR) return status;
    for (int64_t i = 0; i < m; i++) {
        small = fmin(small, fabs(self->D[i + i * m]));
        large = fmax(large, fabs(self->D[i + i * m]));
    }
    self->determined = status == RICO_OK && small > RCOND * large;
    if (!self->determined) return solve_undetermined(self, count, b);
    solve_factored(m, self->D, self->row_pivot, count, b);
    return RICO_OK;
}


// What depends on m depends on q and v before the first step.
static void fold(rico_derivatives *self)
{
    int64_t n = self->n, size = self->size;
    double *Xm = self->X + 2 * n * n;
    for (int64_t j = 0; j < 2 * n; j++)
        rico_dense_times(n, n, 1.0, Xm, self->fold + j * n, 1.0, self->X + j * n);
    memset(Xm, 0, (size_t)(n * n) * sizeof *Xm);
    for (int64_t i = 0; i < self->rows; i++) {
        double *Y = self->Y + i * size;
        rico_dense_transpose_times(n, 2 * n, 1.0, self->fold, Y + 2 * n, 1.0, Y);
        memset(Y + 2 * n, 0, (size_t)n * sizeof *Y);
    }
}


// A^-1 X into X, A^-1 G into G; then W dp = Y' - L'X, and X + G dp into X.
rico_status rico_derivative_solve(rico_derivatives *self)
{
    int64_t n = self->n, m = self->rows, width = self->width;
    rico_status status = RICO_OK;
    if (self->folds) fold(self);
    if (self->factored) status = factorize(self->ctx, n, self->A, self->pivot);
    if (status == RICO_SINGULAR)
        return rico_fail(self->ctx, RICO_SINGULAR,
                         "the equations of the step are singular where it ended: it has no derivative");
    if (status == RICO_OK) status = solve_motion(self, width, self->X);
    if (status == RICO_OK && m > 0) status = solve_motion(self, m, self->G);
    if (status != RICO_OK || m == 0) return status;
    transpose_product(n, m, m, self->L, self->G, self->W);
    for (int64_t k = 0; k < m * m; k++) self->W[k] += self->D[k];
    transpose_product(n, m, width, self->L, self->X, self->dp);
    for (int64_t j = 0; j < width; j++)
        for (int64_t i = 0; i < m; i++) self->dp[i + j * m] = self->Y[j + i * width] - self->dp[i + j * m];
    status = solve_rows(self, width, self->dp);
    for (int64_t j = 0; status == RICO_OK && j < width; j++)
        add_product(n, m, self->G, self->dp + j * m, self->X + j * n);
    return status;
}


rico_status rico_derivative_respond(rico_derivatives *self, double *motion, double *law)
{
    int64_t n = self->n, m = self->rows;
    rico_status status = solve_motion(self, 1, motion);
    if (status != RICO_OK || m == 0) return status;
    for (int64_t i = 0; i < m; i++) law[i] -= rico_dot(n, self->L + i * n, motion);
    if (self->determined)
        solve_factored(m, self->D, self->row_pivot, 1, law);
    else
        status = solve_undetermined(self, 1, law);
    add_product(n, m, self->G, law, motion);
    return status;
}


void rico_derivative_after(const rico_derivatives *self, const double *dz, const double *dp, double *after)
{
    int64_t n = self->n;
    for (int64_t part = 0; part < 2 + self->memory; part++) {
        double *out = after + part * n;
        for (int64_t i = 0; i < n; i++) out[i] = self->after[part].z * dz[i];
        double share = part == 0 ? self->share_q : part == 1 ? self->share_v : 0.0;
        if (self->kicks && share != 0.0) rico_dense_times(n, self->rows, share, self->kick, dp, 1.0, out);
    }
}
