#!/bin/sh
# Floating-point operations of solvers, counted instruction by instruction under valgrind: the same number on every run, on a
# machine without counters too. Prints a table in Markdown.
#
# usage: bench/flops.sh SOLVERS FILE...         SOLVERS as rico bench takes them: nsgs,auto,nsn-fb-gp
#        bench/flops.sh --check                 counts what is known by theory
#
# Needs valgrind, objdump and build/bench/bench_flops (make bench). A solve takes some 50 times as long as without valgrind.
# Operations are those of setup and solve, from zero, with the problem in memory; bench/flops.awk tells what counts as one.
# Settings of the environment:
#   BUILD   another build folder
#   TOL     the residual (1e-8)
#   LIMIT   seconds that a solve may take without valgrind (2)
#   OUT     where lists of instructions are kept from one run to the next (out/flops)
# OpenBLAS has one thread and the kernels of OPENBLAS_CORETYPE (Haswell): what they do in vain depends on it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${BUILD:-$here/../build}
out=${OUT:-$here/../out/flops}
tol=${TOL:-1e-8}
limit=${LIMIT:-2}
program=$build/bench/bench_flops
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 OPENBLAS_CORETYPE="${OPENBLAS_CORETYPE:-Haswell}"

for tool in valgrind objdump "$program"; do
    command -v "$tool" >/dev/null || { echo "bench/flops.sh: $tool is missing" >&2; exit 1; }
done
mkdir -p "$out"

# What the instructions of an object do, found once for each version of it.
list_of() {
    list=$out/$(basename "$1")-$(stat -L -c '%Y-%s' "$1").flops
    [ -f "$list" ] || {
        objdump -d --no-show-raw-insn "$1" | awk -f "$here/flops.awk" -v of="$1" >"$list.new"
        mv "$list.new" "$list"
    }
    echo "$list"
}

# operations, min and max of: bench_flops WORDS...; what the program prints is left in $out/said
count() {
    log=$out/callgrind.out
    valgrind --quiet --tool=callgrind --callgrind-out-file="$log" --dump-instr=yes --dump-line=no --compress-strings=no \
        --compress-pos=no --collect-atstart=no --toggle-collect='flops_region*' "$program" "$@" >"$out/said" 2>"$out/complaints" ||
        { cat "$out/complaints" >&2; return 1; }
    lists=
    for object in $(sed -n 's/^ob=//p' "$log" | sort -u); do
        [ -f "$object" ] && lists="$lists $(list_of "$object")"
    done
    awk -f "$here/flops.awk" "$log" $lists
}

check() {
    echo '| kernel | by theory | counted | ratio |'
    echo '| --- | ---: | ---: | ---: |'
    for kernel in 'loop 100000' 'dot 100000' 'axpy 100000' 'dgemm 64' 'dgemm 100' 'dgemm 256' 'dgemm 259'; do
        counted=$(count $kernel)
        known=$(cut -d ' ' -f 1 "$out/said")
        echo "$kernel $known ${counted% *}" | awk '{ printf "| %s %s | %d | %d | %.4f |\n", $1, $2, $3, $4, $4 / $3 }'
    done
}

if [ "${1:-}" = --check ]; then
    check
    exit
fi
[ $# -ge 2 ] || { sed -n '2,16s/^# \{0,1\}//p' "$0" >&2; exit 2; }

solvers=$1
shift
rows=$out/rows
: >"$rows"
for file; do
    problem=$(basename "$(dirname "$file")")/$(basename "$file" .hdf5)
    for solver in $(echo "$solvers" | tr ',' ' '); do
        # on its own first, the quickest of five: for the time and for the processor's own counters
        for run in 1 2 3 4 5; do
            timeout "$limit" "$program" solve "$file" "$solver" "$tol" 2>"$out/complaints" || break
        done | sort -g -k 4 | head -n 1 >"$out/alone"
        if [ -s "$out/alone" ]; then
            counted=$(count solve "$file" "$solver" "$tol")
            echo "$problem $solver $(cat "$out/alone") $counted $(cut -d ' ' -f 2 "$out/said")"
        else
            echo "$problem $solver - - - - - - - -"
        fi >>"$rows"
    done
done
awk -v tol="$tol" -f "$here/flops-table.awk" "$rows"
