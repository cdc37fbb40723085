// Faces of elements: those on the outside, and those that cells of lower dimension are.

#include "mesh/mesh.h"

#include "base/context.h"
#include "mesh/keys.h"

// Every face of every element once, with who has it.
typedef struct face_table {
    rico_keys keys;    // corners of faces
    int64_t *owner[2]; // 6 element + face of the first and second element that have it, + 1; 0: none
} face_table;


static void release(rico_context *ctx, face_table *table)
{
    rico_keys_release(&table->keys);
    rico_free(ctx, table->owner[0]);
    rico_free(ctx, table->owner[1]);
}


static rico_mesh_face face_of(const rico_mesh *mesh, int64_t element, int face)
{
    const rico_cell_info *cell = &rico_cells[mesh->kind[element]];
    rico_mesh_face f = {.element = element, .face = face, .kind = cell->face};
    for (int i = 0; i < rico_cells[cell->face].nodes; i++)
        f.node[i] = mesh->node[mesh->start[element] + cell->face_node[face][i]];
    return f;
}


// Enters one face of an element.
static rico_status enter(rico_context *ctx, const rico_mesh *mesh, int64_t element, int face,
                         face_table *table)
{
    rico_mesh_face f = face_of(mesh, element, face);
    int64_t number = rico_keys_number(&table->keys, rico_cells[f.kind].corners, f.node, true);
    if (number < 0) return RICO_NO_MEMORY;
    for (int side = 0; side < 2; side++)
        if (table->owner[side][number] == 0) {
            table->owner[side][number] = RICO_CELL_FACES * element + face + 1;
            return RICO_OK;
        }
    return rico_fail(ctx, RICO_BAD_INPUT,
                     "the elements %lld, %lld and %lld share one face; a face has two sides",
                     (long long)((table->owner[0][number] - 1) / RICO_CELL_FACES),
                     (long long)((table->owner[1][number] - 1) / RICO_CELL_FACES), (long long)element);
}


static rico_status tabulate(rico_context *ctx, const rico_mesh *mesh, face_table *table)
{
    int64_t count = 0;
    for (int64_t c = 0; c < mesh->cells; c++)
        if (rico_cells[mesh->kind[c]].dimension == mesh->dimension) count += rico_cells[mesh->kind[c]].faces;
    for (int side = 0; side < 2; side++) table->owner[side] = rico_alloc(ctx, count, sizeof(int64_t));
    if (!table->owner[0] || !table->owner[1] || !rico_keys_start(&table->keys, ctx, 4, count))
        return RICO_NO_MEMORY;
    rico_status status = RICO_OK;
    for (int64_t c = 0; status == RICO_OK && c < mesh->cells; c++) {
        if (rico_cells[mesh->kind[c]].dimension != mesh->dimension) continue;
        for (int f = 0; status == RICO_OK && f < rico_cells[mesh->kind[c]].faces; f++)
            status = enter(ctx, mesh, c, f, table);
    }
    return status;
}


// The first owners were entered by element and face, so that the numbers of faces go the same way.
static rico_status outside(rico_context *ctx, const rico_mesh *mesh, const face_table *table, int64_t *count,
                           rico_mesh_face **faces)
{
    int64_t outer = 0;
    for (int64_t i = 0; i < table->keys.count; i++) outer += table->owner[1][i] == 0;
    rico_mesh_face *list = rico_alloc(ctx, outer, sizeof *list);
    if (list == NULL) return RICO_NO_MEMORY;
    *count = 0;
    for (int64_t i = 0; i < table->keys.count; i++) {
        int64_t owner = table->owner[0][i] - 1;
        if (table->owner[1][i] == 0)
            list[(*count)++] = face_of(mesh, owner / RICO_CELL_FACES, (int)(owner % RICO_CELL_FACES));
    }
    *faces = list;
    return RICO_OK;
}


rico_status rico_mesh_boundary(rico_context *ctx, const rico_mesh *mesh, int64_t *count,
                               rico_mesh_face **faces)
{
    face_table table = {0};
    rico_status status = tabulate(ctx, mesh, &table);
    if (status == RICO_OK) status = outside(ctx, mesh, &table, count, faces);
    release(ctx, &table);
    return status;
}


static rico_status find_face(rico_context *ctx, const rico_mesh *mesh, const rico_mesh_set *group,
                             int64_t cell, face_table *table, rico_mesh_face *out)
{
    const rico_cell_info *kind = &rico_cells[mesh->kind[cell]];
    int64_t number = rico_keys_number(&table->keys, kind->corners, mesh->node + mesh->start[cell], false);
    int64_t owner = number < 0 ? -1 : table->owner[0][number] - 1;
    if (owner >= 0) *out = face_of(mesh, owner / RICO_CELL_FACES, (int)(owner % RICO_CELL_FACES));
    if (owner < 0 || out->kind != mesh->kind[cell])
        return rico_fail(ctx, RICO_BAD_INPUT, "cell %lld (%s) of the group '%s' is not a face of an element",
                         (long long)cell, kind->name, group->name);
    if (table->owner[1][number])
        return rico_fail(
            ctx, RICO_BAD_INPUT,
            "cell %lld (%s) of the group '%s' lies between the elements %lld and %lld and has no outside",
            (long long)cell, kind->name, group->name, (long long)out->element,
            (long long)((table->owner[1][number] - 1) / RICO_CELL_FACES));
    return RICO_OK;
}


rico_status rico_mesh_group_faces(rico_context *ctx, const rico_mesh *mesh, int64_t group, int64_t *count,
                                  rico_mesh_face **faces)
{
    if (group < 0 || group >= mesh->groups)
        return rico_fail(ctx, RICO_BAD_ARGUMENT, "group %lld does not exist; the mesh has %lld",
                         (long long)group, (long long)mesh->groups);
    const rico_mesh_set *set = &mesh->group[group];
    if (set->dimension != mesh->dimension - 1)
        return rico_fail(
            ctx, RICO_BAD_ARGUMENT,
            "the group '%s' has cells of dimension %d; faces of these elements have dimension %d", set->name,
            set->dimension, mesh->dimension - 1);
    face_table table = {0};
    rico_mesh_face *list = rico_alloc(ctx, set->count, sizeof *list);
    rico_status status = list ? tabulate(ctx, mesh, &table) : RICO_NO_MEMORY;
    for (int64_t i = 0; status == RICO_OK && i < set->count; i++)
        status = find_face(ctx, mesh, set, set->cell[i], &table, &list[i]);
    release(ctx, &table);
    if (status != RICO_OK) {
        rico_free(ctx, list);
        return status;
    }
    *count = set->count;
    *faces = list;
    return RICO_OK;
}


void rico_mesh_faces_free(rico_context *ctx, rico_mesh_face *faces)
{
    rico_free(ctx, faces);
}
