"""Exceptions: one for each status of the C library, with its sentence."""

from __future__ import annotations

from typing import NoReturn, Optional

from ._c import ffi, lib


class Error(Exception):
    """What the library refused or could not do, in its own sentence.

    ``status`` is the name of the C status ("bad input", ...), ``excerpt`` the line of the scene with a caret below it, or "".
    """

    status: str = "error"

    def __init__(self, message: str, excerpt: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.excerpt = excerpt

    def __str__(self) -> str:
        return f"{self.message}\n{self.excerpt}" if self.excerpt else self.message


class OutOfMemory(Error, MemoryError):
    """An allocation failed."""


class BadArgument(Error, ValueError):
    """The caller's fault: an unknown name, a value out of range, calls in the wrong order."""


class BadInput(Error, ValueError):
    """The data's fault: a scene, a file or a problem that contradicts itself or holds NaN."""


class IOFailure(Error, OSError):
    """The system could not open, read or write."""


class Singular(Error, ArithmeticError):
    """A matrix that had to be regular is not."""


class Unsupported(Error, NotImplementedError):
    """A method was asked for what it cannot do."""


class Interrupted(Error):
    """``Simulation.interrupt()`` was called. Ctrl-C raises KeyboardInterrupt instead."""


class Internal(Error, RuntimeError):
    """The library, or one below it, broke its own contract."""


class Busy(Error, RuntimeError):
    """Another thread, or a callback of this one, is inside the same simulation."""

    status = "busy"


_CLASSES = {
    lib.RICO_NO_MEMORY: OutOfMemory,
    lib.RICO_BAD_ARGUMENT: BadArgument,
    lib.RICO_BAD_INPUT: BadInput,
    lib.RICO_IO_ERROR: IOFailure,
    lib.RICO_SINGULAR: Singular,
    lib.RICO_UNSUPPORTED: Unsupported,
    lib.RICO_INTERRUPTED: Interrupted,
    lib.RICO_INTERNAL: Internal,
}
for _status, _class in _CLASSES.items():
    _class.status = ffi.string(lib.rico_status_name(_status)).decode()


def text(pointer) -> str:
    """A C string as Python's; "" for NULL."""
    return "" if pointer == ffi.NULL else ffi.string(pointer).decode("utf-8", "replace")


def fail(status: int, ctx, excerpt: str = "", message: Optional[str] = None) -> NoReturn:
    """Raises what a status other than RICO_OK stands for."""
    if status == lib.RICO_PY_BUSY:
        raise Busy("the simulation is running already, in another thread or around this callback")
    if status == lib.RICO_INTERRUPTED and lib.rico_py_heard():
        raise KeyboardInterrupt
    sentence = message if message is not None else text(lib.rico_message(ctx))
    raise _CLASSES.get(status, Internal)(sentence or "out of memory", excerpt)


def check(status: int, ctx) -> None:
    """Nothing, or the exception that belongs to the status."""
    if status:
        fail(status, ctx)
