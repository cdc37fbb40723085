// The Jordan algebra of the second-order cone in R^3: L = { x : |x_T| <= x_N } (Acary et al. 2018, eq. 69-78).

#ifndef RICO_CONE_JORDAN_H
#define RICO_CONE_JORDAN_H

void rico_jordan_product(const double x[3], const double y[3], double z[3]); // x.y = (x'y, y_N x_T + x_N y_T)

// x = lambda[0] c[0] + lambda[1] c[1], lambda[0] <= lambda[1]; c are the spectral vectors (idempotents).
void rico_jordan_spectrum(const double x[3], double lambda[2], double c[2][3]);

void rico_jordan_sqrt(const double x[3], double root[3]);        // x in L
void rico_jordan_inverse(const double x[3], double inv[3]);      // x in int L (or -int L): det != 0
double rico_jordan_det(const double x[3]);                       // x_N^2 - |x_T|^2, without cancellation
void rico_jordan_arrow(const double x[3], double matrix[9]);     // L(x): matrix with L(x) y = x.y
void rico_jordan_quadratic(const double x[3], double matrix[9]); // Q(x) = 2 L(x)^2 - L(x^2)

// Nesterov-Todd scaling point of x, s in int L: the w with Q(w) s = x; w_sqrt its square root.
void rico_jordan_nesterov_todd(const double x[3], const double s[3], double w[3], double w_sqrt[3]);

// Largest t in [0, limit] with x + t d in L, for x in L.
double rico_jordan_step(const double x[3], const double d[3], double limit);

#endif
