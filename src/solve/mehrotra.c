// One step by predictor and corrector: see mehrotra.h.

#include "solve/mehrotra.h"

#include <math.h>

static const double least_sigma = 1e-6;


rico_status rico_mehrotra_step(const rico_mehrotra *m, double *length)
{
    double reach = 0.0;
    *length = 0.0;
    rico_status status = m->predict(m->user, &reach);
    if (status) return status;
    double affine = fmin(1.0, m->caution * reach), ratio = m->gap_left(m->user, affine);
    double sigma = fmin(1.0, fmax(least_sigma, ratio * ratio * ratio));
    status = m->correct(m->user, sigma, affine, &reach);
    if (status) return status;
    *length = fmin(1.0, (m->eager ? fmax(m->fraction, 1.0 - ratio) : m->fraction) * reach);
    return RICO_OK;
}
