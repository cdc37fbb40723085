// Points of parts: where they are, pins between them, loads on them; and what it costs to add many constraints.

#include "ricochet/simulation.h"
#include "support.h"

// A bar in the plane: (x, y, angle) of its middle, mass 1, length 2, as functions of a caller.
enum { BAR = 3 };

static bool bar_mass(void *user, const double *q, double *M)
{
    (void)user, (void)q;
    memset(M, 0, 9 * sizeof *M);
    M[0] = M[4] = 1.0;
    M[8] = 1.0 / 3.0;
    return true;
}


static bool bar_weight(void *user, double t, double *f)
{
    (void)user, (void)t;
    f[0] = f[2] = 0.0;
    f[1] = -9.81;
    return true;
}


static bool bar_point(void *user, const double *q, const rico_point *point, double *x)
{
    (void)user;
    x[0] = q[0] + cos(q[2]) * point->local[0] - sin(q[2]) * point->local[1];
    x[1] = q[1] + sin(q[2]) * point->local[0] + cos(q[2]) * point->local[1];
    x[2] = 0.0;
    return true;
}


static int64_t bar_dofs(void *user, const rico_point *point, int64_t *dof)
{
    (void)user;
    for (int i = 0; i < BAR; i++) dof[i] = i;
    return point->item == 0 ? BAR : -1;
}


static bool bar_rows(void *user, const double *q, const rico_point *point, const double *frame, int size,
                     double *rows)
{
    (void)user;
    double turn[2] = {-sin(q[2]) * point->local[0] - cos(q[2]) * point->local[1],
                      cos(q[2]) * point->local[0] - sin(q[2]) * point->local[1]};
    for (int j = 0; j < size; j++) {
        rows[j * BAR] = frame[3 * j];
        rows[j * BAR + 1] = frame[3 * j + 1];
        rows[j * BAR + 2] = frame[3 * j] * turn[0] + frame[3 * j + 1] * turn[1];
    }
    return true;
}


static void add_bar(rico_context *ctx, rico_system *system, const char *name, rico_load_function load)
{
    rico_callback_part part = {.size = BAR,
                               .constant_mass = true,
                               .mass = bar_mass,
                               .load = load,
                               .point_reach = BAR,
                               .point = bar_point,
                               .point_dofs = bar_dofs,
                               .point_rows = bar_rows};
    assert_ok(ctx, rico_system_add_callbacks(system, name, &part, NULL));
}


// A double pendulum of two bars, hung up and joined by pins, against Lagrange's equations in its angles, by Runge and Kutta.
static void angles(const double *x, double *f)
{
    // T = (2/3 + 2) a'^2 + (2/3) b'^2 + 2 a' b' cos(a - b), each bar of length 2; V = -9.81 (3 cos a + cos b)
    double c = cos(x[0] - x[1]), s = sin(x[0] - x[1]);
    double M[4] = {16.0 / 3.0, 2.0 * c, 2.0 * c, 4.0 / 3.0};
    double r[2] = {-2.0 * s * x[3] * x[3] - 3.0 * 9.81 * sin(x[0]), 2.0 * s * x[2] * x[2] - 9.81 * sin(x[1])};
    double det = M[0] * M[3] - M[1] * M[2];
    f[0] = x[2];
    f[1] = x[3];
    f[2] = (M[3] * r[0] - M[1] * r[1]) / det;
    f[3] = (M[0] * r[1] - M[2] * r[0]) / det;
}


static void reference(double *x, double t, int steps)
{
    double h = t / steps;
    for (int n = 0; n < steps; n++) {
        double k[4][4], y[4];
        angles(x, k[0]);
        for (int s = 1; s < 4; s++) {
            for (int i = 0; i < 4; i++) y[i] = x[i] + (s == 3 ? h : 0.5 * h) * k[s - 1][i];
            angles(y, k[s]);
        }
        for (int i = 0; i < 4; i++) x[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
    }
}


static void pins(void **state)
{
    rico_context *ctx = *state;
    rico_system *system = NULL;
    assert_ok(ctx, rico_system_create(ctx, &system));
    add_bar(ctx, system, "upper", bar_weight);
    add_bar(ctx, system, "lower", bar_weight);
    const rico_point nail = {.part = -1}, top = {.part = 0, .local = {-1.0}},
                     end = {.part = 0, .local = {1.0}}, next = {.part = 1, .local = {-1.0}};
    assert_ok(ctx, rico_system_pin(system, "nail", nail, top, 2, NULL, NULL));
    assert_ok(ctx, rico_system_pin(system, "knee", end, next, 2, NULL, NULL));
    // angles from the downward vertical: the bars' own are those less a quarter turn
    double x[4] = {0.9, 0.2, 0.0, 0.0}, q[6], v[6] = {0.0};
    for (int k = 0; k < 2; k++) q[3 * k + 2] = x[k] - M_PI / 2.0;
    q[0] = sin(x[0]);
    q[1] = -cos(x[0]);
    q[3] = 2.0 * sin(x[0]) + sin(x[1]);
    q[4] = -2.0 * cos(x[0]) - cos(x[1]);
    rico_simulation *sim = NULL;
    assert_ok(ctx, rico_simulation_create(system, "midpoint-projection", &sim));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, q, v));
    rico_run_options options = rico_run_defaults(1e-3);
    assert_ok(ctx, rico_simulation_run(sim, 1.5, &options, NULL, NULL, NULL));
    reference(x, 1.5, 4000);
    const double *now = rico_simulation_position(sim);
    assert_near(now[2] + M_PI / 2.0, x[0], 2e-5);
    assert_near(now[5] + M_PI / 2.0, x[1], 2e-5);
    double a[3], b[3];
    assert_ok(ctx, rico_system_point(system, ctx, now, end, a));
    assert_ok(ctx, rico_system_point(system, ctx, now, next, b));
    assert_near(hypot(a[0] - b[0], a[1] - b[1]), 0.0, 1e-12);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
}


static bool push(void *user, double t, double *F)
{
    (void)user, (void)t;
    F[0] = 0.3;
    F[1] = -1.2;
    F[2] = 0.0;
    return true;
}


// A load at the end of a bar that turns: its work is the force times the way of the point.
static void loads(void **state)
{
    rico_context *ctx = *state;
    rico_system *system = NULL;
    assert_ok(ctx, rico_system_create(ctx, &system));
    add_bar(ctx, system, "bar", NULL);
    const rico_point end = {.part = 0, .local = {1.0, 0.25}};
    assert_ok(ctx, rico_system_add_point_load(system, "push", end, push, NULL));
    const double q[3] = {0.1, 0.2, 0.3}, v[3] = {0.0};
    double from[3], to[3], kinetic, potential;
    rico_simulation *sim = NULL;
    assert_ok(ctx, rico_simulation_create(system, "moreau-jean", &sim));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, q, v));
    rico_run_options options = rico_run_defaults(1e-3);
    assert_ok(ctx, rico_simulation_run(sim, 1.0, &options, NULL, NULL, NULL));
    assert_ok(ctx, rico_system_point(system, ctx, q, end, from));
    assert_ok(ctx, rico_system_point(system, ctx, rico_simulation_position(sim), end, to));
    assert_ok(ctx, rico_system_energies(system, rico_simulation_position(sim), rico_simulation_velocity(sim),
                                        &kinetic, &potential));
    double work = 0.3 * (to[0] - from[0]) - 1.2 * (to[1] - from[1]);
    assert_near(kinetic, work, 1e-5);
    assert_near(rico_simulation_ledger_total(sim)->external, kinetic, 1e-11);
    // the middle feels the force alone
    assert_near(rico_simulation_velocity(sim)[0], 0.3, 1e-12);
    assert_near(rico_simulation_velocity(sim)[1], -1.2, 1e-12);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
}


static void refused(void **state)
{
    rico_context *ctx = *state;
    rico_system *system = NULL;
    assert_ok(ctx, rico_system_create(ctx, &system));
    add_bar(ctx, system, "bar", NULL);
    const int64_t start[] = {0, 1, 2}, row[] = {0, 1};
    const double one[] = {1.0, 1.0};
    rico_matrix_part plain = {.size = 2, .M = {2, 2, start, row, one}};
    assert_ok(ctx, rico_system_add_matrices(system, "plain", &plain, NULL));
    plain.dimension = 3;
    assert_int_equal(rico_system_add_matrices(system, "odd", &plain, NULL), RICO_BAD_ARGUMENT);
    const rico_point world = {.part = -1}, bar = {.part = 0}, none = {.part = 1}, beyond = {.part = 2},
                     item = {.part = 0, .item = 1}, nan = {.part = 0, .local = {NAN}};
    static const struct {
        const char *sentence;
    } CASES[] = {{"of part plain, which has none"},
                 {"holds on to part 2"},
                 {"item 1 of part bar"},
                 {"local[0] = nan"}};
    const rico_point *bad[] = {&none, &beyond, &item, &nan};
    for (int k = 0; k < 4; k++) {
        assert_true(rico_system_pin(system, "pin", world, *bad[k], 2, NULL, NULL) != RICO_OK);
        assert_non_null(strstr(rico_message(ctx), CASES[k].sentence));
        assert_true(rico_system_add_point_load(system, "load", *bad[k], push, NULL) != RICO_OK);
        double x[3], q[5] = {0.0};
        assert_true(rico_system_point(system, ctx, q, *bad[k], x) != RICO_OK);
    }
    assert_int_equal(rico_system_pin(system, "pin", world, world, 2, NULL, NULL), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_system_pin(system, "pin", world, bar, 4, NULL, NULL), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_system_add_point_load(system, "load", world, push, NULL), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_system_constraints(system), 0);
    rico_system_destroy(system);
}


static int64_t handed_out;

static void *count_bytes(void *user, size_t size)
{
    (void)user;
    handed_out += (int64_t)size;
    return malloc(size);
}


static void give_back(void *user, void *block)
{
    (void)user;
    free(block);
}


// Bytes that the allocator handed out for n pins, copies of growing lists included.
static int64_t bytes_for(int n)
{
    const rico_allocator counting = {count_bytes, give_back, NULL};
    rico_context *ctx = rico_context_create(&counting);
    rico_system *system = NULL;
    handed_out = 0;
    assert_ok(ctx, rico_system_create(ctx, &system));
    add_bar(ctx, system, "bar", NULL);
    const rico_point world = {.part = -1}, bar = {.part = 0};
    for (int k = 0; k < n; k++) assert_ok(ctx, rico_system_pin(system, "pin", world, bar, 2, NULL, NULL));
    rico_system_destroy(system);
    rico_context_destroy(ctx);
    return handed_out;
}


// Adding n constraints costs O(n).
static void many(void **state)
{
    (void)state;
    int64_t some = bytes_for(4000), more = bytes_for(16000);
    assert_true(more < 5 * some);
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
        cmocka_unit_test(pins),
        cmocka_unit_test(loads),
        cmocka_unit_test(refused),
        cmocka_unit_test(many),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
