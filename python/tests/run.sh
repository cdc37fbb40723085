#!/bin/sh
# Runs pytest over the module of a build, and counts as cmocka does; 77 where there is none.
#
# usage: run.sh PYTHON BUILD-DIR SOURCE-DIR
python=$1 build=$2 source=$3
if ! ls "$build"/python/ricochet/_c*.so >/dev/null 2>&1; then
    echo "The Python module was not built: make python builds it."
    exit 77
fi
if ! "$python" -c 'import pytest' 2>/dev/null; then
    echo "pytest is missing: tools/install-deps python installs it."
    exit 77
fi
report=$(mktemp)
trap 'rm -f "$report"' EXIT
PYTHONPATH=$build/python RICO_BUILD=$build RICO_SOURCE=$source PYTHONDONTWRITEBYTECODE=1 \
    "$python" -m pytest -q -p no:cacheprovider "$source/python/tests" >"$report" 2>&1
status=$?
cat "$report"
tail -n 1 "$report" | awk '{
    for (i = 1; i < NF; i++) {
        word = $(i + 1); sub(/,$/, "", word)
        if (word == "passed") printf "[  PASSED  ] %d test(s).\n", $i
        if (word == "failed") printf "[  FAILED  ] %d test(s).\n", $i
        if (word == "skipped") printf "[  SKIPPED ] %d test(s).\n", $i
    }
}'
exit $status
