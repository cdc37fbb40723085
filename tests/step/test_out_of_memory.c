// Every allocation of a simulation fails in turn, under every scheme: a clear status each time, nothing leaked, and the
// step that failed can be done again. And a simulation that has settled allocates nothing any more.

#include "moving_schemes.h"
#include "systems.h"

static struct {
    int64_t until_failure; // allocations left before one fails; negative: never
    int64_t live, total;
} memory;


static void *allocate(void *user, size_t size)
{
    (void)user;
    memory.total++;
    if (memory.until_failure >= 0 && memory.until_failure-- == 0) return NULL;
    memory.live++;
    return malloc(size);
}


static void release(void *user, void *block)
{
    (void)user;
    if (block) memory.live--;
    free(block);
}


static const rico_allocator ALLOCATOR = {allocate, release, NULL};


// Two masses on springs, damped, each above a rough ground: q = (x1, y1, x2, y2).
static rico_status two_masses(rico_context *ctx, rico_system **out)
{
    const int64_t start[] = {0, 1, 2, 3, 4}, row[] = {0, 1, 2, 3};
    const double M[] = {1, 1, 2, 2}, K[] = {5, 5, 3, 3}, C[] = {0.1, 0.1, 0.2, 0.2},
                 force[] = {1, -4, -1, -8};
    const double gradient[] = {0, 1, 1, 0};
    rico_system *system = NULL;
    rico_status status = rico_system_create(ctx, &system);
    rico_matrix_part part = {.size = 4,
                             .M = {4, 4, start, row, M},
                             .K = {4, 4, start, row, K},
                             .C = {4, 4, start, row, C},
                             .force = force};
    if (status == RICO_OK) status = rico_system_add_matrices(system, "masses", &part, NULL);
    for (int i = 0; status == RICO_OK && i < 2; i++) {
        const int64_t dof[] = {2 * i, 2 * i + 1};
        rico_contact contact = {.dimension = 2,
                                .restitution = 0.4,
                                .friction = 0.3,
                                .reach = {2, dof},
                                .gradient = gradient,
                                .offset = 0.1};
        status = rico_system_add_contact(system, "ground", &contact, NULL);
    }
    if (status == RICO_OK)
        *out = system;
    else
        rico_system_destroy(system);
    return status;
}


static const double Q[] = {0.0, 0.0, 0.0, 0.0}, V[] = {1.0, -1.0, 0.5, -2.0};


// From the system to some steps; a failure of memory is tried again at the same place, with memory. Returns whether
// there was one.
static bool whole_run(rico_context *ctx, const char *scheme)
{
    rico_system *system = NULL;
    rico_simulation *sim = NULL;
    bool failed = false;
    for (int stage = 0; stage < 8; stage++) {
        rico_status status;
        for (int attempt = 0;; attempt++) {
            if (stage == 0)
                status = two_masses(ctx, &system);
            else if (stage == 1)
                status = rico_simulation_create(system, scheme, &sim);
            else if (stage == 2)
                status = rico_simulation_start(sim, 0.0, Q, V);
            else
                status = rico_simulation_step(sim, 0.05);
            if (status == RICO_OK) break;
            assert_int_equal(attempt, 0);
            assert_int_equal(status, RICO_NO_MEMORY);
            failed = true;
        }
    }
    assert_near(rico_simulation_time(sim), 0.25, 1e-15);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
    return failed;
}


static void failures(void **state)
{
    (void)state;
    const rico_scheme_info *scheme;
    for (int s = 0; (scheme = moving_scheme_at(s)); s++) {
        bool failed = true;
        int64_t count = 0;
        for (; failed; count++) {
            memory.live = memory.total = 0;
            memory.until_failure = -1;
            rico_context *ctx = rico_context_create(&ALLOCATOR);
            memory.until_failure = count;
            failed = whole_run(ctx, scheme->name);
            memory.until_failure = -1;
            rico_context_destroy(ctx);
            assert_int_equal(memory.live, 0);
        }
        assert_true(count > 20);
    }
}


// The form for many contacts allocates in the step itself.
static void many_contacts(void **state)
{
    (void)state;
    rico_random random;
    rico_random_seed(&random, 1);
    memory.live = memory.total = 0;
    memory.until_failure = -1;
    rico_context *ctx = rico_context_create(&ALLOCATOR);
    random_system system;
    rico_simulation *sim;
    random_system_create(ctx, &random, 10, 900, 1, 0.5, 0.0, true, &system);
    assert_ok(ctx, rico_simulation_create(system.system, "generalized-alpha", &sim));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, system.q, system.v));
    for (int64_t k = 0; k < 20; k++) {
        memory.until_failure = k;
        assert_int_equal(rico_simulation_step(sim, 0.05), RICO_NO_MEMORY);
    }
    memory.until_failure = -1;
    assert_ok(ctx, rico_simulation_step(sim, 0.05));
    rico_simulation_destroy(sim);
    random_system_destroy(&system);
    rico_context_destroy(ctx);
    assert_int_equal(memory.live, 0);
}


static void settled(void **state)
{
    (void)state;
    static const char *const SCHEMES[] = {
        "moreau-jean", "moreau-jean-variant", "moreau-jean-fremond", "newmark",
        "hht",         "generalized-alpha",   "kh-generalized-alpha"};
    for (size_t s = 0; s < sizeof SCHEMES / sizeof *SCHEMES; s++) {
        memory.until_failure = -1;
        rico_context *ctx = rico_context_create(&ALLOCATOR);
        rico_system *system;
        rico_simulation *sim;
        assert_ok(ctx, two_masses(ctx, &system));
        assert_ok(ctx, rico_simulation_create(system, SCHEMES[s], &sim));
        assert_ok(ctx, rico_simulation_start(sim, 0.0, Q, V));
        for (int k = 0; k < 300; k++) assert_ok(ctx, rico_simulation_step(sim, 0.01));
        int64_t before = memory.total;
        double impulses = 0.0;
        for (int k = 0; k < 300; k++) {
            assert_ok(ctx, rico_simulation_step(sim, 0.01));
            impulses += rico_simulation_impulse(sim)[0] + rico_simulation_impulse(sim)[2];
        }
        assert_int_equal(memory.total, before);
        assert_true(impulses > 0.0);
        rico_simulation_destroy(sim);
        rico_system_destroy(system);
        rico_context_destroy(ctx);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failures),
        cmocka_unit_test(many_contacts),
        cmocka_unit_test(settled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
