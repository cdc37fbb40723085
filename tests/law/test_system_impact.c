// The impact of a mechanical system: the chain from a system is the chain from its matrices; open contacts take no part.

#include "impacts.h"
#include "ricochet/model.h"

static rico_system *chain_system(rico_context *ctx, int64_t balls, const double *mass)
{
    int64_t start[8], row[8];
    for (int64_t i = 0; i <= balls; i++) start[i] = i;
    for (int64_t i = 0; i < balls; i++) row[i] = i;
    rico_system *system = NULL;
    rico_matrix_part part = {.size = balls, .M = {balls, balls, start, row, mass}};
    assert_ok(ctx, rico_system_create(ctx, &system));
    assert_ok(ctx, rico_system_add_matrices(system, "balls", &part, NULL));
    for (int64_t i = 0; i + 1 < balls; i++) {
        const int64_t dof[] = {i, i + 1};
        const double gradient[] = {-1.0, 1.0};
        rico_contact contact = {.dimension = 1,
                                .restitution = 0.5 + 0.1 * (double)i,
                                .stiffness = 1.0 + (double)i,
                                .exponent = i == 1 ? 1.0 : 0.0,
                                .reach = {2, dof},
                                .gradient = gradient};
        assert_ok(ctx, rico_system_add_contact(system, "c", &contact, NULL));
    }
    return system;
}


static void test_same_as_chain(void **state)
{
    rico_context *ctx = *state;
    const double mass[] = {1.0, 0.5, 2.0, 1.0}, q[4] = {0.0}, u[] = {1.0, 0.2, 0.0, -0.3};
    rico_system *system = chain_system(ctx, 4, mass);
    rico_impact *made = NULL, *chain = chain_of(ctx, 4, mass, RICO_CHAIN_FREE);
    assert_ok(ctx, rico_impact_create_at(system, 0.0, q, 0.0, &made));
    rico_sparse_view a = rico_impact_delassus(made), b = rico_impact_delassus(chain);
    double *x = dense_copy(&a), *y = dense_copy(&b);
    assert_int_equal(a.rows, 3);
    assert_all_near(9, x, y, 0.0);
    for (int64_t j = 0; j < 3; j++) {
        assert_ok(ctx, rico_impact_set_restitution(chain, j, 0.5 + 0.1 * (double)j));
        assert_ok(ctx, rico_impact_set_stiffness(chain, j, 1.0 + (double)j));
    }
    assert_ok(ctx, rico_impact_set_exponent(chain, 1, 1.0)); // the others are 3/2 by default, both ways
    for (int k = 0; rico_impact_law_at(k); k++) {
        const char *name = rico_impact_law_at(k)->name;
        if (strcmp(name, "moreau") == 0 || strcmp(name, "cradle") == 0) continue; // take one restitution
        rico_impact_law *first = law_on(ctx, name, made), *second = law_on(ctx, name, chain);
        rico_impact_result one = apply(ctx, first, u), two = apply(ctx, second, u);
        assert_all_near(4, one.velocity, two.velocity, 0.0);
        assert_all_near(3, one.impulse, two.impulse, 0.0);
        rico_impact_law_destroy(first);
        rico_impact_law_destroy(second);
    }
    rico_constraint_info info = rico_system_constraint(system, 1);
    assert_near(info.stiffness, 2.0, 0.0);
    assert_near(info.exponent, 1.0, 0.0);
    free(x);
    free(y);
    rico_impact_destroy(made);
    rico_impact_destroy(chain);
    rico_system_destroy(system);
}


// The last gap is open: three balls collide, the fourth does not notice.
static void test_open_contact(void **state)
{
    rico_context *ctx = *state;
    const double mass[] = {1.0, 1.0, 1.0, 1.0}, q[] = {0.0, 0.0, 0.0, 1e-3}, u[4] = {1.0};
    rico_system *system = chain_system(ctx, 4, mass);
    rico_impact *impact = NULL;
    assert_ok(ctx, rico_impact_create_at(system, 0.0, q, 1e-9, &impact));
    rico_impact_law *law = law_on(ctx, "moreau", impact);
    assert_ok(ctx, rico_impact_set_restitution(impact, RICO_ALL_CONTACTS, 1.0));
    rico_impact_result result = apply(ctx, law, u);
    const double expected[] = {-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0, 0.0};
    assert_all_near(4, result.velocity, expected, 1e-14);
    assert_near(result.impulse[2], 0.0, 0.0);
    rico_impact_law_destroy(law);
    rico_impact_destroy(impact);
    rico_system_destroy(system);
}


static bool hold(void *user, double t, const double *q, double *g)
{
    (void)user, (void)t;
    *g = q[0];
    return true;
}


static bool along(void *user, double t, const double *q, double *H)
{
    (void)user, (void)t, (void)q;
    *H = 1.0;
    return true;
}


static void test_refused(void **state)
{
    rico_context *ctx = *state;
    const double mass[] = {1.0, 1.0, 1.0}, q[3] = {0.0};
    const int64_t dof = 0;
    rico_impact *impact = NULL;
    rico_system *system = chain_system(ctx, 3, mass);
    rico_joint joint = {.size = 1, .reach = {1, &dof}, .value = hold, .frame = along};
    assert_ok(ctx, rico_system_add_joint(system, "pin", &joint, NULL));
    assert_int_equal(rico_impact_create_at(system, 0.0, q, 0.0, &impact), RICO_UNSUPPORTED);
    assert_non_null(strstr(rico_message(ctx), "know no joints, and pin is one"));
    assert_null(impact);
    rico_system_destroy(system);

    system = chain_system(ctx, 3, mass);
    rico_contact moving = {.dimension = 1, .reach = {1, &dof}, .gap = hold, .frame = along, .rate = hold};
    assert_ok(ctx, rico_system_add_contact(system, "piston", &moving, NULL));
    assert_int_equal(rico_impact_create_at(system, 0.0, q, 0.0, &impact), RICO_UNSUPPORTED);
    assert_non_null(strstr(rico_message(ctx), "that of contact piston moves"));
    rico_system_destroy(system);

    system = chain_system(ctx, 3, mass);
    rico_contact soft = {.dimension = 1, .reach = {1, &dof}, .gap = hold, .frame = along, .stiffness = -1.0};
    assert_int_equal(rico_system_add_contact(system, "soft", &soft, NULL), RICO_BAD_ARGUMENT);
    rico_system_destroy(system);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_chain),
        cmocka_unit_test(test_open_contact),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, make_context, drop_context);
}
