// A mesh of bars in the plane, pinned to each other at the nodes of a grid, hanging from one corner. Every node with more
// than two bars has redundant ways of saying that they meet there.

#ifndef RICO_TESTS_STEP_BAR_MESH_H
#define RICO_TESTS_STEP_BAR_MESH_H

#include "ricochet/ricochet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BAR_LENGTH = 1 };

typedef struct bar_pin {
    int64_t bar[2];   // -1: the ground
    double end[2];    // -1 or 1: which end of each
    double ground[2]; // where, if the second is the ground
} bar_pin;

typedef struct bar_mesh {
    int64_t bars, pins;
    double *q; // x, y, angle of each
    bar_pin *pin;
} bar_mesh;


static inline bool pin_value(void *user, double t, const double *q, double *g)
{
    (void)t;
    const bar_pin *p = user;
    g[0] = -p->ground[0];
    g[1] = -p->ground[1];
    for (int k = 0; k < 2; k++) {
        if (p->bar[k] < 0) continue;
        const double *bar = q + 3 * p->bar[k];
        double sign = k == 0 ? 1.0 : -1.0, arm = 0.5 * BAR_LENGTH * p->end[k];
        g[0] += sign * (bar[0] + arm * cos(bar[2]));
        g[1] += sign * (bar[1] + arm * sin(bar[2]));
    }
    return true;
}


// Columns of the two rows one after the other, over (x, y, angle) of the first bar and of the second.
static inline bool pin_frame(void *user, double t, const double *q, double *H)
{
    (void)t;
    const bar_pin *p = user;
    int64_t count = p->bar[1] < 0 ? 3 : 6;
    memset(H, 0, (size_t)(2 * count) * sizeof *H);
    for (int k = 0; k < 2; k++) {
        if (p->bar[k] < 0) continue;
        double sign = k == 0 ? 1.0 : -1.0, arm = 0.5 * BAR_LENGTH * p->end[k], angle = q[3 * p->bar[k] + 2];
        H[3 * k] = sign;
        H[3 * k + 2] = -sign * arm * sin(angle);
        H[count + 3 * k + 1] = sign;
        H[count + 3 * k + 2] = sign * arm * cos(angle);
    }
    return true;
}


// Bars along the edges of a grid of `side` x `side` nodes.
static inline bool bar_mesh_create(int64_t side, bool full, bar_mesh *m)
{
    int64_t nodes = side * side, room = 6 * nodes + 2, *ends = malloc((size_t)(4 * nodes) * sizeof *ends);
    int *count = calloc((size_t)nodes, sizeof *count);
    *m = (bar_mesh){0};
    m->q = malloc((size_t)(6 * nodes) * sizeof *m->q);
    m->pin = calloc((size_t)room, sizeof *m->pin);
    if (!ends || !count || !m->q || !m->pin) return false;
    for (int64_t node = 0; node < nodes; node++)
        for (int way = 0; way < 2; way++) {
            int64_t i = node / side, j = node % side;
            if ((way == 0 ? j : i) + 1 >= side) continue;
            int64_t other = way == 0 ? node + 1 : node + side, bar = m->bars++;
            m->q[3 * bar] = BAR_LENGTH * ((double)j + (way == 0 ? 0.5 : 0.0));
            m->q[3 * bar + 1] = -BAR_LENGTH * ((double)i + (way == 0 ? 0.0 : 0.5));
            m->q[3 * bar + 2] = way == 0 ? 0.0 : -0.5 * M_PI;
            ends[4 * node + count[node]++] = 2 * bar;
            ends[4 * other + count[other]++] = 2 * bar + 1;
        }
    for (int64_t node = 0; node < nodes; node++)
        for (int a = 0; a < count[node]; a++)
            for (int b = a + 1; b < count[node] && (full || a == 0); b++) {
                int64_t one = ends[4 * node + a], two = ends[4 * node + b];
                m->pin[m->pins++] =
                    (bar_pin){{one / 2, two / 2}, {one % 2 ? 1.0 : -1.0, two % 2 ? 1.0 : -1.0}, {0}};
            }
    m->pin[m->pins++] = (bar_pin){{ends[0] / 2, -1}, {ends[0] % 2 ? 1.0 : -1.0, 0.0}, {0.0, 0.0}};
    free(ends);
    free(count);
    return true;
}


static inline rico_status bar_mesh_system(rico_context *ctx, bar_mesh *m, rico_system **system)
{
    int64_t n = 3 * m->bars, *start = malloc((size_t)(n + 1) * sizeof *start),
            *row = malloc((size_t)(n + 1) * sizeof *row);
    double *mass = malloc((size_t)(n + 1) * sizeof *mass), *force = calloc((size_t)(n + 1), sizeof *force);
    for (int64_t i = 0; i < n; i++) {
        start[i + 1] = i + 1;
        row[i] = i;
        mass[i] = i % 3 == 2 ? BAR_LENGTH * BAR_LENGTH / 12.0 : 1.0;
        if (i % 3 == 1) force[i] = -9.81;
    }
    start[0] = 0;
    rico_matrix_part part = {.size = n, .M = {n, n, start, row, mass}, .force = force};
    rico_status status = rico_system_create(ctx, system);
    if (status == RICO_OK) status = rico_system_add_matrices(*system, "bars", &part, NULL);
    for (int64_t k = 0; status == RICO_OK && k < m->pins; k++) {
        int64_t dof[6];
        for (int i = 0; i < 6; i++) dof[i] = 3 * m->pin[k].bar[i / 3] + i % 3;
        char name[32];
        snprintf(name, sizeof name, "pin%lld", (long long)k);
        rico_joint joint = {.size = 2,
                            .reach = {m->pin[k].bar[1] < 0 ? 3 : 6, dof},
                            .value = pin_value,
                            .frame = pin_frame,
                            .user = &m->pin[k]};
        status = rico_system_add_joint(*system, name, &joint, NULL);
    }
    free(start);
    free(row);
    free(mass);
    free(force);
    return status;
}


static inline void bar_mesh_destroy(bar_mesh *m)
{
    free(m->q);
    free(m->pin);
}

#endif
