// Faces of a mesh as surfaces in space: shape functions, tangents, normals.

#include "mesh/face.h"

#include "la/vec3.h"

#include <math.h>
#include <string.h>

bool rico_face_is_one(rico_cell_kind kind)
{
    return kind == RICO_CELL_LINE2 || kind == RICO_CELL_LINE3 || kind == RICO_CELL_T3 ||
           kind == RICO_CELL_T6 || kind == RICO_CELL_Q4;
}


// --- shape functions -----------------------------------------------------------------------------------------------

static void line2(double s, double *value, double *by)
{
    value[0] = 0.5 * (1.0 - s);
    value[1] = 0.5 * (1.0 + s);
    by[0] = -0.5;
    by[1] = 0.5;
}


static void line3(double s, double *value, double *by)
{
    value[0] = 0.5 * s * (s - 1.0);
    value[1] = 0.5 * s * (s + 1.0);
    value[2] = 1.0 - s * s;
    by[0] = s - 0.5;
    by[1] = s + 0.5;
    by[2] = -2.0 * s;
}


static void triangle3(const double xi[2], double *value, double *by)
{
    const double constant[6] = {-1.0, 1.0, 0.0, -1.0, 0.0, 1.0};
    value[0] = 1.0 - xi[0] - xi[1];
    value[1] = xi[0];
    value[2] = xi[1];
    memcpy(by, constant, sizeof constant);
}


// In the coordinates of area L: L (2L - 1) for corners, 4 L_i L_j for the middles of the sides 01, 12, 20.
static void triangle6(const double xi[2], double *value, double *by)
{
    const double L[3] = {1.0 - xi[0] - xi[1], xi[0], xi[1]};
    const double dL[2][3] = {{-1.0, 1.0, 0.0}, {-1.0, 0.0, 1.0}};
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3;
        value[k] = L[k] * (2.0 * L[k] - 1.0);
        value[3 + k] = 4.0 * L[k] * L[next];
        for (int d = 0; d < 2; d++) {
            by[6 * d + k] = (4.0 * L[k] - 1.0) * dL[d][k];
            by[6 * d + 3 + k] = 4.0 * (dL[d][k] * L[next] + L[k] * dL[d][next]);
        }
    }
}


static void square4(const double xi[2], double *value, double *by)
{
    static const double CORNER[4][2] = {{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}};
    for (int k = 0; k < 4; k++) {
        double r = 1.0 + CORNER[k][0] * xi[0], s = 1.0 + CORNER[k][1] * xi[1];
        value[k] = 0.25 * r * s;
        by[k] = 0.25 * CORNER[k][0] * s;
        by[4 + k] = 0.25 * CORNER[k][1] * r;
    }
}


void rico_face_shape(rico_cell_kind kind, const double xi[2], double *value, double *derivative)
{
    double own[2 * RICO_FACE_NODES], *by = derivative ? derivative : own;
    switch (kind) {
    case RICO_CELL_LINE2:
        line2(xi[0], value, by);
        break;
    case RICO_CELL_LINE3:
        line3(xi[0], value, by);
        break;
    case RICO_CELL_T3:
        triangle3(xi, value, by);
        break;
    case RICO_CELL_T6:
        triangle6(xi, value, by);
        break;
    default:
        square4(xi, value, by);
        break;
    }
}


// --- places --------------------------------------------------------------------------------------------------------

void rico_face_point(rico_cell_kind kind, const double *x, const double xi[2], double at[3],
                     double tangent[6])
{
    double value[RICO_FACE_NODES] = {0.0}, by[2 * RICO_FACE_NODES] = {0.0};
    int nodes = rico_cells[kind].nodes, directions = rico_cells[kind].dimension;
    rico_face_shape(kind, xi, value, by);
    for (int i = 0; i < 3; i++) at[i] = 0.0;
    for (int k = 0; k < nodes; k++) rico_vec3_add_scaled(value[k], x + 3 * k, at);
    if (!tangent) return;
    for (int i = 0; i < 6; i++) tangent[i] = 0.0;
    for (int d = 0; d < directions; d++)
        for (int k = 0; k < nodes; k++) rico_vec3_add_scaled(by[d * nodes + k], x + 3 * k, tangent + 3 * d);
}


void rico_face_normal(rico_cell_kind kind, const double *x, const double xi[2], double normal[3])
{
    double at[3], tangent[6];
    rico_face_point(kind, x, xi, at, tangent);
    if (rico_cells[kind].dimension == 1)
        rico_vec3_set(tangent[1], -tangent[0], 0.0, normal);
    else
        rico_vec3_cross(tangent, tangent + 3, normal);
    double length = rico_vec3_norm(normal);
    rico_vec3_scale(length > 0.0 ? 1.0 / length : 0.0, normal, normal);
}


double rico_face_size(rico_cell_kind kind, const double *x)
{
    double size = 0.0, way[3];
    for (int i = 0; i < rico_cells[kind].corners; i++)
        for (int j = 0; j < i; j++) {
            rico_vec3_subtract(x + 3 * i, x + 3 * j, way);
            size = fmax(size, rico_vec3_norm(way));
        }
    return size;
}
