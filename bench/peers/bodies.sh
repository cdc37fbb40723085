#!/bin/sh
# Runs the same scenes of rigid bodies through Ricochet and other engines, side by side on this machine, and prints the tables.
#
# usage: bench/peers/bodies.sh [SCENE...]
#
# Scenes are patterns as in  'pyramid-*' heap ; all of them without any. Installs ODE and Bullet from Debian, and MuJoCo, Jolt and Rapier from npm into
# bench/peers/bodies/node_modules; builds; runs each scene through all engines before the next, ROUNDS times (3), each run in a process of its
# own, one thread, at most LIMIT CPU seconds (100); and keeps the tables as bench/results-bodies.md if all scenes were run. ONLY names the
# engines to run, as in ONLY='ours ode-quick20'; results of the others are kept in out/bodies.
set -eu
cd "$(dirname "$0")/../.."
here=bench/peers/bodies
scenes=out/bodies/scenes
results=out/bodies/results
rounds=${ROUNDS:-3}
limit=${LIMIT:-100}
wanted=${*:-'*'}
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1

B=build/peers-bodies
. $here/build.sh
mkdir -p $scenes $results out/bodies/logs
$B/generate $scenes


# --- one engine on one scene

fits() { # NAME PATTERNS
    for pattern in $2; do
        # shellcheck disable=SC2254  # it is a pattern
        case $1 in $pattern) return 0 ;; esac
    done
    return 1
}

run() { # SCENE ROUND
    seen=' '
    while IFS='|' read -r name patterns _ command; do
        case $name in '#'* | '') continue ;; esac
        # an engine has one line for a scene: the first that fits
        case $seen in *" $name "*) continue ;; esac
        fits "$1" "$patterns" || continue
        seen="$seen$name "
        case " ${ONLY:-$name} " in *" $name "*) ;; *) continue ;; esac
        result=$results/$1/$name.$2
        rm -f "$result"
        # a scene that took too long is not tried again
        [ "$2" = 1 ] || [ -f "$results/$1/$name.1" ] || continue
        words=$(echo "$command" | sed "s:\$B:$B:; s:\$N:$N:; s:\([a-z]*\.mjs\):$here/\1:; s:@:$scenes/$1.txt $result:")
        # shellcheck disable=SC2086  # words
        (ulimit -t "$limit" && exec $words) </dev/null >"out/bodies/logs/$1-$name.txt" 2>&1 ||
            echo "$1: $name did not finish (out/bodies/logs/$1-$name.txt)" >&2
    done <$here/contenders.txt
}

set -f
for path in $(set +f; echo $scenes/*.txt); do
    scene=$(basename "$path" .txt)
    fits "$scene" "$wanted" || continue
    mkdir -p "$results/$scene"
    # only speed needs more rounds than one, and WebAssembly that is compiled before the clock starts
    case $scene in
    heap | stack-* | pyramid-*) last=$rounds N=$node_compiled ;;
    *) last=1 N=node ;;
    esac
    round=1
    while [ $round -le "$last" ]; do
        run "$scene" $round
        round=$((round + 1))
    done
    echo "$scene done" >&2
done


# --- tables

tables=out/bodies/tables.md
{
    echo "# Rigid bodies: Ricochet beside other engines, $(date +%F)"
    echo
    echo "Printed by \`bench/peers/bodies.sh\` (docs/guide/benchmarks.md says how to read it) on"
    echo "$(sed -n 's/^model name[^:]*: //p;' /proc/cpuinfo | head -n 1), one thread, the least CPU time of $rounds rounds. Engines named wasm run as"
    echo "WebAssembly in node $(node --version). In each column the best is bold."
    $B/judge $scenes $results $here/contenders.txt
} >$tables
cat $tables
if [ "$wanted" = '*' ] && [ -z "${ONLY:-}" ]; then cp $tables bench/results-bodies.md; fi
