// The scenes in Bullet (Debian's, in single and double precision: bodies_bullet32, bodies_bullet64).
//
// usage: bodies_bullet SCENE RESULT ITERATIONS plane|box default|tuned
//
// Sequential impulses with ITERATIONS. Half-spaces are static planes or large boxes. "tuned" turns split impulses and contacts at a
// distance off, which is what restitution needs in Bullet, and what resting contact suffers from.

#include "scene.h"

#include <btBulletDynamicsCommon.h>
#include <memory>
#include <string>
#include <vector>

struct engine {
    std::unique_ptr<btDefaultCollisionConfiguration> configuration;
    std::unique_ptr<btCollisionDispatcher> dispatcher;
    std::unique_ptr<btDbvtBroadphase> broadphase;
    std::unique_ptr<btSequentialImpulseConstraintSolver> solver;
    std::unique_ptr<btDiscreteDynamicsWorld> world;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> fixed, bodies;
};

static btVector3 vector_of(const double *x)
{
    return btVector3(btScalar(x[0]), btScalar(x[1]), btScalar(x[2]));
}

static btQuaternion turn_of(const double *q) // the scalar first, in Bullet last
{
    return btQuaternion(btScalar(q[1]), btScalar(q[2]), btScalar(q[3]), btScalar(q[0]));
}

static bool step(void *user, double h)
{
    static_cast<engine *>(user)->world->stepSimulation(btScalar(h), 0);
    return true;
}

static void state(void *user, int body, double x[STATE])
{
    const btRigidBody &b = *static_cast<engine *>(user)->bodies[size_t(body)];
    const btTransform &at = b.getWorldTransform();
    btQuaternion q = at.getRotation();
    for (int i = 0; i < 3; i++) {
        x[i] = at.getOrigin()[i];
        x[7 + i] = b.getLinearVelocity()[i];
        x[10 + i] = b.getAngularVelocity()[i];
    }
    x[3] = q.w(), x[4] = q.x(), x[5] = q.y(), x[6] = q.z();
}

static double contacts(void *user)
{
    btDispatcher *dispatcher = static_cast<engine *>(user)->dispatcher.get();
    int count = 0;
    for (int i = 0; i < dispatcher->getNumManifolds(); i++)
        count += dispatcher->getManifoldByIndexInternal(i)->getNumContacts();
    return count;
}

static void add(engine &bullet, const scene &scene, btCollisionShape *shape, const btTransform &at,
                double mass, const double *motion)
{
    bullet.shapes.emplace_back(shape);
    btVector3 inertia(0, 0, 0);
    if (mass > 0.0) shape->calculateLocalInertia(btScalar(mass), inertia);
    btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass), nullptr, shape, inertia);
    info.m_startWorldTransform = at;
    // Bullet multiplies the values of the two
    info.m_friction = btSqrt(btScalar(scene.friction));
    info.m_restitution = btSqrt(btScalar(scene.restitution));
    auto body = std::make_unique<btRigidBody>(info);
    body->setActivationState(DISABLE_DEACTIVATION);
    if (motion) {
        body->setLinearVelocity(vector_of(motion));
        body->setAngularVelocity(vector_of(motion + 3));
    }
    bullet.world->addRigidBody(body.get());
    (mass > 0.0 ? bullet.bodies : bullet.fixed).push_back(std::move(body));
}

static void add_plane(engine &bullet, const scene &scene, const double *plane, bool box)
{
    btVector3 n = vector_of(plane + 3), p = vector_of(plane);
    btTransform at = btTransform::getIdentity();
    if (!box) {
        add(bullet, scene, new btStaticPlaneShape(n, n.dot(p)), at, 0.0, nullptr);
        return;
    }
    double q[4];
    scene_plane_turn(plane, q);
    at.setRotation(turn_of(q));
    at.setOrigin(p - n);
    add(bullet, scene, new btBoxShape(btVector3(20, 20, 1)), at, 0.0, nullptr);
}

static void build(engine &bullet, const scene &scene, int iterations, bool box, bool tuned)
{
    bullet.configuration = std::make_unique<btDefaultCollisionConfiguration>();
    bullet.dispatcher = std::make_unique<btCollisionDispatcher>(bullet.configuration.get());
    bullet.broadphase = std::make_unique<btDbvtBroadphase>();
    bullet.solver = std::make_unique<btSequentialImpulseConstraintSolver>();
    bullet.world = std::make_unique<btDiscreteDynamicsWorld>(bullet.dispatcher.get(), bullet.broadphase.get(),
                                                             bullet.solver.get(), bullet.configuration.get());
    bullet.world->setGravity(vector_of(scene.gravity));
    btContactSolverInfo &info = bullet.world->getSolverInfo();
    info.m_numIterations = iterations;
    info.m_restitutionVelocityThreshold = btScalar(1e-4);
    if (tuned) info.m_splitImpulsePenetrationThreshold = 0;
    for (int i = 0; i < scene.planes; i++) add_plane(bullet, scene, scene.plane[i], box);
    for (int i = 0; i < scene.bodies; i++) {
        const scene_body &b = scene.body[i];
        btCollisionShape *shape = b.box ? static_cast<btCollisionShape *>(new btBoxShape(vector_of(b.half)))
                                        : new btSphereShape(btScalar(b.half[0]));
        add(bullet, scene, shape, btTransform(turn_of(b.state + 3), vector_of(b.state)), b.mass, b.state + 7);
    }
    if (!tuned) return;
    for (auto &body : bullet.bodies) body->setContactProcessingThreshold(0);
    for (auto &body : bullet.fixed) body->setContactProcessingThreshold(0);
}

int main(int count, char **word)
{
    if (count != 6) {
        fprintf(stderr, "usage: bodies_bullet SCENE RESULT ITERATIONS plane|box default|tuned\n");
        return 2;
    }
    scene scene;
    scene_result result;
    if (!scene_read(word[1], &scene) || !scene_result_create(&scene, &result)) return 1;
    bool good;
    {
        engine bullet;
        build(bullet, scene, std::stoi(word[3]), word[4] == std::string("box"),
              word[5] == std::string("tuned"));
        scene_engine engine = {&bullet, step, state, contacts};
        good = scene_run(&scene, &engine, &result) && scene_result_write(word[2], &scene, &result);
        for (auto &body : bullet.bodies) bullet.world->removeRigidBody(body.get());
        for (auto &body : bullet.fixed) bullet.world->removeRigidBody(body.get());
    }
    scene_result_release(&result);
    scene_release(&scene);
    return good ? 0 : 1;
}
