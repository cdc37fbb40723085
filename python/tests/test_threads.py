"""Threads and Ctrl-C. Nothing here looks at a clock: threads wait for steps to be counted."""

import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import ricochet


def heap(seed):
    model = ricochet.Model(gravity=[0, 0, -9.81])
    wood = model.material("wood", friction=0.5)
    model.body("ground", shape="plane", fixed=True, material=wood)
    random = np.random.default_rng(seed)
    for i in range(8):
        model.body(f"ball-{i}", shape={"sphere": 0.05}, density=1000, position=[*random.uniform(-0.03, 0.03, 2), 0.06 + 0.11 * i], material=wood)
    return model.time(end=0.4, step=1e-3).scene()


def test_threads_give_the_bits_of_one_after_the_other():
    scenes = [heap(seed) for seed in (1, 2)]
    alone = []
    for scene in scenes:
        sim = scene.simulate()
        sim.run()
        alone.append((sim.hash, sim.steps))
    sims = [scene.simulate() for scene in scenes]
    threads = [threading.Thread(target=sim.run) for sim in sims]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [(sim.hash, sim.steps) for sim in sims] == alone and alone[0] != alone[1]


def test_the_lock_is_released_while_steps_run(ball):
    sim = ball.simulate()
    thread = threading.Thread(target=lambda: pytest.raises(ricochet.Interrupted, sim.run, until=1e9))
    thread.start()
    while sim.steps < 1000:  # could never be read were the lock held
        pass
    with pytest.raises(ricochet.Busy):
        sim.step()
    sim.interrupt()
    thread.join()
    assert sim.steps >= 1000
    twin = ball.simulate()
    twin.step(sim.steps)
    assert twin.hash == sim.hash
    sim.step()  # and it goes on


def interrupt_after(sim, steps):
    def wait():
        while sim.steps < steps:
            pass
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=wait)
    thread.start()
    return thread


@pytest.mark.parametrize("go", [lambda sim: sim.run(until=1e9), lambda sim: sim.step(10**12), lambda sim: sim.run(until=1e9, on_step=lambda s: None)])
def test_ctrl_c_stops_with_the_state_intact(ball, go):
    sim = ball.simulate()
    for _ in range(2):
        thread = interrupt_after(sim, sim.steps + 1000)
        with pytest.raises(KeyboardInterrupt):
            go(sim)
        thread.join()
        steps, state = sim.steps, sim.hash
        twin = ball.simulate()
        twin.step(steps)
        assert twin.hash == state and np.isfinite(sim.q).all()
    sim.step(10)
    twin.step(10)
    assert sim.hash == twin.hash


def test_ctrl_c_leaves_what_was_recorded(ball):
    sim = ball.simulate()
    thread = interrupt_after(sim, 500)
    with pytest.raises(KeyboardInterrupt):
        sim.run(until=1e9, record=1)
    thread.join()
    assert len(sim.recorded) == sim.steps + 1 and sim.recorded["z"][-1] == sim["z"]


def test_a_handler_of_the_user_runs_too(ball):
    heard = []
    before = signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    try:
        sim = ball.simulate()
        thread = interrupt_after(sim, 500)
        with pytest.raises(KeyboardInterrupt):  # the run was stopped, whatever the handler thinks
            sim.run(until=1e9)
        thread.join()
        assert heard == [signal.SIGINT]
    finally:
        signal.signal(signal.SIGINT, before)
    sim.step(5)


def test_who_ignores_ctrl_c_is_not_stopped(ball):
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        sim = ball.simulate()
        os.kill(os.getpid(), signal.SIGINT)
        sim.run()
        assert sim.steps == 100
    finally:
        signal.signal(signal.SIGINT, before)


def test_ctrl_c_ends_a_run_into_a_file(ball, tmp_path):
    # the file's own rows tell how far it is
    path = tmp_path / "long.h5"

    def wait():
        while True:
            try:
                if ricochet.open(path)["state"].rows > 1:
                    break
            except ricochet.Error:
                pass
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=wait)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        ricochet.run(ball.set({"output.every": 100}), path, until=1e5)
    thread.join()
    results = ricochet.open(path)
    assert not results.finished and results["state"].rows > 1 and np.isfinite(results["state"]["q"]).all()


def test_ctrl_c_stops_a_solver():
    pytest.importorskip("scipy")
    # a chain on which sweeps need millions of rounds, in an interpreter that has made no simulation
    code = """
import os, signal, threading
import numpy as np, scipy.sparse as sparse
import ricochet
n = 3000
problem = ricochet.Problem(sparse.diags([-np.ones(n - 1), 2 * np.ones(n), -np.ones(n - 1)], [-1, 0, 1]), -np.ones(n), dimension=1)
problem.solve(require=False, solver="nsgs", max_iter=1)
begun = threading.Event()
threading.Thread(target=lambda: (begun.wait(), os.kill(os.getpid(), signal.SIGINT))).start()
try:
    begun.set()
    problem.solve(solver="nsgs", tol=1e-14, max_iter=10**9)
except KeyboardInterrupt:
    print("stopped,", problem.solve(guess=np.zeros(n)).report.stop)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "stopped, converged\n", done.stderr
