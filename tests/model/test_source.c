// Contacts that come and go: order, keys, warm starts, saved states, failures.

#include "beads.h"
#include "moving_schemes.h"

#include "step/simulation.h"

static const double H = 2e-3;
enum { STEPS = 400 };


static rico_simulation *begin(rico_context *ctx, rico_system *system, const char *scheme)
{
    rico_simulation *sim = NULL;
    double q[BEAD_DOFS], v[BEAD_DOFS];
    beads_start(q, v);
    assert_ok(ctx, rico_simulation_create(system, scheme, &sim));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, q, v));
    return sim;
}


static void assert_same(const rico_simulation *a, const rico_simulation *b)
{
    assert_memory_equal(rico_simulation_position(a), rico_simulation_position(b), BEAD_DOFS * sizeof(double));
    assert_memory_equal(rico_simulation_velocity(a), rico_simulation_velocity(b), BEAD_DOFS * sizeof(double));
    assert_int_equal(rico_simulation_constraints(a), rico_simulation_constraints(b));
    assert_memory_equal(rico_simulation_impulse(a), rico_simulation_impulse(b),
                        (size_t)rico_simulation_rows(a) * sizeof(double));
    for (int64_t c = 0; c < rico_simulation_constraints(a); c++) {
        rico_constraint_info one = rico_simulation_constraint(a, c), two = rico_simulation_constraint(b, c);
        assert_true(one.key == two.key && one.row == two.row);
        assert_int_equal(rico_simulation_contact_state(a, c), rico_simulation_contact_state(b, c));
    }
    assert_memory_equal(rico_simulation_ledger_total(a), rico_simulation_ledger_total(b),
                        sizeof(rico_ledger));
}


// Whatever the order of emission, the set alone decides; and the set changes, really.
static void order(void **state)
{
    rico_context *ctx = *state;
    const rico_scheme_info *scheme;
    for (int s = 0; (scheme = moving_scheme_at(s)); s++) {
        // impacts that follow each other ever faster are where an integrator that finds each of them ends
        beads one = {.order = 1, .chance = true, .margin = 0.05, .friction = 0.4};
        one.restitution = scheme->own_error ? 0.0 : 0.3;
        beads two = one;
        two.order = 77;
        rico_system *first = beads_system(ctx, &one), *second = beads_system(ctx, &two);
        rico_simulation *a = begin(ctx, first, scheme->name), *b = begin(ctx, second, scheme->name);
        int changes = 0, pressed = 0;
        for (int k = 0; k < STEPS; k++) {
            uint64_t before = a->assembly->set.pattern;
            assert_ok(ctx, rico_simulation_step(a, H));
            assert_ok(ctx, rico_simulation_step(b, H));
            assert_same(a, b);
            changes += a->assembly->set.pattern != before;
            for (int64_t i = 0; i < rico_simulation_rows(a); i += 3)
                pressed += rico_simulation_impulse(a)[i] > 0.0;
        }
        assert_true(changes > 100 && pressed > 100);
        rico_simulation_destroy(a);
        rico_simulation_destroy(b);
        rico_system_destroy(first);
        rico_system_destroy(second);
    }
}


// Contacts that are emitted in time do what contacts do that are always there.
static void as_if_always_there(void **state)
{
    rico_context *ctx = *state;
    const rico_scheme_info *scheme;
    for (int s = 0; (scheme = moving_scheme_at(s)); s++) {
        beads own = {.order = 5, .margin = 0.2, .friction = 0.4};
        own.restitution = scheme->own_error ? 0.0 : 0.3;
        rico_system *come = beads_system(ctx, &own), *stay = beads_fixed(ctx, &own);
        rico_simulation *a = begin(ctx, come, scheme->name), *b = begin(ctx, stay, scheme->name);
        for (int k = 0; k < STEPS; k++) {
            assert_ok(ctx, rico_simulation_step(a, H));
            assert_ok(ctx, rico_simulation_step(b, H));
        }
        const rico_ledger *one = rico_simulation_ledger_total(a), *two = rico_simulation_ledger_total(b);
        for (int i = 0; i < BEAD_DOFS; i++) {
            assert_near(rico_simulation_position(a)[i], rico_simulation_position(b)[i], 1e-8);
            assert_near(rico_simulation_velocity(a)[i], rico_simulation_velocity(b)[i], 1e-7);
        }
        assert_near(one->normal, two->normal, 1e-6);
        assert_near(one->tangential, two->tangential, 1e-6);
        assert_at_most(fabs(one->residual), 1e-10);
        assert_near(rico_simulation_breach(a).depth, rico_simulation_breach(b).depth, 1e-8);
        rico_simulation_destroy(a);
        rico_simulation_destroy(b);
        rico_system_destroy(come);
        rico_system_destroy(stay);
    }
}


// Impulses to start from are those that the same keys had.
static void keys(void **state)
{
    rico_context *ctx = *state;
    beads own = {.order = 3, .chance = true, .margin = 0.05, .friction = 0.4};
    rico_system *system = beads_system(ctx, &own);
    rico_simulation *sim = begin(ctx, system, "moreau-jean");
    int kept = 0, moved = 0;
    for (int k = 0; k < STEPS; k++) {
        uint64_t key[3 * BEADS];
        double p[3 * BEADS];
        int64_t row[3 * BEADS], count = rico_simulation_constraints(sim);
        for (int64_t c = 0; c < count; c++) {
            rico_constraint_info info = rico_simulation_constraint(sim, c);
            key[c] = info.key;
            row[c] = info.row;
            p[c] = rico_simulation_impulse(sim)[info.row];
        }
        assert_ok(ctx, rico_step_collect(sim, H));
        for (int64_t c = 0; c < rico_simulation_constraints(sim); c++) {
            rico_constraint_info info = rico_simulation_constraint(sim, c);
            double expected = 0.0;
            for (int64_t d = 0; d < count; d++)
                if (key[d] == info.key) {
                    expected = p[d];
                    kept += p[d] > 0.0;
                    moved += p[d] > 0.0 && row[d] != info.row;
                }
            assert_true(rico_simulation_impulse(sim)[info.row] == expected);
        }
        assert_ok(ctx, rico_simulation_step(sim, H));
    }
    assert_true(kept > 100 && moved > 30);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
}


// A state saved at any moment, loaded into a simulation of another system that is equal: the same bits from there on,
// with what the source remembers.
static void saved(void **state)
{
    rico_context *ctx = *state;
    const rico_scheme_info *scheme;
    for (int s = 0; (scheme = moving_scheme_at(s)); s++)
        for (int cut = 0; cut <= 250; cut += 50) {
            beads own = {.order = 9, .chance = true, .counts = true, .margin = 0.05, .friction = 0.4};
            rico_system *first = beads_system(ctx, &own), *second = beads_system(ctx, &own);
            rico_simulation *a = begin(ctx, first, scheme->name), *b = begin(ctx, second, scheme->name);
            for (int k = 0; k < cut; k++) assert_ok(ctx, rico_simulation_step(a, H));
            int64_t size = rico_simulation_state_size(a);
            char *bytes = malloc((size_t)size), *again = malloc((size_t)size);
            assert_true(bytes && again);
            rico_simulation_save(a, bytes);
            assert_ok(ctx, rico_simulation_load(b, bytes, size));
            assert_int_equal(rico_simulation_state_size(b), size);
            rico_simulation_save(b, again);
            assert_memory_equal(bytes, again, (size_t)size);
            const double *gap, *other;
            assert_ok(ctx, rico_simulation_gap(a, &gap));
            assert_ok(ctx, rico_simulation_gap(b, &other));
            assert_memory_equal(gap, other, (size_t)rico_simulation_rows(a) * sizeof *gap);
            for (int k = 0; k < 60; k++) {
                assert_ok(ctx, rico_simulation_step(a, H));
                assert_ok(ctx, rico_simulation_step(b, H));
                assert_same(a, b);
            }
            // cut short or damaged: refused, never read beyond its end
            assert_int_equal(rico_simulation_load(b, bytes, size - 8), RICO_BAD_INPUT);
            assert_int_equal(rico_simulation_load(b, bytes, 16), RICO_BAD_INPUT);
            free(bytes);
            free(again);
            rico_simulation_destroy(a);
            rico_simulation_destroy(b);
            rico_system_destroy(first);
            rico_system_destroy(second);
        }
}


// An adaptive run tries steps again: the source's memory and the contacts are those of the accepted state each time.
static void adaptive(void **state)
{
    rico_context *ctx = *state;
    beads own = {.order = 9, .margin = 0.2, .restitution = 0.3};
    rico_system *come = beads_system(ctx, &own), *stay = beads_fixed(ctx, &own);
    rico_simulation *a = begin(ctx, come, "moreau-jean"), *b = begin(ctx, stay, "moreau-jean");
    rico_run_options options = rico_run_defaults(1e-2);
    options.adaptive = true;
    options.rtol = 1e-4;
    options.h_impact = 1e-5;
    rico_run_report one, two;
    assert_ok(ctx, rico_simulation_run(b, 0.15, &options, NULL, NULL, &two));
    assert_ok(ctx, rico_simulation_run(a, 0.15, &options, NULL, NULL, &one));
    assert_true(one.rejected > 0 && two.rejected > 0);
    for (int i = 0; i < BEAD_DOFS; i++)
        assert_near(rico_simulation_position(a)[i], rico_simulation_position(b)[i], 1e-3);
    rico_simulation_destroy(a);
    rico_simulation_destroy(b);
    rico_system_destroy(come);
    rico_system_destroy(stay);
}


// --- what is refused -------------------------------------------------------------------------------------------------

typedef struct culprit {
    beads own;
    double from; // time from which it goes wrong
    int how;
} culprit;

static bool bad_emit(void *user, void *memory, double t, double h, const double *q, const double *v,
                     rico_emission *out)
{
    culprit *self = user;
    rico_emitted contact;
    if (!bead_emit(&self->own, memory, t, h, q, v, out)) return false;
    if (t < self->from) return true;
    bead_contact(&self->own, 0, 2, q, &contact);
    if (self->how == 1) contact.gap = NAN;
    if (self->how == 2) contact.friction = -0.1;
    if (self->how == 3) contact.b.part = 4;
    if (self->how == 4) contact.b.item = BEADS;
    if (self->how == 5) contact.b = contact.a;
    if (self->how == 6) contact.frame[1] = INFINITY;
    if (self->how == 7) contact.dimension = 4;
    if (self->how == 8) return false;
    if (self->how == 9) memset(contact.frame, 0, sizeof contact.frame);
    if (self->how == 10) contact.frame[5] += 1e-3;
    return rico_emit(out, &contact) && (self->how != 0 || rico_emit(out, &contact));
}


static void refused(void **state)
{
    rico_context *ctx = *state;
    static const char *const SENTENCE[] = {
        "source planes has emitted contact 200000000 twice",
        "the gap of contact planes 200000000 is nan",
        "contact planes 200000000: friction = -0.1 must be at least 0",
        "planes 200000000 holds on to part 4, but there are 1",
        "planes 200000000 holds on to item 7 of part beads, which has none such",
        "contact planes 200000000 lies between two points of the world",
        "frame[1] of contact planes 200000000 is inf",
        "contact planes 200000000 has dimension 4, expected 1, 2 or 3",
        "the contacts of source planes were refused at t = ",
        "not orthonormal: axes 0 and 0 have the product 0",
        "not orthonormal: axes 0 and 1 have the product -0.001"};
    for (int how = 0; how < 11; how++) {
        culprit own = {
            .own = {.order = 2, .counts = true, .margin = 0.05, .friction = 0.4}, .from = 0.2, .how = how};
        rico_system *system = NULL;
        assert_ok(ctx, rico_system_create(ctx, &system));
        beads_part(ctx, system);
        rico_contact_source source = beads_source(&own.own);
        source.emit = bad_emit;
        source.user = &own;
        assert_ok(ctx, rico_system_add_source(system, "planes", &source));
        rico_simulation *sim = begin(ctx, system, "moreau-jean");
        rico_status status = RICO_OK;
        char before[1 << 16];
        while (status == RICO_OK) {
            assert_true(rico_simulation_state_size(sim) <= (int64_t)sizeof before);
            rico_simulation_save(sim, before);
            status = rico_simulation_step(sim, H);
        }
        assert_true(rico_simulation_time(sim) >= 0.2 - H);
        assert_non_null(strstr(rico_message(ctx), SENTENCE[how]));
        assert_non_null(strstr(rico_message(ctx), "step 101 at t = 0.2"));
        // as before the step, to the last byte
        char after[1 << 16];
        rico_simulation_save(sim, after);
        assert_memory_equal(before, after, (size_t)rico_simulation_state_size(sim));
        own.from = INFINITY;
        assert_ok(ctx, rico_simulation_step(sim, H));
        rico_simulation_destroy(sim);
        rico_system_destroy(system);
    }
}


static void half_a_memory(void **state)
{
    rico_context *ctx = *state;
    beads own = {.margin = 0.05, .counts = true};
    rico_system *system = NULL;
    assert_ok(ctx, rico_system_create(ctx, &system));
    beads_part(ctx, system);
    rico_contact_source source = beads_source(&own);
    source.load = NULL;
    assert_int_equal(rico_system_add_source(system, "planes", &source), RICO_BAD_ARGUMENT);
    source = (rico_contact_source){0};
    assert_int_equal(rico_system_add_source(system, "planes", &source), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_system_sources(system), 0);
    rico_system_destroy(system);
}


static int setup(void **state)
{
    *state = rico_context_create(NULL);
    return *state ? 0 : -1;
}


static int teardown(void **state)
{
    rico_context_destroy(*state);
    return 0;
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order),         cmocka_unit_test(as_if_always_there), cmocka_unit_test(keys),
        cmocka_unit_test(saved),         cmocka_unit_test(adaptive),           cmocka_unit_test(refused),
        cmocka_unit_test(half_a_memory),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
