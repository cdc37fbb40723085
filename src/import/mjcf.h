// Reading MJCF: a file with its settings and classes, and the scope in which an element is read.

#ifndef RICO_IMPORT_MJCF_H
#define RICO_IMPORT_MJCF_H

#include "import/model.h"

typedef struct rico_mjcf_class {
    const char *name;
    const rico_element *element;
} rico_mjcf_class;

enum { RICO_FROM_NOTHING, RICO_FROM_GEOMS, RICO_FROM_EITHER };

typedef struct rico_mjcf_file {
    rico_element *root;
    const char *path, *name; // name: of an asset <model>
    double unit;             // radians of an angle's unit
    char sequence[4];
    bool autolimits, balance, strip;
    int inertia;
    const char *meshdir;
    double least_mass, least_inertia, total_mass;
    int64_t class_count;
    rico_mjcf_class *class;
} rico_mjcf_file;

typedef struct rico_mjcf_scope {
    rico_import *import;
    struct rico_mjcf *all;
    rico_mjcf_file *file;
    const char *childclass, *prefix, *suffix;
    int64_t body;
    rico_frame_in frame;
    int depth;
    bool bodies; // bodies are read after all else of their parent, whose joints come first
} rico_mjcf_scope;

// A place where a model was attached: its other sections are read there.
typedef struct rico_mjcf_instance {
    rico_mjcf_scope scope;
} rico_mjcf_instance;

typedef struct rico_mjcf {
    rico_import *import;
    int64_t file_count, instance_count, suffix_count, replicas;
    rico_mjcf_file **file;
    rico_mjcf_instance *instance;
    const char **suffix; // of replicas
    int depth;
} rico_mjcf;

// mjcf.c: a file with what it includes, checked against the table, its classes and settings known.
rico_status rico_mjcf_open(rico_mjcf *all, const char *path, rico_element *root, rico_mjcf_file **out);

// The value of an attribute: the element's own, or its class's and those above it; NULL.
const char *rico_mjcf_get(const rico_mjcf_scope *scope, const rico_element *element, const char *name);
rico_status rico_mjcf_reals(const rico_mjcf_scope *scope, const rico_element *element, const char *name,
                            int least, int most, double *out, int *count);
rico_status rico_mjcf_real(const rico_mjcf_scope *scope, const rico_element *element, const char *name,
                           double *out);
rico_status rico_mjcf_count(const rico_mjcf_scope *scope, const rico_element *element, const char *name,
                            int64_t *out);
rico_status rico_mjcf_flag(const rico_mjcf_scope *scope, const rico_element *element, const char *name,
                           bool *out);
// "auto" is decided by whether there is a range.
rico_status rico_mjcf_limited(const rico_mjcf_scope *scope, const rico_element *element, const char *flag,
                              const char *range, double low_high[2], bool *out);
rico_status rico_mjcf_frame(const rico_mjcf_scope *scope, const rico_element *element, rico_frame_in *out);

// Names in a scope, and what has them; -1: nothing.
const char *rico_mjcf_name(const rico_mjcf_scope *scope, const char *name);
int64_t rico_mjcf_find_body(const rico_mjcf_scope *scope, const char *name);
int64_t rico_mjcf_find_geom(const rico_mjcf_scope *scope, const char *name);
int64_t rico_mjcf_find_joint(const rico_mjcf_scope *scope, const char *name);
int64_t rico_mjcf_find_site(const rico_mjcf_scope *scope, const char *name);

// mjcf_body.c, mjcf_geom.c: the tree.
rico_status rico_mjcf_children(const rico_mjcf_scope *scope, const rico_element *element);
rico_status rico_mjcf_part(const rico_mjcf_scope *scope, const rico_element *element);
rico_status rico_mjcf_geom(const rico_mjcf_scope *scope, const rico_element *element);

// mjcf_ties.c, mjcf_drive.c: the sections beside it.
rico_status rico_mjcf_contacts(const rico_mjcf_scope *scope);
rico_status rico_mjcf_ties(const rico_mjcf_scope *scope);
rico_status rico_mjcf_drives(const rico_mjcf_scope *scope);
// The keyframe that was asked for: its state, or once actuators are known its controls.
rico_status rico_mjcf_key(const rico_mjcf_scope *scope, bool controls);

#endif
