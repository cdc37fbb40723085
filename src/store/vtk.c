// Rigid bodies for ParaView, as VTK's XML files.
//
// Numbers are text, in digits that read back as the same. Cells are polygons (7 in VTK's table), vertices (1) or lines (4).

#include "store/vtk.h"

#include "base/context.h"
#include "base/paths.h"
#include "store/body_surface.h"
#include "store/target.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { AROUND = 24, POLYGON = 7, VERTEX = 1, LINE = 4 };

typedef struct vtk_writer {
    rico_context *ctx;
    rico_body_view *view;
    const char *folder;
    int64_t rows;
    int digits; // of the numbers in names
    double *time;
    rico_stand *stand;
    double *velocity;
    rico_polygons polygons;
    int64_t *face_body, *vertex_body; // how many faces and vertices there are up to each body
    double span, middle[3];
} vtk_writer;


static rico_status open_file(const vtk_writer *w, const char *name, char **path, rico_target *out)
{
    rico_status status = rico_path_join(w->ctx, w->folder, name, path);
    return status == RICO_OK ? rico_target_open(w->ctx, *path, RICO_TARGET_VTK, out) : status;
}


static void begin(FILE *out, const char *type)
{
    fprintf(out,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"%s\" version=\"1.0\" byte_order=\"LittleEndian\">\n",
            type);
}


static void begin_array(FILE *out, const char *type, const char *name, int components)
{
    fprintf(out, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"ascii\">\n", type,
            name, components);
}


static void end_array(FILE *out)
{
    fprintf(out, "</DataArray>\n");
}


static void numbers(FILE *out, int count, const double *x)
{
    for (int i = 0; i < count; i++) fprintf(out, "%.17g%c", x[i], i + 1 < count ? ' ' : '\n');
}


// --- bodies --------------------------------------------------------------------------------------------------------

static rico_status gather(vtk_writer *w)
{
    rico_polygons_clear(&w->polygons);
    rico_status status = RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i < w->view->body_count; i++) {
        const rico_viewed_body *body = &w->view->body[i];
        for (int64_t s = body->shape; status == RICO_OK && s < body->shape + body->shapes; s++) {
            rico_stand stand = rico_stand_within(&w->stand[i], &w->view->shape[s].stand);
            status = rico_polygons_add(&w->polygons, w->view, &w->view->shape[s], &stand, AROUND, w->span,
                                       w->middle);
        }
        w->face_body[i] = w->polygons.faces;
        w->vertex_body[i] = w->polygons.vertices;
    }
    return status;
}


// v + w x r about the center of mass of its body.
static void velocity_at(const vtk_writer *w, int64_t body, const double x[3], double v[3])
{
    double center[3], r[3];
    const double *of = w->velocity + 6 * body, *spin = of + 3;
    rico_stand_point(&w->stand[body], w->view->body[body].center, center);
    for (int i = 0; i < 3; i++) r[i] = x[i] - center[i];
    v[0] = of[0] + spin[1] * r[2] - spin[2] * r[1];
    v[1] = of[1] + spin[2] * r[0] - spin[0] * r[2];
    v[2] = of[2] + spin[0] * r[1] - spin[1] * r[0];
}


static void write_point_velocities(const vtk_writer *w, FILE *out)
{
    int64_t body = 0;
    begin_array(out, "Float64", "velocity", 3);
    for (int64_t k = 0; k < w->polygons.vertices; k++) {
        double v[3];
        while (w->vertex_body[body] <= k) body++;
        velocity_at(w, body, w->polygons.vertex + 3 * k, v);
        numbers(out, 3, v);
    }
    end_array(out);
}


static void write_cell_data(const vtk_writer *w, FILE *out)
{
    static const char *const NAMES[] = {"body", "type"};
    for (int pass = 0; pass < 2; pass++) {
        int64_t body = 0;
        begin_array(out, "Int64", NAMES[pass], 1);
        for (int64_t f = 0; f < w->polygons.faces; f++) {
            while (w->face_body[body] <= f) body++;
            fprintf(out, "%lld\n", (long long)(pass == 0 ? body : w->view->body[body].type));
        }
        end_array(out);
    }
    int64_t body = 0;
    begin_array(out, "Float64", "mass", 1);
    for (int64_t f = 0; f < w->polygons.faces; f++) {
        while (w->face_body[body] <= f) body++;
        numbers(out, 1, &w->view->body[body].mass);
    }
    end_array(out);
}


static void write_cells(const vtk_writer *w, FILE *out)
{
    const rico_polygons *p = &w->polygons;
    begin_array(out, "Int64", "connectivity", 1);
    for (int64_t k = 0; k < p->corners; k++) fprintf(out, "%lld\n", (long long)p->corner[k]);
    end_array(out);
    begin_array(out, "Int64", "offsets", 1);
    for (int64_t f = 0; f < p->faces; f++) fprintf(out, "%lld\n", (long long)p->face_end[f]);
    end_array(out);
    begin_array(out, "UInt8", "types", 1);
    for (int64_t f = 0; f < p->faces; f++) fprintf(out, "%d\n", POLYGON);
    end_array(out);
}


static void write_points(FILE *out, int64_t count, const double *x)
{
    fprintf(out, "<Points>\n");
    begin_array(out, "Float64", "points", 3);
    for (int64_t k = 0; k < count; k++) numbers(out, 3, x + 3 * k);
    end_array(out);
    fprintf(out, "</Points>\n");
}


static rico_status write_bodies(vtk_writer *w, const char *name)
{
    rico_target target = {0};
    char *path = NULL;
    rico_status status = gather(w);
    if (status == RICO_OK) status = open_file(w, name, &path, &target);
    if (status == RICO_OK) {
        FILE *out = target.out;
        begin(out, "UnstructuredGrid");
        fprintf(out, "<UnstructuredGrid>\n<Piece NumberOfPoints=\"%lld\" NumberOfCells=\"%lld\">\n",
                (long long)w->polygons.vertices, (long long)w->polygons.faces);
        fprintf(out, "<PointData>\n");
        write_point_velocities(w, out);
        fprintf(out, "</PointData>\n<CellData>\n");
        write_cell_data(w, out);
        fprintf(out, "</CellData>\n");
        write_points(out, w->polygons.vertices, w->polygons.vertex);
        fprintf(out, "<Cells>\n");
        write_cells(w, out);
        fprintf(out, "</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
        status = rico_target_close(&target, RICO_OK);
    }
    rico_free(w->ctx, path);
    return status;
}


// --- contacts ------------------------------------------------------------------------------------------------------

static void write_contact_vectors(FILE *out, int64_t count, const rico_viewed_contact *contact)
{
    begin_array(out, "Float64", "impulse", 3);
    for (int64_t i = 0; i < count; i++) {
        const double *f = contact[i].frame, *p = contact[i].impulse;
        const double x[3] = {f[0] * p[0] + f[3] * p[1] + f[6] * p[2], f[1] * p[0] + f[4] * p[1] + f[7] * p[2],
                             f[2] * p[0] + f[5] * p[1] + f[8] * p[2]};
        numbers(out, 3, x);
    }
    end_array(out);
    begin_array(out, "Float64", "normal", 3);
    for (int64_t i = 0; i < count; i++) numbers(out, 3, contact[i].frame);
    end_array(out);
    begin_array(out, "Float64", "gap", 1);
    for (int64_t i = 0; i < count; i++) numbers(out, 1, &contact[i].gap);
    end_array(out);
}


static void write_contact_numbers(FILE *out, int64_t count, const rico_viewed_contact *contact)
{
    static const struct {
        const char *name;
        size_t place;
    } ALL[] = {{"body_a", offsetof(rico_viewed_contact, body_a)},
               {"body_b", offsetof(rico_viewed_contact, body_b)},
               {"state", offsetof(rico_viewed_contact, state)}};
    for (size_t k = 0; k < sizeof ALL / sizeof *ALL; k++) {
        begin_array(out, "Int64", ALL[k].name, 1);
        for (int64_t i = 0; i < count; i++) {
            int64_t value;
            memcpy(&value, (const char *)&contact[i] + ALL[k].place, sizeof value);
            fprintf(out, "%lld\n", (long long)value);
        }
        end_array(out);
    }
}


static void write_vertices(FILE *out, int64_t count, const rico_viewed_contact *contact)
{
    fprintf(out, "<Points>\n");
    begin_array(out, "Float64", "points", 3);
    for (int64_t i = 0; i < count; i++) {
        double x[3];
        for (int k = 0; k < 3; k++) x[k] = 0.5 * (contact[i].a[k] + contact[i].b[k]);
        numbers(out, 3, x);
    }
    end_array(out);
    fprintf(out, "</Points>\n<Cells>\n");
    static const char *const NAMES[] = {"connectivity", "offsets", "types"};
    for (int pass = 0; pass < 3; pass++) {
        begin_array(out, pass < 2 ? "Int64" : "UInt8", NAMES[pass], 1);
        for (int64_t i = 0; i < count; i++)
            fprintf(out, "%lld\n", pass == 2 ? (long long)VERTEX : (long long)i + pass);
        end_array(out);
    }
    fprintf(out, "</Cells>\n");
}


static rico_status write_contacts(vtk_writer *w, int64_t row, const char *name)
{
    rico_target target = {0};
    rico_viewed_contact *contact = NULL;
    char *path = NULL;
    int64_t count;
    rico_status status = rico_body_view_contacts(w->view, row, &count, &contact);
    if (status == RICO_OK) status = open_file(w, name, &path, &target);
    if (status == RICO_OK) {
        FILE *out = target.out;
        begin(out, "UnstructuredGrid");
        fprintf(out,
                "<UnstructuredGrid>\n<Piece NumberOfPoints=\"%lld\" NumberOfCells=\"%lld\">\n<PointData>\n",
                (long long)count, (long long)count);
        write_contact_vectors(out, count, contact);
        write_contact_numbers(out, count, contact);
        fprintf(out, "</PointData>\n");
        write_vertices(out, count, contact);
        fprintf(out, "</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
        status = rico_target_close(&target, RICO_OK);
    }
    rico_free(w->ctx, contact);
    rico_free(w->ctx, path);
    return status;
}


// --- beams ---------------------------------------------------------------------------------------------------------

// Cells of lines: the nodes of each beam, one after the other.
static void write_lines(const vtk_writer *w, FILE *out, int64_t nodes)
{
    int64_t end = 0;
    fprintf(out, "<Cells>\n");
    begin_array(out, "Int64", "connectivity", 1);
    for (int64_t i = 0; i < nodes; i++) fprintf(out, "%lld\n", (long long)i);
    end_array(out);
    begin_array(out, "Int64", "offsets", 1);
    for (int64_t b = 0; b < w->view->beam_count; b++)
        fprintf(out, "%lld\n", (long long)(end += w->view->beam[b].nodes));
    end_array(out);
    begin_array(out, "UInt8", "types", 1);
    for (int64_t b = 0; b < w->view->beam_count; b++) fprintf(out, "%d\n", LINE);
    end_array(out);
    fprintf(out, "</Cells>\n");
}


static rico_status write_beams(vtk_writer *w, const char *name)
{
    rico_target target = {0};
    char *path = NULL;
    int64_t nodes = 0;
    for (int64_t b = 0; b < w->view->beam_count; b++) nodes += w->view->beam[b].nodes;
    rico_status status = open_file(w, name, &path, &target);
    if (status == RICO_OK) {
        FILE *out = target.out;
        begin(out, "UnstructuredGrid");
        fprintf(out, "<UnstructuredGrid>\n<Piece NumberOfPoints=\"%lld\" NumberOfCells=\"%lld\">\n",
                (long long)nodes, (long long)w->view->beam_count);
        for (int pass = 0; pass < 2; pass++) {
            fprintf(out, pass ? "<Points>\n" : "<PointData>\n");
            begin_array(out, "Float64", pass ? "points" : "velocity", 3);
            for (int64_t b = 0; b < w->view->beam_count; b++)
                for (int64_t i = 0; i < w->view->beam[b].nodes; i++) {
                    int64_t body = w->view->beam[b].first + i;
                    numbers(out, 3, pass ? w->stand[body].position : w->velocity + 6 * body);
                }
            end_array(out);
            fprintf(out, pass ? "</Points>\n" : "</PointData>\n");
        }
        write_lines(w, out, nodes);
        fprintf(out, "</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
        status = rico_target_close(&target, RICO_OK);
    }
    rico_free(w->ctx, path);
    return status;
}


// --- all rows --------------------------------------------------------------------------------------------------------

static rico_status write_collection(vtk_writer *w, const char *what)
{
    rico_target target = {0};
    char *path = NULL, name[64];
    snprintf(name, sizeof name, "%s.pvd", what);
    rico_status status = open_file(w, name, &path, &target);
    if (status == RICO_OK) {
        begin(target.out, "Collection");
        fprintf(target.out, "<Collection>\n");
        for (int64_t row = 0; row < w->rows; row++)
            fprintf(target.out, "<DataSet timestep=\"%.17g\" part=\"0\" file=\"%s-%0*lld.vtu\"/>\n",
                    w->time[row], what, w->digits, (long long)row);
        fprintf(target.out, "</Collection>\n</VTKFile>\n");
        status = rico_target_close(&target, RICO_OK);
    }
    rico_free(w->ctx, path);
    return status;
}


// Endless shapes get a square that holds the way of all free bodies at the start, and as much again around it.
static void measure(vtk_writer *w)
{
    double low[3], high[3];
    bool some = false;
    for (int64_t i = 0; i < w->view->body_count; i++) {
        if (w->view->body[i].type != RICO_BODY_FREE) continue;
        for (int k = 0; k < 3; k++) {
            double x = w->stand[i].position[k];
            low[k] = some ? fmin(low[k], x) : x;
            high[k] = some ? fmax(high[k], x) : x;
        }
        some = true;
    }
    w->span = 1.0;
    for (int k = 0; some && k < 3; k++) {
        w->middle[k] = 0.5 * (low[k] + high[k]);
        w->span = fmax(w->span, high[k] - low[k]);
    }
}


static rico_status write_rows(vtk_writer *w)
{
    rico_status status = RICO_OK;
    bool beams = w->view->beam_count > 0;
    for (int64_t row = 0; status == RICO_OK && row < w->rows; row++) {
        char name[64];
        if (rico_context_interrupted(w->ctx)) return rico_fail(w->ctx, RICO_INTERRUPTED, "stopped");
        status = rico_body_view_stands(w->view, row, w->stand, w->velocity);
        if (status == RICO_OK && row == 0) measure(w);
        snprintf(name, sizeof name, "bodies-%0*lld.vtu", w->digits, (long long)row);
        if (status == RICO_OK) status = write_bodies(w, name);
        snprintf(name, sizeof name, "contacts-%0*lld.vtu", w->digits, (long long)row);
        if (status == RICO_OK) status = write_contacts(w, row, name);
        snprintf(name, sizeof name, "beams-%0*lld.vtu", w->digits, (long long)row);
        if (status == RICO_OK && beams) status = write_beams(w, name);
    }
    if (status == RICO_OK) status = write_collection(w, "bodies");
    if (status == RICO_OK) status = write_collection(w, "contacts");
    if (status == RICO_OK && beams) status = write_collection(w, "beams");
    return status;
}


rico_status rico_vtk_write(rico_context *ctx, rico_results *results, const char *folder, int64_t *rows)
{
    vtk_writer w = {.ctx = ctx, .folder = folder, .polygons = {.ctx = ctx}};
    rico_status status = rico_body_view_open(ctx, results, &w.view);
    if (status != RICO_OK) return status;
    int64_t table = rico_results_find_table(results, "state"), count = w.view->body_count;
    w.rows = *rows = rico_results_rows(results, table);
    w.digits = snprintf(NULL, 0, "%lld", (long long)w.rows);
    w.time = rico_alloc(ctx, w.rows, sizeof *w.time);
    w.stand = rico_alloc(ctx, count, sizeof *w.stand);
    w.velocity = rico_alloc(ctx, 6 * count, sizeof *w.velocity);
    w.face_body = rico_alloc(ctx, count, sizeof *w.face_body);
    w.vertex_body = rico_alloc(ctx, count, sizeof *w.vertex_body);
    status = w.time && w.stand && w.velocity && w.face_body && w.vertex_body
                 ? rico_path_make_folder(ctx, folder)
                 : RICO_NO_MEMORY;
    if (status == RICO_OK)
        status = rico_results_read(results, table, rico_results_find_column(results, table, "t"), 0, w.rows,
                                   w.time);
    if (status == RICO_OK) status = write_rows(&w);
    rico_polygons_release(&w.polygons);
    void *all[] = {w.time, w.stand, w.velocity, w.face_body, w.vertex_body};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
    rico_body_view_destroy(w.view);
    return status;
}
