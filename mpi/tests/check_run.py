"""A scene on 1, 2 and 4 ranks ends in the same state to the last bit; a rank that dies leaves a file to resume from.

usage: check_run.py MPIRUN RICO_MPI SCENE SPLIT

SPLIT is a scene that is split in space; SCENE is not, for it is asked to stay whole.
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time

MPIRUN, RICO_MPI, SCENE, SPLIT = sys.argv[1:5]
environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1", OPENBLAS_NUM_THREADS="1")
# few contacts, shared all the same
SHARED = ["--whole", "--share-from", "20"]
UNTIL = ["--until", "0.4"]


def command(ranks, *words):
    return [MPIRUN, "-q", "-n", str(ranks), RICO_MPI, "run", *words]


def check(right, what):
    if not right:
        sys.exit("check_run: " + what)


def finish(ranks, *words):
    run = subprocess.run(command(ranks, *words, "--hash"), env=environment, capture_output=True, text=True)
    check(run.returncode == 0, f"{words} on {ranks} ranks: {run.stdout}{run.stderr}")
    return re.search(r"hash (\w+)", run.stdout).group(1)


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(word) for word in file.read().split()]


def rank_of(pid):
    with open(f"/proc/{pid}/environ", "rb") as file:
        found = re.search(rb"OMPI_COMM_WORLD_RANK=(\d+)", file.read())
    return int(found.group(1)) if found else -1


def kill_second_rank(folder, scene, words, wait):
    """Starts a run on two ranks and kills the second so many seconds later; what was said, and the file, or None where the
    run was over by then."""
    output = os.path.join(folder, "killed.h5")
    if os.path.exists(output):
        os.remove(output)
    run = subprocess.Popen(command(2, scene, "--output", output, "--checkpoint-steps", "5", *words, *UNTIL), env=environment,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.time() + 120
    ranks = {}
    while time.time() < deadline and (len(ranks) < 2 or not os.path.exists(output)):
        time.sleep(0.01)
        if run.poll() is not None:
            return None
        ranks = {rank_of(pid): pid for pid in children(run.pid)}
    time.sleep(wait)
    if run.poll() is not None:
        return None
    os.kill(ranks[1], signal.SIGKILL)
    out, err = run.communicate(timeout=120)
    # what ended well had written its last row before
    return (output, err) if run.returncode != 0 else None


def lose_a_rank(folder, scene, words):
    """The state that every number of ranks ends in; a run that lost a rank gets there too, once it is resumed."""
    hashes, seconds = {}, {}
    for ranks in (1, 2, 4):
        began = time.time()
        hashes[ranks] = finish(ranks, scene, "--output", os.path.join(folder, f"{ranks}.h5"), "--overwrite", *words, *UNTIL)
        seconds[ranks] = time.time() - began
    check(len(set(hashes.values())) == 1, f"states differ: {hashes}")
    # long enough for a checkpoint, not to the end: by what the whole took, start and all
    killed = None
    for share in (0.4, 0.2, 0.05):
        killed = killed or kill_second_rank(folder, scene, words, share * seconds[2])
    check(killed is not None, "the run was too short to be killed, or ends well without a rank")
    path, said = killed
    check(said.count("rico-mpi run: ended from outside") == 1, "not one sentence: " + said)
    resumed = finish(3, path, "--resume", *words)
    check(resumed == hashes[1], f"resumed on three ranks: {resumed}, not {hashes[1]}")
    print(hashes)


with tempfile.TemporaryDirectory() as where:
    lose_a_rank(where, SCENE, SHARED)
    lose_a_rank(where, SPLIT, [])
    wrong = subprocess.run(command(3, os.path.join(where, "none.yaml")), env=environment, capture_output=True, text=True)
    check(wrong.returncode != 0 and wrong.stderr.count("rico-mpi run: ") == 1, "a missing scene: " + wrong.stderr)
