// Elastic parts of a scene: what their builders share.

#ifndef RICO_SCENE_SCENE_ELASTIC_H
#define RICO_SCENE_SCENE_ELASTIC_H

#include "ricochet/elastic.h"
#include "ricochet/touch.h"
#include "scene/scene_bodies.h"

// Numbers of work space for a formula of t, x, y, z and its derivatives; deeper ones are refused.
enum { RICO_FIELD_WORK = 1024 };

// The formulas of one load; what of it is handed to the model stands in a share for each.
typedef struct rico_elastic_field {
    rico_formula *value[3]; // NULL: 0
    rico_formula *times;    // of t; or NULL
} rico_elastic_field;

// What the functions of one load of the model read: all of a field, or one component of it, which depends on t alone.
typedef struct rico_elastic_share {
    const rico_elastic_field *field;
    int only; // -1: all
} rico_elastic_share;

// A motion of one node along one axis.
typedef struct rico_elastic_motion {
    const rico_formula *formula;
    int64_t dof; // of the system
    double X[3];
} rico_elastic_motion;

// An elastic part, once it is in the system.
typedef struct rico_scene_elastic {
    const rico_node *node;
    rico_mesh *mesh;
    rico_elastic_part given; // its arrays are ours
    rico_elastic_material *material;
    rico_elastic_support *support;
    const char **massless; // groups
    double strain_limit;   // beyond which a run warns
    rico_elastic_load *load;
    int64_t load_room;
    rico_elastic_reduction reduction;
    const char **keep; // its groups
    int dimension, directions;
    int64_t part; // of the system
    rico_place place;
    double *X;       // where nodes stand at rest, three a node
    int64_t motions; // of nodes of `moved`
    rico_elastic_motion *motion;
    const rico_node **by; // of each node and direction, while motions are built: what moves it
} rico_scene_elastic;

// A contact of a mesh.
typedef struct rico_scene_touch {
    const rico_node *node;
    int64_t source;
    const rico_scene_elastic *nodes, *faces; // faces: NULL but between meshes
    const char *group[2];                    // of nodes, of faces
    rico_formula *surface;
    double friction;
} rico_scene_touch;

struct rico_scene_elastics {
    rico_scene *scene;
    int64_t count, room;
    rico_scene_elastic **part;
    int64_t field_count, field_room;
    rico_elastic_field **field;
    int64_t share_count, share_room;
    rico_elastic_share **share;
    int64_t formula_count, formula_room; // of motions
    rico_formula **formula;
    int64_t touch_count, touch_room;
    rico_scene_touch **touch;
    rico_scene_bodies *obstacles; // that own the shapes of contacts
    int64_t probe_count, probe_room;
    struct rico_scene_probe **probe;
};

// The tables, scene_elastic_schema.c.
extern const rico_schema rico_scene_elastic_schema, rico_scene_against_schema, rico_scene_probe_schema;

// --- scene_elastic_mesh.c

rico_status rico_scene_check_mesh(rico_document *document, rico_node *node);
rico_status rico_scene_read_mesh(rico_scene *scene, rico_node *node, rico_mesh **out);

// The node nearest to a place, how far it is from there, and how far the nodes extend along their longest axis. One farther than this part of
// that is not what was meant.
#define RICO_SCENE_NEAR 0.1
int64_t rico_scene_nearest_node(int64_t nodes, const double *X, const double at[3], double *distance,
                                double *extent);

// Makes the part's mesh anew with a group of one node for each of its `points`.
rico_status rico_scene_read_points(rico_scene *scene, rico_scene_elastic *own);

// --- scene_elastic_load.c

// Symbols t, x, y, z in slots 0 to 3, and a note.
rico_status rico_scene_field_formula(rico_scene *scene, const rico_node *node, const char *note,
                                     rico_formula **out);
bool rico_scene_reads(const rico_formula *formula, int64_t low, int64_t high);
void rico_elastic_field_destroy(rico_context *ctx, rico_elastic_field *field);
// Loads of the file and the weight of the part.
rico_status rico_scene_read_loads(rico_scene_elastics *all, rico_scene_elastic *own);

// --- scene_elastic_reduce.c

rico_status rico_scene_read_reduction(rico_scene *scene, rico_scene_elastic *own);

// --- scene_elastic_moved.c

rico_status rico_scene_build_moved(rico_scene_elastics *all, rico_scene_elastic *own);
// Nodes that are moved start on their motions.
void rico_scene_start_moved(const rico_scene *scene, double t, bool rates);

// --- scene_touch.c

void rico_scene_touch_destroy(rico_context *ctx, rico_scene_touch *touch);

// A name of columns: letters, digits, _ and -.
rico_status rico_scene_check_label(rico_scene *scene, const rico_node *node);

// The part and the group that PART.GROUP names; unknown ones are refused with the nearest known.
rico_status rico_scene_find_group(const rico_scene *scene, const rico_node *name,
                                  const rico_scene_elastic **part, const char **group);
rico_status rico_scene_find_elastic(const rico_scene *scene, const rico_node *name, size_t length,
                                    const rico_scene_elastic **part);
rico_status rico_scene_check_group(rico_scene *scene, const rico_scene_elastic *own, const rico_node *node,
                                   bool by_key, const char *name, int64_t *index);

// Nodes of the cells of a group, each once; rico_free() releases them.
rico_status rico_scene_group_nodes(rico_context *ctx, const rico_mesh *mesh, int64_t group, int64_t *count,
                                   int64_t **nodes);

// The largest principal strain of a part, by its place in the list, that nothing is said about.
double rico_scene_strain_limit(const rico_scene *scene, int64_t index);

// --- scene_probes.c

void rico_scene_probe_destroy(rico_context *ctx, struct rico_scene_probe *probe);

#endif
