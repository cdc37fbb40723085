"""Runs into result files, and result files as arrays."""

from __future__ import annotations

import math
import os
import tempfile
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from ._c import ffi, lib
from ._errors import BadArgument, Unsupported, check, fail, text
from ._memory import Owner, own
from .scene import Scene, Source

_NUMBERS = {lib.RICO_NUMBER_REAL: np.float64, lib.RICO_NUMBER_INTEGER: np.int64, lib.RICO_NUMBER_UNSIGNED: np.uint64}


class Table(Mapping[str, np.ndarray]):
    """A table of a result: columns by name, each an array of rows, or of rows and entries. Read when they are asked for."""

    def __init__(self, results: "Results", index: int) -> None:
        self._results, self._index = results, index
        c = lib.rico_results_table(results._c, index)
        self.name, self.help, self.ragged = text(c.name), text(c.help), bool(c.ragged)
        self._columns: Dict[str, Tuple[int, Any, int]] = {}
        self.units: Dict[str, str] = {}
        for i in range(c.column_count):
            column = c.columns[i]
            self._columns[text(column.name)] = (i, _NUMBERS[column.number], column.width)
            self.units[text(column.name)] = text(column.unit)

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return lib.rico_results_rows(self._results._c, self._index)

    def __getitem__(self, name: str) -> np.ndarray:
        column, dtype, width = self._columns[name]
        count = lib.rico_results_items(self._results._c, self._index)
        out = np.empty((count, width) if width else count, dtype)
        if count:
            status = lib.rico_results_read(self._results._c, self._index, column, 0, count, ffi.cast("void *", out.ctypes.data))
            check(status, self._results._owner.ctx)
        return out

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def starts(self) -> np.ndarray:
        """Of a ragged table: row k has the items from starts[k] to starts[k+1] - 1."""
        if not self.ragged:
            raise BadArgument(f"the rows of table {self.name} have one item each")
        out = np.empty(self.rows + 1, np.int64)
        status = lib.rico_results_starts(self._results._c, self._index, 0, self.rows, ffi.cast("int64_t *", out.ctypes.data))
        check(status, self._results._owner.ctx)
        return out

    def to_dict(self) -> Dict[str, np.ndarray]:
        """Columns of one number each, as ``pandas.DataFrame`` takes them.

        Vectors become several columns, "gap[0]", "gap[1]", ...; q and v of states have the names of the scene. A ragged table has `row` first.
        """
        out: Dict[str, np.ndarray] = {}
        if self.ragged:
            out["row"] = np.repeat(np.arange(self.rows), np.diff(self.starts))
        for name, (_, _, width) in self._columns.items():
            values = self[name]
            if not width:
                out[name] = values
                continue
            entries = self._results._entry_names(name, width) or [f"{name}[{i}]" for i in range(width)]
            out.update({entry: values[:, i] for i, entry in enumerate(entries)})
        return out

    def __repr__(self) -> str:
        return f"<ricochet.Table {self.name}: {self.rows} rows of {', '.join(self._columns)}>"


class Results(Mapping[str, Table]):
    """What a run left, from its file or from memory: tables by name, notes, parameters.

    >>> results = ricochet.open("ball.h5")
    >>> results["state"]["q"].shape
    >>> pandas.DataFrame(results["total"].to_dict())
    """

    def __init__(self, owner: Owner, pointer, path: str) -> None:
        self._owner, self.path = owner, path
        self._c, self._part = pointer, own(owner, lib.RICO_PY_RESULTS, pointer)

    @classmethod
    def open(cls, path: Union[str, "os.PathLike[str]"]) -> "Results":
        """The results in a file, also while a run writes it."""
        owner, out = Owner(), ffi.new("rico_results **")
        check(lib.rico_results_open(owner.ctx, os.fsencode(path), out), owner.ctx)
        return cls(owner, out[0], os.fspath(path))

    def __getitem__(self, name: str) -> Table:
        at = lib.rico_results_find_table(self._c, name.encode())
        if at < 0:
            raise KeyError(name)
        return Table(self, at)

    def __iter__(self) -> Iterator[str]:
        for i in range(lib.rico_results_table_count(self._c)):
            yield text(lib.rico_results_table(self._c, i).name)

    def __len__(self) -> int:
        return lib.rico_results_table_count(self._c)

    def refresh(self) -> "Results":
        """Looks at the file again."""
        check(lib.rico_results_refresh(self._c), self._owner.ctx)
        return self

    @property
    def finished(self) -> bool:
        """Whether the run came to its end."""
        return bool(lib.rico_results_finished(self._c))

    @staticmethod
    def _value(note) -> Union[str, float, int]:
        if note.text != ffi.NULL:
            return text(note.text)
        return note.real if note.number == lib.RICO_NUMBER_REAL else note.integer

    @property
    def notes(self) -> Dict[str, Union[str, float, int]]:
        """The scene's text, versions, names."""
        found = (lib.rico_results_note(self._c, i) for i in range(lib.rico_results_note_count(self._c)))
        return {text(note.name): self._value(note) for note in found}

    @property
    def parameters(self) -> Dict[str, float]:
        """The parameters of the scene as the run had them."""
        found = (lib.rico_results_parameter(self._c, i) for i in range(lib.rico_results_parameter_count(self._c)))
        return {text(note.name): float(self._value(note)) for note in found}

    def _entry_names(self, column: str, width: int) -> Optional[List[str]]:
        note = {"q": "positions", "v": "velocities"}.get(column)
        names = str(self.notes.get(note, "")).split("\n")[:-1] if note else []
        return names if len(names) == width else None

    @property
    def t(self) -> np.ndarray:
        """Times of the rows of ``state``."""
        return self["state"]["t"]

    def column(self, name: str) -> np.ndarray:
        """A position or velocity over time by its name in the scene: ``results.column("x")``."""
        for entry in ("q", "v"):
            names = self._entry_names(entry, self["state"]._columns[entry][2]) or []
            if name in names:
                return self["state"][entry][:, names.index(name)]
        raise KeyError(name)

    def picture(self, t: Optional[float] = None, view: str = "iso") -> str:
        """The bodies at a time, the last unless given, as SVG."""
        if "bodies" not in self:
            raise Unsupported("the run has no bodies to draw")
        if view not in ("iso", "x", "y", "z"):
            raise BadArgument(f"the view is '{view}', expected iso, x, y or z")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "picture.svg")
            at = math.nan if t is None else float(t)
            check(lib.rico_py_picture(self._owner.ctx, self._c, view.encode(), at, path.encode()), self._owner.ctx)
            with open(path, encoding="utf-8") as file:
                return file.read().partition("?>")[2].lstrip()  # a page takes it without the line that says XML

    def page(self, path: Union[str, "os.PathLike[str]"], *, title: Optional[str] = None, frames: int = 1000) -> None:
        """The run as one HTML page to look at in any browser, as `rico view --html` writes it."""
        if frames < 2:
            raise BadArgument(f"frames is {frames}, expected at least 2")
        name = title or (os.path.basename(str(self.path)) if self.path else "run")
        check(lib.rico_py_page(self._owner.ctx, self._c, name.encode(), frames, os.fsencode(path)), self._owner.ctx)

    def __repr__(self) -> str:
        state = "finished" if self.finished else "not finished"
        return f"<ricochet.Results {self.path or 'in memory'}, {state}: {', '.join(self)}>"

    def _repr_html_(self) -> str:
        from html import escape

        drawing = self.picture() if "bodies" in self else ""
        rows = "".join(f"<tr><td>{escape(name)}</td><td>{table.rows}</td><td>{escape(', '.join(table))}</td></tr>" for name, table in self.items())
        return f"<p>{escape(repr(self))}</p>{drawing}<table><tr><th>table</th><th>rows</th><th>columns</th></tr>{rows}</table>"




def run(scene: Source, output: Union[None, str, "os.PathLike[str]"] = None, *, overwrite: bool = False,
        until: Optional[float] = None, most_steps: int = 0, resume: bool = False,
        derivatives: Optional[Tuple[Sequence[str], Sequence[str]]] = None) -> Results:  # fmt: skip
    """Runs a whole scene, as `rico run` does, into a file or, without one, into memory; the interpreter's lock is released.

    derivatives=(["x", "v_x"], ["mu", "x@0"]) carries derivatives of the first by the second along, into the table of that name. Ctrl-C closes the
    file with all up to the last step and raises KeyboardInterrupt.
    """
    given = scene if isinstance(scene, Scene) else Scene(scene)
    owner, options = Owner(), ffi.new("rico_runner_options *", lib.rico_runner_defaults())
    result, memory = ffi.new("rico_runner_result *"), ffi.new("rico_results **")
    keep: List[Any] = [ffi.new("char[]", os.fsencode(given._name))]
    options.scene = keep[0]
    if given._text is not None:
        keep.append(ffi.new("char[]", given._text.encode()))
        options.text = keep[-1]
    words = [ffi.new("char[]", one.encode()) for one in given.overrides]
    array = ffi.new("const char *[]", words)
    options.override_count, options.overrides = len(words), array
    path = None if output is None else os.fspath(output)
    if path is None:
        options.results = memory
    else:
        keep.append(ffi.new("char[]", os.fsencode(path)))
        options.output = keep[-1]
    options.overwrite, options.resume, options.most_steps = overwrite, resume, most_steps
    if until is not None:
        options.until = until
    if derivatives is not None:
        of, by = (ffi.new("char[]", ",".join(names).encode()) for names in derivatives)
        options.derivatives_of, options.derivatives_with = of, by
        keep += [of, by]
    lib.rico_py_listen()
    outer = lib.rico_py_enter(owner.ctx)
    try:
        status = lib.rico_runner_run(owner.ctx, options, result)
    finally:
        lib.rico_py_leave(owner.ctx, outer)
    results = None if memory[0] == ffi.NULL else Results(owner, memory[0], "")
    # a run that was asked for so many steps ends as an interrupt does
    asked = most_steps > 0 and status == lib.RICO_INTERRUPTED and not lib.rico_context_interrupted(owner.ctx)
    if status and not (asked and not lib.rico_py_heard()):
        fail(status, owner.ctx, text(result.excerpt).rstrip("\n"))
    return results if results is not None else Results.open(str(path))


def open_results(path: Union[str, "os.PathLike[str]"]) -> Results:
    """``Results.open()``."""
    return Results.open(path)
