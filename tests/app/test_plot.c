// rico plot: the numbers that gnuplot is given are those of the file; what cannot be drawn is refused in words.

#include "program.h"

// A scene that needs no other, run once into a.h5 and, with more friction, into b.h5.
static const char SCENE[] = "title: A sliding block\n"
                            "parameters: {mu: 0.1}\n"
                            "parts:\n"
                            "  block: {coordinates: [x, y], mass: [2, 2], force: [0, -20]}\n"
                            "contacts:\n"
                            "  floor: {gap: y, tangent: x, restitution: 0.5, friction: mu}\n"
                            "initial: {position: {x: 0, y: 0.01}, velocity: {x: 1, y: 0}}\n"
                            "time: {end: 0.2, step: 1e-3}\n"
                            "scheme: moreau-jean\n";

static char folder[] = "/tmp/rico-plot-XXXXXX";


static void write_file(const char *name, const char *text, mode_t mode)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    chmod(path, mode);
}


static char *load(const char *name, long *size)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("%s is not there", path);
    fseek(file, 0, SEEK_END);
    *size = ftell(file);
    rewind(file);
    char *text = calloc((size_t)*size + 1, 1);
    assert_int_equal(fread(text, 1, (size_t)*size, file), *size);
    fclose(file);
    return text;
}


// Runs a line of the shell in the folder, `rico` being ours; its words on the standard error go to `said`.
static int shell(const char *line, char *said, size_t size)
{
    char command[2048];
    snprintf(command, sizeof command, "rico() { '%s' \"$@\"; }; cd '%s' && { %s\n} > out.txt 2> err.txt",
             program_path(), folder, line);
    int ended = system(command);
    if (said) {
        long length;
        char *text = load("err.txt", &length);
        snprintf(said, size, "%s", text);
        free(text);
    }
    return WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
}


static void expect(const char *line, int code, const char *words)
{
    char said[1024];
    int ended = shell(line, said, sizeof said);
    if (ended != code || !strstr(said, words)) fail_msg("%s: %d, \"%s\"", line, ended, said);
}


static int setup(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return 1;
    write_file("block.yaml", SCENE, 0644);
    // what gnuplot would have got, kept in script.txt; a picture is all the same to us then
    char fake[512];
    snprintf(fake, sizeof fake,
             "#!/bin/sh\ncat > '%s/script.txt'\n"
             "sed -n \"s/^set output '\\(.*\\)'/\\1/p\" '%s/script.txt' | xargs touch\n",
             folder, folder);
    mkdir(strcat(strcpy((char[256]){0}, folder), "/bin"), 0755);
    write_file("bin/gnuplot", fake, 0755);
    return shell("rico run block.yaml --output a.h5 && rico run block.yaml --set mu=0.4 --output b.h5", NULL,
                 0);
}


static int teardown(void **state)
{
    (void)state;
    char command[256];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}


// Every row of `$dP_S << EOD` against two columns of a CSV file.
static int compare_block(const char *script, const char *name, const char *csv)
{
    char head[64];
    snprintf(head, sizeof head, "$%s << EOD\n", name);
    const char *drawn = strstr(script, head);
    assert_non_null(drawn);
    drawn += strlen(head);
    const char *row = strchr(csv, '\n') + 1;
    int rows = 0;
    while (strncmp(drawn, "EOD", 3) != 0) {
        double x, y, csv_x, csv_y;
        assert_int_equal(sscanf(drawn, "%lf %lf", &x, &y), 2);
        assert_int_equal(sscanf(row, "%lf,%lf", &csv_x, &csv_y), 2);
        assert_near(x, csv_x, 1e-8 * (fabs(csv_x) + 1e-300));
        assert_near(y, csv_y, 1e-8 * (fabs(csv_y) + 1e-300));
        drawn = strchr(drawn, '\n') + 1;
        row = strchr(row, '\n') + 1;
        rows++;
    }
    assert_int_equal(*row, '\0'); // all of them
    return rows;
}


static void test_numbers(void **state)
{
    (void)state;
    long size;
    assert_int_equal(
        shell("PATH=$PWD/bin:$PATH rico plot a.h5 b.h5 --panel 'friction vs normal: total.tangential "
              "vs total.normal' --labels little,more --output numbers.svg",
              NULL, 0),
        0);
    char *script = load("script.txt", &size);
    const char *files[] = {"a", "b"};
    for (int i = 0; i < 2; i++) {
        char line[256], block[8];
        snprintf(line, sizeof line,
                 "rico export %s.h5 --table total --column normal --column tangential --output t.csv",
                 files[i]);
        assert_int_equal(shell(line, NULL, 0), 0);
        char *csv = load("t.csv", &size);
        snprintf(block, sizeof block, "d0_%d", i);
        assert_int_equal(compare_block(script, block, csv), 201);
        free(csv);
    }
    assert_non_null(strstr(script, "'friction vs normal'"));
    assert_non_null(strstr(script, "'little'"));
    assert_non_null(strstr(script, "'more'"));
    free(script);
}


static void test_window(void **state)
{
    (void)state;
    long size;
    assert_int_equal(
        shell("PATH=$PWD/bin:$PATH rico plot a.h5 --y x --from 0.0995 --to 0.1505 --output w.png", NULL, 0),
        0);
    char *script = load("script.txt", &size), *at = strstr(script, "$d0_0 << EOD\n");
    double first;
    assert_non_null(at);
    assert_int_equal(sscanf(at, "$d0_0 << EOD %lf", &first), 1);
    assert_near(first, 0.1, 1e-9);
    int rows = -1;
    for (; strncmp(at, "EOD", 3) != 0; at = strchr(at, '\n') + 1) rows++;
    assert_int_equal(rows, 51);
    free(script);
}


// Energies, works, gaps and impulses of the default figure: what is there, and nothing that stays zero.
static void test_default(void **state)
{
    (void)state;
    long size;
    assert_int_equal(shell("PATH=$PWD/bin:$PATH rico plot a.h5", NULL, 0), 0);
    assert_int_equal(shell("test -e a.svg", NULL, 0), 0);
    char *script = load("script.txt", &size);
    const char *there[] = {"positions",  "velocities", "energies",       "works since the start",
                           "gaps",       "impulses",   "'v\\_x'",        "'loads'",
                           "'friction'", "'floor.t1'", "A sliding block"};
    for (size_t i = 0; i < sizeof there / sizeof *there; i++)
        if (!strstr(script, there[i])) fail_msg("no %s in the script", there[i]);
    assert_null(strstr(script, "'damping'"));
    assert_null(strstr(script, "'joints'"));
    free(script);
}


static void test_pictures(void **state)
{
    (void)state;
    if (system("gnuplot --version >/dev/null 2>&1") != 0) skip();
    long size;
    assert_int_equal(
        shell("rico plot a.h5 b.h5 --output all.png && rico plot a.h5 --y x,y --output few.svg && "
              "rico plot a.h5 --y energy --log y --style steps --output energy.pdf",
              NULL, 0),
        0);
    char *png = load("all.png", &size);
    assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
    assert_memory_equal(png + size - 8, "IEND\xae\x42\x60\x82", 8);
    free(png);
    char *svg = load("few.svg", &size);
    assert_non_null(strstr(svg, "</svg>"));
    free(svg);
    char *pdf = load("energy.pdf", &size);
    assert_memory_equal(pdf, "%PDF-", 5);
    free(pdf);
}


static void test_refusals(void **state)
{
    (void)state;
    expect("rico plot", 2, "a result FILE is needed");
    expect("rico plot a.h5 --y vv_x", 2, "a.h5: there is no column 'vv_x'; did you mean 'v_x'?");
    expect("rico plot a.h5 --y totl.normal", 2, "did you mean 'total.normal'?");
    expect("rico plot a.h5 --y gap:flor", 2, "did you mean 'gap:floor'?");
    expect("rico plot a.h5 --y x --x events.t", 2, "cannot be drawn over one another");
    expect("rico plot a.h5 --y x,,y", 2, "the name of a column to draw is empty");
    expect("rico plot a.h5 --panel 'x vs '", 2, "the column behind 'vs' is empty");
    expect("rico plot a.h5 b.h5 --y x --labels one", 2, "1 texts for 2 files");
    expect("rico plot a.h5 --y x --output a.bmp", 2, ".svg, .png or .pdf");
    expect("rico plot block.yaml", 2, "block.yaml");
    expect("rico plot none.h5", 3, "none.h5");
    expect("PATH= rico plot a.h5 --y x", 3, "gnuplot was not found");
}


int main(void)
{
    if (program_path() == NULL) return PROGRAM_SKIP;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers), cmocka_unit_test(test_window),
                                       cmocka_unit_test(test_default), cmocka_unit_test(test_pictures),
                                       cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
