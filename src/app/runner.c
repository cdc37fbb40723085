// Running a scene into a result file.

#include "app/runner.h"

#include "app/paths.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "store/recording.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// The pieces of one run, released together.
typedef struct scene_run {
    rico_context *ctx;
    const rico_runner_options *options;
    rico_runner_result *result;
    char *text;
    rico_text overrides;
    rico_scene *scene;
    rico_simulation *sim;
    rico_recording *recording;
    double h, last_look, last_checkpoint;
    int64_t steps; // of the whole run
    rico_scene_time time;
    rico_run_report report; // of an adaptive run
    rico_status failure;    // of what its steps were recorded with
} scene_run;


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


static rico_status open_recording(scene_run *run)
{
    const rico_runner_options *options = run->options;
    rico_recording_options notes = {run->text, options->scene, run->overrides.data ? run->overrides.data : "",
                                    options->overwrite};
    // the first thing that a newcomer meets; the message of the archive knows no options of ours
    struct stat about;
    if (!options->resume && !options->overwrite && stat(options->output, &about) == 0 &&
        S_ISREG(about.st_mode))
        return rico_fail(run->ctx, RICO_IO_ERROR,
                         "'%s' exists already; --overwrite replaces it, --output writes elsewhere",
                         options->output);
    if (!options->resume)
        return rico_recording_create(run->ctx, options->output, run->scene, run->sim, &notes,
                                     &run->recording);
    rico_status status =
        rico_recording_resume(run->ctx, options->output, run->scene, run->sim, &notes, &run->recording);
    run->result->resumed = status == RICO_OK && run->recording;
    run->result->nothing_left = status == RICO_OK && !run->recording;
    return status;
}


static rico_status prepare(scene_run *run)
{
    const rico_runner_options *options = run->options;
    size_t length;
    rico_status status = rico_file_load(run->ctx, options->scene, &run->text, &length);
    for (int64_t i = 0; status == RICO_OK && i < options->override_count; i++)
        rico_text_add(&run->overrides, "%s\n", options->overrides[i]);
    if (status == RICO_OK) status = run->overrides.status;
    if (status == RICO_OK)
        status = rico_scene_load(run->ctx, options->scene, options->override_count, options->overrides,
                                 run->result->excerpt, sizeof run->result->excerpt, &run->scene);
    if (status != RICO_OK) return status;
    run->time = rico_scene_times(run->scene);
    count_steps(run);
    snprintf(run->result->scheme, sizeof run->result->scheme, "%s", rico_scene_scheme(run->scene));
    snprintf(run->result->title, sizeof run->result->title, "%s", rico_scene_title(run->scene));
    status = rico_scene_simulate(run->scene, &run->sim);
    if (status != RICO_OK) return status;
    run->result->first = *rico_simulation_ledger(run->sim);
    return open_recording(run);
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
    if (period <= 0.0 || now - run->last_checkpoint < period) return RICO_OK;
    run->last_checkpoint = now;
    return rico_recording_checkpoint(run->recording);
}


// After every accepted step of an adaptive run.
static bool on_step(void *user, rico_simulation *sim)
{
    scene_run *run = user;
    *rico_recording_pace(run->recording) = (rico_pace){run->report.h_next, run->report.t_blow};
    run->failure = rico_recording_step(run->recording, rico_simulation_time(sim) >= run->time.end);
    if (run->failure == RICO_OK) run->failure = look_up(run);
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
    rico_status status = rico_simulation_run(run->sim, run->time.end, &options, on_step, run, &run->report);
    return run->failure != RICO_OK ? run->failure : status;
}


static rico_status step_equally(scene_run *run)
{
    rico_status status = RICO_OK;
    while (status == RICO_OK && rico_simulation_steps(run->sim) < run->steps) {
        status = rico_simulation_step(run->sim, next_step(run));
        if (status == RICO_OK)
            status = rico_recording_step(run->recording, rico_simulation_steps(run->sim) == run->steps);
        if (status == RICO_OK) status = look_up(run);
    }
    return status;
}


static rico_status step_through(scene_run *run)
{
    run->last_checkpoint = rico_clock();
    rico_status status = run->time.adaptive ? step_adaptively(run) : step_equally(run);
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
    if (!run->recording) return;
    result->events = rico_recording_events(run->recording);
    rico_breach breach = rico_simulation_breach(run->sim);
    result->violation = fmax(breach.depth, rico_recording_violation(run->recording));
    result->broken = breach.share;
    if (breach.constraint < 0) return;
    rico_constraint_info info = rico_system_constraint(rico_scene_system(run->scene), breach.constraint);
    snprintf(result->breaker, sizeof result->breaker, "%s %s", info.joint ? "joint" : "contact", info.name);
}


rico_status rico_runner_run(rico_context *ctx, const rico_runner_options *options, rico_runner_result *result)
{
    scene_run run = {.ctx = ctx, .options = options, .result = result, .overrides = {.ctx = ctx}};
    memset(result, 0, sizeof *result);
    double begin = rico_clock();
    rico_status status = prepare(&run);
    if (status == RICO_OK && run.recording) {
        status = step_through(&run);
        tell(&run);
        result->finished = status == RICO_OK;
        char sentence[512];
        snprintf(sentence, sizeof sentence, "%s", rico_message(ctx));
        rico_status closed = rico_recording_close(run.recording, result->finished);
        if (status == RICO_OK)
            status = closed;
        else
            rico_fail(ctx, status, "%s", sentence);
    } else {
        tell(&run);
    }
    result->seconds = rico_clock() - begin;
    char sentence[512];
    snprintf(sentence, sizeof sentence, "%s", rico_message(ctx));
    rico_recording_destroy(run.recording);
    rico_simulation_destroy(run.sim);
    rico_scene_destroy(run.scene);
    rico_free(ctx, run.overrides.data);
    rico_free(ctx, run.text);
    if (status != RICO_OK) rico_fail(ctx, status, "%s", sentence);
    return status;
}


rico_status rico_runner_default_output(rico_context *ctx, const char *scene, char **out)
{
    return rico_path_with_ending(ctx, scene, ".h5", out);
}
