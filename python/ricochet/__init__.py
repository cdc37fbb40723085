"""Ricochet: mechanics with contact, impact and dry friction, exactly.

>>> import ricochet
>>> sim = ricochet.load("ball.yaml", e=0.9)
>>> sim.run(until=1.0)
>>> sim["y"], sim.ledger["normal"]

Scenes come from YAML files (``Scene(path)``), text (``Scene.parse``), dicts (``Scene(dict)``) and Python objects (``Model``). ``solve(W, q, mu)``
is the friction problem by itself, ``run`` writes result files and ``open`` reads them. Every function of the C library is in ``lib``, with ``ffi``
to call it. docs/guide/python.md explains.
"""

import threading as _threading

from ._c import ffi, lib

lib.rico_py_main_thread(_threading.main_thread().ident)

from ._errors import (  # noqa: E402
    BadArgument, BadInput, Busy, Error, Internal, Interrupted, IOFailure, OutOfMemory, Singular, Unsupported,
)  # fmt: skip
from .orbits import Orbit, find_orbit  # noqa: E402
from .problem import NotSolved, Problem, Report, Solution, solve, solvers  # noqa: E402
from .results import Results, Table, run  # noqa: E402
from .results import open_results as open  # noqa: E402
from .scene import Entry, Model, Scene, load, to_yaml  # noqa: E402
from .simulation import Body, Derivatives, Run, Simulation, Trajectory  # noqa: E402

__version__: str = ffi.string(lib.rico_version()).decode()
__all__ = [
    "BadArgument", "BadInput", "Body", "Busy", "Derivatives", "Entry", "Error", "IOFailure", "Internal", "Interrupted", "Model", "NotSolved",
    "Orbit", "OutOfMemory", "Problem", "Report", "Results", "Run", "Scene", "Simulation", "Singular", "Solution", "Table", "Trajectory",
    "Unsupported", "ffi", "find_orbit", "lib", "load", "open", "run", "solve", "solvers", "to_yaml",
]  # fmt: skip
