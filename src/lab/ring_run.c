// Rings of impact oscillators as mechanical systems, run by the event-driven integrator.

#include "lab/ring_run.h"

#include "ricochet/simulation.h"

#include <math.h>
#include <stdio.h>


// Row n of I - coupling Laplacian: in a ring of one or two, neighbours are one particle.
static int64_t fill_row(int64_t p, double coupling, int64_t n, int64_t *column, double *value)
{
    const int64_t near[3] = {n, (n + 1) % p, (n + p - 1) % p};
    const double part[3] = {1.0 + 2.0 * coupling, -coupling, -coupling};
    int64_t count = 0;
    for (int64_t i = 0; i < 3; i++) {
        int64_t at = 0;
        while (at < count && column[at] != near[i]) at++;
        if (at == count) {
            column[count] = near[i];
            value[count++] = 0.0;
        }
        value[at] += part[i];
    }
    // by rising columns
    for (int64_t i = 1; i < count; i++)
        for (int64_t k = i; k > 0 && column[k] < column[k - 1]; k--) {
            int64_t c = column[k];
            double v = value[k];
            column[k] = column[k - 1];
            value[k] = value[k - 1];
            column[k - 1] = c;
            value[k - 1] = v;
        }
    return count;
}


static rico_status add_walls(rico_system *system, int64_t particles, double upper)
{
    const double up = 1.0, down = -1.0;
    rico_status status = RICO_OK;
    for (int64_t n = 0; n < particles && status == RICO_OK; n++) {
        char name[32];
        rico_contact wall = {
            .dimension = 1, .restitution = 1.0, .reach = {1, &n}, .gradient = &up, .offset = 1.0};
        snprintf(name, sizeof name, "wall%lld", (long long)n);
        status = rico_system_add_contact(system, name, &wall, NULL);
        if (status != RICO_OK || !isfinite(upper)) continue;
        snprintf(name, sizeof name, "upper%lld", (long long)n);
        wall.gradient = &down;
        wall.offset = upper;
        status = rico_system_add_contact(system, name, &wall, NULL);
    }
    return status;
}


rico_status rico_ring_system(rico_context *ctx, int64_t particles, double coupling, double upper,
                             rico_system **out)
{
    int64_t p = particles, *index = rico_alloc(ctx, 6 * p + 2, sizeof *index);
    double *number = rico_alloc(ctx, 4 * p, sizeof *number);
    rico_system *system = NULL;
    rico_status status = index && number ? rico_system_create(ctx, &system) : RICO_NO_MEMORY;
    if (status == RICO_OK) {
        int64_t *diagonal = index, *place = diagonal + p, *start = place + p + 1, *column = start + p + 1;
        double *ones = number, *stiffness = number + p;
        for (int64_t n = 0; n < p; n++) {
            diagonal[n] = place[n] = n;
            ones[n] = 1.0;
            start[n + 1] = start[n] + fill_row(p, coupling, n, column + start[n], stiffness + start[n]);
        }
        place[p] = p;
        rico_matrix_part part = {
            .size = p, .M = {p, p, place, diagonal, ones}, .K = {p, p, start, column, stiffness}};
        status = rico_system_add_matrices(system, "ring", &part, NULL);
        if (status == RICO_OK) status = add_walls(system, p, upper);
    }
    rico_free(ctx, index);
    rico_free(ctx, number);
    if (status != RICO_OK) {
        rico_system_destroy(system);
        return status;
    }
    *out = system;
    return RICO_OK;
}


// --- runs ----------------------------------------------------------------------------------------------------

typedef struct rows {
    double *time, *off, *grid_time, *grid_particle, *grid_y;
    int64_t first; // column of the sheet with the position of run->first
} rows;


static rico_status add_columns(const rico_ring_run *run, rico_sheet *sheet, rows *out)
{
    int64_t count = run->periods * run->samples + 1, wide = run->last - run->first + 1;
    rico_status status = rico_sheet_add(sheet, "time", count, NULL, &out->time);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "off", count, NULL, &out->off);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "grid_time", count * wide, NULL, &out->grid_time);
    if (status == RICO_OK)
        status = rico_sheet_add(sheet, "grid_particle", count * wide, NULL, &out->grid_particle);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "grid_y", count * wide, NULL, &out->grid_y);
    out->first = sheet->count;
    for (int64_t n = run->first; n <= run->last && status == RICO_OK; n++) {
        char name[RICO_SHEET_NAME];
        snprintf(name, sizeof name, "y%lld", (long long)n);
        status = rico_sheet_add(sheet, name, count, NULL, NULL);
    }
    return status;
}


static void note(const rico_ring_orbit *orbit, const rico_ring_run *run, const double *y, double t,
                 int64_t row, double *space, rico_sheet *sheet, const rows *out)
{
    int64_t p = orbit->ring.particles, wide = run->last - run->first + 1;
    rico_ring_orbit_at(orbit, t, space, space + p);
    out->time[row] = t;
    out->off[row] = 0.0;
    for (int64_t n = 0; n < p; n++) out->off[row] = fmax(out->off[row], fabs(y[n] - space[n]));
    for (int64_t k = 0; k < wide; k++) {
        out->grid_time[row * wide + k] = t;
        out->grid_particle[row * wide + k] = (double)(run->first + k);
        out->grid_y[row * wide + k] = sheet->column[out->first + k].value[row] = y[run->first + k];
    }
}


static rico_status advance(const rico_ring_orbit *orbit, const rico_ring_run *run, rico_simulation *sim,
                           double *space, rico_sheet *sheet, const rows *out)
{
    double T = orbit->ring.period;
    rico_status status = rico_simulation_set_number(sim, "rtol", run->tolerance);
    if (status == RICO_OK) status = rico_simulation_set_number(sim, "atol", run->tolerance);
    if (status == RICO_OK) status = rico_simulation_start(sim, 0.0, orbit->y, orbit->v);
    if (status == RICO_OK) note(orbit, run, orbit->y, 0.0, 0, space, sheet, out);
    rico_run_options options = rico_run_defaults(T / (double)run->samples);
    for (int64_t i = 1; i <= run->periods * run->samples && status == RICO_OK; i++) {
        double t = T * (double)i / (double)run->samples;
        status = rico_simulation_run(sim, t, &options, NULL, NULL, NULL);
        if (status == RICO_OK) note(orbit, run, rico_simulation_position(sim), t, i, space, sheet, out);
        if (rico_context_interrupted(sheet->ctx)) break;
    }
    return status;
}


rico_status rico_ring_run_sheet(const rico_ring_orbit *orbit, const rico_ring_run *run, rico_sheet *sheet)
{
    const rico_ring *ring = &orbit->ring;
    rico_system *system = NULL;
    rico_simulation *sim = NULL;
    rows out;
    if (run->first < 0 || run->last >= ring->particles || run->last < run->first)
        return rico_fail(sheet->ctx, RICO_BAD_ARGUMENT,
                         "particles %lld to %lld of a ring of %lld cannot be shown", (long long)run->first,
                         (long long)run->last, (long long)ring->particles);
    double *space = rico_alloc(sheet->ctx, 2 * ring->particles, sizeof *space);
    rico_status status = space ? add_columns(run, sheet, &out) : RICO_NO_MEMORY;
    if (status == RICO_OK)
        status = rico_ring_system(sheet->ctx, ring->particles, ring->coupling, INFINITY, &system);
    if (status == RICO_OK) status = rico_simulation_create(system, "event-driven", &sim);
    if (status == RICO_OK) status = advance(orbit, run, sim, space, sheet, &out);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
    rico_free(sheet->ctx, space);
    return status;
}


// The middle of the longest time without impacts.
static double quiet_time(const rico_ring_sequence *orbit)
{
    double longest = 0.0, quiet = 0.0;
    for (int64_t j = 0; j < orbit->count; j++) {
        double from = orbit->strike[j].time;
        double to = j + 1 < orbit->count ? orbit->strike[j + 1].time : orbit->strike[0].time + orbit->period;
        if (to - from <= longest) continue;
        longest = to - from;
        quiet = 0.5 * (from + to);
    }
    return quiet;
}


rico_status rico_ring_return_error(const rico_ring_sequence *orbit, double *error)
{
    int64_t p = orbit->particles;
    rico_context *ctx = orbit->ctx;
    rico_system *system = NULL;
    rico_simulation *sim = NULL;
    double *state = rico_alloc(ctx, 2 * p, sizeof *state);
    if (!state) return RICO_NO_MEMORY;
    rico_ring_sequence_at(orbit, quiet_time(orbit), state, state + p);
    rico_status status = rico_ring_system(ctx, p, orbit->coupling, orbit->upper, &system);
    if (status == RICO_OK) status = rico_simulation_create(system, "event-driven", &sim);
    if (status == RICO_OK) status = rico_simulation_set_number(sim, "rtol", 1e-13);
    if (status == RICO_OK) status = rico_simulation_set_number(sim, "atol", 1e-13);
    if (status == RICO_OK) status = rico_simulation_start(sim, 0.0, state, state + p);
    rico_run_options options = rico_run_defaults(orbit->period / 50.0);
    if (status == RICO_OK) status = rico_simulation_run(sim, orbit->period, &options, NULL, NULL, NULL);
    *error = 0.0;
    for (int64_t n = 0; n < p && status == RICO_OK; n++) {
        *error = fmax(*error, fabs(rico_simulation_position(sim)[n] - state[n]));
        *error = fmax(*error, fabs(rico_simulation_velocity(sim)[n] - state[p + n]));
    }
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
    rico_free(ctx, state);
    return status;
}
