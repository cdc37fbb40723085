// Samplers from inside.

#ifndef RICO_MODEL_SAMPLER_H
#define RICO_MODEL_SAMPLER_H

#include "model/system.h"
#include "ricochet/sampler.h"

typedef struct rico_bound_sampler {
    char *name;
    rico_sampler given;
    int64_t *dof;       // given.dof
    int64_t scratch_at; // in that of an assembly
} rico_bound_sampler;

void rico_system_release_samplers(rico_system *system);

#endif
