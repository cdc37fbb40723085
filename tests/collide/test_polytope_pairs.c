// Polytopes whose gap and normal are known by construction, and all others against every face and every pair of edges. RICO_PAIRS sets how
// many pairs of each kind; by default a few thousand.

#include "one_context.h"

#include "collide/polytope_feature.h"
#include "la/mat3.h"
#include "la/quaternion.h"
#include "la/vec3.h"

static rico_random random_state;


static int64_t pairs(void)
{
    const char *given = getenv("RICO_PAIRS");
    return given ? atoll(given) : 2000;
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


static void random_turn(double q[4])
{
    do
        for (int i = 0; i < 4; i++) q[i] = rico_random_normal(&random_state);
    while (!rico_quaternion_normalise(q));
}


static rico_shape *random_polytope(double size)
{
    rico_shape *shape;
    if (rico_random_below(&random_state, 3) == 0) {
        double sizes[3] = {size * uniform(0.2, 1.0), size * uniform(0.2, 1.0), size * uniform(0.2, 1.0)};
        assert_ok(ctx, rico_shape_create(ctx, "box", sizes, 3, &shape));
        return shape;
    }
    double point[3 * 40];
    int64_t count = 4 + rico_random_below(&random_state, 33);
    for (int64_t k = 0; k < count; k++) {
        random_direction(&point[3 * k]);
        rico_vec3_scale(0.5 * size * uniform(0.6, 1.0), &point[3 * k], &point[3 * k]);
    }
    if (rico_shape_hull(ctx, point, count, &shape) != RICO_OK) return random_polytope(size);
    return shape;
}


// A pool, so that most of the time goes into distances and not into hulls.
enum { POOL = 64 };
static rico_shape *pool[POOL];


static int start(void **state)
{
    context_start(state);
    rico_random_seed(&random_state, 4711);
    for (int k = 0; k < POOL; k++) pool[k] = random_polytope(pow(10.0, uniform(-3.0, 3.0)));
    return 0;
}


static int end(void **state)
{
    for (int k = 0; k < POOL; k++) rico_shape_destroy(pool[k]);
    return context_end(state);
}


// A normal inside the cone of a feature, and a point inside the feature.
static void inside(const rico_polytope *p, int rank, int32_t index, double n[3], double x[3])
{
    rico_vec3_set(0.0, 0.0, 0.0, n);
    rico_vec3_set(0.0, 0.0, 0.0, x);
    double total = 0.0;
    if (rank == 2) {
        rico_vec3_copy(&p->plane[4 * index], n);
        for (int32_t k = p->loop[index]; k < p->loop[index + 1]; k++) {
            double weight = uniform(0.3, 1.0);
            rico_vec3_add_scaled(weight, &p->vertex[3 * p->loop_vertex[k]], x);
            total += weight;
        }
        rico_vec3_scale(1.0 / total, x, x);
        return;
    }
    int32_t begin = rank ? 0 : p->star[index], last = rank ? 1 : p->star[index + 1];
    for (int32_t k = begin; k < last; k++)
        for (int side = 2; side < 4; side++)
            rico_vec3_add_scaled(uniform(0.3, 1.0),
                                 &p->plane[4 * p->edge[4 * (rank ? index : p->star_edge[k]) + side]], n);
    rico_vec3_normalise(n);
    const int32_t *e = &p->edge[4 * index];
    double at = rank ? uniform(0.2, 0.8) : 0.0;
    const double *from = &p->vertex[3 * (rank ? e[0] : index)], *to = &p->vertex[3 * (rank ? e[1] : index)];
    for (int i = 0; i < 3; i++) x[i] = (1.0 - at) * from[i] + at * to[i];
    if (rank == 0) return;
    // normals of slender faces are at right angles to their edges only as well as they are known
    double d[3];
    rico_vec3_subtract(to, from, d);
    for (int k = 0; k < 2; k++) rico_vec3_add_scaled(-rico_vec3_dot(d, n) / rico_vec3_dot(d, d), d, n);
    rico_vec3_normalise(n);
}


// A turn that takes unit u to unit v; where they are more than a right angle apart by way of -u, for 1 + u.v then loses its digits.
static void align(const double u[3], const double v[3], double q[4])
{
    double half[4] = {1.0, 0.0, 0.0, 0.0}, rest[4], from[3], c[3];
    if (rico_vec3_dot(u, v) < 0.0) {
        double e[3] = {fabs(u[0]) < 0.5, fabs(u[0]) >= 0.5, 0.0};
        rico_vec3_cross(u, e, c);
        rico_quaternion_set(0.0, c[0], c[1], c[2], half);
        rico_quaternion_normalise(half);
    }
    rico_quaternion_rotate(half, u, from);
    rico_vec3_cross(from, v, c);
    rico_quaternion_set(1.0 + rico_vec3_dot(from, v), c[0], c[1], c[2], rest);
    rico_quaternion_normalise(rest);
    rico_quaternion_multiply(rest, half, q);
    rico_quaternion_normalise(q);
}


typedef struct placed {
    rico_shape *a, *b;
    rico_stand at_a, at_b;
    double gap, normal[3], size;
    double spin_angle; // between edges, where both features are edges
} placed;


// Puts two shapes so that these features are `gap` apart: n_B is turned to -n_A, then spun about it, parallel: so that edges run side by side.
static placed place(int rank_a, int rank_b, double gap, bool parallel)
{
    placed it = {.a = pool[rico_random_below(&random_state, POOL)]};
    do it.b = pool[rico_random_below(&random_state, POOL)];
    while (rico_polytope_of(it.b)->size > 30.0 * rico_polytope_of(it.a)->size ||
           rico_polytope_of(it.a)->size > 30.0 * rico_polytope_of(it.b)->size);
    const rico_polytope *a = rico_polytope_of(it.a), *b = rico_polytope_of(it.b);
    const int32_t most_a[] = {a->vertices, a->edges, a->faces}, most_b[] = {b->vertices, b->edges, b->faces};
    int32_t i = (int32_t)rico_random_below(&random_state, most_a[rank_a]);
    int32_t j = (int32_t)rico_random_below(&random_state, most_b[rank_b]);
    double na[3], nb[3], xa[3], xb[3], tilt[4], turn[4];
    inside(a, rank_a, i, na, xa);
    inside(b, rank_b, j, nb, xb);
    it.size = fmax(a->size, b->size);
    it.gap = gap *= fmin(a->size, b->size);
    // a stands anywhere
    random_turn(it.at_a.orientation);
    for (int k = 0; k < 3; k++) it.at_a.position[k] = uniform(-1.0, 1.0) * it.size;
    rico_pose A, B;
    assert_true(rico_pose_of(&it.at_a, &A));
    rico_mat3_times(A.R, na, it.normal);
    // b opposite
    double opposite[3];
    rico_vec3_scale(-1.0, it.normal, opposite);
    align(nb, opposite, tilt);
    double angle = uniform(-3.2, 3.2), ea[3], eb[3];
    for (int pass = 0; pass < 2; pass++) {
        rico_quaternion_set(cos(0.5 * angle), sin(0.5 * angle) * it.normal[0],
                            sin(0.5 * angle) * it.normal[1], sin(0.5 * angle) * it.normal[2], turn);
        rico_quaternion_multiply(turn, tilt, it.at_b.orientation);
        rico_quaternion_normalise(it.at_b.orientation);
        rico_vec3_set(0.0, 0.0, 0.0, it.at_b.position);
        assert_true(rico_pose_of(&it.at_b, &B));
        const int32_t *e = &a->edge[4 * (rank_a == 1 ? i : a->loop_edge[rank_a == 2 ? a->loop[i] : 0])];
        const int32_t *g = &b->edge[4 * (rank_b == 1 ? j : b->loop_edge[rank_b == 2 ? b->loop[j] : 0])];
        rico_vec3_subtract(&a->vertex[3 * e[1]], &a->vertex[3 * e[0]], ea);
        rico_vec3_subtract(&b->vertex[3 * g[1]], &b->vertex[3 * g[0]], eb);
        rico_mat3_times(A.R, ea, ea);
        rico_mat3_times(B.R, eb, eb);
        double c[3];
        rico_vec3_cross(eb, ea, c);
        it.spin_angle = atan2(rico_vec3_dot(c, it.normal), rico_vec3_dot(ea, eb));
        if (!parallel) break;
        if (pass == 0) angle += it.spin_angle;
    }
    // between crossing edges the poses, rounded as they are, say more exactly what the normal is
    if (rank_a == 1 && rank_b == 1 && fabs(sin(it.spin_angle)) > 1e-3 && !parallel) {
        double c[3];
        rico_vec3_cross(ea, eb, c);
        rico_vec3_normalise(c);
        rico_vec3_scale(rico_vec3_dot(c, it.normal) < 0.0 ? -1.0 : 1.0, c, c);
        for (int k = 0; k < 3; k++) assert_near(c[k], it.normal[k], 1e-6);
        rico_vec3_copy(c, it.normal);
    }
    double own[3];
    rico_pose_point(&A, xa, own);
    rico_vec3_add_scaled(gap, it.normal, own);
    rico_mat3_times(B.R, xb, xb);
    rico_vec3_subtract(own, xb, it.at_b.position);
    return it;
}


// The best direction by trying everything: all faces, all pairs of edges, every vertex.
static double brute_force(const rico_shape *a, const rico_stand *at_a, const rico_shape *b,
                          const rico_stand *at_b, double normal[3])
{
    rico_polytope_pair pair;
    rico_pose A, B;
    double best = -INFINITY;
    assert_true(rico_pose_of(at_a, &A) && rico_pose_of(at_b, &B));
    const rico_polytope *p = rico_polytope_of(a), *q = rico_polytope_of(b);
    rico_polytope_pair_set(&pair, p, &A, q, &B);
    double *y = malloc(3 * (size_t)q->vertices * sizeof *y);
    for (int32_t v = 0; v < q->vertices; v++) rico_pair_point(&pair, v, &y[3 * v]);
    int64_t directions = p->faces + q->faces + (int64_t)p->edges * q->edges;
    for (int64_t k = 0; k < directions; k++) {
        double n[3], u[3], w[3];
        if (k < p->faces) {
            rico_vec3_copy(&p->plane[4 * k], n);
        } else if (k < p->faces + q->faces) {
            rico_pair_turn(&pair, &q->plane[4 * (k - p->faces)], n);
        } else {
            int64_t e = (k - p->faces - q->faces) / q->edges, g = (k - p->faces - q->faces) % q->edges;
            rico_vec3_subtract(&p->vertex[3 * p->edge[4 * e + 1]], &p->vertex[3 * p->edge[4 * e]], u);
            rico_vec3_subtract(&y[3 * q->edge[4 * g + 1]], &y[3 * q->edge[4 * g]], w);
            rico_vec3_cross(u, w, n);
            if (rico_vec3_norm(n) < 1e-9 * rico_vec3_norm(u) * rico_vec3_norm(w)) continue;
            rico_vec3_normalise(n);
        }
        // all vertices, or as many as show that it is no better
        double a_low = INFINITY, a_high = -INFINITY, b_low = INFINITY, b_high = -INFINITY;
        bool lost = false;
        for (int32_t v = 0; !lost && (v < p->vertices || v < q->vertices); v++) {
            if (v < p->vertices) {
                double along = rico_vec3_dot(n, &p->vertex[3 * v]);
                a_low = fmin(a_low, along), a_high = fmax(a_high, along);
            }
            if (v < q->vertices) {
                double along = rico_vec3_dot(n, &y[3 * v]);
                b_low = fmin(b_low, along), b_high = fmax(b_high, along);
            }
            lost = fmax(b_low - a_high, a_low - b_high) <= best;
        }
        if (lost) continue;
        double gap = fmax(b_low - a_high, a_low - b_high);
        if (gap <= best) continue;
        best = gap;
        rico_vec3_scale(b_low - a_high >= a_low - b_high ? 1.0 : -1.0, n, n);
        rico_mat3_times(A.R, n, normal);
    }
    free(y);
    return best;
}


// s(n) by all vertices, n in the axes of the world.
static double separation(const placed *it, const double n[3])
{
    double most_a = -INFINITY, least_b = INFINITY;
    for (int side = 0; side < 2; side++) {
        rico_pose pose;
        const rico_polytope *p = rico_polytope_of(side ? it->b : it->a);
        assert_true(rico_pose_of(side ? &it->at_b : &it->at_a, &pose));
        for (int32_t v = 0; v < p->vertices; v++) {
            double x[3];
            rico_pose_point(&pose, &p->vertex[3 * v], x);
            rico_vec3_subtract(x, it->at_a.position, x);
            if (side)
                least_b = fmin(least_b, rico_vec3_dot(n, x));
            else
                most_a = fmax(most_a, rico_vec3_dot(n, x));
        }
    }
    return least_b - most_a;
}


static const double GAPS[] = {1e-1, 1e-3, 1e-6, 1e-9, 1e-12, 0.0, -1e-12, -1e-9, -1e-6, -1e-3, -1e-1};
enum { GAP_COUNT = sizeof GAPS / sizeof *GAPS };

typedef struct errors {
    double gap, normal;
} errors;


// What every manifold keeps: the smallest gap is the distance, no pair of features twice, points that gap and normal join, and features that
// say the same again.
static void check_manifold(const placed *it, const rico_nearest *near, double margin)
{
    rico_meeting m[64];
    int64_t count;
    double least = INFINITY;
    rico_pose A, B;
    rico_pose_of(&it->at_a, &A);
    rico_pose_of(&it->at_b, &B);
    assert_ok(ctx, rico_meetings(ctx, it->a, &it->at_a, it->b, &it->at_b, margin, 64, m, &count));
    assert_true(count >= 1 && count <= 64);
    for (int64_t k = 0; k < count; k++) {
        double d[3];
        least = fmin(least, m[k].gap);
        assert_at_most(m[k].gap, margin);
        assert_near(rico_vec3_norm(m[k].normal), 1.0, 1e-14);
        rico_vec3_subtract(m[k].on_b, m[k].on_a, d);
        assert_near(rico_vec3_dot(d, m[k].normal), m[k].gap, 4e-14 * it->size);
        for (int64_t j = 0; j < k; j++)
            assert_false(m[j].feature_a == m[k].feature_a && m[j].feature_b == m[k].feature_b);
        rico_meeting again = m[k];
        assert_true(rico_meet_again(it->a, &A, it->b, &B, &again));
        assert_true(rico_vec3_dot(again.normal, m[k].normal) > 0.5);
    }
    assert_near(least, near->gap, 1e-14 * it->size);
    // the shapes in the other order: the same contacts
    int64_t other;
    rico_meeting back[64];
    assert_ok(ctx, rico_meetings(ctx, it->b, &it->at_b, it->a, &it->at_a, margin, 64, back, &other));
    double least_back = INFINITY;
    for (int64_t k = 0; k < other; k++) least_back = fmin(least_back, back[k].gap);
    assert_near(least_back, least, 2e-14 * it->size);
}


static errors check_kind(int rank_a, int rank_b, bool parallel)
{
    errors worst = {0.0, 0.0};
    for (int64_t k = 0; k < pairs(); k++) {
        double gap = GAPS[k % GAP_COUNT];
        placed it = place(rank_a, rank_b, gap, parallel);
        rico_nearest near;
        bool edges = rank_a == 1 && rank_b == 1, points = rank_a + rank_b < 2;
        assert_ok(ctx, rico_distance(ctx, it.a, &it.at_a, it.b, &it.at_b, &near));
        double expected = it.gap, normal[3];
        rico_vec3_copy(it.normal, normal);
        // overlapping, or edges side by side, another direction may be better than the one that was built
        if (gap < 0.0 || (points && gap <= 0.0)) {
            double other[3], best = brute_force(it.a, &it.at_a, it.b, &it.at_b, other);
            if (best > expected + 1e-15 * it.size || points) {
                expected = best;
                rico_vec3_copy(other, normal);
                // after all apart: between a vertex and an edge that is more than faces and pairs of edges say
                if (best > 0.0) expected = fmax(best, separation(&it, near.normal));
            }
        }
        double error = fabs(near.gap - expected) / it.size, d[3];
        rico_vec3_subtract(near.normal, normal, d);
        // the direction between two points is known as well as the points are
        bool between = points || (edges && (parallel || fabs(sin(it.spin_angle)) < 1e-3));
        double known = between ? 4e-15 * it.size / fmax(fabs(expected), 1e-300) : 0.0;
        if (edges && !parallel) known += 4e-15 / fabs(sin(it.spin_angle));
        double turned = rico_vec3_norm(d);
        worst.gap = fmax(worst.gap, error);
        if (error > 1e-14)
            fail_msg("ranks %d %d gap %g size %g: got %.17g expected %.17g error %g of the size", rank_a,
                     rank_b, it.gap, it.size, near.gap, expected, error);
        if (gap >= 0.0 && !(between && gap == 0.0)) {
            if (known < 1e-14) worst.normal = fmax(worst.normal, turned);
            if (turned > 1e-13 + known)
                fail_msg(
                    "ranks %d %d gap %g size %g: normal off by %g; features %u %u, gap error %g, sine %g",
                    rank_a, rank_b, it.gap, it.size, turned, near.feature_a, near.feature_b, error,
                    sin(it.spin_angle));
        }
        check_manifold(&it, &near, fmax(near.gap, 0.0) + 1e-3 * it.size);
    }
    if (getenv("RICO_PAIRS"))
        printf("ranks %d %d%s: gap %.2g of the size, normal %.2g\n", rank_a, rank_b,
               parallel ? " parallel" : "", worst.gap, worst.normal);
    return worst;
}


static void vertex_and_face(void **state)
{
    (void)state;
    check_kind(2, 0, false);
    check_kind(0, 2, false);
}


static void two_edges(void **state)
{
    (void)state;
    check_kind(1, 1, false);
}


static void edges_side_by_side(void **state)
{
    (void)state;
    check_kind(1, 1, true);
}


static void two_vertices(void **state)
{
    (void)state;
    check_kind(0, 0, false);
}


static void vertex_and_edge(void **state)
{
    (void)state;
    check_kind(0, 1, false);
    check_kind(1, 0, false);
}


static void two_faces(void **state)
{
    (void)state;
    check_kind(2, 2, false);
    check_kind(2, 2, true);
    check_kind(1, 2, false);
    check_kind(2, 1, true);
}


// Anything anywhere: where they overlap all directions tried say the same; where they are apart none says more, and the nearest points are
// in both.
static void any_two(void **state)
{
    (void)state;
    for (int64_t k = 0; k < pairs(); k++) {
        placed it = place(0, 0, 1.0, false);
        rico_nearest near;
        for (int i = 0; i < 3; i++) {
            double shift = uniform(-0.5, 0.5);
            it.at_b.position[i] = it.at_a.position[i] + shift * it.size;
        }
        random_turn(it.at_b.orientation);
        double other[3], best = brute_force(it.a, &it.at_a, it.b, &it.at_b, other);
        assert_ok(ctx, rico_distance(ctx, it.a, &it.at_a, it.b, &it.at_b, &near));
        if (best <= 0.0) {
            if (fabs(near.gap - best) > 1e-14 * it.size)
                fail_msg("pair %lld: got %.17g, all directions say %.17g, size %g", (long long)k, near.gap,
                         best, it.size);
        } else {
            assert_true(near.gap >= best - 1e-14 * it.size);
        }
        check_manifold(&it, &near, fmax(near.gap, 0.0) + 0.01 * it.size);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertex_and_face),
        cmocka_unit_test(two_edges),
        cmocka_unit_test(edges_side_by_side),
        cmocka_unit_test(two_vertices),
        cmocka_unit_test(vertex_and_edge),
        cmocka_unit_test(two_faces),
        cmocka_unit_test(any_two),
    };
    return cmocka_run_group_tests(tests, start, end);
}
