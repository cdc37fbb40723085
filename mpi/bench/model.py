"""Time of a sweep, and of a Newton system, on many ranks over that on one, by the models of docs/theory/mpi.md.

usage: model.py [SECONDS-PER-CONTACT [SECONDS-PER-CONTACT-OF-A-PRODUCT]]
"""

import math
import sys

c = float(sys.argv[1]) if len(sys.argv) > 1 else 1.6e-7  # a contact
face = 1.5                                                # contacts across one face of a rank: face * n^(2/3)
colours = 30                                              # messages one after the other
latency, per_byte = 2e-6, 1e-10
reduced = 13 * 544                                        # bytes of a reduction
sent = 20                                                 # bytes for each contact across a face


def sweep(n, ranks):
    if ranks == 1:
        return c * n
    faces = min(6, math.log2(ranks))
    across = face * faces * n ** (2 / 3)
    # a contact of two ranks is solved on both, so that each has half of them on top of its share
    return (c * (n + across / 2) + min(colours, 20 * faces) * latency + sent * across * per_byte
            + 2 * math.log2(ranks) * (latency + reduced * per_byte))


p = float(sys.argv[2]) if len(sys.argv) > 2 else 2.5e-7  # a contact in a product, its share of factorizations included
products = 33                                             # of a system, both of its directions
motions = 10                                              # that a part brings to the coarse level
vectors = 30                                              # that a product is made orthogonal to, on average
lu, memory = 1e10, 1e10                                   # operations of a dense factorization, bytes of a solve, a second
upper = 10                                                # products of the coarse level, where it is a problem of its own


def newton(n, ranks, levels=2):
    parts = max(64, ranks)
    order = motions * parts
    faces = 0 if ranks == 1 else min(6, math.log2(ranks))
    depth = 2 * math.log2(ranks)
    across = face * faces * n ** (2 / 3)
    # what contacts cost, three messages to each neighbour with the motions of bodies, two sums over all ranks
    product = (p * (n + across / 2) + 3 * (faces * latency + sent * across * per_byte)
               + 2 * depth * (latency + vectors * 544 * per_byte))
    if levels == 2:
        # gathered, and solved on every rank with factors that every rank has made
        product += depth / 2 * latency + 8 * order * per_byte + 8 * order ** 2 / memory
        return products * product + 2 / 3 * order ** 3 / lu + (8 * order ** 2 * per_byte if ranks > 1 else 0)
    # the coarse level as a problem of the same kind, shared by 64 groups of ranks: nothing of this is built
    row = 14 * motions ** 2 * parts / ranks
    third = motions * 64
    product += upper * (16 * row / memory + 6 * latency + 3 * depth * latency) + 8 * third ** 2 / memory
    return products * product + 2 / 3 * third ** 3 / lu


def table(name, cost, unit, one_rank):
    many = (2, 8, 64, 1000, 10000)
    print(f"{name}\n\n| contacts a rank | 1 rank | " + " | ".join(f"{ranks} ranks" for ranks in many) + " |")
    print("| ---: |" + " ---: |" * 6)
    for n in (15625, 100000, 1000000):
        alone = one_rank(n, 1)
        print(f"| {n} | {1e3 / unit * alone:.2f} {'ms' if unit == 1 else 's'} | "
              + " | ".join(f"{cost(n, ranks) / alone:.3g}" if unit > 1 else f"{cost(n, ranks) / alone:.3f}" for ranks in many) + " |")
    print()


table("A sweep", sweep, 1, sweep)
table("A Newton system, two levels as built", newton, 1000, newton)
table("A Newton system, the coarse level shared too", lambda n, ranks: newton(n, ranks, 3), 1000, newton)
