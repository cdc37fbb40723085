// Projections and subspaces of an impact, with their work space.

#ifndef RICO_LAW_MAPS_H
#define RICO_LAW_MAPS_H

#include "law/active_set.h"
#include "law/impact.h"

struct rico_impact_maps {
    rico_context *ctx;
    const rico_impact *impact;
    rico_active_set *set;
    double *inverse; // h x h: pseudo-inverse of G
    int64_t rank;
    double *contact, *LC, *dof; // h, h, n
};

#endif
