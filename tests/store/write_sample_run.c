// Writes the run of sample_run.h, slowly if asked to, for programs of other languages to read.
// Usage: write_sample_run PATH STEPS PAUSE, the pause in microseconds between two steps. Waits for a line on standard
// input before it ends, after half of the steps.

#include "store/sample_run.h"

#include <time.h>

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    rico_context *ctx = rico_context_create(NULL);
    rico_table tables[SAMPLE_TABLES];
    rico_archive_plan plan = sample_plan(tables, 0);
    plan.overwrite = true;
    plan.flush_seconds = 0.01;
    rico_archive *archive = NULL;
    rico_status status = rico_archive_create(ctx, argv[1], &plan, &archive);
    sample_state run = sample_begin();
    int64_t steps = atoll(argv[2]);
    struct timespec pause = {.tv_nsec = atol(argv[3]) * 1000};
    while (status == RICO_OK && run.step < steps) {
        status = sample_step(archive, &run);
        nanosleep(&pause, NULL);
        if (status == RICO_OK && run.step == steps / 2) {
            status = rico_archive_checkpoint(archive, &run, sizeof run);
            if (getchar() == EOF) break;
        }
    }
    if (status == RICO_OK) status = rico_archive_close(archive, run.step == steps);
    if (status != RICO_OK) fprintf(stderr, "%s\n", rico_message(ctx));
    rico_archive_destroy(archive);
    rico_context_destroy(ctx);
    return status == RICO_OK ? 0 : 1;
}
