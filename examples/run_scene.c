// A scene from C: what `rico run` does, without a file. A ball falls and bounces; its last height, the highest point after
// the first impact and the energy that the impacts took are read from the results and from the steps themselves.

#include <ricochet/ricochet.h>

#include <math.h>
#include <stdio.h>

static const char SCENE[] = "parameters: {e: 0.8}\n"
                            "parts: {ball: {coordinates: [z], mass: 1, force: -10}}\n"
                            "contacts: {floor: {gap: z, restitution: e}}\n"
                            "initial: {position: {z: 1}}\n"
                            "time: {end: 1, step: 1e-3}\n"
                            "scheme: moreau-jean\n";


// After every step; what the simulation shows stays valid until the next one.
static bool watch(void *user, rico_simulation *sim)
{
    double *highest = user;
    if (rico_simulation_time(sim) > 0.5) *highest = fmax(*highest, rico_simulation_position(sim)[0]);
    return true; // false would stop the run
}


static rico_status run(rico_context *ctx, rico_runner_result *how, double *highest, double *last)
{
    const char *set[] = {"e=0.5"};
    rico_results *results = NULL;
    rico_runner_options options = rico_runner_defaults();
    options.scene = "ball"; // what messages call it; without a text, the path of the file
    options.text = SCENE;
    options.override_count = 1;
    options.overrides = set;
    options.results = &results; // or options.output = "ball.h5", and rico_results_open() reads it
    options.step = watch;
    options.user = highest;
    rico_status status = rico_runner_run(ctx, &options, how);

    // the last row of the positions
    if (status == RICO_OK) {
        int64_t state = rico_results_find_table(results, "state");
        int64_t q = rico_results_find_column(results, state, "q");
        status = rico_results_read(results, state, q, rico_results_rows(results, state) - 1, 1, last);
    }
    rico_results_destroy(results);
    return status;
}


int main(void)
{
    rico_context *ctx = rico_context_create(NULL);
    if (!ctx) return 1;
    rico_runner_result how;
    double highest = 0.0, last = 0.0;
    rico_status status = run(ctx, &how, &highest, &last);
    if (status != RICO_OK) {
        fprintf(stderr, "%s\n%s\n", rico_message(ctx), how.excerpt);
    } else {
        printf("%lld steps of %s to t = %g, %lld events\n", (long long)how.steps, how.scheme, how.t,
               (long long)how.events);
        printf("rises to %.3f, ends at %.3f, impacts took %.2f\n", highest, last, -how.total.normal);
    }
    rico_context_destroy(ctx);
    return status == RICO_OK && fabs(highest - 0.25) < 5e-3 ? 0 : 1;
}
