#!/bin/sh
# One rank beside two on packings of spheres, taken in turn; the time of both and of their work, and what was sent.
#
# usage: mpi/bench/ranks.sh [-q SECONDS] [-r REPEATS] CONTACTS...
#
#     -q  wait at most so long, before each pair, until the processors have been idle for three seconds
#     -r  pairs for each number of contacts (3)
#
# Prints a row for each pair: seconds of the solve on one and on two ranks and their quotient (setup left out, and with
# it); processor seconds of the busiest rank without what it spent on messages, likewise, which others on the machine do
# not change; the share of the processors that others had during the second run; digests, which must agree.
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
quiet=0 repeats=3
while getopts q:r: option; do
    case $option in
    q) quiet=$OPTARG ;;
    r) repeats=$OPTARG ;;
    *) sed -n '4,7s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OPENBLAS_NUM_THREADS=1
folder=${TMPDIR:-/tmp}/rico-mpi-bench
mkdir -p "$folder"

# percent of all processors that were idle for three seconds
idle() {
    a=$(awk '/^cpu /{print $5, $2+$3+$4+$5+$6+$7+$8}' /proc/stat)
    sleep 3
    b=$(awk '/^cpu /{print $5, $2+$3+$4+$5+$6+$7+$8}' /proc/stat)
    echo "$a $b" | awk '{printf "%d\n", 100 * ($3 - $1) / ($4 - $2 + 1e-9)}'
}

await() {
    waited=0
    while [ "$waited" -lt "$quiet" ] && [ "$(idle)" -lt 90 ]; do waited=$((waited + 3)); done
}

solve() {
    mpirun -q --bind-to none -n "$1" "$here/build/mpi/rico-mpi" solve "$2" --tol 1e-6 --json
}

field() {
    sed -n "s/.*\"$2\": \"\{0,1\}\([^,\"}]*\).*/\1/p" "$1"
}

echo "| contacts | sweeps | 1 rank, s | 2 ranks, s | quotient | with setup | work 1, s | work 2, s | quotient | messages | bytes | idle before, % | same bits |"
echo "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |"
for contacts; do
    problem=$folder/spheres-$contacts.hdf5
    [ -f "$problem" ] || "$here/build/rico" generate spheres --contacts "$contacts" --friction 0.3 --output "$problem" >/dev/null
    pair=0
    while [ "$pair" -lt "$repeats" ]; do
        await
        free=$(idle)
        solve 1 "$problem" >"$folder/1.json"
        solve 2 "$problem" >"$folder/2.json"
        for name in seconds setup_seconds work_seconds digest; do
            eval "one_$name=\$(field $folder/1.json $name) two_$name=\$(field $folder/2.json $name)"
        done
        same=no
        [ "$one_digest" = "$two_digest" ] && same=yes
        awk -v c="$(field "$folder/2.json" contacts)" -v s="$(field "$folder/2.json" sweeps)" -v a="$one_seconds" \
            -v b="$two_seconds" -v sa="$one_setup_seconds" -v sb="$two_setup_seconds" -v wa="$one_work_seconds" \
            -v wb="$two_work_seconds" -v m="$(field "$folder/2.json" messages)" -v n="$(field "$folder/2.json" bytes)" \
            -v i="$free" -v e="$same" 'BEGIN {
                printf "| %d | %d | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.1f | %d | %d | %s |\n", c, s, a, b, b / a,
                    (b + sb) / (a + sa), wa, wb, wb / wa, m, n, i, e }'
        pair=$((pair + 1))
    done
done
