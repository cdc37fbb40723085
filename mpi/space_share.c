// What all ranks together know in a step: see space.h and step/share.h.
//
// A rank that fails between two meetings comes to the next one with that, whatever the others ask there: every meeting is the
// same message. Nobody waits after that until the step is over.

#include "model/bodies_search.h"
#include "space.h"

#include <math.h>

void rico_space_meet(rico_space *space, int count, double *x, bool failed)
{
    double all[RICO_SPACE_MOST + 1] = {0.0};
    if (space->failed) return;
    for (int i = 0; i < count; i++) all[i] = isnan(x[i]) ? INFINITY : x[i];
    all[RICO_SPACE_MOST] = failed ? 1.0 : 0.0;
    rico_crew_reduce(space->crew, all, RICO_SPACE_MOST + 1, MPI_DOUBLE, MPI_MAX);
    space->failed = all[RICO_SPACE_MOST] > 0.0;
    for (int i = 0; i < count && !space->failed; i++) x[i] = all[i];
}


static void largest(void *user, int count, double *x)
{
    rico_space_meet(user, count, x, false);
}


// Adds the exact sums of all ranks, unless one has failed.
static void add_up(rico_space *space, int count, rico_exact *sums, double *out)
{
    for (int i = 0; i < count; i++) out[i] = 0.0;
    rico_space_meet(space, 0, NULL, false);
    if (space->failed) return;
    rico_crew_sum(space->crew, count, sums);
    for (int i = 0; i < count; i++) out[i] = rico_exact_value(&sums[i]);
}


static void add(rico_exact *sum, double x)
{
    if (isfinite(x)) rico_exact_add(sum, x); // what is not is found where states are checked
}


static double dot(void *user, const double *x, const double *y)
{
    rico_space *space = user;
    const rico_space_local *local = &space->local;
    int n = space->all->v_size;
    rico_exact sum = {0};
    double out;
    for (int64_t b = 0; b < local->count; b++) {
        double own = 0.0;
        for (int64_t i = b * n; i < (b + 1) * n; i++) own += x[i] * y[i];
        if (local->own[b]) add(&sum, own);
    }
    add_up(space, 1, &sum, &out);
    return out;
}


static double square(void *user, const double *values, const double *x)
{
    rico_space *space = user;
    const rico_space_local *local = &space->local;
    const rico_csc *pattern = &local->system->pattern;
    int n = space->all->v_size;
    rico_exact sum = {0};
    double out;
    for (int64_t b = 0; b < local->count; b++) {
        double own = 0.0;
        for (int64_t j = b * n; j < (b + 1) * n; j++) {
            double column = 0.0;
            for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++)
                column += values[k] * x[pattern->row[k]];
            own += column * x[j];
        }
        if (local->own[b]) add(&sum, own);
    }
    add_up(space, 1, &sum, &out);
    return out;
}


bool rico_space_counts(const rico_space_local *local, const rico_constraint *constraint)
{
    const rico_emitted *between = &constraint->between;
    int64_t a = between->a.part >= 0 ? between->a.item : INT64_MAX;
    int64_t b = between->b.part >= 0 ? between->b.item : INT64_MAX;
    return local->own[a < b ? a : b];
}


static double works(void *user, rico_ledger *ledger)
{
    enum { NORMAL, TANGENTIAL, OBSTACLE, IMPULSES, SUMS };
    rico_space *space = user;
    const rico_simulation *sim = space->local.sim;
    rico_exact sums[SUMS] = {0};
    double out[SUMS];
    for (int64_t c = 0; c < sim->constraints; c++) {
        const rico_constraint *constraint = rico_step_constraint(sim, c);
        if (!rico_space_counts(&space->local, constraint)) continue;
        double size = 0.0;
        for (int64_t i = 0; i < constraint->size; i++) size += fabs(sim->next.p[constraint->row + i]);
        add(&sums[NORMAL], sim->next.normal_work[c]);
        add(&sums[TANGENTIAL], sim->next.tangential_work[c]);
        add(&sums[OBSTACLE], sim->gap[constraint->row]);
        add(&sums[IMPULSES], size);
    }
    add_up(space, SUMS, sums, out);
    ledger->normal = out[NORMAL];
    ledger->tangential = out[TANGENTIAL];
    ledger->obstacle = out[OBSTACLE];
    return out[IMPULSES];
}


// Bodies that drive others beyond their own reach in one step: who is not here may be met.
static rico_status collected(void *user, rico_status mine)
{
    rico_space *space = user;
    const rico_bodies_memory *memory = space->local.sim->assembly->set.memory[0];
    double struck = memory->struck && space->everything == 0;
    if (mine) return mine;
    rico_space_meet(space, 1, &struck, false);
    if (space->failed || struck == 0.0) return RICO_OK;
    space->struck = true;
    return rico_fail(space->own, RICO_UNSUPPORTED, "bodies are driven beyond what this rank has of others");
}


void rico_space_make_share(rico_space *space)
{
    space->share = (rico_step_share){.largest = largest,
                                     .dot = dot,
                                     .square = square,
                                     .works = works,
                                     .collected = collected,
                                     .solve = rico_space_solve,
                                     .user = space};
}
