// The point of a face that is nearest to a point p: the least of |x(xi) - p| over the whole face.
//
// The least is inside, where both tangents are at right angles to x - p, or on a side, or in a corner. Inside it is found by Newton's
// method on f = |x - p|^2 / 2, whose Hessian x_,i x_,j + (x - p) x_,ij is replaced by its first term where it is not positive definite;
// on a side f is a polynomial of degree 2 (line2) or 4 (line3) of one coordinate, whose least is bracketed. The best of all candidates is
// taken, so that the answer does not depend on where an iteration began. On flat faces every one of them is exact after one step.

#include "mesh/face.h"

#include "la/vec3.h"

#include <float.h>
#include <math.h>

enum { STEPS = 30, BRACKETS = 8 };

// What an answer on a side must be nearer by to count before one inside, as a share of the size of the face squared.
static const double NEARER = 16.0 * DBL_EPSILON;


static double half_square(rico_cell_kind kind, const double *x, const double xi[2], const double p[3])
{
    double at[3];
    rico_face_point(kind, x, xi, at, NULL);
    rico_vec3_subtract(at, p, at);
    return 0.5 * rico_vec3_dot(at, at);
}


// --- lines ---------------------------------------------------------------------------------------------------------

// The derivative of f along a line, and the second.
static double line_slope(rico_cell_kind kind, const double *x, double s, const double p[3], double *bend)
{
    double at[3], tangent[6], second[3] = {0.0, 0.0, 0.0};
    rico_face_point(kind, x, (double[2]){s, 0.0}, at, tangent);
    rico_vec3_subtract(at, p, at);
    if (kind == RICO_CELL_LINE3)
        for (int i = 0; i < 3; i++) second[i] = x[i] + x[3 + i] - 2.0 * x[6 + i];
    *bend = rico_vec3_dot(tangent, tangent) + rico_vec3_dot(at, second);
    return rico_vec3_dot(tangent, at);
}


// The zero of the slope between two places where it is not above and not below 0: Newton's method within the bracket.
static double line_zero(rico_cell_kind kind, const double *x, const double p[3], double low, double high)
{
    double s = 0.5 * (low + high);
    for (int k = 0; k < 2 * STEPS; k++) {
        double bend, slope = line_slope(kind, x, s, p, &bend);
        if (slope == 0.0) return s;
        *(slope < 0.0 ? &low : &high) = s;
        double next = bend > 0.0 ? s - slope / bend : 0.5 * (low + high);
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (fabs(next - s) <= DBL_EPSILON) return next;
        s = next;
    }
    return s;
}


// The nearest on a line: its coordinate; f there.
static double line_nearest(rico_cell_kind kind, const double *x, const double p[3], double *least)
{
    int brackets = kind == RICO_CELL_LINE2 ? 1 : BRACKETS;
    double best = -1.0, bend, before = line_slope(kind, x, -1.0, p, &bend);
    *least = half_square(kind, x, (double[2]){-1.0, 0.0}, p);
    for (int k = 1; k <= brackets; k++) {
        double low = -1.0 + 2.0 * (k - 1) / brackets, high = -1.0 + 2.0 * k / brackets;
        double after = line_slope(kind, x, high, p, &bend);
        double s = before < 0.0 && after > 0.0 ? line_zero(kind, x, p, low, high) : high;
        double f = half_square(kind, x, (double[2]){s, 0.0}, p);
        if (f < *least) *least = f, best = s;
        before = after;
    }
    return best;
}


// --- insides -------------------------------------------------------------------------------------------------------

static bool is_inside(rico_cell_kind kind, const double xi[2])
{
    if (kind == RICO_CELL_Q4) return fabs(xi[0]) <= 1.0 && fabs(xi[1]) <= 1.0;
    return xi[0] >= 0.0 && xi[1] >= 0.0 && xi[0] + xi[1] <= 1.0;
}


// Second derivatives x_,11, x_,12, x_,22 of a face; they are constant for T6, and for Q4 only x_,12 is not zero.
static void second_derivatives(rico_cell_kind kind, const double *x, double second[9])
{
    for (int i = 0; i < 9; i++) second[i] = 0.0;
    for (int i = 0; i < 3; i++) {
        if (kind == RICO_CELL_Q4) second[3 + i] = 0.25 * (x[i] - x[3 + i] + x[6 + i] - x[9 + i]);
        if (kind != RICO_CELL_T6) continue;
        second[i] = 4.0 * (x[i] + x[3 + i] - 2.0 * x[9 + i]);
        second[3 + i] = 4.0 * (x[i] - x[9 + i] + x[12 + i] - x[15 + i]);
        second[6 + i] = 4.0 * (x[i] + x[6 + i] - 2.0 * x[15 + i]);
    }
}


// A step of Newton's method; false: the face has no area there.
static bool newton_step(rico_cell_kind kind, const double *x, const double *second, const double p[3],
                        double xi[2], double *moved)
{
    double at[3], t[6];
    rico_face_point(kind, x, xi, at, t);
    rico_vec3_subtract(at, p, at);
    double g[2] = {rico_vec3_dot(t, at), rico_vec3_dot(t + 3, at)};
    double a = rico_vec3_dot(t, t), b = rico_vec3_dot(t, t + 3), c = rico_vec3_dot(t + 3, t + 3);
    double A = a + rico_vec3_dot(second, at), B = b + rico_vec3_dot(second + 3, at),
           C = c + rico_vec3_dot(second + 6, at);
    // not positive definite, or nearly so: the first term alone leads down too
    if (!(A > 0.0 && A * C - B * B > 0.01 * (a * c - b * b))) A = a, B = b, C = c;
    double det = A * C - B * B;
    if (!(det > 0.0)) return false;
    double d[2] = {-(C * g[0] - B * g[1]) / det, -(A * g[1] - B * g[0]) / det};
    double longest = fmax(fabs(d[0]), fabs(d[1])), cut = longest > 2.0 ? 2.0 / longest : 1.0;
    xi[0] += cut * d[0];
    xi[1] += cut * d[1];
    *moved = longest;
    return fabs(xi[0]) < 8.0 && fabs(xi[1]) < 8.0;
}


// The place inside where the slope is zero, from a start; false: there is none.
static bool inside_nearest(rico_cell_kind kind, const double *x, const double *second, const double p[3],
                           double xi[2])
{
    double moved = INFINITY;
    for (int k = 0; k < STEPS && moved > 4.0 * DBL_EPSILON; k++)
        if (!newton_step(kind, x, second, p, xi, &moved)) return false;
    return moved < 1e-9 && is_inside(kind, xi);
}


// --- faces ---------------------------------------------------------------------------------------------------------

// Local coordinates of a place on side k.
static void side_place(rico_cell_kind kind, int k, double s, double xi[2])
{
    static const double TRIANGLE[3][2] = {{0.0, 0.0}, {1.0, 0.0}, {0.0, 1.0}};
    static const double SQUARE[4][2] = {{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}};
    const double(*corner)[2] = kind == RICO_CELL_Q4 ? SQUARE : TRIANGLE;
    int next = (k + 1) % rico_cells[kind].corners;
    for (int i = 0; i < 2; i++) xi[i] = 0.5 * (1.0 - s) * corner[k][i] + 0.5 * (1.0 + s) * corner[next][i];
}


// The nearest on the sides, if it is nearer than `least`.
static void look_at_sides(rico_cell_kind kind, const double *x, const double p[3], double least, double slack,
                          rico_nearby *out)
{
    const rico_cell_info *info = &rico_cells[kind];
    for (int k = 0; k < info->faces; k++) {
        double side[9], f;
        for (int i = 0; i < rico_cells[info->face].nodes; i++)
            rico_vec3_copy(x + 3 * (int)info->face_node[k][i], side + 3 * i);
        double s = line_nearest(info->face, side, p, &f);
        if (f >= least - slack) continue;
        least = f;
        side_place(kind, k, s, out->xi);
        out->place = fabs(s) < 1.0 ? RICO_FACE_SIDE : RICO_FACE_CORNER;
        out->which = s < 1.0 ? k : (k + 1) % info->corners;
    }
}


// Whether f has one minimum in all of a face: its Hessian is positive definite there, since the second term is below the least eigenvalue of
// the first, taken in the middle.
static bool is_plain(rico_cell_kind kind, const double *x, const double *second, const double p[3],
                     double size)
{
    double at[3], t[6], third = kind == RICO_CELL_Q4 ? 0.0 : 1.0 / 3.0;
    rico_face_point(kind, x, (double[2]){third, third}, at, t);
    rico_vec3_subtract(at, p, at);
    double a = rico_vec3_dot(t, t), b = rico_vec3_dot(t, t + 3), c = rico_vec3_dot(t + 3, t + 3);
    double bend = rico_vec3_norm(second) + 2.0 * rico_vec3_norm(second + 3) + rico_vec3_norm(second + 6);
    return bend * (rico_vec3_norm(at) + size) < 0.2 * (a * c - b * b) / (a + c);
}


static void face_nearest(rico_cell_kind kind, const double *x, const double p[3], rico_nearby *out)
{
    static const double TRIANGLE[5][2] = {
        {1.0 / 3.0, 1.0 / 3.0}, {0.1, 0.1}, {0.8, 0.1}, {0.1, 0.8}, {0.45, 0.45}};
    static const double SQUARE[5][2] = {{0.0, 0.0}, {-0.7, -0.7}, {0.7, -0.7}, {0.7, 0.7}, {-0.7, 0.7}};
    double second[9], size = rico_face_size(kind, x), least = INFINITY;
    second_derivatives(kind, x, second);
    int starts = kind == RICO_CELL_T3 || is_plain(kind, x, second, p, size) ? 1 : 5;
    for (int k = 0; k < starts; k++) {
        const double *start = kind == RICO_CELL_Q4 ? SQUARE[k] : TRIANGLE[k];
        double xi[2] = {start[0], start[1]};
        if (!inside_nearest(kind, x, second, p, xi)) continue;
        double f = half_square(kind, x, xi, p);
        if (f >= least - NEARER * size * size) continue;
        least = f;
        out->xi[0] = xi[0], out->xi[1] = xi[1];
    }
    out->place = RICO_FACE_INSIDE;
    // inside the only minimum there is, no side can be nearer
    if (starts == 1 && least < INFINITY) return;
    look_at_sides(kind, x, p, least, least < INFINITY ? NEARER * size * size : 0.0, out);
}


void rico_face_nearest(rico_cell_kind kind, const double *x, const double p[3], rico_nearby *out)
{
    *out = (rico_nearby){.place = RICO_FACE_INSIDE};
    if (rico_cells[kind].dimension == 1) {
        double least;
        out->xi[0] = line_nearest(kind, x, p, &least);
        if (fabs(out->xi[0]) >= 1.0) out->place = RICO_FACE_CORNER, out->which = out->xi[0] > 0.0;
    } else {
        face_nearest(kind, x, p, out);
    }
    double way[3];
    rico_face_point(kind, x, out->xi, out->at, NULL);
    rico_vec3_subtract(p, out->at, way);
    out->distance = rico_vec3_norm(way);
}
