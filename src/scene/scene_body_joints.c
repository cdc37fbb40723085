// Joints between bodies of a scene: which kind, where, along which axis, with which drive and stops.
//
// Frames are those of the bodies where they stand at the start, so that a joint given by one point closes; one given by two
// points may gape, which the check of the start finds (scene_start.c).

#include "ricochet/joints.h"

#include "base/suggest.h"
#include "la/vec3.h"
#include "model/bodies_look.h"
#include "scene/scene_bodies.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- tables ----------------------------------------------------------------------------------------------------------

static const char *kind_name(int index)
{
    const rico_joint_kind *kind = rico_joint_kind_at(index);
    return kind ? kind->name : NULL;
}


static const rico_schema_key JOINT[] = {
    {"equations", RICO_WANT_ANY, .flags = RICO_KEY_REQUIRED, .group = "joint",
     .help = "what stays 0: a formula of t and all coordinates, or a list of them"},
    {"kind", RICO_WANT_CHOICE, .flags = RICO_KEY_REQUIRED, .group = "joint", .choice = kind_name,
     .help = "of a joint between bodies"},
    {"between", RICO_WANT_TEXTS, .least = 2, .most = 2, .help = "two bodies, or `world` and a body"},
    {"at", RICO_WANT_ANY, .unit = "m",
     .help = "a point in the axes of the world, at the start; or two, one of each body in its own axes"},
    {"axis", RICO_WANT_REALS, .least = 2, .most = 3,
     .help = "of the joint, in the axes of the world at the start; what turns in the plane needs none"},
    {"second", RICO_WANT_REALS, .least = 3, .most = 3,
     .help = "of a universal joint: the axis of the second body, at right angles to the first"},
    {"length", RICO_WANT_REAL, .flags = RICO_KEY_ABOVE, .high = INFINITY, .unit = "m",
     .help = "of distance, rope and revolute-spherical; without it, that of the start"},
    {"pitch", RICO_WANT_REAL, .unit = "m", .help = "of a screw: its advance in a turn"},
    {"of", RICO_WANT_TEXTS, .least = 2, .most = 2, .help = "two joints whose coordinates are coupled"},
    {"teeth", RICO_WANT_REALS, .least = 2, .most = 2,
     .help = "of a gear: whole numbers; wheels turn against each other, with one below 0 alike"},
    {"radius", RICO_WANT_REAL, .unit = "m",
     .help = "of a pinion: its rack moves by radius times angle, backwards with one below 0"},
    {"factors", RICO_WANT_REALS, .least = 2, .most = 2,
     .help = "of a coupler: the first times one coordinate and the second times the other add up to 0; rad "
             "and m"},
    {"motor", RICO_WANT_MAPPING, .sub = &rico_scene_motor_schema,
     .help = "drives its angle, or what slides, its displacement"},
    {"spring", RICO_WANT_MAPPING, .sub = &rico_scene_joint_spring_schema, .help = "and damper, on the same"},
    {"friction", RICO_WANT_MAPPING, .sub = &rico_scene_joint_friction_schema,
     .help = "of a revolute or prismatic joint; mu alone for a slider"},
    {"limits", RICO_WANT_MAPPING, .sub = &rico_scene_limits_schema, .help = "stops of the same"},
    {"stiffness", RICO_WANT_REALS, .least = 3, .most = 6,
     .help =
         "of a bushing: along its axes, those of the world at the start, then about them; in the plane along "
         "x and y, and about z"},
    {"damping", RICO_WANT_REALS, .least = 3, .most = 6, .help = "of a bushing, likewise"},
    {"clearance", RICO_WANT_MAPPING, .sub = &rico_scene_clearance_schema,
     .help = "play between pin and hole"},
    {"collide", RICO_WANT_FLAG, .help = "the two bodies may touch; without it they do not"},
    {NULL},
};

const rico_schema rico_scene_joint_schema = {
    .title = "joint",
    .help = "Equations between coordinates (with t in them, a prescribed motion), or a joint between two "
            "bodies: `fixed`, "
            "`revolute`, `prismatic` and so on.",
    .keys = JOINT,
    .shorthand = "equations"};

// Keys that only some kinds have.
static const struct {
    const char *key;
    unsigned flags; // any of these
    bool pair;      // joints of two bodies alone; false: couplings alone
} KEYS[] = {{"between", 0, true},
            {"at", 0, true},
            {"axis", RICO_JOINT_AXIS, true},
            {"second", RICO_JOINT_SECOND, true},
            {"length", RICO_JOINT_LENGTH, true},
            {"pitch", RICO_JOINT_PITCH, true},
            {"motor", RICO_JOINT_TURNS | RICO_JOINT_SLIDES, true},
            {"limits", RICO_JOINT_TURNS | RICO_JOINT_SLIDES, true},
            {"spring", RICO_JOINT_TURNS | RICO_JOINT_SLIDES, true},
            {"stiffness", RICO_JOINT_FORCE, true},
            {"damping", RICO_JOINT_FORCE, true},
            {"friction", RICO_JOINT_RUBS, true},
            {"clearance", RICO_JOINT_PLAY, true},
            {"collide", 0, true},
            {"of", RICO_JOINT_OF, false},
            {"teeth", RICO_JOINT_TEETH, false},
            {"radius", RICO_JOINT_RADIUS, false},
            {"factors", RICO_JOINT_OF, false}};


static rico_status check_keys(rico_scene *scene, const rico_node *node, const rico_joint_kind *kind)
{
    bool pair = !(kind->flags & RICO_JOINT_OF);
    for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++) {
        const rico_node *given = rico_node_at(node, KEYS[i].key);
        if (!given) continue;
        if (KEYS[i].pair != pair || (KEYS[i].flags && !(kind->flags & KEYS[i].flags)))
            return rico_document_fail_key(scene->document, given,
                                          "'%s' means nothing to a joint of kind '%s'; remove it",
                                          KEYS[i].key, kind->name);
    }
    return RICO_OK;
}


// A key without which the kind says too little.
static rico_status need(rico_scene *scene, const rico_node *node, const rico_joint_kind *kind,
                        const char *key, const char *example)
{
    if (rico_node_at(node, key)) return RICO_OK;
    return rico_document_fail_key(scene->document, node, "joint '%s' of kind '%s' has no '%s'; add '%s: %s'",
                                  node->key, kind->name, key, key, example);
}


// --- frames ----------------------------------------------------------------------------------------------------------

// Whether `at` is two points.
static bool two_points(const rico_node *at)
{
    return at && at->kind == RICO_NODE_LIST && at->first && at->first->kind == RICO_NODE_LIST;
}


// The axis and, across it, the first one of the frame. In the plane, what slides has its axis in it and z across.
static rico_status read_axes(rico_scene_bodies *bodies, const rico_node *node, const rico_joint_kind *kind,
                             double axis[3], double first[3])
{
    rico_scene *scene = bodies->scene;
    const rico_node *given = rico_node_at(node, "axis"), *second = rico_node_at(node, "second");
    bool plane = bodies->dimension == 2, slides = kind->flags & RICO_JOINT_SLIDES;
    rico_status status = RICO_OK;
    rico_vec3_set(0.0, 0.0, 1.0, axis);
    rico_vec3_set(1.0, 0.0, 0.0, first);
    if (!(kind->flags & RICO_JOINT_AXIS) || (plane && !slides && !given)) return RICO_OK;
    if (plane && !slides)
        return rico_document_fail_key(scene->document, given,
                                      "in the plane everything turns about z; remove 'axis'");
    status = need(scene, node, kind, "axis", plane ? "[1, 0]" : "[0, 0, 1]");
    if (status == RICO_OK) status = rico_scene_read_vector(scene, given, bodies->dimension, axis);
    if (status != RICO_OK) return status;
    if (!rico_vec3_normalise(axis))
        return rico_document_fail(scene->document, given,
                                  "the axis of joint '%s' has no length; write a direction, as 'axis: %s'",
                                  node->key, plane ? "[1, 0]" : "[0, 0, 1]");
    int least = fabs(axis[0]) <= fabs(axis[1]) && fabs(axis[0]) <= fabs(axis[2]) ? 0
                : fabs(axis[1]) <= fabs(axis[2])                                 ? 1
                                                                                 : 2;
    for (int i = 0; i < 3; i++) first[i] = i == least;
    if (plane) rico_vec3_set(-axis[1], axis[0], 0.0, first);
    if (!(kind->flags & RICO_JOINT_SECOND)) return RICO_OK;
    // axes of a cross: the first of one frame and the second of the other
    double other[3];
    status = need(scene, node, kind, "second", "[0, 1, 0]");
    if (status == RICO_OK) status = rico_scene_read_vector(scene, second, 3, other);
    if (status != RICO_OK) return status;
    if (!rico_vec3_normalise(other))
        return rico_document_fail(
            scene->document, second,
            "the second axis of joint '%s' has no length; write a direction across the first", node->key);
    if (fabs(rico_vec3_dot(axis, other)) > 1e-9)
        return rico_document_fail(scene->document, second,
                                  "the axes of joint '%s' are not at right angles: their cosine is %g",
                                  node->key, rico_vec3_dot(axis, other));
    rico_vec3_copy(axis, first);
    rico_vec3_cross(axis, other, axis);
    return RICO_OK;
}


// Where a point of a body, or of the world, is at the start.
static rico_status in_world(rico_scene_bodies *bodies, int64_t body, const double own[3], double x[3])
{
    rico_vec3_copy(own, x);
    if (body < 0) return RICO_OK;
    rico_stand stand = rico_bodies_look(bodies->set, body).stand;
    if (rico_bodies_type(bodies->set, body) == RICO_BODY_MOVED &&
        !rico_bodies_stand(bodies->set, body, 0.0, NULL, &stand))
        return rico_fail(bodies->scene->ctx, RICO_BAD_INPUT, "body '%s' refused its motion at t = 0",
                         rico_bodies_name(bodies->set, body));
    rico_stand_point(&stand, own, x);
    return RICO_OK;
}


static rico_status read_place(rico_scene_bodies *bodies, const rico_node *node, const rico_joint_kind *kind,
                              rico_body_joint *joint)
{
    rico_scene *scene = bodies->scene;
    const rico_node *at = rico_node_at(node, "at"), *length = rico_node_at(node, "length");
    bool two = two_points(at), apart = kind->flags & RICO_JOINT_LENGTH;
    double axis[3], first[3], x[2][3], own[2][3];
    rico_status status = need(scene, node, kind, "at", apart ? "[[x, y, z], [x, y, z]]" : "[x, y, z]");
    if (status == RICO_OK) status = read_axes(bodies, node, kind, axis, first);
    if (status != RICO_OK) return status;
    if ((two && at->count != 2) || (apart && !two))
        return rico_document_fail(scene->document, at,
                                  "'at' of joint '%s' must be %stwo points, one of each body in its own axes",
                                  node->key, apart ? "" : "one point, or ");
    if (!two) {
        status = rico_scene_read_vector(scene, at, bodies->dimension, x[0]);
        if (status == RICO_OK) rico_body_joint_place(bodies->set, joint, x[0], axis, first);
        return status;
    }
    const rico_node *point[2] = {at->first, at->last};
    const int64_t body[2] = {joint->a, joint->b};
    for (int k = 0; status == RICO_OK && k < 2; k++) {
        status = rico_scene_read_vector(scene, point[k], bodies->dimension, own[k]);
        if (status == RICO_OK) status = in_world(bodies, body[k], own[k], x[k]);
    }
    if (status != RICO_OK) return status;
    rico_body_joint_place(bodies->set, joint, x[0], axis, first);
    rico_vec3_copy(own[0], joint->on_a);
    rico_vec3_copy(own[1], joint->on_b);
    rico_vec3_subtract(x[1], x[0], x[1]);
    joint->length = rico_vec3_norm(x[1]);
    if (length) return rico_document_real(scene->document, length, &joint->length);
    if (apart && joint->length == 0.0)
        return rico_document_fail(scene->document, at,
                                  "the points of joint '%s' are one at the start; it has no length",
                                  node->key);
    return RICO_OK;
}


// --- couplings -------------------------------------------------------------------------------------------------------

static rico_status find_joint(rico_scene *scene, const rico_node *name, int64_t *index)
{
    rico_suggestion near;
    char hint[RICO_SUGGEST_SENTENCE];
    rico_suggest_start(&near, name->text);
    for (int64_t i = 0; i < rico_system_joint_elements(scene->system); i++) {
        rico_joint_element_info info = rico_system_joint_element(scene->system, i);
        if (info.acts || info.constraint < 0) continue;
        *index = info.constraint;
        if (strcmp(info.name, name->text) == 0) return RICO_OK;
        rico_suggest_offer(&near, info.name);
    }
    return rico_document_fail(scene->document, name, "there is no joint '%.60s' between bodies%s", name->text,
                              rico_suggest_sentence(&near, "", hint));
}


static rico_status read_pair(rico_scene *scene, const rico_node *node, double out[2])
{
    rico_status status = rico_document_real(scene->document, node->first, &out[0]);
    return status == RICO_OK ? rico_document_real(scene->document, node->last, &out[1]) : status;
}


static rico_status build_coupling(rico_scene_bodies *bodies, const rico_node *node,
                                  const rico_joint_kind *kind, rico_body_joint *joint)
{
    rico_scene *scene = bodies->scene;
    const rico_node *of = rico_node_at(node, "of");
    bool teeth = kind->flags & RICO_JOINT_TEETH, radius = kind->flags & RICO_JOINT_RADIUS;
    const char *key = teeth ? "teeth" : radius ? "radius" : "factors";
    rico_status status = need(scene, node, kind, "of", "[joint, joint]");
    if (status == RICO_OK)
        status = need(scene, node, kind, key, teeth ? "[20, 30]" : radius ? "0.1" : "[1, -2]");
    if (status == RICO_OK) status = find_joint(scene, of->first, &joint->of[0]);
    if (status == RICO_OK) status = find_joint(scene, of->last, &joint->of[1]);
    if (status != RICO_OK) return status;
    if (radius) {
        status = rico_document_real(scene->document, rico_node_at(node, key), &joint->factor[0]);
        joint->factor[1] = -1.0;
    } else {
        status = read_pair(scene, rico_node_at(node, key), joint->factor);
    }
    if (status == RICO_OK) status = rico_system_add_body_joint(scene->system, bodies->set, joint, NULL);
    return status;
}


// --- bushings --------------------------------------------------------------------------------------------------------

static rico_status read_rows(rico_scene *scene, const rico_node *node, int64_t rows, double *out)
{
    int64_t k = 0;
    rico_status status = RICO_OK;
    if (node->count != rows)
        return rico_document_fail(scene->document, node, "'%s' has %lld numbers, expected %lld", node->key,
                                  (long long)node->count, (long long)rows);
    for (const rico_node *child = node->first; status == RICO_OK && child; child = child->next, k++) {
        status = rico_document_real(scene->document, child, &out[k]);
        if (status == RICO_OK && !(out[k] >= 0.0 && isfinite(out[k])))
            status = rico_document_fail(scene->document, child,
                                        "'%s' of a bushing is %g, expected at least 0", node->key, out[k]);
    }
    return status;
}


static rico_status read_bushing(rico_scene_bodies *bodies, const rico_node *node, const rico_joint_kind *kind,
                                rico_body_joint *joint)
{
    rico_scene *scene = bodies->scene;
    const rico_node *damping = rico_node_at(node, "damping");
    int64_t rows = bodies->dimension == 2 ? kind->plane : kind->space;
    rico_status status = need(scene, node, kind, "stiffness",
                              rows == 3 ? "[1e5, 1e5, 100]" : "[1e5, 1e5, 1e5, 100, 100, 100]");
    if (status == RICO_OK) status = read_rows(scene, rico_node_at(node, "stiffness"), rows, joint->stiffness);
    if (status == RICO_OK && damping) status = read_rows(scene, damping, rows, joint->damping);
    return status;
}


// --- all -------------------------------------------------------------------------------------------------------------

rico_status rico_scene_build_body_joint(rico_scene *scene, const rico_node *node)
{
    rico_scene_bodies *bodies = scene->bodies;
    const rico_joint_kind *kind = rico_joint_kind_find(rico_node_at(node, "kind")->text);
    const rico_node *between = rico_node_at(node, "between"), *motor = rico_node_at(node, "motor"),
                    *limits = rico_node_at(node, "limits"), *play = rico_node_at(node, "clearance"),
                    *spring = rico_node_at(node, "spring");
    rico_body_joint joint = rico_body_joint_default();
    int64_t index;
    if (!bodies)
        return rico_document_fail_key(
            scene->document, rico_node_at(node, "kind"),
            "a joint of a kind is one between bodies, and the scene has none; add 'bodies: ...' "
            "or write 'equations'");
    joint.name = node->key;
    joint.kind = kind->name;
    rico_status status = check_keys(scene, node, kind);
    if (status == RICO_OK && kind->flags & RICO_JOINT_OF) return build_coupling(bodies, node, kind, &joint);
    if (status == RICO_OK) status = need(scene, node, kind, "between", "[world, body]");
    if (status == RICO_OK) status = rico_scene_find_body(bodies, between->first, &joint.a);
    if (status == RICO_OK) status = rico_scene_find_body(bodies, between->last, &joint.b);
    if (status == RICO_OK && kind->flags & RICO_JOINT_PITCH) {
        status = need(scene, node, kind, "pitch", "0.01");
        if (status == RICO_OK)
            status = rico_document_real(scene->document, rico_node_at(node, "pitch"), &joint.pitch);
    }
    if (status == RICO_OK && bodies->dimension == 2 && kind->plane == 0)
        return rico_document_fail(scene->document, rico_node_at(node, "kind"),
                                  "'%s' belongs to space, and the bodies lie in the plane", kind->name);
    if (status == RICO_OK && kind->flags & RICO_JOINT_FORCE)
        status = read_bushing(bodies, node, kind, &joint);
    if (status == RICO_OK) status = read_place(bodies, node, kind, &joint);
    rico_joint_clearance clearance = {0};
    if (status == RICO_OK && play) status = rico_scene_read_clearance(scene, play, &clearance);
    if (play) joint.clearance = &clearance;
    if (status == RICO_OK) status = rico_system_add_body_joint(scene->system, bodies->set, &joint, &index);
    bool turns = !(kind->flags & RICO_JOINT_SLIDES);
    if (status == RICO_OK && motor) status = rico_scene_build_motor(bodies, motor, index, turns);
    if (status == RICO_OK && spring) status = rico_scene_build_joint_spring(bodies, spring, index, turns);
    if (status == RICO_OK && rico_node_at(node, "friction"))
        status = rico_scene_build_friction(scene, rico_node_at(node, "friction"), index);
    if (status == RICO_OK && limits) status = rico_scene_build_limits(scene, limits, index, turns);
    return status;
}


// Two bodies of a mapping with `between` never touch.
static rico_status keep_apart(rico_scene_bodies *bodies, const rico_node *between)
{
    int64_t a = -1, b = -1;
    rico_status status = rico_scene_find_body(bodies, between->first, &a);
    if (status == RICO_OK) status = rico_scene_find_body(bodies, between->last, &b);
    if (status != RICO_OK || a < 0 || b < 0 || a == b) return status;
    return rico_scene_exclude_pair(bodies, a, b);
}


rico_status rico_scene_exclude_joined(rico_scene_bodies *bodies, const rico_node *root)
{
    rico_scene *scene = bodies->scene;
    const rico_node *joints = rico_node_at(root, "joints"), *apart = rico_node_at(root, "apart");
    rico_status status = RICO_OK;
    for (const rico_node *child = joints ? joints->first : NULL; status == RICO_OK && child;
         child = child->next) {
        const rico_node *between = rico_node_at(child, "between"), *flag = rico_node_at(child, "collide");
        bool collide = false;
        if (!between) continue;
        if (flag) status = rico_document_flag(scene->document, flag, &collide);
        if (status == RICO_OK && !collide) status = keep_apart(bodies, between);
    }
    for (const rico_node *child = apart ? apart->first : NULL; status == RICO_OK && child;
         child = child->next)
        status = keep_apart(bodies, rico_node_at(child, "between"));
    return status;
}
