// The D of a D-K iteration: d(s) = g (s^2 + 2 z1 w1 s + w1^2)/(s^2 + 2 z2 w2 s + w2^2), known by the logarithms of its five positive numbers, so that neither
// poles nor zeros leave the left half plane.

#ifndef RICO_CONTROL_DK_H
#define RICO_CONTROL_DK_H

#include "control/mu.h"

enum { RICO_DK_SHAPE = 5 };

typedef struct rico_dk_shape {
    double log[RICO_DK_SHAPE]; // of g, w1, z1, w2, z2
    bool constant;             // g alone
} rico_dk_shape;

double rico_dk_size(const rico_dk_shape *shape, double omega); // |d(i omega)|

// diag(k d I, I, I) P diag(I/d, I, I), the last of each for what the controller uses.
rico_status rico_dk_scaled_plant(const rico_state_space *plant, const rico_dk_options *options,
                                 const rico_dk_shape *shape, double k, rico_state_space **out);

// F_l(plant, K) at frequencies.
typedef struct rico_dk_responses {
    int64_t count;
    double *omega;
    double complex *n; // one after another
} rico_dk_responses;

rico_dk_responses rico_dk_responses_on(rico_pad *pad, const rico_state_space *plant,
                                       const rico_dk_options *options);
rico_status rico_dk_respond(const rico_state_space *plant, const rico_state_space *controller,
                            rico_dk_responses *out);

// Largest skewed mu of the responses, each with its own best d, which go to `best` unless NULL.
rico_status rico_dk_largest_mu(rico_mu_work *work, const rico_dk_responses *responses, double *mu,
                               double *best);

// Makes a constant one with poles and zeros that cancel, in the middle of the frequencies.
void rico_dk_open(const rico_dk_responses *responses, rico_dk_shape *shape);

// Ways to a better shape, from the one given: fitted to each response's own best d; least sums of squares of the skewed mu, or of eighth
// powers, which the largest dominate; the latter from the fit. None is best always: a D step that looks at the largest mu alone stalls where
// that frequency has its best d already, while the others could give way.
enum { RICO_DK_WAYS = 4 };
rico_status rico_dk_fit(rico_mu_work *work, const rico_dk_responses *responses, const double *best, int way,
                        rico_dk_shape *shape);

#endif
