// Derivatives along runs of scenes: in closed form, and against runs with changed parameters for every scheme.

#include "failing_memory.h"
#include "support.h"

#include "ricochet/run.h"
#include "ricochet/scene.h"
#include "store/columns.h"

// A block slides down a slope: x = v0 t + g (sin a - mu cos a) t^2/2.
static const char SLOPE[] =
    "title: Slope\n"
    "parameters: {mu: 0.3, a: pi/6, m: 1.5, v0: 1}\n"
    "parts:\n"
    "  block: {coordinates: [x, y], mass: [m, m], potential: 'm*9.81*(y*cos(a) - x*sin(a))'}\n"
    "contacts: {slope: {gap: y, tangent: x, friction: mu}}\n"
    "initial: {velocity: {x: v0}}\n"
    "time: {end: 1, step: 0.01}\n"
    "scheme: moreau-jean\n";

// A ball bounces, events at their own times.
static const char BALL[] = "parameters: {e: 0.8, g: 9.81, height: 1}\n"
                           "parts: {ball: {coordinates: [y], mass: [1], potential: g*y}}\n"
                           "contacts: {ground: {gap: y, restitution: e}}\n"
                           "initial: {position: {y: height}}\n"
                           "time: {end: 1.5, step: 0.01}\n"
                           "scheme: event-driven\n";

// A rigid ball slides on the ground and begins to roll later than the end.
static const char BODY[] = "parameters: {g: 9.81, u: 3, mu: 0.3}\n"
                           "gravity: [0, 0, -g]\n"
                           "materials: {rubber: {friction: mu, restitution: 0}}\n"
                           "bodies:\n"
                           "  ground: {shape: plane, fixed: yes, material: rubber}\n"
                           "  ball: {shape: {sphere: 0.1}, density: 900, position: [0, 0, 0.1], velocity: "
                           "[u, 0, 0], material: rubber}\n"
                           "time: {end: 0.2, step: 1e-3}\n";


typedef struct ran {
    rico_runner_result how;
    rico_columns *columns;
} ran;

static rico_status try_run(rico_context *ctx, const char *scene, const char *of, const char *with,
                           int64_t count, const char *const *set, ran *out)
{
    rico_results *results = NULL;
    rico_runner_options options = rico_runner_defaults();
    options.scene = "here";
    options.text = scene;
    options.derivatives_of = of;
    options.derivatives_with = with;
    options.override_count = count;
    options.overrides = set;
    options.results = &results;
    out->columns = NULL;
    rico_status status = rico_runner_run(ctx, &options, &out->how);
    if (status != RICO_OK) {
        rico_results_destroy(results);
        return status;
    }
    return rico_columns_take(ctx, results, &out->columns);
}


static double last(rico_context *ctx, ran *it, const char *name)
{
    int64_t count;
    double *values;
    assert_ok(ctx, rico_columns_read(it->columns, name, &count, &values));
    double value = values[count - 1];
    rico_free(ctx, values);
    return value;
}


static void slope(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    ran with, without;
    const double g = 9.81, mu = 0.3, a = M_PI / 6.0, t = 1.0;
    assert_ok(ctx, try_run(ctx, SLOPE, "x,v_x", "mu,a,m,v0,v_x@0", 0, NULL, &with));
    assert_ok(ctx, try_run(ctx, SLOPE, NULL, NULL, 0, NULL, &without));
    assert_true(with.how.hash == without.how.hash); // who watches changes nothing
    assert_int_equal(with.how.derivative_steps, 100);
    assert_int_equal(with.how.derivative_differences, 0);
    assert_int_equal(with.how.one_sided, 0);
    assert_near(last(ctx, &with, "x_by_mu"), -g * cos(a) * t * t / 2.0, 1e-10);
    assert_near(last(ctx, &with, "x_by_a"), g * (cos(a) + mu * sin(a)) * t * t / 2.0, 1e-10);
    assert_near(last(ctx, &with, "x_by_m"), 0.0, 1e-10);
    assert_near(last(ctx, &with, "x_by_v0"), t, 1e-10);
    assert_near(last(ctx, &with, "x_by_v_x_0"), t, 1e-12);
    assert_near(last(ctx, &with, "v_x_by_mu"), -g * cos(a) * t, 1e-10);
    assert_near(last(ctx, &with, "derivatives.one_sided"), 0.0, 0.0);
    rico_columns_destroy(with.columns);
    // a change off the ground belongs to one side
    assert_ok(ctx, try_run(ctx, SLOPE, "x", "y@0", 0, NULL, &with));
    assert_true(with.how.one_sided > 0);
    assert_non_null(strstr(with.how.one_sided_contact, "contact slope"));
    rico_columns_destroy(with.columns);
    rico_columns_destroy(without.columns);
    rico_context_destroy(ctx);
}


// y and v of a bouncing ball at a time, by Galilei.
static void bounce(double e, double g, double height, double end, double *y, double *v)
{
    double t = sqrt(2.0 * height / g), speed = e * g * t;
    while (t + 2.0 * speed / g < end) {
        t += 2.0 * speed / g;
        speed *= e;
    }
    double s = end - t;
    *y = speed * s - g * s * s / 2.0;
    *v = speed - g * s;
}


// Impacts at their own times move with what is changed: saltation.
static void ball(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    ran it;
    static const char *const NAMES[] = {"e", "g", "height"};
    assert_ok(ctx, try_run(ctx, BALL, "y,v_y", "e,g,height,y@0", 0, NULL, &it));
    assert_int_equal(it.how.derivative_differences, it.how.derivative_steps);
    for (int i = 0; i < 3; i++) {
        double at[] = {0.8, 9.81, 1.0}, y[2], v[2], s = 1e-5;
        char name[32];
        at[i] += s;
        bounce(at[0], at[1], at[2], 1.5, &y[1], &v[1]);
        at[i] -= 2.0 * s;
        bounce(at[0], at[1], at[2], 1.5, &y[0], &v[0]);
        snprintf(name, sizeof name, "y_by_%s", NAMES[i]);
        assert_near(last(ctx, &it, name), (y[1] - y[0]) / (2.0 * s), 1e-7);
        snprintf(name, sizeof name, "v_y_by_%s", NAMES[i]);
        assert_near(last(ctx, &it, name), (v[1] - v[0]) / (2.0 * s), 1e-6);
    }
    assert_near(last(ctx, &it, "y_by_y_0"), last(ctx, &it, "y_by_height"), 1e-8);
    assert_int_equal(it.how.derivative_blows, 0);
    rico_columns_destroy(it.columns);
    // a scheme that steps over impacts does not move their times, and says so
    const char *set[] = {"scheme=moreau-jean"};
    assert_ok(ctx, try_run(ctx, BALL, "y", "e", 1, set, &it));
    assert_true(it.how.derivative_blows == 2);
    rico_columns_destroy(it.columns);
    rico_context_destroy(ctx);
}


// Rotations and contacts that come and go: by differences, as a ball slides.
static void body(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    ran it;
    const double g = 9.81, mu = 0.3, t = 0.2;
    assert_ok(ctx, try_run(ctx, BODY, "ball.x,ball.v_x", "g,u,mu,ball.v_x@0", 0, NULL, &it));
    assert_near(last(ctx, &it, "ball_x_by_g"), -mu * t * t / 2.0, 1e-8);
    assert_near(last(ctx, &it, "ball_x_by_mu"), -g * t * t / 2.0, 1e-7);
    assert_near(last(ctx, &it, "ball_x_by_u"), t, 1e-8);
    assert_near(last(ctx, &it, "ball_v_x_by_ball_v_x_0"), 1.0, 1e-7);
    rico_columns_destroy(it.columns);
    rico_context_destroy(ctx);
}


// A block on a spring that slides and turns back: every scheme that takes it, against runs with another mu and k.
static void every_scheme(void **state)
{
    (void)state;
    static const char SCENE[] =
        "parameters: {mu: 0.1, k: 5}\n"
        "parts:\n"
        "  block: {coordinates: [x, y], mass: [1, 2], potential: 'k*x^2/2 + x^4/4 + 2*9.81*y'}\n"
        "contacts: {floor: {gap: y, tangent: x, friction: mu}}\n"
        "initial: {velocity: {x: 2}}\n"
        "time: {end: 0.3, step: 0.01}\n";
    rico_context *ctx = rico_context_create(NULL);
    int done = 0;
    for (int s = 0; rico_scheme_at(s); s++) {
        const rico_scheme_info *scheme = rico_scheme_at(s);
        char name[80], value[2][40];
        snprintf(name, sizeof name, "scheme=%s", scheme->name);
        const char *set[] = {name, value[0]};
        ran it;
        if (scheme->statics || try_run(ctx, SCENE, "x,v_x", "mu,k", 1, set, &it) != RICO_OK) continue;
        double by[2][2] = {{last(ctx, &it, "x_by_mu"), last(ctx, &it, "v_x_by_mu")},
                           {last(ctx, &it, "x_by_k"), last(ctx, &it, "v_x_by_k")}};
        rico_columns_destroy(it.columns);
        for (int p = 0; p < 2; p++) {
            double x[2], v[2], at = p ? 5.0 : 0.1, stride = 1e-4 * at;
            for (int side = 0; side < 2; side++) {
                snprintf(value[0], sizeof value[0], "%s=%.17g", p ? "k" : "mu",
                         at + (side ? stride : -stride));
                assert_ok(ctx, try_run(ctx, SCENE, NULL, NULL, 2, set, &it));
                x[side] = last(ctx, &it, "x");
                v[side] = last(ctx, &it, "v_x");
                rico_columns_destroy(it.columns);
            }
            double fx = (x[1] - x[0]) / (2.0 * stride), fv = (v[1] - v[0]) / (2.0 * stride);
            if (fabs(fx - by[p][0]) > 2e-6 * (1.0 + fabs(fx)) ||
                fabs(fv - by[p][1]) > 2e-6 * (1.0 + fabs(fv)))
                fail_msg("%s: by %s %.10g %.10g, expected %.10g %.10g", scheme->name, p ? "k" : "mu",
                         by[p][0], by[p][1], fx, fv);
        }
        done++;
    }
    assert_true(done >= 11);
    rico_context_destroy(ctx);
}


// Every allocation of a short run with derivatives fails in turn.
static rico_status attempt(rico_context *ctx, void *user)
{
    (void)user;
    static const char *const SET[] = {"time.end=0.02"};
    ran it;
    rico_status status = try_run(ctx, SLOPE, "x", "mu", 1, SET, &it);
    rico_columns_destroy(it.columns);
    return status;
}


static void no_memory(void **state)
{
    (void)state;
    assert_true(every_allocation_fails(attempt, NULL) > 200);
}


static void refusals(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    static const struct {
        const char *scene, *of, *with, *set, *says;
    } CASES[] = {
        {SLOPE, "x", "muu", NULL, "did you mean 'mu'?"},
        {SLOPE, "xx", "mu", NULL, "did you mean 'x'?"},
        {SLOPE, "x", "z@0", NULL, "derivatives of 'z'"},
        {SLOPE, "", "mu", NULL, "names on both sides"},
        {SLOPE, "x", NULL, NULL, "names on both sides"},
        {SLOPE, "x", "mu", "time.adaptive=true", "steps of one length"},
        {BODY, "ball.x", "ball.x@0", NULL, "rotations"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        ran it;
        assert_int_not_equal(try_run(ctx, CASES[i].scene, CASES[i].of, CASES[i].with, CASES[i].set != NULL,
                                     &CASES[i].set, &it),
                             RICO_OK);
        if (!strstr(rico_message(ctx), CASES[i].says))
            fail_msg("case %zu: '%s', expected '%s'", i, rico_message(ctx), CASES[i].says);
    }
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slope),        cmocka_unit_test(ball),      cmocka_unit_test(body),
        cmocka_unit_test(every_scheme), cmocka_unit_test(no_memory), cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
