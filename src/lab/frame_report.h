// All that is asked of a plane frame: its collapse by the associated rule, by both iterations, and by Coulomb's law; its shape, for pictures.

#ifndef RICO_LAB_FRAME_REPORT_H
#define RICO_LAB_FRAME_REPORT_H

#include "ricochet/frame.h"

enum { RICO_FRAME_TURNS = 400 };

// What an iteration did, turn by turn: factor, normal and tangential force of the first contact, its slip and its opening.
typedef struct rico_frame_history {
    int64_t count;
    double factor[RICO_FRAME_TURNS], N[RICO_FRAME_TURNS], T[RICO_FRAME_TURNS], slip[RICO_FRAME_TURNS],
        opening[RICO_FRAME_TURNS];
} rico_frame_history;

typedef struct rico_frame_report {
    rico_context *ctx;
    rico_frame *frame;
    rico_frame_state associated, kinematic, statical; // their arrays are gone but for those of `collapse`
    rico_frame_history turns, twin_turns;
    // The state that is shown: that of the kinematic iteration, or the associated one where that does not settle.
    rico_frame_state collapse;
    double *stress, *velocity, *rate;
    bool searched; // the least load by Coulomb's law was
    rico_limit_search search;
    rico_limit_answer least;
} rico_frame_report;

// `turns` at most of each iteration, up to RICO_FRAME_TURNS; nodes of the search for the least load, 0: none. report->ctx is set; the report takes the frame.
rico_status rico_frame_report_open(rico_frame_report *report, rico_frame *frame, int64_t turns,
                                   double tolerance, int64_t nodes);
void rico_frame_report_close(rico_frame_report *report);

// The frame as lines, a gap after each bar: x and y of 3 numbers for every bar, displaced by `scale` times the velocities v of the nodes.
void rico_frame_outline(const rico_frame *frame, const double *v, double scale, double *x, double *y);
// A scale that moves its farthest node by an eighth of its size.
double rico_frame_scale(const rico_frame *frame, const double *v);
// Where hinges turn: a little inside the bar that yields, so that those of one joint can be told apart. Returns how many; x and y have room for one of each stress.
int64_t rico_frame_hinge_places(const rico_frame *frame, const double *rate, const double *v, double scale,
                                double *x, double *y);

rico_status rico_frame_report_csv(const rico_frame_report *report, const char *path);
// The collapse mechanism, and the load factor turn by turn.
rico_status rico_frame_report_draw(const rico_frame_report *report, const char *path);

#endif
