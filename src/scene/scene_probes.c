// What a scene with elastic parts asks to be written beside its state: nodes that are followed, forces on groups, resultants of contacts.

#include "scene/scene_elastic.h"

#include "la/vec3.h"
#include "model/elastic.h"
#include "model/system.h"
#include "step/simulation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const AXES[] = {"x", "y", "z"};

typedef enum probe_kind { PROBE_NODE, PROBE_REACTION, PROBE_CONTACT } probe_kind;

typedef struct rico_scene_probe {
    probe_kind kind;
    const char *name;
    const rico_scene_elastic *of;
    int64_t nodes, *node; // one, or those of the group
    int64_t source;       // of the contacts
    int64_t first;        // of its numbers
} rico_scene_probe;


void rico_scene_probe_destroy(rico_context *ctx, rico_scene_probe *probe)
{
    if (!probe) return;
    rico_free(ctx, probe->node);
    rico_free(ctx, probe);
}


static int64_t numbers_of(const rico_scene_probe *probe)
{
    return (probe->kind == PROBE_NODE ? 3 : 1) * probe->of->dimension;
}


static rico_status keep(rico_scene *scene, probe_kind kind, const char *name, rico_scene_probe **out)
{
    rico_scene_elastics *all = scene->elastics;
    rico_scene_probe *probe = rico_alloc(scene->ctx, 1, sizeof *probe);
    if (!probe) return RICO_NO_MEMORY;
    rico_status status =
        rico_scene_keep(scene->ctx, (void *)&all->probe, &all->probe_count, &all->probe_room, probe);
    if (status != RICO_OK) {
        rico_free(scene->ctx, probe);
        return status;
    }
    probe->kind = kind;
    probe->name = name;
    *out = probe;
    return RICO_OK;
}


static rico_status read_node(rico_scene *scene, const rico_node *node, const rico_scene_elastic *own,
                             int64_t *out)
{
    const rico_node *at = rico_node_at(node, "at"), *number = rico_node_at(node, "node");
    int64_t nodes = rico_mesh_look(own->mesh).nodes;
    double x[3] = {0.0}, distance;
    if (number) {
        rico_status status = rico_document_integer(scene->document, number, out);
        if (status != RICO_OK || *out < nodes) return status;
        return rico_document_fail(scene->document, number, "part '%s' has the nodes 0 to %lld, not %lld",
                                  own->node->key, (long long)nodes - 1, (long long)*out);
    }
    int axes = own->dimension == 1 ? (int)at->count : own->dimension;
    rico_status status = rico_scene_read_vector(scene, at, axes, x);
    if (status != RICO_OK) return status;
    double extent;
    *out = rico_scene_nearest_node(nodes, own->X, x, &distance, &extent);
    const double *X = own->X + 3 * *out;
    if (distance > RICO_SCENE_NEAR * extent)
        return rico_document_fail(
            scene->document, at, "part '%s' is not there: its nearest node, %lld at (%g, %g, %g), is %g away",
            own->node->key, (long long)*out, X[0], X[1], X[2], distance);
    return RICO_OK;
}


static rico_status build_probe(rico_scene *scene, const rico_node *node)
{
    const rico_node *part = rico_node_at(node, "part");
    rico_scene_probe *probe;
    rico_status status = rico_scene_check_label(scene, node);
    if (status == RICO_OK) status = keep(scene, PROBE_NODE, node->key, &probe);
    if (status == RICO_OK) status = rico_scene_find_elastic(scene, part, strlen(part->text), &probe->of);
    if (status != RICO_OK) return status;
    probe->node = rico_alloc(scene->ctx, 1, sizeof *probe->node);
    probe->nodes = 1;
    return probe->node ? read_node(scene, node, probe->of, probe->node) : RICO_NO_MEMORY;
}


static rico_status build_reaction(rico_scene *scene, const rico_node *node)
{
    rico_scene_probe *probe;
    const char *group = NULL;
    rico_status status = rico_scene_check_label(scene, node);
    if (status == RICO_OK) status = keep(scene, PROBE_REACTION, node->key, &probe);
    if (status == RICO_OK) status = rico_scene_find_group(scene, node, &probe->of, &group);
    if (status != RICO_OK) return status;
    return rico_scene_group_nodes(scene->ctx, probe->of->mesh, rico_mesh_group_find(probe->of->mesh, group),
                                  &probe->nodes, &probe->node);
}


static rico_status check_names(rico_scene *scene, const rico_node *output)
{
    const rico_scene_elastics *all = scene->elastics;
    for (int64_t i = 1; i < all->probe_count; i++)
        for (int64_t j = 0; j < i; j++) {
            if (strcmp(all->probe[i]->name, all->probe[j]->name) != 0) continue;
            const rico_node *node = rico_node_at(rico_node_at(output, "probes"), all->probe[i]->name);
            const rico_node *other = rico_node_at(rico_node_at(output, "reactions"), all->probe[i]->name);
            return rico_document_fail_key(scene->document, other ? other : node,
                                          "the name '%.60s' is taken by another probe, reaction or contact; "
                                          "rename one of them",
                                          all->probe[i]->name);
        }
    return RICO_OK;
}


rico_status rico_scene_build_probes(rico_scene *scene, const rico_node *root)
{
    const rico_node *output = rico_node_at(root, "output"), *probes = rico_node_at(output, "probes"),
                    *reactions = rico_node_at(output, "reactions");
    rico_scene_elastics *all = scene->elastics;
    if (!all && (probes || reactions))
        return rico_document_fail_key(scene->document, probes ? probes : reactions,
                                      "'%s' belongs to elastic parts, and the scene has none",
                                      probes ? "probes" : "reactions");
    if (!all) return RICO_OK;
    if (reactions && reactions->kind != RICO_NODE_MAPPING)
        return rico_document_fail(scene->document, reactions,
                                  "'reactions' must be a mapping from names to PART.GROUP");
    rico_status status = RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i < all->touch_count; i++) {
        rico_scene_probe *probe;
        status = keep(scene, PROBE_CONTACT, all->touch[i]->node->key, &probe);
        if (status != RICO_OK) return status;
        probe->of = all->touch[i]->nodes;
        probe->source = all->touch[i]->source;
    }
    for (const rico_node *child = probes ? probes->first : NULL; status == RICO_OK && child;
         child = child->next)
        status = rico_scene_place(scene, child, build_probe(scene, child));
    for (const rico_node *child = reactions ? reactions->first : NULL; status == RICO_OK && child;
         child = child->next)
        status = rico_scene_place(scene, child, build_reaction(scene, child));
    if (status == RICO_OK) status = check_names(scene, output);
    for (int64_t i = 1; status == RICO_OK && i < all->probe_count; i++)
        all->probe[i]->first = all->probe[i - 1]->first + numbers_of(all->probe[i - 1]);
    return status;
}


// --- names and numbers -------------------------------------------------------------------------------------------

int64_t rico_scene_probes(const rico_scene *scene)
{
    const rico_scene_elastics *all = scene->elastics;
    if (!all || all->probe_count == 0) return 0;
    const rico_scene_probe *last = all->probe[all->probe_count - 1];
    return last->first + numbers_of(last);
}


void rico_scene_probe_name(const rico_scene *scene, int64_t index, char name[RICO_SCENE_NAME])
{
    static const char *const WHAT[] = {"", "u_", "v_"};
    int64_t p = scene->elastics->probe_count - 1;
    while (scene->elastics->probe[p]->first > index) p--;
    const rico_scene_probe *probe = scene->elastics->probe[p];
    int64_t i = index - probe->first, axes = probe->of->dimension;
    const char *what = probe->kind == PROBE_NODE ? WHAT[i / axes] : "f";
    snprintf(name, RICO_SCENE_NAME, "%.80s.%s%s", probe->name, what, AXES[i % axes]);
}


static void follow(const rico_scene *scene, const rico_scene_probe *probe, const double *q, const double *v,
                   double *out)
{
    const rico_scene_elastic *own = probe->of;
    const rico_elastic *inside = scene->system->part[own->part]->data;
    const double *X = own->X + 3 * *probe->node;
    int axes = own->dimension;
    for (int i = 0; i < axes; i++) {
        double u = rico_elastic_component(inside, *probe->node, i, q + own->place.q);
        // a rod moves along its own axis
        double along = axes == 1 ? own->given.rotation[0] : 1.0;
        out[i] = X[i] + along * u;
        out[axes + i] = u;
        out[2 * axes + i] = rico_elastic_component(inside, *probe->node, i, v + own->place.v);
    }
}


static void add_contacts(const rico_scene_probe *probe, rico_simulation *sim, double h, double *out)
{
    const double *p = rico_simulation_impulse(sim);
    if (!(h > 0.0)) return;
    for (int64_t c = 0; c < rico_simulation_constraints(sim); c++) {
        rico_constraint_info info = rico_simulation_constraint(sim, c);
        bool second;
        if (info.source != probe->source) continue;
        const double *frame = rico_step_constraint(sim, c)->between.frame;
        rico_touch_node(info.key, &second);
        for (int64_t row = 0; row < info.rows; row++)
            for (int i = 0; i < probe->of->dimension; i++)
                out[i] += (second ? -1.0 : 1.0) * frame[3 * row + i] * p[info.row + row] / h;
    }
}


// Forces on the nodes of one part beside its own: with the mean acceleration of the step. Nothing where no reaction is of it.
static rico_status add_reactions(const rico_scene *scene, rico_context *ctx, const rico_scene_elastic *own,
                                 const rico_scene_state *state, double *values)
{
    const rico_scene_elastics *all = scene->elastics;
    const rico_part *part = scene->system->part[own->part];
    int64_t nodes = rico_mesh_look(own->mesh).nodes, n = part->place.v_size;
    bool some = false, moves = state->h > 0.0 && state->v_before;
    for (int64_t i = 0; i < all->probe_count; i++)
        some |= all->probe[i]->kind == PROBE_REACTION && all->probe[i]->of == own;
    if (!some) return RICO_OK;
    double *force = rico_alloc(ctx, 3 * nodes + n, sizeof *force);
    if (!force) return RICO_NO_MEMORY;
    double *a = force + 3 * nodes;
    const double *v = state->v + own->place.v;
    for (int64_t i = 0; moves && i < n; i++) a[i] = (v[i] - state->v_before[own->place.v + i]) / state->h;
    rico_status status = rico_elastic_reactions(scene->system, ctx, own->part, state->t,
                                                state->q + own->place.q, v, moves ? a : NULL, force);
    for (int64_t i = 0; status == RICO_OK && i < all->probe_count; i++) {
        const rico_scene_probe *probe = all->probe[i];
        if (probe->kind != PROBE_REACTION || probe->of != own) continue;
        for (int64_t k = 0; k < probe->nodes; k++)
            for (int d = 0; d < own->dimension; d++)
                values[probe->first + d] += force[3 * probe->node[k] + d];
    }
    rico_free(ctx, force);
    return status;
}


rico_status rico_scene_read_probes(const rico_scene *scene, rico_context *ctx, rico_simulation *sim,
                                   const rico_scene_state *state, double *values)
{
    const rico_scene_elastics *all = scene->elastics;
    memset(values, 0, (size_t)rico_scene_probes(scene) * sizeof *values);
    for (int64_t i = 0; i < all->probe_count; i++) {
        const rico_scene_probe *probe = all->probe[i];
        if (probe->kind == PROBE_NODE) follow(scene, probe, state->q, state->v, values + probe->first);
        if (probe->kind == PROBE_CONTACT) add_contacts(probe, sim, state->h, values + probe->first);
    }
    rico_status status = RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i < all->count; i++)
        status = add_reactions(scene, ctx, all->part[i], state, values);
    return status;
}


int64_t rico_scene_touches(const rico_scene *scene)
{
    return scene->elastics ? scene->elastics->touch_count : 0;
}


rico_scene_touch_info rico_scene_touch_at(const rico_scene *scene, int64_t index)
{
    const rico_scene_touch *own = scene->elastics->touch[index];
    rico_scene_touch_info info = {.source = own->source, .faces = -1, .friction = own->friction};
    for (int64_t i = 0; i < scene->elastics->count; i++) {
        if (scene->elastics->part[i] == own->nodes) info.nodes = i;
        if (scene->elastics->part[i] == own->faces) info.faces = i;
    }
    for (int i = 0; i < 2; i++)
        info.group[i] =
            own->group[i] ? rico_mesh_group_find((i ? own->faces : own->nodes)->mesh, own->group[i]) : -1;
    return info;
}
