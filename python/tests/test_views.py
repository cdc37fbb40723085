"""Views: the simulation's own memory, current, alive, never dangling."""

import gc

import numpy as np
import pytest

import ricochet
from ricochet import ffi, lib


def address(array):
    return array.__array_interface__["data"][0]


def at(pointer):
    return int(ffi.cast("uintptr_t", pointer))


def test_state_is_the_memory_of_the_library(ball):
    sim = ball.simulate()
    q, v = sim.q, sim.v
    assert address(q) == at(lib.rico_simulation_position(sim._sim))
    assert address(v) == at(lib.rico_simulation_velocity(sim._sim))
    assert q is sim.q and not q.flags.owndata
    before = q.copy()
    for _ in range(70):
        sim.step()
        assert q[0] == ffi.cast("double *", address(q))[0] == lib.rico_simulation_position(sim._sim)[0]
    assert q[0] != before[0] and address(sim.q) == address(q)
    sim.start()
    assert q[0] == 1.0 and v[0] == 0.0


def test_rows_and_ledgers_are_too(ball):
    sim = ball.simulate()
    impulse, ledger, total = sim.impulse, sim.ledger, sim.total
    assert address(impulse) == at(lib.rico_simulation_impulse(sim._sim))
    assert address(ledger) == at(lib.rico_simulation_ledger(sim._sim))
    assert address(sim.velocity_after) == at(lib.rico_simulation_velocity_after(sim._sim))
    struck = []
    for _ in range(100):
        sim.step()
        struck.append(impulse[0])
        assert ledger["kinetic"] == lib.rico_simulation_ledger(sim._sim).kinetic
    assert max(struck) > 0.0
    assert total["normal"] == pytest.approx(lib.rico_simulation_ledger_total(sim._sim).normal, abs=0)
    assert set(ledger.dtype.names) == {name for name, _ in ffi.typeof("rico_ledger").fields}
    assert sim.statistics["contact_problems"] == lib.rico_simulation_statistics(sim._sim).contact_problems


def test_views_cannot_be_written(ball):
    sim = ball.simulate()
    for view in (sim.q, sim.v, sim.impulse, sim.gap):
        with pytest.raises(ValueError):
            view[0] = 3.0
    with pytest.raises(ValueError):
        sim.ledger["kinetic"] = 1.0


def test_a_view_keeps_the_simulation_alive(ball):
    gc.collect()
    before = lib.rico_py_living()
    sim = ball.simulate()
    sim.step(30)
    q, part, total = sim.q, sim.q[0:1], sim.total
    expected = float(q[0])
    del sim
    gc.collect()
    assert lib.rico_py_living() == before + 1 and q[0] == expected
    del q
    gc.collect()
    assert lib.rico_py_living() == before + 1 and part[0] == expected
    del part
    assert lib.rico_py_living() == before + 1 and total["kinetic"] > 0.0
    del total
    gc.collect()
    assert lib.rico_py_living() == before


def test_scenes_and_contexts_may_go_first(box):
    sim = box.simulate()
    body = sim.body("ball")
    center = body.center
    sim.step(10)
    now = center.copy()
    del box, sim, body
    gc.collect()
    assert np.array_equal(center, now)


def test_an_old_view_of_contacts_still_reads_memory_that_is_there():
    model = ricochet.Model(gravity=[0, 0, -9.81])
    model.body("ground", shape="plane", fixed=True)
    for i in range(12):  # they land one after the other
        model.body(f"ball-{i}", shape={"sphere": 0.05}, density=1000, position=[0.2 * i, 0, 0.05 + 0.1 * i])
    sim = model.time(end=1, step=1e-3).simulate()
    old = [sim.impulse]
    sizes = set()
    for _ in range(600):
        sim.step()
        view = sim.impulse
        if view.size not in sizes:
            sizes.add(view.size)
            old.append(view)
    assert len(sizes) > 2  # contacts came: blocks of before were given back
    assert lib.rico_py_graves(sim._c) > 0
    assert all(np.isfinite(view).all() for view in old)
    del old, view
    gc.collect()
    assert lib.rico_py_graves(sim._c) == 0


def test_forces_are_written_in_place(ball):
    sim = ball.simulate(forces=True)
    force = sim.force
    assert address(force) == at(lib.rico_py_held(sim._c)) and force is sim.force
    force[0] = 20.0  # as much as its weight
    sim.step(20)
    assert sim["z"] == 1.0 and sim["v_z"] == 0.0
    with pytest.raises(ricochet.Unsupported, match="forces=True"):
        ball.simulate().force


def test_cycles_are_collected_in_any_order(ball):
    class Knot:
        pass

    W = np.eye(6) + 0.1
    gc.collect()
    before = lib.rico_py_living()
    for _ in range(20):
        knot = Knot()
        sim = ball.simulate(forces=lambda t, q, v, f, knot=knot: None)
        problem = ricochet.Problem(W, np.ones(6) - 2.0, 0.3)
        problem.solve()
        results = ricochet.run(ball)
        knot.all = [sim, sim.q, sim.impulse, sim.derivatives(), problem, results, results["state"], knot]
        sim.step()
        assert lib.rico_py_living() == before + 3
        del knot, sim, problem, results
        gc.collect()
        assert lib.rico_py_living() == before
