// Elastic parts of a scene: mesh, model, materials, supports, where they stand and how they start.

#include "scene/scene_elastic.h"

#include "base/suggest.h"
#include "la/mat3.h"
#include "la/quaternion.h"
#include "la/vec3.h"
#include "model/elastic.h"
#include "model/system.h"

#include <stdio.h>
#include <string.h>

// --- life --------------------------------------------------------------------------------------------------------

static void destroy_part(rico_context *ctx, rico_scene_elastic *own)
{
    if (!own) return;
    rico_mesh_destroy(own->mesh);
    void *all[] = {own->material,   own->support,          own->load,        own->X, own->motion,
                   (void *)own->by, (void *)own->massless, (void *)own->keep};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
    rico_free(ctx, own);
}


void rico_scene_elastics_destroy(rico_scene_elastics *all)
{
    if (!all) return;
    rico_context *ctx = all->scene->ctx;
    for (int64_t i = 0; i < all->count; i++) destroy_part(ctx, all->part[i]);
    for (int64_t i = 0; i < all->field_count; i++) rico_elastic_field_destroy(ctx, all->field[i]);
    for (int64_t i = 0; i < all->share_count; i++) rico_free(ctx, all->share[i]);
    for (int64_t i = 0; i < all->formula_count; i++) rico_formula_destroy(all->formula[i]);
    for (int64_t i = 0; i < all->touch_count; i++) rico_scene_touch_destroy(ctx, all->touch[i]);
    for (int64_t i = 0; i < all->probe_count; i++) rico_scene_probe_destroy(ctx, all->probe[i]);
    rico_scene_bodies_destroy(all->obstacles);
    void *lists[] = {(void *)all->part,    (void *)all->field, (void *)all->share,
                     (void *)all->formula, (void *)all->touch, (void *)all->probe};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) rico_free(ctx, lists[i]);
    rico_free(ctx, all);
}


// --- names -------------------------------------------------------------------------------------------------------

rico_status rico_scene_check_label(rico_scene *scene, const rico_node *node)
{
    static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    size_t length = strlen(node->key);
    if (length > 0 && length <= 60 && strspn(node->key, LETTERS) == length) return RICO_OK;
    return rico_document_fail_key(
        scene->document, node, "'%.60s' cannot name columns of results; use 1 to 60 letters, digits, _ and -",
        node->key);
}


rico_status rico_scene_check_group(rico_scene *scene, const rico_scene_elastic *own, const rico_node *node,
                                   bool by_key, const char *name, int64_t *index)
{
    rico_suggestion near;
    char hint[RICO_SUGGEST_SENTENCE], known[160] = "";
    size_t used = 0;
    int64_t groups = rico_mesh_look(own->mesh).groups;
    *index = rico_mesh_group_find(own->mesh, name ? name : "");
    if (*index >= 0) return RICO_OK;
    rico_suggest_start(&near, name ? name : "");
    for (int64_t g = 0; g < groups; g++) {
        const char *other = rico_mesh_group_at(own->mesh, g).name;
        rico_suggest_offer(&near, other);
        if (used + strlen(other) + 3 < sizeof known)
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", other);
    }
    const char *sentence = rico_suggest_sentence(&near, "", hint);
    return (by_key ? rico_document_fail_key : rico_document_fail)(
        scene->document, node, "the mesh of part '%s' has no group '%.60s'%s%s", own->node->key,
        name ? name : "",
        *sentence    ? sentence
        : groups > 0 ? "; it has "
                     : "; it has none",
        *sentence ? "" : known);
}


rico_status rico_scene_find_elastic(const rico_scene *scene, const rico_node *name, size_t length,
                                    const rico_scene_elastic **part)
{
    const rico_scene_elastics *all = scene->elastics;
    rico_suggestion near;
    char hint[RICO_SUGGEST_SENTENCE], word[RICO_SCENE_NAME];
    snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1), name->text);
    rico_suggest_start(&near, word);
    for (int64_t i = 0; all && i < all->count; i++) {
        *part = all->part[i];
        if (strcmp((*part)->node->key, word) == 0) return RICO_OK;
        rico_suggest_offer(&near, (*part)->node->key);
    }
    return rico_document_fail(scene->document, name, "there is no elastic part '%.60s'%s", word,
                              rico_suggest_sentence(&near, "", hint));
}


rico_status rico_scene_find_group(const rico_scene *scene, const rico_node *name,
                                  const rico_scene_elastic **part, const char **group)
{
    const char *dot = name->text ? strchr(name->text, '.') : NULL;
    int64_t index = 0;
    if (!dot || dot == name->text || !dot[1])
        return rico_document_fail(scene->document, name,
                                  "'%.60s' names no group of an elastic part; write PART.GROUP",
                                  name->text ? name->text : "");
    rico_status status = rico_scene_find_elastic(scene, name, (size_t)(dot - name->text), part);
    if (status == RICO_OK)
        status = rico_scene_check_group((rico_scene *)scene, *part, name, false, dot + 1, &index);
    if (status == RICO_OK) *group = rico_mesh_group_at((*part)->mesh, index).name;
    return status;
}


rico_status rico_scene_group_nodes(rico_context *ctx, const rico_mesh *mesh, int64_t group, int64_t *count,
                                   int64_t **nodes)
{
    rico_mesh_view view = rico_mesh_look(mesh);
    rico_mesh_group of = rico_mesh_group_at(mesh, group);
    bool *met = rico_alloc(ctx, view.nodes, sizeof *met);
    int64_t *list = rico_alloc(ctx, view.nodes, sizeof *list), found = 0;
    if (!met || !list) {
        rico_free(ctx, met);
        rico_free(ctx, list);
        return RICO_NO_MEMORY;
    }
    for (int64_t k = 0; k < of.count; k++)
        for (int64_t i = view.start[of.cell[k]]; i < view.start[of.cell[k] + 1]; i++) {
            if (!met[view.node[i]]) list[found++] = view.node[i];
            met[view.node[i]] = true;
        }
    rico_free(ctx, met);
    *count = found;
    *nodes = list;
    return RICO_OK;
}


// --- model and place ---------------------------------------------------------------------------------------------

static int choice_of(const rico_node *node, const char *const *names)
{
    int i = 0;
    while (names[i] && strcmp(names[i], node->text) != 0) i++;
    return i;
}


// What the mesh stands for: given, or the only thing that it can be.
static rico_status read_model(rico_scene *scene, rico_scene_elastic *own)
{
    static const char *const REMEDIES[] = {"none", "bar", "modes", NULL};
    const rico_node *node = own->node, *model = rico_node_at(node, "model");
    int dimension = rico_mesh_look(own->mesh).dimension;
    rico_hypothesis hypothesis = dimension == 3 ? RICO_SOLID : RICO_ROD;
    if (!model && dimension == 2)
        return rico_document_fail_key(
            scene->document, node,
            "the mesh of part '%s' lies in the plane; add 'model: plane strain', 'plane stress' or "
            "'axisymmetric'",
            node->key);
    for (int i = 0; model && i < RICO_HYPOTHESES; i++)
        if (strcmp(rico_hypothesis_name((rico_hypothesis)i), model->text) == 0)
            hypothesis = (rico_hypothesis)i;
    int needs = hypothesis == RICO_ROD ? 1 : hypothesis == RICO_SOLID ? 3 : 2;
    if (needs != dimension)
        return rico_document_fail(scene->document, model ? model : node,
                                  "the model '%s' needs a mesh of dimension %d, and that of part '%s' has %d",
                                  rico_hypothesis_name(hypothesis), needs, node->key, dimension);
    own->given = rico_elastic_default(own->mesh, hypothesis);
    own->dimension = own->directions = dimension;
    own->given.remedy = (rico_remedy)choice_of(rico_node_at(node, "remedy"), REMEDIES);
    own->given.lumped = strcmp(rico_node_at(node, "mass")->text, "lumped") == 0;
    own->given.turning = strcmp(rico_node_at(node, "rotations")->text, "large") == 0;
    return rico_document_real(scene->document, rico_node_at(node, "strain-limit"), &own->strain_limit);
}


static rico_status read_placement(rico_scene *scene, rico_scene_elastic *own)
{
    const rico_node *position = rico_node_at(own->node, "position");
    int axes = own->dimension > 1 ? own->dimension : position ? (int)position->count : 3;
    rico_stand stand;
    rico_mesh_view view = rico_mesh_look(own->mesh);
    rico_status status = rico_scene_read_stand(scene, own->node, axes, &stand);
    if (status != RICO_OK) return status;
    rico_vec3_copy(stand.position, own->given.position);
    rico_quaternion_to_matrix(stand.orientation, own->given.rotation);
    own->X = rico_alloc(scene->ctx, 3 * view.nodes, sizeof *own->X);
    if (!own->X) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < view.nodes; i++) {
        rico_mat3_times(own->given.rotation, view.position + 3 * i, own->X + 3 * i);
        rico_vec3_add(own->X + 3 * i, own->given.position, own->X + 3 * i);
    }
    return RICO_OK;
}


// --- materials ---------------------------------------------------------------------------------------------------

static rico_status read_orthotropic(rico_scene *scene, const rico_node *node, int dimension,
                                    rico_elastic_material *out)
{
    rico_stand axes;
    double turn[9];
    out->young = 0.0;
    rico_status status = rico_scene_read_vector(scene, rico_node_at(node, "young"), 3, out->youngs);
    if (status == RICO_OK)
        status = rico_scene_read_vector(scene, rico_node_at(node, "poisson"), 3, out->poissons);
    if (status == RICO_OK)
        status = rico_scene_read_vector(scene, rico_node_at(node, "shear"), 3, out->shears);
    if (status == RICO_OK) status = rico_scene_read_stand(scene, node, dimension == 2 ? 2 : 3, &axes);
    if (status != RICO_OK) return status;
    rico_quaternion_to_matrix(axes.orientation, turn);
    rico_mat3_transpose(turn, out->axes);
    return RICO_OK;
}


static rico_status read_material(rico_scene *scene, const rico_scene_elastic *own, const rico_node *node,
                                 rico_elastic_material *out)
{
    rico_document *document = scene->document;
    const rico_node *young = rico_node_at(node, "young"), *poisson = rico_node_at(node, "poisson"),
                    *axes = rico_node_at(node, "orthotropic"), *damping = rico_node_at(node, "damping");
    *out = rico_elastic_material_default();
    if (axes && !poisson->standard)
        return rico_document_fail_key(document, poisson,
                                      "'poisson' belongs to 'young'; 'orthotropic' has ratios of its own");
    rico_status status = young ? rico_document_real(document, young, &out->young) : RICO_OK;
    if (status == RICO_OK) status = rico_document_real(document, poisson, &out->poisson);
    if (status == RICO_OK && axes) status = read_orthotropic(scene, axes, own->dimension, out);
    if (status == RICO_OK)
        status = rico_document_real(document, rico_node_at(node, "density"), &out->density);
    if (status == RICO_OK)
        status = rico_document_real(document, rico_node_at(node, "thickness"), &out->thickness);
    if (status == RICO_OK && damping)
        status = rico_document_real(document, rico_node_at(damping, "alpha"), &out->alpha);
    if (status == RICO_OK && damping)
        status = rico_document_real(document, rico_node_at(damping, "beta"), &out->beta);
    return status;
}


static rico_status read_materials(rico_scene *scene, rico_scene_elastic *own)
{
    const rico_node *one = rico_node_at(own->node, "material"),
                    *several = rico_node_at(own->node, "materials");
    own->material = rico_alloc(scene->ctx, one ? 1 : several->count, sizeof *own->material);
    if (!own->material) return RICO_NO_MEMORY;
    own->given.material = own->material;
    own->given.materials = one ? 1 : several->count;
    if (one) return read_material(scene, own, one, &own->material[0]);
    rico_status status = RICO_OK;
    int64_t i = 0, group = 0;
    for (const rico_node *child = several->first; status == RICO_OK && child; child = child->next, i++) {
        status = rico_scene_check_group(scene, own, child, true, child->key, &group);
        if (status == RICO_OK) status = read_material(scene, own, child, &own->material[i]);
        if (status == RICO_OK) own->material[i].group = rico_mesh_group_at(own->mesh, group).name;
    }
    return status;
}


// --- supports ----------------------------------------------------------------------------------------------------

static rico_status refuse_direction(rico_scene *scene, const rico_scene_elastic *own, const rico_node *node)
{
    return rico_document_fail(scene->document, node,
                              "'%.40s' is no direction in which part '%s' can be fixed; write %s, or all",
                              node->text ? node->text : "", own->node->key,
                              own->directions == 1   ? "x"
                              : own->directions == 2 ? "x, y"
                                                     : "x, y, z");
}


static rico_status read_directions(rico_scene *scene, const rico_scene_elastic *own, const rico_node *node,
                                   unsigned *out)
{
    static const char *const AXES[] = {"x", "y", "z"};
    const rico_node *first = node->kind == RICO_NODE_LIST ? node->first : node;
    if (node->kind == RICO_NODE_MAPPING || !first)
        return rico_document_fail(scene->document, node,
                                  "'%s' must be a list of directions; write '%s: [x, y]' or '%s: all'",
                                  node->key, node->key, node->key);
    for (const rico_node *child = first; child; child = node->kind == RICO_NODE_LIST ? child->next : NULL) {
        int axis = -1;
        for (int i = 0; i < 3 && i < own->directions; i++)
            if (child->text && strcmp(child->text, AXES[i]) == 0) axis = i;
        if (child->text && strcmp(child->text, "all") == 0)
            *out |= (1U << own->directions) - 1U;
        else if (axis < 0)
            return refuse_direction(scene, own, child);
        else
            *out |= 1U << axis;
    }
    return RICO_OK;
}


static rico_status read_fixed(rico_scene *scene, rico_scene_elastic *own)
{
    const rico_node *fixed = rico_node_at(own->node, "fixed");
    int64_t i = 0, group = 0;
    if (!fixed) return RICO_OK;
    if (fixed->kind != RICO_NODE_MAPPING || fixed->count == 0)
        return rico_document_fail(scene->document, fixed,
                                  "'fixed' must be a mapping from groups to directions; write "
                                  "'fixed: {left: [x, y]}'");
    if (own->given.turning)
        return rico_document_fail_key(
            scene->document, fixed,
            "part '%s' has large rotations and cannot be 'fixed'; use 'moved' with displacements of 0",
            own->node->key);
    own->support = rico_alloc(scene->ctx, fixed->count, sizeof *own->support);
    if (!own->support) return RICO_NO_MEMORY;
    own->given.support = own->support;
    rico_status status = RICO_OK;
    for (const rico_node *child = fixed->first; status == RICO_OK && child; child = child->next, i++) {
        status = rico_scene_check_group(scene, own, child, true, child->key, &group);
        if (status == RICO_OK) status = read_directions(scene, own, child, &own->support[i].directions);
        if (status == RICO_OK) own->support[i].group = rico_mesh_group_at(own->mesh, group).name;
        own->given.supports = i + 1;
    }
    return status;
}


// --- nodes without mass ------------------------------------------------------------------------------------------

static rico_status read_massless(rico_scene *scene, rico_scene_elastic *own)
{
    const rico_node *node = rico_node_at(own->node, "massless");
    if (!node) return RICO_OK;
    bool list = node->kind == RICO_NODE_LIST;
    if (node->kind == RICO_NODE_MAPPING)
        return rico_document_fail(scene->document, node,
                                  "'massless' must be a group of the mesh or a list of them; write "
                                  "'massless: bottom' or 'massless: [left, right]'");
    if (list && node->count == 0) return RICO_OK;
    own->massless = rico_alloc(scene->ctx, list ? node->count : 1, sizeof *own->massless);
    if (!own->massless) return RICO_NO_MEMORY;
    own->given.massless_group = own->massless;
    rico_status status = RICO_OK;
    for (const rico_node *child = list ? node->first : node; status == RICO_OK && child;
         child = list ? child->next : NULL) {
        int64_t group = 0;
        status = rico_scene_check_group(scene, own, child, false, child->text ? child->text : "", &group);
        if (status == RICO_OK)
            own->massless[own->given.massless++] = rico_mesh_group_at(own->mesh, group).name;
    }
    return status;
}


// --- start -------------------------------------------------------------------------------------------------------

// The velocity v of all nodes of a reduced part: that of its fields which is nearest.
static rico_status start_reduced(rico_scene *scene, const rico_scene_elastic *own, const rico_elastic *inside,
                                 const double v[3])
{
    double *field = rico_alloc(scene->ctx, 3 * inside->mesh->nodes, sizeof *field);
    if (!field) return RICO_NO_MEMORY;
    for (int64_t k = 0; k < inside->used; k++)
        for (int i = 0; i < own->directions; i++)
            rico_vec3_add_scaled(v[i], inside->axis + 3 * i, field + 3 * inside->used_node[k]);
    rico_status status =
        rico_elastic_fit(scene->system, scene->ctx, own->part, field, scene->v + own->place.v);
    rico_free(scene->ctx, field);
    return status;
}


// Velocities of all nodes at the start: one and the same, and a spin about the centre.
static rico_status start_part(rico_scene *scene, const rico_scene_elastic *own)
{
    const rico_node *velocity = rico_node_at(own->node, "velocity"), *spin = rico_node_at(own->node, "spin");
    const rico_elastic *inside = scene->system->part[own->part]->data;
    double v[3] = {0.0}, w[3] = {0.0}, arm[3], turn[3];
    rico_status status = RICO_OK;
    if (velocity) status = rico_scene_read_vector(scene, velocity, own->directions, v);
    if (status == RICO_OK && spin && !own->given.turning)
        return rico_document_fail_key(scene->document, spin,
                                      "part '%s' has small rotations, and a 'spin' makes them large; add "
                                      "'rotations: large'",
                                      own->node->key);
    if (status == RICO_OK && spin)
        status = own->dimension == 2 ? rico_document_real(scene->document, spin, &w[2])
                                     : rico_scene_read_vector(scene, spin, 3, w);
    if (status == RICO_OK && velocity && inside->full) return start_reduced(scene, own, inside, v);
    for (int64_t k = 0; status == RICO_OK && (velocity || spin) && k < inside->used; k++) {
        int64_t node = inside->used_node[k];
        rico_vec3_set(0.0, 0.0, 0.0, arm);
        for (int i = 0; spin && i < own->directions; i++) arm[i] = inside->arm[3 * k + i];
        rico_vec3_cross(w, arm, turn);
        for (int i = 0; i < own->directions; i++) {
            int64_t dof = rico_elastic_velocity(scene->system, own->part, node, i);
            if (dof >= 0) scene->v[dof] = v[i] + turn[i];
        }
    }
    return status;
}


rico_status rico_scene_start_elastics(rico_scene *scene)
{
    if (!scene->elastics) return RICO_OK;
    rico_status status = RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i < scene->elastics->count; i++)
        status = start_part(scene, scene->elastics->part[i]);
    if (status == RICO_OK)
        rico_scene_start_moved(scene, rico_scene_times(scene).start,
                               !rico_scheme_find(rico_scene_scheme(scene))->statics);
    return status;
}


// --- building ----------------------------------------------------------------------------------------------------

static rico_status build_part(rico_scene_elastics *all, rico_scene_elastic *own)
{
    rico_scene *scene = all->scene;
    const rico_node *node = own->node;
    rico_status status = rico_formula_check_name(scene->ctx, node->key);
    if (status == RICO_OK) status = rico_scene_read_mesh(scene, rico_node_at(node, "mesh"), &own->mesh);
    if (status == RICO_OK) status = rico_scene_read_points(scene, own);
    if (status == RICO_OK) status = read_model(scene, own);
    if (status == RICO_OK) status = read_placement(scene, own);
    if (status == RICO_OK) status = read_materials(scene, own);
    if (status == RICO_OK) status = read_fixed(scene, own);
    if (status == RICO_OK) status = read_massless(scene, own);
    if (status == RICO_OK) status = rico_scene_read_loads(all, own);
    if (status == RICO_OK) status = rico_scene_read_reduction(scene, own);
    own->part = scene->system->part_count;
    if (status == RICO_OK)
        status = rico_system_add_elastic(scene->system, node->key, &own->given, &own->place);
    return status;
}


rico_status rico_scene_build_elastics(rico_scene *scene, const rico_node *root)
{
    const rico_node *list = rico_node_at(root, "elastic");
    if (!list) return RICO_OK;
    rico_scene_elastics *all = rico_alloc(scene->ctx, 1, sizeof *all);
    if (!all) return RICO_NO_MEMORY;
    all->scene = scene;
    scene->elastics = all;
    for (const rico_node *child = list->first; child; child = child->next) {
        rico_scene_elastic *own = rico_alloc(scene->ctx, 1, sizeof *own);
        if (!own) return RICO_NO_MEMORY;
        own->node = child;
        rico_status status = rico_scene_keep(scene->ctx, (void *)&all->part, &all->count, &all->room, own);
        if (status != RICO_OK) {
            rico_free(scene->ctx, own);
            return status;
        }
        status = build_part(all, own);
        if (status == RICO_OK) status = rico_scene_build_moved(all, own);
        if (status != RICO_OK) return rico_scene_place(scene, child, status);
    }
    return RICO_OK;
}


// --- for programs and results ------------------------------------------------------------------------------------

int64_t rico_scene_elastic_count(const rico_scene *scene)
{
    return scene->elastics ? scene->elastics->count : 0;
}


const rico_elastic_part *rico_scene_elastic_part(const rico_scene *scene, int64_t index, const char **name,
                                                 int64_t *part, rico_place *place)
{
    if (index < 0 || index >= rico_scene_elastic_count(scene)) return NULL;
    const rico_scene_elastic *own = scene->elastics->part[index];
    if (name) *name = own->node->key;
    if (part) *part = own->part;
    if (place) *place = own->place;
    return &own->given;
}


double rico_scene_strain_limit(const rico_scene *scene, int64_t index)
{
    return scene->elastics->part[index]->strain_limit;
}


int64_t rico_scene_name_run(const rico_scene *scene, int64_t index, bool velocity, char name[RICO_SCENE_NAME])
{
    for (int64_t i = 0; i < rico_scene_elastic_count(scene); i++) {
        const rico_place *place = &scene->elastics->part[i]->place;
        int64_t first = velocity ? place->v : place->q, size = velocity ? place->v_size : place->q_size;
        if (index != first || size < 2) continue;
        snprintf(name, RICO_SCENE_NAME, "%s%.60s[0..%lld]", velocity ? "v_" : "",
                 scene->elastics->part[i]->node->key, (long long)size - 1);
        return size;
    }
    (velocity ? rico_scene_velocity_name : rico_scene_position_name)(scene, index, name);
    return 1;
}
