#!/bin/sh
# Asks Ricochet and other libraries for the distances of shapes whose distance is known, and prints errors and costs.
#
# usage: bench/peers/distance.sh [COUNT]
#
# COUNT pairs of each kind (1000) come from bench/pairs.h, with gaps of +-1e-1 ... +-1e-12 of their size and 0. libccd, FCL, Bullet (double) and
# MuJoCo (npm, WebAssembly) answer them beside us. A cell holds the largest error of the gap over the size, the largest error of the normal at
# gaps of 1e-3 and more and at all gaps, the mean CPU time, and what was lost. Keeps the table as bench/results-distance-peers.md.
set -eu
cd "$(dirname "$0")/../.."
here=bench/peers/bodies
pairs=out/distance/pairs
answers=out/distance/answers
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1

B=build/peers-bodies
. $here/build.sh
mkdir -p $pairs
$B/pairs $pairs "${1:-1000}"

libraries='Ricochet libccd FCL FCL-1e-12 Bullet'
command_of() {
    case $1 in
    Ricochet) echo $B/distance_ours @ ;;
    libccd) echo $B/distance_ccd @ ;;
    FCL) echo $B/distance_fcl @ ;;
    FCL-*) echo $B/distance_fcl @ 1e-12 ;;
    *) echo $B/distance_bullet @ ;;
    esac
}

kinds=
for file in $pairs/*.txt; do
    kind=$(basename "$file" .txt)
    kinds="$kinds $kind"
    for library in $libraries; do
        mkdir -p $answers/$library
        # shellcheck disable=SC2046  # words
        timeout 300 $(command_of $library | sed "s:@:$file $answers/$library/$kind.txt:") >/dev/null 2>&1 ||
            echo "$library failed on $kind" >&2
    done
done

# all kinds in one process: compiling takes longer than answering
for tolerance in 1e-6 1e-12; do
    mkdir -p $answers/MuJoCo-wasm-$tolerance
    $node_compiled $here/distance_mujoco.mjs $pairs $answers/MuJoCo-wasm-$tolerance $tolerance >/dev/null
done
libraries="$libraries MuJoCo-wasm-1e-6 MuJoCo-wasm-1e-12"

table=out/distance/table.md
{
    echo "# Distances: Ricochet beside other libraries, $(date +%F)"
    echo
    echo "Printed by \`bench/peers/distance.sh ${1:-}\` (docs/guide/benchmarks.md says how to read it): largest error of the gap over the size, largest"
    echo "error of the normal at gaps of 1e-3 of the size and more, the same at all gaps, mean CPU time, and what was lost."
    echo
    # shellcheck disable=SC2086  # words
    $B/pairs_judge $pairs $answers $kinds -- $libraries
} >$table
cat $table
cp $table bench/results-distance-peers.md
