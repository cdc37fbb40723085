// Plane frames from inside: what statics and iterations share.

#ifndef RICO_LIMIT_FRAME_H
#define RICO_LIMIT_FRAME_H

#include "ricochet/frame.h"

enum { RICO_FRAME_NAME = 160 };

typedef char rico_frame_text[RICO_FRAME_NAME];

struct rico_frame {
    rico_context *ctx;
    char title[RICO_FRAME_NAME];
    int64_t node_count, bar_count, contacts, hinges, mechanisms, stresses;
    rico_frame_node *node;
    rico_frame_bar *bar;
    rico_frame_text *node_name, *bar_name, *stress_name, *mechanism_name;
    rico_frame_stress *stress;

    double *motion;      // velocities of the nodes: 2 node_count x mechanisms, by columns
    double *C;           // mechanisms x stresses, by rows
    double *dead, *live; // of the mechanisms

    rico_limit *limit; // blocks: contacts, hinges
    rico_limit *twin;  // and the load factor as one more force, with no live load
    // of states: Q, w, q; forces of the limit's blocks; weights of the twin's
    double *Q, *w, *q, *force, *weight, *slip;
};

// The row of N of a contact; T is the next.
static inline int64_t rico_frame_contact_row(int64_t contact)
{
    return 2 * contact;
}


// --- frame_statics.c

// Fills stresses, mechanisms, C and loads from nodes and bars.
rico_status rico_frame_resolve(rico_frame *frame);

#endif
