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


// What the step keeps of W and of its solver from one step to the next is no part of the state: a simulation that loads a
// saved state, whenever it was saved, goes on with the same bits.
static void test_resumed(void **state)
{
    (void)state;
    static const double stiffness[] = {1e3, 1e6, 0.0}, h = 2e-3;
    for (int k = 0; k < 3; k++)
        for (int r = 0; r < 2; r++)
            for (int cut = 1; cut <= 21; cut += 5) {
                rico_context *ctx = rico_context_create(NULL);
                chain c = {.press = 10.0, .ripple = r ? 3.0 : 0.3};
                rico_simulation *sim, *other;
                double zero[2 * MASSES] = {0};
                chain_create(ctx, stiffness[k], 0.5, &c);
                assert_ok(ctx, rico_simulation_create(c.system, "moreau-jean", &sim));
                assert_ok(ctx, rico_simulation_create(c.system, "moreau-jean", &other));
                assert_ok(ctx, rico_simulation_start(sim, 0.0, zero, zero));
                for (int step = 0; step < cut; step++) assert_ok(ctx, rico_simulation_step(sim, h));
                int64_t size = rico_simulation_state_size(sim);
                char *bytes = malloc((size_t)size);
                assert_non_null(bytes);
                rico_simulation_save(sim, bytes);
                assert_ok(ctx, rico_simulation_load(other, bytes, size));
                free(bytes);
                for (int step = 0; step < 15; step++) {
                    assert_ok(ctx, rico_simulation_step(sim, h));
                    assert_ok(ctx, rico_simulation_step(other, h));
                    assert_memory_equal(rico_simulation_velocity(sim), rico_simulation_velocity(other),
                                        sizeof zero);
                    assert_memory_equal(rico_simulation_impulse(sim), rico_simulation_impulse(other),
                                        sizeof zero);
                }
                rico_simulation_destroy(sim);
                rico_simulation_destroy(other);
                rico_system_destroy(c.system);
                rico_context_destroy(ctx);
            }
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_law_and_ledger), cmocka_unit_test(test_resumed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
