// Small problems of statics with friction that have exact answers: blocks, ladders, tables, slopes, stacks, cones against pyramids.

#include "structures.h"

static const double PI = 3.14159265358979323846;


static void ask(rico_context *ctx, rico_limit *limit, int64_t row, double low, double high, double within)
{
    rico_limit_answer a;
    assert_ok(ctx, rico_limit_row_extreme(limit, 0.0, row, -1, &a));
    assert_int_equal(a.finding, RICO_LIMIT_FOUND);
    assert_near(a.value, low, within);
    assert_ok(ctx, rico_limit_row_extreme(limit, 0.0, row, 1, &a));
    assert_int_equal(a.finding, RICO_LIMIT_FOUND);
    assert_near(a.value, high, within);
}


// A column of drums slides at mu or turns over at b/h of the whole: and says which.
static void test_column_of_drums(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (int drums = 1; drums <= 4; drums++)
        for (int i = 1; i <= 7; i++) {
            structure s = {0};
            double mu = 0.13 * i, b = 1.0, h = 0.9;
            for (int k = 0; k < drums; k++) {
                int64_t body = add_body(&s, 0.0, (k + 0.5) * h, 1.0);
                add_contact(&s, body - (k ? 1 : body + 1), body, -b / 2.0, k * h, 0.0, 1.0, mu);
                add_contact(&s, body - (k ? 1 : body + 1), body, b / 2.0, k * h, 0.0, 1.0, mu);
            }
            push_sideways(&s, 1.0, 0.0);
            rico_limit *limit = make(ctx, &s);
            rico_limit_answer a;
            rico_limit_mechanism m;
            assert_ok(ctx, rico_limit_load(limit, 1, &a));
            assert_int_equal(a.finding, RICO_LIMIT_FOUND);
            assert_near(a.value, fmin(mu, b / (drums * h)), 1e-12);
            assert_ok(ctx, rico_limit_describe(limit, a.velocity, NULL, NULL, &m));
            assert_string_equal(m.name, mu < b / (drums * h) ? "sliding" : "hinging");
            assert_near(m.live, 1.0, 1e-12);
            assert_at_most(m.entering, 1e-12);
            rico_limit_destroy(limit);
        }
    rico_context_destroy(ctx);
}


static rico_limit *ladder(rico_context *ctx, double degrees, double mu_floor, double mu_wall, double weight,
                          bool man_on_top)
{
    structure s = {0};
    double th = degrees * PI / 180.0, x = cos(th) / 2.0, y = sin(th) / 2.0;
    add_body(&s, -x, y, weight);
    add_contact(&s, -1, 0, -2.0 * x, 0.0, 0.0, 1.0, mu_floor);
    add_contact(&s, -1, 0, 0.0, 2.0 * y, -1.0, 0.0, mu_wall);
    if (man_on_top) s.live[1] = -1.0, s.live[2] = -x;
    return make(ctx, &s);
}


// The tangent of the floor here points to -x, that of the wall down: signs of T accordingly.
static void test_ladder(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_limit_answer a;
    rico_limit *limit = ladder(ctx, 60.0, 0.4, 0.4, 1.0, false);
    ask(ctx, limit, 0, 0.906194, 1.150144, 5e-7);
    ask(ctx, limit, 2, 0.234516, 0.375361, 5e-7);
    ask(ctx, limit, 3, -0.093806, 0.150144, 5e-7);
    ask(ctx, limit, 2, 0.5 / (tan(PI / 3.0) + 0.4), 0.5 / (tan(PI / 3.0) - 0.4), 1e-12);
    rico_limit_destroy(limit);

    // stands if and only if tan(th) >= (1 - mu mu)/(2 mu), 46.397181 degrees
    for (int side = -1; side <= 1; side += 2) {
        limit = ladder(ctx, 46.397181 + side * 1e-5, 0.4, 0.4, 1.0, false);
        assert_ok(ctx, rico_limit_equilibrium(limit, 0.0, &a));
        assert_int_equal(a.finding, side < 0 ? RICO_LIMIT_NONE : RICO_LIMIT_FOUND);
        rico_limit_destroy(limit);
    }
    limit = ladder(ctx, 60.0, 0.5, 0.3, 3.0, false);
    ask(ctx, limit, 0, 2.778549, 3.314235, 5e-7);
    ask(ctx, limit, 2, 0.738171, 1.047449, 5e-7);
    ask(ctx, limit, 3, -0.221451, 0.314235, 5e-7);
    rico_limit_destroy(limit);
    limit = ladder(ctx, 60.0, 0.5, 0.3, 1.0, true);
    assert_ok(ctx, rico_limit_load(limit, 1, &a));
    assert_near(a.value, 3.291859, 1e-6);
    rico_limit_destroy(limit);
    rico_context_destroy(ctx);
}


// Weight 1 at (x, y): three equations for four legs.
static void test_table(void **state)
{
    (void)state;
    static const double LEG[4][2] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
    static const struct {
        double x, y, low[4], high[4];
    } CASES[] = {{0, 0, {0, 0, 0, 0}, {.5, .5, .5, .5}},
                 {.5, 0, {.25, .25, 0, 0}, {.5, .5, .25, .25}},
                 {.5, .25, {.375, .125, 0, 0}, {.625, .375, .25, .25}},
                 {.8, .1, {.45, .35, 0, 0}, {.55, .45, .1, .1}}};
    rico_context *ctx = rico_context_create(NULL);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        int64_t start[5] = {0, 3, 6, 9, 12}, row[12];
        double value[12], dead[3] = {-1.0, -CASES[i].x, -CASES[i].y};
        rico_block block[4];
        for (int k = 0; k < 4; k++) {
            block[k] = (rico_block){.kind = RICO_UNILATERAL, .size = 1};
            for (int j = 0; j < 3; j++) row[3 * k + j] = j, value[3 * k + j] = j ? LEG[k][j - 1] : 1.0;
        }
        rico_limit_given given = {
            .H = {3, 4, start, row, value}, .block_count = 4, .blocks = block, .dead = dead};
        rico_limit *limit;
        assert_ok(ctx, rico_limit_create(ctx, &given, &limit));
        for (int k = 0; k < 4; k++) ask(ctx, limit, k, CASES[i].low[k], CASES[i].high[k], 1e-12);
        rico_limit_destroy(limit);
    }
    rico_context_destroy(ctx);
}


// A block 2 x 1 on a slope of 15 degrees: in the axes of the slope its weight is (-sin, -cos).
static rico_limit *on_slope(rico_context *ctx, int contacts)
{
    structure s = {0};
    add_body(&s, 0.0, 0.5, 1.0);
    s.dead[0] = -sin(PI / 12.0);
    s.dead[1] = -cos(PI / 12.0);
    for (int k = 0; k < contacts; k++)
        add_contact(&s, -1, 0, contacts == 2 ? 2.0 * k - 1.0 : k - 1.0, 0.0, 0.0, 1.0, 0.5);
    return make(ctx, &s);
}


static void test_slope(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_limit *limit = on_slope(ctx, 3);
    static const double N[3][2] = {{.129410, .547668}, {0, .836516}, {0, .418258}},
                        T[3][2] = {{-.112072, .273834}, {-.112072, .370891}, {-.112072, .209129}};
    for (int k = 0; k < 3; k++) {
        ask(ctx, limit, 2 * k, N[k][0], N[k][1], 6e-7);
        ask(ctx, limit, 2 * k + 1, -T[k][1], -T[k][0], 6e-7); // the tangent points down the slope
    }
    rico_limit_destroy(limit);

    // two contacts determine the normal forces, and not the friction
    limit = on_slope(ctx, 2);
    ask(ctx, limit, 0, .547668, .547668, 5e-7);
    ask(ctx, limit, 2, .418258, .418258, 5e-7);
    rico_limit_answer low, high;
    assert_ok(ctx, rico_limit_row_extreme(limit, 0.0, 1, -1, &low));
    double least = low.value;
    assert_ok(ctx, rico_limit_row_extreme(limit, 0.0, 1, 1, &high));
    assert_true(high.value - least > 0.1);
    rico_limit_destroy(limit);
    rico_context_destroy(ctx);
}


// Unit blocks of height h, the k-th from the top beyond the one below by 1/(2 k): 25/24 for four.
static rico_limit *stack(rico_context *ctx, double more)
{
    structure s = {0};
    double right[4], edge = 0.0; // of the blocks from below; the table ends at 0
    for (int k = 0; k < 4; k++) right[k] = edge += 0.5 / (4 - k) + (k == 3 ? more : 0.0);
    for (int k = 0; k < 4; k++) {
        double below = k ? right[k - 1] : 0.0;
        add_body(&s, right[k] - 0.5, 0.1 * k + 0.05, 1.0);
        add_contact(&s, k - 1, k, right[k] - 1.0, 0.1 * k, 0.0, 1.0, 0.3);
        add_contact(&s, k - 1, k, below, 0.1 * k, 0.0, 1.0, 0.3);
    }
    return make(ctx, &s);
}


static void test_overhang(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    rico_limit_answer a;
    for (int side = -1; side <= 1; side++) {
        rico_limit *limit = stack(ctx, side * 1e-6);
        assert_ok(ctx, rico_limit_equilibrium(limit, 0.0, &a));
        assert_int_equal(a.finding, side > 0 ? RICO_LIMIT_NONE : RICO_LIMIT_FOUND);
        if (side == 0) assert_near(a.value, 0.0, 1e-9);
        rico_limit_destroy(limit);
    }

    // three blocks, one beyond the edge by its whole length: base [-1/2, 1/2], two upon it, [0, 1] and [-1, 0]; nothing to spare
    structure s = {0};
    add_body(&s, 0.0, 0.05, 1.0);
    add_body(&s, 0.5, 0.15, 1.0);
    add_body(&s, -0.5, 0.15, 1.0);
    add_contact(&s, -1, 0, -0.5, 0.0, 0.0, 1.0, 0.3);
    add_contact(&s, -1, 0, 0.0, 0.0, 0.0, 1.0, 0.3);
    add_contact(&s, 0, 1, 0.0, 0.1, 0.0, 1.0, 0.3);
    add_contact(&s, 0, 1, 0.5, 0.1, 0.0, 1.0, 0.3);
    add_contact(&s, 0, 2, -0.5, 0.1, 0.0, 1.0, 0.3);
    add_contact(&s, 0, 2, 0.0, 0.1, 0.0, 1.0, 0.3);
    rico_limit *limit = make(ctx, &s);
    assert_ok(ctx, rico_limit_equilibrium(limit, 0.0, &a));
    assert_int_equal(a.finding, RICO_LIMIT_FOUND);
    assert_near(a.value, 0.0, 1e-9);
    rico_limit_destroy(limit);
    rico_context_destroy(ctx);
}


// A block on the ground in space, pushed at an angle to the axes of its pyramids.
static double pushed(rico_context *ctx, double degrees, rico_limit_view view)
{
    static const double AT[4][2] = {
        {2, 2}, {2, -2}, {-2, 2}, {-2, -2}}; // wide and low: it does not turn over
    int64_t start[13] = {0}, row[12 * 6];
    double value[12 * 6], dead[6] = {0, 0, -1, 0, 0, 0},
                          live[6] = {cos(degrees * PI / 180.0), sin(degrees * PI / 180.0)};
    rico_block block[4];
    for (int k = 0; k < 4; k++) {
        block[k] = (rico_block){.kind = RICO_COULOMB_3D, .size = 3, .friction = 0.6};
        double p[3] = {AT[k][0], AT[k][1], -0.01}, axes[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
        for (int j = 0; j < 3; j++) {
            const double *d = axes[j];
            double column[6] = {d[0],
                                d[1],
                                d[2],
                                p[1] * d[2] - p[2] * d[1],
                                p[2] * d[0] - p[0] * d[2],
                                p[0] * d[1] - p[1] * d[0]};
            int c = 3 * k + j;
            for (int i = 0; i < 6; i++) row[6 * c + i] = i, value[6 * c + i] = column[i];
            start[c + 1] = 6 * (c + 1);
        }
    }
    rico_limit_given given = {.H = {6, 12, start, row, value},
                              .block_count = 4,
                              .blocks = block,
                              .dead = dead,
                              .live = live,
                              .view = view};
    rico_limit *limit;
    rico_limit_answer a;
    assert_ok(ctx, rico_limit_create(ctx, &given, &limit));
    assert_ok(ctx, rico_limit_load(limit, 1, &a));
    assert_int_equal(a.finding, RICO_LIMIT_FOUND);
    double load = a.value;
    rico_limit_destroy(limit);
    return load;
}


static void test_cone_against_pyramids(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (double degrees = 0.0; degrees < 90.0; degrees += 11.25)
        assert_near(pushed(ctx, degrees, (rico_limit_view){0}), 0.6, 1e-11);
    assert_near(pushed(ctx, 45.0, (rico_limit_view){.facets = 4}), 0.6 * sqrt(0.5), 1e-11);
    assert_near(pushed(ctx, 45.0, (rico_limit_view){.facets = 4, .outer = true}), 0.6 * sqrt(2.0), 1e-11);
    assert_near(pushed(ctx, 22.5, (rico_limit_view){.facets = 8}), 0.6 * cos(PI / 8.0), 1e-11);
    assert_near(pushed(ctx, 10.0, (rico_limit_view){.friction = 0.25}), 0.25, 1e-11);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_column_of_drums), cmocka_unit_test(test_ladder),
        cmocka_unit_test(test_table),           cmocka_unit_test(test_slope),
        cmocka_unit_test(test_overhang),        cmocka_unit_test(test_cone_against_pyramids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
