// Convergence studies: the same motion with several steps, compared with an exact solution or with the finest run.

#include "audit/study.h"
#include "step/simulation.h"

#include <math.h>
#include <string.h>

static void record(const rico_simulation *sim, int64_t step, rico_study_path *to)
{
    double *at = to->point + step * to->width;
    memcpy(at, sim->now.q, (size_t)sim->nq * sizeof *at);
    memcpy(at + sim->nq, sim->now.v, (size_t)sim->nv * sizeof *at);
}


// The path at time t, linear between its points.
static void interpolate(const rico_study_path *along, double t, double *point)
{
    double at = fmin(fmax((t - along->begin) / along->h, 0.0), (double)along->steps), whole = floor(at);
    if (at - whole > 1.0 - 1e-9) whole += 1.0; // a point of both grids, up to round-off
    double part = at - whole < 1e-9 ? 0.0 : at - whole;
    int64_t k = (int64_t)whole;
    const double *left = along->point + k * along->width,
                 *right = k < along->steps ? left + along->width : left;
    for (int64_t i = 0; i < along->width; i++) point[i] = (1.0 - part) * left[i] + part * right[i];
}


static double distance(int64_t n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}


static void add(rico_errors *errors, double h, double error)
{
    errors->uniform = fmax(errors->uniform, error);
    errors->l1 += h * error;
    errors->l2 += h * error * error; // squared until the end of the run
}


// Compares the simulation's state with the reference at its time; `point` is work space.
static rico_status compare(const rico_study *study, const rico_simulation *sim, double h,
                           const rico_study_path *reference, double *point, rico_study_row *row)
{
    double t = *sim->now.t;
    if (!study->exact) {
        interpolate(reference, t, point);
    } else if (!study->exact(study->user, t, point, point + sim->nq)) {
        return rico_fail(sim->ctx, RICO_BAD_INPUT, "the exact solution was refused at t = %.17g", t);
    }
    add(&row->position, h, distance(sim->nq, sim->now.q, point));
    add(&row->velocity, h, distance(sim->nv, sim->now.v, point + sim->nq));
    return RICO_OK;
}


// Steps through the whole duration. Exactly one of `made` (this run is the reference) and errors is wanted.
static rico_status walk(rico_context *ctx, const rico_study *study, rico_simulation *sim,
                        const rico_study_path *reference, rico_study_path *made, rico_study_row *row)
{
    int64_t width = sim->nq + sim->nv;
    double h = row->h, begin = *sim->now.t;
    if (reference && reference->width != width)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the run with h = %g has %lld coordinates, the finest %lld",
                         h, (long long)width, (long long)reference->width);
    double *point = rico_alloc(ctx, made ? (row->steps + 1) * width : width, sizeof *point);
    if (!point) return RICO_NO_MEMORY;
    if (made) {
        *made = (rico_study_path){begin, h, row->steps, width, point};
        record(sim, 0, made);
    }

    rico_status status = RICO_OK;
    for (int64_t k = 0; status == RICO_OK && k < row->steps; k++) {
        status = rico_simulation_step(sim, h);
        if (status == RICO_OK) status = rico_violation_observe(sim, h, &row->violation);
        if (status == RICO_OK && made) record(sim, k + 1, made);
        if (status == RICO_OK && !made) status = compare(study, sim, h, reference, point, row);
    }
    row->position.l2 = sqrt(row->position.l2);
    row->velocity.l2 = sqrt(row->velocity.l2);
    if (!made) rico_free(ctx, point);
    return status;
}


rico_status rico_study_run_one(rico_context *ctx, const rico_study *study, int index,
                               const rico_study_path *reference, rico_study_path *made, rico_study_row *row)
{
    memset(row, 0, sizeof *row);
    double steps = ceil(study->duration / study->h[index] - 1e-9);
    row->steps = steps < 1.0 ? 1 : (int64_t)steps;
    row->h = study->duration / (double)row->steps;
    row->reference = made != NULL;
    rico_simulation *sim = NULL;
    rico_status status = study->create(study->user, row->h, &sim);
    if (status != RICO_OK) return status;
    status = walk(ctx, study, sim, reference, made, row);
    study->destroy(study->user, sim);
    return status;
}


double rico_order_fit(int count, const double *h, const double *error)
{
    double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    int used = 0;
    for (int i = 0; i < count; i++) {
        if (!(error[i] > 0.0)) continue;
        x += log(h[i]);
        y += log(error[i]);
        used++;
    }
    if (used < 2) return NAN;
    x /= used;
    y /= used;
    for (int i = 0; i < count; i++) {
        if (!(error[i] > 0.0)) continue;
        double dx = log(h[i]) - x;
        xx += dx * dx;
        xy += dx * (log(error[i]) - y);
    }
    return xx > 0.0 ? xy / xx : NAN;
}


// The six numbers of a row in the order of the struct that holds them.
static double *errors_of(rico_study_row *row, int which)
{
    double *all[] = {&row->position.uniform, &row->position.l1, &row->position.l2,
                     &row->velocity.uniform, &row->velocity.l1, &row->velocity.l2};
    return all[which];
}


rico_status rico_study_fit(rico_context *ctx, int count, rico_study_row *rows, rico_orders *orders)
{
    double *h = rico_alloc(ctx, 2 * count, sizeof *h);
    if (!h) return RICO_NO_MEMORY;
    double *error = h + count;
    double *out[] = {&orders->position.uniform, &orders->position.l1, &orders->position.l2,
                     &orders->velocity.uniform, &orders->velocity.l1, &orders->velocity.l2};
    for (int which = 0; which < 6; which++) {
        for (int i = 0; i < count; i++) {
            h[i] = rows[i].h;
            error[i] = *errors_of(&rows[i], which); // 0 in the reference, which drops it
        }
        *out[which] = rico_order_fit(count, h, error);
    }
    rico_free(ctx, h);
    return RICO_OK;
}


rico_status rico_study_check(rico_context *ctx, const rico_study *study, int *finest)
{
    *finest = 0;
    if (study->count < 1) return rico_fail(ctx, RICO_BAD_ARGUMENT, "a study needs at least one step");
    if (!(study->duration > 0.0) || !isfinite(study->duration))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the duration %g of a study must be positive",
                         study->duration);
    for (int i = 0; i < study->count; i++) {
        if (!(study->h[i] > 0.0) || !isfinite(study->h[i]))
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "the step h = %g of a study must be positive",
                             study->h[i]);
        if (study->h[i] < study->h[*finest]) *finest = i;
    }
    return RICO_OK;
}


rico_status rico_study_run(rico_context *ctx, const rico_study *study, rico_study_row *rows,
                           rico_orders *orders)
{
    int finest;
    rico_study_path reference = {0};
    rico_status status = rico_study_check(ctx, study, &finest);
    if (status == RICO_OK && !study->exact)
        status = rico_study_run_one(ctx, study, finest, NULL, &reference, &rows[finest]);
    for (int i = 0; status == RICO_OK && i < study->count; i++)
        if (study->exact || i != finest)
            status = rico_study_run_one(ctx, study, i, study->exact ? NULL : &reference, NULL, &rows[i]);
    rico_free(ctx, reference.point);
    if (status == RICO_OK) status = rico_study_fit(ctx, study->count, rows, orders);
    return status;
}
