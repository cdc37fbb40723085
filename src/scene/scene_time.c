// The times of a scene, judged before the first step: what can never be run or written is refused here.

#include "scene/scene_private.h"

#include <float.h>
#include <math.h>

// At a microsecond each, 10^13 steps take four months; 10^14 bytes are more than one machine holds.
static const double MOST_STEPS = 1e13, MOST_BYTES = 1e14;

static const rico_node *key(const rico_scene *scene, const char *section, const char *name)
{
    return rico_node_at(rico_node_at(rico_document_root(scene->document), section), name);
}


// A round number at least as large, of one figure: what a remedy offers should be easy to type.
static double round_up(double x)
{
    double unit = pow(10.0, floor(log10(x)));
    return ceil(x / unit * (1.0 - 1e-12)) * unit;
}


static rico_status check_steps(rico_scene *scene, const rico_scene_time *time)
{
    double span = time->end - time->start, late = fmax(fabs(time->start), fabs(time->end));
    const rico_node *step = key(scene, "time", "step");
    if (time->step > span * (1.0 + 1e-12))
        return rico_document_fail(scene->document, step,
                                  "'step' = %g is longer than the run, from t = %g to %g; take at most %.10g",
                                  time->step, time->start, time->end, span);
    if (time->step < 4.0 * DBL_EPSILON * late)
        return rico_document_fail(
            scene->document, step,
            "'step' = %g is lost in the round-off of t = %g: time would stand still; take at "
            "least %g",
            time->step, late, round_up(4.0 * DBL_EPSILON * late));
    if (!time->adaptive && span / time->step > MOST_STEPS)
        return rico_document_fail(
            scene->document, step,
            "'step' = %g makes %.3g steps from t = %g to %g, more than can ever be run; take "
            "at least %g",
            time->step, span / time->step, time->start, time->end, round_up(span / MOST_STEPS));
    return RICO_OK;
}


// What a row takes at least: time, positions, velocities, and impulses of all rows.
static rico_status check_rows(rico_scene *scene, const rico_scene_time *time)
{
    double numbers = 1.0 + (double)(rico_system_positions(scene->system) +
                                    rico_system_velocities(scene->system) + rico_system_rows(scene->system));
    double steps = (time->end - time->start) / time->step;
    double bytes = 8.0 * numbers * steps / (double)time->every;
    if (time->adaptive || bytes <= MOST_BYTES) return RICO_OK;
    return rico_document_fail(
        scene->document, key(scene, "time", "step"),
        "%.3g steps of %.0f numbers each are %.3g bytes, more than can be written; write fewer "
        "rows, as by 'output: {every: %.0f}', or take a longer 'step'",
        steps, numbers, bytes, round_up(8.0 * numbers * steps / MOST_BYTES));
}


static rico_status check_adaptive(rico_scene *scene, const rico_scene_time *time)
{
    if (!time->adaptive) return RICO_OK;
    if (time->rtol == 0.0 && time->atol == 0.0)
        return rico_document_fail(
            scene->document, key(scene, "time", "rtol"),
            "'rtol' and 'atol' are both 0: no step is ever short enough; set one of them");
    if (time->impact_step > time->step)
        return rico_document_fail(
            scene->document, key(scene, "time", "impact-step"),
            "'impact-step' = %g is longer than 'step' = %g; steps shrink to it, so take less",
            time->impact_step, time->step);
    return RICO_OK;
}


rico_status rico_scene_check_time(rico_scene *scene)
{
    rico_scene_time time = rico_scene_times(scene);
    if (!rico_scene_has_time(scene)) return RICO_OK;
    if (time.end <= time.start)
        return rico_document_fail(scene->document, key(scene, "time", "end"),
                                  "'end' = %g must come after 'start' = %g", time.end, time.start);
    rico_status status = check_steps(scene, &time);
    if (status == RICO_OK) status = check_rows(scene, &time);
    if (status == RICO_OK) status = check_adaptive(scene, &time);
    if (status == RICO_OK) status = rico_scene_check_sampled(scene, &time);
    return status;
}
