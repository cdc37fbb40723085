// Alart and Curnier's fixed point for impulses without friction.

#include "law/fixed_point.h"

#include <math.h>
#include <string.h>

// One sweep; returns the largest change, in velocity.
static double sweep(const rico_csc *G, const bool *active, double *z, double *w)
{
    double largest = 0.0;
    for (int64_t j = 0; j < G->cols; j++) {
        double diagonal = 0.0;
        for (int64_t k = G->start[j]; k < G->start[j + 1]; k++)
            if (G->row[k] == j) diagonal = G->value[k];
        if (!active[j] || !(diagonal > 0.0)) continue;
        double next = fmax(0.0, z[j] - w[j] / diagonal), change = next - z[j];
        z[j] = next;
        if (change == 0.0) continue;
        for (int64_t k = G->start[j]; k < G->start[j + 1]; k++) w[G->row[k]] += G->value[k] * change;
        largest = fmax(largest, fabs(change) * diagonal);
    }
    return largest;
}


bool rico_fixed_point_solve(const rico_csc *G, const bool *active, const double *q, double tol, int64_t limit,
                            double *z, double *w, double *weight, int64_t *sweeps)
{
    int64_t n = G->cols;
    double size = 0.0;
    for (int64_t j = 0; j < n; j++) {
        z[j] = 0.0;
        w[j] = q[j];
        if (active[j]) size = fmax(size, fabs(q[j]));
    }
    *sweeps = 0;
    bool ends = size == 0.0;
    while (!ends && (*sweeps)++ < limit) ends = sweep(G, active, z, w) <= tol * size;

    // afresh, without what the changes summed up
    for (int64_t j = 0; j < n; j++) {
        w[j] = q[j];
        weight[j] = fabs(q[j]);
        for (int64_t k = G->start[j]; k < G->start[j + 1]; k++) {
            w[j] += G->value[k] * z[G->row[k]]; // G is symmetric
            weight[j] += fabs(G->value[k] * z[G->row[k]]);
        }
    }
    return ends;
}
