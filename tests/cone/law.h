// Coulomb's law for the tests of src/cone, written from its three cases and from nothing in the library: the
// distance of (u, r) to the law, and pairs that obey it by construction.

#ifndef RICO_TESTS_CONE_LAW_H
#define RICO_TESTS_CONE_LAW_H

#include "support.h"

static const double FRICTIONS[] = {0.0, 1e-3, 0.3, 1.0, 10.0, 1e3};
enum { FRICTION_COUNT = sizeof FRICTIONS / sizeof *FRICTIONS };

enum { LAW_OPEN, LAW_STICKING, LAW_SLIDING, LAW_GRAZING, LAW_ON_RIM, LAW_NOTHING, LAW_KINDS };


static inline double norm3(const double x[3])
{
    return hypot(x[0], hypot(x[1], x[2]));
}


// Random vector, each component of a random order of magnitude between 10^low and 10^high, now and then zero.
static inline void random_vector(rico_random *random, double low, double high, int count, double *x)
{
    for (int i = 0; i < count; i++) {
        double size = pow(10.0, rico_random_range(random, low, high));
        int64_t kind = rico_random_below(random, 9);
        x[i] = kind == 0 ? 0.0 : kind < 5 ? size : -size;
    }
}


static inline void random_unit(rico_random *random, double unit[2])
{
    static const double special[4][2] = {{1.0, 0.0}, {0.0, 1.0}, {-1.0, 0.0}, {0.0, -1.0}};
    int64_t kind = rico_random_below(random, 16);
    double angle = rico_random_range(random, 0.0, 6.283185307179586);
    unit[0] = kind < 4 ? special[kind][0] : cos(angle);
    unit[1] = kind < 4 ? special[kind][1] : sin(angle);
}


// A pair that obeys the law, in the given way, up to the rounding of its own entries.
static inline void lawful_pair(rico_random *random, double mu, int kind, double u[3], double r[3])
{
    double unit[2];
    double size = pow(10.0, rico_random_range(random, -2.0, 2.0));
    double slip = pow(10.0, rico_random_range(random, -2.0, 2.0));
    double fraction = kind == LAW_STICKING ? rico_random_unit(random) : 1.0;
    random_unit(random, unit);
    memset(u, 0, 3 * sizeof *u);
    memset(r, 0, 3 * sizeof *r);

    if (kind == LAW_OPEN) u[0] = size;
    if (kind == LAW_OPEN || kind == LAW_SLIDING || kind == LAW_GRAZING)
        for (int i = 0; i < 2; i++) u[1 + i] = slip * unit[i];
    if (kind == LAW_STICKING || kind == LAW_SLIDING || kind == LAW_ON_RIM) {
        r[0] = size;
        for (int i = 0; i < 2; i++) r[1 + i] = -fraction * mu * size * unit[i];
    }
}


// Squared distance to the pairs that slide along the unit vector w: u = (0, s w), r = a (1, -mu w), s, a >= 0.
static inline double slide_gap(double mu, const double u[3], const double r[3], const double w[2])
{
    double s = fmax(0.0, u[1] * w[0] + u[2] * w[1]);
    double a = fmax(0.0, (r[0] - mu * (r[1] * w[0] + r[2] * w[1])) / (1.0 + mu * mu));
    double gap[6] = {u[0],     u[1] - s * w[0],      u[2] - s * w[1],
                     r[0] - a, r[1] + mu * a * w[0], r[2] + mu * a * w[1]};
    double sum = 0.0;
    for (int i = 0; i < 6; i++) sum += gap[i] * gap[i];
    return sum;
}


// Distance from r to K, by a search over the height a >= 0 of the disk that is nearest: convex in a.
static inline double cone_gap(double mu, const double r[3])
{
    double slip = hypot(r[1], r[2]);
    if (r[0] >= 0.0 && slip <= mu * r[0]) return 0.0;

    double low = 0.0, high = fabs(r[0]) + slip;
    for (int i = 0; i < 80; i++) {
        double a = low + 0.382 * (high - low), b = low + 0.618 * (high - low);
        double at_a = hypot(r[0] - a, fmax(0.0, slip - mu * a));
        double at_b = hypot(r[0] - b, fmax(0.0, slip - mu * b));
        if (at_a <= at_b)
            high = b;
        else
            low = a;
    }
    return fmin(hypot(r[0], slip), hypot(r[0] - low, fmax(0.0, slip - mu * low)));
}


// Distance from (u, r) to Coulomb's law: the least of those to its three cases (eq. 20).
static inline double law_distance(double mu, const double u[3], const double r[3])
{
    double open = hypot(norm3(r), fmin(0.0, u[0]));
    double stick = hypot(norm3(u), cone_gap(mu, r));

    // sliding: over all directions of slip, those of u_T and -r_T among them, then around the best
    double best = INFINITY, at = 0.0, step = 6.283185307179586 / 32.0;
    for (int i = -2; i < 32; i++) {
        double angle = i == -2 ? atan2(u[2], u[1]) : i == -1 ? atan2(-r[2], -r[1]) : i * step;
        double gap = slide_gap(mu, u, r, (double[2]){cos(angle), sin(angle)});
        if (gap < best) best = gap, at = angle;
    }
    for (; step > 1e-9; step *= 0.5)
        for (int side = -1; side <= 1; side += 2) {
            double angle = at + side * step;
            double gap = slide_gap(mu, u, r, (double[2]){cos(angle), sin(angle)});
            if (gap < best) best = gap, at = angle;
        }
    return fmin(open, fmin(stick, sqrt(best)));
}

#endif
