"""NumPy arrays over memory of the library, and who keeps it."""

from __future__ import annotations

import logging
import threading
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from ._c import ffi, lib
from ._errors import OutOfMemory

_log = logging.getLogger("ricochet")


class Owner:
    """A context of C, with its scene and simulation, and the handles that C may call back through."""

    __slots__ = ("c", "ctx", "handles", "raised", "__weakref__")

    def __init__(self) -> None:
        made = lib.rico_py_create()
        if made == ffi.NULL:
            raise OutOfMemory("out of memory")
        self.c = ffi.gc(made, lib.rico_py_destroy)
        self.ctx = lib.rico_py_context(made)
        self.handles: List[Any] = []
        self.raised: Optional[BaseException] = None
        lib.rico_py_log_to(made, _LOG_HANDLE)

    def raise_pending(self) -> None:
        """The exception of a callback, as it was raised."""
        raised, self.raised = self.raised, None
        if raised is None and _stray:
            raised = _stray.pop(threading.get_ident(), None)
        if raised is not None:
            raise raised


# by thread: what was raised before a callback could catch it, which Ctrl-C may do at its very first line
_stray: Dict[int, BaseException] = {}


def keep_stray(_kind, value, _traceback) -> None:
    """What cffi calls for an exception that leaves a callback."""
    _stray[threading.get_ident()] = value


def own(owner: Owner, kind: int, pointer, on=ffi.NULL):
    """A handle that destroys an object of the library after all that stands on it, and before its context."""
    made = lib.rico_py_own(owner.c, on, kind, pointer)
    if made == ffi.NULL:
        raise OutOfMemory("out of memory")
    return ffi.gc(made, lib.rico_py_disown)


@ffi.def_extern()
def rico_py_call_log(_callback, _level, text):
    _log.warning("%s", ffi.string(text).decode("utf-8", "replace"))


_LOG_HANDLE = ffi.new_handle(_log)


class _Block:
    """Stands behind an array: keeps the simulation in C, and the block of memory that the array lies in.

    Not the Owner: arrays are no part of Python's collection of cycles, and a force function may well refer to its simulation.
    """

    __slots__ = ("__array_interface__", "_c", "_at")

    def __init__(self, owner: Owner, at, shape: Tuple[int, ...], typestr: Any, descr: Any, readonly: bool) -> None:
        self._at = ffi.NULL
        self._c = ffi.cast("rico_py *", owner.c)
        if not lib.rico_py_hold(owner.c, at):
            raise OutOfMemory("out of memory")
        self._at = at
        self.__array_interface__ = {
            "version": 3,
            "shape": shape,
            "typestr": typestr,
            "data": (int(ffi.cast("uintptr_t", at)), readonly),
        }
        if descr is not None:
            self.__array_interface__["descr"] = descr

    def __del__(self) -> None:
        if self._at != ffi.NULL:
            lib.rico_py_let_go(self._c, self._at)


def view(owner: Owner, at, count: int, dtype=np.float64, readonly: bool = True) -> np.ndarray:
    """`count` numbers at a pointer, without a copy."""
    if count == 0 or at == ffi.NULL:
        return np.empty(0, dtype)
    kind = np.dtype(dtype)
    return np.asarray(_Block(owner, ffi.cast("void *", at), (count,), kind.str, None, readonly))


def struct_view(owner: Owner, at, dtype: np.dtype) -> np.ndarray:
    """A C struct of numbers as an array without dimensions: ``ledger["kinetic"]``."""
    block = _Block(owner, ffi.cast("void *", at), (), dtype.str, dtype.descr, True)
    return np.asarray(block)


_SCALARS = {"double": "f8", "int64_t": "i8", "uint64_t": "u8", "int32_t": "i4", "int": "i4", "_Bool": "?"}


def dtype_of(name: str) -> np.dtype:
    """The dtype of a C struct of numbers, from its declaration in the headers."""
    names: List[str] = []
    formats: List[Any] = []
    offsets: List[int] = []
    ctype = ffi.typeof(name)
    for field, description in ctype.fields:
        kind, shape = description.type, None
        if kind.kind == "array":
            kind, shape = kind.item, kind.length
        code = "i4" if kind.kind == "enum" else _SCALARS.get(kind.cname)
        if code is None:
            continue
        names.append(field)
        formats.append((code, shape) if shape else code)
        offsets.append(description.offset)
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": ffi.sizeof(ctype)})


def doubles(values: Any, count: int, what: str) -> np.ndarray:
    """As many finite numbers as are asked for, contiguous; refused with their name."""
    from ._errors import BadArgument

    try:
        if np.iscomplexobj(values):
            raise TypeError("it is complex")
        array = np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise BadArgument(f"{what} is not an array of numbers: {error}") from None
    if array.shape != (count,):
        raise BadArgument(f"{what} has the shape {array.shape}, expected ({count},)")
    bad = np.flatnonzero(~np.isfinite(array))
    if bad.size:
        raise BadArgument(f"{what}[{bad[0]}] is {array[bad[0]]}")
    return array
