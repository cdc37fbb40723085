// Consistency and monotonicity of an impact law on one system, tried on samples.
//
// Samples are gamma- = G x. For two of them, with S the contact map and mean = (gamma+ + gamma-)/2,
//
//     -(dLambda)'(dmean) = (|dgamma-|^2 - |dgamma+|^2) / 2     in the metric of G^-1,
//
// so that the law H is monotone where S is nonexpansive (Winandy, Baumann, Leine 2018, section 5). Norms need no
// inverse: |G x|^2 = x'G x, and gamma+ = G (x + Lambda).

#include "base/random.h"
#include "la/dense.h"
#include "law/impact_law.h"
#include "law/maps.h"

#include <math.h>
#include <string.h>

enum { PARTNERS = 200, CYCLES_PER_SAMPLE = 50, LONGEST_CYCLE = 16, POINTS = 5, ATTEMPTS = 100 };

// The samples with an answer of the law: x, gamma-, gamma+, Lambda and the mean, h entries each, one after the other.
typedef struct samples {
    int64_t size, count;
    double *x, *before, *after, *impulse, *mean;
    double *storage;
} samples;

enum { KINEMATIC, KINETIC, ENERGETIC, PAIR, CYCLE = 5 }; // places of the witnesses


rico_impact_law_trial rico_impact_law_trial_default(void)
{
    return (rico_impact_law_trial){.samples = 200, .admissible = true, .seed = 1, .cycle = 3, .tol = 1e-10};
}


static rico_status check_trial(const rico_impact_law *law, const rico_impact_law_trial *trial)
{
    rico_context *ctx = law->ctx;
    if (!law->impact) return rico_fail(ctx, RICO_BAD_ARGUMENT, "the impact law was not set up");
    if (trial->samples < 0 || trial->given_count < 0 || (trial->given_count > 0 && !trial->given))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "a trial of %lld samples and %lld given ones",
                         (long long)trial->samples, (long long)trial->given_count);
    if (trial->cycle < 2 || trial->cycle > LONGEST_CYCLE)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "cycles of %d points; 2 to %d are possible", trial->cycle,
                         LONGEST_CYCLE);
    if (!(trial->tol >= 0.0))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "the tolerance %g of a trial is not positive", trial->tol);
    return RICO_OK;
}


// x -= x1 with G x1 the projection of a random point on K.
static rico_status subtract_tangent(rico_impact_maps *maps, rico_random *random, double *x, double *speed)
{
    const rico_csc *G = &maps->impact->G;
    int64_t h = G->cols;
    double *point = maps->LC, *gamma = maps->contact;
    for (int64_t j = 0; j < h; j++) {
        point[j] = rico_random_normal(random);
        x[j] -= point[j];
    }
    rico_csc_times(G, 1.0, point, 0.0, gamma);
    *speed = fmax(*speed, rico_norm_inf(h, gamma));
    if (rico_active_set_solve(maps->set, G, maps->impact->active, true, gamma, point) != RICO_SET_SOLVED)
        return rico_fail(maps->ctx, RICO_INTERNAL, "a point in the range of G without projection");
    for (int64_t j = 0; j < h; j++) x[j] -= point[j];
    return RICO_OK;
}


// x of a random sample. Admissible ones are minus a sum of two points of K: a projection alone would lie on its
// boundary, and the sum stays in the range of G whatever its rank. Points that fall on the apex are drawn again; where
// there are no others, the sample is rest.
static rico_status draw(rico_impact_maps *maps, rico_random *random, bool admissible, double *x)
{
    const rico_csc *G = &maps->impact->G;
    int64_t h = G->cols;
    rico_status status = RICO_OK;
    if (!admissible) {
        for (int64_t j = 0; j < h; j++) x[j] = rico_random_normal(random);
        return status;
    }
    for (int attempt = 0; attempt < ATTEMPTS && !status; attempt++) {
        double speed = 0.0;
        memset(x, 0, (size_t)h * sizeof *x);
        for (int part = 0; part < 2 && !status; part++) status = subtract_tangent(maps, random, x, &speed);
        rico_csc_times(G, 1.0, x, 0.0, maps->contact);
        if (rico_norm_inf(h, maps->contact) > 1e-6 * speed) return status;
    }
    memset(x, 0, (size_t)h * sizeof *x);
    return status;
}


// Asks the law about G x (or a given gamma-) and keeps the answer at the end of the samples.
static rico_status ask(rico_impact_law *law, samples *s, const double *given,
                       rico_impact_law_findings *findings)
{
    int64_t h = s->size, at = s->count * h;
    double *x = &s->x[at], *before = &s->before[at];
    if (given)
        memcpy(before, given, (size_t)h * sizeof *before);
    else
        rico_csc_times(&law->impact->G, 1.0, x, 0.0, before);
    rico_impact_result result;
    rico_status status = rico_impact_law_map_contact(law, before, &result);
    if (status) return status;
    if (result.stop != RICO_IMPACT_DONE) {
        findings->failures++;
        return RICO_OK;
    }
    for (int64_t j = 0; j < h; j++) {
        s->after[at + j] = result.gap_after[j];
        s->impulse[at + j] = result.impulse[j];
        s->mean[at + j] = 0.5 * (before[j] + result.gap_after[j]);
    }
    s->count++;
    return RICO_OK;
}


static rico_status collect(rico_impact_law *law, const rico_impact_law_trial *trial, rico_impact_maps *maps,
                           samples *s, rico_impact_law_findings *findings)
{
    rico_random random;
    rico_random_seed(&random, trial->seed);
    int64_t h = s->size;
    rico_status status = RICO_OK;
    for (int64_t k = 0; k < trial->given_count && !status; k++) {
        rico_impact_pseudo_inverse(maps, &trial->given[k * h], &s->x[s->count * h]);
        status = ask(law, s, &trial->given[k * h], findings);
    }
    for (int64_t k = 0; k < trial->samples && !status; k++) {
        status = draw(maps, &random, trial->admissible, &s->x[s->count * h]);
        if (!status) status = ask(law, s, NULL, findings);
    }
    return status;
}


static void keep_witness(const rico_impact_law *law, const samples *s, int64_t sample, int place)
{
    memcpy(&law->witness[place * s->size], &s->before[sample * s->size], (size_t)s->size * sizeof *s->before);
}


// gamma+ >= 0, Lambda >= 0, T+ <= T- of each sample.
static void check_consistency(const rico_impact_law *law, const samples *s, double tol,
                              rico_impact_law_findings *f)
{
    int64_t h = s->size;
    for (int64_t k = 0; k < s->count; k++) {
        const double *before = &s->before[k * h], *after = &s->after[k * h], *impulse = &s->impulse[k * h];
        double gap = INFINITY, least = INFINITY;
        double speed = fmax(rico_norm_inf(h, before), rico_norm_inf(h, after)),
               most = rico_norm_inf(h, impulse);
        for (int64_t j = 0; j < h; j++) {
            if (law->impact->active[j]) gap = fmin(gap, after[j]);
            least = fmin(least, impulse[j]);
        }
        gap = speed > 0.0 ? gap / speed : 0.0;
        least = most > 0.0 ? least / most : 0.0;
        double energy = 0.5 * rico_dot(h, &s->x[k * h], before);
        double change = rico_dot(h, &s->mean[k * h], impulse);
        double gain = energy > 0.0 ? change / energy : 0.0;

        if (gap < f->worst_gap) {
            f->worst_gap = gap;
            keep_witness(law, s, k, KINEMATIC);
        }
        if (least < f->worst_impulse) {
            f->worst_impulse = least;
            keep_witness(law, s, k, KINETIC);
        }
        if (k == 0 || gain > f->worst_energy) {
            f->worst_energy = gain;
            keep_witness(law, s, k, ENERGETIC);
        }
    }
    f->kinematic = f->worst_gap >= -tol;
    f->kinetic = f->worst_impulse >= -tol;
    f->energetic = f->worst_energy <= tol;
}


// |S a - S b|^2 / |a - b|^2 for sample a and sample b; 0 for the same point twice.
static double expansion_of(const samples *s, int64_t a, int64_t b)
{
    int64_t h = s->size;
    double before = 0.0, after = 0.0, size = 0.0;
    for (int64_t j = 0; j < h; j++) {
        double x = s->x[a * h + j] - s->x[b * h + j];
        double impulse = s->impulse[a * h + j] - s->impulse[b * h + j];
        double gap = s->before[a * h + j] - s->before[b * h + j];
        before += x * gap;
        after += (x + impulse) * (s->after[a * h + j] - s->after[b * h + j]);
        size += fabs(x * gap);
    }
    return before > 1e-14 * size ? after / before : 0.0;
}


static void check_pairs(const rico_impact_law *law, const samples *s, double tol, rico_impact_law_findings *f)
{
    for (int64_t a = 0; a < s->count; a++)
        for (int64_t b = a + 1; b < s->count && b <= a + PARTNERS; b++) {
            double expansion = expansion_of(s, a, b);
            f->pairs++;
            if (!(expansion > f->expansion)) continue;
            f->expansion = expansion;
            keep_witness(law, s, a, PAIR);
            keep_witness(law, s, b, PAIR + 1);
        }
    f->monotone = f->expansion <= 1.0 + tol;
}


// y0.(x1-x0) + ... + ym.(x0-xm), with y = -Lambda and x the mean, over impulses times velocities before.
static double cycle_sum(const samples *s, int length, const int64_t *cycle)
{
    int64_t h = s->size;
    double sum = 0.0, size = 0.0;
    for (int k = 0; k < length; k++) {
        const double *impulse = &s->impulse[cycle[k] * h];
        int64_t follower = cycle[(k + 1) % length];
        const double *mean = &s->mean[cycle[k] * h], *next = &s->mean[follower * h];
        double speed =
            rico_norm_inf(h, &s->before[cycle[k] * h]) + rico_norm_inf(h, &s->before[follower * h]);
        for (int64_t j = 0; j < h; j++) {
            sum -= impulse[j] * (next[j] - mean[j]);
            size += fabs(impulse[j]) * speed;
        }
    }
    return size > 0.0 ? sum / size : 0.0;
}


static void check_cycles(const rico_impact_law *law, const rico_impact_law_trial *trial, const samples *s,
                         rico_impact_law_findings *f)
{
    rico_random random;
    rico_random_seed(&random, trial->seed);
    f->worst_cycle = -INFINITY;
    for (int64_t c = 0; s->count >= 2 && c < CYCLES_PER_SAMPLE * s->count; c++) {
        int64_t cycle[LONGEST_CYCLE];
        for (int k = 0; k < trial->cycle; k++) cycle[k] = rico_random_below(&random, s->count);
        double sum = cycle_sum(s, trial->cycle, cycle);
        f->cycles++;
        if (!(sum > f->worst_cycle)) continue;
        f->worst_cycle = sum;
        for (int k = 0; k < trial->cycle; k++) keep_witness(law, s, cycle[k], CYCLE + k);
    }
    if (f->cycles == 0) f->worst_cycle = 0.0;
    f->cyclic = f->worst_cycle <= trial->tol;
}


static rico_status make_room(rico_impact_law *law, const rico_impact_law_trial *trial, samples *s)
{
    int64_t h = law->impact->contacts, total = h * (trial->samples + trial->given_count + 1);
    s->size = h;
    s->storage = rico_alloc(law->ctx, POINTS * total, sizeof *s->storage);
    rico_free(law->ctx, law->witness);
    law->witness = rico_alloc(law->ctx, (CYCLE + trial->cycle) * h, sizeof *law->witness);
    if (!s->storage || !law->witness) return RICO_NO_MEMORY;
    s->x = s->storage;
    s->before = s->x + total;
    s->after = s->before + total;
    s->impulse = s->after + total;
    s->mean = s->impulse + total;
    return RICO_OK;
}


rico_status rico_impact_law_check(rico_impact_law *law, const rico_impact_law_trial *trial,
                                  rico_impact_law_findings *findings)
{
    rico_status status = check_trial(law, trial);
    if (status) return status;
    samples s = {0};
    rico_impact_maps *maps = NULL;
    rico_impact_law_findings f = {0};
    status = make_room(law, trial, &s);
    if (!status) status = rico_impact_maps_create(law->impact, &maps);
    if (!status) status = collect(law, trial, maps, &s, &f);
    if (!status) {
        const double *witness = law->witness;
        f.samples = s.count;
        check_consistency(law, &s, trial->tol, &f);
        check_pairs(law, &s, trial->tol, &f);
        check_cycles(law, trial, &s, &f);
        f.kinematic_witness = f.kinematic ? NULL : &witness[KINEMATIC * s.size];
        f.kinetic_witness = f.kinetic ? NULL : &witness[KINETIC * s.size];
        f.energetic_witness = f.energetic ? NULL : &witness[ENERGETIC * s.size];
        f.pair_witness = f.monotone ? NULL : &witness[PAIR * s.size];
        f.cycle_witness = f.cyclic ? NULL : &witness[CYCLE * s.size];
        *findings = f;
    }
    rico_impact_maps_destroy(maps);
    rico_free(law->ctx, s.storage);
    return status;
}
