// A copy of a problem in units of its own: see units.h.

#include "problem/units.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

enum { LEAST_EXPONENT = -1020 };

// The power of four next to x, 1 for 0: a square root of it is exact too, so that factors of M change by a shift alone.
static double power_of_four(double x)
{
    int exponent;
    if (!(x > 0.0) || !isfinite(x)) return 1.0;
    frexp(x, &exponent);
    if (exponent < LEAST_EXPONENT) exponent = LEAST_EXPONENT; // its inverse is a number too
    return ldexp(1.0, exponent - (exponent & 1));
}


// The mean of |W_aa| where W is there, else of h_j' diag(M)^-1 h_j, which is of its size.
static double compliance(const rico_problem *p)
{
    double sum = 0.0;
    if (p->reduced) {
        for (int64_t a = 0; a < p->block_count; a++) {
            int64_t k = p->W.diagonal[a];
            sum += rico_norm(p->W.place[k + 1] - p->W.place[k], &p->W.value[p->W.place[k]]);
        }
        return p->block_count > 0 ? sum / (double)p->block_count : 0.0;
    }
    for (int64_t i = 0; i < p->dofs; i++) p->dof_work[i] = 0.0;
    for (int64_t j = 0; j < p->dofs; j++)
        for (int64_t k = p->M.start[j]; k < p->M.start[j + 1]; k++)
            if (p->M.row[k] == j) p->dof_work[j] = fabs(p->M.value[k]);
    for (int64_t k = 0; k < p->H.start[p->rows]; k++) {
        double mass = p->dof_work[p->H.row[k]];
        if (mass > 0.0) sum += p->H.value[k] * p->H.value[k] / mass;
    }
    return p->block_count > 0 ? sum / (double)p->block_count : 0.0;
}


// The largest entry of q, or of what it will be made of.
static double speed(const rico_problem *p)
{
    if (!p->global) return rico_norm_inf(p->rows, p->q);
    double largest = rico_norm_inf(p->rows, p->w);
    for (int64_t j = 0; j < p->dofs; j++)
        for (int64_t k = p->M.start[j]; k < p->M.start[j + 1]; k++)
            if (p->M.row[k] == j && p->M.value[k] != 0.0)
                largest = fmax(largest, fabs(p->f[j] / p->M.value[k]));
    return largest;
}


rico_units rico_own_units(double mean_compliance, double largest_speed)
{
    return (rico_units){.velocity = power_of_four(largest_speed),
                        .ratio = 1.0 / power_of_four(mean_compliance)};
}


static void import(int64_t count, double factor, const double *from, double *to)
{
    for (int64_t i = 0; i < count; i++) to[i] = factor * from[i];
}


static void import_vectors(const rico_problem *p, rico_units *units, rico_problem *copy)
{
    units->velocity = power_of_four(speed(p));
    for (int64_t a = 0; p->shaped && a < p->block_count; a++) {
        copy->block[a].low = p->block[a].low / (units->ratio * units->velocity);
        copy->block[a].high = p->block[a].high / (units->ratio * units->velocity);
    }
    if (p->global) {
        import(p->rows, 1.0 / units->velocity, p->w, copy->w);
        import(p->dofs, 1.0 / units->velocity / units->ratio, p->f, copy->f);
    } else {
        import(p->rows, 1.0 / units->velocity, p->q, copy->q);
        copy->noise = p->noise / units->velocity;
    }
}


// Matrices and room for vectors; a global problem that was reduced is copied as global, W being made again.
static rico_status copy_matrices(const rico_problem *p, double ratio, rico_problem *copy)
{
    rico_context *ctx = p->ctx;
    rico_status status;
    if (!p->global) {
        status = rico_block_copy(&p->W, ratio, &copy->W);
        copy->q = status ? NULL : rico_alloc(ctx, p->rows, sizeof *copy->q);
        if (!copy->q) return status ? status : RICO_NO_MEMORY;
        copy->reduced = true;
        return RICO_OK;
    }
    copy->global = true;
    copy->dofs = p->dofs;
    status = rico_csc_copy(&p->M, &copy->M);
    if (!status) status = rico_csc_copy(&p->H, &copy->H);
    if (status) return status;
    import(p->M.start[p->dofs], 1.0 / ratio, p->M.value, copy->M.value);
    copy->f = rico_alloc(ctx, p->dofs, sizeof *copy->f);
    copy->w = rico_alloc(ctx, p->rows, sizeof *copy->w);
    copy->dof_work = rico_alloc(ctx, p->dofs, sizeof *copy->dof_work);
    return copy->f && copy->w && copy->dof_work ? RICO_OK : RICO_NO_MEMORY;
}


rico_status rico_problem_in_own_units(const rico_problem *p, rico_units *units, rico_problem **out)
{
    rico_problem *copy = NULL;
    rico_status status = rico_problem_copy_blocks(p, &copy);
    if (status) return status;
    units->ratio = 1.0 / power_of_four(compliance(p));
    status = copy_matrices(p, units->ratio, copy);
    if (status) {
        rico_problem_destroy(copy);
        return status;
    }
    import_vectors(p, units, copy);
    *out = copy;
    return RICO_OK;
}


rico_status rico_problem_follow(const rico_problem *p, bool matrix, rico_units *units, rico_problem *copy)
{
    if (matrix) {
        import(p->W.place[rico_block_count(&p->W)], units->ratio, p->W.value, copy->W.value);
        for (int64_t a = 0; copy->block_norm && a < p->block_count; a++) {
            int64_t k = copy->W.diagonal[a];
            copy->block_norm[a] =
                rico_norm(copy->W.place[k + 1] - copy->W.place[k], &copy->W.value[copy->W.place[k]]);
        }
        if (copy->block_norm) rico_problem_find_largest_norm(copy);
    }
    import_vectors(p, units, copy);
    return p->global && copy->q ? rico_problem_free_velocity_update(copy) : RICO_OK;
}
