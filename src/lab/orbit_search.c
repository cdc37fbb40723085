// Where to look for an orbit of a scene.

#include "lab/orbit_search.h"

#include "base/suggest.h"
#include "scene/formula.h"
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SETTLE_PERIODS = 60, MOST_MULTIPLE = 32, MOMENTS = 4000, LATER = 40 };
static const double SAME = 1e-3;  // states that count as the same, over the ranges of the motion
static const double NEAR = 0.1;   // and those that may be near an orbit
static const double STILL = 1e-6; // ranges that count as none, over the widest of positions, or of velocities


void rico_orbit_search_name_of(rico_orbit_search *search, int64_t index, char name[RICO_SCENE_NAME])
{
    const rico_scene *scene = rico_scene_family_scene(search->family);
    if (index < search->nq)
        rico_scene_position_name(scene, index, name);
    else
        rico_scene_velocity_name(scene, index - search->nq, name);
}


rico_status rico_orbit_search_name(rico_orbit_search *search, const char *name, int64_t *out)
{
    char known[RICO_SCENE_NAME], best[RICO_SCENE_NAME] = "", words[160] = "";
    rico_suggestion near;
    int distance = -1;
    for (int64_t i = 0; i < search->nq + search->nv; i++) {
        rico_orbit_search_name_of(search, i, known);
        *out = i;
        if (strcmp(known, name) == 0) return RICO_OK;
        rico_suggest_start(&near, name);
        rico_suggest_offer(&near, known);
        if (near.best && (distance < 0 || near.distance < distance)) {
            distance = near.distance;
            memcpy(best, known, sizeof best);
        }
    }
    if (best[0]) snprintf(words, sizeof words, "; did you mean \"%s\"?", best);
    return rico_fail(search->ctx, RICO_BAD_ARGUMENT, "the scene has no position or velocity \"%s\"%s", name,
                     words);
}


static rico_status position(rico_orbit_search *search, const char *name, int64_t *out)
{
    rico_status status = rico_orbit_search_name(search, name, out);
    if (status == RICO_OK && *out >= search->nq)
        return rico_fail(search->ctx, RICO_BAD_ARGUMENT, "\"%s\" is a velocity, a position is needed", name);
    if (status == RICO_OK && search->nq != search->nv)
        return rico_fail(search->ctx, RICO_UNSUPPORTED,
                         "positions that come back elsewhere are not for scenes with bodies in space");
    return status;
}


// "theta=2*pi"
static rico_status read_shift(rico_orbit_search *search, const char *text)
{
    char name[RICO_SCENE_NAME];
    const char *equals = strchr(text, '=');
    int64_t index;
    if (!equals || (size_t)(equals - text) >= sizeof name)
        return rico_fail(search->ctx, RICO_BAD_ARGUMENT,
                         "a shift reads NAME=VALUE, as theta=2*pi, not \"%s\"", text);
    snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
    rico_status status = position(search, name, &index);
    if (status != RICO_OK) return status;
    const rico_scope *scope = &rico_scene_parameters(rico_scene_family_scene(search->family))->scope;
    return rico_formula_constant(search->ctx, equals + 1, scope, NULL, &search->shift[index]);
}


static rico_status read_names(rico_orbit_search *search)
{
    const rico_orbit_order *order = search->order;
    rico_status status = RICO_OK;
    search->free = rico_alloc(search->ctx, search->nq, 1);
    search->shift = rico_alloc(search->ctx, search->nq, sizeof *search->shift);
    if (!search->free || !search->shift) return RICO_NO_MEMORY;
    for (int64_t i = 0; status == RICO_OK && i < order->free_count; i++) {
        int64_t index;
        status = position(search, order->free[i], &index);
        if (status == RICO_OK) search->free[index] = 1;
    }
    for (int64_t i = 0; status == RICO_OK && i < order->shift_count; i++)
        status = read_shift(search, order->shift[i]);
    search->options.free = search->free;
    search->options.shift = search->shift;
    return status;
}


// ---- how long it takes ------------------------------------------------------------------------------------------

static double *state_of(const rico_orbit_search *search, const rico_simulation *sim, double *x)
{
    memcpy(x, rico_simulation_position(sim), (size_t)search->nq * sizeof *x);
    memcpy(x + search->nq, rico_simulation_velocity(sim), (size_t)search->nv * sizeof *x);
    return x;
}


// The largest difference of two states, over the ranges; b is a whole number of turns later.
static double distance(const rico_orbit_search *search, const double *a, const double *b, const double *range)
{
    double worst = 0.0, widest[2] = {0.0, 0.0};
    for (int64_t i = 0; i < search->nq + search->nv; i++)
        widest[i >= search->nq] = fmax(widest[i >= search->nq], range[i]);
    for (int64_t i = 0; i < search->nq + search->nv; i++) {
        bool place = i < search->nq;
        // what hardly moves has a range of round-off, and says nothing
        if ((place && search->free[i]) || !(range[i] > STILL * widest[!place])) continue;
        double change = b[i] - a[i];
        if (place && search->shift[i] != 0.0) change = remainder(change, search->shift[i]);
        worst = fmax(worst, fabs(change) / range[i]);
    }
    return worst;
}


static void widen(const rico_orbit_search *search, const double *x, double *low, double *high)
{
    for (int64_t i = 0; i < search->nq + search->nv; i++) {
        low[i] = fmin(low[i], x[i]);
        high[i] = fmax(high[i], x[i]);
    }
}


// States at MOMENTS equal steps over `time`, from where the simulation is; count: how many there are.
static rico_status watch(const rico_orbit_search *search, rico_simulation *sim, double step, int64_t count,
                         double *x, double *range)
{
    int64_t size = search->nq + search->nv;
    double *low = rico_alloc(search->ctx, 2 * size, sizeof *low);
    if (!low) return RICO_NO_MEMORY;
    double *high = low + size;
    state_of(search, sim, x);
    memcpy(low, x, (size_t)size * sizeof *low);
    memcpy(high, x, (size_t)size * sizeof *low);
    rico_status status = RICO_OK;
    for (int64_t n = 1; status == RICO_OK && n <= count; n++) {
        status = rico_simulation_step(sim, step);
        if (status == RICO_OK) widen(search, state_of(search, sim, x + n * size), low, high);
    }
    for (int64_t i = 0; i < size; i++) range[i] = high[i] - low[i];
    rico_free(search->ctx, low);
    return status;
}


// The smallest number of periods after which a driven motion is where it was.
static rico_status find_multiple(rico_orbit_search *search, rico_simulation *sim, double period)
{
    enum { EACH = 8 };
    int64_t size = search->nq + search->nv;
    double *x = rico_alloc(search->ctx, 5 * size, sizeof *x), best = INFINITY;
    if (!x) return RICO_NO_MEMORY;
    double *now = x + size, *low = now + size, *high = low + size, *range = high + size;
    rico_status status = RICO_OK;
    state_of(search, sim, x);
    memcpy(low, x, (size_t)size * sizeof *low);
    memcpy(high, x, (size_t)size * sizeof *high);
    search->options.multiple = 1;
    for (int64_t n = 1; status == RICO_OK && n <= MOST_MULTIPLE * EACH; n++) {
        status = rico_simulation_step(sim, period / EACH);
        if (status != RICO_OK) break;
        widen(search, state_of(search, sim, now), low, high);
        if (n % EACH != 0) continue;
        for (int64_t i = 0; i < size; i++) range[i] = high[i] - low[i];
        double d = distance(search, x, now, range);
        if (d < 0.1 * best) {
            search->options.multiple = n / EACH;
            best = d;
        }
        if (d < SAME) break;
    }
    if (!(best < NEAR)) search->options.multiple = 1;
    rico_free(search->ctx, x);
    return status;
}


// The first time after which a motion that nothing drives is nearly where it was.
static rico_status find_return(rico_orbit_search *search, rico_simulation *sim, double time)
{
    int64_t size = search->nq + search->nv;
    double *x = rico_alloc(search->ctx, (MOMENTS + 2) * size, sizeof *x), best = INFINITY,
           step = time / MOMENTS;
    if (!x) return RICO_NO_MEMORY;
    double *range = x + (MOMENTS + 1) * size;
    rico_status status = watch(search, sim, step, MOMENTS, x, range);
    bool away = false;
    for (int64_t n = 1; status == RICO_OK && n < MOMENTS; n++) {
        double d = distance(search, x, x + n * size, range),
               before = distance(search, x, x + (n - 1) * size, range),
               after = distance(search, x, x + (n + 1) * size, range);
        away |= d > 0.3;
        if (!away || d > before || d > after || d > NEAR || d > 0.5 * best) continue;
        best = d;
        search->guess = step * (double)n;
        if (d < 0.03) break;
    }
    rico_free(search->ctx, x);
    if (status == RICO_OK && !isfinite(best))
        return rico_fail(search->ctx, RICO_UNSUPPORTED,
                         "the motion does not come back within %g: a longer --settle, or a --guess of the "
                         "period, may help",
                         time);
    return status;
}


// ---- the start ----------------------------------------------------------------------------------------------------

static rico_status constant_period(rico_orbit_search *search, double *out)
{
    const rico_scope *scope = &rico_scene_parameters(rico_scene_family_scene(search->family))->scope;
    rico_status status = rico_formula_constant(search->ctx, search->order->period, scope, NULL, out);
    if (status != RICO_OK) return rico_fail_in(search->ctx, status, "the period");
    if (!(*out > 0.0))
        return rico_fail(search->ctx, RICO_BAD_ARGUMENT, "the period must be positive, not %g", *out);
    return RICO_OK;
}


static void take(rico_orbit_search *search, const rico_simulation *sim)
{
    memcpy(search->q, rico_simulation_position(sim), (size_t)search->nq * sizeof *search->q);
    memcpy(search->v, rico_simulation_velocity(sim), (size_t)search->nv * sizeof *search->v);
    search->t = rico_simulation_time(sim);
}


// Lets the motion settle in steps of a period or so, and asks how long it takes to come back.
static rico_status settle(rico_orbit_search *search, rico_simulation *sim, double period)
{
    const rico_orbit_order *order = search->order;
    rico_scene_time times = rico_scene_times(rico_scene_family_scene(search->family));
    double wait = order->settle, whole = times.end - times.start;
    if (isnan(wait)) wait = order->conservative ? 0.0 : period > 0.0 ? SETTLE_PERIODS * period : whole;
    int64_t steps = period > 0.0 ? (int64_t)ceil(wait / period - 1e-9) : wait > 0.0 ? 200 : 0;
    double step = period > 0.0 ? period : steps > 0 ? wait / (double)steps : 0.0;
    rico_status status = RICO_OK;
    for (int64_t n = 0; status == RICO_OK && n < steps; n++) status = rico_simulation_step(sim, step);
    if (status != RICO_OK) return rico_fail_in(search->ctx, status, "while the motion settles");
    take(search, sim);
    if (period > 0.0) return order->multiple == 0 ? find_multiple(search, sim, period) : RICO_OK;
    search->guess = order->guess;
    return search->guess > 0.0 ? RICO_OK : find_return(search, sim, whole);
}


static rico_status prepare(rico_orbit_search *search)
{
    const rico_orbit_order *order = search->order;
    rico_scene_family_options family = {.path = order->scene,
                                        .override_count = order->set_count,
                                        .overrides = order->set,
                                        .parameter = order->parameter,
                                        .period = order->conservative ? NULL : order->period,
                                        .excerpt = order->excerpt,
                                        .excerpt_size = order->excerpt_size};
    rico_status status = rico_scene_family_create(search->ctx, &family, &search->family);
    if (status != RICO_OK) return status;
    const rico_system *system = rico_scene_system(rico_scene_family_scene(search->family));
    search->nq = rico_system_positions(system);
    search->nv = rico_system_velocities(system);
    search->q = rico_alloc(search->ctx, search->nq, sizeof *search->q);
    search->v = rico_alloc(search->ctx, search->nv, sizeof *search->v);
    if (!search->q || !search->v) return RICO_NO_MEMORY;
    search->options = rico_orbit_defaults();
    search->options.conservative = order->conservative;
    search->options.over_period = order->over_period;
    search->options.pieces = order->pieces > 0 ? order->pieces : 1;
    search->options.multiple = order->multiple > 0 ? order->multiple : 1;
    if (order->conservative && !order->period)
        return rico_fail(search->ctx, RICO_BAD_ARGUMENT,
                         "orbits of a conservative scene come in families: say which --period");
    return read_names(search);
}


rico_status rico_orbit_search_start(rico_context *ctx, const rico_orbit_order *order,
                                    rico_orbit_search *search)
{
    rico_simulation *sim = NULL;
    void *owner = NULL;
    double period = 0.0;
    *search = (rico_orbit_search){.ctx = ctx, .order = order};
    rico_status status = prepare(search);
    const rico_family *systems = status == RICO_OK ? rico_scene_family_systems(search->family) : NULL;
    double value = status == RICO_OK ? rico_scene_family_value(search->family) : 0.0;
    if (status == RICO_OK) status = systems->make(systems->user, value, &sim, &owner);
    if (status == RICO_OK) {
        rico_scene *scene = rico_scene_family_scene(search->family);
        status = rico_simulation_start(sim, rico_scene_times(scene).start, rico_scene_position(scene),
                                       rico_scene_velocity(scene));
    }
    if (status == RICO_OK && systems->period) status = systems->period(systems->user, value, &period);
    if (status == RICO_OK && systems->period && !(period > 0.0))
        status = rico_fail(ctx, RICO_BAD_ARGUMENT, "the period must be positive, not %g", period);
    if (status == RICO_OK && order->conservative) {
        take(search, sim);
        status = constant_period(search, &search->guess);
    } else if (status == RICO_OK) {
        status = settle(search, sim, period);
    }
    if (sim) systems->drop(systems->user, sim, owner);
    if (status == RICO_OK) status = rico_orbits_create(ctx, systems, &search->options, &search->orbits);
    if (status != RICO_OK) rico_orbit_search_release(search);
    return status;
}


void rico_orbit_search_release(rico_orbit_search *search)
{
    rico_orbits_destroy(search->orbits);
    rico_scene_family_destroy(search->family);
    rico_free(search->ctx, search->free);
    rico_free(search->ctx, search->shift);
    rico_free(search->ctx, search->q);
    rico_free(search->ctx, search->v);
    rico_context *ctx = search->ctx;
    *search = (rico_orbit_search){.ctx = ctx};
}


rico_status rico_orbit_search_find(rico_orbit_search *search, rico_orbit **out)
{
    rico_orbit_start start = {.value = rico_scene_family_value(search->family),
                              .t = search->t,
                              .q = search->q,
                              .v = search->v,
                              .period = search->guess};
    return rico_orbit_find(search->orbits, &start, out);
}
