// Rows of one constraint and how they turn with the positions, for derivatives of a step on flat systems.

#include "la/dense.h"
#include "step/derivative.h"

#include <math.h>
#include <string.h>

static const double STRIDE =
    6e-6; // cube root of the round-off: truncation and round-off both leave about 1e-11


static rico_status refuse(const rico_simulation *at, const rico_constraint *constraint, double t)
{
    return rico_fail(at->ctx, RICO_BAD_INPUT,
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
double rico_derivative_stride(const rico_derivatives *self)
{
    double span = fmax(rico_norm_inf(self->n, self->q), self->h * rico_norm_inf(self->n, self->v));
    for (int64_t i = 0; i < self->n; i++) span = fmax(span, self->sim->now.high[i] - self->sim->now.low[i]);
    return STRIDE * (span > 0.0 ? span : 1.0);
}


typedef rico_status (*evaluation)(rico_derivatives *self, rico_simulation *at, int64_t c, double t,
                                  const double *q, double *out);


static rico_status differentiate(rico_derivatives *self, evaluation of, int64_t entries, int64_t c, double t,
                                 const double *q, double *slopes)
{
    const rico_constraint *constraint = rico_step_constraint(self->sim, c);
    double *place = self->place, *behind = self->stencil, stride = self->stride;
    memcpy(place, q, (size_t)self->n * sizeof *place);
    for (int64_t i = 0; i < constraint->dof_count; i++) {
        int64_t dof = constraint->dof[i];
        double *slope = slopes + i * entries;
        place[dof] = q[dof] + stride;
        rico_status status = of(self, self->sim, c, t, place, slope);
        double ahead = place[dof];
        place[dof] = q[dof] - stride;
        if (status == RICO_OK) status = of(self, self->sim, c, t, place, behind);
        if (status != RICO_OK) return status;
        double over = 1.0 / (ahead - place[dof]); // as far as they are apart in numbers
        for (int64_t k = 0; k < entries; k++) slope[k] = over * (slope[k] - behind[k]);
        place[dof] = q[dof];
    }
    return RICO_OK;
}


// Asked for several times at the same place: the last ones are kept.
rico_status rico_derivative_row_slopes(rico_derivatives *self, int64_t c, double t, const double *q,
                                       bool *any)
{
    const rico_constraint *constraint = rico_step_constraint(self->sim, c);
    size_t bytes = (size_t)self->n * sizeof *q;
    *any = !constraint->gradient;
    if (!*any) return RICO_OK;
    if (self->turned.constraint == c && self->turned.t == t && memcmp(self->turned.q, q, bytes) == 0)
        return RICO_OK;
    self->turned.constraint = -1;
    rico_status status = differentiate(self, rico_derivative_rows, constraint->dof_count * constraint->size,
                                       c, t, q, self->slopes);
    if (status != RICO_OK) return status;
    self->turned.constraint = c;
    self->turned.t = t;
    memcpy(self->turned.q, q, bytes);
    return RICO_OK;
}


rico_status rico_derivative_rate_slopes(rico_derivatives *self, int64_t c, double t, const double *q,
                                        bool *any)
{
    const rico_constraint *constraint = rico_step_constraint(self->sim, c);
    *any = constraint->moves;
    if (!*any) return RICO_OK;
    return differentiate(self, rico_derivative_rate, constraint->size, c, t, q, self->drifts);
}
