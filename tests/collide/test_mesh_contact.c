// Surfaces of triangles: what is refused, mass, and contacts that know nothing of the lines between triangles of one plane.

#include "failing_memory.h"
#include "one_context.h"

#include "collide/surface.h"
#include "la/mat3.h"
#include "la/quaternion.h"
#include "la/vec3.h"

static rico_random random_state;


// A cube of side 2 about the origin.
static const double CUBE[24] = {-1, -1, -1, 1, -1, -1, 1, 1, -1, -1, 1, -1,
                                -1, -1, 1,  1, -1, 1,  1, 1, 1,  -1, 1, 1};
static const int64_t CUBE_FACES[36] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                       1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};


static void refused(const double *vertex, int64_t vertices, const int64_t *triangle, int64_t triangles,
                    const char *words)
{
    rico_shape *shape = NULL;
    assert_int_equal(rico_shape_mesh(ctx, vertex, vertices, triangle, triangles, &shape), RICO_BAD_ARGUMENT);
    assert_null(shape);
    if (!strstr(rico_message(ctx), words)) fail_msg("'%s' does not say '%s'", rico_message(ctx), words);
}


static void wrong_meshes(void **state)
{
    (void)state;
    int64_t face[39];
    double vertex[30];
    memcpy(face, CUBE_FACES, sizeof CUBE_FACES);
    memcpy(vertex, CUBE, sizeof CUBE);
    refused(CUBE, 8, face, 0, "is none");
    face[5] = 8;
    refused(CUBE, 8, face, 12, "triangle 2 of a mesh has vertex 9");
    face[5] = -1;
    refused(CUBE, 8, face, 12, "triangle 2 of a mesh has vertex 0");
    face[5] = 3;
    refused(CUBE, 8, face, 12, "triangle 2 of a mesh has no area");
    // one triangle the wrong way round
    face[5] = 2;
    face[3] = 3, face[4] = 0;
    refused(CUBE, 8, face, 12, "disagree on which side is outside");
    // all of them
    for (int k = 0; k < 36; k++) face[k] = CUBE_FACES[k % 3 == 0 ? k : k % 3 == 1 ? k + 1 : k - 1];
    refused(CUBE, 8, face, 12, "inside out");
    // folded flat along an edge
    static const double FOLD[] = {0, 0, 0, 1, 0, 0, 0.2, 1, 0, 0.7, 0.8, 0};
    static const int64_t FOLDED[] = {0, 1, 2, 1, 0, 3};
    refused(FOLD, 4, FOLDED, 2, "folded onto each other");
    // a fin on an edge
    memcpy(face, CUBE_FACES, sizeof CUBE_FACES);
    face[36] = 0, face[37] = 1, face[38] = 8;
    rico_vec3_set(0.0, -3.0, -3.0, &vertex[24]);
    refused(vertex, 9, face, 13, "share one edge");
    // a triangle through a side
    face[36] = 8, face[37] = 9, face[38] = 10;
    double crossed[33];
    memcpy(crossed, CUBE, sizeof CUBE);
    rico_vec3_set(0.0, 0.1, 0.0, &crossed[24]);
    rico_vec3_set(3.0, 0.2, 0.3, &crossed[27]);
    rico_vec3_set(3.0, 0.4, 0.8, &crossed[30]);
    refused(crossed, 11, face, 13, "cross each other");
    vertex[4] = NAN;
    refused(vertex, 8, CUBE_FACES, 12, "vertex 2 of a mesh is not finite");
}


static void mass_of_a_closed_mesh(void **state)
{
    (void)state;
    rico_shape *shape;
    rico_mass_properties unit;
    double moved[24];
    for (int k = 0; k < 24; k++) moved[k] = CUBE[k] * (1.0 + k % 3) + 0.5 * (k % 3);
    assert_ok(ctx, rico_shape_mesh(ctx, moved, 8, CUBE_FACES, 12, &shape));
    assert_ok(ctx, rico_shape_mass(ctx, shape, &unit));
    assert_near(unit.mass, 48.0, 1e-13);
    for (int i = 0; i < 3; i++) assert_near(unit.center[i], 0.5 * i, 1e-15);
    assert_near(unit.inertia[0], 48.0 * (16.0 + 36.0) / 12.0, 1e-12);
    assert_near(unit.inertia[4], 48.0 * (4.0 + 36.0) / 12.0, 1e-12);
    assert_near(unit.inertia[8], 48.0 * (4.0 + 16.0) / 12.0, 1e-12);
    assert_near(unit.inertia[1], 0.0, 1e-13);
    rico_shape_destroy(shape);
    // without its lid it is a skin
    assert_ok(ctx, rico_shape_mesh(ctx, moved, 8, CUBE_FACES, 11, &shape));
    assert_int_equal(rico_shape_mass(ctx, shape, &unit), RICO_BAD_ARGUMENT);
    rico_shape_destroy(shape);
}


// A flat floor of many triangles whose corners stand anywhere in the plane.
static rico_shape *floor_of_triangles(int n, double size)
{
    double *vertex = malloc(3 * (size_t)(n + 1) * (size_t)(n + 1) * sizeof *vertex);
    int64_t *face = malloc(6 * (size_t)n * (size_t)n * sizeof *face);
    rico_shape *shape;
    for (int j = 0; j <= n; j++)
        for (int i = 0; i <= n; i++) {
            bool rim = i == 0 || j == 0 || i == n || j == n;
            double shake = rim ? 0.0 : 0.24; // from 0.25 on a triangle may fold over
            double *x = &vertex[3 * (i + j * (n + 1))];
            x[0] = size * ((i + shake * rico_random_range(&random_state, -1.0, 1.0)) / n - 0.5);
            x[1] = size * ((j + shake * rico_random_range(&random_state, -1.0, 1.0)) / n - 0.5);
            x[2] = 0.0;
        }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            int64_t *t = &face[6 * (i + j * n)], here = i + j * (n + 1), up = here + n + 1;
            t[0] = here, t[1] = here + 1, t[2] = up + 1;
            t[3] = here, t[4] = up + 1, t[5] = up;
        }
    assert_ok(ctx, rico_shape_mesh(ctx, vertex, (n + 1) * (n + 1), face, 2 * n * n, &shape));
    free(vertex);
    free(face);
    return shape;
}


// A polytope anywhere on a floor of triangles has the contacts that it has on a half-space, no more and no less.
static void floor_is_a_plane(void **state)
{
    (void)state;
    rico_shape *ground = floor_of_triangles(12, 10.0), *body[2];
    double point[60];
    assert_ok(ctx, rico_shape_create(ctx, "box", (double[]){1.0, 0.6, 0.4}, 3, &body[0]));
    for (int k = 0; k < 60; k++) point[k] = rico_random_range(&random_state, -0.5, 0.5);
    assert_ok(ctx, rico_shape_hull(ctx, point, 20, &body[1]));
    for (int trial = 0; trial < 3000; trial++) {
        const rico_shape *it = body[trial % 2];
        rico_stand origin = rico_stand_at(0.0, 0.0, 0.0), at = origin;
        rico_meeting m[128];
        int64_t count, expected = 0;
        double tilt = trial % 4 < 2 ? 0.0 : pow(10.0, rico_random_range(&random_state, -9.0, 0.0)),
               lowest = INFINITY;
        double phi[3] = {tilt * rico_random_normal(&random_state), tilt * rico_random_normal(&random_state),
                         rico_random_range(&random_state, -3.0, 3.0)};
        rico_quaternion_exp(phi, at.orientation);
        for (int i = 0; i < 2; i++) at.position[i] = rico_random_range(&random_state, -3.5, 3.5);
        rico_pose pose;
        rico_pose_of(&at, &pose);
        const rico_polytope *p = rico_polytope_of(it);
        for (int32_t v = 0; v < p->vertices; v++) {
            double x[3];
            rico_pose_point(&pose, &p->vertex[3 * v], x);
            lowest = fmin(lowest, x[2]);
        }
        static const double GAPS[] = {1e-3, 1e-9, 0.0, -1e-9, -1e-3};
        at.position[2] = -lowest + GAPS[trial % 5];
        rico_pose_of(&at, &pose);
        double margin = 0.01;
        for (int32_t v = 0; v < p->vertices; v++) {
            double x[3];
            rico_pose_point(&pose, &p->vertex[3 * v], x);
            expected += x[2] <= margin;
        }
        assert_ok(ctx, rico_meetings(ctx, ground, &origin, it, &at, margin, 128, m, &count));
        if (count != expected)
            fail_msg("trial %d: %lld contacts on the mesh, %lld on the plane", trial, (long long)count,
                     (long long)expected);
        for (int64_t k = 0; k < count; k++) {
            double x[3];
            assert_true(m[k].normal[0] == 0.0 && m[k].normal[1] == 0.0 && m[k].normal[2] == 1.0);
            assert_in_range(m[k].feature_b, 0, p->vertices - 1);
            rico_pose_point(&pose, &p->vertex[3 * m[k].feature_b], x);
            assert_near(m[k].gap, x[2], 1e-15);
        }
    }
    rico_shape_destroy(ground);
    rico_shape_destroy(body[0]);
    rico_shape_destroy(body[1]);
}


// A cube of triangles, each side cut into many, against a box: as the same cube in one piece.
static rico_shape *cut_cube(int n)
{
    double *vertex = malloc(18 * (size_t)(n + 1) * (size_t)(n + 1) * sizeof *vertex);
    int64_t *face = malloc(36 * (size_t)n * (size_t)n * sizeof *face), triangles = 0, vertices = 0;
    rico_shape *shape;
    for (int side = 0; side < 6; side++) {
        int axis = side / 2, u = (axis + 1) % 3, w = (axis + 2) % 3;
        bool up = side % 2;
        int64_t base = vertices;
        for (int j = 0; j <= n; j++)
            for (int i = 0; i <= n; i++) {
                double *x = &vertex[3 * vertices++];
                x[axis] = up ? 1.0 : -1.0;
                x[u] = 2.0 * i / n - 1.0;
                x[w] = 2.0 * j / n - 1.0;
            }
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                int64_t a = base + i + j * (n + 1), b = a + 1, d = a + n + 1, c = d + 1;
                int64_t quad[6] = {a, b, c, a, c, d};
                for (int k = 0; k < 6; k++) face[3 * triangles + (up ? k : 5 - k)] = quad[k];
                triangles += 2;
            }
    }
    assert_ok(ctx, rico_shape_mesh(ctx, vertex, vertices, face, triangles, &shape));
    free(vertex);
    free(face);
    return shape;
}


static void cube_of_triangles(void **state)
{
    (void)state;
    rico_shape *whole, *body, *cut = cut_cube(5);
    assert_ok(ctx, rico_shape_create(ctx, "box", (double[]){2.0, 2.0, 2.0}, 3, &whole));
    assert_ok(ctx, rico_shape_create(ctx, "box", (double[]){1.0, 1.5, 0.7}, 3, &body));
    const rico_surface *s = rico_surface_of(cut);
    int corners = 0, ridges = 0;
    for (int32_t v = 0; v < s->mesh->vertices; v++) corners += s->corner[v];
    for (int32_t e = 0; e < s->mesh->edges; e++) ridges += s->ridge[e];
    assert_int_equal(corners, 8);
    assert_int_equal(ridges, 60);
    for (int trial = 0; trial < 3000; trial++) {
        rico_stand origin = rico_stand_at(0.0, 0.0, 0.0), at = origin;
        rico_nearest near;
        for (int i = 0; i < 4; i++) at.orientation[i] = rico_random_normal(&random_state);
        for (int i = 0; i < 3; i++) at.position[i] = rico_random_range(&random_state, -2.0, 2.0);
        rico_quaternion_normalise(at.orientation);
        assert_ok(ctx, rico_distance(ctx, whole, &origin, body, &at, &near));
        if (near.gap < -0.3) continue;
        // down to a small gap of either sign along the normal
        static const double GAPS[] = {1e-3, 1e-6, -1e-9, -1e-4};
        double gap = GAPS[trial % 4];
        if (near.gap <= 0.0) {
            rico_vec3_add_scaled(gap - near.gap, near.normal, at.position);
            assert_ok(ctx, rico_distance(ctx, whole, &origin, body, &at, &near));
        }
        rico_meeting m[128];
        int64_t count;
        double least = INFINITY, normal[3] = {0.0, 0.0, 0.0};
        assert_ok(ctx,
                  rico_meetings(ctx, cut, &origin, body, &at, fmax(near.gap, 0.0) + 1e-3, 128, m, &count));
        for (int64_t k = 0; k < count; k++)
            if (m[k].gap < least) {
                least = m[k].gap;
                rico_vec3_copy(m[k].normal, normal);
            }
        if (!(fabs(least - near.gap) <= 4e-15))
            fail_msg("trial %d: %lld contacts, least gap %.17g, of the box %.17g, normal %g %g %g against %g "
                     "%g %g",
                     trial, (long long)count, least, near.gap, normal[0], normal[1], normal[2],
                     near.normal[0], near.normal[1], near.normal[2]);
    }
    rico_shape_destroy(whole);
    rico_shape_destroy(cut);
    rico_shape_destroy(body);
}


// Round shapes on a floor of triangles: the gap and the normal of the plane, wherever the lines between the triangles run.
static void round_on_a_floor(void **state)
{
    (void)state;
    static const struct {
        const char *kind;
        double size[3];
        int sizes;
    } ROUND[] = {{"sphere", {0.4}, 1},
                 {"capsule", {0.2, 0.7}, 2},
                 {"cylinder", {0.3, 0.5}, 2},
                 {"ellipsoid", {0.3, 0.5, 0.4}, 3}};
    rico_shape *ground = floor_of_triangles(12, 10.0), *plane, *body[4];
    assert_ok(ctx, rico_shape_create(ctx, "plane", NULL, 0, &plane));
    for (int k = 0; k < 4; k++)
        assert_ok(ctx, rico_shape_create(ctx, ROUND[k].kind, ROUND[k].size, ROUND[k].sizes, &body[k]));
    const rico_polytope *mesh = rico_surface_of(ground)->mesh;
    for (int trial = 0; trial < 2000; trial++) {
        const rico_shape *it = body[trial % 4];
        rico_stand origin = rico_stand_at(0.0, 0.0, 0.0), at = origin;
        rico_nearest near;
        rico_meeting m[64];
        int64_t count;
        for (int i = 0; i < 4; i++) at.orientation[i] = rico_random_normal(&random_state);
        rico_quaternion_normalise(at.orientation);
        for (int i = 0; i < 2; i++) at.position[i] = rico_random_range(&random_state, -3.5, 3.5);
        // spheres exactly over a vertex now and then
        if (trial % 12 == 0) rico_vec3_copy(&mesh->vertex[3 * (14 + trial % 100)], at.position);
        at.position[2] = 0.4;
        assert_ok(ctx, rico_distance(ctx, plane, &origin, it, &at, &near));
        static const double GAPS[] = {1e-3, 1e-9, 0.0, -1e-9, -1e-2};
        at.position[2] += GAPS[trial % 5] - near.gap;
        assert_ok(ctx, rico_distance(ctx, plane, &origin, it, &at, &near));
        assert_ok(ctx,
                  rico_meetings(ctx, ground, &origin, it, &at, fmax(near.gap, 0.0) + 1e-4, 64, m, &count));
        double least = INFINITY;
        for (int64_t k = 0; k < count; k++) {
            least = fmin(least, m[k].gap);
            if (!(fabs(m[k].normal[2] - 1.0) < 1e-13))
                fail_msg("trial %d, %s: a normal of %g %g %g", trial, it->kind->info.name, m[k].normal[0],
                         m[k].normal[1], m[k].normal[2]);
        }
        if (!(fabs(least - near.gap) <= 1e-14))
            fail_msg("trial %d, %s: %lld contacts, least gap %.17g, over the plane %.17g", trial,
                     it->kind->info.name, (long long)count, least, near.gap);
    }
    for (int k = 0; k < 4; k++) rico_shape_destroy(body[k]);
    rico_shape_destroy(plane);
    rico_shape_destroy(ground);
}


static void height_fields(void **state)
{
    (void)state;
    double height[12] = {0}, slope[12];
    rico_shape *shape, *box;
    assert_ok(ctx, rico_shape_create(ctx, "box", (double[]){0.5, 0.5, 0.5}, 3, &box));
    assert_int_equal(rico_shape_height_field(ctx, 1, 4, 1.0, 1.0, height, &shape), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_shape_height_field(ctx, 4, 3, 0.0, 1.0, height, &shape), RICO_BAD_ARGUMENT);
    height[5] = NAN;
    assert_int_equal(rico_shape_height_field(ctx, 4, 3, 1.0, 1.0, height, &shape), RICO_BAD_ARGUMENT);
    for (int k = 0; k < 12; k++) slope[k] = 0.1 * (k % 4);
    assert_ok(ctx, rico_shape_height_field(ctx, 4, 3, 1.0, 1.0, slope, &shape));
    rico_stand origin = rico_stand_at(0.0, 0.0, 0.0), at = rico_stand_at(0.1, 0.2, 0.6);
    rico_nearest near;
    assert_ok(ctx, rico_distance(ctx, shape, &origin, box, &at, &near));
    // z = 0.1 (x + 1.5), under the vertex at x = 0.35
    assert_near(near.gap, (0.35 - 0.1 * 1.85) / sqrt(1.01), 1e-15);
    rico_shape_destroy(shape);
    rico_shape_destroy(box);
}


static rico_status make_meshes(rico_context *own, void *user)
{
    (void)user;
    rico_shape *shape, *hull;
    rico_status status = rico_shape_mesh(own, CUBE, 8, CUBE_FACES, 12, &shape);
    if (status != RICO_OK) return status;
    rico_shape_destroy(shape);
    status = rico_shape_hull(own, CUBE, 8, &hull);
    if (status != RICO_OK) return status;
    rico_shape_destroy(hull);
    double height[4] = {0};
    status = rico_shape_height_field(own, 2, 2, 1.0, 1.0, height, &shape);
    if (status == RICO_OK) rico_shape_destroy(shape);
    return status;
}


static void memory_runs_out(void **state)
{
    (void)state;
    assert_true(every_allocation_fails(make_meshes, NULL) > 10);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_meshes),     cmocka_unit_test(mass_of_a_closed_mesh),
        cmocka_unit_test(floor_is_a_plane), cmocka_unit_test(cube_of_triangles),
        cmocka_unit_test(height_fields),    cmocka_unit_test(round_on_a_floor),
        cmocka_unit_test(memory_runs_out),
    };
    rico_random_seed(&random_state, 12);
    return cmocka_run_group_tests(tests, context_start, context_end);
}
