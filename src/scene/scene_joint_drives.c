// What acts along the coordinates of joints between bodies: motors, springs, stops and clearances of a scene.

#include "ricochet/joints.h"

#include "scene/scene_bodies.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_WORK = 1024 };

// --- tables ----------------------------------------------------------------------------------------------------------

static const rico_schema_key MOTOR[] = {
    {"position", RICO_WANT_FORMULA, .flags = RICO_KEY_REQUIRED, .group = "motor", .unit = "degrees or m",
     .help = "the angle or the displacement since the start, of t"},
    {"velocity", RICO_WANT_REAL, .flags = RICO_KEY_REQUIRED, .group = "motor", .unit = "degrees/s or m/s",
     .help = "a constant one instead"},
    {"bound", RICO_WANT_REAL, .low = 0.0, .high = INFINITY, .unit = "N m or N",
     .help = "with `velocity`: the largest torque or force that it has; it holds the velocity where that is "
             "enough"},
    {"torque", RICO_WANT_FORMULA, .flags = RICO_KEY_REQUIRED, .group = "motor", .unit = "N m",
     .help = "a torque instead, of t, the angle u and its rate w in rad"},
    {"force", RICO_WANT_FORMULA, .flags = RICO_KEY_REQUIRED, .group = "motor", .unit = "N",
     .help = "of what slides: a force, of t, the displacement u and its rate w"},
    {NULL},
};
const rico_schema rico_scene_motor_schema = {
    .title = "motor",
    .help = "Drives a joint, whatever force that takes; or pushes it with a force or torque.",
    .keys = MOTOR};

static const rico_schema_key LIMITS[] = {
    {"low", RICO_WANT_REAL, .flags = RICO_KEY_SOME, .unit = "degrees or m",
     .help = "least angle or displacement"},
    {"high", RICO_WANT_REAL, .flags = RICO_KEY_SOME, .unit = "degrees or m", .help = "largest one"},
    {"restitution", RICO_WANT_REAL, .standard = "0", .low = 0.0, .high = INFINITY,
     .help = "Newton's e of the stops"},
    {NULL},
};
const rico_schema rico_scene_limits_schema = {
    .title = "limits",
    .help =
        "Stops of a joint: contacts JOINT.low and JOINT.high. Angles and displacements are 0 at the start.",
    .keys = LIMITS};

static const rico_schema_key CLEARANCE[] = {
    {"play", RICO_WANT_REAL, .flags = RICO_KEY_REQUIRED | RICO_KEY_ABOVE, .high = INFINITY, .unit = "m",
     .help = "radius of the hole less that of the pin: how far its center may go"},
    {"radius", RICO_WANT_REAL, .standard = "0", .low = 0.0, .high = INFINITY, .unit = "m",
     .help = "of pin or ball, half height of a slider: where it rubs"},
    {"width", RICO_WANT_REAL, .standard = "0", .low = 0.0, .high = INFINITY, .unit = "m",
     .help = "of the bearing, or length of the slider: it touches at both ends and may tilt; without it, it "
             "does not"},
    {"friction", RICO_WANT_REAL, .standard = "0", .low = 0.0, .high = INFINITY, .help = "Coulomb's mu"},
    {"restitution", RICO_WANT_REAL, .standard = "0", .low = 0.0, .high = INFINITY, .help = "Newton's e"},
    {NULL},
};
const rico_schema rico_scene_clearance_schema = {
    .title = "clearance",
    .help = "Play in a joint: contacts JOINT.play, or JOINT.play1 and so on, in the place of what it holds.",
    .keys = CLEARANCE};

static const rico_schema_key FRICTION[] = {
    {"friction", RICO_WANT_REAL, .flags = RICO_KEY_REQUIRED, .low = 0.0, .high = INFINITY,
     .help = "Coulomb's mu"},
    {"radius", RICO_WANT_REAL, .standard = "0", .low = 0.0, .high = INFINITY, .unit = "m",
     .help = "of the pin; of a slider, where a torque about its axis presses, 0: it does not count"},
    {"width", RICO_WANT_REAL, .standard = "0", .low = 0.0, .high = INFINITY, .unit = "m",
     .help = "of the bearing, across which torques press; 0: they do not count"},
    {NULL},
};
const rico_schema rico_scene_joint_friction_schema = {
    .title = "friction of a joint",
    .help = "Coulomb's friction of a revolute or prismatic joint, from its own reaction: it sticks, and "
            "never creeps.",
    .keys = FRICTION,
    .shorthand = "friction"};

static const rico_schema_key SPRING[] = {
    {"stiffness", RICO_WANT_REAL, .flags = RICO_KEY_SOME, .unit = "N m/rad or N/m",
     .help = "k of the torque -k (u - free), or force"},
    {"damping", RICO_WANT_REAL, .flags = RICO_KEY_SOME, .low = 0.0, .high = INFINITY,
     .unit = "N m s/rad or N s/m", .help = "c of -c w"},
    {"free", RICO_WANT_REAL, .standard = "0", .unit = "degrees or m",
     .help = "where the spring pulls nothing"},
    {"law", RICO_WANT_FORMULA, .flags = RICO_KEY_SOME,
     .help =
         "all of it by a formula instead, of t, the coordinate u and its rate w, in rad or m: -200*u - 10*w"},
    {NULL},
};
const rico_schema rico_scene_joint_spring_schema = {
    .title = "spring of a joint",
    .help =
        "A spring and a damper along the coordinate of a joint. Angles and displacements are 0 at the start.",
    .keys = SPRING};

// --- drives and stops ------------------------------------------------------------------------------------------------

struct rico_joint_drive {
    rico_formula *position; // of t; NULL: a constant velocity
    rico_formula *law;      // a force, of t, u and w; NULL: it drives
    double velocity, start, unit;
};


void rico_joint_drive_destroy(rico_context *ctx, rico_joint_drive *drive)
{
    if (!drive) return;
    rico_formula_destroy(drive->position);
    rico_formula_destroy(drive->law);
    rico_free(ctx, drive);
}


static bool run_drive(void *user, double t, double *position, double *velocity)
{
    const rico_joint_drive *drive = user;
    const int64_t t_alone = 0;
    double work[MOST_WORK];
    *velocity = drive->velocity;
    *position = drive->position ? rico_formula_gradient(drive->position, &t, 1, &t_alone, work, velocity)
                                : drive->velocity * (t - drive->start);
    *position *= drive->unit;
    *velocity *= drive->unit;
    return true;
}


// A new one, kept by the bodies until the scene is destroyed.
static rico_status make_drive(rico_scene_bodies *bodies, bool turns, rico_joint_drive **out)
{
    rico_scene *scene = bodies->scene;
    rico_joint_drive *drive = rico_alloc(scene->ctx, 1, sizeof *drive);
    if (!drive) return RICO_NO_MEMORY;
    rico_status status =
        rico_scene_keep(scene->ctx, (void *)&bodies->drive, &bodies->drive_count, &bodies->drive_room, drive);
    if (status != RICO_OK) {
        rico_free(scene->ctx, drive);
        return status;
    }
    drive->start = rico_scene_times(scene).start;
    drive->unit = turns ? M_PI / 180.0 : 1.0;
    *out = drive;
    return RICO_OK;
}


// A formula of so many variables, with derivatives by some of them, that fits the work space of a call.
static rico_status read_formula(rico_scene *scene, const rico_node *node, const rico_symbol *symbols,
                                int64_t variables, rico_formula **out)
{
    const rico_scope scope = {variables + 1, symbols, &scene->parameters.scope};
    rico_status status = rico_document_formula(scene->document, node, &scope, out);
    if (status == RICO_OK && rico_formula_work(*out, 2, 1) > MOST_WORK)
        status = rico_document_fail(scene->document, node, "the formula is nested too deeply for a joint");
    return status;
}


static bool run_law(void *user, double t, double u, double w, double *force, double *by_u, double *by_w)
{
    const rico_joint_drive *drive = user;
    const int64_t both[2] = {1, 2};
    const double variable[3] = {t, u, w};
    double work[MOST_WORK], slope[2];
    *force = rico_formula_gradient(drive->law, variable, 2, both, work, slope);
    *by_u = slope[0];
    *by_w = slope[1];
    return true;
}


static rico_status read_law(rico_scene_bodies *bodies, const rico_node *node, bool turns,
                            rico_joint_drive **out)
{
    static const rico_symbol STATE[] = {
        {.name = "t", .kind = RICO_SYMBOL_VARIABLE, .slot = 0},
        {.name = "u", .kind = RICO_SYMBOL_VARIABLE, .slot = 1},
        {.name = "w", .kind = RICO_SYMBOL_VARIABLE, .slot = 2},
        {.name =
             "a force along a coordinate may depend on t, the coordinate u, its rate w and the parameters",
         .kind = RICO_SYMBOL_NOTE},
    };
    rico_status status = make_drive(bodies, turns, out);
    return status == RICO_OK ? read_formula(bodies->scene, node, STATE, 3, &(*out)->law) : status;
}


// A law of a joint's coordinate, which is 0 at the start.
static rico_status read_joint_law(rico_scene_bodies *bodies, const rico_node *node, bool turns,
                                  rico_joint_drive **out)
{
    double force, by_u, by_w;
    rico_status status = read_law(bodies, node, turns, out);
    if (status != RICO_OK) return status;
    run_law(*out, (*out)->start, 0.0, 0.0, &force, &by_u, &by_w);
    if (isfinite(force) && isfinite(by_u) && isfinite(by_w)) return RICO_OK;
    return rico_document_fail(
        bodies->scene->document, node,
        "'%s' is %g at the start, where u = w = 0, its derivatives %g and %g; write it so that "
        "all are finite",
        node->key, force, by_u, by_w);
}


rico_status rico_scene_build_motor(rico_scene_bodies *bodies, const rico_node *node, int64_t index,
                                   bool turns)
{
    static const rico_symbol TIME[] = {
        {.name = "t", .kind = RICO_SYMBOL_VARIABLE, .slot = 0},
        {.name = "a motor may depend on t and the parameters", .kind = RICO_SYMBOL_NOTE},
    };
    rico_scene *scene = bodies->scene;
    const rico_node *position = rico_node_at(node, "position"), *velocity = rico_node_at(node, "velocity"),
                    *push = rico_node_at(node, turns ? "torque" : "force"),
                    *wrong = rico_node_at(node, turns ? "force" : "torque");
    const rico_node *bound = rico_node_at(node, "bound");
    rico_joint_drive *drive = NULL;
    char name[RICO_SCENE_NAME];
    snprintf(name, sizeof name, "%.80s.motor", node->parent->key);
    if (bound && !velocity)
        return rico_document_fail_key(scene->document, bound,
                                      "'bound' is of a motor with a 'velocity'; joint '%s' has another",
                                      node->parent->key);
    if (wrong)
        return rico_document_fail_key(scene->document, wrong, "joint '%s' %s; write '%s' instead of '%s'",
                                      node->parent->key, turns ? "turns" : "slides",
                                      turns ? "torque" : "force", wrong->key);
    if (push) {
        rico_status status = read_joint_law(bodies, push, turns, &drive);
        return status == RICO_OK ? rico_system_force_joint(scene->system, name, index, turns, run_law, drive)
                                 : status;
    }
    rico_status status = make_drive(bodies, turns, &drive);
    if (status == RICO_OK && velocity)
        status = rico_document_real(scene->document, velocity, &drive->velocity);
    if (status == RICO_OK && position) status = read_formula(scene, position, TIME, 1, &drive->position);
    double most = 0.0;
    if (status == RICO_OK && bound) status = rico_document_real(scene->document, bound, &most);
    if (status != RICO_OK) return status;
    if (bound)
        return rico_system_hold_joint(scene->system, name, index, turns, drive->velocity * drive->unit, most,
                                      NULL);
    return rico_system_drive_joint(scene->system, name, index, turns, run_drive, drive, NULL);
}


rico_status rico_scene_build_joint_spring(rico_scene_bodies *bodies, const rico_node *node, int64_t index,
                                          bool turns)
{
    rico_scene *scene = bodies->scene;
    const rico_node *law = rico_node_at(node, "law"), *stiffness = rico_node_at(node, "stiffness"),
                    *damping = rico_node_at(node, "damping");
    double k = 0.0, c = 0.0, free;
    char name[RICO_SCENE_NAME];
    snprintf(name, sizeof name, "%.80s.spring", node->parent->key);
    if (law && (stiffness || damping))
        return rico_document_fail_key(scene->document, law,
                                      "the spring of joint '%s' has a law and %s; give one or the other",
                                      node->parent->key, stiffness ? "a stiffness" : "a damping");
    if (law) {
        rico_joint_drive *drive = NULL;
        rico_status status = read_joint_law(bodies, law, turns, &drive);
        return status == RICO_OK ? rico_system_force_joint(scene->system, name, index, turns, run_law, drive)
                                 : status;
    }
    rico_status status = rico_document_real(scene->document, rico_node_at(node, "free"), &free);
    if (status == RICO_OK && stiffness) status = rico_document_real(scene->document, stiffness, &k);
    if (status == RICO_OK && damping) status = rico_document_real(scene->document, damping, &c);
    if (status != RICO_OK) return status;
    return rico_system_spring_joint(scene->system, name, index, turns, k, c,
                                    turns ? free * M_PI / 180.0 : free);
}


rico_status rico_scene_build_friction(rico_scene *scene, const rico_node *node, int64_t index)
{
    rico_joint_friction given = {0};
    char name[RICO_SCENE_NAME];
    snprintf(name, sizeof name, "%.80s.friction", node->parent->key);
    rico_status status = rico_document_real(scene->document, rico_node_at(node, "friction"), &given.friction);
    if (status == RICO_OK)
        status = rico_document_real(scene->document, rico_node_at(node, "radius"), &given.radius);
    if (status == RICO_OK)
        status = rico_document_real(scene->document, rico_node_at(node, "width"), &given.width);
    if (status == RICO_OK) status = rico_system_rub_joint(scene->system, name, index, &given, NULL);
    return rico_scene_place(scene, node, status);
}


rico_status rico_scene_build_span(rico_scene_bodies *bodies, const rico_node *node,
                                  const rico_body_spring *ends)
{
    rico_body_joint joint = rico_body_joint_default();
    rico_joint_drive *drive = NULL;
    rico_status status = read_law(bodies, rico_node_at(node, "law"), false, &drive);
    if (status != RICO_OK) return status;
    joint.name = node->key;
    joint.a = ends->a;
    joint.b = ends->b;
    memcpy(joint.on_a, ends->on_a, sizeof joint.on_a);
    memcpy(joint.on_b, ends->on_b, sizeof joint.on_b);
    return rico_system_force_points(bodies->scene->system, bodies->set, &joint, run_law, drive);
}


rico_status rico_scene_build_limits(rico_scene *scene, const rico_node *node, int64_t index, bool turns)
{
    const rico_node *low_node = rico_node_at(node, "low"), *high_node = rico_node_at(node, "high");
    double low = -INFINITY, high = INFINITY, restitution, unit = turns ? M_PI / 180.0 : 1.0;
    rico_status status = rico_document_real(scene->document, rico_node_at(node, "restitution"), &restitution);
    if (status == RICO_OK && low_node) status = rico_document_real(scene->document, low_node, &low);
    if (status == RICO_OK && high_node) status = rico_document_real(scene->document, high_node, &high);
    if (status != RICO_OK) return status;
    if (!(low < high))
        return rico_document_fail_key(
            scene->document, low_node,
            "the lower limit %g of joint '%s' is not below the upper one, %g; swap them", low,
            node->parent->key, high);
    if (turns && !(high - low < 360.0))
        return rico_document_fail_key(
            scene->document, node,
            "the limits of the angle of joint '%s' must both be given and less than 360 "
            "degrees apart",
            node->parent->key);
    status = rico_system_limit_joint(scene->system, node->parent->key, index, turns, low * unit, high * unit,
                                     restitution);
    return rico_scene_place(scene, node, status);
}


rico_status rico_scene_read_clearance(rico_scene *scene, const rico_node *node, rico_joint_clearance *out)
{
    const struct {
        const char *key;
        double *to;
    } all[] = {{"play", &out->play},
               {"radius", &out->radius},
               {"width", &out->width},
               {"friction", &out->friction},
               {"restitution", &out->restitution}};
    rico_status status = RICO_OK;
    for (size_t i = 0; status == RICO_OK && i < sizeof all / sizeof *all; i++)
        status = rico_document_real(scene->document, rico_node_at(node, all[i].key), all[i].to);
    return status;
}
