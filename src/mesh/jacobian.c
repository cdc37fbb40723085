// The Jacobian of an element, from the derivatives of its shape functions (Zienkiewicz and Taylor, The finite element method, chapter 8).

#include "mesh/jacobian.h"

#include <math.h>
#include <string.h>

// Corners of [-1, 1]^3; those of the square and of the line are the first.
static const double SIGN[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                  {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
static const int TRIANGLE_EDGE[3][2] = {{0, 1}, {1, 2}, {2, 0}};
static const int TET_EDGE[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {2, 3}, {1, 3}};
static const double Q8_MIDDLE[4][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};

typedef double gradient[3];


// L_i, or L_i (2 L_i - 1) and 4 L_i L_j, with the barycentric L_0 = 1 - r - s - t, L_1 = r, ...
static void simplex(int d, bool quadratic, const double xi[3], gradient *g)
{
    const int(*edge)[2] = d == 2 ? TRIANGLE_EDGE : TET_EDGE;
    double L[4] = {1.0}, dL[4][3] = {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < d; i++) {
        L[0] -= xi[i];
        L[i + 1] = xi[i];
    }
    for (int i = 0; i <= d; i++)
        for (int k = 0; k < d; k++) g[i][k] = (quadratic ? 4.0 * L[i] - 1.0 : 1.0) * dL[i][k];
    for (int e = 0; quadratic && e < (d == 2 ? 3 : 6); e++) {
        int a = edge[e][0], b = edge[e][1];
        for (int k = 0; k < d; k++) g[d + 1 + e][k] = 4.0 * (L[a] * dL[b][k] + L[b] * dL[a][k]);
    }
}


static void brick(int d, const double xi[3], gradient *g)
{
    for (int i = 0; i < 1 << d; i++)
        for (int k = 0; k < d; k++) {
            g[i][k] = 0.5 * SIGN[i][k];
            for (int m = 0; m < d; m++)
                if (m != k) g[i][k] *= 0.5 * (1.0 + SIGN[i][m] * xi[m]);
        }
}


// The serendipity square: corners (1 + r r_i)(1 + s s_i)(r r_i + s s_i - 1) / 4, middles (1 - r^2)(1 + s s_i) / 2 and the same turned.
static void serendipity(const double xi[3], gradient *g)
{
    double r = xi[0], s = xi[1];
    for (int i = 0; i < 4; i++) {
        double a = SIGN[i][0], b = SIGN[i][1];
        g[i][0] = 0.25 * a * (1.0 + s * b) * (2.0 * r * a + s * b);
        g[i][1] = 0.25 * b * (1.0 + r * a) * (2.0 * s * b + r * a);
        double p = Q8_MIDDLE[i][0], q = Q8_MIDDLE[i][1];
        g[4 + i][0] = p == 0.0 ? -r * (1.0 + s * q) : 0.5 * p * (1.0 - s * s);
        g[4 + i][1] = p == 0.0 ? 0.5 * q * (1.0 - r * r) : -s * (1.0 + r * p);
    }
}


static void gradients(rico_cell_kind kind, const double xi[3], gradient *g)
{
    switch (kind) {
    case RICO_CELL_LINE2:
        brick(1, xi, g);
        break;
    case RICO_CELL_LINE3:
        g[0][0] = xi[0] - 0.5;
        g[1][0] = xi[0] + 0.5;
        g[2][0] = -2.0 * xi[0];
        break;
    case RICO_CELL_T3:
        simplex(2, false, xi, g);
        break;
    case RICO_CELL_T6:
        simplex(2, true, xi, g);
        break;
    case RICO_CELL_Q4:
        brick(2, xi, g);
        break;
    case RICO_CELL_Q8:
        serendipity(xi, g);
        break;
    case RICO_CELL_TET4:
        simplex(3, false, xi, g);
        break;
    case RICO_CELL_TET10:
        simplex(3, true, xi, g);
        break;
    case RICO_CELL_H8:
        brick(3, xi, g);
        break;
    default:
        break;
    }
}


// Where node i of the kind stands in its reference cell; -1: the middle.
static void local_position(rico_cell_kind kind, int i, double xi[3])
{
    const rico_cell_info *cell = &rico_cells[kind];
    int d = cell->dimension;
    bool is_simplex = cell->corners == d + 1 && d > 1;
    memset(xi, 0, 3 * sizeof *xi);
    if (i < 0) {
        for (int k = 0; is_simplex && k < d; k++) xi[k] = 1.0 / (d + 1);
    } else if (is_simplex) {
        const int(*edge)[2] = d == 2 ? TRIANGLE_EDGE : TET_EDGE;
        for (int end = 0; end < 2; end++) {
            int corner = i <= d ? i : edge[i - d - 1][end];
            if (corner > 0) xi[corner - 1] += 0.5;
        }
    } else if (i < cell->corners) {
        memcpy(xi, SIGN[i], (size_t)d * sizeof *xi);
    } else if (d == 2) {
        memcpy(xi, Q8_MIDDLE[i - 4], 2 * sizeof *xi);
    }
}


static double determinant(int d, double J[3][3])
{
    if (d == 1) return J[0][0];
    double last = J[0][0] * J[1][1] - J[0][1] * J[1][0];
    if (d == 2) return last;
    return J[2][0] * (J[0][1] * J[1][2] - J[0][2] * J[1][1]) -
           J[2][1] * (J[0][0] * J[1][2] - J[0][2] * J[1][0]) + J[2][2] * last;
}


double rico_cell_least_jacobian(rico_cell_kind kind, const double (*x)[3], int *where)
{
    const rico_cell_info *cell = &rico_cells[kind];
    int d = cell->dimension;
    double least = INFINITY;
    int points =
        kind == RICO_CELL_T3 || kind == RICO_CELL_TET4 ? 0 : cell->nodes; // there it is the same everywhere
    for (int p = -1; p < points; p++) {
        double xi[3], J[3][3] = {{0}};
        gradient g[RICO_CELL_NODES] = {{0}};
        local_position(kind, p, xi);
        gradients(kind, xi, g);
        for (int i = 0; i < cell->nodes; i++)
            for (int k = 0; k < d; k++)
                for (int m = 0; m < d; m++) J[k][m] += (x[i][k] - x[0][k]) * g[i][m];
        double value = determinant(d, J);
        if (value < least) {
            least = value;
            *where = p;
        }
    }
    return least;
}
