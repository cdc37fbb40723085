// Friction of contacts in a scene: see scene_friction.h.

#include "scene/scene_friction.h"

#include "model/friction.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define AT_LEAST_0 .low = 0.0, .high = INFINITY

static const rico_schema_key FRICTION[] = {
    {"friction", RICO_WANT_REAL, AT_LEAST_0, .group = "coefficient",
     .help = "Coulomb's mu, static where `kinetic` is given"},
    {"formula", RICO_WANT_FORMULA, .group = "coefficient",
     .help = "mu of t, `slip` (the sliding speed) and the place x, y, z of the contact; of a contact by a "
             "`gap`, of the "
             "coordinates instead"},
    {"along", RICO_WANT_REALS, .least = 2, .most = 2, .group = "coefficient",
     .help = "in space: mu along the first tangent and along the second, an ellipse"},
    {"direction", RICO_WANT_REALS, .least = 3, .most = 3,
     .help = "with `along`: where the first tangent points, in the axes of the world"},
    {"slip", RICO_WANT_REALS, .least = 2, .most = 2,
     .help = "with `along`: half axes of the slip potential, if it is not that ellipse; their ratio counts"},
    {"kinetic", RICO_WANT_REAL, .flags = RICO_KEY_ABOVE, AT_LEAST_0,
     .help = "mu once it slides, at most `friction`"},
    {"rolling", RICO_WANT_REAL, AT_LEAST_0, .unit = "m",
     .help = "largest rolling moment over the normal force"},
    {"spinning", RICO_WANT_REAL, AT_LEAST_0, .unit = "m",
     .help = "largest moment about the normal over the normal force"},
    {"cohesion", RICO_WANT_REAL, AT_LEAST_0, .unit = "N", .help = "largest tension of a closed contact"},
    {"bond", RICO_WANT_FLAG,
     .help = "the cohesion is there from the start alone, and gone for good where a contact opens"},
    {"tresca", RICO_WANT_REAL, AT_LEAST_0, .unit = "N", .group = "coefficient",
     .help = "largest tangential force, whatever the normal one"},
    {NULL},
};

const rico_schema rico_scene_friction_schema = {
    .title = "friction",
    .help = "Friction of a contact. docs/guide/friction.md shows each of them.",
    .keys = FRICTION,
    .shorthand = "friction"};


// --- formulas ----------------------------------------------------------------------------------------------------------

enum { MOST_VARIABLES = 512, MOST_WORK = 64, PLACED = 5 };

// A coefficient by a formula. Variables of a listed contact: t, all positions, slip; of others: t, slip, x, y, z.
struct rico_scene_friction {
    rico_formula *formula;
    bool listed;
    int64_t nq;
};

static const rico_symbol AT_PLACE[] = {
    {.name = "t", .kind = RICO_SYMBOL_VARIABLE, .slot = 0},
    {.name = "slip", .kind = RICO_SYMBOL_VARIABLE, .slot = 1},
    {.name = "x", .kind = RICO_SYMBOL_VARIABLE, .slot = 2},
    {.name = "y", .kind = RICO_SYMBOL_VARIABLE, .slot = 3},
    {.name = "z", .kind = RICO_SYMBOL_VARIABLE, .slot = 4},
    {.name = "a coefficient of friction may depend on t, slip, the place x, y, z of the contact and the "
             "parameters",
     .kind = RICO_SYMBOL_NOTE},
};


static bool coefficient(void *user, const rico_friction_state *state, double *factor)
{
    const rico_scene_friction *own = user;
    double variables[MOST_VARIABLES], work[MOST_WORK];
    variables[0] = state->t;
    if (own->listed) {
        memcpy(variables + 1, state->q, (size_t)own->nq * sizeof *variables);
        variables[1 + own->nq] = state->slip;
    } else {
        variables[1] = state->slip;
        for (int i = 0; i < 3; i++) variables[2 + i] = state->x ? state->x[i] : 0.0;
    }
    *factor = rico_formula_value(own->formula, variables, work);
    return true;
}


static rico_status keep(rico_scene *scene, rico_scene_friction **out)
{
    rico_scene_friction **list = rico_grow(scene->ctx, (void *)scene->friction, scene->friction_count,
                                           scene->friction_count + 1, sizeof(rico_scene_friction *));
    if (!list) return RICO_NO_MEMORY;
    scene->friction = list;
    *out = rico_alloc(scene->ctx, 1, sizeof **out);
    if (!*out) return RICO_NO_MEMORY;
    list[scene->friction_count++] = *out;
    return RICO_OK;
}


static rico_status read_formula(rico_scene *scene, const rico_node *node, bool listed, rico_friction *law)
{
    rico_scene_friction *own = NULL;
    int64_t nq = rico_system_positions(scene->system), slip_slot = listed ? 1 + nq : 1, count;
    const rico_symbol slip = {.name = "slip", .kind = RICO_SYMBOL_VARIABLE, .slot = slip_slot};
    const rico_scope there = {6, AT_PLACE, &scene->parameters.scope}, here = {1, &slip, &scene->scope};
    rico_status status = keep(scene, &own);
    if (status == RICO_OK && listed && nq + 2 > MOST_VARIABLES)
        status =
            rico_document_fail(scene->document, node,
                               "a formula of friction reads at most %d coordinates, and the scene has %lld",
                               MOST_VARIABLES - 2, (long long)nq);
    if (status == RICO_OK)
        status = rico_document_formula(scene->document, node, listed ? &here : &there, &own->formula);
    if (status != RICO_OK) return status;
    if (rico_formula_work(own->formula, 0, 0) > MOST_WORK)
        return rico_document_fail(scene->document, node,
                                  "the formula is nested too deeply for a coefficient");
    own->listed = listed;
    own->nq = nq;
    const int64_t *slots = rico_formula_slots(own->formula, &count);
    for (int64_t i = 0; i < count; i++) law->of_slip = law->of_slip || slots[i] == slip_slot;
    law->along[0] = law->along[1] = 1.0;
    law->factor = coefficient;
    law->user = own;
    return RICO_OK;
}


void rico_scene_friction_destroy(rico_scene *scene)
{
    for (int64_t i = 0; i < scene->friction_count; i++) {
        rico_formula_destroy(scene->friction[i]->formula);
        rico_free(scene->ctx, scene->friction[i]);
    }
    rico_free(scene->ctx, (void *)scene->friction);
}


// --- reading -----------------------------------------------------------------------------------------------------------

static rico_status read_some(rico_scene *scene, const rico_node *node, const char *key, int64_t expected,
                             double *out)
{
    const rico_node *given = rico_node_at(node, key);
    double *values = NULL;
    int64_t count = 0;
    if (!given) return RICO_OK;
    if (expected == 1) return rico_document_real(scene->document, given, out);
    rico_status status = rico_document_reals(scene->document, given, &count, &values);
    for (int64_t i = 0; status == RICO_OK && i < expected; i++) out[i] = values[i];
    rico_free(scene->ctx, values);
    return status;
}


static rico_status read_kinetic(rico_scene *scene, const rico_node *node, rico_friction *law)
{
    const rico_node *given = rico_node_at(node, "kinetic"), *at_rest = rico_node_at(node, "friction");
    double kinetic, mu = law->along[0];
    if (!given) return RICO_OK;
    if (!at_rest)
        return rico_document_fail_key(
            scene->document, given,
            "'kinetic' goes with 'friction', the coefficient at rest, and with no other");
    rico_status status = rico_document_real(scene->document, given, &kinetic);
    if (status != RICO_OK) return status;
    if (!(kinetic <= mu))
        return rico_document_fail(
            scene->document, given,
            "'kinetic' = %g is more than 'friction' = %g: friction at rest is the larger one", kinetic, mu);
    law->kinetic = mu > 0.0 ? kinetic / mu : 1.0;
    return RICO_OK;
}


static rico_status check_directions(rico_scene *scene, const rico_node *node, rico_friction_place place)
{
    const rico_node *along = rico_node_at(node, "along"), *direction = rico_node_at(node, "direction"),
                    *slip = rico_node_at(node, "slip");
    if (along && place == RICO_FRICTION_PLANE)
        return rico_document_fail_key(scene->document, along,
                                      "'along' needs two tangents, and contacts of the plane have one");
    if (slip && !along) return rico_document_fail_key(scene->document, slip, "'slip' goes with 'along'");
    if (direction && !along)
        return rico_document_fail_key(scene->document, direction, "'direction' goes with 'along'");
    if (direction && place == RICO_FRICTION_LISTED)
        return rico_document_fail_key(
            scene->document, direction,
            "'direction' belongs to contacts that are found; this one has its 'tangent'");
    if (along && !direction && place == RICO_FRICTION_SPACE)
        return rico_document_fail_key(
            scene->document, along,
            "'along' needs a 'direction' in which the first of them holds, as [1, 0, 0]");
    return RICO_OK;
}


rico_status rico_scene_read_friction(rico_scene *scene, const rico_node *node, rico_friction_place place,
                                     double *mu, int *index)
{
    const rico_node *formula = rico_node_at(node, "formula"), *bond = rico_node_at(node, "bond");
    rico_friction law = rico_friction_default();
    *mu = 0.0;
    *index = 0;
    if (!node) return RICO_OK;
    rico_status status = read_some(scene, node, "friction", 1, &law.along[0]);
    if (status != RICO_OK) return status;
    *mu = law.along[1] = law.along[0];
    if (node->count <= 1 && rico_node_at(node, "friction")) return RICO_OK;

    const struct {
        const char *key;
        int64_t count;
        double *value;
    } all[] = {{"along", 2, law.along},      {"slip", 2, law.slip},          {"direction", 3, law.direction},
               {"rolling", 1, &law.rolling}, {"spinning", 1, &law.spinning}, {"cohesion", 1, &law.cohesion},
               {"tresca", 1, &law.tresca}};
    status = check_directions(scene, node, place);
    for (size_t i = 0; status == RICO_OK && i < sizeof all / sizeof *all; i++)
        status = read_some(scene, node, all[i].key, all[i].count, all[i].value);
    if (status == RICO_OK && bond) status = rico_document_flag(scene->document, bond, &law.bond);
    if (status == RICO_OK) status = read_kinetic(scene, node, &law);
    if (status == RICO_OK && formula)
        status = read_formula(scene, formula, place == RICO_FRICTION_LISTED, &law);
    if (status != RICO_OK) return status;
    char name[RICO_LABEL];
    snprintf(name, sizeof name, "%.36s", node->parent && node->parent->key ? node->parent->key : "of a pair");
    status = rico_system_add_friction(scene->system, name, &law, index);
    *mu = fmax(law.along[0], law.along[1]);
    return rico_scene_place(scene, node, status);
}


int rico_scene_friction_moments(const rico_scene *scene, int law, int dimension)
{
    return law == 0 ? 0 : rico_friction_moments(scene->system->friction[law - 1], dimension);
}
