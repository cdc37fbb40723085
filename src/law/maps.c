// The maps of the variational analysis of impact laws (Winandy, Baumann, Leine 2018, sections 4 to 6).
//
// All projections come from LC, the solution of 0 <= LC _|_ G LC + gamma >= 0:
//
//     on K  gamma + G LC,  on its polar  -G LC,       metric G^-1,
//     on T  u + M^-1 W LC,  on its polar  -M^-1 W LC,  metric M, gamma = W'u.
//
// Where G is singular its pseudo-inverse stands for the inverse: ker G = ker W and im G = im W', so that every
// generalized inverse gives the same projectors.

#include "law/maps.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

// eigenvalues of G below this part of the largest are zero
static const double rank_tolerance = 1e-12;


// The dense matrix of G, scaled to G_ij s_i s_j; s NULL for 1.
static void spread(const rico_csc *G, const double *s, double factor, double *dense)
{
    for (int64_t j = 0; j < G->cols; j++)
        for (int64_t k = G->start[j]; k < G->start[j + 1]; k++)
            dense[j * G->rows + G->row[k]] += factor * G->value[k] * (s ? s[G->row[k]] * s[j] : 1.0);
}


static rico_status invert_delassus(rico_impact_maps *maps)
{
    rico_context *ctx = maps->ctx;
    int64_t h = maps->impact->contacts;
    double *vectors = rico_alloc(ctx, h * h, sizeof *vectors);
    double *values = rico_alloc(ctx, h, sizeof *values);
    rico_status status = vectors && values ? RICO_OK : RICO_NO_MEMORY;
    if (!status && h > 0) {
        spread(&maps->impact->G, NULL, 1.0, vectors);
        status = rico_dense_eigen(ctx, h, vectors, true, values);
    }
    for (int64_t m = 0; m < h && !status; m++) {
        if (!(values[m] > rank_tolerance * values[h - 1])) continue;
        maps->rank++;
        const double *v = &vectors[m * h];
        for (int64_t j = 0; j < h; j++) rico_axpy(h, v[j] / values[m], v, &maps->inverse[j * h]);
    }
    rico_free(ctx, vectors);
    rico_free(ctx, values);
    return status;
}


rico_status rico_impact_maps_create(const rico_impact *impact, rico_impact_maps **out)
{
    rico_context *ctx = impact->ctx;
    int64_t h = impact->contacts;
    rico_impact_maps *maps = rico_alloc(ctx, 1, sizeof *maps);
    if (!maps) return RICO_NO_MEMORY;
    maps->ctx = ctx;
    maps->impact = impact;
    maps->inverse = rico_alloc(ctx, h * h, sizeof *maps->inverse);
    maps->contact = rico_alloc(ctx, h, sizeof *maps->contact);
    maps->LC = rico_alloc(ctx, h, sizeof *maps->LC);
    maps->dof = rico_alloc(ctx, impact->dofs, sizeof *maps->dof);
    bool room = maps->inverse && maps->contact && maps->LC && maps->dof;
    rico_status status = room ? rico_active_set_create(ctx, h, &maps->set) : RICO_NO_MEMORY;
    if (!status) status = invert_delassus(maps);
    if (status) {
        rico_impact_maps_destroy(maps);
        return status;
    }
    *out = maps;
    return RICO_OK;
}


void rico_impact_maps_destroy(rico_impact_maps *maps)
{
    if (!maps) return;
    rico_context *ctx = maps->ctx;
    rico_active_set_destroy(maps->set);
    rico_free(ctx, maps->inverse);
    rico_free(ctx, maps->contact);
    rico_free(ctx, maps->LC);
    rico_free(ctx, maps->dof);
    rico_free(ctx, maps);
}


int64_t rico_impact_rank(const rico_impact_maps *maps)
{
    return maps->rank;
}


// LC of gamma, in maps->LC.
static rico_status compress(rico_impact_maps *maps, bool in_range, const double *gamma)
{
    const rico_impact *impact = maps->impact;
    for (int64_t j = 0; j < impact->contacts; j++)
        if (!isfinite(gamma[j]))
            return rico_fail(maps->ctx, RICO_BAD_INPUT, "gamma[%lld] = %g", (long long)j, gamma[j]);
    rico_active_set_end end =
        rico_active_set_solve(maps->set, &impact->G, impact->active, in_range, gamma, maps->LC);
    if (end == RICO_SET_SOLVED) return RICO_OK;
    return rico_fail(maps->ctx, RICO_BAD_INPUT, "gamma is not in the range of W': it has no projection");
}


static void copy(int64_t count, const double *from, double *to)
{
    if (to && count > 0) memcpy(to, from, (size_t)count * sizeof *to);
}


rico_status rico_impact_project_contact(rico_impact_maps *maps, const double *gamma, double *cone,
                                        double *polar, double *LC)
{
    int64_t h = maps->impact->contacts;
    rico_status status = compress(maps, false, gamma);
    if (status) return status;
    rico_csc_times(&maps->impact->G, 1.0, maps->LC, 0.0, maps->contact);
    for (int64_t j = 0; j < h; j++) {
        double in_cone = gamma[j] + maps->contact[j];
        if (cone) cone[j] = in_cone;
        if (polar) polar[j] = -maps->contact[j];
    }
    copy(h, maps->LC, LC);
    return RICO_OK;
}


rico_status rico_impact_project_velocity(rico_impact_maps *maps, const double *u, double *tangent,
                                         double *polar, double *LC)
{
    const rico_impact *impact = maps->impact;
    rico_impact_gap_velocity(impact, u, maps->contact);
    rico_status status = compress(maps, true, maps->contact);
    if (!status) status = rico_impact_velocity_change(impact, maps->LC, maps->dof);
    if (status) return status;
    for (int64_t i = 0; i < impact->dofs; i++) {
        double in_cone = u[i] + maps->dof[i];
        if (tangent) tangent[i] = in_cone;
        if (polar) polar[i] = -maps->dof[i];
    }
    copy(impact->contacts, maps->LC, LC);
    return RICO_OK;
}


void rico_impact_pseudo_inverse(rico_impact_maps *maps, const double *gamma, double *impulse)
{
    int64_t h = maps->impact->contacts;
    if (h > 0) rico_dense_times(h, h, 1.0, maps->inverse, gamma, 0.0, impulse);
}


rico_status rico_impact_lift(rico_impact_maps *maps, const double *gamma, double *u)
{
    rico_impact_pseudo_inverse(maps, gamma, maps->LC);
    return rico_impact_velocity_change(maps->impact, maps->LC, u);
}


rico_status rico_impact_split(rico_impact_maps *maps, const double *u, double *kernel, double *range)
{
    rico_impact_gap_velocity(maps->impact, u, maps->contact);
    rico_status status = rico_impact_lift(maps, maps->contact, maps->dof);
    if (status) return status;
    for (int64_t i = 0; i < maps->impact->dofs; i++) {
        double rest = u[i] - maps->dof[i];
        if (kernel) kernel[i] = rest;
        if (range) range[i] = maps->dof[i];
    }
    return RICO_OK;
}


double rico_impact_contact_norm(rico_impact_maps *maps, const double *gamma)
{
    int64_t h = maps->impact->contacts;
    rico_impact_pseudo_inverse(maps, gamma, maps->LC);
    return sqrt(fmax(rico_dot(h, gamma, maps->LC), 0.0));
}


rico_status rico_impact_dissipation(rico_impact_maps *maps, double e, const double *mean, double *impulse,
                                    double *potential)
{
    if (!(e >= 0.0 && e < 1.0))
        return rico_fail(maps->ctx, RICO_BAD_ARGUMENT,
                         "the restitution %g is outside [0, 1): at 1 the potential is no function", e);
    int64_t h = maps->impact->contacts;
    rico_status status = compress(maps, false, mean);
    if (status) return status;
    double factor = (1.0 + e) / (1.0 - e);

    // the distance from K is the norm of the polar part, |G LC|^2 = LC'G LC in the metric of G^-1
    rico_csc_times(&maps->impact->G, 1.0, maps->LC, 0.0, maps->contact);
    if (potential) *potential = factor * rico_dot(h, maps->LC, maps->contact);
    for (int64_t j = 0; impulse && j < h; j++) impulse[j] = 2.0 * factor * maps->LC[j];
    return RICO_OK;
}


rico_status rico_impact_newton_law(rico_impact_maps *maps, const double *mean, double *impulse)
{
    const rico_impact *impact = maps->impact;
    for (int64_t j = 0; j < impact->contacts; j++) {
        double e = impact->restitution[j];
        if (impact->active[j] && !(e < 1.0))
            return rico_fail(
                maps->ctx, RICO_BAD_ARGUMENT,
                "contact %lld has e = %g: at 1 the impulses are no function of the mean velocity",
                (long long)j, e);
        impulse[j] =
            e < 1.0 ? 2.0 * (1.0 + e) / (1.0 - e) * mean[j] : 0.0; // the data; a diagonal scale keeps signs
    }
    rico_status status = compress(maps, false, impulse);
    if (!status) memcpy(impulse, maps->LC, (size_t)impact->contacts * sizeof *impulse);
    return status;
}


rico_status rico_impact_newton_margin(const rico_impact *impact, double *margin)
{
    rico_context *ctx = impact->ctx;
    int64_t h = impact->contacts;
    double *dense = rico_alloc(ctx, h * h, sizeof *dense);
    double *values = rico_alloc(ctx, h, sizeof *values);
    rico_status status = dense && values ? RICO_OK : RICO_NO_MEMORY;
    if (!status && h > 0) {
        spread(&impact->G, NULL, 1.0, dense);
        spread(&impact->G, impact->restitution, -1.0, dense);
        status = rico_dense_eigen(ctx, h, dense, false, values);
    }
    if (!status) *margin = h > 0 ? values[0] : 0.0;
    rico_free(ctx, dense);
    rico_free(ctx, values);
    return status;
}
