// The impact in which a scene begins, resolved by several laws.

#include "lab/outcome.h"

#include "base/suggest.h"
#include "la/dense.h"
#include "law/impact.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WAVE_ROWS = 4096 };

static const double GOOD = 0.05;    // of a good ball (Nguyen and Brogliato 2018, eq. 39)
static const double STUCK = 1e-3;   // of a stuck pair, over the fastest approach (their section 5.1.3)
static const double TOUCHES = 1e-9; // gap that counts as closed, over the largest coordinate

enum {
    ENERGY,
    DISPERSION,
    COLLISIONS,
    STEPS,
    REPEATED,
    STUCK_PAIRS,
    LOOSE_PAIRS,
    FASTEST_GAP,
    FORWARD,
    FIRST,
    LAST,
    TO_MOREAU,
    TO_BINARY,
    TO_LZB,
    GOOD_BALLS,
    DURATION,
    ENDED,
    MEASURES
};

static const rico_outcome_measure TABLE[MEASURES] = {
    [ENERGY] = {"ker", "KER", "kinetic energy after over before"},
    [DISPERSION] = {"dispersion", "C_KE", "dispersion of the energy over the balls, 0 to sqrt(n - 1)"},
    [COLLISIONS] = {"collisions", "collisions", "compressions begun; of binary, collisions"},
    [STEPS] = {"steps", "steps", "of the integration, or pivots"},
    [REPEATED] = {"repeated", "repeated", "most compressions of one contact"},
    [STUCK_PAIRS] = {"stuck", "stuck",
                     "closed contacts that leave slower than 0.1 % of the fastest approach"},
    [LOOSE_PAIRS] = {"loose", "loose", "closed contacts that are not stuck"},
    [FASTEST_GAP] = {"fastest-gap", "fastest gap",
                     "largest velocity of a gap afterwards, over the fastest approach"},
    [FORWARD] = {"forward", "forward", "velocities above 0.1 % of the fastest approach"},
    [FIRST] = {"first", "first", "velocity of the first coordinate"},
    [LAST] = {"last", "last", "velocity of the last coordinate"},
    [TO_MOREAU] = {"gap-moreau", "to moreau", "distance to moreau's velocities, in percent of them"},
    [TO_BINARY] = {"gap-binary", "to binary", "distance to binary's, in percent of them"},
    [TO_LZB] = {"gap-lzb", "to lzb", "distance to lzb's, in percent of them"},
    [GOOD_BALLS] = {"good", "good", "velocities within 5 % of |v| from those of lzb"},
    [DURATION] = {"duration", "duration", "of the impact, for laws in time"},
    [ENDED] = {"ended", "ended", "1 when the law came to its answer"},
};


const rico_outcome_measure *rico_outcome_measure_at(int index)
{
    return index >= 0 && index < MEASURES ? &TABLE[index] : NULL;
}


int rico_outcome_measure_count(void)
{
    return MEASURES;
}


void rico_outcomes_release(rico_outcomes *outcomes)
{
    rico_context *ctx = outcomes->ctx;
    if (!ctx) return;
    for (int i = 0; i < outcomes->count; i++) {
        rico_free(ctx, outcomes->outcome[i].velocity);
        rico_free(ctx, outcomes->outcome[i].impulse);
        rico_free(ctx, outcomes->outcome[i].measure);
    }
    rico_free(ctx, outcomes->before);
    rico_free(ctx, outcomes->active);
    rico_free(ctx, outcomes->mass);
    rico_free(ctx, outcomes->waves.time);
    rico_free(ctx, outcomes->waves.energy);
    memset(outcomes, 0, sizeof *outcomes);
}


// --- the laws ------------------------------------------------------------------------------------------------

// Full buffers are halved, and from then on every second row is kept.
static void watch(void *user, const rico_impact_state *state)
{
    rico_waves *waves = user;
    if (state->time > waves->until || waves->seen++ % waves->stride != 0) return;
    if (waves->rows == waves->room) {
        for (int64_t k = 0; 2 * k < waves->rows; k++) {
            waves->time[k] = waves->time[2 * k];
            memmove(waves->energy + k * waves->contacts, waves->energy + 2 * k * waves->contacts,
                    (size_t)waves->contacts * sizeof *waves->energy);
        }
        waves->rows = (waves->rows + 1) / 2;
        waves->stride *= 2;
    }
    waves->time[waves->rows] = state->time;
    memcpy(waves->energy + waves->rows++ * waves->contacts, state->potential,
           (size_t)waves->contacts * sizeof *waves->energy);
}


static rico_status prepare_waves(rico_outcomes *out, const rico_outcome_options *options,
                                 rico_impact_law *law)
{
    rico_waves *waves = &out->waves;
    waves->contacts = options->waves < out->contacts ? options->waves : out->contacts;
    waves->until = options->waves_until > 0.0 ? options->waves_until : INFINITY;
    waves->room = WAVE_ROWS;
    waves->stride = 1;
    waves->time = rico_alloc(out->ctx, WAVE_ROWS, sizeof *waves->time);
    waves->energy = rico_alloc(out->ctx, WAVE_ROWS * waves->contacts, sizeof *waves->energy);
    if (!waves->time || !waves->energy) return RICO_NO_MEMORY;
    rico_impact_law_set_observer(law, watch, waves, 1);
    return RICO_OK;
}


static rico_status unknown_law(rico_context *ctx, const char *name)
{
    rico_suggestion near;
    char hint[RICO_SUGGEST_SENTENCE];
    rico_suggest_start(&near, name);
    for (int i = 0; rico_impact_law_at(i); i++) rico_suggest_offer(&near, rico_impact_law_at(i)->name);
    return rico_fail(ctx, RICO_BAD_ARGUMENT, "there is no law of impact '%s'%s", name,
                     rico_suggest_sentence(&near, "", hint));
}


// A value of an option, or a formula of the scene's parameters: "lzb.step=1e-4*exponent".
static rico_status set_option(rico_context *ctx, rico_impact_law *law, const rico_scope *scope,
                              const char *name, const char *text)
{
    double value;
    rico_status status = rico_impact_law_set(law, name, text);
    if (status != RICO_BAD_ARGUMENT) return status;
    char sentence[256];
    snprintf(sentence, sizeof sentence, "%s", rico_message(ctx));
    if (rico_formula_constant(ctx, text, scope, NULL, &value) == RICO_OK)
        return rico_impact_law_set_number(law, name, value);
    return rico_fail(ctx, status, "%s", sentence);
}


// "lzb.relative-step=1e-3" for the law of that name.
static rico_status set_options(rico_context *ctx, const rico_outcome_options *options,
                               const rico_scope *scope, rico_impact_law *law, const char *name)
{
    size_t length = strlen(name);
    rico_status status = RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i < options->option_count; i++) {
        char word[160];
        snprintf(word, sizeof word, "%s", options->options[i]);
        char *dot = strchr(word, '.'), *sign = strchr(word, '=');
        if (!dot || !sign || dot > sign)
            return rico_fail(ctx, RICO_BAD_ARGUMENT,
                             "'%s' is no option of a law; write LAW.OPTION=VALUE, as lzb.relative-step=1e-3",
                             options->options[i]);
        *dot = *sign = '\0';
        if (!rico_impact_law_find(word)) return unknown_law(ctx, word);
        if (strlen(word) == length && strcmp(word, name) == 0)
            status = set_option(ctx, law, scope, dot + 1, sign + 1);
    }
    return status;
}


// Options are looked at before any law is applied, so that a mistake in one is not taken for a law that refuses.
static rico_status check_options(rico_context *ctx, const rico_outcome_options *options,
                                 const rico_scope *scope)
{
    rico_status status = RICO_OK;
    for (int i = 0; status == RICO_OK && rico_impact_law_at(i); i++) {
        rico_impact_law *law = NULL;
        status = rico_impact_law_create(ctx, rico_impact_law_at(i)->name, &law);
        if (status == RICO_OK) status = set_options(ctx, options, scope, law, rico_impact_law_at(i)->name);
        rico_impact_law_destroy(law);
    }
    return status;
}


static void take_measures(const rico_outcomes *out, const rico_impact_result *result, rico_outcome *outcome)
{
    double *measure = outcome->measure, fastest = 0.0;
    int64_t repeated = 0, stuck = 0, forward = 0;
    for (int64_t j = 0; j < out->contacts; j++) {
        if (!out->active[j]) continue;
        fastest = fmax(fastest, fabs(result->gap_after[j]));
        stuck += rico_outcome_stuck(1, &result->gap_after[j], out->speed, STUCK);
        if (result->impacts[j] > repeated) repeated = result->impacts[j];
    }
    for (int64_t i = 0; i < out->dofs; i++) forward += result->velocity[i] > STUCK * out->speed;
    measure[ENERGY] = rico_outcome_energy_ratio(result);
    measure[DISPERSION] = out->mass ? rico_outcome_dispersion(out->dofs, out->mass, result->velocity) : NAN;
    measure[COLLISIONS] = (double)result->collisions;
    measure[STEPS] = (double)result->steps;
    measure[REPEATED] = (double)repeated;
    measure[STUCK_PAIRS] = (double)stuck;
    measure[LOOSE_PAIRS] = (double)(out->closed - stuck);
    measure[FASTEST_GAP] = out->speed > 0.0 ? fastest / out->speed : 0.0;
    measure[FORWARD] = (double)forward;
    measure[FIRST] = result->velocity[0];
    measure[LAST] = result->velocity[out->dofs - 1];
    measure[DURATION] = result->duration;
    measure[ENDED] = result->stop == RICO_IMPACT_DONE || result->stop == RICO_IMPACT_SWEPT;
}


static rico_status apply_law(rico_outcomes *out, const rico_impact *impact, const char *name,
                             const rico_outcome_options *options)
{
    rico_context *ctx = out->ctx;
    const rico_impact_law_info *info = rico_impact_law_find(name);
    if (!info) return unknown_law(ctx, name);
    if (out->count == RICO_OUTCOME_LAWS)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "more than %d laws", RICO_OUTCOME_LAWS);
    rico_outcome *outcome = &out->outcome[out->count++];
    outcome->law = info->name;
    outcome->velocity = rico_alloc(ctx, out->dofs, sizeof *outcome->velocity);
    outcome->impulse = rico_alloc(ctx, out->contacts, sizeof *outcome->impulse);
    outcome->measure = rico_alloc(ctx, MEASURES, sizeof *outcome->measure);
    if (!outcome->velocity || !outcome->impulse || !outcome->measure) return RICO_NO_MEMORY;

    rico_impact_law *law = NULL;
    rico_impact_result result;
    rico_status status = rico_impact_law_create(ctx, name, &law);
    if (status == RICO_OK) status = set_options(ctx, options, out->scope, law, name);
    if (status == RICO_OK) status = rico_impact_law_setup(law, impact);
    if (status == RICO_OK && options->waves > 0 && info->in_time && !out->waves.time)
        status = prepare_waves(out, options, law);
    if (status == RICO_OK) status = rico_impact_law_apply(law, out->before, &result);
    if (status == RICO_OK) {
        outcome->stop = result.stop;
        snprintf(outcome->note, sizeof outcome->note, "%s", result.note);
        memcpy(outcome->velocity, result.velocity, (size_t)out->dofs * sizeof(double));
        memcpy(outcome->impulse, result.impulse, (size_t)out->contacts * sizeof(double));
        take_measures(out, &result, outcome);
        if (result.stop == RICO_IMPACT_STOPPED)
            status = rico_fail(ctx, RICO_INTERRUPTED, "interrupted in the law %s", name);
    }
    rico_impact_law_destroy(law);
    return status;
}


// Forgets the last law, but for its sentence.
static void skip_last(rico_outcomes *out)
{
    rico_outcome *outcome = &out->outcome[--out->count];
    size_t used = strlen(out->skipped);
    snprintf(out->skipped + used, sizeof out->skipped - used, "%s%s", used ? "; " : "",
             rico_message(out->ctx));
    rico_free(out->ctx, outcome->velocity);
    rico_free(out->ctx, outcome->impulse);
    rico_free(out->ctx, outcome->measure);
    memset(outcome, 0, sizeof *outcome);
}


// Words that stand for several laws. Without a word at all they are those of the first.
typedef struct law_group {
    const char *name;
    bool rigid, compliant;
} law_group;

static const law_group GROUPS[] = {{"rigid", true, false}, {"compliant", false, true}, {"all", true, true}};
enum { GROUP_COUNT = sizeof GROUPS / sizeof *GROUPS };


static const law_group *find_group(const char *name)
{
    for (int i = 0; i < GROUP_COUNT; i++)
        if (strcmp(GROUPS[i].name, name) == 0) return &GROUPS[i];
    return NULL;
}


// The laws of a group; those that refuse this impact, as Moreau's does when restitutions differ, are left out
// and named.
static rico_status apply_group(rico_outcomes *out, const rico_impact *impact, const law_group *group,
                               const rico_outcome_options *options)
{
    rico_status status = RICO_OK;
    const rico_impact_law_info *info;
    for (int i = 0; status == RICO_OK && (info = rico_impact_law_at(i)) != NULL; i++) {
        if (!(info->compliant ? group->compliant : group->rigid)) continue;
        status = apply_law(out, impact, info->name, options);
        if (status == RICO_BAD_ARGUMENT && out->count > 0 && out->outcome[out->count - 1].measure) {
            skip_last(out);
            status = RICO_OK;
        }
    }
    return status;
}


static void compare(rico_outcomes *out)
{
    static const struct {
        const char *law;
        int measure;
    } REFERENCES[] = {{"moreau", TO_MOREAU}, {"binary", TO_BINARY}, {"lzb", TO_LZB}};
    for (int i = 0; i < out->count; i++) {
        double *measure = out->outcome[i].measure;
        measure[TO_MOREAU] = measure[TO_BINARY] = measure[TO_LZB] = measure[GOOD_BALLS] = NAN;
        for (int k = 0; k < out->count; k++)
            for (int r = 0; r < 3; r++) {
                if (strcmp(out->outcome[k].law, REFERENCES[r].law) != 0) continue;
                const double *v = out->outcome[i].velocity, *reference = out->outcome[k].velocity;
                measure[REFERENCES[r].measure] = rico_outcome_gap(out->dofs, v, reference);
                if (REFERENCES[r].measure == TO_LZB)
                    measure[GOOD_BALLS] = (double)rico_outcome_good(out->dofs, v, reference, GOOD);
            }
    }
}


// --- the system ----------------------------------------------------------------------------------------------

// The diagonal of M where that is all of it.
static rico_status take_mass(rico_outcomes *out, const rico_csc *M)
{
    out->mass = rico_alloc(out->ctx, M->cols, sizeof *out->mass);
    if (!out->mass) return RICO_NO_MEMORY;
    bool diagonal = true;
    for (int64_t j = 0; j < M->cols; j++)
        for (int64_t k = M->start[j]; k < M->start[j + 1]; k++) {
            if (M->row[k] == j)
                out->mass[j] = M->value[k];
            else
                diagonal = diagonal && M->value[k] == 0.0;
        }
    if (diagonal) return RICO_OK;
    rico_free(out->ctx, out->mass);
    out->mass = NULL;
    return RICO_OK;
}


static rico_status take_contacts(rico_outcomes *out, const rico_impact *impact)
{
    double *gap = rico_alloc(out->ctx, out->contacts, sizeof *gap);
    if (!gap) return RICO_NO_MEMORY;
    rico_impact_gap_velocity(impact, out->before, gap);
    for (int64_t j = 0; j < out->contacts; j++) {
        out->active[j] = impact->active[j];
        if (!out->active[j]) continue;
        out->closed++;
        out->speed = fmax(out->speed, -gap[j]);
    }
    rico_free(out->ctx, gap);
    if (out->closed == 0)
        return rico_fail(out->ctx, RICO_BAD_INPUT, "no contact of the scene is closed in its initial state");
    return RICO_OK;
}


rico_status rico_outcomes_make(rico_context *ctx, rico_scene *scene, const rico_outcome_options *options,
                               rico_outcomes *out)
{
    rico_system *system = rico_scene_system(scene);
    const double *q = rico_scene_position(scene);
    rico_impact *impact = NULL;
    memset(out, 0, sizeof *out);
    out->ctx = ctx;
    double closed = TOUCHES * rico_norm_inf(rico_system_positions(system), q);
    out->scope = &rico_scene_parameters(scene)->scope;
    rico_status status = check_options(ctx, options, out->scope);
    if (status == RICO_OK)
        status = rico_impact_create_at(system, rico_scene_times(scene).start, q, closed, &impact);
    if (status != RICO_OK) return status;
    out->dofs = rico_impact_dofs(impact);
    out->contacts = rico_impact_contacts(impact);
    out->before = rico_alloc(ctx, out->dofs, sizeof *out->before);
    out->active = rico_alloc(ctx, out->contacts, sizeof *out->active);
    status = out->before && out->active ? RICO_OK : RICO_NO_MEMORY;
    if (status == RICO_OK) {
        memcpy(out->before, rico_scene_velocity(scene), (size_t)out->dofs * sizeof *out->before);
        status = take_mass(out, &impact->M);
    }
    if (status == RICO_OK) status = take_contacts(out, impact);
    if (status == RICO_OK)
        status = options->law_count == 0 ? apply_group(out, impact, &GROUPS[0], options) : RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i < options->law_count; i++) {
        const law_group *group = find_group(options->laws[i]);
        status = group ? apply_group(out, impact, group, options)
                       : apply_law(out, impact, options->laws[i], options);
    }
    if (status == RICO_OK) compare(out);
    rico_impact_destroy(impact);
    return status;
}


// --- columns -------------------------------------------------------------------------------------------------

static rico_status add_index(rico_sheet *sheet, const char *name, int64_t count)
{
    double *index;
    rico_status status = rico_sheet_add(sheet, name, count, NULL, &index);
    for (int64_t i = 0; status == RICO_OK && i < count; i++) index[i] = (double)i;
    return status;
}


static rico_status add_waves(const rico_waves *waves, rico_sheet *sheet)
{
    rico_status status = rico_sheet_add(sheet, "time", waves->rows, waves->time, NULL);
    for (int64_t c = 0; status == RICO_OK && c < waves->contacts; c++) {
        char name[RICO_SHEET_NAME];
        double *energy;
        snprintf(name, sizeof name, "energy[%lld]", (long long)c);
        status = rico_sheet_add(sheet, name, waves->rows, NULL, &energy);
        for (int64_t k = 0; status == RICO_OK && k < waves->rows; k++)
            energy[k] = waves->energy[k * waves->contacts + c];
    }
    return status;
}


rico_status rico_outcomes_sheet(const rico_outcomes *outcomes, rico_sheet *sheet)
{
    char name[RICO_SHEET_NAME];
    rico_status status = add_index(sheet, "i", outcomes->dofs);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "v", outcomes->dofs, outcomes->before, NULL);
    for (int i = 0; status == RICO_OK && i < outcomes->count; i++) {
        snprintf(name, sizeof name, "%s.v", outcomes->outcome[i].law);
        status = rico_sheet_add(sheet, name, outcomes->dofs, outcomes->outcome[i].velocity, NULL);
    }
    if (status == RICO_OK) status = add_index(sheet, "contact", outcomes->contacts);
    for (int i = 0; status == RICO_OK && i < outcomes->count; i++) {
        snprintf(name, sizeof name, "%s.impulse", outcomes->outcome[i].law);
        status = rico_sheet_add(sheet, name, outcomes->contacts, outcomes->outcome[i].impulse, NULL);
    }
    for (int i = 0; i < outcomes->count; i++)
        for (int k = 0; status == RICO_OK && k < MEASURES; k++) {
            snprintf(name, sizeof name, "%s.%s", outcomes->outcome[i].law, TABLE[k].name);
            status = rico_sheet_add(sheet, name, 1, &outcomes->outcome[i].measure[k], NULL);
        }
    if (status == RICO_OK && outcomes->waves.rows > 0) status = add_waves(&outcomes->waves, sheet);
    return status;
}
