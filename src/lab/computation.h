// Computations: runs of an experiment that are neither simulations nor impacts. From a few given numbers a kind of
// computation fills columns, and values, checks and figures of the experiment read these as they read those of any run.
//
//     runs:
//       site: {compute: ring-orbit, given: {particles: 100, coupling: 0.1, period: 3*pi/2, at-start: 50}}
//       sites: {compute: ring-orbit, given: {period: 3*pi/2, at-start: 50}, over: {coupling: [0, 0.1, 0.15]}}
//
// A new kind is one file and one row. The file, src/lab/NAME_computations.c, defines an array of rico_computation that ends
// with a name NULL: what the kind is called, what `given` may hold (a table of keys, as for scenes: types, ranges, defaults and
// the sentences of the reference), and the function that computes. src/lab/computation.c gets the declaration and the row.
// The function finds every required key and every default in `given`, checked, and reads them with rico_given_...(); it
// adds columns with rico_sheet_add(), of any lengths: those of one length are one table, whose first column is its axis, the
// `t` of measures between `from` and `to`. What it says through rico_fail() is told with the name of the run.
// `over` may sweep any number of `given`. Computations run on the thread that reads the document, one after the other.

#ifndef RICO_LAB_COMPUTATION_H
#define RICO_LAB_COMPUTATION_H

#include "lab/sheet.h"
#include "scene/schema.h"

typedef struct rico_computation {
    const char *name;            // of its kind: ring-orbit
    const char *help;            // one line
    const rico_schema_key *keys; // of `given`, ended by a name NULL
    rico_status (*compute)(rico_document *document, const rico_node *given, rico_sheet *sheet);
} rico_computation;

// The kinds, in the order of the table; NULL past the last.
const rico_computation *rico_computation_at(int index);
const char *rico_computation_name(int index);

// Checks `given` of a run against the keys of the kind that its `compute` names, and completes it.
rico_status rico_computation_check(rico_document *document, const rico_node *run);

// Fills the sheet; `run` must have passed the check.
rico_status rico_computation_run(rico_document *document, const rico_node *run, rico_sheet *sheet);

// Numbers of `given` by key. One that is not there, having no default, is NAN or 0.
double rico_given_real(rico_document *document, const rico_node *given, const char *key);
int64_t rico_given_integer(rico_document *document, const rico_node *given, const char *key);
bool rico_given_flag(rico_document *document, const rico_node *given, const char *key);

// The text of a key, NULL when it is not there.
const char *rico_given_text(const rico_node *given, const char *key);

// A list [first, last, how many] as that many numbers, to be freed.
rico_status rico_given_range(rico_document *document, const rico_node *given, const char *key, int64_t *count,
                             double **value);

// A column of one number.
rico_status rico_sheet_add_number(rico_sheet *sheet, const char *name, double value);

#endif
