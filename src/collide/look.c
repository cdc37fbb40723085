// What others read of a shape.

#include "collide/look.h"

#include "collide/planar.h"
#include "collide/surface.h"

#include <string.h>

double rico_shape_reach(const rico_shape *shape)
{
    return shape->reach;
}


void rico_shape_sizes(const rico_shape *shape, double size[3])
{
    memcpy(size, shape->size, sizeof shape->size);
}


int64_t rico_shape_pieces(const rico_shape *shape)
{
    (void)shape;
    return 1;
}


const rico_shape *rico_shape_piece(const rico_shape *shape, int64_t index, rico_stand *stand)
{
    (void)index;
    *stand = (rico_stand){.orientation = {1.0}};
    return shape;
}


bool rico_shape_has_faces(const rico_shape *shape, rico_shape_faces *out)
{
    *out = (rico_shape_faces){0};
    if (shape->kind->class == RICO_PLANAR && shape->kind->size_count < 0) {
        const rico_polygon *own = rico_polygon_of(shape);
        *out = (rico_shape_faces){.vertices = own->count, .faces = 1, .planar = own->vertex};
        return true;
    }
    const rico_polytope *own = shape->kind->class == RICO_POLYTOPE  ? rico_polytope_of(shape)
                               : shape->kind->class == RICO_SURFACE ? rico_surface_of(shape)->mesh
                                                                    : NULL;
    if (!own) return false;
    *out = (rico_shape_faces){.vertices = own->vertices,
                              .faces = own->faces,
                              .vertex = own->vertex,
                              .loop = own->loop,
                              .corner = own->loop_vertex};
    return true;
}
