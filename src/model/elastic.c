// Elastic parts at the door: what is refused, which unknowns there are, and the part put together.

#include "model/elastic.h"

#include "la/mat3.h"
#include "model/add.h"

rico_elastic_part rico_elastic_default(const rico_mesh *mesh, rico_hypothesis hypothesis)
{
    return (rico_elastic_part){
        .mesh = mesh, .hypothesis = hypothesis, .rotation = {[0] = 1.0, [4] = 1.0, [8] = 1.0}};
}


// --- placement -------------------------------------------------------------------------------------------------------

static rico_status check_placement(rico_context *ctx, const char *name, const rico_elastic_part *given)
{
    const rico_hypothesis_info *hypothesis = &rico_hypotheses[given->hypothesis];
    const double *R = given->rotation, *p = given->position;
    double worst = fabs(rico_mat3_determinant(R) - 1.0), sum = p[0] + p[1] + p[2];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            worst = fmax(worst, fabs(rico_vec3_dot(R + 3 * i, R + 3 * j) - (i == j ? 1.0 : 0.0)));
    if (!(worst <= 1e-9))
        return rico_fail(ctx, RICO_BAD_INPUT, "part %s: its rotation is none: off by %g", name, worst);
    if (!isfinite(sum)) return rico_fail(ctx, RICO_BAD_INPUT, "part %s: its position is not finite", name);
    if (hypothesis->dimension == 2 && fabs(R[8] - 1.0) > 1e-12)
        return rico_fail(ctx, RICO_BAD_INPUT, "part %s: a body in the plane turns about z alone", name);
    if (hypothesis->ring && (fabs(R[0] - 1.0) > 1e-12 || p[0] != 0.0 || p[2] != 0.0))
        return rico_fail(ctx, RICO_BAD_INPUT,
                         "part %s: an axisymmetric body is placed along its axis, y, alone", name);
    return RICO_OK;
}


static rico_status place_nodes(rico_part *part, const rico_elastic_part *given)
{
    rico_elastic *own = part->data;
    const rico_mesh *mesh = own->mesh;
    own->X = rico_alloc(part->ctx, 3 * mesh->nodes, sizeof *own->X);
    if (!own->X) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < mesh->nodes; i++) {
        rico_mat3_times(given->rotation, mesh->position + 3 * i, own->X + 3 * i);
        rico_vec3_add(own->X + 3 * i, given->position, own->X + 3 * i);
        for (int k = 0; k < 3; k++) part->extent = fmax(part->extent, fabs(own->X[3 * i + k]));
    }
    own->place = own->X;
    rico_mat3_identity(own->axis);
    if (given->hypothesis != RICO_ROD) return RICO_OK;
    own->place = mesh->position;
    rico_vec3_set(given->rotation[0], given->rotation[3], given->rotation[6], own->axis);
    return RICO_OK;
}


// --- materials -------------------------------------------------------------------------------------------------------

static rico_status claim(rico_part *part, int64_t cell, int32_t law, const char *group)
{
    rico_elastic *own = part->data;
    if (own->law_of[cell] >= 0)
        return rico_fail(part->ctx, RICO_BAD_INPUT,
                         "part %s: element %lld has two materials, %lld and %lld (%s)", part->name,
                         (long long)cell, (long long)own->law_of[cell], (long long)law,
                         group ? group : "all elements");
    own->law_of[cell] = law;
    return RICO_OK;
}


static rico_status give_material(rico_part *part, const rico_elastic_part *given, int32_t index)
{
    static const double NONE[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    rico_elastic *own = part->data;
    const rico_elastic_material *material = &given->material[index];
    bool rod = given->hypothesis == RICO_ROD;
    rico_status status = rico_element_law_make(part->ctx, part->name, material, given->hypothesis,
                                               given->remedy, rod ? NONE : given->rotation, &own->law[index]);
    if (status != RICO_OK) return status;
    own->alpha[index] = material->alpha;
    own->beta[index] = material->beta;
    const rico_mesh_set *group = material->group ? rico_elastic_group(own, material->group) : NULL;
    if (material->group && !group)
        return rico_fail(part->ctx, RICO_BAD_INPUT,
                         "part %s: material %lld is for group %s, which the mesh does not have", part->name,
                         (long long)index, material->group);
    if (group && group->dimension != own->mesh->dimension)
        return rico_fail(part->ctx, RICO_BAD_INPUT,
                         "part %s: material %lld is for group %s of cells of dimension %d, expected "
                         "elements, of dimension %d",
                         part->name, (long long)index, material->group, group->dimension,
                         own->mesh->dimension);
    for (int64_t k = 0; status == RICO_OK && k < (group ? group->count : own->mesh->cells); k++) {
        int64_t cell = group ? group->cell[k] : k;
        if (rico_cells[own->mesh->kind[cell]].dimension == own->mesh->dimension)
            status = claim(part, cell, index, material->group);
    }
    return status;
}


static rico_status give_materials(rico_part *part, const rico_elastic_part *given)
{
    rico_elastic *own = part->data;
    const rico_mesh *mesh = own->mesh;
    own->laws = given->materials;
    own->law = rico_alloc(part->ctx, own->laws, sizeof *own->law);
    own->alpha = rico_alloc(part->ctx, own->laws, sizeof *own->alpha);
    own->beta = rico_alloc(part->ctx, own->laws, sizeof *own->beta);
    own->law_of = rico_alloc(part->ctx, mesh->cells, sizeof *own->law_of);
    if (!own->law || !own->alpha || !own->beta || !own->law_of) return RICO_NO_MEMORY;
    for (int64_t c = 0; c < mesh->cells; c++) own->law_of[c] = -1;
    for (int64_t k = 0; k < own->laws; k++) {
        rico_status status = give_material(part, given, (int32_t)k);
        if (status != RICO_OK) return status;
    }
    int64_t elements = 0, cured = 0;
    for (int64_t c = 0; c < mesh->cells; c++) {
        if (rico_cells[mesh->kind[c]].dimension != mesh->dimension) continue;
        elements++;
        cured += rico_elements[mesh->kind[c]].modes > 0;
        if (own->law_of[c] < 0)
            return rico_fail(part->ctx, RICO_BAD_INPUT, "part %s: element %lld has no material", part->name,
                             (long long)c);
    }
    if (elements == 0) return rico_fail(part->ctx, RICO_BAD_INPUT, "part %s has no elements", part->name);
    if (given->remedy != RICO_REMEDY_NONE && cured == 0)
        return rico_fail(
            part->ctx, RICO_BAD_INPUT,
            "part %s asks for a remedy against locking, which only Q4 and H8 have, and has neither",
            part->name);
    return RICO_OK;
}


// --- unknowns --------------------------------------------------------------------------------------------------------

static rico_status hold(rico_part *part, int64_t index, const rico_elastic_support *support)
{
    rico_elastic *own = part->data;
    const rico_mesh_set *group = support->group ? rico_elastic_group(own, support->group) : NULL;
    unsigned all = (1U << own->directions) - 1U;
    if (!group)
        return rico_fail(part->ctx, RICO_BAD_INPUT,
                         "part %s: support %lld is on group %s, which the mesh does not have", part->name,
                         (long long)index, support->group ? support->group : "(none)");
    if (support->directions == 0 || (support->directions & ~all) != 0)
        return rico_fail(part->ctx, RICO_BAD_INPUT,
                         "part %s: support %lld, on group %s, holds directions %u, expected a sum of 1 (x)%s",
                         part->name, (long long)index, support->group, support->directions,
                         own->directions == 1   ? ""
                         : own->directions == 2 ? " and 2 (y)"
                                                : ", 2 (y) and 4 (z)");
    int64_t count, *node;
    rico_status status = rico_elastic_group_nodes(part->ctx, own, group, &count, &node);
    for (int64_t k = 0; status == RICO_OK && k < count; k++)
        for (int i = 0; i < own->directions; i++)
            if (support->directions >> i & 1U) own->dof[node[k] * own->directions + i] = -1;
    rico_free(part->ctx, node);
    return status;
}


// On the axis of a ring nothing moves outwards; nothing stands on its other side.
static rico_status hold_axis(rico_part *part)
{
    rico_elastic *own = part->data;
    double largest = 0.0;
    for (int64_t u = 0; u < own->used; u++) largest = fmax(largest, own->X[3 * own->used_node[u]]);
    for (int64_t u = 0; u < own->used; u++) {
        int64_t node = own->used_node[u];
        double radius = own->X[3 * node];
        if (radius < -1e-12 * largest)
            return rico_fail(
                part->ctx, RICO_BAD_INPUT,
                "part %s: node %lld of an axisymmetric body stands at radius %g, expected at least 0",
                part->name, (long long)node, radius);
        if (radius <= 1e-12 * largest) own->dof[2 * node] = -1;
    }
    return RICO_OK;
}


// Nodes of elements have unknowns 0 until they are numbered, what is held -1.
static rico_status number(rico_part *part, const rico_elastic_part *given, int64_t *unknowns)
{
    rico_elastic *own = part->data;
    int64_t nodes = own->mesh->nodes;
    own->dof = rico_alloc(part->ctx, nodes * own->directions, sizeof *own->dof);
    own->used_node = rico_alloc(part->ctx, nodes, sizeof *own->used_node);
    if (!own->dof || !own->used_node) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < nodes; i++) {
        bool in = own->at_start[i] < own->at_start[i + 1];
        if (in) own->used_node[own->used++] = i;
        for (int k = 0; k < own->directions; k++) own->dof[i * own->directions + k] = in ? 0 : -1;
    }
    for (int64_t s = 0; s < given->supports; s++) {
        rico_status status = hold(part, s, &given->support[s]);
        if (status != RICO_OK) return status;
    }
    rico_status status = own->hypothesis->ring ? hold_axis(part) : RICO_OK;
    if (status != RICO_OK) return status;
    int64_t next = 0;
    for (int64_t i = 0; i < nodes * own->directions; i++)
        if (own->dof[i] >= 0) own->dof[i] = next++;
    if (next == 0)
        return rico_fail(part->ctx, RICO_BAD_INPUT, "part %s: its supports hold every node", part->name);
    *unknowns = next;
    return RICO_OK;
}


// --- the part --------------------------------------------------------------------------------------------------------

static rico_status check(rico_context *ctx, const char *name, const rico_elastic_part *given)
{
    if (!given->mesh) return rico_fail(ctx, RICO_BAD_ARGUMENT, "part %s has no mesh", name);
    if ((int)given->hypothesis < 0 || given->hypothesis >= RICO_HYPOTHESES)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "part %s: hypothesis %d is none, expected 0 to %d", name,
                         (int)given->hypothesis, RICO_HYPOTHESES - 1);
    const rico_hypothesis_info *hypothesis = &rico_hypotheses[given->hypothesis];
    if (given->mesh->dimension != hypothesis->dimension)
        return rico_fail(ctx, RICO_BAD_INPUT,
                         "part %s: its hypothesis, %s, needs a mesh of dimension %d, and this one has %d",
                         name, hypothesis->name, hypothesis->dimension, given->mesh->dimension);
    if (given->remedy == RICO_REMEDY_BAR && !hypothesis->bar)
        return rico_fail(
            ctx, RICO_UNSUPPORTED,
            "part %s: B-bar cures the locking of nearly incompressible bodies, and %s has none of it", name,
            hypothesis->name);
    if (given->remedy == RICO_REMEDY_MODES && !hypothesis->modes)
        return rico_fail(ctx, RICO_UNSUPPORTED, "part %s: incompatible modes are not for the hypothesis %s",
                         name, hypothesis->name);
    if (given->turning && (given->hypothesis == RICO_ROD || hypothesis->ring))
        return rico_fail(ctx, RICO_UNSUPPORTED, "part %s: a body of the hypothesis %s cannot turn", name,
                         hypothesis->name);
    if (given->turning && given->supports > 0)
        return rico_fail(ctx, RICO_UNSUPPORTED,
                         "part %s turns and has supports: pin its nodes or prescribe their motion", name);
    if (given->turning && given->reduction)
        return rico_fail(ctx, RICO_UNSUPPORTED,
                         "part %s turns and is to be reduced: a reduction needs small rotations", name);
    if (given->massless > 0 && given->reduction)
        return rico_fail(ctx, RICO_UNSUPPORTED,
                         "part %s is to be reduced and has nodes without mass: kept nodes carry what follows "
                         "them; leave one of the two away",
                         name);
    return check_placement(ctx, name, given);
}


static rico_status fill(rico_part *part, const rico_elastic_part *given)
{
    rico_elastic *own = part->data = rico_alloc(part->ctx, 1, sizeof *own);
    if (!own) return RICO_NO_MEMORY;
    int64_t unknowns = 0;
    own->mesh = given->mesh;
    own->hypothesis = &rico_hypotheses[given->hypothesis];
    own->directions = own->hypothesis->directions;
    own->lumped = given->lumped;
    own->turning = given->turning;
    rico_status status = place_nodes(part, given);
    if (status == RICO_OK) status = give_materials(part, given);
    if (status == RICO_OK) status = rico_elastic_adjacency(part);
    if (status == RICO_OK) status = number(part, given, &unknowns);
    if (status == RICO_OK) status = rico_elastic_assemble(part);
    if (status == RICO_OK && own->turning) status = rico_frame_prepare(part);
    if (status == RICO_OK) status = rico_elastic_redistribute(part, given);
    if (status == RICO_OK) status = rico_elastic_bind_loads(part, given);
    own->unknown = own->dof;
    if (status == RICO_OK && given->reduction) status = rico_elastic_reduce(part, given->reduction);
    if (status != RICO_OK) return status;
    part->constant_mass = part->symmetric = part->stiff = part->definite = true;
    part->constant_tangents = part->trusted = !own->turning;
    part->scratch = own->turning ? 3 * unknowns : own->full ? unknowns + own->full->inner : 0;
    part->point_reach = 8 * (int64_t)own->directions; // a face of eight nodes
    return RICO_OK;
}


rico_status rico_system_add_elastic(rico_system *system, const char *name, const rico_elastic_part *given,
                                    rico_place *place)
{
    rico_part *part = NULL;
    rico_status status = check(system->ctx, name, given);
    const rico_part_kind *kind = given->turning ? &rico_elastic_turning_kind : &rico_elastic_kind;
    if (status == RICO_OK) status = rico_part_create(system, name, kind, &part);
    if (status == RICO_OK) status = fill(part, given);
    if (status == RICO_OK) {
        int64_t n = part->pattern.cols;
        status = rico_part_add(system, part, n, n, place);
    }
    if (status != RICO_OK) rico_part_destroy(part);
    return status;
}


const rico_part *rico_elastic_find(const rico_system *system, int64_t part)
{
    if (part < 0 || part >= system->part_count) return NULL;
    const rico_part *found = system->part[part];
    return found->kind == &rico_elastic_kind || found->kind == &rico_elastic_turning_kind ? found : NULL;
}


int64_t rico_elastic_velocity(const rico_system *system, int64_t part, int64_t node, int direction)
{
    const rico_part *found = rico_elastic_find(system, part);
    const rico_elastic *own = found ? found->data : NULL;
    if (!own || node < 0 || node >= own->mesh->nodes || direction < 0 || direction >= own->directions)
        return -1;
    int64_t at = own->unknown[node * own->directions + direction];
    return at < 0 ? -1 : found->place.v + at;
}
