"""Simulations: steps in C, state without copies."""

from __future__ import annotations

import os
import tempfile
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple, Union

import numpy as np

from ._c import ffi, lib
from ._errors import BadArgument, Unsupported, check, fail, text
from ._memory import Owner, doubles, dtype_of, keep_stray, own, struct_view, view
from .scene import Scene, Source

_step = lib.rico_py_step
_LEDGER = dtype_of("rico_ledger")
_STATISTICS = dtype_of("rico_step_stats")
_CONTACT = dtype_of("rico_py_contact")
_STATES = np.array(["open", "sticking", "sliding", "no law"])
ForceFunction = Callable[[float, np.ndarray, np.ndarray, np.ndarray], None]
StepFunction = Callable[["Simulation"], Optional[bool]]


class _Force:
    """What a force handle of C points at, with the arrays over the few places where C has states and forces."""

    __slots__ = ("function", "owner", "states", "forces")

    def __init__(self, function: ForceFunction, owner: Owner) -> None:
        self.function, self.owner = function, owner
        self.states: Dict[Any, np.ndarray] = {}
        self.forces: Dict[Any, np.ndarray] = {}

    def array(self, known: Dict[Any, np.ndarray], pointer, count: int, readonly: bool) -> np.ndarray:
        """A view that stays valid memory even where the function keeps it."""
        if len(known) >= 32:
            known.clear()
        made = known[pointer, count] = view(self.owner, pointer, count, readonly=readonly)
        return made


@ffi.def_extern(error=False, onerror=keep_stray)
def rico_py_call_force(callback, t, q, v, f, positions, velocities):
    force = ffi.from_handle(callback)
    try:
        states, forces = force.states, force.forces
        now = states.get((q, positions))
        if now is None:
            now = force.array(states, q, positions, True)
        rate = states.get((v, velocities))
        if rate is None:
            rate = force.array(states, v, velocities, True)
        out = forces.get((f, velocities))
        if out is None:
            out = force.array(forces, f, velocities, False)
        force.function(t, now, rate, out)
        return True
    except BaseException as error:  # handed on by whoever called into C
        force.owner.raised = error
        return False


@ffi.def_extern(error=False, onerror=keep_stray)
def rico_py_call_step(callback):
    function, sim = ffi.from_handle(callback)
    try:
        return function(sim) is not False
    except BaseException as error:
        sim._owner.raised = error
        return False


class Trajectory:
    """Times, positions and velocities that ``Simulation.run(record=...)`` kept: ``trajectory["x"]`` by name."""

    def __init__(self, rows: np.ndarray, names: List[str], velocity_names: List[str]) -> None:
        self.t: np.ndarray = rows[:, 0]
        self.q: np.ndarray = rows[:, 1 : 1 + len(names)]
        self.v: np.ndarray = rows[:, 1 + len(names) :]
        self.names, self.velocity_names = names, velocity_names

    def __len__(self) -> int:
        return len(self.t)

    def __getitem__(self, name: str) -> np.ndarray:
        if name == "t":
            return self.t
        if name in self.names:
            return self.q[:, self.names.index(name)]
        if name in self.velocity_names:
            return self.v[:, self.velocity_names.index(name)]
        raise KeyError(name)

    def to_dict(self) -> Dict[str, np.ndarray]:
        """Columns by name, as ``pandas.DataFrame`` takes them."""
        return {name: self[name] for name in ["t", *self.names, *self.velocity_names]}

    def __repr__(self) -> str:
        return f"<ricochet.Trajectory of {len(self)} rows, {', '.join(self.names[:6])}{', ...' if len(self.names) > 6 else ''}>"


class Run(NamedTuple):
    """How ``Simulation.run()`` went."""

    steps: int
    rejected: int
    blows: int
    stopped: bool
    h_smallest: float
    h_largest: float
    trajectory: Optional[Trajectory]


class Body:
    """A rigid body of a simulation, by name. Arrays without "copy" in their description are views, valid as ``Simulation.q`` is."""

    _TYPES = ("free", "fixed", "moved")

    def __init__(self, sim: "Simulation", index: int) -> None:
        self._sim, self.index = sim, index
        self.name = text(lib.rico_bodies_name(sim._bodies, index))
        self.type = self._TYPES[lib.rico_bodies_type(sim._bodies, index)]
        self.mass: float = lib.rico_bodies_mass(sim._bodies, index)
        self._q: int = lib.rico_bodies_position(sim._bodies, index)
        self._v: int = lib.rico_bodies_velocity(sim._bodies, index)

    def _stand(self):
        sim, stand = self._sim, ffi.new("rico_stand *")
        q = lib.rico_simulation_position(sim._sim) + sim._place.q
        if not lib.rico_bodies_stand(sim._bodies, self.index, sim.time, q, stand):
            raise Unsupported(f"the motion of body {self.name} has no value at t = {sim.time:.17g}")
        return stand

    @property
    def position(self) -> np.ndarray:
        """Where its own axes stand, as the scene writes it (a copy)."""
        return np.array(list(self._stand().position))[: 2 if self._sim.planar else 3]

    @property
    def orientation(self) -> np.ndarray:
        """A unit quaternion from its own axes to the world's, the scalar first (a copy)."""
        return np.array(list(self._stand().orientation))

    def _slice(self, whole: np.ndarray, first: int, base: int, begin: int, end: int) -> np.ndarray:
        if first < 0:
            raise Unsupported(f"body {self.name} is {self.type}: it has no coordinates")
        return whole[base + first + begin : base + first + end]

    @property
    def center(self) -> np.ndarray:
        """Its center of mass (a view)."""
        return self._slice(self._sim.q, self._q, self._sim._place.q, 0, 2 if self._sim.planar else 3)

    @property
    def velocity(self) -> np.ndarray:
        """Of the center of mass, in the axes of the world (a view)."""
        return self._slice(self._sim.v, self._v, self._sim._place.v, 0, 2 if self._sim.planar else 3)

    @property
    def spin(self) -> np.ndarray:
        """Angular velocity, in the axes of the body; in the plane one number (a view)."""
        planar = self._sim.planar
        return self._slice(self._sim.v, self._v, self._sim._place.v, 2 if planar else 3, 3 if planar else 6)

    @property
    def force(self) -> np.ndarray:
        """What acts on it: a force at the center in the axes of the world, then a torque in its own (a writable view of ``Simulation.force``)."""
        return self._slice(self._sim.force, self._v, self._sim._place.v, 0, 3 if self._sim.planar else 6)

    @property
    def kinetic(self) -> float:
        """Its kinetic energy."""
        sim = self._sim
        return lib.rico_bodies_kinetic(sim._bodies, self.index, lib.rico_simulation_velocity(sim._sim) + sim._place.v)

    def __repr__(self) -> str:
        return f"<ricochet.Body {self.name}, {self.type}, at {np.array2string(self.position, precision=6)}>"


class Simulation:
    """A scene in motion.

    Steps and runs are loops in C, without the interpreter and its lock: simulations on several threads run at the same time. One simulation is
    used by one thread at a time; a second one gets ``Busy``.

    ``q``, ``v``, ``ledger``, ``total`` and ``statistics`` are views of the simulation's own memory: made once, current after every step, for
    as long as they are kept. ``impulse``, ``gap`` and the others that have an entry for each row of the contacts are views of the last step, and
    follow the next ones in scenes whose contacts are listed; where bodies meet, ask for them anew after each step: an old one still reads
    memory that is there, with numbers that are out of date. Every view keeps the simulation alive. All but ``force`` are read-only.
    """

    __slots__ = ("_owner", "_c", "_sim", "_h", "_q", "_v", "_names", "_velocity_names", "_bodies", "_place", "_source",
                 "_lookup", "_times", "_held", "_traced", "scene", "planar", "__weakref__")  # fmt: skip

    def __init__(self, scene: Source, *, forces: Union[bool, ForceFunction] = False) -> None:
        self.scene: Scene = scene if isinstance(scene, Scene) else Scene(scene)
        owner = Owner()
        lib.rico_py_listen()
        callback = ffi.NULL
        if callable(forces):
            callback = ffi.new_handle(_Force(forces, owner))
            owner.handles.append(callback)
        self.scene._open(owner, bool(forces), callback)
        self._owner, self._c = owner, owner.c
        self._sim = lib.rico_py_simulation(owner.c)
        read = lib.rico_py_scene(owner.c)
        self._times = lib.rico_scene_times(read)
        self._h: float = self._times.step
        system = lib.rico_scene_system(read)
        nq, nv = lib.rico_system_positions(system), lib.rico_system_velocities(system)
        self._q = view(owner, lib.rico_simulation_position(self._sim), nq)
        self._v = view(owner, lib.rico_simulation_velocity(self._sim), nv)
        held = lib.rico_py_held(owner.c)
        self._held = view(owner, held, nv, readonly=False) if held != ffi.NULL else None
        self._names = self._read_names(lib.rico_scene_position_name, read, nq)
        self._velocity_names = self._read_names(lib.rico_scene_velocity_name, read, nv)
        self._lookup: Optional[Dict[str, Any]] = None
        place, source = ffi.new("rico_place *"), ffi.new("int64_t *")
        self._bodies = lib.rico_scene_body_set(read, place, source)
        self._place, self._source = place, source[0] if self._bodies != ffi.NULL else -1
        self.planar: bool = self._bodies != ffi.NULL and not any(name.endswith(".q0") for name in self._names)
        self._traced: Optional[Trajectory] = None

    @staticmethod
    def _read_names(ask, scene, count: int) -> List[str]:
        name, names = ffi.new("char[]", lib.RICO_SCENE_NAME), []
        for i in range(count):
            ask(scene, i, name)
            names.append(text(name))
        return names

    # --- time

    def step(self, n: int = 1, h: Optional[float] = None) -> None:
        """n steps of length h (the scene's unless given), in one call of C. A step that fails leaves the state as it was before it."""
        status = _step(self._c, self._h if h is None else h, n)
        if status:
            self._failed(status)

    def _failed(self, status: int) -> None:
        self._owner.raise_pending()
        if status == lib.RICO_PY_NEGATIVE:
            raise BadArgument("the number of steps must not be negative")
        fail(status, self._owner.ctx)

    def run(self, until: Optional[float] = None, *, h: Optional[float] = None, record: int = 0,
            on_step: Optional[StepFunction] = None, adaptive: Optional[bool] = None, rtol: Optional[float] = None,
            atol: Optional[float] = None, exact_end: bool = True) -> Run:  # fmt: skip
        """Steps until a time, the scene's end unless given, in one call of C.

        record=k keeps time, positions and velocities at the start and after every k-th step (``Run.trajectory``; also ``recorded``, which is there
        after Ctrl-C too). on_step(sim) is called after each step; it may write to ``sim.force``, and stops the run by returning False. Steps
        are fixed or adaptive as the scene says. Ctrl-C stops the run at the end of a step and raises KeyboardInterrupt; the state is that of the last step
        and the run may go on.
        """
        if record < 0:
            raise BadArgument(f"record is {record}, expected 0 or a number of steps")
        times, report = self._times, ffi.new("rico_run_report *")
        end = times.end if until is None else float(until)
        if until is None and end <= self.time:
            return Run(0, 0, 0, False, 0.0, 0.0, None)
        options = ffi.new("rico_run_options *", lib.rico_run_defaults(self._h if h is None else h))
        options.exact_end = exact_end
        options.adaptive = times.adaptive if adaptive is None else adaptive
        if times.adaptive:
            options.rtol, options.atol = times.rtol, times.atol
            options.max_steps = times.max_steps
            if times.impact_step > 0.0:
                options.h_impact = times.impact_step
        if rtol is not None:
            options.rtol = rtol
        if atol is not None:
            options.atol = atol
        handle = ffi.new_handle((on_step, self)) if on_step is not None else ffi.NULL
        lib.rico_py_listen()
        status = lib.rico_py_run(self._c, end, options, record, handle, report)
        self._owner.raise_pending()
        if status:
            self._failed(status)
        return Run(report.accepted, report.rejected, report.blows, bool(report.stopped), report.h_smallest, report.h_largest,
                   self.recorded if record else None)  # fmt: skip

    def _take_trace(self) -> Trajectory:
        rows = ffi.new("int64_t *")
        width = 1 + len(self._names) + len(self._velocity_names)
        at = lib.rico_py_trace(self._c, rows)
        kept = np.empty((0, width))
        if rows[0] > 0:
            kept = np.frombuffer(ffi.buffer(at, 8 * rows[0] * width), dtype=np.float64).reshape(-1, width).copy()
        lib.rico_py_trace_clear(self._c)
        return Trajectory(kept, self._names, self._velocity_names)

    @property
    def recorded(self) -> Optional[Trajectory]:
        """What the last ``run(record=...)`` kept, also where it was stopped."""
        if lib.rico_py_trace(self._c, ffi.new("int64_t *")) != ffi.NULL:
            self._traced = self._take_trace()
        return self._traced

    def interrupt(self) -> None:
        """Asks what runs in this simulation to stop, from any thread; it raises ``Interrupted`` there, the state intact."""
        lib.rico_context_interrupt(self._owner.ctx)

    def start(self, q: Any = None, v: Any = None, t: Optional[float] = None) -> "Simulation":
        """Begins anew, from given positions and velocities or those of the scene."""
        scene = lib.rico_py_scene(self._c)
        first = self._times.start if t is None else float(t)
        keep, given = [], []
        for values, initial, names, what in (
            (q, lib.rico_scene_position(scene), self._names, "q"),
            (v, lib.rico_scene_velocity(scene), self._velocity_names, "v"),
        ):
            if values is None:
                given.append(initial)
                continue
            keep.append(doubles(values, len(names), what).copy())
            given.append(ffi.cast("double *", keep[-1].ctypes.data))
        status = lib.rico_py_start(self._c, first, given[0], given[1])
        if status:
            self._failed(status)
        return self

    def save(self) -> bytes:
        """The complete state: a simulation of the same scene that loads it goes on bit for bit."""
        size = lib.rico_simulation_state_size(self._sim)
        buffer = ffi.new("char[]", size)
        lib.rico_simulation_save(self._sim, buffer)
        return ffi.buffer(buffer, size)[:]

    def load(self, state: bytes) -> "Simulation":
        """Goes back to a saved state."""
        status = lib.rico_py_load(self._c, ffi.from_buffer(state), len(state))
        if status:
            self._failed(status)
        return self

    def copy(self) -> "Simulation":
        """Another simulation of the same scene in the same state; without forces of Python."""
        return Simulation(self.scene).load(self.save())

    @property
    def time(self) -> float:
        """Now."""
        return lib.rico_simulation_time(self._sim)

    @property
    def h(self) -> float:
        """The length of a step unless told otherwise; the scene's at first."""
        return self._h

    @h.setter
    def h(self, value: float) -> None:
        if not value > 0.0:
            raise BadArgument(f"the step h = {value} must be positive")
        self._h = float(value)

    @property
    def end(self) -> float:
        """The end of the scene's time."""
        return self._times.end

    @property
    def steps(self) -> int:
        """Steps since the start."""
        return lib.rico_simulation_steps(self._sim)

    @property
    def hash(self) -> int:
        """A number made of every bit of time, positions and velocities."""
        return lib.rico_simulation_hash(self._sim)

    # --- state

    @property
    def q(self) -> np.ndarray:
        """Positions (a view, current for good)."""
        return self._q

    @property
    def v(self) -> np.ndarray:
        """Velocities (a view, current for good)."""
        return self._v

    @property
    def names(self) -> List[str]:
        """What positions are called, in the order of ``q``."""
        return list(self._names)

    @property
    def velocity_names(self) -> List[str]:
        """What velocities are called, in the order of ``v``."""
        return list(self._velocity_names)

    @property
    def force(self) -> np.ndarray:
        """What acts on each velocity until it is changed (a writable view); needs ``simulate(forces=True)``."""
        if self._held is None:
            raise Unsupported("the simulation was made without forces; use scene.simulate(forces=True)")
        return self._held

    def index(self, name: str) -> Tuple[str, Any]:
        """("q" or "v", index or slice) of a coordinate or velocity by its name, or of all of "bar[0]", "bar[1]", ... by "bar"."""
        if self._lookup is None:
            found: Dict[str, Any] = {}
            for which, names in (("q", self._names), ("v", self._velocity_names)):
                for i, one in enumerate(names):
                    found[one] = (which, i)
                    stem, bracket, _ = one.partition("[")
                    if bracket:
                        first = found.get(stem, (which, slice(i, i)))[1].start
                        found[stem] = (which, slice(first, i + 1))
            self._lookup = found
        if name not in self._lookup:
            near = ", ".join(list(self._lookup)[:12])
            raise KeyError(f"no coordinate or velocity is called '{name}'; there are {near}{', ...' if len(self._lookup) > 12 else ''}")
        return self._lookup[name]

    def __getitem__(self, name: str) -> Any:
        which, at = self.index(name)
        value = (self._q if which == "q" else self._v)[at]
        return value if isinstance(at, slice) else float(value)

    @property
    def bodies(self) -> List[Body]:
        """The rigid bodies, in the order of the scene."""
        count = lib.rico_bodies_count(self._bodies) if self._bodies != ffi.NULL else 0
        return [Body(self, i) for i in range(count)]

    def body(self, name: str) -> Body:
        """A rigid body by its name."""
        at = lib.rico_bodies_find(self._bodies, name.encode()) if self._bodies != ffi.NULL else -1
        if at < 0:
            raise KeyError(f"no body is called '{name}'")
        return Body(self, at)

    # --- energy

    @property
    def ledger(self) -> np.ndarray:
        """Where the energy went in the last step: ``sim.ledger["tangential"]`` (a view, current for good)."""
        return struct_view(self._owner, lib.rico_simulation_ledger(self._sim), _LEDGER)

    @property
    def total(self) -> np.ndarray:
        """The same since the start (a view, current for good)."""
        return struct_view(self._owner, lib.rico_simulation_ledger_total(self._sim), _LEDGER)

    @property
    def statistics(self) -> np.ndarray:
        """Counters since the start (a view, current for good)."""
        return struct_view(self._owner, lib.rico_simulation_statistics(self._sim), _STATISTICS)

    # --- contacts

    def _rows(self, pointer) -> np.ndarray:
        return view(self._owner, pointer, lib.rico_simulation_rows(self._sim))

    @property
    def impulse(self) -> np.ndarray:
        """Impulses of the last step, an entry for each row of every contact and joint, the normal first (a view of this step)."""
        return self._rows(lib.rico_simulation_impulse(self._sim))

    @property
    def velocity_before(self) -> np.ndarray:
        """Relative velocities before the last step, row by row (a view of this step)."""
        return self._rows(lib.rico_simulation_velocity_before(self._sim))

    @property
    def velocity_after(self) -> np.ndarray:
        """Relative velocities after the last step, row by row (a view of this step)."""
        return self._rows(lib.rico_simulation_velocity_after(self._sim))

    @property
    def gap(self) -> np.ndarray:
        """Gaps, and values of joints, row by row (a view, computed when it is asked for)."""
        at = ffi.new("const double **")
        status = lib.rico_py_gap(self._c, at)
        if status:
            self._failed(status)
        return self._rows(at[0])

    @property
    def contacts(self) -> np.ndarray:
        """Contacts and joints of the last step as a structured array (a copy: they stand in many places of the library).

        index, name, key, source, a, b (bodies by name, "" for none), joint, gap, impulse and velocity (normal first, up to three rows), status
        ("open", "sticking", "sliding"), active, friction, restitution, row, rows.
        """
        count = lib.rico_simulation_constraints(self._sim)
        raw = np.zeros(count, _CONTACT)
        status = lib.rico_py_contacts(self._c, count, ffi.cast("rico_py_contact *", raw.ctypes.data))
        if status:
            self._failed(status)
        bodies = np.array([body.name for body in self.bodies] + [""])
        a, b = bodies[raw["a"]], bodies[raw["b"]]
        names = np.array([self._constraint_name(i, a[i], b[i]) for i in range(count)] or [""])[:count]
        kinds = [("index", "i8"), ("name", names.dtype), ("key", "u8"), ("source", "i8"), ("a", a.dtype), ("b", b.dtype), ("joint", "?"),
                 ("gap", "f8"), ("impulse", "f8", 3), ("velocity", "f8", 3), ("status", "U8"), ("active", "?"),
                 ("friction", "f8"), ("restitution", "f8"), ("row", "i8"), ("rows", "i8")]  # fmt: skip
        out = np.zeros(count, kinds)
        for field in ("index", "key", "source", "gap", "impulse", "velocity", "friction", "restitution", "row", "rows", "joint", "active"):
            out[field] = raw[field]
        out["name"], out["a"], out["b"], out["status"] = names, a, b, _STATES[raw["status"]]
        return out

    def _constraint_name(self, index: int, a: str, b: str) -> str:
        return f"{a}/{b}" if a else text(lib.rico_simulation_constraint(self._sim, index).name)

    def contact(self, name: str) -> np.ndarray:
        """The rows of ``contacts`` of that name, or between bodies "a/b"."""
        contacts = self.contacts
        return contacts[contacts["name"] == name]

    @property
    def events(self) -> List[Dict[str, Any]]:
        """What contacts did in the last step, in the order of time: dicts of t, kind, contact, speed, impulse, energy_lost."""
        count = ffi.new("int64_t *")
        event = lib.rico_simulation_events(self._sim, count)
        return [
            {
                "t": event[i].t,
                "kind": text(lib.rico_event_kind_name(event[i].kind)),
                "contact": text(event[i].name),
                "index": event[i].contact,
                "before": str(_STATES[event[i].before]),
                "after": str(_STATES[event[i].after]),
                "speed": event[i].speed,
                "impulse": np.array(list(event[i].impulse)),
                "energy_lost": event[i].energy_lost,
            }
            for i in range(count[0])
        ]

    @property
    def violation(self) -> float:
        """How deep a contact was entered, or how far a joint stood open, at most since the start."""
        return lib.rico_simulation_breach(self._sim).depth

    def derivatives(self) -> "Derivatives":
        """Derivatives of the steps to come; one at a time for a simulation."""
        return Derivatives(self)

    # --- people

    def __repr__(self) -> str:
        scheme = text(lib.rico_scene_scheme(lib.rico_py_scene(self._c)))
        moving = f"{len(self._q)} positions" if len(self._q) != 1 else "1 position"
        return f"<ricochet.Simulation of {self.scene._name} by {scheme}: t = {self.time:.6g}, {self.steps} steps, {moving}>"

    def picture(self, view: str = "iso") -> str:
        """The bodies as they stand, as SVG; view: "iso", "x", "y" or "z". Needs a scene with bodies."""
        if self._bodies == ffi.NULL:
            raise Unsupported("there are no bodies to draw; plot a trajectory, or use rico plot")
        if view not in ("iso", "x", "y", "z"):
            raise BadArgument(f"the view is '{view}', expected iso, x, y or z")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "picture.svg")
            check(lib.rico_py_picture_now(self._c, view.encode(), path.encode()), self._owner.ctx)
            with open(path, encoding="utf-8") as file:
                return file.read().partition("?>")[2].lstrip()  # a page takes it without the line that says XML

    def _repr_html_(self) -> str:
        from html import escape

        rows = [("t", self.time)] + [(name, self._q[i]) for i, name in enumerate(self._names[:12])]
        cells = "".join(f"<tr><td>{escape(name)}</td><td>{value:.6g}</td></tr>" for name, value in rows)
        more = f"<tr><td colspan=2>and {len(self._names) - 12} more</td></tr>" if len(self._names) > 12 else ""
        drawing = self.picture() if self._bodies != ffi.NULL else ""
        return f"<p>{escape(repr(self))}</p>{drawing}<table>{cells}{more}</table>"


class Derivatives:
    """Derivatives of the last step by the state before it: ``matrix`` is d(q, v)/d(q, v), larger where the scheme remembers more.

    Increments of q are as velocities make them, so there are as many as velocities (docs/guide/derivatives.md).
    """

    def __init__(self, sim: Simulation) -> None:
        self._sim = sim
        made = ffi.new("rico_derivatives **")
        check(lib.rico_derivatives_create(sim._sim, made), sim._owner.ctx)
        self._c = made[0]
        self._part = own(sim._owner, lib.RICO_PY_DERIVATIVES, made[0])

    def evaluate(self) -> np.ndarray:
        """The matrix of the last step (a copy)."""
        check(lib.rico_derivatives_evaluate(self._c), self._sim._owner.ctx)
        n = lib.rico_derivatives_size(self._c)
        at = lib.rico_derivatives_matrix(self._c)
        return np.frombuffer(ffi.buffer(at, 8 * n * n), dtype=np.float64).reshape(n, n, order="F").copy()

    @property
    def analytic(self) -> bool:
        """Whether it followed from the step's equations; else by differences."""
        return bool(lib.rico_derivatives_analytic(self._c))

    @property
    def doubts(self) -> List[str]:
        """Why the derivative belongs to one side: what contacts are about to do."""
        sentence = ffi.new("char[]", 300)
        found = []
        for i in range(lib.rico_derivatives_doubts(self._c)):
            lib.rico_derivatives_sentence(self._c, i, sentence, 300)
            found.append(text(sentence))
        return found
