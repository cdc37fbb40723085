// MJCF: what is taken of it, left out, refused.

#include "import/words.h"

#include <string.h>

#define TURN " quat axisangle xyaxes zaxis euler"
#define SOFT "contacts, stops and joints are rigid here, and have no softness to set"
#define SOLVER "solvers and integrators are those of the scene"

static const rico_word ROWS[] = {
    {"", "mujoco", RICO_WORD_TAKEN, "model"},
    {"mujoco", "compiler", RICO_WORD_TAKEN,
     "angle eulerseq autolimits meshdir assetdir inertiafromgeom boundmass boundinertia settotalmass "
     "balanceinertia strippath",
     "texturedir usethread discardvisual saveinertial",
     "fusestatic alignfree inertiagrouprange exactmeshinertia", "coordinate",
     "welded bodies are always made one", "coordinates are local"},
    {"compiler", "lengthrange", RICO_WORD_LOOKS},
    {"mujoco", "option", RICO_WORD_TAKEN, "timestep gravity", NULL,
     "apirate impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance mpr_tolerance sleep_tolerance "
     "o_margin o_solref o_solimp o_friction integrator cone jacobian solver iterations ls_iterations "
     "noslip_iterations ccd_iterations mpr_iterations sdf_iterations sdf_initpoints actuatorgroupdisable "
     "magnetic collision",
     "density viscosity wind", SOLVER, "there is no medium"},
    {"option", "flag", RICO_WORD_TAKEN, "gravity", "energy sensor fwdinv",
     "warmstart refsafe midphase eulerdamp autoreset nativeccd override invdiscrete multiccd island sleep",
     "constraint equality frictionloss limit contact passive spring damper clampctrl actuation filterparent",
     SOLVER, "what it switches off stays on here"},
    {"mujoco", "size", RICO_WORD_LOOKS},
    {"mujoco", "visual", RICO_WORD_LOOKS},
    {"mujoco", "statistic", RICO_WORD_LOOKS},
    {"mujoco", "sensor", RICO_WORD_LOOKS},
    {"mujoco", "custom", RICO_WORD_LOOKS},
    {"mujoco", "extension", RICO_WORD_REFUSED, .why = "plugins are programs, which are not here"},
    {"mujoco", "deformable", RICO_WORD_REFUSED, .why = "elastic bodies are 'elastic' parts of scenes"},
    {"*", "include", RICO_WORD_TAKEN, "file"},
    {"mujoco", "default", RICO_WORD_TAKEN, "class"},
    {"default", "default", RICO_WORD_TAKEN, "class"},
    {"default", "mesh", RICO_WORD_TAKEN, "scale", NULL, "maxhullvert inertia", NULL, NULL},
    {"default", "material", RICO_WORD_LOOKS},
    {"default", "camera", RICO_WORD_LOOKS},
    {"default", "light", RICO_WORD_LOOKS},
    {"default", "equality", RICO_WORD_TAKEN, "active", NULL, "solref solimp", NULL, SOFT},
    {"default", "tendon", RICO_WORD_TAKEN,
     "limited range stiffness damping springlength frictionloss armature", "group rgba width material user",
     "solreflimit solimplimit solreffriction solimpfriction margin", NULL, SOFT},
    {"mujoco", "asset", RICO_WORD_TAKEN},
    {"asset", "texture", RICO_WORD_LOOKS},
    {"asset", "material", RICO_WORD_LOOKS},
    {"asset", "skin", RICO_WORD_LOOKS},
    {"asset", "mesh", RICO_WORD_TAKEN, "name class file scale vertex",
     "texcoord normal smoothnormal content_type material", "maxhullvert inertia face",
     "refpos refquat builtin", "meshes are STL or OBJ files, and act as their convex hulls"},
    {"asset", "hfield", RICO_WORD_REFUSED, .why = "write a 'height-field' into the scene instead"},
    {"asset", "model", RICO_WORD_TAKEN, "name file content_type"},
    {"mujoco", "worldbody", RICO_WORD_TAKEN, "name"},
    {"body", "body", RICO_WORD_TAKEN, "name childclass pos mocap" TURN, "user", "sleep", "gravcomp",
     "gravity acts on every body"},
    {"body", "frame", RICO_WORD_TAKEN, "name childclass pos" TURN},
    {"body", "replicate", RICO_WORD_TAKEN, "count sep offset childclass" TURN},
    {"body", "attach", RICO_WORD_TAKEN, "model body prefix"},
    {"body", "inertial", RICO_WORD_TAKEN, "pos mass diaginertia fullinertia" TURN},
    {"body", "joint", RICO_WORD_TAKEN,
     "name class type pos axis range limited damping stiffness springref ref frictionloss", "group user",
     "armature solreflimit solimplimit solreffriction solimpfriction margin actuatorfrcrange "
     "actuatorfrclimited actuatorgravcomp",
     "springdamper", SOFT ", nor inertias of their own", "give stiffness and damping themselves"},
    {"body", "freejoint", RICO_WORD_TAKEN, "name", "group", "align", NULL, "axes stay those of the body"},
    {"body", "geom", RICO_WORD_TAKEN,
     "name class type size fromto pos contype conaffinity condim friction mass density mesh priority" TURN,
     "rgba material group user", "solref solimp solmix margin gap fitscale fluidcoef",
     "shellinertia adhesion surfacevel fluidshape hfield", SOFT,
     "there is no medium, and no magnets, belts, shells or height fields of files"},
    {"body", "site", RICO_WORD_TAKEN, "name class type size fromto pos" TURN, "rgba material group user"},
    {"body", "camera", RICO_WORD_LOOKS},
    {"body", "light", RICO_WORD_LOOKS},
    {"body", "composite", RICO_WORD_REFUSED, .why = "write its bodies out, or 'elastic' parts and beams"},
    {"body", "flexcomp", RICO_WORD_REFUSED, .why = "elastic bodies are 'elastic' parts of scenes"},
    {"body", "plugin", RICO_WORD_REFUSED, .why = "plugins are programs, which are not here"},
    {"geom", "plugin", RICO_WORD_REFUSED, .why = "plugins are programs, which are not here"},
    {"mujoco", "contact", RICO_WORD_TAKEN},
    {"contact", "pair", RICO_WORD_TAKEN, "name class geom1 geom2 condim friction", NULL,
     "solref solimp solreffriction margin gap", NULL, SOFT},
    {"contact", "exclude", RICO_WORD_TAKEN, "name body1 body2"},
    {"mujoco", "equality", RICO_WORD_TAKEN},
    {"equality", "connect", RICO_WORD_TAKEN, "name class active body1 body2 anchor site1 site2", NULL,
     "solref solimp", NULL, SOFT},
    {"equality", "weld", RICO_WORD_TAKEN, "name class active body1 body2 anchor", NULL,
     "solref solimp torquescale", "relpose site1 site2", SOFT, "a weld holds bodies as they stand"},
    {"equality", "joint", RICO_WORD_TAKEN, "name class active joint1 joint2 polycoef", NULL, "solref solimp",
     NULL, SOFT},
    {"equality", "tendon", RICO_WORD_REFUSED},
    {"equality", "flex", RICO_WORD_REFUSED},
    {"equality", "flexvert", RICO_WORD_REFUSED},
    {"equality", "flexstrain", RICO_WORD_REFUSED},
    {"equality", "distance", RICO_WORD_REFUSED, .why = "MuJoCo has given it up too"},
    {"mujoco", "tendon", RICO_WORD_TAKEN},
    {"tendon", "spatial", RICO_WORD_TAKEN, "name class limited range stiffness damping springlength",
     "group rgba width material user",
     "solreflimit solimplimit solreffriction solimpfriction margin actuatorfrcrange actuatorfrclimited",
     "frictionloss armature", SOFT, "a tendon is a rope or a spring between two sites"},
    {"spatial", "site", RICO_WORD_TAKEN, "site"},
    {"spatial", "geom", RICO_WORD_TAKEN, "geom sidesite"},
    {"spatial", "pulley", RICO_WORD_TAKEN, "divisor"},
    {"tendon", "fixed", RICO_WORD_TAKEN, "name class limited range stiffness damping springlength",
     "group rgba width material user",
     "solreflimit solimplimit solreffriction solimpfriction margin actuatorfrcrange actuatorfrclimited",
     "frictionloss armature", SOFT},
    {"fixed", "joint", RICO_WORD_TAKEN, "joint coef"},
    {"mujoco", "actuator", RICO_WORD_TAKEN},
#define DRIVE "name class joint jointinparent gear ctrllimited ctrlrange forcelimited forcerange"
#define NOT_DRIVE                                                                                            \
    "tendon site refsite body cranksite slidersite cranklength actdim actlimited actrange lengthrange"
#define DRIVE_LOOKS "group user actearly delay nsample interp"
#define JOINTS_ONLY "actuators act on joints alone, and keep no state"
    {"actuator", "motor", RICO_WORD_TAKEN, DRIVE, DRIVE_LOOKS, NULL, NOT_DRIVE, JOINTS_ONLY},
    {"actuator", "position", RICO_WORD_TAKEN, DRIVE " kp kv", DRIVE_LOOKS " inheritrange", NULL,
     NOT_DRIVE " timeconst dampratio", JOINTS_ONLY},
    {"actuator", "velocity", RICO_WORD_TAKEN, DRIVE " kv", DRIVE_LOOKS, NULL, NOT_DRIVE, JOINTS_ONLY},
    {"actuator", "damper", RICO_WORD_TAKEN, DRIVE " kv", DRIVE_LOOKS, NULL, NOT_DRIVE, JOINTS_ONLY},
    {"actuator", "general", RICO_WORD_TAKEN, DRIVE " gaintype gainprm biastype biasprm", DRIVE_LOOKS, NULL,
     NOT_DRIVE " dyntype dynprm", JOINTS_ONLY},
    {"actuator", "muscle", RICO_WORD_REFUSED, .why = "muscles act along tendons and have a state"},
    {"actuator", "cylinder", RICO_WORD_REFUSED, .why = JOINTS_ONLY},
    {"actuator", "intvelocity", RICO_WORD_REFUSED, .why = JOINTS_ONLY},
    {"actuator", "adhesion", RICO_WORD_REFUSED, .why = "see 'cohesion' of materials"},
    {"actuator", "dcmotor", RICO_WORD_REFUSED, .why = JOINTS_ONLY},
    {"actuator", "plugin", RICO_WORD_REFUSED, .why = "plugins are programs, which are not here"},
    {"mujoco", "keyframe", RICO_WORD_TAKEN},
    {"keyframe", "key", RICO_WORD_TAKEN, "name qpos qvel ctrl time", NULL, "mpos mquat", "act",
     "bodies of motion capture stand still", "actuators keep no state"},
};


static bool one_of(const char *name, const char *const *list, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(name, list[i]) == 0) return true;
    return false;
}


static const char *place(const rico_element *parent)
{
    static const char *const BODIES[] = {"worldbody", "body", "frame", "replicate"};
    return one_of(parent->name, BODIES, 4) ? "body" : parent->name;
}


const rico_words rico_mjcf_words = {"MJCF", true, sizeof ROWS / sizeof *ROWS, ROWS, place};
