// Contacts that come and go: sources that emit, for each step, the contacts that may act in it.
//
//     rico_contact_source discs = {.emit = find_pairs, .user = &geometry};
//     rico_system_add_source(system, "discs", &discs);
//
// At the start of a step of length h from (t, q, v) every source is asked for the contacts that may act before t + h.
// Each has a key of 64 bits that names it: the same contact has the same key in the next step, whatever the order of
// emission. Contacts are sorted by key; results depend on the set that was emitted, not on its order. What a contact has
// from the step before (impulse, state, depth) follows it by its key, and is forgotten where it is not emitted any more.
//
// A contact lies between two points, a and b: gap > 0 when it is open, and the rows of its frame are the normal, which
// points from a to b, and the tangents. Within the step the frame stands still and the gap follows the points,
// gap(q) = gap + n'(x_b - x_a)(q) - n'(x_b - x_a)(q_start), unless the source has functions that say better.
//
// Where a contact meets more than one point of the other side (a node on a face, a mortar's mean over faces), a is spread over items of its
// part: x_a = sum of weight x_item, with weights that add up to 1, and the impulse on a is shared out by them.

#ifndef RICOCHET_SOURCE_H
#define RICOCHET_SOURCE_H

#include "ricochet/model.h"

RICO_API_BEGIN

typedef uint64_t rico_contact_key;

enum { RICO_EMITTED_DATA = 12 };

// An item of the part of a, with its own point (local = 0), and what of the contact it bears.
typedef struct rico_contact_share {
    int64_t item;
    double weight;
} rico_contact_share;

typedef struct rico_emitted {
    rico_contact_key key; // each once in a source's emission
    rico_point a, b;
    double gap, frame[9];            // frame: row by row, `dimension` rows that are read, orthonormal
    int dimension;                   // 1 without friction, 2 in the plane, 3 in space
    int spread;                      // items that a is spread over, a.part being theirs; 0: a is one point
    const rico_contact_share *share; // as many, copied by rico_emit(); frame() leaves them as they are
    double restitution, friction;
    int friction_law;               // 0: Coulomb's with `friction`; else one of rico_system_add_friction()
    double stiffness, exponent;     // of the law of impact lzb; 0: defaults
    double data[RICO_EMITTED_DATA]; // the source's own: handed back to its functions
} rico_emitted;

// Where a source puts its contacts. The contact is copied. False: out of memory, or the contact is not one (a message
// says why); return false from emit() then.
typedef struct rico_emission rico_emission;
bool rico_emit(rico_emission *to, const rico_emitted *contact);

// One source serves every simulation of its system, on any thread: what it remembers from one step to the next goes
// into a memory of its own for each simulation. Functions return false to stop the simulation.
typedef struct rico_contact_source {
    bool (*emit)(void *user, void *memory, double t, double h, const double *q, const double *v,
                 rico_emission *out);
    // At other states of the same step; NULL: as above. frame: of `dimension` rows; rate: velocity of an obstacle's own
    // motion along them.
    bool (*gap)(void *user, const rico_emitted *contact, double t, const double *q, double *gap);
    bool (*frame)(void *user, const rico_emitted *contact, double t, const double *q, rico_point *a,
                  rico_point *b, double *frame);
    bool (*rate)(void *user, const rico_emitted *contact, double t, const double *q, double *w);
    // Angular velocity of b's obstacle less that of a's, in the axes of the world, for friction with moments; NULL: 0.
    bool (*spin)(void *user, const rico_emitted *contact, double t, const double *q, double spin[3]);
    // Optional: a last look at a step from t to t + h, for which emit() was called last, before it is accepted; `next` is its end. Anything
    // but RICO_OK is the failure of the step.
    rico_status (*passed)(void *user, void *memory, rico_context *ctx, double t, double h,
                          const double *next);

    // Its memory; all NULL: none. What save() writes, state_size() bytes of it, is part of every saved state, and load() brings
    // back what emit() did since: a step that is tried again finds the memory of the first try.
    void *(*create)(void *user); // NULL: out of memory
    void (*destroy)(void *user, void *memory);
    int64_t (*state_size)(void *user, const void *memory);
    void (*save)(void *user, const void *memory, void *bytes);
    bool (*load)(void *user, void *memory, const void *bytes, int64_t size);
    void *user;
} rico_contact_source;

rico_status rico_system_add_source(rico_system *system, const char *name, const rico_contact_source *source);
int64_t rico_system_sources(const rico_system *system);
const char *rico_system_source_name(const rico_system *system, int64_t source);

RICO_API_END

#endif
