// Random heaps: their shape, their kinematics, their loads, and what is refused.

#include "support.h"

#include "la/dense.h"
#include "ricochet/generate.h"

static rico_problem *make(rico_context *ctx, rico_random_heap options)
{
    rico_problem *problem = NULL;
    assert_ok(ctx, rico_generate_random(ctx, &options, &problem));
    return problem;
}


static void assert_same_matrix(rico_sparse_view a, rico_sparse_view b)
{
    assert_int_equal(a.rows, b.rows);
    assert_int_equal(a.cols, b.cols);
    for (int64_t j = 0; j <= a.cols; j++) assert_int_equal(a.start[j], b.start[j]);
    for (int64_t k = 0; k < a.start[a.cols]; k++) {
        assert_int_equal(a.row[k], b.row[k]);
        assert_true(a.value[k] == b.value[k]);
    }
}


static void test_shape_follows_the_options(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (int dim = 2; dim <= 3; dim++) {
        rico_random_heap options = rico_random_heap_default();
        options.contacts = 57;
        options.bodies = 30;
        options.joints = 4;
        options.friction = 0.4;
        options.friction_spread = 0.5;
        options.dimension = dim;
        rico_problem *p = make(ctx, options);

        assert_true(rico_problem_is_global(p));
        assert_int_equal(rico_problem_block_count(p), 61);
        assert_int_equal(rico_problem_rows(p), 61 * dim);
        assert_int_equal(rico_problem_dofs(p), 30 * (dim == 3 ? 6 : 3));
        double least = 1.0, most = 0.0;
        for (int64_t i = 0; i < 61; i++) {
            rico_block block = rico_problem_block(p, i);
            rico_block_kind contact = dim == 3 ? RICO_COULOMB_3D : RICO_COULOMB_2D;
            assert_int_equal(block.kind, i < 57 ? contact : RICO_EQUALITY);
            assert_int_equal(block.size, dim);
            if (i >= 57) continue;
            least = fmin(least, block.friction);
            most = fmax(most, block.friction);
        }
        // the draws fill the interval and stay in it
        assert_true(least >= 0.2 && least < 0.28);
        assert_true(most <= 0.6 && most > 0.52);
        for (int64_t i = 0; i < rico_problem_rows(p); i++) assert_true(rico_problem_offset(p)[i] == 0.0);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


static void test_seed_decides_everything(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random_heap options = rico_random_heap_default();
    options.joints = 3;
    rico_problem *first = make(ctx, options), *again = make(ctx, options);
    options.seed = 2;
    rico_problem *other = make(ctx, options);

    assert_same_matrix(rico_problem_mass(first), rico_problem_mass(again));
    assert_same_matrix(rico_problem_jacobian(first), rico_problem_jacobian(again));
    for (int64_t i = 0; i < rico_problem_dofs(first); i++) {
        assert_true(rico_problem_force(first)[i] == rico_problem_force(again)[i]);
        assert_true(rico_problem_force(first)[i] != rico_problem_force(other)[i]);
    }
    rico_problem_destroy(first);
    rico_problem_destroy(again);
    rico_problem_destroy(other);
    rico_context_destroy(ctx);
}


// With just enough contacts, and with one body too many to pair off, no body is left alone.
static void test_every_body_is_touched(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (int64_t bodies = 1; bodies <= 40; bodies++) {
        for (int dim = 2; dim <= 3; dim++) {
            rico_random_heap options = rico_random_heap_default();
            options.bodies = bodies;
            options.contacts = (bodies + 1) / 2;
            options.dimension = dim;
            rico_problem *p = make(ctx, options);
            rico_sparse_view H = rico_problem_jacobian(p);
            bool touched[40] = {false};
            for (int64_t k = 0; k < H.start[H.cols]; k++) touched[H.row[k] / (dim == 3 ? 6 : 3)] = true;
            for (int64_t i = 0; i < bodies; i++) assert_true(touched[i]);
            rico_problem_destroy(p);
        }
    }
    rico_context_destroy(ctx);
}


typedef struct column_part {
    int64_t body;
    double d[3], moment[3]; // direction and moment of the row on this body
} column_part;

// Splits a column of H into the bodies it acts on, in 3D.
static int split_column(rico_sparse_view H, int64_t j, column_part part[2])
{
    int count = 0;
    for (int64_t k = H.start[j]; k < H.start[j + 1]; k++) {
        int64_t body = H.row[k] / 6, place = H.row[k] % 6;
        if (count == 0 || part[count - 1].body != body) {
            assert_true(count < 2);
            part[count] = (column_part){.body = body};
            count++;
        }
        double *entry = place < 3 ? &part[count - 1].d[place] : &part[count - 1].moment[place - 3];
        *entry = H.value[k];
    }
    return count;
}


static void cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}


// For an orthonormal frame d_k and moments m_k = arm x d_k, the sum of d_k x m_k is 2 arm. From the arms of both
// bodies follows the vector between their centres, which every contact of the pair must agree on.
static void test_rows_are_velocities_of_a_material_point(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    enum { BODIES = 8, CONTACTS = 60, JOINTS = 20 };
    rico_random_heap options = rico_random_heap_default();
    options.bodies = BODIES;
    options.contacts = CONTACTS;
    options.joints = JOINTS;
    rico_problem *p = make(ctx, options);
    rico_sparse_view H = rico_problem_jacobian(p);
    double between[BODIES][BODIES][3] = {0};
    bool known[BODIES][BODIES] = {false};
    int repeated = 0, grounded = 0;

    for (int64_t c = 0; c < CONTACTS + JOINTS; c++) {
        column_part part[3][2];
        double frame[3][3], arm[2][3] = {0};
        int count = 0;
        for (int k = 0; k < 3; k++) count = split_column(H, 3 * c + k, part[k]);
        for (int side = 0; side < count; side++) {
            for (int k = 0; k < 3; k++) {
                double turn[3];
                cross(part[k][side].d, part[k][side].moment, turn);
                for (int l = 0; l < 3; l++) arm[side][l] += 0.5 * turn[l];
            }
            for (int k = 0; k < 3; k++) {
                double moment[3];
                cross(arm[side], part[k][side].d, moment);
                for (int l = 0; l < 3; l++) assert_near(part[k][side].moment[l], moment[l], 1e-14);
            }
        }

        // opposite on the two bodies, orthonormal
        for (int k = 0; k < 3; k++) {
            for (int l = 0; l < 3; l++) {
                frame[k][l] = part[k][count - 1].d[l];
                if (count == 2) assert_true(part[k][0].d[l] == -part[k][1].d[l]);
            }
        }
        for (int k = 0; k < 3; k++)
            for (int l = 0; l <= k; l++) assert_near(rico_dot(3, frame[k], frame[l]), k == l, 1e-14);

        if (count == 1) {
            grounded++;
            continue;
        }
        int64_t a = part[0][0].body, b = part[0][1].body;
        for (int l = 0; l < 3; l++) {
            double vector = arm[0][l] - arm[1][l];
            if (known[a][b]) assert_near(vector, between[a][b][l], 1e-13);
            between[a][b][l] = vector;
        }
        repeated += known[a][b];
        known[a][b] = true;
    }
    assert_true(repeated > 10 && grounded > 3);
    rico_problem_destroy(p);
    rico_context_destroy(ctx);
}


static void test_inertia_is_symmetric_and_definite(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (int dim = 2; dim <= 3; dim++) {
        rico_random_heap options = rico_random_heap_default();
        options.dimension = dim;
        rico_problem *p = make(ctx, options);
        rico_sparse_view M = rico_problem_mass(p);
        int64_t n = M.rows;
        double *dense = rico_alloc(ctx, n * n, sizeof *dense);
        for (int64_t j = 0; j < n; j++)
            for (int64_t k = M.start[j]; k < M.start[j + 1]; k++) dense[n * j + M.row[k]] = M.value[k];
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++) assert_true(dense[n * i + j] == dense[n * j + i]);
        assert_ok(ctx, rico_dense_cholesky(ctx, n, dense));
        rico_free(ctx, dense);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


// The reduced heap is the global one after reduction, and remembers nothing else.
static void test_reduced_form(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random_heap options = rico_random_heap_default();
    options.joints = 5;
    rico_problem *global = make(ctx, options);
    options.reduced = true;
    rico_problem *reduced = make(ctx, options);
    assert_false(rico_problem_is_global(reduced));
    assert_int_equal(rico_problem_dofs(reduced), 0);

    rico_sparse_view W_global, W_reduced;
    assert_ok(ctx, rico_problem_delassus(global, &W_global));
    assert_ok(ctx, rico_problem_delassus(reduced, &W_reduced));
    assert_same_matrix(W_global, W_reduced);
    for (int64_t i = 0; i < rico_problem_rows(global); i++)
        assert_true(rico_problem_free_velocity(global)[i] == rico_problem_free_velocity(reduced)[i]);
    rico_sparse_release(ctx, &W_global);
    rico_sparse_release(ctx, &W_reduced);
    rico_problem_destroy(global);
    rico_problem_destroy(reduced);
    rico_context_destroy(ctx);
}


// A body has at most six neighbours and the ground, so twice the heap has twice the entries of W.
static void test_delassus_grows_linearly(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (int64_t size = 500; size <= 8000; size *= 4) {
        rico_random_heap options = rico_random_heap_default();
        options.bodies = size;
        options.contacts = 2 * size;
        rico_problem *p = make(ctx, options);
        rico_sparse_view W;
        assert_ok(ctx, rico_problem_delassus(p, &W));
        // two bodies, each with at most seven touching pairs, one of them the contact's own: 13 blocks
        for (int64_t j = 0; j < W.cols; j++) assert_true(W.start[j + 1] - W.start[j] <= 3 * 13);
        rico_sparse_release(ctx, &W);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


static void test_nothing_to_touch(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_random_heap options = rico_random_heap_default();
    options.contacts = 0;
    for (int reduced = 0; reduced < 2; reduced++) {
        options.reduced = reduced;
        rico_problem *p = make(ctx, options);
        assert_int_equal(rico_problem_rows(p), 0);
        rico_problem_destroy(p);
    }
    rico_context_destroy(ctx);
}


static void assert_refused(rico_random_heap options, const char *word)
{
    rico_context *ctx = rico_context_create(NULL);
    rico_problem *p = NULL;
    assert_int_equal(rico_generate_random(ctx, &options, &p), RICO_BAD_ARGUMENT);
    assert_null(p);
    assert_non_null(strstr(rico_message(ctx), word));
    rico_context_destroy(ctx);
}


static void test_bad_options_are_refused(void **state)
{
    (void)state;
    rico_random_heap good = rico_random_heap_default(), bad;
    bad = good, bad.contacts = -1, assert_refused(bad, "-1 contacts");
    bad = good, bad.bodies = 0, assert_refused(bad, "0 bodies");
    bad = good, bad.joints = INT64_MAX, assert_refused(bad, "joints");
    bad = good, bad.friction = -0.1, assert_refused(bad, "-0.1");
    bad = good, bad.friction = NAN, assert_refused(bad, "nan");
    bad = good, bad.friction = INFINITY, assert_refused(bad, "inf");
    bad = good, bad.friction_spread = 1.5, assert_refused(bad, "1.5");
    bad = good, bad.dimension = 4, assert_refused(bad, "dimension 4");
}


typedef struct ration {
    int left;
} ration;

static void *ration_allocate(void *user, size_t size)
{
    ration *r = user;
    return r->left-- > 0 ? malloc(size) : NULL;
}


static void ration_release(void *user, void *block)
{
    (void)user;
    free(block);
}


// Whatever allocation fails, the call says so and leaves nothing behind (the leak sanitizer looks on).
static void test_memory_may_run_out_anywhere(void **state)
{
    (void)state;
    rico_random_heap options = rico_random_heap_default();
    options.bodies = 5;
    options.contacts = 9;
    options.joints = 1;
    options.reduced = true;
    int failures = 0;
    for (int grant = 0;; grant++) {
        ration r = {.left = 1000};
        rico_allocator allocator = {ration_allocate, ration_release, &r};
        rico_context *ctx = rico_context_create(&allocator);
        r.left = grant;
        rico_problem *p = NULL;
        rico_status status = rico_generate_random(ctx, &options, &p);
        if (status == RICO_OK) {
            rico_problem_destroy(p);
            rico_context_destroy(ctx);
            break;
        }
        assert_int_equal(status, RICO_NO_MEMORY);
        assert_null(p);
        rico_context_destroy(ctx);
        failures++;
    }
    assert_true(failures > 11);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shape_follows_the_options),
        cmocka_unit_test(test_seed_decides_everything),
        cmocka_unit_test(test_every_body_is_touched),
        cmocka_unit_test(test_rows_are_velocities_of_a_material_point),
        cmocka_unit_test(test_inertia_is_symmetric_and_definite),
        cmocka_unit_test(test_reduced_form),
        cmocka_unit_test(test_delassus_grows_linearly),
        cmocka_unit_test(test_nothing_to_touch),
        cmocka_unit_test(test_bad_options_are_refused),
        cmocka_unit_test(test_memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
