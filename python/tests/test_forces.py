"""Forces and control from Python."""

import numpy as np
import pytest

import ricochet

MASS = {"parts": {"a": {"coordinates": ["x", "y"], "mass": [2, 4]}}, "time": {"end": 1, "step": 0.125}, "scheme": "moreau-jean"}


def test_a_function_adds_to_the_held_force():
    calls = []

    def push(t, q, v, f):
        assert q.shape == v.shape == f.shape == (2,) and not q.flags.writeable
        calls.append(t)
        f[1] += 6.0

    sim = ricochet.Scene(MASS).simulate(forces=push)
    sim.force[0] = 3.0
    sim.run()
    assert sim["v_x"] == pytest.approx(1.5, abs=1e-13) and sim["v_y"] == pytest.approx(1.5, abs=1e-13)
    assert sim.total["external"] == pytest.approx(0.5 * (2 + 4) * 1.5**2, abs=1e-10) and len(calls) >= 8


def test_arrays_that_a_function_keeps_stay_memory():
    kept = []
    sim = ricochet.Scene(MASS).simulate(forces=lambda t, q, v, f: kept.extend((q, v, f)))
    sim.run()
    del sim
    assert all(np.isfinite(array).all() for array in kept) and len({id(array) for array in kept}) < 20


def test_feedback_through_a_function():
    # m x'' = -k x from Python: the closed form, by the event-driven integrator
    scene = ricochet.Scene({**MASS, "scheme": "event-driven", "initial": {"position": {"x": 1.0}}})

    def spring(t, q, v, f):
        f[0] = -8.0 * q[0]

    sim = scene.simulate(forces=spring)
    sim.run()
    assert sim["x"] == pytest.approx(np.cos(2.0), abs=1e-6)


def test_control_between_steps():
    sim = ricochet.Scene({**MASS, "time": {"end": 30, "step": 0.01}, "initial": {"position": {"x": 1.0}}}).simulate(forces=True)

    def control(now):
        now.force[0] = -4.0 * now["x"] - 4.0 * now["v_x"]

    sim.run(on_step=control)
    assert abs(sim["x"]) < 1e-6 and sim["y"] == 0.0


def test_exceptions_come_through_and_the_state_stays():
    class Mine(Exception):
        pass

    def bad(t, q, v, f):
        if t > 0.3:
            raise Mine("no force here")

    sim = ricochet.Scene(MASS).simulate(forces=bad)
    with pytest.raises(Mine, match="no force here"):
        sim.run()
    steps, state = sim.steps, sim.hash
    assert 0 < steps < 8
    with pytest.raises(Mine):
        sim.step()
    assert sim.hash == state and sim.steps == steps


def test_the_simulation_cannot_be_entered_twice(ball):
    sim = ball.simulate()
    caught = []

    def again(now):
        for call in (now.step, now.start, lambda: now.load(b""), lambda: now.gap, lambda: now.contacts):
            try:
                call()
            except ricochet.Busy as error:
                caught.append(str(error))

    sim.run(until=0.05, on_step=again)
    assert len(caught) == 25 and "running already" in caught[0] and sim.steps == 5


def test_a_callback_may_run_another_simulation(ball):
    inner, outer = ball.simulate(), ball.simulate()
    outer.run(on_step=lambda now: inner.step())
    assert inner.steps == outer.steps == 100
