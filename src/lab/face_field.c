// Fields over a face of a mesh (face_field.h).

#include "lab/face_field.h"

#include "base/context.h"

#include <math.h>

enum { CUTS = 6 }; // of a quadrilateral along each side


static bool add_triangle(rico_face_triangles *t, const rico_face_corner *a, const rico_face_corner *b,
                         const rico_face_corner *c)
{
    if (t->count == t->room) {
        rico_face_corner *more =
            rico_grow(t->ctx, t->corner, 3 * t->room, 3 * (2 * t->room + 64), sizeof *t->corner);
        if (!more) return false;
        t->corner = more;
        t->room = 2 * t->room + 64;
    }
    rico_face_corner *to = t->corner + 3 * t->count++;
    to[0] = *a;
    to[1] = *b;
    to[2] = *c;
    return true;
}


// The corner at (r, s) of the unit square.
static rico_face_corner between(const rico_face_corner *q, double r, double s)
{
    const double weight[4] = {(1.0 - r) * (1.0 - s), r * (1.0 - s), r * s, (1.0 - r) * s};
    rico_face_corner out = {{0.0}};
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < 2; i++) out.at[i] += weight[k] * q[k].at[i];
        for (int i = 0; i < RICO_FACE_FIELDS; i++) out.value[i] += weight[k] * q[k].value[i];
    }
    return out;
}


static bool add_quadrilateral(rico_face_triangles *t, const rico_face_corner *q)
{
    bool added = true;
    for (int i = 0; i < CUTS; i++)
        for (int j = 0; added && j < CUTS; j++) {
            double r = (double)i / CUTS, s = (double)j / CUTS, more = 1.0 / CUTS;
            rico_face_corner p[4] = {between(q, r, s), between(q, r + more, s),
                                     between(q, r + more, s + more), between(q, r, s + more)};
            added = add_triangle(t, &p[0], &p[1], &p[2]) && add_triangle(t, &p[0], &p[2], &p[3]);
        }
    return added;
}


rico_status rico_face_add(rico_face_triangles *t, rico_cell_kind kind, const rico_face_corner *c)
{
    static const int OF_T6[4][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};
    bool added = true;
    if (kind == RICO_CELL_Q4) {
        added = add_quadrilateral(t, c);
    } else if (kind == RICO_CELL_T3) {
        added = add_triangle(t, &c[0], &c[1], &c[2]);
    } else if (kind == RICO_CELL_T6) {
        for (int i = 0; added && i < 4; i++)
            added = add_triangle(t, &c[OF_T6[i][0]], &c[OF_T6[i][1]], &c[OF_T6[i][2]]);
    } else {
        return rico_fail(t->ctx, RICO_UNSUPPORTED, "fields over faces of kind %s are not drawn",
                         rico_cell_kind_name(kind));
    }
    return added ? RICO_OK : RICO_NO_MEMORY;
}


void rico_face_release(rico_face_triangles *t)
{
    rico_free(t->ctx, t->corner);
    t->corner = NULL;
    t->count = t->room = 0;
}


// The smallest box around corners.
static void box_of(int64_t count, const rico_face_corner *corner, double low[2], double high[2])
{
    for (int i = 0; i < 2; i++) {
        low[i] = INFINITY;
        high[i] = -INFINITY;
        for (int64_t k = 0; k < count; k++) {
            low[i] = fmin(low[i], corner[k].at[i]);
            high[i] = fmax(high[i], corner[k].at[i]);
        }
    }
}


// Shares of the three corners at a place; false outside, beyond round-off.
static bool shares(const rico_face_corner *c, double x, double y, double share[3])
{
    double a[2] = {c[1].at[0] - c[0].at[0], c[1].at[1] - c[0].at[1]};
    double b[2] = {c[2].at[0] - c[0].at[0], c[2].at[1] - c[0].at[1]};
    double d[2] = {x - c[0].at[0], y - c[0].at[1]}, area = a[0] * b[1] - a[1] * b[0];
    if (area == 0.0) return false;
    share[1] = (d[0] * b[1] - d[1] * b[0]) / area;
    share[2] = (a[0] * d[1] - a[1] * d[0]) / area;
    share[0] = 1.0 - share[1] - share[2];
    return fmin(share[0], fmin(share[1], share[2])) >= -1e-9;
}


// The places of a triangle's box that are in it.
static void fill(const rico_face_corner *c, int64_t places, const double *across, const double *along,
                 double *const value[RICO_FACE_FIELDS])
{
    double low[2], high[2], share[3];
    box_of(3, c, low, high);
    for (int k = 0; k < 2; k++) { // places on a side must not fall between two triangles
        double slack = 1e-9 * (high[k] - low[k]);
        low[k] -= slack;
        high[k] += slack;
    }
    for (int64_t i = 0; i < places; i++) {
        if (across[i * places] < low[0] || across[i * places] > high[0]) continue;
        for (int64_t j = 0; j < places; j++) {
            if (along[j] < low[1] || along[j] > high[1]) continue;
            if (!shares(c, across[i * places], along[j], share)) continue;
            for (int f = 0; f < RICO_FACE_FIELDS; f++)
                value[f][i * places + j] =
                    share[0] * c[0].value[f] + share[1] * c[1].value[f] + share[2] * c[2].value[f];
        }
    }
}


void rico_face_grid(const rico_face_triangles *t, int64_t places, double *across, double *along,
                    double *const value[RICO_FACE_FIELDS])
{
    double low[2], high[2];
    box_of(3 * t->count, t->corner, low, high);
    for (int64_t i = 0; i < places; i++)
        for (int64_t j = 0; j < places; j++) {
            across[i * places + j] = low[0] + (high[0] - low[0]) * (double)i / (double)(places - 1);
            along[i * places + j] = low[1] + (high[1] - low[1]) * (double)j / (double)(places - 1);
            for (int f = 0; f < RICO_FACE_FIELDS; f++) value[f][i * places + j] = NAN;
        }
    for (int64_t k = 0; k < t->count; k++) fill(t->corner + 3 * k, places, across, along, value);
}


// Where a level crosses the sides of a triangle: two points, or none.
static bool crossing(const rico_face_corner *c, int field, double level, double out[2][2])
{
    int found = 0;
    for (int k = 0; k < 3 && found < 2; k++) {
        const rico_face_corner *p = &c[k], *q = &c[(k + 1) % 3];
        double a = p->value[field] - level, b = q->value[field] - level;
        if ((a < 0.0) == (b < 0.0)) continue;
        for (int i = 0; i < 2; i++) out[found][i] = p->at[i] + a / (a - b) * (q->at[i] - p->at[i]);
        found++;
    }
    return found == 2;
}


int64_t rico_face_lines(const rico_face_triangles *t, int field, int64_t levels, double (*out)[2])
{
    double low = INFINITY, high = -INFINITY, ends[2][2];
    int64_t rows = 0;
    for (int64_t k = 0; k < 3 * t->count; k++) {
        low = fmin(low, t->corner[k].value[field]);
        high = fmax(high, t->corner[k].value[field]);
    }
    for (int64_t l = 1; l <= levels && high > low; l++) {
        double level = low + (high - low) * (double)l / (double)(levels + 1);
        for (int64_t k = 0; k < t->count; k++) {
            if (!crossing(t->corner + 3 * k, field, level, ends)) continue;
            for (int e = 0; out && e < 3; e++)
                for (int i = 0; i < 2; i++) out[rows + e][i] = e < 2 ? ends[e][i] : NAN;
            rows += 3;
        }
    }
    return rows;
}
