// A ball of 1 kg falls from 1 m onto a floor that gives back half of its speed. Every step is the caller's; states and
// impulses are read where the simulation keeps them.

#include <ricochet/ricochet.h>

#include <stdio.h>

static int fail(rico_context *ctx)
{
    fprintf(stderr, "%s\n", rico_message(ctx));
    return 1;
}


// M dv = F dt + H dI in one coordinate, the height; the gap is the height itself.
static rico_status build(rico_context *ctx, rico_system **system)
{
    const int64_t start[] = {0, 1}, row[] = {0}, dof[] = {0};
    const double one[] = {1.0}, weight[] = {-9.81};
    const rico_matrix_part ball = {.size = 1, .M = {1, 1, start, row, one}, .force = weight};
    const rico_contact floor = {.dimension = 1, .restitution = 0.5, .reach = {1, dof}, .gradient = one};

    rico_status status = rico_system_create(ctx, system);
    if (status == RICO_OK) status = rico_system_add_matrices(*system, "ball", &ball, NULL);
    if (status == RICO_OK) status = rico_system_add_contact(*system, "floor", &floor, NULL);
    return status;
}


static rico_status run(rico_system *system, rico_simulation **sim)
{
    const double height = 1.0, at_rest = 0.0, h = 1e-3;
    rico_status status = rico_simulation_create(system, "moreau-jean", sim);
    if (status == RICO_OK) status = rico_simulation_set(*sim, "activation", "explicit");
    if (status == RICO_OK) status = rico_simulation_start(*sim, 0.0, &height, &at_rest);

    for (int k = 0; status == RICO_OK && k < 2000; k++) {
        status = rico_simulation_step(*sim, h);
        if (status != RICO_OK) break;
        // no copy: these belong to the simulation and hold until its next step
        const double *v = rico_simulation_velocity(*sim), *impulse = rico_simulation_impulse(*sim);
        if (impulse[0] > 0.1)
            printf("t = %.3f: impulse %.3f, up again at %.3f\n", rico_simulation_time(*sim), impulse[0],
                   v[0]);
    }
    return status;
}


int main(void)
{
    rico_context *ctx = rico_context_create(NULL);
    if (!ctx) return 1;
    rico_system *system = NULL;
    rico_simulation *sim = NULL;
    rico_status status = build(ctx, &system);
    if (status == RICO_OK) status = run(system, &sim);
    int result = status == RICO_OK ? 0 : fail(ctx);

    if (status == RICO_OK) {
        // fallen 1 m and at rest: the floor took what gravity gave
        const rico_ledger *total = rico_simulation_ledger_total(sim);
        printf("gravity gave %.3f J, the floor took %.3f J, %.3f J are left\n", total->external,
               -total->normal, total->kinetic);
        result = total->residual > 1e-10 || total->residual < -1e-10;
    }
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
    rico_context_destroy(ctx);
    return result;
}
