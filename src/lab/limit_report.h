// All that is asked of the statics of a scene: equilibrium, ranges, loads; as tables and as a picture.

#ifndef RICO_LAB_LIMIT_REPORT_H
#define RICO_LAB_LIMIT_REPORT_H

#include "lab/limit_study.h"

typedef struct rico_limit_report {
    rico_context *ctx;
    rico_limit_study study;
    double at;   // load factor of the equilibrium
    double size; // of the loads there, as a force

    rico_limit_answer equilibrium, equilibrium_at_zero;
    double *force;      // of the equilibrium, as far as there is one
    double *low, *high; // of the rows that are wanted; NULL: no ranges
    bool *wanted;

    rico_limit_answer bound, reverse, pyramid; // associated
    bool coulomb, searched, pathed;            // which of the following were asked for
    rico_limit_search search;
    rico_limit_steps steps;
    rico_limit_answer least, approach, path;
    double *velocity; // of the mechanism: of the associated bound, or the proof that there is no equilibrium
    double *collapse; // forces of the associated bound
    bool has_motion, has_collapse;
    rico_limit_mode *mode; // room for those of a motion
    bool *moves;
} rico_limit_report;

rico_status rico_limit_report_open(const rico_limit_order *order,
                                   rico_limit_report *report); // report->ctx is set
void rico_limit_report_close(rico_limit_report *report);

// at = NaN: where the scene is.
rico_status rico_limit_report_equilibrium(rico_limit_report *report, double at);

// `names`: "all", or names of contacts, joints and bodies with commas.
rico_status rico_limit_report_ranges(rico_limit_report *report, const char *names);

typedef struct rico_limit_loads_order {
    int facets; // of pyramids, 0: none
    bool coulomb;
    int64_t nodes, path; // 0: as the size of the structure allows
    int64_t turns;
} rico_limit_loads_order;
rico_status rico_limit_report_loads(rico_limit_report *report, const rico_limit_loads_order *order);

rico_status rico_limit_report_csv(const rico_limit_report *report, const char *path);

// The structure as it stands with its forces, and moved along its mechanism; limit_draw.c.
rico_status rico_limit_report_draw(rico_limit_report *report, const char *path);

// "N", "T", "T1", "M1", ...: what a row of a block is called.
const char *rico_limit_row_name(const rico_block *block, int64_t row);

#endif
