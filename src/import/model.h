// A model between its file and a scene: bodies in a tree, joints, shapes, each with the element that it came from.

#ifndef RICO_IMPORT_MODEL_H
#define RICO_IMPORT_MODEL_H

#include "import/tree.h"
#include "ricochet/import.h"
#include "ricochet/shape.h"

// Where one frame stands in another: x = p + R(q) x_own.
typedef struct rico_frame_in {
    double p[3], q[4];
} rico_frame_in;

typedef enum rico_geom_kind {
    RICO_GEOM_PLANE,
    RICO_GEOM_SPHERE,
    RICO_GEOM_CAPSULE,
    RICO_GEOM_CYLINDER,
    RICO_GEOM_BOX,
    RICO_GEOM_ELLIPSOID,
    RICO_GEOM_MESH
} rico_geom_kind;

// How surfaces meet. Rules differ by format: MuJoCo takes the larger of each number, Bullet the product.
typedef struct rico_surface {
    double friction[3]; // sliding, spinning, rolling
    double restitution;
    int64_t condim, priority, contype, conaffinity;
    int64_t alone; // > 0: like no other, because a pair names it
} rico_surface;

typedef struct rico_import_geom {
    const rico_element *from;
    const char *name;
    int64_t body;
    rico_geom_kind kind;
    double size[3]; // as scenes have them: full lengths, radii, semi-axes
    const char *path;
    double scale[3];
    const double *point; // of a mesh without a file, three numbers each
    int64_t points;
    rico_frame_in at; // in its body
    double mass;      // NaN: by the density
    double density;
    rico_surface surface;
    bool touches; // something may meet it
} rico_import_geom;

typedef enum rico_import_kind {
    RICO_DOF_HINGE,
    RICO_DOF_SLIDE,
    RICO_DOF_BALL,
    RICO_DOF_FREE
} rico_import_kind;

typedef struct rico_import_joint {
    const rico_element *from;
    const char *name;
    int64_t body;
    rico_import_kind kind;
    double pos[3], axis[3]; // in its body
    bool limited, locked;
    double range[2], damping, stiffness, springref, ref, loss;
    double q[7], v[6]; // at the start
    char *drive;       // of actuators: a formula of u and w, or NULL
    // at the start, in the world
    double anchor[3], direction[3];
    rico_frame_in frame; // of the body once this joint has acted
    double speed[3], spin[3];
} rico_import_joint;

typedef struct rico_import_body {
    const rico_element *from;
    const char *name;
    int64_t parent;
    rico_frame_in at; // in its parent, before joints act
    int64_t joint, joints;
    bool mocap, given, still; // still: it does not move
    bool carrier;             // has a mass from what it holds
    const rico_element *inertial;
    double mass, center[3], inertia[9]; // in its own axes, about its center
    int64_t host;                       // what it is welded to: itself, or an ancestor
    rico_frame_in in_host;
    rico_frame_in zero, world; // in the world: as the file has it, and at the start
    double speed[3], spin[3];  // of its origin
    int64_t parts;             // bodies of the scene that it becomes, for its surfaces
    // of hosts: with all that is welded to them
    double all_mass, all_center[3], all_inertia[9];
} rico_import_body;

typedef struct rico_import_site {
    const char *name;
    int64_t body;
    double pos[3];
} rico_import_site;

typedef enum rico_tie_kind {
    RICO_TIE_POINT,
    RICO_TIE_WELD,
    RICO_TIE_COUPLER,
    RICO_TIE_ROPE,
    RICO_TIE_SPRING
} rico_tie_kind;

// What holds beside the tree: equalities, tendons, mimics.
typedef struct rico_tie {
    const rico_element *from;
    const char *name;
    rico_tie_kind kind;
    int64_t of[2];    // bodies, or joints
    double at[2][3];  // in their axes
    double factor[2]; // of a coupler
    double length, stiffness, damping;
} rico_tie;

typedef struct rico_body_pair {
    int64_t a, b;
} rico_body_pair;

// Two geoms that meet in a way of their own.
typedef struct rico_geom_pair {
    int64_t a, b;
    rico_surface surface;
} rico_geom_pair;

typedef struct rico_control {
    const char *name;
    double value;
} rico_control;

typedef struct rico_warning {
    const rico_element *from;
    const char *text;
    int64_t count;
    struct rico_warning *next;
} rico_warning;

// What stands between two joints of one body, against that body: small, and no smaller than contact problems bear.
#define RICO_CARRIER_SHARE 1e-3

typedef struct rico_import {
    rico_context *ctx;
    const rico_import_options *options;
    rico_arena arena;
    const char *path, *title, *format;
    const rico_element *root;
    int64_t elements, looks;
    rico_warning *first_warning, *last_warning;
    double gravity[3], step;
    bool product; // surfaces meet by products
    bool single;  // what stands still is one body, and a joint to it keeps contacts away
    int64_t body_count, joint_count, geom_count, site_count, tie_count, apart_count, pair_count,
        control_count;
    rico_import_body *body;
    rico_import_joint *joint;
    rico_import_geom *geom;
    rico_import_site *site;
    rico_tie *tie;
    rico_body_pair *apart;
    rico_geom_pair *pair;
    rico_control *control;
    double least_mass, least_inertia, total_mass; // of MuJoCo's compiler; total_mass < 0: as it is
    bool balance;
    bool carriers;     // bodies without a mass of their own stand between joints
    bool loss, repair; // joints rub; a start is off its stops
} rico_import;

// One more, zeroed, at the end of an array; NULL: no memory. What pointed into the array points nowhere then.
void *rico_import_push(rico_import *import, void *array, int64_t *count, size_t size);

// One line for the log and the head of the scene; the same words again are counted. Never fails but for memory.
rico_status rico_import_warn(rico_import *import, const rico_element *from, const char *format, ...)
    RICO_PRINTF(3, 4);

// Numbers of an attribute's text, blanks between them: at least and at most so many.
rico_status rico_import_reals(rico_import *import, const rico_element *from, const char *name,
                              const char *text, int least, int most, double *out, int *count);
rico_status rico_import_flag(rico_import *import, const rico_element *from, const char *name,
                             const char *text, bool *out);

// Names as scenes have them: letters, digits, _ and -.
const char *rico_import_plain(rico_import *import, const char *name, const char *instead);

static const rico_frame_in RICO_FRAME_SAME = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
bool rico_frame_is_same(const rico_frame_in *frame); // neither shifted nor turned
void rico_frame_chain(const rico_frame_in *outer, const rico_frame_in *inner, rico_frame_in *out);
void rico_frame_point(const rico_frame_in *frame, const double own[3], double out[3]);
bool rico_turn_to(const double axis[3],
                  double q[4]); // the least turn of z to the axis; false: it has no length
void rico_turn_about(const double axis[3], double angle, double q[4]);

// Masses of geoms into bodies, of bodies into hosts.
rico_status rico_import_masses(rico_import *import);
rico_status rico_import_check_inertia(rico_import *import, const rico_element *from, double mass,
                                      const double inertia[9]);
rico_status rico_geom_shape(rico_import *import, const rico_import_geom *geom, rico_shape **out);

// Hosts, and where everything stands: as in the file, and at the start with its velocities.
rico_status rico_import_place(rico_import *import);

// Reading, and writing.
rico_status rico_import_mjcf(rico_import *import, rico_element *root);
rico_status rico_import_urdf(rico_import *import, rico_element *root);
rico_status rico_import_write(rico_import *import, char **out);

#endif
