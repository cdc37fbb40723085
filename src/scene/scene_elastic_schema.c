// The tables of elastic parts in a scene: parts, materials, loads, what their contacts are with, probes.

#include "scene/scene_elastic.h"

#include <math.h>

#define POSITIVE .flags = RICO_KEY_ABOVE, .high = INFINITY
#define AT_LEAST_0 .low = 0.0, .high = INFINITY
#define REQUIRED_POSITIVE .flags = RICO_KEY_REQUIRED | RICO_KEY_ABOVE, .high = INFINITY

// --- choices -----------------------------------------------------------------------------------------------------

static const char *model_name(int index)
{
    return index < RICO_HYPOTHESES ? rico_hypothesis_name((rico_hypothesis)index) : NULL;
}


static const char *mass_name(int index)
{
    static const char *const NAMES[] = {"consistent", "lumped", NULL};
    return NAMES[index];
}


static const char *remedy_name(int index)
{
    static const char *const NAMES[] = {"none", "bar", "modes", NULL};
    return NAMES[index];
}


static const char *rotations_name(int index)
{
    static const char *const NAMES[] = {"small", "large", NULL};
    return NAMES[index];
}


// --- materials ---------------------------------------------------------------------------------------------------

static const rico_schema_key RAYLEIGH[] = {
    {"alpha", RICO_WANT_REAL, .standard = "0", AT_LEAST_0, .unit = "1/s", .help = "times the mass"},
    {"beta", RICO_WANT_REAL, .standard = "0", AT_LEAST_0, .unit = "s", .help = "times the stiffness"},
    {NULL},
};
static const rico_schema RAYLEIGH_SCHEMA = {
    .title = "rayleigh", .help = "Rayleigh's damping, C = alpha M + beta K.", .keys = RAYLEIGH};

static const rico_schema_key ORTHOTROPIC[] = {
    {"young", RICO_WANT_REALS, REQUIRED_POSITIVE, .least = 3, .most = 3, .unit = "Pa",
     .help = "E_1, E_2, E_3"},
    {"poisson", RICO_WANT_REALS, .flags = RICO_KEY_REQUIRED, .least = 3, .most = 3,
     .help = "nu_12, nu_13, nu_23: -strain along the second over that along the first, stressed along the "
             "first"},
    {"shear", RICO_WANT_REALS, REQUIRED_POSITIVE, .least = 3, .most = 3, .unit = "Pa",
     .help = "G_12, G_13, G_23"},
    {"rotation", RICO_WANT_MAPPING, .sub = &rico_scene_rotation_schema,
     .help = "of the axes 1, 2, 3 from those of the mesh"},
    {NULL},
};
static const rico_schema ORTHOTROPIC_SCHEMA = {
    .title = "orthotropic", .help = "A material with three axes, such as wood.", .keys = ORTHOTROPIC};

static const rico_schema_key MATERIAL[] = {
    {"young", RICO_WANT_REAL, .flags = RICO_KEY_REQUIRED | RICO_KEY_ABOVE, .high = INFINITY,
     .group = "elasticity", .unit = "Pa", .help = "Young's modulus"},
    {"orthotropic", RICO_WANT_MAPPING, .flags = RICO_KEY_REQUIRED, .group = "elasticity",
     .sub = &ORTHOTROPIC_SCHEMA, .help = "instead: a material with three axes"},
    {"poisson", RICO_WANT_REAL, .standard = "0.3", .low = -1.0, .high = 0.5,
     .flags = RICO_KEY_ABOVE | RICO_KEY_BELOW, .help = "Poisson's ratio, with `young`"},
    {"density", RICO_WANT_REAL, .flags = RICO_KEY_REQUIRED | RICO_KEY_ABOVE, .high = INFINITY,
     .unit = "kg/m^3", .help = "mass per volume"},
    {"thickness", RICO_WANT_REAL, POSITIVE, .standard = "1", .unit = "m",
     .help = "in plane strain and plane stress; of a rod the area of its section"},
    {"damping", RICO_WANT_MAPPING, .sub = &RAYLEIGH_SCHEMA, .help = "Rayleigh's; without it, none"},
    {NULL},
};
static const rico_schema MATERIAL_SCHEMA = {
    .title = "elastic-material", .help = "What elements are made of.", .keys = MATERIAL};

// --- loads -------------------------------------------------------------------------------------------------------

#define ONE_LOAD .flags = RICO_KEY_REQUIRED, .group = "load"
static const rico_schema_key LOAD[] = {
    {"on", RICO_WANT_TEXT, .help = "a group of the mesh; without it, all elements (of a body force)"},
    {"traction", RICO_WANT_FORMULAS, ONE_LOAD, .least = 1, .most = 3, .unit = "Pa",
     .help = "force per area on faces (in the plane: edges), in the axes of the world; of t, x, y, z"},
    {"pressure", RICO_WANT_FORMULA, ONE_LOAD, .unit = "Pa", .help = "on faces, into the body; of t, x, y, z"},
    {"body", RICO_WANT_FORMULAS, ONE_LOAD, .least = 1, .most = 3, .unit = "N/m^3",
     .help = "force per volume on elements; of t, x, y, z"},
    {"force", RICO_WANT_FORMULAS, ONE_LOAD, .least = 1, .most = 3, .unit = "N",
     .help = "on each node of the group; of t, x, y, z"},
    {"times", RICO_WANT_FORMULA,
     .help = "a factor of t for all of it: space is then integrated once, not in every step"},
    {NULL},
};
static const rico_schema LOAD_SCHEMA = {
    .title = "elastic-load",
    .help =
        "What acts on an elastic part. Places x, y, z are those of the part at rest. What does not depend "
        "on t, or on t alone, is "
        "integrated over space once.",
    .keys = LOAD};

// --- reduction ---------------------------------------------------------------------------------------------------

static const rico_schema_key REDUCTION[] = {
    {"modes", RICO_WANT_INTEGER, .flags = RICO_KEY_REQUIRED, .group = "modes", .low = 0, .high = 1e9,
     .help = "how many modes of the part, its kept nodes held"},
    {"below", RICO_WANT_REAL, .flags = RICO_KEY_REQUIRED | RICO_KEY_ABOVE, .group = "modes", .high = INFINITY,
     .unit = "Hz", .help = "instead: all modes below this frequency"},
    {"keep", RICO_WANT_TEXTS,
     .help = "groups of the mesh whose nodes stay unknowns, beside those that contacts and `moved` name"},
    {NULL},
};
static const rico_schema REDUCTION_SCHEMA = {
    .title = "elastic-reduction",
    .help = "Craig and Bampton's reduction: nodes that something takes hold of, with their exact static "
            "compliance, and the lowest modes of the rest.",
    .keys = REDUCTION};

// --- parts -------------------------------------------------------------------------------------------------------

static const rico_schema_key ELASTIC[] = {
    {"mesh", RICO_WANT_ANY, .flags = RICO_KEY_REQUIRED, .check = rico_scene_check_mesh,
     .help = "a file of Gmsh or VTK, or {GENERATOR: {option: value, ...}}: bar, rectangle, box, disc, "
             "cylinder, sphere, with the "
             "options of [meshes](meshes.md#generators); `size`, `cells`, `origin`, `grading` and `toward` "
             "take "
             "a list, one for each axis"},
    {"model", RICO_WANT_CHOICE, .choice = model_name,
     .help = "what the mesh stands for; of a mesh of lines `rod`, in space `solid` unless given"},
    {"material", RICO_WANT_MAPPING, .flags = RICO_KEY_REQUIRED, .group = "material", .sub = &MATERIAL_SCHEMA,
     .help = "of all elements"},
    {"materials", RICO_WANT_NAMED, .flags = RICO_KEY_REQUIRED, .group = "material", .sub = &MATERIAL_SCHEMA,
     .help = "instead: of groups of elements, by their names"},
    {"mass", RICO_WANT_CHOICE, .standard = "consistent", .choice = mass_name,
     .help = "of elements: with their shape functions, or on the diagonal"},
    {"massless", RICO_WANT_ANY,
     .help = "a group, or a list of them, whose nodes carry no mass: those that may touch something. Their "
             "neighbours "
             "take it; total mass, centre and inertia stay"},
    {"remedy", RICO_WANT_CHOICE, .standard = "none", .choice = remedy_name,
     .help = "against locking of Q4 and H8: B-bar, or incompatible modes"},
    {"rotations", RICO_WANT_CHOICE, .standard = "small", .choice = rotations_name,
     .help = "large: the whole part may turn as far as it likes, with small strains"},
    {"strain-limit", RICO_WANT_REAL, POSITIVE, .standard = "0.05",
     .help = "largest principal strain that the end of a run says nothing about; linear elasticity holds for "
             "small ones"},
    {"position", RICO_WANT_REALS, .least = 2, .most = 3, .unit = "m", .help = "of the axes of the mesh"},
    {"rotation", RICO_WANT_MAPPING, .sub = &rico_scene_rotation_schema, .help = "of the axes of the mesh"},
    {"velocity", RICO_WANT_REALS, .least = 1, .most = 3, .unit = "m/s", .help = "of all nodes at the start"},
    {"spin", RICO_WANT_ANY, .unit = "rad/s",
     .help = "at the start, about its centre, with large rotations: three numbers; in the plane one"},
    {"points", RICO_WANT_ANY,
     .help =
         "name: [x, y, z], further groups of one node each: the nearest to that place, in the axes of the "
         "mesh"},
    {"fixed", RICO_WANT_ANY,
     .help = "group: directions in which its nodes stay where they are, `[x, y]` or `all`"},
    {"moved", RICO_WANT_ANY,
     .help = "group: {x: ..., y: ..., z: ...}, displacements of its nodes as formulas of t, and x, y, z at "
             "rest"},
    {"loads", RICO_WANT_NAMED, .sub = &LOAD_SCHEMA, .help = "what acts on it, by name; gravity acts too"},
    {"reduce", RICO_WANT_MAPPING, .sub = &REDUCTION_SCHEMA,
     .help = "to the nodes that contacts and motions touch and some modes; without it, all nodes move"},
    {NULL},
};

const rico_schema rico_scene_elastic_schema = {
    .title = "elastic-part",
    .help =
        "An elastic body: finite elements of linear elasticity on a mesh. Groups of the mesh are known by "
        "their names, elsewhere as PART.GROUP.",
    .keys = ELASTIC};

// --- what contacts are with --------------------------------------------------------------------------------------

static const rico_schema_key PLANE[] = {
    {"normal", RICO_WANT_REALS, .least = 2, .most = 3, .flags = RICO_KEY_REQUIRED,
     .help = "out of the obstacle"},
    {"through", RICO_WANT_REALS, .least = 2, .most = 3, .unit = "m",
     .help = "a point of it; without it, the origin"},
    {NULL},
};
static const rico_schema PLANE_SCHEMA = {
    .title = "plane", .help = "A plane that bounds an obstacle, in the plane a line.", .keys = PLANE};

static const rico_schema_key AGAINST[] = {
    {"plane", RICO_WANT_MAPPING, .flags = RICO_KEY_REQUIRED, .group = "obstacle", .sub = &PLANE_SCHEMA,
     .help = "all that is behind it"},
    {"shape", RICO_WANT_MAPPING, .flags = RICO_KEY_REQUIRED, .group = "obstacle",
     .sub = &rico_scene_shape_schema, .help = "a shape that stands still"},
    {"position", RICO_WANT_REALS, .least = 2, .most = 3, .unit = "m", .help = "of the shape"},
    {"rotation", RICO_WANT_MAPPING, .sub = &rico_scene_rotation_schema, .help = "of the shape"},
    {NULL},
};
const rico_schema rico_scene_against_schema = {
    .title = "obstacle", .help = "What stands still in the way of a mesh.", .keys = AGAINST};

// --- probes ------------------------------------------------------------------------------------------------------

static const rico_schema_key PROBE[] = {
    {"part", RICO_WANT_TEXT, .flags = RICO_KEY_REQUIRED, .help = "an elastic part"},
    {"at", RICO_WANT_REALS, .flags = RICO_KEY_REQUIRED, .group = "node", .least = 1, .most = 3, .unit = "m",
     .help = "the node that is nearest to this place at rest"},
    {"node", RICO_WANT_INTEGER, .flags = RICO_KEY_REQUIRED, .group = "node", .low = 0, .high = 1e15,
     .help = "the node of that number, counted from 0"},
    {NULL},
};
const rico_schema rico_scene_probe_schema = {
    .title = "probe",
    .help = "A node that is followed: NAME.x, NAME.y, NAME.z, its displacements NAME.u_x, ... and velocities "
            "NAME.v_x, ...",
    .keys = PROBE};
