#!/bin/sh
# Walls of bricks in bond that stand: time and memory per contact and step as their number grows.
#
# usage: bench/wall.sh [SIDE...]        SIDE bricks along and SIDE courses each; 10 32 100 without any (1e2, 1e3, 1e4 boxes)
#
# One thread, step 1/240 s, every step to the tolerance unless the summary says otherwise. Needs `make`; END is the end of time, GAP the width
# of the joints between neighbours of a course, RICO names another program.
set -eu
cd "$(dirname "$0")/.."
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
out=out/wall
mkdir -p $out
for side in ${*:-10 32 100}; do
    cat >"$out/$side.yaml" <<SCENE
title: a wall of $side courses of $side bricks
gravity: [0, 0, -9.81]
materials: {brick: {friction: 0.6}}
bodies:
  ground: {shape: plane, fixed: yes, material: brick}
  brick:
    shape: {box: {size: [0.2, 0.1, 0.06]}}
    density: 2000
    copies: {wall: {length: $side, courses: $side, gap: ${GAP:-0}}}
    material: brick
scheme: {name: moreau-jean-projected}
time: {end: ${END:-1}, step: 0.004166666666666667}
output: {every: 24}
SCENE
    echo "== $side x $side"
    /usr/bin/time -f 'CPU %U s, memory %M kB' ${RICO:-build/rico} run "$out/$side.yaml" --output "$out/$side.h5" --overwrite --checkpoint 300 ${QUIET:+--quiet}
done
