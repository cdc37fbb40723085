// What the files of rico_columns share.

#ifndef RICO_STORE_COLUMNS_PRIVATE_H
#define RICO_STORE_COLUMNS_PRIVATE_H

#include "scene/formula.h"
#include "store/columns.h"

// Lines of a note, split in place.
typedef struct rico_note_lines {
    int64_t count;
    char **line;
    char *text;
} rico_note_lines;

typedef struct rico_note_constraint {
    const char *name;
    int64_t row, rows;
    bool joint;
} rico_note_constraint;

// An impact between two rows: where velocities jump.
typedef struct rico_column_jump {
    int64_t row; // the first row after it
    double t;
} rico_column_jump;

struct rico_columns {
    rico_context *ctx;
    rico_results *results;
    rico_note_lines positions, velocities, constraints, terms, sources, bodies, joints, sensors, probes;
    rico_note_constraint *constraint;
    int64_t contact_count;
    const char **contact;
    int64_t *contact_rows;

    rico_symbol *parameter; // those of the run, as a formula takes them; made when one asks

    // impacts, found when they are asked for; `broken`: columns are read with two rows at each
    bool has_jumps, broken;
    int64_t jump_count, time_rows;
    rico_column_jump *jump;
    double *time;
};

typedef struct rico_column_sum rico_column_sum;

// Where numbers come from: an entry of a column; or a sum of it over the contacts of each row.
typedef struct rico_column_source {
    int64_t table, column, entry;
    const rico_column_sum *sum; // NULL: none
    int64_t of;                 // of the contacts of that source; -1: of all
    int64_t body[2];            // of the contacts of these bodies; -1: of any
} rico_column_source;

bool rico_columns_find(const rico_columns *columns, const char *name, rico_column_source *out);

// One entry of a column over all rows, as the file has it.
rico_status rico_columns_fetch(rico_columns *columns, const rico_column_source *from, int64_t *count,
                               double **values);

// "impulse" of source "discs", summed row by row, column_sums.c. Names of sums, NULL past the last.
bool rico_columns_find_sum(const rico_columns *columns, const char *what, const char *source,
                           rico_column_source *out);
rico_status rico_columns_fetch_sum(rico_columns *columns, const rico_column_source *from, int64_t *count,
                                   double **values);
const char *rico_columns_sum_name(int64_t index);

// Bodies by name, column_bodies.c; -1 for none. The length of the longest name of one that a text begins with, 0 for none.
const char *rico_columns_body(const rico_columns *columns, int64_t index);
int64_t rico_columns_find_body(const rico_columns *columns, const char *name, size_t length);
size_t rico_columns_body_length(const rico_columns *columns, const char *at);
// "ball.energy", "ball.kinetic", "ball.potential"
bool rico_columns_is_body_energy(const rico_columns *columns, const char *name);
rico_status rico_columns_read_body_energy(rico_columns *columns, const char *name, int64_t *count,
                                          double **values);

// The longest name of a probe that a text begins with; 0 for none.
size_t rico_columns_probe_length(const rico_columns *columns, const char *at);

// "shaft.fx", "slider.a_x": column_joints.c. The length of the longest such name of a joint that a text begins with, 0 for none;
// what has them, and what they are, NULL past the last.
bool rico_columns_find_joint(const rico_columns *columns, const char *name, rico_column_source *out);
size_t rico_columns_joint_length(const rico_columns *columns, const char *at);
const char *rico_columns_joint(const rico_columns *columns, int64_t index);
const char *rico_columns_joint_field(int64_t index);

// Eight bytes of a column as a real.
double rico_columns_number(rico_number number, const double *at);

// Refuses a name with the nearest known one.
rico_status rico_columns_unknown(rico_columns *columns, const char *name);

// A text of the results, "" where there is none.
const char *rico_columns_note(const rico_columns *columns, const char *name);

// Values of a formula of columns and parameters, row by row.
rico_status rico_columns_evaluate(rico_columns *columns, const char *text, int64_t *count, double **values);

// Puts rows at the impacts into a column of the state's rows, which is released.
rico_status rico_columns_break(rico_columns *columns, const rico_column_source *from, int64_t *count,
                               double **values);

#endif
