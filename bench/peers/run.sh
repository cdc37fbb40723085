#!/bin/sh
# Compares our default solver with every solver of Siconos' numerics, side by side on this machine.
#
# usage: bench/peers/run.sh [PROBLEMS...]
#
# PROBLEMS are folders or FCLIB files. Without any, the problems of the folder RICO_DATA are taken if it is set, else
# random heaps are made. The one word 'elastic' makes and takes those of elastic cubes, a wall of elastic bricks and an
# aqueduct (after Acary, Bremond and Huber 2018, table 5, some of them smaller), with the families of Siconos' solvers that do best.
#
# Installs Debian's Siconos where it is missing, builds, runs, and keeps the comparison as
# bench/peers/results-DATE.md, or results-elastic-DATE.md. A run that was ended goes on from what out/peers (out/peers-elastic)
# holds; remove that folder to start afresh. PEERS_OPTIONS adds words, as in  PEERS_OPTIONS='--theirs NSGS,PROX --time-limit 10'.
set -eu
cd "$(dirname "$0")/../.."

tools/install-deps peers
cmake --preset release --log-level=WARNING -DRICO_PEERS=ON >/dev/null
cmake --build build -j "${JOBS:-2}" --target rico siconos_bench

kept=out/peers
name=results
families=

# Contact problems of elastic bodies, in global form: M is the matrix of a step, stiffness and all.
make_elastic() {
    [ ! -d "$1" ] || return 0
    for elements in 2 5 10; do
        build/rico generate cubes --elements $elements --friction 0.3 --count 2 --output "$1/cubes-$elements"
    done >/dev/null
    build/rico generate wall-fem --friction 0.83 --count 1 --output "$1/wall-fem" >/dev/null
    build/rico generate aqueduct --contacts 500 --friction 0.8 --output "$1/aqueduct.hdf5" >/dev/null
}

if [ "$*" = elastic ]; then
    make_elastic out/peers-elastic-problems
    kept=out/peers-elastic
    name=results-elastic
    families='--time-limit 2 --theirs NSGS,NSGS-NSN,PROX,NSN_AC,ADMM,G_NSGS_WR,G_NSN_AC_WR,G_NSN_AC,G_ADMM,G_IPM'
    set -- out/peers-elastic-problems
elif [ $# = 0 ] && [ -n "${RICO_DATA:-}" ]; then
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
build/bench/peers/siconos_bench "$@" --output "$kept" ${PEERS_OPTIONS:-$families}
table=bench/peers/$name-$(date +%F).md
cp "$kept/comparison.md" "$table"
[ -z "$families" ] || printf '\nOf Siconos: %s.\n' "${PEERS_OPTIONS:-$families}" >>"$table"
printf '\nLoad of the machine at the end, over 1, 5 and 15 minutes: %s.\n' "$(cut -d' ' -f1-3 /proc/loadavg)" >>"$table"
echo "and in $table"
