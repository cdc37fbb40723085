// Volume, center and inertia of what closed surfaces of triangles hold.
//
// By the divergence theorem they are sums over the tetrahedra between a point and the triangles, with the sign of their volume. With a, b, c
// the corners seen from that point and d = a.(b x c): volume d/6, first moments d/24 (a + b + c), second moments
// d/120 (s s' + a a' + b b' + c c') with s = a + b + c: exact, since x and x x' are polynomials over a tetrahedron.

#include "collide/polytope.h"

#include "la/vec3.h"

void rico_volume_add(rico_volume_sum *sum, const double a[3], const double b[3], const double c[3])
{
    double u[3], v[3], w[3], s[3], cross[3];
    rico_vec3_subtract(a, sum->origin, u);
    rico_vec3_subtract(b, sum->origin, v);
    rico_vec3_subtract(c, sum->origin, w);
    rico_vec3_cross(v, w, cross);
    double d = rico_vec3_dot(u, cross);
    sum->volume += d / 6.0;
    for (int i = 0; i < 3; i++) {
        s[i] = u[i] + v[i] + w[i];
        sum->first[i] += d / 24.0 * s[i];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum->second[3 * i + j] += d / 120.0 * (s[i] * s[j] + u[i] * u[j] + v[i] * v[j] + w[i] * w[j]);
}


rico_mass_properties rico_volume_mass(const rico_volume_sum *sum)
{
    rico_mass_properties unit = {.mass = sum->volume};
    double second[9], shift[3], trace = 0.0;
    rico_vec3_scale(1.0 / sum->volume, sum->first, shift);
    rico_vec3_add(sum->origin, shift, unit.center);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            second[3 * i + j] = sum->second[3 * i + j] - sum->volume * shift[i] * shift[j];
    for (int i = 0; i < 3; i++) trace += second[4 * i];
    for (int i = 0; i < 9; i++) unit.inertia[i] = (i % 4 == 0 ? trace : 0.0) - second[i];
    return unit;
}
