// Measures of an impact's outcome (Nguyen and Brogliato 2018, eq. 38-41).

#include "la/dense.h"
#include "ricochet/impact.h"

#include <math.h>

double rico_outcome_gap(int64_t count, const double *v, const double *reference)
{
    double sum = 0.0;
    for (int64_t i = 0; i < count; i++) sum += (v[i] - reference[i]) * (v[i] - reference[i]);
    return 100.0 * sqrt(sum) / rico_norm(count, reference);
}


int64_t rico_outcome_good(int64_t count, const double *v, const double *reference, double precision)
{
    double bound = precision * rico_norm(count, reference);
    int64_t good = 0;
    for (int64_t i = 0; i < count; i++) good += fabs(v[i] - reference[i]) < bound;
    return good;
}


double rico_outcome_dispersion(int64_t count, const double *mass, const double *v)
{
    double mean = 0.0, square = 0.0;
    for (int64_t i = 0; i < count; i++) mean += 0.5 * mass[i] * v[i] * v[i] / (double)count;
    if (!(mean > 0.0)) return 0.0;
    for (int64_t i = 0; i < count; i++) {
        double deviation = 0.5 * mass[i] * v[i] * v[i] / mean - 1.0;
        square += deviation * deviation;
    }
    return sqrt(square / (double)count);
}


double rico_outcome_energy_ratio(const rico_impact_result *result)
{
    return result->energy_before > 0.0 ? result->energy_after / result->energy_before : 1.0;
}


int64_t rico_outcome_stuck(int64_t count, const double *gamma, double speed, double part)
{
    int64_t stuck = 0;
    for (int64_t j = 0; j < count; j++) stuck += fabs(gamma[j]) < part * speed;
    return stuck;
}
