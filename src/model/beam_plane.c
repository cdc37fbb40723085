// The element of a beam in the plane: x, y and angle of two nodes.
//
//     g = (c x' + s y', -s x' + c y'),    k = (a_2 - a_1)/l,    c and s of the mean angle,
//
// with the derivatives of spec/03, part E (Geradin and Cardona 2001 have the element).

#include "model/beam_element.h"

#include <math.h>
#include <string.h>

static void strain(double length, const double *a, const double *b, rico_beam_state *out)
{
    double dx = (b[0] - a[0]) / length, dy = (b[1] - a[1]) / length, mean = 0.5 * (a[2] + b[2]);
    double c = cos(mean), s = sin(mean), g1 = c * dx + s * dy, g2 = c * dy - s * dx;
    const double B[3][6] = {
        {-c / length, -s / length, 0.5 * g2, c / length, s / length, 0.5 * g2},
        {s / length, -c / length, -0.5 * g1, -s / length, c / length, -0.5 * g1},
        {0.0, 0.0, -1.0 / length, 0.0, 0.0, 1.0 / length},
    };
    out->length = length;
    out->c = c;
    out->s = s;
    out->strain[0] = g1;
    out->strain[1] = g2;
    out->strain[2] = (b[2] - a[2]) / length;
    memcpy(out->B, B, sizeof B);
}


static void bend(const rico_beam_state *at, const double *s, double *K)
{
    double l = at->length;
    const double dx[6] = {-1.0 / l, 0.0, 0.0, 1.0 / l, 0.0, 0.0},
                 dy[6] = {0.0, -1.0 / l, 0.0, 0.0, 1.0 / l, 0.0}, da[6] = {0.0, 0.0, 0.5, 0.0, 0.0, 0.5};
    double hx = -s[0] * at->s - s[1] * at->c, hy = s[0] * at->c - s[1] * at->s,
           ha = -s[0] * at->strain[0] - s[1] * at->strain[1];
    for (int j = 0; j < 6; j++)
        for (int i = 0; i < 6; i++)
            K[i + 6 * j] += l * (hx * (dx[i] * da[j] + da[i] * dx[j]) + hy * (dy[i] * da[j] + da[i] * dy[j]) +
                                 ha * da[i] * da[j]);
}


const rico_beam_kind rico_beam_plane = {3, 6, strain, bend};
