// The equations of an orbit and Newton's method on them.
//
// Unknowns: for each piece where it begins, in changes by velocities, and how long it lasts; then the period, the parameter and the
// unfolding. Equations: each piece joins the next; each ends at its event, parts of a piece keep their ratio, all of them last a period;
//
//     driven: T = T(parameter)             else: the start moves across the motion, not along it   (phase)
//     unfolding = 0                        conservative: the period is given, the unfolding finds itself to be 0
//     the parameter is given               or: a step along the branch (pseudo-arclength; Keller 1977)
//
// Unfolding: Munoz-Almaraz, Freire, Galan, Doedel and Vanderbauwhede 2003. All in sizes of the motion.

#include "orbit/orbit.h"

#include "la/dense.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { PERIOD, VALUE, UNFOLDING, GLOBALS }; // the last unknowns
static const double SHORTEST = 1.0 / 256.0; // step of the line search
static const double ROUND_OFF = 1e-12;      // left-hand sides that count as zero

typedef struct equations {
    rico_orbits *orbits;
    rico_orbit *orbit;
    const rico_orbit_along *along;
    const rico_orbit *reference; // where the solve began: phase, given values
    double *phase;               // 2 nv: the motion there, over squares of sizes
    int64_t count;
    double *A, *r;
    bool value; // the parameter is an unknown
} equations;


int64_t rico_orbit_unknowns(const rico_orbit *orbit)
{
    return orbit->count * (2 * orbit->nv + 1) + GLOBALS;
}


// The size of an unknown.
static double size_of(const rico_orbits *orbits, const rico_orbit *orbit, int64_t unknown)
{
    int64_t block = 2 * orbit->nv + 1, globals = orbit->count * block;
    double value = orbits->span > 0.0 ? orbits->span : fmax(1.0, fabs(orbit->value));
    if (unknown < globals)
        return unknown % block < 2 * orbit->nv ? orbit->scale[unknown % block] : orbit->period;
    unknown -= globals;
    return unknown == PERIOD ? orbit->period : unknown == VALUE ? value : 2.0 * acos(-1.0) / orbit->period;
}


// b - a in velocities, positions and velocities together.
static rico_status difference(rico_orbits *orbits, const rico_orbit *orbit, double t, const double *a,
                              const double *b, const double *shift, double *out)
{
    int64_t nq = orbit->nq, nv = orbit->nv;
    double *dq = rico_alloc(orbits->ctx, nq, sizeof *dq);
    if (!dq) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < nq; i++) dq[i] = b[i] - a[i] - (shift ? shift[i] : 0.0);
    rico_status status = rico_segment_tangent(orbits->sim[0], t, a, dq, out);
    for (int64_t i = 0; i < nv; i++) out[nv + i] = b[nq + i] - a[nq + i];
    rico_free(orbits->ctx, dq);
    return status;
}


static bool is_free(const rico_orbits *orbits, int64_t i)
{
    return orbits->options.free && i < orbits->nv && orbits->options.free[i];
}


// ---- the left-hand sides ----------------------------------------------------------------------------------------

static rico_status join(const equations *of, const rico_orbit_slope *slopes, int64_t i)
{
    const rico_orbit *orbit = of->orbit;
    int64_t n = 2 * orbit->nv, next = (i + 1) % orbit->count;
    bool last = i == orbit->count - 1;
    double *r = of->r + i * (n + 1), t = rico_orbit_piece_time(orbit, i) + orbit->piece[i].s;
    rico_status status = difference(of->orbits, orbit, t, orbit->piece[next].x, slopes[i].end,
                                    last ? of->orbits->options.shift : NULL, r);
    for (int64_t k = 0; last && k < orbit->nv; k++)
        if (is_free(of->orbits, k)) r[k] = orbit->piece[0].x[k] - of->reference->piece[0].x[k];
    return status;
}


// Parts of one piece keep the ratio of their lengths.
static double ratio(const equations *of, int64_t i)
{
    return of->reference->piece[i].s / of->reference->piece[i + 1].s;
}


static double time_row(const equations *of, const rico_orbit_slope *slopes, int64_t i)
{
    const rico_orbit *orbit = of->orbit;
    double total = 0.0;
    if (orbit->piece[i].segment.contact >= 0) return slopes[i].value;
    if (i < orbit->count - 1) return orbit->piece[i].s - ratio(of, i) * orbit->piece[i + 1].s;
    for (int64_t k = 0; k < orbit->count; k++) total += orbit->piece[k].s;
    return total - orbit->period;
}


// How far along the tangent from where the step began.
static rico_status way(const equations *of, double *out)
{
    const rico_orbit *orbit = of->orbit, *from = of->along->from;
    int64_t n = 2 * orbit->nv, globals = orbit->count * (n + 1);
    const double *tangent = of->along->tangent;
    double *d = rico_alloc(of->orbits->ctx, n, sizeof *d);
    rico_status status = d ? RICO_OK : RICO_NO_MEMORY;
    *out = 0.0;
    for (int64_t i = 0; status == RICO_OK && i < orbit->count; i++) {
        status = difference(of->orbits, orbit, rico_orbit_piece_time(orbit, i), from->piece[i].x,
                            orbit->piece[i].x, NULL, d);
        for (int64_t k = 0; k < n; k++) *out += tangent[i * (n + 1) + k] * d[k] / orbit->scale[k];
        *out += tangent[i * (n + 1) + n] * (orbit->piece[i].s - from->piece[i].s) / orbit->period;
    }
    double global[GLOBALS] = {orbit->period - from->period, orbit->value - from->value,
                              orbit->unfolding - from->unfolding};
    for (int64_t k = 0; k < GLOBALS; k++)
        *out += tangent[globals + k] * global[k] / size_of(of->orbits, orbit, globals + k);
    rico_free(of->orbits->ctx, d);
    return status;
}


static rico_status globals_residual(const equations *of)
{
    const rico_orbit *orbit = of->orbit, *reference = of->reference;
    int64_t n = 2 * orbit->nv;
    double *r = of->r + orbit->count * (n + 1), period = 0.0;
    rico_status status = RICO_OK;
    if (rico_orbits_driven(of->orbits)) {
        status = rico_orbits_period(of->orbits, orbit->value, &period);
        r[0] = orbit->period - period;
    } else {
        double *d = rico_alloc(of->orbits->ctx, n, sizeof *d);
        if (!d) return RICO_NO_MEMORY;
        status = difference(of->orbits, orbit, orbit->t, reference->piece[0].x, orbit->piece[0].x, NULL, d);
        r[0] = rico_dot(n, of->phase, d);
        rico_free(of->orbits->ctx, d);
    }
    bool over_period = of->orbits->options.over_period;
    r[1] = !orbit->conservative ? orbit->unfolding
           : over_period        ? orbit->value - reference->value
                                : orbit->period - reference->period;
    r[2] = over_period ? orbit->period - reference->period : orbit->value - reference->value;
    if (status != RICO_OK || !of->along) return status;
    status = way(of, &r[2]);
    r[2] -= of->along->reach;
    return status;
}


static rico_status residual(const equations *of, const rico_orbit_slope *slopes)
{
    const rico_orbit *orbit = of->orbit;
    int64_t n = 2 * orbit->nv;
    rico_status status = RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i < orbit->count; i++) {
        status = join(of, slopes, i);
        of->r[i * (n + 1) + n] = time_row(of, slopes, i);
    }
    return status == RICO_OK ? globals_residual(of) : status;
}


// Largest of the left-hand sides in sizes of the motion; events by how much earlier or later they would have to be.
static double merit(const equations *of, const rico_orbit_slope *slopes)
{
    const rico_orbit *orbit = of->orbit;
    int64_t n = 2 * orbit->nv, globals = orbit->count * (n + 1);
    double worst = 0.0;
    for (int64_t i = 0; i < orbit->count; i++) {
        const double *r = of->r + i * (n + 1);
        for (int64_t k = 0; k < n; k++) worst = fmax(worst, fabs(r[k]) / orbit->scale[k]);
        double size = orbit->period;
        if (orbit->piece[i].segment.contact >= 0) size *= fabs(slopes[i].event[n + RICO_BY_DURATION]);
        worst = fmax(worst, size > 0.0 ? fabs(r[n]) / size : fabs(r[n]) > 0.0 ? INFINITY : 0.0);
    }
    for (int64_t k = 0; k < GLOBALS; k++)
        worst = fmax(worst, fabs(of->r[globals + k]) /
                                (k == 0 && rico_orbits_driven(of->orbits) ? orbit->period : 1.0));
    for (int64_t k = 0; k < of->count; k++)
        if (isnan(of->r[k])) return INFINITY;
    return worst;
}


// ---- the matrix ---------------------------------------------------------------------------------------------------

static double *entry(const equations *of, int64_t row, int64_t column)
{
    return of->A + row + column * of->count;
}


// Piece i: its end by where it begins, when, how long it lasts.
static void piece_rows(const equations *of, const rico_orbit_slope *slope, int64_t i)
{
    const rico_orbit *orbit = of->orbit;
    int64_t n = 2 * orbit->nv, block = n + 1, row = i * block, globals = orbit->count * block;
    int64_t next = (i + 1) % orbit->count;
    bool last = i == orbit->count - 1;
    for (int64_t k = 0; k < n; k++) {
        if (last && is_free(of->orbits, k)) {
            *entry(of, row + k, k) += 1.0;
            continue;
        }
        for (int64_t j = 0; j < n; j++) *entry(of, row + k, i * block + j) += slope->state[j * n + k];
        *entry(of, row + k, i * block + n) += slope->state[(n + RICO_BY_DURATION) * n + k];
        for (int64_t j = 0; j < i; j++) // it begins later where pieces before it last longer
            *entry(of, row + k, j * block + n) += slope->state[(n + RICO_BY_TIME) * n + k];
        if (rico_orbits_driven(of->orbits)) // and where the driving does
            *entry(of, row + k, globals + PERIOD) += orbit->phase * slope->state[(n + RICO_BY_TIME) * n + k];
        *entry(of, row + k, globals + VALUE) += slope->state[(n + RICO_BY_VALUE) * n + k];
        *entry(of, row + k, globals + UNFOLDING) += slope->state[(n + RICO_BY_UNFOLDING) * n + k];
        *entry(of, row + k, next * block + k) -= 1.0;
    }
}


// When it ends.
static void time_entries(const equations *of, const rico_orbit_slope *slope, int64_t i)
{
    const rico_orbit *orbit = of->orbit;
    int64_t n = 2 * orbit->nv, block = n + 1, row = i * block + n, globals = orbit->count * block;
    if (orbit->piece[i].segment.contact >= 0) {
        double later = slope->event[n + RICO_BY_TIME];
        for (int64_t j = 0; j < n; j++) *entry(of, row, i * block + j) = slope->event[j];
        *entry(of, row, i * block + n) = slope->event[n + RICO_BY_DURATION];
        for (int64_t j = 0; j < i; j++) *entry(of, row, j * block + n) = later;
        if (rico_orbits_driven(of->orbits)) *entry(of, row, globals + PERIOD) = orbit->phase * later;
        *entry(of, row, globals + VALUE) = slope->event[n + RICO_BY_VALUE];
        *entry(of, row, globals + UNFOLDING) = slope->event[n + RICO_BY_UNFOLDING];
    } else if (i < orbit->count - 1) {
        *entry(of, row, i * block + n) = 1.0;
        *entry(of, row, (i + 1) * block + n) = -ratio(of, i);
    } else {
        for (int64_t j = 0; j < orbit->count; j++) *entry(of, row, j * block + n) = 1.0;
        *entry(of, row, globals + PERIOD) = -1.0;
    }
}


static rico_status global_rows(const equations *of)
{
    const rico_orbit *orbit = of->orbit;
    int64_t n = 2 * orbit->nv, globals = orbit->count * (n + 1);
    rico_status status = RICO_OK;
    if (rico_orbits_driven(of->orbits)) {
        double below = 0.0, above = 0.0, h = of->orbits->stride;
        *entry(of, globals, globals + PERIOD) = 1.0;
        if (of->value) {
            status = rico_orbits_period(of->orbits, orbit->value - h, &below);
            if (status == RICO_OK) status = rico_orbits_period(of->orbits, orbit->value + h, &above);
            *entry(of, globals, globals + VALUE) = -(above - below) / (2.0 * h);
        }
    } else {
        for (int64_t k = 0; k < n; k++) *entry(of, globals, k) = of->phase[k];
    }
    bool over_period = of->orbits->options.over_period;
    *entry(of, globals + 1,
           globals + (!orbit->conservative ? UNFOLDING
                      : over_period        ? VALUE
                                           : PERIOD)) = 1.0;
    if (!of->along)
        *entry(of, globals + 2, globals + (over_period ? PERIOD : VALUE)) = 1.0;
    else
        for (int64_t j = 0; j < of->count; j++)
            *entry(of, globals + 2, j) = of->along->tangent[j] / size_of(of->orbits, orbit, j);
    return status;
}


// A with columns in sizes of the unknowns.
static rico_status matrix(const equations *of, const rico_orbit_slope *slopes)
{
    memset(of->A, 0, (size_t)(of->count * of->count) * sizeof *of->A);
    for (int64_t i = 0; i < of->orbit->count; i++) {
        piece_rows(of, &slopes[i], i);
        time_entries(of, &slopes[i], i);
    }
    rico_status status = global_rows(of);
    for (int64_t j = 0; j < of->count; j++) {
        double size = size_of(of->orbits, of->orbit, j);
        for (int64_t i = 0; i < of->count; i++) *entry(of, i, j) *= size;
    }
    return status;
}


static rico_status singular(const equations *of)
{
    return rico_fail(
        of->orbits->ctx, RICO_SINGULAR,
        "the equations of the orbit are singular at the value %.10g and the period %.10g: two branches meet "
        "there, or orbits come in families (a conservative system, or a position that may be anywhere and "
        "should be "
        "left free)",
        of->orbit->value, of->orbit->period);
}


// A x = b, in place of b; A is destroyed.
static rico_status solve_linear(const equations *of, double *b)
{
    lapack_int n = (lapack_int)of->count;
    lapack_int *pivot = rico_alloc(of->orbits->ctx, n, sizeof *pivot);
    if (!pivot) return RICO_NO_MEMORY;
    // rows in like sizes, so that pivots compare
    for (int64_t i = 0; i < n; i++) {
        double largest = 0.0;
        for (int64_t j = 0; j < n; j++) largest = fmax(largest, fabs(*entry(of, i, j)));
        if (!(largest > 0.0) || !isfinite(largest)) {
            rico_free(of->orbits->ctx, pivot);
            return singular(of);
        }
        for (int64_t j = 0; j < n; j++) *entry(of, i, j) /= largest;
        b[i] /= largest;
    }
    lapack_int info = LAPACKE_dgesv(LAPACK_COL_MAJOR, n, 1, of->A, n, pivot, b, n);
    double smallest = INFINITY;
    for (int64_t i = 0; i < n; i++) smallest = fmin(smallest, fabs(*entry(of, i, i)));
    rico_free(of->orbits->ctx, pivot);
    return info == 0 && smallest > 1e-14 ? RICO_OK : singular(of);
}


// ---- moving ---------------------------------------------------------------------------------------------------------

static rico_status members(rico_orbits *orbits, const rico_orbit *orbit, bool wide)
{
    return rico_orbits_at(orbits, orbit->value, wide, orbit->t, orbit->piece[0].x,
                          orbit->piece[0].x + orbit->nq);
}


// orbit = from + step * change, both of the same pieces; change in sizes of the unknowns.
static rico_status move(rico_orbits *orbits, const rico_orbit *from, const double *change, double step,
                        rico_orbit *orbit)
{
    int64_t nq = from->nq, nv = from->nv, n = 2 * nv, globals = from->count * (n + 1);
    double *dv = rico_alloc(orbits->ctx, nv, sizeof *dv);
    rico_status status = dv ? RICO_OK : RICO_NO_MEMORY;
    if (status == RICO_OK && !orbits->made)
        status = members(orbits, from, false); // a value was refused before
    for (int64_t i = 0; status == RICO_OK && i < from->count; i++) {
        const double *c = change + i * (n + 1);
        for (int64_t k = 0; k < nv; k++) dv[k] = c[k] * from->scale[k];
        status = rico_assembly_retract(orbits->sim[0]->assembly, rico_orbit_piece_time(from, i),
                                       from->piece[i].x, step, dv, orbit->piece[i].x);
        for (int64_t k = 0; k < nv; k++)
            orbit->piece[i].x[nq + k] = from->piece[i].x[nq + k] + step * c[nv + k] * from->scale[nv + k];
        orbit->piece[i].s = from->piece[i].s + step * c[n] * from->period;
    }
    orbit->period = from->period + step * change[globals + PERIOD] * size_of(orbits, from, globals + PERIOD);
    if (rico_orbits_driven(orbits)) orbit->t = orbit->phase * orbit->period;
    orbit->value = from->value + step * change[globals + VALUE] * size_of(orbits, from, globals + VALUE);
    orbit->unfolding =
        from->unfolding + step * change[globals + UNFOLDING] * size_of(orbits, from, globals + UNFOLDING);
    rico_free(orbits->ctx, dv);
    return status;
}


rico_status rico_orbit_predict(rico_orbits *orbits, rico_orbit *orbit, const double *tangent, double reach)
{
    rico_orbit *from = NULL;
    rico_status status = rico_orbit_copy(orbit, &from);
    if (status == RICO_OK) status = move(orbits, from, tangent, reach, orbit);
    rico_orbit_destroy(from);
    return status;
}


// The motion where the solve begins, across which the start may move.
static rico_status set_phase(equations *of)
{
    const rico_orbit *orbit = of->orbit;
    int64_t nq = orbit->nq, nv = orbit->nv;
    const rico_orbit_piece *first = &orbit->piece[0];
    double *rate = rico_alloc(of->orbits->ctx, nq + nv, sizeof *rate), size = 0.0;
    if (!rate) return RICO_NO_MEMORY;
    rico_status status = rico_segment_rate(of->orbits->sim[0], &first->segment.during, orbit->t,
                                           orbit->unfolding, first->x, rate);
    for (int64_t k = 0; k < 2 * nv; k++) {
        double motion = k < nv ? first->x[nq + k] : rate[nq + k - nv];
        of->phase[k] = motion / (orbit->scale[k] * orbit->scale[k]);
        if (is_free(of->orbits, k)) of->phase[k] = 0.0;
        size += of->phase[k] * of->phase[k] * orbit->scale[k] * orbit->scale[k];
    }
    rico_free(of->orbits->ctx, rate);
    if (status != RICO_OK) return status;
    if (!(size > 0.0))
        return rico_fail(of->orbits->ctx, RICO_UNSUPPORTED, "nothing moves where the orbit begins");
    for (int64_t k = 0; k < 2 * nv; k++) of->phase[k] /= sqrt(size);
    return RICO_OK;
}


static rico_status prepare(equations *of, rico_orbits *orbits, rico_orbit *orbit,
                           const rico_orbit_along *along)
{
    *of = (equations){.orbits = orbits, .orbit = orbit, .along = along, .value = along != NULL};
    of->count = rico_orbit_unknowns(orbit);
    of->A = rico_alloc(orbits->ctx, of->count * of->count, sizeof *of->A);
    of->r = rico_alloc(orbits->ctx, of->count, sizeof *of->r);
    of->phase = rico_alloc(orbits->ctx, 2 * orbit->nv, sizeof *of->phase);
    return of->A && of->r && of->phase ? RICO_OK : RICO_NO_MEMORY;
}


static void release(equations *of)
{
    rico_free(of->orbits->ctx, of->A);
    rico_free(of->orbits->ctx, of->r);
    rico_free(of->orbits->ctx, of->phase);
}


// A step along `change` that brings the left-hand sides down; *step: its length, 0 where none does.
static rico_status search(equations *of, rico_orbit_slope *slopes, const double *change, double now,
                          double *step, double *then)
{
    rico_orbit *from = NULL;
    rico_status status = rico_orbit_copy(of->orbit, &from);
    int64_t block = 2 * of->orbit->nv + 1;
    *step = 1.0;
    for (int64_t i = 0; status == RICO_OK && i < from->count; i++) {
        double shrinks = -change[i * block + block - 1] * from->period, most = 0.8 * from->piece[i].s;
        if (shrinks > 0.0 && shrinks * *step > most) *step = most / shrinks;
    }
    bool good = false;
    for (; status == RICO_OK && !good && *step >= SHORTEST; *step *= good ? 1.0 : 0.5) {
        rico_status tried = move(of->orbits, from, change, *step, of->orbit);
        if (tried == RICO_OK) tried = members(of->orbits, of->orbit, false);
        for (int64_t i = 0; tried == RICO_OK && i < of->orbit->count; i++)
            tried = rico_orbit_follow(of->orbits, of->orbit, i, &slopes[i]);
        if (tried == RICO_OK) tried = residual(of, slopes);
        if (tried == RICO_NO_MEMORY || tried == RICO_INTERRUPTED) status = tried;
        *then = tried == RICO_OK ? merit(of, slopes) : INFINITY;
        good = *then <= (1.0 - 0.1 * *step) * now || *then < ROUND_OFF;
    }
    if (status == RICO_OK && !good) {
        *step = 0.0;
        status = move(of->orbits, from, change, 0.0, of->orbit);
    }
    rico_orbit_destroy(from);
    return status;
}


static rico_status lost(const equations *of, double merit_now)
{
    return rico_fail(of->orbits->ctx, RICO_UNSUPPORTED,
                     "no orbit with these events was found nearby: after %lld iterations of Newton's method "
                     "the pieces still "
                     "miss each other by %.2g of the motion's size, at the value %.8g and the period %.8g",
                     (long long)of->orbit->iterations, merit_now, of->orbit->value, of->orbit->period);
}


static rico_status choose_steps(rico_orbits *orbits, rico_orbit *orbit)
{
    int64_t nq = orbit->nq, nv = orbit->nv;
    double *scale = rico_alloc(orbits->ctx, nq + nv, sizeof *scale), widest = 0.0;
    rico_status status = scale ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t k = 0; k < nv; k++) widest = fmax(widest, orbit->scale[k]);
    for (int64_t k = 0; status == RICO_OK && k < nq; k++)
        scale[k] = nq == nv ? orbit->scale[k] : fmin(1.0, widest);
    for (int64_t k = 0; status == RICO_OK && k < nv; k++) scale[nq + k] = orbit->scale[nv + k];
    for (int64_t i = 0; status == RICO_OK && i < orbit->count; i++)
        status = rico_segment_choose_steps(orbits->sim[0], &orbit->piece[i].segment,
                                           rico_orbit_piece_time(orbit, i), orbit->piece[i].s,
                                           orbit->unfolding, orbit->piece[i].x, scale, 1e-13);
    rico_free(orbits->ctx, scale);
    return status;
}


// One correction; *size: the largest change of an unknown, over its size.
static rico_status iterate(equations *of, rico_orbit_slope *slopes, double *change, double *now, double *then,
                           double *size, double *step)
{
    rico_orbit *orbit = of->orbit;
    rico_status status = members(of->orbits, orbit, of->value);
    for (int64_t i = 0; status == RICO_OK && i < orbit->count; i++)
        status = rico_orbit_differentiate(of->orbits, orbit, i, of->value, &slopes[i]);
    if (status == RICO_OK) status = residual(of, slopes);
    if (status == RICO_OK) status = matrix(of, slopes);
    if (status != RICO_OK) return status;
    *now = merit(of, slopes);
    for (int64_t k = 0; k < of->count; k++) change[k] = -of->r[k];
    status = solve_linear(of, change);
    *size = rico_norm_inf(of->count, change);
    if (status == RICO_OK && !(*size < 1e6)) status = singular(of);
    return status == RICO_OK ? search(of, slopes, change, *now, step, then) : status;
}


// A rest is a solution of the equations for every period.
static rico_status check_motion(rico_orbits *orbits, const rico_orbit *orbit)
{
    int64_t nq = orbit->nq, nv = orbit->nv;
    double *rate = rico_alloc(orbits->ctx, nq + nv, sizeof *rate), fastest = 0.0;
    rico_status status = rate ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t i = 0; status == RICO_OK && i < orbit->count; i++) {
        const rico_orbit_piece *piece = &orbit->piece[i];
        status = rico_segment_rate(orbits->sim[0], &piece->segment.during, rico_orbit_piece_time(orbit, i),
                                   orbit->unfolding, piece->x, rate);
        for (int64_t k = 0; k < nv; k++)
            fastest = fmax(fastest, fmax(fabs(piece->x[nq + k]), orbit->period * fabs(rate[nq + k])) /
                                        orbit->scale[nv + k]);
    }
    rico_free(orbits->ctx, rate);
    if (status == RICO_OK && fastest < 1e-6)
        return rico_fail(
            orbits->ctx, RICO_UNSUPPORTED,
            "no orbit was found nearby: Newton's method came to rest at the value %.8g and the period %.8g",
            orbit->value, orbit->period);
    return status;
}


rico_status rico_orbit_solve(rico_orbits *orbits, rico_orbit *orbit, const rico_orbit_along *along,
                             rico_orbit_slope *slopes)
{
    equations of;
    rico_orbit *reference = NULL;
    double now = INFINITY, then = INFINITY, size = INFINITY, step = 1.0, *change = NULL;
    rico_status status = prepare(&of, orbits, orbit, along);
    if (status == RICO_OK) status = rico_orbit_copy(orbit, &reference);
    of.reference = reference;
    if (status == RICO_OK) status = members(orbits, orbit, of.value);
    if (status == RICO_OK) status = choose_steps(orbits, orbit);
    if (status == RICO_OK && !rico_orbits_driven(orbits)) status = set_phase(&of);
    if (status == RICO_OK) {
        change = rico_alloc(orbits->ctx, of.count, sizeof *change);
        if (!change) status = RICO_NO_MEMORY;
    }
    bool done = false;
    for (orbit->iterations = 0;
         status == RICO_OK && !done && orbit->iterations < orbits->options.iterations;) {
        if (rico_context_interrupted(orbits->ctx))
            status = rico_fail(orbits->ctx, RICO_INTERRUPTED, "interrupted while an orbit was sought");
        else
            status = iterate(&of, slopes, change, &now, &then, &size, &step);
        orbit->iterations++;
        // next to a bifurcation corrections stay larger than round-off, which the equations no longer see
        done = status == RICO_OK && step == 1.0 &&
               (size <= orbits->options.tol || (fmax(now, then) < ROUND_OFF && size < 1e-4));
        if (status == RICO_OK && !done && step == 0.0) {
            // as near as round-off lets it come
            done = now < 1e3 * orbits->options.tol && size < 1e-6;
            if (!done) status = lost(&of, now);
        }
    }
    // the equations hold and corrections go on: along a family of orbits
    if (status == RICO_OK && !done) status = now < ROUND_OFF ? singular(&of) : lost(&of, now);
    if (status == RICO_OK) status = members(orbits, orbit, of.value);
    if (status == RICO_OK) status = residual(&of, slopes);
    if (status == RICO_OK) orbit->residual = merit(&of, slopes);
    if (status == RICO_OK) status = check_motion(orbits, orbit);
    rico_orbit_destroy(reference);
    rico_free(orbits->ctx, change);
    release(&of);
    return status;
}


rico_status rico_orbit_tangent(rico_orbits *orbits, const rico_orbit *orbit, const rico_orbit_slope *slopes,
                               const double *before, double *tangent)
{
    equations of;
    rico_orbit *here = NULL;
    rico_status status = rico_orbit_copy(orbit, &here);
    if (status != RICO_OK) return status;
    status = prepare(&of, orbits, here, NULL);
    of.value = true;
    of.reference = here;
    if (status == RICO_OK) status = members(orbits, here, true);
    if (status == RICO_OK && !rico_orbits_driven(orbits)) status = set_phase(&of);
    if (status == RICO_OK) status = matrix(&of, slopes);
    if (status == RICO_OK) {
        for (int64_t j = 0; before && j < of.count; j++) *entry(&of, of.count - 1, j) = before[j];
        memset(tangent, 0, (size_t)of.count * sizeof *tangent);
        tangent[of.count - 1] = 1.0;
        status = solve_linear(&of, tangent);
    }
    if (status == RICO_OK) {
        double size = rico_norm(of.count, tangent);
        for (int64_t j = 0; j < of.count; j++) tangent[j] /= size;
    }
    release(&of);
    rico_orbit_destroy(here);
    return status;
}
