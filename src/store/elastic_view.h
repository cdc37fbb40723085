// The elastic parts of a result file: meshes, and fields on their nodes at a row.

#ifndef RICO_STORE_ELASTIC_VIEW_H
#define RICO_STORE_ELASTIC_VIEW_H

#include "ricochet/elastic.h"
#include "ricochet/store.h"

// As in the tables `meshes` and `mesh_nodes`, and made anew from them.
typedef struct rico_viewed_mesh {
    char name[64];
    int64_t number[22]; // the whole numbers of its row, in the order of the columns
    rico_elastic_part part;
    rico_elastic_reduction reduction; // where it is reduced
    const char **keep;
    double *shape;
    rico_elastic_material *material;
    rico_elastic_support *support;
    rico_mesh *mesh;
    rico_system *system; // with this part alone
    rico_place place;    // in it
    int64_t nodes;
    double *X;           // at rest, three a node
    int64_t *coordinate; // in the state's positions, three a node
    double *area;        // that a node bears of the faces that may touch; 0: none

    // of the row that was read last
    double *position, *displacement, *velocity; // three a node
    double *stress;                             // six a node
    double *von_mises, *force, *pressure;       // one, three, one a node; force: of contacts
    int64_t *status;                            // of contacts: 0: open, 1: sticks, 2: slips
} rico_viewed_mesh;

typedef struct rico_viewed_touch {
    int64_t source, nodes, faces, group[2];
} rico_viewed_touch;

typedef struct rico_elastic_view {
    rico_context *ctx;
    rico_results *results; // not its own
    int64_t count, touch_count, rows;
    rico_viewed_mesh *mesh;
    rico_viewed_touch *touch;
    int64_t nq, nv;
    double *q, *v, *time;
} rico_elastic_view;

// Refused with a sentence where the file holds no elastic parts.
rico_status rico_elastic_view_open(rico_context *ctx, rico_results *results, rico_elastic_view **out);
void rico_elastic_view_destroy(rico_elastic_view *view);

// Does the file hold elastic parts?
bool rico_elastic_view_there(const rico_results *results);

// The row of the state that is nearest to a time; NaN: the last.
int64_t rico_elastic_view_find(const rico_elastic_view *view, double t);

// Fills the fields of all meshes.
rico_status rico_elastic_view_read(rico_elastic_view *view, int64_t row);

// A field of numbers by its name, "von-mises": one a node into `out`. Names by index, NULL past the last; what each is.
const char *rico_elastic_field_name(int index);
const char *rico_elastic_field_help(int index);
int rico_elastic_field_find(const char *name); // -1: none
void rico_elastic_field_values(const rico_viewed_mesh *mesh, int field, double *out);

#endif
