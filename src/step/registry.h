// The table of schemes: each family contributes an array.

#ifndef RICO_STEP_REGISTRY_H
#define RICO_STEP_REGISTRY_H

#include "step/simulation.h"

extern const rico_scheme rico_theta_schemes[];
extern const int rico_theta_scheme_count;
extern const rico_scheme rico_newmark_schemes[];
extern const int rico_newmark_scheme_count;
extern const rico_scheme rico_alpha_schemes[];
extern const int rico_alpha_scheme_count;
extern const rico_scheme rico_trapezoidal_schemes[];
extern const int rico_trapezoidal_scheme_count;
extern const rico_scheme rico_schatzman_paoli_schemes[];
extern const int rico_schatzman_paoli_scheme_count;
extern const rico_scheme rico_explicit_schemes[];
extern const int rico_explicit_scheme_count;
extern const rico_scheme rico_projection_schemes[];
extern const int rico_projection_scheme_count;
extern const rico_scheme rico_projected_schemes[];
extern const int rico_projected_scheme_count;
extern const rico_scheme rico_jointed_schemes[];
extern const int rico_jointed_scheme_count;
extern const rico_scheme rico_quasi_static_schemes[];
extern const int rico_quasi_static_scheme_count;
extern const rico_scheme rico_event_driven_schemes[];
extern const int rico_event_driven_scheme_count;

const rico_scheme *rico_scheme_of(const char *name); // NULL for an unknown name

#endif
