// The inequality impact laws: Moreau, Newton, Poisson. Each is one complementarity problem on G, or two.
//
// moreau    0 <= LC _|_ G LC + gamma- >= 0,  Lambda = (1+e) LC                      one e for all contacts
// newton    0 <= Lambda _|_ G Lambda + (I+E) gamma- >= 0                            E = diag(e_j)
// poisson   compression LC as for moreau, gammaC = gamma- + G LC;
//           expansion 0 <= LE - E LC _|_ gammaC + G LE >= 0,  Lambda = LC + LE
//
// Nguyen and Brogliato 2018, eq. 11; Winandy, Baumann, Leine 2018, eq. 195 and 215.

#include "law/active_set.h"
#include "law/impact_law.h"

#include <string.h>

typedef struct inequality {
    rico_active_set *set;
    double *q, *z; // data and solution of the complementarity problem
} inequality;


static void cleanup(rico_impact_law *law)
{
    inequality *work = law->work;
    rico_active_set_destroy(work->set);
    rico_free(law->ctx, work->q);
    rico_free(law->ctx, work->z);
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
    if (status) return status;
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


static rico_status apply_poisson(rico_impact_law *law)
{
    inequality *work = law->work;
    const rico_impact *impact = law->impact;
    int64_t h = impact->contacts;

    // compression: until no gap closes any more
    for (int64_t j = 0; j < h; j++) work->q[j] = law->before[j];
    rico_status status = solve(law, true);
    if (status) return status;
    for (int64_t j = 0; j < h; j++) {
        double compressed = work->set->w[j];
        law->compression[j] = -0.5 * (law->before[j] + compressed) * work->z[j];
        law->impulse[j] = work->z[j];
        work->q[j] = compressed;
    }

    // expansion: at least e LC, and what else keeps the gaps from closing
    for (int64_t j = 0; j < h; j++) work->z[j] *= impact->restitution[j];
    rico_csc_times(&impact->G, 1.0, work->z, 1.0, work->q);
    for (int64_t j = 0; j < h; j++) law->impulse[j] += work->z[j];
    status = solve(law, true);
    if (status) return status;
    for (int64_t j = 0; j < h; j++) law->impulse[j] += work->z[j];
    account(law);
    return RICO_OK;
}


const rico_impact_law_method rico_moreau_method = {
    .info = {.name = "moreau",
             .summary = "u+ = -e u- + (1+e) projection of u- on the tangent cone; one e",
             .reference = "Moreau 1988; Nguyen, Brogliato 2018, eq. 6"},
    .setup = setup,
    .apply = apply_moreau,
    .cleanup = cleanup,
};

const rico_impact_law_method rico_newton_method = {
    .info = {.name = "newton",
             .summary = "gap velocities reversed by e of each contact, where impulses act",
             .reference = "Glocker 2001; Winandy, Baumann, Leine 2018, eq. 195-199"},
    .setup = setup,
    .apply = apply_newton,
    .cleanup = cleanup,
};

const rico_impact_law_method rico_poisson_method = {
    .info = {.name = "poisson",
             .summary = "compression to rest, then at least e of each contact's impulse again",
             .reference = "Pfeiffer, Glocker 1996; Winandy, Baumann, Leine 2018, eq. 215-216"},
    .setup = setup,
    .apply = apply_poisson,
    .cleanup = cleanup,
};
