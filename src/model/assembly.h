// What a step fills in: M, K, C, H, w and the contacts of the step. One for each simulation; the system stays as it is.

#ifndef RICO_MODEL_ASSEMBLY_H
#define RICO_MODEL_ASSEMBLY_H

#include "model/contact_set.h"
#include "model/system.h"

struct rico_assembly {
    rico_context *ctx; // of the simulation
    const rico_system *system;
    int64_t nq, nv;
    double *M, *K, *C; // values on the system's pattern; C and K are zero where nothing fills them
    double *load;      // of time alone, where it is constant
    bool mass_done, tangents_done, load_done; // constants, already evaluated
    double *scratch;                          // of parts, constraints and interactions
    double *local;                            // K and C of one part on their way to the pattern
    double *values;                           // of the interactions' entries

    rico_contact_set set;
    rico_csc H; // nv x rows: columns as the set has them; arrays only grow
    double *w;  // rows
    double *out,
        *out_work; // with relations: rows of outputs on the columns of H that are always there; NULL: those of H
    int64_t column_room, entry_room; // of both
    double *points;                  // work space for the rows of a point
    int64_t *point_dof;              // and for what it reaches
};

// For a complete system. The set holds what is always there; sources are asked by rico_assembly_collect().
rico_status rico_assembly_create(rico_context *ctx, const rico_system *system, rico_assembly **out);
void rico_assembly_destroy(rico_assembly *assembly);

// A step of length h begins; 0: what is asked next belongs to no step.
void rico_assembly_pace(rico_assembly *assembly, double h);

// Values of M at q; of K and C at (t, q, v). Nothing to do where they are constant and known.
rico_status rico_assembly_mass(rico_assembly *assembly, double t, const double *q);
rico_status rico_assembly_tangents(rico_assembly *assembly, double t, const double *q, const double *v);

// load: the loads of time alone. The forces in three shares, each overwritten: what callbacks apply, -C v of matrices,
// and -grad V. NULL for a share adds it to `applied`.
rico_status rico_assembly_load(rico_assembly *assembly, double t, double *f);
rico_status rico_assembly_forces(rico_assembly *assembly, double t, const double *q, const double *v,
                                 double *applied, double *damping, double *conservative);
rico_status rico_assembly_potential(rico_assembly *assembly, double t, const double *q, double *V);

// out = q moved by h v.
rico_status rico_assembly_retract(rico_assembly *assembly, double t, const double *q, double h,
                                  const double *v, double *out);

// The contacts of a step of length h from (t, q, v), from all sources; h = 0: those of the state. *changed: the set or what it
// touches is another one, and set.from[] tells where each constraint stood before. A failure leaves the set as it was.
rico_status rico_assembly_collect(rico_assembly *assembly, double t, double h, const double *q,
                                  const double *v, bool *changed);

// How many contacts of the state (t, q, v) have gaps below `bound` and are none of the step's: it went farther than they were looked for.
rico_status rico_assembly_unseen(rico_assembly *assembly, double t, const double *q, const double *v,
                                 double bound, int64_t *count);

// The last look of the sources at a step that ends at `next`.
rico_status rico_assembly_passed(rico_assembly *assembly, double t, double h, const double *next);

// Saved contacts of the sources in their place: `count` records as rico_assembly_record() wrote them, and the items that they are spread
// over, as rico_assembly_shares() did.
rico_status rico_assembly_restore(rico_assembly *assembly, int64_t count, const rico_contact_record *record,
                                  int64_t shares, const rico_contact_share *share, bool *changed);
void rico_assembly_record(const rico_assembly *assembly, rico_contact_record *record); // of all emitted ones
void rico_assembly_shares(const rico_assembly *assembly, rico_contact_share *share); // set.now.shares of them
rico_status rico_assembly_begin_set(rico_assembly *assembly); // of rico_assembly_create()

// Where a point is that was looked at before: rico_system_point() without its checks. False: the part refused.
bool rico_point_at(const rico_system *system, const double *q, const rico_point *point, double *x);

// Where the two points of a contact are.
bool rico_emitted_places(const rico_system *system, const double *q, const rico_emitted *between, double *a,
                         double *b);

// n'(x_b - x_a) at q.
bool rico_points_base(const rico_system *system, const double *q, const rico_emitted *between, double *base);

// Rows of an emitted contact at (t, q) as if it acted on the origins of its two items: these shift and do not turn. Along its
// normal there, or, `as_found` or where that has turned to the other side, along the one that it was found with. Points of parts without
// items stay where they are.
bool rico_points_shift(const rico_constraint *constraint, rico_assembly *assembly, double t, const double *q,
                       bool as_found, double *H);

// Gap of every contact row's first entry, value of every joint: g has as many entries as there are rows; tangent rows
// get 0. H at (t, q), and w.
rico_status rico_assembly_gaps(rico_assembly *assembly, double t, const double *q, double *g);
rico_status rico_assembly_rates(rico_assembly *assembly, double t, const double *q);
rico_status rico_assembly_frames(rico_assembly *assembly, double t, const double *q);
// The same for constraint c alone; g and H are the whole assembly's.
rico_status rico_assembly_gap_of(rico_assembly *assembly, int64_t c, double t, const double *q, double *g);
rico_status rico_assembly_frame_of(rico_assembly *assembly, int64_t c, double t, const double *q);

// Values, on the columns of H, of the row that gives a relative velocity: that of H itself but in relations.
static inline const double *rico_assembly_output(const rico_assembly *assembly, int64_t row)
{
    return assembly->out && row < assembly->system->rows ? assembly->out : assembly->H.value;
}


// The relative velocity of a row, without w.
static inline double rico_assembly_relative(const rico_assembly *assembly, int64_t row, const double *v)
{
    const rico_csc *H = &assembly->H;
    const double *value = rico_assembly_output(assembly, row);
    double sum = 0.0;
    for (int64_t k = H->start[row]; k < H->start[row + 1]; k++) sum += value[k] * v[H->row[k]];
    return sum;
}

// y = y + alpha A x with A = M, K or C given by its values; whatever `symmetric` says, M is.
void rico_assembly_multiply(const rico_assembly *assembly, const double *values, double alpha,
                            const double *x, double *y);
// x' A x; and with y' A y in one walk through A.
double rico_assembly_square(const rico_assembly *assembly, const double *values, const double *x);
void rico_assembly_squares(const rico_assembly *assembly, const double *values, const double *x,
                           const double *y, double *xx, double *yy);

#endif
