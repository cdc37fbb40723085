// A block of 1 kg on a rough table, pushed to and fro by a force sin(t) that friction, 0.6 N, holds for most of the time.
// The force is the caller's function; the event-driven scheme finds each change at its own time; time stepping then does
// the same and must agree. Both share one system.

#include <ricochet/ricochet.h>

#include <math.h>
#include <stdio.h>

static bool mass(void *user, const double *q, double *M)
{
    (void)user, (void)q;
    M[0] = M[3] = 1.0; // dense, column by column: height and length
    M[1] = M[2] = 0.0;
    return true;
}


// Weight 1 N and the push; a real one would depend on q and v as well.
static bool force(void *user, double t, const double *q, const double *v, double *f)
{
    const double *amplitude = user;
    (void)q, (void)v;
    f[0] = -1.0;
    f[1] = *amplitude * sin(t);
    return true;
}


static bool tell(void *user, rico_simulation *sim)
{
    (void)user;
    int64_t count;
    const rico_event *event = rico_simulation_events(sim, &count);
    for (int64_t k = 0; k < count; k++)
        printf("t = %.6f: %s\n", event[k].t, rico_event_kind_name(event[k].kind));
    return true; // false would stop the run here
}


static bool on_step(void *user, rico_simulation *sim)
{
    double *longest = user;
    if (rico_simulation_position(sim)[1] > *longest) *longest = rico_simulation_position(sim)[1];
    return true;
}


static rico_status build(rico_context *ctx, double *amplitude, rico_system **system)
{
    const int64_t dof[] = {0, 1};
    const double frame[] = {1.0, 0.0, 0.0, 1.0}; // normal along the height, tangent along the table
    const rico_callback_part block = {
        .size = 2, .constant_mass = true, .mass = mass, .force = force, .user = amplitude};
    const rico_contact table = {.dimension = 2, .friction = 0.6, .reach = {2, dof}, .gradient = frame};

    rico_status status = rico_system_create(ctx, system);
    if (status == RICO_OK) status = rico_system_add_callbacks(*system, "block", &block, NULL);
    if (status == RICO_OK) status = rico_system_add_contact(*system, "table", &table, NULL);
    return status;
}


int main(void)
{
    rico_context *ctx = rico_context_create(NULL);
    if (!ctx) return 1;
    double amplitude = 1.0, longest = 0.0, reached[2] = {0.0, 0.0};
    const double q[] = {0.0, 0.0}, v[] = {0.0, 0.0}, t_end = 10.0;

    rico_system *system = NULL;
    rico_simulation *exact = NULL, *sim = NULL;
    const rico_run_options few = rico_run_defaults(1.0), many = rico_run_defaults(1e-3);
    rico_status status = build(ctx, &amplitude, &system);
    if (status == RICO_OK) status = rico_simulation_create(system, "event-driven", &exact);
    if (status == RICO_OK) status = rico_simulation_start(exact, 0.0, q, v);
    if (status == RICO_OK) status = rico_simulation_run(exact, t_end, &few, tell, NULL, NULL);
    if (status == RICO_OK) reached[0] = rico_simulation_position(exact)[1];

    if (status == RICO_OK) status = rico_simulation_create(system, "moreau-jean", &sim);
    if (status == RICO_OK) status = rico_simulation_start(sim, 0.0, q, v);
    if (status == RICO_OK) status = rico_simulation_run(sim, t_end, &many, on_step, &longest, NULL);
    if (status == RICO_OK) reached[1] = rico_simulation_position(sim)[1];

    if (status == RICO_OK)
        printf("at t = 10 the block is at %.4f m, by time stepping at %.4f m; never beyond %.3f m\n",
               reached[0], reached[1], longest);
    else
        fprintf(stderr, "%s\n", rico_message(ctx));
    rico_simulation_destroy(sim);
    rico_simulation_destroy(exact);
    rico_system_destroy(system);
    rico_context_destroy(ctx);
    return status == RICO_OK && fabs(reached[0] - reached[1]) < 1e-3 ? 0 : 1;
}
