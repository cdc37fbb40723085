// Orbits of rings with any number of impacts inside: what finding and judging them share.

#ifndef RICO_ORBIT_RING_SEQUENCE_H
#define RICO_ORBIT_RING_SEQUENCE_H

#include "orbit/ring.h"

// Impacts at times closer than this share of the period count as one moment.
#define RICO_RING_TOGETHER 1e-10

// Fills in what follows from times and impulses: state at 0, energy, gaps, verdict.
rico_status rico_ring_sequence_judge(rico_ring_sequence *sequence);

// The first strike of the next moment of impact; the number of strikes behind the last.
int64_t rico_ring_sequence_next(const rico_ring_sequence *sequence, int64_t strike);

#endif
