// Matrices of an elastic part: which nodes share an element, the pattern, and M, K and C on it.

#include "la/alike.h"
#include "model/elastic.h"

#include <stdlib.h>
#include <string.h>

void rico_elastic_places(const rico_elastic *own, int64_t cell, double *X)
{
    const int64_t *node;
    int64_t nodes = rico_elastic_nodes(own, cell, &node);
    for (int64_t a = 0; a < nodes; a++) memcpy(X + 3 * a, own->place + 3 * node[a], 3 * sizeof *X);
}


rico_status rico_elastic_adjacency(rico_part *part)
{
    rico_elastic *own = part->data;
    const rico_mesh *mesh = own->mesh;
    own->at_start = rico_alloc(part->ctx, mesh->nodes + 2, sizeof *own->at_start);
    if (!own->at_start) return RICO_NO_MEMORY;

    // counts two places on, so that filling leaves the starts where they belong
    const int64_t *node;
    int64_t *start = own->at_start + 1;
    for (int64_t c = 0; c < mesh->cells; c++) {
        int64_t nodes = rico_elastic_nodes(own, c, &node);
        for (int64_t a = 0; own->law_of[c] >= 0 && a < nodes; a++) start[node[a] + 1]++;
    }
    for (int64_t i = 0; i < mesh->nodes; i++) start[i + 1] += start[i];
    own->at_element = rico_alloc(part->ctx, start[mesh->nodes], sizeof *own->at_element);
    if (!own->at_element) return RICO_NO_MEMORY;
    for (int64_t c = 0; c < mesh->cells; c++) {
        int64_t nodes = rico_elastic_nodes(own, c, &node);
        for (int64_t a = 0; own->law_of[c] >= 0 && a < nodes; a++) own->at_element[start[node[a]]++] = c;
    }
    return RICO_OK;
}


// --- pattern ---------------------------------------------------------------------------------------------------------

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}


// Nodes that share an element with `node`, itself among them, in order; seen[] tells who was met for whom last.
static int64_t neighbours(const rico_elastic *own, int64_t node, int64_t *seen, int64_t *list)
{
    int64_t count = 0;
    for (int64_t e = own->at_start[node]; e < own->at_start[node + 1]; e++) {
        const int64_t *other;
        int64_t nodes = rico_elastic_nodes(own, own->at_element[e], &other);
        for (int64_t a = 0; a < nodes; a++) {
            if (seen[other[a]] == node + 1) continue;
            seen[other[a]] = node + 1;
            list[count++] = other[a];
        }
    }
    qsort(list, (size_t)count, sizeof *list, ascending);
    return count;
}


// Columns of one node; row NULL: only how long each is.
static int64_t column(const rico_elastic *own, int64_t count, const int64_t *list, int64_t *row)
{
    int64_t entries = 0;
    for (int64_t k = 0; k < count; k++)
        for (int i = 0; i < own->directions; i++) {
            int64_t at = own->dof[list[k] * own->directions + i];
            if (at < 0) continue;
            if (row) row[entries] = at;
            entries++;
        }
    return entries;
}


static rico_status make_pattern(rico_part *part, int64_t n, int64_t *seen, int64_t *list)
{
    rico_elastic *own = part->data;
    rico_csc *pattern = &part->pattern;
    *pattern = (rico_csc){.ctx = part->ctx, .rows = n, .cols = n};
    pattern->start = rico_alloc(part->ctx, n + 1, sizeof *pattern->start);
    if (!pattern->start) return RICO_NO_MEMORY;
    for (int pass = 0; pass < 2; pass++) {
        memset(seen, 0, (size_t)own->mesh->nodes * sizeof *seen);
        for (int64_t u = 0; u < own->used; u++) {
            int64_t node = own->used_node[u], count = neighbours(own, node, seen, list);
            for (int i = 0; i < own->directions; i++) {
                int64_t at = own->dof[node * own->directions + i];
                if (at < 0) continue;
                int64_t begin = pattern->start[at];
                int64_t entries = column(own, count, list, pass ? pattern->row + begin : NULL);
                if (!pass) pattern->start[at + 1] = begin + entries;
            }
        }
        if (pass) break;
        pattern->row = rico_alloc(part->ctx, pattern->start[n], sizeof *pattern->row);
        pattern->value = rico_alloc(part->ctx, 0, sizeof *pattern->value);
        if (!pattern->row || !pattern->value) return RICO_NO_MEMORY;
    }
    return RICO_OK;
}


static rico_status pattern_of(rico_part *part, int64_t n)
{
    const rico_elastic *own = part->data;
    int64_t most = 0;
    for (int64_t i = 0; i < own->mesh->nodes; i++) {
        int64_t here = own->at_start[i + 1] - own->at_start[i];
        if (here > most) most = here;
    }
    int64_t *seen = rico_alloc(part->ctx, own->mesh->nodes, sizeof *seen);
    int64_t *list = rico_alloc(part->ctx, most * RICO_CELL_NODES, sizeof *list);
    rico_status status = seen && list ? make_pattern(part, n, seen, list) : RICO_NO_MEMORY;
    rico_free(part->ctx, seen);
    rico_free(part->ctx, list);
    return status;
}


// --- values ----------------------------------------------------------------------------------------------------------

// Adds an element's stiffness and mass; consistent mass is mass[a + nodes b], lumped mass[a].
static void scatter(rico_part *part, int64_t cell, const double *K, const double *mass)
{
    rico_elastic *own = part->data;
    const int64_t *node;
    int64_t nodes = rico_elastic_nodes(own, cell, &node), n = nodes * own->directions;
    double alpha = own->alpha[own->law_of[cell]], beta = own->beta[own->law_of[cell]];
    for (int64_t c = 0; c < n; c++) {
        int64_t b = c / own->directions, col = own->dof[node[b] * own->directions + c % own->directions];
        for (int64_t r = 0; col >= 0 && r < n; r++) {
            int64_t a = r / own->directions, row = own->dof[node[a] * own->directions + r % own->directions];
            if (row < 0) continue;
            int64_t at = rico_csc_find(&part->pattern, row, col);
            bool along = r % own->directions == c % own->directions;
            double m = !along ? 0.0 : !own->lumped ? mass[a + nodes * b] : a == b ? mass[a] : 0.0;
            own->K[at] += K[r + n * c];
            own->M[at] += m;
            if (own->C) own->C[at] += alpha * m;
            if (own->C) (own->D ? own->D : own->C)[at] += beta * K[r + n * c];
        }
    }
}


static rico_status fill(rico_part *part)
{
    rico_elastic *own = part->data;
    const rico_mesh *mesh = own->mesh;
    double X[3 * RICO_CELL_NODES], K[RICO_ELEMENT_DOFS * RICO_ELEMENT_DOFS],
        mass[RICO_CELL_NODES * RICO_CELL_NODES];
    for (int64_t c = 0; c < mesh->cells; c++) {
        if (own->law_of[c] < 0) continue;
        const rico_element_law *law = &own->law[own->law_of[c]];
        rico_cell_kind kind = mesh->kind[c];
        rico_elastic_places(own, c, X);
        bool made = rico_element_stiffness(law, kind, X, K);
        if (made)
            made =
                own->lumped ? rico_element_lumped(law, kind, X, mass) : rico_element_mass(law, kind, X, mass);
        if (!made)
            return rico_fail(part->ctx, RICO_BAD_INPUT,
                             "part %s: element %lld, a %s, is turned inside out or has no volume", part->name,
                             (long long)c, rico_cells[kind].name);
        scatter(part, c, K, mass);
    }
    return RICO_OK;
}


rico_status rico_elastic_assemble(rico_part *part)
{
    rico_elastic *own = part->data;
    int64_t n = 0;
    bool damped = false;
    for (int64_t i = 0; i < own->mesh->nodes * own->directions; i++) n += own->dof[i] >= 0;
    for (int64_t k = 0; k < own->laws; k++) damped |= own->alpha[k] > 0.0 || own->beta[k] > 0.0;
    rico_status status = pattern_of(part, n);
    if (status != RICO_OK) return status;
    int64_t count = rico_csc_count(&part->pattern);
    own->M = rico_alloc(part->ctx, count, sizeof *own->M);
    own->K = rico_alloc(part->ctx, count, sizeof *own->K);
    if (damped) own->C = rico_alloc(part->ctx, count, sizeof *own->C);
    if (damped && own->turning) own->D = rico_alloc(part->ctx, count, sizeof *own->D);
    own->alike = rico_alike_find(&part->pattern);
    if (!own->alike || !own->M || !own->K || (damped && !own->C) || (damped && own->turning && !own->D))
        return RICO_NO_MEMORY;
    part->damped = damped;
    return fill(part);
}
