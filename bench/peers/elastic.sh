#!/bin/sh
# Runs benchmarks of elastic bodies with contact by Ricochet, CalculiX and GetFEM on the same meshes and prints them side by side.
#
# usage: bench/peers/elastic.sh [hertz|patch|wedge|cantilever]...
#
# Installs Debian's calculix-ccx and python3-getfem where they are missing. One thread; CPU seconds of one run each. Keeps the tables as
# bench/results-elastic.md; all input files and logs are left in out/elastic. docs/guide/benchmarks.md says how to read it.
set -eu
cd "$(dirname "$0")/../.."
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1

tools/install-deps elastic
cmake --preset release --log-level=WARNING >/dev/null
cmake --build build -j "${JOBS:-2}" --target rico

version() {
    dpkg-query -W -f '${Version}' "$1" 2>/dev/null || echo unknown
}
mkdir -p out/elastic
table=out/elastic/table.md
before=$(cut -d' ' -f1-3 /proc/loadavg)
{
    echo "# Elastic bodies: Ricochet beside CalculiX and GetFEM, $(date +%F)"
    echo
    echo "Printed by \`make bench-elastic\` (docs/guide/benchmarks.md says how to read it) on $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1)."
    echo "Ricochet $(build/rico --version | sed 's/^rico //;q'), CalculiX $(version calculix-ccx), GetFEM $(version python3-getfem). One thread, one run each, CPU seconds."
    echo "Load of the machine at the start, over 1, 5 and 15 minutes: $before."
    # Debian's own python3, for which its packages are
    /usr/bin/python3 bench/peers/elastic/run.py build/rico out/elastic "$@"
} >$table.part || { cat $table.part; exit 1; }
mv $table.part $table
cat $table
if [ $# = 0 ]; then
    cp $table bench/results-elastic.md
    echo "and in bench/results-elastic.md"
fi
