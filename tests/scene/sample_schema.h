// A schema with everything that schemas can have, and a scene that fits it; for tests and fuzzing.

#ifndef RICO_TESTS_SCENE_SAMPLE_SCHEMA_H
#define RICO_TESTS_SCENE_SAMPLE_SCHEMA_H

#include "ricochet/solver.h"
#include "scene/schema.h"

#include <math.h>
#include <string.h>

static inline const char *sample_solver(int index)
{
    const rico_solver_info *info = rico_solver_at(index);
    return info ? info->name : NULL;
}


static inline const char *sample_law(int index)
{
    static const char *const names[] = {"newton", "moreau", "poisson"};
    return index >= 0 && index < 3 ? names[index] : NULL;
}


static const rico_schema_key sample_time_keys[] = {
    {"step", RICO_WANT_REAL, RICO_KEY_REQUIRED | RICO_KEY_ABOVE, "length of a time step", .unit = "s",
     .high = INFINITY},
    {"end", RICO_WANT_REAL, RICO_KEY_REQUIRED, "when the run ends", .unit = "s", .group = "end",
     .high = INFINITY},
    {"steps", RICO_WANT_INTEGER, .help = "how many steps to take", .group = "end", .low = 1, .high = 1e9},
    {NULL},
};
static const rico_schema sample_time = {"time", "When and how finely.", sample_time_keys, .shorthand = NULL};

static const rico_schema_key sample_scheme_keys[] = {
    {"name", RICO_WANT_CHOICE, .help = "which scheme", .standard = "moreau-jean"},
    {NULL},
};
static const rico_schema_key sample_moreau_keys[] = {
    {"theta", RICO_WANT_REAL, .help = "of the theta method", .standard = "1/2", .high = 1.0},
    {"project", RICO_WANT_FLAG, .help = "project on the constraints", .standard = "false"},
    {NULL},
};
static const rico_schema_key sample_alpha_keys[] = {
    {"rho", RICO_WANT_REAL, RICO_KEY_BELOW, "spectral radius at infinity", .standard = "0.8", .high = 1.0},
    {NULL},
};
static const rico_schema_variant sample_schemes[] = {
    {"moreau-jean", "implicit, of first order.", sample_moreau_keys},
    {"alpha", "of second order.", sample_alpha_keys},
    {NULL, NULL, NULL},
};
static const rico_schema sample_scheme = {"scheme",           "How time advances.",
                                          sample_scheme_keys, .shorthand = "name",
                                          .selector = "name", .variants = sample_schemes};

static const rico_schema_key sample_solver_keys[] = {
    {"name", RICO_WANT_CHOICE, .help = "which solver", .standard = "auto", .choice = sample_solver},
    {"tol", RICO_WANT_REAL, RICO_KEY_ABOVE, "relative residual", .standard = "1e-8", .high = 1.0},
    {NULL},
};

// An option of the solver itself: any number called 'iterations'.
static inline rico_status sample_solver_option(rico_document *document, rico_node *node)
{
    int64_t value;
    if (strcmp(node->key, "iterations") != 0) return RICO_UNSUPPORTED;
    return rico_document_integer(document, node, &value);
}


static const rico_schema sample_solver_schema = {"solver", NULL, sample_solver_keys, .shorthand = "name",
                                                 .other = sample_solver_option};

static const rico_schema_key sample_contact_keys[] = {
    {"gap", RICO_WANT_FORMULA, RICO_KEY_REQUIRED, .help = "distance, a formula of the coordinates"},
    {"law", RICO_WANT_CHOICE, .help = "impact law", .standard = "newton", .choice = sample_law},
    {"restitution", RICO_WANT_REAL, .help = "of the normal velocity", .standard = "0", .high = 1.0},
    {"friction", RICO_WANT_REAL, .help = "coefficient", .standard = "0", .high = INFINITY},
    {NULL},
};
static const rico_schema sample_contact = {"contact", "Where things touch.", sample_contact_keys,
                                           .shorthand = "gap"};

static const rico_schema_key sample_body_keys[] = {
    {"mass", RICO_WANT_REAL, RICO_KEY_REQUIRED | RICO_KEY_ABOVE, "mass", .unit = "kg", .high = INFINITY},
    {"position", RICO_WANT_REALS, .help = "of its centre", .unit = "m", .standard = "[0, 0, 0]", .least = 3,
     .most = 3},
    {NULL},
};
static const rico_schema sample_body = {"body", NULL, sample_body_keys, .shorthand = NULL};

static const rico_schema_key sample_keys[] = {
    {"title", RICO_WANT_TEXT, .help = "what it shows"},
    {"parameters", RICO_WANT_NAMED, .help = "names for numbers"},
    {"time", RICO_WANT_MAPPING, RICO_KEY_REQUIRED, "when and how finely", .sub = &sample_time},
    {"scheme", RICO_WANT_MAPPING, .help = "how time advances", .standard = "moreau-jean",
     .sub = &sample_scheme},
    {"solver", RICO_WANT_MAPPING, .help = "of each step", .standard = "{}", .sub = &sample_solver_schema},
    {"coordinates", RICO_WANT_TEXTS, .help = "names of the coordinates", .standard = "[x, y]", .least = 1},
    {"mass", RICO_WANT_MATRIX, .help = "mass matrix"},
    {"load", RICO_WANT_VECTOR, .help = "constant load"},
    {"potential", RICO_WANT_FORMULA, .help = "potential energy", .group = "force"},
    {"force", RICO_WANT_FORMULAS, .help = "one formula for each coordinate", .group = "force"},
    {"bodies", RICO_WANT_NAMED, .help = "rigid bodies by name", .sub = &sample_body},
    {"contacts", RICO_WANT_LIST, .help = "where things touch", .sub = &sample_contact, .most = 1000},
    {"seed", RICO_WANT_INTEGER, .help = "of random numbers", .standard = "1", .high = 1e15},
    {NULL},
};
static const rico_schema sample_schema = {"scene", "The whole file.", sample_keys, .shorthand = NULL};

static const char sample_scene[] = "title: A ball on a spring\n"
                                   "parameters:\n"
                                   "  m: 2\n"
                                   "  omega: 2*pi\n"
                                   "  k: m*omega^2\n"
                                   "time: {step: 1e-3, end: 10*2*pi/omega}\n"
                                   "scheme: {name: moreau-jean, theta: 0.5}\n"
                                   "solver: nsgs\n"
                                   "mass: [[m, 0], [0, m]]\n"
                                   "load: [0, -9.81*m]\n"
                                   "potential: k*(x^2 + y^2)/2\n"
                                   "contacts:\n"
                                   "  - gap: y - 0.1*sin(x)\n"
                                   "    restitution: 0.8\n"
                                   "    friction: 0.3\n"
                                   "  - x + 1\n";

#endif
