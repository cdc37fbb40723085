// The reduced equations of k impacts per period: Sigma, Pi and the derivatives that Newton's method needs.
//
// Every entry depends on the time from one impact to another and on the period alone, and both are sums of durations.

#include "la/dense.h"
#include "orbit/modes.h"

#include <math.h>

enum { MOST = RICO_MODES_IMPACTS };


rico_green rico_green_at(double omega, double T, double s)
{
    double half = 0.5 * omega * T, sine = sin(half), phase = omega * (s - 0.5 * T);
    return (rico_green){cos(phase) / (2.0 * omega * sine), -sin(phase) / (2.0 * sine),
                        -cos(omega * s) / (4.0 * sine * sine), omega * sin(omega * s) / (4.0 * sine * sine)};
}


bool rico_modes_off_resonance(const rico_modes *modes, double T)
{
    for (int64_t j = 0; j < modes->n; j++)
        if (modes->b[j] != 0.0 && fabs(sin(0.5 * modes->omega[j] * T)) < 1e-14 * modes->omega[j] * T)
            return false;
    return true;
}


rico_green rico_modes_green(const rico_modes *modes, double T, double s)
{
    rico_green sum = {0};
    for (int64_t j = 0; j < modes->n; j++) {
        double square = modes->b[j] * modes->b[j];
        if (square == 0.0) continue;
        rico_green one = rico_green_at(modes->omega[j], T, s);
        sum.value += square * one.value;
        sum.rate += square * one.rate;
        sum.by_period += square * one.by_period;
        sum.rate_by_period += square * one.rate_by_period;
    }
    return sum;
}


double rico_modes_arc(int64_t k, const double *s, int64_t i, int64_t l)
{
    double sum = 0.0;
    for (int64_t m = i; m != l; m = (m + 1) % k) sum += s[m];
    return sum;
}


static bool on_arc(int64_t i, int64_t l, int64_t m)
{
    return i <= l ? m >= i && m < l : m >= i || m < l;
}


static rico_status check_durations(const rico_modes *modes, int64_t k, const double *s, double *T)
{
    if (k < 1 || k > MOST)
        return rico_fail(modes->ctx, RICO_BAD_ARGUMENT, "an orbit has 1 to %d impacts, got %lld", MOST,
                         (long long)k);
    *T = 0.0;
    for (int64_t i = 0; i < k; i++) {
        if (!(s[i] > 0.0 && isfinite(s[i])))
            return rico_fail(modes->ctx, RICO_BAD_ARGUMENT,
                             "the duration after impact %lld must be positive, got %g", (long long)i + 1,
                             s[i]);
        *T += s[i];
    }
    if (!rico_modes_off_resonance(modes, *T))
        return rico_fail(modes->ctx, RICO_SINGULAR, "the period %g is a multiple of that of a linear mode",
                         *T);
    return RICO_OK;
}


// Both matrices, and the derivatives of their entries by the time between the impacts and by the period.
typedef struct reduced {
    double Sigma[MOST * MOST], Pi[MOST * MOST];
    rico_green green[MOST * MOST]; // row + k column
    double curve[MOST * MOST];     // of Pi by the time between: sum b^2 G''
} reduced;


static void fill(const rico_modes *modes, int64_t k, const double *s, double T, reduced *out)
{
    for (int64_t i = 0; i < k; i++)
        for (int64_t l = 0; l < k; l++) {
            double time = rico_modes_arc(k, s, i, l);
            rico_green green = rico_modes_green(modes, T, time);
            double curve = 0.0;
            for (int64_t j = 0; j < modes->n; j++) {
                double speed = modes->omega[j] * modes->b[j];
                if (speed != 0.0) curve -= speed * speed * rico_green_at(modes->omega[j], T, time).value;
            }
            out->green[l + k * i] = green;
            out->curve[l + k * i] = l == i ? 0.0 : curve;
            out->Sigma[l + k * i] = green.value;
            out->Pi[l + k * i] = l == i ? 0.0 : green.rate;
        }
}


rico_status rico_modes_matrices(const rico_modes *modes, int64_t k, const double *s, double *Sigma,
                                double *Pi)
{
    double T = 0.0;
    rico_status status = check_durations(modes, k, s, &T);
    if (status != RICO_OK) return status;
    for (int64_t i = 0; i < k; i++)
        for (int64_t l = 0; l < k; l++) {
            rico_green green = rico_modes_green(modes, T, rico_modes_arc(k, s, i, l));
            Sigma[l + k * i] = green.value;
            Pi[l + k * i] = l == i ? 0.0 : green.rate;
        }
    return RICO_OK;
}


// Column m of the derivative of F = Pi p: (dPi) p + Pi dp with Sigma dp = -(dSigma) p.
static void column(int64_t k, const reduced *r, const double *lu, const int32_t *pivot, const double *p,
                   int64_t m, double *out)
{
    double dp[MOST] = {0.0};
    for (int64_t l = 0; l < k; l++) out[l] = 0.0;
    for (int64_t i = 0; i < k; i++)
        for (int64_t l = 0; l < k; l++) {
            const rico_green *green = &r->green[l + k * i];
            bool along = i != l && on_arc(i, l, m);
            dp[l] -= (green->by_period + (along ? green->rate : 0.0)) * p[i];
            out[l] += (green->rate_by_period + (along ? r->curve[l + k * i] : 0.0)) * p[i];
        }
    rico_dense_lu_solve(k, lu, pivot, 1, dp);
    rico_dense_times(k, k, 1.0, r->Pi, dp, 1.0, out);
}


rico_status rico_modes_elastic(const rico_modes *modes, int64_t k, const double *s, double *p, double *F,
                               double *J)
{
    double T = 0.0, lu[MOST * MOST];
    int32_t pivot[MOST];
    reduced r;
    rico_status status = check_durations(modes, k, s, &T);
    if (status != RICO_OK) return status;
    fill(modes, k, s, T, &r);
    for (int64_t i = 0; i < k * k; i++) lu[i] = r.Sigma[i];
    if (rico_dense_lu(modes->ctx, k, lu, pivot) != RICO_OK)
        return rico_fail(modes->ctx, RICO_SINGULAR, "no impulses close the gap: Sigma is singular at T = %g",
                         T);
    for (int64_t i = 0; i < k; i++) p[i] = -modes->g0;
    rico_dense_lu_solve(k, lu, pivot, 1, p);
    rico_dense_times(k, k, 1.0, r.Pi, p, 0.0, F);
    for (int64_t m = 0; J && m < k; m++) column(k, &r, lu, pivot, p, m, J + k * m);
    return RICO_OK;
}
