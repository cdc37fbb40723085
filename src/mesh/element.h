// Finite elements: shape functions, quadrature, materials, stiffness, mass and loads of one cell.
//
// Local coordinates: lines, quadrilaterals and hexahedra from -1 to 1, triangles and tetrahedra from 0 to 1. Positions of nodes come three
// a node. Vectors of an element run over its nodes, then over directions; strains over xx, yy, zz, xy, yz, zx as far as the hypothesis
// has them, shears as angles.

#ifndef RICO_MESH_ELEMENT_H
#define RICO_MESH_ELEMENT_H

#include "mesh/cell.h"
#include "ricochet/elastic.h"

enum {
    RICO_STRAINS = 6,
    RICO_ELEMENT_DOFS = 3 * RICO_CELL_NODES,
    RICO_ELEMENT_COLUMNS = RICO_ELEMENT_DOFS + 9 // with incompatible modes
};

// Points and weights. Exact for polynomials up to `degree`: in all variables together on triangles and tetrahedra, in each on
// products.
typedef struct rico_quadrature {
    int dimension, count, degree;
    int side;            // Gauss points along each axis of a product; 0: a table
    const double *table; // four a point: place and weight
} rico_quadrature;

// Place of a point; returns its weight.
double rico_quadrature_point(const rico_quadrature *rule, int k, double xi[3]);

extern const rico_quadrature rico_point_rule;
extern const rico_quadrature rico_gauss_line[4], rico_gauss_square[4], rico_gauss_cube[3]; // 1, 2, ... a side
extern const rico_quadrature rico_triangle_1, rico_triangle_2, rico_triangle_4, rico_triangle_5; // by degree
extern const rico_quadrature rico_tetrahedron_1, rico_tetrahedron_2, rico_tetrahedron_5;

// A kind of element. Rules with index 1 are for axisymmetric bodies, where the radius raises degrees.
typedef struct rico_element {
    int order; // of its complete polynomials
    void (*shape)(const double xi[3], double *N);
    void (*slope)(const double xi[3], double *dN); // dN[3 a + i] = dN_a/dxi_i
    const double (*node)[3];                       // local coordinates of the nodes
    double centre[3];
    const rico_quadrature *stiffness[2], *mass[2], *load;
    // stresses are taken at points between the centre and each corner, this far out (0: at the centre alone), where they are best, and
    // extrapolated to the nodes by the shape functions of the corners
    double sample;
    rico_cell_kind corners; // the linear kind of the same form
    int modes;              // incompatible ones: of each direction
} rico_element;

extern const rico_element rico_elements[RICO_CELL_KINDS];

// A point of an element: shape functions, their gradients (three a node), place, and volume per local volume (> 0).
typedef struct rico_element_point {
    double N[RICO_CELL_NODES], gradient[3 * RICO_CELL_NODES], x[3], j;
} rico_element_point;

// False where the cell is turned inside out or has no volume there.
bool rico_element_at(rico_cell_kind kind, const double *X, const double xi[3], rico_element_point *out);

// What a hypothesis makes of a cell.
typedef struct rico_hypothesis_info {
    const char *name;
    int dimension;  // of its cells
    int directions; // displacements a node
    int strains;
    bool ring;       // axisymmetric
    bool bar, modes; // remedies that it allows
    unsigned
        kept; // mask of the six stresses that it has; others are zero (plane stress, rod) or not asked for
    unsigned freed; // those that are zero
} rico_hypothesis_info;

extern const rico_hypothesis_info rico_hypotheses[RICO_HYPOTHESES];

// An element's law, as its material and hypothesis give it.
typedef struct rico_element_law {
    const rico_hypothesis_info *hypothesis;
    rico_remedy remedy;
    double D[RICO_STRAINS * RICO_STRAINS]; // stress = D strain, in the strains of the hypothesis
    double thickness;                      // or section, or 1
    double density;
} rico_element_law;

// The law of a material, its axes turned by `rotation` (rows). Refuses what is not positive definite; `name` is the part's.
rico_status rico_element_law_make(rico_context *ctx, const char *name, const rico_elastic_material *material,
                                  rico_hypothesis hypothesis, rico_remedy remedy, const double rotation[9],
                                  rico_element_law *out);

// Volume per area or length at a place.
double rico_element_depth(const rico_element_law *law, const double x[3]);

// Stiffness of an element, n x n with n = nodes x directions, symmetric. False where the cell is inside out.
bool rico_element_stiffness(const rico_element_law *law, rico_cell_kind kind, const double *X, double *K);

// Stresses at the sample points (returns how many) for the displacements u, in the six; count x 6. -1 where the cell is inside out.
int rico_element_stress(const rico_element_law *law, rico_cell_kind kind, const double *X, const double *u,
                        double *stress);
// From the sample points to the nodes, six each.
void rico_element_extrapolate(rico_cell_kind kind, const double *sample, double *node);

// Mass for one direction: consistent, nodes x nodes; or lumped, one a node: row sums, or the diagonal scaled to the element's mass
// (Hinton, Rock and Zienkiewicz 1976) for quadratic ones, whose row sums are no masses.
bool rico_element_mass(const rico_element_law *law, rico_cell_kind kind, const double *X, double *M);
bool rico_element_lumped(const rico_element_law *law, rico_cell_kind kind, const double *X, double *m);

// A point of a face of dimension one less than its body's cells: shape functions, place, and the normal times the area per local
// area (in the plane: to the right of the way along an edge).
typedef struct rico_face_point {
    double N[RICO_CELL_NODES], x[3], normal[3];
} rico_face_point;

void rico_face_at(rico_cell_kind kind, const double *X, const double xi[3], rico_face_point *out);

#endif
