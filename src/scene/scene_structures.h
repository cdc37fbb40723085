// Structures of blocks: what their makers share.

#ifndef RICO_SCENE_SCENE_STRUCTURES_H
#define RICO_SCENE_SCENE_STRUCTURES_H

#include "scene/scene_bodies.h"

// What a structure reads, and where its blocks go. Heights are along the axis `up`: z in space, y in the plane.
typedef struct rico_structure {
    rico_scene_bodies *bodies;
    rico_scene *scene;
    const rico_node *node;
    int up;
    double depth;
    rico_copies *out;
} rico_structure;

struct rico_structure_kind {
    const char *key;
    bool space; // exists in space alone
    rico_status (*make)(rico_structure *s);
};

// Ended by a key NULL: scene_arches.c, scene_walls.c, scene_vaults.c.
extern const rico_structure_kind rico_arch_structures[], rico_wall_structures[], rico_vault_structures[];

// A joint of an arch, from its intrados to its extrados: along x and up.
typedef struct rico_joint_line {
    double in[2], out[2];
} rico_joint_line;

// Numbers, flags and choices by their keys, which the schema has checked.
rico_status rico_structure_integer(const rico_structure *s, const char *key, int64_t *value);
rico_status rico_structure_real(const rico_structure *s, const char *key, double *value);
rico_status rico_structure_reals(const rico_structure *s, int count, const char *const *key, double *value);
rico_status rico_structure_flag(const rico_structure *s, const char *key, bool *value);
bool rico_structure_chosen(const rico_structure *s, const char *key, const char *name);

// Room for that many blocks, refused where they are too many.
rico_status rico_structure_reserve(rico_structure *s, double count);
// A ring must have room in it.
rico_status rico_structure_check_ring(const rico_structure *s, double radius, double thickness);

// The hull of corners, `up` + 1 numbers each.
rico_status rico_structure_hull(rico_structure *s, int64_t count, const double *corner, rico_stone block);
// A block between two joints; in space, between two depths.
rico_status rico_structure_voussoir(rico_structure *s, const rico_joint_line *from, const rico_joint_line *to,
                                    double front, double back, rico_stone block);
// Of the structure's own depth.
rico_status rico_structure_rectangle(rico_structure *s, double left, double right, double foot, double top,
                                     rico_stone block);

// --- scene_arches.c

// The joint of a ring at an angle from the top, to the right; exact at the springings of half a ring, where it lies level.
rico_joint_line rico_ring_joint(double radius, double thickness, double degrees);
// Mass, center and inertia of a sector of the ring of unit density between two angles from the top.
rico_mass_properties rico_ring_sector(double radius, double thickness, double from, double to, int up,
                                      double front, double back);
// Fixed blocks `left` and `right` between the first two of four joints and the last two.
rico_status rico_structure_abutments(rico_structure *s, const rico_joint_line ends[4], double front,
                                     double back);

#endif
