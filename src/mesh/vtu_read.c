// VTU files: VTK's unstructured grids in XML.

#include "mesh/msh.h"
#include "mesh/read.h"
#include "mesh/vtu_xml.h"

#include "base/context.h"
#include "base/number.h"

#include <string.h>

enum { MOST_MARKS = 1000 };

typedef struct vtu {
    rico_msh m; // its draft and the numbered groups of cells
    rico_xml_block block;
    bool piece;
    int64_t nodes, cells;
    rico_xml_array points, connectivity, offsets, types, group;
    int64_t marks;
    rico_xml_array *mark; // group:NAME
    double *position;
    int64_t *end, *type, *node, *number;
} vtu;


// --- what there is -------------------------------------------------------------------------------------------------

static rico_status read_head(vtu *v, const rico_xml_tag *tag)
{
    rico_scan *scan = &v->m.scan;
    char word[RICO_XML_WORD] = "";
    if (!rico_xml_attribute(scan, tag, "type", word) || strcmp(word, "UnstructuredGrid") != 0)
        return rico_scan_fail(scan, "the file holds '%.60s'; an UnstructuredGrid is read", word);
    if (rico_xml_attribute(scan, tag, "compressor", word))
        return rico_scan_fail(scan, "the file is compressed by '%.60s'; save it without compression", word);
    const uint16_t one = 1;
    unsigned char low;
    memcpy(&low, &one, 1);
    bool big = rico_xml_attribute(scan, tag, "byte_order", word) && strcmp(word, "BigEndian") == 0;
    scan->swap = big == (low == 1);
    v->block.head = rico_xml_attribute(scan, tag, "header_type", word) && strcmp(word, "UInt64") == 0 ? 8 : 4;
    return RICO_OK;
}


static rico_status read_piece(vtu *v, const rico_xml_tag *tag)
{
    rico_scan *scan = &v->m.scan;
    char word[RICO_XML_WORD];
    if (v->piece) return rico_scan_fail(scan, "the grid has several pieces; merge them into one");
    v->piece = true;
    if (!rico_xml_attribute(scan, tag, "NumberOfPoints", word) || !rico_text_to_integer(word, &v->nodes) ||
        v->nodes < 0 || v->nodes > scan->size)
        return rico_scan_fail(scan, "the number of points is missing or more than the file can hold");
    if (!rico_xml_attribute(scan, tag, "NumberOfCells", word) || !rico_text_to_integer(word, &v->cells) ||
        v->cells < 0 || v->cells > scan->size)
        return rico_scan_fail(scan, "the number of cells is missing or more than the file can hold");
    return RICO_OK;
}


static rico_status keep_mark(vtu *v, const rico_xml_array *array)
{
    if (v->marks == MOST_MARKS)
        return rico_scan_fail(&v->m.scan, "the file has more than %d groups", MOST_MARKS);
    rico_xml_array *moved = rico_grow(v->m.scan.ctx, v->mark, v->marks, v->marks + 1, sizeof *moved);
    if (moved == NULL) return RICO_NO_MEMORY;
    v->mark = moved;
    v->mark[v->marks++] = *array;
    return RICO_OK;
}


// Remembers an array of a section if it is one that a mesh needs.
static rico_status read_array(vtu *v, const char *section, const rico_xml_tag *tag)
{
    rico_xml_array array;
    rico_status status = rico_xml_array_read(&v->m.scan, tag, &array);
    if (status != RICO_OK) return status;
    bool cells = strcmp(section, "Cells") == 0;
    if (strcmp(section, "Points") == 0) v->points = array;
    if (cells && strcmp(array.name, "connectivity") == 0) v->connectivity = array;
    if (cells && strcmp(array.name, "offsets") == 0) v->offsets = array;
    if (cells && strcmp(array.name, "types") == 0) v->types = array;
    bool numbers = strcmp(section, "CellData") == 0 && !array.real && array.size > 0 && array.components == 1;
    if (numbers && strncmp(array.name, "group:", 6) == 0) return keep_mark(v, &array);
    if (numbers && (strcmp(array.name, "group") == 0 || strcmp(array.name, "gmsh:physical") == 0))
        v->group = array;
    return RICO_OK;
}


// Behind the _ that begins the block at the end.
static rico_status read_block(vtu *v, const rico_xml_tag *tag)
{
    rico_scan *scan = &v->m.scan;
    char word[RICO_XML_WORD];
    v->block.raw = rico_xml_attribute(scan, tag, "encoding", word) && strcmp(word, "raw") == 0;
    rico_scan_skip_blanks(scan);
    if (scan->at == scan->size || scan->bytes[scan->at] != '_')
        return rico_scan_fail(scan, "the appended data do not begin with _");
    v->block.start = scan->at + 1;
    return RICO_OK;
}


static bool is_section(const char *name)
{
    static const char *const NAMES[] = {"FieldData", "PointData", "CellData", "Points", "Cells"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (strcmp(NAMES[i], name) == 0) return true;
    return false;
}


static rico_status read_tags(vtu *v)
{
    rico_scan *scan = &v->m.scan;
    char section[32] = "";
    bool head = false;
    for (;;) {
        rico_xml_tag tag;
        rico_status status = rico_xml_next(scan, &tag);
        if (status != RICO_OK || *tag.name == '\0') return status;
        if (tag.closing) {
            if (strcmp(tag.name, section) == 0) section[0] = '\0';
        } else if (strcmp(tag.name, "VTKFile") == 0) {
            head = true;
            status = read_head(v, &tag);
        } else if (!head) {
            status = rico_scan_fail(scan, "<%s> stands before <VTKFile>", tag.name);
        } else if (strcmp(tag.name, "Piece") == 0) {
            status = read_piece(v, &tag);
        } else if (strcmp(tag.name, "AppendedData") == 0) {
            return read_block(v, &tag); // what follows are numbers
        } else if (strcmp(tag.name, "DataArray") == 0) {
            status = read_array(v, section, &tag);
        } else if (!tag.empty && is_section(tag.name)) {
            memcpy(section, tag.name, sizeof section);
        }
        if (status != RICO_OK) return status;
    }
}


// --- what is made of it --------------------------------------------------------------------------------------------

static rico_status numbers(vtu *v, const rico_xml_array *array, const char *name, int64_t count,
                           double **real, int64_t **integer)
{
    rico_context *ctx = v->m.scan.ctx;
    if (!array->there)
        return rico_fail(ctx, RICO_BAD_INPUT, "%s: the array '%s' is missing", v->m.scan.name, name);
    if (real) *real = rico_alloc(ctx, count, sizeof **real);
    if (integer) *integer = rico_alloc(ctx, count, sizeof **integer);
    if ((real && !*real) || (integer && !*integer)) return RICO_NO_MEMORY;
    return rico_xml_array_numbers(&v->m.scan, &v->block, array, count, real ? *real : NULL,
                                  integer ? *integer : NULL);
}


static rico_status read_numbers(vtu *v)
{
    rico_context *ctx = v->m.scan.ctx;
    if (!v->piece) return rico_fail(ctx, RICO_BAD_INPUT, "%s: the file has no <Piece>", v->m.scan.name);
    if (v->points.there && v->points.components != 3)
        return rico_fail(ctx, RICO_BAD_INPUT, "%s: points have %lld coordinates; three are read",
                         v->m.scan.name, (long long)v->points.components);
    rico_status status = numbers(v, &v->points, "points", 3 * v->nodes, &v->position, NULL);
    if (status == RICO_OK) status = numbers(v, &v->offsets, "offsets", v->cells, NULL, &v->end);
    if (status == RICO_OK) status = numbers(v, &v->types, "types", v->cells, NULL, &v->type);
    if (status != RICO_OK) return status;
    int64_t before = 0;
    for (int64_t c = 0; c < v->cells; before = v->end[c++])
        if (v->end[c] < before || v->end[c] > v->m.scan.size)
            return rico_fail(ctx, RICO_BAD_INPUT, "%s: cell %lld has the offset %lld behind %lld",
                             v->m.scan.name, (long long)c, (long long)v->end[c], (long long)before);
    return numbers(v, &v->connectivity, "connectivity", before, NULL, &v->node);
}


static rico_status find_kind(const vtu *v, int64_t c, rico_cell_kind *kind)
{
    static const struct {
        int type;
        const char *words;
    } FOREIGN[] = {{7, "a polygon"},
                   {8, "a pixel"},
                   {11, "a voxel"},
                   {13, "a wedge"},
                   {14, "a pyramid"},
                   {25, "a hexahedron of 20 nodes"},
                   {42, "a polyhedron"},
                   {28, "a quadrilateral of 9 nodes"},
                   {29, "a hexahedron of 27 nodes"}};
    for (int k = 0; k < RICO_CELL_KINDS; k++)
        if (rico_cells[k].vtk == v->type[c]) {
            *kind = (rico_cell_kind)k;
            return RICO_OK;
        }
    const char *words = "which is not known here";
    for (size_t i = 0; i < sizeof FOREIGN / sizeof *FOREIGN; i++)
        if (FOREIGN[i].type == v->type[c]) words = FOREIGN[i].words;
    return rico_fail(v->m.scan.ctx, RICO_BAD_INPUT, "%s: cell %lld is of VTK's type %lld, %s", v->m.scan.name,
                     (long long)c, (long long)v->type[c], words);
}


static rico_status add_cells(vtu *v)
{
    rico_draft *d = &v->m.draft;
    for (int64_t i = 0; i < v->nodes; i++) rico_draft_node(d, v->position + 3 * i, 0, i);
    rico_status status = RICO_OK;
    for (int64_t c = 0; status == RICO_OK && c < v->cells; c++) {
        rico_cell_kind kind = RICO_CELL_POINT;
        int64_t first = c ? v->end[c - 1] : 0, count = v->end[c] - first, node[RICO_CELL_NODES];
        status = find_kind(v, c, &kind);
        if (status == RICO_OK && count != rico_cells[kind].nodes)
            return rico_fail(v->m.scan.ctx, RICO_BAD_INPUT, "%s: cell %lld (%s) has %lld nodes",
                             v->m.scan.name, (long long)c, rico_cells[kind].name, (long long)count);
        if (status != RICO_OK) return status;
        for (int64_t i = 0; i < count; i++)
            node[i] = v->node[first + (kind == RICO_CELL_TET10 && i > 7 ? 17 - i : i)];
        if (rico_draft_cell(d, kind, node, c) < 0) status = RICO_NO_MEMORY;
    }
    return d->failed ? RICO_NO_MEMORY : status;
}


// Numbered groups first, then those by name.
static rico_status add_groups(vtu *v)
{
    rico_draft *d = &v->m.draft;
    rico_status status = RICO_OK;
    if (v->group.there) status = numbers(v, &v->group, "group", v->cells, NULL, &v->number);
    for (int64_t c = 0; status == RICO_OK && v->group.there && c < v->cells; c++)
        if (v->number[c] > 0 &&
            !rico_msh_claim_add(&v->m, &v->m.member, rico_cells[d->kind[c]].dimension, v->number[c], c))
            status = RICO_NO_MEMORY;
    if (status == RICO_OK) status = rico_msh_make_groups(&v->m);
    for (int64_t i = 0; status == RICO_OK && i < v->marks; i++) {
        int64_t *mark = NULL, group = rico_draft_group(d, v->mark[i].name + 6);
        status = numbers(v, &v->mark[i], v->mark[i].name, v->cells, NULL, &mark);
        for (int64_t c = 0; status == RICO_OK && c < v->cells; c++)
            if (mark[c]) rico_draft_join(d, group, c);
        rico_free(v->m.scan.ctx, mark);
    }
    return status;
}


rico_status rico_vtu_read(rico_context *ctx, const char *name, const char *bytes, int64_t size,
                          rico_mesh **out)
{
    vtu v = {.m = {.scan = {.ctx = ctx, .name = name, .bytes = bytes, .size = size}, .draft = {.ctx = ctx}},
             .block = {.start = -1}};
    rico_status status = read_tags(&v);
    if (status == RICO_OK) status = read_numbers(&v);
    if (status == RICO_OK) status = add_cells(&v);
    if (status == RICO_OK) status = add_groups(&v);
    if (status == RICO_OK) {
        status = rico_draft_finish(&v.m.draft, out);
        if (status != RICO_OK) status = rico_fail_in(ctx, status, name);
    }
    rico_msh_release(&v.m);
    void *all[] = {v.mark, v.position, v.end, v.type, v.node, v.number};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
    return status;
}
