// FCLIB files: friction-contact problems in HDF5, as the Friction Contact Library of INRIA lays them out.
//
// Local files hold W, q, mu (and V, R, s with equalities), global ones M, H, f, w, mu (and G, b with
// equalities): u = W r + V l + q, V' r + R l + s = 0, or M v = H r + G l + f, u = H' v + w, G' v + b = 0. On
// reading, equalities become one equality block after the contacts. Matrices come as triplets, CSC or CSR.

#ifndef RICOCHET_FCLIB_H
#define RICOCHET_FCLIB_H

#include "ricochet/problem.h"

RICO_API_BEGIN

// A starting point or a solution that a file carries. NULL where the file has none. FCLIB stores no u of
// equalities: it reads as 0.
typedef struct rico_fclib_state {
    double *u, *r; // m entries each, in the order of the problem's rows
    double *v;     // n entries, global files only
} rico_fclib_state;

typedef struct rico_fclib {
    rico_problem *problem;
    char *title, *description, *math_info; // "" when absent
    bool has_solution;
    rico_fclib_state solution;
    int64_t guess_count;
    rico_fclib_state *guesses;
} rico_fclib;

// Reads and validates a whole file. Every message starts with the path. RICO_IO_ERROR when the system cannot open
// it, RICO_BAD_INPUT for all that is wrong inside. Files that link to other files are refused.
rico_status rico_fclib_read(rico_context *ctx, const char *path, rico_fclib **out);
void rico_fclib_destroy(rico_context *ctx, rico_fclib *file);

typedef enum rico_fclib_storage { RICO_FCLIB_CSC, RICO_FCLIB_CSR, RICO_FCLIB_TRIPLETS } rico_fclib_storage;

// What to write beside the problem; zero it for nothing. Pointers stay the caller's.
typedef struct rico_fclib_extras {
    const char *title, *description, *math_info;
    rico_fclib_storage storage;
    const rico_fclib_state *solution; // needs r and u, as FCLIB's own reader does
    int64_t guess_count;
    const rico_fclib_state *guesses; // the same
} rico_fclib_extras;

// Writes a new file, through a temporary one in the same folder that is renamed at the end: a failure leaves
// what was at `path` untouched. The problem may hold Coulomb blocks of one dimension, then equalities; extras may
// be NULL. What is read back is equal bit for bit, but for equalities of a reduced problem: FCLIB has one V for both
// corners of W, so that the lower one must be V' up to round-off and comes back as V' exactly.
rico_status rico_fclib_write(rico_problem *problem, const rico_fclib_extras *extras, const char *path);

RICO_API_END

#endif
