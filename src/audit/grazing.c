// The counterexample to uniqueness: blows, force and motion.

#include "audit/grazing.h"

#include <math.h>

enum { ARCHES = 160 }; // beyond, 1/(n+4)! is no double any more

// Gauss's rule of 8 points on [-1, 1], its positive half.
static const double NODE[] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
static const double WEIGHT[] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                0.1012285362903763};


double rico_grazing_alpha(int n)
{
    return 8.0 / 3.0 / (n + 1.0) - 11.0 / 6.0 / (n + 2.0) + 1.0 / 6.0 / (n + 3.0);
}


double rico_grazing_delta(int n)
{
    return (n + 5.0) / ((n + 1.0) * (n + 2.0) * (n + 4.0));
}


static double length_of(int n)
{
    return 2.0 * (n + 5.0) / ((n + 1.0) * (n + 2.0) * (n + 3.0) * (n + 4.0));
}


static double hump(double x)
{
    return x > 0.0 && x < 1.0 ? exp(1.0 / (x * (x - 1.0))) : 0.0;
}


// Integrals of the hump and of (x - s) hump(s) from 0 to x.
static void integrate(double x, double *once, double *twice)
{
    enum { PANELS = 24 };
    double half = 0.5 * x / PANELS;
    *once = *twice = 0.0;
    for (int k = 0; k < PANELS; k++)
        for (int i = 0; i < 8; i++) {
            double s = (2 * k + 1) * half + (i < 4 ? -NODE[i] : NODE[i - 4]) * half,
                   part = WEIGHT[i % 4] * half * hump(s);
            *once += part;
            *twice += (x - s) * part;
        }
}


static double hump_area(void)
{
    double area, unused;
    integrate(1.0, &area, &unused);
    return area;
}


double rico_grazing_bump(double x)
{
    return hump(x) / hump_area();
}


// The arch that t lies in, alpha_{n+1} <= t < alpha_n; ARCHES for what is before all that are followed.
static int arch_of(double t)
{
    int n = 0;
    while (n < ARCHES && t < rico_grazing_alpha(n + 1)) n++;
    return n;
}


double rico_grazing_force(double t)
{
    int n = arch_of(t);
    if (n == ARCHES || t >= rico_grazing_alpha(0)) return 0.0;
    double x = (t - rico_grazing_alpha(n + 1) - rico_grazing_delta(n)) / length_of(n);
    return -rico_grazing_bump(x) / (2.0 * tgamma(n + 1.0));
}


void rico_grazing_motion(double t, double *q, double *before, double *after)
{
    int n = arch_of(t);
    *q = *before = *after = 0.0;
    if (n == ARCHES) return;
    double start = rico_grazing_alpha(n + 1), since = t - start, length = length_of(n),
           x = fmin(1.0, (since - rico_grazing_delta(n)) / length), speed = 1.0 / tgamma(n + 5.0), once = 0.0,
           twice = 0.0;
    if (x > 0.0) integrate(x, &once, &twice);
    double share = 1.0 / (2.0 * tgamma(n + 1.0) * hump_area());
    *q = since * speed - length * length * share * twice;
    *after = *before = speed - length * share * once;
    if (since == 0.0) *before = -*after;
}
