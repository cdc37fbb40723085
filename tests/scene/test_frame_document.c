// Frames by files: what is read, and what is refused with its place.

#include "failing_memory.h"
#include "one_context.h"

#include "ricochet/frame.h"

static const char FRAME[] = "title: The chapter's frame\n"
                            "parameters: {a: 2, P: 1, Mp: 2, mu: 0.25}\n"
                            "frame:\n"
                            "  nodes:\n"
                            "    A: {at: [0, 0], support: clamped}\n"
                            "    B: {at: [0, a], live: [P, 0]}\n"
                            "    C: {at: [a, a], live: [0, -P]}\n"
                            "    D: {at: [2*a, a]}\n"
                            "    E: {at: [2*a, 0], support: contact, friction: mu}\n"
                            "  bars:\n"
                            "    left: {between: [A, B], capacity: Mp}\n"
                            "    one: {between: [B, C], capacity: Mp}\n"
                            "    two: {between: [C, D], capacity: Mp}\n"
                            "    right: {between: [D, E], capacity: Mp}\n";


static rico_status read_text(rico_context *own, const char *text, const char *set, rico_frame **out)
{
    const rico_frame_source source = {.path = "f",
                                      .text = text,
                                      .length = (int64_t)strlen(text),
                                      .override_count = set != NULL,
                                      .overrides = &set};
    return rico_frame_read(own, &source, out);
}


// alpha P a/Mp = 1.5 + mu/(1 - mu), in whatever units.
static void test_reads(void **state)
{
    (void)state;
    static const struct {
        const char *set;
        double factor;
    } CASES[] = {{NULL, 1.5 + 0.25 / 0.75},
                 {"mu=0.4", 1.5 + 0.4 / 0.6},
                 {"P=0.5", 2.0 * (1.5 + 0.25 / 0.75)},
                 {"a=1", 2.0 * (1.5 + 0.25 / 0.75)}};
    for (int i = 0; i < 4; i++) {
        rico_frame *frame = NULL;
        rico_frame_state s;
        assert_ok(ctx, read_text(ctx, FRAME, CASES[i].set, &frame));
        assert_string_equal(rico_frame_title(frame), "The chapter's frame");
        assert_int_equal(rico_frame_mechanisms(frame), 4);
        assert_ok(ctx, rico_frame_kinematic(frame, 300, 1e-10, NULL, NULL, &s));
        assert_near(s.factor, CASES[i].factor, 1e-7);
        rico_frame_destroy(frame);
    }
}


// A three-hinged portal that is statically determined: pins at its feet and one at the crown; and a beam on a roller that leans.
static void test_pins(void **state)
{
    (void)state;
    static const char PINS[] = "frame:\n"
                               "  nodes:\n"
                               "    A: {at: [0, 0], support: pinned}\n"
                               "    B: {at: [0, 1], live: [1, 0]}\n"
                               "    C: {at: [1, 1]}\n"
                               "    D: {at: [2, 1]}\n"
                               "    E: {at: [2, 0], support: pinned}\n"
                               "  bars:\n"
                               "    left: {between: [A, B], capacity: 1}\n"
                               "    one: {between: [B, C], capacity: 1, pinned: [C]}\n"
                               "    two: {between: [C, D], capacity: 1}\n"
                               "    right: {between: [D, E], capacity: 1}\n";
    // reactions at B's column and at D: H = P/2 each, so M = P/2 at both joints
    rico_frame *frame = NULL;
    rico_frame_state s;
    assert_ok(ctx, read_text(ctx, PINS, NULL, &frame));
    assert_int_equal(rico_frame_redundancy(frame), 0);
    assert_int_equal(rico_frame_hinges(frame), 2);
    assert_ok(ctx, rico_frame_load(frame, &s));
    assert_near(s.factor, 2.0, 1e-7);
    rico_frame_destroy(frame);

    static const char ROLLER[] = "frame:\n"
                                 "  nodes:\n"
                                 "    A: {at: [0, 0], support: clamped}\n"
                                 "    B: {at: [1, 0], live: [0, -1]}\n"
                                 "    C: {at: [2, 0], support: roller, normal: 30}\n"
                                 "  bars:\n"
                                 "    one: {between: [A, B], capacity: 1}\n"
                                 "    two: {between: [B, C], capacity: 1}\n";
    // a propped cantilever: 6 M/L with L = 2, however the roller leans
    assert_ok(ctx, read_text(ctx, ROLLER, NULL, &frame));
    assert_ok(ctx, rico_frame_load(frame, &s));
    assert_near(s.factor, 3.0, 1e-7);
    rico_frame_destroy(frame);
}


static void test_refusals(void **state)
{
    (void)state;
    static const char *const CASES[][2] = {
        {"frame: {nodes: {A: {at: [0, 0]}}}", "f:1:8: the key 'bars' is missing in frame"},
        {"title: x", "the key 'frame' is missing"},
        {"frame: {nodes: {A: {at: [0, 0]}, B: {at: [0, 1]}}, bars: {b: {between: [A, C]}}}",
         "f:1:76: there is no node 'C'"},
        {"frame: {nodes: {A: {at: [0, 0], friction: 1}, B: {at: [0, 1]}}, bars: {b: {between: [A, B]}}}",
         "f:1:43: 'friction' belongs to a node with 'support: contact'"},
        {"frame: {nodes: {A: {at: [0, 0], normal: 1}, B: {at: [0, 1]}}, bars: {b: {between: [A, B]}}}",
         "'normal' belongs to"},
        {"frame: {nodes: {A: {at: [0, 0], support: clamp}, B: {at: [0, 1]}}, bars: {b: {between: [A, B]}}}",
         "has no choice 'clamp'"},
        {"frame: {nodes: {A: {at: [0, 0]}, B: {at: [0, 1]}, C: {at: [1, 1]}}, bars: {b: {between: [A, B], "
         "pinned: "
         "[C]}}}",
         "bar 'b' does not meet node 'C'"},
        {"frame: {nodes: {A: {at: [0, 0], support: clamped}, B: {at: [0, 1], live: [1, 0]}}, bars: {b: "
         "{between: "
         "[A, B], capacity: -1}}}",
         "'capacity' must be above 0"},
        {"frame: {nodes: {A: {at: [0, 0], support: pinned}, B: {at: [0, 1], live: [1, 0]}}, bars: {b: "
         "{between: "
         "[A, B], capacity: 1}}}",
         "f:1:16: the frame moves without any hinge, by x of B"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        rico_frame *frame = NULL;
        if (read_text(ctx, CASES[i][0], NULL, &frame) == RICO_OK) fail_msg("taken: %s", CASES[i][0]);
        if (!strstr(rico_message(ctx), CASES[i][1]))
            fail_msg("'%s' instead of '%s'", rico_message(ctx), CASES[i][1]);
        assert_null(frame);
    }
    rico_frame *frame = NULL;
    assert_int_not_equal(read_text(ctx, FRAME, "nu=1", &frame), RICO_OK);
    assert_non_null(strstr(rico_message(ctx), "nu"));
}


static rico_status load(rico_context *own, void *user)
{
    rico_frame *frame = NULL;
    rico_frame_state s;
    (void)user;
    rico_status status = read_text(own, FRAME, "mu=0.2", &frame);
    if (status == RICO_OK) status = rico_frame_load(frame, &s);
    if (status == RICO_OK) status = rico_frame_kinematic(frame, 3, 1e-6, NULL, NULL, &s);
    if (status == RICO_OK) status = rico_frame_static(frame, 3, 1e-6, NULL, NULL, &s);
    rico_frame_destroy(frame);
    return status;
}


static void test_memory(void **state)
{
    (void)state;
    assert_true(every_allocation_fails(load, NULL) > 50);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reads), cmocka_unit_test(test_pins),
                                       cmocka_unit_test(test_refusals), cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, context_start, context_end);
}
