// Mass of an element: consistent, and lumped on its nodes.

#include "mesh/element.h"

#include <string.h>

bool rico_element_mass(const rico_element_law *law, rico_cell_kind kind, const double *X, double *M)
{
    const rico_quadrature *rule = rico_elements[kind].mass[law->hypothesis->ring];
    int nodes = rico_cells[kind].nodes;
    memset(M, 0, (size_t)(nodes * nodes) * sizeof *M);
    for (int k = 0; k < rule->count; k++) {
        rico_element_point at;
        double xi[3], weight = rico_quadrature_point(rule, k, xi);
        if (!rico_element_at(kind, X, xi, &at)) return false;
        double mass = weight * at.j * law->density * rico_element_depth(law, at.x);
        for (int a = 0; a < nodes; a++)
            for (int b = 0; b < nodes; b++) M[a + nodes * b] += mass * at.N[a] * at.N[b];
    }
    return true;
}


bool rico_element_lumped(const rico_element_law *law, rico_cell_kind kind, const double *X, double *m)
{
    int nodes = rico_cells[kind].nodes;
    double M[RICO_CELL_NODES * RICO_CELL_NODES], total = 0.0, diagonal = 0.0;
    if (!rico_element_mass(law, kind, X, M)) return false;
    for (int a = 0; a < nodes; a++) {
        m[a] = 0.0;
        for (int b = 0; b < nodes; b++) m[a] += M[a + nodes * b];
        total += m[a];
        diagonal += M[a + nodes * a];
    }
    for (int a = 0; rico_elements[kind].order > 1 && a < nodes; a++)
        m[a] = M[a + nodes * a] * total / diagonal;
    return true;
}
