"""Archives as h5py sees them: while they grow, after a kill, and finished.

Usage: check_results.py WRITER HAIL_WRITER; exits with 77 where there is no h5py.
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
HAIL_WRITER = os.path.abspath(sys.argv[2])
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


def check_contacts(file, rows):
    """Contacts that come and go: a list for each row of the state, of one piece with the ledger."""
    begin = file["emitted/start"][: rows + 1]
    assert begin[0] == 0 and np.all(np.diff(begin) >= 0) and begin[-1] <= len(file["emitted/key"])
    some = {name: column[: begin[-1]] for name, column in file["emitted"].items() if name != "start"}
    assert some["key"].dtype == np.uint64 and some["key"].max() > 2**63
    row = np.repeat(np.arange(rows), np.diff(begin))
    assert np.array_equal(some["t"], file["state/t"][:rows][row])
    for k in range(rows):
        names = list(zip(some["source"][row == k].tolist(), some["key"][row == k].tolist()))
        assert names == sorted(set(names))
    works = np.zeros(rows)
    np.add.at(works, row, some["normal_work"])
    # of the contact that is always there, along the mean of its velocities: theta is 1/2
    impulse, before, after = (file["contacts"][name][:rows, 0] for name in ("impulse", "before", "after"))
    fixed = impulse * (before + after) / 2
    assert np.abs(works + fixed - file["ledger/normal"][:rows]).max() < 1e-12
    floor = some["source"] == 0
    assert np.abs((some["b"] - some["a"])[floor, 2] - some["gap"][floor]).max() < 1e-13
    assert set(some["state"]) <= {0, 1, 2} and np.all(some["impulse"][:, 0] >= 0)


def read_hail(path):
    subprocess.run([HAIL_WRITER, path, "0.6"], check=True)
    with h5py.File(path, "r") as file:
        assert file["notes/sources"][()].decode() == "floor\npairs\n"
        assert len(file["emitted/start"]) == len(file["state/t"]) + 1
        check_contacts(file, len(file["state/t"]))
        of_source = file["events/source"][:] >= 0
        assert np.array_equal(of_source, file["events/constraint"][:] < 0) and of_source.any()


def read_killed_hail(path):
    run = subprocess.Popen([HAIL_WRITER, path, "100"])
    wait_for(path + ".checkpoint")
    run.send_signal(signal.SIGKILL)
    run.wait()
    with h5py.File(path, "r", swmr=True) as file:
        rows = min(len(column) for name in ("state", "contacts", "ledger") for column in file[name].values())
        items = min(len(column) for name, column in file["emitted"].items() if name != "start")
        rows = min(rows, int(np.searchsorted(file["emitted/start"][:], items, "right")) - 1)
        assert rows > 30
        check_contacts(file, rows)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    read_along("run.h5")
    read_finished("run.h5")
    read_killed("killed.h5")
    read_hail("hail.h5")
    read_killed_hail("killed_hail.h5")
