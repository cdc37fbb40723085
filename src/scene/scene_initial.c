// The initial state of a scene: values by the names of coordinates and parts.

#include "base/suggest.h"
#include "scene/matrix.h"
#include "scene/scene_private.h"

#include <string.h>

// A part known by indices: one number for all, a list, or a file.
static rico_status read_part(rico_scene *scene, rico_node *node, const rico_scene_part *part, double *x)
{
    rico_document *document = scene->document;
    if (node->kind == RICO_NODE_SCALAR) {
        double value;
        rico_status status = rico_document_real(document, node, &value);
        for (int64_t i = 0; status == RICO_OK && i < part->n; i++) x[part->place.q + i] = value;
        return status;
    }
    int64_t count;
    double *value = NULL;
    rico_status status = rico_vector_read(document, node, &count, &value);
    if (status == RICO_OK && count != part->n)
        status = rico_document_fail(document, node, "'%s' has %lld values, expected %lld", part->name,
                                    (long long)count, (long long)part->n);
    if (status == RICO_OK) memcpy(x + part->place.q, value, (size_t)count * sizeof *x);
    rico_free(scene->ctx, value);
    return status;
}


static rico_status read_entry(rico_scene *scene, rico_node *node, const char *what, double *x)
{
    rico_suggestion near;
    char hint[RICO_SUGGEST_SENTENCE];
    rico_suggest_start(&near, node->key);
    for (int64_t p = 0; p < scene->part_count; p++) {
        const rico_scene_part *part = scene->part[p];
        if (!part->coordinate) {
            if (strcmp(part->name, node->key) == 0) return read_part(scene, node, part, x);
            rico_suggest_offer(&near, part->name);
        }
        for (int64_t i = 0; part->coordinate && i < part->n; i++) {
            if (strcmp(part->coordinate[i], node->key) == 0)
                return rico_document_real(scene->document, node, &x[part->place.q + i]);
            rico_suggest_offer(&near, part->coordinate[i]);
        }
    }
    return rico_document_fail_key(scene->document, node, "'%s' in the initial %s is no coordinate%s",
                                  node->key, what, rico_suggest_sentence(&near, "", hint));
}


static rico_status read_state(rico_scene *scene, rico_node *node, const char *what, double *x)
{
    if (!node) return RICO_OK;
    if (node->kind != RICO_NODE_MAPPING)
        return rico_document_fail(scene->document, node,
                                  "the initial %s must be a mapping from coordinates to values", what);
    for (rico_node *child = node->first; child; child = child->next) {
        rico_status status = read_entry(scene, child, what, x);
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
    rico_status status = read_state(scene, rico_node_at(node, "position"), "position", scene->q);
    if (status == RICO_OK) status = read_state(scene, rico_node_at(node, "velocity"), "velocity", scene->v);
    return status;
}
