// The Newmark family from inside: its parameters and what its files share.

#ifndef RICO_STEP_NEWMARK_H
#define RICO_STEP_NEWMARK_H

#include "step/simulation.h"

enum { RICO_NEWMARK, RICO_HHT, RICO_GENERALIZED_ALPHA, RICO_KRENK_HOGSBERG }; // in the order of the table

typedef struct rico_newmark {
    double beta, gamma, alpha_m, alpha_f;
    double s, s_c;  // weights of the end of the step: of f and of g
    double nu, eta; // of the filter that stands for the weighting: 1/2 - alpha_m, alpha_f - alpha_m (eq. 50)
    double kappa;   // beta - gamma/2
} rico_newmark;

int rico_newmark_kind(const rico_simulation *sim);
rico_newmark rico_newmark_parameters(const rico_simulation *sim);

// M a_0 = f, a step, its ledger: src/step/newmark.c.
int64_t rico_newmark_extra_size(const rico_simulation *sim);
rico_status rico_newmark_start(rico_simulation *sim);
rico_status rico_newmark_advance(rico_simulation *sim, double h);
rico_status rico_newmark_book(rico_simulation *sim, double h);

#endif
