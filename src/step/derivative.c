// Derivatives of a step: their life, and the way from a step that was done to its matrix.

#include "step/derivative.h"

#include "la/dense.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LARGEST = 16384 }; // entries of the state of which a matrix is made: 2 GiB


const char *rico_contact_mode_name(rico_contact_mode mode)
{
    static const char *const NAMES[] = {[RICO_MODE_INACTIVE] = "inactive",
                                        [RICO_MODE_OPEN] = "open",
                                        [RICO_MODE_STICKING] = "sticking",
                                        [RICO_MODE_SLIDING] = "sliding",
                                        [RICO_MODE_HOLDING] = "holding"};
    return mode >= RICO_MODE_INACTIVE && mode <= RICO_MODE_HOLDING ? NAMES[mode] : "?";
}


// Whether the equations of the scheme say all that the step does: coordinates add, contacts are always there, no law of multiple
// impacts, no bounded joints, no laws of friction beyond Coulomb's, no nodes without mass, no relations, nothing sampled.
static bool has_equations(const rico_simulation *sim)
{
    const rico_system *system = sim->system;
    const rico_step_equations *equations = sim->scheme->equations;
    if (!equations || !system->flat || system->source_count > 0 || sim->impacts || sim->massless_count > 0 ||
        system->relation_count > 0 || system->sampler_count > 0)
        return false;
    for (int64_t c = 0; c < system->constraint_count; c++)
        if (system->constraint[c]->box.acts || system->constraint[c]->rubs) return false;
    return !equations->applies || equations->applies(sim);
}


static rico_status allocate(rico_derivatives *self)
{
    int64_t n = self->n, size = self->size, nq = self->sim->nq, wide = nq + size;
    int64_t total = 2 * (n + size) + 2 * n + nq + 4 * (wide + size) + wide + size;
    double *at = self->block = rico_alloc(self->ctx, total, sizeof *at);
    self->pivot = rico_alloc(self->ctx, n, sizeof *self->pivot);
    int64_t largest = 1;
    for (int64_t k = 0; k < self->sim->system->part_count; k++) {
        int64_t entries = rico_csc_count(&self->sim->system->part[k]->pattern);
        largest = entries > largest ? entries : largest;
    }
    self->mass = rico_alloc(self->ctx, largest, sizeof *self->mass);
    if (!at || !self->pivot || !self->mass) return RICO_NO_MEMORY;
    self->values[0] = at;
    self->values[1] = self->values[0] + n + size;
    self->z = self->values[1] + n + size;
    self->turned.q = self->z + n;
    self->place = self->turned.q + n;
    self->probe = self->place + nq;
    self->nominal = self->probe + 4 * (wide + size);
    self->direction = self->nominal + wide;
    return RICO_OK;
}


// What only equations need, or only rotations without them.
static rico_status allocate_square(rico_derivatives *self)
{
    int64_t n = self->n, nq = self->sim->nq;
    bool charted = !self->equations && !self->sim->system->flat;
    if (self->square || (!self->equations && !charted) || rico_derivative_plain(self)) return RICO_OK;
    int64_t total = charted ? n * n + nq * n : 4 * n * n;
    self->square = rico_alloc(self->ctx, total, sizeof *self->square);
    if (!self->square) return RICO_NO_MEMORY;
    self->A = self->square;
    self->chart = charted ? self->A + n * n : NULL;
    self->kick_q = charted ? NULL : self->A + n * n;
    self->fold = charted ? NULL : self->kick_q + n * n;
    return RICO_OK;
}


static rico_status allocate_matrix(rico_derivatives *self)
{
    if (self->size > LARGEST)
        return rico_fail(self->ctx, RICO_UNSUPPORTED,
                         "the derivative of a step has %lld x %lld entries; at most %d rows are kept",
                         (long long)self->size, (long long)self->size, LARGEST);
    if (!self->matrix) self->matrix = rico_alloc(self->ctx, self->size * self->size, sizeof *self->matrix);
    return self->matrix ? RICO_OK : RICO_NO_MEMORY;
}


rico_status rico_derivatives_create(rico_simulation *sim, rico_derivatives **out)
{
    if (sim->watched) return rico_fail(sim->ctx, RICO_BAD_ARGUMENT, "the simulation has derivatives already");
    if (sim->scheme->memory < 0)
        return rico_fail(
            sim->ctx, RICO_UNSUPPORTED,
            "steps of %s are not differentiated: they depend on more of the past than velocities and "
            "accelerations; choose another scheme",
            sim->scheme->info.name);
    rico_derivatives *self = rico_alloc(sim->ctx, 1, sizeof *self);
    if (!self) return RICO_NO_MEMORY;
    self->ctx = sim->ctx;
    self->sim = sim;
    self->n = sim->nv;
    self->memory = sim->scheme->memory;
    self->size = (2 + self->memory) * self->n;
    sim->watched = true;
    rico_status status = allocate(self);
    if (status != RICO_OK) {
        rico_derivatives_destroy(self);
        return status;
    }
    *out = self;
    return RICO_OK;
}


void rico_derivatives_destroy(rico_derivatives *self)
{
    if (!self) return;
    rico_context *ctx = self->ctx;
    self->sim->watched = false;
    for (int64_t i = 0; i < self->parameters; i++) {
        rico_free(ctx, self->parameter[i].derivative);
        rico_free(ctx, self->parameter[i].dp);
    }
    void *all[] = {self->block,
                   self->square,
                   self->matrix,
                   self->pivot,
                   self->row_pivot,
                   self->first,
                   self->count,
                   self->row,
                   self->mode,
                   self->y,
                   self->normal,
                   self->local,
                   self->twin_y,
                   self->law,
                   self->y_sum,
                   self->friction,
                   self->X,
                   self->G,
                   self->L,
                   self->kick,
                   self->Y,
                   self->dp,
                   self->D,
                   self->W,
                   self->mass,
                   self->rows_at,
                   self->slopes,
                   self->drifts,
                   self->stencil,
                   self->doubt,
                   self->slope,
                   self->threshold,
                   self->extent,
                   self->parameter,
                   self->before.bytes,
                   self->after_step.bytes,
                   self->seen};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
    rico_free(ctx, self);
}


int64_t rico_derivatives_size(const rico_derivatives *self)
{
    return self->size;
}


rico_status rico_derivatives_start(rico_derivatives *self, double *matrix)
{
    rico_simulation *sim = self->sim;
    int64_t n = self->n, size = self->size;
    if (!sim->started || sim->steps != 0)
        return rico_fail(self->ctx, RICO_BAD_ARGUMENT,
                         "the derivative of the start is asked after %lld steps: it belongs before the first",
                         (long long)sim->steps);
    memset(matrix, 0, (size_t)(2 * n * size) * sizeof *matrix);
    for (int64_t i = 0; i < 2 * n; i++) matrix[i + i * size] = 1.0;
    if (self->memory == 0) return RICO_OK;
    self->equations = has_equations(sim) ? sim->scheme->equations : NULL;
    rico_status status = allocate_square(self);
    if (status != RICO_OK) return status;
    self->t = *sim->now.t;
    self->q = sim->now.q;
    self->v = sim->now.v;
    self->m = sim->now.extra + sim->scheme->memory_at;
    if (self->equations) return self->equations->start(self, matrix);
    return rico_derivative_start_by_differences(self, matrix);
}


// x' of every unit vector of the state: dz stands in X.
static void fill_matrix(rico_derivatives *self)
{
    int64_t n = self->n, m = self->rows, size = self->size;
    for (int64_t j = 0; j < size; j++) {
        double *column = self->matrix + j * size;
        const double *dz = self->X + j * n;
        int64_t block = j / n, own = j % n;
        for (int64_t part = 0; part < 2 + self->memory; part++) {
            const rico_mix *mix = &self->after[part];
            double *out = column + part * n;
            for (int64_t i = 0; i < n; i++) out[i] = mix->z * dz[i];
            if (!self->folds || block < 2) out[own] += block == 0 ? mix->q : block == 1 ? mix->v : mix->m;
            if (self->folds && block < 2) rico_axpy(n, mix->m, self->fold + j * n, out);
            double share = part == 0 ? self->share_q : part == 1 ? self->share_v : 0.0;
            if (!self->kicks || share == 0.0) continue;
            rico_dense_times(n, m, share, self->kick, self->dp + j * m, 1.0, out);
            if (block == 0 && self->kick_q) rico_axpy(n, share, self->kick_q + own * n, out);
        }
    }
}


// x' of the columns that went in, in their place: of a plain system.
static void fill_columns(rico_derivatives *self, double *S)
{
    int64_t n = self->n, m = self->rows;
    double *after = self->values[0];
    for (int64_t w = 0; w < self->width; w++) {
        double *column = S + w * self->size;
        rico_derivative_after(self, self->X + w * n, self->dp + w * m, after);
        for (int64_t part = 0; part < 2 + self->memory; part++) {
            const rico_mix mix = self->after[part];
            for (int64_t i = 0; i < n; i++) {
                after[part * n + i] += mix.q * column[i] + mix.v * column[n + i];
                if (self->memory) after[part * n + i] += mix.m * column[2 * n + i];
            }
        }
        memcpy(column, after, (size_t)self->size * sizeof *column);
    }
}


// The whole matrix, or the columns of `input`.
static rico_status by_equations(rico_derivatives *self, int64_t count, double *S)
{
    self->input = S;
    self->width = S ? count : self->size;
    self->equations->unknown(self);
    rico_status status = rico_derivative_find_modes(self);
    if (status == RICO_OK) status = rico_derivative_reserve(self);
    if (status == RICO_OK) status = self->equations->linearize(self);
    if (status != RICO_OK) return status;
    rico_derivative_apply_modes(self);
    self->doubts = 0;
    status = rico_derivative_solve(self);
    if (status != RICO_OK) return status;
    status = rico_derivative_find_doubts(self);
    if (S)
        fill_columns(self, S);
    else
        fill_matrix(self);
    return status;
}


// Where the last step began.
static rico_status take_step(rico_derivatives *self)
{
    rico_simulation *sim = self->sim;
    self->done = false;
    if (!sim->started || sim->steps == 0 || !sim->before->bytes)
        return rico_fail(self->ctx, RICO_BAD_ARGUMENT, "there is no step to differentiate");
    self->t = rico_snapshot_time(sim->before);
    self->h = sim->h;
    self->q = rico_snapshot_position(sim->before);
    self->v = self->q + sim->nq;
    self->m = self->v + sim->nv + sim->scheme->memory_at;
    self->equations = has_equations(sim) ? sim->scheme->equations : NULL;
    return allocate_square(self);
}


rico_status rico_derivatives_evaluate(rico_derivatives *self)
{
    rico_status status = take_step(self);
    if (status == RICO_OK) status = allocate_matrix(self);
    if (status == RICO_OK)
        status =
            self->equations ? by_equations(self, 0, NULL) : rico_derivative_by_differences(self, 0, NULL);
    if (status == RICO_OK) status = rico_derivative_by_parameters(self);
    self->done = status == RICO_OK;
    return status;
}


rico_status rico_derivatives_advance(rico_derivatives *self, int64_t count, const int64_t *by, double *S)
{
    rico_status status = take_step(self);
    bool few = rico_derivative_plain(self) && count < self->size;
    if (status == RICO_OK && self->equations && !few) {
        status = rico_derivatives_evaluate(self);
        return status == RICO_OK ? rico_derivatives_carry(self, count, by, S) : status;
    }
    if (status == RICO_OK)
        status = few ? by_equations(self, count, S) : rico_derivative_by_differences(self, count, S);
    if (status == RICO_OK) status = rico_derivative_by_parameters(self);
    for (int64_t j = 0; status == RICO_OK && by && j < count; j++)
        if (by[j] >= 0) rico_axpy(self->size, 1.0, self->parameter[by[j]].derivative, S + j * self->size);
    return status;
}


const double *rico_derivatives_matrix(const rico_derivatives *self)
{
    return self->matrix;
}


bool rico_derivatives_analytic(const rico_derivatives *self)
{
    return self->equations != NULL;
}


rico_contact_mode rico_derivatives_mode(const rico_derivatives *self, int64_t constraint)
{
    return (rico_contact_mode)(unsigned char)self->mode[constraint];
}


int64_t rico_derivatives_doubts(const rico_derivatives *self)
{
    return self->doubts;
}


rico_doubt rico_derivatives_doubt(const rico_derivatives *self, int64_t index)
{
    return self->doubt[index];
}


void rico_derivatives_sentence(const rico_derivatives *self, int64_t index, char *text, size_t size)
{
    static const char *const SAYS[] = {[RICO_DOUBT_ACTS] = "is about to act",
                                       [RICO_DOUBT_RESTS] = "acts and is about to be let go",
                                       [RICO_DOUBT_CLOSES] = "is open and about to close",
                                       [RICO_DOUBT_OPENS] = "is closed and about to open",
                                       [RICO_DOUBT_SLIPS] = "sticks with friction at its limit",
                                       [RICO_DOUBT_STICKS] = "slides and is about to stick",
                                       [RICO_DOUBT_CLASHES] = "holds along the same directions as others",
                                       [RICO_DOUBT_CHANGES] = "changes within the stride of the differences"};
    const rico_doubt *doubt = &self->doubt[index];
    if (doubt->constraint < 0)
        snprintf(text, size, "a contact %s", SAYS[doubt->kind]);
    else
        snprintf(text, size, "contact %s %s", rico_step_constraint(self->sim, doubt->constraint)->name,
                 SAYS[doubt->kind]);
}


void rico_derivatives_forward(const rico_derivatives *self, int64_t count, const double *X, double *Y)
{
    for (int64_t j = 0; j < count; j++)
        rico_dense_times(self->size, self->size, 1.0, self->matrix, X + j * self->size, 0.0,
                         Y + j * self->size);
}


void rico_derivatives_adjoint(const rico_derivatives *self, int64_t count, const double *X, double *Y)
{
    for (int64_t j = 0; j < count; j++)
        rico_dense_transpose_times(self->size, self->size, 1.0, self->matrix, X + j * self->size, 0.0,
                                   Y + j * self->size);
}
