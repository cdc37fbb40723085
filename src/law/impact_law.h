// What an impact law looks like from inside: a row of the table, and the work space of one law on one system.
//
// A law works in contact velocities alone: it reads `before` (gamma-) and writes `impulse`, `loss`, `compression`,
// `impacts` and its counts. Generalized velocities and energies are impact_law.c's business.

#ifndef RICO_LAW_IMPACT_LAW_H
#define RICO_LAW_IMPACT_LAW_H

#include "law/impact.h"

typedef struct rico_impact_law_method {
    rico_impact_law_info info;
    const void *kind; // in what rows differ that share their functions; NULL for those that do not

    // Allocates law->work for law->impact.
    rico_status (*setup)(rico_impact_law *law);

    // The law itself, from law->before to law->impulse and the rest. Everything it writes is zero when it starts,
    // and it allocates nothing.
    rico_status (*apply)(rico_impact_law *law);

    // Frees law->work; must cope with a setup that failed half way.
    void (*cleanup)(rico_impact_law *law);
} rico_impact_law_method;

struct rico_impact_law {
    rico_context *ctx;
    const rico_impact_law_method *method;
    const rico_impact *impact; // NULL before setup
    void *work;                // the law's own
    double *option;            // in the order of its table

    double *velocity;                 // n
    double *before, *after, *impulse; // h: gamma-, gamma+, Lambda
    double *loss, *compression, *potential;
    // with friction, NULL without: h d slips before and impulses; h + h d slips after behind the gaps, and
    // both kinds of impulses
    double *slip_before, *tangential, *both_after, *both;
    int64_t *impacts;
    int64_t *order; // h: the user's order of contacts

    rico_impact_stop stop;
    char note[256];
    int64_t collisions, steps;
    double duration, criterion;

    rico_impact_observer observer;
    void *observer_user;
    int64_t observe_every;

    double *witness; // of the last check, NULL before the first
};

extern const rico_impact_law_method rico_moreau_method, rico_newton_method, rico_poisson_method;
extern const rico_impact_law_method rico_binary_method, rico_lzb_method, rico_cradle_method,
    rico_lzb_friction_method;
extern const rico_impact_law_method rico_compliant_methods[10]; // linear, ..., plastic

// For a law that ends otherwise than done: sets stop and note.
void rico_impact_law_stop(rico_impact_law *law, rico_impact_stop stop, const char *format, ...)
    RICO_PRINTF(3, 4);

// Runs the law on law->before; fills law->after and the rest.
rico_status rico_impact_law_run(rico_impact_law *law);

#endif
