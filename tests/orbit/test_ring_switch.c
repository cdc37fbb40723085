// A branch that changes its pattern wherever a particle grazes: the second one of long waves, against the chapter's numbers.

#include "ring_patterns.h"

enum { P = 30, SWITCHES = 5 };

typedef struct journal {
    pattern last;
    int count;
    double at[SWITCHES + 2];
    pattern was[SWITCHES + 2];
    double before;
} journal;


static bool note(void *user, const rico_ring_orbit *orbit)
{
    journal *self = user;
    if (memcmp(self->last.of, orbit->ring.pattern, P * sizeof *self->last.of) != 0) {
        memcpy(self->last.of, orbit->ring.pattern, P * sizeof *self->last.of);
        assert_true(self->count < SWITCHES + 2);
        self->was[self->count] = self->last;
        self->at[self->count++] = self->before;
    }
    self->before = orbit->ring.period;
    return true;
}


static void second_branch(void **state)
{
    (void)state;
    const double at[] = {0.990720382, 0.982592068, 0.964913753, 0.849126979, 0.835862383};
    const int striking[][12] = {{15, -1},
                                {14, 15, 16, -1},
                                {12, 14, 15, 16, 18, -1},
                                {11, 12, 14, 15, 16, 18, 19, -1},
                                {9, 11, 12, 14, 15, 16, 18, 19, 21, -1},
                                {9, 11, 12, 13, 14, 15, 16, 17, 18, 19, 21, -1}};
    double T1 = 2.0 * M_PI / rico_ring_frequency(P, 1.0, 1);
    const pattern begin = pattern_of(P, striking[0], (const int[]){0, -1});
    rico_ring ring = {P, 1.0, 0.9999 * T1, begin.of};
    journal seen = {.before = NAN};
    rico_ring_path path = {.parameter = RICO_RING_PERIOD,
                           .to = 0.5 * T1,
                           .largest_step = 0.002 * T1,
                           .switching = true,
                           .observe = note,
                           .user = &seen};
    rico_ring_end end;
    assert_ok(ctx, rico_ring_continue(ctx, &ring, &path, &end));
    assert_int_equal(end.switches, SWITCHES);
    assert_int_equal(seen.count, SWITCHES + 1);
    for (int i = 0; i <= SWITCHES; i++) {
        if (i > 0) assert_near(seen.at[i] / T1, at[i - 1], 6e-10);
        int strikes = 0;
        for (; striking[i][strikes] >= 0; strikes++) {
            assert_int_equal(seen.was[i].of[striking[i][strikes]], RICO_RING_AT_START);
            assert_int_equal(seen.was[i].of[(striking[i][strikes] + 15) % P], RICO_RING_AT_HALF);
        }
        for (int n = 0; n < P; n++) strikes -= seen.was[i].of[n] == RICO_RING_AT_START;
        assert_int_equal(strikes, 0);
    }
    assert_near(end.value / T1, 0.809020829, 6e-10);
    assert_int_equal(end.reason, RICO_RING_TOUCHES);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(second_branch)};
    return cmocka_run_group_tests(tests, context_start, context_end);
}
