#!/bin/sh
# The flagship for now: a heap of 250 bodies touching at 400 points, made by the program, looked at and solved.
#
# usage: examples/demo.sh [RICO] [OUTPUT-DIR]
set -eu
rico=${1:-build/rico}
out=${2:-out/demo}

show() {
    printf '\n$'
    printf ' %s' "$@"
    printf '\n'
    "$@"
}

rm -rf "$out"
mkdir -p "$out"
show "$rico" generate random --contacts 400 --bodies 250 --friction 0.5 --seed 1 --output "$out/heap.hdf5"
show "$rico" info "$out/heap.hdf5"
show "$rico" solve "$out/heap.hdf5" --write "$out/solved"

printf '\nWritten:\n'
find "$out" -type f | sort | sed 's/^/    /'
