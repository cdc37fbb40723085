// The LZB law: options, units, and the loop over the steps.

#include "law/lzb.h"

#include <math.h>
#include <string.h>

enum { SCALE, SPRING, STEP, RELATIVE_STEP, START_TOL, MAX_STEPS, PRELOAD, OPTIONS };

static const char *const scales[] = {"time", "impulse", NULL};
static const char *const springs[] = {"bi-stiffness", "mono-stiffness", NULL};
enum { BY_TIME, BY_IMPULSE };
enum { BI_STIFFNESS, MONO_STIFFNESS };

static const rico_option_info options[OPTIONS] = {
    [SCALE] = {"scale", "variable of the integration", RICO_CHOICE, 0.0, 0.0, BY_TIME, scales},
    [SPRING] = {"spring", "how a contact loses energy: all along expansion, or at its end", RICO_CHOICE, 0.0,
                0.0, BI_STIFFNESS, springs},
    [STEP] = {"step", "time step, or impulse step of the contact with most energy; 0 takes relative-step",
              RICO_REAL, 0.0, 1e300, 0.0, NULL},
    [RELATIVE_STEP] = {"relative-step", "step over the time or impulse unit of the contacts", RICO_REAL,
                       1e-12, 1.0, 2e-4, NULL},
    [START_TOL] = {"start-tol",
                   "approach velocity, over the largest at the start, above which a contact starts",
                   RICO_REAL, 0.0, 1.0, 1e-6, NULL},
    [MAX_STEPS] = {"max-steps", "steps allowed", RICO_INTEGER, 0.0, 1e15, 1e8, NULL},
    [PRELOAD] = {"preload", "force with which all contacts press when the impact begins", RICO_REAL, 0.0,
                 1e300, 0.0, NULL},
};

enum { INTERRUPT_EVERY = 4096 };

// kinetic energy gained, over the work of compression, that deserves a remark
static const double suspicious_gain = 0.01;


double rico_contact_time_unit(double mass, double stiffness, double exponent, double velocity)
{
    return pow(mass / stiffness, 1.0 / (1.0 + exponent)) * pow(velocity, (1.0 - exponent) / (1.0 + exponent));
}


double rico_impact_energy_at_start(const rico_impact *impact, int64_t j, double eta, double preload)
{
    double held = pow(preload, (1.0 + eta) / eta) * pow(impact->stiffness[j], -1.0 / eta) / (1.0 + eta);
    return impact->energy[j] + (preload > 0.0 ? held : 0.0);
}


// Potential energy that contact j holds when the impact begins.
static double energy_at_start(const rico_impact_law *law, int64_t j)
{
    return rico_impact_energy_at_start(law->impact, j, law->impact->exponent[j], law->option[PRELOAD]);
}


static void cleanup(rico_impact_law *law)
{
    rico_lzb *lzb = law->work;
    rico_free(law->ctx, lzb->rate);
    rico_free(law->ctx, lzb->next);
    rico_free(law->ctx, lzb->increment);
    rico_free(law->ctx, lzb->force);
    rico_free(law->ctx, lzb->power);
    rico_free(law->ctx, lzb->gain);
    rico_free(law->ctx, lzb->start);
    rico_free(law->ctx, lzb->peak);
    rico_free(law->ctx, lzb->phase);
    rico_free(law->ctx, lzb);
}


static rico_status setup(rico_impact_law *law)
{
    rico_context *ctx = law->ctx;
    const rico_impact *impact = law->impact;
    int64_t h = impact->contacts;
    rico_lzb *lzb = rico_alloc(ctx, 1, sizeof *lzb);
    if (!lzb) return RICO_NO_MEMORY;
    law->work = lzb;
    lzb->size = h;
    lzb->G = &impact->G;
    lzb->bandwidth = impact->bandwidth;
    lzb->restitution = impact->restitution;
    lzb->stiffness = impact->stiffness;
    lzb->exponent = impact->exponent;
    lzb->energy = law->potential;
    lzb->rate = rico_alloc(ctx, h, sizeof *lzb->rate);
    lzb->next = rico_alloc(ctx, h, sizeof *lzb->next);
    lzb->increment = rico_alloc(ctx, h, sizeof *lzb->increment);
    lzb->force = rico_alloc(ctx, h, sizeof *lzb->force);
    lzb->power = rico_alloc(ctx, h, sizeof *lzb->power);
    lzb->gain = rico_alloc(ctx, h, sizeof *lzb->gain);
    lzb->start = rico_alloc(ctx, h, sizeof *lzb->start);
    lzb->peak = rico_alloc(ctx, h, sizeof *lzb->peak);
    lzb->phase = rico_alloc(ctx, h, sizeof *lzb->phase);
    bool state = lzb->rate && lzb->next && lzb->increment && lzb->peak && lzb->phase;
    bool constants = lzb->force && lzb->power && lzb->gain && lzb->start;
    return state && constants ? RICO_OK : RICO_NO_MEMORY;
}


// The velocity that sets the scale of the impact: the fastest approach, or what stored energy can bring about.
static double velocity_scale(const rico_impact_law *law)
{
    const rico_impact *impact = law->impact;
    double scale = 0.0;
    for (int64_t j = 0; j < impact->contacts; j++)
        if (impact->active[j])
            scale =
                fmax(scale, fmax(-law->before[j], sqrt(2.0 * energy_at_start(law, j) * impact->diagonal[j])));
    return scale;
}


// The shortest unit of the contacts: of time, or of impulse.
static double shortest_unit(const rico_impact_law *law, double velocity)
{
    const rico_impact *impact = law->impact;
    bool by_time = (int)law->option[SCALE] == BY_TIME;
    double unit = INFINITY;
    for (int64_t j = 0; j < impact->contacts; j++) {
        if (!impact->active[j] || !(impact->diagonal[j] > 0.0)) continue;
        double mass = 1.0 / impact->diagonal[j];
        double time = rico_contact_time_unit(mass, impact->stiffness[j], impact->exponent[j], velocity);
        unit = fmin(unit, by_time ? time : mass * velocity);
    }
    return unit;
}


static void begin(rico_impact_law *law, rico_lzb *lzb, double velocity)
{
    const rico_impact *impact = law->impact;
    lzb->mono = (int)law->option[SPRING] == MONO_STIFFNESS;
    lzb->step = law->option[STEP];
    if (lzb->step == 0.0) lzb->step = law->option[RELATIVE_STEP] * shortest_unit(law, velocity);
    lzb->time = 0.0;
    for (int64_t j = 0; j < lzb->size; j++) {
        double eta = impact->exponent[j], e = impact->restitution[j];
        lzb->rate[j] = lzb->next[j] = -law->before[j];
        lzb->increment[j] = lzb->peak[j] = 0.0;
        lzb->energy[j] = impact->active[j] ? energy_at_start(law, j) : 0.0;
        lzb->power[j] = eta / (1.0 + eta);
        lzb->force[j] = pow(1.0 + eta, lzb->power[j]) * pow(impact->stiffness[j], 1.0 / (1.0 + eta));
        lzb->gain[j] = lzb->mono ? 1.0 : e > 0.0 ? 1.0 / (e * e) : 0.0;
        lzb->start[j] = impact->active[j] ? law->option[START_TOL] * velocity : INFINITY;
        lzb->phase[j] = RICO_LZB_IDLE;
        if (lzb->energy[j] > 0.0) lzb->phase[j] = RICO_LZB_EXPANSION;
        lzb->peak[j] = lzb->energy[j];
    }
    rico_lzb_narrow(lzb, 0, lzb->size - 1);
}


static void observe(const rico_impact_law *law, const rico_lzb *lzb)
{
    const rico_impact_state state = {law->steps, lzb->time, lzb->energy, lzb->rate, law->impulse};
    law->observer(law->observer_user, &state);
}


// Steps until all contacts are idle or a limit is met.
static void integrate(rico_impact_law *law, rico_lzb *lzb)
{
    bool by_time = (int)law->option[SCALE] == BY_TIME;
    int64_t limit = (int64_t)law->option[MAX_STEPS];
    while (lzb->first <= lzb->last) {
        if (law->steps >= limit) {
            rico_impact_law_stop(law, RICO_IMPACT_MAX_COUNT,
                                 "%lld steps, contacts %lld to %lld still in impact", (long long)limit,
                                 (long long)lzb->first, (long long)lzb->last);
            return;
        }
        if (law->steps % INTERRUPT_EVERY == 0 && rico_context_interrupted(law->ctx)) {
            rico_impact_law_stop(law, RICO_IMPACT_STOPPED, "after %lld steps", (long long)law->steps);
            return;
        }
        if (by_time)
            rico_lzb_step_time(law, lzb);
        else
            rico_lzb_step_impulse(law, lzb);
        bool over = lzb->first > lzb->last;
        if (law->observer && (over || law->steps % law->observe_every == 0)) observe(law, lzb);
    }
}


// An explicit scheme with too long a step shows by numbers that are none, or by energy from nowhere.
static void judge(rico_impact_law *law)
{
    double compression = 0.0, loss = 0.0, stored = 0.0;
    bool finite = true;
    for (int64_t j = 0; j < law->impact->contacts; j++) {
        finite = finite && isfinite(law->impulse[j]) && isfinite(law->loss[j]);
        compression += law->compression[j];
        loss += law->loss[j];
        stored += law->impact->active[j] ? energy_at_start(law, j) : 0.0;
    }
    if (!finite) {
        for (int64_t j = 0; j < law->impact->contacts; j++) law->impulse[j] = law->loss[j] = 0.0;
        rico_impact_law_stop(law, RICO_IMPACT_DIVERGED, "the step %g is too long",
                             ((rico_lzb *)law->work)->step);
    } else if (loss + stored < -suspicious_gain * (compression + stored)) {
        rico_impact_law_stop(law, law->stop,
                             "the step is too long: the impact gained %.2g of its compression energy",
                             -(loss + stored) / (compression + stored));
    }
}


static rico_status apply(rico_impact_law *law)
{
    rico_lzb *lzb = law->work;
    double velocity = velocity_scale(law);
    if (velocity == 0.0) return RICO_OK;
    begin(law, lzb, velocity);
    integrate(law, lzb);
    law->duration = lzb->time;
    judge(law);
    return RICO_OK;
}


const rico_impact_law_method rico_lzb_method = {
    .info = {.name = "lzb",
             .summary = "contacts as springs, integrated through the impact; energetic restitution e",
             .reference = "Liu, Zhao, Brogliato 2008; Nguyen, Brogliato 2018, Algorithms 2-4",
             .option_count = OPTIONS,
             .options = options,
             .in_time = true},
    .setup = setup,
    .apply = apply,
    .cleanup = cleanup,
};
