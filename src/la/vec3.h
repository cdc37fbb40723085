// Vectors of R^3 as plain double[3]. Outputs may be the same arrays as inputs, here and in mat3.h and quaternion.h.

#ifndef RICO_LA_VEC3_H
#define RICO_LA_VEC3_H

#include <math.h>
#include <stdbool.h>

static inline void rico_vec3_set(double x, double y, double z, double out[3])
{
    out[0] = x;
    out[1] = y;
    out[2] = z;
}


static inline void rico_vec3_copy(const double a[3], double out[3])
{
    rico_vec3_set(a[0], a[1], a[2], out);
}


static inline void rico_vec3_add(const double a[3], const double b[3], double out[3])
{
    rico_vec3_set(a[0] + b[0], a[1] + b[1], a[2] + b[2], out);
}


static inline void rico_vec3_subtract(const double a[3], const double b[3], double out[3])
{
    rico_vec3_set(a[0] - b[0], a[1] - b[1], a[2] - b[2], out);
}


static inline void rico_vec3_scale(double factor, const double a[3], double out[3])
{
    rico_vec3_set(factor * a[0], factor * a[1], factor * a[2], out);
}


// out += factor a
static inline void rico_vec3_add_scaled(double factor, const double a[3], double out[3])
{
    out[0] += factor * a[0];
    out[1] += factor * a[1];
    out[2] += factor * a[2];
}


static inline double rico_vec3_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}


static inline void rico_vec3_cross(const double a[3], const double b[3], double out[3])
{
    rico_vec3_set(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0], out);
}


// Largest absolute value; of the others, if one is NaN.
static inline double rico_vec3_norm_inf(const double a[3])
{
    return fmax(fmax(fabs(a[0]), fabs(a[1])), fabs(a[2]));
}


// 2-norm, safe against overflow and underflow of the squares.
static inline double rico_vec3_norm(const double a[3])
{
    double square = rico_vec3_dot(a, a);
    if (square > 1e-290 && square < 1e300) return sqrt(square);

    if (isnan(square)) return square;
    double largest = rico_vec3_norm_inf(a);
    if (largest == 0.0 || isinf(largest)) return largest;
    double x = a[0] / largest, y = a[1] / largest, z = a[2] / largest;
    return largest * sqrt(x * x + y * y + z * z);
}


// The same of two numbers: what hypot() gives to a unit of its last place, several times faster.
static inline double rico_hypot(double x, double y)
{
    double square = x * x + y * y;
    if (square > 1e-290 && square < 1e300) return sqrt(square);
    return x == 0.0 && y == 0.0 ? 0.0 : hypot(x, y);
}


// Divides by the norm; false, and nothing done, when that is zero or not finite.
static inline bool rico_vec3_normalise(double a[3])
{
    double norm = rico_vec3_norm(a);
    if (!(norm > 0.0 && isfinite(norm))) return false;
    rico_vec3_set(a[0] / norm, a[1] / norm, a[2] / norm, a);
    return true;
}

#endif
