// Laws between two dual variables by their bipotentials: contact with friction and other implicit standard materials.
//
// A bipotential b(x, y) is convex in x and in y, at least <x, y>, and equal to it exactly on the graph of the law (de Saxce,
// Advanced Topics in Nonsmooth Dynamics, chapter 6, 2018). For contacts x = -u, the relative velocity or displacement with its sign
// turned, and y = r, the reaction, normal component first; the law then is
//
//     r = P_K(r + rho d(-u))    for any rho > 0,
//
// with K the set of reactions, P_K the Euclidean projection and d(-u) = (-u_N - g(u), -Q^2 u_T): one prediction and one correction for
// unilateral contact and friction together (eq. 25-31). What b exceeds <x, y> by, its gap, is nonnegative, zero exactly on the law, and
// an error in units of power that every law has.
//
// A set A in b stands for 0 inside and infinity outside; a point counts as in it within 1e-12 of its own size. docs/theory/bipotential.md
// has the laws, ricochet/law.h checks of laws that are given by samples or by functions.

#ifndef RICOCHET_BIPOTENTIAL_H
#define RICOCHET_BIPOTENTIAL_H

#include "ricochet/context.h"
#include "ricochet/option.h"
#include "ricochet/sparse.h"

RICO_API_BEGIN

enum { RICO_BIPOTENTIAL_ROWS = 6, RICO_BIPOTENTIAL_VALUES = 4 }; // components of x and of y; numbers of a law

typedef struct rico_bipotential_info {
    const char *name;
    const char *summary;   // one line
    const char *reference; // where the law is described
    int size;              // components of x and of y
    int option_count;
    const rico_option_info *options; // the numbers that shape it
} rico_bipotential_info;

// The table of laws; NULL past its end or for an unknown name.
const rico_bipotential_info *rico_bipotential_at(int index);
const rico_bipotential_info *rico_bipotential_find(const char *name);

// A law with its numbers, in the order of its options. Made by rico_bipotential_make(), with standard numbers; whoever writes `value` asks
// rico_bipotential_check() before use.
typedef struct rico_bipotential {
    const rico_bipotential_info *info;
    double value[RICO_BIPOTENTIAL_VALUES];
} rico_bipotential;

rico_status rico_bipotential_make(rico_context *ctx, const char *name, rico_bipotential *out);
rico_status rico_bipotential_set(rico_context *ctx, rico_bipotential *law, const char *option, double value);
rico_status rico_bipotential_check(rico_context *ctx, const rico_bipotential *law);

// b(x, y), b - <x, y> by a formula of its own, and the bipotential that every law with convex closed sections has, <x, y> on the graph
// and infinite elsewhere (within 1e-10 of the sizes of x and y).
double rico_bipotential_value(const rico_bipotential *law, const double *x, const double *y);
double rico_bipotential_gap(const rico_bipotential *law, const double *x, const double *y);
double rico_bipotential_trivial(const rico_bipotential *law, const double *x, const double *y);

// The power <x_T, r_T> that slip takes at the pressure p; x_N is not read. NAN where no lawful pair has that pressure.
double rico_bipotential_dissipation(const rico_bipotential *law, double p, const double *x);

// Onto the set K of admissible y, in place.
void rico_bipotential_project(const rico_bipotential *law, double *y);

// The prediction y + rho d(x), and how far its projection is from y: 0 exactly on the law.
void rico_bipotential_predict(const rico_bipotential *law, double rho, const double *x, const double *y,
                              double *tau);
double rico_bipotential_miss(const rico_bipotential *law, double rho, const double *x, const double *y);

// A lawful pair by chance: open, sticking and slipping each in turn, groups of moments at rest among them. The seed alone decides.
void rico_bipotential_sample(const rico_bipotential *law, uint64_t seed, double *x, double *y);

// The part of the graph at a fixed pressure y_N = p and its superpotentials (eq. 12-14): phi(x) with its conjugate, psi(y) with its own,
// and the bipotential b_p. A slip rule of its own leaves b_p alone: the part is not cyclically monotone then, and the four are NAN.
typedef struct rico_bipotential_section {
    double phi, phi_conjugate, psi, psi_conjugate;
    double both; // b_p(x, y)
} rico_bipotential_section;

// False where no lawful pair has that pressure.
bool rico_bipotential_cut(const rico_bipotential *law, double p, const double *x, const double *y,
                          rico_bipotential_section *out);

// ---- prediction and correction over many contacts -------------------------------------------------------------
//
//     u = free + W r,     r_c = P(r_c + rho d(-u_c))  for every contact c,
//
// by Uzawa's iteration: all predictions with the u of before, all corrections, then u anew. With a gap h_0 at the start of a step the
// normal rows of `free` hold h_0 + u_N.

typedef struct rico_uzawa_system {
    int64_t contacts;
    const rico_bipotential *law; // of each
    rico_sparse_view W;          // rows in the order of the contacts
    const double *free;
} rico_uzawa_system;

typedef struct rico_uzawa_options {
    double rho;      // > 0; 0: 1 over |W| and over the largest Q_ii^2, if that exceeds 1
    double tol;      // of the change of r, over the larger of |r| and rho |free|
    int64_t most;    // iterations
    bool no_halving; // keep rho where changes grow; otherwise it is halved, and r goes back to the best
    bool momentum;   // Nesterov's, started anew where it points backwards: fewer iterations
} rico_uzawa_options;

typedef struct rico_uzawa_report {
    bool converged;
    int64_t iterations, halvings;
    double rho;    // the last
    double change; // of r in the last iteration, as `tol` has it
    double gap;    // what the bipotentials of all contacts exceed <-u, r> by, where u_N >= 0
} rico_uzawa_report;

rico_uzawa_options rico_uzawa_options_default(void); // rule, 1e-12, 100000, halving, no momentum

// r holds the first guess and receives the reactions, u what goes with them. RICO_OK with converged = false, and the best iterate,
// where iterations ran out.
rico_status rico_uzawa_solve(rico_context *ctx, const rico_uzawa_system *system,
                             const rico_uzawa_options *options, double *r, double *u,
                             rico_uzawa_report *report);

RICO_API_END

#endif
