#!/bin/sh
# Compares our default solver with every solver of Siconos' numerics, side by side on this machine.
#
# usage: bench/peers/run.sh [PROBLEMS...]
#
# PROBLEMS are folders or FCLIB files. Without any, the problems of the folder RICO_DATA are taken if it is set, else
# random heaps are made.
#
# Installs Debian's Siconos where it is missing, builds, runs, and keeps the comparison as
# bench/peers/results-DATE.md. A run that was ended goes on from what out/peers holds; remove that folder to
# start afresh. PEERS_OPTIONS adds words, as in  PEERS_OPTIONS='--theirs NSGS,PROX --time-limit 10'.
set -eu
cd "$(dirname "$0")/../.."

tools/install-deps peers
cmake --preset release --log-level=WARNING -DRICO_PEERS=ON >/dev/null
cmake --build build -j "${JOBS:-2}" --target rico siconos_bench

if [ $# = 0 ] && [ -n "${RICO_DATA:-}" ]; then
    set -- "$RICO_DATA/problems"
elif [ $# = 0 ]; then
    problems=out/peers-problems
    if [ ! -d "$problems" ]; then
        for bodies in 60 20 8; do
            build/rico generate random --contacts 60 --bodies $bodies --count 3 --output "$problems/bodies-$bodies"
            build/rico generate random --contacts 60 --bodies $bodies --count 3 --form reduced \
                --output "$problems/reduced-$bodies"
        done >/dev/null
    fi
    set -- "$problems"
fi

# shellcheck disable=SC2086  # the options are words
build/bench/peers/siconos_bench "$@" --output out/peers ${PEERS_OPTIONS:-}
kept=bench/peers/results-$(date +%F).md
cp out/peers/comparison.md "$kept"
echo "and in $kept"
