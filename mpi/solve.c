// Sweeps, alternating directions or Newton's methods over all ranks until the common residual is small enough.

#include "admm.h"
#include "base/clock.h"
#include "newton.h"
#include "run.h"
#include "sweep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { REFRESH = 16 }; // sweeps after which velocities are made anew from the impulses
enum { SPACING = 10 }; // sweeps between two checks, at most

// The first rank's clock and anybody's interrupt stop everybody.
static rico_stop stop_for(rico_mpi_run *s)
{
    int stop[2] = {rico_context_interrupted(s->p->ctx), 0};
    double limit = s->options->time_limit;
    stop[1] = s->p->crew->rank == 0 && limit > 0.0 && rico_clock() - s->began >= limit;
    MPI_Allreduce(MPI_IN_PLACE, stop, 2, MPI_INT, MPI_MAX, s->p->crew->comm);
    return stop[0] ? RICO_STOPPED : stop[1] ? RICO_TIME_LIMIT : RICO_STOPS;
}


void rico_mpi_run_end(rico_mpi_run *s, rico_stop why)
{
    s->report->solve.stop = why;
    s->done = true;
}


rico_status rico_mpi_run_check(rico_mpi_run *s)
{
    rico_mpi_problem *p = s->p;
    rico_status status = rico_mpi_residual(p->share, p->r, p->u, &s->residual);
    if (status) return status;
    if (!s->judged) s->first = s->residual.relative;
    if (!s->judged || s->residual.relative < s->best.relative) {
        s->best = s->residual;
        s->judged = true;
        memcpy(p->best, p->r, 3 * (size_t)p->share->contacts * sizeof *p->r);
    }
    if (p->crew->rank == 0 && s->options->progress)
        s->options->progress(s->options->user, s->sweeps + s->systems, rico_clock() - s->began,
                             s->residual.relative);
    if (rico_residual_within(&s->residual, s->options->tol)) {
        rico_mpi_run_end(s, RICO_CONVERGED);
        return RICO_OK;
    }
    if (!isfinite(s->residual.relative)) {
        snprintf(s->report->solve.note, sizeof s->report->solve.note,
                 "iteration %lld left numbers that are none", (long long)(s->sweeps + s->systems));
        rico_mpi_run_end(s, RICO_DIVERGED);
        return RICO_OK;
    }
    rico_mpi_run_limits(s);
    return RICO_OK;
}


bool rico_mpi_run_limits(rico_mpi_run *s)
{
    rico_stop stop = stop_for(s);
    if (stop != RICO_STOPS) rico_mpi_run_end(s, stop);
    return s->done;
}


bool rico_mpi_run_spent(rico_mpi_run *s)
{
    if (s->sweeps + s->systems < s->options->max_iterations) return false;
    rico_mpi_run_end(s, RICO_MAX_ITERATIONS);
    return true;
}


// --- sweeps -------------------------------------------------------------------------------------------------------


// How far sweeps have got, for whoever may do better: decades over a window of sweeps.
typedef struct pace {
    double anchor; // residual where the window begins
    int64_t anchored;
} pace;


// Would Newton's methods be there before? Measured as in solve/auto.c: once half their price has been spent on sweeps, or
// a tenth where these promise nothing. Prices are counted, never clocked.
static rico_status are_slow(rico_mpi_run *s, pace *at, bool *slow)
{
    enum { WINDOW = 30 };
    static const double cheapest = 1000.0,
                        hopeless = 5.0; // sweeps that Newton's methods cost at least; prices
    *slow = false;
    if (s->no_newton || s->sweeps < at->anchored + WINDOW) return RICO_OK;
    double residual = s->best.relative, tol = fmax(s->options->tol, 1e-16);
    double decades = log10(residual / at->anchor) / (double)(s->sweeps - at->anchored);
    double left = decades < -1e-7 ? log10(tol / residual) / decades : INFINITY, price;
    if (left > cheapest) {
        rico_status status = rico_mpi_run_prepare_newton(s, &price);
        s->no_newton = status == RICO_NO_MEMORY;
        if (s->no_newton) {
            snprintf(s->report->solve.note, sizeof s->report->solve.note, "sweeps alone: %s",
                     rico_message(s->p->ctx));
            return RICO_OK;
        }
        if (status) return status;
        double spent = (double)s->sweeps;
        *slow = left > price && (spent > 0.5 * price || (left > hopeless * price && spent > 0.1 * price));
    }
    if (s->sweeps >= at->anchored + 2 * WINDOW || s->sweeps >= 2 * at->anchored)
        *at = (pace){.anchor = residual, .anchored = s->sweeps};
    return RICO_OK;
}


// Sweeps to the end, or where `watched` until they are slow.
static rico_status sweep_on(rico_mpi_run *s, bool watched)
{
    rico_mpi_problem *p = s->p;
    rico_mpi_mixer *mixer = p->mixer;
    double ratio = INFINITY; // of the residual to the change of the sweep, by the last check
    bool afresh = true, slow = false;
    pace at = {.anchor = s->residual.relative};
    rico_mpi_mixer_begin(mixer);
    rico_status status = RICO_OK;
    while (!status && !s->done && !slow) {
        if (rico_mpi_run_spent(s)) break;
        if (afresh || s->sweeps % REFRESH == 0) status = rico_mpi_share_velocities(p->share, p->r, false);
        rico_mpi_mixer_from(mixer, p->r);
        if (!status) status = rico_mpi_sweep(p->share, p->r);
        if (status) break;
        s->sweeps++;
        double change = sqrt(rico_mpi_mixer_note(mixer, p->r));
        bool promising = ratio == INFINITY ? s->sweeps == 1 : change * ratio <= s->options->tol;
        if (promising || s->sweeps % SPACING == 0 || change == 0.0 || !isfinite(change) ||
            s->sweeps == s->options->max_iterations) {
            status = rico_mpi_run_check(s);
            if (status || s->done) break;
            if (change == 0.0 && watched) break; // at rest without being there: Newton's turn
            if (change == 0.0) {
                snprintf(s->report->solve.note, sizeof s->report->solve.note,
                         "a sweep changed nothing, at a residual of %.3g", s->residual.relative);
                rico_mpi_run_end(s, RICO_STALLED);
                break;
            }
            ratio = s->residual.relative / change;
            if (watched && s->sweeps % SPACING == 0) status = are_slow(s, &at, &slow);
        }
        rico_mpi_mixer_advance(mixer, p->r, &afresh);
    }
    return status;
}


static rico_status sweep(rico_mpi_run *s)
{
    return sweep_on(s, false);
}


static rico_status choose(rico_mpi_run *s)
{
    rico_status status = sweep_on(s, true);
    return status || s->done ? status : rico_mpi_run_newton(s);
}


// Alternating directions; r is the projected point, and Anderson's acceleration works on p.
static rico_status alternate(rico_mpi_run *s)
{
    rico_mpi_problem *p = s->p;
    rico_mpi_admm *admm = NULL;
    size_t bytes = 3 * (size_t)p->share->contacts * sizeof *p->r;
    double room = s->options->memory > 0.0 ? s->options->memory : rico_mpi_available(p->crew);
    rico_status status = rico_mpi_admm_create(p->share, s->options->penalty, room, &admm);
    if (!status) status = rico_mpi_admm_begin(admm, p->r);
    rico_mpi_mixer_begin(p->mixer);
    while (!status && !s->done) {
        if (rico_mpi_run_spent(s)) break;
        rico_mpi_mixer_from(p->mixer, admm->p);
        status = rico_mpi_admm_step(admm);
        if (status) break;
        s->sweeps++;
        bool afresh;
        rico_mpi_mixer_note(p->mixer, admm->p);
        rico_mpi_mixer_advance(p->mixer, admm->p, &afresh);
        if (s->sweeps % SPACING == 0 || s->sweeps == s->options->max_iterations) {
            memcpy(p->r, admm->y, bytes);
            status = rico_mpi_run_check(s);
        }
    }
    rico_mpi_admm_destroy(admm);
    return status;
}


// Numbers of impulses, mixed with their place, added up: no order is left in it.
static uint64_t digest(const rico_mpi_problem *p)
{
    const rico_mpi_share *share = p->share;
    uint64_t sum = 0;
    for (int64_t k = 0; k < share->unit_count; k++)
        for (int64_t c = share->unit[k].first; share->unit[k].counts && c < share->unit[k].last; c++)
            for (int i = 0; i < share->dimension; i++) {
                uint64_t bits;
                memcpy(&bits, &p->r[3 * c + i], sizeof bits);
                uint64_t x =
                    bits ^ (uint64_t)(share->dimension * share->id[c] + i) * UINT64_C(0x9e3779b97f4a7c15);
                x = (x ^ x >> 31) * UINT64_C(0x7fb5d329728ea185);
                x = (x ^ x >> 27) * UINT64_C(0x81dadef4bc2dd44d);
                sum += x ^ x >> 33;
            }
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, p->crew->comm);
    return sum;
}


static void tell_traffic(rico_mpi_run *s, const rico_mpi_traffic *before, double seconds, double work)
{
    const rico_mpi_traffic *now = &s->p->crew->traffic;
    double sweeps = fmax((double)(s->sweeps + s->products), 1.0);
    double sent[] = {(double)(now->messages - before->messages) / sweeps,
                     (double)(now->bytes - before->bytes) / sweeps,
                     (double)(now->reductions - before->reductions) / sweeps,
                     (double)(now->reduced_bytes - before->reduced_bytes) / sweeps,
                     seconds / sweeps,
                     work - (now->waiting - before->waiting)};
    MPI_Allreduce(MPI_IN_PLACE, sent, 6, MPI_DOUBLE, MPI_MAX, s->p->crew->comm);
    s->report->messages = sent[0];
    s->report->bytes = sent[1];
    s->report->reductions = sent[2];
    s->report->reduced_bytes = sent[3];
    s->report->sweep = sent[4];
    s->report->work = sent[5];
}


static rico_status (*const methods[])(rico_mpi_run *) = {[RICO_MPI_SWEEPS] = sweep,
                                                         [RICO_MPI_ADMM] = alternate,
                                                         [RICO_MPI_NEWTON] = rico_mpi_run_newton,
                                                         [RICO_MPI_AUTO] = choose};


rico_status rico_mpi_solve(rico_mpi_problem *p, const rico_mpi_options *options, rico_mpi_report *report)
{
    *report = (rico_mpi_report){.solve.stop = RICO_BREAKDOWN};
    rico_mpi_run s = {.p = p, .options = options, .report = report, .began = rico_clock()};
    rico_mpi_traffic before = p->crew->traffic;
    double worked = rico_crew_clock(), swept = rico_clock();
    rico_status status = rico_mpi_run_check(&s);
    if (!status && !s.done) status = methods[options->method](&s);
    if (s.newton) s.products = s.newton->krylov->iterations;
    rico_mpi_newton_destroy(s.newton);
    if (status) return rico_crew_agree(p->crew, status);
    tell_traffic(&s, &before, rico_clock() - swept, rico_crew_clock() - worked);

    // the best point goes out, judged anew; nobody wants to read -0
    for (int64_t i = 0; i < 3 * p->share->contacts; i++) p->r[i] = p->best[i] + 0.0;
    status = rico_mpi_residual(p->share, p->r, p->u, &report->solve.residual);
    if (status) return status;
    for (int64_t i = 0; i < 3 * p->share->contacts; i++) p->u[i] += 0.0;
    bool solved = rico_residual_within(&report->solve.residual, options->tol);
    if (solved)
        report->solve.stop = RICO_CONVERGED;
    else if (report->solve.stop == RICO_CONVERGED)
        report->solve.stop = RICO_STALLED;
    report->solve.iterations = s.sweeps + s.systems;
    report->sweeps = s.sweeps;
    report->systems = s.systems;
    report->products = s.products;
    report->solve.seconds = rico_clock() - s.began;
    report->digest = digest(p);
    return RICO_OK;
}
