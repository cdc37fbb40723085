// Derivatives of a step in closed form, contacts about to change, and gradients backward through many steps.

#include "failing_memory.h"
#include "random_steps.h"
#include "systems.h"

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


// A ball under the force f: flight, then an impact. Moreau-Jean's step has v' = v + h f in flight and v' = -e v at an impact, and
// q' = q + h (v + v')/2.
static void ball(void **state)
{
    rico_context *ctx = *state;
    const double e = 0.6, h = 1e-2, f = -9.81, offset[] = {-2e-3, -1e-3, 1e-3, 2e-3};
    for (int impact = 0; impact < 2; impact++) {
        const double q = impact ? 0.01 : 1.0, v = -2.0;
        rico_system *system = bouncing_ball(ctx, f, e), *beside[4];
        rico_simulation *sim, *twin[4];
        rico_derivatives *d;
        assert_ok(ctx, rico_simulation_create(system, "moreau-jean", &sim));
        assert_ok(ctx, rico_simulation_start(sim, 0.0, &q, &v));
        assert_ok(ctx, rico_derivatives_create(sim, &d));
        for (int k = 0; k < 4; k++) {
            beside[k] = bouncing_ball(ctx, f, e + offset[k]);
            assert_ok(ctx, rico_simulation_create(beside[k], "moreau-jean", &twin[k]));
            assert_ok(ctx, rico_simulation_start(twin[k], 0.0, &q, &v));
        }
        assert_ok(ctx, rico_derivatives_add_parameter(d, 4, twin, offset, NULL));
        assert_int_equal(rico_derivatives_evaluate(d), RICO_BAD_ARGUMENT); // no step yet
        assert_ok(ctx, rico_simulation_step(sim, h));
        assert_ok(ctx, rico_derivatives_evaluate(d));
        assert_true(rico_derivatives_analytic(d));
        assert_int_equal(rico_derivatives_doubts(d), 0);
        assert_int_equal(rico_derivatives_mode(d, 0), impact ? RICO_MODE_SLIDING : RICO_MODE_INACTIVE);
        const double *J = rico_derivatives_matrix(d), *by_e = rico_derivatives_parameter(d, 0);
        double slope = impact ? -e : 1.0;
        assert_near(J[0], 1.0, 1e-14);
        assert_near(J[1], 0.0, 1e-14);
        assert_near(J[2], 0.5 * h * (1.0 + slope), 1e-14);
        assert_near(J[3], slope, 1e-14);
        assert_near(by_e[1], impact ? -v : 0.0, 1e-11);
        assert_near(by_e[0], impact ? -0.5 * h * v : 0.0, 1e-12);
        rico_derivatives_destroy(d);
        rico_simulation_destroy(sim);
        rico_system_destroy(system);
        for (int k = 0; k < 4; k++) {
            rico_simulation_destroy(twin[k]);
            rico_system_destroy(beside[k]);
        }
    }
}


// An oscillator m = 1, k, c under the theta-method: (1 + h theta c + h^2 theta^2 k) v' = (1 - h (1-theta) c - h^2 theta (1-theta) k) v - h k q.
static void oscillator(void **state)
{
    rico_context *ctx = *state;
    const double k = 40.0, c = 0.7, h = 0.02, theta = 0.7, q = 0.3, v = -1.1;
    rico_system *system = bouncing_oscillator(ctx, k, c, 100.0, 0.5);
    rico_simulation *sim;
    rico_derivatives *d;
    assert_ok(ctx, rico_simulation_create(system, "moreau-jean", &sim));
    assert_ok(ctx, rico_simulation_set_number(sim, "theta", theta));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, &q, &v));
    assert_ok(ctx, rico_derivatives_create(sim, &d));
    assert_ok(ctx, rico_simulation_step(sim, h));
    assert_ok(ctx, rico_derivatives_evaluate(d));
    const double *J = rico_derivatives_matrix(d);
    double S = 1.0 + h * theta * c + h * h * theta * theta * k;
    double vq = -h * k / S, vv = (1.0 - h * (1.0 - theta) * c - h * h * theta * (1.0 - theta) * k) / S;
    assert_near(J[1], vq, 1e-14);
    assert_near(J[3], vv, 1e-14);
    assert_near(J[0], 1.0 + h * theta * vq, 1e-14);
    assert_near(J[2], h * (1.0 - theta) + h * theta * vv, 1e-14);
    rico_derivatives_destroy(d);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
}


// A block on the ground, x along it and y up, under its weight and a force along x.
static rico_system *block_on_ground(rico_context *ctx, double push, double weight, double mu, double e)
{
    const int64_t start[] = {0, 1, 2}, row[] = {0, 1}, dof[] = {0, 1};
    const double mass[] = {1.0, 1.0}, force[] = {push, -weight}, gradient[] = {0.0, 1.0, 1.0, 0.0};
    rico_system *system;
    assert_ok(ctx, rico_system_create(ctx, &system));
    rico_matrix_part part = {.size = 2, .M = {2, 2, start, row, mass}, .force = force};
    assert_ok(ctx, rico_system_add_matrices(system, "block", &part, NULL));
    rico_contact contact = {
        .dimension = 2, .friction = mu, .restitution = e, .reach = {2, dof}, .gradient = gradient};
    assert_ok(ctx, rico_system_add_contact(system, "ground", &contact, NULL));
    return system;
}


// Doubts of one step of the block.
typedef struct looked {
    int64_t doubts;
    rico_doubt_kind kind[8];
    rico_contact_mode mode;
    double J[16];
    bool along, off; // crosses for a change along the ground, and off it
} looked;

static looked look_at_block(rico_context *ctx, double push, double weight, double mu, const double *q,
                            const double *v)
{
    looked out = {0};
    rico_system *system = block_on_ground(ctx, push, weight, mu, 0.0);
    rico_simulation *sim;
    rico_derivatives *d;
    const double along_ground[] = {1.0, 0.0, 0.3, 0.0}, off_ground[] = {0.0, 1.0, 0.0, 0.0};
    assert_ok(ctx, rico_simulation_create(system, "moreau-jean", &sim));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, q, v));
    assert_ok(ctx, rico_derivatives_create(sim, &d));
    assert_ok(ctx, rico_simulation_step(sim, 0.125));
    assert_ok(ctx, rico_derivatives_evaluate(d));
    out.doubts = rico_derivatives_doubts(d);
    assert_true(out.doubts <= 8);
    for (int64_t i = 0; i < out.doubts; i++) {
        char words[160];
        out.kind[i] = rico_derivatives_doubt(d, i).kind;
        rico_derivatives_sentence(d, i, words, sizeof words);
        assert_non_null(strstr(words, "contact ground "));
    }
    out.mode = rico_derivatives_mode(d, 0);
    memcpy(out.J, rico_derivatives_matrix(d), sizeof out.J);
    out.along = rico_derivatives_crosses(d, along_ground, NULL);
    out.off = rico_derivatives_crosses(d, off_ground, NULL);
    rico_derivatives_destroy(d);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
    return out;
}


static bool has(const looked *it, rico_doubt_kind kind)
{
    for (int64_t i = 0; i < it->doubts; i++)
        if (it->kind[i] == kind) return true;
    return false;
}


// Sliding: v' = v - h mu g: it stays on the ground for changes along it, and is on one side for those off it.
static void slider(void **state)
{
    rico_context *ctx = *state;
    const double q[] = {0.0, 0.0}, v[] = {5.0, 0.0};
    looked it = look_at_block(ctx, 0.0, 10.0, 0.25, q, v);
    assert_int_equal(it.mode, RICO_MODE_SLIDING);
    assert_true(has(&it, RICO_DOUBT_RESTS));
    assert_false(it.along);
    assert_true(it.off);
    assert_near(it.J[2 * 4 + 2], 1.0, 1e-14); // dv_x'/dv_x
    assert_near(it.J[2 * 4 + 0], 0.125, 1e-14);
    assert_near(it.J[3 * 4 + 3], 0.0, 1e-14); // what it has of v_y is lost
}


// The same ground twice, or three times: impulses are not determined, the motion is, and so is its derivative.
static void repeated(void **state)
{
    rico_context *ctx = *state;
    const double q[] = {0.0, -1e-3}, sliding[] = {5.0, -0.5}, sticking[] = {0.05, -0.5};
    const double gradient[] = {0.0, 1.0, 1.0, 0.0};
    const int64_t dof[] = {0, 1};
    for (int sticks = 0; sticks < 2; sticks++) {
        double J[16];
        for (int more = 0; more < 3; more++) {
            rico_system *system = block_on_ground(ctx, 0.0, 10.0, 0.25, 0.5);
            rico_contact again = {.dimension = 2,
                                  .friction = 0.25,
                                  .restitution = 0.5,
                                  .reach = {2, dof},
                                  .gradient = gradient};
            for (int k = 0; k < more; k++)
                assert_ok(ctx, rico_system_add_contact(system, "again", &again, NULL));
            rico_simulation *sim;
            rico_derivatives *d;
            assert_ok(ctx, rico_simulation_create(system, "moreau-jean", &sim));
            assert_ok(ctx, rico_simulation_start(sim, 0.0, q, sticks ? sticking : sliding));
            assert_ok(ctx, rico_derivatives_create(sim, &d));
            assert_ok(ctx, rico_simulation_step(sim, 0.01));
            assert_ok(ctx, rico_derivatives_evaluate(d));
            // one may carry what the others do not: these are open at no speed, which counts as about to close
            assert_true(rico_derivatives_doubts(d) <= more);
            for (int64_t i = 0; i < rico_derivatives_doubts(d); i++)
                assert_int_equal(rico_derivatives_doubt(d, i).kind, RICO_DOUBT_CLOSES);
            if (more == 0)
                assert_int_equal(rico_derivatives_mode(d, 0),
                                 sticks ? RICO_MODE_STICKING : RICO_MODE_SLIDING);
            if (more == 0) memcpy(J, rico_derivatives_matrix(d), sizeof J);
            for (int i = 0; i < 16; i++) assert_near(rico_derivatives_matrix(d)[i], J[i], 1e-12);
            rico_derivatives_destroy(d);
            rico_simulation_destroy(sim);
            rico_system_destroy(system);
        }
        assert_near(J[3 * 4 + 3], -0.5, 1e-14); // v_y' = -e v_y
        // the impulse (1 + e) |v_y| + h g rubs: v_x' = v_x - mu ((1 + e) |v_y| + h g)
        assert_near(J[3 * 4 + 2], sticks ? 0.0 : 0.25 * 1.5, 1e-14);
        assert_near(J[2 * 4 + 2], sticks ? 0.0 : 1.0, 1e-14);
    }
}


// Contacts that are about to change, exactly: every one is reported.
static void thresholds(void **state)
{
    rico_context *ctx = *state;
    const double on[] = {0.0, 0.0}, above[] = {0.0, 0.125}, rest[] = {0.0, 0.0}, down[] = {0.0, -1.0};
    looked limit = look_at_block(ctx, 2.5, 10.0, 0.25, on, rest); // the push is mu times the weight
    assert_int_equal(limit.mode, RICO_MODE_STICKING);
    assert_true(has(&limit, RICO_DOUBT_SLIPS));
    looked far = look_at_block(ctx, 2.0, 10.0, 0.25, on, rest);
    assert_false(has(&far, RICO_DOUBT_SLIPS));
    looked weightless = look_at_block(ctx, 0.0, 0.0, 0.25, on, rest); // touches without pressing
    assert_true(has(&weightless, RICO_DOUBT_OPENS) || has(&weightless, RICO_DOUBT_CLOSES));
    looked arrives = look_at_block(ctx, 0.0, 10.0, 0.25, above, down); // closes with the end of the step
    assert_true(has(&arrives, RICO_DOUBT_ACTS) || has(&arrives, RICO_DOUBT_RESTS));
    const double slow[] = {0.3125, 0.0}; // friction stops it with the end of the step: h mu g
    looked stops = look_at_block(ctx, 0.0, 10.0, 0.25, on, slow);
    assert_true(has(&stops, RICO_DOUBT_SLIPS) || has(&stops, RICO_DOUBT_STICKS));
    const double high[] = {0.0, 1.0};
    looked flies = look_at_block(ctx, 0.0, 10.0, 0.25, high, rest);
    assert_int_equal(flies.doubts, 0);
}


// Random problems brought exactly to a threshold: friction set to what a contact that sticks needs, gaps that close with the forecast. All
// must be reported.
static void random_thresholds(void **state)
{
    rico_context *ctx = *state;
    rico_random random;
    rico_random_seed(&random, 5);
    int at_limit = 0, at_gap = 0;
    for (int k = 0; k < 2000 && (at_limit < 100 || at_gap < 100); k++) {
        random_step problem;
        random_step_draw(&random, k % 2 == 0, &problem);
        if (problem.touches == 0) continue;
        random_touch *touch = &problem.touch[0];
        problem.touches = 1;
        problem.activation = 0;
        bool limit = touch->dimension > 1 && k % 3 != 0;
        for (int again = 0; again < 2; again++) {
            rico_system *system;
            rico_simulation *sim;
            rico_derivatives *d;
            if (limit && again == 0) touch->mu = 50.0;
            if (!limit) { // the gap at q + h v, t + h is zero
                double gap, ahead[MOST_UNKNOWNS];
                for (int i = 0; i < problem.n; i++) ahead[i] = problem.q[i] + problem.h * problem.v[i];
                touch_gap(touch, problem.t + problem.h, ahead, &gap);
                touch->offset -= gap;
            }
            touch->owner = &problem;
            system = random_step_build(ctx, &problem);
            assert_ok(ctx, rico_simulation_create(system, "moreau-jean", &sim));
            assert_ok(ctx, rico_simulation_start(sim, problem.t, problem.q, problem.v));
            assert_ok(ctx, rico_derivatives_create(sim, &d));
            assert_ok(ctx, rico_simulation_step(sim, problem.h));
            assert_ok(ctx, rico_derivatives_evaluate(d));
            const double *p = rico_simulation_impulse(sim);
            double friction = touch->dimension > 1 ? hypot(p[1], touch->dimension > 2 ? p[2] : 0.0) : 0.0;
            bool sticks = limit && p[0] > 1e-3 && friction > 0.05 * p[0] && friction < 40.0 * p[0];
            if (limit && again == 1) {
                at_limit++;
                assert_true(rico_derivatives_doubts(d) > 0);
            }
            if (!limit && rico_simulation_velocity_before(sim)[0] < -1e-3) {
                at_gap++;
                assert_true(rico_derivatives_doubts(d) > 0);
                again = 2;
            }
            if (sticks) touch->mu = friction / p[0];
            if (!sticks) again = 2;
            rico_derivatives_destroy(d);
            rico_simulation_destroy(sim);
            rico_system_destroy(system);
        }
    }
    assert_true(at_limit >= 100 && at_gap >= 100);
}


// f = sum over steps of (x_k - 1)^2/steps + v_y at the end, its gradient backward against the columns carried forward; the trajectory is the same
// bit for bit, and few states are kept.
typedef struct aim {
    int64_t steps, size;
} aim;

static rico_status weigh(void *user, int64_t step, rico_simulation *sim, double *slope)
{
    const aim *self = user;
    const double *q = rico_simulation_position(sim);
    slope[0] += 2.0 * (q[0] - 1.0) / (double)self->steps;
    if (step == self->steps) slope[self->size / 2 + 1] += 1.0; // of schemes without memory
    return RICO_OK;
}


static void backward(void **state)
{
    rico_context *ctx = *state;
    enum { STEPS = 10000 };
    const double q[] = {0.0, 0.35, 0.4}, v[] = {1.0, 0.0, 0.3}, h = 1e-4;
    const double offset[] = {-1e-3, -5e-4, 5e-4, 1e-3}, mu = 0.3;
    rico_system *system = impacting_stick(ctx, 0.5, mu), *beside[4];
    rico_simulation *sim, *twin[4];
    rico_derivatives *d;
    assert_ok(ctx, rico_simulation_create(system, "moreau-jean", &sim));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, q, v));
    assert_ok(ctx, rico_derivatives_create(sim, &d));
    for (int k = 0; k < 4; k++) {
        beside[k] = impacting_stick(ctx, 0.5, mu + offset[k]);
        assert_ok(ctx, rico_simulation_create(beside[k], "moreau-jean", &twin[k]));
        assert_ok(ctx, rico_simulation_start(twin[k], 0.0, q, v));
    }
    assert_ok(ctx, rico_derivatives_add_parameter(d, 4, twin, offset, NULL));

    // forward: columns of the state and of mu
    aim at = {STEPS, rico_derivatives_size(d)};
    double S[6 * 7], slope[6], forward[7] = {0.0};
    const int64_t by[] = {-1, -1, -1, -1, -1, -1, 0};
    assert_ok(ctx, rico_derivatives_start(d, S));
    assert_ok(ctx, rico_derivatives_parameter_start(d, 0, S + 36));
    int64_t pressed = 0;
    for (int64_t k = 0; k <= STEPS; k++) {
        if (k > 0) {
            assert_ok(ctx, rico_simulation_step(sim, h));
            assert_ok(ctx, rico_derivatives_evaluate(d));
            assert_ok(ctx, rico_derivatives_carry(d, 7, by, S));
            pressed += rico_simulation_impulse(sim)[0] > 0.0;
        }
        memset(slope, 0, sizeof slope);
        assert_ok(ctx, weigh(&at, k, sim, slope));
        for (int j = 0; j < 7; j++)
            for (int i = 0; i < 6; i++) forward[j] += slope[i] * S[j * 6 + i];
    }
    assert_true(pressed > 3);
    uint64_t end = rico_simulation_hash(sim);

    // backward
    double by_state[6], by_mu;
    rico_adjoint_options options = {.steps = STEPS, .h = h, .weigh = weigh, .user = &at};
    rico_adjoint_report report;
    assert_ok(ctx, rico_simulation_start(sim, 0.0, q, v));
    assert_ok(ctx, rico_derivatives_gradient(d, &options, by_state, &by_mu, &report));
    assert_true(rico_simulation_hash(sim) == end);
    assert_true(report.kept <= 101);
    assert_int_equal(report.differences, 0);
    double size = 0.0;
    for (int j = 0; j < 7; j++) size = fmax(size, fabs(forward[j]));
    for (int j = 0; j < 6; j++) assert_near(by_state[j], forward[j], 1e-10 * size);
    assert_near(by_mu, forward[6], 1e-10 * size);
    assert_true(fabs(by_mu) > 1e-6);
    rico_derivatives_destroy(d);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
    for (int k = 0; k < 4; k++) {
        rico_simulation_destroy(twin[k]);
        rico_system_destroy(beside[k]);
    }
}


// y'(J x) = (J'y)'x, of several columns; modes have names.
static void products(void **state)
{
    rico_context *ctx = *state;
    const double q[] = {0.1, 0.45, 0.5}, v[] = {0.3, -1.0, 0.7};
    const double x[] = {1.0, -2.0, 0.5, 0.3, 0.2, -0.7, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0};
    double forward[12], backward[12];
    rico_system *system = impacting_stick(ctx, 0.5, 0.3);
    rico_simulation *sim;
    rico_derivatives *d;
    assert_ok(ctx, rico_simulation_create(system, "moreau-jean", &sim));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, q, v));
    assert_ok(ctx, rico_derivatives_create(sim, &d));
    assert_int_equal(rico_derivatives_size(d), 6);
    assert_int_equal(rico_derivatives_parameters(d), 0);
    assert_ok(ctx, rico_simulation_step(sim, 0.02));
    assert_ok(ctx, rico_derivatives_evaluate(d));
    assert_true(rico_derivatives_mode(d, 0) == RICO_MODE_STICKING ||
                rico_derivatives_mode(d, 0) == RICO_MODE_SLIDING);
    rico_derivatives_forward(d, 2, x, forward);
    rico_derivatives_adjoint(d, 2, x, backward);
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++) {
            double one = 0.0, other = 0.0;
            for (int i = 0; i < 6; i++) {
                one += x[6 * a + i] * forward[6 * b + i];
                other += backward[6 * a + i] * x[6 * b + i];
            }
            assert_near(one, other, 1e-13);
        }
    assert_string_equal(rico_contact_mode_name(RICO_MODE_INACTIVE), "inactive");
    assert_string_equal(rico_contact_mode_name(RICO_MODE_HOLDING), "holding");
    rico_derivatives_destroy(d);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
}


// Every allocation fails in turn: a status, nothing lost, and the simulation goes on.
static rico_status attempt(rico_context *ctx, void *user)
{
    (void)user;
    const double q[] = {0.1, 0.45, 0.5}, v[] = {0.3, -1.0, 0.7}, offset[] = {-1e-3, 1e-3};
    rico_system *system = NULL;
    rico_simulation *sim = NULL, *twin[2] = {NULL, NULL};
    rico_derivatives *d = NULL;
    double state[9];
    rico_adjoint_options options = {.steps = 5, .h = 1e-3, .weigh = weigh, .user = &(aim){5, 6}};
    rico_status status = rico_system_create(ctx, &system);
    rico_matrix_part part = {.size = 3};
    const int64_t start[] = {0, 1, 2, 3}, row[] = {0, 1, 2}, dof[] = {0, 1, 2};
    const double mass[] = {1.0, 1.0, 0.1};
    static double length = 1.0;
    part.M = (rico_sparse_view){3, 3, start, row, mass};
    rico_contact contact = {.dimension = 2,
                            .friction = 0.3,
                            .reach = {3, dof},
                            .gap = stick_gap,
                            .frame = stick_frame,
                            .user = &length};
    if (status == RICO_OK) status = rico_system_add_matrices(system, "stick", &part, NULL);
    if (status == RICO_OK) status = rico_system_add_contact(system, "end", &contact, NULL);
    if (status == RICO_OK) status = rico_simulation_create(system, "moreau-jean", &sim);
    if (status == RICO_OK) status = rico_simulation_start(sim, 0.0, q, v);
    for (int k = 0; status == RICO_OK && k < 2; k++) {
        status = rico_simulation_create(system, "moreau-jean", &twin[k]);
        if (status == RICO_OK) status = rico_simulation_start(twin[k], 0.0, q, v);
    }
    if (status == RICO_OK) status = rico_derivatives_create(sim, &d);
    if (status == RICO_OK) status = rico_derivatives_add_parameter(d, 2, twin, offset, NULL);
    if (status == RICO_OK) status = rico_simulation_step(sim, 0.02);
    if (status == RICO_OK) status = rico_derivatives_evaluate(d);
    if (status == RICO_OK) status = rico_derivatives_gradient(d, &options, state, state + 6, NULL);
    rico_derivatives_destroy(d);
    rico_simulation_destroy(twin[0]);
    rico_simulation_destroy(twin[1]);
    rico_simulation_destroy(sim);
    rico_system_destroy(system);
    return status;
}


static void no_memory(void **state)
{
    (void)state;
    assert_true(every_allocation_fails(attempt, NULL) > 50);
}


// What is asked in vain gets a sentence.
static void refusals(void **state)
{
    rico_context *ctx = *state;
    rico_system *system = bouncing_ball(ctx, -1.0, 0.5), *two = block_on_ground(ctx, 0.0, 1.0, 0.1, 0.0);
    rico_simulation *sim, *other;
    rico_derivatives *d, *again;
    const double q[] = {1.0, 1.0}, v[] = {0.0, 0.0}, offset[] = {1e-3, 2e-3}, same[] = {1e-3, 1e-3};
    double matrix[4];
    assert_ok(ctx, rico_simulation_create(system, "moreau-jean", &sim));
    assert_ok(ctx, rico_simulation_create(two, "moreau-jean", &other));
    assert_ok(ctx, rico_simulation_start(sim, 0.0, q, v));
    assert_ok(ctx, rico_simulation_start(other, 0.0, q, v));
    assert_ok(ctx, rico_derivatives_create(sim, &d));
    assert_int_equal(rico_derivatives_create(sim, &again), RICO_BAD_ARGUMENT);
    rico_simulation *const wrong[] = {other, other}, *const right[] = {sim, sim};
    assert_int_equal(rico_derivatives_add_parameter(d, 2, wrong, offset, NULL), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_derivatives_add_parameter(d, 2, right, same, NULL), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_derivatives_add_parameter(d, 1, right, offset, NULL), RICO_BAD_ARGUMENT);
    assert_int_equal(rico_derivatives_carry(d, 1, NULL, matrix), RICO_BAD_ARGUMENT);
    rico_adjoint_options none = {.steps = 0, .h = 1e-3, .weigh = weigh};
    assert_int_equal(rico_derivatives_gradient(d, &none, matrix, NULL, NULL), RICO_BAD_ARGUMENT);
    assert_ok(ctx, rico_simulation_step(sim, 1e-3));
    assert_int_equal(rico_derivatives_start(d, matrix), RICO_BAD_ARGUMENT);
    rico_derivatives_destroy(d);
    rico_simulation_destroy(sim);
    rico_simulation_destroy(other);
    rico_system_destroy(system);
    rico_system_destroy(two);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ball, setup, teardown),
        cmocka_unit_test_setup_teardown(oscillator, setup, teardown),
        cmocka_unit_test_setup_teardown(slider, setup, teardown),
        cmocka_unit_test_setup_teardown(repeated, setup, teardown),
        cmocka_unit_test_setup_teardown(thresholds, setup, teardown),
        cmocka_unit_test_setup_teardown(random_thresholds, setup, teardown),
        cmocka_unit_test_setup_teardown(backward, setup, teardown),
        cmocka_unit_test_setup_teardown(products, setup, teardown),
        cmocka_unit_test(no_memory),
        cmocka_unit_test_setup_teardown(refusals, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
