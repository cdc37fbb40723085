"""Scenes split in space: the same file on 1, 2 and 4 ranks, that of the serial program where the solution is unique, and what is
said of scenes that cannot be split.

usage: check_space.py MPIRUN RICO_MPI RICO FOLDER_OF_SCENES EXAMPLE JOINED
"""

import os
import re
import sys
import tempfile

from space_runs import ROLL, agree_with_serial, check, counted, finish, run, same_on_all, stop_and_resume, write

EXAMPLE, JOINED = sys.argv[5:7]

HEAD = """gravity: [0, 0, -9.8]
materials: {bead: {friction: 0.4, restitution: 0.3}}
scheme: {name: moreau-jean}
"""
TABLE = HEAD + """bodies:
  table: {shape: {box: {size: [1, 1, 0.1]}}, position: [0, 0, -0.05], motion: {shift: [0.05*sin(20*t), 0, 0.01*sin(30*t)]}, material: bead}
  brick: {shape: {box: {size: [0.05, 0.04, 0.03]}}, density: 1000, position: [0, 0, 0.05], material: bead,
          copies: {pour: {count: [5, 4, 2], spacing: [0.095], jitter: 0.005, seed: 9}}}
time: {end: 0.16, step: 2e-3}
"""
BULLETS = HEAD + """bodies:
  floor: {shape: plane, fixed: yes, material: bead}
  ball: {shape: {sphere: 0.03}, density: 1000, position: [0, 0, 0.05], material: bead,
         copies: {pour: {count: [6, 5, 2], spacing: [0.07], jitter: 0.004}}}
  bullet: {shape: {sphere: 0.02}, density: 5000, position: [-0.5, 0, 0.1], velocity: [40, 0, 0], material: bead,
           copies: {pour: {count: [2, 3, 2], spacing: [0.07], jitter: 0.005, seed: 4}}}
time: {end: 0.04, step: 1e-3}
"""
DISCS = """gravity: [0.5, -9.8]
materials: {bead: {friction: 0.3, restitution: 0.4}}
scheme: {name: moreau-jean-fremond}
bodies:
  floor: {shape: line, fixed: yes, material: bead}
  disc: {shape: {disc: 0.05}, density: 1000, position: [0, 0.1], material: bead,
         copies: {pour: {count: [10, 6], spacing: [0.12], jitter: 0.01}}}
time: {end: 0.3, step: 2e-3}
"""
FEW = HEAD + """bodies:
  floor: {shape: plane, fixed: yes, material: bead}
  ball: {shape: {sphere: 0.03}, density: 1000, position: [0, 0, 0.031], velocity: [0.2, 0, 0], material: bead,
         copies: {grid: {count: [3, 1, 1], spacing: [0.061]}}}
time: {end: 0.1, step: 2e-3}
"""
CRUSHED = HEAD + """bodies:
  floor: {shape: plane, fixed: yes, material: bead}
  press: {shape: {box: {size: [1, 1, 0.1]}}, position: [0, 0, 0.2], motion: {shift: [0, 0, -t]}, material: bead}
  brick: {shape: {box: {size: [0.05, 0.04, 0.03]}}, density: 1000, position: [0, 0, 0.05], material: bead,
          copies: {pour: {count: [4, 4, 1], spacing: [0.095], jitter: 0.005, seed: 9}}}
time: {end: 0.2, step: 2e-3}
"""

with tempfile.TemporaryDirectory() as where:
    # the same bits, bodies having gone from rank to rank
    said, whole = same_on_all(where, "roll", ROLL)
    for ranks in (2, 4):
        check(counted(said[ranks], "bodies changed ranks") > 20, f"nobody migrates on {ranks} ranks: {said[ranks]}")
        check(counted(said[ranks], "arrangements") > 10, said[ranks])

    # the serial program: the motion without friction, which is unique
    both = agree_with_serial(where, ROLL, {"q": 1e-8, "v": 1e-6}, "--set", "mu=0", "--until", "0.22")
    rows = [one["emitted"].count("\n") for one in both]
    check(rows[0] == rows[1] and rows[0] > 100, f"rows of contacts: {rows}")

    # what closes the balance is round-off: works and energies are those of all bodies, each once
    residual = float(re.search(r"residual of the balance +(\S+)", said[4]).group(1))
    work = float(re.search(r"work of loads and forces +(\S+)", said[4]).group(1))
    check(abs(residual) < 1e-12 * work and work > 1.0, f"balance {residual} of {work}")

    # stopped on two ranks, resumed on three
    stop_and_resume(where, ROLL, 133, whole)

    # obstacles that move, bodies that outrun their copies, the plane, ranks without bodies
    same_on_all(where, "table", write(where, "table.yaml", TABLE))
    said, _ = same_on_all(where, "bullets", write(where, "bullets.yaml", BULLETS))
    check(counted(said[2], "steps with copies of all") > 0, said[2])
    same_on_all(where, "discs", write(where, "discs.yaml", DISCS))
    same_on_all(where, "few", write(where, "few.yaml", FEW))

    # what cannot be split goes the other way, and says why
    for words, why in (((EXAMPLE, "--set", "scheme=combined-projection"), "the scheme combined-projection"), ((ROLL, "--whole"), "--whole asks for it"),
                       ((JOINED, "--set", "scheme=moreau-jean"), "joints, or contacts given one by one")):
        other = finish(2, *words, "--until", "0.02", "--output", os.path.join(where, "other.h5"), "--overwrite")
        check(f"the first rank moves the bodies ({why}" in other, f"{words}: {other}")
    quiet = run(2, ROLL, "--until", "0.02", "--output", os.path.join(where, "other.h5"), "--overwrite", "--quiet")
    check(quiet.returncode == 0 and quiet.stdout == "", quiet.stdout + quiet.stderr)

    # a step that fails, everywhere and in one sentence, with a file to resume from
    failed = run(3, write(where, "crushed.yaml", CRUSHED), "--output", os.path.join(where, "crushed.h5"))
    check(failed.returncode != 0 and failed.stderr.count("rico-mpi run: ") == 1, failed.stderr)
    check(re.search(r"step \d+ at t = .*the contact problem \(bodies ", failed.stderr), failed.stderr)
    check("--resume goes on from there" in failed.stderr, failed.stderr)
    print("ok")
