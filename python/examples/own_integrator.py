"""An integrator of one's own around ricochet.solve: Moreau's time stepping of a rocking, sliding box, in thirty lines of NumPy.

The contact problem of each step is solved exactly, with friction; everything else is yours to change. Checked against the same
scene stepped by the library.
"""

import numpy as np

import ricochet

mass, a, b, mu, g, h = 2.0, 0.3, 0.1, 0.4, 9.81, 1e-3  # a plate of half sides a and b in the plane
inertia = mass * (a**2 + b**2) / 3
M = np.diag([mass, mass, inertia])
corners = np.array([[-a, -b], [a, -b]])


def contacts(q):
    """Gaps of the lower corners, and H: columns (normal, tangent) for each."""
    c, s = np.cos(q[2]), np.sin(q[2])
    arms = corners @ np.array([[c, s], [-s, c]])  # turned by the angle
    H = np.zeros((3, 4))
    for k, (x, y) in enumerate(arms):
        H[:, 2 * k] = 0, 1, x
        H[:, 2 * k + 1] = 1, 0, -y
    return q[1] + arms[:, 1], H


q, v, t = np.array([0.0, 0.25, 0.2]), np.array([1.0, 0.0, 0.0]), 0.0
energy = [0.5 * v @ M @ v + mass * g * q[1]]
while t < 1.0:
    gap, H = contacts(q + h / 2 * v)
    near = np.flatnonzero(gap <= 0.0)
    v = v + h * np.array([0.0, -g, 0.0])
    if near.size:
        rows = np.ravel([[2 * k, 2 * k + 1] for k in near])
        Hn = H[:, rows]
        W, u = Hn.T @ np.linalg.solve(M, Hn), Hn.T @ v
        impulse = ricochet.solve(W, u, mu, dimension=2, tol=1e-10).impulse
        v = v + np.linalg.solve(M, Hn @ impulse)
    q, t = q + h * v, t + h
    energy.append(0.5 * v @ M @ v + mass * g * q[1])

model = ricochet.Model(title="The same by the library", gravity=[0, -g])
steel = model.material("steel", friction=mu)
model.body("floor", shape="line", fixed=True, material=steel)
model.body("plate", shape={"rectangle": {"size": [2 * a, 2 * b]}}, mass=mass, position=[0, 0.25], rotation=float(np.degrees(0.2)),
           velocity=[1, 0], material=steel)  # fmt: skip
sim = model.time(end=1.0, step=h).simulate()
sim.run()

print(f"own:     x = {q[0]:.4f}, y = {q[1]:.4f}, angle = {q[2]:+.5f}")
print(f"library: x = {sim['plate.x']:.4f}, y = {sim['plate.y']:.4f}, angle = {sim['plate.angle']:+.5f}")
print(f"energy went from {energy[0]:.4f} J to {energy[-1]:.4f} J and rose by {max(np.diff(energy)):.1e} J in a step at most")
assert abs(q[0] - sim["plate.x"]) < 0.02 and abs(q[1] - b) < 2e-3 and max(np.diff(energy)) < 1e-2
