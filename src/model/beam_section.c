// Sections of beams: areas and second moments of what is common.

#include "ricochet/beams.h"

#include <math.h>

// Saint-Venant's torsion constant of a rectangle, a >= b (Timoshenko and Goodier 1970, section 109):
//     J = a b^3 [ 1/3 - (64/pi^5) (b/a) sum over odd n of tanh(n pi a/(2 b)) / n^5 ].
static double torsion_of_rectangle(double a, double b)
{
    double sum = 0.0;
    for (int n = 1999; n > 0; n -= 2) sum += tanh(n * M_PI * a / (2.0 * b)) / pow(n, 5.0);
    return a * b * b * b * (1.0 / 3.0 - 64.0 / pow(M_PI, 5.0) * (b / a) * sum);
}


rico_section rico_section_rectangle(double along_2, double along_3)
{
    double area = along_2 * along_3;
    return (rico_section){.area = area,
                          .shear = {5.0 / 6.0 * area, 5.0 / 6.0 * area},
                          .torsion = torsion_of_rectangle(fmax(along_2, along_3), fmin(along_2, along_3)),
                          .bending = {area * along_3 * along_3 / 12.0, area * along_2 * along_2 / 12.0}};
}


rico_section rico_section_circle(double radius, double inner)
{
    double outside = radius * radius, inside = inner * inner, area = M_PI * (outside - inside),
           moment = 0.25 * area * (outside + inside), shear = (inner > 0.0 ? 0.5 : 0.9) * area;
    return (rico_section){
        .area = area, .shear = {shear, shear}, .torsion = 2.0 * moment, .bending = {moment, moment}};
}
