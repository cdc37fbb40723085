#!/bin/sh
# Makes 200 hard contact problems of six kinds that no solver was tuned on, and lets `auto` solve them: which share of them does it solve to
# 1e-8 in 10 s of the processor each?
#
# usage: bench/tail.sh [SOLVERS]        (auto; e.g. auto,admm,ppa-nsn-ac; some minutes for each)
#
# Walls and packings come from `rico generate`, elastic bodies too; towers whose storeys grow threefold in mass, houses of cards and walls
# that a ball hits are scenes of bodies, of which every n-th step leaves its problem. All of it is kept in out/tail; remove that folder to start afresh.
set -eu
cd "$(dirname "$0")/.."
rico=build/rico
out=out/tail
problems=$out/problems
solvers=${1:-auto}

# $1 storeys of three planks laid crosswise, each a little turned, each storey three times as heavy as the one below
tower() {
    awk -v n="$1" -v seed="$2" 'BEGIN {
        srand(seed)
        print "title: A tower of growing mass\ngravity: [0, 0, -9.81]\nmaterials: {wood: {friction: 0.5}}\nbodies:"
        print "  ground: {shape: plane, fixed: yes, material: wood}"
        for (s = 0; s < n; s++) for (k = -1; k <= 1; k++) {
            x = s % 2 ? 0.1 * k : 0; y = s % 2 ? 0 : 0.1 * k
            printf "  p%d-%d: {shape: {box: {size: [%s, 0.04]}}, density: %.6g, position: [%.6f, %.6f, %.6f], ", \
                s, k + 1, (s % 2 ? "0.06, 0.3" : "0.3, 0.06"), 100 * 3 ^ s, x, y, 0.02 + 0.04 * s
            printf "velocity: [%.4f, %.4f, 0], material: wood}\n", 0.2 * (rand() - 0.5), 0.2 * (rand() - 0.5)
        }
        print "time: {end: 0.02, step: 1e-3}"
    }'
}

# A house of cards of $1 storeys: leaning pairs, a card laid over each two of them
cards() {
    awk -v n="$1" -v mu="$2" -v seed="$3" 'BEGIN {
        srand(seed); t = 0.004; l = 0.2; w = 0.14; a = 1.2; pi = atan2(0, -1)
        h = l * sin(a) + t * cos(a); b = l * cos(a) + t * sin(a)
        print "title: A house of cards\ngravity: [0, 0, -9.81]\nmaterials: {card: {friction: " mu "}}\nbodies:"
        print "  ground: {shape: plane, fixed: yes, material: card}"
        for (s = 0; s < n; s++) {
            z = s * (h + t)
            for (k = 0; k < n - s; k++) {
                x = (k - (n - s - 1) / 2) * 2 * (b + 0.001)
                for (i = -1; i <= 1; i += 2)
                    printf "  c%d-%d-%d: {shape: {box: {size: [%g, %g, %g]}}, density: 600, position: [%.9f, 0, %.9f], rotation: {axis: [0, 1, 0], angle: %.9f}, velocity: [%.4f, %.4f, 0], material: card}\n", \
                        s, k, i + 1, l, w, t, x + i * b / 2, z + h / 2, i * a * 180 / pi, 0.05 * (rand() - 0.5), 0.05 * (rand() - 0.5)
            }
            for (k = 0; k < n - s - 1; k++)
                printf "  r%d-%d: {shape: {box: {size: [%g, %g, %g]}}, density: 600, position: [%.9f, 0, %.9f], material: card}\n", \
                    s, k, 2 * b - 0.004, w, t, (k - (n - s - 2) / 2) * 2 * (b + 0.001), z + h + t / 2
        }
        print "time: {end: 0.02, step: 1e-3}"
    }'
}

# A wall in bond, $1 courses, hit by a ball
bond() {
    printf 'title: A ball hits a wall in bond\ngravity: [0, 0, -9.81]\nmaterials: {brick: {friction: %s}, iron: {friction: 0.3}}\nbodies:\n' "$2"
    printf '  ground: {shape: plane, fixed: yes, material: brick}\n'
    printf '  brick: {shape: {box: {size: [0.24, 0.115, 0.071]}}, density: 1800, copies: {wall: {length: %s, courses: %s}}, material: brick}\n' "$3" "$1"
    printf '  ball: {shape: {sphere: 0.08}, density: 7800, position: [0, -0.2, 0.25], velocity: [0, 6, 0], material: iron}\n'
    printf 'time: {end: 0.08, step: 2e-3}\n'
}

make_all() {
    mkdir -p "$problems" "$out/scenes"
    for contacts in 100 200 300 500 800; do # 40 walls
        for friction in 0.3 0.5 0.7 0.9; do
            "$rico" generate wall --contacts $contacts --friction $friction --count 2 --seed $contacts --output "$problems/walls/$contacts-$friction"
        done
    done
    for storeys in 5 6 7 8 9; do # 40 towers
        for seed in 1 2; do
            tower $storeys $seed >"$out/scenes/tower-$storeys-$seed.yaml"
            "$rico" generate --scene "$out/scenes/tower-$storeys-$seed.yaml" --every 5 --output "$problems/heavy/$storeys-$seed"
        done
    done
    for storeys in 3 4 5; do # 30 houses of cards
        for seed in 1 2; do
            cards $storeys 0.6 $seed >"$out/scenes/cards-$storeys-$seed.yaml"
            "$rico" generate --scene "$out/scenes/cards-$storeys-$seed.yaml" --every 4 --output "$problems/cards/$storeys-$seed"
        done
    done
    for courses in 4 6 8; do # 30 walls in bond, hit
        for friction in 0.3 0.6; do
            bond $courses $friction 6 >"$out/scenes/bond-$courses-$friction.yaml"
            "$rico" generate --scene "$out/scenes/bond-$courses-$friction.yaml" --every 8 --output "$problems/bonds/$courses-$friction"
        done
    done
    for contacts in 200 500; do # 40 packings
        for friction in 0.3 0.7; do
            "$rico" generate spheres --contacts $contacts --friction $friction --count 3 --output "$problems/packings/spheres-$contacts-$friction"
            "$rico" generate capsules --contacts $contacts --friction $friction --count 3 --output "$problems/packings/capsules-$contacts-$friction"
            "$rico" generate random --contacts $contacts --bodies $((contacts / 3)) --friction $friction --count 3 --output "$problems/packings/random-$contacts-$friction"
        done
        "$rico" generate bed --contacts $contacts --count 2 --output "$problems/packings/bed-$contacts"
    done
    for elements in 3 5 8; do # 20 of elastic bodies
        for friction in 0.2 0.6; do
            "$rico" generate cubes --elements $elements --friction $friction --count 2 --output "$problems/elastic/cubes-$elements-$friction"
        done
    done
    for friction in 0.3 0.8; do
        "$rico" generate wall-fem --friction $friction --count 3 --output "$problems/elastic/wall-$friction"
        "$rico" generate aqueduct --contacts 300 --friction $friction --count 1 --output "$problems/elastic/aqueduct-$friction.hdf5"
    done
}

if [ ! -d "$problems" ]; then
    mkdir -p out
    make_all >"$out.log" 2>&1 || { tail -3 "$out.log" >&2; rm -rf "$problems"; exit 1; }
fi
echo "$(find "$problems" -name '*.hdf5' | wc -l) problems in $problems"
"$rico" bench "$problems" --solvers "$solvers" --tol 1e-8 --time-limit 10 --clock cpu --repeat 1 --resume --output "$out/compared"
