// The LZB model with Coulomb friction: energies of the normal springs as in lzb.h, tangential impulses of
// each step by Coulomb's law.
//
// Darboux and Keller's equations with tangential stiffness infinite (Liu, Zhao and Brogliato's third
// assumption): M du = W dP + T dQ. In a step, dP follows from the energies; dQ is the one that makes, with
// the slip at the end of the step, |dQ_j| <= mu_j dP_j, and dQ_j against the slip wherever that is not zero.
// Stick, slip, its reversal and its change of direction need no cases. The problem of dQ is solved contact by
// contact until nothing changes; it is the friction problem of a step with normal impulses given, which is
// convex: a minimum of energy over boxes or discs.

#include "law/impact_law.h"
#include "law/lzb.h"

#include <math.h>
#include <string.h>

enum { STEP, RELATIVE_STEP, START_TOL, MAX_STEPS, OPTIONS };

static const rico_option_info options[OPTIONS] = {
    [STEP] = {"step", "time step; 0 takes relative-step", RICO_REAL, 0.0, 1e300, 0.0, NULL},
    [RELATIVE_STEP] = {"relative-step", "step over the time unit of the contacts", RICO_REAL, 1e-12, 1.0,
                       2e-4, NULL},
    [START_TOL] = {"start-tol",
                   "approach velocity, over the largest at the start, above which a contact starts",
                   RICO_REAL, 0.0, 1.0, 1e-6, NULL},
    [MAX_STEPS] = {"max-steps", "steps allowed", RICO_INTEGER, 0.0, 1e15, 1e8, NULL},
};

enum { INTERRUPT_EVERY = 4096, MOST_SWEEPS = 10000 };

static const double SETTLED = 1e-14; // change of a sweep, over the largest bound

typedef struct frictional {
    double *increment; // h + h d: dP, then dQ
    double *rate;      // h + h d: approach velocities, then slips
    double *next;
    double *force, *power; // h
    double step, start, time;
} frictional;


static void cleanup(rico_impact_law *law)
{
    frictional *own = law->work;
    double *all[] = {own->increment, own->rate, own->next, own->force, own->power};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) rico_free(law->ctx, all[k]);
    rico_free(law->ctx, own);
}


static rico_status setup(rico_impact_law *law)
{
    int64_t h = law->impact->contacts, all = h + h * law->impact->directions;
    frictional *own = rico_alloc(law->ctx, 1, sizeof *own);
    if (!own) return RICO_NO_MEMORY;
    law->work = own;
    own->increment = rico_alloc(law->ctx, all, sizeof *own->increment);
    own->rate = rico_alloc(law->ctx, all, sizeof *own->rate);
    own->next = rico_alloc(law->ctx, all, sizeof *own->next);
    own->force = rico_alloc(law->ctx, h, sizeof *own->force);
    own->power = rico_alloc(law->ctx, h, sizeof *own->power);
    return own->increment && own->rate && own->next && own->force && own->power ? RICO_OK : RICO_NO_MEMORY;
}


// The Delassus matrix of normals and directions; of normals alone where nothing rubs.
static const rico_csc *matrix(const rico_impact *impact)
{
    return impact->full ? &impact->full->G : &impact->G;
}


// Scales of velocity and time, and the state in which the impact begins; false when nothing approaches.
static bool begin(rico_impact_law *law, frictional *own)
{
    const rico_impact *impact = law->impact;
    int64_t h = impact->contacts;
    double velocity = 0.0, unit = INFINITY;
    for (int64_t j = 0; j < h; j++)
        if (impact->active[j])
            velocity =
                fmax(velocity, fmax(-law->before[j], sqrt(2.0 * impact->energy[j] * impact->diagonal[j])));
    if (velocity == 0.0) return false;
    for (int64_t j = 0; j < h; j++) {
        double eta = impact->exponent[j], K = impact->stiffness[j];
        if (impact->active[j] && impact->diagonal[j] > 0.0)
            unit = fmin(unit, rico_contact_time_unit(1.0 / impact->diagonal[j], K, eta, velocity));
        own->power[j] = eta / (1.0 + eta);
        own->force[j] = pow(1.0 + eta, own->power[j]) * pow(K, 1.0 / (1.0 + eta));
        own->rate[j] = -law->before[j];
        law->potential[j] = impact->active[j] ? impact->energy[j] : 0.0;
    }
    for (int64_t i = 0; i < h * impact->directions; i++) own->rate[h + i] = law->slip_before[i];
    memset(own->increment, 0, (size_t)(h + h * impact->directions) * sizeof *own->increment);
    own->step = law->option[STEP] > 0.0 ? law->option[STEP] : law->option[RELATIVE_STEP] * unit;
    own->start = law->option[START_TOL] * velocity;
    own->time = 0.0;
    return true;
}


// dP from the energies (eq. 33, 34 of Nguyen and Brogliato 2018); false when all contacts are idle.
static bool press(rico_impact_law *law, frictional *own)
{
    const rico_impact *impact = law->impact;
    bool any = false;
    for (int64_t j = 0; j < impact->contacts; j++) {
        double E = law->potential[j], rate = own->rate[j], impulse = 0.0;
        if (!impact->active[j]) continue;
        if (E > 0.0)
            impulse = own->force[j] * pow(E, own->power[j]) * own->step;
        else if (rate > own->start)
            impulse = 0.5 * impact->stiffness[j] * pow(rate * own->step, impact->exponent[j]) * own->step;
        own->increment[j] = impulse;
        any = any || impulse > 0.0;
    }
    return any;
}


// Velocities after the increments: normals are approaches, -gamma; slips have their own sign.
static void velocities(const rico_impact *impact, const double *rate, const double *increment, double *next)
{
    const rico_csc *G = matrix(impact);
    for (int64_t j = 0; j < G->cols; j++) {
        double change = 0.0;
        for (int64_t k = G->start[j]; k < G->start[j + 1]; k++) change += G->value[k] * increment[G->row[k]];
        next[j] = rate[j] + (j < impact->contacts ? -change : change);
    }
}


// One contact's dQ against its slip: back to the disc of radius `bound`. Keeps `next` up to date; returns the
// change.
static double rub(const rico_impact *impact, frictional *own, int64_t j, double bound)
{
    const rico_csc *G = &impact->full->G;
    int64_t d = impact->directions, at = impact->contacts + j * d;
    double stiffest = 0.0, wanted[2] = {0.0, 0.0}, size = 0.0, moved = 0.0;
    for (int64_t i = 0; i < d; i++) stiffest += impact->full->diagonal[at + i];
    if (!(stiffest > 0.0)) return 0.0;
    for (int64_t i = 0; i < d; i++) {
        wanted[i] = own->increment[at + i] - own->next[at + i] / stiffest;
        size = hypot(size, wanted[i]);
    }
    for (int64_t i = 0; i < d; i++) {
        double value = size > bound ? wanted[i] * bound / size : wanted[i],
               change = value - own->increment[at + i];
        own->increment[at + i] = value;
        moved = fmax(moved, fabs(change));
        if (change == 0.0) continue;
        for (int64_t k = G->start[at + i]; k < G->start[at + i + 1]; k++) {
            int64_t row = G->row[k];
            own->next[row] += (row < impact->contacts ? -1.0 : 1.0) * G->value[k] * change;
        }
    }
    return moved;
}


// dQ of all contacts, from that of the step before.
static void rub_all(const rico_impact *impact, frictional *own)
{
    double largest = 0.0;
    for (int64_t j = 0; j < impact->contacts && impact->directions > 0; j++)
        largest = fmax(largest, impact->friction[j] * own->increment[j]);
    velocities(impact, own->rate, own->increment, own->next);
    for (int sweep = 0; sweep < MOST_SWEEPS && largest > 0.0; sweep++) {
        double moved = 0.0;
        for (int64_t j = 0; j < impact->contacts; j++)
            moved = fmax(moved, rub(impact, own, j, impact->friction[j] * own->increment[j]));
        if (moved <= SETTLED * largest) break;
    }
    velocities(impact, own->rate, own->increment, own->next);
}


// Works, energies and impulses of the step.
static void settle(rico_impact_law *law, frictional *own)
{
    const rico_impact *impact = law->impact;
    int64_t h = impact->contacts, d = impact->directions;
    for (int64_t j = 0; j < h; j++) {
        double impulse = own->increment[j], rate = own->rate[j], next = own->next[j],
               e = impact->restitution[j];
        double work = 0.5 * (rate + next) * impulse, E = law->potential[j];
        law->impulse[j] += impulse;
        law->loss[j] += work;
        for (int64_t i = h + j * d; i < h + (j + 1) * d; i++) {
            law->tangential[i - h] += own->increment[i];
            law->loss[j] -= 0.5 * (own->rate[i] + own->next[i]) * own->increment[i];
        }
        if (impulse == 0.0) continue;
        if (next >= 0.0) {
            if (E == 0.0) law->impacts[j]++, law->collisions++;
            law->compression[j] += work;
            E += work;
        } else {
            E = e > 0.0 ? E + work / (e * e) : 0.0;
        }
        law->potential[j] = fmax(E, 0.0);
    }
    memcpy(own->rate, own->next, (size_t)(h + h * d) * sizeof *own->rate);
}


static rico_status apply(rico_impact_law *law)
{
    frictional *own = law->work;
    int64_t limit = (int64_t)law->option[MAX_STEPS];
    if (!begin(law, own)) return RICO_OK;
    while (press(law, own)) {
        if (law->steps >= limit) {
            rico_impact_law_stop(law, RICO_IMPACT_MAX_COUNT, "%lld steps, contacts still in impact",
                                 (long long)limit);
            break;
        }
        if (law->steps % INTERRUPT_EVERY == 0 && rico_context_interrupted(law->ctx)) {
            rico_impact_law_stop(law, RICO_IMPACT_STOPPED, "after %lld steps", (long long)law->steps);
            break;
        }
        rub_all(law->impact, own);
        settle(law, own);
        own->time += own->step;
        law->steps++;
        if (!isfinite(own->rate[0])) {
            rico_impact_law_stop(law, RICO_IMPACT_DIVERGED, "the step %g is too long", own->step);
            break;
        }
        if (law->observer && law->steps % law->observe_every == 0) {
            const rico_impact_state state = {law->steps, own->time, law->potential, own->rate, law->impulse};
            law->observer(law->observer_user, &state);
        }
    }
    law->duration = own->time;
    return RICO_OK;
}


const rico_impact_law_method rico_lzb_friction_method = {
    .info = {.name = "lzb-friction",
             .summary =
                 "lzb with Coulomb friction: stick and slip through the impact; without friction it is lzb",
             .reference = "after Zhao, Liu, Brogliato 2009",
             .option_count = OPTIONS,
             .options = options,
             .in_time = true,
             .friction = true},
    .setup = setup,
    .apply = apply,
    .cleanup = cleanup,
};
