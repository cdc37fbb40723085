// Newton-like methods over ranks: an interior point method, and proximal Newton steps for what it leaves.
//
// Both end in dr = c - C W dr (body_matrix.h), solved by generalized minimal residuals with a preconditioner in two
// levels, as far as the present residual asks for. Sums are exact, lengths of steps are least or largest values: the same
// bits on any number of ranks.

#ifndef RICO_MPI_NEWTON_H
#define RICO_MPI_NEWTON_H

#include "krylov.h"

// One contact in the self-dual variables x = (mu r_N, r_T), z = (hat(u)_N / mu, u_T) (solve/interior.c).
typedef struct rico_mpi_cone {
    int size;  // rows that take part: 1 without friction
    double mu; // 1 without friction
    double x[3], z[3], dx[3], dz[3];
    double left[3]; // what z lacks of being hat(u)
    double slip[3]; // direction of u_T
    double lambda[3], d[3];
    double scaling[9], inverse[9]; // of Nesterov and Todd, rows of three
} rico_mpi_cone;

typedef struct rico_mpi_newton {
    rico_mpi_share *share;
    rico_mpi_body_matrix *matrix;
    rico_mpi_schwarz *schwarz;
    rico_mpi_krylov *krylov;
    rico_mpi_cone *cone;
    double *symmetric; // 9 for each contact: what stands for C where symmetry is wanted
    double *vectors;   // the one allocation of the following, three entries for each contact
    double *c, *dr, *u, *F, *trial, *centre, *previous;
    double *face;             // four for each contact: state, direction of slip, curvature
    double *normal, *tangent; // W_NN and the largest eigenvalue of W_TT of each contact
    double *force, *v;        // six for each own body; for each body
    double gap;               // x'z for each contact
    double size;              // mean |W_aa|
    double stiffness;         // mean W_NN
    int64_t factorizations;
} rico_mpi_newton;

// Analyses. *bytes: foreseen for the rank that needs most, more than `room` is refused before it is asked for.
rico_status rico_mpi_newton_create(rico_mpi_share *share, double room, double *bytes, rico_mpi_newton **out);
void rico_mpi_newton_destroy(rico_mpi_newton *newton);

// What one system costs, in sweeps: counted, so that no clock decides.
double rico_mpi_newton_price(const rico_mpi_newton *newton);

// Sum over the contacts of all ranks of `count` <= 4 numbers that `each` gives for one.
enum { RICO_MPI_NEWTON_SUMS = 4 };
typedef void rico_mpi_newton_term(const rico_mpi_newton *newton, int64_t contact, const void *user,
                                  double *terms);
void rico_mpi_newton_sum(rico_mpi_newton *newton, int count, rico_mpi_newton_term *each, const void *user,
                         double *out);

// dr for C, c and the factors as they stand, to an error of velocities of about `goal`.
rico_status rico_mpi_newton_solve(rico_mpi_newton *newton, double goal);

// u = H'v + w of all contacts of the rank for r.
rico_status rico_mpi_newton_velocity(rico_mpi_newton *newton, const double *r, double *u);

// Puts r inside of its cones, `centre` mean impulses deep.
rico_status rico_mpi_interior_begin(rico_mpi_newton *newton, double centre, double *r);

// One step from r, whose velocities are u and whose residual is `residual` (a velocity). *length: of the step, 0 when
// there is none.
rico_status rico_mpi_interior_step(rico_mpi_newton *newton, const double *u, double residual, double *r,
                                   double *length);

#endif
