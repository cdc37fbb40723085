// The equations of one block for Newton's method: newton_map.h.

#include "solve/newton_map.h"

#include <math.h>
#include <string.h>

// What the tangential rows of the modified equations are made of.
typedef struct slide {
    double t[2], length;         // r_T - rho u_T
    double radius;               // of the disk
    double radius_du, radius_dr; // its derivatives by u_N and r_N
} slide;


static slide predict(rico_newton_jacobian kind, double mu, rico_rho rho, const double u[3], const double r[3])
{
    double base = kind == RICO_JACOBIAN_MODIFIED ? r[0] - rho.normal * u[0] : r[0];
    slide s = {.t = {r[1] - rho.tangent * u[1], r[2] - rho.tangent * u[2]}};
    s.length = hypot(s.t[0], s.t[1]);
    if (!(base > 0.0)) return s;
    s.radius = mu * base;
    if (kind != RICO_JACOBIAN_FROZEN) s.radius_dr = mu;
    if (kind == RICO_JACOBIAN_MODIFIED) s.radius_du = -mu * rho.normal;
    return s;
}


// M = e (1 - F) and beta of a sliding contact: e = R/|t|, F = r_T t' / (max(R, |r_T|) |t|), where the element itself has R
// alone below; beta = 1/(1 - alpha delta) < 1 where friction would turn round. At the solution |r_T| = R, alpha = 1.
static double modified_slide(const slide *s, const double r_T[2], double M[4])
{
    double friction = hypot(r_T[0], r_T[1]), e = s->radius / s->length;
    double below = fmax(s->radius, friction) * s->length;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) M[2 * i + j] = e * ((i == j) - r_T[i] * s->t[j] / below);
    if (friction == 0.0) return 1.0;
    double alpha = (r_T[0] * s->t[0] + r_T[1] * s->t[1]) / (friction * s->length);
    double delta = fmin(friction / s->radius, 1.0);
    return alpha < 0.0 ? 1.0 / (1.0 - alpha * delta) : 1.0;
}


// Rows over max(R, |t|), which turns F_hsw into r_T - P_D(t) and leaves its zeros and their order of size alone:
//
//     slide   (1 - beta M) dr_T + rho M du_T - t/|t| dR = -(r_T - R t/|t|)
//     stick   rho du_T + rho u_T / R dR                = -rho u_T                open   dr_T = -r_T
static void modified_rows(rico_newton_jacobian kind, double mu, rico_rho rho, const double u[3],
                          const double r[3], double G[3], double du[9], double dr[9])
{
    slide s = predict(kind, mu, rho, u, r);
    bool slides = s.length > s.radius && s.radius > 0.0, sticks = s.length <= s.radius && s.radius > 0.0;
    for (int i = 0; i < 2; i++)
        G[1 + i] = sticks   ? rho.tangent * u[1 + i]
                   : slides ? r[1 + i] - s.radius * s.t[i] / s.length
                            : r[1 + i];
    if (!du) return;
    memset(du + 3, 0, 6 * sizeof *du);
    memset(dr + 3, 0, 6 * sizeof *dr);
    double M[4], beta = slides ? modified_slide(&s, r + 1, M) : 0.0;
    for (int i = 0; i < 2; i++) {
        double *du_row = du + 3 * (1 + i), *dr_row = dr + 3 * (1 + i);
        double along = slides ? -s.t[i] / s.length : sticks ? rho.tangent * u[1 + i] / s.radius : 0.0;
        du_row[0] = along * s.radius_du;
        dr_row[0] = along * s.radius_dr;
        for (int j = 0; slides && j < 2; j++) {
            du_row[1 + j] = rho.tangent * M[2 * i + j];
            dr_row[1 + j] = (i == j) - beta * M[2 * i + j];
        }
        if (sticks) du_row[1 + i] = rho.tangent;
        if (!slides && !sticks) dr_row[1 + i] = 1.0;
    }
}


// The map of one contact. Two maps have no rho of their own; they get their velocities scaled beforehand, which leaves
// the law as it is.
static void contact_map(const rico_newton_map *map, double mu, rico_rho rho, const double u[3],
                        const double r[3], double G[3], double du[9], double dr[9])
{
    if (map->kind != RICO_MAP_FISCHER_BURMEISTER && map->kind != RICO_MAP_XUEWEN_SOH_WANJI) {
        rico_map_evaluate(map->kind, mu, rho.normal, rho.tangent, u, r, G, du, dr);
        if (map->jacobian != RICO_JACOBIAN_ELEMENT) modified_rows(map->jacobian, mu, rho, u, r, G, du, dr);
        return;
    }
    double scaled[3] = {rho.normal * u[0], rho.normal * u[1], rho.normal * u[2]};
    rico_map_evaluate(map->kind, mu, 1.0, 1.0, scaled, r, G, du, dr);
    for (int i = 0; du && i < 9; i++) du[i] *= rho.normal;
}


void rico_newton_map_block(const rico_problem *p, const rico_newton_map *map, int64_t a, rico_rho rho,
                           const double *u, const double *r, double *G, double *du, double *dr)
{
    int64_t size = p->offset[a + 1] - p->offset[a];
    double mu = p->friction[a];
    if (rico_problem_is_joint(p, a)) {
        for (int64_t i = 0; i < size; i++) G[i] = rho.normal * u[i];
        if (du) du[0] = rho.normal;
    } else if (size == 1) {
        bool pressed = r[0] - rho.normal * u[0] > 0.0;
        G[0] = pressed ? rho.normal * u[0] : r[0];
        if (!du) return;
        du[0] = pressed ? rho.normal : 0.0;
        dr[0] = pressed ? 0.0 : 1.0;
    } else if (size == 2) {
        // the second tangent is zero throughout, and so are its row and column
        double u3[3] = {u[0], u[1], 0.0}, r3[3] = {r[0], r[1], 0.0}, G3[3], du3[9], dr3[9];
        contact_map(map, mu, rho, u3, r3, G3, du ? du3 : NULL, du ? dr3 : NULL);
        for (int i = 0; i < 2; i++) {
            G[i] = G3[i];
            for (int j = 0; du && j < 2; j++) {
                du[2 * i + j] = du3[3 * i + j];
                dr[2 * i + j] = dr3[3 * i + j];
            }
        }
    } else {
        contact_map(map, mu, rho, u, r, G, du, dr);
    }
}


rico_contact_state rico_newton_map_state(const rico_problem *p, int64_t a, rico_rho rho, const double *u,
                                         const double *r)
{
    int64_t size = p->offset[a + 1] - p->offset[a];
    double pressed = r[0] - rho.normal * u[0], square = 0.0;
    if (rico_problem_is_joint(p, a)) return RICO_STICKING;
    if (!(pressed > 0.0)) return RICO_OPEN;
    for (int64_t i = 1; i < size; i++) {
        double t = r[i] - rho.tangent * u[i];
        square += t * t;
    }
    return sqrt(square) <= p->friction[a] * pressed ? RICO_STICKING : RICO_SLIDING;
}
