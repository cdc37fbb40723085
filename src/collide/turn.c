// How gap and normal change as two bodies move.
//
// The normal n maximises s(n) = n.(b(n) - a(n)), a and b being the points of support; it is stationary where P (b - a) = 0, P the projection
// across n. Let H_A, H_B be the Hessians of the support functions. A small motion moves a by dx_a + dw_a x r_a, and turns H_A with
// it, so that
//
//     (H_A + H_B + gap I) dn = P (dx_b - dx_a + dw_b x r_b - dw_a x r_a) + H_A (dw_a x n) + H_B (dw_b x n)
//
// across n. On an edge the support function has a kink, along the direction of the edge H is infinite, and the row becomes dn = dw x n
// along it; on a face both rows do.

#include "collide/round.h"

#include <float.h>

// Column of a motion in the right-hand side: what `part` (0 dx_a, 1 dw_a, 2 dx_b, 3 dw_b) along axis k does.
static void column(int part, int k, const rico_nearest *at, const double ra[3], const double rb[3],
                   const rico_bend *a, const rico_bend *b, double rhs[3], double spin[3])
{
    double unit[3] = {k == 0, k == 1, k == 2}, curl[3], bent[3];
    rico_vec3_set(0.0, 0.0, 0.0, spin);
    if (part % 2 == 0) {
        rico_vec3_scale(part == 0 ? -1.0 : 1.0, unit, rhs);
        return;
    }
    rico_vec3_cross(unit, at->normal, spin);
    rico_vec3_cross(unit, part == 1 ? ra : rb, curl);
    rico_mat3_times(part == 1 ? a->H : b->H, spin, bent);
    for (int i = 0; i < 3; i++) rhs[i] = (part == 1 ? -curl[i] : curl[i]) + bent[i];
}


void rico_across(const double n[3], double e[3], double f[3])
{
    int k = fabs(n[0]) < fabs(n[1]) ? (fabs(n[0]) < fabs(n[2]) ? 0 : 2) : (fabs(n[1]) < fabs(n[2]) ? 1 : 2);
    double axis[3] = {k == 0, k == 1, k == 2};
    rico_vec3_cross(n, axis, e);
    rico_vec3_normalise(e);
    rico_vec3_cross(n, e, f);
}


// A row of the 2 x 2 system of dn in the basis (e, f): the direction `row` is either held by one of the bodies or free.
typedef struct balance {
    double row[2], direction[3];
    int holder; // 0: none, stationarity; 1: a, 2: b
} balance;


// The two rows: what is held first, then stationarity across it. False: held twice along one direction.
static bool balances(const rico_nearest *at, const rico_bend *a, const rico_bend *b, const double e[3],
                     const double f[3], balance line[2])
{
    const rico_bend *side[2] = {a, b};
    int count = 0;
    for (int s = 0; s < 2; s++) {
        if (side[s]->held != 1 || count == 2) continue;
        double h[3] = {rico_vec3_dot(side[s]->hard, e), rico_vec3_dot(side[s]->hard, f), 0.0};
        if (!rico_vec3_normalise(h)) return false;
        line[count].row[0] = h[0];
        line[count].row[1] = h[1];
        for (int i = 0; i < 3; i++) line[count].direction[i] = h[0] * e[i] + h[1] * f[i];
        line[count++].holder = s + 1;
    }
    for (int k = 0; count < 2; k++) {
        // across what is held, or both directions
        double c = count == 1 ? -line[0].row[1] : k == 0, d = count == 1 ? line[0].row[0] : k == 1, Hd[3],
               Gd[3];
        for (int i = 0; i < 3; i++) line[count].direction[i] = c * e[i] + d * f[i];
        rico_mat3_times(a->H, line[count].direction, Hd);
        rico_mat3_times(b->H, line[count].direction, Gd);
        line[count].row[0] = rico_vec3_dot(Hd, e) + rico_vec3_dot(Gd, e) + at->gap * c;
        line[count].row[1] = rico_vec3_dot(Hd, f) + rico_vec3_dot(Gd, f) + at->gap * d;
        line[count++].holder = 0;
    }
    return true;
}


static void turn_with(int part, double turn[36], const double n[3])
{
    for (int k = 0; k < 3; k++) {
        double unit[3] = {k == 0, k == 1, k == 2}, spin[3];
        rico_vec3_cross(unit, n, spin);
        for (int i = 0; i < 3; i++) turn[12 * i + 3 * part + k] = spin[i];
    }
}


void rico_nearest_turn(const rico_pose *A, const rico_pose *B, const rico_bend *a, const rico_bend *b,
                       rico_nearest *out)
{
    double ra[3], rb[3], e[3], f[3];
    balance line[2];
    rico_vec3_subtract(out->on_a, A->x, ra);
    rico_vec3_subtract(out->on_b, B->x, rb);
    rico_vec3_copy(out->normal, out->along);
    rico_vec3_cross(ra, out->normal, out->about_a);
    rico_vec3_cross(rb, out->normal, out->about_b);
    memset(out->turn, 0, sizeof out->turn);
    if (a->held == 2 || b->held == 2) {
        out->smooth = out->smooth && a->held + b->held == 2;
        turn_with(a->held == 2 ? 1 : 3, out->turn, out->normal);
        return;
    }

    rico_across(out->normal, e, f);
    bool regular = balances(out, a, b, e, f, line);
    const double *p = line[0].row, *q = line[1].row;
    double determinant = p[0] * q[1] - p[1] * q[0];
    double size = rico_hypot(p[0], p[1]) * rico_hypot(q[0], q[1]);
    if (!regular || !(fabs(determinant) > 1e3 * DBL_EPSILON * size)) {
        out->smooth = false;
        return;
    }
    for (int j = 0; j < 12; j++) {
        double rhs[3], spin[3], value[2];
        column(j / 3, j % 3, out, ra, rb, a, b, rhs, spin);
        for (int i = 0; i < 2; i++) {
            bool holds = line[i].holder && j / 3 == 2 * line[i].holder - 1;
            value[i] = !line[i].holder ? rico_vec3_dot(line[i].direction, rhs)
                       : holds         ? rico_vec3_dot(line[i].direction, spin)
                                       : 0.0;
        }
        double x = (value[0] * q[1] - value[1] * p[1]) / determinant;
        double y = (p[0] * value[1] - q[0] * value[0]) / determinant;
        for (int i = 0; i < 3; i++) out->turn[12 * i + j] = x * e[i] + y * f[i];
    }
}
