// Interior points of the second-order cone L = { x : |x_T| <= x_N } down to where its boundary is below round-off.
//
// At the end of an interior-point run x_N - |x_T| is many orders below the last digit of x_N. A point is therefore kept
// as its tangential part and its depth. Pairs of points are looked at in the frame of their Nesterov-Todd scaling,
//
//     v_0 = (1, t)/sqrt(2),   v_1 = (1, -t)/sqrt(2),   v_2 = (0, t turned by a right angle),
//
// where the S with S x = S^-1 z = lambda is diagonal. With x = sum x_i v_i, det(x) = 2 x_0 x_1 - x_2^2 and
// the Jordan product is sqrt(2) (x_0 y_0 + x_2 y_2/2, x_1 y_1 + x_2 y_2/2, ((x_0 + x_1) y_2 + (y_0 + y_1) x_2)/2).

#ifndef RICO_CONE_NESTEROV_TODD_H
#define RICO_CONE_NESTEROV_TODD_H

typedef struct rico_lorentz_point {
    double depth; // x_N - |x_T| > 0
    double t[2];  // x_T
} rico_lorentz_point;

typedef struct rico_nt_frame {
    double t[2]; // unit vector
    double s[3]; // S = sum s_i v_i v_i'
} rico_nt_frame;

double rico_lorentz_point_normal(const rico_lorentz_point *x);                             // x_N
double rico_lorentz_point_inner(const rico_lorentz_point *x, const rico_lorentz_point *z); // x'z >= 0

// The frame of the pair (x, z), both in the interior of L, with lambda in its coordinates.
void rico_nt_scale(const rico_lorentz_point *x, const rico_lorentz_point *z, rico_nt_frame *frame,
                   double lambda[3]);

// Coordinates in the frame: of a point, of any vector, and back.
void rico_nt_point(const rico_nt_frame *frame, const rico_lorentz_point *x, double c[3]);
void rico_nt_coordinates(const rico_nt_frame *frame, const double v[3], double c[3]);
void rico_nt_vector(const rico_nt_frame *frame, const double c[3], double v[3]);

// In coordinates: the Jordan product, and the z with x.z = y for x in the interior of L.
void rico_nt_product(const double x[3], const double y[3], double z[3]);
void rico_nt_divide(const double x[3], const double y[3], double z[3]);

// The orthogonal matrix with the columns v_i.
void rico_nt_matrix(const rico_nt_frame *frame, double matrix[9]);

// Largest step with x + step d in L, INFINITY if the whole ray is; d in coordinates.
double rico_nt_reach(const rico_nt_frame *frame, const rico_lorentz_point *x, const double d[3]);

// x += step d, with the depth from the determinant; a step shorter than the reach keeps x inside.
void rico_nt_move(const rico_nt_frame *frame, double step, const double d[3], rico_lorentz_point *x);

#endif
