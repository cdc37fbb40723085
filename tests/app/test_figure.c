// Figures: what is drawn is whole, what cannot be drawn is refused in words, titles cannot break the script.

#include "app/figure.h"
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


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(pictures, setup, teardown),
                                       cmocka_unit_test_setup_teardown(refusals, setup, teardown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
