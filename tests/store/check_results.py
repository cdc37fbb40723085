"""Archives as h5py sees them: while they grow, after a kill, and finished.

Usage: check_results.py WRITER; exits with 77 where there is no h5py.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time

try:
    import h5py
    import numpy as np
except ImportError:
    sys.exit(77)

WRITER = os.path.abspath(sys.argv[1])
STEPS = 400


def start(path):
    return subprocess.Popen([WRITER, path, str(STEPS), "200"], stdin=subprocess.PIPE)


def wait_for(path):
    while not os.path.exists(path):
        time.sleep(0.001)


def check_rows(steps, rows):
    """Every row that all columns have is whole."""
    assert np.array_equal(steps["time"][:rows], 0.125 * np.arange(1, rows + 1))
    q = steps["q"][:rows]
    assert q.shape == (rows, 700)
    if rows > 1:  # 20 of 700 positions change in a step
        changed = np.count_nonzero(np.diff(q, axis=0), axis=1)
        assert changed.min() >= 1 and changed.max() <= 20, changed


def read_along(path):
    run = start(path)
    wait_for(path)
    seen = 0
    with h5py.File(path, "r", swmr=True) as file:
        steps = file["steps"]
        while seen < STEPS // 2:
            for column in steps.values():
                column.refresh()
            rows = min(len(column) for column in steps.values())
            assert rows >= seen
            seen = rows
            check_rows(steps, rows)
        assert file["run/finished"][()] == 0
        run.communicate(b"\n")
    assert run.returncode == 0
    assert seen == STEPS // 2


def read_finished(path):
    with h5py.File(path, "r") as file:  # no flags, no modes
        assert list(file["steps"]) == ["time", "q", "sum", "iterations"]
        assert all(len(column) == STEPS for column in file["steps"].values())
        check_rows(file["steps"], STEPS)
        assert file["run/finished"][()] == 1
        assert file["notes/scene"][()].decode() == "bodies:\n  - ball \u00e9\n"
        assert file["notes/step_size"][()] == 0.125 and file["notes/seed"][()] == -7
        assert file["steps/q"].attrs["unit"].decode() == "m"
        begin = file["contacts/start"][:]
        assert begin[0] == 0 and len(begin) == STEPS + 1
        assert begin[-1] == len(file["contacts/impulse"]) == len(file["contacts/contact"])


def read_killed(path):
    run = start(path)
    wait_for(path + ".checkpoint")
    run.send_signal(signal.SIGKILL)
    run.wait()
    with h5py.File(path, "r", swmr=True) as file:
        check_rows(file["steps"], min(len(column) for column in file["steps"].values()))
        assert len(file["steps/time"]) >= STEPS // 2


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    read_along("run.h5")
    read_finished("run.h5")
    read_killed("killed.h5")
