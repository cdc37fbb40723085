// Backbones of nonsmooth modes: all branches of k impacts per period that a search finds, for tables and pictures.

#ifndef RICO_LAB_BACKBONE_H
#define RICO_LAB_BACKBONE_H

#include "lab/sheet.h"
#include "ricochet/modes.h"

typedef struct rico_backbone {
    int64_t impacts;
    rico_modes_end begin, end;
    int64_t count;
    rico_modes_orbit *orbit;
    double *largest; // modulus of the largest multiplier of each
} rico_backbone;

typedef struct rico_backbones {
    rico_context *ctx;
    int64_t count, room;
    rico_backbone *branch;
} rico_backbones;

// Start it with {.ctx = ctx}. Adds the branches of k impacts with periods in [low, high]: ranges of one impact sampled at `points`, all of two on a grid of periods,
// several from where branches of fewer, added before, touch, and from random durations (fixed seed), each followed to its ends.
rico_status rico_backbones_find(rico_backbones *all, const rico_modes *modes, int64_t k, double low,
                                double high, int64_t points);
bool rico_backbone_is_stable(const rico_backbone *branch, int64_t i);
void rico_backbones_release(rico_backbones *all);

// One row for each orbit: branch, impacts, period, frequency, energy, multiplier, and durations and impulses as far as there are any.
rico_status rico_backbones_sheet(const rico_backbones *all, rico_sheet *sheet);

// Energy over frequency, unstable parts dashed, linear modes that graze as points.
rico_status rico_backbones_draw(const rico_backbones *all, const rico_modes *modes, const char *title,
                                const char *path);

#endif
