// URDF, with what Bullet adds to it: what is taken, left out, refused.

#include "import/words.h"

#define BULLET "a word of Bullet's that means penalties there"

static const rico_word ROWS[] = {
    {"", "robot", RICO_WORD_TAKEN, "name", "version"},
    {"robot", "material", RICO_WORD_LOOKS},
    {"robot", "link", RICO_WORD_TAKEN, "name", "type"},
    {"link", "inertial", RICO_WORD_TAKEN},
    {"inertial", "origin", RICO_WORD_TAKEN, "xyz rpy"},
    {"inertial", "mass", RICO_WORD_TAKEN, "value"},
    {"inertial", "inertia", RICO_WORD_TAKEN, "ixx ixy ixz iyy iyz izz"},
    {"link", "visual", RICO_WORD_LOOKS},
    {"link", "collision", RICO_WORD_TAKEN, "name", "group concave"},
    {"collision", "origin", RICO_WORD_TAKEN, "xyz rpy"},
    {"collision", "geometry", RICO_WORD_TAKEN},
    {"collision", "verbose", RICO_WORD_LOOKS},
    {"collision", "material", RICO_WORD_LOOKS},
    {"geometry", "box", RICO_WORD_TAKEN, "size"},
    {"geometry", "sphere", RICO_WORD_TAKEN, "radius"},
    {"geometry", "cylinder", RICO_WORD_TAKEN, "radius length"},
    {"geometry", "capsule", RICO_WORD_TAKEN, "radius length"},
    {"geometry", "mesh", RICO_WORD_TAKEN, "filename scale"},
    {"geometry", "plane", RICO_WORD_TAKEN, "normal"},
    {"link", "contact", RICO_WORD_TAKEN},
    {"contact", "lateral_friction", RICO_WORD_TAKEN, "value"},
    {"contact", "rolling_friction", RICO_WORD_TAKEN, "value"},
    {"contact", "spinning_friction", RICO_WORD_TAKEN, "value"},
    {"contact", "restitution", RICO_WORD_TAKEN, "value"},
    {"contact", "friction_anchor", RICO_WORD_IGNORED, .why = "friction holds here without one"},
    {"contact", "stiffness", RICO_WORD_IGNORED, .why = BULLET},
    {"contact", "damping", RICO_WORD_IGNORED, .why = BULLET},
    {"contact", "contact_cfm", RICO_WORD_IGNORED, .why = BULLET},
    {"contact", "contact_erp", RICO_WORD_IGNORED, .why = BULLET},
    {"contact", "inertia_scaling", RICO_WORD_IGNORED, .why = "inertias are those of the file"},
    {"robot", "joint", RICO_WORD_TAKEN, "name type"},
    {"joint", "origin", RICO_WORD_TAKEN, "xyz rpy"},
    {"joint", "parent", RICO_WORD_TAKEN, "link"},
    {"joint", "child", RICO_WORD_TAKEN, "link"},
    {"joint", "axis", RICO_WORD_TAKEN, "xyz"},
    {"joint", "limit", RICO_WORD_TAKEN, "lower upper", NULL, "effort velocity acceleration jerk", NULL,
     "limits of motors, and a file has none"},
    {"joint", "dynamics", RICO_WORD_TAKEN, "damping friction", NULL, NULL,
     "spring_stiffness spring_reference"},
    {"joint", "mimic", RICO_WORD_TAKEN, "joint multiplier offset"},
    {"joint", "safety_controller", RICO_WORD_IGNORED, .why = "of a controller, and a file has none"},
    {"joint", "calibration", RICO_WORD_IGNORED, .why = "of a controller, and a file has none"},
    {"joint", "joint_properties", RICO_WORD_IGNORED, .why = "'dynamics' is URDF's word for it"},
    {"robot", "transmission", RICO_WORD_IGNORED, .why = "of a controller, and a file has none"},
    {"robot", "gazebo", RICO_WORD_IGNORED, .why = "it speaks to another program"},
    {"robot", "sensor", RICO_WORD_LOOKS},
    {"robot", "loop_joint", RICO_WORD_REFUSED, .why = "loops are not URDF's; write the joint into the scene"},
};


static const char *place(const rico_element *parent)
{
    return parent->name;
}


const rico_words rico_urdf_words = {"URDF", false, sizeof ROWS / sizeof *ROWS, ROWS, place};
