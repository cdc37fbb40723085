// The chain of masses against a wall that computations are given: springs between them, the first held, the last facing the wall.

#ifndef RICO_LAB_CHAIN_GIVEN_H
#define RICO_LAB_CHAIN_GIVEN_H

#include "lab/computation.h"
#include "ricochet/bar.h"
#include "ricochet/forced.h"

// A table of keys cannot be a function.
#define RICO_CHAIN_KEYS                                                                                      \
    {"masses", RICO_WANT_INTEGER, .standard = "2", .low = 1, .high = 5000, .help = "of the chain"},          \
        {"mass",      RICO_WANT_REAL, .standard = "1",                                                       \
         .low = 1e-9, .high = 1e9,    .help = "of each; 1/n for a bar of n masses"},                         \
        {"stiffness", RICO_WANT_REAL, .standard = "1",                                                       \
         .low = 1e-9, .high = 1e9,    .help = "of each spring; n for a bar of n masses"},                    \
    {                                                                                                        \
        "gap", RICO_WANT_REAL, .standard = "1", .low = 1e-9, .high = 1e9,                                    \
                               .help = "between the last and the wall"                                       \
    }

typedef struct rico_chain {
    rico_context *ctx;
    int64_t n;
    rico_bar bar; // with as many masses: length n, so that masses are one apart
    rico_modes *modes;
    double *shape; // n x n, mass by mode; NULL for chains too long to be shown
} rico_chain;

rico_status rico_chain_read(rico_document *document, const rico_node *given, rico_chain *out);
void rico_chain_release(rico_chain *chain);
// Values of the masses from those of the modes; needs the shapes.
void rico_chain_place(const rico_chain *chain, const double *modal, double *out);

#endif
