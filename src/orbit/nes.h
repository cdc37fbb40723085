// What the files of nonlinear energy sinks share: checks of parameters, couplings, scans for roots.

#ifndef RICO_ORBIT_NES_H
#define RICO_ORBIT_NES_H

#include "base/context.h"
#include "ricochet/nes.h"

rico_status rico_nes_check(rico_context *ctx, const rico_nes *nes);

// A coupling's force, and its energy; the latter by Simpson's rule for a function of the caller's.
double rico_coupling_force(rico_nes_coupling coupling, double gamma, double gap,
                           double (*force)(void *, double), void *user, double s);
double rico_coupling_energy(rico_nes_coupling coupling, double gamma, double gap,
                            double (*force)(void *, double), void *user, double s);

// p = kappa/w1^2, and q = (N2/2) dp/dN2.
void rico_nes_bend(const rico_nes *nes, double n2, double *p, double *q);

// Checks the model; up to which N2 to look, where *reach = 0 leaves it open.
rico_status rico_nes_reach(rico_context *ctx, const rico_nes *nes, double *reach);

// Places in (0, reach], ascending.
enum { RICO_NES_PLACES = 32 };
typedef struct rico_nes_places {
    int count;
    double at[RICO_NES_PLACES];
} rico_nes_places;

typedef double (*rico_nes_scalar)(const void *user, double n2);

// Where f changes its sign: by a scan over 20000 places and bisection.
void rico_nes_scan(rico_nes_scalar f, const void *user, double reach, rico_nes_places *out);

// The same of an f that is monotone between `turns`, without a scan.
void rico_nes_solve(rico_nes_scalar f, const void *user, double reach, const rico_nes_places *turns,
                    rico_nes_places *out);

#endif
