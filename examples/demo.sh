#!/bin/sh
# The flagship: a stick falls on one end, under two laws of impact; the picture shows which of them creates energy.
#
# usage: examples/demo.sh [RICO] [OUTPUT-DIR]
set -eu
rico=${1:-build/rico}
out=${2:-out/demo}

rm -rf "$out"
mkdir -p "$out"
printf '$ %s reproduce stick --keep --output %s\n\n' "$rico" "$out"
if command -v gnuplot >/dev/null; then
    "$rico" reproduce stick --keep --output "$out"
else
    "$rico" reproduce stick --keep --output "$out" --no-figures
fi

cat <<TEXT

A stick strikes the ground with one end, twice, with perfect restitution and a little friction. Friction can only take
energy; yet under Newton's law of impact it brings 0.0007 J at the first one, and some of it is still there at the end.
Under Fremond's law, the same scheme at the same step takes energy at every impact. The ledger of both closes to
round-off, so that neither is an error of the integration: it is the law.

TEXT
if [ -f "$out/stick/friction.svg" ]; then
    printf 'The picture: %s (open it in a browser)\n' "$out/stick/friction.svg"
else
    printf 'No picture was drawn, since gnuplot is missing; tools/install-deps build installs it on Debian and Ubuntu.\n'
fi
printf 'The figures of the paper, and the results of both runs:\n'
find "$out" -type f ! -name friction.svg | sort | sed 's/^/    /'
printf '\nNext: docs/guide/first-scene.md, your own scene in five minutes.\n'
runs=$(find "$out" -name '*.h5' -type f | sort | head -n 2 | tr '\n' ' ')
[ -z "$runs" ] || printf 'To look at both in the browser, side by side: %s view %s\n' "$rico" "$runs"
