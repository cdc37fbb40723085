// The reduction of an elastic part in a scene: groups that it keeps, by name or because something takes hold of them, and modes.

#include "scene/scene_elastic.h"

#include <math.h>
#include <string.h>

// Adds a group, once.
static void keep(rico_scene_elastic *own, const char *group)
{
    for (int64_t i = 0; i < own->reduction.groups; i++)
        if (strcmp(own->keep[i], group) == 0) return;
    own->keep[own->reduction.groups++] = group;
}


// PART.GROUP of this part; what is wrong with others is said where contacts are built.
static void keep_named(rico_scene_elastic *own, const rico_node *name)
{
    const char *key = own->node->key, *text = name ? name->text : NULL;
    size_t length = strlen(key);
    if (!text || strncmp(text, key, length) != 0 || text[length] != '.') return;
    int64_t index = rico_mesh_group_find(own->mesh, text + length + 1);
    if (index >= 0) keep(own, rico_mesh_group_at(own->mesh, index).name);
}


static rico_status keep_listed(rico_scene *scene, rico_scene_elastic *own, const rico_node *list)
{
    for (const rico_node *child = list ? list->first : NULL; child; child = child->next) {
        int64_t index = 0;
        rico_status status = rico_scene_check_group(scene, own, child, false, child->text, &index);
        if (status != RICO_OK) return status;
        keep(own, rico_mesh_group_at(own->mesh, index).name);
    }
    return RICO_OK;
}


static rico_status read_modes(rico_scene *scene, rico_scene_elastic *own, const rico_node *node)
{
    const rico_node *modes = rico_node_at(node, "modes"), *below = rico_node_at(node, "below");
    rico_status status = RICO_OK;
    if (modes) status = rico_document_integer(scene->document, modes, &own->reduction.modes);
    if (below) status = rico_document_real(scene->document, below, &own->reduction.below);
    own->reduction.below *= 2.0 * M_PI;
    return status;
}


rico_status rico_scene_read_reduction(rico_scene *scene, rico_scene_elastic *own)
{
    const rico_node *node = rico_node_at(own->node, "reduce"), *root = rico_document_root(scene->document),
                    *contacts = rico_node_at(root, "contacts"), *moved = rico_node_at(own->node, "moved");
    if (!node) return RICO_OK;
    if (own->given.turning)
        return rico_document_fail_key(scene->document, node,
                                      "part '%s' has large rotations and cannot be reduced; remove 'reduce'",
                                      own->node->key);
    own->keep = rico_alloc(scene->ctx, rico_mesh_look(own->mesh).groups, sizeof *own->keep);
    if (!own->keep) return RICO_NO_MEMORY;
    own->reduction.keep = own->keep;
    own->given.reduction = &own->reduction;
    rico_status status = keep_listed(scene, own, rico_node_at(node, "keep"));

    // what contacts and motions take hold of
    for (const rico_node *child = contacts ? contacts->first : NULL; child; child = child->next) {
        keep_named(own, rico_node_at(child, "nodes"));
        keep_named(own, rico_node_at(child, "faces"));
    }
    for (const rico_node *child = moved && moved->kind == RICO_NODE_MAPPING ? moved->first : NULL; child;
         child = child->next) {
        int64_t index = rico_mesh_group_find(own->mesh, child->key);
        if (index >= 0) keep(own, rico_mesh_group_at(own->mesh, index).name);
    }
    return status == RICO_OK ? read_modes(scene, own, node) : status;
}
