// The initial state of a scene: values by the names of coordinates and parts.

#include "base/suggest.h"
#include "scene/matrix.h"
#include "scene/scene_bodies.h"

#include <math.h>
#include <string.h>

// An i that is read as the index must not hide a parameter.
static rico_status check_index(rico_scene *scene, const rico_node *node, const rico_formula *formula)
{
    int64_t reads;
    rico_formula_slots(formula, &reads);
    for (int64_t p = 0; reads > 0 && p < scene->parameters.count; p++)
        if (strcmp(scene->parameters.symbol[p].name, "i") == 0)
            return rico_document_fail(
                scene->document, node,
                "'i' is the index 0, 1, ... here, and hides the parameter of that name; rename the "
                "parameter");
    return RICO_OK;
}


// Values of a formula of i, which must be finite.
static rico_status tabulate(rico_scene *scene, rico_node *node, const char *what, int64_t count, double *x)
{
    const rico_symbol symbol[] = {
        {.name = "i", .kind = RICO_SYMBOL_VARIABLE, .slot = 0},
        {.name = "it may depend on the index i and the parameters", .kind = RICO_SYMBOL_NOTE}};
    const rico_scope scope = {2, symbol, &scene->parameters.scope};
    rico_formula *formula = NULL;
    rico_status status = rico_document_formula(scene->document, node, &scope, &formula);
    if (status == RICO_OK) status = check_index(scene, node, formula);
    if (status != RICO_OK) {
        rico_formula_destroy(formula);
        return status;
    }
    double *work = rico_alloc(scene->ctx, rico_formula_work(formula, 0, 0), sizeof *work);
    if (!work) status = RICO_NO_MEMORY;
    for (int64_t k = 0; status == RICO_OK && k < count; k++) {
        double i = (double)k;
        x[k] = rico_formula_value(formula, &i, work);
        if (!isfinite(x[k]))
            status = rico_document_fail(scene->document, node, "'%s' is %g for i = %lld", what, x[k],
                                        (long long)k);
    }
    rico_free(scene->ctx, work);
    rico_formula_destroy(formula);
    return status;
}


rico_status rico_scene_indexed(rico_scene *scene, rico_node *node, const char *what, int64_t count, double *x)
{
    rico_document *document = scene->document;
    if (node->kind == RICO_NODE_SCALAR) return tabulate(scene, node, what, count, x);
    int64_t given;
    double *value = NULL;
    rico_status status = rico_vector_read(document, node, &given, &value);
    if (status == RICO_OK && given != count)
        status = rico_document_fail(document, node, "'%s' has %lld values, expected %lld", what,
                                    (long long)given, (long long)count);
    if (status == RICO_OK) memcpy(x, value, (size_t)count * sizeof *x);
    rico_free(scene->ctx, value);
    return status;
}


// Names that a part answers to: those of its coordinates, or as "state" those of a first-order part.
static const char **names_of(const rico_scene_part *part, bool state)
{
    return state == part->first_order ? (state ? part->velocity : part->coordinate) : NULL;
}


static rico_status read_entry(rico_scene *scene, rico_node *node, const char *what, bool state, double *x)
{
    rico_suggestion near;
    char hint[RICO_SUGGEST_SENTENCE];
    rico_suggest_start(&near, node->key);
    for (int64_t p = 0; p < scene->part_count; p++) {
        const rico_scene_part *part = scene->part[p];
        const char **name = names_of(part, state);
        if (!part->coordinate && !state) {
            if (strcmp(part->name, node->key) == 0)
                return rico_scene_indexed(scene, node, part->name, part->n, x + part->place.q);
            rico_suggest_offer(&near, part->name);
        }
        for (int64_t i = 0; name && i < part->n; i++) {
            if (strcmp(name[i], node->key) == 0)
                return rico_document_real(scene->document, node, &x[part->place.q + i]);
            rico_suggest_offer(&near, name[i]);
        }
    }
    return rico_document_fail_key(scene->document, node, "'%s' in the initial %s is no %s%s", node->key, what,
                                  state ? "state" : "coordinate", rico_suggest_sentence(&near, "", hint));
}


static rico_status read_state(rico_scene *scene, rico_node *node, const char *what, bool state, double *x)
{
    if (!node) return RICO_OK;
    if (node->kind != RICO_NODE_MAPPING)
        return rico_document_fail(scene->document, node, "the initial %s must be a mapping from %s to values",
                                  what, state ? "states" : "coordinates");
    for (rico_node *child = node->first; child; child = child->next) {
        rico_status status = read_entry(scene, child, what, state, x);
        if (status != RICO_OK) return status;
    }
    return RICO_OK;
}


rico_status rico_scene_build_initial(rico_scene *scene, rico_node *root)
{
    rico_node *node = rico_node_at(root, "initial");
    scene->q = rico_alloc(scene->ctx, rico_system_positions(scene->system), sizeof *scene->q);
    scene->v = rico_alloc(scene->ctx, rico_system_velocities(scene->system), sizeof *scene->v);
    if (!scene->q || !scene->v) return RICO_NO_MEMORY;
    if (scene->bodies)
        rico_bodies_start(scene->bodies->set, scene->q + scene->bodies->place.q,
                          scene->v + scene->bodies->place.v);
    rico_status status = rico_scene_start_elastics(scene);
    if (status == RICO_OK)
        status = read_state(scene, rico_node_at(node, "position"), "position", false, scene->q);
    if (status == RICO_OK)
        status = read_state(scene, rico_node_at(node, "velocity"), "velocity", false, scene->v);
    if (status == RICO_OK) status = read_state(scene, rico_node_at(node, "state"), "state", true, scene->v);
    return status;
}
