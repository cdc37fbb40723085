"""Friction from a measured path: Gauss-Newton with derivatives that the run carries along."""

import numpy as np

import ricochet

scene = ricochet.Scene.parse("""
parameters: {mu: 0.2}
parts:
  block: {coordinates: [x, y], mass: [2, 2], potential: 2*9.81*y}
contacts:
  floor: {gap: y, tangent: x, friction: mu}
initial: {velocity: {x: 3}}
time: {end: 0.5, step: 1e-3}
""")

# what a camera would have seen of a block with mu = 0.37: noise of a tenth of a millimetre
truth, noise = 0.37, 1e-4
t = np.linspace(0.0, 0.5, 501)
measured = 3.0 * t - truth * 9.81 * t**2 / 2 + noise * np.random.default_rng(4).normal(size=t.size)

mu = 0.2
for iteration in range(6):
    run = ricochet.run(scene.set(mu=mu), derivatives=(["x"], ["mu"]))
    error = run.column("x") - measured
    slope = run["derivatives"]["x_by_mu"]
    change = -(slope @ error) / (slope @ slope)
    mu += change
    print(f"{iteration}: mu = {mu:.6f}, rms error {np.sqrt(np.mean(error**2)) * 1e3:.3f} mm")
    if abs(change) < 1e-10:
        break

deviation = noise / np.sqrt(slope @ slope)
print(f"mu = {mu:.5f} +- {deviation:.5f}, where the truth is {truth}")
assert abs(mu - truth) < 5 * deviation + 2e-4
