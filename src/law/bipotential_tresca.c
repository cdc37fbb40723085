// Given friction: unilateral contact with a bound of friction that does not depend on the pressure (Tresca's).
//
// b(-u, r) = s |u_T| for u_N >= 0, r_N >= 0 and |r_T| <= s: the sum of a superpotential and its conjugate, so that the law is monotone. It slips
// at s where the contact is open, too.

#include "law/bipotential.h"

#include "ricochet/cone.h"

#include <string.h>

enum { SIZE = 3 };


static bool in_disc(const rico_bipotential *law, const double *y)
{
    double bound = law->value[0];
    return hypot(y[1], y[2]) <= bound + RICO_BIPOTENTIAL_SLACK * (bound + rico_bipotential_length(SIZE, y));
}


static bool admits(const rico_bipotential *law, const double *x, const double *y)
{
    return x[0] <= RICO_BIPOTENTIAL_SLACK * rico_bipotential_length(SIZE, x) &&
           y[0] >= -RICO_BIPOTENTIAL_SLACK * rico_bipotential_length(SIZE, y) && in_disc(law, y);
}


static double value(const rico_bipotential *law, const double *x, const double *y)
{
    (void)y;
    return law->value[0] * hypot(x[1], x[2]);
}


static double gap(const rico_bipotential *law, const double *x, const double *y)
{
    return -x[0] * y[0] + (law->value[0] * hypot(x[1], x[2]) - x[1] * y[1] - x[2] * y[2]);
}


static void direction(const rico_bipotential *law, const double *x, double *d)
{
    (void)law;
    memcpy(d, x, SIZE * sizeof *d);
}


static void project(const rico_bipotential *law, double *y)
{
    y[0] = fmax(y[0], 0.0);
    rico_disk_project(law->value[0], y + 1);
}


static bool reaches(const rico_bipotential *law, double p)
{
    (void)law;
    return p >= 0.0;
}


static void flow(const rico_bipotential *law, double p, const double *x, double *lawful, double *y)
{
    double slip = hypot(x[1], x[2]);
    lawful[0] = 0.0;
    y[0] = p;
    for (int i = 1; i < SIZE; i++) {
        lawful[i] = x[i];
        if (slip > 0.0) y[i] = law->value[0] * (x[i] / slip);
    }
}


static void sample(const rico_bipotential *law, rico_random *random, double *x, double *y)
{
    int state = (int)rico_random_below(random, 3);
    double p = exp(2.0 * rico_random_normal(random)), lawful[SIZE];
    for (int i = 1; i < SIZE; i++) y[i] = law->value[0] * rico_random_normal(random);
    y[0] = state == 0 ? 0.0 : p;
    project(law, y);
    if (state == 1) return;
    for (int i = 0; i < SIZE; i++) x[i] = rico_random_normal(random);
    x[0] = state == 0 ? -fabs(x[0]) : 0.0;
    flow(law, y[0], x, lawful, y);
}


static void cut(const rico_bipotential *law, double p, const double *x, const double *y,
                rico_bipotential_section *out)
{
    rico_bipotential_cutting at = {.p = p,
                                   .support = value(law, x, y),
                                   .in_section = in_disc(law, y),
                                   .x_size = rico_bipotential_length(SIZE, x),
                                   .y_size = rico_bipotential_length(SIZE, y)};
    rico_bipotential_cut_contact(&at, x, y, out);
}


static const rico_option_info OPTIONS[] = {{.name = "bound",
                                            .help = "largest friction, a force",
                                            .type = RICO_REAL,
                                            .low = 0.0,
                                            .high = 1e12,
                                            .standard = 1.0}};

const rico_bipotential_kind rico_bipotential_tresca[] = {
    {.info = {"tresca", "unilateral contact with a given bound of friction", "Duvaut and Lions 1972", SIZE, 1,
              OPTIONS},
     .admits = admits,
     .value = value,
     .gap = gap,
     .direction = direction,
     .project = project,
     .reaches = reaches,
     .flow = flow,
     .sample = sample,
     .cut = cut},
    {.info = {NULL}},
};
