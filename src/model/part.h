// What a kind of part answers. Whoever adds a kind writes one of these tables; schemes never see it.

#ifndef RICO_MODEL_PART_H
#define RICO_MODEL_PART_H

#include "la/csc.h"
#include "ricochet/model.h"

typedef struct rico_part rico_part;

// Vectors are the part's own slices; matrix values lie on the part's pattern. A part never changes once it is in a
// system: `scratch` is what it may write, `part->scratch` numbers that belong to one assembly. A function that returns
// false refused or met something that is not a number.
typedef struct rico_part_kind {
    void (*prepare)(const rico_part *part, double *scratch); // fills it, once for each assembly; or NULL
    bool (*mass)(const rico_part *part, double *scratch, const double *q, double *value);
    bool (*load)(const rico_part *part, double *scratch, double t, double *f); // adds
    // adds force(t, q, v) to `applied`, -C v to `damping` and -grad V to `conservative`
    bool (*forces)(const rico_part *part, double *scratch, double t, const double *q, const double *v,
                   double *applied, double *damping, double *conservative);
    bool (*tangents)(const rico_part *part, double *scratch, double t, const double *q, const double *v,
                     double *K, double *C);
    bool (*potential)(const rico_part *part, double *scratch, const double *q, double *V);
    bool (*retract)(const rico_part *part, double *scratch, const double *q, double h, const double *v,
                    double *out); // q moved by h v
    void (*pace)(const rico_part *part, double *scratch,
                 double h); // a step of length h begins, 0: none; or NULL
    void (*release)(rico_part *part);

    // Points, ricochet/model.h; all NULL where the kind has none. point_reach: the velocities that move it, counted from the
    // part's first, at most part->point_reach of them; -1 for a point that does not exist, -2 for one that a reduction does not keep. point_rows: entry (i, j) at
    // rows[i + j * reach] is the velocity along axis j of `frame`, row by row, that velocity i gives the point.
    int64_t (*point_reach)(const rico_part *part, const rico_point *point, int64_t *dof);
    bool (*point)(const rico_part *part, const double *q, const rico_point *point, double *x);
    bool (*point_rows)(const rico_part *part, const double *q, const rico_point *point, const double *frame,
                       int size, double *rows);
    // rows[i]: the angular velocity about `axis` of the world that velocity i gives what the point is fixed to; NULL: it does not turn
    bool (*turn_rows)(const rico_part *part, const double *q, const rico_point *point, const double axis[3],
                      double *rows);

    // Of parts whose contacts are looked for as far as their items may go in a step; all or none. longest: the longest way of any
    // point of them under the displacement d. cut: shortens in d the ways of items that go farther, and adds what is lacking to
    // `lack`. flung: an item goes by more than its size, or turns so far that no linear equation tells where to.
    double (*longest)(const rico_part *part, const double *d);
    void (*cut)(const rico_part *part, double longest, double *d, double *lack);
    bool (*flung)(const rico_part *part, const double *d);
} rico_part_kind;

struct rico_part {
    const rico_part_kind *kind;
    rico_context *ctx;
    char *name;
    rico_place place;
    rico_csc pattern; // of M, K and C; values unused
    bool constant_mass, constant_tangents, symmetric, damped, stiff, loaded;
    bool definite;       // its mass is positive definite by the way it is made
    bool curved;         // retract is more than an addition
    bool constant_load;  // no function of time in it
    bool idle;           // it has no forces but its loads, and no potential
    bool trusted;        // no function of a caller in its forces: numbers stay finite, or show in the state
    int64_t massless;    // velocities without mass: zeros in M; definite then tells of the others
    int64_t scratch;     // numbers that its functions may write
    int64_t group;       // velocities of one of its items, which stand together; 0: it has none
    int64_t point_reach; // velocities that a point depends on, at most; 0: it has no points
    double extent; // of a part whose positions are displacements: the largest coordinate that they add to
    void *data;
};

#endif
