// A URDF file: links and joints by name, which become a tree of bodies.

#include "import/model.h"
#include "import/words.h"
#include "la/quaternion.h"

#include <string.h>

typedef struct link {
    const rico_element *from, *joint; // what holds it to its parent; NULL: the root
    const char *name;
    int64_t body;
} link;

typedef struct urdf {
    rico_import *import;
    const rico_element *root;
    int64_t link_count;
    link *link;
} urdf;


// origin: xyz, and fixed-axis roll, pitch, yaw: q = q_z(yaw) q_y(pitch) q_x(roll).
static rico_status take_origin(urdf *self, const rico_element *element, rico_frame_in *out)
{
    *out = RICO_FRAME_SAME;
    const rico_element *origin = rico_element_child(element, "origin");
    if (!origin) return RICO_OK;
    const char *xyz = rico_element_get(origin, "xyz"), *rpy = rico_element_get(origin, "rpy");
    double angle[3] = {0.0};
    rico_status status = RICO_OK;
    if (xyz) status = rico_import_reals(self->import, origin, "xyz", xyz, 3, 3, out->p, NULL);
    if (status == RICO_OK && rpy)
        status = rico_import_reals(self->import, origin, "rpy", rpy, 3, 3, angle, NULL);
    for (int i = 0; i < 3; i++) {
        double axis[3] = {0.0}, turn[4], made[4];
        axis[i] = 1.0;
        rico_turn_about(axis, angle[i], turn);
        rico_quaternion_multiply(turn, out->q, made);
        memcpy(out->q, made, sizeof made);
    }
    return status;
}


static rico_status child_real(urdf *self, const rico_element *element, const char *child, const char *name,
                              double *out)
{
    const rico_element *at = child ? rico_element_child(element, child) : element;
    const char *text = at ? rico_element_get(at, name) : NULL;
    return text ? rico_import_reals(self->import, at, name, text, 1, 1, out, NULL) : RICO_OK;
}


static int64_t find_link(const urdf *self, const char *name)
{
    for (int64_t i = 0; name && i < self->link_count; i++)
        if (strcmp(self->link[i].name, name) == 0) return i;
    return -1;
}


// --- links --------------------------------------------------------------------------------------------------------------

static rico_status take_inertial(urdf *self, const rico_element *element, rico_import_body *body)
{
    static const char *const NAME[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    double number[6] = {0.0}, R[9], T[9], half[9];
    rico_frame_in at;
    rico_status status = take_origin(self, element, &at);
    if (status == RICO_OK) status = child_real(self, element, "mass", "value", &body->mass);
    if (status == RICO_OK && body->mass < 0.0)
        return rico_element_fail(self->import->ctx, element, "has a mass of %g", body->mass);
    for (int i = 0; status == RICO_OK && i < 6; i++)
        status = child_real(self, element, "inertia", NAME[i], &number[i]);
    if (status != RICO_OK) return status;
    const double I[9] = {number[0], number[3], number[4], number[3], number[1],
                         number[5], number[4], number[5], number[2]};
    rico_vec3_copy(at.p, body->center);
    rico_quaternion_to_matrix(at.q, R);
    rico_mat3_transpose(R, T);
    rico_mat3_multiply(R, I, half);
    if (at.q[0] == 1.0)
        memcpy(body->inertia, I, sizeof I);
    else
        rico_mat3_multiply(half, T, body->inertia);
    body->inertial = element;
    body->given = true;
    return RICO_OK;
}


// "package://robot/meshes/a.stl" is sought beside the file and in the folders above it.
static rico_status take_mesh(urdf *self, const rico_element *element, rico_import_geom *geom)
{
    rico_import *import = self->import;
    const char *name = rico_element_get(element, "filename"), *scale = rico_element_get(element, "scale");
    double factor[3] = {1.0, 1.0, 1.0};
    rico_status status =
        scale ? rico_import_reals(import, element, "scale", scale, 3, 3, factor, NULL) : RICO_OK;
    if (status != RICO_OK) return status;
    if (!name) return rico_element_fail(import->ctx, element, "needs a 'filename'");
    if (strncmp(name, "file://", 7) == 0) name += 7;
    if (strncmp(name, "package://", 10) == 0) {
        name += 10;
        const char *inside = strchr(name, '/');
        if (inside) name = inside + 1;
    }
    const char *slash = strrchr(element->file, '/');
    rico_vec3_copy(factor, geom->scale);
    geom->path =
        name[0] == '/' || !slash
            ? rico_arena_text(&import->arena, "%s", name)
            : rico_arena_text(&import->arena, "%.*s/%s", (int)(slash - element->file), element->file, name);
    return geom->path ? RICO_OK : RICO_NO_MEMORY;
}


static rico_status take_shape(urdf *self, const rico_element *shape, rico_import_geom *geom)
{
    static const struct {
        const char *name;
        rico_geom_kind kind;
    } KIND[] = {{"box", RICO_GEOM_BOX},           {"sphere", RICO_GEOM_SPHERE},
                {"cylinder", RICO_GEOM_CYLINDER}, {"capsule", RICO_GEOM_CAPSULE},
                {"mesh", RICO_GEOM_MESH},         {"plane", RICO_GEOM_PLANE}};
    rico_import *import = self->import;
    size_t k = 0;
    while (k < 6 && !rico_element_is(shape, KIND[k].name)) k++;
    if (k == 6) return rico_element_fail(import->ctx, shape, "is no shape that is taken");
    geom->kind = KIND[k].kind;
    if (geom->kind == RICO_GEOM_MESH) return take_mesh(self, shape, geom);
    if (geom->kind == RICO_GEOM_PLANE) {
        double normal[3] = {0.0, 0.0, 1.0};
        const char *text = rico_element_get(shape, "normal");
        rico_frame_in turn = RICO_FRAME_SAME;
        rico_status status =
            text ? rico_import_reals(import, shape, "normal", text, 3, 3, normal, NULL) : RICO_OK;
        if (status == RICO_OK && !rico_turn_to(normal, turn.q))
            return rico_element_fail(import->ctx, shape, "has a normal without a length");
        rico_frame_chain(&geom->at, &turn, &geom->at);
        return status;
    }
    if (geom->kind == RICO_GEOM_BOX) {
        const char *size = rico_element_get(shape, "size");
        if (!size) return rico_element_fail(import->ctx, shape, "needs a 'size'");
        return rico_import_reals(import, shape, "size", size, 3, 3, geom->size, NULL);
    }
    rico_status status = child_real(self, shape, NULL, "radius", &geom->size[0]);
    return status == RICO_OK ? child_real(self, shape, NULL, "length", &geom->size[1]) : status;
}


static rico_status take_collisions(urdf *self, const link *at)
{
    rico_import *import = self->import;
    const rico_element *contact = rico_element_child(at->from, "contact");
    rico_surface surface = {
        .friction = {import->options->friction, 0.0, 0.0}, .condim = 6, .contype = 1, .conaffinity = 1};
    rico_status status = RICO_OK;
    if (contact) {
        status = child_real(self, contact, "lateral_friction", "value", &surface.friction[0]);
        if (status == RICO_OK)
            status = child_real(self, contact, "spinning_friction", "value", &surface.friction[1]);
        if (status == RICO_OK)
            status = child_real(self, contact, "rolling_friction", "value", &surface.friction[2]);
        if (status == RICO_OK)
            status = child_real(self, contact, "restitution", "value", &surface.restitution);
        if (status == RICO_OK && surface.friction[1] + surface.friction[2] > 0.0)
            status = rico_import_warn(import, contact,
                                      "has rolling or spinning friction, taken as lengths in metres");
    }
    if (status == RICO_OK && (!contact || !rico_element_child(contact, "lateral_friction")))
        status = rico_import_warn(import, at->from, "says no friction; it is %g, from --friction",
                                  import->options->friction);
    for (const rico_element *child = at->from->first; status == RICO_OK && child; child = child->next) {
        if (!rico_element_is(child, "collision")) continue;
        const rico_element *geometry = rico_element_child(child, "geometry");
        if (!geometry || !geometry->first)
            return rico_element_fail(import->ctx, child, "has no shape in a <geometry>");
        rico_import_geom geom = {.from = geometry->first,
                                 .body = at->body,
                                 .scale = {1.0, 1.0, 1.0},
                                 .mass = NAN,
                                 .surface = surface,
                                 .touches = true};
        status = take_origin(self, child, &geom.at);
        if (status == RICO_OK) status = take_shape(self, geometry->first, &geom);
        rico_import_geom *kept = rico_import_push(import, &import->geom, &import->geom_count, sizeof *kept);
        if (!kept) return RICO_NO_MEMORY;
        *kept = geom;
    }
    return status;
}


// --- joints -------------------------------------------------------------------------------------------------------------

static rico_status add_joint(urdf *self, const rico_element *element, int64_t body)
{
    static const struct {
        const char *name;
        int kind; // -1: nothing is free
    } TYPE[] = {{"revolute", RICO_DOF_HINGE},
                {"continuous", RICO_DOF_HINGE},
                {"prismatic", RICO_DOF_SLIDE},
                {"spherical", RICO_DOF_BALL},
                {"fixed", -1},
                {"floating", RICO_DOF_FREE}};
    rico_import *import = self->import;
    const char *type = rico_element_get(element, "type");
    size_t k = 0;
    while (type && k < 6 && strcmp(type, TYPE[k].name) != 0) k++;
    if (!type || k == 6)
        return rico_element_fail(
            import->ctx, element,
            "is of the type '%.40s'; revolute, continuous, prismatic, spherical, floating "
            "and fixed are taken",
            type ? type : "");
    if (TYPE[k].kind < 0) return RICO_OK;
    rico_import_joint joint = {.from = element,
                               .name = rico_element_get(element, "name"),
                               .body = body,
                               .kind = (rico_import_kind)TYPE[k].kind,
                               .axis = {1.0, 0.0, 0.0}};
    const rico_element *axis = rico_element_child(element, "axis"),
                       *limit = rico_element_child(element, "limit");
    const char *xyz = axis ? rico_element_get(axis, "xyz") : NULL;
    rico_status status = xyz ? rico_import_reals(import, axis, "xyz", xyz, 3, 3, joint.axis, NULL) : RICO_OK;
    if (status == RICO_OK && !rico_vec3_normalise(joint.axis))
        return rico_element_fail(import->ctx, axis ? axis : element, "has no length");
    if (status == RICO_OK && limit) {
        status = child_real(self, limit, NULL, "lower", &joint.range[0]);
        if (status == RICO_OK) status = child_real(self, limit, NULL, "upper", &joint.range[1]);
    }
    // Bullet and others read lower > upper, or 0 and 0 of a slider, as no limits; URDF says 0 is the default
    joint.limited = k != 1 && k != 3 && k != 5 && limit &&
                    (rico_element_get(limit, "lower") || rico_element_get(limit, "upper")) &&
                    joint.range[0] <= joint.range[1];
    if (status == RICO_OK) status = child_real(self, element, "dynamics", "damping", &joint.damping);
    if (status == RICO_OK) status = child_real(self, element, "dynamics", "friction", &joint.loss);
    if (status == RICO_OK && (joint.damping < 0.0 || joint.loss < 0.0))
        return rico_element_fail(import->ctx, element, "has a damping or a friction below 0");
    if (status != RICO_OK) return status;
    if (joint.kind == RICO_DOF_BALL) joint.q[0] = 1.0;
    rico_import_joint *kept = rico_import_push(import, &import->joint, &import->joint_count, sizeof *kept);
    if (!kept) return RICO_NO_MEMORY;
    *kept = joint;
    import->body[body].joint = import->joint_count - 1;
    import->body[body].joints = 1;
    return RICO_OK;
}


static rico_status take_mimics(urdf *self)
{
    rico_import *import = self->import;
    rico_status status = RICO_OK;
    for (int64_t j = 0; status == RICO_OK && j < import->joint_count; j++) {
        const rico_element *mimic =
            import->joint[j].from ? rico_element_child(import->joint[j].from, "mimic") : NULL;
        if (!mimic) continue;
        const char *name = rico_element_get(mimic, "joint");
        double factor = 1.0, offset = 0.0;
        int64_t other = -1;
        for (int64_t i = 0; name && i < import->joint_count; i++)
            if (import->joint[i].name && strcmp(import->joint[i].name, name) == 0) other = i;
        if (other < 0 || other == j)
            return rico_element_fail(import->ctx, mimic,
                                     "names the joint '%.60s', which does not move or is not there",
                                     name ? name : "");
        status = child_real(self, mimic, NULL, "multiplier", &factor);
        if (status == RICO_OK) status = child_real(self, mimic, NULL, "offset", &offset);
        if (status != RICO_OK) return status;
        if (import->joint[j].kind > RICO_DOF_SLIDE || import->joint[other].kind > RICO_DOF_SLIDE)
            return rico_element_fail(import->ctx, mimic,
                                     "is taken between what turns about an axis, or slides");
        import->joint[j].q[0] = factor * import->joint[other].q[0] + offset;
        rico_tie *tie = rico_import_push(import, &import->tie, &import->tie_count, sizeof *tie);
        if (!tie) return RICO_NO_MEMORY;
        *tie =
            (rico_tie){.from = mimic, .kind = RICO_TIE_COUPLER, .of = {j, other}, .factor = {1.0, -factor}};
    }
    return status;
}


// --- the tree -----------------------------------------------------------------------------------------------------------

// A link, once its parent has a body.
static rico_status plant(urdf *self, link *at, int64_t parent, int depth)
{
    rico_import *import = self->import;
    if (depth > RICO_TREE_DEPTH)
        return rico_element_fail(import->ctx, at->from, "stands more than 200 links deep");
    rico_import_body body = {
        .from = at->from, .name = at->name, .parent = parent, .at = RICO_FRAME_SAME, .given = true};
    const rico_element *inertial = rico_element_child(at->from, "inertial");
    rico_status status = at->joint ? take_origin(self, at->joint, &body.at) : RICO_OK;
    if (status == RICO_OK && inertial) status = take_inertial(self, inertial, &body);
    if (status != RICO_OK) return status;
    at->body = import->body_count;
    rico_import_body *kept = rico_import_push(import, &import->body, &import->body_count, sizeof *kept);
    if (!kept) return RICO_NO_MEMORY;
    *kept = body;
    if (at->joint) {
        status = add_joint(self, at->joint, at->body);
    } else if (body.mass > 0.0 && !import->options->fixed_base) {
        rico_import_joint *free =
            rico_import_push(import, &import->joint, &import->joint_count, sizeof *free);
        if (!free) return RICO_NO_MEMORY;
        *free = (rico_import_joint){.from = at->from, .body = at->body, .kind = RICO_DOF_FREE};
        import->body[at->body].joint = import->joint_count - 1;
        import->body[at->body].joints = 1;
    }
    if (status == RICO_OK) status = take_collisions(self, at);
    for (int64_t i = 0; status == RICO_OK && i < self->link_count; i++) {
        const rico_element *joint = self->link[i].joint;
        const rico_element *above = joint ? rico_element_child(joint, "parent") : NULL;
        const char *name = above ? rico_element_get(above, "link") : NULL;
        if (name && strcmp(name, at->name) == 0) status = plant(self, &self->link[i], at->body, depth + 1);
    }
    return status;
}


static rico_status take_links(urdf *self)
{
    rico_import *import = self->import;
    for (const rico_element *child = self->root->first; child; child = child->next) {
        if (!rico_element_is(child, "link")) continue;
        const char *name = rico_element_get(child, "name");
        if (!name) return rico_element_fail(import->ctx, child, "needs a 'name'");
        if (find_link(self, name) >= 0)
            return rico_element_fail(import->ctx, child, "is the second one called '%.60s'", name);
        link *made = rico_import_push(import, &self->link, &self->link_count, sizeof *made);
        if (!made) return RICO_NO_MEMORY;
        *made = (link){.from = child, .name = name, .body = -1};
    }
    for (const rico_element *child = self->root->first; child; child = child->next) {
        if (!rico_element_is(child, "joint")) continue;
        const char *NAMES[] = {"parent", "child"};
        for (int i = 0; i < 2; i++) {
            const rico_element *end = rico_element_child(child, NAMES[i]);
            const char *name = end ? rico_element_get(end, "link") : NULL;
            int64_t at = find_link(self, name);
            if (at < 0)
                return rico_element_fail(import->ctx, child, "has the %s link '%.60s', which is not there",
                                         NAMES[i], name ? name : "");
            if (i == 1 && self->link[at].joint)
                return rico_element_fail(import->ctx, child,
                                         "is the second joint that holds the link '%.60s'", name);
            if (i == 1) self->link[at].joint = child;
        }
    }
    return RICO_OK;
}


// A mass without an inertia has that of the collision shapes, as Bullet has it.
static rico_status fill_inertias(urdf *self)
{
    rico_import *import = self->import;
    rico_status status = RICO_OK;
    for (int64_t b = 0; status == RICO_OK && b < import->body_count; b++) {
        rico_import_body *body = &import->body[b];
        double size = 0.0, volume = 0.0;
        for (int i = 0; i < 9; i++) size += fabs(body->inertia[i]);
        if (!(body->mass > 0.0) || size > 0.0) continue;
        for (int pass = 0; status == RICO_OK && pass < 2; pass++)
            for (int64_t g = 0; status == RICO_OK && g < import->geom_count; g++) {
                rico_import_geom *geom = &import->geom[g];
                if (geom->body != b || geom->kind == RICO_GEOM_PLANE) continue;
                rico_shape *shape = NULL;
                rico_mass_properties unit;
                status = rico_geom_shape(import, geom, &shape);
                if (status == RICO_OK) status = rico_shape_mass(import->ctx, shape, &unit);
                rico_shape_destroy(shape);
                if (status == RICO_OK && pass == 0) volume += unit.mass;
                if (status == RICO_OK && pass == 1) geom->mass = body->mass * unit.mass / volume;
            }
        if (status != RICO_OK || !(volume > 0.0)) continue;
        status = rico_import_warn(import, body->inertial,
                                  "has a mass and no inertia: both its center and its inertia "
                                  "are those of the collision shapes");
        body->given = false;
        body->mass = 0.0;
        memset(body->center, 0, sizeof body->center);
    }
    return status;
}


rico_status rico_import_urdf(rico_import *import, rico_element *root)
{
    urdf self = {.import = import, .root = root};
    import->format = "URDF";
    import->gravity[2] = -9.81;
    import->step = 1e-3;
    import->total_mass = -1.0;
    import->product = true;
    import->single = true;
    const char *title = rico_element_get(root, "name");
    import->title = title ? title : "robot";
    rico_status status = rico_words_check(import, &rico_urdf_words, root);
    if (status == RICO_OK) status = take_links(&self);
    int64_t planted = 0;
    for (int64_t i = 0; status == RICO_OK && i < self.link_count; i++)
        if (!self.link[i].joint) status = plant(&self, &self.link[i], -1, 0);
    for (int64_t i = 0; i < self.link_count; i++) planted += self.link[i].body >= 0;
    if (status == RICO_OK && planted < self.link_count)
        return rico_element_fail(import->ctx, root, "has %lld links in a loop that no root holds",
                                 (long long)(self.link_count - planted));
    if (status == RICO_OK) status = take_mimics(&self);
    if (status == RICO_OK) status = fill_inertias(&self);
    return status == RICO_OK ? rico_import_place(import) : status;
}
