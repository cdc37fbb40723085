// How far a reduced part is from the whole one: the modes that were left out, as they would stand quasi-statically.
//
// With the field recovered from kept nodes and modes, the equations of inner nodes leave a residual. What lies in the kept modes is solved; the rest is
//
//     r = P (f_i - (M s)_i - (C w)_i),    s = (a_k, Psi a_k),  w = (v_k, Psi v_k),    P = 1 - M_ii Phi Phi',
//
// because K (u_k, Psi u_k) vanishes there. Kept nodes have no error of their own: contact forces settle their equations. Were inertia of the lacking modes
// nothing, they would add e = K_ii^-1 r, with e'K e = r'K_ii^-1 r. In equilibrium this is exact.
//
// The accelerations a_k are those behind a filter of first order with the time 1/omega of the first mode left out: a jump dv in an impact would be an
// acceleration without bound, and moves such a mode by about dv/omega, as dv omega does statically. d' = v' - omega d, a = omega d.

#include "la/alike.h"
#include "la/dense.h"
#include "la/factor.h"
#include "model/elastic.h"
#include "model/system.h"

#include <math.h>
#include <string.h>

struct rico_elastic_error {
    rico_context *ctx;
    const rico_part *part;
    rico_factor *factor; // of K_ii; NULL where nothing is left out
    bool begun;
    double t, *v, *lag;           // of kept unknowns: velocities followed last, d
    double *unit, *x, *f, *r, *z; // work
};


rico_status rico_elastic_error_create(const rico_system *system, rico_context *ctx, int64_t index,
                                      rico_elastic_error **out)
{
    const rico_part *part = rico_elastic_find(system, index);
    const rico_elastic_full *full = part ? ((const rico_elastic *)part->data)->full : NULL;
    if (!full)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "part %lld of the system is no reduced elastic one",
                         (long long)index);
    rico_elastic_error *error = rico_alloc(ctx, 1, sizeof *error);
    if (!error) return RICO_NO_MEMORY;
    *error = (rico_elastic_error){.ctx = ctx, .part = part};
    double **const block[] = {&error->v, &error->lag, &error->unit, &error->x,
                              &error->f, &error->r,   &error->z};
    const int64_t size[] = {full->kept,  full->kept, full->kept + full->modes, full->n, full->n,
                            full->inner, full->n};
    rico_status status = RICO_OK;
    for (size_t i = 0; i < sizeof block / sizeof *block; i++)
        if (!(*block[i] = rico_alloc(ctx, size[i], sizeof(double)))) status = RICO_NO_MEMORY;
    rico_csc K = {0};
    if (status == RICO_OK && full->modes < full->inner) {
        status = rico_elastic_inner(ctx, full, &K, NULL);
        if (status == RICO_OK) status = rico_factor_create(RICO_CHOLESKY, &K, &error->factor);
        rico_csc_destroy(&K);
    }
    if (status != RICO_OK) {
        rico_elastic_error_destroy(error);
        return status;
    }
    *out = error;
    return RICO_OK;
}


void rico_elastic_error_destroy(rico_elastic_error *error)
{
    if (!error) return;
    void *block[] = {error->v, error->lag, error->unit, error->x, error->f, error->r, error->z};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) rico_free(error->ctx, block[i]);
    rico_factor_destroy(error->factor);
    rico_free(error->ctx, error);
}


static const rico_elastic_full *full_of(const rico_elastic_error *error)
{
    return ((const rico_elastic *)error->part->data)->full;
}


// d at the end of a stretch of time in which velocities change evenly.
void rico_elastic_error_follow(rico_elastic_error *error, double t, const double *v)
{
    const rico_elastic_full *full = full_of(error);
    double h = t - error->t, rate = full->next > 0.0 && isfinite(full->next) ? full->next : 0.0;
    double fade = exp(-rate * h);
    for (int64_t i = 0; error->begun && h > 0.0 && i < full->kept; i++) {
        double slope = (v[i] - error->v[i]) / h;
        error->lag[i] = fade * error->lag[i] - slope * (rate > 0.0 ? expm1(-rate * h) / rate : -h);
    }
    memcpy(error->v, v, (size_t)full->kept * sizeof *v);
    error->begun = true;
    error->t = t;
}


// f -= A T (part, 0), all modes at rest.
static void subtract(rico_elastic_error *error, const double *A, double scale, const double *kept)
{
    const rico_elastic_full *full = full_of(error);
    for (int64_t i = 0; i < full->kept; i++) error->unit[i] = scale * kept[i];
    rico_elastic_expand(full, error->unit, error->x);
    rico_alike_add(&full->pattern, full->alike, A, -1.0, error->x, error->f);
}


// r loses what lies in the kept modes: r -= M_ii Phi Phi'r.
static void remove_modes(rico_elastic_error *error)
{
    const rico_elastic_full *full = full_of(error);
    const double *Phi = full->T + full->inner * full->kept;
    double *eta = error->unit + full->kept, *inner = error->f;
    rico_dense_transpose_times(full->inner, full->modes, 1.0, Phi, error->r, 0.0, eta);
    rico_dense_times(full->inner, full->modes, 1.0, Phi, eta, 0.0, inner);
    memset(eta, 0, (size_t)full->modes * sizeof *eta);
    for (int64_t i = 0; i < full->n; i++) error->x[i] = full->at[i] >= 0 ? 0.0 : inner[-1 - full->at[i]];
    memset(error->z, 0, (size_t)full->n * sizeof *error->z);
    rico_alike_add(&full->pattern, full->alike, full->M, 1.0, error->x, error->z);
    for (int64_t i = 0; i < full->n; i++)
        if (full->at[i] < 0) error->r[-1 - full->at[i]] -= error->z[i];
}


static rico_status add_loads(rico_elastic_error *error)
{
    const rico_elastic *own = error->part->data;
    for (int64_t i = 0; i < own->loads; i++) {
        const rico_bound_elastic_load *one = &own->load[i];
        double factor = 1.0;
        if ((one->given.history && !one->given.history(one->given.user, error->t, &factor)) ||
            !rico_elastic_integrate(own, one, error->t, factor, own->dof, error->f))
            return rico_fail(error->ctx, RICO_BAD_INPUT,
                             "part %s: the function of load %lld refused at t = %g", error->part->name,
                             (long long)i, error->t);
    }
    return RICO_OK;
}


// Norms of kept velocities, other unknowns at rest: sqrt(x'M x).
static double kept_norm(rico_elastic_error *error, const double *x)
{
    const rico_elastic *own = error->part->data;
    memcpy(error->unit, x, (size_t)own->full->kept * sizeof *x);
    return sqrt(fmax(0.0, rico_alike_square(&error->part->pattern, own->alike, own->M, error->unit)));
}


rico_status rico_elastic_error_look(rico_elastic_error *error, const double *q, const double *v,
                                    rico_elastic_error_norms *out)
{
    const rico_part *part = error->part;
    const rico_elastic *own = part->data;
    const rico_elastic_full *full = own->full;
    *out = (rico_elastic_error_norms){
        .state = sqrt(fmax(0.0, rico_alike_square(&part->pattern, own->alike, own->K, q))),
        .speed = kept_norm(error, v)};
    if (!error->factor) return RICO_OK;
    out->fast = kept_norm(error, error->lag);
    memset(error->f, 0, (size_t)full->n * sizeof *error->f);
    rico_status status = add_loads(error);
    if (status != RICO_OK) return status;
    subtract(error, full->M, full->next > 0.0 ? full->next : 0.0, error->lag);
    if (full->C) subtract(error, full->C, 1.0, v);
    for (int64_t i = 0; i < full->n; i++)
        if (full->at[i] < 0) error->r[-1 - full->at[i]] = error->f[i];
    remove_modes(error);
    status = rico_factor_solve(error->factor, 1, error->r, error->x);
    if (status == RICO_OK) out->error = sqrt(fmax(0.0, rico_dot(full->inner, error->r, error->x)));
    return status;
}
