// The 3x3 kernels: vectors, matrices, quaternions.

#include "matrices.h"

#include "la/dense.h"
#include "la/mat3.h"
#include "la/quaternion.h"
#include "la/vec3.h"

static const double identity[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};


static double distance(int n, const double *a, const double *b)
{
    double worst = 0.0;
    for (int i = 0; i < n; i++) worst = fmax(worst, fabs(a[i] - b[i]));
    return worst;
}


static void random_rotation(rico_random *random, double q[4])
{
    random_vector(random, 4, q);
    assert_true(rico_quaternion_normalise(q));
}


static void test_vectors(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 41);
    for (int trial = 0; trial < 100; trial++) {
        double a[3], b[3], c[3], d[3], left[3], right[3];
        random_vector(&random, 3, a);
        random_vector(&random, 3, b);
        random_vector(&random, 3, c);

        // orthogonal, and of the right size: |a x b|^2 + (a.b)^2 = |a|^2 |b|^2
        rico_vec3_cross(a, b, d);
        double ab = rico_vec3_dot(a, b), aa = rico_vec3_dot(a, a), bb = rico_vec3_dot(b, b);
        assert_near(rico_vec3_dot(a, d), 0.0, 1e-13);
        assert_near(rico_vec3_dot(b, d), 0.0, 1e-13);
        assert_near(rico_vec3_dot(d, d) + ab * ab, aa * bb, 1e-12);

        // a x (b x c) = b (a.c) - c (a.b), in place
        rico_vec3_cross(b, c, left);
        rico_vec3_cross(a, left, left);
        rico_vec3_scale(rico_vec3_dot(a, c), b, right);
        rico_vec3_add_scaled(-ab, c, right);
        assert_at_most(distance(3, left, right), 1e-12);

        rico_vec3_add(a, b, left);
        rico_vec3_subtract(left, b, left);
        assert_at_most(distance(3, left, a), 1e-14);
        assert_near(rico_vec3_norm(a), sqrt(aa), 1e-14);
        assert_true(rico_vec3_norm_inf(a) == rico_norm_inf(3, a));
        assert_true(rico_vec3_normalise(a));
        assert_near(rico_vec3_dot(a, a), 1.0, 1e-15 * 4);
    }

    // right-handed
    double x[3] = {1.0, 0.0, 0.0}, y[3] = {0.0, 1.0, 0.0}, z[3];
    rico_vec3_cross(x, y, z);
    assert_true(z[0] == 0.0 && z[1] == 0.0 && z[2] == 1.0);
}


static void test_extreme_norms(void **state)
{
    (void)state;
    double huge[3] = {2e200, -3e200, 6e200}, tiny[3] = {2e-200, 3e-200, 6e-200}, zero[3] = {0.0, -0.0, 0.0};
    double infinite[3] = {1.0, -INFINITY, 0.0}, bad[3] = {1.0, INFINITY, NAN};
    assert_near(rico_vec3_norm(huge) / 7e200, 1.0, 1e-15);
    assert_near(rico_vec3_norm(tiny) / 7e-200, 1.0, 1e-15);
    assert_true(rico_vec3_norm(zero) == 0.0);
    assert_true(rico_vec3_norm(infinite) == INFINITY);
    assert_true(isnan(rico_vec3_norm(bad)));
    assert_true(rico_vec3_normalise(tiny));
    assert_near(tiny[2], 6.0 / 7.0, 1e-15);
    assert_false(rico_vec3_normalise(zero));
    assert_false(rico_vec3_normalise(infinite));
    assert_false(rico_vec3_normalise(bad));
    assert_true(infinite[0] == 1.0);
}


static void test_matrix_products(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 42);
    for (int trial = 0; trial < 100; trial++) {
        double a[9], b[9], c[9], x[3], y[3], z[3], turned[9];
        random_vector(&random, 9, a);
        random_vector(&random, 9, b);
        random_vector(&random, 3, x);
        for (int i = 0; i < 3; i++) {
            y[i] = 0.0;
            for (int j = 0; j < 3; j++) y[i] += a[3 * i + j] * x[j];
        }
        rico_mat3_times(a, x, z);
        assert_at_most(distance(3, y, z), 1e-14);
        rico_mat3_transpose(a, turned);
        rico_mat3_transpose_times(turned, x, z);
        assert_at_most(distance(3, y, z), 1e-14);

        // (A B) x = A (B x), det(A B) = det(A) det(B), in place
        memcpy(c, b, sizeof c);
        rico_mat3_multiply(a, c, c);
        rico_mat3_times(c, x, y);
        memcpy(z, x, sizeof z);
        rico_mat3_times(b, z, z);
        rico_mat3_times(a, z, z);
        assert_at_most(distance(3, y, z), 1e-13);
        assert_near(rico_mat3_determinant(c), rico_mat3_determinant(a) * rico_mat3_determinant(b), 1e-12);
        assert_near(rico_mat3_norm_frobenius(a), rico_norm(9, a), 1e-14);

        double w[3], hat[9];
        rico_mat3_cross(y, hat);
        rico_mat3_times(hat, x, w);
        rico_vec3_cross(y, x, z);
        assert_at_most(distance(3, w, z), 1e-13);
    }
    double one[9];
    rico_mat3_identity(one);
    assert_true(distance(9, one, identity) == 0.0);
    assert_true(rico_mat3_determinant(one) == 1.0);
}


static void test_solves(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 43);
    for (int trial = 0; trial < 1000; trial++) {
        // rows in very different units
        double a[9], x[3], b[3], found[3] = {0.0}, inverse[9] = {0.0}, product[9];
        random_vector(&random, 9, a);
        if (fabs(rico_mat3_determinant(a)) < 0.01) continue;
        for (int i = 0; i < 3; i++) {
            double unit = pow(10.0, rico_random_range(&random, -30.0, 30.0));
            for (int j = 0; j < 3; j++) a[3 * i + j] *= unit;
        }
        random_vector(&random, 3, x);
        rico_mat3_times(a, x, b);
        assert_true(rico_mat3_solve(a, b, found));
        assert_at_most(distance(3, x, found), 1e-11);
        assert_true(rico_mat3_solve(a, b, b)); // in place
        assert_true(distance(3, b, found) == 0.0);
        assert_true(rico_mat3_inverse(a, inverse));
        rico_mat3_multiply(inverse, a, product);
        assert_at_most(distance(9, product, identity), 1e-11);
    }
}


// A condition of 1e12 must cost 12 digits, not 24: x is off by about 1e-4 at worst, the residual not at all.
static void test_solves_near_singularity(void **state)
{
    (void)state;
    const double a[9] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0 + 1e-11};
    const double x[3] = {1.0, -1.0, 1.0};
    double b[3], found[3] = {0.0}, again[3];
    rico_mat3_times(a, x, b);
    assert_true(rico_mat3_solve(a, b, found));
    assert_at_most(distance(3, x, found), 1e-3);
    rico_mat3_times(a, found, again);
    assert_at_most(distance(3, again, b), 1e-14);
}


static void test_singular_matrices_are_told(void **state)
{
    (void)state;
    const double matrices[][9] = {
        {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
        {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0}, // not exactly, in elimination
        {0.1, 0.2, 0.3, 0.2, 0.4, 0.6, 1.0, 1.0, 7.0},
        {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0},
        {1e-300, 0.0, 0.0, 0.0, 0.0, 1e-300, 0.0, 0.0, 1.0},
        {1.0, 0.0, 0.0, 0.0, NAN, 0.0, 0.0, 0.0, 1.0},
        {1.0, 0.0, 0.0, 0.0, INFINITY, 0.0, 0.0, 0.0, 1.0},
    };
    for (size_t k = 0; k < sizeof matrices / sizeof *matrices; k++) {
        double x[3] = {7.0, 7.0, 7.0}, inverse[9] = {7.0};
        const double b[3] = {1.0, 1.0, 1.0};
        assert_false(rico_mat3_solve(matrices[k], b, x));
        assert_false(rico_mat3_inverse(matrices[k], inverse));
        assert_true(x[0] == 7.0 && x[1] == 7.0 && x[2] == 7.0 && inverse[0] == 7.0);
    }
    // what is not finite is found wherever it stands
    for (int k = 0; k < 18; k++) {
        double a[9] = {2.0, 1.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0, 1.0}, x[3];
        a[k % 9] = k < 9 ? NAN : -INFINITY;
        assert_false(rico_mat3_solve(a, identity, x));
    }
    // small is not singular, and pivots must be looked for
    const double small[9] = {0.0, 1e-200, 0.0, 0.0, 0.0, 1e-100, 1e-300, 0.0, 0.0};
    double x[3] = {1e-200, 1e-100, 1e-300};
    assert_true(rico_mat3_solve(small, x, x));
    for (int i = 0; i < 3; i++) assert_near(x[i], 1.0, 1e-15);
}


static void check_eigen(const double a[9], const double *expected, double bound)
{
    double values[3], v[9], turned[9], product[9], alone[3];
    rico_mat3_symmetric_eigen(a, values, v);
    rico_mat3_symmetric_eigen(a, alone, NULL);
    double size = rico_mat3_norm_frobenius(a);
    assert_true(values[0] <= values[1] && values[1] <= values[2]);
    assert_true(distance(3, values, alone) == 0.0);
    if (expected) assert_at_most(distance(3, values, expected), bound);

    // V orthogonal, A V = V D
    rico_mat3_transpose(v, turned);
    rico_mat3_multiply(turned, v, product);
    assert_at_most(distance(9, product, identity), 1e-14);
    for (int k = 0; k < 3; k++) {
        double column[3] = {v[k], v[3 + k], v[6 + k]}, image[3];
        rico_mat3_times(a, column, image);
        rico_vec3_add_scaled(-values[k], column, image);
        assert_at_most(rico_vec3_norm(image), 1e-14 * size);
    }
}


static void test_symmetric_eigenvalues(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 44);
    rico_context *ctx = rico_context_create(NULL);
    for (int trial = 0; trial < 300; trial++) {
        double a[9], copy[9], lapack[3];
        random_vector(&random, 9, a);
        a[1] = a[3];
        a[2] = a[6];
        a[5] = a[7];
        memcpy(copy, a, sizeof copy);
        assert_ok(ctx, rico_dense_eigen(ctx, 3, copy, false, lapack));
        check_eigen(a, lapack, 1e-13);

        // prescribed spectra, double and triple eigenvalues among them, in a random frame
        const double spectra[][3] = {{1.0, 1.0, 3.0}, {-2.0, 5.0, 5.0},  {4.0, 4.0, 4.0},
                                     {0.0, 0.0, 1.0}, {-1e-9, 0.0, 1.0}, {1.0, 1.0 + 1e-9, 2.0},
                                     {0.0, 0.0, 0.0}};
        const double *spectrum = spectra[trial % 7];
        double q[4], frame[9], turned[9], middle[9] = {0.0};
        random_rotation(&random, q);
        rico_quaternion_to_matrix(q, frame);
        rico_mat3_transpose(frame, turned);
        for (int i = 0; i < 3; i++) middle[4 * i] = spectrum[i];
        rico_mat3_multiply(frame, middle, a);
        rico_mat3_multiply(a, turned, a);
        a[1] = a[3]; // symmetric to the last bit
        a[2] = a[6];
        a[5] = a[7];
        check_eigen(a, spectrum, 1e-14);
    }

    // the upper triangle is not read; scales do not matter; diagonal matrices are exact
    const double half[9] = {2.0, NAN, NAN, 1.0, 2.0, NAN, 0.0, 0.0, 5.0};
    double values[3];
    rico_mat3_symmetric_eigen(half, values, NULL);
    assert_near(values[0], 1.0, 1e-15);
    assert_near(values[1], 3.0, 1e-15 * 2);
    assert_near(values[2], 5.0, 1e-15);
    const double large[9] = {2e200, 1e200, 0.0, 1e200, 2e200, 0.0, 0.0, 0.0, 5e200};
    rico_mat3_symmetric_eigen(large, values, NULL);
    assert_near(values[1] / 3e200, 1.0, 1e-15);
    const double diagonal[9] = {3.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 2.0};
    rico_mat3_symmetric_eigen(diagonal, values, NULL);
    assert_true(values[0] == -1.0 && values[1] == 2.0 && values[2] == 3.0);
    rico_context_destroy(ctx);
}


static void test_quaternions_are_rotations(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 45);
    for (int trial = 0; trial < 200; trial++) {
        double p[4], q[4], pq[4], back[4], x[3], y[3], z[3], P[9], Q[9], PQ[9], product[9], turned[9];
        random_rotation(&random, p);
        random_rotation(&random, q);
        random_vector(&random, 3, x);
        rico_quaternion_multiply(p, q, pq);
        rico_quaternion_to_matrix(p, P);
        rico_quaternion_to_matrix(q, Q);
        rico_quaternion_to_matrix(pq, PQ);

        // the matrix is a rotation, and a homomorphism
        rico_mat3_transpose(P, turned);
        rico_mat3_multiply(P, turned, product);
        assert_at_most(distance(9, product, identity), 1e-14);
        assert_near(rico_mat3_determinant(P), 1.0, 1e-14);
        rico_mat3_multiply(P, Q, product);
        assert_at_most(distance(9, product, PQ), 1e-14);

        // rotate() agrees with the matrix and with the product, in place; back undoes it
        rico_quaternion_rotate(p, x, y);
        rico_mat3_times(P, x, z);
        assert_at_most(distance(3, y, z), 1e-14);
        rico_quaternion_rotate(q, x, y);
        rico_quaternion_rotate(p, y, y);
        rico_quaternion_rotate(pq, x, z);
        assert_at_most(distance(3, y, z), 1e-14);
        rico_quaternion_rotate_back(pq, z, z);
        assert_at_most(distance(3, z, x), 1e-14);

        // q* q = 1, in place
        rico_quaternion_conjugate(q, back);
        rico_quaternion_multiply(back, q, back);
        double one[4];
        rico_quaternion_identity(one);
        assert_at_most(distance(4, back, one), 1e-15 * 4);
    }

    // i j = k; a quarter turn about z takes x to y
    double i[4] = {0.0, 1.0, 0.0, 0.0}, j[4] = {0.0, 0.0, 1.0, 0.0}, k[4];
    rico_quaternion_multiply(i, j, k);
    assert_true(k[0] == 0.0 && k[1] == 0.0 && k[2] == 0.0 && k[3] == 1.0);
    double quarter[4], phi[3] = {0.0, 0.0, acos(0.0)}, x[3] = {1.0, 0.0, 0.0}, y[3] = {0.0, 1.0, 0.0};
    rico_quaternion_exp(phi, quarter);
    rico_quaternion_rotate(quarter, x, x);
    assert_at_most(distance(3, x, y), 1e-15);
}


// exp by its series of matrices, exp(hat phi) = sum hat^k / k!, an independent way.
static void exponential_series(const double phi[3], double out[9])
{
    double hat[9], term[9];
    rico_mat3_cross(phi, hat);
    rico_mat3_identity(out);
    rico_mat3_identity(term);
    for (int k = 1; k < 60; k++) {
        rico_mat3_multiply(term, hat, term);
        for (int i = 0; i < 9; i++) {
            term[i] /= k;
            out[i] += term[i];
        }
    }
}


static void test_exponential_and_logarithm(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 46);
    const double pi = acos(-1.0);
    for (int trial = 0; trial < 500; trial++) {
        double phi[3], q[4], R[9], series[9], back[3];
        random_vector(&random, 3, phi);
        assert_true(rico_vec3_normalise(phi));
        // angles down to the smallest numbers, and up to the last before pi
        double angle = trial % 2 ? pow(10.0, rico_random_range(&random, -320.0, 0.0))
                                 : pi * (1.0 - pow(10.0, rico_random_range(&random, -15.0, 0.0)));
        rico_vec3_scale(angle, phi, phi);
        rico_quaternion_exp(phi, q);
        assert_near(q[0] * q[0] + rico_vec3_dot(q + 1, q + 1), 1.0, 1e-15);
        rico_quaternion_to_matrix(q, R);
        exponential_series(phi, series);
        assert_at_most(distance(9, R, series), 1e-14);

        // to round-off of the angle itself, or of the smallest number there is
        rico_quaternion_log(q, back);
        assert_at_most(distance(3, back, phi), 4e-15 * angle + 5e-324 * 4);
        for (int i = 0; i < 4; i++) q[i] = -q[i]; // the same rotation
        rico_quaternion_log(q, back);
        assert_at_most(distance(3, back, phi), 4e-15 * angle + 5e-324 * 4);
    }

    // beyond pi the logarithm goes the short way round
    double phi[3] = {0.0, 1.5 * pi, 0.0}, q[4], back[3];
    rico_quaternion_exp(phi, q);
    rico_quaternion_log(q, back);
    assert_near(back[1], -0.5 * pi, 1e-14);

    // no turn, and half a turn
    double zero[3] = {0.0, 0.0, 0.0}, half[4] = {0.0, 0.6, 0.0, -0.8};
    rico_quaternion_exp(zero, q);
    assert_true(q[0] == 1.0 && q[1] == 0.0 && q[2] == 0.0 && q[3] == 0.0);
    rico_quaternion_log(q, back);
    assert_true(back[0] == 0.0 && back[1] == 0.0 && back[2] == 0.0);
    rico_quaternion_log(half, back);
    assert_near(back[0], 0.6 * pi, 1e-15 * 4);
    assert_near(back[2], -0.8 * pi, 1e-15 * 4);
}


static void test_normalisation(void **state)
{
    (void)state;
    double q[4] = {1.0, -1.0, 1.0, 1.0}, huge[4] = {0.0, 3e300, 0.0, 4e300},
           tiny[4] = {3e-300, 0.0, -4e-300, 0.0};
    double zero[4] = {0.0}, bad[4] = {1.0, 0.0, NAN, 0.0};
    assert_true(rico_quaternion_normalise(q));
    assert_near(q[1], -0.5, 1e-15);
    assert_true(rico_quaternion_normalise(huge));
    assert_near(huge[3], 0.8, 1e-15);
    assert_true(rico_quaternion_normalise(tiny));
    assert_near(tiny[2], -0.8, 1e-15);
    assert_false(rico_quaternion_normalise(zero));
    assert_false(rico_quaternion_normalise(bad));
    assert_true(bad[0] == 1.0);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_extreme_norms),
        cmocka_unit_test(test_matrix_products),
        cmocka_unit_test(test_solves),
        cmocka_unit_test(test_solves_near_singularity),
        cmocka_unit_test(test_singular_matrices_are_told),
        cmocka_unit_test(test_symmetric_eigenvalues),
        cmocka_unit_test(test_quaternions_are_rotations),
        cmocka_unit_test(test_exponential_and_logarithm),
        cmocka_unit_test(test_normalisation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
