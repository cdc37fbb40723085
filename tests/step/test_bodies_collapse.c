// What falls in pieces: a row of dominoes (spec 09, F14), a wall that a ball hits, boxes that are dropped on a heap.
//
// Whatever slides off whatever, nothing is in anything else at the end of a step, by its contacts and by the distances of all pairs; and
// dominoes fall one by one, all of them. RICO_LONG=1 lets more of them fall for longer.

#include "step/bodies.h"

static const char SCHEME[] = "moreau-jean-projected";


// The deepest of the contacts at the end of the last step.
static double deepest(scene *s)
{
    const double *gap;
    double depth = 0.0;
    assert_ok(s->ctx, rico_simulation_gap(s->sim, &gap));
    for (int64_t c = 0; c < rico_simulation_constraints(s->sim); c++)
        depth = fmax(depth, -gap[rico_simulation_constraint(s->sim, c).row]);
    return depth;
}


// The deepest pair of bodies by their distance, whatever the contacts are.
static double overlap(const scene *s)
{
    double depth = 0.0;
    for (int64_t a = 0; a < rico_bodies_count(s->bodies); a++) {
        for (int64_t b = a + 1; b < rico_bodies_count(s->bodies); b++) {
            const rico_shape *one = rico_bodies_shape(s->bodies, a), *two = rico_bodies_shape(s->bodies, b);
            rico_stand at_one = stand_of(s, a), at_two = stand_of(s, b);
            rico_nearest nearest;
            assert_ok(s->ctx, rico_distance(s->ctx, one, &at_one, two, &at_two, &nearest));
            depth = fmax(depth, -nearest.gap);
        }
    }
    return depth;
}


// To the end, asking after each step what was entered.
static void collapse(scene *s, double end, double h, double allowed)
{
    double entered = 0.0, overlapped = 0.0;
    begin_scene(s, SCHEME, h);
    for (int64_t k = 0; rico_simulation_time(s->sim) < end; k++) {
        step_scene(s, 1);
        entered = fmax(entered, deepest(s));
        if (k % 8 == 0) overlapped = fmax(overlapped, overlap(s));
    }
    if (getenv("RICO_LONG")) printf("h = %g: entered %.3g m, overlap %.3g m\n", h, entered, overlapped);
    assert_at_most(entered, allowed);
    assert_at_most(overlapped, fmax(entered, 1e-5));
}


// --- dominoes ------------------------------------------------------------------------------------------------------

enum { MOST_DOMINOES = 20 };
static const double THICK = 0.0075, WIDE = 0.024, HIGH = 0.048;

// n dominoes with their faces `apart`; the first leans beyond its balance.
static void put_dominoes(scene *s, int n, double apart, int64_t *domino)
{
    const rico_shape *shape = make_shape(s, "box", THICK, WIDE, HIGH);
    for (int k = 0; k < n; k++) {
        rico_body body = free_body(shape, 1800.0, k * (apart + THICK), 0.0, 0.5 * HIGH);
        if (k == 0) {
            double lean = 12.0 * M_PI / 180.0; // about the lower edge at x = THICK/2
            turn_body(&body, 0.0, lean, 0.0);
            body.stand.position[0] = 0.5 * THICK - 0.5 * THICK * cos(lean) + 0.5 * HIGH * sin(lean);
            body.stand.position[2] = 0.5 * THICK * sin(lean) + 0.5 * HIGH * cos(lean);
        }
        domino[k] = put_body(s, &body);
    }
}


static void test_dominoes_stay_apart(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        scene s;
        int64_t domino[MOST_DOMINOES];
        open_scene(&s, 0.0, -EARTH, 0);
        use_material(&s, 0.3, 0.0);
        put_ground(&s, ON_PLANE, 1.0);
        put_dominoes(&s, getenv("RICO_LONG") ? 8 : 3, 0.0165, domino);
        collapse(&s, getenv("RICO_LONG") ? 0.8 : 0.3, k ? 1.0 / 240.0 : 1e-3, 1e-5);
        close_scene(&s);
    }
}


// When each of them has turned by half the angle at which it would meet the next.
static void fall(int n, double apart, double *when)
{
    scene s;
    int64_t domino[MOST_DOMINOES];
    int fallen = 1;
    double half = 0.5 * asin(apart / HIGH);
    open_scene(&s, 0.0, -EARTH, 0);
    use_material(&s, 0.2, 0.0);
    put_ground(&s, ON_PLANE, 1.0);
    put_dominoes(&s, n, apart, domino);
    begin_scene(&s, SCHEME, 1e-3);
    while (fallen < n && rico_simulation_time(s.sim) < 2.0) {
        step_scene(&s, 1);
        rico_stand at = stand_of(&s, domino[fallen]);
        double turned = 2.0 * atan2(at.orientation[2], at.orientation[0]);
        if (turned > half) when[fallen++] = rico_simulation_time(s.sim);
    }
    assert_int_equal(fallen, n);
    close_scene(&s);
}


// A wave that settles to a speed of its own, the faster the closer they stand.
static void test_a_wave_of_dominoes(void **state)
{
    (void)state;
    double speed[2] = {0.0};
    bool whole = getenv("RICO_LONG") != NULL; // a short row of close ones is not up to its speed
    int n = whole ? 20 : 7;
    for (int k = whole ? 0 : 1; k < 2; k++) {
        double when[MOST_DOMINOES], apart = k ? 0.5 * HIGH : 0.25 * HIGH;
        fall(n, apart, when);
        double last = when[n - 1] - when[n - 2], before = when[n - 2] - when[n - 3];
        speed[k] = (apart + THICK) / last;
        if (getenv("RICO_LONG"))
            for (int i = 1; i < n; i++) printf("apart %g: %d at %g s\n", apart, i, when[i]);
        assert_near(last, before, 0.15 * before);
    }
    if (whole) assert_true(speed[0] > speed[1]);
}


// --- walls and heaps -----------------------------------------------------------------------------------------------

static void test_a_wall_is_hit(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        scene s;
        open_scene(&s, 0.0, -EARTH, 0);
        use_material(&s, 0.6, 0.0);
        put_ground(&s, ON_PLANE, 2.0);
        const rico_shape *brick = make_shape(&s, "box", 0.24, 0.115, 0.071);
        for (int i = 0; i < (getenv("RICO_LONG") ? 6 : 3); i++) {
            int course = i / 2;
            rico_body body = free_body(brick, 1800.0, 0.24 * (i % 2) + (course % 2 ? 0.12 : 0.0), 0.0,
                                       0.071 * (course + 0.5));
            put_body(&s, &body);
        }
        rico_body ball = free_body(make_shape(&s, "sphere", 0.08, 0.0, 0.0), 7800.0, 0.15, -0.2, 0.12);
        ball.velocity[1] = 6.0;
        put_body(&s, &ball);
        collapse(&s, getenv("RICO_LONG") ? 0.5 : 0.05, k ? 1.0 / 240.0 : 1e-3, 1e-5);
        close_scene(&s);
    }
}


static void test_boxes_are_dropped(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        scene s;
        rico_random random;
        rico_random_seed(&random, 11);
        open_scene(&s, 0.0, -EARTH, 0);
        use_material(&s, 0.4, 0.0);
        put_ground(&s, ON_BOX, 2.0);
        const rico_shape *box = make_shape(&s, "box", 0.1, 0.08, 0.06);
        for (int i = 0; i < 6; i++) {
            rico_body body = free_body(box, 1000.0, 0.03 * (i % 2), 0.02 * (i % 3), 0.1 + 0.14 * i);
            turn_body(&body, rico_random_range(&random, -1.0, 1.0), rico_random_range(&random, -1.0, 1.0),
                      rico_random_range(&random, -1.0, 1.0));
            put_body(&s, &body);
        }
        // tumbling boxes have two contacts of edges where one was found: at long steps one or two are left in each other by up to a
        // millimetre for a step, and the violation says so
        collapse(&s, 0.6, k ? 1.0 / 240.0 : 1e-3, k ? 1e-3 : 1e-5);
        close_scene(&s);
    }
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dominoes_stay_apart), cmocka_unit_test(test_a_wave_of_dominoes),
        cmocka_unit_test(test_a_wall_is_hit), cmocka_unit_test(test_boxes_are_dropped)};
    return cmocka_run_group_tests_name("collapse", tests, NULL, NULL);
}
