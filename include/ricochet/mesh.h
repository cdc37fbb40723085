// Meshes: nodes, cells of several kinds, groups with names.
//
// A mesh comes from a generator, from a file or from arrays. Once made it never changes. Nodes have three coordinates; in a mesh of
// the plane the third is 0, in one of a line the second too. Cells are numbered from 0 and hold their nodes in the order of
// Gmsh: corners first, then the middles of edges. A mesh holds cells of its own dimension, which become elements, and cells of lower
// ones (faces, edges, points), which loads, supports and contacts refer to by the names of their groups.

#ifndef RICOCHET_MESH_H
#define RICOCHET_MESH_H

#include "ricochet/context.h"
#include "ricochet/option.h"

RICO_API_BEGIN

typedef enum rico_cell_kind {
    RICO_CELL_POINT,
    RICO_CELL_LINE2,
    RICO_CELL_LINE3,
    RICO_CELL_T3,
    RICO_CELL_T6,
    RICO_CELL_Q4,
    RICO_CELL_Q8,
    RICO_CELL_TET4,
    RICO_CELL_TET10,
    RICO_CELL_H8,
    RICO_CELL_KINDS
} rico_cell_kind;

enum { RICO_CELL_NODES = 10 }; // of a cell, at most

typedef struct rico_mesh rico_mesh;

// What a mesh holds; pointers live as long as the mesh.
typedef struct rico_mesh_view {
    int dimension; // 1, 2 or 3: of its elements
    int64_t nodes;
    const double *position; // three a node
    int64_t cells;
    const unsigned char *kind; // rico_cell_kind of each
    const int64_t *start;      // cells + 1: cell c has the nodes node[start[c]] to node[start[c + 1] - 1]
    const int64_t *node;
    int64_t groups;
} rico_mesh_view;

typedef struct rico_mesh_group {
    const char *name;
    int dimension; // of its cells
    int64_t count;
    const int64_t *cell; // ascending
} rico_mesh_group;

// --- making one from arrays ---

// What a mesh is made of. Elements are the cells of the highest dimension there is; `all` of a generator names them.
typedef struct rico_mesh_arrays {
    int dimension; // 1, 2 or 3, and cells of that dimension; 0: the highest of its cells
    int64_t nodes;
    const double *position; // three a node
    int64_t cells;
    const unsigned char *kind; // rico_cell_kind of each
    const int64_t *node;       // those of the first cell, then those of the second, ...
    int64_t groups;
    const rico_mesh_group *group;             // their dimension is not read
    const int64_t *node_number, *cell_number; // what messages call them; NULL: 0, 1, ...
} rico_mesh_arrays;

// Copies and checks them. Refused, with the cell or node in the sentence: nodes that do not exist or stand twice in a cell, coordinates
// that are not finite, elements that are inverted or have no volume, two elements on the same nodes, groups of cells that do not exist
// or of several dimensions, two groups of one name. In the plane z must be 0, on a line y too; what differs by no more than 1e-10 of the
// size is set to 0. Nodes that no element uses, lower cells on such nodes and groups without cells are left out, with a warning in the
// log; what stays keeps its order.
rico_status rico_mesh_create(rico_context *ctx, const rico_mesh_arrays *arrays, rico_mesh **out);
rico_status rico_mesh_copy(rico_context *ctx, const rico_mesh *mesh, rico_mesh **out);
void rico_mesh_destroy(rico_mesh *mesh);

rico_mesh_view rico_mesh_look(const rico_mesh *mesh);
rico_mesh_group rico_mesh_group_at(const rico_mesh *mesh, int64_t index);
int64_t rico_mesh_group_find(const rico_mesh *mesh, const char *name); // -1: none of that name
const char *rico_cell_kind_name(rico_cell_kind kind);                  // "T3"; NULL: no such kind

// --- faces ---

// A face of an element. Its nodes stand so that its normal points out of the element (in the plane: to the right of the way along the
// edge).
typedef struct rico_mesh_face {
    int64_t element; // a cell
    int face;        // which of that element
    rico_cell_kind kind;
    int64_t node[6];
} rico_mesh_face;

// The faces that belong to one element only, by element, then face. *faces is released by rico_mesh_faces_free(). Refused: a face of
// more than two elements.
rico_status rico_mesh_boundary(rico_context *ctx, const rico_mesh *mesh, int64_t *count,
                               rico_mesh_face **faces);

// The faces of elements that the cells of a group are, cell by cell. Refused: a group whose cells are not one dimension below the elements,
// a cell that is no face of an element, and one between two elements, which has no outside.
rico_status rico_mesh_group_faces(rico_context *ctx, const rico_mesh *mesh, int64_t group, int64_t *count,
                                  rico_mesh_face **faces);
void rico_mesh_faces_free(rico_context *ctx, rico_mesh_face *faces);

// --- generators ---
//
// Each has a struct of options, a function that fills it with defaults and one that makes the mesh. Sizes are positive; numbers of cells are
// counts along a side. Kinds of second order have straight edges inside and the middles of their edges on the curved side of a disc, a
// cylinder or a ball. A brick is cut into six tetrahedra around the diagonal from its node of the smallest number (on a lattice: Kuhn's),
// which fits the neighbours' cuts.

// Where cells are smallest along a side; `grading` is the size of the largest over that of the smallest, in a geometric series.
typedef enum rico_mesh_toward {
    RICO_TOWARD_START,
    RICO_TOWARD_END,
    RICO_TOWARD_MIDDLE,
    RICO_TOWARD_BOTH_ENDS
} rico_mesh_toward;

// From x = origin to origin + length. Groups: start, end (points), all.
typedef struct rico_mesh_bar {
    rico_cell_kind kind; // line2 or line3
    double origin, length;
    int64_t cells;
    double grading; // >= 1
    rico_mesh_toward toward;
} rico_mesh_bar;

typedef enum rico_mesh_diagonal {
    RICO_DIAGONAL_UP,         // from lower left to upper right
    RICO_DIAGONAL_DOWN,       // from upper left to lower right
    RICO_DIAGONAL_ALTERNATING // up where column + row is even, down elsewhere
} rico_mesh_diagonal;

// [x, x + width] x [y, y + height]. Groups: left, right, bottom, top (edges), all.
typedef struct rico_mesh_rectangle {
    rico_cell_kind kind; // T3, T6, Q4 or Q8
    double origin[2], size[2];
    int64_t cells[2];
    rico_mesh_diagonal diagonal; // of triangles
    double grading[2];
    rico_mesh_toward toward[2];
} rico_mesh_rectangle;

// Groups: left, right (x), front, back (y), bottom, top (z), all.
typedef struct rico_mesh_box {
    rico_cell_kind kind; // Tet4, Tet10 or H8
    double origin[3], size[3];
    int64_t cells[3];
    double grading[3];
    rico_mesh_toward toward[3];
} rico_mesh_box;

typedef enum rico_mesh_portion {
    RICO_DISC_WHOLE,
    RICO_DISC_HALF,   // y <= centre: flat above
    RICO_DISC_QUARTER // of that, x >= centre
} rico_mesh_portion;

// A core, bulged, of core x core quadrilaterals (half of them above, a quarter for a quarter) and rings around it, linear from the rim of the
// core to the circle at equal angles. A core node (x, y) of [-1, 1]^2 stands at 0.52 radius (x (1 + (1 - y^2) |x| / 4), y (1 + (1 - x^2) |y| / 4)).
// Groups: rim, all; of a half and a quarter also top (the flat side), of a quarter axis (x = centre).
typedef struct rico_mesh_disc {
    rico_cell_kind kind; // T3, T6, Q4 or Q8
    double centre[2], radius;
    int64_t core, rings;       // core: cells along its side, even for a half and a quarter
    rico_mesh_portion portion; // a half and a quarter are refined towards the lowest point too
    double
        grading; // of the rings, smallest at the rim; of a half and a quarter, also along the lower side of the core
} rico_mesh_disc;

// A disc in layers from z = centre[2] to + height. Groups: bottom, top, side, all.
typedef struct rico_mesh_cylinder {
    rico_cell_kind kind; // Tet4, Tet10 or H8
    double centre[3], radius, height;
    int64_t core, rings, layers;
    double grading; // of the layers
    rico_mesh_toward toward;
} rico_mesh_cylinder;

// A bulged cube of core^3 bricks and rings around it. Groups: surface, all.
typedef struct rico_mesh_sphere {
    rico_cell_kind kind; // Tet4, Tet10 or H8
    double centre[3], radius;
    int64_t core, rings;
    double grading; // of the rings, smallest at the surface
} rico_mesh_sphere;

rico_mesh_bar rico_mesh_bar_default(void);
rico_mesh_rectangle rico_mesh_rectangle_default(void);
rico_mesh_box rico_mesh_box_default(void);
rico_mesh_disc rico_mesh_disc_default(void);
rico_mesh_cylinder rico_mesh_cylinder_default(void);
rico_mesh_sphere rico_mesh_sphere_default(void);
rico_status rico_mesh_make_bar(rico_context *ctx, const rico_mesh_bar *options, rico_mesh **out);
rico_status rico_mesh_make_rectangle(rico_context *ctx, const rico_mesh_rectangle *options, rico_mesh **out);
rico_status rico_mesh_make_box(rico_context *ctx, const rico_mesh_box *options, rico_mesh **out);
rico_status rico_mesh_make_disc(rico_context *ctx, const rico_mesh_disc *options, rico_mesh **out);
rico_status rico_mesh_make_cylinder(rico_context *ctx, const rico_mesh_cylinder *options, rico_mesh **out);
rico_status rico_mesh_make_sphere(rico_context *ctx, const rico_mesh_sphere *options, rico_mesh **out);

// The same by names and numbers, for who reads them from a text.
typedef struct rico_mesh_generator {
    const char *name;
    const char *summary; // one line
    const char *groups;  // "left, right, bottom, top, all"
    int option_count;
    const rico_option_info *options;
} rico_mesh_generator;

const rico_mesh_generator *rico_mesh_generator_at(int index); // NULL past the end
int rico_mesh_generator_find(const char *name);               // -1: none of that name

// Value i belongs to option i; NULL: all standard.
rico_status rico_mesh_generate(rico_context *ctx, const char *name, const double *values, rico_mesh **out);

// --- files ---

// Gmsh's MSH 2.2 and 4.1, text or binary of either byte order, and VTK's VTU (one piece, not compressed): the content decides, not the
// name. Physical groups become groups by their names, or "group-N" where they have none; where N stands for a group of elements and for
// others too, those are "group-N-points", "-lines" or "-faces". A cell that stands twice, as MSH 2.2 writes one of two physical
// groups, is one cell. In a VTU file the cells with a value N > 0 of an array "gmsh:physical" or "group" are the group "group-N", and
// an array "group:NAME" marks the cells of NAME by 1.
rico_status rico_mesh_read(rico_context *ctx, const char *path, rico_mesh **out);

// The same of `size` bytes in memory; `name` stands in messages.
rico_status rico_mesh_parse(rico_context *ctx, const char *name, const void *bytes, int64_t size,
                            rico_mesh **out);

// Numbers on nodes or cells, for a file: real or integer, the other NULL.
typedef struct rico_mesh_field {
    const char *name;
    int components; // 1, 3 (a vector) or 6 (xx, yy, zz, xy, yz, xz, as VTK has them); any other too
    const double *real;
    const int64_t *integer;
} rico_mesh_field;

typedef enum rico_vtu_format { RICO_VTU_RAW, RICO_VTU_BASE64, RICO_VTU_TEXT } rico_vtu_format;

typedef struct rico_mesh_output {
    const double *position; // three a node; NULL: the mesh's own
    bool elements_only;     // leave lower cells out: cell fields have a row for each element, in their order
    bool groups;            // write the groups, each as "group:NAME" of 0 and 1
    const double *time;     // or NULL
    int64_t node_fields, cell_fields;
    const rico_mesh_field *node_field, *cell_field;
    rico_vtu_format
        format; // raw is smallest and quickest, base64 is XML, text is for the eye; all hold the same numbers
} rico_mesh_output;

// Writes a VTU file, whole or not at all; output NULL: the mesh with its groups.
rico_status rico_mesh_write_vtu(rico_context *ctx, const rico_mesh *mesh, const rico_mesh_output *output,
                                const char *path);

RICO_API_END

#endif
