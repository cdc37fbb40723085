// rico ring --strikes: orbits in which particles strike as often as a list says, and their branches.

#include "lab/ring_strikes.h"
#include "app/ring.h"
#include "base/table.h"

#include <math.h>

enum { MOST_STRIKES = 500, SAMPLES = 400 };


// "1@0,0@0.25,0^0.5", into an array to be freed.
static rico_status read_strikes(rico_context *ctx, const char *text, rico_ring_sequence *start)
{
    int64_t room = 1;
    for (const char *at = text; *at; at++) room += *at == ',';
    start->strike = rico_alloc(ctx, room, sizeof *start->strike);
    if (!start->strike) return RICO_NO_MEMORY;
    if (room > MOST_STRIKES)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "--strikes has %lld impacts, more than %d", (long long)room,
                         MOST_STRIKES);
    for (const char *at = text;;) {
        rico_status status =
            rico_ring_strike_read(ctx, at, start->period, &start->strike[start->count++], &at);
        if (status != RICO_OK) return status;
        if (*at == '\0') return RICO_OK;
        if (*at != ',')
            return rico_fail(ctx, RICO_BAD_ARGUMENT, "--strikes '%s': '%s' is no list of impacts", text, at);
        at++;
    }
}


static void print_orbit(FILE *out, const rico_ring_sequence *orbit)
{
    rico_print_column columns[] = {
        {"particle", 8, true}, {"wall", 5, false}, {"time/T", 12, true}, {"speed", 14, true}};
    fprintf(out, "ring of %lld particles, coupling %.10g, period %.10g\n\n", (long long)orbit->particles,
            orbit->coupling, orbit->period);
    rico_table_head(out, columns, 4);
    for (int64_t j = 0; j < orbit->count && j < LISTED; j++) {
        const rico_ring_strike *strike = &orbit->strike[j];
        char number[CELL], time[CELL], speed[CELL];
        double share = strike->time / orbit->period;
        snprintf(number, sizeof number, "%lld", (long long)strike->particle);
        snprintf(time, sizeof time, "%.9f", fabs(share) < 1e-12 ? 0.0 : share);
        snprintf(speed, sizeof speed, "%.10g", 0.5 * (strike->upper ? -strike->impulse : strike->impulse));
        const char *cells[] = {number, strike->upper ? "upper" : "lower", time, speed};
        rico_table_row(out, columns, 4, cells);
    }
    if (orbit->count > LISTED) fprintf(out, "... and %lld more\n", (long long)orbit->count - LISTED);
    fprintf(out, "\nenergy        %.10g\n", orbit->energy);
    fprintf(out, "smallest gap  %.6g, of particle %lld at t = %.6g\n", orbit->gap,
            (long long)orbit->gap_particle, orbit->gap_time);
    fprintf(out, "residual      %.1e after %lld steps of Newton's method\n", orbit->residual,
            (long long)orbit->iterations);
    if (orbit->verdict == RICO_RING_FEASIBLE) return;
    bool slow = orbit->verdict == RICO_RING_NO_IMPACT;
    fprintf(out, "verdict       no orbit: %s (particle %lld)\n", rico_ring_verdict_words(orbit->verdict),
            (long long)(slow ? orbit->slowest_particle : orbit->gap_particle));
}


static rico_status follow_branch(rico_app *app, const orbit_settings *settings,
                                 const rico_ring_sequence *start)
{
    bool coupling = settings->follow == FOLLOW_COUPLING;
    double from = coupling ? start->coupling : start->period;
    rico_ring_trail trail = {.ctx = app->ctx};
    rico_sheet sheet = {.ctx = app->ctx};
    rico_ring_end end;
    rico_ring_sequence_path path = {.parameter = coupling ? RICO_RING_COUPLING : RICO_RING_PERIOD,
                                    .to = settings->to,
                                    .largest_step = settings->step > 0.0 ? settings->step
                                                                         : 0.01 * fabs(settings->to - from),
                                    .observe = rico_ring_trail_note,
                                    .user = &trail};
    rico_status status = rico_ring_sequence_follow(app->ctx, start, &path, &end);
    if (status == RICO_OK) status = trail.status;
    if (status == RICO_OK) {
        fprintf(app->out, "\n%lld points\n", (long long)end.points);
        rico_orbit_print_end(app->out, &end, path.parameter);
    }
    if (status == RICO_OK && settings->csv) status = rico_ring_trail_sheet(&trail, &sheet);
    if (status == RICO_OK && settings->csv) status = rico_sheet_write_csv(&sheet, settings->csv);
    if (status == RICO_OK && settings->output)
        status = rico_ring_trail_draw(&trail, path.parameter, "branch of a ring", settings->output);
    rico_sheet_release(&sheet);
    rico_ring_trail_release(&trail);
    return status;
}


static rico_status write_orbit(rico_app *app, const orbit_settings *settings, const rico_ring_sequence *orbit,
                               const rico_ring_stability *stability)
{
    rico_sheet sheet = {.ctx = app->ctx};
    rico_status status = RICO_OK;
    if (settings->csv) status = rico_ring_sequence_sheet(orbit, SAMPLES, &sheet);
    if (status == RICO_OK && settings->csv) status = rico_sheet_write_csv(&sheet, settings->csv);
    rico_sheet_release(&sheet);
    if (status != RICO_OK || !settings->output) return status;
    char title[96];
    snprintf(title, sizeof title, "ring of %lld, coupling %.6g, period %.6g", (long long)orbit->particles,
             orbit->coupling, orbit->period);
    return rico_ring_sequence_draw(orbit, stability, title, settings->output);
}


rico_status rico_orbit_strikes(rico_app *app, const orbit_settings *settings, int *code)
{
    rico_ring_sequence start = {.particles = settings->particles,
                                .coupling = settings->coupling,
                                .period = settings->period,
                                .upper = settings->upper > 0.0 ? settings->upper : INFINITY},
                       *orbit = NULL;
    rico_ring_stability *stability = NULL;
    rico_status status = read_strikes(app->ctx, settings->strikes, &start);
    if (status == RICO_OK) status = rico_ring_sequence_solve(app->ctx, &start, &orbit);
    if (status == RICO_OK) print_orbit(app->out, orbit);
    if (status == RICO_OK && orbit->verdict == RICO_RING_FEASIBLE) {
        status = rico_ring_sequence_stability(orbit, settings->tolerance, &stability);
        if (status == RICO_OK) rico_orbit_print_stability(app->out, stability);
        if (status == RICO_OK && settings->follow != FOLLOW_NOTHING)
            status = follow_branch(app, settings, orbit);
    } else if (status == RICO_OK) {
        *code = RICO_EXIT_UNSOLVED;
    }
    if (status == RICO_OK && settings->follow == FOLLOW_NOTHING)
        status = write_orbit(app, settings, orbit, stability);
    rico_ring_stability_destroy(stability);
    rico_ring_sequence_destroy(orbit);
    rico_free(app->ctx, start.strike);
    return status;
}
