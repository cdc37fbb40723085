// What a recording holds of elastic parts.

#include "store/recording_meshes.h"

#include "base/context.h"
#include "la/mat3.h"
#include "la/vec3.h"

#include <string.h>

static const rico_column MESH[] = {
    {"node", RICO_NUMBER_INTEGER, 0, NULL, "first of its rows in mesh_nodes"},
    {"nodes", RICO_NUMBER_INTEGER, 0, NULL, "how many they are"},
    {"cell", RICO_NUMBER_INTEGER, 0, NULL, "first of its rows in mesh_kinds and mesh_cells"},
    {"cells", RICO_NUMBER_INTEGER, 0, NULL, "how many they are"},
    {"group", RICO_NUMBER_INTEGER, 0, NULL, "first of its rows in mesh_groups"},
    {"groups", RICO_NUMBER_INTEGER, 0, NULL, "how many they are"},
    {"material", RICO_NUMBER_INTEGER, 0, NULL, "first of its rows in mesh_materials"},
    {"materials", RICO_NUMBER_INTEGER, 0, NULL, "how many they are"},
    {"support", RICO_NUMBER_INTEGER, 0, NULL, "first of its rows in mesh_supports"},
    {"supports", RICO_NUMBER_INTEGER, 0, NULL, "how many they are"},
    {"q", RICO_NUMBER_INTEGER, 0, NULL, "first of its positions in state/q"},
    {"v", RICO_NUMBER_INTEGER, 0, NULL, "first of its velocities in state/v"},
    {"dimension", RICO_NUMBER_INTEGER, 0, NULL, "of its elements"},
    {"model", RICO_NUMBER_INTEGER, 0, NULL,
     "0: rod, 1: plane strain, 2: plane stress, 3: axisymmetric, 4: solid"},
    {"remedy", RICO_NUMBER_INTEGER, 0, NULL, "against locking: 0: none, 1: B-bar, 2: incompatible modes"},
    {"lumped", RICO_NUMBER_INTEGER, 0, NULL, "1: its mass is on the diagonal"},
    {"turning", RICO_NUMBER_INTEGER, 0, NULL, "1: it may turn as a whole"},
    {"reduced", RICO_NUMBER_INTEGER, 0, NULL, "1: to kept nodes and modes"},
    {"keep", RICO_NUMBER_INTEGER, 0, NULL, "first of its rows in mesh_keeps"},
    {"keeps", RICO_NUMBER_INTEGER, 0, NULL, "how many they are"},
    {"mode", RICO_NUMBER_INTEGER, 0, NULL, "first of its rows in mesh_modes"},
    {"modes", RICO_NUMBER_INTEGER, 0, NULL, "how many they are"},
    {"position", RICO_NUMBER_REAL, 3, NULL, "of the axes of the mesh"},
    {"rotation", RICO_NUMBER_REAL, 9, NULL, "of them, row by row"},
};

static const rico_column NODE[] = {
    {"x", RICO_NUMBER_REAL, 3, NULL, "in the axes of the mesh"},
    {"place", RICO_NUMBER_REAL, 3, NULL, "at rest, in the axes of the world"},
    {"coordinate", RICO_NUMBER_INTEGER, 3, NULL,
     "where its displacements along x, y, z are in state/q; -1: held, not kept by a reduction, or none"},
};

static const rico_column KIND[] = {
    {"kind", RICO_NUMBER_INTEGER, 0, NULL,
     "0: point, 1: line2, 2: line3, 3: T3, 4: T6, 5: Q4, 6: Q8, 7: Tet4, 8: Tet10, 9: H8"}};
static const rico_column CELL[] = {
    {"node", RICO_NUMBER_INTEGER, 0, NULL, "its nodes, counted from the mesh's first, in the order of Gmsh"}};
static const rico_column GROUP[] = {
    {"cell", RICO_NUMBER_INTEGER, 0, NULL, "its cells, counted from the mesh's first"}};

static const rico_column MATERIAL[] = {
    {"group", RICO_NUMBER_INTEGER, 0, NULL, "of elements, counted from the mesh's first; -1: all"},
    {"density", RICO_NUMBER_REAL, 0, NULL, "mass per volume"},
    {"young", RICO_NUMBER_REAL, 0, NULL, "Young's modulus; 0: orthotropic"},
    {"poisson", RICO_NUMBER_REAL, 0, NULL, "Poisson's ratio"},
    {"youngs", RICO_NUMBER_REAL, 3, NULL, "E_1, E_2, E_3"},
    {"poissons", RICO_NUMBER_REAL, 3, NULL, "nu_12, nu_13, nu_23"},
    {"shears", RICO_NUMBER_REAL, 3, NULL, "G_12, G_13, G_23"},
    {"axes", RICO_NUMBER_REAL, 9, NULL, "axes 1, 2, 3 in the mesh, row by row"},
    {"thickness", RICO_NUMBER_REAL, 0, NULL, "in the plane; of a rod its section"},
    {"alpha", RICO_NUMBER_REAL, 0, NULL, "damping, times the mass"},
    {"beta", RICO_NUMBER_REAL, 0, NULL, "damping, times the stiffness"},
};

static const rico_column SUPPORT[] = {
    {"group", RICO_NUMBER_INTEGER, 0, NULL, "counted from the mesh's first"},
    {"directions", RICO_NUMBER_INTEGER, 0, NULL, "that are held: 1 (x) + 2 (y) + 4 (z)"},
};

static const rico_column KEEP[] = {
    {"group", RICO_NUMBER_INTEGER, 0, NULL, "whose nodes a reduction keeps, counted from the mesh's first"}};
static const rico_column MODE[] = {
    {"value", RICO_NUMBER_REAL, 0, NULL, "of the unknowns that are not kept, node by node and x, y, z"}};

static const rico_column TOUCH[] = {
    {"source", RICO_NUMBER_INTEGER, 0, NULL, "of its contacts, in notes/sources"},
    {"nodes", RICO_NUMBER_INTEGER, 0, NULL, "the mesh whose nodes meet, in notes/meshes"},
    {"faces", RICO_NUMBER_INTEGER, 0, NULL, "the mesh whose faces they meet; -1: no mesh"},
    {"group", RICO_NUMBER_INTEGER, 2, NULL, "of nodes and of faces, counted from the mesh's first; -1: none"},
};

#define COLUMNS(list) (int64_t)(sizeof(list) / sizeof *(list)), list


// --- plan --------------------------------------------------------------------------------------------------------

static void plan_tables(const rico_scene *scene, rico_mesh_plan *out)
{
    int64_t probes = rico_scene_probes(scene);
    out->probe[0] = (rico_column){"h", RICO_NUMBER_REAL, 0, "s", "length of the step that ends here"};
    out->probe[1] = (rico_column){"value", RICO_NUMBER_REAL, probes, NULL,
                                  "numbers that the scene asks for, named in notes/probes"};
    const rico_table table[RICO_MESH_TABLES] = {
        [RICO_TABLE_MESHES] = {"meshes", "elastic parts, one a row", false, 1, COLUMNS(MESH)},
        [RICO_TABLE_MESH_NODES] = {"mesh_nodes", "their nodes", false, 1, COLUMNS(NODE)},
        [RICO_TABLE_MESH_KINDS] = {"mesh_kinds", "kinds of their cells", false, 1, COLUMNS(KIND)},
        [RICO_TABLE_MESH_CELLS] = {"mesh_cells", "their cells, a list of nodes each", true, 1, COLUMNS(CELL)},
        [RICO_TABLE_MESH_GROUPS] = {"mesh_groups", "their groups, a list of cells each", true, 1,
                                    COLUMNS(GROUP)},
        [RICO_TABLE_MESH_MATERIALS] = {"mesh_materials", "what elements are made of", false, 1,
                                       COLUMNS(MATERIAL)},
        [RICO_TABLE_MESH_SUPPORTS] = {"mesh_supports", "where nodes are held", false, 1, COLUMNS(SUPPORT)},
        [RICO_TABLE_MESH_KEEPS] = {"mesh_keeps", "what reductions keep", false, 1, COLUMNS(KEEP)},
        [RICO_TABLE_MESH_MODES] = {"mesh_modes", "modes of reduced parts, a list of numbers each", true, 1,
                                   COLUMNS(MODE)},
        [RICO_TABLE_TOUCHES] = {"touches", "contacts of meshes", false, 1, COLUMNS(TOUCH)},
        [RICO_TABLE_PROBES] = {"probes", "probes, reactions and resultants, for each row of state", false, 0,
                               probes > 0 ? 2 : 1, out->probe},
    };
    memcpy(out->table, table, sizeof table);
    out->table_count = RICO_MESH_TABLES;
}


rico_status rico_mesh_plan_make(rico_context *ctx, const rico_scene *scene, rico_mesh_plan *out)
{
    *out = (rico_mesh_plan){
        .names = {.ctx = ctx}, .groups = {.ctx = ctx}, .probes = {.ctx = ctx}, .frictions = {.ctx = ctx}};
    int64_t count = rico_scene_elastic_count(scene);
    if (count == 0) return RICO_OK;
    plan_tables(scene, out);
    for (int64_t i = 0; i < count; i++) {
        const char *name;
        const rico_elastic_part *part = rico_scene_elastic_part(scene, i, &name, NULL, NULL);
        rico_text_add(&out->names, "%s\n", name);
        for (int64_t g = 0; g < rico_mesh_look(part->mesh).groups; g++)
            rico_text_add(&out->groups, "%s\n", rico_mesh_group_at(part->mesh, g).name);
    }
    for (int64_t i = 0; i < rico_scene_probes(scene); i++) {
        char name[RICO_SCENE_NAME];
        rico_scene_probe_name(scene, i, name);
        rico_text_add(&out->probes, "%s\n", name);
    }
    for (int64_t i = 0; i < rico_scene_touches(scene); i++)
        rico_text_add(&out->frictions, "%.17g\n", rico_scene_touch_at(scene, i).friction);
    const rico_text *const text[RICO_MESH_NOTES] = {&out->names, &out->groups, &out->probes, &out->frictions};
    static const char *const NAMES[RICO_MESH_NOTES] = {"meshes", "mesh_groups", "probes", "touch_friction"};
    rico_status status = RICO_OK;
    for (int i = 0; i < RICO_MESH_NOTES; i++) {
        out->note[i] = (rico_note){.name = NAMES[i], .text = text[i]->data ? text[i]->data : ""};
        if (text[i]->status != RICO_OK) status = text[i]->status;
    }
    out->note_count = RICO_MESH_NOTES;
    if (status != RICO_OK) rico_mesh_plan_release(ctx, out);
    return status;
}


void rico_mesh_plan_release(rico_context *ctx, rico_mesh_plan *plan)
{
    rico_free(ctx, plan->names.data);
    rico_free(ctx, plan->groups.data);
    rico_free(ctx, plan->probes.data);
    rico_free(ctx, plan->frictions.data);
    memset(plan, 0, sizeof *plan);
}


// --- rows --------------------------------------------------------------------------------------------------------

// One part on its way to the archive.
typedef struct writer {
    const rico_system *system;
    rico_archive *archive;
    int64_t first; // of the tables
    const rico_elastic_part *part;
    int64_t index; // of the part in the system
    rico_place place;
    rico_mesh_view view;
} writer;


static int64_t group_number(const writer *w, const char *name)
{
    return name ? rico_mesh_group_find(w->part->mesh, name) : -1;
}


static rico_status append_mesh(const writer *w)
{
    rico_elastic_reduced reduced = {0};
    bool is = rico_elastic_reduction_of(w->system, w->index, &reduced);
    int64_t number[22] = {rico_archive_rows(w->archive, w->first + RICO_TABLE_MESH_NODES),
                          w->view.nodes,
                          rico_archive_rows(w->archive, w->first + RICO_TABLE_MESH_KINDS),
                          w->view.cells,
                          rico_archive_rows(w->archive, w->first + RICO_TABLE_MESH_GROUPS),
                          w->view.groups,
                          rico_archive_rows(w->archive, w->first + RICO_TABLE_MESH_MATERIALS),
                          w->part->materials,
                          rico_archive_rows(w->archive, w->first + RICO_TABLE_MESH_SUPPORTS),
                          w->part->supports,
                          w->place.q,
                          w->place.v,
                          w->view.dimension,
                          w->part->hypothesis,
                          w->part->remedy,
                          w->part->lumped,
                          w->part->turning,
                          is,
                          rico_archive_rows(w->archive, w->first + RICO_TABLE_MESH_KEEPS),
                          is ? w->part->reduction->groups : 0,
                          rico_archive_rows(w->archive, w->first + RICO_TABLE_MESH_MODES),
                          reduced.modes};
    const void *values[24];
    for (int i = 0; i < 22; i++) values[i] = &number[i];
    values[22] = w->part->position;
    values[23] = w->part->rotation;
    return rico_archive_append(w->archive, w->first + RICO_TABLE_MESHES, values);
}


static rico_status append_nodes(const writer *w)
{
    rico_status status = RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i < w->view.nodes; i++) {
        double place[3];
        int64_t coordinate[3];
        rico_mat3_times(w->part->rotation, w->view.position + 3 * i, place);
        rico_vec3_add(place, w->part->position, place);
        for (int k = 0; k < 3; k++) {
            int64_t dof = rico_elastic_velocity(w->system, w->index, i, k);
            coordinate[k] = dof < 0 ? -1 : w->place.q + dof - w->place.v;
        }
        const void *values[] = {w->view.position + 3 * i, place, coordinate};
        status = rico_archive_append(w->archive, w->first + RICO_TABLE_MESH_NODES, values);
    }
    return status;
}


static rico_status append_cells(const writer *w)
{
    rico_status status = RICO_OK;
    for (int64_t c = 0; status == RICO_OK && c < w->view.cells; c++) {
        int64_t kind = w->view.kind[c];
        const void *kinds[] = {&kind}, *nodes[] = {w->view.node + w->view.start[c]};
        status = rico_archive_append(w->archive, w->first + RICO_TABLE_MESH_KINDS, kinds);
        if (status == RICO_OK)
            status = rico_archive_append_items(w->archive, w->first + RICO_TABLE_MESH_CELLS,
                                               w->view.start[c + 1] - w->view.start[c], nodes);
    }
    for (int64_t g = 0; status == RICO_OK && g < w->view.groups; g++) {
        rico_mesh_group group = rico_mesh_group_at(w->part->mesh, g);
        const void *cells[] = {group.cell};
        status = rico_archive_append_items(w->archive, w->first + RICO_TABLE_MESH_GROUPS, group.count, cells);
    }
    return status;
}


static rico_status append_laws(const writer *w)
{
    rico_status status = RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i < w->part->materials; i++) {
        const rico_elastic_material *m = &w->part->material[i];
        int64_t group = group_number(w, m->group);
        const void *values[] = {&group,    &m->density, &m->young,     &m->poisson, m->youngs, m->poissons,
                                m->shears, m->axes,     &m->thickness, &m->alpha,   &m->beta};
        status = rico_archive_append(w->archive, w->first + RICO_TABLE_MESH_MATERIALS, values);
    }
    for (int64_t i = 0; status == RICO_OK && i < w->part->supports; i++) {
        int64_t group = group_number(w, w->part->support[i].group),
                directions = (int64_t)w->part->support[i].directions;
        const void *values[] = {&group, &directions};
        status = rico_archive_append(w->archive, w->first + RICO_TABLE_MESH_SUPPORTS, values);
    }
    return status;
}


static rico_status append_reduction(const writer *w)
{
    rico_elastic_reduced reduced;
    rico_status status = RICO_OK;
    if (!rico_elastic_reduction_of(w->system, w->index, &reduced)) return RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i < w->part->reduction->groups; i++) {
        int64_t group = group_number(w, w->part->reduction->keep[i]);
        const void *values[] = {&group};
        status = rico_archive_append(w->archive, w->first + RICO_TABLE_MESH_KEEPS, values);
    }
    int64_t inner = reduced.full - reduced.kept;
    for (int64_t i = 0; status == RICO_OK && i < reduced.modes; i++) {
        const void *values[] = {reduced.shape + inner * i};
        status = rico_archive_append_items(w->archive, w->first + RICO_TABLE_MESH_MODES, inner, values);
    }
    return status;
}


rico_status rico_meshes_append(const rico_scene *scene, const rico_system *system, rico_archive *archive,
                               int64_t first)
{
    writer w = {.system = system, .archive = archive, .first = first};
    rico_status status = RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i < rico_scene_elastic_count(scene); i++) {
        w.part = rico_scene_elastic_part(scene, i, NULL, &w.index, &w.place);
        w.view = rico_mesh_look(w.part->mesh);
        status = append_mesh(&w);
        if (status == RICO_OK) status = append_nodes(&w);
        if (status == RICO_OK) status = append_cells(&w);
        if (status == RICO_OK) status = append_laws(&w);
        if (status == RICO_OK) status = append_reduction(&w);
    }
    for (int64_t i = 0; status == RICO_OK && i < rico_scene_touches(scene); i++) {
        rico_scene_touch_info touch = rico_scene_touch_at(scene, i);
        const void *values[] = {&touch.source, &touch.nodes, &touch.faces, touch.group};
        status = rico_archive_append(archive, first + RICO_TABLE_TOUCHES, values);
    }
    return status;
}
