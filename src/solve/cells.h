// The rows of a problem in cells: a contact is one, and each row of a joint is one, for joints can be large and nothing
// couples their rows but W.

#ifndef RICO_SOLVE_CELLS_H
#define RICO_SOLVE_CELLS_H

#include "problem/problem.h"

// offset: count + 1 entries, the first row of each cell. block, unless NULL: the block that each belongs to. Both are the
// caller's to free, also after a failure.
rico_status rico_list_cells(const rico_problem *problem, int64_t *count, int64_t **offset, int64_t **block);

#endif
