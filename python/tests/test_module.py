"""The module as a whole: everything public is described, examples run, a wheel installs."""

import importlib.util
import inspect
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import ricochet
from ricochet import ffi, lib

EXAMPLES = sorted((Path(__file__).resolve().parents[1] / "examples").glob("*.py"))


def test_everything_public_says_what_it_is():
    missing = []
    for name in ricochet.__all__:
        thing = getattr(ricochet, name)
        if name in ("ffi", "lib"):
            continue
        members = [(name, thing)]
        if inspect.isclass(thing):
            members += [(f"{name}.{key}", value) for key, value in vars(thing).items() if not key.startswith("_")]
        for where, one in members:
            function = one.fget if isinstance(one, property) else getattr(one, "__func__", one)
            if not (inspect.isfunction(function) or inspect.isclass(one)):
                continue
            if not inspect.getdoc(function):
                missing.append(where)
            if inspect.isfunction(function) and isinstance(one, property) and "return" not in function.__annotations__:
                missing.append(where + " (type)")
    assert missing == []


def test_types_are_shipped():
    folder = Path(ricochet.__file__).parent
    assert (folder / "py.typed").exists() and (folder / "_c.pyi").exists()


def test_declarations_are_those_of_the_headers(source):
    # as many functions as the headers have lines that open one, and none is missing from the module
    import re

    names = set()
    for header in (source / "include" / "ricochet").glob("*.h"):
        text = re.sub(r"//[^\n]*", "", header.read_text())
        names.update(re.findall(r"^(?:const )?\w+ \**(rico_\w+)\(", text, flags=re.M))
    assert len(names) > 300 and not [name for name in names if not hasattr(lib, name)]
    assert ricochet.__version__ == ffi.string(lib.rico_version()).decode()


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_examples_run(path, tmp_path):
    done = subprocess.run([sys.executable, path], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_there_are_examples():
    assert len(EXAMPLES) >= 4


def test_a_wheel_installs_without_the_network(source, tmp_path):
    build = os.environ.get("RICO_BUILD")
    if not build:
        pytest.skip("RICO_BUILD names no build")
    for module in ("pip", "setuptools", "wheel"):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is missing")
    tree = tmp_path / "tree"
    shutil.copytree(source / "python", tree / "python", ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    shutil.copy(source / "CMakeLists.txt", tree)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    environment = {**os.environ, "RICO_BUILD": build, "PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull}
    wheel = subprocess.run([*pip, "wheel", "--no-build-isolation", "--no-deps", "-w", tmp_path, tree / "python"], env=environment,
                           capture_output=True, text=True)  # fmt: skip
    assert wheel.returncode == 0, wheel.stderr
    (made,) = tmp_path.glob("ricochet-*.whl")
    assert ricochet.__version__ in made.name and "none-any" not in made.name
    target = tmp_path / "site"
    done = subprocess.run([*pip, "install", "--no-deps", "--target", target, made], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    code = "import ricochet; print(ricochet.__file__); print(ricochet.solve([[1.0]], [-2.0], dimension=1).impulse)"
    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(target)}, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert str(target) in ran.stdout and "[2.]" in ran.stdout
