// What one face covers of another in space: the polygon of both in the plane of the slave, and integrals over it.
//
// M. A. Puso, T. A. Laursen, CMAME 193 (2004): both faces are seen along the slave's normal in its middle; the master's polygon is cut by
// the sides of the slave's, and the rest is integrated over triangles. For triangles and parallelograms the shape functions are polynomials
// there, of degree 4 together at most, for which the rule of 6 points is exact; others have one of 12.

#include "mesh/mortar.h"

#include "la/vec3.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Cosine between normals above which two faces do not face each other; what is less than this of a face is no piece of it.
static const double FACING = -0.1, SPECK = 1e-12;

enum { CORNERS = 4, MOST = 2 * CORNERS, POINTS = 12 };

typedef struct polygon {
    int count;
    double at[MOST][2];
} polygon;

// A plane with two axes in it.
typedef struct plane {
    double origin[3], axis[2][3], normal[3];
} plane;

// A face seen in the plane, and its heights over it.
typedef struct seen {
    rico_cell_kind kind;
    int nodes;
    double at[CORNERS][2], height[CORNERS];
    double origin[2], inverse[4]; // of the map from local coordinates, linearized at 0
    bool affine;                  // it is linear
} seen;


// --- in the plane --------------------------------------------------------------------------------------------------

static void plane_of(rico_cell_kind kind, const double *x, plane *out)
{
    double tangent[6], third = kind == RICO_CELL_T3 ? 1.0 / 3.0 : 0.0;
    const double middle[2] = {third, third};
    rico_face_point(kind, x, middle, out->origin, tangent);
    rico_face_normal(kind, x, middle, out->normal);
    rico_vec3_scale(1.0 / rico_vec3_norm(tangent), tangent, out->axis[0]);
    rico_vec3_cross(out->normal, out->axis[0], out->axis[1]);
}


static void see(const plane *from, rico_cell_kind kind, const double *x, seen *out)
{
    const double zero[2] = {0.0, 0.0};
    double N[RICO_FACE_NODES], by[2 * RICO_FACE_NODES], J[4] = {0.0};
    out->kind = kind;
    out->nodes = rico_cells[kind].nodes;
    out->origin[0] = out->origin[1] = 0.0;
    rico_face_shape(kind, zero, N, by);
    for (int k = 0; k < out->nodes; k++) {
        double way[3];
        rico_vec3_subtract(x + 3 * k, from->origin, way);
        out->height[k] = rico_vec3_dot(way, from->normal);
        for (int i = 0; i < 2; i++) {
            out->at[k][i] = rico_vec3_dot(way, from->axis[i]);
            out->origin[i] += N[k] * out->at[k][i];
            J[2 * i] += by[k] * out->at[k][i];
            J[2 * i + 1] += by[out->nodes + k] * out->at[k][i];
        }
    }
    double det = J[0] * J[3] - J[1] * J[2], bend = 0.0;
    const double inverse[4] = {J[3] / det, -J[1] / det, -J[2] / det, J[0] / det};
    memcpy(out->inverse, inverse, sizeof inverse);
    for (int i = 0; out->nodes == CORNERS && i < 2; i++)
        bend = fmax(bend, fabs(out->at[0][i] - out->at[1][i] + out->at[2][i] - out->at[3][i]));
    out->affine = bend * bend <= 64.0 * DBL_EPSILON * DBL_EPSILON * fabs(det);
}


static double cross2(const double o[2], const double a[2], const double b[2])
{
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
}


static double area_of(const polygon *p)
{
    double twice = 0.0;
    for (int k = 1; k + 1 < p->count; k++) twice += cross2(p->at[0], p->at[k], p->at[k + 1]);
    return 0.5 * twice;
}


// What of a polygon is to the left of the way from a to b (I. Sutherland, G. Hodgman 1974).
static void cut(const double a[2], const double b[2], polygon *p)
{
    polygon old = *p;
    p->count = 0;
    for (int k = 0; k < old.count; k++) {
        const double *one = old.at[k], *two = old.at[(k + 1) % old.count];
        double first = cross2(a, b, one), second = cross2(a, b, two);
        if (first >= 0.0 && p->count < MOST) {
            memcpy(p->at[p->count], one, sizeof p->at[0]);
            p->count++;
        }
        if ((first > 0.0 && second < 0.0) || (first < 0.0 && second > 0.0)) {
            double s = first / (first - second);
            if (p->count == MOST) continue;
            for (int i = 0; i < 2; i++) p->at[p->count][i] = one[i] + s * (two[i] - one[i]);
            p->count++;
        }
    }
}


// Local coordinates of a place in the plane; of faces that are no parallelograms by Newton's method.
static bool locate(const seen *face, const double y[2], double xi[2])
{
    double r[2] = {y[0] - face->origin[0], y[1] - face->origin[1]};
    for (int i = 0; i < 2; i++) xi[i] = face->inverse[2 * i] * r[0] + face->inverse[2 * i + 1] * r[1];
    for (int step = 0; !face->affine && step < 30; step++) {
        double N[RICO_FACE_NODES], by[2 * RICO_FACE_NODES], J[4] = {0.0};
        memcpy(r, y, sizeof r);
        rico_face_shape(face->kind, xi, N, by);
        for (int k = 0; k < face->nodes; k++)
            for (int i = 0; i < 2; i++) {
                r[i] -= N[k] * face->at[k][i];
                J[2 * i] += by[k] * face->at[k][i];
                J[2 * i + 1] += by[face->nodes + k] * face->at[k][i];
            }
        double det = J[0] * J[3] - J[1] * J[2];
        double d[2] = {(J[3] * r[0] - J[1] * r[1]) / det, (J[0] * r[1] - J[2] * r[0]) / det};
        double moved = fmax(fabs(d[0]), fabs(d[1]));
        if (!(moved < 1e3)) return false;
        xi[0] += d[0];
        xi[1] += d[1];
        if (moved <= 1e-8) return true; // the error is of the order of its square
    }
    return isfinite(xi[0]) && isfinite(xi[1]);
}


// --- integrals -----------------------------------------------------------------------------------------------------

// Rules of degree 4 with 6 points and of degree 6 with 12 (D. A. Dunavant, IJNME 21, 1985): coordinates of area, weights that add up to 1.
typedef struct rule_point {
    double L[3], weight;
} rule_point;


// Three points, one coordinate of each different from the other two, which are `a`.
static rule_point *twins(double a, double weight, rule_point *to)
{
    for (int k = 0; k < 3; k++, to++) {
        to->weight = weight;
        for (int i = 0; i < 3; i++) to->L[i] = i == k ? 1.0 - 2.0 * a : a;
    }
    return to;
}


// Six points: the coordinates a, b, 1 - a - b in any order.
static void sextet(double a, double b, double weight, rule_point *to)
{
    for (int k = 0; k < 3; k++)
        for (int turn = 0; turn < 2; turn++, to++) {
            to->weight = weight;
            to->L[k] = a;
            to->L[(k + 1 + turn) % 3] = b;
            to->L[(k + 2 - turn) % 3] = 1.0 - a - b;
        }
}


static int make_rule(bool low, rule_point rule[POINTS])
{
    if (low) {
        rule_point *next = twins(0.445948490915964886, 0.223381589678011466, rule);
        twins(0.091576213509770743, 0.109951743655321868, next);
        return 6;
    }
    rule_point *next = twins(0.249286745170910421, 0.116786275726379366, rule);
    next = twins(0.063089014491502228, 0.050844906370206817, next);
    sextet(0.053145049844816947, 0.310352451033784405, 0.082851075618373575, next);
    return POINTS;
}


static bool add_point(const seen *slave, const seen *master, const double y[2], double weight,
                      rico_mortar_piece *piece)
{
    double xi[2], N[RICO_FACE_NODES], L[RICO_FACE_NODES];
    if (!locate(slave, y, xi)) return false;
    rico_face_shape(slave->kind, xi, N, NULL);
    if (!locate(master, y, xi)) return false;
    rico_face_shape(master->kind, xi, L, NULL);
    for (int j = 0; j < slave->nodes; j++) {
        piece->own[j] += weight * N[j];
        for (int k = 0; k < slave->nodes; k++) piece->mass[j * RICO_MORTAR_NODES + k] += weight * N[j] * N[k];
        for (int l = 0; l < master->nodes; l++)
            piece->coupling[j * RICO_MORTAR_NODES + l] += weight * N[j] * L[l];
    }
    return true;
}


static bool integrate(const seen *slave, const seen *master, const polygon *p, rico_mortar_piece *piece)
{
    rule_point rule[POINTS];
    rico_mortar_piece before = *piece;
    int points = make_rule(slave->affine && master->affine, rule);
    memset(piece->coupling, 0, sizeof piece->coupling);
    for (int k = 1; k + 1 < p->count; k++) {
        const double *corner[3] = {p->at[0], p->at[k], p->at[k + 1]};
        double area = 0.5 * cross2(corner[0], corner[1], corner[2]);
        if (!(area > 0.0)) continue;
        for (int g = 0; g < points; g++) {
            double y[2] = {0.0, 0.0};
            for (int c = 0; c < 3; c++)
                for (int i = 0; i < 2; i++) y[i] += rule[g].L[c] * corner[c][i];
            if (add_point(slave, master, y, area * rule[g].weight, piece)) continue;
            *piece = before;
            return false;
        }
    }
    return true;
}


static double height_at(const seen *face, const double y[2])
{
    double xi[2], N[RICO_FACE_NODES], sum = 0.0;
    if (!locate(face, y, xi)) return INFINITY;
    rico_face_shape(face->kind, xi, N, NULL);
    for (int k = 0; k < face->nodes; k++) sum += N[k] * face->height[k];
    return sum;
}


bool rico_mortar_clip_space(rico_cell_kind slave, const double *xs, rico_cell_kind master, const double *xm,
                            double reach, rico_mortar_piece *piece)
{
    plane own;
    seen s, m;
    double other[3], third = master == RICO_CELL_T3 ? 1.0 / 3.0 : 0.0;
    plane_of(slave, xs, &own);
    rico_face_normal(master, xm, (double[2]){third, third}, other);
    if (!(rico_vec3_dot(own.normal, other) < FACING)) return false;
    see(&own, slave, xs, &s);
    see(&own, master, xm, &m);
    // seen from the slave the master runs the other way round
    polygon whole = {.count = s.nodes}, p = {.count = m.nodes};
    memcpy(whole.at, s.at, sizeof s.at);
    for (int k = 0; k < m.nodes; k++) memcpy(p.at[k], m.at[m.nodes - 1 - k], sizeof p.at[k]);
    for (int k = 0; k < s.nodes && p.count > 2; k++) cut(s.at[k], s.at[(k + 1) % s.nodes], &p);
    piece->area = p.count > 2 ? area_of(&p) : 0.0;
    if (!(piece->area > SPECK * area_of(&whole))) return false;
    double middle[2] = {0.0, 0.0};
    for (int k = 0; k < p.count; k++)
        for (int i = 0; i < 2; i++) middle[i] += p.at[k][i] / p.count;
    if (!(fabs(height_at(&m, middle) - height_at(&s, middle)) <= reach)) return false;
    return integrate(&s, &m, &p, piece);
}
