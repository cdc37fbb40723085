// Control when memory runs out: every allocation fails once, or a share of them where there are thousands.

#include "failing_memory.h"

#include "ricochet/drill_robust.h"

// x' = -x + v + w1 + u; q = x; z = (x, u)/3; y = x + w2.
static rico_status small_plant(rico_context *ctx, rico_state_space **out)
{
    const double a = -1.0, b[] = {1.0, 1.0, 0.0, 1.0}, third = 1.0 / 3.0, c[] = {1.0, third, 0.0, 1.0};
    const double d[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1.0, 0, 0, third, 0};
    return rico_state_space_create(ctx, 1, 4, 4, &a, b, c, d, out);
}


static rico_status put_together(rico_context *ctx, rico_state_space *g, rico_state_space *h)
{
    const double half[] = {0.5}, one[] = {1.0};
    const int64_t line[] = {0, 0};
    rico_state_space *out[7] = {NULL};
    rico_status status = rico_state_space_series(g, h, &out[0]);
    if (status == RICO_OK) status = rico_state_space_parallel(g, h, &out[1]);
    if (status == RICO_OK) status = rico_state_space_append(g, h, &out[2]);
    if (status == RICO_OK) status = rico_state_space_select(g, 2, line, 1, line, &out[3]);
    if (status == RICO_OK) status = rico_state_space_connect(g, half, 1, one, 1, one, &out[4]);
    if (status == RICO_OK) status = rico_state_space_feedback(g, h, &out[5]);
    if (status == RICO_OK) status = rico_state_space_lft(out[2], h, &out[6]);
    for (int i = 0; i < 7; i++) rico_state_space_destroy(out[i]);
    (void)ctx;
    return status;
}


static rico_status look_at(rico_context *ctx, rico_state_space *g)
{
    const double gain[] = {1.0, 2.0}, r = 1.0, q = 2.0, a = -0.5;
    double number, other, response[2], real[8], imag[8], x;
    int64_t count;
    rico_margins margins;
    rico_status status = rico_state_space_response(g, 1.0, response);
    if (status == RICO_OK) status = rico_state_space_singular_values(g, 1.0, response);
    if (status == RICO_OK) status = rico_state_space_poles(g, real, imag);
    if (status == RICO_OK) status = rico_state_space_abscissa(g, &number);
    if (status == RICO_OK) status = rico_state_space_zeros(g, real, imag, &count);
    if (status == RICO_OK) status = rico_state_space_margins(g, &margins);
    if (status == RICO_OK) status = rico_state_space_root_locus(g, 2, gain, real, imag);
    if (status == RICO_OK) status = rico_hinf_norm(g, 1e-3, &number, &other);
    if (status == RICO_OK) status = rico_h2_norm(g, &number);
    if (status == RICO_OK) status = rico_riccati(ctx, 1, &a, &r, &q, &x);
    if (status == RICO_OK) status = rico_lyapunov(ctx, 1, &a, &q, &x);
    return status;
}


static rico_status systems(rico_context *ctx, void *user)
{
    const double over[] = {1.0, 2.0}, under[] = {1.0, 1.0, 3.0},
                 two[] = {0, 1.0, 2.0, 0, 1.0, 5.0, 0, 0, 1.0, 1.0, 1.0, 1.0};
    rico_state_space *g = NULL, *h = NULL;
    (void)user;
    rico_status status = rico_state_space_transfer(ctx, 1, over, 2, under, &g);
    if (status == RICO_OK) status = rico_state_space_sections(ctx, 2, two, &h);
    if (status == RICO_OK) status = put_together(ctx, g, h);
    if (status == RICO_OK) status = look_at(ctx, g);
    rico_state_space_destroy(g);
    rico_state_space_destroy(h);
    return status;
}


static rico_status structured(rico_context *ctx, void *user)
{
    const double n[] = {0.1, 0.2, 0.3, 0.4, 0.5, -0.1, -0.2, 0.3};
    const rico_blocks one = {1, 1};
    double mu, d;
    (void)user;
    rico_status status = rico_mu(ctx, 2, 2, n, one, &mu, &d);
    if (status == RICO_OK) status = rico_skewed_mu(ctx, 2, 2, n, one, &mu, &d);
    return status;
}


static rico_status controllers(rico_context *ctx, void *user)
{
    rico_state_space *plant = NULL, *controller = NULL;
    rico_hinf found = {0};
    bool is;
    (void)user;
    rico_status status = small_plant(ctx, &plant);
    if (status == RICO_OK) status = rico_hinf_controller(plant, 1, 1, 10.0, &is, &controller);
    if (status == RICO_OK) status = rico_hinf_synthesis(plant, 1, 1, 0.2, &found);
    rico_state_space_destroy(plant);
    rico_state_space_destroy(controller);
    rico_state_space_destroy(found.controller);
    return status;
}


static rico_status iteration(rico_context *ctx, void *user)
{
    const rico_dk_options options = {.blocks = {1, 1},
                                     .measured = 1,
                                     .controls = 1,
                                     .iterations = 1,
                                     .frequencies = 3,
                                     .low = 0.1,
                                     .high = 10.0,
                                     .tolerance = 0.3};
    rico_state_space *plant = NULL;
    rico_dk found = {0};
    (void)user;
    rico_status status = small_plant(ctx, &plant);
    if (status == RICO_OK) status = rico_dk_synthesis(plant, &options, &found);
    rico_state_space_destroy(plant);
    rico_state_space_destroy(found.controller);
    return status;
}


static double nothing(void *user, double q)
{
    (void)user;
    return 0.0 * q;
}


// A string of one disc on a spring: twist and speed.
static rico_status string(rico_context *ctx, void *user)
{
    const double a[] = {0.0, -1.0, 1.0, -0.1}, input[] = {0.0, 1.0}, out[] = {0.0, 1.0},
                 c[] = {0.0, 1.0, 1.0, 0.0}, gain[] = {1.0, 0.0};
    const rico_drill_plant plant = {2, a, input, input, out, c, 0.01};
    const rico_drill_weights weights = rico_drill_high_gain();
    rico_state_space *weighted = NULL, *sensed = NULL, *k = NULL, *k_i = NULL, *closed = NULL;
    rico_sector sector;
    (void)user;
    rico_status status = rico_drill_weighted_plant(ctx, &plant, &weights, &weighted);
    if (status == RICO_OK) status = rico_drill_sensed_plant(ctx, &plant, &weights, out, &sensed);
    if (status == RICO_OK) status = rico_state_space_gain(ctx, 1, 2, gain, &k);
    if (status == RICO_OK) status = rico_drill_controller(k, &weights, &k_i);
    if (status == RICO_OK) status = rico_drill_closed(ctx, &plant, k, &closed);
    if (status == RICO_OK) status = rico_circle_criterion(closed, nothing, NULL, 1.0, &sector);
    rico_state_space *all[] = {weighted, sensed, k, k_i, closed};
    for (int i = 0; i < 5; i++) rico_state_space_destroy(all[i]);
    return status;
}


static void memory(void **state)
{
    (void)state;
    assert_true(every_allocation_fails(systems, NULL) > 100);
    assert_true(every_allocation_fails(structured, NULL) > 5);
    assert_true(every_allocation_fails(string, NULL) > 50);
    assert_true(allocations_fail(controllers, NULL, 40) > 100);
    assert_true(allocations_fail(iteration, NULL, 15) > 1000);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
