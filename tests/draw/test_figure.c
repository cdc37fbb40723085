// Figures: what is drawn is whole, what cannot be drawn is refused in words, titles cannot break the script.

#include "draw/figure.h"
#include "draw/figure_points.h"
#include "draw/figure_text.h"
#include "draw/figure_ticks.h"
#include "support.h"

#include <unistd.h>

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


static bool have_gnuplot(void)
{
    return system("gnuplot --version >/dev/null 2>&1") == 0;
}


static rico_status draw(rico_context *ctx, const char *title, const char *path, int64_t count)
{
    static double x[20000], y[20000], z[20000];
    for (int64_t i = 0; i < count; i++) {
        x[i] = (double)i / (double)count * 10.0;
        y[i] = sin(5.0 * x[i]) + (i == 7777 ? 5.0 : 0.0);
        z[i] = i % 100 == 50 ? NAN : cos(x[i]);
    }
    const rico_figure_series series[] = {
        {.label = "sine", .count = count, .x = x, .y = y},
        {.label = "it's {a} _trap_", .dashed = 1, .count = count, .x = x, .y = z}};
    const rico_figure_panel panels[] = {
        {.title = title, .x_label = "t", .y_label = "q", .series_count = 2, .series = series},
        {.title = "second", .x_label = "t", .y_label = "q", .series_count = 1, .series = series}};
    const rico_figure figure = {.title = title, .panel_count = 2, .panels = panels};
    return rico_figure_write(ctx, &figure, path);
}


static char *load(const char *path, long *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = ftell(file);
    rewind(file);
    char *text = calloc((size_t)*size + 1, 1);
    assert_int_equal(fread(text, 1, (size_t)*size, file), *size);
    fclose(file);
    return text;
}


static void pictures(void **state)
{
    if (!have_gnuplot()) skip();
    long size;
    assert_ok(*state, draw(*state, "A 'title' with $(touch /tmp/rico_figure_trap) \"quotes\" and `ticks`",
                           "figure_test.svg", 20000));
    char *svg = load("figure_test.svg", &size);
    assert_non_null(strstr(svg, "<svg"));
    assert_non_null(strstr(svg, "</svg>"));
    assert_non_null(strstr(svg, "quotes"));
    assert_true(size < 500000); // thinned
    assert_int_not_equal(access("/tmp/rico_figure_trap", F_OK), 0);
    free(svg);
    assert_ok(*state, draw(*state, "few", "figure_test.png", 300));
    char *png = load("figure_test.png", &size);
    assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
    free(png);
    unlink("figure_test.svg");
    unlink("figure_test.png");
}


static void refusals(void **state)
{
    rico_context *ctx = *state;
    assert_int_equal(draw(ctx, "t", "figure.bmp", 10), RICO_BAD_ARGUMENT);
    assert_non_null(strstr(rico_message(ctx), ".svg, .png or .pdf"));
    const rico_figure empty = {0};
    assert_int_equal(rico_figure_write(ctx, &empty, "figure.svg"), RICO_BAD_ARGUMENT);
    if (!have_gnuplot()) skip();
    assert_int_equal(draw(ctx, "t", "/no/such/folder/figure.svg", 10), RICO_IO_ERROR);
}


// A mark shows its own place, marks are one step apart and no label reaches the next, whatever the ends of the axis are.
static void marks(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int round = 0; round < 20000; round++) {
        double draw[4];
        for (int i = 0; i < 4; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            draw[i] = (double)(seed >> 11) * 0x1p-53;
        }
        double span = pow(10.0, 24.0 * draw[0] - 12.0),
               low = (draw[1] - 0.5) * span * pow(10.0, 7.0 * draw[2]), length = 8.0 + 40.0 * draw[3];
        bool across = round % 2;
        rico_ticks ticks;
        rico_ticks_choose(low, low + span, length, across, &ticks);
        assert_true(ticks.count >= 1);
        for (int i = 0; i < ticks.count; i++) {
            assert_true(ticks.at[i] >= low - 1e-5 * span && ticks.at[i] <= low + span * (1.0 + 1e-5));
            bool minus = strncmp(ticks.label[i], "\u2212", 3) == 0;
            double shown = strtod(ticks.label[i] + (minus ? 3 : 0), NULL) * (minus ? -1.0 : 1.0);
            assert_near(shown * pow(10.0, ticks.power) + ticks.offset, ticks.at[i],
                        1e-6 * span + 1e-13 * fabs(low));
            if (i == 0 || !across) continue;
            double room = (ticks.at[i] - ticks.at[i - 1]) / span * length;
            double half = 0.5 * (rico_figure_text_width(ticks.label[i], false) +
                                 rico_figure_text_width(ticks.label[i - 1], false));
            assert_true(room > half);
            assert_string_not_equal(ticks.label[i], ticks.label[i - 1]);
        }
    }
}


static char *quoted(const char *text, bool symbols)
{
    static char out[256];
    memset(out, 0, sizeof out);
    FILE *file = fmemopen(out, sizeof out, "w");
    rico_figure_quote(file, text, symbols);
    fclose(file);
    return out;
}


static void names(void **state)
{
    (void)state;
    assert_string_equal(quoted("theta", true), "'\u03b8'");
    assert_string_equal(quoted("v_theta", true), "'v_{\u03b8}'");
    assert_string_equal(quoted("omega_2_max - 1", true), "'\u03c9_{2,max} - 1'");
    assert_string_equal(quoted("thetas, run_2", true), "'thetas, run\\_2'");
    assert_string_equal(quoted("theta", false), "'theta'");
    assert_string_equal(quoted("it's {x}^2", true), "'it''s \\{x\\}\\^2'");
}


// Thirty turns of a circle in 200000 points: no chord of what is drawn leaves it by more than a tenth of a pixel.
static void portrait(void **state)
{
    (void)state;
    enum { N = 200000 };
    double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y), last_x = 1.0, last_y = 0.0, worst = 0.0;
    for (int i = 0; i < N; i++) {
        double angle = 60.0 * acos(-1.0) * i / N;
        x[i] = cos(angle);
        y[i] = sin(angle);
    }
    const rico_figure_series series = {.count = N, .x = x, .y = y};
    const rico_figure_window window = {.x = {-1.0, 1.0}, .y = {-1.0, 1.0}};
    FILE *file = tmpfile();
    rico_figure_points(file, &series, &window);
    assert_true(ftell(file) < 400000);
    rewind(file);
    int points = 0;
    double at_x, at_y;
    for (; fscanf(file, "%lf %lf", &at_x, &at_y) == 2; points++) {
        worst = fmax(worst, fabs(hypot(0.5 * (at_x + last_x), 0.5 * (at_y + last_y)) - 1.0));
        last_x = at_x;
        last_y = at_y;
    }
    assert_true(points > 1000);
    assert_at_most(worst, 0.1 * 2.0 / 290.0);
    fclose(file);
    free(x);
    free(y);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(pictures, setup, teardown),
                                       cmocka_unit_test_setup_teardown(refusals, setup, teardown),
                                       cmocka_unit_test(marks), cmocka_unit_test(names),
                                       cmocka_unit_test(portrait)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
