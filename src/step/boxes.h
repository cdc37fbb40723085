// Rows with bounded forces: motors with a largest torque, friction of joints.
//
// The bound of friction is a share of the joint's own reaction in the same step, p = (joints, boxes) with |p_b| <= h F + sum share |p_j|: found as
// a fixed point, each turn an exact problem with the bounds of the impulses before.

#ifndef RICO_STEP_BOXES_H
#define RICO_STEP_BOXES_H

#include "step/contacts.h"

enum { RICO_BOX_TURNS = 200 };

// Keeps what the problem begins from: v, p. Then, turn by turn: bounds from p, and v, p as they were (p of the last turn stays from
// the second on: a better start).
rico_status rico_boxes_begin(rico_contacts *contacts, const double *v, const double *p);
void rico_boxes_again(rico_contacts *contacts, int turn, double *v, double *p);
// Whether the bounds are those of the impulses now: to round-off or, after some turns, to the tolerance that these are known to.
bool rico_boxes_settled(const rico_contacts *contacts, int turn, const double *p);
rico_status rico_boxes_refuse(const rico_contacts *contacts, const double *p);

#endif
