// The life of a simulation: create, options, start, step. What a scheme does lives in its own file.

#include "base/option.h"
#include "la/dense.h"
#include "step/activation.h"
#include "step/adaptive.h"
#include "step/helper.h"
#include "step/registry.h"
#include "step/sample.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const LAWS[] = {"newton", "fremond", NULL};
static const char *const ORDERINGS[] = {"minimum-degree", "nested-dissection", NULL}; // rico_ordering
static const char *const FRAMES[] = {"start", "end", "middle", NULL};

static const rico_option_info COMMON[RICO_STEP_OPTIONS] = {
    [RICO_STEP_LAW] = {.name = "law",
                       .help = "contact law; the default is the scheme's own",
                       .type = RICO_CHOICE,
                       .choices = LAWS},
    [RICO_STEP_ACTIVATION] = {.name = "activation",
                              .help = "forecast that lets a contact act; the default is the scheme's own",
                              .type = RICO_CHOICE,
                              .choices = rico_activation_names},
    [RICO_STEP_GAMMA] = {.name = "activation-gamma",
                         .help = "gamma of the explicit forecast",
                         .type = RICO_REAL,
                         .low = 0.0,
                         .high = 2.0,
                         .standard = 0.0},
    [RICO_STEP_GAP] = {.name = "activation-gap",
                       .help =
                           "gap that counts as closed in the forecasts closing and explicit; 0: round-off "
                           "alone",
                       .type = RICO_REAL,
                       .low = 0.0,
                       .high = 1e300,
                       .standard = 0.0},
    [RICO_STEP_FRAMES] =
        {.name = "frames",
         .help = "contact frames at the start of the step, or at its end or middle within Newton's loop; the "
                 "default is the scheme's own",
         .type = RICO_CHOICE,
         .choices = FRAMES},
    [RICO_STEP_TOL] = {.name = "tol",
                       .help = "relative residual asked of the contact solver",
                       .type = RICO_REAL,
                       .low = 1e-15,
                       .high = 1e-2,
                       .standard = 1e-10},
    [RICO_STEP_ACCEPT] = {.name = "accept",
                          .help = "residual that sweeps over many bodies may leave where they do not reach "
                                  "tol; 0: none",
                          .type = RICO_REAL,
                          .low = 0.0,
                          .high = 1.0,
                          .standard = 0.0},
    [RICO_STEP_SWEEPS] = {.name = "sweeps",
                          .help =
                              "sweeps over many bodies before another solver takes over; 0: as many as pay",
                          .type = RICO_INTEGER,
                          .low = 0,
                          .high = 1e9,
                          .standard = 0},
    [RICO_STEP_NEWTON_TOL] = {.name = "newton-tol",
                              .help = "relative change of velocity that ends Newton's loop",
                              .type = RICO_REAL,
                              .low = 1e-16,
                              .high = 1e-2,
                              .standard = 1e-12},
    [RICO_STEP_NEWTON_MAX] = {.name = "newton-max",
                              .help = "iterations of Newton's loop before a step fails",
                              .type = RICO_INTEGER,
                              .low = 1,
                              .high = 10000,
                              .standard = 50},
    [RICO_STEP_LEDGER] = {.name = "ledger",
                          .help = "keep the energy balance of every step",
                          .type = RICO_FLAG,
                          .standard = 1},
    [RICO_STEP_ORDERING] =
        {.name = "ordering",
         .help = "of large sparse factors; nested dissection (METIS) leaves fewer entries on large meshes",
         .type = RICO_CHOICE,
         .choices = ORDERINGS},
};


const rico_option_info *rico_scheme_common_options(int *count)
{
    if (count) *count = RICO_STEP_OPTIONS;
    return COMMON;
}


double rico_scheme_common_default(const rico_scheme_info *info, int option)
{
    const rico_scheme *scheme = rico_scheme_of(info->name);
    if (option == RICO_STEP_LAW) return scheme->default_law;
    if (option == RICO_STEP_ACTIVATION) return scheme->default_activation;
    if (option == RICO_STEP_FRAMES) return scheme->default_frames;
    return COMMON[option].standard;
}


bool rico_scheme_takes(const rico_scheme_info *info, int option)
{
    unsigned common = rico_scheme_of(info->name)->common;
    return common == 0 || (common >> option & 1u) != 0;
}


static const rico_option_info *option_of(const rico_simulation *sim, const char *name, int *index)
{
    *index = rico_option_find(COMMON, RICO_STEP_OPTIONS, name);
    if (*index >= 0) return rico_scheme_takes(&sim->scheme->info, *index) ? &COMMON[*index] : NULL;
    int own = rico_option_find(sim->scheme->info.options, sim->scheme->info.option_count, name);
    *index = RICO_STEP_OPTIONS + own;
    return own >= 0 ? &sim->scheme->info.options[own] : NULL;
}


double rico_step_max_restitution(const rico_simulation *sim)
{
    double largest = 0.0;
    for (int64_t c = 0; c < sim->constraints; c++)
        largest = fmax(largest, rico_step_constraint(sim, c)->restitution);
    return largest;
}


static rico_status allocate(rico_simulation *sim)
{
    rico_context *ctx = sim->ctx;
    bool whole = true;
    double **all = (double **)&sim->vector;
    for (int i = 0; i < RICO_VELOCITY_VECTORS + RICO_POSITION_VECTORS; i++) {
        int64_t size = i < RICO_VELOCITY_VECTORS ? sim->nv : sim->nq;
        whole &= (all[i] = rico_alloc(ctx, size, sizeof(double))) != NULL;
    }
    sim->before = rico_alloc(ctx, 1, sizeof *sim->before);
    sim->extra_size = sim->scheme->extra_size ? sim->scheme->extra_size(sim) : 0;
    return whole && sim->before ? rico_state_create(sim) : RICO_NO_MEMORY;
}


rico_status rico_simulation_create_in(rico_context *ctx, const rico_system *system, const char *scheme,
                                      rico_simulation **out)
{
    const rico_scheme *found = rico_scheme_of(scheme);
    if (!found) return rico_fail(ctx, RICO_BAD_ARGUMENT, "there is no scheme \"%s\"", scheme);
    if (!system->complete)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "the system is not complete: rico_system_complete() comes before simulations that "
                         "share it");
    rico_status suits = rico_scheme_suits(ctx, system, found);
    if (suits != RICO_OK) return suits;
    rico_simulation *sim = rico_alloc(ctx, 1, sizeof *sim);
    if (!sim) return RICO_NO_MEMORY;
    sim->ctx = ctx;
    sim->system = system;
    sim->scheme = found;
    sim->nq = system->nq;
    sim->nv = system->nv;
    int total = RICO_STEP_OPTIONS + found->info.option_count;
    sim->option = rico_alloc(ctx, total, sizeof *sim->option);
    rico_status status = sim->option ? rico_assembly_create(ctx, system, &sim->assembly) : RICO_NO_MEMORY;
    if (status == RICO_OK) status = allocate(sim);
    if (status == RICO_OK) status = rico_iteration_create(sim->assembly, &sim->iteration);
    if (status == RICO_OK) status = rico_contacts_create(sim->assembly, &sim->contacts);
    if (status == RICO_OK && found->create) status = found->create(sim);
    if (status != RICO_OK) {
        rico_simulation_destroy(sim);
        return status;
    }
    sim->created = true;
    for (int i = 0; i < RICO_STEP_OPTIONS; i++) sim->option[i] = rico_scheme_common_default(&found->info, i);
    for (int i = RICO_STEP_OPTIONS; i < total; i++)
        sim->option[i] = found->info.options[i - RICO_STEP_OPTIONS].standard;
    *out = sim;
    return RICO_OK;
}


rico_status rico_simulation_create(rico_system *system, const char *scheme, rico_simulation **out)
{
    rico_status status = rico_system_complete(system);
    return status == RICO_OK ? rico_simulation_create_in(system->ctx, system, scheme, out) : status;
}


void rico_simulation_destroy(rico_simulation *sim)
{
    if (!sim) return;
    rico_context *ctx = sim->ctx;
    if (sim->scheme->destroy) sim->scheme->destroy(sim);
    rico_adaptive_destroy(sim);
    rico_iteration_destroy(&sim->iteration);
    rico_iteration_destroy(&sim->mass);
    rico_contacts_destroy(&sim->contacts);
    rico_impacts_destroy(sim->impacts);
    if (sim->before) rico_free(ctx, sim->before->bytes);
    rico_free(ctx, sim->events.event);
    rico_free(ctx, sim->happening.event);
    rico_state_destroy(sim);
    rico_free(ctx, sim->struck);
    rico_free(ctx, sim->massless);
    rico_free(ctx, sim->option);
    rico_free(ctx, sim->before);
    double **vectors = (double **)&sim->vector;
    for (int i = 0; i < RICO_VELOCITY_VECTORS + RICO_POSITION_VECTORS; i++) rico_free(ctx, vectors[i]);
    rico_assembly_destroy(sim->assembly);
    rico_free(ctx, sim);
}


static rico_status unknown_option(const rico_simulation *sim, const char *name)
{
    return rico_fail(sim->ctx, RICO_BAD_ARGUMENT, "the scheme %s has no option \"%s\"",
                     sim->scheme->info.name, name);
}


rico_status rico_simulation_set(rico_simulation *sim, const char *name, const char *value)
{
    int index;
    const rico_option_info *option = option_of(sim, name, &index);
    if (!option) return unknown_option(sim, name);
    return rico_option_parse(sim->ctx, option, value, &sim->option[index]);
}


rico_status rico_simulation_set_number(rico_simulation *sim, const char *name, double value)
{
    int index;
    const rico_option_info *option = option_of(sim, name, &index);
    if (!option) return unknown_option(sim, name);
    rico_status status = rico_option_check(sim->ctx, option, value);
    if (status == RICO_OK) sim->option[index] = value;
    return status;
}


rico_status rico_simulation_get_number(const rico_simulation *sim, const char *name, double *value)
{
    int index;
    if (!option_of(sim, name, &index)) return unknown_option(sim, name);
    *value = sim->option[index];
    return RICO_OK;
}


rico_status rico_simulation_set_solver(rico_simulation *sim, const char *name, rico_solver **solver)
{
    rico_solver *made;
    rico_status status = rico_solver_create(sim->ctx, name, &made);
    if (status != RICO_OK) return status;
    status = rico_solver_set_number(made, "tol", sim->option[RICO_STEP_TOL]);
    if (status != RICO_OK) {
        rico_solver_destroy(made);
        return status;
    }
    rico_solver_destroy(sim->contacts.solver);
    sim->contacts.solver = made;
    sim->contacts.sparse.ready = false;
    sim->contacts.always = true;
    if (solver) *solver = made;
    return RICO_OK;
}


static rico_status check_numbers(const rico_simulation *sim, const char *what, int64_t count, const double *x)
{
    if (rico_all_finite(count, x)) return RICO_OK;
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(x[i]))
            return rico_fail(sim->ctx, RICO_BAD_INPUT, "%s[%lld] = %g is not a finite number", what,
                             (long long)i, x[i]);
    return RICO_OK;
}


rico_status rico_simulation_start(rico_simulation *sim, double t, const double *q, const double *v)
{
    rico_status status = check_numbers(sim, "t", 1, &t);
    if (status == RICO_OK) status = check_numbers(sim, "q", sim->nq, q);
    if (status == RICO_OK) status = check_numbers(sim, "v", sim->nv, v);
    if (status == RICO_OK) status = rico_assembly_mass(sim->assembly, t, q);
    if (status == RICO_OK) status = rico_step_check_mass(sim);
    if (status == RICO_OK) status = rico_assembly_tangents(sim->assembly, t, q, v);
    if (status != RICO_OK) return status;

    sim->contacts.tol = sim->option[RICO_STEP_TOL];
    sim->contacts.accept = sim->option[RICO_STEP_ACCEPT];
    sim->contacts.most_sweeps = (int64_t)sim->option[RICO_STEP_SWEEPS];
    sim->warned_paradox = sim->frictional = false;
    for (int64_t c = 0; c < sim->constraints; c++)
        sim->frictional |= rico_step_constraint(sim, c)->friction > 0.0;
    sim->iteration.valid = sim->mass.valid = false;
    sim->steps = 0;
    // contacts of the state itself; those of an earlier life are forgotten
    bool changed;
    status = rico_assembly_restore(sim->assembly, 0, NULL, 0, NULL, &changed);
    if (status == RICO_OK) status = rico_assembly_collect(sim->assembly, t, 0.0, q, v, &changed);
    if (status == RICO_OK) status = rico_state_adopt(sim, false);
    if (status != RICO_OK) return status;
    rico_state_clear(sim);
    *sim->now.t = t;
    memcpy(sim->now.q, q, (size_t)sim->nq * sizeof *q);
    memcpy(sim->now.v, v, (size_t)sim->nv * sizeof *v);
    memcpy(sim->now.low, q, (size_t)sim->nq * sizeof *q);
    memcpy(sim->now.high, q, (size_t)sim->nq * sizeof *q);
    memset(&sim->ledger, 0, sizeof sim->ledger);
    memset(&sim->stats, 0, sizeof sim->stats);
    memset(sim->matrix, 0, sizeof sim->matrix);
    sim->iteration.again = false;
    sim->iteration.ordering = (rico_ordering)rico_step_option(sim, RICO_STEP_ORDERING);
    sim->contacts.prepared = false;
    sim->contacts.sparse.rest = 0;
    sim->contacts.problems = sim->contacts.solver_calls = sim->contacts.dense.sweeps = 0;
    sim->iteration.factorizations = sim->mass.factorizations = 0;
    sim->span = rico_norm_inf(sim->nq, q);
    sim->gap_current = false;
    sim->events.count = sim->happening.count = 0;
    status = rico_step_energies(sim, &sim->now, &sim->ledger.kinetic, &sim->ledger.potential);
    // relative velocities to start from, for whoever reads them before the first step
    if (status == RICO_OK) status = rico_step_frames(sim, 0.0, sim->now.q);
    memcpy(sim->u_after, sim->u_before, (size_t)sim->rows * sizeof *sim->u_after);
    memcpy(sim->now.u_before, sim->u_before, (size_t)sim->rows * sizeof *sim->u_after);
    if (status == RICO_OK && sim->option[RICO_STEP_FRAMES] == RICO_FRAMES_MIDDLE && !sim->scheme->middle)
        status = rico_fail(sim->ctx, RICO_UNSUPPORTED,
                           "the scheme %s takes frames at the start or at the end, not in the middle",
                           sim->scheme->info.name);
    if (status == RICO_OK && sim->option[RICO_STEP_FRAMES] != 0.0 && sim->system->relation_count > 0)
        status =
            rico_fail(sim->ctx, RICO_UNSUPPORTED,
                      "with relations, the option frames is 'start': outputs are taken at the end anyway");
    if (status == RICO_OK && sim->scheme->check) status = sim->scheme->check(sim);
    if (status == RICO_OK) status = rico_step_bond_start(sim);
    if (status == RICO_OK && !sim->loading) status = rico_step_look_for_redundancy(sim);
    if (status == RICO_OK && sim->scheme->start) status = sim->scheme->start(sim);
    memcpy(sim->now.u, sim->u_after, (size_t)sim->rows * sizeof *sim->now.u);
    sim->total = sim->ledger;
    if (status == RICO_OK && !sim->loading && sim->system->sampler_count > 0) {
        status = rico_step_sample(sim);
        sim->ledger.external = sim->total.external = 0.0; // energies count from here
    }
    sim->started = status == RICO_OK;
    return status;
}


rico_status rico_step_fail(rico_simulation *sim, rico_status status)
{
    char place[96];
    snprintf(place, sizeof place, "step %lld at t = %.17g, h = %g", (long long)sim->steps + 1, *sim->now.t,
             sim->h);
    return rico_fail_in(sim->ctx, status, place);
}


static void add_works(rico_ledger *total, const rico_ledger *step)
{
    total->kinetic = step->kinetic;
    total->potential = step->potential;
    total->algorithmic = step->algorithmic;
    total->external += step->external;
    total->damping += step->damping;
    total->normal += step->normal;
    total->tangential += step->tangential;
    total->joint += step->joint;
    total->obstacle += step->obstacle;
    total->projection += step->projection;
    for (int i = 0; i < RICO_NUMERICAL_TERMS; i++) total->numerical[i] += step->numerical[i];
    total->residual += step->residual;
    total->doubt += step->doubt;
}


// Does an impact by a law of multiple impacts come before the step?
static bool leads(const rico_simulation *sim)
{
    return sim->impacts && !sim->scheme->finds_events;
}


// The scheme books works; energies and the residual of the balance are the same for all.
static rico_status book(rico_simulation *sim, double h, const rico_ledger *before)
{
    rico_ledger *ledger = &sim->ledger;
    rico_status status = sim->scheme->book(sim, h);
    if (status == RICO_OK && leads(sim)) rico_step_impact_book(sim);
    if (status == RICO_OK) status = rico_step_energies(sim, &sim->next, &ledger->kinetic, &ledger->potential);
    if (status != RICO_OK) return status;
    double impulses = 0.0;
    for (int64_t i = 0; !sim->share && i < sim->rows; i++) impulses += fabs(sim->next.p[i]);
    if (sim->share) impulses = sim->share->works(sim->share->user, ledger);
    double change = (ledger->kinetic - before->kinetic) + (ledger->potential - before->potential) +
                    (ledger->algorithmic - before->algorithmic);
    double works = ledger->external + ledger->damping + ledger->normal + ledger->tangential + ledger->joint +
                   ledger->obstacle + ledger->projection;
    for (int i = 0; i < RICO_NUMERICAL_TERMS; i++) works += ledger->numerical[i];
    ledger->residual = change - works;
    // a velocity that the solver leaves wrong by tol times what it compared, along each impulse
    double left = rico_contacts_all_rows(&sim->contacts) > 0 ? sim->contacts.residual.relative : 0.0;
    ledger->doubt = fmax(sim->option[RICO_STEP_TOL], left) * *sim->next.scale * impulses;
    return rico_step_audit(sim);
}


// next.t = now.t + h, with what rounding leaves out carried along (Neumaier 1974): after k steps of h, t is t_0 + k h to
// the last bit or nearly so, not k roundings away from it.
static void move_time(rico_simulation *sim, double h)
{
    double t = *sim->now.t, step = h + *sim->now.late, sum = t + step;
    *sim->next.t = sum;
    *sim->next.late = fabs(t) >= fabs(step) ? (t - sum) + step : (step - sum) + t;
}


// The contacts of the step, and in next what goes on from where it was.
static rico_status begin(rico_simulation *sim, double h)
{
    rico_status status = RICO_OK;
    sim->fastest = rico_norm_inf(sim->nv, sim->now.v);
    if (sim->nq != sim->nv || sim->share) sim->span = rico_norm_inf(sim->nq, sim->now.q);
    double both[2] = {sim->fastest, sim->span};
    rico_step_largest(sim, 2, both);
    sim->fastest = both[0];
    sim->span = both[1];
    rico_assembly_pace(sim->assembly, sim->scheme->finds_events ? 0.0 : h);
    if (sim->system->source_count > 0 || sim->watched) status = rico_step_remember(sim, sim->before);
    if (status == RICO_OK && sim->system->source_count > 0) status = rico_step_collect(sim, h);
    if (sim->share) status = sim->share->collected(sim->share->user, status);
    // impulses to start from, and what only grows: the step goes on from where the last one was
    rico_state_level(sim);
    if (sim->adaptive) memcpy(sim->u_last, sim->now.u, (size_t)sim->rows * sizeof *sim->u_last);
    move_time(sim, h);
    *sim->next.scale = *sim->now.scale;
    sim->contacts.h = h;
    sim->contacts.rubbing = (rico_rubbing_view){.t = *sim->next.t, .q = sim->now.q, .before = sim->u_before};
    return status == RICO_OK ? rico_step_bond_begin(sim) : status;
}


// Keeps account of impulses that were accepted beyond the tolerance.
static void count_loose(rico_simulation *sim)
{
    const rico_contacts *contacts = &sim->contacts;
    rico_step_stats *stats = &sim->stats;
    if (rico_contacts_all_rows(contacts) == 0 || rico_residual_within(&contacts->residual, contacts->tol))
        return;
    stats->loose_steps++;
    if (!(contacts->residual.relative > stats->loose_residual)) return;
    stats->loose_residual = contacts->residual.relative;
    stats->loose_time = *sim->next.t;
}


// Back to the contacts that the step began from; the sentence of its failure stays.
static rico_status undo(rico_simulation *sim, rico_status failure)
{
    if (!sim->before->bytes) return failure; // there was no memory to remember it: nothing has changed yet
    char sentence[1024];
    snprintf(sentence, sizeof sentence, "%s", rico_message(sim->ctx));
    rico_status status = rico_step_restore(sim, sim->before);
    if (status != RICO_OK) return status;
    return rico_fail(sim->ctx, failure, "%s", sentence);
}


rico_status rico_simulation_step(rico_simulation *sim, double h)
{
    if (!sim->started) return rico_fail(sim->ctx, RICO_BAD_ARGUMENT, "the simulation was not started");
    if (!(h > 0.0) || !isfinite(h))
        return rico_fail(sim->ctx, RICO_BAD_ARGUMENT, "the step h = %g must be positive", h);
    if (*sim->now.t + h == *sim->now.t) {
        rico_fail(sim->ctx, RICO_BAD_ARGUMENT, "the step is lost in the round-off of t");
        sim->h = h;
        return rico_step_fail(sim, RICO_BAD_ARGUMENT);
    }
    if (rico_context_interrupted(sim->ctx))
        return rico_fail(sim->ctx, RICO_INTERRUPTED, "interrupted at t = %.17g", *sim->now.t);
    sim->h = h;
    const rico_helper *helper = sim->share ? NULL : rico_context_lent(sim->ctx);
    if (helper && helper->step) {
        bool done = false;
        rico_status status = helper->step(helper->user, sim, h, &done);
        if (status != RICO_OK || done) return status;
    }
    if (sim->system->sampler_count > 0) {
        rico_status status = rico_step_sample_check(sim, h);
        if (status != RICO_OK) return rico_step_fail(sim, status);
    }

    // numbers of the step before, for when this one fails
    const rico_ledger before = sim->ledger;
    const rico_step_stats counted = sim->stats;
    const int rest = sim->contacts.sparse.rest;
    sim->happening.count = 0;
    rico_status status = begin(sim, h);
    if (status == RICO_OK && leads(sim)) status = rico_step_impact_begin(sim, h);
    if (status == RICO_OK) status = sim->scheme->advance(sim, h);
    if (status == RICO_OK) status = check_numbers(sim, "position", sim->nq, sim->next.q);
    if (status == RICO_OK) status = check_numbers(sim, "velocity", sim->nv, sim->next.v);
    bool booked = sim->option[RICO_STEP_LEDGER] != 0.0;
    if (status == RICO_OK && booked) status = book(sim, h, &before);
    if (leads(sim)) rico_step_impact_end(sim, status == RICO_OK);
    if (status == RICO_OK) rico_step_settle_massless(sim);
    if (status == RICO_OK && sim->frictional && !sim->warned_paradox)
        status = rico_step_look_for_paradox(sim);
    if (status == RICO_OK) memcpy(sim->next.u, sim->u_after, (size_t)sim->rows * sizeof *sim->next.u);
    if (status == RICO_OK && !sim->scheme->finds_events) {
        rico_step_observe_contacts(sim);
        rico_step_bond_end(sim);
        status = rico_step_observe_events(sim);
    }
    if (status != RICO_OK) {
        sim->ledger = before;
        sim->stats = counted;
        sim->contacts.sparse.rest = rest;
        sim->iteration.valid = sim->mass.valid = false;
        rico_step_fail(sim, status);
        return sim->system->source_count > 0 ? undo(sim, status) : status;
    }

    if (booked) add_works(&sim->total, &sim->ledger);
    count_loose(sim);
    rico_state_accept(sim);
    const rico_event_list events = sim->events;
    sim->events = sim->happening;
    sim->happening = events;
    sim->steps++;
    sim->gap_current = false;
    sim->matrix[0] = sim->iteration.a;
    sim->matrix[1] = sim->iteration.b;
    sim->matrix[2] = sim->iteration.c;
    sim->stats.factorizations = sim->iteration.factorizations + sim->mass.factorizations;
    sim->stats.contact_problems = sim->contacts.problems;
    sim->stats.solver_calls = sim->contacts.solver_calls;
    sim->stats.sweeps = sim->contacts.dense.sweeps;
    return sim->system->sampler_count > 0 ? rico_step_sample(sim) : RICO_OK;
}
