// Placeholder of a track that is under way: no compounds yet.

#include "collide/narrow.h"

const rico_meeting_kind rico_compound_meeting = {0};
