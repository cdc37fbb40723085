// Runs the scene of hail.h, whose contacts come and go, into a file: for programs of other languages to read and for
// tools/kill-runs to kill.
// Usage: write_hail PATH END [STEPS]: until when, from the last checkpoint where there is one, and how many steps lie between
// two checkpoints (100).

#include "store/hail.h"

int main(int argc, char **argv)
{
    if (argc < 3) return 2;
    rico_context *ctx = rico_context_create(NULL);
    char checkpoint[512], end[64];
    snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", argv[1]);
    snprintf(end, sizeof end, "time.end=%s", argv[2]);
    const char *override = end;
    hail own = {.order = (int)(getpid() % 3)}; // which must not matter
    rico_runner_options options = hail_options(&own, argv[1]);
    options.override_count = 1;
    options.overrides = &override;
    options.checkpoint_steps = argc > 3 ? atoll(argv[3]) : 100;
    options.overwrite = true;
    if (access(checkpoint, F_OK) == 0) {
        options.scene = options.text = NULL;
        options.resume = true;
    }
    rico_runner_result result;
    rico_status status = rico_runner_run(ctx, &options, &result);
    if (status != RICO_OK) fprintf(stderr, "%s\n", rico_message(ctx));
    rico_context_destroy(ctx);
    return status == RICO_OK ? 0 : 1;
}
