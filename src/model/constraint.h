// A joint or a contact from inside: its rows, and a table of what its kind answers.

#ifndef RICO_MODEL_CONSTRAINT_H
#define RICO_MODEL_CONSTRAINT_H

#include "ricochet/source.h"

typedef struct rico_constraint rico_constraint;
typedef struct rico_assembly rico_assembly;
typedef struct rico_turning rico_turning;

// What the functions of a kind may read and write beside the state: work space of one assembly.
typedef struct rico_constraint_kind {
    void (*prepare)(const rico_constraint *constraint, double *scratch); // fills it; or NULL
    bool (*value)(const rico_constraint *constraint, rico_assembly *assembly, double *scratch, double t,
                  const double *q, double *g); // the gap, or all rows of a joint
    bool (*frame)(const rico_constraint *constraint, rico_assembly *assembly, double *scratch, double t,
                  const double *q, double *H); // entry (i, j) at H[i + j * dof_count]
    bool (*rate)(const rico_constraint *constraint, rico_assembly *assembly, double *scratch, double t,
                 const double *q, double *w);
    // What the values are made of at a state, row by row: their round-off grows with it; or NULL
    void (*size)(const rico_constraint *constraint, double t, const double *q, double *size);
    // gamma of turning.h alone, for its own velocities v, exactly; or NULL
    bool (*drift)(const rico_constraint *constraint, double t, const double *q, const double *v,
                  double *gamma);
    // How the rows turn; NULL, both or none: by differences, turning.c. x holds what turning.h says.
    bool (*turn)(const rico_constraint *constraint, rico_assembly *assembly, double *scratch, double t,
                 const double *q, const rico_turning *x);
    bool (*bend)(const rico_constraint *constraint, rico_assembly *assembly, double *scratch, double t,
                 const double *q, const double *force, double *L);
} rico_constraint_kind;

enum { RICO_LABEL = 40, RICO_DRIFT_MOST = 24 }; // velocities and rows of a constraint whose kind has a drift

// A joint's row that holds with a bounded force: an impulse of at most h force + sum over groups of share |impulses of their rows|.
enum { RICO_BOX_GROUPS = 4 };
typedef struct rico_box_bound {
    bool acts;
    double force;
    int groups;
    struct {
        int64_t row, rows; // of the system, those of another joint
        double share;
    } group[RICO_BOX_GROUPS];
} rico_box_bound;

struct rico_constraint {
    const rico_constraint_kind *kind;
    const char *name;
    rico_contact_key key;                   // of a contact that a source emitted
    int64_t source;                         // that emitted it; -1: it is always there
    bool joint, moves;                      // moves: it has a rate
    int64_t row, size;                      // first of its rows and their number
    double restitution, friction;           // friction: the largest coefficient
    const struct rico_bound_friction *rubs; // its law of friction, NULL: Coulomb's
    int moments;                            // rows behind the tangents: friction.h
    double arm;                             // moments over this length are what their rows hold
    double stiffness, exponent;             // of a contact: spring of the impact law lzb
    int64_t dof_count;
    int64_t *dof;
    double *gradient; // constant block of H, or NULL
    double offset;    // with it
    int64_t
        scratch; // numbers of work space that its functions may write, and where in the assembly's they are
    int64_t scratch_at;

    // of the kinds, each its own
    struct {
        bool (*value)(void *user, double t, const double *q, double *g);
        bool (*frame)(void *user, double t, const double *q, double *H);
        bool (*rate)(void *user, double t, const double *q, double *w);
        void *user;
    } given;                              // by functions of a caller
    rico_motion motion;                   // of one coordinate
    const void *data;                     // of a kind defined elsewhere
    void *owned;                          // likewise, released with the constraint
    rico_emitted between;                 // two points
    double base;                          // n'(x_b - x_a) where the contact was emitted
    int64_t dof_at;                       // of an emitted one: its velocities in the pool
    int64_t share_at;                     // likewise its shares
    struct rico_bound_relation *relation; // relation.h; NULL: its output is that of H
    rico_box_bound box; // of a joint of one row; it has no position to keep, and its value is 0
    char label[RICO_LABEL];
};

rico_constraint_info rico_constraint_describe(const rico_constraint *constraint);

#endif
