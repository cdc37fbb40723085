# Solves a case by GetFEM: `python3 getfem_side.py CASE OUT`, both pickled. CASE holds parts, materials, what is held and loaded and what touches.
#
# Bilinear (trilinear) elements with 2 points of Gauss along an axis; contact by the integral brick between meshes that do not match, an augmented
# Lagrangian with a linear multiplier on the side of the slave; where gaps are wide it finds no partners, and the brick for nodes on faces takes its place.
# Held displacements by multipliers. CPU time starts behind the import.

import pickle
import sys
import time

import getfem
import numpy

ORDER = {2: [0, 1, 3, 2], 3: [0, 1, 3, 2, 4, 5, 7, 6]}  # of VTK's corners among GetFEM's


def make_mesh(part, d):
    mesh = getfem.Mesh("empty", d)
    corners = part["x"][:, :d][part["cells"][:, ORDER[d]]]
    mesh.add_convex(getfem.GeoTrans(f"GT_QK({d},1)"), numpy.ascontiguousarray(corners.transpose(2, 1, 0)))
    return mesh


# The first unknown of each node, by where it stands.
def first_unknowns(mf, x, d):
    places = mf.basic_dof_nodes()[:, ::d].T
    order = {tuple(row): d * k for k, row in enumerate(numpy.round(places, 8) + 0.0)}
    return numpy.array([order[tuple(row)] for row in numpy.round(x[:, :d], 8) + 0.0])


def solve(case):
    parts, d, contact = case["parts"], case["dimension"], case.get("contact")
    model = getfem.Model("real")
    fields, unknowns, meshes, kept = [], [], [], []  # kept: what the model uses and does not own
    for k, (part, (young, poisson)) in enumerate(zip(parts, case["materials"])):
        mesh = make_mesh(part, d)
        mf = getfem.MeshFem(mesh, d)
        mf.set_fem(getfem.Fem(f"FEM_QK({d},1)"))
        mim = getfem.MeshIm(mesh, getfem.Integ(f"IM_GAUSS_PARALLELEPIPED({d},3)"))
        model.add_fem_variable(f"u{k}", mf)
        model.add_initialized_data(f"lame{k}", young * poisson / ((1 + poisson) * (1 - 2 * poisson)))
        model.add_initialized_data(f"shear{k}", young / (2 * (1 + poisson)))
        model.add_isotropic_linearized_elasticity_brick(mim, f"u{k}", f"lame{k}", f"shear{k}")
        meshes.append(mesh)
        kept.append(mim)
        fields.append(mf)
        unknowns.append(first_unknowns(mf, part["x"], d))
    for k in range(len(parts)):
        hold_and_load(model, k, case, fields[k].nbdof(), unknowns[k])
    if contact:
        kept.append(touch(model, contact, parts, meshes, d))
    _, converged = model.solve("max_res", case["tolerance"], "max_iter", 100, "lsolver", "mumps")
    if not converged:
        sys.exit("not converged")
    result = []
    for k, part in enumerate(parts):
        u = model.variable(f"u{k}")
        moved = numpy.zeros((len(part["x"]), 3))
        for i in range(d):
            moved[:, i] = u[unknowns[k] + i]
        result.append(moved)
    return result


def hold_and_load(model, k, case, size, unknown):
    at, value = [], []
    for part, nodes, direction, amount in case["held"]:
        if part == k:
            at.extend(unknown[nodes] + direction - 1)
            value.extend(numpy.broadcast_to(amount, len(nodes)))
    if at:
        B = getfem.Spmat("empty", len(at), size)
        for row, column in enumerate(at):
            B.add([row], [int(column)], [1.0])
        model.add_variable(f"held{k}", len(at))
        model.add_constraint_with_multipliers(f"u{k}", f"held{k}", B, numpy.array(value, float))
    load = numpy.zeros(size)
    for part, nodes, direction, amount in case["loads"]:
        if part == k:
            numpy.add.at(load, unknown[nodes] + direction - 1, amount)
    model.add_explicit_rhs(f"u{k}", load)


def touch(model, contact, parts, meshes, d):
    regions = {}
    for role in ("slave", "master"):
        k, nodes = contact[role]
        points = meshes[k].pid_from_coords(numpy.ascontiguousarray(parts[k]["x"][nodes, :d].T), 1e-7)
        meshes[k].set_region(7, meshes[k].faces_from_pid(points))
        regions[role] = k
    slave, master = regions["slave"], regions["master"]
    friction = contact.get("friction", 0.0)
    if contact.get("nodal"):
        rules = [getfem.MeshIm(meshes[k], getfem.Integ(f"IM_GAUSS_PARALLELEPIPED({d},3)")) for k in (slave, master)]
        model.add_initialized_data("augmentation", contact["augmentation"])
        model.add_nodal_contact_between_nonmatching_meshes_brick(*rules, f"u{slave}", f"u{master}", "pressure", "augmentation", 7, 7)
        return rules
    mf = getfem.MeshFem(meshes[slave], d if friction else 1)
    mf.set_fem(getfem.Fem(f"FEM_QK({d},1)"))
    model.add_filtered_fem_variable("pressure", mf, 7)
    if friction:
        # pressed a little at the start: nothing else holds the block down
        count = model.variable("pressure").size // d
        model.set_variable("pressure", numpy.tile(contact["start"], count))
    mim = getfem.MeshIm(meshes[slave], getfem.Integ(f"IM_GAUSS_PARALLELEPIPED({d},{contact['points']})"))
    model.add_initialized_data("augmentation", contact["augmentation"])
    names = ["augmentation"]
    if friction:
        model.add_initialized_data("mu", friction)
        names.append("mu")
    model.add_integral_contact_between_nonmatching_meshes_brick(mim, f"u{slave}", f"u{master}", "pressure", *names, 7, 7, 1)
    return mim, mf


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        given = pickle.load(file)
    start = time.process_time()
    displacements = solve(given)
    with open(sys.argv[2], "wb") as file:
        pickle.dump({"u": displacements, "seconds": time.process_time() - start}, file)
