// Readers of mesh files, each of bytes in memory.

#ifndef RICO_MESH_READ_H
#define RICO_MESH_READ_H

#include "mesh/mesh.h"

rico_status rico_msh_read(rico_context *ctx, const char *name, const char *bytes, int64_t size,
                          rico_mesh **out);
rico_status rico_vtu_read(rico_context *ctx, const char *name, const char *bytes, int64_t size,
                          rico_mesh **out);

#endif
