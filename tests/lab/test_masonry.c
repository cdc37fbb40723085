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
    "      copies: {arch: {radius: 1, thickness: eta, count: n, angle: angle, offset: offset, weights: %s, "
    "abutments: "
    "yes}}}\n";


// A scene in a file of the test's own.
static void write_scene(const char *path, const char *text, const char *word)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, text, word);
    fclose(file);
}


// Words that spaces separate.
static int64_t split(const char *set, char words[6][64], const char *list[6])
{
    int64_t count = 0;
    for (const char *at = set; *at; at += strcspn(at, " "), at += *at == ' ') {
        snprintf(words[count], 64, "%.*s", (int)strcspn(at, " "), at);
        list[count] = words[count];
        count++;
    }
    return count;
}


static void expect_boundary(const char *scene, const char *set, const char *parameter, double low,
                            double high, double expected, double within)
{
    char words[6][64];
    const char *list[6];
    int64_t count = split(set, words, list);
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


// One number of each table: {scene, what is set, parameter, between, number, its last digit}.
typedef struct boundary_row {
    const char *scene, *set, *parameter;
    double low, high, expected, within;
} boundary_row;

#define S "masonry-sectors.yaml"
#define B "masonry-blocks.yaml"


static void expect_all(size_t count, const boundary_row *row)
{
    write_scene(S, ARCH, "sector");
    write_scene(B, ARCH, "block");
    for (size_t i = 0; i < count; i++)
        expect_boundary(row[i].scene, row[i].set, row[i].parameter, row[i].low, row[i].high, row[i].expected,
                        row[i].within);
}


// Semicircular arches with friction enough: sectors by the two moments about the hinges at 0, 54 and 90 degrees; straight blocks.
static void test_thickness(void **state)
{
    (void)state;
    static const boundary_row ROWS[] = {{S, "mu=2", "eta", 0.08, 0.2, 0.10746011, 1e-8},
                                        {S, "mu=2 n=40", "eta", 0.08, 0.2, 0.10746011, 1e-8},
                                        {B, "mu=2 n=10", "eta", 0.08, 0.2, 0.107011, 1e-6},
                                        {B, "mu=2", "eta", 0.08, 0.2, 0.107348, 1e-6},
                                        {B, "mu=2 n=40", "eta", 0.08, 0.2, 0.107432, 1e-6}};
    expect_all(sizeof ROWS / sizeof *ROWS, ROWS);
}


// Where friction is scarce the arch must be thicker, and below 0.3092 none stands.
static void test_friction(void **state)
{
    (void)state;
    static const boundary_row ROWS[] = {
        {S, "mu=0.4", "eta", 0.08, 0.3, 0.107460, 1e-6},
        {B, "mu=0.4", "eta", 0.08, 0.3, 0.107348, 1e-6},
        {S, "mu=0.39", "eta", 0.08, 0.3, 0.112158, 1e-6},
        {B, "mu=0.39", "eta", 0.08, 0.3, 0.113127, 1e-6},
        {S, "mu=0.35", "eta", 0.08, 0.3, 0.150254, 1e-6},
        {B, "mu=0.35", "eta", 0.08, 0.3, 0.151280, 1e-6},
        {S, "mu=0.32", "eta", 0.08, 0.3, 0.184386, 1e-6},
        {B, "mu=0.32", "eta", 0.08, 0.3, 0.185677, 1e-6},
        {S, "mu=0.31", "eta", 0.08, 0.3, 0.196789, 1e-6},
        {B, "mu=0.31", "eta", 0.08, 0.3, 0.198097, 1e-6},
        {S, "mu=0.35 n=180", "eta", 0.08, 0.3, 0.151857, 1e-6},
        {S, "eta=0.3", "mu", 0.1, 0.9, 0.308877, 1e-6},
        {B, "eta=0.3", "mu", 0.1, 0.9, 0.308877, 1e-6},
        {S, "eta=0.15", "mu", 0.1, 0.9, 0.350252, 1e-6},
        {B, "eta=0.15", "mu", 0.1, 0.9, 0.351270, 1e-6},
    };
    expect_all(sizeof ROWS / sizeof *ROWS, ROWS);
}


// Arches of a segment, and beyond half a ring.
static void test_segments(void **state)
{
    (void)state;
    static const boundary_row ROWS[] = {
        {S, "mu=5 n=20 angle=120", "eta", 0.01, 0.1, 0.022557, 1e-6},
        {B, "mu=5 n=20 angle=120", "eta", 0.01, 0.1, 0.022543, 1e-6},
        {S, "mu=5 n=20 angle=150", "eta", 0.01, 0.1, 0.053317, 1e-6},
        {B, "mu=5 n=20 angle=150", "eta", 0.01, 0.1, 0.053267, 1e-6},
        {S, "mu=5 n=120 angle=90", "eta", 0.002, 0.1, 0.007495, 1e-6},
        {S, "mu=5 n=120 angle=120", "eta", 0.01, 0.1, 0.022840, 1e-6},
        {S, "mu=5 n=120 angle=200", "eta", 0.08, 0.5, 0.160735, 1e-6},
        {S, "mu=5 n=120 angle=220", "eta", 0.1, 0.6, 0.232249, 1e-6},
        {S, "mu=5 n=120 angle=240", "eta", 0.1, 0.8, 0.327600, 1e-6},
    };
    expect_all(sizeof ROWS / sizeof *ROWS, ROWS);
}


static void test_pointed(void **state)
{
    (void)state;
    static const boundary_row ROWS[] = {
        {B, "offset=0.25", "eta", 0.02, 0.3, 0.062738, 1e-6},
        {B, "offset=0.5", "eta", 0.02, 0.2, 0.039687, 1e-6},
        {B, "eta=0.2 offset=0.25", "mu", 0.05, 0.9, 0.245163, 1e-6},
        {B, "eta=0.2 offset=0.5", "mu", 0.05, 0.9, 0.188661, 1e-6},
    };
    expect_all(sizeof ROWS / sizeof *ROWS, ROWS);
}


static void test_piers(void **state)
{
    (void)state;
    static const char SCENE[] = "parameters: {eta: 0.15, mu: 0.75, b: 0.3, h: 1}\n"
                                "gravity: [0, -1]\n"
                                "materials: {stone: {friction: mu}}\n"
                                "bodies:\n"
                                "  ground: {shape: line, fixed: yes, position: [0, -h], material: stone}\n"
                                "  v: {density: 1, material: stone, copies: {arch: {radius: 1, thickness: "
                                "eta, count: 20, piers: [b, h]}}}\n%s";
    static const boundary_row ROWS[] = {
        {"masonry-piers.yaml", "h=1", "b", 0.16, 1.0, 0.276950, 1e-6},
        {"masonry-piers.yaml", "h=2", "b", 0.16, 1.0, 0.329361, 1e-6},
        {"masonry-piers.yaml", "h=1 eta=0.2 mu=0.32", "b", 0.21, 1.0, 0.269331, 1e-6},
        {"masonry-piers.yaml", "h=2 eta=0.2 mu=0.32", "b", 0.21, 1.0, 0.335016, 1e-6},
    };
    write_scene("masonry-piers.yaml", SCENE, "");
    expect_all(sizeof ROWS / sizeof *ROWS, ROWS);
}


// --- loads ------------------------------------------------------------------------------------------------------------

typedef struct load_row {
    const char *scene, *set, *load, *gravity;
    double expected; // INFINITY: unbounded
    bool over_weight, collapse;
} load_row;


static double weight_of(const rico_limit_study *study)
{
    const rico_bodies *bodies = rico_scene_body_set(study->scene, NULL, NULL);
    double weight = 0.0;
    for (int64_t i = 0; i < rico_bodies_count(bodies); i++) weight += rico_bodies_mass(bodies, i);
    return weight;
}


static void open_study(const char *scene, const char *set, const char *load, const char *gravity,
                       rico_limit_study *study)
{
    char words[6][64];
    const char *list[6];
    int64_t count = split(set, words, list);
    const rico_limit_order order = {
        .scene = scene, .set_count = count, .set = list, .load = load, .gravity = gravity};
    assert_ok(ctx, rico_limit_study_open(ctx, &order, study));
}


static void expect_load(const load_row *row)
{
    rico_limit_study study;
    rico_limit_answer answer;
    rico_limit_search search;
    open_study(row->scene, row->set, row->load, row->gravity, &study);
    assert_ok(ctx, rico_limit_load(study.limit, 1, &answer));
    double factor = answer.value / (row->over_weight ? weight_of(&study) : 1.0);
    if (getenv("RICO_LONG")) {
        printf("%s %s: %d %.9f expected %.9f\n", row->scene, row->set, answer.finding, factor, row->expected);
    } else if (isinf(row->expected)) {
        assert_int_equal(answer.finding, RICO_LIMIT_UNBOUNDED);
    } else {
        assert_int_equal(answer.finding, RICO_LIMIT_FOUND);
        assert_near(factor, row->expected, 1e-6);
    }
    if (row->collapse) {
        assert_ok(ctx, rico_limit_collapse(study.limit, 100000, &search, &answer));
        if (getenv("RICO_LONG"))
            printf("   least %.9f proved %d nodes %lld\n", answer.value, search.proved,
                   (long long)search.nodes);
        else
            assert_near(answer.value, row->expected, 1e-6);
    }
    rico_limit_study_close(&study);
}


// Loads at the voussoir right of the crown and at the sixth, and weights along x; and arches of five blocks, in which collapse by Coulomb's law has one load.
static void test_loads(void **state)
{
    (void)state;
    static const load_row ROWS[] = {
        {S, "", "P", NULL, 0.149221, true},
        {B, "", "P", NULL, 0.149796, true},
        {S, "from=-0.7 to=-0.58", "P", NULL, 0.394194, true},
        {B, "from=-0.7 to=-0.58", "P", NULL, 0.392488, true},
        {S, "", NULL, "x", 0.148875, false},
        {B, "", NULL, "x", 0.149350, false},
        {B, "n=5 eta=0.3 mu=0.6", NULL, "x", 0.355914, false},
        {B, "n=5 eta=0.4 mu=0.4", NULL, "x", 0.168113, false},
        {B, "n=5 eta=0.4 mu=0.35", NULL, "x", 0.092287, false},
        {B, "n=5 eta=0.3 mu=0.6 from=-0.1 to=0.1", "P", NULL, 1.388785, false},
        {B, "n=5 eta=0.4 mu=0.4 from=-0.1 to=0.1", "P", NULL, 0.235010, false, true},
        {B, "n=5 eta=0.4 mu=0.35 from=-0.1 to=0.1", "P", NULL, 0.106635, false, true},
    };
    expect_all(0, NULL);
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) expect_load(&ROWS[i]);
}


// Least and largest thrust at the crown over the weight of the arch.
static void test_thrust(void **state)
{
    (void)state;
    static const struct {
        const char *scene;
        double weight, low, high;
    } CASES[] = {{S, 0.471239, 0.175126, 0.227009}, {B, 0.469303, 0.175635, 0.227718}};
    expect_all(0, NULL);
    for (int i = 0; i < 2; i++) {
        rico_limit_study study;
        rico_limit_answer answer;
        open_study(CASES[i].scene, "", NULL, NULL, &study);
        int64_t rows = rico_limit_rows(study.limit);
        double *weight = calloc((size_t)rows, sizeof *weight), total = weight_of(&study), range[2];
        assert_near(total, CASES[i].weight, 1e-6);
        for (int64_t k = 0; k < rico_limit_block_count(study.limit); k++)
            if (strstr(rico_limit_block_name(study.limit, k), "v-10/v-11"))
                weight[rico_limit_block_row(study.limit, k)] = 1.0;
        for (int sign = -1; sign <= 1; sign += 2) {
            assert_ok(ctx, rico_limit_extreme(study.limit, 0.0, weight, sign, &answer));
            range[sign > 0] = answer.value / total;
        }
        assert_near(range[0], CASES[i].low, 1e-6);
        assert_near(range[1], CASES[i].high, 1e-6);
        free(weight);
        rico_limit_study_close(&study);
    }
}


// A flat arch stands without friction, its weights and the slopes of its joints being in proportion. A load P on its keystone, weights 1: the joints beside it hold
// (P + 1)/2 <= H t_1, t_1 the slope of the keystone's joint less the angle of friction, those at the abutments (P + n)/2 >= H t_2, and the thrust H is free: P (t_2 - t_1) <= n t_1 - t_2.
// Where friction makes t_1 exceed t_2 there is no bound.
static void test_flat(void **state)
{
    (void)state;
    static const char SCENE[] =
        "parameters: {mu: 0.1, n: 5, P: 0, mass: 1}\n"
        "gravity: [0, -1]\n"
        "materials: {stone: {friction: mu}}\n"
        "bodies:\n"
        "  v: {%s: 1, material: stone, force: [0, -P*(abs(x) < 1e-6)],\n"
        "      copies: {flat-arch: {span: 2, height: 0.4, center: 2, count: n, abutments: yes}}}\n";
    write_scene("masonry-flat.yaml", SCENE, "mass");
    for (int n = 5; n <= 7; n += 2) {
        rico_limit_study study;
        rico_limit_answer answer;
        char set[64];
        snprintf(set, sizeof set, "mu=0 n=%d", n);
        open_study("masonry-flat.yaml", set, NULL, NULL, &study);
        assert_ok(ctx, rico_limit_equilibrium(study.limit, 0.0, &answer));
        assert_int_equal(answer.finding, RICO_LIMIT_FOUND);
        rico_limit_study_close(&study);
        for (double mu = 0.01; mu < 1.0; mu += 0.04) {
            double joint = 0.5 / n, t1 = (joint + mu) / (1.0 - joint * mu),
                   t2 = (0.5 - mu) / (1.0 + 0.5 * mu);
            snprintf(set, sizeof set, "mu=%.17g n=%d", mu, n);
            const load_row row = {"masonry-flat.yaml", set, "P", NULL,
                                  t1 > t2 ? INFINITY : (n * t1 - t2) / (t2 - t1)};
            expect_load(&row);
        }
    }
}


// Walls of bricks 1 x 1/2 in running bond on the ground, weights along x.
static void test_walls(void **state)
{
    (void)state;
    static const char SCENE[] = "parameters: {mu: 0.65, courses: 4, length: 2}\n"
                                "gravity: [0, -1]\n"
                                "materials: {brick: {friction: mu}}\n"
                                "bodies:\n"
                                "  ground: {shape: line, fixed: yes, material: brick}\n"
                                "  b: {density: 1, material: brick, copies: {bond: {length: length, courses: "
                                "courses, brick: [1, 0.5]}}}\n%s";
    static const load_row ROWS[] = {
        {"masonry-wall.yaml", "courses=4 length=2", NULL, "x", 0.641551, false},
        {"masonry-wall.yaml", "courses=6 length=3", NULL, "x", 0.597579, false},
        {"masonry-wall.yaml", "courses=6 length=3 mu=0.4", NULL, "x", 0.4, false},
        {"masonry-wall.yaml", "courses=8 length=4", NULL, "x", 0.566368, false},
        {"masonry-wall.yaml", "courses=8 length=4 mu=0.75", NULL, "x", 0.607796, false},
        {"masonry-wall.yaml", "courses=2 length=1 mu=0.4", NULL, "x", 0.4, false, true},
        {"masonry-wall.yaml", "courses=2 length=1 mu=0.5", NULL, "x", 0.5, false},
        {"masonry-wall.yaml", "courses=2 length=2 mu=0.65", NULL, "x", 0.65, false},
        {"masonry-wall.yaml", "courses=3 length=1 mu=0.4", NULL, "x", 0.4, false},
        {"masonry-wall.yaml", "courses=3 length=2 mu=0.5", NULL, "x", 0.5, false},
    };
    write_scene("masonry-wall.yaml", SCENE, "");
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) expect_load(&ROWS[i]);
}


// --- what is refused --------------------------------------------------------------------------------------------------

static void test_refusals(void **state)
{
    (void)state;
    const rico_limit_order order = {.scene = B};
    rico_limit_boundary found;
    expect_all(0, NULL);
    assert_int_not_equal(
        rico_limit_find_boundary(ctx, &order, "eta", (double[]){0.2, 0.3}, 0.0, 1e-9, &found), RICO_OK);
    assert_non_null(strstr(rico_message(ctx), "the structure stands at eta = 0.2 and at 0.3"));
    assert_int_not_equal(
        rico_limit_find_boundary(ctx, &order, "eta", (double[]){0.05, 0.06}, 0.0, 1e-9, &found), RICO_OK);
    assert_non_null(strstr(rico_message(ctx), "the structure falls at eta = 0.05 and at 0.06"));
    assert_int_not_equal(
        rico_limit_find_boundary(ctx, &order, "eta", (double[]){0.1, 0.1}, 0.0, 1e-9, &found), RICO_OK);
    assert_non_null(strstr(rico_message(ctx), "nothing between"));
    assert_int_not_equal(
        rico_limit_find_boundary(ctx, &order, "etta", (double[]){0.1, 0.2}, 0.0, 1e-9, &found), RICO_OK);
    assert_non_null(strstr(rico_message(ctx), "etta"));
}


int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thickness), cmocka_unit_test(test_friction), cmocka_unit_test(test_segments),
        cmocka_unit_test(test_pointed),   cmocka_unit_test(test_piers),    cmocka_unit_test(test_loads),
        cmocka_unit_test(test_thrust),    cmocka_unit_test(test_flat),     cmocka_unit_test(test_walls),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, context_start, context_end);
}
