// One number for a state, to tell whether two runs are the same to the last bit.

#include "base/digest.h"
#include "step/simulation.h"

uint64_t rico_simulation_hash(const rico_simulation *sim)
{
    double t = rico_simulation_time(sim);
    uint64_t sum = rico_digest_bytes(RICO_DIGEST_START, &t, sizeof t);
    sum = rico_digest_bytes(sum, rico_simulation_position(sim),
                            (size_t)rico_system_positions(sim->system) * sizeof(double));
    return rico_digest_bytes(sum, rico_simulation_velocity(sim),
                             (size_t)rico_system_velocities(sim->system) * sizeof(double));
}
