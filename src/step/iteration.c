// The iteration matrix a M + b C + c K of a scheme and its factor, kept while nothing in it changes.

#include "step/iteration.h"

#include "la/small_lu.h"

#include <string.h>

rico_status rico_iteration_create(rico_assembly *assembly, rico_iteration *out)
{
    const rico_system *system = assembly->system;
    memset(out, 0, sizeof *out);
    out->ctx = assembly->ctx;
    out->assembly = assembly;
    out->system = system;
    out->lead = 1.0;
    out->value = rico_alloc(out->ctx, rico_csc_count(&system->pattern), sizeof *out->value);
    out->work = rico_alloc(out->ctx, system->nv, sizeof *out->work);
    if (out->value && out->work) return RICO_OK;
    rico_iteration_destroy(out);
    return RICO_NO_MEMORY;
}


void rico_iteration_destroy(rico_iteration *iteration)
{
    if (!iteration->ctx) return;
    rico_factor_destroy(iteration->factor);
    rico_factor_destroy(iteration->lu);
    rico_free(iteration->ctx, iteration->value);
    rico_free(iteration->ctx, iteration->work);
    rico_free(iteration->ctx, iteration->extra);
    rico_free(iteration->ctx, iteration->blocks);
    rico_free(iteration->ctx, iteration->pivots);
    memset(iteration, 0, sizeof *iteration);
}


static rico_status refactor(rico_factor_kind kind, rico_ordering ordering, const rico_csc *matrix,
                            rico_factor **factor)
{
    if (*factor) return rico_factor_refactor(*factor, matrix);
    return rico_factor_create_ordered(kind, ordering, matrix, factor);
}


// Block by block: what comes of one does not depend on the others, as it may where one factor orders them all.
static rico_status factorize_blocks(rico_iteration *iteration)
{
    const rico_csc *pattern = &iteration->system->pattern;
    int64_t n = iteration->group, size = pattern->cols;
    if (!iteration->blocks) iteration->blocks = rico_alloc(iteration->ctx, size * n, sizeof(double));
    if (!iteration->pivots) iteration->pivots = rico_alloc(iteration->ctx, size, sizeof(int32_t));
    if (!iteration->blocks || !iteration->pivots) return RICO_NO_MEMORY;
    memset(iteration->blocks, 0, (size_t)(size * n) * sizeof(double));
    for (int64_t j = 0; j < size; j++) {
        double *column = iteration->blocks + j * n;
        for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++)
            column[pattern->row[k] - j / n * n] = iteration->value[k];
    }
    for (int64_t j = 0; j < size; j += n)
        if (!rico_small_lu(n, iteration->blocks + j * n, iteration->pivots + j))
            return rico_fail(iteration->ctx, RICO_SINGULAR, "the iteration matrix is singular");
    return RICO_OK;
}


// Cholesky first where the matrix is symmetric; a stiffness that is not positive may still leave a regular matrix.
static rico_status factorize(rico_iteration *iteration)
{
    const rico_system *system = iteration->system;
    rico_csc matrix = system->pattern;
    matrix.value = iteration->value;
    rico_status status = RICO_SINGULAR;
    iteration->use_lu = false;
    if (system->symmetric) status = refactor(RICO_CHOLESKY, iteration->ordering, &matrix, &iteration->factor);
    if (status == RICO_SINGULAR) {
        iteration->use_lu = true;
        status = refactor(RICO_LU, iteration->ordering, &matrix, &iteration->lu);
        if (status == RICO_OK) rico_factor_set_refinement(iteration->lu, 0);
    }
    iteration->factorizations++;
    iteration->made++;
    if (status == RICO_SINGULAR) rico_fail_in(iteration->ctx, status, "the iteration matrix is singular");
    return status;
}


rico_status rico_iteration_set(rico_iteration *iteration, double a, double b, double c, bool *changed)
{
    const rico_system *system = iteration->system;
    bool constant = system->linear || (system->constant_mass && b == 0.0 && c == 0.0);
    bool known = constant && a == iteration->a && b == iteration->b && c == iteration->c;
    *changed = !(iteration->valid && known);
    if (!*changed) return RICO_OK;

    int64_t count = rico_csc_count(&system->pattern);
    const double *M = iteration->assembly->M, *C = iteration->assembly->C, *K = iteration->assembly->K;
    // a share that is not wanted is not read: what a step that failed left there may be no number
    bool differs = !iteration->valid || a != iteration->a || b != iteration->b || c != iteration->c;
    int64_t column = 0;
    for (int64_t k = 0; k < count; k++) {
        double value = a * M[k];
        if (b != 0.0) value += b * C[k];
        if (c != 0.0) value += c * K[k];
        while (iteration->extra && k >= system->pattern.start[column + 1]) column++;
        if (iteration->extra && system->pattern.row[k] == column) value += iteration->extra[column];
        differs |= value != iteration->value[k];
        iteration->value[k] = value;
    }
    // as before after all: spheres have no gyroscopic forces
    *changed = differs;
    if (!differs) return RICO_OK;
    iteration->a = a;
    iteration->b = b;
    iteration->c = c;
    rico_status status = iteration->group > 0 ? factorize_blocks(iteration) : factorize(iteration);
    if (iteration->again && known) iteration->factorizations--;
    iteration->again = false;
    iteration->valid = status == RICO_OK;
    return status;
}


rico_status rico_iteration_set_identity(rico_iteration *iteration, bool *changed)
{
    const rico_csc *pattern = &iteration->system->pattern;
    bool identity = iteration->a == 0.0 && iteration->b == 0.0 && iteration->c == 0.0;
    *changed = !iteration->valid || !identity;
    if (!*changed) return RICO_OK;
    for (int64_t j = 0; j < pattern->cols; j++)
        for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++)
            iteration->value[k] = pattern->row[k] == j ? 1.0 : 0.0;
    iteration->a = iteration->b = iteration->c = 0.0;
    rico_status status = iteration->group > 0 ? factorize_blocks(iteration) : factorize(iteration);
    iteration->valid = status == RICO_OK;
    return status;
}


rico_status rico_iteration_solve(rico_iteration *iteration, int64_t count, const double *b, double *x)
{
    int64_t n = iteration->group, size = iteration->system->nv;
    if (n > 0 && x != b) memcpy(x, b, (size_t)(count * size) * sizeof *x);
    for (int64_t c = 0; n > 0 && c < count; c++)
        for (int64_t j = 0; j < size; j += n)
            rico_small_lu_solve(n, iteration->blocks + j * n, iteration->pivots + j, 1, x + c * size + j);
    if (n > 0) return RICO_OK;
    return rico_factor_solve(iteration->use_lu ? iteration->lu : iteration->factor, count, b, x);
}


rico_status rico_iteration_respond(rico_iteration *iteration, int64_t count, const double *b, double *x)
{
    const rico_system *system = iteration->system;
    int64_t n = system->nv;
    rico_status status = RICO_OK;
    for (int64_t j = 0; status == RICO_OK && iteration->mass && j < count; j++) {
        double *y = iteration->work;
        for (int64_t i = 0; i < n; i++) y[i] = iteration->lead * b[j * n + i];
        status = rico_iteration_solve(iteration->mass, 1, b + j * n, x + j * n);
        rico_assembly_multiply(iteration->assembly, iteration->assembly->K, iteration->mix, x + j * n, y);
        memcpy(x + j * n, y, (size_t)n * sizeof *x);
    }
    if (status == RICO_OK) status = rico_iteration_solve(iteration, count, iteration->mass ? x : b, x);
    if (!iteration->mass && iteration->lead != 1.0)
        for (int64_t i = 0; i < count * n; i++) x[i] *= iteration->lead;
    return status;
}


static rico_status allocate(rico_context *ctx, int64_t n, int64_t entries, rico_csc *G, double **f)
{
    *G = (rico_csc){.ctx = ctx, .rows = n, .cols = n};
    G->start = rico_alloc(ctx, n + 1, sizeof *G->start);
    G->row = rico_alloc(ctx, entries, sizeof *G->row);
    G->value = rico_alloc(ctx, entries, sizeof *G->value);
    *f = rico_alloc(ctx, n, sizeof **f);
    if (G->start && G->row && G->value && *f) return RICO_OK;
    rico_csc_destroy(G);
    rico_free(ctx, *f);
    *f = NULL;
    return RICO_NO_MEMORY;
}


// With B = lead M + mix K: S v = B w, M w = H p is the sparse system (M, -M; S - B, B) (v, v - w) = (H p, 0).
rico_status rico_iteration_global(const rico_iteration *iteration, const double *v_free, rico_csc *G,
                                  double **f)
{
    const rico_system *system = iteration->system;
    const rico_csc *pattern = &system->pattern;
    bool twice = iteration->mass != NULL;
    int64_t n = pattern->cols, size = twice ? 2 * n : n, count = rico_csc_count(pattern);
    rico_status status = allocate(iteration->ctx, size, twice ? 4 * count : count, G, f);
    if (status != RICO_OK) return status;

    int64_t at = 0;
    for (int64_t column = 0; column < size; column++) {
        int64_t j = column % n;
        bool second = column >= n;
        for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++) {
            double upper = second ? -iteration->assembly->M[k] : iteration->assembly->M[k];
            G->row[at] = pattern->row[k];
            G->value[at++] = twice ? upper : iteration->value[k] / iteration->lead;
        }
        for (int64_t k = pattern->start[j]; twice && k < pattern->start[j + 1]; k++) {
            double B =
                iteration->lead * iteration->assembly->M[k] + iteration->mix * iteration->assembly->K[k];
            G->row[at] = n + pattern->row[k];
            G->value[at++] = second ? B : iteration->value[k] - B;
        }
        G->start[column + 1] = at;
    }

    // f = G (v_free, 0)
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = G->start[j]; k < G->start[j + 1]; k++) (*f)[G->row[k]] += G->value[k] * v_free[j];
    return RICO_OK;
}
