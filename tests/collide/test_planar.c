// Shapes in the plane: gap, normal, contacts and derivatives against the definition, by construction, and through touching.
//
// RICO_PAIRS sets how many random pairs are looked at (5000).

#include "one_context.h"

#include "collide/narrow.h"

typedef long double real;

enum { MOST = 9 };

// A shape with its vertices in the order of its features, as the test knows them.
typedef struct sample {
    rico_shape *shape;
    int count;
    double vertex[2 * MOST], radius;
} sample;


static double random_in(rico_random *random, double low, double high)
{
    return rico_random_range(random, low, high);
}


// A convex polygon with corners on an ellipse off the origin, in either order; or one of the other kinds.
static sample random_shape(rico_random *random, double size)
{
    sample own = {.count = 1};
    double at[2 * MOST], a = size * random_in(random, 0.3, 1.0), b = size * random_in(random, 0.3, 1.0);
    switch (rico_random_below(random, 5)) {
    case 0:
        own.radius = a;
        assert_ok(ctx, rico_shape_create(ctx, "disc", &a, 1, &own.shape));
        return own;
    case 1:
        assert_ok(ctx, rico_shape_create(ctx, "rectangle", (double[]){a, b}, 2, &own.shape));
        own.count = 4;
        memcpy(own.vertex, (double[]){-a / 2, -b / 2, a / 2, -b / 2, a / 2, b / 2, -a / 2, b / 2},
               8 * sizeof a);
        return own;
    case 2:
        assert_ok(ctx, rico_shape_create(ctx, "capsule-2d", (double[]){a / 3, b}, 2, &own.shape));
        own.count = 2;
        own.radius = a / 3;
        memcpy(own.vertex, (double[]){-b / 2, 0.0, b / 2, 0.0}, 4 * sizeof a);
        return own;
    case 3:
        assert_ok(ctx, rico_shape_create(ctx, "segment", &b, 1, &own.shape));
        own.count = 2;
        memcpy(own.vertex, (double[]){-b / 2, 0.0, b / 2, 0.0}, 4 * sizeof a);
        return own;
    default:
        own.count = 3 + (int)rico_random_below(random, MOST - 2);
        for (int i = 0; i < own.count; i++) {
            double angle = 2.0 * acos(-1.0) * (i + random_in(random, 0.1, 0.8)) / own.count;
            own.vertex[2 * i] = a * cos(angle) + 0.2 * size;
            own.vertex[2 * i + 1] = b * sin(angle) - 0.1 * size;
        }
        bool reversed = rico_random_below(random, 2);
        for (int i = 0; i < own.count; i++)
            memcpy(at + 2 * i, own.vertex + 2 * (reversed ? own.count - 1 - i : i), 2 * sizeof *at);
        assert_ok(ctx, rico_shape_polygon(ctx, at, own.count, &own.shape));
        return own;
    }
}


static rico_stand turned(double x, double y, double angle)
{
    return (rico_stand){.position = {x, y, 0.0}, .orientation = {cos(angle / 2), 0.0, 0.0, sin(angle / 2)}};
}


static void in_world(const sample *of, const rico_pose *pose, int i, real out[2])
{
    for (int k = 0; k < 2; k++)
        out[k] = (real)pose->x[k] + (real)pose->R[3 * k] * of->vertex[2 * i] +
                 (real)pose->R[3 * k + 1] * of->vertex[2 * i + 1];
}


// n.(b - a) over the cores, less the radii: what the gap is the maximum of.
static real apart(int na, real a[][2], int nb, real b[][2], const real n[2])
{
    real most = -INFINITY, least = INFINITY;
    for (int i = 0; i < na; i++) most = fmaxl(most, n[0] * a[i][0] + n[1] * a[i][1]);
    for (int j = 0; j < nb; j++) least = fminl(least, n[0] * b[j][0] + n[1] * b[j][1]);
    return least - most;
}


static void try_normal(int na, real a[][2], int nb, real b[][2], real x, real y, real *best, real normal[2])
{
    real size = hypotl(x, y);
    if (!(size > 0.0L)) return;
    for (int sign = -1; sign <= 1; sign += 2) {
        const real n[2] = {sign * x / size, sign * y / size};
        real value = apart(na, a, nb, b, n);
        if (value <= *best) continue;
        *best = value;
        memcpy(normal, n, sizeof n);
    }
}


// The definition: the maximum lies at the normal of an edge or along two vertices.
static real gap_by_definition(const sample *A, const rico_pose *at_a, const sample *B, const rico_pose *at_b,
                              real normal[2])
{
    real a[MOST][2], b[MOST][2], best = -INFINITY;
    for (int i = 0; i < A->count; i++) in_world(A, at_a, i, a[i]);
    for (int j = 0; j < B->count; j++) in_world(B, at_b, j, b[j]);
    for (int i = 0; i < A->count; i++)
        for (int j = 0; j < A->count; j++)
            try_normal(A->count, a, B->count, b, a[j][1] - a[i][1], a[i][0] - a[j][0], &best, normal);
    for (int i = 0; i < B->count; i++)
        for (int j = 0; j < B->count; j++)
            try_normal(A->count, a, B->count, b, b[j][1] - b[i][1], b[i][0] - b[j][0], &best, normal);
    for (int i = 0; i < A->count; i++)
        for (int j = 0; j < B->count; j++)
            try_normal(A->count, a, B->count, b, b[j][0] - a[i][0], b[j][1] - a[i][1], &best, normal);
    if (best == -INFINITY) try_normal(A->count, a, B->count, b, 1.0L, 0.0L, &best, normal); // one point
    return best - A->radius - B->radius;
}


static int pairs_wanted(void)
{
    const char *text = getenv("RICO_PAIRS");
    return text ? atoi(text) : 5000;
}


static const double GAPS[] = {0.1,    1e-2,  1e-4,  1e-6,  1e-9,  1e-12, 0.0,
                              -1e-12, -1e-9, -1e-6, -1e-4, -1e-2, -0.1};
enum { GAP_COUNT = sizeof GAPS / sizeof *GAPS };


// Moves B along the normal until the gap is the one asked for, in doubles; what it is then comes from the definition.
static void bring_to(const sample *A, const rico_pose *at_a, const sample *B, rico_stand *stand, double gap)
{
    for (int k = 0; k < 6; k++) {
        rico_pose pose;
        real n[2] = {1.0L, 0.0L};
        assert_true(rico_pose_of(stand, &pose));
        real now = gap_by_definition(A, at_a, B, &pose, n);
        for (int i = 0; i < 2; i++) stand->position[i] += (double)((gap - now) * n[i]);
    }
}


static void check_pair(const sample *A, const rico_stand *stand_a, const sample *B, const rico_stand *stand_b,
                       double size)
{
    rico_pose at_a, at_b;
    rico_nearest near, swapped;
    real n[2] = {1.0L, 0.0L};
    assert_true(rico_pose_of(stand_a, &at_a) && rico_pose_of(stand_b, &at_b));
    real gap = gap_by_definition(A, &at_a, B, &at_b, n);
    assert_ok(ctx, rico_distance(ctx, A->shape, stand_a, B->shape, stand_b, &near));
    assert_ok(ctx, rico_distance(ctx, B->shape, stand_b, A->shape, stand_a, &swapped));
    assert_near(near.gap, (double)gap, 1e-14 * size);
    assert_near(swapped.gap, near.gap, 1e-14 * size);
    assert_near(hypot(near.normal[0], near.normal[1]), 1.0, 1e-14);
    double core = near.gap + A->radius + B->radius;
    // directions of vertices that all but touch are known to the round-off of their difference
    bool edge = near.feature_a >= (uint32_t)A->count || near.feature_b >= (uint32_t)B->count;
    if (near.smooth) {
        double bound = 1e-13 + (edge ? 0.0 : 1e-15 * size / fabs(core));
        assert_near(near.normal[0], (double)n[0], bound);
        assert_near(near.normal[1], (double)n[1], bound);
    }
    // the points are apart by the gap along the normal
    for (int i = 0; i < 3; i++)
        assert_near(near.on_b[i] - near.on_a[i], near.gap * near.normal[i],
                    1e-14 * (size + fabs(at_a.x[0]) + fabs(at_a.x[1])));

    // all contacts: the nearest is among them, none is deeper, each is what its features say again
    rico_meeting found[4 * MOST];
    int64_t count;
    assert_ok(ctx, rico_meetings(ctx, A->shape, stand_a, B->shape, stand_b, near.gap + 0.05 * size, 4 * MOST,
                                 found, &count));
    assert_true(count >= 1 && count <= 4 * MOST);
    bool there = false;
    for (int64_t k = 0; k < count; k++) {
        rico_meeting again = found[k];
        there |= fabs(found[k].gap - near.gap) <= 1e-14 * size;
        assert_true(rico_meet_again(A->shape, &at_a, B->shape, &at_b, &again));
        assert_memory_equal(&again, &found[k], sizeof again);
        for (int64_t j = 0; j < k; j++)
            assert_true(found[j].feature_a != found[k].feature_a || found[j].feature_b != found[k].feature_b);
    }
    assert_true(there);
    assert_ok(ctx, rico_meetings(ctx, A->shape, stand_a, B->shape, stand_b, near.gap - 1e-12 * size, 4 * MOST,
                                 found, &count));
    for (int64_t k = 0; k < count; k++) assert_true(found[k].gap <= near.gap - 1e-12 * size);
}


static void random_pairs(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 11);
    for (int n = 0; n < pairs_wanted(); n++) {
        double size = pow(10.0, random_in(&random, -3.0, 3.0));
        sample A = random_shape(&random, size), B = random_shape(&random, size);
        rico_stand a = turned(random_in(&random, -1, 1) * size, random_in(&random, -1, 1) * size,
                              random_in(&random, -4, 4));
        rico_stand b = turned(random_in(&random, -1, 1) * size, random_in(&random, -1, 1) * size,
                              random_in(&random, -4, 4));
        // parallel and square positions now and then
        if (n % 5 == 0) memcpy(b.orientation, a.orientation, sizeof b.orientation);
        if (n % 5 == 1) {
            memcpy(a.orientation, (double[]){1.0, 0.0, 0.0, 0.0}, sizeof a.orientation);
            memcpy(b.orientation, (double[]){sqrt(0.5), 0.0, 0.0, sqrt(0.5)}, sizeof b.orientation);
        }
        check_pair(&A, &a, &B, &b, size);
        rico_pose at_a;
        assert_true(rico_pose_of(&a, &at_a));
        bring_to(&A, &at_a, &B, &b, size * GAPS[n % GAP_COUNT]);
        check_pair(&A, &a, &B, &b, size);
        rico_shape_destroy(A.shape);
        rico_shape_destroy(B.shape);
    }
}


// Everything on top of each other, on one line, corner on corner.
static void degenerate(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 12);
    for (int n = 0; n < 500; n++) {
        sample A = random_shape(&random, 1.0), B = random_shape(&random, 1.0);
        double angle = acos(-1.0) / 2 * (double)rico_random_below(&random, 4);
        rico_stand a = turned(0.3, -0.2, 0.0);
        for (int k = 0; k < 4; k++) {
            rico_stand b = turned(0.3, -0.2, k % 2 ? angle : 0.0);
            if (k >= 2) { // corner on corner
                rico_pose at;
                assert_true(rico_pose_of(&b, &at));
                real x[2], y[2];
                rico_pose origin;
                assert_true(rico_pose_of(&a, &origin));
                in_world(&A, &origin, (int)rico_random_below(&random, A.count), x);
                in_world(&B, &at, (int)rico_random_below(&random, B.count), y);
                for (int i = 0; i < 2; i++) b.position[i] += (double)(x[i] - y[i]);
            }
            check_pair(&A, &a, &B, &b, 1.0);
        }
        rico_shape_destroy(A.shape);
        rico_shape_destroy(B.shape);
    }
}


// One motion at a time, forwards and backwards: gap and normal move as the derivatives say.
static void derivatives(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 13);
    int smooth = 0;
    for (int n = 0; n < 2000; n++) {
        sample A = random_shape(&random, 1.0), B = random_shape(&random, 1.0);
        double place[6] = {random_in(&random, -1, 1), random_in(&random, -1, 1), random_in(&random, -3, 3),
                           random_in(&random, -1, 1), random_in(&random, -1, 1), random_in(&random, -3, 3)};
        rico_stand a = turned(place[0], place[1], place[2]), b = turned(place[3], place[4], place[5]);
        rico_nearest near, after, before;
        assert_ok(ctx, rico_distance(ctx, A.shape, &a, B.shape, &b, &near));
        double core = near.gap + A.radius + B.radius;
        for (int k = 0; near.smooth && fabs(core) > 0.05 && k < 6; k++) {
            static const int COLUMN[6] = {0, 1, 5, 6, 7, 11};
            const double eps = 1e-6, kept = place[k];
            place[k] = kept + eps;
            a = turned(place[0], place[1], place[2]), b = turned(place[3], place[4], place[5]);
            assert_ok(ctx, rico_distance(ctx, A.shape, &a, B.shape, &b, &after));
            place[k] = kept - eps;
            a = turned(place[0], place[1], place[2]), b = turned(place[3], place[4], place[5]);
            assert_ok(ctx, rico_distance(ctx, A.shape, &a, B.shape, &b, &before));
            place[k] = kept;
            if (after.feature_a != before.feature_a || after.feature_b != before.feature_b) continue;
            double slope[6] = {-near.along[0], -near.along[1], -near.about_a[2],
                               near.along[0],  near.along[1],  near.about_b[2]};
            assert_near((after.gap - before.gap) / (2 * eps), slope[k], 1e-8);
            for (int i = 0; i < 3; i++)
                assert_near((after.normal[i] - before.normal[i]) / (2 * eps), near.turn[12 * i + COLUMN[k]],
                            1e-6);
            smooth++;
        }
        rico_shape_destroy(A.shape);
        rico_shape_destroy(B.shape);
    }
    assert_true(smooth > 5000);
}


// A rectangle on the half-plane and on a rectangle, aligned, shifted and tilted a little: two contacts, named by the same features.
static void manifolds(void **state)
{
    (void)state;
    rico_shape *brick, *line, *floor, *rod;
    assert_ok(ctx, rico_shape_create(ctx, "rectangle", (double[]){2.0, 1.0}, 2, &brick));
    assert_ok(ctx, rico_shape_create(ctx, "rectangle", (double[]){10.0, 1.0}, 2, &floor));
    assert_ok(ctx, rico_shape_create(ctx, "capsule-2d", (double[]){0.5, 2.0}, 2, &rod));
    assert_ok(ctx, rico_shape_create(ctx, "line", NULL, 0, &line));
    struct {
        const rico_shape *below, *above;
        double y;
    } cases[] = {{line, brick, 0.5}, {floor, brick, 1.0}, {brick, brick, 1.0}, {line, rod, 0.5},
                 {floor, rod, 1.0},  {rod, rod, 1.0},     {brick, floor, 1.0}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int shift = 0; shift < 3; shift++) {
            double x = 0.3 * shift;
            uint64_t first[2] = {0, 0};
            for (int k = -3; k <= 3; k++) {
                // where corners stand on corners, names hold as far as these are one place
                bool corners = shift == 0 && cases[c].below == cases[c].above;
                double tilt = (corners ? 1e-10 : 1e-6) * k;
                rico_stand origin = turned(0.0, 0.0, 0.0), at = turned(x, cases[c].y + 1e-4, tilt);
                rico_meeting found[8];
                int64_t count;
                assert_ok(ctx, rico_meetings(ctx, cases[c].below, &origin, cases[c].above, &at, 1e-2, 8,
                                             found, &count));
                assert_int_equal(count, 2);
                uint64_t key[2];
                for (int i = 0; i < 2; i++) {
                    key[i] = (uint64_t)found[i].feature_a << 32 | found[i].feature_b;
                    assert_near(found[i].gap, 1e-4, 2e-5);
                    assert_near(found[i].normal[1], 1.0, 1e-10);
                }
                if (key[0] > key[1]) {
                    uint64_t kept = key[0];
                    key[0] = key[1];
                    key[1] = kept;
                }
                if (k == -3) memcpy(first, key, sizeof key);
                assert_memory_equal(first, key, sizeof key);
            }
        }
    rico_shape_destroy(brick);
    rico_shape_destroy(floor);
    rico_shape_destroy(rod);
    rico_shape_destroy(line);
}


// Everything against the half-plane, on either side of the pair: the lowest vertex.
static void half_plane(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 14);
    rico_shape *line;
    rico_nearest near, swapped;
    assert_ok(ctx, rico_shape_create(ctx, "line", NULL, 0, &line));
    for (int n = 0; n < 1000; n++) {
        sample B = random_shape(&random, 1.0);
        rico_stand a =
            turned(random_in(&random, -1, 1), random_in(&random, -1, 1), random_in(&random, -4, 4));
        rico_stand b =
            turned(random_in(&random, -1, 1), random_in(&random, -1, 1), random_in(&random, -4, 4));
        rico_pose at_a, at_b;
        assert_true(rico_pose_of(&a, &at_a) && rico_pose_of(&b, &at_b));
        const real up[2] = {at_a.R[1], at_a.R[4]};
        real least = INFINITY;
        for (int i = 0; i < B.count; i++) {
            real x[2];
            in_world(&B, &at_b, i, x);
            least = fminl(least, up[0] * (x[0] - at_a.x[0]) + up[1] * (x[1] - at_a.x[1]));
        }
        assert_ok(ctx, rico_distance(ctx, line, &a, B.shape, &b, &near));
        assert_ok(ctx, rico_distance(ctx, B.shape, &b, line, &a, &swapped));
        assert_near(near.gap, (double)(least - B.radius), 1e-14);
        assert_near(near.normal[0], (double)up[0], 1e-15);
        assert_near(near.normal[1], (double)up[1], 1e-15);
        assert_near(swapped.gap, near.gap, 1e-15);
        assert_near(swapped.normal[0], -near.normal[0], 1e-15);
        rico_shape_destroy(B.shape);
    }
    assert_int_equal(rico_distance(ctx, line, &(rico_stand){.orientation = {1}}, line,
                                   &(rico_stand){.orientation = {1}}, &near),
                     RICO_NO_MEMORY);
    rico_shape_destroy(line);
}


static void masses(void **state)
{
    (void)state;
    const double PI = acos(-1.0), r = 0.3, l = 1.7;
    rico_mass_properties m;
    rico_shape *shape;
    assert_ok(ctx, rico_shape_create(ctx, "disc", &r, 1, &shape));
    assert_ok(ctx, rico_shape_mass(ctx, shape, &m));
    assert_near(m.mass, PI * r * r, 1e-15);
    assert_near(m.inertia[8], m.mass * r * r / 2, 1e-15);
    rico_shape_destroy(shape);

    assert_ok(ctx, rico_shape_create(ctx, "capsule-2d", (double[]){r, l}, 2, &shape));
    assert_ok(ctx, rico_shape_mass(ctx, shape, &m));
    // two half discs, each with its center 4r/(3 pi) beyond the end
    double c = 4 * r / (3 * PI), half = PI * r * r / 2, own = half * (r * r / 2 - c * c);
    double slab = 2 * r * l,
           inertia = slab * (l * l + 4 * r * r) / 12 + 2 * (own + half * (l / 2 + c) * (l / 2 + c));
    assert_near(m.mass, slab + 2 * half, 1e-14);
    assert_near(m.inertia[8], inertia, 1e-14);
    assert_near(m.center[0], 0.0, 1e-15);
    assert_near(m.center[1], 0.0, 1e-15);
    rico_shape_destroy(shape);

    // a rectangle far from the origin, as a polygon in either order
    const double x = 1e3, y = -1e3;
    for (int order = 0; order < 2; order++) {
        double p[8] = {x, y, x + 2, y, x + 2, y + 1, x, y + 1}, back[8];
        for (int i = 0; i < 4; i++) memcpy(back + 2 * i, p + 2 * (3 - i), 2 * sizeof *p);
        assert_ok(ctx, rico_shape_polygon(ctx, order ? back : p, 4, &shape));
        assert_ok(ctx, rico_shape_mass(ctx, shape, &m));
        assert_near(m.mass, 2.0, 1e-14);
        assert_near(m.inertia[8], 2.0 * 5.0 / 12.0, 1e-14);
        assert_near(m.center[0], x + 1, 1e-12);
        assert_near(m.center[1], y + 0.5, 1e-12);
        rico_shape_destroy(shape);
    }
    assert_ok(ctx, rico_shape_create(ctx, "segment", &l, 1, &shape));
    assert_int_equal(rico_shape_mass(ctx, shape, &m), RICO_BAD_ARGUMENT);
    rico_shape_destroy(shape);
}


static void bounds(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 15);
    for (int n = 0; n < 300; n++) {
        sample A = random_shape(&random, 1.0);
        rico_stand a =
            turned(random_in(&random, -1, 1), random_in(&random, -1, 1), random_in(&random, -4, 4));
        rico_pose at;
        double lower[3], upper[3];
        assert_true(rico_pose_of(&a, &at));
        rico_shape_bounds(A.shape, &a, lower, upper);
        for (int k = 0; k < 2; k++) {
            real least = INFINITY, most = -INFINITY;
            for (int i = 0; i < A.count; i++) {
                real x[2];
                in_world(&A, &at, i, x);
                least = fminl(least, x[k] - A.radius), most = fmaxl(most, x[k] + A.radius);
            }
            assert_near(lower[k], (double)least, 1e-15);
            assert_near(upper[k], (double)most, 1e-15);
            assert_true(fabs(lower[k] - at.x[k]) <= A.shape->reach * (1 + 1e-15));
        }
        rico_shape_destroy(A.shape);
    }
    rico_shape *line;
    double lower[3], upper[3];
    assert_ok(ctx, rico_shape_create(ctx, "line", NULL, 0, &line));
    rico_stand origin = turned(1.0, 2.0, 0.0);
    rico_shape_bounds(line, &origin, lower, upper);
    assert_true(lower[0] == -INFINITY && upper[0] == INFINITY && lower[1] == -INFINITY && upper[1] == 2.0);
    rico_shape_destroy(line);
}


static void refused(void **state)
{
    (void)state;
    struct {
        int count;
        double at[12];
        const char *message;
    } bad[] = {
        {2, {0, 0, 1, 0}, "at least 3 vertices, got 2"},
        {4, {0, 0, 2, 0, 0.5, 0.5, 0, 2}, "vertex 2"},
        {4, {0, 0, 1, 0, 2, 0, 1, 1}, "vertex 1 of a polygon lies on one line"},
        {4, {0, 0, 1, 0, 1, 0, 1, 1}, "lies on one line"},
        {3, {0, 0, 1, 0, 2, 0}, "lies on one line"},
        {3, {0, 0, 1, NAN, 2, 0}, "vertex 1 of a polygon is at (1, nan)"},
        {5, {1, 0, -0.809, 0.588, 0.309, -0.951, 0.309, 0.951, -0.809, -0.588}, "crosses itself"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        rico_shape *shape;
        rico_status status = rico_shape_polygon(ctx, bad[i].at, bad[i].count, &shape);
        assert_true(status == RICO_BAD_INPUT || status == RICO_BAD_ARGUMENT);
        assert_null(shape);
        if (!strstr(rico_message(ctx), bad[i].message)) fail_msg("%s", rico_message(ctx));
    }
    rico_shape *shape;
    assert_int_equal(rico_shape_create(ctx, "disc", (double[]){-1.0}, 1, &shape), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_shape_create(ctx, "disc", (double[]){1.0, 2.0}, 2, &shape), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_shape_create(ctx, "polygon", NULL, 0, &shape), RICO_BAD_ARGUMENT);
}


// Bricks in bond touch along half of their lengths, whichever is asked of the other: at the two ends of that half, and not where a corner is as low beside it.
static void bricks_in_bond(void **state)
{
    (void)state;
    rico_shape *brick = NULL;
    const double corner[8] = {-0.5, -0.25, 0.5, -0.25, 0.5, 0.25, -0.5, 0.25};
    assert_ok(ctx, rico_shape_polygon(ctx, corner, 4, &brick));
    for (int side = -1; side <= 1; side += 2)
        for (int turned_over = 0; turned_over < 2; turned_over++) {
            rico_stand below = rico_stand_at(0.0, 0.0, 0.0), above = rico_stand_at(0.5 * side, 0.5, 0.0);
            rico_meeting found[8];
            int64_t count;
            assert_ok(ctx, rico_meetings(ctx, brick, turned_over ? &above : &below, brick,
                                         turned_over ? &below : &above, 1e-9, 8, found, &count));
            assert_int_equal(count, 2);
            for (int k = 0; k < 2; k++)
                assert_true(found[k].on_a[0] * side >= 0.0 && found[k].on_a[0] * side <= 0.5);
            assert_near(fabs(found[0].on_a[0] - found[1].on_a[0]), 0.5, 1e-15);
        }
    rico_shape_destroy(brick);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_pairs), cmocka_unit_test(bricks_in_bond), cmocka_unit_test(degenerate),
        cmocka_unit_test(derivatives),  cmocka_unit_test(manifolds),      cmocka_unit_test(half_plane),
        cmocka_unit_test(masses),       cmocka_unit_test(bounds),         cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
