// Rigid bodies on the command line: check, run --hash, plot --bodies, export --vtk, generate --scene.

#include "shell.h"

static const char SCENE[] =
    "title: Balls & a box\n"
    "gravity: [0, 0, -9.81]\n"
    "materials: {rubber: {friction: 0.5, restitution: 0.3}}\n"
    "bodies:\n"
    "  floor: {shape: plane, fixed: yes, material: rubber}\n"
    "  box: {shape: {box: {size: [0.3, 0.3, 0.1]}}, density: 500, position: [1, 0, 0.05],\n"
    "        material: rubber}\n"
    "  ball: {shape: {sphere: 0.05}, density: 800, position: [0, 0, 0.2], material: rubber,\n"
    "         copies: {grid: {count: [3], spacing: [0.2]}}}\n"
    "time: {end: 0.5, step: 5e-3}\n"
    "output: {every: 10}\n";


static int setup(void **state)
{
    (void)state;
    if (!shell_begin()) return 1;
    shell_write("balls.yaml", SCENE, 0644);
    return 0;
}


static int teardown(void **state)
{
    (void)state;
    return shell_end();
}


static void checks(void **state)
{
    (void)state;
    shell_expect("rico check balls.yaml > all.txt && "
                 "grep -q 'bodies: 5 (4 free, 1 fixed, 0 moved) in space, with 5 shapes' all.txt && "
                 "grep -q 'ball-1 ... ball-3: free sphere, mass 0.418879' all.txt && "
                 "grep -q '1 pair of bodies touch, in 4 contacts' all.txt && grep -q 'floor/box' all.txt",
                 0, "");
}


// The same run has the same hash, also when it was stopped on its way; another one has another.
static void hashes(void **state)
{
    (void)state;
    shell_expect(
        "rico run balls.yaml --quiet --hash > one.txt && grep -q '^hash [0-9a-f]\\{16\\}$' one.txt && "
        "rico run balls.yaml --quiet --hash --output two.h5 > two.txt && cmp one.txt two.txt",
        0, "");
    shell_expect("rico run balls.yaml --quiet --output three.h5 --stop-after 31", 130,
                 "stopped after 31 steps");
    shell_expect("rico run three.h5 --resume --quiet --hash > three.txt && cmp one.txt three.txt", 0, "");
    shell_expect("rico run balls.yaml --quiet --hash --output four.h5 --set time.step=4e-3 > four.txt && "
                 "! cmp -s one.txt four.txt",
                 0, "");
}


static void pictures(void **state)
{
    (void)state;
    shell_expect(
        "rico run balls.yaml --quiet --overwrite && rico plot --bodies balls.h5 --at 0.3 --view y && "
        "grep -q '<svg' balls.svg && test $(grep -c 'url(#ball' balls.svg) = 3 && "
        "grep -q 't = 0.3' balls.svg && grep -q 'Balls &amp; a box' balls.svg && "
        "! grep -q 'nan\\|inf' balls.svg",
        0, "");
    // arrows of the contacts that press, and none on request
    shell_expect("rico plot --bodies balls.h5 --output with.svg && rico plot --bodies balls.h5 --no-forces "
                 "--output without.svg && grep -q c1121f with.svg && ! grep -q c1121f without.svg",
                 0, "");
    shell_gnuplot();
    shell_expect("PATH=$PWD/bin:$PATH; rico plot --bodies balls.h5 --output b.png && "
                 "grep -q 'set terminal pngcairo' script.txt && grep -q 'set object circle' script.txt && "
                 "grep -q 'set object polygon' script.txt",
                 0, "");
    shell_expect("rico plot balls.h5 --at 1", 2, "option '--at' needs '--bodies'");
    shell_expect("rico plot balls.h5 --bodies --y ball-1.x", 2, "does not go with");
    shell_write("none.yaml", "parts: {p: {coordinates: [x], mass: [1]}}\ntime: {end: 1, step: 0.1}\n", 0644);
    shell_expect("rico run none.yaml --quiet && rico plot --bodies none.h5", 2, "there are no bodies in it");
}


static void vtk(void **state)
{
    (void)state;
    shell_expect(
        "rico run balls.yaml --quiet --overwrite && rico export balls.h5 --vtk out > all.txt && "
        "grep -q '11 rows written to out' all.txt && test $(ls out | wc -l) = 24 && "
        "grep -q 'timestep=\"0\" part=\"0\" file=\"bodies-00.vtu\"' out/bodies.pvd && "
        "grep -q 'Name=\"velocity\"' out/bodies-10.vtu && grep -q 'Name=\"impulse\"' out/contacts-10.vtu && "
        "rico export balls.h5 --vtk out",
        0, "");
    shell_expect("echo mine > out/bodies.pvd; rico export balls.h5 --vtk out", 3, "is left alone");
    shell_expect("rico export balls.h5 --vtk out --table state", 2, "exclude each other");
    shell_expect("rico run none.yaml --quiet --overwrite && rico export none.h5 --vtk out", 2,
                 "there are no bodies");
}


static void problems(void **state)
{
    (void)state;
    shell_expect("rico generate --scene balls.yaml --every 25 --output heap > all.txt && "
                 "test $(grep -c '^wrote heap/balls-00000' all.txt) = 4 && rico solve heap/*.hdf5",
                 0, "");
    shell_expect("rico generate --scene balls.yaml --every 50 --form reduced --output small > all.txt && "
                 "rico info small/balls-0000050.hdf5 | grep -q reduced",
                 0, "");
    shell_expect("rico generate --scene balls.yaml", 2, "into which folder");
    shell_expect("rico generate random --every 3 --output x.hdf5", 2, "option '--every' needs '--scene'");
    shell_expect("rico generate random --scene balls.yaml --output x", 2, "stands for a KIND");
}


int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(checks), cmocka_unit_test(hashes),
                                       cmocka_unit_test(pictures), cmocka_unit_test(vtk),
                                       cmocka_unit_test(problems)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
