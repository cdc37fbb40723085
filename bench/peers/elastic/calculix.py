# Writes a case for CalculiX, runs `ccx` and reads the displacements.
#
# Bodies of the plane are one layer of bricks of thickness 1 with u_z = 0 everywhere, which is plane strain; node i of the plane is node i and i + n.

import os

import numpy

from ours import cpu_of

FACES = ("S3", "S4", "S5", "S6")  # of the edges of a quadrilateral, when a brick stands on it


# One layer of bricks on the quadrilaterals of a part.
def extrude(part):
    x, n = part["x"], len(part["x"])
    return {"x": numpy.vstack([x, x + [0, 0, 1]]), "cells": numpy.hstack([part["cells"], part["cells"] + n])}


def write_solids(out, solids, element, materials):
    first_node, first_cell = 1, 1
    places = []
    for k, (solid, (young, poisson)) in enumerate(zip(solids, materials)):
        out.write(f"*NODE, NSET=NODES{k}\n")
        out.writelines(f"{first_node + i},{x:.13e},{y:.13e},{z:.13e}\n" for i, (x, y, z) in enumerate(solid["x"]))
        out.write(f"*ELEMENT, TYPE={element}, ELSET=PART{k}\n")
        out.writelines(f"{first_cell + i}," + ",".join(str(first_node + j) for j in cell) + "\n" for i, cell in enumerate(solid["cells"]))
        out.write(f"*MATERIAL, NAME=M{k}\n*ELASTIC\n{young},{poisson}\n*SOLID SECTION, ELSET=PART{k}, MATERIAL=M{k}\n")
        places.append((first_node, first_cell))
        first_node += len(solid["x"])
        first_cell += len(solid["cells"])
    return places


# The edges of a part both of whose ends are in `nodes`, as faces of bricks.
def write_surface(out, name, part, nodes, first_cell):
    inside = numpy.isin(part["cells"], nodes)
    out.write(f"*SURFACE, NAME={name}, TYPE=ELEMENT\n")
    for side in range(4):
        for cell in numpy.flatnonzero(inside[:, side] & inside[:, (side + 1) % 4]):
            out.write(f"{first_cell + cell},{FACES[side]}\n")


# contact: {"type", "law", "slave": (part, nodes), "master": (part, nodes), "friction"}; held: [(part, nodes, direction, value)]; loads likewise.
# "law" is the text of *SURFACE BEHAVIOR, "friction" that of *FRICTION. "free" leaves the slave's nodes without supports: ccx 2.20 ends with code 255 and
# no word where nodes of a mortar's slave are held.
def run(folder, parts, materials, held, loads, element="C3D8", contact=None, plane=True, increments="1.,1."):
    os.makedirs(folder, exist_ok=True)
    solids = [extrude(part) for part in parts] if plane else parts
    layers = 2 if plane else 1
    with open(f"{folder}/case.inp", "w") as out:
        places = write_solids(out, solids, element, materials)
        if contact:
            for name in ("slave", "master"):
                k, nodes = contact[name]
                write_surface(out, name.upper(), parts[k], nodes, places[k][1])
            out.write(f"*SURFACE INTERACTION, NAME=LAW\n*SURFACE BEHAVIOR, {contact['law']}\n")
            if contact.get("friction"):
                out.write(f"*FRICTION\n{contact['friction']}\n")
            out.write(f"*CONTACT PAIR, INTERACTION=LAW, TYPE={contact['type']}\nSLAVE,MASTER\n")
        out.write(f"*STEP, INC=1000\n*STATIC\n{increments}\n")
        free = contact["slave"] if contact and contact.get("free") else (-1, [])
        if plane:
            held = held + [(k, range(len(part["x"])), 3, 0.0) for k, part in enumerate(parts)]
        for kind, entries in (("BOUNDARY", held), ("CLOAD", loads)):
            out.write(f"*{kind}\n" if entries else "")
            for k, nodes, direction, value in entries:
                for node, amount in zip(nodes, numpy.broadcast_to(value, len(nodes))):
                    if kind == "BOUNDARY" and k == free[0] and node in free[1]:
                        continue
                    for layer in range(layers):
                        number = places[k][0] + node + layer * len(parts[k]["x"])
                        if kind == "BOUNDARY":
                            out.write(f"{number},{direction},{direction},{amount:.12e}\n")
                        else:
                            out.write(f"{number},{direction},{amount / layers:.12e}\n")
        for k in range(len(parts)):
            out.write(f"*NODE PRINT, NSET=NODES{k}, FREQUENCY=1000\nU\n")
        out.write("*END STEP\n")
    seconds = cpu_of(["ccx", "case"], folder, "run.log")
    return read(f"{folder}/case.dat", parts, places), seconds


# Displacements of the nodes of the plane (or of space) at the end.
def read(path, parts, places):
    rows = {}
    for line in open(path):
        words = line.split()
        if len(words) == 4 and words[0].isdigit():
            rows[int(words[0])] = [float(word) for word in words[1:]]
    return [dict(part, u=numpy.array([rows[first + i] for i in range(len(part["x"]))])) for part, (first, _) in zip(parts, places)]
