// Which runs can be split in space.

#include "space.h"

#include <stdio.h>

static const char *obstacle_of_bodies(const rico_bodies *bodies)
{
    if (bodies->spring_count > 0) return "springs between bodies";
    if (bodies->beam_count > 0) return "beams";
    for (int64_t b = 0; b < bodies->count; b++)
        if (bodies->body[b].given.force) return "forces on bodies as functions of their motion";
    if (bodies->features > INT32_MAX)
        return "more corners, edges and faces than keys of contacts have room for";
    if (bodies->free > INT32_MAX / 8) return "more bodies than have numbers";
    return NULL;
}


const char *rico_space_obstacle(const rico_helped_run *run)
{
    const rico_simulation *sim = run->sim;
    const rico_system *system = sim->system;
    static char scheme[128];
    const rico_bodies *bodies = system->part_count > 0 ? rico_part_bodies(system->part[0]) : NULL;
    if (!bodies || bodies->free == 0) return "no free rigid bodies";
    if (!sim->scheme->shares) {
        snprintf(scheme, sizeof scheme,
                 "the scheme %s: moreau-jean, its variants and moreau-jean-projected can",
                 sim->scheme->info.name);
        return scheme;
    }
    const struct {
        bool there;
        const char *what;
    } ALL[] = {
        {system->part_count > 1, "parts beside the rigid bodies"},
        {system->element_count > 0 || system->constraint_count > 0, "joints, or contacts given one by one"},
        {system->touch_count > 0, "contacts of elastic parts"},
        {system->relation_count > 0, "relations"},
        {system->sampler_count > 0, "controllers"},
        {system->friction_count > 0, "laws of friction beyond Coulomb's"},
        {system->source_count != 1, "sources of contacts beside the bodies"},
        {run->adaptive, "steps of adaptive length"},
        {run->differentiated, "derivatives"},
        {sim->impacts != NULL, "a law of multiple impacts"},
        {sim->contacts.always, "a contact solver by name"},
    };
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL; i++)
        if (ALL[i].there) return ALL[i].what;
    const char *found = obstacle_of_bodies(bodies);
    if (found) return found;
    if (system->interaction_count > 0 || system->force_count > 0 || system->point_load_count > 0)
        return "forces between parts";
    return NULL;
}
