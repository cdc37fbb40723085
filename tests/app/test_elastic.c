// Elastic parts on the command line: the examples at a small size, rico plot --mesh, rico export --vtk.

#include "shell.h"

static const char SCENE[] =
    "title: Cube & plate\n"
    "elastic:\n"
    "  cube: {mesh: {box: {cells: [2, 2, 2]}}, material: {young: 100, density: 1}, fixed: {bottom: "
    "all}, loads: {a: {on: top, pressure: t}}}\n"
    "  plate: {mesh: {rectangle: {cells: [2, 2], kind: T6}}, model: plane strain, material: {young: "
    "100, density: 1}, fixed: {left: all}, position: [3, 0], loads: {a: {on: right, traction: [0, "
    "t]}}}\n"
    "  rod: {mesh: {bar: {cells: 2}}, material: {young: 100, density: 1}, fixed: {start: all}, "
    "position: [3, 2, 0], loads: {a: {on: end, force: [t]}}}\n"
    "time: {end: 1, step: 0.5}\nscheme: quasi-static\n"
    "output: {probes: {tip: {part: rod, at: [4, 2]}}}\n";


static int setup(void **state)
{
    (void)state;
    if (!shell_begin()) return 1;
    shell_write("three.yaml", SCENE, 0644);
    shell_scene("examples/elastic-block/elastic-block.yaml");
    shell_scene("examples/elastic-impact/elastic-impact.yaml");
    shell_scene("examples/elastic-tumbling/elastic-tumbling.yaml");
    shell_scene("examples/elastic-cantilever/elastic-cantilever.yaml");
    shell_scene("examples/elastic-reduced/elastic-reduced.yaml");
    return 0;
}


static int teardown(void **state)
{
    (void)state;
    return shell_end();
}


static void pictures(void **state)
{
    (void)state;
    shell_expect("rico run three.yaml --quiet && rico plot --mesh three.h5 && grep -q '<svg' three.svg && "
                 "grep -q 'von Mises stress' three.svg && grep -q 't = 1<' three.svg && "
                 "grep -q 'Cube &amp; plate' three.svg && ! grep -q 'nan\\|inf' three.svg",
                 0, "");
    shell_expect(
        "rico plot --mesh three.h5 --field uz --at 0.5 --view y --scale 10 --no-edges --output two.svg && "
        "grep -q 'displacement along z' two.svg && grep -q 't = 0.5, displacements times 10' two.svg",
        0, "");
    shell_gnuplot();
    shell_expect("PATH=$PWD/bin:$PATH; rico plot --mesh three.h5 --output b.png && "
                 "grep -q 'set terminal pngcairo' script.txt && grep -q 'set object rectangle' script.txt && "
                 "grep -q 'set object polygon' script.txt",
                 0, "");
    shell_expect("rico plot --mesh three.h5 --field heat", 2, "there is no field 'heat'");
    shell_expect("rico plot --mesh three.h5 --field von-mise", 2, "did you mean 'von-mises'?");
    shell_expect("rico plot three.h5 --field ux", 2, "option '--field' needs '--mesh'");
    shell_expect("rico plot three.h5 --scale 3", 2, "option '--scale' needs '--mesh'");
    shell_expect("rico plot three.h5 --at 0.5", 2, "option '--at' needs '--bodies' or '--mesh'");
    shell_expect("rico plot --mesh --bodies three.h5", 2, "exclude each other");
    shell_expect("rico plot --mesh three.h5 --y t", 2, "option '--mesh' does not go with");
    shell_expect("rico plot --bodies three.h5", 2, "there are no bodies in it");
}


static void checks(void **state)
{
    (void)state;
    shell_expect(
        "rico check three.yaml > c.txt && grep -q 'elastic part cube: solid, 27 nodes, 8 elements, 54 "
        "unknowns' "
        "c.txt && grep -q 'elastic part plate: plane strain, 25 nodes, 8 elements, 40 unknowns' c.txt && "
        "rico check elastic-block.yaml | grep -q 'contacts of meshes: 1'",
        0, "");
}


// A block pressed by nine tenths of its height: without inertia, with it, and as the equilibrium of a start.
static void strains(void **state)
{
    (void)state;
    static const char BLOCK[] =
        "elastic:\n"
        "  block: {mesh: {rectangle: {cells: [2, 2]}}, model: plane strain, material: {young: 100, density: "
        "1, poisson: 0}, fixed: {bottom: [y], left: [x]}, moved: {top: {y: -0.9*s}}}\n";
    char text[1024];
    snprintf(text, sizeof text, "parameters: {s: 1}\n%stime: {end: 1, step: 0.5}\nscheme: quasi-static\n",
             BLOCK);
    shell_write("press.yaml", text, 0644);
    snprintf(text, sizeof text,
             "parameters: {s: 1}\n%stime: {end: 0.1, step: 0.01}\ninitial: {equilibrium: true}\n", BLOCK);
    shell_write("start.yaml", text, 0644);
    shell_expect("rico run press.yaml | grep -q 'Strains of part block reached 0.9 in element [0-9]*, at t = "
                 "[0-9.]*: linear elasticity holds for small ones.'",
                 0, "");
    shell_expect("rico run start.yaml | grep -q 'Strains of part block reached 0.9 in element'", 0, "");
    shell_expect("rico run press.yaml --overwrite --set s=0.05 | grep Strains", 1, "");
    shell_expect("rico run press.yaml --overwrite --set s=0.06 | grep -q 'reached 0.054'", 0, "");
    shell_expect("rico run press.yaml --overwrite --set elastic.block.strain-limit=1 | grep Strains", 1, "");
    shell_expect("rico run press.yaml --overwrite --set elastic.block.strain-limit=0", 2, "strain-limit");
}


// Nodes without mass: of a scene's groups, and of a bar's ends.
static void massless(void **state)
{
    (void)state;
    shell_write("fall.yaml",
                "elastic:\n"
                "  block: {mesh: {rectangle: {cells: [8, 8]}}, model: plane strain, material: {young: 1e5, "
                "density: 1}, velocity: [0, -1], massless: bottom}\n"
                "contacts: {floor: {nodes: block.bottom, against: {plane: {normal: [0, 1]}}}}\n"
                "time: {end: 0.01, step: 1e-3}\nscheme: trapezoidal-position\n",
                0644);
    shell_expect("rico run fall.yaml --quiet", 0, "");
    shell_expect("rico run fall.yaml --quiet --overwrite --set 'elastic.block.massless=[bottom, left]'", 0,
                 "");
    shell_expect("rico run fall.yaml --overwrite --set elastic.block.massless=botom", 2,
                 "no group 'botom'; did you mean 'bottom'?");
    shell_expect("rico run fall.yaml --overwrite --set 'elastic.block.massless={bottom: 1}'", 2,
                 "'massless' must be a group");
    shell_expect(
        "rico run fall.yaml --quiet --overwrite --set scheme=newmark --set 'elastic.block.massless=[]'", 0,
        "");
    shell_expect("rico run fall.yaml --overwrite --set scheme=newmark", 2,
                 "part block has nodes without mass, and newmark divides by the mass");
    shell_expect("rico run fall.yaml --overwrite --set elastic.block.massless=all", 2,
                 "81 of its 81 nodes are to be without mass");
}


static void exports(void **state)
{
    (void)state;
    shell_expect(
        "rico run three.yaml --quiet --overwrite && rico export three.h5 --vtk out | grep -q '3 rows' && "
        "test $(ls out | wc -l) = 12 && grep -q 'timestep=\"0.5\"' out/cube.pvd && "
        "grep -q 'von Mises' out/plate-2.vtu && grep -q 'contact status' out/cube-0.vtu && "
        "grep -q 'rod-1.vtu' out/rod.pvd",
        0, "");
    shell_expect("rico export three.h5 --table meshes --column model | tr '\\n' ' ' | grep -q 'model 4 1 0'",
                 0, "");
}


// The examples run at a small size, keep what they promise, and their states can be drawn.
static void examples(void **state)
{
    (void)state;
    // all of it slips in the end: the push is mu times the press
    shell_expect(
        "rico run elastic-block.yaml --quiet && rico export elastic-block.h5 --table probes "
        "--output p.csv && tail -1 p.csv | awk -F, '{r = -$2/$3; exit !(r > 0.499999 && r < 0.500001)}'",
        0, "");
    shell_expect("rico run elastic-impact.yaml --quiet --set n=2 --set step=5e-4 --set time.end=0.02 && rico "
                 "plot elastic-impact.h5 --y "
                 "ground.fx,ground.fy,crown.y && rico plot --mesh elastic-impact.h5 --field pressure",
                 0, "");
    shell_expect("rico run elastic-tumbling.yaml --quiet --set n=1 --set step=2e-3 --set time.end=0.25 && "
                 "rico plot --mesh "
                 "elastic-tumbling.h5 --at 0.2",
                 0, "");
    // Timoshenko: 4.216e-3 at the start, and the wall bears 1122.625
    shell_expect(
        "rico run elastic-cantilever.yaml --quiet --set n=10 --set time.end=1e-3 && rico export "
        "elastic-cantilever.h5 "
        "--table probes --output c.csv && sed -n 2p c.csv | awk -F, '{exit !($5 < -4.19e-3 && $5 > -4.23e-3 "
        "&& $9 "
        "> 1122.6249 && $9 < 1122.6251)}'",
        0, "");
    // the summary tells of the reduction, and pictures and exports show all nodes
    shell_expect(
        "rico run elastic-reduced.yaml --set n=20 --set time.end=2e-3 | grep -A1 'error of the "
        "reduction, estimated .*beam at t = .*, 30 of 320 unknowns' | grep -q 'of motions above .* Hz' && "
        "rico plot --mesh elastic-reduced.h5 && rico export elastic-reduced.h5 --vtk reduced-vtk && "
        "test -s reduced-vtk/beam.pvd && rm -r reduced-vtk",
        0, "");
}


int main(void)
{
    if (program_path() == NULL) return PROGRAM_SKIP;
    const struct CMUnitTest tests[] = {cmocka_unit_test(checks),  cmocka_unit_test(pictures),
                                       cmocka_unit_test(exports), cmocka_unit_test(examples),
                                       cmocka_unit_test(strains), cmocka_unit_test(massless)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
