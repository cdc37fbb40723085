// What it costs to write every step of the impacting bar: the same steps with and without a result file, in turns.
//
// usage: bench_record_bar [elements] [steps] [FILE.h5]
//
// Prints microseconds per step, best of several rounds, by the wall clock and by the processor time of the thread that
// steps, and the size of the file over that of its numbers. The bars of the project are 10 % and 1.2.

#include "base/clock.h"
#include "store/recording.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { ROUNDS = 7 };

static double thread_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}


static rico_status simulate(rico_context *ctx, const char *text, int steps, const char *path, double *wall,
                            double *thread, double *numbers)
{
    rico_scene *scene = NULL;
    rico_simulation *sim = NULL;
    rico_recording *recording = NULL;
    rico_recording_options options = {
        .scene_text = text, .scene_path = "bench", .overrides = "", .overwrite = true};
    rico_status status =
        rico_scene_parse(ctx, "bench", text, (int64_t)strlen(text), 0, NULL, NULL, 0, &scene);
    if (status == RICO_OK) status = rico_scene_simulate(scene, &sim);
    if (status == RICO_OK && path)
        status = rico_recording_create(ctx, path, scene, sim, &options, &recording);
    double begin = rico_clock(), cpu = thread_seconds(), h = rico_scene_times(scene).step;
    for (int k = 0; status == RICO_OK && k < steps; k++) {
        status = rico_simulation_step(sim, h);
        if (status == RICO_OK && recording) status = rico_recording_step(recording, k + 1 == steps);
    }
    if (status == RICO_OK && recording) status = rico_recording_close(recording, true);
    *wall = fmin(*wall, (rico_clock() - begin) / steps);
    *thread = fmin(*thread, (thread_seconds() - cpu) / steps);
    if (status == RICO_OK) {
        rico_system *system = rico_scene_system(scene);
        // t, q, v; four columns of contact rows and one of constraints; two ledgers of 14; 7 counters
        *numbers = (double)(steps + 1) *
                   (double)(1 + rico_system_positions(system) + rico_system_velocities(system) +
                            4 * rico_system_rows(system) + rico_system_constraints(system) + 28 + 7);
    }
    rico_recording_destroy(recording);
    rico_simulation_destroy(sim);
    rico_scene_destroy(scene);
    return status;
}


int main(int argc, char **argv)
{
    int elements = argc > 1 ? atoi(argv[1]) : 1000, steps = argc > 2 ? atoi(argv[2]) : 5000;
    const char *path = argc > 3 ? argv[3] : "bench_record_bar.h5";
    char text[512];
    snprintf(
        text, sizeof text,
        "parts: {bar: {kind: bar, elements: %d, length: 1, section: 1e-4*pi, young: 210e9, density: 7800}}\n"
        "contacts: {wall: 'bar[0] + 1e-6'}\n"
        "initial: {velocity: {bar: -0.1}}\n"
        "time: {end: 1, step: 2e-7}\n",
        elements);
    rico_context *ctx = rico_context_create(NULL);
    double wall[2] = {INFINITY, INFINITY}, thread[2] = {INFINITY, INFINITY}, numbers = 0.0;
    for (int round = 0; round < ROUNDS; round++)
        for (int record = 0; record < 2; record++)
            if (simulate(ctx, text, steps, record ? path : NULL, &wall[record], &thread[record], &numbers) !=
                RICO_OK) {
                fprintf(stderr, "%s\n", rico_message(ctx));
                return 1;
            }
    struct stat info;
    if (stat(path, &info) != 0) return 1;
    printf("%d elements, %d steps, every one written, best of %d rounds\n\n", elements, steps, ROUNDS);
    printf("| | without | with | more |\n| --- | --- | --- | --- |\n");
    printf("| microseconds a step, wall clock | %.2f | %.2f | %.1f %% |\n", 1e6 * wall[0], 1e6 * wall[1],
           100.0 * (wall[1] / wall[0] - 1.0));
    printf("| of the stepping thread | %.2f | %.2f | %.1f %% |\n", 1e6 * thread[0], 1e6 * thread[1],
           100.0 * (thread[1] / thread[0] - 1.0));
    printf("\nfile / numbers: %.3f\n", (double)info.st_size / (8.0 * numbers));
    remove(path);
    rico_context_destroy(ctx);
    return 0;
}
