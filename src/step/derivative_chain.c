// Derivatives along many steps: forward with the matrix carried along, backward from states that were kept (checkpoints).
//
// Backward, lambda_k = df/dx_k obeys lambda_k = f_k' + J_k' lambda_{k+1}, df/dtheta = sum_k P_k' lambda_{k+1}. The motion is done once and
// states are kept every `stretch` steps; each stretch is then done again, from the last to the first, with its matrices in memory:
// steps/stretch states and stretch matrices, least for stretch ~ sqrt(steps) (Griewank and Walther 2008, section 12.1).

#include "la/dense.h"
#include "step/derivative.h"

#include <math.h>
#include <string.h>

rico_status rico_derivatives_carry(rico_derivatives *self, int64_t count, const int64_t *by, double *S)
{
    int64_t size = self->size;
    if (!self->done) return rico_fail(self->ctx, RICO_BAD_ARGUMENT, "no step has been differentiated");
    for (int64_t j = 0; j < count; j++) {
        double *column = S + j * size;
        memcpy(self->values[0], column, (size_t)size * sizeof *column);
        rico_dense_times(size, size, 1.0, self->matrix, self->values[0], 0.0, column);
        if (by && by[j] >= 0) rico_axpy(size, 1.0, self->parameter[by[j]].derivative, column);
    }
    return RICO_OK;
}


// What one gradient keeps.
typedef struct chain {
    rico_derivatives *d;
    const rico_adjoint_options *options;
    int64_t stretch, stretches;
    rico_snapshot *kept; // at the beginning of each stretch
    uint64_t *hash;      // of the state at the end of each
    double *matrix;      // of the steps of one stretch: J, the derivatives by parameters, f'
    double *lambda, *work;
    rico_adjoint_report report;
} chain;


static int64_t step_entries(const rico_derivatives *d)
{
    return d->size * (d->size + d->parameters + 1);
}


static void release(chain *self)
{
    rico_context *ctx = self->d->ctx;
    for (int64_t i = 0; self->kept && i < self->stretches; i++) rico_free(ctx, self->kept[i].bytes);
    rico_free(ctx, self->kept);
    rico_free(ctx, self->hash);
    rico_free(ctx, self->matrix);
    rico_free(ctx, self->lambda);
}


static rico_status prepare(rico_derivatives *d, const rico_adjoint_options *options, chain *self)
{
    int64_t steps = options->steps;
    *self = (chain){.d = d, .options = options};
    if (steps < 1 || !(options->h > 0.0) || !options->weigh)
        return rico_fail(d->ctx, RICO_BAD_ARGUMENT,
                         "a gradient needs steps >= 1, h > 0 and what is summed, got %lld steps of h = %g",
                         (long long)steps, options->h);
    self->stretch = options->stretch > 0 ? options->stretch : (int64_t)ceil(sqrt((double)steps));
    self->stretches = (steps + self->stretch - 1) / self->stretch;
    self->kept = rico_alloc(d->ctx, self->stretches, sizeof *self->kept);
    self->hash = rico_alloc(d->ctx, self->stretches, sizeof *self->hash);
    self->matrix = rico_alloc(d->ctx, self->stretch * step_entries(d), sizeof *self->matrix);
    self->lambda = rico_alloc(d->ctx, 2 * d->size, sizeof *self->lambda);
    if (!self->kept || !self->hash || !self->matrix || !self->lambda) return RICO_NO_MEMORY;
    self->work = self->lambda + d->size;
    return RICO_OK;
}


static int64_t length_of(const chain *self, int64_t stretch)
{
    int64_t left = self->options->steps - stretch * self->stretch;
    return left < self->stretch ? left : self->stretch;
}


// The motion, once.
static rico_status go_ahead(chain *self)
{
    rico_simulation *sim = self->d->sim;
    rico_status status = RICO_OK;
    for (int64_t s = 0; status == RICO_OK && s < self->stretches; s++) {
        status = rico_step_remember(sim, &self->kept[s]);
        self->report.kept++;
        for (int64_t k = 0; status == RICO_OK && k < length_of(self, s); k++)
            status = rico_simulation_step(sim, self->options->h);
        self->hash[s] = rico_simulation_hash(sim);
    }
    return status;
}


// A stretch once more, with its derivatives.
static rico_status go_again(chain *self, int64_t s)
{
    rico_derivatives *d = self->d;
    rico_simulation *sim = d->sim;
    int64_t size = d->size, first = s * self->stretch;
    rico_status status = rico_step_restore(sim, &self->kept[s]);
    for (int64_t k = 0; status == RICO_OK && k < length_of(self, s); k++) {
        double *at = self->matrix + k * step_entries(d), *slope = at + size * (size + d->parameters);
        memset(slope, 0, (size_t)size * sizeof *slope);
        status = self->options->weigh(self->options->user, first + k, sim, slope);
        if (status == RICO_OK) status = rico_simulation_step(sim, self->options->h);
        if (status == RICO_OK) status = rico_derivatives_evaluate(d);
        if (status != RICO_OK) return status;
        memcpy(at, d->matrix, (size_t)(size * size) * sizeof *at);
        for (int64_t i = 0; i < d->parameters; i++)
            memcpy(at + size * (size + i), d->parameter[i].derivative, (size_t)size * sizeof *at);
        self->report.one_sided += d->doubts > 0;
        self->report.differences += d->equations == NULL;
    }
    if (status == RICO_OK && rico_simulation_hash(sim) != self->hash[s])
        return rico_fail(d->ctx, RICO_SINGULAR,
                         "steps %lld to %lld went another way when they were done again",
                         (long long)first + 1, (long long)(first + length_of(self, s)));
    return status;
}


static void go_back(chain *self, int64_t s, double *parameter)
{
    const rico_derivatives *d = self->d;
    int64_t size = d->size;
    for (int64_t k = length_of(self, s) - 1; k >= 0; k--) {
        const double *at = self->matrix + k * step_entries(d);
        for (int64_t i = 0; parameter && i < d->parameters; i++)
            parameter[i] += rico_dot(size, at + size * (size + i), self->lambda);
        memcpy(self->work, at + size * (size + d->parameters), (size_t)size * sizeof *at);
        rico_dense_transpose_times(size, size, 1.0, at, self->lambda, 1.0, self->work);
        memcpy(self->lambda, self->work, (size_t)size * sizeof *at);
    }
}


rico_status rico_derivatives_gradient(rico_derivatives *d, const rico_adjoint_options *options, double *state,
                                      double *parameter, rico_adjoint_report *report)
{
    chain self;
    rico_snapshot end = {0};
    rico_status status = prepare(d, options, &self);
    if (parameter) memset(parameter, 0, (size_t)d->parameters * sizeof *parameter);
    if (status == RICO_OK) status = go_ahead(&self);
    if (status == RICO_OK) status = rico_step_remember(d->sim, &end);
    if (status == RICO_OK) status = options->weigh(options->user, options->steps, d->sim, self.lambda);
    for (int64_t s = self.stretches - 1; status == RICO_OK && s >= 0; s--) {
        status = go_again(&self, s);
        if (status == RICO_OK) go_back(&self, s, parameter);
    }
    if (status == RICO_OK) {
        memcpy(state, self.lambda, (size_t)d->size * sizeof *state);
        status = rico_step_restore(d->sim, &end);
    }
    if (report) *report = self.report;
    rico_free(d->ctx, end.bytes);
    release(&self);
    return status;
}
