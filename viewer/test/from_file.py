"""Numbers of a result file as h5py and numpy have them, without anything of Ricochet's, as JSON.

usage: from_file.py stress FILE      the least and largest von Mises stress at nodes that are seen, of the run and of its last row
       from_file.py joint FILE NAME ROW    the reaction of a joint at a row: force and moment on its second body
       from_file.py cone FILE ROW    of each contact at a row: mu of its materials, normal and tangential impulse

Stresses are those of linear tetrahedra: constant in each, at a node the mean of its elements.
"""

import json
import sys
from collections import Counter
from itertools import combinations

import h5py
import numpy as np


def note(file, name):
    text = file["notes"][name][()]
    return (text.decode() if isinstance(text, bytes) else text).splitlines()


def tetrahedra(file):
    kind = file["mesh_kinds/kind"][:]
    cells = file["mesh_cells"]
    start = [key for key in cells if key != "node"][0]
    starts = cells[start][:]
    if len(starts) == len(kind):
        starts = np.append(0, starts)
    node = cells["node"][:]
    return np.array([node[starts[i]:starts[i + 1]] for i in range(len(kind)) if kind[i] == 7])


def stress(file):
    x, place = file["mesh_nodes/x"][:], file["mesh_nodes/coordinate"][:]
    cells = tetrahedra(file)
    young, poisson = file["mesh_materials/young"][0], file["mesh_materials/poisson"][0]
    lame = young * poisson / (1 + poisson) / (1 - 2 * poisson)
    shear = young / 2 / (1 + poisson)
    faces = Counter(tuple(sorted(face)) for cell in cells for face in combinations(cell, 3))
    seen = sorted({node for face, count in faces.items() if count == 1 for node in face})
    edges = np.array([(x[cell[1:]] - x[cell[0]]) for cell in cells])  # of each: three rows
    inverse = np.linalg.inv(edges)
    low, high, last = np.inf, -np.inf, None
    for q in file["state/q"][:]:
        u = np.where(place >= 0, q[np.maximum(place, 0)], 0.0)
        gradient = np.array([inverse[c] @ (u[cell[1:]] - u[cell[0]]) for c, cell in enumerate(cells)])
        strain = 0.5 * (gradient + gradient.transpose(0, 2, 1))
        sigma = 2 * shear * strain + lame * np.trace(strain, axis1=1, axis2=2)[:, None, None] * np.eye(3)
        total, count = np.zeros((len(x), 3, 3)), np.zeros(len(x))
        for c, cell in enumerate(cells):
            total[cell] += sigma[c]
            count[cell] += 1
        s = total[seen] / count[seen][:, None, None]
        deviator = s - np.trace(s, axis1=1, axis2=2)[:, None, None] / 3 * np.eye(3)
        mises = np.sqrt(1.5 * (deviator**2).sum(axis=(1, 2)))
        low, high, last = min(low, mises.min()), max(high, mises.max()), [mises.min(), mises.max()]
    return {"nodes": len(seen), "run": [low, high], "last": last}


def joint(file, name, row):
    names = [line[4:] for line in note(file, "joints")]
    at = 12 * names.index(name)
    return {"reaction": file["joints/reaction"][int(row), at:at + 6].tolist()}


def cone(file, row):
    row = int(row)
    table = file["emitted"]
    own = np.isclose(table["t"][:], file["state/t"][row])
    material = file["bodies/material"][:]
    pairs = {frozenset((a, b)): mu for a, b, mu in zip(file["materials/a"], file["materials/b"], file["materials/friction"])}
    mu = [pairs[frozenset((material[a], material[b]))] for a, b in zip(table["body_a"][own], table["body_b"][own])]
    p = table["impulse"][own]
    return {"mu": mu, "normal": p[:, 0].tolist(), "tangential": np.hypot(p[:, 1], p[:, 2]).tolist()}


with h5py.File(sys.argv[2], "r") as opened:
    found = {"stress": stress, "joint": joint, "cone": cone}[sys.argv[1]](opened, *sys.argv[3:])
    print(json.dumps(found))
