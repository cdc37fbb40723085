// Motions of the nodes of an elastic part by formulas: a joint for each node and direction.

#include "scene/scene_elastic.h"

#include <stdio.h>
#include <string.h>

static const char NOTE[] =
    "a displacement may depend on t, on x, y, z of the part at rest and on the parameters";


static double evaluate(const rico_elastic_motion *motion, double t, double *rate)
{
    const int64_t t_alone = 0;
    const double variables[4] = {t, motion->X[0], motion->X[1], motion->X[2]};
    double work[RICO_FIELD_WORK];
    return rico_formula_gradient(motion->formula, variables, 1, &t_alone, work, rate);
}


static bool position(void *user, double t, double *x)
{
    double rate;
    *x = evaluate(user, t, &rate);
    return true;
}


static bool velocity(void *user, double t, double *x)
{
    evaluate(user, t, x);
    return true;
}


// Nodes of two groups: moved once where both say the same, else refused.
static rico_status check_rival(rico_scene *scene, rico_scene_elastic *own, const rico_node *entry,
                               int64_t node, int direction, bool *again)
{
    const rico_node *rival = own->by[node * own->directions + direction];
    *again = rival && strcmp(rival->text, entry->text) == 0;
    if (rico_elastic_velocity(scene->system, own->part, node, direction) < 0)
        return rico_document_fail_key(
            scene->document, entry,
            "node %lld of group '%s' is fixed along %s and cannot be moved; take it from one of the groups",
            (long long)node, entry->parent->key, entry->key);
    if (!rival || *again) return RICO_OK;
    return rico_document_fail_key(
        scene->document, entry,
        "node %lld of group '%s' is moved along %s by group '%s' (line %lld) already, and differently",
        (long long)node, entry->parent->key, entry->key, rival->parent->key, (long long)rival->key_line);
}


static rico_status move_node(rico_scene *scene, rico_scene_elastic *own, const rico_node *entry,
                             const rico_formula *formula, int64_t node, int direction)
{
    bool again = false;
    char name[RICO_SCENE_NAME + 48];
    rico_status status = check_rival(scene, own, entry, node, direction, &again);
    if (status != RICO_OK || again) return status;
    own->by[node * own->directions + direction] = entry;
    rico_elastic_motion *motion = &own->motion[own->motions++];
    *motion = (rico_elastic_motion){.formula = formula};
    motion->dof = rico_elastic_velocity(scene->system, own->part, node, direction);
    memcpy(motion->X, own->X + 3 * node, sizeof motion->X);
    const rico_motion given = {.position_index = own->place.q + motion->dof - own->place.v,
                               .velocity_index = motion->dof,
                               .position = position,
                               .velocity = velocity,
                               .user = motion};
    snprintf(name, sizeof name, "%.60s.%.40s.%s[%lld]", own->node->key, entry->parent->key, entry->key,
             (long long)node);
    return rico_system_prescribe(scene->system, name, &given, NULL);
}


static int direction_of(const rico_scene_elastic *own, const char *word)
{
    static const char *const AXES[] = {"x", "y", "z"};
    for (int i = 0; i < 3 && i < own->directions; i++)
        if (strcmp(word, AXES[i]) == 0) return i;
    return -1;
}


static rico_status move_group(rico_scene_elastics *all, rico_scene_elastic *own, const rico_node *entry,
                              int64_t count, const int64_t *node)
{
    rico_scene *scene = all->scene;
    rico_formula *formula = NULL;
    int direction = direction_of(own, entry->key);
    if (direction < 0)
        return rico_document_fail_key(scene->document, entry,
                                      "'%.40s' is no direction of part '%s'; its nodes move along %s",
                                      entry->key, own->node->key,
                                      own->directions == 1   ? "x"
                                      : own->directions == 2 ? "x and y"
                                                             : "x, y and z");
    rico_status status = rico_scene_field_formula(scene, entry, NOTE, &formula);
    if (status != RICO_OK) {
        rico_formula_destroy(formula);
        return status;
    }
    status =
        rico_scene_keep(scene->ctx, (void *)&all->formula, &all->formula_count, &all->formula_room, formula);
    if (status != RICO_OK) rico_formula_destroy(formula);
    for (int64_t i = 0; status == RICO_OK && i < count; i++)
        status = move_node(scene, own, entry, formula, node[i], direction);
    return status;
}


// Functions keep pointers to motions, so that there is room for all of them before the first.
static rico_status reserve(rico_scene *scene, rico_scene_elastic *own)
{
    int64_t most = rico_mesh_look(own->mesh).nodes * own->directions;
    own->motion = rico_alloc(scene->ctx, most, sizeof *own->motion);
    own->by = rico_alloc(scene->ctx, most, sizeof(rico_node *));
    return own->motion && own->by ? RICO_OK : RICO_NO_MEMORY;
}


rico_status rico_scene_build_moved(rico_scene_elastics *all, rico_scene_elastic *own)
{
    rico_scene *scene = all->scene;
    const rico_node *moved = rico_node_at(own->node, "moved");
    if (!moved) return RICO_OK;
    if (moved->kind != RICO_NODE_MAPPING)
        return rico_document_fail(scene->document, moved,
                                  "'moved' must be a mapping from groups to {x: ..., y: ...}");
    rico_status status = reserve(scene, own);
    for (const rico_node *group = moved->first; status == RICO_OK && group; group = group->next) {
        int64_t index = 0, count = 0, *node = NULL;
        status = rico_scene_check_group(scene, own, group, true, group->key, &index);
        if (status == RICO_OK && (group->kind != RICO_NODE_MAPPING || group->count == 0))
            status = rico_document_fail(scene->document, group,
                                        "'%s' must say where it moves; write '%s: {y: -0.01*t}'", group->key,
                                        group->key);
        if (status == RICO_OK) status = rico_scene_group_nodes(scene->ctx, own->mesh, index, &count, &node);
        for (const rico_node *entry = group->first; status == RICO_OK && entry; entry = entry->next)
            status = move_group(all, own, entry, count, node);
        rico_free(scene->ctx, node);
    }
    rico_free(scene->ctx, (void *)own->by);
    own->by = NULL;
    return status;
}


void rico_scene_start_moved(const rico_scene *scene, double t, bool rates)
{
    for (int64_t p = 0; p < scene->elastics->count; p++) {
        const rico_scene_elastic *own = scene->elastics->part[p];
        for (int64_t i = 0; i < own->motions; i++) {
            const rico_elastic_motion *motion = &own->motion[i];
            double rate, value = evaluate(motion, t, &rate);
            scene->q[own->place.q + motion->dof - own->place.v] = value;
            scene->v[motion->dof] = rates ? rate : 0.0;
        }
    }
}
