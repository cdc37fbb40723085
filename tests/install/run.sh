#!/bin/sh
# Installs a build into an empty folder and uses it from outside, as docs/guide/c-api.md tells people to.
#
# usage: run.sh SOURCE-DIR BUILD-DIR C-COMPILER SANITIZERS
set -eu
LC_ALL=C
export LC_ALL

source=$1 build=$2 cc=$3 sanitize=$4
here=$source/tests/install
flags='-std=c17 -Wall -Wextra -Wpedantic -Werror'
[ -z "$sanitize" ] || flags="$flags -fsanitize=$sanitize"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

problems=0
complain() {
    echo "FAILED: $*"
    problems=$((problems + 1))
}

# The puck of example.c slides: its answer is known by hand. A solver's zero may come as -0.
expected='converged: impulse 2.000000 -1.000000 0.000000, velocity 0.000000 2.500000 0.000000'
run() {
    answer=$("$@" | sed 's/-\(0\.0*\)\([ ,]\|$\)/\1\2/g') || answer="exit status not 0: $answer"
    [ "$answer" = "$expected" ] || complain "$1 printed '$answer', expected '$expected'"
}

# --- the installed tree

# DESTDIR and prefix both, as a packager does; the files must serve from where they landed
DESTDIR=$work/stage cmake --install "$build" --prefix /opt/ricochet >"$work/log" || { cat "$work/log"; exit 1; }
prefix=$work/stage/opt/ricochet
pc=$(find "$prefix" -name ricochet.pc)
libdir=$(dirname "$(dirname "$pc")")
PKG_CONFIG_PATH=$libdir/pkgconfig
export PKG_CONFIG_PATH

[ "$(pkg-config --modversion ricochet)" = "$("$prefix/bin/rico" --version | awk '{print $NF}')" ] ||
    complain "ricochet.pc and rico --version disagree"

# a path of this machine in a file that others will read is a bug
if grep -rnE "($build|$source|/usr/lib|/usr/include|$work)" "$libdir/cmake" "$pc"; then
    complain "paths of this machine were installed"
fi

# what `man rico` and bash's completion read, as the program would print it now
"$prefix/bin/rico" help --man | cmp -s - "$prefix/share/man/man1/rico.1" || complain "the manual page is not that of rico"
"$prefix/bin/rico" help --bash | cmp -s - "$prefix/share/bash-completion/completions/rico" ||
    complain "the completion for bash is not that of rico"

# --- the shared library's face

so=$libdir/libricochet.so
soname=$(readelf -d "$so" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
[ "$soname" = libricochet.so.0 ] || complain "soname is '$soname', expected libricochet.so.0"

# what it exports and what the installed headers declare are the same functions
nm -D --defined-only "$so" | awk '$2 ~ /^[A-Z]$/ {print $3}' | grep -v '^__\(odr_\)\?asan' | sort >"$work/exported"
cat "$prefix"/include/ricochet/*.h | sed 's://.*::' | grep -oE '\<rico_[a-z0-9_]+\(' | tr -d '(' | sort -u >"$work/declared"
extra=$(comm -23 "$work/exported" "$work/declared" | tr '\n' ' ')
lacking=$(comm -13 "$work/exported" "$work/declared" | tr '\n' ' ')
[ -s "$work/exported" ] || complain "the shared library exports nothing"
[ -z "$extra" ] || complain "exported, but in no public header: $extra"
[ -z "$lacking" ] || complain "declared in a public header, but not exported: $lacking"

# every header stands on its own, in C and in C++
for header in "$prefix"/include/ricochet/*.h; do
    name=ricochet/$(basename "$header")
    printf "#include <%s>\ntypedef int translation_unit_is_not_empty;\n" "$name" >"$work/header.c"
    $cc $flags -fsyntax-only $(pkg-config --cflags ricochet) "$work/header.c" || complain "$name does not stand on its own"
    if command -v c++ >/dev/null; then
        c++ -Wall -Wextra -Wpedantic -Werror -fsyntax-only -x c++ $(pkg-config --cflags ricochet) "$work/header.c" ||
            complain "$name is not C++"
    fi
done

# --- the example, by every way

example=$here/example.c

$cc $flags "$example" $(pkg-config --cflags --libs ricochet) -o "$work/shared"
run env LD_LIBRARY_PATH="$libdir" "$work/shared"
readelf -d "$work/shared" | grep -q 'NEEDED.*libricochet.so.0' || complain "pkg-config did not link the shared library"

$cc $flags "$example" $(pkg-config --cflags ricochet) -Wl,--as-needed \
    -Wl,-Bstatic $(pkg-config --libs ricochet) -Wl,-Bdynamic $(pkg-config --static --libs ricochet) -o "$work/static"
run "$work/static"
readelf -d "$work/static" | grep -q 'NEEDED.*libricochet' && complain "pkg-config --static linked the shared library"

cmake -S "$here/project" -B "$work/project" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" \
    -DCMAKE_C_FLAGS="$flags" -DEXAMPLE="$example" >"$work/log" 2>&1 &&
    cmake --build "$work/project" >>"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
run "$work/project/example_shared"
run "$work/project/example_static"

# --- the documentation's programs

# the C program of a document, the first or the one of that number, and what it is said to print
program_of() {
    awk -v wanted="${2:-1}" '/^```c$/ {inside = ++seen == wanted; next} /^```$/ {inside = 0} inside' "$1"
}
output_of() {
    awk -v wanted="$2" '/^```text$/ {inside = ++seen == wanted; next} /^```$/ {inside = 0} inside' "$1"
}
program_of "$source/docs/guide/c-api.md" | cmp - "$example" || complain "docs/guide/c-api.md and example.c differ"
program_of "$source/docs/guide/c-api.md" 2 | cmp - "$source/examples/run_scene.c" ||
    complain "docs/guide/c-api.md and run_scene.c differ"
$cc $flags "$source/examples/run_scene.c" $(pkg-config --cflags --libs ricochet) -lm -o "$work/run_scene"
LD_LIBRARY_PATH=$libdir "$work/run_scene" >"$work/run_scene.out" || complain "run_scene failed"
output_of "$source/docs/guide/c-api.md" 1 | cmp - "$work/run_scene.out" ||
    complain "run_scene prints something else than docs/guide/c-api.md says"
program_of "$source/README.md" >"$work/readme.c"
$cc $flags "$work/readme.c" $(pkg-config --cflags --libs ricochet) -o "$work/readme"
LD_LIBRARY_PATH=$libdir "$work/readme" || complain "the program of README.md failed"

guide=$source/docs/guide/simulation.md
number=0
for name in bouncing_ball stick_slip; do
    number=$((number + 1))
    program_of "$guide" $number | cmp - "$source/examples/$name.c" || complain "$guide and $name.c differ"
    $cc $flags "$source/examples/$name.c" $(pkg-config --cflags --libs ricochet) -lm -o "$work/$name"
    LD_LIBRARY_PATH=$libdir "$work/$name" >"$work/$name.out" || complain "$name failed"
    output_of "$guide" $number | cmp - "$work/$name.out" || complain "$name prints something else than $guide says"
done

[ "$problems" = 0 ] && echo "an installed copy works from outside"
