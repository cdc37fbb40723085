// Forces that jump with a velocity: dry friction written as a function. No step length makes an implicit step solvable
// where the force has no value at 0, so the scene's author is pointed to what has: a contact.

#include "scene/scene_private.h"

#include <math.h>
#include <string.h>

// By how much a force differs on the two sides of a velocity = 0, at the distance given.
static double difference(const rico_scene_part *part, const rico_formula *formula, int64_t slot,
                         double distance)
{
    double side[2], keep = part->variables[slot];
    for (int k = 0; k < 2; k++) {
        part->variables[slot] = k == 0 ? distance : -distance;
        side[k] = rico_formula_value(formula, part->variables, part->work);
    }
    part->variables[slot] = keep;
    return fabs(side[0] - side[1]);
}


// A jump stays as the distance shrinks: x/abs(x) has one, tanh(1000*x) and x*abs(x) have none.
static bool differs(const rico_scene_part *part, const rico_formula *formula, int64_t slot)
{
    double near = difference(part, formula, slot, 1e-13), far = difference(part, formula, slot, 1e-7);
    return near > 0.0 && isfinite(near) && near > 0.1 * far;
}


static const char *jumping_velocity(const rico_scene_part *part, const rico_formula *formula)
{
    int64_t count;
    const int64_t *slot = rico_formula_slots(formula, &count);
    for (int64_t k = 0; k < count; k++)
        if (slot[k] > part->n && differs(part, formula, slot[k])) return part->symbol[slot[k]].name;
    return NULL;
}


static rico_status look(rico_scene_part *part, const rico_node *node, const rico_formula *formula)
{
    const char *function;
    rico_status status = rico_formula_jumps(formula, part->n + 1, 2 * part->n, &function);
    if (status != RICO_OK) return status;
    const char *velocity = jumping_velocity(part, formula);
    if (!function && !velocity) return RICO_OK;
    rico_scene_warn(
        part->scene, node,
        "the force of part '%s' jumps with a velocity%s%s%s%s: it has no value where the velocity vanishes, "
        "and smaller steps do not help; dry friction is a contact: give it a 'gap', a 'tangent' and a "
        "'friction' (\"Dry friction\" in docs/guide/scenes.md)",
        part->name, function || velocity ? " (" : "", function ? function : "",
        !function && velocity ? velocity : "", function || velocity ? ")" : "");
    return RICO_OK;
}


rico_status rico_scene_check_jump(rico_scene *scene, const rico_node *node, const rico_formula *formula,
                                  int64_t low, int64_t high)
{
    const char *function;
    rico_status status = rico_formula_jumps(formula, low, high, &function);
    if (status == RICO_OK && function)
        rico_scene_warn(
            scene, node,
            "the force jumps with a velocity (%s): it has no value where the velocity vanishes, and smaller "
            "steps do not help; dry friction is a contact: give it a 'gap', a 'tangent' and a 'friction' "
            "(\"Dry friction\" in docs/guide/scenes.md)",
            function);
    return status;
}


rico_status rico_scene_check_jumps(rico_scene *scene)
{
    rico_status status = RICO_OK;
    for (int64_t p = 0; p < scene->part_count; p++) {
        rico_scene_part *part = scene->part[p];
        const rico_node *node = rico_node_at(part->node, part->first_order ? "rate" : "force");
        if (!part->force || !part->coordinate) continue;
        part->variables[0] = rico_scene_times(scene).start;
        memcpy(part->variables + 1, scene->q + part->place.q, (size_t)part->n * sizeof *scene->q);
        memcpy(part->variables + 1 + part->n, scene->v + part->place.v, (size_t)part->n * sizeof *scene->v);
        const rico_node *own = node->kind == RICO_NODE_LIST ? node->first : node;
        for (int64_t i = 0; status == RICO_OK && i < part->n; i++) {
            if (part->force[i]) status = look(part, own, part->force[i]);
            if (own->next && node->kind == RICO_NODE_LIST) own = own->next;
        }
    }
    return status;
}
