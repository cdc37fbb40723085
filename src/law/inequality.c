// The inequality impact laws: Moreau, Newton, Poisson. Each is one complementarity problem on G, or two.
//
// moreau    0 <= LC _|_ G LC + gamma- >= 0,  Lambda = (1+e) LC                      one e for all contacts
// newton    0 <= Lambda _|_ G Lambda + (I+E) gamma- >= 0                            E = diag(e_j)
// poisson   compression LC as for moreau, gammaC = gamma- + G LC;
//           expansion 0 <= LE - E LC _|_ gammaC + G LE >= 0,  Lambda = LC + LE
//
// Nguyen and Brogliato 2018, eq. 11; Winandy, Baumann, Leine 2018, eq. 195 and 215.

#include "law/active_set.h"
#include "law/fixed_point.h"
#include "law/impact_law.h"
#include "law/share.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SOLVER, TOL, MAX_SWEEPS, OPTIONS };

static const char *const solvers[] = {"pivots", "fixed-point", NULL};
enum { BY_PIVOTS, BY_FIXED_POINT };

static const rico_option_info options[OPTIONS] = {
    [SOLVER] = {"solver", "of the complementarity problem: exact pivots, or Alart and Curnier's fixed point",
                RICO_CHOICE, 0.0, 0.0, BY_PIVOTS, solvers},
    [TOL] = {"tol", "change of a sweep, over the velocities before, at which the fixed point ends", RICO_REAL,
             1e-16, 1.0, 1e-14, NULL},
    [MAX_SWEEPS] = {"max-sweeps", "sweeps allowed to the fixed point", RICO_INTEGER, 1.0, 1e12, 1e6, NULL},
};

typedef struct inequality {
    rico_active_set *set;
    rico_share *share;                   // Poisson's law only
    double *q, *z;                       // data and solution of the complementarity problem
    double *compressed, *weight, *least; // gamma after compression; weights of a choice, and the choice
} inequality;


static void cleanup(rico_impact_law *law)
{
    inequality *work = law->work;
    rico_active_set_destroy(work->set);
    rico_free(law->ctx, work->q);
    rico_free(law->ctx, work->z);
    rico_share_destroy(work->share);
    rico_free(law->ctx, work->compressed);
    rico_free(law->ctx, work->weight);
    rico_free(law->ctx, work->least);
    rico_free(law->ctx, work);
}


static rico_status setup(rico_impact_law *law)
{
    int64_t h = law->impact->contacts;
    inequality *work = rico_alloc(law->ctx, 1, sizeof *work);
    if (!work) return RICO_NO_MEMORY;
    law->work = work;
    work->q = rico_alloc(law->ctx, h, sizeof *work->q);
    work->z = rico_alloc(law->ctx, h, sizeof *work->z);
    if (!work->q || !work->z) return RICO_NO_MEMORY;
    return rico_active_set_create(law->ctx, h, &work->set);
}


// Solves on work->q, which is in the range of G for all but Newton's law. A problem without a solution is the law's
// stop, not an error.
static rico_status solve(rico_impact_law *law, bool in_range)
{
    inequality *work = law->work;
    const rico_impact *impact = law->impact;
    if ((int)law->option[SOLVER] == BY_FIXED_POINT) {
        int64_t sweeps = 0, limit = (int64_t)law->option[MAX_SWEEPS];
        bool ends = rico_fixed_point_solve(&impact->G, impact->active, work->q, law->option[TOL], limit,
                                           work->z, work->set->w, work->set->weight, &sweeps);
        law->steps += sweeps;
        if (!ends)
            rico_impact_law_stop(law, RICO_IMPACT_MAX_COUNT, "the fixed point did not settle in %lld sweeps",
                                 (long long)limit);
        return RICO_OK;
    }
    rico_active_set_end end =
        rico_active_set_solve(work->set, &impact->G, impact->active, in_range, work->q, work->z);
    law->steps += work->set->pivots;
    if (end == RICO_SET_CYCLING)
        return rico_fail(law->ctx, RICO_INTERNAL, "the law %s went in circles over %lld contacts",
                         law->method->info.name, (long long)impact->contacts);
    if (end == RICO_SET_NO_SOLUTION)
        rico_impact_law_stop(
            law, RICO_IMPACT_NO_SOLUTION,
            "restitutions differ between contacts whose gradients depend on each other, and one of "
            "these contacts opens already: no impulses satisfy %s's law",
            law->method->info.name);
    return RICO_OK;
}


// Counts and energies from law->impulse: each contact keeps -mean velocity times impulse, which adds up to T- - T+.
static void account(rico_impact_law *law)
{
    inequality *work = law->work;
    int64_t h = law->impact->contacts;
    double *after = work->q;
    memcpy(after, law->before, (size_t)h * sizeof *after);
    rico_csc_times(&law->impact->G, 1.0, law->impulse, 1.0, after);
    for (int64_t j = 0; j < h; j++) {
        law->loss[j] = -0.5 * (law->before[j] + after[j]) * law->impulse[j];
        law->impacts[j] = law->impulse[j] > 0.0;
        law->collisions += law->impacts[j];
    }
}


static rico_status apply_moreau(rico_impact_law *law)
{
    inequality *work = law->work;
    const rico_impact *impact = law->impact;
    int64_t h = impact->contacts, first = 0;
    while (first < h && !impact->active[first]) first++;
    for (int64_t j = first; j < h; j++)
        if (impact->active[j] && impact->restitution[j] != impact->restitution[first])
            return rico_fail(law->ctx, RICO_BAD_ARGUMENT,
                             "moreau takes one restitution, but contact %lld has %g and contact %lld %g; "
                             "newton and poisson take different ones",
                             (long long)first, impact->restitution[first], (long long)j,
                             impact->restitution[j]);

    for (int64_t j = 0; j < h; j++) work->q[j] = law->before[j];
    rico_status status = solve(law, true);
    if (status || law->stop) return status;
    for (int64_t j = 0; j < h; j++) law->impulse[j] = (1.0 + impact->restitution[first]) * work->z[j];
    account(law);
    return RICO_OK;
}


static rico_status apply_newton(rico_impact_law *law)
{
    inequality *work = law->work;
    const rico_impact *impact = law->impact;
    for (int64_t j = 0; j < impact->contacts; j++)
        work->q[j] = (1.0 + impact->restitution[j]) * law->before[j];
    rico_status status = solve(law, false);
    if (status || law->stop) return status;
    for (int64_t j = 0; j < impact->contacts; j++) law->impulse[j] = work->z[j];
    account(law);
    return RICO_OK;
}


static rico_status setup_poisson(rico_impact_law *law)
{
    int64_t h = law->impact->contacts;
    rico_status status = setup(law);
    if (status != RICO_OK) return status;
    inequality *work = law->work;
    work->compressed = rico_alloc(law->ctx, h, sizeof *work->compressed);
    work->weight = rico_alloc(law->ctx, h, sizeof *work->weight);
    work->least = rico_alloc(law->ctx, h, sizeof *work->least);
    if (!work->compressed || !work->weight || !work->least) return RICO_NO_MEMORY;
    return rico_share_create(law->ctx, &law->impact->G, &work->share);
}


// Expansion after the compression LC: at least e LC, and what else keeps the gaps from closing. Impulses of both into
// law->impulse, losses with them; *energy is what the impact takes.
static rico_status expand(rico_impact_law *law, const double *LC, double *energy)
{
    inequality *work = law->work;
    const rico_impact *impact = law->impact;
    int64_t h = impact->contacts;
    for (int64_t j = 0; j < h; j++) {
        work->q[j] = work->compressed[j];
        work->z[j] = impact->restitution[j] * LC[j];
        law->impulse[j] = LC[j] + work->z[j];
    }
    rico_csc_times(&impact->G, 1.0, work->z, 1.0, work->q);
    rico_status status = solve(law, true);
    if (status || law->stop) return status;
    for (int64_t j = 0; j < h; j++) law->impulse[j] += work->z[j];
    law->collisions = 0;
    account(law);
    *energy = 0.0;
    for (int64_t j = 0; j < h; j++) *energy += law->loss[j];
    return RICO_OK;
}


// The compression of least sum G_jj favour^(e_j) LC_j^2: favour > 1 lays it on contacts with little restitution, favour
// < 1 on those with much. Into work->least; false where it cannot be told.
static bool choose(rico_impact_law *law, double favour, const double *LC)
{
    inequality *work = law->work;
    const rico_impact *impact = law->impact;
    for (int64_t j = 0; j < impact->contacts; j++)
        work->weight[j] = impact->diagonal[j] * pow(favour, impact->restitution[j]);
    memcpy(work->least, LC, (size_t)impact->contacts * sizeof *LC);
    return rico_share_least(work->share, work->set, work->weight, work->least);
}


// Where gradients depend on each other and restitutions differ, the outcome hangs on which compression impulses are
// taken of many. Taken are the least in sum G_jj LC_j^2, whatever the order of the contacts; the note has the range.
static rico_status settle_share(rico_impact_law *law, double *LC)
{
    inequality *work = law->work;
    const rico_impact *impact = law->impact;
    int64_t h = impact->contacts;
    double size = 0.0, apart = 0.0, low = INFINITY, high = -INFINITY;
    for (int64_t j = 0; j < h; j++) {
        work->share->closed[j] = impact->active[j] && work->set->w[j] <= 1e-9 * work->set->weight[j];
        size = fmax(size, sqrt(impact->diagonal[j]) * LC[j]);
        if (!work->share->closed[j]) continue;
        low = fmin(low, impact->restitution[j]);
        high = fmax(high, impact->restitution[j]);
    }
    if (!(high > low)) return RICO_OK;
    if (!choose(law, 1.0, LC)) return RICO_OK;
    for (int64_t j = 0; j < h; j++)
        apart = fmax(apart, sqrt(impact->diagonal[j]) * fabs(work->least[j] - LC[j]));
    bool many = apart > 1e-9 * size;
    if (many) memcpy(LC, work->least, (size_t)h * sizeof *LC);
    if (!choose(law, 1e8, LC)) return RICO_OK;
    for (int64_t j = 0; j < h; j++)
        apart = fmax(apart, sqrt(impact->diagonal[j]) * fabs(work->least[j] - LC[j]));
    if (!(apart > 1e-8 * size)) return RICO_OK; // unique
    double most = NAN, least = NAN;
    rico_status status = expand(law, work->least, &most);
    if (status == RICO_OK && choose(law, 1e-8, LC)) status = expand(law, work->least, &least);
    if (status == RICO_OK && fabs(most - least) > 1e-9 * fabs(most))
        snprintf(
            law->note, sizeof law->note,
            "gradients depend on each other and restitutions differ: the outcome is one of many. Laid on the "
            "contacts of most or of least restitution, compression would lose between %.4g and %.4g; the "
            "least "
            "impulses are taken",
            fmin(most, least), fmax(most, least));
    return status;
}


static rico_status apply_poisson(rico_impact_law *law)
{
    inequality *work = law->work;
    int64_t h = law->impact->contacts;
    double *LC = law->compression, lost;

    // compression: until no gap closes any more
    for (int64_t j = 0; j < h; j++) work->q[j] = law->before[j];
    rico_status status = solve(law, true);
    if (status || law->stop) return status;
    memcpy(LC, work->z, (size_t)h * sizeof *LC);
    memcpy(work->compressed, work->set->w, (size_t)h * sizeof *work->compressed);
    status = settle_share(law, LC);
    if (status == RICO_OK && !law->stop) status = expand(law, LC, &lost);
    for (int64_t j = 0; j < h; j++) LC[j] *= -0.5 * (law->before[j] + work->compressed[j]);
    return status;
}


const rico_impact_law_method rico_moreau_method = {
    .info = {.name = "moreau",
             .summary = "u+ = -e u- + (1+e) projection of u- on the tangent cone; one e",
             .reference = "Moreau 1988; Nguyen, Brogliato 2018, eq. 6",
             .option_count = OPTIONS,
             .options = options},
    .setup = setup,
    .apply = apply_moreau,
    .cleanup = cleanup,
};

const rico_impact_law_method rico_newton_method = {
    .info = {.name = "newton",
             .summary = "gap velocities reversed by e of each contact, where impulses act",
             .reference = "Glocker 2001; Winandy, Baumann, Leine 2018, eq. 195-199",
             .option_count = OPTIONS,
             .options = options},
    .setup = setup,
    .apply = apply_newton,
    .cleanup = cleanup,
};

const rico_impact_law_method rico_poisson_method = {
    .info = {.name = "poisson",
             .summary = "compression to rest, then at least e of each contact's impulse again",
             .reference = "Pfeiffer, Glocker 1996; Winandy, Baumann, Leine 2018, eq. 215-216",
             .option_count = OPTIONS,
             .options = options},
    .setup = setup_poisson,
    .apply = apply_poisson,
    .cleanup = cleanup,
};
