// The scenes in ODE (Debian's, double precision).
//
// usage: bodies_ode SCENE RESULT quick ITERATIONS | dantzig
//
// Settings are ODE's own or those of its manual: ERP 0.2, CFM 1e-10, friction scaled by the normal force (approximation 1), no damping, no
// bodies put to sleep, restitution from 1e-4 m/s on. Half-spaces are planes.

#include "scene.h"

#include <ode/ode.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 8 };

typedef struct engine {
    const scene *scene;
    dWorldID world;
    dSpaceID space;
    dJointGroupID joints;
    dBodyID *body;
    bool quick;
    int contacts;
} engine;

static void near_pair(void *user, dGeomID a, dGeomID b)
{
    engine *ode = user;
    dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    if (!body_a && !body_b) return;
    dContact contact[POINTS];
    int count = dCollide(a, b, POINTS, &contact[0].geom, sizeof(dContact));
    for (int i = 0; i < count; i++) {
        dSurfaceParameters *surface = &contact[i].surface;
        memset(surface, 0, sizeof *surface);
        surface->mode = dContactApprox1;
        surface->mu = ode->scene->friction;
        if (ode->scene->restitution > 0.0) {
            surface->mode |= dContactBounce;
            surface->bounce = ode->scene->restitution;
            surface->bounce_vel = 1e-4;
        }
        dJointAttach(dJointCreateContact(ode->world, ode->joints, &contact[i]), body_a, body_b);
    }
    ode->contacts += count;
}

static bool step(void *user, double h)
{
    engine *ode = user;
    ode->contacts = 0;
    dSpaceCollide(ode->space, ode, near_pair);
    int good = ode->quick ? dWorldQuickStep(ode->world, h) : dWorldStep(ode->world, h);
    dJointGroupEmpty(ode->joints);
    return good != 0;
}

static void state(void *user, int body, double x[STATE])
{
    dBodyID id = ((engine *)user)->body[body];
    memcpy(x, dBodyGetPosition(id), 3 * sizeof *x);
    memcpy(x + 3, dBodyGetQuaternion(id), 4 * sizeof *x);
    memcpy(x + 7, dBodyGetLinearVel(id), 3 * sizeof *x);
    memcpy(x + 10, dBodyGetAngularVel(id), 3 * sizeof *x);
}

static double contacts(void *user)
{
    return ((engine *)user)->contacts;
}

static void build(engine *ode, int iterations)
{
    const scene *scene = ode->scene;
    ode->world = dWorldCreate();
    ode->space = dHashSpaceCreate(NULL);
    // cells from the size of a body up: what ODE's manual advises for bodies of one size
    dHashSpaceSetLevels(ode->space, -4, 0);
    ode->joints = dJointGroupCreate(0);
    dWorldSetGravity(ode->world, scene->gravity[0], scene->gravity[1], scene->gravity[2]);
    dWorldSetERP(ode->world, 0.2);
    dWorldSetCFM(ode->world, 1e-10);
    if (ode->quick) dWorldSetQuickStepNumIterations(ode->world, iterations);
    for (int i = 0; i < scene->planes; i++) {
        const double *p = scene->plane[i], *n = p + 3;
        dCreatePlane(ode->space, n[0], n[1], n[2], p[0] * n[0] + p[1] * n[1] + p[2] * n[2]);
    }
    for (int i = 0; i < scene->bodies; i++) {
        const scene_body *b = &scene->body[i];
        const double *x = b->state;
        dBodyID id = ode->body[i] = dBodyCreate(ode->world);
        dMass mass;
        if (b->box) {
            dMassSetBoxTotal(&mass, b->mass, 2.0 * b->half[0], 2.0 * b->half[1], 2.0 * b->half[2]);
        } else {
            dMassSetSphereTotal(&mass, b->mass, b->half[0]);
        }
        dBodySetMass(id, &mass);
        dBodySetPosition(id, x[0], x[1], x[2]);
        dBodySetQuaternion(id, x + 3);
        dBodySetLinearVel(id, x[7], x[8], x[9]);
        dBodySetAngularVel(id, x[10], x[11], x[12]);
        dGeomID geom = b->box ? dCreateBox(ode->space, 2.0 * b->half[0], 2.0 * b->half[1], 2.0 * b->half[2])
                              : dCreateSphere(ode->space, b->half[0]);
        dGeomSetBody(geom, id);
    }
}

int main(int count, char **word)
{
    if (count < 4) {
        fprintf(stderr, "usage: bodies_ode SCENE RESULT quick ITERATIONS | dantzig\n");
        return 2;
    }
    scene scene;
    scene_result result;
    if (!scene_read(word[1], &scene) || !scene_result_create(&scene, &result)) return 1;
    dInitODE2(0);
    engine ode = {
        .scene = &scene, .quick = count == 5, .body = calloc((size_t)scene.bodies, sizeof *ode.body)};
    if (!ode.body) return 1;
    build(&ode, count == 5 ? atoi(word[4]) : 0);
    scene_engine engine = {&ode, step, state, contacts};
    bool good = scene_run(&scene, &engine, &result) && scene_result_write(word[2], &scene, &result);
    dJointGroupDestroy(ode.joints);
    dSpaceDestroy(ode.space);
    dWorldDestroy(ode.world);
    dCloseODE();
    free(ode.body);
    scene_result_release(&result);
    scene_release(&scene);
    return good ? 0 : 1;
}
