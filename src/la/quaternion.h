// Unit quaternions for rotations: q = (w, x, y, z) = (cos(angle / 2), sin(angle / 2) axis), the scalar first.
//
// Products are Hamilton's: rotate(p q, x) = rotate(p, rotate(q, x)). q and -q are the same rotation.

#ifndef RICO_LA_QUATERNION_H
#define RICO_LA_QUATERNION_H

#include "la/mat3.h"

static inline void rico_quaternion_set(double w, double x, double y, double z, double out[4])
{
    out[0] = w;
    rico_vec3_set(x, y, z, out + 1);
}


static inline void rico_quaternion_identity(double out[4])
{
    rico_quaternion_set(1.0, 0.0, 0.0, 0.0, out);
}


static inline void rico_quaternion_multiply(const double p[4], const double q[4], double out[4])
{
    rico_quaternion_set(p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
                        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
                        p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
                        p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0], out);
}


// The inverse rotation.
static inline void rico_quaternion_conjugate(const double q[4], double out[4])
{
    rico_quaternion_set(q[0], -q[1], -q[2], -q[3], out);
}


// Divides by the norm; false, and nothing done, when that is zero or not finite.
static inline bool rico_quaternion_normalise(double q[4])
{
    double parts[3] = {q[0], rico_vec3_norm(q + 1), 0.0};
    double norm = rico_vec3_norm(parts);
    if (!(norm > 0.0 && isfinite(norm))) return false;
    rico_quaternion_set(q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm, q);
    return true;
}


// q x q* = x + 2 w (v x x) + 2 v x (v x x) with q = (w, v).
static inline void rico_quaternion_rotate(const double q[4], const double x[3], double out[3])
{
    double once[3], twice[3];
    rico_vec3_cross(q + 1, x, once);
    rico_vec3_cross(q + 1, once, twice);
    for (int i = 0; i < 3; i++) out[i] = x[i] + 2.0 * (q[0] * once[i] + twice[i]);
}


// The same by the inverse rotation: from the frame of space to that of the body.
static inline void rico_quaternion_rotate_back(const double q[4], const double x[3], double out[3])
{
    double inverse[4];
    rico_quaternion_conjugate(q, inverse);
    rico_quaternion_rotate(inverse, x, out);
}


static inline void rico_quaternion_to_matrix(const double q[4], double out[9])
{
    double w = q[0], x = q[1], y = q[2], z = q[3];
    out[0] = 1.0 - 2.0 * (y * y + z * z);
    out[1] = 2.0 * (x * y - w * z);
    out[2] = 2.0 * (x * z + w * y);
    out[3] = 2.0 * (x * y + w * z);
    out[4] = 1.0 - 2.0 * (x * x + z * z);
    out[5] = 2.0 * (y * z - w * x);
    out[6] = 2.0 * (x * z - w * y);
    out[7] = 2.0 * (y * z + w * x);
    out[8] = 1.0 - 2.0 * (x * x + y * y);
}


// The rotation by |phi| about phi. sin(a)/a is accurate as it stands for every a > 0, however small.
static inline void rico_quaternion_exp(const double phi[3], double out[4])
{
    double angle = rico_vec3_norm(phi);
    double factor = angle > 0.0 ? sin(0.5 * angle) / angle : 0.5;
    rico_quaternion_set(cos(0.5 * angle), factor * phi[0], factor * phi[1], factor * phi[2], out);
}


// The rotation vector of a unit quaternion with an angle of at most pi: exp(log(q)) is q or -q. The angle comes from
// atan2, which is accurate at both ends, where acos(w) and asin(|v|) are not.
static inline void rico_quaternion_log(const double q[4], double phi[3])
{
    double w = fabs(q[0]), sine = rico_vec3_norm(q + 1);
    double factor = sine > 0.0 ? 2.0 * atan2(sine, w) / sine : 2.0;
    rico_vec3_scale(copysign(factor, q[0]), q + 1, phi);
}

#endif
