"""How far does a sliding block go, over friction and speed? A study on two threads, checked against v^2/(2 mu g)."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

import ricochet

G = 9.81
model = ricochet.Model(title="A block slides to rest")
model.parameter("mu", 0.3)
model.parameter("speed", 1.0)
model.part("block", coordinates=["x", "y"], mass=[1.5, 1.5], potential=f"1.5*{G}*y")
model.contact("floor", gap="y", tangent="x", friction="mu")
model.initial(velocity={"x": "speed"})
scene = model.time(end=3.0, step=1e-3).scene()


def distance(values):
    mu, speed = values
    sim = scene.set(mu=mu, speed=speed).simulate()
    sim.run(until=1.1 * speed / (mu * G))  # in C, without the interpreter's lock
    return sim["x"]


grid = [(mu, speed) for mu in np.linspace(0.1, 0.8, 8) for speed in (0.5, 1.0, 2.0)]
with ThreadPoolExecutor(max_workers=2) as pool:
    found = np.array(list(pool.map(distance, grid)))

theory = np.array([speed**2 / (2 * mu * G) for mu, speed in grid])
for (mu, speed), x in zip(grid[::5], found[::5]):
    print(f"mu = {mu:.1f}, {speed:.1f} m/s: {x:.4f} m")
print(f"largest error over {len(grid)} runs: {np.abs(found - theory).max():.1e} m")
assert np.abs(found - theory).max() < 2e-3 * theory.max()
