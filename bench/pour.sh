#!/bin/sh
# Spheres poured into a box, run to rest: time and memory per contact and step as their number grows.
#
# usage: bench/pour.sh [SIDE...]        SIDE x SIDE x SIDE spheres each; 10 22 47 without any (1e3, 1.1e4, 1.04e5)
#
# One thread, step 1/240 s, 30 sweeps a step and what they leave told in the summary (accept: 1). Needs `make`; RICO names another program.
set -eu
cd "$(dirname "$0")/.."
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
out=out/pour
mkdir -p $out
for side in ${*:-10 22 47}; do
    wall=$(awk -v n="$side" 'BEGIN { print n * 0.0525 + 0.03 }')
    cat >"$out/$side.yaml" <<SCENE
title: $side^3 spheres poured into a box
gravity: [0, 0, -9.81]
materials: {bead: {friction: 0.5}}
bodies:
  floor: {shape: plane, fixed: yes, material: bead}
  left: {shape: plane, fixed: yes, material: bead, position: [-$wall, 0, 0], rotation: {axis: [0, 1, 0], angle: 90}}
  right: {shape: plane, fixed: yes, material: bead, position: [$wall, 0, 0], rotation: {axis: [0, 1, 0], angle: -90}}
  front: {shape: plane, fixed: yes, material: bead, position: [0, -$wall, 0], rotation: {axis: [1, 0, 0], angle: -90}}
  back: {shape: plane, fixed: yes, material: bead, position: [0, $wall, 0], rotation: {axis: [1, 0, 0], angle: 90}}
  ball:
    shape: {sphere: 0.05}
    density: 1000
    position: [0, 0, 0.06]
    copies: {pour: {count: [$side, $side, $side], spacing: [0.105], jitter: 0.002}}
    material: bead
scheme: {name: moreau-jean-projected, tol: 1e-6, accept: 1, sweeps: 30}
time: {end: ${END:-2}, step: 0.004166666666666667}
output: {every: 24}
SCENE
    echo "== $side^3"
    /usr/bin/time -f 'CPU %U s, memory %M kB' ${RICO:-build/rico} run "$out/$side.yaml" --output "$out/$side.h5" --checkpoint 300 ${QUIET:+--quiet}
done
