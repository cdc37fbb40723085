"""The default scheme of bodies split in space: what falls and rolls, piles, bodies that begin in one another, that are wedged, that fly through their room.
The same file on 1, 2 and 4 ranks, and that of the serial program where the motion is unique.

usage: check_projected.py MPIRUN RICO_MPI RICO FOLDER_OF_SCENES
"""

import os
import re
import tempfile

from space_runs import ROLL, agree_with_serial, check, counted, last_number, run, same_on_all, stop_and_resume, write

PROJECTED = ("--set", "scheme=moreau-jean-projected")

HEAD = """parameters: {mu: 0.4, e: 0.0}
gravity: [0.5, 0, -9.8]
materials: {bead: {friction: mu, restitution: e}}
"""
FLOOR = """bodies:
  floor: {shape: plane, fixed: yes, material: bead}
"""
PILE = HEAD + FLOOR + """  brick: {shape: {box: {size: [0.06, 0.05, 0.04]}}, density: 1000, position: [0, 0, 0.03], material: bead,
          copies: {grid: {count: [4, 3, 4], spacing: [0.066, 0.056, 0.0405]}}}
time: {end: 0.1, step: 2e-3}
"""
# the first step takes them out of each other, some by more than their copies were kept from
DEEP = HEAD + FLOOR + """  ball: {shape: {sphere: 0.03}, density: 1000, position: [0, 0, 0.025], material: bead,
         copies: {pour: {count: [5, 4, 2], spacing: [0.052], jitter: 0.003}}}
  brick: {shape: {box: {size: [0.05, 0.04, 0.03]}}, density: 3000, position: [0, 0, 0.12], material: bead,
          copies: {pour: {count: [5, 5, 1], spacing: [0.058], jitter: 0.004, seed: 9}}}
initial: {overlap: true}
time: {end: 0.06, step: 2e-3}
"""
# no place is outside of everything: bodies shift, then enter each other rather than a wall
WEDGED = HEAD + FLOOR + """  right: {shape: {box: {size: [0.1, 2, 0.4]}}, fixed: yes, position: [0.075, 0, 0.2], material: bead}
  left: {shape: {box: {size: [0.1, 2, 0.4]}}, fixed: yes, position: [-0.075, 0, 0.2], material: bead}
  ball: {shape: {sphere: 0.03}, density: 1000, position: [0, 0, 0.025], material: bead,
         copies: {grid: {count: [1, 6, 2], spacing: [0.055]}}}
  brick: {shape: {box: {size: [0.05, 0.04, 0.03]}}, density: 3000, position: [0.3, 0, 0.05], material: bead,
          copies: {pour: {count: [4, 4, 1], spacing: [0.058], jitter: 0.004, seed: 9}}}
initial: {overlap: true}
time: {end: 0.004, step: 2e-3}
"""
# heavy bricks squeeze light balls out between them, a size of theirs in a step
ROOM = HEAD + FLOOR + """  right: {shape: {box: {size: [0.1, 2, 2]}}, fixed: yes, position: [0.35, 0, 0.5], material: bead}
  left: {shape: {box: {size: [0.1, 2, 2]}}, fixed: yes, position: [-0.35, 0, 0.5], material: bead}
  front: {shape: {box: {size: [2, 0.1, 2]}}, fixed: yes, position: [0, -0.35, 0.5], material: bead}
  back: {shape: {box: {size: [2, 0.1, 2]}}, fixed: yes, position: [0, 0.35, 0.5], material: bead}
  lid: {shape: {box: {size: [2, 2, 0.1]}}, fixed: yes, position: [0, 0, 0.45], material: bead}
  brick: {shape: {box: {size: [0.08, 0.06, 0.05]}}, density: 8000, position: [0, 0, 0.1], velocity: [25, 11, 3], material: bead,
          copies: {pour: {count: [4, 4, 2], spacing: [0.12], jitter: 0.005, seed: 5}}}
  ball: {shape: {sphere: 0.015}, density: 500, position: [0, 0, 0.3], velocity: [-20, 3, 1], material: bead,
         copies: {pour: {count: [8, 8, 1], spacing: [0.06], jitter: 0.005}}}
time: {end: 0.03, step: 3e-3}
"""
BULLETS = HEAD + FLOOR + """  ball: {shape: {sphere: 0.03}, density: 1000, position: [0, 0, 0.05], material: bead,
         copies: {pour: {count: [6, 5, 2], spacing: [0.07], jitter: 0.004}}}
  bullet: {shape: {sphere: 0.02}, density: 5000, position: [-0.5, 0, 0.1], velocity: [40, 0, 0], material: bead,
           copies: {pour: {count: [2, 3, 2], spacing: [0.07], jitter: 0.005, seed: 4}}}
time: {end: 0.02, step: 1e-3}
"""
TABLE = HEAD + """bodies:
  table: {shape: {box: {size: [1, 1, 0.1]}}, position: [0, 0, -0.05], motion: {shift: [0.05*sin(20*t), 0, 0.01*sin(30*t)]}, material: bead}
  brick: {shape: {box: {size: [0.05, 0.04, 0.03]}}, density: 1000, position: [0, 0, 0.05], material: bead,
          copies: {pour: {count: [5, 4, 2], spacing: [0.095], jitter: 0.005, seed: 9}}}
time: {end: 0.1, step: 2e-3}
"""
DISCS = """gravity: [0.5, -9.8]
materials: {bead: {friction: 0.3, restitution: 0.4}}
bodies:
  floor: {shape: line, fixed: yes, material: bead}
  disc: {shape: {disc: 0.05}, density: 1000, position: [0, 0.1], material: bead,
         copies: {pour: {count: [10, 6], spacing: [0.12], jitter: 0.01}}}
time: {end: 0.2, step: 2e-3}
output: {impacts: true}
"""
FEW = HEAD + FLOOR + """  ball: {shape: {sphere: 0.03}, density: 1000, position: [0, 0, 0.031], velocity: [0.2, 0, 0], material: bead,
         copies: {grid: {count: [3, 1, 1], spacing: [0.061]}}}
time: {end: 0.06, step: 2e-3}
"""
CRUSHED = HEAD + FLOOR + """  press: {shape: {box: {size: [1, 1, 0.1]}}, position: [0, 0, 0.16], motion: {shift: [0, 0, -0.6*t]}, material: bead}
  brick: {shape: {box: {size: [0.05, 0.04, 0.03]}}, density: 1000, position: [0, 0, 0.05], material: bead,
          copies: {pour: {count: [4, 4, 1], spacing: [0.095], jitter: 0.005, seed: 9}}}
time: {end: 0.16, step: 2e-3}
"""


def rolls(where):
    """Spheres, pills, bricks and stones with friction; they change ranks, and nothing is lost of the balance."""
    words = (*PROJECTED, "--until", "0.26")
    said, whole = same_on_all(where, "roll", ROLL, *words)
    for ranks in (2, 4):
        check(counted(said[ranks], "bodies changed ranks") > 20, f"nobody migrates on {ranks} ranks: {said[ranks]}")
    residual = float(re.search(r"residual of the balance +(\S+)", said[4]).group(1))
    work = float(re.search(r"work of loads and forces +(\S+)", said[4]).group(1))
    check(abs(residual) < 1e-12 * work and work > 1.0, f"balance {residual} of {work}")
    stop_and_resume(where, ROLL, 93, whole, *words)


def projects(where):
    """Where positions are projected, in each of the ways in which they are."""
    deep = write(where, "deep.yaml", DEEP)
    said, whole = same_on_all(where, "deep", deep)
    check(counted(said[2], "steps with copies of all") > 0, f"copies were enough: {said[2]}")
    check(last_number(whole["counters"], "projections") > 30, "hardly anything was projected")
    check(last_number(whole["total"], "projection") > 0.5, "projections lifted nothing")
    same_on_all(where, "pile", write(where, "pile.yaml", PILE))
    said, _ = same_on_all(where, "wedged", write(where, "wedged.yaml", WEDGED))
    check(counted(said[1], "problems solved by the first rank") > 2, f"there was room: {said[1]}")
    said, _ = same_on_all(where, "room", write(where, "room.yaml", ROOM))
    check(counted(said[2], "steps with copies of all") > 0, said[2])
    both = agree_with_serial(where, deep, {"q": 1e-9, "v": 1e-6}, "--set", "mu=0", "--until", "0.01")
    passes = [last_number(one["counters"], "projections") for one in both]
    check(passes[0] == passes[1] and passes[0] > 10, f"passes: {passes}")


with tempfile.TemporaryDirectory() as where:
    rolls(where)
    projects(where)
    agree_with_serial(where, ROLL, {"q": 1e-10, "v": 1e-8}, *PROJECTED, "--set", "mu=0", "--until", "0.22")

    # bodies that outrun their copies, obstacles that move, the plane with rows around impacts, ranks without bodies
    same_on_all(where, "bullets", write(where, "bullets.yaml", BULLETS), "--set", "e=0.3")
    same_on_all(where, "table", write(where, "table.yaml", TABLE), "--set", "e=0.3")
    same_on_all(where, "discs", write(where, "discs.yaml", DISCS))
    same_on_all(where, "few", write(where, "few.yaml", FEW))

    # a step that fails, everywhere and in one sentence, with a file to resume from
    failed = run(3, write(where, "crushed.yaml", CRUSHED), "--output", os.path.join(where, "crushed.h5"))
    check(failed.returncode != 0 and failed.stderr.count("rico-mpi run: ") == 1, failed.stderr)
    check(re.search(r"step \d+ at t = .*the contact problem \(bodies ", failed.stderr), failed.stderr)
    check("--resume goes on from there" in failed.stderr, failed.stderr)
    print("ok")
