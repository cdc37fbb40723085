// Points of the second-order cone with their depth kept apart: scaling, algebra and steps, down to depths of 1e-24.

#include "support.h"

#include "cone/lorentz.h"
#include "cone/nesterov_todd.h"

static rico_random random_state;

static double logarithmic(double low, double high)
{
    return pow(10.0, rico_random_range(&random_state, log10(low), log10(high)));
}


// A point of size about 1 (or far from it) and any depth.
static rico_lorentz_point random_point(double shallowest)
{
    double angle = rico_random_range(&random_state, 0.0, 6.3), size = logarithmic(1e-3, 1e3);
    return (rico_lorentz_point){.depth = size * logarithmic(shallowest, 10.0),
                                .t = {size * cos(angle), size * sin(angle)}};
}


// A pair as interior-point methods end with: opposite rays, both shallow, turned by a little.
static void random_pair(rico_lorentz_point *x, rico_lorentz_point *z, double shallowest)
{
    *x = random_point(shallowest);
    double size = logarithmic(1e-3, 1e3) / hypot(x->t[0], x->t[1]), turn = sqrt(logarithmic(shallowest, 1.0));
    z->t[0] = -size * (x->t[0] * cos(turn) - x->t[1] * sin(turn));
    z->t[1] = -size * (x->t[0] * sin(turn) + x->t[1] * cos(turn));
    z->depth = hypot(z->t[0], z->t[1]) * logarithmic(shallowest, 1.0);
}


static void test_scaling_takes_both_to_lambda(void **state)
{
    (void)state;
    rico_random_seed(&random_state, 1);
    for (int round = 0; round < 20000; round++) {
        rico_lorentz_point x, z;
        double shallowest = round % 2 ? 1e-6 : 1e-13;
        if (round % 4 < 2)
            random_pair(&x, &z, shallowest);
        else {
            x = random_point(shallowest);
            z = random_point(shallowest);
        }
        rico_nt_frame frame;
        double lambda[3], cx[3], cz[3];
        rico_nt_scale(&x, &z, &frame, lambda);
        rico_nt_point(&frame, &x, cx);
        rico_nt_point(&frame, &z, cz);
        assert_near(hypot(frame.t[0], frame.t[1]), 1.0, 1e-15);

        // angles are stored to round-off, so the small coordinates of points that shallow are only so good
        double size = lambda[0] + lambda[1], bound = shallowest < 1e-10 ? 3e-3 : 1e-8;
        for (int i = 0; i < 3; i++) {
            assert_near(frame.s[i] * cx[i] / size, lambda[i] / size, bound);
            assert_near(cz[i] / frame.s[i] / size, lambda[i] / size, bound);
        }

        // |lambda|^2 = x'z
        double square = lambda[0] * lambda[0] + lambda[1] * lambda[1] + lambda[2] * lambda[2];
        assert_near(square / rico_lorentz_point_inner(&x, &z), 1.0, bound);
    }
}


// Against lorentz.h where that has digits enough.
static void test_scaling_agrees_with_the_algebra(void **state)
{
    (void)state;
    rico_random_seed(&random_state, 2);
    for (int round = 0; round < 5000; round++) {
        rico_lorentz_point x = random_point(1e-2), z = random_point(1e-2);
        rico_nt_frame frame;
        double lambda[3], square[9], inverse[9], V[9];
        rico_nt_scale(&x, &z, &frame, lambda);
        rico_nt_matrix(&frame, V);
        for (int i = 0; i < 9; i++) {
            square[i] = inverse[i] = 0.0;
            for (int k = 0; k < 3; k++) {
                double entry = V[3 * (i / 3) + k] * V[3 * (i % 3) + k], s = frame.s[k] * frame.s[k];
                square[i] += s * entry;
                inverse[i] += entry / s;
            }
        }
        double full_x[3] = {rico_lorentz_point_normal(&x), x.t[0], x.t[1]};
        double full_z[3] = {rico_lorentz_point_normal(&z), z.t[0], z.t[1]}, Q[9];
        rico_lorentz_scaling swapped; // its square takes z to x, so it is S^-2
        rico_lorentz_scale(3, full_z, full_x, &swapped);
        for (int i = 0; i < 9; i++) Q[i] = rico_lorentz_square(3, &swapped, i / 3, i % 3);
        double size = fabs(Q[0]) + fabs(Q[4]) + fabs(Q[8]);
        for (int i = 0; i < 9; i++) assert_near(inverse[i] / size, Q[i] / size, 1e-11);
        for (int i = 0; i < 3; i++) {
            double sum =
                square[3 * i] * full_x[0] + square[3 * i + 1] * full_x[1] + square[3 * i + 2] * full_x[2];
            assert_near(sum / full_z[0], full_z[i] / full_z[0], 1e-9);
        }
        assert_near(rico_lorentz_point_inner(&x, &z),
                    full_x[0] * full_z[0] + full_x[1] * full_z[1] + full_x[2] * full_z[2],
                    1e-13 * full_x[0] * full_z[0]);
    }
}


static void test_products_and_coordinates(void **state)
{
    (void)state;
    rico_random_seed(&random_state, 3);
    for (int round = 0; round < 5000; round++) {
        double angle = rico_random_range(&random_state, 0.0, 6.3), v[3], y[3], c[3], d[3], product[3],
               back[3];
        const rico_nt_frame frame = {.t = {cos(angle), sin(angle)}, .s = {1, 1, 1}};
        for (int i = 0; i < 3; i++) {
            v[i] = rico_random_normal(&random_state);
            y[i] = rico_random_normal(&random_state);
        }
        v[0] += 1.5 * hypot(v[1], v[2]) + 2.0; // well inside the cone
        rico_nt_coordinates(&frame, v, c);
        rico_nt_coordinates(&frame, y, d);
        rico_nt_vector(&frame, c, back);
        for (int i = 0; i < 3; i++) assert_near(back[i], v[i], 1e-14 * (1.0 + fabs(v[0])));

        double plain[3];
        rico_lorentz_product(3, v, y, plain);
        rico_nt_product(c, d, product);
        rico_nt_vector(&frame, product, back);
        for (int i = 0; i < 3; i++) assert_near(back[i], plain[i], 1e-13 * (1.0 + fabs(v[0]) * 5.0));
        rico_nt_divide(c, product, back);
        for (int i = 0; i < 3; i++) assert_near(back[i], d[i], 1e-12 * (1.0 + fabs(v[0])));
    }
}


static void test_steps_end_on_the_boundary(void **state)
{
    (void)state;
    rico_random_seed(&random_state, 4);
    int ended = 0;
    for (int round = 0; round < 20000; round++) {
        rico_lorentz_point x, z;
        random_pair(&x, &z, 1e-12);
        rico_nt_frame frame;
        double lambda[3], d[3];
        rico_nt_scale(&x, &z, &frame, lambda);
        rico_nt_point(&frame, &x, d);
        for (int i = 0; i < 3; i++) d[i] *= rico_random_range(&random_state, -2.0, 1.0);
        double reach = rico_nt_reach(&frame, &x, d);
        assert_true(reach > 0.0);
        if (!isfinite(reach)) continue;
        ended++;

        rico_lorentz_point half = x, end = x;
        rico_nt_move(&frame, 0.5 * reach, d, &half);
        rico_nt_move(&frame, reach, d, &end);
        assert_true(half.depth > 0.0 && end.depth > 0.0);
        // what is left of the depth is rounding of the terms of the determinant, all like x_0 x_1 times the step squared
        double c[3], stretch = (1.0 + 2.0 * reach) * (1.0 + 2.0 * reach);
        rico_nt_point(&frame, &x, c);
        assert_at_most(end.depth * rico_lorentz_point_normal(&end), 1e-14 * stretch * c[0] * c[1]);
    }
    assert_true(ended > 5000);
}


// Moving to the boundary by nine tenths again and again: the depth stays right far below the last digit of x. The end
// is where rounding of the angle, 1e-16, makes 1e-32 of depth.
static void test_depth_survives_many_moves(void **state)
{
    (void)state;
    const rico_nt_frame frame = {.t = {-0.6, -0.8}, .s = {1, 1, 1}};
    rico_lorentz_point x = {.depth = 1.0, .t = {3.0, 4.0}};
    double expected = 1.0;
    for (int k = 0; k < 24; k++) {
        // along v_0, which faces x: depth alone changes, the tangential part by half of it
        double c[3], d[3] = {0.0, 0.0, 0.0};
        rico_nt_point(&frame, &x, c);
        d[0] = -0.9 * c[0];
        rico_nt_move(&frame, 1.0, d, &x);
        expected *= 0.1;
        assert_near(x.depth / expected, 1.0, 1e-6);
    }
    assert_at_most(x.depth, 1.1e-24);
    assert_near(hypot(x.t[0], x.t[1]), 5.5, 1e-13);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scaling_takes_both_to_lambda),
        cmocka_unit_test(test_scaling_agrees_with_the_algebra),

        cmocka_unit_test(test_products_and_coordinates),
        cmocka_unit_test(test_steps_end_on_the_boundary),
        cmocka_unit_test(test_depth_survives_many_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
