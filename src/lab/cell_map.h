// Simple cell mapping: cells of a plane, each with the one that it goes to; groups of cells that go round, and who ends in which.
//
// C. S. Hsu, A theory of cell-to-cell mapping dynamical systems, J. Appl. Mech. 47 (1980): a map of finitely many cells onto themselves is
// followed from each cell until it meets one that was seen before; that is all there is to know of it.

#ifndef RICO_LAB_CELL_MAP_H
#define RICO_LAB_CELL_MAP_H

#include "base/context.h"

enum { RICO_CELL_SINK = -1 }; // the image of a cell is no cell

typedef struct rico_cell_map {
    int64_t groups;
    int64_t *group; // count: of each cell, RICO_CELL_SINK where it ends in no cell
    int64_t *steps; // count: to the first cell of its group, or out of the cells
    int64_t *first; // groups: a cell of each, the one of least number
    int64_t *size;  // groups: cells that go round
} rico_cell_map;

rico_status rico_cell_map_make(rico_context *ctx, int64_t count, const int64_t *image, rico_cell_map *out);
void rico_cell_map_release(rico_context *ctx, rico_cell_map *map);

#endif
