"""Every line of shell of docs/guide/mpi.md that does not build runs as it stands there, beside the scenes of the page.

usage: check_guide.py SOURCE BUILD
"""

import os
import re
import subprocess
import sys
import tempfile

SOURCE, BUILD = (os.path.abspath(path) for path in sys.argv[1:3])
environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1", OPENBLAS_NUM_THREADS="1")
with open(os.path.join(SOURCE, "docs/guide/mpi.md")) as page:
    text = page.read()
lines = [line for block in re.findall(r"```sh\n(.*?)```", text, re.S) for line in block.splitlines()]
scenes = re.findall(r"^`(\S+\.yaml)`:\n\n```yaml\n(.*?)```", text, re.S | re.M)
with tempfile.TemporaryDirectory() as folder:
    for name, scene in scenes:
        with open(os.path.join(folder, name), "w") as file:
            file.write(scene)
    os.symlink(BUILD, os.path.join(folder, "build"))
    os.symlink(os.path.join(SOURCE, "examples"), os.path.join(folder, "examples"))
    for line in lines:
        if line.startswith("make "):
            continue
        run = subprocess.run(line, shell=True, cwd=folder, env=environment, capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(f"check_guide: {line}\n{run.stdout}{run.stderr}")
        print(line)
