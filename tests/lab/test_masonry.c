// Masonry: least thickness, friction and width of arches, extremes of their thrust, loads of collapse of arches and walls, with the numbers of Cocchetti and Rizzi (2020) and
// those of linear programs of another implementation.

#include "one_context.h"

#include "lab/limit_least.h"

static const char ARCH[] =
    "parameters: {eta: 0.15, mu: 0.75, n: 20, angle: 180, offset: 0, P: 0, from: 0, to: 0.15}\n"
    "gravity: [0, -1]\n"
    "materials: {stone: {friction: mu}}\n"
    "bodies:\n"
    "  v: {density: 1, material: stone, force: [0, -P*(x > from && x < to)],\n"
    "      copies: {arch: {radius: 1, thickness: eta, count: n, angle: angle, offset: offset, weights: %s, abutments: "
    "yes}}}\n";


// A scene in a file of the test's own.
static void write_scene(const char *path, const char *text, const char *word)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, text, word);
    fclose(file);
}


static void expect_boundary(const char *scene, const char *set, const char *parameter, double low, double high,
                            double expected, double within)
{
    char words[6][64];
    const char *list[6];
    int64_t count = 0;
    for (const char *at = set; *at; at += strcspn(at, " "), at += *at == ' ')
        snprintf(words[count], sizeof words[count], "%.*s", (int)strcspn(at, " "), at), count++;
    for (int64_t i = 0; i < count; i++) list[i] = words[i];
    const rico_limit_order order = {.scene = scene, .set_count = count, .set = list};
    const double between[2] = {low, high};
    rico_limit_boundary found;
    rico_status status = rico_limit_find_boundary(ctx, &order, parameter, between, 0.0, 1e-11, &found);
    if (getenv("RICO_LONG"))
        printf("%s %s %s: %.9f expected %.9f (%lld) %s\n", scene, set, parameter, found.value, expected,
               (long long)found.solved, status ? rico_message(ctx) : "");
    else
        assert_ok(ctx, status);
    if (!getenv("RICO_LONG")) assert_near(found.value, expected, within);
}


static void test_thickness(void **state)
{
    (void)state;
    write_scene("masonry-sectors.yaml", ARCH, "sector");
    write_scene("masonry-blocks.yaml", ARCH, "block");
    expect_boundary("masonry-sectors.yaml", "mu=2", "eta", 0.08, 0.2, 0.10746011, 1e-8);
    expect_boundary("masonry-blocks.yaml", "mu=2 n=10", "eta", 0.08, 0.2, 0.107011, 1e-6);
    expect_boundary("masonry-blocks.yaml", "mu=2", "eta", 0.08, 0.2, 0.107348, 1e-6);
    expect_boundary("masonry-blocks.yaml", "mu=2 n=40", "eta", 0.08, 0.2, 0.107432, 1e-6);
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_thickness)};
    return cmocka_run_group_tests(tests, context_start, context_end);
}
