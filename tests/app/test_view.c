// rico view: films of results against the results themselves, pages, files that are no results.

#include "draw/film.h"
#include "failing_memory.h"
#include "film_reader.h"
#include "store/body_view.h"

static const char BODIES[] =
    "title: Bodies\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  floor: {shape: plane, fixed: yes}\n"
    "  box: {shape: {box: {size: [0.3, 0.2, 0.1]}}, density: 500, position: [1, 0, 0.05]}\n"
    "  small: {shape: {sphere: 0.05}, density: 800, position: [0, 0, 0.051], velocity: [1, 0, 0]}\n"
    "  large: {shape: {sphere: 0.1}, density: 800, position: [0.4, 0.3, 0.2]}\n"
    "time: {end: 0.2, step: 5e-3}\n";

static int setup(void **state)
{
    (void)state;
    ctx = rico_context_create(NULL);
    if (!ctx || !shell_begin()) return 1;
    simulate(BALL, "ball.h5");
    simulate(BODIES, "bodies.h5");
    return 0;
}


static int teardown(void **state)
{
    (void)state;
    rico_context_destroy(ctx);
    return shell_end();
}


// Every frame is the row that it says, and the last row is always there.
static void frames_are_rows(void **state)
{
    (void)state;
    static const int64_t MOST[] = {1000, 501, 500, 250, 100, 7, 2};
    for (size_t i = 0; i < sizeof MOST / sizeof *MOST; i++) {
        rico_results *results;
        rico_film film;
        int64_t rows, count;
        make("ball.h5", MOST[i], &results, &film);
        double *t = column(results, "state", "t", &rows), *q = column(results, "state", "q", &rows);
        assert_int_equal(film.rows, rows);
        assert_true(film.frames <= MOST[i]);
        const double *times = array(&film, "t", &count);
        assert_int_equal(count, film.frames);
        const float *own = array(&film, "q", &count);
        assert_int_equal(count, 2 * film.frames);
        for (int64_t f = 0; f < film.frames; f++) {
            int64_t row = f * film.stride < rows ? f * film.stride : rows - 1;
            assert_true(times[f] == t[row]);
            assert_true(own[2 * f] == (float)q[2 * row] && own[2 * f + 1] == (float)q[2 * row + 1]);
        }
        assert_true(times[film.frames - 1] == t[rows - 1]);
        free(t);
        free(q);
        rico_film_release(ctx, &film);
        rico_results_destroy(results);
    }
}


// Impacts between two frames are not lost: impulses of all rows are in the film.
static void impulses_add_up(void **state)
{
    (void)state;
    rico_results *results;
    rico_film film;
    int64_t rows, count;
    make("ball.h5", 11, &results, &film);
    assert_true(film.stride > 10);
    double *p = column(results, "contacts", "impulse", &rows), sum[2] = {0}, own[2] = {0};
    for (int64_t i = 0; i < 2 * rows; i++) sum[i % 2] += p[i];
    const float *impulse = array(&film, "constraint_impulse", &count);
    for (int64_t i = 0; i < count; i++) own[i % 2] += (double)impulse[i];
    assert_true(sum[0] > 1.0);
    assert_near(own[0], sum[0], 1e-6 * sum[0]);
    assert_near(own[1], sum[1], 1e-6 * sum[0]);
    free(p);
    rico_film_release(ctx, &film);
    rico_results_destroy(results);
}


static void check_stands(const rico_film *film, rico_results *results)
{
    rico_body_view *view = NULL;
    assert_ok(ctx, rico_body_view_open(ctx, results, &view));
    int64_t moving = 3, places, count;
    const int32_t *place = array(film, "body_place", &places);
    assert_int_equal(places, 4);
    assert_int_equal(place[0], -1);
    const float *x = array(film, "position", &count);
    assert_int_equal(count, film->frames * moving * 3);
    const int16_t *turn = array(film, "turn", &count);
    rico_stand stand[4];
    for (int64_t f = 0; f < film->frames; f++) {
        assert_ok(ctx, rico_body_view_stands(view, f, stand, NULL));
        for (int b = 1; b < 4; b++) {
            int64_t at = f * moving + place[b];
            for (int k = 0; k < 3; k++) assert_true(x[3 * at + k] == (float)stand[b].position[k]);
            for (int k = 0; k < 4; k++)
                assert_near(turn[4 * at + k] / 32767.0, stand[b].orientation[k], 0.51 / 32767.0);
        }
    }
    rico_body_view_destroy(view);
}


// Spheres of two sizes are one prototype, of radius 1; the box is a cube of edge 1, stretched.
static void check_shapes(const rico_film *film)
{
    int64_t count, vertices;
    const float *shape = array(film, "shape", &count), *vertex = array(film, "vertex", &vertices);
    const uint32_t *prototype = array(film, "prototype", &vertices);
    const int32_t *look = array(film, "body_look", &count);
    const float *box = shape + 12 * look[4], *small = shape + 12 * look[8], *large = shape + 12 * look[12];
    assert_true(shape[12 * look[0] + 11] == 1.0f && box[11] == 0.0f);
    assert_true(small[0] == large[0]);
    assert_true(small[1] == 0.05f && small[3] == 0.05f && large[1] == 0.1f);
    assert_true(box[1] == 0.3f && box[2] == 0.2f && box[3] == 0.1f);
    const uint32_t *round = prototype + 5 * (int)small[0], *cube = prototype + 5 * (int)box[0];
    for (uint32_t v = round[0]; v < round[0] + round[1]; v++) {
        const double x[3] = {vertex[3 * v], vertex[3 * v + 1], vertex[3 * v + 2]};
        assert_near(x[0] * x[0] + x[1] * x[1] + x[2] * x[2], 1.0, 1e-6);
    }
    for (uint32_t v = cube[0]; v < cube[0] + cube[1]; v++)
        for (int k = 0; k < 3; k++) assert_true(fabsf(vertex[3 * v + (uint32_t)k]) == 0.5f);
    assert_int_equal(cube[3], 12); // triangles
}


// Contacts are those of the table: as many at each row, their impulses in the axes of the world, points where they are.
static void check_contacts(const rico_film *film, rico_results *results)
{
    int64_t count, rows, items, emitted = rico_results_find_table(results, "emitted");
    const uint32_t *start = array(film, "contact_start", &count);
    assert_int_equal(count, film->frames + 1);
    int64_t *starts = calloc((size_t)count + 1, sizeof *starts);
    assert_ok(ctx, rico_results_starts(results, emitted, 0, film->frames, starts));
    for (int64_t f = 0; f < count; f++) assert_int_equal(start[f], starts[f]);
    double *p = column(results, "emitted", "impulse", &rows), *n = column(results, "emitted", "frame", &rows),
           *a = column(results, "emitted", "a", &rows), *b = column(results, "emitted", "b", &rows);
    const float *impulse = array(film, "contact_impulse", &items), *box = array(film, "contact_box", &count);
    const uint16_t *point = array(film, "contact_point", &count);
    assert_true(rows > 50);
    assert_int_equal(items, 3 * rows);
    for (int64_t i = 0; i < rows; i++)
        for (int k = 0; k < 3; k++) {
            double world = 0.0;
            for (int e = 0; e < 3; e++) world += p[3 * i + e] * n[9 * i + 3 * e + k];
            assert_near(impulse[3 * i + k], world, 1e-6);
            double at = box[k] + box[3 + k] * point[3 * i + k] / 65535.0;
            assert_near(at, 0.5 * (a[3 * i + k] + b[3 * i + k]), 1e-5 * box[3 + k] + 1e-6);
        }
    double *all[] = {p, n, a, b};
    for (int i = 0; i < 4; i++) free(all[i]);
    free(starts);
}


// A contact is known by its bodies; the ball that slides on the floor slips at first.
static void check_modes(const rico_film *film)
{
    int64_t count, keys;
    const uint32_t *start = array(film, "contact_start", &count), *key = array(film, "contact_key", &count);
    const int32_t *pair = array(film, "key_bodies", &keys);
    const uint8_t *mode = array(film, "contact_mode", &count);
    int64_t slips = 0;
    for (uint32_t i = start[1]; i < start[film->frames]; i++) {
        assert_true(key[i] < keys / 2 && mode[i] <= 3);
        slips += mode[i] == 2 && pair[2 * key[i]] + pair[2 * key[i] + 1] == 2; // floor and small
    }
    assert_true(slips > 0);
}


static void bodies_are_where_they_are(void **state)
{
    (void)state;
    rico_results *results;
    rico_film film;
    make("bodies.h5", 1000, &results, &film);
    assert_int_equal(film.frames, 41);
    check_stands(&film, results);
    check_shapes(&film);
    check_contacts(&film, results);
    check_modes(&film);
    rico_film_release(ctx, &film);
    rico_results_destroy(results);
}


// A bound on bytes thins the frames out, but leaves the first and the last.
static void large_runs_are_thinned(void **state)
{
    (void)state;
    rico_results *results;
    rico_film film;
    rico_film_options options = rico_film_defaults();
    options.most_bytes = 1000;
    assert_ok(ctx, rico_results_open(ctx, in_folder("bodies.h5"), &results));
    assert_ok(ctx, rico_film_make(ctx, results, &options, &film));
    assert_true(film.frames >= 2 && film.frames < 20 && film.stride > 2);
    rico_film_release(ctx, &film);
    options.most_frames = 1;
    assert_int_equal(rico_film_make(ctx, results, &options, &film), RICO_BAD_ARGUMENT);
    rico_results_destroy(results);
}


static rico_status film_in(rico_context *own, void *user)
{
    rico_film film = {0};
    rico_film_options options = rico_film_defaults();
    options.most_frames = 5;
    rico_status status = rico_film_make(own, user, &options, &film);
    rico_film_release(own, &film);
    return status;
}


static void memory_runs_out(void **state)
{
    (void)state;
    static const char *const FILES[] = {"ball.h5", "bodies.h5"};
    for (int i = 0; i < 2; i++) {
        rico_results *results;
        assert_ok(ctx, rico_results_open(ctx, in_folder(FILES[i]), &results));
        assert_true(allocations_fail(film_in, results, 0) > 10);
        rico_results_destroy(results);
    }
}


// --- the program -------------------------------------------------------------------------------------------------

static void pages_hold_everything(void **state)
{
    (void)state;
    if (!program_path()) skip();
    shell_expect(
        "rico view ball.h5 --html ball.html > said.txt && grep -q '501 frames, one for each row' said.txt "
        "&& grep -q 'generator\" content=\"ricochet' ball.html",
        0, "");
    long size;
    char *page = shell_load("ball.html", &size);
    assert_non_null(strstr(page, "<title>A &#60;ball&#62; &#38; a &#34;floor&#34;</title>"));
    // nothing is fetched, and the program does not end its own element
    assert_null(strstr(page, " src="));
    int scripts = 0;
    for (const char *at = page; (at = strstr(at, "</script")); at++) scripts++;
    assert_int_equal(scripts, 2);
    free(page);
    // again over itself; never over anything else
    shell_write("notes.html", "<p>Mine.</p>", 0644);
    shell_expect("rico view ball.h5 --html ball.html", 0, "");
    shell_expect("rico view ball.h5 --html notes.html", 3, "notes.html");
    shell_expect("rico view ball.h5 --html ball.h5", 2, "ball.h5");
    shell_expect("rico view ball.h5 --html nowhere/ball.html", 3, "nowhere");
}


// Two runs in one page; no third, and neither of them is written over.
static void two_runs_share_a_page(void **state)
{
    (void)state;
    if (!program_path()) skip();
    shell_expect(
        "rico view ball.h5 bodies.h5 --html two.html > said.txt && grep -q 'ball.h5: 501 frames' said.txt "
        "&& grep -q 'bodies.h5: 41 frames' said.txt && grep -q 'MB written to two.html' said.txt",
        0, "");
    long size;
    char *page = shell_load("two.html", &size);
    assert_non_null(strstr(page, "<title>A &#60;ball&#62; &#38; a &#34;floor&#34; and Bodies</title>"));
    assert_non_null(strstr(page, "id=\"film\">UklDT0ZJTE0")); // RICOFILM
    assert_non_null(strstr(page, "id=\"film2\">UklDT0ZJTE0"));
    free(page);
    shell_expect("rico view ball.h5 bodies.h5 ball.h5 --html x.html", 2, "3 result files are too many");
    shell_expect("rico view ball.h5 none.h5 --html x.html", 3, "none.h5");
    shell_expect("rico view ball.h5 bodies.h5 --html bodies.h5", 2, "bodies.h5");
    shell_expect("test ! -e x.html", 0, "");
}


// What holds no run is refused in a sentence that names it.
static void other_files_are_refused(void **state)
{
    (void)state;
    if (!program_path()) skip();
    shell_write("scene.yaml", BALL, 0644);
    shell_expect("head -c 20000 ball.h5 > cut.h5; rico view cut.h5 --html x.html", 2, "rico view: cut.h5: ");
    shell_expect("head -c 3 ball.h5 > tiny.h5; rico view tiny.h5 --html x.html", 2, "rico view: tiny.h5: ");
    shell_expect(": > empty.h5; rico view empty.h5 --html x.html", 2, "rico view: empty.h5: ");
    shell_expect("rico view scene.yaml --html x.html", 2, "rico view: scene.yaml: ");
    shell_expect("rico view none.h5 --html x.html", 3, "none.h5");
    shell_expect(
        "rico generate random --contacts 3 --output p.hdf5 > /dev/null; rico view p.hdf5 --html x.html", 2,
        "rico view: p.hdf5: ");
    shell_expect("rico view", 2, "a result FILE is needed");
    shell_expect("rico view ball.h5 --frames 1", 2, "frames");
    shell_expect("test ! -e x.html", 0, "");
}


// The licences of what the viewer holds go with it.
static void licences_are_kept(void **state)
{
    (void)state;
    assert_true(holds(rico_viewer_bundle, rico_viewer_bundle_size, "three.js authors"));
    assert_true(holds(rico_viewer_bundle, rico_viewer_bundle_size, "Leon Sorokin"));
    assert_false(holds(rico_viewer_bundle, rico_viewer_bundle_size, "</script"));
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_rows),           cmocka_unit_test(impulses_add_up),
        cmocka_unit_test(bodies_are_where_they_are), cmocka_unit_test(large_runs_are_thinned),
        cmocka_unit_test(memory_runs_out),           cmocka_unit_test(pages_hold_everything),
        cmocka_unit_test(two_runs_share_a_page),     cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(licences_are_kept),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
