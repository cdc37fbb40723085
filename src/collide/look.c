// What others read of a shape.

#include "collide/look.h"

#include "collide/compound.h"
#include "collide/planar.h"
#include "collide/surface.h"
#include "la/quaternion.h"

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
    int64_t count = 0;
    if (shape->kind->class != RICO_COMPOUND) return 1;
    for (int64_t k = 0; k < rico_compound_count(shape); k++) {
        rico_pose pose;
        count += rico_shape_pieces(rico_compound_part(shape, k, &pose));
    }
    return count;
}


// The piece of that number below a shape whose axes stand at `whole`.
static const rico_shape *find_piece(const rico_shape *shape, int64_t index, const rico_pose *whole,
                                    rico_pose *out)
{
    *out = *whole;
    if (shape->kind->class != RICO_COMPOUND) return shape;
    for (int64_t k = 0; k < rico_compound_count(shape); k++) {
        rico_pose own, at;
        const rico_shape *part = rico_compound_part(shape, k, &own);
        int64_t pieces = rico_shape_pieces(part);
        rico_pose_point(whole, own.x, at.x);
        rico_mat3_multiply(whole->R, own.R, at.R);
        if (index < pieces) return find_piece(part, index, &at, out);
        index -= pieces;
    }
    return shape;
}


const rico_shape *rico_shape_piece(const rico_shape *shape, int64_t index, rico_stand *stand)
{
    const rico_pose own = {.R = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
    rico_pose at;
    const rico_shape *piece = find_piece(shape, index, &own, &at);
    memcpy(stand->position, at.x, sizeof at.x);
    rico_quaternion_from_matrix(at.R, stand->orientation);
    return piece;
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
