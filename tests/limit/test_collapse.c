// Loads of collapse: arches of published thickness and loads, pull-out under a wall, what is unbounded and what never stood.

#include "failing_memory.h"
#include "structures.h"

static double associated(rico_context *ctx, rico_limit *limit)
{
    rico_limit_answer a;
    assert_ok(ctx, rico_limit_load(limit, 1, &a));
    assert_int_equal(a.finding, RICO_LIMIT_FOUND);
    assert_near(a.value, a.bound, 1e-9 * fabs(a.value));
    return a.value;
}


// Equilibrium residual of forces at a load, over the largest dead load.
static double imbalance(const rico_limit *limit, const double *force, double lambda)
{
    rico_sparse_view H = rico_limit_matrix(limit);
    double worst = 0.0, size = 0.0, *sum = calloc((size_t)H.rows, sizeof *sum);
    for (int64_t i = 0; i < H.rows; i++) {
        sum[i] = rico_limit_dead(limit)[i] + lambda * rico_limit_live(limit)[i];
        size = fmax(size, fabs(rico_limit_dead(limit)[i]));
    }
    for (int64_t j = 0; j < H.cols; j++)
        for (int64_t k = H.start[j]; k < H.start[j + 1]; k++) sum[H.row[k]] += H.value[k] * force[j];
    for (int64_t i = 0; i < H.rows; i++) worst = fmax(worst, fabs(sum[i]));
    free(sum);
    return worst / size;
}


// Coulomb's law, contact by contact: u_N >= 0, N u_N = 0, |T| <= mu N, and T = -mu N sign(slip) where it slides.
static void assert_coulomb(const rico_limit *limit, const rico_limit_answer *a, double within)
{
    rico_sparse_view H = rico_limit_matrix(limit);
    for (int64_t k = 0; k < rico_limit_block_count(limit); k++) {
        double u[2] = {0.0, 0.0}, mu = rico_limit_block(limit, k).friction, N = a->force[2 * k],
               T = a->force[2 * k + 1];
        for (int i = 0; i < 2; i++)
            for (int64_t at = H.start[2 * k + i]; at < H.start[2 * k + i + 1]; at++)
                u[i] += H.value[at] * a->velocity[H.row[at]];
        assert_true(u[0] >= -within && N >= -within);
        assert_at_most(fabs(N * u[0]), within);
        assert_at_most(fabs(T) - mu * N, within);
        assert_at_most(fabs(T * u[1] + mu * N * fabs(u[1])), within);
    }
}


static void make_pull_out(structure *s, double mu)
{
    *s = (structure){0};
    add_body(s, 1.0, 0.25, 1.0);
    add_body(s, 1.0, 1.0, 1.0);
    add_contact(s, -1, 0, 0.0, 0.0, 0.0, 1.0, mu);
    add_contact(s, -1, 0, 2.0, 0.0, 0.0, 1.0, mu);
    add_contact(s, 0, 1, 0.5, 0.5, 0.0, 1.0, mu);
    add_contact(s, 0, 1, 1.5, 0.5, 0.0, 1.0, mu);
    add_contact(s, -1, 1, 1.5, 0.5, -1.0, 0.0, mu);
    add_contact(s, -1, 1, 1.5, 1.5, -1.0, 0.0, mu);
    s->live[0] = 1.0;
}


// Coulomb's set is [mu (1 + 2/(1 + mu^2)), mu (1 + 2/(1 - mu^2))]: its upper end is the associated bound, its lower one below it.
static void test_pull_out(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (double mu = 0.3; mu < 0.65; mu += 0.1) {
        structure s;
        rico_limit_answer a;
        rico_limit_search search;
        make_pull_out(&s, mu);
        rico_limit *limit = make(ctx, &s);
        double low = mu * (1.0 + 2.0 / (1.0 + mu * mu)), high = mu * (1.0 + 2.0 / (1.0 - mu * mu));
        assert_near(associated(ctx, limit), high, 1e-11);
        assert_ok(ctx, rico_limit_collapse(limit, 4000, &search, &a));
        assert_int_equal(a.finding, RICO_LIMIT_FOUND);
        assert_true(search.proved);
        assert_near(a.value, low, 1e-10);
        assert_at_most(imbalance(limit, a.force, a.value), 1e-10);
        assert_coulomb(limit, &a, 1e-8);
        for (int way = 0; way < 2; way++) {
            rico_limit_steps steps;
            if (way == 0) assert_ok(ctx, rico_limit_approach(limit, NULL, 60, &steps, &a));
            if (way == 1) assert_ok(ctx, rico_limit_path(limit, 20, &a));
            assert_int_equal(a.finding, RICO_LIMIT_FOUND);
            assert_true(a.value >= low - 1e-9 && a.value <= high + 1e-9);
            assert_at_most(imbalance(limit, a.force, a.value), 1e-8);
        }
        rico_limit_destroy(limit);
    }
    rico_context_destroy(ctx);
}


// Five voussoirs: the least load by Coulomb's law is the associated bound, in all six cases.
static void test_five_voussoirs(void **state)
{
    (void)state;
    static const struct {
        double thickness, mu, sideways, down;
    } CASES[] = {{.3, .6, .355914, 1.388785}, {.4, .4, .168113, .235010}, {.4, .35, .092287, .106635}};
    rico_context *ctx = rico_context_create(NULL);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        for (int way = 0; way < 2; way++) {
            structure s = {0};
            rico_limit_answer a;
            rico_limit_search search;
            add_arch(&s, 5, CASES[i].thickness, CASES[i].mu);
            if (way == 0) push_sideways(&s, 1.0, 0.0);
            if (way == 1) s.live[3 * 2 + 1] = -1.0;
            rico_limit *limit = make(ctx, &s);
            double expected = way ? CASES[i].down : CASES[i].sideways;
            assert_near(associated(ctx, limit), expected, 6e-7);
            assert_ok(ctx, rico_limit_approach(limit, NULL, 60, NULL, &a));
            if (a.finding == RICO_LIMIT_FOUND) assert_true(a.value <= expected + 1e-6);
            assert_ok(ctx, rico_limit_collapse(limit, 300, &search, &a));
            assert_int_equal(a.finding, RICO_LIMIT_FOUND);
            assert_true(a.value <= expected + 1e-6 && a.bound <= expected + 1e-6);
            if (search.proved) assert_near(a.value, expected, 1e-6);
            assert_coulomb(limit, &a, 1e-6);
            rico_limit_destroy(limit);
        }
    rico_context_destroy(ctx);
}


// The reserve of an arch at its own weight: the thickness at which it vanishes, by halving.
static double least_thickness(rico_context *ctx, int n, double mu, double low, double high)
{
    while (high - low > 1e-8) {
        structure s = {0};
        rico_limit_answer a;
        add_arch(&s, n, 0.5 * (low + high), mu);
        rico_limit *limit = make(ctx, &s);
        assert_ok(ctx, rico_limit_equilibrium(limit, 0.0, &a));
        assert_int_not_equal(a.finding, RICO_LIMIT_UNSURE);
        *(a.finding == RICO_LIMIT_FOUND ? &high : &low) = 0.5 * (low + high);
        rico_limit_destroy(limit);
    }
    return high;
}


static void test_arch_thickness(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    assert_near(least_thickness(ctx, 10, 1.0, 0.09, 0.12), 0.107011, 6e-7);
    assert_near(least_thickness(ctx, 20, 1.0, 0.09, 0.12), 0.107348, 6e-7);
    assert_near(least_thickness(ctx, 20, 0.39, 0.09, 0.14), 0.113127, 6e-7);
    assert_near(least_thickness(ctx, 20, 0.35, 0.12, 0.18), 0.151280, 6e-7);
    assert_near(least_thickness(ctx, 20, 0.31, 0.15, 0.25), 0.198097, 6e-7);
    rico_context_destroy(ctx);
}


static void test_arch_of_twenty(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    structure s = {0};
    rico_limit_answer a;
    double W = 0.0, weight[COLUMNS] = {0.0}, live[3 * BLOCKS] = {0.0};
    add_arch(&s, 20, 0.15, 0.75);
    push_sideways(&s, 1.0, 0.0);
    for (int k = 0; k < 20; k++) W += s.weight[k];
    assert_near(W, 0.469303, 6e-7);
    rico_limit *limit = make(ctx, &s);
    assert_near(associated(ctx, limit), 0.149350, 6e-7);
    weight[40] = weight[42] = 1.0; // normal forces of the joint at the crown
    assert_ok(ctx, rico_limit_extreme(limit, 0.0, weight, -1, &a));
    assert_near(a.value / W, 0.175635, 6e-7);
    assert_ok(ctx, rico_limit_extreme(limit, 0.0, weight, 1, &a));
    assert_near(a.value / W, 0.227718, 6e-7);
    live[3 * 10 + 1] = -W;
    assert_ok(ctx, rico_limit_set_live(limit, live));
    assert_near(associated(ctx, limit), 0.149796, 6e-7);
    rico_limit_mechanism m;
    assert_ok(ctx, rico_limit_load(limit, 1, &a));
    assert_ok(ctx, rico_limit_describe(limit, a.velocity, NULL, NULL, &m));
    assert_string_equal(m.name, "hinging");
    live[3 * 10 + 1] = 0.0, live[3 * 5 + 1] = -W;
    assert_ok(ctx, rico_limit_set_live(limit, live));
    assert_near(associated(ctx, limit), 0.392488, 6e-7);
    rico_limit_destroy(limit);
    rico_context_destroy(ctx);
}


// A flat arch between rigid abutments: stands without friction, and its keystone bears any load with some, by a self-stress that is the ray.
static void test_flat_arch(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (int n = 5; n <= 7; n += 2)
        for (int rough = 0; rough < 3; rough++) {
            structure s = {0};
            double in[BLOCKS][2], out[BLOCKS][2], force[COLUMNS];
            rico_limit_answer a;
            for (int k = 0; k <= n; k++) {
                in[k][0] = 1.0 - 2.0 * k / n, in[k][1] = 0.0;
                out[k][0] = 1.2 * in[k][0], out[k][1] = 0.4;
            }
            add_voussoirs(&s, n, in, out, 0.3 * rough);
            s.live[3 * (n / 2) + 1] = -1.0;
            rico_limit *limit = make(ctx, &s);
            assert_ok(ctx, rico_limit_equilibrium(limit, 0.0, &a));
            assert_int_equal(a.finding, RICO_LIMIT_FOUND);
            assert_ok(ctx, rico_limit_load(limit, 1, &a));
            if (rough) {
                assert_int_equal(a.finding, RICO_LIMIT_UNBOUNDED);
                for (int64_t j = 0; j < s.columns; j += 2)
                    assert_at_most(fabs(a.force[j + 1]) - 0.3 * rough * a.force[j], 1e-9);
                // the ray balances the live load alone, and load factor and ray grow together
                memset(s.dead, 0, sizeof s.dead);
                memcpy(force, a.force, (size_t)s.columns * sizeof *force);
                rico_limit *unloaded = make(ctx, &s);
                double error = 0.0, size = 0.0;
                rico_sparse_view H = rico_limit_matrix(unloaded);
                double sum[3 * BLOCKS];
                for (int64_t i = 0; i < 3 * n; i++) sum[i] = s.live[i];
                for (int64_t j = 0; j < H.cols; j++)
                    for (int64_t k = H.start[j]; k < H.start[j + 1]; k++)
                        sum[H.row[k]] += H.value[k] * force[j];
                for (int64_t i = 0; i < 3 * n; i++) error = fmax(error, fabs(sum[i]));
                for (int64_t j = 0; j < H.cols; j++) size = fmax(size, fabs(force[j]));
                assert_at_most(error, 1e-7 * size);
                rico_limit_destroy(unloaded);
            }
            rico_limit_destroy(limit);
        }
    rico_context_destroy(ctx);
}


// What does not stand: the motion gains work from the weights although no contact resists.
static void test_no_equilibrium(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    structure s = {0};
    rico_limit_answer a;
    rico_limit_mechanism m;
    add_arch(&s, 20, 0.09, 0.8);
    push_sideways(&s, 1.0, 0.0);
    rico_limit *limit = make(ctx, &s);
    assert_ok(ctx, rico_limit_equilibrium(limit, 0.0, &a));
    assert_int_equal(a.finding, RICO_LIMIT_NONE);
    assert_ok(ctx, rico_limit_describe(limit, a.velocity, NULL, NULL, &m));
    assert_true(m.dead > 0.0);
    assert_at_most(m.entering, 1e-9);
    assert_string_equal(m.name, "hinging");
    rico_limit_destroy(limit);

    // without friction on a slope nothing that the contacts have can hold it: the equations themselves say so
    structure slope = {0};
    add_body(&slope, 0.0, 0.5, 1.0);
    slope.dead[0] = 0.1;
    add_contact(&slope, -1, 0, -1.0, 0.0, 0.0, 1.0, 0.0);
    add_contact(&slope, -1, 0, 1.0, 0.0, 0.0, 1.0, 0.0);
    limit = make(ctx, &slope);
    assert_ok(ctx, rico_limit_equilibrium(limit, 0.0, &a));
    assert_int_equal(a.finding, RICO_LIMIT_NONE);
    assert_ok(ctx, rico_limit_describe(limit, a.velocity, NULL, NULL, &m));
    assert_true(m.dead > 0.0);
    assert_string_equal(m.name, "sliding");
    rico_limit_destroy(limit);
    rico_context_destroy(ctx);
}


// The frame of De Saxce and Bousshine: hinges as boxes, a support with friction; 1.5 + mu/(1 - mu) below mu = 1/2, 2.5 above; the turns by hand.
static void test_plane_frame(void **state)
{
    (void)state;
    static const double C[4][6] = {
        {0, 0, 0, -1, 2, -1}, {0, 0, -1, 1, 0, -1}, {0, 1, 0, 0, 0, 1}, {-1, 0, 0, 0, 1, -1}};
    rico_context *ctx = rico_context_create(NULL);
    for (double mu = 0.1; mu < 0.85; mu += 0.1) {
        int64_t start[7], row[24];
        double value[24], live[4] = {-1, -1, 0, 0}, force[6];
        rico_block block[5] = {{.kind = RICO_COULOMB_2D, .size = 2, .friction = mu}};
        for (int j = 0; j <= 6; j++) start[j] = 4 * j;
        for (int j = 0; j < 6; j++)
            for (int i = 0; i < 4; i++) row[4 * j + i] = i, value[4 * j + i] = C[i][j];
        for (int k = 1; k < 5; k++)
            block[k] = (rico_block){.kind = RICO_BOX, .size = 1, .low = -1.0, .high = 1.0};
        rico_limit_given given = {
            .H = {4, 6, start, row, value}, .block_count = 5, .blocks = block, .live = live};
        rico_limit *limit;
        rico_limit_answer a;
        double exact = mu < 0.5 ? 1.5 + mu / (1.0 - mu) : 2.5, n = 2.0;
        assert_ok(ctx, rico_limit_create(ctx, &given, &limit));
        assert_near(associated(ctx, limit), exact, 1e-11);
        assert_ok(ctx, rico_limit_frozen_load(limit, NULL, &a));
        assert_near(a.value, 2.5, 1e-11);
        for (int turn = 2; mu < 0.45 && turn < 8; turn++) {
            memcpy(force, a.force, sizeof force);
            force[0] = n; // the sticking support determines n = 2
            assert_ok(ctx, rico_limit_frozen_load(limit, force, &a));
            assert_near(a.value, 1.5 + mu * n, 1e-10);
            n = 1.0 + mu * n;
            assert_near(a.force[0], n, 1e-9);
        }
        assert_ok(ctx, rico_limit_approach(limit, NULL, 80, NULL, &a));
        assert_int_equal(a.finding, RICO_LIMIT_FOUND);
        assert_near(a.value, exact, 1e-7);
        rico_limit_destroy(limit);
    }
    rico_context_destroy(ctx);
}


static rico_status collapse_once(rico_context *ctx, void *user)
{
    const structure *s = user;
    rico_limit *limit = NULL;
    rico_limit_answer a;
    rico_limit_mechanism m;
    rico_limit_given given = {.H = {6, s->columns, s->start, s->row, s->value},
                              .block_count = s->contacts,
                              .blocks = s->block,
                              .dead = s->dead,
                              .live = s->live};
    rico_status status = rico_limit_create(ctx, &given, &limit);
    if (status == RICO_OK) status = rico_limit_equilibrium(limit, 0.0, &a);
    if (status == RICO_OK) status = rico_limit_row_extreme(limit, 0.0, 0, 1, &a);
    if (status == RICO_OK) status = rico_limit_load(limit, 1, &a);
    if (status == RICO_OK) status = rico_limit_describe(limit, a.velocity, NULL, NULL, &m);
    if (status == RICO_OK) status = rico_limit_approach(limit, NULL, 3, NULL, &a);
    if (status == RICO_OK) status = rico_limit_collapse(limit, 3, NULL, &a);
    if (status == RICO_OK) status = rico_limit_path(limit, 2, &a);
    rico_limit_destroy(limit);
    return status;
}


static void test_memory(void **state)
{
    (void)state;
    structure s;
    make_pull_out(&s, 0.4);
    assert_true(allocations_fail(collapse_once, &s, 20) > 20);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pull_out),       cmocka_unit_test(test_five_voussoirs),
        cmocka_unit_test(test_arch_thickness), cmocka_unit_test(test_arch_of_twenty),
        cmocka_unit_test(test_flat_arch),      cmocka_unit_test(test_no_equilibrium),
        cmocka_unit_test(test_plane_frame),    cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
