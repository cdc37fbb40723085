// Stability of orbits with impacts: flows between impacts and saltation matrices, in modes.
//
// A perturbed orbit meets the obstacle at another time, so that the derivative of an impact is
//     S = [ R 0 ; (2 w'a/(W nu)) b b'  R ],   nu the gap's velocity before it, w'a = -sum b omega^2 q its acceleration.

#include "la/dense.h"
#include "la/eigenvalues.h"
#include "orbit/modes.h"

#include <math.h>

// (q, v) after a time, free of the obstacle.
static void flow(const rico_modes *modes, double time, double *q, double *v)
{
    for (int64_t j = 0; j < modes->n; j++) {
        double omega = modes->omega[j], c = cos(omega * time), s = sin(omega * time), kept = q[j];
        q[j] = c * kept + s / omega * v[j];
        v[j] = c * v[j] - omega * s * kept;
    }
}


rico_status rico_modes_monodromy(const rico_modes *modes, const rico_modes_orbit *orbit, double *out)
{
    int64_t n = modes->n;
    double *q = rico_alloc(modes->ctx, 2 * n, sizeof *q);
    if (!q) return RICO_NO_MEMORY;
    double *v = q + n;
    for (int64_t i = 0; i < 4 * n * n; i++) out[i] = 0.0;
    for (int64_t i = 0; i < 2 * n; i++) out[i + 2 * n * i] = 1.0;
    for (int64_t l = 0; l < orbit->impacts; l++) {
        // the impact at the end of this flight, named and not looked for by its time: round-off in a sum of durations would
        // put one orbit in a few on the other side of it, where the velocity has the other sign
        rico_modes_after(modes, orbit, (l + 1) % orbit->impacts, q, v);
        double rate = -rico_dot(n, modes->b, v), acceleration = 0.0;
        for (int64_t j = 0; j < n; j++)
            acceleration -= modes->b[j] * modes->omega[j] * modes->omega[j] * q[j];
        if (rate == 0.0) {
            rico_free(modes->ctx, q);
            return rico_fail(modes->ctx, RICO_SINGULAR, "impact %lld grazes: the orbit has no derivative",
                             (long long)((l + 1) % orbit->impacts) + 1);
        }
        for (int64_t c = 0; c < 2 * n; c++) {
            double *dq = out + 2 * n * c, *dv = dq + n;
            flow(modes, orbit->duration[l], dq, dv);
            double gap = rico_dot(n, modes->b, dq);
            rico_modes_reflect(modes, dq);
            rico_modes_reflect(modes, dv);
            rico_axpy(n, 2.0 * acceleration / (modes->W * rate) * gap, modes->b, dv);
        }
    }
    rico_free(modes->ctx, q);
    return RICO_OK;
}


rico_status rico_modes_multipliers(const rico_modes *modes, const rico_modes_orbit *orbit, double *real,
                                   double *imaginary)
{
    int64_t size = 2 * modes->n;
    double *a = rico_alloc(modes->ctx, size * size, sizeof *a);
    if (!a) return RICO_NO_MEMORY;
    rico_status status = rico_modes_monodromy(modes, orbit, a);
    if (status == RICO_OK) status = rico_eigenvalues(modes->ctx, size, a, real, imaginary);
    rico_free(modes->ctx, a);
    return status;
}
