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


// An open contact without an impulse: nothing is violated, and both maps are exactly zero.
static inline bool is_open(const rico_block *block, const double *u, const double *r)
{
    if (block->kind == RICO_COULOMB_3D) return u[0] >= 0.0 && r[0] == 0.0 && r[1] == 0.0 && r[2] == 0.0;
    return block->kind == RICO_COULOMB_2D && u[0] >= 0.0 && r[0] == 0.0 && r[1] == 0.0;
}


void rico_tally_block(rico_tally *tally, const rico_block *block, double norm, const double *u,
                      const double *r)
{
    if (is_open(block, u, r)) {
        for (int64_t i = 0; i < block->size; i++) {
            tally->u += u[i] * u[i];
            if (!isfinite(u[i])) tally->broken = true;
        }
        return;
    }
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


// The natural map with unit step over what the literature divides it by; scale is known.
static void state_natural(const rico_tally *tally, double q_size, rico_residual *out)
{
    double natural = tally->ratio * sqrt(tally->natural);
    out->absolute = natural;
    out->relative_q = out->relative_max = 0.0;
    if (natural > 0.0) {
        out->relative_q = natural / q_size;
        out->relative_max = natural / fmax(out->scale, tally->ratio * sqrt(tally->r));
    }
}


rico_residual rico_tally_close(const rico_tally *tally, double q_size, double noise)
{
    if (tally->broken) return (rico_residual){NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    double scale = fmax(q_size, sqrt(tally->u)), round_off = DBL_EPSILON * sqrt(tally->drive);
    rico_residual out = {.scale = scale, .velocity = sqrt(tally->judged)};
    state_natural(tally, q_size, &out);
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


static const rico_units as_they_are = {1.0, 1.0};


// Lengths in the units of the caller.
static void convert(const rico_units *units, rico_residual *residual)
{
    residual->absolute *= units->velocity;
    residual->velocity *= units->velocity;
    residual->scale *= units->velocity;
}


static rico_residual judge(const rico_problem *p, const rico_units *units, const double *r, const double *u)
{
    rico_tally tally = {.ratio = units->ratio};
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t first = p->offset[a];
        rico_tally_block(&tally, rico_problem_cone(p, a), rico_problem_block_scale(p, a), &u[first],
                         &r[first]);
    }
    rico_residual out = rico_tally_close(&tally, rico_norm(p->rows, p->q), p->noise);
    convert(units, &out);
    return out;
}


rico_status rico_problem_residual_in(rico_problem *p, const rico_units *units, const double *r, double *u,
                                     rico_residual *out)
{
    if (!u) u = p->row_work;
    rico_status status =
        rico_problem_need_free_velocity(p); // |q| is part of the scale even where W is not formed
    if (!status) status = rico_problem_block_norms(p);
    if (!status) status = rico_problem_velocity(p, r, u, NULL);
    if (!status) *out = judge(p, units, r, u);
    return status;
}


rico_status rico_problem_residual(rico_problem *p, const double *r, double *u, rico_residual *out)
{
    return rico_problem_residual_in(p, &as_they_are, r, u, out);
}


rico_residual rico_problem_residual_of_zero(const rico_problem *p, const double *zero, double *u)
{
    if (p->rows > 0) memcpy(u, p->q, (size_t)p->rows * sizeof *u);
    return judge(p, &as_they_are, zero, u);
}


void rico_problem_residual_convert(const rico_problem *p, const rico_units *units, const double *r,
                                   const double *u, rico_residual *residual)
{
    // what judges is the same in all units; only the natural map with unit step of impulse over velocity is another
    rico_tally tally = {.ratio = units->ratio};
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t first = p->offset[a];
        tally.natural +=
            rico_cone_natural_map(rico_problem_cone(p, a), 1.0 / units->ratio, &u[first], &r[first], NULL);
    }
    for (int64_t i = 0; i < p->rows; i++) tally.r += r[i] * r[i]; // in the order of the judge
    state_natural(&tally, rico_norm(p->rows, p->q), residual);
    convert(units, residual);
}


bool rico_residual_within(const rico_residual *residual, double tol)
{
    return residual->relative <= tol;
}
