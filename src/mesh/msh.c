// Gmsh's MSH files, 2.2 and 4.1: header, sections, and what is made of them at the end.

#include "mesh/msh.h"

#include "base/context.h"
#include "base/number.h"
#include "mesh/keys.h"
#include "mesh/read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- lists ---------------------------------------------------------------------------------------------------------

bool rico_msh_claim_add(rico_msh *m, rico_msh_claims *list, int dimension, int64_t tag, int64_t other)
{
    if (list->count == list->room) {
        int64_t larger = 2 * list->room + 64;
        rico_msh_claim *moved = rico_grow(m->scan.ctx, list->claim, list->room, larger, sizeof *moved);
        if (moved == NULL) return false;
        list->claim = moved;
        list->room = larger;
    }
    list->claim[list->count++] = (rico_msh_claim){dimension, tag, other};
    return true;
}


static int compare_claims(const void *a, const void *b)
{
    const rico_msh_claim *x = a, *y = b;
    if (x->dimension != y->dimension) return x->dimension < y->dimension ? -1 : 1;
    if (x->tag != y->tag) return x->tag < y->tag ? -1 : 1;
    return (x->other > y->other) - (x->other < y->other);
}


void rico_msh_claims_sort(rico_msh_claims *list)
{
    if (list->count > 1) qsort(list->claim, (size_t)list->count, sizeof *list->claim, compare_claims);
}


int64_t rico_msh_claims_find(const rico_msh_claims *list, int dimension, int64_t tag)
{
    int64_t low = 0, high = list->count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        const rico_msh_claim *c = &list->claim[middle];
        bool before = c->dimension < dimension || (c->dimension == dimension && c->tag < tag);
        if (before)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}


void rico_msh_release(rico_msh *m)
{
    rico_context *ctx = m->scan.ctx;
    for (int64_t i = 0; i < m->names; i++) rico_free(ctx, m->name[i].name);
    void *all[] = {m->member.claim, m->physical.claim, m->name, m->block};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) rico_free(ctx, all[i]);
    rico_draft_release(&m->draft);
}


// --- kinds ---------------------------------------------------------------------------------------------------------

typedef struct foreign_type {
    int type;
    const char *words;
} foreign_type;

#define FIRST_ORDER "; mesh to first order, or with tetrahedra"
static const foreign_type FOREIGN[] = {
    {6, "a prism of 6 nodes; mesh with tetrahedra or hexahedra only"},
    {7, "a pyramid of 5 nodes; mesh with tetrahedra or hexahedra only"},
    {10, "a quadrilateral of 9 nodes; Mesh.SecondOrderIncomplete = 1 gives those of 8"},
    {12, "a hexahedron of 27 nodes" FIRST_ORDER},
    {13, "a prism of 18 nodes" FIRST_ORDER},
    {14, "a pyramid of 14 nodes" FIRST_ORDER},
    {17, "a hexahedron of 20 nodes" FIRST_ORDER},
    {18, "a prism of 15 nodes" FIRST_ORDER},
    {19, "a pyramid of 13 nodes" FIRST_ORDER},
    {20, "a triangle of third order; mesh to first or second order"},
    {21, "a triangle of third order; mesh to first or second order"},
    {26, "a line of third order; mesh to first or second order"},
    {29, "a tetrahedron of third order; mesh to first or second order"},
};


rico_status rico_msh_kind(const rico_msh *m, int64_t type, int64_t element, rico_cell_kind *kind)
{
    for (int k = 0; k < RICO_CELL_KINDS; k++)
        if (rico_cells[k].gmsh == type) {
            *kind = (rico_cell_kind)k;
            return RICO_OK;
        }
    const char *words = "which is not known here";
    for (size_t i = 0; i < sizeof FOREIGN / sizeof *FOREIGN; i++)
        if (FOREIGN[i].type == type) words = FOREIGN[i].words;
    return rico_scan_fail(&m->scan, "element %lld is of Gmsh's type %lld, %s", (long long)element,
                          (long long)type, words);
}


// --- header and names ----------------------------------------------------------------------------------------------

// Bytes of the number 1 say in which order the file holds numbers.
static rico_status read_byte_order(rico_msh *m)
{
    int64_t one = 0;
    m->scan.binary = true;
    rico_status status = rico_scan_integer(&m->scan, "the number 1 that tells the order of bytes", &one);
    if (status != RICO_OK || one == 1) return status;
    m->scan.swap = one == 0x01000000;
    if (m->scan.swap) return RICO_OK;
    return rico_scan_fail(&m->scan, "%lld stands where 1 tells the order of bytes", (long long)one);
}


// version, 0 for text or 1 for binary, bytes of a size; *version: 2 or 4.
static rico_status read_format(rico_msh *m, int *version)
{
    double number = 0.0;
    int64_t type = 0;
    char rest[16];
    rico_status status = rico_scan_real(&m->scan, "the version of the format", &number);
    if (status == RICO_OK && !(number >= 2.0 && number < 2.3) && number != 4.1)
        return rico_scan_fail(
            &m->scan,
            "the format is MSH %g; 2.2 and 4.1 are read, which Gmsh writes by -format msh22 or msh41",
            number);
    if (status == RICO_OK) status = rico_scan_integer(&m->scan, "the type of the file", &type);
    if (status == RICO_OK && type != 0 && type != 1)
        return rico_scan_fail(&m->scan, "the type of the file is %lld; text is 0, binary 1", (long long)type);
    if (status != RICO_OK) return status;
    int64_t word = 0;
    status = rico_scan_integer(&m->scan, "the size of numbers", &word);
    if (status != RICO_OK) return status;
    *version = number < 3.0 ? 2 : 4;
    if (word != 8 && (*version == 2 || word != 4))
        return rico_scan_fail(&m->scan, "the size of numbers is %lld bytes; 8 are read%s", (long long)word,
                              *version == 4 ? ", or 4 for indices" : "");
    m->scan.word = (int)word;
    m->binary = type == 1;
    rico_scan_line(&m->scan, rest, sizeof rest);
    return m->binary ? read_byte_order(m) : RICO_OK;
}


static rico_status add_name(rico_msh *m, int dimension, int64_t tag, const char *from, int64_t length)
{
    rico_context *ctx = m->scan.ctx;
    for (int64_t i = 0; i < m->names; i++)
        if (m->name[i].dimension == dimension && m->name[i].tag == tag)
            return rico_scan_fail(&m->scan,
                                  "the physical group %lld of dimension %d has two names, '%s' and '%.*s'",
                                  (long long)tag, dimension, m->name[i].name, (int)length, from);
    if (m->names == m->name_room) {
        int64_t larger = 2 * m->name_room + 16;
        rico_msh_name *moved = rico_grow(ctx, m->name, m->name_room, larger, sizeof *moved);
        if (moved == NULL) return RICO_NO_MEMORY;
        m->name = moved;
        m->name_room = larger;
    }
    char *copy = rico_alloc(ctx, length + 1, 1);
    if (copy == NULL) return RICO_NO_MEMORY;
    memcpy(copy, from, (size_t)length);
    m->name[m->names++] = (rico_msh_name){dimension, tag, copy};
    return RICO_OK;
}


// dimension, number, "name": text in every file.
static rico_status read_name(rico_msh *m)
{
    int64_t dimension = 0, tag = 0;
    char line[256];
    rico_status status = rico_scan_integer(&m->scan, "the dimension of a physical group", &dimension);
    if (status == RICO_OK && (dimension < 0 || dimension > 3))
        return rico_scan_fail(&m->scan, "a physical group is of dimension %lld", (long long)dimension);
    if (status == RICO_OK) status = rico_scan_integer(&m->scan, "the number of a physical group", &tag);
    if (status != RICO_OK) return status;
    rico_scan at_line = m->scan;
    rico_scan_line(&m->scan, line, sizeof line);
    char *from = line, *end = line + strlen(line);
    if (*line == '"') {
        end = strchr(++from, '"');
        if (end == NULL)
            return rico_scan_fail(&at_line, "the name of the physical group %lld has no end", (long long)tag);
    }
    if (end == from) return rico_scan_fail(&at_line, "the physical group %lld has no name", (long long)tag);
    return add_name(m, (int)dimension, tag < 0 ? -tag : tag, from, end - from);
}


static rico_status read_names(rico_msh *m)
{
    int64_t count = 0;
    m->scan.binary = false;
    rico_status status = rico_scan_count(&m->scan, "the number of physical names", 3, 1, &count);
    for (int64_t i = 0; status == RICO_OK && i < count; i++) status = read_name(m);
    return status;
}


// --- sections ------------------------------------------------------------------------------------------------------

typedef struct section {
    const char *name;
    rico_status (*read[2])(rico_msh *m); // of 2.2, of 4.1
} section;

static const section SECTIONS[] = {
    {"PhysicalNames", {read_names, read_names}},
    {"Nodes", {rico_msh2_nodes, rico_msh4_nodes}},
    {"ParametricNodes", {rico_msh2_parametric_nodes, NULL}},
    {"Elements", {rico_msh2_elements, rico_msh4_elements}},
    {"Entities", {NULL, rico_msh4_entities}},
    {"PartitionedEntities", {NULL, rico_msh4_partitioned_entities}},
};


// Moves behind the line with the end of a section: `$EndNAME` comes next, or somewhere if the content was not read.
static rico_status end_section(rico_msh *m, const char *name, bool was_read)
{
    char end[80], word[80];
    rico_scan *scan = &m->scan;
    snprintf(end, sizeof end, "$End%s", name);
    int64_t length = (int64_t)strlen(end);
    scan->binary = false;
    rico_scan_skip_blanks(scan);
    int64_t from = scan->at;
    while (!was_read && scan->at + length <= scan->size &&
           memcmp(scan->bytes + scan->at, end, (size_t)length) != 0) {
        const char *next = memchr(scan->bytes + scan->at + 1, '$', (size_t)(scan->size - scan->at - 1));
        scan->at = next ? next - scan->bytes : scan->size;
    }
    bool found = scan->at + length <= scan->size && memcmp(scan->bytes + scan->at, end, (size_t)length) == 0;
    if (!found && (!was_read || scan->at == scan->size)) {
        scan->at = from;
        return rico_scan_fail(scan, "the section $%s has no end", name);
    }
    int64_t at = scan->at;
    rico_scan_line(scan, word, sizeof word);
    if (strcmp(word, end) == 0) return RICO_OK;
    scan->at = at;
    for (char *c = word; *c; c++) *c = *c >= 32 && *c < 127 ? *c : '?';
    return rico_scan_fail(scan, "'%.40s' stands where %s is expected", word, end);
}


static rico_status read_sections(rico_msh *m, int version)
{
    rico_status status = RICO_OK;
    for (;;) {
        char name[64];
        m->scan.binary = false;
        rico_scan_skip_blanks(&m->scan);
        if (status != RICO_OK || m->scan.at == m->scan.size) return status;
        if (m->scan.bytes[m->scan.at] != '$') {
            return rico_scan_fail(&m->scan, "a section is expected here, which begins with $");
        }
        m->scan.at++;
        rico_scan_line(&m->scan, name, sizeof name);
        bool was_read = false;
        for (size_t i = 0; i < sizeof SECTIONS / sizeof *SECTIONS; i++)
            if (strcmp(SECTIONS[i].name, name) == 0 && SECTIONS[i].read[version == 4]) {
                m->scan.binary = m->binary;
                status = SECTIONS[i].read[version == 4](m);
                was_read = true;
            }
        if (status == RICO_OK) status = end_section(m, name, was_read);
    }
}


// --- the end -------------------------------------------------------------------------------------------------------

typedef struct numbered {
    int64_t tag, node;
} numbered;


static int compare_numbered(const void *a, const void *b)
{
    const numbered *x = a, *y = b;
    return (x->tag > y->tag) - (x->tag < y->tag);
}


static int64_t find_node(const numbered *list, int64_t count, int64_t tag)
{
    const numbered key = {tag, 0};
    const numbered *found = count ? bsearch(&key, list, (size_t)count, sizeof *list, compare_numbered) : NULL;
    return found ? found->node : -1;
}


// Tags of nodes, in any order and with holes, become numbers.
static rico_status number_nodes(rico_msh *m)
{
    rico_draft *d = &m->draft;
    numbered *list = rico_alloc(m->scan.ctx, d->nodes, sizeof *list);
    if (list == NULL) return RICO_NO_MEMORY;
    for (int64_t i = 0; i < d->nodes; i++) list[i] = (numbered){d->node_number[i], i};
    if (d->nodes > 1) qsort(list, (size_t)d->nodes, sizeof *list, compare_numbered);
    rico_status status = RICO_OK;
    for (int64_t i = 1; status == RICO_OK && i < d->nodes; i++)
        if (list[i].tag == list[i - 1].tag)
            status = rico_fail(m->scan.ctx, RICO_BAD_INPUT, "%s: there are two nodes with the number %lld",
                               m->scan.name, (long long)list[i].tag);
    for (int64_t c = 0; status == RICO_OK && c < d->cells; c++)
        for (int64_t k = d->start[c]; status == RICO_OK && k < d->start[c + 1]; k++) {
            int64_t tag = d->node[k];
            d->node[k] = find_node(list, d->nodes, tag);
            if (d->node[k] < 0)
                status = rico_fail(m->scan.ctx, RICO_BAD_INPUT,
                                   "%s: element %lld has a node %lld, which is not there", m->scan.name,
                                   (long long)d->cell_number[c], (long long)tag);
        }
    rico_free(m->scan.ctx, list);
    return status;
}


// "group-7", with a word for its dimension where elements have a group 7 too.
static const char *group_name(const rico_msh *m, int dimension, int64_t tag, int highest, char room[64])
{
    static const char *const WORDS[] = {"-points", "-lines", "-faces", ""};
    for (int64_t i = 0; i < m->names; i++)
        if (m->name[i].dimension == dimension && m->name[i].tag == tag) return m->name[i].name;
    int64_t at = rico_msh_claims_find(&m->member, highest, tag);
    bool shared =
        at < m->member.count && m->member.claim[at].dimension == highest && m->member.claim[at].tag == tag;
    snprintf(room, 64, "group-%lld%s", (long long)tag, shared && dimension < highest ? WORDS[dimension] : "");
    return room;
}


// Physical groups by dimension and number. Names of groups without cells are told.
rico_status rico_msh_make_groups(rico_msh *m)
{
    rico_draft *d = &m->draft;
    int highest = 0;
    for (int64_t c = 0; c < d->cells; c++)
        if (rico_cells[d->kind[c]].dimension > highest) highest = rico_cells[d->kind[c]].dimension;
    rico_msh_claims_sort(&m->member);
    int64_t group = -1;
    for (int64_t i = 0; i < m->member.count; i++) {
        const rico_msh_claim *c = &m->member.claim[i];
        if (i == 0 || c->dimension != c[-1].dimension || c->tag != c[-1].tag) {
            char room[64];
            group = rico_draft_group(d, group_name(m, c->dimension, c->tag, highest, room));
        }
        rico_draft_join(d, group, c->other);
    }
    for (int64_t i = 0; i < m->names; i++) {
        bool used = false;
        for (int64_t g = 0; g < d->groups; g++) used = used || strcmp(d->name[g], m->name[i].name) == 0;
        if (!used)
            rico_log(m->scan.ctx, RICO_LOG_WARNING, "%s: the physical group '%s' has no cells", m->scan.name,
                     m->name[i].name);
    }
    return d->failed ? RICO_NO_MEMORY : RICO_OK;
}


static rico_status settle(rico_msh *m, int version, rico_mesh **out)
{
    if (!m->nodes || !m->elements)
        return rico_fail(m->scan.ctx, RICO_BAD_INPUT, "%s: the file has no section $%s", m->scan.name,
                         m->nodes ? "Elements" : "Nodes");
    rico_status status = number_nodes(m);
    if (status == RICO_OK && version == 4) status = rico_msh4_settle(m);
    if (status == RICO_OK) status = rico_msh_make_groups(m);
    if (status == RICO_OK) status = rico_draft_merge_twins(&m->draft);
    if (status != RICO_OK) return status;
    status = rico_draft_finish(&m->draft, out);
    return status == RICO_OK ? RICO_OK : rico_fail_in(m->scan.ctx, status, m->scan.name);
}


rico_status rico_msh_read(rico_context *ctx, const char *name, const char *bytes, int64_t size,
                          rico_mesh **out)
{
    rico_msh m = {.scan = {.ctx = ctx, .name = name, .bytes = bytes, .size = size}, .draft = {.ctx = ctx}};
    int version = 0;
    char line[64];
    rico_scan_skip_blanks(&m.scan);
    rico_scan_line(&m.scan, line, sizeof line); // $MeshFormat
    rico_status status = read_format(&m, &version);
    if (status == RICO_OK) status = end_section(&m, "MeshFormat", true);
    if (status == RICO_OK) status = read_sections(&m, version);
    if (status == RICO_OK) status = settle(&m, version, out);
    rico_msh_release(&m);
    return status;
}
