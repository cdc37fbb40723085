// Samplers: velocities that are numbers of a clocked machine, a digital controller above all.
//
// At t = 0, every, 2 every, ... what an update makes of the state replaces these velocities; in between they are whatever the equations of
// their part say, which for a part without forces is: held. All samplers that are due see the state before any of them acts. Steps must end at
// the instants of all samplers: one that would pass over an instant is refused. The change of kinetic energy is booked as work of forces.

#ifndef RICOCHET_SAMPLER_H
#define RICOCHET_SAMPLER_H

#include "ricochet/model.h"

RICO_API_BEGIN

typedef struct rico_sampler {
    double every; // > 0
    int64_t count;
    const int64_t *dof; // velocities that it sets, copied

    int64_t
        scratch; // numbers of work space, which `prepare` (or NULL) has filled once; every simulation has its own
    void (*prepare)(void *user, double *scratch);
    // The new values, from those at time t.
    bool (*update)(void *user, double *scratch, double t, const double *q, const double *v, double *values);
    void *user;
} rico_sampler;

rico_status rico_system_add_sampler(rico_system *system, const char *name, const rico_sampler *sampler);

RICO_API_END

#endif
