"""Scenes: from YAML files, from text, from dicts, from Python objects."""

from __future__ import annotations

import json
import math
import os
import re
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from ._c import ffi, lib
from ._errors import BadInput, fail, text
from ._memory import Owner

if TYPE_CHECKING:
    from .simulation import Simulation

Source = Union[str, "os.PathLike[str]", Mapping[str, Any], "Model", "Scene"]

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*")
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")


def _scalar(value: Any, where: str) -> Optional[str]:
    """A value as YAML writes it on one line; None for lists and mappings."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        if not math.isfinite(value):
            raise BadInput(f"{where} is {value}, which is no number that a scene can hold")
        return repr(float(value))
    if isinstance(value, str):
        plain = str(value)
        return plain if _PLAIN.fullmatch(plain) and plain != "null" else json.dumps(plain, ensure_ascii=False)
    if isinstance(value, os.PathLike):
        return _scalar(os.fspath(value), where)
    return None


def _flow(value: Any, where: str) -> Optional[str]:
    """A list of scalars, or of such lists, on one line; None where a mapping is inside."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    one = _scalar(value, where)
    if one is not None:
        return one
    if not isinstance(value, (list, tuple, range)):
        return None
    items = [_flow(item, f"{where}[{i}]") for i, item in enumerate(value)]
    return None if any(item is None for item in items) else "[" + ", ".join(map(str, items)) + "]"


def _lines(value: Any, indent: str, where: str) -> Iterator[str]:
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, Mapping):
        for key, item in value.items():
            if not isinstance(key, str):
                raise BadInput(f"{where or 'the scene'} has the key {key!r}, which is not a text")
            name = str(key) if _KEY.fullmatch(key) else json.dumps(str(key), ensure_ascii=False)
            yield from _entry(f"{indent}{name}:", item, indent, f"{where}.{key}" if where else str(key))
    else:
        for i, item in enumerate(value):
            yield from _entry(f"{indent}-", item, indent, f"{where}[{i}]")


def _entry(head: str, item: Any, indent: str, where: str) -> Iterator[str]:
    if hasattr(item, "to_scene"):
        item = item.to_scene()
    if item is None:
        raise BadInput(f"{where} is None; leave the key out")
    flow = _flow(item, where)
    if flow is not None:
        yield f"{head} {flow}"
    elif isinstance(item, Mapping) and not item:
        yield f"{head} {{}}"
    elif isinstance(item, (Mapping, list, tuple)):
        yield head
        yield from _lines(item, indent + "  ", where)
    else:
        raise BadInput(f"{where} is of type {type(item).__name__}; numbers, texts, lists, arrays and dicts make a scene")


def to_yaml(data: Mapping[str, Any]) -> str:
    """The YAML text of a scene given as a dict.

    Numbers keep every bit; NumPy arrays and numbers count as lists and numbers. Refused with the place: NaN and infinities, None, keys
    that are not texts, other types. An object may have a method ``to_scene()`` that returns any of these.
    """
    if not isinstance(data, Mapping):
        raise BadInput(f"a scene is a mapping, got {type(data).__name__}")
    try:
        return "\n".join(_lines(data, "", "")) + "\n"
    except RecursionError:
        raise BadInput("the scene contains itself, or is nested far too deeply") from None


class Entry(str):
    """Something of a Model by its name, which it can be used as; ``keys`` is what stands below the name in the scene."""

    keys: Dict[str, Any]

    def __new__(cls, name: str, keys: Dict[str, Any]) -> "Entry":
        made = super().__new__(cls, name)
        made.keys = keys
        return made

    def __repr__(self) -> str:
        inside = ", ".join(f"{key}={value!r}" for key, value in self.keys.items())
        return f"<{str(self)}: {inside}>"


class Model:
    """A scene built from Python, piece by piece.

    >>> model = Model(title="ball", gravity=[0, 0, -9.81])
    >>> rubber = model.material("rubber", friction=0.6, restitution=0.7)
    >>> ground = model.body("ground", shape="plane", fixed=True, material=rubber)
    >>> ball = model.body("ball", shape={"sphere": 0.06}, density=900, position=[0, 0, 0.7], material=rubber)
    >>> sim = model.time(end=1.5, step=1e-3).simulate()

    What each method adds is an Entry, a str of that name, so that it may stand wherever the scene wants the name. Keys are those of the
    reference of scenes (docs/guide/scenes.md); the library checks them when the scene is read.
    """

    def __init__(self, **keys: Any) -> None:
        self._data: Dict[str, Any] = dict(keys)

    def add(self, section: str, name: str, **keys: Any) -> Entry:
        """An entry of any section: ``model.add("beams", "spring", ...)``."""
        entries = self._data.setdefault(section, {})
        if name in entries:
            raise BadInput(f"{section} has an entry '{name}' already")
        entry = Entry(name, dict(keys))
        entries[str(name)] = entry.keys
        return entry

    def part(self, name: str, **keys: Any) -> Entry:
        """What moves by formulas or matrices: coordinates, mass, potential, force."""
        return self.add("parts", name, **keys)

    def body(self, name: str, **keys: Any) -> Entry:
        """A rigid body: shape, density or mass, position, material, fixed."""
        return self.add("bodies", name, **keys)

    def material(self, name: str, **keys: Any) -> Entry:
        """How bodies of it meet: friction, restitution."""
        return self.add("materials", name, **keys)

    def contact(self, name: str, **keys: Any) -> Entry:
        """A contact by formulas: gap, tangent, restitution, friction."""
        return self.add("contacts", name, **keys)

    def joint(self, name: str, **keys: Any) -> Entry:
        """What is held together or driven."""
        return self.add("joints", name, **keys)

    def spring(self, name: str, **keys: Any) -> Entry:
        """A spring and damper between parts or bodies."""
        return self.add("springs", name, **keys)

    def force(self, name: str, **keys: Any) -> Entry:
        """A force by a potential or by formulas."""
        return self.add("forces", name, **keys)

    def parameter(self, name: str, value: Union[float, str]) -> str:
        """A name for a number, which ``Scene.set()`` replaces; formulas may use it."""
        self._data.setdefault("parameters", {})[name] = value
        return name

    def initial(self, **keys: Any) -> "Model":
        """Positions and velocities to start from: ``position={"y": 1}``."""
        self._data["initial"] = keys
        return self

    def time(self, **keys: Any) -> "Model":
        """end, step, ..."""
        self._data["time"] = keys
        return self

    def scheme(self, name: str, **options: Any) -> "Model":
        """How time advances."""
        self._data["scheme"] = {"name": name, **options} if options else name
        return self

    def to_scene(self) -> Dict[str, Any]:
        """The scene as a dict."""
        return self._data

    def scene(self) -> "Scene":
        """The scene as it stands now."""
        return Scene(self)

    def simulate(self, **how: Any) -> "Simulation":
        """``Scene.simulate()`` of it."""
        return self.scene().simulate(**how)

    def __repr__(self) -> str:
        counts = ", ".join(f"{len(v)} {k}" for k, v in self._data.items() if isinstance(v, dict) and k not in ("time", "initial", "scheme"))
        return f"<ricochet.Model {self._data.get('title', '')!r}: {counts or 'empty'}>"


class Scene:
    """What moves, what touches, how time advances: a file, a text, a dict or a Model, with values of its parameters.

    A scene never changes: ``set()`` makes another. It is read, and checked, when it is simulated or asked about.
    """

    def __init__(self, source: Source, *, name: Optional[str] = None, overrides: Sequence[str] = ()) -> None:
        self._overrides: Tuple[str, ...] = tuple(overrides)
        self._name: str
        self._text: Optional[str] = None
        self._info: Optional[Dict[str, Any]] = None
        if isinstance(source, Scene):
            self._name, self._text = source._name, source._text
            self._overrides = source._overrides + self._overrides
        elif isinstance(source, Model):
            self._name, self._text = name or "model", to_yaml(source.to_scene())
        elif isinstance(source, Mapping):
            self._name, self._text = name or "dict", to_yaml(source)
        elif isinstance(source, (str, os.PathLike)) and not isinstance(source, Entry):
            self._name = os.fspath(source)
            if "\n" in self._name:
                raise BadInput("a scene is given by its path; ricochet.Scene.parse() takes text")
        else:
            raise BadInput(f"a scene is a path, a dict or a Model, got {type(source).__name__}")

    @classmethod
    def parse(cls, text: str, *, name: str = "text") -> "Scene":
        """A scene from YAML text; messages call it `name`, and files that it names are sought beside that."""
        made = cls.__new__(cls)
        made._overrides, made._text, made._name, made._info = (), text, name, None
        return made

    def set(self, values: Optional[Mapping[str, Any]] = None, **named: Any) -> "Scene":
        """The scene with other values: ``scene.set(mu=0.3)``, ``scene.set({"time.step": 1e-4, "scheme": "hht"})``."""
        more = []
        for key, value in {**(values or {}), **named}.items():
            one = str(value) if isinstance(value, str) else _scalar(value, key)
            if one is None:
                raise BadInput(f"{key} is of type {type(value).__name__}; a number or a text replaces a value of a scene")
            more.append(f"{key}={one}")
        return Scene(self, overrides=more)

    @property
    def text(self) -> str:
        """The YAML text."""
        if self._text is None:
            with open(self._name, encoding="utf-8") as file:
                return file.read()
        return self._text

    @property
    def overrides(self) -> Tuple[str, ...]:
        """What ``set()`` has replaced, "name=value" each."""
        return self._overrides

    # --- what C reads

    def _options(self, keep: List[Any]):
        excerpt = ffi.new("char[]", 512)
        options = ffi.new("rico_scene_options *")
        words = [ffi.new("char[]", one.encode()) for one in self._overrides]
        array = ffi.new("const char *[]", words)
        name = ffi.new("char[]", os.fsencode(self._name))
        options.path, options.excerpt, options.excerpt_size = name, excerpt, 512
        options.override_count, options.overrides = len(words), array
        keep += [excerpt, words, array, name]
        if self._text is not None:
            raw = self._text.encode()
            content = ffi.new("char[]", raw)
            options.text, options.length = content, len(raw)
            keep.append(content)
        return options, excerpt

    def _open(self, owner: Owner, forces: bool = False, callback=ffi.NULL) -> None:
        keep: List[Any] = []
        options, excerpt = self._options(keep)
        status = lib.rico_py_open(owner.c, options, forces, callback)
        if status:
            owner.raise_pending()
            fail(status, owner.ctx, text(excerpt).rstrip("\n"))

    def _ask(self) -> Dict[str, Any]:
        if self._info is None:
            owner = Owner()
            self._open(owner)
            scene = lib.rico_py_scene(owner.c)
            value, parameters, index = ffi.new("double *"), {}, 0
            while True:
                name = lib.rico_scene_parameter(scene, index, value)
                if name == ffi.NULL:
                    break
                parameters[text(name)] = value[0]
                index += 1
            times = lib.rico_scene_times(scene)
            self._info = {
                "title": text(lib.rico_scene_title(scene)),
                "scheme": text(lib.rico_scene_scheme(scene)),
                "parameters": parameters,
                "time": {"start": times.start, "end": times.end, "step": times.step, "every": times.every},
            }
        return self._info

    @property
    def title(self) -> str:
        """Its title."""
        return self._ask()["title"]

    @property
    def scheme(self) -> str:
        """The name of its scheme."""
        return self._ask()["scheme"]

    @property
    def parameters(self) -> Dict[str, float]:
        """Its parameters in the order of the file, formulas and ``set()`` done."""
        return dict(self._ask()["parameters"])

    @property
    def time(self) -> Dict[str, float]:
        """start, end, step, every."""
        return dict(self._ask()["time"])

    def check(self) -> "Scene":
        """Reads and checks it; raises BadInput with file, line and column where it makes no sense."""
        self._info = None
        self._ask()
        return self

    def simulate(self, *, forces: Union[bool, Callable[..., None]] = False) -> "Simulation":
        """A simulation at the initial state.

        forces=True gives it ``sim.force``, an array that acts on its velocities until it is changed; a function ``f(t, q, v, out)`` adds
        to that at every evaluation of the forces (docs/guide/python.md tells what that costs).
        """
        from .simulation import Simulation

        return Simulation(self, forces=forces)

    def __repr__(self) -> str:
        with_ = " with " + ", ".join(self._overrides) if self._overrides else ""
        return f"<ricochet.Scene {self._name}{with_}>"


def load(source: Source, values: Optional[Mapping[str, Any]] = None, **named: Any) -> "Simulation":
    """A simulation of a scene in one call: ``ricochet.load("ball.yaml", e=0.9)``."""
    scene = Scene(source)
    return (scene.set(values, **named) if values or named else scene).simulate()
