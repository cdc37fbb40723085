// A row of the table of bipotentials, and what rows share.
//
// For x and y within the domains of b a row has b itself and b - <x, y>, by formulas of their own; the direction d(x) of the prediction;
// the projection onto K. `flow` answers at a pressure: the lawful x with the slip of a given one, and the y of that.

#ifndef RICO_LAW_BIPOTENTIAL_H
#define RICO_LAW_BIPOTENTIAL_H

#include "base/random.h"
#include "ricochet/bipotential.h"
#include "ricochet/problem.h"

#include <math.h>

// Part of its own size by which a point may stand outside of a set and count as in it.
#define RICO_BIPOTENTIAL_SLACK 1e-12

// A contact: its cone, the pull it bears, and the squares of Q = P F^-1 along the two tangents.
typedef struct rico_bipotential_contact {
    rico_block block;
    double cohesion;
    double square[2];
} rico_bipotential_contact;

typedef struct rico_bipotential_kind {
    rico_bipotential_info info; // first: a law's info is its row
    const char *(*fault)(
        const rico_bipotential *law); // what is wrong with its numbers together; NULL: nothing
    void (*shape)(const rico_bipotential *law, rico_bipotential_contact *out); // contacts with a cone alone

    bool (*admits)(const rico_bipotential *law, const double *x, const double *y);
    double (*value)(const rico_bipotential *law, const double *x, const double *y);
    double (*gap)(const rico_bipotential *law, const double *x, const double *y);
    void (*direction)(const rico_bipotential *law, const double *x, double *d);
    void (*project)(const rico_bipotential *law, double *y);

    bool (*reaches)(const rico_bipotential *law, double p); // is there a lawful pair of this pressure?
    void (*flow)(const rico_bipotential *law, double p, const double *x, double *lawful, double *y);
    void (*sample)(const rico_bipotential *law, rico_random *random, double *x, double *y);
    void (*cut)(const rico_bipotential *law, double p, const double *x, const double *y,
                rico_bipotential_section *out);
    double (*weight)(const rico_bipotential *law); // largest Q_ii^2; NULL: 1
} rico_bipotential_kind;

// bipotential_contact.c, bipotential_tresca.c, bipotential_soil.c; ended by a name NULL.
extern const rico_bipotential_kind rico_bipotential_contacts[];
extern const rico_bipotential_kind rico_bipotential_tresca[];
extern const rico_bipotential_kind rico_bipotential_soil[];

// What is the same for every contact whose admissible tangential forces at a pressure p are a set S(p) with the support function `support`,
// for the superpotentials: phi = p x_N + support, psi = 0 in S(p), at the lowest pressure only for y_N above it.
typedef struct rico_bipotential_cutting {
    double p, lowest;
    double support;  // at x_T
    bool in_section; // is y_T in S(p)?
    double x_size, y_size;
} rico_bipotential_cutting;
void rico_bipotential_cut_contact(const rico_bipotential_cutting *at, const double *x, const double *y,
                                  rico_bipotential_section *out);

static inline const rico_bipotential_kind *rico_bipotential_row(const rico_bipotential *law)
{
    return (const rico_bipotential_kind *)law->info;
}


static inline double rico_bipotential_length(int count, const double *z)
{
    double length = 0.0;
    for (int i = 0; i < count; i++) length = hypot(length, z[i]);
    return length;
}


static inline double rico_bipotential_product(int count, const double *x, const double *y)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++) sum += x[i] * y[i];
    return sum;
}

#endif
