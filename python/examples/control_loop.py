"""A cart that balances a pole, with dry friction under the cart: a controller in Python at 200 Hz, steps in C.

The controller writes to sim.force, which holds between its calls; ten steps of half a millisecond go by in each of them.
"""

import numpy as np

import ricochet

M, m, length, g, mu = 1.0, 0.2, 0.5, 9.81, 0.05
scene = ricochet.Scene({
    "title": "A pole on a cart with dry friction",
    "parts": {
        "cart": {
            "coordinates": ["x", "y", "phi"],
            "kinetic": f"{M + m}/2*(v_x^2 + v_y^2) + {m * length**2}/2*v_phi^2 + {m * length}*cos(phi)*v_x*v_phi - {m * length}*sin(phi)*v_y*v_phi",
            "potential": f"{(M + m) * g}*y + {m * g * length}*cos(phi)",
        }
    },
    "contacts": {"rail": {"gap": "y", "tangent": "x", "friction": mu}},
    "initial": {"position": {"phi": 0.15}},
    "time": {"end": 10, "step": 5e-4},
    "scheme": "moreau-jean",
})  # fmt: skip
sim = scene.simulate(forces=True)

# linear quadratic gains by iterating Riccati's equation of the pole without friction, at the controller's rate
dt = 5e-3
A = np.array([[0, 0, 1, 0], [0, 0, 0, 1], [0, -m * g / M, 0, 0], [0, (M + m) * g / (M * length), 0, 0]])
B = np.array([[0], [0], [1 / M], [-1 / (M * length)]])
Ad, Bd = np.eye(4) + dt * A, dt * B
Q, R, P = np.diag([10.0, 10.0, 1.0, 1.0]) * dt, np.array([[0.1]]) * dt, np.eye(4)
for _ in range(20000):
    K = np.linalg.solve(R + Bd.T @ P @ Bd, Bd.T @ P @ Ad)
    P = Q + Ad.T @ P @ (Ad - Bd @ K)

x, phi = sim.names.index("x"), sim.names.index("phi")
q, v, force = sim.q, sim.v, sim.force  # views: made once, current after every step
stuck = 0
for _ in range(2000):
    force[x] = float(-K[0] @ [q[x], q[phi], v[x], v[phi]])
    sim.step(10)
    stuck += sim.contacts["status"][0] == "sticking"

print(f"after {sim.time:.1f} s: cart at {q[x]:+.4f} m, pole at {np.degrees(q[phi]):+.3f} degrees")
print(f"work of the motor {sim.total['external']:.4f} J, of friction {sim.total['tangential']:.4f} J; stuck in {stuck} of 2000 samples")
assert abs(q[phi]) < 0.05 and abs(q[x]) < 0.5 and sim.total["tangential"] < 0
