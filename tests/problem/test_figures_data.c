// Figures and existence on the data set of friction problems, against the columns of its INDEX.csv.

#include "support.h"

#include "ricochet/fclib.h"

typedef struct entry {
    char text[1024];
    char *field[16];
} entry;

enum {
    FILE_NAME,
    COUNT_OF_CONTACTS = 3,
    BLOCKS = 7,
    DENSITY,
    RANK,
    DEFECT = 11,
    DIAGONAL_MIN,
    DIAGONAL_MAX,
    FRICTION
};

// Cuts a line at its commas.
static void split(entry *e)
{
    char *at = e->text;
    for (int i = 0; i < 16; i++) {
        e->field[i] = at;
        at += strcspn(at, ",\n");
        if (*at) *at++ = '\0';
    }
}


// A column gives four (or three) significant digits; an empty one is not compared.
static void assert_printed(const entry *e, int column, double value, double relative)
{
    if (e->field[column][0] == '\0') return;
    double expected = atof(e->field[column]);
    if (!(fabs(value - expected) <= relative * fabs(expected)))
        fail_msg("%s: column %d is %s, we find %.6g", e->field[FILE_NAME], column, e->field[column], value);
}


static void compare_figures(const entry *e, const rico_problem_stats *s)
{
    rico_block_kind kind = s->blocks[RICO_COULOMB_2D] > 0 ? RICO_COULOMB_2D : RICO_COULOMB_3D;
    assert_int_equal(s->blocks[kind], atoi(e->field[COUNT_OF_CONTACTS]));
    if (e->field[BLOCKS][0]) assert_int_equal(s->delassus_blocks, atoi(e->field[BLOCKS]));
    if (s->dofs > 0) assert_printed(e, DENSITY, s->contact_density, 5e-4);
    assert_printed(e, DIAGONAL_MIN, s->diagonal_min, 6e-4);
    assert_printed(e, DIAGONAL_MAX, s->diagonal_max, 6e-4);

    // at round-off the defect depends on the order of sums
    if (atof(e->field[DEFECT]) > 1e-13)
        assert_printed(e, DEFECT, s->symmetry_defect, 6e-3);
    else if (e->field[DEFECT][0])
        assert_at_most(s->symmetry_defect, 1e-13);

    if (e->field[FRICTION][0]) {
        const char *range = strstr(e->field[FRICTION], "..");
        assert_near(s->friction_min, atof(e->field[FRICTION]), 1e-6);
        assert_near(s->friction_max, atof(range ? range + 2 : e->field[FRICTION]), 1e-6);
    }
    if (e->field[RANK][0] && s->rank >= 0) assert_int_equal(s->rank, atoll(e->field[RANK]));
}


static void test_index(void **state)
{
    (void)state;
    const char *data = getenv("RICO_DATA");
    char path[4096];
    snprintf(path, sizeof path, "%s/INDEX.csv", data ? data : "");
    FILE *index = data ? fopen(path, "r") : NULL;
    if (!index) skip();

    rico_context *ctx = rico_context_create(NULL);
    entry e;
    assert_non_null(fgets(e.text, sizeof e.text, index));
    int compared = 0;
    while (fgets(e.text, sizeof e.text, index)) {
        split(&e);
        rico_fclib *file = NULL;
        snprintf(path, sizeof path, "%s/%s", data, e.field[FILE_NAME]);
        assert_ok(ctx, rico_fclib_read(ctx, path, &file));

        // every problem of the set is one that somebody simulated: a solution is expected, and found to be certain
        rico_existence existence;
        assert_ok(ctx, rico_problem_existence(file->problem, &existence));
        if (!existence.guaranteed) fail_msg("%s: %s", e.field[FILE_NAME], existence.sentence);

        // dense eigenvalues of more rows than this would take most of the time
        rico_problem_stats stats;
        if (rico_problem_rows(file->problem) <= 700 || rico_problem_rows(file->problem) > 1500) {
            assert_ok(ctx, rico_problem_describe(file->problem, &stats));
            compare_figures(&e, &stats);
            compared++;
        }
        rico_fclib_destroy(ctx, file);
    }
    fclose(index);
    assert_true(compared > 50);
    rico_context_destroy(ctx);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_index)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
