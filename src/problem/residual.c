// The one residual, for every path to an impulse.
//
// What judges is read in units of velocity, over max(|q|, |u|). For each block, with n = |W_aa| and s = n r, so that s is
// the velocity that r gives its own block,
//
//     the law itself     F_N = min(s_N, u_N), with |s| for s_N where mu > 1 and u_N > s_N >= 0,
//                        F_T = s_T - P_D(s_T - u_T),  D the disc of radius mu s_N
//     the natural map    F = s - P_K(s - hat(u))            (Acary et al. 2018, eq. 51, with step 1/n)
//
// and the larger of |(F_N, F_T)| and |F| / max(1, mu) counts. The first is Alart and Curnier's map: it sees u_N < 0 in
// full, whatever mu, where the natural map sees 1/mu of it; the second is weighted, because hat(u) magnifies the
// round-off of u_T by mu. Neither depends on the units of mass, length or time. Impulses that run away in the kernel of
// W cannot make it small, for they are not part of the scale; what they can do is drown u = W r + q in round-off, and
// that, eps |W| |r|, is a floor under the residual.

#include "problem/problem.h"

#include "la/dense.h"
#include "problem/mass.h"

#include <float.h>
#include <math.h>
#include <string.h>

rico_status rico_problem_velocity(rico_problem *p, const double *r, double *u, double *v)
{
    if (p->reduced && !v) {
        rico_block_times(&p->W, r, p->q, u);
        return RICO_OK;
    }
    if (!p->global) return rico_fail(p->ctx, RICO_BAD_ARGUMENT, "a reduced problem has no velocities v");

    // every run begins with the residual of zero, and q is known
    bool zero = !v && p->q;
    for (int64_t i = 0; zero && i < p->rows; i++) zero = r[i] == 0.0;
    if (zero) {
        memcpy(u, p->q, (size_t)p->rows * sizeof *u);
        return RICO_OK;
    }

    rico_status status = rico_problem_factor_mass(p);
    if (status) return status;
    double *x = v ? v : p->dof_work;
    if (p->dofs > 0) memcpy(x, p->f, (size_t)p->dofs * sizeof *x);
    rico_csc_times(&p->H, 1.0, r, 1.0, x);
    status = rico_problem_solve_mass(p, 1, x);
    if (status) return status;
    if (p->rows > 0) memcpy(u, p->w, (size_t)p->rows * sizeof *u);
    rico_csc_transpose_times(&p->H, 1.0, x, 1.0, u);
    return RICO_OK;
}


// x <- M^-1 h_j for one column of H, touching only the bodies that h_j touches; x is zero outside of them. `touched`
// lists those bodies, and `mark` (one entry per body, anything but `stamp`) tells them apart.
static int64_t solve_column(const rico_problem *p, int64_t j, int64_t stamp, int64_t *mark, int64_t *touched,
                            double *x)
{
    const rico_mass_blocks *bodies = p->bodies;
    int64_t count = 0;
    for (int64_t k = p->H.start[j]; k < p->H.start[j + 1]; k++) {
        int64_t body = bodies->of_dof[p->H.row[k]];
        x[bodies->place[p->H.row[k]]] = p->H.value[k];
        if (mark[body] == stamp) continue;
        mark[body] = stamp;
        touched[count++] = body;
    }
    for (int64_t b = 0; b < count; b++)
        rico_mass_blocks_solve(bodies, touched[b], &x[bodies->start[touched[b]]]);
    return count;
}


// |W_aa| with W_aa = H_a' M^-1 H_a, a column at a time, body by body.
static rico_status norms_by_bodies(rico_problem *p, double *norm)
{
    const rico_mass_blocks *bodies = p->bodies;
    int64_t *mark = rico_alloc(p->ctx, bodies->count, sizeof *mark);
    int64_t *touched = rico_alloc(p->ctx, bodies->count, sizeof *touched);
    rico_status status = mark && touched ? RICO_OK : RICO_NO_MEMORY;
    double *x = p->dof_work;
    memset(x, 0, (size_t)p->dofs * sizeof *x);
    for (int64_t a = 0; !status && a < p->block_count; a++) {
        double square = 0.0;
        for (int64_t j = p->offset[a]; j < p->offset[a + 1]; j++) {
            int64_t count = solve_column(p, j, j + 1, mark, touched, x);
            for (int64_t i = p->offset[a]; i < p->offset[a + 1]; i++) {
                double entry = 0.0;
                for (int64_t k = p->H.start[i]; k < p->H.start[i + 1]; k++)
                    entry += p->H.value[k] * x[bodies->place[p->H.row[k]]];
                square += entry * entry;
            }
            for (int64_t b = 0; b < count; b++)
                for (int64_t i = bodies->start[touched[b]]; i < bodies->start[touched[b] + 1]; i++)
                    x[i] = 0.0;
        }
        norm[a] = sqrt(square);
    }
    rico_free(p->ctx, mark);
    rico_free(p->ctx, touched);
    return status;
}


void rico_problem_find_largest_norm(rico_problem *p)
{
    p->largest_norm = 0.0;
    for (int64_t a = 0; a < p->block_count; a++) p->largest_norm = fmax(p->largest_norm, p->block_norm[a]);
    if (p->largest_norm == 0.0) p->largest_norm = 1.0;
}


rico_status rico_problem_block_norms(rico_problem *p)
{
    if (p->block_norm) return RICO_OK;

    // without small bodies the columns of M^-1 H are dense, and W is what they make
    rico_status status = p->reduced ? RICO_OK : rico_problem_factor_mass(p);
    if (!status && !p->reduced && !p->bodies) status = rico_problem_reduce(p);
    double *norm = status ? NULL : rico_alloc(p->ctx, p->block_count, sizeof *norm);
    if (!norm) return status ? status : RICO_NO_MEMORY;

    if (p->reduced) {
        for (int64_t a = 0; a < p->block_count; a++) {
            int64_t k = p->W.diagonal[a];
            norm[a] = rico_norm(p->W.place[k + 1] - p->W.place[k], &p->W.value[p->W.place[k]]);
        }
    } else {
        status = norms_by_bodies(p, norm);
    }
    if (status) {
        rico_free(p->ctx, norm);
        return status;
    }
    p->block_norm = norm;
    rico_problem_find_largest_norm(p);
    return RICO_OK;
}


void rico_tally_block(rico_tally *tally, const rico_block *block, double norm, const double *u,
                      const double *r)
{
    bool joint = rico_cone_kinds[block->kind].joint;
    tally->natural += rico_cone_natural_map(block, 1.0 / tally->ratio, u, r, NULL);
    tally->judged += rico_cone_kinds[block->kind].judge(block, norm, u, r);
    for (int64_t i = 0; i < block->size; i++) {
        // rounded as ever, for joints and for contacts: what a floor under a residual is compared with decides runs
        double impulse = norm * r[i];
        tally->drive += joint ? norm * norm * r[i] * r[i] : impulse * impulse;
        tally->r += r[i] * r[i];
        tally->u += u[i] * u[i];
        if (!isfinite(u[i]) || !isfinite(r[i])) tally->broken = true; // fmin and fmax drop a NaN
    }
}


rico_residual rico_tally_close(const rico_tally *tally, double q_size, double noise)
{
    if (tally->broken) return (rico_residual){NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    double scale = fmax(q_size, sqrt(tally->u)), natural = tally->ratio * sqrt(tally->natural);
    double round_off = DBL_EPSILON * sqrt(tally->drive);
    rico_residual out = {.scale = scale, .absolute = natural, .velocity = sqrt(tally->judged)};
    if (natural > 0.0) {
        out.relative_q = natural / q_size;
        out.relative_max = natural / fmax(scale, tally->ratio * sqrt(tally->r));
    }
    if (round_off > 0.0) out.rounding = round_off / scale;
    // differences that the data itself does not resolve count as none
    if (out.velocity > noise) out.relative = out.velocity / scale;
    if (round_off > noise) out.relative = fmax(out.relative, out.rounding);
    return out;
}


double rico_problem_block_scale(const rico_problem *p, int64_t a)
{
    return p->block_norm[a] > 0.0 ? p->block_norm[a] : p->largest_norm;
}


rico_status rico_problem_residual_in(rico_problem *p, const rico_units *units, const double *r, double *u,
                                     rico_residual *out)
{
    if (!u) u = p->row_work;
    rico_status status =
        rico_problem_need_free_velocity(p); // |q| is part of the scale even where W is not formed
    if (!status) status = rico_problem_block_norms(p);
    if (!status) status = rico_problem_velocity(p, r, u, NULL);
    if (status) return status;

    rico_tally tally = {.ratio = units->ratio};
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t first = p->offset[a];
        rico_tally_block(&tally, rico_problem_cone(p, a), rico_problem_block_scale(p, a), &u[first],
                         &r[first]);
    }
    *out = rico_tally_close(&tally, rico_norm(p->rows, p->q), p->noise);
    out->absolute *= units->velocity;
    out->velocity *= units->velocity;
    out->scale *= units->velocity;
    return RICO_OK;
}


rico_status rico_problem_residual(rico_problem *p, const double *r, double *u, rico_residual *out)
{
    static const rico_units as_they_are = {1.0, 1.0};
    return rico_problem_residual_in(p, &as_they_are, r, u, out);
}


bool rico_residual_within(const rico_residual *residual, double tol)
{
    return residual->relative <= tol;
}
