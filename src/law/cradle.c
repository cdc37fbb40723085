// The law of Newton's cradle: u+ = e fold(u-) + (1-e) prox(u-).
//
// fold reflects u at every constraint that it violates, again and again, until it lies in the tangent cone T:
// elastic collisions one after the other. Where the kinetic angles are pi/k and the gradients are
// independent, the reflections generate a finite group (Coxeter 1934) with T as its chamber; then the end
// depends on no order, and fold is nonexpansive: along a segment between two velocities it is a chain of
// isometries. Equal balls: fold sorts velocities, and (1, 0, 0) becomes (0, 0, 1). prox is Moreau's
// projection. Both are consistent in kinematics, kinetics and energy, and so is all between them, T being
// convex.
//
// The impact law H is maximal monotone, and not cyclically so, as that of Winandy and Leine 2017 for three
// balls, to which this law is a relative: docs/theory/impact-laws.md has the proof.

#include "law/active_set.h"
#include "law/impact_law.h"

#include <math.h>
#include <string.h>

enum { MOST_ORDER = 1000 };

static const double ANGLE_TOL = 1e-9; // of a kinetic angle's cosine

typedef struct cradle {
    rico_active_set *set;
    double *gap, *LC;
} cradle;


static void cleanup(rico_impact_law *law)
{
    cradle *work = law->work;
    rico_active_set_destroy(work->set);
    rico_free(law->ctx, work->gap);
    rico_free(law->ctx, work->LC);
    rico_free(law->ctx, work);
}


static rico_status setup(rico_impact_law *law)
{
    int64_t h = law->impact->contacts;
    cradle *work = rico_alloc(law->ctx, 1, sizeof *work);
    if (!work) return RICO_NO_MEMORY;
    law->work = work;
    work->gap = rico_alloc(law->ctx, h, sizeof *work->gap);
    work->LC = rico_alloc(law->ctx, h, sizeof *work->LC);
    if (!work->gap || !work->LC) return RICO_NO_MEMORY;
    return rico_active_set_create(law->ctx, h, &work->set);
}


// Is the angle with this cosine pi/k?
static bool is_part_of_pi(double cosine)
{
    if (fabs(cosine) < ANGLE_TOL) return true; // k = 2
    if (cosine < 0.0 || cosine > 1.0) return false;
    double k = round(acos(-1.0) / acos(cosine));
    return k >= 3.0 && k <= MOST_ORDER && fabs(cosine - cos(acos(-1.0) / k)) < ANGLE_TOL;
}


static rico_status check_angles(const rico_impact_law *law)
{
    const rico_impact *impact = law->impact;
    const rico_csc *G = &impact->G;
    int64_t first = -1;
    for (int64_t j = 0; j < G->cols; j++) {
        if (!impact->active[j]) continue;
        if (first < 0) first = j;
        if (impact->restitution[j] != impact->restitution[first])
            return rico_fail(law->ctx, RICO_BAD_ARGUMENT,
                             "cradle takes one restitution, but contact %lld has %g and contact %lld %g",
                             (long long)first, impact->restitution[first], (long long)j,
                             impact->restitution[j]);
        for (int64_t k = G->start[j]; k < G->start[j + 1]; k++) {
            int64_t i = G->row[k];
            if (i >= j || !impact->active[i]) continue;
            double cosine = -G->value[k] / sqrt(impact->diagonal[i] * impact->diagonal[j]);
            if (!is_part_of_pi(cosine))
                return rico_fail(
                    law->ctx, RICO_BAD_ARGUMENT,
                    "cradle wants kinetic angles of pi/2, pi/3, ..., as between equal balls, and "
                    "contacts %lld and %lld have %.4g degrees",
                    (long long)i, (long long)j, acos(fmax(-1.0, fmin(1.0, cosine))) * 180.0 / acos(-1.0));
        }
    }
    return RICO_OK;
}


// Reflections at closing contacts, the first of them first, into law->impulse. A finite group of h
// reflections has at most so many as it has mirrors; more say that gradients depend on each other.
static rico_status fold(rico_impact_law *law, double *gap)
{
    const rico_impact *impact = law->impact;
    const rico_csc *G = &impact->G;
    int64_t h = G->cols, limit = (h + 1) * (h + 1) * MOST_ORDER;
    double speed = 0.0;
    for (int64_t j = 0; j < h; j++) speed = fmax(speed, impact->active[j] ? fabs(gap[j]) : 0.0);
    for (int64_t j = 0; j < h;) {
        if (!impact->active[j] || !(impact->diagonal[j] > 0.0) || gap[j] >= -1e-13 * speed) {
            j++;
            continue;
        }
        if (law->steps++ == limit)
            return rico_fail(law->ctx, RICO_BAD_ARGUMENT,
                             "cradle wants independent gradients: its reflections at %lld contacts never end",
                             (long long)h);
        double impulse = -2.0 * gap[j] / impact->diagonal[j];
        law->impulse[j] += impulse;
        law->impacts[j]++;
        law->collisions++;
        for (int64_t k = G->start[j]; k < G->start[j + 1]; k++) gap[G->row[k]] += G->value[k] * impulse;
        j = 0;
    }
    return RICO_OK;
}


static rico_status apply(rico_impact_law *law)
{
    cradle *work = law->work;
    const rico_impact *impact = law->impact;
    int64_t h = impact->contacts;
    rico_status status = check_angles(law);
    if (status) return status;
    memcpy(work->gap, law->before, (size_t)h * sizeof *work->gap);
    status = fold(law, work->gap);
    if (status) return status;
    if (rico_active_set_solve(work->set, &impact->G, impact->active, true, law->before, work->LC) !=
        RICO_SET_SOLVED)
        return rico_fail(law->ctx, RICO_INTERNAL, "the law cradle found no projection");
    law->steps += work->set->pivots;

    memcpy(work->gap, law->before, (size_t)h * sizeof *work->gap);
    for (int64_t j = 0; j < h; j++) {
        double e = impact->restitution[j];
        law->impulse[j] = e * law->impulse[j] + (1.0 - e) * work->LC[j];
        if (law->impulse[j] > 0.0 && law->impacts[j] == 0) law->impacts[j] = 1, law->collisions++;
    }
    rico_csc_times(&impact->G, 1.0, law->impulse, 1.0, work->gap);
    for (int64_t j = 0; j < h; j++) law->loss[j] = -0.5 * (law->before[j] + work->gap[j]) * law->impulse[j];
    return RICO_OK;
}


const rico_impact_law_method rico_cradle_method = {
    .info =
        {.name = "cradle",
         .summary =
             "elastic blows in any order and inelastic impact, mixed by e; angles of pi/k, as of equal balls",
         .reference = "after Winandy, Leine 2017"},
    .setup = setup,
    .apply = apply,
    .cleanup = cleanup,
};
