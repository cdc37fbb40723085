// Parts of a scene as they are written: formulas, equations of first order, matrices, bars. What follows from formulas is in scene_lagrange.c.

#include "scene/document_build.h"
#include "scene/matrix.h"
#include "scene/scene_private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void rico_scene_part_destroy(rico_scene_part *part)
{
    if (!part) return;
    rico_context *ctx = part->scene->ctx;
    int64_t masses = !part->mass ? 0 : part->diagonal ? part->n : part->n * part->n;
    for (int64_t i = 0; i < masses; i++) rico_formula_destroy(part->mass[i]);
    for (int64_t i = 0; part->force && i < part->n; i++) rico_formula_destroy(part->force[i]);
    for (int64_t i = 0; part->load && i < part->n; i++) rico_formula_destroy(part->load[i]);
    rico_formula_destroy(part->kinetic);
    rico_formula_destroy(part->potential);
    void *all[] = {part->coordinate, part->velocity, part->symbol,    part->mass,
                   part->force,      part->load,     part->variables, part->work};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
    rico_program_destroy(part->loads);
    rico_free(ctx, part);
}


// --- reading -------------------------------------------------------------------------------------------------

static rico_status allocate(rico_scene_part *part)
{
    part->variables = rico_alloc(part->scene->ctx, 2 * part->n + 1, sizeof *part->variables);
    return part->variables ? RICO_OK : RICO_NO_MEMORY;
}


static int64_t mass_count(const rico_scene_part *part)
{
    return !part->mass ? 0 : part->diagonal ? part->n : part->n * part->n;
}


const rico_formula *rico_scene_mass_entry(const rico_scene_part *part, int64_t i, int64_t j)
{
    if (!part->mass || (part->diagonal && i != j)) return NULL;
    return part->diagonal ? part->mass[i] : part->mass[i + j * part->n];
}


// Work space for the value of any formula of the part.
static rico_status reserve(rico_scene_part *part)
{
    int64_t n = part->n, masses = mass_count(part), most = 1;
    for (int64_t i = 0; i < masses + 2 * n + 2; i++) {
        const rico_formula *formula = i < masses            ? part->mass[i]
                                      : i < masses + n      ? (part->force ? part->force[i - masses] : NULL)
                                      : i < masses + 2 * n  ? (part->load ? part->load[i - masses - n] : NULL)
                                      : i == masses + 2 * n ? part->kinetic
                                                            : part->potential;
        if (!formula) continue;
        int64_t need = rico_formula_work(formula, 0, 0);
        if (need > most) most = need;
    }
    part->work = rico_alloc(part->scene->ctx, most, sizeof *part->work);
    return part->work ? RICO_OK : RICO_NO_MEMORY;
}


// As the file has it.
static const char *given_name(const rico_scene_part *part, int64_t i)
{
    return part->first_order ? part->velocity[i] : part->coordinate[i];
}


static bool name_taken(const rico_scene *scene, const rico_scene_part *own, int64_t upto, const char *name)
{
    for (int64_t p = 0; p < scene->part_count; p++)
        for (int64_t i = 0; scene->part[p]->coordinate && i < scene->part[p]->n; i++)
            if (strcmp(given_name(scene->part[p], i), name) == 0) return true;
    for (int64_t i = 0; i < upto; i++)
        if (strcmp(given_name(own, i), name) == 0) return true;
    return false;
}


// Coordinates x, y, ... with velocities v_x, v_y, ...; all in the scope of the part's formulas, with t. States i, u, ... are velocities, of
// the coordinates integral_i, integral_u, ....
static rico_status read_coordinates(rico_scene_part *part, rico_node *node)
{
    rico_scene *scene = part->scene;
    rico_context *ctx = scene->ctx;
    rico_node *list = rico_node_at(node, part->first_order ? "states" : "coordinates");
    const char *prefix = part->first_order ? RICO_SCENE_INTEGRAL : "v_";
    int64_t n = part->n = list->count, letters = 0, i = 0;
    for (rico_node *child = list->first; child; child = child->next)
        letters += (int64_t)(strlen(child->text) + strlen(prefix)) + 1;
    part->coordinate = rico_alloc(ctx, n, sizeof *part->coordinate);
    // names of velocities behind the pointers to them
    part->velocity = rico_alloc(ctx, n * (int64_t)sizeof *part->velocity + letters, 1);
    part->symbol = rico_alloc(ctx, 2 * n + 2, sizeof *part->symbol);
    if (!part->coordinate || !part->velocity || !part->symbol) return RICO_NO_MEMORY;
    char *text = (char *)(part->velocity + n);
    part->symbol[0] = (rico_symbol){.name = "t", .kind = RICO_SYMBOL_VARIABLE, .slot = 0};
    for (rico_node *child = list->first; child; child = child->next, i++) {
        if (rico_formula_check_name(ctx, child->text) != RICO_OK) {
            char sentence[256];
            snprintf(sentence, sizeof sentence, "%s", rico_message(ctx));
            return rico_document_fail(scene->document, child, "%s", sentence);
        }
        if (strcmp(child->text, "t") == 0 || name_taken(scene, part, i, child->text))
            return rico_document_fail(scene->document, child, "the name '%s' is taken", child->text);
        part->coordinate[i] = part->first_order ? text : child->text;
        part->velocity[i] = part->first_order ? child->text : text;
        text += sprintf(text, "%s%s", prefix, child->text) + 1;
        part->symbol[1 + i] =
            (rico_symbol){.name = part->coordinate[i], .kind = RICO_SYMBOL_VARIABLE, .slot = 1 + i};
        part->symbol[1 + n + i] =
            (rico_symbol){.name = part->velocity[i], .kind = RICO_SYMBOL_VARIABLE, .slot = 1 + n + i};
    }
    part->symbol[2 * n + 1] = (rico_symbol){
        .name =
            "formulas of a part know its own coordinates or states; what joins several goes under 'springs', "
            "'forces', 'contacts', 'joints' or 'relations'",
        .kind = RICO_SYMBOL_NOTE};
    part->scope = (rico_scope){2 * n + 2, part->symbol, &scene->parameters.scope};
    return allocate(part);
}


// A list of n formulas, or one scalar when n = 1.
static rico_status read_formulas(rico_scene_part *part, rico_node *node, const char *what, rico_formula **out)
{
    rico_document *document = part->scene->document;
    if (node->kind == RICO_NODE_SCALAR && part->n == 1)
        return rico_document_formula(document, node, &part->scope, &out[0]);
    if (node->kind != RICO_NODE_LIST || node->count != part->n)
        return rico_document_fail(document, node,
                                  "%s of part '%s' must be a list of %lld formulas, one for each "
                                  "%s",
                                  what, part->name, (long long)part->n,
                                  part->first_order ? "state" : "coordinate");
    int64_t i = 0;
    for (rico_node *child = node->first; child; child = child->next, i++) {
        rico_status status = rico_document_formula(document, child, &part->scope, &out[i]);
        if (status != RICO_OK) return status;
    }
    return RICO_OK;
}


// One formula, a diagonal, or rows.
static rico_status read_mass(rico_scene_part *part, rico_node *node)
{
    rico_document *document = part->scene->document;
    int64_t n = part->n;
    bool rows = node->kind == RICO_NODE_LIST && node->first && node->first->kind == RICO_NODE_LIST;
    part->diagonal = !rows;
    part->mass = rico_alloc(part->scene->ctx, rows ? n * n : n, sizeof(rico_formula *));
    if (!part->mass) return RICO_NO_MEMORY;
    if (!rows) return read_formulas(part, node, "'mass'", part->mass);
    if (node->count != n)
        return rico_document_fail(document, node, "'mass' of part '%s' has %lld rows, expected %lld",
                                  part->name, (long long)node->count, (long long)n);
    int64_t i = 0;
    for (rico_node *row = node->first; row; row = row->next, i++) {
        if (row->kind != RICO_NODE_LIST || row->count != n)
            return rico_document_fail(document, row, "row %lld of 'mass' must be a list of %lld formulas",
                                      (long long)i, (long long)n);
        int64_t j = 0;
        for (rico_node *cell = row->first; cell; cell = cell->next, j++) {
            rico_status status = rico_document_formula(document, cell, &part->scope, &part->mass[i + j * n]);
            if (status != RICO_OK) return status;
        }
    }
    return RICO_OK;
}


static bool reads_only(const rico_formula *formula, int64_t low, int64_t high)
{
    int64_t count;
    const int64_t *slot = rico_formula_slots(formula, &count);
    for (int64_t i = 0; i < count; i++)
        if (slot[i] < low || slot[i] > high) return false;
    return true;
}


// Which names a formula must not use: a mass that depends on velocities, a potential that depends on time.
static rico_status check_reads(rico_scene_part *part, rico_node *node, const char *what,
                               const rico_formula *formula, int64_t low, int64_t high, const char *allowed)
{
    if (!formula || reads_only(formula, low, high)) return RICO_OK;
    int64_t count, k = 0;
    const int64_t *slot = rico_formula_slots(formula, &count);
    while (slot[k] >= low && slot[k] <= high) k++;
    return rico_document_fail(part->scene->document, node,
                              "%s of part '%s' depends on '%s'; it may on %s alone", what, part->name,
                              part->symbol[slot[k]].name, allowed);
}


static rico_status read_inertia(rico_scene_part *part, rico_node *node)
{
    int64_t n = part->n;
    rico_node *given = rico_node_at(node, "mass"), *energy = rico_node_at(node, "kinetic");
    rico_status status = RICO_OK;
    part->varies = false;
    if (energy) {
        status = rico_document_formula(part->scene->document, energy, &part->scope, &part->kinetic);
        if (status == RICO_OK)
            status =
                check_reads(part, energy, "'kinetic'", part->kinetic, 1, 2 * n, "coordinates and velocities");
        if (status == RICO_OK) part->varies = !reads_only(part->kinetic, n + 1, 2 * n);
        return status;
    }
    status = read_mass(part, given);
    for (int64_t k = 0; status == RICO_OK && k < mass_count(part); k++) {
        status = check_reads(part, given, "'mass'", part->mass[k], 1, n, "coordinates");
        if (status == RICO_OK && part->mass[k] && !reads_only(part->mass[k], 0, -1)) part->varies = true;
    }
    return status;
}


// Forces that depend on time alone are loads: they leave a system linear.
static rico_status read_forces(rico_scene_part *part, rico_node *node)
{
    rico_context *ctx = part->scene->ctx;
    if (!node) return RICO_OK;
    part->force = rico_alloc(ctx, part->n, sizeof(rico_formula *));
    part->load = rico_alloc(ctx, part->n, sizeof(rico_formula *));
    if (!part->force || !part->load) return RICO_NO_MEMORY;
    rico_status status = read_formulas(part, node, part->first_order ? "'rate'" : "'force'", part->force);
    bool forces = false, loads = false;
    for (int64_t i = 0; status == RICO_OK && i < part->n; i++) {
        if (reads_only(part->force[i], 0, 0)) {
            part->load[i] = part->force[i];
            part->force[i] = NULL;
            loads = true;
        } else {
            forces = true;
        }
    }
    if (status != RICO_OK) return status;
    if (!forces) {
        rico_free(ctx, part->force);
        part->force = NULL;
    }
    if (!loads) {
        rico_free(ctx, part->load);
        part->load = NULL;
    }
    return RICO_OK;
}


// What has a constant mass and loads alone is linear: a part by matrices.
static rico_status add_linear(rico_scene_part *part)
{
    rico_context *ctx = part->scene->ctx;
    int64_t n = part->n, count = 0, room = part->diagonal ? n : n * n;
    int64_t *row = rico_alloc(ctx, room, sizeof *row), *col = rico_alloc(ctx, room, sizeof *col);
    double *value = rico_alloc(ctx, room, sizeof *value);
    rico_csc M = {0};
    rico_status status = row && col && value ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t k = 0; status == RICO_OK && k < room; k++) {
        int64_t i = part->diagonal ? k : k % n, j = part->diagonal ? k : k / n;
        double entry = rico_formula_value(part->mass[k], part->variables, part->work);
        if (entry == 0.0 && i != j) continue;
        row[count] = i;
        col[count] = j;
        value[count++] = entry;
    }
    if (status == RICO_OK) status = rico_csc_from_triplets(ctx, "mass", n, n, count, row, col, value, &M);
    if (status == RICO_OK) {
        rico_matrix_part given = {.size = n, .M = rico_csc_view(&M)};
        status = rico_scene_add_matrices(part, &given);
    }
    rico_csc_destroy(&M);
    rico_free(ctx, row);
    rico_free(ctx, col);
    rico_free(ctx, value);
    return status;
}


static rico_status build_formulas(rico_scene_part *part, rico_node *node)
{
    rico_node *energy = rico_node_at(node, "potential");
    rico_status status = read_coordinates(part, node);
    if (status == RICO_OK) status = read_inertia(part, node);
    if (status == RICO_OK) status = read_forces(part, rico_node_at(node, "force"));
    if (status == RICO_OK && energy) {
        status = rico_document_formula(part->scene->document, energy, &part->scope, &part->potential);
        if (status == RICO_OK)
            status = check_reads(part, energy, "'potential'", part->potential, 1, part->n, "coordinates");
    }
    if (status == RICO_OK) status = reserve(part);
    bool linear = part->mass && !part->varies && !part->force && !part->potential;
    if (status == RICO_OK) status = linear ? add_linear(part) : rico_scene_add_lagrange(part);
    return status;
}


// A mass of 1 for each state, in equations without weight.
static rico_status unit_mass(rico_scene_part *part)
{
    char text[40];
    snprintf(text, sizeof text, "%.17g", RICO_SCENE_WEIGHTLESS);
    part->weight = RICO_SCENE_WEIGHTLESS;
    part->diagonal = true;
    part->mass = rico_alloc(part->scene->ctx, part->n, sizeof(rico_formula *));
    rico_status status = part->mass ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t i = 0; status == RICO_OK && i < part->n; i++)
        status = rico_formula_create(part->scene->ctx, text, NULL, NULL, &part->mass[i]);
    return status;
}


// Numbers that a clock changes, scene_sampled.c: nothing moves them between.
static rico_status build_sampled(rico_scene_part *part, rico_node *node)
{
    part->first_order = true;
    rico_status status = read_coordinates(part, node);
    if (status == RICO_OK) status = unit_mass(part);
    if (status == RICO_OK) status = reserve(part);
    return status == RICO_OK ? add_linear(part) : status;
}


// The rates, which have been read without a mistake, times the weight of their equations.
static rico_status weigh(rico_scene_part *part, const rico_node *node)
{
    rico_context *ctx = part->scene->ctx;
    const rico_node *own = node->kind == RICO_NODE_LIST ? node->first : node;
    rico_status status = RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i < part->n; i++, own = own->next) {
        size_t length = strlen(own->text) + 40;
        char *text = rico_alloc(ctx, (int64_t)length, 1);
        rico_formula **formula = part->force && part->force[i] ? &part->force[i] : &part->load[i];
        if (!text) return RICO_NO_MEMORY;
        snprintf(text, length, "(%s)*%.17g", own->text, part->weight);
        rico_formula_destroy(*formula);
        *formula = NULL;
        status = rico_formula_create(ctx, text, &part->scope, NULL, formula);
        rico_free(ctx, text);
    }
    return status;
}


// E x' = f(t, x): M dv = f dt, with the states for velocities.
static rico_status build_first_order(rico_scene_part *part, rico_node *node)
{
    rico_node *mass = rico_node_at(node, "mass");
    part->first_order = true;
    rico_status status = read_coordinates(part, node);
    if (status == RICO_OK) status = mass ? read_mass(part, mass) : unit_mass(part);
    for (int64_t k = 0; mass && status == RICO_OK && k < mass_count(part); k++)
        status = check_reads(part, mass, "'mass'", part->mass[k], 0, -1, "parameters");
    if (status == RICO_OK) status = read_forces(part, rico_node_at(node, "rate"));
    if (status == RICO_OK && !mass) status = weigh(part, rico_node_at(node, "rate"));
    if (status == RICO_OK) status = reserve(part);
    if (status == RICO_OK) status = part->force ? rico_scene_add_lagrange(part) : add_linear(part);
    return status;
}


// t, NAME[0], ..., v_NAME[0], ...: what forces of a part known by indices may read.
static rico_status make_indexed_scope(rico_scene_part *part)
{
    rico_scene *scene = part->scene;
    size_t length = strlen(part->name) + 3;
    char *velocity = rico_document_cut(scene->document, length);
    part->symbol = rico_alloc(scene->ctx, 4, sizeof *part->symbol);
    part->variables = rico_alloc(scene->ctx, 2 * part->n + 1, sizeof *part->variables);
    if (!velocity || !part->symbol || !part->variables) return RICO_NO_MEMORY;
    snprintf(velocity, length, "v_%s", part->name);
    int64_t n = part->n;
    part->symbol[0] = (rico_symbol){.name = "t", .kind = RICO_SYMBOL_VARIABLE, .slot = 0};
    part->symbol[1] = (rico_symbol){.name = part->name, .kind = RICO_SYMBOL_VECTOR, .slot = 1, .count = n};
    part->symbol[2] = (rico_symbol){.name = velocity, .kind = RICO_SYMBOL_VECTOR, .slot = 1 + n, .count = n};
    part->symbol[3] = (rico_symbol){
        .name =
            "forces of a part know its own coordinates; what joins several goes under 'springs' or 'forces'",
        .kind = RICO_SYMBOL_NOTE};
    part->scope = (rico_scope){4, part->symbol, &scene->parameters.scope};
    return RICO_OK;
}


// Loads from a file, or formulas.
static rico_status read_indexed_forces(rico_scene_part *part, rico_node *node, double **constant)
{
    rico_document *document = part->scene->document;
    if (!node) return RICO_OK;
    if (node->kind != RICO_NODE_MAPPING) {
        rico_status status = read_forces(part, node);
        return status == RICO_OK ? reserve(part) : status;
    }
    int64_t count;
    rico_status status = rico_vector_read(document, node, &count, constant);
    if (status == RICO_OK && count != part->n)
        status = rico_document_fail(document, node, "'force' has %lld numbers, expected %lld",
                                    (long long)count, (long long)part->n);
    return status;
}


// Matrices, or those of a bar. Forces that depend on the state are added later, once all parts are there.
static rico_status build_matrices(rico_scene_part *part, rico_node *node, bool bar)
{
    rico_scene *scene = part->scene;
    rico_document *document = scene->document;
    rico_node *K_node = rico_node_at(node, "stiffness"), *C_node = rico_node_at(node, "damping");
    rico_csc M = {0}, K = {0}, C = {0};
    double *constant = NULL;
    int64_t massless = 0;
    rico_status status = bar ? rico_scene_bar(scene, node, &M, &K, &massless)
                             : rico_matrix_read(document, rico_node_at(node, "mass"), &M);
    if (status == RICO_OK && K_node) status = rico_matrix_read(document, K_node, &K);
    if (status == RICO_OK && C_node) status = rico_matrix_read(document, C_node, &C);
    part->n = M.rows;
    if (status == RICO_OK) status = make_indexed_scope(part);
    if (status == RICO_OK) status = read_indexed_forces(part, rico_node_at(node, "force"), &constant);
    if (status == RICO_OK) {
        rico_matrix_part given = {.size = part->n,
                                  .M = rico_csc_view(&M),
                                  .K = K.ctx ? rico_csc_view(&K) : (rico_sparse_view){0},
                                  .C = C.ctx ? rico_csc_view(&C) : (rico_sparse_view){0},
                                  .force = constant};
        status = rico_scene_add_matrices(part, &given);
    }
    if (status == RICO_OK && massless > 0) {
        rico_part *built = scene->system->part[scene->system->part_count - 1];
        built->massless = massless;
        built->definite = true;
    }
    rico_csc_destroy(&M);
    rico_csc_destroy(&K);
    rico_csc_destroy(&C);
    rico_free(scene->ctx, constant);
    return status;
}


rico_status rico_scene_build_parts(rico_scene *scene, rico_node *node)
{
    rico_context *ctx = scene->ctx;
    if (!node) return RICO_OK;
    scene->part = rico_alloc(ctx, node->count, sizeof(rico_scene_part *));
    if (!scene->part) return RICO_NO_MEMORY;
    for (rico_node *child = node->first; child; child = child->next) {
        rico_scene_part *part = rico_alloc(ctx, 1, sizeof *part);
        if (!part) return RICO_NO_MEMORY;
        part->scene = scene;
        part->node = child;
        part->name = child->key;
        part->weight = 1.0;
        const char *kind = rico_node_at(child, "kind")->text;
        rico_status status = strcmp(kind, "formulas") == 0      ? build_formulas(part, child)
                             : strcmp(kind, "first-order") == 0 ? build_first_order(part, child)
                             : strcmp(kind, "sampled") == 0     ? build_sampled(part, child)
                             : strcmp(kind, "chain") == 0
                                 ? rico_scene_build_chain(part, child)
                                 : build_matrices(part, child, strcmp(kind, "bar") == 0);
        if (status != RICO_OK) {
            rico_scene_part_destroy(part);
            return rico_scene_place(scene, child, status);
        }
        scene->part[scene->part_count++] = part;
    }
    return RICO_OK;
}
