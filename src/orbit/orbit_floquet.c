// The monodromy matrix of an orbit, its multipliers, the run that confirms it, and finding one.

#include "orbit/orbit.h"

#include "la/dense.h"
#include "la/eigenvalues.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

rico_status rico_orbit_carry(const rico_orbit *orbit, const rico_orbit_slope *slope, bool event, bool last,
                             double *Y, int64_t columns, double *tau, double *room)
{
    int64_t n = 2 * orbit->nv;
    double fall = slope->event[n + RICO_BY_DURATION];
    if (event && fall == 0.0)
        return rico_fail(orbit->ctx, RICO_SINGULAR,
                         "an event grazes: the motion through it has no derivative");
    for (int64_t j = 0; j < columns; j++) {
        double *y = Y + j * n, ds = last ? -tau[j] : 0.0;
        if (event) ds = -(rico_dot(n, slope->event, y) + slope->event[n + RICO_BY_TIME] * tau[j]) / fall;
        memset(room, 0, (size_t)n * sizeof *room);
        for (int64_t k = 0; k < n; k++) rico_axpy(n, y[k], slope->state + k * n, room);
        rico_axpy(n, tau[j], slope->state + (n + RICO_BY_TIME) * n, room);
        rico_axpy(n, ds, slope->state + (n + RICO_BY_DURATION) * n, room);
        memcpy(y, room, (size_t)n * sizeof *y);
        tau[j] += ds;
    }
    return RICO_OK;
}


static void sort_multipliers(int64_t n, double *real, double *imag)
{
    for (int64_t i = 1; i < n; i++)
        for (int64_t j = i; j > 0; j--) {
            double here = hypot(real[j], imag[j]), before = hypot(real[j - 1], imag[j - 1]);
            // conjugates stay together, the one above the axis first
            if (here < before || (here == before && imag[j] <= imag[j - 1])) break;
            double r = real[j], s = imag[j];
            real[j] = real[j - 1];
            imag[j] = imag[j - 1];
            real[j - 1] = r;
            imag[j - 1] = s;
        }
}


rico_status rico_orbit_floquet(rico_orbits *orbits, rico_orbit *orbit, const rico_orbit_slope *slopes)
{
    rico_context *ctx = orbits->ctx;
    int64_t n = 2 * orbit->nv;
    double *room = rico_alloc(ctx, n * n + 2 * n, sizeof *room), *Y = orbit->monodromy;
    rico_status status = room ? RICO_OK : RICO_NO_MEMORY;
    double *tau = room ? room + n * n : NULL;
    memset(Y, 0, (size_t)(n * n) * sizeof *Y);
    for (int64_t j = 0; j < n; j++) Y[j * n + j] = 1.0;
    for (int64_t i = 0; i < orbit->count; i++) orbit->piece[i].fall = slopes[i].event[n + RICO_BY_DURATION];
    for (int64_t i = 0; status == RICO_OK && i < orbit->count; i++)
        status = rico_orbit_carry(orbit, &slopes[i], orbit->piece[i].segment.contact >= 0,
                                  i == orbit->count - 1, Y, n, tau, tau + n);
    if (status == RICO_OK) {
        memcpy(room, Y, (size_t)(n * n) * sizeof *room);
        status = rico_eigenvalues(ctx, n, room, orbit->real, orbit->imag);
    }
    if (status == RICO_OK) sort_multipliers(n, orbit->real, orbit->imag);
    orbit->trivial = rico_orbits_driven(orbits) ? 0 : orbit->conservative ? 2 : 1;
    for (int64_t k = 0; orbits->options.free && k < orbit->nv; k++)
        orbit->trivial += orbits->options.free[k] != 0;
    rico_free(ctx, room);
    return status;
}


rico_status rico_orbit_confirm(rico_orbits *orbits, rico_orbit *orbit)
{
    rico_context *ctx = orbits->ctx;
    int64_t nq = orbit->nq, nv = orbit->nv;
    const double *x = orbit->piece[0].x;
    rico_orbit *run = NULL;
    double *end = rico_alloc(ctx, nq + 2 * nv, sizeof *end);
    rico_status status = end ? rico_orbit_create(orbits, &run) : RICO_NO_MEMORY;
    orbit->lawful = false;
    orbit->return_error = INFINITY;
    orbit->note[0] = '\0';
    if (status == RICO_OK) {
        status = rico_orbit_record(orbits, run, orbit->t, x, x + nq, orbit->period,
                                   rico_orbit_longest_step(orbit), end);
        if (status == RICO_UNSUPPORTED ||
            status == RICO_BAD_INPUT) { // the motion does what no run can follow: no orbit of it
            snprintf(orbit->note, sizeof orbit->note, "the run over a period fails: %.200s",
                     rico_message(ctx));
            rico_orbit_destroy(run);
            rico_free(ctx, end);
            return RICO_OK;
        }
    }
    if (status == RICO_OK) {
        double *d = end + nq + nv;
        orbit->lawful = rico_orbit_alike(orbit, run, orbits->sim[0], orbit->note);
        for (int64_t i = 0; i < nq; i++)
            end[i] -= x[i] + (orbits->options.shift ? orbits->options.shift[i] : 0.0);
        status = rico_segment_tangent(orbits->sim[0], orbit->t, x, end, d);
        orbit->return_error = 0.0;
        for (int64_t i = 0; i < nv; i++) {
            bool any = orbits->options.free && orbits->options.free[i];
            if (!any) orbit->return_error = fmax(orbit->return_error, fabs(d[i]) / orbit->scale[i]);
            orbit->return_error =
                fmax(orbit->return_error, fabs(end[nq + i] - x[nq + i]) / orbit->scale[nv + i]);
        }
        // a run that misses its start by more than its own errors, which grow with the multipliers, is another motion
        double allowed = fmax(1e-6, 1e-7 * rico_orbit_growth(orbit));
        if (orbit->lawful && !(orbit->return_error <= allowed)) {
            orbit->lawful = false;
            snprintf(orbit->note, sizeof orbit->note,
                     "a run over the period misses its start by %.2g of the motion's size",
                     orbit->return_error);
        }
        // what crosses an obstacle for less than a step of the run is not seen by it
        if (status == RICO_OK) status = rico_orbit_look_for_grazing(orbits, orbit);
        if (status == RICO_OK && orbit->graze >= 0) {
            orbit->lawful = false;
            snprintf(orbit->note, sizeof orbit->note, "contact %s closes where the orbit passes",
                     rico_step_constraint(orbits->sim[0], orbit->graze)->name);
        }
        rico_free(ctx, orbit->event);
        rico_free(ctx, orbit->name);
        orbit->event = run->event;
        orbit->name = run->name;
        orbit->event_count = run->event_count;
        run->event = NULL;
        run->name = NULL;
    }
    rico_orbit_destroy(run);
    rico_free(ctx, end);
    return status;
}


// Halves the longest pieces until there are enough of them.
static rico_status divide(rico_orbits *orbits, rico_orbit **orbit)
{
    rico_orbit *whole = *orbit, *parts = NULL;
    int64_t least = orbits->options.pieces;
    if (whole->count >= least) return RICO_OK;
    rico_status status = rico_orbit_create(orbits, &parts);
    for (int64_t i = 0; status == RICO_OK && i < whole->count; i++) {
        const rico_orbit_piece *piece = &whole->piece[i];
        int64_t cuts = (int64_t)ceil((double)least * piece->s / whole->period);
        if (cuts < 1) cuts = 1;
        status = rico_orbit_add_parts(orbits, whole, i, cuts, parts);
    }
    if (status != RICO_OK) {
        rico_orbit_destroy(parts);
        return status;
    }
    parts->t = whole->t;
    parts->period = whole->period;
    parts->value = whole->value;
    rico_orbit_destroy(whole);
    *orbit = parts;
    return RICO_OK;
}


rico_status rico_orbit_arrange(rico_orbits *orbits, rico_orbit **orbit)
{
    rico_status status = RICO_OK;
    if (rico_orbit_needs_turn(*orbit)) {
        rico_orbit *turned = NULL;
        status = rico_orbit_turn(orbits, *orbit, &turned);
        if (status != RICO_OK) return status;
        rico_orbit_destroy(*orbit);
        *orbit = turned;
    }
    status = divide(orbits, orbit);
    return status == RICO_OK ? rico_orbit_measure(orbits, *orbit) : status;
}


// How much what acts on the start of the orbit changes from one time to another: accelerations and obstacles, over the sizes of the motion.
static rico_status change_between(rico_orbits *orbits, const rico_orbit *orbit, double t, double later,
                                  double *most)
{
    const rico_orbit_piece *piece = &orbit->piece[0];
    int64_t nq = orbit->nq, nv = orbit->nv, size = nq + nv;
    double *rate = rico_alloc(orbits->ctx, 2 * size, sizeof *rate), length = 0.0, speed = 0.0, forces = 0.0;
    rico_status status = rate ? RICO_OK : RICO_NO_MEMORY;
    *most = 0.0;
    for (int64_t i = 0; i < nv; i++) {
        length = fmax(length, orbit->scale[i]);
        speed = fmax(speed, orbit->scale[nv + i]);
    }
    if (status == RICO_OK)
        status = rico_segment_walls_move(orbits->sim[0], t, later, piece->x, length, speed, most);
    for (int k = 0; status == RICO_OK && k < 2; k++)
        status = rico_segment_rate(orbits->sim[0], &piece->segment.during, k == 0 ? t : later, 0.0, piece->x,
                                   rate + k * size);
    for (int64_t i = 0; status == RICO_OK && i < nv; i++)
        forces =
            fmax(forces, fabs(rate[size + nq + i] - rate[nq + i]) * orbit->period / orbit->scale[nv + i]);
    *most = fmax(*most, forces);
    rico_free(orbits->ctx, rate);
    return status;
}


// A system that nothing drives moves alike at all times, one that is driven after every period of the driving.
static rico_status check_driving(rico_orbits *orbits, const rico_orbit *orbit)
{
    static const double AT[] = {0.0, 0.37, 0.61};
    bool driven = rico_orbits_driven(orbits);
    double worst = 0.0, period = orbit->period / (double)orbits->options.multiple;
    for (int k = driven ? 0 : 1; k < 3; k++) {
        double change, t = orbit->t + (driven ? AT[k] * period : 0.0),
                       later = driven ? t + period : t + AT[k] * period;
        rico_status status = change_between(orbits, orbit, t, later, &change);
        if (status != RICO_OK) return status;
        worst = fmax(worst, change);
    }
    if (worst <= 1e-6) return RICO_OK;
    if (driven)
        return rico_fail(orbits->ctx, RICO_BAD_INPUT,
                         "what drives the system does not have the period %.10g: it changes by %.2g of the "
                         "motion's size from "
                         "one to the next",
                         period, worst);
    return rico_fail(orbits->ctx, RICO_BAD_INPUT,
                     "the forces of the system, or its obstacles, depend on time: an orbit needs the period "
                     "of what drives it");
}


// More multipliers at 1 than nature puts there: the orbit is one of a family, and neither its period nor a verdict on it means anything.
static rico_status check_family(rico_orbits *orbits, const rico_orbit *orbit)
{
    int64_t ones = 0;
    if (rico_orbits_driven(orbits) || orbit->conservative) return RICO_OK;
    for (int64_t i = 0; i < 2 * orbit->nv; i++) ones += hypot(orbit->real[i] - 1.0, orbit->imag[i]) < 1e-5;
    if (ones <= orbit->trivial) return RICO_OK;
    return rico_fail(orbits->ctx, RICO_SINGULAR,
                     "the orbit of period %.10g is one of a family (a conservative system, or a position "
                     "that may be anywhere "
                     "and should be left free): %lld multipliers are 1 where %lld should be",
                     orbit->period, (long long)ones, (long long)orbit->trivial);
}


rico_status rico_orbit_find(rico_orbits *orbits, const rico_orbit_start *start, rico_orbit **out)
{
    rico_orbit *orbit = NULL;
    double period = start->period;
    rico_orbit_slope *slopes = NULL;
    *out = NULL;
    rico_status status = rico_orbits_at(orbits, start->value, false, start->t, start->q, start->v);
    if (status == RICO_OK && rico_orbits_driven(orbits))
        status = rico_orbits_period(orbits, start->value, &period);
    if (status == RICO_OK && !(period > 0.0 && isfinite(period)))
        status = rico_fail(orbits->ctx, RICO_BAD_ARGUMENT,
                           "an orbit needs a period > 0 to begin with, not %g", period);
    double t = start->t;
    if (status == RICO_OK && rico_orbits_driven(orbits)) t -= period * floor(t / period);
    if (status == RICO_OK) status = rico_orbit_create(orbits, &orbit);
    if (status == RICO_OK)
        status = rico_orbit_record(orbits, orbit, t, start->q, start->v, period, 0.0, NULL);
    if (status == RICO_OK) status = rico_orbit_arrange(orbits, &orbit);
    if (status == RICO_OK) status = check_driving(orbits, orbit);
    if (status == RICO_OK) status = rico_orbit_slopes(orbit, &slopes);
    if (status == RICO_OK) status = rico_orbit_solve(orbits, orbit, NULL, slopes);
    if (status == RICO_OK) status = rico_orbit_floquet(orbits, orbit, slopes);
    if (status == RICO_OK) status = check_family(orbits, orbit);
    if (status == RICO_OK) status = rico_orbit_confirm(orbits, orbit);
    if (orbit) rico_orbit_slopes_free(orbits->ctx, orbit->count, slopes);
    if (status != RICO_OK) {
        rico_orbit_destroy(orbit);
        return status;
    }
    *out = orbit;
    return RICO_OK;
}
