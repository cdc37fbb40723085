// Memory of the position-level schemes: every allocation fails in turn, nothing is leaked or half done; a step of a
// run that has settled allocates nothing.

#include "mechanisms.h"

static struct {
    int64_t until_failure; // allocations left before one fails; negative: never
    int64_t live, total;
} memory;


static void *counting_allocate(void *user, size_t size)
{
    (void)user;
    memory.total++;
    if (memory.until_failure >= 0 && memory.until_failure-- == 0) return NULL;
    void *block = malloc(size);
    if (block) memory.live++;
    return block;
}


static void counting_release(void *user, void *block)
{
    (void)user;
    if (block) memory.live--;
    free(block);
}


static const rico_allocator allocator = {counting_allocate, counting_release, NULL};

static const struct {
    const char *scheme, *solve;
} WAYS[] = {{"schatzman-paoli", NULL},         {"trapezoidal-position", NULL},
            {"contact-stabilized", NULL},      {"direct-projection", "decoupled"},
            {"direct-projection", "coupled"},  {"combined-projection", "decoupled"},
            {"combined-projection", "coupled"}};
enum { WAY_COUNT = sizeof WAYS / sizeof *WAYS };


// The block falls and comes to rest on both corners. The system is made before memory becomes short.
static rico_status fall(rico_system *system, int way, int steps, rico_simulation **sim)
{
    const double q[] = {0.0, 0.8, 0.02}, v[] = {0.0, -0.5, 0.1};
    rico_status status = rico_simulation_create(system, WAYS[way].scheme, sim);
    if (status == RICO_OK && WAYS[way].solve) status = rico_simulation_set(*sim, "solve", WAYS[way].solve);
    if (status == RICO_OK) status = rico_simulation_start(*sim, 0.0, q, v);
    for (int k = 0; status == RICO_OK && k < steps; k++) status = rico_simulation_step(*sim, 1e-2);
    return status;
}


static void short_of_memory(void **state)
{
    (void)state;
    for (int way = 0; way < WAY_COUNT; way++) {
        rico_status status = RICO_NO_MEMORY;
        memory.until_failure = -1;
        for (int64_t n = 0; status != RICO_OK; n++) {
            rocking_corner corners[2];
            rico_context *ctx = rico_context_create(&allocator);
            rico_system *system = rocking_block(ctx, 0.2, corners);
            rico_simulation *sim = NULL;
            memory.until_failure = n;
            status = fall(system, way, 12, &sim);
            memory.until_failure = -1;
            if (status != RICO_OK) {
                assert_int_equal(status, RICO_NO_MEMORY);
                // the step that failed left the state as it was, and memory is back
                if (sim && rico_simulation_steps(sim) > 0) assert_ok(ctx, rico_simulation_step(sim, 1e-2));
            }
            rico_simulation_destroy(sim);
            rico_system_destroy(system);
            rico_context_destroy(ctx);
            assert_int_equal(memory.live, 0);
        }
    }
}


// The coupled solve makes a problem for its solver; nothing else allocates once both corners have touched.
static void steps_allocate_nothing(void **state)
{
    (void)state;
    memory.until_failure = -1;
    for (int way = 0; way < WAY_COUNT; way++) {
        if (WAYS[way].solve && strcmp(WAYS[way].solve, "coupled") == 0) continue;
        rocking_corner corners[2];
        rico_context *ctx = rico_context_create(&allocator);
        rico_system *system = rocking_block(ctx, 0.2, corners);
        rico_simulation *sim;
        assert_ok(ctx, fall(system, way, 50, &sim));
        int64_t before = memory.total;
        for (int k = 0; k < 50; k++) assert_ok(ctx, rico_simulation_step(sim, 1e-2));
        assert_int_equal(memory.total, before);
        assert_true(rico_simulation_impulse(sim)[0] > 0.0 || rico_simulation_impulse(sim)[1] > 0.0 ||
                    WAYS[way].solve == NULL);
        rico_simulation_destroy(sim);
        rico_system_destroy(system);
        rico_context_destroy(ctx);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_of_memory),
        cmocka_unit_test(steps_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
