// What others read of a set of bodies.

#include "model/bodies_look.h"

#include "model/bodies.h"

#include <string.h>

rico_body_look rico_bodies_look(const rico_bodies *bodies, int64_t body)
{
    const rico_bound_body *own = &bodies->body[body];
    rico_body_look look = {.stand = own->given.stand,
                           .material = own->given.material,
                           .group = own->given.group,
                           .meets = own->given.meets,
                           .sensor = own->given.sensor,
                           .mass = own->mass};
    memcpy(look.center, own->center, sizeof look.center);
    memcpy(look.inertia, own->inertia, sizeof look.inertia);
    return look;
}


void rico_bodies_gravity(const rico_bodies *bodies, double g[3])
{
    memcpy(g, bodies->gravity, sizeof bodies->gravity);
}


int rico_bodies_dimension(const rico_bodies *bodies)
{
    return bodies->dimension;
}


int64_t rico_bodies_free_count(const rico_bodies *bodies)
{
    return bodies->free;
}


void rico_bodies_sizes(const rico_bodies *bodies, int *q_size, int *v_size)
{
    *q_size = bodies->q_size;
    *v_size = bodies->v_size;
}


const char *rico_bodies_material(const rico_bodies *bodies, int material)
{
    return material >= 0 && material < bodies->material_count ? bodies->material[material].name : NULL;
}


rico_contact_law rico_bodies_pair(const rico_bodies *bodies, int material_a, int material_b)
{
    return rico_bodies_law(bodies, material_a, material_b);
}
