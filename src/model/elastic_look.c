// What can be asked of an elastic part in a state: stresses, strains, reactions, energies.

#include "la/mat3.h"
#include "model/elastic.h"
#include "model/system.h"

static rico_status find(const rico_system *system, rico_context *ctx, int64_t part, const rico_part **out)
{
    *out = rico_elastic_find(system, part);
    if (*out) return RICO_OK;
    return rico_fail(ctx, RICO_BAD_ARGUMENT, "part %lld of the system is no elastic one", (long long)part);
}


// Displacements that strain, one a node and direction: in the frame where the part has one; zeros where nodes are held.
static rico_status strain_displacements(const rico_part *part, rico_context *ctx, const double *q,
                                        rico_floating_frame *frame, double **out)
{
    const rico_elastic *own = part->data;
    int64_t all = own->mesh->nodes * own->directions;
    double *u = rico_alloc(ctx, all, sizeof *u), *d = rico_alloc(ctx, part->place.v_size, sizeof *d);
    rico_status status = u && d ? RICO_OK : RICO_NO_MEMORY;
    rico_mat3_identity(frame->R);
    if (status == RICO_OK && own->turning && !rico_frame_find(own, q, frame, d))
        status = rico_fail(ctx, RICO_BAD_INPUT, "part %s is turned inside out", part->name);
    const double *from = own->turning ? d : q;
    if (status == RICO_OK) status = rico_elastic_spread(ctx, own, from, u);
    rico_free(ctx, d);
    if (status != RICO_OK) {
        rico_free(ctx, u);
        return status;
    }
    *out = u;
    return RICO_OK;
}


// The values of a vector, one a node and direction, at the nodes of a cell.
static void gather(const rico_elastic *own, int64_t cell, const double *u, double *out)
{
    const int64_t *node;
    int64_t nodes = rico_elastic_nodes(own, cell, &node);
    for (int64_t a = 0; a < nodes; a++)
        memcpy(out + a * own->directions, u + node[a] * own->directions,
               (size_t)own->directions * sizeof *out);
}


// s becomes R s R'.
static void turn_stress(const double R[9], double s[6])
{
    double tensor[9] = {s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2]}, back[9];
    rico_mat3_transpose(R, back);
    rico_mat3_multiply(R, tensor, tensor);
    rico_mat3_multiply(tensor, back, tensor);
    s[0] = tensor[0], s[1] = tensor[4], s[2] = tensor[8];
    s[3] = tensor[1], s[4] = tensor[5], s[5] = tensor[2];
}


// Stresses of one element: its share in those of its nodes, and its own.
static void element_stress(const rico_elastic *own, int64_t cell, const double *u, double *node, double *mean)
{
    double X[3 * RICO_CELL_NODES], local[RICO_ELEMENT_DOFS], sample[8 * RICO_STRAINS],
        nodal[RICO_CELL_NODES * RICO_STRAINS];
    const int64_t *of;
    int64_t nodes = rico_elastic_nodes(own, cell, &of);
    rico_cell_kind kind = own->mesh->kind[cell];
    rico_elastic_places(own, cell, X);
    gather(own, cell, u, local);
    int count = rico_element_stress(&own->law[own->law_of[cell]], kind, X, local, sample);
    for (int k = 0; mean && k < count * RICO_STRAINS; k++) mean[k % RICO_STRAINS] += sample[k] / count;
    if (!node || count < 1) return;
    rico_element_extrapolate(kind, sample, nodal);
    for (int64_t a = 0; a < nodes; a++) {
        double share = 1.0 / (double)(own->at_start[of[a] + 1] - own->at_start[of[a]]);
        for (int s = 0; s < RICO_STRAINS; s++)
            node[RICO_STRAINS * of[a] + s] += share * nodal[RICO_STRAINS * a + s];
    }
}


rico_status rico_elastic_stress(const rico_system *system, rico_context *ctx, int64_t index, const double *q,
                                double *node, double *cell)
{
    const rico_part *part;
    rico_floating_frame frame;
    double *u = NULL;
    rico_status status = find(system, ctx, index, &part);
    if (status == RICO_OK) status = strain_displacements(part, ctx, q, &frame, &u);
    if (status != RICO_OK) return status;
    const rico_elastic *own = part->data;
    const rico_mesh *mesh = own->mesh;
    if (node) memset(node, 0, (size_t)(RICO_STRAINS * mesh->nodes) * sizeof *node);
    if (cell) memset(cell, 0, (size_t)(RICO_STRAINS * mesh->cells) * sizeof *cell);
    for (int64_t c = 0; c < mesh->cells; c++)
        if (own->law_of[c] >= 0) element_stress(own, c, u, node, cell ? cell + RICO_STRAINS * c : NULL);
    for (int64_t i = 0; own->turning && node && i < mesh->nodes; i++)
        turn_stress(frame.R, node + RICO_STRAINS * i);
    for (int64_t i = 0; own->turning && cell && i < mesh->cells; i++)
        turn_stress(frame.R, cell + RICO_STRAINS * i);
    rico_free(ctx, u);
    return RICO_OK;
}


// --- strains ---------------------------------------------------------------------------------------------------------

// Strain at the centre of an element, as a tensor.
static void centre_strain(const rico_elastic *own, int64_t cell, const double *u, double strain[9])
{
    double X[3 * RICO_CELL_NODES];
    const int64_t *node;
    int64_t nodes = rico_elastic_nodes(own, cell, &node);
    rico_cell_kind kind = own->mesh->kind[cell];
    rico_element_point at;
    memset(strain, 0, 9 * sizeof *strain);
    rico_elastic_places(own, cell, X);
    if (!rico_element_at(kind, X, rico_elements[kind].centre, &at)) return;
    for (int64_t a = 0; a < nodes; a++) {
        const double *move = u + node[a] * own->directions;
        for (int i = 0; i < own->directions; i++)
            for (int j = 0; j < own->directions; j++) {
                strain[3 * i + j] += 0.5 * move[i] * at.gradient[3 * a + j];
                strain[3 * j + i] += 0.5 * move[i] * at.gradient[3 * a + j];
            }
        if (own->hypothesis->ring && at.x[0] > 0.0) strain[8] += at.N[a] * move[0] / at.x[0];
    }
}


rico_status rico_elastic_strain(const rico_system *system, rico_context *ctx, int64_t index, const double *q,
                                double *strain, int64_t *element)
{
    const rico_part *part;
    rico_floating_frame frame;
    double *u = NULL;
    rico_status status = find(system, ctx, index, &part);
    if (status == RICO_OK) status = strain_displacements(part, ctx, q, &frame, &u);
    if (status != RICO_OK) return status;
    const rico_elastic *own = part->data;
    *strain = 0.0;
    *element = -1;
    for (int64_t c = 0; c < own->mesh->cells; c++) {
        double tensor[9], principal[3];
        if (own->law_of[c] < 0) continue;
        centre_strain(own, c, u, tensor);
        if (!(rico_mat3_norm_frobenius(tensor) > *strain))
            continue; // no principal strain is larger than that
        rico_mat3_symmetric_eigen(tensor, principal, NULL);
        double largest = fmax(fabs(principal[0]), fabs(principal[2]));
        if (!(largest > *strain)) continue;
        *strain = largest;
        *element = c;
    }
    rico_free(ctx, u);
    return RICO_OK;
}


// --- reactions -------------------------------------------------------------------------------------------------------

// Adds K u + (alpha M + beta K) v + M a of one element; v and a may be NULL.
static void element_forces(const rico_elastic *own, int64_t cell, const double *u, const double *v,
                           const double *a, double *f)
{
    double X[3 * RICO_CELL_NODES], K[RICO_ELEMENT_DOFS * RICO_ELEMENT_DOFS],
        M[RICO_CELL_NODES * RICO_CELL_NODES], strain[RICO_ELEMENT_DOFS], inertia[RICO_ELEMENT_DOFS] = {0.0},
                                                                         rate[RICO_ELEMENT_DOFS] = {0.0};
    const int64_t *node;
    int64_t nodes = rico_elastic_nodes(own, cell, &node), n = nodes * own->directions;
    rico_cell_kind kind = own->mesh->kind[cell];
    const rico_element_law *law = &own->law[own->law_of[cell]];
    double alpha = own->alpha[own->law_of[cell]], beta = own->beta[own->law_of[cell]];
    rico_elastic_places(own, cell, X);
    memset(M, 0, sizeof M);
    rico_element_stiffness(law, kind, X, K);
    if (own->lumped) {
        double m[RICO_CELL_NODES] = {0.0};
        rico_element_lumped(law, kind, X, m);
        for (int64_t k = 0; k < nodes; k++) M[k + nodes * k] = m[k];
    } else {
        rico_element_mass(law, kind, X, M);
    }
    gather(own, cell, u, strain);
    if (v) gather(own, cell, v, rate);
    if (a) gather(own, cell, a, inertia);
    for (int64_t i = 0; i < n; i++) strain[i] += beta * rate[i], inertia[i] += alpha * rate[i];
    for (int64_t i = 0; i < n; i++) {
        double sum = 0.0;
        for (int64_t j = 0; j < n; j++) sum += K[i + n * j] * strain[j];
        for (int64_t b = 0; b < nodes; b++)
            sum += M[i / own->directions + nodes * b] * inertia[b * own->directions + i % own->directions];
        f[node[i / own->directions] * own->directions + i % own->directions] += sum;
    }
}


// Of a part whose frame floats: nothing is held, so the matrices do.
static rico_status turning_forces(const rico_part *part, rico_context *ctx, double t, const double *q,
                                  const double *v, const double *a, double *f)
{
    const rico_elastic *own = part->data;
    const rico_csc *pattern = &part->pattern;
    int64_t n = part->place.v_size;
    double *work = rico_alloc(ctx, part->scratch + 2 * n, sizeof *work);
    if (!work) return RICO_NO_MEMORY;
    double *rest = work + part->scratch, *still = rest + n;
    bool done = part->kind->forces(part, work, t, q, v ? v : still, rest, rest, rest);
    for (int64_t j = 0; a && j < n; j++)
        for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++)
            rest[pattern->row[k]] -= own->M[k] * a[j];
    for (int64_t i = 0; i < own->mesh->nodes * own->directions; i++)
        if (own->dof[i] >= 0) f[i] = -rest[own->dof[i]];
    rico_free(ctx, work);
    return done ? RICO_OK : rico_fail(ctx, RICO_BAD_INPUT, "part %s is turned inside out", part->name);
}


// Where nodes have no mass, inertia is not that of the elements: M a of the part instead, but for what is held, which has none there.
static rico_status exchange_inertia(const rico_part *part, rico_context *ctx, const double *spread,
                                    const double *a, double *f)
{
    const rico_elastic *own = part->data;
    const rico_csc *pattern = &part->pattern;
    int64_t all = own->mesh->nodes * own->directions, n = part->place.v_size;
    double *work = rico_alloc(ctx, 2 * all + n, sizeof *work);
    if (!work) return RICO_NO_MEMORY;
    double *with = work, *still = with + all, *inertia = still + all;
    for (int64_t c = 0; c < own->mesh->cells; c++) {
        if (own->law_of[c] < 0) continue;
        element_forces(own, c, still, NULL, spread, with);
    }
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++)
            inertia[pattern->row[k]] += own->M[k] * a[j];
    for (int64_t i = 0; i < all; i++)
        if (own->dof[i] >= 0) f[i] += inertia[own->dof[i]] - with[i];
    rico_free(ctx, work);
    return RICO_OK;
}


static rico_status fixed_forces(const rico_part *part, rico_context *ctx, const double *q, const double *v,
                                const double *a, double *f)
{
    const rico_elastic *own = part->data;
    int64_t all = own->mesh->nodes * own->directions;
    double *work = rico_alloc(ctx, 3 * all, sizeof *work);
    if (!work) return RICO_NO_MEMORY;
    rico_status status = rico_elastic_spread(ctx, own, q, work);
    if (status == RICO_OK && v) status = rico_elastic_spread(ctx, own, v, work + all);
    if (status == RICO_OK && a) status = rico_elastic_spread(ctx, own, a, work + 2 * all);
    for (int64_t c = 0; status == RICO_OK && c < own->mesh->cells; c++)
        if (own->law_of[c] >= 0)
            element_forces(own, c, work, v ? work + all : NULL, a ? work + 2 * all : NULL, f);
    if (status == RICO_OK && a && part->massless > 0)
        status = exchange_inertia(part, ctx, work + 2 * all, a, f);
    rico_free(ctx, work);
    return status;
}


rico_status rico_elastic_reactions(const rico_system *system, rico_context *ctx, int64_t index, double t,
                                   const double *q, const double *v, const double *a, double *force)
{
    const rico_part *part;
    rico_status status = find(system, ctx, index, &part);
    if (status != RICO_OK) return status;
    const rico_elastic *own = part->data;
    int64_t all = own->mesh->nodes * own->directions;
    double *f = rico_alloc(ctx, 2 * all, sizeof *f);
    if (!f) return RICO_NO_MEMORY;
    double *load = f + all;
    status = own->turning ? turning_forces(part, ctx, t, q, v, a, f) : fixed_forces(part, ctx, q, v, a, f);
    for (int64_t i = 0; status == RICO_OK && i < own->loads; i++) {
        const rico_bound_elastic_load *one = &own->load[i];
        double factor = 1.0;
        if ((one->given.history && !one->given.history(one->given.user, t, &factor)) ||
            !rico_elastic_integrate(own, one, t, factor, NULL, load))
            status = rico_fail(ctx, RICO_BAD_INPUT, "part %s: the function of load %lld refused at t = %g",
                               part->name, (long long)i, t);
    }
    for (int64_t i = 0; status == RICO_OK && i < own->mesh->nodes; i++) {
        rico_vec3_set(0.0, 0.0, 0.0, force + 3 * i);
        for (int k = 0; k < own->directions; k++) {
            int64_t at = i * own->directions + k;
            rico_vec3_add_scaled(f[at] - load[at], own->axis + 3 * k, force + 3 * i);
        }
    }
    rico_free(ctx, f);
    return status;
}


// --- energies --------------------------------------------------------------------------------------------------------

rico_status rico_elastic_energies(const rico_system *system, rico_context *ctx, int64_t index,
                                  const double *q, const double *v, double *kinetic, double *potential)
{
    const rico_part *part;
    rico_status status = find(system, ctx, index, &part);
    if (status != RICO_OK) return status;
    const rico_elastic *own = part->data;
    double *work = rico_alloc(ctx, part->scratch, sizeof *work), sum = 0.0;
    if (!work) return RICO_NO_MEMORY;
    for (int64_t j = 0; j < part->pattern.cols; j++)
        for (int64_t k = part->pattern.start[j]; k < part->pattern.start[j + 1]; k++)
            sum += v[part->pattern.row[k]] * own->M[k] * v[j];
    *kinetic = 0.5 * sum;
    if (!part->kind->potential(part, work, q, potential))
        status = rico_fail(ctx, RICO_BAD_INPUT, "part %s is turned inside out", part->name);
    rico_free(ctx, work);
    return status;
}
