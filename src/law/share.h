// Which of many compression impulses: a choice that does not depend on the order of the contacts.

#ifndef RICO_LAW_SHARE_H
#define RICO_LAW_SHARE_H

#include "law/active_set.h"

// Work space for an impact of `G`, which must outlive it.
typedef struct rico_share {
    rico_context *ctx;
    const rico_csc *G;
    rico_csc shifted; // G and a little of the weights
    bool *closed;     // contacts that compression leaves at rest
    double *multiplier, *q, *z;
} rico_share;

rico_status rico_share_create(rico_context *ctx, const rico_csc *G, rico_share **out);
void rico_share_destroy(rico_share *share);

// z: impulses z >= 0 of the contacts marked closed. Replaces them by those of the same effect G z that are least in
// sum weight_j z_j^2: one, whichever z was. False, and z as it was, when they cannot be told to round-off.
bool rico_share_least(rico_share *share, rico_active_set *set, const double *weight, double *z);

#endif
