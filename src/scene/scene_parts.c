// Parts of a scene: formulas derived by the program, matrices, bars.
//
// Lagrange's equations of a part by formulas, with T = v'M(q)v/2 or given as it is:
//
//     M(q) dv/dt = force(t, q, v) - grad V(q) + dT/dq - (d^2 T / dv dq) v,
//
// the last two from the derivatives of M or T, so that nobody writes them down by hand.

#include "la/dense.h"
#include "scene/matrix.h"
#include "scene/scene_private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void rico_scene_part_destroy(rico_scene_part *part)
{
    if (!part) return;
    rico_context *ctx = part->scene->ctx;
    for (int64_t i = 0; part->mass && i < part->n * part->n; i++) rico_formula_destroy(part->mass[i]);
    for (int64_t i = 0; part->force && i < part->n; i++) rico_formula_destroy(part->force[i]);
    for (int64_t i = 0; part->load && i < part->n; i++) rico_formula_destroy(part->load[i]);
    rico_formula_destroy(part->kinetic);
    rico_formula_destroy(part->potential);
    void *all[] = {part->coordinate, part->velocity, part->symbol,   part->mass,    part->force, part->load,
                   part->variables,  part->work,     part->gradient, part->hessian, part->slots};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
    rico_free(ctx, part);
}


// --- what the model asks -------------------------------------------------------------------------------------

static void fill(const rico_scene_part *part, double t, const double *q, const double *v)
{
    double *x = part->variables;
    x[0] = t;
    if (q) memcpy(x + 1, q, (size_t)part->n * sizeof *q);
    if (v)
        memcpy(x + 1 + part->n, v, (size_t)part->n * sizeof *v);
    else
        memset(x + 1 + part->n, 0, (size_t)part->n * sizeof *x);
}


static bool mass(void *user, const double *q, double *M)
{
    const rico_scene_part *part = user;
    int64_t n = part->n;
    fill(part, 0.0, q, NULL);
    if (part->kinetic) {
        rico_formula_hessian(part->kinetic, part->variables, n, part->slots + n, part->work, part->gradient,
                             M);
        return true;
    }
    for (int64_t k = 0; k < n * n; k++)
        M[k] = part->mass[k] ? rico_formula_value(part->mass[k], part->variables, part->work) : 0.0;
    return true;
}


static bool load(void *user, double t, double *f)
{
    const rico_scene_part *part = user;
    part->variables[0] = t;
    for (int64_t i = 0; i < part->n; i++)
        f[i] = part->load[i] ? rico_formula_value(part->load[i], part->variables, part->work) : 0.0;
    return true;
}


// dT/dq - (d^2 T / dv dq) v from the kinetic energy.
static void inertia_of_energy(const rico_scene_part *part, const double *v, double *f)
{
    int64_t n = part->n, all = 2 * n;
    rico_formula_hessian(part->kinetic, part->variables, all, part->slots, part->work, part->gradient,
                         part->hessian);
    for (int64_t i = 0; i < n; i++) {
        double sum = part->gradient[i];
        for (int64_t j = 0; j < n; j++) sum -= part->hessian[(n + i) * all + j] * v[j];
        f[i] += sum;
    }
}


// The same from M(q): f_i = sum_jk (dM_jk/dq_i / 2 - dM_ij/dq_k) v_j v_k.
static void inertia_of_mass(const rico_scene_part *part, const double *v, double *f)
{
    int64_t n = part->n;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) {
            const rico_formula *entry = part->mass[i + j * n];
            if (!entry) continue;
            rico_formula_gradient(entry, part->variables, n, part->slots, part->work, part->gradient);
            double rate = rico_dot(n, part->gradient, v);
            f[i] -= rate * v[j];
            for (int64_t k = 0; k < n; k++) f[k] += 0.5 * part->gradient[k] * v[i] * v[j];
        }
}


static bool force(void *user, double t, const double *q, const double *v, double *f)
{
    const rico_scene_part *part = user;
    fill(part, t, q, v);
    for (int64_t i = 0; i < part->n; i++)
        f[i] = part->force && part->force[i] ? rico_formula_value(part->force[i], part->variables, part->work)
                                             : 0.0;
    return true;
}


static bool inertia(void *user, const double *q, const double *v, double *f)
{
    const rico_scene_part *part = user;
    fill(part, 0.0, q, v);
    memset(f, 0, (size_t)part->n * sizeof *f);
    if (part->kinetic)
        inertia_of_energy(part, v, f);
    else
        inertia_of_mass(part, v, f);
    return true;
}


static bool potential(void *user, const double *q, double *V)
{
    const rico_scene_part *part = user;
    fill(part, 0.0, q, NULL);
    *V = rico_formula_value(part->potential, part->variables, part->work);
    return true;
}


static bool gradient(void *user, const double *q, double *g)
{
    const rico_scene_part *part = user;
    fill(part, 0.0, q, NULL);
    rico_formula_gradient(part->potential, part->variables, part->n, part->slots, part->work, g);
    return true;
}


// --- reading -------------------------------------------------------------------------------------------------

static rico_status allocate(rico_scene_part *part)
{
    rico_context *ctx = part->scene->ctx;
    int64_t n = part->n;
    part->variables = rico_alloc(ctx, 2 * n + 1, sizeof *part->variables);
    part->gradient = rico_alloc(ctx, 2 * n, sizeof *part->gradient);
    part->hessian = rico_alloc(ctx, 4 * n * n, sizeof *part->hessian);
    part->slots = rico_alloc(ctx, 2 * n, sizeof *part->slots);
    if (!part->variables || !part->gradient || !part->hessian || !part->slots) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < 2 * n; i++) part->slots[i] = i + 1;
    return RICO_OK;
}


// Work space for whatever a formula of the part may be asked.
static rico_status reserve(rico_scene_part *part)
{
    rico_context *ctx = part->scene->ctx;
    int64_t n = part->n, most = 1;
    for (int64_t i = 0; i < n * n + 2 * n + 2; i++) {
        const rico_formula *formula = i < n * n           ? (part->mass ? part->mass[i] : NULL)
                                      : i < n * n + n     ? (part->force ? part->force[i - n * n] : NULL)
                                      : i < n * n + 2 * n ? (part->load ? part->load[i - n * n - n] : NULL)
                                      : i < n * n + 2 * n + 1 ? part->kinetic
                                                              : part->potential;
        if (!formula) continue;
        int64_t need = rico_formula_work(formula, formula == part->kinetic ? 2 : 1, 2 * n);
        if (need > most) most = need;
    }
    part->work = rico_alloc(ctx, most, sizeof *part->work);
    return part->work ? RICO_OK : RICO_NO_MEMORY;
}


static bool name_taken(const rico_scene *scene, const rico_scene_part *own, int64_t upto, const char *name)
{
    for (int64_t p = 0; p < scene->part_count; p++)
        for (int64_t i = 0; scene->part[p]->coordinate && i < scene->part[p]->n; i++)
            if (strcmp(scene->part[p]->coordinate[i], name) == 0) return true;
    for (int64_t i = 0; i < upto; i++)
        if (strcmp(own->coordinate[i], name) == 0) return true;
    return false;
}


// Coordinates x, y, ... with velocities v_x, v_y, ...; all in the scope of the part's formulas, with t.
static rico_status read_coordinates(rico_scene_part *part, rico_node *node)
{
    rico_scene *scene = part->scene;
    rico_context *ctx = scene->ctx;
    rico_node *list = rico_node_at(node, "coordinates");
    int64_t n = part->n = list->count, letters = 0, i = 0;
    for (rico_node *child = list->first; child; child = child->next)
        letters += (int64_t)strlen(child->text) + 3;
    part->coordinate = rico_alloc(ctx, n, sizeof *part->coordinate);
    // names of velocities behind the pointers to them
    part->velocity = rico_alloc(ctx, n * (int64_t)sizeof *part->velocity + letters, 1);
    part->symbol = rico_alloc(ctx, 2 * n + 1, sizeof *part->symbol);
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
        part->coordinate[i] = child->text;
        part->velocity[i] = text;
        text += sprintf(text, "v_%s", child->text) + 1;
        part->symbol[1 + i] = (rico_symbol){.name = child->text, .kind = RICO_SYMBOL_VARIABLE, .slot = 1 + i};
        part->symbol[1 + n + i] =
            (rico_symbol){.name = part->velocity[i], .kind = RICO_SYMBOL_VARIABLE, .slot = 1 + n + i};
    }
    part->scope = (rico_scope){2 * n + 1, part->symbol, &scene->parameters.scope};
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
                                  "coordinate",
                                  what, part->name, (long long)part->n);
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
    part->mass = rico_alloc(part->scene->ctx, n * n, sizeof(rico_formula *));
    if (!part->mass) return RICO_NO_MEMORY;
    bool rows = node->kind == RICO_NODE_LIST && node->first && node->first->kind == RICO_NODE_LIST;
    if (!rows) {
        rico_status status = read_formulas(part, node, "'mass'", part->mass);
        for (int64_t i = n - 1; i > 0; i--) { // from a list to a diagonal, from behind
            part->mass[i * n + i] = part->mass[i];
            if (i * n + i != i) part->mass[i] = NULL;
        }
        return status;
    }
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
    return rico_document_fail(part->scene->document, node, "%s of part '%s' may depend on %s alone", what,
                              part->name, allowed);
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
    for (int64_t k = 0; status == RICO_OK && k < n * n; k++) {
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
    rico_status status = read_formulas(part, node, "'force'", part->force);
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


// A full matrix of numbers as a part by matrices: what has a constant mass and loads alone is linear.
static rico_status add_linear(rico_scene_part *part)
{
    rico_scene *scene = part->scene;
    int64_t n = part->n;
    double *M = part->hessian; // 4 n^2 numbers, free here
    int64_t *start = rico_alloc(scene->ctx, n + 1, sizeof *start),
            *row = rico_alloc(scene->ctx, n * n, sizeof *row);
    rico_status status = RICO_NO_MEMORY;
    memset(part->variables, 0, (size_t)(2 * n + 1) * sizeof *part->variables);
    if (start && row) {
        mass(part, part->variables + 1, M);
        int64_t kept = 0;
        for (int64_t j = 0; j < n; j++) {
            for (int64_t i = 0; i < n; i++) {
                if (M[i + j * n] == 0.0 && i != j) continue;
                row[kept] = i;
                M[kept++] = M[i + j * n];
            }
            start[j + 1] = kept;
        }
        rico_matrix_part given = {
            .size = n, .M = {n, n, start, row, M}, .load = part->load ? load : NULL, .user = part};
        status = rico_system_add_matrices(scene->system, part->name, &given, &part->place);
    }
    rico_free(scene->ctx, start);
    rico_free(scene->ctx, row);
    return status;
}


static rico_status add_formulas(rico_scene_part *part)
{
    if (!part->varies && !part->force && !part->potential) return add_linear(part);
    rico_callback_part given = {.size = part->n,
                                .constant_mass = !part->varies,
                                .mass = mass,
                                .load = part->load ? load : NULL,
                                .force = part->force ? force : NULL,
                                .inertia = part->varies ? inertia : NULL,
                                .potential = part->potential ? potential : NULL,
                                .gradient = part->potential ? gradient : NULL,
                                .user = part};
    return rico_system_add_callbacks(part->scene->system, part->name, &given, &part->place);
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
    if (status == RICO_OK) status = add_formulas(part);
    return status;
}


// Matrices, or those of a bar; loads are formulas of t or numbers from a file.
static rico_status build_matrices(rico_scene_part *part, rico_node *node, bool bar)
{
    rico_scene *scene = part->scene;
    rico_document *document = scene->document;
    rico_node *K_node = rico_node_at(node, "stiffness"), *C_node = rico_node_at(node, "damping"),
              *f_node = rico_node_at(node, "force");
    rico_csc M = {0}, K = {0}, C = {0};
    double *constant = NULL;
    rico_status status = bar ? rico_scene_bar(scene, node, &M, &K)
                             : rico_matrix_read(document, rico_node_at(node, "mass"), &M);
    if (status == RICO_OK && K_node) status = rico_matrix_read(document, K_node, &K);
    if (status == RICO_OK && C_node) status = rico_matrix_read(document, C_node, &C);
    part->n = M.rows;
    part->symbol = status == RICO_OK ? rico_alloc(scene->ctx, 1, sizeof *part->symbol) : NULL;
    if (status == RICO_OK && !part->symbol) status = RICO_NO_MEMORY;
    if (status == RICO_OK) {
        part->symbol[0] = (rico_symbol){.name = "t", .kind = RICO_SYMBOL_VARIABLE, .slot = 0};
        part->scope = (rico_scope){1, part->symbol, &scene->parameters.scope};
        part->variables = rico_alloc(scene->ctx, 1, sizeof *part->variables);
        if (!part->variables) status = RICO_NO_MEMORY;
    }
    if (status == RICO_OK && f_node && f_node->kind == RICO_NODE_MAPPING) {
        int64_t count;
        status = rico_vector_read(document, f_node, &count, &constant);
        if (status == RICO_OK && count != part->n)
            status = rico_document_fail(document, f_node, "'force' has %lld numbers, expected %lld",
                                        (long long)count, (long long)part->n);
    } else if (status == RICO_OK && f_node) {
        part->load = rico_alloc(scene->ctx, part->n, sizeof(rico_formula *));
        status = part->load ? read_formulas(part, f_node, "'force'", part->load) : RICO_NO_MEMORY;
        int64_t most = 1;
        for (int64_t i = 0; status == RICO_OK && i < part->n; i++)
            most = (int64_t)fmax((double)most, (double)rico_formula_work(part->load[i], 0, 0));
        if (status == RICO_OK && !(part->work = rico_alloc(scene->ctx, most, sizeof *part->work)))
            status = RICO_NO_MEMORY;
    }
    if (status == RICO_OK) {
        rico_matrix_part given = {.size = part->n,
                                  .M = rico_csc_view(&M),
                                  .K = K.ctx ? rico_csc_view(&K) : (rico_sparse_view){0},
                                  .C = C.ctx ? rico_csc_view(&C) : (rico_sparse_view){0},
                                  .force = constant,
                                  .load = part->load ? load : NULL,
                                  .user = part};
        status = rico_system_add_matrices(scene->system, part->name, &given, &part->place);
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
    scene->part = rico_alloc(ctx, node->count, sizeof(rico_scene_part *));
    if (!scene->part) return RICO_NO_MEMORY;
    for (rico_node *child = node->first; child; child = child->next) {
        rico_scene_part *part = rico_alloc(ctx, 1, sizeof *part);
        if (!part) return RICO_NO_MEMORY;
        part->scene = scene;
        part->node = child;
        part->name = child->key;
        const char *kind = rico_node_at(child, "kind")->text;
        rico_status status = strcmp(kind, "formulas") == 0 ? build_formulas(part, child)
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
