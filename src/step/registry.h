// The table of schemes: each family contributes an array.

#ifndef RICO_STEP_REGISTRY_H
#define RICO_STEP_REGISTRY_H

#include "step/simulation.h"

extern const rico_scheme rico_theta_schemes[];
extern const int rico_theta_scheme_count;

const rico_scheme *rico_scheme_of(const char *name); // NULL for an unknown name

#endif
