// Where things stand, one within the other.

#include "collide/stand.h"

#include "la/quaternion.h"
#include "la/vec3.h"

void rico_stand_turn(const rico_stand *stand, const double own[3], double out[3])
{
    rico_quaternion_rotate(stand->orientation, own, out);
}


void rico_stand_point(const rico_stand *stand, const double own[3], double out[3])
{
    double turned[3];
    rico_stand_turn(stand, own, turned);
    rico_vec3_add(stand->position, turned, out);
}


rico_stand rico_stand_within(const rico_stand *outer, const rico_stand *inner)
{
    rico_stand out = {.position = {0.0}};
    rico_stand_point(outer, inner->position, out.position);
    rico_quaternion_multiply(outer->orientation, inner->orientation, out.orientation);
    return out;
}
