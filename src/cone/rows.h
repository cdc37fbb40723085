// The functions behind the rows of the table of cones (cone.h), kind by kind.

#ifndef RICO_CONE_ROWS_H
#define RICO_CONE_ROWS_H

#include "cone/cone.h"

// box.c: one row between two bounds
rico_cone_fault rico_box_fault(const rico_block *block);
void rico_box_project(const rico_block *block, double *r);
void rico_box_jacobian(const rico_block *block, double *r, double *jacobian);
double rico_box_judge(const rico_block *block, double norm, const double *u, const double *r);

// elliptic.c: a slope for each tangent
rico_cone_fault rico_elliptic_fault(const rico_block *block);
void rico_elliptic_project(const rico_block *block, double *r);
void rico_elliptic_jacobian(const rico_block *block, double *r, double *jacobian);
double rico_elliptic_shift(const rico_block *block, const double *u, double *gradient);
void rico_elliptic_slip(const rico_block *block, double factor[2]);

// Nearest point of the ellipse (t_1/a_1)^2 + (t_2/a_2)^2 <= 1, in place; a half axis of 0 leaves a segment.
void rico_ellipse_project(const double axis[2], double t[2]);

// rolling.c: groups of tangents, each with its slope
rico_cone_fault rico_rolling_fault(const rico_block *block);
void rico_rolling_project(const rico_block *block, double *r);
void rico_rolling_jacobian(const rico_block *block, double *r, double *jacobian);
double rico_rolling_shift(const rico_block *block, const double *u, double *gradient);

// tresca.c: a normal that presses, tangents within a disc of their own
rico_cone_fault rico_tresca_fault(const rico_block *block);
void rico_tresca_project(const rico_block *block, double *r);
void rico_tresca_jacobian(const rico_block *block, double *r, double *jacobian);
double rico_tresca_judge(const rico_block *block, double norm, const double *u, const double *r);

#endif
