// The maps made of products: Xuewen-Soh-Wanji and Hueber-Stadler-Wohlmuth.
//
// Both are quadratic in (u, r) where the others are linear, so near u = r = 0 they measure a violation by its
// square. Both had zeros outside Coulomb's law as printed; docs/theory/cone.md shows them and proves the mended
// statements.

#include "cone/maps.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// The direction of t, or minus that of `other` when t is zero, or the first axis when both are.
static void direction(const double t[2], const double other[2], double unit[2])
{
    double length = hypot(t[0], t[1]);
    if (length > 0.0) {
        unit[0] = t[0] / length;
        unit[1] = t[1] / length;
        return;
    }
    double other_length = hypot(other[0], other[1]);
    unit[0] = other_length > 0.0 ? -other[0] / other_length : 1.0;
    unit[1] = other_length > 0.0 ? -other[1] / other_length : 0.0;
}


// F = ( min(u_N, r_N),  min(|u_T|, mu r_N - |r_T|),  |u_T x r_T| + (u_T . r_T)+ ).
//
// Eq. 65 prints (u_T1 r_T1)+ in the last row, which lets slip and friction point the same way as soon as both lie
// along the second tangent; the scalar product forbids it in every frame.
//
// Kinks: u_T = 0 is approached along -r_T and r_T = 0 along -u_T, as in sliding; the cross product from above, the
// scalar product from below; ties of the minima go to the velocity (u_N, |u_T|). u_N stands in the first row only
// and r_N shifts the second minimum alone, so one path meets all these choices; at mu = 0 it cannot shift it, but
// there the second minimum is -|r_T| on both sides of the tie.
void rico_map_xuewen_soh_wanji(double mu, double rho_n, double rho_t, const double u[3], const double r[3],
                               double F[3], double du[9], double dr[9])
{
    (void)rho_n;
    (void)rho_t;
    double speed = hypot(u[1], u[2]);
    double slack = mu * r[0] - hypot(r[1], r[2]);
    double cross = u[1] * r[2] - u[2] * r[1];
    double dot = u[1] * r[1] + u[2] * r[2];
    bool sticks = mu > 0.0 && speed <= slack;

    // a NaN shows in F instead of choosing a branch
    if (u[0] <= r[0])
        F[0] = u[0];
    else
        F[0] = r[0] < u[0] ? r[0] : u[0] + r[0];
    F[1] = sticks ? speed : slack;
    F[2] = fabs(cross) + (dot > 0.0 ? dot : 0.0);
    if (!du) return;

    memset(du, 0, 9 * sizeof *du);
    memset(dr, 0, 9 * sizeof *dr);
    if (u[0] <= r[0])
        du[0] = 1.0;
    else
        dr[0] = 1.0;

    double unit[2];
    if (sticks) {
        direction(u + 1, r + 1, unit);
        du[4] = unit[0];
        du[5] = unit[1];
    } else {
        direction(r + 1, u + 1, unit);
        dr[3] = mu;
        dr[4] = -unit[0];
        dr[5] = -unit[1];
    }

    double sign = cross < 0.0 ? -1.0 : 1.0;
    double aligned = dot > 0.0 ? 1.0 : 0.0;
    du[7] = sign * r[2] + aligned * r[1];
    du[8] = -sign * r[1] + aligned * r[2];
    dr[7] = -sign * u[2] + aligned * u[1];
    dr[8] = sign * u[1] + aligned * u[2];
}


// F_N = r_N - (r_N - rho_n u_N)+ and, with t = r_T - rho_t u_T and R = mu (r_N - rho_n u_N)+,
// F_T = max(R, |t|, |r_T|) r_T - R t.
//
// Eq. 66 has max(mu (r_N - rho_n u_N), |t|): where R = 0, at an open contact or at mu = 0, r_T = rho_t u_T /= 0
// is then a zero outside the law. With |r_T| among the candidates F_T = 0 means r_T = P_D(t), D of radius R, in
// all cases, and nothing changes where |r_T| <= max(R, |t|), which holds on the whole law.
//
// Kinks: r_N - rho_n u_N = 0 from below; ties of the maximum go to R, then |t|. r_T, t and R (while it is
// positive) can be moved independently of each other, so these are limits of Jacobians.
void rico_map_hueber_stadler_wohlmuth(double mu, double rho_n, double rho_t, const double u[3],
                                      const double r[3], double F[3], double du[9], double dr[9])
{
    double pressed = r[0] - rho_n * u[0];
    double radius = pressed <= 0.0 ? 0.0 : mu * pressed;
    double t[2] = {r[1] - rho_t * u[1], r[2] - rho_t * u[2]};
    double length = hypot(t[0], t[1]);
    double friction = hypot(r[1], r[2]);
    double largest = fmax(radius, fmax(length, friction));

    // a NaN shows in F instead of choosing a branch
    if (pressed > 0.0)
        F[0] = rho_n * u[0];
    else
        F[0] = pressed <= 0.0 ? r[0] : pressed;
    for (int i = 0; i < 2; i++) F[1 + i] = largest * r[1 + i] - radius * t[i];
    if (!du) return;

    memset(du, 0, 9 * sizeof *du);
    memset(dr, 0, 9 * sizeof *dr);
    if (pressed > 0.0)
        du[0] = rho_n;
    else
        dr[0] = 1.0;

    // derivatives of the maximum and of the radius; when all candidates are zero the first branch is taken and
    // everything it enters is multiplied by zero
    double max_du[3] = {0.0}, max_dr[3] = {0.0};
    double radius_du = pressed > 0.0 ? -mu * rho_n : 0.0;
    double radius_dr = pressed > 0.0 ? mu : 0.0;
    if (radius == largest) {
        max_du[0] = radius_du;
        max_dr[0] = radius_dr;
    } else if (length == largest) {
        for (int j = 0; j < 2; j++) {
            max_du[1 + j] = -rho_t * (t[j] / length);
            max_dr[1 + j] = t[j] / length;
        }
    } else {
        for (int j = 0; j < 2; j++) max_dr[1 + j] = r[1 + j] / friction;
    }

    for (int i = 0; i < 2; i++) {
        double *du_row = du + 3 * (1 + i), *dr_row = dr + 3 * (1 + i);
        for (int j = 0; j < 3; j++) {
            du_row[j] = max_du[j] * r[1 + i];
            dr_row[j] = max_dr[j] * r[1 + i];
        }
        du_row[0] -= radius_du * t[i];
        dr_row[0] -= radius_dr * t[i];
        du_row[1 + i] += radius * rho_t;
        dr_row[1 + i] += largest - radius;
    }
}
