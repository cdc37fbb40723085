// Is what a scene calls a mass one? Symmetric, positive definite and finite at the start, a kinetic energy quadratic in
// the velocities; each refusal names the line, the part and the entry.

#include "base/random.h"
#include "la/dense.h"
#include "la/factor.h"
#include "model/system.h"
#include "scene/scene_private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PROBES = 3, LARGEST_DENSE = 256 };

// From far below to far above any speed, the telling ones first: c of a relativistic energy shows, too.
static const double SPEEDS[] = {1.0, 1e3, 1e-3, 1e6, 1e-6, 1e9, 1e-9, 1e12};

// Positions near the start, t and velocities as at the start: what holds by accident at one of them does not at all.
static void probe(const rico_scene_part *part, int which, double *x)
{
    const rico_scene *scene = part->scene;
    rico_random random;
    rico_random_seed(&random, (uint64_t)which);
    x[0] = rico_scene_times(scene).start;
    for (int64_t i = 0; i < part->n; i++) {
        double q = scene->q[part->place.q + i];
        x[1 + i] = which == 0 ? q : q + fmax(fabs(q), 1.0) * rico_random_range(&random, -0.4, 0.4);
        x[1 + part->n + i] = scene->v[part->place.v + i];
    }
}


static const char *name_of(const rico_scene_part *part, int64_t i, char name[RICO_SCENE_NAME])
{
    rico_scene_position_name(part->scene, part->place.q + i, name);
    return name;
}


// --- numbers at the start ------------------------------------------------------------------------------------

// "x = 0, v_x = 1": what a formula read, as far as it fits.
static void list_reads(const rico_scene_part *part, const rico_formula *formula, char *text, size_t size)
{
    int64_t count;
    const int64_t *slot = rico_formula_slots(formula, &count);
    size_t used = 0;
    text[0] = '\0';
    for (int64_t k = 0; k < count && used + 60 < size; k++) {
        char name[RICO_SCENE_NAME] = "t";
        int64_t i = slot[k] - 1, n = part->n;
        if (i >= n)
            rico_scene_velocity_name(part->scene, part->place.q + i - n, name);
        else if (i >= 0)
            rico_scene_position_name(part->scene, part->place.q + i, name);
        used += (size_t)snprintf(text + used, size - used, "%s%.20s = %g", used ? ", " : ": ", name,
                                 part->variables[slot[k]]);
    }
}


static rico_status check_value(const rico_scene_part *part, const rico_node *node,
                               const rico_formula *formula)
{
    if (!formula || !node) return RICO_OK;
    double value = rico_formula_value(formula, part->variables, part->work);
    if (isfinite(value)) return RICO_OK;
    char name[RICO_NODE_NAME], reads[160];
    list_reads(part, formula, reads, sizeof reads);
    return rico_document_fail(
        part->scene->document, node,
        "%s of part '%s' is %g at the start%s; check its divisions and domains, or the initial "
        "state",
        rico_node_name(node, name), part->name, value, reads);
}


static const rico_node *entry_of(const rico_node *node, int64_t i)
{
    if (!node || node->kind != RICO_NODE_LIST) return node;
    const rico_node *child = node->first;
    while (child && child->index < i) child = child->next;
    return child;
}


static rico_status check_values(rico_scene_part *part)
{
    rico_status status = RICO_OK;
    const rico_node *mass = rico_node_at(part->node, "mass"),
                    *force = rico_node_at(part->node, part->first_order ? "rate" : "force");
    int64_t n = part->n;
    probe(part, 0, part->variables);
    int64_t masses = !part->mass ? 0 : part->diagonal ? n : n * n;
    for (int64_t k = 0; status == RICO_OK && k < masses; k++) {
        const rico_node *row = entry_of(mass, k % n);
        status =
            check_value(part, row && row->kind == RICO_NODE_LIST ? entry_of(row, k / n) : row, part->mass[k]);
    }
    for (int64_t i = 0; status == RICO_OK && i < n; i++) {
        if (part->force) status = check_value(part, entry_of(force, i), part->force[i]);
        if (status == RICO_OK && part->load) status = check_value(part, entry_of(force, i), part->load[i]);
    }
    if (status == RICO_OK) status = check_value(part, rico_node_at(part->node, "kinetic"), part->kinetic);
    if (status == RICO_OK) status = check_value(part, rico_node_at(part->node, "potential"), part->potential);
    return status;
}


// --- symmetry ------------------------------------------------------------------------------------------------

static double entry_value(const rico_scene_part *part, int64_t i, int64_t j)
{
    const rico_formula *formula = rico_scene_mass_entry(part, i, j);
    return formula ? rico_formula_value(formula, part->variables, part->work) : 0.0;
}


static rico_status refuse_entry(const rico_scene_part *part, int64_t i, int64_t j, double a, double b)
{
    const rico_node *mass = rico_node_at(part->node, "mass");
    char row[RICO_SCENE_NAME], col[RICO_SCENE_NAME];
    return rico_document_fail(
        part->scene->document, entry_of(entry_of(mass, j), i),
        "the mass matrix of part '%s' is not symmetric: its entry (%s, %s) is %.10g, but (%s, %s) "
        "is %.10g; make them equal",
        part->name, name_of(part, j, col), name_of(part, i, row), b, row, col, a);
}


static rico_status check_symmetry(const rico_scene_part *part)
{
    if (!part->mass || part->diagonal) return RICO_OK;
    for (int which = 0; which <= PROBES; which++) {
        probe(part, which, part->variables);
        for (int64_t j = 0; j < part->n; j++)
            for (int64_t i = 0; i < j; i++) {
                double a = entry_value(part, i, j), b = entry_value(part, j, i);
                if (fabs(a - b) > 1e-12 * fmax(fabs(a), fabs(b))) return refuse_entry(part, i, j, a, b);
            }
    }
    return RICO_OK;
}


// --- kinetic energy ------------------------------------------------------------------------------------------

// T at the velocities s u against s^2 u'Mu/2, at one position.
static rico_status check_scale(const rico_scene_part *part, const rico_node *node, const rico_csc *M,
                               double s, const double *u)
{
    int64_t n = part->n;
    double *v = part->variables + 1 + n, quadratic = 0.0, size = 0.0;
    for (int64_t i = 0; i < n; i++) v[i] = s * u[i];
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = M->start[j]; k < M->start[j + 1]; k++) {
            double share = 0.5 * v[M->row[k]] * M->value[k] * v[j];
            quadratic += share;
            size += fabs(share);
        }
    double energy = rico_formula_value(part->kinetic, part->variables, part->work);
    if (!isfinite(energy) && isfinite(quadratic) && s <= 1.0) energy = HUGE_VAL;
    if (!isfinite(quadratic) || isnan(energy) || fabs(energy - quadratic) <= 1e-9 * size) return RICO_OK;
    char name[RICO_SCENE_NAME];
    return rico_document_fail(
        part->scene->document, node,
        "'kinetic' of part '%s' is not quadratic in its velocities: it is %.6g at v_%s = %.3g%s, "
        "its quadratic part %.6g; write T = v'M(q)v/2, what depends on positions alone belongs "
        "to 'potential'",
        part->name, energy, name_of(part, 0, name), v[0], n > 1 ? ", ..." : "", quadratic);
}


static rico_status check_kinetic(rico_scene_part *part, const rico_part *built, double *scratch)
{
    const rico_node *node = rico_node_at(part->node, "kinetic");
    if (!part->kinetic) return RICO_OK;
    int64_t n = part->n, count = rico_csc_count(&built->pattern);
    rico_csc M = built->pattern;
    double *u = rico_alloc(part->scene->ctx, n + count, sizeof *u);
    if (!u) return RICO_NO_MEMORY;
    M.value = u + n;
    rico_status status = RICO_OK;
    rico_random random;
    rico_random_seed(&random, 1);
    for (int which = 0; status == RICO_OK && which <= PROBES; which++) {
        probe(part, which, part->variables);
        if (!built->kind->mass(built, scratch, part->variables + 1, M.value) ||
            !rico_all_finite(count, M.value))
            continue; // outside its domain; the start was checked
        for (int64_t i = 0; i < n; i++) u[i] = rico_random_range(&random, 0.5, 1.5);
        for (size_t k = 0; status == RICO_OK && k < sizeof SPEEDS / sizeof *SPEEDS; k++)
            status = check_scale(part, node, &M, SPEEDS[k], u);
    }
    rico_free(part->scene->ctx, u);
    return status;
}


// --- definiteness --------------------------------------------------------------------------------------------

static const rico_node *mass_node(const rico_scene_part *part)
{
    const rico_node *node = rico_node_at(part->node, "mass");
    return node && !node->standard ? node : rico_node_at(part->node, "kinetic");
}


static rico_status refuse_mass(const rico_scene_part *part, int64_t i, double value, const char *why)
{
    const rico_node *node = mass_node(part);
    const rico_node *entry = entry_of(node, i);
    if (entry && entry->kind == RICO_NODE_LIST && entry_of(entry, i)) entry = entry_of(entry, i);
    char name[RICO_SCENE_NAME];
    name_of(part, i, name);
    if (!entry) entry = part->node;
    return rico_document_fail(
        part->scene->document, entry,
        "the mass of part '%s' %s: %s gets %.6g at the start, expected > 0; every coordinate needs "
        "a mass or an inertia of its own",
        part->name, why, name, value);
}


// Cholesky in place, by columns; the first pivot that round-off cannot tell from 0 names its coordinate.
static rico_status check_dense(const rico_scene_part *part, double *a)
{
    int64_t n = part->n;
    for (int64_t j = 0; j < n; j++) {
        double diagonal = a[j + j * n], pivot = diagonal;
        for (int64_t k = 0; k < j; k++) pivot -= a[j + k * n] * a[j + k * n];
        if (!(pivot > 1e-14 * diagonal)) return refuse_mass(part, j, pivot, "is not positive definite");
        double root = sqrt(pivot);
        a[j + j * n] = root;
        for (int64_t i = j + 1; i < n; i++) {
            double sum = a[i + j * n];
            for (int64_t k = 0; k < j; k++) sum -= a[i + k * n] * a[j + k * n];
            a[i + j * n] = sum / root;
        }
    }
    return RICO_OK;
}


static rico_status check_definite(const rico_scene_part *part, const rico_csc *M)
{
    rico_context *ctx = part->scene->ctx;
    int64_t n = part->n;
    for (int64_t j = 0; j < n; j++) {
        double diagonal = 0.0;
        for (int64_t k = M->start[j]; k < M->start[j + 1]; k++)
            if (M->row[k] == j) diagonal = M->value[k];
        if (!(diagonal > 0.0))
            return refuse_mass(part, j, diagonal, diagonal < 0.0 ? "is negative" : "is missing");
    }
    if (n > LARGEST_DENSE) {
        rico_factor *factor = NULL;
        rico_status status = rico_factor_create(RICO_CHOLESKY, M, &factor);
        rico_factor_destroy(factor);
        if (status != RICO_SINGULAR) return status;
        const rico_node *node = mass_node(part);
        return rico_document_fail(
            part->scene->document, node ? node : part->node,
            "the mass of part '%s' is not positive definite; check its off-diagonal entries", part->name);
    }
    double *a = rico_alloc(ctx, n * n, sizeof *a);
    if (!a) return RICO_NO_MEMORY;
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = M->start[j]; k < M->start[j + 1]; k++) a[M->row[k] + j * n] = M->value[k];
    rico_status status = check_dense(part, a);
    rico_free(ctx, a);
    return status;
}


// --- stiffness and damping of matrices -----------------------------------------------------------------------

// A negative entry of a diagonal is no mistake by itself (a buckled spring), but seldom meant.
static void warn_diagonal(const rico_scene_part *part, const rico_csc *A, const char *key, const char *effect)
{
    const rico_node *node = rico_node_at(part->node, key);
    for (int64_t j = 0; node && j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            if (A->row[k] != j || !(A->value[k] < 0.0)) continue;
            char name[RICO_SCENE_NAME];
            rico_scene_warn(part->scene, node, "the %s of part '%s' is negative: %s gets %.6g; %s", key,
                            part->name, name_of(part, j, name), A->value[k], effect);
            return;
        }
}


// K and C at the start: numbers, and of matrices with a diagonal of the usual sign. Room for both is in `value`.
static rico_status check_tangents(const rico_scene_part *part, const rico_part *built, double *scratch,
                                  double *value)
{
    const rico_scene *scene = part->scene;
    rico_csc K = built->pattern, C = built->pattern;
    K.value = value;
    C.value = value + rico_csc_count(&K);
    double t = rico_scene_times(scene).start;
    if (!built->kind->tangents(built, scratch, t, scene->q + part->place.q, scene->v + part->place.v, K.value,
                               C.value))
        return rico_fail(scene->ctx, RICO_BAD_INPUT, "the stiffness of part %s was refused", part->name);
    for (int64_t j = 0; j < K.cols; j++)
        for (int64_t k = K.start[j]; k < K.start[j + 1]; k++) {
            if (isfinite(K.value[k]) && isfinite(C.value[k])) continue;
            char row[RICO_SCENE_NAME], col[RICO_SCENE_NAME];
            return rico_document_fail_key(
                scene->document, part->node,
                "the force of part '%s' on %s changes infinitely fast with %s%s at the start; "
                "check its formulas there, or move the start",
                part->name, name_of(part, K.row[k], row), isfinite(K.value[k]) ? "v_" : "",
                name_of(part, j, col));
        }
    if (!built->constant_tangents) return RICO_OK;
    warn_diagonal(part, &K, "stiffness", "it pushes away from rest, and the motion may grow without bound");
    warn_diagonal(part, &C, "damping", "it feeds energy into the motion");
    return RICO_OK;
}


static rico_status check_matrices(const rico_scene_part *part, const rico_part *built, double *scratch)
{
    rico_context *ctx = part->scene->ctx;
    rico_csc M = built->pattern;
    int64_t count = rico_csc_count(&M);
    double *value = rico_alloc(ctx, 3 * count, sizeof *value);
    if (!value) return RICO_NO_MEMORY;
    M.value = value;
    bool answered = built->kind->mass(built, scratch, part->scene->q + part->place.q, value);
    // what has nodes without mass was looked at when their mass was taken
    rico_status status = answered
                             ? (built->massless > 0 ? RICO_OK : check_definite(part, &M))
                             : rico_fail(ctx, RICO_BAD_INPUT, "the mass of part %s was refused", part->name);
    if (status == RICO_OK) status = check_tangents(part, built, scratch, value + count);
    rico_free(ctx, value);
    return status;
}


// What is written as formulas: all of a part, or the loads of matrices.
static rico_status check_formulas(rico_scene_part *part, const rico_part *built, double *scratch)
{
    rico_status status = check_values(part);
    if (status == RICO_OK && part->coordinate) status = check_symmetry(part);
    if (status == RICO_OK && part->coordinate) status = check_kinetic(part, built, scratch);
    return status;
}


rico_status rico_scene_check_parts(rico_scene *scene)
{
    rico_status status = RICO_OK;
    for (int64_t p = 0; status == RICO_OK && p < scene->part_count; p++) {
        rico_scene_part *part = scene->part[p];
        const rico_part *built = scene->system->part[p];
        double *scratch = rico_alloc(scene->ctx, built->scratch, sizeof *scratch);
        if (!scratch) return RICO_NO_MEMORY;
        if (built->kind->prepare) built->kind->prepare(built, scratch);
        if (part->variables) status = check_formulas(part, built, scratch);
        if (status == RICO_OK) status = check_matrices(part, built, scratch);
        rico_free(scene->ctx, scratch);
    }
    return status;
}
