// Prediction and correction over many contacts: Uzawa's iteration on r = P(r + rho d(-u)), u = free + W r (de Saxce 2018, eq. 29-31).
//
// Nothing says what rho may be beyond "positive, in a suitable range". With W symmetric and g held, r -> r + rho d(-u) is a step along a
// gradient, short enough below 2 over the largest eigenvalue of W Q^2: the rule takes half of that. g moves, and where the changes of r grow all the same, or
// have no new least for long (a cycle), rho is halved and r goes back to where they were least.

#include "law/bipotential.h"

#include "base/context.h"
#include "la/csc.h"
#include "la/dense.h"

#include <string.h>

enum { POWERS = 60, PATIENCE = 20, STALE = 200 };
static const double GROWN = 10.0; // changes above so many times the least of them have grown

typedef struct uzawa {
    rico_context *ctx;
    const rico_uzawa_system *system;
    int64_t rows;
    rico_csc W;
    double *r, *u, *next, *last,
        *best; // iterate, velocities there, its image, the iterate of before, the best
} uzawa;


static void release(uzawa *z)
{
    rico_csc_destroy(&z->W);
    rico_free(z->ctx, z->last);
    rico_free(z->ctx, z->next);
    rico_free(z->ctx, z->best);
}


static void velocities(const uzawa *z, const double *r, const double *free, double *u)
{
    if (free)
        memcpy(u, free, (size_t)z->rows * sizeof *u);
    else
        memset(u, 0, (size_t)z->rows * sizeof *u);
    for (int64_t j = 0; j < z->rows; j++)
        for (int64_t k = z->W.start[j]; k < z->W.start[j + 1]; k++) u[z->W.row[k]] += z->W.value[k] * r[j];
}


// |W|_2 by powers of W'W, from a vector with a part in every direction that is likely to matter.
static double norm_of(const uzawa *z, double *v, double *w)
{
    double length = 0.0;
    for (int64_t i = 0; i < z->rows; i++) v[i] = 1.0 + 0.5 * (double)((i * 7919) % 13) / 13.0;
    for (int k = 0; k < POWERS; k++) {
        double size = rico_norm(z->rows, v);
        if (!(size > 0.0)) return 0.0;
        for (int64_t i = 0; i < z->rows; i++) v[i] /= size;
        velocities(z, v, NULL, w);
        length = rico_norm(z->rows, w);
        for (int64_t j = 0; j < z->rows; j++) {
            double sum = 0.0;
            for (int64_t i = z->W.start[j]; i < z->W.start[j + 1]; i++) sum += z->W.value[i] * w[z->W.row[i]];
            v[j] = sum;
        }
    }
    return length;
}


static double rule(const uzawa *z)
{
    double heaviest = 1.0, length = norm_of(z, z->next, z->last);
    for (int64_t c = 0; c < z->system->contacts; c++) {
        const rico_bipotential *law = &z->system->law[c];
        const rico_bipotential_kind *kind = rico_bipotential_row(law);
        if (kind->weight) heaviest = fmax(heaviest, kind->weight(law));
    }
    return length > 0.0 ? 1.0 / (length * heaviest) : 1.0;
}


// next = P(r + rho d(-u)), contact by contact.
static void correct(const uzawa *z, double rho, const double *r, const double *u, double *next)
{
    int64_t row = 0;
    for (int64_t c = 0; c < z->system->contacts; c++) {
        const rico_bipotential *law = &z->system->law[c];
        double x[RICO_BIPOTENTIAL_ROWS];
        for (int i = 0; i < law->info->size; i++) x[i] = -u[row + i];
        rico_bipotential_predict(law, rho, x, r + row, next + row);
        rico_bipotential_project(law, next + row);
        row += law->info->size;
    }
}


static double sum_of_gaps(const uzawa *z)
{
    double sum = 0.0;
    int64_t row = 0;
    for (int64_t c = 0; c < z->system->contacts; c++) {
        const rico_bipotential *law = &z->system->law[c];
        double x[RICO_BIPOTENTIAL_ROWS];
        for (int i = 0; i < law->info->size; i++) x[i] = -z->u[row + i];
        sum += rico_bipotential_row(law)->gap(law, x, z->r + row);
        row += law->info->size;
    }
    return sum;
}


static rico_status check(rico_context *ctx, const rico_uzawa_system *system, const rico_uzawa_options *o,
                         int64_t *rows)
{
    rico_status status = RICO_OK;
    *rows = 0;
    for (int64_t c = 0; status == RICO_OK && c < system->contacts; c++) {
        status = rico_bipotential_check(ctx, &system->law[c]);
        *rows += system->law[c].info->size;
    }
    if (status != RICO_OK) return status;
    if (system->W.rows != *rows || system->W.cols != *rows)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "W is %lld x %lld; the laws of %lld contacts have %lld rows",
                         (long long)system->W.rows, (long long)system->W.cols, (long long)system->contacts,
                         (long long)*rows);
    if (!(o->rho >= 0.0) || !isfinite(o->rho) || !(o->tol > 0.0) || o->most < 1)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "rho %g must be positive (0: the rule), tol %g positive and most %lld at least 1",
                         o->rho, o->tol, (long long)o->most);
    if (!rico_all_finite_long(*rows, system->free))
        return rico_fail(ctx, RICO_BAD_INPUT, "free velocities must be finite");
    return RICO_OK;
}


rico_uzawa_options rico_uzawa_options_default(void)
{
    return (rico_uzawa_options){.tol = 1e-12, .most = 100000};
}


// Where the image of the iterate becomes the next one; with momentum it is carried beyond, unless that points backwards.
static void go_on(uzawa *z, bool momentum, double *t)
{
    double back = 0.0, ahead = 0.5 * (1.0 + sqrt(1.0 + 4.0 * *t * *t));
    for (int64_t i = 0; i < z->rows; i++) back += (z->r[i] - z->next[i]) * (z->next[i] - z->last[i]);
    if (!momentum || back > 0.0) ahead = 1.0;
    double push = ahead > 1.0 ? (*t - 1.0) / ahead : 0.0;
    for (int64_t i = 0; i < z->rows; i++) {
        z->r[i] = z->next[i] + push * (z->next[i] - z->last[i]);
        z->last[i] = z->next[i];
    }
    *t = ahead;
}


static void iterate(uzawa *z, const rico_uzawa_options *o, rico_uzawa_report *report)
{
    size_t bytes = (size_t)z->rows * sizeof *z->r;
    double least = INFINITY, t = 1.0, push = rico_norm(z->rows, z->system->free);
    int64_t since = 0; // a least change
    memcpy(z->last, z->r, bytes);
    while (!report->converged && report->iterations < o->most && !rico_context_interrupted(z->ctx)) {
        velocities(z, z->r, z->system->free, z->u);
        correct(z, report->rho, z->r, z->u, z->next);
        report->iterations++;
        double change = 0.0;
        for (int64_t i = 0; i < z->rows; i++) change = hypot(change, z->next[i] - z->r[i]);
        double size = fmax(rico_norm(z->rows, z->next), report->rho * push);
        report->change = change == 0.0 ? 0.0 : change / size;
        report->converged = report->change <= o->tol;
        since++;
        bool grown = (!(report->change <= GROWN * least) && since > PATIENCE) || since > STALE;
        if (grown && !report->converged && !o->no_halving) {
            report->rho *= 0.5;
            report->halvings++;
            memcpy(z->r, z->best, bytes);
            memcpy(z->last, z->best, bytes);
            least = INFINITY;
            since = 0;
            t = 1.0;
            continue;
        }
        if (report->change < least) {
            least = report->change;
            since = 0;
            memcpy(z->best, z->next, bytes);
        }
        go_on(z, o->momentum && !report->converged, &t);
    }
}


rico_status rico_uzawa_solve(rico_context *ctx, const rico_uzawa_system *system,
                             const rico_uzawa_options *options, double *r, double *u,
                             rico_uzawa_report *report)
{
    uzawa z = {.ctx = ctx, .system = system, .r = r, .u = u};
    rico_status status = check(ctx, system, options, &z.rows);
    if (status != RICO_OK) return status;
    if (!rico_all_finite_long(z.rows, r))
        return rico_fail(ctx, RICO_BAD_INPUT, "the first guess of reactions must be finite");
    status = rico_csc_from_view(ctx, "W", &system->W, &z.W);
    if (status != RICO_OK) return status;
    z.next = rico_alloc(ctx, z.rows, sizeof *z.next);
    z.last = rico_alloc(ctx, z.rows, sizeof *z.last);
    z.best = rico_alloc(ctx, z.rows, sizeof *z.best);
    if (!z.next || !z.last || !z.best) {
        release(&z);
        return RICO_NO_MEMORY;
    }
    memcpy(z.best, r, (size_t)z.rows * sizeof *r);
    *report = (rico_uzawa_report){.rho = options->rho > 0.0 ? options->rho : rule(&z)};
    iterate(&z, options, report);
    if (!report->converged) memcpy(r, z.best, (size_t)z.rows * sizeof *r);
    velocities(&z, r, system->free, u);
    report->gap = sum_of_gaps(&z);
    if (rico_context_interrupted(ctx))
        status = rico_fail(ctx, RICO_INTERRUPTED, "interrupted after %lld iterations",
                           (long long)report->iterations);
    release(&z);
    return status;
}
