// How the rows of a joint or contact by formulas turn: exact second and third derivatives, as programs (model/turning.h).
//
// Variables are t, the positions q that the formulas read, as many velocities v and accelerations a, and a force for each
// row: gamma, its derivatives and d(G'force)/dq are terms of them.

#include "scene/scene_turning.h"

#include <string.h>

typedef struct derivation {
    rico_scene_constraint *constraint;
    rico_graph *graph;
    int64_t n, rows;
    rico_term *gamma, *Dv, *Da, *Cv; // what the program of all tangents gives, one after the other
    rico_term *G, *bend;             // rows; n x n entries of L
} derivation;


static rico_term sum_product(derivation *d, rico_term sum, rico_term a, rico_term b)
{
    rico_term product = rico_graph_apply(d->graph, RICO_DO_MULTIPLY, a, b);
    return rico_graph_apply(d->graph, RICO_DO_ADD, sum, product);
}


static rico_term velocity(derivation *d, int64_t k)
{
    return rico_graph_variable(d->graph, 1 + d->n + k);
}


static rico_term acceleration(derivation *d, int64_t k)
{
    return rico_graph_variable(d->graph, 1 + 2 * d->n + k);
}


// out[i] = d term / d variable(first + i), i = 0 ... n - 1.
static void gradient(derivation *d, rico_term term, int64_t first, rico_term *out)
{
    int64_t count;
    const int64_t *slot;
    const rico_term *slope;
    rico_graph_gradient(d->graph, term, first, first + d->n - 1, &count, &slot, &slope);
    for (int64_t k = 0; k < count; k++) out[slot[k] - first] = slope[k];
}


// G and w, u = G v + w, gamma = du/dt at fixed v, and their derivatives.
static void take_row(derivation *d, int64_t j)
{
    int64_t n = d->n, count;
    const int64_t *slot;
    const rico_term *slope;
    rico_term *G = d->G + j * n, *Dv = d->Dv + j * n;
    rico_term value = rico_graph_formula(d->graph, d->constraint->formula[j], d->constraint->scene->map);
    rico_graph_gradient(d->graph, value, 0, n, &count, &slot, &slope);
    rico_term u = RICO_TERM_ZERO;
    for (int64_t k = 0; k < count; k++)
        if (slot[k] == 0)
            u = slope[k];
        else
            G[slot[k] - 1] = slope[k];
    for (int64_t k = 0; k < n; k++) u = sum_product(d, u, G[k], velocity(d, k));

    rico_term gamma = RICO_TERM_ZERO;
    rico_graph_gradient(d->graph, u, 0, n, &count, &slot, &slope);
    for (int64_t k = 0; k < count; k++)
        if (slot[k] == 0)
            gamma = slope[k];
        else
            Dv[slot[k] - 1] = slope[k];
    for (int64_t k = 0; k < n; k++) gamma = sum_product(d, gamma, Dv[k], velocity(d, k));
    d->gamma[j] = gamma;
    gradient(d, gamma, 1 + n, d->Cv + j * n);
    rico_term whole = gamma;
    for (int64_t k = 0; k < n; k++) whole = sum_product(d, whole, G[k], acceleration(d, k));
    gradient(d, whole, 1, d->Da + j * n);
}


// L = d(G'force)/dq, column by column as turning.h has it.
static void take_bend(derivation *d)
{
    int64_t n = d->n;
    for (int64_t k = 0; k < n; k++) {
        rico_term share = RICO_TERM_ZERO;
        for (int64_t j = 0; j < d->rows; j++)
            share = sum_product(d, share, d->G[k + j * n], rico_graph_variable(d->graph, 1 + 3 * n + j));
        int64_t count;
        const int64_t *slot;
        const rico_term *slope;
        rico_graph_gradient(d->graph, share, 1, n, &count, &slot, &slope);
        for (int64_t i = 0; i < count; i++) d->bend[k + (slot[i] - 1) * n] = slope[i];
    }
}


rico_status rico_scene_make_turning(rico_scene_constraint *constraint)
{
    rico_context *ctx = constraint->scene->ctx;
    int64_t n = constraint->dof_count, rows = constraint->count, block = n * rows;
    int64_t total = rows + 4 * block + n * n;
    derivation d = {.constraint = constraint, .n = n, .rows = rows};
    rico_term *term = rico_alloc(ctx, total, sizeof *term);
    rico_status status = term ? rico_graph_create(ctx, 1 + 3 * n + rows, &d.graph) : RICO_NO_MEMORY;
    if (status == RICO_OK) {
        memset(term, 0, (size_t)total * sizeof *term); // RICO_TERM_ZERO
        d.gamma = term;
        d.Dv = term + rows;
        d.Da = d.Dv + block;
        d.Cv = d.Da + block;
        d.G = d.Cv + block;
        d.bend = d.G + block;
        for (int64_t j = 0; j < rows; j++) take_row(&d, j);
        take_bend(&d);
        status = rico_program_create(d.graph, rows, d.gamma, &constraint->drift);
        if (status == RICO_OK)
            status = rico_program_create(d.graph, rows + 3 * block, d.gamma, &constraint->turn);
        if (status == RICO_OK) status = rico_program_create(d.graph, n * n, d.bend, &constraint->bend);
    }
    rico_graph_destroy(d.graph);
    rico_free(ctx, term);
    return status;
}


// --- what the model asks -----------------------------------------------------------------------------------------

static void set_state(const rico_scene_constraint *constraint, double *x, double t, const double *q)
{
    x[0] = t;
    for (int64_t i = 0; i < constraint->dof_count; i++) x[1 + i] = q[constraint->slot[i] - 1];
}


static int64_t take(const rico_program *program, const double *x, int64_t first, int64_t count, double *out)
{
    for (int64_t k = 0; k < count; k++) out[k] = rico_program_output(program, x, first + k);
    return first + count;
}


bool rico_scene_rows_turn(const rico_constraint *bound, rico_assembly *assembly, double *scratch, double t,
                          const double *q, const rico_turning *turning)
{
    (void)assembly;
    const rico_scene_constraint *constraint = bound->data;
    bool all = turning->Dv != NULL;
    const rico_program *program = all ? constraint->turn : constraint->drift;
    double *x = scratch + (all ? constraint->turn_at : constraint->drift_at);
    int64_t n = constraint->dof_count, block = n * constraint->count;
    set_state(constraint, x, t, q);
    for (int64_t k = 0; k < n; k++) {
        x[1 + n + k] = turning->v[k];
        x[1 + 2 * n + k] = all ? turning->a[k] : 0.0;
    }
    rico_program_run(program, x);
    int64_t at = take(program, x, 0, constraint->count, turning->gamma);
    if (!all) return true;
    at = take(program, x, at, block, turning->Dv);
    at = take(program, x, at, block, turning->Da);
    take(program, x, at, block, turning->Cv);
    return true;
}


bool rico_scene_rows_bend(const rico_constraint *bound, rico_assembly *assembly, double *scratch, double t,
                          const double *q, const double *force, double *L)
{
    (void)assembly;
    const rico_scene_constraint *constraint = bound->data;
    int64_t n = constraint->dof_count;
    double *x = scratch + constraint->bend_at;
    set_state(constraint, x, t, q);
    for (int64_t j = 0; j < constraint->count; j++) x[1 + 3 * n + j] = force[j];
    rico_program_run(constraint->bend, x);
    take(constraint->bend, x, 0, n * n, L);
    return true;
}
