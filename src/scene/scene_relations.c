// Relations of a scene: an output by a formula of the whole state, what lambda acts on, and the law between them.

#include "scene/scene_relations.h"
#include "base/suggest.h"
#include "ricochet/relation.h"
#include "scene/scene_private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { OUTPUT, ACTION, FACTOR, FEED, PROGRAMS };

typedef struct rico_scene_relation {
    rico_scene *scene;
    const rico_node *node;
    int64_t index; // of its constraint
    int64_t reach, *dof;
    int64_t feeds;
    rico_program *program[PROGRAMS]; // of t and the state in the reach; of t and |y|; of t
    int64_t at[PROGRAMS];            // their numbers in the scratch
} rico_scene_relation;

static const char *const LAWS[] = {"relay", "complementarity", "equality", NULL};
static const char *const STARTS[] = {"high", "low", NULL};


// --- what the model asks -------------------------------------------------------------------------------------------

static void prepare(void *user, double *scratch)
{
    const rico_scene_relation *relation = user;
    for (int k = 0; k < PROGRAMS; k++)
        if (relation->program[k]) rico_program_prepare(relation->program[k], scratch + relation->at[k]);
}


// t, the positions and the velocities of the reach are the variables; v NULL: they do not matter.
static double *run(const rico_scene_relation *relation, int which, double *scratch, double t, const double *q,
                   const double *v)
{
    double *x = scratch + relation->at[which];
    x[0] = t;
    for (int64_t i = 0; i < relation->reach; i++) {
        x[1 + i] = q[relation->dof[i]];
        x[1 + relation->reach + i] = v ? v[relation->dof[i]] : 0.0;
    }
    rico_program_run(relation->program[which], x);
    return x;
}


static bool action(void *user, double *scratch, double t, const double *q, double *B)
{
    const rico_scene_relation *relation = user;
    const double *x = run(relation, ACTION, scratch, t, q, NULL);
    for (int64_t i = 0; i < relation->reach; i++) B[i] = rico_program_output(relation->program[ACTION], x, i);
    return true;
}


static bool output(void *user, double *scratch, double t, const double *q, const double *v, double *y,
                   double *by_q, double *by_v)
{
    const rico_scene_relation *relation = user;
    const rico_program *program = relation->program[OUTPUT];
    const double *x = run(relation, OUTPUT, scratch, t, q, v);
    *y = rico_program_output(program, x, 0);
    for (int64_t i = 0; i < relation->reach; i++) {
        by_q[i] = rico_program_output(program, x, 1 + i);
        by_v[i] = rico_program_output(program, x, 1 + relation->reach + i);
    }
    return true;
}


static bool factor(void *user, double *scratch, double t, double size, double *value, double *slope)
{
    const rico_scene_relation *relation = user;
    double *x = scratch + relation->at[FACTOR];
    x[0] = t;
    x[1] = size;
    rico_program_run(relation->program[FACTOR], x);
    *value = rico_program_output(relation->program[FACTOR], x, 0);
    *slope = rico_program_output(relation->program[FACTOR], x, 1);
    return true;
}


static double feed(void *user, double *scratch, double t, int64_t k)
{
    const rico_scene_relation *relation = user;
    double *x = scratch + relation->at[FEED];
    x[0] = t;
    rico_program_run(relation->program[FEED], x);
    return rico_program_output(relation->program[FEED], x, k);
}


// --- reading -------------------------------------------------------------------------------------------------------

static rico_status reach_for(rico_scene_relation *relation, int64_t dof)
{
    for (int64_t i = 0; i < relation->reach; i++)
        if (relation->dof[i] == dof) return RICO_OK;
    int64_t *grown =
        rico_grow(relation->scene->ctx, relation->dof, relation->reach, relation->reach + 1, sizeof *grown);
    if (!grown) return RICO_NO_MEMORY;
    relation->dof = grown;
    relation->dof[relation->reach++] = dof;
    return RICO_OK;
}


// Velocities and the positions that go with them, of parts: those come first, and are paired.
static rico_status note_reads(rico_scene_relation *relation, const rico_formula *formula)
{
    int64_t count;
    const int64_t *slot = rico_formula_slots(formula, &count);
    rico_status status = RICO_OK;
    for (int64_t k = 0; status == RICO_OK && k < count; k++)
        if (slot[k] > 0) status = reach_for(relation, rico_scene_slot_dof(relation->scene, slot[k]));
    return status;
}


// Where slots of the scene stand among the variables of the programs.
static void map_slots(const rico_scene_relation *relation)
{
    int64_t nq = rico_system_positions(relation->scene->system), *map = relation->scene->map;
    map[0] = 0;
    for (int64_t i = 0; i < relation->reach; i++) {
        map[1 + relation->dof[i]] = 1 + i;
        map[1 + nq + relation->dof[i]] = 1 + relation->reach + i;
    }
}


// One program of one graph: `count` formulas in the places and with the weights given, and with `derive` the derivatives of the first behind them.
static rico_status compile(rico_scene_relation *relation, int which, int64_t variables, int64_t outputs,
                           int64_t count, rico_formula *const *formula, const int64_t *place,
                           const double *weight, const int64_t *map, bool derive)
{
    rico_context *ctx = relation->scene->ctx;
    rico_graph *graph = NULL;
    rico_term *term = rico_alloc(ctx, outputs, sizeof *term); // all RICO_TERM_ZERO
    rico_status status = term ? rico_graph_create(ctx, variables, &graph) : RICO_NO_MEMORY;
    for (int64_t k = 0; status == RICO_OK && k < count; k++) {
        rico_term plain = rico_graph_formula(graph, formula[k], map);
        term[place ? place[k] : k] =
            weight ? rico_graph_apply(graph, RICO_DO_MULTIPLY, rico_graph_constant(graph, weight[k]), plain)
                   : plain;
    }
    if (status == RICO_OK && derive) {
        int64_t slopes;
        const int64_t *slot;
        const rico_term *slope;
        rico_graph_gradient(graph, term[0], 1, variables - 1, &slopes, &slot, &slope);
        for (int64_t k = 0; k < slopes; k++) term[slot[k]] = slope[k];
    }
    if (status == RICO_OK) status = rico_graph_status(graph);
    if (status == RICO_OK) status = rico_program_create(graph, outputs, term, &relation->program[which]);
    rico_graph_destroy(graph);
    rico_free(ctx, term);
    return status;
}


static rico_status read_motion(rico_scene_relation *relation, bool *affine)
{
    rico_scene *scene = relation->scene;
    const rico_node *acts = rico_node_at(relation->node, "acts");
    if (acts->kind != RICO_NODE_MAPPING || acts->count == 0)
        return rico_document_fail(
            scene->document, acts,
            "'acts' of '%s' must be a mapping from coordinates or states to formulas; write {x: 1}",
            relation->node->key);
    int64_t count = acts->count, at = 0;
    rico_formula *y = NULL, **B = rico_alloc(scene->ctx, count, sizeof(rico_formula *));
    int64_t *place = rico_alloc(scene->ctx, count, sizeof *place);
    double *weight = rico_alloc(scene->ctx, count, sizeof *weight);
    rico_status status = B && place && weight ? RICO_OK : RICO_NO_MEMORY;
    if (status == RICO_OK)
        status = rico_document_formula(scene->document, rico_node_at(relation->node, "output"),
                                       &scene->state_scope, &y);
    int degree = 2;
    if (status == RICO_OK) status = note_reads(relation, y);
    if (status == RICO_OK) status = rico_formula_degree(y, &degree);
    *affine = degree <= 1;
    for (const rico_node *child = acts->first; status == RICO_OK && child; child = child->next, at++) {
        int64_t dof;
        status = rico_scene_find_dof(scene, child, &dof, &weight[at]);
        if (status == RICO_OK) status = rico_document_formula(scene->document, child, &scene->scope, &B[at]);
        if (status == RICO_OK) status = note_reads(relation, B[at]);
        if (status == RICO_OK) status = reach_for(relation, dof);
        for (int64_t i = 0; status == RICO_OK && i < relation->reach; i++)
            if (relation->dof[i] == dof) place[at] = i;
    }
    if (status == RICO_OK) {
        int64_t variables = 1 + 2 * relation->reach;
        map_slots(relation);
        status = compile(relation, OUTPUT, variables, variables, 1, &y, NULL, NULL, scene->map, true);
        if (status == RICO_OK)
            status = compile(relation, ACTION, variables, relation->reach, count, B, place, weight,
                             scene->map, false);
    }
    rico_formula_destroy(y);
    for (int64_t i = 0; B && i < count; i++) rico_formula_destroy(B[i]);
    rico_free(scene->ctx, B);
    rico_free(scene->ctx, place);
    rico_free(scene->ctx, weight);
    return status;
}


// A number, which may be a formula of t and y = |output|.
static rico_status read_amplitude(rico_scene_relation *relation, const rico_node *node, rico_relation *given)
{
    static const rico_symbol SYMBOLS[] = {
        {.name = "t", .kind = RICO_SYMBOL_VARIABLE, .slot = 0},
        {.name = "y", .kind = RICO_SYMBOL_VARIABLE, .slot = 1},
        {.name = "it may depend on t and on y, the size of the output", .kind = RICO_SYMBOL_NOTE}};
    rico_scene *scene = relation->scene;
    const rico_scope scope = {3, SYMBOLS, &scene->parameters.scope};
    rico_formula *formula = NULL;
    int64_t reads = 0;
    rico_status status = rico_document_formula(scene->document, node, &scope, &formula);
    if (status == RICO_OK) rico_formula_slots(formula, &reads);
    if (status == RICO_OK && reads > 0) {
        given->low = -1.0;
        given->high = 1.0;
        given->factor = factor;
        status = compile(relation, FACTOR, 2, 2, 1, &formula, NULL, NULL, NULL, true);
    } else if (status == RICO_OK) {
        status = rico_document_real(scene->document, node, &given->high);
        given->low = -given->high;
        if (status == RICO_OK && !(given->high >= 0.0))
            status = rico_document_fail(scene->document, node, "'amplitude' is %g, expected at least 0",
                                        given->high);
    }
    rico_formula_destroy(formula);
    return status;
}


static int choice_of(const rico_node *node, const char *const *names)
{
    int k = 0;
    while (node && names[k] && strcmp(names[k], node->text) != 0) k++;
    return k;
}


static rico_status read_law(rico_scene_relation *relation, rico_relation *given)
{
    static const char *const RELAY_KEYS[] = {"amplitude", "low", "high", "slope", "hysteresis", "starts"};
    rico_scene *scene = relation->scene;
    rico_document *document = scene->document;
    const rico_node *node = relation->node, *amplitude = rico_node_at(node, "amplitude"),
                    *low = rico_node_at(node, "low"), *high = rico_node_at(node, "high");
    given->law = (rico_relation_law)choice_of(rico_node_at(node, "law"), LAWS);
    for (size_t i = 0; given->law != RICO_RELATION_RELAY && i < sizeof RELAY_KEYS / sizeof *RELAY_KEYS; i++)
        if (rico_node_at(node, RELAY_KEYS[i]))
            return rico_document_fail_key(document, rico_node_at(node, RELAY_KEYS[i]),
                                          "'%s' belongs to a relay, and the law of '%s' is %s", RELAY_KEYS[i],
                                          node->key, LAWS[given->law]);
    if (given->law != RICO_RELATION_RELAY) return RICO_OK;
    if (amplitude ? low || high : !low || !high)
        return rico_document_fail_key(document, node, "relay '%s' needs 'amplitude', or 'low' and 'high'",
                                      node->key);
    const rico_node *hysteresis = rico_node_at(node, "hysteresis"), *starts = rico_node_at(node, "starts");
    rico_status status = RICO_OK;
    if (amplitude) status = read_amplitude(relation, amplitude, given);
    if (low) status = rico_document_real(document, low, &given->low);
    if (status == RICO_OK && high) status = rico_document_real(document, high, &given->high);
    if (status == RICO_OK && hysteresis)
        status = rico_document_real(document, hysteresis, &given->hysteresis);
    given->starts_low = choice_of(starts, STARTS) == 1;
    return status;
}


static const rico_scene_relation *named(const rico_scene *scene, const rico_node *node, rico_suggestion *near)
{
    for (int64_t i = 0; i < scene->relation_count; i++) {
        if (strcmp(scene->relation[i]->node->key, node->key) == 0) return scene->relation[i];
        rico_suggest_offer(near, scene->relation[i]->node->key);
    }
    return NULL;
}


// Entries of D, of t: those under 'feedthrough', and 1/slope of a relay that is a saturation.
static rico_status read_feeds(rico_scene_relation *relation)
{
    rico_scene *scene = relation->scene;
    const rico_node *given = rico_node_at(relation->node, "feedthrough"),
                    *slope = rico_node_at(relation->node, "slope");
    int64_t count = (given ? given->count : 0) + (slope ? 1 : 0), at = 0;
    if (count == 0) return RICO_OK;
    if (given && given->kind != RICO_NODE_MAPPING)
        return rico_document_fail(scene->document, given,
                                  "'feedthrough' of '%s' must be a mapping from relations to numbers or "
                                  "formulas of t",
                                  relation->node->key);
    static const rico_symbol SYMBOLS[] = {{.name = "t", .kind = RICO_SYMBOL_VARIABLE, .slot = 0},
                                          {.name = "it may depend on t alone", .kind = RICO_SYMBOL_NOTE}};
    const rico_scope scope = {2, SYMBOLS, &scene->parameters.scope};
    rico_formula **D = rico_alloc(scene->ctx, count, sizeof(rico_formula *));
    rico_status status = D ? RICO_OK : RICO_NO_MEMORY;
    for (const rico_node *child = given ? given->first : NULL; status == RICO_OK && child;
         child = child->next)
        status = rico_document_formula(scene->document, child, &scope, &D[at++]);
    if (status == RICO_OK && slope) {
        double k;
        status = rico_document_real(scene->document, slope, &k);
        char text[40];
        snprintf(text, sizeof text, "%.17g", 1.0 / k);
        if (status == RICO_OK) status = rico_formula_create(scene->ctx, text, NULL, NULL, &D[at++]);
    }
    relation->feeds = count;
    if (status == RICO_OK) status = compile(relation, FEED, 1, count, count, D, NULL, NULL, NULL, false);
    for (int64_t i = 0; D && i < count; i++) rico_formula_destroy(D[i]);
    rico_free(scene->ctx, D);
    return status;
}


static rico_status connect(const rico_scene_relation *relation)
{
    rico_scene *scene = relation->scene;
    const rico_node *given = rico_node_at(relation->node, "feedthrough");
    rico_status status = RICO_OK;
    for (const rico_node *child = given ? given->first : NULL; status == RICO_OK && child;
         child = child->next) {
        rico_suggestion near;
        char hint[RICO_SUGGEST_SENTENCE];
        rico_suggest_start(&near, child->key);
        const rico_scene_relation *from = named(scene, child, &near);
        if (!from)
            return rico_document_fail_key(scene->document, child, "'%s' is no relation%s", child->key,
                                          rico_suggest_sentence(&near, "", hint));
        status = rico_system_feed_through(scene->system, relation->index, from->index, 0.0);
    }
    if (status == RICO_OK && rico_node_at(relation->node, "slope"))
        status = rico_system_feed_through(scene->system, relation->index, relation->index, 0.0);
    return rico_scene_place(scene, relation->node, status);
}


static rico_status build(rico_scene_relation *relation)
{
    rico_scene *scene = relation->scene;
    rico_relation given = {.prepare = prepare, .action = action, .output = output, .user = relation};
    rico_status status = read_motion(relation, &given.affine);
    if (status == RICO_OK) status = read_law(relation, &given);
    if (status == RICO_OK) status = read_feeds(relation);
    if (status != RICO_OK) return status;
    for (int k = 0; k < PROGRAMS; k++) {
        relation->at[k] = given.scratch;
        given.scratch += rico_program_room(relation->program[k]);
    }
    given.reach = (rico_reach){relation->reach, relation->dof};
    if (relation->feeds > 0) given.feed = feed;
    status = rico_system_add_relation(scene->system, relation->node->key, &given, &relation->index);
    return rico_scene_place(scene, relation->node, status);
}


rico_status rico_scene_build_relations(rico_scene *scene, const rico_node *root)
{
    const rico_node *list = rico_node_at(root, "relations");
    if (!list) return RICO_OK;
    scene->relation = rico_alloc(scene->ctx, list->count, sizeof(rico_scene_relation *));
    rico_status status = scene->relation ? RICO_OK : RICO_NO_MEMORY;
    for (const rico_node *child = list->first; status == RICO_OK && child; child = child->next) {
        rico_scene_relation *relation = rico_alloc(scene->ctx, 1, sizeof *relation);
        if (!relation) return RICO_NO_MEMORY;
        relation->scene = scene;
        relation->node = child;
        scene->relation[scene->relation_count++] = relation;
        status = build(relation);
    }
    for (int64_t i = 0; status == RICO_OK && i < scene->relation_count; i++)
        status = connect(scene->relation[i]);
    return status;
}


void rico_scene_relations_destroy(rico_scene *scene)
{
    for (int64_t i = 0; i < scene->relation_count; i++) {
        rico_scene_relation *relation = scene->relation[i];
        for (int k = 0; k < PROGRAMS; k++) rico_program_destroy(relation->program[k]);
        rico_free(scene->ctx, relation->dof);
        rico_free(scene->ctx, relation);
    }
    rico_free(scene->ctx, scene->relation);
}


// --- the table -----------------------------------------------------------------------------------------------------

static const char *law_name(int index)
{
    return LAWS[index];
}


static const char *start_name(int index)
{
    return STARTS[index];
}


static const rico_schema_key RELATION[] = {
    {"output", RICO_WANT_FORMULA, .flags = RICO_KEY_REQUIRED,
     .help = "y, of t and all coordinates, velocities and states"},
    {"acts", RICO_WANT_ANY, .flags = RICO_KEY_REQUIRED,
     .help = "coordinate or state: what a unit of lambda does to its equation, of t and all coordinates"},
    {"law", RICO_WANT_CHOICE, .standard = "relay", .choice = law_name,
     .help = "lambda in -Sign(y) between bounds, 0 <= lambda _|_ y >= 0, or y = 0"},
    {"amplitude", RICO_WANT_FORMULA,
     .help =
         "of a relay: lambda is -amplitude where y > 0; a number, or a formula of t and of y, the size of "
         "the output, which may fall with it"},
    {"low", RICO_WANT_REAL, .help = "of a relay: lambda where y > 0, instead of -amplitude"},
    {"high", RICO_WANT_REAL, .help = "of a relay: lambda where y < 0"},
    {"slope", RICO_WANT_REAL, .flags = RICO_KEY_ABOVE, .high = INFINITY,
     .help = "of a relay: lambda = -slope y between the bounds, a saturation; without it, a jump"},
    {"hysteresis", RICO_WANT_REAL, .low = 0.0, .high = INFINITY,
     .help = "of a relay: it goes to `low` where y reaches this, and back to `high` at minus this"},
    {"starts", RICO_WANT_CHOICE, .choice = start_name,
     .help = "of a relay with hysteresis: where it begins; `high` unless given"},
    {"feedthrough", RICO_WANT_ANY,
     .help = "relation: part of its lambda that is added to this output, of t; may be this relation itself"},
    {NULL},
};

const rico_schema rico_scene_relation_schema = {
    .title = "relation",
    .help = "A number lambda that acts on the equations and is tied to an output by a set-valued law: a "
            "switching controller, a diode, dry friction of any kind.",
    .keys = RELATION};
