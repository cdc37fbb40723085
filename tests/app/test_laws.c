// rico laws: the listing, and checks of laws that have a bipotential; computations of fields over faces in experiments.

#include "program.h"

static int setup(void **state)
{
    char folder[] = "/tmp/rico-laws-XXXXXX";
    if (mkdtemp(folder) == NULL) return 1;
    *state = strdup(folder);
    return *state == NULL;
}


static int teardown(void **state)
{
    char command[256];
    snprintf(command, sizeof command, "rm -rf '%s'", (char *)*state);
    int ended = system(command);
    free(*state);
    return ended;
}


static void assert_says(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) fail_msg("'%s' is not in:\n%s", part, text);
}


static void write_file(const char *folder, const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}


static void the_listing_has_all_tables(void **state)
{
    (void)state;
    char *words[] = {"laws"};
    outcome end = program_run_to(TO_FILE, words, 1);
    assert_int_equal(end.code, 0);
    assert_says(end.out, "fremond");
    assert_says(end.out, "poisson");
    assert_says(end.out, "drucker-prager");
    release(&end);
}


// A law that is standard passes all; friction fails the two that ask for a superpotential, with samples that say why.
static void checks_tell_standard_laws_from_others(void **state)
{
    (void)state;
    char *tresca[] = {"laws", "--check", "tresca", "--set", "bound=2.5", "--samples", "60"};
    outcome end = program_run_to(TO_FILE, tresca, 7);
    assert_int_equal(end.code, 0);
    assert_null(strstr(end.out, "fails"));
    assert_says(end.out, "2.5");
    release(&end);
    char *coulomb[] = {"laws", "--check", "coulomb", "--samples", "60", "--seed", "3"};
    end = program_run_to(TO_FILE, coulomb, 7);
    assert_int_equal(end.code, 0);
    assert_says(end.out, "convex    holds");
    assert_says(end.out, "strong    holds");
    assert_says(end.out, "monotone  fails");
    assert_says(end.out, "cyclic    fails");
    assert_says(end.out, "    sample ");
    release(&end);
}


static void nonsense_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *word[5];
        const char *says;
    } REFUSED[] = {{{"laws", "--check", "coulmb"}, "did you mean 'coulomb'"},
                   {{"laws", "--check", "coulomb", "--set", "frictio=1"}, "did you mean 'friction'"},
                   {{"laws", "--check", "coulomb", "--set", "friction"}, "NAME=VALUE is expected"},
                   {{"laws", "--check", "coulomb", "--set", "friction=-1"}, "friction"},
                   {{"laws", "--check", "coulomb", "--set", "friction=x"}, "friction"},
                   {{"laws", "--check", "orthotropic", "--set", "slip-1=1"}, "both or not at all"},
                   {{"laws", "--set", "friction=1"}, "--set is of the law that --check names"},
                   {{"laws", "coulomb"}, "no words are expected"}};
    for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++) {
        char *words[5];
        int count = 0;
        for (; count < 5 && REFUSED[i].word[count]; count++)
            words[count] = (char *)(uintptr_t)REFUSED[i].word[count];
        outcome end = program_run_to(TO_FILE, words, count);
        assert_int_not_equal(end.code, 0);
        assert_says(end.err, REFUSED[i].says);
        release(&end);
    }
}


// ---- fields over faces ----

#define BLOCK                                                                                                \
    "elastic:\n"                                                                                             \
    "  block: {mesh: {box: {size: [4, 2, 1], cells: [4, 2, 1], kind: KIND}}, material: {young: 1000, "       \
    "poisson: 0, density: 1}, moved: {top: {x: push*t, y: 0, z: -0.01*t}}}\n"                                \
    "contacts: {floor: {nodes: block.bottom, against: {plane: {normal: [0, 0, 1]}}, friction: mu}}\n"        \
    "parameters: {mu: 10, push: 0}\ntime: {end: 1, step: 0.5}\nscheme: quasi-static\n"
static const char BRICKS[] = BLOCK;
// A block of Poisson's ratio 0 bears E 0.01 everywhere, half of it at half the time; where it slides friction is mu times the pressure.
static const char EXPERIMENT[] =
    "title: Fields\n"
    "runs:\n"
    "  base: {compute: elastic-face, given: {scene: block.yaml, set: [mu=10], part: block, group: bottom, "
    "places: 9, levels: 3}}\n"
    "  top: {compute: elastic-face, given: {scene: block.yaml, set: [push=0.02], group: top, places: 9, "
    "levels: 3}}\n"
    "  half: {compute: elastic-face, given: {scene: block.yaml, group: bottom, at: 0.5, levels: 0}}\n"
    "  slides: {compute: elastic-face, given: {scene: block.yaml, set: [mu=0.1, push=0.02], group: bottom}}\n"
    "columns: {law: t_x + 0.1*pressure, gridded_law: map_t_1 + 0.1*map_pressure}\n"
    "values:\n"
    "  nodes: {run: base, column: x, take: rows}\n"
    "  far: {run: base, column: x, take: max}\n"
    "  press: {run: base, column: pressure, take: max}\n"
    "  low: {run: base, column: pressure, take: min}\n"
    "  stuck: {run: base, column: status, take: max}\n"
    "  still: {run: base, column: slip, take: max}\n"
    "  moved: {run: top, column: slip, take: min}\n"
    "  grid: {run: top, column: map_slip, take: min}\n"
    "  gridded: {run: top, column: map_slip, take: rows}\n"
    "  across: {run: top, column: across, take: max}\n"
    "  along: {run: top, column: along, take: max}\n"
    "  before: {run: half, column: pressure, take: mean}\n"
    "  slipping: {run: slides, column: status, take: min}\n"
    "  pull: {run: slides, column: law, take: largest}\n"
    "  pulled: {run: slides, column: gridded_law, take: largest}\n"
    "checks:\n"
    "  - {that: nodes == 15 && far == 4 && abs(press - 10) < 1e-9 && abs(low - 10) < 1e-9, says: pressure}\n"
    "  - {that: stuck == 1 && still < 1e-12, says: it sticks}\n"
    "  - {that: abs(moved - 0.02) < 1e-12 && abs(grid - 0.02) < 1e-12 && gridded == 81, says: slip of the "
    "top}\n"
    "  - {that: across == 4 && along == 2 && abs(before - 5) < 1e-9, says: plane and time}\n"
    "  - {that: slipping == 2 && pull < 1e-6 && pulled < 1e-6, says: friction}\n";


static outcome reproduce(const char *folder, const char *text, const char *kind)
{
    char scene[1024], *at, path[512];
    snprintf(scene, sizeof scene, "%s", BRICKS);
    at = strstr(scene, "KIND");
    assert_non_null(at);
    char rest[1024];
    snprintf(rest, sizeof rest, "%s", at + 4);
    snprintf(at, sizeof scene - (size_t)(at - scene), "%s%s", kind, rest);
    write_file(folder, "block.yaml", scene);
    write_file(folder, "try.yaml", text);
    snprintf(path, sizeof path, "%s/try.yaml", folder);
    char *words[] = {"reproduce", path, "--output", (char *)(uintptr_t)folder, "--no-figures"};
    return program_run_to(TO_FILE, words, 5);
}


static void fields_over_faces_are_those_of_the_scene(void **state)
{
    static const char *const KINDS[] = {"H8", "Tet4"};
    for (int k = 0; k < 2; k++) {
        outcome end = reproduce(*state, EXPERIMENT, KINDS[k]);
        if (end.code != 0) fail_msg("%s ended with %d\n%s%s", KINDS[k], end.code, end.out, end.err);
        release(&end);
    }
}


static void faces_that_are_none_are_refused(void **state)
{
    static const struct {
        const char *given, *says;
    } REFUSED[] = {{"{scene: block.yaml, group: botom}", "has no group 'botom'"},
                   {"{scene: block.yaml, part: blok, group: bottom}", "no elastic part 'blok'"},
                   {"{scene: block.yaml, group: all}", "is of no faces"},
                   {"{scene: nowhere.yaml, group: bottom}", "nowhere.yaml"},
                   {"{scene: block.yaml, set: [nu=1], group: bottom}", "nu"},
                   {"{group: bottom}", "'scene'"}};
    for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++) {
        char text[512];
        snprintf(text, sizeof text, "title: No\nruns:\n  base: {compute: elastic-face, given: %s}\n",
                 REFUSED[i].given);
        outcome end = reproduce(*state, text, "H8");
        assert_int_not_equal(end.code, 0);
        assert_says(end.err, REFUSED[i].says);
        release(&end);
    }
}


int main(void)
{
    if (program_path() == NULL) return PROGRAM_SKIP;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_listing_has_all_tables),
        cmocka_unit_test(checks_tell_standard_laws_from_others),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test_setup_teardown(fields_over_faces_are_those_of_the_scene, setup, teardown),
        cmocka_unit_test_setup_teardown(faces_that_are_none_are_refused, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
