// The iteration matrix a M + b C + c K of a scheme and its factor, kept while nothing in it changes.

#include "step/iteration.h"

#include <string.h>

rico_status rico_iteration_create(rico_system *system, rico_iteration *out)
{
    memset(out, 0, sizeof *out);
    out->system = system;
    out->value = rico_alloc(system->ctx, rico_csc_count(&system->pattern), sizeof *out->value);
    return out->value ? RICO_OK : RICO_NO_MEMORY;
}


void rico_iteration_destroy(rico_iteration *iteration)
{
    if (!iteration->system) return;
    rico_factor_destroy(iteration->factor);
    rico_factor_destroy(iteration->lu);
    rico_free(iteration->system->ctx, iteration->value);
    memset(iteration, 0, sizeof *iteration);
}


static rico_status refactor(rico_factor_kind kind, const rico_csc *matrix, rico_factor **factor)
{
    if (*factor) return rico_factor_refactor(*factor, matrix);
    return rico_factor_create(kind, matrix, factor);
}


// Cholesky first where the matrix is symmetric; a stiffness that is not positive may still leave a regular matrix.
static rico_status factorize(rico_iteration *iteration)
{
    rico_system *system = iteration->system;
    rico_csc matrix = system->pattern;
    matrix.value = iteration->value;
    rico_status status = RICO_SINGULAR;
    iteration->use_lu = false;
    if (system->symmetric) status = refactor(RICO_CHOLESKY, &matrix, &iteration->factor);
    if (status == RICO_SINGULAR) {
        iteration->use_lu = true;
        status = refactor(RICO_LU, &matrix, &iteration->lu);
        if (status == RICO_OK) rico_factor_set_refinement(iteration->lu, 0);
    }
    iteration->factorizations++;
    if (status == RICO_SINGULAR) rico_fail_in(system->ctx, status, "the iteration matrix is singular");
    return status;
}


rico_status rico_iteration_set(rico_iteration *iteration, double a, double b, double c, bool *changed)
{
    rico_system *system = iteration->system;
    bool same =
        iteration->valid && system->linear && a == iteration->a && b == iteration->b && c == iteration->c;
    *changed = !same;
    if (same) return RICO_OK;

    int64_t count = rico_csc_count(&system->pattern);
    const double *M = system->M, *C = system->C, *K = system->K;
    for (int64_t k = 0; k < count; k++) iteration->value[k] = a * M[k] + b * C[k] + c * K[k];
    iteration->a = a;
    iteration->b = b;
    iteration->c = c;
    rico_status status = factorize(iteration);
    iteration->valid = status == RICO_OK;
    return status;
}


rico_status rico_iteration_solve(rico_iteration *iteration, int64_t count, const double *b, double *x)
{
    return rico_factor_solve(iteration->use_lu ? iteration->lu : iteration->factor, count, b, x);
}


void rico_iteration_multiply(const rico_iteration *iteration, const double *x, double *y)
{
    memset(y, 0, (size_t)iteration->system->nv * sizeof *y);
    rico_system_multiply(iteration->system, iteration->value, 1.0, x, y);
}
