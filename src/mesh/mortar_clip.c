// What one edge covers of another in the plane: the segment of both along the slave's line, and integrals over it.

#include "mesh/mortar.h"

#include "la/vec3.h"

#include <math.h>
#include <string.h>

// Cosine between normals above which two faces do not face each other.
static const double FACING = -0.1;

// What is less than this of a face is no piece of it.
static const double SPECK = 1e-12;

enum { POINTS = 3 };
static const double PLACE[POINTS] = {-0.77459666924148338, 0.0, 0.77459666924148338};
static const double WEIGHT[POINTS] = {5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0};


bool rico_mortar_clip(rico_cell_kind slave, const double *xs, rico_cell_kind master, const double *xm,
                      double reach, bool radial, rico_mortar_piece *piece)
{
    double n[3], other[3], along[3], place[2], height[2], way[3];
    const double middle[2] = {0.0, 0.0};
    rico_face_normal(slave, xs, middle, n);
    rico_face_normal(master, xm, middle, other);
    if (!(rico_vec3_dot(n, other) < FACING)) return false;
    rico_vec3_subtract(xs + 3, xs, along);
    double length = rico_vec3_norm(along);
    // the master's ends along the slave's line, as shares of its length, and how far they are in front of it
    for (int k = 0; k < 2; k++) {
        rico_vec3_subtract(xm + 3 * k, xs, way);
        place[k] = rico_vec3_dot(way, along) / (length * length);
        height[k] = rico_vec3_dot(way, n);
    }
    double low = fmax(0.0, fmin(place[0], place[1])), high = fmin(1.0, fmax(place[0], place[1]));
    if (!(high - low > SPECK)) return false;
    double at = (0.5 * (low + high) - place[0]) / (place[1] - place[0]);
    if (fabs(height[0] + at * (height[1] - height[0])) > reach) return false;
    piece->area = (high - low) * length;
    memset(piece->coupling, 0, sizeof piece->coupling);
    for (int g = 0; g < POINTS; g++) {
        double s = 0.5 * (low + high) + 0.5 * (high - low) * PLACE[g];
        double m = (s - place[0]) / (place[1] - place[0]);
        double N[2] = {1.0 - s, s}, L[2] = {1.0 - m, m};
        double w = 0.5 * WEIGHT[g] * piece->area * (radial ? N[0] * xs[0] + N[1] * xs[3] : 1.0);
        for (int j = 0; j < 2; j++) {
            piece->own[j] += w * N[j];
            for (int k = 0; k < 2; k++) {
                piece->mass[j * RICO_MORTAR_NODES + k] += w * N[j] * N[k];
                piece->coupling[j * RICO_MORTAR_NODES + k] += w * N[j] * L[k];
            }
        }
    }
    return true;
}


void rico_mortar_whole(rico_cell_kind kind, const double *x, bool radial, double *own)
{
    const double third = 1.0 / 3.0;
    int nodes = rico_cells[kind].nodes, lines = kind == RICO_CELL_Q4 ? POINTS : 1;
    double at[3], tangent[6], cross[3], N[RICO_FACE_NODES];
    for (int j = 0; j < nodes; j++) own[j] = 0.0;
    for (int a = 0; a < (kind == RICO_CELL_T3 ? 1 : POINTS); a++)
        for (int b = 0; b < lines; b++) {
            double xi[2] = {PLACE[a], lines > 1 ? PLACE[b] : 0.0}, w = WEIGHT[a];
            if (lines > 1) w *= WEIGHT[b];
            if (kind == RICO_CELL_T3) xi[0] = xi[1] = third, w = 0.5;
            rico_face_point(kind, x, xi, at, tangent);
            rico_vec3_cross(tangent, tangent + 3, cross);
            w *= rico_cells[kind].dimension == 1 ? rico_vec3_norm(tangent) : rico_vec3_norm(cross);
            rico_face_shape(kind, xi, N, NULL);
            for (int j = 0; j < nodes; j++) own[j] += w * N[j] * (radial ? at[0] : 1.0);
        }
}
