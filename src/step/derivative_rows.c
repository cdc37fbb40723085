// Rows of one constraint and how they turn with the positions, for derivatives of a step on flat systems.

#include "la/dense.h"
#include "step/derivative.h"

#include <math.h>
#include <string.h>

// Differences of fourth order: with a stride of a thousandth, truncation and round-off are both near 1e-13 of what turns once in a
// unit of the positions.
static const double STRIDE = 1e-3;
static const double STENCIL[] = {1.0 / 12.0, -2.0 / 3.0, 2.0 / 3.0, -1.0 / 12.0};
static const double OFFSET[] = {-2.0, -1.0, 1.0, 2.0};


static rico_status refuse(const rico_simulation *at, const rico_constraint *constraint, double t)
{
    return rico_fail(
        at->ctx, RICO_BAD_INPUT,
        "%s %s is refused or no number beside t = %.17g, where the step is differentiated",
        constraint->joint ? "joint" : "contact", constraint->name, t);
}


rico_status rico_derivative_rows(rico_derivatives *self, rico_simulation *at, int64_t c, double t,
                                 const double *q, double *rows)
{
    (void)self;
    const rico_constraint *constraint = rico_step_constraint(at, c);
    int64_t entries = constraint->dof_count * constraint->size;
    double *scratch = at->assembly->scratch + constraint->scratch_at;
    if (constraint->gradient) {
        memcpy(rows, constraint->gradient, (size_t)entries * sizeof *rows);
        return RICO_OK;
    }
    bool good = constraint->kind->frame(constraint, at->assembly, scratch, t, q, rows) &&
                rico_all_finite(entries, rows);
    return good ? RICO_OK : refuse(at, constraint, t);
}


rico_status rico_derivative_rate(rico_derivatives *self, rico_simulation *at, int64_t c, double t,
                                 const double *q, double *w)
{
    (void)self;
    const rico_constraint *constraint = rico_step_constraint(at, c);
    double *scratch = at->assembly->scratch + constraint->scratch_at;
    memset(w, 0, (size_t)constraint->size * sizeof *w);
    if (!constraint->moves) return RICO_OK;
    bool good = constraint->kind->rate(constraint, at->assembly, scratch, t, q, w) &&
                rico_all_finite(constraint->size, w);
    return good ? RICO_OK : refuse(at, constraint, t);
}


rico_status rico_derivative_gap(rico_derivatives *self, rico_simulation *at, int64_t c, double t,
                                const double *q, double *gap)
{
    (void)self;
    const rico_constraint *constraint = rico_step_constraint(at, c);
    double *scratch = at->assembly->scratch + constraint->scratch_at;
    if (constraint->kind->value(constraint, at->assembly, scratch, t, q, gap) && isfinite(gap[0]))
        return RICO_OK;
    return refuse(at, constraint, t);
}


// A length over which geometry may turn: the largest position, or the way of the step; 1 where everything is 0.
static double stride_of(const rico_derivatives *self)
{
    double span = fmax(rico_norm_inf(self->n, self->q), self->h * rico_norm_inf(self->n, self->v));
    for (int64_t i = 0; i < self->n; i++)
        span = fmax(span, self->sim->now.high[i] - self->sim->now.low[i]);
    return STRIDE * (span > 0.0 ? span : 1.0);
}


typedef rico_status (*evaluation)(rico_derivatives *self, rico_simulation *at, int64_t c, double t,
                                  const double *q, double *out);


static rico_status differentiate(rico_derivatives *self, evaluation of, int64_t entries, int64_t c, double t,
                                 const double *q, double *slopes)
{
    const rico_constraint *constraint = rico_step_constraint(self->sim, c);
    double *place = self->place, *value = self->stencil, stride = stride_of(self);
    memcpy(place, q, (size_t)self->n * sizeof *place);
    memset(slopes, 0, (size_t)(constraint->dof_count * entries) * sizeof *slopes);
    for (int64_t i = 0; i < constraint->dof_count; i++) {
        int64_t dof = constraint->dof[i];
        for (int k = 0; k < 4; k++) {
            place[dof] = q[dof] + OFFSET[k] * stride;
            rico_status status = of(self, self->sim, c, t, place, value);
            if (status != RICO_OK) return status;
            rico_axpy(entries, STENCIL[k] / stride, value, slopes + i * entries);
        }
        place[dof] = q[dof];
    }
    return RICO_OK;
}


rico_status rico_derivative_row_slopes(rico_derivatives *self, int64_t c, double t, const double *q,
                                       double *slopes, bool *any)
{
    const rico_constraint *constraint = rico_step_constraint(self->sim, c);
    *any = !constraint->gradient;
    if (!*any) return RICO_OK;
    return differentiate(self, rico_derivative_rows, constraint->dof_count * constraint->size, c, t, q,
                         slopes);
}


rico_status rico_derivative_rate_slopes(rico_derivatives *self, int64_t c, double t, const double *q,
                                        double *slopes, bool *any)
{
    const rico_constraint *constraint = rico_step_constraint(self->sim, c);
    *any = constraint->moves;
    if (!*any) return RICO_OK;
    return differentiate(self, rico_derivative_rate, constraint->size, c, t, q, slopes);
}
