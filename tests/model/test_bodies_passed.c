// The last look at a step: who went through somebody is told, who went past him or stopped in front of him is not.

#include "support.h"

#include "model/bodies_search.h"

#include <string.h>

typedef struct world {
    rico_context *ctx;
    rico_bodies *bodies;
    rico_system *system;
    rico_shape *bullet, *wall;
    rico_bodies_memory *memory;
} world;


// A bullet at `x` before an obstacle at the origin.
static void build(world *w, rico_context *ctx, int dimension, const char *kind, const double *sizes,
                  int count, const double x[3], bool sensor)
{
    const double radius = 0.05;
    *w = (world){.ctx = ctx};
    assert_ok(ctx, rico_bodies_create(ctx, dimension, &w->bodies));
    assert_ok(ctx, rico_system_create(ctx, &w->system));
    assert_ok(ctx, rico_shape_create(ctx, dimension == 3 ? "sphere" : "disc", &radius, 1, &w->bullet));
    assert_ok(ctx, rico_shape_create(ctx, kind, sizes, count, &w->wall));
    rico_body body = rico_body_default();
    body.name = "wall";
    body.type = RICO_BODY_FIXED;
    body.shape = w->wall;
    body.sensor = sensor;
    assert_ok(ctx, rico_bodies_add(w->bodies, &body, NULL));
    body = rico_body_default();
    body.name = "bullet";
    body.shape = w->bullet;
    body.density = 1.0;
    memcpy(body.stand.position, x, sizeof body.stand.position);
    assert_ok(ctx, rico_bodies_add(w->bodies, &body, NULL));
    assert_ok(ctx, rico_system_add_bodies(w->system, "bodies", w->bodies, NULL));
    w->memory = rico_bodies_memory_create(w->bodies);
    assert_non_null(w->memory);
}


static void tear_down(world *w)
{
    rico_bodies_memory_destroy(w->memory);
    rico_system_destroy(w->system);
    rico_bodies_destroy(w->bodies);
    rico_shape_destroy(w->bullet);
    rico_shape_destroy(w->wall);
}


// Whether the way from x to y is told as one through the obstacle.
static bool told(rico_context *ctx, int dimension, const char *kind, const double *sizes, int count,
                 const double x[3], const double y[3], bool sensor)
{
    world w;
    double q[7], v[6];
    build(&w, ctx, dimension, kind, sizes, count, x, sensor);
    rico_bodies_start(w.bodies, q, v);
    assert_ok(ctx, rico_bodies_search(w.bodies, w.memory, ctx, 0.0, 0.01, q, v));
    memcpy(q, y, (size_t)dimension * sizeof *q);
    rico_status status = rico_bodies_passed(w.bodies, w.memory, ctx, 0.0, 0.01, q);
    if (status != RICO_OK) assert_non_null(strstr(rico_message(ctx), "body bullet went through wall"));
    tear_down(&w);
    return status != RICO_OK;
}


typedef struct obstacle {
    int dimension;
    const char *kind;
    double sizes[3];
    int count;
} obstacle;

static const obstacle OBSTACLES[] = {
    {3, "box", {2.0, 2.0, 1e-3}, 3}, {3, "cylinder", {1.0, 1e-3}, 2}, {3, "ellipsoid", {1.0, 1.0, 1e-3}, 3},
    {3, "capsule", {0.01, 2.0}, 2},  {2, "segment", {2.0}, 1},        {2, "rectangle", {2.0, 1e-3}, 2},
};


static void obstacles(void **state)
{
    rico_context *ctx = *state;
    for (size_t k = 0; k < sizeof OBSTACLES / sizeof *OBSTACLES; k++) {
        const obstacle *o = &OBSTACLES[k];
        bool upright = strcmp(o->kind, "capsule") == 0; // its axis is z: it is shot at from the side
        int way = o->dimension == 2 ? 1 : upright ? 0 : 2, side = upright ? 2 : 0;
        double from[3] = {0.0}, to[3] = {0.0}, past[3] = {0.0}, beside[3] = {0.0};
        from[way] = 0.8, to[way] = 0.2, past[way] = -0.8;
        beside[way] = -0.8, beside[side] = 3.2; // crosses the plane of the obstacle beyond its edge
        assert_false(told(ctx, o->dimension, o->kind, o->sizes, o->count, from, to, false));
        assert_true(told(ctx, o->dimension, o->kind, o->sizes, o->count, from, past, false));
        assert_false(told(ctx, o->dimension, o->kind, o->sizes, o->count, from, beside, false));
        assert_false(told(ctx, o->dimension, o->kind, o->sizes, o->count, from, past, true));
    }
    const double above[3] = {0.0, 0.0, 0.8}, below[3] = {5.0, 0.0, -0.8}, still[3] = {5.0, 0.0, 0.8};
    assert_true(told(ctx, 3, "plane", NULL, 0, above, below, false));
    assert_false(told(ctx, 3, "plane", NULL, 0, above, still, false));
}


static int context_start(void **state)
{
    *state = rico_context_create(NULL);
    return *state ? 0 : 1;
}


static int context_end(void **state)
{
    rico_context_destroy(*state);
    return 0;
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(obstacles)};
    return cmocka_run_group_tests(tests, context_start, context_end);
}
