"""Runs of scenes over ranks, and what their files hold: for the checks of scenes that are split in space.

The first words of the program that uses it: MPIRUN RICO_MPI RICO FOLDER_OF_SCENES.
"""

import os
import re
import subprocess
import sys

MPIRUN, RICO_MPI, RICO, SCENES = sys.argv[1:5]
environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1", OPENBLAS_NUM_THREADS="1")
ROLL = os.path.join(SCENES, "roll.yaml")


def check(right, what):
    if not right:
        sys.exit(os.path.splitext(os.path.basename(sys.argv[0]))[0] + ": " + what)


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


def last_number(table, column):
    """Of a table as it is exported."""
    rows = table.splitlines()
    return float(rows[-1].split(",")[rows[0].split(",").index(column)])


def same_on_all(where, name, scene, *words):
    """Runs on 1, 2 and 4 ranks; what each said, and the file of the first."""
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


def agree_with_serial(where, scene, most, *words):
    """The serial program and three ranks end within most["q"] and most["v"] of each other, in a motion that is unique; both files."""
    paths = [os.path.join(where, name + ".h5") for name in ("serial", "split")]
    for path, program in zip(paths, (None, 3)):
        all_words = (scene, *words, "--output", path, "--overwrite")
        done = call(RICO, "run", *all_words) if program is None else run(program, *all_words)
        check(done.returncode == 0, done.stdout + done.stderr)
    for column in most:
        one, two = (last_row(path, column) for path in paths)
        apart = max(abs(a - b) for a, b in zip(one, two))
        check(len(one) == len(two) and apart < most[column],
              f"{scene}: {column} is {apart} apart from that of the serial program")
    return [tables(path) for path in paths]


def stop_and_resume(where, scene, steps, whole, *words):
    """Stopped on two ranks after so many steps, resumed on three: the file `whole` of the undisturbed run."""
    path = os.path.join(where, "stopped.h5")
    stopped = run(2, scene, "--output", path, "--stop-after", str(steps), *words)
    check(stopped.returncode != 0 and f"stopped after {steps} steps" in stopped.stderr, stopped.stderr)
    finish(3, path, "--resume")
    compare(whole, tables(path), "resumed on three ranks")


def write(where, name, text):
    path = os.path.join(where, name)
    with open(path, "w") as file:
        file.write(text)
    return path
