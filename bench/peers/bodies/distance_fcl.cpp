// The pairs by FCL: fcl::distance() with signed distance, its own solver on libccd, tolerance 1e-6 (FCL's default) or the third word.

#include "pairs_text.h"

#include <cstdlib>
#include <fcl/fcl.h>
#include <string>

static double tolerance = 1e-6;

static fcl::CollisionGeometryd *geometry_of(const pair_shape *from)
{
    const double *s = from->size;
    std::string kind = from->kind;
    if (kind == "sphere") return new fcl::Sphered(s[0]);
    if (kind == "capsule") return new fcl::Capsuled(s[0], s[1]);
    if (kind == "box") return new fcl::Boxd(s[0], s[1], s[2]);
    if (kind == "cylinder") return new fcl::Cylinderd(s[0], s[1]);
    if (kind == "cone") return new fcl::Coned(s[0], s[1]);
    if (kind == "ellipsoid") return new fcl::Ellipsoidd(s[0], s[1], s[2]);
    return nullptr;
}

static void *create(const pair_shape *from)
{
    std::shared_ptr<fcl::CollisionGeometryd> geometry(geometry_of(from));
    if (!geometry) return nullptr;
    fcl::Transform3d at = fcl::Transform3d::Identity();
    for (int i = 0; i < 3; i++) {
        at.translation()[i] = from->position[i];
        for (int j = 0; j < 3; j++) at.linear()(i, j) = from->R[3 * i + j];
    }
    return new fcl::CollisionObjectd(geometry, at);
}

static void distance(const known_pair *pair, pair_answer *answer)
{
    fcl::DistanceRequestd request(true, true);
    request.gjk_solver_type = fcl::GST_LIBCCD;
    request.distance_tolerance = tolerance;
    fcl::DistanceResultd result;
    fcl::distance(static_cast<fcl::CollisionObjectd *>(pair->own[0]),
                  static_cast<fcl::CollisionObjectd *>(pair->own[1]), request, result);
    answer->gap = result.min_distance;
    fcl::Vector3d d = result.nearest_points[1] - result.nearest_points[0];
    double size = d.norm();
    // it gives points and no normal
    for (int i = 0; i < 3; i++)
        answer->normal[i] = size > 0.0 ? (answer->gap < 0.0 ? -d[i] : d[i]) / size : 0.0;
}

int main(int argc, char **argv)
{
    if (argc > 3) tolerance = std::atof(argv[3]);
    pair_library library = {create, distance};
    return pairs_main(argc, argv, &library);
}
