// The tables of bodies in a scene: materials, shapes, bodies, and the patterns in which copies of a body stand.

#include "scene/scene_bodies.h"
#include "scene/scene_friction.h"

#include <math.h>

#define POSITIVE .flags = RICO_KEY_REQUIRED | RICO_KEY_ABOVE, .high = INFINITY
#define AT_LEAST_0 .low = 0.0, .high = INFINITY

// --- materials ---------------------------------------------------------------------------------------------------

static const rico_schema_key MATERIAL[] = {
    {"friction", RICO_WANT_MAPPING, .sub = &rico_scene_friction_schema,
     .help = "of the material on itself: Coulomb's mu, or a law"},
    {"restitution", RICO_WANT_REAL, .standard = "0", .low = 0.0, .high = 1.0, .help = "Newton's e"},
    {"stiffness", RICO_WANT_REAL, .standard = "0", AT_LEAST_0,
     .help = "K of the force K delta^eta in an impact, for the law lzb; 0: 1"},
    {"exponent", RICO_WANT_REAL, .standard = "0", AT_LEAST_0, .help = "eta of that force; 0: 3/2 (Hertz)"},
    {NULL},
};

const rico_schema rico_scene_material_schema = {
    .title = "material",
    .help = "How bodies of one material meet. Two materials that `pairs` does not name meet with the "
            "geometric mean of their frictions and the larger of their restitutions; where one of them has a "
            "law of "
            "friction, `pairs` must name them.",
    .keys = MATERIAL};

static const rico_schema_key PAIR[] = {
    {"between", RICO_WANT_TEXTS, .flags = RICO_KEY_REQUIRED, .least = 2, .most = 2, .help = "two materials"},
    {"friction", RICO_WANT_MAPPING, .sub = &rico_scene_friction_schema, .help = "Coulomb's mu, or a law"},
    {"restitution", RICO_WANT_REAL, .standard = "0", .low = 0.0, .high = 1.0, .help = "Newton's e"},
    {"stiffness", RICO_WANT_REAL, .standard = "0", AT_LEAST_0, .help = "as in a [material](#material)"},
    {"exponent", RICO_WANT_REAL, .standard = "0", AT_LEAST_0, .help = "likewise"},
    {NULL},
};

const rico_schema rico_scene_pair_schema = {.title = "pair", .help = "How two materials meet.", .keys = PAIR};

static const rico_schema_key APART[] = {
    {"between", RICO_WANT_TEXTS, .flags = RICO_KEY_REQUIRED, .least = 2, .most = 2, .help = "two bodies"},
    {NULL},
};
const rico_schema rico_scene_apart_schema = {
    .title = "apart", .help = "Two bodies that never touch, whatever their groups say.", .keys = APART};

// --- shapes ------------------------------------------------------------------------------------------------------

static const rico_schema_key ROTATION[] = {
    {"angle", RICO_WANT_REAL, .flags = RICO_KEY_REQUIRED, .group = "rotation", .unit = "degrees",
     .help = "turn about the axis, against the clock seen from its tip"},
    {"quaternion", RICO_WANT_REALS, .flags = RICO_KEY_REQUIRED, .group = "rotation", .least = 4, .most = 4,
     .help = "the rotation itself, the scalar first; made of unit length"},
    {"axis", RICO_WANT_REALS, .least = 3, .most = 3, .help = "of the angle; without it, z"},
    {NULL},
};

const rico_schema rico_scene_rotation_schema = {
    .title = "rotation", .help = "How something is turned.", .keys = ROTATION, .shorthand = "angle"};

static const rico_schema_key RADIUS[] = {
    {"radius", RICO_WANT_REAL, POSITIVE, .unit = "m", .help = "its radius"},
    {NULL},
};
static const rico_schema_key RADIUS_LENGTH[] = {
    {"radius", RICO_WANT_REAL, POSITIVE, .unit = "m", .help = "of the two caps and what joins them"},
    {"length", RICO_WANT_REAL, POSITIVE, .unit = "m",
     .help = "from the middle of one cap to that of the other"},
    {NULL},
};
static const rico_schema_key RADIUS_HEIGHT[] = {
    {"radius", RICO_WANT_REAL, POSITIVE, .unit = "m", .help = "of its base"},
    {"height", RICO_WANT_REAL, POSITIVE, .unit = "m", .help = "along z"},
    {NULL},
};
static const rico_schema_key SIZE_3[] = {
    {"size", RICO_WANT_REALS, POSITIVE, .least = 3, .most = 3, .unit = "m",
     .help = "full lengths along x, y and z"},
    {NULL},
};
static const rico_schema_key SIZE_2[] = {
    {"size", RICO_WANT_REALS, POSITIVE, .least = 2, .most = 2, .unit = "m",
     .help = "full lengths along x and y"},
    {NULL},
};
static const rico_schema_key AXES[] = {
    {"axes", RICO_WANT_REALS, POSITIVE, .least = 3, .most = 3, .unit = "m",
     .help = "semi-axes along x, y and z"},
    {NULL},
};
static const rico_schema_key LENGTH[] = {
    {"length", RICO_WANT_REAL, POSITIVE, .unit = "m", .help = "along x, the origin in its middle"},
    {NULL},
};
static const rico_schema_key HULL[] = {
    {"points", RICO_WANT_ANY, .flags = RICO_KEY_REQUIRED, .group = "points",
     .help = "a list of points [x, y, z]"},
    {"file", RICO_WANT_PATH, .flags = RICO_KEY_REQUIRED, .group = "points", .help = "an STL or OBJ file"},
    {"scale", RICO_WANT_ANY, .standard = "1",
     .help = "times which the file counts; [x, y, z] for each axis, of which a negative one mirrors"},
    {NULL},
};
static const rico_schema_key POLYGON[] = {
    {"points", RICO_WANT_ANY, .flags = RICO_KEY_REQUIRED, .help = "the corners [x, y] of a convex polygon"},
    {NULL},
};
static const rico_schema_key MESH[] = {
    {"vertices", RICO_WANT_ANY, .flags = RICO_KEY_REQUIRED, .group = "vertices",
     .help = "a list of points [x, y, z]"},
    {"file", RICO_WANT_PATH, .flags = RICO_KEY_REQUIRED, .group = "vertices", .help = "an STL or OBJ file"},
    {"triangles", RICO_WANT_ANY,
     .help = "three vertices each, counted from 0, against the clock seen from outside"},
    {"scale", RICO_WANT_ANY, .standard = "1",
     .help = "times which the file counts; [x, y, z] for each axis, of which a negative one mirrors"},
    {NULL},
};
static const rico_schema_key HEIGHT_FIELD[] = {
    {"heights", RICO_WANT_ANY, .flags = RICO_KEY_REQUIRED, .group = "heights",
     .help = "rows of heights, one row for each y, one number for each x"},
    {"formula", RICO_WANT_FORMULA, .flags = RICO_KEY_REQUIRED, .group = "heights",
     .help = "height, of x and y"},
    {"size", RICO_WANT_REALS, POSITIVE, .least = 2, .most = 2, .unit = "m",
     .help = "full lengths along x and y, the origin in the middle"},
    {"cells", RICO_WANT_REALS, .low = 1, .high = 1e5, .least = 2, .most = 2,
     .help = "of a formula: how many cells along x and y"},
    {NULL},
};

#define SHAPE_PART(name, head, table, how)                                                                   \
    static const rico_schema name = {.title = head, .help = how, .keys = table}
#define SHORT_PART(name, head, table, how, key)                                                              \
    static const rico_schema name = {.title = head, .help = how, .keys = table, .shorthand = key}
SHORT_PART(SPHERE_SCHEMA, "sphere", RADIUS, "A ball.", "radius");
SHAPE_PART(BOX_SCHEMA, "box", SIZE_3, "A box, the origin in its middle.");
SHAPE_PART(CAPSULE_SCHEMA, "capsule", RADIUS_LENGTH, "A cylinder along z with round ends.");
SHAPE_PART(CYLINDER_SCHEMA, "cylinder", RADIUS_HEIGHT, "A cylinder along z, the origin in its middle.");
SHAPE_PART(CONE_SCHEMA, "cone", RADIUS_HEIGHT, "A cone along z.");
SHAPE_PART(ELLIPSOID_SCHEMA, "ellipsoid", AXES, "An ellipsoid.");
SHAPE_PART(HULL_SCHEMA, "hull", HULL, "The convex hull of points.");
SHAPE_PART(MESH_SCHEMA, "mesh", MESH, "A surface of triangles; solid where it is closed.");
SHAPE_PART(HEIGHT_FIELD_SCHEMA, "height-field", HEIGHT_FIELD, "Ground whose height varies.");
SHORT_PART(DISC_SCHEMA, "disc", RADIUS, "A disc in the plane.", "radius");
SHAPE_PART(RECTANGLE_SCHEMA, "rectangle", SIZE_2, "A rectangle in the plane, the origin in its middle.");
SHAPE_PART(CAPSULE_2D_SCHEMA, "capsule-2d", RADIUS_LENGTH,
           "A rectangle along x with round ends, in the plane.");
SHORT_PART(SEGMENT_SCHEMA, "segment", LENGTH, "A line from here to there, in the plane.", "length");
SHAPE_PART(POLYGON_SCHEMA, "polygon", POLYGON, "A convex polygon in the plane.");


static const char *endless(int index)
{
    static const char *const NAMES[] = {"plane", "line", NULL};
    return NAMES[index];
}


extern const rico_schema rico_scene_piece_schema;
#define ONE_SHAPE .flags = RICO_KEY_REQUIRED, .group = "shape"
static const rico_schema_key SHAPE[] = {
    {"kind", RICO_WANT_CHOICE, ONE_SHAPE, .choice = endless,
     .help = "one without sizes: all that is below z = 0, or in the plane below y = 0"},
    {"sphere", RICO_WANT_MAPPING, ONE_SHAPE, .sub = &SPHERE_SCHEMA, .help = "a ball"},
    {"box", RICO_WANT_MAPPING, ONE_SHAPE, .sub = &BOX_SCHEMA, .help = "a box"},
    {"capsule", RICO_WANT_MAPPING, ONE_SHAPE, .sub = &CAPSULE_SCHEMA, .help = "a cylinder with round ends"},
    {"cylinder", RICO_WANT_MAPPING, ONE_SHAPE, .sub = &CYLINDER_SCHEMA, .help = "a cylinder"},
    {"cone", RICO_WANT_MAPPING, ONE_SHAPE, .sub = &CONE_SCHEMA, .help = "a cone"},
    {"ellipsoid", RICO_WANT_MAPPING, ONE_SHAPE, .sub = &ELLIPSOID_SCHEMA, .help = "an ellipsoid"},
    {"hull", RICO_WANT_MAPPING, ONE_SHAPE, .sub = &HULL_SCHEMA, .help = "the convex hull of points"},
    {"mesh", RICO_WANT_MAPPING, ONE_SHAPE, .sub = &MESH_SCHEMA, .help = "triangles"},
    {"height-field", RICO_WANT_MAPPING, ONE_SHAPE, .sub = &HEIGHT_FIELD_SCHEMA, .help = "uneven ground"},
    {"compound", RICO_WANT_LIST, ONE_SHAPE, .sub = &rico_scene_piece_schema, .least = 1,
     .help = "several shapes that move as one"},
    {"disc", RICO_WANT_MAPPING, ONE_SHAPE, .sub = &DISC_SCHEMA, .help = "in the plane: a disc"},
    {"rectangle", RICO_WANT_MAPPING, ONE_SHAPE, .sub = &RECTANGLE_SCHEMA,
     .help = "in the plane: a rectangle"},
    {"capsule-2d", RICO_WANT_MAPPING, ONE_SHAPE, .sub = &CAPSULE_2D_SCHEMA,
     .help = "in the plane: a rectangle with round ends"},
    {"segment", RICO_WANT_MAPPING, ONE_SHAPE, .sub = &SEGMENT_SCHEMA,
     .help = "in the plane: a straight line"},
    {"polygon", RICO_WANT_MAPPING, ONE_SHAPE, .sub = &POLYGON_SCHEMA,
     .help = "in the plane: a convex polygon"},
    {NULL},
};

const rico_schema rico_scene_shape_schema = {
    .title = "shape",
    .help =
        "One shape, in axes of its own. Shapes with an axis have it along z. Those in the plane meet only "
        "their like: a scene has either kind.",
    .keys = SHAPE,
    .shorthand = "kind"};

static const rico_schema_key PIECE[] = {
    {"shape", RICO_WANT_MAPPING, .flags = RICO_KEY_REQUIRED, .sub = &rico_scene_shape_schema,
     .help = "of this piece"},
    {"position", RICO_WANT_REALS, .least = 2, .most = 3, .unit = "m", .help = "in the axes of the whole"},
    {"rotation", RICO_WANT_MAPPING, .sub = &rico_scene_rotation_schema, .help = "in the axes of the whole"},
    {NULL},
};

const rico_schema rico_scene_piece_schema = {
    .title = "piece", .help = "A part of a compound. Where two overlap, their masses add up.", .keys = PIECE};

// --- patterns ----------------------------------------------------------------------------------------------------

#define COUNT_TO(most) .flags = RICO_KEY_REQUIRED, .low = 1, .high = most
#define GAP                                                                                                  \
    {                                                                                                        \
        "gap", RICO_WANT_REAL, .standard = "0", AT_LEAST_0, .unit = "m", .help = "between neighbours"        \
    }
#define SEED                                                                                                 \
    {                                                                                                        \
        "seed", RICO_WANT_INTEGER, .standard = "1", .low = 0, .high = 9e15,                                  \
                                   .help = "another one, another draw"                                       \
    }

static const rico_schema_key GRID[] = {
    {"count", RICO_WANT_REALS, COUNT_TO(1e7), .least = 1, .most = 3, .help = "copies along x, y and z"},
    {"spacing", RICO_WANT_REALS, .flags = RICO_KEY_REQUIRED, .least = 1, .most = 3, .unit = "m",
     .help = "from one to the next along each; the first one stands at the position of the body"},
    {NULL},
};
static const rico_schema_key STACK[] = {
    {"count", RICO_WANT_INTEGER, COUNT_TO(1e6), .help = "one upon the other"},
    GAP,
    {NULL},
};
static const rico_schema_key WALL[] = {
    {"length", RICO_WANT_INTEGER, COUNT_TO(1e6), .help = "bricks of a course, along x"},
    {"courses", RICO_WANT_INTEGER, COUNT_TO(1e6),
     .help = "each shifted by half a brick against the one below"},
    GAP,
    {NULL},
};
static const rico_schema_key PYRAMID[] = {
    {"base", RICO_WANT_INTEGER, COUNT_TO(1e4),
     .help = "bricks of the lowest course, along x; each has one less"},
    GAP,
    {NULL},
};
static const rico_schema_key TOWER[] = {
    {"layers", RICO_WANT_INTEGER, COUNT_TO(1e6), .help = "each at right angles to the one below"},
    {"planks", RICO_WANT_INTEGER, .standard = "2", .low = 1, .high = 1e4,
     .help = "of a layer, side by side over the length of a plank, which lies along x"},
    {NULL},
};
static const rico_schema_key HEAP[] = {
    {"count", RICO_WANT_INTEGER, COUNT_TO(1e7), .help = "copies, turned at random; none overlap"},
    {"size", RICO_WANT_REALS, POSITIVE, .least = 2, .most = 3, .unit = "m",
     .help =
         "full lengths of the space that holds them; the position of the body is the middle of its floor"},
    SEED,
    {NULL},
};
static const rico_schema_key POUR[] = {
    {"count", RICO_WANT_REALS, COUNT_TO(1e7), .least = 2, .most = 3, .help = "copies along x, y and z"},
    {"spacing", RICO_WANT_REALS, POSITIVE, .least = 1, .most = 3, .unit = "m",
     .help = "from one to the next; one number counts for all axes. The lowest layer is centered about the "
             "position "
             "of the body"},
    {"jitter", RICO_WANT_REAL, .standard = "0", AT_LEAST_0, .unit = "m",
     .help = "each is moved at random by up to so much along each axis"},
    {"turned", RICO_WANT_FLAG, .standard = "true", .help = "each is turned at random"},
    SEED,
    {NULL},
};

SHAPE_PART(GRID_SCHEMA, "grid", GRID, "A regular grid.");
SHORT_PART(STACK_SCHEMA, "stack", STACK, "One body upon the other.", "count");
SHAPE_PART(WALL_SCHEMA, "wall", WALL,
           "A wall of bricks along x, the middle of its foot at the position of the body.");
SHORT_PART(PYRAMID_SCHEMA, "pyramid", PYRAMID,
           "Courses that shrink by one brick each, the middle of the foot at the position of the body.",
           "base");
SHAPE_PART(TOWER_SCHEMA, "tower", TOWER,
           "Planks laid crosswise, the middle of the foot at the position of the body.");
SHAPE_PART(HEAP_SCHEMA, "heap", HEAP, "Copies in random places that do not overlap.");
SHAPE_PART(POUR_SCHEMA, "pour", POUR, "A loose grid that is about to fall.");

#define ONE_PATTERN .flags = RICO_KEY_REQUIRED, .group = "copies"
static const rico_schema_key COPIES[] = {
    {"grid", RICO_WANT_MAPPING, ONE_PATTERN, .sub = &GRID_SCHEMA, .help = "a regular grid"},
    {"stack", RICO_WANT_MAPPING, ONE_PATTERN, .sub = &STACK_SCHEMA, .help = "one upon the other"},
    {"wall", RICO_WANT_MAPPING, ONE_PATTERN, .sub = &WALL_SCHEMA, .help = "bricks in bond"},
    {"pyramid", RICO_WANT_MAPPING, ONE_PATTERN, .sub = &PYRAMID_SCHEMA, .help = "courses that shrink"},
    {"arch", RICO_WANT_MAPPING, ONE_PATTERN, .sub = &rico_scene_arch_schema, .help = "voussoirs"},
    {"flat-arch", RICO_WANT_MAPPING, ONE_PATTERN, .sub = &rico_scene_flat_arch_schema,
     .help = "voussoirs under a level top"},
    {"bond", RICO_WANT_MAPPING, ONE_PATTERN, .sub = &rico_scene_bond_schema,
     .help = "a wall in running bond, half bricks at its ends"},
    {"buttress", RICO_WANT_MAPPING, ONE_PATTERN, .sub = &rico_scene_buttress_schema,
     .help = "courses that become narrower"},
    {"vault", RICO_WANT_MAPPING, ONE_PATTERN, .sub = &rico_scene_vault_schema,
     .help = "in space: a barrel vault"},
    {"cross-vault", RICO_WANT_MAPPING, ONE_PATTERN, .sub = &rico_scene_cross_vault_schema,
     .help = "in space: two barrel vaults that cross"},
    {"dome", RICO_WANT_MAPPING, ONE_PATTERN, .sub = &rico_scene_dome_schema, .help = "in space: a dome"},
    {"tower", RICO_WANT_MAPPING, ONE_PATTERN, .sub = &TOWER_SCHEMA, .help = "planks laid crosswise"},
    {"heap", RICO_WANT_MAPPING, ONE_PATTERN, .sub = &HEAP_SCHEMA, .help = "random places"},
    {"pour", RICO_WANT_MAPPING, ONE_PATTERN, .sub = &POUR_SCHEMA, .help = "a loose grid"},
    {NULL},
};

static const rico_schema COPIES_SCHEMA = {.title = "copies",
                                          .help = "A pattern in which copies of a body stand; they are "
                                                  "called NAME-1, NAME-2, ... Position and rotation "
                                                  "of the body are those of the pattern.",
                                          .keys = COPIES};

// --- bodies ------------------------------------------------------------------------------------------------------

static const rico_schema_key TURN[] = {
    {"angle", RICO_WANT_FORMULA, .flags = RICO_KEY_REQUIRED, .unit = "degrees", .help = "of t"},
    {"axis", RICO_WANT_REALS, .least = 3, .most = 3, .help = "in the axes of the world; without it, z"},
    {NULL},
};
SHORT_PART(TURN_SCHEMA, "turn", TURN, "A turn that goes on.", "angle");

static const rico_schema_key MOTION[] = {
    {"shift", RICO_WANT_FORMULAS, .least = 2, .most = 3, .unit = "m",
     .help = "from the position of the body, of t"},
    {"turn", RICO_WANT_MAPPING, .sub = &TURN_SCHEMA,
     .help = "from the rotation of the body, about its position"},
    {NULL},
};
static const rico_schema MOTION_SCHEMA = {
    .title = "motion",
    .help = "How a body moves whatever it meets. Velocities follow from the formulas, exactly.",
    .keys = MOTION};

static const rico_schema_key BODY[] = {
    {"shape", RICO_WANT_MAPPING, .sub = &rico_scene_shape_schema,
     .help = "what it is; without one it meets nothing"},
    {"copies", RICO_WANT_MAPPING, .sub = &COPIES_SCHEMA, .help = "a pattern of many such bodies"},
    {"material", RICO_WANT_TEXT, .standard = "default", .help = "one of `materials`"},
    {"fixed", RICO_WANT_FLAG, .standard = "false", .help = "it stands still"},
    {"motion", RICO_WANT_MAPPING, .sub = &MOTION_SCHEMA, .help = "it moves as formulas of t say"},
    {"position", RICO_WANT_REALS, .least = 2, .most = 3, .unit = "m", .help = "of its own axes at the start"},
    {"rotation", RICO_WANT_MAPPING, .sub = &rico_scene_rotation_schema,
     .help = "of its own axes at the start"},
    {"velocity", RICO_WANT_REALS, .least = 2, .most = 3, .unit = "m/s",
     .help = "of its center of mass at the start"},
    {"spin", RICO_WANT_ANY, .unit = "rad/s",
     .help = "angular velocity at the start, in the axes of the world: three numbers; in the plane one"},
    {"density", RICO_WANT_REAL, .flags = RICO_KEY_ABOVE, .high = INFINITY, .unit = "kg/m^3",
     .help = "mass per volume of its shape; in the plane, per area"},
    {"mass", RICO_WANT_REAL, .flags = RICO_KEY_ABOVE, .high = INFINITY, .unit = "kg",
     .help = "instead of a density: inertia as of the shape, unless it is given"},
    {"center", RICO_WANT_REALS, .least = 2, .most = 3, .unit = "m",
     .help = "of mass, in its own axes; with `mass` and `inertia`"},
    {"inertia", RICO_WANT_ANY, .unit = "kg m^2",
     .help =
         "about the center, in its own axes: three numbers or three rows of three; in the plane a number"},
    {"force", RICO_WANT_FORMULAS, .least = 2, .most = 3, .unit = "N",
     .help = "at its center, in the axes of the world; of t, x, y, z, v_x, v_y, v_z, w_x, w_y, w_z"},
    {"torque", RICO_WANT_ANY, .unit = "N m",
     .help =
         "about its center, of the same: three formulas; in the plane one, of t, x, y, angle, v_x, v_y, w"},
    {"group", RICO_WANT_TEXT, .help = "a name for the bodies that filters speak of"},
    {"meets", RICO_WANT_TEXTS, .help = "the groups that it may touch, if they may touch it; all without it"},
    {"sensor", RICO_WANT_FLAG, .standard = "false", .help = "what it touches is reported, and nothing more"},
    {NULL},
};

const rico_schema rico_scene_body_schema = {.title = "body", .help = "A rigid body.", .keys = BODY};
