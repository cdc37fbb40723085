// The tables of block structures: arches, flat arches, walls in bond, buttresses, vaults and domes.

#include "scene/scene_bodies.h"

#include <math.h>

#define POSITIVE .flags = RICO_KEY_REQUIRED | RICO_KEY_ABOVE, .high = INFINITY
#define COUNT_TO(least, most) .flags = RICO_KEY_REQUIRED, .low = least, .high = most
#define RADIUS                                                                                               \
    {                                                                                                        \
        "radius", RICO_WANT_REAL, POSITIVE, .unit = "m",                                                     \
                                            .help = "from the middle to halfway through the ring"            \
    }
#define THICKNESS                                                                                            \
    {                                                                                                        \
        "thickness", RICO_WANT_REAL, POSITIVE, .unit = "m", .help = "of the ring"                            \
    }
#define DEPTH                                                                                                \
    {                                                                                                        \
        "depth", RICO_WANT_REAL, .standard = "1", .flags = RICO_KEY_ABOVE, .high = INFINITY, .unit = "m",    \
                                 .help = "along y, in space"                                                 \
    }
#define ABUTMENTS(how)                                                                                       \
    {                                                                                                        \
        "abutments", RICO_WANT_FLAG, .standard = "false", .help = how                                        \
    }
#define WEIGHTS                                                                                              \
    {                                                                                                        \
        "weights", RICO_WANT_CHOICE, .standard = "block", .choice = weights,                                 \
                                     .help = "what a voussoir weighs: the straight-sided block that it is, " \
                                             "or the sector of the ring"                                     \
    }
#define STRUCTURE(name, head, table, how) const rico_schema name = {.title = head, .help = how, .keys = table}


static const char *weights(int index)
{
    static const char *const NAMES[] = {"block", "sector", NULL};
    return NAMES[index];
}


static const char *bonds(int index)
{
    static const char *const NAMES[] = {"running", "stack", NULL};
    return NAMES[index];
}


static const rico_schema_key ARCH[] = {
    RADIUS,
    THICKNESS,
    DEPTH,
    {"count", RICO_WANT_INTEGER, COUNT_TO(1, 1e5), .help = "voussoirs"},
    {"angle", RICO_WANT_REAL, .standard = "180", .flags = RICO_KEY_ABOVE, .high = 360, .unit = "degrees",
     .help = "that the arch spans, half of it on either side of the top"},
    {"offset", RICO_WANT_REAL, .standard = "0", .low = 0, .high = INFINITY, .unit = "m",
     .help = "of the centers of a pointed arch from its middle: that of the right half to the left, and the "
             "reverse; 0: a round one"},
    WEIGHTS,
    ABUTMENTS("fixed blocks NAME-left and NAME-right behind its springings"),
    {"piers", RICO_WANT_REALS, .flags = RICO_KEY_ABOVE, .high = INFINITY, .least = 2, .most = 2, .unit = "m",
     .help = "width and height of blocks NAME-pier-left and NAME-pier-right that it stands on, their inner "
             "faces below the intrados"},
    {NULL},
};
STRUCTURE(rico_scene_arch_schema, "arch", ARCH,
          "An arch in the plane of x and the way up, its middle at the position of the body, its voussoirs "
          "counted from the left; round, of a segment, or pointed.");

static const rico_schema_key FLAT_ARCH[] = {
    {"span", RICO_WANT_REAL, POSITIVE, .unit = "m", .help = "from one abutment to the other, below"},
    {"height", RICO_WANT_REAL, POSITIVE, .unit = "m", .help = "of the voussoirs"},
    DEPTH,
    {"count", RICO_WANT_INTEGER, COUNT_TO(1, 1e5), .help = "voussoirs, equally wide below"},
    {"center", RICO_WANT_REAL, POSITIVE, .unit = "m", .help = "how far below the arch its joints would meet"},
    ABUTMENTS("fixed blocks NAME-left and NAME-right beside it"),
    {NULL},
};
STRUCTURE(rico_scene_flat_arch_schema, "flat-arch", FLAT_ARCH,
          "A flat arch, the middle of its lower side at the position of the body.");

static const rico_schema_key BOND[] = {
    {"length", RICO_WANT_INTEGER, COUNT_TO(1, 1e6), .help = "whole bricks of the lowest course"},
    {"courses", RICO_WANT_INTEGER, COUNT_TO(1, 1e6),
     .help = "every other one begins and ends with half a brick"},
    {"brick", RICO_WANT_REALS, POSITIVE, .least = 2, .most = 2, .unit = "m",
     .help = "its length and its height"},
    DEPTH,
    {NULL},
};
STRUCTURE(rico_scene_bond_schema, "bond", BOND,
          "A wall along x in running bond, the middle of its foot at the position of the body, its bricks "
          "counted from the left and course by course.");

static const rico_schema_key BUTTRESS[] = {
    {"courses", RICO_WANT_INTEGER, COUNT_TO(1, 1e6), .help = "one block each, equally high"},
    {"height", RICO_WANT_REAL, POSITIVE, .unit = "m", .help = "of them all"},
    {"base", RICO_WANT_REAL, POSITIVE, .unit = "m", .help = "width of its foot, along x"},
    {"top", RICO_WANT_REAL, POSITIVE, .unit = "m", .help = "width of its top"},
    DEPTH,
    {"upright", RICO_WANT_FLAG, .standard = "false",
     .help = "its left side is upright; else both sides lean alike"},
    {NULL},
};
STRUCTURE(rico_scene_buttress_schema, "buttress", BUTTRESS,
          "A pier of blocks whose width changes from course to course, the middle of its foot at the "
          "position of the body; its blocks counted from below.");

static const rico_schema_key VAULT[] = {
    RADIUS,
    THICKNESS,
    {"count", RICO_WANT_INTEGER, COUNT_TO(1, 1e4), .help = "courses from one springing to the other"},
    {"angle", RICO_WANT_REAL, .standard = "180", .flags = RICO_KEY_ABOVE, .high = 300, .unit = "degrees",
     .help = "that it spans, half of it on either side of the top"},
    {"length", RICO_WANT_REAL, POSITIVE, .unit = "m", .help = "along y"},
    {"rows", RICO_WANT_INTEGER, COUNT_TO(1, 1e4), .help = "blocks of a course"},
    {"bond", RICO_WANT_CHOICE, .standard = "running", .choice = bonds,
     .help = "every other course begins and ends with half a block, or none does"},
    WEIGHTS,
    ABUTMENTS("fixed blocks NAME-left and NAME-right along its springings"),
    {NULL},
};
STRUCTURE(rico_scene_vault_schema, "vault", VAULT,
          "A barrel vault along y, the middle of its plan at the position of the body; its blocks counted "
          "course by course from the left, each from the front.");

static const rico_schema_key CROSS_VAULT[] = {
    RADIUS,
    THICKNESS,
    {"side", RICO_WANT_REAL, POSITIVE, .unit = "m",
     .help = "of its square plan, longer than twice the outer radius"},
    {"count", RICO_WANT_INTEGER, COUNT_TO(2, 2e3), .help = "courses from a springing to the ridge"},
    {"rows", RICO_WANT_INTEGER, COUNT_TO(1, 2e3), .help = "blocks of a course from the groin to the edge"},
    ABUTMENTS("a fixed block NAME-ground below its springings"),
    {NULL},
};
STRUCTURE(rico_scene_cross_vault_schema, "cross-vault", CROSS_VAULT,
          "Two round barrel vaults that cross at right angles, cut along the groins, the middle of their "
          "plan at the position of the body; eight half webs, one after the other.");

static const rico_schema_key DOME[] = {
    RADIUS,
    THICKNESS,
    {"courses", RICO_WANT_INTEGER, COUNT_TO(1, 1e4), .help = "from the springing to the opening"},
    {"count", RICO_WANT_INTEGER, COUNT_TO(3, 1e4), .help = "blocks of a course"},
    {"angle", RICO_WANT_REAL, .standard = "90", .flags = RICO_KEY_ABOVE, .high = 90, .unit = "degrees",
     .help = "from the top to the springing"},
    {"opening", RICO_WANT_REAL, .flags = RICO_KEY_REQUIRED | RICO_KEY_ABOVE, .high = 89, .unit = "degrees",
     .help = "from the top to the edge of the opening in it"},
    {"keystone", RICO_WANT_FLAG, .standard = "false", .help = "a block NAME-keystone fills the opening"},
    ABUTMENTS("fixed blocks NAME-base-1, ... below the lowest course"),
    {NULL},
};
STRUCTURE(rico_scene_dome_schema, "dome", DOME,
          "A dome of blocks between two spheres, the middle of these at the position of the body; its "
          "blocks counted course by course from below.");
