"""Periodic motions of scenes, with impacts and friction."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Union

import numpy as np

from ._c import ffi, lib
from ._errors import check, fail, text
from ._memory import Owner, doubles, own
from .scene import Scene, Source


class Orbit:
    """A periodic motion: period, state, multipliers. All arrays are copies."""

    def __init__(self, owner: Owner, orbits, orbit, part, nq: int, nv: int) -> None:
        self._part = part
        self._owner, self._orbits, self._c, self._size = owner, orbits, orbit, nq + nv
        self.period: float = lib.rico_orbit_period(orbit)
        self.time: float = lib.rico_orbit_time(orbit)
        self.q = np.array(ffi.unpack(lib.rico_orbit_position(orbit), nq))
        self.v = np.array(ffi.unpack(lib.rico_orbit_velocity(orbit), nv))
        self.residual: float = lib.rico_orbit_residual(orbit)
        self.return_error: float = lib.rico_orbit_return_error(orbit)
        self.lawful: bool = bool(lib.rico_orbit_lawful(orbit))
        self.note: str = text(lib.rico_orbit_note(orbit))
        self.stable: bool = bool(lib.rico_orbit_stable(orbit))
        real, imag = ffi.new("const double **"), ffi.new("const double **")
        count = lib.rico_orbit_multipliers(orbit, real, imag)
        self.multipliers = np.array(ffi.unpack(real[0], count)) + 1j * np.array(ffi.unpack(imag[0], count))

    @property
    def events(self) -> List[Dict[str, Any]]:
        """The events of a period: dicts of t, kind, contact, speed."""
        count = ffi.new("int64_t *")
        event = lib.rico_orbit_events(self._c, count)
        return [
            {"t": event[i].t, "kind": text(lib.rico_event_kind_name(event[i].kind)), "contact": text(event[i].name), "speed": event[i].speed}
            for i in range(count[0])
        ]

    def sample(self, each: int = 100):
        """Times and states (q, v) along the orbit, so many in each piece between events."""
        out = ffi.new("rico_orbit_samples *")
        check(lib.rico_orbit_sample(self._orbits, self._c, each, out), self._owner.ctx)
        t = np.array(ffi.unpack(out.t, out.count))
        x = np.array(ffi.unpack(out.x, out.count * self._size)).reshape(out.count, -1)
        lib.rico_orbit_samples_free(self._orbits, out)
        return t, x

    def __repr__(self) -> str:
        return f"<ricochet.Orbit of period {self.period:.8g}, {'stable' if self.stable else 'unstable'}, {len(self.events)} events>"


def find_orbit(scene: Source, q: Any, v: Any, *, period: Union[None, str, float] = None, t: float = 0.0, tol: Optional[float] = None,
               conservative: bool = False, multiple: int = 1) -> Orbit:  # fmt: skip
    """The periodic motion near a state, by shooting from event to event.

    period is a formula of the scene's parameters, "2*pi/omega", where something drives it; a number guesses it where nothing does. Raises
    Unsupported where there is no orbit nearby.
    """
    given = scene if isinstance(scene, Scene) else Scene(scene)
    owner, family = Owner(), ffi.new("rico_scene_family **")
    excerpt = ffi.new("char[]", 512)
    words = [ffi.new("char[]", one.encode()) for one in given.overrides]
    array = ffi.new("const char *[]", words)
    keep = [ffi.new("char[]", given._name.encode()), ffi.new("char[]", given.text.encode())]
    options = ffi.new("rico_scene_family_options *")
    options.path, options.excerpt, options.excerpt_size = keep[0], excerpt, 512
    if given._text is not None:
        options.text = keep[1]
    options.override_count, options.overrides = len(words), array
    if isinstance(period, str):
        keep.append(ffi.new("char[]", period.encode()))
        options.period = keep[-1]
    status = lib.rico_scene_family_create(owner.ctx, options, family)
    if status:
        fail(status, owner.ctx, text(excerpt).rstrip("\n"))
    owned, family_part = family[0], own(owner, lib.RICO_PY_FAMILY, family[0])
    system = lib.rico_scene_system(lib.rico_scene_family_scene(owned))
    nq, nv = lib.rico_system_positions(system), lib.rico_system_velocities(system)
    how = ffi.new("rico_orbit_options *", lib.rico_orbit_defaults())
    how.conservative, how.multiple = conservative, multiple
    if tol is not None:
        how.tol = tol
    made = ffi.new("rico_orbits **")
    check(lib.rico_orbits_create(owner.ctx, lib.rico_scene_family_systems(owned), how, made), owner.ctx)
    orbits, orbits_part = made[0], own(owner, lib.RICO_PY_ORBITS, made[0], family_part)
    start = ffi.new("rico_orbit_start *")
    state = [doubles(q, nq, "q").copy(), doubles(v, nv, "v").copy()]
    start.q, start.v = (ffi.cast("double *", one.ctypes.data) for one in state)
    start.value, start.t = lib.rico_scene_family_value(owned), t
    start.period = float(period) if isinstance(period, (int, float)) else 0.0
    found = ffi.new("rico_orbit **")
    lib.rico_py_listen()
    outer = lib.rico_py_enter(owner.ctx)
    try:
        status = lib.rico_orbit_find(orbits, start, found)
    finally:
        lib.rico_py_leave(owner.ctx, outer)
    check(status, owner.ctx)
    return Orbit(owner, orbits, found[0], own(owner, lib.RICO_PY_ORBIT, found[0], orbits_part), nq, nv)
