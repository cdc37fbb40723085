// Lengths, areas and volumes of a mesh by the theorem of Gauss over the faces of its cells, apart from the library's own Jacobians.

#ifndef RICO_TESTS_MESH_MEASURE_H
#define RICO_TESTS_MESH_MEASURE_H

#include "mesh/mesh.h"
#include "support.h"

// Flux of x through a face, over the dimension of space, and the size of the face.
typedef struct face_measure {
    double flux, size;
} face_measure;


// Quadratic or linear edge: x dy - y dx is of degree 3 along it, where Simpson's rule is exact. Its length only if straight.
static inline face_measure measure_edge(int nodes, const double x[][3])
{
    face_measure m = {0.0, hypot(x[1][0] - x[0][0], x[1][1] - x[0][1])};
    double mid[2];
    for (int k = 0; k < 2; k++) mid[k] = nodes == 3 ? x[2][k] : 0.5 * (x[0][k] + x[1][k]);
    for (int p = 0; p < 3; p++) {
        double t = p - 1.0, w = p == 1 ? 4.0 / 3.0 : 1.0 / 3.0, at[2], d[2];
        for (int k = 0; k < 2; k++) {
            at[k] = p == 1 ? mid[k] : x[p / 2][k];
            d[k] = x[0][k] * (t - 0.5) + x[1][k] * (t + 0.5) - 2.0 * t * mid[k];
        }
        m.flux += 0.5 * w * (at[0] * d[1] - at[1] * d[0]);
    }
    return m;
}


static inline void add_point(face_measure *m, double w, const double at[3], const double a[3],
                             const double b[3])
{
    double n[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    m->flux += w * (at[0] * n[0] + at[1] * n[1] + at[2] * n[2]) / 3.0;
    m->size += w * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}


// Bilinear face, Gauss 2 x 2: exact for the flux.
static inline face_measure measure_quad(const double x[][3])
{
    face_measure m = {0};
    static const double S[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (int p = 0; p < 4; p++) {
        double r = S[p][0] / sqrt(3.0), s = S[p][1] / sqrt(3.0), at[3] = {0}, a[3] = {0}, b[3] = {0};
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 3; k++) {
                at[k] += 0.25 * (1 + r * S[i][0]) * (1 + s * S[i][1]) * x[i][k];
                a[k] += 0.25 * S[i][0] * (1 + s * S[i][1]) * x[i][k];
                b[k] += 0.25 * S[i][1] * (1 + r * S[i][0]) * x[i][k];
            }
        add_point(&m, 1.0, at, a, b);
    }
    return m;
}


// Triangle of three or six nodes by the rule of six points and degree 4 (Dunavant 1985): exact for the flux.
static inline face_measure measure_triangle(int nodes, const double x[][3])
{
    static const double P[2] = {0.445948490915964886, 0.091576213509770743};
    static const double W[2] = {0.223381589678011466, 0.109951743655321868};
    face_measure m = {0};
    for (int p = 0; p < 6; p++) {
        double L[3], at[3] = {0}, a[3] = {0}, b[3] = {0};
        for (int i = 0; i < 3; i++) L[i] = i == p % 3 ? 1.0 - 2.0 * P[p / 3] : P[p / 3];
        for (int i = 0; i < nodes; i++) {
            int u = i % 3, v = (i + 1) % 3;
            double dL[3][2] = {{-1, -1}, {1, 0}, {0, 1}}, N, d[2];
            N = nodes == 3 ? L[i] : i < 3 ? L[i] * (2 * L[i] - 1) : 4 * L[u] * L[v];
            for (int k = 0; k < 2; k++)
                d[k] = nodes == 3 ? dL[i][k]
                       : i < 3    ? (4 * L[i] - 1) * dL[i][k]
                                  : 4 * (L[u] * dL[v][k] + L[v] * dL[u][k]);
            for (int k = 0; k < 3; k++) {
                at[k] += N * x[i][k];
                a[k] += d[0] * x[i][k];
                b[k] += d[1] * x[i][k];
            }
        }
        add_point(&m, 0.5 * W[p / 3], at, a, b);
    }
    return m;
}


static inline face_measure measure_face(rico_mesh_view v, rico_cell_kind kind, const int64_t *node)
{
    double x[RICO_CELL_NODES][3] = {{0}};
    int count = rico_cells[kind].nodes;
    for (int i = 0; i < count; i++) memcpy(x[i], v.position + 3 * node[i], sizeof x[i]);
    const double(*c)[3] = (const double(*)[3])x;
    switch (rico_cells[kind].dimension) {
    case 0:
        return (face_measure){0.0, 1.0};
    case 1:
        return measure_edge(count, c);
    default:
        return rico_cells[kind].corners == 4 ? measure_quad(c) : measure_triangle(count, c);
    }
}


// Length, area or volume of one element, from its own faces.
static inline double measure_element(rico_mesh_view v, int64_t cell)
{
    const rico_cell_info *info = &rico_cells[v.kind[cell]];
    const int64_t *node = v.node + v.start[cell];
    if (info->dimension == 1) return v.position[3 * node[1]] - v.position[3 * node[0]];
    double volume = 0.0;
    for (int f = 0; f < info->faces; f++) {
        int64_t of[RICO_CELL_NODES];
        for (int i = 0; i < rico_cells[info->face].nodes; i++) of[i] = node[info->face_node[f][i]];
        volume += measure_face(v, info->face, of).flux;
    }
    return volume;
}


static inline double measure_mesh(const rico_mesh *mesh, double *least)
{
    rico_mesh_view v = rico_mesh_look(mesh);
    double volume = 0.0;
    *least = INFINITY;
    for (int64_t c = 0; c < v.cells; c++) {
        if (rico_cells[v.kind[c]].dimension != v.dimension) continue;
        double piece = measure_element(v, c);
        *least = fmin(*least, piece);
        volume += piece;
    }
    return volume;
}


// Size and flux of the faces in a group.
static inline face_measure measure_group(const rico_mesh *mesh, const char *name)
{
    rico_mesh_view v = rico_mesh_look(mesh);
    int64_t index = rico_mesh_group_find(mesh, name);
    if (index < 0) fail_msg("no group '%s'", name);
    rico_mesh_group group = rico_mesh_group_at(mesh, index);
    face_measure sum = {0};
    for (int64_t i = 0; i < group.count; i++) {
        int64_t c = group.cell[i];
        face_measure m = measure_face(v, v.kind[c], v.node + v.start[c]);
        sum.flux += m.flux;
        sum.size += m.size;
    }
    return sum;
}


static inline int64_t count_elements(const rico_mesh *mesh)
{
    rico_mesh_view v = rico_mesh_look(mesh);
    int64_t count = 0;
    for (int64_t c = 0; c < v.cells; c++) count += rico_cells[v.kind[c]].dimension == v.dimension;
    return count;
}

#endif
