// Finite differences for w_t + c w_x = 0: what a characteristic variable of a bar becomes in one step.

#include "ricochet/bar.h"

#include <math.h>

typedef struct stencil {
    double nu, behind2, behind, here, ahead; // w at i - 2, ..., i + 1
} stencil;


static double upwind(const stencil *s)
{
    return s->here - s->nu * (s->here - s->behind);
}


static double lax_friedrichs(const stencil *s)
{
    return 0.5 * (s->ahead + s->behind) - 0.5 * s->nu * (s->ahead - s->behind);
}


static double lax_wendroff(const stencil *s)
{
    return s->here - 0.5 * s->nu * (s->ahead - s->behind) +
           0.5 * s->nu * s->nu * (s->ahead - 2.0 * s->here + s->behind);
}


// Forward predictor, backward corrector.
static double maccormack(const stencil *s)
{
    double here = s->here - s->nu * (s->ahead - s->here), behind = s->behind - s->nu * (s->here - s->behind);
    return 0.5 * (s->here + here) - 0.5 * s->nu * (here - behind);
}


static double ftcs(const stencil *s)
{
    return s->here - 0.5 * s->nu * (s->ahead - s->behind);
}


static double least_of(double a, double b)
{
    if (a * b <= 0.0) return 0.0;
    return fabs(a) < fabs(b) ? a : b;
}


// Fluxes of upwind with the part of Lax and Wendroff's correction that the slopes on both sides allow.
static double minmod(const stencil *s)
{
    double out = s->here + 0.5 * (1.0 - s->nu) * least_of(s->here - s->behind, s->ahead - s->here);
    double in = s->behind + 0.5 * (1.0 - s->nu) * least_of(s->behind - s->behind2, s->here - s->behind);
    return s->here - s->nu * (out - in);
}


void rico_advect(rico_advection kind, double nu, int64_t n, const double *w, double *out)
{
    static double (*const STEP[])(const stencil *) = {upwind,     lax_friedrichs, lax_wendroff,
                                                      maccormack, ftcs,           minmod};
    for (int64_t i = 0; i < n; i++) {
        const stencil s = {nu, w[(i + n - 2) % n], w[(i + n - 1) % n], w[i], w[(i + 1) % n]};
        out[i] = STEP[kind](&s);
    }
}
