// What a step of a small system costs beside C written by hand for that system: a bouncing ball, a double pendulum at a
// wall, a point with friction in space, a rocking block. Both sides do the same scheme (Moreau-Jean, theta = 1/2) with
// the same forecast of contacts, the same Newton loop and the same ledger, and end in the same state.
//
// usage: bench_small [steps] [rounds]
//
// Prints nanoseconds per step of both, the best of the rounds taken in turns, their ratio, and how far the two ends are
// apart, over the largest number of the state. Fails where that is more than 1e-9.

#include "scene/scene.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double AGREE = 1e-9;

// What a program written by hand keeps.
typedef struct hand {
    double t, late; // time and what its rounding left out
    double q[3], v[3], scale;
    double kinetic, potential;                                             // of the last step
    double external, normal, tangential, residual;                         // likewise
    double total_external, total_normal, total_tangential, total_residual; // of all steps
    double deep;                                                           // largest penetration
    double doubt; // what the tolerance of a contact solver may hide
} hand;


static double larger(double x, double y)
{
    return x > y ? x : y;
}


static void begin_books(hand *s)
{
    s->external = s->normal = s->tangential = 0.0;
}


// The balance of the step, from the energies at its end.
static void close_books(hand *s, double kinetic, double potential, double impulses)
{
    double change = (kinetic - s->kinetic) + (potential - s->potential);
    s->residual = change - (s->external + s->normal + s->tangential);
    s->kinetic = kinetic;
    s->potential = potential;
    s->total_external += s->external;
    s->total_normal += s->normal;
    s->total_tangential += s->tangential;
    s->total_residual += s->residual;
    s->doubt += 1e-10 * s->scale * impulses;
}


// Neumaier's sum of the steps.
static void move_time(hand *s, double h)
{
    double step = h + s->late, sum = s->t + step;
    s->late = fabs(s->t) >= fabs(step) ? (s->t - sum) + step : (step - sum) + s->t;
    s->t = sum;
}


// A gap that closes in the step, up to the round-off of its terms.
static bool closes(const hand *s, double h, double gap, double reach, double speed)
{
    double closed =
        larger(16.0 * DBL_EPSILON * (reach + h * s->scale), 1e-12 * h * s->scale); // as step/activation.c
    return gap <= closed && speed <= 1e-12 * s->scale;
}


// --- a ball on a floor --------------------------------------------------------------------------------------

static const char BALL[] = "parameters: {g: 10, e: 0.9}\n"
                           "parts:\n"
                           "  ball: {coordinates: [z], mass: [1], force: [-g]}\n"
                           "contacts:\n"
                           "  floor: {gap: z, restitution: e}\n"
                           "initial:\n"
                           "  position: {z: 1}\n"
                           "time: {end: 1, step: 1e-4}\n"
                           "scheme: moreau-jean\n";


static void ball_start(hand *s)
{
    s->q[0] = 1.0;
}


static void ball_step(hand *s, double h)
{
    const double g = 10.0, e = 0.9;
    double q = s->q[0], v = s->v[0], after = v + h * -g, p = 0.0;
    bool acts = closes(s, h, q + h * v, fabs(q) + h * fabs(v), v);
    move_time(s, h);
    s->scale = 0.0;
    if (acts) {
        double y = after + e * v;
        s->scale = larger(fabs(after), fabs(y));
        p = y < 0.0 ? -y : 0.0;
        after += p;
    }
    double mean = 0.5 * v + 0.5 * after;
    s->q[0] = q + h * mean;
    s->v[0] = after;
    begin_books(s);
    s->external = h * mean * -g;
    s->normal = mean * p;
    close_books(s, 0.5 * after * after, 0.0, p);
    s->deep = larger(s->deep, -s->q[0]);
}


// --- a double pendulum at a wall ----------------------------------------------------------------------------

static const char PENDULUM[] =
    "parameters: {m1: 1, m2: 1, l1: 1, l2: 1, g: 9.81, wall: 0.5, e: 0.8}\n"
    "parts:\n"
    "  pendulum:\n"
    "    coordinates: [a, b]\n"
    "    kinetic: (m1 + m2)*l1^2*v_a^2/2 + m2*l2^2*v_b^2/2 + m2*l1*l2*v_a*v_b*cos(a - b)\n"
    "    potential: -(m1 + m2)*g*l1*cos(a) - m2*g*l2*cos(b)\n"
    "contacts:\n"
    "  wall: {gap: wall - l1*sin(a) - l2*sin(b), restitution: e}\n"
    "initial:\n"
    "  position: {a: -pi/4, b: -pi/6}\n"
    "time: {end: 1, step: 2e-4}\n"
    "scheme: moreau-jean\n";

// m1 = m2 = l1 = l2 = 1
static const double GRAVITY = 9.81, WALL = 0.5, BOUNCE = 0.8;


static double pendulum_kinetic(const double *q, const double *v)
{
    return v[0] * v[0] + 0.5 * v[1] * v[1] + v[0] * v[1] * cos(q[0] - q[1]);
}


static double pendulum_potential(const double *q)
{
    return -2.0 * GRAVITY * cos(q[0]) - GRAVITY * cos(q[1]);
}


static void pendulum_start(hand *s)
{
    s->q[0] = -M_PI / 4.0;
    s->q[1] = -M_PI / 6.0;
    s->potential = pendulum_potential(s->q);
}


// right = h F - M (v - v_k) and S = M + h/2 C + h^2/4 K in the middle of the step.
static void pendulum_newton(const hand *s, double h, const double v[2], double right[2], double S[4])
{
    double mean[2], q[2], dv[2];
    for (int i = 0; i < 2; i++) {
        mean[i] = 0.5 * s->v[i] + 0.5 * v[i];
        q[i] = s->q[i] + 0.5 * (h * mean[i]);
        dv[i] = v[i] - s->v[i];
    }
    double c = cos(q[0] - q[1]), d = sin(q[0] - q[1]);
    double aa = mean[0] * mean[0], bb = mean[1] * mean[1], k = 0.25 * h * h;
    right[0] = h * (-d * bb - 2.0 * GRAVITY * sin(q[0])) - (2.0 * dv[0] + c * dv[1]);
    right[1] = h * (d * aa - GRAVITY * sin(q[1])) - (c * dv[0] + dv[1]);
    S[0] = 2.0 + k * (c * bb + 2.0 * GRAVITY * cos(q[0]));
    S[1] = c + 0.5 * h * (2.0 * d * mean[1]) - k * c * bb;
    S[2] = c - 0.5 * h * (2.0 * d * mean[0]) - k * c * aa;
    S[3] = 1.0 + k * (c * aa + GRAVITY * cos(q[1]));
}


static void solve_two(const double S[4], const double b[2], double x[2])
{
    double share = S[2] / S[0];
    x[1] = (b[1] - share * b[0]) / (S[3] - share * S[1]);
    x[0] = (b[0] - S[1] * x[1]) / S[0];
}


static void pendulum_step(hand *s, double h)
{
    const double tol = 1e-12;
    double H[2] = {-cos(s->q[0]), -cos(s->q[1])}, before = H[0] * s->v[0] + H[1] * s->v[1];
    double reach =
        fabs(H[0]) * (fabs(s->q[0]) + h * fabs(s->v[0])) + fabs(H[1]) * (fabs(s->q[1]) + h * fabs(s->v[1]));
    bool acts = closes(s, h, WALL - sin(s->q[0] + h * s->v[0]) - sin(s->q[1] + h * s->v[1]), reach, before);
    double v[2] = {s->v[0], s->v[1]}, posed[3] = {0.0}, p = 0.0;
    double least = 16.0 * DBL_EPSILON * larger(fabs(s->q[0]), fabs(s->q[1])) / h;
    for (int n = 0;; n++) {
        double right[2], S[4], next[2], response[2];
        pendulum_newton(s, h, v, right, S);
        solve_two(S, right, next);
        next[0] += v[0];
        next[1] += v[1];
        double speed = H[0] * next[0] + H[1] * next[1], offset = BOUNCE * before;
        double size = larger(larger(fabs(next[0]), fabs(s->v[0])), larger(fabs(next[1]), fabs(s->v[1])));
        bool same = n > 0 && larger(fabs(next[0] - posed[0]), fabs(next[1] - posed[1])) <= tol * size &&
                    fabs(speed + offset - posed[2]) <= tol * larger(fabs(speed), fabs(offset));
        posed[0] = next[0];
        posed[1] = next[1];
        posed[2] = speed + offset;
        p = s->scale = 0.0;
        if (acts) {
            double y = speed + offset;
            solve_two(S, H, response);
            s->scale = larger(fabs(speed), fabs(y));
            p = y < 0.0 ? -y / (H[0] * response[0] + H[1] * response[1]) : 0.0;
            next[0] += p * response[0];
            next[1] += p * response[1];
        }
        double change = larger(fabs(next[0] - v[0]), fabs(next[1] - v[1]));
        size = larger(size, larger(fabs(next[0]), fabs(next[1])));
        v[0] = next[0];
        v[1] = next[1];
        if (n > 0 && (same || change <= larger(tol * size, least))) break;
        if (n > 50) abort();
    }
    double mean[2] = {0.5 * s->v[0] + 0.5 * v[0], 0.5 * s->v[1] + 0.5 * v[1]};
    move_time(s, h);
    for (int i = 0; i < 2; i++) {
        s->q[i] += h * mean[i];
        s->v[i] = v[i];
    }
    begin_books(s);
    s->normal = (H[0] * mean[0] + H[1] * mean[1]) * p;
    close_books(s, pendulum_kinetic(s->q, s->v), pendulum_potential(s->q), p);
    s->deep = larger(s->deep, -(WALL - sin(s->q[0]) - sin(s->q[1])));
}


// --- a point on a rough floor, pulled around and held by springs ---------------------------------------------

static const char POINT[] = "parameters: {m: 0.2, k: 5, g: 9.81, A: 1, w: 3}\n"
                            "parts:\n"
                            "  point:\n"
                            "    kind: matrices\n"
                            "    mass: {diagonal: [m, m, m]}\n"
                            "    stiffness: {diagonal: [k, k, 0]}\n"
                            "    force: [A*cos(w*t), A*sin(2*w*t), -m*g]\n"
                            "contacts:\n"
                            "  floor: {gap: 'point[2]', tangent: ['point[0]', 'point[1]'], friction: 0.3, "
                            "restitution: 0.5}\n"
                            "initial:\n"
                            "  position: {point: [0.3, 0, 0.1]}\n"
                            "  velocity: {point: [0, 1, 0]}\n"
                            "time: {end: 1, step: 1e-4}\n"
                            "scheme: moreau-jean\n";

static const double SPRING = 5.0, MASS = 0.2;


static void point_start(hand *s)
{
    s->q[0] = 0.3;
    s->q[2] = 0.1;
    s->v[1] = 1.0;
    s->kinetic = 0.5 * MASS;
    s->potential = 0.5 * SPRING * 0.3 * 0.3;
}


static void point_load(double t, double load[3])
{
    load[0] = cos(3.0 * t);
    load[1] = sin(2.0 * 3.0 * t);
    load[2] = -MASS * GRAVITY;
}


// The impulse of the floor on the velocity y of the law, with W = diag(1/m, 1/M, 1/M).
static void rough_floor(const double y[3], double M, double p[3])
{
    const double mu = 0.3;
    p[0] = p[1] = p[2] = 0.0;
    if (y[2] >= 0.0) return;
    p[2] = -y[2] * MASS;
    double slip = sqrt(y[0] * y[0] + y[1] * y[1]), limit = mu * p[2];
    double pull = slip * M <= limit ? M : limit / slip;
    p[0] = -pull * y[0];
    p[1] = -pull * y[1];
}


static void point_step(hand *s, double h)
{
    const double e = 0.5, M = MASS + 0.25 * h * h * SPRING, stiff[3] = {SPRING, SPRING, 0.0};
    const double inertia[3] = {M, M, MASS};
    double load[3], end[3], free[3], p[3] = {0.0}, y[3];
    point_load(s->t, load);
    bool acts = closes(s, h, s->q[2] + h * s->v[2], fabs(s->q[2]) + h * fabs(s->v[2]), s->v[2]);
    move_time(s, h);
    point_load(s->t, end);
    for (int i = 0; i < 3; i++) {
        load[i] = 0.5 * load[i] + 0.5 * end[i];
        double q = s->q[i] + 0.5 * (h * s->v[i]);
        free[i] = s->v[i] + h * (load[i] - stiff[i] * q) / inertia[i];
        y[i] = free[i];
    }
    s->scale = 0.0;
    if (acts) {
        y[2] += e * s->v[2];
        rough_floor(y, M, p);
        for (int i = 0; i < 3; i++) {
            s->scale = larger(s->scale, larger(fabs(y[i]), fabs(free[i])));
            free[i] += p[i] / inertia[i];
        }
    }
    begin_books(s);
    double kinetic = 0.0, potential = 0.0;
    for (int i = 0; i < 3; i++) {
        double mean = 0.5 * s->v[i] + 0.5 * free[i];
        s->q[i] += h * mean;
        s->v[i] = free[i];
        s->external += h * mean * load[i];
        *(i == 2 ? &s->normal : &s->tangential) += mean * p[i];
        kinetic += 0.5 * MASS * free[i] * free[i];
        potential += 0.5 * stiff[i] * s->q[i] * s->q[i];
    }
    close_books(s, kinetic, potential, fabs(p[0]) + fabs(p[1]) + p[2]);
    s->deep = larger(s->deep, -s->q[2]);
}


// --- a block that rocks on its corners -----------------------------------------------------------------------

static const char BLOCK[] = "parameters: {l: 1.5, L: 1, m: 1, g: 9.81, e: 0.5}\n"
                            "parts:\n"
                            "  block:\n"
                            "    coordinates: [x, y, theta]\n"
                            "    mass: [m, m, m*(l^2 + L^2)/12]\n"
                            "    force: [0, -m*g, 0]\n"
                            "contacts:\n"
                            "  A: {gap: y - l/2*cos(theta) + L/2*sin(theta), restitution: e}\n"
                            "  B: {gap: y - l/2*cos(theta) - L/2*sin(theta), restitution: e}\n"
                            "initial:\n"
                            "  position: {y: 1, theta: 0.2}\n"
                            "  velocity: {theta: 0.2}\n"
                            "time: {end: 1, step: 1e-4}\n"
                            "scheme: moreau-jean\n";

static const double HALF_HEIGHT = 0.75, HALF_LENGTH = 0.5, TURN = (1.5 * 1.5 + 1.0) / 12.0;


static void block_start(hand *s)
{
    s->q[1] = 1.0;
    s->q[2] = 0.2;
    s->v[2] = 0.2;
    s->kinetic = 0.5 * TURN * 0.2 * 0.2;
}


static double corner(int side, double y, double theta)
{
    return y - HALF_HEIGHT * cos(theta) + side * HALF_LENGTH * sin(theta);
}


// 0 <= p, W p + y >= 0, orthogonal, for one or two corners, case by case.
static void corners(const double W[3], const double y[2], const bool acts[2], double p[2])
{
    p[0] = acts[0] && y[0] < 0.0 ? -y[0] / W[0] : 0.0;
    p[1] = acts[1] && y[1] < 0.0 ? -y[1] / W[2] : 0.0;
    if (!acts[0] || !acts[1]) return;
    if (p[0] > 0.0 && W[1] * p[0] + y[1] >= 0.0) {
        p[1] = 0.0;
    } else if (p[1] > 0.0 && W[1] * p[1] + y[0] >= 0.0) {
        p[0] = 0.0;
    } else if (p[0] > 0.0 || p[1] > 0.0) {
        double determinant = W[0] * W[2] - W[1] * W[1];
        p[0] = (W[1] * y[1] - W[2] * y[0]) / determinant;
        p[1] = (W[1] * y[0] - W[0] * y[1]) / determinant;
    }
}


static void block_step(hand *s, double h)
{
    const double g = 9.81, e = 0.5;
    double c = cos(s->q[2]), d = sin(s->q[2]), speed[2], y[2], p[2] = {0.0};
    double turn[2] = {HALF_HEIGHT * d + HALF_LENGTH * c, HALF_HEIGHT * d - HALF_LENGTH * c};
    double after[3] = {s->v[0], s->v[1] + h * -g, s->v[2]}, scale = 0.0;
    double at[2] = {s->q[1] + h * s->v[1], s->q[2] + h * s->v[2]};
    bool acts[2];
    for (int k = 0; k < 2; k++) {
        speed[k] = s->v[1] + turn[k] * s->v[2];
        double reach =
            fabs(s->q[1]) + h * fabs(s->v[1]) + fabs(turn[k]) * (fabs(s->q[2]) + h * fabs(s->v[2]));
        acts[k] = closes(s, h, corner(k == 0 ? 1 : -1, at[0], at[1]), reach, speed[k]);
    }
    if (acts[0] || acts[1]) {
        const double W[3] = {1.0 + turn[0] * turn[0] / TURN, 1.0 + turn[0] * turn[1] / TURN,
                             1.0 + turn[1] * turn[1] / TURN};
        for (int k = 0; k < 2; k++) {
            double u = after[1] + turn[k] * after[2];
            y[k] = u + e * speed[k];
            if (acts[k]) scale = larger(scale, larger(fabs(u), fabs(y[k])));
        }
        corners(W, y, acts, p);
        after[1] += p[0] + p[1];
        after[2] += (turn[0] * p[0] + turn[1] * p[1]) / TURN;
    }
    s->scale = scale;
    double mean[3], kinetic = 0.0;
    move_time(s, h);
    for (int i = 0; i < 3; i++) {
        mean[i] = 0.5 * s->v[i] + 0.5 * after[i];
        s->q[i] += h * mean[i];
        s->v[i] = after[i];
        kinetic += 0.5 * (i == 2 ? TURN : 1.0) * after[i] * after[i];
    }
    begin_books(s);
    s->external = h * mean[1] * -g;
    for (int k = 0; k < 2; k++) s->normal += (mean[1] + turn[k] * mean[2]) * p[k];
    close_books(s, kinetic, 0.0, p[0] + p[1]);
    for (int k = 0; k < 2; k++) s->deep = larger(s->deep, -corner(k == 0 ? 1 : -1, s->q[1], s->q[2]));
}


// --- side by side -------------------------------------------------------------------------------------------

static const struct contest {
    const char *name, *scene;
    double h;
    void (*start)(hand *s);
    void (*step)(hand *s, double h);
} contests[] = {
    {"bouncing ball", BALL, 1e-4, ball_start, ball_step},
    {"double pendulum at a wall", PENDULUM, 2e-4, pendulum_start, pendulum_step},
    {"3D point with friction", POINT, 1e-4, point_start, point_step},
    {"rocking block", BLOCK, 1e-4, block_start, block_step},
};


// How far the two ends are apart, over the largest number of each kind.
static double apart(const rico_simulation *sim, int64_t n, const hand *s)
{
    const double *q = rico_simulation_position(sim), *v = rico_simulation_velocity(sim);
    const rico_ledger *ledger = rico_simulation_ledger(sim), *total = rico_simulation_ledger_total(sim);
    double worst = 0.0, size = 1e-3;
    for (int64_t i = 0; i < n; i++) {
        worst = fmax(worst, fmax(fabs(q[i] - s->q[i]), fabs(v[i] - s->v[i])));
        size = fmax(size, fmax(fabs(s->q[i]), fabs(s->v[i])));
    }
    const double books[][2] = {{ledger->kinetic, s->kinetic},
                               {ledger->potential, s->potential},
                               {total->external, s->total_external},
                               {total->normal, s->total_normal},
                               {total->tangential, s->total_tangential},
                               {total->residual, s->total_residual}};
    double energy = 1e-3, wrong = 0.0;
    for (size_t i = 0; i < sizeof books / sizeof *books; i++) {
        energy = fmax(energy, fabs(books[i][1]));
        wrong = fmax(wrong, fabs(books[i][0] - books[i][1]));
    }
    return fmax(worst / size, wrong / energy);
}


// Of this process on the processor, whatever else the machine does.
static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}


// One round of each; false when a step of ours failed.
static bool round_of(const struct contest *contest, rico_scene *scene, int steps, double best[2], double *far)
{
    hand s = {0};
    rico_simulation *sim = NULL;
    bool good = rico_scene_simulate(scene, &sim) == RICO_OK;
    double begin = seconds();
    for (int k = 0; good && k < steps; k++) good = rico_simulation_step(sim, contest->h) == RICO_OK;
    best[0] = fmin(best[0], (seconds() - begin) / steps);

    contest->start(&s);
    begin = seconds();
    for (int k = 0; k < steps; k++) contest->step(&s, contest->h);
    best[1] = fmin(best[1], (seconds() - begin) / steps);
    if (good) *far = apart(sim, rico_system_velocities(rico_scene_system(scene)), &s);
    rico_simulation_destroy(sim);
    return good;
}


int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 200000, rounds = argc > 2 ? atoi(argv[2]) : 5, failures = 0;
    rico_context *ctx = rico_context_create(NULL);
    if (!ctx || steps < 1 || rounds < 1) {
        rico_context_destroy(ctx);
        return 2;
    }
    printf("Moreau-Jean with its ledger, %d steps, best of %d rounds\n\n", steps, rounds);
    printf("| system | ns per step | by hand | ratio | apart |\n| --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < sizeof contests / sizeof *contests; i++) {
        const struct contest *contest = &contests[i];
        rico_scene *scene = NULL;
        double best[2] = {INFINITY, INFINITY}, far = NAN;
        bool good = rico_scene_parse(ctx, contest->name, contest->scene, (int64_t)strlen(contest->scene), 0,
                                     NULL, NULL, 0, &scene) == RICO_OK;
        for (int k = 0; good && k < rounds; k++) good = round_of(contest, scene, steps, best, &far);
        if (!good) fprintf(stderr, "%s: %s\n", contest->name, rico_message(ctx));
        printf("| %s | %.0f | %.1f | %.0f | %.1e |\n", contest->name, 1e9 * best[0], 1e9 * best[1],
               best[0] / best[1], far);
        failures += !good || !(far <= AGREE);
        rico_scene_destroy(scene);
    }
    rico_context_destroy(ctx);
    return failures > 0;
}
