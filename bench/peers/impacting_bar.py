# What a step of Siconos' ImpactingBar costs (Debian's python3-siconos), on the bar of bench_bar_step.
#
# usage: /usr/bin/python3 bench/peers/impacting_bar.py [elements] [steps]
#
# The same rods, wall, scheme (Moreau-Jean, theta = 1/2), step and restitution as bench/bar_step.c, by Siconos' own
# kernel: LagrangianLinearTIDS, MoreauJeanOSI, an LCP for the one contact. Prints microseconds a step, best of rounds.
# The matrices are dense: Debian's Python bindings (4.4.0) abort on Siconos' sparse ones and refuse scipy's.

import sys
import time

import numpy as np
import siconos.kernel as sk
from scipy.sparse import lil_matrix

elements = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
steps = int(sys.argv[2]) if len(sys.argv) > 2 else 200
rounds = 5
S, length, density, young = np.pi * 1e-4, 1.0, 7800.0, 210e9
n, rod = elements + 1, length / elements
h, v0 = 2e-7, -0.1


def bar():
    mass, stiffness = lil_matrix((n, n)), lil_matrix((n, n))
    for e in range(elements):
        for i in range(2):
            for j in range(2):
                mass[e + i, e + j] += density * S * rod / 6.0 * (2.0 if i == j else 1.0)
                stiffness[e + i, e + j] += young * S / rod * (1.0 if i == j else -1.0)
    return mass.toarray(), stiffness.toarray()


def run():
    M, K = bar()
    ds = sk.LagrangianLinearTIDS(np.zeros(n), np.full(n, v0), M)
    ds.setKPtr(K)
    H = np.zeros((1, n))
    H[0, 0] = 1.0
    relation = sk.LagrangianLinearTIR(H, np.array([1e-6]))
    inter = sk.Interaction(sk.NewtonImpactNSL(0.0), relation)
    nsds = sk.NonSmoothDynamicalSystem(0.0, 1.0)
    nsds.insertDynamicalSystem(ds)
    nsds.link(inter, ds)
    sim = sk.TimeStepping(nsds, sk.TimeDiscretisation(0.0, h), sk.MoreauJeanOSI(0.5), sk.LCP())
    best = float("inf")
    for _ in range(rounds):
        begin = time.perf_counter()
        for _ in range(steps):
            sim.computeOneStep()
            sim.nextStep()
        best = min(best, (time.perf_counter() - begin) / steps)
    return 1e6 * best, ds.velocity()[0]


microseconds, tip = run()
print(f"| Siconos, dense matrices | {microseconds:.0f} us a step | tip velocity {tip:.3g} |")
