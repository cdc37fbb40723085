"""Writes the C source of ricochet._c from the headers.

usage: build_module.py INCLUDE-DIR BRIDGE.H OUTPUT.C
"""

import sys
from pathlib import Path

import cffi

import declarations


def main(include, bridge, output):
    ffi = cffi.FFI()
    ffi.cdef(declarations.read(include))
    ffi.cdef(declarations.read_bridge(bridge))
    headers = sorted(path.name for path in (Path(include) / "ricochet").glob("*.h"))
    includes = [f'#include "ricochet/{name}"' for name in headers] + ['#include "bridge.h"']
    ffi.set_source("ricochet._c", "\n".join(includes) + "\n")
    Path(output).parent.mkdir(parents=True, exist_ok=True)
    ffi.emit_c_code(output)


if __name__ == "__main__":
    main(*sys.argv[1:])
