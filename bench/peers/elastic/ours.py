# Runs a scene by `rico run` and reads its mesh and displacements from the VTU files of `rico export`.

import os
import re
import resource
import subprocess

import numpy

TYPES = {"Float64": numpy.float64, "Int64": numpy.int64, "UInt8": numpy.uint8}


# CPU seconds of a command, which must succeed.
def cpu_of(command, folder, log):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(os.path.join(folder, log), "w") as out:
        code = subprocess.call(command, cwd=folder, stdout=out, stderr=out)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if code != 0:
        raise RuntimeError(f"{command[0]} ended with {code}: see {folder}/{log}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


# The arrays of a VTU file whose numbers are appended raw, each behind its length of eight bytes.
def read_vtu(path):
    data = open(path, "rb").read()
    start = data.index(b"_", data.index(b"<AppendedData")) + 1
    arrays = {}
    pattern = rb'<DataArray type="(\w+)" Name="([^"]*)" NumberOfComponents="(\d+)" format="appended" offset="(\d+)"'
    for kind, name, components, offset in re.findall(pattern, data[:start]):
        at = start + int(offset)
        size = int.from_bytes(data[at:at + 8], "little")
        values = numpy.frombuffer(data, TYPES[kind.decode()], offset=at + 8, count=size // numpy.dtype(TYPES[kind.decode()]).itemsize)
        arrays[name.decode()] = values.reshape(-1, int(components)) if int(components) > 1 else values
    return arrays


# Positions at rest, cells and displacements of the parts at the last row, and the CPU time of the run.
def run(scene, parts, folder, rico):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "scene.yaml"), "w") as out:
        out.write(scene)
    seconds = cpu_of([rico, "run", "scene.yaml", "--overwrite"], folder, "run.log")
    cpu_of([rico, "export", "scene.h5", "--vtk", "vtk"], folder, "export.log")
    found = []
    for part in parts:
        rows = sorted(name for name in os.listdir(f"{folder}/vtk") if re.fullmatch(part + r"-\d+\.vtu", name))
        first, last = read_vtu(f"{folder}/vtk/{rows[0]}"), read_vtu(f"{folder}/vtk/{rows[-1]}")
        size = int(first["offsets"][0])
        found.append({"x": last["points"] - last["displacement"], "cells": first["connectivity"].reshape(-1, size), "u": last["displacement"]})
    return found, seconds
