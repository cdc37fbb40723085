#!/bin/sh
# A scene split in space on one rank beside two: work of the busiest rank, processor seconds without those in messages, memory, and whether
# both end in the same state to the last bit.
#
# usage: mpi/bench/space.sh [LAYERS [TIME [TOL [BUILD [SCHEME]]]]]    LAYERS of 1000 balls fall onto each other and roll to a wall until TIME
set -eu
layers=${1:-10}
end=${2:-0.3}
tol=${3:-1e-4}
build=${4:-build}
scheme=${5:-moreau-jean}
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cat > "$folder/balls.yaml" <<SCENE
gravity: [2, 0, -9.6]
materials: {bead: {friction: 0.3}}
bodies:
  floor: {shape: plane, fixed: yes, material: bead}
  right: {shape: {box: {size: [0.02, 4, 4]}}, fixed: yes, position: [1.42, 0, 2], material: bead}
  left: {shape: {box: {size: [0.02, 4, 4]}}, fixed: yes, position: [-1.42, 0, 2], material: bead}
  front: {shape: {box: {size: [4, 0.02, 4]}}, fixed: yes, position: [0, -0.92, 2], material: bead}
  back: {shape: {box: {size: [4, 0.02, 4]}}, fixed: yes, position: [0, 0.92, 2], material: bead}
  ball:
    shape: {sphere: 0.03}
    density: 1000
    position: [0, 0, 0.05]
    copies: {pour: {count: [40, 25, $layers], spacing: [0.068], jitter: 0.0039}}
    material: bead
time: {end: $end, step: 2e-3}
output: {every: 50}
scheme: {name: $scheme, tol: $tol}
SCENE

# one line: steps, events, work, memory, hash
measure() {
    mpirun -q -n "$1" "$build/mpi/rico-mpi" run "$folder/balls.yaml" --output "$folder/$1.h5" --hash > "$folder/said"
    sed -n 's/.*, \([0-9]*\) steps, .*, \([0-9]*\) events/\1 \2/p' "$folder/said" | tr '\n' ' '
    sed -n 's/.*; \([0-9.]*\) s of work and \([0-9.]*\) MB .*/\1 \2/p' "$folder/said" | tr '\n' ' '
    sed -n 's/^hash //p' "$folder/said"
}

one=$(measure 1)
two=$(measure 2)
echo "$one $two" | awk -v balls=$((1000 * layers)) '{
    printf "%d balls, %d steps, %d events: work %.2f s on one rank, %.2f s on two, quotient %.2f; memory %.0f MB, %.0f MB; same bits: %s\n",
        balls, $1, $2, $3, $8, $8 / $3, $4, $9, $5 == $10 ? "yes" : "NO" }'
