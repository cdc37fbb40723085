// Elastic bodies: the cells of a mesh as finite elements of linear elasticity.
//
//     rico_elastic_material steel = rico_elastic_material_default();
//     steel.young = 2.1e11, steel.poisson = 0.3, steel.density = 7800.0;
//     rico_elastic_part block = rico_elastic_default(mesh, RICO_PLANE_STRAIN);
//     block.materials = 1, block.material = &steel;
//     block.supports = 1, block.support = &(rico_elastic_support){"bottom", RICO_HOLD_X | RICO_HOLD_Y};
//     rico_system_add_elastic(system, "block", &block, &place);
//
// The unknowns are the displacements of the nodes of elements along the axes of the world, node by node, without those that
// supports hold: a node stands at X + q. M and K are constant, strains small. With `turning` the whole body may turn as far as it likes: strains
// are then measured in a frame that floats with it (docs/theory/elements.md).
//
// Points of such a part (rico_point): item = a node of the mesh, local = 0; or item = nodes + cell for a point on a cell of lower dimension
// than the elements, local = its coordinates there (lines, quadrilaterals: -1 to 1; triangles: 0 to 1).

#ifndef RICOCHET_ELASTIC_H
#define RICOCHET_ELASTIC_H

#include "ricochet/mesh.h"
#include "ricochet/model.h"

RICO_API_BEGIN

// What a mesh of lines, of the plane or of space stands for. Axisymmetric: x is the radius, y the axis, z the way around; masses, forces and
// energies are those of the whole ring.
typedef enum rico_hypothesis {
    RICO_ROD,
    RICO_PLANE_STRAIN,
    RICO_PLANE_STRESS,
    RICO_AXISYMMETRIC,
    RICO_SOLID,
    RICO_HYPOTHESES
} rico_hypothesis;

const char *rico_hypothesis_name(rico_hypothesis hypothesis); // "plane strain"

// Against locking, for Q4 and H8; other kinds stay as they are. B-bar: the mean dilatation, against that of nearly incompressible
// materials; not for plane stress, which has none. Modes: incompatible ones, against that in bending too; not for axisymmetric bodies.
typedef enum rico_remedy { RICO_REMEDY_NONE, RICO_REMEDY_BAR, RICO_REMEDY_MODES } rico_remedy;

// Isotropic: young and poisson. Orthotropic, where young is 0: nine numbers for the axes 1, 2, 3, the rows of `axes` in the mesh; E_i, nu_12,
// nu_13, nu_23 (strain along the second for a stress along the first: -nu_12 = e_2/e_1), G_12, G_13, G_23.
typedef struct rico_elastic_material {
    const char *group; // of elements; NULL: all
    double density;
    double young, poisson;
    double youngs[3], poissons[3], shears[3];
    double axes[9];
    double thickness;   // in the plane; area of the section of a rod; else not read
    double alpha, beta; // Rayleigh's damping: C = alpha M + beta K
} rico_elastic_material;

// Thickness and section 1, axes of the mesh, no damping.
rico_elastic_material rico_elastic_material_default(void);

enum { RICO_HOLD_X = 1, RICO_HOLD_Y = 2, RICO_HOLD_Z = 4 };

// Directions in which the nodes of a group stay where they are; of a rod RICO_HOLD_X, its axis.
typedef struct rico_elastic_support {
    const char *group;
    unsigned directions;
} rico_elastic_support;

typedef enum rico_elastic_load_kind {
    RICO_LOAD_BODY,     // force per volume, on elements
    RICO_LOAD_TRACTION, // force per area, on their faces (in the plane: edges)
    RICO_LOAD_PRESSURE, // on faces too: value[0], positive into the body
    RICO_LOAD_NODAL     // force on each node of a group
} rico_elastic_load_kind;

// A load on a group (NULL: all elements, for a body force): `value`, or the function of time and place in its stead, times history(t)
// where there is one. Places are those of the body at rest. A function that does not depend on the time says so by `steady`: then space is
// integrated once and not in every step.
typedef struct rico_elastic_load {
    rico_elastic_load_kind kind;
    const char *group;
    double value[3];
    bool (*function)(void *user, double t, const double *x, double *value);
    bool steady;
    bool (*history)(void *user, double t, double *factor);
    void *user;
} rico_elastic_load;

// Hurty's, Craig and Bampton's reduction (docs/theory/elements.md). The unknowns are then the displacements of the nodes of the groups in `keep`, as without
// it, and behind them the amplitudes of the lowest modes of the body whose kept nodes are held. Other nodes follow: statically from the kept ones, and
// with the modes. Contacts, joints and motions find kept nodes alone, and meet the exact static compliance of the whole body there; supports and loads
// may be anywhere. Kept nodes and supports together must hold the body.
typedef struct rico_elastic_reduction {
    int64_t modes; // how many
    double below;  // or instead, where positive: all whose frequency, an angle per time, lies below
    int64_t groups;
    const char *const *keep;
    const double
        *shape; // modes that are known, those of rico_elastic_reduction_of(); NULL: they are looked for
    int64_t shape_size; // numbers of each of these
} rico_elastic_reduction;

// The mesh must outlive the system. Every element (a cell of the mesh's own dimension) needs one material.
typedef struct rico_elastic_part {
    const rico_mesh *mesh;
    rico_hypothesis hypothesis;
    rico_remedy remedy;
    bool lumped;  // mass on the diagonal
    bool turning; // large rotations of the whole body; no supports, no pressures then
    double position[3],
        rotation[9]; // of the mesh: X = position + rotation x, row by row; in the plane about z only
    int64_t materials, supports, loads;
    const rico_elastic_material *material;
    const rico_elastic_support *support;
    const rico_elastic_load *load;
    // groups whose nodes carry no mass: those that may touch something. Their neighbours take it, so that total mass, centre and
    // inertia stay; for schemes that do not divide by M
    int64_t massless;
    const char *const *massless_group;
    const rico_elastic_reduction *reduction; // NULL: none; not of a part that turns
} rico_elastic_part;

// Consistent mass, no remedy, the mesh where it is.
rico_elastic_part rico_elastic_default(const rico_mesh *mesh, rico_hypothesis hypothesis);

rico_status rico_system_add_elastic(rico_system *system, const char *name, const rico_elastic_part *part,
                                    rico_place *place);

// The system's velocity (and position) of a node of elastic part `part` along a direction, 0 to 2; -1: held, not kept by a
// reduction, or none. For rico_system_prescribe() and contacts.
int64_t rico_elastic_velocity(const rico_system *system, int64_t part, int64_t node, int direction);

// The functions below take the part's slices of q and v, and memory from ctx.

// Stresses xx, yy, zz, xy, yz, zx, six a node and six a cell of the mesh (either may be NULL): at nodes extrapolated from points inside the
// elements and averaged over these, in cells at their centre; zeros where there are no elements. Of a rod the first is along it.
rico_status rico_elastic_stress(const rico_system *system, rico_context *ctx, int64_t part, const double *q,
                                double *node, double *cell);
double rico_von_mises(const double stress[6]);

// The largest principal strain in size, of those at the centres of elements, and the element, a cell of the mesh (-1: there is no strain). With `turning` that of
// the floating frame. Linear elasticity holds while it is small beside 1.
rico_status rico_elastic_strain(const rico_system *system, rico_context *ctx, int64_t part, const double *q,
                                double *strain, int64_t *element);

// What holds the nodes beside the part's own forces, three numbers a node of the mesh: K u + C v + M a - f, with C v or M a left out where v or a (the rates of
// the unknowns) is NULL. In held directions the reactions of supports, in others the forces of contacts and joints; of a reduced part,
// at nodes that are not kept, what the modes left out fail to balance.
rico_status rico_elastic_reactions(const rico_system *system, rico_context *ctx, int64_t part, double t,
                                   const double *q, const double *v, const double *a, double *force);

// The `count` lowest natural frequencies, ascending, as angles per time, and their shapes (NULL: none): the part's velocities times count, one
// mode after the other, x'M x = 1. Damping and contacts do not count; rigid motions of a body that is not held come first, with frequencies
// of round-off.
rico_status rico_elastic_modes(const rico_system *system, rico_context *ctx, int64_t part, int64_t count,
                               double *omega, double *shape);

// Kinetic and elastic energy.
rico_status rico_elastic_energies(const rico_system *system, rico_context *ctx, int64_t part, const double *q,
                                  const double *v, double *kinetic, double *potential);

// --- reduced parts ---------------------------------------------------------------------------------------------------

typedef struct rico_elastic_reduced {
    int64_t full, kept, modes; // unknowns before; of them kept; modes behind those
    const double *omega;       // of the modes, ascending, as angles per time
    const double *shape;       // full - kept numbers each, one mode after the other
    double next;               // the first frequency that is left out; 0: not known, INFINITY: none
} rico_elastic_reduced;

// What a reduction has made of a part; false where there is none.
bool rico_elastic_reduction_of(const rico_system *system, int64_t part, rico_elastic_reduced *out);

// Displacements of all nodes from positions q, three numbers a node of the mesh, or their velocities from v; of parts without a reduction too. With a frame
// that floats they are those in the world.
rico_status rico_elastic_recover(const rico_system *system, rico_context *ctx, int64_t part, const double *q,
                                 double *u);

// The other way round: the unknowns whose field is nearest to u, three numbers a node, in the norm of the mass. Exact where there is no reduction.
rico_status rico_elastic_fit(const rico_system *system, rico_context *ctx, int64_t part, const double *u,
                             double *q);

// The error of a reduction along a run: what the modes that were left out would add, quasi-statically, measured by its elastic energy. Needs one
// solve with the stiffness of the inner nodes for each look.
typedef struct rico_elastic_error rico_elastic_error;
rico_status rico_elastic_error_create(const rico_system *system, rico_context *ctx, int64_t part,
                                      rico_elastic_error **out);
void rico_elastic_error_destroy(rico_elastic_error *error);

// Follows the part's slice of v, at every step or less often, in the order of time.
void rico_elastic_error_follow(rico_elastic_error *error, double t, const double *v);

// An error counts against the largest `state` of a run. Of a body at rest under loads it is exact.
typedef struct rico_elastic_error_norms {
    double error, state; // sqrt(e'K e) of the estimated error, sqrt(u'K u) of the state
    double fast,
        speed; // of kept nodes, in the norm of mass: velocities above the first frequency left out, and all
} rico_elastic_error_norms;

// Of the state at the time that was followed last, from the part's slices.
rico_status rico_elastic_error_look(rico_elastic_error *error, const double *q, const double *v,
                                    rico_elastic_error_norms *out);

RICO_API_END

#endif
