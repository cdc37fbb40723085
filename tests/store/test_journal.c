// The journal: a write is finished where it was torn, and left alone where it was not.

#include "support.h"

#include "store/journal.h"

#include <fcntl.h>
#include <unistd.h>

enum { SIZE = 5 * RICO_JOURNAL_PAGE, OFFSET = 1000, LENGTH = 2 * RICO_JOURNAL_PAGE };
static char path[64], journal_path[80], place[SIZE], now[SIZE];


// A file of as, on which bs are to be written from OFFSET on, noted in the journal; the first `done` of them are there.
static rico_journal *begin(rico_context *ctx, int *file, int64_t done)
{
    char b[LENGTH];
    rico_journal *journal = NULL;
    memset(place, 'a', sizeof place);
    memset(b, 'b', sizeof b);
    *file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
    assert_true(*file >= 0);
    assert_int_equal(pwrite(*file, place, SIZE, 0), SIZE);
    assert_ok(ctx, rico_journal_create(ctx, path, LENGTH, &journal));
    assert_int_equal(rico_journal_before(journal, *file, SIZE, OFFSET, b, LENGTH, false), 0);
    assert_int_equal(access(journal_path, F_OK), 0);
    assert_int_equal(pwrite(*file, b, (size_t)done, OFFSET), done);
    return journal;
}


// A copy of the journal outlives its end, as after a kill.
static void crash(rico_journal *journal)
{
    char kept[96];
    snprintf(kept, sizeof kept, "%s.kept", journal_path);
    assert_int_equal(link(journal_path, kept), 0);
    rico_journal_destroy(journal);
    assert_int_equal(rename(kept, journal_path), 0);
}


// How many bs there are after mending, all of them in one piece from OFFSET on.
static int64_t mended(rico_context *ctx, int file)
{
    assert_int_equal(rico_journal_mend(ctx, path, file), 0);
    assert_int_not_equal(access(journal_path, F_OK), 0);
    assert_int_equal(pread(file, now, SIZE, 0), SIZE);
    int64_t count = 0;
    while (count < LENGTH && now[OFFSET + count] == 'b') count++;
    for (int64_t k = 0; k < SIZE; k++)
        assert_int_equal(now[k], k >= OFFSET && k < OFFSET + count ? 'b' : 'a');
    close(file);
    return count;
}


static void test_torn_writes(void **state)
{
    rico_context *ctx = *state;
    // bytes that a kill between pages leaves, and what they are to become: nothing was begun, or all of it is there
    const int64_t CASES[][2] = {{0, 0},
                                {RICO_JOURNAL_PAGE - OFFSET, LENGTH},
                                {2 * RICO_JOURNAL_PAGE - OFFSET, LENGTH},
                                {LENGTH, LENGTH}};
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        int file;
        crash(begin(ctx, &file, CASES[k][0]));
        assert_int_equal(mended(ctx, file), CASES[k][1]);
    }
}


// A note that was torn itself was made for a write that had not begun.
static void test_torn_notes(void **state)
{
    rico_context *ctx = *state;
    for (int64_t length = 0; length < 2 * LENGTH; length += 1021) {
        int file;
        crash(begin(ctx, &file, 0));
        assert_int_equal(truncate(journal_path, (off_t)length), 0);
        assert_int_equal(mended(ctx, file), 0);
    }
}


// What is written later into the same place is newer than the note.
static void test_later_writes(void **state)
{
    rico_context *ctx = *state;
    int file;
    rico_journal *journal = begin(ctx, &file, LENGTH);
    memset(place, 'a', sizeof place);
    int64_t rest = OFFSET + LENGTH - 2 * RICO_JOURNAL_PAGE;
    assert_int_equal(rico_journal_before(journal, file, SIZE, 2 * RICO_JOURNAL_PAGE, place, rest, false), 0);
    assert_int_equal(pwrite(file, place, (size_t)rest, 2 * RICO_JOURNAL_PAGE), rest);
    crash(journal);
    assert_int_equal(mended(ctx, file), LENGTH - rest); // looks torn, and is not
}


static void test_what_needs_no_note(void **state)
{
    rico_context *ctx = *state;
    rico_journal *journal = NULL;
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
    assert_ok(ctx, rico_journal_create(ctx, path, LENGTH, &journal));
    // within a page, behind the end, harmless
    assert_int_equal(rico_journal_before(journal, file, SIZE, 0, place, RICO_JOURNAL_PAGE, false), 0);
    assert_int_equal(rico_journal_before(journal, file, 1, 1, place, LENGTH, false), 0);
    assert_int_equal(rico_journal_before(journal, file, SIZE, OFFSET, place, LENGTH, true), 0);
    assert_int_not_equal(access(journal_path, F_OK), 0);
    rico_journal_destroy(journal);
    close(file);
}


static int setup(void **state)
{
    *state = rico_context_create(NULL);
    snprintf(path, sizeof path, "store_journal_%ld.bin", (long)getpid());
    snprintf(journal_path, sizeof journal_path, "%s.journal", path);
    return *state == NULL;
}


static int teardown(void **state)
{
    unlink(path);
    unlink(journal_path);
    rico_context_destroy(*state);
    return 0;
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_torn_writes), cmocka_unit_test(test_torn_notes),
                                       cmocka_unit_test(test_later_writes),
                                       cmocka_unit_test(test_what_needs_no_note)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
