// Mesh files: what they are is decided by how they begin.

#include "mesh/read.h"

#include "base/context.h"
#include "base/file.h"

#include <string.h>

static bool begins(const char *bytes, int64_t size, const char *with)
{
    int64_t length = (int64_t)strlen(with);
    return size >= length && memcmp(bytes, with, (size_t)length) == 0;
}


// Whether a text occurs in the first bytes.
static bool mentions(const char *bytes, int64_t size, const char *text)
{
    const int64_t look = size < 2000 ? size : 2000, length = (int64_t)strlen(text);
    for (int64_t i = 0; i + length <= look; i++)
        if (memcmp(bytes + i, text, (size_t)length) == 0) return true;
    return false;
}


rico_status rico_mesh_parse(rico_context *ctx, const char *name, const void *bytes, int64_t size,
                            rico_mesh **out)
{
    const char *text = bytes;
    int64_t left = size;
    while (left > 0 && (*text == ' ' || *text == '\n' || *text == '\r' || *text == '\t')) {
        text++;
        left--;
    }
    if (begins(text, left, "$MeshFormat")) return rico_msh_read(ctx, name, bytes, size, out);
    if (mentions(text, left, "<VTKFile")) return rico_vtu_read(ctx, name, bytes, size, out);
    if (begins(text, left, "$NOD"))
        return rico_fail(
            ctx, RICO_BAD_INPUT,
            "%s: the format is MSH 1; 2.2 and 4.1 are read, which Gmsh writes by -format msh22 or msh41",
            name);
    if (begins(text, left, "# vtk DataFile"))
        return rico_fail(ctx, RICO_BAD_INPUT, "%s: this is VTK's old format; save it as .vtu", name);
    return rico_fail(ctx, RICO_BAD_INPUT,
                     "%s: neither a mesh of Gmsh, which begins with $MeshFormat, nor a VTU file", name);
}


rico_status rico_mesh_read(rico_context *ctx, const char *path, rico_mesh **out)
{
    char *bytes = NULL;
    size_t size = 0;
    rico_status status = rico_file_load(ctx, path, &bytes, &size);
    if (status != RICO_OK) return status;
    status = rico_mesh_parse(ctx, path, bytes, (int64_t)size, out);
    rico_free(ctx, bytes);
    return status;
}
