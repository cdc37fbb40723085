// What motions end at: periodic orbits by Newton's method, rest, and what is neither.

#include "lab/basins.h"

#include <math.h>
#include <string.h>

enum {
    EACH = 8,
    MOST_MULTIPLE = 24,
    HITS = 3,
    CLOUD = 400,
    CLOUD_HITS = 30,
    LONGER = 4,
    MOMENTS = 4000,
    FINE = 50
};
static const double RADIUS = 1e-3; // over the sizes of the grid
static const double CLOUD_RADIUS = 0.03;
static const double SAME = 1e-3,
                    NEAR = 0.1; // states that count as the same, and as near, over the ranges of a motion
static const double COMES_BACK = 1e-6; // what counts as a cycle where Newton's method says nothing
static const double STILL = 1e-8;      // change in a period of what is at rest, over the sizes

static const char *const NAMES[RICO_ATTRACTOR_KINDS] = {[RICO_ATTRACTOR_ORBIT] = "orbit",
                                                        [RICO_ATTRACTOR_CYCLE] = "cycle",
                                                        [RICO_ATTRACTOR_REST] = "rest",
                                                        [RICO_ATTRACTOR_OTHER] = "other"};

const char *rico_attractor_kind_name(rico_attractor_kind kind)
{
    return kind >= 0 && kind < RICO_ATTRACTOR_KINDS ? NAMES[kind] : "?";
}


static double distance(int64_t size, const double *a, const double *b, const double *scale)
{
    double worst = 0.0;
    for (int64_t i = 0; i < size; i++)
        if (scale[i] > 0.0) worst = fmax(worst, fabs(a[i] - b[i]) / scale[i]);
    return worst;
}


// The point of an attractor that is nearest to x.
static double nearest(const rico_basins *basins, const rico_attractor *attractor, const double *x,
                      int64_t *point)
{
    int64_t size = basins->nq + basins->nv;
    double best = INFINITY;
    for (int64_t k = 0; k < attractor->points; k++) {
        double d = distance(size, x, attractor->x + k * size, basins->scale);
        if (d >= best) continue;
        best = d;
        *point = k;
    }
    return best;
}


// ---- who is captured ------------------------------------------------------------------------------------------------

static bool stays(const rico_basins *basins, int a, const double *x, rico_basin_capture *capture)
{
    const rico_attractor *attractor = &basins->attractor[a];
    int64_t point = 0, next = (capture->point + 1) % attractor->points;
    bool loose = attractor->cloud, before = capture->hits > 0 && capture->attractor == a;
    if (!(nearest(basins, attractor, x, &point) < (loose ? CLOUD_RADIUS : basins->radius))) return false;
    // the points of an orbit come in their order
    capture->hits = before && (loose || point == next) ? capture->hits + 1 : 1;
    capture->attractor = a;
    capture->point = point;
    return true;
}


int rico_basin_captured(const rico_basins *basins, const double *x, bool last, rico_basin_capture *capture)
{
    for (int pass = 0; pass < 2; pass++) // those that are not periodic fill much of the space: last
        for (int a = 0; a < (int)basins->attractors; a++) {
            bool loose = basins->attractor[a].cloud;
            if (loose != (pass == 1) || !stays(basins, a, x, capture)) continue;
            bool enough = capture->hits >= (loose ? CLOUD_HITS : HITS);
            return enough && (last || basins->attractor[a].kind != RICO_ATTRACTOR_OTHER)
                       ? a
                       : RICO_BASIN_UNDECIDED;
        }
    capture->hits = 0;
    return RICO_BASIN_UNDECIDED;
}


// ---- another one ------------------------------------------------------------------------------------------------------

// One that is known has most of the points of the new one.
static int known(const rico_basins *basins, const rico_attractor *one)
{
    int64_t size = basins->nq + basins->nv, point;
    for (int a = 0; a < (int)basins->attractors; a++) {
        const rico_attractor *other = &basins->attractor[a];
        bool loose = one->cloud;
        if (loose != other->cloud) continue;
        int64_t shared = 0;
        for (int64_t k = 0; k < one->points; k++)
            shared += nearest(basins, other, one->x + k * size, &point) < (loose ? CLOUD_RADIUS : RADIUS);
        if (10 * shared >= 9 * one->points && (loose || one->points == other->points)) return a;
    }
    return RICO_BASIN_UNDECIDED;
}


// A radius that leaves room between it and the others.
static void keep_apart(rico_basins *basins, const rico_attractor *one)
{
    int64_t size = basins->nq + basins->nv, point;
    for (int64_t a = 0; a < basins->attractors; a++)
        for (int64_t k = 0; k < one->points; k++)
            if (!one->cloud && !basins->attractor[a].cloud)
                basins->radius = fmin(
                    basins->radius, 0.2 * nearest(basins, &basins->attractor[a], one->x + k * size, &point));
}


// What is on its way elsewhere is no attractor: the second half of the points must be where the first half was, and the other way round.
static bool recurs(const rico_basins *basins, const rico_attractor *one)
{
    int64_t size = basins->nq + basins->nv, half = one->points / 2, near = 0, point;
    rico_attractor part[2] = {{.points = half, .x = one->x}, {.points = half, .x = one->x + half * size}};
    for (int k = 0; k < 2; k++)
        for (int64_t i = 0; i < half; i++)
            near += nearest(basins, &part[1 - k], part[k].x + i * size, &point) < CLOUD_RADIUS;
    return 20 * near >= 19 * 2 * half;
}


// Takes over its points.
static void add(rico_basins *basins, rico_attractor *one, int *found)
{
    bool nothing = one->kind == RICO_ATTRACTOR_OTHER && !recurs(basins, one);
    if (!nothing) *found = known(basins, one);
    bool full = !nothing && *found < 0 && basins->attractors == RICO_ATTRACTORS;
    basins->more |= full;
    if (nothing || full || *found >= 0) {
        rico_free(basins->ctx, one->x);
        return;
    }
    if (basins->attractors == 0) basins->radius = RADIUS;
    keep_apart(basins, one);
    *found = (int)basins->attractors;
    basins->attractor[basins->attractors++] = *one;
}


// The smallest number of periods after which the motion is where it was: x has EACH states for each period. *back: how near.
static int64_t multiple_of(const rico_basins *basins, const double *x, double *back)
{
    int64_t size = basins->nq + basins->nv, all = MOST_MULTIPLE * EACH, multiple = 1;
    double best = INFINITY, range[2] = {0.0, 0.0}; // of positions and of velocities, over the scales
    for (int64_t n = 1; n <= all; n++)
        for (int64_t i = 0; i < size; i++)
            range[i >= basins->nq] =
                fmax(range[i >= basins->nq], fabs(x[n * size + i] - x[i]) / basins->scale[i]);
    for (int64_t k = 1; k <= MOST_MULTIPLE; k++) {
        double d = 0.0;
        for (int64_t i = 0; i < size; i++) {
            double own = range[i >= basins->nq];
            if (own > 0.0) d = fmax(d, fabs(x[k * EACH * size + i] - x[i]) / basins->scale[i] / own);
        }
        if (d < 0.1 * best) {
            multiple = k;
            best = d;
        }
        if (d < SAME) break;
    }
    *back = best;
    return multiple;
}


static void describe(const rico_orbit *orbit, rico_attractor *out)
{
    const double *real, *imag;
    int64_t count = rico_orbit_multipliers(orbit, &real, &imag);
    out->kind = RICO_ATTRACTOR_ORBIT;
    out->period = rico_orbit_period(orbit);
    rico_orbit_events(orbit, &out->events);
    out->multipliers = count < RICO_ATTRACTOR_MULTIPLIERS ? count : RICO_ATTRACTOR_MULTIPLIERS;
    memcpy(out->real, real, (size_t)out->multipliers * sizeof *real);
    memcpy(out->imag, imag, (size_t)out->multipliers * sizeof *imag);
}


// Newton's method from x. *out stays without points where it finds nothing stable nearby.
static rico_status refine(rico_basins *basins, const double *x, int64_t multiple, rico_attractor *out)
{
    rico_orbit_options options = rico_orbit_defaults();
    rico_orbits *orbits = NULL;
    rico_orbit *orbit = NULL;
    int64_t size = basins->nq + basins->nv;
    options.multiple = multiple;
    rico_status status =
        rico_orbits_create(basins->ctx, rico_scene_family_systems(basins->family), &options, &orbits);
    if (status != RICO_OK) return status;
    rico_orbit_start start = {.t = basins->t, .q = x, .v = x + basins->nq};
    rico_status found = rico_orbit_find(orbits, &start, &orbit);
    if (found == RICO_NO_MEMORY || found == RICO_INTERRUPTED) status = found;
    if (found == RICO_OK && rico_orbit_lawful(orbit) && rico_orbit_stable(orbit)) {
        out->points = multiple;
        out->x = rico_alloc(basins->ctx, multiple * size, sizeof *out->x);
        if (!out->x) status = RICO_NO_MEMORY;
        for (int64_t k = 0; status == RICO_OK && k < multiple; k++)
            status =
                rico_orbit_state(orbits, orbit, basins->t + (double)k * basins->period, out->x + k * size);
        describe(orbit, out);
        // Newton's method may have gone elsewhere
        if (status == RICO_OK && distance(size, x, out->x, basins->scale) > NEAR) out->points = 0;
        if (status != RICO_OK || out->points == 0) {
            rico_free(basins->ctx, out->x);
            *out = (rico_attractor){0};
        }
    }
    rico_orbit_destroy(orbit);
    rico_orbits_destroy(orbits);
    return status;
}


// So many states of the motion, a period apart, with all events between.
static rico_status strobe(rico_basins *basins, rico_simulation *sim, const double *x, int64_t points,
                          rico_attractor *out)
{
    int64_t size = basins->nq + basins->nv, events;
    out->x = rico_alloc(basins->ctx, (points + 1) * size, sizeof *out->x);
    if (!out->x) return RICO_NO_MEMORY;
    memcpy(out->x, x, (size_t)size * sizeof *x);
    rico_status status = rico_basin_start(basins, sim, x);
    for (int64_t k = 1; status == RICO_OK && k <= points; k++) {
        status = rico_basin_step(basins, sim, basins->period, out->x + k * size);
        rico_simulation_events(sim, &events);
        if (status == RICO_OK) out->events += events;
    }
    out->points = points;
    if (status == RICO_OK) return RICO_OK;
    rico_free(basins->ctx, out->x);
    *out = (rico_attractor){0};
    return status;
}


// A periodic orbit from x, or a cycle; *out stays without points where the motion does not come back.
static rico_status periodic(rico_basins *basins, rico_simulation *sim, const double *x, rico_attractor *out)
{
    int64_t size = basins->nq + basins->nv, all = MOST_MULTIPLE * EACH;
    double back, *seen = rico_alloc(basins->ctx, (all + 1) * size, sizeof *seen);
    if (!seen) return RICO_NO_MEMORY;
    memcpy(seen, x, (size_t)size * sizeof *x);
    rico_status status = rico_basin_start(basins, sim, x);
    for (int64_t n = 1; status == RICO_OK && n <= all; n++)
        status = rico_basin_step(basins, sim, basins->period / EACH, seen + n * size);
    if (status == RICO_OK) {
        int64_t multiple = multiple_of(basins, seen, &back);
        if (back < NEAR) status = refine(basins, x, multiple, out);
        if (status == RICO_OK && out->points == 0 && back < COMES_BACK) {
            out->kind = RICO_ATTRACTOR_CYCLE;
            status = strobe(basins, sim, x, multiple, out);
        }
    }
    rico_free(basins->ctx, seen);
    return status;
}


// What is not periodic is watched for long, and asked again: a transient may take its time.
static rico_status driven(rico_basins *basins, rico_simulation *sim, const double *x, int *found)
{
    int64_t size = basins->nq + basins->nv;
    rico_attractor one = {0}, cloud = {.kind = RICO_ATTRACTOR_OTHER, .cloud = true};
    rico_status status = periodic(basins, sim, x, &one);
    if (status == RICO_OK && one.points == 0) status = strobe(basins, sim, x, CLOUD, &cloud);
    if (status == RICO_OK && one.points == 0) status = periodic(basins, sim, cloud.x + CLOUD * size, &one);
    if (status == RICO_OK) add(basins, one.points > 0 ? &one : &cloud, found);
    if (status != RICO_OK || one.points > 0) rico_free(basins->ctx, cloud.x);
    return status;
}


// The first time after which a motion that nothing drives is near where it was; 0: none was seen.
static rico_status comes_back(rico_basins *basins, rico_simulation *sim, const double *x, double *time)
{
    int64_t size = basins->nq + basins->nv;
    double *away = rico_alloc(basins->ctx, MOMENTS + 1 + size, sizeof *away), farthest = 0.0,
           step = basins->period / FINE;
    if (!away) return RICO_NO_MEMORY;
    *time = 0.0;
    rico_status status = rico_basin_start(basins, sim, x);
    for (int64_t n = 1; status == RICO_OK && n <= MOMENTS; n++) {
        status = rico_basin_step(basins, sim, step, away + MOMENTS + 1);
        away[n] = distance(size, x, away + MOMENTS + 1, basins->scale);
        farthest = fmax(farthest, away[n]);
    }
    bool left = false;
    for (int64_t n = 1; status == RICO_OK && *time == 0.0 && n < MOMENTS; n++) {
        left |= away[n] > 0.3 * farthest;
        if (left && away[n] < NEAR * farthest && away[n] <= away[n - 1] && away[n] <= away[n + 1])
            *time = step * (double)n;
    }
    rico_free(basins->ctx, away);
    return status;
}


// Makes a cloud of what nothing drives an orbit, where Newton's method finds a stable one of about the time in which the motion comes back.
static rico_status make_orbit(rico_basins *basins, rico_simulation *sim, const double *x, rico_attractor *out)
{
    double guess;
    rico_orbits *orbits = NULL;
    rico_orbit *orbit = NULL;
    rico_status status = comes_back(basins, sim, x, &guess);
    if (status != RICO_OK || guess == 0.0) return status;
    status = rico_orbits_create(basins->ctx, rico_scene_family_systems(basins->family), NULL, &orbits);
    if (status != RICO_OK) return status;
    rico_orbit_start start = {.t = basins->t, .q = x, .v = x + basins->nq, .period = guess};
    rico_status found = rico_orbit_find(orbits, &start, &orbit);
    if (found == RICO_NO_MEMORY || found == RICO_INTERRUPTED) status = found;
    bool good = found == RICO_OK && rico_orbit_lawful(orbit) && rico_orbit_stable(orbit);
    if (good && fabs(rico_orbit_period(orbit) - guess) < NEAR * guess) describe(orbit, out);
    rico_orbit_destroy(orbit);
    rico_orbits_destroy(orbits);
    return status;
}


// Rest, after a while longer; else states that it passes, and the orbit that they are of.
static rico_status alone(rico_basins *basins, rico_simulation *sim, const double *x, int *found)
{
    int64_t size = basins->nq + basins->nv;
    double *now = rico_alloc(basins->ctx, 2 * size, sizeof *now), change = INFINITY;
    rico_attractor one = {.kind = RICO_ATTRACTOR_REST};
    if (!now) return RICO_NO_MEMORY;
    memcpy(now, x, (size_t)size * sizeof *x);
    rico_status status = rico_basin_start(basins, sim, x);
    for (int64_t n = 0; status == RICO_OK && change > STILL && n < LONGER * basins->order->periods; n++) {
        memcpy(now + size, now, (size_t)size * sizeof *now);
        status = rico_basin_step(basins, sim, basins->period, now);
        change = distance(size, now, now + size, basins->scale);
    }
    one.cloud = !(change <= STILL);
    if (one.cloud) one.kind = RICO_ATTRACTOR_OTHER;
    if (status == RICO_OK) status = strobe(basins, sim, now, one.cloud ? CLOUD : 1, &one);
    if (status == RICO_OK && one.cloud) status = make_orbit(basins, sim, one.x + CLOUD * size, &one);
    if (status == RICO_OK)
        add(basins, &one, found);
    else
        rico_free(basins->ctx, one.x);
    rico_free(basins->ctx, now);
    return status;
}


rico_status rico_basin_attract(rico_basins *basins, const double *x, int *found)
{
    const rico_family *systems = rico_scene_family_systems(basins->family);
    rico_simulation *sim = NULL;
    void *owner = NULL;
    *found = RICO_BASIN_UNDECIDED;
    rico_status status = systems->make(systems->user, 0.0, &sim, &owner);
    if (status == RICO_OK) {
        status = systems->period ? driven(basins, sim, x, found) : alone(basins, sim, x, found);
        if (status != RICO_NO_MEMORY && status != RICO_INTERRUPTED)
            status = RICO_OK; // a run that fails ends at nothing
    }
    if (sim) systems->drop(systems->user, sim, owner);
    return status;
}
