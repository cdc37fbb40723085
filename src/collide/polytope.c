// Placeholder of a track that is under way: no shapes yet.

#include "collide/narrow.h"

const rico_shape_kind rico_polytope_kinds[1] = {0};
const int rico_polytope_kind_count = 0;
const rico_meeting_kind rico_polytope_meeting = {0};
