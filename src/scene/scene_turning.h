// Second derivatives of joints and contacts by formulas.

#ifndef RICO_SCENE_SCENE_TURNING_H
#define RICO_SCENE_SCENE_TURNING_H

#include "model/turning.h"
#include "scene/scene_private.h"

// The programs of a constraint whose reach is known, with scene->map as its other programs need it.
rico_status rico_scene_make_turning(rico_scene_constraint *constraint);

// Answers of the kind: turn and bend of model/constraint.h.
bool rico_scene_rows_turn(const rico_constraint *bound, rico_assembly *assembly, double *scratch, double t,
                          const double *q, const rico_turning *turning);
bool rico_scene_rows_bend(const rico_constraint *bound, rico_assembly *assembly, double *scratch, double t,
                          const double *q, const double *force, double *L);

#endif
