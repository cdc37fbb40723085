// What `rico solve` says about each file: lines of a table, or elements of a JSON document.

#ifndef RICO_APP_SOLVE_REPORT_H
#define RICO_APP_SOLVE_REPORT_H

#include "app/app.h"
#include "base/json.h"
#include "base/table.h"
#include "ricochet/solver.h"

// How the work on one file ended.
typedef struct rico_solve_result {
    const char *file;
    bool read;           // the file could be read; the sizes hold
    rico_status status;  // of the first step that failed; RICO_OK means that the report holds
    const char *message; // its sentence, "" for RICO_OK
    int64_t contacts, rows, dofs;
    bool guessed; // started from the guess in the file
    rico_report report;
    bool existence_checked; // looked at when the problem was not solved
    rico_existence existence;
    const char *written; // where the solution went, or NULL
} rico_solve_result;

enum { RICO_SOLVE_COLUMNS = 7 };

typedef struct rico_solve_report {
    rico_app *app;
    bool as_json;
    rico_json json;
    rico_print_column columns[RICO_SOLVE_COLUMNS];
    int64_t solved, unsolved, unreadable;
} rico_solve_report;

bool rico_solve_succeeded(const rico_solve_result *result);

// Head of the table, wide enough for the names of all files; or the opening of the document.
void rico_solve_report_begin(rico_solve_report *report, rico_app *app, bool as_json, const char *solver,
                             const rico_cli_words *files);

// One file. Complaints are not printed here: they go to the error stream, whatever the form.
void rico_solve_report_add(rico_solve_report *report, const rico_solve_result *result);

// The closing line, or the end of the document. `total` files were asked for.
void rico_solve_report_end(rico_solve_report *report, int64_t total, bool interrupted);

#endif
