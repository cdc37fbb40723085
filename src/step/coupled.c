// Velocities and positions of one iteration at once (Acary 2012, eq. 53-55, signs mended):
//
//     [ y_V ]   [ H'A^-1 H              -h theta H'A^-1 K N G             ] [  p  ]   [ b_V ]
//     [ y_G ] = [ h theta G'A^-1 H      G'N G - h^2 theta^2 G'A^-1 K N G  ] [ tau ] + [ b_G ]
//
// The matrix is not symmetric. Few rows act at once, so it is formed densely and left to the solver that takes anything;
// the problem is made anew for each iteration.

#include "la/dense.h"
#include "problem/problem.h"
#include "step/projection.h"

#include <math.h>
#include <string.h>

struct rico_coupled {
    int64_t capacity; // rows that the arrays hold
    double *X;        // A^-1 H p-columns, then A^-1 K N G tau-columns
    double *Y;        // N G
    double *W, *b, *r;
    rico_block *block;
    rico_solver *solver;
    rico_problem *problem; // that it was last set up on
};


void rico_coupled_destroy(rico_context *ctx, struct rico_coupled *coupled)
{
    if (!coupled) return;
    rico_solver_destroy(coupled->solver);
    rico_problem_destroy(coupled->problem);
    void *all[] = {coupled->X, coupled->Y, coupled->W, coupled->b, coupled->r, coupled->block, coupled};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
}


static rico_status reserve(rico_simulation *sim, struct rico_coupled **out, int64_t rows)
{
    rico_context *ctx = sim->ctx;
    if (*out && rows <= (*out)->capacity) return RICO_OK;
    rico_coupled_destroy(ctx, *out);
    struct rico_coupled *coupled = *out = rico_alloc(ctx, 1, sizeof *coupled);
    if (!coupled) return RICO_NO_MEMORY;
    int64_t n = rows + rows / 2 + 6;
    coupled->X = rico_alloc(ctx, n * sim->nv, sizeof *coupled->X);
    coupled->Y = rico_alloc(ctx, n * sim->nv, sizeof *coupled->Y);
    coupled->W = rico_alloc(ctx, n * n, sizeof *coupled->W);
    coupled->b = rico_alloc(ctx, n, sizeof *coupled->b);
    coupled->r = rico_alloc(ctx, n, sizeof *coupled->r);
    coupled->block = rico_alloc(ctx, n, sizeof *coupled->block);
    if (!coupled->X || !coupled->Y || !coupled->W || !coupled->b || !coupled->r || !coupled->block)
        return RICO_NO_MEMORY;
    rico_status status = rico_solver_create(ctx, "auto", &coupled->solver);
    if (status == RICO_OK) coupled->capacity = n;
    return status;
}


// A column of H with other values on its pattern.
static double gather(const rico_csc *H, const double *value, int64_t row, const double *x)
{
    double sum = 0.0;
    for (int64_t k = H->start[row]; k < H->start[row + 1]; k++) sum += value[k] * x[H->row[k]];
    return sum;
}


static void scatter(const rico_csc *H, const double *value, int64_t row, double *x)
{
    memset(x, 0, (size_t)H->rows * sizeof *x);
    for (int64_t k = H->start[row]; k < H->start[row + 1]; k++) x[H->row[k]] = value[k];
}


// X and Y for the rows that act.
static rico_status columns(rico_simulation *sim, rico_projection *own)
{
    struct rico_coupled *coupled = own->coupled;
    const rico_csc *H = &sim->assembly->H;
    int64_t n = sim->nv, velocities = sim->contacts.rows, positions = own->contacts.rows;
    double *KY = coupled->X + velocities * n;
    for (int64_t i = 0; i < velocities; i++) scatter(H, H->value, sim->contacts.row[i], coupled->X + i * n);
    for (int64_t i = 0; i < positions; i++) scatter(H, own->frame, own->contacts.row[i], coupled->Y + i * n);
    rico_status status = RICO_OK;
    if (positions > 0) status = rico_iteration_solve(&own->metric, positions, coupled->Y, coupled->Y);
    memset(KY, 0, (size_t)(positions * n) * sizeof *KY);
    for (int64_t i = 0; i < positions; i++)
        rico_assembly_multiply(sim->assembly, sim->assembly->K, 1.0, coupled->Y + i * n, KY + i * n);
    if (status == RICO_OK && velocities + positions > 0)
        status = rico_iteration_solve(&sim->iteration, velocities + positions, coupled->X, coupled->X);
    return status;
}


// W with position rows over h and multipliers tau over `unit`, so that all rows are velocities and the two diagonal
// blocks are of one size.
static double fill(rico_simulation *sim, rico_projection *own, double h, double theta)
{
    struct rico_coupled *coupled = own->coupled;
    const rico_csc *H = &sim->assembly->H;
    int64_t n = sim->nv, velocities = sim->contacts.rows, positions = own->contacts.rows;
    int64_t m = velocities + positions;
    double *W = coupled->W, impulses = 0.0, projections = 0.0;
    for (int64_t j = 0; j < m; j++) {
        const double *x = coupled->X + j * n, *y = coupled->Y + (j - velocities) * n;
        bool tau = j >= velocities;
        double *column = W + j * m;
        for (int64_t i = 0; i < velocities; i++) {
            column[i] = gather(H, H->value, sim->contacts.row[i], x) * (tau ? -h * theta : 1.0);
        }
        for (int64_t i = 0; i < positions; i++) {
            int64_t row = own->contacts.row[i];
            double by_velocity = gather(H, own->frame, row, x) * (tau ? -h * theta : 1.0);
            column[velocities + i] = theta * by_velocity + (tau ? gather(H, own->frame, row, y) / h : 0.0);
        }
        if (tau)
            projections += gather(H, own->frame, own->contacts.row[j - velocities], y) / h;
        else
            impulses += column[j];
    }
    double unit = velocities > 0 && positions > 0
                      ? impulses / projections * (double)positions / (double)velocities
                      : 1.0;
    for (int64_t k = velocities * m; k < m * m; k++) W[k] *= unit;
    return unit;
}


static rico_status solve(rico_simulation *sim, rico_projection *own)
{
    struct rico_coupled *coupled = own->coupled;
    rico_context *ctx = sim->ctx;
    int64_t velocities = sim->contacts.count, positions = own->contacts.count;
    int64_t m = sim->contacts.rows + own->contacts.rows;
    memcpy(coupled->block, sim->contacts.block, (size_t)velocities * sizeof *coupled->block);
    memcpy(coupled->block + velocities, own->contacts.block, (size_t)positions * sizeof *coupled->block);
    rico_problem *problem = NULL;
    rico_report report;
    // as far as the solver gets; the residual asked of every contact problem decides
    rico_status status = rico_problem_create_dense(ctx, velocities + positions, coupled->block, m, coupled->W,
                                                   1, m, coupled->b, &problem);
    if (status == RICO_OK) status = rico_solver_set_number(coupled->solver, "tol", 1e-14);
    if (status == RICO_OK) status = rico_solver_setup(coupled->solver, problem);
    rico_problem_destroy(coupled->problem); // the solver holds on to the one it is set up on
    coupled->problem = problem;
    if (status == RICO_OK) status = rico_solver_solve(coupled->solver, coupled->r, NULL, &report);
    sim->contacts.problems++;
    sim->contacts.solver_calls++;
    if (status != RICO_OK || rico_residual_within(&report.residual, rico_step_option(sim, RICO_STEP_TOL)))
        return status;
    return rico_fail(ctx, RICO_SINGULAR,
                     "the coupled problem of %lld rows was not solved (%s, residual %.3g): %s", (long long)m,
                     rico_stop_name(report.stop), report.residual.relative,
                     report.note[0] ? report.note : rico_stop_sentence(report.stop));
}


rico_status rico_coupled_solve(rico_simulation *sim, rico_projection *own, const rico_theta_step *step,
                               double omega, const double *v, double *next)
{
    const rico_csc *H = &sim->assembly->H;
    int64_t n = sim->nv, velocities = sim->contacts.rows, positions = own->contacts.rows;
    double h = step->h, theta = step->theta, *p = sim->next.p, *tau = own->tau, *work = sim->vector.column;
    rico_status status = reserve(sim, &own->coupled, velocities + positions);
    if (status == RICO_OK) status = columns(sim, own);
    if (status != RICO_OK) return status;
    struct rico_coupled *coupled = own->coupled;

    // v without the impulses and without the correction's pull on the springs
    memset(work, 0, (size_t)n * sizeof *work);
    rico_assembly_multiply(sim->assembly, sim->assembly->K, h * theta, own->correction, work);
    status = rico_iteration_solve(&sim->iteration, 1, work, work);
    if (status != RICO_OK) return status;
    rico_axpy(n, 1.0, work, next);

    double unit = fill(sim, own, h, theta), *b = coupled->b, *r = coupled->r;
    for (int64_t i = 0; i < velocities; i++) {
        int64_t row = sim->contacts.row[i];
        b[i] = gather(H, H->value, row, next) + sim->assembly->w[row];
        *sim->next.scale = fmax(*sim->next.scale, fabs(b[i]));
        b[i] += sim->offset[row] / omega;
        r[i] = p[row];
    }
    for (int64_t i = 0; i < n; i++) work[i] = h * theta * (next[i] - v[i]) - own->correction[i];
    for (int64_t i = 0; i < positions; i++) {
        int64_t row = own->contacts.row[i];
        b[velocities + i] = (own->gap[row] + gather(H, own->frame, row, work)) / h;
        r[velocities + i] = tau[row] / unit;
    }
    if (velocities + positions > 0) status = solve(sim, own);
    if (status != RICO_OK) return status;

    memset(p, 0, (size_t)sim->rows * sizeof *p);
    memset(tau, 0, (size_t)sim->rows * sizeof *tau);
    memset(own->trial, 0, (size_t)n * sizeof *own->trial);
    for (int64_t i = 0; i < velocities; i++) {
        p[sim->contacts.row[i]] = r[i];
        rico_axpy(n, r[i], coupled->X + i * n, next);
    }
    for (int64_t i = 0; i < positions; i++) {
        double multiplier = r[velocities + i] * unit;
        tau[own->contacts.row[i]] = multiplier;
        rico_axpy(n, -h * theta * multiplier, coupled->X + (velocities + i) * n, next);
        rico_axpy(n, multiplier, coupled->Y + i * n, own->trial);
    }
    return RICO_OK;
}
