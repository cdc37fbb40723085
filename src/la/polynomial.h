// Real roots of polynomials of low degree, by isolation between the roots of the derivatives.

#ifndef RICO_LA_POLYNOMIAL_H
#define RICO_LA_POLYNOMIAL_H

enum { RICO_POLYNOMIAL_DEGREE = 4 }; // the highest that is solved

// The real roots of c[0] + c[1] t + ... + c[degree] t^degree, ascending, into roots[0 .. degree-1]; returns their
// number. Vanishing leading coefficients lower the degree; the zero polynomial and constants have no root. Each
// root is bracketed by a change of sign of the computed value, so it is as good as the evaluation allows. Where
// the polynomial only touches zero to the rounding of its terms, the point of contact is returned once. Entries
// must be finite and 0 <= degree <= RICO_POLYNOMIAL_DEGREE.
int rico_polynomial_real_roots(int degree, const double c[], double roots[]);

#endif
