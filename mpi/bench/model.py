"""Time of a sweep on many ranks over that on one, by the model of docs/theory/mpi.md.

usage: model.py [SECONDS-PER-CONTACT]
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


many = (2, 8, 64, 1000, 10000)
print("| contacts a rank | 1 rank | " + " | ".join(f"{ranks} ranks" for ranks in many) + " |")
print("| ---: |" + " ---: |" * 6)
for n in (15625, 100000, 1000000):
    alone = sweep(n, 1)
    print(f"| {n} | {1e3 * alone:.2f} ms | " + " | ".join(f"{sweep(n, ranks) / alone:.3f}" for ranks in many) + " |")
