// Sensors in result files: how many bodies are in a gate, row by row, against where they are.

#include "joint_runs.h"

// Two balls fall through a gate, one after the other, beside a swing that moves through another.
#define GATES                                                                                                \
    "gravity: [0, 0, -9.81]\n"                                                                               \
    "bodies:\n"                                                                                              \
    "  gate: {shape: {box: {size: [1, 1, 0.2]}}, fixed: yes, sensor: yes}\n"                                 \
    "  low: {shape: {sphere: 0.05}, mass: 1, position: [0, 0, 0.5]}\n"                                       \
    "  high: {shape: {sphere: 0.05}, mass: 1, position: [0.2, 0, 0.7]}\n"                                    \
    "  door: {shape: {sphere: 0.05}, position: [5, 0, 0], motion: {shift: [0, 0, 3*t]}}\n"                   \
    "  far: {shape: {box: {size: [1, 1, 1]}}, position: [5, 0, 1.55], fixed: yes, sensor: yes}\n"

static void test_gates(void **state)
{
    (void)state;
    rico_columns *columns = run_text(GATES "time: {end: 0.6, step: 1e-3}\n");
    // |z| <= 0.15 is in the gate, told as a step of the sign, a half where it is just at its edge; the door, moved, in the other one
    static const char GATE[] =
        "gate.inside - (1 + sign(0.15 - abs(low.z)))/2 - (1 + sign(0.15 - abs(high.z)))/2";
    static const char FAR[] = "far.inside - (1 + sign(0.55 - abs(3*t - 1.55)))/2";
    assert_true(largest(columns, GATE, 0) <= 0.5);
    assert_true(largest(columns, FAR, 0) <= 0.5);
    assert_true(largest(columns, "gate.inside", 0) == 2.0 && largest(columns, "far.inside", 0) == 1.0);
    int64_t count;
    double *values;
    assert_int_equal(rico_columns_read(columns, "gate.insid", &count, &values), RICO_BAD_ARGUMENT);
    assert_non_null(strstr(rico_message(ctx), "gate.inside"));
    rico_columns_destroy(columns);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_gates)};
    return cmocka_run_group_tests(tests, context_start, context_end);
}
