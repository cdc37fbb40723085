// A scene: its life, and the simulation it asks for.

#include "model/system.h"
#include "scene/scene_controllers.h"
#include "scene/scene_friction.h"
#include "scene/scene_private.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

rico_status rico_scene_place(rico_scene *scene, const rico_node *node, rico_status status)
{
    const char *name = rico_document_name(scene->document), *said = rico_message(scene->ctx);
    if (status == RICO_OK || status == RICO_NO_MEMORY ||
        (strncmp(said, name, strlen(name)) == 0 && said[strlen(name)] == ':'))
        return status;
    char sentence[512];
    snprintf(sentence, sizeof sentence, "%s", rico_message(scene->ctx));
    return rico_document_fail_key(scene->document, node, "%s", sentence);
}


void rico_scene_warn(rico_scene *scene, const rico_node *node, const char *format, ...)
{
    char sentence[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    rico_log(scene->ctx, RICO_LOG_WARNING, "%s:%lld:%lld: %s", rico_document_name(scene->document),
             (long long)(node->key ? node->key_line : node->line),
             (long long)(node->key ? node->key_column : node->column), sentence);
}


// "time.step=1e-5", "scheme=hht": keys of the file, told from parameters by their dot or their name.
bool rico_scene_is_path(const char *word, size_t length)
{
    static const char *const ROOTS[] = {"scheme", "solver", "impact", "title"};
    for (size_t i = 0; i < sizeof ROOTS / sizeof *ROOTS; i++)
        if (strlen(ROOTS[i]) == length && strncmp(word, ROOTS[i], length) == 0) return true;
    return memchr(word, '.', length) != NULL;
}


// Sets the keys among the overrides, and reads the parameters with the others.
static rico_status override(rico_scene *scene, int64_t count, const char *const *overrides)
{
    rico_document *document = scene->document;
    const char **rest = rico_alloc(scene->ctx, count, sizeof *rest);
    if (!rest) return RICO_NO_MEMORY;
    rico_status status = RICO_OK;
    int64_t kept = 0;
    for (int64_t i = 0; status == RICO_OK && i < count; i++) {
        char path[128];
        size_t length = strcspn(overrides[i], "=");
        if (overrides[i][length] != '=' || length >= sizeof path ||
            !rico_scene_is_path(overrides[i], length)) {
            rest[kept++] = overrides[i];
            continue;
        }
        snprintf(path, sizeof path, "%.*s", (int)length, overrides[i]);
        status = rico_document_set(document, path, overrides[i] + length + 1);
    }
    if (status == RICO_OK)
        status = rico_parameters_read(document, rico_node_at(rico_document_root(document), "parameters"),
                                      kept, rest, &scene->parameters);
    rico_free(scene->ctx, rest);
    return status;
}


// Built as it is written; does it make sense?
static rico_status judge(rico_scene *scene)
{
    rico_status status = rico_scene_check_parts(scene);
    if (status == RICO_OK) status = rico_scene_check_forces(scene);
    if (status == RICO_OK) status = rico_system_complete(scene->system);
    if (status == RICO_OK) status = rico_assembly_create(scene->ctx, scene->system, &scene->assembly);
    if (status == RICO_OK)
        status = rico_assembly_mass(scene->assembly, rico_scene_times(scene).start, scene->q);
    if (status == RICO_OK) status = rico_scene_check_frames(scene);
    if (status == RICO_OK) status = rico_scene_check_start(scene);
    if (status == RICO_OK) status = rico_scene_check_overlap(scene);
    if (status == RICO_OK) status = rico_scene_check_touches(scene);
    if (status == RICO_OK) status = rico_scene_check_jumps(scene);
    rico_assembly_destroy(scene->assembly);
    scene->assembly = NULL;
    if (status == RICO_OK) status = rico_scene_settle(scene);
    return rico_scene_place(scene, rico_document_root(scene->document), status);
}


// What a program adds. Its parts come before anything counts positions.
static rico_status extend(rico_scene *scene, const rico_scene_options *options)
{
    if (!options->extend) return RICO_OK;
    rico_status status = options->extend(options->user, scene->system);
    return rico_scene_place(scene, rico_document_root(scene->document), status);
}


// Of a scene that names none, where it is not the one of the schema.
static const char *default_scheme(const rico_node *root)
{
    const rico_node *joints = rico_node_at(root, "joints");
    // what many loose bodies need strains beams and elastic parts, whose nodes it pushes one by one
    if (rico_node_at(root, "beams") || rico_node_at(root, "elastic")) return NULL;
    if (rico_node_at(root, "relations")) return RICO_RELATIONS_SCHEME;
    if (joints && joints->first) return RICO_JOINTS_SCHEME;
    return rico_node_at(root, "bodies") ? RICO_BODIES_SCHEME : NULL;
}


static rico_status build(rico_scene *scene, const rico_scene_options *options)
{
    rico_document *document = scene->document;
    rico_node *root = rico_document_root(document);
    rico_status status = override(scene, options->override_count, options->overrides);
    if (status != RICO_OK) return status;
    rico_document_set_scope(document, &scene->parameters.scope);
    status = rico_scene_expand_controllers(document, root);
    if (status != RICO_OK) return status;
    const char *scheme = default_scheme(root);
    if (scheme && !rico_node_at(root, "scheme")) status = rico_document_add(document, root, "scheme", scheme);
    if (status == RICO_OK) status = rico_schema_apply(document, root, rico_scene_schema());
    if (status == RICO_OK) status = rico_scene_check_names(scene, root);
    if (status == RICO_OK) status = rico_system_create(scene->ctx, &scene->system);
    if (status == RICO_OK) status = rico_scene_build_parts(scene, rico_node_at(root, "parts"));
    if (status == RICO_OK) status = rico_scene_build_elastics(scene, root);
    if (status == RICO_OK) status = rico_scene_build_bodies(scene, root);
    if (status == RICO_OK) status = extend(scene, options);
    if (status == RICO_OK) status = rico_scene_build_constraints(scene, root);
    if (status == RICO_OK) status = rico_scene_build_forces(scene, root);
    if (status == RICO_OK) status = rico_scene_build_relations(scene, root);
    if (status == RICO_OK) status = rico_scene_build_sampled(scene);
    if (status == RICO_OK) status = rico_scene_build_probes(scene, root);
    if (status == RICO_OK) status = rico_scene_check_constraint_names(scene, root);
    if (status == RICO_OK) status = rico_scene_build_initial(scene, root);
    if (status == RICO_OK) status = rico_scene_check_time(scene);
    return status == RICO_OK ? judge(scene) : status;
}


rico_status rico_scene_create(rico_context *ctx, const rico_scene_options *options, rico_scene **out)
{
    bool tells = options->excerpt && options->excerpt_size > 0;
    if (tells) options->excerpt[0] = '\0';
    rico_scene *scene = rico_alloc(ctx, 1, sizeof *scene);
    if (!scene) return RICO_NO_MEMORY;
    scene->ctx = ctx;
    rico_status status = rico_document_create(ctx, &scene->document);
    if (status == RICO_OK)
        status = options->text
                     ? rico_document_parse(scene->document, options->path, options->text, options->length)
                     : rico_document_load(scene->document, options->path);
    if (status == RICO_OK) status = build(scene, options);
    if (status != RICO_OK) {
        if (scene->document && tells)
            rico_document_excerpt(scene->document, options->excerpt, options->excerpt_size);
        rico_scene_destroy(scene);
        return status;
    }
    *out = scene;
    return RICO_OK;
}


rico_status rico_scene_load(rico_context *ctx, const char *path, int64_t override_count,
                            const char *const *overrides, char *excerpt, size_t size, rico_scene **out)
{
    const rico_scene_options options = {.path = path,
                                        .override_count = override_count,
                                        .overrides = overrides,
                                        .excerpt = excerpt,
                                        .excerpt_size = size};
    return rico_scene_create(ctx, &options, out);
}


rico_status rico_scene_parse(rico_context *ctx, const char *name, const char *text, int64_t length,
                             int64_t override_count, const char *const *overrides, char *excerpt, size_t size,
                             rico_scene **out)
{
    const rico_scene_options options = {.path = name,
                                        .text = text,
                                        .length = length,
                                        .override_count = override_count,
                                        .overrides = overrides,
                                        .excerpt = excerpt,
                                        .excerpt_size = size};
    return rico_scene_create(ctx, &options, out);
}


void rico_scene_destroy(rico_scene *scene)
{
    if (!scene) return;
    rico_context *ctx = scene->ctx;
    rico_system_destroy(scene->system);
    rico_scene_bodies_destroy(scene->bodies);
    rico_scene_elastics_destroy(scene->elastics);
    for (int64_t i = 0; i < scene->part_count; i++) rico_scene_part_destroy(scene->part[i]);
    for (int64_t i = 0; i < scene->constraint_count; i++) rico_scene_constraint_destroy(scene->constraint[i]);
    for (int64_t i = 0; i < scene->force_count; i++) rico_scene_force_destroy(scene->force[i]);
    rico_scene_friction_destroy(scene);
    rico_scene_relations_destroy(scene);
    rico_scene_sampled_destroy(scene);
    rico_free(ctx, scene->force);
    rico_free(ctx, scene->velocity_symbol);
    rico_free(ctx, scene->part);
    rico_free(ctx, scene->constraint);
    rico_free(ctx, scene->symbol);
    rico_free(ctx, scene->variables);
    rico_free(ctx, scene->map);
    rico_free(ctx, scene->q);
    rico_free(ctx, scene->v);
    rico_parameters_destroy(&scene->parameters);
    rico_document_destroy(scene->document);
    rico_free(ctx, scene);
}


static const rico_node *at(const rico_scene *scene, const char *key)
{
    return rico_node_at(rico_document_root(scene->document), key);
}


const char *rico_scene_title(const rico_scene *scene)
{
    const rico_node *node = at(scene, "title");
    return node && node->text ? node->text : "";
}


const char *rico_scene_scheme(const rico_scene *scene)
{
    return rico_node_at(at(scene, "scheme"), "name")->text;
}


bool rico_scene_has_time(const rico_scene *scene)
{
    return at(scene, "time") != NULL;
}


rico_scene_time rico_scene_times(const rico_scene *scene)
{
    rico_scene_time time = {.every = 1};
    const rico_node *node = at(scene, "time");
    if (!node) return time;
    rico_document_real(scene->document, rico_node_at(node, "start"), &time.start);
    rico_document_real(scene->document, rico_node_at(node, "end"), &time.end);
    rico_document_real(scene->document, rico_node_at(node, "step"), &time.step);
    rico_document_flag(scene->document, rico_node_at(node, "adaptive"), &time.adaptive);
    rico_document_real(scene->document, rico_node_at(node, "rtol"), &time.rtol);
    rico_document_real(scene->document, rico_node_at(node, "atol"), &time.atol);
    rico_document_real(scene->document, rico_node_at(node, "impact-step"), &time.impact_step);
    rico_document_integer(scene->document, rico_node_at(node, "max-steps"), &time.max_steps);
    const rico_node *every = rico_node_at(at(scene, "output"), "every");
    if (every) rico_document_integer(scene->document, every, &time.every);
    return time;
}


const double *rico_scene_position(const rico_scene *scene)
{
    return scene->q;
}


const double *rico_scene_velocity(const rico_scene *scene)
{
    return scene->v;
}


rico_system *rico_scene_system(rico_scene *scene)
{
    return scene->system;
}


const char *rico_scene_parameter(const rico_scene *scene, int64_t index, double *value)
{
    if (index < 0 || index >= scene->parameters.count) return NULL;
    const rico_symbol *own = &scene->parameters.symbol[index];
    if (value) *value = own->value;
    return own->name;
}


const rico_parameters *rico_scene_parameters(const rico_scene *scene)
{
    return &scene->parameters;
}


const char *rico_scene_file(const rico_scene *scene, int64_t index)
{
    return rico_document_file_at(scene->document, index);
}


static void name_of(const rico_scene *scene, int64_t index, bool velocity, char name[RICO_SCENE_NAME])
{
    const char *prefix = velocity ? "v_" : "";
    for (int64_t p = 0; p < scene->part_count; p++) {
        const rico_scene_part *part = scene->part[p];
        int64_t i = index - part->place.q;
        if (i < 0 || i >= part->n) continue;
        if (part->coordinate)
            snprintf(name, RICO_SCENE_NAME, "%s", velocity ? part->velocity[i] : part->coordinate[i]);
        else
            snprintf(name, RICO_SCENE_NAME, "%s%s[%lld]", prefix, part->name, (long long)i);
        return;
    }
    if (rico_scene_body_coordinate(scene->bodies, index, velocity, name)) return;
    // of a part that a program has added
    name[0] = '\0';
    for (int64_t p = 0; p < scene->system->part_count; p++) {
        const rico_part *part = scene->system->part[p];
        int64_t i = index - (velocity ? part->place.v : part->place.q);
        if (i >= 0 && i < (velocity ? part->place.v_size : part->place.q_size))
            snprintf(name, RICO_SCENE_NAME, "%s%s[%lld]", prefix, part->name, (long long)i);
    }
}


void rico_scene_position_name(const rico_scene *scene, int64_t index, char name[RICO_SCENE_NAME])
{
    name_of(scene, index, false, name);
}


void rico_scene_velocity_name(const rico_scene *scene, int64_t index, char name[RICO_SCENE_NAME])
{
    name_of(scene, index, true, name);
}


// Numbers through the document, so that "1/2" and parameters count; names and flags as text.
static rico_status set_law_option(rico_scene *scene, const rico_node *child, rico_impact_law *law)
{
    double value;
    bool number = rico_document_real(scene->document, child, &value) == RICO_OK;
    rico_status status = rico_impact_law_set(law, child->key, child->text);
    if (status != RICO_OK && number) status = rico_impact_law_set_number(law, child->key, value);
    return status;
}


// The law of multiple impacts that the scene asks for, and its options.
static rico_status set_impact(rico_scene *scene, rico_simulation *sim)
{
    const rico_node *node = at(scene, "impact");
    if (!node) return RICO_OK;
    rico_impact_law *law = NULL;
    rico_status status = rico_simulation_set_impact(sim, rico_node_at(node, "name")->text, &law);
    for (const rico_node *child = node->first; status == RICO_OK && child; child = child->next)
        if (strcmp(child->key, "name") != 0) status = set_law_option(scene, child, law);
    return rico_scene_place(scene, node, status);
}


static rico_status set_option(rico_scene *scene, const rico_node *child, rico_simulation *sim,
                              rico_solver *solver)
{
    double value;
    bool number = rico_document_real(scene->document, child, &value) == RICO_OK;
    rico_status status = solver ? rico_solver_set(solver, child->key, child->text)
                                : rico_simulation_set(sim, child->key, child->text);
    if (status != RICO_OK && number)
        status = solver ? rico_solver_set_number(solver, child->key, value)
                        : rico_simulation_set_number(sim, child->key, value);
    return status;
}


rico_status rico_scene_prepare(rico_scene *scene, rico_simulation **out)
{
    const rico_node *scheme = at(scene, "scheme"), *solver = at(scene, "solver");
    rico_simulation *sim = NULL;
    rico_solver *chosen = NULL;
    if (!rico_scene_has_time(scene))
        return rico_document_fail(
            scene->document, rico_document_root(scene->document),
            "the scene has no 'time'; add 'time: {end: ..., step: ...}' to simulate it");
    rico_status status = rico_simulation_create(scene->system, rico_scene_scheme(scene), &sim);
    for (const rico_node *child = scheme->first; status == RICO_OK && child; child = child->next)
        if (strcmp(child->key, "name") != 0) status = set_option(scene, child, sim, NULL);
    if (status == RICO_OK && solver)
        status = rico_simulation_set_solver(sim, rico_node_at(solver, "name")->text, &chosen);
    for (const rico_node *child = solver ? solver->first : NULL; status == RICO_OK && child;
         child = child->next)
        if (strcmp(child->key, "name") != 0) status = set_option(scene, child, sim, chosen);
    if (status == RICO_OK) status = set_impact(scene, sim);
    if (status != RICO_OK) {
        rico_simulation_destroy(sim);
        return status;
    }
    *out = sim;
    return RICO_OK;
}


rico_status rico_scene_simulate(rico_scene *scene, rico_simulation **out)
{
    rico_simulation *sim = NULL;
    rico_status status = rico_scene_prepare(scene, &sim);
    if (status == RICO_OK)
        status = rico_simulation_start(sim, rico_scene_times(scene).start, scene->q, scene->v);
    if (status != RICO_OK) {
        rico_simulation_destroy(sim);
        return status;
    }
    *out = sim;
    return RICO_OK;
}
