// Sections of MSH 4.1 (Gmsh reference manual, "MSH file format").

#include "mesh/msh.h"

#include "base/context.h"

// Physical groups of one entity, at most: more are a mistake, and cells times groups must stay bounded.
enum { MOST_GROUPS = 256 };


static rico_status skip_integers(rico_msh *m, const char *what, int64_t count)
{
    int64_t value;
    rico_status status = RICO_OK;
    for (int64_t i = 0; status == RICO_OK && i < count; i++)
        status = rico_scan_integer(&m->scan, what, &value);
    return status;
}


// A count and as many integers that do not matter.
static rico_status skip_list(rico_msh *m, const char *counted, const char *what)
{
    int64_t count = 0;
    rico_status status = rico_scan_count(&m->scan, counted, 1, 4, &count);
    return status == RICO_OK ? skip_integers(m, what, count) : status;
}


// tag, in a partition: parent and parts; position or box; physical groups; of all but points: what bounds it.
static rico_status read_entity(rico_msh *m, int dimension, bool partitioned)
{
    int64_t entity = 0, count = 0, group = 0;
    double x;
    rico_status status = rico_scan_integer(&m->scan, "the number of an entity", &entity);
    if (status == RICO_OK && partitioned) {
        status = skip_integers(m, "the parent of an entity", 2);
        if (status == RICO_OK)
            status = skip_list(m, "the number of parts of an entity", "a part of an entity");
    }
    for (int i = 0; status == RICO_OK && i < (dimension == 0 ? 3 : 6); i++)
        status = rico_scan_real(&m->scan, "a coordinate of an entity", &x);
    if (status == RICO_OK)
        status = rico_scan_count(&m->scan, "the number of physical groups of an entity", 1, 4, &count);
    if (status == RICO_OK && count > MOST_GROUPS)
        return rico_scan_fail(&m->scan, "entity %lld is in %lld physical groups; at most %d are read",
                              (long long)entity, (long long)count, MOST_GROUPS);
    for (int64_t i = 0; status == RICO_OK && i < count; i++) {
        status = rico_scan_integer(&m->scan, "a physical group of an entity", &group);
        if (status == RICO_OK && group &&
            !rico_msh_claim_add(m, &m->physical, dimension, entity, group < 0 ? -group : group))
            return RICO_NO_MEMORY;
    }
    if (status == RICO_OK && dimension > 0)
        status = skip_list(m, "the number of boundaries of an entity", "a boundary of an entity");
    return status;
}


static rico_status read_entities(rico_msh *m, bool partitioned)
{
    static const char *const WHAT[] = {"the number of points", "the number of curves",
                                       "the number of surfaces", "the number of volumes"};
    int64_t count[4] = {0};
    rico_status status = RICO_OK;
    for (int d = 0; status == RICO_OK && d < 4; d++)
        status = rico_scan_count(&m->scan, WHAT[d], d == 0 ? 5 : 9, d == 0 ? 28 : 52, &count[d]);
    for (int d = 0; status == RICO_OK && d < 4; d++)
        for (int64_t i = 0; status == RICO_OK && i < count[d]; i++) status = read_entity(m, d, partitioned);
    return status;
}


rico_status rico_msh4_entities(rico_msh *m)
{
    return read_entities(m, false);
}


rico_status rico_msh4_partitioned_entities(rico_msh *m)
{
    int64_t partitions, ghosts = 0;
    rico_status status = rico_scan_size(&m->scan, "the number of partitions", &partitions);
    if (status == RICO_OK) status = rico_scan_count(&m->scan, "the number of ghost entities", 2, 8, &ghosts);
    if (status == RICO_OK) status = skip_integers(m, "a ghost entity", 2 * ghosts);
    return status == RICO_OK ? read_entities(m, true) : status;
}


// --- nodes ---------------------------------------------------------------------------------------------------------

// Blocks, how many things in all of them, smallest and largest tag.
static rico_status read_totals(rico_msh *m, const char *what, int64_t numbers, int64_t bytes, int64_t *blocks,
                               int64_t *total)
{
    int64_t tag;
    rico_status status = rico_scan_count(&m->scan, "the number of blocks", 4, 20, blocks);
    if (status == RICO_OK) status = rico_scan_count(&m->scan, what, numbers, bytes, total);
    for (int i = 0; status == RICO_OK && i < 2; i++)
        status = rico_scan_size(&m->scan, "a largest or smallest tag", &tag);
    return status;
}


static rico_status read_node_block(rico_msh *m, int64_t *left)
{
    static const char *const WHAT[] = {"the x of a node", "the y of a node", "the z of a node"};
    int64_t dimension = 0, entity, parametric = 0, count = 0, tag = 0;
    rico_status status = rico_scan_integer(&m->scan, "the dimension of a block of nodes", &dimension);
    if (status == RICO_OK) status = rico_scan_integer(&m->scan, "the entity of a block of nodes", &entity);
    if (status == RICO_OK) status = rico_scan_integer(&m->scan, "whether nodes have parameters", &parametric);
    if (status == RICO_OK)
        status = rico_scan_count(&m->scan, "the number of nodes of a block", 4, m->scan.word + 24, &count);
    if (status != RICO_OK) return status;
    if (dimension < 0 || dimension > 3)
        return rico_scan_fail(&m->scan, "a block of nodes is of dimension %lld", (long long)dimension);
    if (count > *left)
        return rico_scan_fail(&m->scan, "a block has %lld nodes where %lld are left", (long long)count,
                              (long long)*left);
    *left -= count;

    // all tags come first, then all positions
    const double nowhere[3] = {0};
    int64_t first = m->draft.nodes;
    for (int64_t i = 0; status == RICO_OK && i < count; i++) {
        status = rico_scan_size(&m->scan, "the number of a node", &tag);
        if (status == RICO_OK && rico_draft_node(&m->draft, nowhere, 0, tag) < 0) status = RICO_NO_MEMORY;
    }
    for (int64_t i = 0; status == RICO_OK && i < count; i++) {
        double parameter;
        for (int k = 0; status == RICO_OK && k < 3; k++)
            status = rico_scan_real(&m->scan, WHAT[k], &m->draft.position[3 * (first + i) + k]);
        for (int64_t k = 0; status == RICO_OK && parametric && k < dimension; k++)
            status = rico_scan_real(&m->scan, "a parameter of a node", &parameter);
    }
    return status;
}


static rico_status check_left(const rico_msh *m, const char *what, int64_t total, int64_t left)
{
    if (left == 0) return RICO_OK;
    return rico_scan_fail(&m->scan, "%lld %s are announced and %lld are there", (long long)total, what,
                          (long long)(total - left));
}


rico_status rico_msh4_nodes(rico_msh *m)
{
    int64_t blocks = 0, total = 0, left;
    rico_status status = read_totals(m, "the number of nodes", 4, m->scan.word + 24, &blocks, &total);
    if (m->nodes) return rico_scan_fail(&m->scan, "there is a second section of nodes");
    m->nodes = true;
    left = total;
    for (int64_t b = 0; status == RICO_OK && b < blocks; b++) status = read_node_block(m, &left);
    return status == RICO_OK ? check_left(m, "nodes", total, left) : status;
}


// --- elements ------------------------------------------------------------------------------------------------------

static bool add_block(rico_msh *m, rico_msh_block block)
{
    if (m->blocks == m->block_room) {
        int64_t larger = 2 * m->block_room + 16;
        rico_msh_block *moved = rico_grow(m->scan.ctx, m->block, m->block_room, larger, sizeof *moved);
        if (moved == NULL) return false;
        m->block = moved;
        m->block_room = larger;
    }
    m->block[m->blocks++] = block;
    return true;
}


static rico_status read_element_block(rico_msh *m, int64_t *left)
{
    int64_t dimension = 0, entity = 0, type = 0, count = 0, tag = 0, node[RICO_CELL_NODES];
    rico_status status = rico_scan_integer(&m->scan, "the dimension of a block of elements", &dimension);
    if (status == RICO_OK) status = rico_scan_integer(&m->scan, "the entity of a block of elements", &entity);
    if (status == RICO_OK) status = rico_scan_integer(&m->scan, "the type of a block of elements", &type);
    if (status == RICO_OK)
        status = rico_scan_count(&m->scan, "the number of elements of a block", 2, 2 * m->scan.word, &count);
    if (status != RICO_OK) return status;
    if (count > *left)
        return rico_scan_fail(&m->scan, "a block has %lld elements where %lld are left", (long long)count,
                              (long long)*left);
    *left -= count;
    int64_t first = m->draft.cells;
    rico_cell_kind kind = RICO_CELL_POINT;
    for (int64_t i = 0; status == RICO_OK && i < count; i++) {
        status = rico_scan_size(&m->scan, "the number of an element", &tag);
        if (status == RICO_OK) status = rico_msh_kind(m, type, tag, &kind);
        for (int k = 0; status == RICO_OK && k < rico_cells[kind].nodes; k++)
            status = rico_scan_size(&m->scan, "a node of an element", &node[k]);
        if (status == RICO_OK && i == 0 && dimension != rico_cells[kind].dimension)
            return rico_scan_fail(&m->scan, "a block of dimension %lld has elements of the kind %s",
                                  (long long)dimension, rico_cells[kind].name);
        if (status == RICO_OK && rico_draft_cell(&m->draft, kind, node, tag) < 0) status = RICO_NO_MEMORY;
    }
    if (status != RICO_OK) return status;
    return add_block(m, (rico_msh_block){(int)dimension, entity, first, count}) ? RICO_OK : RICO_NO_MEMORY;
}


rico_status rico_msh4_elements(rico_msh *m)
{
    int64_t blocks = 0, total = 0, left;
    rico_status status = read_totals(m, "the number of elements", 2, 2 * m->scan.word, &blocks, &total);
    if (m->elements) return rico_scan_fail(&m->scan, "there is a second section of elements");
    m->elements = true;
    left = total;
    for (int64_t b = 0; status == RICO_OK && b < blocks; b++) status = read_element_block(m, &left);
    return status == RICO_OK ? check_left(m, "elements", total, left) : status;
}


rico_status rico_msh4_settle(rico_msh *m)
{
    rico_msh_claims_sort(&m->physical);
    for (int64_t b = 0; b < m->blocks; b++) {
        const rico_msh_block *block = &m->block[b];
        for (int64_t i = rico_msh_claims_find(&m->physical, block->dimension, block->entity);
             i < m->physical.count; i++) {
            const rico_msh_claim *c = &m->physical.claim[i];
            if (c->dimension != block->dimension || c->tag != block->entity) break;
            if (m->member.count > MOST_GROUPS * (m->draft.cells + 1))
                return rico_fail(m->scan.ctx, RICO_BAD_INPUT, "%s: its cells are in more than %d groups each",
                                 m->scan.name, MOST_GROUPS);
            for (int64_t k = 0; k < block->count; k++)
                if (!rico_msh_claim_add(m, &m->member, block->dimension, c->other, block->first + k))
                    return RICO_NO_MEMORY;
        }
    }
    return RICO_OK;
}
