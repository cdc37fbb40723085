// What an elastic part answers: forces, tangents, energies and points; with a fixed frame, and with one that floats.

#include "la/alike.h"
#include "la/dense.h"
#include "la/mat3.h"
#include "model/elastic.h"

static bool mass(const rico_part *part, double *scratch, const double *q, double *value)
{
    (void)scratch, (void)q;
    const rico_elastic *own = part->data;
    memcpy(value, own->M, (size_t)rico_csc_count(&part->pattern) * sizeof *value);
    return true;
}


// A load whose place changes with time; of a reduced part through forces on all its nodes.
static bool integrate(const rico_elastic *own, const rico_bound_elastic_load *one, double *scratch, double t,
                      double factor, double *f)
{
    if (!own->full) return rico_elastic_integrate(own, one, t, factor, own->dof, f);
    memset(scratch, 0, (size_t)own->full->n * sizeof *scratch);
    if (!rico_elastic_integrate(own, one, t, factor, own->dof, scratch)) return false;
    rico_elastic_condense(own->full, scratch, scratch + own->full->n, f);
    return true;
}


static bool load(const rico_part *part, double *scratch, double t, double *f)
{
    const rico_elastic *own = part->data;
    if (own->force) rico_axpy(part->place.v_size, 1.0, own->force, f);
    for (int64_t i = 0; i < own->loads; i++) {
        const rico_bound_elastic_load *one = &own->load[i];
        double factor = 1.0;
        bool steady = !one->given.function || one->given.steady;
        if (steady && !one->given.history) continue;
        if (one->given.history && !one->given.history(one->given.user, t, &factor)) return false;
        if (one->shape)
            rico_axpy(part->place.v_size, factor, one->shape, f);
        else if (!integrate(own, one, scratch, t, factor, f))
            return false;
    }
    return true;
}


static bool forces(const rico_part *part, double *scratch, double t, const double *q, const double *v,
                   double *applied, double *damping, double *conservative)
{
    (void)scratch, (void)t, (void)applied;
    const rico_elastic *own = part->data;
    if (own->C) rico_alike_add(&part->pattern, own->alike, own->C, -1.0, v, damping);
    rico_alike_add(&part->pattern, own->alike, own->K, -1.0, q, conservative);
    return true;
}


static bool tangents(const rico_part *part, double *scratch, double t, const double *q, const double *v,
                     double *K, double *C)
{
    (void)scratch, (void)t, (void)q, (void)v;
    const rico_elastic *own = part->data;
    size_t bytes = (size_t)rico_csc_count(&part->pattern) * sizeof *K;
    memcpy(K, own->K, bytes);
    if (own->C)
        memcpy(C, own->C, bytes);
    else
        memset(C, 0, bytes);
    return true;
}


static bool potential(const rico_part *part, double *scratch, const double *q, double *V)
{
    (void)scratch;
    const rico_elastic *own = part->data;
    *V = 0.5 * rico_alike_square(&part->pattern, own->alike, own->K, q);
    return true;
}


static bool retract(const rico_part *part, double *scratch, const double *q, double h, const double *v,
                    double *out)
{
    (void)scratch;
    for (int64_t i = 0; i < part->place.v_size; i++) out[i] = q[i] + h * v[i];
    return true;
}


static void release(rico_part *part)
{
    rico_elastic *own = part->data;
    if (!own) return;
    void *block[] = {own->X,         own->law,      own->alpha,      own->beta, own->law_of, own->dof,
                     own->used_node, own->at_start, own->at_element, own->M,    own->K,      own->C,
                     own->D,         own->weight,   own->arm,        own->alike};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) rico_free(part->ctx, block[i]);
    rico_elastic_release_loads(part->ctx, own);
    rico_elastic_release_full(part->ctx, own->full);
    rico_free(part->ctx, own);
}


// --- points ----------------------------------------------------------------------------------------------------------

// Nodes that a point hangs on and its share in each; 0: there is no such point.
static int64_t hangs_on(const rico_elastic *own, const rico_point *point, const int64_t **node, double *N)
{
    const rico_mesh *mesh = own->mesh;
    int64_t cell = point->item - mesh->nodes;
    if (point->item < 0 || cell >= mesh->cells) return 0;
    if (cell < 0) {
        *node = &point->item;
        N[0] = 1.0;
        return point->local[0] == 0.0 && point->local[1] == 0.0 && point->local[2] == 0.0 ? 1 : 0;
    }
    rico_cell_kind kind = mesh->kind[cell];
    if (rico_cells[kind].dimension >= own->hypothesis->dimension) return 0;
    rico_elements[kind].shape(point->local, N);
    return rico_elastic_nodes(own, cell, node);
}


static int64_t point_reach(const rico_part *part, const rico_point *point, int64_t *dof)
{
    const rico_elastic *own = part->data;
    const int64_t *node;
    double N[RICO_CELL_NODES];
    int64_t nodes = hangs_on(own, point, &node, N), count = 0;
    if (nodes == 0) return -1;
    for (int64_t a = 0; a < nodes; a++) {
        if (own->at_start[node[a]] == own->at_start[node[a] + 1]) return -1; // a node of no element
        for (int i = 0; i < own->directions; i++) {
            int64_t at = own->unknown[node[a] * own->directions + i];
            if (at < -1) return -2; // not kept by the reduction
            if (at >= 0) dof[count++] = at;
        }
    }
    return count;
}


static bool point_at(const rico_part *part, const double *q, const rico_point *point, double *x)
{
    const rico_elastic *own = part->data;
    const int64_t *node;
    double N[RICO_CELL_NODES];
    int64_t nodes = hangs_on(own, point, &node, N);
    rico_vec3_set(0.0, 0.0, 0.0, x);
    for (int64_t a = 0; a < nodes; a++) {
        rico_vec3_add_scaled(N[a], own->X + 3 * node[a], x);
        for (int i = 0; i < own->directions; i++) {
            int64_t at = own->unknown[node[a] * own->directions + i];
            if (at >= 0) rico_vec3_add_scaled(N[a] * q[at], own->axis + 3 * i, x);
        }
    }
    return true;
}


static bool point_rows(const rico_part *part, const double *q, const rico_point *point, const double *frame,
                       int size, double *rows)
{
    (void)q;
    const rico_elastic *own = part->data;
    const int64_t *node;
    double N[RICO_CELL_NODES];
    int64_t dof[RICO_ELEMENT_DOFS], nodes = hangs_on(own, point, &node, N),
                                    reach = point_reach(part, point, dof), k = 0;
    for (int64_t a = 0; a < nodes; a++)
        for (int i = 0; i < own->directions; i++) {
            if (own->unknown[node[a] * own->directions + i] < 0) continue;
            for (int j = 0; j < size; j++)
                rows[k + j * reach] = N[a] * rico_vec3_dot(own->axis + 3 * i, frame + 3 * j);
            k++;
        }
    return true;
}


const rico_part_kind rico_elastic_kind = {.mass = mass,
                                          .load = load,
                                          .forces = forces,
                                          .tangents = tangents,
                                          .potential = potential,
                                          .retract = retract,
                                          .release = release,
                                          .point_reach = point_reach,
                                          .point = point_at,
                                          .point_rows = point_rows};


// --- with a frame that floats ----------------------------------------------------------------------------------------

// scratch: d, then a force in the frame
static bool turning_forces(const rico_part *part, double *scratch, double t, const double *q, const double *v,
                           double *applied, double *damping, double *conservative)
{
    (void)t, (void)applied;
    const rico_elastic *own = part->data;
    int64_t n = part->place.v_size;
    double *d = scratch, *g = scratch + n, *rate = scratch + 2 * n;
    rico_floating_frame frame;
    if (!rico_frame_find(own, q, &frame, d)) return false;
    memset(g, 0, (size_t)n * sizeof *g);
    rico_alike_add(&part->pattern, own->alike, own->K, -1.0, d, g);
    for (int64_t i = 0; i < n; i++) g[i] = -g[i];
    rico_frame_pull(own, &frame, d, g, conservative);
    if (!own->C) return true;

    // alpha M is the same in every frame; beta K takes the rate of d
    rico_alike_add(&part->pattern, own->alike, own->C, -1.0, v, damping);
    rico_frame_push(own, &frame, d, v, rate);
    memset(g, 0, (size_t)n * sizeof *g);
    rico_alike_add(&part->pattern, own->alike, own->D, -1.0, rate, g);
    for (int64_t i = 0; i < n; i++) g[i] = -g[i];
    rico_frame_pull(own, &frame, d, g, damping);
    return true;
}


static bool turning_potential(const rico_part *part, double *scratch, const double *q, double *V)
{
    const rico_elastic *own = part->data;
    rico_floating_frame frame;
    if (!rico_frame_find(own, q, &frame, scratch)) return false;
    *V = 0.5 * rico_alike_square(&part->pattern, own->alike, own->K, scratch);
    return true;
}


// out += R A R', block by block of two nodes: all directions of a node are unknowns, so blocks are full.
static void turn_blocks(const rico_part *part, const double *R, const double *A, double *out)
{
    const rico_csc *pattern = &part->pattern;
    int n = ((const rico_elastic *)part->data)->directions;
    for (int64_t col = 0; col < pattern->cols; col += n) {
        int64_t length = pattern->start[col + 1] - pattern->start[col];
        for (int64_t k = 0; k < length; k += n) {
            double block[9], half[9];
            const int64_t *start = pattern->start + col;
            for (int j = 0; j < n; j++)
                for (int i = 0; i < n; i++) block[3 * i + j] = A[start[j] + k + i];
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++) {
                    half[3 * i + j] = 0.0;
                    for (int m = 0; m < n; m++) half[3 * i + j] += R[3 * i + m] * block[3 * m + j];
                }
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++)
                    for (int m = 0; m < n; m++) out[start[j] + k + i] += half[3 * i + m] * R[3 * j + m];
        }
    }
}


// R K R': what a change of the frame adds has low rank and is left out; it vanishes with the deformation.
static bool turning_tangents(const rico_part *part, double *scratch, double t, const double *q,
                             const double *v, double *K, double *C)
{
    (void)t, (void)v;
    const rico_elastic *own = part->data;
    size_t bytes = (size_t)rico_csc_count(&part->pattern) * sizeof *K;
    rico_floating_frame frame;
    if (!rico_frame_find(own, q, &frame, scratch)) return false;
    memset(K, 0, bytes);
    memset(C, 0, bytes);
    turn_blocks(part, frame.R, own->K, K);
    if (!own->C) return true;
    memcpy(C, own->C, bytes);
    turn_blocks(part, frame.R, own->D, C);
    return true;
}


const rico_part_kind rico_elastic_turning_kind = {.mass = mass,
                                                  .load = load,
                                                  .forces = turning_forces,
                                                  .tangents = turning_tangents,
                                                  .potential = turning_potential,
                                                  .retract = retract,
                                                  .release = release,
                                                  .point_reach = point_reach,
                                                  .point = point_at,
                                                  .point_rows = point_rows};
