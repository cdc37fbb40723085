// The drill-string of chapter 8 in Lur'e form: four discs of table 1, friction of table 2, written out.

#ifndef RICO_TESTS_CONTROL_DRILL_STRING_H
#define RICO_TESTS_CONTROL_DRILL_STRING_H

#include "systems.h"

#include "ricochet/drill_robust.h"

static const double PI = 3.14159265358979323846;
static const double T_S = 1.232, T_D = 0.272, N_D = 0.5; // Nm, Nm, rpm

enum { STATES = 7 };

typedef struct drill_string {
    double a[STATES * STATES], g[STATES], b[STATES], h[STATES], c[2 * STATES];
    rico_drill_plant plant;
} drill_string;


// -phi'(w) of the friction at the bit, at a speed in rpm.
static inline double delta_at(double rpm)
{
    double rate = 30.0 / (PI * N_D);
    return rate * (T_S - T_D) * exp(-rate * rpm * PI / 30.0);
}


// x = (th1 - th2, w1, w2, th2 - th3, w3, th3 - th4, w4); y = (w4, k34 (th4 - th3) + d34 (w4 - w3)).
static inline void drill_string_fill(drill_string *s, double delta)
{
    const double j1 = 0.064, j2 = 0.708, j3 = 0.708, j4 = 2.845, k12 = 0.630, k23 = 1.799, k34 = 1.097;
    const double d23 = 0.0018, d34 = 0.0024, d14 = 0.0005;
    const double rows[STATES][STATES] = {
        {0, 1, -1, 0, 0, 0, 0},
        {-k12 / j1, -d14 / j1, 0, 0, 0, 0, d14 / j1},
        {k12 / j2, 0, -d23 / j2, -k23 / j2, d23 / j2, 0, 0},
        {0, 0, 1, 0, -1, 0, 0},
        {0, 0, d23 / j3, k23 / j3, -(d23 + d34) / j3, -k34 / j3, d34 / j3},
        {0, 0, 0, 0, 1, 0, -1},
        {0, d14 / j4, 0, 0, d34 / j4, k34 / j4, -(d14 + d34) / j4},
    };
    *s = (drill_string){.g = {0, 1.0 / j1}, .b = {0, 0, 0, 0, 0, 0, 1.0 / j4}, .h = {0, 1.0}};
    for (int i = 0; i < STATES; i++)
        for (int j = 0; j < STATES; j++) s->a[i + STATES * j] = rows[i][j];
    s->c[0 + 2 * 6] = 1.0;
    s->c[1 + 2 * 5] = -k34;
    s->c[1 + 2 * 6] = d34;
    s->c[1 + 2 * 4] = -d34;
    s->plant = (rico_drill_plant){STATES, s->a, s->g, s->b, s->h, s->c, delta};
}


// The weighted plant of a set of weights at a speed in rpm.
static inline rico_state_space *weighted_plant(drill_string *s, double rpm, rico_drill_weights weights)
{
    rico_state_space *plant = NULL;
    drill_string_fill(s, delta_at(rpm));
    assert_ok(ctx, rico_drill_weighted_plant(ctx, &s->plant, &weights, &plant));
    return plant;
}

#endif
