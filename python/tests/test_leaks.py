"""Nothing is left behind: memory of Python and of C, over many calls."""

import gc
import tracemalloc

import numpy as np

import ricochet

PAGE = 4096
STEPS = 200_000
MANY = 1_000_000


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * PAGE


def grows(act, times):
    """Bytes that Python and the process grow by over `times` calls, after a third of them to warm up."""
    for _ in range(times // 3):
        act()
    gc.collect()
    tracemalloc.start()
    python, process = tracemalloc.get_traced_memory()[0], resident()
    for _ in range(times):
        act()
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - python
    tracemalloc.stop()
    return grown, resident() - process


def test_steps_leak_nothing(ball):
    sim = ball.simulate()
    python, process = grows(sim.step, MANY)
    assert python < 4096 and process < 1 << 20


def test_views_leak_nothing(box):
    sim = box.simulate()
    sim.step(500)

    def look():
        sim.step()
        return sim.impulse, sim.gap, sim.ledger, sim.contacts, sim.q[2:3], sim.events

    python, process = grows(look, 3000)
    assert python < 32_768 and process < 2 << 20


def test_callbacks_leak_nothing(ball):
    sim = ball.simulate(forces=lambda t, q, v, f: f.fill(1.0))
    python, process = grows(lambda: sim.run(until=sim.time + 0.02, on_step=lambda now: None, record=1), 3000)
    assert python < 32_768 and process < 1 << 20


def test_simulations_leak_nothing(box):
    def whole():
        sim = box.simulate()
        sim.step(5)
        sim.derivatives()

    python, process = grows(whole, 300)
    assert python < 32_768 and process < 2 << 20


def test_refusals_leak_nothing(ball):
    def wrong():
        for act in (lambda: ball.set(e="x").simulate(), lambda: ricochet.solve(np.eye(3), [0, 0, 0], mu=-1)):
            try:
                act()
            except ricochet.Error:
                pass

    python, process = grows(wrong, 1000)
    assert python < 32_768 and process < 2 << 20


def test_problems_leak_nothing():
    problem = ricochet.Problem(np.eye(6), np.ones(6), 0.3)
    random = np.random.default_rng(0)
    python, process = grows(lambda: problem.set(random.normal(size=6)).solve(), 5000)
    assert python < 32_768 and process < 1 << 20
    python, process = grows(lambda: ricochet.solve(np.eye(6), random.normal(size=6), 0.3), 2000)
    assert python < 32_768 and process < 2 << 20
