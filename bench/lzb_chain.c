// The LZB law on 1000 steel beads, the first of which strikes the others at 1 m/s (Nguyen and Brogliato 2018, section
// 4.3): time, steps and relative energy error. The published figures are 38 s and 2.0e-7 on the time scale (step
// 1e-8 s, 2.9e6 steps), 380 s and 1.5e-5 on the impulse scale (step 1e-6 N s, 2.2e7 steps).
// Usage: bench_lzb_chain [time|impulse [step [beads]]]

#include "base/clock.h"
#include "ricochet/ricochet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Builds the chain, applies the law and prints what came of it.
static rico_status run(rico_context *ctx, const char *scale, const char *step, int64_t beads, double *mass,
                       double *u)
{
    const double pi = acos(-1.0), radius = 0.01, density = 7780.0, young = 203e9, poisson = 0.3;
    for (int64_t i = 0; i < beads; i++) mass[i] = 4.0 / 3.0 * pi * radius * radius * radius * density;
    u[0] = 1.0;

    rico_impact *impact = NULL;
    rico_impact_law *law = NULL;
    rico_impact_result result = {0};
    rico_status status = rico_chain_create(ctx, beads, mass, RICO_CHAIN_FREE, &impact);
    double K = rico_hertz_stiffness(young, poisson, radius);
    if (!status) status = rico_impact_set_stiffness(impact, RICO_ALL_CONTACTS, K);
    if (!status) status = rico_impact_law_create(ctx, "lzb", &law);
    if (!status) status = rico_impact_law_set(law, "scale", scale);
    if (!status) status = rico_impact_law_set(law, "step", step);
    if (!status) status = rico_impact_law_setup(law, impact);

    double began = rico_clock();
    if (!status) status = rico_impact_law_apply(law, u, &result);
    double seconds = rico_clock() - began;
    if (!status) {
        const double *v = result.velocity;
        printf("beads         %lld\n", (long long)beads);
        printf("scale, step   %s %s\n", scale, step);
        printf("end           %s\n", rico_impact_stop_sentence(result.stop));
        printf("steps         %lld\n", (long long)result.steps);
        printf("seconds       %.3f\n", seconds);
        printf("energy error  %.3e\n", fabs(result.energy_after / result.energy_before - 1.0));
        printf("duration      %.6e s\n", result.duration);
        printf("velocities    first %.5f, last %.5f\n", v[0], v[beads - 1]);
    }
    rico_impact_law_destroy(law);
    rico_impact_destroy(impact);
    return status;
}


int main(int argc, char **argv)
{
    const char *scale = argc > 1 ? argv[1] : "time";
    const char *step = argc > 2 ? argv[2] : strcmp(scale, "time") == 0 ? "1e-8" : "1e-6";
    int64_t beads = argc > 3 ? atoll(argv[3]) : 1000;
    size_t room = beads > 0 ? (size_t)beads : 1;
    rico_context *ctx = rico_context_create(NULL);
    double *mass = calloc(room, sizeof *mass), *u = calloc(room, sizeof *u);
    bool ready = ctx && mass && u;
    rico_status status = ready ? run(ctx, scale, step, beads, mass, u) : RICO_NO_MEMORY;
    if (status) fprintf(stderr, "%s\n", ready ? rico_message(ctx) : "out of memory");
    free(mass);
    free(u);
    rico_context_destroy(ctx);
    return status ? 1 : 0;
}
