// Relations from inside: constraints of one row whose output is not that of their column of H.

#ifndef RICO_MODEL_RELATION_H
#define RICO_MODEL_RELATION_H

#include "model/constraint.h"
#include "ricochet/relation.h"

// An entry of D.
typedef struct rico_feed {
    int64_t from; // another relation's constraint, or its own
    double value;
} rico_feed;

typedef struct rico_bound_relation {
    rico_relation given;
    int64_t fed; // entries of D in its row
    rico_feed *feed;
} rico_bound_relation;

static inline const rico_bound_relation *rico_relation_of(const rico_constraint *constraint)
{
    return constraint->relation;
}

void rico_system_release_relations(rico_system *system);

#endif
