"""Scenes split in space: the same file on 1, 2 and 4 ranks, that of the serial program where the solution is unique, and what is
said of scenes that cannot be split.

usage: check_space.py MPIRUN RICO_MPI RICO FOLDER_OF_SCENES EXAMPLE JOINED
"""

import os
import re
import subprocess
import sys
import tempfile

MPIRUN, RICO_MPI, RICO, SCENES, EXAMPLE, JOINED = sys.argv[1:7]
environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1", OPENBLAS_NUM_THREADS="1")
ROLL = os.path.join(SCENES, "roll.yaml")


def check(right, what):
    if not right:
        sys.exit("check_space: " + what)


def call(*words):
    return subprocess.run(words, env=environment, capture_output=True, text=True, timeout=500)


def run(ranks, *words):
    return call(MPIRUN, "-q", "-n", str(ranks), RICO_MPI, "run", *words)


def finish(ranks, *words):
    """What a run says that ends well."""
    done = run(ranks, *words, "--hash")
    check(done.returncode == 0, f"{words} on {ranks} ranks: {done.stdout}{done.stderr}")
    return done.stdout


def hash_of(said):
    return re.search(r"^hash (\w+)", said, re.M).group(1)


def counted(said, what):
    return int(re.search(r"(\d+) " + what, said).group(1))


def tables(path):
    """Every number of a result file, in digits that read back as the same."""
    listed = call(RICO, "export", path)
    check(listed.returncode == 0, listed.stderr)
    names = dict.fromkeys(line.split()[0] for line in listed.stdout.splitlines()[1:] if line and line[0] != " ")
    found = {}
    for name in names:
        table = call(RICO, "export", path, "--table", name)
        if table.returncode == 0:
            found[name] = table.stdout
    check({"state", "ledger", "total", "counters", "events", "sliding", "emitted"} <= set(found), f"{path}: {list(found)}")
    return found


def compare(one, two, what):
    check(list(one) == list(two), f"{what}: tables {list(one)} and {list(two)}")
    for name in one:
        check(one[name] == two[name], f"{what}: table {name} differs")


def last_row(path, column):
    row = call(RICO, "export", path, "--table", "state", "--column", column).stdout.splitlines()[-1]
    return [float(word) for word in row.split(",")]


def same_on_all(where, name, scene, *words):
    """Runs on 1, 2 and 4 ranks; what the last one said, and the file of the first."""
    files, said = {}, {}
    for ranks in (1, 2, 4):
        path = os.path.join(where, f"{name}-{ranks}.h5")
        said[ranks] = finish(ranks, scene, "--output", path, *words)
        check("split in space: " in said[ranks], f"{name} was not split: {said[ranks]}")
        files[ranks] = tables(path)
        check(hash_of(said[ranks]) == hash_of(said[1]), f"{name}: {ranks} ranks end in another state")
        compare(files[1], files[ranks], f"{name} on 1 and {ranks} ranks")
    check(counted(said[1], "bodies changed ranks") == 0, "one rank has sent bodies away")
    return said, files[1]


def write(where, name, text):
    path = os.path.join(where, name)
    with open(path, "w") as file:
        file.write(text)
    return path


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
    for program, name in ((None, "serial"), (3, "split")):
        path = os.path.join(where, name + ".h5")
        words = (ROLL, "--set", "mu=0", "--until", "0.22", "--output", path)
        done = call(RICO, "run", *words) if program is None else run(program, *words)
        check(done.returncode == 0, done.stdout + done.stderr)
    for column, most in (("q", 1e-8), ("v", 1e-6)):
        one, two = (last_row(os.path.join(where, name + ".h5"), column) for name in ("serial", "split"))
        apart = max(abs(a - b) for a, b in zip(one, two))
        check(len(one) == len(two) and apart < most, f"{column} is {apart} apart from that of the serial program")
    rows = [tables(os.path.join(where, name + ".h5"))["emitted"].count("\n") for name in ("serial", "split")]
    check(rows[0] == rows[1] and rows[0] > 100, f"rows of contacts: {rows}")

    # what closes the balance is round-off: works and energies are those of all bodies, each once
    residual = float(re.search(r"residual of the balance +(\S+)", said[4]).group(1))
    work = float(re.search(r"work of loads and forces +(\S+)", said[4]).group(1))
    check(abs(residual) < 1e-12 * work and work > 1.0, f"balance {residual} of {work}")

    # stopped on two ranks, resumed on three
    path = os.path.join(where, "stopped.h5")
    stopped = run(2, ROLL, "--output", path, "--stop-after", "133")
    check(stopped.returncode != 0 and "stopped after 133 steps" in stopped.stderr, stopped.stderr)
    finish(3, path, "--resume")
    compare(whole, tables(path), "resumed on three ranks")

    # obstacles that move, bodies that outrun their copies, the plane, ranks without bodies
    same_on_all(where, "table", write(where, "table.yaml", TABLE))
    said, _ = same_on_all(where, "bullets", write(where, "bullets.yaml", BULLETS))
    check(counted(said[2], "steps with copies of all") > 0, said[2])
    same_on_all(where, "discs", write(where, "discs.yaml", DISCS))
    same_on_all(where, "few", write(where, "few.yaml", FEW))

    # what cannot be split goes the other way, and says why
    for words, why in (((EXAMPLE,), "the scheme moreau-jean-projected"), ((ROLL, "--whole"), "--whole asks for it"),
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
