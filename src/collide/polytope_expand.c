// The direction of least penetration, by growing a polytope.

#include "collide/polytope.h"

bool rico_polytope_expand(const rico_polytope_pair *pair, const rico_simplex *simplex, rico_axis *best,
                          int32_t *i, int32_t *j)
{
    (void)pair, (void)simplex, (void)best, (void)i, (void)j;
    return false;
}
