// Elastic blocks of Q4 (plane strain) or H8 for the tests of contact, put together by hand: a stand-in for any part whose points are the
// nodes of a mesh.

#ifndef RICO_TESTS_MODEL_BLOCKS_H
#define RICO_TESTS_MODEL_BLOCKS_H

#include "mesh/grids.h"
#include "model/assembly.h"
#include "ricochet/touch.h"

typedef struct elastic_block {
    rico_mesh *mesh;
    int dimension;
    int64_t size; // degrees of freedom
    double *K;    // dense, E = 1
    double nu;
} elastic_block;


// Shape functions of Q4 and H8 by their derivatives in space at a place of [-1, 1]^d; returns the determinant.
static inline double brick_gradients(int d, int corners, const double *x, const double xi[3], double *by)
{
    static const double SIGN[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                      {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
    double local[8][3], J[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int k = 0; k < corners; k++)
        for (int i = 0; i < d; i++) {
            local[k][i] = SIGN[k][i] / (d == 2 ? 4.0 : 8.0);
            for (int j = 0; j < d; j++)
                if (j != i) local[k][i] *= 1.0 + SIGN[k][j] * xi[j];
        }
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) {
            J[3 * i + j] = 0.0;
            for (int k = 0; k < corners; k++) J[3 * i + j] += local[k][j] * x[3 * k + i];
        }
    double C[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int a = (i + 1) % 3, b = (i + 2) % 3, e = (j + 1) % 3, f = (j + 2) % 3;
            C[3 * i + j] = J[3 * a + e] * J[3 * b + f] - J[3 * a + f] * J[3 * b + e];
        }
    double det = J[0] * C[0] + J[1] * C[1] + J[2] * C[2];
    for (int k = 0; k < corners; k++)
        for (int i = 0; i < d; i++) {
            by[3 * k + i] = 0.0;
            for (int j = 0; j < d; j++) by[3 * k + i] += C[3 * i + j] / det * local[k][j];
        }
    return det;
}


// Stress of a displacement gradient: xx, yy, zz, yz, xz, xy; plane strain in the plane.
static inline void brick_stress(int d, double nu, const double grad[9], double s[6])
{
    double lambda = nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), mu = 0.5 / (1.0 + nu);
    double trace = grad[0] + grad[4] + (d == 3 ? grad[8] : 0.0);
    for (int i = 0; i < 3; i++) s[i] = i < d ? lambda * trace + 2.0 * mu * grad[4 * i] : 0.0;
    s[3] = mu * (grad[5] + grad[7]);
    s[4] = mu * (grad[2] + grad[6]);
    s[5] = mu * (grad[1] + grad[3]);
}


static inline elastic_block block_make(rico_mesh *mesh, double nu)
{
    static const int VOIGT[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
    const double gauss = 0.57735026918962576;
    elastic_block own = {.mesh = mesh, .dimension = mesh->dimension, .nu = nu};
    int d = own.dimension, corners = d == 2 ? 4 : 8;
    own.size = d * mesh->nodes;
    own.K = calloc((size_t)(own.size * own.size), sizeof *own.K);
    assert_non_null(own.K);
    for (int64_t c = 0; c < mesh->cells; c++) {
        if (rico_cells[mesh->kind[c]].dimension != d) continue;
        const int64_t *node = mesh->node + mesh->start[c];
        double x[24], by[24];
        for (int k = 0; k < corners; k++) memcpy(x + 3 * k, mesh->position + 3 * node[k], 3 * sizeof *x);
        for (int g = 0; g < corners; g++) {
            const double xi[3] = {g & 1 ? gauss : -gauss, g & 2 ? gauss : -gauss, g & 4 ? gauss : -gauss};
            double det = brick_gradients(d, corners, x, xi, by);
            for (int l = 0; l < corners; l++)
                for (int j = 0; j < d; j++) {
                    double grad[9] = {0.0}, s[6];
                    for (int m = 0; m < d; m++) grad[3 * j + m] = by[3 * l + m];
                    brick_stress(d, nu, grad, s);
                    for (int k = 0; k < corners; k++)
                        for (int i = 0; i < d; i++)
                            for (int m = 0; m < d; m++)
                                own.K[(d * node[k] + i) * own.size + d * node[l] + j] +=
                                    det * by[3 * k + m] * s[VOIGT[i][m]];
                }
        }
    }
    for (int64_t i = 0; i < own.size; i++)
        for (int64_t j = 0; j < i; j++) own.K[j * own.size + i] = own.K[i * own.size + j];
    return own;
}


static inline void block_destroy(elastic_block *own)
{
    grid_destroy(own->mesh);
    free(own->K);
}


// Adds it as a part by matrices, times `stiffness`, every node of mass `mass`, under a constant acceleration.
static inline rico_status block_add(rico_system *system, const char *name, const elastic_block *own,
                                    double mass, double stiffness, const double gravity[3])
{
    int64_t n = own->size, *start = calloc((size_t)(n + 1), sizeof *start), at = 0;
    int64_t *row = calloc((size_t)(n * n), sizeof *row),
            *diagonal = calloc((size_t)(n + 1), sizeof *diagonal);
    double *value = calloc((size_t)(n * n), sizeof *value), *m = calloc((size_t)n, sizeof *m),
           *reference = calloc((size_t)n, sizeof *reference), *force = calloc((size_t)n, sizeof *force);
    assert_true(start && row && diagonal && value && m && reference && force);
    for (int64_t j = 0; j < n; j++) {
        start[j] = at;
        for (int64_t i = 0; i < n; i++)
            if (own->K[i * n + j] != 0.0) row[at] = i, value[at++] = stiffness * own->K[i * n + j];
        diagonal[j] = j;
        m[j] = mass;
        force[j] = gravity ? mass * gravity[j % own->dimension] : 0.0;
        reference[j] = own->mesh->position[3 * (j / own->dimension) + j % own->dimension];
    }
    start[n] = at;
    diagonal[n] = n;
    const rico_matrix_part part = {.size = n,
                                   .M = {n, n, diagonal, diagonal, m},
                                   .K = {n, n, start, row, value},
                                   .force = force,
                                   .dimension = own->dimension,
                                   .reference = reference};
    rico_status status = rico_system_add_matrices(system, name, &part, NULL);
    free(start);
    free(row);
    free(diagonal);
    free(value);
    free(m);
    free(reference);
    free(force);
    return status;
}


// Stress sigma_ij, i = j = axis, in the middle of each solid cell: the range over all of them.
static inline void block_stress(const elastic_block *own, const double *u, int axis, double range[2])
{
    int d = own->dimension, corners = d == 2 ? 4 : 8;
    for (int64_t c = 0; c < own->mesh->cells; c++) {
        if (rico_cells[own->mesh->kind[c]].dimension != d) continue;
        const int64_t *node = own->mesh->node + own->mesh->start[c];
        const double middle[3] = {0.0, 0.0, 0.0};
        double x[24], by[24], grad[9] = {0.0}, s[6];
        for (int k = 0; k < corners; k++) memcpy(x + 3 * k, own->mesh->position + 3 * node[k], 3 * sizeof *x);
        brick_gradients(d, corners, x, middle, by);
        for (int k = 0; k < corners; k++)
            for (int i = 0; i < d; i++)
                for (int m = 0; m < d; m++) grad[3 * i + m] += u[d * node[k] + i] * by[3 * k + m];
        brick_stress(d, own->nu, grad, s);
        range[0] = fmin(range[0], s[axis]);
        range[1] = fmax(range[1], s[axis]);
    }
}

#endif
