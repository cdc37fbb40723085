// Line searches along a direction of descent: Goldstein-Price and Armijo (Acary et al. 2018, Algorithms 5 and 6).
//
// Both look at a merit function phi(t), t >= 0, through its mean slope (phi(t) - phi(0)) / t compared with phi'(0) < 0.
// They know nothing of what phi measures. A value that is not a number counts as too large.

#ifndef RICO_SOLVE_LINE_SEARCH_H
#define RICO_SOLVE_LINE_SEARCH_H

#include <stdbool.h>

typedef struct rico_merit {
    double (*value)(void *user, double t); // phi(t)
    void *user;
    double start; // phi(0)
    double slope; // phi'(0) < 0
} rico_merit;

typedef struct rico_line_search_options {
    double m1;     // a step is short enough when its mean slope is at most m1 phi'(0), 0 < m1 < 1
    double m2;     // and long enough when it is at least m2 phi'(0), m1 < m2 < 1; Armijo does not ask
    double growth; // a > 1: factor of extrapolation; 1 never extrapolates
    int tries;     // evaluations of phi allowed, at least 1
} rico_line_search_options;

typedef struct rico_line_search_result {
    double t;        // the step
    double value;    // phi(t)
    int evaluations; // of phi
    bool accepted;   // t passes the test; otherwise the last one tried, as the source advises
} rico_line_search_result;

// m1 = 0.1, m2 = 0.9, a = 2, 6 tries: around the 1/2 that a full Newton step on half a square would have.
rico_line_search_options rico_line_search_defaults(void);

typedef rico_line_search_result rico_line_search(const rico_merit *merit, double first,
                                                 const rico_line_search_options *options);

rico_line_search rico_line_search_goldstein_price;
rico_line_search rico_line_search_armijo;

#endif
