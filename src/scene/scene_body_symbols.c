// Names of the coordinates and velocities of bodies in formulas of the whole state: crate_x, v_crate_x, w_crate_z.

#include "model/bodies_look.h"
#include "scene/document_build.h"
#include "scene/scene_bodies.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 1000 }; // bodies; formulas name single ones, not heaps

typedef struct letter {
    const char *before, *after; // of the name
    bool velocity;
    int64_t at; // among the body's coordinates or velocities
} letter;

// Spins in space are those of the model, in the axes of the body.
static const letter PLANE[] = {{"", "_x", false, 0},  {"", "_y", false, 1},  {"", "_angle", false, 2},
                               {"v_", "_x", true, 0}, {"v_", "_y", true, 1}, {"w_", "", true, 2}};
static const letter SPACE[] = {{"", "_x", false, 0},  {"", "_y", false, 1},  {"", "_z", false, 2},
                               {"v_", "_x", true, 0}, {"v_", "_y", true, 1}, {"v_", "_z", true, 2},
                               {"w_", "_x", true, 3}, {"w_", "_y", true, 4}, {"w_", "_z", true, 5}};


static int64_t letters(const rico_scene_bodies *bodies, const letter **out)
{
    *out = bodies->dimension == 2 ? PLANE : SPACE;
    return bodies->dimension == 2 ? sizeof PLANE / sizeof *PLANE : sizeof SPACE / sizeof *SPACE;
}


// A name that a formula can say.
static bool is_word(const char *name)
{
    for (const char *c = name; *c; c++) {
        bool ok = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_' ||
                  (c > name && *c >= '0' && *c <= '9');
        if (!ok) return false;
    }
    return name[0] != '\0';
}


int64_t rico_scene_body_symbol_room(const rico_scene *scene)
{
    const rico_scene_bodies *bodies = scene->bodies;
    const letter *all = PLANE;
    if (!bodies || bodies->count > MOST) return 0;
    return bodies->count * letters(bodies, &all);
}


static bool is_known(const rico_scope *scope, const char *name)
{
    for (; scope; scope = scope->outer)
        for (int64_t i = 0; i < scope->count; i++)
            if (scope->symbol[i].kind != RICO_SYMBOL_NOTE && strcmp(scope->symbol[i].name, name) == 0)
                return true;
    return false;
}


rico_status rico_scene_body_symbols(rico_scene *scene, const rico_scope *others, rico_symbol *out,
                                    int64_t *count)
{
    const rico_scene_bodies *bodies = scene->bodies;
    const letter *all = PLANE;
    int64_t nq = rico_system_positions(scene->system), kinds = bodies ? letters(bodies, &all) : 0;
    *count = 0;
    if (rico_scene_body_symbol_room(scene) == 0) return RICO_OK;
    for (int64_t b = 0; b < bodies->count; b++) {
        const char *body = rico_bodies_name(bodies->set, b);
        int64_t q = rico_bodies_position(bodies->set, b), v = rico_bodies_velocity(bodies->set, b);
        if (q < 0 || !is_word(body)) continue;
        for (int64_t k = 0; k < kinds; k++) {
            size_t length = strlen(body) + strlen(all[k].before) + strlen(all[k].after) + 1;
            char *name = rico_document_cut(scene->document, length);
            if (!name) return RICO_NO_MEMORY;
            snprintf(name, length, "%s%s%s", all[k].before, body, all[k].after);
            if (is_known(others, name))
                return rico_document_fail_key(
                    scene->document, bodies->node[b],
                    "'%.60s' is a coordinate of body '%.60s', and the name is taken; "
                    "rename one of them",
                    name, body);
            out[(*count)++] =
                (rico_symbol){.name = name,
                              .kind = RICO_SYMBOL_VARIABLE,
                              .slot = 1 + (all[k].velocity ? nq + bodies->place.v + v + all[k].at
                                                           : bodies->place.q + q + all[k].at)};
        }
    }
    return RICO_OK;
}


int64_t rico_scene_slot_dof(const rico_scene *scene, int64_t slot)
{
    const rico_scene_bodies *bodies = scene->bodies;
    int64_t nq = rico_system_positions(scene->system);
    if (slot > nq) return slot - nq - 1;
    if (!bodies || slot - 1 < bodies->place.q) return slot - 1; // of parts: paired
    int q_size, v_size;
    rico_bodies_sizes(bodies->set, &q_size, &v_size);
    int64_t i = slot - 1 - bodies->place.q;
    return bodies->place.v + i / q_size * v_size + i % q_size;
}


bool rico_scene_is_spin(const rico_scene *scene, int64_t dof)
{
    const rico_scene_bodies *bodies = scene->bodies;
    if (!bodies || bodies->dimension != 3 || dof < bodies->place.v) return false;
    return (dof - bodies->place.v) % 6 >= 3;
}
