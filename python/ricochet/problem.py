"""The contact problem by itself: impulses with friction between given matrices."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from ._c import ffi, lib
from ._errors import BadArgument, BadInput, Error, check, text
from ._memory import Owner, doubles, own


class Report(NamedTuple):
    """How a solver ended."""

    stop: str
    iterations: int
    seconds: float
    note: str
    residual: Dict[str, float]


class Solution(NamedTuple):
    """What a solver found: impulse r, velocity u = W r + q, the residual that judges them."""

    impulse: np.ndarray
    velocity: np.ndarray
    residual: float
    converged: bool
    report: Report


class NotSolved(Error, ArithmeticError):
    """A solver did not come to its tolerance; ``solution`` is the best that it found."""

    status = "not solved"

    def __init__(self, message: str, solution: Solution) -> None:
        super().__init__(message)
        self.solution = solution


_STOPS: List[str] = [text(lib.rico_stop_name(i)) for i in range(lib.RICO_STOPS)]
_KINDS: Dict[str, int] = {text(lib.rico_block_describe(i).key): i for i in range(lib.RICO_BLOCK_KINDS)}
_BY_DIMENSION = {1: "unilateral", 2: "coulomb_2d", 3: "coulomb_3d"}
_RESIDUALS = [name for name, _ in ffi.typeof("rico_residual").fields]
_FIELDS = [name for name, _ in ffi.typeof("rico_block").fields if name not in ("kind", "size")]


def _columns(matrix: Any, what: str, keep: List[Any]):
    """A matrix in compressed columns, as C takes it: SciPy's, whatever its format, or dense."""
    if hasattr(matrix, "tocsc"):
        sparse = matrix.tocsc()
        rows, cols = sparse.shape
        start, row, value = sparse.indptr, sparse.indices, sparse.data
        if len(start) != cols + 1 or start[-1] > min(len(row), len(value)):
            raise BadInput(f"{what} holds {min(len(row), len(value))} entries, but its columns end at {start[-1]}")
        if np.iscomplexobj(value):
            raise BadArgument(f"{what} is complex")
    else:
        if np.iscomplexobj(matrix):
            raise BadArgument(f"{what} is complex")
        try:
            dense = np.asarray(matrix, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise BadArgument(f"{what} is not a matrix of numbers: {error}") from None
        if dense.ndim != 2:
            raise BadArgument(f"{what} has {dense.ndim} dimensions, expected 2")
        rows, cols = dense.shape
        col, row = np.nonzero(dense.T)
        value = dense.T[col, row]
        start = np.concatenate((np.zeros(1, np.int64), np.cumsum(np.bincount(col, minlength=cols))))
    arrays = [np.ascontiguousarray(start, dtype=np.int64), np.ascontiguousarray(row, dtype=np.int64),
              np.ascontiguousarray(value, dtype=np.float64)]  # fmt: skip
    out = ffi.new("rico_sparse_view *")
    out.rows, out.cols = rows, cols
    out.start = ffi.cast("int64_t *", arrays[0].ctypes.data)
    out.row = ffi.cast("int64_t *", arrays[1].ctypes.data)
    out.value = ffi.cast("double *", arrays[2].ctypes.data)
    keep += arrays + [out]
    return out


def _blocks(rows: int, mu: Any, dimension: int, blocks: Optional[Sequence[Mapping[str, Any]]]):
    """The blocks of a problem: contacts of one dimension with their friction, or whatever is listed."""
    if blocks is None:
        if dimension not in _BY_DIMENSION:
            raise BadArgument(f"dimension is {dimension}, expected 1, 2 or 3")
        if rows % dimension:
            raise BadArgument(f"{rows} rows are not a whole number of contacts of {dimension} rows")
        count = rows // dimension
        try:
            friction = np.asarray(0.0 if mu is None else mu, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise BadArgument(f"mu is not a number, nor one for each contact: {error}") from None
        if friction.shape not in ((), (count,)):
            raise BadArgument(f"mu has the shape {friction.shape}, expected one number or ({count},)")
        friction = np.broadcast_to(friction, (count,))
        listed = [{"kind": _BY_DIMENSION[dimension], "friction": value} for value in friction.tolist()]
        if dimension == 1 and mu is not None:
            raise BadArgument("contacts of one row have no friction; leave mu out")
    else:
        if mu is not None:
            raise BadArgument("mu stands in the blocks where these are given")
        listed = [dict(one) for one in blocks]
    array = ffi.new("rico_block[]", len(listed))
    for i, one in enumerate(listed):
        kind = one.pop("kind", None)
        if kind not in _KINDS:
            raise BadArgument(f"block {i} is of kind {kind!r}, expected one of {', '.join(_KINDS)}")
        array[i].kind = _KINDS[kind]
        array[i].size = one.pop("size", lib.rico_block_describe(_KINDS[kind]).size or 1)
        for name, value in one.items():
            if name not in _FIELDS:
                raise BadArgument(f"block {i} has '{name}', expected kind, size, {', '.join(_FIELDS)}")
            setattr(array[i], name, value)
    return array


class Problem:
    """u = W r + q with Coulomb's law (or another) between u and r, block by block; normal first in every contact.

    Matrices are SciPy's sparse ones or dense arrays; everything is copied. ``Problem.from_mass(M, H, f)`` takes the global form.
    A problem keeps its solver: solving again with another q costs no setup, and begins from the impulses of before.
    One thread at a time uses it.
    """

    def __init__(self, W: Any, q: Any, mu: Any = None, *, dimension: int = 3,
                 blocks: Optional[Sequence[Mapping[str, Any]]] = None) -> None:  # fmt: skip
        keep: List[Any] = []
        matrix = _columns(W, "W", keep)
        if matrix.rows != matrix.cols:
            raise BadArgument(f"W is {matrix.rows} x {matrix.cols}, expected a square matrix")
        vector = self._vector(q, matrix.rows, "q")
        listed = _blocks(matrix.rows, mu, dimension, blocks)
        self._begin(matrix.rows)
        made = ffi.new("rico_problem **")
        check(lib.rico_problem_create_reduced(self._owner.ctx, len(listed), listed, matrix, _pointer(vector), made), self._owner.ctx)
        self._own(made[0])

    @classmethod
    def from_mass(cls, M: Any, H: Any, f: Any, w: Any = None, mu: Any = None, *, dimension: int = 3,
                  blocks: Optional[Sequence[Mapping[str, Any]]] = None) -> "Problem":  # fmt: skip
        """M v = H r + f, u = H'v + w: H has a row for each velocity and a column for each row of the contacts."""
        keep: List[Any] = []
        mass, rows = _columns(M, "M", keep), _columns(H, "H", keep)
        if mass.rows != mass.cols or rows.rows != mass.rows:
            raise BadArgument(f"M is {mass.rows} x {mass.cols} and H {rows.rows} x {rows.cols}; H has as many rows as M")
        self = cls.__new__(cls)
        force = self._vector(f, mass.rows, "f")
        offset = self._vector(np.zeros(rows.cols) if w is None else w, rows.cols, "w")
        listed = _blocks(rows.cols, mu, dimension, blocks)
        self._begin(rows.cols)
        made = ffi.new("rico_problem **")
        check(lib.rico_problem_create_global(self._owner.ctx, len(listed), listed, mass, rows, _pointer(force), _pointer(offset), made),
              self._owner.ctx)  # fmt: skip
        self._own(made[0])
        return self

    @staticmethod
    def _vector(values: Any, count: int, what: str) -> np.ndarray:
        try:
            return doubles(values, count, what)
        except BadArgument as error:
            raise (BadInput if "nan" in str(error) or "inf" in str(error) else BadArgument)(str(error)) from None

    def _begin(self, rows: int) -> None:
        self._owner = Owner()
        self.rows: int = rows
        self._impulse = np.zeros(rows)
        self._solver: Any = None
        self._solver_part: Any = None
        self._settings: Optional[Tuple[str, Tuple[Tuple[str, Any], ...]]] = None

    def _own(self, problem) -> None:
        self._c, self._part = problem, own(self._owner, lib.RICO_PY_PROBLEM, problem)

    def set(self, q: Any) -> "Problem":
        """Another q on the same W."""
        check(lib.rico_problem_set_free_velocity(self._c, _pointer(self._vector(q, self.rows, "q"))), self._owner.ctx)
        if self._solver is not None:
            check(lib.rico_solver_update(self._solver), self._owner.ctx)
        return self

    def _prepare(self, name: str, options: Mapping[str, Any]):
        settings = (name, tuple(sorted(options.items())))
        if self._solver is not None and settings == self._settings:
            return self._solver
        ctx, made = self._owner.ctx, ffi.new("rico_solver **")
        check(lib.rico_solver_create(ctx, name.encode(), made), ctx)
        solver, part = made[0], own(self._owner, lib.RICO_PY_SOLVER, made[0], self._part)
        for key, value in options.items():
            word = key.replace("_", "-").encode()
            if isinstance(value, str):
                check(lib.rico_solver_set(solver, word, value.encode()), ctx)
            else:
                check(lib.rico_solver_set_number(solver, word, float(value)), ctx)
        check(lib.rico_solver_setup(solver, self._c), ctx)
        self._solver, self._solver_part, self._settings = solver, part, settings
        return solver

    def solve(self, guess: Any = None, *, solver: str = "auto", require: bool = True, **options: Any) -> Solution:
        """The impulses, from a guess or from those found last.

        Options are the solver's: ``tol=1e-10, max_iter=1000`` (`rico solvers` lists them). What does not come to its tolerance raises NotSolved;
        require=False returns it instead.
        """
        ctx = self._owner.ctx
        prepared = self._prepare(solver, options)
        r = (self._impulse if guess is None else self._vector(guess, self.rows, "guess")).copy()
        u, report = np.empty(self.rows), ffi.new("rico_report *")
        lib.rico_py_listen()
        outer = lib.rico_py_enter(ctx)
        try:
            status = lib.rico_solver_solve(prepared, _pointer(r), _pointer(u), report)
        finally:
            lib.rico_py_leave(ctx, outer)
        check(status, ctx)
        if report.stop == lib.RICO_STOPPED and lib.rico_py_heard():
            raise KeyboardInterrupt
        self._impulse = r
        residual = {name: getattr(report.residual, name) for name in _RESIDUALS}
        told = Report(_STOPS[report.stop], report.iterations, report.seconds, text(report.note), residual)
        found = Solution(r.copy(), u, residual["relative"], report.stop == lib.RICO_CONVERGED, told)
        if require and not found.converged:
            sentence = text(lib.rico_stop_sentence(report.stop))
            note = f" ({told.note})" if told.note else ""
            raise NotSolved(f"{solver}: {sentence}{note}; residual {found.residual:.3g} after {told.iterations} iterations", found)
        return found

    def residual(self, r: Any) -> Dict[str, float]:
        """How far impulses are from a solution, by the function that judges every solver."""
        out = ffi.new("rico_residual *")
        vector = self._vector(r, self.rows, "r")
        check(lib.rico_problem_residual(self._c, _pointer(vector), ffi.NULL, out), self._owner.ctx)
        return {name: getattr(out, name) for name in _RESIDUALS}

    def __repr__(self) -> str:
        return f"<ricochet.Problem of {lib.rico_problem_block_count(self._c)} blocks, {self.rows} rows>"


def _pointer(array: np.ndarray):
    return ffi.cast("double *", array.ctypes.data)


def solve(W: Any, q: Any, mu: Any = None, *, dimension: int = 3, blocks: Optional[Sequence[Mapping[str, Any]]] = None,
          guess: Any = None, solver: str = "auto", require: bool = True, **options: Any) -> Solution:  # fmt: skip
    """Impulses r of contacts with friction: u = W r + q, each contact obeying Signorini's condition and Coulomb's law.

    W is square, dense or of SciPy, in rows of (normal, tangent, tangent) for dimension=3, (normal, tangent) for 2, (normal) for 1; mu is one
    number or one for each contact. blocks=[{"kind": "coulomb_3d", "friction": 0.3}, {"kind": "equality", "size": 5}, ...] mixes kinds.

    >>> solve(np.eye(3) / 2, [-1.0, 3.0, 0.0], mu=0.5).impulse
    array([ 2., -1.,  0.])
    """
    return Problem(W, q, mu, dimension=dimension, blocks=blocks).solve(guess, solver=solver, require=require, **options)


def solvers() -> Dict[str, str]:
    """The solvers by name, with what each is in a line."""
    found: Dict[str, str] = {}
    index = 0
    while True:
        info = lib.rico_solver_at(index)
        if info == ffi.NULL:
            return found
        found[text(info.name)] = text(info.summary)
        index += 1
