// The kinds of elements: shape functions, their slopes, where the nodes are, and rules of quadrature; a table.
//
// Rules: stiffness so that a straight-sided cell is integrated exactly where it can be, and no kind has modes without energy; mass exactly on
// straight-sided cells. On a ring the radius adds a degree, and one point does not do for T3: it leaves a mode without energy.

#include "mesh/element.h"

#include "la/vec3.h"

#include <math.h>
#include <string.h>

static const double LINE_NODE[][3] = {{-1.0}, {1.0}, {0.0}};
static const double TRIANGLE_NODE[][3] = {{0.0}, {1.0}, {0.0, 1.0}, {0.5}, {0.5, 0.5}, {0.0, 0.5}};
static const double SQUARE_NODE[][3] = {{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0},
                                        {0.0, -1.0},  {1.0, 0.0},  {0.0, 1.0}, {-1.0, 0.0}};
static const double TETRAHEDRON_NODE[][3] = {{0.0},           {1.0},          {0.0, 1.0}, {0.0, 0.0, 1.0},
                                             {0.5},           {0.5, 0.5},     {0.0, 0.5}, {0.0, 0.0, 0.5},
                                             {0.0, 0.5, 0.5}, {0.5, 0.0, 0.5}};
static const double CUBE_NODE[][3] = {{-1.0, -1.0, -1.0}, {1.0, -1.0, -1.0}, {1.0, 1.0, -1.0},
                                      {-1.0, 1.0, -1.0},  {-1.0, -1.0, 1.0}, {1.0, -1.0, 1.0},
                                      {1.0, 1.0, 1.0},    {-1.0, 1.0, 1.0}};


// --- a point ---------------------------------------------------------------------------------------------------------

static void point_shape(const double xi[3], double *N)
{
    (void)xi;
    N[0] = 1.0;
}


static void point_slope(const double xi[3], double *dN)
{
    (void)xi;
    dN[0] = dN[1] = dN[2] = 0.0;
}


// --- products of lines -----------------------------------------------------------------------------------------------

// prod_i (1 + node_i xi_i)/2 over the corners
static void corners(int dimension, int count, const double (*node)[3], const double xi[3], double *N)
{
    for (int a = 0; a < count; a++) {
        N[a] = 1.0;
        for (int i = 0; i < dimension; i++) N[a] *= 0.5 * (1.0 + node[a][i] * xi[i]);
    }
}


static void corner_slopes(int dimension, int count, const double (*node)[3], const double xi[3], double *dN)
{
    for (int a = 0; a < count; a++)
        for (int k = 0; k < 3; k++) {
            double product = k < dimension ? 0.5 * node[a][k] : 0.0;
            for (int i = 0; i < dimension; i++)
                if (i != k) product *= 0.5 * (1.0 + node[a][i] * xi[i]);
            dN[3 * a + k] = product;
        }
}


static void line2_shape(const double xi[3], double *N)
{
    corners(1, 2, LINE_NODE, xi, N);
}


static void line2_slope(const double xi[3], double *dN)
{
    corner_slopes(1, 2, LINE_NODE, xi, dN);
}


static void line3_shape(const double xi[3], double *N)
{
    double x = xi[0];
    N[0] = 0.5 * x * (x - 1.0);
    N[1] = 0.5 * x * (x + 1.0);
    N[2] = 1.0 - x * x;
}


static void line3_slope(const double xi[3], double *dN)
{
    memset(dN, 0, 9 * sizeof *dN);
    dN[0] = xi[0] - 0.5;
    dN[3] = xi[0] + 0.5;
    dN[6] = -2.0 * xi[0];
}


static void q4_shape(const double xi[3], double *N)
{
    corners(2, 4, SQUARE_NODE, xi, N);
}


static void q4_slope(const double xi[3], double *dN)
{
    corner_slopes(2, 4, SQUARE_NODE, xi, dN);
}


// Serendipity: corners (1 + a)(1 + b)(a + b - 1)/4 with a = x xa, b = y ya; middles (1 - x^2)(1 + b)/2 and (1 + a)(1 - y^2)/2.
static void q8_shape(const double xi[3], double *N)
{
    double x = xi[0], y = xi[1];
    for (int k = 0; k < 4; k++) {
        double a = x * SQUARE_NODE[k][0], b = y * SQUARE_NODE[k][1];
        N[k] = 0.25 * (1.0 + a) * (1.0 + b) * (a + b - 1.0);
    }
    N[4] = 0.5 * (1.0 - x * x) * (1.0 - y);
    N[5] = 0.5 * (1.0 + x) * (1.0 - y * y);
    N[6] = 0.5 * (1.0 - x * x) * (1.0 + y);
    N[7] = 0.5 * (1.0 - x) * (1.0 - y * y);
}


static void q8_slope(const double xi[3], double *dN)
{
    double x = xi[0], y = xi[1];
    memset(dN, 0, 24 * sizeof *dN);
    for (int k = 0; k < 4; k++) {
        double xa = SQUARE_NODE[k][0], ya = SQUARE_NODE[k][1], a = x * xa, b = y * ya;
        dN[3 * k] = 0.25 * xa * (1.0 + b) * (2.0 * a + b);
        dN[3 * k + 1] = 0.25 * ya * (1.0 + a) * (a + 2.0 * b);
    }
    dN[12] = -x * (1.0 - y), dN[13] = -0.5 * (1.0 - x * x);
    dN[15] = 0.5 * (1.0 - y * y), dN[16] = -y * (1.0 + x);
    dN[18] = -x * (1.0 + y), dN[19] = 0.5 * (1.0 - x * x);
    dN[21] = -0.5 * (1.0 - y * y), dN[22] = -y * (1.0 - x);
}


static void h8_shape(const double xi[3], double *N)
{
    corners(3, 8, CUBE_NODE, xi, N);
}


static void h8_slope(const double xi[3], double *dN)
{
    corner_slopes(3, 8, CUBE_NODE, xi, dN);
}


// --- triangles and tetrahedra ------------------------------------------------------------------------------------------

// L_0 = 1 - sum xi, L_i = xi_(i-1); entry (a, i) of the slopes is dL_a/dxi_i.
static void linear(int dimension, const double xi[3], double *L, double *dL)
{
    L[0] = 1.0;
    memset(dL, 0, (size_t)(3 * (dimension + 1)) * sizeof *dL);
    for (int i = 0; i < dimension; i++) {
        L[0] -= xi[i];
        L[i + 1] = xi[i];
        dL[i] = -1.0;
        dL[3 * (i + 1) + i] = 1.0;
    }
}


// Corners L (2 L - 1), middles 4 La Lb.
static void quadratic(int dimension, int edges, const int (*edge)[2], const double xi[3], double *N,
                      double *dN)
{
    double L[4], dL[12];
    linear(dimension, xi, L, dL);
    for (int a = 0; a <= dimension; a++) {
        if (N) N[a] = L[a] * (2.0 * L[a] - 1.0);
        for (int i = 0; dN && i < 3; i++) dN[3 * a + i] = (4.0 * L[a] - 1.0) * dL[3 * a + i];
    }
    for (int e = 0; e < edges; e++) {
        int a = edge[e][0], b = edge[e][1], at = dimension + 1 + e;
        if (N) N[at] = 4.0 * L[a] * L[b];
        for (int i = 0; dN && i < 3; i++)
            dN[3 * at + i] = 4.0 * (L[a] * dL[3 * b + i] + L[b] * dL[3 * a + i]);
    }
}


static const int TRIANGLE_EDGE[][2] = {{0, 1}, {1, 2}, {2, 0}};
static const int TETRAHEDRON_EDGE[][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {2, 3}, {1, 3}};

static void t3_shape(const double xi[3], double *N)
{
    double slope[9];
    linear(2, xi, N, slope);
}


static void t3_slope(const double xi[3], double *dN)
{
    double L[3];
    linear(2, xi, L, dN);
}


static void t6_shape(const double xi[3], double *N)
{
    quadratic(2, 3, TRIANGLE_EDGE, xi, N, NULL);
}


static void t6_slope(const double xi[3], double *dN)
{
    quadratic(2, 3, TRIANGLE_EDGE, xi, NULL, dN);
}


static void tet4_shape(const double xi[3], double *N)
{
    double slope[12];
    linear(3, xi, N, slope);
}


static void tet4_slope(const double xi[3], double *dN)
{
    double L[4];
    linear(3, xi, L, dN);
}


static void tet10_shape(const double xi[3], double *N)
{
    quadratic(3, 6, TETRAHEDRON_EDGE, xi, N, NULL);
}


static void tet10_slope(const double xi[3], double *dN)
{
    quadratic(3, 6, TETRAHEDRON_EDGE, xi, NULL, dN);
}


// --- the table -------------------------------------------------------------------------------------------------------

const rico_element rico_elements[RICO_CELL_KINDS] = {
    [RICO_CELL_POINT] = {.order = 0,
                         .shape = point_shape,
                         .slope = point_slope,
                         .node = LINE_NODE,
                         .load = &rico_point_rule,
                         .corners = RICO_CELL_POINT},
    [RICO_CELL_LINE2] = {.order = 1,
                         .shape = line2_shape,
                         .slope = line2_slope,
                         .node = LINE_NODE,
                         .stiffness = {&rico_gauss_line[0], &rico_gauss_line[1]},
                         .mass = {&rico_gauss_line[1], &rico_gauss_line[1]},
                         .load = &rico_gauss_line[2],
                         .corners = RICO_CELL_LINE2},
    [RICO_CELL_LINE3] = {.order = 2,
                         .shape = line3_shape,
                         .slope = line3_slope,
                         .node = LINE_NODE,
                         .stiffness = {&rico_gauss_line[1], &rico_gauss_line[2]},
                         .mass = {&rico_gauss_line[2], &rico_gauss_line[3]},
                         .load = &rico_gauss_line[2],
                         .sample = 0.57735026918962576,
                         .corners = RICO_CELL_LINE2},
    [RICO_CELL_T3] = {.order = 1,
                      .shape = t3_shape,
                      .slope = t3_slope,
                      .node = TRIANGLE_NODE,
                      .centre = {1.0 / 3.0, 1.0 / 3.0},
                      .stiffness = {&rico_triangle_1, &rico_triangle_2},
                      .mass = {&rico_triangle_2, &rico_triangle_4},
                      .load = &rico_triangle_4,
                      .corners = RICO_CELL_T3},
    [RICO_CELL_T6] = {.order = 2,
                      .shape = t6_shape,
                      .slope = t6_slope,
                      .node = TRIANGLE_NODE,
                      .centre = {1.0 / 3.0, 1.0 / 3.0},
                      .stiffness = {&rico_triangle_2, &rico_triangle_4},
                      .mass = {&rico_triangle_4, &rico_triangle_5},
                      .load = &rico_triangle_5,
                      .sample = 0.5,
                      .corners = RICO_CELL_T3},
    [RICO_CELL_Q4] = {.order = 1,
                      .shape = q4_shape,
                      .slope = q4_slope,
                      .node = SQUARE_NODE,
                      .stiffness = {&rico_gauss_square[1], &rico_gauss_square[1]},
                      .mass = {&rico_gauss_square[1], &rico_gauss_square[2]},
                      .load = &rico_gauss_square[2],
                      .sample = 0.57735026918962576,
                      .corners = RICO_CELL_Q4,
                      .modes = 2},
    [RICO_CELL_Q8] = {.order = 2,
                      .shape = q8_shape,
                      .slope = q8_slope,
                      .node = SQUARE_NODE,
                      .stiffness = {&rico_gauss_square[2], &rico_gauss_square[2]},
                      .mass = {&rico_gauss_square[2], &rico_gauss_square[3]},
                      .load = &rico_gauss_square[2],
                      .sample = 0.57735026918962576,
                      .corners = RICO_CELL_Q4},
    [RICO_CELL_TET4] = {.order = 1,
                        .shape = tet4_shape,
                        .slope = tet4_slope,
                        .node = TETRAHEDRON_NODE,
                        .centre = {0.25, 0.25, 0.25},
                        .stiffness = {&rico_tetrahedron_1},
                        .mass = {&rico_tetrahedron_2},
                        .load = &rico_tetrahedron_5,
                        .corners = RICO_CELL_TET4},
    [RICO_CELL_TET10] = {.order = 2,
                         .shape = tet10_shape,
                         .slope = tet10_slope,
                         .node = TETRAHEDRON_NODE,
                         .centre = {0.25, 0.25, 0.25},
                         .stiffness = {&rico_tetrahedron_2},
                         .mass = {&rico_tetrahedron_5},
                         .load = &rico_tetrahedron_5,
                         .sample = 0.44721359549995794, // 1/sqrt(5)
                         .corners = RICO_CELL_TET4},
    [RICO_CELL_H8] = {.order = 1,
                      .shape = h8_shape,
                      .slope = h8_slope,
                      .node = CUBE_NODE,
                      .stiffness = {&rico_gauss_cube[1]},
                      .mass = {&rico_gauss_cube[2]},
                      .load = &rico_gauss_cube[2],
                      .sample = 0.57735026918962576,
                      .corners = RICO_CELL_H8,
                      .modes = 3},
};


// --- points of cells -------------------------------------------------------------------------------------------------

// J[3 i + k] = dx_i/dxi_k and x.
static void jacobian(int nodes, const double *X, const double *N, const double *dN, double *J, double x[3])
{
    memset(J, 0, 9 * sizeof *J);
    rico_vec3_set(0.0, 0.0, 0.0, x);
    for (int a = 0; a < nodes; a++)
        for (int i = 0; i < 3; i++) {
            x[i] += N[a] * X[3 * a + i];
            for (int k = 0; k < 3; k++) J[3 * i + k] += X[3 * a + i] * dN[3 * a + k];
        }
}


// A line runs along x, in either sense.
bool rico_element_at(rico_cell_kind kind, const double *X, const double xi[3], rico_element_point *out)
{
    const rico_element *element = &rico_elements[kind];
    int nodes = rico_cells[kind].nodes, dimension = rico_cells[kind].dimension;
    double dN[3 * RICO_CELL_NODES], J[9], inverse[9] = {0.0};
    element->shape(xi, out->N);
    element->slope(xi, dN);
    jacobian(nodes, X, out->N, dN, J, out->x);
    if (dimension < 3) J[8] = 1.0;
    if (dimension < 2) J[4] = 1.0;

    // cofactors: j and the inverse of J at once
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            int r = (k + 1) % 3, s = (k + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
            inverse[3 * i + k] = J[3 * r + c] * J[3 * s + d] - J[3 * r + d] * J[3 * s + c];
        }
    double j = J[0] * inverse[0] + J[1] * inverse[3] + J[2] * inverse[6];
    if (!(dimension == 1 ? j != 0.0 : j > 0.0)) return false;
    for (int a = 0; a < nodes; a++)
        for (int i = 0; i < 3; i++) {
            double sum = 0.0;
            for (int k = 0; k < dimension; k++) sum += dN[3 * a + k] * inverse[3 * k + i];
            out->gradient[3 * a + i] = i < dimension ? sum / j : 0.0;
        }
    out->j = fabs(j);
    return true;
}


void rico_face_at(rico_cell_kind kind, const double *X, const double xi[3], rico_face_point *out)
{
    const rico_element *element = &rico_elements[kind];
    double dN[3 * RICO_CELL_NODES], J[9];
    element->shape(xi, out->N);
    element->slope(xi, dN);
    jacobian(rico_cells[kind].nodes, X, out->N, dN, J, out->x);
    switch (rico_cells[kind].dimension) {
    case 2: {
        double first[3] = {J[0], J[3], J[6]}, second[3] = {J[1], J[4], J[7]};
        rico_vec3_cross(first, second, out->normal);
        return;
    }
    case 1:
        rico_vec3_set(J[3], -J[0], 0.0, out->normal);
        return;
    default:
        rico_vec3_set(1.0, 0.0, 0.0, out->normal);
        return;
    }
}
