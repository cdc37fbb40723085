// The graph of bodies: what belongs together, what touches what, the pattern that follows.

#include "solve/body_graph.h"

#include "solve/cells.h"

#include <string.h>


bool rico_body_graph_takes(const rico_problem *p)
{
    return p->global && p->bodies && !p->shaped;
}


void rico_body_graph_destroy(rico_body_graph *g)
{
    if (!g) return;
    rico_front_lu_destroy(g->lu);
    rico_block_destroy(&g->matrix);
    rico_mass_blocks_destroy(g->bodies);
    rico_free(g->ctx, g->offset);
    rico_free(g->ctx, g->block);
    rico_free(g->ctx, g->piece_start);
    rico_free(g->ctx, g->body);
    rico_free(g->ctx, g);
}


static int64_t dofs_of(const rico_body_graph *g, int64_t body)
{
    return g->bodies->start[body + 1] - g->bodies->start[body];
}


// Which blocks of the problem touch each block of M, increasing: a list per block of M.
static rico_status list_touches(const rico_problem *p, int64_t *start, int64_t **list)
{
    const rico_mass_blocks *parts = p->bodies;
    int64_t *seen = rico_alloc(p->ctx, parts->count, sizeof *seen);
    *list = NULL;
    if (!seen) return RICO_NO_MEMORY;
    for (int fill = 0; fill < 2; fill++) {
        for (int64_t b = 0; b < parts->count; b++) seen[b] = 0;
        for (int64_t a = 0; a < p->block_count; a++)
            for (int64_t k = p->H.start[p->offset[a]]; k < p->H.start[p->offset[a + 1]]; k++) {
                int64_t b = parts->of_dof[p->H.row[k]];
                if (seen[b] == a + 1) continue;
                seen[b] = a + 1;
                if (fill)
                    (*list)[start[b]++] = a;
                else
                    start[b + 1]++;
            }
        if (fill) break;
        for (int64_t b = 0; b < parts->count; b++) start[b + 1] += start[b];
        *list = rico_alloc(p->ctx, start[parts->count], sizeof **list);
        if (!*list) break;
    }
    rico_free(p->ctx, seen);
    if (!*list) return RICO_NO_MEMORY;
    for (int64_t b = parts->count; b > 0; b--) start[b] = start[b - 1];
    start[0] = 0;
    return RICO_OK;
}


// Is every number of the first list, increasing as the second, in that?
static bool is_within(int64_t count, const int64_t *list, int64_t others, const int64_t *other)
{
    int64_t j = 0;
    for (int64_t i = 0; i < count; i++, j++) {
        while (j < others && other[j] < list[i]) j++;
        if (j == others || other[j] != list[i]) return false;
    }
    return true;
}


// A rigid body falls apart in M: each direction of its centre is a block of its own, its turning another. All of them are
// touched by the same contacts, and are one block of six here, of which the matrix has a quarter as many rows of blocks.
static rico_status join_parts(const rico_problem *p, rico_body_graph *g)
{
    enum { BODY = 6 };
    const rico_mass_blocks *parts = p->bodies;
    int64_t *start = rico_alloc(g->ctx, parts->count + 1, sizeof *start), *list = NULL;
    int64_t *partner = rico_alloc(g->ctx, p->dofs, sizeof *partner);
    rico_status status = start && partner ? list_touches(p, start, &list) : RICO_NO_MEMORY;
    int64_t size = 0, widest = 0,
            first = 0; // of the present body: dofs, its part of most contacts, its first dof
    for (int64_t b = 0; !status && b < parts->count; b++) {
        int64_t own = parts->start[b + 1] - parts->start[b], count = start[b + 1] - start[b];
        int64_t most = start[widest + 1] - start[widest];
        const int64_t *mine = &list[start[b]], *theirs = &list[start[widest]];
        bool joins =
            b > 0 && size + own <= BODY && count > 0 &&
            (count <= most ? is_within(count, mine, most, theirs) : is_within(most, theirs, count, mine));
        if (!joins) first = parts->dof[parts->start[b]];
        if (!joins || count > most) widest = b;
        size = joins ? size + own : own;
        for (int64_t k = parts->start[b]; k < parts->start[b + 1]; k++) partner[parts->dof[k]] = first;
    }
    if (!status) status = rico_mass_blocks_create_joined(&p->M, partner, &g->bodies);
    rico_free(g->ctx, start);
    rico_free(g->ctx, list);
    rico_free(g->ctx, partner);
    return status;
}


// Counts the pieces of every cell, then lists their bodies: `fill` says which.
static void scan_pieces(const rico_problem *p, rico_body_graph *g, bool fill, int64_t *seen)
{
    const rico_mass_blocks *bodies = g->bodies;
    int64_t pieces = 0;
    g->pairs = 0;
    for (int64_t b = 0; b < bodies->count; b++) seen[b] = -1;
    for (int64_t a = 0; a < g->cells; a++) {
        for (int64_t k = p->H.start[g->offset[a]]; k < p->H.start[g->offset[a + 1]]; k++) {
            int64_t b = bodies->of_dof[p->H.row[k]];
            if (seen[b] == a) continue;
            seen[b] = a;
            if (fill) g->body[pieces] = b;
            pieces++;
        }
        g->piece_start[a + 1] = pieces;
        g->pairs += (pieces - g->piece_start[a]) * (pieces - g->piece_start[a]);
    }
}


static rico_status gather_pieces(const rico_problem *p, rico_body_graph *g)
{
    rico_status status = rico_list_cells(p, &g->cells, &g->offset, &g->block);
    if (status) return status;
    g->piece_start = rico_alloc(g->ctx, g->cells + 1, sizeof *g->piece_start);
    int64_t *seen = rico_alloc(g->ctx, g->bodies->count, sizeof *seen);
    if (g->piece_start && seen) {
        scan_pieces(p, g, false, seen);
        g->body = rico_alloc(g->ctx, g->piece_start[g->cells], sizeof *g->body);
        if (g->body) scan_pieces(p, g, true, seen);
    }
    rico_free(g->ctx, seen);
    return g->body ? RICO_OK : RICO_NO_MEMORY;
}


// Who touches whom, body by body: the blocks of each body in `list`, from list_start on.
static void list_contacts(const rico_body_graph *g, int64_t *list_start, int64_t *list)
{
    int64_t blocks = g->cells, bodies = g->bodies->count;
    for (int64_t k = 0; k < g->piece_start[blocks]; k++) list_start[g->body[k] + 1]++;
    for (int64_t b = 0; b < bodies; b++) list_start[b + 1] += list_start[b];
    for (int64_t a = 0; a < blocks; a++)
        for (int64_t k = g->piece_start[a]; k < g->piece_start[a + 1]; k++)
            list[list_start[g->body[k]]++] = a;
    for (int64_t b = bodies; b > 0; b--) list_start[b] = list_start[b - 1];
    list_start[0] = 0;
}


// The columns of body b's row, the diagonal among them, into col; returns their number.
static int64_t list_neighbours(const rico_body_graph *g, int64_t b, const int64_t *list_start,
                               const int64_t *list, int64_t *mark, int32_t *col)
{
    int64_t count = 0;
    mark[b] = b + 1;
    col[count++] = (int32_t)b;
    for (int64_t i = list_start[b]; i < list_start[b + 1]; i++)
        for (int64_t k = g->piece_start[list[i]]; k < g->piece_start[list[i] + 1]; k++) {
            int64_t other = g->body[k];
            if (mark[other] == b + 1) continue;
            mark[other] = b + 1;
            // sorted in: rows are short
            int64_t at = count++;
            for (; at > 0 && col[at - 1] > other; at--) col[at] = col[at - 1];
            col[at] = (int32_t)other;
        }
    return count;
}


// Blocks of the pattern: at most one for each pair of pieces.
static rico_status foresee_pattern(const rico_body_graph *g)
{
    double most = (double)g->bodies->count + (double)g->pairs;
    double indices = (double)(sizeof *g->matrix.col + sizeof *g->matrix.place);
    return rico_foresee(g->ctx, indices * most, "the pattern of Newton's systems");
}


static rico_status make_pattern(const rico_problem *p, rico_body_graph *g)
{
    rico_context *ctx = g->ctx;
    rico_block_matrix *m = &g->matrix;
    int64_t bodies = g->bodies->count, blocks = g->cells;
    int64_t most = bodies + g->pairs;
    m->ctx = ctx;
    m->blocks = bodies;
    m->rows = p->dofs;
    m->offset = rico_alloc(ctx, bodies + 1, sizeof *m->offset);
    m->start = rico_alloc(ctx, bodies + 1, sizeof *m->start);
    m->diagonal = rico_alloc(ctx, bodies, sizeof *m->diagonal);
    m->col = rico_alloc(ctx, most, sizeof *m->col);
    m->place = rico_alloc(ctx, most + 1, sizeof *m->place);
    int64_t *list_start = rico_alloc(ctx, bodies + 1, sizeof *list_start);
    int64_t *list = rico_alloc(ctx, g->piece_start[blocks], sizeof *list);
    int64_t *mark = rico_alloc(ctx, bodies, sizeof *mark);
    bool room = m->offset && m->start && m->diagonal && m->col && m->place && list_start && list && mark;
    if (room) {
        memcpy(m->offset, g->bodies->start, (size_t)(bodies + 1) * sizeof *m->offset);
        list_contacts(g, list_start, list);
        int64_t count = 0;
        for (int64_t b = 0; b < bodies; b++) {
            count += list_neighbours(g, b, list_start, list, mark, &m->col[m->start[b]]);
            m->start[b + 1] = count;
            for (int64_t k = m->start[b]; k < count; k++) {
                m->place[k + 1] = m->place[k] + dofs_of(g, b) * dofs_of(g, m->col[k]);
                if (m->col[k] == b) m->diagonal[b] = k;
            }
        }
    }
    rico_free(ctx, list_start);
    rico_free(ctx, list);
    rico_free(ctx, mark);
    return room ? RICO_OK : RICO_NO_MEMORY;
}


rico_status rico_body_graph_create(const rico_problem *problem, rico_body_graph **out)
{
    rico_body_graph *g = rico_alloc(problem->ctx, 1, sizeof *g);
    if (!g) return RICO_NO_MEMORY;
    g->ctx = problem->ctx;
    rico_status status = join_parts(problem, g);
    if (!status) status = gather_pieces(problem, g);
    if (!status) status = foresee_pattern(g);
    if (!status) status = make_pattern(problem, g);
    if (!status) status = rico_front_lu_create(&g->matrix, &g->lu);
    if (status)
        rico_body_graph_destroy(g);
    else
        *out = g;
    return status;
}
