# The scenes of the elastic benchmarks, for `rico run`; lengths in mm, forces in N, stresses in MPa, plane strain unless they are of space.

import math


# Half of a cylinder on half of a block (NAFEMS CGS-1): symmetry about x = 0, the flat face of the cylinder moved down. n refines.
def hertz(n, method):
    return f"""
title: Cylinder on a block
elastic:
  round:
    mesh: {{disc: {{radius: 50, y: 50, portion: quarter, core: {24 * n}, rings: {12 * n}, grading: 30, kind: Q4}}}}
    model: plane strain
    material: {{young: 210000, poisson: 0.3, density: 1e-9, thickness: 1}}
    fixed: {{axis: [x]}}
    moved: {{top: {{y: -1.345*t}}}}
  block:
    mesh: {{rectangle: {{origin: [0, -100], size: [100, 100], cells: [{20 * n}, {15 * n}], grading: [42, 42], toward: [start, end], kind: Q4}}}}
    model: plane strain
    material: {{young: 70000, poisson: 0.3, density: 1e-9, thickness: 1}}
    fixed: {{left: [x], bottom: [y]}}
contacts:
  joint: {{nodes: round.rim, faces: block.top, method: {method}, margin: 5, reach: 5}}
time: {{end: 1, step: 1}}
scheme: quasi-static
"""


# Two blocks of 2 x 1 on each other, 3 x 2 and 4 x 2 elements times n, the upper face moved down by 0.001.
def patch(n, method):
    return f"""
title: Patch test of contact
elastic:
  upper:
    mesh: {{rectangle: {{origin: [0, 1], size: [2, 1], cells: [{3 * n}, {2 * n}], kind: Q4}}}}
    model: plane strain
    material: {{young: 2e6, poisson: 0, density: 1e-9, thickness: 1}}
    fixed: {{left: [x]}}
    moved: {{top: {{y: -0.001*t}}}}
  lower:
    mesh: {{rectangle: {{size: [2, 1], cells: [{4 * n}, {2 * n}], kind: Q4}}}}
    model: plane strain
    material: {{young: 2e6, poisson: 0, density: 1e-9, thickness: 1}}
    fixed: {{left: [x], bottom: [y]}}
contacts:
  joint: {{nodes: upper.bottom, faces: lower.top, method: {method}, margin: 0.1}}
time: {{end: 1, step: 1}}
scheme: quasi-static
"""


# A block of 4 x 2 under a vertical load of 1 on a slope of 0.1, its left side moved along x (NAFEMS CGS-4).
def wedge(n, method, friction):
    angle = math.degrees(math.atan(0.1))
    return f"""
title: Wedge
elastic:
  block:
    mesh: {{rectangle: {{size: [4, 2], cells: [{7 * n}, {4 * n}], kind: Q4}}}}
    model: plane strain
    material: {{young: 1e6, poisson: 0.3, density: 1e-9, thickness: 1}}
    rotation: {{angle: {angle!r}}}
    moved: {{left: {{x: 5e-5*t}}}}
    loads: {{press: {{on: top, traction: [0, -0.25]}}}}
  slab:
    mesh: {{rectangle: {{origin: [-1, -1], size: [6, 1], cells: [{12 * n}, {2 * n}], kind: Q4}}}}
    model: plane strain
    material: {{young: 3e6, poisson: 0.3, density: 1e-9, thickness: 1}}
    rotation: {{angle: {angle!r}}}
    fixed: {{bottom: all}}
contacts:
  slope: {{nodes: block.bottom, faces: slab.top, method: {method}, friction: {friction}}}
time: {{end: 1, step: 1}}
scheme: quasi-static
"""


# A cantilever of 10 x 2 x 2 in space, sheared at its end by a force of 4.
def cantilever(n, remedy):
    return f"""
title: Cantilever
elastic:
  beam:
    mesh: {{box: {{size: [10, 2, 2], cells: [{5 * n}, {n}, {n}], kind: H8}}}}
    material: {{young: 1000, poisson: 0.3, density: 1e-9}}
    remedy: {remedy}
    fixed: {{left: all}}
    loads: {{pull: {{on: right, traction: [0, 0, -1]}}}}
time: {{end: 1, step: 1}}
scheme: quasi-static
"""
