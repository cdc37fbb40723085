// The slow invariant manifold of an oscillator with a nonlinear energy sink: points, inverse, folds, landings.
//
// With p = kappa(N2)/w1^2 and q = (N2/2) dp/dN2 the manifold is N1^2 = N2^2 ((lambda/w1)^2 + (1-p)^2), and
// d(N1^2)/d(N2^2) = (lambda/w1)^2 + (1-p)(1-p-2q) is, times w1^2/4, also the determinant of the fast flow: folds are where
// stability changes. For the cubic coupling p = q = c N2^2, c = 3 gamma/(4 w1^4).
//
// Between folds N1 is monotone, so that its inverse is one bisection for each stretch and misses nothing near a fold.

#include "orbit/nes.h"

#include <math.h>

enum { SCAN = 20000 };


rico_status rico_nes_reach(rico_context *ctx, const rico_nes *nes, double *reach)
{
    rico_status status = rico_nes_check(ctx, nes);
    if (status != RICO_OK) return status;
    if (*reach == 0.0 && nes->coupling == RICO_NES_CUBIC)
        *reach = 10.0 * nes->omega1 * nes->omega1 / sqrt(0.75 * nes->gamma);
    else if (*reach == 0.0 && nes->coupling == RICO_NES_GAP && nes->gap > 0.0)
        *reach = 20.0 * nes->omega1 * nes->gap;
    if (!(*reach > 0.0 && isfinite(*reach)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "N2 is looked for up to a positive reach, got %g", *reach);
    return RICO_OK;
}


static double bisect(rico_nes_scalar f, const void *user, double low, double high, double at_low)
{
    for (int k = 0; k < 200; k++) {
        double mid = 0.5 * (low + high);
        if (mid <= low || mid >= high) break; // neighbours
        if (f(user, mid) * at_low > 0.0)
            low = mid;
        else
            high = mid;
    }
    return 0.5 * (low + high);
}


void rico_nes_scan(rico_nes_scalar f, const void *user, double reach, rico_nes_places *out)
{
    double last = 1e-3 * reach / SCAN, before = f(user, last);
    out->count = 0;
    for (int i = 1; i <= SCAN; i++) {
        double now = reach * i / SCAN, value = f(user, now);
        if (value == 0.0) continue; // the sign beyond decides whether it is crossed
        if (before * value < 0.0 && out->count < RICO_NES_PLACES)
            out->at[out->count++] = bisect(f, user, last, now, before);
        last = now, before = value;
    }
}


void rico_nes_solve(rico_nes_scalar f, const void *user, double reach, const rico_nes_places *turns,
                    rico_nes_places *out)
{
    double low = 1e-9 * reach, at_low = f(user, low);
    out->count = 0;
    for (int i = 0; i <= turns->count; i++) {
        double high = i < turns->count ? turns->at[i] : reach, at_high = f(user, high);
        if (at_low * at_high < 0.0 && out->count < RICO_NES_PLACES)
            out->at[out->count++] = bisect(f, user, low, high, at_low);
        low = high, at_low = at_high;
    }
}


rico_nes_point rico_nes_manifold(const rico_nes *nes, double n2)
{
    double p, q, a = nes->lambda / nes->omega1, w = nes->omega1;
    rico_nes_bend(nes, n2, &p, &q);
    double size = hypot(a, 1.0 - p), turn = a * a + (1.0 - p) * (1.0 - p - 2.0 * q);
    rico_nes_point point = {.n1 = n2 * size, .n2 = n2, .phase = atan2(-a, 1.0 - p)};
    point.n3 = point.n1 * point.n1 * point.n1 / (4.0 * w * w);
    point.slope = turn / size;
    // mu^2 + lambda mu + (w1^2/4) turn = 0
    double inside = 0.25 * (nes->lambda * nes->lambda - w * w * turn);
    for (int k = 0; k < 2; k++) {
        double root = (k ? 1.0 : -1.0) * sqrt(fabs(inside));
        point.fast[k][0] = -0.5 * nes->lambda + (inside > 0.0 ? root : 0.0);
        point.fast[k][1] = inside > 0.0 ? 0.0 : root;
    }
    point.stable = nes->lambda > 0.0 && turn > 0.0;
    return point;
}


// ---- inverse and folds ----------------------------------------------------------------------------------------

typedef struct level {
    const rico_nes *nes;
    double n1;
} level;


static double above_level(const void *user, double n2)
{
    const level *l = user;
    return rico_nes_manifold(l->nes, n2).n1 - l->n1;
}


// dH1/dN2 but for a positive factor, which may vanish with lambda.
static double rises(const void *user, double n2)
{
    const level *l = user;
    double p, q, a = l->nes->lambda / l->nes->omega1;
    rico_nes_bend(l->nes, n2, &p, &q);
    return a * a + (1.0 - p) * (1.0 - p - 2.0 * q);
}


static double cubic_bend(const rico_nes *nes)
{
    return 0.75 * nes->gamma / pow(nes->omega1, 4);
}


static void find_folds(const rico_nes *nes, double reach, rico_nes_places *fold)
{
    if (nes->coupling != RICO_NES_CUBIC) {
        rico_nes_scan(rises, &(level){nes, 0.0}, reach, fold);
        return;
    }
    double a = nes->lambda / nes->omega1, c = cubic_bend(nes), inside = 1.0 - 3.0 * a * a;
    fold->count = 0;
    for (int k = 0; k < 2 && inside > 0.0; k++) {
        double at = sqrt((2.0 + (k ? 1.0 : -1.0) * sqrt(inside)) / (3.0 * c));
        if (at <= reach) fold->at[fold->count++] = at;
    }
}


rico_status rico_nes_inverse(rico_context *ctx, const rico_nes *nes, double n1, double reach, int64_t room,
                             double *n2, int64_t *count)
{
    rico_status status = rico_nes_check(ctx, nes);
    if (status != RICO_OK) return status;
    if (!(n1 > 0.0 && isfinite(n1)))
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "N1 must be positive to be inverted, got %g", n1);
    // beyond p = 2 the manifold has N1 >= N2 p/2
    if (reach == 0.0 && nes->coupling == RICO_NES_CUBIC)
        reach = 1.001 * fmax(sqrt(2.0 / cubic_bend(nes)), cbrt(2.0 * n1 / cubic_bend(nes)));
    status = rico_nes_reach(ctx, nes, &reach);
    if (status != RICO_OK) return status;
    rico_nes_places fold, root;
    find_folds(nes, reach, &fold);
    rico_nes_solve(above_level, &(level){nes, n1}, reach, &fold, &root);
    for (int i = 0; i < root.count && i < room; i++) n2[i] = root.at[i];
    *count = root.count;
    return RICO_OK;
}


// From a maximum of N1 a jump goes to the next stable branch above, from a minimum to the one below.
static double landing(const rico_nes *nes, const rico_nes_places *folds, int which, double reach)
{
    double fold = folds->at[which], n1 = rico_nes_manifold(nes, fold).n1, best = NAN;
    if (nes->coupling == RICO_NES_CUBIC) return sqrt(2.0 / cubic_bend(nes) - 2.0 * fold * fold);
    rico_nes_places far = {0}, root;
    bool maximum = rises(&(level){nes, 0.0}, 0.999 * fold) > 0.0;
    // the fold's own root is double: leave out the two stretches that meet there
    for (int i = 0; i < folds->count; i++)
        if (i != which) far.at[far.count++] = folds->at[i];
    rico_nes_solve(above_level, &(level){nes, n1}, reach, &far, &root);
    for (int i = 0; i < root.count; i++) {
        bool near = fabs(root.at[i] - fold) < 1e-4 * fold;
        if (near || !rico_nes_manifold(nes, root.at[i]).stable) continue;
        if (maximum && root.at[i] > fold && isnan(best)) best = root.at[i];
        if (!maximum && root.at[i] < fold) best = root.at[i];
    }
    return best;
}


rico_status rico_nes_folds(rico_context *ctx, const rico_nes *nes, double reach, int64_t room,
                           rico_nes_fold *fold, int64_t *count)
{
    rico_status status = rico_nes_reach(ctx, nes, &reach);
    if (status != RICO_OK) return status;
    rico_nes_places at;
    find_folds(nes, reach, &at);
    for (int i = 0; i < at.count && i < room; i++) {
        fold[i].at = rico_nes_manifold(nes, at.at[i]);
        fold[i].landing = landing(nes, &at, i, reach);
    }
    *count = at.count;
    return RICO_OK;
}
