// The pairs by Bullet in double precision: btGjkPairDetector with EPA below zero, margins of 0 where a shape allows it.

#include "pairs_text.h"

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btConeShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <string>

// Bullet has none of its own.
class ellipsoid : public btConvexInternalShape
{
    btVector3 axes;

  public:
    explicit ellipsoid(const btVector3 &semi_axes) : axes(semi_axes)
    {
        m_shapeType = CUSTOM_CONVEX_SHAPE_TYPE;
    }
    btVector3 localGetSupportingVertexWithoutMargin(const btVector3 &n) const override
    {
        btVector3 w = axes * n;
        btScalar size = w.length();
        return size > 0 ? axes * (w / size) : btVector3(0, 0, axes.z());
    }
    void batchedUnitVectorGetSupportingVertexWithoutMargin(const btVector3 *n, btVector3 *out,
                                                           int count) const override
    {
        for (int i = 0; i < count; i++) out[i] = localGetSupportingVertexWithoutMargin(n[i]);
    }
    void calculateLocalInertia(btScalar, btVector3 &inertia) const override
    {
        inertia.setZero();
    }
    const char *getName() const override
    {
        return "ellipsoid";
    }
};

static void *create(const pair_shape *from)
{
    const double *s = from->size;
    std::string kind = from->kind;
    btConvexInternalShape *shape = nullptr;
    if (kind == "sphere") return new btSphereShape(s[0]);
    if (kind == "capsule") return new btCapsuleShapeZ(s[0], s[1]);
    if (kind == "box") shape = new btBoxShape(btVector3(s[0], s[1], s[2]) / 2);
    if (kind == "cylinder") shape = new btCylinderShapeZ(btVector3(s[0], s[0], s[1] / 2));
    if (kind == "cone") shape = new btConeShapeZ(s[0], s[1]);
    if (kind == "ellipsoid") shape = new ellipsoid(btVector3(s[0], s[1], s[2]));
    if (shape) shape->setMargin(0);
    return shape;
}

static btTransform transform_of(const pair_shape &s)
{
    const double *R = s.R;
    return btTransform(btMatrix3x3(R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]),
                       btVector3(s.position[0], s.position[1], s.position[2]));
}

static void distance(const known_pair *pair, pair_answer *answer)
{
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver depth;
    btGjkPairDetector detector(static_cast<const btConvexShape *>(pair->own[0]),
                               static_cast<const btConvexShape *>(pair->own[1]), &simplex, &depth);
    btGjkPairDetector::ClosestPointInput input;
    input.m_transformA = transform_of(pair->side[0]);
    input.m_transformB = transform_of(pair->side[1]);
    btPointCollector result;
    detector.getClosestPoints(input, result, nullptr);
    if (!result.m_hasResult) {
        answer->end = PAIR_NONE;
        return;
    }
    answer->gap = result.m_distance;
    for (int i = 0; i < 3; i++) answer->normal[i] = -result.m_normalOnBInWorld[i];
}

int main(int argc, char **argv)
{
    pair_library bullet = {create, distance};
    return pairs_main(argc, argv, &bullet);
}
