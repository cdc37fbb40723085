// The one residual: the natural map with unit step, and its scale-free companion.
//
// F_a = r_a - P_K(r_a - rho_a hat(u_a)) with rho_a = 1 (Acary et al. 2018, eq. 51 and 131) or rho_a = 1/|W_aa|.
// The relative form divides by max(|q|, |r|, |u|): |q| alone loses its meaning when impulses dwarf velocities.

#include "problem/problem.h"

#include "la/dense.h"
#include "problem/mass.h"
#include "ricochet/cone.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Vectors this small are taken for zero: the data of a problem at rest is round-off of quantities of order one.
static const double round_off = 100.0 * DBL_EPSILON;

double rico_block_natural_map(rico_block_kind kind, int64_t size, double mu, double rho, const double *u,
                              const double *r, double *F)
{
    double square = 0.0;
    switch (kind) {
    case RICO_UNILATERAL: {
        double f = fmin(r[0], rho * u[0]);
        if (isnan(r[0]) || isnan(u[0])) f = NAN; // fmin would hide it
        if (F) F[0] = f;
        return f * f;
    }
    case RICO_COULOMB_2D: {
        // in the plane the tangent has one component; the second is zero throughout
        double hat[3] = {u[0] + mu * fabs(u[1]), u[1], 0.0};
        double z[3] = {r[0] - rho * hat[0], r[1] - rho * hat[1], 0.0};
        rico_coulomb_project(mu, z);
        for (int i = 0; i < 2; i++) {
            double f = r[i] - z[i];
            if (F) F[i] = f;
            square += f * f;
        }
        return square;
    }
    case RICO_COULOMB_3D: {
        double hat[3], z[3];
        rico_desaxce(mu, u, hat);
        for (int i = 0; i < 3; i++) z[i] = r[i] - rho * hat[i];
        rico_coulomb_project(mu, z);
        for (int i = 0; i < 3; i++) {
            double f = r[i] - z[i];
            if (F) F[i] = f;
            square += f * f;
        }
        return square;
    }
    default:
        for (int64_t i = 0; i < size; i++) {
            double f = rho * u[i];
            if (F) F[i] = f;
            square += f * f;
        }
        return square;
    }
}


void rico_block_project(rico_block_kind kind, int64_t size, double mu, double *r)
{
    (void)size;
    switch (kind) {
    case RICO_UNILATERAL:
        r[0] = fmax(r[0], 0.0);
        break;
    case RICO_COULOMB_2D: {
        double z[3] = {r[0], r[1], 0.0};
        rico_coulomb_project(mu, z);
        r[0] = z[0];
        r[1] = z[1];
        break;
    }
    case RICO_COULOMB_3D:
        rico_coulomb_project(mu, r);
        break;
    default:
        break;
    }
}


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
    return RICO_OK;
}


rico_status rico_problem_residual(rico_problem *p, const double *r, double *u, rico_residual *out)
{
    if (!u) u = p->row_work;
    rico_status status =
        rico_problem_need_free_velocity(p); // |q| is part of the scale even where W is not formed
    if (!status) status = rico_problem_block_norms(p);
    if (!status) status = rico_problem_velocity(p, r, u, NULL);
    if (status) return status;

    double natural = 0.0, scaled = 0.0, impulses = 0.0, closing = 0.0;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t first = p->offset[a], size = p->offset[a + 1] - first;
        double norm = p->block_norm[a] > 0.0 ? p->block_norm[a] : 1.0;
        rico_block_kind kind = (rico_block_kind)p->kind[a];

        natural += rico_block_natural_map(kind, size, p->friction[a], 1.0, &u[first], &r[first], NULL);

        // |W_aa| turns impulses into velocities: norm * F with step 1/norm
        double f = rico_block_natural_map(kind, size, p->friction[a], 1.0 / norm, &u[first], &r[first], NULL);
        scaled += norm * norm * f;
        for (int64_t i = first; i < first + size; i++) impulses += norm * norm * r[i] * r[i];

        // velocities that no impulse excuses: closing contacts, moving joints
        if (kind == RICO_EQUALITY)
            for (int64_t i = first; i < first + size; i++) closing += u[i] * u[i];
        else if (u[first] < 0.0)
            closing += u[first] * u[first];
    }

    double q_size = rico_norm(p->rows, p->q), r_size = rico_norm(p->rows, r), u_size = rico_norm(p->rows, u);
    double velocity = fmax(fmax(q_size, u_size), sqrt(impulses));
    out->absolute = sqrt(natural);
    out->scale = fmax(fmax(q_size, u_size), r_size);
    out->trivial = out->scale <= round_off;
    out->relative = out->trivial ? 0.0 : out->absolute / out->scale;
    out->relative_q = out->trivial   ? 0.0
                      : q_size > 0.0 ? out->absolute / q_size
                                     : (out->absolute > 0.0 ? INFINITY : 0.0);
    out->scaled = out->trivial ? 0.0 : sqrt(scaled) / velocity;
    out->violation = out->trivial || closing == 0.0 ? 0.0 : sqrt(closing) / fmax(q_size, u_size);

    // fmax drops a NaN: restore it
    if (isnan(out->absolute) || isnan(r_size) || isnan(u_size)) {
        out->absolute = out->relative = out->relative_q = out->scaled = out->violation = out->scale = NAN;
        out->trivial = false;
    }
    return RICO_OK;
}


bool rico_residual_within(const rico_residual *residual, double tol)
{
    // where there is no solution impulses can grow until any residual is small against them; the velocities tell
    return residual->relative <= tol && residual->violation <= 0.5;
}
