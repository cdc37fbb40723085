// Does a contact have a normal, and a tangent to slide along, and a joint a direction to hold? Judged by the gradients of
// their formulas at the start and near it: what is senseless everywhere is refused, what is only unusual is told with its
// numbers.

#include "base/random.h"
#include "la/dense.h"
#include "model/system.h"
#include "scene/scene_private.h"

#include <math.h>
#include <stdio.h>

enum { PROBES = 4, MOST_ROWS = 3 }; // rows of a contact

// The gradients of one contact at the probes where they are finite; the first is the start.
typedef struct frames {
    const rico_scene_constraint *contact;
    const rico_node *node;
    int64_t n;
    int count;                // probes
    double *row[PROBES + 1];  // count rows of n each
    double *norm[PROBES + 1]; // of each row
    double *touching;         // rows where the gap is 0, near the start
} frames;


static void probe(rico_scene *scene, const rico_scene_constraint *contact, int which)
{
    rico_random random;
    rico_random_seed(&random, (uint64_t)which);
    scene->variables[0] = rico_scene_times(scene).start;
    for (int64_t i = 0; i < contact->dof_count; i++) {
        double q = scene->q[contact->slot[i] - 1];
        if (which > 0) q += fmax(fabs(q), 1.0) * rico_random_range(&random, -0.4, 0.4);
        scene->variables[contact->slot[i]] = q;
    }
}


static void take(frames *all, int which)
{
    const rico_scene_constraint *contact = all->contact;
    rico_scene *scene = contact->scene;
    double *row = all->row[all->count];
    probe(scene, contact, which);
    for (int64_t f = 0; f < contact->count; f++) {
        rico_formula_gradient(contact->formula[f], scene->variables, all->n, contact->slot, contact->work,
                              row + f * all->n);
        all->norm[all->count][f] = rico_norm(all->n, row + f * all->n);
    }
    if (rico_all_finite(contact->count * all->n, row)) all->count++;
}


static const rico_node *formula_node(const frames *all, int64_t f)
{
    const rico_node *tangent = rico_node_at(all->node, "tangent");
    if (!all->contact->contact) {
        const rico_node *equations = rico_node_at(all->node, "equations");
        if (equations->kind != RICO_NODE_LIST) return equations;
        const rico_node *equation = equations->first;
        while (equation->index < f) equation = equation->next;
        return equation;
    }
    if (f == 0) return rico_node_at(all->node, "gap");
    if (tangent->kind != RICO_NODE_LIST) return tangent;
    return f == 1 ? tangent->first : tangent->last;
}


static const char *formula_name(const frames *all, int64_t f)
{
    return !all->contact->contact ? "equation" : f == 0 ? "gap" : "tangent";
}


// Values and gradients at the start are numbers.
static rico_status check_finite(const frames *all, int64_t f)
{
    const rico_scene_constraint *contact = all->contact;
    rico_scene *scene = contact->scene;
    probe(scene, contact, 0);
    double value = rico_formula_gradient(contact->formula[f], scene->variables, all->n, contact->slot,
                                         contact->work, all->row[0] + f * all->n);
    bool measured = f == 0 || !contact->contact; // the value of a tangent does not count
    if ((isfinite(value) || !measured) && rico_all_finite(all->n, all->row[0] + f * all->n)) return RICO_OK;
    return rico_document_fail(
        scene->document, formula_node(all, f),
        "the %s of '%s'%s is not a finite number at the start (%g); check its divisions and "
        "domains, or the initial state",
        formula_name(all, f), all->node->key, isfinite(value) ? " has a gradient that" : "", value);
}


// A gradient that is 0 at every probe: the formula depends on no coordinate, whatever it reads.
static rico_status check_zero(const frames *all, int64_t f)
{
    rico_scene *scene = all->contact->scene;
    bool always = true, joint = !all->contact->contact;
    for (int k = 0; k < all->count && k <= PROBES; k++) always = always && all->norm[k][f] == 0.0;
    if (always && all->count > 0)
        return rico_document_fail(
            scene->document, formula_node(all, f),
            "'%s' of %s '%s' depends on no coordinate, so that it has no direction; write a %s",
            formula_name(all, f), joint ? "joint" : "contact", all->node->key,
            joint    ? "formula of coordinates that stays 0"
            : f == 0 ? "distance between things that move"
                     : "length along which they slide, or leave it out");
    if (all->count > 0 && all->norm[0][f] == 0.0)
        rico_scene_warn(
            scene, formula_node(all, f),
            "the gradient of '%s' of %s '%s' is 0 at the start, so that no force acts along it there",
            formula_name(all, f), joint ? "joint" : "contact", all->node->key);
    return RICO_OK;
}


// Row b = c a at probe k? Rows of a single coordinate always are, so that the factor tells.
static bool parallel(const frames *all, int k, int64_t a, int64_t b, double *c)
{
    const double *x = all->row[k] + a * all->n, *y = all->row[k] + b * all->n;
    if (all->norm[k][a] == 0.0 || all->norm[k][b] == 0.0) return false;
    *c = rico_dot(all->n, x, y) / (all->norm[k][a] * all->norm[k][a]);
    double rest = 0.0;
    for (int64_t i = 0; i < all->n; i++) rest = fmax(rest, fabs(y[i] - *c * x[i]));
    return rest <= 1e-10 * all->norm[k][b];
}


static rico_status check_parallel(const frames *all, int64_t a, int64_t b)
{
    rico_scene *scene = all->contact->scene;
    const char *other = a == 0 ? "the gradient of its 'gap', the normal" : "its other tangent";
    double first = 0.0, c = 0.0;
    bool always = true, at_start = false;
    for (int k = 0; k < all->count; k++) {
        bool here = parallel(all, k, a, b, &c);
        if (k == 0) at_start = here, first = c;
        always = always && here && fabs(c - first) <= 1e-8 * fabs(first);
    }
    if (always && all->count > 0)
        return rico_document_fail(
            scene->document, formula_node(all, b),
            "'tangent' of contact '%s' is parallel to %s; write the length along which it slides",
            all->node->key, other);
    if (at_start && all->n > 1)
        rico_scene_warn(
            scene, formula_node(all, b),
            "'tangent' of contact '%s' is parallel to %s at the start; check that it is the length along "
            "which it slides",
            all->node->key, other);
    return RICO_OK;
}


// --- is the gap a length? ------------------------------------------------------------------------------------

static double mass_entry(const rico_assembly *assembly, int64_t i, int64_t j)
{
    const rico_csc *pattern = &assembly->system->pattern;
    for (int64_t k = pattern->start[j]; k < pattern->start[j + 1]; k++)
        if (pattern->row[k] == i) return assembly->M[k];
    return 0.0;
}


// Translations of one body have one mass: what gap and tangent do along all coordinates of one mass can be compared.
typedef struct group {
    double mass;
    int64_t size;
    double dot[MOST_ROWS], norm[MOST_ROWS]; // squares; products with the normal
} group;


// Coordinate i of the contact alone in its mass, which must not vary: a pendulum's angles are no translations.
static bool translates(const rico_scene_constraint *contact, int64_t i)
{
    const rico_scene *scene = contact->scene;
    for (int64_t k = 0; k < contact->dof_count; k++)
        if (k != i && mass_entry(scene->assembly, contact->dof[i], contact->dof[k]) != 0.0) return false;
    for (int64_t p = 0; p < scene->part_count; p++) {
        const rico_scene_part *part = scene->part[p];
        int64_t at = contact->dof[i] - part->place.v;
        if (at >= 0 && at < part->n) return !part->varies;
    }
    return false;
}


static group gather(const frames *all, double mass)
{
    const rico_scene_constraint *contact = all->contact;
    group made = {.mass = mass};
    for (int64_t i = 0; i < all->n; i++) {
        double own = mass_entry(contact->scene->assembly, contact->dof[i], contact->dof[i]);
        if (fabs(own - mass) > 1e-12 * mass || !translates(contact, i)) continue;
        made.size++;
        for (int64_t f = 0; f < contact->count; f++) {
            double x = all->touching[f * all->n + i];
            made.norm[f] += x * x;
            made.dot[f] += x * all->touching[i];
        }
    }
    return made;
}


// The group that tells most: as many coordinates as a body (or several) has translations.
static bool choose_group(const frames *all, group *best)
{
    const rico_scene_constraint *contact = all->contact;
    bool found = false;
    for (int64_t i = 0; i < all->n; i++) {
        group now = gather(all, mass_entry(contact->scene->assembly, contact->dof[i], contact->dof[i]));
        if (now.size < contact->count || now.size % contact->count != 0) continue;
        bool fits = true;
        for (int64_t f = 0; f < contact->count; f++) fits = fits && now.norm[f] > 0.0;
        if (!fits) continue;
        *best = now;
        found = true;
        // one body whose gap and tangent agree is proof enough that they are lengths
        if (fabs(now.norm[0] - now.norm[1]) <= 1e-9 * now.norm[1]) return true;
    }
    return found;
}


// Rows at the nearest state in which the contact touches, by Newton's method along the normal: friction acts there alone,
// and a tangent such as R*atan2(y, x) is a length on its circle only. Where it is not found, the start has to do.
static void find_touching(const frames *all)
{
    const rico_scene_constraint *contact = all->contact;
    rico_scene *scene = contact->scene;
    double *normal = all->touching, size = 0.0;
    probe(scene, contact, 0);
    for (int k = 0; k < 30; k++) {
        double gap = rico_formula_gradient(contact->formula[0], scene->variables, all->n, contact->slot,
                                           contact->work, normal);
        double length = 0.0;
        for (int64_t i = 0; i < all->n; i++)
            length += normal[i] * normal[i] / mass_entry(scene->assembly, contact->dof[i], contact->dof[i]);
        if (k == 0) size = fabs(gap);
        if (!(length > 0.0) || !isfinite(gap) || fabs(gap) <= 1e-12 * size) break;
        for (int64_t i = 0; i < all->n; i++)
            scene->variables[contact->slot[i]] -=
                gap / length * normal[i] / mass_entry(scene->assembly, contact->dof[i], contact->dof[i]);
    }
    for (int64_t f = 0; f < contact->count; f++)
        rico_formula_gradient(contact->formula[f], scene->variables, all->n, contact->slot, contact->work,
                              all->touching + f * all->n);
    if (rico_all_finite(contact->count * all->n, all->touching)) return;
    for (int64_t i = 0; i < contact->count * all->n; i++) all->touching[i] = all->row[0][i];
}


static void warn_scale(const frames *all, double friction)
{
    rico_scene *scene = all->contact->scene;
    group tells;
    if (all->contact->count < 2 || friction <= 0.0 || all->count == 0) return;
    find_touching(all);
    if (!choose_group(all, &tells)) return;
    for (int64_t f = 1; f < all->contact->count; f++) {
        double ratio = sqrt(tells.norm[0] / tells.norm[f]);
        double skew = fabs(tells.dot[f]) / sqrt(tells.norm[0] * tells.norm[f]);
        if (fabs(ratio - 1.0) > 1e-3)
            rico_scene_warn(
                scene, formula_node(all, 0),
                "where it touches, the gap of contact '%s' changes %.4g times as fast with its coordinates "
                "as its "
                "tangent does, so that the friction of %g acts like %.4g; write both as lengths: %s the gap "
                "%s %.4g, or use the distance itself",
                all->node->key, ratio, friction, friction / ratio, ratio > 1.0 ? "divide" : "multiply", "by",
                ratio > 1.0 ? ratio : 1.0 / ratio);
        else if (skew > 1e-3)
            rico_scene_warn(scene, formula_node(all, f),
                            "where it touches, the tangent of contact '%s' is not perpendicular to its "
                            "normal, but at %.4g "
                            "degrees to it, so that friction does work along the normal; check its formula",
                            all->node->key, acos(fmin(skew, 1.0)) * 180.0 / 3.14159265358979323846);
        else
            continue;
        return;
    }
}


static rico_status check(const frames *all)
{
    int64_t rows = all->contact->count;
    rico_status status = RICO_OK;
    for (int64_t f = 0; status == RICO_OK && f < rows; f++) status = check_finite(all, f);
    for (int64_t f = 0; status == RICO_OK && f < rows; f++) status = check_zero(all, f);
    if (!all->contact->contact) return status;
    for (int64_t b = 1; status == RICO_OK && b < rows; b++)
        for (int64_t a = 0; status == RICO_OK && a < b; a++) status = check_parallel(all, a, b);
    double friction = 0.0;
    const rico_node *mu = rico_node_at(rico_node_at(all->node, "friction"), "friction");
    if (status == RICO_OK && mu) status = rico_document_real(all->contact->scene->document, mu, &friction);
    if (status == RICO_OK) warn_scale(all, friction);
    return status;
}


rico_status rico_scene_check_frames(rico_scene *scene)
{
    rico_status status = RICO_OK;
    for (int64_t c = 0; status == RICO_OK && c < scene->constraint_count; c++) {
        const rico_scene_constraint *contact = scene->constraint[c];
        frames all = {.contact = contact, .node = contact->node, .n = contact->dof_count};
        int64_t rows = contact->count, size = rows * (contact->dof_count + 1);
        double *block = rico_alloc(scene->ctx, (PROBES + 2) * size, sizeof *block);
        if (!block) return RICO_NO_MEMORY;
        for (int k = 0; k <= PROBES; k++) {
            all.norm[k] = block + k * size;
            all.row[k] = all.norm[k] + rows;
        }
        all.touching = block + (PROBES + 1) * size;
        for (int k = 0; k <= PROBES; k++) take(&all, k);
        status = check(&all);
        rico_free(scene->ctx, block);
    }
    return status;
}
