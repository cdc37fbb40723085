// Laws of friction in a contact problem: coefficients that depend on time, place and sliding speed, static and kinetic ones, cohesion.
//
// Cohesion shifts a cone along its normal, r + h c e_N in K: tension is pushed beforehand, the problem for r + h c e_N has the cone itself, and
// the tension is taken off again. Coefficients that depend on how a contact slides are a fixed point, each turn an exact problem: with
// speed mu(v) it contracts when |mu'| p_N |W_TT| < 1, which a short step makes true; a static coefficient gives way to the kinetic one
// where the contact slides, and never the other way within a step, so that turns end.

#ifndef RICO_STEP_RUBBING_H
#define RICO_STEP_RUBBING_H

#include "step/contacts.h"

enum { RICO_RUBBING_TURNS = 100 };

// The coefficients of the active contacts to start from; *follow: some depend on how they slide. v: the free velocity.
rico_status rico_rubbing_begin(rico_contacts *contacts, const double *v, bool *follow);

// Coefficients by the velocities that v and c give, y = omega (H'v + w) + c; *settled: they are those of the problem just solved.
rico_status rico_rubbing_again(rico_contacts *contacts, int turn, double omega, const double *c,
                               const double *v, const double *p, bool *settled);
rico_status rico_rubbing_refuse(const rico_contacts *contacts);

// Adds what tension does to the free velocity, and takes it off the guess; then back.
rico_status rico_rubbing_pull(rico_contacts *contacts, rico_iteration *iteration, double *v, double *p);
void rico_rubbing_release(const rico_contacts *contacts, double *p);

#endif
