#!/usr/bin/python3
"""What Python adds to a step of the bouncing ball, what callbacks cost, and what a second thread gains.

usage: PYTHONPATH=build/python /usr/bin/python3 bench/python_step.py [REPEATS]

Each figure is the least of REPEATS (9) loops of 10^5 steps; loops in C and in Python alternate, so that both see the same machine.
"""

import os
import sys
import threading
import time

import ricochet

BALL = """
parts: {ball: {coordinates: [z], mass: [1], force: [-10]}}
contacts: {floor: {gap: z, restitution: 0.8}}
initial: {position: {z: 1}}
time: {end: 1, step: 0.01}
scheme: moreau-jean
"""
N = 100_000
repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 9


def seconds(act):
    start = time.perf_counter()
    act()
    return (time.perf_counter() - start) / N * 1e6


def by_calls(sim):
    step = sim.step

    def act():
        for _ in range(N):
            step()

    return act


def empty():
    for _ in range(N):
        pass


def nothing(now):
    pass


def no_force(t, q, v, f):
    pass


scene = ricochet.Scene.parse(BALL)
ball, held, called = scene.simulate(), scene.simulate(forces=True), scene.simulate(forces=no_force)
calls, cases = [0], {}


def count(t, q, v, f):
    calls[0] += 1


counted = scene.simulate(forces=count)
counted.step(1000)
cases["steps in C, step(n)"] = lambda: ball.step(N)
cases["calls of step()"] = by_calls(ball)
cases["run(on_step=...) in Python"] = lambda: ball.run(until=ball.time + N * 0.01, exact_end=False, on_step=nothing)
cases["step(n) with sim.force"] = lambda: held.step(N)
cases["step(n) with a force function"] = lambda: called.step(N)
cases["an empty loop of Python"] = empty
least = {name: float("inf") for name in cases}
for _ in range(repeats):
    for name, act in cases.items():
        least[name] = min(least[name], seconds(act))

for name, value in least.items():
    print(f"{name:32s} {value:8.3f} us")
c, per_step = least["steps in C, step(n)"], calls[0] / 1000
print(f"a call of step() adds {least['calls of step()'] - c:.3f} us to the step in C; on_step {least['run(on_step=...) in Python'] - c:.3f} us")
own = least["step(n) with a force function"] - least["step(n) with sim.force"]
print(f"a force function is called {per_step:.0f} times a step: {own / per_step:.3f} us each")


def threads(count):
    sims = [scene.simulate() for _ in range(count)]
    workers = [threading.Thread(target=sim.step, args=(10 * N,)) for sim in sims]
    start = time.perf_counter(), time.process_time()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    took = time.perf_counter() - start[0]
    return took, (time.process_time() - start[1]) / took


one, two = min(threads(1) for _ in range(3)), min(threads(2) for _ in range(3))
print(f"two simulations on two threads take {two[0] / one[0]:.2f} of the time of one (processors had: {one[1]:.2f}, {two[1]:.2f})")
print(f"ricochet {ricochet.__version__}, Python {sys.version.split()[0]}, {os.cpu_count()} cores")
