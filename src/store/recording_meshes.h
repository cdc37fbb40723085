// What a recording holds of elastic parts, so that exports and pictures need nothing else.
//
//     meshes          one row each: where its nodes, cells, groups, materials and supports are below, its unknowns, its model, its place
//     mesh_nodes      place in the mesh, place at rest in the world, positions of its displacements in state/q (-1: held, not kept by a reduction, or none)
//     mesh_kinds      of each cell: its kind, as rico_cell_kind counts
//     mesh_cells      ragged: the nodes of each cell, counted from the first of its mesh
//     mesh_groups     ragged: the cells of each group, counted likewise; names in notes/mesh_groups
//     mesh_materials  of elements
//     mesh_supports   directions that are held, of groups
//     mesh_keeps      groups whose nodes a reduction keeps
//     mesh_modes      ragged: the modes of a reduction, without which its amplitudes in state/q say nothing
//     touches         one row for each contact of meshes: source, parts and groups of nodes and faces
//     probes          a row for each of `state`: length of the step, and the numbers named in notes/probes
//
// All but the last are written once, at the start. The note touch_friction has Coulomb's mu of each row of `touches`.

#ifndef RICO_STORE_RECORDING_MESHES_H
#define RICO_STORE_RECORDING_MESHES_H

#include "base/text.h"
#include "ricochet/store.h"
#include "scene/scene.h"

enum { RICO_MESH_TABLES = 11, RICO_MESH_NOTES = 4 };

// Where the tables stand among those of elastic parts.
enum {
    RICO_TABLE_MESHES,
    RICO_TABLE_MESH_NODES,
    RICO_TABLE_MESH_KINDS,
    RICO_TABLE_MESH_CELLS,
    RICO_TABLE_MESH_GROUPS,
    RICO_TABLE_MESH_MATERIALS,
    RICO_TABLE_MESH_SUPPORTS,
    RICO_TABLE_MESH_KEEPS,
    RICO_TABLE_MESH_MODES,
    RICO_TABLE_TOUCHES,
    RICO_TABLE_PROBES
};

typedef struct rico_mesh_plan {
    rico_column probe[2];
    rico_table table[RICO_MESH_TABLES];
    int64_t table_count; // 0 without elastic parts
    rico_text names, groups, probes, frictions;
    rico_note note[RICO_MESH_NOTES];
    int64_t note_count;
} rico_mesh_plan;

rico_status rico_mesh_plan_make(rico_context *ctx, const rico_scene *scene, rico_mesh_plan *out);
void rico_mesh_plan_release(rico_context *ctx, rico_mesh_plan *plan);

// The rows that never change, into the tables from `first` on.
rico_status rico_meshes_append(const rico_scene *scene, const rico_system *system, rico_archive *archive,
                               int64_t first);

#endif
