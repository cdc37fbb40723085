// Second-order cones L = { x : |x_T| <= x_N } of dimension 1 to 3 with Nesterov-Todd scaling, for interior points.
//
// Dimension 1 is the half line, 2 a plane contact, 3 one in space; src/cone/jordan.h is the algebra of dimension 3
// with everything that the maps of the friction cone need.

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

void rico_lorentz_product(int n, const double *x, const double *y, double *z); // Jordan product
void rico_lorentz_divide(int n, const double *x, const double *y, double *z);  // z with x . z = y, x in int L

// x_N - |x_T|: positive inside.
double rico_lorentz_depth(int n, const double *x);

// Largest step with x + step d in L, INFINITY if the whole ray is; x in int L.
double rico_lorentz_reach(int n, const double *x, const double *d);

#endif
