// VTU files: VTK's unstructured grids in XML, for ParaView.
//
// Numbers stand as text, as base64 in place, or as bytes in a block at the end ("appended raw"), each array there behind its length in bytes.

#include "mesh/mesh.h"

#include "base/context.h"
#include "base/replace_file.h"
#include "mesh/base64.h"

#include <stdio.h>
#include <string.h>

enum { BUFFER = 1 << 16 };

typedef enum number_type { FLOAT64, INT64, UINT8 } number_type;

// Numbers of a file; those of a group are marks made when they are written.
typedef struct array {
    const char *prefix, *name;
    number_type type;
    int components;
    int64_t tuples;
    const void *data;
    const rico_mesh_set *group; // instead of data
} array;

typedef struct writer {
    rico_context *ctx;
    const rico_mesh *mesh;
    const rico_mesh_output *o;
    rico_replacement file;
    char *buffer;
    int64_t used;
    int64_t offset; // of the next array in the block at the end
    int64_t cells;
    int64_t *row;         // of each cell of the mesh, -1: not written
    int64_t *node, *ends; // VTK's connectivity and offsets
    unsigned char *type, *mark;
} writer;


static void put(writer *w, const void *bytes, int64_t count)
{
    const char *from = bytes;
    while (count > 0) {
        int64_t piece = count < BUFFER - w->used ? count : BUFFER - w->used;
        memcpy(w->buffer + w->used, from, (size_t)piece);
        w->used += piece;
        from += piece;
        count -= piece;
        if (w->used == BUFFER) {
            (void)rico_replacement_write(&w->file, w->buffer, w->used); // the end tells
            w->used = 0;
        }
    }
}


static void put_text(writer *w, const char *text)
{
    put(w, text, (int64_t)strlen(text));
}


static void put_escaped(writer *w, const char *text)
{
    for (; *text; text++) switch (*text) {
        case '&':
            put_text(w, "&amp;");
            break;
        case '<':
            put_text(w, "&lt;");
            break;
        case '>':
            put_text(w, "&gt;");
            break;
        case '"':
            put_text(w, "&quot;");
            break;
        default:
            put(w, text, 1);
            break;
        }
}


static int64_t size_of(number_type type)
{
    return type == UINT8 ? 1 : 8;
}


// Marks the written cells of a group.
static const void *data_of(writer *w, const array *a)
{
    if (a->group == NULL) return a->data;
    memset(w->mark, 0, (size_t)w->cells);
    for (int64_t i = 0; i < a->group->count; i++)
        if (w->row[a->group->cell[i]] >= 0) w->mark[w->row[a->group->cell[i]]] = 1;
    return w->mark;
}


static void put_numbers(writer *w, const array *a)
{
    const void *data = data_of(w, a);
    int64_t count = a->tuples * a->components;
    for (int64_t i = 0; i < count; i++) {
        char word[40];
        if (a->type == FLOAT64)
            snprintf(word, sizeof word, "%.17g", ((const double *)data)[i]);
        else
            snprintf(word, sizeof word, "%lld",
                     a->type == INT64 ? (long long)((const int64_t *)data)[i]
                                      : (long long)((const unsigned char *)data)[i]);
        put_text(w, word);
        put(w, (i + 1) % a->components == 0 ? "\n" : " ", 1);
    }
}


// The length and the bytes as one stream of letters.
static void put_base64(writer *w, const array *a)
{
    const unsigned char *data = data_of(w, a);
    uint64_t size = (uint64_t)(a->tuples * a->components * size_of(a->type));
    unsigned char head[9], piece[3];
    char letters[4];
    memcpy(head, &size, sizeof size);
    for (uint64_t at = 0; at < size + sizeof size; at += 3) {
        int count = 0;
        for (uint64_t k = at; k < at + 3 && k < size + sizeof size; k++)
            piece[count++] = k < sizeof size ? head[k] : data[k - sizeof size];
        rico_base64_encode(piece, count, letters);
        put(w, letters, 4);
    }
    put(w, "\n", 1);
}


static void put_array(writer *w, const array *a)
{
    static const char *const TYPES[] = {"Float64", "Int64", "UInt8"};
    static const char *const FORMATS[] = {"appended", "binary", "ascii"};
    char text[160];
    snprintf(text, sizeof text, "<DataArray type=\"%s\" Name=\"", TYPES[a->type]);
    put_text(w, text);
    put_text(w, a->prefix);
    put_escaped(w, a->name);
    snprintf(text, sizeof text, "\" NumberOfComponents=\"%d\" format=\"%s\"", a->components,
             FORMATS[w->o->format]);
    put_text(w, text);
    if (w->o->format == RICO_VTU_RAW) {
        snprintf(text, sizeof text, " offset=\"%lld\"/>\n", (long long)w->offset);
        put_text(w, text);
        w->offset += 8 + a->tuples * a->components * size_of(a->type);
        return;
    }
    put_text(w, ">\n");
    if (w->o->format == RICO_VTU_TEXT)
        put_numbers(w, a);
    else
        put_base64(w, a);
    put_text(w, "</DataArray>\n");
}


static void put_bytes(writer *w, const array *a)
{
    uint64_t size = (uint64_t)(a->tuples * a->components * size_of(a->type));
    put(w, &size, sizeof size);
    put(w, data_of(w, a), (int64_t)size);
}


static array field_array(const rico_mesh_field *field, int64_t tuples)
{
    return (array){"",
                   field->name,
                   field->real ? FLOAT64 : INT64,
                   field->components,
                   tuples,
                   field->real ? (const void *)field->real : field->integer};
}


// Every array of the file in its order, given to `act`; with `tags`, the elements around them too.
static void each_array(writer *w, bool tags, void (*act)(writer *w, const array *a))
{
    const rico_mesh *mesh = w->mesh;
    const rico_mesh_output *o = w->o;
    if (tags) put_text(w, "<PointData>\n");
    for (int64_t i = 0; i < o->node_fields; i++) {
        array a = field_array(&o->node_field[i], mesh->nodes);
        act(w, &a);
    }
    if (tags) put_text(w, "</PointData>\n<CellData>\n");
    for (int64_t i = 0; i < o->cell_fields; i++) {
        array a = field_array(&o->cell_field[i], w->cells);
        act(w, &a);
    }
    for (int64_t i = 0; o->groups && i < mesh->groups; i++) {
        array a = {"group:", mesh->group[i].name, UINT8, 1, w->cells, NULL, &mesh->group[i]};
        act(w, &a);
    }
    if (tags) put_text(w, "</CellData>\n<Points>\n");
    array points = {"", "points", FLOAT64, 3, mesh->nodes, o->position ? o->position : mesh->position};
    act(w, &points);
    if (tags) put_text(w, "</Points>\n<Cells>\n");
    array connectivity = {"", "connectivity", INT64, 1, w->cells ? w->ends[w->cells - 1] : 0, w->node};
    array offsets = {"", "offsets", INT64, 1, w->cells, w->ends};
    array types = {"", "types", UINT8, 1, w->cells, w->type};
    act(w, &connectivity);
    act(w, &offsets);
    act(w, &types);
    if (tags) put_text(w, "</Cells>\n");
}


static void put_file(writer *w)
{
    const uint16_t one = 1;
    unsigned char low;
    char text[256];
    memcpy(&low, &one, 1);
    snprintf(text, sizeof text,
             "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"%s\" "
             "header_type=\"UInt64\">\n<UnstructuredGrid>\n",
             low ? "LittleEndian" : "BigEndian");
    put_text(w, text);
    if (w->o->time) {
        snprintf(text, sizeof text,
                 "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
                 "format=\"ascii\">\n%.17g\n</DataArray>\n</FieldData>\n",
                 *w->o->time);
        put_text(w, text);
    }
    snprintf(text, sizeof text, "<Piece NumberOfPoints=\"%lld\" NumberOfCells=\"%lld\">\n",
             (long long)w->mesh->nodes, (long long)w->cells);
    put_text(w, text);
    each_array(w, true, put_array);
    put_text(w, "</Piece>\n</UnstructuredGrid>\n");
    if (w->o->format == RICO_VTU_RAW) {
        put_text(w, "<AppendedData encoding=\"raw\">\n_");
        each_array(w, false, put_bytes);
        put_text(w, "\n</AppendedData>\n");
    }
    put_text(w, "</VTKFile>\n");
}


// Cells as VTK counts and orders them: Tet10 has its last two nodes the other way around.
static bool list_cells(writer *w)
{
    const rico_mesh *mesh = w->mesh;
    int64_t list = mesh->start[mesh->cells], at = 0;
    w->row = rico_alloc(w->ctx, mesh->cells, sizeof *w->row);
    w->node = rico_alloc(w->ctx, list, sizeof *w->node);
    w->ends = rico_alloc(w->ctx, mesh->cells, sizeof *w->ends);
    w->type = rico_alloc(w->ctx, mesh->cells, 1);
    w->mark = rico_alloc(w->ctx, mesh->cells, 1);
    w->buffer = rico_alloc(w->ctx, BUFFER, 1);
    if (!w->row || !w->node || !w->ends || !w->type || !w->mark || !w->buffer) return false;
    for (int64_t c = 0; c < mesh->cells; c++) {
        const rico_cell_info *cell = &rico_cells[mesh->kind[c]];
        const int64_t *node = mesh->node + mesh->start[c];
        w->row[c] = -1;
        if (w->o->elements_only && cell->dimension != mesh->dimension) continue;
        for (int i = 0; i < cell->nodes; i++)
            w->node[at + i] = node[mesh->kind[c] == RICO_CELL_TET10 && i > 7 ? 17 - i : i];
        at += cell->nodes;
        w->ends[w->cells] = at;
        w->type[w->cells] = (unsigned char)cell->vtk;
        w->row[c] = w->cells++;
    }
    return true;
}


static rico_status check_fields(rico_context *ctx, int64_t count, const rico_mesh_field *field)
{
    for (int64_t i = 0; i < count; i++)
        if (!field[i].name || field[i].components < 1 || !field[i].real == !field[i].integer)
            return rico_fail(
                ctx, RICO_BAD_ARGUMENT,
                "field %lld ('%s') needs a name, a number of components and either reals or integers",
                (long long)i, field[i].name ? field[i].name : "");
    return RICO_OK;
}


rico_status rico_mesh_write_vtu(rico_context *ctx, const rico_mesh *mesh, const rico_mesh_output *output,
                                const char *path)
{
    static const rico_mesh_output PLAIN = {.groups = true};
    writer w = {.ctx = ctx, .mesh = mesh, .o = output ? output : &PLAIN};
    rico_status status = check_fields(ctx, w.o->node_fields, w.o->node_field);
    if (status == RICO_OK) status = check_fields(ctx, w.o->cell_fields, w.o->cell_field);
    if (status != RICO_OK) return status;
    status = list_cells(&w) ? rico_replacement_begin(ctx, path, &w.file) : RICO_NO_MEMORY;
    if (status == RICO_OK) {
        put_file(&w);
        (void)rico_replacement_write(&w.file, w.buffer, w.used);
        status = rico_replacement_end(&w.file, true);
    }
    void *all[] = {w.row, w.node, w.ends, w.type, w.mark, w.buffer};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
    return status;
}
