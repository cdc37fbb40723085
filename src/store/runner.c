// Running a scene into a result file.

#include "store/runner.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/paths.h"
#include "base/text.h"
#include "ricochet/source.h"
#include "step/helper.h"
#include "store/origin.h"
#include "store/recognise.h"
#include "store/recording.h"
#include "store/reductions.h"
#include "store/start_from.h"
#include "store/strain_watch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The pieces of one run, released together.
typedef struct scene_run {
    rico_context *ctx;
    const rico_runner_options *options;
    rico_runner_result *result;
    rico_origin origin; // of a run that goes on
    const char *scene_path;
    char *text;
    int64_t override_count;
    const char **override; // those that hold, whoever gave them
    char end_text[64];
    rico_text overrides, files, from; // notes
    rico_scene *scene;
    rico_simulation *sim;
    rico_recording *recording;
    rico_sensitivity *sensitivity; // or NULL
    rico_reductions *reductions;
    double h, last_look, last_checkpoint;
    int64_t steps; // of the whole run
    int64_t begun; // number of the step that this run began behind
    rico_scene_time time;
    rico_run_report report; // of an adaptive run
    rico_status failure;    // of what its steps were recorded with
} scene_run;


rico_runner_options rico_runner_defaults(void)
{
    return (rico_runner_options){.until = NAN, .from_time = NAN};
}


static bool goes_on(const rico_runner_options *options)
{
    return options->resume || options->extend;
}


// Equal steps as long as they fit; what is left over, beyond rounding, makes one shorter step at the end.
static void count_steps(scene_run *run)
{
    double span = run->time.end - run->time.start;
    run->h = run->time.step;
    double exact = span / run->h, whole = floor(exact + 1e-9 * fmax(exact, 1.0));
    run->steps = (int64_t)whole + (exact - whole > 1e-9 * fmax(exact, 1.0));
    if (run->steps < 1) run->steps = 1;
}


static double next_step(const scene_run *run)
{
    if (rico_simulation_steps(run->sim) + 1 < run->steps) return run->h;
    double left = run->time.end - rico_simulation_time(run->sim);
    return fabs(left - run->h) <= 1e-6 * run->h ? run->h : fmin(left, run->h);
}


// What the notes of a new file say, and what an old one is compared with.
static rico_status open_recording(scene_run *run)
{
    const rico_runner_options *options = run->options;
    const rico_recording_options notes = {.scene_text = run->text,
                                          .scene_path = run->scene_path,
                                          .overrides = run->overrides.data,
                                          .files = run->files.data,
                                          .from = run->from.data,
                                          .overwrite = options->overwrite,
                                          .discard = !options->output && !options->results,
                                          .extend = options->extend && run->origin.finished,
                                          .sensitivity = run->sensitivity};
    if (!goes_on(options))
        return rico_recording_create(run->ctx, options->output, run->scene, run->sim, &notes,
                                     &run->recording);
    rico_status status =
        rico_recording_resume(run->ctx, options->output, run->scene, run->sim, &notes, &run->recording);
    run->result->resumed = status == RICO_OK && run->recording;
    run->result->nothing_left = status == RICO_OK && !run->recording;
    if (run->result->resumed && options->extend)
        status = rico_recording_set_end(run->recording, options->until);
    return status;
}


static rico_status add_override(scene_run *run, const char *text)
{
    const char **more =
        rico_grow(run->ctx, run->override, run->override_count, run->override_count + 1, sizeof *more);
    if (!more) return RICO_NO_MEMORY;
    run->override = more;
    run->override[run->override_count++] = text;
    return RICO_OK;
}


// Another end than the scene's is one more setting.
static rico_status add_end(scene_run *run, double end)
{
    if (isnan(end)) return RICO_OK;
    snprintf(run->end_text, sizeof run->end_text, "time.end=%.17g", end);
    return add_override(run, run->end_text);
}


// The text of the scene, as it is given or from its file.
static rico_status take_text(scene_run *run)
{
    const char *given = run->options->text;
    size_t length = given ? strlen(given) + 1 : 0;
    if (!given) return rico_file_load(run->ctx, run->scene_path, &run->text, &length);
    run->text = rico_alloc(run->ctx, (int64_t)length, 1);
    if (!run->text) return RICO_NO_MEMORY;
    memcpy(run->text, given, length);
    return RICO_OK;
}


// A new run: the scene as it stands, the settings as they are given.
static rico_status take_scene(scene_run *run)
{
    const rico_runner_options *options = run->options;
    // the first thing that a newcomer meets; the message of the archive knows no options of ours
    struct stat about;
    if (options->output && !options->overwrite && stat(options->output, &about) == 0 &&
        S_ISREG(about.st_mode) && about.st_size > 0)
        return rico_fail(run->ctx, RICO_IO_ERROR, "'%s' exists already; %s", options->output,
                         rico_is_archive(run->ctx, options->output)
                             ? "--overwrite replaces it, --output writes elsewhere"
                             : "it is not a result file of rico and stays; --output writes elsewhere");
    run->scene_path = options->scene ? options->scene : "scene";
    rico_status status = take_text(run);
    for (int64_t i = 0; status == RICO_OK && i < options->override_count; i++)
        status = add_override(run, options->overrides[i]);
    if (status == RICO_OK) status = add_end(run, options->until);
    return status;
}


// Until when a run that goes on is to go: where it ended or was to end, or later.
static rico_status choose_end(scene_run *run, double *end)
{
    const rico_runner_options *options = run->options;
    *end = run->origin.end;
    if (isnan(options->until)) return RICO_OK;
    double held = isnan(*end) ? run->time.end : *end;
    *end = options->until;
    if (options->extend && !(options->until > held))
        return rico_fail(run->ctx, RICO_BAD_ARGUMENT,
                         "'%s' goes until t = %.15g already; --until %.15g is not later", options->output,
                         held, options->until);
    if (!options->extend && options->until != held)
        return rico_fail(
            run->ctx, RICO_BAD_INPUT,
            "'%s': the run goes until t = %.15g in the file, %.15g now; --extend instead of --resume "
            "makes it longer",
            options->output, held, options->until);
    return RICO_OK;
}


// A run that goes on: what its file holds, after a comparison with what is given.
static rico_status take_origin(scene_run *run)
{
    const rico_runner_options *options = run->options;
    run->result->nothing_there = access(options->output, F_OK) != 0;
    if (run->result->nothing_there) return RICO_OK;
    rico_status status = rico_origin_read(run->ctx, options->output, &run->origin);
    if (status != RICO_OK) return status;
    status = rico_origin_check(&run->origin, options->scene, options->override_count, options->overrides);
    run->scene_path = options->scene ? options->scene : run->origin.scene_path;
    run->text = run->origin.scene; // the origin releases it
    for (int64_t i = 0; status == RICO_OK && i < run->origin.override_count; i++)
        status = add_override(run, run->origin.override[i]);
    return status;
}


static rico_status load_scene(scene_run *run)
{
    rico_runner_result *result = run->result;
    rico_scene_destroy(run->scene);
    run->scene = NULL;
    const rico_scene_options options = {.path = run->scene_path,
                                        .text = run->text,
                                        .length = (int64_t)strlen(run->text),
                                        .override_count = run->override_count,
                                        .overrides = run->override,
                                        .extend = run->options->add,
                                        .user = run->options->user,
                                        .excerpt = result->excerpt,
                                        .excerpt_size = sizeof result->excerpt};
    rico_status status = rico_scene_create(run->ctx, &options, &run->scene);
    if (status == RICO_OK) run->time = rico_scene_times(run->scene);
    return status;
}


// The scene, and of a run that goes on the end that counts now.
static rico_status make_scene(scene_run *run)
{
    bool on = goes_on(run->options);
    rico_status status = on ? take_origin(run) : take_scene(run);
    if (status != RICO_OK || run->result->nothing_there) return status;
    // the notes keep what was given at the start; an extension has a place of its own
    for (int64_t i = 0; i < run->override_count; i++)
        rico_text_add(&run->overrides, "%s\n", run->override[i]);
    status = load_scene(run);
    if (on && status == RICO_OK) {
        double end;
        status = choose_end(run, &end);
        if (status == RICO_OK) status = add_end(run, end);
        if (status == RICO_OK && !isnan(end)) status = load_scene(run);
        if (status == RICO_OK) status = rico_origin_check_files(&run->origin, run->scene);
        if (status == RICO_OK) status = rico_origin_check_sources(&run->origin, run->scene);
    }
    if (status == RICO_OK) rico_origin_list_files(run->scene, &run->files);
    if (status == RICO_OK)
        status = run->overrides.status != RICO_OK ? run->overrides.status : run->files.status;
    return status;
}


static rico_status open_derivatives(scene_run *run)
{
    const rico_sensitivity_options options = {.scene = {.path = run->scene_path,
                                                        .text = run->text,
                                                        .length = (int64_t)strlen(run->text),
                                                        .override_count = run->override_count,
                                                        .overrides = run->override,
                                                        .extend = run->options->add,
                                                        .user = run->options->user},
                                              .of = run->options->derivatives_of,
                                              .with = run->options->derivatives_with};
    return rico_sensitivity_create(run->ctx, run->scene, run->sim, &options, &run->sensitivity);
}


static rico_status prepare(scene_run *run)
{
    rico_status status = make_scene(run);
    if (status != RICO_OK || run->result->nothing_there) return status;
    count_steps(run);
    snprintf(run->result->scheme, sizeof run->result->scheme, "%s", rico_scene_scheme(run->scene));
    snprintf(run->result->title, sizeof run->result->title, "%s", rico_scene_title(run->scene));
    status = rico_scene_simulate(run->scene, &run->sim);
    if (status == RICO_OK && run->options->from && !goes_on(run->options))
        status = rico_start_from(run->ctx, run->options->from, run->options->from_time, run->scene, run->sim,
                                 &run->from);
    if (status == RICO_OK && run->options->derivatives_of) status = open_derivatives(run);
    if (status != RICO_OK) return status;
    run->result->first = goes_on(run->options) ? run->origin.first : *rico_simulation_ledger(run->sim);
    status = open_recording(run);
    if (status == RICO_OK && run->recording)
        status = rico_reductions_create(run->ctx, run->scene, run->sim, &run->reductions);
    return status;
}


// Progress and checkpoints, at most every so many seconds; looking at the clock costs little beside a step.
static rico_status look_up(scene_run *run)
{
    double now = rico_clock();
    if (run->options->progress && now - run->last_look > 0.1) {
        double t = rico_simulation_time(run->sim);
        run->options->progress(run->options->user, (t - run->time.start) / (run->time.end - run->time.start),
                               t);
        run->last_look = now;
    }
    double period = run->options->checkpoint_seconds;
    int64_t done = rico_simulation_steps(run->sim) - run->begun, steps = run->options->checkpoint_steps;
    bool due = (period > 0.0 && now - run->last_checkpoint >= period) || (steps > 0 && done % steps == 0);
    if (due) run->last_checkpoint = now;
    rico_status status = due ? rico_recording_checkpoint(run->recording) : RICO_OK;
    if (status == RICO_OK && run->options->most_steps > 0 && done >= run->options->most_steps)
        status = rico_fail(run->ctx, RICO_INTERRUPTED, "stopped after %lld steps", (long long)done);
    return status;
}


// After every step, and what it has done to the simulation, is recorded: who watches sees it, and may end the run.
static rico_status step_done(scene_run *run, bool last)
{
    rico_status status = rico_recording_step(run->recording, last);
    if (status == RICO_OK) status = rico_strain_watch(run->ctx, run->scene, run->sim, last, run->result);
    if (status == RICO_OK)
        status = rico_reductions_step(run->reductions, rico_recording_wrote(run->recording));
    if (status != RICO_OK) return status;
    bool on = !run->options->step || run->options->step(run->options->user, run->sim);
    if (last) return RICO_OK;
    if (!on)
        return rico_fail(run->ctx, RICO_INTERRUPTED, "stopped after %lld steps",
                         (long long)(rico_simulation_steps(run->sim) - run->begun));
    return look_up(run);
}


// After every accepted step of an adaptive run.
static bool on_step(void *user, rico_simulation *sim)
{
    scene_run *run = user;
    *rico_recording_pace(run->recording) = (rico_pace){run->report.h_next, run->report.t_blow};
    double t = rico_simulation_time(sim);
    bool last = t >= run->time.end;
    run->failure = step_done(run, last);
    // the next step may be the last
    if (run->failure == RICO_OK && !last && t + run->report.h_next >= run->time.end)
        run->failure = rico_recording_keep(run->recording);
    return run->failure == RICO_OK;
}


static rico_status step_adaptively(scene_run *run)
{
    rico_run_options options = rico_run_defaults(run->time.step);
    options.adaptive = true;
    options.rtol = run->time.rtol;
    options.atol = run->time.atol;
    options.max_steps = run->time.max_steps;
    if (run->time.impact_step > 0.0) options.h_impact = run->time.impact_step;
    options.h_min = fmin(options.h_min, options.h_impact);
    if (run->result->resumed) {
        options.h = rico_recording_pace(run->recording)->h_next;
        options.t_blow = rico_recording_pace(run->recording)->t_blow;
    }
    *rico_recording_pace(run->recording) = (rico_pace){options.h, options.t_blow};
    rico_status status = RICO_OK;
    if (rico_simulation_time(run->sim) + options.h >= run->time.end)
        status = rico_recording_keep(run->recording);
    if (status == RICO_OK)
        status = rico_simulation_run(run->sim, run->time.end, &options, on_step, run, &run->report);
    return run->failure != RICO_OK ? run->failure : status;
}


static rico_status step_equally(scene_run *run)
{
    rico_status status = RICO_OK;
    while (status == RICO_OK && rico_simulation_steps(run->sim) < run->steps) {
        bool last = rico_simulation_steps(run->sim) + 1 == run->steps;
        if (last) status = rico_recording_keep(run->recording);
        if (status == RICO_OK) status = rico_simulation_step(run->sim, next_step(run));
        if (status == RICO_OK && run->sensitivity) status = rico_sensitivity_step(run->sensitivity);
        if (status == RICO_OK) status = step_done(run, last);
    }
    return status;
}


// A helper that takes steps needs to know the scene.
static rico_status tell_helper(const scene_run *run)
{
    const rico_helper *helper = rico_context_lent(run->ctx);
    rico_helped_run told = {.path = run->scene_path,
                            .text = run->text,
                            .override_count = run->override_count,
                            .overrides = run->override,
                            .adaptive = run->time.adaptive,
                            .differentiated = run->sensitivity != NULL,
                            .sim = run->sim};
    told.watch = rico_recording_watch(run->recording, &told.every_step);
    return helper && helper->begin ? helper->begin(helper->user, &told) : RICO_OK;
}


static rico_status step_through(scene_run *run)
{
    run->last_checkpoint = rico_clock();
    run->begun = rico_simulation_steps(run->sim);
    rico_status status = rico_strain_watch(run->ctx, run->scene, run->sim, false, run->result);
    if (status != RICO_OK || run->options->only_start) return status;
    status = tell_helper(run);
    if (status != RICO_OK) return status;
    status = run->time.adaptive ? step_adaptively(run) : step_equally(run);
    // a run that stops before its end can be resumed where it stopped
    if (status == RICO_INTERRUPTED || status == RICO_BAD_INPUT || status == RICO_SINGULAR) {
        char sentence[512];
        snprintf(sentence, sizeof sentence, "%s", rico_message(run->ctx));
        rico_recording_checkpoint(run->recording);
        rico_fail(run->ctx, status, "%s", sentence);
    }
    return status;
}


static void tell(scene_run *run)
{
    rico_runner_result *result = run->result;
    if (!run->sim) return;
    result->t_start = run->time.start;
    result->t = rico_simulation_time(run->sim);
    result->steps = rico_simulation_steps(run->sim);
    result->total = *rico_simulation_ledger_total(run->sim);
    result->stats = *rico_simulation_statistics(run->sim);
    result->hash = rico_simulation_hash(run->sim);
    if (run->sensitivity) {
        const rico_sensitivity_report *report = rico_sensitivity_tell(run->sensitivity);
        result->derivative_steps = report->steps;
        result->derivative_differences = report->differences;
        result->one_sided = report->one_sided;
        result->derivative_blows = report->blows;
        result->one_sided_time = report->first_time;
        memcpy(result->one_sided_contact, report->first, sizeof report->first);
    }
    if (!run->recording) return;
    rico_reductions_tell(run->reductions, result);
    result->events = rico_recording_events(run->recording);
    rico_breach breach = rico_simulation_breach(run->sim);
    result->violation = fmax(breach.depth, rico_recording_violation(run->recording));
    result->broken = breach.share;
    if (breach.source >= 0)
        snprintf(result->breaker, sizeof result->breaker, "contact %.100s %llx",
                 rico_system_source_name(rico_scene_system(run->scene), breach.source),
                 (unsigned long long)breach.key);
    if (breach.constraint < 0) return;
    rico_constraint_info info = rico_system_constraint(rico_scene_system(run->scene), breach.constraint);
    snprintf(result->breaker, sizeof result->breaker, "%s %s", info.joint ? "joint" : "contact", info.name);
}


static rico_status check_options(rico_context *ctx, const rico_runner_options *options)
{
    if (goes_on(options) && !options->output)
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "a run can only go on in its result file, and none is named");
    if (!goes_on(options) && !options->scene && !options->text)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a run needs a scene: its path or its text");
    if (!options->derivatives_of != !options->derivatives_with)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "derivatives need names on both sides: of=x,v_x with=mu");
    if (options->derivatives_of && (goes_on(options) || options->from))
        return rico_fail(
            ctx, RICO_BAD_ARGUMENT,
            "derivatives are carried from the scene's own start: not along a run that goes on, nor "
            "from the state of another");
    return RICO_OK;
}


rico_status rico_runner_run(rico_context *ctx, const rico_runner_options *options, rico_runner_result *result)
{
    scene_run run = {.ctx = ctx,
                     .options = options,
                     .result = result,
                     .overrides = {.ctx = ctx},
                     .files = {.ctx = ctx},
                     .from = {.ctx = ctx}};
    memset(result, 0, sizeof *result);
    if (options->results) *options->results = NULL;
    double begin = rico_clock();
    rico_status status = check_options(ctx, options);
    if (status == RICO_OK) status = prepare(&run);
    if (status == RICO_OK && run.recording) {
        status = step_through(&run);
        tell(&run);
        result->finished = status == RICO_OK && !options->only_start;
        char sentence[512];
        snprintf(sentence, sizeof sentence, "%s", rico_message(ctx));
        rico_status closed = rico_recording_close(run.recording, result->finished);
        if (status == RICO_OK)
            status = closed;
        else
            rico_fail(ctx, status, "%s", sentence);
        if (!options->output && options->results)
            (void)rico_recording_results(run.recording, options->results);
    } else {
        tell(&run);
    }
    result->seconds = rico_clock() - begin;
    char sentence[512];
    snprintf(sentence, sizeof sentence, "%s", rico_message(ctx));
    rico_recording_destroy(run.recording);
    rico_sensitivity_destroy(run.sensitivity);
    rico_reductions_destroy(run.reductions);
    rico_simulation_destroy(run.sim);
    rico_scene_destroy(run.scene);
    rico_free(ctx, run.overrides.data);
    rico_free(ctx, run.files.data);
    rico_free(ctx, run.from.data);
    rico_free(ctx, run.override);
    if (run.text != run.origin.scene) rico_free(ctx, run.text);
    rico_origin_release(&run.origin);
    if (status != RICO_OK) rico_fail(ctx, status, "%s", sentence);
    return status;
}


rico_status rico_runner_default_output(rico_context *ctx, const char *scene, char **out)
{
    return rico_path_with_ending(ctx, scene, ".h5", out);
}
