// What a compressed system is made of, for the files that make and use it.

#ifndef RICO_SOLVE_COMPRESSED_GROUPS_H
#define RICO_SOLVE_COMPRESSED_GROUPS_H

#include "solve/compressed.h"

enum { RICO_TWIST = 6 }; // rows of a rigid pair's relative velocity

struct rico_compressed {
    rico_context *ctx;
    const rico_problem *p;
    int64_t groups;
    int64_t *member_start, *member; // blocks of each group
    int64_t *group;                 // of each block
    int64_t *row;                   // first row of each block among its group's rows
    int64_t *width;                 // rows of each group before compression
    int64_t *basis_start;           // where E of each group begins, -1 for the identity
    double *basis;                  // d x width each, row-major
    int64_t basis_count, basis_capacity;
    rico_block_matrix Wc;
    int64_t *square_start; // groups + 1: where S of each group begins
    double *S;
    double *rows, *factor; // L and U of each group: the rows of the system are combined to L + U Wc
    int32_t *pivot; // of each row of U: the column that its elimination went by, -1 where it says little
    double *value;  // L + U Wc on the places of Wc
    int32_t *active;
    int parity; // of the rows exchanged while grading
    rico_front_lu *lu;
    double *x, *y, *v, *e, *left; // rows of Wc
};

// Groups of blocks, their bases, and the rows of the compressed system that each takes (offset: one entry more than blocks, of
// which groups + 1 are set). The arrays of groups are made here; who destroys the system frees them.
rico_status rico_compressed_find_groups(rico_compressed *s, int64_t *offset);

#endif
