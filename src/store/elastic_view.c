// The elastic parts of a result file: what the tables of meshes hold, made into meshes and parts again.

#include "store/elastic_view.h"

#include "base/context.h"
#include "la/vec3.h"
#include "store/elastic_view_row.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Places in rico_viewed_mesh.number.
enum {
    NODE,
    NODES,
    CELL,
    CELLS,
    GROUP,
    GROUPS,
    MATERIAL,
    MATERIALS,
    SUPPORT,
    SUPPORTS,
    Q,
    V,
    DIMENSION,
    MODEL,
    REMEDY,
    LUMPED,
    TURNING,
    REDUCED,
    KEEP,
    KEEPS,
    MODE,
    MODES,
    NUMBERS
};


static rico_status broken(const rico_elastic_view *view, const char *what)
{
    return rico_fail(view->ctx, RICO_BAD_INPUT, "the elastic parts in it are broken: %s", what);
}


bool rico_elastic_view_there(const rico_results *results)
{
    return rico_results_find_table(results, "meshes") >= 0;
}


rico_status rico_elastic_view_column(rico_elastic_view *view, const char *table, const char *column,
                                     int64_t first, int64_t count, void *out)
{
    int64_t t = rico_results_find_table(view->results, table);
    int64_t c = t >= 0 ? rico_results_find_column(view->results, t, column) : -1;
    if (c < 0) return broken(view, table);
    if (count == 0) return RICO_OK;
    if (first < 0 || count < 0 || first + count > rico_results_items(view->results, t))
        return broken(view, "rows are missing");
    return rico_results_read(view->results, t, c, first, count, out);
}


static const char *note_of(const rico_results *results, const char *name)
{
    for (int64_t i = 0; i < rico_results_note_count(results); i++)
        if (strcmp(rico_results_note(results, i)->name, name) == 0 && rico_results_note(results, i)->text)
            return rico_results_note(results, i)->text;
    return "";
}


// Line `index` of a note; false past the last.
static bool line_of(const char *text, int64_t index, char *out, size_t size)
{
    for (; index > 0 && text; index--) {
        text = strchr(text, '\n');
        if (text) text++;
    }
    if (!text || !*text) return false;
    snprintf(out, size, "%.*s", (int)strcspn(text, "\n"), text);
    return true;
}


// --- one mesh ----------------------------------------------------------------------------------------------------

// What a mesh says it has must be in the tables, before room is made for it.
static rico_status check_counts(const rico_elastic_view *view, const rico_viewed_mesh *own)
{
    static const struct {
        int first; // the count stands behind it
        const char *table;
    } ALL[] = {{NODE, "mesh_nodes"},         {CELL, "mesh_kinds"},       {GROUP, "mesh_groups"},
               {MATERIAL, "mesh_materials"}, {SUPPORT, "mesh_supports"}, {KEEP, "mesh_keeps"},
               {MODE, "mesh_modes"}};
    for (int i = 0; i < NUMBERS; i++)
        if (own->number[i] < 0 || own->number[i] > INT64_MAX / 64) return broken(view, "numbers of a mesh");
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL; i++) {
        int64_t table = rico_results_find_table(view->results, ALL[i].table),
                first = own->number[ALL[i].first], count = own->number[ALL[i].first + 1];
        if (count > 0 && (table < 0 || first + count > rico_results_rows(view->results, table)))
            return broken(view, ALL[i].table);
    }
    return RICO_OK;
}


static rico_status read_row(rico_elastic_view *view, int64_t m)
{
    static const char *const COLUMNS[NUMBERS] = {
        "node",    "nodes",    "cell", "cells", "group",     "groups", "material", "materials",
        "support", "supports", "q",    "v",     "dimension", "model",  "remedy",   "lumped",
        "turning", "reduced",  "keep", "keeps", "mode",      "modes"};
    rico_viewed_mesh *own = &view->mesh[m];
    rico_status status = RICO_OK;
    // files from before there were reductions say nothing of them
    bool told = rico_results_find_column(view->results, rico_results_find_table(view->results, "meshes"),
                                         COLUMNS[REDUCED]) >= 0;
    for (int i = 0; status == RICO_OK && i < (told ? NUMBERS : REDUCED); i++)
        status = rico_elastic_view_column(view, "meshes", COLUMNS[i], m, 1, &own->number[i]);
    if (status == RICO_OK)
        status = rico_elastic_view_column(view, "meshes", "position", m, 1, own->part.position);
    if (status == RICO_OK)
        status = rico_elastic_view_column(view, "meshes", "rotation", m, 1, own->part.rotation);
    if (status == RICO_OK && !line_of(note_of(view->results, "meshes"), m, own->name, sizeof own->name))
        status = broken(view, "a mesh has no name");
    if (status == RICO_OK) status = check_counts(view, own);
    own->nodes = own->number[NODES];
    return status;
}


// Arrays of a mesh on their way to rico_mesh_create().
typedef struct draft {
    double *x;
    int64_t *kind, *start, *node, *cell;
    unsigned char *small;
    rico_mesh_group *group;
    char *names;
} draft;

enum { NAME = 128 };

static rico_status read_groups(rico_elastic_view *view, const rico_viewed_mesh *own, draft *d)
{
    int64_t table = rico_results_find_table(view->results, "mesh_groups"), groups = own->number[GROUPS];
    d->group = rico_alloc(view->ctx, groups, sizeof *d->group);
    d->names = rico_alloc(view->ctx, groups * NAME, 1);
    int64_t *start = rico_alloc(view->ctx, groups + 1, sizeof *start);
    rico_status status = d->group && d->names && start ? RICO_OK : RICO_NO_MEMORY;
    if (status == RICO_OK && table < 0) status = broken(view, "mesh_groups");
    if (status == RICO_OK && groups > 0)
        status = rico_results_starts(view->results, table, own->number[GROUP], groups, start);
    if (status == RICO_OK) {
        d->cell = rico_alloc(view->ctx, start[groups] - start[0], sizeof *d->cell);
        status = d->cell ? rico_elastic_view_column(view, "mesh_groups", "cell", start[0],
                                                    start[groups] - start[0], d->cell)
                         : RICO_NO_MEMORY;
    }
    for (int64_t g = 0; status == RICO_OK && g < groups; g++) {
        char *name = d->names + g * NAME;
        if (!line_of(note_of(view->results, "mesh_groups"), own->number[GROUP] + g, name, NAME))
            status = broken(view, "a group has no name");
        d->group[g] = (rico_mesh_group){
            .name = name, .count = start[g + 1] - start[g], .cell = d->cell + (start[g] - start[0])};
    }
    rico_free(view->ctx, start);
    return status;
}


static rico_status read_cells(rico_elastic_view *view, const rico_viewed_mesh *own, draft *d)
{
    int64_t table = rico_results_find_table(view->results, "mesh_cells"), cells = own->number[CELLS];
    d->kind = rico_alloc(view->ctx, cells, sizeof *d->kind);
    d->small = rico_alloc(view->ctx, cells, 1);
    d->start = rico_alloc(view->ctx, cells + 1, sizeof *d->start);
    rico_status status = d->kind && d->small && d->start ? RICO_OK : RICO_NO_MEMORY;
    if (status == RICO_OK && (table < 0 || cells < 1)) status = broken(view, "mesh_cells");
    if (status == RICO_OK)
        status = rico_elastic_view_column(view, "mesh_kinds", "kind", own->number[CELL], cells, d->kind);
    if (status == RICO_OK)
        status = rico_results_starts(view->results, table, own->number[CELL], cells, d->start);
    if (status != RICO_OK) return status;
    d->node = rico_alloc(view->ctx, d->start[cells] - d->start[0], sizeof *d->node);
    if (!d->node) return RICO_NO_MEMORY;
    for (int64_t c = 0; c < cells; c++) {
        static const int NODES_OF[RICO_CELL_KINDS] = {1, 2, 3, 3, 6, 4, 8, 4, 10, 8};
        if (d->kind[c] < 0 || d->kind[c] >= RICO_CELL_KINDS ||
            d->start[c + 1] - d->start[c] != NODES_OF[d->kind[c]])
            return broken(view, "a cell is of no known kind");
        d->small[c] = (unsigned char)d->kind[c];
    }
    return rico_elastic_view_column(view, "mesh_cells", "node", d->start[0], d->start[cells] - d->start[0],
                                    d->node);
}


static rico_status make_mesh(rico_elastic_view *view, rico_viewed_mesh *own)
{
    rico_context *ctx = view->ctx;
    draft d = {.x = rico_alloc(ctx, 3 * own->nodes, sizeof(double))};
    rico_status status =
        d.x ? rico_elastic_view_column(view, "mesh_nodes", "x", own->number[NODE], own->nodes, d.x)
            : RICO_NO_MEMORY;
    if (status == RICO_OK) status = read_cells(view, own, &d);
    if (status == RICO_OK) status = read_groups(view, own, &d);
    if (status == RICO_OK) {
        const rico_mesh_arrays arrays = {.dimension = (int)own->number[DIMENSION],
                                         .nodes = own->nodes,
                                         .position = d.x,
                                         .cells = own->number[CELLS],
                                         .kind = d.small,
                                         .node = d.node,
                                         .groups = own->number[GROUPS],
                                         .group = d.group};
        status = rico_mesh_create(ctx, &arrays, &own->mesh);
    }
    if (status == RICO_OK && rico_mesh_look(own->mesh).nodes != own->nodes)
        status = broken(view, "nodes that no element uses");
    void *all[] = {d.x, d.kind, d.small, d.start, d.node, d.cell, d.group, d.names};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
    return status;
}


static const char *group_name(const rico_viewed_mesh *own, int64_t index)
{
    return index >= 0 && index < rico_mesh_look(own->mesh).groups ? rico_mesh_group_at(own->mesh, index).name
                                                                  : NULL;
}


static rico_status read_materials(rico_elastic_view *view, rico_viewed_mesh *own)
{
    int64_t count = own->number[MATERIALS];
    own->material = rico_alloc(view->ctx, count, sizeof *own->material);
    own->support = rico_alloc(view->ctx, own->number[SUPPORTS], sizeof *own->support);
    rico_status status = own->material && own->support ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t i = 0; status == RICO_OK && i < count; i++) {
        rico_elastic_material *m = &own->material[i];
        int64_t group = -1;
        const struct {
            const char *column;
            void *to;
        } all[] = {{"group", &group},        {"density", &m->density}, {"young", &m->young},
                   {"poisson", &m->poisson}, {"youngs", m->youngs},    {"poissons", m->poissons},
                   {"shears", m->shears},    {"axes", m->axes},        {"thickness", &m->thickness},
                   {"alpha", &m->alpha},     {"beta", &m->beta}};
        for (size_t k = 0; status == RICO_OK && k < sizeof all / sizeof *all; k++)
            status = rico_elastic_view_column(view, "mesh_materials", all[k].column,
                                              own->number[MATERIAL] + i, 1, all[k].to);
        m->group = group_name(own, group);
    }
    for (int64_t i = 0; status == RICO_OK && i < own->number[SUPPORTS]; i++) {
        int64_t group = -1, directions = 0, row = own->number[SUPPORT] + i;
        status = rico_elastic_view_column(view, "mesh_supports", "group", row, 1, &group);
        if (status == RICO_OK)
            status = rico_elastic_view_column(view, "mesh_supports", "directions", row, 1, &directions);
        own->support[i] = (rico_elastic_support){group_name(own, group), (unsigned)directions & 7U};
        if (status == RICO_OK && !own->support[i].group) status = broken(view, "a support has no group");
    }
    return status;
}


// Groups that a reduction keeps, and its modes.
static rico_status read_reduction(rico_elastic_view *view, rico_viewed_mesh *own)
{
    rico_context *ctx = view->ctx;
    int64_t keeps = own->number[KEEPS], modes = own->number[MODES], group, size = 0,
            table = rico_results_find_table(view->results, "mesh_modes");
    if (own->number[REDUCED] == 0) return RICO_OK;
    own->keep = rico_alloc(ctx, keeps, sizeof *own->keep);
    int64_t *start = rico_alloc(ctx, modes + 1, sizeof *start);
    rico_status status = own->keep && start ? RICO_OK : RICO_NO_MEMORY;
    for (int64_t i = 0; status == RICO_OK && i < keeps; i++) {
        status = rico_elastic_view_column(view, "mesh_keeps", "group", own->number[KEEP] + i, 1, &group);
        if (status == RICO_OK && !(own->keep[i] = group_name(own, group)))
            status = broken(view, "a reduction keeps no group");
    }
    if (status == RICO_OK && table < 0) status = broken(view, "mesh_modes");
    if (status == RICO_OK && modes > 0)
        status = rico_results_starts(view->results, table, own->number[MODE], modes, start);
    if (status == RICO_OK && modes > 0) size = start[1] - start[0];
    for (int64_t i = 0; status == RICO_OK && i < modes; i++)
        if (start[i + 1] - start[i] != size) status = broken(view, "modes of a reduction");
    if (status == RICO_OK) own->shape = rico_alloc(ctx, size * modes, sizeof *own->shape);
    if (status == RICO_OK)
        status = own->shape ? rico_elastic_view_column(view, "mesh_modes", "value", start[0], size * modes,
                                                       own->shape)
                            : RICO_NO_MEMORY;
    own->reduction = (rico_elastic_reduction){.modes = modes, .groups = keeps, .keep = own->keep};
    if (modes > 0) own->reduction.shape = own->shape, own->reduction.shape_size = size;
    own->part.reduction = &own->reduction;
    rico_free(ctx, start);
    return status;
}


// The part alone in a system of its own: what stresses are asked of.
static rico_status make_part(rico_elastic_view *view, rico_viewed_mesh *own)
{
    own->part.mesh = own->mesh;
    own->part.hypothesis = (rico_hypothesis)own->number[MODEL];
    own->part.remedy = (rico_remedy)own->number[REMEDY];
    own->part.lumped = own->number[LUMPED] != 0;
    own->part.turning = own->number[TURNING] != 0;
    own->part.materials = own->number[MATERIALS];
    own->part.material = own->material;
    own->part.supports = own->number[SUPPORTS];
    own->part.support = own->support;
    rico_status status = rico_system_create(view->ctx, &own->system);
    if (status == RICO_OK) status = rico_system_add_elastic(own->system, own->name, &own->part, &own->place);
    if (status == RICO_OK &&
        (own->number[Q] + own->place.q_size > view->nq || own->number[V] + own->place.v_size > view->nv))
        status = broken(view, "the state has fewer positions than the meshes need");
    return status;
}


static rico_status reserve(rico_elastic_view *view, rico_viewed_mesh *own)
{
    rico_context *ctx = view->ctx;
    int64_t n = own->nodes;
    double **const triples[] = {&own->X, &own->position, &own->displacement, &own->velocity, &own->force};
    double **const singles[] = {&own->area, &own->von_mises, &own->pressure};
    bool all = true;
    for (size_t i = 0; i < sizeof triples / sizeof *triples; i++)
        all &= (*triples[i] = rico_alloc(ctx, 3 * n, sizeof(double))) != NULL;
    for (size_t i = 0; i < sizeof singles / sizeof *singles; i++)
        all &= (*singles[i] = rico_alloc(ctx, n, sizeof(double))) != NULL;
    all &= (own->stress = rico_alloc(ctx, 6 * n, sizeof(double))) != NULL;
    all &= (own->coordinate = rico_alloc(ctx, 3 * n, sizeof(int64_t))) != NULL;
    all &= (own->status = rico_alloc(ctx, n, sizeof(int64_t))) != NULL;
    if (!all) return RICO_NO_MEMORY;
    rico_status status = rico_elastic_view_column(view, "mesh_nodes", "place", own->number[NODE], n, own->X);
    if (status == RICO_OK)
        status =
            rico_elastic_view_column(view, "mesh_nodes", "coordinate", own->number[NODE], n, own->coordinate);
    for (int64_t i = 0; status == RICO_OK && i < 3 * n; i++)
        if (own->coordinate[i] >= view->nq) status = broken(view, "a node has a coordinate that is none");
    return status;
}


static rico_status open_mesh(rico_elastic_view *view, int64_t m)
{
    rico_status status = read_row(view, m);
    if (status == RICO_OK) status = make_mesh(view, &view->mesh[m]);
    if (status == RICO_OK) status = read_materials(view, &view->mesh[m]);
    if (status == RICO_OK) status = read_reduction(view, &view->mesh[m]);
    if (status == RICO_OK) status = make_part(view, &view->mesh[m]);
    if (status == RICO_OK) status = reserve(view, &view->mesh[m]);
    return status;
}


// --- all of them ---------------------------------------------------------------------------------------------------

static rico_status measure(rico_elastic_view *view)
{
    int64_t state = rico_results_find_table(view->results, "state");
    int64_t q = state >= 0 ? rico_results_find_column(view->results, state, "q") : -1,
            v = state >= 0 ? rico_results_find_column(view->results, state, "v") : -1;
    if (q < 0 || v < 0) return broken(view, "there are no states");
    view->nq = rico_results_table(view->results, state)->columns[q].width;
    view->nv = rico_results_table(view->results, state)->columns[v].width;
    view->rows = rico_results_rows(view->results, state);
    view->q = rico_alloc(view->ctx, view->nq, sizeof *view->q);
    view->v = rico_alloc(view->ctx, view->nv, sizeof *view->v);
    view->time = rico_alloc(view->ctx, view->rows, sizeof *view->time);
    if (!view->q || !view->v || !view->time) return RICO_NO_MEMORY;
    return rico_elastic_view_column(view, "state", "t", 0, view->rows, view->time);
}


static rico_status read_touches(rico_elastic_view *view)
{
    int64_t table = rico_results_find_table(view->results, "touches");
    if (table < 0) return broken(view, "touches");
    view->touch_count = rico_results_rows(view->results, table);
    view->touch = rico_alloc(view->ctx, view->touch_count, sizeof *view->touch);
    if (!view->touch) return RICO_NO_MEMORY;
    rico_status status = RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i < view->touch_count; i++) {
        rico_viewed_touch *own = &view->touch[i];
        status = rico_elastic_view_column(view, "touches", "source", i, 1, &own->source);
        if (status == RICO_OK) status = rico_elastic_view_column(view, "touches", "nodes", i, 1, &own->nodes);
        if (status == RICO_OK) status = rico_elastic_view_column(view, "touches", "faces", i, 1, &own->faces);
        if (status == RICO_OK) status = rico_elastic_view_column(view, "touches", "group", i, 1, own->group);
        if (status == RICO_OK && (own->nodes < 0 || own->nodes >= view->count || own->faces >= view->count))
            status = broken(view, "a contact is of a mesh that is not there");
        if (status == RICO_OK) status = rico_elastic_view_areas(view, own);
    }
    return status;
}


rico_status rico_elastic_view_open(rico_context *ctx, rico_results *results, rico_elastic_view **out)
{
    int64_t table = rico_results_find_table(results, "meshes");
    if (table < 0) return rico_fail(ctx, RICO_BAD_INPUT, "there are no elastic parts in it");
    rico_elastic_view *view = rico_alloc(ctx, 1, sizeof *view);
    if (!view) return RICO_NO_MEMORY;
    view->ctx = ctx;
    view->results = results;
    view->count = rico_results_rows(results, table);
    view->mesh = rico_alloc(ctx, view->count, sizeof *view->mesh);
    rico_status status = view->mesh ? measure(view) : RICO_NO_MEMORY;
    for (int64_t m = 0; status == RICO_OK && m < view->count; m++) status = open_mesh(view, m);
    if (status == RICO_OK) status = read_touches(view);
    if (status != RICO_OK) {
        rico_elastic_view_destroy(view);
        return status;
    }
    *out = view;
    return RICO_OK;
}


void rico_elastic_view_destroy(rico_elastic_view *view)
{
    if (!view) return;
    rico_context *ctx = view->ctx;
    for (int64_t m = 0; view->mesh && m < view->count; m++) {
        rico_viewed_mesh *own = &view->mesh[m];
        rico_system_destroy(own->system);
        rico_mesh_destroy(own->mesh);
        void *all[] = {own->material, own->support,      own->X,        own->coordinate, own->area,
                       own->position, own->displacement, own->velocity, own->stress,     own->von_mises,
                       own->force,    own->pressure,     own->status,   own->shape,      (void *)own->keep};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
    }
    void *all[] = {view->mesh, view->touch, view->q, view->v, view->time};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
    rico_free(ctx, view);
}


int64_t rico_elastic_view_find(const rico_elastic_view *view, double t)
{
    int64_t row = view->rows - 1;
    for (int64_t i = 0; !isnan(t) && i < view->rows; i++)
        if (fabs(view->time[i] - t) < fabs(view->time[row] - t)) row = i;
    return row;
}
