// Loads of an elastic part: body forces, tractions, pressures and forces on nodes, integrated with the shape functions.

#include "la/vec3.h"
#include "model/elastic.h"

#include <string.h>

// --- groups ----------------------------------------------------------------------------------------------------------

const rico_mesh_set *rico_elastic_group(const rico_elastic *own, const char *name)
{
    for (int64_t g = 0; g < own->mesh->groups; g++)
        if (strcmp(own->mesh->group[g].name, name) == 0) return &own->mesh->group[g];
    return NULL;
}


rico_status rico_elastic_group_nodes(rico_context *ctx, const rico_elastic *own, const rico_mesh_set *group,
                                     int64_t *count, int64_t **node)
{
    bool *met = rico_alloc(ctx, own->mesh->nodes, sizeof *met);
    int64_t *list = NULL, most = 0, found = 0;
    const int64_t *of;
    for (int64_t k = 0; k < group->count; k++) most += rico_elastic_nodes(own, group->cell[k], &of);
    if (met) list = rico_alloc(ctx, most, sizeof *list);
    for (int64_t k = 0; list && k < group->count; k++) {
        int64_t nodes = rico_elastic_nodes(own, group->cell[k], &of);
        for (int64_t a = 0; a < nodes; a++) {
            if (!met[of[a]]) list[found++] = of[a];
            met[of[a]] = true;
        }
    }
    rico_free(ctx, met);
    *count = found;
    *node = list;
    return list ? RICO_OK : RICO_NO_MEMORY;
}


// --- faces -----------------------------------------------------------------------------------------------------------

// Corners of the face of an element in the mesh's numbers against those listed: 1 the same way round, -1 the other, 0 another face.
static int compare(int corners, const int64_t *face, const int64_t *listed)
{
    int first = -1;
    for (int k = 0; k < corners; k++) {
        bool there = false;
        for (int m = 0; m < corners; m++) there |= face[m] == listed[k];
        if (!there) return 0;
    }
    for (int m = 0; m < corners; m++)
        if (face[m] == listed[0]) first = m;
    if (corners == 2) return first == 0 ? 1 : -1;
    return face[(first + 1) % corners] == listed[1] ? 1 : -1;
}


// Which way a face of element `cell` is listed: 1 outwards, -1 inwards, 0 none of its faces.
static int side_of(const rico_elastic *own, int64_t cell, rico_cell_kind kind, const int64_t *listed)
{
    const rico_cell_info *info = &rico_cells[own->mesh->kind[cell]];
    const int64_t *node;
    rico_elastic_nodes(own, cell, &node);
    for (int f = 0; info->face == kind && f < info->faces; f++) {
        int64_t face[RICO_CELL_NODES];
        int corners = rico_cells[kind].corners;
        for (int k = 0; k < corners; k++) face[k] = node[info->face_node[f][k]];
        int side = compare(corners, face, listed);
        if (side == 0) continue;
        // the end of a rod: its normal is +x, which points outwards at the far end
        if (kind == RICO_CELL_POINT) return own->place[3 * node[f]] > own->place[3 * node[1 - f]] ? 1 : -1;
        return side;
    }
    return 0;
}


static rico_status find_owners(rico_part *part, const rico_bound_elastic_load *load)
{
    rico_elastic *own = part->data;
    const rico_mesh *mesh = own->mesh;
    if (!own->owner) own->owner = rico_alloc(part->ctx, mesh->cells, sizeof *own->owner);
    if (!own->side) own->side = rico_alloc(part->ctx, mesh->cells, sizeof *own->side);
    if (!own->owner || !own->side) return RICO_NO_MEMORY;
    const rico_mesh_set *group = load->group;
    for (int64_t k = 0; group && k < group->count; k++) {
        const int64_t *node;
        int64_t c = group->cell[k], owners = 0;
        rico_elastic_nodes(own, c, &node);
        for (int64_t e = own->at_start[node[0]]; e < own->at_start[node[0] + 1]; e++) {
            int side = side_of(own, own->at_element[e], mesh->kind[c], node);
            if (side == 0) continue;
            owners++;
            own->owner[c] = own->at_element[e];
            own->side[c] = (signed char)side;
        }
        if (owners == 1 || (owners == 2 && load->given.kind == RICO_LOAD_TRACTION)) continue;
        return rico_fail(
            part->ctx, RICO_BAD_INPUT,
            "part %s: cell %lld of group %s, under a load, is a face of %lld elements, expected 1",
            part->name, (long long)c, group->name, (long long)owners);
    }
    return RICO_OK;
}


// --- integration -----------------------------------------------------------------------------------------------------

static bool value_at(const rico_bound_elastic_load *load, double t, const double x[3], double value[3])
{
    rico_vec3_copy(load->given.value, value);
    return !load->given.function || load->given.function(load->given.user, t, x, value);
}


// f += N_a value, for the nodes of a cell.
static void add_at(const rico_elastic *own, int64_t cell, const double *N, const double value[3],
                   const int64_t *map, double *f)
{
    const int64_t *node;
    int64_t nodes = rico_elastic_nodes(own, cell, &node);
    for (int k = 0; k < own->directions; k++) {
        double along = rico_vec3_dot(own->axis + 3 * k, value);
        for (int64_t a = 0; a < nodes; a++) {
            int64_t at = node[a] * own->directions + k, to = map ? map[at] : at;
            if (to >= 0) f[to] += N[a] * along;
        }
    }
}


// Where a point of own->place is in the world: rods are integrated in the coordinates of the mesh.
static void world(const rico_elastic *own, int64_t cell, const double *N, double x[3])
{
    const int64_t *node;
    int64_t nodes = rico_elastic_nodes(own, cell, &node);
    rico_vec3_set(0.0, 0.0, 0.0, x);
    for (int64_t a = 0; a < nodes; a++) rico_vec3_add_scaled(N[a], own->X + 3 * node[a], x);
}


static bool body_load(const rico_elastic *own, const rico_bound_elastic_load *load, int64_t cell, double t,
                      double factor, const int64_t *map, double *f)
{
    rico_cell_kind kind = own->mesh->kind[cell];
    const rico_quadrature *rule = rico_elements[kind].load;
    const rico_element_law *law = &own->law[own->law_of[cell]];
    double X[3 * RICO_CELL_NODES];
    rico_elastic_places(own, cell, X);
    for (int k = 0; k < rule->count; k++) {
        rico_element_point at;
        double xi[3], value[3], x[3], weight = rico_quadrature_point(rule, k, xi);
        if (!rico_element_at(kind, X, xi, &at)) return false;
        world(own, cell, at.N, x);
        if (!value_at(load, t, x, value)) return false;
        rico_vec3_scale(factor * weight * at.j * rico_element_depth(law, at.x), value, value);
        add_at(own, cell, at.N, value, map, f);
    }
    return true;
}


static bool face_load(const rico_elastic *own, const rico_bound_elastic_load *load, int64_t cell, double t,
                      double factor, const int64_t *map, double *f)
{
    rico_cell_kind kind = own->mesh->kind[cell];
    const rico_quadrature *rule = rico_elements[kind].load;
    const rico_element_law *law = &own->law[own->law_of[own->owner[cell]]];
    double X[3 * RICO_CELL_NODES];
    rico_elastic_places(own, cell, X);
    for (int k = 0; k < rule->count; k++) {
        rico_face_point at;
        double xi[3], value[3], x[3], weight = rico_quadrature_point(rule, k, xi);
        rico_face_at(kind, X, xi, &at);
        world(own, cell, at.N, x);
        if (!value_at(load, t, x, value)) return false;
        double scale = factor * weight * rico_element_depth(law, at.x);
        if (load->given.kind == RICO_LOAD_PRESSURE) {
            // along the world's axis for the end of a rod
            const double *normal = kind == RICO_CELL_POINT ? own->axis : at.normal;
            rico_vec3_scale(-scale * value[0] * own->side[cell], normal, value);
        } else {
            rico_vec3_scale(scale * rico_vec3_norm(at.normal), value, value);
        }
        add_at(own, cell, at.N, value, map, f);
    }
    return true;
}


static bool nodal_load(const rico_elastic *own, const rico_bound_elastic_load *load, double t, double factor,
                       const int64_t *map, double *f)
{
    for (int64_t i = 0; i < load->nodes; i++) {
        double value[3];
        if (!value_at(load, t, own->X + 3 * load->node[i], value)) return false;
        for (int k = 0; k < own->directions; k++) {
            int64_t at = load->node[i] * own->directions + k, to = map ? map[at] : at;
            if (to >= 0) f[to] += factor * rico_vec3_dot(own->axis + 3 * k, value);
        }
    }
    return true;
}


bool rico_elastic_integrate(const rico_elastic *own, const rico_bound_elastic_load *load, double t,
                            double factor, const int64_t *map, double *f)
{
    if (load->given.kind == RICO_LOAD_NODAL) return nodal_load(own, load, t, factor, map, f);
    int64_t count = load->group ? load->group->count : own->mesh->cells;
    for (int64_t k = 0; k < count; k++) {
        int64_t cell = load->group ? load->group->cell[k] : k;
        if (load->given.kind == RICO_LOAD_BODY && own->law_of[cell] < 0) continue;
        bool done = load->given.kind == RICO_LOAD_BODY ? body_load(own, load, cell, t, factor, map, f)
                                                       : face_load(own, load, cell, t, factor, map, f);
        if (!done) return false;
    }
    return true;
}


// --- at the door -----------------------------------------------------------------------------------------------------

static rico_status check(rico_part *part, int64_t index, const rico_elastic_load *given,
                         const rico_mesh_set *group)
{
    const rico_elastic *own = part->data;
    int dimension = own->hypothesis->dimension;
    if ((int)given->kind < 0 || given->kind > RICO_LOAD_NODAL)
        return rico_fail(part->ctx, RICO_BAD_ARGUMENT, "part %s: load %lld is of kind %d, expected 0 to %d",
                         part->name, (long long)index, (int)given->kind, (int)RICO_LOAD_NODAL);
    if (given->group && !group)
        return rico_fail(part->ctx, RICO_BAD_INPUT,
                         "part %s: load %lld is on group %s, which the mesh does not have", part->name,
                         (long long)index, given->group);
    if (!group && given->kind != RICO_LOAD_BODY)
        return rico_fail(part->ctx, RICO_BAD_INPUT, "part %s: load %lld names no group", part->name,
                         (long long)index);
    bool body = given->kind == RICO_LOAD_BODY, face = !body && given->kind != RICO_LOAD_NODAL;
    if (group && ((body && group->dimension != dimension) || (face && group->dimension != dimension - 1)))
        return rico_fail(part->ctx, RICO_BAD_INPUT,
                         "part %s: load %lld needs cells of dimension %d, and those of group %s have %d",
                         part->name, (long long)index, body ? dimension : dimension - 1, group->name,
                         group->dimension);
    if (own->turning && given->kind == RICO_LOAD_PRESSURE)
        return rico_fail(part->ctx, RICO_UNSUPPORTED,
                         "part %s turns, and a pressure (load %lld) does not turn with it: give a traction",
                         part->name, (long long)index);
    double sum = given->value[0] + given->value[1] + given->value[2];
    if (!given->function && !(sum - sum == 0.0))
        return rico_fail(part->ctx, RICO_BAD_INPUT, "part %s: load %lld is not finite", part->name,
                         (long long)index);
    return RICO_OK;
}


// What does not depend on the time is integrated now: into the constant load, or into a vector that waits for its factor.
static rico_status bind(rico_part *part, int64_t index, const rico_elastic_load *given,
                        rico_bound_elastic_load *load)
{
    rico_elastic *own = part->data;
    int64_t n = part->pattern.cols;
    load->given = *given;
    load->group = given->group ? rico_elastic_group(own, given->group) : NULL;
    rico_status status = check(part, index, given, load->group);
    if (status == RICO_OK && given->kind == RICO_LOAD_NODAL)
        status = rico_elastic_group_nodes(part->ctx, own, load->group, &load->nodes, &load->node);
    if (status == RICO_OK && (given->kind == RICO_LOAD_TRACTION || given->kind == RICO_LOAD_PRESSURE))
        status = find_owners(part, load);
    if (status != RICO_OK) return status;
    load->given.group = load->group ? load->group->name : NULL;

    bool steady = !given->function || given->steady;
    part->loaded = true;
    if (given->history || !steady) part->constant_load = false;
    if (!steady) return RICO_OK;
    double **into = given->history ? &load->shape : &own->force;
    if (!*into) *into = rico_alloc(part->ctx, n, sizeof **into);
    if (!*into) return RICO_NO_MEMORY;
    if (!rico_elastic_integrate(own, load, 0.0, 1.0, own->dof, *into))
        return rico_fail(part->ctx, RICO_BAD_INPUT, "part %s: the function of load %lld refused", part->name,
                         (long long)index);
    return RICO_OK;
}


rico_status rico_elastic_bind_loads(rico_part *part, const rico_elastic_part *given)
{
    rico_elastic *own = part->data;
    part->constant_load = true;
    own->load = rico_alloc(part->ctx, given->loads, sizeof *own->load);
    if (!own->load) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < given->loads; i++) {
        own->loads = i + 1;
        rico_status status = bind(part, i, &given->load[i], &own->load[i]);
        if (status != RICO_OK) return status;
    }
    return RICO_OK;
}


void rico_elastic_release_loads(rico_context *ctx, rico_elastic *own)
{
    for (int64_t i = 0; i < own->loads; i++) {
        rico_free(ctx, own->load[i].node);
        rico_free(ctx, own->load[i].shape);
    }
    rico_free(ctx, own->load);
    rico_free(ctx, own->force);
    rico_free(ctx, own->owner);
    rico_free(ctx, own->side);
}
