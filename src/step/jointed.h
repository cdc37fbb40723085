// The midpoint rule for mechanisms from inside: see jointed.c.

#ifndef RICO_STEP_JOINTED_H
#define RICO_STEP_JOINTED_H

#include "model/turning.h"
#include "step/joint_newton.h"
#include "step/joint_response.h"
#include "step/projection.h"

struct rico_jointed {
    int64_t mechanisms;
    int64_t *mechanism;      // of each velocity; -1: no joint reaches it, or it hangs on nothing
    double *wrong, *kinetic; // of each mechanism: energy of joints and corrections; v'M v half way
    double *impulse;         // z, velocities
    double *force;           // loads and forces half way
    double *law;             // joints' rows: G v + w without impulses, or g
    rico_joint_response response;
    rico_joint_newton newton; // made when the first step needs it, as what follows
    rico_turning_space turning;
    double *turn; // D on the pattern of the joints' H, and work space behind it
    int64_t turns;
    bool eased; // the step is done with the frames of its start
};

rico_theta_step rico_jointed_step_of(const rico_simulation *sim, double h);

// z from velocities, impulses and correction of an iterate; f: the forces half way.
void rico_jointed_keep_energy(rico_simulation *sim, const double *f);

// A step without contacts, jointed_swing.c: next.v, next.p, the correction, and vector.ahead with its gaps.
rico_status rico_jointed_swing(rico_simulation *sim, double h);

#endif
