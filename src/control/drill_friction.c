// Friction of the bit: a sign graph whose torque drops with speed, its slope, its shifted form and its resolvent.

#include "control/drill.h"

#include <math.h>


double rico_drill_friction(const rico_drill_bit *bit, double w)
{
    if (w == 0.0) return 0.0;
    return copysign(bit->dynamic + (bit->still - bit->dynamic) * exp(-bit->decay * fabs(w)), w);
}


double rico_drill_friction_slope(const rico_drill_bit *bit, double w)
{
    return -bit->decay * (bit->still - bit->dynamic) * exp(-bit->decay * fabs(w));
}


double rico_drill_friction_shifted(const rico_drill_bit *bit, double speed, double q)
{
    return rico_drill_friction(bit, q + speed) - rico_drill_friction(bit, speed) -
           rico_drill_friction_slope(bit, speed) * q;
}


double rico_drill_speed_of_delta(const rico_drill_bit *bit, double delta)
{
    return log(bit->decay * (bit->still - bit->dynamic) / delta) / bit->decay;
}


// g(x) = x + ratio (base + drop exp(-decay x)) - |a| is convex and increases; from the right of its root Newton's iteration
// comes down to it without overshoot.
double rico_drill_resolvent(double a, double ratio, double base, double drop, double decay)
{
    if (!(ratio * decay * drop < 1.0)) return NAN;
    double size = fabs(a);
    if (size <= ratio * (base + drop)) return 0.0;
    double x = size - ratio * base;
    for (int i = 0; i < 50; i++) {
        double fall = ratio * drop * exp(-decay * x), g = x + ratio * base + fall - size;
        double dx = g / (1.0 - decay * fall);
        x -= dx;
        if (!(dx > 1e-15 * size)) break;
    }
    return copysign(x > 0.0 ? x : 0.0, a);
}
