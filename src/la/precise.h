// Sums of products as if computed in twice the working precision.

#ifndef RICO_LA_PRECISE_H
#define RICO_LA_PRECISE_H

// start + x[0] y[0] + ... + x[count-1] y[count-1], with the error of one rounding of the result plus about
// (count eps)^2 times the sum of the sizes of the terms (Dot2 of Ogita, Rump and Oishi 2005).
double rico_dot_precise(double start, int count, const double x[], const double y[]);

#endif
