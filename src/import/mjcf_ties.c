// What MJCF says beside the tree: pairs and excludes, equalities, tendons.

#include "import/mjcf.h"

#include "la/quaternion.h"

#include <string.h>

// Reads one element; *missing is the name that is not there, and nothing was done then.
typedef rico_status take_function(const rico_mjcf_scope *scope, const rico_element *element,
                                  const char **missing);


// Of a name that only replicas have, each of them is meant.
static rico_status take_each(const rico_mjcf_scope *scope, const rico_element *element, take_function *take)
{
    const rico_mjcf *all = scope->all;
    const char *missing = NULL;
    rico_status status = take(scope, element, &missing);
    if (status != RICO_OK || !missing) return status;
    int64_t found = 0;
    for (int64_t i = 0; status == RICO_OK && i < all->suffix_count; i++) {
        rico_mjcf_scope replica = *scope;
        const char *none = NULL;
        replica.suffix = all->suffix[i];
        status = take(&replica, element, &none);
        found += !none;
    }
    if (status != RICO_OK || found > 0) return status;
    if (*scope->prefix)
        return rico_import_warn(scope->import, element,
                                "names '%.60s', which was not attached, and is left out", missing);
    return rico_element_fail(scope->import->ctx, element, "names '%.60s', which is not there", missing);
}


static const char *word(const rico_element *element, const char *name)
{
    const char *value = rico_element_get(element, name);
    return value ? value : "";
}


static rico_status take_exclude(const rico_mjcf_scope *scope, const rico_element *element,
                                const char **missing)
{
    rico_import *import = scope->import;
    const char *name[2] = {word(element, "body1"), word(element, "body2")};
    int64_t of[2];
    for (int i = 0; i < 2; i++) {
        of[i] = rico_mjcf_find_body(scope, name[i]);
        if (of[i] < 0) *missing = name[i];
    }
    if (*missing) return RICO_OK;
    rico_body_pair *pair = rico_import_push(import, &import->apart, &import->apart_count, sizeof *pair);
    if (!pair) return RICO_NO_MEMORY;
    *pair = (rico_body_pair){of[0], of[1]};
    return RICO_OK;
}


static rico_status take_pair(const rico_mjcf_scope *scope, const rico_element *element, const char **missing)
{
    rico_import *import = scope->import;
    const char *name[2] = {word(element, "geom1"), word(element, "geom2")};
    int64_t of[2];
    for (int i = 0; i < 2; i++) {
        of[i] = rico_mjcf_find_geom(scope, name[i]);
        if (of[i] < 0) *missing = name[i];
    }
    if (*missing) return RICO_OK;
    double mu[5] = {1.0, 1.0, 0.005, 0.0001, 0.0001};
    rico_surface surface = {.condim = 3};
    rico_status status = rico_mjcf_count(scope, element, "condim", &surface.condim);
    int count = 0;
    if (status == RICO_OK) status = rico_mjcf_reals(scope, element, "friction", 1, 5, mu, &count);
    if (status != RICO_OK) return status;
    if (count == 1) mu[1] = mu[0];
    if (mu[0] != mu[1] || mu[3] != mu[4])
        return rico_element_fail(import->ctx, element,
                                 "has frictions %g and %g along its two tangents; one for both is taken",
                                 mu[0], mu[1]);
    const double three[3] = {mu[0], mu[2], mu[3]};
    memcpy(surface.friction, three, sizeof three);
    for (int i = 0; i < 2; i++) {
        rico_import_geom *geom = &import->geom[of[i]];
        geom->touches = true;
        if (geom->surface.alone == 0) geom->surface.alone = of[i] + 1;
    }
    rico_geom_pair *pair = rico_import_push(import, &import->pair, &import->pair_count, sizeof *pair);
    if (!pair) return RICO_NO_MEMORY;
    *pair = (rico_geom_pair){of[0], of[1], surface};
    return RICO_OK;
}


rico_status rico_mjcf_contacts(const rico_mjcf_scope *scope)
{
    rico_status status = RICO_OK;
    for (const rico_element *part = scope->file->root->first; part; part = part->next)
        for (const rico_element *child = rico_element_is(part, "contact") ? part->first : NULL;
             status == RICO_OK && child; child = child->next)
            status = take_each(scope, child, rico_element_is(child, "pair") ? take_pair : take_exclude);
    return status;
}


// --- equalities ---------------------------------------------------------------------------------------------------------

static rico_tie *push_tie(const rico_mjcf_scope *scope, const rico_element *element, rico_tie_kind kind)
{
    rico_import *import = scope->import;
    rico_tie *tie = rico_import_push(import, &import->tie, &import->tie_count, sizeof *tie);
    if (tie)
        *tie = (rico_tie){
            .from = element, .name = rico_mjcf_name(scope, rico_element_get(element, "name")), .kind = kind};
    return tie;
}


// A point of the world as the file has it, in the axes of a body.
static void into_body(const rico_import *import, int64_t body, const double x[3], double out[3])
{
    double arm[3];
    rico_vec3_subtract(x, import->body[body].zero.p, arm);
    rico_quaternion_rotate_back(import->body[body].zero.q, arm, out);
}


static rico_status take_connect(const rico_mjcf_scope *scope, const rico_element *element,
                                const char **missing)
{
    rico_import *import = scope->import;
    bool weld = rico_element_is(element, "weld"), sites = rico_element_get(element, "site1") != NULL;
    const char *name[2] = {word(element, sites ? "site1" : "body1"),
                           word(element, sites ? "site2" : "body2")};
    double at[2][3] = {{0.0}}, x[3];
    int64_t of[2];
    for (int i = 0; i < 2; i++) {
        int64_t site = sites ? rico_mjcf_find_site(scope, name[i]) : -1;
        of[i] = sites ? (site < 0 ? -1 : import->site[site].body)
                      : (i == 1 && !*name[i] ? 0 : rico_mjcf_find_body(scope, name[i]));
        if (of[i] < 0) *missing = name[i];
        if (site >= 0) rico_vec3_copy(import->site[site].pos, at[i]);
    }
    if (*missing) return RICO_OK;
    if (!sites) {
        int count = 0;
        rico_status status = rico_mjcf_reals(scope, element, "anchor", 3, 3, at[0], &count);
        if (status != RICO_OK) return status;
        if (count == 0 && !weld) return rico_element_fail(import->ctx, element, "needs an 'anchor'");
        rico_frame_point(&import->body[of[0]].zero, at[0], x);
        into_body(import, of[1], x, at[1]);
    }
    rico_tie *tie = push_tie(scope, element, weld ? RICO_TIE_WELD : RICO_TIE_POINT);
    if (!tie) return RICO_NO_MEMORY;
    memcpy(tie->of, of, sizeof of);
    memcpy(tie->at, at, sizeof at);
    return RICO_OK;
}


static rico_status take_coupling(const rico_mjcf_scope *scope, const rico_element *element,
                                 const char **missing)
{
    rico_import *import = scope->import;
    const char *name[2] = {word(element, "joint1"), word(element, "joint2")};
    int64_t of[2] = {rico_mjcf_find_joint(scope, name[0]), -1};
    if (*name[1]) of[1] = rico_mjcf_find_joint(scope, name[1]);
    if (of[0] < 0) *missing = name[0];
    if (*name[1] && of[1] < 0) *missing = name[1];
    if (*missing) return RICO_OK;
    double c[5] = {0.0, 1.0, 0.0, 0.0, 0.0};
    rico_status status = rico_mjcf_reals(scope, element, "polycoef", 1, 5, c, NULL);
    if (status != RICO_OK) return status;
    for (int i = 0; i < 2; i++)
        if (of[i] >= 0 && import->joint[of[i]].kind > RICO_DOF_SLIDE)
            return rico_element_fail(import->ctx, element, "is taken of hinges and slides alone");
    if (c[0] != 0.0 || c[2] != 0.0 || c[3] != 0.0 || c[4] != 0.0)
        return rico_element_fail(import->ctx, element,
                                 "has the polynomial %g %g %g %g %g; '0 a' alone is taken", c[0], c[1], c[2],
                                 c[3], c[4]);
    if (of[1] < 0) {
        import->joint[of[0]].locked = true;
        return RICO_OK;
    }
    rico_tie *tie = push_tie(scope, element, RICO_TIE_COUPLER);
    if (!tie) return RICO_NO_MEMORY;
    memcpy(tie->of, of, sizeof of);
    tie->factor[0] = 1.0;
    tie->factor[1] = -c[1];
    return RICO_OK;
}


// --- tendons ------------------------------------------------------------------------------------------------------------

typedef struct cord {
    double range[2], stiffness, damping, rest[2];
    bool limited;
    int rests;
} cord;


static rico_status read_cord(const rico_mjcf_scope *scope, const rico_element *element, cord *out)
{
    *out = (cord){{0.0}};
    rico_status status = rico_mjcf_limited(scope, element, "limited", "range", out->range, &out->limited);
    if (status == RICO_OK) status = rico_mjcf_real(scope, element, "stiffness", &out->stiffness);
    if (status == RICO_OK) status = rico_mjcf_real(scope, element, "damping", &out->damping);
    if (status == RICO_OK)
        status = rico_mjcf_reals(scope, element, "springlength", 1, 2, out->rest, &out->rests);
    return status;
}


static rico_status take_spatial(const rico_mjcf_scope *scope, const rico_element *element,
                                const char **missing)
{
    rico_import *import = scope->import;
    cord given;
    rico_status status = read_cord(scope, element, &given);
    if (status != RICO_OK) return status;
    bool acts = given.limited || given.stiffness != 0.0 || given.damping != 0.0;
    if (!acts)
        return rico_import_warn(import, element, "has no limit, stiffness or damping, and is left out");
    const rico_element *end[2] = {element->first, element->last};
    bool plain = end[0] && end[1] && end[0]->next == end[1] && rico_element_is(end[0], "site") &&
                 rico_element_is(end[1], "site");
    if (!plain || given.range[0] > 0.0)
        return rico_element_fail(import->ctx, element, "%s; a rope or a spring between two sites is taken",
                                 plain ? "may push" : "runs over more than two sites");
    int64_t site[2];
    for (int i = 0; i < 2; i++) {
        site[i] = rico_mjcf_find_site(scope, word(end[i], "site"));
        if (site[i] < 0) *missing = word(end[i], "site");
    }
    if (*missing) return RICO_OK;
    double x[2][3], d[3];
    for (int i = 0; i < 2; i++)
        rico_frame_point(&import->body[import->site[site[i]].body].zero, import->site[site[i]].pos, x[i]);
    rico_vec3_subtract(x[1], x[0], d);
    for (int spring = 0; spring < 2; spring++) {
        if (spring ? given.stiffness == 0.0 && given.damping == 0.0 : !given.limited) continue;
        rico_tie *tie = push_tie(scope, element, spring ? RICO_TIE_SPRING : RICO_TIE_ROPE);
        if (!tie) return RICO_NO_MEMORY;
        tie->stiffness = given.stiffness;
        tie->damping = given.damping;
        tie->length = !spring                                   ? given.range[1]
                      : given.rests > 0 && given.rest[0] >= 0.0 ? given.rest[0]
                                                                : rico_vec3_norm(d);
        for (int i = 0; i < 2; i++) {
            tie->of[i] = import->site[site[i]].body;
            rico_vec3_copy(import->site[site[i]].pos, tie->at[i]);
        }
    }
    return RICO_OK;
}


static rico_status take_fixed(const rico_mjcf_scope *scope, const rico_element *element, const char **missing)
{
    (void)missing;
    cord given;
    rico_status status = read_cord(scope, element, &given);
    if (status != RICO_OK) return status;
    if (given.stiffness != 0.0 || given.damping != 0.0)
        return rico_element_fail(scope->import->ctx, element,
                                 "has a stiffness or a damping over several joints");
    if (given.limited)
        return rico_import_warn(scope->import, element,
                                "limits a sum of joint angles; that limit is ignored");
    return rico_import_warn(scope->import, element, "has no limit, and is left out");
}


rico_status rico_mjcf_ties(const rico_mjcf_scope *scope)
{
    static const struct {
        const char *part, *name;
        take_function *take;
    } TAKE[] = {{"equality", "connect", take_connect},
                {"equality", "weld", take_connect},
                {"equality", "joint", take_coupling},
                {"tendon", "spatial", take_spatial},
                {"tendon", "fixed", take_fixed}};
    rico_status status = RICO_OK;
    for (const rico_element *part = scope->file->root->first; part; part = part->next)
        for (const rico_element *child = part->first; status == RICO_OK && child; child = child->next)
            for (size_t i = 0; i < sizeof TAKE / sizeof *TAKE; i++) {
                if (!rico_element_is(part, TAKE[i].part) || !rico_element_is(child, TAKE[i].name)) continue;
                bool active = true;
                if (i < 3) status = rico_mjcf_flag(scope, child, "active", &active);
                if (status == RICO_OK && !active)
                    status = rico_import_warn(scope->import, child, "is not active, and left out");
                else if (status == RICO_OK)
                    status = take_each(scope, child, TAKE[i].take);
            }
    return status;
}
