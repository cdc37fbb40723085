// Sections of MSH 2.2 (Gmsh reference manual, "MSH file format version 2").

#include "mesh/msh.h"

#include "base/context.h"


// The count stands as text, also in binary files; its line ends before the bytes.
static rico_status read_count(rico_msh *m, const char *what, int64_t numbers, int64_t bytes, int64_t *count)
{
    m->scan.binary = false;
    rico_status status = rico_scan_size(&m->scan, what, count);
    char rest[8];
    if (status == RICO_OK) rico_scan_line(&m->scan, rest, sizeof rest);
    m->scan.binary = m->binary;
    int64_t least = m->binary ? bytes : 2 * numbers;
    if (status == RICO_OK && *count > (m->scan.size - m->scan.at + 1) / least)
        status = rico_scan_fail(&m->scan, "%s is %lld, more than the rest of the file can hold", what,
                                (long long)*count);
    return status;
}


static rico_status read_node(rico_msh *m, bool parametric)
{
    static const char *const WHAT[] = {"the x of a node", "the y of a node", "the z of a node"};
    int64_t tag = 0, dimension = 0, entity;
    double x[3], parameter;
    rico_status status = rico_scan_integer(&m->scan, "the number of a node", &tag);
    for (int k = 0; status == RICO_OK && k < 3; k++) status = rico_scan_real(&m->scan, WHAT[k], &x[k]);
    if (status == RICO_OK && parametric) {
        status = rico_scan_integer(&m->scan, "the dimension of a node's entity", &dimension);
        if (status == RICO_OK) status = rico_scan_integer(&m->scan, "the entity of a node", &entity);
        // curves have one parameter, surfaces two; points and volumes none
        for (int64_t k = 0; status == RICO_OK && dimension < 3 && k < dimension; k++)
            status = rico_scan_real(&m->scan, "a parameter of a node", &parameter);
    }
    if (status != RICO_OK) return status;
    return rico_draft_node(&m->draft, x, 0, tag) < 0 ? RICO_NO_MEMORY : RICO_OK;
}


static rico_status read_nodes(rico_msh *m, bool parametric)
{
    int64_t count = 0;
    rico_status status = read_count(m, "the number of nodes", 4, 28, &count);
    if (m->nodes) return rico_scan_fail(&m->scan, "there is a second section of nodes");
    m->nodes = true;
    for (int64_t i = 0; status == RICO_OK && i < count; i++) status = read_node(m, parametric);
    return status;
}


rico_status rico_msh2_nodes(rico_msh *m)
{
    return read_nodes(m, false);
}


rico_status rico_msh2_parametric_nodes(rico_msh *m)
{
    return read_nodes(m, true);
}


// Tags (the first is the physical group, the others do not matter here) and nodes.
static rico_status read_rest(rico_msh *m, int64_t element, rico_cell_kind kind, int64_t tags)
{
    int64_t tag = 0, physical = 0, node[RICO_CELL_NODES];
    rico_status status = RICO_OK;
    if (tags < 0)
        return rico_scan_fail(&m->scan, "element %lld has %lld tags", (long long)element, (long long)tags);
    for (int64_t i = 0; status == RICO_OK && i < tags; i++) {
        status = rico_scan_integer(&m->scan, "a tag of an element", &tag);
        if (status == RICO_OK && i == 0) physical = tag;
    }
    for (int i = 0; status == RICO_OK && i < rico_cells[kind].nodes; i++)
        status = rico_scan_integer(&m->scan, "a node of an element", &node[i]);
    if (status != RICO_OK) return status;
    int64_t cell = rico_draft_cell(&m->draft, kind, node, element);
    if (cell < 0) return RICO_NO_MEMORY;
    // a negative number is the group seen from behind
    if (physical < 0) physical = -physical;
    if (physical && !rico_msh_claim_add(m, &m->member, rico_cells[kind].dimension, physical, cell))
        return RICO_NO_MEMORY;
    return RICO_OK;
}


static rico_status read_text_element(rico_msh *m)
{
    int64_t element = 0, type = 0, tags = 0;
    rico_cell_kind kind = RICO_CELL_POINT;
    rico_status status = rico_scan_integer(&m->scan, "the number of an element", &element);
    if (status == RICO_OK) status = rico_scan_integer(&m->scan, "the type of an element", &type);
    if (status == RICO_OK) status = rico_msh_kind(m, type, element, &kind);
    if (status == RICO_OK) status = rico_scan_integer(&m->scan, "the number of tags of an element", &tags);
    return status == RICO_OK ? read_rest(m, element, kind, tags) : status;
}


// A header (type, how many, tags of each) and as many elements; *left goes down by them.
static rico_status read_binary_elements(rico_msh *m, int64_t *left)
{
    int64_t type = 0, count = 0, tags = 0, element = 0;
    rico_cell_kind kind = RICO_CELL_POINT;
    rico_status status = rico_scan_integer(&m->scan, "the type of elements", &type);
    if (status == RICO_OK) status = rico_scan_integer(&m->scan, "the number of elements of a type", &count);
    if (status == RICO_OK) status = rico_scan_integer(&m->scan, "the number of tags of an element", &tags);
    if (status == RICO_OK && (count < 1 || count > *left))
        return rico_scan_fail(&m->scan, "%lld elements of a type are announced where %lld are left",
                              (long long)count, (long long)*left);
    for (int64_t i = 0; status == RICO_OK && i < count; i++) {
        status = rico_scan_integer(&m->scan, "the number of an element", &element);
        if (status == RICO_OK) status = rico_msh_kind(m, type, element, &kind);
        if (status == RICO_OK) status = read_rest(m, element, kind, tags);
    }
    *left -= count;
    return status;
}


rico_status rico_msh2_elements(rico_msh *m)
{
    int64_t left = 0;
    rico_status status = read_count(m, "the number of elements", 4, 8, &left);
    if (m->elements) return rico_scan_fail(&m->scan, "there is a second section of elements");
    m->elements = true;
    while (status == RICO_OK && left > 0) {
        if (m->binary) {
            status = read_binary_elements(m, &left);
        } else {
            status = read_text_element(m);
            left--;
        }
    }
    return status;
}
