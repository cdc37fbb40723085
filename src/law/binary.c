// The binary collision model: contacts that close collide one at a time, each as if it were alone.
//
// Contact j closes when gamma_j < 0. It then takes Lambda_j = -(1+e_j) gamma_j / G_jj, which reverses gamma_j to
// -e_j gamma_j and changes its neighbours' by G_ij Lambda_j (Nguyen, Brogliato 2018, eq. 14-15 for two balls and
// Algorithm 1). The sequence depends on the order, and can be infinite. Infinite sequences converge geometrically, so
// what shows in double precision is that approach velocities sink to round-off: when the last collisions are that slow,
// the result says so instead of passing for an end. With two contacts in turn, z >= 1 then proves it infinite.

#include "base/random.h"
#include "law/impact_law.h"

#include <math.h>
#include <string.h>

enum { ORDER, SEED, SWEEPS, CLOSING_TOL, MAX_COLLISIONS, OPTIONS };

static const char *const orders[] = {"left-to-right", "right-to-left", "random", "user", NULL};
enum { LEFT_TO_RIGHT, RIGHT_TO_LEFT, RANDOM, USER };

static const rico_option_info options[OPTIONS] = {
    [ORDER] = {"order", "which closing contact collides first", RICO_CHOICE, 0.0, 0.0, LEFT_TO_RIGHT, orders},
    [SEED] = {"seed", "of the random order", RICO_INTEGER, 0.0, 9007199254740992.0, 1.0, NULL},
    [SWEEPS] = {"sweeps", "sweeps over the contacts in order; 0 goes on while any closes", RICO_INTEGER, 0.0,
                1e9, 0.0, NULL},
    [CLOSING_TOL] = {"closing-tol", "approach velocity, over the largest at the start, that counts as none",
                     RICO_REAL, 0.0, 1e-3, 1e-13, NULL},
    [MAX_COLLISIONS] = {"max-collisions", "collisions allowed", RICO_INTEGER, 0.0, 1e15, 1e8, NULL},
};

// a last collision slower than this many tolerances belongs to a sequence that decays
static const double decay_factor = 1e3;

// collisions that two contacts alone must have made in turn before z judges them
enum { IN_TURN = 8, INTERRUPT_EVERY = 4096 };

typedef struct binary {
    double *gamma;
    int64_t *rank;    // place of each contact in the order
    int64_t *at;      // contact at each place
    int64_t *reach;   // smallest rank among a contact and its neighbours
    int64_t *closing; // the contacts that close, in no order, and where each stands there (-1: nowhere)
    int64_t *where;
    int64_t count;
    double threshold; // -gamma beyond which a contact closes
    double last;      // approach velocity of the last collision
    int64_t pair[2];  // the two contacts that collided last
    int64_t turns;    // how long these two have done so in turn
} binary;


static void cleanup(rico_impact_law *law)
{
    binary *work = law->work;
    rico_free(law->ctx, work->gamma);
    rico_free(law->ctx, work->rank);
    rico_free(law->ctx, work->at);
    rico_free(law->ctx, work->reach);
    rico_free(law->ctx, work->closing);
    rico_free(law->ctx, work->where);
    rico_free(law->ctx, work);
}


static rico_status setup(rico_impact_law *law)
{
    rico_context *ctx = law->ctx;
    int64_t h = law->impact->contacts;
    binary *work = rico_alloc(ctx, 1, sizeof *work);
    if (!work) return RICO_NO_MEMORY;
    law->work = work;
    work->gamma = rico_alloc(ctx, h, sizeof *work->gamma);
    work->rank = rico_alloc(ctx, h, sizeof *work->rank);
    work->at = rico_alloc(ctx, h, sizeof *work->at);
    work->reach = rico_alloc(ctx, h, sizeof *work->reach);
    work->closing = rico_alloc(ctx, h, sizeof *work->closing);
    work->where = rico_alloc(ctx, h, sizeof *work->where);
    bool room = work->gamma && work->rank && work->at && work->reach && work->closing && work->where;
    return room ? RICO_OK : RICO_NO_MEMORY;
}


static bool closes(const rico_impact_law *law, int64_t j)
{
    const binary *work = law->work;
    return law->impact->active[j] && work->gamma[j] < -work->threshold && law->impact->diagonal[j] > 0.0;
}


// Puts contact j into the set of closing contacts, or takes it out, as its velocity says.
static void classify(rico_impact_law *law, int64_t j)
{
    binary *work = law->work;
    bool member = work->where[j] >= 0, now = closes(law, j);
    if (now && !member) {
        work->where[j] = work->count;
        work->closing[work->count++] = j;
    } else if (member && !now) {
        int64_t last = work->closing[--work->count];
        work->closing[work->where[j]] = last;
        work->where[last] = work->where[j];
        work->where[j] = -1;
    }
}


static void prepare(rico_impact_law *law)
{
    binary *work = law->work;
    const rico_impact *impact = law->impact;
    const rico_csc *G = &impact->G;
    int64_t h = impact->contacts;
    int order = (int)law->option[ORDER];
    double fastest = 0.0;
    for (int64_t k = 0; k < h; k++) {
        int64_t j = order == USER ? law->order[k] : order == RIGHT_TO_LEFT ? h - 1 - k : k;
        work->at[k] = j;
        work->rank[j] = k;
        work->gamma[k] = law->before[k];
        if (impact->active[k]) fastest = fmax(fastest, -law->before[k]);
    }
    work->threshold = law->option[CLOSING_TOL] * fastest;
    work->count = work->turns = 0;
    work->pair[0] = work->pair[1] = -1;
    work->last = INFINITY;
    for (int64_t j = 0; j < h; j++) {
        work->where[j] = -1;
        work->reach[j] = work->rank[j];
        for (int64_t k = G->start[j]; k < G->start[j + 1]; k++)
            if (work->rank[G->row[k]] < work->reach[j]) work->reach[j] = work->rank[G->row[k]];
    }
    for (int64_t j = 0; j < h; j++) classify(law, j);
}


// Largest z over neighbouring contacts.
static double largest_criterion(const rico_impact *impact)
{
    double largest = 0.0;
    for (int64_t j = 0; j < impact->contacts; j++)
        for (int64_t k = impact->G.start[j]; k < impact->G.start[j + 1]; k++) {
            double z = 0.0;
            int64_t i = impact->G.row[k];
            bool both = i < j && impact->active[i] && impact->active[j];
            if (both && impact->diagonal[i] > 0.0 && impact->diagonal[j] > 0.0)
                rico_binary_criterion(impact, i, j, &z);
            largest = fmax(largest, z);
        }
    return largest;
}


// One collision at contact j.
static void collide(rico_impact_law *law, int64_t j)
{
    binary *work = law->work;
    const rico_impact *impact = law->impact;
    const rico_csc *G = &impact->G;
    double approach = -work->gamma[j], e = impact->restitution[j];
    double impulse = (1.0 + e) * approach / impact->diagonal[j];
    double compression = 0.5 * approach * approach / impact->diagonal[j];
    law->impulse[j] += impulse;
    law->compression[j] += compression;
    law->loss[j] += (1.0 - e * e) * compression;
    law->impacts[j]++;
    law->collisions++;
    for (int64_t k = G->start[j]; k < G->start[j + 1]; k++) {
        int64_t i = G->row[k];
        work->gamma[i] = i == j ? e * approach : work->gamma[i] + G->value[k] * impulse;
        classify(law, i);
    }

    work->last = approach;
    bool in_turn = work->pair[0] == j || work->pair[0] < 0;
    work->turns = in_turn ? work->turns + 1 : 1;
    work->pair[0] = work->pair[1];
    work->pair[1] = j;
}


// Each contact once, in order, if it closes when its turn comes.
static void sweep(rico_impact_law *law)
{
    const binary *work = law->work;
    int64_t sweeps = (int64_t)law->option[SWEEPS], limit = (int64_t)law->option[MAX_COLLISIONS];
    for (int64_t s = 0; s < sweeps && work->count > 0; s++)
        for (int64_t k = 0; k < law->impact->contacts; k++)
            if (law->collisions < limit && work->where[work->at[k]] >= 0) collide(law, work->at[k]);
    if (work->count > 0 && law->collisions >= limit)
        rico_impact_law_stop(law, RICO_IMPACT_MAX_COUNT, "%lld collisions, %lld contacts still close",
                             (long long)law->collisions, (long long)work->count);
    else if (work->count > 0)
        rico_impact_law_stop(law, RICO_IMPACT_SWEPT, "%lld contacts still close", (long long)work->count);
}


// How a sequence ended in which no contact closes beyond the threshold.
static void judge(rico_impact_law *law)
{
    const binary *work = law->work;
    if (work->last > decay_factor * work->threshold) return;
    if (work->turns >= IN_TURN) {
        double z = 0.0;
        int64_t i = work->pair[0], j = work->pair[1];
        rico_binary_criterion(law->impact, i, j, &z);
        if (z >= 1.0)
            rico_impact_law_stop(
                law, RICO_IMPACT_INFINITE,
                "contacts %lld and %lld collide in turn for ever: z = %.6g >= 1; cut after %lld "
                "collisions, at round-off",
                (long long)i, (long long)j, z, (long long)law->collisions);
        else
            rico_impact_law_stop(
                law, RICO_IMPACT_DECAYED,
                "contacts %lld and %lld collide in turn, z = %.6g < 1: up to %.0f collisions, but "
                "approach velocities are round-off after %lld",
                (long long)i, (long long)j, z, ceil(acos(-1.0) / acos(z)) - 1.0, (long long)law->collisions);
        return;
    }
    rico_impact_law_stop(law, RICO_IMPACT_DECAYED, "the last of %lld collisions was as slow as %.3g",
                         (long long)law->collisions, work->last);
}


static rico_status apply(rico_impact_law *law)
{
    binary *work = law->work;
    prepare(law);
    law->criterion = largest_criterion(law->impact);
    if (law->option[SWEEPS] > 0.0) {
        sweep(law);
        return RICO_OK;
    }

    bool random = (int)law->option[ORDER] == RANDOM;
    int64_t limit = (int64_t)law->option[MAX_COLLISIONS], first = 0;
    rico_random generator;
    rico_random_seed(&generator, (uint64_t)law->option[SEED]);
    while (work->count > 0) {
        if (law->collisions >= limit) {
            rico_impact_law_stop(law, RICO_IMPACT_MAX_COUNT, "%lld collisions, %lld contacts still close",
                                 (long long)limit, (long long)work->count);
            return RICO_OK;
        }
        if (law->collisions % INTERRUPT_EVERY == 0 && rico_context_interrupted(law->ctx)) {
            rico_impact_law_stop(law, RICO_IMPACT_STOPPED, "after %lld collisions",
                                 (long long)law->collisions);
            return RICO_OK;
        }

        // ranks before `first` do not close; after a collision only neighbours may have started to
        int64_t j;
        if (random) {
            j = work->closing[rico_random_below(&generator, work->count)];
        } else {
            while (work->where[work->at[first]] < 0) first++;
            j = work->at[first];
            first = work->reach[j];
        }
        collide(law, j);
    }
    judge(law);
    return RICO_OK;
}


const rico_impact_law_method rico_binary_method = {
    .info = {.name = "binary",
             .summary = "closing contacts collide one at a time until none closes",
             .reference = "Ivanov 1995; Nguyen, Brogliato 2018, Algorithm 1",
             .option_count = OPTIONS,
             .options = options},
    .setup = setup,
    .apply = apply,
    .cleanup = cleanup,
};
