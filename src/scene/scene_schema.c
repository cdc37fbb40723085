// The tables of a scene: every key, its default, its range and its help. What checks the file also documents it.

#include "scene/scene_controllers.h"
#include "scene/scene_elastic.h"
#include "scene/scene_friction.h"
#include "scene/scene_relations.h"

#include <math.h>

static const rico_schema_key FORMULA_PART[] = {
    {"coordinates", RICO_WANT_TEXTS, .flags = RICO_KEY_REQUIRED, .least = 1,
     .help = "names of the coordinates; x has the velocity v_x"},
    {"mass", RICO_WANT_ANY, .flags = RICO_KEY_REQUIRED, .group = "inertia",
     .help =
         "mass matrix: one formula, a list of formulas (its diagonal) or a list of rows, of the coordinates"},
    {"kinetic", RICO_WANT_FORMULA, .flags = RICO_KEY_REQUIRED, .group = "inertia",
     .help = "kinetic energy instead, quadratic in the velocities; inertia forces follow from it"},
    {"potential", RICO_WANT_FORMULA, .help = "potential energy, of the coordinates; its forces follow"},
    {"force", RICO_WANT_ANY,
     .help = "further force on each coordinate: a formula (of one coordinate) or a list, of t, coordinates, "
             "velocities"},
    {NULL},
};

static const rico_schema_key FIRST_ORDER_PART[] = {
    {"states", RICO_WANT_TEXTS, .flags = RICO_KEY_REQUIRED, .least = 1,
     .help = "names of the states; the integral of i over time is integral_i"},
    {"mass", RICO_WANT_ANY,
     .help = "E: a number for one state, a list (its diagonal) or a list of rows, symmetric and positive "
             "definite; without it, 1"},
    {"rate", RICO_WANT_ANY, .flags = RICO_KEY_REQUIRED,
     .help = "f: a formula (of one state) or a list, of t and the states"},
    {NULL},
};

static const rico_schema_key SAMPLED_PART[] = {
    {"states", RICO_WANT_TEXTS, .flags = RICO_KEY_REQUIRED, .least = 1, .help = "names of the numbers"},
    {"every", RICO_WANT_REAL, .flags = RICO_KEY_REQUIRED | RICO_KEY_ABOVE, .high = INFINITY, .unit = "s",
     .help = "time from one update to the next, a multiple of the step; the first is at t = 0"},
    {"update", RICO_WANT_ANY, .flags = RICO_KEY_REQUIRED,
     .help = "new value of each, from t and all coordinates, velocities and states: a formula or a list"},
    {NULL},
};

static const rico_schema_key MATRIX_PART[] = {
    {"mass", RICO_WANT_MATRIX, .flags = RICO_KEY_REQUIRED, .help = "mass matrix M"},
    {"stiffness", RICO_WANT_MATRIX, .help = "stiffness matrix K, symmetric"},
    {"damping", RICO_WANT_MATRIX, .help = "damping matrix C"},
    {"force", RICO_WANT_ANY,
     .help = "load: a list of formulas of t, NAME[0], v_NAME[0], ..., or {file: ...} for a constant one"},
    {NULL},
};

static const char *end_name(int index)
{
    return rico_scene_bar_ends[index];
}


static const rico_schema_key BAR_PART[] = {
    {"elements", RICO_WANT_INTEGER, .flags = RICO_KEY_REQUIRED, .low = 1, .high = 1e7,
     .help = "number of rod elements"},
    {"length", RICO_WANT_REAL, .flags = RICO_KEY_REQUIRED | RICO_KEY_ABOVE, .high = INFINITY, .unit = "m",
     .help = "length of the bar"},
    {"section", RICO_WANT_REAL, .flags = RICO_KEY_REQUIRED | RICO_KEY_ABOVE, .high = INFINITY, .unit = "m^2",
     .help = "area of its section"},
    {"young", RICO_WANT_REAL, .flags = RICO_KEY_REQUIRED | RICO_KEY_ABOVE, .high = INFINITY, .unit = "Pa",
     .help = "Young's modulus"},
    {"density", RICO_WANT_REAL, .flags = RICO_KEY_REQUIRED | RICO_KEY_ABOVE, .high = INFINITY,
     .unit = "kg/m^3", .help = "mass per volume"},
    {"lumped", RICO_WANT_FLAG, .standard = "false",
     .help = "mass of an element at its ends, instead of M = rho S l/6 [2 1; 1 2]"},
    {"massless", RICO_WANT_CHOICE, .standard = "none", .choice = end_name,
     .help = "ends without mass, which their neighbours take; total mass, centre and inertia stay"},
    {"force", RICO_WANT_ANY, .help = "load on each node: a list of formulas of t, NAME[0], v_NAME[0], ..."},
    {NULL},
};

static const rico_schema_key CHAIN_PART[] = {
    {"balls", RICO_WANT_INTEGER, .flags = RICO_KEY_REQUIRED, .low = 1, .high = 1e5,
     .help = "number of balls, that touch when all coordinates are equal"},
    {"mass", RICO_WANT_ANY, .standard = "1", .unit = "kg",
     .help = "of each ball: a list, or a formula of its index i = 0, 1, ..."},
    {"wall", RICO_WANT_FLAG, .standard = "false", .help = "a wall beyond the last ball, at coordinate 0"},
    {"restitution", RICO_WANT_ANY, .standard = "1",
     .help = "of each contact: a list, or a formula of its index i; contact i is between balls i and i+1"},
    {"stiffness", RICO_WANT_ANY, .standard = "1",
     .help = "K of each contact in the force K delta^eta, in the same way"},
    {"exponent", RICO_WANT_ANY, .standard = "3/2", .help = "eta of each contact, in the same way"},
    {NULL},
};

static const rico_schema_variant PART_VARIANTS[] = {
    {"formulas", "Given by formulas of its coordinates, derived by the program.", FORMULA_PART},
    {"first-order", "Equations of first order, E x' = f(t, x): circuits, controllers, filters.",
     FIRST_ORDER_PART},
    {"sampled", "Numbers that a clock updates and that are held in between: digital controllers.",
     SAMPLED_PART},
    {"matrices",
     "Given by constant matrices: M dv + (K q + C v) dt = F dt. Its coordinates are NAME[0], NAME[1], ...",
     MATRIX_PART},
    {"bar", "An elastic bar of linear rod elements. Displacements of its nodes are NAME[0], NAME[1], ...",
     BAR_PART},
    {"chain",
     "Aligned balls with their contacts. Displacements of the balls are NAME[0], NAME[1], ...; the contact "
     "between "
     "balls 0 and 1 is called NAME[0-1].",
     CHAIN_PART},
    {NULL, NULL, NULL},
};


static const char *part_kind(int index)
{
    return PART_VARIANTS[index].name;
}


static const rico_schema_key PART[] = {
    {"kind", RICO_WANT_CHOICE, .standard = "formulas", .choice = part_kind, .help = "how the part is given"},
    {NULL},
};

static const rico_schema PART_SCHEMA = {.title = "part",
                                        .help = "Something that moves.",
                                        .keys = PART,
                                        .selector = "kind",
                                        .variants = PART_VARIANTS};

static const char *touch_method(int index)
{
    static const char *const NAMES[] = {"mortar", "nodes", "both", NULL};
    return NAMES[index];
}


static const rico_schema_key CONTACT[] = {
    {"gap", RICO_WANT_FORMULA, .flags = RICO_KEY_REQUIRED, .group = "contact",
     .help = "distance, of t and all coordinates: positive when open; its gradient is the normal"},
    {"tangent", RICO_WANT_ANY,
     .help = "formula whose rate is the sliding velocity, or a list of two in space; left out: no friction"},
    {"restitution", RICO_WANT_REAL, .standard = "0", .low = 0.0, .high = INFINITY, .help = "Newton's e"},
    {"friction", RICO_WANT_MAPPING, .sub = &rico_scene_friction_schema, .help = "Coulomb's mu, or a law"},
    {"turning", RICO_WANT_ANY,
     .help = "with `rolling` and `spinning` friction: the angles whose rates they oppose, a formula or a "
             "list: those that "
             "roll (one in the plane, two in space), then the one that spins"},
    {"stiffness", RICO_WANT_REAL, .standard = "1", .flags = RICO_KEY_ABOVE, .high = INFINITY,
     .help = "K of the force K delta^eta in an impact, for the law lzb"},
    {"exponent", RICO_WANT_REAL, .standard = "3/2", .flags = RICO_KEY_ABOVE, .high = INFINITY,
     .help = "eta of that force: 3/2 between spheres (Hertz), 1 for a linear spring"},
    {"nodes", RICO_WANT_TEXT, .flags = RICO_KEY_REQUIRED, .group = "contact",
     .help = "instead: nodes of a group of an elastic part, as PART.GROUP, against one of the next four"},
    {"against", RICO_WANT_MAPPING, .sub = &rico_scene_against_schema,
     .help = "an obstacle that stands still"},
    {"body", RICO_WANT_TEXT, .help = "a rigid body of `bodies`"},
    {"surface", RICO_WANT_FORMULA,
     .help = "g(t, x, y, z), positive outside and 0 on the surface; its gradient is the normal"},
    {"faces", RICO_WANT_TEXT, .help = "faces of a group of another elastic part, as PART.GROUP"},
    {"method", RICO_WANT_CHOICE, .choice = touch_method,
     .help = "how nodes meet faces: `mortar` (unless given), each at its nearest point, or both sides so"},
    {"margin", RICO_WANT_REAL, .low = 0.0, .high = INFINITY, .unit = "m",
     .help = "gap up to which a contact is there, beside the way of a step; without it, a quarter of a face"},
    {"reach", RICO_WANT_REAL, .low = 0.0, .high = INFINITY, .unit = "m",
     .help = "depth beyond which nodes and faces do not meet; without it, the size of a face"},
    {NULL},
};

static const rico_schema CONTACT_SCHEMA = {.title = "contact",
                                           .help = "Two things that may touch but not interpenetrate.",
                                           .keys = CONTACT,
                                           .shorthand = "gap"};

static const rico_schema_key SPRING[] = {
    {"length", RICO_WANT_FORMULA, .flags = RICO_KEY_REQUIRED, .group = "length",
     .help =
         "of t and all coordinates: x - y between two of them, hypot(x2 - x1, y2 - y1) between two points"},
    {"between", RICO_WANT_TEXTS, .flags = RICO_KEY_REQUIRED, .group = "length", .least = 2, .most = 2,
     .help = "two bodies, or a body and `world`: the length is the distance of two points of them"},
    {"at", RICO_WANT_ANY, .help = "those points, each in the axes of its body; without it, their origins"},
    {"rest", RICO_WANT_REAL, .standard = "0", .help = "length at which the spring pulls nothing"},
    {"stiffness", RICO_WANT_REAL, .standard = "0", .help = "k of the pull k (length - rest)"},
    {"damping", RICO_WANT_REAL, .standard = "0", .low = 0.0, .high = INFINITY,
     .help = "c of the drag c d(length)/dt"},
    {"law", RICO_WANT_FORMULA,
     .help = "between bodies: the force that pushes them apart instead, of t, the length u and its rate w"},
    {NULL},
};

static const rico_schema SPRING_SCHEMA = {
    .title = "spring",
    .help = "A spring, a damper, or both, between any coordinates or between two bodies.",
    .keys = SPRING};

static const rico_schema_key FORCE[] = {
    {"potential", RICO_WANT_FORMULA, .flags = RICO_KEY_REQUIRED, .group = "force",
     .help = "energy, of all coordinates; its forces follow"},
    {"force", RICO_WANT_ANY, .flags = RICO_KEY_REQUIRED, .group = "force",
     .help = "coordinate or state: force on it, of t, all coordinates, velocities and states"},
    {NULL},
};

static const rico_schema FORCE_SCHEMA = {
    .title = "force", .help = "A force between parts, by an energy or as it is.", .keys = FORCE};

static const rico_schema_key INITIAL[] = {
    {"position", RICO_WANT_ANY,
     .help = "coordinate: value; a part known by indices: a list, or a formula of the index i = 0, 1, ..."},
    {"velocity", RICO_WANT_ANY, .help = "velocity of the coordinate, in the same way"},
    {"state", RICO_WANT_ANY, .help = "state of a first-order part: value"},
    {"repair", RICO_WANT_FLAG, .standard = "false",
     .help = "move a start that joints or contacts forbid to the nearest one that they allow, and say what "
             "moved"},
    {"overlap", RICO_WANT_FLAG, .standard = "false", .help = "let bodies overlap at the start"},
    {"equilibrium", RICO_WANT_FLAG, .standard = "false",
     .help = "start from rest, in the equilibrium of the loads, motions and contacts of that instant, near "
             "the positions given; contacts are solved to the `tol` of the scheme"},
    {"sticking", RICO_WANT_FLAG, .standard = "false",
     .help = "with `equilibrium`: nothing that touches slips on the way there, whatever its friction"},
    {NULL},
};

static const rico_schema INITIAL_SCHEMA = {
    .title = "initial", .help = "The state to start from; what is left out is 0.", .keys = INITIAL};

static const rico_schema_key TIME[] = {
    {"start", RICO_WANT_REAL, .standard = "0", .unit = "s", .help = "first instant"},
    {"end", RICO_WANT_REAL, .flags = RICO_KEY_REQUIRED, .unit = "s", .help = "last instant, after the first"},
    {"step", RICO_WANT_REAL, .flags = RICO_KEY_REQUIRED | RICO_KEY_ABOVE, .high = INFINITY, .unit = "s",
     .help = "length of a time step; of the first one when they adapt"},
    {"adaptive", RICO_WANT_FLAG, .standard = "false",
     .help = "let steps follow the local error between impacts, and resolve the impacts"},
    {"rtol", RICO_WANT_REAL, .standard = "1e-6", .low = 0.0, .high = 1.0,
     .help = "relative error of an adaptive step"},
    {"atol", RICO_WANT_REAL, .standard = "0", .low = 0.0, .high = INFINITY,
     .help = "absolute error of an adaptive step, beside the relative one"},
    {"impact-step", RICO_WANT_REAL, .standard = "0", .low = 0.0, .high = INFINITY, .unit = "s",
     .help = "length to which a step across an impact shrinks; 0: a ten thousandth of 'step'"},
    {"max-steps", RICO_WANT_INTEGER, .standard = "0", .low = 0, .high = 1e15,
     .help = "adaptive steps that may be tried; 0: a thousand for each of 'step' that fits, and 1e5 more"},
    {NULL},
};

static const rico_schema TIME_SCHEMA = {
    .title = "time", .help = "From when to when, in which steps.", .keys = TIME};

static const rico_schema_key OUTPUT[] = {
    {"every", RICO_WANT_INTEGER, .standard = "1", .low = 1, .high = 1e15,
     .help = "steps from one row of the result file to the next"},
    {"interval", RICO_WANT_REAL, .flags = RICO_KEY_ABOVE, .high = INFINITY, .unit = "s",
     .help = "from one row of the table `samples` to the next, exactly, whatever the steps are"},
    {"times", RICO_WANT_REALS, .help = "the times of the rows of the table `samples`, ascending"},
    {"impacts", RICO_WANT_FLAG, .standard = "false",
     .help = "write the rows directly before and after each impact too"},
    {"probes", RICO_WANT_NAMED, .sub = &rico_scene_probe_schema,
     .help = "nodes of elastic parts that are followed, by name"},
    {"reactions", RICO_WANT_ANY,
     .help = "name: PART.GROUP, whose nodes' forces of supports, motions, joints and contacts are summed up: "
             "NAME.fx, NAME.fy, NAME.fz"},
    {NULL},
};

static const rico_schema OUTPUT_SCHEMA = {.title = "output", .help = "What is written.", .keys = OUTPUT};

static const rico_schema_key SCENE[] = {
    {"title", RICO_WANT_TEXT, .standard = "''", .help = "one line for plots and listings"},
    {"parameters", RICO_WANT_ANY, .help = "names for numbers, `--set name=value` overrides them"},
    {"parts", RICO_WANT_NAMED, .flags = RICO_KEY_SOME, .sub = &PART_SCHEMA, .help = "what moves, by name"},
    {"bodies", RICO_WANT_NAMED, .flags = RICO_KEY_SOME, .sub = &rico_scene_body_schema,
     .help = "rigid bodies with shapes, by name; a scene has parts, bodies, or both"},
    {"beams", RICO_WANT_NAMED, .flags = RICO_KEY_SOME, .sub = &rico_scene_beam_schema,
     .help = "beams that bend and twist, by name"},
    {"elastic", RICO_WANT_NAMED, .flags = RICO_KEY_SOME, .sub = &rico_scene_elastic_schema,
     .help = "elastic bodies of finite elements, by name"},
    {"gravity", RICO_WANT_REALS, .least = 2, .most = 3, .unit = "m/s^2",
     .help = "on bodies, beams and elastic parts; without it, none"},
    {"materials", RICO_WANT_NAMED, .sub = &rico_scene_material_schema,
     .help = "what bodies are made of, by name"},
    {"pairs", RICO_WANT_LIST, .sub = &rico_scene_pair_schema, .help = "how two materials meet"},
    {"apart", RICO_WANT_LIST, .sub = &rico_scene_apart_schema, .help = "bodies that do not touch each other"},
    {"contacts", RICO_WANT_NAMED, .sub = &CONTACT_SCHEMA, .help = "what may touch, by name"},
    {"joints", RICO_WANT_NAMED, .sub = &rico_scene_joint_schema,
     .help = "what is held together or driven, by name"},
    {"relations", RICO_WANT_NAMED, .sub = &rico_scene_relation_schema,
     .help = "set-valued laws between an output and an input: switching control, diodes, by name"},
    {"controllers", RICO_WANT_NAMED, .sub = &rico_scene_controller_schema,
     .help = "what measures and acts, by name: PID, linear, sliding mode"},
    {"springs", RICO_WANT_NAMED, .sub = &SPRING_SCHEMA,
     .help = "springs and dampers between parts or bodies, by name"},
    {"forces", RICO_WANT_NAMED, .sub = &FORCE_SCHEMA, .help = "other forces between parts, by name"},
    {"initial", RICO_WANT_MAPPING, .sub = &INITIAL_SCHEMA, .help = "positions and velocities to start from"},
    {"time", RICO_WANT_MAPPING, .sub = &TIME_SCHEMA,
     .help = "interval and step; `rico impact` needs none, everything else does"},
    {"scheme", RICO_WANT_ANY, .standard = RICO_SCENE_SCHEME, .check = rico_scene_check_scheme,
     .choice = rico_scene_scheme_name,
     .help = "a name of `rico schemes`, or {name: ..., option: value, ...}; with bodies `" RICO_BODIES_SCHEME
             "`, with joints `" RICO_JOINTS_SCHEME "`, with relations `" RICO_RELATIONS_SCHEME
             "`, unless there are beams or elastic parts"},
    {"solver", RICO_WANT_ANY, .check = rico_scene_check_solver, .choice = rico_scene_solver_name,
     .help = "a name of `rico solvers` for every contact problem, or {name: ..., option: value, ...}"},
    {"impact", RICO_WANT_ANY, .check = rico_scene_check_impact, .choice = rico_scene_law_name,
     .help = "a law of multiple impacts of `rico laws`, or {name: ..., option: value, ...}; without it, the "
             "contact "
             "law deals with impacts"},
    {"output", RICO_WANT_MAPPING, .sub = &OUTPUT_SCHEMA, .help = "the result file"},
    {NULL},
};

static const rico_schema SCENE_SCHEMA = {
    .title = "scene", .help = "A scene is a mapping with these keys.", .keys = SCENE};


const rico_schema *rico_scene_schema(void)
{
    return &SCENE_SCHEMA;
}
