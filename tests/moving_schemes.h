// The schemes that move what they simulate: for tests over all of them.

#ifndef RICO_TESTS_MOVING_SCHEMES_H
#define RICO_TESTS_MOVING_SCHEMES_H

#include "ricochet/simulation.h"

// The schemes with inertia, one after the other; NULL past the last. The others stand behind them in the table.
static inline const rico_scheme_info *moving_scheme_at(int index)
{
    const rico_scheme_info *info = rico_scheme_at(index);
    return info && !info->statics ? info : NULL;
}

#endif
