// Coulomb's cone: projections, De Saxce's change of variable, and the maps whose zeros are Coulomb's law.
//
// One contact, normal component first: r = (r_N, r_T1, r_T2), u likewise. K = { r : |r_T| <= mu r_N }, its dual
// K* = { u : mu |u_T| <= u_N }. Coulomb's law with Signorini's condition reads
//
//     K* contains u + g(u),  orthogonal to  r in K,     g(u) = (mu |u_T|, 0, 0)      (Acary et al. 2018, eq. 26).
//
// A map takes (u, r) to R^3 and vanishes exactly on that law. Each comes with an element of its generalized
// Jacobian, blocks d/du and d/dr, row-major 3x3, defined at every point, kinks included. mu >= 0 and finite.

#ifndef RICOCHET_CONE_H
#define RICOCHET_CONE_H

#include "ricochet/context.h"

RICO_API_BEGIN

// Where a point lies with respect to a cone, seen by its projection.
typedef enum rico_cone_side {
    RICO_INSIDE,  // in the cone: projection is the identity
    RICO_SURFACE, // outside both the cone and its polar: falls on the surface
    RICO_APEX     // in the polar cone: falls on the apex
} rico_cone_side;

// Euclidean projections, in place. The disk is |t| <= radius; radius <= 0 gives 0, an apex.
rico_cone_side rico_coulomb_project(double mu, double r[3]);
rico_cone_side rico_coulomb_project_dual(double mu, double u[3]);
rico_cone_side rico_disk_project(double radius, double t[2]);

// The projection onto K with an element of its generalized Jacobian (symmetric, 3x3).
rico_cone_side rico_coulomb_project_jacobian(double mu, double r[3], double jacobian[9]);

// hat = u + g(u) and an element of the generalized Jacobian of that (identity + first row mu u_T'/|u_T|).
void rico_desaxce(double mu, const double u[3], double hat[3]);
void rico_desaxce_jacobian(double mu, const double u[3], double jacobian[9]);

// The work of the contact, r' hat(u) >= 0 on K* x K: De Saxce's bipotential gap.
double rico_desaxce_work(double mu, const double u[3], const double r[3]);

// Coulomb's law by its disjunctive definition (eq. 20), each comparison allowed `tol` times the size of its terms;
// u counts as zero when |u| <= tol |r|, and r when |r| <= tol |u|.
typedef enum rico_contact_state { RICO_OPEN, RICO_STICKING, RICO_SLIDING, RICO_NO_LAW } rico_contact_state;
rico_contact_state rico_coulomb_state(double mu, const double u[3], const double r[3], double tol);

// The maps by name. rho_n, rho_t > 0 scale velocities to impulses in the maps that use them: the natural map
// takes rho_n for all three components, Fischer-Burmeister and Xuewen-Soh-Wanji take neither.
typedef enum rico_map_kind {
    RICO_MAP_NATURAL,                 // r - P_K(r - rho hat(u))                                   eq. 51
    RICO_MAP_ALART_CURNIER,           // disk of radius mu (r_N - rho_n u_N)+                      eq. 62-63
    RICO_MAP_JEAN_MOREAU,             // disk of radius mu (r_N)+                                  eq. 60-61
    RICO_MAP_FISCHER_BURMEISTER,      // x + y - (x^2 + y^2)^(1/2) in the Jordan algebra           eq. 76-79
    RICO_MAP_XUEWEN_SOH_WANJI,        // minima and a cross product                                eq. 65
    RICO_MAP_HUEBER_STADLER_WOHLMUTH, // products instead of projections                      eq. 66
    RICO_MAP_COUNT
} rico_map_kind;

typedef struct rico_map_info {
    const char *name;      // "alart-curnier"
    const char *summary;   // one line
    const char *reference; // where the formula stands
} rico_map_info;

const rico_map_info *rico_map_describe(rico_map_kind kind); // NULL beyond the table

// F = map(u, r). du and dr receive the Jacobian blocks unless NULL (both or none).
void rico_map_evaluate(rico_map_kind kind, double mu, double rho_n, double rho_t, const double u[3],
                       const double r[3], double F[3], double du[9], double dr[9]);

RICO_API_END

#endif
