// Rigid bodies for ParaView: files of surfaces and of contacts, one for each row, and a collection of each with the times.

#ifndef RICO_STORE_VTK_H
#define RICO_STORE_VTK_H

#include "ricochet/store.h"

// Writes bodies.pvd and contacts.pvd with bodies-0000.vtu, ... beside them into a folder, which is made where it is missing.
// Bodies are polygons with their number, type and mass for cells and their velocity for points; contacts are points with gap, normal,
// impulse in the axes of the world, bodies and state. *rows: how many rows were written.
rico_status rico_vtk_write(rico_context *ctx, rico_results *results, const char *folder, int64_t *rows);

// Writes PART.pvd with PART-0000.vtu, ... beside it for each elastic part: displaced, with displacement, velocity, stress, von Mises stress, and
// force, pressure and status of contacts on nodes.
rico_status rico_vtk_write_meshes(rico_context *ctx, rico_results *results, const char *folder,
                                  int64_t *rows);

#endif
