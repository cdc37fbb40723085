// What an iteration of Newton's loop costs as beams get finer: the pendulum of Bruls, Acary and Cardona 2018 (section 6.2) in the plane and in
// space, under the constrained generalized-alpha scheme.
//
// usage: bench_beams [steps] [most elements]
//
// Processor time of a step after the first two, over its iterations and the elements.

#include "la/quaternion.h"
#include "ricochet/ricochet.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>


static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}


static rico_status build(rico_context *ctx, int dimension, int64_t elements, rico_bodies **bodies,
                         rico_system **system)
{
    const double gravity[3] = {0.0, -10.0, 0.0};
    rico_beam rod = rico_beam_default();
    rico_stand *stand = calloc((size_t)(elements + 1), sizeof *stand);
    if (!stand) return RICO_NO_MEMORY;
    for (int64_t i = 0; i <= elements; i++) {
        stand[i].position[0] = (double)i / (double)elements;
        rico_quaternion_identity(stand[i].orientation);
    }
    rod.name = "rod";
    rod.nodes = elements + 1;
    rod.stand = stand;
    rod.section = (rico_section){1e-4, {5e-4 / 6.0, 5e-4 / 6.0}, 1.666e-9, {8.33e-10, 8.33e-10}};
    rod.young = 2.1e11;
    rod.poisson = 0.3;
    rod.density = 7800.0;
    rico_status status = rico_bodies_create(ctx, dimension, bodies);
    if (status == RICO_OK) status = rico_bodies_set_gravity(*bodies, gravity);
    if (status == RICO_OK) status = rico_bodies_add_beam(*bodies, &rod, NULL);
    if (status == RICO_OK) status = rico_system_create(ctx, system);
    if (status == RICO_OK) status = rico_system_add_bodies(*system, "bodies", *bodies, NULL);
    if (status == RICO_OK) status = rico_system_pin_body(*system, *bodies, "pin", 0, NULL);
    free(stand);
    return status;
}


static void run(rico_context *ctx, int dimension, int64_t elements, int steps, double *first)
{
    const double step = 5e-6;
    rico_bodies *bodies = NULL;
    rico_system *system = NULL;
    rico_simulation *sim = NULL;
    rico_status status = build(ctx, dimension, elements, &bodies, &system);
    double *q = NULL, *v = NULL, begin, spent = 0.0;
    if (status == RICO_OK) status = rico_simulation_create(system, "generalized-alpha-constrained", &sim);
    if (status == RICO_OK) status = rico_simulation_set(sim, "rho-inf", "0.8");
    if (status == RICO_OK) {
        q = calloc((size_t)rico_system_positions(system), sizeof *q);
        v = calloc((size_t)rico_system_velocities(system), sizeof *v);
        rico_bodies_start(bodies, q, v);
        status = rico_simulation_start(sim, 0.0, q, v);
    }
    for (int k = 0; status == RICO_OK && k < 2; k++) status = rico_simulation_step(sim, step);
    int64_t before = status == RICO_OK ? rico_simulation_statistics(sim)->newton_iterations : 0;
    begin = seconds();
    for (int k = 0; status == RICO_OK && k < steps; k++) status = rico_simulation_step(sim, step);
    spent = seconds() - begin;
    if (status != RICO_OK) {
        fprintf(stderr, "%s\n", rico_message(ctx));
    } else {
        double iterations = (double)(rico_simulation_statistics(sim)->newton_iterations - before);
        double each = 1e6 * spent / iterations / (double)elements;
        if (*first == 0.0) *first = each;
        printf("| %s | %lld | %.2f | %.3f | %.2f | %.2f |\n", dimension == 2 ? "plane" : "space",
               (long long)elements, iterations / steps, 1e3 * spent / iterations, each, each / *first);
        fflush(stdout);
    }
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
    rico_bodies_destroy(bodies);
    free(q);
    free(v);
}


int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 200;
    int64_t most = argc > 2 ? atoll(argv[2]) : 4000;
    rico_context *ctx = rico_context_create(NULL);
    if (!ctx || steps < 1) return 2;
    printf("| pendulum | elements | iterations a step | ms per iteration | us per element | growth |\n");
    printf("| --- | ---: | ---: | ---: | ---: | ---: |\n");
    for (int dimension = 2; dimension <= 3; dimension++) {
        double first = 0.0;
        for (int64_t elements = 4; elements <= most; elements *= 10)
            run(ctx, dimension, elements, steps, &first);
    }
    rico_context_destroy(ctx);
    return 0;
}
