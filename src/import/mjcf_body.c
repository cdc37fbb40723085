// The tree of an MJCF file: bodies, joints, inertias, sites; frames, replicas and models that are attached.

#include "import/mjcf.h"

#include "la/quaternion.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 20000, REPLICAS = 100000, DEEPEST = 64 }; // bodies; all replicas; models in one another

static rico_status class_exists(const rico_mjcf_scope *scope, const rico_element *element, const char *name)
{
    for (int64_t i = 0; name && i < scope->file->class_count; i++)
        if (strcmp(scope->file->class[i].name, name) == 0) return RICO_OK;
    if (!name || strcmp(name, "main") == 0) return RICO_OK;
    return rico_element_fail(scope->import->ctx, element, "names the class '%.60s', which is not there",
                             name);
}


// --- joints -------------------------------------------------------------------------------------------------------------

static rico_status joint_numbers(const rico_mjcf_scope *scope, const rico_element *element,
                                 rico_import_joint *joint)
{
    double unit = joint->kind == RICO_DOF_HINGE || joint->kind == RICO_DOF_BALL ? scope->file->unit : 1.0;
    rico_status status = rico_mjcf_reals(scope, element, "pos", 3, 3, joint->pos, NULL);
    if (status == RICO_OK) status = rico_mjcf_reals(scope, element, "axis", 3, 3, joint->axis, NULL);
    if (status == RICO_OK)
        status = rico_mjcf_limited(scope, element, "limited", "range", joint->range, &joint->limited);
    if (status == RICO_OK) status = rico_mjcf_real(scope, element, "damping", &joint->damping);
    if (status == RICO_OK) status = rico_mjcf_real(scope, element, "stiffness", &joint->stiffness);
    if (status == RICO_OK) status = rico_mjcf_real(scope, element, "springref", &joint->springref);
    if (status == RICO_OK) status = rico_mjcf_real(scope, element, "ref", &joint->ref);
    if (status == RICO_OK) status = rico_mjcf_real(scope, element, "frictionloss", &joint->loss);
    if (status == RICO_OK && (joint->damping < 0.0 || joint->stiffness < 0.0 || joint->loss < 0.0))
        return rico_element_fail(scope->import->ctx, element, "has a damping, stiffness or friction below 0");
    for (int i = 0; i < 2; i++) joint->range[i] *= unit;
    joint->springref *= unit;
    joint->ref *= unit;
    return status;
}


static rico_status take_joint(const rico_mjcf_scope *scope, const rico_element *element)
{
    static const char *const KIND[] = {"hinge", "slide", "ball", "free"};
    rico_import *import = scope->import;
    const char *type = rico_mjcf_get(scope, element, "type");
    int kind = rico_element_is(element, "freejoint") ? RICO_DOF_FREE : RICO_DOF_HINGE;
    if (type) {
        for (kind = 0; kind < 4 && strcmp(type, KIND[kind]) != 0;) kind++;
        if (kind == 4) return rico_element_fail(import->ctx, element, "is of the unknown type '%.40s'", type);
    }
    rico_import_joint *joint = rico_import_push(import, &import->joint, &import->joint_count, sizeof *joint);
    if (!joint) return RICO_NO_MEMORY;
    *joint = (rico_import_joint){.from = element,
                                 .name = rico_mjcf_name(scope, rico_element_get(element, "name")),
                                 .body = scope->body,
                                 .kind = (rico_import_kind)kind,
                                 .axis = {0.0, 0.0, 1.0}};
    rico_status status = class_exists(scope, element, rico_element_get(element, "class"));
    if (status == RICO_OK && !rico_element_is(element, "freejoint"))
        status = joint_numbers(scope, element, joint);
    if (status != RICO_OK) return status;
    // axes and places are in the frame that encloses the joint
    double place[3], axis[3];
    rico_frame_point(&scope->frame, joint->pos, place);
    rico_quaternion_rotate(scope->frame.q, joint->axis, axis);
    rico_vec3_copy(place, joint->pos);
    rico_vec3_copy(axis, joint->axis);
    if (!rico_vec3_normalise(joint->axis))
        return rico_element_fail(import->ctx, element, "has an axis without a length");
    if (kind == RICO_DOF_BALL) joint->q[0] = 1.0;
    if (kind == RICO_DOF_HINGE || kind == RICO_DOF_SLIDE) joint->q[0] = joint->ref;
    rico_import_body *body = &import->body[scope->body];
    if (scope->body == 0)
        return rico_element_fail(import->ctx, element, "stands in the world, which does not move");
    if (kind == RICO_DOF_FREE && (body->joints > 0 || body->parent != 0))
        return rico_element_fail(import->ctx, element,
                                 "is free, and that must be a body's only joint, of a child of the world");
    if (body->joints == 0) body->joint = import->joint_count - 1;
    body->joints++;
    return RICO_OK;
}


// --- bodies -------------------------------------------------------------------------------------------------------------

static rico_status take_inertial(const rico_mjcf_scope *scope, const rico_element *element)
{
    rico_import *import = scope->import;
    double diagonal[3] = {0.0}, full[6], R[9], T[9], half[9], I[9] = {0.0}, mass = NAN;
    int diagonals, fulls;
    rico_frame_in own, at;
    rico_status status = rico_mjcf_frame(scope, element, &own);
    if (status == RICO_OK) status = rico_mjcf_real(scope, element, "mass", &mass);
    if (status == RICO_OK)
        status = rico_mjcf_reals(scope, element, "diaginertia", 3, 3, diagonal, &diagonals);
    if (status == RICO_OK) status = rico_mjcf_reals(scope, element, "fullinertia", 6, 6, full, &fulls);
    if (status != RICO_OK) return status;
    if (isnan(mass) || (diagonals == 0) == (fulls == 0))
        return rico_element_fail(import->ctx, element, "needs a mass, and either diaginertia or fullinertia");
    if (fulls > 0) { // xx yy zz xy xz yz
        const double all[9] = {full[0], full[3], full[4], full[3], full[1],
                               full[5], full[4], full[5], full[2]};
        memcpy(I, all, sizeof I);
    } else {
        for (int i = 0; i < 3; i++) I[4 * i] = diagonal[i];
    }
    rico_frame_chain(&scope->frame, &own, &at);
    rico_import_body *body = &import->body[scope->body];
    if (scope->file->inertia == RICO_FROM_GEOMS)
        return rico_import_warn(import, element, "is ignored: the compiler takes inertias from geoms");
    body->inertial = element;
    body->given = true;
    body->mass = mass;
    rico_vec3_copy(at.p, body->center);
    bool same = at.q[0] == 1.0 || at.q[0] == -1.0;
    rico_quaternion_to_matrix(at.q, R);
    rico_mat3_transpose(R, T);
    rico_mat3_multiply(R, I, half);
    if (same)
        memcpy(body->inertia, I, sizeof I);
    else
        rico_mat3_multiply(half, T, body->inertia);
    return RICO_OK;
}


static rico_status take_body(const rico_mjcf_scope *outer, const rico_element *element)
{
    rico_import *import = outer->import;
    if (import->body_count >= MOST)
        return rico_element_fail(import->ctx, element, "is one of more than %d bodies", MOST);
    rico_mjcf_scope scope = *outer;
    rico_frame_in own, at;
    bool mocap = false;
    rico_status status = rico_mjcf_frame(outer, element, &own);
    if (status == RICO_OK) status = rico_mjcf_flag(outer, element, "mocap", &mocap);
    if (status != RICO_OK) return status;
    rico_frame_chain(&outer->frame, &own, &at);
    const char *class = rico_element_get(element, "childclass"), *name = rico_element_get(element, "name");
    if (class) scope.childclass = class;
    status = class_exists(&scope, element, class);
    scope.body = import->body_count;
    scope.frame = RICO_FRAME_SAME;
    scope.depth++;
    rico_import_body *body = rico_import_push(import, &import->body, &import->body_count, sizeof *body);
    if (!body) return RICO_NO_MEMORY;
    *body = (rico_import_body){.from = element, .parent = outer->body, .at = at, .mocap = mocap};
    if (name) body->name = rico_mjcf_name(outer, name);
    if (name && !body->name) return RICO_NO_MEMORY;
    if (status == RICO_OK && mocap)
        status = rico_import_warn(import, element, "is a mocap body: it stands still here");
    return status == RICO_OK ? rico_mjcf_children(&scope, element) : status;
}


// Suffixes of replicas, each once: names elsewhere may mean all of them.
static rico_status keep_suffix(const rico_mjcf_scope *scope)
{
    enum { KEPT = 1000 };
    rico_mjcf *all = scope->all;
    for (int64_t i = 0; i < all->suffix_count; i++)
        if (strcmp(all->suffix[i], scope->suffix) == 0) return RICO_OK;
    if (all->suffix_count == KEPT) return RICO_OK;
    const char **kept = rico_import_push(scope->import, &all->suffix, &all->suffix_count, sizeof *kept);
    if (!kept) return RICO_NO_MEMORY;
    *kept = scope->suffix;
    return RICO_OK;
}


static rico_status take_site(const rico_mjcf_scope *scope, const rico_element *element)
{
    rico_import *import = scope->import;
    rico_frame_in own;
    rico_status status = rico_mjcf_frame(scope, element, &own);
    if (status != RICO_OK) return status;
    rico_import_site *site = rico_import_push(import, &import->site, &import->site_count, sizeof *site);
    if (!site) return RICO_NO_MEMORY;
    double ends[6];
    int count;
    status = rico_mjcf_reals(scope, element, "fromto", 6, 6, ends, &count);
    for (int i = 0; count == 6 && i < 3; i++) own.p[i] = 0.5 * (ends[i] + ends[i + 3]);
    site->name = rico_mjcf_name(scope, rico_element_get(element, "name"));
    site->body = scope->body;
    rico_frame_point(&scope->frame, own.p, site->pos);
    return status;
}


// --- what stands for several --------------------------------------------------------------------------------------------

static rico_status take_frame(const rico_mjcf_scope *outer, const rico_element *element)
{
    rico_mjcf_scope scope = *outer;
    rico_frame_in own;
    rico_status status = rico_mjcf_frame(outer, element, &own);
    if (status != RICO_OK) return status;
    rico_frame_chain(&outer->frame, &own, &scope.frame);
    const char *class = rico_element_get(element, "childclass");
    if (class) scope.childclass = class;
    scope.depth++;
    status = class_exists(&scope, element, class);
    return status == RICO_OK ? rico_mjcf_part(&scope, element) : status;
}


// Replica i + 1 stands in replica i as the offset and the turn say.
static rico_status take_replicas(const rico_mjcf_scope *outer, const rico_element *element)
{
    rico_import *import = outer->import;
    rico_mjcf_scope scope = *outer;
    rico_frame_in next, at = RICO_FRAME_SAME;
    int64_t count = -1;
    const char *sep = rico_element_get(element, "sep");
    rico_status status = rico_mjcf_frame(outer, element, &next);
    if (status == RICO_OK) status = rico_mjcf_reals(outer, element, "offset", 3, 3, next.p, NULL);
    if (status == RICO_OK) status = rico_mjcf_count(outer, element, "count", &count);
    if (status == RICO_OK && (count < 0 || count > MOST))
        return rico_element_fail(import->ctx, element, "has a count of %lld", (long long)count);
    int digits = snprintf(NULL, 0, "%lld", (long long)(count > 0 ? count - 1 : 0));
    scope.depth++;
    for (int64_t i = 0; status == RICO_OK && i < count; i++) {
        scope.suffix =
            rico_arena_text(&import->arena, "%s%s%0*lld", sep ? sep : "", "", digits, (long long)i);
        if (scope.suffix) scope.suffix = rico_arena_text(&import->arena, "%s%s", scope.suffix, outer->suffix);
        if (!scope.suffix) return RICO_NO_MEMORY;
        if (++outer->all->replicas > REPLICAS)
            return rico_element_fail(import->ctx, element, "makes more than %d replicas", REPLICAS);
        rico_frame_chain(&outer->frame, &at, &scope.frame);
        status = keep_suffix(&scope);
        if (status == RICO_OK) status = rico_mjcf_part(&scope, element);
        rico_frame_chain(&at, &next, &at);
    }
    return status;
}


static const rico_element *seek_body(const rico_element *element, const char *name)
{
    for (const rico_element *child = element->first; child; child = child->next) {
        const char *own = rico_element_is(child, "body") ? rico_element_get(child, "name") : NULL;
        const rico_element *found = own && strcmp(own, name) == 0 ? child : seek_body(child, name);
        if (found) return found;
    }
    return NULL;
}


// The file of an asset <model>, read once.
static rico_status model_file(const rico_mjcf_scope *scope, const rico_element *element, const char *name,
                              rico_mjcf_file **out)
{
    rico_import *import = scope->import;
    rico_mjcf *all = scope->all;
    const rico_element *model = NULL;
    for (const rico_element *asset = scope->file->root->first; asset; asset = asset->next)
        for (const rico_element *child = rico_element_is(asset, "asset") ? asset->first : NULL; child;
             child = child->next) {
            const char *own = rico_element_is(child, "model") ? rico_element_get(child, "name") : NULL;
            if (own && strcmp(own, name) == 0) model = child;
        }
    const char *file = model ? rico_element_get(model, "file") : NULL;
    if (!file)
        return rico_element_fail(import->ctx, element, "names the model '%.60s', and no asset is called that",
                                 name);
    const char *slash = strrchr(model->file, '/');
    char *path = file[0] == '/' || !slash ? rico_arena_text(&import->arena, "%s", file)
                                          : rico_arena_text(&import->arena, "%.*s/%s",
                                                            (int)(slash - model->file), model->file, file);
    if (!path) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < all->file_count; i++)
        if (strcmp(all->file[i]->path, path) == 0) {
            *out = all->file[i];
            return RICO_OK;
        }
    rico_element *root = NULL;
    rico_status status = rico_tree_read(&import->arena, path, &import->elements, &root);
    if (status == RICO_OK) status = rico_mjcf_open(all, path, root, out);
    if (status != RICO_OK) return status;
    rico_mjcf_file **kept = rico_import_push(import, &all->file, &all->file_count, sizeof(rico_mjcf_file *));
    if (!kept) return RICO_NO_MEMORY;
    *kept = *out;
    return RICO_OK;
}


static rico_status take_attached(const rico_mjcf_scope *outer, const rico_element *element)
{
    rico_import *import = outer->import;
    rico_mjcf *all = outer->all;
    const char *name = rico_element_get(element, "model"), *body = rico_element_get(element, "body");
    const char *prefix = rico_element_get(element, "prefix");
    if (!name) return rico_element_fail(import->ctx, element, "needs a 'model'");
    rico_mjcf_scope scope = *outer;
    rico_status status = model_file(outer, element, name, &scope.file);
    if (status != RICO_OK) return status;
    scope.childclass = NULL;
    scope.depth++;
    scope.prefix = rico_arena_text(&import->arena, "%s%s", outer->prefix, prefix ? prefix : "");
    rico_mjcf_instance *instance =
        rico_import_push(import, &all->instance, &all->instance_count, sizeof *instance);
    if (!scope.prefix || !instance) return RICO_NO_MEMORY;
    instance->scope = scope;
    bool found = false;
    for (const rico_element *world = scope.file->root->first; status == RICO_OK && world;
         world = world->next) {
        if (!rico_element_is(world, "worldbody")) continue;
        const rico_element *one = body ? seek_body(world, body) : world;
        found = found || one;
        if (one && body)
            status = take_body(&scope, one);
        else if (one)
            status = rico_mjcf_children(&scope, one);
    }
    if (status == RICO_OK && !found)
        return rico_element_fail(import->ctx, element,
                                 "names the body '%.60s', which the model does not have",
                                 body ? body : "world");
    return status;
}


rico_status rico_mjcf_part(const rico_mjcf_scope *scope, const rico_element *element)
{
    enum { OWN = 1, BODIES = 2 };
    static const struct {
        const char *name;
        int pass;
        rico_status (*take)(const rico_mjcf_scope *, const rico_element *);
    } TAKE[] = {{"geom", OWN, rico_mjcf_geom},    {"joint", OWN, take_joint},
                {"freejoint", OWN, take_joint},   {"inertial", OWN, take_inertial},
                {"site", OWN, take_site},         {"frame", OWN | BODIES, take_frame},
                {"body", BODIES, take_body},      {"replicate", OWN | BODIES, take_replicas},
                {"attach", BODIES, take_attached}};
    if (scope->depth > RICO_TREE_DEPTH + DEEPEST)
        return rico_element_fail(scope->import->ctx, element, "is nested too deep, or in itself");
    rico_status status = RICO_OK;
    for (const rico_element *child = element->first; status == RICO_OK && child; child = child->next)
        for (size_t i = 0; i < sizeof TAKE / sizeof *TAKE; i++)
            if (rico_element_is(child, TAKE[i].name) && (TAKE[i].pass & (scope->bodies ? BODIES : OWN))) {
                status = TAKE[i].take(scope, child);
                break;
            }
    return status;
}


rico_status rico_mjcf_children(const rico_mjcf_scope *scope, const rico_element *element)
{
    rico_mjcf_scope own = *scope;
    own.bodies = false;
    rico_status status = rico_mjcf_part(&own, element);
    own.bodies = true;
    return status == RICO_OK ? rico_mjcf_part(&own, element) : status;
}
