// Nodes of a mesh against shapes, rigid bodies and surfaces of a function: gaps, normals, rows, motion, refusals.

#include "blocks.h"

#include "failing_memory.h"
#include "la/vec3.h"
#include "ricochet/simulation.h"

typedef struct scene {
    rico_context *ctx;
    rico_system *system;
    rico_assembly *assembly;
    elastic_block own;
    double *q, *v, *g; // g: gaps
} scene;

static const rico_touch ROUGH = {.law = {.friction = 0.3, .restitution = 0.2}};


static scene begin(rico_context *ctx, int dimension)
{
    scene s = {.ctx = ctx};
    rico_mesh *mesh = dimension == 2
                          ? grid_rectangle(3, 2, (double[]){-1, 0}, (double[]){2, 2})
                          : grid_box((int64_t[]){3, 2, 2}, (double[]){-1, -1, 0}, (double[]){2, 1, 2});
    s.own = block_make(mesh, 0.3);
    assert_ok(ctx, rico_system_create(ctx, &s.system));
    assert_ok(ctx, block_add(s.system, "block", &s.own, 1.0, 10.0, NULL));
    return s;
}


// Ends the time of adding.
static void complete(scene *s)
{
    assert_ok(s->ctx, rico_system_complete(s->system));
    assert_ok(s->ctx, rico_assembly_create(s->ctx, s->system, &s->assembly));
    int64_t nq = rico_system_positions(s->system), nv = rico_system_velocities(s->system);
    s->q = calloc((size_t)nq, sizeof *s->q);
    s->v = calloc((size_t)nv, sizeof *s->v);
    s->g = calloc((size_t)(8 * nv), sizeof *s->g);
    assert_true(s->q && s->v && s->g);
}


// Asks for the contacts of a step of length h with the block moved by `shift`.
static void collect(scene *s, const double shift[3], double h)
{
    bool changed;
    if (!s->assembly) complete(s);
    for (int64_t i = 0; i < s->own.size; i++) s->q[i] = shift[i % s->own.dimension];
    assert_ok(s->ctx, rico_assembly_collect(s->assembly, 0.0, h, s->q, s->v, &changed));
    assert_ok(s->ctx, rico_assembly_frames(s->assembly, 0.0, s->q));
    assert_ok(s->ctx, rico_assembly_gaps(s->assembly, 0.0, s->q, s->g));
}


static void end(scene *s)
{
    rico_assembly_destroy(s->assembly);
    rico_system_destroy(s->system);
    block_destroy(&s->own);
    free(s->q);
    free(s->v);
    free(s->g);
}


static const rico_emitted *contact(const scene *s, int64_t k)
{
    return &s->assembly->set.constraint[k]->between;
}


// --- shapes ----------------------------------------------------------------------------------------------------------

// The ground y = 0 (z = 0) below the block: its lowest nodes meet it, within the margin and as far as they move.
static void plane(void **state)
{
    rico_context *ctx = *state;
    for (int d = 2; d <= 3; d++) {
        scene s = begin(ctx, d);
        rico_shape *ground;
        assert_ok(ctx, rico_shape_create(ctx, d == 2 ? "line" : "plane", NULL, 0, &ground));
        rico_touch how = ROUGH;
        how.margin = 0.1;
        const rico_touch_shape against = {.shape = ground, .stand = rico_stand_at(0.0, 0.0, 0.0)};
        assert_ok(ctx, rico_system_touch_shape(s.system, "ground",
                                               &(rico_touch_side){0, s.own.mesh, "bottom"}, &against, &how));
        int64_t nodes = d == 2 ? 4 : 12;
        double shift[3] = {0.3, 0.0, 0.0};
        shift[d - 1] = 0.05;
        collect(&s, shift, 0.0);
        assert_int_equal(s.assembly->set.count, nodes);
        for (int64_t k = 0; k < nodes; k++) {
            const rico_emitted *c = contact(&s, k);
            bool second;
            assert_int_equal(rico_touch_node(c->key, &second), k);
            assert_false(second);
            assert_int_equal(c->dimension, d);
            assert_near(c->gap, 0.05, 1e-15);
            assert_near(c->frame[d - 1], 1.0, 1e-15);
            assert_near(c->restitution, 0.2, 0.0);
            assert_int_equal(c->a.part, -1);
        }
        shift[d - 1] = 0.2; // beyond the margin, until it moves
        collect(&s, shift, 0.01);
        assert_int_equal(s.assembly->set.count, 0);
        for (int64_t i = d - 1; i < s.own.size; i += d) s.v[i] = -8.0;
        collect(&s, shift, 0.01);
        assert_int_equal(s.assembly->set.count, nodes);
        shift[d - 1] = -0.03; // depth
        collect(&s, shift, 0.01);
        assert_near(contact(&s, 0)->gap, -0.03, 1e-15);
        end(&s);
        rico_shape_destroy(ground);
    }
}


// A ball in the block's way: distance to its surface, outside and inside; rows that do not see a common motion of node and body.
static void body(void **state)
{
    rico_context *ctx = *state;
    for (int d = 2; d <= 3; d++)
        for (int type = RICO_BODY_FREE; type <= RICO_BODY_FIXED; type++) {
            scene s = begin(ctx, d);
            rico_shape *ball;
            rico_bodies *bodies;
            const double radius = 0.5, center[3] = {0.2, d == 2 ? -0.45 : 0.1, -0.45};
            assert_ok(ctx, rico_shape_create(ctx, d == 2 ? "disc" : "sphere", &radius, 1, &ball));
            assert_ok(ctx, rico_bodies_create(ctx, d, &bodies));
            rico_body own = rico_body_default();
            own.shape = ball;
            own.density = 1.0;
            own.type = type;
            for (int i = 0; i < d; i++) own.stand.position[i] = center[i];
            rico_place place;
            assert_ok(ctx, rico_bodies_add(bodies, &own, NULL));
            // a set without a free body is none
            own.type = RICO_BODY_FREE;
            own.stand.position[0] += 20.0;
            assert_ok(ctx, rico_bodies_add(bodies, &own, NULL));
            assert_ok(ctx, rico_system_add_bodies(s.system, "balls", bodies, &place));
            rico_touch how = ROUGH;
            how.margin = 0.4;
            assert_ok(ctx,
                      rico_system_touch_shape(s.system, "ball", &(rico_touch_side){0, s.own.mesh, "bottom"},
                                              &(rico_touch_shape){.bodies = bodies, .body = 0}, &how));
            complete(&s);
            rico_bodies_start(bodies, s.q + place.q, s.v + place.v);
            collect(&s, (double[]){0, 0, 0}, 0.0);
            assert_true(s.assembly->set.count >= 1);
            for (int64_t k = 0; k < s.assembly->set.count; k++) {
                const rico_emitted *c = contact(&s, k);
                double x[3], way[3];
                assert_true(rico_point_at(s.system, s.q, &c->b, x));
                for (int i = 0; i < 3; i++) way[i] = x[i] - (i < d ? center[i] : 0.0);
                assert_near(c->gap, rico_vec3_norm(way) - radius, 1e-13);
                assert_near(rico_vec3_dot(way, c->frame), rico_vec3_norm(way), 1e-13);
                assert_int_equal(c->a.part, type == RICO_BODY_FREE ? 1 : -1);
                // H sums up to nothing over a shift of all
                const rico_csc *H = &s.assembly->H;
                for (int64_t r = d * k; type == RICO_BODY_FREE && r < d * k + d; r++)
                    for (int i = 0; i < d; i++) {
                        double sum = 0.0;
                        for (int64_t e = H->start[r]; e < H->start[r + 1]; e++) {
                            int64_t dof = H->row[e];
                            bool moves = dof < s.own.size ? dof % d == i : dof - s.own.size == i;
                            sum += moves ? H->value[e] : 0.0;
                        }
                        assert_near(sum, 0.0, 1e-14);
                    }
            }
            // the gap follows the node to another state
            double *ahead = calloc((size_t)rico_system_positions(s.system), sizeof *ahead), g[64];
            memcpy(ahead, s.q, (size_t)rico_system_positions(s.system) * sizeof *ahead);
            for (int64_t i = 0; i < s.own.size; i++) ahead[i] += 0.01 * (double)(i % d + 1);
            assert_ok(ctx, rico_assembly_gaps(s.assembly, 0.0, ahead, g));
            for (int64_t k = 0; k < s.assembly->set.count; k++) {
                double x[3];
                assert_true(rico_point_at(s.system, ahead, &contact(&s, k)->b, x));
                for (int i = 0; i < d; i++) x[i] -= center[i];
                assert_near(g[d * k], rico_vec3_norm(x) - radius, 1e-13);
            }
            free(ahead);
            end(&s);
            rico_bodies_destroy(bodies);
            rico_shape_destroy(ball);
        }
}


static bool lift(void *user, double t, rico_stand *stand, double velocity[3], double spin[3])
{
    (void)user;
    *stand = rico_stand_at(0.0, -1.0 + 0.5 * t, 0.0);
    rico_vec3_set(0.2, 0.5, 0.0, velocity);
    rico_vec3_set(0.0, 0.0, 0.0, spin);
    return true;
}


// A table that rises under the block: its velocity is in the rates.
static void moved(void **state)
{
    rico_context *ctx = *state;
    scene s = begin(ctx, 2);
    rico_shape *table;
    rico_bodies *bodies;
    assert_ok(ctx, rico_shape_create(ctx, "rectangle", (double[]){8.0, 2.0}, 2, &table));
    assert_ok(ctx, rico_bodies_create(ctx, 2, &bodies));
    rico_body own = rico_body_default();
    own.shape = table;
    own.type = RICO_BODY_MOVED;
    own.motion = lift;
    assert_ok(ctx, rico_bodies_add(bodies, &own, NULL));
    rico_body ball = rico_body_default();
    ball.mass = 1.0;
    ball.has_inertia = true;
    ball.inertia[8] = 1.0;
    assert_ok(ctx, rico_bodies_add(bodies, &ball, NULL));
    assert_ok(ctx, rico_system_add_bodies(s.system, "table", bodies, NULL));
    assert_ok(ctx, rico_system_touch_shape(s.system, "lift", &(rico_touch_side){0, s.own.mesh, "bottom"},
                                           &(rico_touch_shape){.bodies = bodies, .body = 0}, &ROUGH));
    collect(&s, (double[]){0, 0.02, 0}, 0.0);
    assert_int_equal(s.assembly->set.count, 4);
    assert_ok(ctx, rico_assembly_rates(s.assembly, 0.0, s.q));
    for (int k = 0; k < 4; k++) {
        const double *tangent = contact(&s, k)->frame + 3;
        assert_near(s.assembly->w[2 * k], -0.5, 1e-15);
        assert_near(s.assembly->w[2 * k + 1], -0.2 * tangent[0], 1e-15);
        assert_near(contact(&s, k)->gap, 0.02, 1e-14);
    }
    end(&s);
    rico_bodies_destroy(bodies);
    rico_shape_destroy(table);
}


// A notch of triangles: nodes near one of its walls meet that one, nodes in its corner both.
static void notch(void **state)
{
    rico_context *ctx = *state;
    scene s = begin(ctx, 3);
    // floor z = 0 and wall x = -1.05, seen from inside
    const double vertex[18] = {-1.05, -9, 0, 9, -9, 0, 9, 9, 0, -1.05, 9, 0, -1.05, -9, 9, -1.05, 9, 9};
    const int64_t triangle[12] = {0, 1, 2, 0, 2, 3, 0, 3, 5, 0, 5, 4};
    rico_shape *walls;
    assert_ok(ctx, rico_shape_mesh(ctx, vertex, 6, triangle, 4, &walls));
    rico_touch how = ROUGH;
    how.margin = 0.1;
    const rico_touch_shape against = {.shape = walls, .stand = rico_stand_at(0.0, 0.0, 0.0)};
    assert_ok(ctx, rico_system_touch_shape(s.system, "walls", &(rico_touch_side){0, s.own.mesh, "bottom"},
                                           &against, &how));
    collect(&s, (double[]){0, 0, 0.02}, 0.0);
    int floor = 0, wall = 0;
    for (int64_t k = 0; k < s.assembly->set.count; k++) {
        const rico_emitted *c = contact(&s, k);
        bool up = c->frame[2] > 0.9;
        floor += up, wall += c->frame[0] > 0.9;
        assert_near(c->gap, up ? 0.02 : 0.05, 1e-13);
    }
    assert_int_equal(floor, 12);
    assert_int_equal(wall, 3);
    end(&s);
    rico_shape_destroy(walls);
}


// --- surfaces of a function ------------------------------------------------------------------------------------------

// A bowl that rises, 4 z = x^2 + y^2 - 8 + t: no distance.
static bool bowl(void *user, double t, const double x[3], double *g, double gradient[3], double *rate)
{
    (void)user;
    *g = 4.0 * x[2] - x[0] * x[0] - x[1] * x[1] + 8.0 - t;
    rico_vec3_set(-2.0 * x[0], -2.0 * x[1], 4.0, gradient);
    *rate = -1.0;
    return true;
}


static bool nowhere(void *user, double t, const double x[3], double *g, double gradient[3], double *rate)
{
    (void)user, (void)t, (void)x;
    *g = 1.0;
    rico_vec3_set(0.0, 0.0, 0.0, gradient);
    *rate = 0.0;
    return true;
}


static void surface(void **state)
{
    rico_context *ctx = *state;
    scene s = begin(ctx, 3);
    rico_touch how = ROUGH;
    how.margin = 10.0;
    assert_ok(ctx, rico_system_touch_surface(s.system, "bowl", &(rico_touch_side){0, s.own.mesh, "bottom"},
                                             bowl, NULL, true, &how));
    collect(&s, (double[]){0, 0, 0}, 0.0);
    assert_int_equal(s.assembly->set.count, 12);
    assert_ok(ctx, rico_assembly_rates(s.assembly, 0.0, s.q));
    for (int64_t k = 0; k < 12; k++) {
        double x[3], g, n[3], own;
        assert_true(rico_point_at(s.system, s.q, &contact(&s, k)->b, x));
        bowl(NULL, 0.0, x, &g, n, &own);
        assert_near(contact(&s, k)->gap, g / rico_vec3_norm(n), 1e-14);
        assert_near(rico_vec3_dot(contact(&s, k)->frame, n), rico_vec3_norm(n), 1e-13);
        assert_near(s.assembly->w[3 * k], -1.0 / rico_vec3_norm(n), 1e-15);
        // the node's own rows are the frame
        const rico_csc *H = &s.assembly->H;
        for (int64_t r = 3 * k; r < 3 * k + 3; r++)
            for (int64_t e = H->start[r]; e < H->start[r + 1]; e++)
                assert_near(H->value[e], contact(&s, k)->frame[3 * (r - 3 * k) + H->row[e] % 3], 0.0);
    }
    end(&s);

    s = begin(ctx, 3);
    assert_ok(ctx, rico_system_touch_surface(s.system, "mist", &(rico_touch_side){0, s.own.mesh, "bottom"},
                                             nowhere, NULL, false, &how));
    assert_ok(ctx, rico_system_complete(s.system));
    assert_ok(ctx, rico_assembly_create(ctx, s.system, &s.assembly));
    s.q = calloc((size_t)s.own.size, sizeof *s.q);
    bool changed;
    assert_int_equal(rico_assembly_collect(s.assembly, 0.0, 0.0, s.q, s.q, &changed), RICO_BAD_INPUT);
    assert_non_null(strstr(rico_message(ctx), "mist"));
    end(&s);
}


// A rigid drop of the whole block on the ground: it comes to rest there, and nothing of the ledger is lost.
static void drop(void **state)
{
    rico_context *ctx = *state;
    scene s = {.ctx = ctx};
    s.own = block_make(grid_rectangle(3, 2, (double[]){0, 0.01}, (double[]){3, 2.01}), 0.3);
    assert_ok(ctx, rico_system_create(ctx, &s.system));
    assert_ok(ctx, block_add(s.system, "block", &s.own, 1.0, 1e3, (double[]){0.0, -9.81, 0.0}));
    rico_shape *ground;
    assert_ok(ctx, rico_shape_create(ctx, "line", NULL, 0, &ground));
    const rico_touch how = {.law = {.friction = 0.3}};
    const rico_touch_shape against = {.shape = ground, .stand = rico_stand_at(0.0, 0.0, 0.0)};
    assert_ok(ctx, rico_system_touch_shape(s.system, "ground", &(rico_touch_side){0, s.own.mesh, "bottom"},
                                           &against, &how));
    rico_simulation *sim;
    double zero[24] = {0.0}, weight = 12 * 9.81, impulse = 0.0;
    assert_ok(ctx, rico_simulation_create(s.system, "moreau-jean", &sim));
    assert_ok(ctx, rico_simulation_set_number(sim, "theta", 1.0)); // damps the waves
    assert_ok(ctx, rico_simulation_start(sim, 0.0, zero, zero));
    for (int k = 0; k < 2000; k++) assert_ok(ctx, rico_simulation_step(sim, 0.02));
    for (int64_t c = 0; c < rico_simulation_constraints(sim); c++)
        impulse += rico_simulation_impulse(sim)[rico_simulation_constraint(sim, c).row];
    assert_near(impulse, weight * 0.02, 1e-8);
    assert_at_most(fabs(rico_simulation_ledger_total(sim)->residual), 1e-9);
    for (int k = 0; k < 4; k++) assert_near(rico_simulation_position(sim)[2 * k + 1], -0.01, 0.02 * 0.45);
    rico_simulation_destroy(sim);
    end(&s);
    rico_shape_destroy(ground);
}


// --- held nodes ------------------------------------------------------------------------------------------------------

// A part whose nodes move along some of the axes only.
typedef struct rails {
    const rico_mesh *mesh;
    int count, axis[3];
} rails;


static bool unit_mass(void *user, const double *q, double *M)
{
    const rails *own = user;
    int64_t n = own->count * own->mesh->nodes;
    (void)q;
    for (int64_t i = 0; i < n * n; i++) M[i] = i % (n + 1) == 0;
    return true;
}


static bool rail_point(void *user, const double *q, const rico_point *point, double *x)
{
    const rails *own = user;
    rico_vec3_copy(own->mesh->position + 3 * point->item, x);
    for (int i = 0; i < own->count; i++) x[own->axis[i]] += q[own->count * point->item + i];
    return true;
}


static int64_t rail_dofs(void *user, const rico_point *point, int64_t *dof)
{
    const rails *own = user;
    if (point->item >= own->mesh->nodes) return -1;
    for (int i = 0; i < own->count; i++) dof[i] = own->count * point->item + i;
    return own->count;
}


static bool rail_rows(void *user, const double *q, const rico_point *point, const double *frame, int size,
                      double *rows)
{
    const rails *own = user;
    (void)q, (void)point;
    for (int j = 0; j < size; j++)
        for (int i = 0; i < own->count; i++) rows[i + j * own->count] = frame[3 * j + own->axis[i]];
    return true;
}


// Friction acts along what is free; without a free normal there is no contact.
static void held(void **state)
{
    static const struct {
        int count, axis[3], dimension;
    } CASE[] = {{3, {0, 1, 2}, 3}, {2, {1, 2}, 2}, {2, {0, 2}, 2}, {1, {2}, 1}, {2, {0, 1}, 0}};
    rico_context *ctx = *state;
    rico_mesh *mesh = grid_box((int64_t[]){1, 1, 1}, (double[]){0, 0, 0}, (double[]){1, 1, 1});
    rico_shape *ground;
    assert_ok(ctx, rico_shape_create(ctx, "plane", NULL, 0, &ground));
    for (size_t k = 0; k < sizeof CASE / sizeof *CASE; k++) {
        rails own = {.mesh = mesh, .count = CASE[k].count};
        memcpy(own.axis, CASE[k].axis, sizeof own.axis);
        rico_system *system;
        rico_assembly *assembly;
        double zero[24] = {0.0};
        bool changed;
        assert_ok(ctx, rico_system_create(ctx, &system));
        const rico_callback_part part = {.size = own.count * mesh->nodes,
                                         .constant_mass = true,
                                         .mass = unit_mass,
                                         .user = &own,
                                         .point_reach = own.count,
                                         .point = rail_point,
                                         .point_dofs = rail_dofs,
                                         .point_rows = rail_rows};
        assert_ok(ctx, rico_system_add_callbacks(system, "rails", &part, NULL));
        // tangents at an angle to the axes
        const rico_touch_shape against = {.shape = ground,
                                          .stand = {.orientation = {cos(0.3), 0.0, 0.0, sin(0.3)}}};
        assert_ok(ctx, rico_system_touch_shape(system, "ground", &(rico_touch_side){0, mesh, "bottom"},
                                               &against, &ROUGH));
        assert_ok(ctx, rico_system_complete(system));
        assert_ok(ctx, rico_assembly_create(ctx, system, &assembly));
        assert_ok(ctx, rico_assembly_collect(assembly, 0.0, 0.0, zero, zero, &changed));
        assert_int_equal(assembly->set.count, CASE[k].dimension ? 4 : 0);
        for (int64_t c = 0; c < assembly->set.count; c++) {
            const rico_emitted *between = &assembly->set.constraint[c]->between;
            assert_int_equal(between->dimension, CASE[k].dimension);
            assert_near(between->friction, CASE[k].dimension > 1 ? 0.3 : 0.0, 0.0);
            if (CASE[k].dimension == 2) assert_near(fabs(between->frame[3 + own.axis[0]]), 1.0, 1e-15);
        }
        rico_assembly_destroy(assembly);
        rico_system_destroy(system);
    }
    rico_shape_destroy(ground);
    grid_destroy(mesh);
}


// --- refusals, memory ------------------------------------------------------------------------------------------------

static void refused(void **state)
{
    rico_context *ctx = *state;
    scene s = begin(ctx, 3);
    rico_shape *disc, *plate;
    assert_ok(ctx, rico_shape_create(ctx, "disc", (double[]){1.0}, 1, &disc));
    assert_ok(ctx, rico_shape_create(ctx, "plane", NULL, 0, &plate));
    const rico_touch_side side = {0, s.own.mesh, "bottom"}, none = {0, s.own.mesh, "lid"},
                          far = {3, s.own.mesh, "top"};
    const rico_touch_shape flat = {.shape = disc, .stand = rico_stand_at(0, 0, 0)},
                           good = {.shape = plate, .stand = rico_stand_at(0, 0, 0)};
    const rico_touch how = {0}, bad = {.margin = -1.0};
    assert_int_equal(rico_system_touch_shape(s.system, "a", &none, &good, &how), RICO_BAD_ARGUMENT);
    assert_non_null(strstr(rico_message(ctx), "no group 'lid'"));
    assert_int_equal(rico_system_touch_shape(s.system, "a", &far, &good, &how), RICO_BAD_ARGUMENT);
    assert_non_null(strstr(rico_message(ctx), "part 3"));
    assert_int_equal(rico_system_touch_shape(s.system, "a", &side, &flat, &how), RICO_BAD_ARGUMENT);
    assert_non_null(strstr(rico_message(ctx), "disc"));
    assert_int_equal(rico_system_touch_shape(s.system, "a", &side, &(rico_touch_shape){.shape = plate}, &how),
                     RICO_BAD_ARGUMENT);
    assert_int_equal(rico_system_touch_shape(s.system, "a", &side, &good, &bad), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_system_touch_shape(s.system, "a", &side,
                                             &(rico_touch_shape){.stand = rico_stand_at(0, 0, 0)}, &how),
                     RICO_BAD_ARGUMENT);
    assert_int_equal(rico_system_touch_surface(s.system, "a", &side, NULL, NULL, false, &how),
                     RICO_BAD_ARGUMENT);
    // nodes that the part has not
    s.own.mesh->group[0].cell[0] = 0, s.own.mesh->node[s.own.mesh->start[0]] = 4000;
    s.own.mesh->nodes = 4001;
    s.own.mesh->position = realloc(s.own.mesh->position, 3 * 4001 * sizeof(double));
    memset(s.own.mesh->position, 0, 3 * 4001 * sizeof(double));
    assert_int_equal(rico_system_touch_shape(s.system, "a", &side, &good, &how), RICO_BAD_ARGUMENT);
    assert_non_null(strstr(rico_message(ctx), "item 4000"));
    assert_int_equal(rico_system_sources(s.system), 0);
    end(&s);
    rico_shape_destroy(disc);
    rico_shape_destroy(plate);
}


static rico_status act(rico_context *ctx, void *user)
{
    const elastic_block *own = user;
    rico_system *system = NULL;
    rico_assembly *assembly = NULL;
    rico_shape *ground = NULL;
    const rico_touch how = {.law = {.friction = 0.3}, .margin = 10.0};
    const rico_touch_side side = {0, own->mesh, "bottom"};
    double state[200] = {0.0};
    bool changed;
    rico_status status = rico_system_create(ctx, &system);
    if (status == RICO_OK) status = rico_shape_create(ctx, "plane", NULL, 0, &ground);
    if (status == RICO_OK) status = block_add(system, "block", own, 1.0, 1.0, NULL);
    const rico_touch_shape against = {.shape = ground, .stand = rico_stand_at(0.0, 0.0, 0.0)};
    if (status == RICO_OK) status = rico_system_touch_shape(system, "ground", &side, &against, &how);
    if (status == RICO_OK) status = rico_system_touch_surface(system, "bowl", &side, bowl, NULL, true, &how);
    if (status == RICO_OK) status = rico_system_complete(system);
    if (status == RICO_OK) status = rico_assembly_create(ctx, system, &assembly);
    if (status == RICO_OK) status = rico_assembly_collect(assembly, 0.0, 0.0, state, state, &changed);
    rico_assembly_destroy(assembly);
    rico_system_destroy(system);
    rico_shape_destroy(ground);
    return status;
}


static void memory(void **state)
{
    (void)state;
    elastic_block own =
        block_make(grid_box((int64_t[]){2, 1, 1}, (double[]){0, 0, 0}, (double[]){1, 1, 1}), 0.3);
    assert_true(every_allocation_fails(act, &own) > 30);
    block_destroy(&own);
}


static int start(void **state)
{
    *state = rico_context_create(NULL);
    return *state == NULL;
}


static int stop(void **state)
{
    rico_context_destroy(*state);
    return 0;
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plane), cmocka_unit_test(body),    cmocka_unit_test(moved),
        cmocka_unit_test(notch), cmocka_unit_test(surface), cmocka_unit_test(drop),
        cmocka_unit_test(held),  cmocka_unit_test(refused), cmocka_unit_test(memory)};
    return cmocka_run_group_tests(tests, start, stop);
}
