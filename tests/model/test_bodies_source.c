// The contacts of bodies: none missed, a function of the state alone, followed through the step, and what is refused.

#include "failing_memory.h"

#include "collide/narrow.h"
#include "la/quaternion.h"
#include "model/assembly.h"
#include "model/bodies_search.h"

#ifdef _OPENMP
#include <omp.h>
#endif

enum { SHAPES = 5 };

typedef struct world {
    rico_context *ctx;
    rico_bodies *bodies;
    rico_system *system;
    rico_assembly *assembly;
    rico_shape *shape[SHAPES];
    int64_t nq, nv;
    double *q, *v;
} world;


// A swing about a point, with a spin of its own.
static bool swing(void *user, double t, rico_stand *stand, double velocity[3], double spin[3])
{
    double angle = 0.3 * sin(t), rate = 0.3 * cos(t);
    (void)user;
    *stand = (rico_stand){.position = {0.2 * t, 0.1 * sin(2.0 * t), 0.0},
                          .orientation = {cos(angle / 2), 0.0, 0.0, sin(angle / 2)}};
    rico_vec3_set(0.2, 0.2 * cos(2.0 * t), 0.0, velocity);
    rico_vec3_set(0.0, 0.0, rate, spin);
    return true;
}


static rico_status make_shapes(world *w, int dimension)
{
    static const struct {
        const char *kind;
        double size[2];
        int count;
    } MADE[2][SHAPES] = {{{"disc", {0.1}, 1},
                          {"rectangle", {0.3, 0.15}, 2},
                          {"capsule-2d", {0.06, 0.2}, 2},
                          {"line", {0}, 0},
                          {"rectangle", {1.0, 0.2}, 2}},
                         {{"sphere", {0.1}, 1},
                          {"capsule", {0.06, 0.2}, 2},
                          {"sphere", {0.15}, 1},
                          {"plane", {0}, 0},
                          {"capsule", {0.1, 1.0}, 2}}};
    rico_status status = RICO_OK;
    for (int k = 0; status == RICO_OK && k < SHAPES; k++)
        status = rico_shape_create(w->ctx, MADE[dimension - 2][k].kind, MADE[dimension - 2][k].size,
                                   MADE[dimension - 2][k].count, &w->shape[k]);
    return status;
}


static void close_world(world *w)
{
    rico_assembly_destroy(w->assembly);
    rico_system_destroy(w->system);
    rico_bodies_destroy(w->bodies);
    for (int k = 0; k < SHAPES; k++) rico_shape_destroy(w->shape[k]);
    free(w->q);
    free(w->v);
}


static rico_status add_obstacles(world *w, int dimension)
{
    rico_body body = rico_body_default();
    body.type = RICO_BODY_FIXED;
    body.shape = w->shape[3];
    body.material = 1;
    body.stand = rico_stand_at(0.0, dimension == 2 ? -0.8 : 0.0, dimension == 2 ? 0.0 : -0.8);
    rico_status status = rico_bodies_add(w->bodies, &body, NULL);
    body.type = RICO_BODY_MOVED;
    body.shape = w->shape[4];
    body.motion = swing;
    if (status == RICO_OK) status = rico_bodies_add(w->bodies, &body, NULL);
    body = rico_body_default();
    body.type = RICO_BODY_FIXED;
    body.shape = w->shape[1];
    body.sensor = true;
    if (status == RICO_OK) status = rico_bodies_add(w->bodies, &body, NULL);
    return status;
}


// `count` bodies in a cube of half-width `size`, some excluded from each other, in three groups.
static rico_status fill_world(world *w, int dimension, int64_t count, double size, double speed)
{
    rico_random random;
    rico_random_seed(&random, (uint64_t)(dimension * 1000 + count));
    rico_status status = rico_bodies_create(w->ctx, dimension, &w->bodies);
    if (status == RICO_OK) status = rico_system_create(w->ctx, &w->system);
    if (status == RICO_OK) status = make_shapes(w, dimension);
    double g[3] = {0.0, dimension == 2 ? -9.81 : 0.0, dimension == 2 ? 0.0 : -9.81};
    if (status == RICO_OK) status = rico_bodies_set_gravity(w->bodies, g);
    int rough;
    if (status == RICO_OK)
        status = rico_bodies_set_material(w->bodies, "rough", (rico_contact_law){.friction = 0.5}, &rough);
    if (status == RICO_OK) status = add_obstacles(w, dimension);
    for (int64_t k = 0; status == RICO_OK && k < count; k++) {
        rico_body body = rico_body_default();
        body.shape = w->shape[k % 3];
        body.density = 1000.0;
        body.material = k % 4 ? 1 : 0;
        body.group = 1U << k % 3;
        body.meets = k % 3 == 2 ? ~2U : ~0U;
        for (int i = 0; i < dimension; i++) {
            body.stand.position[i] = rico_random_range(&random, -size, size);
            body.velocity[i] = rico_random_range(&random, -speed, speed);
        }
        double phi[3] = {0.0, 0.0, rico_random_range(&random, -3.0, 3.0)};
        for (int i = 0; dimension == 3 && i < 2; i++) phi[i] = rico_random_range(&random, -1.0, 1.0);
        rico_quaternion_exp(phi, body.stand.orientation);
        body.spin[2] = rico_random_range(&random, -speed, speed);
        status = rico_bodies_add(w->bodies, &body, NULL);
        if (status == RICO_OK && k % 10 == 9) status = rico_bodies_exclude(w->bodies, k, k - 3);
    }
    rico_place place = {0};
    if (status == RICO_OK) status = rico_system_add_bodies(w->system, "bodies", w->bodies, &place);
    if (status == RICO_OK) status = rico_system_complete(w->system);
    if (status == RICO_OK) status = rico_assembly_create(w->ctx, w->system, &w->assembly);
    if (status != RICO_OK) return status;
    w->nq = place.q_size, w->nv = place.v_size;
    w->q = calloc((size_t)w->nq, sizeof *w->q);
    w->v = calloc((size_t)w->nv, sizeof *w->v);
    assert_true(w->q && w->v);
    rico_bodies_start(w->bodies, w->q, w->v);
    return RICO_OK;
}


static world open_world(rico_context *ctx, int dimension, int64_t count, double size, double speed)
{
    world w = {.ctx = ctx};
    assert_ok(ctx, fill_world(&w, dimension, count, size, speed));
    return w;
}


static const rico_emitted *emitted(const world *w, int64_t k)
{
    return &w->assembly->set.now.sorted[k]->between;
}


static int64_t collect(world *w, double t, double h)
{
    bool changed;
    assert_ok(w->ctx, rico_assembly_collect(w->assembly, t, h, w->q, w->v, &changed));
    return w->assembly->set.now.count;
}


static void move(const world *w, double t, double h, double *q)
{
    assert_ok(w->ctx, rico_assembly_retract(w->assembly, t, w->q, h, w->v, q));
}


// Whether a pair may meet at all, as bodies.h says.
static bool may_meet(const rico_bodies *bodies, int64_t a, int64_t b)
{
    const rico_body *one = &bodies->body[a].given, *two = &bodies->body[b].given;
    if (one->type != RICO_BODY_FREE && two->type != RICO_BODY_FREE) return false;
    if (!(one->group & two->meets) || !(two->group & one->meets)) return false;
    for (int64_t k = 0; k < bodies->exclusion_count; k++)
        if (bodies->exclusion[2 * k] == a && bodies->exclusion[2 * k + 1] == b) return false;
    return true;
}


static double gap_of(const rico_bodies *bodies, int64_t a, int64_t b, double t, const double *q)
{
    rico_pose A, B;
    rico_nearest near;
    assert_true(rico_bodies_pose(bodies, &bodies->body[a], t, q, &A) &&
                rico_bodies_pose(bodies, &bodies->body[b], t, q, &B));
    if (!rico_meet_nearest(bodies->body[a].given.shape, &A, bodies->body[b].given.shape, &B, &near))
        return INFINITY;
    return near.gap;
}


static bool has_contact(const world *w, int64_t a, int64_t b)
{
    for (int64_t k = 0; k < w->assembly->set.now.count; k++) {
        int64_t one, two;
        uint32_t x, y;
        rico_bodies_contact(w->bodies, emitted(w, k)->key, &one, &two, &x, &y);
        if (one == a && two == b) return true;
    }
    return false;
}


static bool is_sensed(const world *w, int64_t a, int64_t b)
{
    const int64_t *pairs;
    int64_t count = rico_bodies_sensed(w->assembly->set.memory[0], &pairs);
    for (int64_t k = 0; k < count; k++)
        if (pairs[2 * k] == a && pairs[2 * k + 1] == b) return true;
    return false;
}


// Every pair that touches at some time of the step is there; sensors report what touches now, and nothing has a contact with them.
static void none_missed(void **state)
{
    rico_context *ctx = *state;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int fast = 0; fast < 3; fast++) {
            const double h = 0.01, speed = fast == 0 ? 0.5 : fast == 1 ? 10.0 : 200.0;
            world w = open_world(ctx, dimension, 120, dimension == 2 ? 1.6 : 0.8, speed);
            double *q = calloc((size_t)w.nq, sizeof *q);
            int64_t touching = 0, sensed = 0;
            collect(&w, 0.3, h);
            for (int64_t b = 0; b < w.bodies->count; b++)
                for (int64_t a = 0; a < b; a++) {
                    bool sensor = w.bodies->body[a].given.sensor || w.bodies->body[b].given.sensor;
                    bool meets = may_meet(w.bodies, a, b) || (sensor && a != b && b >= 3);
                    if (sensor) {
                        assert_false(has_contact(&w, a, b));
                        if (b < 3) continue;
                        bool now = may_meet(w.bodies, a, b) && gap_of(w.bodies, a, b, 0.3, w.q) <= 0.0;
                        assert_int_equal(is_sensed(&w, a, b), now);
                        sensed += now;
                        continue;
                    }
                    if (!meets) {
                        assert_false(has_contact(&w, a, b));
                        continue;
                    }
                    bool touches = false;
                    for (int s = 0; !touches && s <= 20; s++) {
                        move(&w, 0.3, h * s / 20, q);
                        touches = gap_of(w.bodies, a, b, 0.3 + h * s / 20, q) <= 0.0;
                    }
                    if (!touches) continue;
                    touching++;
                    if (!has_contact(&w, a, b))
                        fail_msg("bodies %lld and %lld touch without a contact", (long long)a, (long long)b);
                }
            assert_true(touching > 50 && sensed > 0);
            free(q);
            close_world(&w);
        }
}


static int64_t records(const world *w, rico_contact_record **out)
{
    int64_t count = w->assembly->set.now.count;
    *out = calloc((size_t)count + 1, sizeof **out);
    assert_non_null(*out);
    rico_assembly_record(w->assembly, *out);
    return count;
}


// The same bits whatever was asked before, and on any number of threads.
static void pure_function(void **state)
{
    rico_context *ctx = *state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        world w = open_world(ctx, dimension, 3000, dimension == 2 ? 7.0 : 2.0, 2.0);
        double *q = calloc((size_t)w.nq, sizeof *q), *start = w.q;
        rico_contact_record *first, *second;
        int64_t count = 0;
        collect(&w, 0.0, 0.01);
        count = records(&w, &first);
        assert_true(count > 1000);
        for (int64_t k = 1; k < count; k++) assert_true(first[k - 1].emitted.key < first[k].emitted.key);
        for (int k = 0; k < 5; k++) {
            // elsewhere, then back
            move(&w, 0.0, 0.05 * (k + 1), q);
            w.q = q;
            collect(&w, 0.0, 0.02);
            w.q = start;
#ifdef _OPENMP
            omp_set_num_threads(k % 3 + 1);
#endif
            if (k == 3) {
                const rico_contact_source *source = &w.system->source[0].given;
                assert_int_equal(source->state_size(source->user, w.assembly->set.memory[0]), 0);
                assert_true(source->load(source->user, w.assembly->set.memory[0], NULL, 0));
            }
            collect(&w, 0.0, 0.01);
            assert_int_equal(records(&w, &second), count);
            assert_memory_equal(first, second, (size_t)count * sizeof *first);
            free(second);
        }
        free(first);
        free(q);
        close_world(&w);
    }
}


// What touches keeps its names as bodies move a little.
static void stable_keys(void **state)
{
    rico_context *ctx = *state;
    world w = open_world(ctx, 2, 200, 2.0, 1.0);
    double *q = calloc((size_t)w.nq, sizeof *q), *start = w.q;
    rico_contact_record *first;
    collect(&w, 0.0, 0.01);
    int64_t count = records(&w, &first), lost = 0, touching = 0;
    move(&w, 0.0, 1e-9, q);
    w.q = q;
    collect(&w, 0.0, 0.01);
    w.q = start;
    for (int64_t k = 0, j = 0; k < count; k++) {
        if (first[k].emitted.gap > 1e-3) continue;
        touching++;
        while (j < w.assembly->set.now.count && emitted(&w, j)->key < first[k].emitted.key) j++;
        lost += j == w.assembly->set.now.count || emitted(&w, j)->key != first[k].emitted.key;
    }
    assert_true(touching > 100);
    assert_int_equal(lost, 0);
    free(first);
    free(q);
    close_world(&w);
}


// The gap at the state of the search is the one that was emitted; its rate along the motion is H'v + w; frames are orthonormal.
static void followed(void **state)
{
    rico_context *ctx = *state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        world w = open_world(ctx, dimension, 300, dimension == 2 ? 2.5 : 1.0, 2.0);
        const double t = 0.4, eps = 1e-6;
        int64_t count = collect(&w, t, 0.01), rows = w.assembly->set.rows;
        double *q = calloc((size_t)w.nq, sizeof *q), *g = calloc((size_t)rows, sizeof *g);
        double *after = calloc((size_t)rows, sizeof *after), *before = calloc((size_t)rows, sizeof *before);
        assert_ok(ctx, rico_assembly_gaps(w.assembly, t, w.q, g));
        move(&w, t, eps, q);
        assert_ok(ctx, rico_assembly_gaps(w.assembly, t + eps, q, after));
        move(&w, t, -eps, q);
        assert_ok(ctx, rico_assembly_gaps(w.assembly, t - eps, q, before));
        move(&w, t, 2e-3, q); // H elsewhere first: nothing of it stays
        assert_ok(ctx, rico_assembly_frames(w.assembly, t + 2e-3, q));
        assert_ok(ctx, rico_assembly_frames(w.assembly, t, w.q));
        assert_ok(ctx, rico_assembly_rates(w.assembly, t, w.q));
        const rico_csc *H = &w.assembly->H;
        int64_t moved = 0;
        for (int64_t k = 0; k < count; k++) {
            const rico_constraint *contact = w.assembly->set.now.sorted[k];
            const rico_emitted *between = emitted(&w, k);
            int64_t row = contact->row;
            assert_near(g[row], between->gap, 1e-14);
            double speed = w.assembly->w[row];
            moved += speed != 0.0;
            for (int64_t e = H->start[row]; e < H->start[row + 1]; e++) speed += H->value[e] * w.v[H->row[e]];
            assert_near((after[row] - before[row]) / (2.0 * eps), speed, 1e-6);
            int size = between->dimension;
            assert_true(size == 1 || size == dimension);
            assert_true((size > 1) == (between->friction > 0.0));
            // points are where the gap is
            double a[3], b[3], way[3];
            assert_true(rico_point_at(w.system, w.q, &between->a, a) &&
                        rico_point_at(w.system, w.q, &between->b, b));
            rico_vec3_subtract(b, a, way);
            for (int i = 0; i < 3; i++) assert_near(way[i], between->gap * between->frame[i], 1e-14);
            for (int i = 0; i < size; i++)
                for (int j = 0; j < size; j++)
                    assert_near(rico_vec3_dot(between->frame + 3 * i, between->frame + 3 * j), i == j, 1e-14);
        }
        assert_true(count > 100 && moved > 0);
        free(q), free(g), free(after), free(before);
        close_world(&w);
    }
}


// The tangents turn with the normal by the smallest rotation, so that slip has no jump; on all sides of the sphere of normals.
static void frames_carry_over(void **state)
{
    rico_context *ctx = *state;
    rico_random random;
    rico_random_seed(&random, 4);
    world w = open_world(ctx, 3, 400, 0.9, 3.0);
    int64_t count = collect(&w, 0.0, 0.02);
    double *q = calloc((size_t)w.nq, sizeof *q);
    move(&w, 0.0, 0.01, q);
    const rico_contact_source *source = &w.system->source[0].given;
    int64_t seen = 0;
    for (int64_t k = 0; k < count; k++) {
        const rico_emitted *between = emitted(&w, k);
        rico_point a, b;
        double axes[9], turned[3], carried[3];
        if (between->dimension < 3) continue;
        assert_true(source->frame(source->user, between, 0.01, q, &a, &b, axes));
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) assert_near(rico_vec3_dot(axes + 3 * i, axes + 3 * j), i == j, 1e-14);
        rico_vec3_cross(axes, axes + 3, turned);
        for (int i = 0; i < 3; i++) assert_near(turned[i], axes[6 + i], 1e-14);
        // the axis of the rotation, m x n, stays where it is
        rico_vec3_cross(between->frame, axes, turned);
        for (int j = 1; j < 3; j++) {
            carried[0] = rico_vec3_dot(turned, between->frame + 3 * j);
            assert_near(rico_vec3_dot(turned, axes + 3 * j), carried[0], 1e-14);
        }
        seen++;
    }
    assert_true(seen > 100);
    free(q);
    close_world(&w);
}


static void told(void **state)
{
    rico_context *ctx = *state;
    bool changed;
    world w = open_world(ctx, 2, 20, 1.0, 1.0);
    w.q[3 * 7 + 1] = NAN;
    assert_int_equal(rico_assembly_collect(w.assembly, 0.0, 0.01, w.q, w.v, &changed), RICO_BAD_INPUT);
    assert_non_null(strstr(rico_message(ctx), "body-11 has no place"));
    close_world(&w);

    w = open_world(ctx, 2, 10000, 0.0, 1.0);
    assert_int_equal(rico_assembly_collect(w.assembly, 0.0, 0.01, w.q, w.v, &changed), RICO_UNSUPPORTED);
    assert_non_null(
        strstr(rico_message(ctx), "pairs of 10003 bodies are within reach of each other at t = 0"));
    close_world(&w);
}


static rico_status whole_life(rico_context *ctx, void *user)
{
    (void)user;
    world w = {.ctx = ctx};
    bool changed;
    rico_status status = fill_world(&w, 2, 30, 0.5, 1.0);
    if (status == RICO_OK) status = rico_assembly_collect(w.assembly, 0.0, 0.01, w.q, w.v, &changed);
    close_world(&w);
    return status;
}


static void out_of_memory(void **state)
{
    (void)state;
    assert_true(every_allocation_fails(whole_life, NULL) > 50);
}


static int context_start(void **state)
{
    *state = rico_context_create(NULL);
    return *state == NULL;
}


static int context_end(void **state)
{
    rico_context_destroy(*state);
    return 0;
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none_missed),   cmocka_unit_test(pure_function),     cmocka_unit_test(stable_keys),
        cmocka_unit_test(followed),      cmocka_unit_test(frames_carry_over), cmocka_unit_test(told),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
