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
    rico_note_lines positions, velocities, constraints, terms;
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

// Where numbers come from: an entry of a column.
typedef struct rico_column_source {
    int64_t table, column, entry;
} rico_column_source;

bool rico_columns_find(const rico_columns *columns, const char *name, rico_column_source *out);

// One entry of a column over all rows, as the file has it.
rico_status rico_columns_fetch(rico_columns *columns, const rico_column_source *from, int64_t *count,
                               double **values);

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
