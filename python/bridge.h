// What the Python module needs of C beside the public headers: loops without the interpreter, memory that views may point into, Ctrl-C.
//
// python/declarations.py reads this file too: whatever is declared here can be called from Python.

#ifndef RICO_PYTHON_BRIDGE_H
#define RICO_PYTHON_BRIDGE_H

#include "ricochet/ricochet.h"

// A context with at most one scene and its simulation, which live and die together. One thread at a time; a second one is told
// RICO_PY_BUSY and nothing happens.
typedef struct rico_py rico_py;
enum { RICO_PY_BUSY = -1, RICO_PY_NEGATIVE = -2 };

rico_py *rico_py_create(void);       // NULL: out of memory
void rico_py_destroy(rico_py *self); // once all that it owns is gone too

// An object of the library that lives in the context, and perhaps on another one. The collector of Python drops the members of a cycle in any
// order; these go in theirs.
typedef enum rico_py_kind {
    RICO_PY_PROBLEM,
    RICO_PY_SOLVER,
    RICO_PY_RESULTS,
    RICO_PY_FAMILY,
    RICO_PY_ORBITS,
    RICO_PY_ORBIT,
    RICO_PY_DERIVATIVES
} rico_py_kind;
typedef struct rico_py_part rico_py_part;
// on: what it stands on, or NULL. Returns NULL without memory, and the object is destroyed.
rico_py_part *rico_py_own(rico_py *self, rico_py_part *on, rico_py_kind kind, void *object);
void rico_py_disown(rico_py_part *part);
rico_context *rico_py_context(rico_py *self);
rico_scene *rico_py_scene(rico_py *self);
rico_simulation *rico_py_simulation(rico_py *self);

// Reads a scene and makes its simulation. forces: an array for each velocity, rico_py_held(), acts on it, and where `callback` is not NULL
// what rico_py_call_force() makes of that.
int rico_py_open(rico_py *self, const rico_scene_options *options, bool forces, void *callback);
double *rico_py_held(rico_py *self); // NULL without forces

// The Python side: false stops the step. Handles are cffi's.
bool rico_py_call_force(void *callback, double t, const double *q, const double *v, double *f,
                        int64_t positions, int64_t velocities);
bool rico_py_call_step(void *callback);
void rico_py_call_log(void *callback, int level, const char *text);
void rico_py_log_to(rico_py *self, void *callback); // warnings of the library

// n >= 0 steps of h; how many were done is in rico_simulation_steps().
int rico_py_step(rico_py *self, double h, int64_t n);

// rico_simulation_run(). every > 0 keeps t, q and v of the start and of every so many steps: rico_py_trace(). callback: called after each step; NULL: none.
int rico_py_run(rico_py *self, double until, const rico_run_options *options, int64_t every, void *callback,
                rico_run_report *report);
const double *rico_py_trace(const rico_py *self, int64_t *rows); // each of 1 + positions + velocities
void rico_py_trace_clear(rico_py *self);

int rico_py_start(rico_py *self, double t, const double *q, const double *v);
int rico_py_load(rico_py *self, const void *bytes, int64_t size);
int rico_py_gap(rico_py *self, const double **gap);

// A row for each contact and joint of the last step; up to three rows of each, the normal first.
typedef struct rico_py_contact {
    uint64_t key;
    int64_t source, index, row, rows, a, b; // a, b: bodies, -1: none
    double gap, friction, restitution, impulse[3], velocity[3];
    int32_t status, joint, active, padding;
} rico_py_contact;
int rico_py_contacts(rico_py *self, int64_t room, rico_py_contact *out);

// A view is made of memory of the simulation, which lives until the last is let go. The block that it lies in stays allocated as well, even
// where the library has given it back since.
bool rico_py_hold(rico_py *self, const void *at);
void rico_py_let_go(rico_py *self, const void *at);
int64_t rico_py_graves(rico_py *self); // blocks that only views keep
int64_t rico_py_living(void);          // contexts

// Ctrl-C: the main thread by its number, the handler put in front of Python's own (called again it looks whether that is still so), and whether one came
// during the last call of the main thread.
void rico_py_main_thread(uintptr_t thread);
bool rico_py_listen(void);
bool rico_py_heard(void);

// Around calls of the library that are made directly: whatever runs in ctx stops at Ctrl-C.
void *rico_py_enter(rico_context *ctx);
void rico_py_leave(rico_context *ctx, void *outer);

// A picture of bodies as SVG in a file, of a run at a time (NaN: its end) or of the simulation as it stands. view: "iso", "x", "y", "z".
int rico_py_picture(rico_context *ctx, rico_results *results, const char *view, double t, const char *path);
int rico_py_picture_now(rico_py *self, const char *view, const char *path);

// The page of `rico view --html`, of at most so many frames.
int rico_py_page(rico_context *ctx, rico_results *results, const char *title, int64_t frames,
                 const char *path);

#endif
