// Dual mortar between two skins: from pieces of faces to the weights of nodes.
//
// Per face of the slave, with the integrals over what is covered of it, mass m = int N N', D = int N, b = int N N_master:
// psi = diag(D) m^-1 N is biorthogonal to N there, so M = diag(D) m^-1 b. Since m 1 = D and b 1 = D, the rows of M add up to D whatever is covered
// (A. Popp, A. Seitz, M. W. Gitterle, W. A. Wall, CMAME 264, 2013). A face that is covered in a strip so thin that m is singular to
// working accuracy does not count, nor does a node of which hardly anything is covered: its weights would be those of an extrapolation.

#include "mesh/mortar.h"

#include "base/context.h"
#include "la/vec3.h"

#include <math.h>
#include <string.h>

// Share of its area that must be covered of a node; smallest pivot of m with a unit diagonal.
static const double COVERED = 0.02, THIN = 1e-9;

enum { NODES = RICO_MORTAR_NODES };


rico_status rico_mortar_create(rico_context *ctx, const rico_skin *slave, const rico_skin *master,
                               bool radial, rico_mortar *out)
{
    *out = (rico_mortar){.ctx = ctx, .slave = slave, .master = master, .radial = radial};
    out->area = rico_alloc(ctx, slave->nodes, sizeof *out->area);
    out->whole = rico_alloc(ctx, slave->nodes, sizeof *out->whole);
    out->normal = rico_alloc(ctx, 3 * slave->nodes, sizeof *out->normal);
    out->start = rico_alloc(ctx, slave->nodes + 2, sizeof *out->start);
    rico_status status = rico_skin_search_create(ctx, master, &out->search);
    return out->area && out->whole && out->normal && out->start ? status : RICO_NO_MEMORY;
}


void rico_mortar_destroy(rico_mortar *mortar)
{
    rico_context *ctx = mortar->ctx;
    if (!ctx) return;
    void *all[] = {mortar->area,  mortar->whole, mortar->normal, mortar->start,
                   mortar->share, mortar->entry, mortar->sorted, mortar->near};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
    rico_skin_search_destroy(&mortar->search);
    *mortar = (rico_mortar){0};
}


static bool reserve(rico_context *ctx, void *block, int64_t *room, int64_t wanted, size_t size)
{
    void **at = block;
    if (wanted <= *room) return true;
    void *grown = rico_grow(ctx, *at, *room, wanted + wanted / 2 + 8, size);
    if (!grown) return false;
    *at = grown;
    *room = wanted + wanted / 2 + 8;
    return true;
}


// --- one face of the slave -----------------------------------------------------------------------------------------

static bool note_near(void *user, int64_t face)
{
    rico_mortar *mortar = user;
    if (!reserve(mortar->ctx, &mortar->near, &mortar->near_room, mortar->near_count + 1,
                 sizeof *mortar->near))
        return false;
    // in order, since sums depend on it to the last bit
    int64_t at = mortar->near_count++;
    for (; at > 0 && mortar->near[at - 1] > face; at--) mortar->near[at] = mortar->near[at - 1];
    mortar->near[at] = face;
    return true;
}


// The faces of the master whose boxes are within reach; false: out of memory.
static bool find_near(rico_mortar *mortar, int nodes, const double *x, double reach)
{
    rico_box box;
    for (int i = 0; i < 3; i++) {
        box.lower[i] = INFINITY;
        box.upper[i] = -INFINITY;
        for (int k = 0; k < nodes; k++) {
            box.lower[i] = fmin(box.lower[i], x[3 * k + i] - reach);
            box.upper[i] = fmax(box.upper[i], x[3 * k + i] + reach);
        }
    }
    mortar->near_count = 0;
    return rico_tree_query(&mortar->search.tree, &box, note_near, mortar);
}


// Cholesky factor of m, scaled to a unit diagonal, in the lower triangle; scale: 1 / sqrt of the diagonal. False: singular.
static bool factor(int n, const double *m, double *L, double *scale)
{
    for (int j = 0; j < n; j++) {
        if (!(m[j * NODES + j] > 0.0)) return false;
        scale[j] = 1.0 / sqrt(m[j * NODES + j]);
    }
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            double sum = m[i * NODES + j] * scale[i] * scale[j];
            for (int k = 0; k < j; k++) sum -= L[i * NODES + k] * L[j * NODES + k];
            if (i == j && !(sum > THIN)) return false;
            L[i * NODES + j] = i == j ? sqrt(sum) : sum / L[j * NODES + j];
        }
    return true;
}


static void solve(int n, const double *L, const double *scale, double *y)
{
    for (int i = 0; i < n; i++) {
        y[i] *= scale[i];
        for (int k = 0; k < i; k++) y[i] -= L[i * NODES + k] * y[k];
        y[i] /= L[i * NODES + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) y[i] -= L[k * NODES + i] * y[k];
        y[i] /= L[i * NODES + i];
    }
    for (int i = 0; i < n; i++) y[i] *= scale[i];
}


// M = diag(D) m^-1 b of the entries from `first` on, which hold b of this face, `count` of the slave's nodes for each of the master's.
static void make_dual(rico_mortar *mortar, int n, const rico_mortar_piece *sum, int64_t first)
{
    double L[NODES * NODES], scale[NODES], y[NODES];
    if (!factor(n, sum->mass, L, scale)) {
        mortar->entries = first;
        return;
    }
    for (int64_t k = first; k < mortar->entries; k += n) {
        for (int j = 0; j < n; j++) y[j] = mortar->entry[k + j].value;
        solve(n, L, scale, y);
        for (int j = 0; j < n; j++) mortar->entry[k + j].value = sum->own[j] * y[j];
    }
    for (int j = 0; j < n; j++) mortar->area[mortar->entry[first + j].slave] += sum->own[j];
}


static bool add_entries(rico_mortar *mortar, const int64_t *slave, int n, int64_t face,
                        const rico_mortar_piece *piece)
{
    const rico_skin *master = mortar->master;
    int64_t count = master->start[face + 1] - master->start[face], old = mortar->entry_room,
            room = mortar->entry_room;
    if (!reserve(mortar->ctx, &mortar->entry, &room, mortar->entries + n * count, sizeof *mortar->entry) ||
        !reserve(mortar->ctx, &mortar->sorted, &old, mortar->entries + n * count, sizeof *mortar->sorted))
        return false;
    mortar->entry_room = room;
    for (int64_t l = 0; l < count; l++)
        for (int j = 0; j < n; j++)
            mortar->entry[mortar->entries++] = (rico_mortar_entry){
                slave[j], master->local[master->start[face] + l], piece->coupling[j * NODES + l]};
    return true;
}


static bool look_at_face(rico_mortar *mortar, int64_t face, const double *xs, const double *xm, double reach)
{
    const rico_skin *slave = mortar->slave, *master = mortar->master;
    const int64_t *local = slave->local + slave->start[face];
    rico_cell_kind kind = slave->kind[face];
    double own[3 * RICO_FACE_NODES], other[3 * RICO_FACE_NODES], whole[RICO_FACE_NODES], normal[3];
    int n = rico_cells[kind].nodes;
    int64_t first = mortar->entries;
    rico_mortar_piece sum = {0};
    rico_skin_gather(slave, xs, face, own);
    rico_skin_normal(slave, xs, face, normal);
    rico_mortar_whole(kind, own, mortar->radial, whole);
    for (int j = 0; j < n; j++) {
        mortar->whole[local[j]] += whole[j];
        rico_vec3_add(mortar->normal + 3 * local[j], normal, mortar->normal + 3 * local[j]);
    }
    if (!find_near(mortar, n, own, reach)) return false;
    for (int64_t k = 0; k < mortar->near_count; k++) {
        int64_t there = mortar->near[k];
        rico_skin_gather(master, xm, there, other);
        bool meets =
            slave->dimension == 2
                ? rico_mortar_clip(kind, own, master->kind[there], other, reach, mortar->radial, &sum)
                : rico_mortar_clip_space(kind, own, master->kind[there], other, reach, &sum);
        if (meets && !add_entries(mortar, local, n, there, &sum)) return false;
    }
    if (mortar->entries > first) make_dual(mortar, n, &sum, first);
    return true;
}


// --- all nodes -----------------------------------------------------------------------------------------------------

// Entries by slave node, in the order in which they came; start[j + 1] is where those of j end.
static void sort_entries(rico_mortar *mortar)
{
    int64_t *start = mortar->start, nodes = mortar->slave->nodes;
    memset(start, 0, (size_t)(nodes + 2) * sizeof *start);
    for (int64_t k = 0; k < mortar->entries; k++) start[mortar->entry[k].slave + 2]++;
    for (int64_t j = 0; j < nodes; j++) start[j + 2] += start[j + 1];
    for (int64_t k = 0; k < mortar->entries; k++)
        mortar->sorted[start[mortar->entry[k].slave + 1]++] = mortar->entry[k];
}


// By master node; stable, so that sums are the same to the last bit.
static void sort_of_node(rico_mortar_entry *entry, int64_t count)
{
    for (int64_t k = 1; k < count; k++) {
        rico_mortar_entry own = entry[k];
        int64_t at = k;
        for (; at > 0 && entry[at - 1].master > own.master; at--) entry[at] = entry[at - 1];
        entry[at] = own;
    }
}


// Weights of node j from its entries.
static void weigh(rico_mortar *mortar, int64_t j, int64_t first, int64_t end)
{
    double area = mortar->area[j];
    mortar->start[j] = mortar->shares;
    if (!(area > COVERED * mortar->whole[j])) return;
    sort_of_node(mortar->sorted + first, end - first);
    for (int64_t k = first; k < end; k++) {
        rico_mortar_entry entry = mortar->sorted[k];
        bool again = k > first && mortar->sorted[k - 1].master == entry.master;
        if (!again) mortar->share[mortar->shares++] = (rico_mortar_share){.node = entry.master};
        mortar->share[mortar->shares - 1].weight += entry.value / area;
    }
}


rico_status rico_mortar_update(rico_mortar *mortar, const double *slave, const double *master, double reach)
{
    int64_t nodes = mortar->slave->nodes;
    rico_status status = rico_skin_search_update(&mortar->search, master);
    if (status != RICO_OK) return status;
    memset(mortar->area, 0, (size_t)nodes * sizeof *mortar->area);
    memset(mortar->whole, 0, (size_t)nodes * sizeof *mortar->whole);
    memset(mortar->normal, 0, (size_t)(3 * nodes) * sizeof *mortar->normal);
    mortar->entries = mortar->shares = 0;
    for (int64_t f = 0; f < mortar->slave->faces; f++)
        if (!look_at_face(mortar, f, slave, master, reach)) return RICO_NO_MEMORY;
    for (int64_t j = 0; j < nodes; j++) {
        double *n = mortar->normal + 3 * j, length = rico_vec3_norm(n);
        if (length > 0.0) rico_vec3_scale(1.0 / length, n, n);
    }
    if (!reserve(mortar->ctx, &mortar->share, &mortar->share_room, mortar->entries, sizeof *mortar->share))
        return RICO_NO_MEMORY;
    sort_entries(mortar);
    int64_t first = 0;
    for (int64_t j = 0; j < nodes; j++) {
        int64_t end = mortar->start[j + 1];
        weigh(mortar, j, first, end);
        first = end;
    }
    mortar->start[nodes] = mortar->shares;
    return RICO_OK;
}
