// The assembled system as schemes see it: operators on whole vectors.

#ifndef RICO_MODEL_SYSTEM_H
#define RICO_MODEL_SYSTEM_H

#include "model/interaction.h"
#include "model/part.h"

typedef struct rico_constraint {
    char *name;
    bool joint;
    int64_t row, size; // first of its rows and their number
    double restitution, friction;
    double stiffness, exponent; // of a contact: spring of the impact law lzb
    int64_t dof_count;
    int64_t *dof;
    double *gradient; // constant block of H, or NULL
    double offset;
    bool (*value)(void *user, double t, const double *q, double *g); // gap, or g of a joint
    bool (*frame)(void *user, double t, const double *q, double *H);
    bool (*rate)(void *user, double t, const double *q, double *w);
    void *user;
    rico_motion motion; // of a prescribed motion, its own user data
} rico_constraint;

// An interaction in a system: its entries, those of K before those of C, and where they stand in the system's pattern.
typedef struct rico_bound_interaction {
    char *name;
    rico_interaction given;
    int64_t *row, *col, *place;
    double *value;
} rico_bound_interaction;

struct rico_system {
    rico_context *ctx;
    int64_t nq, nv, rows;
    int64_t part_count, constraint_count;
    rico_part **part;
    rico_constraint **constraint;
    int64_t interaction_count;
    rico_bound_interaction *interaction;
    int64_t
        *spread;   // with interactions: where the entries of parts, one after the other, stand in the pattern
    double *local; // K and C of one part on their way there

    // made by rico_system_freeze(): one pattern for the three matrices, H with all constraints
    bool frozen, linear, constant_mass, constant_tangents, constant_frames, symmetric, damped, stiff, loaded,
        constant_load;
    rico_csc pattern;              // nv x nv
    double *M, *K, *C;             // values on it; C and K are zero where nothing fills them
    rico_csc H;                    // nv x rows
    double *w;                     // rows
    bool mass_done, tangents_done; // constants, already evaluated
};

// Ends the time of adding, lays out matrices. Called by whoever simulates; harmless when repeated.
rico_status rico_system_freeze(rico_system *system);

// Values of M at q; of K and C at (t, q, v). Nothing to do where they are constant and known.
rico_status rico_system_mass(rico_system *system, double t, const double *q);
rico_status rico_system_tangents(rico_system *system, double t, const double *q, const double *v);

// load: the loads of time alone. The forces in three shares, each overwritten: what callbacks apply, -C v of matrices,
// and -grad V. NULL for a share adds it to `applied`.
rico_status rico_system_load(rico_system *system, double t, double *f);
rico_status rico_system_forces(rico_system *system, double t, const double *q, const double *v,
                               double *applied, double *damping, double *conservative);
rico_status rico_system_potential(rico_system *system, double t, const double *q, double *V);

// out = q moved by h v.
rico_status rico_system_retract(rico_system *system, double t, const double *q, double h, const double *v,
                                double *out);

// Gap of every contact row's first entry, value of every joint: g has as many entries as there are rows; tangent rows
// get 0. H at (t, q), and w.
rico_status rico_system_gaps(rico_system *system, double t, const double *q, double *g);
rico_status rico_system_rates(rico_system *system, double t, const double *q);
rico_status rico_system_frames(rico_system *system, double t, const double *q);
// The same for constraint c alone; g and H are the whole system's.
rico_status rico_system_gap_of(rico_system *system, int64_t c, double t, const double *q, double *g);
rico_status rico_system_frame_of(rico_system *system, int64_t c, double t, const double *q);

// y = y + alpha A x with A = M, K or C given by its values; whatever `symmetric` says, M is.
void rico_system_multiply(const rico_system *system, const double *values, double alpha, const double *x,
                          double *y);

#endif
