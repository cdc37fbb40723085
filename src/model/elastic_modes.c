// The lowest modes of an elastic part: K x = omega^2 M x.

#include "la/alike.h"
#include "la/lowest_modes.h"
#include "model/elastic.h"
#include "model/system.h"

#include <math.h>

static const double BELOW = 0.01; // of the stretching mode: where the spectrum is looked at from


// Rayleigh's quotient of u = x.
double rico_elastic_stretching(const rico_part *part, double *u)
{
    const rico_elastic *own = part->data;
    const rico_elastic_full *full = own->full;
    const rico_csc *pattern = full ? &full->pattern : &part->pattern;
    const unsigned char *alike = full ? full->alike : own->alike;
    double mean[3] = {0.0, 0.0, 0.0};
    for (int64_t k = 0; k < own->used; k++)
        for (int i = 0; i < 3; i++) mean[i] += own->X[3 * own->used_node[k] + i] / (double)own->used;
    for (int64_t k = 0; k < own->used; k++)
        for (int i = 0; i < own->directions; i++) {
            int64_t node = own->used_node[k], at = own->dof[node * own->directions + i];
            if (at >= 0) u[at] = own->X[3 * node + i] - mean[i];
        }
    double mass = rico_alike_square(pattern, alike, full ? full->M : own->M, u);
    return mass > 0.0 ? rico_alike_square(pattern, alike, full ? full->K : own->K, u) / mass : 1.0;
}


rico_status rico_elastic_modes(const rico_system *system, rico_context *ctx, int64_t index, int64_t count,
                               double *omega, double *shape)
{
    const rico_part *part = rico_elastic_find(system, index);
    if (!part)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "part %lld of the system is no elastic one",
                         (long long)index);
    const rico_elastic *own = part->data;
    int64_t n = part->place.v_size;
    if (count < 1 || count > n)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "%lld modes of part %s, expected 1 to %lld",
                         (long long)count, part->name, (long long)n);
    double *u = rico_alloc(ctx, own->full ? own->full->n : n, sizeof *u);
    if (!u) return RICO_NO_MEMORY;
    // below 0, so that a body that is free, or held in some directions only, has a definite matrix there
    double shift = -BELOW * rico_elastic_stretching(part, u);
    rico_free(ctx, u);
    rico_status status = rico_lowest_modes(ctx, &part->pattern, own->K, own->M, shift, count, omega, shape);
    for (int64_t k = 0; status == RICO_OK && k < count; k++) omega[k] = sqrt(fmax(omega[k], 0.0));
    return status;
}
