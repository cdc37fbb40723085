// The compliant laws: their rows, their options, dampings from restitutions, and the loop through an impact.

#include "law/compliant.h"

#include "law/compliant_damping.h"

#include <math.h>
#include <string.h>

// One table for all of them: each law has a stretch of it.
enum { YIELD, SHARE, VELOCITY, TOL, START_TOL, MAX_STEPS, PRELOAD, DAMPING, PULL, FORMULA, OPTIONS };

static const rico_option_info options[OPTIONS] = {
    [YIELD] = {"yield", "force at which all contacts yield; negative: what gives each its restitution",
               RICO_REAL, -1.0, 1e300, -1.0, NULL},
    [SHARE] = {"share",
               "of the stiffness: in the spring without a damper (zener), left beyond the yield (plastic)",
               RICO_REAL, 0.0, 1.0 - 1e-6, 0.1, NULL},
    [TOL] = {"tol", "error allowed in a step, in units of the contacts", RICO_REAL, 1e-13, 1e-2, 1e-9, NULL},
    [START_TOL] = {"start-tol", "approach velocity, over the largest at the start, that counts as rest",
                   RICO_REAL, 0.0, 1.0, 1e-6, NULL},
    [MAX_STEPS] = {"max-steps", "steps allowed", RICO_INTEGER, 0.0, 1e15, 1e7, NULL},
    [PRELOAD] = {"preload", "force with which all contacts press when the impact begins", RICO_REAL, 0.0,
                 1e300, 0.0, NULL},
    [DAMPING] = {"damping",
                 "of all contacts, in units of the scene; negative: what gives each its restitution",
                 RICO_REAL, -1.0, 1e300, -1.0, NULL},
    [VELOCITY] = {"velocity",
                  "approach at which the damping gives the restitution; 0: the fastest of the impact",
                  RICO_REAL, 0.0, 1e300, 0.0, NULL},
    [PULL] = {"pull",
              "let a damper pull until the overlap is gone; otherwise contacts part where the force ends",
              RICO_FLAG, 0.0, 1.0, 0.0, NULL},
    [FORMULA] = {"formula", "by which the damping follows from the restitution", RICO_CHOICE, 0.0, 0.0,
                 RICO_HUNT_EXACT, rico_hunt_formula_names},
};

enum { INTERRUPT_EVERY = 256 };

static const double FIRST_STEP = 1e-3, MOST_STEP = 0.2; // over the shortest time unit of the contacts
static const double SUSPICIOUS = 1e-3;                  // defect of the energy, over the work of compression

typedef struct work_space {
    rico_compliant flow;
    double *room;
    double *damping;             // size: in units of the contact, by its restitution
    double *known_eta, *known_e; // size: for which it was found, NAN before
    double known_options[3];     // and under which
    double velocity;             // that sets the scale
    double acted, acted_until;   // sum of the impulses, and when it last grew
} work_space;


// The value of an option; its default where the law has none.
static double option(const rico_impact_law *law, int which)
{
    int64_t place = which - (law->method->info.options - options);
    return place >= 0 && place < law->method->info.option_count ? law->option[place]
                                                                : options[which].standard;
}


static void cleanup(rico_impact_law *law)
{
    work_space *own = law->work;
    rico_free(law->ctx, own->room);
    rico_free(law->ctx, own->damping);
    rico_free(law->ctx, own->known_eta);
    rico_free(law->ctx, own->known_e);
    rico_free(law->ctx, own->flow.bond);
    rico_free(law->ctx, own->flow.press);
    rico_free(law->ctx, own);
}


static rico_status setup(rico_impact_law *law)
{
    rico_context *ctx = law->ctx;
    int64_t h = law->impact->contacts;
    work_space *own = rico_alloc(ctx, 1, sizeof *own);
    if (!own) return RICO_NO_MEMORY;
    law->work = own;
    own->room = rico_alloc(ctx, rico_compliant_room(h), sizeof *own->room);
    own->damping = rico_alloc(ctx, h, sizeof *own->damping);
    own->known_eta = rico_alloc(ctx, h, sizeof *own->known_eta);
    own->known_e = rico_alloc(ctx, h, sizeof *own->known_e);
    own->flow.bond = rico_alloc(ctx, h, sizeof *own->flow.bond);
    own->flow.press = rico_alloc(ctx, h, sizeof *own->flow.press);
    if (!own->room || !own->damping || !own->known_eta || !own->known_e || !own->flow.bond ||
        !own->flow.press)
        return RICO_NO_MEMORY;
    for (int64_t j = 0; j < h; j++) own->known_e[j] = own->known_eta[j] = NAN;
    rico_compliant_place(&own->flow, h, own->room);
    own->flow.G = &law->impact->G;
    return RICO_OK;
}


// Does contact j take part at all?
static bool takes_part(const rico_impact *impact, int64_t j)
{
    return impact->active[j] && impact->diagonal[j] > 0.0;
}


// Potential energy that contact j holds when the impact begins.
static double energy_at_start(const rico_impact_law *law, int64_t j)
{
    const rico_rheology *kind = law->method->kind;
    double eta = kind->exponent > 0.0 ? kind->exponent : law->impact->exponent[j];
    return rico_impact_energy_at_start(law->impact, j, eta, option(law, PRELOAD));
}


// The velocity that sets the scale: the fastest approach, or what stored energy can bring about.
static double velocity_scale(const rico_impact_law *law)
{
    const rico_impact *impact = law->impact;
    double scale = 0.0;
    for (int64_t j = 0; j < impact->contacts; j++)
        if (takes_part(impact, j))
            scale =
                fmax(scale, fmax(-law->before[j], sqrt(2.0 * energy_at_start(law, j) * impact->diagonal[j])));
    return scale;
}


// The damping of contact j in its own units, from its restitution. What was found for a contact is kept.
static rico_status damping_of(rico_impact_law *law, work_space *own, const rico_rheology *kind, int64_t j,
                              double eta, double share, double *out)
{
    double e = law->impact->restitution[j];
    const rico_damping_wanted wanted = {.kind = kind,
                                        .eta = eta,
                                        .share = share,
                                        .pull = option(law, PULL) != 0.0,
                                        .formula = (rico_hunt_formula)option(law, FORMULA),
                                        .restitution = e};
    if (own->known_e[j] != e || own->known_eta[j] != eta) {
        // contacts mostly are like those before them
        bool like = j > 0 && own->known_e[j - 1] == e && own->known_eta[j - 1] == eta;
        rico_status status = RICO_OK;
        if (like)
            own->damping[j] = own->damping[j - 1];
        else
            status = rico_damping_for(law->ctx, law->method->info.name, &wanted, &own->damping[j]);
        if (status) return status;
        own->known_e[j] = e;
        own->known_eta[j] = eta;
    }
    *out = own->damping[j];
    return RICO_OK;
}


// What is told of the damper of contact j, NAN where its restitution tells: its constant, or the force at
// which it yields.
static double given_damping(const rico_impact_law *law, const rico_rheology *kind, int64_t j)
{
    double told = option(law, kind->yields ? YIELD : DAMPING);
    if (told >= 0.0) return told;
    return kind->yields ? NAN : law->impact->damping[j];
}


// Springs and dampers of contact j, and its units.
static rico_status prepare_contact(rico_impact_law *law, work_space *own, const rico_rheology *kind,
                                   int64_t j)
{
    const rico_impact *impact = law->impact;
    rico_compliant *flow = &own->flow;
    rico_bond *bond = &flow->bond[j];
    double eta = kind->exponent > 0.0 ? kind->exponent : impact->exponent[j], K = impact->stiffness[j];
    if (eta < kind->least_exponent)
        return rico_fail(law->ctx, RICO_BAD_ARGUMENT,
                         "the law %s wants exponents of at least %g, and contact %lld has %g",
                         law->method->info.name, kind->least_exponent, (long long)j, eta);
    double share = kind->share > 0.0 ? option(law, SHARE) : 0.0;
    double mass = 1.0 / impact->diagonal[j], v = own->velocity;
    double unit = rico_contact_time_unit(mass, K, eta, v);
    flow->length[j] = v * unit;
    flow->impulse[j] = mass * v;
    flow->energy[j] = mass * v * v;
    flow->force[j] = mass * v / unit;

    bool damped = kind->series || kind->power;
    double given = given_damping(law, kind, j), number = 0.0;
    if (damped && isnan(given)) {
        rico_status status = damping_of(law, own, kind, j, eta, share, &number);
        if (status) return status;
    }
    if (kind->series && !kind->yields && given == 0.0)
        return rico_fail(law->ctx, RICO_BAD_ARGUMENT,
                         "the law %s has its damper in series with a spring: a damping of 0 at contact %lld "
                         "leaves no force",
                         law->method->info.name, (long long)j);

    if (kind->yields && given == 0.0)
        return rico_fail(law->ctx, RICO_BAD_ARGUMENT, "contacts of the law %s yield at a force above 0",
                         law->method->info.name);

    // the damping was found at the velocity that is asked for, which has units of its own
    double reference = damped && option(law, VELOCITY) > 0.0 ? option(law, VELOCITY) : v;
    double time = rico_contact_time_unit(mass, K, eta, reference);
    *bond = rico_bond_of(kind, K, eta, share);
    if (kind->yields) {
        // no yield at all for a restitution of 1
        double force = isnan(given) ? mass * reference / (time * number) : given;
        bond->yield = isfinite(force) ? pow(force / K, 1.0 / eta) : 0.0;
    } else if (kind->series)
        bond->flow = isnan(given) ? number / time : bond->branch / given;
    else if (damped)
        bond->C = isnan(given) ? number * mass / (time * pow(reference * time, bond->power)) : given;
    return RICO_OK;
}


// The state in which the impact begins: overlaps that hold the energies given.
static void begin(rico_impact_law *law, work_space *own)
{
    const rico_impact *impact = law->impact;
    rico_compliant *flow = &own->flow;
    int64_t h = impact->contacts;
    double shortest = INFINITY;
    memset(flow->y, 0, (size_t)(RICO_COMPLIANT_FIELDS * h) * sizeof *flow->y);
    for (int64_t j = 0; j < h; j++) {
        const rico_bond *bond = &flow->bond[j];
        flow->before[j] = -law->before[j];
        flow->left[j] = flow->left_at[j] = 0.0;
        flow->press[j] = RICO_OUT;
        if (!takes_part(impact, j)) {
            flow->length[j] = flow->impulse[j] = flow->energy[j] = flow->force[j] = 1.0;
            continue;
        }
        double E = energy_at_start(law, j), K = bond->K + bond->branch;
        flow->y[RICO_OVERLAP * h + j] =
            E > 0.0 ? pow((1.0 + bond->eta) * E / K, 1.0 / (1.0 + bond->eta)) : 0.0;
        if (bond->branch > 0.0) flow->y[RICO_STRETCH * h + j] = flow->y[RICO_OVERLAP * h + j];
        flow->press[j] = E > 0.0 || flow->before[j] >= 0.0 ? RICO_PRESSED : RICO_APART;
        shortest = fmin(shortest, flow->length[j] / own->velocity);
    }
    flow->pull = option(law, PULL) != 0.0;
    flow->tol = option(law, TOL);
    flow->time = 0.0;
    flow->most_step = MOST_STEP * shortest;
    flow->step = FIRST_STEP * shortest;
    flow->evaluations = 0;
    own->acted = own->acted_until = 0.0;
    rico_compliant_start(flow);
}


// Counts compressions as they begin; is the impact over? Nothing presses but what is spent, nothing comes
// together, and no surface that recovers can be caught.
static bool observe(rico_impact_law *law, work_space *own)
{
    rico_compliant *flow = &own->flow;
    int64_t h = flow->size;
    double slow = option(law, START_TOL) * own->velocity;
    bool over = true;
    for (int64_t j = 0; j < h; j++) {
        if (flow->press[j] == RICO_OUT) continue;
        double delta = flow->y[RICO_OVERLAP * h + j], s = flow->y[RICO_STRETCH * h + j], rate = flow->rate[j];
        bool pressed = flow->press[j] == RICO_PRESSED;
        law->potential[j] = pressed ? rico_bond_stored(&flow->bond[j], delta, s) : 0.0;
        if (pressed && rate > slow && law->impacts[j] >= 0) {
            law->impacts[j] = -law->impacts[j] - 1; // negative while it is being compressed
            law->collisions++;
        } else if ((rate < -slow || !pressed) && law->impacts[j] < 0) {
            law->impacts[j] = -law->impacts[j];
        }
        if (pressed) {
            double spent = 0.5 * slow * slow / law->impact->diagonal[j];
            over = over && law->potential[j] <= spent && fabs(rate) <= slow;
        } else {
            over = over && rate <= slow && !(delta > rico_bond_rest(&flow->bond[j], flow->left[j]));
        }
    }
    return over;
}


// The impact lasts while forces act, not until the last surface has recovered.
static void clock_forces(work_space *own)
{
    const rico_compliant *flow = &own->flow;
    double sum = 0.0;
    for (int64_t j = 0; j < flow->size; j++) sum += fabs(flow->y[RICO_IMPULSE * flow->size + j]);
    if (sum != own->acted) own->acted_until = flow->time;
    own->acted = sum;
}


static void tell(const rico_impact_law *law, const rico_compliant *flow)
{
    const rico_impact_state state = {law->steps, flow->time, law->potential, flow->rate,
                                     flow->y + RICO_IMPULSE * flow->size};
    law->observer(law->observer_user, &state);
}


// Steps until the impact is over or a limit is met.
static void integrate(rico_impact_law *law, work_space *own)
{
    rico_compliant *flow = &own->flow;
    int64_t limit = (int64_t)option(law, MAX_STEPS);
    double longest = flow->most_step;
    for (bool over = observe(law, own); !over;) {
        if (law->steps >= limit) {
            rico_impact_law_stop(law, RICO_IMPACT_MAX_COUNT, "%lld steps, and contacts still press",
                                 (long long)limit);
            return;
        }
        if (law->steps % INTERRUPT_EVERY == 0 && rico_context_interrupted(law->ctx)) {
            rico_impact_law_stop(law, RICO_IMPACT_STOPPED, "after %lld steps", (long long)law->steps);
            return;
        }
        if (!rico_compliant_advance(flow)) {
            rico_impact_law_stop(law, RICO_IMPACT_DIVERGED, "no step from t = %g is short enough",
                                 flow->time);
            return;
        }
        law->steps++;
        clock_forces(own);
        over = observe(law, own);
        bool pressed = false;
        for (int64_t j = 0; j < flow->size; j++) pressed = pressed || law->potential[j] > 0.0;
        flow->most_step = pressed ? longest : INFINITY; // flights between two blows may be long
        if (law->observer && (over || law->steps % law->observe_every == 0)) tell(law, flow);
    }
}


// Impulses and works as the table of laws wants them: losses that add up to the energy that is gone, to
// round-off. What the tolerance left over is laid on the contacts as they were compressed.
static void finish(rico_impact_law *law, work_space *own)
{
    const rico_compliant *flow = &own->flow;
    int64_t h = flow->size;
    double gone = 0.0, kept = 0.0, compression = 0.0;
    for (int64_t j = 0; j < h; j++) {
        law->impulse[j] = fmax(flow->y[RICO_IMPULSE * h + j], 0.0);
        law->loss[j] = flow->y[RICO_WORK * h + j];
        law->compression[j] = flow->y[RICO_COMPRESSION * h + j];
        if (law->impacts[j] < 0) law->impacts[j] = -law->impacts[j];
        gone += 0.5 * (flow->before[j] + flow->rate[j]) * law->impulse[j];
        kept += law->loss[j];
        compression += law->compression[j];
    }
    law->duration = own->acted_until;
    if (!isfinite(gone) || !isfinite(kept)) {
        memset(law->impulse, 0, (size_t)h * sizeof *law->impulse);
        memset(law->loss, 0, (size_t)h * sizeof *law->loss);
        rico_impact_law_stop(law, RICO_IMPACT_DIVERGED, "at t = %g", flow->time);
        return;
    }
    if (!(compression > 0.0)) return;
    for (int64_t j = 0; j < h; j++) law->loss[j] += (gone - kept) * law->compression[j] / compression;
    if (fabs(gone - kept) > SUSPICIOUS * compression && law->stop == RICO_IMPACT_DONE)
        rico_impact_law_stop(law, law->stop,
                             "the energy is off by %.2g of the work of compression: tighten 'tol'",
                             fabs(gone - kept) / compression);
}


// Dampings that were found under other options are forgotten.
static void look_at_options(const rico_impact_law *law, work_space *own)
{
    const double now[] = {option(law, SHARE), option(law, PULL), option(law, FORMULA)};
    bool same = true;
    for (int k = 0; k < 3; k++) {
        same = same && now[k] == own->known_options[k];
        own->known_options[k] = now[k];
    }
    for (int64_t j = 0; j < own->flow.size && !same; j++) own->known_e[j] = NAN;
}


static rico_status apply(rico_impact_law *law)
{
    work_space *own = law->work;
    const rico_rheology *kind = law->method->kind;
    own->velocity = velocity_scale(law);
    if (own->velocity == 0.0) return RICO_OK;
    look_at_options(law, own);
    rico_status status = RICO_OK;
    for (int64_t j = 0; j < own->flow.size && !status; j++)
        if (takes_part(law->impact, j)) status = prepare_contact(law, own, kind, j);
    if (status) return status;
    begin(law, own);
    integrate(law, own);
    finish(law, own);
    return RICO_OK;
}


const rico_impact_law_method rico_compliant_methods[] = {
    {.info = {.name = "linear",
              .summary = "linear springs, overlaps integrated in time; no losses",
              .reference = "Nguyen, Brogliato 2018, section 1, class (iii)",
              .option_count = DAMPING - TOL,
              .options = &options[TOL],
              .in_time = true,
              .compliant = true},
     .kind = &rico_rheology_linear,
     .setup = setup,
     .apply = apply,
     .cleanup = cleanup},
    {.info = {.name = "hertz",
              .summary = "Hertz's springs, exponent 3/2, overlaps integrated in time; no losses",
              .reference = "Hertz 1882; Johnson 1985, section 11.4",
              .option_count = DAMPING - TOL,
              .options = &options[TOL],
              .in_time = true,
              .compliant = true},
     .kind = &rico_rheology_hertz,
     .setup = setup,
     .apply = apply,
     .cleanup = cleanup},
    {.info = {.name = "elastic",
              .summary = "springs with the contacts' own exponents, overlaps integrated in time; no losses",
              .reference = "Nguyen, Brogliato 2018, section 1, class (iii)",
              .option_count = DAMPING - TOL,
              .options = &options[TOL],
              .in_time = true,
              .compliant = true},
     .kind = &rico_rheology_elastic,
     .setup = setup,
     .apply = apply,
     .cleanup = cleanup},
    {.info = {.name = "kelvin-voigt",
              .summary = "linear springs beside linear dampers: F = K d + C d'",
              .reference = "Brogliato 2016, section 2.1; Schwager, Poeschel 2007",
              .option_count = FORMULA - VELOCITY,
              .options = &options[VELOCITY],
              .in_time = true,
              .compliant = true},
     .kind = &rico_rheology_kelvin_voigt,
     .setup = setup,
     .apply = apply,
     .cleanup = cleanup},
    {.info = {.name = "maxwell",
              .summary = "linear springs in series with dampers, which keep what they gave",
              .reference = "Brogliato 2016, section 2.1",
              .option_count = PULL - VELOCITY,
              .options = &options[VELOCITY],
              .in_time = true,
              .compliant = true},
     .kind = &rico_rheology_maxwell,
     .setup = setup,
     .apply = apply,
     .cleanup = cleanup},
    {.info = {.name = "zener",
              .summary = "a spring beside a spring in series with a damper",
              .reference = "Zener 1948; Brogliato 2016, section 2.1",
              .option_count = PULL - SHARE,
              .options = &options[SHARE],
              .in_time = true,
              .compliant = true},
     .kind = &rico_rheology_zener,
     .setup = setup,
     .apply = apply,
     .cleanup = cleanup},
    {.info = {.name = "tsuji",
              .summary = "F = K d^eta + C d^((eta-1)/2) d': one restitution for all velocities",
              .reference = "Tsuji, Tanaka, Ishida 1992",
              .option_count = FORMULA - VELOCITY,
              .options = &options[VELOCITY],
              .in_time = true,
              .compliant = true},
     .kind = &rico_rheology_tsuji,
     .setup = setup,
     .apply = apply,
     .cleanup = cleanup},
    {.info = {.name = "kuwabara-kono",
              .summary = "F = K d^eta + C d^(eta-1) d': viscoelastic spheres for eta = 3/2",
              .reference = "Kuwabara, Kono 1987; Brilliantov et al. 1996",
              .option_count = FORMULA - VELOCITY,
              .options = &options[VELOCITY],
              .in_time = true,
              .compliant = true},
     .kind = &rico_rheology_kuwabara_kono,
     .setup = setup,
     .apply = apply,
     .cleanup = cleanup},
    {.info = {.name = "hunt-crossley",
              .summary = "F = K d^eta + C d^eta d': damping that grows with the force of the spring",
              .reference = "Simon 1967; Hunt, Crossley 1975",
              .option_count = OPTIONS - VELOCITY,
              .options = &options[VELOCITY],
              .in_time = true,
              .compliant = true},
     .kind = &rico_rheology_hunt_crossley,
     .setup = setup,
     .apply = apply,
     .cleanup = cleanup},
    {.info = {.name = "plastic",
              .summary = "springs that yield at a force, tri-stiffness; share=0 bounds the force",
              .reference = "Walton, Braun 1986; Nguyen, Brogliato 2014, section 4.2.4",
              .option_count = DAMPING - YIELD,
              .options = &options[YIELD],
              .in_time = true,
              .compliant = true},
     .kind = &rico_rheology_plastic,
     .setup = setup,
     .apply = apply,
     .cleanup = cleanup},
};
