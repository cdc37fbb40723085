// The linear system against one obstacle that a mechanical system is, if it is one.

#include "la/dense.h"
#include "model/assembly.h"
#include "orbit/modes.h"

static rico_status check(const rico_system *system, const rico_assembly *assembly)
{
    rico_context *ctx = assembly->ctx;
    if (!system->linear || !system->symmetric || assembly->nq != assembly->nv)
        return rico_fail(ctx, RICO_UNSUPPORTED,
                         "nonsmooth modes need a linear system with symmetric matrices");
    if (system->damped)
        return rico_fail(ctx, RICO_UNSUPPORTED, "nonsmooth modes need a system without damping");
    if (system->loaded && !system->constant_load)
        return rico_fail(ctx, RICO_UNSUPPORTED, "nonsmooth modes need loads that do not change with time");
    if (assembly->set.count != 1)
        return rico_fail(ctx, RICO_UNSUPPORTED, "nonsmooth modes need one contact, and there are %lld",
                         (long long)assembly->set.count);
    const rico_constraint *contact = assembly->set.constraint[0];
    if (contact->joint || contact->moves || contact->friction > 0.0 || contact->rubs)
        return rico_fail(ctx, RICO_UNSUPPORTED,
                         "nonsmooth modes need a contact without friction that stands still, and %s is none",
                         contact->name);
    return RICO_OK;
}


static void spread(const rico_csc *pattern, const double *values, double *out)
{
    for (int64_t j = 0; j < pattern->cols; j++)
        for (int64_t at = pattern->start[j]; at < pattern->start[j + 1]; at++)
            out[pattern->row[at] + pattern->rows * j] = values[at];
}


// Where all forces balance: q = K^-1 times the forces at 0, which are those of time and of prestress.
static rico_status rest(rico_assembly *assembly, const double *K, double *work, double *q, double *f)
{
    int64_t n = assembly->nv;
    double *zero = q; // still
    rico_status status = rico_assembly_forces(assembly, 0.0, zero, zero, f, NULL, NULL);
    for (int64_t i = 0; i < n * n; i++) work[i] = K[i];
    double *load = work + n * n;
    if (status == RICO_OK) status = rico_assembly_load(assembly, 0.0, load);
    if (status != RICO_OK) return status;
    rico_axpy(n, 1.0, load, f);
    if (rico_dense_cholesky(assembly->ctx, n, work) != RICO_OK)
        return rico_fail(assembly->ctx, RICO_SINGULAR, "the stiffness matrix is not positive definite");
    rico_dense_cholesky_solve(n, work, 1, f);
    for (int64_t i = 0; i < n; i++) q[i] = f[i];
    return RICO_OK;
}


static rico_status build(const rico_system *system, rico_assembly *assembly, rico_modes **out)
{
    rico_context *ctx = assembly->ctx;
    int64_t n = assembly->nv;
    double *M = rico_alloc(ctx, 3 * n * n + 4 * n, sizeof *M), gap[8] = {0.0};
    if (!M) return RICO_NO_MEMORY;
    double *K = M + n * n, *work = K + n * n, *q = work + n * n + n, *f = q + n, *w = f + n;
    rico_status status = rico_assembly_mass(assembly, 0.0, q);
    if (status == RICO_OK) status = rico_assembly_tangents(assembly, 0.0, q, q);
    if (status == RICO_OK) {
        spread(&system->pattern, assembly->M, M);
        spread(&system->pattern, assembly->K, K);
        status = rest(assembly, K, work, q, f);
    }
    if (status == RICO_OK) status = rico_assembly_frames(assembly, 0.0, q);
    if (status == RICO_OK) status = rico_assembly_gaps(assembly, 0.0, q, gap);
    if (status == RICO_OK) {
        for (int64_t at = assembly->H.start[0]; at < assembly->H.start[1]; at++)
            w[assembly->H.row[at]] = assembly->H.value[at];
        if (gap[0] > 0.0)
            status = rico_modes_create(ctx, n, M, K, w, gap[0], out);
        else
            status = rico_fail(ctx, RICO_UNSUPPORTED,
                               "nonsmooth modes need an open gap at rest, and %s has %g there",
                               assembly->set.constraint[0]->name, gap[0]);
    }
    rico_free(ctx, M);
    return status;
}


rico_status rico_modes_create_of(rico_system *system, rico_modes **out)
{
    rico_assembly *assembly = NULL;
    *out = NULL;
    rico_status status = rico_system_complete(system);
    if (status == RICO_OK && system->source_count > 0)
        status =
            rico_fail(system->ctx, RICO_UNSUPPORTED, "nonsmooth modes need a contact that is always there");
    if (status == RICO_OK) status = rico_assembly_create(system->ctx, system, &assembly);
    if (status == RICO_OK) status = check(system, assembly);
    if (status == RICO_OK) status = build(system, assembly, out);
    rico_assembly_destroy(assembly);
    return status;
}
