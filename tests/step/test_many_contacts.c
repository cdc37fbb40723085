// Contacts by the hundred: a row of masses on springs, pressed against the floor. The law and the ledger hold to round-off
// whether W falls off quickly, slowly or is diagonal; what rests stays at rest; a settled step allocates nothing.

#include "ricochet/ricochet.h"
#include "support.h"

enum { MASSES = 500 };

typedef struct chain {
    rico_system *system;
    double press, ripple;
} chain;

static void *count_allocate(void *user, size_t size)
{
    ++*(int64_t *)user;
    return malloc(size);
}


static void count_release(void *user, void *block)
{
    (void)user;
    free(block);
}


static bool load(void *user, double t, double *f)
{
    const chain *c = user;
    for (int64_t i = 0; i < MASSES; i++) {
        f[2 * i] = -c->press * (1.0 + c->ripple * sin(30.0 * t - 0.4 * (double)i));
        f[2 * i + 1] = 0.2 * c->press * sin(20.0 * t + 0.3 * (double)i);
    }
    return true;
}


// Heights and places of the masses, each tied to its neighbours and to a frame by springs of stiffness k.
static void chain_create(rico_context *ctx, double k, double friction, chain *c)
{
    int64_t n = 2 * MASSES, start[2 * MASSES + 1] = {0}, row[6 * MASSES], at = 0;
    double M[6 * MASSES], K[6 * MASSES];
    for (int64_t j = 0; j < n; j++) {
        for (int64_t i = j - 2; i <= j + 2; i += 2) {
            if (i < 0 || i >= n) continue;
            row[at] = i;
            M[at] = i == j ? 1.0 : 0.0;
            K[at++] = i == j ? 3.0 * k : -k;
        }
        start[j + 1] = at;
    }
    rico_matrix_part part = {
        .size = n, .M = {n, n, start, row, M}, .K = {n, n, start, row, K}, .load = load, .user = c};
    if (k == 0.0) part.K = (rico_sparse_view){0};
    assert_ok(ctx, rico_system_create(ctx, &c->system));
    assert_ok(ctx, rico_system_add_matrices(c->system, "chain", &part, NULL));
    const double frame[] = {1.0, 0.0, 0.0, 1.0};
    for (int64_t i = 0; i < MASSES; i++) {
        int64_t dof[] = {2 * i, 2 * i + 1};
        char name[32];
        snprintf(name, sizeof name, "c%d", (int)i);
        rico_contact contact = {.dimension = 2, .friction = friction, .reach = {2, dof}, .gradient = frame};
        assert_ok(ctx, rico_system_add_contact(c->system, name, &contact, NULL));
    }
}


// Coulomb's law at every contact, up to tol of what was compared.
static void check_law(const rico_simulation *sim, double mu, double speed, double tol)
{
    const double *p = rico_simulation_impulse(sim), *u = rico_simulation_velocity_after(sim);
    const char *active = rico_simulation_active(sim);
    for (int64_t i = 0; i < MASSES; i++) {
        const double *pi = p + 2 * i, *ui = u + 2 * i;
        assert_true(pi[0] >= 0.0 && fabs(pi[1]) <= mu * pi[0] * (1.0 + 1e-12));
        if (!active[i]) continue;
        assert_true(ui[0] >= -tol * speed);
        if (pi[0] > 0.0) assert_at_most(fabs(ui[0]), tol * speed);
        if (fabs(pi[1]) < mu * pi[0] * (1.0 - 1e-9)) assert_at_most(fabs(ui[1]), tol * speed);
    }
}


static void test_law_and_ledger(void **state)
{
    (void)state;
    static const double stiffness[] = {1e3, 1e6, 0.0}, h = 2e-3;
    for (int k = 0; k < 3; k++)
        for (int r = 0; r < 2; r++) {
            int64_t count = 0, before = 0;
            const rico_allocator counting = {count_allocate, count_release, &count};
            rico_context *ctx = rico_context_create(&counting);
            chain c = {.press = 10.0, .ripple = r ? 3.0 : 0.3};
            rico_simulation *sim;
            double zero[2 * MASSES] = {0};
            chain_create(ctx, stiffness[k], 0.5, &c);
            assert_ok(ctx, rico_simulation_create(c.system, "moreau-jean", &sim));
            assert_ok(ctx, rico_simulation_start(sim, 0.0, zero, zero));
            for (int step = 0; step < 40; step++) {
                assert_ok(ctx, rico_simulation_step(sim, h));
                check_law(sim, 0.5, 10.0 * h, 1e-11);
                const rico_ledger *ledger = rico_simulation_ledger(sim);
                assert_at_most(fabs(ledger->residual), 1e-13 * (1.0 + ledger->kinetic + ledger->potential));
                if (step == 20) before = count;
            }
            int64_t acting = 0;
            for (int64_t i = 0; i < MASSES; i++) acting += rico_simulation_impulse(sim)[2 * i] > 0.0;
            if (r == 0) {
                assert_int_equal(acting, MASSES);
                assert_int_equal(count, before);
            } else {
                assert_in_range(acting, 20, MASSES - 20);
            }
            rico_simulation_destroy(sim);
            rico_system_destroy(c.system);
            rico_context_destroy(ctx);
        }
}


// A tower: each mass rests on the one below. Sweeps carry a load down by one mass each, so that a solver by name takes over.
static void tower_create(rico_context *ctx, chain *c)
{
    int64_t start[MASSES + 1], row[MASSES];
    double M[MASSES], weight[MASSES];
    for (int64_t i = 0; i <= MASSES; i++) start[i] = i;
    for (int64_t i = 0; i < MASSES; i++) {
        row[i] = i;
        M[i] = 1.0;
        weight[i] = -c->press;
    }
    rico_matrix_part part = {.size = MASSES, .M = {MASSES, MASSES, start, row, M}, .force = weight};
    assert_ok(ctx, rico_system_create(ctx, &c->system));
    assert_ok(ctx, rico_system_add_matrices(c->system, "tower", &part, NULL));
    for (int64_t i = 0; i < MASSES; i++) {
        const int64_t dof[] = {i, i - 1};
        const double up[] = {1.0, -1.0};
        rico_contact contact = {.dimension = 1, .reach = {i == 0 ? 1 : 2, dof}, .gradient = up};
        assert_ok(ctx, rico_system_add_contact(c->system, "joint", &contact, NULL));
    }
}


// A simulation that loads a saved state, whenever it was saved, goes on with the same bits: what the step keeps of W and of its
// solver does not show.
static void check_resumed(rico_context *ctx, const chain *c, int64_t n, int64_t rows, int64_t *calls)
{
    static const double h = 2e-3, zero[2 * MASSES] = {0};
    for (int cut = 1; cut <= 21; cut += 5) {
        rico_simulation *sim, *other;
        assert_ok(ctx, rico_simulation_create(c->system, "moreau-jean", &sim));
        assert_ok(ctx, rico_simulation_create(c->system, "moreau-jean", &other));
        assert_ok(ctx, rico_simulation_start(sim, 0.0, zero, zero));
        for (int step = 0; step < cut; step++) assert_ok(ctx, rico_simulation_step(sim, h));
        int64_t size = rico_simulation_state_size(sim);
        char *bytes = malloc((size_t)size);
        assert_non_null(bytes);
        rico_simulation_save(sim, bytes);
        assert_ok(ctx, rico_simulation_load(other, bytes, size));
        free(bytes);
        for (int step = 0; step < 12; step++) {
            assert_ok(ctx, rico_simulation_step(sim, h));
            assert_ok(ctx, rico_simulation_step(other, h));
            assert_memory_equal(rico_simulation_velocity(sim), rico_simulation_velocity(other),
                                (size_t)n * sizeof(double));
            assert_memory_equal(rico_simulation_impulse(sim), rico_simulation_impulse(other),
                                (size_t)rows * sizeof(double));
        }
        *calls += rico_simulation_statistics(sim)->solver_calls;
        rico_simulation_destroy(sim);
        rico_simulation_destroy(other);
    }
}


static void test_resumed(void **state)
{
    (void)state;
    static const double stiffness[] = {1e3, 1e6, 0.0};
    rico_context *ctx = rico_context_create(NULL);
    int64_t calls = 0;
    for (int k = 0; k < 6; k++) {
        chain c = {.press = 10.0, .ripple = k % 2 ? 3.0 : 0.3};
        chain_create(ctx, stiffness[k / 2], 0.5, &c);
        check_resumed(ctx, &c, 2 * MASSES, 2 * MASSES, &calls);
        rico_system_destroy(c.system);
    }
    chain tower = {.press = 10.0};
    tower_create(ctx, &tower);
    calls = 0;
    check_resumed(ctx, &tower, MASSES, MASSES, &calls);
    assert_true(calls > 0);
    rico_system_destroy(tower.system);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_law_and_ledger), cmocka_unit_test(test_resumed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
