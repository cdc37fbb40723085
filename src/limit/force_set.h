// The forces that blocks may have, as columns of a cone program: r = offset + G x, x free, on half lines or in second-order cones.

#ifndef RICO_LIMIT_FORCE_SET_H
#define RICO_LIMIT_FORCE_SET_H

#include "limit/cone_program.h"
#include "ricochet/limit.h"

// What is asked of a block's forces. The rules with a bound are those of friction that is frozen: it is bounded by what another normal force allows, and
// what the block does (opens, sticks, slides) takes away the bounds that belong to the motions it then cannot make. A box slides up with r = low, down with
// r = high.
typedef enum rico_force_rule {
    RICO_FORCES_CONE,         // of its kind
    RICO_FORCES_NONE,         // r = 0
    RICO_FORCES_ALONG,        // T = -mu N s, s along the slip, given by `slip`
    RICO_FORCES_SLIDE_UP,     // u_T > 0: T = -mu N
    RICO_FORCES_SLIDE_DOWN,   // u_T < 0: T = mu N
    RICO_FORCES_BOUNDED,      // N >= 0, |T| <= mu bound
    RICO_FORCES_FREE,         // no motion at all: any force
    RICO_FORCES_BOUNDED_UP,   // u_N = 0 <= u_T: N free, T >= -mu bound
    RICO_FORCES_BOUNDED_DOWN, // u_N = 0 >= u_T: N free, T <= mu bound
    RICO_FORCES_UNBOUNDED,    // N >= 0, T free
} rico_force_rule;

typedef struct rico_force_columns {
    rico_context *ctx;
    int64_t rows;   // of r
    double *offset; // as many
    int64_t cols, part_count, part_room;
    rico_cone_program_kind *kind;
    int64_t entries, entry_room; // of G; a row from `rows` on is an equation of x alone
    int64_t *row, *col;
    double *value;
    int64_t equations, equation_room;
    double *right; // of these equations
    rico_status status;
} rico_force_columns;

// Begins empty columns for r of so many rows.
rico_status rico_force_columns_begin(rico_context *ctx, int64_t rows, rico_force_columns *out);
void rico_force_columns_release(rico_force_columns *columns);

// Adds the columns of a block whose first row is given; `bound` is the normal force of the rules that are bounded, `slip` the motion
// of the block (or NULL). What went wrong stays in columns->status.
void rico_force_columns_add(rico_force_columns *columns, const rico_block *block, int64_t row,
                            const rico_limit_view *view, rico_force_rule rule, double bound,
                            const double *slip);

// A part of its own, an equation of x alone with this right-hand side, and an entry of a column.
int64_t rico_force_columns_part(rico_force_columns *columns, rico_cone_program_kind kind); // its first column
int64_t rico_force_columns_equation(rico_force_columns *columns, double right);            // its row
void rico_force_columns_entry(rico_force_columns *columns, int64_t row, int64_t col, double value);

// r = offset + G x, or G x alone (a ray).
void rico_force_columns_forces(const rico_force_columns *columns, const double *x, bool ray, double *r);

// cost = G'w.
void rico_force_columns_cost(const rico_force_columns *columns, const double *w, double *cost);

#endif
