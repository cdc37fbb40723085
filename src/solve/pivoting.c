// Pivoting solvers for contacts without friction or in the plane: lemke, which takes boxes too, and murty; in space,
// lemke-faceted on a cone with facets.
//
// Both work on the dense complementarity problem of problem/lcp.h and end after finitely many pivots: Lemke's path
// on copositive matrices, principal pivoting on P-matrices (regular W, no friction). Small and medium problems only.

#include "la/dense.h"
#include "problem/lcp.h"
#include "solve/lemke.h"
#include "solve/method.h"

#include <math.h>
#include <string.h>

typedef enum pivoting_option { OPTION_SIZE, OPTION_FACETS } pivoting_option;

static const rico_option_info options[] = {
    [OPTION_SIZE] = {"max-size", "unknowns of the dense complementarity problem allowed, read at setup",
                     RICO_INTEGER, 1, 40000, 4000, NULL},
    [OPTION_FACETS] = {"facets", "directions of friction of a contact in space, read at setup", RICO_INTEGER,
                       3, 256, 8, NULL},
};

// block exchanges that may fail to bring the number of wrong signs down before single ones take over
enum { BLOCK_ATTEMPTS = 10 };

// a sign is wrong beyond this part of the largest entry
static const double sign_tolerance = 1e-13;

typedef struct variant {
    bool dictionary; // Lemke's: the method needs the whole dictionary, not only the factors of a basis
    bool faceted;    // takes contacts in space, on a cone with facets
} variant;

typedef struct pivoting {
    rico_lcp *lcp;
    rico_lemke *lemke; // NULL for murty
    double *factor;    // size x size: LU of the basic part of M; the dictionary's own array for lemke
    double *owned;     // the same where it is ours
    int32_t *pivot;
    int64_t *index; // basic unknowns
    bool *basic;    // z_i is basic
    double *z, *w, *rhs;
} pivoting;


static rico_status setup(rico_solver *solver)
{
    rico_context *ctx = solver->ctx;
    const variant *v = solver->method->variant;
    pivoting *work = solver->work = rico_alloc(ctx, 1, sizeof *work);
    if (!work) return RICO_NO_MEMORY;
    int64_t facets = v->faceted ? (int64_t)rico_option(solver, OPTION_FACETS) : 0;
    rico_status status =
        rico_lcp_create(solver->problem, (int64_t)rico_option(solver, OPTION_SIZE), facets, &work->lcp);
    if (status) return status;

    int64_t n = work->lcp->size;
    if (v->dictionary) {
        status = rico_lemke_create(ctx, n, &work->lemke);
        if (status) return status;
        work->factor = work->lemke->T;
    } else {
        work->factor = work->owned = rico_alloc(ctx, n * n, sizeof *work->owned);
    }
    work->pivot = rico_alloc(ctx, n, sizeof *work->pivot);
    work->index = rico_alloc(ctx, n, sizeof *work->index);
    work->basic = rico_alloc(ctx, n, sizeof *work->basic);
    work->z = rico_alloc(ctx, n, sizeof *work->z);
    work->w = rico_alloc(ctx, n, sizeof *work->w);
    work->rhs = rico_alloc(ctx, n, sizeof *work->rhs);
    bool basis = work->factor && work->pivot && work->index && work->basic;
    return basis && work->z && work->w && work->rhs ? RICO_OK : RICO_NO_MEMORY;
}


static rico_status update(rico_solver *solver, bool matrix)
{
    const pivoting *work = solver->work;
    rico_lcp_update(work->lcp, matrix);
    return RICO_OK;
}


static void cleanup(rico_solver *solver)
{
    pivoting *work = solver->work;
    rico_context *ctx = solver->ctx;
    rico_lcp_destroy(work->lcp);
    rico_lemke_destroy(work->lemke);
    rico_free(ctx, work->owned);
    rico_free(ctx, work->pivot);
    rico_free(ctx, work->index);
    rico_free(ctx, work->basic);
    rico_free(ctx, work->z);
    rico_free(ctx, work->w);
    rico_free(ctx, work->rhs);
    rico_free(ctx, work);
}


// w = M z + q, with z zero outside the basic unknowns.
static void residual(const rico_lcp *lcp, int64_t count, const int64_t *index, const double *z, double *w)
{
    memcpy(w, lcp->q, (size_t)lcp->size * sizeof *w);
    for (int64_t k = 0; k < count; k++)
        if (z[index[k]] != 0.0) rico_axpy(lcp->size, z[index[k]], &lcp->M[index[k] * lcp->size], w);
}


// The solution of w_i = 0 for the basic unknowns, the others zero: LU and one refinement. RICO_SINGULAR when there is
// none.
static rico_status solve_basis(rico_context *ctx, pivoting *work)
{
    const rico_lcp *lcp = work->lcp;
    int64_t n = lcp->size, count = 0;
    for (int64_t i = 0; i < n; i++)
        if (work->basic[i]) work->index[count++] = i;
    for (int64_t j = 0; j < count; j++)
        for (int64_t i = 0; i < count; i++)
            work->factor[j * count + i] = lcp->M[work->index[j] * n + work->index[i]];
    rico_status status = rico_dense_lu(ctx, count, work->factor, work->pivot);
    if (status) return status;

    memset(work->z, 0, (size_t)n * sizeof *work->z);
    for (int refinement = 0; refinement < 2; refinement++) {
        residual(lcp, count, work->index, work->z, work->w);
        for (int64_t i = 0; i < count; i++) work->rhs[i] = work->w[work->index[i]];
        rico_dense_lu_solve(count, work->factor, work->pivot, 1, work->rhs);
        for (int64_t i = 0; i < count; i++) work->z[work->index[i]] -= work->rhs[i];
    }
    residual(lcp, count, work->index, work->z, work->w);
    return RICO_OK;
}


// A box far wider than its impulse leaves that impulse as a small difference of large numbers. Which rows are free is known: their
// impulses again, from W itself, with the others at their bounds. Problems with friction are left as they are.
static rico_status polish(rico_context *ctx, const pivoting *work, double *r)
{
    const rico_lcp *lcp = work->lcp;
    const int64_t *place = work->lemke->place + lcp->size;
    int64_t m = lcp->rows, count = 0;
    for (int64_t i = 0; i < lcp->size; i++) {
        if (lcp->from[i] == RICO_LCP_SLIP) return RICO_OK;
        if (lcp->from[i] < 0) continue;
        bool bounded = i + 1 < lcp->size && lcp->from[i + 1] == RICO_LCP_BOUND,
             above = bounded && place[i + 1] >= 0;
        if (place[i] >= 0 && !above)
            work->index[count++] = lcp->from[i];
        else
            r[lcp->row[lcp->from[i]]] =
                lcp->base[lcp->from[i]] + (above ? lcp->q[i + 1] / lcp->scale[i + 1] : 0.0);
    }
    for (int64_t k = 0; k < count; k++) r[lcp->row[work->index[k]]] = 0.0;
    for (int64_t k = 0; k < count; k++) {
        int64_t i = work->index[k];
        work->rhs[k] = -lcp->a[i];
        for (int64_t j = 0; j < lcp->contacts; j++) work->rhs[k] -= lcp->A[j * m + i] * r[lcp->row[j]];
        for (int64_t j = 0; j < count; j++) work->factor[j * count + k] = lcp->A[work->index[j] * m + i];
    }
    rico_status status = rico_dense_lu(ctx, count, work->factor, work->pivot);
    if (status) return status;
    rico_dense_lu_solve(count, work->factor, work->pivot, 1, work->rhs);
    for (int64_t k = 0; k < count; k++) r[lcp->row[work->index[k]]] = work->rhs[k];
    rico_lcp_substitute(lcp, r);
    return RICO_OK;
}


static void stop_at_round_off(rico_run *run)
{
    rico_run_stop(run, RICO_STALLED, "every sign is right, and round-off leaves a residual of %.1e",
                  run->residual.relative);
}


// The problem that was asked is solved: its answer goes out, whatever Coulomb's residual says about it.
static void stop_faceted(rico_run *run, int64_t facets)
{
    rico_solver *solver = run->solver;
    memcpy(solver->best, run->r, (size_t)solver->problem->rows * sizeof *run->r);
    run->best_residual = run->residual;
    rico_run_stop(run, RICO_STALLED, "solved the cones with %lld facets, the Coulomb residual is %.1e",
                  (long long)facets, run->residual.relative);
}


// The starting point is of no use to Lemke's path, which begins where z = 0.
static rico_status solve_lemke(rico_solver *solver, rico_run *run)
{
    pivoting *work = solver->work;
    const rico_lcp *lcp = work->lcp;
    rico_lemke *lemke = work->lemke;
    double reach;
    switch (rico_lemke_solve(lemke, lcp->M, lcp->q, work->z, run)) {
    case RICO_LEMKE_CUT:
        return RICO_OK;
    case RICO_LEMKE_RAY:
        if (!rico_lemke_ray_is_proof(lemke, lcp->M, lcp->q, &reach))
            rico_run_stop(run, RICO_BREAKDOWN, "secondary ray after %lld pivots: it proves nothing here",
                          (long long)lemke->pivots);
        else if (isinf(reach))
            rico_run_stop(run, RICO_NO_SOLUTION, "a ray after %lld pivots proves it",
                          (long long)lemke->pivots);
        else
            rico_run_stop(run, RICO_NO_SOLUTION,
                          "a ray after %lld pivots proves it, for impulses up to %.0e times what q suggests",
                          (long long)lemke->pivots, reach);
        run->iterations = lemke->pivots;
        return RICO_OK;
    case RICO_LEMKE_SOLVED:
        break;
    }

    int64_t pivots = lemke->pivots;
    bool boxed = false;
    for (int64_t i = 0; i < lcp->size; i++) boxed |= lcp->from[i] == RICO_LCP_BOUND;
    rico_lcp_impulse(lcp, work->z, run->r);
    rico_status status = boxed ? polish(solver->ctx, work, run->r) : RICO_OK;
    if (status == RICO_SINGULAR) rico_lcp_impulse(lcp, work->z, run->r);
    if (status && status != RICO_SINGULAR) return status;
    if (rico_run_check(run, pivots)) return RICO_OK;

    // hundreds of pivots leave their mark on the dictionary: the last basis once more, from M itself
    for (int64_t i = 0; i < lcp->size; i++) work->basic[i] = lemke->place[lcp->size + i] >= 0;
    status = solve_basis(solver->ctx, work);
    if (status && status != RICO_SINGULAR) return status;
    if (!status) {
        rico_lcp_impulse(lcp, work->z, run->r);
        if (rico_run_check(run, pivots)) return RICO_OK;
    }
    if (lcp->facets > 0)
        stop_faceted(run, lcp->facets);
    else
        stop_at_round_off(run);
    return RICO_OK;
}


// Exchanges the unknowns whose sign is wrong: all of them, or the last alone. Returns how many were wrong.
static int64_t exchange(pivoting *work, bool all)
{
    int64_t n = work->lcp->size, wrong = 0;
    double z_least = -sign_tolerance * rico_norm_inf(n, work->z);
    double w_least = -sign_tolerance * fmax(rico_norm_inf(n, work->w), rico_norm_inf(n, work->lcp->q));
    for (int64_t i = n - 1; i >= 0; i--) {
        if (work->basic[i] ? !(work->z[i] < z_least) : !(work->w[i] < w_least)) continue;
        if (all || wrong == 0) work->basic[i] = !work->basic[i];
        wrong++;
    }
    return wrong;
}


// Block principal pivoting (Judice, Pires 1994): every unknown with a wrong sign changes sides at once, and where that
// does not bring their number down, Murty's rule of the last index takes over until it does: finite on P-matrices.
static rico_status solve_murty(rico_solver *solver, rico_run *run)
{
    pivoting *work = solver->work;
    const rico_lcp *lcp = work->lcp;
    rico_lcp_guess(lcp, run->r, run->u, work->z);
    for (int64_t i = 0; i < lcp->size; i++) work->basic[i] = work->z[i] > 0.0;

    int64_t fewest = INT64_MAX;
    int attempts = BLOCK_ATTEMPTS;
    bool all = true;
    for (int64_t k = 1;; k++) {
        rico_status status = solve_basis(solver->ctx, work);
        if (status == RICO_SINGULAR) {
            rico_run_stop(run, RICO_BREAKDOWN, "a principal submatrix is singular: W is no P-matrix");
            return RICO_OK;
        }
        if (status) return status;
        rico_lcp_impulse(lcp, work->z, run->r);
        if (rico_run_check(run, k)) return RICO_OK;

        int64_t wrong = exchange(work, all);
        if (wrong == 0) {
            stop_at_round_off(run);
            return RICO_OK;
        }
        if (wrong < fewest) {
            fewest = wrong;
            attempts = BLOCK_ATTEMPTS;
        } else if (attempts > 0) {
            attempts--;
        }
        all = attempts > 0;
    }
}


#define TAKES (RICO_TAKES_REDUCED | RICO_TAKES_EQUALITY | RICO_TAKES_UNILATERAL | RICO_TAKES_FRICTIONLESS)

const rico_method rico_pivoting_methods[] = {
    {
        .info = {.name = "lemke",
                 .family = "complementarity",
                 .summary = "complementary pivoting, dense; without friction or in the plane, and boxes",
                 .reference = "Lemke 1965; Cottle, Pang, Stone 1992, section 4.4; Anitescu, Potra 1997",
                 .takes = TAKES | RICO_TAKES_COULOMB_2D | RICO_TAKES_BOX | RICO_TAKES_UNSYMMETRIC,
                 .option_count = OPTION_FACETS,
                 .options = options},
        .setup = setup,
        .update = update,
        .solve = solve_lemke,
        .cleanup = cleanup,
        .variant = &(const variant){.dictionary = true},
    },
    {
        .info = {.name = "lemke-faceted",
                 .family = "complementarity",
                 .summary = "complementary pivoting, dense; friction in space on a cone with facets",
                 .reference = "Stewart, Trinkle 1996; Anitescu, Potra 1997; Haslinger, Kucera, Dostal 2004",
                 .takes = TAKES | RICO_TAKES_COULOMB_2D | RICO_TAKES_COULOMB_3D | RICO_TAKES_BOX |
                          RICO_TAKES_UNSYMMETRIC,
                 .option_count = OPTION_FACETS + 1,
                 .options = options},
        .setup = setup,
        .update = update,
        .solve = solve_lemke,
        .cleanup = cleanup,
        .variant = &(const variant){.dictionary = true, .faceted = true},
    },
    {
        .info = {.name = "murty",
                 .family = "complementarity",
                 .summary = "block principal pivoting, dense; without friction, W regular",
                 .reference = "Murty 1974; Judice, Pires 1994",
                 .takes = TAKES | RICO_TAKES_UNSYMMETRIC,
                 .option_count = OPTION_FACETS,
                 .options = options},
        .setup = setup,
        .update = update,
        .solve = solve_murty,
        .cleanup = cleanup,
        .variant = &(const variant){.dictionary = false},
    },
};
const int rico_pivoting_count = sizeof rico_pivoting_methods / sizeof rico_pivoting_methods[0];
