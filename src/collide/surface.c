// Placeholder of a track that is under way: no shapes yet.

#include "collide/narrow.h"

const rico_shape_kind rico_surface_kinds[1] = {0};
const int rico_surface_kind_count = 0;
const rico_meeting_kind rico_surface_meeting = {0};
