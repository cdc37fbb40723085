// The algebra of second-order cones L = { x : |x_T| <= x_N } of dimension 1 to 3, with Nesterov-Todd scaling.
//
// Dimension 1 is the half line, 2 a plane contact, 3 one in space. This is the algebra of all methods that keep points of L
// as they are; nesterov_todd.h has the same operations for points whose distance from the boundary is below round-off.

#ifndef RICO_CONE_LORENTZ_H
#define RICO_CONE_LORENTZ_H

// The symmetric matrix S with S r = S^-1 z for r, z in int L: S = eta (w_N, w_T'; w_T, I + w_T w_T' / (1 + w_N)).
typedef struct rico_lorentz_scaling {
    double eta;
    double w[3]; // w_N^2 - |w_T|^2 = 1
} rico_lorentz_scaling;

void rico_lorentz_scale(int n, const double *r, const double *z, rico_lorentz_scaling *out);
void rico_lorentz_times(int n, const rico_lorentz_scaling *s, const double *x, double *y);   // y = S x
void rico_lorentz_inverse(int n, const rico_lorentz_scaling *s, const double *x, double *y); // y = S^-1 x
double rico_lorentz_square(int n, const rico_lorentz_scaling *s, int i, int j);              // (S^2)_ij

// S and S^-1 as matrices, rows of three entries of which the first n are set.
void rico_lorentz_matrices(int n, const rico_lorentz_scaling *s, double S[9], double inverse[9]);

void rico_lorentz_product(int n, const double *x, const double *y, double *z); // Jordan product
void rico_lorentz_divide(int n, const double *x, const double *y, double *z);  // z with x . z = y, x in int L

// The right-hand side of a corrector: c with lambda.c = target e - lambda.lambda - weight a.b, for a = S dx, b = S^-1 dz.
void rico_lorentz_correct(int n, const double *lambda, double target, double weight, const double *a,
                          const double *b, double *c);

// x_N - |x_T|: positive inside. And x_N^2 - |x_T|^2, as a product so that points near the surface keep their digits.
double rico_lorentz_depth(int n, const double *x);
double rico_lorentz_determinant(int n, const double *x);

// Largest step with x + step d in L, INFINITY if the whole ray is; x in int L.
double rico_lorentz_reach(int n, const double *x, const double *d);

#endif
