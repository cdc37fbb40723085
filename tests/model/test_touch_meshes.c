// Meshes against meshes: contacts that slide over edges, come and go, are saved and loaded, and do not depend on what was asked before.

#include "blocks.h"

#include "failing_memory.h"
#include "la/vec3.h"
#include "ricochet/simulation.h"
#include "ricochet/source.h"
#include "step/simulation.h"

enum { FACES, BOTH, MORTAR, WAYS };

typedef struct duo {
    rico_context *ctx;
    elastic_block lower, upper;
    rico_system *system;
    rico_simulation *sim;
    double *q, *v;
} duo;


static rico_status add_contact(rico_system *system, const elastic_block *lower, const elastic_block *upper,
                               int way, const rico_touch *how)
{
    const rico_touch_side below = {0, lower->mesh, "top"}, above = {1, upper->mesh, "bottom"};
    if (way == MORTAR) return rico_system_touch_mortar(system, "joint", &above, &below, false, how);
    return rico_system_touch_faces(system, "joint", &above, &below, way == BOTH, how);
}


// A heavy block and another that slides on it.
static duo begin(rico_context *ctx, int dimension, int way, const rico_touch *how)
{
    duo own = {.ctx = ctx};
    double gravity[3] = {0.0, 0.0, 0.0};
    gravity[dimension - 1] = -10.0;
    if (dimension == 2) {
        own.lower = block_make(grid_rectangle(7, 1, (double[]){0, 0}, (double[]){4, 1}), 0.3);
        own.upper = block_make(grid_rectangle(2, 1, (double[]){0.3, 1}, (double[]){1.3, 2}), 0.3);
    } else {
        own.lower = block_make(grid_box((int64_t[]){5, 2, 1}, (double[]){0, 0, 0}, (double[]){3, 1, 1}), 0.3);
        own.upper =
            block_make(grid_box((int64_t[]){2, 1, 1}, (double[]){0.3, 0.1, 1}, (double[]){1.3, 0.9, 2}), 0.3);
    }
    assert_ok(ctx, rico_system_create(ctx, &own.system));
    assert_ok(ctx, block_add(own.system, "lower", &own.lower, 1e6, 1e7, NULL));
    assert_ok(ctx, block_add(own.system, "upper", &own.upper, 1.0, 2e5, gravity));
    assert_ok(ctx, add_contact(own.system, &own.lower, &own.upper, way, how));
    assert_ok(ctx, rico_simulation_create(own.system, "moreau-jean", &own.sim));
    int64_t n = rico_system_velocities(own.system);
    own.q = calloc((size_t)n, sizeof *own.q);
    own.v = calloc((size_t)n, sizeof *own.v);
    assert_true(own.q && own.v);
    for (int64_t i = own.lower.size; i < n; i++) own.v[i] = (i - own.lower.size) % dimension == 0 ? 2.0 : 0.0;
    assert_ok(ctx, rico_simulation_start(own.sim, 0.0, own.q, own.v));
    return own;
}


static void end(duo *own)
{
    rico_simulation_destroy(own->sim);
    rico_system_destroy(own->system);
    block_destroy(&own->lower);
    block_destroy(&own->upper);
    free(own->q);
    free(own->v);
}


// The block slides over many edges: every contact keeps its key, and friction slows it down by mu g on the mean, whatever is below.
static void sliding(void **state)
{
    rico_context *ctx = *state;
    const rico_touch how = {.law = {.friction = 0.2}};
    for (int d = 2; d <= 3; d++)
        for (int way = 0; way < WAYS; way += 2) {
            duo own = begin(ctx, d, way, &how);
            const double h = 1e-3;
            int64_t nodes = d == 2 ? 3 : 6, steps = 500, patterns = 0;
            for (int64_t k = 0; k < steps; k++) {
                uint64_t before = own.sim->assembly->set.pattern;
                assert_ok(ctx, rico_simulation_step(own.sim, h));
                patterns += own.sim->assembly->set.pattern != before;
                assert_int_equal(rico_simulation_constraints(own.sim), nodes);
                for (int64_t c = 0; c < nodes; c++) {
                    bool second;
                    uint64_t key = rico_simulation_constraint(own.sim, c).key;
                    assert_int_equal(rico_touch_node(key, &second), c);
                    assert_int_equal(own.sim->assembly->set.from[c],
                                     k == 0 ? own.sim->assembly->set.from[c] : c);
                }
            }
            double mean = 0.0;
            const double *v = rico_simulation_velocity(own.sim) + own.lower.size;
            for (int64_t i = 0; i < own.upper.size; i += d) mean += v[i] * d / (double)own.upper.size;
            // the normal impulse of all steps is the weight's but for what the bottom still moves up or down
            double up = 0.0;
            for (int64_t i = d - 1; i < own.upper.size; i += d) up += v[i] * d / (double)own.upper.size;
            assert_near(mean, 2.0 - 0.2 * (10.0 * h * (double)steps + up),
                        1e-3);          // normals lean a little as the blocks shake
            assert_true(patterns >= 2); // faces changed below
            assert_at_most(fabs(rico_simulation_ledger_total(own.sim)->residual), 1e-8);
            end(&own);
        }
}


// Small displacements: H is the same to the last bit, whatever moves; gaps follow.
static void small(void **state)
{
    rico_context *ctx = *state;
    const rico_touch how = {.law = {.friction = 0.2}, .margin = 0.1, .small = true};
    for (int d = 2; d <= 3; d++)
        for (int way = 0; way < WAYS; way += 2) {
            duo own = begin(ctx, d, way, &how);
            rico_assembly *assembly = own.sim->assembly;
            bool changed;
            assert_ok(ctx, rico_assembly_collect(assembly, 0.0, 0.0, own.q, own.v, &changed));
            assert_ok(ctx, rico_assembly_frames(assembly, 0.0, own.q));
            int64_t entries = assembly->H.start[assembly->H.cols];
            double *before = calloc((size_t)entries + 1, sizeof *before);
            assert_non_null(before);
            memcpy(before, assembly->H.value, (size_t)entries * sizeof *before);
            uint64_t pattern = assembly->set.pattern;
            // turned a little, and lifted by 0.01
            for (int64_t n = 0; n < own.upper.mesh->nodes; n++) {
                const double *x = own.upper.mesh->position + 3 * n;
                double *u = own.q + own.lower.size + d * n;
                u[0] = 1e-3 * x[d - 1];
                u[d - 1] = 0.01 - 1e-3 * x[0];
            }
            assert_ok(ctx, rico_assembly_collect(assembly, 0.0, 0.0, own.q, own.v, &changed));
            assert_ok(ctx, rico_assembly_frames(assembly, 0.0, own.q));
            assert_int_equal(assembly->set.count, d == 2 ? 3 : 6);
            assert_false(changed);
            assert_true(assembly->set.pattern == pattern);
            assert_memory_equal(before, assembly->H.value, (size_t)entries * sizeof *before);
            for (int64_t c = 0; c < assembly->set.count; c++) {
                const rico_emitted *between = &assembly->set.constraint[c]->between;
                const double *x = own.upper.mesh->position + 3 * between->b.item;
                assert_near(between->gap, 0.01 - 1e-3 * x[0], 1e-14);
            }
            free(before);
            end(&own);
        }
}


// A jump: contacts go and come again with their keys.
static void come_and_go(void **state)
{
    rico_context *ctx = *state;
    const rico_touch how = {.law = {.restitution = 0.0}, .margin = 0.01};
    for (int way = 0; way < WAYS; way += 2) {
        duo own = begin(ctx, 2, way, &how);
        for (int64_t i = own.lower.size + 1; i < own.lower.size + own.upper.size; i += 2) own.v[i] = 1.0;
        assert_ok(ctx, rico_simulation_start(own.sim, 0.0, own.q, own.v));
        int64_t least = 3, last = 0;
        for (int k = 0; k < 400; k++) {
            assert_ok(ctx, rico_simulation_step(own.sim, 1e-3));
            last = rico_simulation_constraints(own.sim);
            if (last < least) least = last;
        }
        assert_int_equal(least, 0);
        assert_int_equal(last, 3);
        end(&own);
    }
}


// Both sides see forces that are equal and opposite, and that have no moment where the gap is closed.
static void balance(void **state)
{
    rico_context *ctx = *state;
    const rico_touch how = {.law = {.friction = 0.5}};
    for (int d = 2; d <= 3; d++)
        for (int way = 0; way < WAYS; way++) {
            duo own = begin(ctx, d, way, &how);
            assert_ok(ctx, rico_step_collect(own.sim, 1e-3));
            rico_assembly *assembly = own.sim->assembly;
            assert_ok(ctx, rico_assembly_frames(assembly, 0.0, own.q));
            assert_true(assembly->set.count >= (d == 2 ? 3 : 6));
            for (int64_t c = 0; c < assembly->set.count; c++) {
                const rico_emitted *between = &assembly->set.constraint[c]->between;
                double a[3], b[3];
                assert_true(rico_emitted_places(own.system, own.q, between, a, b));
                rico_vec3_subtract(b, a, b);
                assert_at_most(rico_vec3_norm(b), 1e-13);
                assert_near(between->gap, 0.0, 1e-13);
            }
            for (int64_t r = 0; r < assembly->H.cols; r++) {
                double force[3] = {0.0}, moment[3] = {0.0};
                for (int64_t e = assembly->H.start[r]; e < assembly->H.start[r + 1]; e++) {
                    int64_t dof = assembly->H.row[e];
                    const elastic_block *of = dof < own.lower.size ? &own.lower : &own.upper;
                    int64_t at = dof < own.lower.size ? dof : dof - own.lower.size;
                    double f[3] = {0.0}, m[3];
                    f[at % d] = assembly->H.value[e];
                    rico_vec3_add(force, f, force);
                    rico_vec3_cross(of->mesh->position + 3 * (at / d), f, m);
                    rico_vec3_add(moment, m, moment);
                }
                assert_at_most(rico_vec3_norm(force), 1e-14);
                assert_at_most(rico_vec3_norm(moment), 1e-13);
            }
            end(&own);
        }
}


// A saved state brings back every bit, shares and all.
static void saved(void **state)
{
    rico_context *ctx = *state;
    const rico_touch how = {.law = {.friction = 0.2}};
    for (int way = 0; way < WAYS; way += 2) {
        duo own = begin(ctx, 2, way, &how), other = begin(ctx, 2, way, &how);
        for (int k = 0; k < 123; k++) assert_ok(ctx, rico_simulation_step(own.sim, 1e-3));
        int64_t size = rico_simulation_state_size(own.sim), n = rico_system_velocities(own.system);
        char *bytes = calloc((size_t)size, 1), *twice = calloc((size_t)size, 1);
        assert_true(bytes && twice);
        rico_simulation_save(own.sim, bytes);
        assert_true(own.sim->assembly->set.now.shares > 0);
        assert_ok(ctx, rico_simulation_load(other.sim, bytes, size));
        assert_int_equal(rico_simulation_state_size(other.sim), size);
        rico_simulation_save(other.sim, twice);
        assert_memory_equal(bytes, twice, (size_t)size);
        for (int k = 0; k < 100; k++) {
            assert_ok(ctx, rico_simulation_step(own.sim, 1e-3));
            assert_ok(ctx, rico_simulation_step(other.sim, 1e-3));
        }
        assert_memory_equal(rico_simulation_position(own.sim), rico_simulation_position(other.sim),
                            (size_t)n * sizeof(double));
        assert_memory_equal(rico_simulation_impulse(own.sim), rico_simulation_impulse(other.sim),
                            (size_t)rico_simulation_rows(own.sim) * sizeof(double));
        // too short
        assert_int_equal(rico_simulation_load(other.sim, bytes, size - 16), RICO_BAD_INPUT);
        free(bytes);
        free(twice);
        end(&own);
        end(&other);
    }
}


// Steps whose sizes are known take no memory.
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


static void allocation(void **state)
{
    (void)state;
    const rico_touch how = {.law = {.friction = 0.2}};
    for (int way = 0; way < WAYS; way += 2) {
        int64_t count = 0, before = 0;
        const rico_allocator counting = {count_allocate, count_release, &count};
        rico_context *ctx = rico_context_create(&counting);
        duo own = begin(ctx, 2, way, &how);
        for (int run = 0; run < 2; run++) {
            assert_ok(ctx, rico_simulation_start(own.sim, 0.0, own.q, own.v));
            before = count;
            for (int k = 0; k < 200; k++) assert_ok(ctx, rico_simulation_step(own.sim, 1e-3));
        }
        assert_int_equal(count - before, 0);
        end(&own);
        rico_context_destroy(ctx);
    }
}


// --- refusals, memory ------------------------------------------------------------------------------------------------

static void count_warnings(void *user, rico_log_level level, const char *text)
{
    if (level == RICO_LOG_WARNING && strstr(text, "both ways")) ++*(int *)user;
}


static bool emit_badly(void *user, void *memory, double t, double h, const double *q, const double *v,
                       rico_emission *out)
{
    (void)memory, (void)t, (void)h, (void)q, (void)v;
    const rico_contact_share share[2] = {{0, 0.5}, {1, 0.6}};
    rico_emitted contact = {.key = 1,
                            .a = {.part = 0},
                            .b = {.part = 1},
                            .frame = {0, 1, 0},
                            .dimension = 1,
                            .spread = 2,
                            .share = share};
    if (*(int *)user == 1) contact.a.part = -1;
    if (*(int *)user == 2) contact.share = NULL;
    return rico_emit(out, &contact);
}


static void refused(void **state)
{
    rico_context *ctx = *state;
    const rico_touch how = {0};
    int warnings = 0;
    rico_context_set_log(ctx, count_warnings, &warnings, RICO_LOG_WARNING);
    duo own = begin(ctx, 2, BOTH, &how);
    rico_context_set_log(ctx, NULL, NULL, RICO_LOG_WARNING);
    assert_int_equal(warnings, 1);
    end(&own);

    elastic_block flat = block_make(grid_rectangle(2, 1, (double[]){0, 0}, (double[]){1, 1}), 0.3),
                  solid = block_make(grid_box((int64_t[]){1, 1, 1}, (double[]){0, 0, 0}, (double[]){1, 1, 1}),
                                     0.3);
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    assert_ok(ctx, block_add(system, "flat", &flat, 1.0, 1.0, NULL));
    assert_ok(ctx, block_add(system, "solid", &solid, 1.0, 1.0, NULL));
    const rico_touch_side a = {0, flat.mesh, "top"}, b = {0, flat.mesh, "bottom"}, c = {1, solid.mesh, "top"};
    assert_int_equal(rico_system_touch_faces(system, "self", &a, &b, false, &how), RICO_UNSUPPORTED);
    assert_non_null(strstr(rico_message(ctx), "self-contact"));
    assert_int_equal(rico_system_touch_mortar(system, "self", &a, &b, false, &how), RICO_UNSUPPORTED);
    assert_int_equal(rico_system_touch_mortar(system, "mix", &a, &c, false, &how), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_system_touch_faces(system, "mix", &a, &c, false, &how), RICO_BAD_ARGUMENT);
    assert_non_null(strstr(rico_message(ctx), "the plane"));
    for (int way = 0; way < 3; way++) {
        rico_system *bad;
        rico_assembly *assembly;
        bool changed;
        double zero[64] = {0.0};
        assert_ok(ctx, rico_system_create(ctx, &bad));
        assert_ok(ctx, block_add(bad, "one", &flat, 1.0, 1.0, NULL));
        assert_ok(ctx, block_add(bad, "two", &flat, 1.0, 1.0, NULL));
        assert_ok(ctx, rico_system_add_source(bad, "odd",
                                              &(rico_contact_source){.emit = emit_badly, .user = &way}));
        assert_ok(ctx, rico_system_complete(bad));
        assert_ok(ctx, rico_assembly_create(ctx, bad, &assembly));
        assert_int_equal(rico_assembly_collect(assembly, 0.0, 0.0, zero, zero, &changed),
                         way == 2 ? RICO_BAD_ARGUMENT : RICO_BAD_INPUT);
        if (way == 0) assert_non_null(strstr(rico_message(ctx), "add up to 1.1"));
        rico_assembly_destroy(assembly);
        rico_system_destroy(bad);
    }
    rico_system_destroy(system);
    block_destroy(&flat);
    block_destroy(&solid);
}


static rico_status act(rico_context *ctx, void *user)
{
    const elastic_block *both = user;
    rico_status status = RICO_OK;
    for (int way = 0; status == RICO_OK && way < WAYS; way++) {
        rico_system *system = NULL;
        rico_assembly *assembly = NULL;
        const rico_touch how = {.small = way == MORTAR};
        double state[64] = {0.0};
        bool changed;
        status = rico_system_create(ctx, &system);
        if (status == RICO_OK) status = block_add(system, "lower", &both[0], 1.0, 1.0, NULL);
        if (status == RICO_OK) status = block_add(system, "upper", &both[1], 1.0, 1.0, NULL);
        if (status == RICO_OK) status = add_contact(system, &both[0], &both[1], way, &how);
        if (status == RICO_OK) status = rico_system_complete(system);
        if (status == RICO_OK) status = rico_assembly_create(ctx, system, &assembly);
        if (status == RICO_OK) status = rico_assembly_collect(assembly, 0.0, 0.0, state, state, &changed);
        if (status == RICO_OK) assert_true(assembly->set.count > 0);
        rico_assembly_destroy(assembly);
        rico_system_destroy(system);
    }
    return status;
}


static void memory(void **state)
{
    (void)state;
    elastic_block both[2] = {block_make(grid_rectangle(2, 1, (double[]){0, 0}, (double[]){1, 1}), 0.3),
                             block_make(grid_rectangle(1, 1, (double[]){0, 1}, (double[]){1, 2}), 0.3)};
    assert_true(every_allocation_fails(act, both) > 100);
    block_destroy(&both[0]);
    block_destroy(&both[1]);
}


static int start(void **state)
{
    *state = rico_context_create(NULL);
    return *state == NULL;
}


static int stop(void **state)
{
    rico_context_destroy(*state);
    return 0;
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sliding),     cmocka_unit_test(small),
                                       cmocka_unit_test(come_and_go), cmocka_unit_test(balance),
                                       cmocka_unit_test(saved),       cmocka_unit_test(allocation),
                                       cmocka_unit_test(refused),     cmocka_unit_test(memory)};
    return cmocka_run_group_tests(tests, start, stop);
}
