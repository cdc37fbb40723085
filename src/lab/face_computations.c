// Fields over a face of an elastic body at a time of a scene: what its contacts do there, node by node, on a grid and as lines of equal value.
//
//     base: {compute: elastic-face, given: {scene: cylinder.yaml, set: [mu=0.2], group: bottom}}
//
// The scene runs in memory. Columns of nodes: x, y, z at rest, displacements u_x, u_y, u_z, forces of contacts f_x, f_y, f_z and those over the
// share of the surface that the node stands for, t_x, t_y, t_z; pressure, slip (the length of the displacement along the face) and status (0 open,
// 1 sticks, 2 slips). A face in space has a grid, `across` and `along` of its own plane, with map_slip, map_pressure, map_u_1, map_u_2, map_t_1,
// map_t_2, and lines, line_slip_1 over line_slip_2 and so on.

#include "lab/computation.h"
#include "lab/face_field.h"
#include "ricochet/run.h"
#include "store/elastic_view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const rico_schema_key FACE[] = {
    {"scene", RICO_WANT_PATH, .flags = RICO_KEY_REQUIRED, .help = "the scene, beside the experiment"},
    {"set", RICO_WANT_TEXTS, .help = "parameters and keys of it: name=value"},
    {"part", RICO_WANT_TEXT, .help = "the elastic part; without it, the first"},
    {"group", RICO_WANT_TEXT, .flags = RICO_KEY_REQUIRED, .help = "of its faces"},
    {"at", RICO_WANT_REAL, .help = "time of the row that is taken; without it, the last"},
    {"places", RICO_WANT_INTEGER, .standard = "121", .low = 2, .high = 2000,
     .help = "of the grid along a side"},
    {"levels", RICO_WANT_INTEGER, .standard = "9", .low = 0, .high = 100, .help = "of lines of equal value"},
    {NULL},
};

static const char *const FIELDS[RICO_FACE_FIELDS] = {"slip", "pressure", "u_1", "u_2", "t_1", "t_2"};

// The face: its cells, its nodes in ascending order, and the axes of its plane.
typedef struct face {
    rico_context *ctx;
    const rico_viewed_mesh *mesh;
    rico_mesh_group group;
    int64_t count, *node;
    int axis[3]; // across, along, normal: extents fall
} face;


static void release(face *own)
{
    rico_free(own->ctx, own->node);
}


static rico_status find_nodes(face *own)
{
    rico_mesh_view look = rico_mesh_look(own->mesh->mesh);
    bool *there = rico_alloc(own->ctx, look.nodes, sizeof *there);
    own->node = rico_alloc(own->ctx, look.nodes, sizeof *own->node);
    if (there && own->node) {
        for (int64_t k = 0; k < own->group.count; k++)
            for (int64_t i = look.start[own->group.cell[k]]; i < look.start[own->group.cell[k] + 1]; i++)
                there[look.node[i]] = true;
        for (int64_t i = 0; i < look.nodes; i++)
            if (there[i]) own->node[own->count++] = i;
    }
    bool made = there && own->node;
    rico_free(own->ctx, there);
    return made ? RICO_OK : RICO_NO_MEMORY;
}


// The normal is the axis along which the face extends least; the two others in their order.
static void find_axes(face *own)
{
    double least = INFINITY;
    for (int a = 2; a >= 0; a--) {
        double low = INFINITY, high = -INFINITY;
        if (a == 2 && own->group.dimension == 1) continue; // in the plane
        for (int64_t k = 0; k < own->count; k++) {
            low = fmin(low, own->mesh->X[3 * own->node[k] + a]);
            high = fmax(high, own->mesh->X[3 * own->node[k] + a]);
        }
        if (high - low >= least) continue;
        least = high - low;
        own->axis[2] = a;
    }
    own->axis[0] = own->axis[2] == 0 ? 1 : 0;
    own->axis[1] = 3 - own->axis[0] - own->axis[2];
}


static double slip_of(const face *own, int64_t node)
{
    const double *u = own->mesh->displacement + 3 * node;
    return hypot(u[own->axis[0]], u[own->axis[1]]);
}


static double traction_of(const face *own, int64_t node, int axis)
{
    double area = own->mesh->area[node];
    return area > 0.0 ? own->mesh->force[3 * node + axis] / area : 0.0;
}


static rico_status add_nodes(const face *own, rico_sheet *sheet)
{
    static const char *const COORDINATES[] = {"x", "y", "z"};
    const rico_viewed_mesh *mesh = own->mesh;
    rico_status status = RICO_OK;
    double *to[4], *more[3];
    for (int a = 0; status == RICO_OK && a < 3; a++) {
        const char *form[] = {"%s", "u_%s", "f_%s", "t_%s"};
        for (int k = 0; status == RICO_OK && k < 4; k++) {
            char name[8];
            snprintf(name, sizeof name, form[k], COORDINATES[a]);
            status = rico_sheet_add(sheet, name, own->count, NULL, &to[k]);
        }
        for (int64_t i = 0; status == RICO_OK && i < own->count; i++) {
            int64_t node = own->node[i];
            to[0][i] = mesh->X[3 * node + a];
            to[1][i] = mesh->displacement[3 * node + a];
            to[2][i] = mesh->force[3 * node + a];
            to[3][i] = traction_of(own, node, a);
        }
    }
    static const char *const OTHERS[] = {"pressure", "slip", "status"};
    for (int k = 0; status == RICO_OK && k < 3; k++)
        status = rico_sheet_add(sheet, OTHERS[k], own->count, NULL, &more[k]);
    for (int64_t i = 0; status == RICO_OK && i < own->count; i++) {
        more[0][i] = mesh->pressure[own->node[i]];
        more[1][i] = slip_of(own, own->node[i]);
        more[2][i] = (double)mesh->status[own->node[i]];
    }
    return status;
}


static rico_status cut(const face *own, rico_face_triangles *out)
{
    rico_mesh_view look = rico_mesh_look(own->mesh->mesh);
    rico_status status = RICO_OK;
    for (int64_t k = 0; status == RICO_OK && k < own->group.count; k++) {
        int64_t cell = own->group.cell[k];
        rico_face_corner corner[RICO_CELL_NODES];
        for (int64_t i = look.start[cell]; i < look.start[cell + 1]; i++) {
            int64_t node = look.node[i];
            rico_face_corner *c = &corner[i - look.start[cell]];
            const double *X = own->mesh->X + 3 * node, *u = own->mesh->displacement + 3 * node;
            *c = (rico_face_corner){{X[own->axis[0]], X[own->axis[1]]},
                                    {slip_of(own, node), own->mesh->pressure[node], u[own->axis[0]],
                                     u[own->axis[1]], traction_of(own, node, own->axis[0]),
                                     traction_of(own, node, own->axis[1])}};
        }
        status = rico_face_add(out, (rico_cell_kind)look.kind[cell], corner);
    }
    return status;
}


static rico_status add_lines(const rico_face_triangles *triangles, int field, int64_t levels,
                             rico_sheet *sheet)
{
    int64_t rows = rico_face_lines(triangles, field, levels, NULL);
    double(*point)[2] = rico_alloc(sheet->ctx, rows, sizeof *point);
    double *to[2];
    rico_status status = point ? RICO_OK : RICO_NO_MEMORY;
    for (int a = 0; status == RICO_OK && a < 2; a++) {
        char name[RICO_SHEET_NAME];
        snprintf(name, sizeof name, "line_%s_%d", FIELDS[field], a + 1);
        status = rico_sheet_add(sheet, name, rows, NULL, &to[a]);
    }
    if (status == RICO_OK) rico_face_lines(triangles, field, levels, point);
    for (int64_t i = 0; status == RICO_OK && i < rows; i++)
        for (int a = 0; a < 2; a++) to[a][i] = point[i][a];
    rico_free(sheet->ctx, point);
    return status;
}


static rico_status add_pictures(const face *own, int64_t places, int64_t levels, rico_sheet *sheet)
{
    rico_face_triangles triangles = {.ctx = own->ctx};
    double *across = NULL, *along = NULL, *value[RICO_FACE_FIELDS];
    rico_status status = cut(own, &triangles);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "across", places * places, NULL, &across);
    if (status == RICO_OK) status = rico_sheet_add(sheet, "along", places * places, NULL, &along);
    for (int f = 0; status == RICO_OK && f < RICO_FACE_FIELDS; f++) {
        char name[RICO_SHEET_NAME];
        snprintf(name, sizeof name, "map_%s", FIELDS[f]);
        status = rico_sheet_add(sheet, name, places * places, NULL, &value[f]);
    }
    if (status == RICO_OK) rico_face_grid(&triangles, places, across, along, value);
    for (int f = 0; status == RICO_OK && f < RICO_FACE_FIELDS; f++)
        status = add_lines(&triangles, f, levels, sheet);
    rico_face_release(&triangles);
    return status;
}


static rico_status choose(rico_document *document, const rico_node *given, rico_elastic_view *view, face *own)
{
    const rico_node *part = rico_node_at(given, "part"), *group = rico_node_at(given, "group");
    for (int64_t i = 0; i < view->count && !own->mesh; i++)
        if (!part || strcmp(view->mesh[i].name, part->text) == 0) own->mesh = &view->mesh[i];
    if (!own->mesh) {
        rico_document_fail(document, part ? part : given, "the scene has no elastic part '%s'",
                           part ? part->text : "");
        return RICO_BAD_INPUT;
    }
    int64_t index = rico_mesh_group_find(own->mesh->mesh, group->text);
    if (index < 0)
        return rico_document_fail(document, group, "the mesh of '%s' has no group '%s'", own->mesh->name,
                                  group->text);
    own->group = rico_mesh_group_at(own->mesh->mesh, index);
    int dimension = rico_mesh_look(own->mesh->mesh).dimension;
    if (dimension < 2 || own->group.dimension != dimension - 1)
        return rico_document_fail(document, group,
                                  "the group '%s' is of no faces: edges in the plane, faces in space are "
                                  "expected",
                                  group->text);
    return RICO_OK;
}


static rico_status read_face(rico_document *document, const rico_node *given, rico_results *results,
                             rico_sheet *sheet)
{
    rico_elastic_view *view = NULL;
    face own = {.ctx = sheet->ctx};
    double t = rico_node_at(given, "at") ? rico_given_real(document, given, "at") : NAN;
    rico_status status = rico_elastic_view_open(sheet->ctx, results, &view);
    if (status == RICO_OK) status = choose(document, given, view, &own);
    if (status == RICO_OK) status = rico_elastic_view_read(view, rico_elastic_view_find(view, t));
    if (status == RICO_OK) status = find_nodes(&own);
    if (status == RICO_OK) {
        find_axes(&own);
        status = add_nodes(&own, sheet);
    }
    if (status == RICO_OK && own.group.dimension == 2)
        status = add_pictures(&own, rico_given_integer(document, given, "places"),
                              rico_given_integer(document, given, "levels"), sheet);
    release(&own);
    rico_elastic_view_destroy(view);
    return status;
}


static rico_status compute_face(rico_document *document, const rico_node *given, rico_sheet *sheet)
{
    const rico_node *set = rico_node_at(given, "set");
    int64_t count = 0;
    const char **overrides = rico_alloc(sheet->ctx, set ? set->count : 0, sizeof *overrides);
    rico_results *results = NULL;
    rico_runner_options options = rico_runner_defaults();
    rico_runner_result how;
    rico_status status = overrides ? RICO_OK : RICO_NO_MEMORY;
    if (status == RICO_OK)
        status = rico_document_path(document, rico_node_at(given, "scene"), &options.scene);
    for (const rico_node *one = set ? set->first : NULL; status == RICO_OK && one; one = one->next)
        overrides[count++] = one->text;
    options.override_count = count;
    options.overrides = overrides;
    options.results = &results;
    if (status == RICO_OK) status = rico_runner_run(sheet->ctx, &options, &how);
    if (status == RICO_OK && !how.finished)
        status = rico_fail(sheet->ctx, RICO_INTERRUPTED, "the scene stopped at t = %g", how.t);
    if (status == RICO_OK) status = read_face(document, given, results, sheet);
    rico_results_destroy(results);
    rico_free(sheet->ctx, overrides);
    return status;
}


const rico_computation rico_face_computations[] = {
    {"elastic-face", "what contacts do on a face of an elastic part of a scene, node by node and as fields",
     FACE, compute_face},
    {NULL, NULL, NULL, NULL},
};
