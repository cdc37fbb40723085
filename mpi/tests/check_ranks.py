"""The same bits on 1, 2 and 4 ranks, files as the serial program writes them, one sentence for what is wrong.

usage: check_ranks.py MPIRUN TEST_RANKS RICO RICO_MPI
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

MPIRUN, TEST_RANKS, RICO, RICO_MPI = sys.argv[1:5]
RANKS = (1, 2, 4)
environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1", OPENBLAS_NUM_THREADS="1")


def on_ranks(ranks, *words):
    return subprocess.run([MPIRUN, "-q", "-n", str(ranks), *words], env=environment, capture_output=True, text=True)


def check(right, what):
    if not right:
        sys.exit("check_ranks: " + what)


def check_library():
    printed = []
    for ranks in RANKS:
        run = on_ranks(ranks, TEST_RANKS)
        check(run.returncode == 0, f"{ranks} ranks: {run.stdout}{run.stderr}")
        printed.append(run.stdout)
    check(printed[0].count("digest") == 19, "not all problems were solved:\n" + printed[0])
    for ranks, text in zip(RANKS, printed):
        check(text == printed[0], f"{ranks} ranks differ from one:\n{printed[0]}\n{text}")
    print(printed[0], end="")


def make(folder, name, *words):
    path = os.path.join(folder, name)
    subprocess.run([RICO, "generate", *words, "--output", path], check=True, capture_output=True)
    return path


def contents(path):
    import h5py

    found = {}
    with h5py.File(path, "r") as file:
        file.visititems(lambda name, item: found.update({name: item}) if not hasattr(item, "shape") else
                        found.update({name: (item.dtype, item.shape, item[()])}))
        return {name: item if isinstance(item, tuple) else None for name, item in found.items()}


def check_files(folder):
    import numpy

    problem = make(folder, "spheres.hdf5", "spheres", "--contacts", "2000", "--friction", "0")
    serial = os.path.join(folder, "serial")
    subprocess.run([RICO, "solve", problem, "--tol", "1e-10", "--write", serial], check=True, capture_output=True)
    expected = contents(os.path.join(serial, "spheres.hdf5"))
    reports, solutions = [], []
    for ranks in RANKS:
        out = os.path.join(folder, f"ranks-{ranks}")
        run = on_ranks(ranks, RICO_MPI, "solve", problem, "--tol", "1e-10", "--write", out, "--json")
        check(run.returncode == 0, run.stdout + run.stderr)
        reports.append(json.loads(run.stdout))
        found = contents(os.path.join(out, "spheres.hdf5"))
        check(found.keys() == expected.keys(), f"{sorted(found)} is not {sorted(expected)}")
        check(os.listdir(out) == ["spheres.hdf5"], f"left behind: {os.listdir(out)}")
        for name, item in expected.items():
            if item is None:
                continue
            check(found[name][:2] == item[:2], f"{name} is of another kind")
            if not name.startswith("solution"):
                check(numpy.array_equal(found[name][2], item[2]), f"{name} changed")
        # without friction u is unique
        u, other = found["solution/u"][2], expected["solution/u"][2]
        check(abs(u - other).max() < 1e-6 * abs(other).max(), "u differs from the serial one")
        solutions.append({name: item[2].tobytes() for name, item in found.items() if name.startswith("solution/")})
    for ranks, report, solution in zip(RANKS, reports, solutions):
        for key in ("digest", "residual", "sweeps", "parts", "colours", "stop"):
            check(report[key] == reports[0][key], f"{key} differs on {ranks} ranks: {report} {reports[0]}")
        check(solution == solutions[0], f"the solution of {ranks} ranks has other bits")
        check(report["ranks"] == ranks and report["residual"] <= 1e-10, str(report))
    check(reports[1]["messages"] > 0 and reports[0]["messages"] == 0, "messages are not counted")

    # ADMM promises the tolerance, not the bits
    for ranks in (1, 2):
        out = os.path.join(folder, f"admm-{ranks}")
        run = on_ranks(ranks, RICO_MPI, "solve", problem, "--method", "admm", "--tol", "1e-8", "--write", out, "--json")
        check(run.returncode == 0, "admm: " + run.stdout + run.stderr)
        u = contents(os.path.join(out, "spheres.hdf5"))["solution/u"][2]
        check(abs(u - other).max() < 1e-5 * abs(other).max(), "u of admm differs from the serial one")

    # what the parallel run wrote, the serial program reads and certifies
    run = subprocess.run([RICO, "solve", os.path.join(folder, "ranks-2", "spheres.hdf5"), "--tol", "1e-10"], capture_output=True)
    check(run.returncode == 0, "the written file is not readable")
    return problem


def violation(path):
    """By how much the impulses in a file violate Coulomb's law, by dense algebra from M, H, f, w: shares nothing with rico."""
    import h5py
    import numpy

    def dense(group):
        full = numpy.zeros((int(numpy.ravel(group["m"])[0]), int(numpy.ravel(group["n"])[0])))
        start, row, value = (group[name][()] for name in "pix")
        for column in range(full.shape[1]):
            full[row[start[column]:start[column + 1]], column] = value[start[column]:start[column + 1]]
        return full

    with h5py.File(path, "r") as file:
        M, H = dense(file["fclib_global/M"]), dense(file["fclib_global/H"])
        f, w, mu = (file["fclib_global/vectors/" + name][()] for name in ("f", "w", "mu"))
        r = file["solution/r"][()]
    W, q = H.T @ numpy.linalg.solve(M, H), H.T @ numpy.linalg.solve(M, f) + w
    u, square = W @ r + q, 0.0
    for a in range(len(mu)):
        rows = slice(3 * a, 3 * a + 3)
        s, v = numpy.linalg.norm(W[rows, rows]) * r[rows], u[rows]
        pushed = s[1:] - v[1:]
        radius, length = mu[a] * max(s[0], 0.0), numpy.linalg.norm(pushed)
        slip = s[1:] - (pushed if length <= radius else pushed * (radius / length))
        square += min(s[0], v[0]) ** 2 + slip @ slip
    return square ** 0.5 / max(numpy.linalg.norm(q), numpy.linalg.norm(u))


def check_newton(folder):
    wall = make(folder, "wall.hdf5", "wall", "--contacts", "1000", "--friction", "0.5")
    reports = []
    for ranks in RANKS:
        out = os.path.join(folder, f"newton-{ranks}")
        run = on_ranks(ranks, RICO_MPI, "solve", wall, "--method", "newton", "--tol", "1e-8", "--write", out, "--json")
        check(run.returncode == 0, run.stdout + run.stderr)
        reports.append(json.loads(run.stdout))
        left = violation(os.path.join(out, "wall.hdf5"))
        check(left < 2e-8, f"the written impulses violate Coulomb's law by {left}")
    for key in ("digest", "residual", "systems", "products", "stop"):
        check(len({report[key] for report in reports}) == 1, f"{key} of newton differs: {reports}")

    # room for the problem and not for Newton's systems: refused before they are made, or sweeps alone
    room = str(reports[0]["foreseen_bytes"] / 1e9 + 1e-4)
    run = on_ranks(1, RICO_MPI, "solve", wall, "--method", "newton", "--memory", room)
    check(run.returncode == 3 and "Newton's systems would need" in run.stderr, f"{run.returncode}: {run.stderr}")
    check(reports[0]["newton_bytes"] > 1e5, str(reports[0]))
    run = on_ranks(1, RICO_MPI, "solve", wall, "--memory", room, "--max-iter", "400")
    check(run.returncode == 1 and "sweeps alone" in run.stdout and " 0 Newton systems" in run.stdout, run.stdout + run.stderr)

    # what did not get there says so
    run = on_ranks(2, RICO_MPI, "solve", wall, "--method", "newton", "--max-iter", "3")
    check(run.returncode == 1 and "max-iterations" in run.stdout, f"{run.returncode}: {run.stdout}")


def check_refusals(folder, problem):
    import h5py

    local = make(folder, "local.hdf5", "random", "--contacts", "20", "--form", "reduced")
    text = os.path.join(folder, "text.hdf5")
    with open(text, "w") as file:
        file.write("no HDF5\n")
    joints = make(folder, "joints.hdf5", "random", "--contacts", "20", "--joints", "3")
    broken = []
    for name, path, change in (("nan", "fclib_global/H/x", float("nan")), ("row", "fclib_global/H/i", 10 ** 8),
                               ("start", "fclib_global/M/p", -5), ("mu", "fclib_global/vectors/mu", -1.0)):
        copy = os.path.join(folder, name + ".hdf5")
        shutil.copy(problem, copy)
        with h5py.File(copy, "r+") as file:
            file[path][len(file[path]) - 1 if name != "start" else len(file[path]) // 2] = change
        broken.append((copy, "H/x" if name == "nan" else "H/i" if name == "row" else "M/p" if name == "start" else "friction"))
    cut = os.path.join(folder, "cut.hdf5")
    with open(problem, "rb") as whole, open(cut, "wb") as part:
        part.write(whole.read()[:20000])
    cases = [([os.path.join(folder, "none.hdf5")], 3, "No such file"), ([text], 2, ""), ([cut], 2, ""),
             ([local], 2, "local form"), ([joints], 2, "equalities"), ([problem, "--memory", "0.05"], 3, "would need"),
             ([problem, "--tol", "x"], 2, "tol"), ([problem, "--write", folder], 2, "overwrite"), ([], 2, "FILE"),
             ([problem, "--max-iter", "2"], 1, "")]
    cases += [([path], 2, word) for path, word in broken]
    for words, code, part in cases:
        for ranks in (1, 3):
            run = on_ranks(ranks, RICO_MPI, "solve", *words)
            said = [line for line in run.stderr.splitlines() if line.startswith("rico-mpi solve: ") and "up to" not in line]
            check(run.returncode == code, f"{words} on {ranks}: code {run.returncode}, not {code}: {run.stderr}")
            check(len(said) == (code != 1), f"{words} on {ranks} ranks, not one sentence: {run.stderr}")
            check(part in run.stderr, f"{words}: no '{part}' in {run.stderr}")


check_library()
try:
    import h5py  # noqa: F401
except ImportError:
    print("no h5py: files were not compared")
    sys.exit(0)
with tempfile.TemporaryDirectory() as where:
    check_refusals(where, check_files(where))
    check_newton(where)
