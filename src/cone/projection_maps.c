// The maps made of projections: natural, Alart-Curnier, Jean-Moreau.
//
// Each is r - P(r - rho u) with some projection P. Where P is the identity the difference is rho u, and is taken
// so: r - (r - rho u) would leave the round-off of r in a residual that measures u.

#include "cone/maps.h"

#include "ricochet/cone.h"

#include <math.h>
#include <string.h>

// F = r - P_K(r - rho hat(u)), rho = rho_n. By the chain rule dF/dr = I - P', dF/du = rho P' hat'(u). At a point
// where both P and hat have a kink the product is still a generalized Jacobian of F, because (u, r) ->
// (u, r - rho hat(u)) is invertible: the two kinks can be approached independently.
void rico_map_natural(double mu, double rho_n, double rho_t, const double u[3], const double r[3],
                      double F[3], double du[9], double dr[9])
{
    (void)rho_t;
    double hat[3], z[3], P[9];
    rico_desaxce(mu, u, hat);
    for (int i = 0; i < 3; i++) z[i] = r[i] - rho_n * hat[i];

    rico_cone_side side = du ? rico_coulomb_project_jacobian(mu, z, P) : rico_coulomb_project(mu, z);
    for (int i = 0; i < 3; i++) F[i] = side == RICO_INSIDE ? rho_n * hat[i] : r[i] - z[i];
    if (!du) return;

    double hat_jacobian[9];
    rico_desaxce_jacobian(mu, u, hat_jacobian);
    for (int i = 0; i < 3; i++) {
        du[3 * i] = rho_n * P[3 * i];
        for (int j = 1; j < 3; j++) du[3 * i + j] = rho_n * (P[3 * i + j] + P[3 * i] * hat_jacobian[j]);
        for (int j = 0; j < 3; j++) dr[3 * i + j] = (i == j ? 1.0 : 0.0) - P[3 * i + j];
    }
}


// What the two disk maps share: F_N = r_N - (r_N - rho_n u_N)+, F_T = r_T - P_D(r_T - rho_t u_T) with the disk of
// radius mu (source)+. source_du and source_dr are the derivatives of source by u_N and r_N.
//
// Kinks: source = 0 is taken from below (disk shrunk to a point), the rim of the disk from inside,
// r_N - rho_n u_N = 0 from below. In both maps one path does all that at once, so what comes out is a limit of
// Jacobians and not a mixture of rows.
static void disk_map(double mu, double rho_n, double rho_t, double source, double source_du, double source_dr,
                     const double u[3], const double r[3], double F[3], double du[9], double dr[9])
{
    double pressed = r[0] - rho_n * u[0];
    double t[2] = {r[1] - rho_t * u[1], r[2] - rho_t * u[2]};
    double offset[2] = {t[0], t[1]};
    double radius = source <= 0.0 ? 0.0 : mu * source;

    // the comparisons are arranged so that a NaN shows in F instead of choosing a branch
    rico_cone_side side = rico_disk_project(radius, t);
    if (pressed > 0.0)
        F[0] = rho_n * u[0];
    else
        F[0] = pressed <= 0.0 ? r[0] : pressed;
    for (int i = 0; i < 2; i++) F[1 + i] = side == RICO_INSIDE ? rho_t * u[1 + i] : r[1 + i] - t[i];
    if (!du) return;

    memset(du, 0, 9 * sizeof *du);
    memset(dr, 0, 9 * sizeof *dr);
    if (pressed > 0.0)
        du[0] = rho_n;
    else
        dr[0] = 1.0;

    switch (side) {
    case RICO_APEX:
        dr[4] = dr[8] = 1.0;
        break;
    case RICO_INSIDE:
        du[4] = du[8] = rho_t;
        break;
    case RICO_SURFACE: {
        // d(radius t/|t|) = along d(radius) + (radius/|t|) (I - along along') dt
        double length = hypot(offset[0], offset[1]);
        double along[2] = {offset[0] / length, offset[1] / length};
        for (int i = 0; i < 2; i++) {
            double *du_row = du + 3 * (1 + i), *dr_row = dr + 3 * (1 + i);
            du_row[0] = -along[i] * mu * source_du;
            dr_row[0] = -along[i] * mu * source_dr;
            for (int j = 0; j < 2; j++) {
                double identity = i == j ? 1.0 : 0.0;
                double turn = radius / length * (identity - along[i] * along[j]);
                du_row[1 + j] = rho_t * turn;
                dr_row[1 + j] = identity - turn;
            }
        }
        break;
    }
    }
}


// Eq. 62. Eq. 63 prints rho_N in its tangential row; 62 has rho_T and that is what is meant.
void rico_map_alart_curnier(double mu, double rho_n, double rho_t, const double u[3], const double r[3],
                            double F[3], double du[9], double dr[9])
{
    disk_map(mu, rho_n, rho_t, r[0] - rho_n * u[0], -rho_n, 1.0, u, r, F, du, dr);
}


// Eq. 60.
void rico_map_jean_moreau(double mu, double rho_n, double rho_t, const double u[3], const double r[3],
                          double F[3], double du[9], double dr[9])
{
    disk_map(mu, rho_n, rho_t, r[0], 0.0, 1.0, u, r, F, du, dr);
}
