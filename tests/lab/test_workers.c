// Work on threads: every piece once, whatever their number; interrupts, limits of time and failures end what they should.

#include "lab/workers.h"
#include "support.h"

#include <stdatomic.h>

enum { PIECES = 500 };

typedef struct tally {
    int64_t told, sum, late, stopped;
    int seen[PIECES];
    atomic_int at_work, most;
    int64_t endless; // a piece that goes on until it is interrupted; -1: none
    int64_t fails;   // a piece at whose end everything is to end; -1: none
    int64_t breaks;  // a piece at whose end the caller is interrupted; -1: none
    rico_context *ctx;
} tally;

typedef struct answer {
    int64_t square;
    rico_status status;
} answer;


static void work(void *user, rico_context *ctx, int64_t piece, void *place)
{
    tally *all = user;
    answer *out = place;
    int now = atomic_fetch_add(&all->at_work, 1) + 1, most = atomic_load(&all->most);
    while (now > most && !atomic_compare_exchange_weak(&all->most, &most, now)) continue;
    assert_int_equal(out->square, 0); // comes zeroed
    assert_false(rico_context_interrupted(ctx) && all->endless < 0 && all->fails < 0 && all->breaks < 0);
    while (piece == all->endless && !rico_context_interrupted(ctx)) continue;
    out->status = piece == all->endless ? rico_fail(ctx, RICO_INTERRUPTED, "cut") : RICO_OK;
    out->square = piece * piece;
    atomic_fetch_sub(&all->at_work, 1);
}


static rico_status ended(void *user, int64_t piece, void *place, const rico_work_end *end)
{
    tally *all = user;
    const answer *got = place;
    assert_int_equal(got->square, piece * piece);
    all->seen[piece]++;
    all->told++;
    all->sum += got->square;
    all->late += end->late;
    all->stopped += end->stopped;
    if (piece == all->breaks) rico_context_interrupt(all->ctx);
    return piece == all->fails ? rico_fail(all->ctx, RICO_IO_ERROR, "the disk is full") : RICO_OK;
}


static rico_status run(rico_context *ctx, int threads, double seconds, int64_t count, tally *all)
{
    all->ctx = ctx;
    const rico_workers workers = {.ctx = ctx,
                                  .threads = threads,
                                  .count = count,
                                  .seconds = seconds,
                                  .answer = sizeof(answer),
                                  .user = all,
                                  .work = work,
                                  .ended = ended};
    rico_status status = rico_workers_run(&workers);
    assert_int_equal(atomic_load(&all->at_work), 0);
    for (int64_t i = 0; i < count; i++) assert_true(all->seen[i] <= 1);
    return status;
}


static void test_every_piece_once(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    for (int threads = 1; threads <= 8; threads *= 2) {
        tally all = {.endless = -1, .fails = -1, .breaks = -1};
        assert_ok(ctx, run(ctx, threads, 0.0, PIECES, &all));
        assert_int_equal(all.told, PIECES);
        assert_int_equal(all.sum, (int64_t)(PIECES - 1) * PIECES * (2 * PIECES - 1) / 6);
        assert_int_equal(all.late + all.stopped, 0);
        assert_true(atomic_load(&all.most) <= threads);
    }
    tally none = {.endless = -1, .fails = -1, .breaks = -1};
    assert_ok(ctx, run(ctx, 2, 0.0, 0, &none));
    assert_int_equal(none.told, 0);
    rico_context_destroy(ctx);
}


// A piece beyond its time is interrupted; those behind it on the same thread are not.
static void test_limit_of_time(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    tally all = {.endless = 3, .fails = -1, .breaks = -1};
    assert_ok(ctx, run(ctx, 1, 0.2, 40, &all));
    assert_int_equal(all.told, 40);
    assert_true(all.late >= 1);
    assert_int_equal(all.stopped, 0);
    rico_context_destroy(ctx);
}


static void test_failure_ends_everything(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    tally all = {.endless = 20, .fails = 10, .breaks = -1};
    assert_int_equal(run(ctx, 2, 0.0, PIECES, &all), RICO_IO_ERROR);
    assert_string_equal(rico_message(ctx), "the disk is full");
    assert_true(all.told < PIECES);
    rico_context_destroy(ctx);
}


static void test_interrupt(void **state)
{
    (void)state;
    rico_context *ctx = rico_context_create(NULL);
    tally all = {.endless = 20, .fails = -1, .breaks = 10};
    assert_ok(ctx, run(ctx, 2, 0.0, PIECES, &all));
    assert_true(rico_context_interrupted(ctx));
    assert_true(all.told < PIECES);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_piece_once), cmocka_unit_test(test_limit_of_time),
        cmocka_unit_test(test_failure_ends_everything), cmocka_unit_test(test_interrupt)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
