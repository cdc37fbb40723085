// How a skin is laid out: room, neighbours, numbers of its own for its nodes.

#ifndef RICO_MESH_SKIN_LAYOUT_H
#define RICO_MESH_SKIN_LAYOUT_H

#include "mesh/skin.h"

// Room for faces with `entries` nodes in all; false: out of memory.
bool rico_skin_room(rico_skin *skin, int64_t faces, int64_t entries);

// Finds the face beyond each side.
rico_status rico_skin_join(rico_skin *skin);

// Numbers of the skin for nodes of the mesh, in their order; the faces around each.
rico_status rico_skin_number(rico_skin *skin, bool split);

#endif
