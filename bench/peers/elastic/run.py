# Runs the benchmarks by Ricochet, CalculiX and GetFEM on the same meshes and prints their tables: `python3 run.py RICO FOLDER [CASE...]`.
#
# Meshes are Ricochet's, read from its results. Every figure but CPU time is computed by judge.py from the displacements of nodes.

import math
import os
import pickle
import subprocess
import sys

import numpy

import calculix
import judge
import ours
import scenes

RICO, FOLDER = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
HERE = os.path.dirname(os.path.abspath(__file__))


def where(part, test):
    return numpy.flatnonzero(test(part["x"][:, 0], part["x"][:, 1]))


def near(a, b):
    return abs(a - b) < 1e-7


def getfem(name, case):
    folder = f"{FOLDER}/{name}"
    os.makedirs(folder, exist_ok=True)
    with open(f"{folder}/case", "wb") as file:
        pickle.dump(case, file)
    ours.cpu_of([sys.executable, f"{HERE}/getfem_side.py", "case", "out"], folder, "run.log")
    with open(f"{folder}/out", "rb") as file:
        out = pickle.load(file)
    return [dict(part, u=u) for part, u in zip(case["parts"], out["u"])], out["seconds"]


# One row of a table; a program that fails has its words in place of figures.
def row(name, figures, work):
    try:
        parts, seconds = work()
        cells = figures(parts) + [f"{seconds:.2f}"]
    except (RuntimeError, OSError, KeyError) as error:
        cells = [f"failed: {error}".replace(FOLDER, "out").split(":")[1].strip()]
    print("| " + " | ".join([name] + cells) + " |", flush=True)


def table(title, columns):
    print(f"\n## {title}\n\n| " + " | ".join(columns + ["CPU s"]) + " |\n| --- |" + " ---: |" * len(columns), flush=True)


PENALTIES = (("nodes on faces, penalty", "NODE TO SURFACE"), ("faces on faces, penalty", "SURFACE TO SURFACE"))


# "LINEAR" springs of stiffness K for each area.
def spring(kind, K):
    return f"PRESSURE-OVERCLOSURE=LINEAR\n{K}" + (",1e-3" if kind.startswith("NODE") else "")


# --- Hertz -----------------------------------------------------------------------------------------------------------

def hertz():
    star = 1 / ((1 - 0.3**2) / 210000 + (1 - 0.3**2) / 70000)
    materials = [(210000, 0.3), (70000, 0.3)]

    def figures(parts):
        got = judge.hertz(parts[0], *materials[0], 50.0)
        a = math.sqrt(4 * got["force"] * 50 / (math.pi * star))
        p0 = 2 * got["force"] / (math.pi * a)
        return [f"{got['force']:.0f}", str(got["nodes"]), f"{got['p0']:.1f}", f"{100 * (got['p0'] / p0 - 1):+.2f} %", f"{100 * (got['a'] / a - 1):+.2f} %"]

    for n in (1, 2):
        table(f"Hertz: cylinder on a block (NAFEMS CGS-1), {6 * n} elements over the half width",
              ["program, method", "force, N/mm", "nodes that press", "p0, MPa", "p0 against Hertz", "half width against Hertz"])
        parts = None
        for method in ("mortar", "nodes"):
            def work():
                nonlocal parts
                found = ours.run(scenes.hertz(n, method), ["round", "block"], f"{FOLDER}/hertz-{n}-{method}", RICO)
                parts = found[0]
                return found
            row(f"Ricochet, {method}", figures, work)
        disc, block = parts
        rim = where(disc, lambda x, y: near(numpy.hypot(x, y - 50), 50) & (x < 20))
        case = {"parts": parts, "dimension": 2, "materials": materials, "loads": [], "tolerance": 1e-5,
                "held": [(0, where(disc, lambda x, y: near(x, 0)), 1, 0.0), (0, where(disc, lambda x, y: near(y, 50)), 2, -1.345),
                         (1, where(block, lambda x, y: near(x, 0)), 1, 0.0), (1, where(block, lambda x, y: near(y, -100)), 2, 0.0)]}
        slave, master = (0, rim), (1, where(block, lambda x, y: near(y, 0)))
        for name, kind in PENALTIES:
            contact = {"type": kind, "law": spring(kind, 1e7), "slave": slave, "master": master}
            # nodes on faces do not settle in one increment; a quarter was the best to start with of 0.1, 0.25, 0.5 and 1
            increments = "0.25,1." if kind.startswith("NODE") else "1.,1."
            row(f"CalculiX, {name}", figures,
                lambda: calculix.run(f"{FOLDER}/hertz-{n}-ccx-{kind[:4]}", parts, materials, case["held"], [], contact=contact, increments=increments))
        contact = {"slave": slave, "master": master, "nodal": True, "augmentation": 1e5}
        row("GetFEM, nodes on faces", figures, lambda: getfem(f"hertz-{n}-getfem", dict(case, contact=contact)))


# --- patch test -------------------------------------------------------------------------------------------------------

def patch():
    materials, exact = [(2e6, 0.0)] * 2, -0.0005 * 2e6

    def figures(parts):
        stress = numpy.concatenate([judge.forces(part, *materials[0])[1][:, 1] for part in parts]) / exact
        return [f"{abs(stress - 1).max():.1e}", f"{stress.max() - stress.min():.1e}"]

    for n in (1, 8):
        table(f"Patch test of contact, {3 * n} elements on {4 * n}", ["program, method", "largest error of the stress", "largest less least stress"])
        parts = None
        for method in ("mortar", "nodes", "both"):
            def work():
                nonlocal parts
                found = ours.run(scenes.patch(n, method), ["upper", "lower"], f"{FOLDER}/patch-{n}-{method}", RICO)
                parts = found[0]
                return found
            row(f"Ricochet, {method}", figures, work)
        upper, lower = parts
        left = lambda x, y: near(x, 0)
        case = {"parts": parts, "dimension": 2, "materials": materials, "loads": [], "tolerance": 1e-7,
                "held": [(0, where(upper, left), 1, 0.0), (0, where(upper, lambda x, y: near(y, 2)), 2, -0.001),
                         (1, where(lower, left), 1, 0.0), (1, where(lower, lambda x, y: near(y, 0)), 2, 0.0)]}
        slave, master = (0, where(upper, lambda x, y: near(y, 1))), (1, where(lower, lambda x, y: near(y, 1)))
        kinds = [(name, kind, spring(kind, 1e10), False) for name, kind in PENALTIES]
        for name, kind, law, free in kinds + [("mortar", "MORTAR", spring("MORTAR", 1e10), True)]:
            contact = {"type": kind, "law": law, "slave": slave, "master": master, "free": free}
            row(f"CalculiX, {name}", figures,
                lambda: calculix.run(f"{FOLDER}/patch-{n}-ccx-{kind[:4]}", parts, materials, case["held"], [], contact=contact))
        contact = {"slave": slave, "master": master, "nodal": True, "augmentation": 2e6}
        row("GetFEM, nodes on faces", figures, lambda: getfem(f"patch-{n}-getfem-nodes", dict(case, contact=contact)))
        for points in (3, 15):
            contact = {"slave": slave, "master": master, "points": points, "augmentation": 2e6}
            row(f"GetFEM, integral, rule of degree {points}", figures, lambda: getfem(f"patch-{n}-getfem-{points}", dict(case, contact=contact)))


# --- wedge ------------------------------------------------------------------------------------------------------------

def wedge():
    materials, slope = [(1e6, 0.3), (3e6, 0.3)], math.atan(0.1)
    c, s = math.cos(slope), math.sin(slope)

    # the force along x that goes through the interface; the corner of the block is pushed and touches at once
    def push(parts):
        slab = parts[1]
        return judge.forces(slab, *materials[1])[0][where(slab, lambda x, y: near(c * y - s * x, 0)), 0].sum()

    for mu in (0.1, 0.3):
        exact = (0.1 + mu) / (1 - 0.1 * mu)
        table(f"Wedge (NAFEMS CGS-4), mu = {mu}: F/G = {exact:.8f}", ["program, method", "F/G", "error"])
        figures = lambda parts: [f"{push(parts):.8f}", f"{abs(push(parts) / exact - 1):.1e}"]
        parts = None
        for method in ("mortar", "nodes"):
            def work():
                nonlocal parts
                found = ours.run(scenes.wedge(1, method, mu), ["block", "slab"], f"{FOLDER}/wedge-{mu}-{method}", RICO)
                parts = found[0]
                return found
            row(f"Ricochet, {method}", figures, work)
        block, slab = parts
        top = where(block, lambda x, y: near(c * y - s * x, 2))
        along = numpy.round(c * block["x"][top, 0] + s * block["x"][top, 1], 9)
        load = numpy.where((along == 0) | (along == 4), -0.5, -1.0) / (len(top) - 1)
        case = {"parts": parts, "dimension": 2, "materials": materials, "loads": [(0, top, 2, load)], "tolerance": 1e-10,
                "held": [(0, where(block, lambda x, y: near(c * x + s * y, 0)), 1, 5e-5),
                         (1, where(slab, lambda x, y: near(c * y - s * x, -1)), 1, 0.0), (1, where(slab, lambda x, y: near(c * y - s * x, -1)), 2, 0.0)]}
        slave, master = (0, where(block, lambda x, y: near(c * y - s * x, 0))), (1, where(slab, lambda x, y: near(c * y - s * x, 0)))
        for name, kind in PENALTIES:
            contact = {"type": kind, "law": spring(kind, 1e8), "slave": slave, "master": master, "friction": f"{mu},1e7"}
            row(f"CalculiX, {name}", figures,
                lambda: calculix.run(f"{FOLDER}/wedge-{mu}-ccx-{kind[:4]}", parts, materials, case["held"], case["loads"], contact=contact))
        contact = {"slave": slave, "master": master, "points": 7, "augmentation": 1e6, "friction": mu, "start": [0.25 * s, -0.25 * c]}
        row("GetFEM, integral", figures, lambda: getfem(f"wedge-{mu}-getfem", dict(case, contact=contact)))


# --- cantilever -------------------------------------------------------------------------------------------------------

def cantilever():
    n, material = 12, [(1000, 0.3)]
    table(f"Cantilever of {5 * n} x {n} x {n} bricks, {3 * (5 * n + 1) * (n + 1)**2} unknowns", ["program, element", "deflection of the end's middle", "against ours, same element"])
    known, parts = {}, None

    def deflection(parts):
        beam = parts[0]
        return beam["u"][numpy.argmin(abs(beam["x"] - [10, 1, 1]).sum(axis=1)), 2]

    def show(kind):
        def figures(parts):
            if kind not in known:
                known[kind] = deflection(parts)
                return [f"{known[kind]:.8f}", "-"]
            return [f"{deflection(parts):.8f}", f"{abs(deflection(parts) / known[kind] - 1):.0e}"]
        return figures

    for remedy in ("none", "bar", "modes"):
        def work():
            nonlocal parts
            found = ours.run(scenes.cantilever(n, remedy), ["beam"], f"{FOLDER}/cantilever-{remedy}", RICO)
            parts = found[0]
            return found
        row(f"Ricochet, {remedy}", show(remedy), work)
    beam = parts[0]
    end = numpy.flatnonzero(near(beam["x"][:, 0], 10))
    load = numpy.full(len(end), -4.0 / n**2)
    for axis in (1, 2):
        load[near(beam["x"][end, axis], 0) | near(beam["x"][end, axis], 2)] *= 0.5
    held = [(0, numpy.flatnonzero(near(beam["x"][:, 0], 0)), direction, 0.0) for direction in (1, 2, 3)]
    for element, like in (("C3D8", "none"), ("C3D8I", "modes")):
        row(f"CalculiX, {element}", show(like),
            lambda: calculix.run(f"{FOLDER}/cantilever-{element}", parts, material, held, [(0, end, 3, load)], element=element, plane=False))
    case = {"parts": parts, "dimension": 3, "materials": material, "held": held, "loads": [(0, end, 3, load)], "tolerance": 1e-8}
    row("GetFEM, Q1", show("none"), lambda: getfem("cantilever-getfem", case))


if __name__ == "__main__":
    CASES = {"hertz": hertz, "patch": patch, "wedge": wedge, "cantilever": cantilever}
    for case in sys.argv[3:] or CASES:
        CASES[case]()
