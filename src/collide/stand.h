// Where things stand, one within the other.

#ifndef RICO_COLLIDE_STAND_H
#define RICO_COLLIDE_STAND_H

#include <ricochet/shape.h>

// Where `inner`, which is given in the axes of `outer`, stands.
rico_stand rico_stand_within(const rico_stand *outer, const rico_stand *inner);

// x in the axes of the stand, in those of the world; and without its position.
void rico_stand_point(const rico_stand *stand, const double own[3], double out[3]);
void rico_stand_turn(const rico_stand *stand, const double own[3], double out[3]);

#endif
