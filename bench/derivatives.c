// What the derivative of a step costs beside the step: an arm of n links in the plane whose tip slides on the ground, and a linear chain
// of n masses of which the last presses against a wall.
//
// usage: bench_derivatives [steps [n]]: n for one size alone, of both systems
//
// Prints microseconds for a step and for all its state derivatives (2n columns), the best of several rounds in turns, and the share of a step
// that one column costs. The bar of the project is 0.3.

#include "base/clock.h"
#include "la/blas.h"
#include "ricochet/ricochet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 9, MOST = 128, WARM = 600 }; // WARM: steps until the contact is there

// Links of equal length l and mass m, angles q_i from the vertical, hanging; the masses at their ends. M_ij = m l^2 (n - max(i,j))
// cos(q_i - q_j), V = -m g l sum_i (n - i) cos q_i, and springs at the joints.
typedef struct arm {
    int n;
    double l, m, g, spring, damper, ground;
} arm;


static double share(const arm *self, int i, int j)
{
    return self->m * self->l * self->l * (self->n - (i > j ? i : j));
}


static bool arm_mass(void *user, const double *q, double *M)
{
    const arm *self = user;
    int n = self->n;
    double c[MOST], s[MOST];
    for (int i = 0; i < n; i++) {
        c[i] = cos(q[i]);
        s[i] = sin(q[i]);
    }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) M[i + j * n] = share(self, i, j) * (c[i] * c[j] + s[i] * s[j]);
    return true;
}


// -sum_j M'_ij v_j^2: - m l^2 (n - max) sin(q_i - q_j) v_j^2
static bool arm_inertia(void *user, const double *q, const double *v, double *f)
{
    const arm *self = user;
    int n = self->n;
    double c[MOST], s[MOST];
    for (int i = 0; i < n; i++) {
        c[i] = cos(q[i]);
        s[i] = sin(q[i]);
    }
    for (int i = 0; i < n; i++) {
        f[i] = 0.0;
        for (int j = 0; j < n; j++) f[i] -= share(self, i, j) * (s[i] * c[j] - c[i] * s[j]) * v[j] * v[j];
    }
    return true;
}


static bool arm_force(void *user, double t, const double *q, const double *v, double *f)
{
    (void)t;
    const arm *self = user;
    for (int i = 0; i < self->n; i++)
        f[i] = -self->m * self->g * self->l * (self->n - i) * sin(q[i]) - self->damper * v[i] -
               self->spring * q[i];
    return true;
}


static bool arm_stiffness(void *user, double t, const double *q, const double *v, double *K)
{
    (void)t;
    const arm *self = user;
    int n = self->n;
    double c[MOST], s[MOST];
    for (int i = 0; i < n; i++) {
        c[i] = cos(q[i]);
        s[i] = sin(q[i]);
    }
    memset(K, 0, (size_t)(n * n) * sizeof *K);
    for (int i = 0; i < n; i++) {
        K[i + i * n] = self->m * self->g * self->l * (n - i) * c[i] + self->spring;
        for (int j = 0; j < n; j++) {
            double slope = share(self, i, j) * (c[i] * c[j] + s[i] * s[j]) * v[j] * v[j];
            K[i + i * n] += slope;
            K[i + j * n] -= slope;
        }
    }
    return true;
}


static bool arm_damping(void *user, double t, const double *q, const double *v, double *C)
{
    (void)t;
    const arm *self = user;
    int n = self->n;
    double c[MOST], s[MOST];
    for (int i = 0; i < n; i++) {
        c[i] = cos(q[i]);
        s[i] = sin(q[i]);
    }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            C[i + j * n] =
                2.0 * share(self, i, j) * (s[i] * c[j] - c[i] * s[j]) * v[j] + (i == j ? self->damper : 0.0);
    return true;
}


static bool tip_gap(void *user, double t, const double *q, double *gap)
{
    (void)t;
    const arm *self = user;
    *gap = self->ground;
    for (int i = 0; i < self->n; i++) *gap -= self->l * cos(q[i]);
    return true;
}


static bool tip_frame(void *user, double t, const double *q, double *H)
{
    (void)t;
    const arm *self = user;
    for (int i = 0; i < self->n; i++) {
        H[i] = self->l * sin(q[i]);
        H[i + self->n] = self->l * cos(q[i]);
    }
    return true;
}


static rico_status add_arm(rico_system *system, arm *self)
{
    int64_t dof[MOST];
    for (int i = 0; i < self->n; i++) dof[i] = i;
    rico_callback_part part = {.size = self->n,
                               .mass = arm_mass,
                               .inertia = arm_inertia,
                               .force = arm_force,
                               .stiffness = arm_stiffness,
                               .damping = arm_damping,
                               .user = self};
    rico_contact contact = {.dimension = 2,
                            .restitution = 0.0,
                            .friction = 0.3,
                            .reach = {self->n, dof},
                            .gap = tip_gap,
                            .frame = tip_frame,
                            .user = self};
    rico_status status = rico_system_add_callbacks(system, "arm", &part, NULL);
    return status == RICO_OK ? rico_system_add_contact(system, "ground", &contact, NULL) : status;
}


// n masses in a row on springs, pressed against a wall.
static rico_status add_chain(rico_system *system, int n)
{
    int64_t start[MOST + 1], row[3 * MOST], at = 0, last = n - 1;
    double M[3 * MOST] = {0}, K[3 * MOST], force[MOST], one = -1.0;
    for (int j = 0; j < n; j++) {
        start[j] = at;
        force[j] = 1.0;
        for (int i = j - 1; i <= j + 1; i++) {
            if (i < 0 || i >= n) continue;
            row[at] = i;
            M[at] = i == j ? 1.0 : 0.0;
            K[at++] = i == j ? 2.0 : -1.0;
        }
    }
    start[n] = at;
    rico_matrix_part part = {
        .size = n, .M = {n, n, start, row, M}, .K = {n, n, start, row, K}, .force = force};
    rico_contact contact = {.dimension = 1, .reach = {1, &last}, .gradient = &one, .offset = 0.05};
    rico_status status = rico_system_add_matrices(system, "chain", &part, NULL);
    return status == RICO_OK ? rico_system_add_contact(system, "wall", &contact, NULL) : status;
}


static rico_status measure(rico_context *ctx, int n, bool linear, int64_t steps)
{
    arm own = {.n = n, .l = 1.0 / n, .m = 1.0 / n, .g = 9.81, .spring = 0.5, .damper = 0.05, .ground = 0.93};
    double q[MOST], v[MOST] = {0}, best[2] = {INFINITY, INFINITY};
    rico_system *system = NULL;
    rico_simulation *sim = NULL;
    rico_derivatives *d = NULL;
    for (int i = 0; i < n; i++) q[i] = linear ? 0.0 : 0.8;
    rico_status status = rico_system_create(ctx, &system);
    if (status == RICO_OK) status = linear ? add_chain(system, n) : add_arm(system, &own);
    if (status == RICO_OK) status = rico_simulation_create(system, "moreau-jean", &sim);
    if (status == RICO_OK && linear) status = rico_simulation_set(sim, "activation", "explicit");
    int64_t pressed = 0;
    for (int round = 0; status == RICO_OK && round < 2 * ROUNDS; round++) {
        bool with = round % 2 == 1;
        pressed = 0;
        status = rico_simulation_start(sim, 0.0, q, v);
        for (int64_t k = 0; status == RICO_OK && k < WARM; k++) status = rico_simulation_step(sim, 1e-3);
        if (status == RICO_OK && with) status = rico_derivatives_create(sim, &d);
        double begin = rico_clock();
        for (int64_t k = 0; status == RICO_OK && k < steps; k++) {
            status = rico_simulation_step(sim, 1e-3);
            if (status == RICO_OK && with) status = rico_derivatives_evaluate(d);
            pressed += rico_simulation_impulse(sim)[0] > 0.0;
        }
        double spent = (rico_clock() - begin) / (double)steps * 1e6;
        best[with] = fmin(best[with], spent);
        if (with) rico_derivatives_destroy(d);
    }
    double own_cost = best[1] - best[0];
    if (status == RICO_OK)
        printf("%-6s %4d %10.2f %12.2f %10.3f %8.0f %%\n", linear ? "chain" : "arm", n, best[0], own_cost,
               own_cost / best[0] / (2.0 * n), 100.0 * (double)pressed / (double)steps);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
    return status;
}


int main(int argc, char **argv)
{
    static const int SIZES[] = {2, 7, 36, 100};
    int64_t steps = argc > 1 ? atoll(argv[1]) : 1000;
    int only = argc > 2 ? atoi(argv[2]) : 0;
    rico_context *ctx = rico_context_create(NULL);
    rico_status status = RICO_OK;
    if (only < 0 || only > MOST || steps < 1) return 2;
    rico_blas_serial();
    printf("system    n    step us  all dx'/dx us  of a step per column  steps with contact\n");
    for (int linear = 0; status == RICO_OK && linear < 2; linear++)
        for (int i = 0; status == RICO_OK && i < (only > 0 ? 1 : 4); i++)
            status = measure(ctx, only > 0 ? only : SIZES[i], linear, steps);
    if (status != RICO_OK) fprintf(stderr, "%s\n", rico_message(ctx));
    rico_context_destroy(ctx);
    return status == RICO_OK ? 0 : 1;
}
