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
        rico_pose own, at = *whole;
        const rico_shape *part = rico_compound_part(shape, k, &own);
        int64_t pieces = rico_shape_pieces(part);
        rico_pose_point(whole, own.x, at.x);
        rico_mat3_multiply(whole->R, own.R, at.R);
        if (index < pieces) return find_piece(part, index, &at, out);
        index -= pieces;
    }
    return shape;
}


// The unit quaternion of a rotation, from the largest of its four entries (Shepperd 1978).
static void quaternion_of(const double R[9], double q[4])
{
    double trace = R[0] + R[4] + R[8];
    int largest = -1;
    for (int i = 0; i < 3; i++)
        if (R[4 * i] > (largest < 0 ? trace : R[4 * largest])) largest = i;
    if (largest < 0) {
        rico_quaternion_set(1.0 + trace, R[7] - R[5], R[2] - R[6], R[3] - R[1], q);
    } else {
        int i = largest, j = (i + 1) % 3, k = (i + 2) % 3;
        q[0] = R[3 * k + j] - R[3 * j + k];
        q[1 + i] = 1.0 + R[4 * i] - R[4 * j] - R[4 * k];
        q[1 + j] = R[3 * j + i] + R[3 * i + j];
        q[1 + k] = R[3 * k + i] + R[3 * i + k];
    }
    rico_quaternion_normalise(q);
}


const rico_shape *rico_shape_piece(const rico_shape *shape, int64_t index, rico_stand *stand)
{
    const rico_pose own = {.R = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
    rico_pose at;
    const rico_shape *piece = find_piece(shape, index, &own, &at);
    memcpy(stand->position, at.x, sizeof at.x);
    quaternion_of(at.R, stand->orientation);
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
    const rico_polytope *own = shape->kind->class == RICO_POLYTOPE    ? rico_polytope_of(shape)
                               : shape->kind->class == RICO_TRIANGLES ? rico_surface_of(shape)->mesh
                                                                      : NULL;
    if (!own) return false;
    *out = (rico_shape_faces){.vertices = own->vertices,
                              .faces = own->faces,
                              .vertex = own->vertex,
                              .loop = own->loop,
                              .corner = own->loop_vertex};
    return true;
}
