// Fields on the nodes of elastic parts at a row of a result file: displacements, velocities, stresses, forces of contacts.

#include "store/elastic_view_row.h"

#include "base/context.h"
#include "la/vec3.h"
#include "ricochet/touch.h"

#include <math.h>
#include <string.h>

// --- areas -------------------------------------------------------------------------------------------------------

// Of a ring: the integral of the shape function times r, which is linear along it.
static void add_ring(rico_viewed_mesh *own, int nodes, double length, const int64_t *node)
{
    double r[2] = {own->X[3 * node[0]], own->X[3 * node[1]]};
    for (int k = 0; k < 2; k++)
        own->area[node[k]] += length * (nodes == 2 ? (2.0 * r[k] + r[1 - k]) / 6.0 : r[k] / 6.0);
    if (nodes == 3) own->area[node[2]] += length * (r[0] + r[1]) / 3.0;
}


// What each node bears of a face: the integral of its shape function over a straight or flat one. In the plane times the thickness, of a ring
// times 2 pi r.
static void add_face(rico_viewed_mesh *own, rico_cell_kind kind, const int64_t *node)
{
    static const struct {
        int corners, nodes;
        double corner, middle; // shares of the area
    } SHARES[RICO_CELL_KINDS] = {[RICO_CELL_POINT] = {1, 1, 1.0, 0.0},
                                 [RICO_CELL_LINE2] = {2, 2, 1.0 / 2.0, 0.0},
                                 [RICO_CELL_LINE3] = {2, 3, 1.0 / 6.0, 2.0 / 3.0},
                                 [RICO_CELL_T3] = {3, 3, 1.0 / 3.0, 0.0},
                                 [RICO_CELL_T6] = {3, 6, 0.0, 1.0 / 3.0},
                                 [RICO_CELL_Q4] = {4, 4, 1.0 / 4.0, 0.0},
                                 [RICO_CELL_Q8] = {4, 8, -1.0 / 12.0, 1.0 / 3.0}};
    double size = own->part.hypothesis == RICO_ROD ? 1.0 : 0.0, a[3], b[3], n[3];
    const double *X = own->X;
    if (SHARES[kind].corners == 2) {
        rico_vec3_subtract(X + 3 * node[1], X + 3 * node[0], a);
        size = rico_vec3_norm(a);
        if (own->part.hypothesis == RICO_AXISYMMETRIC) {
            add_ring(own, SHARES[kind].nodes, 2.0 * M_PI * size, node);
            return;
        }
        size *= own->material[0].thickness;
    }
    for (int k = 2; k < SHARES[kind].corners; k++) {
        rico_vec3_subtract(X + 3 * node[k - 1], X + 3 * node[0], a);
        rico_vec3_subtract(X + 3 * node[k], X + 3 * node[0], b);
        rico_vec3_cross(a, b, n);
        size += 0.5 * rico_vec3_norm(n);
    }
    for (int k = 0; k < SHARES[kind].nodes; k++)
        own->area[node[k]] += size * (k < SHARES[kind].corners ? SHARES[kind].corner : SHARES[kind].middle);
}


static rico_status add_areas(rico_elastic_view *view, int64_t mesh, int64_t group)
{
    if (mesh < 0 || group < 0) return RICO_OK;
    rico_viewed_mesh *own = &view->mesh[mesh];
    rico_mesh_view look = rico_mesh_look(own->mesh);
    if (group >= look.groups) return RICO_OK;
    rico_mesh_group of = rico_mesh_group_at(own->mesh, group);
    if (of.dimension == look.dimension - 1) {
        for (int64_t k = 0; k < of.count; k++)
            add_face(own, (rico_cell_kind)look.kind[of.cell[k]], look.node + look.start[of.cell[k]]);
        return RICO_OK;
    }
    // nodes of elements: those on the boundary touch
    rico_mesh_face *face = NULL;
    int64_t count;
    rico_status status = rico_mesh_boundary(view->ctx, own->mesh, &count, &face);
    for (int64_t k = 0; status == RICO_OK && k < count; k++) add_face(own, face[k].kind, face[k].node);
    rico_mesh_faces_free(view->ctx, face);
    return status;
}


rico_status rico_elastic_view_areas(rico_elastic_view *view, const rico_viewed_touch *touch)
{
    // faces that two contacts name bear once
    bool met[2] = {false, false};
    for (const rico_viewed_touch *other = view->touch; other < touch; other++)
        for (int i = 0; i < 2; i++) {
            int64_t mesh = i ? touch->faces : touch->nodes;
            met[i] |= (other->nodes == mesh && other->group[0] == touch->group[i]) ||
                      (other->faces == mesh && other->group[1] == touch->group[i]);
        }
    rico_status status = met[0] ? RICO_OK : add_areas(view, touch->nodes, touch->group[0]);
    if (status == RICO_OK && !met[1]) status = add_areas(view, touch->faces, touch->group[1]);
    return status;
}


// --- motion and stress ---------------------------------------------------------------------------------------------

static rico_status read_mesh(rico_elastic_view *view, rico_viewed_mesh *own)
{
    int64_t first = own->number[10], rate = own->number[11];
    rico_status status = rico_elastic_recover(own->system, view->ctx, 0, view->q + first, own->displacement);
    if (status == RICO_OK)
        status = rico_elastic_recover(own->system, view->ctx, 0, view->v + rate, own->velocity);
    for (int64_t i = 0; i < own->nodes; i++)
        rico_vec3_add(own->X + 3 * i, own->displacement + 3 * i, own->position + 3 * i);
    if (status == RICO_OK)
        status = rico_elastic_stress(own->system, view->ctx, 0, view->q + first, own->stress, NULL);
    for (int64_t i = 0; status == RICO_OK && i < own->nodes; i++)
        own->von_mises[i] = rico_von_mises(own->stress + 6 * i);
    memset(own->force, 0, (size_t)(3 * own->nodes) * sizeof *own->force);
    memset(own->pressure, 0, (size_t)own->nodes * sizeof *own->pressure);
    memset(own->status, 0, (size_t)own->nodes * sizeof *own->status);
    return status;
}


// --- contacts ------------------------------------------------------------------------------------------------------

// The contacts of one row, column by column.
typedef struct contacts {
    int64_t count, *source, *state;
    uint64_t *key;
    double *impulse, *frame;
} contacts;


static rico_status read_contacts(rico_elastic_view *view, int64_t row, contacts *out)
{
    int64_t table = rico_results_find_table(view->results, "emitted"), range[2] = {0, 0};
    rico_status status = table >= 0 ? rico_results_starts(view->results, table, row, 1, range) : RICO_OK;
    if (status != RICO_OK) return status;
    out->count = range[1] - range[0];
    out->source = rico_alloc(view->ctx, out->count, 8);
    out->state = rico_alloc(view->ctx, out->count, 8);
    out->key = rico_alloc(view->ctx, out->count, 8);
    out->impulse = rico_alloc(view->ctx, 3 * out->count, 8);
    out->frame = rico_alloc(view->ctx, 9 * out->count, 8);
    if (!out->source || !out->state || !out->key || !out->impulse || !out->frame) status = RICO_NO_MEMORY;
    const struct {
        const char *column;
        void *to;
    } all[] = {{"source", out->source},
               {"state", out->state},
               {"key", out->key},
               {"impulse", out->impulse},
               {"frame", out->frame}};
    for (size_t i = 0; status == RICO_OK && out->count > 0 && i < sizeof all / sizeof *all; i++)
        status = rico_elastic_view_column(view, "emitted", all[i].column, range[0], out->count, all[i].to);
    return status;
}


static void add_contact(rico_elastic_view *view, const contacts *all, int64_t c, double h)
{
    const rico_viewed_touch *touch = NULL;
    bool second;
    for (int64_t i = 0; i < view->touch_count; i++)
        if (view->touch[i].source == all->source[c]) touch = &view->touch[i];
    if (!touch) return;
    int64_t node = rico_touch_node(all->key[c], &second), of = second ? touch->faces : touch->nodes;
    if (of < 0 || node < 0 || node >= view->mesh[of].nodes) return;
    rico_viewed_mesh *own = &view->mesh[of];
    if (all->state[c] > own->status[node]) own->status[node] = all->state[c];
    if (!(h > 0.0)) return;
    const double *p = all->impulse + 3 * c, *frame = all->frame + 9 * c;
    for (int r = 0; r < 3; r++) rico_vec3_add_scaled(p[r] / h, frame + 3 * r, own->force + 3 * node);
    if (own->area[node] > 0.0) own->pressure[node] += p[0] / h / own->area[node];
}


rico_status rico_elastic_view_read(rico_elastic_view *view, int64_t row)
{
    contacts all = {0};
    double h = 0.0;
    rico_status status = rico_elastic_view_column(view, "state", "q", row, 1, view->q);
    if (status == RICO_OK) status = rico_elastic_view_column(view, "state", "v", row, 1, view->v);
    if (status == RICO_OK) status = rico_elastic_view_column(view, "probes", "h", row, 1, &h);
    for (int64_t m = 0; status == RICO_OK && m < view->count; m++) status = read_mesh(view, &view->mesh[m]);
    if (status == RICO_OK) status = read_contacts(view, row, &all);
    for (int64_t c = 0; status == RICO_OK && c < all.count; c++) add_contact(view, &all, c, h);
    void *lists[] = {all.source, all.state, all.key, all.impulse, all.frame};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) rico_free(view->ctx, lists[i]);
    return status;
}


// --- fields by name --------------------------------------------------------------------------------------------------

typedef enum field_of { OF_MISES, OF_STRESS, OF_DISPLACEMENT, OF_VELOCITY, OF_PRESSURE, OF_STATUS } field_of;

static const struct {
    const char *name, *help;
    field_of of;
    int component; // -1: the length
} FIELDS[] = {
    {"von-mises", "von Mises stress", OF_MISES, 0},
    {"pressure", "contact pressure", OF_PRESSURE, 0},
    {"status", "contacts: 0 open, 1 stick, 2 slip", OF_STATUS, 0},
    {"u", "length of the displacement", OF_DISPLACEMENT, -1},
    {"ux", "displacement along x", OF_DISPLACEMENT, 0},
    {"uy", "displacement along y", OF_DISPLACEMENT, 1},
    {"uz", "displacement along z", OF_DISPLACEMENT, 2},
    {"v", "speed", OF_VELOCITY, -1},
    {"vx", "velocity along x", OF_VELOCITY, 0},
    {"vy", "velocity along y", OF_VELOCITY, 1},
    {"vz", "velocity along z", OF_VELOCITY, 2},
    {"sxx", "stress xx", OF_STRESS, 0},
    {"syy", "stress yy", OF_STRESS, 1},
    {"szz", "stress zz", OF_STRESS, 2},
    {"sxy", "stress xy", OF_STRESS, 3},
    {"syz", "stress yz", OF_STRESS, 4},
    {"szx", "stress zx", OF_STRESS, 5},
};
enum { FIELD_COUNT = sizeof FIELDS / sizeof *FIELDS };


const char *rico_elastic_field_name(int index)
{
    return index >= 0 && index < FIELD_COUNT ? FIELDS[index].name : NULL;
}


const char *rico_elastic_field_help(int index)
{
    return index >= 0 && index < FIELD_COUNT ? FIELDS[index].help : NULL;
}


int rico_elastic_field_find(const char *name)
{
    for (int i = 0; i < FIELD_COUNT; i++)
        if (strcmp(FIELDS[i].name, name) == 0) return i;
    return -1;
}


void rico_elastic_field_values(const rico_viewed_mesh *mesh, int field, double *out)
{
    int k = FIELDS[field].component;
    for (int64_t i = 0; i < mesh->nodes; i++) {
        const double *vector = FIELDS[field].of == OF_VELOCITY ? mesh->velocity : mesh->displacement;
        switch (FIELDS[field].of) {
        case OF_MISES:
            out[i] = mesh->von_mises[i];
            break;
        case OF_STRESS:
            out[i] = mesh->stress[6 * i + k];
            break;
        case OF_PRESSURE:
            out[i] = mesh->pressure[i];
            break;
        case OF_STATUS:
            out[i] = (double)mesh->status[i];
            break;
        case OF_DISPLACEMENT:
        case OF_VELOCITY:
            out[i] = k < 0 ? rico_vec3_norm(vector + 3 * i) : vector[3 * i + k];
            break;
        }
    }
}
