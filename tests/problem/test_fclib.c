// FCLIB files: what is written comes back bit for bit, in every storage; what others write is understood; a failed
// write leaves everything as it was.

#include "support.h"

#include "problem/fclib_sample.h"

#include <dirent.h>
#include <errno.h>
#include <hdf5.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// a folder of this process, since several builds may run their tests side by side
static char folder[64], path[128];


static void assert_same_bits(const char *what, const double *a, const double *b, int64_t count)
{
    for (int64_t k = 0; k < count; k++) {
        if (memcmp(&a[k], &b[k], sizeof *a) != 0) fail_msg("%s[%d]: %a and %a", what, (int)k, a[k], b[k]);
    }
}


static void assert_same_matrix(const char *what, const rico_sparse_view *a, const rico_sparse_view *b)
{
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->cols, b->cols);
    for (int64_t j = 0; j <= a->cols; j++) assert_int_equal(a->start[j], b->start[j]);
    for (int64_t k = 0; k < a->start[a->cols]; k++) assert_int_equal(a->row[k], b->row[k]);
    assert_same_bits(what, a->value, b->value, a->start[a->cols]);
}


static void assert_same_problem(rico_context *ctx, rico_problem *a, rico_problem *b)
{
    int64_t rows = rico_problem_rows(a);
    assert_int_equal(rows, rico_problem_rows(b));
    assert_int_equal(rico_problem_is_global(a), rico_problem_is_global(b));
    assert_int_equal(rico_problem_block_count(a), rico_problem_block_count(b));
    for (int64_t k = 0; k < rico_problem_block_count(a); k++) {
        rico_block x = rico_problem_block(a, k), y = rico_problem_block(b, k);
        assert_int_equal(x.kind, y.kind);
        assert_int_equal(x.size, y.size);
        assert_same_bits("mu", &x.friction, &y.friction, 1);
    }
    if (rico_problem_is_global(a)) {
        int64_t dofs = rico_problem_dofs(a);
        rico_sparse_view M[] = {rico_problem_mass(a), rico_problem_mass(b)};
        rico_sparse_view H[] = {rico_problem_jacobian(a), rico_problem_jacobian(b)};
        assert_int_equal(dofs, rico_problem_dofs(b));
        assert_same_matrix("M", &M[0], &M[1]);
        assert_same_matrix("H", &H[0], &H[1]);
        assert_same_bits("f", rico_problem_force(a), rico_problem_force(b), dofs);
        assert_same_bits("w", rico_problem_offset(a), rico_problem_offset(b), rows);
    } else {
        rico_sparse_view W[2];
        assert_ok(ctx, rico_problem_delassus(a, &W[0]));
        assert_ok(ctx, rico_problem_delassus(b, &W[1]));
        assert_same_matrix("W", &W[0], &W[1]);
        rico_sparse_release(ctx, &W[0]);
        rico_sparse_release(ctx, &W[1]);
        assert_same_bits("q", rico_problem_free_velocity(a), rico_problem_free_velocity(b), rows);
    }
}


static void assert_same_state(const rico_fclib_state *found, const sample_state *expected, int64_t rows)
{
    assert_non_null(found->r);
    assert_non_null(found->u);
    assert_same_bits("r", found->r, expected->r, rows);
    assert_same_bits("u", found->u, expected->u, rows);
    assert_int_equal(found->v != NULL, expected->view.v != NULL);
    if (found->v) assert_same_bits("v", found->v, expected->v, SAMPLE_DOFS);
}


static void test_files_come_back_bit_for_bit(void **state)
{
    rico_context *ctx = *state;
    // form, dimension, joints and storage in all combinations
    for (int k = 0; k < 24; k++) {
        bool global = k % 2, joints = k / 2 % 2;
        int dimension = 2 + k / 4 % 2;
        rico_fclib_storage storage = (rico_fclib_storage)(k / 8);
        rico_problem *expected;
        rico_fclib *read;
        sample_state states[3];
        for (int which = 0; which < 3; which++) sample_fill_state(&states[which], global, which);

        assert_ok(ctx, sample_create(ctx, global, dimension, joints, &expected));
        assert_ok(ctx, sample_write(ctx, global, dimension, joints, storage, path));
        assert_ok(ctx, rico_fclib_read(ctx, path, &read));
        assert_same_problem(ctx, read->problem, expected);
        assert_string_equal(read->title, "sample");
        assert_string_equal(read->description, "two contacts");
        assert_string_equal(read->math_info, "");

        int64_t rows = rico_problem_rows(expected);
        assert_true(read->has_solution);
        assert_same_state(&read->solution, &states[0], rows);
        assert_int_equal(read->guess_count, 2);
        assert_same_state(&read->guesses[0], &states[1], rows);
        assert_same_state(&read->guesses[1], &states[2], rows);
        rico_fclib_destroy(ctx, read);
        rico_problem_destroy(expected);
    }
}


static void test_the_equations_are_those_of_fclib(void **state)
{
    // u of the whole problem against W r + V l + q and V' r + R l + s by hand, and the same for the global form
    rico_context *ctx = *state;
    double r[SAMPLE_ROWS], u[SAMPLE_ROWS];
    for (int i = 0; i < SAMPLE_ROWS; i++) r[i] = 1.0 / (i + 2);

    rico_fclib *read;
    assert_ok(ctx, sample_write(ctx, false, 3, true, RICO_FCLIB_CSR, path));
    assert_ok(ctx, rico_fclib_read(ctx, path, &read));
    assert_ok(ctx, rico_problem_velocity(read->problem, r, u, NULL));
    for (int i = 0; i < SAMPLE_ROWS; i++) {
        double expected = sample_vector(i, -1.0 / 7.0);
        for (int j = 0; j < SAMPLE_ROWS; j++) {
            bool stored;
            double W = sample_W(i, j, &stored);
            if (stored) expected += W * r[j];
        }
        assert_near(u[i], expected, 1e-14 * 10.0);
    }
    rico_fclib_destroy(ctx, read);

    double v[SAMPLE_DOFS];
    assert_ok(ctx, sample_write(ctx, true, 3, true, RICO_FCLIB_CSR, path));
    assert_ok(ctx, rico_fclib_read(ctx, path, &read));
    assert_ok(ctx, rico_problem_velocity(read->problem, r, u, v));
    for (int i = 0; i < SAMPLE_DOFS; i++) {
        // M v = H r + f
        double left = 0.0, right = sample_vector(i, 1.0 / 3.0);
        for (int j = 0; j < SAMPLE_DOFS; j++) left += sample_M(i, j) * v[j];
        for (int j = 0; j < SAMPLE_ROWS; j++) {
            bool stored;
            double H = sample_H(i, j, &stored);
            if (stored) right += H * r[j];
        }
        assert_near(left, right, 1e-13);
    }
    for (int j = 0; j < SAMPLE_ROWS; j++) {
        // u = H' v + w
        double expected = sample_vector(j, -1.0 / 7.0);
        for (int i = 0; i < SAMPLE_DOFS; i++) {
            bool stored;
            double H = sample_H(i, j, &stored);
            if (stored) expected += H * v[i];
        }
        assert_near(u[j], expected, 1e-13);
    }
    rico_fclib_destroy(ctx, read);
}


static void test_a_file_with_nothing_beside_the_problem(void **state)
{
    rico_context *ctx = *state;
    rico_problem *problem;
    rico_fclib *read;
    assert_ok(ctx, sample_create(ctx, true, 3, false, &problem));
    assert_ok(ctx, rico_fclib_write(problem, NULL, path));
    assert_ok(ctx, rico_fclib_read(ctx, path, &read));
    assert_same_problem(ctx, read->problem, problem);
    assert_string_equal(read->title, "");
    assert_string_equal(read->description, "");
    assert_string_equal(read->math_info, "");
    assert_false(read->has_solution);
    assert_null(read->solution.r);
    assert_int_equal(read->guess_count, 0);
    rico_fclib_destroy(ctx, read);
    rico_problem_destroy(problem);
    rico_fclib_destroy(ctx, NULL);
}


static void test_problems_without_contacts(void **state)
{
    rico_context *ctx = *state;
    const int64_t diagonal_start[] = {0, 1, 2}, diagonal_row[] = {0, 1}, none[] = {0, 0, 0};
    const double one[] = {1.0, 1.0};
    const rico_sparse_view M = {2, 2, diagonal_start, diagonal_row, one}, H = {2, 0, none, NULL, NULL};
    const rico_sparse_view nothing = {0, 0, none, NULL, NULL}, G = {2, 2, diagonal_start, diagonal_row, one};
    const rico_block joint = {RICO_EQUALITY, 2, 0.0};
    rico_problem *problems[4];
    assert_ok(ctx, rico_problem_create_global(ctx, 0, NULL, &M, &H, one, NULL, &problems[0]));
    assert_ok(ctx, rico_problem_create_reduced(ctx, 0, NULL, &nothing, NULL, &problems[1]));
    assert_ok(ctx, rico_problem_create_global(ctx, 1, &joint, &M, &G, one, one, &problems[2]));
    assert_ok(ctx, rico_problem_create_reduced(ctx, 1, &joint, &G, one, &problems[3]));
    for (int k = 0; k < 4; k++) {
        for (int storage = 0; storage < 3; storage++) {
            double u[2] = {0.0, 0.0}, r[2] = {3.0, 4.0};
            rico_fclib_state solution = {u, r, NULL};
            rico_fclib_extras extras = {.storage = (rico_fclib_storage)storage, .solution = &solution};
            rico_fclib *read;
            assert_ok(ctx, rico_fclib_write(problems[k], &extras, path));
            assert_ok(ctx, rico_fclib_read(ctx, path, &read));
            assert_same_problem(ctx, read->problem, problems[k]);
            assert_true(read->has_solution);
            assert_same_bits("r", read->solution.r, r, rico_problem_rows(problems[k]));
            rico_fclib_destroy(ctx, read);
        }
    }
    for (int k = 0; k < 4; k++) rico_problem_destroy(problems[k]);
}


static void test_several_equalities_are_merged(void **state)
{
    rico_context *ctx = *state;
    const rico_block split[] = {{RICO_COULOMB_3D, 3, 0.0},
                                {RICO_COULOMB_3D, 3, 1.0 / 3.0},
                                {RICO_EQUALITY, 1, 0.0},
                                {RICO_EQUALITY, 1, 0.0}};
    double w[SAMPLE_ROWS];
    for (int64_t i = 0; i < SAMPLE_ROWS; i++) w[i] = sample_vector(i, -1.0 / 7.0);
    rico_sparse_view W = sample_compress(0, SAMPLE_ROWS, SAMPLE_ROWS, false, true);
    rico_problem *problem, *merged;
    rico_fclib *read;
    assert_ok(ctx, rico_problem_create_reduced(ctx, 4, split, &W, w, &problem));
    assert_ok(ctx, sample_create(ctx, false, 3, true, &merged));
    assert_ok(ctx, rico_fclib_write(problem, NULL, path));
    assert_ok(ctx, rico_fclib_read(ctx, path, &read));
    assert_same_problem(ctx, read->problem, merged);
    rico_fclib_destroy(ctx, read);
    rico_problem_destroy(problem);
    rico_problem_destroy(merged);
}


// A refused write says why after the path and makes no file.
static void assert_not_written(rico_context *ctx, rico_problem *problem, const rico_fclib_extras *extras,
                               rico_status status, const char *expected)
{
    unlink(path);
    assert_int_equal(rico_fclib_write(problem, extras, path), status);
    assert_int_equal(strncmp(rico_message(ctx), path, strlen(path)), 0);
    if (!strstr(rico_message(ctx), expected)) {
        fail_msg("'%s' does not say '%s'", rico_message(ctx), expected);
    }
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}


static void test_what_fclib_cannot_hold_is_refused(void **state)
{
    rico_context *ctx = *state;
    enum { MOST = 5 };
    const struct {
        int count;
        rico_block blocks[3];
        const char *expected;
    } cases[] = {
        {2, {{RICO_COULOMB_3D, 3, 0.1}, {RICO_UNILATERAL, 1, 0.0}}, "block 1, which is unilateral"},
        {2, {{RICO_COULOMB_3D, 3, 0.1}, {RICO_COULOMB_2D, 2, 0.1}}, "block 1 is Coulomb 2D"},
        {2,
         {{RICO_EQUALITY, 1, 0.0}, {RICO_COULOMB_2D, 2, 0.1}},
         "block 1 is Coulomb 2D and follows an equality"},
        {3,
         {{RICO_COULOMB_2D, 2, 0.1}, {RICO_EQUALITY, 1, 0.0}, {RICO_COULOMB_2D, 2, 0.1}},
         "block 2 is Coulomb 2D and follows an equality"},
    };
    const int64_t start[MOST + 1] = {0};
    const double q[MOST] = {0};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int64_t rows = 0;
        for (int b = 0; b < cases[k].count; b++) rows += cases[k].blocks[b].size;
        rico_sparse_view W = {rows, rows, start, NULL, NULL};
        rico_problem *problem;
        assert_ok(ctx, rico_problem_create_reduced(ctx, cases[k].count, cases[k].blocks, &W, q, &problem));
        assert_not_written(ctx, problem, NULL, RICO_UNSUPPORTED, cases[k].expected);
        rico_problem_destroy(problem);
    }
}


// Two rows of a contact, one of an equality, coupled by 1 above the diagonal and by `below` under it.
static void make_corner(rico_context *ctx, double below, rico_problem **out)
{
    const rico_block blocks[] = {{RICO_COULOMB_2D, 2, 0.5}, {RICO_EQUALITY, 1, 0.0}};
    const int64_t start[] = {0, 1, 3, 5}, row[] = {0, 1, 2, 1, 2};
    const double value[] = {2.0, 2.0, below, 1.0, 2.0}, q[] = {1.0, 2.0, 3.0};
    const rico_sparse_view W = {3, 3, start, row, value};
    assert_ok(ctx, rico_problem_create_reduced(ctx, 2, blocks, &W, q, out));
}


static void test_equalities_must_be_symmetric_up_to_round_off(void **state)
{
    rico_context *ctx = *state;
    rico_problem *problem;
    make_corner(ctx, 1.0 + 1e-9, &problem);
    assert_not_written(ctx, problem, NULL, RICO_UNSUPPORTED, "W(1, 2) = 1 and W(2, 1) = 1.000000001");
    rico_problem_destroy(problem);
    make_corner(ctx, 0.0, &problem);
    assert_not_written(ctx, problem, NULL, RICO_UNSUPPORTED, "W(1, 2) = 1 and W(2, 1) = 0");
    rico_problem_destroy(problem);

    // at round-off the upper corner is what the file keeps
    rico_problem *exact;
    rico_fclib *read;
    make_corner(ctx, 1.0 + 2.0e-16, &problem);
    make_corner(ctx, 1.0, &exact);
    assert_ok(ctx, rico_fclib_write(problem, NULL, path));
    assert_ok(ctx, rico_fclib_read(ctx, path, &read));
    assert_same_problem(ctx, read->problem, exact);
    rico_fclib_destroy(ctx, read);
    rico_problem_destroy(problem);
    rico_problem_destroy(exact);
}


static void test_bad_extras_are_refused(void **state)
{
    rico_context *ctx = *state;
    rico_problem *problem;
    sample_state good, bad;
    sample_fill_state(&good, true, 0);
    assert_ok(ctx, sample_create(ctx, true, 3, true, &problem));

    assert_not_written(ctx, problem, &(rico_fclib_extras){.storage = (rico_fclib_storage)7},
                       RICO_BAD_ARGUMENT, "7 is no storage");
    assert_not_written(ctx, problem, &(rico_fclib_extras){.guess_count = 2}, RICO_BAD_ARGUMENT, "2 guesses");
    assert_not_written(ctx, problem, &(rico_fclib_extras){.guess_count = -1}, RICO_BAD_ARGUMENT,
                       "-1 guesses");
    rico_fclib_state lacking = {.u = good.u};
    assert_not_written(ctx, problem, &(rico_fclib_extras){.solution = &lacking}, RICO_BAD_ARGUMENT,
                       "solution/r was not given");
    lacking = (rico_fclib_state){.r = good.r};
    rico_fclib_state guesses[] = {good.view, lacking};
    assert_not_written(ctx, problem, &(rico_fclib_extras){.guess_count = 2, .guesses = guesses},
                       RICO_BAD_ARGUMENT, "guesses/2/u was not given");
    sample_fill_state(&bad, true, 0);
    bad.r[7] = NAN;
    assert_not_written(ctx, problem, &(rico_fclib_extras){.solution = &bad.view}, RICO_BAD_ARGUMENT,
                       "solution/r[7] is not a finite number");
    sample_fill_state(&bad, true, 0);
    bad.v[0] = INFINITY;
    assert_not_written(ctx, problem, &(rico_fclib_extras){.guess_count = 1, .guesses = &bad.view},
                       RICO_BAD_ARGUMENT, "guesses/1/v[0] is not a finite number");
    rico_problem_destroy(problem);
}


static size_t read_bytes(const char *file, char *bytes, size_t room)
{
    FILE *stream = fopen(file, "rb");
    assert_non_null(stream);
    size_t size = fread(bytes, 1, room, stream);
    fclose(stream);
    return size;
}


static void test_the_same_problem_gives_the_same_bytes(void **state)
{
    rico_context *ctx = *state;
    enum { ROOM = 1 << 17 };
    char other[160], *bytes = malloc(2 * ROOM);
    snprintf(other, sizeof other, "%s/other.hdf5", folder);
    for (int global = 0; global < 2; global++) {
        assert_ok(ctx, sample_write(ctx, global, 3, true, RICO_FCLIB_CSC, path));
        // a modification time would have a resolution of one second
        struct timespec pause = {.tv_sec = 1, .tv_nsec = 10000000};
        if (global) nanosleep(&pause, NULL);
        assert_ok(ctx, sample_write(ctx, global, 3, true, RICO_FCLIB_CSC, other));
        size_t size = read_bytes(path, bytes, ROOM);
        assert_true(size < ROOM);
        assert_int_equal(read_bytes(other, bytes + ROOM, ROOM), size);
        assert_memory_equal(bytes, bytes + ROOM, size);
    }
    free(bytes);
    unlink(other);
}


// The names in the test's folder, beside `path` itself.
static int count_others(void)
{
    DIR *stream = opendir(folder);
    assert_non_null(stream);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(stream));) {
        bool own = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
        if (!own && strcmp(entry->d_name, strrchr(path, '/') + 1) != 0) count++;
    }
    closedir(stream);
    return count;
}


static void test_a_failed_write_changes_nothing(void **state)
{
    rico_context *ctx = *state;
    rico_problem *problem;
    char before[32], after[32];
    assert_ok(ctx, sample_create(ctx, true, 3, true, &problem));
    FILE *stream = fopen(path, "wb");
    fputs("what was here before", stream);
    fclose(stream);
    size_t size = read_bytes(path, before, sizeof before);

    // a disk that fills up: the system allows files of 4 kB only, the sample needs more
    struct rlimit old, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = (struct rlimit){4096, old.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    rico_status status = rico_fclib_write(problem, NULL, path);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, handler);
    assert_int_equal(status, RICO_IO_ERROR);
    assert_non_null(strstr(rico_message(ctx), strerror(EFBIG)));
    assert_int_equal(strncmp(rico_message(ctx), path, strlen(path)), 0);
    assert_int_equal(read_bytes(path, after, sizeof after), size);
    assert_memory_equal(before, after, size);
    assert_int_equal(count_others(), 0);

    // a folder, a device, a folder that is not there, a file where a folder should be
    char below[192], nowhere[192];
    snprintf(below, sizeof below, "%s/below", path);
    snprintf(nowhere, sizeof nowhere, "%s/no/file.hdf5", folder);
    const char *const places[] = {folder, "/dev/full", nowhere, below};
    const char *const reasons[] = {strerror(EISDIR), "not a regular file", strerror(ENOENT),
                                   strerror(ENOTDIR)};
    for (int k = 0; k < 4; k++) {
        assert_int_equal(rico_fclib_write(problem, NULL, places[k]), RICO_IO_ERROR);
        assert_int_equal(strncmp(rico_message(ctx), places[k], strlen(places[k])), 0);
        if (!strstr(rico_message(ctx), reasons[k])) fail_msg("%s", rico_message(ctx));
    }
    assert_int_equal(read_bytes(path, after, sizeof after), size);
    assert_memory_equal(before, after, size);
    assert_int_equal(count_others(), 0);

    // a folder that may not be written to; root may write anywhere
    if (geteuid() != 0) {
        assert_int_equal(chmod(folder, 0500), 0);
        status = rico_fclib_write(problem, NULL, path);
        assert_int_equal(chmod(folder, 0700), 0);
        assert_int_equal(status, RICO_IO_ERROR);
        assert_int_equal(read_bytes(path, after, sizeof after), size);
    }
    rico_problem_destroy(problem);
}


static void test_links_and_permissions_survive_a_write(void **state)
{
    rico_context *ctx = *state;
    rico_fclib *read;
    struct stat about;
    char link[160];
    snprintf(link, sizeof link, "%s/link.hdf5", folder);
    unlink(path);
    assert_ok(ctx, sample_write(ctx, false, 3, true, RICO_FCLIB_CSC, path));
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(symlink(strrchr(path, '/') + 1, link), 0);
    assert_ok(ctx, sample_write(ctx, true, 3, true, RICO_FCLIB_CSC, link));
    assert_int_equal(lstat(link, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
    assert_ok(ctx, rico_fclib_read(ctx, path, &read));
    assert_true(rico_problem_is_global(read->problem));
    rico_fclib_destroy(ctx, read);
    unlink(link);
}


// Counts calls instead of printing.
static herr_t count_errors(hid_t stack, void *user)
{
    (void)stack;
    ++*(int *)user;
    return 0;
}


static void test_hdf5_is_left_as_it_was(void **state)
{
    rico_context *ctx = *state;
    int printed = 0;
    H5E_auto2_t old, now;
    void *old_data, *now_data;
    rico_fclib *read;
    assert_true(H5Eget_auto2(H5E_DEFAULT, &old, &old_data) >= 0);
    assert_true(H5Eset_auto2(H5E_DEFAULT, count_errors, &printed) >= 0);

    assert_ok(ctx, sample_write(ctx, true, 3, true, RICO_FCLIB_CSC, path));
    assert_ok(ctx, rico_fclib_read(ctx, path, &read));
    rico_fclib_destroy(ctx, read);
    FILE *stream = fopen(path, "r+b");
    fseek(stream, 8, SEEK_SET);
    fputs("damaged", stream);
    fclose(stream);
    assert_int_equal(rico_fclib_read(ctx, path, &read), RICO_BAD_INPUT);
    assert_int_equal(rico_fclib_read(ctx, "nowhere", &read), RICO_IO_ERROR);

    assert_int_equal(printed, 0);
    assert_true(H5Eget_auto2(H5E_DEFAULT, &now, &now_data) >= 0);
    assert_true(now == count_errors && now_data == &printed);
    assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);

    // and the same for a program that still uses HDF5's first interface
    H5E_auto1_t old_kind = (H5E_auto1_t)H5Eprint1, now_kind;
    unsigned modern;
    assert_true(H5Eset_auto1(old_kind, stdout) >= 0);
    assert_int_equal(rico_fclib_read(ctx, path, &read), RICO_BAD_INPUT);
    assert_true(H5Eauto_is_v2(H5E_DEFAULT, &modern) >= 0 && !modern);
    assert_true(H5Eget_auto1(&now_kind, &now_data) >= 0);
    assert_true(now_kind == old_kind && now_data == stdout);
    assert_true(H5Eset_auto2(H5E_DEFAULT, old, old_data) >= 0);
}


// Replaces a vector by one of another type and layout with the same content.
static void store_otherwise(hid_t file, const char *name, hid_t type, bool packed)
{
    double values[64];
    hid_t old = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(old);
    hsize_t count = (hsize_t)H5Sget_simple_extent_npoints(space), chunk = 4;
    assert_true(count <= 64);
    assert_true(H5Dread(old, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Dclose(old);
    H5Sclose(space);
    assert_true(H5Ldelete(file, name, H5P_DEFAULT) >= 0);

    hid_t plan = H5Pcreate(H5P_DATASET_CREATE);
    if (packed) assert_true(H5Pset_chunk(plan, 1, &chunk) >= 0 && H5Pset_deflate(plan, 9) >= 0);
    space = packed       ? H5Screate_simple(1, &count, NULL)
            : count == 1 ? H5Screate(H5S_SCALAR)
                         : H5Screate_simple(1, &count, NULL);
    hid_t made = H5Dcreate2(file, name, type, space, H5P_DEFAULT, plan, H5P_DEFAULT);
    assert_true(made >= 0 && H5Dwrite(made, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Dclose(made);
    H5Sclose(space);
    H5Pclose(plan);
}


static void add_text(hid_t file, const char *name, hid_t type, const void *text)
{
    if (H5Lexists(file, name, H5P_DEFAULT) > 0) assert_true(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
    hid_t space = text ? H5Screate(H5S_SCALAR) : H5Screate(H5S_NULL);
    hid_t made = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(made >= 0);
    if (text) assert_true(H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0);
    H5Dclose(made);
    H5Sclose(space);
    H5Tclose(type);
}


static void test_other_ways_to_store_the_same_are_understood(void **state)
{
    rico_context *ctx = *state;
    rico_problem *expected;
    rico_fclib *read;
    assert_ok(ctx, sample_create(ctx, false, 3, true, &expected));
    assert_ok(ctx, sample_write(ctx, false, 3, true, RICO_FCLIB_TRIPLETS, path));
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);

    // integers and reals of other widths and orders, scalars, compressed data
    store_otherwise(file, "fclib_local/spacedim", H5T_STD_U8LE, false);
    store_otherwise(file, "fclib_local/W/m", H5T_STD_I64BE, false);
    store_otherwise(file, "fclib_local/W/n", H5T_STD_I16BE, false);
    store_otherwise(file, "fclib_local/W/i", H5T_STD_I64BE, true);
    store_otherwise(file, "fclib_local/W/p", H5T_STD_U16LE, true);
    store_otherwise(file, "fclib_local/W/x", H5T_IEEE_F64BE, true);
    store_otherwise(file, "fclib_local/vectors/q", H5T_IEEE_F64BE, false);
    store_otherwise(file, "fclib_local/vectors/mu", H5T_NATIVE_LDOUBLE, false);

    // a link inside the file, what FCLIB may add to a matrix, and objects that are not ours
    assert_true(H5Lmove(file, "fclib_local/R", file, "elsewhere", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    assert_true(H5Lcreate_soft("/elsewhere", file, "fclib_local/R", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, 4);
    add_text(file, "fclib_local/W/comment", text, "spd");

    // text of variable length, padded with blanks, and absent
    const char *title = "von ver\xc3\xa4nderlicher L\xc3\xa4nge";
    text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, H5T_VARIABLE);
    H5Tset_cset(text, H5T_CSET_UTF8);
    add_text(file, "fclib_local/info/title", text, &title);
    text = H5Tcopy(H5T_FORTRAN_S1);
    H5Tset_size(text, 8);
    add_text(file, "fclib_local/info/description", text, "padded  ");
    add_text(file, "fclib_local/info/math_info", H5Tcopy(H5T_C_S1), NULL);
    H5Fclose(file);

    assert_ok(ctx, rico_fclib_read(ctx, path, &read));
    assert_same_problem(ctx, read->problem, expected);
    assert_string_equal(read->title, title);
    assert_string_equal(read->description, "padded");
    assert_string_equal(read->math_info, "");
    rico_fclib_destroy(ctx, read);
    rico_problem_destroy(expected);
}


// nzmax above nz, and arrays as long as either: programs differ.
static void test_room_for_more_entries_is_ignored(void **state)
{
    rico_context *ctx = *state;
    rico_problem *expected;
    rico_fclib *read;
    assert_ok(ctx, sample_create(ctx, true, 3, true, &expected));
    for (int storage = 0; storage < 3; storage++) {
        assert_ok(ctx, sample_write(ctx, true, 3, true, (rico_fclib_storage)storage, path));
        hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        int nzmax = 60;
        hid_t set = H5Dopen2(file, "fclib_global/H/nzmax", H5P_DEFAULT);
        assert_true(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &nzmax) >= 0);
        H5Dclose(set);

        // x as long as nzmax, with a NaN where no entry is
        double values[60];
        hsize_t count = 60;
        for (int k = 0; k < 60; k++) values[k] = NAN;
        set = H5Dopen2(file, "fclib_global/H/x", H5P_DEFAULT);
        assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
        assert_true(isnan(values[59]));
        H5Dclose(set);
        H5Ldelete(file, "fclib_global/H/x", H5P_DEFAULT);
        hid_t space = H5Screate_simple(1, &count, NULL);
        set = H5Dcreate2(file, "fclib_global/H/x", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT,
                         H5P_DEFAULT);
        assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
        H5Dclose(set);
        H5Sclose(space);
        H5Fclose(file);

        assert_ok(ctx, rico_fclib_read(ctx, path, &read));
        assert_same_problem(ctx, read->problem, expected);
        rico_fclib_destroy(ctx, read);
    }
    rico_problem_destroy(expected);
}


static void test_a_state_needs_r_alone(void **state)
{
    rico_context *ctx = *state;
    rico_fclib *read;
    assert_ok(ctx, sample_write(ctx, true, 3, false, RICO_FCLIB_CSC, path));
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    H5Ldelete(file, "solution/u", H5P_DEFAULT);
    H5Ldelete(file, "guesses/1/v", H5P_DEFAULT);
    H5Fclose(file);
    assert_ok(ctx, rico_fclib_read(ctx, path, &read));
    assert_null(read->solution.u);
    assert_non_null(read->solution.v);
    assert_non_null(read->guesses[0].u);
    assert_null(read->guesses[0].v);
    rico_fclib_destroy(ctx, read);
}


// Memory that runs out after so many allocations, and counts what is not given back.
typedef struct scarce {
    int left, held;
} scarce;


static void *scarce_allocate(void *user, size_t size)
{
    scarce *memory = user;
    if (memory->left-- <= 0) return NULL;
    void *block = malloc(size);
    if (block) memory->held++;
    return block;
}


static void scarce_release(void *user, void *block)
{
    if (block) ((scarce *)user)->held--;
    free(block);
}


static void test_running_out_of_memory_leaks_nothing(void **state)
{
    (void)state;
    scarce memory = {INT32_MAX, 0};
    rico_allocator allocator = {scarce_allocate, scarce_release, &memory};
    rico_context *ctx = rico_context_create(&allocator);
    for (int global = 0; global < 2; global++) {
        rico_problem *problem;
        assert_ok(ctx, sample_create(ctx, global, 3, true, &problem));
        sample_state guess;
        sample_fill_state(&guess, global, 0);
        rico_fclib_extras extras = {
            .title = "t", .storage = RICO_FCLIB_CSR, .guess_count = 1, .guesses = &guess.view};

        int held = memory.held, allowed = 0;
        for (rico_status status = RICO_NO_MEMORY; status != RICO_OK; allowed++) {
            memory.left = allowed;
            status = rico_fclib_write(problem, &extras, path);
            assert_true(status == RICO_OK || status == RICO_NO_MEMORY);
            assert_int_equal(memory.held, held);
            assert_int_equal(count_others(), 0);
        }
        assert_true(allowed > 3);

        allowed = 0;
        for (rico_status status = RICO_NO_MEMORY; status != RICO_OK; allowed++) {
            rico_fclib *read = NULL;
            memory.left = allowed;
            status = rico_fclib_read(ctx, path, &read);
            assert_true(status == RICO_OK || status == RICO_NO_MEMORY);
            assert_int_equal(status == RICO_OK, read != NULL);
            if (!read) assert_int_equal(strncmp(rico_message(ctx), path, strlen(path)), 0);
            rico_fclib_destroy(ctx, read);
            assert_int_equal(memory.held, held);
        }
        assert_true(allowed > 10);
        memory.left = INT32_MAX;
        rico_problem_destroy(problem);
    }
    rico_context_destroy(ctx);
    assert_int_equal(memory.held, 0);
}


// Every file of the collection, against the sizes that its index gives.
static void test_the_collection_is_read(void **state)
{
    rico_context *ctx = *state;
    const char *data = getenv("RICO_DATA");
    char name[1024], line[1024];
    snprintf(name, sizeof name, "%s/INDEX.csv", data ? data : "");
    FILE *index = data ? fopen(name, "r") : NULL;
    if (!index) skip();

    int files = 0;
    assert_non_null(fgets(line, sizeof line, index));
    while (fgets(line, sizeof line, index)) {
        // file,set,kind,nc,dof,spacedim,...; dof is empty for local files
        char *fields[6], *rest = line;
        for (int k = 0; k < 6; k++) {
            fields[k] = rest;
            rest = strchr(rest, ',');
            assert_non_null(rest);
            *rest++ = '\0';
        }
        snprintf(name, sizeof name, "%s/%s", data, fields[0]);
        rico_fclib *read;
        assert_ok(ctx, rico_fclib_read(ctx, name, &read));
        bool global = strcmp(fields[2], "global") == 0;
        int64_t contacts = atoll(fields[3]), dimension = atoll(fields[5]);
        assert_int_equal(rico_problem_is_global(read->problem), global);
        assert_int_equal(rico_problem_block_count(read->problem), contacts);
        assert_int_equal(rico_problem_rows(read->problem), contacts * dimension);
        assert_int_equal(rico_problem_dofs(read->problem), global ? atoll(fields[4]) : 0);
        assert_true(read->title[0] != '\0');
        rico_fclib_destroy(ctx, read);
        files++;
    }
    fclose(index);
    assert_int_equal(files, 101);
}


static int make_folder(void **state)
{
    snprintf(folder, sizeof folder, "fclib-%ld", (long)getpid());
    snprintf(path, sizeof path, "%s/file.hdf5", folder);
    *state = rico_context_create(NULL);
    return *state && mkdir(folder, 0700) == 0 ? 0 : -1;
}


static int drop_folder(void **state)
{
    unlink(path);
    rmdir(folder);
    rico_context_destroy(*state);
    return 0;
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files_come_back_bit_for_bit),
        cmocka_unit_test(test_the_equations_are_those_of_fclib),
        cmocka_unit_test(test_a_file_with_nothing_beside_the_problem),
        cmocka_unit_test(test_problems_without_contacts),
        cmocka_unit_test(test_several_equalities_are_merged),
        cmocka_unit_test(test_what_fclib_cannot_hold_is_refused),
        cmocka_unit_test(test_equalities_must_be_symmetric_up_to_round_off),
        cmocka_unit_test(test_bad_extras_are_refused),
        cmocka_unit_test(test_the_same_problem_gives_the_same_bytes),
        cmocka_unit_test(test_a_failed_write_changes_nothing),
        cmocka_unit_test(test_links_and_permissions_survive_a_write),
        cmocka_unit_test(test_hdf5_is_left_as_it_was),
        cmocka_unit_test(test_other_ways_to_store_the_same_are_understood),
        cmocka_unit_test(test_room_for_more_entries_is_ignored),
        cmocka_unit_test(test_a_state_needs_r_alone),
        cmocka_unit_test(test_running_out_of_memory_leaks_nothing),
        cmocka_unit_test(test_the_collection_is_read),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
