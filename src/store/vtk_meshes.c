// Elastic parts for ParaView: a VTU file for each part and row, and a collection for each part.

#include "base/context.h"
#include "base/paths.h"
#include "store/elastic_view.h"
#include "store/target.h"
#include "store/vtk.h"

#include <stdio.h>

typedef struct mesh_writer {
    rico_context *ctx;
    rico_elastic_view *view;
    const char *folder;
    int digits;
} mesh_writer;

enum { FIELD_COUNT = 7, FILE_NAME = 128 };


static rico_status write_mesh(const mesh_writer *w, const rico_viewed_mesh *own, int64_t row)
{
    const rico_mesh_field fields[FIELD_COUNT] = {{"displacement", 3, own->displacement, NULL},
                                                 {"velocity", 3, own->velocity, NULL},
                                                 {"stress", 6, own->stress, NULL},
                                                 {"von Mises", 1, own->von_mises, NULL},
                                                 {"contact force", 3, own->force, NULL},
                                                 {"contact pressure", 1, own->pressure, NULL},
                                                 {"contact status", 1, NULL, own->status}};
    const rico_mesh_output output = {.position = own->position,
                                     .elements_only = true,
                                     .time = &w->view->time[row],
                                     .node_fields = FIELD_COUNT,
                                     .node_field = fields};
    char name[FILE_NAME], *path = NULL;
    snprintf(name, sizeof name, "%s-%0*lld.vtu", own->name, w->digits, (long long)row);
    rico_status status = rico_path_join(w->ctx, w->folder, name, &path);
    if (status == RICO_OK) status = rico_target_check(w->ctx, path, RICO_TARGET_VTK, NULL, NULL);
    if (status == RICO_OK) status = rico_mesh_write_vtu(w->ctx, own->mesh, &output, path);
    rico_free(w->ctx, path);
    return status;
}


static rico_status write_collection(const mesh_writer *w, const rico_viewed_mesh *own)
{
    rico_target target = {0};
    char name[FILE_NAME], *path = NULL;
    snprintf(name, sizeof name, "%s.pvd", own->name);
    rico_status status = rico_path_join(w->ctx, w->folder, name, &path);
    if (status == RICO_OK) status = rico_target_open(w->ctx, path, RICO_TARGET_VTK, &target);
    if (status == RICO_OK) {
        fprintf(target.out, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
                            "byte_order=\"LittleEndian\">\n<Collection>\n");
        for (int64_t row = 0; row < w->view->rows; row++)
            fprintf(target.out, "<DataSet timestep=\"%.17g\" part=\"0\" file=\"%s-%0*lld.vtu\"/>\n",
                    w->view->time[row], own->name, w->digits, (long long)row);
        fprintf(target.out, "</Collection>\n</VTKFile>\n");
        status = rico_target_close(&target, RICO_OK);
    }
    rico_free(w->ctx, path);
    return status;
}


rico_status rico_vtk_write_meshes(rico_context *ctx, rico_results *results, const char *folder, int64_t *rows)
{
    mesh_writer w = {.ctx = ctx, .folder = folder};
    rico_status status = rico_elastic_view_open(ctx, results, &w.view);
    if (status != RICO_OK) return status;
    *rows = w.view->rows;
    w.digits = snprintf(NULL, 0, "%lld", (long long)w.view->rows);
    status = rico_path_make_folder(ctx, folder);
    for (int64_t row = 0; status == RICO_OK && row < w.view->rows; row++) {
        if (rico_context_interrupted(ctx)) status = rico_fail(ctx, RICO_INTERRUPTED, "stopped");
        if (status == RICO_OK) status = rico_elastic_view_read(w.view, row);
        for (int64_t m = 0; status == RICO_OK && m < w.view->count; m++)
            status = write_mesh(&w, &w.view->mesh[m], row);
    }
    for (int64_t m = 0; status == RICO_OK && m < w.view->count; m++)
        status = write_collection(&w, &w.view->mesh[m]);
    rico_elastic_view_destroy(w.view);
    return status;
}
