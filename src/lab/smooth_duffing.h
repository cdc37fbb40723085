// Two masses with a cubic spring and no wall: backbones and forced responses of smooth vibrations, for comparison.

#ifndef RICO_LAB_SMOOTH_DUFFING_H
#define RICO_LAB_SMOOTH_DUFFING_H

#include "lab/sheet.h"

// u1'' + 2 u1 - u2 + cubic (u1 - u2)^3 = force cos, u2'' - u1 + u2 + cubic (u2 - u1)^3 = 0, and C = damping K.
typedef struct rico_smooth_duffing {
    double cubic, force, damping;
    int64_t mode;     // 1 or 2: the backbone, where there is no force
    double low, high; // frequencies
    double energy;    // highest of a backbone
    double step;
    int64_t points;
} rico_smooth_duffing;

// Columns frequency and energy (mean) along the branch: a backbone from its linear mode on, or the response from the lowest frequency on.
rico_status rico_smooth_duffing_branch(const rico_smooth_duffing *system, rico_sheet *sheet);

#endif
