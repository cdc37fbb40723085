// The rows of a problem in cells: see cells.h.

#include "solve/cells.h"

rico_status rico_list_cells(const rico_problem *p, int64_t *count, int64_t **offset, int64_t **block)
{
    int64_t cells = 0;
    for (int64_t a = 0; a < p->block_count; a++)
        cells += rico_problem_is_joint(p, a) ? p->offset[a + 1] - p->offset[a] : 1;
    *offset = rico_alloc(p->ctx, cells + 1, sizeof **offset);
    if (block) *block = rico_alloc(p->ctx, cells, sizeof **block);
    if (!*offset || (block && !*block)) return RICO_NO_MEMORY;

    int64_t cell = 0;
    for (int64_t a = 0; a < p->block_count; a++) {
        int64_t step = rico_problem_is_joint(p, a) ? 1 : p->offset[a + 1] - p->offset[a];
        for (int64_t row = p->offset[a]; row < p->offset[a + 1]; row += step) {
            if (block) (*block)[cell] = a;
            (*offset)[++cell] = row + step;
        }
    }
    *count = cells;
    return RICO_OK;
}
