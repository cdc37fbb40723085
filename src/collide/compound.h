// The parts of a compound, for who looks at shapes from outside.

#ifndef RICO_COLLIDE_COMPOUND_H
#define RICO_COLLIDE_COMPOUND_H

#include "collide/shape.h"

int64_t rico_compound_count(const rico_shape *shape);
// One of them, and where it stands in the axes of the compound; it may be a compound itself.
const rico_shape *rico_compound_part(const rico_shape *shape, int64_t index, rico_pose *pose);

#endif
