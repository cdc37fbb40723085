// Small machines without accumulation of impacts, each with its exact motion: what schemes are measured against.

#ifndef RICO_TESTS_STEP_MACHINES_H
#define RICO_TESTS_STEP_MACHINES_H

#include "belt.h"
#include "systems.h"

typedef struct machine {
    const char *name;
    int64_t n;
    double q[3], v[3];
    double t_end;
    double first; // no event before that
    bool impacts;
    double order_most; // through the events, where one hides the errors of those before it
    rico_system *(*build)(rico_context *ctx);
    void (*exact)(double t, double *q, double *v); // from t = 0, whatever lies between
} machine;

// Zero of f between a (positive) and b (negative).
static inline double bisect(double (*f)(double t, const double *data), const double *data, double a, double b)
{
    for (int k = 0; k < 200; k++) {
        double middle = 0.5 * (a + b);
        if (f(middle, data) > 0.0)
            a = middle;
        else
            b = middle;
    }
    return 0.5 * (a + b);
}


// --- a ball under f = -2, e = 1, from height 1: blows at 1, 3, 5, ... with speed 2

static inline rico_system *elastic_ball_build(rico_context *ctx)
{
    return bouncing_ball(ctx, -2.0, 1.0);
}


static inline void elastic_ball_exact(double t, double *q, double *v)
{
    double s = t < 1.0 ? t + 1.0 : fmod(t - 1.0, 2.0);
    *q = 2.0 * s - s * s;
    *v = 2.0 - 2.0 * s;
}


// --- x'' = -x from the middle at speed 1, elastic stop at x = 1/2: x = sin of a phase that each blow throws forward

static inline rico_system *stopped_oscillator_build(rico_context *ctx)
{
    const int64_t column[] = {0, 1}, dof[] = {0};
    const double one = 1.0, minus = -1.0;
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part part = {.size = 1, .M = {1, 1, column, dof, &one}, .K = {1, 1, column, dof, &one}};
    assert_ok(ctx, rico_system_add_matrices(system, "mass", &part, NULL));
    rico_contact stop = {
        .dimension = 1, .restitution = 1.0, .reach = {1, dof}, .gradient = &minus, .offset = 0.5};
    assert_ok(ctx, rico_system_add_contact(system, "stop", &stop, NULL));
    return system;
}


static inline void stopped_oscillator_exact(double t, double *q, double *v)
{
    double skip = M_PI - 2.0 * asin(0.5), phase = t;
    for (double next = asin(0.5); next <= t; next += 2.0 * M_PI - skip) phase += skip;
    *q = sin(phase);
    *v = cos(phase);
}


// --- two masses 1 and 2 on springs 1 and 8 of their own, the first starting towards the second, e = 0.6

static inline rico_system *two_masses_build(rico_context *ctx)
{
    const int64_t column[] = {0, 1, 2}, dof[] = {0, 1};
    const double mass[] = {1.0, 2.0}, spring[] = {1.0, 8.0}, gradient[] = {-1.0, 1.0};
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part part = {.size = 2, .M = {2, 2, column, dof, mass}, .K = {2, 2, column, dof, spring}};
    assert_ok(ctx, rico_system_add_matrices(system, "masses", &part, NULL));
    rico_contact contact = {
        .dimension = 1, .restitution = 0.6, .reach = {2, dof}, .gradient = gradient, .offset = 0.5};
    assert_ok(ctx, rico_system_add_contact(system, "buffer", &contact, NULL));
    return system;
}


static inline void two_masses_fly(const double *from, double s, double *q, double *v)
{
    static const double OMEGA[] = {1.0, 2.0};
    for (int i = 0; i < 2; i++) {
        q[i] = from[i] * cos(OMEGA[i] * s) + from[2 + i] / OMEGA[i] * sin(OMEGA[i] * s);
        v[i] = -from[i] * OMEGA[i] * sin(OMEGA[i] * s) + from[2 + i] * cos(OMEGA[i] * s);
    }
}


static inline double two_masses_gap(double s, const double *from)
{
    double q[2], v[2];
    two_masses_fly(from, s, q, v);
    return q[1] - q[0] + 0.5;
}


static inline void two_masses_exact(double t, double *q, double *v)
{
    double from[4] = {0.0, 0.0, 1.5, 0.0}, since = 0.0;
    for (;;) {
        double s = 1e-3, step = 1e-3;
        while (since + s < t && two_masses_gap(s, from) > 0.0) s += step;
        if (since + s >= t && two_masses_gap(t - since, from) > 0.0) break;
        s = bisect(two_masses_gap, from, s - step, s);
        two_masses_fly(from, s, q, v);
        double p = (1.0 + 0.6) * (v[0] - v[1]) / (1.0 + 0.5);
        from[0] = q[0];
        from[1] = q[1];
        from[2] = v[0] - p;
        from[3] = v[1] + 0.5 * p;
        since += s;
    }
    two_masses_fly(from, t - since, q, v);
}


// --- a block on a belt of speed 1/2, spring 1, friction 0.8, weight 1: q = (height, along), from 2.8 at rest

static inline rico_system *stick_slip_build(rico_context *ctx)
{
    static double speed = 0.5;
    return block_on_belt(ctx, &speed, 0.8);
}


// Slides back about 0.8, passes the belt's speed at t1 with the spring still stronger than friction, slides forward
// about -0.8 until t2, rides to t3, slides again about 0.8.
static inline void stick_slip_exact(double t, double *q, double *v)
{
    const double mu = 0.8, w = 0.5;
    double t1 = M_PI + asin(w / 2.0), x1 = mu + 2.0 * cos(t1);
    double t2 = t1 + 2.0 * atan2(-(x1 + mu), w);
    double x2 = -mu + (x1 + mu) * cos(t2 - t1) + w * sin(t2 - t1), t3 = t2 + (mu - x2) / w;
    q[0] = v[0] = 0.0;
    if (t <= t1) {
        q[1] = mu + 2.0 * cos(t);
        v[1] = -2.0 * sin(t);
    } else if (t <= t2) {
        q[1] = -mu + (x1 + mu) * cos(t - t1) + w * sin(t - t1);
        v[1] = -(x1 + mu) * sin(t - t1) + w * cos(t - t1);
    } else if (t <= t3) {
        q[1] = x2 + w * (t - t2);
        v[1] = w;
    } else {
        q[1] = mu + w * sin(t - t3);
        v[1] = w * cos(t - t3);
    }
}


// --- the impacting stick: free fall, one blow with friction 0.3 that keeps sliding, flight

static inline rico_system *stick_build(rico_context *ctx)
{
    return impacting_stick(ctx, 0.5, 0.3);
}


static inline void stick_fly(const double *from, double s, double *q, double *v)
{
    for (int i = 0; i < 3; i++) {
        q[i] = from[i] + from[3 + i] * s - (i == 1 ? 5.0 * s * s : 0.0);
        v[i] = from[3 + i] - (i == 1 ? 10.0 * s : 0.0);
    }
}


static inline double stick_height(double s, const double *from)
{
    double q[3], v[3];
    stick_fly(from, s, q, v);
    return q[1] - 0.5 * cos(q[2]);
}


static inline void stick_exact(double t, double *q, double *v)
{
    const double start[6] = {0.0, 0.5 * M_SQRT1_2 + 0.1, 0.25 * M_PI, -2.0, 0.1, 0.1};
    double s = bisect(stick_height, start, 0.0, 0.5);
    if (t <= s) {
        stick_fly(start, t, q, v);
        return;
    }
    stick_fly(start, s, q, v);
    double normal[3] = {0.0, 1.0, 0.5 * sin(q[2])}, tangent[3] = {1.0, 0.0, 0.5 * cos(q[2])}, push[3];
    const double inverse[3] = {1.0, 1.0, 12.0};
    double u = 0.0, along = 0.0, w = 0.0;
    for (int i = 0; i < 3; i++) {
        u += normal[i] * v[i];
        along += tangent[i] * v[i];
    }
    // sliding backwards before and after, checked below: friction pushes forwards
    for (int i = 0; i < 3; i++) push[i] = inverse[i] * (normal[i] + 0.3 * tangent[i]);
    for (int i = 0; i < 3; i++) w += normal[i] * push[i];
    double p = -1.5 * u / w, after = along, from[6];
    for (int i = 0; i < 3; i++) {
        from[i] = q[i];
        from[3 + i] = v[i] + p * push[i];
        after += tangent[i] * p * push[i];
    }
    assert_true(along < 0.0 && after < 0.0);
    stick_fly(from, t - s, q, v);
}


// --- x'' = 2 sin t - 1 above a table, plastic: rests, lifts off at pi/6, lands, rests, lifts off again

static inline bool shaken_load(void *user, double t, double *f)
{
    (void)user;
    *f = 2.0 * sin(t) - 1.0;
    return true;
}


static inline rico_system *shaken_build(rico_context *ctx)
{
    const int64_t column[] = {0, 1}, dof[] = {0};
    const double one = 1.0;
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part part = {.size = 1, .M = {1, 1, column, dof, &one}, .load = shaken_load};
    assert_ok(ctx, rico_system_add_matrices(system, "mass", &part, NULL));
    rico_contact contact = {.dimension = 1, .reach = {1, dof}, .gradient = &one};
    assert_ok(ctx, rico_system_add_contact(system, "table", &contact, NULL));
    return system;
}


static inline double shaken_height(double t, const double *data)
{
    double t0 = data[0], s = t - t0;
    return 2.0 * (sin(t0) - sin(t) + cos(t0) * s) - 0.5 * s * s;
}


static inline void shaken_exact(double t, double *q, double *v)
{
    double t0 = M_PI / 6.0, landing = bisect(shaken_height, &t0, 2.0, 6.0);
    *q = *v = 0.0;
    if (t > landing) t0 += 2.0 * M_PI;
    if (t <= t0) return;
    *q = shaken_height(t, &t0);
    *v = 2.0 * (cos(t0) - cos(t)) - (t - t0);
}


// --- a pendulum by its angle, wall at x = 0.3, e = 0.8: integrated here by the classical method of order 4

static inline bool pendulum_mass(void *user, const double *q, double *M)
{
    (void)user, (void)q;
    *M = 1.0;
    return true;
}


static inline bool pendulum_potential(void *user, const double *q, double *V)
{
    (void)user;
    *V = -cos(q[0]);
    return true;
}


static inline bool pendulum_gradient(void *user, const double *q, double *g)
{
    (void)user;
    *g = sin(q[0]);
    return true;
}


static inline bool wall_gap(void *user, double t, const double *q, double *gap)
{
    (void)user, (void)t;
    *gap = 0.3 - sin(q[0]);
    return true;
}


static inline bool wall_frame(void *user, double t, const double *q, double *H)
{
    (void)user, (void)t;
    *H = -cos(q[0]);
    return true;
}


static inline rico_system *pendulum_build(rico_context *ctx)
{
    const int64_t dof[] = {0};
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_callback_part part = {.size = 1,
                               .constant_mass = true,
                               .mass = pendulum_mass,
                               .potential = pendulum_potential,
                               .gradient = pendulum_gradient};
    assert_ok(ctx, rico_system_add_callbacks(system, "pendulum", &part, NULL));
    rico_contact contact = {
        .dimension = 1, .restitution = 0.8, .reach = {1, dof}, .gap = wall_gap, .frame = wall_frame};
    assert_ok(ctx, rico_system_add_contact(system, "wall", &contact, NULL));
    return system;
}


static inline void pendulum_step(double h, double *q, double *v)
{
    double k1 = *v, l1 = -sin(*q), k2 = *v + 0.5 * h * l1, l2 = -sin(*q + 0.5 * h * k1);
    double k3 = *v + 0.5 * h * l2, l3 = -sin(*q + 0.5 * h * k2), k4 = *v + h * l3, l4 = -sin(*q + h * k3);
    *q += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    *v += h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
}


static inline double pendulum_room(double h, const double *data)
{
    double q = data[0], v = data[1];
    pendulum_step(h, &q, &v);
    return 0.3 - sin(q);
}


static inline void pendulum_exact(double t, double *q, double *v)
{
    double now = 0.0, h;
    *q = -1.0;
    *v = 0.0;
    while (now < t) {
        h = fmin(1e-3, t - now);
        double from[2] = {*q, *v};
        pendulum_step(h, q, v);
        if (sin(*q) > 0.3 && *v > 0.0) {
            h = bisect(pendulum_room, from, 0.0, h);
            *q = from[0];
            *v = from[1];
            pendulum_step(h, q, v);
            *v *= -0.8;
        }
        now += h;
    }
}


static const machine MACHINES[] = {
    {"elastic ball", 1, {1.0}, {0.0}, 6.5, 0.99, true, 1.5, elastic_ball_build, elastic_ball_exact},
    {"oscillator with a stop",
     1,
     {0.0},
     {1.0},
     12.0,
     0.5,
     true,
     1.5,
     stopped_oscillator_build,
     stopped_oscillator_exact},
    {"two masses", 2, {0.0, 0.0}, {1.5, 0.0}, 8.0, 0.33, true, 1.5, two_masses_build, two_masses_exact},
    {"block on a belt", 2, {0.0, 2.8}, {0.0, 0.0}, 10.0, 3.3, false, 1.5, stick_slip_build, stick_slip_exact},
    {"impacting stick",
     3,
     {0.0, 0.5 * M_SQRT1_2 + 0.1, 0.25 * M_PI},
     {-2.0, 0.1, 0.1},
     0.36,
     0.15,
     true,
     1.5,
     stick_build,
     stick_exact},
    {"shaken mass", 1, {0.0}, {0.0}, 8.0, 0.5, true, 3.0, shaken_build, shaken_exact},
    {"pendulum", 1, {-1.0}, {0.0}, 9.0, 1.9, true, 1.5, pendulum_build, pendulum_exact},
};
enum { MACHINE_COUNT = sizeof MACHINES / sizeof *MACHINES };

#endif
