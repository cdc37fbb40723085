// Relations: a number that enters the equations of a system and is tied to an output of it by a set-valued law.
//
//     M dv = ( ... + B lambda ) dt,     y = Y(t, q, v) + D lambda,     lambda in -A(y)
//
// with A the sign graph (a relay, between two bounds), the normal cone of y >= 0 (complementarity) or that of y = 0. B need not be the
// gradient of Y: a controller measures one thing and pushes another, a diode's voltage is not conjugate to the current of
// some coil. Relations are solved at the end of the step together with contacts and joints, so that an output that slides
// stays at 0 exactly and nothing chatters. Positions and velocities must be paired, and move by addition.

#ifndef RICOCHET_RELATION_H
#define RICOCHET_RELATION_H

#include "ricochet/model.h"

RICO_API_BEGIN

typedef enum rico_relation_law {
    RICO_RELATION_RELAY,           // lambda = high where y < 0, low where y > 0, between them where y = 0
    RICO_RELATION_COMPLEMENTARITY, // 0 <= lambda, y >= 0, lambda y = 0
    RICO_RELATION_EQUALITY         // y = 0, whatever lambda: an algebraic equation and its multiplier
} rico_relation_law;

typedef struct rico_relation {
    rico_relation_law law;
    double low, high; // of a relay, low <= high
    // A relay that remembers: from high it goes to low where y comes to `hysteresis`, from low to high at -hysteresis. It is at high, or
    // with `starts_low` at low, where the start does not say.
    double hysteresis;
    bool starts_low;
    // the velocities that lambda acts on or y depends on; y reads the positions of the same indices
    rico_reach reach;

    // Functions get `scratch` numbers of work space, which `prepare` (or NULL) has filled once; every simulation has its own.
    int64_t scratch;
    void (*prepare)(void *user, double *scratch);
    bool affine; // y is affine in positions and velocities: a step need not look at it again
    // B in the reach
    bool (*action)(void *user, double *scratch, double t, const double *q, double *B);
    // y without D lambda, and its derivatives by the positions and by the velocities of the reach
    bool (*output)(void *user, double *scratch, double t, const double *q, const double *v, double *y,
                   double *by_q, double *by_v);
    // Factor on both bounds of a relay at a time and for |y|, and its derivative by |y|; NULL: 1. Where it falls, the step has a bound
    // beyond which a solution is not the only one: the step then fails and tells it.
    bool (*factor)(void *user, double *scratch, double t, double size, double *factor, double *slope);
    // D as a function of time: entry k of those that rico_system_feed_through() gave it; NULL: as given there.
    double (*feed)(void *user, double *scratch, double t, int64_t k);
    void *user;
} rico_relation;

// `index` is that of a constraint: its impulse over the step is h lambda.
rico_status rico_system_add_relation(rico_system *system, const char *name, const rico_relation *relation,
                                     int64_t *index);

// D: adds value * lambda of relation `from` to the output of relation `to`, indices as above.
rico_status rico_system_feed_through(rico_system *system, int64_t to, int64_t from, double value);

RICO_API_END

#endif
