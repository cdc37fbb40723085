// From the unknowns of an elastic part to the displacements of all its nodes, and back.

#include "la/dense.h"
#include "la/factor.h"
#include "la/vec3.h"
#include "model/elastic.h"
#include "model/system.h"

#include <string.h>

void rico_elastic_expand(const rico_elastic_full *full, const double *q, double *u)
{
    // inner ones are found at the end of u and move down to their places: none moves up, so nothing is lost
    double *inner = u + full->kept;
    rico_dense_times(full->inner, full->kept + full->modes, 1.0, full->T, q, 0.0, inner);
    for (int64_t i = 0; i < full->n; i++) u[i] = full->at[i] >= 0 ? q[full->at[i]] : inner[-1 - full->at[i]];
}


void rico_elastic_condense(const rico_elastic_full *full, const double *f, double *inner, double *out)
{
    for (int64_t i = 0; i < full->n; i++) {
        if (full->at[i] >= 0)
            out[full->at[i]] += f[i];
        else
            inner[-1 - full->at[i]] = f[i];
    }
    rico_dense_transpose_times(full->inner, full->kept + full->modes, 1.0, full->T, inner, 1.0, out);
}


rico_status rico_elastic_spread(rico_context *ctx, const rico_elastic *own, const double *q, double *out)
{
    double *u = own->full ? rico_alloc(ctx, own->full->n, sizeof *u) : NULL;
    if (own->full && !u) return RICO_NO_MEMORY;
    if (own->full) rico_elastic_expand(own->full, q, u);
    const double *from = own->full ? u : q;
    for (int64_t i = 0; i < own->mesh->nodes * own->directions; i++)
        out[i] = own->dof[i] < 0 ? 0.0 : from[own->dof[i]];
    rico_free(ctx, u);
    return RICO_OK;
}


double rico_elastic_component(const rico_elastic *own, int64_t node, int direction, const double *q)
{
    const rico_elastic_full *full = own->full;
    int64_t i = node * own->directions + direction, at = own->unknown[i];
    if (at >= -1) return at < 0 ? 0.0 : q[at];
    double sum = 0.0;
    const double *row = full->T - 1 - full->at[own->dof[i]];
    for (int64_t k = 0; k < full->kept + full->modes; k++) sum += row[k * full->inner] * q[k];
    return sum;
}


static rico_status find(const rico_system *system, rico_context *ctx, int64_t index, const rico_part **part)
{
    *part = rico_elastic_find(system, index);
    if (*part) return RICO_OK;
    return rico_fail(ctx, RICO_BAD_ARGUMENT, "part %lld of the system is no elastic one", (long long)index);
}


bool rico_elastic_reduction_of(const rico_system *system, int64_t part, rico_elastic_reduced *out)
{
    const rico_part *found = rico_elastic_find(system, part);
    const rico_elastic_full *full = found ? ((const rico_elastic *)found->data)->full : NULL;
    if (!full) return false;
    *out = (rico_elastic_reduced){.full = full->n,
                                  .kept = full->kept,
                                  .modes = full->modes,
                                  .omega = full->omega,
                                  .shape = full->T + full->inner * full->kept,
                                  .next = full->next};
    return true;
}


rico_status rico_elastic_recover(const rico_system *system, rico_context *ctx, int64_t index, const double *q,
                                 double *u)
{
    const rico_part *part;
    rico_status status = find(system, ctx, index, &part);
    if (status != RICO_OK) return status;
    const rico_elastic *own = part->data;
    double *along = rico_alloc(ctx, own->mesh->nodes * own->directions, sizeof *along);
    if (!along) return RICO_NO_MEMORY;
    status = rico_elastic_spread(ctx, own, q, along);
    for (int64_t i = 0; status == RICO_OK && i < own->mesh->nodes; i++) {
        rico_vec3_set(0.0, 0.0, 0.0, u + 3 * i);
        for (int k = 0; k < own->directions; k++)
            rico_vec3_add_scaled(along[i * own->directions + k], own->axis + 3 * k, u + 3 * i);
    }
    rico_free(ctx, along);
    return status;
}


// q = (T'M T)^-1 T'M u.
static rico_status nearest(const rico_part *part, rico_context *ctx, const double *u, double *q)
{
    const rico_elastic *own = part->data;
    const rico_elastic_full *full = own->full;
    rico_factor *factor = NULL;
    rico_csc M = part->pattern, all = full->pattern;
    M.ctx = ctx;
    M.value = own->M;
    all.value = full->M;
    double *f = rico_alloc(ctx, full->n + full->inner, sizeof *f);
    rico_status status = f ? rico_factor_create(RICO_CHOLESKY, &M, &factor) : RICO_NO_MEMORY;
    if (status == RICO_OK) {
        rico_csc_times(&all, 1.0, u, 0.0, f);
        memset(q, 0, (size_t)part->pattern.cols * sizeof *q);
        rico_elastic_condense(full, f, f + full->n, q);
        status = rico_factor_solve(factor, 1, q, q);
    }
    rico_factor_destroy(factor);
    rico_free(ctx, f);
    return status;
}


rico_status rico_elastic_fit(const rico_system *system, rico_context *ctx, int64_t index, const double *u,
                             double *q)
{
    const rico_part *part;
    rico_status status = find(system, ctx, index, &part);
    if (status != RICO_OK) return status;
    const rico_elastic *own = part->data;
    int64_t n = own->full ? own->full->n : part->pattern.cols;
    double *along = rico_alloc(ctx, n, sizeof *along);
    if (!along) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < own->mesh->nodes * own->directions; i++)
        if (own->dof[i] >= 0)
            along[own->dof[i]] =
                rico_vec3_dot(own->axis + 3 * (i % own->directions), u + 3 * (i / own->directions));
    if (own->full)
        status = nearest(part, ctx, along, q);
    else
        memcpy(q, along, (size_t)n * sizeof *q);
    rico_free(ctx, along);
    return status;
}
