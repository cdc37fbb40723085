"""Installs the module from the tree, without the network:

    pip install --no-build-isolation ./python

The C part is built by CMake in ../build, as `make python` does, or taken from the folder of a build that RICO_BUILD names.
"""

import os
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent.parent


def version():
    for line in (ROOT / "CMakeLists.txt").read_text().splitlines():
        if line.startswith("project(ricochet VERSION"):
            return line.split()[2]
    raise SystemExit("CMakeLists.txt names no version")


class BuildWithCMake(build_ext):
    """Has CMake make the one extension there is."""

    def build_extension(self, ext):
        build = os.environ.get("RICO_BUILD")
        if not build:
            # the system's Python, from inside a virtual environment too, shares the folder of `make`; another one has its own
            build, flags = str(ROOT / "build"), ["-DRICO_PYTHON=ON"]
            if sys.base_prefix != "/usr":
                build = str(ROOT / "build-python-{}.{}".format(*sys.version_info))
                flags += [f"-DRICO_SYSTEM_PYTHON={sys.executable}", "-DBUILD_TESTING=OFF", "-DRICO_BENCH=OFF"]
            subprocess.run(["cmake", "--preset", "release", "-B", build, "--log-level=WARNING", *flags], cwd=ROOT, check=True)
            subprocess.run(["cmake", "--build", build, "--target", "python", "-j", str(os.cpu_count() or 1)], cwd=ROOT, check=True)
        made = Path(build) / "python" / self.get_ext_filename(ext.name)
        if not made.exists():
            raise SystemExit(f"{made} is not there; run `make python` first")
        self.copy_file(str(made), self.get_ext_fullpath(ext.name))


setup(
    name="ricochet",
    version=version(),
    description="Mechanics with contact, impact and friction, nothing smoothed away",
    python_requires=">=3.9",
    packages=["ricochet"],
    package_data={"ricochet": ["py.typed", "*.pyi"]},
    ext_modules=[Extension("ricochet._c", sources=[])],
    cmdclass={"build_ext": BuildWithCMake},
    install_requires=["numpy", "cffi>=1.15"],
    zip_safe=False,
)
