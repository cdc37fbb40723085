// Waves in a bar, as the files of bars see them.

#ifndef RICO_ORBIT_BAR_H
#define RICO_ORBIT_BAR_H

#include "ricochet/bar.h"

rico_context *rico_bar_wave_context(const rico_bar_wave *wave);
const rico_bar *rico_bar_wave_bar(const rico_bar_wave *wave);
int64_t rico_bar_wave_cells(const rico_bar_wave *wave);

// Boundary elements: from displacements u0 at the N + 1 nodes and velocities v of the cells, fills `steps` + 1 values of P = c times the integral of u_x in
// time at both ends, and of U = u(L).
void rico_bar_boundary_march(const rico_bar *bar, int64_t cells, const double *u0, const double *v,
                             int64_t steps, double *P0, double *PL, double *U);

#endif
