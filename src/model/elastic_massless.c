// Nodes of an elastic part that carry no mass, mesh/redistribute.h. What damps with the mass keeps the mass of the elements, and so do loads.

#include "mesh/redistribute.h"
#include "model/elastic.h"

#include <string.h>

static rico_status mark(rico_part *part, const rico_elastic_part *given, char *massless)
{
    rico_elastic *own = part->data;
    rico_status status = RICO_OK;
    for (int64_t g = 0; status == RICO_OK && g < given->massless; g++) {
        const char *name = given->massless_group[g];
        const rico_mesh_set *group = name ? rico_elastic_group(own, name) : NULL;
        if (!group)
            return rico_fail(
                part->ctx, RICO_BAD_INPUT,
                "part %s: nodes without mass are those of group %s, which the mesh does not have", part->name,
                name ? name : "(none)");
        int64_t count, *node;
        status = rico_elastic_group_nodes(part->ctx, own, group, &count, &node);
        for (int64_t k = 0; status == RICO_OK && k < count; k++) massless[node[k]] = 1;
        rico_free(part->ctx, node);
    }
    return status;
}


// Entries of all elements, used nodes counted as `place` says.
static int64_t list_masses(const rico_elastic *own, const int64_t *place, int64_t *row, int64_t *col,
                           double *value)
{
    int64_t at = 0;
    double X[3 * RICO_CELL_NODES], mass[RICO_CELL_NODES * RICO_CELL_NODES];
    for (int64_t c = 0; c < own->mesh->cells; c++) {
        if (own->law_of[c] < 0) continue;
        const rico_element_law *law = &own->law[own->law_of[c]];
        const int64_t *node;
        int64_t nodes = rico_elastic_nodes(own, c, &node);
        if (row) {
            rico_elastic_places(own, c, X);
            // the matrices were made of it already
            (void)(own->lumped ? rico_element_lumped(law, own->mesh->kind[c], X, mass)
                               : rico_element_mass(law, own->mesh->kind[c], X, mass));
        }
        for (int64_t b = 0; b < nodes; b++)
            for (int64_t a = 0; a < nodes; a++, at++) {
                if (!row) continue;
                row[at] = place[node[a]];
                col[at] = place[node[b]];
                value[at] = !own->lumped ? mass[a + nodes * b] : a == b ? mass[a] : 0.0;
            }
    }
    return at;
}


// The mass of used nodes, by their order.
static rico_status node_mass(const rico_part *part, rico_csc *m)
{
    const rico_elastic *own = part->data;
    int64_t count = list_masses(own, NULL, NULL, NULL, NULL);
    int64_t *place = rico_alloc(part->ctx, own->mesh->nodes, sizeof *place);
    int64_t *row = rico_alloc(part->ctx, count, sizeof *row),
            *col = rico_alloc(part->ctx, count, sizeof *col);
    double *value = rico_alloc(part->ctx, count, sizeof *value);
    rico_status status = RICO_NO_MEMORY;
    if (place && row && col && value) {
        for (int64_t u = 0; u < own->used; u++) place[own->used_node[u]] = u;
        list_masses(own, place, row, col, value);
        status = rico_csc_from_triplets(part->ctx, "M", own->used, own->used, count, row, col, value, m);
    }
    rico_free(part->ctx, place);
    rico_free(part->ctx, row);
    rico_free(part->ctx, col);
    rico_free(part->ctx, value);
    return status;
}


// M of the part from that of its nodes, and how many of its velocities have none.
static void spread(rico_part *part, const rico_csc *m, const char *massless)
{
    rico_elastic *own = part->data;
    int n = own->directions;
    for (int64_t j = 0; j < m->cols; j++)
        for (int i = 0; i < n; i++) {
            int64_t col = own->dof[own->used_node[j] * n + i];
            for (int64_t k = m->start[j]; col >= 0 && k < m->start[j + 1]; k++) {
                int64_t row = own->dof[own->used_node[m->row[k]] * n + i];
                if (row >= 0) own->M[rico_csc_find(&part->pattern, row, col)] = m->value[k];
            }
            part->massless += col >= 0 && massless[j];
        }
}


rico_status rico_elastic_redistribute(rico_part *part, const rico_elastic_part *given)
{
    rico_elastic *own = part->data;
    if (given->massless == 0) return RICO_OK;
    rico_csc m = {0};
    char *marked = rico_alloc(part->ctx, own->mesh->nodes, 1),
         *massless = rico_alloc(part->ctx, own->used, 1);
    double *X = rico_alloc(part->ctx, 3 * own->used, sizeof *X);
    rico_status status = marked && massless && X ? mark(part, given, marked) : RICO_NO_MEMORY;
    if (status == RICO_OK) status = node_mass(part, &m);
    if (status == RICO_OK) {
        for (int64_t u = 0; u < own->used; u++) {
            massless[u] = marked[own->used_node[u]];
            memcpy(X + 3 * u, own->place + 3 * own->used_node[u], 3 * sizeof *X);
        }
        status = rico_mass_redistribute(part->ctx, part->name, &m, X, own->hypothesis->dimension, massless,
                                        own->lumped);
    }
    if (status == RICO_OK) spread(part, &m, massless);
    rico_csc_destroy(&m);
    rico_free(part->ctx, marked);
    rico_free(part->ctx, massless);
    rico_free(part->ctx, X);
    return status;
}
