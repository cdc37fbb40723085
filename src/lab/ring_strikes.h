// Orbits of rings with any number of impacts, in words, tables and pictures.

#ifndef RICO_LAB_RING_STRIKES_H
#define RICO_LAB_RING_STRIKES_H

#include "lab/sheet.h"
#include "ricochet/ring.h"

// "1@0.25": particle 1 at a quarter of the period; "1^0.25" at the upper wall. *rest is what follows.
rico_status rico_ring_strike_read(rico_context *ctx, const char *word, double period,
                                  rico_ring_strike *strike, const char **rest);

// `time`, `y0`, ... over a period; `strike_time`, `strike_particle`, `impulse` of the impacts.
rico_status rico_ring_sequence_sheet(const rico_ring_sequence *orbit, int64_t samples, rico_sheet *sheet);

// Motion of the first particles and the multipliers.
rico_status rico_ring_sequence_draw(const rico_ring_sequence *orbit, const rico_ring_stability *stability,
                                    const char *title, const char *path);

// Points of a branch, gathered by rico_ring_trail_note(), which is an observe() of rico_ring_sequence_path.
enum { RICO_RING_TRAIL = 6 };
typedef struct rico_ring_trail {
    rico_context *ctx;
    int64_t count, room;
    double *value;      // RICO_RING_TRAIL for each point
    rico_status status; // of what went wrong on the way
} rico_ring_trail;

const char *rico_ring_trail_name(int column);
bool rico_ring_trail_note(void *trail, const rico_ring_sequence *orbit);
rico_status rico_ring_trail_sheet(const rico_ring_trail *trail, rico_sheet *sheet);
rico_status rico_ring_trail_draw(const rico_ring_trail *trail, rico_ring_parameter parameter,
                                 const char *title, const char *path);
void rico_ring_trail_release(rico_ring_trail *trail);

#endif
