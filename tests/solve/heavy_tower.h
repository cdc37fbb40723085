// A tower of cubes on the ground, each three times as heavy as the one below, four contacts at each joint: W for tests.

#ifndef HEAVY_TOWER_H
#define HEAVY_TOWER_H

#include "support.h"

#include "base/random.h"
#include "ricochet/problem.h"

// Rows of the velocity of contact `k` of joint `s` on cube `body`, times the square root of the inverse mass: 3 x 6, row-major. Cubes have
// side 1 and inertia m/6; the normal is up.
static inline void heavy_tower_rows(int s, int k, int body, double rows[18])
{
    double x = k % 2 ? 0.5 : -0.5, y = k / 2 ? 0.5 : -0.5, z = body == s ? -0.5 : 0.5;
    double sign = body == s ? 1.0 : -1.0, mass = pow(3.0, body);
    const double axis[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    for (int i = 0; i < 3; i++) {
        const double *e = axis[i];
        double turn[3] = {y * e[2] - z * e[1], z * e[0] - x * e[2], x * e[1] - y * e[0]};
        for (int j = 0; j < 3; j++) {
            rows[6 * i + j] = sign * e[j] / sqrt(mass);
            rows[6 * i + 3 + j] = sign * turn[j] / sqrt(mass / 6.0);
        }
    }
}


// All cubes fall at speed 1, and contacts are disturbed by a tenth of it at random.
static inline rico_problem *heavy_tower(rico_context *ctx, int cubes, double friction)
{
    int64_t contacts = 4 * cubes, m = 3 * contacts;
    int64_t *start = malloc((size_t)(m + 1) * sizeof *start), *row = malloc((size_t)(m * m) * sizeof *row);
    double *value = malloc((size_t)(m * m) * sizeof *value), *q = malloc((size_t)m * sizeof *q);
    double *dense = calloc((size_t)(m * m), sizeof *dense), a[18], b[18];
    for (int s = 0; s < cubes; s++)
        for (int t = s > 0 ? s - 1 : 0; t < cubes && t <= s + 1; t++)
            for (int body = s - 1; body <= s; body++) {
                if (body < 0 || (body != t && body != t - 1)) continue;
                for (int k = 0; k < 16; k++) {
                    heavy_tower_rows(s, k / 4, body, a);
                    heavy_tower_rows(t, k % 4, body, b);
                    for (int i = 0; i < 3; i++)
                        for (int j = 0; j < 3; j++)
                            for (int l = 0; l < 6; l++)
                                dense[(12 * s + 3 * (k / 4) + i) * m + 12 * t + 3 * (k % 4) + j] +=
                                    a[6 * i + l] * b[6 * j + l];
                }
            }
    int64_t count = 0;
    for (int64_t j = 0; j < m; j++) {
        start[j] = count;
        for (int64_t i = 0; i < m; i++) {
            if (labs((long)(i / 12 - j / 12)) > 1) continue;
            row[count] = i;
            value[count++] = dense[i * m + j];
        }
    }
    start[m] = count;
    rico_random random;
    rico_random_seed(&random, 7);
    for (int64_t i = 0; i < m; i++)
        q[i] = (i < 12 && i % 3 == 0 ? -1.0 : 0.0) + rico_random_range(&random, -0.1, 0.1);
    rico_block *blocks = calloc((size_t)contacts, sizeof *blocks);
    for (int64_t c = 0; c < contacts; c++)
        blocks[c] = (rico_block){.kind = RICO_COULOMB_3D, .size = 3, .friction = friction};
    rico_sparse_view W = {m, m, start, row, value};
    rico_problem *p = NULL;
    assert_ok(ctx, rico_problem_create_reduced(ctx, contacts, blocks, &W, q, &p));
    free(start);
    free(row);
    free(value);
    free(q);
    free(dense);
    free(blocks);
    return p;
}

#endif
