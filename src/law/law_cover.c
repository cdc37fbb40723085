// Bipotentials made of others: the infimum over a family (Theorem 4.2) and the larger of two (Theorem 5.1 of de Saxce 2018).

#include "law/law_search.h"

#include <math.h>

enum { NARROWINGS = 80 };
static const double GOLDEN = 0.61803398874989484820;

// Between the neighbours of the best of `count` values, by golden sections: exact where the family has one valley there.
double rico_law_cover_value(const rico_law_cover *cover, const double *x, const double *y, double *lambda)
{
    double at = cover->choose ? cover->choose(cover->user, x, y) : cover->low;
    double best = cover->value(cover->user, at, x, y);
    if (!cover->choose) {
        double step = (cover->high - cover->low) / (double)(cover->count - 1);
        for (int64_t i = 1; i < cover->count; i++) {
            double value = cover->value(cover->user, cover->low + (double)i * step, x, y);
            if (!(value < best)) continue;
            best = value;
            at = cover->low + (double)i * step;
        }
        double low = fmax(cover->low, at - step), high = fmin(cover->high, at + step);
        for (int k = 0; k < NARROWINGS && best < INFINITY; k++) {
            double one = high - GOLDEN * (high - low), two = low + GOLDEN * (high - low);
            double first = cover->value(cover->user, one, x, y),
                   second = cover->value(cover->user, two, x, y);
            if (fmin(first, second) < best) {
                best = fmin(first, second);
                at = first < second ? one : two;
            }
            if (first < second)
                high = two;
            else
                low = one;
        }
    }
    if (lambda) *lambda = at;
    return best;
}


static double some_lambda(const rico_law_cover *cover, const double *x, const double *y, rico_random *random)
{
    if (cover->choose) return cover->choose(cover->user, x, y);
    return rico_random_range(random, cover->low, cover->high);
}


rico_status rico_law_check_cover(rico_context *ctx, const rico_law_cover *cover, const rico_law_trial *trial,
                                 rico_law_verdict *out)
{
    rico_status status = rico_law_ready(ctx, trial, false);
    if (status != RICO_OK) return status;
    if (!cover->choose && (cover->count < 2 || !(cover->low < cover->high)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT,
                         "a cover needs at least 2 values of lambda between low < high, or a function that "
                         "chooses it; it has %lld from %g to %g",
                         (long long)cover->count, cover->low, cover->high);
    rico_random random;
    rico_random_seed(&random, trial->seed);
    *out = (rico_law_verdict){.holds = true};
    for (int64_t t = 0; t < 2 * rico_law_trials(trial); t++) {
        bool in_x = t % 2;
        int64_t at[3];
        double z[RICO_LAW_LARGEST], chord = 0.0, size = 0.0, a = rico_random_unit(&random);
        const double *end[2];
        for (int k = 0; k < 3; k++) at[k] = rico_random_below(&random, trial->count);
        const double *fixed = in_x ? rico_law_y(trial, at[2]) : rico_law_x(trial, at[2]);
        for (int k = 0; k < 2; k++) {
            end[k] = in_x ? rico_law_x(trial, at[k]) : rico_law_y(trial, at[k]);
            const double *x = in_x ? end[k] : fixed, *y = in_x ? fixed : end[k];
            chord += (k ? 1.0 - a : a) * cover->value(cover->user, some_lambda(cover, x, y, &random), x, y);
            size += rico_law_size(trial->size, x) * rico_law_size(trial->size, y);
        }
        if (chord == INFINITY) continue;
        rico_law_between(trial->size, a, end[0], end[1], z);
        double least = rico_law_cover_value(cover, in_x ? z : fixed, in_x ? fixed : z, NULL);
        rico_law_note(trial, least - chord, size + fabs(chord), at, 3, out);
    }
    return RICO_OK;
}


// ---- the larger of two ----

double rico_law_max_value(const rico_law_pair *pair, const double *x, const double *y)
{
    double value[2];
    for (int i = 0; i < 2; i++)
        value[i] = pair->phi[i](pair->user, x, NULL) + pair->conjugate[i](pair->user, NULL, y);
    return fmax(value[0], value[1]);
}


// What is to be made small for the conjugate of a mean: (l f_1 + (1 - l) f_2)(z) - <z, fixed>.
typedef struct conjugate_at {
    const rico_law_pair *pair;
    int size;
    bool of_phi; // or of the conjugates
    double l;
    const double *fixed;
} conjugate_at;


static double member(const rico_law_pair *pair, bool of_phi, int i, const double *z)
{
    return of_phi ? pair->phi[i](pair->user, z, NULL) : pair->conjugate[i](pair->user, NULL, z);
}


static double below(const void *problem, const double *z)
{
    const conjugate_at *p = problem;
    double first = member(p->pair, p->of_phi, 0, z), second = member(p->pair, p->of_phi, 1, z);
    if (first == INFINITY || second == INFINITY) return INFINITY;
    return p->l * first + (1.0 - p->l) * second - rico_law_times(p->size, z, p->fixed);
}


rico_status rico_law_check_max(rico_context *ctx, const rico_law_pair *pair, const rico_law_trial *trial,
                               rico_law_verdict *out)
{
    rico_status status = rico_law_ready(ctx, trial, false);
    if (status != RICO_OK) return status;
    rico_random random;
    rico_random_seed(&random, trial->seed);
    *out = (rico_law_verdict){.holds = true};
    rico_law_trial loose = rico_law_searched(trial);
    int64_t trials = rico_law_trials(trial) < 200 ? rico_law_trials(trial) : 200;
    for (int64_t t = 0; t < 2 * trials; t++) {
        bool of_phi = t % 2;
        double fixed[RICO_LAW_LARGEST], l = rico_random_range(&random, 0.05, 0.95), extent = 0.0;
        int64_t at[2] = {rico_random_below(&random, trial->count), rico_random_below(&random, trial->count)};
        const double *from = of_phi ? trial->y : trial->x, *over = of_phi ? trial->x : trial->y;
        rico_law_between(trial->size, rico_random_unit(&random), from + at[0] * trial->size,
                         from + at[1] * trial->size, fixed);
        double first = member(pair, !of_phi, 0, fixed), second = member(pair, !of_phi, 1, fixed);
        if (first == INFINITY || second == INFINITY) continue;
        for (int64_t i = 0; i < trial->count; i++)
            extent = fmax(extent, rico_law_size(trial->size, over + i * trial->size));
        // the supremum never exceeds the mean of conjugates: by how much it falls short
        double mean = l * first + (1.0 - l) * second, size = extent * rico_law_size(trial->size, fixed);
        conjugate_at problem = {pair, trial->size, of_phi, l, fixed};
        double enough = -mean + 0.5 * rico_law_tolerance(trial) * size;
        double found = rico_law_search(below, &problem, trial->size, trial->count, over, enough, &random);
        rico_law_note(&loose, mean + found, size + fabs(mean), at, 2, out);
    }
    return RICO_OK;
}
