// The axes of a contact from its normal: the same for the same normal, and carried along as it turns.

#ifndef RICO_MODEL_CONTACT_FRAME_H
#define RICO_MODEL_CONTACT_FRAME_H

#include "la/vec3.h"

// Two tangents from the normal alone: those of the smallest rotation that brings the z-axis to n, or the -z-axis near that, where
// the first has its pole. Continuous but where one follows on the other; along the axes where n is.
static inline void rico_frame_tangents(const double n[3], double one[3], double two[3])
{
    double side = n[2] < -0.9 ? -1.0 : 1.0, a = 1.0 / (1.0 + side * n[2]);
    rico_vec3_set(1.0 - n[0] * n[0] * a, -n[0] * n[1] * a, -side * n[0], one);
    rico_vec3_set(-side * n[0] * n[1] * a, side * (1.0 - n[1] * n[1] * a), -n[1], two);
}


static inline void rico_frame_of(int dimension, const double n[3], double frame[9])
{
    rico_vec3_copy(n, frame);
    if (dimension == 3)
        rico_frame_tangents(n, frame + 3, frame + 6);
    else
        rico_vec3_set(-n[1], n[0], 0.0, frame + 3);
}


// The tangents of `from` carried to the normal n by the smallest rotation between the two normals, t - (m + n) n.t / (1 + m.n).
static inline void rico_frame_carry(int dimension, const double *from, const double n[3], double *frame,
                                    int size)
{
    double turned = 1.0 + rico_vec3_dot(from, n), fresh[9] = {0.0};
    rico_frame_of(dimension, n, fresh);
    rico_vec3_copy(n, frame);
    for (int j = 1; j < size; j++) {
        const double *t = from + 3 * j;
        rico_vec3_copy(fresh + 3 * j, frame + 3 * j);
        if (dimension == 2 || turned < 1e-3) continue;
        double along = rico_vec3_dot(n, t) / turned;
        for (int i = 0; i < 3; i++) frame[3 * j + i] = t[i] - along * (from[i] + n[i]);
    }
}

#endif
