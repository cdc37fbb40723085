// What a step of a drill-string costs: four discs under SoftTorque beside C written by hand for exactly these four, and strings of up to
// 10^4 discs.
//
// usage: bench_drill [seconds] [rounds]
//
// Prints nanoseconds per step of both at h = 1e-4, the best of the rounds taken in turns, their ratio and how far the two ends are apart; then
// nanoseconds per disc and step. Fails where the ends differ by more than 1e-9.

#include "ricochet/ricochet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const double STEP = 1e-4, RPM = 3.14159265358979323846 / 30.0;


static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}


typedef struct hand {
    double angle[4], speed[4], integral;
} hand;


// Table 1, table 2, SoftTorque at 5.5 rpm: the numbers are in the code, nothing is looked up.
static void by_hand(hand *s, int64_t steps)
{
    const double h = STEP, J1 = 0.064, J2 = 0.708, J3 = 0.708, J4 = 2.845, k12 = 0.630, k23 = 1.799,
                 k34 = 1.097, d23 = 0.0018, d34 = 0.0024, d14 = 0.0005, T_d = 0.272, drop = 1.232 - 0.272,
                 v_d = 30.0 / (0.5 * 3.14159265358979323846), w_ref = 5.5 * RPM, c_t = 2.93, k_t = 1.87;
    double th1 = s->angle[0], th2 = s->angle[1], th3 = s->angle[2], th4 = s->angle[3], w1 = s->speed[0],
           w2 = s->speed[1], w3 = s->speed[2], w4 = s->speed[3], z = s->integral;
    const double u_c = T_d + drop * exp(-v_d * w_ref) + 2.297 + 3.038 + 0.662, ratio = h / J1;
    for (int64_t i = 0; i < steps; i++) {
        double e = w_ref - w4, u = u_c + c_t * e + k_t * z;
        z += h * e;
        double t12 = k12 * (th2 - th1), t23 = k23 * (th3 - th2) + d23 * (w3 - w2),
               t34 = k34 * (th4 - th3) + d34 * (w4 - w3), t14 = d14 * (w4 - w1);
        double a = w1 + ratio * (t12 + t14), size = fabs(a);
        double a2 = w2 + h / J2 * (t23 - t12), a3 = w3 + h / J3 * (t34 - t23),
               a4 = w4 + h / J4 * (u - t34 - t14);
        double g2 = h / J2 * 2.297, g3 = h / J3 * 3.038, g4 = h / J4 * 0.662;
        if (size <= ratio * (T_d + drop)) {
            w1 = 0.0;
        } else {
            double x = size - ratio * T_d;
            for (int n = 0; n < 50; n++) {
                double fall = ratio * drop * exp(-v_d * x),
                       dx = (x + ratio * T_d + fall - size) / (1.0 - v_d * fall);
                x -= dx;
                if (!(dx > 1e-15 * size)) break;
            }
            w1 = a > 0.0 ? x : -x;
        }
        w2 = a2 > g2 ? a2 - g2 : a2 < -g2 ? a2 + g2 : 0.0;
        w3 = a3 > g3 ? a3 - g3 : a3 < -g3 ? a3 + g3 : 0.0;
        w4 = a4 > g4 ? a4 - g4 : a4 < -g4 ? a4 + g4 : 0.0;
        th1 += h * w1, th2 += h * w2, th3 += h * w3, th4 += h * w4;
    }
    *s = (hand){{th1, th2, th3, th4}, {w1, w2, w3, w4}, z};
}


// Both from steady rotation with a bit that is half as fast again: it slips and sticks.
static bool beside_hand(rico_context *ctx, int64_t steps, int rounds)
{
    const rico_drill_schedule schedule = rico_drill_constant(5.5 * RPM);
    double best[2] = {INFINITY, INFINITY}, apart = 0.0;
    rico_state_space *controller = NULL;
    bool fine = rico_drill_soft_torque(ctx, 2.93, 1.87, &controller) == RICO_OK;
    for (int r = 0; fine && r < rounds; r++) {
        rico_drill_run *run = NULL;
        fine = rico_drill_run_create(ctx, rico_drill_table(), controller, &schedule, NULL, STEP, &run) ==
                   RICO_OK &&
               rico_drill_run_steady(run, 1.5) == RICO_OK;
        hand s = {0};
        for (int i = 0; fine && i < 4; i++)
            s.angle[i] = rico_drill_run_angles(run)[i], s.speed[i] = rico_drill_run_speeds(run)[i];
        double t0 = now();
        fine = fine && rico_drill_run_advance(run, steps) == RICO_OK;
        double t1 = now();
        by_hand(&s, steps);
        best[0] = fmin(best[0], t1 - t0), best[1] = fmin(best[1], now() - t1);
        for (int i = 0; fine && i < 4; i++)
            apart = fmax(apart, fabs(s.speed[i] - rico_drill_run_speeds(run)[i]));
        rico_drill_run_destroy(run);
    }
    rico_state_space_destroy(controller);
    if (!fine) return false;
    printf("4 discs, h = 1e-4, %lld steps, best of %d\n", (long long)steps, rounds);
    printf("rico_drill_run %8.1f ns/step\nby hand        %8.1f ns/step\nratio          %8.2f\napart          "
           "%8.1g rad/s\n\n",
           1e9 * best[0] / (double)steps, 1e9 * best[1] / (double)steps, best[0] / best[1], apart);
    return apart <= 1e-9;
}


// A chain as stiff as its steps allow, turning at 5 rad/s with a bit that is struck.
static bool chain(rico_context *ctx, int64_t discs, int64_t steps, int rounds, double *seconds)
{
    double *inertia = calloc((size_t)discs, sizeof *inertia), *wall = calloc((size_t)discs, sizeof *wall);
    rico_drill_link *link = calloc((size_t)discs, sizeof *link);
    bool fine = inertia && wall && link;
    for (int64_t i = 0; fine && i < discs; i++) {
        inertia[i] = i + 1 < discs ? 0.1 : 2.0;
        wall[i] = 1.0 / (double)discs;
        link[i] = (rico_drill_link){i, i + 1, 1e5, 0.1};
    }
    const rico_drill_string string = {discs, discs - 1, inertia, link, wall, {1.2, 0.3, 10.0}};
    const rico_drill_schedule schedule = rico_drill_constant(5.0);
    rico_state_space *controller = NULL;
    *seconds = INFINITY;
    fine = fine && rico_drill_soft_torque(ctx, 2.93, 1.87, &controller) == RICO_OK;
    for (int r = 0; fine && r < rounds; r++) {
        rico_drill_run *run = NULL;
        fine = rico_drill_run_create(ctx, &string, controller, &schedule, NULL, STEP, &run) == RICO_OK &&
               rico_drill_run_steady(run, 1.5) == RICO_OK;
        double t0 = now();
        fine = fine && rico_drill_run_advance(run, steps) == RICO_OK;
        *seconds = fmin(*seconds, now() - t0);
        rico_drill_run_destroy(run);
    }
    rico_state_space_destroy(controller);
    free(inertia), free(wall), free(link);
    return fine;
}


int main(int argc, char **argv)
{
    double seconds = argc > 1 ? atof(argv[1]) : 1000.0;
    int rounds = argc > 2 ? atoi(argv[2]) : 5;
    rico_context *ctx = rico_context_create(NULL);
    if (!ctx || rounds < 1 || !(seconds >= STEP)) return 2;
    bool fine = beside_hand(ctx, (int64_t)(seconds / STEP), rounds);
    printf("%8s %12s %20s\n", "discs", "ns/step", "ns per disc and step");
    for (int64_t discs = 4; fine && discs <= 10000; discs = discs == 4 ? 10 : discs * 10) {
        int64_t steps = (int64_t)(seconds / STEP) * 4 / discs;
        double spent;
        fine = chain(ctx, discs, steps > 100 ? steps : 100, rounds, &spent);
        double each = 1e9 * spent / (double)(steps > 100 ? steps : 100);
        printf("%8lld %12.1f %20.2f\n", (long long)discs, each, each / (double)discs);
    }
    if (!fine)
        fprintf(stderr, "bench_drill: %s\n",
                rico_message(ctx)[0] ? rico_message(ctx) : "the two ends differ");
    rico_context_destroy(ctx);
    return fine ? 0 : 1;
}
