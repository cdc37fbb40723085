// A force without which nobody would believe that impacts have several solutions: smooth, never upwards, flat at t = 0.
//
// A ball at rest on the ground with e = 1 may stay there for ever, or bounce from t = 0 on, blows accumulating backwards at 0 (Schatzman
// 1978; Ballard 2000; Paoli 2018, section 3). Blows are at alpha_n, n = 1, 2, ..., falling to 0:
//
//     alpha_n = sum over i >= n of (i+5)^2/((i+1)(i+2)(i+3)(i+4)) = (8/3)/(n+1) - (11/6)/(n+2) + (1/6)/(n+3)
//     delta_n = (n+5)/((n+1)(n+2)(n+4)),     L_n = alpha_n - alpha_{n+1} - delta_n = 2 (n+5)/((n+1)(n+2)(n+3)(n+4))
//
// On [alpha_{n+1}, alpha_{n+1} + delta_n) there is no force; on the rest of the arch it is -rho(x)/(2 n!), with x from 0 to 1 and rho the
// normalized bump exp(1/(x(x-1))).

#ifndef RICO_AUDIT_GRAZING_H
#define RICO_AUDIT_GRAZING_H

double rico_grazing_alpha(int n);
double rico_grazing_delta(int n);
double rico_grazing_bump(double x); // rho

// The force at t >= 0; beyond alpha_0 it is 0.
double rico_grazing_force(double t);

// The motion that bounces, at 0 <= t < alpha_0: its position, and its velocity just before and just after.
void rico_grazing_motion(double t, double *q, double *before, double *after);

#endif
