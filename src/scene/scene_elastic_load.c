// Loads of an elastic part by formulas of t and the place at rest, and its weight.
//
// Where a component depends on t alone it is handed to the model as a unit load with a history, and where nothing depends on t as a steady
// function: then space is integrated once.

#include "scene/scene_elastic.h"

#include <string.h>

rico_status rico_scene_field_formula(rico_scene *scene, const rico_node *node, const char *note,
                                     rico_formula **out)
{
    const rico_symbol symbol[] = {{.name = "t", .kind = RICO_SYMBOL_VARIABLE, .slot = 0},
                                  {.name = "x", .kind = RICO_SYMBOL_VARIABLE, .slot = 1},
                                  {.name = "y", .kind = RICO_SYMBOL_VARIABLE, .slot = 2},
                                  {.name = "z", .kind = RICO_SYMBOL_VARIABLE, .slot = 3},
                                  {.name = note, .kind = RICO_SYMBOL_NOTE}};
    const rico_scope scope = {5, symbol, &scene->parameters.scope};
    rico_status status = rico_document_formula(scene->document, node, &scope, out);
    if (status == RICO_OK && rico_formula_work(*out, 1, 4) > RICO_FIELD_WORK)
        status = rico_document_fail(scene->document, node, "the formula is nested too deeply for a mesh");
    return status;
}


bool rico_scene_reads(const rico_formula *formula, int64_t low, int64_t high)
{
    int64_t count;
    const int64_t *slot = formula ? rico_formula_slots(formula, &count) : NULL;
    for (int64_t i = 0; slot && i < count; i++)
        if (slot[i] >= low && slot[i] <= high) return true;
    return false;
}


void rico_elastic_field_destroy(rico_context *ctx, rico_elastic_field *field)
{
    if (!field) return;
    for (int i = 0; i < 3; i++) rico_formula_destroy(field->value[i]);
    rico_formula_destroy(field->times);
    rico_free(ctx, field);
}


// --- functions of the model ------------------------------------------------------------------------------------

static double value_of(const rico_formula *formula, double t, const double *x)
{
    const double variables[4] = {t, x[0], x[1], x[2]};
    double work[RICO_FIELD_WORK];
    return formula ? rico_formula_value(formula, variables, work) : 0.0;
}


static bool place(void *user, double t, const double *x, double *value)
{
    const rico_elastic_share *share = user;
    for (int i = 0; i < 3; i++) value[i] = value_of(share->field->value[i], t, x);
    return true;
}


static bool history(void *user, double t, double *factor)
{
    const rico_elastic_share *share = user;
    const double nowhere[3] = {0.0};
    *factor = share->only >= 0 ? value_of(share->field->value[share->only], t, nowhere) : 1.0;
    if (share->field->times) *factor *= value_of(share->field->times, t, nowhere);
    return true;
}


// --- reading -----------------------------------------------------------------------------------------------------

static rico_status keep_load(rico_scene *scene, rico_scene_elastic *own, const rico_elastic_load *load)
{
    if (own->given.loads == own->load_room) {
        int64_t more = 2 * own->load_room + 8;
        rico_elastic_load *grown = rico_grow(scene->ctx, own->load, own->given.loads, more, sizeof *grown);
        if (!grown) return RICO_NO_MEMORY;
        own->load = grown;
        own->load_room = more;
    }
    own->load[own->given.loads++] = *load;
    own->given.load = own->load;
    return RICO_OK;
}


static rico_status add_share(rico_scene_elastics *all, rico_scene_elastic *own,
                             const rico_elastic_field *field, int only, rico_elastic_load load)
{
    rico_context *ctx = all->scene->ctx;
    rico_elastic_share *share = rico_alloc(ctx, 1, sizeof *share);
    if (!share) return RICO_NO_MEMORY;
    *share = (rico_elastic_share){field, only};
    rico_status status =
        rico_scene_keep(ctx, (void *)&all->share, &all->share_count, &all->share_room, share);
    if (status != RICO_OK) {
        rico_free(ctx, share);
        return status;
    }
    load.user = share;
    if (only >= 0) {
        load.value[only] = 1.0;
    } else {
        load.function = place;
        load.steady = true;
        for (int i = 0; i < 3; i++)
            if (rico_scene_reads(field->value[i], 0, 0)) load.steady = false;
    }
    if (only >= 0 || field->times) load.history = history;
    return keep_load(all->scene, own, &load);
}


// What is a function of t alone goes component by component, what is not as a whole.
static rico_status add_field(rico_scene_elastics *all, rico_scene_elastic *own,
                             const rico_elastic_field *field, const rico_elastic_load *load)
{
    bool spread = false, lasts = true;
    for (int i = 0; i < 3; i++) {
        spread |= rico_scene_reads(field->value[i], 1, 3);
        lasts &= !rico_scene_reads(field->value[i], 0, 0);
    }
    if (spread || lasts) return add_share(all, own, field, -1, *load);
    rico_status status = RICO_OK;
    for (int i = 0; status == RICO_OK && i < 3; i++)
        if (field->value[i]) status = add_share(all, own, field, i, *load);
    return status;
}


static const char NOTE[] = "a load may depend on t, on x, y, z of the part at rest and on the parameters";

static rico_status read_values(rico_scene *scene, const rico_scene_elastic *own, const rico_node *node,
                               const rico_node *given, rico_elastic_field *field)
{
    if (given->kind != RICO_NODE_LIST) return rico_scene_field_formula(scene, given, NOTE, &field->value[0]);
    // a rod may lie anywhere in space: its loads are vectors of the world
    if (own->given.hypothesis == RICO_ROD ? given->count > 3 : given->count != own->dimension)
        return rico_document_fail(scene->document, given,
                                  "'%s' of load '%s' has %lld formulas, expected %d: one for each axis",
                                  given->key, node->key, (long long)given->count, own->dimension);
    rico_status status = RICO_OK;
    int i = 0;
    for (const rico_node *child = given->first; status == RICO_OK && child; child = child->next)
        status = rico_scene_field_formula(scene, child, NOTE, &field->value[i++]);
    return status;
}


static rico_status check_on(rico_scene *scene, const rico_scene_elastic *own, const rico_node *node,
                            const rico_node *on, rico_elastic_load *load)
{
    int64_t index = 0;
    if (!on && load->kind == RICO_LOAD_BODY) return RICO_OK;
    if (!on)
        return rico_document_fail_key(scene->document, node,
                                      "load '%s' needs a group to act on; add 'on: ...'", node->key);
    rico_status status = rico_scene_check_group(scene, own, on, false, on->text, &index);
    if (status != RICO_OK) return status;
    rico_mesh_group group = rico_mesh_group_at(own->mesh, index);
    int dimension = rico_mesh_look(own->mesh).dimension;
    load->group = group.name;
    if (load->kind == RICO_LOAD_NODAL) return RICO_OK;
    int wanted = load->kind == RICO_LOAD_BODY ? dimension : dimension - 1;
    if (group.dimension == wanted) return RICO_OK;
    return rico_document_fail(scene->document, on,
                              "load '%s' acts on %s, and the cells of group '%s' are of dimension %d, not %d",
                              node->key, load->kind == RICO_LOAD_BODY ? "elements" : "faces of elements",
                              group.name, group.dimension, wanted);
}


static rico_status read_load(rico_scene_elastics *all, rico_scene_elastic *own, const rico_node *node)
{
    static const struct {
        const char *key;
        rico_elastic_load_kind kind;
    } KINDS[] = {{"traction", RICO_LOAD_TRACTION},
                 {"pressure", RICO_LOAD_PRESSURE},
                 {"body", RICO_LOAD_BODY},
                 {"force", RICO_LOAD_NODAL}};
    rico_scene *scene = all->scene;
    const rico_node *given = NULL, *times = rico_node_at(node, "times");
    rico_elastic_load load = {0};
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS && !given; i++) {
        given = rico_node_at(node, KINDS[i].key);
        load.kind = KINDS[i].kind;
    }
    if (load.kind == RICO_LOAD_PRESSURE && own->given.turning)
        return rico_document_fail_key(
            scene->document, given,
            "a pressure turns with the faces, and a part with large rotations takes "
            "none; use 'traction'");
    rico_elastic_field *field = rico_alloc(scene->ctx, 1, sizeof *field);
    if (!field) return RICO_NO_MEMORY;
    rico_status status =
        rico_scene_keep(scene->ctx, (void *)&all->field, &all->field_count, &all->field_room, field);
    if (status != RICO_OK) {
        rico_free(scene->ctx, field);
        return status;
    }
    status = check_on(scene, own, node, rico_node_at(node, "on"), &load);
    if (status == RICO_OK) status = read_values(scene, own, node, given, field);
    if (status == RICO_OK && times) status = rico_scene_field_formula(scene, times, NOTE, &field->times);
    if (status == RICO_OK && rico_scene_reads(field->times, 1, 3))
        status = rico_document_fail(scene->document, times,
                                    "'times' of load '%s' depends on a place; it may on t alone", node->key);
    return status == RICO_OK ? add_field(all, own, field, &load) : status;
}


// rho g on the elements of each material.
static rico_status add_weight(rico_scene_elastics *all, rico_scene_elastic *own)
{
    rico_scene *scene = all->scene;
    const rico_node *node = rico_node_at(rico_document_root(scene->document), "gravity");
    double g[3];
    if (!node) return RICO_OK;
    int axes = own->given.hypothesis == RICO_ROD ? (int)node->count : own->dimension;
    rico_status status = rico_scene_read_vector(scene, node, axes, g);
    for (int64_t i = 0; status == RICO_OK && i < own->given.materials; i++) {
        const rico_elastic_material *material = &own->material[i];
        rico_elastic_load load = {.kind = RICO_LOAD_BODY, .group = material->group};
        for (int k = 0; k < 3; k++) load.value[k] = material->density * g[k];
        status = keep_load(scene, own, &load);
    }
    return status;
}


rico_status rico_scene_read_loads(rico_scene_elastics *all, rico_scene_elastic *own)
{
    const rico_node *loads = rico_node_at(own->node, "loads");
    rico_status status = add_weight(all, own);
    for (const rico_node *child = loads ? loads->first : NULL; status == RICO_OK && child;
         child = child->next)
        status = rico_scene_place(all->scene, child, read_load(all, own, child));
    return status;
}
