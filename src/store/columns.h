// Columns of a result file by the names that a user has for them.
//
//     t, gamma, v_gamma, bar[0]      time, positions and velocities as the scene names them
//     kinetic, tangential            a column of any table; of two that share it, that of the step (ledger)
//     total.tangential, q[2]         table and column, entry of a vector
//     impulse:end, gap:end           a contact's normal entry; impulse:end.t1, .t2 its tangents; before:, after:, force:
//     count:discs, impulse:emitted   over the contacts that came and went, of one source or of all: how many there are
//                                    (count) or press (closed), the sum of normal impulses and works (normal_work,
//                                    tangential_work), the smallest gap, NaN where there is none
//     impulse:ball, gap:ball:floor   the same over the contacts of a body, or between two
//     ball.x, ball.v_x, ball.energy  coordinates of a rigid body; its energy, kinetic and potential
//     emitted.gap, emitted.key       the contacts themselves, one after the other; their times are emitted.t
//     tip.u_x, floor.fy              probes, reactions and resultants of contacts of elastic parts
//     energy                         kinetic + potential
//     x - V*t, impulse:end/dt        formulas of all these, row by row; parameters of the run, dt the time since the row
//                                    before

#ifndef RICO_STORE_COLUMNS_H
#define RICO_STORE_COLUMNS_H

#include "ricochet/store.h"

typedef struct rico_columns rico_columns;

rico_status rico_columns_open(rico_context *ctx, const char *path, rico_columns **out);
void rico_columns_destroy(rico_columns *columns);

// The same of results that are open, or in memory; they belong to the columns from here on, also after a failure.
rico_status rico_columns_take(rico_context *ctx, rico_results *results, rico_columns **out);

// From now on the columns, their memory and their messages are of `ctx`, a sibling of the context so far: made on one thread,
// read on another.
void rico_columns_move(rico_columns *columns, rico_context *ctx);

// The results themselves.
const rico_results *rico_columns_results(const rico_columns *columns);

// The numbers of a column over all rows; a new array that rico_free() releases. An unknown name is refused with the
// nearest known one. Events have rows of their own: `events.t`.
rico_status rico_columns_read(rico_columns *columns, const char *name, int64_t *count, double **values);

// From now on, reads columns with a row just before and one just after each impact that falls between two rows:
// velocities and what follows from them jump there, everything else goes on. For curves.
void rico_columns_show_jumps(rico_columns *columns, bool show);

// Is there such a column? What column of times goes with it, row by row: "t", "events.t", "sliding.t", "samples.t", "emitted.t".
bool rico_columns_has(const rico_columns *columns, const char *name);
const char *rico_columns_time_of(const rico_columns *columns, const char *name);

// The title of the run, "" without one; names of positions and contacts by index, NULL past the last.
const char *rico_columns_title(const rico_columns *columns);
const char *rico_columns_position(const rico_columns *columns, int64_t index);
const char *rico_columns_velocity(const rico_columns *columns, int64_t index);
const char *rico_columns_contact(const rico_columns *columns, int64_t index);

// The sources of contacts that come and go, then "emitted" for all of them; NULL past that, and where there are none.
const char *rico_columns_source(const rico_columns *columns, int64_t index);

// Rows of a contact: 1 without friction, 2 in the plane, 3 in space. The scheme's name for a term of numerical
// dissipation, "" where it has none.
int64_t rico_columns_contact_rows(const rico_columns *columns, int64_t index);
const char *rico_columns_numerical(const rico_columns *columns, int64_t index);

#endif
