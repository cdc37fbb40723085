// Contacts that a source emits on a large linear body: the motion is that of the same contacts given once and for all, and a step
// costs a few solves with the factor, however many contacts there are.

#include "support.h"

#include "ricochet/ricochet.h"
#include "ricochet/source.h"
#include "step/simulation.h"

enum { SIDE = 14, NODES = SIDE * SIDE, SIZE = 2 * NODES, STEPS = 60 };
static const double PITCH = 0.1, STIFF = 400.0, MASS = 0.01, STEP = 1e-3, FRICTION = 0.4;

// Springs along the sides and diagonals of a net.
typedef struct spring_net {
    double K[SIZE * SIZE], M[SIZE * SIZE], reference[SIZE];
    int64_t start[SIZE + 1], row[SIZE * SIZE];
} spring_net;


static int setup(void **state)
{
    *state = rico_context_create(NULL);
    return *state ? 0 : 1;
}


static int teardown(void **state)
{
    rico_context_destroy(*state);
    return 0;
}


static void add_spring(spring_net *net, int a, int b)
{
    double d[2] = {net->reference[2 * b] - net->reference[2 * a],
                   net->reference[2 * b + 1] - net->reference[2 * a + 1]};
    double length = hypot(d[0], d[1]);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            double k = STIFF * d[i] * d[j] / (length * length);
            net->K[(2 * a + i) * SIZE + 2 * a + j] += k;
            net->K[(2 * b + i) * SIZE + 2 * b + j] += k;
            net->K[(2 * a + i) * SIZE + 2 * b + j] -= k;
            net->K[(2 * b + i) * SIZE + 2 * a + j] -= k;
        }
}


static spring_net *make_net(void)
{
    spring_net *out = calloc(1, sizeof *out);
    assert_non_null(out);
    for (int k = 0; k < NODES; k++) {
        int column = k % SIDE, row = k / SIDE;
        out->reference[2 * k] = PITCH * column;
        out->reference[2 * k + 1] = PITCH * row + 0.001 * (k % 3);
        out->M[2 * k * SIZE + 2 * k] = out->M[(2 * k + 1) * SIZE + 2 * k + 1] = MASS;
    }
    for (int k = 0; k < NODES; k++) {
        bool right = k % SIDE + 1 < SIDE, up = k / SIDE + 1 < SIDE;
        if (right) add_spring(out, k, k + 1);
        if (up) add_spring(out, k, k + SIDE);
        if (right && up) add_spring(out, k, k + SIDE + 1);
        if (right && up) add_spring(out, k + 1, k + SIDE);
    }
    for (int i = 0; i <= SIZE; i++) out->start[i] = (int64_t)i * SIZE;
    for (int i = 0; i < SIZE * SIZE; i++) out->row[i] = i % SIZE;
    return out;
}


// The lowest nodes over the floor y = 0, each with its own key.
static bool emit(void *user, void *memory, double t, double h, const double *q, const double *v,
                 rico_emission *out)
{
    const spring_net *net = user;
    (void)memory, (void)t, (void)h, (void)v;
    for (int k = SIDE - 1; k >= 0; k--) {
        rico_emitted contact = {.key = (rico_contact_key)k,
                                .a = {.part = -1},
                                .b = {.part = 0, .item = k},
                                .gap = net->reference[2 * k + 1] + q[2 * k + 1],
                                .frame = {0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, -1.0},
                                .dimension = 2,
                                .friction = FRICTION};
        if (!rico_emit(out, &contact)) return false;
    }
    return true;
}


static bool driven(void *user, double t, double *x)
{
    (void)user;
    *x = 0.02 * t;
    return true;
}


static bool driven_rate(void *user, double t, double *x)
{
    (void)user, (void)t;
    *x = 0.02;
    return true;
}


static rico_system *make_system(rico_context *ctx, spring_net *net, bool emitted, bool joint)
{
    rico_system *system;
    rico_matrix_part part = {.size = SIZE,
                             .M = {SIZE, SIZE, net->start, net->row, net->M},
                             .K = {SIZE, SIZE, net->start, net->row, net->K},
                             .dimension = 2,
                             .reference = net->reference};
    double weight[SIZE];
    for (int k = 0; k < SIZE; k++) weight[k] = k % 2 ? -9.81 * MASS : 0.5 * MASS;
    part.force = weight;
    assert_int_equal(rico_system_create(ctx, &system), RICO_OK);
    assert_int_equal(rico_system_add_matrices(system, "net", &part, NULL), RICO_OK);
    if (joint) {
        rico_motion motion = {.position_index = SIZE - 2,
                              .velocity_index = SIZE - 2,
                              .position = driven,
                              .velocity = driven_rate};
        assert_int_equal(rico_system_prescribe(system, "drive", &motion, NULL), RICO_OK);
    }
    rico_contact_source source = {.emit = emit, .user = net};
    if (emitted) assert_int_equal(rico_system_add_source(system, "floor", &source), RICO_OK);
    for (int k = 0; !emitted && k < SIDE; k++) {
        const int64_t dof[2] = {2 * k, 2 * k + 1};
        const double gradient[4] = {0.0, 1.0, 1.0, 0.0};
        char name[16];
        snprintf(name, sizeof name, "floor-%d", k);
        rico_contact contact = {.dimension = 2,
                                .friction = FRICTION,
                                .reach = {2, dof},
                                .gradient = gradient,
                                .offset = net->reference[2 * k + 1]};
        assert_int_equal(rico_system_add_contact(system, name, &contact, NULL), RICO_OK);
    }
    return system;
}


static rico_simulation *begin(rico_system *system)
{
    static const double zero[SIZE];
    double v[SIZE];
    for (int k = 0; k < SIZE; k++) v[k] = k % 2 ? -0.3 : 0.02;
    rico_simulation *sim;
    assert_int_equal(rico_simulation_create(system, "moreau-jean", &sim), RICO_OK);
    assert_int_equal(rico_simulation_start(sim, 0.0, zero, v), RICO_OK);
    return sim;
}


static void same_motion(rico_context *ctx, bool joint)
{
    spring_net *net = make_net();
    rico_system *system[2] = {make_system(ctx, net, true, joint), make_system(ctx, net, false, joint)};
    rico_simulation *sim[2] = {begin(system[0]), begin(system[1])};
    double pressed = 0.0;
    int64_t before = 0;
    for (int n = 0; n < STEPS; n++) {
        for (int i = 0; i < 2; i++) assert_int_equal(rico_simulation_step(sim[i], STEP), RICO_OK);
        const double *a = rico_simulation_velocity(sim[0]), *b = rico_simulation_velocity(sim[1]);
        for (int k = 0; k < SIZE; k++) assert_near(a[k], b[k], 1e-9);
        assert_at_most(fabs(rico_simulation_ledger(sim[0])->residual), 1e-12);
        for (int c = 0; c < SIDE; c++) pressed += rico_simulation_impulse(sim[0])[(joint ? 1 : 0) + 2 * c];
        if (n == STEPS / 2) before = rico_factor_statistics(sim[0]->iteration.factor).solves;
    }
    assert_true(pressed > 0.0);
    // nodes have come to the floor by then: the rest is a few solves a step, not one for each row
    if (!joint)
        assert_in_range(rico_factor_statistics(sim[0]->iteration.factor).solves - before, STEPS / 2 - 1,
                        3 * STEPS);
    assert_true(sim[0]->contacts.sparse.compliance.count > 0);
    for (int i = 0; i < 2; i++) {
        rico_simulation_destroy(sim[i]);
        rico_system_destroy(system[i]);
    }
    free(net);
}


static void contacts_alone(void **state)
{
    same_motion(*state, false);
}


static void with_a_joint(void **state)
{
    same_motion(*state, true);
}


// What a resumed run makes of the inverse has the bits of the run that went on.
static void resumed(void **state)
{
    rico_context *ctx = *state;
    spring_net *net = make_net();
    rico_system *system = make_system(ctx, net, true, true);
    rico_simulation *sim = begin(system);
    for (int n = 0; n < STEPS; n++) {
        assert_int_equal(rico_simulation_step(sim, STEP), RICO_OK);
        if (n % 7 != 3) continue;
        int64_t size = rico_simulation_state_size(sim);
        void *bytes = malloc((size_t)size);
        assert_non_null(bytes);
        rico_simulation_save(sim, bytes);
        rico_simulation *other;
        assert_int_equal(rico_simulation_create(system, "moreau-jean", &other), RICO_OK);
        assert_int_equal(rico_simulation_load(other, bytes, size), RICO_OK);
        for (int k = 0; k < 3; k++) assert_int_equal(rico_simulation_step(other, STEP), RICO_OK);
        // and the run itself, which goes on as well, is brought back
        for (int k = 0; k < 3; k++) assert_int_equal(rico_simulation_step(sim, STEP), RICO_OK);
        assert_memory_equal(rico_simulation_velocity(sim), rico_simulation_velocity(other),
                            SIZE * sizeof(double));
        assert_int_equal(rico_simulation_load(sim, bytes, size), RICO_OK);
        for (int k = 0; k < 3; k++) assert_int_equal(rico_simulation_step(sim, STEP), RICO_OK);
        assert_memory_equal(rico_simulation_velocity(sim), rico_simulation_velocity(other),
                            SIZE * sizeof(double));
        rico_simulation_destroy(other);
        free(bytes);
    }
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
    free(net);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(contacts_alone, setup, teardown),
        cmocka_unit_test_setup_teardown(with_a_joint, setup, teardown),
        cmocka_unit_test_setup_teardown(resumed, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
