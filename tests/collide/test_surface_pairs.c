// Surfaces against every kind of shape: a convex solid in triangles must be what the same solid is as a polytope, and a ridged height field
// what the solid below it is. RICO_PAIRS sets how many pairs of each kind; by default a few hundred.

#include "one_context.h"

#include "collide/polytope.h"
#include "la/mat3.h"
#include "la/quaternion.h"
#include "la/vec3.h"

static rico_random random_state;


static int64_t pairs(void)
{
    const char *given = getenv("RICO_PAIRS");
    return given ? atoll(given) : 300;
}


static double uniform(double low, double high)
{
    return rico_random_range(&random_state, low, high);
}


static void random_direction(double n[3])
{
    do
        for (int i = 0; i < 3; i++) n[i] = rico_random_normal(&random_state);
    while (!rico_vec3_normalise(n));
}


static rico_shape *random_hull(double size)
{
    double point[3 * 24];
    int64_t count = 4 + rico_random_below(&random_state, 21);
    rico_shape *shape;
    for (int64_t k = 0; k < count; k++) {
        random_direction(&point[3 * k]);
        rico_vec3_scale(0.5 * size * uniform(0.6, 1.0), &point[3 * k], &point[3 * k]);
    }
    if (rico_shape_hull(ctx, point, count, &shape) != RICO_OK) return random_hull(size);
    return shape;
}


static rico_shape *sized(const char *kind, int count, double size)
{
    double sizes[3] = {size * uniform(0.2, 0.6), size * uniform(0.2, 0.6), size * uniform(0.2, 0.6)};
    rico_shape *shape;
    assert_ok(ctx, rico_shape_create(ctx, kind, sizes, count, &shape));
    return shape;
}


// The faces of a polytope as a mesh.
static rico_shape *in_triangles(const rico_shape *hull)
{
    const rico_polytope *p = rico_polytope_of(hull);
    int64_t triangle[3 * 300], count = 0;
    rico_shape *mesh;
    for (int32_t f = 0; f < p->faces; f++)
        for (int32_t k = p->loop[f] + 1; k + 1 < p->loop[f + 1]; k++, count++) {
            triangle[3 * count] = p->loop_vertex[p->loop[f]];
            triangle[3 * count + 1] = p->loop_vertex[k];
            triangle[3 * count + 2] = p->loop_vertex[k + 1];
        }
    assert_ok(ctx, rico_shape_mesh(ctx, p->vertex, p->vertices, triangle, count, &mesh));
    return mesh;
}


// A shape as it is, and the convex polytope it stands for.
typedef struct double_shape {
    rico_shape *real, *convex;
} double_shape;


typedef struct kind {
    const char *name;
    int sizes; // -1: not by sizes
} kind;

static const kind KINDS[] = {{"sphere", 1}, {"capsule", 2}, {"cylinder", 2}, {"cone", 2}, {"ellipsoid", 3},
                             {"box", 3},    {"hull", -1},   {"mesh", -1},    {"plane", 0}};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS, OF_HULL = 6, OF_MESH = 7 };


static double_shape make(int k, double size)
{
    double_shape it = {NULL, NULL};
    if (KINDS[k].sizes >= 0)
        it.convex = sized(KINDS[k].name, KINDS[k].sizes, size);
    else
        it.convex = random_hull(size);
    it.real = k == OF_MESH ? in_triangles(it.convex) : it.convex;
    return it;
}


static void destroy(double_shape it)
{
    if (it.real != it.convex) rico_shape_destroy(it.real);
    rico_shape_destroy(it.convex);
}


static const double GAPS[] = {1e-1, 1e-3, 1e-6, 1e-9, 1e-12, 0.0, -1e-12, -1e-9, -1e-6, -1e-3};
enum { GAP_COUNT = sizeof GAPS / sizeof *GAPS };


// Puts b beside a at random and pushes it along the normal until they are `gap` apart; what that is exactly the convex ones say.
static void place(const rico_shape *a, const rico_shape *b, double size, double gap, bool flat,
                  rico_stand *at_a, rico_stand *at_b, rico_nearest *near)
{
    rico_stand *stand[2] = {at_a, at_b};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 4; i++) stand[k]->orientation[i] = rico_random_normal(&random_state);
        assert_true(rico_quaternion_normalise(stand[k]->orientation));
        for (int i = 0; i < 3; i++) stand[k]->position[i] = uniform(-0.5, 0.5) * size;
    }
    if (flat) *at_a = rico_stand_at(0.0, 0.0, 0.0);
    double away[3];
    random_direction(away);
    if (flat) away[2] = fabs(away[2]) + 2.0, away[0] *= 0.3, away[1] *= 0.3;
    rico_vec3_normalise(away);
    rico_vec3_add_scaled(4.0 * size, away, at_b->position);
    for (int pass = 0; pass < 3; pass++) {
        assert_ok(ctx, rico_distance(ctx, a, at_a, b, at_b, near));
        rico_vec3_add_scaled(gap * size - near->gap, near->normal, at_b->position);
    }
    assert_ok(ctx, rico_distance(ctx, a, at_a, b, at_b, near));
}


typedef struct worst {
    double gap, normal;
    double deep; // by how much the error of a depth is above that depth, of the size
    int64_t lost;
} worst;


static void compare(const rico_shape *a, const rico_stand *at_a, const rico_shape *b, const rico_stand *at_b,
                    const rico_nearest *is, double size, const char *what, worst *w)
{
    rico_nearest near, back;
    rico_meeting m[256];
    int64_t count;
    double d[3], least = INFINITY, margin = fmax(is->gap, 0.0) + 1e-6 * size;
    rico_status status = rico_distance(ctx, a, at_a, b, at_b, &near);
    if (status == RICO_OK) status = rico_distance(ctx, b, at_b, a, at_a, &back);
    assert_ok(ctx, rico_meetings(ctx, a, at_a, b, at_b, margin, 256, m, &count));
    for (int64_t k = 0; k < count && k < 256; k++) {
        least = fmin(least, m[k].gap);
        for (int64_t j = 0; j < k; j++)
            assert_false(m[j].feature_a == m[k].feature_a && m[j].feature_b == m[k].feature_b);
    }
    if (status != RICO_OK || count == 0) {
        w->lost++;
        print_message("%s at %g: lost (%s), %lld contacts\n", what, is->gap / size,
                      status == RICO_OK ? "no" : "yes", (long long)count);
        return;
    }
    double error =
        fmax(fabs(near.gap - is->gap), fmax(fabs(back.gap - is->gap), fabs(least - is->gap))) / size;
    rico_vec3_subtract(near.normal, is->normal, d);
    // near, contacts that are as near to round-off have normals of their own; in each other there may be several
    bool unique = is->gap > 1e-4 * size;
    double known = 1e-13 + 8e-15 * size / fmax(is->gap, 1e-300), turned = rico_vec3_norm(d);
    // in each other, what the triangles say may be a longer way than the shortest, or that of what overlaps alone
    if (is->gap < -1e-13 * size && near.gap < 0.0) {
        w->deep = fmax(w->deep, error - fabs(is->gap) / size);
        return;
    }
    if (error > 1e-14 || (unique && turned > known))
        print_message(
            "%s at %.3g: gap off by %g (nearest %g, back %g, contacts %g), normal %g, known to %g\n", what,
            is->gap / size, error, near.gap - is->gap, back.gap - is->gap, least - is->gap, turned, known);
    w->gap = fmax(w->gap, error);
    if (unique) w->normal = fmax(w->normal, turned / known);
}


static void convex_solids(void **state)
{
    (void)state;
    rico_random_seed(&random_state, 31);
    bool good = true;
    for (int k = 0; k < KIND_COUNT; k++) {
        worst w = {0};
        double_shape a = {NULL, NULL}, b = {NULL, NULL};
        double size = 1.0;
        for (int64_t i = 0; i < pairs(); i++) {
            if (i % 50 == 0) {
                destroy(a);
                destroy(b);
                size = pow(10.0, uniform(-3.0, 3.0));
                a = make(OF_MESH, size);
                b = make(k, size * uniform(0.3, 2.0));
            }
            rico_stand at_a = {0}, at_b = {0};
            rico_nearest near;
            place(a.convex, b.convex, size, GAPS[i % GAP_COUNT], false, &at_a, &at_b, &near);
            compare(a.real, &at_a, b.real, &at_b, &near, 2.0 * size, KINDS[k].name, &w);
        }
        destroy(a);
        destroy(b);
        if (getenv("RICO_PAIRS"))
            print_message("mesh-%s: gap %.2g of the size, normal %.2g of what is known, depth worse by %.2g, "
                          "lost %lld\n",
                          KINDS[k].name, w.gap, w.normal, w.deep, (long long)w.lost);
        good = good && w.lost == 0 && w.gap <= 1e-14 && w.normal <= 1.0 && (k == OF_MESH || w.deep <= 1e-4);
    }
    assert_true(good);
}


// A roof: heights that fall off on both sides of a ridge by more and more, and the solid below it.
static double_shape roof(double size)
{
    enum { NX = 7, NY = 4 };
    double height[NX * NY], point[6 * NX], fall[NX], dx = size / (NX - 1);
    double_shape it;
    // concave: differences that only fall
    double step = uniform(0.2, 0.8) * dx;
    fall[0] = 0.0;
    for (int i = 1; i < NX; i++) {
        fall[i] = fall[i - 1] + step;
        step -= uniform(0.05, 0.3) * dx;
    }
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) height[i + j * NX] = fall[i];
    assert_ok(ctx, rico_shape_height_field(ctx, NX, NY, dx, size / (NY - 1), height, &it.real));
    for (int i = 0; i < NX; i++)
        for (int side = 0; side < 2; side++)
            rico_vec3_set((i - 0.5 * (NX - 1)) * dx, side ? 0.5 * size : -0.5 * size, fall[i],
                          &point[3 * (2 * i + side)]);
    assert_ok(ctx, rico_shape_hull(ctx, point, 2 * NX, &it.convex));
    return it;
}


static void height_fields(void **state)
{
    (void)state;
    rico_random_seed(&random_state, 32);
    bool good = true;
    for (int k = 0; k < KIND_COUNT - 1; k++) {
        worst w = {0};
        double_shape a = {NULL, NULL}, b = {NULL, NULL};
        double size = 1.0;
        for (int64_t i = 0; i < pairs(); i++) {
            if (i % 50 == 0) {
                destroy(a);
                destroy(b);
                size = pow(10.0, uniform(-3.0, 3.0));
                a = roof(size);
                b = make(k, size * uniform(0.2, 0.8));
            }
            rico_stand at_a = {0}, at_b = {0};
            rico_nearest near;
            place(a.convex, b.convex, size, GAPS[i % GAP_COUNT], true, &at_a, &at_b, &near);
            if (near.normal[2] < 0.1) continue; // not from above
            compare(a.real, &at_a, b.real, &at_b, &near, 2.0 * size, KINDS[k].name, &w);
        }
        destroy(a);
        destroy(b);
        if (getenv("RICO_PAIRS"))
            print_message("height-field-%s: gap %.2g of the size, normal %.2g of what is known, depth to "
                          "%.2g, lost %lld\n",
                          KINDS[k].name, w.gap, w.normal, w.deep, (long long)w.lost);
        good = good && w.lost == 0 && w.gap <= 1e-14 && w.normal <= 1.0 && (k == OF_MESH || w.deep <= 1e-4);
    }
    assert_true(good);
}


// A body wholly inside a closed mesh is pushed out over the nearest side, whatever it is.
static void inside_a_solid(void **state)
{
    (void)state;
    rico_shape *box, *cube;
    const double side[3] = {2.0, 2.0, 2.0};
    rico_random_seed(&random_state, 33);
    assert_ok(ctx, rico_shape_create(ctx, "box", side, 3, &box));
    cube = in_triangles(box);
    for (int64_t i = 0; i < pairs(); i++) {
        int k = (int)(i % (KIND_COUNT - 1));
        double_shape body = make(k, 0.3);
        rico_stand origin = rico_stand_at(0.0, 0.0, 0.0), at = origin;
        for (int j = 0; j < 4; j++) at.orientation[j] = rico_random_normal(&random_state);
        rico_quaternion_normalise(at.orientation);
        for (int j = 0; j < 3; j++) at.position[j] = uniform(-0.6, 0.6);
        double lower[3], upper[3], least = INFINITY;
        rico_shape_bounds(body.real, &at, lower, upper);
        for (int j = 0; j < 3; j++) least = fmin(least, fmin(1.0 - lower[j], 1.0 + upper[j]));
        rico_meeting m[64];
        int64_t count;
        assert_ok(ctx, rico_meetings(ctx, cube, &origin, body.real, &at, 0.01, 64, m, &count));
        if (count != 1) fail_msg("%s: %lld contacts inside", KINDS[k].name, (long long)count);
        assert_near(m[0].gap, -least, 1e-14);
        // and gone once it is outside, though within the box of the mesh's own axes turned
        rico_vec3_add_scaled(least + 0.02, m[0].normal, at.position);
        assert_ok(ctx, rico_meetings(ctx, cube, &origin, body.real, &at, 0.01, 64, m, &count));
        assert_int_equal(count, 0);
        destroy(body);
    }
    rico_shape_destroy(cube);
    rico_shape_destroy(box);
}


// Neither inside nor outside by more than the place: a point in the notch of a solid that is not convex is free.
static void in_a_notch(void **state)
{
    (void)state;
    // a block with a notch along y, cut from above: its outline in x and z, and two ends
    static const double X[] = {-2, 2, 2, 1, 1, -1, -1, -2}, Z[] = {-1, -1, 1, 1, 0, 0, 1, 1};
    static const int64_t END[] = {0, 1, 4, 0, 4, 5, 1, 2, 3, 1, 3, 4, 0, 5, 6, 0, 6, 7};
    double vertex[48];
    int64_t face[3 * 28], count = 0, contacts;
    rico_shape *solid, *ball;
    for (int v = 0; v < 8; v++)
        for (int s = 0; s < 2; s++) rico_vec3_set(X[v], s ? 2.0 : -2.0, Z[v], &vertex[3 * (v + 8 * s)]);
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < 6; k++, count++)
            for (int i = 0; i < 3; i++) face[3 * count + i] = 8 * s + END[3 * k + (s ? 2 - i : i)];
    for (int v = 0; v < 8; v++) {
        int64_t w = (v + 1) % 8, quad[6] = {v, v + 8, w + 8, v, w + 8, w};
        for (int k = 0; k < 6; k++) face[3 * count + k] = quad[k];
        count += 2;
    }
    assert_ok(ctx, rico_shape_mesh(ctx, vertex, 16, face, count, &solid));
    assert_ok(ctx, rico_shape_create(ctx, "sphere", (double[]){0.3}, 1, &ball));
    rico_meeting m[16];
    rico_stand origin = rico_stand_at(0.0, 0.0, 0.0), free = rico_stand_at(0.0, 0.3, 0.5),
               within = rico_stand_at(1.5, 0.3, 0.4);
    assert_ok(ctx, rico_meetings(ctx, solid, &origin, ball, &free, 0.01, 16, m, &contacts));
    assert_int_equal(contacts, 0);
    assert_ok(ctx, rico_meetings(ctx, solid, &origin, ball, &within, 0.01, 16, m, &contacts));
    assert_int_equal(contacts, 1);
    assert_near(m[0].gap, -0.8, 1e-15);
    rico_shape_destroy(ball);
    rico_shape_destroy(solid);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convex_solids),
        cmocka_unit_test(height_fields),
        cmocka_unit_test(inside_a_solid),
        cmocka_unit_test(in_a_notch),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
